//! What must not bring anything down: lost devices, too large or broken data, nothing at all.

use crate::kit::device::*;
use bonebox::{
    gpu::{
        ContextOptions, GpuContext, GpuError, Item, MapLayers, MapView, RenderTarget, SceneRenderer, ViewSettings,
        read_skinned,
    },
    scene::{BasicMaterial, Frame, Image, Influence, MapMoment, Mesh, Model, TextureMotion},
};
use glam::{Affine3A, Mat3A, Quat, Vec2, Vec3, Vec3A};
use std::{collections::BTreeSet, sync::Arc};

const OPTIONS: ContextOptions = ContextOptions { software: true, skin_on_cpu: false };

fn all_on(model: &Model) -> ViewSettings {
    let camera = plain_view(model).camera;
    ViewSettings { camera, wireframe: true, skeleton: true, selected_joint: Some(1), ..ViewSettings::default() }
}

#[test]
fn a_lost_device_is_noticed_and_built_anew_fifty_times() {
    let Some(_) = context() else { return };
    let model = tentacle(5, 12, 10);
    let frame = bent(&model, Quat::from_rotation_z(0.4));
    let view = all_on(&model);
    let mut first: Option<Image> = None;
    for round in 0..50 {
        let context = GpuContext::open(OPTIONS).unwrap();
        let mut renderer = SceneRenderer::new(context.clone()).unwrap();
        let shown = picture(&context, &mut renderer, &model, &frame, &view, (64, 48, 1));
        assert_eq!(&shown.rgba, &first.get_or_insert_with(|| shown.clone()).rgba, "round {round}");

        let uploaded = renderer.upload(&Arc::new(model.clone())).unwrap();
        let mut target = RenderTarget::new(&context, 64, 48, 1).unwrap();
        let items = [Item { model: &uploaded, frame: &frame, world_from_model: Affine3A::IDENTITY }];
        assert!(context.probe());
        context.destroy();
        // Odd rounds ask for nothing before they draw: the loss shows at the latest when the picture is read.
        if round % 2 == 0 {
            assert!(!context.probe());
            assert_eq!(renderer.render(&mut target, &view, &items), Err(GpuError::Lost));
            assert_eq!(renderer.upload(&Arc::new(model.clone())).err(), Some(GpuError::Lost));
            assert_eq!(SceneRenderer::new(context.clone()).err(), Some(GpuError::Lost));
        } else {
            let _ = renderer.render(&mut target, &view, &items);
        }
        assert_eq!(target.read().err(), Some(GpuError::Lost));
        assert!(target.resize(10, 10).is_err());
        assert!(context.is_lost());
    }
}

#[test]
fn what_belongs_to_another_device_is_refused() {
    let (Some(context), Some(other)) = (context(), context()) else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut stranger = SceneRenderer::new(other.clone()).unwrap();
    let model = tentacle(3, 4, 4);
    let frame = Frame::bind(&model);
    let uploaded = stranger.upload(&Arc::new(model)).unwrap();
    let items = [Item { model: &uploaded, frame: &frame, world_from_model: Affine3A::IDENTITY }];
    let view = ViewSettings::default();
    let mut target = RenderTarget::new(&context, 8, 8, 1).unwrap();
    assert!(matches!(renderer.render(&mut target, &view, &items), Err(GpuError::ForeignDevice(_))));
    assert!(matches!(stranger.render(&mut target, &view, &items), Err(GpuError::ForeignDevice(_))));
}

#[test]
fn a_level_of_another_device_is_refused_before_it_is_touched() {
    let (Some(context), Some(other)) = (context(), context()) else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut stranger = SceneRenderer::new(other.clone()).unwrap();
    let pan = TextureMotion { pan: Vec2::X, wavy: false, size: Vec2::ONE };
    let mut wall = crate::map_kit::square(image(1, 1, |_, _| [255; 4]));
    wall.basic.motion = Some(pan);
    let level = Arc::new(crate::map_kit::level(&[wall]));
    let mut map = stranger.upload_map(&level).unwrap();
    let (mut target, mut elsewhere) =
        (RenderTarget::new(&context, 8, 8, 1).unwrap(), RenderTarget::new(&other, 8, 8, 1).unwrap());
    let moment = MapMoment { seconds: 1.0, ..MapMoment::default() };
    let (layers, hidden) = (MapLayers::default(), BTreeSet::new());
    let how = MapView { layers, hidden: &hidden, moment: &moment, lines: &[], overlay: &[], exact: true };
    let view = crate::map_kit::before_it();
    let refused = renderer.render_map(&mut target, &view, &mut map, &how);
    assert_eq!(refused, Err(GpuError::ForeignDevice("the level")));
    // Nor is it drawn into a picture of another device.
    assert_eq!(stranger.render_map(&mut target, &view, &mut map, &how), Err(GpuError::ForeignDevice("the image")));
    // Nothing of it was moved: a device that is gone would have said so.
    other.destroy();
    assert_eq!(renderer.render_map(&mut target, &view, &mut map, &how), refused);
    assert_eq!(context.take_errors(), Vec::<String>::new());
    assert_eq!(other.take_errors(), Vec::<String>::new());
    assert!(!other.probe());
    assert_eq!(stranger.render_map(&mut elsewhere, &view, &mut map, &how), Err(GpuError::Lost));
}

#[test]
fn sizes_over_the_limits_are_named() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let largest = context.device().limits().max_texture_dimension_2d;

    let error = RenderTarget::new(&context, largest + 1, 4, 1).err().unwrap().to_string();
    assert_eq!(
        error,
        format!(
            "an image of {} × 4 is too large for this graphics device: {} pixels on the longer side, at most {largest}",
            largest + 1,
            largest + 1
        )
    );

    let mut model = Model { meshes: vec![square(0.0, 0)], ..Model::empty("poster") };
    model.images = vec![image(largest + 1, 1, |_, _| [0; 4])];
    model.materials = vec![material(BasicMaterial { image: Some(0), ..BasicMaterial::default() })];
    let error = renderer.upload(&Arc::new(model)).err().unwrap();
    assert!(matches!(error, GpuError::TooLarge { .. }), "{error}");
    assert!(error.to_string().contains("the texture “image”"), "{error}");

    let storage = context.device().limits().max_storage_buffer_binding_size;
    if storage <= 256 << 20 {
        let mut mesh = square(0.0, 0);
        let mut skin = skin(&[]);
        skin.influences = vec![Influence { joint: 0, weight: 1.0 }; (storage / 8 + 1) as usize];
        mesh.skin = Some(skin);
        let model = Model { meshes: vec![mesh], ..Model::empty("hairy") };
        let error = renderer.upload(&Arc::new(model)).err().unwrap().to_string();
        assert!(error.contains("the influence list of the model “hairy”"), "{error}");
    }
    assert_eq!(context.take_errors(), Vec::<String>::new());
}

#[test]
fn targets_of_no_size_have_one_pixel() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let model = tentacle(3, 6, 6);
    let mut target = RenderTarget::new(&context, 0, 0, 4).unwrap();
    assert_eq!(target.size(), (1, 1));
    let uploaded = renderer.upload(&Arc::new(model.clone())).unwrap();
    let frame = Frame::bind(&model);
    let items = [Item { model: &uploaded, frame: &frame, world_from_model: Affine3A::IDENTITY }];
    renderer.render(&mut target, &all_on(&model), &items).unwrap();
    assert_eq!(target.read().unwrap().rgba.len(), 4);
    assert!(!target.resize(0, 1).unwrap());
    assert!(target.resize(70, 3).unwrap());
    renderer.render(&mut target, &all_on(&model), &items).unwrap();
    assert_eq!(target.read().unwrap().rgba.len(), 70 * 3 * 4);
    assert_eq!(context.take_errors(), Vec::<String>::new());
}

#[test]
fn models_of_nothing_draw_nothing() {
    let Some(context) = context() else { return };
    for skin_on_cpu in [false, true] {
        let context = if skin_on_cpu {
            GpuContext::open(ContextOptions { skin_on_cpu, ..OPTIONS }).unwrap()
        } else {
            context.clone()
        };
        let mut renderer = SceneRenderer::new(context.clone()).unwrap();
        let mut no_pixels = tentacle(3, 3, 3);
        no_pixels.images = vec![Arc::new(Image {
            name: "none".into(),
            width: 0,
            height: 9,
            rgba: [].into(),
            stored_as: String::new(),
        })];
        let mut few_pixels = no_pixels.clone();
        few_pixels.images = vec![Arc::new(Image { width: 8, ..Image::clone(&few_pixels.images[0]) })];
        let bones_only = Model { meshes: vec![], ..tentacle(3, 3, 3) };
        let no_joints = Model { skeleton: Some(chain(0, 1.0)), ..Model::empty("no joints") };
        let no_triangles = Model { meshes: vec![Mesh { indices: vec![], ..square(0.0, 0) }], ..Model::empty("points") };
        let empty_mesh = Model { meshes: vec![Mesh::default()], ..Model::empty("empty mesh") };
        let mut without_pixels = Vec::new();
        // Whether something is seen in the model's own frame, and in one that was made for something else.
        for (model, seen) in [
            (Model::empty("nothing"), [false, false]),
            (no_pixels, [true, true]),
            (few_pixels, [true, true]),
            (bones_only, [true, false]),
            (no_joints, [false, false]),
            (no_triangles, [false, false]),
            (empty_mesh, [false, false]),
        ] {
            let view = all_on(&model);
            let mut shown =
                |model: &Model, frame: &Frame| picture(&context, &mut renderer, model, frame, &view, (16, 16, 1));
            let nothing = shown(&Model::empty("nothing"), &Frame::default());
            let pictures = [Frame::bind(&model), Frame::default()].map(|frame| shown(&model, &frame));
            assert_eq!(pictures.each_ref().map(|p| differing(p, &nothing, 0) > 0), seen, "{}", model.name);
            if !model.images.is_empty() {
                without_pixels.push(pictures);
            }
            let uploaded = renderer.upload(&Arc::new(model.clone())).unwrap();
            let vertices = read_skinned(&context, &mut renderer, &uploaded, &Frame::bind(&model)).unwrap();
            assert_eq!(distance_from_cpu(&model, &Frame::bind(&model), &vertices), 0.0, "{}", model.name);
        }
        assert_eq!(without_pixels[0][0].rgba, without_pixels[1][0].rgba, "too few pixels are as none");
        assert_eq!(context.take_errors(), Vec::<String>::new());
    }
}

#[test]
fn numbers_that_are_none_stay_where_they_are() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let whole = tentacle(4, 10, 8);
    let frame = Frame::bind(&whole);
    let view = plain_view(&whole);
    let mut broken = whole.clone();
    broken.meshes[0].points[40] = Vec3::NAN;
    broken.meshes[0].points[41].x = f32::INFINITY;
    broken.meshes[0].normals[50] = Vec3::NAN;
    broken.meshes[0].uv_sets[0][60].x = f32::NAN;
    broken.meshes[0].skin.as_mut().unwrap().influences[70].weight = f32::NAN;
    let uploaded = renderer.upload(&Arc::new(broken.clone())).unwrap();
    let vertices = read_skinned(&context, &mut renderer, &uploaded, &frame).unwrap();
    assert!(vertices.iter().all(|v| v.is_finite()));
    let shown = picture(&context, &mut renderer, &broken, &frame, &view, (64, 64, 1));
    let good = picture(&context, &mut renderer, &whole, &frame, &view, (64, 64, 1));
    let lit = |image| count(image, |p| p[0] > 0);
    assert!(lit(&shown) * 10 > lit(&good) * 7 && lit(&shown) <= lit(&good));

    let mut lost = frame.clone();
    lost.world_from_bind[1] = Affine3A { matrix3: Mat3A::from_diagonal(Vec3::NAN), translation: Vec3A::NAN };
    lost.world_from_joint[1] = lost.world_from_bind[1];
    let mut shown = |model: &Model, frame: &Frame, view: &ViewSettings| {
        picture(&context, &mut renderer, model, frame, view, (32, 32, 1))
    };
    let nothing = shown(&Model::empty("nothing"), &frame, &all_on(&whole));
    // A camera that is nowhere sees nothing of it.
    let mut nowhere = all_on(&whole);
    nowhere.camera.distance = f32::NAN;
    nowhere.floor_y = f32::INFINITY;
    let empty = shown(&Model::empty("nothing"), &frame, &nowhere);
    assert_eq!(shown(&whole, &frame, &nowhere).rgba, empty.rgba);
    assert!(empty.rgba.chunks_exact(4).all(|p| p[3] == 255));
    // What hangs on other joints is still there; what has no place is not; what has no size is a dot of bones.
    let seen = [Affine3A::IDENTITY, Affine3A::from_scale(Vec3::NAN), Affine3A::from_scale(Vec3::ZERO)].map(|place| {
        let items = [Item { model: &uploaded, frame: &lost, world_from_model: place }];
        let mut target = RenderTarget::new(&context, 32, 32, 1).unwrap();
        renderer.render(&mut target, &all_on(&whole), &items).unwrap();
        differing(&target.read().unwrap(), &nothing, 0)
    });
    assert!(seen[0] > 30 && seen[1] == 0 && seen[2] < 20, "{seen:?}");
    assert_eq!(context.take_errors(), Vec::<String>::new());
}
