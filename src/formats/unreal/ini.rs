//! What the games' ini files say of packages (formats/unreal.md §3.5).

use std::collections::HashMap;

/// `[PackageRemap]` of an ini: `Old=New`, keys in lower case.
pub fn package_remap(ini: &str) -> HashMap<String, String> {
    let mut inside = false;
    let mut map = HashMap::new();
    for line in ini.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.eq_ignore_ascii_case("[PackageRemap]");
        } else if inside && let Some((old, new)) = line.split_once('=') {
            map.insert(old.trim().to_ascii_lowercase(), new.trim().to_owned());
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remap_section_alone_is_read() {
        let map = package_remap("[Core]\nA=B\n[packageremap]\n UnrealI = UnrealShare\n[Other]\nC=D");
        assert_eq!(map.len(), 1);
        assert_eq!(map["unreali"], "UnrealShare");
    }
}
