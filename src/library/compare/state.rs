use serde::Serialize;

/// What became of something on the way from the left to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Equal on both sides.
    Same,
    /// On both sides, with differences.
    Changed,
    /// Only on the right.
    Added,
    /// Only on the left.
    Gone,
    /// On both, in another place.
    Moved,
}

impl State {
    /// A sign that tells it without colour.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Same => "=",
            Self::Changed => "~",
            Self::Added => "+",
            Self::Gone => "-",
            Self::Moved => ">",
        }
    }

    /// Returns the name of the state in lower case. [`State::Gone`] is `removed`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Gone => "removed",
            Self::Moved => "moved",
        }
    }
}

/// How many are in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Number in the state [`State::Same`].
    pub same: usize,
    /// Number in the state [`State::Changed`].
    pub changed: usize,
    /// Number in the state [`State::Added`].
    pub added: usize,
    /// Number in the state [`State::Gone`].
    pub gone: usize,
    /// Number in the state [`State::Moved`].
    pub moved: usize,
}

impl Counts {
    /// Counts the states.
    pub fn of(states: impl Iterator<Item = State>) -> Self {
        let mut counts = Self::default();
        for state in states {
            match state {
                State::Same => counts.same += 1,
                State::Changed => counts.changed += 1,
                State::Added => counts.added += 1,
                State::Gone => counts.gone += 1,
                State::Moved => counts.moved += 1,
            }
        }
        counts
    }

    /// All that are not the same.
    pub fn differing(&self) -> usize {
        self.changed + self.added + self.gone + self.moved
    }
}

/// Is told how many of how many are compared.
pub type Tell<'a> = &'a dyn Fn(usize, usize);
