//! Pictures on the device, with their mipmaps.

use super::{GpuContext, GpuError};
use crate::scene::Image;
use std::sync::Arc;

/// A texture with all its levels. Fails when the picture is larger than the device's textures; a picture without pixels or
/// with too few bytes is `None`.
pub(super) fn upload(context: &GpuContext, image: &Image) -> Result<Option<wgpu::TextureView>, GpuError> {
    let (width, height) = (image.width, image.height);
    let limit = u64::from(context.limits().max_texture_dimension_2d);
    let what = || format!("the texture “{}” ({width} × {height})", image.name);
    GpuError::check(what, u64::from(width.max(height)), limit, "pixels on the longer side")?;
    if width == 0 || height == 0 || image.rgba.len() as u64 != u64::from(width) * u64::from(height) * 4 {
        return Ok(None);
    }
    context.scoped(&format!("the texture “{}”", image.name), || Some(write(context, width, height, &image.rgba)))
}

/// A texture with the levels that its pictures give, the largest first; levels after one of a wrong size are left out. `None`
/// without any.
pub(super) fn upload_levels(
    context: &GpuContext,
    levels: &[Arc<Image>],
) -> Result<Option<wgpu::TextureView>, GpuError> {
    let Some(first) = levels.first() else { return Ok(None) };
    let limit = u64::from(context.limits().max_texture_dimension_2d);
    let what = || format!("the texture “{}” ({} × {})", first.name, first.width, first.height);
    GpuError::check(what, u64::from(first.width.max(first.height)), limit, "pixels on the longer side")?;
    let size_of = |level: usize| {
        let halved = |length: u32| length.checked_shr(level as u32).unwrap_or(0).max(1);
        (halved(first.width), halved(first.height))
    };
    let fits = |(level, image): &(usize, &Arc<Image>)| {
        (image.width, image.height) == size_of(*level)
            && image.rgba.len() as u64 == u64::from(image.width) * u64::from(image.height) * 4
    };
    let most = first.width.max(first.height).max(1).ilog2() as usize + 1;
    let count = levels.iter().enumerate().take(most).take_while(fits).count();
    if count == 0 || first.width == 0 || first.height == 0 {
        return Ok(None);
    }
    context.scoped(&format!("the texture “{}”", first.name), || {
        let texture = make(context, first.width, first.height, count as u32);
        for (level, image) in levels.iter().take(count).enumerate() {
            write_level(context, &texture, level as u32, (image.width, image.height), &image.rgba);
        }
        Some(texture.create_view(&wgpu::TextureViewDescriptor::default()))
    })
}

/// One white texel, where there is no texture.
pub(super) fn white(context: &GpuContext) -> wgpu::TextureView {
    write(context, 1, 1, &[255; 4])
}

fn make(context: &GpuContext, width: u32, height: u32, levels: u32) -> wgpu::Texture {
    context.device().create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

fn write_level(
    context: &GpuContext,
    texture: &wgpu::Texture,
    mip_level: u32,
    (width, height): (u32, u32),
    rgba: &[u8],
) {
    context.queue().write_texture(
        wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
        rgba,
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: Some(height) },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
}

fn write(context: &GpuContext, width: u32, height: u32, rgba: &[u8]) -> wgpu::TextureView {
    let levels = width.max(height).ilog2() + 1;
    let texture = make(context, width, height, levels);
    let (mut width, mut height) = (width, height);
    let mut owned: Vec<u8>;
    let mut level: &[u8] = rgba;
    for mip_level in 0..levels {
        write_level(context, &texture, mip_level, (width, height), level);
        if mip_level + 1 < levels {
            owned = halved(level, width as usize, height as usize);
            level = &owned;
            (width, height) = ((width / 2).max(1), (height / 2).max(1));
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// A picture with its smaller levels, down to one texel.
pub(super) fn levels_of(width: u32, height: u32, rgba: Vec<u8>) -> Vec<Vec<u8>> {
    let (mut width, mut height) = (width.max(1) as usize, height.max(1) as usize);
    let mut levels = vec![rgba];
    while width.max(height) > 1 {
        let Some(last) = levels.last() else { break };
        levels.push(halved(last, width, height));
        (width, height) = ((width / 2).max(1), (height / 2).max(1));
    }
    levels
}

/// Puts another picture with all its levels in the place of a texture's own; one of another size is left out.
pub(super) fn replace(context: &GpuContext, texture: &wgpu::Texture, levels: &[Vec<u8>]) {
    let (mut width, mut height) = (texture.width(), texture.height());
    for (level, rgba) in (0..texture.mip_level_count()).zip(levels) {
        if rgba.len() as u64 != u64::from(width) * u64::from(height) * 4 {
            return;
        }
        write_level(context, texture, level, (width, height), rgba);
        (width, height) = ((width / 2).max(1), (height / 2).max(1));
    }
}

/// The next smaller level: each texel the mean of up to four, gamma values as they are.
fn halved(rgba: &[u8], width: usize, height: usize) -> Vec<u8> {
    let (half_width, half_height) = ((width / 2).max(1), (height / 2).max(1));
    let mut out = Vec::with_capacity(half_width * half_height * 4);
    for y in 0..half_height {
        let (top, bottom) = (y * 2, (y * 2 + 1).min(height - 1));
        for x in 0..half_width {
            let (left, right) = (x * 2, (x * 2 + 1).min(width - 1));
            for channel in 0..4 {
                let at = |x: usize, y: usize| u32::from(rgba[(y * width + x) * 4 + channel]);
                let sum = at(left, top) + at(right, top) + at(left, bottom) + at(right, bottom);
                out.push(((sum + 2) / 4) as u8);
            }
        }
    }
    out
}

/// Repeating, with or without filtering.
pub(super) fn sampler(context: &GpuContext, nearest: bool) -> wgpu::Sampler {
    let filter = if nearest { wgpu::FilterMode::Nearest } else { wgpu::FilterMode::Linear };
    let between = if nearest { wgpu::MipmapFilterMode::Nearest } else { wgpu::MipmapFilterMode::Linear };
    context.device().create_sampler(&wgpu::SamplerDescriptor {
        label: Some(if nearest { "nearest" } else { "smooth" }),
        address_mode_u: wgpu::AddressMode::Repeat,
        address_mode_v: wgpu::AddressMode::Repeat,
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter: between,
        // Costs much on the CPU, little elsewhere; needs every filter to be linear.
        anisotropy_clamp: if nearest || context.is_software() { 1 } else { 8 },
        ..Default::default()
    })
}

/// Smooth, ending at the picture's edge.
pub(super) fn clamped_sampler(context: &GpuContext) -> wgpu::Sampler {
    context.device().create_sampler(&wgpu::SamplerDescriptor {
        label: Some("clamped"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_means() {
        let texels: Vec<u8> = [0, 100, 200, 40].iter().flat_map(|v| [*v, 0, 255, 9]).collect();
        assert_eq!(halved(&texels, 2, 2), [85, 0, 255, 9]);
        assert_eq!(halved(&texels, 4, 1), [50, 0, 255, 9, 120, 0, 255, 9]);
        assert_eq!(halved(&texels[..12], 1, 3), [50, 0, 255, 9]);
    }
}
