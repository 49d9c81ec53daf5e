//! Pictures of a level that change with time: the textures that its models share are written anew. Computed textures
//! run beside the drawing.

use crate::{
    gpu::{
        GpuContext, GpuError,
        model::Pictures,
        texture::{self, levels_of},
    },
    scene::{
        Aabb, FlipBook, LiveKind, LivePicture, Map, Model,
        procedural::{Procedural, Simulation},
    },
};
use std::{
    collections::HashMap,
    sync::{
        Arc,
        mpsc::{self, TryRecvError},
    },
};

/// Frames that a computed texture goes on at once.
const MAX_STEPS: u64 = 2;

/// The same for a picture that is kept: a minute at the usual rate.
const MAX_STEPS_FOR_ONE: u64 = 1_800;

/// Frames of flip-books that are put on the device in one picture.
const MAX_UPLOADS: usize = 4;

/// Bytes of computed textures that are put on the device in one picture, and one picture more.
const MAX_BYTES: usize = 4 << 20;

/// The pictures of a level that change.
pub(super) struct LivePictures {
    list: Vec<Live>,
    /// Of each model, by where its pictures show: the number of the picture, and what is around the surfaces in the model's space.
    shown: Vec<Vec<(usize, Aabb)>>,
    /// Begun when first needed.
    worker: Option<Worker>,
    /// Nobody computes: no thread could be had, or it ended.
    is_over: bool,
    /// A frame of a flip-book has to wait for the next picture.
    waits: bool,
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
    Computed(Clock),
}

/// How far a computed picture is, in its frames past the one that the still is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Clock {
    /// Frames that were computed or are asked for.
    run: u64,
    /// Frames of the level's time that were left out for good.
    left_out: u64,
    /// The level's time when it was last asked for.
    time: u64,
    /// An answer is outstanding.
    asked: bool,
}

impl Clock {
    /// Frames to compute for a time of the level. `exact`: all that were not computed, within reason; otherwise what has passed
    /// since the last picture, and time that jumps leaves it where it is.
    fn steps_to(&mut self, due: u64, exact: bool) -> u64 {
        let steps = if exact {
            let behind = due.saturating_sub(self.run.saturating_add(self.left_out));
            self.left_out += behind.saturating_sub(MAX_STEPS_FOR_ONE);
            behind.min(MAX_STEPS_FOR_ONE)
        } else {
            due.saturating_sub(self.time).min(MAX_STEPS)
        };
        self.run += steps;
        self.time = due;
        steps
    }
}

impl LivePictures {
    /// `pictures` are those of the level's models.
    pub fn new(map: &Map, pictures: &Pictures) -> Self {
        let address = |live: &LivePicture| Arc::as_ptr(&live.still) as usize;
        let list: Vec<Live> = map.live.iter().map(|live| Live::new(live, pictures.get(&address(live)))).collect();
        let numbers: HashMap<usize, usize> = map.live.iter().map(address).zip(0..).collect();
        let shown = map.models.iter().map(|model| surfaces_of(model, &numbers)).collect();
        Self { list, shown, worker: None, is_over: false, waits: false }
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
        if exact {
            // Answers to what was asked before come first.
            self.receive(context, true);
        }
        let mut uploads = if exact { usize::MAX } else { MAX_UPLOADS };
        let mut encoder: Option<wgpu::CommandEncoder> = None;
        let mut copied: Vec<(usize, usize)> = Vec::new();
        self.waits = false;
        for index in (0..self.list.len()).filter(|index| seen.get(*index) == Some(&true)) {
            let Some(Live { picture, texture: Some(shown_in), state }) = self.list.get_mut(index) else { continue };
            match (&picture.kind, state) {
                (LiveKind::FlipBook(book), LiveState::Book { frames, shown }) => {
                    let frame = frame_at(book, seconds);
                    if frame == *shown {
                        continue;
                    }
                    self.waits |= uploads == 0 && frames.get(frame).is_some_and(Option::is_none);
                    if let Some(from) = frame_on_device(context, book, frames, frame, &mut uploads)? {
                        let encoder =
                            encoder.get_or_insert_with(|| context.device().create_command_encoder(&Default::default()));
                        copy(encoder, &from, shown_in);
                        copied.push((index, frame));
                    }
                }
                (LiveKind::Computed(what), LiveState::Computed(clock)) if !clock.asked && !self.is_over => {
                    let steps = clock.steps_to(frame_of(what, seconds), exact);
                    if steps > 0 {
                        let ask = Ask { index, what: what.clone(), steps };
                        clock.asked = ask_for(&mut self.worker, ask);
                        self.is_over = !clock.asked;
                    }
                }
                _ => {}
            }
        }
        if let Some(encoder) = encoder {
            context.queue().submit([encoder.finish()]);
        }
        // Not before: what was not submitted is not shown, whatever else went wrong.
        for (index, frame) in copied {
            if let Some(Live { state: LiveState::Book { shown, .. }, .. }) = self.list.get_mut(index) {
                *shown = frame;
            }
        }
        self.receive(context, exact);
        // Time that went back is waited for no longer.
        for live in &mut self.list {
            if let (LiveKind::Computed(what), LiveState::Computed(clock)) = (&live.picture.kind, &mut live.state) {
                clock.time = clock.time.min(frame_of(what, seconds));
            }
        }
        Ok(())
    }

    /// Whether something is not yet there that the last moment was to show: it will be in a picture soon.
    pub fn is_behind(&self) -> bool {
        self.waits || self.is_asked()
    }

    fn is_asked(&self) -> bool {
        self.list.iter().any(|live| matches!(live.state, LiveState::Computed(Clock { asked: true, .. })))
    }

    /// Puts on the device what was computed; `wait`s for all of it, or takes what is there.
    fn receive(&mut self, context: &GpuContext, wait: bool) {
        let mut bytes = 0;
        while self.is_asked() && (wait || bytes < MAX_BYTES) {
            let received = self.worker.as_ref().map_or(Err(TryRecvError::Disconnected), |worker| match wait {
                true => worker.done.recv().map_err(|_| TryRecvError::Disconnected),
                false => worker.done.try_recv(),
            });
            match received {
                Ok(done) => {
                    bytes += done.levels.iter().map(Vec::len).sum::<usize>();
                    self.show(context, &done);
                }
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => self.give_up(),
            }
        }
    }

    fn show(&mut self, context: &GpuContext, done: &Done) {
        let Some(live) = self.list.get_mut(done.index) else { return };
        if let LiveState::Computed(clock) = &mut live.state {
            clock.asked = false;
        }
        if let Some(shown_in) = live.texture.as_ref().filter(|_| !done.levels.is_empty()) {
            texture::replace(context, shown_in, &done.levels);
        }
    }

    /// Nobody computes any more: what is shown stays.
    fn give_up(&mut self) {
        self.is_over = true;
        for live in &mut self.list {
            if let LiveState::Computed(clock) = &mut live.state {
                clock.asked = false;
            }
        }
    }
}

/// Hands over what is to be computed; `false` where nobody can.
fn ask_for(worker: &mut Option<Worker>, ask: Ask) -> bool {
    if worker.is_none() {
        *worker = Worker::start();
    }
    worker.as_ref().is_some_and(|worker| worker.ask(ask))
}

/// The frame of a computed picture at a moment, past the one that the still is.
fn frame_of(what: &Procedural, seconds: f64) -> u64 {
    (seconds * f64::from(what.rate_hz) + 1e-4).max(0.0) as u64
}

impl Live {
    fn new(picture: &LivePicture, view: Option<&Option<wgpu::TextureView>>) -> Self {
        let texture = view.and_then(Option::as_ref).map(|view| view.texture().clone());
        let state = match &picture.kind {
            LiveKind::FlipBook(book) => LiveState::Book { frames: vec![None; book.frames.len()], shown: 0 },
            LiveKind::Computed(_) => LiveState::Computed(Clock::default()),
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
        *slot = texture::upload(context, image)?.map(|view| view.texture().clone());
        // What cannot be had holds up nothing else.
        *uploads -= usize::from(slot.is_some());
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

/// A wish for a frame of a computed texture.
pub(super) struct Ask {
    /// Which one.
    pub index: usize,
    pub what: Arc<Procedural>,
    /// Frames to go on before it is drawn.
    pub steps: u64,
}

/// A frame of a computed texture.
pub(super) struct Done {
    pub index: usize,
    /// With smaller levels; nothing for one that cannot be computed.
    pub levels: Vec<Vec<u8>>,
}

/// Who computes. Ends when it is let go of.
pub(super) struct Worker {
    asks: mpsc::Sender<Ask>,
    pub done: mpsc::Receiver<Done>,
}

impl Worker {
    /// `None` where no thread can be had.
    pub fn start() -> Option<Self> {
        let (asks, asked) = mpsc::channel::<Ask>();
        let (tell, done) = mpsc::channel();
        let run = move || {
            let mut running: HashMap<usize, Option<Simulation>> = HashMap::new();
            for ask in asked {
                let simulation =
                    running.entry(ask.index).or_insert_with(|| Simulation::in_level(ask.what.clone()).ok());
                if tell.send(simulated_frame(simulation.as_mut(), &ask)).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("computed textures".to_owned()).spawn(run).ok()?;
        Some(Self { asks, done })
    }

    pub fn ask(&self, ask: Ask) -> bool {
        self.asks.send(ask).is_ok()
    }
}

fn simulated_frame(simulation: Option<&mut Simulation>, ask: &Ask) -> Done {
    let Some(simulation) = simulation else { return Done { index: ask.index, levels: Vec::new() } };
    for _ in 0..ask.steps {
        simulation.step();
    }
    let image = simulation.seen_image();
    let levels = levels_of(image.width, image.height, image.rgba.to_vec());
    Done { index: ask.index, levels }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_picture_is_of_its_moment_and_the_next_of_the_same_is_equal() {
        let mut clock = Clock::default();
        assert_eq!(clock.steps_to(30, true), 30);
        assert_eq!(clock.steps_to(30, true), 0);
        // What is far away is not computed to the end, and not in the next picture either.
        assert_eq!(clock.steps_to(10_000, true), MAX_STEPS_FOR_ONE);
        assert_eq!(clock.steps_to(10_000, true), 0);
        assert_eq!(clock.steps_to(10_003, true), 3);
        assert_eq!(clock.steps_to(5, true), 0);
    }

    #[test]
    fn a_window_leaves_out_what_would_take_long_and_an_exact_picture_makes_up_for_it() {
        let mut clock = Clock::default();
        assert_eq!([1, 2, 50, 50, 51].map(|due| clock.steps_to(due, false)), [1, 1, MAX_STEPS, 0, 1]);
        assert_eq!(clock.steps_to(51, true), 51 - 3 - MAX_STEPS);
        assert_eq!(clock.steps_to(52, false), 1);
    }
}
