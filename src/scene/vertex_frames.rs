use glam::Vec3;
use std::sync::Arc;

/// Positions of all points of a mesh at whole frames, one frame after the other: animation by vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexFrames {
    frame_count: u32,
    point_count: u32,
    /// `frame_count × point_count`.
    positions: Arc<[Vec3]>,
    /// As many, unit length.
    normals: Arc<[Vec3]>,
}

/// Two frames of a mesh and how far between them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FramePair {
    /// Index of the earlier frame.
    pub from: u32,
    /// Index of the later frame; the first frame where a loop closes.
    pub to: u32,
    /// 0 to 1.
    pub blend: f32,
}

impl VertexFrames {
    /// Frames of `point_count` points each, frame by frame; `None` unless both lists hold whole frames and equally many.
    pub fn new(point_count: usize, positions: Vec<Vec3>, normals: Vec<Vec3>) -> Option<Self> {
        let frames = positions.len().checked_div(point_count)?;
        let whole = frames.checked_mul(point_count)? == positions.len() && normals.len() == positions.len();
        (whole && frames > 0).then_some(Self {
            frame_count: u32::try_from(frames).ok()?,
            point_count: u32::try_from(point_count).ok()?,
            positions: positions.into(),
            normals: normals.into(),
        })
    }

    /// Number of frames; at least 1.
    pub fn frame_count(&self) -> u32 {
        self.frame_count
    }

    /// Points of each frame.
    pub fn point_count(&self) -> u32 {
        self.point_count
    }

    /// Points of a frame; of the last one past the end.
    pub fn positions(&self, frame: u32) -> &[Vec3] {
        self.positions.get(self.range(frame)).unwrap_or_default()
    }

    /// Unit normals of the points of a frame; of the last one past the end.
    pub fn normals(&self, frame: u32) -> &[Vec3] {
        self.normals.get(self.range(frame)).unwrap_or_default()
    }

    /// Points of all frames, frame by frame.
    pub fn all_positions(&self) -> &[Vec3] {
        &self.positions
    }

    fn range(&self, frame: u32) -> std::ops::Range<usize> {
        let count = self.point_count as usize;
        let first = (frame.min(self.frame_count.saturating_sub(1)) as usize).saturating_mul(count);
        first..first.saturating_add(count)
    }

    /// Points between two frames.
    pub fn blended_positions(&self, pair: FramePair) -> Vec<Vec3> {
        let (from, to) = (self.positions(pair.from), self.positions(pair.to));
        from.iter().zip(to).map(|(a, b)| a.lerp(*b, pair.blend)).collect()
    }

    /// Unit normals of the points between two frames.
    pub fn blended_normals(&self, pair: FramePair) -> Vec<Vec3> {
        let (from, to) = (self.normals(pair.from), self.normals(pair.to));
        from.iter().zip(to).map(|(a, b)| a.lerp(*b, pair.blend).normalize_or(*a)).collect()
    }

    /// Bytes held.
    pub fn weight(&self) -> u64 {
        (self.positions.len() as u64).saturating_mul(24)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames() -> VertexFrames {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 2.0, 0.0)];
        VertexFrames::new(2, positions, vec![Vec3::X, Vec3::Y, Vec3::X, Vec3::Z]).unwrap()
    }

    #[test]
    fn only_whole_frames_are_taken() {
        assert!(VertexFrames::new(2, vec![Vec3::ZERO; 3], vec![Vec3::Y; 3]).is_none());
        assert!(VertexFrames::new(2, vec![Vec3::ZERO; 4], vec![Vec3::Y; 2]).is_none());
        assert!(VertexFrames::new(0, vec![Vec3::ZERO; 4], vec![Vec3::Y; 4]).is_none());
        assert!(VertexFrames::new(2, Vec::new(), Vec::new()).is_none());
        assert_eq!(frames().frame_count(), 2);
    }

    #[test]
    fn between_frames_points_move_in_a_line_and_normals_keep_their_length() {
        let pair = FramePair { from: 0, to: 1, blend: 0.25 };
        assert_eq!(frames().blended_positions(pair), [Vec3::new(0.0, 0.25, 0.0), Vec3::new(1.0, 0.5, 0.0)]);
        assert!(frames().blended_normals(pair).iter().all(|n| (n.length() - 1.0).abs() < 1e-6));
        assert_eq!(frames().positions(77), frames().positions(1), "past the end the last frame holds");
    }
}
