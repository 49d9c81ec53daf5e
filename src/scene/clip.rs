use super::Sampler;
use glam::Affine3A;
use std::sync::Arc;

/// What a clip does when it reaches its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LoopMode {
    /// Stops on the last frame.
    Once,
    #[default]
    Loop,
    /// Forth and back.
    PingPong,
}

/// An animation: channels over a stretch of frames.
#[derive(Clone, Debug)]
pub struct Clip {
    pub name: String,
    /// What the file groups it under; empty for none.
    pub group: String,
    /// Length in frames.
    pub frame_count: u32,
    /// Frames a second.
    pub rate_hz: f32,
    pub default_loop: LoopMode,
    /// When looping, the last frame blends into the first over one more frame: the period is `frame_count` frames instead of
    /// `frame_count − 1`.
    pub blends_across_seam: bool,
    /// Names of the joints that channels speak of; shared by the clips of one file.
    pub joints: Arc<[String]>,
    pub key_rule: KeyRule,
    pub channels: Vec<Channel>,
    /// What happens at which frame, ascending.
    pub markers: Vec<Marker>,
    /// Turns scene space back into the file's own, for `pose` of a clip alone and for exports.
    pub file_from_scene: Affine3A,
}

/// Something that the file wants to happen at a moment of a clip: a sound, an effect, a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// In the clip's frames, fractional.
    pub frame: f32,
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

/// Keys that drive one thing.
#[derive(Clone, Debug)]
pub struct Channel {
    pub target: Target,
    pub sampler: Sampler,
    /// The file says to leave the bind pose here, unless the user asks for the keys.
    pub muted: bool,
}

/// What a channel drives.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// Index into [`Clip::joints`].
    JointTranslation(u32),
    JointRotation(u32),
    JointScale(u32),
    /// By name.
    MorphWeight(String),
    /// Frames `first .. first + count` of the mesh of this name ([`super::VertexFrames`]), of any mesh where the name is empty;
    /// keys are [`super::sampler::Keys::Frames`].
    VertexFrames {
        mesh: Arc<str>,
        first: u32,
        count: u32,
    },
}

/// Kinds of targets: at most one playing clip drives each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TargetKind {
    #[default]
    Joints,
    Morphs,
    /// Whole frames of all points.
    Vertices,
}

impl Clip {
    /// Seconds from the first frame to the end of a run through.
    pub fn duration_secs(&self) -> f32 {
        if self.rate_hz > 0.0 { self.frame_count as f32 / self.rate_hz } else { 0.0 }
    }

    /// The last frame that can be shown without looping.
    pub fn last_frame(&self) -> f32 {
        self.frame_count.saturating_sub(1) as f32
    }

    /// Frames that one loop takes.
    pub fn loop_frames(&self) -> f32 {
        if self.blends_across_seam { self.frame_count as f32 } else { self.last_frame() }
    }

    /// What the clip drives: joints if there are any among its targets.
    pub fn kind(&self) -> TargetKind {
        let kinds = || self.channels.iter().map(|c| c.target.kind());
        if kinds().any(|k| k == TargetKind::Joints) { TargetKind::Joints } else { kinds().next().unwrap_or_default() }
    }
}

impl Target {
    pub fn kind(&self) -> TargetKind {
        match self {
            Self::JointTranslation(_) | Self::JointRotation(_) | Self::JointScale(_) => TargetKind::Joints,
            Self::MorphWeight(_) => TargetKind::Morphs,
            Self::VertexFrames { .. } => TargetKind::Vertices,
        }
    }
}

impl Channel {
    /// Plays `count` frames of the mesh of this name from `first` on, one a frame of the clip.
    pub fn vertex_frames(mesh: &str, first: u32, count: u32) -> Self {
        let sampler = Sampler::every_frame(super::sampler::Keys::Frames(count));
        Self { target: Target::VertexFrames { mesh: mesh.into(), first, count }, sampler, muted: false }
    }
}
