use super::globals::Globals;
use super::pipelines::{Key, Pipelines};
use super::{Background, GpuContext, GpuError, GpuModel, RenderTarget, ViewSettings};
use crate::scene::{Frame, Model};
use glam::Affine3A;
use std::sync::Arc;

/// One thing to draw: a model, its pose and its place.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    pub model: &'a GpuModel,
    pub frame: &'a Frame,
    pub world_from_model: Affine3A,
}

/// Draws items into targets of one device.
pub struct SceneRenderer {
    context: Arc<GpuContext>,
    pipelines: Pipelines,
    globals: wgpu::Buffer,
    globals_group: wgpu::BindGroup,
}

impl SceneRenderer {
    pub fn new(context: Arc<GpuContext>) -> Result<Self, GpuError> {
        let pipelines = Pipelines::new(&context)?;
        let device = context.device();
        let (globals, globals_group) = context.scoped("memory for the scene", || {
            let globals = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("globals"),
                size: size_of::<Globals>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("globals"),
                layout: &pipelines.globals_layout,
                entries: &[wgpu::BindGroupEntry { binding: 0, resource: globals.as_entire_binding() }],
            });
            (globals, group)
        })?;
        Ok(Self { context, pipelines, globals, globals_group })
    }

    /// Puts a model on the device.
    pub fn upload(&mut self, model: &Arc<Model>) -> Result<GpuModel, GpuError> {
        Ok(GpuModel::new(&self.context, model))
    }

    /// Draws into the target and submits.
    pub fn render(
        &mut self,
        target: &mut RenderTarget,
        view: &ViewSettings,
        items: &[Item<'_>],
    ) -> Result<(), GpuError> {
        if self.context.is_lost() {
            return Err(GpuError::Lost);
        }
        if !Arc::ptr_eq(&self.context, target.context()) {
            return Err(GpuError::ForeignDevice("the picture"));
        }
        if items.iter().any(|item| !Arc::ptr_eq(&self.context, item.model.context())) {
            return Err(GpuError::ForeignDevice("the model"));
        }
        let background = Key::Background { samples: target.samples() };
        self.pipelines.prepare(background)?;
        self.context.queue().write_buffer(&self.globals, 0, bytemuck::bytes_of(&Globals::new(view, target, None)));
        let mut encoder = self.context.device().create_command_encoder(&Default::default());
        let (color, resolve_target, depth) = target.attachments();
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: color,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.globals_group, &[]);
        if view.background != Background::Transparent
            && let Some(pipeline) = self.pipelines.get(background)
        {
            pass.set_pipeline(pipeline);
            pass.draw(0..3, 0..1);
        }
        drop(pass);
        self.context.queue().submit([encoder.finish()]);
        Ok(())
    }
}
