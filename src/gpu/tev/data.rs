//! What a material's shader reads in one picture: colours, matrices, lamps, sizes.

use crate::gpu::layouts::{LampData, TevBlock};
use crate::scene::{
    Model,
    gx::{
        Constants, CoordTransform, FirstMatrix, Light, LightRig, MapMode, MaterialState, SelectedMatrix, TevMaterial,
        Texture,
    },
};
use glam::Affine3A;

/// What surrounds the materials of a model in one picture.
pub struct Surroundings {
    pub view_from_world: Affine3A,
    pub rig: LightRig,
    /// Textures are shown.
    pub textured: bool,
}

/// The block of a material in a state.
pub fn block_of(model: &Model, material: &TevMaterial, state: &MaterialState, around: &Surroundings) -> TevBlock {
    let Constants { registers, konst, material_colors } = Constants::of(state);
    let slots: [CoordTransform; 10] =
        std::array::from_fn(|slot| CoordTransform::of_slot(material, state, slot as u8, &around.view_from_world));
    let mut texgens = [CoordTransform::IDENTITY.rows; 8];
    for (index, (rows, texgen)) in texgens.iter_mut().zip(&material.texgens).enumerate() {
        *rows = match SelectedMatrix::of(texgen.matrix, 0xFF) {
            SelectedMatrix::Slot(slot) => slots[usize::from(slot)].rows,
            SelectedMatrix::Identity if is_animated(material, state, index) => slots[index].rows,
            _ => CoordTransform::IDENTITY.rows,
        };
    }
    let sizes = Sizes::new(model, material, state, around.textured);
    let fog = &material.fog;
    let reach = if fog.end == fog.start || fog.far == fog.near { 0.0 } else { 1.0 / (fog.end - fog.start) };
    let [nx, ny, nz] = material.nbt_scale.unwrap_or([1.0; 3]);
    TevBlock {
        registers,
        konst,
        material: material_colors,
        ambient: material.ambient_colors.map(|color| color.map(i32::from)),
        lamps: around.rig.lights(material).map(|light| lamp(&light)),
        texgens,
        slots: slots.map(|slot| slot.rows),
        slot_steps: slots.map(|slot| {
            let step = match slot.first {
                FirstMatrix::Identity => 0,
                FirstMatrix::ModelView => 1,
                FirstMatrix::Normal => 2,
            };
            [step, 0, 0, 0]
        }),
        indirect: indirect_rows(material),
        indirect_lookups: sizes.indirect_lookups(material),
        lookups: sizes.lookups(material),
        coords: sizes.coords.map(|[s, t]| [s, t, 0.0, 0.0]),
        maps: sizes.maps.map(|[w, h]| [w, h, 1.0 / w, 1.0 / h]),
        nbt_scale: [nx, ny, nz, 0.0],
        fog_color: fog.color.map(i32::from),
        fog: [fog.start, reach, 0.0, 0.0],
    }
}

/// A generator without a matrix takes the one of its own place when that is animated (formats/j3d.md §4).
fn is_animated(material: &TevMaterial, state: &MaterialState, index: usize) -> bool {
    let own = material.texture_matrices[index];
    own.is_none_or(|m| m.map_mode == MapMode::None)
        && state.texture_srt[index].is_some_and(|srt| own.is_none_or(|m| m.srt() != srt))
}

fn lamp(light: &Light) -> LampData {
    let with = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
    LampData {
        position: with(light.position),
        direction: with(light.direction),
        color: light.color.map(f32::from),
        angle: with(light.angle_attenuation),
        reach: with(light.distance_attenuation),
    }
}

/// As the chip holds them: 11 bits a number, in 1/1024.
fn indirect_rows(material: &TevMaterial) -> [[i32; 4]; 6] {
    let mut out = [[0; 4]; 6];
    for (rows, matrix) in out.chunks_exact_mut(2).zip(&material.indirect_matrices) {
        for (row, values) in rows.iter_mut().zip(matrix.rows) {
            let [a, b, c] = values.map(|v| ((v * 1024.0) as i32) << 21 >> 21);
            *row = [a, b, c, i32::from(matrix.exponent).clamp(-17, 14)];
        }
    }
    out
}

/// Texels along the maps of a material, and along its texture coordinates.
struct Sizes {
    maps: [[f32; 2]; 8],
    biases: [f32; 8],
    coords: [[f32; 2]; 8],
}

impl Sizes {
    fn new(model: &Model, material: &TevMaterial, state: &MaterialState, textured: bool) -> Self {
        let texture = |slot: usize| -> Option<&Texture> {
            let index = state.textures[slot].filter(|_| textured)?;
            model.textures.get(index as usize).map(|texture| &**texture)
        };
        let maps: [[f32; 2]; 8] = std::array::from_fn(|slot| {
            texture(slot).map_or([1.0; 2], |texture| {
                let (width, height) = texture.size();
                [width as f32, height as f32]
            })
        });
        let biases = std::array::from_fn(|slot| texture(slot).map_or(0.0, |texture| texture.lod_bias));
        // A coordinate has one size: the stages set it in order, and after them the indirect stages.
        let mut coords = [[1.0; 2]; 8];
        let stages = material.stages.iter().filter_map(|stage| stage.tex_coord.zip(stage.texture));
        let indirect = material.indirect_orders.iter().map(|order| (order.tex_coord, order.texture));
        for (coord, map) in stages.chain(indirect) {
            if let Some(size) = coords.get_mut(usize::from(coord)) {
                *size = maps[usize::from(map & 7)];
            }
        }
        Self { maps, biases, coords }
    }

    /// From a coordinate to a place in a map.
    fn lookup(&self, coord: u8, map: u8, shift: [u8; 2]) -> [f32; 4] {
        let map = usize::from(map & 7);
        let size = self.coords.get(usize::from(coord)).copied().unwrap_or([1.0; 2]);
        let along = |axis: usize| size[axis] / self.maps[map][axis] / f32::from(1_u16 << shift[axis].min(8));
        [along(0), along(1), self.biases[map], self.biases[map].exp2()]
    }

    fn lookups(&self, material: &TevMaterial) -> [[f32; 4]; 16] {
        let mut out = [[1.0, 1.0, 0.0, 1.0]; 16];
        for (out, stage) in out.iter_mut().zip(&material.stages) {
            if let (Some(coord), Some(map)) = (stage.tex_coord, stage.texture) {
                *out = self.lookup(coord, map, [0; 2]);
            }
        }
        out
    }

    fn indirect_lookups(&self, material: &TevMaterial) -> [[f32; 4]; 4] {
        let mut out = [[1.0, 1.0, 0.0, 1.0]; 4];
        for (out, order) in out.iter_mut().zip(&material.indirect_orders) {
            *out = self.lookup(order.tex_coord, order.texture, [order.scale_s, order.scale_t]);
        }
        out
    }
}
