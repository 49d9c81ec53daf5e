//! Models and clips of any family as ActorX structures (formats/actorx.md §2 to §5).
//!
//! The way of the PSK and PSA readers, backwards: scene `(x, y, z)` is file `(x, −z, y)`; bone 0 stores its rotation, every
//! other bone the inverse; triangles are clockwise.

mod bones;
mod psa;
mod psk;

pub use psa::{psa, psa_bytes, psa_within};
pub use psk::psk;
