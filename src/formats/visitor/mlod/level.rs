//! The levels of a model, one after the other (formats/visitor.md §2.4).

use super::{face, info::UNREAD, lod_kind::LodKind, tag};
use crate::{
    bytes::Endian,
    bytes::Source,
    bytes::numbers::{counted, grouped},
    formats::{
        Field, Value,
        field_reader::{Fault, FieldReader},
    },
};
use std::{ops::Range, sync::Arc};

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

    pub fn shape(&self) -> tag::Shape {
        tag::Shape { kind: self.kind, points: self.points, faces: self.faces.len() as u32 }
    }

    /// A reader of a part of the level.
    pub fn reader<'a>(source: &'a Source, range: Range<u64>) -> FieldReader<'a> {
        FieldReader::new(source, range, Endian::Little)
    }

    /// The tags as one table.
    pub fn tags_field(&self, source: &Source) -> Option<Field> {
        let shape = self.shape();
        let rows = (source, &self.tags, self.tags_end);
        super::VariableRows::field("Tags", "Tag", rows, move |r, _| tag::read(r, shape).map(|_| ()))
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
            true => face::read(r, kind).map(|_| true),
            false => Ok(false),
        });
        (self.faces, self.faces_end) = (starts, end);
        let rows = (r.source(), &self.faces, end);
        if let Some(field) =
            super::VariableRows::field("Faces", "Face", rows, move |r, _| face::read(r, kind).map(|_| ()))
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
            ended = tag::read(r, shape)?.name == tag::END;
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
