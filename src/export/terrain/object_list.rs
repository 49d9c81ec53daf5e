//! Lists of objects that map editors import: a line each, its numbers between semicolons. Numbers have a point before
//! the fraction and no exponent.

use super::{
    angles::{angles, compass},
    progress::Progress,
};
use crate::{
    export::text::{note_nuls, without_nuls},
    formats::file_name,
    scene::{Prop, PropClass, Terrain},
};
use glam::Vec3;
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// The number that a person would write for a single-precision one: 0.1 is 0.1 and not 0.10000000149.
pub fn decimal(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// A sum of metres without the dust of double precision: micrometres are the last to count.
pub fn metres(sum: f64) -> f64 {
    let rounded = (sum * 1e6).round() / 1e6;
    // Numbers too large for that have no such dust; a zero has no sign.
    if rounded.is_finite() { rounded + 0.0 } else { sum }
}

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

/// The header line: positions are the file's own, in metres; x is east, y up, z north.
const COLUMNS: &str = "slot,id,type_id,type,model,class,name,x,y,z,heading_degrees,scale,above_ground,floor";

/// Writes a table of the objects as CSV (RFC 4180): UTF-8, a header line, quotes where they are needed. A number that is none is
/// left empty.
pub fn write(terrain: &Terrain, progress: &mut Progress<'_, '_>, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{COLUMNS}\r\n")?;
    let (mut empty, mut nuls) = (0, 0);
    for (done, prop) in terrain.props.iter().enumerate() {
        progress.at_object(done, terrain.props.len())?;
        let kind = terrain.kind_of(prop);
        let mut text = |text: Option<&str>| {
            let (text, found) = without_nuls(text.unwrap_or_default().to_owned());
            nuls += found;
            field(&text).into_owned()
        };
        write!(
            out,
            "{},{},{},{},{},{},{}",
            prop.slot,
            prop.id,
            prop.type_id,
            text(kind.map(|k| k.name.as_str())),
            text(kind.map(|k| k.model.as_str())),
            class(kind.map_or(PropClass::Unresolved, |k| k.class)),
            text(Some(&prop.name)),
        )?;
        for (_, number) in placing(prop) {
            if number.is_finite() {
                write!(out, ",{number}")?;
            } else {
                empty += 1;
                out.write_all(b",")?;
            }
        }
        out.write_all(b"\r\n")?;
    }
    note_nuls(nuls, progress.notes);
    progress.note(empty, "number is not finite: its cell is empty", "numbers are not finite: their cells are empty");
    Ok(())
}

/// How an object is placed, by the names of the columns: the file's own numbers, and the height of its floor in the scene.
pub fn placing(prop: &Prop) -> [(&'static str, f64); 7] {
    let Vec3 { x, y, z } = prop.file_position;
    [
        ("x", x),
        ("y", y),
        ("z", z),
        ("heading_degrees", prop.heading.to_degrees()),
        ("scale", prop.scale),
        ("above_ground", prop.above_ground),
        ("floor", prop.world_from_prop.translation.y),
    ]
    .map(|(name, number)| (name, decimal(number)))
}

fn class(class: PropClass) -> Cow<'static, str> {
    match class {
        PropClass::Other(number) => format!("{} {number}", class.name()).into(),
        class => class.name().into(),
    }
}

/// A field as RFC 4180 quotes it. What starts or ends with a blank is quoted too: readers trim.
fn field(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '"' | ',' | ';' | '\r' | '\n');
    if text.contains(special) || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::Cancel,
        export::{ExportJob, Notes},
    };
    use glam::Affine3A;

    #[test]
    fn numbers_are_as_short_as_a_person_writes_them() {
        assert_eq!(decimal(0.1).to_string(), "0.1");
        assert_eq!(metres(decimal(0.1) * 3.0).to_string(), "0.3");
        assert_eq!(metres(-0.0).to_string(), "0");
        assert_eq!(metres(200_000.0 + decimal(6.25)).to_string(), "200006.25");
        assert!(!f32::MAX.to_string().contains(['e', 'E', ',']) && !1e-40_f32.to_string().contains('e'));
        assert_eq!(metres(f64::from(f32::MAX)), f64::from(f32::MAX));
    }

    #[test]
    fn a_name_never_breaks_its_line() {
        let mut left_out = LeftOut::default();
        assert_eq!(left_out.quoted("a;\"b\"\r\nc"), "\"a;\"\"b\"\"  c\"");
        assert_eq!(left_out.changed_names, 1);
    }

    #[test]
    fn no_nul_arrives() {
        let prop = Prop {
            kind: 0,
            slot: 0,
            id: 1,
            type_id: 2,
            name: "a\0b".into(),
            world_from_prop: Affine3A::from_translation(Vec3::new(10.0, 22.0, -30.0)),
            file_position: Vec3::new(10.0, 25.0, 30.0),
            heading: std::f32::consts::FRAC_PI_2,
            scale: 2.0,
            above_ground: 1.5,
            outline: None,
            fill: None,
        };
        let terrain = Terrain { props: vec![prop], ..Terrain::default() };
        let job = ExportJob {
            cancel: Cancel::never(),
            progress: &|_, _, _| {},
            force: false,
            max_output: None,
            resume: false,
        };
        let (mut notes, mut out) = (Notes::default(), Vec::new());
        write(&terrain, &mut Progress { job: &job, notes: &mut notes }, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.ends_with(",a·b,10,25,30,90,2,1.5,22\r\n") && !text.contains('\0'), "{text}");
        assert_eq!(*notes, ["1 NUL character is replaced by “·”"]);
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("ca\\plants\\smrk.p3d"), "ca\\plants\\smrk.p3d");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("a \"b\"\nc"), "\"a \"\"b\"\"\nc\"");
        assert_eq!((field(" a"), field("")), ("\" a\"".into(), "".into()));
        assert_eq!(class(PropClass::Other(7)), "unknown class 7");
    }
}
