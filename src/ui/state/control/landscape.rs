//! Showing landscapes, their commands, and their statistics.

use crate::{
    formats::Severity,
    scene::{Sight, Terrain, TerrainHit, TerrainPicker, TerrainStatistics, picking::Ray},
    ui::{
        command::{EXAGGERATIONS, TerrainCommand},
        place::Place,
        state::{
            core::Core,
            log::LogEntry,
            message::Message,
            stage::{
                Stage, StageContent,
                landscape::{LandscapeStage, Survey},
            },
        },
    },
};
use glam::Vec2;
use std::{collections::BTreeSet, sync::Arc};

/// Up to so many samples and things are counted at once, in less than a frame; more of them in the background.
const AT_ONCE: usize = 1 << 16;

/// Maximum distance between the pointer and an object that is picked, as a fraction of the image height.
const SLACK: f32 = 0.007;

impl Stage {
    /// Puts a landscape in the place of what is in the viewport.
    pub fn show_terrain(&mut self, core: &mut Core, place: Place, terrain: Arc<Terrain>) {
        let generation = core.works.fresh_id();
        let same = self.landscape().is_some_and(|shown| shown.place == place);
        if !same {
            let name = core.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
            for missing in &terrain.missing {
                core.log.push(LogEntry::new(Severity::Warning, &name, missing.clone()).at(place));
            }
        }
        let (bounds, range) = (terrain.bounds(), terrain.grid.range());
        let picker = Arc::new(TerrainPicker::new(&terrain));
        let survey = Survey::default();
        let shown = LandscapeStage { place, terrain, generation, bounds, range, picker, survey, statistics: None };
        self.take_stage(core, StageContent::Landscape(shown));
        self.view.terrain.selected = Arc::default();
        if !same {
            self.view.terrain.hidden_kinds = Arc::default();
            self.view.top_down = None;
            self.reset_view();
            self.look_as_before();
        }
    }

    /// The numbers of the ground on show, once they are there.
    pub fn terrain_statistics(&self) -> Option<&Arc<TerrainStatistics>> {
        self.landscape()?.statistics.as_ref()?.as_ref()
    }

    pub(in crate::ui) fn terrain_counted(&mut self, generation: u64, numbers: Arc<TerrainStatistics>) {
        if let Some(shown) = self.content.landscape_mut().filter(|shown| shown.generation == generation) {
            shown.statistics = Some(Some(numbers));
        }
    }

    pub(crate) fn want_statistics(&mut self, core: &mut Core) {
        let Some(shown) = self.content.landscape_mut().filter(|shown| shown.statistics.is_none()) else { return };
        let (generation, terrain) = (shown.generation, shown.terrain.clone());
        let small = terrain.grid.len().saturating_add(terrain.props.len()) <= AT_ONCE;
        let numbers = small.then(|| Arc::new(TerrainStatistics::of(&terrain)));
        shown.statistics = Some(numbers);
        if small {
            return;
        }
        let sender = self.stage_sender(core);
        core.works.run(format!("Computing statistics for {}", terrain.name), move |_| {
            let numbers = Arc::new(TerrainStatistics::of(&terrain));
            sender.send(Message::TerrainCounted { generation, numbers });
        });
    }

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

    /// Picks the ground or an object at a position of the image (0 to 1, from the top left).
    pub fn hit_in_terrain(&self, place: Vec2) -> Option<TerrainHit> {
        let shown = self.landscape()?;
        let camera = &self.view.camera;
        let (from, along) = camera.ray(place, self.viewport.aspect);
        let height = 2.0 * (camera.fov_y * 0.5).tan();
        let slack = if camera.orthographic { [SLACK * height * camera.distance, 0.0] } else { [0.0, SLACK * height] };
        shown.picker.pick(&shown.terrain, &Sight { ray: Ray { from, along }, slack }, &self.view.terrain)
    }

    pub(crate) fn apply_terrain(&mut self, core: &mut Core, command: TerrainCommand) {
        use TerrainCommand as T;
        let view = &mut self.view.terrain;
        match command {
            T::ToggleMap => {
                self.toggle_map(core);
                // On its way it would be turned over at the wrong moment.
                if self.view.flipped {
                    self.finish_tween();
                }
            }
            T::SetTint(tint) => view.tint = tint,
            T::ToggleContours => view.contours = !view.contours,
            T::SetContourStep(metres) => {
                view.contour_step = if metres.is_finite() { metres.max(0.0) } else { 0.0 };
                view.contours = true;
            }
            T::ToggleWater => view.water = !view.water,
            T::SetExaggeration(times) => self.exaggerate(times),
            T::NextExaggeration => {
                let next = EXAGGERATIONS.into_iter().find(|times| *times > view.exaggeration);
                self.exaggerate(next.unwrap_or(EXAGGERATIONS[0]));
            }
            T::ToggleZones => view.zones = !view.zones,
            T::TogglePictures => view.pictures = !view.pictures,
            T::ToggleProps => view.props = !view.props,
            T::ToggleBodies => view.bodies = !view.bodies,
            T::SetColors(colors) => view.prop_colors = colors,
            T::ToggleNames => self.view.prop_names = !self.view.prop_names,
            T::ToggleLegend => self.view.terrain_legend = !self.view.terrain_legend,
            T::SelectProps(props) => self.select_props(core, props),
            T::FocusProps(props) => {
                self.finish_tween();
                self.focus_props(core, props);
            }
            T::SelectKind(kind) => self.select_kind(core, kind),
            T::HideKinds { kinds, hide } => self.hide_kinds(&kinds, hide),
            T::IsolateKinds(kinds) => self.isolate_kinds(kinds.as_deref()),
            T::WantStatistics => self.want_statistics(core),
            T::SelectSameKinds => {
                let kinds = self.selected_kinds();
                if let Some(shown) = self.landscape().filter(|_| !kinds.is_empty()) {
                    let of_kinds = (0_u32..).zip(&shown.terrain.props).filter(|(_, prop)| kinds.contains(&prop.kind));
                    let props = of_kinds.map(|(index, _)| index).collect();
                    self.select_props(core, props);
                }
            }
            T::Pick { place, add } => self.pick_in_terrain(core, place, add),
            T::ToggleMeasure => self.with_survey(|survey| survey.is_on = !survey.is_on),
            T::EndMeasure => self.with_survey(|survey| survey.is_ended = !survey.points.is_empty()),
            T::ClearMeasure => self.with_survey(Survey::clear),
            T::AskPlace(asks) => self.with_survey(|survey| survey.asks_place = asks),
            T::Measure(place) => self.measure(place),
            T::GoTo(place) => self.go_to_ground(core, place),
            T::ToggleFlip => self.flip_ground(),
            T::Focus(place) => {
                self.pick_in_terrain(core, place, false);
                self.focus_in_terrain(core, place);
            }
        }
    }

    /// Selects the object at a place of the picture; bare ground lets go of all.
    fn pick_in_terrain(&mut self, core: &mut Core, place: Vec2, add: bool) {
        let prop = self.hit_in_terrain(place).and_then(|hit| hit.prop);
        let mut selected = self.view.terrain.selected.to_vec();
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
        self.select_props(core, selected);
        if let Some(prop) = prop.filter(|prop| several && self.view.terrain.is_selected(*prop)) {
            self.select_slot_of(core, prop);
        }
    }

    /// Brings the object at a place into view, or comes nearer to the ground there.
    fn focus_in_terrain(&mut self, core: &mut Core, place: Vec2) {
        if self.bounds_of_props().is_some() {
            self.frame_selected(core);
        } else if let Some(hit) = self.hit_in_terrain(place) {
            self.finish_tween();
            if self.view.fly.is_none() {
                self.view.camera.focus = hit.position;
                self.view.camera.zoom(0.5);
                self.view.camera_touched = true;
            }
        }
    }
}
