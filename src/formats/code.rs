//! What files with program code say of it: their classes, and those that games have built in.

use super::{EntryId, Reference, SharedText};
use std::path::PathBuf;

/// A class that a file declares.
#[derive(Clone, Debug)]
pub struct ClassEntry {
    /// The class's entry.
    pub entry: EntryId,
    /// Name of the class.
    pub name: SharedText,
    /// The class that it extends.
    pub parent: ClassParent,
}

/// The class that another one extends.
#[derive(Clone, Debug)]
pub enum ClassParent {
    /// It extends none: the root of all classes.
    None,
    /// A class of the same file.
    Here(EntryId),
    /// A class of another file, which is called `package` there.
    Elsewhere {
        /// Name of the package that contains the class.
        package: SharedText,
        /// Name of the class.
        name: SharedText,
        /// Leads to it.
        reference: Reference,
    },
    /// What the file says is no class.
    Bad,
}

/// A class that lies in no file: the game's executable has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltInClass {
    /// Name of the package to which the class belongs.
    pub package: &'static str,
    /// Name of the class.
    pub name: &'static str,
    /// Package and name of what it extends; `None` for the root.
    pub parent: Option<(&'static str, &'static str)>,
}

/// What a file says of its classes.
#[derive(Clone, Debug, Default)]
pub struct ClassList {
    /// What other files call this one.
    pub package: SharedText,
    /// Classes that the file declares.
    pub classes: Vec<ClassEntry>,
    /// Classes that the game's executable declares.
    pub built_in: &'static [BuiltInClass],
}

impl BuiltInClass {
    /// Whether `path`, package and name joined by a dot, means this class.
    pub fn is_at(&self, path: &str) -> bool {
        path.split_once('.').is_some_and(|(package, name)| {
            package.eq_ignore_ascii_case(self.package) && name.eq_ignore_ascii_case(self.name)
        })
    }
}

/// A place in a text that an entry shows as, where a name stands.
#[derive(Clone, Copy, Debug)]
pub struct NamePlace<'a> {
    /// Of the text, from 0.
    pub part: usize,
    /// Of the part, from 0.
    pub line: u32,
    /// The line itself.
    pub text: &'a str,
    /// Into the line, in bytes.
    pub column: usize,
    /// The entry whose bytes the line stands for, where that is known: what is local to it is known there.
    pub owner: Option<EntryId>,
}

/// What a name in a text means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Meaning {
    /// Its definition was found.
    Defined(Definition),
    /// The game's executable has it; its package and name.
    BuiltIn(String),
    /// Its definition was not found.
    Unknown {
        /// Name as written in the text.
        name: String,
        /// Files that it may be in and that were not found, as other files call them.
        missing: Vec<String>,
    },
}

/// Where something is defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The file that it is in; `None` for the file that was asked.
    pub file: Option<PathBuf>,
    /// What is defined.
    pub entry: EntryId,
    /// The entry whose text shows it best.
    pub shown: EntryId,
    /// The line of the first part of that text, from 0.
    pub line: Option<u32>,
    /// For people: what it is, and where.
    pub says: String,
}

/// Another file that a file takes something from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// What the file calls it.
    pub name: String,
    /// Things that are taken from it.
    pub uses: usize,
    /// All of them are built into the game's executable: it is not needed.
    pub is_built_in: bool,
    /// Path of the file; `None` if it was not found.
    pub found: Option<PathBuf>,
    /// Where it is looked for, in order.
    pub looked_in: Vec<PathBuf>,
}

/// Something that a file takes from another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// What the file calls the other one: a package's name, or a path with an extension.
    pub file: String,
    /// The path of what is taken there; empty for the other file itself.
    pub path: String,
    /// What the format calls it; empty where the file does not say.
    pub class: String,
    /// It is built into the game's executable: no file is needed.
    pub is_built_in: bool,
}

impl Import {
    /// Another file, by the path that the file calls it by.
    pub fn of_file(path: &str) -> Self {
        Self { file: path.to_owned(), path: String::new(), class: String::new(), is_built_in: false }
    }
}
