//! Showing levels, their commands, picking, and their time.

use crate::{
    formats::Severity,
    gpu::Line,
    scene::{
        Aabb, Map, MapItem, MapItemKind, MapMoment, MapPicker, Pickable,
        camera::OrbitCamera,
        picking::{Hit, Ray},
    },
    ui::{
        command::LevelCommand,
        map_overlays::MapOverlays,
        place::Place,
        saved_view::held_gamma,
        state::{
            core::Core,
            log::LogEntry,
            stage::{
                Stage, StageContent,
                level::{LevelStage, LevelTools, MoverRun, PickedSurface, TypedPlace},
                parts::LevelActors,
            },
        },
    },
};
use glam::{Vec2, Vec3};
use std::sync::{Arc, OnceLock};

/// Size of the mark on an actor that has nothing to draw, as a share of the level.
const MARK: f32 = 0.004;

/// Half the size of what is shown around an actor, at least, as a share of the level.
const NEIGHBOURHOOD: f32 = 0.01;

/// Time in seconds after which a level starts again: a day.
const MAX_SECONDS: f64 = 86_400.0;

impl Stage {
    /// Returns the object at a point of the viewport, 0..1 from the top left.
    pub(in crate::ui) fn hit_at(&self, place: Vec2) -> Option<Hit> {
        let hidden_actors = self.level()?.actors.hidden();
        self.ray_hits(&self.view.camera, place, self.view.options.show_hidden, |item| {
            self.view.options.layers.shows(item.kind) && !hidden_actors.contains(&item.actor)
        })
    }

    /// The same for a camera, of the level's items that `wanted` lets through.
    pub(in crate::ui) fn ray_hits(
        &self,
        camera: &OrbitCamera,
        place: Vec2,
        hidden: bool,
        wanted: impl Fn(&MapItem) -> bool,
    ) -> Option<Hit> {
        let shown = self.level()?;
        let (from, along) = camera.ray(place, self.viewport.aspect);
        let rules = Pickable {
            camera,
            hidden,
            one_sided: self.view.options.backface_culling,
            windows: self.view.options.layers.window_view(self.drawn_shading(), camera, self.view.options.show_hidden),
            moment: Some(&shown.moment),
        };
        shown.picker.get()?.pick(&shown.map, &Ray { from, along }, &rules, wanted).0
    }

    /// Whether it is worked out where the level's triangles lie. Until then nothing is pointed at.
    pub(crate) fn can_pick(&self) -> bool {
        self.level().is_some_and(|shown| shown.picker.get().is_some())
    }

    /// Lets go of the surface that was clicked on.
    pub(in crate::ui) fn forget_picked(&mut self) {
        if let Some(shown) = self.content.level_mut() {
            shown.picked = None;
        }
    }

    /// The actor that an entry is.
    pub(in crate::ui) fn actor_of(&self, place: Place) -> Option<u32> {
        let shown = self.level().filter(|shown| shown.place.file == place.file)?;
        let index = shown.map.actors.iter().position(|actor| actor.source == place.entry.into())?;
        u32::try_from(index).ok()
    }

    pub(in crate::ui) fn mark_actor(&self, shown: &LevelStage, index: usize, edges: &mut Vec<[Vec3; 2]>) {
        let map = &shown.map;
        let before = edges.len();
        let mark = Line { ends: [Vec3::ZERO; 2], color: [0; 4], width_px: 0.0, over: false };
        let own = (0_u32..).zip(&map.items).filter(|(_, item)| item.actor == Some(index as u32));
        for item in own.filter_map(|(item, _)| map.item_at(item, &shown.moment)) {
            let Some(model) = map.models.get(item.model as usize) else { continue };
            let world = item.world_seen_from(&self.view.camera);
            match item.kind {
                MapItemKind::Brush => edges.extend(model.meshes.iter().flat_map(|mesh| {
                    let ends = |line: &[u32; 2]| line.map(|v| world.transform_point3(mesh.position(v as usize)));
                    mesh.lines.iter().map(ends)
                })),
                kind @ (MapItemKind::Sprite | MapItemKind::Corona) if !self.view.options.layers.shows(kind) => {}
                MapItemKind::Sprite | MapItemKind::Corona => {
                    let bounds = model.bounds();
                    let (low, high) = (bounds.min, bounds.max);
                    let corners = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)]
                        .map(|(x, y)| world.transform_point3(Vec3::new(x, y, 0.0)));
                    edges.extend((0..4).map(|i| [corners[i], corners[(i + 1) % 4]]));
                }
                MapItemKind::World | MapItemKind::Mover | MapItemKind::Mesh => {
                    // The edges of the model's own box, turned with it.
                    let boxed = Line::around(&model.bounds(), mark);
                    edges.extend(boxed.map(|line| line.ends.map(|end| world.transform_point3(end))));
                }
            }
        }
        if edges.len() == before
            && let Some(actor) = map.actors.get(index)
        {
            let reach = shown.bounds.diagonal() * MARK;
            edges.extend(
                [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| [actor.location - axis * reach, actor.location + axis * reach]),
            );
        }
    }

    /// Puts a level in the place of what is in the viewport, and the visitor at its first start.
    pub fn show_map(&mut self, core: &mut Core, place: Place, map: Arc<Map>) {
        let generation = core.works.fresh_id();
        let same = self.level().is_some_and(|shown| shown.place == place);
        let triangles = map.items.iter().filter_map(|i| map.models.get(i.model as usize));
        let triangles = triangles.map(|model| model.triangle_count()).sum();
        let bounds = map.bounds();
        if !same {
            let name = core.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
            for missing in &map.missing {
                core.log.push(LogEntry::new(Severity::Warning, &name, missing.clone()).at(place));
            }
        }
        let plays = map.moves();
        let picker = core.prepare_picks(&map);
        self.take_stage(
            core,
            StageContent::Level(LevelStage {
                place,
                map,
                picker,
                generation,
                bounds,
                triangles,
                picked: None,
                moment: MapMoment::default(),
                plays,
                runs: Vec::new(),
                tools: Box::default(),
                actors: LevelActors::default(),
            }),
        );
        if !same {
            // A level is seen from within, and from outside into it.
            self.view.options.backface_culling = true;
            self.view.options.vertex_colors = false;
            self.reset_view();
            self.look_as_before();
            // Speeds are of who flies, not of where.
            self.set_level_speed(self.view.level_speed);
        }
    }

    /// The actor of the shown level that is selected, into [`Map::actors`].
    pub fn selected_actor(&self, core: &Core) -> Option<usize> {
        let shown = self.level()?;
        let selected = core.selection.filter(|place| place.file == shown.place.file)?;
        shown.map.actors.iter().position(|actor| actor.source == selected.entry.into())
    }

    /// Selects the object at a point of the viewport. Without an object, clears the selected surface.
    pub(crate) fn pick_in_map(&mut self, core: &mut Core, place: Vec2) {
        if !self.can_pick() {
            return;
        }
        let hit = self.hit_at(place);
        self.forget_picked();
        let Some(shown) = self.level() else { return };
        let Some(hit) = hit else { return };
        let Some(item) = shown.map.items.get(hit.item as usize) else { return };
        let actor = item.actor.and_then(|actor| shown.map.actors.get(actor as usize));
        let entry = actor.map_or(item.source, |actor| actor.source);
        let surface = shown.map.surface_of(&hit);
        let has_card = match item.kind {
            MapItemKind::World => true,
            MapItemKind::Mover => surface.is_some(),
            _ => false,
        };
        let picked = has_card.then(|| PickedSurface { hit, surface, outline: shown.map.outline_of(&hit) });
        let place = Place { file: shown.place.file, entry: entry.into() };
        self.select(core, place);
        if let Some(shown) = self.content.level_mut() {
            shown.picked = picked;
        }
    }

    /// Selects the object at a point of the viewport and frames it.
    pub(crate) fn focus_in_map(&mut self, core: &mut Core, place: Vec2) {
        if self.can_pick() {
            self.pick_in_map(core, place);
            self.frame_selected(core);
        }
    }

    /// Selects an actor and brings it into view.
    pub(crate) fn select_actor(&mut self, core: &mut Core, actor: u32) {
        self.forget_picked();
        let Some(shown) = self.level() else { return };
        let Some(found) = shown.map.actors.get(actor as usize) else { return };
        let place = Place { file: shown.place.file, entry: found.source.into() };
        self.select(core, place);
        self.frame_selected(core);
    }

    /// The box in the world of what is selected in the level: a surface, an actor, or all of it.
    pub(crate) fn bounds_in_map(&self, core: &Core) -> Option<Aabb> {
        let shown = self.level()?;
        if shown.picked.is_some() {
            return Aabb::of(shown.picked_outline().into_iter().flatten());
        }
        let Some(index) = self.selected_actor(core) else { return Some(shown.bounds) };
        let at = shown.map.actors.get(index)?.location;
        let around = shown.bounds.diagonal() * NEIGHBOURHOOD;
        let items = (0_u32..).zip(&shown.map.items).filter(|(_, item)| item.actor == Some(index as u32));
        let items = items.filter_map(|(item, _)| shown.map.item_at(item, &shown.moment));
        let own = items.filter_map(|item| shown.map.item_bounds(&item));
        Some(own.fold(Aabb { min: at - around, max: at + around }, Aabb::union))
    }

    /// Marks on what is selected: what walls hide of them shines through.
    pub fn map_marks(&self, core: &Core) -> Vec<Line> {
        let Some(shown) = self.level() else { return Vec::new() };
        let mut edges: Vec<[Vec3; 2]> = Vec::new();
        if shown.picked.is_some() {
            edges = shown.picked_outline();
        } else if let Some(index) = self.selected_actor(core) {
            self.mark_actor(shown, index, &mut edges);
        }
        let [r, g, b] = core.accent();
        let line = |ends, over, alpha, width_px| Line { ends, color: [r, g, b, alpha], width_px, over };
        let through = edges.iter().map(|ends| line(*ends, true, 110, 1.5));
        through.chain(edges.iter().map(|ends| line(*ends, false, 255, 3.0))).collect()
    }
}

impl Core {
    /// Works out in the background where the triangles of a level lie: a look at each of them would hold the window.
    fn prepare_picks(&mut self, map: &Arc<Map>) -> Arc<OnceLock<MapPicker>> {
        let picker: Arc<OnceLock<MapPicker>> = Arc::default();
        let (map, made) = (map.clone(), picker.clone());
        self.works.run(format!("Preparing selection in {}", map.name), move |_| {
            made.get_or_init(|| MapPicker::new(&map));
        });
        picker
    }
}

impl Stage {
    /// Changes the tools of the level, if one is shown.
    pub(crate) fn with_tools(&mut self, change: impl FnOnce(&mut LevelTools)) {
        if let Some(shown) = self.content.level_mut() {
            change(&mut shown.tools);
        }
    }

    pub(crate) fn apply_level(&mut self, core: &mut Core, command: LevelCommand) {
        use LevelCommand as C;
        let layers = &mut self.view.options.layers;
        match command {
            C::ToggleMeshes => layers.meshes = !layers.meshes,
            C::ToggleSprites => layers.sprites = !layers.sprites,
            C::ToggleBrushes => layers.brushes = !layers.brushes,
            C::ToggleCoronas => layers.coronas = !layers.coronas,
            C::ToggleWindows => layers.windows = !layers.windows,
            C::TogglePlay => self.toggle_level_play(),
            C::SetMover { mover, position } => self.set_mover(mover, position),
            C::RunMover(mover) => self.run_mover(mover),
            C::SetGamma(gamma) => self.view.options.gamma = held_gamma(gamma),
            C::GoToStart(index) => {
                self.leave_map();
                self.go_to_start(index);
            }
            C::ToggleOverlay(overlay) => self.view.options.overlays.toggle(overlay),
            C::ClearOverlays => self.view.options.overlays = MapOverlays::default(),
            C::StepStart(step) => self.step_start(step),
            C::SetFlySpeed(speed) => self.set_fly_speed(core, speed),
            C::AskPlace(asks) => self.with_tools(|tools| tools.asks_place = asks),
            C::GoTo(place, turn) => self.go_to_place(TypedPlace { place, turn }),
            C::CopyPlace => self.copy_place(core),
            C::ToggleMeasure => self.with_tools(LevelTools::toggle_measure),
            C::Measure { place, snap } => self.measure_in_level(place, snap),
            C::ClearMeasure => self.with_tools(LevelTools::clear_measure),
            C::ToggleAlike => self.toggle_alike(),
            C::AddBookmark(name) => self.add_bookmark(core, &name),
            C::GoToBookmark(index) => self.go_to_bookmark(core, index),
            C::StepBookmark(step) => self.step_bookmark(core, step),
            C::RemoveBookmark(index) => self.remove_bookmark(core, index),
            C::Pick(place) => self.pick_in_map(core, place),
            C::Focus(place) => self.focus_in_map(core, place),
            C::SelectActor(actor) => self.select_actor(core, actor),
        }
    }

    /// Returns true if the shown level is animated.
    pub(in crate::ui) fn level_is_moving(&self) -> bool {
        self.level().is_some_and(|shown| shown.plays || !shown.runs.is_empty())
    }

    /// Lets time pass for the level on show.
    pub(in crate::ui) fn advance_level(&mut self, passed_secs: f32) {
        let Some(shown) = self.content.level_mut() else { return };
        if shown.plays {
            shown.moment.seconds = (shown.moment.seconds + f64::from(passed_secs)).rem_euclid(MAX_SECONDS);
        }
        shown.advance_movers(passed_secs);
    }

    /// Lets its time go on, or holds it.
    pub(in crate::ui) fn toggle_level_play(&mut self) {
        let Some(shown) = self.content.level_mut() else { return };
        shown.plays = !shown.plays && shown.map.moves();
    }

    /// Puts a mover at a place on its way, where it stays.
    pub(in crate::ui) fn set_mover(&mut self, mover: u32, position: f32) {
        let Some(shown) = self.content.level_mut() else { return };
        let Some(found) = shown.map.movers.get(mover as usize) else { return };
        let position = if position.is_finite() { position.clamp(0.0, found.end()) } else { 0.0 };
        shown.runs.retain(|run| run.mover != mover);
        shown.moment.set_mover(&shown.map.movers, mover, position);
    }

    /// Sets a mover off.
    pub(in crate::ui) fn run_mover(&mut self, mover: u32) {
        let Some(shown) = self.content.level_mut() else { return };
        let Some(found) = shown.map.movers.get(mover as usize) else { return };
        let at_end = shown.moment.mover_position(&shown.map.movers, mover) >= found.end();
        match shown.runs.iter_mut().find(|run| run.mover == mover) {
            Some(run) => run.back = !run.back,
            None => shown.runs.push(MoverRun { mover, back: at_end }),
        }
    }
}

impl LevelStage {
    fn advance_movers(&mut self, passed_secs: f32) {
        let Self { runs, moment, map, .. } = self;
        runs.retain(|run| {
            let Some(mover) = map.movers.get(run.mover as usize) else { return false };
            let goal = if run.back { 0.0 } else { mover.end() };
            let way = if mover.seconds > 0.0 { passed_secs / mover.seconds } else { f32::INFINITY };
            let at = moment.mover_position(&map.movers, run.mover);
            let next = if run.back { (at - way).max(goal) } else { (at + way).min(goal) };
            moment.set_mover(&map.movers, run.mover, next);
            next != goal
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formats::EntryId,
        scene::Terrain,
        ui::{
            place::FileId,
            settings::Settings,
            state::{Clock, FailedStage, State},
        },
    };

    #[test]
    fn tools_outlast_a_reload_that_failed_and_no_other_level() {
        let State { core, stages, .. } = &mut State::new(Settings::default(), Clock::Set(0.0));
        let stage = &mut stages.front;
        let place = |entry| Place { file: FileId(1), entry: EntryId(entry) };
        let measures = |stage: &Stage| stage.level().map(|shown| shown.tools.measures);
        stage.show_map(core, place(1), Arc::default());
        stage.with_tools(LevelTools::toggle_measure);
        stage.take_stage(core, StageContent::Failed(FailedStage::new(place(1), "damaged".to_owned())));
        stage.show_map(core, place(1), Arc::default());
        assert_eq!(measures(stage), Some(true));
        stage.take_stage(core, StageContent::Failed(FailedStage::new(place(2), "damaged".to_owned())));
        stage.show_map(core, place(1), Arc::default());
        assert_eq!(measures(stage), Some(false));

        stage.show_terrain(core, place(3), Arc::new(Terrain::default()));
        stage.with_survey(|survey| survey.is_on = true);
        let is_on = |stage: &Stage| stage.landscape().map(|shown| shown.survey.is_on);
        stage.take_stage(core, StageContent::Failed(FailedStage::new(place(3), "damaged".to_owned())));
        stage.show_terrain(core, place(3), Arc::new(Terrain::default()));
        assert_eq!(is_on(stage), Some(true));
        stage.take_stage(core, StageContent::Failed(FailedStage::new(place(4), "damaged".to_owned())));
        stage.show_terrain(core, place(3), Arc::new(Terrain::default()));
        assert_eq!(is_on(stage), Some(false));
    }
}
