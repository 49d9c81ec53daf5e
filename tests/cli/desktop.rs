//! What the desktop is told of the program.

use bonebox::formats::FORMATS;
use std::{collections::BTreeSet, fs, path::Path};

/// Extensions that systems know already, or that say nothing of what is in a file.
const ELSEWHERE: [&str; 13] =
    ["png", "tga", "bmp", "dds", "zip", "7z", "rar", "iso", "mdf", "cue", "001", "z01", "r00"];

fn described() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/desktop/bonebox.mime.xml")).unwrap()
}

/// What stands in quotes after each `before`.
fn quoted<'a>(text: &'a str, before: &str) -> Vec<&'a str> {
    text.split(before).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_extension_that_opens_has_a_type_unless_systems_know_it() {
    let text = described();
    let typed: Vec<&str> = quoted(&text, "<glob pattern=\"*.");
    let opened: BTreeSet<&str> = FORMATS.iter().flat_map(|format| format.info().extensions).copied().collect();
    let missing: Vec<&&str> = opened.iter().filter(|each| !typed.contains(each) && !ELSEWHERE.contains(each)).collect();
    assert!(missing.is_empty(), "no type has {missing:?}");
    let unknown: Vec<&&str> = typed.iter().filter(|each| !opened.contains(*each)).collect();
    assert!(unknown.is_empty(), "nothing opens {unknown:?}");
    let taken: Vec<&&str> = typed.iter().filter(|each| ELSEWHERE.contains(each)).collect();
    assert!(taken.is_empty(), "{taken:?} are somebody else's");
    assert_eq!(typed.iter().collect::<BTreeSet<_>>().len(), typed.len(), "one type each");
}

#[test]
fn types_are_the_programs_own() {
    let text = described();
    let types = quoted(&text, "<mime-type type=\"");
    assert!(types.len() > 25);
    // Registered ones have no x-.
    assert!(types.iter().all(|each| each.contains("/x-")), "{types:?}");
}
