//! What commands do to the landscape on show.

use crate::{
    scene::{Sight, TerrainHit, picking::Ray},
    ui::{
        command::{EXAGGERATIONS, TerrainCommand},
        state::{State, stage::Stage},
    },
};
use glam::Vec2;
use std::collections::BTreeSet;

/// How far beside an object one may point, as a share of the picture's height.
const SLACK: f32 = 0.007;

impl Stage {
    /// Makes heights so many times as high; what is looked at stays in the middle.
    pub(in crate::ui) fn exaggerate(&mut self, times: f32) {
        let times = if times.is_finite() { times.clamp(0.1, 100.0) } else { 1.0 };
        let before = std::mem::replace(&mut self.view.terrain.exaggeration, times);
        if self.landscape().is_some() && self.view.fly.is_none() {
            self.finish_tween();
            self.view.camera.focus.y *= times / before;
        }
    }

    /// The types of what is selected.
    pub fn selected_kinds(&self) -> BTreeSet<u32> {
        let Some(shown) = self.landscape() else { return BTreeSet::new() };
        let props = self.view.terrain.selected.iter().filter_map(|i| shown.terrain.props.get(*i as usize));
        props.map(|prop| prop.kind).collect()
    }

    /// What of the landscape lies at a place of the viewport's picture (0..1 from the top left).
    pub fn hit_in_terrain(&self, place: Vec2) -> Option<TerrainHit> {
        let shown = self.landscape()?;
        let camera = &self.view.camera;
        let (from, along) = camera.ray(place, self.aspect);
        let height = 2.0 * (camera.fov_y * 0.5).tan();
        let slack = if camera.orthographic { [SLACK * height * camera.distance, 0.0] } else { [0.0, SLACK * height] };
        shown.picker.pick(&shown.terrain, &Sight { ray: Ray { from, along }, slack }, &self.view.terrain)
    }
}

impl State {
    pub(in crate::ui::state) fn apply_terrain(&mut self, command: TerrainCommand) {
        use TerrainCommand as T;
        let view = &mut self.stages.front.view.terrain;
        match command {
            T::ToggleMap => {
                self.toggle_map();
                // On its way it would be turned over at the wrong moment.
                if self.stages.front.view.flipped {
                    self.stages.front.finish_tween();
                }
            }
            T::SetTint(tint) => view.tint = tint,
            T::ToggleContours => view.contours = !view.contours,
            T::SetContourStep(metres) => {
                view.contour_step = if metres.is_finite() { metres.max(0.0) } else { 0.0 };
                view.contours = true;
            }
            T::ToggleWater => view.water = !view.water,
            T::SetExaggeration(times) => self.stages.front.exaggerate(times),
            T::NextExaggeration => {
                let next = EXAGGERATIONS.into_iter().find(|times| *times > view.exaggeration);
                self.stages.front.exaggerate(next.unwrap_or(EXAGGERATIONS[0]));
            }
            T::ToggleZones => view.zones = !view.zones,
            T::TogglePictures => view.pictures = !view.pictures,
            T::ToggleProps => view.props = !view.props,
            T::ToggleBodies => view.bodies = !view.bodies,
            T::SetColors(colors) => view.prop_colors = colors,
            T::ToggleNames => self.stages.front.view.prop_names = !self.stages.front.view.prop_names,
            T::ToggleLegend => self.stages.front.view.terrain_legend = !self.stages.front.view.terrain_legend,
            T::SelectProps(props) => self.select_props(props),
            T::FocusProps(props) => {
                self.stages.front.finish_tween();
                self.focus_props(props);
            }
            T::SelectKind(kind) => self.select_kind(kind),
            T::HideKinds { kinds, hide } => self.stages.front.hide_kinds(&kinds, hide),
            T::IsolateKinds(kinds) => self.stages.front.isolate_kinds(kinds.as_deref()),
            T::WantStatistics => self.want_statistics(),
            T::SelectSameKinds => {
                let kinds = self.stages.front.selected_kinds();
                if let Some(shown) = self.stages.front.landscape().filter(|_| !kinds.is_empty()) {
                    let of_kinds = (0_u32..).zip(&shown.terrain.props).filter(|(_, prop)| kinds.contains(&prop.kind));
                    let props = of_kinds.map(|(index, _)| index).collect();
                    self.select_props(props);
                }
            }
            T::Pick { place, add } => self.pick_in_terrain(place, add),
            T::ToggleMeasure => {
                let survey = &mut self.stages.front.survey;
                survey.is_on = !survey.is_on;
            }
            T::Measure(place) => self.stages.front.measure(place),
            T::EndMeasure => self.stages.front.survey.is_ended = !self.stages.front.survey.points.is_empty(),
            T::ClearMeasure => self.stages.front.survey.clear(),
            T::AskPlace(asks) => self.stages.front.survey.asks_place = asks,
            T::GoTo(place) => self.go_to_ground(place),
            T::ToggleFlip => self.stages.front.flip_ground(),
            T::Focus(place) => {
                self.pick_in_terrain(place, false);
                self.focus_in_terrain(place);
            }
        }
    }

    /// Selects the object at a place of the picture; bare ground lets go of all.
    fn pick_in_terrain(&mut self, place: Vec2, add: bool) {
        let prop = self.stages.front.hit_in_terrain(place).and_then(|hit| hit.prop);
        let mut selected = self.stages.front.view.terrain.selected.to_vec();
        match (prop, add) {
            (None, true) => return,
            (None, false) => selected.clear(),
            (Some(prop), false) => selected = vec![prop],
            (Some(prop), true) => match selected.binary_search(&prop) {
                Ok(at) => {
                    selected.remove(at);
                }
                Err(at) => selected.insert(at, prop),
            },
        }
        let several = selected.len() > 1;
        self.select_props(selected);
        if let Some(prop) = prop.filter(|prop| several && self.stages.front.view.terrain.is_selected(*prop)) {
            self.select_slot_of(prop);
        }
    }

    /// Brings the object at a place into view, or comes nearer to the ground there.
    fn focus_in_terrain(&mut self, place: Vec2) {
        if self.stages.front.bounds_of_props().is_some() {
            self.frame_selected();
        } else if let Some(hit) = self.stages.front.hit_in_terrain(place) {
            self.stages.front.finish_tween();
            if self.stages.front.view.fly.is_none() {
                self.stages.front.view.camera.focus = hit.position;
                self.stages.front.view.camera.zoom(0.5);
                self.stages.front.view.camera_touched = true;
            }
        }
    }
}
