//! The file and the entry that the command line selects, and the entries of a file that are listed.

use super::{
    Failure, ReadingArgs,
    output::{plain, print_diagnostics},
};
use crate::{
    bytes::Cancel,
    formats::{Asset, Content, Document, Entry, EntryId, LoadOptions},
    library::{OpenFile, OpenOptions, primaries, suggestion, text_of},
    scene::{Clip, Model},
};
use std::{
    borrow::Cow,
    fmt::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Maximum number of candidates that an error lists.
const MAX_CANDIDATES: usize = 40;

/// Maximum number of entries whose paths are compared with one that was not found.
const MAX_PATHS: usize = 20_000;

/// Opens a file and prints the diagnostics of opening.
pub fn open(path: &Path) -> Result<OpenFile, Failure> {
    open_as(path, &ReadingArgs::default(), true)
}

/// Opens a file like [`open`], with reading options. With `alone`, no other file is opened, and the options must apply to this file.
pub fn open_as(path: &Path, reading: &ReadingArgs, alone: bool) -> Result<OpenFile, Failure> {
    let file = open_silently(path, reading, alone)?;
    print_diagnostics(&file, &file.diagnostics);
    Ok(file)
}

/// Opens a file like [`open_as`], without printing the diagnostics.
pub fn open_silently(path: &Path, reading: &ReadingArgs, alone: bool) -> Result<OpenFile, Failure> {
    if alone {
        reading.prepare(path);
    }
    let file = OpenOptions::new()
        .folders(reading.folders())
        .reading(&reading.overrides())
        // Pipes in a folder are not read.
        .pipes(alone)
        .open(path)?;
    reading.check(&file, alone)?;
    Ok(file)
}

/// Finds an entry by path, `#N` or name. If several entries have the name, the one with a fitting kind of content is returned.
pub fn find_entry<'a>(file: &'a OpenFile, wanted: &str, fitting: &[Content]) -> Result<&'a Entry, Failure> {
    let outline = file.document.outline();
    if let Some(entry) = outline.find(wanted) {
        return Ok(entry);
    }
    let name = wanted.to_lowercase();
    let named: Vec<&Entry> = outline.entries().iter().skip(1).filter(|e| e.name.to_lowercase() == name).collect();
    let fits: Vec<&Entry> = named.iter().copied().filter(|e| fitting.contains(&e.content)).collect();
    let found = if fits.is_empty() { named } else { fits };
    match found.as_slice() {
        [] => {
            let candidates: Vec<&Entry> =
                outline.entries().iter().filter(|e| fitting.is_empty() || fitting.contains(&e.content)).collect();
            let near = near_entries(wanted, &candidates);
            let hint = if near.is_empty() { listing(&candidates) } else { near };
            Err(Failure::of_file(&file.name, format!("no entry “{wanted}”{hint}")))
        }
        // Formats allow equal names: the first one has the path.
        [first, rest @ ..] if rest.iter().all(|e| e.path().to_lowercase() == first.path().to_lowercase()) => Ok(first),
        several => Err(Failure::of_file(&file.name, format!("several entries match “{wanted}”{}", listing(several)))),
    }
}

/// Returns the specified entry. Its content must be one of `fitting`. Default: the main entry with such content.
pub fn fitting_entry<'a>(
    file: &'a OpenFile,
    wanted: Option<&str>,
    fitting: &[Content],
    what: &str,
) -> Result<&'a Entry, Failure> {
    if let Some(wanted) = wanted {
        let entry = find_entry(file, wanted, fitting)?;
        if fitting.contains(&entry.content) {
            return Ok(entry);
        }
        let outline = file.document.outline();
        // The meshes of a model are asked for by their names alone.
        let candidates: Vec<&Entry> =
            outline.entries().iter().filter(|e| fitting.contains(&e.content) && !outline.is_part(e)).collect();
        return Err(Failure::of_file(
            &file.name,
            format!("“{wanted}” has class {}, expected {what}{}", entry.class, listing(&candidates)),
        ));
    }
    let equals: Vec<&Entry> = primaries(file, fitting).into_iter().filter_map(|id| file.entry(id)).collect();
    match equals.as_slice() {
        [] => Err(Failure::of_file(&file.name, format!("contains no {what}"))),
        [only] => Ok(only),
        several => Err(Failure::of_file(
            &file.name,
            format!("{} entries match: specify one{}", several.len(), listing(several)),
        )),
    }
}

/// Returns entries with a name or path similar to the specified one.
fn near_entries(wanted: &str, entries: &[&Entry]) -> String {
    match wanted.contains('/') {
        true => {
            let paths: Vec<Cow<'_, str>> = entries.iter().take(MAX_PATHS).map(|entry| entry.path()).collect();
            suggestion(wanted, paths.iter().map(Cow::as_ref))
        }
        false => suggestion(wanted, entries.iter().map(|entry| &*entry.name)),
    }
}

fn listing(candidates: &[&Entry]) -> String {
    let mut text = String::new();
    for entry in candidates.iter().take(MAX_CANDIDATES) {
        let _ = write!(text, "\n  #{:<4} {:<12} {}", entry.id.0, entry.class, plain(&entry.path()));
    }
    if candidates.len() > MAX_CANDIDATES {
        let _ = write!(text, "\n  and {} more", candidates.len() - MAX_CANDIDATES);
    }
    if text.is_empty() { text } else { format!("; candidates:{text}") }
}

/// Decodes an entry and prints the diagnostics.
pub fn load(file: &OpenFile, entry: EntryId, options: LoadOptions) -> Result<Asset, Failure> {
    let loaded = file.load(entry, options, Cancel::never()).map_err(|e| Failure::of_file(&file.name, e))?;
    print_diagnostics(file, &loaded.diagnostics);
    Ok(loaded.asset)
}

pub fn load_model(file: &OpenFile, entry: &Entry, options: LoadOptions) -> Result<Arc<Model>, Failure> {
    match load(file, entry.id, options)? {
        Asset::Model(model) => Ok(model),
        _ => Err(Failure::of_file(&file.name, format!("“{}” is not a model", entry.path()))),
    }
}

pub fn load_clip(file: &OpenFile, entry: &Entry, options: LoadOptions) -> Result<Arc<Clip>, Failure> {
    match load(file, entry.id, options)? {
        Asset::Clip(clip) => Ok(clip),
        _ => Err(Failure::of_file(&file.name, format!("“{}” is not a clip", entry.path()))),
    }
}

/// A value `FILE[::ENTRY]` of `--clip`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClipName {
    pub file: PathBuf,
    pub entry: Option<String>,
}

impl ClipName {
    /// Splits the value at the first `::` that follows the name of an existing file, because names of entries may contain `::`. If there
    /// is no such file, splits at the last `::`. The name of an existing file is not split.
    ///
    /// # Errors
    /// Returns an error if the file or the entry is empty.
    pub fn parse(text: &str) -> Result<Self, String> {
        let splits = || text.match_indices("::").map(|(at, mark)| (&text[..at], &text[at + mark.len()..]));
        let named = splits().find(|(file, _)| is_there(file));
        let (file, entry) = match named.or_else(|| splits().last()) {
            Some((file, entry)) if !is_there(text) => (file, Some(entry)),
            _ => (text, None),
        };
        if file.is_empty() || entry == Some("") {
            return Err("expected FILE or FILE::ENTRY".to_owned());
        }
        Ok(Self { file: PathBuf::from(file), entry: entry.map(str::to_owned) })
    }

    /// Returns the value if it can only be the name of a clip: there is no such file, and the value contains no folder.
    pub fn bare_name(&self) -> Option<String> {
        let path = &self.file;
        let is_bare = path.components().count() == 1 && !path.exists() && !ends_with_separator(path);
        (self.entry.is_none() && is_bare).then(|| path.to_string_lossy().into_owned())
    }
}

/// Returns true if a path ends with a separator and can only be a folder.
pub fn ends_with_separator(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator)
}

/// Returns true if a file or a pipe with this name exists.
fn is_there(name: &str) -> bool {
    std::fs::metadata(name).is_ok_and(|meta| !meta.is_dir())
}

/// Returns the name of an entry on the command line: `FILE::ENTRY`.
pub fn full_name(file: &OpenFile, entry: &Entry) -> String {
    match super::output::entry_label(&*file.document, Some(entry.id)) {
        Some(label) => format!("{}::{label}", text_of(&file.path)),
        None => text_of(&file.path).into_owned(),
    }
}

/// The entries that are inside a file; the file itself is among them only where it shows as something of its own.
pub fn listed(document: &dyn Document) -> impl Iterator<Item = &Entry> {
    document.outline().entries().iter().filter(|e| is_listed(e))
}

pub fn is_listed(entry: &Entry) -> bool {
    entry.id != EntryId::FILE || entry.content != Content::None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_entries_may_hold_pairs_of_colons() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.psa");
        std::fs::write(&file, "x").unwrap();
        let parsed = ClipName::parse(&format!("{}::Walk::Run", file.display())).unwrap();
        assert_eq!(parsed, ClipName { file, entry: Some("Walk::Run".into()) });
    }

    #[test]
    fn clip_names_split_at_the_last_pair_of_colons() {
        let parse = |text| ClipName::parse(text).map(|c| (c.file.display().to_string(), c.entry));
        assert_eq!(parse("x.psa"), Ok(("x.psa".into(), None)));
        assert_eq!(parse("x.psa::Walk"), Ok(("x.psa".into(), Some("Walk".into()))));
        assert_eq!(parse("a::b.psa::#3"), Ok(("a::b.psa".into(), Some("#3".into()))));
        assert_eq!(parse("C:\\clips\\x.psa::Walk"), Ok(("C:\\clips\\x.psa".into(), Some("Walk".into()))));
        assert_eq!(parse("C:\\clips\\x.psa"), Ok(("C:\\clips\\x.psa".into(), None)));
        assert!(parse("::Walk").is_err() && parse("x.psa::").is_err() && parse("").is_err());
    }
}
