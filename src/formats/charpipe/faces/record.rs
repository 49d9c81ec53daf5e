//! A record: the changes of one mesh in the poses of an object, and the bytes that are already assigned to records.

use super::super::codes;
use crate::{
    bytes::Reader,
    formats::{
        claims,
        field_reader::{Fault, FieldReader},
        findings::Findings,
        read_budget::ReadBudget,
    },
};
use std::ops::Range;

/// How many times its size a section's records and arrays may add up to, where they share bytes.
const MAX_SHARED: u64 = 2;

/// Bytes that are fields already: lists may be shared, and each byte is one field of its own.
pub struct Claims {
    taken: claims::Claims,
    /// Of bytes, shared ones each time.
    bytes: ReadBudget,
    /// Fields that may still be made.
    fields: u32,
}

/// Fields of a section at most: records may share bytes.
const MAX_FIELDS: u32 = 1 << 17;

impl Claims {
    /// Of a section whose first bytes are fields already.
    pub fn new(section: &Range<u64>, header: u64) -> Self {
        let size = section.end.saturating_sub(section.start);
        let mut taken = claims::Claims::default();
        taken.take(section.start..section.start.saturating_add(header));
        Self { taken, bytes: ReadBudget::new(size.saturating_mul(MAX_SHARED)), fields: MAX_FIELDS }
    }

    /// Takes `size` bytes of what may be read.
    pub fn spend(&mut self, r: &FieldReader<'_>, size: u64) -> Result<(), Fault> {
        if self.bytes.take(size) {
            return Ok(());
        }
        Err(r.fault(format!(
            "too many lists share bytes: together, they are more than {MAX_SHARED} times as large as their section"
        )))
    }

    /// Whether so many fields may be made too.
    pub fn shows(&mut self, fields: u32) -> bool {
        let left = self.fields.checked_sub(fields);
        self.fields = left.unwrap_or(0);
        left.is_some()
    }

    /// Reads the next `size` bytes; what was shown before is mirrored.
    pub fn once<T>(
        &mut self,
        r: &mut FieldReader<'_>,
        size: u64,
        read: impl FnOnce(&mut FieldReader<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let at = r.offset();
        self.taken.read(r, at..at.saturating_add(size), read)
    }
}

/// Bytes of a record before its poses.
const HEADER: u64 = 12;
const RUN: u64 = 4;
/// Fields of a record, about.
pub const FIELDS: u32 = 10;

/// Values that the poses of an object change in one mesh (formats/charpipe.md §7).
#[derive(Clone, Debug, PartialEq)]
pub struct FaceRecord {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Values in each pose.
    pub entries: u32,
    /// Into the palette's meshes.
    pub mesh: u8,
    /// 1 positions, 2 normals.
    pub kind: u8,
    /// Numbers per entry: 3, or 6 for positions with normals.
    pub components: u8,
    /// Bytes of each component.
    pub component_size: u8,
    /// Which of the mesh's values the entries are, one after the other.
    pub runs: Vec<Run>,
    /// Where the values of each pose begin, in bytes from the start of the file; none for a pose that changes nothing, or whose
    /// values are damaged.
    poses: Vec<Option<u64>>,
}

/// Values of the mesh that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Index of the first value in the mesh.
    pub first: u16,
    /// Number of values.
    pub length: u16,
}

/// What of a mesh a record changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// Positions alone.
    Positions,
    /// Normals alone.
    Normals,
    /// Of a skinned mesh, one behind the other.
    PositionsAndNormals,
}

impl Attribute {
    /// Returns the name for display, such as “positions”.
    pub fn name(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Normals => "normals",
            Self::PositionsAndNormals => "positions and normals",
        }
    }
}

impl FaceRecord {
    /// Bytes of a record.
    pub fn size(poses: u16) -> u64 {
        u64::from(poses).saturating_mul(4).saturating_add(HEADER)
    }

    /// `None` for one that nobody has described.
    pub fn attribute(&self) -> Option<Attribute> {
        if !matches!(self.component_size, 2 | 4) {
            return None;
        }
        match (self.kind, self.components) {
            (1, 3) => Some(Attribute::Positions),
            (2, 3) => Some(Attribute::Normals),
            (1, 6) => Some(Attribute::PositionsAndNormals),
            _ => None,
        }
    }

    /// Bytes of an entry.
    fn stride(&self) -> u64 {
        u64::from(self.components).saturating_mul(self.component_size.into())
    }

    /// Where the values of a pose are.
    pub fn array(&self, pose: usize) -> Option<Range<u64>> {
        let start = (*self.poses.get(pose)?)?;
        Some(start..start.saturating_add(self.stride().saturating_mul(self.entries.into())))
    }

    /// The values of an entry of an array, in the units of the mesh; zeros for what there is not.
    pub fn value(&self, r: &mut Reader<'_>) -> Option<[f32; 6]> {
        let mut value = [0.0; 6];
        for component in value.iter_mut().take(self.components.into()) {
            *component = if self.component_size == 4 { r.f32().ok()? } else { r.i16().ok()?.into() };
        }
        Some(value)
    }

    /// The number in the mesh of each entry.
    pub fn targets(&self) -> impl Iterator<Item = u32> {
        let numbers = |run: &Run| {
            let first = u32::from(run.first);
            first..first.saturating_add(run.length.into())
        };
        self.runs.iter().flat_map(numbers).take(self.entries as usize)
    }

    /// Reads a record at the cursor, with its runs and the place of its poses.
    pub fn read(
        r: &mut FieldReader<'_>,
        poses: u16,
        number: u16,
        claims: &mut Claims,
        findings: &mut Findings,
    ) -> Result<Self, Fault> {
        r.group(format!("Record {number}"), "", |r| {
            let offset = r.offset();
            claims.spend(r, Self::size(poses))?;
            let (mut record, runs, pointers) = claims.once(r, Self::size(poses), |r| {
                let entries = r.u32("Entries")?;
                let mesh = r.u8("Mesh")?;
                let kind = r.named_u8("Kind", |kind| match kind {
                    1 => Some("positions"),
                    2 => Some("normals"),
                    _ => None,
                })?;
                let (components, component_size) = (r.u8("Components")?, r.u8("ComponentSize")?);
                let runs = r.u32("RunList")?;
                let pointers = r.records("PoseArrays", "u32", poses.into(), 4, |r, _| r.u32("Offset"))?;
                let poses = vec![None; pointers.len()];
                let record = Self { offset, entries, mesh, kind, components, component_size, runs: vec![], poses };
                Ok((record, runs, pointers))
            })?;
            r.seek_in_range(runs)?;
            record.read_runs(r, claims)?;
            if record.attribute().is_none() {
                let Self { kind, components, component_size, .. } = record;
                let message =
                    format!("values of unknown kind {kind}: {components} components of {component_size} bytes each");
                findings.add(&codes::UNKNOWN_FACES, Some(offset), message);
                return Ok(record);
            }
            for (pose, pointer) in pointers.into_iter().enumerate() {
                if pointer == 0 {
                    continue;
                }
                let array = r.seek_in_range(pointer).and_then(|()| record.check_array(r, claims));
                match (array, record.poses.get_mut(pose)) {
                    (Ok(start), Some(place)) => *place = Some(start),
                    (Ok(_), None) => {}
                    (Err(fault), _) => {
                        let message = format!(
                            "cannot read the values of pose {pose} for mesh {}: {}",
                            record.mesh, fault.message
                        );
                        findings.add(&codes::BAD_FACES, Some(fault.offset), message);
                        continue;
                    }
                }
                if r.is_recording() && claims.shows(1) {
                    let size = record.stride().saturating_mul(record.entries.into());
                    claims.once(r, size, |r| record.read_array(r, format!("Pose {pose}")))?;
                }
            }
            Ok(record)
        })
    }

    /// Reads runs at the cursor, until they have all entries.
    fn read_runs(&mut self, r: &mut FieldReader<'_>, claims: &mut Claims) -> Result<(), Fault> {
        let (mut ahead, mut covered, mut count) = (r.fork(), 0_u32, 0_u64);
        while covered < self.entries {
            claims.spend(r, RUN)?;
            let entries = self.entries;
            let cut = |fault: Fault| Fault {
                message: format!("the runs cover only {covered} of {entries} entries"),
                ..fault
            };
            ahead.u16("").map_err(cut)?;
            covered = covered.saturating_add(ahead.u16("").map_err(cut)?.into());
            count = count.saturating_add(1);
        }
        let size = count.saturating_mul(RUN);
        let read = |r: &mut FieldReader<'_>, _| Ok(Run { first: r.u16("First")?, length: r.u16("Length")? });
        self.runs = claims.once(r, size, |r| r.records("Runs", "run", count, RUN, read))?;
        Ok(())
    }

    /// Where the array at the cursor begins, once it is known that all of it is there.
    fn check_array(&self, r: &mut FieldReader<'_>, claims: &mut Claims) -> Result<u64, Fault> {
        r.raw().check_count(self.entries.into(), self.stride())?;
        claims.spend(r, self.stride().saturating_mul(self.entries.into()))?;
        Ok(r.offset())
    }

    /// Reads the values of a pose at the cursor, in the units of the mesh.
    pub fn read_array(&self, r: &mut FieldReader<'_>, name: String) -> Result<(), Fault> {
        let (components, size) = (self.components, self.component_size);
        let kind = format!("{}[{components}]", if size == 4 { "f32" } else { "s16" });
        let read = move |r: &mut FieldReader<'_>, _| match (components, size) {
            (3, 2) => r.i16s::<3>("Value").map(|_| ()),
            (_, 2) => r.i16s::<6>("Value").map(|_| ()),
            (3, _) => r.floats::<3>("Value", "f32[3]").map(|_| ()),
            _ => r.floats::<6>("Value", "f32[6]").map(|_| ()),
        };
        r.records(name, kind, self.entries.into(), self.stride(), read).map(|_| ())
    }
}
