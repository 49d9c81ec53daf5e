use super::{ClipJoint, ClipMaterial, KeyNumbers, MaterialSet, MeshIndex, Sampler};
use glam::Affine3A;
use std::sync::Arc;

/// What a clip does when it reaches its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum LoopMode {
    /// Stops on the last frame.
    Once,
    /// Starts again at the first frame.
    #[default]
    Loop,
    /// Forth and back.
    PingPong,
    /// Once, then stops on the first frame.
    OnceReset,
    /// Forth and back once, then stops on the first frame.
    OnceForthAndBack,
}

/// Where a clip ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ClipEnd {
    /// On the last of its frames: `frame_count − 1`.
    #[default]
    LastFrame,
    /// Just before `frame_count` frames are over, whatever keys there are (formats/j3d.md §3.4).
    Duration,
    /// After so many frames, which need not be whole; every track goes round in its own length ([`Sampler::cycle`]).
    Length(f32),
}

/// An animation: channels over a stretch of frames.
#[derive(Clone, Debug, Default)]
pub struct Clip {
    /// Name of the clip, from the file or from its file name.
    pub name: String,
    /// What the file groups it under; empty for none.
    pub group: String,
    /// Length in frames.
    pub frame_count: u32,
    /// Frames a second.
    pub rate_hz: f32,
    /// Loop mode that the file specifies; [`LoopMode::Loop`] for formats without one.
    pub default_loop: LoopMode,
    /// When looping, the last frame blends into the first over one more frame: the period is `frame_count` frames instead of
    /// `frame_count − 1`.
    pub blends_across_seam: bool,
    /// Where the clip ends, which decides its length.
    pub end: ClipEnd,
    /// The file does not say how many frames a second there are: `rate_hz` is what such files are played at mostly.
    pub rate_is_assumed: bool,
    /// Which joints of a model `joints` are.
    pub addressing: JointAddressing,
    /// Names of the materials that channels speak of; the first of a model's materials of that name is meant. Repeats are
    /// allowed.
    pub materials: Arc<[String]>,
    /// Texture matrices that channels drive a part of ([`Target::TextureSrt`]).
    pub texture_groups: Vec<TextureGroup>,
    /// Materials and textures that take the places of the model's while the clip is on.
    pub material_set: Option<Arc<MaterialSet>>,
    /// Names of the joints that channels speak of; shared by the clips of one file.
    pub joints: Arc<[String]>,
    /// How rotation keys are read once their joint is known.
    pub key_rule: KeyRule,
    /// Keyed values, each with its target.
    pub channels: Vec<Channel>,
    /// What happens at which frame, ascending.
    pub markers: Vec<Marker>,
    /// Turns scene space back into the file's own, for `pose` of a clip alone and for exports.
    pub file_from_scene: Affine3A,
}

/// How a clip says which joint of a model it means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum JointAddressing {
    /// By name, blanks and case aside ([`super::Binding::new`]).
    #[default]
    ByName,
    /// By number, one for each of [`Clip::joints`]: every joint of the model with that number is meant
    /// ([`super::Joint::track`]), whatever its name.
    ByTrack(Arc<[JointTrack]>),
    /// By place: joint 0 of the clip is joint 0 of the model. [`Clip::joints`] names them for people alone.
    ByPlace {
        /// So many joints of the model, from its first on, are driven whole, with or without channels
        /// ([`Target::JointScaleAxis`]).
        driven: u32,
    },
}

/// A joint of a clip that goes by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointTrack {
    /// Number of the track, compared with [`super::Joint::track`].
    pub number: u32,
    /// Its channels' transform is multiplied to the bind pose's from the right instead of taking its place
    /// (formats/charpipe.md §8).
    pub relative: bool,
}

/// Something that the file wants to happen at a moment of a clip: a sound, an effect, a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// In the clip's frames, fractional.
    pub frame: f32,
    /// Name of the event, such as `sound 00001234` or a function's name.
    pub name: String,
}

/// How rotation keys are to be read once the joint they play on is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyRule {
    /// As they are.
    #[default]
    Plain,
    /// On joint 0 of the model they play on, keys are the inverse of the rotation (formats/actorx.md §4).
    InverseOnFirstJoint,
}

/// A texture matrix of a material, put together of five tracks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureGroup {
    /// Material that has the matrix, as an index into [`Clip::materials`].
    pub material: ClipMaterial,
    /// Texture-matrix slot.
    pub slot: u8,
    /// Centre of scale and rotation, S and T; not used by the Maya form (formats/j3d.md §4).
    pub center: [f32; 2],
    /// Put together as Maya does ([`super::gx::srt`]).
    pub maya: bool,
}

/// A part of a texture matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SrtPart {
    /// Scale along S.
    ScaleS,
    /// Scale along T.
    ScaleT,
    /// Rotation in the plane of S and T, in radians after conversion by [`Unit`].
    Rotation,
    /// Translation along S.
    TranslationS,
    /// Translation along T.
    TranslationT,
}

/// What the numbers of a channel's keys are in. Keys stay as the file has them; evaluation turns them into real units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Unit {
    /// As they are.
    #[default]
    Plain,
    /// 65536 a turn after a shift to the left; radians come out (formats/j3d.md §2.2).
    Angle16 {
        /// Left shift of the stored number before it is an angle, in bits.
        shift: u8,
    },
    /// A colour of 0..255: the game's arithmetic truncates and clamps to it.
    Color8,
    /// A colour of −1024..1023, likewise.
    Color11,
}

impl Unit {
    /// A key's number in real units: radians, colours as they are. `exact` rounds as the game did.
    pub fn real(self, raw: f32, exact: bool) -> f32 {
        const RADIANS: f32 = std::f32::consts::PI / 32768.0;
        match (self, exact) {
            (Self::Plain, _) | (Self::Color8 | Self::Color11, false) => raw,
            (Self::Angle16 { shift }, false) => raw * 2.0_f32.powi(i32::from(shift)) * RADIANS,
            (Self::Angle16 { .. }, true) => f32::from(self.angle16(raw).unwrap_or(0)) * RADIANS,
            (Self::Color8, true) => raw.trunc().clamp(0.0, 255.0),
            (Self::Color11, true) => raw.trunc().clamp(-1024.0, 1023.0),
        }
    }

    /// A key's number as the game's angle of 65536 a turn; `None` for what is no angle.
    pub fn angle16(self, raw: f32) -> Option<i16> {
        let Self::Angle16 { shift } = self else { return None };
        // The game shifts in 32 bits and keeps the lower 16.
        Some((raw as i32).checked_shl(u32::from(shift)).unwrap_or(0) as i16)
    }

    /// What such keys are stored as in J3D's files: colours and angles are whole numbers.
    pub fn key_numbers(self) -> KeyNumbers {
        if self == Self::Plain { KeyNumbers::F32 } else { KeyNumbers::S16 }
    }
}

/// Keys that drive one thing.
#[derive(Clone, Debug)]
pub struct Channel {
    /// What the channel drives.
    pub target: Target,
    /// Keys with their frames and interpolation.
    pub sampler: Sampler,
    /// What the keys' numbers are in.
    pub unit: Unit,
    /// The file says to leave the bind pose here, unless the user asks for the keys.
    pub muted: bool,
}

/// What a channel drives.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// A joint's translation relative to its parent.
    JointTranslation(ClipJoint),
    /// A joint's rotation relative to its parent.
    JointRotation(ClipJoint),
    /// A joint's scale.
    JointScale(ClipJoint),
    /// The whole local matrix.
    JointMatrix(ClipJoint),
    /// By name.
    MorphWeight(String),
    /// Frames `first .. first + count` of the mesh of this name ([`super::VertexFrames`]), of any mesh where the name is empty;
    /// keys are [`super::sampler::Keys::Frames`].
    VertexFrames {
        /// Name of the mesh, compared without regard to ASCII case; empty for any mesh.
        mesh: Arc<str>,
        /// First frame of the mesh.
        first: u32,
        /// Number of frames.
        count: u32,
    },
    /// One axis (0 X, 1 Y, 2 Z) of a joint's scale. A joint with channels of single axes is driven whole: what has no channel is
    /// 1 for scales and 0 otherwise, not the bind pose's.
    JointScaleAxis {
        /// Index of the clip's joint.
        joint: ClipJoint,
        /// Axis: 0 X, 1 Y, 2 Z.
        axis: u8,
    },
    /// An angle about one axis; the rotation is `Rz · Ry · Rx`.
    JointEulerAxis {
        /// Index of the clip's joint.
        joint: ClipJoint,
        /// Axis: 0 X, 1 Y, 2 Z.
        axis: u8,
    },
    /// One axis of a joint's translation relative to its parent.
    JointTranslationAxis {
        /// Index of the clip's joint.
        joint: ClipJoint,
        /// Axis: 0 X, 1 Y, 2 Z.
        axis: u8,
    },
    /// Into [`Clip::texture_groups`].
    TextureSrt {
        /// Index into [`Clip::texture_groups`].
        group: u32,
        /// Part of the texture matrix.
        part: SrtPart,
    },
    /// The number of the texture in a texture-map slot.
    TextureSlot {
        /// Material that has the slot, as an index into [`Clip::materials`].
        material: ClipMaterial,
        /// Texture-map slot, 0 to 7.
        slot: u8,
    },
    /// Red, green, blue or alpha (`part` 0 to 3) of C0 to C2.
    Register {
        /// Material that has the register, as an index into [`Clip::materials`].
        material: ClipMaterial,
        /// Register: 0 C0, 1 C1, 2 C2.
        register: u8,
        /// Component: 0 red, 1 green, 2 blue, 3 alpha.
        part: u8,
    },
    /// Of K0 to K3.
    Konst {
        /// Material that has the constant, as an index into [`Clip::materials`].
        material: ClipMaterial,
        /// Constant: 0 to 3 for K0 to K3.
        konst: u8,
        /// Component: 0 red, 1 green, 2 blue, 3 alpha.
        part: u8,
    },
    /// Of material colour 0.
    MaterialColor {
        /// Material that has the colour, as an index into [`Clip::materials`].
        material: ClipMaterial,
        /// Component: 0 red, 1 green, 2 blue, 3 alpha.
        part: u8,
    },
    /// Whether a mesh of the model is drawn: from 0.5 on it is.
    Visibility {
        /// Index of the model's mesh.
        mesh: MeshIndex,
    },
    /// Weight of a cluster that another file defines: listed and plotted.
    ClusterWeight {
        /// Index of the cluster (formats/j3d.md §5.5).
        cluster: u32,
    },
    /// Colour of a group of vertices, of colour set 0 or 1: listed and plotted.
    VertexColor {
        /// Index of the group of vertices within its colour set (formats/j3d.md §5.6).
        group: u32,
        /// Colour set, 0 or 1.
        set: u8,
        /// Component: 0 red, 1 green, 2 blue, 3 alpha.
        part: u8,
    },
}

/// Kinds of targets: at most one playing clip drives each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TargetKind {
    /// Transforms of joints, whole or by axis.
    #[default]
    Joints,
    /// Weights of morphs.
    Morphs,
    /// Whole frames of all points.
    Vertices,
    /// Texture matrices of materials.
    TextureMatrices,
    /// Textures in the slots of materials.
    TextureSlots,
    /// Colour registers and constants.
    Registers,
    /// Material colour 0.
    MaterialColors,
    /// Visibility of meshes.
    Visibility,
    /// Materials and textures as a whole.
    Materials,
    /// Weights of clusters.
    Clusters,
    /// Colours of groups of vertices.
    VertexColors,
}

impl Clip {
    /// Frames a second where the file says none that can be used.
    pub const DEFAULT_RATE_HZ: f32 = 30.0;

    /// Whether so many frames take a number of seconds at this rate.
    pub fn is_rate(rate_hz: f32, frames: f32) -> bool {
        rate_hz.is_finite() && rate_hz > 0.0 && (frames / rate_hz).is_finite()
    }

    /// The rate, or [`Clip::DEFAULT_RATE_HZ`] where it gives times that are no numbers.
    pub fn usable_rate(&self) -> f32 {
        let last_key = |channel: &Channel| channel.sampler.key_frame(channel.sampler.keys.len().saturating_sub(1));
        let last = self.channels.iter().map(last_key).fold(self.frame_count as f32, f32::max);
        if Self::is_rate(self.rate_hz, last) { self.rate_hz } else { Self::DEFAULT_RATE_HZ }
    }

    /// Seconds from the first frame to the end of a run through.
    pub fn duration_secs(&self) -> f32 {
        let frames = match self.end {
            ClipEnd::Length(frames) => frames.max(0.0),
            ClipEnd::LastFrame | ClipEnd::Duration => self.frame_count as f32,
        };
        if self.rate_hz > 0.0 { frames / self.rate_hz } else { 0.0 }
    }

    /// The last frame that can be shown without looping.
    pub fn last_frame(&self) -> f32 {
        match self.end {
            ClipEnd::LastFrame => self.frame_count.saturating_sub(1) as f32,
            ClipEnd::Duration => (self.frame_count as f32 - 0.001).max(0.0),
            // The end itself is the start of the next round.
            ClipEnd::Length(frames) => (frames - 0.001).max(0.0),
        }
    }

    /// Frames that one loop takes.
    pub fn loop_frames(&self) -> f32 {
        match self.end {
            ClipEnd::Length(frames) => frames.max(0.0),
            ClipEnd::Duration => self.frame_count as f32,
            ClipEnd::LastFrame if self.blends_across_seam => self.frame_count as f32,
            ClipEnd::LastFrame => self.last_frame(),
        }
    }

    /// What the clip drives: joints if there are any among its targets.
    pub fn kind(&self) -> TargetKind {
        if self.material_set.is_some() {
            return TargetKind::Materials;
        }
        let kinds = || self.channels.iter().map(|c| c.target.kind());
        if kinds().any(|k| k == TargetKind::Joints) {
            return TargetKind::Joints;
        }
        let of_groups = (!self.texture_groups.is_empty()).then_some(TargetKind::TextureMatrices);
        kinds().next().or(of_groups).unwrap_or_default()
    }
}

impl Clip {
    /// The numbers that it goes by, one for each of `joints`; empty for a clip that goes by name or by place.
    pub fn tracks(&self) -> &[JointTrack] {
        match &self.addressing {
            JointAddressing::ByTrack(tracks) => tracks,
            JointAddressing::ByName | JointAddressing::ByPlace { .. } => &[],
        }
    }

    /// Whether it speaks of joints by place.
    pub fn is_by_place(&self) -> bool {
        matches!(self.addressing, JointAddressing::ByPlace { .. })
    }

    /// Whether it knows a model's joints and meshes by place alone, or speaks of materials.
    pub fn joins_parts(&self) -> bool {
        self.is_by_place() || self.material_set.is_some() || self.channels.iter().any(|c| c.target.is_of_a_part())
    }
}

impl Target {
    /// Returns the kind of the target.
    pub fn kind(&self) -> TargetKind {
        match self {
            Self::JointTranslation(_) | Self::JointRotation(_) | Self::JointScale(_) | Self::JointMatrix(_) => {
                TargetKind::Joints
            }
            Self::MorphWeight(_) => TargetKind::Morphs,
            Self::VertexFrames { .. } => TargetKind::Vertices,
            Self::JointScaleAxis { .. } | Self::JointEulerAxis { .. } | Self::JointTranslationAxis { .. } => {
                TargetKind::Joints
            }
            Self::TextureSrt { .. } => TargetKind::TextureMatrices,
            Self::TextureSlot { .. } => TargetKind::TextureSlots,
            Self::Register { .. } | Self::Konst { .. } => TargetKind::Registers,
            Self::MaterialColor { .. } => TargetKind::MaterialColors,
            Self::Visibility { .. } => TargetKind::Visibility,
            Self::ClusterWeight { .. } => TargetKind::Clusters,
            Self::VertexColor { .. } => TargetKind::VertexColors,
        }
    }
}

impl Target {
    /// Of what is joined by place or by the name of a material.
    pub fn is_of_a_part(&self) -> bool {
        !matches!(
            self,
            Self::JointTranslation(_)
                | Self::JointRotation(_)
                | Self::JointScale(_)
                | Self::JointMatrix(_)
                | Self::MorphWeight(_)
                | Self::VertexFrames { .. }
        )
    }
}

impl Channel {
    /// Plays `count` frames of the mesh of this name from `first` on, one a frame of the clip.
    pub fn vertex_frames(mesh: &str, first: u32, count: u32) -> Self {
        let sampler = Sampler::every_frame(super::sampler::Keys::Frames(count));
        Self {
            target: Target::VertexFrames { mesh: mesh.into(), first, count },
            sampler,
            unit: Unit::Plain,
            muted: false,
        }
    }
}
