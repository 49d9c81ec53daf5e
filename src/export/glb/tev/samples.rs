//! What the meshes of a model bring to each of its combined materials: points spread evenly over the triangles that have it.

use crate::scene::{Mesh, Model, Surface, gx::TexturedVertex};
use glam::{Affine3A, Vec2, Vec3};

/// Points on the triangles of a material.
const POINTS: usize = 384;
/// Side of the square of points that stands in where no triangle has a material.
const SQUARE: usize = 8;
/// What of its area a triangle counts for that is not seen from the front.
const UNSEEN: f32 = 0.02;
/// Steps of the two coordinates of points in their triangles (the R2 sequence): no two lie close together.
const STEPS: [f32; 2] = [0.754_877_7, 0.569_840_3];

/// A point on a triangle.
#[derive(Clone, Copy, Debug)]
pub struct SamplePoint {
    /// Attributes as the file has them, but seen from the front; its colours are not yet those of the channels.
    pub vertex: TexturedVertex,
    /// Its own colours, as far as it has them.
    pub colors: [Option<[u8; 4]>; 2],
    /// How much it counts in a mean: by the area that is seen from the front.
    pub weight: f32,
    /// Its triangle; `None` for a point on no mesh.
    pub triangle: Option<Triangle>,
    /// Shares of the triangle's corners.
    pub shares: [f32; 3],
}

impl SamplePoint {
    /// A vertex of a mesh.
    pub fn of_vertex(mesh: &Mesh, vertex: u32, view: &Affine3A) -> Self {
        Triangle { mesh: 0, corners: [vertex; 3] }.point(mesh, 0, view)
    }
}

/// The points of a material, at least one.
#[derive(Clone, Debug)]
pub struct Samples {
    pub points: Vec<SamplePoint>,
    /// The least and the greatest coordinates of each set that vertices have.
    pub uv_bounds: [Option<[Vec2; 2]>; 8],
}

impl Samples {
    /// The points of `count` groups of materials. `group_of` gives the group of a material by its index.
    pub fn of(model: &Model, count: usize, group_of: impl Fn(usize) -> Option<usize>) -> Vec<Self> {
        let mut triangles: Vec<Vec<Triangle>> = vec![Vec::new(); count];
        for (index, mesh) in model.meshes.iter().enumerate() {
            for surface in &mesh.surfaces {
                let group = group_of(surface.material as usize);
                let Some(of_group) = group.and_then(|group| triangles.get_mut(group)) else { continue };
                of_group.extend(triangles_of(mesh, surface).map(|corners| Triangle { mesh: index, corners }));
            }
            // Lines are triangles without an area: they count where a material has nothing else.
            for surface in &mesh.line_surfaces {
                let Some(of_material) = triangles.get_mut(surface.material as usize) else { continue };
                let ends = mesh
                    .lines_of(surface)
                    .iter()
                    .filter(|ends| ends.iter().all(|v| (*v as usize) < mesh.vertex_count()));
                of_material.extend(ends.map(|[a, b]| Triangle { mesh: index, corners: [*a, *b, *b] }));
            }
        }
        let view = view_from_front(model);
        triangles.iter().map(|triangles| Self::spread(model, triangles, &view)).collect()
    }

    fn spread(model: &Model, triangles: &[Triangle], view: &Affine3A) -> Self {
        let mut uv_bounds = [None; 8];
        let mut ends = Vec::with_capacity(triangles.len());
        let mut total = 0.0_f64;
        for triangle in triangles {
            let Some(mesh) = model.meshes.get(triangle.mesh) else { continue };
            total += f64::from(triangle.normal(mesh).length());
            ends.push(total);
            for vertex in triangle.corners {
                for (bounds, set) in uv_bounds.iter_mut().zip(&mesh.uv_sets) {
                    let Some(uv) = set.get(vertex as usize).filter(|uv| uv.is_finite()) else { continue };
                    let [low, high] = bounds.unwrap_or([*uv; 2]);
                    *bounds = Some([low.min(*uv), high.max(*uv)]);
                }
            }
        }
        let mut points = Vec::with_capacity(POINTS);
        for index in 0..POINTS {
            let share = (index as f64 + 0.5) / POINTS as f64;
            let place = if total > 0.0 && total.is_finite() {
                ends.partition_point(|end| *end < share * total)
            } else {
                (share * triangles.len() as f64) as usize
            };
            let Some(triangle) = triangles.get(place) else { continue };
            let Some(mesh) = model.meshes.get(triangle.mesh) else { continue };
            points.push(triangle.point(mesh, index, view));
        }
        if points.is_empty() {
            (points, uv_bounds) = square(view);
        }
        Self { points, uv_bounds }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    pub mesh: usize,
    pub corners: [u32; 3],
}

fn triangles_of<'a>(mesh: &'a Mesh, surface: &Surface) -> impl Iterator<Item = [u32; 3]> + 'a {
    let first = surface.first_index as usize;
    let end = first.saturating_add(surface.index_count as usize).min(mesh.indices.len());
    let count = mesh.vertex_count();
    let corners = mesh.indices.get(first..end).unwrap_or_default().as_chunks::<3>().0;
    corners.iter().copied().filter(move |corners| corners.iter().all(|vertex| (*vertex as usize) < count))
}

impl Triangle {
    /// Its normal, twice as long as its area; zero for one that is not finite.
    fn normal(&self, mesh: &Mesh) -> Vec3 {
        let [a, b, c] = self.corners.map(|vertex| mesh.position(vertex as usize));
        let normal = (b - a).cross(c - a);
        if normal.is_finite() { normal } else { Vec3::ZERO }
    }

    /// The point of this number, of all points.
    fn point(&self, mesh: &Mesh, number: usize, view: &Affine3A) -> SamplePoint {
        let [mut along, mut across] = STEPS.map(|step| (0.5 + step * number as f32).fract());
        if along + across > 1.0 {
            (along, across) = (1.0 - along, 1.0 - across);
        }
        let shares = [1.0 - along - across, along, across];
        let [a, b, c] = self.corners.map(|vertex| vertex as usize);
        let mix3 = |of: [Vec3; 3]| of[0] * shares[0] + of[1] * shares[1] + of[2] * shares[2];
        let vector = |of: &[Vec3]| Some(mix3([*of.get(a)?, *of.get(b)?, *of.get(c)?]));
        let color = |of: &[[u8; 4]]| {
            let [a, b, c] = [of.get(a)?, of.get(b)?, of.get(c)?];
            let mix = |i: usize| {
                let parts = [a[i], b[i], c[i]].map(f32::from);
                (parts[0] * shares[0] + parts[1] * shares[1] + parts[2] * shares[2]).round() as u8
            };
            Some([mix(0), mix(1), mix(2), mix(3)])
        };
        let uv = |set: &Vec<Vec2>| {
            let uv = *set.get(a)? * shares[0] + *set.get(b)? * shares[1] + *set.get(c)? * shares[2];
            uv.is_finite().then_some(uv)
        };
        let tangents = |v: usize| mesh.tangents.get(v).copied();
        let tangents = tangents(a)
            .zip(tangents(b))
            .zip(tangents(c))
            .map(|(([a0, a1], [b0, b1]), [c0, c1])| [mix3([a0, b0, c0]), mix3([a1, b1, c1])]);
        let facing = view.transform_vector3(self.normal(mesh).normalize_or_zero()).z;
        let colors_of = |colors: &[[u8; 4]]| if colors.len() == mesh.vertex_count() { color(colors) } else { None };
        SamplePoint {
            vertex: TexturedVertex {
                position: mix3([a, b, c].map(|vertex| mesh.position(vertex))),
                normal: vector(&mesh.normals).map(|normal| normal.normalize_or_zero()),
                tangents,
                uvs: std::array::from_fn(|set| mesh.uv_sets.get(set).and_then(uv)),
                slots: mesh.texture_matrix_slots.get(a).copied().unwrap_or([0xFF; 8]),
                view_from_point: *view,
                colors: [[255; 4]; 2],
            },
            colors: [colors_of(&mesh.colors), colors_of(&mesh.second_colors)],
            weight: facing.max(0.0) + UNSEEN,
            triangle: Some(*self),
            shares,
        }
    }
}

/// Points on a square that faces the viewer, with all coordinates from 0 to 1.
fn square(view: &Affine3A) -> (Vec<SamplePoint>, [Option<[Vec2; 2]>; 8]) {
    let point = |number: usize| {
        let place = |number: usize| (number as f32 + 0.5) / SQUARE as f32;
        let uv = Vec2::new(place(number % SQUARE), place(number / SQUARE));
        let vertex = TexturedVertex {
            position: Vec3::ZERO,
            normal: Some(Vec3::Z),
            tangents: None,
            uvs: [Some(uv); 8],
            slots: [0xFF; 8],
            view_from_point: *view,
            colors: [[255; 4]; 2],
        };
        SamplePoint { vertex, colors: [None; 2], weight: 1.0, triangle: None, shares: [1.0, 0.0, 0.0] }
    };
    ((0..SQUARE * SQUARE).map(point).collect(), [Some([Vec2::ZERO, Vec2::ONE]); 8])
}

/// The view from before the model.
fn view_from_front(model: &Model) -> Affine3A {
    let points = model.meshes.iter().flat_map(|mesh| &mesh.points).filter(|point| point.is_finite());
    let (low, high) = points.fold((Vec3::MAX, Vec3::MIN), |(low, high), point| (low.min(*point), high.max(*point)));
    if low.cmpgt(high).any() {
        return Affine3A::from_translation(Vec3::NEG_Z);
    }
    let radius = (high - low).length().max(1e-6);
    Affine3A::from_translation(-((low + high) * 0.5) - Vec3::Z * (1.5 * radius))
}
