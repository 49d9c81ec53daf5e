//! Picking in a level without a look at each of its triangles: those of its models lie in boxes.

use super::{
    Aabb, Map, MapItem, MapItemKind, MapMoment, Material, Mesh, Model, Surface, WindowView,
    camera::OrbitCamera,
    picking::{Hit, Ray, enters, is_cut_out, meets},
};
use glam::Vec3;

/// Triangles that share a box, at most.
const IN_A_BOX: usize = 64;

/// What counts as drawn.
#[derive(Clone, Copy, Debug)]
pub struct Pickable<'a> {
    /// Camera that sprites face and whose eye decides on the rooms of skies.
    pub camera: &'a OrbitCamera,
    /// Surfaces that are hidden count too.
    pub hidden: bool,
    /// Far sides of surfaces with one side do not count.
    pub one_sided: bool,
    /// Surfaces that are windows count where these show another place, hidden or not, and rooms that skies are where they are
    /// drawn.
    pub windows: WindowView,
    /// Movers are where this says; `None` where they start.
    pub moment: Option<&'a MapMoment>,
}

/// What picking in a level needs beside the level: made once for it.
#[derive(Clone, Debug, Default)]
pub struct MapPicker {
    /// One for each model of the level.
    models: Vec<Boxes>,
    /// Of each of the level's skies, whether a window shows it.
    skies_seen: Vec<bool>,
}

/// A model's triangles.
#[derive(Clone, Debug, Default)]
struct Boxes {
    /// Of all points.
    bounds: Option<Aabb>,
    boxes: Vec<Boxed>,
}

/// Triangles of one surface that lie near each other.
#[derive(Clone, Debug)]
struct Boxed {
    bounds: Aabb,
    mesh: u32,
    material: u32,
    /// Of the mesh.
    triangles: Box<[u32]>,
}

/// How much work a pick was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PickWork {
    /// Number of boxes that the ray was tested against, of items and of groups of triangles.
    pub boxes: usize,
    /// Number of triangles that the ray was tested against.
    pub triangles: usize,
}

impl MapPicker {
    /// Sorts the triangles of a level's models into boxes.
    pub fn new(map: &Map) -> Self {
        Self { models: map.models.iter().map(|model| Boxes::of(model)).collect(), skies_seen: map.skies_seen() }
    }

    /// The nearest triangle of the items of its level that `shown` lets through. Where a masked picture is cut out, and through
    /// glows, the ray goes on.
    pub fn pick(
        &self,
        map: &Map,
        ray: &Ray,
        rules: &Pickable<'_>,
        shown: impl Fn(&MapItem) -> bool,
    ) -> (Option<Hit>, PickWork) {
        let mut nearest: Option<Hit> = None;
        let mut work = PickWork::default();
        let rooms = rules.windows.rooms(map, rules.camera.eye());
        for (index, item) in (0_u32..).zip(&map.items) {
            let model = map.models.get(item.model as usize).zip(self.models.get(item.model as usize));
            // A glow is nothing to point at: what glows is.
            let counts = item.kind != MapItemKind::Corona && rooms.hold(item, &self.skies_seen) && shown(item);
            let Some((model, boxes)) = model.filter(|_| counts) else { continue };
            let limit = nearest.map_or(f32::INFINITY, |hit| hit.distance);
            let place = rules.moment.and_then(|moment| map.place_at(index, moment)).unwrap_or(item.world_from_model);
            let bounds = boxes.bounds.and_then(|local| item.bounds_at(&place, &local));
            work.boxes = work.boxes.saturating_add(1);
            if !bounds.is_some_and(|bounds| enters(ray, &bounds) < limit) {
                continue;
            }
            let world_from_model = match item.kind {
                MapItemKind::Sprite => item.world_seen_from(rules.camera),
                _ => place,
            };
            let model_from_world = world_from_model.inverse();
            if !model_from_world.is_finite() {
                continue;
            }
            let local = Ray {
                from: model_from_world.transform_point3(ray.from),
                along: model_from_world.transform_vector3(ray.along),
            };
            if let Some((mesh, triangle, distance)) = boxes.nearest(model, &local, rules, limit, &mut work) {
                let position = ray.from + ray.along * distance;
                nearest = Some(Hit { item: index, mesh, triangle, distance, position });
            }
        }
        (nearest, work)
    }
}

impl Boxes {
    fn of(model: &Model) -> Self {
        let bounds = Aabb::of(model.meshes.iter().flat_map(|mesh| mesh.points.iter().copied()));
        let mut boxes = Vec::new();
        for (index, mesh) in (0_u32..).zip(&model.meshes) {
            let whole = [Surface { first_index: 0, index_count: u32::MAX, material: u32::MAX }];
            let surfaces = if mesh.surfaces.is_empty() { whole.as_slice() } else { &mesh.surfaces };
            for surface in surfaces {
                let first = surface.first_index as usize;
                let last = first.saturating_add(surface.index_count as usize).min(mesh.indices.len());
                let count = last.saturating_sub(first) / 3;
                let triangles = (surface.first_index / 3..).take(count);
                let placed: Vec<(Vec3, u32)> =
                    triangles.filter_map(|t| Some((Aabb::of(corners(mesh, t)?.1)?.center(), t))).collect();
                part(mesh, index, surface.material, placed, &mut boxes);
            }
        }
        Self { bounds, boxes }
    }

    /// Mesh, triangle and distance of the first hit that is nearer than `limit`; of two at one place the first of the file.
    fn nearest(
        &self,
        model: &Model,
        ray: &Ray,
        rules: &Pickable<'_>,
        limit: f32,
        work: &mut PickWork,
    ) -> Option<(u32, u32, f32)> {
        let mut met: Vec<(f32, &Boxed)> = self.boxes.iter().map(|one| (enters(ray, &one.bounds), one)).collect();
        work.boxes = work.boxes.saturating_add(met.len());
        met.retain(|(distance, _)| *distance < limit);
        met.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let (mut nearest, mut limit) = (None, limit);
        for (distance, one) in met {
            if distance > limit {
                break;
            }
            let Some(mesh) = model.meshes.get(one.mesh as usize) else { continue };
            let material = model.materials.get(one.material as usize).map(Material::basic);
            let is_window = rules.windows.shows_places() && material.is_some_and(|m| m.window.is_some());
            if material.is_some_and(|m| m.hidden) && !rules.hidden && !is_window {
                continue;
            }
            let one_sided = rules.one_sided && material.is_some_and(|m| !m.two_sided);
            for triangle in &one.triangles {
                work.triangles = work.triangles.saturating_add(1);
                let Some((vertices, corners)) = corners(mesh, *triangle) else { continue };
                let Some(met) = meets(ray, corners).filter(|met| met.front || !one_sided) else { continue };
                let is_first = nearest.is_some_and(|(m, t, d)| met.distance == d && (one.mesh, *triangle) < (m, t));
                if !(met.distance < limit || is_first) {
                    continue;
                }
                if material.is_some_and(|m| is_cut_out(model, &m, mesh, vertices, met.weights)) {
                    continue;
                }
                limit = met.distance;
                nearest = Some((one.mesh, *triangle, met.distance));
            }
        }
        nearest
    }
}

/// Vertices and places of a triangle's corners.
fn corners(mesh: &Mesh, triangle: u32) -> Option<([u32; 3], [Vec3; 3])> {
    let first = (triangle as usize).checked_mul(3)?;
    let [a, b, c] = mesh.indices.get(first..first.checked_add(3)?)? else { return None };
    Some(([*a, *b, *c], [a, b, c].map(|vertex| mesh.position(*vertex as usize))))
}

/// Puts triangles, each with its middle, into boxes: halves them along the longest side until they are few.
fn part(mesh: &Mesh, index: u32, material: u32, mut placed: Vec<(Vec3, u32)>, boxes: &mut Vec<Boxed>) {
    let Some(middles) = Aabb::of(placed.iter().map(|(middle, _)| *middle)) else { return };
    let size = middles.max - middles.min;
    if placed.len() <= IN_A_BOX {
        let mut triangles: Vec<u32> = placed.into_iter().map(|(_, triangle)| triangle).collect();
        triangles.sort_unstable();
        let all = triangles.iter().filter_map(|triangle| corners(mesh, *triangle)).flat_map(|(_, corners)| corners);
        if let Some(bounds) = Aabb::of(all) {
            boxes.push(Boxed { bounds, mesh: index, material, triangles: triangles.into() });
        }
        return;
    }
    let axis = size.max_position();
    let half = placed.len() / 2;
    placed.select_nth_unstable_by(half, |(a, first), (b, second)| {
        let along = |middle: &Vec3| middle.to_array().get(axis).copied().unwrap_or_default();
        along(a).total_cmp(&along(b)).then(first.cmp(second))
    });
    let other = placed.split_off(half);
    part(mesh, index, material, placed, boxes);
    part(mesh, index, material, other, boxes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{
        BasicMaterial, MapNode, MapSky, MapTree, MapWindow, MaterialKind, SourceEntry, camera::ViewDirection,
    };
    use glam::{Affine3A, Quat, Vec4};
    use std::sync::Arc;

    /// Squares of 1 × 1 in a plane that faces +Z, `across` by `up` of them from the origin on.
    fn plane(across: u32, up: u32, material: BasicMaterial) -> Model {
        let mut mesh = Mesh::default();
        for (x, y) in (0..up).flat_map(|y| (0..across).map(move |x| (x as f32, y as f32))) {
            let first = mesh.points.len() as u32;
            mesh.points
                .extend([(x, y), (x + 1.0, y), (x + 1.0, y + 1.0), (x, y + 1.0)].map(|(x, y)| Vec3::new(x, y, 0.0)));
            mesh.vertex_points.extend(first..first + 4);
            mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
            mesh.triangle_sources.extend([first / 4; 2]);
        }
        mesh.surfaces = vec![Surface { first_index: 0, index_count: mesh.indices.len() as u32, material: 0 }];
        Model {
            meshes: vec![mesh],
            materials: vec![Material { name: String::new(), kind: MaterialKind::Basic(material) }],
            ..Model::empty("plane")
        }
    }

    /// A model for each place along Z.
    fn level(models: Vec<(Model, f32, Option<u32>)>) -> Map {
        let items = (0_u32..).zip(&models).map(|(model, (_, z, sky))| MapItem {
            model,
            world_from_model: Affine3A::from_translation(Vec3::Z * *z),
            kind: MapItemKind::World,
            source: SourceEntry::FILE,
            actor: None,
            hidden_in_game: false,
            sky: *sky,
        });
        Map {
            items: items.collect(),
            models: models.into_iter().map(|(model, ..)| Arc::new(model)).collect(),
            ..Map::default()
        }
    }

    const SEEN: WindowView = WindowView { wanted: true, own_colors: true, orthographic: false, show_hidden: false };

    /// Colours of zones, an orthographic view, and hidden surfaces.
    const NOT_AWAY: [WindowView; 3] = [
        WindowView { own_colors: false, ..SEEN },
        WindowView { orthographic: true, ..SEEN },
        WindowView { show_hidden: true, ..SEEN },
    ];

    fn pick(map: &Map, from: Vec3, windows: bool) -> (Option<Hit>, PickWork) {
        pick_in(map, from, WindowView { wanted: windows, ..SEEN })
    }

    fn pick_in(map: &Map, from: Vec3, windows: WindowView) -> (Option<Hit>, PickWork) {
        let mut camera = OrbitCamera { focus: from, distance: 0.001, ..OrbitCamera::default() };
        camera.look_from(ViewDirection::Front);
        let rules = Pickable { camera: &camera, hidden: windows.show_hidden, one_sided: true, windows, moment: None };
        MapPicker::new(map).pick(map, &Ray { from, along: Vec3::NEG_Z }, &rules, |_| true)
    }

    #[test]
    fn few_of_many_triangles_are_looked_at() {
        // 20 000 surfaces, and behind them as many again.
        let map = level(vec![
            (plane(200, 100, BasicMaterial::default()), 1.0, None),
            (plane(200, 100, BasicMaterial::default()), 0.0, None),
        ]);
        for (x, y) in [(0.25, 0.75), (100.75, 50.5), (199.5, 99.25)] {
            let (hit, work) = pick(&map, Vec3::new(x, y, 10.0), false);
            let hit = hit.unwrap();
            let surface = y as u32 * 200 + x as u32;
            let second = u32::from(y.fract() > x.fract());
            assert_eq!((hit.item, hit.triangle, hit.distance), (0, surface * 2 + second, 9.0), "{x} {y}");
            assert!(work.triangles <= 8 * IN_A_BOX && work.boxes < 1_500, "{work:?}");
        }
        assert_eq!(pick(&map, Vec3::new(-1.0, 5.0, 10.0), false).1, PickWork { boxes: 2, triangles: 0 });
    }

    #[test]
    fn a_surface_of_two_at_one_place_is_the_first_of_the_file() {
        let mut model = plane(100, 1, BasicMaterial::default());
        let again = model.meshes[0].clone();
        model.meshes.push(again);
        let (hit, _) = pick(&level(vec![(model, 0.0, None)]), Vec3::new(70.75, 0.25, 5.0), false);
        assert_eq!(hit.map(|hit| (hit.mesh, hit.triangle)), Some((0, 140)));
    }

    #[test]
    fn a_window_stops_the_ray_where_windows_are_drawn() {
        let window = BasicMaterial { hidden: true, window: Some(0), ..BasicMaterial::default() };
        let mut map = level(vec![(plane(1, 1, window), 2.0, None), (plane(1, 1, BasicMaterial::default()), 0.0, None)]);
        map.windows = vec![MapWindow::Mirror(Vec4::new(0.0, 0.0, 1.0, 2.0))];
        let item = |windows| pick(&map, Vec3::new(0.5, 0.25, 5.0), windows).0.map(|hit| hit.item);
        assert_eq!((item(true), item(false)), (Some(0), Some(1)));
        // Where windows show no places, one that is hidden is not there; where hidden surfaces are shown, it is.
        let in_view = |view| pick_in(&map, Vec3::new(0.5, 0.25, 5.0), view).0.map(|hit| hit.item);
        assert_eq!(NOT_AWAY.map(in_view), [Some(1), Some(1), Some(0)]);
    }

    #[test]
    fn a_glow_is_seen_through() {
        let wall = || plane(1, 1, BasicMaterial::default());
        let mut map = level(vec![(wall(), 2.0, None), (wall(), 0.0, None)]);
        let item = |map: &Map| pick(map, Vec3::new(0.25, 0.25, 5.0), true).0.map(|hit| hit.item);
        map.items[0].kind = MapItemKind::Sprite;
        assert_eq!(item(&map), Some(0));
        map.items[0].kind = MapItemKind::Corona;
        assert_eq!(item(&map), Some(1));
        map.items.pop();
        assert_eq!(pick(&map, Vec3::new(0.25, 0.25, 5.0), true), (None, PickWork::default()));
    }

    #[test]
    fn the_room_that_a_sky_is_stands_there_for_who_is_in_it() {
        let wall = || plane(1, 1, BasicMaterial::default());
        let mut map = level(vec![(wall(), 2.0, Some(0)), (wall(), 0.0, None)]);
        map.skies = vec![MapSky { actor: 0, location: Vec3::ZERO, rotation: Quat::IDENTITY, zone: 2 }];
        // Beyond z = 4 lies the sky's room.
        let node = MapNode { plane: Vec4::new(0.0, 0.0, 1.0, 4.0), children: [None; 2], zones: [1, 2] };
        map.tree = MapTree { nodes: vec![node] };
        let item = |map: &Map, z, windows| pick(map, Vec3::new(0.5, 0.25, z), windows).0.map(|hit| hit.item);
        // No window shows it: it is drawn where it stands.
        assert_eq!(item(&map, 3.0, true), Some(0));
        map.windows = vec![MapWindow::Sky(0)];
        assert_eq!((item(&map, 3.0, true), item(&map, 5.0, true), item(&map, 3.0, false)), (Some(1), Some(0), Some(0)));
        // Nor is it away where it is drawn in place although windows are switched on.
        let in_view = |view| pick_in(&map, Vec3::new(0.5, 0.25, 3.0), view).0.map(|hit| hit.item);
        assert_eq!(in_view(SEEN), Some(1));
        for view in NOT_AWAY {
            assert_eq!(in_view(view), Some(0), "{view:?}");
        }
    }
}
