//! Computed textures of a level, run beside the drawing.

use crate::gpu::texture::levels_of;
use crate::scene::procedural::{Procedural, Simulation};
use std::{
    collections::HashMap,
    sync::{Arc, mpsc},
};

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
                if tell.send(frame_of(simulation.as_mut(), &ask)).is_err() {
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

fn frame_of(simulation: Option<&mut Simulation>, ask: &Ask) -> Done {
    let Some(simulation) = simulation else { return Done { index: ask.index, levels: Vec::new() } };
    for _ in 0..ask.steps {
        simulation.step();
    }
    let image = simulation.seen_image();
    let levels = levels_of(image.width, image.height, image.rgba.to_vec());
    Done { index: ask.index, levels }
}
