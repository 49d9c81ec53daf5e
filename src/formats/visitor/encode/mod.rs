//! Writes projects: the sample, tests and benches write through this.
//!
//! Made from formats/visitor.md alone and shares nothing with the reader, so that each holds the other to it. What goes in are
//! plain descriptions and a [`Dialect`], which answers what the specification leaves open; what a field has no room for becomes
//! the nearest that it has room for; nothing here fails.

mod bytes;
mod mlod;
mod pew;
mod project;

pub use mlod::{ModelFace, ModelLevel, encode_p3d};
pub use pew::{Written, encode_pew, encode_pew_with_places};
pub use project::{
    Background, CellPlace, Layer, Material, Object, ObjectClass, ObjectType, Opaque, Project, Road, RoadNets,
    RoadParts, RoadPiece, SubObject, Zone,
};
pub use project::{Dialect, LayerNames, StringLength, TransformOrder};
