//! Code page 437, in which names of old archives and of plain ISO 9660 discs are (formats/containers.md §1.2).

/// The characters of the bytes from 80h on.
const UPPER: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";

/// Text of which every byte is a character.
pub fn decode(bytes: &[u8]) -> String {
    let letter = |byte: &u8| match byte.checked_sub(0x80) {
        Some(upper) => UPPER.chars().nth(usize::from(upper)).unwrap_or(char::REPLACEMENT_CHARACTER),
        None => char::from(*byte),
    };
    bytes.iter().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_characters_of_the_code_page() {
        assert_eq!(UPPER.chars().count(), 128);
        assert_eq!(decode(b"K\x84se"), "Käse");
        // Known places: the pound sign, the first and the last of the box drawings, the sharp s, the last.
        assert_eq!(decode(&[0x9C, 0xB3, 0xDA, 0xE1, 0xFE, 0xFF]), "£│┌ß■\u{A0}");
    }
}
