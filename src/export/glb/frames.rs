//! Frames of vertices as morph targets: one for each frame that clips show and that is not the mesh as it rests.

use crate::scene::Mesh;
use std::collections::{BTreeSet, HashMap};

/// Which frames of a mesh are targets, and which target shows a frame.
#[derive(Clone, Debug, Default)]
pub struct FrameTargets {
    /// Frames, in the order of their targets, which come after those of morphs.
    pub frames: Vec<u32>,
    /// By frame; `None` for one in which every point is where it rests.
    target_of: HashMap<u32, Option<u32>>,
}

impl FrameTargets {
    /// The frames of a mesh that are played. Equal frames share a target.
    pub fn of(mesh: &Mesh, played: &BTreeSet<u32>) -> Self {
        let mut out = Self::default();
        let Some(frames) = &mesh.vertex_frames else { return out };
        let bits = |frame: u32| -> Vec<u32> {
            frames.positions(frame).iter().flat_map(|p| p.to_array()).map(f32::to_bits).collect()
        };
        let rest: Vec<u32> = mesh.points.iter().flat_map(|p| p.to_array()).map(f32::to_bits).collect();
        let mut known: HashMap<Vec<u32>, Option<u32>> = HashMap::from([(rest, None)]);
        for frame in played.range(..frames.frame_count()).copied() {
            let target = *known.entry(bits(frame)).or_insert_with(|| {
                out.frames.push(frame);
                Some(out.frames.len() as u32 - 1)
            });
            out.target_of.insert(frame, target);
        }
        out
    }

    /// The target that shows a frame.
    pub fn target(&self, frame: u32) -> Option<u32> {
        self.target_of.get(&frame).copied().flatten()
    }
}
