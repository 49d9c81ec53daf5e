//! The pipelines of models and of what is drawn beside them, keyed by what they depend on. Colours, matrices and
//! textures are data.

use super::{
    GpuContext, GpuError, Tint,
    layouts::{BONE_LAYOUT, GX_LAYOUT, JOINT_LAYOUT, LINE_LAYOUT, Layouts, SECOND_LAYOUT, UV_LAYOUT, VERTEX_LAYOUT},
    pipeline_cache::{Canvas, PipelineCache, PipelineDesc, Shader},
    shadow::{BLUR_STEP, shadow_map_size},
    tev::{self, TevState},
};
use crate::scene::Blend;
use std::sync::Arc;

/// The formulas of [`Blend`], for colours that are premultiplied in the target.
fn blend_of(blend: Blend) -> Option<wgpu::BlendState> {
    use wgpu::{BlendComponent, BlendFactor as F, BlendOperation, BlendState};
    let add = |src_factor, dst_factor| BlendComponent { src_factor, dst_factor, operation: BlendOperation::Add };
    match blend {
        Blend::Opaque | Blend::Masked => None,
        Blend::Alpha => Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        Blend::Translucent => {
            Some(BlendState { color: add(F::One, F::OneMinusSrc), alpha: add(F::One, F::OneMinusSrcAlpha) })
        }
        Blend::Modulated => Some(BlendState { color: add(F::Dst, F::Src), alpha: add(F::Zero, F::One) }),
    }
}

/// Multiplies the picture by the pass' constant and adds to it, as far as it covers anything.
fn seen_from_within() -> wgpu::BlendState {
    use wgpu::{BlendComponent, BlendFactor as F, BlendOperation};
    let component = |src_factor, dst_factor| BlendComponent { src_factor, dst_factor, operation: BlendOperation::Add };
    wgpu::BlendState { color: component(F::DstAlpha, F::Constant), alpha: component(F::Zero, F::One) }
}

/// Adds colours up.
fn sum() -> wgpu::BlendState {
    let add = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::BlendState { color: add, alpha: add }
}

/// Keeps the darker of two shadows.
fn darkest() -> wgpu::BlendState {
    let max = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Max,
    };
    wgpu::BlendState { color: max, alpha: max }
}

/// Adds colours to what covers the picture, and covers nothing itself.
fn added() -> wgpu::BlendState {
    let keeps = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Zero,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::BlendState { alpha: keeps, ..sum() }
}

/// What a surface's fragment stage shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Variant {
    Lit,
    Unlit,
    Flat,
    Normals,
    Uv,
    VertexColors,
    MaterialId,
    PartId,
    Weights,
    /// By light that the model brings.
    Baked,
    Zones,
    /// Baked light alone.
    Light,
    /// Evenly grey.
    Plain,
    /// Another place of the level.
    Window,
    /// Added to the picture: the glow of a light.
    Glow,
    ListKinds,
    /// Added up, whatever hides what.
    Overdraw,
    /// In a colour that says why the surface is hidden.
    Tint,
    /// Under a colour of its item.
    Tinted,
    /// Letting through what is behind it.
    Ghost,
}

/// The state of a surface that its pipeline depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SurfaceKey {
    pub variant: Variant,
    pub blend: Blend,
    pub cull: bool,
    /// Its triangles are turned around.
    pub mirrored: bool,
    pub samples: u32,
    /// The item's own colour.
    pub tint: Option<Tint>,
    /// It is drawn as lines.
    pub is_lines: bool,
}

/// The state of a surface with the chip's whole material that its pipeline depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TevKey {
    /// Number of its shader.
    pub program: u32,
    pub state: TevState,
    pub samples: u32,
    /// The picture has an alpha channel that tells how much of it is covered.
    pub covers: bool,
    /// It is drawn as lines.
    pub is_lines: bool,
}

/// The state of a selected surface in the mask that its outline is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MaskKey {
    pub samples: u32,
    pub cull: Option<wgpu::Face>,
    /// Texels with less than half alpha are left out.
    pub masked: bool,
    /// It is drawn as lines.
    pub is_lines: bool,
}

/// What a pipeline depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Background {
        samples: u32,
    },
    Surface(SurfaceKey),
    Tev(TevKey),
    /// Makes the picture opaque: everywhere, or where something was drawn.
    OpaqueAlpha {
        samples: u32,
        everywhere: bool,
    },
    Wire {
        samples: u32,
    },
    Caster,
    Blur {
        vertical: bool,
    },
    /// What a zone does to the sight of who is in it.
    Fog {
        samples: u32,
    },
    Shadow {
        samples: u32,
    },
    Grid {
        samples: u32,
    },
    Bones {
        samples: u32,
    },
    Joints {
        samples: u32,
    },
    /// `over`: before everything.
    Lines {
        samples: u32,
        over: bool,
    },
    /// Where a selected surface is.
    Mask(MaskKey),
    /// The edge of what is selected.
    Outline,
}

pub(super) struct Pipelines {
    context: Arc<GpuContext>,
    cache: PipelineCache<Key>,
}

/// Depth is reversed: 1 is near.
const BEFORE: wgpu::CompareFunction = wgpu::CompareFunction::GreaterEqual;
const ANYWHERE: wgpu::CompareFunction = wgpu::CompareFunction::Always;

impl Pipelines {
    pub fn new(context: &Arc<GpuContext>) -> Self {
        Self { context: context.clone(), cache: PipelineCache::new(context) }
    }

    /// How many were built.
    pub fn count(&self) -> usize {
        self.cache.count()
    }

    /// A pipeline that was prepared.
    pub fn get(&self, key: Key) -> Option<&wgpu::RenderPipeline> {
        self.cache.get(key)
    }

    /// Makes sure a pipeline exists.
    pub fn prepare(&mut self, layouts: &Layouts, key: Key) -> Result<(), GpuError> {
        if self.cache.get(key).is_some() {
            return Ok(());
        }
        use wgpu::PrimitiveTopology::{LineList, TriangleList, TriangleStrip};
        let surface_shader =
            Shader::File(if self.context.skins_on_gpu() { "surface_skinned.wgsl" } else { "surface_posed.wgsl" });
        let over = |samples| Canvas::Scene { samples, depth_write: false, depth_compare: BEFORE };
        let front = |samples| Canvas::Scene { samples, depth_write: true, depth_compare: BEFORE };
        let premultiplied = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let mesh = [Some(VERTEX_LAYOUT), Some(UV_LAYOUT), Some(SECOND_LAYOUT)];
        let gx_mesh = [Some(VERTEX_LAYOUT), Some(GX_LAYOUT)];
        let (bones, joints, lines) = ([Some(BONE_LAYOUT)], [Some(JOINT_LAYOUT)], [Some(LINE_LAYOUT)]);
        let plain = PipelineDesc {
            label: "background",
            shader: Shader::File("background.wgsl"),
            vertex: "vs_main",
            fragment: "fs_main",
            constants: &[],
            layout: &layouts.plain_pipeline,
            buffers: &[],
            topology: TriangleList,
            front_face: wgpu::FrontFace::Ccw,
            cull: None,
            blend: None,
            writes: wgpu::ColorWrites::ALL,
            canvas: Canvas::ShadowMap,
        };
        let steps = |x: f64, y: f64| [("step_x", x), ("step_y", y)];
        let step = f64::from(shadow_map_size(&self.context)) * BLUR_STEP;
        let (across, down) = (steps(step, 0.0), steps(0.0, step));
        let masked = [("masked", 1.0)];
        let topology_of = |is_lines: bool| if is_lines { LineList } else { TriangleList };
        let own = match key {
            Key::Surface(surface) => constants_of(surface),
            _ => Vec::new(),
        };
        let desc = match key {
            Key::Background { samples } => {
                PipelineDesc { canvas: Canvas::Scene { samples, depth_write: false, depth_compare: ANYWHERE }, ..plain }
            }
            Key::OpaqueAlpha { samples, everywhere } => {
                // The triangle lies as far as can be: nearer is where depth was written.
                let depth_compare = if everywhere { ANYWHERE } else { wgpu::CompareFunction::Less };
                PipelineDesc {
                    label: "opaque alpha",
                    fragment: "fs_opaque",
                    writes: wgpu::ColorWrites::ALPHA,
                    canvas: Canvas::Scene { samples, depth_write: false, depth_compare },
                    ..plain
                }
            }
            Key::Fog { samples } => PipelineDesc {
                label: "zone fog",
                fragment: "fs_fog",
                blend: Some(seen_from_within()),
                canvas: Canvas::Scene { samples, depth_write: false, depth_compare: ANYWHERE },
                ..plain
            },
            Key::Tev(TevKey { program, state, samples, covers, is_lines }) => {
                let (depth_compare, depth_write) = tev::depth_of(state.z);
                PipelineDesc {
                    label: "combiner",
                    shader: Shader::Generated(program),
                    layout: &layouts.tev_pipeline,
                    buffers: &gx_mesh,
                    topology: topology_of(is_lines),
                    cull: tev::cull_of(state.cull),
                    blend: tev::blend_of(state.blend, covers),
                    canvas: Canvas::Scene { samples, depth_write, depth_compare },
                    ..plain
                }
            }
            Key::Surface(surface) => PipelineDesc {
                label: "surface",
                shader: surface_shader,
                vertex: if surface.variant == Variant::ListKinds { "vs_lists" } else { plain.vertex },
                fragment: fragment_of(surface),
                constants: &own,
                layout: &layouts.surface_pipeline,
                buffers: &mesh,
                topology: topology_of(surface.is_lines),
                front_face: if surface.mirrored { wgpu::FrontFace::Cw } else { wgpu::FrontFace::Ccw },
                cull: surface.cull.then_some(wgpu::Face::Back),
                blend: match surface.variant {
                    Variant::Ghost => premultiplied,
                    Variant::Overdraw => Some(sum()),
                    Variant::Glow => Some(added()),
                    _ => blend_of(surface.blend),
                },
                canvas: Canvas::Scene {
                    samples: surface.samples,
                    depth_write: matches!(surface.blend, Blend::Opaque | Blend::Masked)
                        && !matches!(surface.variant, Variant::Ghost | Variant::Overdraw | Variant::Glow),
                    depth_compare: if surface.variant == Variant::Overdraw { ANYWHERE } else { BEFORE },
                },
                ..plain
            },
            Key::Wire { samples } => PipelineDesc {
                label: "wire",
                shader: surface_shader,
                vertex: "vs_wire",
                fragment: "fs_wire",
                layout: &layouts.surface_pipeline,
                buffers: &mesh,
                topology: LineList,
                blend: premultiplied,
                canvas: over(samples),
                ..plain
            },
            Key::Caster => PipelineDesc {
                label: "shadow caster",
                shader: surface_shader,
                fragment: "fs_caster",
                layout: &layouts.surface_pipeline,
                buffers: &mesh,
                blend: Some(darkest()),
                ..plain
            },
            Key::Blur { vertical } => PipelineDesc {
                label: "blur",
                shader: Shader::File("blur.wgsl"),
                constants: if vertical { &down } else { &across },
                layout: &layouts.shadow_map_pipeline,
                ..plain
            },
            Key::Shadow { samples } | Key::Grid { samples } => {
                let grid = matches!(key, Key::Grid { .. });
                PipelineDesc {
                    label: "floor",
                    shader: Shader::File("floor.wgsl"),
                    vertex: if grid { "vs_grid" } else { "vs_shadow" },
                    fragment: if grid { "fs_grid" } else { "fs_shadow" },
                    layout: &layouts.shadow_map_pipeline,
                    topology: TriangleStrip,
                    blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                    canvas: over(samples),
                    ..plain
                }
            }
            Key::Mask(MaskKey { samples, cull, masked: is_masked, is_lines }) => PipelineDesc {
                label: "mask",
                shader: surface_shader,
                fragment: "fs_mask",
                constants: if is_masked { &masked } else { &[] },
                layout: &layouts.surface_pipeline,
                buffers: &mesh,
                topology: topology_of(is_lines),
                cull,
                canvas: Canvas::Mask { samples },
                ..plain
            },
            Key::Outline => PipelineDesc {
                label: "outline",
                shader: Shader::File("outline.wgsl"),
                layout: &layouts.shadow_map_pipeline,
                blend: premultiplied,
                canvas: Canvas::Finished,
                ..plain
            },
            Key::Bones { samples } => PipelineDesc {
                label: "bones",
                shader: Shader::File("skeleton.wgsl"),
                vertex: "vs_bone",
                fragment: "fs_bone",
                buffers: &bones,
                blend: premultiplied,
                canvas: front(samples),
                ..plain
            },
            Key::Joints { samples } => PipelineDesc {
                label: "joints",
                shader: Shader::File("skeleton.wgsl"),
                vertex: "vs_joint",
                fragment: "fs_joint",
                buffers: &joints,
                topology: TriangleStrip,
                blend: premultiplied,
                canvas: over(samples),
                ..plain
            },
            Key::Lines { samples, over } => PipelineDesc {
                label: "lines",
                shader: Shader::File("lines.wgsl"),
                vertex: "vs_line",
                fragment: "fs_line",
                buffers: &lines,
                topology: TriangleStrip,
                blend: premultiplied,
                canvas: Canvas::Scene {
                    samples,
                    depth_write: false,
                    depth_compare: if over { ANYWHERE } else { BEFORE },
                },
                ..plain
            },
        };
        self.cache.build(key, &desc).map(drop)
    }
}

/// What a surface's shader is told when its pipeline is built.
fn constants_of(surface: SurfaceKey) -> Vec<(&'static str, f64)> {
    let mut constants = Vec::new();
    if surface.blend == Blend::Masked {
        constants.push(("masked", 1.0));
    }
    if let Some(tint) = surface.tint {
        let [red, green, blue] = tint.color().map(|channel| f64::from(channel) / 255.0);
        constants.extend([("tint_red", red), ("tint_green", green), ("tint_blue", blue), ("tint_share", 0.75)]);
    }
    constants
}

fn fragment_of(surface: SurfaceKey) -> &'static str {
    match (surface.variant, surface.blend) {
        (Variant::Lit, Blend::Alpha) => "fs_lit_alpha",
        (Variant::Lit, Blend::Translucent) => "fs_lit_translucent",
        (Variant::Lit, _) => "fs_lit",
        (Variant::Unlit, Blend::Alpha) => "fs_unlit_alpha",
        (Variant::Unlit, Blend::Translucent) => "fs_unlit_translucent",
        (Variant::Unlit, Blend::Modulated) => "fs_modulated",
        (Variant::Unlit, _) => "fs_unlit",
        (Variant::Flat, _) => "fs_flat",
        (Variant::Normals, _) => "fs_normals",
        (Variant::Uv, _) => "fs_uv",
        (Variant::VertexColors, _) => "fs_colors",
        (Variant::MaterialId, _) => "fs_material",
        (Variant::PartId, _) => "fs_part",
        (Variant::Weights, _) => "fs_weights",
        (Variant::Baked, Blend::Alpha) => "fs_baked_alpha",
        (Variant::Baked, Blend::Translucent) => "fs_baked_translucent",
        (Variant::Baked, _) => "fs_baked",
        (Variant::Zones, _) => "fs_zones",
        (Variant::Light, _) => "fs_light",
        (Variant::Plain, _) => "fs_plain",
        (Variant::Window, _) => "fs_window",
        (Variant::Glow, _) => "fs_unlit",
        (Variant::ListKinds, _) => "fs_lists",
        (Variant::Overdraw, _) => "fs_overdraw",
        (Variant::Tint, _) => "fs_tint",
        (Variant::Tinted, _) => "fs_tinted",
        (Variant::Ghost, _) => "fs_ghost",
    }
}
