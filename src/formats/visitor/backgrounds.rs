//! Backgrounds: pictures laid over the ground (formats/visitor.md §1.6).

use super::{grid::read_u32, layout::Layout, strings};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Value,
        field_reader::{Fault, FieldReader},
    },
};
use glam::Vec2;
use std::ops::Range;

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
        return Err(Fault { offset: start, message: format!("invalid background count {count}") });
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
        return Err(Fault { offset: start, message: "invalid background".to_owned() });
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
