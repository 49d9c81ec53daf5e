//! Combiner stages: what each reads, its two formulas, and the constants in them.

use crate::ui::widgets::surface::colors;
use crate::{
    scene::gx::{
        AlphaInput, ColorInput, TevStage,
        formula::{self, Formula, PieceKind},
        names, sentences,
    },
    ui::{theme, widgets::surface::card::SurfaceCard},
};
use egui::{Color32, FontFamily, FontId, Frame, Label, Margin, RichText, TextFormat, Ui, text::LayoutJob};

/// What the names in formulas mean, for those who wonder.
const LEGEND: &str = "TEX: texture colour. RAS: lit colour of a channel. C: register. K: constant. PREV: result of the \
                      previous stage. Values are 0 to 1. .aaa: alpha in all three colour components. mix(a, b, c) = a × (1 − c) + \
                      b × c.";

pub fn show(ui: &mut Ui, surface: &SurfaceCard<'_>) {
    let material = surface.material;

    if material.stages.is_empty() {
        ui.add(Label::new(RichText::new("No stages. The lit colour of channel 0 is drawn.").weak()).wrap());
        return;
    }
    for (index, stage) in material.stages.iter().enumerate() {
        let p = theme::palette(ui);
        Frame::new().fill(p.panel).corner_radius(4.0).inner_margin(Margin::symmetric(8, 6)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 3.0;
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.label(RichText::new(format!("Stage {index}")).small().strong());
                ui.label(RichText::new(reads(stage)).small().weak());
            });
            let (color, alpha) = (formula::color(material, stage), formula::alpha(material, stage));
            for formula in [&color, &alpha] {
                ui.add(Label::new(job(ui, formula)).wrap().selectable(true)).on_hover_text(LEGEND);
            }
            if let Some(sentence) = sentences::indirect(&stage.indirect) {
                ui.add(Label::new(RichText::new(format!("Coordinate {sentence}")).small().weak()).wrap());
            }
            constants(ui, surface, &color, &alpha);
        });
    }
}

/// Where the texture is looked up and what color comes from the vertices.
fn reads(stage: &TevStage) -> String {
    let uses = |color: [ColorInput; 2], alpha: AlphaInput| {
        stage.color.inputs.iter().any(|i| color.contains(i)) || stage.alpha.inputs.contains(&alpha)
    };
    let mut parts = Vec::new();
    if let (Some(map), true) =
        (stage.texture, uses([ColorInput::Texture, ColorInput::TextureAlpha], AlphaInput::Texture))
    {
        match stage.tex_coord {
            Some(coord) => parts.push(format!("TEX{map} at coordinate {coord}")),
            None => parts.push(format!("TEX{map} without a coordinate")),
        }
    }
    if uses([ColorInput::Raster, ColorInput::RasterAlpha], AlphaInput::Raster)
        && let Some(channel) = names::raster_channel(stage.channel).filter(|_| stage.channel != 0xFF)
    {
        parts.push(channel.to_owned());
    }
    parts.join("  ·  ")
}

/// The constants and registers that a stage reads or writes, as they are at this moment.
fn constants(ui: &mut Ui, surface: &SurfaceCard<'_>, color: &Formula, alpha: &Formula) {
    let mut shown: Vec<PieceKind> = Vec::new();
    for formula in [color, alpha] {
        // The first piece is where the result goes.
        for piece in formula.pieces.iter().skip(1) {
            if matches!(piece.kind, PieceKind::Register(_) | PieceKind::Konst(_)) && !shown.contains(&piece.kind) {
                shown.push(piece.kind);
            }
        }
    }
    if shown.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for kind in shown {
            if let Some((name, value)) = colors::constant(&surface.state, kind) {
                colors::chip(ui, &name, value);
                ui.add_space(6.0);
            }
        }
    });
}

/// Colour of a piece: textures, constants and vertex colours are told apart at a glance; their names tell them apart too.
fn tone(ui: &Ui, kind: PieceKind) -> Color32 {
    let p = theme::palette(ui);
    let dark = ui.visuals().dark_mode;
    let pick = |on_dark: [u8; 3], on_light: [u8; 3]| {
        let [r, g, b] = if dark { on_dark } else { on_light };
        Color32::from_rgb(r, g, b)
    };
    match kind {
        PieceKind::Plain => p.text,
        PieceKind::Previous => p.strong,
        PieceKind::Register(_) | PieceKind::Konst(_) => pick([0xd6, 0xb4, 0x7a], [0x7c, 0x55, 0x08]),
        PieceKind::Texture(_) => pick([0xb8, 0x9c, 0xe8], [0x70, 0x48, 0xb0]),
        PieceKind::Raster(_) => pick([0x84, 0xc4, 0x8c], [0x26, 0x78, 0x38]),
    }
}

fn job(ui: &Ui, formula: &Formula) -> LayoutJob {
    let mut job = LayoutJob::default();
    let font = FontId::new(12.5, FontFamily::Monospace);
    for piece in &formula.pieces {
        let format = TextFormat { font_id: font.clone(), color: tone(ui, piece.kind), ..TextFormat::default() };
        job.append(&piece.text, 0.0, format);
    }
    job
}
