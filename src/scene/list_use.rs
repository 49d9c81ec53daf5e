//! By which kinds of lists a slot is written (formats/charpipe.md §6).

use super::{FixedSkin, ListKind, Mesh, Model};

/// Which kinds of lists write a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ListUse {
    /// None does: it belongs to another kind of skin, or to one bone as a whole.
    #[default]
    None,
    /// [`ListKind::One`] alone.
    One,
    /// [`ListKind::Two`] alone.
    Two,
    /// [`ListKind::Accumulate`] adds to what another has written.
    Supplemented,
    /// [`ListKind::Accumulate`] alone.
    Accumulated,
}

impl ListUse {
    /// All uses, in the order of [`Model::list_counts`].
    pub const ALL: [Self; 5] = [Self::None, Self::One, Self::Two, Self::Supplemented, Self::Accumulated];

    /// By the format's names.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "no list",
            Self::One => "SK1",
            Self::Two => "SK2",
            Self::Supplemented => "SK2 + SKAcc",
            Self::Accumulated => "SKAcc only",
        }
    }

    /// After one more list.
    fn and(self, kind: ListKind) -> Self {
        match (self, kind) {
            (Self::None | Self::Accumulated, ListKind::Accumulate) => Self::Accumulated,
            (Self::One | Self::Two | Self::Supplemented, ListKind::Accumulate) => Self::Supplemented,
            (Self::Supplemented | Self::Accumulated, _) => Self::Supplemented,
            // What is written twice is what was written last.
            (_, ListKind::One) => Self::One,
            (_, ListKind::Two) => Self::Two,
        }
    }
}

impl FixedSkin {
    /// Of the first `count` slots.
    pub fn uses(&self, count: usize) -> Vec<ListUse> {
        let mut uses = vec![ListUse::None; count];
        for list in &self.lists {
            for entry in &list.entries {
                if let Some(used) = uses.get_mut(entry.slot as usize) {
                    *used = used.and(list.kind);
                }
            }
        }
        uses
    }
}

impl Mesh {
    /// Of its points; empty for a mesh without lists.
    pub fn list_uses(&self) -> Vec<ListUse> {
        self.fixed_skin.as_ref().map(|skin| skin.uses(self.points.len())).unwrap_or_default()
    }
}

impl Model {
    /// How many points that triangles have are written so, in the order of [`ListUse::ALL`]; `None` when no mesh has lists.
    pub fn list_counts(&self) -> Option<[usize; 5]> {
        if self.meshes.iter().all(|mesh| mesh.fixed_skin.is_none()) {
            return None;
        }
        let mut counts = [0_usize; 5];
        for mesh in &self.meshes {
            let uses = mesh.list_uses();
            for (point, _) in mesh.drawn_points().iter().enumerate().filter(|(_, drawn)| **drawn) {
                let used = uses.get(point).copied().unwrap_or_default();
                if let Some(count) = counts.get_mut(used as usize) {
                    *count = count.saturating_add(1);
                }
            }
        }
        Some(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{FixedEntry, FixedList};
    use glam::Vec3;
    use std::sync::Arc;

    fn list(kind: ListKind, slots: &[u32]) -> FixedList {
        let entry = |slot: &u32| FixedEntry { slot: *slot, weights: [255, 0], source: [0; 6] };
        FixedList { kind, joints: [0, 0], entries: slots.iter().map(entry).collect() }
    }

    fn skin() -> FixedSkin {
        let lists = vec![
            list(ListKind::One, &[0, 1]),
            list(ListKind::Two, &[2, 3]),
            // A slot may come twice; slots past the end may come too.
            list(ListKind::Accumulate, &[3, 4, 4, 99]),
            list(ListKind::Accumulate, &[3, 1]),
        ];
        FixedSkin { shift: 11, lists, ..FixedSkin::default() }
    }

    #[test]
    fn slots_are_told_by_the_kinds_that_write_them() {
        use ListUse as U;
        assert_eq!(skin().uses(6), [U::One, U::Supplemented, U::Two, U::Supplemented, U::Accumulated, U::None]);
    }

    #[test]
    fn points_that_are_drawn_are_counted() {
        let lists = Mesh {
            points: vec![Vec3::ZERO; 6],
            vertex_points: vec![0, 1, 2, 3, 4, 4, 77],
            indices: vec![0, 1, 2, 3, 4, 5, 0, 1, 6],
            fixed_skin: Some(Arc::new(skin())),
            ..Mesh::default()
        };
        let rigid = Mesh {
            points: vec![Vec3::ZERO; 3],
            vertex_points: vec![0, 1, 2],
            indices: vec![0, 1, 2],
            ..Mesh::default()
        };
        let mut model = Model { meshes: vec![rigid.clone()], ..Model::empty("lists") };
        assert_eq!(model.list_counts(), None);
        model.meshes.push(lists);
        // The sixth slot is in no triangle.
        assert_eq!(model.list_counts(), Some([3, 1, 1, 2, 1]));
        assert!(rigid.list_uses().is_empty());
        // Nor does it say how large the model is.
        model.meshes[1].points[5] = Vec3::splat(99.0);
        assert_eq!(model.bounds().max, Vec3::ZERO);
        model.meshes[1].points[4] = Vec3::splat(3.0);
        assert_eq!(model.bounds().max, Vec3::splat(3.0));
    }
}
