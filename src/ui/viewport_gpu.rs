//! Joins the renderer to the window: the one place of the interface that knows wgpu.

use super::state::{State, View};
use crate::{
    gpu::{
        Background, GpuContext, GpuError, GpuMap, GpuModel, GpuTerrain, Item, Line, MapLayers, RenderTarget,
        SceneRenderer, ViewSettings,
    },
    scene::{Image, TerrainView, gx::MaterialSet},
};
use eframe::egui_wgpu;
use std::sync::Arc;

/// The window's device with what is drawn on it. Lost with the device, built again for the next one.
pub struct ViewportGpu {
    window: egui_wgpu::RenderState,
    context: Arc<GpuContext>,
    renderer: SceneRenderer,
    target: Option<RenderTarget>,
    texture: Option<egui::TextureId>,
    uploaded: Option<Uploaded>,
    drawn: Option<Drawn>,
}

struct Uploaded {
    generation: u64,
    /// Level of detail.
    level: u32,
    /// Materials that the model wears in the place of its own.
    set: Option<Arc<MaterialSet>>,
    what: What,
}

/// What is on the device; there is one of it.
#[expect(clippy::large_enum_variant, reason = "there is only one")]
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
    marks: Vec<Line>,
    /// How the landscape is shown; `None` without one.
    terrain: Option<TerrainView>,
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
            target: None,
            texture: None,
            uploaded: None,
            drawn: None,
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
        let samples = state.settings.samples.unwrap_or_else(|| self.context.default_samples());
        self.fit_target(size, samples)?;
        let map = state.map.as_ref().map(|map| map.generation);
        let terrain = state.terrain.as_ref().map(|terrain| terrain.generation);
        let generation = map.or(terrain).or(state.shown.as_ref().map(|s| s.generation)).unwrap_or(0);
        let uploaded = self.upload(state, generation);
        let view = view_settings(state);
        let now = Drawn {
            view,
            generation,
            revision: state.playback.revision,
            size,
            turned: state.view.up_axis.is_turned(),
            layers: state.view.layers,
            marks: state.map_marks(),
            terrain: state.terrain.as_ref().map(|_| state.view.terrain.clone()),
        };
        let (Some(target), Some(texture)) = (&mut self.target, self.texture) else { return Err(GpuError::Lost) };
        if self.drawn.as_ref() == Some(&now) {
            return uploaded.map(|()| (texture, false));
        }
        let result = render(&mut self.renderer, self.uploaded.as_mut(), state, &now.view, target, &now.marks);
        self.drawn = Some(now);
        uploaded.and(result).map(|()| (texture, true))
    }

    fn fit_target(&mut self, size: (u32, u32), samples: u32) -> Result<(), GpuError> {
        // The target knows 1 and 4 samples only.
        let samples = if samples > 1 { 4 } else { 1 };
        let changed = match &mut self.target {
            Some(target) if target.samples() == samples => target.resize(size.0, size.1)?,
            _ => {
                self.target = Some(RenderTarget::new(&self.context, size.0, size.1, samples)?);
                true
            }
        };
        let Some(target) = self.target.as_ref().filter(|_| changed) else { return Ok(()) };
        self.drawn = None;
        let filter = wgpu::FilterMode::Nearest;
        let mut egui = self.window.renderer.write();
        match self.texture {
            Some(id) => {
                egui.update_egui_texture_from_wgpu_texture(&self.window.device, target.color_view(), filter, id);
            }
            None => {
                self.texture = Some(egui.register_native_texture(&self.window.device, target.color_view(), filter));
            }
        }
        Ok(())
    }

    fn upload(&mut self, state: &State, generation: u64) -> Result<(), GpuError> {
        let level = state.view.level;
        let set = state.playback.player.material_set();
        let same_set = |other: &Option<Arc<MaterialSet>>| other.as_ref().map(Arc::as_ptr) == set.map(Arc::as_ptr);
        let same = |u: &Uploaded| (u.generation, u.level) == (generation, level) && same_set(&u.set);
        if self.uploaded.as_ref().is_some_and(same) {
            return Ok(());
        }
        self.uploaded = None;
        let uploaded = match (&state.map, &state.terrain, &state.shown) {
            (Some(shown), ..) => self.renderer.upload_map(&shown.map).map(What::Map),
            (None, Some(shown), _) => {
                self.renderer.upload_terrain(&shown.terrain).map(|terrain| What::Terrain(Box::new(terrain)))
            }
            (None, None, Some(shown)) if level > 0 => {
                self.renderer.upload(&Arc::new(shown.model.at_level(level))).map(What::Model)
            }
            (None, None, Some(shown)) => match set {
                Some(set) => self.renderer.upload(&Arc::new(set.applied_to(&shown.model))).map(What::Model),
                None => self.renderer.upload(&shown.model).map(What::Model),
            },
            (None, None, None) => return Ok(()),
        };
        let (what, result) = match uploaded {
            Ok(what) => (what, Ok(())),
            Err(error) => (What::Nothing, Err(error)),
        };
        self.drawn = None;
        self.uploaded = Some(Uploaded { generation, level, set: set.cloned(), what });
        result
    }

    /// Draws the scene once more, smoothly, and fetches the picture: as it is seen, or without a background.
    ///
    /// # Errors
    /// When the device refuses.
    pub fn picture(&mut self, state: &State, transparent: bool) -> Result<Image, GpuError> {
        let size = self.target.as_ref().map_or((1280, 800), RenderTarget::size);
        let mut target = RenderTarget::new(&self.context, size.0, size.1, 4)?;
        let mut view = view_settings(state);
        if transparent {
            view = ViewSettings { background: Background::Transparent, grid: false, shadow: false, ..view };
        }
        render(&mut self.renderer, self.uploaded.as_mut(), state, &view, &mut target, &[])?;
        target.read()
    }
}

impl Drop for ViewportGpu {
    fn drop(&mut self) {
        if let Some(id) = self.texture {
            self.window.renderer.write().free_texture(&id);
        }
    }
}

/// Draws what is on the device, with marks over it.
fn render(
    renderer: &mut SceneRenderer,
    uploaded: Option<&mut Uploaded>,
    state: &State,
    view: &ViewSettings,
    target: &mut RenderTarget,
    marks: &[Line],
) -> Result<(), GpuError> {
    let (width, height) = target.size();
    match uploaded.map(|u| &mut u.what) {
        Some(What::Model(model)) => {
            let world_from_model = state.view.up_axis.world_from_model();
            renderer.render(target, view, &[Item { model, frame: &state.frame, world_from_model }])
        }
        Some(What::Map(map)) => {
            let items = map.items(view, state.view.layers, width as f32 / height as f32);
            let lines: Vec<Line> = map.lines(state.view.layers).iter().chain(marks).copied().collect();
            renderer.render_with_lines(target, view, &items, &lines)
        }
        Some(What::Terrain(terrain)) => renderer.render_terrain(target, view, terrain, &state.view.terrain, marks),
        Some(What::Nothing) | None => renderer.render(target, view, &[]),
    }
}

fn view_settings(state: &State) -> ViewSettings {
    let view: &View = &state.view;
    let dark = state.settings.dark;
    let is_model = state.map.is_none() && state.terrain.is_none();
    ViewSettings {
        camera: view.camera,
        shading: state.drawn_shading(),
        uv_set: state.shown_uv_set(),
        wireframe: view.wireframe && state.terrain.is_none(),
        skeleton: view.skeleton && state.terrain.is_none(),
        selected_joint: state.selected_joint,
        // A level has floors of its own, and so has a landscape.
        grid: view.grid && is_model,
        shadow: is_model,
        background: match view.background {
            Some(color) => Background::Color(color),
            None if dark => Background::dark(),
            None => Background::light(),
        },
        gx: view.gx,
        floor_y: state.world_bounds().map_or(0.0, |b| b.min.y),
        show_hidden: view.show_hidden,
        textures: view.textures,
        // Models on a landscape have no other colours: their textures are in a format of the games.
        vertex_colors: view.vertex_colors || state.terrain.is_some(),
        backface_culling: view.backface_culling,
        nearest_filter: view.nearest_filter,
        accent: state.accent(),
        ..ViewSettings::default()
    }
}

/// Kinds of devices to try, in this order.
pub const ATTEMPTS: usize = 2;

/// What the window asks of its device. The first attempt takes the system's own interface (Vulkan, Metal, Direct3D), the second
/// OpenGL; `WGPU_BACKEND` overrides both.
pub fn setup(attempt: usize) -> egui_wgpu::WgpuConfiguration {
    let mut create = egui_wgpu::WgpuSetupCreateNew::without_display_handle();
    create.instance_descriptor.backends = wgpu::Backends::from_env().unwrap_or(match attempt {
        0 => wgpu::Backends::PRIMARY,
        _ => wgpu::Backends::GL,
    });
    create.device_descriptor = Arc::new(GpuContext::device_descriptor);
    egui_wgpu::WgpuConfiguration {
        wgpu_setup: egui_wgpu::WgpuSetup::CreateNew(create),
        ..egui_wgpu::WgpuConfiguration::default().with_surface_config(egui_wgpu::SurfaceConfig::LOW_LATENCY)
    }
}
