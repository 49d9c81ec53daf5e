//! Visibility of shapes: BVA (VAF1), formats/j3d.md §5.4.

use super::{
    animated::Animated,
    bank::Bank,
    channels::ClipMaker,
    header::{Header, read_header},
    part,
    tables::Tables,
    track::{FULL_SIZE, Track, read_track},
};
use crate::{
    bytes::Source,
    formats::{
        Field,
        field_reader::{Fault, FieldReader},
        j3d::chunk::{Findings, Part},
    },
    scene::{Clip, MeshIndex, Target, Unit},
};

/// Shapes that come and go; they are a model's shapes by their place.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibilityAnimation {
    /// Loop mode (formats/j3d.md §3.4) and duration in frames.
    pub header: Header,
    /// Bytes from the start of the file, and the track there.
    pub shapes: Vec<(u64, Track)>,
    /// 1 shows, 0 hides.
    pub values: Bank<u8>,
}

/// Reads VAF1 from behind its tag and size on.
pub fn read_visibility(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<VisibilityAnimation, Fault> {
    let header = read_header(r, false, 1, findings)?;
    let count = r.u16("ShapeCount")?;
    let bank_count = r.u16("ValueCount")?;
    let table = r.u32("ShapeTableOffset")?;
    let bank = r.u32("ValueOffset")?;
    let mut tables = Tables::new(r, &[table, bank], findings);
    let shapes = tables.records(r, table, "Shapes", "Track", u64::from(count), FULL_SIZE, |r, _| {
        Ok((r.offset(), read_track(r, "Visible", false)?))
    });
    let values = tables.bank(r, (bank, bank_count), "Values", "u8", shapes.iter().copied());
    Ok(VisibilityAnimation { header, shapes, values })
}

impl Animated for VisibilityAnimation {
    fn clip(&self, name: &str, findings: &mut Findings) -> Clip {
        let mut maker = ClipMaker::new(self.header.clip(name), findings);
        for (mesh, (_, track)) in (0..).map(MeshIndex).zip(&self.shapes) {
            maker.track(Target::Visibility { mesh }, Unit::Plain, *track, &self.values.numbers);
        }
        maker.finish()
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(index, (at, _)): (usize, &(u64, Track))| {
            part::part(format!("shape {index}"), "Track", *at..at.saturating_add(FULL_SIZE))
        };
        self.shapes.iter().enumerate().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let Some((at, track)) = self.shapes.get(part) else { return Vec::new() };
        let mut fields = part::record(source, *at..at.saturating_add(FULL_SIZE), |r| read_track(r, "Visible", false));
        fields.extend(part::keys(source, "Values", *track, &self.values));
        fields
    }
}
