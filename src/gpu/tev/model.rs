//! What a model with materials of the chip has on the device beside its geometry.

use super::textures::{GpuTexture, Samplers, TextureGroups};
use crate::gpu::buffers::filled;
use crate::gpu::geometry::SurfaceRange;
use crate::gpu::layouts::GxVertex;
use crate::gpu::program_key::{MeshTraits, ProgramKey, Scene};
use crate::gpu::{GpuContext, GpuError};
use crate::scene::{Mesh, Model};
use glam::Vec3;

/// Programs of a surface: unlit or lit, without and with fog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfacePrograms([u32; 4]);

impl SurfacePrograms {
    pub fn of(self, scene: Scene) -> u32 {
        self.0[usize::from(scene.lit) + 2 * usize::from(scene.fog)]
    }
}

pub struct GpuTev {
    pub stream: wgpu::Buffer,
    pub textures: Vec<GpuTexture>,
    pub groups: TextureGroups,
    /// Of each surface; `None` for another kind of material.
    pub programs: Vec<Option<SurfacePrograms>>,
    /// Middle and radius in bind pose.
    pub sphere: (Vec3, f32),
}

impl GpuTev {
    /// `None` for a model without such materials.
    pub fn new(context: &GpuContext, model: &Model, surfaces: &[SurfaceRange]) -> Result<Option<Self>, GpuError> {
        if !model.materials.iter().any(|m| m.tev().is_some()) {
            return Ok(None);
        }
        let mut samplers = Samplers::default();
        let textures: Result<Vec<_>, GpuError> =
            model.textures.iter().map(|texture| GpuTexture::new(context, &mut samplers, texture)).collect();
        let size = model.meshes.iter().map(|m| m.vertex_count() as u64).fold(0, u64::saturating_add);
        let what = || format!("the vertex data of the model “{}”", model.name);
        let limit = context.limits().max_buffer_size;
        GpuError::check(what, size.saturating_mul(size_of::<GxVertex>() as u64), limit, "bytes")?;
        let stream: Vec<GxVertex> = model.meshes.iter().flat_map(vertices).collect();
        let stream = context.scoped(&what(), || {
            filled(context, "texture generators", bytemuck::cast_slice(&stream), wgpu::BufferUsages::VERTEX)
        })?;
        let programs = surfaces.iter().map(|surface| {
            let material = model.materials.get(surface.material as usize)?.tev()?;
            let traits = MeshTraits::of(model.meshes.get(surface.mesh as usize)?);
            Some(SurfacePrograms(
                [(false, false), (true, false), (false, true), (true, true)]
                    .map(|(lit, fog)| context.program(ProgramKey::new(material, traits, Scene { lit, fog }))),
            ))
        });
        let bounds = model.bounds();
        let sphere = (bounds.center(), (bounds.diagonal() * 0.5).max(1e-3));
        Ok(Some(Self {
            stream,
            textures: textures?,
            groups: TextureGroups::default(),
            programs: programs.collect(),
            sphere,
        }))
    }
}

fn vertices(mesh: &Mesh) -> impl Iterator<Item = GxVertex> {
    let finite = |v: f32| if v.is_finite() { v } else { 0.0 };
    let vector = move |v: Vec3| v.to_array().map(finite);
    (0..mesh.vertex_count()).map(move |index| {
        let [binormal, tangent] = mesh.tangents.get(index).copied().unwrap_or_default().map(vector);
        GxVertex {
            position: vector(mesh.position(index)),
            normal: vector(mesh.normals.get(index).copied().unwrap_or_default()),
            binormal,
            tangent,
            second_color: mesh.second_colors.get(index).copied().unwrap_or([255; 4]),
            slots: mesh.texture_matrix_slots.get(index).copied().unwrap_or([0xFF; 8]),
            uvs: std::array::from_fn(|set| {
                let uv = mesh.uv_sets.get(set).and_then(|set| set.get(index));
                uv.map_or([0.0; 2], |uv| uv.to_array().map(finite))
            }),
        }
    })
}
