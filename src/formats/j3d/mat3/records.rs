//! The records of MAT3's and MAT2's tables (formats/j3d.md §7.1, formats/j3d-materials.md §7.1a to §7.1d, §8.5a). Codes stay as
//! the chip has them.

use crate::{
    formats::field_reader::{Fault, FieldReader},
    scene::gx::{
        AlphaCombiner, AlphaCompare, BlendMode, ChannelControl, ColorCombiner, Combiner, Fog, IndirectMatrix,
        IndirectOrder, IndirectStage, Light, TexGen, TextureMatrix, ZMode, names,
    },
};

type Read<T> = Result<T, Fault>;

/// Bytes of a record, by kind of table.
pub mod stride {
    pub const COLOR: u64 = 4;
    pub const CHANNEL: u64 = 8;
    pub const LIGHT: u64 = 0x34;
    pub const TEXGEN: u64 = 4;
    pub const TEXTURE_MATRIX: u64 = 0x64;
    pub const TEV_ORDER: u64 = 4;
    pub const TEV_COLOR: u64 = 8;
    pub const TEV_STAGE: u64 = 0x14;
    pub const SWAP: u64 = 4;
    pub const FOG: u64 = 0x2C;
    pub const ALPHA_COMPARE: u64 = 8;
    pub const BLEND: u64 = 4;
    pub const Z_MODE: u64 = 4;
    pub const NBT_SCALE: u64 = 0x10;
    pub const INDIRECT: u64 = 0x138;
}

/// Which texture, coordinate and raster colour a stage reads; 0xFF for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TevOrder {
    /// Number of the texture coordinate.
    pub tex_coord: u8,
    /// Number of the texture map, 0 to 7.
    pub texture: u8,
    /// Code of the raster colour (formats/j3d.md §7.1); 0xFF reads as zero.
    pub channel: u8,
}

/// Both combiners of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageRecord {
    /// Combiner of red, green and blue.
    pub color: ColorCombiner,
    /// Combiner of alpha.
    pub alpha: AlphaCombiner,
}

/// Which swap tables a stage uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwapMode {
    /// Number of the swap table for the raster colour, 0 to 3.
    pub raster: u8,
    /// Number of the swap table for the texture, 0 to 3.
    pub texture: u8,
}

/// Scale of the normal matrix's columns for shapes with binormals and tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NbtScale {
    /// True if the scale is applied.
    pub enabled: bool,
    /// Scale of each of the three columns.
    pub scale: [f32; 3],
}

/// Everything that belongs to a material's indirect lookups.
#[derive(Clone, Debug, PartialEq)]
pub struct IndirectBlock {
    /// 1 if indirect lookups are on; any other value means direct texturing.
    pub on: u8,
    /// Number of indirect stages, 0 to 4.
    pub stage_count: u8,
    /// Coordinate, texture map and coordinate scale of each indirect stage.
    pub orders: [IndirectOrder; 4],
    /// Indirect matrices 0 to 2.
    pub matrices: [IndirectMatrix; 3],
    /// Indirect settings of each TEV stage.
    pub stages: [IndirectStage; 16],
}

const NO_NAMES: fn(u8) -> Option<&'static str> = |_| None;

/// A byte of which 0xFF means nothing.
fn or_none(r: &mut FieldReader<'_>, name: &'static str) -> Read<u8> {
    r.named_u8(name, |code| (code == 0xFF).then_some("none"))
}

fn yes_no(r: &mut FieldReader<'_>, name: &'static str) -> Read<u8> {
    r.named_u8(name, |code| match code {
        0 => Some("no"),
        1 => Some("yes"),
        _ => None,
    })
}

pub fn cull(r: &mut FieldReader<'_>) -> Read<u32> {
    r.named_u32("CullMode", |code| u8::try_from(code).ok().and_then(names::cull))
}

pub fn color(r: &mut FieldReader<'_>) -> Read<[u8; 4]> {
    r.color("Color")
}

pub fn byte(r: &mut FieldReader<'_>) -> Read<u8> {
    r.u8("Value")
}

pub fn flag(r: &mut FieldReader<'_>) -> Read<u8> {
    yes_no(r, "Value")
}

pub fn number(r: &mut FieldReader<'_>) -> Read<u16> {
    r.u16("Value")
}

pub fn channel(r: &mut FieldReader<'_>) -> Read<ChannelControl> {
    let lit = yes_no(r, "Lighting")? != 0;
    let material = r.named_u8("MaterialSource", names::color_source)?;
    let light_mask = r.u8("LightMask")?;
    let diffuse = r.named_u8("DiffuseFunction", names::diffuse)?.into();
    let attenuation = r.named_u8("Attenuation", names::attenuation)?.into();
    let ambient =
        r.named_u8("AmbientSource", |code| if code == 0xFF { Some("REG") } else { names::color_source(code) })?;
    r.pad(2)?;
    Ok(ChannelControl {
        lit,
        material_from_vertex: material == 1,
        ambient_from_vertex: ambient == 1,
        light_mask,
        diffuse,
        attenuation,
    })
}

pub fn light(r: &mut FieldReader<'_>) -> Read<Light> {
    Ok(Light {
        position: r.floats("Position", "f32[3]")?,
        direction: r.floats("Direction", "f32[3]")?,
        color: r.color("Color")?,
        angle_attenuation: r.floats("AngleAttenuation", "f32[3]")?,
        distance_attenuation: r.floats("DistanceAttenuation", "f32[3]")?,
    })
}

pub fn texgen(r: &mut FieldReader<'_>) -> Read<TexGen> {
    let texgen = TexGen {
        kind: r.named_u8("Type", names::texgen_type)?,
        source: r.named_u8("Source", names::texgen_source)?,
        matrix: r.named_u8("Matrix", names::texture_matrix)?,
    };
    r.pad(1)?;
    Ok(texgen)
}

pub fn texture_matrix(r: &mut FieldReader<'_>) -> Read<TextureMatrix> {
    let projection = r.named_u8("Projection", |code| names::texgen_type(code).filter(|_| code < 2))?;
    let at = r.offset();
    let info = r.raw().u8()?;
    let (map_mode, maya) = (info & 0x3F, info & 0x80 != 0);
    r.record("MapMode", "u8", at, || crate::formats::Value::Enum {
        value: info.into(),
        name: match (names::map_mode(map_mode), maya) {
            (Some(name), false) => name.into(),
            (Some(name), true) => format!("{name} (Maya)").into(),
            (None, _) => "unknown".into(),
        },
    });
    r.pad(2)?;
    let center = r.floats("Center", "f32[3]")?;
    let scale = r.floats("Scale", "f32[2]")?;
    let rotation = r.i16("Rotation")?;
    r.pad(2)?;
    let translation = r.floats("Translation", "f32[2]")?;
    let cells = r.floats::<16>("EffectMatrix", "f32[4][4]")?;
    let mut effect = [[0.0; 4]; 4];
    for (row, cells) in effect.iter_mut().zip(cells.as_chunks::<4>().0) {
        *row = *cells;
    }
    Ok(TextureMatrix {
        projects: projection == 0,
        map_mode: map_mode.into(),
        maya,
        center,
        scale,
        rotation: f32::from(rotation) * std::f32::consts::PI / 32768.0,
        translation,
        effect,
    })
}

pub fn tev_order(r: &mut FieldReader<'_>) -> Read<TevOrder> {
    let order = TevOrder {
        tex_coord: or_none(r, "TextureCoordinate")?,
        texture: or_none(r, "TextureMap")?,
        channel: r.named_u8("RasterColor", names::raster_channel)?,
    };
    r.pad(1)?;
    Ok(order)
}

/// C0 to C2 and the unused fourth: red, green, blue, alpha.
pub fn tev_color(r: &mut FieldReader<'_>) -> Read<[i16; 4]> {
    r.i16s("Color")
}

pub fn tev_stage(r: &mut FieldReader<'_>) -> Read<StageRecord> {
    r.pad(1)?;
    let color = r.group("Color", "TevCombiner", |r| combiner(r, names::color_input))?;
    let alpha = r.group("Alpha", "TevCombiner", |r| combiner(r, names::alpha_input))?;
    r.pad(1)?;
    Ok(StageRecord { color, alpha })
}

fn combiner<I: From<u8>>(r: &mut FieldReader<'_>, input: fn(u8) -> Option<&'static str>) -> Read<Combiner<I>> {
    let inputs = [r.named_u8("A", input)?, r.named_u8("B", input)?, r.named_u8("C", input)?, r.named_u8("D", input)?];
    let codes = [
        r.named_u8("Operation", names::combiner_op)?,
        r.named_u8("Bias", names::combiner_bias)?,
        r.named_u8("Scale", names::combiner_scale)?,
    ];
    let clamp = yes_no(r, "Clamp")? != 0;
    Ok(Combiner::of_codes(inputs, codes, clamp, r.named_u8("Destination", names::register)?))
}

pub fn swap_mode(r: &mut FieldReader<'_>) -> Read<SwapMode> {
    let mode = SwapMode { raster: r.u8("RasterTable")?, texture: r.u8("TextureTable")? };
    r.pad(2)?;
    Ok(mode)
}

pub fn swap_table(r: &mut FieldReader<'_>) -> Read<[u8; 4]> {
    let source = |code: u8| ["red", "green", "blue", "alpha"].get(usize::from(code)).copied();
    Ok([
        r.named_u8("RedFrom", source)?,
        r.named_u8("GreenFrom", source)?,
        r.named_u8("BlueFrom", source)?,
        r.named_u8("AlphaFrom", source)?,
    ])
}

pub fn fog(r: &mut FieldReader<'_>) -> Read<Fog> {
    Ok(Fog {
        kind: r.named_u8("Type", names::fog_type)?,
        adjusts_range: yes_no(r, "RangeAdjustment")? != 0,
        center: r.u16("Center")?,
        start: r.f32("Start")?,
        end: r.f32("End")?,
        near: r.f32("Near")?,
        far: r.f32("Far")?,
        color: r.color("Color")?,
        range: r.u16s("RangeTable")?,
    })
}

pub fn alpha_compare(r: &mut FieldReader<'_>) -> Read<AlphaCompare> {
    let compare = AlphaCompare {
        compare0: r.named_u8("FirstComparison", names::compare)?.into(),
        reference0: r.u8("FirstReference")?,
        op: r.named_u8("Operation", names::alpha_op)?.into(),
        compare1: r.named_u8("SecondComparison", names::compare)?.into(),
        reference1: r.u8("SecondReference")?,
    };
    r.pad(3)?;
    Ok(compare)
}

pub fn blend(r: &mut FieldReader<'_>) -> Read<BlendMode> {
    Ok(BlendMode {
        kind: r.named_u8("Type", names::blend_type)?.into(),
        source: r.named_u8("SourceFactor", names::source_factor)?.into(),
        destination: r.named_u8("DestinationFactor", names::destination_factor)?.into(),
        logic: r.named_u8("LogicOperation", names::logic_op)?.into(),
    })
}

pub fn z_mode(r: &mut FieldReader<'_>) -> Read<ZMode> {
    let mode = ZMode {
        test: yes_no(r, "Test")? != 0,
        compare: r.named_u8("Comparison", names::compare)?.into(),
        write: yes_no(r, "Write")? != 0,
    };
    r.pad(1)?;
    Ok(mode)
}

pub fn nbt_scale(r: &mut FieldReader<'_>) -> Read<NbtScale> {
    let enabled = yes_no(r, "Enabled")? != 0;
    r.pad(3)?;
    Ok(NbtScale { enabled, scale: r.floats("Scale", "f32[3]")? })
}

pub fn indirect(r: &mut FieldReader<'_>) -> Read<IndirectBlock> {
    let on = yes_no(r, "On")?;
    let stage_count = r.named_u8("StageCount", NO_NAMES)?;
    r.pad(2)?;
    let mut orders = [IndirectOrder { tex_coord: 0, texture: 0, scale_s: 0, scale_t: 0 }; 4];
    for (index, order) in orders.iter_mut().enumerate() {
        r.group(format!("Order {index}"), "IndirectOrder", |r| {
            order.tex_coord = or_none(r, "TextureCoordinate")?;
            order.texture = or_none(r, "TextureMap")?;
            r.pad(2)
        })?;
    }
    let mut matrices = [IndirectMatrix::default(); 3];
    for (index, matrix) in matrices.iter_mut().enumerate() {
        r.group(format!("Matrix {index}"), "IndirectMatrix", |r| {
            matrix.rows = [r.floats("RowS", "f32[3]")?, r.floats("RowT", "f32[3]")?];
            matrix.exponent = r.i8("Exponent")?;
            r.pad(3)
        })?;
    }
    for (index, order) in orders.iter_mut().enumerate() {
        r.group(format!("CoordinateScale {index}"), "IndirectScale", |r| {
            order.scale_s = r.named_u8("ScaleS", scale_name)?;
            order.scale_t = r.named_u8("ScaleT", scale_name)?;
            r.pad(2)
        })?;
    }
    let mut stages = [IndirectStage::default(); 16];
    for (index, stage) in stages.iter_mut().enumerate() {
        *stage = r.group(format!("Stage {index}"), "IndirectStage", indirect_stage)?;
    }
    Ok(IndirectBlock { on, stage_count, orders, matrices, stages })
}

fn indirect_stage(r: &mut FieldReader<'_>) -> Read<IndirectStage> {
    let stage = IndirectStage {
        stage: r.u8("IndirectStage")?,
        format: r.named_u8("Format", names::indirect_format)?,
        bias: r.named_u8("Bias", names::indirect_bias)?,
        matrix: r.named_u8("Matrix", names::indirect_matrix)?,
        wrap_s: r.named_u8("WrapS", names::indirect_wrap)?,
        wrap_t: r.named_u8("WrapT", names::indirect_wrap)?,
        add_previous: yes_no(r, "AddPrevious")? != 0,
        original_lod: yes_no(r, "OriginalLod")? != 0,
        alpha: r.named_u8("BumpAlpha", names::bump_alpha)?,
    };
    r.pad(3)?;
    Ok(stage)
}

fn scale_name(code: u8) -> Option<&'static str> {
    ["1", "1/2", "1/4", "1/8", "1/16", "1/32", "1/64", "1/128", "1/256"].get(usize::from(code)).copied()
}
