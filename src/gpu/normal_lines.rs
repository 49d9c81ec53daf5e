//! Normals of vertices as lines.

use super::billboards;
use super::{Item, Line, ViewSettings};
use crate::scene::{Mesh, skinning};
use glam::Vec3;

/// Length of a line, as a share of its model's diagonal.
const LENGTH: f32 = 0.02;

const COLOR: [u8; 4] = [92, 204, 250, 255];

/// Most lines in one picture.
const MAX_LINES: usize = 200_000;

/// A line for every vertex that a drawn triangle uses.
pub(super) fn of(items: &[Item<'_>], view: &ViewSettings) -> Vec<Line> {
    let mut lines = Vec::new();
    for item in items {
        let model = item.model.model();
        let mut used = vec![false; item.model.vertex_count as usize];
        for vertex in &item.model.index_list {
            if let Some(used) = used.get_mut(*vertex as usize) {
                *used = true;
            }
        }
        let Some(bounds) = item.model.spheres.bounds(item.frame, item.world_from_model) else { continue };
        let length = bounds.diagonal() * LENGTH;
        let mut rest = used.as_slice();
        for (index, mesh) in model.meshes.iter().enumerate() {
            let (own, after) = rest.split_at(mesh.vertex_count().min(rest.len()));
            rest = after;
            let is_shown = item.frame.visible.get(index).copied().unwrap_or(true);
            if !is_shown || !own.contains(&true) {
                continue;
            }
            let frame = billboards::turned_frame(mesh.billboard, item.frame, item.world_from_model, view);
            let points = skinning::skinned_points(model, mesh, &frame);
            let mut normals = skinning::skinned_normals(model, mesh, &frame);
            if normals.len() != mesh.vertex_count() {
                normals = from_triangles(mesh, &points);
            }
            let vertices = own.iter().zip(&mesh.vertex_points).zip(&normals).filter(|((used, _), _)| **used);
            let room = MAX_LINES.saturating_sub(lines.len());
            lines.extend(vertices.take(room).filter_map(|((_, point), normal)| {
                let from = item.world_from_model.transform_point3(*points.get(*point as usize)?);
                let along = item.world_from_model.transform_vector3(*normal).normalize_or_zero();
                Some(Line { ends: [from, from + along * length], color: COLOR, width_px: 1.0, over: false })
            }));
        }
    }
    lines
}

/// Normals of vertices from the triangles around their points.
fn from_triangles(mesh: &Mesh, points: &[Vec3]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; points.len()];
    let point_of = |vertex: u32| mesh.vertex_points.get(vertex as usize).map(|point| *point as usize);
    for corners in mesh.indices.chunks_exact(3) {
        let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|i| point_of(corners[i])) else { continue };
        let [Some(x), Some(y), Some(z)] = [a, b, c].map(|point| points.get(point)) else { continue };
        let across = (*y - *x).cross(*z - *x);
        for point in [a, b, c] {
            if let Some(sum) = sums.get_mut(point).filter(|_| across.is_finite()) {
                *sum += across;
            }
        }
    }
    let of = |point: &u32| sums.get(*point as usize).copied().unwrap_or_default().normalize_or_zero();
    mesh.vertex_points.iter().map(of).collect()
}
