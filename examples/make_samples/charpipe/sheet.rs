//! Surfaces of rows and columns, and the points that they share.

use glam::{IVec3, Vec2, Vec3};
use std::collections::HashMap;

/// A place of a surface.
#[derive(Clone)]
pub struct Spot {
    pub position: Vec3,
    pub uv: Vec2,
    /// Multiplies the texture.
    pub shade: Vec3,
    /// Bones by their place in the actor, and how much they move it.
    pub weights: Vec<(usize, f32)>,
}

/// `rows + 1` times `columns + 1` spots, row by row. Seen from outside, columns run to the right and rows upwards
/// ([`Sheet::outward`]).
pub struct Sheet {
    pub columns: usize,
    pub rows: usize,
    pub spots: Vec<Spot>,
}

/// Spots of `u` and `v` from 0 to 1.
pub fn sheet(columns: usize, rows: usize, at: impl Fn(f32, f32) -> Spot) -> Sheet {
    let places = (0..=rows).flat_map(|row| (0..=columns).map(move |column| (row, column)));
    let spots = places.map(|(row, column)| at(column as f32 / columns as f32, row as f32 / rows as f32)).collect();
    Sheet { columns, rows, spots }
}

impl Sheet {
    /// Turns it so that it faces away from a point, as a whole.
    pub fn outward(mut self, from: Vec3) -> Self {
        let wide = self.columns + 1;
        let mut out = 0.0;
        for row in 0..self.rows {
            for column in 0..self.columns {
                let a = row * wide + column;
                let [a, b, c, d] = [a, a + 1, a + wide + 1, a + wide].map(|spot| self.spots[spot].position);
                out += (c - a).cross(d - b).dot(a + c - from * 2.0);
            }
        }
        if out < 0.0 {
            self.spots.chunks_mut(wide).for_each(<[Spot]>::reverse);
        }
        self
    }
}

/// Points that spots of several sheets share because they are at the same place.
pub struct Weld {
    /// For each spot of all sheets in a row, its point.
    pub points: Vec<usize>,
    /// For each point, the first of its spots.
    pub first: Vec<usize>,
}

pub fn weld(sheets: &[Sheet]) -> Weld {
    let mut known: HashMap<IVec3, usize> = HashMap::new();
    let (mut points, mut first) = (Vec::new(), Vec::new());
    for (index, spot) in sheets.iter().flat_map(|sheet| &sheet.spots).enumerate() {
        let place = (spot.position * 1024.0).round().as_ivec3();
        let point = *known.entry(place).or_insert_with(|| {
            first.push(index);
            first.len() - 1
        });
        points.push(point);
    }
    Weld { points, first }
}

impl Weld {
    /// Normals of the points when the sheets are like this.
    pub fn normals(&self, sheets: &[Sheet]) -> Vec<Vec3> {
        let mut normals = vec![Vec3::ZERO; self.first.len()];
        let mut start = 0;
        for sheet in sheets {
            let wide = sheet.columns + 1;
            for row in 0..sheet.rows {
                for column in 0..sheet.columns {
                    let a = row * wide + column;
                    let quad = [a, a + 1, a + wide + 1, a + wide];
                    let [a, b, c, d] = quad.map(|spot| sheet.spots[spot].position);
                    let normal = (c - a).cross(d - b);
                    quad.iter().for_each(|spot| normals[self.points[start + spot]] += normal);
                }
            }
            start += sheet.spots.len();
        }
        normals.into_iter().map(|normal| normal.normalize_or(Vec3::Y)).collect()
    }
}
