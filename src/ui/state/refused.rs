//! What a limit refused to open, which a person may open anyway.

use crate::{
    formats::{OpenError, containers::limit_code},
    library::{has_lifted_limits, stated_size},
};
use std::path::{Path, PathBuf};

/// Bytes of a unit, and its name: the largest that a size has one of is taken.
const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];

/// A file, or a member of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub path: PathBuf,
    /// Bytes that it takes when it is unpacked, where that is stated.
    pub size: Option<u64>,
}

impl Refused {
    /// A file that does not open because of a limit which was not lifted before.
    pub fn of(path: &Path, error: &OpenError) -> Option<Self> {
        let is_of_a_limit = error.code.and_then(limit_code).is_some() && !has_lifted_limits(path);
        is_of_a_limit.then(|| Self { path: path.to_owned(), size: stated_size(path) })
    }

    /// Returns the label of the button that opens the file anyway.
    pub fn words(&self) -> String {
        match self.size {
            Some(size) => format!("Open anyway ({})", size_text(size)),
            None => "Open anyway (size unknown)".to_owned(),
        }
    }
}

/// `1.5 GiB`
fn size_text(size: u64) -> String {
    match UNITS.into_iter().find(|(unit, _)| size >= *unit) {
        Some((unit, name)) => {
            let number = format!("{:.1}", size as f64 / unit as f64);
            format!("{} {name}", number.strip_suffix(".0").unwrap_or(&number))
        }
        None => format!("{size} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_it_takes() {
        let words = |size| Refused { path: PathBuf::new(), size }.words();
        assert_eq!(words(Some((3 << 30) / 2)), "Open anyway (1.5 GiB)");
        assert_eq!(words(Some(300 << 20)), "Open anyway (300 MiB)");
        assert_eq!(words(Some(12)), "Open anyway (12 bytes)");
        assert_eq!(words(None), "Open anyway (size unknown)");
    }
}
