//! Tracker music (Impulse Tracker, Scream Tracker 3, FastTracker 2, Amiga modules) for every family that holds it: told apart
//! by content, described, and rendered to samples.
//!
//! The library that plays it allocates by the counts it reads, so a module is laid out here first (`layout`) and weighed
//! (`weight`) before the library sees it.

mod amiga;
pub mod encode;
mod it;
mod kind;
mod layout;
#[cfg(feature = "music")]
mod render;
mod s3m;
mod xm;

pub use kind::Tracker;
pub use kind::music;
pub use layout::TrackerError;
#[cfg(feature = "music")]
pub use render::{RenderOptions, render};

#[cfg(test)]
mod tests;
