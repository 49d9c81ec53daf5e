//! What an Unreal installer says of itself: `Manifest.ini`, and `Manifest.int` for people (formats/containers.md §4).

use super::contents::Item;
use crate::{
    bytes::{Source, text},
    formats::{Field, Value},
};

/// The largest manifest that is read, in bytes.
const LARGEST: u64 = 1 << 20;
/// Lines that are shown.
const MAX_LINES: usize = 1000;
const INI: &str = "System\\Manifest.ini";
const INT: &str = "System\\Manifest.int";

/// Keys of `[Setup]` that people ask for.
const SAID: &[&str] =
    &["Product", "Version", "LocalProduct", "Developer", "ReadMe", "ProductURL", "VersionURL", "DeveloperURL"];

/// What the manifests say, as fields that show bytes of the members that they are.
pub fn fields(file: &Source, items: &[Item]) -> Vec<Field> {
    let mut said = Vec::new();
    for name in [INI, INT] {
        let item = items.iter().find(|item| item.name.replace('/', "\\").eq_ignore_ascii_case(name));
        let Some(range) = item.and_then(|item| item.stored.first()) else { continue };
        let size = range.end.saturating_sub(range.start);
        if size > LARGEST {
            continue;
        }
        let Some(bytes) = file.slice(range.start, size).and_then(|bytes| bytes.in_memory().ok()) else { continue };
        for line in lines(bytes.as_slice()) {
            let field = Field::new(line.name, "text", Value::Text(line.value), range.start, size);
            said.push(field.mirrored());
        }
    }
    said.truncate(MAX_LINES);
    said
}

struct Line {
    name: String,
    value: String,
}

/// What is said to people: keys of `[Setup]`, what is required, and lines that the installer writes into other files.
fn lines(bytes: &[u8]) -> Vec<Line> {
    let text = match bytes.strip_prefix(&[0xFF, 0xFE]) {
        Some(wide) => text::utf_16_le(wide),
        None => text::windows_1252(bytes),
    };
    let mut lines = Vec::new();
    let (mut section, mut required) = (String::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.to_owned();
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim(), value.trim().to_owned());
        let is_setup = section.eq_ignore_ascii_case("Setup");
        let said = SAID.iter().find(|said| said.eq_ignore_ascii_case(key)).copied();
        if is_setup && key.eq_ignore_ascii_case("Requires") {
            required.push(value);
        } else if let Some(said) = said.filter(|_| is_setup) {
            lines.push(Line { name: said.to_owned(), value });
        } else if let Some(said) = said.filter(|_| required.iter().any(|name| name.eq_ignore_ascii_case(&section))) {
            lines.push(Line { name: format!("Requires {said}"), value });
        } else if key.eq_ignore_ascii_case("Ini") {
            lines.push(Line { name: "Setting".to_owned(), value });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const INI_TEXT: &str = "[Setup]\r\nProduct=BonePack\r\nVersion=100\r\nRequires=Game\r\nGroup=Files\r\n\r\n[Game]\r\nProduct=Unreal\r\n\
                       Version=400\r\n[Files]\r\nFile=(Src=Maps\\a.unr)\r\nIni=System\\Unreal.ini,Engine.Engine=yes\r\nVersion=9\r\n";

    #[test]
    fn what_people_ask_for_is_said_in_either_encoding() {
        let expected = [
            ("Product", "BonePack"),
            ("Version", "100"),
            ("Requires Product", "Unreal"),
            ("Requires Version", "400"),
            ("Setting", "System\\Unreal.ini,Engine.Engine=yes"),
        ];
        let wide: Vec<u8> =
            "\u{FEFF}".encode_utf16().chain(INI_TEXT.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        for bytes in [INI_TEXT.as_bytes(), &wide] {
            let found = lines(bytes);
            let found: Vec<(&str, &str)> = found.iter().map(|line| (line.name.as_str(), line.value.as_str())).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_manifest_that_is_not_there_says_nothing() {
        let item = |stored| Item { is_path: true, ..Item::plain("SYSTEM/manifest.ini", 0..0, stored) };
        let file = Source::new(INI_TEXT.as_bytes());
        let size = INI_TEXT.len() as u64;
        assert_eq!(fields(&file, &[item(0..size)]).len(), 5);
        assert!(fields(&file, &[item(0..size + 1)]).is_empty());
        assert!(fields(&file, &[item(0..LARGEST + 1)]).is_empty());
        assert!(fields(&file, &[]).is_empty());
    }
}
