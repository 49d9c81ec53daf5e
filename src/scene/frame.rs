//! The matrices that whole-number skins are computed with (formats/charpipe.md §6).

use super::{FixedSkin, FramePair, JointIndex, Model, SineTable, Skeleton, Transform, gx::MaterialState, skeleton};
use glam::{Affine3A, DAffine3, Vec3};

/// How poses are worked out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct PoseOptions {
    /// As the game did: cubics in its order of roundings, angles cut to its 16 bits, colours to whole numbers within their
    /// range, and scales that cancel under the standard rule left out (formats/j3d.md §2.1.1, §2.2, §3.6).
    pub game_exact: bool,
    /// With `game_exact`: sines from the table of a game, which no file names (formats/j3d.md §3.5.1).
    pub sines: Option<SineTable>,
    /// Rotations given as angles go on the shorter arc from one whole frame to the next instead of angle by angle.
    pub smooth_rotation: bool,
    /// Joints are where the file's inverse bind matrices have them while no clip moves joints
    /// ([`Skeleton::world_from_joint_bind_pose`]), instead of at rest.
    pub bind_pose: bool,
}

/// A model at one moment: what the renderer, the exports and `pose` use. Buffers are reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Joint transforms relative to the parent.
    pub locals: Vec<Transform>,
    /// Whole matrices relative to the parent, which stand before `locals`, by joint; empty where no joint has one. They are
    /// read with [`Frame::local`] and changed with [`Frame::local_mut`] and [`Frame::set_local_matrix`].
    pub matrices: Vec<Option<Affine3A>>,
    /// Matrix of each joint, from joint space to the model's space.
    pub world_from_joint: Vec<Affine3A>,
    /// Skinning matrices: `world_from_joint × joint_from_world_bind` of each joint, or one for each of
    /// [`Skeleton::draw_matrices`] where there are any.
    pub world_from_bind: Vec<Affine3A>,
    /// In the order of [`Model::morph_names`].
    pub morph_weights: Vec<f32>,
    /// What of their frames the meshes show that have any; `None` for their points as they are.
    pub vertex_frames: Option<FramePair>,
    /// What is animated of each of [`Model::materials`]; `None` for materials that have no such state.
    pub materials: Vec<Option<MaterialState>>,
    /// Whether each of [`Model::meshes`] is drawn; those past the end are.
    pub visible: Vec<bool>,
    /// Scratch of [`scaling`].
    scales: Vec<Vec3>,
}

impl Frame {
    /// Where joints stand relative to their parents in bind pose, and nothing more.
    pub(super) fn of_bind(skeleton: &Skeleton) -> Self {
        let mut frame = Self::default();
        frame.locals.extend(skeleton.joints().iter().map(|j| j.bind));
        skeleton.bind_matrices(&mut frame.matrices);
        skeleton.stretch(&frame.locals, &mut frame.matrices);
        frame
    }

    /// A joint's matrix relative to its parent.
    pub fn local(&self, joint: JointIndex) -> Option<Affine3A> {
        let joint = joint.as_usize();
        let matrix = self.matrices.get(joint).copied().flatten();
        matrix.or_else(|| self.locals.get(joint).map(|t| t.to_affine()))
    }

    /// A joint's transform, to change: what stood before it as a whole matrix is forgotten.
    pub fn local_mut(&mut self, joint: JointIndex) -> Option<&mut Transform> {
        let joint = joint.as_usize();
        if let Some(matrix) = self.matrices.get_mut(joint) {
            *matrix = None;
        }
        self.locals.get_mut(joint)
    }

    /// Works out where the joints are from what each is relative to its parent: after changes by hand.
    pub fn place_joints(&mut self, model: &Model, options: PoseOptions) {
        let Self { locals, matrices, world_from_joint, world_from_bind, scales, .. } = self;
        world_from_bind.clear();
        world_from_joint.clear();
        let Some(skeleton) = &model.skeleton else { return };
        skeleton.stretch(locals, matrices);
        skeleton::world_from_transforms(
            &skeleton.chain(),
            locals,
            matrices,
            options.game_exact,
            scales,
            world_from_joint,
        );
        self.place_surfaces(skeleton);
    }

    /// Works out what moves surfaces from where the joints are.
    pub fn place_surfaces(&mut self, skeleton: &Skeleton) {
        let Self { world_from_joint, world_from_bind, .. } = self;
        world_from_bind.clear();
        if skeleton.draw_matrices.is_empty() {
            let bind = skeleton.joint_from_world_bind();
            world_from_bind.extend(world_from_joint.iter().zip(bind).map(|(world, bind)| *world * *bind));
        } else {
            world_from_bind.extend(skeleton.draw_matrices.iter().map(|m| m.blended(world_from_joint)));
        }
    }

    /// Gives a joint a whole matrix relative to its parent, in the place of its transform.
    pub fn set_local_matrix(&mut self, joint: JointIndex, matrix: Affine3A) {
        self.matrices.resize(self.locals.len(), None);
        if let Some(place) = self.matrices.get_mut(joint.as_usize()) {
            *place = Some(matrix);
        }
    }
}

impl FixedSkin {
    /// The slots of a frame, to the unit as the game's processor computed them from the matrices of its joints.
    pub fn at(&self, skeleton: &Skeleton, frame: &Frame) -> Vec<[i16; 6]> {
        self.evaluate(&matrices(skeleton, frame))
    }
}

/// Skinning matrices, worked out in double precision: every sum is cut towards zero, so that one that lies a hair below a whole
/// number loses a unit, as all would where a joint hardly moves from bind pose.
fn matrices(skeleton: &Skeleton, frame: &Frame) -> Vec<Affine3A> {
    let bind = Frame::of_bind(skeleton);
    let (bind, posed) = (worlds(skeleton, &bind), worlds(skeleton, frame));
    let moved = posed.iter().zip(&bind).zip(&frame.world_from_bind).map(|((posed, bind), single)| {
        let moved = *posed * bind.inverse();
        // What has no extent has no inverse.
        if moved.is_finite() { moved.as_affine3a() } else { *single }
    });
    moved.collect()
}

fn worlds(skeleton: &Skeleton, frame: &Frame) -> Vec<DAffine3> {
    let mut worlds = vec![DAffine3::IDENTITY; skeleton.joints().len()];
    for index in skeleton.order() {
        let joint = *index as usize;
        let matrix = frame.matrices.get(joint).copied().flatten();
        let local = match (matrix, frame.locals.get(joint)) {
            (Some(matrix), _) => matrix.as_daffine3(),
            (None, Some(Transform { translation, rotation, scale })) => DAffine3::from_scale_rotation_translation(
                scale.as_dvec3(),
                rotation.as_dquat().normalize(),
                translation.as_dvec3(),
            ),
            (None, None) => DAffine3::IDENTITY,
        };
        let parent = skeleton.joints().get(joint).and_then(|j| j.moving_parent());
        let parent = parent.and_then(|p| worlds.get(p as usize)).copied().unwrap_or_default();
        if let Some(world) = worlds.get_mut(joint) {
            *world = parent * local;
        }
    }
    worlds
}
