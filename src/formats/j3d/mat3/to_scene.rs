//! Materials as the scene has them, with the runtime's defaults for what is absent (formats/j3d-materials.md §7.0a).

use super::{ABSENT, IndirectBlock, Mat3, MaterialEntry, Records};
use crate::scene::{
    Material, MaterialKind,
    gx::{CullMode, IndirectStage, TevMaterial, TevStage, TexGen},
};

/// The record that an index names; `None` where it is absent.
fn get<T>(table: &[T], index: u16) -> Option<&T> {
    if index == ABSENT { None } else { table.get(usize::from(index)) }
}

/// The records of a list of slots, or what stands for an absent one.
fn each<T: Copy, const N: usize>(table: &[T], indices: &[u16], default: T) -> [T; N] {
    std::array::from_fn(|slot| indices.get(slot).and_then(|index| get(table, *index)).copied().unwrap_or(default))
}

fn each_or_none<T: Copy, const N: usize>(table: &[T], indices: &[u16]) -> [Option<T>; N] {
    std::array::from_fn(|slot| indices.get(slot).and_then(|index| get(table, *index)).copied())
}

impl Mat3 {
    /// Every material. `texture_count`: how many textures there are to choose from, where that is known; others are left out.
    pub fn materials(&self, texture_count: Option<usize>) -> Vec<Material> {
        (0..self.material_count()).map(|material| self.material(material, texture_count)).collect()
    }

    /// One material; all defaults where its entry is missing.
    pub fn material(&self, material: usize, texture_count: Option<usize>) -> Material {
        let tev = self.entry(material).map(|entry| self.tev(entry, self.indirect(material), texture_count));
        Material { name: self.name(material), kind: MaterialKind::Tev(Box::new(tev.unwrap_or_default())) }
    }

    /// Stages that are active.
    pub(super) fn stage_count(&self, entry: &MaterialEntry) -> usize {
        get(&self.records.stage_counts, entry.stage_count).map_or(0, |count| usize::from(*count).min(16))
    }

    /// Texgens that are active.
    pub(super) fn texgen_count(&self, entry: &MaterialEntry) -> usize {
        get(&self.records.texgen_counts, entry.texgen_count).map_or(0, |count| usize::from(*count).min(8))
    }

    fn tev(
        &self,
        entry: &MaterialEntry,
        indirect: Option<&IndirectBlock>,
        texture_count: Option<usize>,
    ) -> TevMaterial {
        let records = &self.records;
        let default = TevMaterial::default();
        let indirect = indirect.filter(|block| block.on == 1);
        let numbers: [Option<u16>; 8] = each_or_none(&records.texture_numbers, &entry.textures);
        let cull = get(&records.cull, entry.cull).and_then(|cull| u8::try_from(*cull).ok()).filter(|cull| *cull < 4);
        TevMaterial {
            translucent: entry.mode == 4,
            cull: cull.map_or(default.cull, CullMode::from),
            channel_count: get(&records.channel_counts, entry.channel_count).map_or(0, |count| (*count).min(2)),
            channels: each(&records.channels, &entry.channels, Default::default()),
            material_colors: each(&records.material_colors, &entry.material_colors, [0xFF; 4]),
            ambient_colors: each(&records.ambient_colors, &entry.ambient_colors, [0x32; 4]),
            lights: each_or_none(&records.lights, &entry.lights),
            texgens: texgens(records, entry, self.texgen_count(entry)),
            texture_matrices: each_or_none(&records.texture_matrices, &entry.texture_matrices),
            textures: numbers.map(|number| {
                number
                    .map(u32::from)
                    .filter(|n| *n != u32::from(ABSENT) && texture_count.is_none_or(|c| (*n as usize) < c))
            }),
            konst: each(&records.konst, &entry.konst, [0xFF; 4]),
            registers: each(&records.tev_colors, &entry.tev_colors, [0; 4]),
            stages: (0..self.stage_count(entry)).map(|index| stage(records, entry, index, indirect)).collect(),
            swap_tables: each(&records.swap_tables, &entry.swap_tables, [0, 1, 2, 3]),
            indirect_orders: indirect
                .map(|block| block.orders.into_iter().take(usize::from(block.stage_count)).collect())
                .unwrap_or_default(),
            indirect_matrices: indirect.map(|block| block.matrices).unwrap_or_default(),
            alpha_compare: get(&records.alpha_compares, entry.alpha_compare).copied().unwrap_or_default(),
            blend: get(&records.blends, entry.blend).copied().unwrap_or_default(),
            z_mode: get(&records.z_modes, entry.z_mode).copied().unwrap_or_default(),
            z_before_texture: get(&records.z_before_texture, entry.z_before_texture).is_some_and(|on| *on != 0),
            fog: get(&records.fogs, entry.fog).copied().unwrap_or_default(),
            nbt_scale: get(&records.nbt_scales, entry.nbt_scale).filter(|nbt| nbt.enabled).map(|nbt| nbt.scale),
        }
    }
}

fn texgens(records: &Records, entry: &MaterialEntry, count: usize) -> Vec<TexGen> {
    let indices = entry.texgens.iter().enumerate().take(count);
    // Absent: texture coordinates of the same number, as they are.
    let default = |slot: usize| TexGen { kind: 1, source: (slot.min(7) as u8).saturating_add(4), matrix: 60 };
    indices.map(|(slot, index)| get(&records.texgens, *index).copied().unwrap_or_else(|| default(slot))).collect()
}

fn stage(records: &Records, entry: &MaterialEntry, index: usize, indirect: Option<&IndirectBlock>) -> TevStage {
    let default = TevStage::default();
    let of = |list: &[u16; 16]| list.get(index).copied().unwrap_or(ABSENT);
    let combiners = get(&records.tev_stages, of(&entry.tev_stages));
    let order = get(&records.tev_orders, of(&entry.tev_orders));
    let swap = get(&records.swap_modes, of(&entry.swap_modes)).copied().unwrap_or_default();
    let selector =
        |list: &[u8; 16], default: u8| list.get(index).copied().filter(|code| *code != 0xFF).unwrap_or(default);
    let direct = IndirectStage::default();
    TevStage {
        color: combiners.map_or(default.color, |c| c.color),
        alpha: combiners.map_or(default.alpha, |c| c.alpha),
        tex_coord: order.map(|o| o.tex_coord).filter(|coord| *coord != 0xFF),
        texture: order.map(|o| o.texture).filter(|map| *map != 0xFF),
        channel: order.map_or(default.channel, |o| o.channel),
        raster_swap: swap.raster,
        texture_swap: swap.texture,
        konst_color: selector(&entry.konst_color_selectors, default.konst_color),
        konst_alpha: selector(&entry.konst_alpha_selectors, default.konst_alpha),
        indirect: indirect.and_then(|block| block.stages.get(index)).copied().unwrap_or(direct),
    }
}
