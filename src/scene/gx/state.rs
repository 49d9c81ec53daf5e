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

/// What animations change of a material as the chip holds it: integers in their registers' ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constants {
    /// C0, C1, C2: −1024..1023.
    pub registers: [[i32; 4]; 3],
    /// K0 to K3: 0..255.
    pub konst: [[i32; 4]; 4],
    /// 0..255.
    pub material_colors: [[i32; 4]; 2],
}

impl Constants {
    /// The nearest integers of a state.
    pub fn of(state: &MaterialState) -> Self {
        let byte = |color: [f32; 4]| color.map(|value| nearest(value, 0, 255));
        Self {
            registers: state.registers.map(|color| color.map(|value| nearest(value, -1024, 1023))),
            konst: state.konst.map(byte),
            material_colors: state.material_colors.map(byte),
        }
    }
}

/// NaN becomes 0.
fn nearest(value: f32, low: i32, high: i32) -> i32 {
    (value.round_ties_even() as i32).clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::gx::TevMaterial;

    #[test]
    fn constants_are_whole_and_within_range() {
        let mut state = MaterialState::of(&TevMaterial::default());
        state.registers[1] = [-2000.0, 1023.4, 1e9, f32::NAN];
        state.konst[2] = [-0.4, 254.6, 300.0, 12.0];
        state.material_colors[1] = [0.5, 1.5, -3.0, 255.0];
        let constants = Constants::of(&state);
        assert_eq!(constants.registers, [[0; 4], [-1024, 1023, 1023, 0], [0; 4]]);
        assert_eq!(constants.konst[2], [0, 255, 255, 12]);
        assert_eq!(constants.material_colors, [[255; 4], [0, 2, 0, 255]]);
    }
}
