//! Facial poses: shapes that meshes are moved towards, by differences from their own (formats/charpipe.md §7).

mod morphs;
mod record;
#[cfg(test)]
mod tests;

pub use morphs::{FaceMesh, add_morphs};
pub use record::{Attribute, FaceRecord, Run};

use super::codes;
use crate::{
    bytes::{
        Endian, Source,
        numbers::{counted, grouped},
    },
    formats::{
        Content, Field, Role,
        field_reader::{Fault, FieldReader},
        findings::Findings,
        structure::{Part, Structure},
    },
};
use record::Claims;
use std::{any::Any, ops::Range};

/// Bytes of the section before its tables, and of an object in theirs.
const HEADER: u64 = 12;
const OBJECT: u64 = 12;

/// Poses that are shown of a model: faces have a few dozen.
const MAX_POSES: usize = 1000;

/// The section. Its arrays stay in the file until a model is made.
#[derive(Debug)]
pub struct Faces {
    /// Objects in file order.
    pub objects: Vec<FaceObject>,
    source: Source,
    range: Range<u64>,
}

/// Something with poses of its own: a face.
#[derive(Clone, Debug, PartialEq)]
pub struct FaceObject {
    /// With the first, which is the shape itself.
    pub poses: u16,
    /// Records in file order.
    pub records: Vec<FaceRecord>,
}

/// Reads the section (a `section::ReadSection`).
///
/// # Errors
/// When the header does not fit.
pub fn read_faces(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Box<dyn Structure>, Fault> {
    Ok(Box::new(Faces::read(r, findings)?))
}

impl Faces {
    /// Reads the section from its start. What is damaged is left out with a finding.
    ///
    /// # Errors
    /// When the header does not fit.
    pub fn read(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Self, Fault> {
        let (source, range) = (r.source().clone(), r.range());
        r.u16("MaxPoses")?;
        let count = r.u16("Objects")?;
        r.u16("AttributeTypes")?;
        r.u16("Unknown")?;
        let table = r.u32("ObjectTable")?;
        let mut faces = Self { objects: Vec::new(), source, range };
        if count == 0 {
            return Ok(faces);
        }
        if r.seek_in_range(table).is_err() {
            let message = format!("the objects start at offset {table}, after the end of the section");
            findings.add(&codes::BAD_FACES, Some(faces.range.start), message);
            return Ok(faces);
        }
        let whole = r.whole_records(count.into(), OBJECT);
        if whole < usize::from(count) {
            let message = format!("expected {}, found {}", counted(count, "object"), grouped(whole));
            findings.add(&codes::BAD_FACES, Some(r.offset()), message);
        }
        let start = r.offset();
        let mut claims = Claims::new(&faces.range, HEADER);
        for index in 0..whole {
            r.seek(start.saturating_add(OBJECT.saturating_mul(index as u64)))?;
            faces.objects.push(FaceObject::read(r, index, &mut claims, findings)?);
        }
        let poses: usize = faces.objects.iter().map(|object| usize::from(object.poses)).fold(0, usize::saturating_add);
        if poses > MAX_POSES {
            let message = format!("only {MAX_POSES} of {} poses are listed", grouped(poses));
            findings.add(&codes::BAD_FACES, Some(faces.range.start), message);
        }
        Ok(faces)
    }

    /// Name of a pose: that of its entry and of its morph. Of one object the number says enough.
    pub fn pose_name(&self, object: usize, pose: usize) -> String {
        if self.objects.len() > 1 { format!("object {object} pose {pose}") } else { format!("pose {pose}") }
    }

    /// Object and pose of each part, in order.
    fn poses(&self) -> impl Iterator<Item = (usize, usize)> {
        self.objects
            .iter()
            .enumerate()
            .flat_map(|(o, object)| (0..usize::from(object.poses)).map(move |p| (o, p)))
            .take(MAX_POSES)
    }

    /// The records that have a pose, each with the place of its array.
    fn arrays(&self, object: usize, pose: usize) -> impl Iterator<Item = (&FaceRecord, Range<u64>)> {
        let records = self.objects.get(object).map(|o| o.records.as_slice()).unwrap_or_default();
        records.iter().filter_map(move |record| Some((record, record.array(pose)?)))
    }
}

impl FaceObject {
    /// Reads an object at the cursor, with its records.
    fn read(
        r: &mut FieldReader<'_>,
        index: usize,
        claims: &mut Claims,
        findings: &mut Findings,
    ) -> Result<Self, Fault> {
        r.group(format!("Object {index}"), "", |r| {
            let at = r.offset();
            let header = |r: &mut FieldReader<'_>| {
                Ok((r.u16("Poses")?, r.u16("Records")?, r.u32("RecordSize")?, r.u32("RecordTable")?))
            };
            let (poses, count, size, table) = claims.once(r, OBJECT, header)?;
            let smallest = FaceRecord::size(poses);
            if count > 0 && u64::from(size) < smallest {
                let message = format!("records with {} need {smallest} bytes, but have {size}", counted(poses, "pose"));
                findings.add(&codes::BAD_FACES, Some(at), message);
            }
            let stride = u64::from(size).max(smallest);
            let mut records = Vec::new();
            for number in 0..count {
                if r.is_recording() && !claims.shows(record::FIELDS) {
                    break;
                }
                let offset = u64::from(table).saturating_add(stride.saturating_mul(number.into()));
                let start = r.range().start.saturating_add(offset);
                let read = r.seek(start).and_then(|()| FaceRecord::read(r, poses, number, claims, findings));
                match read {
                    Ok(record) => records.push(record),
                    Err(fault) => {
                        let message = format!("cannot read record {number} of object {index}: {}", fault.message);
                        findings.add(&codes::BAD_FACES, Some(fault.offset), message);
                        break;
                    }
                }
            }
            // A face of damaged records may claim any number of poses.
            let poses = if records.is_empty() { 0 } else { poses };
            Ok(Self { poses, records })
        })
    }
}

impl Structure for Faces {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(object, pose)| {
            let range = self.arrays(object, pose).next().map_or(self.range.start..self.range.start, |(_, array)| array);
            Part { name: self.pose_name(object, pose), role: Role::Morph, class: "Pose", range, content: Content::None }
        };
        self.poses().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let Some((object, pose)) = self.poses().nth(part) else { return Vec::new() };
        let mut fields = Vec::new();
        for (record, array) in self.arrays(object, pose) {
            let mut r = FieldReader::new(source, array, Endian::Big).recording();
            let name = format!("Mesh {} {}", record.mesh, record.attribute().map_or("values", Attribute::name));
            // It was checked when it was opened.
            let _ = record.read_array(&mut r, name);
            fields.extend(r.into_fields().into_iter().map(Field::mirrored));
        }
        fields
    }
}
