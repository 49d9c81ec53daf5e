//! Text fields of fixed width.

use encoding_rs::{SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Text up to the first NUL (or the whole field), trailing blanks stripped: UTF-8 where bytes from 0x80 up are valid UTF-8,
/// otherwise windows-1252. A field that is full may end within a UTF-8 character, which is left out.
pub fn decode_field(field: &[u8]) -> String {
    let text = field.split(|b| *b == 0).next().unwrap_or_default();
    let text = if text.len() == field.len() { without_cut_character(text) } else { text };
    decode(text).trim_end_matches(' ').to_owned()
}

/// Leaves out the start of a character at the end of what is UTF-8 otherwise, and more than ASCII.
fn without_cut_character(text: &[u8]) -> &[u8] {
    match std::str::from_utf8(text) {
        Err(error) if error.error_len().is_none() => {
            let whole = text.get(..error.valid_up_to()).unwrap_or_default();
            if whole.is_ascii() { text } else { whole }
        }
        _ => text,
    }
}

/// UTF-8 where it is valid, otherwise windows-1252.
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

/// windows-1252, whatever the bytes are: every byte stands for a character.
pub fn windows_1252(bytes: &[u8]) -> String {
    WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned()
}

/// Shift-JIS (ASCII is part of it); what is no character becomes U+FFFD.
pub fn shift_jis(bytes: &[u8]) -> String {
    SHIFT_JIS.decode_without_bom_handling(bytes).0.into_owned()
}

/// UTF-16, low byte first; what is no character becomes U+FFFD.
pub fn utf_16_le(bytes: &[u8]) -> String {
    UTF_16LE.decode_without_bom_handling(bytes).0.into_owned()
}

/// UTF-16, high byte first; what is no character becomes U+FFFD.
pub fn utf_16_be(bytes: &[u8]) -> String {
    UTF_16BE.decode_without_bom_handling(bytes).0.into_owned()
}

/// windows-1252 where every character has a place there, otherwise UTF-8: what [`decode`] reads back as the same text.
pub fn encode(text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = WINDOWS_1252.encode(text);
    if unmappable || decode(&bytes) != text { text.as_bytes().to_vec() } else { bytes.into_owned() }
}

/// How a letter is written in one encoding; nothing where it has no place there.
pub type EncodeLetter = fn(char) -> Option<Vec<u8>>;

/// Letters in the encodings of old games: UTF-8 (ASCII is part of it), windows-1252, UTF-16 of both byte orders, Shift-JIS.
pub fn encodings() -> [EncodeLetter; 5] {
    fn utf_16(letter: char, bytes: fn(u16) -> [u8; 2]) -> Option<Vec<u8>> {
        Some(letter.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| bytes(*unit)).collect())
    }
    fn encoded(letter: char, encoding: &'static encoding_rs::Encoding) -> Option<Vec<u8>> {
        let mut letters = [0; 4];
        let (bytes, _, is_lost) = encoding.encode(letter.encode_utf8(&mut letters));
        (!is_lost).then(|| bytes.into_owned())
    }
    [
        |letter| Some(letter.encode_utf8(&mut [0; 4]).as_bytes().to_vec()),
        |letter| encoded(letter, WINDOWS_1252),
        |letter| utf_16(letter, u16::to_le_bytes),
        |letter| utf_16(letter, u16::to_be_bytes),
        |letter| encoded(letter, SHIFT_JIS),
    ]
}

/// The form in which names are compared without regard to case (all letters, not only ASCII).
pub fn fold(name: &str) -> String {
    name.trim_end_matches(' ').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_end_at_nul_and_lose_their_padding() {
        assert_eq!(decode_field(b"Hips   \0garbage"), "Hips");
        assert_eq!(decode_field(b"Full"), "Full");
        assert_eq!(decode_field(b""), "");
    }

    #[test]
    fn both_encodings_are_read() {
        assert_eq!(decode_field(b"H\xE4nd\0"), "Händ");
        assert_eq!(decode_field("Händ\0".as_bytes()), "Händ");
    }

    #[test]
    fn a_character_cut_at_the_end_of_a_full_field_is_left_out() {
        let long = "手".repeat(22);
        assert_eq!(decode_field(&long.as_bytes()[..64]), "手".repeat(21));
        // One byte of windows-1252 at the end is a letter of its own; before a NUL nothing was cut.
        assert_eq!(decode_field(b"Hand\xE4"), "Handä");
        assert_eq!(decode_field(b"\xC3\xA4Hand\xE4\0"), "Ã¤Handä");
    }

    #[test]
    fn what_is_encoded_reads_back() {
        for text in ["Hips", "Händ", "手", "Ã¤"] {
            assert_eq!(decode(&encode(text)), text);
        }
    }
}
