//! MAT3 and MAT2: materials as entries that point into tables of records, each record once (formats/j3d.md §7,
//! formats/j3d-materials.md §7.1).

use super::file::{Chunk, Slot, count16, name_table};
use crate::scene::gx::{
    AlphaCompare, BlendMode, ChannelControl, Combiner, Fog, IndirectStage, Light, TevMaterial, TevStage, TexGen,
    TextureMatrix, ZMode,
};

fn floats(out: &mut Vec<u8>, values: &[f32]) {
    values.iter().for_each(|value| out.extend_from_slice(&value.to_be_bytes()));
}

fn channel(control: ChannelControl) -> Vec<u8> {
    vec![
        u8::from(control.lit),
        u8::from(control.material_from_vertex),
        control.light_mask,
        control.diffuse.into(),
        control.attenuation.into(),
        u8::from(control.ambient_from_vertex),
        0xFF,
        0xFF,
    ]
}

fn light(light: Light) -> Vec<u8> {
    let mut out = Vec::with_capacity(0x34);
    floats(&mut out, &light.position);
    floats(&mut out, &light.direction);
    out.extend_from_slice(&light.color);
    floats(&mut out, &light.angle_attenuation);
    floats(&mut out, &light.distance_attenuation);
    out
}

fn texgen(texgen: TexGen) -> Vec<u8> {
    vec![texgen.kind, texgen.source, texgen.matrix, 0xFF]
}

fn texture_matrix(matrix: &TextureMatrix) -> Vec<u8> {
    let mut out = vec![u8::from(!matrix.projects), u8::from(matrix.map_mode) | u8::from(matrix.maya) << 7, 0xFF, 0xFF];
    floats(&mut out, &matrix.center);
    floats(&mut out, &matrix.scale);
    let angle = (matrix.rotation * 32768.0 / std::f32::consts::PI).round();
    out.extend_from_slice(&(angle as i32 as i16).to_be_bytes());
    out.extend_from_slice(&[0xFF; 2]);
    floats(&mut out, &matrix.translation);
    matrix.effect.iter().for_each(|row| floats(&mut out, row));
    out
}

fn order(stage: &TevStage) -> Vec<u8> {
    vec![stage.tex_coord.unwrap_or(0xFF), stage.texture.unwrap_or(0xFF), stage.channel, 0xFF]
}

fn register(color: [i16; 4]) -> Vec<u8> {
    color.iter().flat_map(|part| part.to_be_bytes()).collect()
}

fn stage(stage: &TevStage) -> Vec<u8> {
    let mut out = vec![0xFF];
    out.extend_from_slice(&side(&stage.color));
    out.extend_from_slice(&side(&stage.alpha));
    out.push(0xFF);
    out
}

fn fog(fog: &Fog) -> Vec<u8> {
    let mut out = vec![fog.kind, u8::from(fog.adjusts_range)];
    out.extend_from_slice(&fog.center.to_be_bytes());
    floats(&mut out, &[fog.start, fog.end, fog.near, fog.far]);
    out.extend_from_slice(&fog.color);
    fog.range.iter().for_each(|entry| out.extend_from_slice(&entry.to_be_bytes()));
    out
}

fn alpha_compare(compare: AlphaCompare) -> Vec<u8> {
    let AlphaCompare { compare0, reference0, op, compare1, reference1 } = compare;
    vec![compare0.into(), reference0, op.into(), compare1.into(), reference1, 0xFF, 0xFF, 0xFF]
}

fn blend(blend: BlendMode) -> Vec<u8> {
    vec![blend.kind.into(), blend.source.into(), blend.destination.into(), blend.logic.into()]
}

fn z_mode(mode: ZMode) -> Vec<u8> {
    vec![u8::from(mode.test), mode.compare.into(), u8::from(mode.write), 0xFF]
}

fn nbt_scale(scale: Option<[f32; 3]>) -> Vec<u8> {
    let mut out = vec![u8::from(scale.is_some()), 0xFF, 0xFF, 0xFF];
    floats(&mut out, &scale.unwrap_or([1.0; 3]));
    out
}

/// The block of a material's indirect textures, 0x138 bytes; switched off when there are none.
fn indirect(material: &TevMaterial) -> Vec<u8> {
    let count = material.indirect_orders.len().min(4);
    let mut out = vec![u8::from(count > 0), u8::try_from(count).unwrap_or(4), 0xFF, 0xFF];
    let orders = || (0..4).map(|index| material.indirect_orders.get(index));
    for order in orders() {
        let [coordinate, texture] = order.map_or([0xFF; 2], |order| [order.tex_coord, order.texture]);
        out.extend_from_slice(&[coordinate, texture, 0xFF, 0xFF]);
    }
    for matrix in &material.indirect_matrices {
        matrix.rows.iter().for_each(|row| floats(&mut out, row));
        out.extend_from_slice(&[matrix.exponent.cast_unsigned(), 0xFF, 0xFF, 0xFF]);
    }
    for order in orders() {
        let [s, t] = order.map_or([0; 2], |order| [order.scale_s, order.scale_t]);
        out.extend_from_slice(&[s, t, 0xFF, 0xFF]);
    }
    for index in 0..16 {
        let stage = material.stages.get(index).map_or_else(IndirectStage::default, |stage| stage.indirect);
        out.extend_from_slice(&[
            stage.stage,
            stage.format,
            stage.bias,
            stage.matrix,
            stage.wrap_s,
            stage.wrap_t,
            u8::from(stage.add_previous),
            u8::from(stage.original_lod),
            stage.alpha,
            0xFF,
            0xFF,
            0xFF,
        ]);
    }
    out
}

fn side<I: Copy + Into<u8>>(combiner: &Combiner<I>) -> [u8; 9] {
    let [a, b, c, d] = combiner.inputs.map(Into::into);
    let (op, bias, scale) = (combiner.op.into(), combiner.bias.into(), combiner.scale.into());
    [a, b, c, d, op, bias, scale, combiner.clamp.into(), combiner.destination.into()]
}

/// A material of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Name in the name table.
    pub name: String,
    /// Drawn as an edge: tested by alpha, neither opaque nor translucent (mode 2).
    pub alpha_tested: bool,
    /// Numbers of textures are those of TEX1.
    pub state: TevMaterial,
    /// Stored beside the others and left alone by games.
    pub post_texgens: Vec<TexGen>,
    /// Post matrices, ignored by games like `post_texgens`; at most 20 are written.
    pub post_matrices: Vec<TextureMatrix>,
}

impl Material {
    /// A material with nothing besides its state.
    pub fn new(name: &str, state: TevMaterial) -> Self {
        Self { name: name.to_owned(), state, ..Self::default() }
    }
}

/// The tables of records.
#[derive(Clone, Copy)]
enum Table {
    Cull,
    MaterialColor,
    ChannelCount,
    Channel,
    Ambient,
    Light,
    TexGenCount,
    TexGen,
    PostTexGen,
    TextureMatrix,
    PostMatrix,
    Texture,
    Order,
    Register,
    Konst,
    StageCount,
    Stage,
    StageSwap,
    ChannelSwap,
    Fog,
    AlphaCompare,
    Blend,
    ZMode,
    ZLocation,
    Dither,
    NbtScale,
}

/// In the order of MAT3's header.
const TABLES: [Table; 26] = [
    Table::Cull,
    Table::MaterialColor,
    Table::ChannelCount,
    Table::Channel,
    Table::Ambient,
    Table::Light,
    Table::TexGenCount,
    Table::TexGen,
    Table::PostTexGen,
    Table::TextureMatrix,
    Table::PostMatrix,
    Table::Texture,
    Table::Order,
    Table::Register,
    Table::Konst,
    Table::StageCount,
    Table::Stage,
    Table::StageSwap,
    Table::ChannelSwap,
    Table::Fog,
    Table::AlphaCompare,
    Table::Blend,
    Table::ZMode,
    Table::ZLocation,
    Table::Dither,
    Table::NbtScale,
];

/// What an entry has for a record that is not there.
const ABSENT: u16 = 0xFFFF;

/// Records of every table, each once.
#[derive(Default)]
struct Records {
    tables: [Vec<Vec<u8>>; TABLES.len()],
}

impl Records {
    fn add(&mut self, table: Table, record: Vec<u8>) -> u16 {
        let Some(records) = self.tables.get_mut(table as usize) else { return ABSENT };
        let known = records.iter().position(|r| *r == record).unwrap_or_else(|| {
            records.push(record);
            records.len().saturating_sub(1)
        });
        count16(known)
    }

    /// Places of some records, absent ones behind them up to `count`.
    fn row(&mut self, table: Table, count: usize, records: impl IntoIterator<Item = Option<Vec<u8>>>) -> Vec<u16> {
        let mut row: Vec<u16> =
            records.into_iter().take(count).map(|r| r.map_or(ABSENT, |record| self.add(table, record))).collect();
        row.resize(count, ABSENT);
        row
    }

    fn write(&self, out: &mut Chunk, table: Table, slot: Slot) {
        let Some(records) = self.tables.get(table as usize).filter(|records| !records.is_empty()) else { return };
        out.align(4);
        out.fill(slot);
        records.iter().for_each(|record| out.bytes(record));
    }
}

/// A material's entry, the block that MAT2 has not between the two parts.
struct Entry {
    head: Vec<u8>,
    ambient_and_lights: Vec<u8>,
    tail: Vec<u8>,
}

fn entry(records: &mut Records, material: &Material) -> Entry {
    let state = &material.state;
    let byte = |place: u16| u8::try_from(place).unwrap_or(0xFF);
    let mode = match (state.translucent, material.alpha_tested) {
        (true, _) => 4,
        (false, true) => 2,
        (false, false) => 1,
    };
    let count = |count: usize| vec![u8::try_from(count).unwrap_or(u8::MAX)];
    let mut head = vec![
        mode,
        byte(records.add(Table::Cull, u32::from(u8::from(state.cull)).to_be_bytes().to_vec())),
        byte(records.add(Table::ChannelCount, vec![state.channel_count])),
        byte(records.add(Table::TexGenCount, count(state.texgens.len()))),
        byte(records.add(Table::StageCount, count(state.stages.len()))),
        byte(records.add(Table::ZLocation, vec![u8::from(state.z_before_texture)])),
        byte(records.add(Table::ZMode, z_mode(state.z_mode))),
        byte(records.add(Table::Dither, vec![1])),
    ];
    let colors = state.material_colors.map(|c| Some(c.to_vec()));
    push(&mut head, &records.row(Table::MaterialColor, 2, colors));
    let active = usize::from(state.channel_count).saturating_mul(2);
    let channels =
        state.channels.iter().enumerate().map(|(index, control)| {
            (index < active || *control != ChannelControl::default()).then(|| channel(*control))
        });
    push(&mut head, &records.row(Table::Channel, 4, channels));

    let mut ambient_and_lights = Vec::new();
    let ambient = state.ambient_colors.map(|c| Some(c.to_vec()));
    push(&mut ambient_and_lights, &records.row(Table::Ambient, 2, ambient));
    let lights = state.lights.map(|light| light.map(self::light));
    push(&mut ambient_and_lights, &records.row(Table::Light, 8, lights));
    Entry { head, ambient_and_lights, tail: tail(records, material) }
}

/// What both kinds of entries have behind the colours.
fn tail(records: &mut Records, material: &Material) -> Vec<u8> {
    let state = &material.state;
    let mut out = Vec::new();
    let texgens = |list: &[TexGen]| list.iter().map(|t| Some(texgen(*t))).collect::<Vec<_>>();
    push(&mut out, &records.row(Table::TexGen, 8, texgens(&state.texgens)));
    push(&mut out, &records.row(Table::PostTexGen, 8, texgens(&material.post_texgens)));
    let matrices = state.texture_matrices.iter().map(|m| m.as_ref().map(texture_matrix));
    push(&mut out, &records.row(Table::TextureMatrix, 10, matrices));
    let post = material.post_matrices.iter().map(|m| Some(texture_matrix(m)));
    push(&mut out, &records.row(Table::PostMatrix, 20, post));
    let textures =
        state.textures.map(|t| t.map(|number| u16::try_from(number).unwrap_or(ABSENT).to_be_bytes().to_vec()));
    push(&mut out, &records.row(Table::Texture, 8, textures));
    push(&mut out, &records.row(Table::Konst, 4, state.konst.map(|c| Some(c.to_vec()))));
    let selectors = |of: fn(&crate::scene::gx::TevStage) -> u8| {
        let mut row: Vec<u8> = state.stages.iter().take(16).map(of).collect();
        row.resize(16, 0xFF);
        row
    };
    out.extend(selectors(|stage| stage.konst_color));
    out.extend(selectors(|stage| stage.konst_alpha));
    push(&mut out, &records.row(Table::Order, 16, state.stages.iter().map(|s| Some(order(s)))));
    push(&mut out, &records.row(Table::Register, 4, state.registers.map(|r| Some(register(r)))));
    push(&mut out, &records.row(Table::Stage, 16, state.stages.iter().map(|s| Some(stage(s)))));
    let swaps = state.stages.iter().map(|s| Some(vec![s.raster_swap, s.texture_swap, 0xFF, 0xFF]));
    push(&mut out, &records.row(Table::StageSwap, 16, swaps));
    push(&mut out, &records.row(Table::ChannelSwap, 4, state.swap_tables.map(|t| Some(t.to_vec()))));
    push(&mut out, &[ABSENT; 12]);
    push(&mut out, &records.row(Table::Fog, 1, [Some(fog(&state.fog))]));
    push(&mut out, &records.row(Table::AlphaCompare, 1, [Some(alpha_compare(state.alpha_compare))]));
    push(&mut out, &records.row(Table::Blend, 1, [Some(blend(state.blend))]));
    push(&mut out, &records.row(Table::NbtScale, 1, [Some(nbt_scale(state.nbt_scale))]));
    out
}

fn push(out: &mut Vec<u8>, places: &[u16]) {
    places.iter().for_each(|place| out.extend_from_slice(&place.to_be_bytes()));
}

pub(super) fn mat3(materials: &[Material]) -> Vec<u8> {
    write(b"MAT3", materials)
}

pub(super) fn mat2(materials: &[Material]) -> Vec<u8> {
    write(b"MAT2", materials)
}

fn write(tag: &[u8; 4], materials: &[Material]) -> Vec<u8> {
    let is_mat3 = tag == b"MAT3";
    let mut records = Records::default();
    let mut entries: Vec<Vec<u8>> = Vec::new();
    let mut remap = Vec::new();
    for material in materials {
        let Entry { mut head, ambient_and_lights, tail } = entry(&mut records, material);
        if is_mat3 {
            head.extend(ambient_and_lights);
        }
        head.extend(tail);
        let known = entries.iter().position(|e| *e == head).unwrap_or_else(|| {
            entries.push(head);
            entries.len().saturating_sub(1)
        });
        remap.push(count16(known));
    }
    let mut out = Chunk::new(tag);
    out.u16(count16(materials.len()));
    out.u16(0xFFFF);
    let [entries_at, remap_at, names_at] = out.slots();
    let indirect_at = is_mat3.then(|| out.slot());
    let tables: Vec<Table> =
        (TABLES.into_iter()).filter(|table| is_mat3 || !matches!(table, Table::Ambient | Table::Light)).collect();
    let slots: Vec<Slot> = tables.iter().map(|_| out.slot()).collect();
    out.fill(entries_at);
    entries.iter().for_each(|entry| out.bytes(entry));
    out.fill(remap_at);
    out.u16s(&remap);
    out.align(4);
    out.fill(names_at);
    name_table(&mut out, materials.iter().map(|material| material.name.as_str()));
    if let Some(slot) = indirect_at.filter(|_| materials.iter().any(|m| !m.state.indirect_orders.is_empty())) {
        out.align(4);
        out.fill(slot);
        materials.iter().for_each(|material| out.bytes(&indirect(&material.state)));
    }
    for (table, slot) in tables.into_iter().zip(slots) {
        records.write(&mut out, table, slot);
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_the_specified_sizes() {
        let material = TevMaterial::default();
        let matrix = TextureMatrix::default();
        let light = Light {
            position: [0.0; 3],
            direction: [0.0; 3],
            color: [0; 4],
            angle_attenuation: [0.0; 3],
            distance_attenuation: [0.0; 3],
        };
        let sizes = [
            channel(material.channels[0]).len(),
            super::light(light).len(),
            texture_matrix(&matrix).len(),
            stage(&TevStage::default()).len(),
            fog(&material.fog).len(),
            nbt_scale(None).len(),
            indirect(&material).len(),
        ];
        assert_eq!(sizes, [8, 0x34, 0x64, 0x14, 0x2C, 0x10, 0x138]);
    }

    #[test]
    fn half_a_turn_wraps_into_sixteen_bits() {
        let matrix = TextureMatrix { rotation: std::f32::consts::PI, ..TextureMatrix::default() };
        assert_eq!(texture_matrix(&matrix)[0x18..0x1A], [0x80, 0]);
    }
}
