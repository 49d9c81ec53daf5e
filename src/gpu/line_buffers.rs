//! Lines on the device: those of one picture, and those that stay from picture to picture.

use super::buffers::GrowableBuffer;
use super::layouts::LineData;
use super::{GpuContext, GpuError, Line};
use std::sync::Arc;

/// The lines of one picture.
pub(super) struct LineBuffers(Lines);

/// Lines that stay from picture to picture. They belong to a level, and go with it.
#[derive(Default)]
pub(super) struct KeptLines {
    kept: Vec<Kept>,
    writes: u64,
}

/// Lines that surfaces hide, and after them those that nothing hides.
struct Lines {
    buffer: GrowableBuffer,
    counts: [u32; 2],
}

struct Kept {
    lines: Lines,
    /// What is there. Held, so that its address stays its own.
    of: Arc<[Line]>,
}

impl LineBuffers {
    pub fn new() -> Self {
        Self(Lines::new())
    }

    /// Puts the lines of a picture on the device. Says how many there are that surfaces hide, and that nothing hides.
    pub fn write(&mut self, context: &GpuContext, lines: [&[Line]; 2]) -> Result<[u32; 2], GpuError> {
        self.0.write(context, lines)?;
        Ok(self.0.counts)
    }

    /// Draws those that surfaces hide, or those that nothing hides.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, over: bool) {
        self.0.draw(pass, over);
    }
}

impl KeptLines {
    /// Puts on the device those that are others than in the last picture, and takes off it those that are there no longer.
    pub fn write(&mut self, context: &GpuContext, wanted: &[Arc<[Line]>]) -> Result<(), GpuError> {
        let mut known = std::mem::take(&mut self.kept).into_iter();
        for lines in wanted {
            let kept = match known.next() {
                Some(kept) if Arc::ptr_eq(&kept.of, lines) => kept,
                other => {
                    let mut written = other.map_or_else(Lines::new, |other| other.lines);
                    written.write(context, [lines, &[]])?;
                    self.writes = self.writes.wrapping_add(1);
                    Kept { lines: written, of: lines.clone() }
                }
            };
            self.kept.push(kept);
        }
        Ok(())
    }

    /// How often lines were put on the device.
    pub fn writes(&self) -> u64 {
        self.writes
    }

    /// How many there are that surfaces hide, and that nothing hides.
    pub fn counts(&self) -> [u32; 2] {
        let counts = self.kept.iter().map(|kept| kept.lines.counts);
        counts.fold([0; 2], |[a, b], [c, d]| [a.saturating_add(c), b.saturating_add(d)])
    }

    /// Draws those that surfaces hide, or those that nothing hides.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, over: bool) {
        for Kept { lines, .. } in &self.kept {
            lines.draw(pass, over);
        }
    }
}

impl Lines {
    fn new() -> Self {
        Self { buffer: GrowableBuffer::new("lines", wgpu::BufferUsages::VERTEX), counts: [0; 2] }
    }

    fn write(&mut self, context: &GpuContext, lines: [&[Line]; 2]) -> Result<(), GpuError> {
        self.counts = [0; 2];
        let of = |over: bool| lines.into_iter().flatten().filter(move |line| line.over == over).map(Line::data);
        let mut data: Vec<LineData> = of(false).collect();
        let hidden = data.len();
        data.extend(of(true));
        self.buffer.write(context, bytemuck::cast_slice(&data), u64::MAX)?;
        self.counts = [hidden as u32, (data.len() - hidden) as u32];
        Ok(())
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, over: bool) {
        let Self { buffer, counts: [hidden, in_front] } = self;
        let range = if over { *hidden..hidden.saturating_add(*in_front) } else { 0..*hidden };
        if let Some(buffer) = buffer.buffer.as_ref().filter(|_| !range.is_empty()) {
            pass.set_vertex_buffer(0, buffer.slice(..));
            pass.draw(0..4, range);
        }
    }
}
