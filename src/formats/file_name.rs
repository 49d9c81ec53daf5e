//! Parts of names of files, as text: of entries and references too, which are no paths of this system.

/// What follows the folders of a path; games write them with either slash.
pub fn last_part(path: &str) -> &str {
    path.rsplit(['\\', '/']).next().unwrap_or(path)
}

/// A file's name without its extension. A name that is nothing but an extension stays whole.
pub fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// What the two files of a pair have in common, of the stem of either: `Flag` of `Flag_a` and `Flag_d`, in any case.
pub fn stem_of_pair(stem: &str) -> Option<&str> {
    let (common, half) = stem.rsplit_once('_')?;
    (!common.is_empty() && (half.eq_ignore_ascii_case("a") || half.eq_ignore_ascii_case("d"))).then_some(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_as_text() {
        for (path, last, own) in [
            ("ca\\plants\\t_oak.p3d", "t_oak.p3d", "t_oak"),
            ("ca\\roads\\asf10 100.p3d", "asf10 100.p3d", "asf10 100"),
            ("a/b.c.p3d", "b.c.p3d", "b.c"),
            (".p3d", ".p3d", ".p3d"),
            ("folder\\", "", ""),
            ("a/b.c/ma.walk.bck", "ma.walk.bck", "ma.walk"),
            ("model", "model", "model"),
            (".psk", ".psk", ".psk"),
            ("folder/", "", ""),
            ("", "", ""),
        ] {
            assert_eq!((last_part(path), stem(last_part(path))), (last, own), "{path}");
        }
    }
    #[test]
    fn the_files_of_a_pair_share_a_stem() {
        let pairs = ["Flag_a", "Flag_D", "a_b_d", "_a", "Flag", "Flag_x", "Flag_ad", ""];
        let common = [Some("Flag"), Some("Flag"), Some("a_b"), None, None, None, None, None];
        assert_eq!(pairs.map(stem_of_pair), common);
    }
}
