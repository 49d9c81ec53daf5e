//! Of which kinds the entries of a collection are, for counting them.

use super::{Catalog, Row};
use crate::{
    formats::{Content, Role},
    library::words::contains,
};

/// Kinds that are counted at most: each is a bit.
const MOST: usize = 32;

/// Kinds by the words that `type:` takes.
pub(super) struct Kinds {
    words: Vec<String>,
    by_class: Vec<KindMask>,
}

/// The kinds that an entry is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KindMask(u32);

/// The kinds of roles and contents, as far as they were met.
#[derive(Default)]
pub(super) struct MetKinds(Vec<Option<KindMask>>);

/// More than there are of [`Content`].
const CONTENTS: usize = 16;

impl Kinds {
    pub fn of(catalog: &Catalog, words: &[&str]) -> Self {
        let words: Vec<String> = words.iter().take(MOST).map(|word| word.to_lowercase()).collect();
        let by_class = catalog.classes().iter().map(|class| KindMask::of(&words, |word| contains(class, word)));
        Self { by_class: by_class.collect(), words }
    }

    /// How many counts there are: one a kind, and one of all rows; none without kinds.
    pub fn counts(&self) -> usize {
        if self.words.is_empty() { 0 } else { self.words.len().saturating_add(1) }
    }

    /// The kinds of a row whose class has this number.
    pub fn of_row(&self, row: &Row<'_>, class: u32, met: &mut MetKinds) -> KindMask {
        if self.words.is_empty() {
            return KindMask::default();
        }
        let by_class = self.by_class.get(class as usize).copied().unwrap_or_default();
        KindMask(by_class.0 | met.of(row.role, row.content, &self.words).0)
    }
}

impl MetKinds {
    fn of(&mut self, role: Role, content: Content, words: &[String]) -> KindMask {
        let at = (role as usize).saturating_mul(CONTENTS).saturating_add(content as usize);
        if let Some(known) = self.0.get(at).copied().flatten() {
            return known;
        }
        let kinds = KindMask::of(words, |word| contains(role.word(), word) || contains(content.word(), word));
        if self.0.len() <= at {
            self.0.resize(at.saturating_add(1), None);
        }
        if let Some(place) = self.0.get_mut(at) {
            *place = Some(kinds);
        }
        kinds
    }
}

impl KindMask {
    fn of(words: &[String], is_of: impl Fn(&str) -> bool) -> Self {
        let bits = words.iter().enumerate().filter(|(_, word)| is_of(word)).map(|(kind, _)| bit(kind));
        Self(bits.fold(0, |mask, bit| mask | bit))
    }

    pub fn has(self, kind: usize) -> bool {
        self.0 & bit(kind) != 0
    }

    /// Counts a row of these kinds; the last count is that of all rows.
    pub fn count(self, counts: &mut [usize]) {
        let Some((all, kinds)) = counts.split_last_mut() else { return };
        *all = all.saturating_add(1);
        for (kind, count) in kinds.iter_mut().enumerate() {
            *count = count.saturating_add(usize::from(self.has(kind)));
        }
    }
}

fn bit(kind: usize) -> u32 {
    u32::try_from(kind).ok().and_then(|kind| 1_u32.checked_shl(kind)).unwrap_or(0)
}
