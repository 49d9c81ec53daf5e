//! From the pose that a clip left to that of the next one.

use super::{Frame, JointIndex, Model, PoseOptions, Transform};
use glam::Affine3A;

/// A pose out of which another one grows over a time. Only what is shown is changed by it: clips are evaluated as ever.
#[derive(Clone, Debug)]
pub struct PoseFade {
    locals: Vec<Transform>,
    matrices: Vec<Option<Affine3A>>,
    morph_weights: Vec<f32>,
    passed_secs: f32,
    length_secs: f32,
}

impl PoseFade {
    /// Starts at a pose. `None` for a time that is none.
    pub fn new(from: &Frame, length_secs: f32) -> Option<Self> {
        (length_secs.is_finite() && length_secs > 0.0).then(|| Self {
            locals: from.locals.clone(),
            matrices: from.matrices.clone(),
            morph_weights: from.morph_weights.clone(),
            passed_secs: 0.0,
            length_secs,
        })
    }

    /// Lets time pass; says whether there is some left.
    pub fn advance(&mut self, secs: f32) -> bool {
        if secs.is_finite() {
            self.passed_secs += secs.max(0.0);
        }
        self.passed_secs < self.length_secs
    }

    /// How much of the new pose there is, 0 to 1.
    pub fn share(&self) -> f32 {
        (self.passed_secs / self.length_secs).clamp(0.0, 1.0)
    }

    /// Takes a pose of the same model back towards the one that was left. Whole matrices go in straight lines, transforms as
    /// [`Transform::towards`] says. Frames of points and materials stay those of the new pose.
    pub fn apply(&self, model: &Model, options: PoseOptions, frame: &mut Frame) {
        let share = self.share();
        if share >= 1.0 || self.locals.len() != frame.locals.len() {
            return;
        }
        for (index, from) in (0..).map(JointIndex).zip(&self.locals) {
            let matrix_from = self.matrices.get(index.as_usize()).copied().flatten();
            let matrix_to = frame.matrices.get(index.as_usize()).copied().flatten();
            if matrix_from.is_none() && matrix_to.is_none() {
                if let Some(to) = frame.locals.get_mut(index.as_usize()) {
                    *to = from.towards(to, share);
                }
            } else if let Some(to) = frame.local(index) {
                let from = matrix_from.unwrap_or_else(|| from.to_affine());
                if from.is_finite() {
                    frame.set_local_matrix(index, straight(&from, &to, share));
                }
            }
        }
        if self.morph_weights.len() == frame.morph_weights.len() {
            for (to, from) in frame.morph_weights.iter_mut().zip(&self.morph_weights) {
                *to = from + (*to - from) * share;
            }
        }
        frame.place_joints(model, options);
    }
}

fn straight(from: &Affine3A, to: &Affine3A, share: f32) -> Affine3A {
    Affine3A {
        matrix3: from.matrix3 * (1.0 - share) + to.matrix3 * share,
        translation: from.translation.lerp(to.translation, share),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Joint, Skeleton};
    use glam::{Quat, Vec3};
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

    fn model() -> Model {
        let joints = vec![Joint::default(), Joint { parent: Some(0), ..Joint::default() }];
        Model { skeleton: Some(Skeleton::new(joints, Vec::new())), ..Model::empty("two") }
    }

    /// The first joint at `x`, turned about Z; the second a unit along X from it.
    fn posed(model: &Model, x: f32, turn: f32, scale: f32) -> Frame {
        let mut frame = Frame::bind(model);
        frame.locals[0] =
            Transform { translation: Vec3::X * x, rotation: Quat::from_rotation_z(turn), scale: Vec3::splat(scale) };
        frame.locals[1].translation = Vec3::X;
        frame.place_joints(model, PoseOptions::default());
        frame
    }

    #[test]
    fn half_way_is_half_of_everything() {
        let model = model();
        let (from, to) = (posed(&model, 2.0, 0.0, 1.0), posed(&model, 4.0, FRAC_PI_2, 3.0));
        let mut fade = PoseFade::new(&from, 0.5).unwrap();
        let mut shown = to.clone();
        fade.apply(&model, PoseOptions::default(), &mut shown);
        assert_eq!(shown.locals, from.locals, "it starts at the pose that was left");
        assert!(fade.advance(0.25));
        assert_eq!(fade.share(), 0.5);
        let mut shown = to.clone();
        fade.apply(&model, PoseOptions::default(), &mut shown);
        let half = shown.locals[0];
        assert!(half.translation.abs_diff_eq(Vec3::X * 3.0, 1e-6) && half.scale.abs_diff_eq(Vec3::splat(2.0), 1e-6));
        assert!(half.rotation.abs_diff_eq(Quat::from_rotation_z(FRAC_PI_4), 1e-6), "{}", half.rotation);
        // The second joint stands where the first one takes it: 3 + 2 cos 45°, 2 sin 45°.
        let root2 = std::f32::consts::SQRT_2;
        let at: Vec3 = shown.world_from_joint[1].translation.into();
        assert!(at.abs_diff_eq(Vec3::new(3.0 + root2, root2, 0.0), 1e-5), "{at}");
        assert!(!fade.advance(0.25));
        let mut shown = to.clone();
        fade.apply(&model, PoseOptions::default(), &mut shown);
        assert_eq!((shown.locals, shown.world_from_joint), (to.locals, to.world_from_joint), "and ends at the new one");
    }

    #[test]
    fn turns_take_the_shorter_way() {
        let from = Transform { rotation: Quat::from_rotation_z(0.9 * PI), ..Transform::IDENTITY };
        let to = Transform { rotation: -Quat::from_rotation_z(-0.9 * PI), ..Transform::IDENTITY };
        let half = from.towards(&to, 0.5).rotation;
        assert!(half.angle_between(Quat::from_rotation_z(PI)) < 1e-3, "{half}");
        assert_eq!((from.towards(&to, 0.0), from.towards(&to, 1.0)), (from, to));
    }

    #[test]
    fn whole_matrices_go_in_straight_lines() {
        let model = model();
        let from = posed(&model, 0.0, 0.0, 1.0);
        let mut to = posed(&model, 0.0, 0.0, 1.0);
        let matrix = Affine3A::from_scale_rotation_translation(Vec3::splat(3.0), Quat::IDENTITY, Vec3::Y * 8.0);
        to.set_local_matrix(JointIndex(0), matrix);
        let mut fade = PoseFade::new(&from, 1.0).unwrap();
        fade.advance(0.25);
        fade.apply(&model, PoseOptions::default(), &mut to);
        let wanted = Affine3A::from_scale_rotation_translation(Vec3::splat(1.5), Quat::IDENTITY, Vec3::Y * 2.0);
        assert!(to.world_from_joint[0].abs_diff_eq(wanted, 1e-6), "{}", to.world_from_joint[0]);
    }

    #[test]
    fn what_cannot_be_blended_is_left_as_it_is() {
        let model = model();
        let mut from = posed(&model, 2.0, 0.0, 1.0);
        for secs in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(PoseFade::new(&from, secs).is_none(), "{secs}");
        }
        from.locals[0].translation.x = f32::NAN;
        let to = posed(&model, 4.0, 0.0, 1.0);
        let mut shown = to.clone();
        PoseFade::new(&from, 1.0).unwrap().apply(&model, PoseOptions::default(), &mut shown);
        assert_eq!(shown.locals, to.locals, "a pose with NaN values is ignored");
        let other = Frame::default();
        PoseFade::new(&other, 1.0).unwrap().apply(&model, PoseOptions::default(), &mut shown);
        assert_eq!(shown.locals, to.locals, "a pose of another model");
    }
}
