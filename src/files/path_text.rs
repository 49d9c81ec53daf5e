//! Converts paths to text without loss, for keys, lists and JSON. U+FFFD and two hexadecimal digits replace each byte that is not Unicode
//! (on Windows four digits, for a surrogate without its pair). U+FFFD in a name is written in the same way: two names never have the same
//! text.

use std::{
    borrow::Cow,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// The character before the digits.
const MARK: char = char::REPLACEMENT_CHARACTER;

/// Converts a path to text. A path that is Unicode stays the same, unless it contains U+FFFD.
pub fn text_of(path: &Path) -> Cow<'_, str> {
    match path.to_str() {
        Some(text) if !text.contains(MARK) => Cow::Borrowed(text),
        _ => Cow::Owned(marked(path.as_os_str())),
    }
}

/// Converts the text of [`text_of`] back to a path.
pub fn path_of(text: &str) -> PathBuf {
    if text.contains(MARK) { unmarked(text).into() } else { text.into() }
}

/// Converts the last part of a path to text. Returns an empty text if the path has none.
pub fn name_text(path: &Path) -> Cow<'_, str> {
    text_of(Path::new(path.file_name().unwrap_or_default()))
}

#[cfg(unix)]
fn marked(name: &OsStr) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let mut text = String::new();
    for chunk in name.as_bytes().utf8_chunks() {
        for (at, valid) in chunk.valid().split(MARK).enumerate() {
            if at > 0 {
                MARK.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| mark(&mut text, byte.into(), 2));
            }
            text.push_str(valid);
        }
        chunk.invalid().iter().for_each(|byte| mark(&mut text, u16::from(*byte), 2));
    }
    text
}

#[cfg(windows)]
fn marked(name: &OsStr) -> String {
    use std::os::windows::ffi::OsStrExt as _;
    let mut text = String::new();
    for decoded in char::decode_utf16(name.encode_wide()) {
        match decoded {
            Ok(MARK) => mark(&mut text, 0xFFFD, 4),
            Ok(valid) => text.push(valid),
            Err(invalid) => mark(&mut text, invalid.unpaired_surrogate(), 4),
        }
    }
    text
}

/// Converts a name, which is always Unicode on this system.
#[cfg(not(any(unix, windows)))]
fn marked(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}

#[cfg(any(unix, windows))]
fn mark(text: &mut String, unit: u16, digits: usize) {
    use std::fmt::Write as _;
    // A text takes all that is written.
    let _ = write!(text, "{MARK}{unit:0digits$X}");
}

#[cfg(unix)]
fn unmarked(text: &str) -> OsString {
    use std::os::unix::ffi::OsStringExt as _;
    let mut bytes = Vec::new();
    for piece in pieces(text, 2) {
        match piece {
            Ok(valid) => bytes.extend_from_slice(valid.as_bytes()),
            Err(unit) => bytes.extend(u8::try_from(unit)),
        }
    }
    OsString::from_vec(bytes)
}

#[cfg(windows)]
fn unmarked(text: &str) -> OsString {
    use std::os::windows::ffi::OsStringExt as _;
    let mut units = Vec::new();
    for piece in pieces(text, 4) {
        match piece {
            Ok(valid) => units.extend(valid.encode_utf16()),
            Err(unit) => units.push(unit),
        }
    }
    OsString::from_wide(&units)
}

#[cfg(not(any(unix, windows)))]
fn unmarked(text: &str) -> OsString {
    text.into()
}

/// Splits a text into valid pieces and the units behind marks. A mark without digits is valid.
#[cfg(any(unix, windows))]
fn pieces(text: &str, digits: usize) -> Vec<Result<&str, u16>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(MARK) {
        let unit = after.get(..digits).filter(|unit| unit.bytes().all(|byte| byte.is_ascii_hexdigit()));
        pieces.push(Ok(before));
        match unit.and_then(|unit| u16::from_str_radix(unit, 16).ok()) {
            Some(unit) => pieces.push(Err(unit)),
            None => pieces.push(Ok("\u{FFFD}")),
        }
        rest = after.get(unit.map_or(0, str::len)..).unwrap_or_default();
    }
    pieces.push(Ok(rest));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unicode_is_its_own_text() {
        for path in ["/games/a.psk", "models\\ä 漢 \u{1F600}.psk", "\\xFF", "%FF", ""] {
            assert!(matches!(text_of(Path::new(path)), Cow::Borrowed(text) if text == path));
            assert_eq!(path_of(path), Path::new(path));
        }
        // A mark in a name is no sign of anything, and comes back.
        for path in ["\u{FFFD}", "a\u{FFFD}FF.psk", "\u{FFFD}\u{FFFD}", "\u{FFFD}EF\u{FFFD}BF\u{FFFD}BD", "\u{FFFD}ä"]
        {
            assert_eq!(path_of(&text_of(Path::new(path))), Path::new(path));
        }
        // Nobody wrote this: it stays.
        for text in ["\u{FFFD}", "a\u{FFFD}", "\u{FFFD}+1", "\u{FFFD}ä1", "\u{FFFD}G0\u{FFFD}"] {
            assert_eq!(path_of(text), Path::new(text));
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_unicode_have_a_text_each_and_come_back() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = |bytes: &'static [u8]| Path::new(OsStr::from_bytes(bytes));
        assert_eq!(text_of(path(b"/a/b\xFFc.psk")), "/a/b\u{FFFD}FFc.psk");
        let names: [&[u8]; 9] = [
            b"a\xFF",
            b"a\xFE",
            b"a\xFFFF",
            b"a\xEF\xBF\xBDFF",
            b"a\xEF\xBF\xBD",
            b"a\xEF\xBF",
            b"\xC3\xA4\xC3",
            b"\xED\xA0\x80",
            b"\xFF/\xFE/a",
        ];
        let texts: std::collections::BTreeSet<String> = names.iter().map(|name| text_of(path(name)).into()).collect();
        assert_eq!(texts.len(), names.len(), "{texts:?}");
        for name in names {
            assert_eq!(path_of(&text_of(path(name))), path(name));
        }
        // A name that looks like another one's text.
        let looks_alike = text_of(path(b"a\xFF")).into_owned();
        assert_ne!(text_of(Path::new(&looks_alike)), looks_alike);
        assert_eq!(name_text(path(b"/b/a\xFF")), "a\u{FFFD}FF");
    }

    #[cfg(windows)]
    #[test]
    fn surrogates_without_a_pair_come_back() {
        use std::os::windows::ffi::OsStringExt as _;
        let path = PathBuf::from(OsString::from_wide(&[0x61, 0xD800, 0x62, 0xFFFD, 0xD83D, 0xDE00]));
        assert_eq!(text_of(&path), "a\u{FFFD}D800b\u{FFFD}FFFD\u{1F600}");
        assert_eq!(path_of(&text_of(&path)), path);
    }
}
