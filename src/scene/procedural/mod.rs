//! Textures that are computed, step by step.
//!
//! A [`Procedural`] says what one is made of; a [`Simulation`] runs it. Four programs: fire from sparks ([`Fire`], the kinds of
//! spark in [`spark`]), water with light on it or with a picture under it ([`Water`], the kinds of drop in [`water_drop`]), and
//! a picture behind uneven glass ([`Glass`]). Nothing in them asks for the time or for chance: a frame depends on the texture,
//! the seed and the number of steps alone.

mod fire;
mod glass;
mod heat_field;
mod mote;
mod numbers;
mod simulation;
pub mod spark;
mod water;
pub mod water_drop;

pub use fire::{Fire, MAX_SPARKS, USUAL_SPARKS};
pub use glass::Plane;
pub use glass::{Glass, Panning};
pub use simulation::{BadSize, MAX_PIXELS, Simulation};
pub use spark::{Spark, SparkKind};
pub use water::WaterLight;
pub use water::{MAX_DROPS, Water};
pub use water_drop::{DropKind, WaterDrop};

use super::{Image, Palette};
use std::sync::Arc;

/// The seed of what is shown and exported unless another is asked for: the window and files show the same frames.
pub const COMPUTED_SEED: u64 = 1;
/// Frames a second, where a texture says nothing.
pub const USUAL_RATE_HZ: f32 = 30.0;

/// Frames that one in a level has run for at least before it is seen: a fire has caught by then.
const SETTLED_FRAMES: u64 = 48;
/// Pixels that are computed before a texture is seen, at most: 255 frames of 512 × 256 pixels.
const MAX_PRIMED: u64 = 255 * 512 * 256;

/// A texture that a program draws: what it is made of.
#[derive(Clone, Debug)]
pub struct Procedural {
    /// Name of the texture.
    pub name: String,
    /// Pixels; 1 to [`MAX_PIXELS`] each way can be computed.
    pub width: u32,
    /// Height in pixels, with the same limits.
    pub height: u32,
    /// The colours of a fire and of lit water; the others have those of their pictures.
    pub palette: Arc<Palette>,
    /// Whether the picture is meant to be cut out by its alpha.
    pub masked: bool,
    /// Program that draws the texture, with its parameters.
    pub program: Program,
    /// Frames that run before the first one is seen.
    pub prime_frames: u16,
    /// Frames a second.
    pub rate_hz: f32,
    /// Parameters as name and value, for people.
    pub facts: Vec<(String, String)>,
}

impl Procedural {
    /// Frames that run before the first one is seen, as far as the texture's size allows.
    pub fn primed_frames(&self) -> u64 {
        u64::from(self.prime_frames).min(MAX_PRIMED.checked_div(self.pixels()).unwrap_or(0))
    }

    /// The same for one in a level, which is seen once it has caught: its stills are of that frame, and time goes on from it.
    pub fn first_frame(&self) -> u64 {
        let settled = u64::from(self.prime_frames).max(SETTLED_FRAMES);
        settled.min(MAX_PRIMED.checked_div(self.pixels()).unwrap_or(0))
    }

    /// What it takes to come to [`Procedural::first_frame`]: pixels, and what is fed to them.
    pub fn first_steps(&self) -> u64 {
        /// A step is not for nothing, however small the picture.
        const LEAST: u64 = 256;
        let fed = match &self.program {
            // Motes come of sparks alone.
            Program::Fire(fire) if fire.sparks.is_empty() => 0,
            Program::Fire(fire) => fire.most(),
            _ => self.program.drops().len(),
        };
        // What it is begun with is as much as a frame.
        let frames = self.first_frame().saturating_add(1);
        self.pixels().saturating_add(fed as u64).max(LEAST).saturating_mul(frames)
    }

    /// Pixels of a frame.
    pub fn pixels(&self) -> u64 {
        u64::from(self.width).saturating_mul(u64::from(self.height))
    }

    /// Bytes held.
    pub fn weight(&self) -> u64 {
        let image = |image: &Option<Arc<Image>>| image.as_ref().map_or(0, |i| i.weight());
        let program = match &self.program {
            Program::Fire(_) | Program::Waves { .. } => 0,
            Program::Wet { source, .. } => image(source),
            Program::Glass(glass) => {
                let plane = glass.glass.as_ref().map_or(0, |p| p.bytes.len() as u64);
                image(&glass.source).saturating_add(plane)
            }
        };
        let fed = self.program.sparks().len().saturating_add(self.program.drops().len()) as u64;
        program.saturating_add(fed.saturating_mul(8))
    }
}

/// What draws a computed texture.
#[derive(Clone, Debug)]
pub enum Program {
    /// Fire from sparks, in the colours of the palette.
    Fire(Fire),
    /// Water with light on it.
    Waves {
        /// The waves, and the drops that move them.
        water: Water,
        /// The light on the waves.
        light: WaterLight,
    },
    /// A picture under water; a chequered one stands in for a missing one.
    Wet {
        /// The waves, and the drops that move them.
        water: Water,
        /// Picture under the water; `None` if it is missing.
        source: Option<Arc<Image>>,
    },
    /// A picture behind glass.
    Glass(Glass),
}

impl Program {
    /// What it is, for people.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Fire(_) => "fire",
            Self::Waves { .. } => "waves",
            Self::Wet { .. } => "image under water",
            Self::Glass(_) => "image behind wavy glass",
        }
    }

    /// Whether a pattern stands in for a picture that is missing.
    pub fn has_stand_ins(&self) -> bool {
        match self {
            Self::Fire(_) | Self::Waves { .. } => false,
            Self::Wet { source, .. } => source.is_none(),
            Self::Glass(glass) => glass.source.is_none() || glass.glass.is_none(),
        }
    }

    /// The sparks of a fire.
    pub fn sparks(&self) -> &[Spark] {
        match self {
            Self::Fire(fire) => &fire.sparks,
            _ => &[],
        }
    }

    /// The drops of water.
    pub fn drops(&self) -> &[WaterDrop] {
        match self {
            Self::Waves { water, .. } | Self::Wet { water, .. } => &water.drops,
            _ => &[],
        }
    }
}
