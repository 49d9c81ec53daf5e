//! How sure kinds of containers are of a file where nothing more is known of it.

use crate::{
    bytes::Source,
    formats::{Hint, Score},
};

/// Nothing further on tells.
pub fn nothing_more(_: &Source, _: &Hint<'_>, _: Score) -> Score {
    Score::No
}

/// [`Score::Name`] for a file with one of the extensions.
pub fn by_name(hint: &Hint<'_>, extensions: &[&str]) -> Score {
    if extensions.contains(&hint.extension().as_str()) { Score::Name } else { Score::No }
}
