//! Where windows to other places of a level are in a picture.

use crate::scene::{Map, MapItemKind, MapWindow, Mesh, Model};
use glam::{Affine3A, Mat4, Vec2, Vec3, Vec4};

/// A triangle of a surface that is a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Into the level's items.
    pub item: u32,
    /// Into the level's windows.
    pub window: u32,
    /// In its model's space, counter-clockwise seen from outside.
    corners: [Vec3; 3],
    two_sided: bool,
    /// Its surface is not drawn itself.
    hidden: bool,
}

/// A part of a picture in which another place is seen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Opening {
    pub what: MapWindow,
    /// All of the level's windows that show the same.
    pub windows: Vec<u32>,
    /// What is around its surfaces: low and high corner of the picture's square from −1 to 1.
    pub area: [Vec2; 2],
}

/// From where windows are looked for.
pub(super) struct Looking {
    pub clip_from_world: Mat4,
    pub eye: Vec3,
    /// Far sides of surfaces with one side are no windows.
    pub one_sided: bool,
    /// Surfaces that are hidden are windows.
    pub hidden: bool,
    /// The part of the picture that is used, as [`Opening::area`].
    pub area: [Vec2; 2],
}

/// All surfaces of a level that are windows.
pub(super) fn faces_of(map: &Map) -> Vec<Face> {
    let mut faces = Vec::new();
    for (index, item) in (0_u32..).zip(&map.items) {
        let stands = matches!(item.kind, MapItemKind::World | MapItemKind::Mover | MapItemKind::Mesh);
        let Some(model) = map.models.get(item.model as usize).filter(|_| stands) else { continue };
        for mesh in &model.meshes {
            add_faces(index, model, mesh, &mut faces);
        }
    }
    faces.retain(|face| (face.window as usize) < map.windows.len());
    faces
}

fn add_faces(item: u32, model: &Model, mesh: &Mesh, faces: &mut Vec<Face>) {
    for surface in &mesh.surfaces {
        let Some(basic) = model.materials.get(surface.material as usize).map(|material| material.basic()) else {
            continue;
        };
        let Some(window) = basic.window else { continue };
        let (triangles, _) = mesh.corners_of(surface).as_chunks::<3>();
        faces.extend(triangles.iter().map(|triangle| {
            let corners = triangle.map(|vertex| mesh.position(vertex as usize));
            Face { item, window, corners, two_sided: basic.two_sided, hidden: basic.hidden }
        }));
    }
}

/// The windows that may be seen, the largest first. `place_of` says where an item stands, when it is drawn.
pub(super) fn openings(
    map: &Map,
    faces: &[Face],
    looking: &Looking,
    place_of: impl Fn(u32) -> Option<Affine3A>,
) -> Vec<Opening> {
    let mut found: Vec<Opening> = Vec::new();
    let mut place: Option<(u32, Option<Affine3A>)> = None;
    let facing: Vec<bool> = map.windows.iter().map(|what| looking.faces(what)).collect();
    let faces_eye = |face: &&Face| facing.get(face.window as usize) == Some(&true);
    for face in faces.iter().filter(|face| looking.hidden || !face.hidden).filter(faces_eye) {
        let Some(what) = map.windows.get(face.window as usize) else { continue };
        // Faces come item by item.
        let known =
            place.filter(|(item, _)| *item == face.item).map_or_else(|| place_of(face.item), |(_, place)| place);
        place = Some((face.item, known));
        let Some(area) = known.and_then(|world| looking.area_of(face, &world)) else { continue };
        match found.iter_mut().find(|opening| opening.what == *what) {
            Some(opening) => {
                opening.area = [opening.area[0].min(area[0]), opening.area[1].max(area[1])];
                if !opening.windows.contains(&face.window) {
                    opening.windows.push(face.window);
                }
            }
            None => found.push(Opening { what: *what, windows: vec![face.window], area }),
        }
    }
    let size = |opening: &Opening| (opening.area[1] - opening.area[0]).element_product();
    found.sort_by(|a, b| size(b).total_cmp(&size(a)));
    found
}

impl Looking {
    /// Whether the eye is where a window can be looked into.
    fn faces(&self, window: &MapWindow) -> bool {
        match window {
            MapWindow::Mirror(plane) => plane.truncate().dot(self.eye) > plane.w,
            MapWindow::Sky(_) => true,
            // From behind the other end one looks out of it.
            MapWindow::Warp { here_from_there, there } => {
                let eye = here_from_there.inverse().transform_point3(self.eye);
                there.truncate().dot(eye) < there.w
            }
        }
    }

    /// The part of the picture that a face lies in; `None` for none of it.
    fn area_of(&self, face: &Face, world: &Affine3A) -> Option<[Vec2; 2]> {
        let corners = face.corners.map(|corner| world.transform_point3(corner));
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let normal = if world.matrix3.determinant() < 0.0 { -normal } else { normal };
        if self.one_sided && !face.two_sided && normal.dot(self.eye - corners[0]) <= 0.0 {
            return None;
        }
        let clip = corners.map(|corner| self.clip_from_world * corner.extend(1.0));
        let outside = |side: fn(&Vec4) -> f32| clip.iter().all(|corner| side(corner) < 0.0);
        if outside(|c| c.w + c.x)
            || outside(|c| c.w - c.x)
            || outside(|c| c.w + c.y)
            || outside(|c| c.w - c.y)
            || outside(|c| c.w - c.z)
        {
            return None;
        }
        let [low, high] = self.area;
        // A corner behind the eye may be anywhere in the picture.
        if clip.iter().any(|corner| corner.w <= 1e-6) {
            return Some(self.area);
        }
        let places = clip.map(|corner| Vec2::new(corner.x, corner.y) / corner.w);
        let around =
            [places[0].min(places[1]).min(places[2]).max(low), places[0].max(places[1]).max(places[2]).min(high)];
        (around[0].cmplt(around[1]).all()).then_some(around)
    }
}

/// The pixels of a part of a picture: left, top, width and height; `None` where there are none.
pub(super) fn pixels_of([low, high]: [Vec2; 2], (width, height): (u32, u32)) -> Option<[u32; 4]> {
    let size = Vec2::new(width as f32, height as f32);
    // A pixel more each way, for samples at edges.
    let start = (Vec2::new(low.x + 1.0, 1.0 - high.y) * 0.5 * size - 1.0).floor().clamp(Vec2::ZERO, size);
    let end = (Vec2::new(high.x + 1.0, 1.0 - low.y) * 0.5 * size + 1.0).ceil().clamp(Vec2::ZERO, size);
    let ([x, y], [right, bottom]) = (start.to_array().map(|v| v as u32), end.to_array().map(|v| v as u32));
    (right > x && bottom > y).then(|| [x, y, right - x, bottom - y])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{BasicMaterial, MapItem, Material, MaterialKind, SourceEntry, Surface, camera::OrbitCamera};
    use std::sync::Arc;

    /// A square of two by two at z = 0 that faces +Z.
    fn level(what: &[MapWindow]) -> Map {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let mesh = Mesh {
            points: corners.iter().map(|(x, y)| Vec3::new(*x, *y, 0.0)).collect(),
            vertex_points: vec![0, 1, 2, 3],
            indices: vec![0, 1, 2, 0, 2, 3],
            surfaces: vec![Surface { first_index: 0, index_count: 6, material: 0 }],
            ..Mesh::default()
        };
        let model = |window| {
            let basic = BasicMaterial { window: Some(window), ..BasicMaterial::default() };
            let material = Material { name: String::new(), kind: MaterialKind::Basic(basic) };
            Arc::new(Model { meshes: vec![mesh.clone()], materials: vec![material], ..Model::empty("window") })
        };
        let item = |model| MapItem {
            model,
            world_from_model: Affine3A::from_translation(Vec3::X * 1.2 * model as f32),
            kind: MapItemKind::World,
            source: SourceEntry(0),
            actor: None,
            hidden_in_game: false,
            sky: None,
        };
        let count = what.len() as u32;
        Map {
            models: (0..count).map(model).collect(),
            items: (0..count).map(item).collect(),
            windows: what.to_vec(),
            ..Map::default()
        }
    }

    fn seen(map: &Map, yaw: f32) -> Vec<Opening> {
        let camera = OrbitCamera { yaw, pitch: 0.0, distance: 4.0, ..OrbitCamera::default() };
        let looking = Looking {
            clip_from_world: camera.clip_from_world(1.0),
            eye: camera.eye(),
            one_sided: true,
            hidden: true,
            area: [Vec2::NEG_ONE, Vec2::ONE],
        };
        openings(map, &faces_of(map), &looking, |item| Some(map.items[item as usize].world_from_model))
    }

    #[test]
    fn windows_that_show_the_same_are_one_and_the_largest_is_first() {
        let mirror = MapWindow::Mirror(Vec4::new(0.0, 0.0, 1.0, 0.0));
        let map = level(&[mirror, MapWindow::Sky(0), MapWindow::Sky(0), MapWindow::Sky(7)]);
        let found = seen(&map, 0.0);
        let whats: Vec<(MapWindow, &[u32])> = found.iter().map(|o| (o.what, &o.windows[..])).collect();
        // The last one begins at x = 2.6, out of the picture.
        assert_eq!(whats, [(mirror, &[0][..]), (MapWindow::Sky(0), &[1, 2][..])]);
        // One unit in four before tan 0.35 is 0.68 of the half picture.
        let edge = 0.25 / 0.35_f32.tan();
        assert!((found[0].area[0] + edge).length() < 1e-4 && (found[0].area[1] - edge).length() < 1e-4);
        assert!(seen(&map, std::f32::consts::PI).is_empty(), "from behind");
    }

    #[test]
    fn parts_of_pictures_are_whole_pixels_and_one_more() {
        let part = |low: (f32, f32), high: (f32, f32)| pixels_of([low.into(), high.into()], (100, 50));
        assert_eq!(part((-0.5, 0.0), (0.0, 0.5)), Some([24, 11, 27, 15]));
        assert_eq!(part((-1.0, -1.0), (1.0, 1.0)), Some([0, 0, 100, 50]));
        assert_eq!(part((2.0, 2.0), (3.0, 3.0)), None);
    }
}
