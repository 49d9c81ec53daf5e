//! What the specification leaves open (formats/visitor.md §1.8).

/// What a string's length counts (§1.0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StringLength {
    /// The NUL too.
    #[default]
    Inclusive,
    /// The NUL too; an empty string is a length of 0 with no byte.
    InclusiveBare,
    /// The characters alone; a NUL follows.
    Exclusive,
}

/// How a transform's twelve numbers lie (§1.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TransformOrder {
    /// Three rows: a coordinate of each axis, then of the place.
    #[default]
    Row3x4,
    /// The axes one after another, then the place.
    Cols4x3,
}

/// Where layers have their first name (§1.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LayerNames {
    /// Every layer begins with one.
    #[default]
    Each,
    /// One stands before the first layer, and none where there is no layer.
    Leading,
}

/// One way to write a project. The default is the reading that the specification thinks best.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialect {
    /// Two digits, as after `POSEW`; 60 and above are written as 60, others as 59.
    pub version: u8,
    /// Rule for the length of a string (§1.0).
    pub strings: StringLength,
    /// Types end with their id once more.
    pub trailing_ids: bool,
    /// What says that there are no terrains and no forests of old is there at all.
    pub flags: bool,
    /// Zeros after the heights; by default a sixteenth of the columns times the columns (§1.4).
    pub blue: Option<usize>,
    /// Order of the numbers of a transform (§1.5).
    pub transform: TransformOrder,
    /// Position of the first name of layers (§1.6).
    pub layers: LayerNames,
    /// A relative size of 1 is written as 100.
    pub percent: bool,
    /// Colours have blue first.
    pub bgra: bool,
    /// The first row of heights is the northern edge.
    pub north_first: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            version: 60,
            strings: StringLength::Inclusive,
            trailing_ids: false,
            flags: true,
            blue: None,
            transform: TransformOrder::Row3x4,
            layers: LayerNames::Each,
            percent: false,
            bgra: false,
            north_first: false,
        }
    }
}

impl Dialect {
    /// The published document to the letter (§1.8): no flags, exclusive strings, trailing ids.
    pub fn published() -> Self {
        Self { strings: StringLength::Exclusive, trailing_ids: true, flags: false, ..Self::default() }
    }
}
