//! A device for tests, and models made in code.

use super::{
    app::look_folder,
    files::{required, skipped},
};
use bonebox::{
    gpu::{Background, ContextOptions, GpuContext, Item, RenderTarget, SceneRenderer, ViewSettings},
    scene::{
        BasicMaterial, Frame, Image, Influence, Joint, Material, MaterialKind, Mesh, Model, Run, Skeleton, Skin,
        Surface, Transform,
        camera::{OrbitCamera, ViewDirection},
        pose, skinning,
    },
};
use glam::{Affine3A, Quat, Vec2, Vec3};
use std::{f32::consts::TAU, sync::Arc};

/// A software device on Vulkan where there is one; `None` without any device, which is a failure when `REQUIRE_GPU=1`.
pub fn context() -> Option<Arc<GpuContext>> {
    open(ContextOptions { software: true, skin_on_cpu: false })
}

pub fn open(options: ContextOptions) -> Option<Arc<GpuContext>> {
    match GpuContext::open(options) {
        Ok(context) => Some(context),
        Err(error) => {
            assert!(!required("REQUIRE_GPU"), "{error}");
            skipped(&format!("no graphics device ({error})"));
            None
        }
    }
}

/// One item alone, seen whole, over a plain background without a floor.
pub fn plain_view(model: &Model) -> ViewSettings {
    ViewSettings {
        camera: OrbitCamera::framing(&model.bounds(), ViewDirection::Front, 1.0),
        grid: false,
        shadow: false,
        background: Background::Color([0, 0, 0]),
        ..ViewSettings::default()
    }
}

/// Renders one model and reads the picture.
pub fn picture(
    context: &Arc<GpuContext>,
    renderer: &mut SceneRenderer,
    model: &Model,
    frame: &Frame,
    view: &ViewSettings,
    (width, height, samples): (u32, u32, u32),
) -> Image {
    let uploaded = renderer.upload(&Arc::new(model.clone())).unwrap();
    let mut target = RenderTarget::new(context, width, height, samples).unwrap();
    let items = [Item { model: &uploaded, frame, world_from_model: Affine3A::IDENTITY }];
    renderer.render(&mut target, view, &items).unwrap();
    target.read().unwrap()
}

/// The RGBA of a pixel.
pub fn pixel(image: &Image, x: u32, y: u32) -> [u8; 4] {
    let at = (y as usize * image.width as usize + x as usize) * 4;
    image.rgba[at..at + 4].try_into().unwrap()
}

/// Whether no channel of a colour is more than `most` from what is expected; the alpha counts where both have one.
pub fn near(found: impl AsRef<[u8]>, expected: impl AsRef<[u8]>, most: u8) -> bool {
    let (found, expected) = (found.as_ref(), expected.as_ref());
    found.iter().zip(expected).all(|(a, b)| a.abs_diff(*b) <= most)
}

/// How many pixels of two pictures are not [`near`].
pub fn differing(a: &Image, b: &Image, most: u8) -> usize {
    assert_eq!((a.width, a.height), (b.width, b.height));
    a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4)).filter(|(a, b)| !near(a, b, most)).count()
}

/// How many pixels are as asked.
pub fn count(image: &Image, is_so: impl Fn(&[u8]) -> bool) -> usize {
    image.rgba.chunks_exact(4).filter(|p| is_so(p)).count()
}

/// Saves a picture for a person to look at, where `BONEBOX_LOOK` asks for it.
pub fn look(picture: &Image, name: &str) {
    if let Some(folder) = look_folder() {
        let path = folder.join(format!("{name}.png"));
        image::save_buffer(path, &picture.rgba, picture.width, picture.height, image::ColorType::Rgba8).unwrap();
    }
}

/// The largest distance of a vertex on the device from where the CPU has it. One that names no point lies at the origin.
pub fn distance_from_cpu(model: &Model, frame: &Frame, vertices: &[Vec3]) -> f32 {
    let of_mesh = |mesh: &Mesh| -> Vec<Vec3> {
        let points = skinning::skinned_points(model, mesh, frame);
        mesh.vertex_points.iter().map(|p| points.get(*p as usize).copied().unwrap_or_default()).collect()
    };
    let expected: Vec<Vec3> = model.meshes.iter().flat_map(of_mesh).collect();
    assert_eq!(vertices.len(), expected.len());
    assert!(vertices.iter().all(|v| v.is_finite()));
    vertices.iter().zip(expected).map(|(a, b)| a.distance(b)).fold(0.0, f32::max)
}

pub fn material(basic: BasicMaterial) -> Material {
    Material { name: "material".into(), kind: MaterialKind::Basic(basic) }
}

pub fn image(width: u32, height: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Arc<Image> {
    let rgba: Vec<u8> =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)).collect();
    Arc::new(Image { name: "image".into(), width, height, rgba: rgba.into(), stored_as: "test".into() })
}

/// A square from (-1, -1) to (1, 1) at depth `z`, facing +Z, with one material.
pub fn square(z: f32, material: u32) -> Mesh {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    Mesh {
        points: corners.iter().map(|(x, y)| Vec3::new(*x, *y, z)).collect(),
        vertex_points: vec![0, 1, 2, 3],
        vertex_sources: vec![0, 1, 2, 3],
        normals: vec![Vec3::Z; 4],
        uv_sets: vec![corners.iter().map(|(x, y)| Vec2::new(x * 0.5 + 0.5, 0.5 - y * 0.5)).collect()],
        indices: vec![0, 1, 2, 0, 2, 3],
        surfaces: vec![Surface { first_index: 0, index_count: 6, material }],
        ..Mesh::default()
    }
}

/// A surface of revolution about Y through `(radius, height)` stations, with `sides` columns.
pub fn lathe(profile: &[(f32, f32)], sides: u32, material: u32) -> Mesh {
    let mut mesh = Mesh::default();
    let mut uvs = Vec::new();
    let rows = profile.len() as u32;
    for (row, (radius, height)) in profile.iter().enumerate() {
        let before = profile[row.saturating_sub(1)];
        let after = profile[(row + 1).min(profile.len() - 1)];
        let slope = Vec2::new(after.1 - before.1, before.0 - after.0).normalize_or(Vec2::X);
        for side in 0..=sides {
            let angle = TAU * side as f32 / sides as f32;
            let out = Vec3::new(angle.sin(), 0.0, angle.cos());
            mesh.vertex_points.push(mesh.points.len() as u32);
            mesh.points.push(out * *radius + Vec3::Y * *height);
            mesh.normals.push((out * slope.x + Vec3::Y * slope.y).normalize_or(Vec3::Y));
            uvs.push(Vec2::new(side as f32 / sides as f32 * 2.0, 1.0 - row as f32 / (rows - 1) as f32));
        }
    }
    for row in 0..rows - 1 {
        for side in 0..sides {
            let a = row * (sides + 1) + side;
            let (b, c, d) = (a + 1, a + sides + 2, a + sides + 1);
            mesh.indices.extend([a, b, c, a, c, d]);
        }
    }
    mesh.vertex_sources = mesh.vertex_points.clone();
    mesh.point_normals = mesh.normals.clone();
    mesh.uv_sets = vec![uvs];
    mesh.surfaces = vec![Surface { first_index: 0, index_count: mesh.indices.len() as u32, material }];
    mesh
}

/// Runs of influences, point by point.
pub fn skin(points: &[Vec<(u32, f32)>]) -> Skin {
    let mut skin = Skin::default();
    for list in points {
        skin.runs.push(Run { first: skin.influences.len() as u32, count: list.len() as u32 });
        skin.influences.extend(list.iter().map(|(joint, weight)| Influence { joint: *joint, weight: *weight }));
    }
    skin
}

/// A chain of joints along Y, `step` apart.
pub fn chain(count: u32, step: f32) -> Skeleton {
    let joint = |index: u32| Joint {
        name: format!("joint {index}"),
        parent: index.checked_sub(1),
        bind: Transform { translation: if index == 0 { Vec3::ZERO } else { Vec3::Y * step }, ..Transform::IDENTITY },
        ..Joint::default()
    };
    Skeleton::new((0..count).map(joint).collect(), vec![])
}

/// A bent tentacle on a chain of joints: a tapered tube, smoothly skinned, textured with bands.
pub fn tentacle(joints: u32, rows: u32, sides: u32) -> Model {
    let height = 2.0;
    let profile: Vec<(f32, f32)> = (0..=rows)
        .map(|row| {
            let t = row as f32 / rows as f32;
            let swell = 0.3 * (1.0 - t).powf(0.8) + 0.03 + 0.1 * (-(t * 9.0).powi(2)).exp();
            (if row == rows { 0.0 } else { swell }, t * height)
        })
        .collect();
    let mut mesh = lathe(&profile, sides, 0);
    let step = height / joints as f32;
    let lists: Vec<Vec<(u32, f32)>> = mesh
        .points
        .iter()
        .map(|p| {
            let at = (p.y / step - 0.5).clamp(0.0, joints as f32 - 1.001);
            let (low, part) = (at.floor(), at.fract());
            let part = part * part * (3.0 - 2.0 * part);
            vec![(low as u32, 1.0 - part), (low as u32 + 1, part)]
        })
        .collect();
    mesh.skin = Some(skin(&lists));
    let bands = image(128, 256, |x, y| {
        let wave = ((y as f32 * 0.11).sin() * 3.0 + (x as f32 / 128.0 * TAU * 2.0).sin() * 0.6).clamp(-1.0, 1.0);
        let spots = ((x as f32 * 0.39).sin() * (y as f32 * 0.21).sin()).max(0.0);
        let tone = 0.5 + 0.5 * wave;
        [(92.0 + 90.0 * tone + 40.0 * spots) as u8, (128.0 - 40.0 * tone) as u8, (104.0 - 30.0 * tone) as u8, 255]
    });
    Model {
        meshes: vec![mesh],
        skeleton: Some(chain(joints, step)),
        materials: vec![material(BasicMaterial { image: Some(0), ..BasicMaterial::default() })],
        images: vec![bands],
        ..Model::empty("tentacle")
    }
}

/// A frame with every joint but the first turned.
pub fn bent(model: &Model, turn: Quat) -> Frame {
    let mut frame = Frame::bind(model);
    let skeleton = model.skeleton.as_ref().unwrap();
    for local in frame.locals.iter_mut().skip(1) {
        local.rotation = turn;
    }
    let locals: Vec<Affine3A> = frame.locals.iter().map(|t| t.to_affine()).collect();
    pose::world_from_locals(skeleton, &locals, &mut frame.world_from_joint);
    frame.world_from_bind = frame
        .world_from_joint
        .iter()
        .zip(skeleton.joint_from_world_bind())
        .map(|(world, bind)| *world * *bind)
        .collect();
    frame
}
