/// Text to read, in one or several parts that stand beside each other (a script and its disassembly).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    pub name: String,
    pub parts: Vec<TextPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPart {
    /// `Source`, `Disassembly`, `Default properties`.
    pub title: String,
    pub language: Language,
    /// Lines end with `\n`.
    pub text: String,
}

/// How a text is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    Plain,
    UnrealScript,
    /// Bytecode as lines of offset, operation and operands.
    Disassembly,
}
