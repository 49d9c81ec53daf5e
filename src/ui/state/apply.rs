//! Executes commands: passes them on to the data that they change, and changes what belongs to several parts.

use crate::{
    formats::Severity,
    library::ScriptMatch,
    scene::{PoseOptions, Translation},
    ui::{
        command::{
            CameraCommand, Command, LibraryCommand, ModelCommand, SceneCommand, ScriptsCommand, SelectionCommand,
            StageCommand, WindowCommand,
        },
        picture_draft,
        place::{FileId, Place, PlayMode, StageId, Subject},
        settings::{BLENDS, SCALES},
        state::{
            StageContent, State,
            core::Core,
            dialogs::Dialogs,
            effect::Effect,
            log::LogEntry,
            stage::{Stage, scene::StageScene},
        },
    },
};
use std::path::PathBuf;

impl State {
    /// Does one thing. Nothing here blocks.
    pub fn apply(&mut self, command: Command) {
        match command {
            Command::Library(command) => self.apply_library(command),
            Command::Selection(command) => self.apply_selection(command),
            Command::Bytes(command) => self.lookups.apply_bytes(&mut self.core, &mut self.stages.front, command),
            Command::Stage(command) => self.apply_stage(command),
            Command::Transport(command) => self.stages.front.apply_transport(&mut self.core, command),
            Command::Camera(command) => self.apply_camera(command),
            Command::View(command) => self.stages.front.apply_view(&mut self.core, command),
            Command::Model(command) => self.apply_model(command),
            Command::Parts(command) => self.stages.front.apply_parts(&mut self.core, command),
            Command::Scene(command) => self.apply_scene(command),
            Command::Level(command) => self.stages.front.apply_level(&mut self.core, command),
            Command::Terrain(command) => self.stages.front.apply_terrain(&mut self.core, command),
            Command::Sound(command) => self.stages.front.apply_sound(&mut self.core, command),
            Command::Text(command) => self.stages.front.apply_text(&mut self.core, command),
            Command::Scripts(command) => self.apply_scripts(command),
            Command::Collection(command) => {
                self.collection.apply_collection(&mut self.core, &mut self.stages.front, command)
            }
            Command::Compare(command) => self.comparing.apply_compare(&mut self.core, &mut self.stages.front, command),
            Command::OnStage(id, command) => {
                self.on_stage(id, |state| state.apply(*command));
            }
            Command::Export(command) => self.exports.apply_export(&mut self.core, &mut self.stages.front, command),
            Command::Keys(command) => self.dialogs.apply_keys(command, &mut self.core.settings),
            Command::Window(command) => self.apply_window(command),
        }
    }

    pub(crate) fn apply_camera(&mut self, command: CameraCommand) {
        use CameraCommand as C;
        if self.comparing.compares_models(&self.stages.front) {
            return self.comparing.turn_compared(command);
        }
        match command {
            C::Orbit(_) | C::LookFrom(_) | C::ToggleOrtho | C::ToggleFly => self.stages.front.leave_map(),
            C::Pan(_) | C::Zoom(_) | C::Frame | C::Reset => self.stages.front.finish_tween(),
            C::FocusJoint(_) | C::Steer(_) | C::Look(_) | C::ChangeFlySpeed(_) => {}
        }
        if matches!(command, C::Orbit(_) | C::Pan(_) | C::Zoom(_)) {
            self.stages.front.turn_about_the_ground();
        }
        if self.stages.front.apply_flying(&mut self.core, command) {
            return;
        }
        let view = &mut self.stages.front.view;
        view.camera_touched |=
            matches!(command, C::Orbit(_) | C::Pan(_) | C::Zoom(_) | C::LookFrom(_) | C::Frame | C::FocusJoint(_));
        match command {
            C::Orbit(delta) => view.camera.orbit(delta),
            C::Pan(delta) => view.camera.pan(delta),
            C::Zoom(factor) => view.camera.zoom(factor),
            C::Frame => self.stages.front.frame_pose(&mut self.core),
            C::FocusJoint(joint) => self.stages.front.focus_joint(joint),
            C::Reset => self.stages.front.reset_view(),
            C::LookFrom(direction) => view.camera.look_from(direction),
            C::ToggleOrtho => view.camera.orthographic = !view.camera.orthographic,
            C::ToggleFly => self.stages.front.toggle_fly(),
            C::Steer(steer) => self.stages.front.viewport.steer = steer,
            C::Look(delta) => self.stages.front.look(delta),
            C::ChangeFlySpeed(factor) => {
                self.stages.front.change_fly_speed(factor);
                self.stages.front.keep_fly_speed(&mut self.core);
            }
        }
    }

    pub(crate) fn apply_library(&mut self, command: LibraryCommand) {
        use LibraryCommand as C;
        match command {
            C::Open(paths) => self.core.open(paths),
            C::Drop(paths) => self.stages.open_dropped(&mut self.core, paths),
            C::OpenPasted(text) => self.core.open_pasted(&text),
            C::OpenSamples => self.core.open_samples(),
            C::OpenAnyway(path) => self.stages.front.open_anyway(&mut self.core, path),
            C::OpenFilesDialog => self.core.effects.push(Effect::AskForFiles),
            C::OpenFolderDialog => self.core.effects.push(Effect::AskForFolder),
            C::SearchFolderDialog => self.core.effects.push(Effect::AskForSearchFolder),
            C::AddSearchFolder(folder) => {
                self.core.add_search_folder(folder);
                self.look_anew();
            }
            C::RemoveSearchFolder(folder) => self.core.settings.folders.retain(|f| *f != folder),
            C::ReadAgain(file) => self.read_again(file),
            C::SaveViewDialog => {
                let path = self.stages.suggested_view_path(&self.core);
                self.core.effects.extend(path.map(Effect::AskWhereView));
            }
            C::SaveView(path) => self.save_view(&path),
            C::AnswerView(with_outside) => self.answer_view(with_outside),
            C::NextFile(by) => self.step_file(by),
            C::ToggleFavourite(favourite) => self.favourites.toggle_favourite(&mut self.core, favourite),
            C::ToggleFavouriteOfSelected => self.favourites.toggle_favourite_of_selected(&mut self.core),
            C::OpenFavourite(favourite) => self.stages.front.open_favourite(&mut self.core, &favourite),
            C::ToggleBrowse => self.core.settings.browse = !self.core.settings.browse,
            C::CloseFile(id) => self.close(id),
            C::CloseAll => {
                for id in self.core.library.files.iter().rev().map(|f| f.id).collect::<Vec<_>>() {
                    self.close(id);
                }
            }
            C::ClearRecents => self.core.settings.recents.clear(),
            C::SetReading { file, id, value } => self.set_reading(file, id, value),
            C::ForgetReadings(file) => self.forget_readings(file),
            C::Expand(row, open) => self.core.expand_row(row, open),
            C::FoldRow(open) => self.stages.fold_row(&mut self.core, open),
            C::CollapseAll => self.core.library.collapse_all(),
            C::SetOrder(order) => self.core.set_library_order(order),
            C::ToggleOrder => self.core.set_library_order(self.core.library.order().other()),
            C::SetFilter(filter) => {
                self.stages.list_in_hand = None;
                self.core.library.set_filter(filter);
            }
            C::FocusFilter => self.core.effects.push(Effect::FocusFilter),
            C::WantThumbnails(places) => self.thumbnails.want_thumbnails(&mut self.core, places),
        }
    }

    pub(crate) fn close(&mut self, id: FileId) {
        if let Some(file) = self.core.file(id) {
            let path = file.path.clone();
            self.core.cache.forget(&path);
        }
        self.core.library.remove(id);
        self.reloads.forget(id);
        self.forget_presented(id);
        self.forget_found(id);
        if self.core.selection.is_some_and(|p| p.file == id) {
            self.core.selection = None;
            self.core.selected_bytes = None;
        }
    }

    /// Forgets what was looked for in a file that is closed.
    fn forget_found(&mut self, id: FileId) {
        self.lookups.forget_file(id);
        self.stages.list_in_hand.take_if(|(_, places)| places.iter().any(|place| place.file == id));
        // Where they are shown they are read anew.
        if !self.stages.iter().any(|stage| matches!(stage.content, StageContent::Classes(_))) {
            self.lookups.classes = None;
        }
    }

    pub(crate) fn apply_model(&mut self, command: ModelCommand) {
        use ModelCommand as C;
        let stage = &mut self.stages.front;
        match command {
            C::Pick(place) => return self.stages.front.pick_in_model(&mut self.core, place),
            C::UseAsTexture(place) => return self.stages.use_as_texture(&mut self.core, place),
            C::TextureMaterial(material, image) => {
                return self.stages.texture_material(&mut self.core, material, image);
            }
            C::ChooseTexture(material) => {
                if let Some(shown) = stage.content.model_mut() {
                    shown.textures.choosing = material;
                }
                return;
            }
            C::OpenTexture(material) => return self.stages.front.open_texture(&mut self.core, material),
            C::OwnTextures => return self.stages.front.own_textures(),
            C::PlayAnyway(place) => return self.stages.front.play_clip(&mut self.core, place, PlayMode::Anyway),
            C::SeekCurves(frame) => return self.stages.front.seek_curves(frame),
            C::ShowCurvesOf(kind) => return self.stages.front.show_curves_of(&mut self.core, kind),
            C::NextClip(by) => self.stages.front.next_clip(&mut self.core, by),
            C::Layer(layer, change) => self.stages.front.change_layer(layer, change),
            C::SetAssumedRate(rate_hz) => stage.change_play_settings(|settings| settings.assumed_rate_hz = rate_hz),
            C::SetPoseOptions(options) => {
                let before = stage.play_settings().pose;
                stage.change_play_settings(|settings| settings.pose = options);
                if before.bind_pose != options.bind_pose {
                    stage.frame_model();
                }
            }
            C::ShowBindPose(place) => {
                if let Some(shown) = stage.model().filter(|shown| shown.place == place) {
                    let options = PoseOptions { bind_pose: true, ..shown.playback.player.options };
                    self.apply_model(C::SetPoseOptions(options));
                }
            }
            C::SetBlend(secs) => {
                self.core.settings.blend_secs = if BLENDS.contains(&secs) { secs } else { 0.0 };
                if let Some(playback) = stage.playback_mut() {
                    playback.fade = None;
                }
            }
            C::StopClip => self.stages.front.stop_clip(),
            C::SetMorph(index, weight) => stage.with_player(|player| {
                if let Some(slot) = player.morph_weights.get_mut(index) {
                    *slot = if weight.is_finite() { weight } else { 0.0 };
                }
            }),
            C::ResetMorphs => stage.with_player(|player| player.morph_weights.fill(0.0)),
            C::SetLevel(level) => self.stages.front.view.options.level = level,
            C::SetTranslation(translation) => self.stages.front.set_translation(&mut self.core, translation),
            C::CycleTranslation => self.stages.front.set_translation(
                &mut self.core,
                match self.stages.front.play_settings().binding.translation {
                    Translation::Auto => Translation::Clip,
                    Translation::Clip => Translation::Mesh,
                    Translation::Mesh => Translation::Auto,
                },
            ),
            C::SetAdditive(on) => {
                stage.change_play_settings(|settings| settings.binding.additive = on);
                stage.play_again(&mut self.core);
            }
            C::SetRootConjugate(rule) => {
                self.core.load_options.root_conjugate = rule;
                self.stages.front.reload(&mut self.core);
            }
            C::SetSwapRedBlue(on) => {
                self.core.load_options.swap_red_blue = on;
                self.stages.front.reload(&mut self.core);
            }
        }
        self.stages.front.model_changed();
    }

    pub(crate) fn apply_scene(&mut self, command: SceneCommand) {
        use SceneCommand as C;
        match command {
            C::Add(place) => self.stages.front.add_to_scene(&mut self.core, place),
            C::AddSelected => {
                if let Some(place) = self.core.selection {
                    self.stages.front.add_to_scene(&mut self.core, place);
                }
            }
            C::Drop(paths) => self.stages.front.open_for_scene(&mut self.core, paths),
            C::Join { main, added } => self.join_scene(main, added),
            C::Remove(id) => self.stages.front.remove_from_scene(id),
            C::RemoveAll => {
                self.stages.front.pending.loads.take_scene();
                self.stages.front.with_scene_mut(StageScene::remove_all);
            }
            C::Select(member) => self.stages.front.select_in_scene(&mut self.core, member),
            C::MakeMain(id) => {
                if let Some(id) = id.or(self.stages.front.scene().and_then(|scene| scene.selected)) {
                    self.stages.front.make_main(&mut self.core, id);
                }
            }
            C::SetVisible(member, visible) => {
                self.stages.front.change_look(member, |look| look.visible = visible);
            }
            C::SetTint(member, tint) => {
                self.stages.front.change_look(member, |look| look.tint = tint);
            }
            C::SetGhost(member, ghost) => self.stages.front.set_ghost(member, Some(ghost)),
            C::ToggleGhost => {
                if let Some(member) = self.stages.front.scene().map(StageScene::selected_member) {
                    self.stages.front.set_ghost(member, None);
                }
            }
            C::Play(id, place) => self.stages.front.play_in_scene(&mut self.core, id, place),
            C::FindClips(id) => self.stages.front.find_clips_in_scene(&mut self.core, id),
            C::SetOwnClock(id, own) => self.stages.front.change_in_scene(id, |model| {
                model.own_clock = own;
                // Both go on from where they are.
                model.player.play();
            }),
            C::SetPlaying(id, true) => self.stages.front.change_in_scene(id, |model| model.player.play()),
            C::SetPlaying(id, false) => self.stages.front.change_in_scene(id, |model| model.player.playing = false),
            C::SetLoop(id, mode) => self.stages.front.change_in_scene(id, |model| model.player.set_loop_mode(mode)),
            C::SetFollows(id, follows) => self.stages.front.change_in_scene(id, |model| {
                model.follows = follows;
                model.attached.take_if(|_| follows);
            }),
            C::Attach(id, to) => self.stages.front.attach(&mut self.core, id, to),
            C::AttachToSelectedBone(id) => self.stages.front.attach_to_selected_bone(&mut self.core, id),
            C::ToggleSideBySide => {
                self.stages.front.with_scene_mut(|scene| scene.side_by_side = !scene.side_by_side);
                self.stages.front.frame_motion();
            }
            C::ToggleList => self.stages.front.with_scene_mut(|scene| scene.list_is_open = !scene.list_is_open),
        }
    }

    pub(crate) fn apply_selection(&mut self, command: SelectionCommand) {
        use SelectionCommand as C;
        match command {
            C::Select(place) => {
                // Of what is selected already a click on the picture may have chosen a part, or none.
                if self.core.selection == Some(place) {
                    self.stages.front.select_pieces(&self.core, place);
                }
                self.stages.list_in_hand = None;
                self.stages.front.select(&mut self.core, place);
                self.stages.front.show_alike(&mut self.core, place);
            }
            C::Row(row) => {
                self.stages.list_in_hand = None;
                self.stages.front.go_to_row(&mut self.core, row);
            }
            C::FirstFound => {
                self.stages.list_in_hand = None;
                self.stages.select_first_found(&mut self.core);
            }
            C::TakeList(places) => self.stages.list_in_hand = Some((self.stages.front.id, places)),
            C::NextAlike(by) => self.stages.front.step_alike(&mut self.core, by),
            C::Next(by) if self.comparing.compares(&self.stages.front) => {
                self.comparing.step_comparison(&mut self.core, by)
            }
            C::Next(by) => self.stages.select_next(&mut self.core, by),
            C::Follow(file, reference) => self.stages.front.follow(&mut self.core, file, reference),
            C::FollowPath(file, path) => self.core.follow_path(file, path),
            C::FindUses(place) => self.lookups.find_uses(&mut self.core, place),
            C::FindUsesOfSelected => {
                if let Some(place) = self.core.selection {
                    self.lookups.find_uses(&mut self.core, place);
                }
            }
            C::Jump(text) => self.dialogs.jump_to(&mut self.core, &mut self.stages.front, &text),
            C::Bytes(range) => {
                self.core.selected_bytes = range;
                self.stages.front.select_prop_of_bytes(&mut self.core);
            }
            C::ShowBytes(file, range) => self.stages.front.show_bytes(&mut self.core, file, range),
            C::Joint(joint) => self.stages.front.pick_joint(&mut self.core, joint),
            C::Socket(socket) => self.stages.front.pick_socket(&mut self.core, socket),
        }
    }

    pub(crate) fn apply_stage(&mut self, command: StageCommand) {
        use StageCommand as C;
        match command {
            C::Show(place) => {
                self.stages.front.select(&mut self.core, place);
                self.stages.front.show_or_focus(&mut self.core, place);
            }
            // Enter completes what is being measured first.
            C::ShowSelected => match self.stages.front.content.landscape_mut().filter(|shown| shown.survey.is_open()) {
                Some(shown) => shown.survey.is_ended = true,
                None => self.stages.show_row(&mut self.core),
            },
            C::OpenBeside(place) => self.stages.open_beside(&mut self.core, place),
            C::ShowGallery(file) => self.stages.front.show_gallery(&mut self.core, file),
            C::ShowTable(file) => self.stages.front.show_table(&mut self.core, file),
            C::ShowClasses(file) => self.stages.front.show_classes(&mut self.core, file),
            C::ShowClassesOfSelected => self.stages.front.show_classes_of_selected(&mut self.core),
            C::ShowPictures => self.stages.show_pictures(&mut self.core),
            C::CopyPicture(place) => self.stages.front.copy_picture(&mut self.core, place),
            C::ShowGalleryOfSelected => {
                if let Some(place) = self.core.selection {
                    self.stages.front.show_gallery(&mut self.core, place.file);
                }
            }
            C::ShowTableOfSelected => {
                if let Some(place) = self.core.selection {
                    self.stages.front.show_table(&mut self.core, place.file);
                }
            }
            C::Close(id) => self.stages.close(id, &mut self.core),
            C::Focus(id) => self.stages.focus_stage(&mut self.core, id),
            C::Link(on) => self.stages.link(on),
            C::ToggleLink => self.stages.link(!self.stages.are_linked()),
            C::ToggleDrawer(page) => self.stages.front.toggle_drawer(page),
            C::Back => self.travel(-1),
            C::Forward => self.travel(1),
        }
    }

    fn travel(&mut self, by: isize) {
        if let Some(to) = self.stages.front.history.at.checked_add_signed(by) {
            self.travel_to(to);
        }
    }

    /// Goes to a step of the stage's history.
    pub(crate) fn travel_to(&mut self, to: usize) {
        let Some(visit) = self.stages.front.history.visits.get(to).cloned() else { return };
        self.stages.front.history.at = to;
        if let Some(place) = visit.selection {
            self.stages.front.set_selection(&mut self.core, place);
        }
        if visit.subject != self.stages.front.content.subject() {
            match visit.subject {
                Subject::Nothing => {
                    self.stages.front.stop_loading();
                    self.stages.front.take_stage(&mut self.core, StageContent::Empty);
                }
                Subject::Gallery(file) => self.stages.front.show_gallery(&mut self.core, file),
                Subject::Table(file) => self.stages.front.show_table(&mut self.core, file),
                Subject::Classes(file) => self.stages.front.show_classes(&mut self.core, file),
                Subject::Scripts => self.lookups.show_script_search(&mut self.core, &mut self.stages.front),
                Subject::Collection => self.collection.show_collection(&mut self.core, &mut self.stages.front),
                Subject::Pictures => self.stages.show_pictures(&mut self.core),
                Subject::Compare => self.stages.front.show_comparison(&mut self.core),
                Subject::Entry(place) => {
                    self.stages.front.load(&mut self.core, place);
                    self.stages.front.bring_up_stage(&mut self.core);
                }
            }
        }
    }

    pub(crate) fn apply_window(&mut self, command: WindowCommand) {
        use WindowCommand as C;
        match command {
            C::Quit => self.core.effects.push(Effect::Quit),
            C::ShowTab(tab) => self.core.effects.push(Effect::ShowTab(tab)),
            C::ShowSection(section) => self.stages.front.show_section(&mut self.core, section),
            C::SetSection(section, open) => self.core.settings.sections.set(section, open),
            C::Copy(text) => self.core.effects.push(Effect::Copy(text)),
            C::Screenshot(transparent) => {
                self.dialogs.take_picture(&mut self.core, &mut self.stages.front, transparent)
            }
            C::CopyPicture => {
                if self.stages.front.can_take_picture(&mut self.core) {
                    self.core.effects.push(Effect::CopyPicture);
                }
            }
            C::LoseDevice => self.core.effects.push(Effect::LoseDevice),
            C::SetDark(dark) => self.core.set_dark(dark),
            C::ToggleTheme => self.core.set_dark(!self.core.settings.dark),
            C::SetUiScale(scale) => {
                let scale = scale.clamp(*SCALES.start(), *SCALES.end());
                self.core.settings.ui_scale = if scale.is_finite() { scale } else { 1.0 };
                self.core.effects.push(Effect::Restyle);
            }
            C::SetAutoplay(on) => self.core.settings.autoplay = on,
            C::ToggleAutoplay => self.core.settings.autoplay = !self.core.settings.autoplay,
            C::SetReopenSession(on) => self.core.settings.reopen_session = on,
            C::SetWatchFiles(on) => self.core.settings.watch_files = on,
            C::ToggleWatchFiles => self.core.settings.watch_files = !self.core.settings.watch_files,
            C::ResetLayout => self.core.effects.push(Effect::ResetLayout),
            C::ShowLog => self.core.settings.show_log = true,
            C::ShowFolder(folder) => self.core.effects.push(Effect::ShowFolder(folder)),
            C::ToggleLog => self.core.settings.show_log = !self.core.settings.show_log,
            C::TogglePalette => self.dialogs.palette = !self.dialogs.palette,
            C::ToggleKeys => self.dialogs.keys = !self.dialogs.keys,
            C::ToggleJump => self.dialogs.toggle_jump(),
            C::ToggleAbout => self.dialogs.about = !self.dialogs.about,
            C::ToggleSettings => {
                self.dialogs.settings = !self.dialogs.settings;
                self.dialogs.key_change = None;
            }
            C::AskHere(ask) => self.dialogs.file = Some(ask),
            C::CloseFileDialog => (self.dialogs.file, self.dialogs.picture_after) = (None, None),
            C::SetOwnDialogs(on) => self.core.settings.own_dialogs = on,
            C::ToggleGuide => self.dialogs.guide = if self.dialogs.guide.is_some() { None } else { Some(Vec::new()) },
            C::SetPictureSize(size) => match size.and_then(picture_draft::size_refusal) {
                Some(why) => self.core.log.announce(LogEntry::new(Severity::Warning, "", why)),
                None => self.core.settings.picture_size = size,
            },
            C::AskPictureFolder => {
                self.dialogs.picture_after = None;
                self.core.effects.push(Effect::AskPictureFolder);
            }
            C::SetPictureFolder(folder) => {
                let is_chosen = folder.is_some();
                self.core.settings.picture_folder = folder;
                if let Some(transparent) = self.dialogs.picture_after.take().filter(|_| is_chosen) {
                    self.dialogs.take_picture(&mut self.core, &mut self.stages.front, transparent);
                }
            }
            C::ClearLog => self.core.log.clear(),
            C::CancelWork(id) => self.cancel(id),
        }
    }

    /// Shows the previous model again, and adds another one to its scene.
    pub(crate) fn join_scene(&mut self, main: Place, added: Place) {
        if self.stages.front.model().is_some_and(|shown| shown.place == main) {
            return self.stages.front.add_to_scene(&mut self.core, added);
        }
        if self.core.file(main.file).is_none() || self.core.file(added.file).is_none() {
            return;
        }
        self.stages.front.pending.joins.push(added);
        let before = self.stages.front.history.visits.iter().rposition(|visit| visit.subject == Subject::Entry(main));
        match before {
            Some(at) => self.travel_to(at),
            None => self.stages.front.load(&mut self.core, main),
        }
    }

    pub(crate) fn apply_scripts(&mut self, command: ScriptsCommand) {
        use ScriptsCommand as C;
        match command {
            C::Show => self.lookups.show_script_search(&mut self.core, &mut self.stages.front),
            C::Search(query) => self.lookups.search_scripts(&mut self.core, query),
            C::Cancel => {
                if let Some(work) = self.lookups.scripts.work.take() {
                    self.lookups.scripts.cancelled = true;
                    self.cancel(work);
                }
            }
            C::GoTo(index) => {
                let Some((file, found)) = self.lookups.scripts.found.get(index).cloned() else { return };
                self.lookups.scripts.current = Some(index);
                let ScriptMatch { entry, part, line, found, .. } = found;
                self.stages.front.show_text_at(
                    &mut self.core,
                    Place { file, entry },
                    Some((part, line, (found.start, found.end))),
                    None,
                );
            }
        }
    }

    /// Does something with a stage as the one in front; `None` when it is gone.
    pub fn on_stage<T>(&mut self, id: StageId, what: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if id == self.stages.front.id {
            return Some(what(self));
        }
        let front = self.stages.front.id;
        self.stages.bring_to_front(id)?;
        let done = what(self);
        // Another one may have come to the front meanwhile.
        if self.stages.front.id == id {
            self.stages.bring_to_front(front);
        }
        Some(done)
    }
}

impl Dialogs {
    /// Saves a picture; the folder is asked for once, and again where it is gone.
    pub(crate) fn take_picture(&mut self, core: &mut Core, stage: &mut Stage, transparent: bool) {
        if !stage.can_take_picture(core) {
            return;
        }
        if core.settings.picture_folder.as_ref().is_some_and(|folder| crate::files::is_dir(folder)) {
            core.effects.push(Effect::Screenshot { transparent });
        } else {
            self.picture_after = Some(transparent);
            core.effects.push(Effect::AskPictureFolder);
        }
    }
}

impl Stage {
    /// Returns true if the stage can be captured. If not, logs a message.
    pub(crate) fn can_take_picture(&mut self, core: &mut Core) -> bool {
        let can = self.content.is_space();
        if !can {
            let text = "There is nothing to capture. Show a model, level or landscape first";
            core.log.announce(LogEntry::new(Severity::Info, "", text));
        }
        can
    }
}

impl Core {
    /// Adds a folder that is searched for files that others refer to.
    fn add_search_folder(&mut self, folder: PathBuf) {
        let text = format!("Also searching {} for missing files", folder.display());
        self.log.announce(LogEntry::new(Severity::Info, "", text));
        if !self.settings.folders.contains(&folder) {
            self.settings.folders.push(folder);
        }
    }

    pub(crate) fn set_dark(&mut self, dark: bool) {
        self.settings.dark = dark;
        self.effects.push(Effect::Restyle);
    }
}
