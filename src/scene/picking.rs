//! What of a level lies under the pointer: the nearest triangle on a line of sight.

use super::{Aabb, BasicMaterial, Blend, Map, Mesh, Model, map::outlines::outline};
use glam::{Vec2, Vec3};

/// A half-line in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Start of the ray, in world space.
    pub from: Vec3,
    /// Need not be of unit length; distances count in lengths of it.
    pub along: Vec3,
}

/// What a line of sight meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Into [`Map::items`].
    pub item: u32,
    /// Into the meshes of the item's model.
    pub mesh: u32,
    /// Of the mesh.
    pub triangle: u32,
    /// In lengths of the ray.
    pub distance: f32,
    /// In the world.
    pub position: Vec3,
}

impl Map {
    /// What a hit was made from, into [`Map::surfaces`].
    pub fn surface_of(&self, hit: &Hit) -> Option<u32> {
        let item = self.items.get(hit.item as usize)?;
        let mesh = self.models.get(item.model as usize)?.meshes.get(hit.mesh as usize)?;
        let source = mesh.triangle_sources.get(hit.triangle as usize).copied()?;
        ((source as usize) < self.surfaces.len()).then_some(source)
    }

    /// The outline, in the item's own space, of all triangles of its mesh that were made from what the hit one was; of that one
    /// alone when nothing is known of it. Pairs of points.
    pub fn outline_of(&self, hit: &Hit) -> Vec<[Vec3; 2]> {
        let model = self.items.get(hit.item as usize).and_then(|item| self.models.get(item.model as usize));
        let Some(mesh) = model.and_then(|model| model.meshes.get(hit.mesh as usize)) else { return Vec::new() };
        let source = mesh.triangle_sources.get(hit.triangle as usize);
        let triangles = mesh.indices.len() / 3;
        let own = (0..triangles).filter(|index| match source {
            Some(source) => mesh.triangle_sources.get(*index) == Some(source),
            None => *index == hit.triangle as usize,
        });
        outline(mesh, own)
    }
}

/// Where a ray meets a triangle.
pub(super) struct Met {
    pub distance: f32,
    /// How much of each corner.
    pub weights: Vec3,
    /// From the side from which the corners run counter-clockwise.
    pub front: bool,
}

/// By Cramer's rule on `from + t · along = a + u · (b − a) + v · (c − a)`.
pub(super) fn meets(ray: &Ray, [a, b, c]: [Vec3; 3]) -> Option<Met> {
    let (ab, ac) = (b - a, c - a);
    let across = ray.along.cross(ac);
    let determinant = ab.dot(across);
    let start = ray.from - a;
    let u = start.dot(across) / determinant;
    let turned = start.cross(ab);
    let v = ray.along.dot(turned) / determinant;
    let distance = ac.dot(turned) / determinant;
    // What is not a number fails each of these.
    let inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0 && distance.is_finite();
    inside.then_some(Met { distance, weights: Vec3::new(1.0 - u - v, u, v), front: determinant > 0.0 })
}

/// Where the ray enters a box, 0 from within; infinite when it does not.
pub(super) fn enters(ray: &Ray, bounds: &Aabb) -> f32 {
    let inverse = ray.along.recip();
    let (one, other) = ((bounds.min - ray.from) * inverse, (bounds.max - ray.from) * inverse);
    let (mut first, mut last) = (0.0_f32, f32::INFINITY);
    for (one, other) in one.to_array().into_iter().zip(other.to_array()) {
        // Along a side of the box, on it: 0 × ∞. That side says nothing.
        if one.is_nan() || other.is_nan() {
            continue;
        }
        (first, last) = (first.max(one.min(other)), last.min(one.max(other)));
    }
    // Flat boxes lose their thickness to rounding.
    if first <= last * 1.000_01 + 1e-6 { first } else { f32::INFINITY }
}

/// Whether the picture leaves this place of a masked surface out.
pub(super) fn is_cut_out(
    model: &Model,
    material: &BasicMaterial,
    mesh: &Mesh,
    corners: [u32; 3],
    weights: Vec3,
) -> bool {
    if material.blend != Blend::Masked {
        return false;
    }
    let uv = |corner: u32| mesh.uv_sets.first().and_then(|set| set.get(corner as usize)).copied().unwrap_or_default();
    let image = material.image.and_then(|image| model.images.get(image as usize));
    let Some(image) = image.filter(|image| image.width > 0 && image.height > 0) else { return false };
    let [a, b, c] = corners.map(uv);
    let at: Vec2 = a * weights.x + b * weights.y + c * weights.z;
    let texel = |share: f32, size: u32| ((share.rem_euclid(1.0) * size as f32) as u32).min(size.saturating_sub(1));
    let (x, y) = (texel(at.x, image.width) as usize, texel(at.y, image.height) as usize);
    let at = y.saturating_mul(image.width as usize).saturating_add(x).saturating_mul(4).saturating_add(3);
    image.rgba.get(at).is_some_and(|alpha| *alpha < 128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{
        Image, MapItem, MapItemKind, MapPicker, MapSurface, Material, Pickable, SourceEntry, Surface, WindowView,
        camera::OrbitCamera,
    };
    use glam::{Affine3A, Quat};
    use std::sync::Arc;

    /// A square from (−1, −1) to (1, 1) facing +Z, of two triangles, made from `sources`.
    fn square(material: BasicMaterial, sources: [u32; 2]) -> Model {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let mesh = Mesh {
            points: corners.iter().map(|(x, y)| Vec3::new(*x, *y, 0.0)).collect(),
            vertex_points: vec![0, 1, 2, 3],
            uv_sets: vec![corners.iter().map(|(x, y)| Vec2::new(x * 0.5 + 0.5, 0.5 - y * 0.5)).collect()],
            indices: vec![0, 1, 2, 0, 2, 3],
            surfaces: vec![Surface { first_index: 0, index_count: 6, material: 0 }],
            triangle_sources: sources.to_vec(),
            ..Mesh::default()
        };
        // Its left half is cut out.
        let rgba: Vec<u8> = [0_u8, 255].iter().flat_map(|alpha| [9, 9, 9, *alpha]).collect();
        let image = Image { name: String::new(), width: 2, height: 1, rgba: rgba.into(), stored_as: String::new() };
        Model {
            meshes: vec![mesh],
            materials: vec![Material { name: String::new(), kind: super::super::MaterialKind::Basic(material) }],
            images: vec![Arc::new(image)],
            ..Model::empty("square")
        }
    }

    fn map(places: &[(BasicMaterial, Affine3A, MapItemKind)]) -> Map {
        Map {
            models: places.iter().map(|(material, ..)| Arc::new(square(*material, [0, 1]))).collect(),
            items: (0_u32..)
                .zip(places)
                .map(|(index, (_, place, kind))| MapItem {
                    hidden_in_game: false,
                    sky: None,
                    model: index,
                    world_from_model: *place,
                    kind: *kind,
                    source: SourceEntry::FILE,
                    actor: None,
                })
                .collect(),
            surfaces: vec![MapSurface::default(), MapSurface::default()],
            ..Map::default()
        }
    }

    fn at(z: f32) -> Affine3A {
        Affine3A::from_translation(Vec3::new(0.0, 0.0, z))
    }

    fn plain() -> BasicMaterial {
        BasicMaterial::default()
    }

    /// Looks from z = 10 along −Z at x and y.
    fn ray(x: f32, y: f32) -> Ray {
        Ray { from: Vec3::new(x, y, 10.0), along: Vec3::NEG_Z }
    }

    fn pick(map: &Map, ray: Ray, hidden: bool, one_sided: bool) -> Option<Hit> {
        let mut camera = OrbitCamera::default();
        camera.look_from(crate::scene::camera::ViewDirection::Front);
        let rules = Pickable { camera: &camera, hidden, one_sided, windows: WindowView::default(), moment: None };
        MapPicker::new(map).pick(map, &ray, &rules, |_| true).0
    }

    #[test]
    fn the_nearest_triangle_is_hit_where_it_was_worked_out_by_hand() {
        let map = map(&[(plain(), at(0.0), MapItemKind::World), (plain(), at(3.0), MapItemKind::World)]);
        let hit = pick(&map, ray(0.5, -0.25), false, true).unwrap();
        assert_eq!((hit.item, hit.triangle, hit.distance), (1, 0, 7.0));
        assert_eq!(hit.position, Vec3::new(0.5, -0.25, 3.0));
        assert_eq!(map.surface_of(&hit), Some(0));
        let hit = pick(&map, ray(-0.5, 0.25), false, true).unwrap();
        assert_eq!((hit.item, hit.triangle, map.surface_of(&hit)), (1, 1, Some(1)));
        assert_eq!(pick(&map, ray(1.5, 0.0), false, true), None);
        // Of the others only what is let through.
        let mut camera = OrbitCamera::default();
        camera.look_from(crate::scene::camera::ViewDirection::Front);
        let rules =
            Pickable { camera: &camera, hidden: false, one_sided: true, windows: WindowView::default(), moment: None };
        let hit = MapPicker::new(&map).pick(&map, &ray(0.5, -0.25), &rules, |item| item.model == 0).0.unwrap();
        assert_eq!((hit.item, hit.distance), (0, 10.0));
    }

    #[test]
    fn far_sides_and_hidden_surfaces_are_passed_through() {
        let hidden = BasicMaterial { hidden: true, ..plain() };
        let map = map(&[(hidden, at(5.0), MapItemKind::World), (plain(), at(0.0), MapItemKind::World)]);
        assert_eq!(pick(&map, ray(0.1, 0.0), false, true).unwrap().item, 1);
        assert_eq!(pick(&map, ray(0.1, 0.0), true, true).unwrap().item, 0);
        let behind = Ray { from: Vec3::new(0.1, 0.0, -10.0), along: Vec3::Z };
        assert_eq!(pick(&map, behind, false, true), None);
        assert_eq!(pick(&map, behind, false, false).unwrap().distance, 10.0);
        // A mirrored copy shows its other side.
        let mirrored = Affine3A::from_scale(Vec3::new(1.0, 1.0, -1.0));
        let map = self::map(&[(plain(), mirrored, MapItemKind::Mover)]);
        assert!(pick(&map, behind, false, true).is_some() && pick(&map, ray(0.1, 0.0), false, true).is_none());
    }

    #[test]
    fn scaled_items_are_hit_at_world_distances_and_cut_out_texels_are_not() {
        let twice =
            Affine3A::from_scale_rotation_translation(Vec3::splat(2.0), Quat::IDENTITY, Vec3::new(0.0, 0.0, 4.0));
        let masked = BasicMaterial { image: Some(0), blend: Blend::Masked, ..plain() };
        let map = map(&[(masked, twice, MapItemKind::Mesh), (plain(), at(0.0), MapItemKind::World)]);
        let hit = pick(&map, ray(1.5, 0.0), false, true).unwrap();
        assert_eq!((hit.item, hit.distance), (0, 6.0));
        assert_eq!(pick(&map, ray(-0.5, 0.0), false, true).unwrap().item, 1);
        assert_eq!(pick(&map, ray(-1.5, 0.0), false, true), None);
    }

    #[test]
    fn sprites_are_hit_as_they_face_the_camera() {
        let map = map(&[(plain(), at(0.0), MapItemKind::Sprite)]);
        let mut camera = OrbitCamera { distance: 10.0, ..OrbitCamera::default() };
        camera.look_from(crate::scene::camera::ViewDirection::Right);
        let ray = Ray { from: camera.eye(), along: Vec3::NEG_X };
        let rules =
            Pickable { camera: &camera, hidden: false, one_sided: true, windows: WindowView::default(), moment: None };
        let hit = MapPicker::new(&map).pick(&map, &ray, &rules, |_| true).0.unwrap();
        assert!((hit.distance - 10.0).abs() < 1e-4, "{hit:?}");
    }

    #[test]
    fn a_surface_is_outlined_without_its_inner_edges() {
        let mut map = map(&[(plain(), at(1.0), MapItemKind::World)]);
        let hit = pick(&map, ray(0.5, -0.25), false, true).unwrap();
        assert_eq!(map.outline_of(&hit).len(), 3);
        map.models = vec![Arc::new(square(plain(), [1, 1]))];
        let outline = map.outline_of(&hit);
        assert_eq!(outline.len(), 4);
        assert!(outline.iter().flatten().all(|p| p.z == 0.0 && p.x.abs() == 1.0 && p.y.abs() == 1.0));
        assert_eq!(map.surface_of(&hit), Some(1));
    }

    #[test]
    fn nothing_is_hit_by_what_is_no_direction() {
        let map = map(&[(plain(), at(0.0), MapItemKind::World)]);
        for along in [Vec3::ZERO, Vec3::NAN] {
            assert_eq!(pick(&map, Ray { from: Vec3::new(0.0, 0.0, 5.0), along }, true, false), None);
        }
        let nowhere = self::map(&[(plain(), Affine3A::from_scale(Vec3::ZERO), MapItemKind::Mesh)]);
        assert_eq!(pick(&nowhere, ray(0.0, 0.0), true, false), None);
    }
}
