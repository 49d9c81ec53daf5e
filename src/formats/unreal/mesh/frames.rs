//! Frames of a mesh as the scene has them: positions, and normals made from the triangles.

use crate::scene::VertexFrames;
use glam::{Affine3A, Vec3};

/// Triangles of all frames together whose normals are worked out; beyond it all frames have those of the first.
const MAX_WORK: usize = 1 << 27;

/// The frames that are whole, and no more of them than the mesh says it has.
pub fn whole_frames(verts: usize, stride: i32, frames: i32) -> usize {
    let stride = usize::try_from(stride).unwrap_or(0);
    verts.checked_div(stride).unwrap_or(0).min(usize::try_from(frames).unwrap_or(0))
}

/// Positions of each frame's points and normals smoothed over the triangles that share them; `triangles` are points, counter-
/// clockwise from outside.
pub fn vertex_frames(
    verts: &[[i16; 3]],
    stride: usize,
    count: usize,
    scene_from_mesh: &Affine3A,
    triangles: &[[u32; 3]],
) -> Option<VertexFrames> {
    let verts = verts.get(..stride.checked_mul(count)?)?;
    let place = |vert: &[i16; 3]| scene_from_mesh.transform_point3(Vec3::from(vert.map(f32::from)));
    let positions: Vec<Vec3> = verts.iter().map(place).collect();
    let mut normals = Vec::with_capacity(positions.len());
    let much = count.saturating_mul(triangles.len()) > MAX_WORK;
    let mut of_frame = Vec::new();
    for frame in positions.chunks_exact(stride.max(1)) {
        if of_frame.is_empty() || !much {
            of_frame = smooth_normals(frame, triangles);
        }
        normals.extend_from_slice(&of_frame);
    }
    VertexFrames::new(stride, positions, normals)
}

/// The mean of the triangles around each point by their area; up where there is none.
pub fn smooth_normals(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; points.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|p| points.get(p as usize).copied().unwrap_or_default());
        let area = (b - a).cross(c - a);
        for point in triangle {
            if let Some(sum) = sums.get_mut(*point as usize).filter(|_| area.is_finite()) {
                *sum += area;
            }
        }
    }
    sums.iter().map(|sum| sum.normalize_or(Vec3::Y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_are_not_whole_do_not_count() {
        assert_eq!(whole_frames(11, 4, 3), 2);
        assert_eq!(whole_frames(12, 4, 2), 2);
        assert_eq!(whole_frames(12, 0, 2), 0);
        assert_eq!(whole_frames(12, -4, 2), 0);
        assert_eq!(whole_frames(12, 4, -1), 0);
    }
}
