use super::{
    BoundClip, ClipOrigin, GlbOptions,
    buffers::{Bounds, Builder, Place},
    curve::{Curve, Track},
    frames::FrameTargets,
    material_animation,
    moments::{self, Moments},
    nodes::{JointNodes, usable},
    pointers::{self, Pointer, PointerChannel},
    rig::Rig,
    written_materials::WrittenMaterials,
};
use crate::{
    export::ExportError,
    scene::{
        BoundChannel, BoundTarget, Channel as ClipChannel, Clip, Interpolation, JointIndex, KeyTimes, Keys, Model,
        MorphIndex, Sampler, Target, TargetKind, Transform, rotation_or_identity,
    },
};
use glam::{Quat, Vec3, Vec4};
use gltf_json::{
    self as json, Index,
    animation::{self, Property},
    buffer::View,
    validation::Checked::Valid,
};
use std::collections::{BTreeMap, HashMap};

/// How far from a clip its keys may lead in between before that is said, as a share of the model's size.
const AWAY: f32 = 1e-4;

/// A model in a file, which clips are written for.
#[derive(Clone, Copy)]
pub struct WrittenModel<'a> {
    /// As clips play on it.
    pub played: &'a Model,
    /// With every influence on a joint.
    pub model: &'a Model,
    pub rig: &'a Rig,
    /// The nodes of the rig in bind pose.
    pub rest: &'a [Transform],
    pub joints: &'a JointNodes,
    /// One for each mesh.
    pub mesh_nodes: &'a [Option<Index<json::Node>>],
    pub mesh_frames: &'a [FrameTargets],
    pub materials: &'a WrittenMaterials,
    pub options: &'a GlbOptions,
}

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
            let writer = Writer::new(builder, clip, written.options);
            return material_animation::write(writer, written, bound, origin);
        }
        TargetKind::Materials | TargetKind::Clusters | TargetKind::VertexColors => {
            let name = &clip.name;
            let what = match clip.kind() {
                TargetKind::Materials => "puts other materials in the place of the model's",
                TargetKind::Clusters => "moves clusters",
                _ => "animates colours of vertices",
            };
            builder.note(format!("the clip “{name}” {what}, which glTF cannot hold: it is left out"));
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
        writer.sampled(written, bound)?;
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
            if let Some(node) = node.filter(|_| !targets.frames.is_empty()) {
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
            if let Some(node) = node
                && drivers.iter().any(Option::is_some)
            {
                writer.weights(*node, &drivers)?;
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

/// Why an animation may have no channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// The clip drives nothing of the model.
    Nothing,
    /// It shows the mesh, but nothing that differs from its rest.
    AtRest,
    /// A note has told already.
    Said,
}

/// An animation as it grows.
pub struct Writer<'a> {
    builder: &'a mut Builder,
    clip: &'a Clip,
    rate_hz: f32,
    /// Frames that a loop takes, when the last key leads back to the first.
    wrap: Option<f32>,
    view: Index<View>,
    /// Accessors of key times, by the bits of the times.
    inputs: HashMap<Vec<u32>, Index<json::Accessor>>,
    animation: json::Animation,
    pointers: Vec<(Index<animation::Sampler>, Pointer)>,
}

impl<'a> Writer<'a> {
    fn new(builder: &'a mut Builder, clip: &'a Clip, options: &GlbOptions) -> Self {
        let rate_hz = moments::rate_of(clip, options);
        if clip.usable_rate() != clip.rate_hz {
            let (name, said) = (&clip.name, clip.rate_hz);
            builder.note(format!(
                "the clip “{name}” says {said} frames a second, which is no rate: {rate_hz} are written"
            ));
        }
        let view = builder.open_view();
        Self {
            builder,
            clip,
            rate_hz,
            wrap: clip.blends_across_seam.then_some(clip.frame_count as f32),
            view,
            inputs: HashMap::new(),
            animation: json::Animation {
                extensions: None,
                extras: None,
                channels: Vec::new(),
                name: Some(clip.name.clone()),
                samplers: Vec::new(),
            },
            pointers: Vec::new(),
        }
    }

    pub fn rate_hz(&self) -> f32 {
        self.rate_hz
    }

    /// A note on the clip.
    pub fn note(&mut self, what: &str) {
        let name = &self.clip.name;
        self.builder.note(format!("the clip “{name}”: {what}"));
    }

    pub fn check(&self, more: usize) -> Result<(), ExportError> {
        self.builder.check(more)
    }

    pub fn base_color_factor(&self, material: Index<json::Material>) -> [f32; 4] {
        let material = self.builder.root.materials.get(material.value());
        material.map_or([1.0; 4], |material| material.pbr_metallic_roughness.base_color_factor.0)
    }

    pub fn finish(mut self, empty: Empty, origin: Option<&ClipOrigin>) {
        self.builder.close_view(self.view);
        self.animation.extras = extras(self.clip, self.rate_hz, origin);
        if !self.animation.samplers.is_empty() {
            let animation = self.builder.root.animations.len();
            for (sampler, pointer) in self.pointers {
                self.builder.uses_extension(pointers::POINTER);
                pointer.extension().into_iter().for_each(|extension| self.builder.uses_extension(extension));
                self.builder.pointers.push(PointerChannel { animation, sampler, pointer });
            }
            self.builder.root.animations.push(self.animation);
            return;
        }
        self.builder.root.buffer_views.pop();
        let name = &self.clip.name;
        match empty {
            Empty::Nothing => {
                self.builder.note(format!("nothing of the clip “{name}” drives this model: it is left out"));
            }
            Empty::AtRest => {
                self.builder.note(format!("the clip “{name}” shows the mesh as it rests: it is left out"));
            }
            Empty::Said => {}
        }
    }

    /// Keys of vectors of `N` numbers for what a pointer points to.
    pub fn numbers<const N: usize>(&mut self, pointer: Pointer, curve: &Curve) -> Result<(), ExportError> {
        let of = |value: &Vec4| std::array::from_fn(|part| value[part]);
        let values: Vec<[f32; N]> = curve.values.iter().map(of).collect();
        let output = self.builder.floats(&values, Place::Open(self.view), Bounds::No)?;
        self.point(pointer, curve, output)
    }

    /// Keys of what is or is not.
    pub fn flags(&mut self, pointer: Pointer, curve: &Curve) -> Result<(), ExportError> {
        let values: Vec<u8> = curve.values.iter().map(|value| u8::from(value.x >= 0.5)).collect();
        let output = self.builder.flags(&values, Place::Open(self.view))?;
        self.point(pointer, curve, output)
    }

    fn point(&mut self, pointer: Pointer, curve: &Curve, output: Index<json::Accessor>) -> Result<(), ExportError> {
        let input = self.times(&curve.times)?;
        let sampler = self.sampler(input, output, curve.interpolation);
        self.pointers.push((sampler, pointer));
        Ok(())
    }

    fn sampler(
        &mut self,
        input: Index<json::Accessor>,
        output: Index<json::Accessor>,
        interpolation: animation::Interpolation,
    ) -> Index<animation::Sampler> {
        let interpolation = Valid(interpolation);
        let sampler = animation::Sampler { extensions: None, extras: None, input, interpolation, output };
        Index::push(&mut self.animation.samplers, sampler)
    }

    /// The nodes of the rig that the clip moves.
    fn sampled(&mut self, written: &WrittenModel<'_>, bound: &BoundClip<'_>) -> Result<(), ExportError> {
        let WrittenModel { played, rig, rest, options, .. } = *written;
        let moments = moments::moments(played, rig, bound, options)?;
        let driven = moments::driven(bound, rig.joint_count());
        let size = played.bounds().diagonal();
        let mut away = 0.0_f32;
        for (at, ((node, of_rig), rest)) in written.joints.nodes.iter().zip(&rig.nodes).zip(rest).enumerate() {
            let is_driven = driven.get(of_rig.joint.as_usize()) == Some(&true);
            for property in [Property::Translation, Property::Rotation, Property::Scale] {
                let track = track(&moments, at, property);
                let rests = track.constant() == Some(value(rest, property));
                if rests && (!is_driven || rig.is_helped(of_rig.joint)) {
                    continue;
                }
                let curve = track.curve(&moments.frames, self.rate_hz);
                away = away.max(match property {
                    Property::Translation if size > 0.0 => curve.error / size,
                    Property::Translation => 0.0,
                    _ => curve.error,
                });
                self.curve(*node, property, &curve)?;
            }
        }
        if away > AWAY {
            let (name, percent) = (&self.clip.name, away * 100.0);
            self.builder.note(format!(
                "between its keys the clip “{name}” is off by up to {percent:.2} % of the model's size: it moves faster than \
                 its rate shows, and keys at a higher rate follow it closer"
            ));
        }
        Ok(())
    }

    fn curve(&mut self, node: Index<json::Node>, property: Property, curve: &Curve) -> Result<(), ExportError> {
        let place = Place::Open(self.view);
        let output = match property {
            Property::Rotation => {
                let values: Vec<[f32; 4]> = curve.values.iter().map(Vec4::to_array).collect();
                self.builder.floats(&values, place, Bounds::No)?
            }
            _ => {
                let values: Vec<[f32; 3]> = curve.values.iter().map(|value| value.truncate().to_array()).collect();
                self.builder.floats(&values, place, Bounds::No)?
            }
        };
        let input = self.times(&curve.times)?;
        self.push(node, property, input, output, curve.interpolation);
        Ok(())
    }

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

    fn push(
        &mut self,
        node: Index<json::Node>,
        path: Property,
        input: Index<json::Accessor>,
        output: Index<json::Accessor>,
        interpolation: animation::Interpolation,
    ) {
        let sampler = self.sampler(input, output, interpolation);
        let target = animation::Target { extensions: None, extras: None, node, path: Valid(path) };
        self.animation.channels.push(animation::Channel { sampler, target, extensions: None, extras: None });
    }

    /// Key times in seconds, ascending; channels with equal ones share them.
    fn times(&mut self, times: &[f32]) -> Result<Index<json::Accessor>, ExportError> {
        let key: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(known) = self.inputs.get(&key) {
            return Ok(*known);
        }
        let times: Vec<[f32; 1]> = times.iter().map(|time| [*time]).collect();
        let accessor = self.builder.floats(&times, Place::Open(self.view), Bounds::Yes)?;
        self.inputs.insert(key, accessor);
        Ok(accessor)
    }
}

/// What an animation says of its clip: where it lies, and how long and how fast it plays.
fn extras(clip: &Clip, rate_hz: f32, origin: Option<&ClipOrigin>) -> json::Extras {
    let mut said = serde_json::Map::new();
    if let Some(origin) = origin {
        said.insert("file".to_owned(), origin.file.as_str().into());
        said.insert("entry".to_owned(), origin.entry.as_str().into());
    }
    said.insert("frames".to_owned(), moments::played_frames(clip).into());
    said.insert("rate_hz".to_owned(), rate_hz.into());
    json::extras::RawValue::from_string(serde_json::Value::Object(said).to_string()).ok()
}

fn value(transform: &Transform, property: Property) -> Vec4 {
    match property {
        Property::Translation => transform.translation.extend(0.0),
        Property::Rotation => transform.rotation.into(),
        Property::Scale | Property::MorphTargetWeights => transform.scale.extend(0.0),
    }
}

fn track(moments: &Moments, node: usize, property: Property) -> Track {
    let value = |transform: Transform| value(&transform, property);
    let ways = (0..moments.ways()).map(|way| moments.way(way, node).map(value)).collect();
    let last = value(moments.last(node));
    match property {
        Property::Rotation => Track::rotations(ways, last),
        _ => Track::vectors(ways, last),
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
