//! The view of the window as saved data, with names that are valid in later sessions.

use crate::{
    formats::{EntryId, Severity},
    ui::{
        library_row::RowId,
        place::{FileId, Place, Subject, TextureSource, TimeOf},
        saved_view::{
            LayerState, MAX_OBJECTS, MAX_ROWS, Modes, SavedAttachment, SavedFile, SavedImage, SavedLayer, SavedModel,
            SavedParts, SavedPlace, SavedRow, SavedScene, SavedStage, SavedSubject, SavedTexture, SavedTexturePlace,
            SavedView, TerrainModes, VERSION,
        },
        scene_member::{SceneMember, SceneModelId},
        state::{
            control::opening::name_of,
            core::Core,
            log::LogEntry,
            message::Message,
            stage::{
                Stage,
                curves::Curves,
                model::ModelStage,
                scene::{SceneModel, StageScene},
            },
            stages::Stages,
        },
        view_file,
    },
};
use std::path::{Path, PathBuf};

/// Between two notes of what moves by itself.
pub(crate) const PAUSE_SECS: f64 = 1.0;

/// Maximum number of characters of a path in the log.
pub(crate) const MAX_LOGGED_PATH: usize = 160;

impl Stages {
    /// All that is looked at now.
    pub fn view_now(&self, core: &Core) -> SavedView {
        let mut names = Names { core, files: Vec::new(), pictures: Vec::new() };
        let stages: Vec<SavedStage> = self.iter().map(|stage| names.stage(stage)).collect();
        let selection = core.selection.and_then(|place| names.place(place));
        let unfolded = core.library.unfolded().take(MAX_ROWS).collect::<Vec<_>>();
        let mut rows: Vec<SavedRow> = unfolded.into_iter().filter_map(|row| names.row(row)).collect();
        rows.sort();
        let absolute = |path: &Path| crate::files::absolute(path).unwrap_or_else(|_| path.to_owned());
        let files = names.files.iter().filter_map(|id| core.file(*id));
        let saved = |path: &Path| SavedFile { path: absolute(path), relative: None };
        let files = files.map(|file| saved(&file.path)).collect();
        let pictures = names.pictures.into_iter().map(saved).collect();
        SavedView { version: VERSION, files, pictures, stages, linked: self.are_linked(), selection, rows }
    }
}

/// Numbers the files and pictures that a view names.
struct Names<'a> {
    core: &'a Core,
    files: Vec<FileId>,
    pictures: Vec<&'a Path>,
}

impl<'a> Names<'a> {
    fn file(&mut self, id: FileId) -> Option<usize> {
        if let Some(at) = self.files.iter().position(|known| *known == id) {
            return Some(at);
        }
        // What came through a pipe cannot come back.
        self.core.file(id).filter(|file| !file.piped)?;
        self.files.push(id);
        Some(self.files.len() - 1)
    }

    fn place(&mut self, place: Place) -> Option<SavedPlace> {
        let file = self.file(place.file)?;
        let entry = self.core.file(place.file)?.entry(place.entry)?;
        let path = if place.entry == EntryId::FILE { String::new() } else { entry.path().into_owned() };
        Some(SavedPlace { file, entry: path, number: place.entry.0 })
    }

    fn subject(&mut self, subject: Subject) -> SavedSubject {
        let found = match subject {
            // What is looked for is not kept; pictures of all files are of none.
            Subject::Nothing | Subject::Scripts | Subject::Collection | Subject::Pictures | Subject::Compare => None,
            Subject::Entry(place) => self.place(place).map(SavedSubject::Entry),
            Subject::Gallery(file) => self.file(file).map(SavedSubject::Gallery),
            Subject::Table(file) => self.file(file).map(SavedSubject::Table),
            Subject::Classes(file) => self.file(file).map(SavedSubject::Classes),
        };
        found.unwrap_or_default()
    }

    fn row(&mut self, row: RowId) -> Option<SavedRow> {
        Some(match row {
            RowId::Folder(folder) => SavedRow::Folder(self.file(self.core.library.files_in(folder).next()?)?),
            RowId::File(file) => SavedRow::File(self.file(file)?),
            RowId::Entry(place) => SavedRow::Entry(self.place(place)?),
            RowId::Branch { place, group } => SavedRow::Branch(self.place(place)?, group),
            RowId::Group { of, group } => SavedRow::Group(self.place(of)?, group),
        })
    }

    fn scene(&mut self, scene: &StageScene) -> SavedScene {
        let models: Vec<(SceneModelId, SavedModel)> =
            scene.models.iter().filter_map(|model| Some((model.id, self.model(model)?))).collect();
        let number = |id: SceneModelId| models.iter().position(|(known, _)| *known == id);
        let attached = |id: SceneModelId| {
            let attached = scene.model(id)?.attached.as_ref()?;
            let to = match attached.to {
                SceneMember::Main => None,
                SceneMember::Other(id) => Some(number(id)?),
            };
            Some(SavedAttachment { to, anchor: attached.anchor, name: attached.name.clone() })
        };
        let with_attachment =
            |(id, model): &(SceneModelId, SavedModel)| SavedModel { attached: attached(*id), ..model.clone() };
        SavedScene {
            main: scene.main,
            models: models.iter().map(with_attachment).collect(),
            selected: scene.selected.and_then(number),
            side_by_side: scene.side_by_side,
            list_is_open: scene.list_is_open,
        }
    }

    /// A model of a scene, but for what it is attached to.
    fn model(&mut self, model: &SceneModel) -> Option<SavedModel> {
        Some(SavedModel {
            place: Some(self.place(model.place)?),
            look: model.look,
            clip: model.playing.and_then(|place| self.place(place)),
            frame: model.player.frame(),
            playing: model.player.playing,
            loop_mode: model.player.loop_mode(),
            own_clock: model.own_clock,
            follows: model.follows,
            attached: None,
        })
    }

    fn textures(&mut self, stage: &'a Stage) -> Vec<SavedTexture> {
        let Some(shown) = stage.model() else { return Vec::new() };
        let mut textures = Vec::new();
        for (source, places) in shown.textures.by_image() {
            let image = match source {
                TextureSource::Entry(place) => self.place(*place).map(SavedImage::Entry),
                TextureSource::Picture(path) => Some(SavedImage::Picture(self.picture(path))),
            };
            let material = |index: u32| shown.model.materials.get(index as usize);
            let places = places.into_iter().map(|place| SavedTexturePlace {
                name: material(place.material.0).map(|material| material.name.clone()).unwrap_or_default(),
                material: place.material.0,
                slot: place.slot,
            });
            textures.extend(image.map(|image| SavedTexture { image: Some(image), places: places.collect() }));
        }
        textures
    }

    fn picture(&mut self, path: &'a Path) -> usize {
        self.pictures.iter().position(|known| *known == path).unwrap_or_else(|| {
            self.pictures.push(path);
            self.pictures.len() - 1
        })
    }

    fn stage(&mut self, stage: &'a Stage) -> SavedStage {
        let view = &stage.view;
        let settings = stage.play_settings();
        let player = stage.playback().map(|playback| &playback.player);
        let (mut clip_state, mut layers) = (None, Vec::new());
        for (playback, layer) in
            stage.playback().into_iter().flat_map(|p| p.player.layers().iter().map(move |layer| (p, layer)))
        {
            let (detached, playing) = (layer.is_detached(), layer.plays_alone());
            let state = LayerState { loop_mode: layer.loop_mode(), detached, playing, frame: layer.frame() };
            let Some(place) = playback.places.of(layer) else { continue };
            if playback.playing == Some(place) {
                clip_state = Some(state);
            } else if let Some(place) = self.place(place) {
                layers.push(SavedLayer { place, state: Some(state) });
            }
        }
        let clock = match stage.time_of() {
            Some(TimeOf::Clip) => stage.curves().map(Curves::alone),
            Some(TimeOf::Model) => player,
            Some(TimeOf::Picture | TimeOf::Sound) | None => None,
        };
        let (frame, playing, loop_mode, speed) = match stage.time_of() {
            Some(TimeOf::Picture) => {
                let shown = stage.image();
                let at = shown.and_then(|shown| Some(shown.player.frame(shown.rate_hz()?) as f32));
                let playing = shown.is_some_and(|shown| shown.player.playing);
                (at.unwrap_or_default(), playing, Default::default(), shown.map_or(1.0, |shown| shown.speed()))
            }
            Some(TimeOf::Model | TimeOf::Clip | TimeOf::Sound) | None => match clock {
                Some(player) => (player.frame(), player.playing, player.loop_mode(), player.speed),
                None => (0.0, false, settings.loop_mode, settings.speed),
            },
        };
        let is_space = stage.content.is_space();
        SavedStage {
            id: stage.id.0,
            subject: self.subject(stage.content.subject()),
            // One on its way is where it goes to.
            camera: is_space.then(|| view.tween.map_or(view.camera, |tween| tween.to)),
            fly: view.fly.filter(|_| is_space),
            top_down: view.top_down.map(|tilt| [tilt.yaw, tilt.pitch]),
            clip: stage.playback().and_then(|playback| self.place(playback.playing?)),
            clip_state,
            layers,
            frame,
            clock_secs: clock.and_then(|player| player.clock_secs()),
            range: clock.and_then(|player| player.range()).map(|range| [range.first(), range.last()]),
            playing,
            loop_mode,
            speed: Some(speed),
            assumed_rate_hz: settings.assumed_rate_hz,
            binding: settings.binding,
            pose: settings.pose,
            morphs: player
                .map(|player| player.morph_weights.clone())
                .filter(|weights| weights.iter().any(|weight| *weight != 0.0))
                .unwrap_or_default(),
            drawer: stage.viewport.drawer,
            scene: stage.scene().map(|scene| self.scene(scene)).unwrap_or_default(),
            textures: self.textures(stage),
            parts: parts_of(stage),
            modes: modes_of(stage),
        }
    }
}

impl Stage {
    /// Whether something that stood or played on it is still on its way.
    pub(crate) fn is_coming_back(&self) -> bool {
        let is_coming = |shown: &ModelStage| {
            let scene = &shown.scene;
            !shown.playback.returning.is_empty()
                || shown.textures.returning > 0
                || !scene.returning.is_empty()
                || !scene.attaching.is_empty()
                || scene.models.iter().any(|model| model.returning.is_some())
        };
        self.pending.clip.is_some() || self.pending.scene.is_some() || self.model().is_some_and(is_coming)
    }
}

fn parts_of(stage: &Stage) -> SavedParts {
    match (stage.model(), stage.level()) {
        (Some(shown), _) => shown.parts.saved(&shown.model),
        (None, Some(shown)) => shown.actors.saved(&shown.map),
        (None, None) => SavedParts::default(),
    }
}

fn modes_of(stage: &Stage) -> Modes {
    let view = &stage.view;
    let terrain = stage.landscape().map(|shown| {
        let drawn = &view.terrain;
        let kinds = shown.terrain.kinds.iter().zip(drawn.hidden_kinds.iter());
        let hidden = kinds.filter(|(_, hidden)| **hidden).map(|(kind, _)| kind.name.clone());
        let selected = drawn.selected.iter().filter_map(|index| shown.terrain.props.get(*index as usize));
        TerrainModes {
            tint: drawn.tint,
            contours: drawn.contours,
            contour_step: drawn.contour_step,
            water: drawn.water,
            exaggeration: drawn.exaggeration,
            wireframe: drawn.wireframe,
            grid: drawn.grid,
            props: drawn.props,
            bodies: drawn.bodies,
            prop_colors: drawn.prop_colors,
            zones: drawn.zones,
            pictures: drawn.pictures,
            prop_names: view.prop_names,
            legend: view.terrain_legend,
            flipped: view.flipped,
            hidden: hidden.take(MAX_OBJECTS).collect(),
            selected: selected.take(MAX_OBJECTS).map(|prop| prop.slot).collect(),
        }
    });
    Modes { options: view.options.clone(), terrain }
}

/// Maximum number of notices about one view. The log has all messages.
pub(crate) const MAX_NOTICES: usize = 3;
impl Stages {
    /// Returns the suggested path for saving the view.
    pub(crate) fn suggested_view_path(&self, core: &Core) -> Option<PathBuf> {
        let file = core.file(self.file_in_front(core)?)?;
        // No view is saved into a container.
        let own = file.path.with_extension(view_file::EXTENSION);
        Some(file.on_disk.with_file_name(own.file_name()?))
    }
}

impl Core {
    /// Brings the view of a file back, which may be a picture.
    pub fn open_view(&mut self, path: PathBuf) {
        let sender = self.works.sender();
        self.works.run_apart(format!("Opening {}", name_of(&path)), move |_| {
            let message = match view_file::read(&path) {
                Ok(read) => Message::ViewRead(Box::new(read)),
                Err(why) => Message::Log(LogEntry::new(Severity::Error, &name_of(&path), why)),
            };
            let _ = sender.send(message);
        });
    }
}
