//! Unreal's space to scene space (§8.4, §8.5).
//!
//! Unreal is left-handed: X forward, Y right, Z up. The scene is right-handed with Y up: Unreal's `(x, y, z)` is the
//! scene's `(x, z, y)`, where ActorX models of the same game end up too.
//!
//! Skeletal meshes and animations are another matter: they keep the numbers of the ActorX files that they were imported
//! from, whose Y is mirrored, so that theirs is a right-handed space: `(x, y, z)` is the scene's `(x, z, −y)`. As in
//! those files the quaternions of all bones but the first are inverses.

use crate::scene::{VertexFrames, exact};
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

/// A point of a skeletal mesh; the origin for what is nowhere.
pub fn bone_point([x, y, z]: [f32; 3]) -> Vec3 {
    let point = Vec3::new(x, z, -y);
    if point.is_finite() { point } else { Vec3::ZERO }
}

/// The quaternion, x, y, z, w, of a bone or a key that holds the rotation itself.
pub fn bone_rotation([x, y, z, w]: [f32; 4]) -> Quat {
    Quat::from_xyzw(x, z, -y, w)
}

/// The inverse of [`bone_point`].
pub fn bones_from_scene() -> Affine3A {
    Affine3A { matrix3: Mat3A::from_cols(Vec3A::X, Vec3A::Z, Vec3A::NEG_Y), translation: Vec3A::ZERO }
}

/// Unreal's axes to the scene's and back.
fn swap() -> Mat3A {
    Mat3A::from_cols(Vec3A::X, Vec3A::Z, Vec3A::Y)
}

/// What a rotator (pitch, yaw, roll; 65536 is a full turn) does to vectors of Unreal space: it rolls about X, then pitches,
/// then yaws about Z.
fn rotation(rotator: [i32; 3]) -> Mat3A {
    // The low 16 bits are the angle; what is above counts whole turns.
    let sin_cos = |units: i32| exact::sin_cos((units & 0xFFFF) as f32 * (std::f32::consts::TAU / 65536.0));
    let [(sp, cp), (sy, cy), (sr, cr)] = rotator.map(sin_cos);
    Mat3A::from_cols(
        Vec3A::new(cp * cy, cp * sy, sp),
        Vec3A::new(sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp),
        Vec3A::new(-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp),
    )
}

/// Where a mesh puts its packed vertices: `Rotation(RotOrigin) · Scale ⊙ (v − Origin)`, in scene space. Numbers that would put
/// them nowhere count as 1 in a scale and 0 in an origin.
pub fn scene_from_mesh(scale: [f32; 3], origin: [f32; 3], rot_origin: [i32; 3]) -> Affine3A {
    let usable = |factor: f32| if factor.is_finite() && factor.abs() > 1e-12 { factor } else { 1.0 };
    let origin = Vec3A::from(origin.map(|o| if o.is_finite() { o } else { 0.0 }));
    let matrix3 = swap() * rotation(rot_origin) * Mat3A::from_diagonal(Vec3::from(scale.map(usable)));
    let placed = Affine3A { matrix3, translation: -(matrix3 * origin) };
    if placed.is_finite() && placed.inverse().is_finite() {
        placed
    } else {
        Affine3A { matrix3: swap(), translation: Vec3A::ZERO }
    }
}

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
    fn a_mesh_is_moved_scaled_and_turned_in_this_order() {
        // (3, 1, 2) − (1, 0, 0) = (2, 1, 2); times (1, 1, 2): (2, 1, 4); a yaw of 90° makes X to Y: (−1, 2, 4), in the scene
        // (−1, 4, 2).
        let placed = scene_from_mesh([1.0, 1.0, 2.0], [1.0, 0.0, 0.0], [0, 16384, 0]);
        let at = placed.transform_point3(Vec3::new(3.0, 1.0, 2.0));
        assert!(at.distance(Vec3::new(-1.0, 4.0, 2.0)) < 1e-5, "{at}");
    }

    #[test]
    fn nonsense_leaves_a_mesh_where_it_can_be_seen() {
        let placed = scene_from_mesh([0.0, f32::NAN, 1.0], [f32::INFINITY, 0.0, 0.0], [0; 3]);
        assert_eq!(placed.transform_point3(Vec3::new(1.0, 2.0, 3.0)), Vec3::new(1.0, 3.0, 2.0));
    }

    #[test]
    fn bones_turn_in_the_scene_as_in_the_file() {
        // A quarter turn about the file's Z takes X to Y.
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let rotation = bone_rotation([0.0, 0.0, half, half]);
        assert!((rotation * bone_point([1.0, 0.0, 0.0])).distance(bone_point([0.0, 1.0, 0.0])) < 1e-6);
        let there = bone_point([1.0, 2.0, 3.0]);
        assert_eq!(bones_from_scene().transform_point3(there), Vec3::new(1.0, 2.0, 3.0));
    }

    #[test]
    fn frames_that_are_not_whole_do_not_count() {
        assert_eq!(whole_frames(11, 4, 3), 2);
        assert_eq!(whole_frames(12, 4, 2), 2);
        assert_eq!(whole_frames(12, 0, 2), 0);
        assert_eq!(whole_frames(12, -4, 2), 0);
        assert_eq!(whole_frames(12, 4, -1), 0);
    }
}
