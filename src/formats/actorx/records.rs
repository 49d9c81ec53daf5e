//! Records as typed fields: which columns each chunk's records have, and tables that read them row by row.

use super::container::{ChunkKind, f32_at, i32_at, u8_at, u16_at, u32_at};
use crate::{
    bytes::{Source, text},
    formats::{EntryId, Field, Reference, Table, Value},
};
use std::{borrow::Cow, collections::HashMap, sync::Arc};

/// How a column's bytes are read.
#[derive(Clone, Copy, Debug)]
pub enum Cell {
    U8,
    U16,
    U32,
    I32,
    F32,
    Floats(usize),
    Text(usize),
    Color,
    /// Bytes without a meaning.
    Raw(usize),
    /// i32, the number of a bone.
    Bone,
    /// i32, the number of a bone; none on bone 0 and where it is negative.
    Parent,
    /// u8, the number of a material.
    Material,
    /// A text field that names a bone.
    BoneName,
    PolyFlags,
    /// Floats up to the record's end.
    Rest,
}

/// One column of a record.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub name: &'static str,
    pub kind: &'static str,
    pub cell: Cell,
}

/// What a record is called and made of.
#[derive(Debug)]
pub struct Schema {
    pub kind: &'static str,
    pub columns: &'static [Column],
}

const fn column(name: &'static str, kind: &'static str, cell: Cell) -> Column {
    Column { name, kind, cell }
}

macro_rules! schema {
    ($name:ident, $kind:literal, $($column:literal: $type:literal $cell:expr),* $(,)?) => {
        static $name: Schema = Schema { kind: $kind, columns: &[$(column($column, $type, $cell)),*] };
    };
}

schema!(POINT, "VPoint", "Point": "Vector" Cell::Floats(3));
schema!(WEDGE_NARROW, "VVertex",
    "PointIndex": "u16" Cell::U16, "Unused": "u8[2]" Cell::Raw(2), "U": "f32" Cell::F32, "V": "f32" Cell::F32,
    "MatIndex": "u8" Cell::U8, "Reserved": "u8" Cell::U8, "Padding": "u8[2]" Cell::Raw(2));
schema!(WEDGE_WIDE, "VVertex",
    "PointIndex": "u32" Cell::U32, "U": "f32" Cell::F32, "V": "f32" Cell::F32,
    "MatIndex": "u8" Cell::U8, "Reserved": "u8" Cell::U8, "Padding": "u8[2]" Cell::Raw(2));
schema!(WEDGE_UNPADDED, "VVertex",
    "PointIndex": "u16" Cell::U16, "U": "f32" Cell::F32, "V": "f32" Cell::F32,
    "MatIndex": "u8" Cell::U8, "Reserved": "u8" Cell::U8);
schema!(FACE_NARROW, "VTriangle",
    "WedgeIndex0": "u16" Cell::U16, "WedgeIndex1": "u16" Cell::U16, "WedgeIndex2": "u16" Cell::U16,
    "MatIndex": "u8" Cell::Material, "AuxMatIndex": "u8" Cell::U8, "SmoothingGroups": "u32" Cell::U32);
schema!(FACE_WIDE, "VTriangle32",
    "WedgeIndex0": "u32" Cell::U32, "WedgeIndex1": "u32" Cell::U32, "WedgeIndex2": "u32" Cell::U32,
    "MatIndex": "u8" Cell::Material, "AuxMatIndex": "u8" Cell::U8, "SmoothingGroups": "u32" Cell::U32);
schema!(FACE_ALIGNED, "VTriangle32",
    "WedgeIndex0": "u32" Cell::U32, "WedgeIndex1": "u32" Cell::U32, "WedgeIndex2": "u32" Cell::U32,
    "MatIndex": "u8" Cell::Material, "AuxMatIndex": "u8" Cell::U8, "Padding": "u8[2]" Cell::Raw(2),
    "SmoothingGroups": "u32" Cell::U32);
schema!(MATERIAL, "VMaterial",
    "MaterialName": "char[64]" Cell::Text(64), "TextureIndex": "i32" Cell::I32, "PolyFlags": "u32" Cell::PolyFlags,
    "AuxMaterial": "i32" Cell::I32, "AuxFlags": "u32" Cell::U32, "LodBias": "i32" Cell::I32, "LodStyle": "i32" Cell::I32);
schema!(BONE, "VBone",
    "Name": "char[64]" Cell::Text(64), "Flags": "u32" Cell::U32, "NumChildren": "i32" Cell::I32,
    "ParentIndex": "i32" Cell::Parent, "Orientation": "Quat" Cell::Floats(4), "Position": "Vector" Cell::Floats(3),
    "Length": "f32" Cell::F32, "Size": "Vector" Cell::Floats(3));
schema!(WEIGHT, "VRawBoneInfluence", "Weight": "f32" Cell::F32, "PointIndex": "i32" Cell::I32, "BoneIndex": "i32" Cell::Bone);
schema!(COLOR, "VColor", "Color": "Color" Cell::Color);
schema!(UV, "VUV", "UV": "Vector2" Cell::Floats(2));
schema!(NORMAL, "VNormal", "Normal": "Vector" Cell::Floats(3));
schema!(MORPH_INFO, "VMorphInfo", "MorphName": "char[64]" Cell::Text(64), "VertexCount": "i32" Cell::I32);
schema!(MORPH_DATA, "VMorphData",
    "PositionDelta": "Vector" Cell::Floats(3), "TangentZDelta": "Vector" Cell::Floats(3), "PointIndex": "i32" Cell::I32);
schema!(SOCKET, "VSocket",
    "SocketName": "char[64]" Cell::Text(64), "BoneName": "char[64]" Cell::BoneName,
    "RelativeLocation": "Vector" Cell::Floats(3), "RelativeRotation": "Rotator" Cell::Floats(3),
    "RelativeScale": "Vector" Cell::Floats(3));
schema!(ANIM_INFO, "AnimInfoBinary",
    "Name": "char[64]" Cell::Text(64), "Group": "char[64]" Cell::Text(64), "TotalBones": "i32" Cell::I32,
    "RootInclude": "i32" Cell::I32, "KeyCompressionStyle": "i32" Cell::I32, "KeyQuotum": "i32" Cell::I32,
    "KeyReduction": "f32" Cell::F32, "TrackTime": "f32" Cell::F32, "AnimRate": "f32" Cell::F32,
    "StartBone": "i32" Cell::I32, "FirstRawFrame": "i32" Cell::I32, "NumRawFrames": "i32" Cell::I32);
schema!(ANIM_KEY, "VQuatAnimKey",
    "Position": "Vector" Cell::Floats(3), "Orientation": "Quat" Cell::Floats(4), "Time": "f32" Cell::F32);
schema!(SCALE_KEY, "VScaleAnimKey", "ScaleVector": "Vector" Cell::Floats(3), "Time": "f32" Cell::F32);
schema!(ANIM_FLAG, "AnimFlag", "Flags": "u8" Cell::U8);
schema!(CURVE, "Curve", "CurveName": "char[128]" Cell::Text(128), "Values": "f32[]" Cell::Rest);

/// The columns of a chunk's records; `None` where it has no records. `narrow` says that wedges use 16 bits of their point.
pub fn schema(kind: ChunkKind, stride: usize, narrow: bool) -> Option<&'static Schema> {
    Some(match kind {
        ChunkKind::MeshHead | ChunkKind::AnimHead | ChunkKind::Unknown => return None,
        ChunkKind::Points => &POINT,
        ChunkKind::Wedges if stride < 16 => &WEDGE_UNPADDED,
        ChunkKind::Wedges if narrow => &WEDGE_NARROW,
        ChunkKind::Wedges => &WEDGE_WIDE,
        ChunkKind::NarrowFaces => &FACE_NARROW,
        ChunkKind::WideFaces if stride < 20 => &FACE_WIDE,
        ChunkKind::WideFaces => &FACE_ALIGNED,
        ChunkKind::Materials => &MATERIAL,
        ChunkKind::Bones => &BONE,
        ChunkKind::Weights => &WEIGHT,
        ChunkKind::Colors => &COLOR,
        ChunkKind::ExtraUvs(_) => &UV,
        ChunkKind::Normals => &NORMAL,
        ChunkKind::MorphInfo => &MORPH_INFO,
        ChunkKind::MorphData => &MORPH_DATA,
        ChunkKind::Sockets => &SOCKET,
        ChunkKind::AnimInfo => &ANIM_INFO,
        ChunkKind::AnimKeys => &ANIM_KEY,
        ChunkKind::ScaleKeys => &SCALE_KEY,
        ChunkKind::AnimFlags => &ANIM_FLAG,
        ChunkKind::Curves => &CURVE,
    })
}

/// What numbers and names in records lead to.
#[derive(Debug, Default)]
pub struct Targets {
    /// Path and entry of each bone.
    pub bones: Vec<(String, EntryId)>,
    pub materials: Vec<(String, EntryId)>,
    /// First bone of each folded name.
    pub bone_of_name: HashMap<String, usize>,
}

fn reference(list: &[(String, EntryId)], index: Option<usize>, stored: impl Into<String>) -> Value {
    Value::Reference(match index.and_then(|i| list.get(i)) {
        Some((path, entry)) => Reference::inside(path.as_str(), Some(*entry)),
        None => Reference::inside(stored, None),
    })
}

/// The fields of one record that starts at `offset` in the file and is the `index`-th of its chunk.
pub fn fields(schema: &Schema, record: &[u8], offset: usize, index: usize, targets: &Targets) -> Vec<Field> {
    let mut fields = Vec::with_capacity(schema.columns.len());
    let mut at = 0_usize;
    for column in schema.columns {
        let left = record.len().saturating_sub(at);
        let size = match column.cell {
            Cell::U8 | Cell::Material => 1,
            Cell::U16 => 2,
            Cell::U32 | Cell::I32 | Cell::F32 | Cell::Color | Cell::Bone | Cell::Parent | Cell::PolyFlags => 4,
            Cell::Floats(count) => count.saturating_mul(4),
            Cell::Text(size) | Cell::Raw(size) => size,
            Cell::BoneName => 64,
            Cell::Rest => left & !3,
        };
        let bytes = record.get(at..at.saturating_add(size)).unwrap_or_default();
        let value = value(column.cell, bytes, index, targets);
        if size > 0 {
            let place = offset.saturating_add(at) as u64;
            fields.push(Field::new(column.name, column.kind, value, place, size as u64));
        }
        at = at.saturating_add(size);
    }
    let extra = record.len().saturating_sub(at);
    if extra > 0 {
        let place = offset.saturating_add(at) as u64;
        fields.push(Field::new("Extra", format!("u8[{extra}]"), Value::Raw, place, extra as u64));
    }
    fields
}

fn value(cell: Cell, bytes: &[u8], index: usize, targets: &Targets) -> Value {
    match cell {
        Cell::U8 => Value::UInt(u8_at(bytes, 0).into()),
        Cell::U16 => Value::UInt(u16_at(bytes, 0).into()),
        Cell::U32 => Value::UInt(u32_at(bytes, 0).into()),
        Cell::I32 => Value::Int(i32_at(bytes, 0).into()),
        Cell::F32 => Value::Float(f32_at(bytes, 0)),
        Cell::Floats(_) | Cell::Rest => {
            Value::Floats(bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
        }
        Cell::Text(_) => Value::Text(text::decode_field(bytes)),
        Cell::Color => Value::Color(bytes.first_chunk::<4>().copied().unwrap_or_default()),
        Cell::Raw(_) => Value::Raw,
        Cell::Bone => {
            let bone = i32_at(bytes, 0);
            reference(&targets.bones, usize::try_from(bone).ok(), bone.to_string())
        }
        Cell::Parent => {
            let bone = i32_at(bytes, 0);
            if bone < 0 || index == 0 || usize::try_from(bone) == Ok(index) {
                return Value::Int(bone.into());
            }
            reference(&targets.bones, usize::try_from(bone).ok(), bone.to_string())
        }
        Cell::Material => {
            let material = u8_at(bytes, 0);
            reference(&targets.materials, Some(material.into()), material.to_string())
        }
        Cell::BoneName => {
            let name = text::decode_field(bytes);
            if name.is_empty() {
                return Value::Text(name);
            }
            reference(&targets.bones, targets.bone_of_name.get(&text::fold(&name)).copied(), name)
        }
        Cell::PolyFlags => {
            let value = u32_at(bytes, 0);
            Value::Flags { value: value.into(), names: poly_flags(value) }
        }
    }
}

/// Names of what PolyFlags say.
fn poly_flags(flags: u32) -> Vec<&'static str> {
    let mut names = match flags & 0xF {
        1 => vec!["two-sided"],
        2 => vec!["translucent", "two-sided"],
        3 => vec!["masked", "two-sided"],
        4 => vec!["modulated", "two-sided"],
        8 => vec!["placeholder"],
        _ => Vec::new(),
    };
    let bits = [(0x10, "unlit"), (0x20, "flat"), (0x40, "environment"), (0x80, "no filtering")];
    names.extend(bits.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| *name));
    names
}

/// The records of a chunk, or some of them, read when asked for.
#[derive(Debug)]
pub struct Records {
    pub source: Source,
    pub schema: &'static Schema,
    /// Of the first record, in bytes.
    pub offset: usize,
    pub stride: usize,
    pub count: usize,
    /// The number of the first record in its chunk.
    pub first: usize,
    pub targets: Arc<Targets>,
    /// The records are entries of their own, or shown elsewhere.
    pub mirror: bool,
}

impl Table for Records {
    fn len(&self) -> usize {
        self.count
    }

    fn row(&self, index: usize) -> Option<Field> {
        if index >= self.count {
            return None;
        }
        let offset = self.offset.saturating_add(index.saturating_mul(self.stride));
        let record = self.source.as_slice().get(offset..offset.checked_add(self.stride)?)?;
        let number = self.first.saturating_add(index);
        let mut fields = fields(self.schema, record, offset, number, &self.targets);
        let mut row = if fields.len() == 1 {
            // A record of one value is that value.
            fields.pop()?
        } else {
            Field::group("", self.schema.kind, offset as u64, self.stride as u64, fields)
        };
        row.name = Cow::Owned(number.to_string());
        Some(if self.mirror { row.mirrored() } else { row })
    }
}
