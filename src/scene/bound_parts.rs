//! What clips drive of a model by place or by a material's name: joints axis by axis, materials, meshes (formats/j3d.md
//! §3–5).

use super::{
    Channel, Clip, ClipJoint, ClipMaterial, Fit, Frame, JointAddressing, JointIndex, MaterialIndex, MeshIndex, Model,
    MorphIndex, Parts, PartsFit, PoseOptions, SineTable, Target, TargetKind, Transform, exact,
    gx::{MaterialState, TextureSrt, srt},
};
use glam::{Quat, Vec3};
use std::collections::{HashMap, HashSet};

/// What of a model a channel drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundTarget {
    /// A joint of the skeleton.
    Joint(JointIndex),
    /// A morph's weight.
    Morph(MorphIndex),
    /// A part of a material: a texture matrix, a colour or a texture.
    Material(MaterialIndex),
    /// A mesh's visibility.
    Mesh(MeshIndex),
    /// The frames of the meshes that the channel names ([`super::Target::VertexFrames`]).
    VertexFrames,
}

/// What a channel does to the pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundChannel {
    /// Into [`super::Clip::channels`].
    pub channel: u32,
    /// The part of the model that the channel drives.
    pub target: BoundTarget,
    /// Rotation keys are the inverse of the rotation ([`super::KeyRule::InverseOnFirstJoint`]).
    pub invert: bool,
}

/// Channels of a thing put together of several; `None` for a part without keys.
type Tracks<const N: usize> = [Option<u32>; N];

/// Names without a partner that are kept.
const MAX_UNMATCHED: usize = 8;

/// A joint that is driven whole: what has no channel is 1 for scales and 0 otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundJoint {
    /// Index of the model's joint.
    pub joint: JointIndex,
    /// Into [`Clip::channels`]: scale, angle and translation, each X, Y, Z.
    pub tracks: Tracks<9>,
}

/// A texture matrix that is driven whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundMatrix {
    pub material: MaterialIndex,
    /// Into [`Clip::texture_groups`].
    group: u32,
    /// Scale S, scale T, rotation, translation S, translation T.
    tracks: Tracks<5>,
}

/// A colour that is driven whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundColor {
    pub material: MaterialIndex,
    pub color: AnimatedColor,
    /// Red, green, blue, alpha.
    tracks: Tracks<4>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum AnimatedColor {
    Register(u8),
    Konst(u8),
    Material,
}

/// The texture of a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundSlot {
    pub material: MaterialIndex,
    pub slot: u8,
    pub channel: u32,
}

/// A part of a material that a clip drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum MaterialPart {
    /// A texture-matrix slot.
    Matrix(u8),
    Color(AnimatedColor),
    /// A texture-map slot.
    Texture(u8),
}

/// Where a clip's channels go.
#[derive(Clone, Debug, Default)]
pub(super) struct BoundParts {
    pub joints: Vec<BoundJoint>,
    pub matrices: Vec<BoundMatrix>,
    pub colors: Vec<BoundColor>,
    pub slots: Vec<BoundSlot>,
    /// Channel and mesh.
    pub meshes: Vec<(u32, MeshIndex)>,
}

impl BoundParts {
    /// The parts of materials that the clip drives.
    pub fn of_materials(&self, clip: &Clip) -> HashSet<(MaterialIndex, MaterialPart)> {
        let matrices = self.matrices.iter().filter_map(|bound| {
            Some((bound.material, MaterialPart::Matrix(clip.texture_groups.get(bound.group as usize)?.slot)))
        });
        let colors = self.colors.iter().map(|bound| (bound.material, MaterialPart::Color(bound.color)));
        let slots = self.slots.iter().map(|bound| (bound.material, MaterialPart::Texture(bound.slot)));
        matrices.chain(colors).chain(slots).collect()
    }

    /// Adds the channels that drive something to `channels`.
    pub fn new(clip: &Clip, model: &Model, channels: &mut Vec<BoundChannel>) -> (Self, Fit) {
        let materials = Materials::new(clip, model);
        let mut parts = Self::default();
        let (clip_joints, clip_meshes) = driven(clip);
        let joints = clip_joints.min(model.joint_count());
        let none = |joint| BoundJoint { joint, tracks: [None; 9] };
        parts.joints.extend((0..joints as u32).map(JointIndex).map(none));
        for (index, group) in clip.texture_groups.iter().enumerate() {
            if let Some(material) = materials.of(group.material) {
                parts.matrices.push(BoundMatrix { material, group: index as u32, tracks: [None; 5] });
            }
        }
        let mut colors: HashMap<(MaterialIndex, AnimatedColor), usize> = HashMap::new();
        for (index, channel) in clip.channels.iter().enumerate() {
            let index = index as u32;
            if let Some(target) = parts.join(index, &channel.target, model, &materials, &mut colors) {
                channels.push(BoundChannel { channel: index, target, invert: false });
            }
        }
        let fit = Fit {
            matched: joints,
            clip_joints,
            model_joints: model.joint_count(),
            parts: Some(parts_fit(clip, model, &materials, clip_joints, clip_meshes)),
            unmatched: materials.missing,
            ..Fit::default()
        };
        (parts, fit)
    }

    /// What a channel drives of the model, noted.
    fn join(
        &mut self,
        channel: u32,
        target: &Target,
        model: &Model,
        materials: &Materials,
        colors: &mut HashMap<(MaterialIndex, AnimatedColor), usize>,
    ) -> Option<BoundTarget> {
        let mut color = |this: &mut Self, material: ClipMaterial, color: AnimatedColor, part: u8| {
            let material = materials.of(material)?;
            let next = this.colors.len();
            let at = *colors.entry((material, color)).or_insert(next);
            if at == next {
                this.colors.push(BoundColor { material, color, tracks: [None; 4] });
            }
            *this.colors.get_mut(at)?.tracks.get_mut(usize::from(part))? = Some(channel);
            Some(BoundTarget::Material(material))
        };
        match *target {
            Target::JointScaleAxis { joint, axis } => self.join_axis(joint, axis, 0, channel),
            Target::JointEulerAxis { joint, axis } => self.join_axis(joint, axis, 3, channel),
            Target::JointTranslationAxis { joint, axis } => self.join_axis(joint, axis, 6, channel),
            Target::TextureSrt { group, part } => {
                let at = self.matrices.binary_search_by_key(&group, |m| m.group).ok()?;
                let matrix = self.matrices.get_mut(at)?;
                *matrix.tracks.get_mut(part as usize)? = Some(channel);
                Some(BoundTarget::Material(matrix.material))
            }
            Target::TextureSlot { material, slot } => {
                let material = materials.of(material)?;
                self.slots.push(BoundSlot { material, slot, channel });
                Some(BoundTarget::Material(material))
            }
            Target::Register { material, register, part } => {
                color(self, material, AnimatedColor::Register(register), part)
            }
            Target::Konst { material, konst, part } => color(self, material, AnimatedColor::Konst(konst), part),
            Target::MaterialColor { material, part } => color(self, material, AnimatedColor::Material, part),
            Target::Visibility { mesh } if mesh.as_usize() < model.meshes.len() => {
                self.meshes.push((channel, mesh));
                Some(BoundTarget::Mesh(mesh))
            }
            _ => None,
        }
    }

    fn join_axis(&mut self, joint: ClipJoint, axis: u8, first: usize, channel: u32) -> Option<BoundTarget> {
        let joint = joint.same_place();
        let track = first.checked_add(usize::from(axis)).filter(|_| axis < 3)?;
        *self.joints.get_mut(joint.as_usize())?.tracks.get_mut(track)? = Some(channel);
        Some(BoundTarget::Joint(joint))
    }

    /// Puts the clip's values at a frame into a pose.
    pub fn apply(&self, clip: &Clip, frame: f32, options: PoseOptions, out: &mut Frame) {
        let keys = Values::of(clip, options);
        for bound in &self.joints {
            if let Some(local) = out.local_mut(bound.joint) {
                *local = keys.joint(bound, frame, options.smooth_rotation);
            }
        }
        for bound in &self.matrices {
            let Some(state) = state(out, bound.material) else { continue };
            let Some((slot, matrix)) = keys.texture_matrix(bound, frame) else { continue };
            if let Some(place) = state.texture_srt.get_mut(usize::from(slot)) {
                *place = Some(matrix);
            }
        }
        for bound in &self.slots {
            let value = keys.value(Some(bound.channel), frame, 0.0);
            if let Some(slot) = state(out, bound.material).and_then(|s| s.textures.get_mut(usize::from(bound.slot))) {
                *slot = Some(value as u32);
            }
        }
        for bound in &self.colors {
            let Some(state) = state(out, bound.material) else { continue };
            let color = match bound.color {
                AnimatedColor::Register(index) => state.registers.get_mut(usize::from(index)),
                AnimatedColor::Konst(index) => state.konst.get_mut(usize::from(index)),
                AnimatedColor::Material => state.material_colors.first_mut(),
            };
            if let Some(color) = color {
                *color = keys.color(bound, frame);
            }
        }
        for (channel, mesh) in &self.meshes {
            if let Some(visible) = out.visible.get_mut(mesh.as_usize()) {
                *visible = keys.is_visible(*channel, frame);
            }
        }
    }
}

fn state(out: &mut Frame, material: MaterialIndex) -> Option<&mut MaterialState> {
    out.materials.get_mut(material.as_usize())?.as_mut()
}

/// A clip's keys in real units.
pub struct Values<'a> {
    pub clip: &'a Clip,
    /// Rounded as the game did.
    pub exact: bool,
    /// Its sines.
    sines: Option<SineTable>,
}

impl<'a> Values<'a> {
    pub fn of(clip: &'a Clip, options: PoseOptions) -> Self {
        Self { clip, exact: options.game_exact, sines: options.sines.filter(|_| options.game_exact) }
    }

    /// Of a channel, or what counts without one.
    #[inline]
    pub fn value(&self, channel: Option<u32>, frame: f32, without: f32) -> f32 {
        let Some(channel) = channel.and_then(|c| self.clip.channels.get(c as usize)) else { return without };
        self.raw(channel, frame).map_or(without, |raw| channel.unit.real(raw, self.exact))
    }

    /// In the file's numbers.
    #[inline]
    fn raw(&self, channel: &Channel, frame: f32) -> Option<f32> {
        if self.exact {
            channel.sampler.scalar_in_game(frame, channel.unit.key_numbers())
        } else {
            channel.sampler.scalar(frame, None)
        }
    }

    /// Angles about X, Y and Z as the game has them; `None` where a channel is no such angle.
    fn angles16(&self, bound: &BoundJoint, frame: f32) -> Option<[i16; 3]> {
        let [_, _, _, x, y, z, _, _, _] = bound.tracks;
        let angle = |track: Option<u32>| {
            let Some(channel) = track.and_then(|track| self.clip.channels.get(track as usize)) else { return Some(0) };
            channel.unit.angle16(self.raw(channel, frame).unwrap_or(0.0))
        };
        Some([angle(x)?, angle(y)?, angle(z)?])
    }

    fn rotation(&self, bound: &BoundJoint, frame: f32) -> Quat {
        let from_table = self.sines.and_then(|table| Some(table.rotation(self.angles16(bound, frame)?)));
        from_table.unwrap_or_else(|| rotation_of(self.euler(bound, frame)))
    }

    /// Angles about X, Y and Z in radians; the rotation is `Rz · Ry · Rx`.
    pub fn euler(&self, bound: &BoundJoint, frame: f32) -> Vec3 {
        let [_, _, _, x, y, z, _, _, _] = bound.tracks;
        self.vec3([x, y, z], frame, 0.0)
    }

    #[inline]
    fn vec3(&self, [x, y, z]: Tracks<3>, frame: f32, without: f32) -> Vec3 {
        let value = |track| self.value(track, frame, without);
        Vec3::new(value(x), value(y), value(z))
    }

    pub(super) fn color(&self, bound: &BoundColor, frame: f32) -> [f32; 4] {
        bound.tracks.map(|track| self.value(track, frame, 0.0))
    }

    /// With its slot.
    pub(super) fn texture_matrix(&self, bound: &BoundMatrix, frame: f32) -> Option<(u8, TextureSrt)> {
        let group = self.clip.texture_groups.get(bound.group as usize)?;
        let [ss, st, r, ts, tt] = bound.tracks;
        let scale = [self.value(ss, frame, 1.0), self.value(st, frame, 1.0)];
        let translation = [self.value(ts, frame, 0.0), self.value(tt, frame, 0.0)];
        Some((group.slot, srt(group.maya, group.center, scale, self.value(r, frame, 0.0), translation)))
    }

    pub(super) fn is_visible(&self, channel: u32, frame: f32) -> bool {
        self.value(Some(channel), frame, 1.0) >= 0.5
    }

    pub fn joint(&self, bound: &BoundJoint, frame: f32, smooth: bool) -> Transform {
        let [sx, sy, sz, _, _, _, tx, ty, tz] = bound.tracks;
        let rotation_at = |frame: f32| self.rotation(bound, frame);
        let whole = frame.floor();
        let rotation = if smooth && frame > whole {
            rotation_at(whole).slerp(rotation_at(whole + 1.0), frame - whole)
        } else {
            rotation_at(frame)
        };
        Transform {
            scale: self.vec3([sx, sy, sz], frame, 1.0),
            rotation,
            translation: self.vec3([tx, ty, tz], frame, 0.0),
        }
    }
}

/// `Rz · Ry · Rx`; nothing for angles that are none.
fn rotation_of(euler: Vec3) -> Quat {
    if euler.is_finite() { exact::rotation_zyx(euler.z, euler.y, euler.x) } else { Quat::IDENTITY }
}

/// Materials of a clip joined to a model's.
struct Materials {
    of_clip: Vec<Option<MaterialIndex>>,
    /// Names in the clip, repeats aside, and those of them that the model has.
    named: usize,
    matched: usize,
    missing: Vec<String>,
}

impl Materials {
    fn new(clip: &Clip, model: &Model) -> Self {
        let mut by_name: HashMap<&str, MaterialIndex> = HashMap::new();
        for (index, material) in (0..).map(MaterialIndex).zip(&model.materials) {
            by_name.entry(&material.name).or_insert(index);
        }
        let mut seen: HashMap<&str, Option<MaterialIndex>> = HashMap::new();
        let mut missing = Vec::new();
        let of_clip = clip.materials.iter().map(|name| {
            *seen.entry(name).or_insert_with(|| {
                let found = by_name.get(name.as_str()).copied();
                if found.is_none() && missing.len() < MAX_UNMATCHED {
                    missing.push(name.clone());
                }
                found
            })
        });
        let of_clip = of_clip.collect();
        Self { of_clip, named: seen.len(), matched: seen.values().flatten().count(), missing }
    }

    fn of(&self, material: ClipMaterial) -> Option<MaterialIndex> {
        self.of_clip.get(material.as_usize()).copied().flatten()
    }
}

/// Joints and meshes that a clip drives.
pub(super) fn driven(clip: &Clip) -> (usize, usize) {
    let (mut joints, mut meshes) = (0, 0);
    if let JointAddressing::ByPlace { driven } = clip.addressing {
        joints = clip.joints.len().max(driven as usize);
    }
    for channel in &clip.channels {
        match channel.target {
            Target::JointScaleAxis { joint, .. }
            | Target::JointEulerAxis { joint, .. }
            | Target::JointTranslationAxis { joint, .. } => joints = joints.max(joint.as_usize().saturating_add(1)),
            Target::Visibility { mesh } => meshes = meshes.max(mesh.as_usize().saturating_add(1)),
            _ => {}
        }
    }
    (joints, meshes)
}

fn parts_fit(clip: &Clip, model: &Model, materials: &Materials, joints: usize, meshes: usize) -> PartsFit {
    let fit = |what, matched, clip, model| PartsFit { what, matched, clip, model };
    let by_place = |what, clip: usize, model: usize| fit(what, clip.min(model), clip, model);
    let distinct = |of: fn(&Target) -> Option<u32>| {
        clip.channels.iter().filter_map(|c| of(&c.target)).max().map_or(0, |m| (m as usize).saturating_add(1))
    };
    if let Some(set) = &clip.material_set {
        let textures = set.textures.as_ref().map_or(0, Vec::len);
        return match set.materials.len() {
            0 => fit(Parts::TextureSet, textures, textures, model.textures.len()),
            count => by_place(Parts::MaterialSet, count, model.materials.len()),
        };
    }
    match clip.kind() {
        TargetKind::Visibility => by_place(Parts::Shapes, meshes, model.meshes.len()),
        TargetKind::Clusters => {
            let count = distinct(|t| if let Target::ClusterWeight { cluster } = t { Some(*cluster) } else { None });
            fit(Parts::Clusters, 0, count, 0)
        }
        TargetKind::VertexColors => {
            let count = distinct(|t| if let Target::VertexColor { group, .. } = t { Some(*group) } else { None });
            fit(Parts::VertexColors, 0, count, 0)
        }
        TargetKind::TextureMatrices
        | TargetKind::TextureSlots
        | TargetKind::Registers
        | TargetKind::MaterialColors
        | TargetKind::Materials => fit(Parts::Materials, materials.matched, materials.named, model.materials.len()),
        TargetKind::Joints | TargetKind::Morphs | TargetKind::Vertices => {
            by_place(Parts::Joints, joints, model.joint_count())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{
        Binding, BindingOptions, Channel, ClipEnd, Interpolation, Joint, Keys, Layer, Material, MaterialKind, Mesh,
        Sampler, Skeleton, SrtPart, TextureGroup, Unit, evaluate_with, gx::TevMaterial,
    };

    fn step(target: Target, unit: Unit, values: &[f32]) -> Channel {
        let keys = Keys::Scalar(values.to_vec());
        let sampler = Sampler { interpolation: Interpolation::Step, ..Sampler::every_frame(keys) };
        Channel { target, sampler, unit, muted: false }
    }

    /// Two joints away from the origin, materials “a”, “b” and again “a”, two meshes.
    fn model() -> Model {
        let bind = Transform { translation: Vec3::X, scale: Vec3::splat(2.0), ..Transform::IDENTITY };
        let joint = |name: &str| Joint { name: name.into(), parent: None, bind, ..Joint::default() };
        let tev = MaterialKind::Tev(Box::new(TevMaterial { registers: [[7; 4]; 3], ..TevMaterial::default() }));
        Model {
            skeleton: Some(Skeleton::new(vec![joint("one"), joint("two")], vec![])),
            materials: ["a", "b", "a"].map(|name| Material { name: name.into(), kind: tev.clone() }).to_vec(),
            meshes: vec![Mesh::default(); 2],
            ..Model::empty("model")
        }
    }

    fn clip(channels: Vec<Channel>) -> Clip {
        let names = ["a", "gone"].map(String::from);
        Clip {
            frame_count: 4,
            rate_hz: 30.0,
            end: ClipEnd::Duration,
            materials: names.into(),
            channels,
            ..Clip::default()
        }
    }

    fn posed(clip: &Clip, frame: f32, options: PoseOptions) -> (Frame, Fit) {
        let model = model();
        let binding = Binding::new(clip, &model, BindingOptions::default());
        let mut out = Frame::default();
        evaluate_with(&model, &[Layer { clip, binding: &binding, frame, looping: true }], &[], options, &mut out);
        (out, binding.fit)
    }

    const GAME: PoseOptions = PoseOptions { game_exact: true, sines: None, smooth_rotation: false, bind_pose: false };

    #[test]
    fn a_joint_with_single_axes_is_driven_whole_and_the_rest_stay() {
        let turn =
            step(Target::JointEulerAxis { joint: ClipJoint(0), axis: 2 }, Unit::Angle16 { shift: 1 }, &[8192.75]);
        let mut clip = Clip { addressing: JointAddressing::ByPlace { driven: 0 }, ..clip(vec![turn]) };
        let (frame, fit) = posed(&clip, 0.0, PoseOptions::default());
        let quarter = Quat::from_rotation_z(8192.75 * 2.0 / 32768.0 * std::f32::consts::PI);
        assert_eq!((frame.locals[0].scale, frame.locals[0].translation), (Vec3::ONE, Vec3::ZERO));
        assert!(frame.locals[0].rotation.angle_between(quarter) < 1e-3);
        assert_eq!(frame.locals[1].translation, Vec3::X, "the clip has one joint");
        assert_eq!(fit.to_string(), "1 of 2 joints match; the others keep their bind pose");
        assert_eq!((fit.share(), fit.is_complete(), fit.any()), (0.5, false, true));
        let (exact, _) = posed(&clip, 0.0, GAME);
        let cut = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        assert!(exact.locals[0].rotation.dot(cut) > 1.0 - 1e-7);
        clip.addressing = JointAddressing::ByPlace { driven: 5 };
        let (frame, fit) = posed(&clip, 0.0, PoseOptions::default());
        assert_eq!(frame.locals[1], Transform::IDENTITY);
        assert_eq!(fit.to_string(), "2 of 5 joints match; the others are not in the model");
    }

    #[test]
    fn angles_interpolate_one_by_one_unless_the_shorter_way_is_asked_for() {
        let at = |values: [f32; 2]| {
            let sampler = Sampler::every_frame(Keys::Scalar(values.to_vec()));
            let target = Target::JointEulerAxis { joint: ClipJoint(0), axis: 0 };
            clip(vec![Channel { target, sampler, unit: Unit::Angle16 { shift: 0 }, muted: false }])
        };
        // From 179° to −179°: half way the first passes 0°, the second 180°.
        let swings = at([32586.0, -32586.0]);
        let (frame, _) = posed(&swings, 0.5, PoseOptions::default());
        assert!(frame.locals[0].rotation.angle_between(Quat::IDENTITY) < 1e-3);
        let smooth = PoseOptions { smooth_rotation: true, ..PoseOptions::default() };
        let (frame, _) = posed(&swings, 0.5, smooth);
        assert!(frame.locals[0].rotation.angle_between(Quat::from_rotation_x(std::f32::consts::PI)) < 1e-3);
    }

    #[test]
    fn materials_go_by_their_first_name_and_colours_are_driven_whole() {
        let clip = clip(vec![
            step(Target::Register { material: ClipMaterial(0), register: 1, part: 0 }, Unit::Color11, &[-1500.5]),
            step(Target::Register { material: ClipMaterial(0), register: 1, part: 3 }, Unit::Color11, &[12.9]),
            step(Target::Konst { material: ClipMaterial(0), konst: 3, part: 2 }, Unit::Color8, &[300.5]),
            step(Target::MaterialColor { material: ClipMaterial(0), part: 1 }, Unit::Color8, &[-1.0]),
            step(Target::TextureSlot { material: ClipMaterial(0), slot: 2 }, Unit::Plain, &[4.0, 6.0]),
            step(Target::Register { material: ClipMaterial(1), register: 0, part: 0 }, Unit::Color11, &[1.0]),
            step(Target::Register { material: ClipMaterial(0), register: 3, part: 0 }, Unit::Color11, &[1.0]),
        ]);
        let (frame, fit) = posed(&clip, 1.9, PoseOptions::default());
        let state = frame.materials[0].as_ref().unwrap();
        assert_eq!(state.registers, [[7.0; 4], [-1500.5, 0.0, 0.0, 12.9], [7.0; 4]]);
        assert_eq!((state.konst[3], state.konst[0]), ([0.0, 0.0, 300.5, 0.0], [255.0; 4]));
        assert_eq!(state.material_colors, [[0.0, -1.0, 0.0, 0.0], [255.0; 4]]);
        assert_eq!((state.textures[2], state.textures[0]), (Some(6), None));
        assert_eq!(frame.materials[2].as_ref().unwrap().registers, [[7.0; 4]; 3], "the second of a name");
        assert_eq!(fit.to_string(), "1 of 2 materials match; the model has no “gone”");
        let (exact, _) = posed(&clip, 0.0, GAME);
        let state = exact.materials[0].as_ref().unwrap();
        assert_eq!((state.registers[1], state.konst[3]), ([-1024.0, 0.0, 0.0, 12.0], [0.0, 0.0, 255.0, 0.0]));
        assert_eq!(state.material_colors[0], [0.0; 4]);
    }

    #[test]
    fn the_number_of_a_material_is_not_taken_for_a_joint() {
        let mut model = model();
        let matrix = glam::Affine3A::from_scale(Vec3::splat(3.0));
        let mut joints = model.skeleton.take().unwrap().joints().to_vec();
        joints[0].bind_matrix = Some(matrix);
        model.skeleton = Some(Skeleton::new(joints, vec![]));
        let clip = clip(vec![step(Target::TextureSlot { material: ClipMaterial(0), slot: 2 }, Unit::Plain, &[4.0])]);
        let binding = Binding::new(&clip, &model, BindingOptions::default());
        assert_eq!(binding.channels()[0].target, BoundTarget::Material(MaterialIndex(0)));
        let mut out = Frame::default();
        let layer = Layer { clip: &clip, binding: &binding, frame: 0.0, looping: true };
        evaluate_with(&model, &[layer], &[], PoseOptions::default(), &mut out);
        assert_eq!(out.materials[0].as_ref().unwrap().textures[2], Some(4));
        assert_eq!(out.local(JointIndex(0)), Some(matrix), "joint 0 keeps its whole matrix");
    }

    #[test]
    fn a_texture_matrix_comes_of_its_group_where_the_material_has_none_too() {
        let group =
            |material, slot| TextureGroup { material: ClipMaterial(material), slot, center: [0.5, 0.5], maya: false };
        let mut clip = clip(vec![
            step(Target::TextureSrt { group: 1, part: SrtPart::ScaleT }, Unit::Plain, &[3.0]),
            step(Target::TextureSrt { group: 1, part: SrtPart::TranslationS }, Unit::Plain, &[0.25]),
        ]);
        clip.texture_groups = vec![group(1, 0), group(0, 4), group(0, 200)];
        let (frame, fit) = posed(&clip, 0.0, PoseOptions::default());
        let state = frame.materials[0].as_ref().unwrap();
        assert_eq!(state.texture_srt[4], Some(srt(false, [0.5, 0.5], [1.0, 3.0], 0.0, [0.25, 0.0])));
        assert_eq!(state.texture_srt[0], None);
        assert_eq!(fit.parts.map(|p| (p.what, p.matched)), Some((Parts::Materials, 1)));
    }

    #[test]
    fn meshes_hide_from_below_one_half() {
        let clip = clip(vec![
            step(Target::Visibility { mesh: MeshIndex(1) }, Unit::Plain, &[1.0, 0.0]),
            step(Target::Visibility { mesh: MeshIndex(9) }, Unit::Plain, &[0.0]),
        ]);
        assert_eq!(posed(&clip, 0.0, GAME).0.visible, [true, true]);
        let (frame, fit) = posed(&clip, 1.5, GAME);
        assert_eq!(frame.visible, [true, false]);
        assert_eq!(fit.to_string(), "2 of 10 shapes match; the others are not in the model");
    }

    #[test]
    fn vertices_are_drawn_with_blended_matrices() {
        use crate::scene::{DrawMatrix, DrawTerm};
        use glam::Affine3A;
        let mut model = model();
        let skeleton = model.skeleton.as_mut().unwrap();
        let term = |joint, weight, x: f32| DrawTerm {
            joint,
            weight,
            joint_from_bind: Affine3A::from_translation(Vec3::new(x, 0.0, 0.0)),
        };
        let blend = DrawMatrix { terms: vec![term(0, 0.25, 0.0), term(1, 0.75, -1.0), term(9, 0.5, 0.0)] };
        skeleton.draw_matrices = vec![DrawMatrix { terms: vec![term(1, 1.0, 0.0)] }, blend];
        let frame = Frame::bind(&model);
        // Both joints double and move by one.
        assert_eq!(frame.world_from_bind.len(), 2);
        assert_eq!(frame.world_from_bind[0].transform_point3(Vec3::X), Vec3::new(3.0, 0.0, 0.0));
        assert_eq!(frame.world_from_bind[1].transform_point3(Vec3::X), Vec3::new(0.25 * 3.0 + 0.75, 0.0, 0.0));
    }
}
