//! A document made by hand: nested fields, a long table, references, a flood of kinds of value.

use bonebox::{
    bytes::{Endian, Source},
    formats::{
        Asset, Base, Content, Document, Entry, EntryId, Field, FieldTree, FormatInfo, LoadContext, Outline, Purpose,
        ReadError, Reference, Role, Table, Value,
    },
};
use std::sync::Arc;

pub const HEADER: EntryId = EntryId(1);
pub const SPINE: EntryId = EntryId(2);
pub const POINTS: EntryId = EntryId(3);
pub const BROKEN: EntryId = EntryId(4);
/// Rows of the long table, 16 bytes each.
pub const ROWS: usize = 100_000;
pub const POINTS_OFFSET: u64 = 0x100;

static INFO: FormatInfo = FormatInfo {
    id: "test",
    name: "Test",
    family: "tests",
    extensions: &["test"],
    companions: &[],
    opaque: &[],
    codes: &[],
    metres: 1.0,
};

pub struct Made {
    source: Source,
    outline: Outline,
}

impl Made {
    pub fn new() -> Self {
        let mut bytes = vec![0_u8; POINTS_OFFSET as usize + ROWS * 16];
        bytes[..16].copy_from_slice(b"ACTRHEAD\0\0\0\0Spin");
        for (index, byte) in bytes.iter_mut().enumerate().skip(32) {
            *byte = (index * 7 % 251) as u8;
        }
        let mut outline = Outline::new(Role::File, "Test", bytes.len() as u64);
        outline.add(EntryId::FILE, "HEADER", "HEADER", Role::Group, "Chunk", 0, 0x40, Content::None);
        outline.add(EntryId::FILE, "Bip01 Spine", "BONES/Bip01 Spine", Role::Bone, "Bone", 0x40, 0x60, Content::None);
        let size = ROWS as u64 * 16;
        outline.add(EntryId::FILE, "POINTS", "POINTS", Role::Group, "Points", POINTS_OFFSET, size, Content::None);
        outline.add(EntryId::FILE, "Broken", "Broken", Role::Group, "Chunk", 0x80, 0x10, Content::None);
        Self { source: Source::from(bytes), outline }
    }
}

#[derive(Debug)]
struct Points;

impl Table for Points {
    fn len(&self) -> usize {
        ROWS
    }
    fn row(&self, index: usize) -> Option<Field> {
        let offset = POINTS_OFFSET + index as u64 * 16;
        (index < ROWS).then(|| {
            let at = vec![index as f32 * 0.25 - 12.0, -3.5, (index % 97) as f32];
            let bone = Reference::inside("Bip01 Spine", Some(SPINE));
            let fields = vec![
                Field::new("position", "Vector", Value::Floats(at), offset, 12),
                Field::new("bone", "u32", Value::Reference(bone), offset + 12, 4),
            ];
            Field::group(index.to_string(), "VPoint", offset, 16, fields)
        })
    }
}

fn spine() -> Vec<Field> {
    let parent = Reference::inside("HEADER", Some(HEADER));
    let lost = Reference::inside("17", None);
    let names = vec!["ROOT", "SKINNED"];
    let orientation = vec![0.0, std::f32::consts::FRAC_1_SQRT_2, -1.5e-8, std::f32::consts::FRAC_1_SQRT_2];
    vec![
        Field::new("name", "char[16]", Value::Text("Bip01 Spine".into()), 0x40, 16),
        Field::new("flags", "u32", Value::Flags { value: 5, names }, 0x50, 4),
        Field::new("parent", "i32", Value::Reference(parent), 0x54, 4),
        Field::new("twin", "i32", Value::Reference(lost), 0x58, 4),
        Field::group(
            "bone_pos",
            "JointPos",
            0x5C,
            0x20,
            vec![
                Field::new("orientation", "Quat", Value::Floats(orientation), 0x5C, 16),
                Field::new("position", "Vector", Value::Floats(vec![12.25, -0.0625, 104.5]), 0x6C, 12),
                Field::new("length", "f32", Value::Float(14.1875), 0x78, 4),
            ],
        ),
        Field::new("tint", "rgba", Value::Color([220, 90, 40, 160]), 0x7C, 4),
        Field::new("loop_mode", "u8", Value::Enum { value: 2, name: "PingPong".into() }, 0x80, 1),
        Field::new("reserved", "u8[7]", Value::Raw, 0x81, 7),
    ]
}

impl Document for Made {
    fn base(&self) -> Base<'_> {
        Base { format: &INFO, source: &self.source, outline: &self.outline, endian: Endian::Little }
    }

    fn fields_for(&self, entry: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        let fields = match entry {
            HEADER => vec![
                Field::new("magic", "char[8]", Value::Text("ACTRHEAD".into()), 0, 8),
                Field::new("version", "u32", Value::UInt(20_001_127), 8, 4),
                Field::new("matrix", "Matrix", Value::Floats((0..12).map(|i| i as f32).collect()), 12, 48),
            ],
            SPINE => spine(),
            POINTS => vec![Field::table("points", "VPoint", POINTS_OFFSET, ROWS as u64 * 16, Arc::new(Points))],
            BROKEN => {
                let entry = self.outline.get(entry).expect("added above");
                return Err(ReadError::new(entry, "64 bytes expected, 16 left"));
            }
            _ => Vec::new(),
        };
        Ok(FieldTree { fields })
    }
    fn load(&self, entry: EntryId, _: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let entry: &Entry = self.outline.entry(entry)?;
        Err(ReadError::new(entry, "this entry cannot be shown"))
    }
}
