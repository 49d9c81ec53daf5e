use super::EntryId;
use std::{borrow::Cow, sync::Arc};

/// The fields of one entry, in file order.
#[derive(Clone, Debug, Default)]
pub struct FieldTree {
    /// Top-level fields, in file order.
    pub fields: Vec<Field>,
}

/// One typed field and the bytes it was read from.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name of the field; in a table, the row's index or key.
    pub name: Cow<'static, str>,
    /// As the format's description calls it: `f32`, `char[64]`, `Vector`.
    pub kind: Cow<'static, str>,
    /// Decoded value; [`Value::None`] for tables and most groups.
    pub value: Value,
    /// Bytes from the start of the nearest container.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Fields or rows that this field consists of.
    pub children: Children,
    /// These bytes belong to another entry and are shown here again (a chunk's table of bones that are entries of their own):
    /// coverage does not count them.
    pub mirror: bool,
}

/// What a field is made of.
#[derive(Clone, Debug, Default)]
pub enum Children {
    /// A single value without children.
    #[default]
    None,
    /// Child fields, in the order in which they were read.
    Fields(Vec<Field>),
    /// Rows that are read when they are asked for.
    Table(Arc<dyn Table>),
}

/// Rows of one record each, read when asked for.
pub trait Table: Send + Sync + std::fmt::Debug {
    /// Number of rows.
    fn len(&self) -> usize;

    /// Returns true if the table has no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether every byte of the table is in a field of a row, and none of them opaque: counting bytes need not look at the rows.
    fn is_solid(&self) -> bool {
        false
    }

    /// A row, with its fields as children; its name is its number or its key. `None` past the end.
    fn row(&self, index: usize) -> Option<Field>;
}

/// A typed value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A group: what it holds are its children.
    None,
    /// True or false.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// A floating-point number of 32 bits.
    Float(f32),
    /// Decoded text.
    Text(String),
    /// Numbers that belong together: a vector, a quaternion, a matrix.
    Floats(Vec<f32>),
    /// Integers that belong together, such as the elements of an array.
    Ints(Vec<i64>),
    /// Red, green, blue, alpha.
    Color([u8; 4]),
    /// A number with the name it stands for.
    Enum {
        /// Number as stored in the file.
        value: i64,
        /// Name or meaning of the number.
        name: Cow<'static, str>,
    },
    /// A bit field with the names of the bits that are set.
    Flags {
        /// All bits as stored.
        value: u64,
        /// Names of the set bits; a bit without a name is omitted.
        names: Vec<&'static str>,
    },
    /// A link to another entry.
    Reference(Reference),
    /// Bytes with no meaning of their own, as they are: padding, reserved space, what follows a NUL in a text field.
    Raw,
    /// A named range of the family's opaque list.
    Opaque(&'static str),
}

/// A link to another entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// What the field says, as text: a path, or a number that leads nowhere.
    pub path: String,
    /// The entry of the same document, where it was found.
    pub entry: Option<EntryId>,
    /// What the document needs to find it in another file ([`super::Links::follow`]): the format's own number of the
    /// reference. `None` for one that stays inside.
    pub external: Option<u32>,
    /// It was found, here or in another file.
    pub resolved: bool,
}

impl Reference {
    /// A reference that stays inside the document; `None` when what it names is not there.
    pub fn inside(path: impl Into<String>, entry: Option<EntryId>) -> Self {
        Self { path: path.into(), entry, external: None, resolved: entry.is_some() }
    }
}

impl Field {
    /// Creates a field without children. `offset` and `size` are in bytes; `offset` counts from the start of the nearest container.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        kind: impl Into<Cow<'static, str>>,
        value: Value,
        offset: u64,
        size: u64,
    ) -> Self {
        Self { name: name.into(), kind: kind.into(), value, offset, size, children: Children::None, mirror: false }
    }

    /// A field that consists of others.
    pub fn group(
        name: impl Into<Cow<'static, str>>,
        kind: impl Into<Cow<'static, str>>,
        offset: u64,
        size: u64,
        fields: Vec<Field>,
    ) -> Self {
        Self { children: Children::Fields(fields), ..Self::new(name, kind, Value::None, offset, size) }
    }

    /// A field that consists of rows.
    pub fn table(
        name: impl Into<Cow<'static, str>>,
        kind: impl Into<Cow<'static, str>>,
        offset: u64,
        size: u64,
        table: Arc<dyn Table>,
    ) -> Self {
        Self { children: Children::Table(table), ..Self::new(name, kind, Value::None, offset, size) }
    }

    /// The same field, shown again outside the entry that owns its bytes.
    pub fn mirrored(mut self) -> Self {
        self.mirror = true;
        self
    }
}
