//! The state that primitive lists are drawn in, as a material of the chip (formats/charpipe.md §4.1). Display states
//! add up from list to list.

use super::{
    codes,
    draw_state::{DrawState, Layer},
    tex::Textures,
};
use crate::{
    bytes::numbers::counted,
    formats::{LoadContext, findings::Findings},
    scene::{
        Image, Material, MaterialKind,
        gx::{
            self, AlphaCompare, BlendFactor, BlendKind, BlendMode, ChannelControl, Combiner, Compare, CullMode, Filter,
            LogicOp, MapMode, TevMaterial, TevStage, TexGen, TextureMatrix, Wrap, ZMode,
        },
    },
};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Percent. A game lights from more sides than a viewer does: no side of a model is darker than this of its own colour.
const LEAST_AMBIENT: f32 = 20.0;

/// The materials of draw states, in their order, with the textures that they read: each texture once for every way to sample it,
/// and its largest image at the same place. A layer without a texture that can be decoded is left out of its material.
pub fn of(
    states: &[DrawState],
    bank: Option<&Textures>,
    cx: &LoadContext<'_>,
    findings: &mut Findings,
) -> (Vec<Material>, Vec<Arc<gx::Texture>>, Vec<Arc<Image>>) {
    let found = samplers(states, bank, cx, findings);
    let material = |(index, state): (usize, &DrawState)| {
        let number = |layer: &Layer| found.numbers.get(layer).copied();
        named(index, combined(state, number))
    };
    let materials = states.iter().enumerate().map(material).collect();
    let images = found.textures.iter().map(|texture| gx::first_image(texture)).collect();
    (materials, found.textures, images)
}

/// The material of a draw state by itself. Its textures have the numbers that they have in their file.
pub fn surface(index: usize, state: &DrawState) -> Material {
    named(index, combined(state, |layer| Some(layer.texture.into())))
}

/// Name of a material: files have none.
pub fn name(index: usize) -> String {
    format!("material {index}")
}

fn named(index: usize, tev: TevMaterial) -> Material {
    Material { name: name(index), kind: MaterialKind::Tev(Box::new(tev)) }
}

/// Textures with their samplers.
#[derive(Default)]
struct Samplers {
    textures: Vec<Arc<gx::Texture>>,
    numbers: HashMap<Layer, u32>,
}

fn samplers(states: &[DrawState], bank: Option<&Textures>, cx: &LoadContext<'_>, findings: &mut Findings) -> Samplers {
    let Some(bank) = bank else { return Samplers::default() };
    let (mut layers, mut known_layers) = (Vec::new(), HashSet::new());
    let (mut indices, mut known_indices) = (Vec::new(), HashSet::new());
    for layer in states.iter().flat_map(read_layers) {
        if known_layers.insert(layer) {
            layers.push(layer);
        }
        let index = usize::from(layer.texture);
        if known_indices.insert(index) {
            indices.push(index);
            if index >= bank.len() {
                let count = counted(bank.len(), "texture");
                let message = format!("a primitive list uses texture {index}, but the model has only {count}");
                findings.add(&codes::NO_SUCH_TEXTURE, None, message);
            }
        }
    }
    let images: HashMap<usize, Vec<Arc<Image>>> =
        indices.iter().copied().zip(bank.images(&indices, cx, findings)).collect();
    let mut samplers = Samplers::default();
    for layer in layers {
        let index = usize::from(layer.texture);
        let Some(mips) = images.get(&index).filter(|mips| !mips.is_empty()) else { continue };
        let number = u32::try_from(samplers.textures.len()).unwrap_or(u32::MAX);
        samplers.textures.push(Arc::new(texture(&layer, bank, mips.clone())));
        samplers.numbers.insert(layer, number);
    }
    samplers
}

/// Whether any of these states reads a texture.
pub fn read_textures(states: &[DrawState]) -> bool {
    states.iter().any(|state| read_layers(state).next().is_some())
}

/// Layers that a state's material reads.
fn read_layers(state: &DrawState) -> impl Iterator<Item = Layer> + '_ {
    let material = combined(state, |_| Some(0));
    let is_read = move |slot: usize| material.textures.get(slot).copied().flatten().is_some();
    state.layers.iter().enumerate().filter(move |(slot, _)| is_read(*slot)).filter_map(|(_, layer)| *layer)
}

fn texture(layer: &Layer, bank: &Textures, mips: Vec<Arc<Image>>) -> gx::Texture {
    let levels = bank.levels(layer.texture.into());
    gx::Texture {
        name: Textures::name(layer.texture.into()),
        mips,
        wrap_s: Wrap::of_code(layer.wrap_s),
        wrap_t: Wrap::of_code(layer.wrap_t),
        min_filter: Filter::of_code(layer.min_filter),
        mag_filter: Filter::of_code(layer.mag_filter),
        min_lod: levels.min_lod,
        max_lod: levels.max_lod,
        lod_bias: levels.lod_bias,
        max_anisotropy: 1,
    }
}

/// Everything that decides a pixel. `number`: a layer's texture by its number; `None` where there is none to read.
fn combined(state: &DrawState, number: impl Fn(&Layer) -> Option<u32>) -> TevMaterial {
    let mut material = TevMaterial { channel_count: 1, ..TevMaterial::default() };
    let from_vertex = state.vertex_colors;
    let [color, alpha, ..] = &mut material.channels;
    *alpha = ChannelControl { material_from_vertex: from_vertex, ..ChannelControl::default() };
    // The viewer's lamp.
    *color = ChannelControl { lit: state.ambient_bits.is_some(), light_mask: 1, ..*alpha };
    let [own, _] = &mut material.material_colors;
    *own = state.constant_color.unwrap_or([0xFF; 4]);
    let [ambient, _] = &mut material.ambient_colors;
    *ambient = ambient_color(state.ambient_bits.map_or(0.0, f32::from_bits));
    combine(state, number, &mut material);
    apply(state.pixel.unwrap_or(USUAL_PIXEL_STATE), &mut material);
    material
}

/// `percent` of white.
fn ambient_color(percent: f32) -> [u8; 4] {
    let percent = if percent.is_finite() { percent.clamp(LEAST_AMBIENT, 100.0) } else { LEAST_AMBIENT };
    let level = (percent * 255.0 / 100.0).round() as u8;
    [level, level, level, 0xFF]
}

/// The state of what no display state says: blended, with depth, clear pixels left out.
const USUAL_PIXEL_STATE: u32 = 0x374;

/// Bits.
const DOUBLE_SIDED: u32 = 1;
const DEPTH_TEST: u32 = 1 << 6;
const ALWAYS_NEARER: u32 = 1 << 7;
const DEPTH_WRITE: u32 = 1 << 8;
const DEPTH_FIRST: u32 = 1 << 9;
const HALF_ALPHA: u32 = 1 << 10;

/// Sets what the bits say. Bit 1 (fog) has no fog to go with it in the file; bit 5 (alpha is written) is not seen.
fn apply(bits: u32, material: &mut TevMaterial) {
    let is_on = |bit: u32| bits & bit != 0;
    material.cull = if is_on(DOUBLE_SIDED) { CullMode::None } else { CullMode::Back };
    material.blend = blend(bits >> 2 & 3);
    let compare = if is_on(ALWAYS_NEARER) { Compare::Always } else { Compare::LessOrEqual };
    material.z_mode = ZMode { test: is_on(DEPTH_TEST), compare, write: is_on(DEPTH_WRITE) };
    material.z_before_texture = is_on(DEPTH_FIRST);
    let (compare0, reference0) = if is_on(HALF_ALPHA) { (Compare::GreaterOrEqual, 128) } else { (Compare::Greater, 0) };
    material.alpha_compare = AlphaCompare { compare0, reference0, ..AlphaCompare::default() };
}

fn blend(code: u32) -> BlendMode {
    let (kind, source, destination) = match code {
        0 => (BlendKind::None, BlendFactor::One, BlendFactor::Zero),
        1 => (BlendKind::Blend, BlendFactor::SourceAlpha, BlendFactor::InverseSourceAlpha),
        2 => (BlendKind::Blend, BlendFactor::SourceAlpha, BlendFactor::One),
        _ => (BlendKind::Subtract, BlendFactor::One, BlendFactor::One),
    };
    BlendMode { kind, source, destination, logic: LogicOp::Clear }
}

/// A layer that is not there.
const NONE: u32 = 0xF;
/// Every layer is left out but the first, which is multiplied with the vertex colours.
const USUAL_MODES: u32 = 0xFFFF_FFF0;
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
fn combine(state: &DrawState, number: impl Fn(&Layer) -> Option<u32>, material: &mut TevMaterial) {
    let has_highlight = state.shader.is_some_and(|shader| &shader.code == b"Spec");
    let modes = state.tev.unwrap_or(USUAL_MODES);
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

#[cfg(test)]
mod tests;
