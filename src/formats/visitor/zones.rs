//! Named zones (formats/visitor.md §1.6).

use super::{
    layout::{Layout, read_bool16, read_color},
    strings,
};
use crate::formats::field_reader::{Fault, FieldReader};
use glam::Vec2;
use std::ops::Range;

/// A named part of the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    pub range: Range<u64>,
    pub name: String,
    pub fill: [u8; 4],
    pub outline: [u8; 4],
    pub id: u32,
    /// What its outline is made of, east and north in turn.
    pub numbers: Vec<f32>,
}

/// Zones with the places for them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Zones {
    pub range: Range<u64>,
    pub list: Vec<Zone>,
}

/// Zones that a project may have: each is an entry.
const MAX_ZONES: u32 = 1 << 16;

/// Reads the number of zones and all of them. Each is an entry of its own: of them, only empty places are recorded here.
///
/// # Errors
/// When they cannot be read to their end.
pub fn read_zones(r: &mut FieldReader<'_>, layout: &Layout) -> Result<Zones, Fault> {
    let start = r.offset();
    let count = r.u32("ZoneCount")?;
    if count > MAX_ZONES || u64::from(count).saturating_mul(2) > r.left() as u64 {
        return Err(Fault { offset: start, message: format!("invalid zone count {count}") });
    }
    let mut zones = Zones::default();
    for _ in 0..count {
        if r.fork().raw().u16()? == 0 {
            read_bool16(r, "Present")?;
            continue;
        }
        let recorded = r.take_fields();
        let zone = read_zone(r, layout);
        r.put_fields(recorded);
        zones.list.push(zone?);
    }
    zones.range = start..r.offset();
    Ok(zones)
}

/// Reads a zone that is there.
///
/// # Errors
/// When it cannot be read to its end.
pub fn read_zone(r: &mut FieldReader<'_>, layout: &Layout) -> Result<Zone, Fault> {
    let start = r.offset();
    read_bool16(r, "Present")?;
    read_bool16(r, "Moveable")?;
    let name = strings::read(r, "Name", layout.strings)?;
    let fill = read_color(r, "Area", layout)?;
    let outline = read_color(r, "Outline", layout)?;
    r.u32("DisplayStyle")?;
    let count_at = r.offset();
    let count = r.u32("NumberCount")?;
    if u64::from(count).saturating_mul(4) > r.left() as u64 {
        return Err(Fault { offset: count_at, message: format!("invalid value count {count} in a zone") });
    }
    let numbers = r.records("Numbers", "f32", u64::from(count), 4, |r, _| r.f32("Number"))?;
    let id = r.u32("Id")?;
    strings::read(r, "SecondName", layout.strings)?;
    Ok(Zone { range: start..r.offset(), name, fill, outline, id, numbers })
}

impl Zone {
    /// Its outline, east and north in metres; empty where its numbers say none.
    pub fn polygon(&self) -> Vec<Vec2> {
        if !self.numbers.iter().all(|n| n.is_finite()) {
            return Vec::new();
        }
        match *self.numbers.as_slice() {
            // Two opposite corners.
            [west, south, east, north] => {
                vec![Vec2::new(west, south), Vec2::new(east, south), Vec2::new(east, north), Vec2::new(west, north)]
            }
            _ => {
                let (pairs, rest) = self.numbers.as_chunks::<2>();
                if pairs.len() < 3 || !rest.is_empty() {
                    return Vec::new();
                }
                pairs.iter().map(|pair| Vec2::from_array(*pair)).collect()
            }
        }
    }
}
