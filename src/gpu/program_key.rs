//! What the generated shader of a material with the chip's whole state depends on, and its number.

use crate::scene::{
    Mesh,
    gx::{
        AlphaCompare, BlendKind, BlendMode, ChannelControl, FirstMatrix, IndirectOrder, LogicOp, SelectedMatrix,
        TevMaterial, TevStage, first_matrix,
    },
};
use std::collections::HashMap;
use std::sync::Arc;

/// What of a mesh decides the code that reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MeshTraits {
    pub colors: bool,
    pub second_colors: bool,
    pub normals: bool,
    pub tangents: bool,
    /// Vertices name texture matrices of their own.
    pub matrix_slots: bool,
}

impl MeshTraits {
    pub fn of(mesh: &Mesh) -> Self {
        let count = mesh.vertex_count();
        let full = |length: usize| count > 0 && length == count;
        Self {
            colors: full(mesh.colors.len()),
            second_colors: full(mesh.second_colors.len()),
            normals: full(mesh.normals.len()),
            tangents: full(mesh.tangents.len()),
            matrix_slots: full(mesh.texture_matrix_slots.len()),
        }
    }
}

/// What of the scene decides the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scene {
    /// Off: channels are without lamps.
    pub lit: bool,
    /// The material's own fog.
    pub fog: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TexGenKey {
    pub kind: u8,
    pub source: u8,
    pub first: FirstMatrix,
}

/// What becomes of the final colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    Plain,
    Inverted,
    Black,
    White,
}

/// Two materials with the same key have the same shader.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProgramKey {
    pub mesh: MeshTraits,
    pub channel_count: u8,
    /// Colour 0, alpha 0, colour 1, alpha 1.
    pub channels: [ChannelControl; 4],
    pub texgens: Vec<TexGenKey>,
    pub stages: Vec<TevStage>,
    pub swap_tables: [[u8; 4]; 4],
    pub indirect_orders: Vec<IndirectOrder>,
    /// `None`: every alpha passes.
    pub alpha: Option<AlphaCompare>,
    /// 0 for none.
    pub fog: u8,
    pub fog_adjusts_range: bool,
    pub output: Output,
}

/// What the source of a generator with this matrix code goes through first.
fn first_step(material: &TevMaterial, code: u8) -> FirstMatrix {
    match SelectedMatrix::of(code, 0xFF) {
        SelectedMatrix::Identity => FirstMatrix::Identity,
        SelectedMatrix::Position => FirstMatrix::ModelView,
        SelectedMatrix::Slot(slot) => {
            let matrix = material.texture_matrices.get(usize::from(slot)).copied().flatten();
            matrix.map_or(FirstMatrix::Identity, |matrix| first_matrix(matrix.map_mode))
        }
    }
}

impl ProgramKey {
    pub fn new(material: &TevMaterial, mesh: MeshTraits, scene: Scene) -> Self {
        let mut channels = material.channels;
        for (index, control) in channels.iter_mut().enumerate() {
            if index / 2 >= usize::from(material.channel_count) {
                *control = ChannelControl::default();
            }
            if !scene.lit {
                *control = control.without_lamps();
            }
            if !control.lit {
                let material_from_vertex = control.material_from_vertex;
                *control = ChannelControl { material_from_vertex, ..ChannelControl::default() };
            }
        }
        let texgens = material.texgens.iter().take(8);
        let fog = if scene.fog { material.fog.kind & 7 } else { 0 };
        Self {
            mesh,
            channel_count: material.channel_count.min(2),
            channels,
            texgens: texgens
                .map(|texgen| TexGenKey {
                    kind: texgen.kind,
                    source: texgen.source,
                    first: first_step(material, texgen.matrix),
                })
                .collect(),
            stages: material.stages.iter().take(16).copied().collect(),
            swap_tables: material.swap_tables,
            indirect_orders: material.indirect_orders.iter().take(4).copied().collect(),
            alpha: (!material.alpha_compare.always_passes()).then_some(material.alpha_compare),
            fog,
            fog_adjusts_range: fog != 0 && material.fog.adjusts_range,
            output: output_of(material.blend),
        }
    }

    /// How many texture coordinates reach the pixels.
    pub fn coordinate_count(&self) -> usize {
        self.texgens.len().min(8)
    }
}

/// What a logic operation wants of the colour, as far as blending can do the rest.
fn output_of(blend: BlendMode) -> Output {
    if blend.kind != BlendKind::Logic {
        return Output::Plain;
    }
    match blend.logic {
        LogicOp::Clear => Output::Black,
        LogicOp::Nor | LogicOp::Equivalent | LogicOp::InverseCopy | LogicOp::InverseOr | LogicOp::Nand => {
            Output::Inverted
        }
        LogicOp::Inverse | LogicOp::Set => Output::White,
        _ => Output::Plain,
    }
}

/// Keys by number: what is drawn names them so.
#[derive(Default)]
pub struct Programs {
    numbers: HashMap<Arc<ProgramKey>, u32>,
    keys: Vec<Arc<ProgramKey>>,
}

impl Programs {
    /// The number of a key, the same for equal ones.
    pub fn number(&mut self, key: ProgramKey) -> u32 {
        let key = Arc::new(key);
        let next = self.keys.len() as u32;
        let number = *self.numbers.entry(key.clone()).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        number
    }

    pub fn key(&self, number: u32) -> Option<Arc<ProgramKey>> {
        self.keys.get(number as usize).cloned()
    }
}
