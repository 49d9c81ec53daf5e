//! Surfaces from a function of two parameters, with normals.

use super::rig::Rig;
use bonebox::formats::j3d::encode::MeshVertex;
use glam::{Vec2, Vec3};

/// A corner as a sheet's function says it, in the model's space.
#[derive(Clone)]
pub struct Corner {
    pub position: Vec3,
    pub uv: Vec2,
    pub color: Option<[u8; 4]>,
    /// Joints and weights that sum to 1.
    pub weights: Vec<(usize, f32)>,
}

impl Corner {
    /// A corner of one joint.
    pub fn rigid(position: Vec3, uv: Vec2, bone: usize) -> Self {
        Self { position, uv, color: None, weights: vec![(bone, 1.0)] }
    }
}

/// Triangles, counter-clockwise seen from outside.
pub type Triangles = Vec<[MeshVertex; 3]>;

/// A sheet of columns × rows squares over `0..=1`: seen from outside, `u` goes to the right and `v` up.
pub fn sheet(rig: &mut Rig, columns: usize, rows: usize, at: impl Fn(f32, f32) -> Corner) -> Triangles {
    const STEP: f32 = 1e-3;
    let mut corners = Vec::new();
    for row in 0..=rows {
        for column in 0..=columns {
            let (u, v) = (column as f32 / columns as f32, row as f32 / rows as f32);
            let corner = at(u, v);
            // Poles have no slope along them: look a little beside.
            let beside = v.clamp(STEP * 4.0, 1.0 - STEP * 4.0);
            let across = at(u + STEP, beside).position - at(u - STEP, beside).position;
            let along = at(u, beside + STEP).position - at(u, beside - STEP).position;
            let normal = across.cross(along).normalize_or(Vec3::Y);
            let (matrix, position, normal) = rig.bind(&corner.weights, corner.position, normal);
            let vertex = MeshVertex {
                position: (position * 1024.0).round().to_array().map(|c| c / 1024.0),
                normal: Some(normal.to_array()),
                color: corner.color,
                uvs: vec![corner.uv.to_array()],
                matrix,
            };
            corners.push((corner.position, vertex));
        }
    }
    let mut triangles = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let first = row * (columns + 1) + column;
            let [a, b, c, d] = [first, first + 1, first + columns + 2, first + columns + 1];
            for three in [[a, b, c], [a, c, d]] {
                let [p, q, r] = three.map(|corner: usize| corners[corner].0);
                if (q - p).cross(r - p).length() > 1e-4 {
                    triangles.push(three.map(|corner| corners[corner].1.clone()));
                }
            }
        }
    }
    triangles
}

/// A surface of revolution about a vertical axis; `profile` gives radius and height from the bottom to the top.
pub fn turned(axis: Vec3, u: f32, (radius, height): (f32, f32)) -> Vec3 {
    let (sin, cos) = (u * std::f32::consts::TAU).sin_cos();
    axis + Vec3::new(sin * radius, height, cos * radius)
}

/// A sphere's point: `u` around, `v` from the bottom to the top.
pub fn sphere(center: Vec3, radii: Vec3, u: f32, v: f32) -> Vec3 {
    let (sin, cos) = ((v - 0.5) * std::f32::consts::PI).sin_cos();
    let (around, forward) = (u * std::f32::consts::TAU).sin_cos();
    center + radii * Vec3::new(around * cos, sin, forward * cos)
}

/// A ring's point: `u` around the axis, `v` around the tube.
pub fn torus(center: Vec3, radius: f32, tube: f32, u: f32, v: f32) -> Vec3 {
    let (sin, cos) = ((v - 0.5) * std::f32::consts::TAU).sin_cos();
    turned(center, u, (radius + tube * cos, tube * sin))
}
