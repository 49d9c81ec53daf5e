//! Writes packages: samples, tests, benches and exports write through this.
//!
//! Made from formats/unreal.md alone and shares nothing with the reader, so that each holds the other to it. A
//! [`PackageWriter`] takes names and imports on demand; exports are declared first, so that objects can name each other,
//! and each is written by a closure that gets an [`ObjectWriter`]. The functions of the other files here write the data of
//! one class each, in the order of formats/unreal.md §5 to §11.

mod code;
mod dxt1;
mod map;
mod mesh;
mod mesh_files;
mod object;
mod package;
mod properties;
mod resources;
mod script;
mod texture;

pub use code::{Code, CodeWriter, Label, assemble, token};
pub use dxt1::encode_dxt1;
pub use map::{
    BspNode, BspSurface, Leaf, LevelData, LightMap, ModelData, Poly, ReachSpec, Zone, write_level, write_model,
    write_polys,
};
pub use mesh::{
    AnimationBone, BoneWeight, BoneWeightIndex, ExtWedge, Move, SkeletalData, SkeletonBone, Track, write_animation,
    write_skeletal_mesh,
};
pub use mesh::{
    Bounds, LodData, LodFace, LodMaterial, LodWedge, MeshData, Sequence, Tri, Vertices, pack_vertex, write_lod_mesh,
    write_mesh,
};
pub use mesh_files::{FilePolygon, MAX_COUNT, encode_mesh_data, encode_mesh_frames, frame_bytes};
pub use object::ObjectWriter;
pub use object::{StateFrame, write_state_frame};
pub use package::Ref;
pub use package::{Export, PackageWriter, flags};
pub use properties::{Properties, Value, write_properties};
pub use resources::write_text_buffer;
pub use resources::{FontPage, Glyph, write_font, write_old_font};
pub use resources::{write_music, write_sound};
pub use script::{
    ClassData, Dependency, FieldLinks, FunctionData, PropertyData, PropertyKind, StateData, StructData, function_flags,
    property_flags, write_class, write_const, write_enum, write_function, write_property, write_state, write_struct,
};
pub use texture::{CompressedMips, Mip, Spark, TextureData, mip_sizes, write_palette, write_sparks, write_texture};
