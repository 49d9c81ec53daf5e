//! Materials and shapes at a moment, as `pose` states them.

use super::pose_values::tidy;
use crate::scene::{Frame, MaterialValues, Model, gx::MaterialState};
use serde::Serialize;
use std::collections::BTreeMap;

/// A material; of a model everything that can be animated, of a clip alone what it drives.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct MaterialPose {
    pub name: String,
    /// By slot; two rows.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub texture_matrices: BTreeMap<u8, [f32; 6]>,
    /// By slot, into the model's textures.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub textures: BTreeMap<u8, u32>,
    /// C0 to C2.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub registers: BTreeMap<String, [f32; 4]>,
    /// K0 to K3.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub konst: BTreeMap<String, [f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<[f32; 4]>,
}

/// A mesh of the model, by its place.
#[derive(Debug, PartialEq, Serialize)]
pub struct ShapePose {
    pub index: u32,
    pub visible: bool,
}

impl MaterialPose {
    fn of_state(name: &str, state: Option<&MaterialState>) -> Self {
        let Some(state) = state else { return Self { name: name.to_owned(), ..Self::default() } };
        Self {
            name: name.to_owned(),
            texture_matrices: slots(&state.texture_srt).map(|(slot, m)| (slot, tidy(m))).collect(),
            textures: slots(&state.textures).collect(),
            registers: named("C", (0..).zip(state.registers)),
            konst: named("K", (0..).zip(state.konst)),
            color: state.material_colors.first().copied().map(tidy),
        }
    }

    /// What a clip says of a material.
    pub fn of_values(values: MaterialValues) -> Self {
        Self {
            name: values.name,
            texture_matrices: values.texture_srt.into_iter().map(|(slot, m)| (slot, tidy(m))).collect(),
            textures: values.textures.into_iter().collect(),
            registers: named("C", values.registers),
            konst: named("K", values.konst),
            color: values.color.map(tidy),
        }
    }
}

fn slots<T: Copy>(slots: &[Option<T>]) -> impl Iterator<Item = (u8, T)> + '_ {
    (0_u8..).zip(slots).filter_map(|(slot, value)| Some((slot, (*value)?)))
}

fn named(letter: &str, colors: impl IntoIterator<Item = (u8, [f32; 4])>) -> BTreeMap<String, [f32; 4]> {
    colors.into_iter().map(|(index, color)| (format!("{letter}{index}"), tidy(color))).collect()
}

/// All materials of a model.
pub fn materials(model: &Model, frame: &Frame) -> Vec<MaterialPose> {
    let states = frame.materials.iter().map(Option::as_ref).chain(std::iter::repeat(None));
    model.materials.iter().zip(states).map(|(material, state)| MaterialPose::of_state(&material.name, state)).collect()
}

/// All meshes of a model, where it is of a family that shows and hides them.
pub fn shapes(model: &Model, frame: &Frame) -> Vec<ShapePose> {
    if model.materials.iter().all(|m| m.tev().is_none()) {
        return Vec::new();
    }
    (0..).zip(&frame.visible).map(|(index, visible)| ShapePose { index, visible: *visible }).collect()
}
