//! Warnings and errors that opening a file found, by entry.

use crate::formats::{Diagnostic, EntryId, Outline, Severity};
use std::collections::HashMap;

/// Maximum number of parents that count the errors of an entry.
const MAX_LEVELS: usize = 10_000;

/// Number of errors and warnings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    pub errors: u16,
    pub warnings: u16,
}

impl Trouble {
    fn of(severity: Severity) -> Self {
        match severity {
            Severity::Info => Self::default(),
            Severity::Warning => Self { errors: 0, warnings: 1 },
            Severity::Error => Self { errors: 1, warnings: 0 },
        }
    }

    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    pub fn and(self, other: Self) -> Self {
        Self {
            errors: self.errors.saturating_add(other.errors),
            warnings: self.warnings.saturating_add(other.warnings),
        }
    }

    /// The worst of it, and how many there are of that.
    pub fn worst(self) -> Option<(Severity, u16)> {
        match self {
            Self { errors: 0, warnings: 0 } => None,
            Self { errors: 0, warnings } => Some((Severity::Warning, warnings)),
            Self { errors, .. } => Some((Severity::Error, errors)),
        }
    }
}

/// The errors and warnings of a file's entries: of each entry, and with its children.
#[derive(Clone, Debug, Default)]
pub struct Troubles {
    own: HashMap<EntryId, Trouble>,
    with_below: HashMap<EntryId, Trouble>,
}

impl Troubles {
    pub fn of(outline: &Outline, diagnostics: &[Diagnostic]) -> Self {
        let mut all = Self::default();
        for diagnostic in diagnostics {
            let trouble = Trouble::of(diagnostic.severity);
            if trouble.is_none() {
                continue;
            }
            let entry = diagnostic.entry.filter(|id| outline.get(*id).is_some()).unwrap_or(EntryId::FILE);
            let add = |map: &mut HashMap<EntryId, Trouble>, id: EntryId| {
                let sum = map.entry(id).or_default();
                *sum = sum.and(trouble);
            };
            add(&mut all.own, entry);
            for id in way_up(outline, entry) {
                add(&mut all.with_below, id);
            }
        }
        all
    }

    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// Returns true if an entry or one of its children has errors or warnings.
    pub fn has(&self, entry: EntryId) -> bool {
        self.with_below.contains_key(&entry)
    }

    /// Returns the errors and warnings of an entry without its children.
    pub fn own(&self, entry: EntryId) -> Trouble {
        self.own.get(&entry).copied().unwrap_or_default()
    }

    /// Returns the errors and warnings of an entry with its children.
    pub fn with_below(&self, entry: EntryId) -> Trouble {
        self.with_below.get(&entry).copied().unwrap_or_default()
    }
}

/// Returns an entry and its parents, up to the file.
pub fn way_up(outline: &Outline, entry: EntryId) -> impl Iterator<Item = EntryId> {
    std::iter::successors(Some(entry), |id| outline.get(*id)?.parent).take(MAX_LEVELS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Content, Role};

    #[test]
    fn what_is_wrong_is_counted_where_it_is_and_in_what_that_lies_in() {
        let mut outline = Outline::new(Role::File, "Psk", 10);
        let chunk = outline.add(EntryId::FILE, "A", "A", Role::Group, "Chunk", 0, 5, Content::None);
        let bone = outline.add(chunk, "B", "A/B", Role::Bone, "Bone", 0, 5, Content::None);
        let found = |severity, entry| Diagnostic {
            code: "made.up",
            severity,
            entry,
            offset: None,
            message: "made up".to_owned(),
        };
        let troubles = Troubles::of(
            &outline,
            &[
                found(Severity::Warning, Some(bone)),
                found(Severity::Warning, Some(bone)),
                found(Severity::Error, Some(chunk)),
                found(Severity::Info, Some(bone)),
                found(Severity::Error, None),
                found(Severity::Error, Some(EntryId(99))),
            ],
        );
        assert_eq!(troubles.own(bone), Trouble { errors: 0, warnings: 2 });
        assert_eq!(troubles.own(chunk), Trouble { errors: 1, warnings: 0 });
        assert_eq!(troubles.with_below(chunk), Trouble { errors: 1, warnings: 2 });
        assert_eq!(troubles.with_below(EntryId::FILE), Trouble { errors: 3, warnings: 2 });
        assert_eq!(troubles.with_below(EntryId::FILE).worst(), Some((Severity::Error, 3)));
        assert_eq!(troubles.own(bone).worst(), Some((Severity::Warning, 2)));
        assert_eq!(Trouble::default().worst(), None);
        assert!(Troubles::of(&outline, &[found(Severity::Info, None)]).is_empty());
    }
}
