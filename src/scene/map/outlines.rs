//! The edges of a level's surfaces.

use super::{Map, MapMoment};
use crate::scene::Mesh;
use glam::Vec3;
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
};

/// Surfaces of one kind, all over a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceOutlines {
    /// Surfaces that something of is drawn.
    pub surfaces: usize,
    /// Of the items, one after the other, each in its own space.
    pub edges: Vec<[Vec3; 2]>,
    /// Items, and how many of the edges each has.
    items: Vec<(u32, usize)>,
    /// There are more edges than were asked for.
    pub is_cut: bool,
}

impl SurfaceOutlines {
    /// The edges in the world at a moment: those of movers where these are then.
    pub fn in_world(&self, map: &Map, moment: &MapMoment) -> Vec<[Vec3; 2]> {
        let mut edges = self.edges.iter();
        let of_item = |(item, count): &(u32, usize)| {
            let place = map.place_at(*item, moment).unwrap_or_default();
            edges.by_ref().take(*count).map(|ends| ends.map(|end| place.transform_point3(end))).collect::<Vec<_>>()
        };
        self.items.iter().flat_map(of_item).collect()
    }
}

impl Map {
    /// The outlines of all surfaces that are wanted, by their place in [`Map::surfaces`]; no more than so many edges.
    pub fn outlines(&self, wanted: impl Fn(u32) -> bool, most: usize) -> SurfaceOutlines {
        let mut found = BTreeSet::new();
        let (mut edges, mut items) = (Vec::new(), Vec::new());
        for (index, item) in (0_u32..).zip(&self.items) {
            let Some(model) = self.models.get(item.model as usize) else { continue };
            let before = edges.len();
            for mesh in &model.meshes {
                let sources = mesh.triangle_sources.iter().zip(0_usize..);
                let mut by_surface: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
                for (source, triangle) in sources.filter(|(source, _)| wanted(**source)) {
                    by_surface.entry(*source).or_default().push(triangle);
                }
                for (source, triangles) in by_surface {
                    found.insert(source);
                    if edges.len() <= most {
                        edges.extend(outline(mesh, triangles));
                    }
                }
            }
            items.push((index, edges.len().saturating_sub(before)));
        }
        let is_cut = edges.len() > most;
        edges.truncate(most);
        items.retain(|(_, count)| *count > 0);
        SurfaceOutlines { surfaces: found.len(), edges, items, is_cut }
    }

    /// How many of these surfaces something of is drawn.
    pub fn drawn_among(&self, surfaces: &BTreeSet<u32>) -> usize {
        let models = self.items.iter().filter_map(|item| self.models.get(item.model as usize));
        let sources = models.flat_map(|model| &model.meshes).flat_map(|mesh| &mesh.triangle_sources);
        sources.filter(|source| surfaces.contains(source)).collect::<HashSet<_>>().len()
    }

    /// The surfaces that show what a surface shows, by their place in [`Map::surfaces`]: the same picture of the same package,
    /// or, where that is not known, one of the same name. Without a picture nothing is the same.
    pub fn surfaces_like(&self, surface: u32) -> BTreeSet<u32> {
        let Some(like) = self.surfaces.get(surface as usize).filter(|like| !like.texture.is_empty()) else {
            return BTreeSet::new();
        };
        let same = (0_u32..).zip(&self.surfaces).filter(|(_, other)| {
            other.texture_path.eq_ignore_ascii_case(&like.texture_path)
                && other.texture.eq_ignore_ascii_case(&like.texture)
        });
        same.map(|(index, _)| index).collect()
    }
}

/// The outline of triangles of a mesh taken together, in the order of its ends.
pub(in crate::scene) fn outline(mesh: &Mesh, triangles: impl IntoIterator<Item = usize>) -> Vec<[Vec3; 2]> {
    // An edge inside is passed twice, once each way, by corners at equal places.
    let mut edges: HashMap<[[u32; 3]; 2], ([Vec3; 2], u32)> = HashMap::new();
    for triangle in triangles {
        let first = triangle.saturating_mul(3);
        let Some([a, b, c]) = mesh.indices.get(first..first.saturating_add(3)) else { continue };
        for (a, b) in [(a, b), (b, c), (c, a)] {
            let ends = [mesh.position(*a as usize), mesh.position(*b as usize)];
            let mut key = ends.map(|end| end.to_array().map(f32::to_bits));
            key.sort_unstable();
            let count = &mut edges.entry(key).or_insert((ends, 0)).1;
            *count = count.saturating_add(1);
        }
    }
    let mut lines: Vec<[Vec3; 2]> =
        edges.into_values().filter(|(_, count)| *count == 1).map(|(ends, _)| ends).collect();
    lines.sort_by(|a, b| a.map(|p| p.to_array()).partial_cmp(&b.map(|p| p.to_array())).unwrap_or(Ordering::Equal));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{MapItem, MapItemKind, MapMover, MapSurface, Model, MoverKey, SourceEntry};
    use glam::Affine3A;
    use std::sync::Arc;

    /// Two squares side by side, each of two triangles: surfaces 0 and 1 of one picture, and a triangle of another.
    fn map() -> Map {
        let corner = |x: f32, y: f32| Vec3::new(x, y, 0.0);
        let points = vec![
            corner(0.0, 0.0),
            corner(1.0, 0.0),
            corner(1.0, 1.0),
            corner(0.0, 1.0),
            corner(2.0, 0.0),
            corner(2.0, 1.0),
        ];
        let mesh = Mesh {
            vertex_points: (0..6).collect(),
            points,
            indices: vec![0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2, 0, 1, 5],
            triangle_sources: vec![0, 0, 1, 1, 2],
            ..Mesh::default()
        };
        let surface = |texture: &str, path: &str| MapSurface {
            texture: texture.into(),
            texture_path: path.into(),
            ..MapSurface::default()
        };
        let item = MapItem {
            model: 0,
            world_from_model: Affine3A::from_translation(Vec3::Z * 5.0),
            kind: MapItemKind::World,
            source: SourceEntry::FILE,
            actor: None,
            hidden_in_game: false,
            sky: None,
        };
        Map {
            models: vec![Arc::new(Model { meshes: vec![mesh], ..Model::empty("walls") })],
            items: vec![item],
            surfaces: vec![
                surface("Stone", "Rocks.Stone"),
                surface("stone", "rocks.stone"),
                surface("Stone", "Castle.Stone"),
                surface("", ""),
            ],
            ..Map::default()
        }
    }

    #[test]
    fn surfaces_of_one_picture_are_found_with_their_outlines() {
        let map = map();
        let alike = map.surfaces_like(0);
        assert_eq!(alike, BTreeSet::from([0, 1]));
        assert_eq!(map.surfaces_like(2), BTreeSet::from([2]));
        assert!(map.surfaces_like(3).is_empty() && map.surfaces_like(9).is_empty());
        let found = map.outlines(|surface| alike.contains(&surface), 100);
        // Four edges each: the one between the squares is an edge of both.
        assert_eq!((found.surfaces, found.edges.len(), found.is_cut), (2, 8, false));
        assert_eq!(map.drawn_among(&BTreeSet::from([0, 2, 3])), 2);
        let world = found.in_world(&map, &MapMoment::default());
        assert_eq!(world.first(), Some(&[Vec3::new(0.0, 0.0, 5.0), Vec3::new(1.0, 0.0, 5.0)]));
        let few = map.outlines(|surface| alike.contains(&surface), 5);
        assert_eq!((few.surfaces, few.edges.len(), few.is_cut), (2, 5, true));
    }

    #[test]
    fn outlines_of_movers_are_where_these_are() {
        let mut map = map();
        let mut moved = map.items[0].clone();
        moved.kind = MapItemKind::Mover;
        map.items.push(moved);
        let keys = [5.0, 9.0].map(|z| MoverKey { location: Vec3::Z * z, ..MoverKey::default() }).to_vec();
        map.movers = vec![MapMover { item: 1, keys, seconds: 1.0, ..MapMover::default() }];
        let found = map.outlines(|surface| surface == 0, 100);
        let heights = |moment: &MapMoment| -> Vec<f32> {
            found.in_world(&map, moment).iter().flatten().map(|end| end.z).collect()
        };
        let moment = MapMoment { movers: vec![0.5], ..MapMoment::default() };
        assert_eq!(heights(&MapMoment::default()), [5.0; 16]);
        assert_eq!(heights(&moment), [[5.0; 8], [7.0; 8]].concat());
        // What is cut off is cut off of the last item.
        let few = map.outlines(|surface| surface == 0, 6);
        assert_eq!(few.in_world(&map, &moment).iter().filter(|[end, _]| end.z == 7.0).count(), 2);
    }
}
