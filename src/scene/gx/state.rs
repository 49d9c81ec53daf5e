use super::{TevMaterial, TextureSrt};

/// What animations change of a material: everything that a frame hands to the renderer besides matrices. Colours are 0..255
/// (registers −1024..1023), fractional and unclamped unless the game's own arithmetic was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialState {
    /// By texture-matrix slot; `None` where the material has none and nothing animates it.
    pub texture_srt: [Option<TextureSrt>; 10],
    /// By texture-map slot, into [`crate::scene::Model::textures`].
    pub textures: [Option<u32>; 8],
    /// C0, C1, C2.
    pub registers: [[f32; 4]; 3],
    /// K0 to K3.
    pub konst: [[f32; 4]; 4],
    /// Material colour 0 and 1.
    pub material_colors: [[f32; 4]; 2],
}

impl MaterialState {
    /// The material at rest.
    pub fn of(material: &TevMaterial) -> Self {
        let mut texture_srt = [None; 10];
        for (srt, matrix) in texture_srt.iter_mut().zip(&material.texture_matrices) {
            *srt = matrix.as_ref().map(super::TextureMatrix::srt);
        }
        Self {
            texture_srt,
            textures: material.textures,
            registers: material.registers.map(|c| c.map(f32::from)),
            konst: material.konst.map(|c| c.map(f32::from)),
            material_colors: material.material_colors.map(|c| c.map(f32::from)),
        }
    }
}
