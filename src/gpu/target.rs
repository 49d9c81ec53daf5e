use super::outline_mask::OutlineMask;
use super::{GpuContext, GpuError};
use crate::scene::Image;
use std::sync::Arc;
use std::time::Duration;

/// The one colour format: gamma values, shown and saved as they are.
pub(super) const COLOR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Longest wait for a picture, in seconds; software devices take long over large ones.
const READ_TIMEOUT_SECS: u64 = 60;

/// How the window shows a target: pixel for pixel.
pub const WINDOW_FILTER: wgpu::FilterMode = wgpu::FilterMode::Nearest;

/// A picture to draw into, with its own depth and its samples resolved. Where the background is transparent its colours are
/// premultiplied, as a window's compositor wants them.
pub struct RenderTarget {
    context: Arc<GpuContext>,
    width: u32,
    height: u32,
    samples: u32,
    color: wgpu::Texture,
    color_view: wgpu::TextureView,
    samples_view: Option<wgpu::TextureView>,
    depth_view: wgpu::TextureView,
    /// There while something is outlined.
    pub(super) outline: Option<OutlineMask>,
}

impl RenderTarget {
    /// A target of at least 1 × 1 pixels. `samples` a pixel: 1, or 4 for anything above.
    pub fn new(context: &Arc<GpuContext>, width: u32, height: u32, samples: u32) -> Result<Self, GpuError> {
        let (width, height) = (width.max(1), height.max(1));
        let samples = if samples > 1 { 4 } else { 1 };
        let limit = u64::from(context.limits().max_texture_dimension_2d);
        let longest = u64::from(width.max(height));
        GpuError::check(|| format!("an image of {width} × {height}"), longest, limit, "pixels on the longer side")?;
        let device = context.device();
        let texture = |label, format, samples, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let shown = attachment | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        context.scoped("render target textures", || {
            let color = texture("target", COLOR_FORMAT, 1, shown);
            let samples_view = (samples > 1).then(|| view_of(&texture("samples", COLOR_FORMAT, samples, attachment)));
            let depth_view = view_of(&texture("depth", DEPTH_FORMAT, samples, attachment));
            let color_view = view_of(&color);
            let context = context.clone();
            Self { context, width, height, samples, color, color_view, samples_view, depth_view, outline: None }
        })
    }

    /// Takes another size; `true` when that changed the texture, so that whoever shows it has to be told.
    pub fn resize(&mut self, width: u32, height: u32) -> Result<bool, GpuError> {
        if (width.max(1), height.max(1)) == self.size() {
            return Ok(false);
        }
        *self = Self::new(&self.context, width, height, self.samples)?;
        Ok(true)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Samples a pixel.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// The resolved picture.
    pub fn color_view(&self) -> &wgpu::TextureView {
        &self.color_view
    }

    pub(super) fn context(&self) -> &Arc<GpuContext> {
        &self.context
    }

    /// The resolved picture's texture.
    pub(super) fn color(&self) -> &wgpu::Texture {
        &self.color
    }

    /// What passes draw into, and what it is resolved into.
    pub(super) fn attachments(&self) -> (&wgpu::TextureView, Option<&wgpu::TextureView>, &wgpu::TextureView) {
        match &self.samples_view {
            Some(samples) => (samples, Some(&self.color_view), &self.depth_view),
            None => (&self.color_view, None, &self.depth_view),
        }
    }

    /// Fetches the picture: waits until it is drawn. Alpha is not premultiplied.
    pub fn read(&self) -> Result<Image, GpuError> {
        let row_bytes = self.width * 4;
        let pitch = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let size = u64::from(pitch) * u64::from(self.height);
        GpuError::check(|| "the image".into(), size, self.context.limits().max_buffer_size, "bytes")?;
        let copy = |encoder: &mut wgpu::CommandEncoder, buffer: &wgpu::Buffer| {
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(pitch),
                rows_per_image: Some(self.height),
            };
            encoder.copy_texture_to_buffer(
                self.color.as_image_copy(),
                wgpu::TexelCopyBufferInfo { buffer, layout },
                self.color.size(),
            );
        };
        let bytes = read_bytes(&self.context, size, copy)?;
        let mut rgba = Vec::with_capacity(row_bytes as usize * self.height as usize);
        for row in bytes.chunks(pitch as usize) {
            rgba.extend_from_slice(&row[..row_bytes as usize]);
        }
        for pixel in rgba.chunks_exact_mut(4) {
            straighten(pixel);
        }
        Ok(Image {
            name: String::new(),
            width: self.width,
            height: self.height,
            rgba: rgba.into(),
            stored_as: "rendered".into(),
        })
    }
}

fn view_of(texture: &wgpu::Texture) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Divides colour by alpha.
fn straighten(pixel: &mut [u8]) {
    if let [r, g, b, a] = pixel
        && *a < 255
    {
        let alpha = u32::from(*a);
        for channel in [r, g, b] {
            *channel = (u32::from(*channel) * 255 + alpha / 2).checked_div(alpha).unwrap_or(0).min(255) as u8;
        }
    }
}

/// Lets `copy` fill a buffer of `size` bytes and waits for them.
pub(super) fn read_bytes(
    context: &GpuContext,
    size: u64,
    copy: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::Buffer),
) -> Result<Vec<u8>, GpuError> {
    if context.is_lost() {
        return Err(GpuError::Lost);
    }
    // Nothing can be waited for there.
    if cfg!(target_arch = "wasm32") {
        return Err(GpuError::ReadBack("readback is not supported in browsers".into()));
    }
    let device = context.device();
    let buffer = context.scoped("readback buffer", || {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("readback"),
            size,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        })
    })?;
    let submission = context.scoped("readback", || {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("readback") });
        copy(&mut encoder, &buffer);
        context.queue().submit([encoder.finish()])
    })?;
    let (sender, receiver) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        let _ = sender.send(result);
    });
    let failed = |reason: String| if context.probe() { GpuError::ReadBack(reason) } else { GpuError::Lost };
    let wait = wgpu::PollType::Wait {
        submission_index: Some(submission),
        timeout: Some(Duration::from_secs(READ_TIMEOUT_SECS)),
    };
    device.poll(wait).map_err(|e| failed(e.to_string()))?;
    match receiver.try_recv() {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(failed(error.to_string())),
        Err(_) => return Err(failed("the device did not respond".into())),
    }
    let bytes = buffer.get_mapped_range(..).map_err(|e| failed(e.to_string()))?.to_vec();
    buffer.unmap();
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_out_straight() {
        for (stored, read) in [
            ([10, 20, 30, 255], [10, 20, 30, 255]),
            ([50, 100, 0, 128], [100, 199, 0, 128]),
            ([200, 0, 0, 100], [255, 0, 0, 100]),
            ([9, 9, 9, 0], [0, 0, 0, 0]),
        ] {
            let mut pixel = stored;
            straighten(&mut pixel);
            assert_eq!(pixel, read);
        }
    }
}
