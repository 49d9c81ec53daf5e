//! What moves a point of a mesh.

use super::{JointIndex, Mesh, Model};

impl Mesh {
    /// The joints that move a point, with their shares: the largest first, of equal ones the one that the file names first.
    pub fn joints_of_point(&self, model: &Model, point: usize) -> Vec<(JointIndex, f32)> {
        let (Some(skin), Some(skeleton)) = (&self.skin, &model.skeleton) else { return Vec::new() };
        let mut shares: Vec<(JointIndex, f32)> = Vec::new();
        let mut add = |joint: u32, share: f32| {
            if joint as usize >= skeleton.joints().len() {
                return;
            }
            match shares.iter_mut().find(|(known, _)| known.0 == joint) {
                Some((_, sum)) => *sum += share,
                None => shares.push((JointIndex(joint), share)),
            }
        };
        for influence in skin.influences_of(point) {
            if skeleton.draw_matrices.is_empty() {
                add(influence.joint, influence.weight);
                continue;
            }
            let matrix = skeleton.draw_matrices.get(influence.joint as usize);
            for term in matrix.into_iter().flat_map(|matrix| &matrix.terms) {
                add(term.joint, term.weight * influence.weight);
            }
        }
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{DrawMatrix, DrawTerm, Influence, Joint, Run, Skeleton, Skin};
    use glam::{Affine3A, Vec3};

    fn model(influences: Vec<Influence>, matrices: Vec<DrawMatrix>) -> Model {
        let mut skeleton = Skeleton::new(vec![Joint::default(); 3], vec![]);
        skeleton.draw_matrices = matrices;
        let count = influences.len() as u32;
        let skin = Skin { runs: vec![Run { first: 0, count }], influences, sources: Vec::new() };
        let mesh = Mesh { points: vec![Vec3::ZERO], skin: Some(skin), ..Mesh::default() };
        Model { meshes: vec![mesh], skeleton: Some(skeleton), ..Model::empty("a point") }
    }

    fn of(model: &Model) -> Vec<(u32, f32)> {
        model.meshes[0].joints_of_point(model, 0).into_iter().map(|(joint, share)| (joint.0, share)).collect()
    }

    #[test]
    fn the_largest_share_comes_first_and_a_joint_once() {
        let influence = |joint, weight| Influence { joint, weight };
        let plain =
            model(vec![influence(2, 0.25), influence(0, 0.5), influence(2, 0.125), influence(9, 0.125)], vec![]);
        assert_eq!(of(&plain), [(0, 0.5), (2, 0.375)]);
        let equal = model(vec![influence(1, 0.5), influence(0, 0.5)], vec![]);
        assert_eq!(of(&equal), [(1, 0.5), (0, 0.5)]);
        assert_eq!(equal.meshes[0].joints_of_point(&equal, 7), []);
    }

    #[test]
    fn blended_matrices_are_their_joints() {
        let term = |joint, weight| DrawTerm { joint, weight, joint_from_bind: Affine3A::IDENTITY };
        let matrices = vec![DrawMatrix { terms: vec![term(1, 0.25), term(2, 0.75)] }];
        let influences = vec![Influence { joint: 0, weight: 1.0 }, Influence { joint: 4, weight: 1.0 }];
        assert_eq!(of(&model(influences, matrices)), [(2, 0.75), (1, 0.25)]);
    }
}
