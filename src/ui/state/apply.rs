//! What each command does to the state.

use super::{
    DrawerPage, Effect, LogEntry, Place, Shading, StageContent, State, Subject, TimeOf, next_mode,
    opening::paths_in_text,
    playing::{held_speed, next_speed},
    receiving::PlayMode,
};
use crate::{
    formats::{Content, EntryId, Role, Severity},
    gpu::GxLights,
    scene::Translation,
    ui::command::Command,
};

use std::path::PathBuf;

impl State {
    /// Does one thing. Nothing here blocks.
    pub fn apply(&mut self, command: Command) {
        use Command as C;
        match command {
            C::Open(paths) => self.open(paths),
            C::Drop(paths) => self.open_dropped(paths),
            C::UseAsTexture(place) => self.use_as_texture(place),
            C::OwnTextures => self.own_textures(),
            C::OpenPasted(text) => {
                let paths = paths_in_text(&text);
                if paths.is_empty() {
                    let message = "the pasted text is not the path of a file that exists";
                    self.log.announce(LogEntry::new(Severity::Warning, "", message));
                }
                self.open(paths);
            }
            C::OpenSamples => self.open_samples(),
            C::OpenFilesDialog => self.effects.push(Effect::AskForFiles),
            C::OpenFolderDialog => self.effects.push(Effect::AskForFolder),
            C::SearchFolderDialog => self.effects.push(Effect::AskForSearchFolder),
            C::AddSearchFolder(folder) => {
                let text = format!(
                    "references are looked for in {} too; files that are open keep what they found",
                    folder.display()
                );
                self.log.announce(LogEntry::new(Severity::Info, "", text));
                if !self.settings.folders.contains(&folder) {
                    self.settings.folders.push(folder);
                }
            }
            C::RemoveSearchFolder(folder) => self.settings.folders.retain(|f| *f != folder),
            C::Follow(file, reference) => self.follow(file, reference),
            C::FindUses(place) => self.find_uses(place),
            C::FindUsesOfSelected => {
                if let Some(place) = self.selection {
                    self.find_uses(place);
                }
            }
            C::CloseFile(id) => self.close(id),
            C::CloseAll => {
                for id in self.library.files.iter().map(|f| f.id).collect::<Vec<_>>() {
                    self.close(id);
                }
            }
            C::ClearRecents => self.settings.recents.clear(),
            C::Quit => self.effects.push(Effect::Quit),
            C::Select(place) => {
                self.select(place);
                self.show_alike(place);
            }
            C::SelectBytes(range) => {
                self.selected_bytes = range;
                self.select_prop_of_bytes();
            }
            C::ShowTab(tab) => self.effects.push(Effect::ShowTab(tab)),
            C::ShowBytes(file, range) => self.show_bytes(file, range),
            C::SetReading { file, id, value } => self.set_reading(file, id, value),
            C::ForgetReadings(file) => self.forget_readings(file),
            C::Show(place) => {
                self.select(place);
                self.show_or_focus(place);
            }
            C::SelectNext(by) => self.select_next(by),
            C::ShowSelected => {
                if let Some(place) = self.selection {
                    self.show_or_focus(place);
                }
            }
            C::PlayAnyway(place) => self.play_clip(place, PlayMode::Anyway),
            C::HistoryBack => self.travel(-1),
            C::HistoryForward => self.travel(1),
            C::Expand(place, open) => self.library.expand(place, open),
            C::SetFilter(filter) => self.library.set_filter(filter),
            C::FocusFilter => self.effects.push(Effect::FocusFilter),
            C::CopyText(text) => self.effects.push(Effect::Copy(text)),
            C::Export(place) => self.begin_export(place),
            C::ExportShown => match self.place_on_show() {
                Some(place) => self.begin_export(place),
                None => self.log.announce(LogEntry::new(
                    Severity::Info,
                    "",
                    "open a model first: there is nothing to export",
                )),
            },
            C::EditExport(draft) => self.export = Some(*draft),
            C::SetExportPath(path) => {
                if let Some(draft) = &mut self.export {
                    draft.path = path.display().to_string();
                    // The dialog has asked already.
                    draft.overwrite = true;
                }
            }
            C::BrowseExport => {
                if let Some(draft) = &self.export {
                    self.effects.push(Effect::AskWhere(PathBuf::from(draft.path.trim())));
                }
            }
            C::RunExport => self.run_export(),
            C::CancelExport => self.export = None,
            C::ExportAllDialog(file) => self.effects.push(Effect::AskExportFolder(file)),
            C::ExportAll { file, folder, overwrite } => self.export_all(file, folder, overwrite),
            C::UnpackDialog(place) => self.effects.push(Effect::AskUnpackFolder(place)),
            C::Unpack { place, folder, overwrite } => self.unpack(place, folder, overwrite),
            C::ClearLog => self.log.clear(),
            C::Cancel(id) => self.cancel(id),
            C::PickJoint(joint) => self.pick_joint(joint),
            C::Screenshot(transparent) => self.effects.push(Effect::Screenshot { transparent }),
            C::LoseDevice => self.effects.push(Effect::LoseDevice),
            C::SetDark(dark) => {
                self.settings.dark = dark;
                self.effects.push(Effect::Restyle);
            }
            C::ToggleTheme => self.apply(C::SetDark(!self.settings.dark)),
            C::SetUiScale(scale) => {
                self.settings.ui_scale = if scale.is_finite() { scale.clamp(0.6, 3.0) } else { 1.0 };
                self.effects.push(Effect::Restyle);
            }
            C::SetAutoplay(on) => self.settings.autoplay = on,
            C::SetReopenSession(on) => self.settings.reopen_session = on,
            C::SetSamples(samples) => self.settings.samples = samples,
            C::ResetLayout => self.effects.push(Effect::ResetLayout),
            C::ToggleLog => self.settings.show_log = !self.settings.show_log,
            C::TogglePalette => self.show_palette = !self.show_palette,
            C::ToggleKeys => self.show_keys = !self.show_keys,
            C::ToggleAbout => self.show_about = !self.show_about,
            C::WantThumbnails(places) => self.want_thumbnails(places),
            C::SeekCurves(frame) => self.seek_curves(frame),
            C::ToggleDrawer(page) => self.toggle_drawer(page),
            C::OpenBeside(place) => self.open_beside(place),
            C::ShowGallery(file) => self.show_gallery(file),
            C::ShowTable(file) => self.show_table(file),
            C::ShowGalleryOfSelected => {
                if let Some(place) = self.selection {
                    self.show_gallery(place.file);
                }
            }
            C::ShowTableOfSelected => {
                if let Some(place) = self.selection {
                    self.show_table(place.file);
                }
            }
            C::CloseStage(id) => self.close_stage(id),
            C::FocusStage(id) => self.focus_stage(id),
            C::OnStage(id, command) => {
                self.on_stage(id, |state| state.apply(*command));
            }
            C::LinkStages(on) => self.link_stages(on),
            C::ToggleLinkStages => self.link_stages(!self.stages_are_linked()),
            C::ShowCurvesOf(kind) => self.show_curves_of(kind),
            sound @ (C::ToggleSound
            | C::SeekSound(_)
            | C::SetVolume(_)
            | C::ChangeVolume(_)
            | C::ToggleSoundLoop
            | C::RenderMusic) => self.apply_sound(sound),
            sound @ (C::TogglePlay | C::Seek(_) | C::Step(_) | C::SeekStart | C::SeekEnd | C::CycleLoop)
                if self.stage.time_of() == Some(TimeOf::Sound) =>
            {
                self.apply_sound(sound);
            }
            playback @ (C::TogglePlay
            | C::Seek(_)
            | C::Step(_)
            | C::SeekStart
            | C::SeekEnd
            | C::NextClip(_)
            | C::SetSpeed(_)
            | C::Faster
            | C::Slower
            | C::SetLoop(_)
            | C::CycleLoop
            | C::Layer(..)
            | C::SetAssumedRate(_)
            | C::SetPoseOptions(_)
            | C::StopClip
            | C::SetMorph(..)
            | C::ResetMorphs
            | C::SetLevel(_)
            | C::SetTranslation(_)
            | C::CycleTranslation
            | C::SetAdditive(_)
            | C::SetRootConjugate(_)
            | C::SetSwapRedBlue(_)) => self.apply_playback(playback),
            view => self.apply_view(view),
        }
    }

    fn apply_playback(&mut self, command: Command) {
        use Command as C;
        if self.apply_to_picture(&command) || self.apply_to_curves(&command) {
            return;
        }
        let player = &mut self.stage.playback.player;
        match command {
            C::TogglePlay if player.playing => player.playing = false,
            C::TogglePlay => match self.stage.playback.playing {
                Some(_) => player.play(),
                None => self.next_clip(1),
            },
            C::Seek(frame) => player.seek(frame),
            C::Step(frames) => {
                player.playing = false;
                player.step(frames);
            }
            C::SeekStart => player.seek(0.0),
            C::SeekEnd => player.seek(f32::MAX),
            C::NextClip(by) => self.next_clip(by),
            C::SetSpeed(speed) => player.speed = held_speed(speed),
            C::Faster => player.speed = next_speed(player.speed, true),
            C::Slower => player.speed = next_speed(player.speed, false),
            C::SetLoop(mode) => self.set_loop(mode),
            C::CycleLoop => {
                let next = next_mode(player.loop_mode());
                self.set_loop(next);
            }
            C::Layer(kind, change) => self.change_layer(kind, change),
            C::SetAssumedRate(rate_hz) => player.set_assumed_rate_hz(rate_hz),
            C::SetPoseOptions(options) => player.options = options,
            C::StopClip => self.stop_clip(),
            C::SetMorph(index, weight) => {
                if let Some(slot) = player.morph_weights.get_mut(index) {
                    *slot = if weight.is_finite() { weight } else { 0.0 };
                }
            }
            C::ResetMorphs => player.morph_weights.fill(0.0),
            C::SetLevel(level) => self.stage.view.level = level,
            C::SetTranslation(translation) => self.set_translation(translation),
            C::CycleTranslation => self.set_translation(match self.stage.playback.options.translation {
                Translation::Auto => Translation::Clip,
                Translation::Clip => Translation::Mesh,
                Translation::Mesh => Translation::Auto,
            }),
            C::SetAdditive(on) => {
                self.stage.playback.options.additive = on;
                self.play_again();
            }
            C::SetRootConjugate(rule) => {
                self.load_options.root_conjugate = rule;
                self.reload();
            }
            C::SetSwapRedBlue(on) => {
                self.load_options.swap_red_blue = on;
                self.reload();
            }
            _ => {}
        }
        self.stage.playback.revision += 1;
    }

    fn apply_view(&mut self, command: Command) {
        use Command as C;
        if matches!(command, C::Orbit(_) | C::LookFrom(_) | C::ToggleOrtho | C::ToggleFly | C::GoToStart(_)) {
            self.leave_map();
        }
        if matches!(command, C::Pan(_) | C::Zoom(_) | C::FrameModel | C::ResetView | C::FocusProps(_)) {
            self.finish_tween();
        }
        if matches!(command, C::Orbit(_) | C::Pan(_) | C::Zoom(_)) {
            self.turn_about_the_ground();
        }
        if self.apply_flying(&command) {
            return;
        }
        let is_landscape = self.stage.landscape().is_some();
        let view = &mut self.stage.view;
        view.camera_touched |=
            matches!(command, C::Orbit(_) | C::Pan(_) | C::Zoom(_) | C::LookFrom(_) | C::FrameModel | C::FocusJoint(_));
        match command {
            C::Orbit(delta) => view.camera.orbit(delta),
            C::Pan(delta) => view.camera.pan(delta),
            C::Zoom(factor) => view.camera.zoom(factor),
            C::FrameModel => self.frame_pose(),
            C::FocusJoint(joint) => self.focus_joint(joint),
            C::ResetView => self.reset_view(),
            C::LookFrom(direction) => view.camera.look_from(direction),
            C::ToggleOrtho => view.camera.orthographic = !view.camera.orthographic,
            C::SetShading(shading) => view.shading = shading,
            C::ToggleShading(Shading::Uv) => self.next_uv_set(),
            C::ToggleShading(shading) => {
                view.shading = if view.shading == shading { Shading::Lit } else { shading };
            }
            C::ToggleWireframe if is_landscape => view.terrain.wireframe = !view.terrain.wireframe,
            C::ToggleGrid if is_landscape => view.terrain.grid = !view.terrain.grid,
            C::ToggleWireframe => view.wireframe = !view.wireframe,
            C::ToggleSkeleton => {
                view.skeleton = !view.skeleton;
                view.skeleton_asked = view.skeleton;
            }
            C::ToggleBoneNames => {
                view.bone_names = !view.bone_names;
                view.skeleton |= view.bone_names;
            }
            C::ToggleVertexColors => view.vertex_colors = !view.vertex_colors,
            C::ToggleTextures => view.textures = !view.textures,
            C::ToggleGrid => {
                view.grid = !view.grid;
                self.settings.grid = view.grid;
            }
            C::ToggleCulling => view.backface_culling = !view.backface_culling,
            C::ToggleNearest => view.nearest_filter = !view.nearest_filter,
            C::SetGx(gx) => view.gx = gx,
            C::ToggleGxLights => {
                view.gx.lights = if view.gx.lights == GxLights::Off { GxLights::Key } else { GxLights::Off };
            }
            C::ToggleGxFog => view.gx.fog = !view.gx.fog,
            C::SetBackground(color) => view.background = color,
            C::ToggleHidden => view.show_hidden = !view.show_hidden,
            C::ToggleMeshes => view.layers.meshes = !view.layers.meshes,
            C::ToggleSprites => view.layers.sprites = !view.layers.sprites,
            C::ToggleBrushes => view.layers.brushes = !view.layers.brushes,
            C::ToggleFly => self.toggle_fly(),
            C::Steer(steer) => self.stage.steer = steer,
            C::Look(delta) => self.look(delta),
            C::ChangeFlySpeed(factor) => self.change_fly_speed(factor),
            C::GoToStart(index) => self.go_to_start(index),
            C::PickInMap(place) => self.pick_in_map(place),
            C::FocusInMap(place) => self.focus_in_map(place),
            C::SelectActor(actor) => self.select_actor(actor),
            C::SelectProps(props) => self.select_props(props),
            C::FocusProps(props) => self.focus_props(props),
            C::SelectKind(kind) => self.select_kind(kind),
            C::HideKinds { kinds, hide } => self.hide_kinds(&kinds, hide),
            C::IsolateKinds(kinds) => self.isolate_kinds(kinds.as_deref()),
            C::WantStatistics => self.want_statistics(),
            C::Terrain(command) => self.apply_terrain(command),
            C::SetUpAxis(axis) if view.up_axis != axis => {
                view.up_axis = axis;
                self.frame_model();
            }
            _ => {}
        }
    }

    /// Texture coordinates as colours: the first set, the next ones, none.
    fn next_uv_set(&mut self) {
        let next = self.shown_uv_set() + 1;
        let view = &mut self.stage.view;
        if view.shading != Shading::Uv {
            (view.shading, view.uv_set) = (Shading::Uv, 0);
        } else if next < self.stage.content.model().map_or(0, super::Shown::uv_set_count) {
            view.uv_set = next;
        } else {
            (view.shading, view.uv_set) = (Shading::Lit, 0);
        }
    }

    /// A bone of the shown model comes into view; everything else is shown as what it is.
    fn show_or_focus(&mut self, place: Place) {
        match self.joint_of(place) {
            Some(joint) => {
                self.stage.view.camera_touched = true;
                self.focus_joint(joint);
            }
            None => match self.actor_of(place) {
                Some(actor) => self.select_actor(actor),
                None if self.focus_part_of_terrain(place) => {}
                None => self.show(place),
            },
        }
    }

    pub(super) fn select(&mut self, place: Place) {
        if self.file(place.file).and_then(|f| f.entry(place.entry)).is_none() || self.selection == Some(place) {
            return;
        }
        self.set_selection(place);
        self.stage.note_selection(place);
    }

    /// Pulls a page of the drawer out, or pushes it in again.
    fn toggle_drawer(&mut self, page: DrawerPage) {
        let drawer = &mut self.stage.drawer;
        *drawer = if *drawer == Some(page) { None } else { Some(page) };
    }

    fn select_next(&mut self, by: i32) {
        let selection = self.selection;
        let (rows, _) = self.library.rows();
        let at = rows.iter().position(|r| Some(r.place) == selection);
        let last = rows.len() as i64 - 1;
        let next = at.map_or(0, |at| (at as i64 + i64::from(by)).clamp(0, last));
        if let Some(place) = rows.get(next.max(0) as usize).map(|r| r.place) {
            self.select(place);
            self.show_alike(place);
        }
    }

    fn set_selection(&mut self, place: Place) {
        self.selection = Some(place);
        self.selected_bytes = None;
        self.forget_picked();
        self.library.reveal(place);
        self.stage.selected_joint = self.joint_of(place);
    }

    fn travel(&mut self, by: isize) {
        let Some(to) = self.stage.history_at.checked_add_signed(by) else { return };
        let Some(visit) = self.stage.history.get(to).cloned() else { return };
        self.stage.history_at = to;
        if let Some(place) = visit.selection {
            self.set_selection(place);
        }
        if visit.subject != self.stage.content.subject() {
            match visit.subject {
                Subject::Nothing => self.take_stage(StageContent::Empty),
                Subject::Gallery(file) => self.show_gallery(file),
                Subject::Table(file) => self.show_table(file),
                Subject::Entry(place) if self.content_of(place) == Content::Model => self.load_model(place),
                Subject::Entry(place) => self.load_asset(place),
            }
        }
    }

    /// The joint of the shown model that an entry is.
    fn joint_of(&self, place: Place) -> Option<u32> {
        let shown = self.stage.model().filter(|s| s.place.file == place.file)?;
        let index = self.bone_entries(shown).iter().position(|e| *e == place.entry)?;
        u32::try_from(index).ok()
    }

    /// The entry that a joint of the shown model is.
    fn entry_of_joint(&self, joint: u32) -> Option<Place> {
        let shown = self.stage.model()?;
        let entry = *self.bone_entries(shown).get(joint as usize)?;
        Some(Place { file: shown.place.file, entry })
    }

    /// The entries that are the shown model's joints, in their order: bones lie in a file as the skeleton counts them, however
    /// the outline nests them. Nothing when their number is another one.
    fn bone_entries(&self, shown: &super::Shown) -> Vec<EntryId> {
        let Some(file) = self.file(shown.place.file) else { return Vec::new() };
        let entries = file.document.outline().entries();
        let mut bones: Vec<_> = entries.iter().filter(|e| e.role == Role::Bone).collect();
        bones.sort_by_key(|e| (e.offset, e.id));
        if bones.len() == shown.model.joint_count() { bones.iter().map(|e| e.id).collect() } else { Vec::new() }
    }

    fn pick_joint(&mut self, joint: Option<u32>) {
        self.stage.selected_joint = joint;
        if let Some(place) = joint.and_then(|j| self.entry_of_joint(j)) {
            self.select(place);
            self.stage.selected_joint = joint;
        }
    }

    fn close(&mut self, id: super::FileId) {
        if let Some(file) = self.file(id) {
            let path = file.path.clone();
            self.cache.forget(&path);
        }
        self.library.remove(id);
        self.rereads.remove(&id);
        self.forget_presented(id);
        if self.selection.is_some_and(|p| p.file == id) {
            self.selection = None;
            self.selected_bytes = None;
        }
    }

    /// Reads the shown model and its clip again, because what they decode to has changed.
    fn reload(&mut self) {
        if let Some(place) = self.stage.model().map(|s| s.place) {
            self.show(place);
        }
    }

    fn open_samples(&mut self) {
        match crate::ui::samples::folder() {
            Some(folder) => self.open(vec![folder]),
            None => {
                let message = "the samples are not beside the program; they are in assets/samples of its source";
                self.log.announce(LogEntry::new(Severity::Warning, "", message));
            }
        }
    }

    /// What an entry can be shown as, for menus.
    pub fn content_of(&self, place: Place) -> Content {
        self.file(place.file)
            .and_then(|f| f.entry(place.entry))
            .map_or(Content::None, |e| if e.id == EntryId::FILE { Content::Bytes } else { e.content })
    }
}
