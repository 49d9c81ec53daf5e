use super::SourceEntry;
use std::{ops::Range, sync::Arc};

/// Text to read, in one or several parts that stand beside each other (a script and its disassembly).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// Name of the text, from the file or its object.
    pub name: String,
    /// Parts that are shown next to each other.
    pub parts: Vec<TextPart>,
    /// How lines end in the file, most of them.
    pub line_end: LineEnd,
}

/// How lines end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineEnd {
    /// Line feed, as on Unix.
    #[default]
    Lf,
    /// Carriage return and line feed, as on Windows.
    CrLf,
    /// Carriage return, as on the classic Mac OS.
    Cr,
}

impl LineEnd {
    /// Returns the characters of the line end.
    pub fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }
}

/// One part of a [`Text`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPart {
    /// `Source`, `Disassembly`, `Default properties`.
    pub title: String,
    /// Language by which the text is coloured.
    pub language: Language,
    /// Lines end with `\n`.
    pub text: String,
    /// As the file has it, where its lines end in several ways.
    pub original: Option<Arc<str>>,
    /// What lines stand for in the file, in the order of the lines; empty for a text that is in the file as it is.
    pub marks: Vec<LineMark>,
}

impl TextPart {
    /// A text whose lines stand for nothing but themselves.
    pub fn new(title: impl Into<String>, language: Language, text: impl Into<String>) -> Self {
        Self { title: title.into(), language, text: text.into(), original: None, marks: Vec::new() }
    }
}

/// What a line of a text stands for in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMark {
    /// Of the part, from 0.
    pub line: u32,
    /// Byte range in the file.
    pub bytes: Range<u64>,
    /// The entry that the bytes are of.
    pub entry: SourceEntry,
    /// The lines of the first part that it was made from, from 0: one where the file says which, several where it says no more
    /// than between which it lies, none where it says nothing.
    pub source_lines: Range<u32>,
}

/// Keywords of UnrealScript, in lower case and alphabetical order.
pub const SCRIPT_KEYWORDS: &[&str] = &[
    "abstract",
    "assert",
    "auto",
    "break",
    "case",
    "class",
    "coerce",
    "config",
    "const",
    "continue",
    "default",
    "defaultproperties",
    "dependson",
    "do",
    "editconst",
    "else",
    "enum",
    "event",
    "exec",
    "expands",
    "export",
    "extends",
    "false",
    "final",
    "for",
    "foreach",
    "function",
    "global",
    "globalconfig",
    "goto",
    "if",
    "ignores",
    "input",
    "instanced",
    "intrinsic",
    "iterator",
    "latent",
    "local",
    "localized",
    "native",
    "nativereplication",
    "new",
    "noexport",
    "none",
    "nousercreate",
    "operator",
    "optional",
    "out",
    "perobjectconfig",
    "postoperator",
    "preoperator",
    "private",
    "protected",
    "public",
    "reliable",
    "replication",
    "return",
    "safereplace",
    "self",
    "simulated",
    "singular",
    "skip",
    "state",
    "static",
    "stop",
    "struct",
    "super",
    "switch",
    "transient",
    "travel",
    "true",
    "unreliable",
    "until",
    "var",
    "while",
    "within",
];

/// Built-in types of UnrealScript, in lower case and alphabetical order.
pub const SCRIPT_TYPES: &[&str] = &["array", "bool", "byte", "float", "int", "name", "string"];

/// How a text is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Text without colours.
    #[default]
    Plain,
    /// UnrealScript source code.
    UnrealScript,
    /// Bytecode as lines of offset, operation and operands.
    Disassembly,
}
