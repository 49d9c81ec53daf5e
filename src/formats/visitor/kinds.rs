//! What objects are of, for the scene; worlds of the games use it too.

use crate::scene::{PropClass, PropKind, PropMarker, SizeSource};
use glam::Vec3;
use std::collections::BTreeMap;

/// Types that are made up for objects whose own is missing; further ones share the last.
const MAX_MADE_UP: usize = 4096;

/// What a class is by the file's number.
pub fn class_of(class: u32) -> PropClass {
    match class {
        1 => PropClass::Natural,
        2 => PropClass::Artificial,
        3 => PropClass::Road,
        5 => PropClass::ArtificialInRoad,
        other => PropClass::Other(other),
    }
}

/// Width, height and depth in metres of what says nothing of its size.
pub fn usual_size(class: PropClass) -> Vec3 {
    match class {
        PropClass::Natural => Vec3::new(3.0, 6.0, 3.0),
        PropClass::Artificial => Vec3::new(10.0, 6.0, 10.0),
        PropClass::Road => Vec3::new(10.0, 0.3, 12.0),
        PropClass::ArtificialInRoad => Vec3::new(2.0, 2.0, 4.0),
        PropClass::Other(_) | PropClass::Unresolved => Vec3::new(4.0, 4.0, 4.0),
    }
}

/// Kinds by the file's numbers; those that are missing are made up when they are asked for.
#[derive(Debug, Default)]
pub struct Kinds {
    pub list: Vec<PropKind>,
    by_id: BTreeMap<u32, u32>,
    made_up: usize,
}

impl Kinds {
    /// Adds a kind of the file; of those with one number the first counts.
    pub fn add(&mut self, kind: PropKind) {
        let index = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.by_id.entry(kind.id).or_insert(index);
        self.list.push(kind);
    }

    /// The kind of a number: into the list.
    pub fn index(&mut self, id: u32) -> u32 {
        if let Some(index) = self.by_id.get(&id) {
            return *index;
        }
        if self.made_up >= MAX_MADE_UP {
            return u32::try_from(self.list.len().saturating_sub(1)).unwrap_or(u32::MAX);
        }
        self.made_up = self.made_up.saturating_add(1);
        self.add(PropKind {
            id,
            name: format!("type {id}"),
            model: String::new(),
            class: PropClass::Unresolved,
            marker: PropMarker::Rectangle,
            outline: None,
            fill: None,
            size: usual_size(PropClass::Unresolved),
            size_source: SizeSource::Class,
            source: None,
            body: None,
        });
        u32::try_from(self.list.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_types_are_made_up_once_and_not_without_end() {
        let mut kinds = Kinds::default();
        assert_eq!((kinds.index(7), kinds.index(9), kinds.index(7), kinds.list.len()), (0, 1, 0, 2));
        assert!(kinds.list.iter().all(|kind| kind.class == PropClass::Unresolved));
        for id in 100..10_000 {
            assert!((kinds.index(id) as usize) < kinds.list.len());
        }
        assert_eq!(kinds.list.len(), MAX_MADE_UP);
    }
}
