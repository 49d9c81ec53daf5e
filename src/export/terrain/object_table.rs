use super::{numbers::decimal, progress::Progress};
use crate::{
    export::text::{note_nuls, without_nuls},
    scene::{Prop, PropClass, Terrain},
};
use glam::Vec3;
use std::{
    borrow::Cow,
    io::{self, Write},
};

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
