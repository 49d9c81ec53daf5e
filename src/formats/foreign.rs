//! What a file is that no format takes, in words: people drop pictures, archives and pointers too.

/// Bytes that are looked at.
const HEAD: usize = 8 << 10;

/// What is first in the file that stands for one that git did not fetch.
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Abbreviations that are said as words.
const WORDS: [&str; 6] = ["RAR", "RPM", "LZ", "LZ4", "HEIF", "NES"];

/// What the bytes of a file say that it is: “a ZIP archive”. `None` where they say nothing that is known for certain.
pub fn known_kind(bytes: &[u8]) -> Option<String> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    if head.is_empty() {
        return Some("an empty file".to_owned());
    }
    if head.starts_with(LFS_POINTER) {
        return Some("a Git LFS pointer, not the file itself (run “git lfs pull” to get the file)".to_owned());
    }
    if is_html(head) {
        return Some("an HTML page".to_owned());
    }
    let found = infer::get(head)?;
    let name = found.extension().to_uppercase();
    let kind = match found.matcher_type() {
        infer::MatcherType::App => "program",
        infer::MatcherType::Archive if name == "PDF" => "document",
        infer::MatcherType::Archive => "archive",
        infer::MatcherType::Audio => "audio file",
        infer::MatcherType::Book => "book",
        infer::MatcherType::Doc => "document",
        infer::MatcherType::Font => "font",
        infer::MatcherType::Image => "image",
        infer::MatcherType::Video => "video",
        infer::MatcherType::Text | infer::MatcherType::Custom => "file",
    };
    Some(format!("{} {name} {kind}", article(&name)))
}

/// As [`known_kind`]; what has only letters in it is a text.
pub fn kind(bytes: &[u8]) -> Option<String> {
    known_kind(bytes).or_else(|| is_text(bytes.get(..HEAD).unwrap_or(bytes)).then(|| "a text file".to_owned()))
}

/// “an MP3”, “a PNG”: as the letters are said, or the word that they are.
fn article(name: &str) -> &'static str {
    let vowels = if WORDS.contains(&name) { "AEIO" } else { "AEFHILMNORSX8" };
    if name.starts_with(|first: char| vowels.contains(first)) { "an" } else { "a" }
}

fn is_html(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    [b"<!doctype html".as_slice(), b"<html"]
        .iter()
        .any(|tag| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag)))
}

fn is_text(head: &[u8]) -> bool {
    let is_letter = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7E);
    if head.is_empty() {
        return false;
    }
    if head.iter().all(is_letter) {
        return true;
    }
    // A letter may be cut where the bytes that are looked at end.
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(head.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !valid.is_empty() && valid.chars().all(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_kinds_are_named() {
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        let cases: [(&[u8], &str); 12] = [
            (b"", "an empty file"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
            (b"PK\x03\x04\x14\0\0\0", "a ZIP archive"),
            (b"Rar!\x1a\x07\0more", "a RAR archive"),
            (b"7z\xBC\xAF\x27\x1C\0\x04", "a 7Z archive"),
            (b"ID3\x03\0\0\0\0", "an MP3 audio file"),
            (b"%PDF-1.7\n", "a PDF document"),
            (b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "an ELF program"),
            (b"\xEF\xBB\xBF  <!DOCTYPE html><title>404</title>", "an HTML page"),
            (b"[AnimSet]\nbTranslation=1\n", "a text file"),
            ("Größe = 3\n".as_bytes(), "a text file"),
            (&tar, "a TAR archive"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(kind(bytes).as_deref(), Some(expected));
        }
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        assert!(kind(pointer).unwrap().starts_with("a Git LFS pointer"));
        for bytes in [b"\0\0\0\0".as_slice(), b"\x01\x02text\xFF", b"\xC3\x28 no UTF-8"] {
            assert_eq!(kind(bytes), None, "{bytes:?}");
        }
        // A letter that is cut at the end of what is looked at.
        let mut long = vec![b'a'; HEAD - 1];
        long.extend("ö and on".as_bytes());
        assert_eq!(kind(&long).as_deref(), Some("a text file"));
    }
}
