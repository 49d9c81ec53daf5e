//! How data reaches the shaders: bind groups, vertex streams, and what lies in them.

use super::{GpuContext, GpuError};
use bytemuck::{Pod, Zeroable};
use wgpu::{BufferBindingType as Buffer, ShaderStages as Stages};

/// A vertex of the base stream, 32 bytes; texture coordinates lie in streams of their own, one for each set.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Vertex {
    pub position: [f32; 3],
    /// Unit vector on an octahedron unfolded to a square.
    pub normal: [i16; 2],
    pub color: [u8; 4],
    /// First influence and their number, with [`super::geometry::SOURCED`] where they have sources.
    pub run: [u32; 2],
    /// What morphs move.
    pub point: u32,
}

/// A drawn copy of a model; 80 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Instance {
    /// Rows of `world_from_model`.
    pub world: [f32; 12],
    pub palette_first: u32,
    pub joint_count: u32,
    /// `u32::MAX`: not morphed.
    pub morph_first: u32,
    /// First record of one frame of the model's vertex frames; `u32::MAX`: points are where the vertices have them.
    pub frame_from: u32,
    /// And of the frame that follows.
    pub frame_to: u32,
    /// How far between them.
    pub frame_blend: f32,
    pub point_count: u32,
    /// First matrix of the selected joint's shares; `u32::MAX`: influences name joints themselves.
    pub shares_first: u32,
}

/// What [`Vertex`] lacks of a vertex whose material has the chip's whole state, 124 bytes; all as the file has it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct GxVertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub binormal: [f32; 3],
    pub tangent: [f32; 3],
    pub second_color: [u8; 4],
    /// Texture-matrix slots; 255 for the material's own.
    pub slots: [u8; 8],
    pub uvs: [[f32; 2]; 8],
}

/// A bone of the skeleton overlay.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Bone {
    pub head: [f32; 3],
    pub flags: u32,
    pub tail: [f32; 3],
    pub radius: f32,
}

/// A joint of the skeleton overlay.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Dot {
    pub position: [f32; 3],
    pub flags: u32,
}

/// A line of the overlay.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct LineData {
    pub from: [f32; 3],
    pub color: [u8; 4],
    pub to: [f32; 3],
    /// In pixels.
    pub width: f32,
}

/// What a surface's shader knows of its material.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct MaterialData {
    pub base: [f32; 4],
    pub traits: [u32; 4],
    pub motion: [f32; 4],
}

pub(super) const VERTEX_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Vertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Snorm16x2, 2 => Unorm8x4, 3 => Uint32x2, 4 => Uint32],
};

pub(super) const UV_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 8,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![5 => Float32x2],
};

/// Coordinates of baked light, or marks: zones, kinds of lists.
pub(super) const SECOND_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 8,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![6 => Float32x2],
};

pub(super) const GX_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<GxVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![
        5 => Float32x3, 6 => Float32x3, 7 => Float32x3, 8 => Float32x3, 9 => Unorm8x4, 10 => Uint8x4, 11 => Uint8x4,
        12 => Float32x4, 13 => Float32x4, 14 => Float32x4, 15 => Float32x4
    ],
};

pub(super) const LINE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<LineData>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4, 2 => Float32x3, 3 => Float32],
};

pub(super) const BONE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Bone>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Uint32, 2 => Float32x3, 3 => Float32],
};

pub(super) const JOINT_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Dot>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Uint32],
};

/// Bind group and pipeline layouts, made once.
pub(super) struct Layouts {
    /// Group 0: globals; with skinning on the device also palette, instances and morphs.
    pub globals: wgpu::BindGroupLayout,
    /// Group 1 of surfaces: influences, vertex frames and sources of influences. `None` where the CPU skins.
    pub influences: Option<wgpu::BindGroupLayout>,
    /// Group 2 of surfaces: material, texture, sampler, baked light, its sampler.
    pub material: wgpu::BindGroupLayout,
    /// Group 2 of materials with the chip's whole state: their block, by an offset.
    pub block: wgpu::BindGroupLayout,
    /// Group 3 of those: eight textures and their samplers.
    pub maps: wgpu::BindGroupLayout,
    /// Group 1 of the floor: the shadow.
    pub shadow_map: wgpu::BindGroupLayout,
    pub plain_pipeline: wgpu::PipelineLayout,
    pub surface_pipeline: wgpu::PipelineLayout,
    pub tev_pipeline: wgpu::PipelineLayout,
    pub shadow_map_pipeline: wgpu::PipelineLayout,
}

fn buffer(binding: u32, visibility: Stages, ty: Buffer) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

fn texture(binding: u32) -> [wgpu::BindGroupLayoutEntry; 2] {
    let picture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    [(binding, picture), (binding + 1, sampler)].map(|(binding, ty)| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: Stages::FRAGMENT,
        ty,
        count: None,
    })
}

impl Layouts {
    pub fn new(context: &GpuContext) -> Result<Self, GpuError> {
        context.scoped("bind group layouts", || Self::make(context))
    }

    fn make(context: &GpuContext) -> Self {
        let device = context.device();
        let group = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let pipeline = |groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let skins = context.skins_on_gpu();
        let stored = Buffer::Storage { read_only: true };
        let skinning = Stages::VERTEX | Stages::COMPUTE;
        let mut entries = vec![buffer(0, Stages::VERTEX_FRAGMENT | Stages::COMPUTE, Buffer::Uniform)];
        if skins {
            entries.extend((1..=3).map(|binding| buffer(binding, skinning, stored)));
        }
        let globals = group("globals", &entries);
        let influences =
            skins.then(|| group("influences", &[0, 1, 2].map(|binding| buffer(binding, skinning, stored))));
        let ([picture, sampler], [light, light_sampler]) = (texture(1), texture(3));
        let uniform = buffer(0, Stages::FRAGMENT, Buffer::Uniform);
        let material = group("material", &[uniform, picture, sampler, light, light_sampler]);
        let shadow_map = group("shadow map", &texture(0));
        let block = wgpu::BindGroupLayoutEntry {
            ty: wgpu::BindingType::Buffer {
                ty: Buffer::Uniform,
                has_dynamic_offset: true,
                min_binding_size: wgpu::BufferSize::new(size_of::<TevBlock>() as u64),
            },
            ..buffer(0, Stages::VERTEX_FRAGMENT, Buffer::Uniform)
        };
        let block = group("block", &[block]);
        let maps = (0..8).map(|slot| texture(slot)[0]);
        let samplers = (0..8).map(|slot| wgpu::BindGroupLayoutEntry { binding: slot + 8, ..texture(slot)[1] });
        let maps = group("texture maps", &maps.chain(samplers).collect::<Vec<_>>());
        Self {
            plain_pipeline: pipeline(&[Some(&globals)]),
            surface_pipeline: pipeline(&[Some(&globals), influences.as_ref(), Some(&material)]),
            tev_pipeline: pipeline(&[Some(&globals), influences.as_ref(), Some(&block), Some(&maps)]),
            shadow_map_pipeline: pipeline(&[Some(&globals), Some(&shadow_map)]),
            block,
            maps,
            globals,
            influences,
            material,
            shadow_map,
        }
    }
}

/// Folds a unit vector to the square that `unfolded` in `shaders/octahedron.wgsl` opens.
pub(super) fn folded(normal: glam::Vec3) -> [i16; 2] {
    let sum = normal.x.abs() + normal.y.abs() + normal.z.abs();
    if !sum.is_finite() || sum <= 0.0 {
        return [0, i16::MAX];
    }
    let (x, y) = (normal.x / sum, normal.y / sum);
    let sign = |v: f32| if v >= 0.0 { 1.0 } else { -1.0 };
    let (x, y) = if normal.z < 0.0 { ((1.0 - y.abs()) * sign(x), (1.0 - x.abs()) * sign(y)) } else { (x, y) };
    [x, y].map(|v| (v * 32767.0).round() as i16)
}

/// Rows of a matrix.
type Rows = [[f32; 4]; 3];

/// A lamp; mirrors `shaders/tev.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct LampData {
    pub position: [f32; 4],
    pub direction: [f32; 4],
    pub color: [f32; 4],
    pub angle: [f32; 4],
    pub reach: [f32; 4],
}

/// The uniform of one material in one picture; mirrors `shaders/tev.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct TevBlock {
    pub registers: [[i32; 4]; 3],
    pub konst: [[i32; 4]; 4],
    pub material: [[i32; 4]; 2],
    pub ambient: [[i32; 4]; 2],
    pub lamps: [LampData; 8],
    pub texgens: [Rows; 8],
    pub slots: [Rows; 10],
    pub slot_steps: [[u32; 4]; 10],
    pub indirect: [[i32; 4]; 6],
    pub indirect_lookups: [[f32; 4]; 4],
    pub lookups: [[f32; 4]; 16],
    pub coords: [[f32; 4]; 8],
    pub maps: [[f32; 4]; 8],
    pub nbt_scale: [f32; 4],
    pub fog_color: [i32; 4],
    pub fog: [f32; 4],
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn unfolded(square: [i16; 2]) -> Vec3 {
        let [x, y] = square.map(|v| f32::from(v) / 32767.0);
        let z = 1.0 - x.abs() - y.abs();
        let under = (-z).max(0.0);
        let toward = |v: f32| if v >= 0.0 { v - under } else { v + under };
        Vec3::new(toward(x), toward(y), z).normalize_or_zero()
    }

    #[test]
    fn normals_keep_their_direction_within_a_hundredth_of_a_degree() {
        for step in 0..20_000_u32 {
            let height = 1.0 - (step as f32 + 0.5) / 10_000.0;
            let turn = step as f32 * 2.399_963;
            let ring = (1.0 - height * height).max(0.0).sqrt();
            let normal = Vec3::new(ring * turn.cos(), ring * turn.sin(), height);
            let angle = (unfolded(folded(normal)) - normal).length();
            assert!(angle < 0.01_f32.to_radians(), "{normal} {angle}");
        }
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            assert_eq!(unfolded(folded(axis)), axis);
            assert_eq!(unfolded(folded(-axis)), -axis);
        }
    }

    #[test]
    fn what_is_no_direction_becomes_up() {
        for normal in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY] {
            assert_eq!(unfolded(folded(normal)), Vec3::Y);
        }
    }

    #[test]
    fn streams_are_as_small_as_promised() {
        assert!(size_of::<Vertex>() + 8 <= 40);
        assert_eq!(size_of::<Instance>(), 80);
    }
}
