//! Landscapes as OBJ, read back by a small reader of the test's own and held against the scene they came from.

use crate::kit::{read_back::ReadBack, terrain::*};
use bonebox::{
    bytes::Cancel,
    export::{ExportError, ExportFormat, terrain::TerrainExport},
    scene::*,
};
use glam::{Affine3A, Vec2, Vec3};
use std::collections::BTreeMap;

const PLAIN: TerrainExport = TerrainExport { step: None, easting: 0.0 };

/// What an OBJ says, by object.
#[derive(Default)]
struct Obj {
    points: Vec<Vec3>,
    uvs: Vec<Vec2>,
    normals: Vec<Vec3>,
    objects: Vec<Object>,
}

#[derive(Default)]
struct Object {
    name: String,
    /// Material, and corners as point, coordinate and normal.
    faces: Vec<(String, [[usize; 3]; 3])>,
}

fn read_obj(text: &str) -> Obj {
    let mut obj = Obj::default();
    let mut material = String::new();
    for line in text.lines() {
        let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
        let numbers = || rest.split(' ').map(|n| n.parse::<f32>().unwrap()).collect::<Vec<_>>();
        match head {
            "v" => obj.points.push(Vec3::from_slice(&numbers())),
            "vt" => obj.uvs.push(Vec2::from_slice(&numbers())),
            "vn" => obj.normals.push(Vec3::from_slice(&numbers())),
            "o" => obj.objects.push(Object { name: rest.to_owned(), faces: Vec::new() }),
            "usemtl" => material = rest.to_owned(),
            "f" => {
                let corner = |text: &str| -> [usize; 3] {
                    let mut parts = text.split('/').map(|part| part.parse::<usize>().map_or(0, |n| n));
                    std::array::from_fn(|_| parts.next().unwrap_or(0))
                };
                let corners: Vec<[usize; 3]> = rest.split(' ').map(corner).collect();
                let corners = [corners[0], corners[1], corners[2]];
                obj.objects.last_mut().unwrap().faces.push((material.clone(), corners));
            }
            _ => {}
        }
    }
    obj
}

/// Lines of each material of an MTL.
fn read_mtl(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut materials = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines() {
        match line.strip_prefix("newmtl ") {
            Some(new) => name = new.to_owned(),
            None => materials.entry(name.clone()).or_insert_with(Vec::new).push(line.to_owned()),
        }
    }
    materials
}

#[test]
fn an_obj_has_the_ground_and_every_object_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut terrain = village();
    terrain.pictures.push(picture(0, Vec2::ZERO, EXTENT, 4, 3, [50, 60, 70, 255]));
    let island = Island::new(terrain);
    let target = folder.path().join("village.obj");
    let made = island.export(ExportFormat::Obj, PLAIN, &target, Cancel::never()).unwrap();
    let names: Vec<_> = made.paths.iter().map(|p| p.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(names, ["village.obj", "village.mtl", "village_sat.png"]);
    let obj = read_obj(&std::fs::read_to_string(&target).unwrap());
    let mtl = read_mtl(&std::fs::read_to_string(target.with_extension("mtl")).unwrap());
    let grid = &island.terrain.grid;
    let ground = &obj.objects[0];
    assert_eq!((ground.name.as_str(), ground.faces.len()), ("Ground", 8 * 6 * 2));
    for (material, corners) in &ground.faces {
        assert!(mtl[material].contains(&"map_Kd village_sat.png".to_owned()), "{mtl:?}");
        for [point, uv, normal] in corners {
            let at = obj.points[point - 1];
            assert_eq!(grid.get((at.x / grid.cell) as u32, (-at.z / grid.cell) as u32), Some(at.y));
            // V counts from the south.
            assert!(obj.uvs[uv - 1].distance(Vec2::new(at.x, -at.z) / EXTENT) < 1e-5);
            assert!(obj.normals[normal - 1].y > 0.0);
        }
    }
    assert_eq!(obj.objects.len() - 1, island.terrain.props.len());
    let mut taken = std::collections::BTreeSet::new();
    for (object, prop) in obj.objects[1..].iter().zip(&island.terrain.props) {
        let kind = island.terrain.kind_of(prop).unwrap();
        let name = if prop.name.is_empty() { format!("{}_{}", kind.name, prop.slot) } else { prop.name.clone() };
        assert_eq!(object.name, name.replace([' ', '\r', '\n'], "_"));
        taken.insert(object.name.clone());
        assert_eq!(object.faces.len(), 12);
        let prop_from_world = prop.world_from_prop.inverse();
        let half = if prop.kind < 2 { [1.0, 3.0, 2.0] } else { [2.0, 6.0, 1.0] };
        for (material, corners) in &object.faces {
            let [a, b, c] = corners.map(|[point, ..]| obj.points[point - 1]);
            for place in [a, b, c].map(|p| prop_from_world.transform_point3(p)) {
                let near = |v: f32, w: f32| (v - w).abs() < 1e-3;
                assert!(near(place.x.abs(), half[0]) && near(place.z.abs(), half[2]), "{place}");
                assert!(near(place.y, 0.0) || near(place.y, half[1]), "{place}");
            }
            // Outward, mirrored placements too.
            let facing = (b - a).cross(c - a);
            let middle = prop.world_from_prop.transform_point3(Vec3::Y * half[1] * 0.5);
            assert!(facing.dot(a - middle) > 0.0 && facing.dot(obj.normals[corners[0][2] - 1]) > 0.0);
            assert!(mtl.contains_key(material));
        }
    }
    assert!(mtl["type_3"].contains(&"Kd 0.78431374 0.039215688 0.078431375".to_owned()), "{mtl:?}");
    assert!(mtl["type_3_2"].contains(&"Kd 0.9019608 0 0.9019608".to_owned()), "{mtl:?}");
    assert!(made.notes.iter().any(|note| note.contains("of 2 models")), "{:?}", made.notes);
}

#[test]
fn an_obj_without_a_picture_shows_the_colours_of_heights() {
    let folder = tempfile::tempdir().unwrap();
    let island = Island::new(island(false));
    let target = folder.path().join("plain.obj");
    let made = island.export(ExportFormat::Obj, PLAIN, &target, Cancel::never()).unwrap();
    let image = image::open(&made.paths[2]).unwrap().to_rgb8();
    assert_eq!(image.dimensions(), (9, 7));
    let range = island.terrain.grid.range().unwrap();
    let middle = island.terrain.grid.ground_at(EXTENT.x / 2.0, EXTENT.y / 2.0).unwrap();
    assert_eq!(image.get_pixel(4, 3).0, HEIGHT_RAMP.color(middle, &range));
    // The step is that of a GLB.
    let coarse = folder.path().join("coarse.obj");
    island.export(ExportFormat::Obj, TerrainExport { step: Some(4), ..PLAIN }, &coarse, Cancel::never()).unwrap();
    let obj = read_obj(&std::fs::read_to_string(coarse).unwrap());
    assert_eq!(obj.objects[0].faces.len(), 2 * 2 * 2);
}

#[test]
fn damaged_landscapes_become_objs_as_far_as_they_go() {
    let folder = tempfile::tempdir().unwrap();
    let with = |change: fn(&mut Terrain)| {
        let mut terrain = village();
        change(&mut terrain);
        terrain
    };
    let cases = [
        ("holes", with(|t| t.grid = grid(true)), true),
        ("no ground", with(|t| t.grid.heights = vec![f32::NAN; 63].into()), true),
        ("one sample", with(|t| (t.grid.columns, t.grid.rows, t.grid.heights) = (1, 1, vec![1.0].into())), true),
        ("no samples", with(|t| (t.grid.columns, t.grid.rows, t.grid.heights) = (0, 0, Vec::new().into())), true),
        ("no cell", with(|t| t.grid.cell = f32::NAN), true),
        (
            "nowhere",
            with(|t| t.props.iter_mut().for_each(|p| p.world_from_prop = Affine3A::from_scale(Vec3::NAN))),
            true,
        ),
        ("nothing", Terrain::default(), false),
    ];
    for (name, mut terrain, is_written) in cases {
        if is_written {
            terrain.pictures.push(picture(10, Vec2::ZERO, EXTENT, 4, 3, [50, 60, 70, 255]));
        }
        let island = Island::new(terrain);
        let target = folder.path().join(format!("{name}.obj"));
        match island.export(ExportFormat::Obj, PLAIN, &target, Cancel::never()) {
            Ok(_) => {
                let text = std::fs::read_to_string(&target).unwrap();
                assert!(is_written && !text.contains("NaN") && !text.contains("inf"), "{name}");
                let obj = read_obj(&text);
                let corners = obj.objects.iter().flat_map(|o| &o.faces).flat_map(|(_, corners)| corners);
                assert!(corners.into_iter().all(|[point, ..]| (1..=obj.points.len()).contains(point)), "{name}");
            }
            Err(ExportError::Empty { .. }) => assert!(!is_written, "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
        // The same as GLB.
        if is_written {
            let file = ReadBack::new(&island.exported(ExportFormat::Glb, PLAIN).0);
            file.assert_sound();
        }
    }
    let stopped =
        Island::new(village()).export(ExportFormat::Obj, PLAIN, &folder.path().join("stop.obj"), &Cancel::cancelled());
    assert!(matches!(stopped, Err(ExportError::Cancelled)), "{stopped:?}");
}
