//! Names of the pictures of one clip.

use std::path::{Path, PathBuf};

/// The picture with this running number: `{frame}` and `{frame:0WIDTH}` in the file name become the number; where neither is
/// there, four digits go before the extension.
pub fn numbered(path: &Path, number: u32) -> PathBuf {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let with_number = substituted(&name, number).unwrap_or_else(|| match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}{number:04}.{extension}"),
        None => format!("{name}{number:04}"),
    });
    path.with_file_name(with_number)
}

/// `None` where there is no place for the number.
fn substituted(name: &str, number: u32) -> Option<String> {
    let mut text = String::new();
    let mut rest = name;
    let mut found = false;
    while let Some((before, after)) = rest.split_once("{frame") {
        let Some((format, tail)) = after.split_once('}') else { break };
        text.push_str(before);
        match width(format) {
            Some(width) => {
                text.push_str(&format!("{number:0width$}"));
                found = true;
            }
            None => text.push_str(&format!("{{frame{format}}}")),
        }
        rest = tail;
    }
    text.push_str(rest);
    found.then_some(text)
}

/// Digits of `{frame}` (no least number of them) and of `{frame:04}`.
fn width(format: &str) -> Option<usize> {
    match format.strip_prefix(":0") {
        _ if format.is_empty() => Some(1),
        Some(digits) => digits.parse().ok().filter(|width| (1..=20).contains(width)),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_goes_where_it_is_asked_for_or_before_the_extension() {
        let name = |text: &str| numbered(Path::new(text), 7).display().to_string();
        assert_eq!(name("walk.png"), "walk0007.png");
        assert_eq!(name("out/walk.v2.png"), "out/walk.v20007.png");
        assert_eq!(name("walk_{frame:04}.png"), "walk_0007.png");
        assert_eq!(name("{frame}-{frame:02}.png"), "7-07.png");
        assert_eq!(name("{frame:x}{frame:3}.png"), "{frame:x}{frame:3}0007.png");
        assert_eq!(name("{frame:099}.png"), "{frame:099}0007.png");
        assert_eq!(name("{frame.png"), "{frame0007.png");
        // Folders keep their names.
        assert_eq!(name("{frame:04}/a.png"), "{frame:04}/a0007.png");
    }
}
