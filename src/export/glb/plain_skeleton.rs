//! The error of a skeleton that is written without helper nodes.

use super::{BoundClip, GlbOptions, moments, rig::Rig};
use crate::scene::{Frame, Layer, Model, evaluate, skinning};

/// Points times frames of a clip that are measured at most.
const MAX_MEASURED: usize = 1 << 24;

/// The largest distance between a vertex of the model and the same vertex under the written nodes.
pub struct Away<'a> {
    played: &'a Model,
    rig: &'a Rig,
    distance: f32,
}

impl<'a> Away<'a> {
    /// Measures the model at rest.
    pub fn of(played: &'a Model, rig: &'a Rig) -> Self {
        let mut away = Self { played, rig, distance: 0.0 };
        if !rig.is_exact() {
            away.measure(&Frame::bind(played));
        }
        away
    }

    /// Measures a clip at its moments.
    pub fn see(&mut self, bound: &BoundClip<'_>, options: &GlbOptions) {
        if self.rig.is_exact() {
            return;
        }
        let frames = moments::frames(bound.clip, self.rig.nodes.len(), options);
        let points: usize = self.played.meshes.iter().map(|mesh| mesh.points.len()).sum();
        let step = frames.len().saturating_mul(points).div_ceil(MAX_MEASURED).max(1);
        let mut frame = Frame::default();
        for moment in frames.into_iter().step_by(step) {
            let looping = bound.clip.blends_across_seam;
            let layer = Layer { clip: bound.clip, binding: bound.binding, frame: moment, looping };
            evaluate(self.played, &[layer], &[], &mut frame);
            self.measure(&frame);
        }
    }

    fn measure(&mut self, frame: &Frame) {
        let (Some(skeleton), mut pose) = (&self.played.skeleton, Vec::new()) else { return };
        if self.rig.pose(frame, &mut self.rig.axes(), &mut pose).is_err() {
            return;
        }
        let mut written = frame.clone();
        written.world_from_joint = self.rig.worlds(&pose);
        written.place_surfaces(skeleton);
        for mesh in self.played.meshes.iter().filter(|mesh| mesh.skin.is_some()) {
            let exact = skinning::skinned_points(self.played, mesh, frame);
            let found = skinning::skinned_points(self.played, mesh, &written);
            let far = exact.iter().zip(&found).map(|(a, b)| a.distance(*b)).filter(|far| far.is_finite());
            self.distance = far.fold(self.distance, f32::max);
        }
    }

    /// The note on the distance; `None` if the nodes are exact.
    pub fn note(&self) -> Option<String> {
        let size = self.played.bounds().diagonal();
        let percent = if size > 0.0 { 100.0 * self.distance / size } else { 0.0 };
        (!self.rig.is_exact()).then(|| {
            format!("the skeleton has no helper nodes: vertices are off by up to {percent:.2} % of the model's size")
        })
    }
}
