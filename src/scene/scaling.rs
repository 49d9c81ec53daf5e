//! World matrices of joints, under each rule of how a parent's scale reaches its children (formats/j3d.md §3.6).

use super::{Transform, joint::Joint};
use glam::{Affine3A, Mat3A, Vec3, Vec3A};

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
    use crate::scene::Skeleton;
    use glam::Quat;

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
