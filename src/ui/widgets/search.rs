//! Finding things by a few letters.

/// How well a name answers to a query: `None` when not at all, higher is better. Words of the query may stand in any order;
/// each is a part of the name, or its letters follow one another there.
pub fn score(query: &str, name: &str) -> Option<u32> {
    let name = name.to_lowercase();
    let mut total = 0;
    for word in query.to_lowercase().split_whitespace() {
        total += word_score(word, &name)?;
    }
    // Of two that match alike, the shorter name is closer to what was typed.
    Some(total * 64 + 63_u32.saturating_sub(name.len() as u32 / 2))
}

fn word_score(word: &str, name: &str) -> Option<u32> {
    if name.starts_with(word) {
        return Some(100);
    }
    if let Some(at) = name.find(word) {
        let starts_word = name[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        return Some(if starts_word { 80 } else { 50 });
    }
    // Letters in order; those that start words count for more.
    let mut total = 0;
    let mut wanted = word.chars().peekable();
    let mut before = ' ';
    for letter in name.chars() {
        if wanted.peek() == Some(&letter) {
            wanted.next();
            total += if before.is_alphanumeric() { 1 } else { 6 };
        }
        before = letter;
    }
    (wanted.peek().is_none() && word.chars().count() > 1).then(|| total.min(40))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_matches_score_higher() {
        assert!(score("wire", "Wireframe") > score("wire", "Toggle wireframe"));
        assert!(score("wire", "Toggle wireframe") > score("ireframe", "Toggle wireframe"));
        assert!(score("tw", "Toggle wireframe").is_some());
        assert!(score("frame next", "Next frame").is_some());
        assert!(score("xyz", "Next frame").is_none());
        assert!(score("", "Next frame").is_some());
        assert!(score("play", "Play") > score("play", "Play backwards through the clip"));
    }
}
