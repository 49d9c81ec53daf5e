//! Pictures of everything: each draws without a complaint, is not empty, and is like no other. `BONEBOX_LOOK=folder` keeps
//! them for eyes.

use crate::kit::device::*;
use bonebox::{
    gpu::{Background, Item, RenderTarget, SceneRenderer, Shading, ViewSettings},
    scene::{
        Aabb, BasicMaterial, Blend, Frame, Image, Model,
        camera::{OrbitCamera, ViewDirection},
    },
};
use glam::{Affine3A, Quat, Vec3};
use std::{collections::HashSet, sync::Arc};

fn vase() -> Model {
    let profile: Vec<(f32, f32)> = [
        (0.0, 0.0),
        (0.26, 0.0),
        (0.28, 0.02),
        (0.25, 0.06),
        (0.3, 0.14),
        (0.42, 0.3),
        (0.5, 0.48),
        (0.52, 0.64),
        (0.47, 0.8),
        (0.36, 0.93),
        (0.25, 1.02),
        (0.2, 1.1),
        (0.2, 1.18),
        (0.25, 1.25),
        (0.31, 1.28),
        (0.32, 1.3),
        (0.3, 1.31),
        (0.24, 1.28),
        (0.18, 1.2),
        (0.17, 1.1),
        (0.3, 0.95),
        (0.44, 0.7),
    ]
    .to_vec();
    Model {
        meshes: vec![lathe(&profile, 64, 0)],
        materials: vec![material(BasicMaterial { two_sided: true, ..BasicMaterial::default() })],
        ..Model::empty("vase")
    }
}

fn sphere(material_index: u32) -> Model {
    let profile: Vec<(f32, f32)> = (0..=32)
        .map(|i| {
            let a = std::f32::consts::PI * i as f32 / 32.0;
            (a.sin() * 0.5, 0.5 - a.cos() * 0.5)
        })
        .collect();
    Model { meshes: vec![lathe(&profile, 48, material_index)], ..Model::empty("sphere") }
}

#[test]
fn every_view_draws() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();

    let models: Vec<Arc<Model>> = vec![Arc::new(tentacle(9, 60, 40)), Arc::new(vase()), {
        let mut glass = sphere(0);
        glass.materials =
            vec![material(BasicMaterial { image: Some(0), blend: Blend::Translucent, ..BasicMaterial::default() })];
        glass.images =
            vec![image(64, 64, |x, y| if (x / 8 + y / 8) % 2 == 0 { [30, 90, 160, 255] } else { [10, 20, 50, 255] })];
        Arc::new(glass)
    }];
    let uploaded: Vec<_> = models.iter().map(|m| renderer.upload(m).unwrap()).collect();
    let frames = [
        bent(&models[0], Quat::from_rotation_z(-0.22) * Quat::from_rotation_x(0.1)),
        Frame::bind(&models[1]),
        Frame::bind(&models[2]),
    ];
    let places = [Vec3::new(-0.5, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.1), Vec3::new(0.2, 0.0, 0.75)];
    let items: Vec<Item<'_>> = (0..3)
        .map(|i| Item {
            model: &uploaded[i],
            frame: &frames[i],
            world_from_model: Affine3A::from_translation(places[i]),
        })
        .collect();

    let bounds = Aabb { min: Vec3::new(-1.0, 0.0, -0.5), max: Vec3::new(1.5, 1.7, 1.0) };
    let camera = OrbitCamera::framing(&bounds, ViewDirection::Iso, 1.6);
    let lit = ViewSettings { camera, ..ViewSettings::default() };
    let views: Vec<(&str, ViewSettings)> = vec![
        ("lit", lit.clone()),
        ("light", ViewSettings { background: Background::light(), ..lit.clone() }),
        ("clay", ViewSettings { textures: false, ..lit.clone() }),
        ("wire", ViewSettings { wireframe: true, ..lit.clone() }),
        ("skeleton", ViewSettings { skeleton: true, selected_joint: Some(4), ..lit.clone() }),
        ("weights", ViewSettings { shading: Shading::Weights, selected_joint: Some(4), skeleton: true, ..lit.clone() }),
        ("normals", ViewSettings { shading: Shading::Normals, ..lit.clone() }),
        ("uv", ViewSettings { shading: Shading::Uv, ..lit.clone() }),
        ("materials", ViewSettings { shading: Shading::MaterialId, ..lit.clone() }),
        ("unlit", ViewSettings { shading: Shading::Unlit, ..lit.clone() }),
        ("far", ViewSettings { camera: OrbitCamera { distance: camera.distance * 3.3, ..camera }, ..lit.clone() }),
        ("low", ViewSettings { camera: OrbitCamera { pitch: 0.06, ..camera }, ..lit.clone() }),
        ("below", ViewSettings { camera: OrbitCamera { pitch: -0.4, ..camera }, ..lit.clone() }),
        (
            "ortho",
            ViewSettings {
                camera: OrbitCamera { orthographic: true, ..camera },
                skeleton: true,
                wireframe: true,
                ..lit.clone()
            },
        ),
        ("transparent", ViewSettings { background: Background::Transparent, grid: false, ..lit.clone() }),
    ];
    for samples in [1, 4] {
        let mut target = RenderTarget::new(&context, 1024, 640, samples).unwrap();
        let mut drawn: Vec<(&str, Image)> = Vec::new();
        for (name, view) in &views {
            renderer.render(&mut target, view, &items).unwrap();
            let image = target.read().unwrap();
            look(&image, &format!("{name}_{samples}"));
            let distinct: HashSet<_> = image.rgba.chunks_exact(4).collect();
            assert!(distinct.len() > 100, "{name} shows {} colours", distinct.len());
            for (other, like) in &drawn {
                let differ = differing(&image, like, 2);
                assert!(differ > 500, "{name} is {other} but for {differ} pixels");
            }
            drawn.push((name, image));
        }
    }
    assert_eq!(context.take_errors(), Vec::<String>::new());
}
