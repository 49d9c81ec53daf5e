//! Long names and paths, shortened for lines of the window.

/// Replaces the middle of a text that is longer than `max` characters by `…`.
pub fn shortened(text: &str, max: usize) -> String {
    let count = text.chars().count();
    if count <= max {
        return text.to_owned();
    }
    let half = max / 2;
    let first: String = text.chars().take(half).collect();
    let last: String = text.chars().skip(count - half + 1).collect();
    format!("{first}…{last}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_lose_their_middle() {
        assert_eq!(shortened("/games/ä.psk", 12), "/games/ä.psk");
        assert_eq!(shortened("/games/models/ä.psk", 12), "/games…ä.psk");
        assert_eq!(shortened(&"a".repeat(5_000), 36).chars().count(), 36);
    }
}
