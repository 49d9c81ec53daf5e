//! A model's joints as bones. PSK holds no scale, no matrix and no inverse bind matrix, and its bones are joined by
//! plain products: a bone has the rigid part of its joint's bind pose, and moves as the joint does.
//!
//! With `W` the joint's world matrix and `I` its inverse bind matrix, points move by `W · I`. A bone of bind pose `B`
//! moves them alike where its own world matrix is `W · I · B`: that is what its keys are made of.

use crate::{
    bytes::{numbers::counted, text},
    export::{ExportError, Notes, resolved_model::inverse_bind},
    formats::actorx::Bone,
    scene::{Frame, Model, Skeleton, Transform, exact, rotation_or_identity},
};
use glam::{Affine3A, Mat3A, Quat, Vec3};

/// TypeFlag of the writers that know vertex colours.
pub const TYPE_FLAG: i32 = 20_100_422;

pub fn point(scene: Vec3) -> [f32; 3] {
    [scene.x, -scene.z, scene.y]
}

/// A true rotation in file space.
pub fn rotation(scene: Quat) -> [f32; 4] {
    [scene.x, -scene.z, scene.y, scene.w]
}

pub fn scale(scene: Vec3) -> [f32; 3] {
    [scene.x, scene.z, scene.y]
}

pub fn inverse([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [-x, -y, -z, w]
}

/// File space to Unreal space and back.
pub fn mirrored([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, -y, z]
}

/// Pitch, yaw and roll in degrees of a rotation in file space.
pub fn rotator(file: [f32; 4]) -> [f32; 3] {
    let [x, y, z, w] = [-file[0], file[1], -file[2], file[3]];
    let half_sine = z * x - w * y;
    let yaw = exact::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
    let around = |angle: f32| exact::atan2(exact::sin(angle), exact::cos(angle));
    let (pitch, roll) = if half_sine.abs() > 0.499_999_5 {
        // Straight up or down: only the sum of yaw and roll counts.
        let sign = half_sine.signum();
        (sign * std::f32::consts::FRAC_PI_2, around(sign * yaw - 2.0 * exact::atan2(x, w)))
    } else {
        (exact::asin(2.0 * half_sine), exact::atan2(-2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)))
    };
    [pitch, yaw, roll].map(f32::to_degrees)
}

/// In which order joints become bones: their own, unless a parent comes after its child (programs that read PSK pose such
/// bones wrongly) or the root is not the first.
pub struct BoneOrder {
    /// Joint of each bone, without the root that is added.
    pub joints: Vec<u32>,
    /// Bone of each joint.
    pub bones: Vec<u32>,
    /// A bone that never moves is above all others: bone 0 is the only root.
    pub added_root: bool,
}

impl BoneOrder {
    /// Several roots get one above them; with `needs_still` a single one does too.
    pub fn of(skeleton: &Skeleton, needs_still: bool) -> Self {
        let joints = skeleton.joints();
        let in_order = joints.iter().enumerate().all(|(i, j)| j.moving_parent().is_none_or(|p| (p as usize) < i));
        let order = if in_order { (0..joints.len() as u32).collect() } else { skeleton.order().to_vec() };
        let added_root = needs_still || joints.iter().filter(|j| j.moving_parent().is_none()).count() > 1;
        let mut bones = vec![0; joints.len()];
        for (place, joint) in order.iter().enumerate() {
            bones[*joint as usize] = place as u32 + u32::from(added_root);
        }
        Self { joints: order, bones, added_root }
    }
}

/// A joint as a bone; `plain`: it stores its rotation as it is.
pub fn bone(name: &str, parent: usize, bind: &Transform, plain: bool) -> Bone {
    let turned = rotation(rotation_or_identity(bind.rotation));
    Bone {
        name: name.to_owned(),
        parent: i32::try_from(parent).unwrap_or(0),
        rotation: if plain { turned } else { inverse(turned) },
        position: point(bind.translation),
        ..Bone::default()
    }
}

/// How far scales may be from one, and matrices from each other, that count as alike; a share of their size.
const ALIKE: f32 = 1e-5;
/// How far a bone may be from where it should be, as a share of its size.
const OFF: f32 = 1e-3;

/// The bones of a model.
pub struct Rig<'a> {
    skeleton: &'a Skeleton,
    pub order: BoneOrder,
    /// Bind pose of each joint's bone, relative to its parent's bone.
    binds: Vec<Transform>,
    /// From each bone to its joint; `None` where bones are the joints themselves.
    joint_from_bone: Option<Vec<Affine3A>>,
    /// Whether points follow each joint; all do where nothing is skinned.
    moves_points: Vec<bool>,
    /// Extent of the bind pose.
    size: f32,
}

impl<'a> Rig<'a> {
    /// `None` for a model without joints.
    pub fn of(model: &'a Model) -> Option<Self> {
        let skeleton = model.skeleton.as_ref().filter(|s| !s.joints().is_empty())?;
        let (moves_points, has_unmoved) = moved_points(model, skeleton);
        let order = BoneOrder::of(skeleton, has_unmoved);
        let inverse = inverse_bind(skeleton);
        let reach = |m: &Affine3A| if m.is_finite() { m.translation.abs().max_element() } else { 0.0 };
        let size = skeleton.world_from_joint_bind().iter().map(reach).fold(1.0, f32::max);
        let mut rig = Self { skeleton, order, binds: Vec::new(), joint_from_bone: None, moves_points, size };
        let is_scaled = |t: &Transform| !t.scale.abs_diff_eq(Vec3::ONE, ALIKE);
        let is_rest =
            |(world, inverse): (&Affine3A, &Affine3A)| rig.is_near(*world * *inverse, Affine3A::IDENTITY, ALIKE);
        let mut worlds = skeleton.world_from_joint_bind().iter().zip(&inverse);
        if skeleton.is_plain() && !skeleton.joints().iter().any(|j| is_scaled(&j.bind)) && worlds.all(is_rest) {
            rig.binds = skeleton.joints().iter().map(|j| Transform { scale: Vec3::ONE, ..j.bind }).collect();
            return Some(rig);
        }
        let bones: Vec<Affine3A> = inverse.iter().map(|inverse| rigid(inverse.inverse())).collect();
        rig.binds =
            (0..bones.len()).map(|joint| rigid_transform(rig.above(joint, &bones).inverse() * bones[joint])).collect();
        rig.joint_from_bone = Some(inverse.iter().zip(&bones).map(|(inverse, bone)| *inverse * *bone).collect());
        Some(rig)
    }

    /// The bones as a file has them, with the root that is added.
    pub fn bones(&self) -> Vec<Bone> {
        let mut bones = Vec::with_capacity(self.order.joints.len() + 1);
        if self.order.added_root {
            bones.push(bone(&self.root_name(), 0, &Transform::IDENTITY, true));
        }
        for joint in self.order.joints.iter().map(|j| *j as usize) {
            let (Some(own), Some(bind)) = (self.skeleton.joints().get(joint), self.binds.get(joint)) else { continue };
            let parent = own.moving_parent().and_then(|p| self.order.bones.get(p as usize)).copied().unwrap_or(0);
            bones.push(bone(&own.name, parent as usize, bind, bones.is_empty()));
        }
        for index in 1..bones.len() {
            let parent = bones[index].parent as usize;
            if let Some(parent) = bones.get_mut(parent) {
                parent.child_count += 1;
            }
        }
        bones
    }

    /// A name for the added root that no joint has.
    fn root_name(&self) -> String {
        let is_taken = |name: &str| self.skeleton.joints().iter().any(|j| text::fold(&j.name) == text::fold(name));
        let mut name = "Root".to_owned();
        let mut number = 2_u32;
        while is_taken(&name) {
            name = format!("Root_{number}");
            number += 1;
        }
        name
    }

    /// What stands on a joint, relative to the joint's bone.
    pub fn on_bone(&self, joint: usize, on_joint: &Transform) -> Transform {
        let Some(joint_from_bone) = self.joint_from_bone.as_ref().and_then(|all| all.get(joint)) else {
            return *on_joint;
        };
        transform_of(joint_from_bone.inverse() * on_joint.to_affine(), on_joint.rotation)
    }

    /// What of the bind pose is not in the bones.
    ///
    /// # Errors
    /// When points follow a joint that its bind pose gives no extent: where they are is not in the file's terms.
    pub fn check_bind(&self, notes: &mut Notes) -> Result<(), ExportError> {
        let worlds = self.skeleton.world_from_joint_bind();
        let inverse = inverse_bind(self.skeleton);
        let mut elsewhere = 0_usize;
        // From the top, so that the joint is named that lost it.
        for index in self.skeleton.order().iter().map(|j| *j as usize) {
            let (Some(world), Some(inverse)) = (worlds.get(index), inverse.get(index)) else { continue };
            let moves_points = self.moves_points.get(index).copied().unwrap_or(false);
            if !moves_points || self.is_near(*world * *inverse, Affine3A::IDENTITY, OFF) {
                continue;
            }
            if world.matrix3.determinant().abs() < 1e-12 || !inverse.inverse().is_finite() {
                let name = self.name(index);
                let message = format!("PSK does not support scale, but the bind pose scales “{name}” to zero");
                return Err(ExportError::Unsupported(message));
            }
            elsewhere += 1;
        }
        if elsewhere > 0 {
            notes.push(format!(
                "{} exported in the bind pose (the file's rest pose is different)",
                counted(elsewhere, "bone")
            ));
        }
        Ok(())
    }

    /// Each joint's bone relative to its parent's bone in a pose, and the first joint whose points that puts elsewhere: its matrix is
    /// no translation, rotation and scale.
    pub fn pose(&self, frame: &Frame) -> (Vec<Transform>, Option<usize>) {
        let is_plain = self.skeleton.is_plain();
        if is_plain && self.joint_from_bone.is_none() && frame.matrices.is_empty() {
            return (frame.locals.clone(), None);
        }
        let mut locals = frame.locals.clone();
        let mut worlds = vec![Affine3A::IDENTITY; locals.len()];
        let mut off = None;
        for joint in self.skeleton.order().iter().map(|j| *j as usize) {
            let (Some(world), Some(own)) = (frame.world_from_joint.get(joint), locals.get(joint).copied()) else {
                continue;
            };
            let joint_from_bone = self.joint_from_bone(joint);
            let above = self.parent(joint).map_or(Affine3A::IDENTITY, |p| self.joint_from_bone(p));
            let wanted = *world * joint_from_bone;
            let parent = self.above(joint, &worlds);
            let matrix = frame.matrices.get(joint).copied().flatten();
            let found = match (uniform(&above), stretch(&joint_from_bone)) {
                // Without the way over matrices, which forgets the rotation of what has no extent.
                (Some(above), Some(stretch)) if is_plain && matrix.is_none() => Transform {
                    translation: own.translation / above,
                    rotation: own.rotation,
                    scale: own.scale * stretch / above,
                },
                _ if is_plain => {
                    let local = matrix.unwrap_or_else(|| own.to_affine());
                    transform_of(above.inverse() * local * joint_from_bone, own.rotation)
                }
                _ => transform_of(parent.inverse() * wanted, own.rotation),
            };
            let placed = parent * found.to_affine();
            let moves_points = self.moves_points.get(joint).copied().unwrap_or(false);
            if moves_points && off.is_none() && !self.is_near(placed, wanted, OFF) {
                off = Some(joint);
            }
            (locals[joint], worlds[joint]) = (found, placed);
        }
        (locals, off)
    }

    /// The name of a joint.
    pub fn name(&self, joint: usize) -> &str {
        self.skeleton.joints().get(joint).map(|j| j.name.as_str()).unwrap_or_default()
    }

    fn joint_from_bone(&self, joint: usize) -> Affine3A {
        self.joint_from_bone.as_ref().and_then(|all| all.get(joint)).copied().unwrap_or(Affine3A::IDENTITY)
    }

    fn parent(&self, joint: usize) -> Option<usize> {
        self.skeleton.joints().get(joint)?.moving_parent().map(|p| p as usize)
    }

    fn above(&self, joint: usize, worlds: &[Affine3A]) -> Affine3A {
        self.parent(joint).and_then(|p| worlds.get(p)).copied().unwrap_or(Affine3A::IDENTITY)
    }

    fn is_near(&self, a: Affine3A, b: Affine3A, share: f32) -> bool {
        let columns = [b.matrix3.x_axis, b.matrix3.y_axis, b.matrix3.z_axis];
        let length = columns.iter().map(|c| c.length()).fold(1.0, f32::max);
        let far = self.size.max(b.translation.abs().max_element());
        a.matrix3.abs_diff_eq(b.matrix3, share * length) && a.translation.abs_diff_eq(b.translation, share * far)
    }
}

/// Whether points follow each joint, and whether there are drawn points that follow none.
fn moved_points(model: &Model, skeleton: &Skeleton) -> (Vec<bool>, bool) {
    let mut moves = vec![false; skeleton.joints().len()];
    let mut has_unmoved = false;
    for mesh in &model.meshes {
        for point in mesh.drawn_points().iter().enumerate().filter(|(_, drawn)| **drawn).map(|(point, _)| point) {
            let joints = mesh.joints_of_point(model, point);
            has_unmoved |= joints.is_empty();
            for (joint, _) in joints {
                if let Some(moves) = moves.get_mut(joint.as_usize()) {
                    *moves = true;
                }
            }
        }
    }
    if !moves.contains(&true) {
        moves.fill(true);
    }
    (moves, has_unmoved)
}

/// The factors of a matrix that does nothing but scale along the axes.
fn stretch(matrix: &Affine3A) -> Option<Vec3> {
    let Mat3A { x_axis, y_axis, z_axis } = matrix.matrix3;
    let factors = Vec3::new(x_axis.x, y_axis.y, z_axis.z);
    let alone = Affine3A::from_scale(factors);
    let size = factors.abs().max_element().max(f32::MIN_POSITIVE);
    let is_alone = matrix.matrix3.abs_diff_eq(alone.matrix3, size * ALIKE)
        && matrix.translation.abs().max_element() <= ALIKE * size.max(1.0);
    (is_alone && factors.is_finite()).then_some(factors)
}

/// The factor of a matrix that does nothing but scale evenly.
fn uniform(matrix: &Affine3A) -> Option<f32> {
    let Vec3 { x, y, z } = stretch(matrix)?;
    let near = |other: f32| (other - x).abs() <= x.abs() * ALIKE;
    (x != 0.0 && near(y) && near(z)).then_some(x)
}

fn rigid_transform(matrix: Affine3A) -> Transform {
    Transform { scale: Vec3::ONE, ..transform_of(matrix, Quat::IDENTITY) }
}

fn rigid(matrix: Affine3A) -> Affine3A {
    rigid_transform(matrix).to_affine()
}

/// The nearest transform to a matrix; what has no extent has the rotation `otherwise`.
fn transform_of(matrix: Affine3A, otherwise: Quat) -> Transform {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let rotation = if rotation.is_finite() { rotation_or_identity(rotation) } else { otherwise };
    Transform {
        translation: if translation.is_finite() { translation } else { Vec3::ZERO },
        rotation,
        scale: if scale.is_finite() { scale } else { Vec3::ONE },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Joint, ScalingRule};

    fn joint(parent: Option<u32>, translation: Vec3, rotation: Quat, scale: Vec3) -> Joint {
        Joint { parent, bind: Transform { translation, rotation, scale }, ..Joint::default() }
    }

    fn model(joints: Vec<Joint>, rule: ScalingRule) -> Model {
        Model { skeleton: Some(Skeleton::new(joints, Vec::new()).with_scaling(rule)), ..Model::empty("rig") }
    }

    /// Where bones stand, by plain products from the top.
    fn worlds(rig: &Rig<'_>, locals: &[Transform]) -> Vec<Affine3A> {
        let mut worlds = vec![Affine3A::IDENTITY; locals.len()];
        for joint in rig.skeleton.order().iter().map(|j| *j as usize) {
            worlds[joint] = rig.above(joint, &worlds) * locals[joint].to_affine();
        }
        worlds
    }

    /// What moves points, from each joint of the model in a pose and from its bone.
    #[track_caller]
    fn move_points_alike(model: &Model, change: impl Fn(&mut Frame)) {
        let rig = Rig::of(model).unwrap();
        let mut frame = Frame::bind(model);
        change(&mut frame);
        frame.place_joints(model, Default::default());
        let (locals, off) = rig.pose(&frame);
        assert_eq!(off, None);
        let rest = worlds(&rig, &rig.binds);
        for (joint, world) in worlds(&rig, &locals).iter().enumerate() {
            let (found, wanted) = (*world * rest[joint].inverse(), frame.world_from_bind[joint]);
            assert!(found.abs_diff_eq(wanted, 1e-4), "joint {joint}: {found} for {wanted}");
        }
    }

    #[test]
    fn bind_scales_go_into_the_translations_below() {
        let turn = Quat::from_rotation_z(0.7);
        let joints = vec![
            joint(None, Vec3::X, turn, Vec3::splat(2.0)),
            joint(Some(0), Vec3::Y * 3.0, turn, Vec3::splat(0.25)),
            joint(Some(1), Vec3::Z * 4.0, turn, Vec3::new(1.0, 2.0, 3.0)),
        ];
        let model = model(joints, ScalingRule::Product);
        let rig = Rig::of(&model).unwrap();
        let at: Vec<Vec3> = rig.binds.iter().map(|b| b.translation).collect();
        for (found, wanted) in at.iter().zip([Vec3::X, Vec3::Y * 6.0, Vec3::Z * 2.0]) {
            assert!(found.abs_diff_eq(wanted, 1e-5), "{at:?}");
        }
        assert!(rig.binds.iter().all(|b| b.scale == Vec3::ONE));
        move_points_alike(&model, |_| {});
        move_points_alike(&model, |frame| {
            frame.locals[0].rotation = Quat::from_rotation_x(1.0);
            frame.locals[1].scale = Vec3::ZERO;
            frame.locals[2].scale = Vec3::new(1.0, 0.0, 1.0);
        });
    }

    #[test]
    fn scales_that_a_rule_keeps_from_children_are_undone_there() {
        let joints = |rotation| {
            let mut joints = vec![
                joint(None, Vec3::X, Quat::IDENTITY, Vec3::ONE),
                joint(Some(0), Vec3::Y * 3.0, rotation, Vec3::ONE),
            ];
            joints[1].compensates_scale = true;
            joints
        };
        for rule in [ScalingRule::Maya, ScalingRule::SoftImage] {
            let even = model(joints(Quat::from_rotation_z(0.7)), rule);
            move_points_alike(&even, |frame| frame.locals[0].scale = Vec3::splat(2.0));
        }
        let straight = model(joints(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2)), ScalingRule::Maya);
        move_points_alike(&straight, |frame| frame.locals[0].scale = Vec3::new(1.0, 2.0, 3.0));
        // Uneven and turned: the child would have to be sheared.
        let turned = model(joints(Quat::from_rotation_z(0.7)), ScalingRule::Maya);
        let rig = Rig::of(&turned).unwrap();
        let mut frame = Frame::bind(&turned);
        frame.locals[0].scale = Vec3::new(1.0, 2.0, 3.0);
        frame.place_joints(&turned, Default::default());
        assert_eq!(rig.pose(&frame).1, Some(1));
    }

    #[test]
    fn an_added_root_has_a_name_of_its_own() {
        let named = |name: &str| Joint { name: name.into(), ..Joint::default() };
        let model = model(vec![named("ROOT"), named("root_2")], ScalingRule::Product);
        let names: Vec<String> = Rig::of(&model).unwrap().bones().into_iter().map(|b| b.name).collect();
        assert_eq!(names, ["Root_3", "ROOT", "root_2"]);
    }
}
