//! Lines on the device: those of one picture, and those that stay from picture to picture.

use super::buffers::GrowableBuffer;
use super::layouts::LineData;
use super::{GpuContext, GpuError, Line};
use std::sync::Arc;

/// The lines of a picture.
pub(super) struct LineBuffers {
    own: Lines,
    kept: Vec<Kept>,
    /// How many of the kept ones the present picture shows.
    shown: usize,
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
        Self { own: Lines::new(), kept: Vec::new(), shown: 0 }
    }

    /// Puts the lines of a picture on the device; of the `kept` ones those that are others than in the last picture. Says how
    /// many there are that surfaces hide, and that nothing hides.
    pub fn write(
        &mut self,
        context: &GpuContext,
        own: [&[Line]; 2],
        kept: &[Arc<[Line]>],
    ) -> Result<[u32; 2], GpuError> {
        self.own.write(context, own)?;
        self.shown = 0;
        for (place, lines) in kept.iter().enumerate() {
            match self.kept.get_mut(place) {
                Some(known) if Arc::ptr_eq(&known.of, lines) => {}
                Some(known) => {
                    known.lines.write(context, [lines, &[]])?;
                    known.of = lines.clone();
                }
                None => {
                    let mut written = Lines::new();
                    written.write(context, [lines, &[]])?;
                    self.kept.push(Kept { lines: written, of: lines.clone() });
                }
            }
            self.shown = place + 1;
        }
        let mut sum = [0_u32; 2];
        for lines in self.all() {
            sum = [sum[0].saturating_add(lines.counts[0]), sum[1].saturating_add(lines.counts[1])];
        }
        Ok(sum)
    }

    fn all(&self) -> impl Iterator<Item = &Lines> {
        self.kept.iter().take(self.shown).map(|kept| &kept.lines).chain([&self.own])
    }

    /// Draws those that surfaces hide, or those that nothing hides.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, over: bool) {
        for Lines { buffer, counts: [hidden, in_front] } in self.all() {
            let range = if over { *hidden..hidden.saturating_add(*in_front) } else { 0..*hidden };
            if let Some(buffer) = buffer.buffer.as_ref().filter(|_| !range.is_empty()) {
                pass.set_vertex_buffer(0, buffer.slice(..));
                pass.draw(0..4, range);
            }
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
}
