//! Skeletons: joints, and their world matrices under each rule of how a parent's scale reaches its children
//! (formats/j3d.md §3.6).

use super::Transform;
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

/// A matrix that vertices are drawn with, blended of joints before any vertex is moved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawMatrix {
    /// The weights count as stored.
    pub terms: Vec<DrawTerm>,
}

/// `weight × world_from_joint × joint_from_bind`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawTerm {
    /// Index into [`Skeleton::joints`].
    pub joint: u32,
    /// Factor of the term, as stored.
    pub weight: f32,
    /// The identity for vertices that are stored in the joint's own space.
    pub joint_from_bind: Affine3A,
}

impl DrawMatrix {
    /// Whether its vertices are stored in bind space instead of in the space of a joint.
    pub fn is_blended(&self) -> bool {
        !matches!(self.terms.as_slice(), [only] if only.joint_from_bind == Affine3A::IDENTITY)
    }

    /// The matrix for a pose; joints that there are not count for nothing.
    pub fn blended(&self, world_from_joint: &[Affine3A]) -> Affine3A {
        if let [only] = self.terms.as_slice()
            && only.weight == 1.0
        {
            return world_from_joint.get(only.joint as usize).map_or(Affine3A::IDENTITY, |w| *w * only.joint_from_bind);
        }
        let mut sum = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::ZERO };
        for term in &self.terms {
            let Some(world) = world_from_joint.get(term.joint as usize) else { continue };
            let moved = *world * term.joint_from_bind;
            sum.matrix3 += moved.matrix3 * term.weight;
            sum.translation += moved.translation * term.weight;
        }
        sum
    }
}

/// A named place on a joint where other things are attached.
#[derive(Clone, Debug, PartialEq)]
pub struct Socket {
    /// Name of the socket.
    pub name: String,
    /// `None`: relative to the model.
    pub joint: Option<u32>,
    /// Relative to the joint.
    pub transform: Transform,
}

/// Joints in the file's own order, with what posing needs worked out once.
#[derive(Clone, Debug, Default)]
pub struct Skeleton {
    joints: Vec<Joint>,
    order: Vec<u32>,
    /// Joints whose local is not just their transform.
    shaped: Vec<u32>,
    joint_from_world_bind: Vec<Affine3A>,
    world_from_joint_bind: Vec<Affine3A>,
    scaling: ScalingRule,
    /// Named places where other things are attached.
    pub sockets: Vec<Socket>,
    /// What meshes are skinned with in the place of the joints themselves, where the family blends matrices first.
    pub draw_matrices: Vec<DrawMatrix>,
}

impl Skeleton {
    /// Takes joints in any order. A parent that does not exist or leads in a circle is taken away (readers repair and report
    /// these first; this is the last guard).
    pub fn new(mut joints: Vec<Joint>, sockets: Vec<Socket>) -> Self {
        let order = order_of(&mut joints);
        let is_shaped = |joint: &Joint| joint.bind_matrix.is_some() || joint.scale_axes.is_some();
        let shaped = (0..).zip(&joints).filter(|(_, j)| is_shaped(j)).map(|(index, _)| index).collect();
        let mut skeleton = Self {
            world_from_joint_bind: vec![Affine3A::IDENTITY; joints.len()],
            joint_from_world_bind: Vec::new(),
            scaling: ScalingRule::Product,
            joints,
            order,
            shaped,
            sockets,
            draw_matrices: Vec::new(),
        };
        skeleton.pose_bind();
        skeleton
    }

    /// The same joints under another rule, which changes their bind pose too.
    pub fn with_scaling(mut self, scaling: ScalingRule) -> Self {
        self.scaling = scaling;
        self.pose_bind();
        self
    }

    fn pose_bind(&mut self) {
        let locals: Vec<Transform> = self.joints.iter().map(|j| j.bind).collect();
        let mut matrices = Vec::new();
        self.bind_matrices(&mut matrices);
        self.stretch(&locals, &mut matrices);
        let mut world = std::mem::take(&mut self.world_from_joint_bind);
        world_from_transforms(&self.chain(), &locals, &matrices, false, &mut Vec::new(), &mut world);
        // What has no extent has no inverse; it stays finite at least.
        let inverse = |world: &Affine3A| Some(world.inverse()).filter(|m| m.is_finite()).unwrap_or(Affine3A::IDENTITY);
        self.joint_from_world_bind = world.iter().map(inverse).collect();
        self.world_from_joint_bind = world;
    }

    /// Locals of the bind pose that are whole matrices, by joint; left empty where there are none.
    pub(super) fn bind_matrices(&self, matrices: &mut Vec<Option<Affine3A>>) {
        matrices.clear();
        for index in &self.shaped {
            let matrix = self.joints.get(*index as usize).and_then(|j| j.bind_matrix);
            if matrix.is_some() {
                matrices.resize(self.joints.len(), None);
                if let Some(place) = matrices.get_mut(*index as usize) {
                    *place = matrix;
                }
            }
        }
    }

    /// Adds the matrices of joints that scale along axes of their own and have no whole matrix yet.
    pub(super) fn stretch(&self, locals: &[Transform], matrices: &mut Vec<Option<Affine3A>>) {
        for index in &self.shaped {
            let index = *index as usize;
            let (Some(joint), Some(local)) = (self.joints.get(index), locals.get(index)) else { continue };
            if joint.scale_axes.is_none() || local.scale == Vec3::ONE {
                continue;
            }
            matrices.resize(self.joints.len(), None);
            if let Some(place @ None) = matrices.get_mut(index) {
                *place = Some(joint.local_from(local));
            }
        }
    }

    /// Inverse bind matrices other than those of the bind pose; missing ones keep theirs.
    pub fn with_inverse_bind(mut self, joint_from_world_bind: Vec<Affine3A>) -> Self {
        for (own, given) in self.joint_from_world_bind.iter_mut().zip(joint_from_world_bind) {
            *own = given;
        }
        self
    }

    /// Returns the rule by which the scales of parents affect their children.
    pub fn scaling(&self) -> ScalingRule {
        self.scaling
    }

    /// Whether the bind pose's world matrices are the product of its transforms, from parent to child, and nothing more.
    pub fn is_plain(&self) -> bool {
        matches!(self.scaling, ScalingRule::Product | ScalingRule::Standard)
            && self.shaped.is_empty()
            && self.joints.iter().all(|j| !j.detached)
    }

    /// What decides where joints are when their transforms are known.
    pub(super) fn chain(&self) -> Chain<'_> {
        Chain { joints: &self.joints, order: &self.order, rule: self.scaling }
    }

    /// Returns the joints in the file's own order.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Indices of the joints, each after its parent.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Inverse bind matrices.
    pub fn joint_from_world_bind(&self) -> &[Affine3A] {
        &self.joint_from_world_bind
    }

    /// Returns the world matrix of each joint in the bind pose.
    pub fn world_from_joint_bind(&self) -> &[Affine3A] {
        &self.world_from_joint_bind
    }
}

/// Parents before children, without recursion; cuts circles and missing parents.
fn order_of(joints: &mut [Joint]) -> Vec<u32> {
    let count = joints.len();
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut roots = Vec::new();
    for (index, joint) in joints.iter_mut().enumerate() {
        let index = index as u32;
        match joint.parent.filter(|p| *p != index).and_then(|p| children.get_mut(p as usize)) {
            Some(siblings) => siblings.push(index),
            None => {
                joint.parent = None;
                roots.push(index);
            }
        }
    }
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let visit = |start: u32, order: &mut Vec<u32>, seen: &mut Vec<bool>| {
        let mut stack = vec![start];
        while let Some(joint) = stack.pop() {
            match seen.get_mut(joint as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            order.push(joint);
            if let Some(list) = children.get(joint as usize) {
                stack.extend(list.iter().rev());
            }
        }
    };
    for root in roots {
        visit(root, &mut order, &mut seen);
    }
    // What no root reaches stands in a circle: cut it at its first joint.
    for index in 0..count {
        if seen.get(index) == Some(&false) {
            if let Some(joint) = joints.get_mut(index) {
                joint.parent = None;
            }
            visit(index as u32, &mut order, &mut seen);
        }
    }
    order
}

/// A joint of a skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joint {
    /// Name of the joint; clips can refer to it ([`super::JointAddressing::ByName`]).
    pub name: String,
    /// Into [`super::Skeleton::joints`]; may come later in the list.
    pub parent: Option<u32>,
    /// Relative to the parent, in bind pose.
    pub bind: Transform,
    /// Under [`super::ScalingRule::Maya`] its parent's own scale does not reach it.
    pub compensates_scale: bool,
    /// It stands in the model's space whatever its parent does, which it has for order's sake alone (formats/charpipe.md §5).
    pub detached: bool,
    /// In bind pose this whole matrix in place of `bind`, which is the nearest to it.
    pub bind_matrix: Option<Affine3A>,
    /// Axes along which the scale acts: `T · R · Q · S · Q⁻¹` (formats/charpipe.md §5).
    pub scale_axes: Option<Quat>,
    /// What clips call it that go by number ([`super::JointAddressing::ByTrack`]).
    pub track: Option<u32>,
}

impl Joint {
    /// The parent whose movement it takes part in.
    pub fn moving_parent(&self) -> Option<u32> {
        self.parent.filter(|_| !self.detached)
    }

    /// The matrix of a transform relative to the parent, with the axes along which this joint scales.
    pub fn local_from(&self, transform: &Transform) -> Affine3A {
        let Some(axes) = self.scale_axes else { return transform.to_affine() };
        let Transform { translation, rotation, scale } = *transform;
        let stretched = Affine3A::from_scale_rotation_translation(scale, Quat::IDENTITY, Vec3::ZERO);
        let turned = Affine3A::from_rotation_translation(rotation * axes, translation);
        turned * stretched * Affine3A::from_quat(axes.inverse())
    }
}

/// How a parent's scale reaches its children; it changes the result, so the family says which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScalingRule {
    /// The whole matrix product, `world = parent × local`, in the games too.
    #[default]
    Product,
    /// The whole matrix product, but the game left out scales that cancel each other (formats/j3d.md §3.6, rule 0).
    Standard,
    /// Scales are gathered apart from the chain of rotations and never shear a child (formats/j3d.md §3.6, rule 1).
    SoftImage,
    /// A joint that compensates undoes its parent's own scale (rule 2, [`Joint::compensates_scale`]).
    Maya,
}

/// Joints that hang on each other.
pub(super) struct Chain<'a> {
    pub joints: &'a [Joint],
    /// Indices of the joints, each after its parent.
    pub order: &'a [u32],
    pub rule: ScalingRule,
}

impl Chain<'_> {
    /// Each joint after its parent: its index, and its parent's.
    fn links(&self) -> impl Iterator<Item = (usize, Option<usize>)> + '_ {
        let parent_of = |index: usize| self.joints.get(index).and_then(|j| j.moving_parent()).map(|p| p as usize);
        self.order.iter().map(move |index| (*index as usize, parent_of(*index as usize)))
    }
}

/// Fills `world` with a matrix for each joint. `matrices` take the places of their joints' transforms under the rules that
/// multiply whole matrices; no family with another rule has any. `scales` is scratch. `game_exact`: as the game did under
/// [`ScalingRule::Standard`], a joint's own scale is left out where all scales down to it multiply to exactly one.
pub(super) fn world_from_transforms(
    chain: &Chain<'_>,
    locals: &[Transform],
    matrices: &[Option<Affine3A>],
    game_exact: bool,
    scales: &mut Vec<Vec3>,
    world: &mut Vec<Affine3A>,
) {
    world.clear();
    match chain.rule {
        ScalingRule::Product => multiplied(chain, locals, matrices, world),
        ScalingRule::Standard if !game_exact => multiplied(chain, locals, matrices, world),
        ScalingRule::Standard => cancelled(chain, locals, scales, world),
        ScalingRule::SoftImage => gathered(chain, locals, scales, world),
        ScalingRule::Maya => compensated(chain, locals, world),
    }
}

/// Rotation and translation alone.
fn rigid(local: &Transform, translation: Vec3) -> Affine3A {
    Affine3A::from_rotation_translation(local.rotation, translation)
}

fn multiplied(chain: &Chain<'_>, locals: &[Transform], matrices: &[Option<Affine3A>], world: &mut Vec<Affine3A>) {
    // The matrices of the locals are built in place and multiplied parent first.
    world.extend(locals.iter().map(|t| t.to_affine()));
    for (local, matrix) in world.iter_mut().zip(matrices) {
        *local = matrix.unwrap_or(*local);
    }
    for (index, parent) in chain.links() {
        let Some(parent) = parent.and_then(|p| world.get(p)).copied() else { continue };
        if let Some(local) = world.get_mut(index) {
            *local = parent * *local;
        }
    }
}

fn cancelled(chain: &Chain<'_>, locals: &[Transform], scales: &mut Vec<Vec3>, world: &mut Vec<Affine3A>) {
    world.resize(locals.len(), Affine3A::IDENTITY);
    scales.clear();
    scales.resize(locals.len(), Vec3::ONE);
    for (index, parent) in chain.links() {
        let Some(local) = locals.get(index) else { continue };
        let above = parent.and_then(|p| Some((*world.get(p)?, *scales.get(p)?)));
        let (parent, gathered) = above.unwrap_or((Affine3A::IDENTITY, Vec3::ONE));
        let gathered = gathered * local.scale;
        let local = if gathered == Vec3::ONE { rigid(local, local.translation) } else { local.to_affine() };
        if let (Some(world), Some(scale)) = (world.get_mut(index), scales.get_mut(index)) {
            (*world, *scale) = (parent * local, gathered);
        }
    }
}

/// Children hang on the unscaled chain; the scales gathered down to a joint scale its translation and what is drawn with it.
fn gathered(chain: &Chain<'_>, locals: &[Transform], scales: &mut Vec<Vec3>, world: &mut Vec<Affine3A>) {
    world.resize(locals.len(), Affine3A::IDENTITY);
    scales.clear();
    scales.resize(locals.len(), Vec3::ONE);
    for (index, parent) in chain.links() {
        let Some(local) = locals.get(index) else { continue };
        let above = parent.and_then(|p| Some((*world.get(p)?, *scales.get(p)?)));
        let (parent, gathered) = above.unwrap_or((Affine3A::IDENTITY, Vec3::ONE));
        if let (Some(world), Some(scale)) = (world.get_mut(index), scales.get_mut(index)) {
            *world = parent * rigid(local, local.translation * gathered);
            *scale = gathered * local.scale;
        }
    }
    for (world, scale) in world.iter_mut().zip(scales.iter()) {
        let Mat3A { x_axis, y_axis, z_axis } = world.matrix3;
        world.matrix3 = Mat3A::from_cols(x_axis * scale.x, y_axis * scale.y, z_axis * scale.z);
    }
}

fn compensated(chain: &Chain<'_>, locals: &[Transform], world: &mut Vec<Affine3A>) {
    world.extend(locals.iter().map(|t| t.to_affine()));
    for (index, parent) in chain.links() {
        let Some(parent) = parent else { continue };
        let compensates = chain.joints.get(index).is_some_and(|j| j.compensates_scale);
        let scale = locals.get(parent).map_or(Vec3::ONE, |t| t.scale);
        let Some(parent) = world.get(parent).copied() else { continue };
        let Some(local) = world.get_mut(index) else { continue };
        if compensates {
            // An axis that the parent flattens to nothing cannot be undone.
            let undone = Vec3A::from(scale.to_array().map(|s| if s == 0.0 { 1.0 } else { s.recip() }));
            let Mat3A { x_axis, y_axis, z_axis } = local.matrix3;
            local.matrix3 = Mat3A::from_cols(x_axis * undone, y_axis * undone, z_axis * undone);
        }
        *local = parent * *local;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    fn joint(parent: Option<u32>) -> Joint {
        Joint { name: String::new(), parent, bind: Transform::IDENTITY, ..Joint::default() }
    }

    #[test]
    fn parents_come_before_children_in_the_order() {
        let skeleton = Skeleton::new(vec![joint(Some(2)), joint(Some(0)), joint(None)], vec![]);
        assert_eq!(skeleton.order(), [2, 0, 1]);
    }

    #[test]
    fn circles_and_missing_parents_are_cut() {
        let skeleton = Skeleton::new(vec![joint(Some(1)), joint(Some(0)), joint(Some(99)), joint(Some(3))], vec![]);
        assert_eq!(skeleton.order().len(), 4);
        assert_eq!(skeleton.joints()[0].parent, None);
        assert_eq!(skeleton.joints()[1].parent, Some(0));
        assert_eq!(skeleton.joints()[2].parent, None);
        assert_eq!(skeleton.joints()[3].parent, None);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let joints = (0..20_000_u32).map(|i| joint(i.checked_sub(1))).collect();
        let worker = std::thread::Builder::new().stack_size(512 << 10).name("chain".into());
        let count = worker.spawn(move || Skeleton::new(joints, vec![]).order().len()).unwrap().join().unwrap();
        assert_eq!(count, 20_000);
    }

    fn worlds_close(skeleton: &Skeleton, joint: usize, columns: [[f32; 3]; 4]) -> bool {
        let [x, y, z, t] = columns.map(Vec3A::from);
        let wanted = Affine3A { matrix3: Mat3A::from_cols(x, y, z), translation: t };
        skeleton.world_from_joint_bind()[joint].abs_diff_eq(wanted, 1e-6)
            && (wanted * skeleton.joint_from_world_bind()[joint]).abs_diff_eq(Affine3A::IDENTITY, 1e-6)
    }

    #[test]
    fn a_detached_joint_stays_and_takes_its_children_with_it() {
        let at = |x| Transform { translation: Vec3::X * x, ..Transform::IDENTITY };
        let joint = |parent, x, detached| Joint { parent, bind: at(x), detached, ..Joint::default() };
        let joints = vec![joint(None, 1.0, false), joint(Some(0), 10.0, true), joint(Some(1), 100.0, false)];
        let skeleton = Skeleton::new(joints, vec![]);
        let x: Vec<f32> = skeleton.world_from_joint_bind().iter().map(|m| m.translation.x).collect();
        assert_eq!(x, [1.0, 10.0, 110.0]);
        assert_eq!(skeleton.joints()[1].parent, Some(0), "it keeps its place in the tree");
        assert!(!skeleton.is_plain());
    }

    #[test]
    fn a_whole_matrix_stands_before_the_transform() {
        let sheared = Affine3A {
            matrix3: Mat3A::from_cols(Vec3A::X, Vec3A::new(0.5, 1.0, 0.0), Vec3A::Z),
            translation: Vec3A::new(1.0, 2.0, 3.0),
        };
        let child = Joint { bind_matrix: Some(sheared), ..joint(Some(0)) };
        let mut root = joint(None);
        root.bind.scale = Vec3::splat(2.0);
        let skeleton = Skeleton::new(vec![root, child], vec![]);
        let columns = [[2.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 2.0], [2.0, 4.0, 6.0]];
        assert!(worlds_close(&skeleton, 1, columns), "{:?}", skeleton.world_from_joint_bind());
    }

    #[test]
    fn scale_goes_along_the_axes_that_a_joint_names() {
        // Twice along the first axis of Q, which a quarter about Z turns to Y: that doubles Y. Then R turns Y to −X.
        let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let bind = Transform { translation: Vec3::Z, rotation: quarter, scale: Vec3::new(2.0, 1.0, 1.0) };
        let skeleton = Skeleton::new(vec![Joint { bind, scale_axes: Some(quarter), ..Joint::default() }], vec![]);
        let columns = [[0.0, 1.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]];
        assert!(worlds_close(&skeleton, 0, columns), "{:?}", skeleton.world_from_joint_bind());
    }

    /// A parent of scale (2, 1, 1) and a child that is turned by 90° about Z, one unit along X.
    fn arm(scaling: ScalingRule, compensates_scale: bool, child_scale: Vec3) -> Skeleton {
        let joint = |parent, bind| Joint { name: String::new(), parent, bind, compensates_scale, ..Joint::default() };
        let root = Transform { scale: Vec3::new(2.0, 1.0, 1.0), ..Transform::IDENTITY };
        let rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let child = Transform { translation: Vec3::X, rotation, scale: child_scale };
        Skeleton::new(vec![joint(None, root), joint(Some(0), child)], vec![]).with_scaling(scaling)
    }

    fn child(skeleton: &Skeleton) -> [[f32; 3]; 4] {
        let m = skeleton.world_from_joint_bind()[1];
        let columns = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation];
        columns.map(|c| c.to_array().map(|v| (v * 1000.0).round() / 1000.0 + 0.0))
    }

    #[test]
    fn each_rule_carries_a_parents_scale_its_own_way() {
        let tall = Vec3::new(1.0, 3.0, 1.0);
        // The product: the child's X axis lies along Y and stays, its Y axis along −X and doubles.
        let product = [[0.0, 1.0, 0.0], [-6.0, 0.0, 0.0], [0.0, 0.0, 1.0], [2.0, 0.0, 0.0]];
        assert_eq!(child(&arm(ScalingRule::Standard, true, tall)), product);
        assert_eq!(child(&arm(ScalingRule::Maya, false, tall)), product);
        // Gathered: (2, 3, 1) along the child's own axes.
        let gathered = [[0.0, 2.0, 0.0], [-3.0, 0.0, 0.0], [0.0, 0.0, 1.0], [2.0, 0.0, 0.0]];
        assert_eq!(child(&arm(ScalingRule::SoftImage, false, tall)), gathered);
        // Compensated: as if the parent had no scale, except for the place.
        let compensated = [[0.0, 1.0, 0.0], [-3.0, 0.0, 0.0], [0.0, 0.0, 1.0], [2.0, 0.0, 0.0]];
        assert_eq!(child(&arm(ScalingRule::Maya, true, tall)), compensated);
    }

    #[test]
    fn the_game_drops_a_scale_that_cancels_its_parents() {
        let skeleton = arm(ScalingRule::Standard, false, Vec3::new(0.5, 1.0, 1.0));
        let locals: Vec<Transform> = skeleton.joints().iter().map(|j| j.bind).collect();
        let worlds = |exact| {
            let mut world = Vec::new();
            world_from_transforms(&skeleton.chain(), &locals, &[], exact, &mut Vec::new(), &mut world);
            world
        };
        let (smooth, exact) = (worlds(false), worlds(true));
        assert_eq!(smooth[0], exact[0]);
        assert!((smooth[1].matrix3.x_axis.y - 0.5).abs() < 1e-6 && (exact[1].matrix3.x_axis.y - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_parent_of_no_extent_leaves_finite_children() {
        let mut joints = arm(ScalingRule::Maya, true, Vec3::ONE).joints().to_vec();
        joints[0].bind.scale = Vec3::ZERO;
        let skeleton = Skeleton::new(joints, vec![]).with_scaling(ScalingRule::Maya);
        assert!(skeleton.world_from_joint_bind()[1].is_finite());
    }
}
