//! Layers (the materials of the ground), backgrounds (pictures laid over it) and named zones (formats/visitor.md §1.6).

use super::{
    grid::read_u32,
    layout::{LayerNames, Layout, read_bool16, read_color},
    strings::{self, Strings, VariableRows},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Value,
        field_reader::{Fault, FieldReader},
    },
};
use glam::Vec2;
use std::{ops::Range, sync::Arc};

/// All layers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layers {
    /// Their bytes.
    pub range: Range<u64>,
    pub names: LayerNames,
    /// The name that stands before the first one, where that is how they are read.
    pub leading: Option<String>,
    pub list: Vec<Layer>,
}

/// One layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub range: Range<u64>,
    pub name: String,
    pub size_type: u32,
    pub is_default: bool,
    pub materials: u32,
    /// Where the first material is, in bytes.
    materials_at: u64,
}

/// Layers that a project may have: each is an entry.
const MAX_LAYERS: u32 = 4096;

/// Bytes of the smallest material.
const SMALLEST_MATERIAL: u64 = strings::SHORTEST + 8;

/// Reads all layers. They are entries of their own, so nothing of them is recorded here.
///
/// # Errors
/// When they cannot be read to their end.
pub fn read_layers(r: &mut FieldReader<'_>, strings: Strings, names: LayerNames) -> Result<Layers, Fault> {
    let start = r.offset();
    let count = r.u32("LayerCount")?;
    if count > MAX_LAYERS {
        return Err(Fault::new(start, format!("invalid layer count {count}")));
    }
    let mut layers = Layers { names, ..Layers::default() };
    if names == LayerNames::Leading && count > 0 {
        layers.leading = Some(strings::read(r, "Name", strings)?);
    }
    let recorded = r.take_fields();
    for _ in 0..count {
        match read_layer(r, strings, names) {
            Ok(layer) => layers.list.push(layer),
            Err(fault) => {
                r.put_fields(recorded);
                return Err(fault);
            }
        }
    }
    r.put_fields(recorded);
    layers.range = start..r.offset();
    Ok(layers)
}

/// Reads a layer with its materials.
///
/// # Errors
/// When it cannot be read to its end.
pub fn read_layer(r: &mut FieldReader<'_>, strings: Strings, names: LayerNames) -> Result<Layer, Fault> {
    let start = r.offset();
    let own = match names {
        LayerNames::Each => Some(strings::read(r, "Name", strings)?),
        LayerNames::Leading => None,
    };
    let size_type = r.u32("SizeType")?;
    let second = strings::read(r, "SecondName", strings)?;
    let is_default = read_bool16(r, "Default")?;
    let count_at = r.offset();
    let materials = r.u32("MaterialCount")?;
    if u64::from(materials).saturating_mul(SMALLEST_MATERIAL) > r.left() as u64 {
        return Err(Fault::new(count_at, format!("invalid material count {materials} in a layer")));
    }
    let materials_at = r.offset();
    let recorded = r.take_fields();
    let mut starts = Vec::new();
    let wants_starts = recorded.is_some();
    for _ in 0..materials {
        if wants_starts {
            starts.push(r.offset());
        }
        if let Err(fault) = read_material(r, strings) {
            r.put_fields(recorded);
            return Err(fault);
        }
    }
    let end = r.offset();
    r.put_fields(recorded);
    if wants_starts {
        let starts: Arc<[u64]> = starts.into();
        let read = move |r: &mut FieldReader<'_>, _| read_material(r, strings).map(drop);
        if let Some(field) = VariableRows::field("Materials", "TerrainMaterial", (r.source(), &starts, end), read) {
            r.push(field);
        }
    }
    let name = own.filter(|name| !name.is_empty()).unwrap_or(second);
    Ok(Layer { range: start..end, name, size_type, is_default, materials, materials_at })
}

/// Reads a material: its path.
fn read_material(r: &mut FieldReader<'_>, strings: Strings) -> Result<String, Fault> {
    r.u32("Unknown0")?;
    let path = strings::read(r, "Path", strings)?;
    r.u32("Unknown1")?;
    Ok(path)
}

impl Layer {
    /// Paths of its materials.
    pub fn paths(&self, source: &Source, strings: Strings) -> Vec<String> {
        let mut r = FieldReader::new(source, self.materials_at..self.range.end, Endian::Little);
        // They were read once without a fault.
        (0..self.materials).map_while(|_| read_material(&mut r, strings).ok()).collect()
    }
}

/// A picture laid over the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Background {
    pub range: Range<u64>,
    pub file: String,
    pub name: String,
    /// South-west corner, east and north, in metres.
    pub offset: Vec2,
    /// In metres.
    pub size: Vec2,
    /// Per cent.
    pub transparency: u32,
    pub visible: bool,
}

/// All backgrounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Backgrounds {
    pub range: Range<u64>,
    pub list: Vec<Background>,
}

/// Backgrounds that a project may have.
const MOST: u32 = 256;

/// Reads the number of backgrounds and all of them. Each is an entry of its own: nothing of them is recorded here.
///
/// # Errors
/// When one cannot be read, or is none.
pub fn read_backgrounds(r: &mut FieldReader<'_>, layout: &Layout) -> Result<Backgrounds, Fault> {
    let start = r.offset();
    let count = r.u32("BackgroundCount")?;
    if count > MOST {
        return Err(Fault::new(start, format!("invalid background count {count}")));
    }
    let mut backgrounds = Backgrounds::default();
    let recorded = r.take_fields();
    for _ in 0..count {
        match read_background(r, layout) {
            Ok(background) => backgrounds.list.push(background),
            Err(fault) => {
                r.put_fields(recorded);
                return Err(fault);
            }
        }
    }
    r.put_fields(recorded);
    backgrounds.range = start..r.offset();
    Ok(backgrounds)
}

/// Reads a background.
///
/// # Errors
/// When it does not fit, or its numbers are none of a background.
pub fn read_background(r: &mut FieldReader<'_>, layout: &Layout) -> Result<Background, Fault> {
    let start = r.offset();
    let is_path =
        strings::take(r.fork().raw(), layout.strings).is_some_and(|b| b.len() >= 3 && strings::is_printable(b));
    let file = strings::read(r, "File", layout.strings)?;
    let name = strings::read(r, "Name", layout.strings)?;
    let [x, z] = r.floats::<2>("Offset", "f32[2]")?;
    let [width, depth] = r.floats::<2>("Size", "f32[2]")?;
    let transparency = r.u32("Transparency")?;
    let at = r.offset();
    let visible = r.raw().u32()?;
    r.record("Visible", "u32", at, || Value::Bool(visible != 0));
    let is_size = |size: f32| size.is_finite() && size > 0.0;
    let is_sane =
        x.is_finite() && z.is_finite() && is_size(width) && is_size(depth) && transparency <= 255 && visible <= 1;
    if !is_sane || !is_path {
        return Err(Fault::new(start, "invalid background"));
    }
    let (offset, size) = (Vec2::new(x, z), Vec2::new(width, depth));
    Ok(Background { range: start..r.offset(), file, name, offset, size, transparency, visible: visible != 0 })
}

/// The first block of backgrounds from `from` on.
pub fn find_backgrounds(source: &Source, from: u64, layout: &Layout) -> Option<Backgrounds> {
    let bytes = source.as_slice();
    for at in usize::try_from(from).ok()?..bytes.len() {
        let length = at.checked_add(4).and_then(|at| read_u32(bytes, at))?;
        let count = read_u32(bytes, at)?;
        if !(1..=MOST).contains(&count) || !(3..=1024).contains(&length) {
            continue;
        }
        let mut r = FieldReader::new(source, at as u64..u64::MAX, Endian::Little);
        if let Ok(backgrounds) = read_backgrounds(&mut r, layout) {
            return Some(backgrounds);
        }
    }
    None
}

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
        return Err(Fault::new(start, format!("invalid zone count {count}")));
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
        return Err(Fault::new(count_at, format!("invalid value count {count} in a zone")));
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
