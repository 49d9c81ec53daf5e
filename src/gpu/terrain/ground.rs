//! The ground on the device.

use super::super::{GpuContext, GpuError};
use super::data::TerrainData;
use super::patches::Patches;
use super::relief::{self, ReliefTexel};
use super::resources::TerrainResources;
use crate::scene::HeightGrid;

/// Bytes written to a texture at once.
const MAX_AT_ONCE: usize = 32 << 20;

pub(super) struct Ground {
    /// `None` without a single square of ground.
    pub patches: Option<Patches>,
    pub uniform: wgpu::Buffer,
    /// Bind group 1 of everything about the landscape.
    pub group: wgpu::BindGroup,
}

impl Ground {
    /// # Errors
    /// When the grid is more than the device can hold.
    pub fn new(context: &GpuContext, resources: &TerrainResources, grid: &HeightGrid) -> Result<Self, GpuError> {
        let (columns, rows) = (grid.columns, grid.rows);
        let limit = u64::from(context.limits().max_texture_dimension_2d);
        let what = || format!("the ground of {columns} × {rows} heights");
        GpuError::check(what, u64::from(columns.max(rows)), limit, "heights on the longer side")?;
        let heights = relief::bridged(grid);
        let patches = Patches::new(grid, &heights);
        context.scoped(&what(), || {
            let (heights_view, relief_view) = match &patches {
                Some(_) => (height_texture(context, grid, &heights), relief_texture(context, grid, heights)),
                None => {
                    let flat = HeightGrid { columns: 1, rows: 1, cell: 1.0, heights: [0.0].into() };
                    (height_texture(context, &flat, &[0.0]), relief_texture(context, &flat, vec![0.0]))
                }
            };
            let device = context.device();
            let uniform = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("terrain"),
                size: size_of::<TerrainData>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
            let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("terrain"),
                layout: &resources.layout,
                entries: &[
                    entry(0, uniform.as_entire_binding()),
                    entry(1, wgpu::BindingResource::TextureView(&heights_view)),
                    entry(2, wgpu::BindingResource::TextureView(&relief_view)),
                    entry(3, wgpu::BindingResource::TextureView(&resources.ramp)),
                    entry(4, wgpu::BindingResource::Sampler(&resources.smooth)),
                ],
            });
            Self { patches, uniform, group }
        })
    }
}

fn texture(
    context: &GpuContext,
    label: &str,
    size: (u32, u32),
    levels: u32,
    format: wgpu::TextureFormat,
) -> wgpu::Texture {
    context.device().create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

/// Writes a level in bands of rows, so that no copy of the whole of it is made on the way.
fn write<T: bytemuck::Pod>(context: &GpuContext, texture: &wgpu::Texture, mip_level: u32, width: u32, texels: &[T]) {
    let row = width as usize * size_of::<T>();
    let rows = (MAX_AT_ONCE / row.max(1)).max(1);
    for (band, texels) in texels.chunks(rows * width as usize).enumerate() {
        let height = (texels.len() / width as usize) as u32;
        let origin = wgpu::Origin3d { x: 0, y: (band * rows) as u32, z: 0 };
        context.queue().write_texture(
            wgpu::TexelCopyTextureInfo { mip_level, origin, ..texture.as_image_copy() },
            bytemuck::cast_slice(texels),
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row as u32), rows_per_image: Some(height) },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
    }
}

fn height_texture(context: &GpuContext, grid: &HeightGrid, heights: &[f32]) -> wgpu::TextureView {
    let format = wgpu::TextureFormat::R32Float;
    let texture = texture(context, "heights", (grid.columns, grid.rows), 1, format);
    write(context, &texture, 0, grid.columns, heights);
    texture.create_view(&Default::default())
}

fn relief_texture(context: &GpuContext, grid: &HeightGrid, mut heights: Vec<f32>) -> wgpu::TextureView {
    let (mut width, mut height) = (grid.columns as usize, grid.rows as usize);
    let levels = width.max(height).ilog2() + 1;
    let format = wgpu::TextureFormat::Rgba16Float;
    let texture = texture(context, "relief", (grid.columns, grid.rows), levels, format);
    write::<ReliefTexel>(context, &texture, 0, grid.columns, &relief::relief(grid, &heights));
    for level in 1..levels {
        heights = relief::halved(&heights, width, height);
        (width, height) = ((width / 2).max(1), (height / 2).max(1));
        let cell = [(grid.columns as usize, width), (grid.rows as usize, height)]
            .map(|(samples, texels)| grid.cell * samples as f32 / texels as f32);
        write(context, &texture, level, width as u32, &relief::slopes(&heights, width, height, cell));
    }
    texture.create_view(&Default::default())
}
