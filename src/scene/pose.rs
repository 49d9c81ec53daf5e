//! Posing: clips at a time become matrices and weights.

use super::{
    Binding, BoundTarget, Clip, Frame, FramePair, JointIndex, Model, PoseOptions, Skeleton, Target, TargetKind,
    Transform, gx::MaterialState,
};
use glam::Affine3A;

/// A clip at a frame.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    /// The clip to evaluate.
    pub clip: &'a Clip,
    /// The clip's channels joined to the parts of the model that they drive.
    pub binding: &'a Binding,
    /// In the clip's own frames, fractional.
    pub frame: f32,
    /// Past the last frame, blend into the first one.
    pub looping: bool,
}

impl Layer<'_> {
    /// Whether two clips cannot play together: they are of one kind, and drive the same part of a material or something else
    /// than parts of materials.
    pub fn is_rival_of(&self, other: &Layer<'_>) -> bool {
        let kind = self.clip.kind();
        let has_parts = matches!(
            kind,
            TargetKind::TextureMatrices | TargetKind::TextureSlots | TargetKind::Registers | TargetKind::MaterialColors
        );
        kind == other.clip.kind()
            && (!has_parts || {
                let [own, others] = [self, other].map(|layer| layer.binding.parts.of_materials(layer.clip));
                !own.is_disjoint(&others)
            })
    }
}

impl Frame {
    /// The bind pose.
    pub fn bind(model: &Model) -> Self {
        let mut frame = Self::default();
        evaluate(model, &[], &[], &mut frame);
        frame
    }
}

/// Poses a model: bind pose, `morph_weights` set by hand (missing ones are 0), then each layer over it.
pub fn evaluate(model: &Model, layers: &[Layer<'_>], morph_weights: &[f32], out: &mut Frame) {
    evaluate_with(model, layers, morph_weights, PoseOptions::default(), out);
}

/// [`evaluate`], with options.
pub fn evaluate_with(
    model: &Model,
    layers: &[Layer<'_>],
    morph_weights: &[f32],
    options: PoseOptions,
    out: &mut Frame,
) {
    out.locals.clear();
    out.matrices.clear();
    if let Some(skeleton) = &model.skeleton {
        out.locals.extend(skeleton.joints().iter().map(|j| j.bind));
        skeleton.bind_matrices(&mut out.matrices);
    }
    out.morph_weights.clear();
    if model.meshes.iter().any(|m| !m.morphs.is_empty()) {
        out.morph_weights.extend_from_slice(morph_weights);
        out.morph_weights.resize(model.morph_names().len(), 0.0);
    }
    out.vertex_frames = None;
    out.visible.clear();
    out.visible.resize(model.meshes.len(), true);
    let sets = layers.iter().filter_map(|l| l.clip.material_set.as_deref());
    let replaced = sets.flat_map(|s| s.materials.iter().enumerate());
    out.materials.clear();
    out.materials.extend(model.materials.iter().map(|m| m.tev().map(MaterialState::of)));
    for (index, material) in replaced {
        if let Some(state) = out.materials.get_mut(index) {
            *state = material.tev().map(MaterialState::of);
        }
    }
    for layer in layers {
        apply(layer, model.skeleton.as_ref(), out);
        layer.binding.parts.apply(layer.clip, layer.frame, options, out);
    }
    out.place_joints(model, options);
    if options.bind_pose && !layers.iter().any(|layer| layer.clip.kind() == TargetKind::Joints) {
        model.skeleton.iter().for_each(|skeleton| out.place_in_bind_pose(skeleton));
    }
}

/// World matrices from local ones, by the skeleton's hierarchy.
pub fn world_from_locals(skeleton: &Skeleton, locals: &[Affine3A], world: &mut [Affine3A]) {
    for index in skeleton.order() {
        let index = *index as usize;
        let Some(local) = locals.get(index) else { continue };
        let parent = skeleton.joints().get(index).and_then(|j| j.moving_parent());
        let parent = parent.and_then(|p| world.get(p as usize)).copied();
        if let Some(world) = world.get_mut(index) {
            *world = parent.map_or(*local, |parent| parent * *local);
        }
    }
}

/// A transform behind another one, where that is a transform again.
fn composed(first: &Transform, then: &Transform) -> Option<Transform> {
    let Transform { translation, rotation, scale } = *first;
    let is_uniform = scale.x == scale.y && scale.y == scale.z;
    is_uniform.then(|| Transform {
        translation: translation + rotation * (scale * then.translation),
        rotation: rotation * then.rotation,
        scale: scale * then.scale,
    })
}

/// Multiplies what channels gave a joint to its bind pose.
fn relate(joint: JointIndex, skeleton: &Skeleton, out: &mut Frame) {
    let Some(of) = skeleton.joints().get(joint.as_usize()) else { return };
    let is_plain = of.bind_matrix.is_none() && of.scale_axes.is_none();
    let has_matrix = out.matrices.get(joint.as_usize()).is_some_and(Option::is_some);
    let local = out.locals.get(joint.as_usize()).and_then(|local| composed(&of.bind, local));
    if let Some(local) = local.filter(|_| is_plain && !has_matrix) {
        if let Some(place) = out.local_mut(joint) {
            *place = local;
        }
    } else if let Some(animated) = out.local(joint) {
        out.set_local_matrix(joint, of.bind_matrix.unwrap_or_else(|| of.local_from(&of.bind)) * animated);
    }
}

fn apply(layer: &Layer<'_>, skeleton: Option<&Skeleton>, out: &mut Frame) {
    for joint in layer.binding.relative.iter().chain(&layer.binding.anew) {
        if let Some(local) = out.local_mut(*joint) {
            *local = Transform::IDENTITY;
        }
    }
    apply_channels(layer, out);
    if let Some(skeleton) = skeleton {
        layer.binding.relative.iter().for_each(|joint| relate(*joint, skeleton, out));
    }
}

fn apply_channels(layer: &Layer<'_>, out: &mut Frame) {
    let clip = layer.clip;
    let wrap = (layer.looping && clip.blends_across_seam).then_some(clip.frame_count as f32);
    let additive = layer.binding.additive;
    for bound in &layer.binding.channels {
        let Some(channel) = clip.channels.get(bound.channel as usize) else { continue };
        let joint = match bound.target {
            BoundTarget::Joint(joint) => joint,
            BoundTarget::Morph(morph) => {
                if let (Some(weight), Some(value)) =
                    (out.morph_weights.get_mut(morph.as_usize()), channel.sampler.scalar(layer.frame, wrap))
                {
                    *weight = value;
                }
                continue;
            }
            BoundTarget::VertexFrames => {
                if let Target::VertexFrames { first, .. } = channel.target {
                    out.vertex_frames = channel.sampler.span(layer.frame, wrap).map(|span| FramePair {
                        from: first.saturating_add(span.from as u32),
                        to: first.saturating_add(span.to as u32),
                        blend: span.blend,
                    });
                }
                continue;
            }
            // Put together of several channels: `BoundParts::apply`.
            BoundTarget::Material(_) | BoundTarget::Mesh(_) => continue,
        };
        if let Target::JointMatrix(_) = channel.target {
            if let Some(matrix) = channel.sampler.matrix(layer.frame, wrap) {
                out.set_local_matrix(joint, matrix);
            }
            continue;
        }
        let Some(local) = out.local_mut(joint) else { continue };
        match channel.target {
            Target::JointTranslation(_) => {
                if let Some(value) = channel.sampler.vec3(layer.frame, wrap) {
                    local.translation = if additive { local.translation + value } else { value };
                }
            }
            Target::JointRotation(_) => {
                if let Some(value) = channel.sampler.rotation(layer.frame, wrap) {
                    let value = if bound.invert { value.conjugate() } else { value };
                    local.rotation = if additive { value * local.rotation } else { value };
                }
            }
            Target::JointScale(_) => {
                if let Some(value) = channel.sampler.vec3(layer.frame, wrap) {
                    local.scale = if additive { local.scale * value } else { value };
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{
        BindingOptions, Channel, ClipJoint, Interpolation, Joint, JointAddressing, JointTrack, KeyRule, Keys, LoopMode,
        Mesh, Sampler, Unit, VertexFrames, skinning,
    };
    use glam::Vec3;

    /// One point that is at `frame²` on X, over five frames.
    fn model() -> Model {
        let positions: Vec<Vec3> = (0..5).map(|f| Vec3::X * (f * f) as f32).collect();
        let mesh = Mesh {
            points: vec![Vec3::ZERO],
            vertex_points: vec![0],
            normals: vec![Vec3::Y],
            vertex_frames: VertexFrames::new(1, positions, vec![Vec3::Z; 5]),
            ..Mesh::default()
        };
        Model { meshes: vec![mesh], ..Model::empty("vertices") }
    }

    /// Bones of track 5 (twice, the second scaled unevenly and turned) and 6, with a bind pose each.
    fn bones() -> Model {
        let quarter = glam::Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let joint = |track, scale, rotation| Joint {
            bind: Transform { translation: Vec3::X, rotation, scale },
            track: Some(track),
            ..Joint::default()
        };
        let joints = vec![
            joint(5, Vec3::ONE, quarter),
            joint(5, Vec3::new(1.0, 2.0, 1.0), quarter),
            joint(6, Vec3::ONE, quarter),
            Joint { bind_matrix: Some(Affine3A::from_scale(Vec3::splat(3.0))), ..joint(6, Vec3::ONE, quarter) },
        ];
        Model { skeleton: Some(Skeleton::new(joints, Vec::new())), ..Model::empty("bones") }
    }

    fn tracks(relative: [bool; 2]) -> Clip {
        let sampler = |keys| Sampler { interpolation: Interpolation::Step, ..Sampler::every_frame(keys) };
        let channel = |target, keys| Channel { target, sampler: sampler(keys), unit: Unit::Plain, muted: false };
        let turn = glam::Quat::from_rotation_z(0.5);
        Clip {
            joints: ["track 5".to_owned(), "track 6".to_owned()].into(),
            addressing: JointAddressing::ByTrack(
                [5, 6].into_iter().zip(relative).map(|(number, relative)| JointTrack { number, relative }).collect(),
            ),
            channels: vec![
                channel(Target::JointTranslation(ClipJoint(0)), Keys::Vec3(vec![Vec3::Y])),
                channel(Target::JointRotation(ClipJoint(1)), Keys::Rotation(vec![turn])),
            ],
            ..Clip::default()
        }
    }

    fn locals(model: &Model, clip: &Clip) -> Vec<Affine3A> {
        let binding = Binding::new(clip, model, BindingOptions::default());
        let mut out = Frame::default();
        evaluate(model, &[Layer { clip, binding: &binding, frame: 0.0, looping: true }], &[], &mut out);
        (0..).map_while(|joint| out.local(JointIndex(joint))).collect()
    }

    #[track_caller]
    fn are_near(found: &[Affine3A], wanted: &[Affine3A]) {
        assert_eq!(found.len(), wanted.len());
        for (index, (found, wanted)) in found.iter().zip(wanted).enumerate() {
            assert!(found.abs_diff_eq(*wanted, 1e-6), "joint {index}: {found} for {wanted}");
        }
    }

    #[test]
    fn a_track_drives_every_joint_of_its_number_and_leaves_what_it_has_no_keys_for() {
        let model = bones();
        let bind: Vec<Affine3A> = (0..).map_while(|joint| Frame::bind(&model).local(JointIndex(joint))).collect();
        let moved = |bind: Affine3A| Affine3A { translation: glam::Vec3A::Y, ..bind };
        let turned = Affine3A::from_rotation_z(0.5);
        let wanted = [moved(bind[0]), moved(bind[1]), Affine3A::from_translation(Vec3::X) * turned, turned];
        // A whole matrix has no parts that a track could leave alone.
        are_near(&locals(&model, &tracks([false; 2])), &wanted);
        let fit = Binding::new(&tracks([false; 2]), &model, BindingOptions::default()).fit;
        assert_eq!(fit.to_string(), "2 of 2 tracks move 4 of 4 bones");
        assert!(fit.is_complete() && fit.plays());
    }

    #[test]
    fn relative_tracks_are_multiplied_to_the_bind_pose() {
        let model = bones();
        let bind: Vec<Affine3A> = (0..).map_while(|joint| Frame::bind(&model).local(JointIndex(joint))).collect();
        let (moved, turned) = (Affine3A::from_translation(Vec3::Y), Affine3A::from_rotation_z(0.5));
        let wanted = [bind[0] * moved, bind[1] * moved, bind[2] * turned, bind[3] * turned];
        are_near(&locals(&model, &tracks([true; 2])), &wanted);
    }

    #[test]
    fn tracks_without_bones_are_counted() {
        let clip = tracks([false; 2]);
        let fit = |model: &Model| Binding::new(&clip, model, BindingOptions::default()).fit;
        let none = fit(&Model::empty("none"));
        assert_eq!(none.to_string(), "the model has no bones; the clip has 2 bone tracks");
        assert!(!none.any() && !none.plays());
        let numbered = |track| Skeleton::new(vec![Joint { track: Some(track), ..Joint::default() }], Vec::new());
        let other = fit(&Model { skeleton: Some(numbered(9)), ..Model::empty("other") });
        assert!(!other.any() && other.to_string().contains("different skeletons"), "{other}");
        let half = fit(&Model { skeleton: Some(numbered(6)), ..Model::empty("half") });
        assert_eq!(half.to_string(), "1 of 2 tracks move 1 of 1 bones");
        assert_eq!((half.unmatched.as_slice(), half.is_complete()), (&["track 5".to_owned()][..], false));
    }

    #[test]
    fn whole_matrices_take_the_place_of_everything() {
        let matrix = Affine3A::from_scale(Vec3::new(1.0, 2.0, 3.0)) * Affine3A::from_rotation_z(0.3);
        let mut clip = tracks([false, true]);
        for (channel, target) in
            clip.channels.iter_mut().zip([Target::JointMatrix(ClipJoint(0)), Target::JointMatrix(ClipJoint(1))])
        {
            (channel.target, channel.sampler.keys) = (target, Keys::Matrix(vec![matrix]));
        }
        let model = bones();
        let bind: Vec<Affine3A> = (0..).map_while(|joint| Frame::bind(&model).local(JointIndex(joint))).collect();
        are_near(&locals(&model, &clip), &[matrix, matrix, bind[2] * matrix, bind[3] * matrix]);
    }

    fn clip(first: u32, count: u32) -> Clip {
        Clip {
            name: "clip".into(),
            group: String::new(),
            frame_count: count,
            rate_hz: 10.0,
            default_loop: LoopMode::Loop,
            blends_across_seam: true,
            joints: [].into(),
            key_rule: KeyRule::Plain,
            channels: vec![Channel::vertex_frames("", first, count)],
            ..Clip::default()
        }
    }

    fn x_at(first: u32, count: u32, frame: f32, looping: bool) -> f32 {
        let (model, clip) = (model(), clip(first, count));
        let binding = Binding::new(&clip, &model, BindingOptions::default());
        let mut out = Frame::default();
        evaluate(&model, &[Layer { clip: &clip, binding: &binding, frame, looping }], &[], &mut out);
        skinning::skinned_points(&model, &model.meshes[0], &out)[0].x
    }

    #[test]
    fn vertices_move_in_lines_between_frames_of_the_clip() {
        assert_eq!(x_at(1, 3, 0.0, true), 1.0);
        assert_eq!(x_at(1, 3, 0.5, true), 2.5);
        assert_eq!(x_at(1, 3, 2.0, true), 9.0);
        assert_eq!(x_at(0, 1, 0.7, true), 0.0, "one frame stands still");
    }

    #[test]
    fn the_last_frame_leads_to_the_clips_first_only_when_looping() {
        assert_eq!(x_at(1, 3, 2.75, true), 3.0);
        assert_eq!(x_at(1, 3, 2.75, false), 9.0);
    }

    #[test]
    fn without_a_clip_points_are_where_the_mesh_has_them() {
        let model = model();
        let frame = Frame::bind(&model);
        assert_eq!(skinning::skinned_points(&model, &model.meshes[0], &frame), model.meshes[0].points);
        assert_eq!(skinning::skinned_normals(&model, &model.meshes[0], &frame), [Vec3::Y]);
    }

    #[test]
    fn a_clip_of_frames_that_the_mesh_lacks_does_not_fit_and_says_so() {
        let binding = Binding::new(&clip(3, 3), &model(), BindingOptions::default());
        assert!(!binding.fit.any() && binding.channels().is_empty());
        assert_eq!(binding.fit.to_string(), "the clip needs 6 vertex frames, but the mesh has 5: different meshes");
        let binding = Binding::new(&clip(0, 5), &Model::empty("none"), BindingOptions::default());
        assert_eq!(binding.fit.to_string(), "the model has no vertex frames; the clip needs 5 frames");
        let binding = Binding::new(&clip(2, 3), &model(), BindingOptions::default());
        assert_eq!((binding.fit.any(), binding.fit.share()), (true, 1.0));
    }

    #[test]
    fn whole_matrices_stand_before_transforms_until_a_component_is_set() {
        let matrix = Affine3A::from_translation(Vec3::Y);
        let joint = |bind_matrix| crate::scene::Joint { bind_matrix, ..Default::default() };
        let skeleton = Skeleton::new(vec![joint(None), joint(Some(matrix))], vec![]);
        let model = Model { skeleton: Some(skeleton), ..Model::empty("matrix") };
        let mut frame = Frame::bind(&model);
        assert_eq!(
            (frame.local(JointIndex(0)), frame.local(JointIndex(1)), frame.local(JointIndex(2))),
            (Some(Affine3A::IDENTITY), Some(matrix), None)
        );
        assert_eq!(frame.world_from_bind, [Affine3A::IDENTITY; 2]);
        frame.local_mut(JointIndex(1)).unwrap().translation = Vec3::Z;
        assert_eq!(frame.local(JointIndex(1)), Some(Affine3A::from_translation(Vec3::Z)));
        frame.set_local_matrix(JointIndex(0), matrix);
        assert_eq!(
            (frame.local(JointIndex(0)), frame.local(JointIndex(1))),
            (Some(matrix), Some(Affine3A::from_translation(Vec3::Z)))
        );
    }
}
