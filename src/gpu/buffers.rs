//! Buffers on the device: filled once, or growing from picture to picture.

use super::{GpuContext, GpuError};

/// A buffer with these bytes; of 32 bytes at least, so that it can be bound when there are none.
pub(super) fn filled(context: &GpuContext, label: &str, bytes: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let buffer = context.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: (bytes.len() as u64).max(32),
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    if !bytes.is_empty() {
        context.queue().write_buffer(&buffer, 0, bytes);
    }
    buffer
}

/// A buffer that becomes larger when it must.
pub(super) struct GrowableBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    pub buffer: Option<wgpu::Buffer>,
}

impl GrowableBuffer {
    pub fn new(label: &'static str, usage: wgpu::BufferUsages) -> Self {
        Self { label, usage: usage | wgpu::BufferUsages::COPY_DST, buffer: None }
    }

    /// Makes room; `true` when that replaced the buffer, whose content is lost then.
    pub fn reserve(&mut self, context: &GpuContext, size: u64, limit: u64) -> Result<bool, GpuError> {
        let limit = limit.min(context.limits().max_buffer_size);
        GpuError::check(|| format!("the buffer “{}”", self.label), size, limit, "bytes")?;
        if self.buffer.as_ref().is_some_and(|buffer| buffer.size() >= size) {
            return Ok(false);
        }
        // Room for a half more, in whole matrices.
        let size = (size + size / 2).next_multiple_of(192).max(192).min(limit / 192 * 192).max(size);
        let buffer = context.scoped("scene buffers", || {
            context.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size,
                usage: self.usage,
                mapped_at_creation: false,
            })
        })?;
        self.buffer = Some(buffer);
        Ok(true)
    }

    /// Writes from the start; `true` when that replaced the buffer.
    pub fn write(&mut self, context: &GpuContext, bytes: &[u8], limit: u64) -> Result<bool, GpuError> {
        let grown = self.reserve(context, bytes.len() as u64, limit)?;
        if let Some(buffer) = self.buffer.as_ref().filter(|_| !bytes.is_empty()) {
            context.queue().write_buffer(buffer, 0, bytes);
        }
        Ok(grown)
    }
}
