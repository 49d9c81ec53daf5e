//! Pipelines as data, built when first needed and kept.

use super::outline_mask::MASK_FORMAT;
use super::shaders::shader_source;
use super::shadow::SHADOW_FORMAT;
use super::target::{COLOR_FORMAT, DEPTH_FORMAT};
use super::{GpuContext, GpuError, tev};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Where a pipeline draws.
#[derive(Clone, Copy)]
pub(super) enum Canvas {
    /// The picture: samples, and what is done with its depth.
    Scene { samples: u32, depth_write: bool, depth_compare: wgpu::CompareFunction },
    /// The shadow on the floor.
    ShadowMap,
    /// Where selected surfaces are: one red channel without depth.
    Mask { samples: u32 },
    /// The finished picture, which has no samples and no depth.
    Finished,
}

/// What a pipeline is built from.
pub(super) struct PipelineDesc<'a> {
    pub label: &'static str,
    pub shader: Shader,
    pub vertex: &'static str,
    pub fragment: &'static str,
    pub constants: &'a [(&'a str, f64)],
    pub layout: &'a wgpu::PipelineLayout,
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub topology: wgpu::PrimitiveTopology,
    pub front_face: wgpu::FrontFace,
    pub cull: Option<wgpu::Face>,
    pub blend: Option<wgpu::BlendState>,
    pub writes: wgpu::ColorWrites,
    pub canvas: Canvas,
}

/// A file of `shaders/`, or a generated one by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Shader {
    File(&'static str),
    Generated(u32),
}

/// Pipelines by what they depend on, and the shaders that they share.
pub(super) struct PipelineCache<K> {
    context: Arc<GpuContext>,
    modules: HashMap<Shader, wgpu::ShaderModule>,
    built: HashMap<K, wgpu::RenderPipeline>,
}

impl<K: Copy + Eq + Hash> PipelineCache<K> {
    pub fn new(context: &Arc<GpuContext>) -> Self {
        Self { context: context.clone(), modules: HashMap::new(), built: HashMap::new() }
    }

    /// How many were built.
    pub fn count(&self) -> usize {
        self.built.len()
    }

    /// A pipeline that was built.
    pub fn get(&self, key: K) -> Option<&wgpu::RenderPipeline> {
        self.built.get(&key)
    }

    /// Builds a pipeline and keeps it.
    pub fn build(&mut self, key: K, desc: &PipelineDesc<'_>) -> Result<wgpu::RenderPipeline, GpuError> {
        let context = self.context.clone();
        let pipeline = context.scoped("a shader", || self.make(desc))?;
        self.built.insert(key, pipeline.clone());
        Ok(pipeline)
    }

    fn make(&mut self, desc: &PipelineDesc<'_>) -> wgpu::RenderPipeline {
        let device = self.context.device();
        let made = |label, source: String| {
            let source = wgpu::ShaderSource::Wgsl(source.into());
            device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source })
        };
        let module = self.modules.entry(desc.shader).or_insert_with(|| match desc.shader {
            Shader::File(name) => made(name, shader_source(name).unwrap_or_default()),
            Shader::Generated(program) => {
                let key = self.context.program_key(program);
                made("combiner", key.map(|key| tev::source_of(&key, self.context.skins_on_gpu())).unwrap_or_default())
            }
        });
        let (format, samples, depth_stencil) = match desc.canvas {
            Canvas::ShadowMap => (SHADOW_FORMAT, 1, None),
            Canvas::Mask { samples } => (MASK_FORMAT, samples, None),
            Canvas::Finished => (COLOR_FORMAT, 1, None),
            Canvas::Scene { samples, depth_write, depth_compare } => {
                let state = wgpu::DepthStencilState {
                    format: DEPTH_FORMAT,
                    depth_write_enabled: Some(depth_write),
                    depth_compare: Some(depth_compare),
                    stencil: Default::default(),
                    bias: Default::default(),
                };
                (COLOR_FORMAT, samples, Some(state))
            }
        };
        let options = wgpu::PipelineCompilationOptions { constants: desc.constants, ..Default::default() };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(desc.label),
            layout: Some(desc.layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(desc.vertex),
                compilation_options: options.clone(),
                buffers: desc.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: desc.topology,
                front_face: desc.front_face,
                cull_mode: desc.cull,
                ..Default::default()
            },
            depth_stencil,
            multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some(desc.fragment),
                compilation_options: options,
                targets: &[Some(wgpu::ColorTargetState { format, blend: desc.blend, write_mask: desc.writes })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
