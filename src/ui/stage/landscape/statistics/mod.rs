//! What the ground on show comes to in numbers.

mod histogram;
mod tables;

use crate::{
    scene::{Terrain, TerrainStatistics},
    ui::{
        command::{Command, TerrainCommand},
        state::State,
        widgets::{empty, numbers::grouped, value_text::decimals},
    },
};
use egui::{ScrollArea, Ui};
use egui_phosphor::regular as icon;
use tables::Fact;

/// Two cards stand side by side from this width, in points.
const TWO_CARDS: f32 = 520.0;

/// Nothing is wider than this.
const MAX_WIDTH: f32 = 860.0;

pub fn show(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.landscape() else {
        let sentence = "Open a landscape to see statistics of its heights and objects.";
        empty::show(ui, icon::CHART_BAR, "No landscape", sentence);
        return;
    };
    let Some(numbers) = state.stages.front.terrain_statistics() else {
        commands.push(Command::Terrain(TerrainCommand::WantStatistics));
        ui.centered_and_justified(|ui| ui.spinner());
        return;
    };
    egui::Frame::new().inner_margin(8.0).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).id_salt("statistics").show(ui, |ui| {
            ui.set_max_width(MAX_WIDTH.min(ui.available_width()));
            ui.spacing_mut().item_spacing.y = 8.0;
            histogram::show(ui, numbers);
            let (ground, things) = (ground(&shown.terrain, numbers), things(numbers));
            if ui.available_width() < TWO_CARDS {
                tables::facts(ui, "Ground", &ground, commands);
                tables::facts(ui, "Objects", &things, commands);
            } else {
                ui.columns(2, |columns| {
                    if let [left, right] = columns {
                        tables::facts(left, "Ground", &ground, commands);
                        tables::facts(right, "Objects", &things, commands);
                    }
                });
            }
            tables::classes(ui, numbers);
            tables::kinds(ui, state, &shown.terrain, numbers, commands);
            ui.add_space(8.0);
        });
    });
}

fn ground(terrain: &Terrain, numbers: &TerrainStatistics) -> Vec<Fact<'static>> {
    let grid = &terrain.grid;
    let metres = |value: f32| format!("{} m", decimals(value, 1));
    let share = |part: f64| if numbers.area > 0.0 { part / numbers.area * 100.0 } else { 0.0 };
    let mut facts = vec![
        Fact::new("Samples", format!("{} × {}", grouped(grid.columns as usize), grouped(grid.rows as usize))),
        Fact::new("Sample spacing", format!("{} m", grid.cell)),
        Fact::new("Size", format!("{:.2} × {:.2} km", grid.width() / 1000.0, grid.depth() / 1000.0)),
        Fact::new("Area", square_km(numbers.area)),
        Fact::new("Above sea level", format!("{}  {:.1} %", square_km(numbers.land), share(numbers.land))),
    ];
    if let Some(range) = numbers.heights {
        facts.push(Fact::new("Lowest", metres(range.min)));
        facts.push(Fact::new("Mean", metres(range.mean as f32)));
        facts.push(Fact::new("Highest", metres(range.max)));
        facts.push(Fact::new("Samples without ground", grouped(range.holes)).weak_if(range.holes == 0));
    } else {
        facts.push(Fact::new("Samples without ground", grouped(grid.len())));
    }
    let layers = terrain.layers.len();
    facts.push(Fact::new("Layers", grouped(layers)).weak_if(layers == 0));
    facts.push(Fact::new("Materials", grouped(numbers.materials as usize)).weak_if(numbers.materials == 0));
    facts
}

fn things(numbers: &TerrainStatistics) -> Vec<Fact<'_>> {
    let count = |value: u32| grouped(value as usize);
    let density = if numbers.area > 0.0 { f64::from(numbers.present) / numbers.area } else { 0.0 };
    let plain = |name, value: u32| Fact::new(name, count(value)).weak_if(value == 0);
    vec![
        plain("Records in the file", numbers.slots),
        plain("Objects", numbers.present),
        plain("Empty records", numbers.empty()),
        Fact::new("Objects per km²", tables::density(density)),
        plain("Named objects", numbers.named),
        Fact::new("Types", grouped(numbers.kinds.len() - numbers.unresolved_ids.len())),
        plain("Unused types", numbers.unused),
        plain("Missing types", numbers.unresolved_ids.len() as u32),
        plain("Objects of missing types", numbers.unresolved),
        Fact::of("Outside the map", &numbers.outside),
        Fact::of("Below sea level", &numbers.below_sea),
    ]
}

fn square_km(area: f64) -> String {
    format!("{} km²", decimals(area as f32, if area < 10.0 { 2 } else { 1 }))
}
