//! The models of a landscape's objects, each once, and the boxes and posts that replace missing models, as in the
//! window.

use crate::{
    export::{Notes, map_model::SharedMaterials},
    scene::{Mesh, Model, Prop, PropBody, PropKind, PropMarker, Terrain, exact},
};
use glam::Vec3;
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Textures that are named.
const MAX_NAMED: usize = 10;

/// The finest levels of models, over one list of materials, without what is not to be seen.
pub struct Bodies {
    /// Materials and pictures of all of them; no meshes.
    pub materials: Model,
    pub list: Vec<Body>,
    /// Into the list, by type.
    of_kind: Vec<Option<usize>>,
}

/// The meshes of one model, on the materials of all.
pub struct Body {
    pub name: String,
    pub meshes: Vec<Mesh>,
}

impl Bodies {
    /// Those of types that some object has.
    pub fn of(terrain: &Terrain) -> Self {
        let used: HashSet<u32> = terrain.props.iter().map(|prop| prop.kind).collect();
        let mut bodies =
            Self { materials: Model::empty(&terrain.name), list: Vec::new(), of_kind: vec![None; terrain.kinds.len()] };
        let mut known: HashMap<*const PropBody, Option<usize>> = HashMap::new();
        let mut materials = SharedMaterials::default();
        for (index, kind) in (0..).zip(&terrain.kinds) {
            let Some(body) = kind.body.as_ref().filter(|_| used.contains(&index)) else { continue };
            let place = *known.entry(Arc::as_ptr(body)).or_insert_with(|| {
                let model = &body.levels.first()?.model;
                let meshes: Vec<Mesh> =
                    model.meshes.iter().map(|mesh| materials.mesh(&mut bodies.materials, model, mesh)).collect();
                let is_drawn = meshes.iter().any(|mesh| mesh.triangle_count() > 0);
                is_drawn.then(|| {
                    bodies.list.push(Body { name: model.name.clone(), meshes });
                    bodies.list.len() - 1
                })
            });
            bodies.of_kind[index as usize] = place;
        }
        bodies
    }

    /// Which model stands for the objects of a type; `None` for a box.
    pub fn index(&self, kind: u32) -> Option<usize> {
        self.of_kind.get(kind as usize).copied().flatten()
    }

    pub fn get(&self, kind: u32) -> Option<&Body> {
        self.list.get(self.index(kind)?)
    }

    /// One sentence about textures that the models name and that are in formats of the games.
    pub fn note(&self, notes: &mut Notes) {
        let materials = self.materials.materials.iter().filter(|material| material.basic().image.is_none());
        let names: Vec<&str> = materials
            .map(|material| material.name.as_str())
            .filter(|name| name.contains('.') && !name.starts_with('#'))
            .collect();
        if names.is_empty() {
            return;
        }
        let named = names.iter().take(MAX_NAMED).map(|name| format!("“{name}”")).collect::<Vec<_>>().join(", ");
        let more = if names.len() > MAX_NAMED { " and others" } else { "" };
        notes.push(format!("textures of models are exported as one colour each: {named}{more}"));
    }
}

/// What an object is called: its own name, else its type's.
pub fn name_of<'a>(prop: &'a Prop, kind: &'a PropKind) -> &'a str {
    [prop.name.as_str(), kind.name.as_str()].into_iter().find(|name| !name.is_empty()).unwrap_or("object")
}

/// Outward directions of a box's sides.
const SIDES: [Vec3; 6] = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
/// Sides of a post.
const POST_SIDES: u32 = 12;

/// A closed shape; the middle of its floor is the origin.
#[derive(Default)]
pub struct StandIn {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    /// Three a triangle, counter-clockwise from outside.
    pub indices: Vec<u32>,
}

impl StandIn {
    /// That of a type of objects, in metres.
    pub fn of(kind: &PropKind) -> Self {
        let size = size_of(kind);
        let mut shape = match kind.marker {
            PropMarker::Rectangle => block(),
            PropMarker::Ellipse => post(),
        };
        shape.positions.iter_mut().for_each(|point| *point *= size);
        shape.normals.iter_mut().for_each(|normal| *normal = (*normal / size).normalize_or(Vec3::Y));
        shape
    }

    fn face(&mut self, corners: &[Vec3], normal: Vec3) {
        let first = self.positions.len() as u32;
        self.positions.extend(corners);
        self.normals.resize(self.positions.len(), normal);
        let around = 1..(corners.len() as u32).saturating_sub(1);
        self.indices.extend(around.flat_map(|corner| [0, corner, corner + 1].map(|corner| first + corner)));
    }
}

fn block() -> StandIn {
    let mut shape = StandIn::default();
    for side in SIDES {
        let along = Vec3::new(side.y, side.z, side.x);
        let corner = |(u, v): (f32, f32)| (side + along * u + side.cross(along) * v + Vec3::Y) * 0.5;
        shape.face(&[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(corner), side);
    }
    shape
}

fn post() -> StandIn {
    let mut shape = StandIn::default();
    let rim = |side: u32, y: f32| {
        let (x, z) = exact::sin_cos(side as f32 / POST_SIDES as f32 * std::f32::consts::TAU);
        Vec3::new(x * 0.5, y, z * 0.5)
    };
    let ring = |y: f32| (0..POST_SIDES).map(move |side| rim(side, y)).collect::<Vec<_>>();
    shape.face(&ring(1.0), Vec3::Y);
    shape.face(&ring(0.0).into_iter().rev().collect::<Vec<_>>(), Vec3::NEG_Y);
    let first = shape.positions.len() as u32;
    for side in 0..POST_SIDES {
        let (foot, next) = (first + side * 2, first + (side + 1) % POST_SIDES * 2);
        shape.positions.extend([rim(side, 0.0), rim(side, 1.0)]);
        shape.normals.extend([rim(side, 0.0) * 2.0; 2]);
        shape.indices.extend([foot, next, next + 1, foot, next + 1, foot + 1]);
    }
    shape
}

/// What cannot be a size counts as a metre.
fn size_of(kind: &PropKind) -> Vec3 {
    Vec3::from_array(kind.size.to_array().map(|side| if side.is_finite() && side > 0.0 { side } else { 1.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_closed_and_look_outward() {
        for shape in [block(), post()] {
            assert_eq!(shape.positions.len(), shape.normals.len());
            let mut volume = 0.0;
            for triangle in shape.indices.as_chunks::<3>().0 {
                let [a, b, c] = triangle.map(|i| shape.positions[i as usize]);
                let facing = (b - a).cross(c - a);
                assert!(triangle.iter().all(|i| facing.dot(shape.normals[*i as usize]) > 0.0), "{triangle:?}");
                volume += a.dot(b.cross(c)) / 6.0;
            }
            // A box of 1, and a prism of twelve sides: twelve triangles of 0.5² / 2 × sin 30°.
            let wanted = if shape.positions.len() == 24 { 1.0 } else { 0.75 };
            assert!((volume - wanted).abs() < 1e-5, "{volume}");
        }
    }
}
