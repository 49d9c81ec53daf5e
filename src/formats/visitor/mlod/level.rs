//! The levels of a model, one after the other, with their faces and tags: selections, properties, sharp edges, masses
//! (formats/visitor.md §2.4).

use super::info::{TAG, UNREAD};
use crate::{
    bytes::{
        Endian, Source,
        numbers::{counted, grouped},
        text,
    },
    formats::{
        Field, Value,
        field_reader::{Fault, FieldReader},
    },
};
use std::{ops::Range, sync::Arc};

/// How a level's faces and tags are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LodKind {
    /// Names of any length behind each face.
    P3dm,
    /// Older: names in fields of their own, before each face.
    Sp3x,
}

impl LodKind {
    pub fn of(signature: [u8; 4]) -> Option<Self> {
        match &signature {
            b"P3DM" => Some(Self::P3dm),
            b"SP3X" => Some(Self::Sp3x),
            _ => None,
        }
    }

    pub fn knows(self, version: u32) -> bool {
        match self {
            Self::P3dm => version == 0x100,
            Self::Sp3x => matches!(version, 1 | 0x99),
        }
    }
}

/// Bytes of a name that ends with a NUL.
const LONGEST_NAME: usize = 4096;
/// Bytes of the name of a face's texture, where it has a field of its own.
const TEXTURE_FIELD: usize = 32;

/// A triangle or a quadrangle, counter-clockwise seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// How many of the four corners count.
    pub count: u32,
    pub corners: [Corner; 4],
    pub flags: u32,
    pub texture: String,
    /// Path of a material file; older levels have none.
    pub material: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    pub point: u32,
    pub normal: u32,
    /// V = 0 is the picture's top row.
    pub uv: [f32; 2],
}

/// Reads a face.
///
/// # Errors
/// When it does not fit, or a name has no end.
pub fn read_face(r: &mut FieldReader<'_>, kind: LodKind) -> Result<Face, Fault> {
    let mut texture = String::new();
    if kind == LodKind::Sp3x {
        texture = r.text("Texture", TEXTURE_FIELD, text::decode_field)?;
    }
    let count = r.u32("Corners")?;
    let mut corners = [Corner::default(); 4];
    for (index, corner) in corners.iter_mut().enumerate() {
        *corner = r.group(index.to_string(), "Corner", read_corner)?;
    }
    let flags = r.u32("Flags")?;
    let mut material = String::new();
    if kind == LodKind::P3dm {
        texture = name(r, "Texture")?;
        material = name(r, "Material")?;
    }
    Ok(Face { count, corners, flags, texture, material })
}

fn read_corner(r: &mut FieldReader<'_>) -> Result<Corner, Fault> {
    let point = r.u32("Point")?;
    let normal = r.u32("Normal")?;
    let uv = r.floats::<2>("TextureCoordinate", "f32[2]")?;
    Ok(Corner { point, normal, uv })
}

/// Text that ends with a NUL.
///
/// # Errors
/// When there is no NUL near enough.
fn name(r: &mut FieldReader<'_>, name: &'static str) -> Result<String, Fault> {
    let mut ahead = r.fork();
    let room = ahead.left().min(LONGEST_NAME);
    let bytes = ahead.raw().bytes(room)?;
    let length = bytes.iter().position(|b| *b == 0);
    let length = length.ok_or_else(|| r.fault("unterminated name"))?;
    r.text(name, length.saturating_add(1), text::decode_field)
}

/// The tag behind which a level's resolution stands.
const END: &str = "#EndOfFile#";
/// Bytes of a tag's name in older levels, and of a property's name and value.
const NAME_FIELD: usize = 64;
/// Members of a selection that are listed.
const MAX_LISTED: usize = 16;

/// What tags must know of their level.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub kind: LodKind,
    pub points: u32,
    pub faces: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    pub name: String,
    /// Bytes from the start of the file.
    pub data: Range<u64>,
}

impl Tag {
    /// Placeholders of other models that the game puts there.
    pub fn is_proxy(&self) -> bool {
        self.name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("proxy:"))
    }
}

/// Reads a tag with its data.
///
/// # Errors
/// When it does not fit.
pub fn read_tag(r: &mut FieldReader<'_>, shape: Shape) -> Result<Tag, Fault> {
    let name = match shape.kind {
        LodKind::P3dm => {
            r.u8("Active")?;
            name(r, "Name")?
        }
        LodKind::Sp3x => r.text("Name", NAME_FIELD, text::decode_field)?,
    };
    let size = r.u32("Size")?;
    if size as usize > r.left() {
        return Err(r.fault(format!("expected {size} bytes in the tag “{name}”, found {}", r.left())));
    }
    let start = r.offset();
    let end = start.saturating_add(u64::from(size));
    read_data(r, &name, size, shape)?;
    let rest = end.saturating_sub(r.offset());
    if rest > 0 {
        r.bytes("Data", format!("u8[{rest}]"), rest as usize, Value::Opaque(TAG))?;
    }
    Ok(Tag { name, data: start..end })
}

fn read_data(r: &mut FieldReader<'_>, name: &str, size: u32, shape: Shape) -> Result<(), Fault> {
    let size = u64::from(size);
    let rows = |bytes: u64, stride: u64| bytes.checked_div(stride).unwrap_or(0);
    match name {
        "#Property#" if size == 128 => {
            r.text("Name", NAME_FIELD, text::decode_field)?;
            r.text("Value", NAME_FIELD, text::decode_field)?;
        }
        "#SharpEdges#" => r.table("Edges", "u32[2]", rows(size, 8), 8, |r, _| {
            r.u32("From")?;
            r.u32("To").map(|_| ())
        })?,
        "#Mass#" => r.table("Masses", "f32", rows(size, 4), 4, |r, _| r.f32("Mass").map(|_| ()))?,
        "#UVSet#" if size >= 4 => {
            r.u32("Set")?;
            let count = rows(size.saturating_sub(4), 8);
            r.table("Coordinates", "f32[2]", count, 8, |r, _| r.floats::<2>("Coordinate", "f32[2]").map(|_| ()))?;
        }
        "#Animation#" if size >= 4 => {
            r.f32("Time")?;
            let count = rows(size.saturating_sub(4), 12);
            r.table("Positions", "Vector", count, 12, |r, _| r.floats::<3>("Position", "Vector").map(|_| ()))?;
        }
        _ if size > 0 && size == u64::from(shape.points).saturating_add(u64::from(shape.faces)) => {
            members(r, "Points", shape.points as usize)?;
            members(r, "Faces", shape.faces as usize)?;
        }
        _ => {}
    }
    Ok(())
}

/// One byte each: 0 for those that do not belong.
fn members(r: &mut FieldReader<'_>, name: &'static str, count: usize) -> Result<(), Fault> {
    let at = r.offset();
    let bytes = r.raw().bytes(count)?;
    r.record(name, format!("u8[{count}]"), at, || Value::Text(chosen(bytes)));
    Ok(())
}

/// `3 of 40: 1 5 7`.
fn chosen(bytes: &[u8]) -> String {
    let members = || bytes.iter().enumerate().filter(|(_, b)| **b != 0);
    let count = members().count();
    let list: String = members().take(MAX_LISTED).map(|(index, _)| format!(" {index}")).collect();
    let more = if count > MAX_LISTED { " …" } else { "" };
    format!("{count} of {}:{list}{more}", bytes.len())
}

pub const POINT: u64 = 16;
pub const NORMAL: u64 = 12;
/// Tags that a level may have.
const MAX_TAGS: usize = 20_000;

/// Where the parts of a level are, in bytes from the start of the file. Counts are of what is there, not of what is promised.
#[derive(Clone, Debug)]
pub struct Level {
    pub range: Range<u64>,
    pub kind: LodKind,
    /// Its version is one that is known.
    pub is_known: bool,
    pub points_at: u64,
    pub points: u32,
    pub normals_at: u64,
    pub normals: u32,
    /// Start of each face, and where the last one ends.
    pub faces: Arc<[u64]>,
    pub faces_end: u64,
    /// Start of each tag, the one that ends the list among them, and where that ends.
    pub tags: Arc<[u64]>,
    pub tags_end: u64,
    /// NaN where the level is cut before it.
    pub resolution: f32,
    /// Why it was not read to its end.
    pub fault: Option<Fault>,
}

impl Level {
    /// Reads a level from the cursor on; what is left of a damaged one is recorded as it is, to the end of the file.
    pub fn read(r: &mut FieldReader<'_>) -> Self {
        let start = r.offset();
        let mut level = Self {
            range: start..start,
            kind: LodKind::P3dm,
            is_known: true,
            points_at: start,
            points: 0,
            normals_at: start,
            normals: 0,
            faces: Arc::default(),
            faces_end: start,
            tags: Arc::default(),
            tags_end: start,
            resolution: f32::NAN,
            fault: None,
        };
        if let Err(fault) = level.read_parts(r) {
            level.fault = Some(fault);
            let left = r.left();
            if left > 0 {
                // It was asked how many there are.
                let _ = r.bytes("Unread", format!("u8[{left}]"), left, Value::Opaque(UNREAD));
            }
        }
        level.range.end = r.offset();
        level
    }

    pub fn shape(&self) -> Shape {
        Shape { kind: self.kind, points: self.points, faces: self.faces.len() as u32 }
    }

    /// A reader of a part of the level.
    pub fn reader<'a>(source: &'a Source, range: Range<u64>) -> FieldReader<'a> {
        FieldReader::new(source, range, Endian::Little)
    }

    /// The tags as one table.
    pub fn tags_field(&self, source: &Source) -> Option<Field> {
        let shape = self.shape();
        let rows = (source, &self.tags, self.tags_end);
        super::VariableRows::field("Tags", "Tag", rows, move |r, _| read_tag(r, shape).map(|_| ()))
    }

    fn read_parts(&mut self, r: &mut FieldReader<'_>) -> Result<(), Fault> {
        let mut ahead = r.fork();
        let signature = ahead.raw().array::<4>()?;
        let Some(kind) = LodKind::of(signature) else {
            return Err(r.fault(format!("a level begins with “{}” instead of P3DM or SP3X", signature.escape_ascii())));
        };
        self.kind = kind;
        r.tag::<4>("Signature")?;
        let header = r.u32("HeaderSize")?;
        let version = r.u32("Version")?;
        self.is_known = header == 28 && kind.knows(version);
        let [points, normals, faces] = [r.u32("PointCount")?, r.u32("NormalCount")?, r.u32("FaceCount")?];
        r.u32("Flags")?;
        self.points_at = r.offset();
        self.points = whole(r, points, POINT);
        r.table("Points", "Point", u64::from(self.points), POINT, |r, _| {
            r.floats::<3>("Position", "Vector")?;
            r.u32("Flags").map(|_| ())
        })?;
        expect(r, "point", points, self.points)?;
        self.normals_at = r.offset();
        self.normals = whole(r, normals, NORMAL);
        r.table("Normals", "Vector", u64::from(self.normals), NORMAL, |r, _| {
            r.floats::<3>("Normal", "Vector").map(|_| ())
        })?;
        expect(r, "normal", normals, self.normals)?;
        self.read_faces(r, faces)?;
        let mut ahead = r.fork();
        let mark = ahead.raw().array::<4>()?;
        if &mark != b"TAGG" {
            return Err(r.fault(format!("expected “TAGG” after the faces, found “{}”", mark.escape_ascii())));
        }
        r.tag::<4>("Tagg")?;
        self.read_tags(r)?;
        self.resolution = r.f32("Resolution")?;
        Ok(())
    }

    fn read_faces(&mut self, r: &mut FieldReader<'_>, count: u32) -> Result<(), Fault> {
        let kind = self.kind;
        let (starts, end, fault) = starts(r, |r, index| match index < count as usize {
            true => read_face(r, kind).map(|_| true),
            false => Ok(false),
        });
        (self.faces, self.faces_end) = (starts, end);
        let rows = (r.source(), &self.faces, end);
        if let Some(field) =
            super::VariableRows::field("Faces", "Face", rows, move |r, _| read_face(r, kind).map(|_| ()))
        {
            r.push(field);
        }
        r.seek(end)?;
        fault.map_or(Ok(()), Err)
    }

    /// Tags have an entry of their own, which has their bytes.
    fn read_tags(&mut self, r: &mut FieldReader<'_>) -> Result<(), Fault> {
        let shape = self.shape();
        let mut ended = false;
        let (starts, end, fault) = starts(r, |r, index| {
            if ended {
                return Ok(false);
            }
            if index >= MAX_TAGS {
                return Err(r.fault(format!("the level has more than {MAX_TAGS} tags")));
            }
            ended = read_tag(r, shape)?.name == END;
            Ok(true)
        });
        (self.tags, self.tags_end) = (starts, end);
        r.seek(end)?;
        fault.map_or(Ok(()), Err)
    }
}

/// Where records of different lengths begin and the last one ends; `read` says when there are no more. A fault leaves those
/// before it.
fn starts(
    r: &FieldReader<'_>,
    mut read: impl FnMut(&mut FieldReader<'_>, usize) -> Result<bool, Fault>,
) -> (Arc<[u64]>, u64, Option<Fault>) {
    let mut ahead = r.fork();
    let mut starts = Vec::new();
    loop {
        let at = ahead.offset();
        match read(&mut ahead, starts.len()) {
            Ok(true) => starts.push(at),
            Ok(false) => return (starts.into(), at, None),
            Err(fault) => return (starts.into(), at, Some(fault)),
        }
    }
}

fn whole(r: &FieldReader<'_>, count: u32, stride: u64) -> u32 {
    u32::try_from(r.whole_records(u64::from(count), stride)).unwrap_or(u32::MAX)
}

fn expect(r: &FieldReader<'_>, what: &str, promised: u32, there: u32) -> Result<(), Fault> {
    match there < promised {
        true => Err(r.fault(format!("expected {}, found {}", counted(promised, what), grouped(there)))),
        false => Ok(()),
    }
}
