//! Where things of a level stand at a moment.

use super::{Map, MapItem, MapItemKind, MapMoment};
use glam::Affine3A;

impl Map {
    /// Where an item stands at a moment: a mover that was moved is where it was moved to.
    pub fn place_at(&self, item: u32, moment: &MapMoment) -> Option<Affine3A> {
        let found = self.items.get(item as usize)?;
        if found.kind != MapItemKind::Mover {
            return Some(found.world_from_model);
        }
        let moved = self.movers.iter().zip(&moment.movers).find(|(mover, _)| mover.item == item);
        Some(moved.map_or(found.world_from_model, |(mover, position)| mover.world_from_model(*position)))
    }

    /// An item as it stands at a moment.
    pub fn item_at(&self, item: u32, moment: &MapMoment) -> Option<MapItem> {
        let world_from_model = self.place_at(item, moment)?;
        self.items.get(item as usize).map(|found| MapItem { world_from_model, ..found.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{MapMover, MoverKey, SourceEntry};
    use glam::Vec3;

    #[test]
    fn a_mover_stands_where_it_was_moved_to_and_others_where_they_are() {
        let item = |kind| MapItem {
            model: 0,
            world_from_model: Affine3A::from_translation(Vec3::X),
            kind,
            source: SourceEntry::FILE,
            actor: None,
            hidden_in_game: false,
            sky: None,
        };
        let keys = [Vec3::X, Vec3::X * 3.0].map(|location| MoverKey { location, ..MoverKey::default() }).to_vec();
        let mover = MapMover { item: 1, keys, seconds: 1.0, ..MapMover::default() };
        let map = Map {
            items: vec![item(MapItemKind::World), item(MapItemKind::Mover)],
            movers: vec![mover],
            ..Map::default()
        };
        let at = |index, moment: &MapMoment| {
            map.item_at(index, moment).map(|item| Vec3::from(item.world_from_model.translation))
        };
        let moved = MapMoment { movers: vec![0.5], ..MapMoment::default() };
        assert_eq!((at(0, &moved), at(1, &moved)), (Some(Vec3::X), Some(Vec3::X * 2.0)));
        assert_eq!((at(1, &MapMoment::default()), at(2, &moved)), (Some(Vec3::X), None));
    }
}
