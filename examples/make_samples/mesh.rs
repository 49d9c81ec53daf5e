//! A surface under construction: grids of points that weld where they meet.

use std::collections::HashMap;

use glam::{Vec2, Vec3};

/// What a mesh can be morphed into; the indices of [`Vertex::morphs`].
pub const MORPHS: [&str; 2] = ["Blink", "Smile"];

/// A point of a grid as its builder says it.
#[derive(Clone, Copy)]
pub struct Vertex {
    pub position: Vec3,
    /// How far each morph moves it.
    pub morphs: [Vec3; MORPHS.len()],
}

impl From<Vec3> for Vertex {
    fn from(position: Vec3) -> Self {
        Self { position, morphs: [Vec3::ZERO; MORPHS.len()] }
    }
}

/// A rectangle of a texture in pixels, of 1024 a side: left, top, right, bottom.
#[derive(Clone, Copy)]
pub struct Rect(pub f32, pub f32, pub f32, pub f32);

impl Rect {
    /// Where `local` (u to the right, v up) lies, both sides kept a few pixels off the neighbours.
    pub fn uv(self, local: Vec2) -> Vec2 {
        const MARGIN: f32 = 4.0;
        let (left, top, right, bottom) = (self.0 + MARGIN, self.1 + MARGIN, self.2 - MARGIN, self.3 - MARGIN);
        Vec2::new(left + (right - left) * local.x, bottom + (top - bottom) * local.y) / 1024.0
    }
}

/// One sheet of a surface: columns × rows of quads.
///
/// Seen from outside, columns go to the right and rows go up.
pub struct Grid<P> {
    pub part: P,
    pub material: u8,
    /// Smoothing group bits; faces of other groups meet this sheet in a hard edge.
    pub groups: u32,
    pub columns: usize,
    pub rows: usize,
    /// The last column is the first one again.
    pub closed: bool,
    pub rect: Rect,
    /// Whether the texture is painted from this sheet; false on copies that share another one's paint.
    pub painted: bool,
}

pub struct Point<P> {
    pub vertex: Vertex,
    pub part: P,
}

#[derive(Clone, Copy)]
pub struct Corner {
    pub point: usize,
    pub uv: Vec2,
    /// Position within the sheet, 0 to 1.
    pub local: Vec2,
}

/// A triangle, counter-clockwise seen from outside.
#[derive(Clone, Copy)]
pub struct Triangle<P> {
    pub corners: [usize; 3],
    pub part: P,
    pub material: u8,
    pub groups: u32,
    pub painted: bool,
}

pub struct Mesh<P> {
    pub points: Vec<Point<P>>,
    pub corners: Vec<Corner>,
    pub triangles: Vec<Triangle<P>>,
    /// Tells apart pieces that touch but do not join.
    piece: u32,
    welds: HashMap<(u32, [u32; 3]), usize>,
}

impl<P: Copy> Mesh<P> {
    pub fn new() -> Self {
        Self { points: Vec::new(), corners: Vec::new(), triangles: Vec::new(), piece: 0, welds: HashMap::new() }
    }

    /// Starts a new piece: what comes next does not weld with what came before.
    pub fn begin_piece(&mut self) {
        self.piece += 1;
    }

    fn point(&mut self, vertex: Vertex, part: P) -> usize {
        // Adding zero turns −0 into 0, so equal positions have equal bits.
        let key = (self.piece, (vertex.position + Vec3::ZERO).to_array().map(f32::to_bits));
        *self.welds.entry(key).or_insert_with(|| {
            self.points.push(Point { vertex, part });
            self.points.len() - 1
        })
    }

    /// Adds a sheet; `vertex(column, row)` says where its points are.
    pub fn grid<V: Into<Vertex>>(&mut self, grid: &Grid<P>, mut vertex: impl FnMut(usize, usize) -> V) {
        let across = grid.columns + 1;
        let mut points = Vec::with_capacity(across * (grid.rows + 1));
        for row in 0..=grid.rows {
            for column in 0..across {
                let column = if grid.closed { column % grid.columns } else { column };
                points.push(self.point(vertex(column, row).into(), grid.part));
            }
        }
        let at = |mesh: &Self, index: usize| mesh.points[points[index]].vertex.position;
        // Texture rows follow the length along the sheet, taken as the longest of its columns.
        let mut along = vec![0.0f32];
        for row in 0..grid.rows {
            let step = (0..across)
                .map(|column| at(self, (row + 1) * across + column).distance(at(self, row * across + column)))
                .fold(0.0, f32::max);
            along.push(along[row] + step);
        }
        let length = along[grid.rows].max(f32::MIN_POSITIVE);
        let first = self.corners.len();
        for row in 0..=grid.rows {
            for column in 0..across {
                let local = Vec2::new(column as f32 / grid.columns as f32, along[row] / length);
                let point = points[row * across + column];
                self.corners.push(Corner { point, uv: grid.rect.uv(local), local });
            }
        }
        for row in 0..grid.rows {
            for column in 0..grid.columns {
                let [a, b, c, d] = [
                    row * across + column,
                    row * across + column + 1,
                    (row + 1) * across + column + 1,
                    (row + 1) * across + column,
                ];
                let across_ac = at(self, a).distance(at(self, c)) <= at(self, b).distance(at(self, d)) + 1e-3;
                let pair = if across_ac { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                for [i, j, k] in pair {
                    let collapsed = points[i] == points[j] || points[j] == points[k] || points[k] == points[i];
                    if !collapsed {
                        self.triangles.push(Triangle {
                            corners: [first + i, first + j, first + k],
                            part: grid.part,
                            material: grid.material,
                            groups: grid.groups,
                            painted: grid.painted,
                        });
                    }
                }
            }
        }
    }

    /// Drops corners that no triangle uses (the poles of sheets have them).
    pub fn compact(&mut self) {
        let mut moved = vec![usize::MAX; self.corners.len()];
        let mut kept = Vec::new();
        for triangle in &mut self.triangles {
            for corner in &mut triangle.corners {
                if moved[*corner] == usize::MAX {
                    moved[*corner] = kept.len();
                    kept.push(self.corners[*corner]);
                }
                *corner = moved[*corner];
            }
        }
        self.corners = kept;
    }

    /// Smooth unit normals of the points, with one morph applied in full if one is named.
    pub fn point_normals(&self, morph: Option<usize>) -> Vec<Vec3> {
        let mut normals = vec![Vec3::ZERO; self.points.len()];
        let at = |point: usize| {
            let vertex = &self.points[point].vertex;
            vertex.position + morph.map_or(Vec3::ZERO, |morph| vertex.morphs[morph])
        };
        for triangle in &self.triangles {
            let points = triangle.corners.map(|corner| self.corners[corner].point);
            let [a, b, c] = points.map(at);
            let normal = (b - a).cross(c - a);
            for point in points {
                normals[point] += normal;
            }
        }
        normals.into_iter().map(|normal| normal.normalize_or(Vec3::Z)).collect()
    }

    /// Unit normals of the corners of each triangle, smooth within smoothing groups.
    pub fn corner_normals(&self) -> Vec<[Vec3; 3]> {
        let mut around: Vec<Vec<(u32, Vec3)>> = vec![Vec::new(); self.points.len()];
        for triangle in &self.triangles {
            let points = triangle.corners.map(|corner| self.corners[corner].point);
            let [a, b, c] = points.map(|point| self.points[point].vertex.position);
            for point in points {
                around[point].push((triangle.groups, (b - a).cross(c - a)));
            }
        }
        self.triangles
            .iter()
            .map(|triangle| {
                triangle.corners.map(|corner| {
                    let faces = &around[self.corners[corner].point];
                    let sum: Vec3 = faces
                        .iter()
                        .filter(|(groups, _)| groups & triangle.groups != 0)
                        .map(|(_, normal)| *normal)
                        .sum();
                    sum.normalize_or(Vec3::Z)
                })
            })
            .collect()
    }
}

/// Rings along a path, each a circle of its own radius, carried along without twist. `up` is where column 0 lies.
pub struct Tube {
    rings: Vec<(Vec3, Vec3, Vec3, f32)>,
}

impl Tube {
    /// A tube around `centers` with `radii`; both of the same length, at least two.
    pub fn new(centers: &[Vec3], radii: &[f32], up: Vec3) -> Self {
        let last = centers.len() - 1;
        let mut side = up;
        let rings = (0..=last)
            .map(|ring| {
                let along = (centers[(ring + 1).min(last)] - centers[ring.saturating_sub(1)]).normalize_or(Vec3::Z);
                side = (side - along * side.dot(along)).normalize_or(Vec3::X);
                (centers[ring], side, along.cross(side), radii[ring])
            })
            .collect();
        Self { rings }
    }

    pub fn at(&self, column: usize, columns: usize, ring: usize) -> Vec3 {
        let (center, side, other, radius) = self.rings[ring];
        let (sin, cos) = (column as f32 / columns as f32 * std::f32::consts::TAU).sin_cos();
        center + (side * cos + other * sin) * radius
    }
}

/// A point on a smooth curve through `knots`, `t` from 0 to 1.
pub fn curve(knots: &[Vec3], t: f32) -> Vec3 {
    let last = knots.len() - 1;
    let scaled = t.clamp(0.0, 1.0) * last as f32;
    let segment = (scaled as usize).min(last - 1);
    let t = scaled - segment as f32;
    let (b, c) = (knots[segment], knots[segment + 1]);
    let a = if segment == 0 { b * 2.0 - c } else { knots[segment - 1] };
    let d = if segment + 2 > last { c * 2.0 - b } else { knots[segment + 2] };
    0.5 * (2.0 * b + (c - a) * t + (2.0 * a - 5.0 * b + 4.0 * c - d) * t * t + (3.0 * b - a - 3.0 * c + d) * t * t * t)
}

/// 0 below `from`, 1 above `to` (or the other way round if `from` > `to`), smooth between.
pub fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
