//! Pictures of a stage, drawn and written in the background: on a device of their own, so that the window goes on.

use crate::{
    bytes::numbers::counted,
    export::{ExportError, ExportJob, animated::write_animated, png, write::write_file},
    formats::Severity,
    gpu::{
        Background, GpuContext, GpuError, GpuMap, GpuModel, GpuTerrain, Item, MapLayers, MapView, RenderTarget,
        SceneRenderer, ViewSettings,
    },
    jobs::JobContext,
    scene::{
        Aabb, Frame, HiddenParts, Image, Map, MapMoment, Model, Player, Retextured, Shot, Terrain, TerrainView,
        camera::OrbitCamera,
    },
    ui::{
        picture_draft::{PictureDraft, PictureFormat},
        saved_view::UpAxis,
        screenshot::mirrored,
        stage_look::{items_of, view_settings},
        state::{Leader, LogEntry, Message, ModelStage, StageContent, StageScene, State},
    },
};
use glam::BVec2;
use std::{collections::BTreeSet, io::Write as _, path::PathBuf, sync::Arc};

/// Draws and writes what was prepared, in the background.
pub fn start(state: &mut State, draft: PictureDraft) {
    let Some(copy) = StageCopy::of(state, &draft) else { return };
    let sender = state.core.works.sender();
    state.core.works.run_apart(format!("Drawing {}", draft.name), move |cx| {
        let entry = match write(copy, &draft, cx) {
            Ok((text, path)) => LogEntry::exported(Severity::Info, "", text, &path),
            Err(ExportError::Cancelled) => return,
            Err(error) => LogEntry::new(Severity::Error, "", format!("Cannot export: {error}")),
        };
        let _ = sender.send(Message::Log(entry));
    });
}

/// Returns the notice for afterwards, and the first file.
fn write(copy: StageCopy, draft: &PictureDraft, cx: &JobContext) -> Result<(String, PathBuf), ExportError> {
    let progress = |done: u64, total: u64, step: &str| cx.progress(done, total, step);
    let (cancel, force) = (cx.cancel(), draft.overwrite);
    let job = ExportJob { cancel, progress: &progress, force, max_output: None, resume: false };
    let paths = draft.paths();
    let mut drawing = Drawing::open(copy, draft.size).map_err(|error| ExportError::Drawing(error.to_string()))?;
    let mut draw = |shot| drawing.picture(shot).map_err(|error| error.to_string());
    match draft.format {
        PictureFormat::Animated(format) => {
            for path in &paths {
                write_animated(path, format, &draft.timing(), &job, &mut |number| {
                    draw(Some(draft.shots.shot(number)))
                })?;
            }
        }
        PictureFormat::Png | PictureFormat::PngSequence => {
            for (number, path) in (0..).zip(&paths) {
                if cx.cancelled() {
                    return Err(ExportError::Cancelled);
                }
                let shot = draft.moves().then(|| draft.shots.shot(number));
                let bytes = png(&draw(shot).map_err(ExportError::Drawing)?)?;
                write_file(path, force, |out| out.write_all(&bytes))?;
                progress(u64::from(number) + 1, paths.len() as u64, "image");
            }
        }
    }
    let ([width, height], count) = (draft.size, draft.count());
    let path = paths.into_iter().next().unwrap_or_default();
    let first = path.display();
    let text = match draft.format {
        PictureFormat::Png => format!("Exported to {first}: {width} × {height} pixels"),
        PictureFormat::PngSequence => {
            let images = counted(count, "image");
            format!("Exported to {first} and the following files: {images} of {width} × {height} pixels")
        }
        PictureFormat::Animated(_) => {
            let secs = draft.shots.length_secs();
            let frames = counted(count, "frame");
            format!("Exported to {first}: {frames} of {width} × {height} pixels, {secs:.2} seconds")
        }
    };
    Ok((text, path))
}

/// A stage as it was when the picture was asked for.
struct StageCopy {
    content: Content,
    view: ViewSettings,
    mirror: BVec2,
    /// The clip plays; otherwise it stays where it is.
    plays: bool,
}

#[expect(clippy::large_enum_variant, reason = "only one value exists at a time")]
enum Content {
    Model(ModelCopy),
    Level { map: Arc<Map>, look: LevelLook },
    Landscape { terrain: Arc<Terrain>, how: TerrainView },
}

/// What of a level is seen, and when.
struct LevelLook {
    layers: MapLayers,
    hidden: BTreeSet<Option<u32>>,
    moment: MapMoment,
    /// Its time goes on in pictures that follow each other.
    plays: bool,
}

/// A model with what stands beside it.
struct ModelCopy {
    /// The model with its own textures.
    model: Arc<Model>,
    generation: u64,
    bounds: Aabb,
    /// As it looks: with the textures that it wears.
    drawn: Arc<Model>,
    worn: Option<Retextured>,
    player: Player,
    scene: StageScene,
    hidden: HiddenParts,
    up_axis: UpAxis,
}

impl StageCopy {
    /// `None` where the stage shows nothing that has a camera.
    fn of(state: &State, draft: &PictureDraft) -> Option<Self> {
        let stage = &state.stages.front;
        let content = match &stage.content {
            StageContent::Model(shown) => Content::Model(ModelCopy::of(state, shown)),
            StageContent::Level(shown) => Content::Level {
                map: shown.map.clone(),
                look: LevelLook {
                    layers: stage.view.options.layers,
                    hidden: shown.actors.hidden().clone(),
                    moment: shown.moment.clone(),
                    plays: shown.plays,
                },
            },
            StageContent::Landscape(shown) => {
                Content::Landscape { terrain: shown.terrain.clone(), how: stage.view.terrain.clone() }
            }
            _ => return None,
        };
        let view = view_settings(state);
        let view = if draft.transparent {
            ViewSettings { background: Background::Transparent, grid: false, shadow: false, ..view }
        } else {
            view
        };
        Some(Self { content, view, mirror: stage.mirror(), plays: draft.moves() && draft.moves_clip() })
    }
}

impl ModelCopy {
    fn of(state: &State, shown: &ModelStage) -> Self {
        let stage = &state.stages.front;
        let player = shown.playback.player.clone();
        let worn = shown.textures.retextured(shown.generation).cloned();
        let drawn = match (&worn, player.material_set(), stage.view.options.level) {
            (_, _, level @ 1..) => Arc::new(worn.as_ref().map_or(&shown.model, |worn| &worn.model).at_level(level)),
            (Some(worn), ..) => worn.model.clone(),
            (None, Some(set), _) => Arc::new(set.applied_to(&shown.model)),
            (None, None, _) => shown.model.clone(),
        };
        Self {
            model: shown.model.clone(),
            generation: shown.generation,
            bounds: shown.bounds,
            drawn,
            worn,
            player,
            scene: shown.scene.to_draw(),
            hidden: shown.parts.hidden().clone(),
            up_axis: stage.view.options.up_axis,
        }
    }
}

/// A device with the copy of a stage on it.
struct Drawing {
    context: Arc<GpuContext>,
    renderer: SceneRenderer,
    target: RenderTarget,
    uploaded: Uploaded,
    view: ViewSettings,
    mirror: BVec2,
    plays: bool,
}

#[expect(clippy::large_enum_variant, reason = "only one value exists at a time")]
enum Uploaded {
    Model { copy: ModelCopy, main: GpuModel, others: Vec<(Arc<Model>, GpuModel)> },
    Level { map: GpuMap, look: LevelLook },
    Landscape { terrain: GpuTerrain, how: TerrainView },
}

impl Drawing {
    fn open(copy: StageCopy, [width, height]: [u32; 2]) -> Result<Self, GpuError> {
        let context = GpuContext::headless()?;
        let mut renderer = SceneRenderer::new(context.clone())?;
        let target = RenderTarget::new(&context, width, height, 4)?;
        let StageCopy { content, view, mirror, plays } = copy;
        let uploaded = match content {
            Content::Level { map, look } => Uploaded::Level { map: renderer.upload_map(&map)?, look },
            Content::Landscape { terrain, how } => {
                Uploaded::Landscape { terrain: renderer.upload_terrain(&terrain)?, how }
            }
            Content::Model(copy) => {
                let mut main = renderer.upload(&copy.drawn)?;
                main.leave_out(&copy.hidden)?;
                let mut others: Vec<(Arc<Model>, GpuModel)> = Vec::new();
                for model in copy.scene.models.iter().map(|model| model.drawn()) {
                    if !others.iter().any(|(known, _)| Arc::ptr_eq(known, model)) {
                        others.push((model.clone(), renderer.upload(model)?));
                    }
                }
                Uploaded::Model { copy, main, others }
            }
        };
        Ok(Self { context, renderer, target, uploaded, view, mirror, plays })
    }

    /// One picture; without a shot as the stage was.
    fn picture(&mut self, shot: Option<Shot>) -> Result<Image, GpuError> {
        let turn = shot.map_or(0.0, |shot| shot.turn);
        let camera = OrbitCamera { yaw: self.view.camera.yaw + turn, ..self.view.camera };
        let view = ViewSettings { camera, ..self.view.clone() };
        let Self { renderer, target, uploaded, .. } = self;
        match uploaded {
            Uploaded::Model { copy, main, others } => {
                let (frame, scene) = copy.posed(shot.filter(|_| self.plays));
                let world_from_model = copy.up_axis.world_from_model();
                let main = Item { model: main, frame: &frame, world_from_model };
                let find = |model: &Arc<Model>| {
                    others.iter().find(|(known, _)| Arc::ptr_eq(known, model)).map(|(_, uploaded)| uploaded)
                };
                let (items, looks) = items_of(main, &scene, find);
                renderer.render_looks(target, &view, &items, &looks, &[])?;
            }
            Uploaded::Level { map, look } => {
                let passed = shot.filter(|_| look.plays).map_or(0.0, |shot| f64::from(shot.secs));
                let moment = MapMoment { seconds: look.moment.seconds + passed, ..look.moment.clone() };
                let (layers, hidden) = (look.layers, &look.hidden);
                let how = MapView { layers, hidden, moment: &moment, lines: &[], overlay: &[], exact: true };
                renderer.render_map(target, &view, map, &how)?;
            }
            Uploaded::Landscape { terrain, how } => renderer.render_terrain(target, &view, terrain, how, &[])?,
        }
        let picture = self.target.read()?;
        match self.context.take_errors().into_iter().next() {
            Some(message) => Err(GpuError::Refused { what: "the image".to_owned(), message }),
            None => Ok(mirrored(picture, self.mirror.x, self.mirror.y)),
        }
    }
}

impl ModelCopy {
    /// The poses at a time; without one as the stage was. What has a clock of its own goes on by the same time.
    fn posed(&self, shot: Option<Shot>) -> (Frame, StageScene) {
        let player = shot.map_or_else(|| self.player.clone(), |shot| self.player.at_shot(shot));
        let mut scene = self.scene.clone();
        for other in scene.models.iter_mut().filter(|other| other.own_clock) {
            other.player.advance(shot.map_or(0.0, |shot| shot.secs));
        }
        let mut frame = Frame::default();
        player.evaluate(&self.model, &mut frame);
        if let Some(worn) = &self.worn {
            worn.follow(&mut frame.materials);
        }
        let leader = Leader { model: &self.model, generation: self.generation, bounds: self.bounds };
        scene.pose(leader, &frame, &player);
        (frame, scene)
    }
}
