//! What refers to an entry.

use crate::ui::place::Place;

/// What refers to an entry.
#[derive(Clone, Debug)]
pub struct Uses {
    pub of: Place,
    /// `None` while they are looked for.
    pub list: Option<Vec<UsedBy>>,
}

/// A field that refers to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedBy {
    pub place: Place,
    /// Names of the fields on the way, joined by dots.
    pub field: String,
}
