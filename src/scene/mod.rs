//! What can be shown, in neutral terms, and the mathematics on it: sampling clips, posing skeletons, skinning on the CPU.
//!
//! Right-handed, Y up, seconds, column vectors; matrices say from where to where (`world_from_joint`). Nothing here knows a
//! file format.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects
    )
)]

mod bind_pose;
mod binding;
mod bones;
mod bound_parts;
mod bounds;
pub mod camera;
mod clip;
mod clip_values;
pub mod exact;
mod file_axes;
mod fit;
mod fixed_skin;
mod frame;
mod frame_range;
pub mod ground_line;
pub mod gx;
mod hidden_parts;
mod image;
mod index;
mod list_use;
mod map;
mod map_picker;
mod material;
mod mesh;
mod model;
mod model_picking;
mod model_statistics;
mod motion;
pub mod picking;
mod picture;
mod played;
mod player;
mod player_layer;
pub mod pose;
mod pose_fade;
mod pose_link;
pub mod procedural;
mod register_color;
pub mod sampler;
mod shots;
mod sines;
mod skeleton;
pub mod skinning;
mod sound;
mod terrain;
mod terrain_picking;
mod terrain_statistics;
mod terrain_view;
mod text;
mod texture_motion;
mod texture_override;
mod transform;
mod uv_layout;
mod vertex_frames;
mod weight;

pub use bind_pose::PoseDifference;
pub use binding::{Binding, BindingOptions, Translation, is_called_additive, joint_key};
pub use bones::{BoneBody, bone_bodies};
pub use bound_parts::BoundJoint;
pub use bound_parts::{BoundChannel, BoundTarget};
pub use bounds::Aabb;
pub use bounds::Frustum;
pub use clip::{
    Channel, Clip, ClipEnd, JointAddressing, JointTrack, KeyRule, LoopMode, Marker, SrtPart, Target, TargetKind,
    TextureGroup, Unit,
};
pub use clip_values::{ClipValues, JointValues, MaterialValues};
pub use file_axes::FileAxes;
pub use fit::{Fit, Parts, PartsFit};
pub use fixed_skin::{FixedEntry, FixedList, FixedSkin, ListKind};
pub use frame::{Frame, PoseOptions};
pub use frame_range::FrameRange;
pub use hidden_parts::HiddenParts;
pub use hidden_parts::{ModelPart, ModelPiece};
pub use image::Image;
pub use image::MissingTexture;
pub use image::{Font, FontPage, Glyph};
pub use index::{ClipJoint, ClipMaterial, JointIndex, LayerIndex, MaterialIndex, MeshIndex, MorphIndex, SourceEntry};
pub use list_use::ListUse;
pub use map::{
    LiveKind, LivePicture, Map, MapActor, MapCard, MapItem, MapItemKind, MapLight, MapMoment, MapMover, MapNode,
    MapPath, MapSky, MapStart, MapSurface, MapTree, MapValue, MapWindow, MapZone, MoverKey, Rooms, SurfaceOutlines,
    WindowView, mirrored,
};
pub use map_picker::{MapPicker, PickWork, Pickable};
pub use material::{BasicMaterial, Blend, Material, MaterialKind, SurfaceRole};
pub use mesh::{Billboard, Influence, InfluenceSource, Mesh, MeshLevel, Morph, MorphDelta, Run, Skin, Surface};
pub use model::MaterialSet;
pub use model::Model;
pub use model_picking::{PosedPickable, SurfaceHit};
pub use model_statistics::ModelStatistics;
pub use motion::{Moments, Motion};
pub use picture::{BlockKind, FlipBook, Palette, Picture, PictureForm, StoredPixels};
pub use played::played_once;
pub use player::Player;
pub use player_layer::{PlayerLayer, position};
pub use pose::{Layer, evaluate, evaluate_with};
pub use pose_fade::PoseFade;
pub use pose_link::PoseLink;
pub use procedural::Procedural;
pub use register_color::{RegisterColor, clip_with_registers, with_registers};
pub use sampler::{BezierKey, EasedKey, HermiteKey, Interpolation, KeyNumbers, KeyTimes, Keys, Sampler, SquadKey};
pub use shots::{Shot, ShotRate, Shots, Turntable};
pub use sines::SineTable;
pub use skeleton::Joint;
pub use skeleton::ScalingRule;
pub use skeleton::{DrawMatrix, DrawTerm, Skeleton, Socket};
pub use sound::{Music, MusicPosition, Pcm, Rendering, Sound};
pub use terrain::{
    HeightGrid, HeightRange, Prop, PropBody, PropClass, PropKind, PropLevel, PropMarker, RoadNet, RoadPart,
    RoadPartKind, SizeSource, Terrain, TerrainLayer, TerrainPicture, TerrainZone, scene_from_ground,
};
pub use terrain_picking::{Sight, TerrainHit, TerrainPicker};
pub use terrain_statistics::{ClassCount, HISTOGRAM_STEPS, Histogram, KindCount, TerrainStatistics};
pub use terrain_view::{
    HEIGHT_RAMP, HeightRamp, PropColors, RampStop, SLOPE_RAMP, STEEPEST_DEGREES, TerrainTint, TerrainView, ramp_color,
};
pub use text::{Language, LineEnd, LineMark, SCRIPT_KEYWORDS, SCRIPT_TYPES, Text, TextPart};
pub use texture_motion::TextureMotion;
pub use texture_override::{Retextured, TextureOverride, TexturePlace};
pub use transform::{Transform, rotation_or_identity};
pub use uv_layout::UvLayout;
pub use vertex_frames::{FramePair, VertexFrames};
