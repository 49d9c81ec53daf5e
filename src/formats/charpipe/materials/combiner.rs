//! Texture layers as stages of the combiner: what the SDK's modes set (`GXSetTevOp`), and Sluggers' highlight.

use crate::{
    formats::charpipe::draw_state::{DrawState, Layer},
    scene::gx::{Combiner, MapMode, TevMaterial, TevStage, TexGen, TextureMatrix},
};

/// A layer that is not there.
const NONE: u32 = 0xF;
/// Every layer is left out but the first, which is multiplied with the vertex colours.
const USUAL: u32 = 0xFFFF_FFF0;
/// The layer that [`DrawState::shader`] `Spec` takes for itself.
const HIGHLIGHT: usize = 1;

/// Inputs of the chip's combiners (`scene::gx::names`).
mod color {
    pub const PREVIOUS: u8 = 0;
    pub const TEXTURE: u8 = 8;
    pub const TEXTURE_ALPHA: u8 = 9;
    pub const RASTER: u8 = 10;
    pub const ONE: u8 = 12;
    pub const KONST: u8 = 14;
    pub const ZERO: u8 = 15;
}
mod alpha {
    pub const PREVIOUS: u8 = 0;
    pub const TEXTURE: u8 = 4;
    pub const RASTER: u8 = 5;
    pub const ZERO: u8 = 7;
}

/// How a layer joins what is there before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Modulate,
    Decal,
    Blend,
    Replace,
    Pass,
}

impl Mode {
    fn of(nibble: u32) -> Option<Self> {
        match nibble {
            0 => Some(Self::Modulate),
            1 => Some(Self::Decal),
            2 => Some(Self::Blend),
            3 => Some(Self::Replace),
            4 => Some(Self::Pass),
            _ => None,
        }
    }

    /// A, B, C and D of the colour and of the alpha side. The first stage joins the raster colour, others what the one before
    /// left.
    fn inputs(self, is_first: bool) -> [[u8; 4]; 2] {
        use alpha as a;
        use color as c;
        let (color, alpha) = if is_first { (c::RASTER, a::RASTER) } else { (c::PREVIOUS, a::PREVIOUS) };
        match self {
            Self::Modulate => [[c::ZERO, c::TEXTURE, color, c::ZERO], [a::ZERO, a::TEXTURE, alpha, a::ZERO]],
            Self::Decal => [[color, c::TEXTURE, c::TEXTURE_ALPHA, c::ZERO], [a::ZERO, a::ZERO, a::ZERO, alpha]],
            Self::Blend => [[color, c::ONE, c::TEXTURE, c::ZERO], [a::ZERO, a::TEXTURE, alpha, a::ZERO]],
            Self::Replace => [[c::ZERO, c::ZERO, c::ZERO, c::TEXTURE], [a::ZERO, a::ZERO, a::ZERO, a::TEXTURE]],
            Self::Pass => [[c::ZERO, c::ZERO, c::ZERO, color], [a::ZERO, a::ZERO, a::ZERO, alpha]],
        }
    }
}

/// The stages of a draw state, with the texture coordinates that they read.
pub fn combine(state: &DrawState, number: impl Fn(&Layer) -> Option<u32>, material: &mut TevMaterial) {
    let has_highlight = state.shader.is_some_and(|shader| &shader.code == b"Spec");
    let modes = state.tev.unwrap_or(USUAL);
    for (slot, layer) in state.layers.iter().enumerate() {
        let nibble = modes.checked_shr((slot as u32).saturating_mul(4)).unwrap_or(NONE) & NONE;
        // The highlight's texture is no layer like the others, whatever its mode says.
        let mode = Mode::of(nibble).filter(|_| !(has_highlight && slot == HIGHLIGHT));
        let Some(mode) = mode.filter(|mode| *mode != Mode::Pass) else { continue };
        let Some(coord) = coordinates(state, slot) else { continue };
        let Some(number) = layer.as_ref().and_then(&number) else { continue };
        push_stage(material, mode.inputs(material.stages.is_empty()), Some((slot, number, coord)));
    }
    if material.stages.is_empty() {
        push_stage(material, Mode::Pass.inputs(true), None);
    }
    let highlight = state.shader.filter(|_| has_highlight).zip(state.layers.get(HIGHLIGHT).copied().flatten());
    let highlight = highlight.and_then(|(shader, layer)| Some((shader.strength, number(&layer)?)));
    if let Some((strength, number)) = highlight.filter(|_| state.ambient_bits.is_some()) {
        push_highlight(material, strength, number);
    }
}

/// Each layer has the texture coordinates of its number, or the first where the vertices have fewer.
fn coordinates(state: &DrawState, slot: usize) -> Option<TexGen> {
    const FIRST_SET: u8 = 4;
    let last = state.uv_sets.checked_sub(1)?;
    let set = u8::try_from(slot).ok().filter(|slot| *slot <= last).unwrap_or(0);
    Some(TexGen { kind: 1, source: set.saturating_add(FIRST_SET), matrix: 60 })
}

/// Adds a stage. `texture`: its slot, its number and the coordinates that it is read with.
fn push_stage(material: &mut TevMaterial, [color, alpha]: [[u8; 4]; 2], texture: Option<(usize, u32, TexGen)>) {
    let mut stage = TevStage {
        color: Combiner::adding(color),
        alpha: Combiner::adding(alpha),
        // COLOR0A0
        channel: 4,
        ..TevStage::default()
    };
    if let Some((slot, number, coord)) = texture {
        if let Some(map) = material.textures.get_mut(slot) {
            *map = Some(number);
        }
        stage.texture = u8::try_from(slot).ok();
        stage.tex_coord = u8::try_from(material.texgens.len()).ok();
        material.texgens.push(coord);
    }
    material.stages.push(stage);
}

/// `colour + texture × strength / 255`, the texture laid on the half sphere that the viewer sees: its middle where the surface
/// faces him.
fn push_highlight(material: &mut TevMaterial, strength: u8, number: u32) {
    const NORMAL: u8 = 1;
    const FIRST_MATRIX: u8 = 30;
    // (x, y) of the normal in view space becomes (½x + ½, −½y + ½).
    const SPHERE_MAP: MapMode = MapMode::EnvironmentOld;
    let [matrix, ..] = &mut material.texture_matrices;
    *matrix = Some(TextureMatrix { map_mode: SPHERE_MAP, ..TextureMatrix::default() });
    let [first, ..] = &mut material.konst;
    *first = [strength; 4];
    let color = [color::ZERO, color::TEXTURE, color::KONST, color::PREVIOUS];
    let alpha = [alpha::ZERO, alpha::ZERO, alpha::ZERO, alpha::PREVIOUS];
    let coord = TexGen { kind: 1, source: NORMAL, matrix: FIRST_MATRIX };
    push_stage(material, [color, alpha], Some((HIGHLIGHT, number, coord)));
}
