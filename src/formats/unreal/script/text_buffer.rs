//! TextBuffers: the sources of classes, briefings (formats/unreal.md §7.1); texts of Deus Ex (§16.1).

use crate::formats::unreal::{package::Package, tables::ObjectRef};
use crate::{
    formats::{
        Value, compact,
        unreal::object::{Fault, ObjectReader},
    },
    scene::{Language, LineEnd},
};
use std::sync::Arc;

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

/// Reads the text behind an ExtString's properties (formats/unreal.md §16.1), with its line ends as they are.
pub fn read_ext_string(reader: &mut ObjectReader<'_>) -> Result<String, Fault> {
    let at = reader.offset();
    let version = reader.version();
    let text = compact::read_string(reader.raw(), version)?;
    if reader.is_recording() {
        reader.record("Text", "string", at, || Value::Text(text.clone()));
    }
    Ok(text)
}

/// A text whose lines end with a line feed alone, and how they end in the file.
pub struct Lines {
    pub text: String,
    pub end: LineEnd,
    /// The text itself, where its lines end in several ways.
    pub original: Option<Arc<str>>,
}

impl Lines {
    pub fn of(text: String) -> Self {
        let both = text.matches("\r\n").count();
        let count = |end: char| text.matches(end).count().saturating_sub(both);
        let (feeds, returns) = (count('\n'), count('\r'));
        let end = match both.max(feeds).max(returns) {
            most if most == both && both > 0 => LineEnd::CrLf,
            most if most == feeds => LineEnd::Lf,
            _ => LineEnd::Cr,
        };
        if both == 0 && returns == 0 {
            return Self { text, end, original: None };
        }
        let is_mixed = [both, feeds, returns].into_iter().filter(|count| *count > 0).count() > 1;
        let original = is_mixed.then(|| Arc::from(text.as_str()));
        Self { text: text.replace("\r\n", "\n").replace('\r', "\n"), end, original }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_known_and_gone() {
        let lines = |text: &str| {
            let Lines { text, end, original } = Lines::of(text.to_owned());
            (text, end, original.is_some())
        };
        let is = |text: &str, end, is_mixed| (text.to_owned(), end, is_mixed);
        assert_eq!(lines("a\nb\n"), is("a\nb\n", LineEnd::Lf, false));
        assert_eq!(lines("a\r\nb\r\n"), is("a\nb\n", LineEnd::CrLf, false));
        assert_eq!(lines("a\rb"), is("a\nb", LineEnd::Cr, false));
        assert_eq!(lines("ab"), is("ab", LineEnd::Lf, false));
        assert_eq!(lines("a\r\nb\nc\r\n"), is("a\nb\nc\n", LineEnd::CrLf, true));
    }
}
