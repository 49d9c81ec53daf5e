//! Normals of triangle corners (formats/actorx.md §4).

use super::Face;
use glam::Vec3;

/// More different smoothing masks than this on one point are no longer compared with each other: its faces are smoothed
/// together.
const MAX_MASKS: usize = 256;

/// A triangle whose wedges and points exist.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    pub face: Face,
    /// Points of the wedges, in the file's order.
    pub points: [u32; 3],
}

/// Normals of the three corners of each triangle, in the file's corner order; scene space, unit length.
///
/// `positions` are in scene space. When all smoothing groups are equal, a point has one normal, whatever its seams.
/// Otherwise a corner takes in the faces of its point that share a group with its own face, by their area; group 0 is flat.
pub fn corner_normals(triangles: &[Triangle], positions: &[Vec3]) -> Vec<[Vec3; 3]> {
    let areas: Vec<Vec3> = triangles.iter().map(|t| area(t, positions)).collect();
    let first = triangles.first().map(|t| t.face.smoothing_groups);
    if triangles.iter().all(|t| Some(t.face.smoothing_groups) == first) {
        let smooth = point_normals(triangles, &areas, positions.len());
        let normal = |point: u32| smooth.get(point as usize).copied().unwrap_or(Vec3::Y);
        return triangles.iter().map(|t| t.points.map(normal)).collect();
    }
    let mut normals: Vec<[Vec3; 3]> = areas.iter().map(|a| [a.normalize_or(Vec3::Y); 3]).collect();
    let mut corners = corners_by_point(triangles);
    for of_point in corners.chunk_by_mut(|a, b| a.point == b.point) {
        of_point.sort_by_key(|c| c.mask);
        let mut groups: Vec<(u32, Vec3)> = Vec::new();
        for corner in of_point.iter() {
            let area = areas.get(corner.triangle as usize).copied().unwrap_or_default();
            match groups.last_mut() {
                Some((mask, sum)) if *mask == corner.mask => *sum += area,
                _ => groups.push((corner.mask, area)),
            }
        }
        let all: Option<Vec3> = (groups.len() > MAX_MASKS).then(|| groups.iter().map(|(_, sum)| *sum).sum());
        let reach = |mask: u32| all.unwrap_or_else(|| reach(mask, &groups));
        let sums: Vec<(u32, Vec3)> = groups.iter().map(|(mask, _)| (*mask, reach(*mask))).collect();
        for corner in of_point.iter().filter(|c| c.mask != 0) {
            let found = sums.binary_search_by_key(&corner.mask, |(mask, _)| *mask).ok().and_then(|i| sums.get(i));
            let slot = normals.get_mut(corner.triangle as usize).and_then(|n| n.get_mut(corner.corner as usize));
            if let (Some((_, sum)), Some(slot)) = (found, slot) {
                *slot = sum.normalize_or(*slot);
            }
        }
    }
    normals
}

/// The sum over the faces that share a group with `mask`.
fn reach(mask: u32, groups: &[(u32, Vec3)]) -> Vec3 {
    groups.iter().filter(|(other, _)| mask & other != 0).map(|(_, sum)| *sum).sum()
}

struct Corner {
    point: u32,
    mask: u32,
    triangle: u32,
    corner: u8,
}

/// Every corner, sorted by point.
fn corners_by_point(triangles: &[Triangle]) -> Vec<Corner> {
    let mut corners: Vec<Corner> = Vec::with_capacity(triangles.len().saturating_mul(3));
    for (triangle, t) in triangles.iter().enumerate() {
        for (corner, point) in t.points.iter().enumerate() {
            corners.push(Corner {
                point: *point,
                mask: t.face.smoothing_groups,
                triangle: triangle as u32,
                corner: corner as u8,
            });
        }
    }
    corners.sort_by_key(|c| c.point);
    corners
}

/// One normal a point: the mean of its faces by area; up where there is none.
fn point_normals(triangles: &[Triangle], areas: &[Vec3], point_count: usize) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; point_count];
    for (triangle, area) in triangles.iter().zip(areas) {
        for point in triangle.points {
            if let Some(normal) = normals.get_mut(point as usize) {
                *normal += *area;
            }
        }
    }
    normals.iter().map(|n| n.normalize_or(Vec3::Y)).collect()
}

/// Normal to the outside, as long as twice the triangle's area. The file winds clockwise.
fn area(triangle: &Triangle, positions: &[Vec3]) -> Vec3 {
    let [a, b, c] = triangle.points.map(|p| positions.get(p as usize).copied().unwrap_or_default());
    let area = (c - a).cross(b - a);
    if area.is_finite() { area } else { Vec3::ZERO }
}

/// One normal a point for those who want no seams: the mean of its corners; up where a point has none.
pub fn mean_of_corners(triangles: &[Triangle], corners: &[[Vec3; 3]], point_count: usize) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; point_count];
    for (triangle, corners) in triangles.iter().zip(corners) {
        for (point, corner) in triangle.points.iter().zip(corners) {
            if let Some(normal) = normals.get_mut(*point as usize) {
                *normal += *corner;
            }
        }
    }
    normals.iter().map(|n| n.normalize_or(Vec3::Y)).collect()
}
