//! What a file holds, as the index keeps it: records of the file and of what lies in it, and their texts.

use super::{
    details::Details,
    record::{EntryRecord, ImportRecord, Record, digest},
};
use crate::{
    bytes::{Cancel, Limits, Source, budget},
    formats::{
        self, Diagnostics, Document, Entry, EntryId, Hint, NO_OVERRIDES, NoFiles, OpenContext, Role, caught,
        containers::{self, Trouble, holds_files},
    },
    library::quarantine::LEFT_ALONE,
};
use serde::{Deserialize, Serialize};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Characters of why a file does not open that are kept.
const LONGEST_PROBLEM: usize = 500;

/// A file with its contents.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Content<'a> {
    /// The file itself, and then, for a container, each file in it.
    #[serde(borrow)]
    pub files: Vec<Inside<'a>>,
}

/// A file, or a file in a container.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inside<'a> {
    /// From the outermost container, with `/`; empty for the file itself.
    #[serde(borrow)]
    pub path: Cow<'a, str>,
    /// Bytes.
    pub size: u64,
    /// The start of the SHA-1 of its bytes.
    pub digest: u64,
    /// The index data of the file.
    #[serde(borrow)]
    pub record: Record<'a>,
}

/// A text of a file: which of [`Content::files`], and the entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredText<'a> {
    /// Index into [`Content::files`].
    pub file: u32,
    /// Id of the entry in the outline of that file.
    pub entry: u32,
    /// The text.
    #[serde(borrow)]
    pub text: Cow<'a, str>,
}

/// The contents of a file, and its texts.
pub type ReadContent = (Content<'static>, Vec<StoredText<'static>>);

/// The content of a file of a size that is not read because it is in quarantine.
pub fn left_alone(size: u64) -> ReadContent {
    let record = Record { problem: Some(Cow::Borrowed(LEFT_ALONE)), ..alone(size) };
    (Content { files: vec![Inside { size, record, ..Inside::default() }] }, Vec::new())
}

/// Whether any format takes a file, by its start and name: what none takes is no part of a collection.
pub fn is_known(source: &Source, name: &str) -> bool {
    formats::probe_whole(source, &Hint { file_name: name }).is_some()
}

/// Reads a file into what the index keeps: a function of its bytes and its name alone. What cannot be read is a problem of its record.
/// `None` when it was cancelled.
pub fn content_of(name: &str, source: &Source, limits: &Limits, cancel: &Cancel) -> Option<ReadContent> {
    budget::within(limits.members.budget(source.len() as u64), || read_within(name, source, limits, cancel)).0
}

fn read_within(name: &str, source: &Source, limits: &Limits, cancel: &Cancel) -> Option<ReadContent> {
    let mut reading = Reading { cancel, files: Vec::new(), texts: Vec::new() };
    let document = reading.file("", name, source, limits);
    if let Some(container) = document.as_deref().and_then(<dyn Document>::container) {
        containers::walk(container, limits, cancel, &mut |walked| {
            let name = walked.path.rsplit('/').next().unwrap_or(walked.path);
            match walked.unpacked {
                Ok(unpacked) if holds_files(&unpacked.source, name) || is_known(&unpacked.source, name) => {
                    reading.file(walked.path, name, &unpacked.source, &walked.limits);
                    reading.note(&unpacked.troubles);
                }
                Ok(_) => {}
                Err(trouble) => reading.problem(walked.path, &trouble.message),
            }
            !cancel.is_cancelled()
        });
    }
    if cancel.is_cancelled() {
        return None;
    }
    if budget::work_left() == 0
        && let Some(file) = reading.files.first_mut()
    {
        file.record.problem.get_or_insert_with(|| budget::Exceeded::Work.message().into());
    }
    reading.leave_out_members();
    Some((Content { files: reading.files }, reading.texts))
}

struct Reading<'a> {
    cancel: &'a Cancel,
    files: Vec<Inside<'static>>,
    texts: Vec<StoredText<'static>>,
}

impl Reading<'_> {
    fn file(&mut self, path: &str, name: &str, source: &Source, limits: &Limits) -> Option<Box<dyn Document>> {
        let mut diagnostics = Diagnostics::new(0);
        let mut cx = OpenContext {
            file: name,
            resolver: Arc::new(NoFiles),
            diagnostics: &mut diagnostics,
            limits: *limits,
            overrides: &NO_OVERRIDES,
        };
        let opened = caught(|| formats::open(source.clone(), &mut cx));
        let (document, problem) = match opened {
            Ok(Ok(document)) => (Some(document), None),
            Ok(Err(error)) => (None, Some(error.message)),
            Err(reason) => (None, Some(format!("internal error in Bonebox: {reason}"))),
        };
        let mut record = match &document {
            // One reader's fault is the end of its own record alone.
            Some(document) => caught(|| self.record(name, &**document, limits)).unwrap_or_else(|reason| Record {
                problem: Some(format!("internal error in Bonebox: {reason}").into()),
                ..alone(source.len() as u64)
            }),
            None => alone(source.len() as u64),
        };
        if let Some(problem) = problem {
            record.problem = Some(short(&problem).into());
        }
        let digest = digest(source).unwrap_or_else(|error| {
            record.problem.get_or_insert_with(|| Source::read_failed(error).into());
            0
        });
        self.files.push(Inside { path: path.to_owned().into(), size: source.len() as u64, digest, record });
        document
    }

    /// What is wrong with the file that was read last, though it can be used.
    fn note(&mut self, troubles: &[Trouble]) {
        if let (Some(inside), Some(trouble)) = (self.files.last_mut(), troubles.first()) {
            inside.record.problem.get_or_insert_with(|| short(&trouble.message).into());
        }
    }

    /// Members that are files of the collection are not entries of their container besides.
    fn leave_out_members(&mut self) {
        let files: HashSet<String> = self.files.iter().map(|file| file.path.to_string()).collect();
        for file in &mut self.files {
            let above = if file.path.is_empty() { String::new() } else { format!("{}/", file.path) };
            let is_file = |entry: &EntryRecord<'_>| {
                entry.role == Role::Member && files.contains(&format!("{above}{}", entry.path))
            };
            file.record.entries.retain(|entry| !is_file(entry));
        }
    }

    fn problem(&mut self, path: &str, message: &str) {
        // A container that is not opened was read as a file before.
        if let Some(inside) = self.files.last_mut().filter(|inside| inside.path == path) {
            inside.record.problem.get_or_insert_with(|| short(message).into());
            return;
        }
        let record = Record { problem: Some(short(message).into()), ..alone(0) };
        self.files.push(Inside { path: path.to_owned().into(), size: 0, digest: 0, record });
    }

    fn record(&mut self, name: &str, document: &dyn Document, limits: &Limits) -> Record<'static> {
        let mut record = Record { format: Cow::Borrowed(document.format().id), ..Record::default() };
        let mut classes: HashMap<String, u32> = HashMap::new();
        let mut details = Details::new(name, document, limits, self.cancel);
        let number = self.files.len() as u32;
        for entry in document.outline().entries() {
            let class = *classes.entry(entry.class.to_string()).or_insert_with(|| {
                record.classes.push(entry.class.to_string().into());
                (record.classes.len() - 1) as u32
            });
            let (about, text) = details.of(entry);
            if let Some(text) = text {
                self.texts.push(StoredText { file: number, entry: entry.id.0, text: text.into() });
            }
            let path = entry.path().into_owned();
            let name_start = path.len().saturating_sub(entry.name.len());
            let name_start = if path.is_char_boundary(name_start) { name_start as u32 } else { 0 };
            let digest = if is_compared(entry) { details.digest(entry) } else { 0 };
            record.entries.push(EntryRecord {
                id: entry.id.0,
                path: path.into(),
                name_start,
                class,
                role: entry.role,
                content: entry.content,
                size: entry.size,
                digest,
                about,
            });
        }
        record.joint_sets = details.joint_sets();
        record.imports = document
            .ask(EntryId::FILE, |can, _| Some(can.links?.imports()))
            .into_iter()
            .flatten()
            .map(|import| ImportRecord {
                file: import.file.into(),
                path: import.path.into(),
                class: import.class.into(),
                is_built_in: import.is_built_in,
            })
            .collect();
        record
    }
}

/// A record of a file that opens as nothing.
fn alone(size: u64) -> Record<'static> {
    let entry = EntryRecord {
        id: EntryId::FILE.0,
        path: Cow::Borrowed(""),
        name_start: 0,
        class: 0,
        role: Role::File,
        content: formats::Content::None,
        size,
        digest: 0,
        about: super::About::Nothing,
    };
    Record { classes: vec![Cow::Borrowed("")], entries: vec![entry], ..Record::default() }
}

fn short(message: &str) -> String {
    message.chars().take(LONGEST_PROBLEM).collect()
}

/// Returns true if the bytes of an entry are compared with those of others.
fn is_compared(entry: &Entry) -> bool {
    entry.id != EntryId::FILE
        && matches!(
            entry.role,
            Role::Model
                | Role::Texture
                | Role::Palette
                | Role::Font
                | Role::Clip
                | Role::SurfaceClip
                | Role::Sound
                | Role::Music
                | Role::Text
                | Role::Script
                | Role::Level
                | Role::Member
                | Role::Landscape
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bytes::MemberLimits, formats::containers::encode::umod};

    #[test]
    fn entries_of_containers_in_others_are_within_the_limits_of_the_outermost() {
        let names: Vec<String> = (0..300).map(|number| format!("{number}.txt")).collect();
        let inner = umod(&names.iter().map(|name| (&**name, &b""[..], 0)).collect::<Vec<_>>());
        let outer = Source::new(umod(&[("a.umod", &inner, 0), ("b.umod", &inner, 0)]));
        let read = |count: u64| {
            let members = MemberLimits { count, ..MemberLimits::default() };
            let limits = Limits { members, ..Limits::default() };
            let read = content_of("outer.umod", &outer, &limits, Cancel::never());
            let files = read.unwrap().0.files.into_iter().skip(1);
            files
                .map(|file| (file.path.to_string(), file.record.entries.len(), file.record.problem.is_some()))
                .collect::<Vec<_>>()
        };
        let file = |path: &str, entries: usize, has_problem: bool| (path.to_owned(), entries, has_problem);
        assert_eq!(read(1_000), [file("a.umod", 301, false), file("b.umod", 301, false)]);
        assert_eq!(read(400), [file("a.umod", 301, false), file("b.umod", 1, true)]);
    }
}
