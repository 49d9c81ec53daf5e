//! Where things have come to stand: tests look there, and damage what they find.

/// Places in a written project, in bytes from its start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Where parts start, in their order; names are those of the order of blocks (formats/visitor.md §1.1).
    pub sections: Vec<(&'static str, usize)>,
    /// Every 32-bit number of how many things follow, and of how long a string is.
    pub counts: Vec<usize>,
}

impl Places {
    /// Where a part starts; `None` where the dialect has no such part.
    pub fn section(&self, name: &str) -> Option<usize> {
        self.sections.iter().find(|(n, _)| *n == name).map(|(_, offset)| *offset)
    }
}
