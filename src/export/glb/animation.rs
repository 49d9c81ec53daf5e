use super::{
    BoundClip, ClipOrigin,
    animation_writer::{Empty, Writer, WrittenModel},
    buffers::{Bounds, Builder, Place},
    lods::MeshNodes,
    material_animation,
    mesh::FrameTargets,
    moments,
    nodes::usable,
    rig::Rig,
    sampled,
};
use crate::{
    export::{ExportError, Note, NoteSubject},
    scene::{
        BoundChannel, BoundTarget, Channel as ClipChannel, Interpolation, JointIndex, KeyTimes, Keys, MorphIndex,
        Sampler, Target, TargetKind, Transform, rotation_or_identity,
    },
};
use glam::{Quat, Vec3};
use gltf_json::{
    self as json, Index,
    animation::{self, Property},
};
use std::collections::BTreeMap;

/// Writes a clip as one animation: with the clip's own keys where glTF has their like, else with keys at the clip's own rate and
/// slopes between them. When it blends across its seam, a last key equal to the first ends it one frame later, so that a loop takes
/// as long as the clip's own.
pub fn write(
    builder: &mut Builder,
    written: &WrittenModel<'_>,
    bound: &BoundClip<'_>,
    origin: Option<&ClipOrigin>,
) -> Result<(), ExportError> {
    let clip = bound.clip;
    match clip.kind() {
        TargetKind::Joints | TargetKind::Morphs | TargetKind::Vertices => {}
        TargetKind::TextureMatrices
        | TargetKind::TextureSlots
        | TargetKind::Registers
        | TargetKind::MaterialColors
        | TargetKind::Visibility => {
            return material_animation::write(builder, written, bound, origin);
        }
        // Material sets are materials of the file (`variants`).
        TargetKind::Materials => return Ok(()),
        TargetKind::Clusters | TargetKind::VertexColors => {
            let name = &clip.name;
            let (what, several) = match clip.kind() {
                TargetKind::Clusters => ("moves clusters", "move clusters"),
                _ => ("animates vertex colours", "animate vertex colours"),
            };
            let text = format!("the clip “{name}” {what}, which glTF does not support, and is skipped");
            let several = format!("{several}, which glTF does not support, and are skipped");
            builder.note(Note::on(NoteSubject::Clip, name, text, several));
            return Ok(());
        }
    }
    let is_sampled = written.model.skeleton.is_some() && needs_sampling(written.rig, bound);
    builder.check(if is_sampled { moments::bytes(bound, written.rig, written.options) } else { bytes(bound) })?;
    let mut writer = Writer::new(builder, clip, written.options);
    // Of several channels on one thing the last one counts, as it does when the clip plays.
    let mut moving: BTreeMap<(JointIndex, u8), &BoundChannel> = BTreeMap::new();
    let mut morphs: BTreeMap<MorphIndex, &ClipChannel> = BTreeMap::new();
    let mut frames: Option<&ClipChannel> = None;
    for channel in bound.binding.channels() {
        let Some(source) = clip.channels.get(channel.channel as usize) else { continue };
        match (channel.target, &source.target) {
            (BoundTarget::Joint(joint), Target::JointTranslation(_)) => drop(moving.insert((joint, 0), channel)),
            (BoundTarget::Joint(joint), Target::JointRotation(_)) => drop(moving.insert((joint, 1), channel)),
            (BoundTarget::Joint(joint), Target::JointScale(_)) => drop(moving.insert((joint, 2), channel)),
            (BoundTarget::Morph(morph), _) => drop(morphs.insert(morph, source)),
            (BoundTarget::VertexFrames, _) => frames = Some(source),
            (BoundTarget::Joint(_) | BoundTarget::Material(_) | BoundTarget::Mesh(_), _) => {}
        }
    }
    if is_sampled {
        sampled::write(&mut writer, written, bound)?;
    } else {
        let skeleton = written.model.skeleton.as_ref().map(|s| s.joints()).unwrap_or_default();
        let nodes = written.joints.joints();
        for ((joint, _), channel) in moving {
            let (Some(node), Some(joint)) = (nodes.get(joint.as_usize()), skeleton.get(joint.as_usize())) else {
                continue;
            };
            let Some(source) = clip.channels.get(channel.channel as usize) else { continue };
            let bind = usable(&joint.bind);
            writer.joint(*node, source, channel.invert, bound.binding.additive(), &bind)?;
        }
    }
    let meshes = || written.mesh_nodes.iter().zip(&written.model.meshes);
    if let Some(channel) = frames {
        for ((node, mesh), targets) in meshes().zip(written.mesh_frames) {
            for node in node.iter().filter(|_| !targets.frames.is_empty()).flat_map(MeshNodes::all) {
                writer.frames(node, channel, mesh.morphs.len(), targets)?;
            }
        }
    } else if !morphs.is_empty() {
        let names = written.model.morph_names();
        for (node, mesh) in meshes() {
            let drivers: Vec<Option<&ClipChannel>> = mesh
                .morphs
                .iter()
                .map(|morph| {
                    let index = names.iter().position(|n| *n == morph.name)?;
                    morphs.get(&MorphIndex(index as u32)).copied()
                })
                .collect();
            for node in node.iter().filter(|_| drivers.iter().any(Option::is_some)).flat_map(MeshNodes::all) {
                writer.weights(node, &drivers)?;
            }
        }
    }
    writer.finish(if frames.is_some() { Empty::AtRest } else { Empty::Nothing }, origin);
    Ok(())
}

/// Whether a clip's keys are none that glTF has for the nodes that it moves.
fn needs_sampling(rig: &Rig, bound: &BoundClip<'_>) -> bool {
    let plain = || bound.clip.channels.iter().all(|channel| is_plain(&channel.sampler));
    bound.clip.kind() == TargetKind::Joints && (!bound.binding.joints().is_empty() || !rig.is_plain() || !plain())
}

/// Whether glTF can have the keys as they are.
fn is_plain(sampler: &Sampler) -> bool {
    sampler.cycle.is_none()
        && matches!(sampler.interpolation, Interpolation::Step | Interpolation::Linear)
        && matches!(sampler.keys, Keys::Vec3(_) | Keys::Rotation(_) | Keys::Scalar(_) | Keys::Frames(_))
}

/// Bytes that a clip's own keys take, about: those of the joints and morphs that it moves, with their times.
fn bytes(bound: &BoundClip<'_>) -> usize {
    let channels = bound.binding.channels().iter().filter_map(|c| bound.clip.channels.get(c.channel as usize));
    let of_channel = |channel: &ClipChannel| {
        let size = match channel.target {
            Target::JointRotation(_) => 16,
            Target::JointTranslation(_) | Target::JointScale(_) => 12,
            _ => 4,
        };
        channel.sampler.keys.len().saturating_mul(size)
    };
    channels.map(of_channel).fold(0, usize::saturating_add)
}

impl Writer<'_> {
    fn joint(
        &mut self,
        node: Index<json::Node>,
        channel: &ClipChannel,
        invert: bool,
        additive: bool,
        bind: &Transform,
    ) -> Result<(), ExportError> {
        let sampler = &channel.sampler;
        let frames = key_frames(sampler, self.wrap);
        if frames.is_empty() {
            return Ok(());
        }
        let place = Place::Open(self.view);
        let vectors = |base: Vec3, combine: fn(Vec3, Vec3) -> Vec3| -> Option<Vec<[f32; 3]>> {
            let at = |frame: &f32| {
                let value = sampler.vec3(*frame, self.wrap)?;
                let value = if additive { combine(base, value) } else { value };
                Some(if value.is_finite() { value } else { base }.to_array())
            };
            frames.iter().map(at).collect()
        };
        let (property, output) = match channel.target {
            Target::JointTranslation(_) => {
                let Some(values) = vectors(bind.translation, |a, b| a + b) else { return Ok(()) };
                (Property::Translation, self.builder.floats(&values, place, Bounds::No)?)
            }
            Target::JointScale(_) => {
                let Some(values) = vectors(bind.scale, |a, b| a * b) else { return Ok(()) };
                (Property::Scale, self.builder.floats(&values, place, Bounds::No)?)
            }
            Target::JointRotation(_) => {
                let Some(values) = self.rotations(sampler, &frames, invert, additive.then_some(bind.rotation)) else {
                    return Ok(());
                };
                (Property::Rotation, self.builder.floats(&values, place, Bounds::No)?)
            }
            _ => return Ok(()),
        };
        self.channel(node, property, &frames, output, sampler.interpolation)
    }

    fn rotations(
        &self,
        sampler: &Sampler,
        frames: &[f32],
        invert: bool,
        added_to: Option<Quat>,
    ) -> Option<Vec<[f32; 4]>> {
        let mut before = Quat::IDENTITY;
        frames
            .iter()
            .map(|frame| {
                let key = sampler.rotation(*frame, self.wrap)?;
                let key = if invert { key.conjugate() } else { key };
                let rotation = rotation_or_identity(added_to.map_or(key, |bind| key * bind));
                // The same rotation, signed so that programs which blend the four numbers take the short way as well.
                before = if before.dot(rotation) < 0.0 { -rotation } else { rotation };
                Some(before.to_array())
            })
            .collect()
    }

    /// The weights of all morphs of a mesh: glTF has one sampler for them, so that its keys are those of all of them together.
    fn weights(&mut self, node: Index<json::Node>, drivers: &[Option<&ClipChannel>]) -> Result<(), ExportError> {
        let mut frames: Vec<f32> = Vec::new();
        let stepped = |c: &&ClipChannel| c.sampler.interpolation == Interpolation::Step;
        let all_step = drivers.iter().flatten().all(stepped);
        for channel in drivers.iter().flatten() {
            let own = key_frames(&channel.sampler, self.wrap);
            if stepped(channel) && !all_step {
                // Among linear ones a step is a key right before the next.
                frames.extend(own.iter().filter(|f| **f > 0.0).map(|f| f.next_down()));
            }
            frames.extend(own);
        }
        frames.sort_by(f32::total_cmp);
        frames.dedup();
        if frames.is_empty() {
            return Ok(());
        }
        let mut values = Vec::with_capacity(frames.len() * drivers.len());
        for frame in &frames {
            for driver in drivers {
                let value = driver.and_then(|c| c.sampler.scalar(*frame, self.wrap)).unwrap_or(0.0);
                values.push([if value.is_finite() { value } else { 0.0 }]);
            }
        }
        let output = self.builder.floats(&values, Place::Open(self.view), Bounds::No)?;
        let interpolation = if all_step { Interpolation::Step } else { Interpolation::Linear };
        self.channel(node, Property::MorphTargetWeights, &frames, output, interpolation)
    }

    /// A mesh's frames one after the other: at each key the weight of its frame alone is one, so that between keys two of them
    /// make the straight line. `before` targets, those of morphs, stay at zero.
    fn frames(
        &mut self,
        node: Index<json::Node>,
        channel: &ClipChannel,
        before: usize,
        targets: &FrameTargets,
    ) -> Result<(), ExportError> {
        let Target::VertexFrames { first, count, .. } = channel.target else { return Ok(()) };
        let frames = key_frames(&channel.sampler, self.wrap);
        let width = before + targets.frames.len();
        self.builder.check(frames.len().saturating_mul(width).saturating_mul(4))?;
        let mut values = vec![[0.0_f32]; frames.len() * width];
        for (weights, frame) in values.chunks_exact_mut(width).zip(&frames) {
            // The key after the last is the first again.
            let shown = first + (*frame as u32 % count.max(1));
            if let Some(target) = targets.target(shown)
                && let Some(weight) = weights.get_mut(before + target as usize)
            {
                *weight = [1.0];
            }
        }
        let output = self.builder.floats(&values, Place::Open(self.view), Bounds::No)?;
        self.channel(node, Property::MorphTargetWeights, &frames, output, Interpolation::Linear)
    }

    fn channel(
        &mut self,
        node: Index<json::Node>,
        path: Property,
        frames: &[f32],
        output: Index<json::Accessor>,
        interpolation: Interpolation,
    ) -> Result<(), ExportError> {
        let mut before = -1.0_f32;
        let times: Vec<f32> = frames
            .iter()
            .map(|frame| {
                let time = frame / self.rate_hz;
                before = if time > before { time } else { before.next_up() };
                before
            })
            .collect();
        let input = self.times(&times)?;
        let interpolation = match interpolation {
            Interpolation::Step => animation::Interpolation::Step,
            _ => animation::Interpolation::Linear,
        };
        self.push(node, path, input, output, interpolation);
        Ok(())
    }
}

/// Frames at which keys are written: the sampler's own from 0 on, and where a loop ends.
fn key_frames(sampler: &Sampler, wrap: Option<f32>) -> Vec<f32> {
    let count = sampler.keys.len();
    let end = wrap.unwrap_or(f32::INFINITY);
    let mut frames: Vec<f32> = match &sampler.times {
        // The last key leads to the first over one frame.
        KeyTimes::EveryFrame => {
            let keys = count + usize::from(wrap.is_some() && count > 0);
            (0..keys).map(|k| k as f32).filter(|f| *f <= end).collect()
        }
        KeyTimes::At(times) => {
            let mut frames = Vec::with_capacity(times.len().min(count) + 1);
            for key in 0..count {
                let frame = sampler.key_frame(key);
                if !frame.is_finite() || frame > end {
                    continue;
                }
                // Of two keys at one time the first ends what comes before it, the second starts what follows.
                let doubled = key + 1 < count && sampler.key_frame(key + 1) == frame;
                frames.push(if doubled { frame.next_down() } else { frame }.max(0.0));
            }
            frames.dedup();
            if frames.last().is_some_and(|last| *last < end) && end.is_finite() {
                frames.push(end);
            }
            frames
        }
    };
    if frames.is_empty() && count > 0 {
        frames.push(0.0);
    }
    frames
}
