use super::{
    BoundChannel, BoundTarget, Channel, Clip, ClipJoint, Fit, JointAddressing, JointIndex, JointTrack, KeyRule, Mesh,
    Model, MorphIndex, Parts, PartsFit, Target,
    bound_parts::{BoundJoint, BoundParts},
};
use std::collections::HashMap;

/// Where joints' positions come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Translation {
    /// As the file says: the keys, except where it names bones that keep the mesh's.
    #[default]
    Auto,
    /// The clip's keys, whatever the file says.
    Clip,
    /// The mesh's bind pose, except for the root, which carries the motion.
    Mesh,
}

/// The user's switches for playing a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct BindingOptions {
    /// Source of the joints' positions.
    pub translation: Translation,
    /// Keys are added to the bind pose, also where they are not seen to be differences from it.
    pub additive: bool,
    /// Rotation keys are read the same way on every joint ([`KeyRule::InverseOnFirstJoint`] is not applied).
    pub ignore_key_rule: bool,
}

/// A clip's channels joined to what they drive of a model, worked out once.
#[derive(Clone, Debug, Default)]
pub struct Binding {
    /// How well the clip fits the model.
    pub fit: Fit,
    pub(super) channels: Vec<BoundChannel>,
    pub(super) additive: bool,
    pub(super) parts: BoundParts,
    /// Joints of the model whose channels are multiplied to the bind pose ([`JointTrack::relative`]).
    pub(super) relative: Vec<JointIndex>,
    /// Joints of the model that channels put together from nothing: their bind pose is a whole matrix, which has no parts that
    /// could be kept.
    pub(super) anew: Vec<JointIndex>,
}

impl Binding {
    /// Joins by name, blanks and case aside; the n-th of several equal names to the n-th. Roots of different names are joined
    /// when every other joint of the clip has a partner (formats/actorx.md §5). Clips that say so speak of joints by place;
    /// meshes go by place and materials by their exact name, the first of a name. Clips of tracks drive every joint that has
    /// a track's number.
    pub fn new(clip: &Clip, model: &Model, options: BindingOptions) -> Self {
        if clip.joins_parts() {
            let mut channels = Vec::new();
            let (parts, fit) = BoundParts::new(clip, model, &mut channels);
            return Self { fit, channels, parts, ..Self::default() };
        }
        if let JointAddressing::ByTrack(tracks) = &clip.addressing {
            return Self::of_tracks(clip, tracks, model, options);
        }
        let (joints, mut fit) = match_joints(clip, model);
        let joint_of = |joint: ClipJoint| joints.get(joint.as_usize()).copied().flatten();
        let morphs: Vec<String> = model.morph_names().iter().map(|n| n.to_lowercase()).collect();
        let mut channels = Vec::new();
        for (index, channel) in clip.channels.iter().enumerate() {
            let bound = match &channel.target {
                Target::JointTranslation(joint) => joint_of(*joint)
                    .filter(|target| uses_translation(channel, *target, options))
                    .map(|target| (BoundTarget::Joint(target), false)),
                Target::JointRotation(joint) => {
                    joint_of(*joint).map(|target| (BoundTarget::Joint(target), inverts(clip, target, options)))
                }
                Target::JointScale(joint) => joint_of(*joint).map(|target| (BoundTarget::Joint(target), false)),
                Target::MorphWeight(name) => {
                    let name = name.to_lowercase();
                    let found = morphs.iter().position(|m| *m == name);
                    fit.matched_morphs = fit.matched_morphs.saturating_add(usize::from(found.is_some()));
                    found.map(|target| (BoundTarget::Morph(MorphIndex(target as u32)), false))
                }
                Target::VertexFrames { mesh, first, count } => {
                    let named = |m: &&Mesh| mesh.is_empty() || m.name.eq_ignore_ascii_case(mesh);
                    let frames = model.meshes.iter().filter(named).filter_map(|m| m.vertex_frames.as_ref());
                    let there = frames.map(|f| f.frame_count()).max().unwrap_or(0);
                    let needed = first.saturating_add(*count);
                    fit.frames = Some((mesh.to_string(), needed, there));
                    (needed <= there).then_some((BoundTarget::VertexFrames, false))
                }
                _ => None,
            };
            if let Some((target, invert)) = bound {
                channels.push(BoundChannel { channel: index as u32, target, invert });
            }
        }
        let additive = options.additive || is_of_differences(clip, &channels, model);
        Self { fit, channels, additive, ..Self::default() }
    }

    fn of_tracks(clip: &Clip, tracks: &[JointTrack], model: &Model, options: BindingOptions) -> Self {
        let joints = model.skeleton.as_ref().map(|s| s.joints()).unwrap_or_default();
        let mut by_track: HashMap<u32, Vec<JointIndex>> = HashMap::new();
        for (index, joint) in (0..).map(JointIndex).zip(joints) {
            if let Some(track) = joint.track {
                by_track.entry(track).or_default().push(index);
            }
        }
        let joints_of = |joint: ClipJoint| -> &[JointIndex] {
            let track = tracks.get(joint.as_usize());
            track.and_then(|track| by_track.get(&track.number)).map(Vec::as_slice).unwrap_or_default()
        };
        let mut binding = Self { additive: options.additive, ..Self::default() };
        for (index, channel) in (0..).zip(&clip.channels) {
            let (Target::JointTranslation(joint)
            | Target::JointRotation(joint)
            | Target::JointScale(joint)
            | Target::JointMatrix(joint)) = &channel.target
            else {
                continue;
            };
            for target in joints_of(*joint) {
                let plays = !matches!(channel.target, Target::JointTranslation(_))
                    || uses_translation(channel, *target, options);
                if plays {
                    let target = BoundTarget::Joint(*target);
                    binding.channels.push(BoundChannel { channel: index, target, invert: false });
                }
            }
        }
        let mut matched = 0_usize;
        for (joint, track) in (0..).map(ClipJoint).zip(tracks) {
            let driven = joints_of(joint);
            matched = matched.saturating_add(usize::from(!driven.is_empty()));
            binding.fit.matched = binding.fit.matched.saturating_add(driven.len());
            let has_matrix = |index: &JointIndex| joints.get(index.as_usize()).is_some_and(|j| j.bind_matrix.is_some());
            if track.relative {
                binding.relative.extend(driven);
            } else {
                binding.anew.extend(driven.iter().copied().filter(has_matrix));
            }
        }
        let unmatched = clip.joints.iter().zip((0..).map(ClipJoint)).filter(|(_, joint)| joints_of(*joint).is_empty());
        binding.fit = Fit {
            clip_joints: tracks.len(),
            model_joints: joints.len(),
            unmatched: unmatched.take(8).map(|(name, _)| name.clone()).collect(),
            parts: Some(PartsFit {
                what: Parts::Tracks { joints: binding.fit.matched },
                matched,
                clip: tracks.len(),
                model: joints.len(),
            }),
            ..binding.fit
        };
        binding
    }

    /// What plays: the channels that drive something, in the clip's order.
    pub fn channels(&self) -> &[BoundChannel] {
        &self.channels
    }

    /// Joints that are driven axis by axis.
    pub fn joints(&self) -> &[BoundJoint] {
        &self.parts.joints
    }

    /// Joints of the model whose channels are multiplied to the bind pose ([`JointTrack::relative`]).
    pub fn relative(&self) -> &[JointIndex] {
        &self.relative
    }

    /// Whether keys are added to the bind pose.
    pub fn additive(&self) -> bool {
        self.additive
    }
}

/// Joints with a place of their own that a clip must leave there before its keys are taken for differences.
const LEAST_JOINTS: usize = 4;

/// A key of at most this share of a joint's distance from its parent moves it by a difference, and is no place of its own.
const SMALL: f32 = 0.1;

/// The cosine of half the angle by which a difference turns a joint at most at a clip's start: 34 degrees.
const LITTLE_TURN: f32 = 0.955;

/// Whether a clip is one that games add to another: its keys are differences from the bind pose, and no poses. At its start
/// nearly every joint is where its parent is, though nearly none is at rest, and hardly turned; where the clip's name says that it
/// is additive, hardly turned is enough.
fn is_of_differences(clip: &Clip, channels: &[BoundChannel], model: &Model) -> bool {
    let joints = model.skeleton.as_ref().map(|s| s.joints()).unwrap_or_default();
    let (mut placed, mut moved_little) = (0_usize, 0_usize);
    let (mut turned, mut turned_little) = (0_usize, 0_usize);
    for bound in channels {
        let (Some(channel), BoundTarget::Joint(joint)) = (clip.channels.get(bound.channel as usize), bound.target)
        else {
            continue;
        };
        let rest = joints.get(joint.as_usize()).map_or(0.0, |joint| joint.bind.translation.length());
        match channel.target {
            Target::JointTranslation(_) if rest > f32::EPSILON => {
                let is_little = channel.sampler.vec3(0.0, None).is_some_and(|key| key.length() <= rest * SMALL);
                placed = placed.saturating_add(1);
                moved_little = moved_little.saturating_add(usize::from(is_little));
            }
            Target::JointRotation(_) => {
                let key = channel.sampler.rotation(0.0, None);
                let is_little = key.is_some_and(|key| key.w.abs() >= LITTLE_TURN);
                turned = turned.saturating_add(1);
                turned_little = turned_little.saturating_add(usize::from(is_little));
            }
            _ => {}
        }
    }
    let nearly_all = |some: usize, all: usize| some.saturating_mul(10) >= all.saturating_mul(9);
    let keeps_places = placed >= LEAST_JOINTS && nearly_all(moved_little, placed);
    turned >= LEAST_JOINTS && nearly_all(turned_little, turned) && (keeps_places || is_called_additive(&clip.name))
}

/// Whether a clip's name says that it is added to another: `Aim_Additive`, `recoil_add`.
pub fn is_called_additive(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("additive") || name.split(|c: char| !c.is_alphanumeric()).any(|word| word == "add")
}

fn uses_translation(channel: &Channel, target: JointIndex, options: BindingOptions) -> bool {
    match options.translation {
        Translation::Auto => !channel.muted,
        Translation::Clip => true,
        Translation::Mesh => target == JointIndex::FIRST,
    }
}

fn inverts(clip: &Clip, target: JointIndex, options: BindingOptions) -> bool {
    clip.key_rule == KeyRule::InverseOnFirstJoint && target == JointIndex::FIRST && !options.ignore_key_rule
}

/// A name as joints are found by it: those that have one key find each other.
pub fn joint_key(name: &str) -> String {
    name.trim_end_matches(' ').to_lowercase()
}

/// For each of [`Clip::joints`] the model's.
fn match_joints(clip: &Clip, model: &Model) -> (Vec<Option<JointIndex>>, Fit) {
    let joints = model.skeleton.as_ref().map(|s| s.joints()).unwrap_or_default();
    let mut by_name: HashMap<String, std::collections::VecDeque<JointIndex>> = HashMap::new();
    for (index, joint) in (0..).map(JointIndex).zip(joints) {
        by_name.entry(joint_key(&joint.name)).or_default().push_back(index);
    }
    let mut joint_of: Vec<Option<JointIndex>> =
        clip.joints.iter().map(|name| by_name.get_mut(&joint_key(name)).and_then(|list| list.pop_front())).collect();
    let mut fit = Fit { clip_joints: clip.joints.len(), model_joints: joints.len(), ..Fit::default() };
    let missing: Vec<usize> = joint_of.iter().enumerate().filter(|(_, j)| j.is_none()).map(|(i, _)| i).collect();
    let root_taken = joint_of.contains(&Some(JointIndex::FIRST));
    if missing == [0]
        && !root_taken
        && joint_of.len() > 1
        && let (Some(slot), Some(clip_root), Some(root)) = (joint_of.first_mut(), clip.joints.first(), joints.first())
    {
        *slot = Some(JointIndex::FIRST);
        fit.renamed_root = Some((clip_root.clone(), root.name.clone()));
    }
    fit.matched = joint_of.iter().flatten().count();
    fit.unmatched = clip
        .joints
        .iter()
        .zip(&joint_of)
        .filter(|(_, joint)| joint.is_none())
        .take(8)
        .map(|(name, _)| name.clone())
        .collect();
    (joint_of, fit)
}
