//! Writes models, animations and textures: samples, tests, benches and exports write through this.
//!
//! Made from formats/j3d.md alone and shares nothing with the readers, so that each holds the other to it. What goes in are
//! plain descriptions: a [`Model`] of arrays, shapes and materials ([`crate::scene::gx::TevMaterial`] with a name), a
//! [`JointClip`] of [`Track`]s, a [`Texture`] whose data is encoded already. What a field has no room for becomes the nearest
//! that it has room for; nothing here fails.

mod color_clip;
mod file;
mod joint_clip;
mod materials;
mod mesh;
mod model;
mod shape_clip;
mod shapes;
mod texture_clip;
mod textures;
mod tracks;
mod vertices;

pub use color_clip::{ColorTracks, MaterialColorClip, RegisterClip, encode_bpa, encode_bpk, encode_brk};
pub use joint_clip::{AxisTracks, JointClip, SoundEvent, encode_bca, encode_bck};
pub use materials::Material;
pub use mesh::{MeshVertex, VertexPool};
pub use model::{DrawMatrix, Envelope, Joint, Model, ModelKind, Node, encode_bmt, encode_model};
pub use shape_clip::{
    ClusterClip, VertexColorClip, VertexColorTracks, VisibilityClip, encode_bla, encode_blk, encode_bva, encode_bxa,
    encode_bxk,
};
pub use shapes::{Group, IndexKind, Primitive, PrimitiveKind, Shape, ShapeAttribute};
pub use texture_clip::{PatternClip, PatternTrack, TextureClip, TextureTracks, encode_btk, encode_btp};
pub use textures::{Texture, encode_bti};
pub use tracks::{Key, Track};
pub use vertices::{VertexArray, VertexData, attribute};
