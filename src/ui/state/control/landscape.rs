//! Showing landscapes, their commands, and their statistics.

use crate::{
    bytes::numbers::grouped,
    formats::{Children, Field, Role, Severity, Table},
    scene::{Aabb, Sight, Terrain, TerrainHit, TerrainPicker, TerrainStatistics, picking::Ray, scene_from_ground},
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
use glam::{BVec2, Vec2, Vec3};
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

/// Half the size of what is shown around something, at least, in metres.
const NEIGHBOURHOOD: f32 = 12.0;

impl Stage {
    pub(in crate::ui) fn hide_kinds(&mut self, kinds: &[u32], hide: bool) {
        self.change_hidden(|hidden| {
            for kind in kinds {
                if let Some(slot) = hidden.get_mut(*kind as usize) {
                    *slot = hide;
                }
            }
        });
    }

    /// Hides all types but some; `None` shows all.
    pub(in crate::ui) fn isolate_kinds(&mut self, kinds: Option<&[u32]>) {
        self.change_hidden(|hidden| {
            hidden.fill(kinds.is_some());
            for kind in kinds.unwrap_or_default() {
                if let Some(slot) = hidden.get_mut(*kind as usize) {
                    *slot = false;
                }
            }
        });
    }

    pub(in crate::ui) fn change_hidden(&mut self, change: impl FnOnce(&mut [bool])) {
        let Some(shown) = self.landscape() else { return };
        let mut hidden = self.view.terrain.hidden_kinds.to_vec();
        hidden.resize(shown.terrain.kinds.len(), false);
        change(&mut hidden);
        self.view.terrain.hidden_kinds = if hidden.contains(&true) { hidden.into() } else { Default::default() };
    }

    /// The box around the selected things, as they are drawn; `None` without any.
    pub(in crate::ui) fn bounds_of_props(&self) -> Option<Aabb> {
        let shown = self.landscape()?;
        let props = self.view.terrain.selected.iter().filter_map(|i| shown.terrain.props.get(*i as usize));
        let reach = Vec3::splat(NEIGHBOURHOOD);
        let boxes = props.map(|prop| {
            let own = self.view.terrain.bounds_of(&shown.terrain, prop);
            own.union(Aabb { min: own.center() - reach, max: own.center() + reach })
        });
        boxes.filter(|bounds| bounds.min.is_finite() && bounds.max.is_finite()).reduce(Aabb::union)
    }

    /// Selects things of the shown ground.
    pub(crate) fn select_props(&mut self, core: &mut Core, mut props: Vec<u32>) {
        let Some(shown) = self.landscape() else { return };
        let count = shown.terrain.props.len();
        props.retain(|index| (*index as usize) < count);
        props.sort_unstable();
        props.dedup();
        let only = if let [one] = props[..] { Some(one) } else { None };
        self.view.terrain.selected = props.into();
        if let Some(prop) = only {
            self.select_slot_of(core, prop);
        }
    }

    /// The entry that lists the objects of the landscape on show.
    pub fn objects_entry(&self, core: &Core) -> Option<Place> {
        let shown = self.landscape()?;
        let outline = core.file(shown.place.file)?.document.outline();
        let parent = outline.get(shown.place.entry)?.parent;
        let mut entries = outline.entries().iter();
        let found = entries.find(|entry| entry.role == Role::ObjectList && entry.parent == parent)?;
        Some(Place { file: shown.place.file, entry: found.id })
    }

    /// The rows of that entry: one for each slot.
    fn slots(&self, core: &Core) -> Option<Arc<dyn Table>> {
        let place = self.objects_entry(core)?;
        let tree = core.file(place.file)?.document.fields(place.entry).ok()?;
        tree.fields.into_iter().find_map(|field| match field.children {
            Children::Table(table) => Some(table),
            _ => None,
        })
    }

    /// Returns the stored data of an object, by its index into [`crate::scene::Terrain::props`].
    pub fn slot_of(&self, core: &Core, prop: u32) -> Option<Field> {
        let slot = self.landscape()?.terrain.props.get(prop as usize)?.slot;
        self.slots(core)?.row(slot as usize)
    }

    /// Selects the entry that lists the objects, and marks the bytes of one of them.
    pub(crate) fn select_slot_of(&mut self, core: &mut Core, prop: u32) {
        let (Some(place), Some(row)) = (self.objects_entry(core), self.slot_of(core, prop)) else { return };
        self.select(core, place);
        core.selected_bytes = Some(row.offset..row.offset.saturating_add(row.size));
    }

    /// Selects the object whose slot has the marked bytes, when the entry that lists them is selected.
    pub(crate) fn select_prop_of_bytes(&mut self, core: &mut Core) {
        let Some(bytes) = core.selected_bytes.clone() else { return };
        if core.selection.is_none() || core.selection != self.objects_entry(core) {
            return;
        }
        let (Some(slots), Some(shown)) = (self.slots(core), self.landscape()) else { return };
        // Slots lie one behind the other.
        let (mut low, mut high) = (0, slots.len());
        while low < high {
            let middle = low.midpoint(high);
            match slots.row(middle) {
                Some(row) if row.offset.saturating_add(row.size) <= bytes.start => low = middle + 1,
                _ => high = middle,
            }
        }
        let holds = slots.row(low).is_some_and(|row| row.offset <= bytes.start && row.size > 0);
        let props = &shown.terrain.props;
        if let Some(prop) = props.iter().position(|prop| prop.slot as usize == low).filter(|_| holds) {
            self.view.terrain.selected = Arc::new([prop as u32]);
        }
    }

    /// Brings what an entry stands for into view: a type's objects, a zone, a picture. `false` for any other entry.
    pub(crate) fn focus_part_of_terrain(&mut self, core: &mut Core, place: Place) -> bool {
        let Some(shown) = self.landscape().filter(|shown| shown.place.file == place.file) else {
            return false;
        };
        let terrain = &shown.terrain;
        let source = Some(place.entry.into());
        if let Some(kind) = terrain.kinds.iter().position(|kind| kind.source == source) {
            self.select_kind(core, kind as u32);
            if self.bounds_of_props().is_some() {
                self.frame_selected(core);
            }
            return true;
        }
        let up = shown.range.map_or([0.0; 2], |range| [range.min, range.max]);
        let corners = if let Some(zone) = terrain.zones.iter().find(|zone| zone.source == source) {
            zone.polygon.clone()
        } else if let Some(picture) = terrain.pictures.iter().find(|picture| picture.source == source) {
            vec![picture.offset, picture.offset + picture.size]
        } else {
            return false;
        };
        let heights = corners.iter().flat_map(|corner| up.map(|up| scene_from_ground(corner.x, up, corner.y)));
        if let Some(bounds) = Aabb::of(heights) {
            let bounds = self.view.terrain.drawn_bounds(&bounds);
            self.view.fly = None;
            self.frame_in_terrain(&bounds);
        }
        true
    }

    /// Selects them and brings them into view.
    pub(crate) fn focus_props(&mut self, core: &mut Core, props: Vec<u32>) {
        self.select_props(core, props);
        if self.bounds_of_props().is_some() {
            self.frame_selected(core);
        }
    }

    /// Selects all of a type, and the type itself.
    pub(crate) fn select_kind(&mut self, core: &mut Core, kind: u32) {
        let Some(shown) = self.landscape() else { return };
        let of_kind = (0_u32..).zip(&shown.terrain.props).filter(|(_, prop)| prop.kind == kind);
        let props = of_kind.map(|(index, _)| index).collect();
        let entry = shown.terrain.kinds.get(kind as usize).and_then(|kind| kind.source);
        let place = entry.map(|entry| Place { file: shown.place.file, entry: entry.into() });
        self.select_props(core, props);
        if let Some(place) = place {
            self.select(core, place);
        }
    }
}

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
