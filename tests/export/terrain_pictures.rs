//! Pictures over the ground of landscapes in GLB, read back and held against the scene they came from.

use crate::kit::{gltf_look::Look, read_back::khronos_validate, terrain::*};
use bonebox::{
    export::{ExportFormat, terrain::TerrainExport},
    scene::*,
};
use glam::Vec2;
use std::sync::Arc;

const PLAIN: TerrainExport = TerrainExport { step: None, easting: 0.0 };

#[test]
fn the_ground_lies_under_its_picture() {
    let folder = tempfile::tempdir().unwrap();
    let mut terrain = island(true);
    terrain.pictures.push(picture(0, Vec2::new(-10.0, -5.0), Vec2::new(120.0, 100.0), 4, 2, [50, 60, 70, 255]));
    let hidden = TerrainPicture { visible: false, ..terrain.pictures[0].clone() };
    terrain.pictures.push(hidden);
    let island = Island::new(terrain);
    let (bytes, notes) = island.exported(ExportFormat::Glb, PLAIN);
    let path = folder.path().join("laid.glb");
    std::fs::write(&path, &bytes).unwrap();
    khronos_validate(&[path]);
    let look = Look::new(&bytes);
    let ground = look.back.document.meshes().find(|mesh| mesh.name() == Some("Ground")).unwrap();
    let primitive = ground.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&look.back.blob));
    assert!(reader.read_colors(0).is_none(), "colours of heights would darken the picture");
    let uvs = reader.read_tex_coords(0).unwrap().into_f32();
    for ([x, _, z], [u, v]) in reader.read_positions().unwrap().zip(uvs) {
        let wanted = [(x + 10.0) / 120.0, 1.0 - (-z + 5.0) / 100.0];
        assert!((u - wanted[0]).abs() < 1e-5 && (v - wanted[1]).abs() < 1e-5, "{x} {z}: {u} {v}");
    }
    let material = primitive.material();
    let texture = material.pbr_metallic_roughness().base_color_texture().unwrap().texture();
    assert_eq!(texture.sampler().wrap_s(), gltf::texture::WrappingMode::ClampToEdge);
    let image = look.picture(material.index().unwrap()).unwrap();
    // Its own pixels, north up.
    assert_eq!((image.dimensions(), image.get_pixel(0, 0).0), ((4, 2), [1, 2, 3, 255]));
    assert_eq!(image.get_pixel(3, 1).0, [50, 60, 70, 255]);
    assert!(notes.iter().any(|note| note.contains("hidden ground images")), "{notes:?}");
}

#[test]
fn pictures_that_hide_part_of_the_ground_are_put_together_with_its_colours() {
    let mut terrain = island(false);
    // The west half, half transparent, and the south-west quarter over it.
    let half = Vec2::new(50.0, 75.0);
    terrain.pictures.push(picture(50, Vec2::ZERO, half, 16, 16, [200, 100, 0, 255]));
    terrain.pictures.push(picture(0, Vec2::ZERO, Vec2::new(50.0, 37.5), 16, 16, [9, 8, 7, 255]));
    // What lies nowhere, and what has no pixels.
    terrain.pictures.push(picture(0, Vec2::ZERO, Vec2::new(f32::NAN, 1.0), 2, 2, [255; 4]));
    terrain.pictures.push(picture(0, Vec2::ZERO, Vec2::new(-5.0, 1.0), 2, 2, [255; 4]));
    let mut empty = picture(0, Vec2::ZERO, EXTENT, 2, 2, [255; 4]);
    let nothing = Image { rgba: Vec::new().into(), ..(**empty.image.as_ref().unwrap()).clone() };
    empty.image = Some(Arc::new(nothing));
    terrain.pictures.push(empty);
    let island = Island::new(terrain);
    let (bytes, notes) = island.exported(ExportFormat::Glb, PLAIN);
    let look = Look::new(&bytes);
    let ground = look.back.document.meshes().find(|mesh| mesh.name() == Some("Ground")).unwrap();
    let image = look.picture(ground.primitives().next().unwrap().material().index().unwrap()).unwrap();
    let (width, height) = image.dimensions();
    assert!(notes.iter().any(|note| note.contains(&format!("{width} × {height} pixels"))), "{notes:?}");
    assert!(f64::from(width) >= 32.0 && f64::from(height) >= 32.0, "as fine as the finest: {width} {height}");
    let range = island.terrain.grid.range().unwrap();
    for (x, y, pixel) in image.enumerate_pixels() {
        let at = Vec2::new(x as f32 + 0.5, (height - y) as f32 - 0.5) / Vec2::new(width as f32, height as f32) * EXTENT;
        let tint = HEIGHT_RAMP.color(island.terrain.grid.ground_at(at.x, at.y).unwrap(), &range);
        // Away from texels of the pictures' corners, and from edges.
        if (at - Vec2::new(50.0, 37.5)).abs().min_element() < 4.0 || at.x < 8.0 {
            continue;
        }
        let wanted = match (at.x < 50.0, at.y < 37.5) {
            (false, _) => tint.map(f32::from),
            (true, false) => [0, 1, 2].map(|i| (f32::from(tint[i]) + [200.0, 100.0, 0.0][i]) / 2.0),
            (true, true) => [9.0, 8.0, 7.0],
        };
        for (found, wanted) in pixel.0.iter().zip(wanted) {
            assert!((f32::from(*found) - wanted).abs() <= 1.0, "{x} {y}: {pixel:?} {wanted}");
        }
    }
}
