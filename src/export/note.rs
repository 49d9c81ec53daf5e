//! Notes on an export: what a format cannot hold, and how it was written instead.

use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fmt,
    ops::{Deref, DerefMut},
};

/// Maximum number of names in a line about several notes.
const MAX_NAMES: usize = 3;

/// A plain sentence on what a format cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Note {
    text: String,
    reason: Option<Reason>,
}

/// The subject of a note, and why it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reason {
    kind: NoteSubject,
    name: String,
    /// The predicate of a sentence about several subjects.
    predicate: String,
}

/// The kind of thing that a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoteSubject {
    /// A material.
    Material,
    /// A mesh.
    Mesh,
    /// An animation clip.
    Clip,
}

impl NoteSubject {
    fn plural(self) -> &'static str {
        match self {
            Self::Material => "materials",
            Self::Mesh => "meshes",
            Self::Clip => "clips",
        }
    }
}

impl Note {
    /// A note on the thing called `name`. `text` is the whole sentence. `predicate` is the same of several, after `9 materials`: notes of
    /// one kind with equal predicates have one reason.
    pub fn on(kind: NoteSubject, name: &str, text: impl Into<String>, predicate: impl Into<String>) -> Self {
        let reason = Reason { kind, name: name.to_owned(), predicate: predicate.into() };
        Self { text: text.into(), reason: Some(reason) }
    }
}

impl From<String> for Note {
    fn from(text: String) -> Self {
        Self { text, reason: None }
    }
}

impl From<&str> for Note {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Note> for String {
    fn from(note: Note) -> Self {
        note.text
    }
}

impl Deref for Note {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq<&str> for Note {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl PartialEq<String> for Note {
    fn eq(&self, other: &String) -> bool {
        self.text == *other
    }
}

/// Notes in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(Vec<Note>);

impl Notes {
    /// Appends a note.
    pub fn push(&mut self, note: impl Into<Note>) {
        self.0.push(note.into());
    }
}

impl<N: Into<Note>> Extend<N> for Notes {
    fn extend<I: IntoIterator<Item = N>>(&mut self, notes: I) {
        self.0.extend(notes.into_iter().map(Into::into));
    }
}

impl Deref for Notes {
    type Target = Vec<Note>;

    fn deref(&self) -> &Vec<Note> {
        &self.0
    }
}

impl DerefMut for Notes {
    fn deref_mut(&mut self) -> &mut Vec<Note> {
        &mut self.0
    }
}

impl IntoIterator for Notes {
    type Item = Note;
    type IntoIter = std::vec::IntoIter<Note>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl From<Notes> for Vec<Note> {
    fn from(notes: Notes) -> Self {
        notes.0
    }
}

/// One line for all notes with one reason, in the order of the first of each; equal notes count once.
pub fn grouped<'a>(notes: impl IntoIterator<Item = &'a Note>) -> Vec<String> {
    let mut groups: Vec<(&Note, Vec<&str>)> = Vec::new();
    let mut known = HashMap::new();
    for note in notes {
        let name = note.reason.as_ref().map(|reason| reason.name.as_str());
        let key = match &note.reason {
            Some(reason) => (Some(reason.kind), reason.predicate.as_str()),
            None => (None, note.text.as_str()),
        };
        let index = *known.entry(key).or_insert_with(|| {
            groups.push((note, Vec::new()));
            groups.len() - 1
        });
        groups[index].1.extend(name);
    }
    groups.iter().map(|(first, names)| line(first, names)).collect()
}

fn line(first: &Note, names: &[&str]) -> String {
    match &first.reason {
        Some(Reason { kind, predicate, .. }) if names.len() > 1 => {
            let shown = names.get(..MAX_NAMES).unwrap_or(names).join(", ");
            let more = match names.len().saturating_sub(MAX_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("{} {} {predicate}: {shown}{more}", names.len(), kind.plural())
        }
        _ => first.text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reflecting(name: &str) -> Note {
        let text = format!("the material “{name}” uses reflections, which glTF cannot express");
        Note::on(NoteSubject::Material, name, text, "use reflections, which glTF cannot express")
    }

    #[test]
    fn notes_with_one_reason_are_one_line() {
        let names = ["chrome", "glass", "gold", "ice", "lake"];
        let mut notes: Vec<Note> = names.map(reflecting).into();
        notes.insert(1, "2 small textures are enlarged".into());
        notes.insert(3, Note::on(NoteSubject::Mesh, "cup", "the mesh “cup” is empty", "are empty"));
        notes.push("2 small textures are enlarged".into());
        let expected = [
            "5 materials use reflections, which glTF cannot express: chrome, glass, gold and 2 more",
            "2 small textures are enlarged",
            "the mesh “cup” is empty",
        ];
        assert_eq!(grouped(&notes), expected);
    }

    #[test]
    fn a_reason_with_few_subjects_names_all_of_them() {
        assert_eq!(grouped(&["a"].map(reflecting)), [&*reflecting("a")]);
        let three = grouped(&["a", "b", "c"].map(reflecting));
        assert_eq!(three, ["3 materials use reflections, which glTF cannot express: a, b, c"]);
    }
}
