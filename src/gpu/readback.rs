//! What the vertex stage makes of vertices, read back for tests.

use super::Item;
use super::target::read_bytes;
use super::{GpuContext, GpuError, GpuModel, SceneRenderer, ViewSettings, geometry, shaders::shader_source};
use crate::scene::Frame;
use glam::{Affine3A, Vec3};

/// Positions of all vertices of a model, mesh by mesh, in the model's space, skinned by the function that draws them. Where
/// the CPU skins, what it would upload.
pub fn read_skinned(
    context: &GpuContext,
    renderer: &mut SceneRenderer,
    model: &GpuModel,
    frame: &Frame,
) -> Result<Vec<Vec3>, GpuError> {
    let view = ViewSettings::default();
    if !context.skins_on_gpu() {
        let posed = geometry::posed(model.model(), &model.bind_vertices, frame, Affine3A::IDENTITY, &view);
        return Ok(posed.iter().map(|v| Vec3::from(v.position)).collect());
    }
    if model.vertex_count == 0 {
        return Ok(Vec::new());
    }
    let item = Item { model, frame, world_from_model: Affine3A::IDENTITY };
    renderer.frame_buffers.write_items(&renderer.layouts, &[item], &[], &view)?;
    let (Some(globals), Some(influences)) = (renderer.frame_buffers.group(), &model.influences) else {
        return Ok(Vec::new());
    };
    let device = context.device();
    let size = u64::from(model.vertex_count) * 16;
    let limit = context.limits().max_storage_buffer_binding_size;
    GpuError::check(|| "the list of skinned vertices".into(), size, limit, "bytes")?;
    let (output, group, pipeline) = context.scoped("a shader", || {
        let output = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("skinned"),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("read_skinned.wgsl"),
            source: wgpu::ShaderSource::Wgsl(shader_source("read_skinned.wgsl").unwrap_or_default().into()),
        });
        let entry = |binding, read_only| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &[entry(0, true), entry(1, false)],
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&renderer.layouts.globals), renderer.layouts.influences.as_ref(), Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("read skinned vertices"),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: Default::default(),
            cache: None,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: model.vertices.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: output.as_entire_binding() },
            ],
        });
        (output, group, pipeline)
    })?;
    let bytes = read_bytes(context, size, |encoder, buffer| {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, globals, &[]);
        pass.set_bind_group(1, influences, &[]);
        pass.set_bind_group(2, &group, &[]);
        let groups = model.vertex_count.div_ceil(64);
        pass.dispatch_workgroups(groups.min(1024), groups.div_ceil(1024), 1);
        drop(pass);
        encoder.copy_buffer_to_buffer(&output, 0, buffer, 0, size);
    })?;
    let words = bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let words: Vec<f32> = words.collect();
    Ok(words.chunks_exact(4).map(|v| Vec3::new(v[0], v[1], v[2])).collect())
}
