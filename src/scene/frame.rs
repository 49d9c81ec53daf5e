use super::{FramePair, JointIndex, Model, SineTable, Skeleton, Transform, gx::MaterialState, scaling};
use glam::{Affine3A, Vec3};

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
        scaling::world_from_transforms(
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
