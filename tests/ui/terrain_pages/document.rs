//! A document whose layout is in dispute.

use bonebox::{
    bytes::{Endian, Source},
    formats::{
        Asset, Base, Capabilities, Choice, Content, Document, EntryId, Field, FieldTree, FormatInfo, Ground,
        LoadContext, Outline, Purpose, ReadError, Rival, Role, Section, Value,
    },
};

static INFO: FormatInfo = FormatInfo {
    id: "test",
    name: "Visitor project",
    family: "tests",
    extensions: &["test"],
    companions: &[],
    opaque: &[("end", "nobody knows")],
    codes: &[],
    metres: 1.0,
};

pub const SIZE: u64 = 0x6000;

pub struct Disputed {
    source: Source,
    outline: Outline,
    choices: Vec<Choice>,
    sections: Vec<Section>,
}

fn rival(value: &str, evidence: &str) -> Rival {
    Rival { value: value.into(), evidence: evidence.into() }
}

impl Disputed {
    pub fn new() -> Self {
        let mut outline = Outline::new(Role::File, "Visitor", SIZE);
        outline.add(EntryId::FILE, "Terrain", "Terrain", Role::Landscape, "Terrain", 0x800, 0x4000, Content::Terrain);
        outline.add(EntryId::FILE, "End", "End", Role::Data, "Opaque", 0x5800, 0x800, Content::None);
        let section = |name, offset| Section { name, offset };
        Self {
            source: Source::from(vec![7_u8; SIZE as usize]),
            outline,
            choices: vec![
                Choice {
                    id: "strings",
                    label: "Length of strings",
                    value: "inclusive".into(),
                    evidence: "all 14 types read to their end when the length counts the final zero".into(),
                    rivals: vec![rival("exclusive", "the second type would start in the middle of a path")],
                    overridden: false,
                    number: None,
                },
                Choice {
                    id: "cell",
                    label: "Distance between heights",
                    value: "10".into(),
                    evidence: "the header has 10 at byte 20, a usual size".into(),
                    rivals: vec![
                        rival("12.5", "the smallest usual size that holds all objects"),
                        rival(
                            "50",
                            "the size of Operation Flashpoint's islands; nothing in this file speaks for it, and \
                                     the objects would all stand in the south-west corner",
                        ),
                    ],
                    overridden: false,
                    number: Some("metres"),
                },
                Choice {
                    id: "transform",
                    label: "Order of an object's matrix",
                    value: "cols4x3".into(),
                    evidence: "you said so".into(),
                    rivals: vec![rival("row3x4", "all 1,000 matrices are square so")],
                    overridden: true,
                    number: None,
                },
            ],
            sections: vec![
                section("header", 0),
                section("types", 0x28),
                section("heights", 0x800),
                section("objects", 0x4800),
                section("end", 0x5800),
            ],
        }
    }
}

impl Document for Disputed {
    fn base(&self) -> Base<'_> {
        Base { format: &INFO, source: &self.source, outline: &self.outline, endian: Endian::Little }
    }

    fn fields_for(&self, entry: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        let fields = match entry {
            EntryId(2) => vec![Field::new("end", "u8[2048]", Value::Opaque("end"), 0x5800, 0x800)],
            _ => Vec::new(),
        };
        Ok(FieldTree { fields })
    }
    fn load(&self, entry: EntryId, _: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        Err(ReadError::no_entry(entry))
    }
    fn reading(&self) -> &[Choice] {
        &self.choices
    }
    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { ground: Some(self), ..Capabilities::default() }
    }
}

impl Ground for Disputed {
    fn sections(&self) -> &[Section] {
        &self.sections
    }
}
