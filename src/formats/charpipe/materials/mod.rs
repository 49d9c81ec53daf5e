//! What is switched on for a primitive list, as a material of the chip (formats/charpipe.md §4.1).

mod combiner;
mod pixel_state;
#[cfg(test)]
mod tests;

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
        gx::{self, ChannelControl, Filter, TevMaterial, Wrap},
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
    combiner::combine(state, number, &mut material);
    pixel_state::apply(state.pixel.unwrap_or(pixel_state::USUAL), &mut material);
    material
}

/// `percent` of white.
fn ambient_color(percent: f32) -> [u8; 4] {
    let percent = if percent.is_finite() { percent.clamp(LEAST_AMBIENT, 100.0) } else { LEAST_AMBIENT };
    let level = (percent * 255.0 / 100.0).round() as u8;
    [level, level, level, 0xFF]
}
