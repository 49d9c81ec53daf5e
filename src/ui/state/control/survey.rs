//! Measuring on a landscape, going to coordinates, and mirroring the image.

use crate::{
    bytes::numbers::grouped,
    formats::Severity,
    scene::scene_from_ground,
    ui::state::{
        core::Core,
        log::LogEntry,
        stage::{Stage, landscape::Survey},
    },
};
use glam::{BVec2, Vec2};

impl Stage {
    /// Changes the measuring tool, if a landscape is shown.
    pub(crate) fn with_survey(&mut self, change: impl FnOnce(&mut Survey)) {
        if let Some(shown) = self.content.landscape_mut() {
            change(&mut shown.survey);
        }
    }

    /// Adds the ground at a place of the picture to what is measured; nothing where there is none.
    pub(in crate::ui) fn measure(&mut self, place: Vec2) {
        // No number is in any range.
        if !(0.0..=1.0).contains(&place.x) || !(0.0..=1.0).contains(&place.y) {
            return;
        }
        let Some(hit) = self.hit_in_terrain(place) else { return };
        self.with_survey(|survey| survey.add(Vec2::new(hit.position.x, -hit.position.z)));
    }

    /// How the picture of a landscape is turned over: across in the round, upside down on a map. Both are the same ground as in a
    /// mirror, south where north is.
    pub fn mirror(&self) -> BVec2 {
        let flipped = self.view.flipped && self.landscape().is_some();
        BVec2::new(flipped && !self.is_map(), flipped && self.is_map())
    }

    /// A place of the picture (0..1 from the top left) on the screen, and the other way around.
    pub fn mirrored(&self, place: Vec2) -> Vec2 {
        Vec2::select(self.mirror(), Vec2::ONE - place, place)
    }

    /// A way across the picture, as the camera has to go for it.
    pub fn mirrored_way(&self, way: Vec2) -> Vec2 {
        Vec2::select(self.mirror(), -way, way)
    }

    pub(in crate::ui) fn flip_ground(&mut self) {
        if self.landscape().is_some() {
            self.finish_tween();
            self.view.flipped = !self.view.flipped;
        }
    }

    /// Brings the ground at a place into the middle of the picture; one beside the ground is said to be.
    pub(crate) fn go_to_ground(&mut self, core: &mut Core, place: Vec2) {
        let Some(shown) = self.content.landscape_mut() else { return };
        let grid = &shown.terrain.grid;
        let (width, depth) = (grid.width(), grid.depth());
        let is_on = (0.0..=width).contains(&place.x) && (0.0..=depth).contains(&place.y);
        if !is_on {
            let (width, depth) = (grouped(width.round()), grouped(depth.round()));
            let text = format!(
                "{} m east, {} m north is outside the landscape (0 to {width} m east, 0 to {depth} m north)",
                place.x, place.y
            );
            return core.log.announce(LogEntry::new(Severity::Info, "", text));
        }
        let up = grid.ground_at(place.x, place.y).unwrap_or(0.0) * self.view.terrain.exaggeration;
        shown.survey.asks_place = false;
        self.finish_tween();
        self.view.fly = None;
        self.view.camera.focus = scene_from_ground(place.x, up, place.y);
        self.view.camera_touched = true;
    }
}
