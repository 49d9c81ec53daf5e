//! Text fields of fixed width.

use encoding_rs::WINDOWS_1252;

/// Text up to the first NUL (or the whole field), trailing blanks stripped: UTF-8 where bytes from 0x80 up are valid UTF-8,
/// otherwise windows-1252.
pub fn decode_field(field: &[u8]) -> String {
    let text = field.split(|b| *b == 0).next().unwrap_or_default();
    decode(text).trim_end_matches(' ').to_owned()
}

/// UTF-8 where it is valid, otherwise windows-1252.
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

/// windows-1252 where every character has a place there, otherwise UTF-8: what [`decode`] reads back as the same text.
pub fn encode(text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = WINDOWS_1252.encode(text);
    if unmappable || decode(&bytes) != text { text.as_bytes().to_vec() } else { bytes.into_owned() }
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
    fn what_is_encoded_reads_back() {
        for text in ["Hips", "Händ", "手", "Ã¤"] {
            assert_eq!(decode(&encode(text)), text);
        }
    }
}
