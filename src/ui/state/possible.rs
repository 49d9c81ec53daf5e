//! What a command would do now: whether it has an effect, and whether what it turns on is on. Menus and the palette show both.

use crate::{
    gpu::GxLights,
    ui::{
        command::{
            BytesCommand, CameraCommand, CollectionCommand, Command, CopyBytes, ExportCommand, LevelCommand,
            LibraryCommand, ModelCommand, SceneCommand, SelectionCommand, StageCommand, TerrainCommand, TextCommand,
            TransportCommand, ViewCommand, WindowCommand,
        },
        layout::Tab,
        place::TimeOf,
        saved_view::ViewToggle,
        state::{Curves, Shading, StageContent, State, core::Core, stage::Stage, stages::Stages},
    },
};

impl State {
    /// Returns true if the option that a command turns on or selects is on; `None` for other commands.
    pub fn is_on(&self, command: &Command) -> Option<bool> {
        use LevelCommand as L;
        use TerrainCommand as T;
        use ViewCommand as V;
        let (front, settings) = (&self.stages.front, &self.core.settings);
        let (view, options) = (&front.view, &front.view.options);
        let (layers, terrain) = (&options.layers, &view.terrain);
        let level = || front.level().map(|shown| &shown.tools);
        let load = self.core.load_options();
        Some(match command {
            Command::Camera(CameraCommand::ToggleOrtho) => match self.comparing.compares_models(front) {
                true => self.comparing.camera.orthographic,
                false => view.camera.orthographic,
            },
            Command::Camera(CameraCommand::ToggleFly) => view.fly.is_some(),
            Command::View(V::Toggle(option)) => front.is_view_on(*option),
            Command::View(V::ToggleShading(shading) | V::SetShading(shading)) => front.drawn_shading() == *shading,
            Command::View(V::SetChannel(channel)) => {
                options.shading == Shading::VertexColors && options.channel == *channel
            }
            Command::View(V::SetLight(light)) => options.light == *light,
            Command::View(V::SetUpAxis(axis)) => options.up_axis == *axis,
            Command::View(V::ToggleGxLights) => options.gx.lights != GxLights::Off,
            Command::View(V::ToggleGxFog) => options.gx.fog,
            Command::View(V::SetSamples(samples)) => settings.samples == *samples,
            Command::View(V::ToggleSceneAxes) => settings.scene_axes,
            Command::Level(L::ToggleMeshes) => layers.meshes,
            Command::Level(L::ToggleSprites) => layers.sprites,
            Command::Level(L::ToggleCoronas) => layers.coronas,
            Command::Level(L::ToggleWindows) => layers.windows,
            Command::Level(L::ToggleBrushes) => layers.brushes,
            Command::Level(L::ToggleOverlay(overlay)) => options.overlays.shows(*overlay),
            Command::Level(L::ToggleMeasure) => level()?.measures,
            Command::Level(L::ToggleAlike) => level()?.alike.is_some(),
            Command::Level(L::GoToStart(start)) => level()?.start == Some(*start),
            Command::Level(L::SetFlySpeed(speed)) => view.level_speed == *speed,
            Command::Terrain(T::ToggleMap) => front.is_map(),
            Command::Terrain(T::ToggleContours) => terrain.contours,
            Command::Terrain(T::SetContourStep(step)) => terrain.contours && terrain.contour_step == *step,
            Command::Terrain(T::ToggleWater) => terrain.water,
            Command::Terrain(T::ToggleZones) => terrain.zones,
            Command::Terrain(T::TogglePictures) => terrain.pictures,
            Command::Terrain(T::ToggleProps) => terrain.props,
            Command::Terrain(T::ToggleBodies) => {
                terrain.bodies && front.landscape()?.terrain.kinds.iter().any(|kind| kind.body.is_some())
            }
            Command::Terrain(T::ToggleNames) => view.prop_names,
            Command::Terrain(T::ToggleLegend) => view.terrain_legend,
            Command::Terrain(T::ToggleFlip) => view.flipped,
            Command::Terrain(T::ToggleMeasure) => front.landscape()?.survey.is_on,
            Command::Terrain(T::SetTint(tint)) => terrain.tint == *tint,
            Command::Terrain(T::SetColors(colors)) => terrain.prop_colors == *colors,
            Command::Terrain(T::SetExaggeration(times)) => terrain.exaggeration == *times,
            Command::Transport(TransportCommand::SetLoop(mode)) => {
                let alone = front.curves().filter(|_| front.time_of() == Some(TimeOf::Clip));
                alone.map_or(front.play_settings().loop_mode, |curves| curves.alone().loop_mode()) == *mode
            }
            Command::Model(ModelCommand::SetBlend(secs)) => settings.blend_secs == *secs,
            Command::Model(ModelCommand::SetAssumedRate(rate_hz)) => front.play_settings().assumed_rate_hz == *rate_hz,
            Command::Model(ModelCommand::SetTranslation(translation)) => {
                front.play_settings().binding.translation == *translation
            }
            Command::Model(ModelCommand::SetRootConjugate(rule)) => load.root_conjugate == *rule,
            Command::Scene(SceneCommand::ToggleSideBySide) => front.scene()?.side_by_side,
            Command::Scene(SceneCommand::ToggleList) => front.scene()?.list_is_open,
            Command::Stage(StageCommand::ToggleDrawer(page)) => front.viewport.drawer == Some(*page),
            Command::Stage(StageCommand::ToggleLink) => self.stages.are_linked(),
            Command::Library(LibraryCommand::ToggleBrowse) => settings.browse,
            Command::Window(WindowCommand::ToggleAutoplay) => settings.autoplay,
            Command::Window(WindowCommand::ToggleWatchFiles) => settings.watch_files,
            Command::Window(WindowCommand::ToggleLog) => settings.show_log,
            Command::Window(WindowCommand::ToggleTheme) => settings.dark,
            Command::Window(WindowCommand::ToggleGuide) => self.dialogs.guide.is_some(),
            Command::Window(WindowCommand::SetUiScale(scale)) => (settings.ui_scale - scale).abs() < 0.01,
            _ => return None,
        })
    }

    /// Returns true if a command has an effect. Commands that are in no menu count as possible.
    pub fn is_possible(&self, command: &Command) -> bool {
        let stage = &self.stages.front;
        let has_files = !self.core.library.files.is_empty();
        let has_landscape = stage.landscape().is_some();
        match command {
            Command::Transport(command) => self.stages.front.is_transport_possible(*command),
            Command::Camera(_) => stage.content.is_space() || self.comparing.compares_models(&self.stages.front),
            Command::Terrain(TerrainCommand::EndMeasure) => {
                stage.landscape().is_some_and(|shown| shown.survey.is_open())
            }
            Command::Terrain(TerrainCommand::ClearMeasure) => {
                stage.landscape().is_some_and(|shown| shown.survey.is_on || !shown.survey.points.is_empty())
            }
            Command::Terrain(_) => has_landscape,
            Command::Level(LevelCommand::Pick(_)) => true,
            Command::Level(command) => self.stages.front.is_level_possible(&self.core, command),
            Command::Text(TextCommand::DefineAtCaret) => stage.text().is_some_and(|shown| shown.caret.is_some()),
            Command::Text(_) => stage.text().is_some(),
            Command::Scripts(_) => self.core.has_classes(),
            Command::Sound(_) => stage.sound().is_some(),
            Command::Model(ModelCommand::OwnTextures) => stage.model().is_some_and(|shown| !shown.textures.is_empty()),
            Command::Model(ModelCommand::ResetMorphs) => {
                stage.model().is_some_and(|shown| !shown.model.morph_names().is_empty())
            }
            Command::Model(ModelCommand::SetBlend(_) | ModelCommand::CycleTranslation) => true,
            Command::Model(_) => stage.model().is_some(),
            Command::Scene(command) => self.stages.front.is_scene_possible(&self.core, command),
            Command::Parts(command) => self.stages.front.is_parts_possible(&self.core, command),
            Command::View(ViewCommand::ToggleShading(Shading::Zones | Shading::Light)) => stage.level().is_some(),
            Command::View(
                ViewCommand::ToggleShading(Shading::Weights | Shading::ListKinds)
                | ViewCommand::Toggle(ViewToggle::Skeleton),
            )
            | Command::View(ViewCommand::Toggle(ViewToggle::BoneNames)) => {
                stage.model().is_some_and(|shown| shown.model.skeleton.is_some())
            }
            Command::View(ViewCommand::Toggle(ViewToggle::Sockets)) => !stage.sockets().is_empty(),
            Command::View(
                ViewCommand::Toggle(ViewToggle::Bounds)
                | ViewCommand::Toggle(ViewToggle::NormalLines)
                | ViewCommand::Toggle(ViewToggle::Shadow)
                | ViewCommand::ToggleShading(Shading::PartId),
            ) => stage.model().is_some(),
            Command::View(ViewCommand::Toggle(ViewToggle::UvLayout)) => {
                stage.model().is_some_and(|shown| shown.uv_set_count() > 0)
            }
            Command::View(ViewCommand::SetLight(_)) => stage.model().is_some() || stage.level().is_some(),
            Command::View(ViewCommand::SetUpAxis(_)) => stage.model().is_some(),
            Command::View(
                ViewCommand::Toggle(ViewToggle::Nearest) | ViewCommand::SetSamples(_) | ViewCommand::ToggleSceneAxes,
            ) => true,
            Command::View(_) => stage.content.is_space(),
            Command::Bytes(BytesCommand::Copy(
                CopyBytes::Hex | CopyBytes::Text | CopyBytes::Array | CopyBytes::Value,
            )) => self.core.selected_bytes.is_some(),
            Command::Bytes(BytesCommand::Step(_)) => {
                self.lookups.bytes.hits.as_ref().is_some_and(|hits| !hits.places.is_empty())
            }
            Command::Bytes(_) => self.core.selection.is_some(),
            Command::Stage(command) => self.stages.is_stage_possible(&self.core, command, has_files),
            Command::Selection(SelectionCommand::FindUsesOfSelected) => self.core.selection.is_some(),
            Command::Selection(SelectionCommand::Next(_)) => has_files || self.comparing.compares(stage),
            Command::Selection(_) => has_files,
            Command::Library(LibraryCommand::SaveViewDialog | LibraryCommand::ReadAgain(None)) => {
                self.stages.file_in_front(&self.core).is_some()
            }
            Command::Library(LibraryCommand::ClearRecents) => !self.core.settings.recents.is_empty(),
            Command::Library(LibraryCommand::ToggleFavouriteOfSelected) => self.core.selection.is_some(),
            Command::Library(
                LibraryCommand::CloseAll
                | LibraryCommand::NextFile(_)
                | LibraryCommand::FocusFilter
                | LibraryCommand::FoldRow(_)
                | LibraryCommand::CollapseAll
                | LibraryCommand::ToggleOrder,
            ) => has_files,
            Command::Export(ExportCommand::PrepareShown) => self.stages.front.content.place().is_some(),
            Command::Export(ExportCommand::PreparePicture) => stage.content.is_space(),
            Command::Export(_) => has_files,
            Command::Window(WindowCommand::ShowTab(Tab::Objects | Tab::Statistics)) => has_landscape,
            Command::Window(WindowCommand::ToggleJump) => has_files,
            Command::Window(WindowCommand::Screenshot(_) | WindowCommand::CopyPicture) => stage.content.is_space(),
            Command::Window(WindowCommand::ShowSection(_)) => self.core.selection.is_some(),
            Command::Collection(CollectionCommand::ShowLinks(None)) => self.core.selection.is_some(),
            Command::Collection(CollectionCommand::ShowFits(None)) => {
                self.collection.has_store() && (stage.model().is_some() || self.core.selection.is_some())
            }
            Command::Library(_)
            | Command::Collection(_)
            | Command::Compare(_)
            | Command::OnStage(..)
            | Command::Keys(_)
            | Command::Window(_) => true,
        }
    }
}

impl Stages {
    fn is_stage_possible(&self, core: &Core, command: &StageCommand, has_files: bool) -> bool {
        match command {
            StageCommand::Back => self.front.history.can_go_back(),
            StageCommand::Forward => self.front.history.can_go_forward(),
            StageCommand::ToggleLink => self.iter().nth(1).is_some(),
            StageCommand::ToggleDrawer(_) => matches!(self.front.time_of(), Some(TimeOf::Model | TimeOf::Clip)),
            StageCommand::OpenBeside(None) => {
                core.selection.is_some() || !matches!(self.front.content, StageContent::Empty)
            }
            StageCommand::ShowSelected => {
                let is_folder = core.library.cursor().is_some_and(|row| row.place().is_none());
                let measures = self.front.landscape().is_some_and(|shown| shown.survey.is_open());
                core.selection.is_some() || is_folder || measures
            }
            StageCommand::ShowGalleryOfSelected | StageCommand::ShowTableOfSelected => core.selection.is_some(),
            StageCommand::ShowClassesOfSelected => core.has_classes(),
            StageCommand::CopyPicture(None) => self.front.image().is_some(),
            StageCommand::ShowPictures | StageCommand::CopyPicture(Some(_)) => has_files,
            StageCommand::Show(_)
            | StageCommand::ShowClasses(_)
            | StageCommand::OpenBeside(Some(_))
            | StageCommand::ShowGallery(_)
            | StageCommand::ShowTable(_) => has_files,
            StageCommand::Close(_) | StageCommand::Focus(_) | StageCommand::Link(_) => true,
        }
    }
}

impl Stage {
    fn is_transport_possible(&self, command: TransportCommand) -> bool {
        use TransportCommand as C;
        let player = match self.time_of() {
            Some(TimeOf::Model) => self.playback().map(|playback| &playback.player),
            Some(TimeOf::Clip) => self.curves().map(Curves::alone),
            Some(TimeOf::Picture | TimeOf::Sound) | None => None,
        };
        match command {
            C::Reverse => player.is_some(),
            C::StepKey(_) | C::SetRange(..) | C::RangeFromHere | C::RangeToHere => {
                player.is_some_and(|player| player.clip().is_some_and(|clip| clip.last_frame() > 0.0))
            }
            C::ClearRange => player.is_some_and(|player| player.range().is_some()),
            C::TogglePlay if self.level().is_some_and(|shown| shown.map.moves()) => true,
            C::TogglePlay
            | C::Seek(_)
            | C::Step(_)
            | C::SeekStart
            | C::SeekEnd
            | C::SetSpeed(_)
            | C::Faster
            | C::Slower
            | C::SetLoop(_)
            | C::CycleLoop => self.time_of().is_some(),
        }
    }

    fn is_level_possible(&self, core: &Core, command: &LevelCommand) -> bool {
        use LevelCommand as C;
        let Some(shown) = self.level() else { return false };
        let tools = &shown.tools;
        match command {
            C::ClearOverlays => self.view.options.overlays.is_any(),
            C::StepStart(_) => !shown.map.starts.is_empty(),
            C::ClearMeasure => tools.measures,
            C::ToggleAlike => tools.alike.is_some() || shown.picked.as_ref().is_some_and(|p| p.surface.is_some()),
            C::TogglePlay => shown.map.moves(),
            C::StepBookmark(_) => !self.bookmarks(core).is_empty(),
            C::ToggleMeshes
            | C::ToggleSprites
            | C::ToggleBrushes
            | C::ToggleCoronas
            | C::ToggleWindows
            | C::ToggleOverlay(_)
            | C::SetMover { .. }
            | C::RunMover(_)
            | C::SetGamma(_)
            | C::GoToStart(_)
            | C::SetFlySpeed(_)
            | C::AskPlace(_)
            | C::GoTo(..)
            | C::CopyPlace
            | C::ToggleMeasure
            | C::Measure { .. }
            | C::AddBookmark(_)
            | C::GoToBookmark(_)
            | C::RemoveBookmark(_)
            | C::Pick(_)
            | C::Focus(_)
            | C::SelectActor(_) => true,
        }
    }

    fn is_scene_possible(&self, core: &Core, command: &SceneCommand) -> bool {
        let has_others = self.model().is_some_and(|shown| !shown.scene.models.is_empty());
        match command {
            SceneCommand::AddSelected => {
                self.model().is_some() && core.selection.is_some_and(|place| core.model_in(place).is_some())
            }
            SceneCommand::AttachToSelectedBone(_) => has_others && self.selected_bone().is_some(),
            SceneCommand::ToggleGhost | SceneCommand::ToggleList => self.model().is_some(),
            SceneCommand::RemoveAll | SceneCommand::ToggleSideBySide => has_others,
            SceneCommand::MakeMain(None) => self.scene().is_some_and(|scene| scene.selected.is_some()),
            SceneCommand::Add(_)
            | SceneCommand::Drop(_)
            | SceneCommand::Join { .. }
            | SceneCommand::Remove(_)
            | SceneCommand::Select(_)
            | SceneCommand::MakeMain(Some(_))
            | SceneCommand::SetVisible(..)
            | SceneCommand::SetTint(..)
            | SceneCommand::SetGhost(..)
            | SceneCommand::Play(..)
            | SceneCommand::FindClips(_)
            | SceneCommand::SetOwnClock(..)
            | SceneCommand::SetPlaying(..)
            | SceneCommand::SetLoop(..)
            | SceneCommand::SetFollows(..)
            | SceneCommand::Attach(..) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::{command::ACTIONS, settings::Settings, state::Clock};

    #[test]
    fn an_action_that_turns_an_option_on_says_whether_it_is_on() {
        let mut state = State::new(Settings::default(), Clock::Set(0.0));
        let toggles = [
            Command::View(ViewCommand::Toggle(ViewToggle::Wireframe)),
            Command::View(ViewCommand::ToggleShading(Shading::Unlit)),
            Command::View(ViewCommand::ToggleSceneAxes),
            Command::View(ViewCommand::ToggleGxFog),
            Command::Camera(CameraCommand::ToggleOrtho),
            Command::Library(LibraryCommand::ToggleBrowse),
            Command::Window(WindowCommand::ToggleAutoplay),
            Command::Window(WindowCommand::ToggleWatchFiles),
            Command::Window(WindowCommand::ToggleLog),
            Command::Window(WindowCommand::ToggleTheme),
        ];
        for toggle in toggles {
            let before = state.is_on(&toggle);
            state.apply(toggle.clone());
            assert_eq!(state.is_on(&toggle), before.map(|on| !on), "{toggle:?}");
            state.apply(toggle.clone());
            assert_eq!(state.is_on(&toggle), before, "{toggle:?}");
        }
        // One of several: the others are off.
        for samples in [None, Some(1), Some(4)] {
            state.apply(Command::View(ViewCommand::SetSamples(samples)));
            let on = [None, Some(1), Some(4)]
                .map(|other| state.is_on(&Command::View(ViewCommand::SetSamples(other))) == Some(true));
            assert_eq!(on, [samples.is_none(), samples == Some(1), samples == Some(4)]);
        }
        assert_eq!(state.is_on(&Command::Window(WindowCommand::Quit)), None);
        // What is called a toggle has an option, but for these: they open a dialog, play, go on to the next of several, or are about
        // something that an empty window does not have.
        let without = "Palette Keys Jump About Settings Play Loop Order FavouriteOfSelected Ghost Measure Alike Bodies SideBySide List";
        let is_without = |name: &str| without.split(' ').any(|what| name.contains(&format!("(Toggle{what})")));
        for action in ACTIONS {
            let name = format!("{:?}", action.command);
            let is_unknown = name.contains("Toggle") && state.is_on(&action.command).is_none();
            assert!(!is_unknown || is_without(&name), "{name}");
        }
    }
}
