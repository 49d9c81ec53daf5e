//! GPL: a palette of meshes (formats/charpipe.md §4).

use super::{
    bytes::{Bytes, count16, count32},
    numbers::{ColorKind, Quantization},
    states::{Build, Layout, Setting, State, Width},
};

const VERSION: u32 = 12_012_000;
/// Zeros behind the array of a skinned mesh: block copies run in lines of 32 bytes.
const SPARE: usize = 64;

/// Where a mesh's points come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Positions {
    /// Two or three numbers a point.
    Plain {
        /// Number format of the array.
        quantization: Quantization,
        /// Numbers per point: 2 or 3.
        components: u8,
        /// Positions; Z is not stored if there are 2 components.
        values: Vec<[f32; 3]>,
    },
    /// The array that a skin writes: positions and normals of its slots, divided by `2^shift` when drawn.
    Skinned {
        /// Exponent of the divisor.
        shift: u8,
        /// Position and normal of each slot, as stored.
        slots: Vec<[i16; 6]>,
        /// What the header says there are; skins may write beyond.
        count: u16,
    },
}

impl Default for Positions {
    fn default() -> Self {
        Self::Plain { quantization: Quantization::FLOAT, components: 3, values: Vec::new() }
    }
}

/// Colours of vertices; a single one is the whole mesh's.
#[derive(Clone, Debug, PartialEq)]
pub struct Colors {
    /// Format in which the colours are stored.
    pub kind: ColorKind,
    /// Colours as RGBA, 8 bits per channel.
    pub values: Vec<[u8; 4]>,
}

/// A set of texture coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct UvSet {
    /// Number format of the array.
    pub quantization: Quantization,
    /// Two or three numbers a coordinate, or one.
    pub components: u8,
    /// Texture coordinates U, V; V = 0 is the top row of the image.
    pub values: Vec<[f32; 2]>,
    /// Name of the palette of textures.
    pub palette: String,
}

/// How a mesh is lit.
#[derive(Clone, Debug, PartialEq)]
pub struct Lighting {
    /// None for the SDK's own table, and for skinned meshes, whose normals lie among their positions.
    pub normals: Option<(Quantization, Vec<[f32; 3]>)>,
    /// Ambient part of the light, in per cent.
    pub ambient_percent: f32,
}

/// A mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Name of the display object.
    pub name: String,
    /// Positions of the points.
    pub positions: Positions,
    /// Colours; `None` for a mesh without any.
    pub colors: Option<Colors>,
    /// Sets of texture coordinates, one per channel.
    pub uv_sets: Vec<UvSet>,
    /// Lighting; `None` for an unlit mesh.
    pub lighting: Option<Lighting>,
    /// Display states, in the order in which they are applied.
    pub states: Vec<State>,
}

/// Meshes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    /// Meshes in the order of their indices.
    pub meshes: Vec<Mesh>,
    /// User data, stored unchanged; empty for none.
    pub user_data: Vec<u8>,
    /// Numbering of the display states.
    pub build: Build,
    /// Arrays that need no alignment start at odd offsets.
    pub odd: bool,
}

/// The section, or a loose file. In a block it starts at a multiple of 32.
pub fn encode_gpl(geometry: &Geometry) -> Vec<u8> {
    let mut out = Bytes::default();
    out.u32(VERSION);
    out.u32(count32(geometry.user_data.len()));
    let user = out.slot();
    out.u32(count32(geometry.meshes.len()));
    let descriptors = out.slot();
    out.fill(descriptors);
    let slots: Vec<_> = geometry.meshes.iter().map(|_| [out.slot(), out.slot()]).collect();
    for (mesh, [object, _]) in geometry.meshes.iter().zip(&slots) {
        out.align(4);
        out.fill(*object);
        write_mesh(&mut out, mesh, geometry);
    }
    for (mesh, [_, name]) in geometry.meshes.iter().zip(&slots) {
        out.fill(*name);
        out.bytes(mesh.name.as_bytes());
        out.u8(0);
    }
    if !geometry.user_data.is_empty() {
        out.align(4);
        out.fill(user);
        out.bytes(&geometry.user_data);
    }
    out.bytes
}

fn write_mesh(out: &mut Bytes, mesh: &Mesh, geometry: &Geometry) {
    let base = out.offset();
    let [positions, colors, uvs, lighting, display] = [(); 5].map(|()| out.slot());
    out.u8(mesh.uv_sets.len() as u8);
    out.zeros(3);
    let odd = |out: &mut Bytes| {
        if geometry.odd && out.offset().is_multiple_of(2) {
            out.u8(0);
        }
    };
    out.fill_from(positions, base);
    let normals_at = write_positions(out, &mesh.positions, base, odd);
    if let Some(set) = &mesh.colors {
        out.align(4);
        out.fill_from(colors, base);
        let array = out.slot();
        out.u16(count16(set.values.len()));
        out.bytes(&[set.kind.code(), set.kind.components()]);
        odd(out);
        out.fill_from(array, base);
        set.values.iter().for_each(|color| set.kind.push(*color, &mut out.bytes));
    }
    write_uv_sets(out, mesh, base, uvs, odd);
    if let Some(light) = &mesh.lighting {
        out.align(4);
        out.fill_from(lighting, base);
        let array = out.slot();
        match (&light.normals, normals_at) {
            (_, Some((at, count, code))) => {
                out.set(array, at);
                out.u16(count);
                out.bytes(&[code, 6]);
                out.f32s([light.ambient_percent]);
            }
            (None, None) => {
                out.u16(252);
                out.bytes(&[0x36, 3]);
                out.f32s([light.ambient_percent]);
            }
            (Some((quantization, normals)), None) => {
                out.u16(count16(normals.len()));
                out.bytes(&[quantization.code(), 3]);
                out.f32s([light.ambient_percent]);
                odd(out);
                out.fill_from(array, base);
                normals.iter().flatten().for_each(|v| quantization.push(*v, &mut out.bytes));
            }
        }
    }
    write_states(out, mesh, base, display, geometry.build);
}

/// Gives where a skinned mesh's normals are from `base`, their count and quantisation.
fn write_positions(
    out: &mut Bytes,
    positions: &Positions,
    base: usize,
    odd: impl Fn(&mut Bytes),
) -> Option<(usize, u16, u8)> {
    let array = out.slot();
    match positions {
        Positions::Plain { quantization, components, values } => {
            out.u16(count16(values.len()));
            out.bytes(&[quantization.code(), *components]);
            odd(out);
            out.fill_from(array, base);
            for value in values {
                value.iter().take(usize::from(*components)).for_each(|v| quantization.push(*v, &mut out.bytes));
            }
            None
        }
        Positions::Skinned { shift, slots, count } => {
            let code = Quantization::s16(*shift).code();
            out.u16(*count);
            out.bytes(&[code, 6]);
            out.align(32);
            out.fill_from(array, base);
            let start = out.offset().saturating_sub(base);
            slots.iter().for_each(|slot| out.i16s(*slot));
            out.zeros(SPARE);
            Some((start.saturating_add(6), *count, code))
        }
    }
}

fn write_uv_sets(out: &mut Bytes, mesh: &Mesh, base: usize, headers: super::bytes::Slot, odd: impl Fn(&mut Bytes)) {
    if mesh.uv_sets.is_empty() {
        return;
    }
    out.align(4);
    out.fill_from(headers, base);
    let mut slots = Vec::new();
    for set in &mesh.uv_sets {
        let array = out.slot();
        out.u16(count16(set.values.len()));
        out.bytes(&[set.quantization.code(), set.components]);
        slots.push([array, out.slot()]);
        out.u32(0);
    }
    for (set, [array, palette]) in mesh.uv_sets.iter().zip(slots) {
        odd(out);
        out.fill_from(array, base);
        for [u, v] in &set.values {
            let numbers = [*u, *v, 0.0];
            numbers.iter().take(usize::from(set.components)).for_each(|v| set.quantization.push(*v, &mut out.bytes));
        }
        if !set.palette.is_empty() {
            out.fill_from(palette, base);
            out.bytes(set.palette.as_bytes());
            out.u8(0);
        }
    }
}

fn write_states(out: &mut Bytes, mesh: &Mesh, base: usize, header: super::bytes::Slot, build: Build) {
    out.align(4);
    out.fill_from(header, base);
    let [first, table] = [out.slot(), out.slot()];
    out.u16s([count16(mesh.states.len()), 0]);
    out.fill_from(table, base);
    let mut lists = Vec::new();
    let mut layout = Layout { position: Width::Index16, ..Layout::default() };
    for state in &mesh.states {
        if let Setting::Layout(new) = state.setting {
            layout = new;
        }
        let (id, setting) = state.words(build);
        out.bytes(&id);
        out.u32(setting);
        let list = state.list(layout);
        let slot = out.slot();
        out.u32(count32(list.len()));
        if !list.is_empty() {
            lists.push((slot, list));
        }
    }
    for (place, (slot, list)) in lists.into_iter().enumerate() {
        out.align(32);
        out.fill_from(slot, base);
        if place == 0 {
            out.fill_from(first, base);
        }
        out.bytes(&list);
    }
}
