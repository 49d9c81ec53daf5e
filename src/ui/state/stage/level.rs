//! The level on a stage, and its tools.

use crate::{
    gpu::{Line, MapLayers, Shading},
    scene::{Aabb, Map, MapMoment, MapPicker, SurfaceOutlines, camera::OrbitCamera, picking::Hit},
    ui::{map_overlays::MapOverlays, place::Place, state::stage::parts::LevelActors},
};
use glam::{Vec2, Vec3};
use std::{
    cell::RefCell,
    sync::{Arc, OnceLock},
};

/// A level in the viewport, in the place of a model.
#[derive(Debug)]
pub struct LevelStage {
    pub place: Place,
    pub map: Arc<Map>,
    /// Where its triangles lie, once that is worked out.
    pub(crate) picker: Arc<OnceLock<MapPicker>>,
    /// Changes whenever another one is shown.
    pub generation: u64,
    /// Of all that is drawn but sprites and brushes.
    pub bounds: Aabb,
    pub triangles: usize,
    /// The surface that was clicked on.
    pub picked: Option<PickedSurface>,
    pub moment: MapMoment,
    /// Its time goes on.
    pub plays: bool,
    /// Movers that are under way.
    pub runs: Vec<MoverRun>,
    pub tools: Box<LevelTools>,
    pub actors: LevelActors,
}

impl LevelStage {
    /// Takes tools and hidden actors from an earlier version of the level, and its time unless that version `failed` to load.
    pub(super) fn keep(&mut self, former: Self, failed: bool) {
        (self.tools, self.actors) = (former.tools, former.actors);
        // They mark surfaces of the earlier version.
        self.tools.forget_marks();
        if !failed {
            self.moment = former.moment;
            self.plays &= former.plays;
        }
    }
}

/// A mover under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoverRun {
    /// Into [`Map::movers`].
    pub mover: u32,
    /// To its first key.
    pub back: bool,
}

/// A surface of the level.
#[derive(Clone, Debug)]
pub struct PickedSurface {
    pub hit: Hit,
    /// Into [`Map::surfaces`].
    pub surface: Option<u32>,
    /// Its edges, in the space of its item.
    pub outline: Vec<[Vec3; 2]>,
}

impl LevelStage {
    /// Whether a surface of the level itself was clicked on, and not of one of its actors.
    pub fn picks_wall(&self) -> bool {
        let item = self.picked.as_ref().and_then(|picked| self.map.items.get(picked.hit.item as usize));
        item.is_some_and(|item| item.actor.is_none())
    }

    /// The edges of the surface that was clicked on, in the world as it is now.
    pub fn picked_outline(&self) -> Vec<[Vec3; 2]> {
        let Some(picked) = &self.picked else { return Vec::new() };
        let place = self.map.place_at(picked.hit.item, &self.moment).unwrap_or_default();
        picked.outline.iter().map(|ends| ends.map(|end| place.transform_point3(end))).collect()
    }
}

/// The tools of a level; put away when something else is shown.
#[derive(Debug, Default)]
pub struct LevelTools {
    /// Clicks measure.
    pub measures: bool,
    /// The ends of what is measured, in scene space: two at most.
    pub points: Vec<Vec3>,
    /// Coordinates are being typed in.
    pub asks_place: bool,
    /// The start that was gone to last, into the level's.
    pub start: Option<usize>,
    /// The bookmark that was gone to last, into those that are kept.
    pub bookmark: Option<usize>,
    /// All places that show a texture.
    pub alike: Option<AlikeSurfaces>,
    /// The lines over the level, and what they were made for.
    pub(crate) drawn: RefCell<Option<(OverlayKey, OverlayLines)>>,
    /// The outlines of all places of a texture, and what they were made for.
    pub(crate) outlined: RefCell<Option<(MarkedOutlines, Arc<[Line]>)>>,
    /// What lies under the pointer, and where that was looked for.
    pub(crate) under: RefCell<UnderPointer>,
    /// What cards say of what is selected.
    pub(crate) told: RefCell<Told>,
}

/// All places that show a texture.
#[derive(Clone, Debug, PartialEq)]
pub struct AlikeSurfaces {
    pub texture: String,
    pub outlines: Arc<SurfaceOutlines>,
}

/// What the lines over a level depend on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OverlayKey {
    pub generation: u64,
    pub overlays: MapOverlays,
    pub selected: Option<u32>,
    /// Which actors are hidden.
    pub hidden: u64,
}

/// Outlines with their colour, where the movers are: the same where they are the same piece of memory.
#[derive(Clone, Debug)]
pub(crate) struct MarkedOutlines {
    pub outlines: Arc<SurfaceOutlines>,
    pub color: [u8; 3],
    pub movers: Vec<f32>,
}

impl PartialEq for MarkedOutlines {
    fn eq(&self, other: &Self) -> bool {
        let same_outlines = Arc::ptr_eq(&self.outlines, &other.outlines);
        same_outlines && self.color == other.color && self.movers == other.movers
    }
}

/// Lines over a level.
#[derive(Clone, Debug)]
pub struct OverlayLines {
    pub lines: Arc<[Line]>,
    /// There are more than can be drawn.
    pub is_cut: bool,
}

/// What was found under the pointer.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnderPointer {
    pub found: Option<(PointerKey, Option<Vec3>)>,
    /// How often the level was searched.
    pub searches: u64,
}

/// What lies under the pointer depends on this.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PointerKey {
    pub generation: u64,
    pub camera: OrbitCamera,
    pub aspect: f32,
    pub place: Vec2,
    pub snap: f32,
    pub layers: MapLayers,
    pub shading: Shading,
    pub show_hidden: bool,
    pub one_sided: bool,
    /// Which actors are hidden.
    pub hidden: u64,
    pub movers: Vec<f32>,
}

/// What cards say of what is selected in a level, by the level's generation and what it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub alike: Option<(u64, u32, usize)>,
    pub set_off: Option<(u64, u32, Arc<SetOff>)>,
}

/// What an actor of a level sets off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetOff {
    /// Into the level's movers: the one that it is, and those that its event sets off.
    pub movers: Vec<u32>,
    /// Into its actors: those that its event sets off.
    pub actors: Vec<u32>,
    /// Those of them that are none of the movers.
    pub others: Vec<u32>,
}

impl LevelTools {
    /// How often the level was searched for what lies under the pointer.
    pub fn searches(&self) -> u64 {
        self.under.borrow().searches
    }

    /// Takes off what marks places of the level.
    pub(crate) fn forget_marks(&mut self) {
        self.points.clear();
        self.alike = None;
        self.outlined.take();
    }

    /// Adds an end to what is measured; after the second one the measure begins anew.
    pub(crate) fn measure(&mut self, point: Vec3) {
        if !point.is_finite() {
            return;
        }
        if self.points.len() > 1 {
            self.points.clear();
        }
        // A double click is one place.
        if self.points.last() != Some(&point) {
            self.points.push(point);
        }
    }

    pub(crate) fn toggle_measure(&mut self) {
        self.measures = !self.measures;
        self.points.clear();
    }

    /// Takes all ends off; without any the tool is put away.
    pub(crate) fn clear_measure(&mut self) {
        self.measures &= !self.points.is_empty();
        self.points.clear();
    }
}

/// A place in the file's units, with yaw and pitch in degrees where they are told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypedPlace {
    pub place: Vec3,
    pub turn: Option<[f32; 2]>,
}

impl TypedPlace {
    /// Three numbers, or five: parted by commas, semicolons or spaces.
    pub fn read(text: &str) -> Option<Self> {
        let plain: String = text.chars().filter(|c| !['°', '[', ']', '(', ')'].contains(c)).collect();
        let parts = plain.split([',', ';', ' ', '\t']).map(str::trim).filter(|part| !part.is_empty());
        let numbers: Option<Vec<f32>> = parts
            .map(|part| part.replace('−', "-").parse::<f32>().ok().filter(|n| n.is_finite() && n.abs() < 1e9))
            .collect();
        match numbers?.as_slice() {
            [x, y, z] => Some(Self { place: Vec3::new(*x, *y, *z), turn: None }),
            [x, y, z, yaw, pitch] => Some(Self { place: Vec3::new(*x, *y, *z), turn: Some([*yaw, *pitch]) }),
            _ => None,
        }
    }

    /// As text that is read back.
    pub fn text(&self) -> String {
        let number = |value: f32| match format!("{value:.1}").trim_end_matches(".0") {
            // What is rounded to nothing has no sign.
            "-0" => "0".to_owned(),
            text => text.to_owned(),
        };
        let Vec3 { x, y, z } = self.place;
        let mut numbers: Vec<String> = [x, y, z].map(number).to_vec();
        numbers.extend(self.turn.iter().flatten().map(|angle| number(*angle)));
        numbers.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_with_and_without_a_turn() {
        let at = Vec3::new(512.0, -64.5, 0.0);
        for text in ["512, -64.5, 0", "512 −64.5 0", " 512;-64.5 ;0 ", "(512, -64.5, 0)"] {
            assert_eq!(TypedPlace::read(text), Some(TypedPlace { place: at, turn: None }), "{text}");
        }
        let turned = TypedPlace { place: at, turn: Some([90.0, -5.0]) };
        for text in ["512 -64.5 0 90 -5", "512, -64.5, 0 [90° -5°]"] {
            assert_eq!(TypedPlace::read(text), Some(turned), "{text}");
        }
        for text in ["", "1, 2", "1 2 3 4", "a b c", "NaN 1 2", "1e30 0 0", "1 2 3 4 5 6"] {
            assert_eq!(TypedPlace::read(text), None, "{text}");
        }
        assert_eq!(turned.text(), "512, -64.5, 0, 90, -5");
        assert_eq!(TypedPlace::read(&turned.text()), Some(turned));
        let small = TypedPlace { place: Vec3::new(-0.01, -0.5, -10.0), turn: None };
        assert_eq!(small.text(), "0, -0.5, -10");
    }

    #[test]
    fn a_third_end_begins_anew() {
        let mut tools = LevelTools { measures: true, ..LevelTools::default() };
        for point in [Vec3::X, Vec3::X, Vec3::NAN, Vec3::Y] {
            tools.measure(point);
        }
        assert_eq!(tools.points, [Vec3::X, Vec3::Y]);
        tools.measure(Vec3::Z);
        assert_eq!(tools.points, [Vec3::Z]);
        tools.clear_measure();
        assert!(tools.measures && tools.points.is_empty());
        tools.clear_measure();
        assert!(!tools.measures);
    }
}
