//! Lists of objects that map editors import: a line each, its numbers between semicolons.

use super::{
    angles::{angles, compass},
    numbers::{decimal, metres},
    progress::Progress,
};
use crate::{
    formats::file_name,
    scene::{Prop, Terrain},
};
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// Writes Visitor's list: `"model";x;y;size;heading;`, metres from the south-west corner, degrees clockwise from north.
pub fn write_visitor(terrain: &Terrain, progress: &mut Progress<'_, '_>, out: &mut impl Write) -> io::Result<()> {
    let mut left_out = LeftOut::default();
    for (done, prop) in terrain.props.iter().enumerate() {
        progress.at_object(done, terrain.props.len())?;
        let (x, y) = (prop.file_position.x, prop.file_position.z);
        let (size, heading) = (prop.scale, compass(prop.heading.to_degrees()));
        if [x, y, size, heading].iter().any(|number| !number.is_finite()) {
            left_out.not_finite += 1;
            continue;
        }
        let model = left_out.model_of(terrain, prop);
        let model = left_out.quoted(&model);
        writeln!(out, "{model};{x};{y};{size};{heading};")?;
    }
    left_out.note(progress);
    Ok(())
}

/// Writes Terrain Builder's list: `"name";east;north;yaw;pitch;roll;scale;elevation;`. Elevation counts from the ground: it is to be
/// imported as relative.
pub fn write_terrain_builder(
    terrain: &Terrain,
    easting: f64,
    progress: &mut Progress<'_, '_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut left_out = LeftOut::default();
    let mut mirrored = 0;
    for (done, prop) in terrain.props.iter().enumerate() {
        progress.at_object(done, terrain.props.len())?;
        let (x, z) = (prop.file_position.x, prop.file_position.z);
        let (scale, elevation) = (prop.scale, prop.above_ground);
        let finite = [x, z, scale, elevation].iter().all(|number| number.is_finite());
        let Some(angles) = angles(&prop.world_from_prop).filter(|_| finite) else {
            left_out.not_finite += 1;
            continue;
        };
        mirrored += usize::from(angles.mirrored);
        let model = left_out.model_of(terrain, prop);
        let name = left_out.quoted(file_name::stem(file_name::last_part(&model)));
        let (east, north) = (metres(easting + decimal(x)), decimal(z));
        writeln!(out, "{name};{east};{north};{};{};{};{scale};{elevation};", angles.yaw, angles.pitch, angles.roll)?;
    }
    left_out.note(progress);
    let (one, many) = (
        "object is mirrored, which the list does not support",
        "objects are mirrored, which the list does not support",
    );
    progress.note(mirrored, one, many);
    if !terrain.props.is_empty() {
        progress.notes.push("elevations are relative to the ground: import them as relative".to_owned());
    }
    Ok(())
}

/// What a list of objects could not say.
#[derive(Default)]
struct LeftOut {
    not_finite: usize,
    unresolved: usize,
    changed_names: usize,
}

impl LeftOut {
    /// The path of what an object shows; its type's name, or number, where there is none.
    fn model_of<'a>(&mut self, terrain: &'a Terrain, prop: &Prop) -> Cow<'a, str> {
        match terrain.kind_of(prop) {
            Some(kind) if !kind.model.is_empty() => return kind.model.as_str().into(),
            Some(kind) if !kind.name.is_empty() => {
                self.unresolved += 1;
                return kind.name.as_str().into();
            }
            _ => {}
        }
        self.unresolved += 1;
        format!("type {}", prop.type_id).into()
    }

    /// A name on one line, in quotes.
    fn quoted(&mut self, name: &str) -> String {
        if name.contains(char::is_control) {
            self.changed_names += 1;
        }
        let plain: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("\"{}\"", plain.replace('"', "\"\""))
    }

    fn note(&self, progress: &mut Progress<'_, '_>) {
        let many = "objects have a position, rotation or size that is not finite and are omitted";
        progress.note(
            self.not_finite,
            "object has a position, rotation or size that is not finite and is omitted",
            many,
        );
        let many = "objects have a type without a model: the name of the type is used";
        progress.note(self.unresolved, "object has a type without a model: the name of the type is used", many);
        let many = "names contain line breaks or control characters, which are replaced by spaces";
        progress.note(
            self.changed_names,
            "name contains line breaks or control characters, which are replaced by spaces",
            many,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_never_breaks_its_line() {
        let mut left_out = LeftOut::default();
        assert_eq!(left_out.quoted("a;\"b\"\r\nc"), "\"a;\"\"b\"\"  c\"");
        assert_eq!(left_out.changed_names, 1);
    }
}
