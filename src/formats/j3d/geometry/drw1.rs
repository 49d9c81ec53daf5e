//! DRW1: the matrices that vertices are drawn with, each a joint's or an envelope's (formats/j3d.md §6.4).

use crate::formats::field_reader::{Fault, FieldReader};

/// The chunk.
#[derive(Clone, Debug, Default)]
pub struct Drw1 {
    pub matrices: Vec<MatrixSource>,
}

/// Where a draw matrix comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixSource {
    Joint(u16),
    Envelope(u16),
}

/// Reads the chunk; the cursor stands behind its header.
pub fn read(r: &mut FieldReader<'_>) -> Result<Drw1, Fault> {
    let count = u64::from(r.u16("MatrixCount")?);
    r.pad(2)?;
    let kinds_offset = r.u32("KindsOffset")?;
    let indices_offset = r.u32("IndicesOffset")?;
    r.seek_in_range(kinds_offset)?;
    let kind_name = |kind| ["joint", "envelope"].get(usize::from(kind)).copied();
    let kinds = r.records("Kinds", "u8", count, 1, move |r, _| r.named_u8("Kind", kind_name))?;
    r.seek_in_range(indices_offset)?;
    let indices = r.records("Indices", "u16", count, 2, |r, _| r.u16("Index"))?;
    let source = |(kind, index)| if kind == 0 { MatrixSource::Joint(index) } else { MatrixSource::Envelope(index) };
    Ok(Drw1 { matrices: kinds.into_iter().zip(indices).map(source).collect() })
}
