use super::{pairs::paired, state::State};

/// Names that are listed.
const MOST: usize = 64;

/// Parts of two things by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// On the left and on the right.
    pub counts: [usize; 2],
    /// The first of those that are on one side alone; all on the left come first.
    pub differing: Vec<(State, String)>,
    /// Number of names that are only on the right.
    pub added: usize,
    /// Number of names that are only on the left.
    pub gone: usize,
}

impl Parts {
    /// Compares two lists of names.
    pub fn of(left: &[String], right: &[String]) -> Self {
        let mut found = Self { counts: [left.len(), right.len()], ..Self::default() };
        let pairs = paired(left, right);
        let name = |of: &[String], at: usize| of.get(at).cloned().unwrap_or_default();
        let gone = pairs.iter().filter_map(|pair| match pair {
            (Some(at), None) => Some((State::Gone, name(left, *at))),
            _ => None,
        });
        let added = pairs.iter().filter_map(|pair| match pair {
            (None, Some(at)) => Some((State::Added, name(right, *at))),
            _ => None,
        });
        (found.gone, found.added) = (gone.clone().count(), added.clone().count());
        found.differing = gone.take(MOST).chain(added.take(MOST)).collect();
        found
    }

    /// Returns `true` if both sides have the same names. Their order is not compared.
    pub fn is_same(&self) -> bool {
        self.added == 0 && self.gone == 0
    }
}
