//! Writes models, animations and textures of the character pipeline: samples, tests and benches write through this.
//!
//! Made from formats/charpipe.md alone and shares nothing with the readers, so that each holds the other to it. What goes in are
//! plain descriptions; what a field has no room for becomes the nearest that it has room for; nothing here fails.

mod actor;
mod arrange;
mod bank;
mod bytes;
mod faces;
mod geometry;
mod numbers;
mod skin;
mod states;
mod textures;

pub use actor::{Actor, Bone, Control, Parts, Rotation, UserData, encode_act};
pub use arrange::{Arranged, Arrangement, SkinVertex, arrange, whole_weights};
pub use bank::{
    Bank, BankVersion, QuaternionCurve, QuaternionKey, RotationKeys, Sequence, Track, VectorCurve, VectorKey,
    encode_anm,
};
pub use bytes::{Block, encode_archive, encode_block};
pub use faces::{Face, FaceKind, FaceRecord, encode_faces};
pub use geometry::{Colors, Geometry, Lighting, Mesh, Positions, UvSet, encode_gpl};
pub use numbers::{ColorKind, NumberKind, Quantization};
pub use skin::{AddList, OneList, Skin, TwoList, encode_skn};
pub use states::{Build, Draw, Layout, PrimitiveKind, Setting, State, Vertex, Width};
pub use textures::{Texture, encode_tex, encode_tpl};
