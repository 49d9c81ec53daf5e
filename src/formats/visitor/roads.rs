//! Road nets: pieces of road that fit together (formats/visitor.md §1.3).

use super::{
    layout::{Layout, read_bool16, read_color, read_f64},
    strings,
};
use crate::{
    formats::field_reader::{Fault, FieldReader},
    scene::RoadPartKind,
};
use std::ops::Range;

/// All road nets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoadNets {
    /// Their bytes; crossroads follow.
    pub range: Range<u64>,
    /// The project says that it has none.
    pub ignored: bool,
    pub nets: Vec<Net>,
    pub crossroads: u32,
}

/// One net.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    pub range: Range<u64>,
    pub name: String,
    pub key_color: [u8; 4],
    pub color: [u8; 4],
    pub max_angle: f64,
    pub max_bank: f64,
    pub parts: Vec<Part>,
}

/// One piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub range: Range<u64>,
    pub name: String,
    pub kind: RoadPartKind,
    /// An object type's number.
    pub type_id: u32,
}

/// The lists of a net, in their order.
const LISTS: [(RoadPartKind, &str); 4] = [
    (RoadPartKind::Straight, "StraightCount"),
    (RoadPartKind::Curve, "CurveCount"),
    (RoadPartKind::Special, "SpecialCount"),
    (RoadPartKind::Terminator, "TerminatorCount"),
];

/// Bytes of the smallest net.
const SMALLEST_NET: u64 = strings::SHORTEST + 8 + 2 + 16 + 16;

/// Pieces that all nets may have: each is an entry.
const MAX_PARTS: usize = 1 << 16;

/// What a list of pieces is called.
pub fn kind_name(kind: RoadPartKind) -> &'static str {
    match kind {
        RoadPartKind::Straight => "straight",
        RoadPartKind::Curve => "curve",
        RoadPartKind::Special => "special",
        RoadPartKind::Terminator => "terminator",
    }
}

/// Reads the nets up to the number of crossroads. Nets are entries of their own, so nothing of them is recorded here.
///
/// # Errors
/// When they cannot be read to their end.
pub fn read_nets(r: &mut FieldReader<'_>, layout: &Layout) -> Result<RoadNets, Fault> {
    let start = r.offset();
    let ignored = read_bool16(r, "Ignore")?;
    let mut roads = RoadNets { ignored, ..RoadNets::default() };
    if !ignored {
        let count_at = r.offset();
        let count = r.u32("RoadCount")?;
        if u64::from(count).saturating_mul(SMALLEST_NET) > r.left() as u64 {
            return Err(Fault::new(count_at, format!("invalid road net count {count}")));
        }
        let recorded = r.take_fields();
        let mut left = MAX_PARTS;
        let mut read = || {
            for _ in 0..count {
                let net = read_net(r, layout, left)?;
                left = left.saturating_sub(net.parts.len()).saturating_sub(1);
                roads.nets.push(net);
            }
            Ok(())
        };
        let read: Result<(), Fault> = read();
        r.put_fields(recorded);
        read?;
        roads.crossroads = r.u32("CrossroadCount")?;
    }
    roads.range = start..r.offset();
    Ok(roads)
}

/// Reads a net with at most `most` pieces. Pieces are entries of their own: nothing of them is recorded here.
///
/// # Errors
/// When it cannot be read to its end.
pub fn read_net(r: &mut FieldReader<'_>, layout: &Layout, most: usize) -> Result<Net, Fault> {
    let start = r.offset();
    let name = strings::read(r, "Name", layout.strings)?;
    let key_color = read_color(r, "KeyPartColor", layout)?;
    let color = read_color(r, "NormalPartColor", layout)?;
    read_bool16(r, "FilledLine")?;
    let max_angle = read_f64(r, "MaxAngle")?;
    let max_bank = read_f64(r, "MaxBank")?;
    let mut parts = Vec::new();
    for (kind, count_name) in LISTS {
        let count_at = r.offset();
        let count = r.u32(count_name)?;
        let smallest = strings::SHORTEST.saturating_add(6);
        let too_many = parts.len().saturating_add(count as usize) > most;
        if too_many || u64::from(count).saturating_mul(smallest) > r.left() as u64 {
            let message = format!("invalid piece count {count} in a road net ({})", kind_name(kind));
            return Err(Fault::new(count_at, message));
        }
        let recorded = r.take_fields();
        for _ in 0..count {
            match read_part(r, layout, kind) {
                Ok(part) => parts.push(part),
                Err(fault) => {
                    r.put_fields(recorded);
                    return Err(fault);
                }
            }
        }
        r.put_fields(recorded);
    }
    Ok(Net { range: start..r.offset(), name, key_color, color, max_angle, max_bank, parts })
}

/// Reads a piece.
///
/// # Errors
/// When it cannot be read to its end.
pub fn read_part(r: &mut FieldReader<'_>, layout: &Layout, kind: RoadPartKind) -> Result<Part, Fault> {
    let start = r.offset();
    let name = strings::read(r, "Name", layout.strings)?;
    let type_id = r.u32("ObjectTypeId")?;
    r.u16("Type")?;
    if kind != RoadPartKind::Curve {
        read_bool16(r, "CanChangeBank")?;
    }
    Ok(Part { range: start..r.offset(), name, kind, type_id })
}
