//! Pipelines, keyed by what they depend on, built when first needed. Colours, matrices and textures are data.

use super::shaders::shader_source;
use super::target::{COLOR_FORMAT, DEPTH_FORMAT};
use super::{GpuContext, GpuError};
use std::collections::HashMap;
use std::sync::Arc;

/// What a pipeline depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Background { samples: u32 },
}

pub(super) struct Pipelines {
    context: Arc<GpuContext>,
    pub globals_layout: wgpu::BindGroupLayout,
    built: HashMap<Key, wgpu::RenderPipeline>,
}

impl Pipelines {
    pub fn new(context: &Arc<GpuContext>) -> Result<Self, GpuError> {
        let device = context.device();
        let globals_layout = context.scoped("the layout of the scene", || {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some("globals"),
                entries: &[wgpu::BindGroupLayoutEntry {
                    binding: 0,
                    visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                    ty: wgpu::BindingType::Buffer {
                        ty: wgpu::BufferBindingType::Uniform,
                        has_dynamic_offset: false,
                        min_binding_size: None,
                    },
                    count: None,
                }],
            })
        })?;
        Ok(Self { context: context.clone(), globals_layout, built: HashMap::new() })
    }

    /// Makes sure a pipeline exists.
    pub fn prepare(&mut self, key: Key) -> Result<(), GpuError> {
        if !self.built.contains_key(&key) {
            let pipeline = self.context.scoped("a shader", || self.build(key))?;
            self.built.insert(key, pipeline);
        }
        Ok(())
    }

    pub fn get(&self, key: Key) -> Option<&wgpu::RenderPipeline> {
        self.built.get(&key)
    }

    fn build(&self, key: Key) -> wgpu::RenderPipeline {
        let device = self.context.device();
        let Key::Background { samples } = key;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("background"),
            source: wgpu::ShaderSource::Wgsl(shader_source("background.wgsl").unwrap_or_default().into()),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&self.globals_layout)],
            immediate_size: 0,
        });
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("background"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_main"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(false),
                depth_compare: Some(wgpu::CompareFunction::Always),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs_main"),
                compilation_options: Default::default(),
                targets: &[Some(COLOR_FORMAT.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
