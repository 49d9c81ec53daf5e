//! Where the rooms that skies are, are seen: where they stand, or through windows alone.

use super::{Map, MapItem, MapWindow};
use glam::Vec3;

/// What of a picture decides whether windows show other places in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowView {
    /// They are switched on.
    pub wanted: bool,
    /// Surfaces have their own colours or light: colours that mean something else are those of the window itself.
    pub own_colors: bool,
    /// True for an orthographic camera, which shows no other places.
    pub orthographic: bool,
    /// Surfaces that are hidden are shown.
    pub show_hidden: bool,
}

/// Where the rooms that skies are, are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rooms {
    /// Where they stand.
    InPlace,
    /// Through windows, but for the one in which the eye is.
    Away {
        /// Index of the sky whose room the eye is in; `None` if it is in none.
        but: Option<u32>,
    },
    /// This one alone.
    Only(u32),
}

impl WindowView {
    /// Whether windows show other places.
    pub fn shows_places(&self) -> bool {
        self.wanted && self.own_colors && !self.orthographic
    }

    /// Where the rooms of skies are for an eye that is here.
    pub fn rooms(&self, map: &Map, eye: Vec3) -> Rooms {
        match self.shows_places() && !self.show_hidden {
            true => Rooms::Away { but: map.sky_at(eye) },
            false => Rooms::InPlace,
        }
    }
}

impl Rooms {
    /// Whether an item is seen. `skies_seen`: [`Map::skies_seen`].
    pub fn hold(&self, item: &MapItem, skies_seen: &[bool]) -> bool {
        let is_seen_away = |sky: u32| skies_seen.get(sky as usize) == Some(&true);
        match self {
            Self::InPlace => true,
            Self::Away { but } => item.sky.is_none_or(|sky| *but == Some(sky) || !is_seen_away(sky)),
            Self::Only(sky) => item.sky == Some(*sky),
        }
    }
}

impl Map {
    /// Of each sky, whether a window shows it.
    pub fn skies_seen(&self) -> Vec<bool> {
        (0..).zip(&self.skies).map(|(sky, _)| self.windows.contains(&MapWindow::Sky(sky))).collect()
    }

    /// The sky whose room a point lies in.
    pub fn sky_at(&self, point: Vec3) -> Option<u32> {
        let zone = Some(self.tree.zone_at(point)).filter(|zone| *zone != 0)?;
        (0_u32..).zip(&self.skies).find(|(_, sky)| sky.zone == zone).map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{MapItemKind, MapNode, MapSky, MapTree, SourceEntry};
    use glam::{Affine3A, Quat, Vec4};

    const SEEN: WindowView = WindowView { wanted: true, own_colors: true, orthographic: false, show_hidden: false };

    /// Two skies: the first beyond x = 4, the second in no zone; a window shows each that is named.
    fn map(windows: &[u32]) -> Map {
        let sky = |zone| MapSky { actor: 0, location: Vec3::ZERO, rotation: Quat::IDENTITY, zone };
        let node = MapNode { plane: Vec4::new(1.0, 0.0, 0.0, 4.0), children: [None; 2], zones: [0, 2] };
        Map {
            skies: vec![sky(2), sky(0)],
            windows: windows.iter().map(|sky| MapWindow::Sky(*sky)).collect(),
            tree: MapTree { nodes: vec![node] },
            ..Map::default()
        }
    }

    fn held(rooms: Rooms, map: &Map) -> [bool; 3] {
        [None, Some(0), Some(1)].map(|sky| {
            let item = MapItem {
                model: 0,
                world_from_model: Affine3A::IDENTITY,
                kind: MapItemKind::World,
                source: SourceEntry::FILE,
                actor: None,
                hidden_in_game: false,
                sky,
            };
            rooms.hold(&item, &map.skies_seen())
        })
    }

    #[test]
    fn rooms_are_away_only_where_windows_show_them() {
        let (map, eye) = (map(&[0]), Vec3::ZERO);
        assert_eq!(SEEN.rooms(&map, eye), Rooms::Away { but: None });
        let others = [
            WindowView { wanted: false, ..SEEN },
            WindowView { own_colors: false, ..SEEN },
            WindowView { orthographic: true, ..SEEN },
            WindowView { show_hidden: true, ..SEEN },
        ];
        assert_eq!(others.map(|view| view.rooms(&map, eye)), [Rooms::InPlace; 4]);
        // Beside hidden surfaces windows still show what is behind them.
        assert_eq!(others.map(|view| view.shows_places()), [false, false, false, true]);
    }

    #[test]
    fn a_room_is_seen_by_who_is_in_it_and_where_no_window_shows_it() {
        let map = map(&[0]);
        assert_eq!(map.skies_seen(), [true, false]);
        // Zone 0 is no zone, whatever a sky says.
        assert_eq!((map.sky_at(Vec3::X * 5.0), map.sky_at(Vec3::ZERO)), (Some(0), None));
        assert_eq!(held(SEEN.rooms(&map, Vec3::ZERO), &map), [true, false, true]);
        assert_eq!(held(SEEN.rooms(&map, Vec3::X * 5.0), &map), [true, true, true]);
        assert_eq!(held(Rooms::InPlace, &map), [true; 3]);
        assert_eq!(held(Rooms::Only(1), &map), [false, false, true]);
    }
}
