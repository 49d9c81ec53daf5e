//! TextBuffers: the sources of classes, briefings (formats/unreal.md §7.1).

use crate::formats::unreal::{package::Package, tables::ObjectRef};
use crate::{
    formats::{
        Value,
        unreal::{
            compact,
            object::{Fault, ObjectReader},
        },
    },
    scene::Language,
};

/// Reads a text, with its line ends as they are.
pub fn read_text_buffer(reader: &mut ObjectReader<'_>) -> Result<String, Fault> {
    reader.u32("Pos")?;
    reader.u32("Top")?;
    let at = reader.offset();
    // Packages below 64 are said to have a length here too, unlike elsewhere: it is believed where it fits to the byte.
    let version = reader.version();
    let mut counted = reader.raw().clone();
    let text = match compact::read_counted_string(&mut counted) {
        Ok(text) if version >= 64 || counted.left() == 0 => {
            reader.seek(counted.offset())?;
            text
        }
        _ => compact::read_string(reader.raw(), version)?,
    };
    if reader.is_recording() {
        reader.record("Text", "string", at, || Value::Text(text.clone()));
    }
    Ok(text)
}

/// Lines that end with a line feed alone.
pub fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The text of a class is script; so is what lies in a class or is called as one.
pub fn language(package: &Package, export: usize) -> Language {
    let object = ObjectRef::export(export);
    let name = package.object_name(object).unwrap_or_default();
    let outer = package.export(export).map_or(ObjectRef::NONE, |e| e.outer);
    let in_class = !outer.is_none() && package.class_name(outer).eq_ignore_ascii_case("Class");
    let is_class = |other: usize| package.export(other).is_some_and(|e| e.class.is_none());
    if in_class || name.eq_ignore_ascii_case("ScriptText") || package.exports_named(name).any(is_class) {
        Language::UnrealScript
    } else {
        Language::Plain
    }
}
