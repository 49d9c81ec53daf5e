//! Whether a command has an effect now, for lists that show only such commands.

use crate::ui::{
    command::{
        BytesCommand, CollectionCommand, Command, CopyBytes, ExportCommand, LevelCommand, LibraryCommand, ModelCommand,
        SceneCommand, SelectionCommand, StageCommand, TerrainCommand, TextCommand, TransportCommand, ViewCommand,
        WindowCommand,
    },
    saved_view::ViewToggle,
    state::{Curves, Shading, StageContent, State, core::Core, stage::Stage, stages::Stages},
    subject::TimeOf,
    tab::Tab,
};

impl State {
    /// Whether a command would do something. Commands that no list offers count as possible.
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
            Command::Model(ModelCommand::SetBlend(_)) => true,
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
            StageCommand::ShowSelected | StageCommand::ShowGalleryOfSelected | StageCommand::ShowTableOfSelected => {
                core.selection.is_some()
            }
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
