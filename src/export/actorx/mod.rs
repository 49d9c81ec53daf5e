//! Models and clips of any family as ActorX structures (formats/actorx.md §2 to §5).
//!
//! The way of the PSK and PSA readers, backwards: scene `(x, y, z)` is file `(x, −z, y)`; bone 0 stores its rotation, every
//! other bone the inverse; triangles are clockwise.

mod keys;
mod mended;
mod psa;
mod psk;
mod rig;
mod sidecars;

pub use keys::Played;
pub use mended::{mended_psa, mended_psk};
pub use psa::{moves_joints, psa, psa_bytes, psa_within};
pub use psk::psk;
pub use sidecars::{name_materials, sidecars};
