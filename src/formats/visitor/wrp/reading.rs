//! What of a world may be read otherwise: how far its heights are apart, and what objects' heights are taken from.

use super::{
    info,
    world::{USUAL_CELL, World, WorldKind},
};
use crate::formats::{Choice, Overrides, Rival, findings::Findings, visitor::layout::Placing};

/// How a world is read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Metres between heights.
    pub cell: f32,
    pub placing: Placing,
    pub choices: Vec<Choice>,
}

impl Reading {
    pub fn of(world: &World, overrides: &Overrides, findings: &mut Findings) -> Self {
        let stated = world.cell();
        let is_cell = |cell: &f32| (1e-3..=1e6).contains(cell);
        if !is_cell(&stated) {
            let message = format!("invalid sample spacing ({stated} m). {USUAL_CELL} m is used instead");
            findings.add(&info::BAD_CELL, Some(world.header_end.saturating_sub(4)), message);
        }
        let (mut wanted_cell, mut wanted_placing) = (None, None);
        for (id, value) in overrides {
            let is_known = match (id.as_str(), value.as_str()) {
                ("cell", text) => {
                    wanted_cell = text.parse::<f32>().ok().filter(is_cell);
                    wanted_cell.is_some()
                }
                ("placing", "file" | "ground") => {
                    wanted_placing = Some(if value == "file" { Placing::File } else { Placing::Ground });
                    true
                }
                _ => false,
            };
            if !is_known {
                findings.add(&info::BAD_OVERRIDE, None, format!("“{id}={value}” is not a valid reading option"));
            }
        }
        let cell = wanted_cell.unwrap_or(if is_cell(&stated) { stated } else { USUAL_CELL });
        let placing = wanted_placing.unwrap_or(Placing::Ground);
        let choices =
            vec![cell_choice(world, cell, wanted_cell.is_some()), placing_choice(placing, wanted_placing.is_some())];
        Self { cell, placing, choices }
    }
}

fn cell_choice(world: &World, cell: f32, overridden: bool) -> Choice {
    let [land, _] = world.land;
    let terrain = world.heights.columns;
    let stated = world.land_cell;
    let evidence = match world.kind {
        _ if overridden => "Set by the user.".to_owned(),
        WorldKind::Four => format!("The file does not specify a spacing. Worlds of this kind use {USUAL_CELL} m."),
        WorldKind::Eight if land == terrain => format!("The file specifies a cell size of {stated} m."),
        WorldKind::Eight => {
            format!("The file specifies {land} land cells of {stated} m and {terrain} heights per side.")
        }
    };
    let mut rivals = Vec::new();
    if world.kind == WorldKind::Eight && land != terrain {
        let evidence = format!("With a spacing of {stated} m, heights and land cells would cover different areas.");
        rivals.push(Rival { value: stated.to_string(), evidence });
    }
    let (label, value) = ("Sample spacing", cell.to_string());
    Choice { id: "cell", label, value, evidence, rivals, overridden, number: Some("metres") }
}

fn placing_choice(placing: Placing, overridden: bool) -> Choice {
    let ground = ("ground", "Stored heights refer to the centres of models, and the file does not contain the models.");
    let file = ("file", "The stored height is the height of the model's centre.");
    let ((value, evidence), (other, against)) =
        if placing == Placing::Ground { (ground, file) } else { (file, ground) };
    let rivals = vec![Rival { value: other.to_owned(), evidence: against.to_owned() }];
    let (value, evidence) = (value.to_owned(), evidence.to_owned());
    Choice { id: "placing", label: "Object heights", value, evidence, rivals, overridden, number: None }
}
