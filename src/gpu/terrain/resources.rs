//! The resources that all landscapes of a device share: layouts, shaders, the patch, the shapes of props, the colours
//! of the ground.

use super::{
    super::{
        GpuContext, GpuError,
        buffers::filled,
        layouts::Layouts,
        pipeline_cache::{Canvas, PipelineCache, PipelineDesc, Shader},
    },
    patches,
    props::{self, ShapeRange},
};
use crate::scene::{HEIGHT_RAMP, RampStop, SLOPE_RAMP, ramp_color};
use std::sync::{Arc, Mutex, PoisonError};

/// Texels of a row.
const WIDTH: u32 = 512;
/// Below the sea, above it, by slope, plain; mirrored in `shaders/terrain.wgsl`.
const ROWS: u32 = 4;

const PLAIN: [RampStop; 1] = [(0.0, [198, 194, 184])];

/// Rows of RGBA.
fn ramp_picture() -> Vec<u8> {
    let rows: [&[RampStop]; 4] = [&HEIGHT_RAMP.below, &HEIGHT_RAMP.above, &SLOPE_RAMP, &PLAIN];
    let mut out = Vec::with_capacity((WIDTH * ROWS * 4) as usize);
    for stops in rows {
        for texel in 0..WIDTH {
            let [r, g, b] = ramp_color(stops, texel as f32 / (WIDTH - 1) as f32);
            out.extend([r, g, b, 255]);
        }
    }
    out
}

/// What is drawn with a pipeline of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Ground,
    /// What is laid over it.
    Overlay,
    /// The underside of the block of earth.
    Underside,
    Water,
    Props,
    /// Props that are too small to have a shape.
    Points,
    /// Edges of selected props, over everything.
    Outlines,
}

impl Part {
    pub const ALL: [Self; 7] =
        [Self::Ground, Self::Overlay, Self::Underside, Self::Water, Self::Props, Self::Points, Self::Outlines];
}

pub(in crate::gpu) struct TerrainResources {
    pub(super) context: Arc<GpuContext>,
    pub(super) layout: wgpu::BindGroupLayout,
    pub(super) overlay_layout: wgpu::BindGroupLayout,
    pipeline_layout: wgpu::PipelineLayout,
    overlay_pipeline_layout: wgpu::PipelineLayout,
    pub(super) patch_vertices: wgpu::Buffer,
    pub(super) patch_indices: wgpu::Buffer,
    pub(super) patch_index_count: u32,
    pub(super) shape_vertices: wgpu::Buffer,
    pub(super) shape_indices: wgpu::Buffer,
    /// By marker: box, post.
    pub(super) shapes: [ShapeRange; 2],
    pub(super) ramp: wgpu::TextureView,
    pub(super) smooth: wgpu::Sampler,
    pipelines: Mutex<PipelineCache<(Part, u32)>>,
}

impl TerrainResources {
    pub fn new(context: &Arc<GpuContext>, layouts: &Layouts) -> Result<Self, GpuError> {
        context.scoped("landscape resources", || {
            let layout = group_layout(context);
            let overlay_layout = overlay_layout(context);
            let pipeline_layout = |groups: &[Option<&wgpu::BindGroupLayout>]| {
                context.device().create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                    label: Some("terrain"),
                    bind_group_layouts: groups,
                    immediate_size: 0,
                })
            };
            let (vertices, indices) = patches::mesh();
            let shapes = props::shapes();
            let (vertex, index) = (wgpu::BufferUsages::VERTEX, wgpu::BufferUsages::INDEX);
            Self {
                patch_vertices: filled(context, "patch", bytemuck::cast_slice(&vertices), vertex),
                patch_indices: filled(context, "patch", bytemuck::cast_slice(&indices), index),
                patch_index_count: indices.len() as u32,
                shape_vertices: filled(context, "props", bytemuck::cast_slice(&shapes.vertices), vertex),
                shape_indices: filled(context, "props", bytemuck::cast_slice(&shapes.indices), index),
                shapes: shapes.ranges,
                ramp: ramp_texture(context),
                smooth: smooth(context),
                pipelines: Mutex::new(PipelineCache::new(context)),
                context: context.clone(),
                pipeline_layout: pipeline_layout(&[Some(&layouts.globals), Some(&layout)]),
                overlay_pipeline_layout: pipeline_layout(&[
                    Some(&layouts.globals),
                    Some(&layout),
                    Some(&overlay_layout),
                ]),
                overlay_layout,
                layout,
            }
        })
    }

    /// A pipeline, built when it is first asked for.
    pub(super) fn pipeline(&self, part: Part, samples: u32) -> Result<wgpu::RenderPipeline, GpuError> {
        let mut pipelines = self.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = pipelines.get((part, samples)) {
            return Ok(pipeline.clone());
        }
        use wgpu::PrimitiveTopology::{TriangleList, TriangleStrip};
        let ground = [Some(PATCH_LAYOUT), Some(NODE_LAYOUT)];
        let shapes = [Some(props::LAYOUT), Some(props::PLACE_LAYOUT), Some(props::LOOK_LAYOUT)];
        let points = [Some(props::PLACE_LAYOUT), Some(props::LOOK_LAYOUT)];
        let outlines = [Some(props::PLACE_LAYOUT)];
        // Depth is reversed: 1 is near.
        let before = wgpu::CompareFunction::GreaterEqual;
        let hiding = Canvas::Scene { samples, depth_write: true, depth_compare: before };
        let hidden = Canvas::Scene { samples, depth_write: false, depth_compare: before };
        let over = Canvas::Scene { samples, depth_write: false, depth_compare: wgpu::CompareFunction::Always };
        let premultiplied = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let plain = PipelineDesc {
            label: "terrain",
            shader: Shader::File("terrain.wgsl"),
            vertex: "vs_ground",
            fragment: "fs_ground",
            constants: &[],
            layout: &self.pipeline_layout,
            buffers: &ground,
            topology: TriangleList,
            front_face: wgpu::FrontFace::Ccw,
            cull: None,
            blend: None,
            writes: wgpu::ColorWrites::ALL,
            canvas: hiding,
        };
        let desc = match part {
            Part::Ground => plain,
            // On the ground itself: nothing is before it but what it is laid over.
            Part::Overlay => PipelineDesc {
                vertex: "vs_ground",
                fragment: "fs_overlay",
                layout: &self.overlay_pipeline_layout,
                blend: premultiplied,
                canvas: hidden,
                ..plain
            },
            Part::Underside => PipelineDesc {
                buffers: &[],
                vertex: "vs_underside",
                fragment: "fs_underside",
                topology: TriangleStrip,
                ..plain
            },
            Part::Water => PipelineDesc {
                buffers: &[],
                shader: Shader::File("terrain_water.wgsl"),
                vertex: "vs_water",
                fragment: "fs_water",
                blend: premultiplied,
                canvas: hidden,
                ..plain
            },
            Part::Props => PipelineDesc {
                buffers: &shapes,
                shader: Shader::File("terrain_props.wgsl"),
                vertex: "vs_prop",
                fragment: "fs_prop",
                ..plain
            },
            Part::Points => PipelineDesc {
                buffers: &points,
                shader: Shader::File("terrain_props.wgsl"),
                vertex: "vs_point",
                fragment: "fs_point",
                topology: TriangleStrip,
                blend: premultiplied,
                canvas: hidden,
                ..plain
            },
            Part::Outlines => PipelineDesc {
                buffers: &outlines,
                shader: Shader::File("terrain_props.wgsl"),
                vertex: "vs_outline",
                fragment: "fs_outline",
                topology: TriangleList,
                blend: premultiplied,
                canvas: over,
                ..plain
            },
        };
        pipelines.build((part, samples), &desc)
    }
}

const PATCH_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 4,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Uint8x4],
};

const NODE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 16,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![1 => Uint32x4],
};

fn entry(binding: u32, visibility: wgpu::ShaderStages, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

fn picture(filterable: bool) -> wgpu::BindingType {
    wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    }
}

const UNIFORM: wgpu::BindingType = wgpu::BindingType::Buffer {
    ty: wgpu::BufferBindingType::Uniform,
    has_dynamic_offset: false,
    min_binding_size: None,
};
const SAMPLER: wgpu::BindingType = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);

fn group_layout(context: &GpuContext) -> wgpu::BindGroupLayout {
    let fragment = wgpu::ShaderStages::FRAGMENT;
    context.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("terrain"),
        entries: &[
            entry(0, wgpu::ShaderStages::VERTEX_FRAGMENT, UNIFORM),
            entry(1, wgpu::ShaderStages::VERTEX, picture(false)),
            entry(2, fragment, picture(true)),
            entry(3, fragment, picture(true)),
            entry(4, fragment, SAMPLER),
        ],
    })
}

fn overlay_layout(context: &GpuContext) -> wgpu::BindGroupLayout {
    let fragment = wgpu::ShaderStages::FRAGMENT;
    context.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("overlay"),
        entries: &[entry(0, fragment, UNIFORM), entry(1, fragment, picture(true)), entry(2, fragment, SAMPLER)],
    })
}

fn ramp_texture(context: &GpuContext) -> wgpu::TextureView {
    let size = wgpu::Extent3d { width: WIDTH, height: ROWS, depth_or_array_layers: 1 };
    let texture = context.device().create_texture(&wgpu::TextureDescriptor {
        label: Some("ramp"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    context.queue().write_texture(
        texture.as_image_copy(),
        &ramp_picture(),
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(WIDTH * 4), rows_per_image: Some(ROWS) },
        size,
    );
    texture.create_view(&Default::default())
}

/// For slopes: smooth between levels too, ending at the map's edge.
fn smooth(context: &GpuContext) -> wgpu::Sampler {
    let filter = wgpu::FilterMode::Linear;
    context.device().create_sampler(&wgpu::SamplerDescriptor {
        label: Some("relief"),
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        anisotropy_clamp: if context.is_software() { 1 } else { 8 },
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::HeightRange;

    #[test]
    fn the_picture_has_the_legends_colours() {
        let picture = ramp_picture();
        let range = HeightRange { min: -511.0, max: 511.0, mean: 0.0, holes: 0 };
        let at = |row: u32, x: u32| {
            let start = ((row * WIDTH + x) * 4) as usize;
            [picture[start], picture[start + 1], picture[start + 2]]
        };
        for x in 0..WIDTH {
            assert_eq!(at(1, x), HEIGHT_RAMP.color(x as f32, &range));
            if x < WIDTH - 1 {
                assert_eq!(at(0, x), HEIGHT_RAMP.color(x as f32 - 511.0, &range));
            }
        }
        assert_eq!(at(3, 77), PLAIN[0].1);
        assert_eq!(picture.len(), (WIDTH * ROWS * 4) as usize);
    }
}
