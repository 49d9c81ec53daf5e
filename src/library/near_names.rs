//! Names that nearly match what was typed.

/// Maximum number of names that are suggested.
const MAX_SUGGESTED: usize = 3;
/// Maximum number of names that are compared.
const MAX_COMPARED: usize = 200_000;
/// Maximum number of characters of a name that is compared.
const MAX_CHARS: usize = 64;
/// Minimum number of characters of a part of a name that is suggested.
const MIN_PART: usize = 3;

/// `; did you mean “Walk” or “Walk2”?`, or nothing without near names. Case does not count.
pub fn suggestion<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = nearest(wanted, names).iter().map(|name| format!("“{name}”")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => format!("; did you mean {only}?"),
        [others @ .., last] => format!("; did you mean {} or {last}?", others.join(", ")),
    }
}

/// The nearest names, each once: those with the fewest changes of letters, then those that contain the wanted text.
fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = lower(wanted);
    if wanted.is_empty() || wanted.len() > MAX_CHARS {
        return Vec::new();
    }
    let limit = (wanted.len() / 3).max(1);
    let part: String = wanted.iter().collect();
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in names.into_iter().take(MAX_COMPARED) {
        // Two more bytes than four a character are too long in any script.
        if name.len() > MAX_CHARS * 4 || found.iter().any(|(_, known)| *known == name) {
            continue;
        }
        let letters = lower(name);
        let changes = changes_within(&wanted, &letters, limit);
        let contains = || wanted.len() >= MIN_PART && letters.iter().collect::<String>().contains(&part);
        if let Some(changes) = changes.or_else(|| contains().then_some(limit + 1)) {
            let place = found.partition_point(|(known, _)| *known <= changes);
            found.insert(place, (changes, name));
            found.truncate(MAX_SUGGESTED);
        }
    }
    found.into_iter().map(|(_, name)| name).collect()
}

fn lower(name: &str) -> Vec<char> {
    name.chars().flat_map(char::to_lowercase).collect()
}

/// The number of letters to insert, remove, replace or swap with the next one; `None` for more than `limit`.
fn changes_within(left: &[char], right: &[char], limit: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, a) in left.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, b) in right.iter().enumerate() {
            let mut changes = (last[column] + usize::from(a != b)).min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && *a == right[column - 1] && left[row - 1] == *b {
                changes = changes.min(before[column - 1] + 1);
            }
            next.push(changes);
        }
        if next.iter().all(|changes| *changes > limit) {
            return None;
        }
        before = std::mem::replace(&mut last, next);
    }
    last.last().copied().filter(|changes| *changes <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_the_nearest_first() {
        let names = ["Idle", "Walk", "WalkBack", "Wink", "Talk", "walk2", "Swim", "Walk"];
        // walkk: Walk has one letter less, walk2 another one, WalkBack and the others more.
        assert_eq!(suggestion("walkk", names), "; did you mean “Walk” or “walk2”?");
        assert_eq!(suggestion("wlak", names), "; did you mean “Walk”?");
        assert_eq!(suggestion("back", names), "; did you mean “WalkBack”?");
        assert_eq!(suggestion("Jump", names), "");
        assert_eq!(suggestion("", names), "");
        assert_eq!(suggestion(&"x".repeat(1000), names), "");
    }

    #[test]
    fn letters_that_change_places_count_once() {
        let changes = |a: &str, b: &str, limit| changes_within(&lower(a), &lower(b), limit);
        assert_eq!(changes("abcd", "abdc", 3), Some(1));
        assert_eq!(changes("kitten", "sitting", 3), Some(3));
        assert_eq!(changes("kitten", "sitting", 2), None);
        assert_eq!(changes("", "ab", 2), Some(2));
        assert_eq!(changes("same", "SAME", 1), Some(0));
    }
}
