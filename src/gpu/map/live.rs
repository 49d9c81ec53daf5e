//! Pictures of a level that change with time: the textures that its models share are written anew.

use super::simulating::{Ask, Worker};
use crate::gpu::model::Pictures;
use crate::gpu::texture;
use crate::gpu::{GpuContext, GpuError};
use crate::scene::{Aabb, FlipBook, LiveKind, LivePicture, Map, Model};
use std::{collections::HashMap, sync::Arc};

/// Frames that a computed texture goes on at once.
const MOST_STEPS: u64 = 2;

/// The same for a picture that is kept: a minute at the usual rate.
const MOST_STEPS_FOR_ONE: u64 = 1_800;

/// Frames of flip-books that are put on the device in one picture.
const MOST_UPLOADS: usize = 4;

/// Bytes of computed textures that are put on the device in one picture, and one picture more.
const MOST_BYTES: usize = 4 << 20;

/// The pictures of a level that change.
pub(super) struct LivePictures {
    list: Vec<Live>,
    /// Of each model, by where its pictures show: the number of the picture, and what is around the surfaces in the model's space.
    shown: Vec<Vec<(usize, Aabb)>>,
    /// Begun when first needed.
    worker: Option<Worker>,
}

/// One of them.
struct Live {
    picture: LivePicture,
    /// What the materials show; nothing where the still could not be put on the device.
    texture: Option<wgpu::Texture>,
    state: LiveState,
}

enum LiveState {
    /// Frames that are on the device, and the one that is shown.
    Book {
        frames: Vec<Option<wgpu::Texture>>,
        shown: usize,
    },
    Computed {
        at: u64,
        begun: bool,
        asked: bool,
        time: u64,
    },
}

impl LivePictures {
    /// `pictures` are those of the level's models.
    pub fn new(map: &Map, pictures: &Pictures) -> Self {
        let address = |live: &LivePicture| Arc::as_ptr(&live.still) as usize;
        let list: Vec<Live> = map.live.iter().map(|live| Live::new(live, pictures.get(&address(live)))).collect();
        let numbers: HashMap<usize, usize> = map.live.iter().map(address).zip(0..).collect();
        let shown = map.models.iter().map(|model| surfaces_of(model, &numbers)).collect();
        Self { list, shown, worker: None }
    }

    /// Where a model shows which.
    pub fn of_model(&self, model: u32) -> &[(usize, Aabb)] {
        self.shown.get(model as usize).map_or(&[], Vec::as_slice)
    }

    /// Brings those that are `seen` to a moment of the level, as far as that goes at once. `exact`: all the way.
    ///
    /// # Errors
    /// When the device refuses.
    pub fn follow(
        &mut self,
        context: &Arc<GpuContext>,
        seen: &[bool],
        seconds: f64,
        exact: bool,
    ) -> Result<(), GpuError> {
        let mut uploads = if exact { usize::MAX } else { MOST_UPLOADS };
        let mut encoder: Option<wgpu::CommandEncoder> = None;
        for (index, live) in self.list.iter_mut().enumerate() {
            if seen.get(index) != Some(&true) {
                continue;
            }
            let Live { picture, texture: Some(shown_in), state } = live else { continue };
            match (&picture.kind, state) {
                (LiveKind::FlipBook(book), LiveState::Book { frames, shown }) => {
                    let frame = frame_at(book, seconds);
                    if frame == *shown {
                        continue;
                    }
                    if let Some(from) = frame_on_device(context, book, frames, frame, &mut uploads)? {
                        let encoder =
                            encoder.get_or_insert_with(|| context.device().create_command_encoder(&Default::default()));
                        copy(encoder, &from, shown_in);
                        *shown = frame;
                    }
                }
                (LiveKind::Computed(what), LiveState::Computed { at, begun, asked, time }) => {
                    let due = (seconds * f64::from(what.rate_hz) + 1e-4).max(0.0) as u64;
                    let most = if exact { MOST_STEPS_FOR_ONE } else { MOST_STEPS };
                    // How far it is behind; time that jumps leaves it where it is.
                    let steps = due.saturating_sub(if exact { *at } else { *time }).min(most);
                    if *asked || (*begun && steps == 0) {
                        continue;
                    }
                    if self.worker.is_none() {
                        self.worker = Worker::start();
                    }
                    let steps = if *begun || exact { steps } else { 0 };
                    let ask = Ask { index, what: what.clone(), steps };
                    *asked = self.worker.as_ref().is_some_and(|worker| worker.ask(ask));
                    (*begun, *time) = (*asked, due);
                }
                _ => {}
            }
        }
        if let Some(encoder) = encoder {
            context.queue().submit([encoder.finish()]);
        }
        self.receive(context, exact);
        // Time that went back is waited for no longer.
        for live in &mut self.list {
            if let (LiveKind::Computed(what), LiveState::Computed { time, .. }) = (&live.picture.kind, &mut live.state)
            {
                *time = (*time).min((seconds * f64::from(what.rate_hz) + 1e-4).max(0.0) as u64);
            }
        }
        Ok(())
    }

    /// Puts on the device what was computed; `wait`s for all of it, or takes what is there.
    fn receive(&mut self, context: &GpuContext, wait: bool) {
        let Some(worker) = &self.worker else { return };
        let is_asked =
            |list: &[Live]| list.iter().any(|live| matches!(live.state, LiveState::Computed { asked: true, .. }));
        let mut bytes = 0;
        while is_asked(&self.list) && (wait || bytes < MOST_BYTES) {
            let received = if wait { worker.done.recv().ok() } else { worker.done.try_recv().ok() };
            let Some(done) = received else { return };
            bytes += done.levels.iter().map(Vec::len).sum::<usize>();
            let Some(live) = self.list.get_mut(done.index) else { continue };
            if let LiveState::Computed { at, asked, .. } = &mut live.state {
                (*at, *asked) = (done.frame, false);
            }
            if let Some(shown_in) = live.texture.as_ref().filter(|_| !done.levels.is_empty()) {
                texture::replace(context, shown_in, &done.levels);
            }
        }
    }
}

impl Live {
    fn new(picture: &LivePicture, view: Option<&Option<wgpu::TextureView>>) -> Self {
        let texture = view.and_then(Option::as_ref).map(|view| view.texture().clone());
        let state = match &picture.kind {
            LiveKind::FlipBook(book) => LiveState::Book { frames: vec![None; book.frames.len()], shown: 0 },
            LiveKind::Computed(_) => LiveState::Computed { at: 0, begun: false, asked: false, time: 0 },
        };
        Self { picture: picture.clone(), texture, state }
    }
}

/// The frame of a flip-book at a moment.
fn frame_at(book: &FlipBook, seconds: f64) -> usize {
    let passed = (seconds * f64::from(book.rate_hz) + 1e-4).max(0.0) as u64;
    passed.checked_rem(book.frames.len() as u64).unwrap_or(0) as usize
}

/// A frame of a flip-book; `None` for one that has to wait or cannot be had.
fn frame_on_device(
    context: &GpuContext,
    book: &FlipBook,
    frames: &mut [Option<wgpu::Texture>],
    frame: usize,
    uploads: &mut usize,
) -> Result<Option<wgpu::Texture>, GpuError> {
    let (Some(slot), Some(image)) = (frames.get_mut(frame), book.frames.get(frame)) else { return Ok(None) };
    if slot.is_none() && *uploads > 0 {
        *uploads -= 1;
        *slot = texture::upload(context, image)?.map(|view| view.texture().clone());
    }
    Ok(slot.clone())
}

/// Puts a picture with all its levels into a texture of its size; another one is left out.
fn copy(encoder: &mut wgpu::CommandEncoder, from: &wgpu::Texture, to: &wgpu::Texture) {
    if (from.size(), from.mip_level_count()) != (to.size(), to.mip_level_count()) {
        return;
    }
    for mip_level in 0..from.mip_level_count() {
        let length = |whole: u32| (whole >> mip_level).max(1);
        let size =
            wgpu::Extent3d { width: length(from.width()), height: length(from.height()), depth_or_array_layers: 1 };
        let source = wgpu::TexelCopyTextureInfo { mip_level, ..from.as_image_copy() };
        let place = wgpu::TexelCopyTextureInfo { mip_level, ..to.as_image_copy() };
        encoder.copy_texture_to_texture(source, place, size);
    }
}

/// Which surfaces of a model show a picture that changes. `numbers`: by the addresses of their stills.
fn surfaces_of(model: &Model, numbers: &HashMap<usize, usize>) -> Vec<(usize, Aabb)> {
    let mut found = Vec::new();
    for mesh in &model.meshes {
        for surface in &mesh.surfaces {
            let basic = model.materials.get(surface.material as usize).map(|material| material.basic());
            let image = basic.and_then(|basic| model.images.get(basic.image? as usize));
            let Some(number) = image.and_then(|image| numbers.get(&(Arc::as_ptr(image) as usize))) else { continue };
            let corners = mesh.corners_of(surface);
            if let Some(bounds) = Aabb::of(corners.iter().map(|vertex| mesh.position(*vertex as usize))) {
                found.push((*number, bounds));
            }
        }
    }
    found
}
