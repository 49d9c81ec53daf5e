//! Joins the renderer to the window: the one place of the interface that knows wgpu.

use crate::ui::{
    compared_gpu::{ComparedGpu, ComparedModels},
    screen::Screen,
    stage_look::{items_of, view_settings},
    state::{SceneModel, StageContent, StageId, State},
};
use crate::{
    gpu::{
        Background, GpuContext, GpuError, GpuMap, GpuModel, GpuTerrain, Item, Line, MapLayers, MapView, RenderTarget,
        SceneRenderer, ViewSettings,
    },
    scene::{Image, MapMoment, Model, TerrainView, gx::MaterialSet},
};
use eframe::egui_wgpu;
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

/// The window's device with what is drawn on it. Lost with the device, built again for the next one.
pub struct ViewportGpu {
    window: egui_wgpu::RenderState,
    context: Arc<GpuContext>,
    renderer: SceneRenderer,
    stages: HashMap<StageId, StagePicture>,
    /// Two models of a comparison, while one is shown.
    compared: ComparedGpu,
}

/// The picture of one stage, and what it is made from.
#[derive(Default)]
struct StagePicture {
    screen: Screen,
    uploaded: Option<Uploaded>,
    /// Models beside the main one; copies of one lie there once.
    others: Vec<OtherModel>,
    drawn: Option<Drawn>,
    /// What is computed beside the drawing was not there yet: the same picture is drawn again.
    is_behind: bool,
}

struct Uploaded {
    generation: u64,
    /// Level of detail.
    level: u32,
    /// Materials that the model wears in the place of its own.
    set: Option<Arc<MaterialSet>>,
    /// The model with images in the places of its textures: [`crate::ui::state::StageTextures::worn`].
    worn: Option<u64>,
    what: What,
}

/// A model beside the main one; nothing where the device refused it.
struct OtherModel {
    model: Arc<Model>,
    uploaded: Option<GpuModel>,
}

/// What a stage has on the device.
enum What {
    Model(GpuModel),
    Map(GpuMap),
    Terrain(Box<GpuTerrain>),
    /// The device refused it: said once, not every frame.
    Nothing,
}

/// What the picture shows; it is drawn again when any of it changes.
#[derive(PartialEq)]
struct Drawn {
    view: ViewSettings,
    generation: u64,
    revision: u64,
    size: (u32, u32),
    turned: bool,
    layers: MapLayers,
    /// Of the level; `None` without one.
    moment: Option<MapMoment>,
    /// Actors of the level that are left out.
    hidden: BTreeSet<Option<u32>>,
    marks: Vec<Line>,
    overlay: OverlayLines,
    /// How the landscape is shown; `None` without one.
    terrain: Option<TerrainView>,
}

/// Lines that are made once: the same when they lie in the same place.
struct OverlayLines(Vec<Arc<[Line]>>);

impl PartialEq for OverlayLines {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(one, other)| Arc::ptr_eq(one, other))
    }
}

impl ViewportGpu {
    /// `None` without a device.
    ///
    /// # Errors
    /// When the device cannot draw scenes.
    pub fn new(window: Option<&egui_wgpu::RenderState>) -> Option<Result<Self, GpuError>> {
        let window = window?.clone();
        let context = GpuContext::from_wgpu(&window.adapter, window.device.clone(), window.queue.clone());
        Some(SceneRenderer::new(context.clone()).map(|renderer| Self {
            window,
            context,
            renderer,
            stages: HashMap::new(),
            compared: ComparedGpu::default(),
        }))
    }

    pub fn context(&self) -> &Arc<GpuContext> {
        &self.context
    }

    /// Draws the scene for a viewport of this many pixels, when anything about it changed.
    ///
    /// # Errors
    /// When the device refuses; what it refused is not tried again until something changes.
    pub fn draw(&mut self, state: &State, size: (u32, u32)) -> Result<(egui::TextureId, bool), GpuError> {
        let samples = state.core.settings.samples.unwrap_or_else(|| self.context.default_samples());
        let Self { window, context, renderer, stages, .. } = self;
        let stage = stages.entry(state.stages.front.id).or_default();
        if stage.screen.fit(window, context, size, samples)? {
            stage.drawn = None;
        }
        let generation = match &state.stages.front.content {
            StageContent::Model(shown) => shown.generation,
            StageContent::Level(shown) => shown.generation,
            StageContent::Landscape(shown) => shown.generation,
            _ => 0,
        };
        let others = stage.upload_others(renderer, state);
        let uploaded = stage.upload(renderer, state, generation).and(others).and(stage.leave_out(state));
        let view = view_settings(state);
        let now = Drawn {
            view,
            generation,
            revision: state.stages.front.playback().map_or(0, |playback| playback.revision),
            size,
            turned: state.stages.front.view.options.up_axis.is_turned(),
            layers: state.stages.front.view.options.layers,
            moment: state.stages.front.level().map(|shown| shown.moment.clone()),
            hidden: state.stages.front.level().map(|shown| shown.actors.hidden().clone()).unwrap_or_default(),
            marks: state.stages.front.stage_marks(&state.core),
            overlay: OverlayLines(
                state
                    .stages
                    .front
                    .overlay_lines(&state.core)
                    .into_iter()
                    .chain(state.stages.front.alike_lines(&state.core))
                    .collect(),
            ),
            terrain: state.stages.front.landscape().map(|_| state.stages.front.view.terrain.clone()),
        };
        let Some((target, texture)) = stage.screen.parts() else { return Err(GpuError::Lost) };
        if stage.drawn.as_ref() == Some(&now) && !stage.is_behind {
            return uploaded.map(|()| (texture, false));
        }
        let over = Over { marks: &now.marks, overlay: &now.overlay.0 };
        let result = render(renderer, stage.uploaded.as_mut(), &stage.others, state, &now.view, target, over);
        stage.is_behind = result.is_ok() && stage.uploaded.as_ref().is_some_and(Uploaded::is_behind);
        stage.drawn = Some(now);
        uploaded.and(result).map(|()| (texture, true))
    }

    /// Whether the picture of a stage is to be drawn again although nothing about it changes.
    pub fn is_behind(&self, stage: StageId) -> bool {
        self.stages.get(&stage).is_some_and(|stage| stage.is_behind)
    }

    /// Draws two models with the camera of the comparison; one picture for each, or one for both.
    ///
    /// # Errors
    /// When the device refuses.
    pub fn draw_compared(
        &mut self,
        state: &State,
        wanted: &ComparedModels<'_>,
    ) -> Result<Vec<egui::TextureId>, GpuError> {
        let samples = state.core.settings.samples.unwrap_or_else(|| self.context.default_samples());
        let view = ViewSettings { camera: state.comparing.camera, ..view_settings(state) };
        let Self { window, context, renderer, compared, .. } = self;
        compared.draw(renderer, (window, context), wanted, samples, view)
    }

    /// Draws the scene once more, smoothly, and fetches the picture: as it is seen, or without a background.
    ///
    /// # Errors
    /// When the device refuses.
    pub fn picture(&mut self, state: &State, transparent: bool, size: Option<[u32; 2]>) -> Result<Image, GpuError> {
        let stage = self.stages.entry(state.stages.front.id).or_default();
        let shown = || stage.screen.size().unwrap_or((1280, 800));
        let size = size.map_or_else(shown, |[width, height]| (width, height));
        let mut target = RenderTarget::new(&self.context, size.0, size.1, 4)?;
        let mut view = view_settings(state);
        if transparent {
            view = ViewSettings { background: Background::Transparent, grid: false, shadow: false, ..view };
        }
        render(&mut self.renderer, stage.uploaded.as_mut(), &stage.others, state, &view, &mut target, Over::default())?;
        target.read()
    }

    /// Frees what belongs to stages that are gone.
    pub fn keep_stages(&mut self, stages: &[StageId]) {
        let gone: Vec<_> = self.stages.extract_if(|id, _| !stages.contains(id)).collect();
        for (_, picture) in gone {
            picture.screen.free(&self.window);
        }
    }
}

impl ViewportGpu {
    /// Frees the models, levels and landscapes of stages that show something else by now, and a frame later their pictures: the
    /// present frame may still show those. Says whether there is one to be freed.
    pub fn free_left(&mut self, state: &State) -> bool {
        let is_compared = state.comparing.shows_models()
            && state.stages.iter().any(|stage| matches!(stage.content, StageContent::Compare));
        let mut is_more = !is_compared && self.compared.free_left(&self.window);
        for stage in state.stages.iter().filter(|stage| !stage.content.is_space()) {
            let Some(picture) = self.stages.get_mut(&stage.id) else { continue };
            if picture.drawn.take().is_some() {
                picture.uploaded = None;
                picture.others = Vec::new();
                is_more = true;
            } else if let Some(picture) = self.stages.remove(&stage.id) {
                picture.screen.free(&self.window);
            }
        }
        is_more
    }
}

impl Uploaded {
    /// Whether the same picture would show more when it is drawn again.
    fn is_behind(&self) -> bool {
        matches!(&self.what, What::Map(map) if map.is_behind())
    }
}

impl StagePicture {
    /// Takes the hidden parts out of the model.
    fn leave_out(&mut self, state: &State) -> Result<(), GpuError> {
        match self.uploaded.as_mut().map(|uploaded| &mut uploaded.what) {
            Some(What::Model(model)) if let Some(shown) = state.stages.front.model() => {
                model.leave_out(shown.parts.hidden())
            }
            _ => Ok(()),
        }
    }

    fn upload(&mut self, renderer: &mut SceneRenderer, state: &State, generation: u64) -> Result<(), GpuError> {
        let level = state.stages.front.view.options.level;
        let set = state.stages.front.playback().and_then(|playback| playback.player.material_set());
        let same_set = |other: &Option<Arc<MaterialSet>>| other.as_ref().map(Arc::as_ptr) == set.map(Arc::as_ptr);
        let worn = state.stages.front.model().and_then(|shown| shown.worn());
        let number = worn.map(|(number, _)| number);
        let same = |u: &Uploaded| (u.generation, u.level, u.worn) == (generation, level, number) && same_set(&u.set);
        if self.uploaded.as_ref().is_some_and(same) {
            return Ok(());
        }
        self.uploaded = None;
        let uploaded = match &state.stages.front.content {
            StageContent::Level(shown) => renderer.upload_map(&shown.map).map(What::Map),
            StageContent::Landscape(shown) => {
                renderer.upload_terrain(&shown.terrain).map(|terrain| What::Terrain(Box::new(terrain)))
            }
            StageContent::Model(shown) if level > 0 => {
                let model = worn.map_or(&shown.model, |(_, model)| model);
                renderer.upload(&Arc::new(model.at_level(level))).map(What::Model)
            }
            StageContent::Model(shown) => match set {
                _ if let Some((_, model)) = worn => renderer.upload(model).map(What::Model),
                Some(set) => renderer.upload(&Arc::new(set.applied_to(&shown.model))).map(What::Model),
                None => renderer.upload(&shown.model).map(What::Model),
            },
            _ => return Ok(()),
        };
        let (what, result) = match uploaded {
            Ok(what) => (what, Ok(())),
            Err(error) => (What::Nothing, Err(error)),
        };
        self.drawn = None;
        self.uploaded = Some(Uploaded { generation, level, set: set.cloned(), worn: number, what });
        result
    }
}

impl StagePicture {
    /// Puts the models beside the main one on the device, and takes off it what is there no longer.
    fn upload_others(&mut self, renderer: &mut SceneRenderer, state: &State) -> Result<(), GpuError> {
        let models: &[SceneModel] = state.stages.front.model().map_or(&[], |shown| &shown.scene.models);
        self.others.retain(|other| models.iter().any(|model| Arc::ptr_eq(model.drawn(), &other.model)));
        let mut result = Ok(());
        for model in models {
            if self.others.iter().any(|other| Arc::ptr_eq(&other.model, model.drawn())) {
                continue;
            }
            let uploaded = renderer.upload(model.drawn()).map_err(|error| result = Err(error)).ok();
            self.others.push(OtherModel { model: model.drawn().clone(), uploaded });
        }
        result
    }
}

impl Drop for ViewportGpu {
    fn drop(&mut self) {
        self.keep_stages(&[]);
        self.compared.free(&self.window);
    }
}

/// Lines over the picture.
#[derive(Clone, Copy, Default)]
struct Over<'a> {
    marks: &'a [Line],
    overlay: &'a [Arc<[Line]>],
}

/// Draws what is on the device, with marks over it.
fn render(
    renderer: &mut SceneRenderer,
    uploaded: Option<&mut Uploaded>,
    others: &[OtherModel],
    state: &State,
    view: &ViewSettings,
    target: &mut RenderTarget,
    Over { marks, overlay }: Over<'_>,
) -> Result<(), GpuError> {
    match uploaded.map(|u| &mut u.what) {
        Some(What::Model(model)) => {
            let world_from_model = state.stages.front.view.options.up_axis.world_from_model();
            let Some(shown) = state.stages.front.model() else { return renderer.render(target, view, &[]) };
            let main = Item { model, frame: &shown.playback.frame, world_from_model };
            let (items, looks) = items_of(main, &shown.scene, |model| {
                let found = others.iter().find(|other| Arc::ptr_eq(&other.model, model));
                found.and_then(|other| other.uploaded.as_ref())
            });
            renderer.render_looks(target, view, &items, &looks, marks)
        }
        Some(What::Map(map)) => {
            let Some(shown) = state.stages.front.level() else { return renderer.render(target, view, &[]) };
            let how = MapView {
                layers: state.stages.front.view.options.layers,
                hidden: shown.actors.hidden(),
                moment: &shown.moment,
                lines: marks,
                overlay,
                exact: false,
            };
            renderer.render_map(target, view, map, &how)
        }
        Some(What::Terrain(terrain)) => {
            renderer.render_terrain(target, view, terrain, &state.stages.front.view.terrain, marks)
        }
        Some(What::Nothing) | None => renderer.render(target, view, &[]),
    }
}

/// Kinds of devices to try, in this order.
#[cfg(not(target_arch = "wasm32"))]
pub const ATTEMPTS: usize = 2;

/// What the window asks of its device. The first attempt takes the system's own interface (Vulkan, Metal, Direct3D), the second
/// OpenGL; `WGPU_BACKEND` overrides both.
pub fn setup(attempt: usize) -> egui_wgpu::WgpuConfiguration {
    let mut create = egui_wgpu::WgpuSetupCreateNew::without_display_handle();
    create.instance_descriptor.backends = wgpu::Backends::from_env().unwrap_or(match attempt {
        // A browser that has no WebGPU is asked for WebGL by itself.
        0 if cfg!(target_arch = "wasm32") => wgpu::Backends::BROWSER_WEBGPU | wgpu::Backends::GL,
        0 => wgpu::Backends::PRIMARY,
        _ => wgpu::Backends::GL,
    });
    create.device_descriptor = Arc::new(GpuContext::device_descriptor);
    egui_wgpu::WgpuConfiguration {
        wgpu_setup: egui_wgpu::WgpuSetup::CreateNew(create),
        ..egui_wgpu::WgpuConfiguration::default().with_surface_config(egui_wgpu::SurfaceConfig::LOW_LATENCY)
    }
}
