//! Views of levels that a person has named, to come back to.

use crate::scene::camera::{FlyCamera, OrbitCamera};
use crate::ui::{
    favourite::Favourite,
    saved_view::{can_fly, can_see},
};
use serde::{Deserialize, Serialize};

/// Characters of a name.
pub const MAX_NAME: usize = 60;
/// Bookmarks of all levels together.
pub const MAX_BOOKMARKS: usize = 500;

/// A view with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bookmark {
    /// The level.
    pub of: Favourite,
    pub name: String,
    pub camera: OrbitCamera,
    #[serde(default)]
    pub fly: Option<FlyCamera>,
}

impl Bookmark {
    /// Whether anything can be seen so.
    pub fn is_valid(&self) -> bool {
        can_see(&self.camera) && self.fly.iter().all(can_fly)
    }

    /// Goes among others, in the place of the level's own of that name; says whether there was room.
    pub fn keep_among(self, kept: &mut Vec<Self>) -> bool {
        if let Some(before) = kept.iter_mut().find(|kept| kept.of == self.of && kept.name == self.name) {
            *before = self;
            return true;
        }
        let has_room = kept.len() < MAX_BOOKMARKS;
        if has_room {
            kept.push(self);
        }
        has_room
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::settings::Settings;

    #[test]
    fn a_name_is_kept_once_a_level_and_no_more_than_so_many() {
        let bookmark = |path: &str, name: &str, distance: f32| Bookmark {
            of: Favourite { path: path.into(), entry: Some("Level".to_owned()) },
            name: name.to_owned(),
            camera: OrbitCamera { distance, ..OrbitCamera::default() },
            fly: None,
        };
        let mut kept = Vec::new();
        for (path, distance) in [("/a.unr", 1.0), ("/b.unr", 2.0), ("/a.unr", 3.0)] {
            assert!(bookmark(path, "Hall", distance).keep_among(&mut kept));
        }
        assert_eq!(kept, [bookmark("/a.unr", "Hall", 3.0), bookmark("/b.unr", "Hall", 2.0)]);
        kept = (0..MAX_BOOKMARKS).map(|number| bookmark("/a.unr", &number.to_string(), 1.0)).collect();
        assert!(!bookmark("/a.unr", "more", 1.0).keep_among(&mut kept) && kept.len() == MAX_BOOKMARKS);
        assert!(bookmark("/a.unr", "7", 5.0).keep_among(&mut kept));
        let (good, bad) = (bookmark("/a.unr", "Hall", 1.0), bookmark("/a.unr", "Stairs", 0.0));
        for (bad, finding) in [
            (vec![bad.clone()], "Removed 1 bookmark with an invalid view from the settings"),
            (vec![bad.clone(), bad], "Removed 2 bookmarks with an invalid view from the settings"),
        ] {
            let settings = Settings { bookmarks: [bad, vec![good.clone()]].concat(), ..Settings::default() };
            let (kept, findings) = Settings::from_values(settings.to_values().unwrap());
            assert_eq!((kept.bookmarks, findings), (vec![good.clone()], vec![finding.to_owned()]));
        }
        assert!(bookmark("/a.unr", "", 1.0).is_valid() && !bookmark("/a.unr", "", 0.0).is_valid());
    }
}
