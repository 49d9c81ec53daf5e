//! R5, R7: what one act of reading may cost. Whole files need a small part of it; where it is spent, reading ends and says so.

use crate::kit::{
    self,
    open::{Loading, Opening},
};
use bonebox::{
    bytes::{Allowance, Limits},
    formats::{
        Content, Diagnostic,
        common_codes::TOO_MUCH_WORK,
        unreal::encode::{Export, PackageWriter, write_text_buffer},
    },
};
use std::{collections::BTreeSet, fs};

/// Opens, checks, inspects and decodes all of a file; what was found, and whether anything was stopped.
fn everything(name: &str, bytes: &[u8], limits: Limits) -> (Vec<Diagnostic>, bool) {
    let opened = match (Opening { limits, ..Opening::of(name) }).open(bytes) {
        Ok(opened) => opened.checked(),
        Err(error) => return (Vec::new(), error.message.starts_with("reading was stopped")),
    };
    let mut found = opened.diagnostics;
    let mut stopped = false;
    for entry in opened.document.outline().entries() {
        let fields = opened.document.fields(entry.id);
        stopped |= fields.is_ok_and(|tree| tree.fields.last().is_some_and(|field| field.kind == "reading stopped"));
        if entry.content != Content::None {
            found.extend(Loading { name, limits, ..Loading::default() }.load(&*opened.document, entry.id).1);
        }
    }
    stopped |= found.iter().any(|d| d.code == TOO_MUCH_WORK.id);
    (found, stopped)
}

/// A file of each format that the project has one of: the largest.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for path in [kit::data(), kit::samples()].iter().flat_map(|folder| kit::files_below(folder)) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = fs::read(&path).unwrap();
        if let Ok(opened) = Opening::of(&name).open(bytes.as_slice()) {
            files.push((opened.document.format().id, name, bytes));
        }
    }
    files.sort_by_key(|(format, _, bytes)| (*format, std::cmp::Reverse(bytes.len())));
    files.dedup_by_key(|(format, ..)| *format);
    assert!(files.len() > 20, "{}", files.len());
    files.into_iter().map(|(_, name, bytes)| (name, bytes)).collect()
}

#[test]
fn whole_files_need_a_small_part_of_their_budget() {
    let limits = Limits {
        steps: Allowance { base: 16 << 18, per_byte: 16 },
        built_bytes: Allowance { base: 16 << 20, per_byte: 16 },
        ..Limits::default()
    };
    for (name, bytes) in files() {
        assert!(!everything(&name, &bytes, limits).1, "{name}");
    }
}

#[test]
fn reading_ends_where_the_budget_does_and_says_so() {
    let few = |steps, bytes| Limits {
        steps: Allowance { base: steps, per_byte: 0 },
        built_bytes: Allowance { base: bytes, per_byte: 0 },
        ..Limits::default()
    };
    let mut stopped = [BTreeSet::new(), BTreeSet::new()];
    let files = files();
    for (name, bytes) in &files {
        // Reading it twice finds the same.
        for (what, limits) in [few(1, u64::MAX), few(u64::MAX, 1)].into_iter().enumerate() {
            let (found, is_stopped) = everything(name, bytes, limits);
            let again = everything(name, bytes, limits);
            assert_eq!((&found, is_stopped), (&again.0, again.1), "{name}");
            if is_stopped {
                stopped[what].insert(name.as_str());
            }
            let (whole, is_stopped) = everything(name, bytes, Limits::default());
            assert!(!is_stopped && whole.iter().all(|d| d.code != TOO_MUCH_WORK.id), "{name}");
        }
    }
    // A file of a few numbers takes no more steps than a reader charges at once.
    let all: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(stopped[0].union(&stopped[1]).copied().collect::<BTreeSet<_>>(), all);
}

/// What is read again for each part of a file shows in large files alone.
#[test]
fn large_files_need_a_small_part_of_their_budget() {
    let few = Limits { steps: Allowance { base: 16 << 14, per_byte: 16 }, ..Limits::default() };
    // Names end with a zero before version 64, and have their length in front after it.
    for version in [61, 69] {
        let mut package = PackageWriter::new(version, 0);
        let class = package.class("Core", "TextBuffer");
        for number in 0..20_000 {
            package.add(&Export::new(class, &format!("Text{number}")), |out| write_text_buffer(out, "text"));
        }
        let bytes = package.finish();
        let (found, is_stopped) = everything("large.u", &bytes, few);
        assert!(!is_stopped && found.is_empty(), "version {version}, {} bytes: {found:?}", bytes.len());
    }
}
