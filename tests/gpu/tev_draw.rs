//! Materials of the GameCube's chip on the device: what arrives in the picture.

use crate::kit::device::{
    bent, chain, context, count, distance_from_cpu, image, near, picture, pixel, plain_view, skin, square,
};
use bonebox::{
    gpu::{
        Background, GpuContext, GxLights, GxSettings, Item, RenderTarget, SceneRenderer, Shading, ViewSettings,
        read_skinned,
    },
    scene::{
        BasicMaterial, Billboard, DrawMatrix, DrawTerm, Frame, Image, Material, MaterialKind, Mesh, Model,
        camera::ViewDirection,
        gx::{
            Attenuation, BlendFactor, BlendKind, BlendMode, ChannelControl, Combiner, Compare, CullMode, Filter,
            LogicOp, MaterialState, TevMaterial, TevStage, TexGen, Texture, TextureMatrix, Wrap, ZMode,
        },
    },
};
use glam::{Affine3A, Vec3};
use std::{sync::Arc, time::Instant};

fn tev(material: TevMaterial) -> Material {
    Material { name: "material".into(), kind: MaterialKind::Tev(Box::new(material)) }
}

fn model(meshes: Vec<Mesh>, materials: Vec<TevMaterial>, textures: Vec<Texture>) -> Model {
    let white = || image(1, 1, |_, _| [255; 4]);
    Model {
        images: textures.iter().map(|t| t.mips.first().cloned().unwrap_or_else(white)).collect(),
        textures: textures.into_iter().map(Arc::new).collect(),
        meshes,
        materials: materials.into_iter().map(tev).collect(),
        ..Model::empty("tev")
    }
}

fn texture(image: Arc<Image>) -> Texture {
    Texture {
        mips: vec![image],
        wrap_s: Wrap::Repeat,
        wrap_t: Wrap::Repeat,
        min_filter: Filter::Near,
        mag_filter: Filter::Near,
        max_anisotropy: 1,
        ..Texture::default()
    }
}

/// A stage that hands on one colour input and one alpha input.
fn passing(color: u8, alpha: u8) -> TevStage {
    TevStage {
        color: Combiner::adding([15, 15, 15, color]),
        alpha: Combiner::adding([7, 7, 7, alpha]),
        ..TevStage::default()
    }
}

fn opaque() -> BlendMode {
    BlendMode { kind: BlendKind::None, source: BlendFactor::One, destination: BlendFactor::Zero, logic: LogicOp::Clear }
}

/// Shows one stage, opaque, on both sides.
fn material(stage: TevStage) -> TevMaterial {
    TevMaterial { stages: vec![stage], blend: opaque(), cull: CullMode::None, ..TevMaterial::default() }
}

fn texture_0() -> Vec<TexGen> {
    vec![TexGen { kind: 1, source: 4, matrix: 60 }]
}

fn animated(state: MaterialState) -> Frame {
    let mut frame = Frame::default();
    frame.materials = vec![Some(state)];
    frame
}

fn showing(visible: Vec<bool>) -> Frame {
    let mut frame = Frame::default();
    frame.visible = visible;
    frame
}

struct Scene {
    context: Arc<GpuContext>,
    renderer: SceneRenderer,
}

impl Scene {
    fn new() -> Option<Self> {
        let context = context()?;
        let renderer = SceneRenderer::new(context.clone()).unwrap();
        Some(Self { context, renderer })
    }

    fn picture(&mut self, model: &Model, frame: &Frame, change: impl FnOnce(&mut ViewSettings)) -> Image {
        let mut view = plain_view(model);
        change(&mut view);
        let picture = picture(&self.context, &mut self.renderer, model, frame, &view, (64, 64, 1));
        assert_eq!(self.context.take_errors(), Vec::<String>::new());
        picture
    }

    /// The middle of a picture.
    fn middle(&mut self, model: &Model, frame: &Frame) -> [u8; 4] {
        pixel(&self.picture(model, frame, |_| {}), 32, 32)
    }
}

#[test]
fn constants_registers_and_animation_reach_the_picture() {
    let Some(mut scene) = Scene::new() else { return };
    let konst = TevStage { konst_color: 13, konst_alpha: 29, ..passing(14, 6) };
    let mut material = material(konst);
    material.konst[1] = [10, 200, 30, 40];
    let mut model = model(vec![square(0.0, 0)], vec![material.clone()], vec![]);
    assert_eq!(scene.middle(&model, &Frame::default()), [10, 200, 30, 255], "the picture is opaque");
    let mut state = MaterialState::of(&material);
    state.konst[1] = [99.6, 0.0, 300.0, 0.0];
    let frame = animated(state);
    let pipelines = scene.renderer.pipeline_count();
    assert_eq!(scene.middle(&model, &frame), [100, 0, 255, 255]);
    assert_eq!(scene.renderer.pipeline_count(), pipelines, "animation changes data only");
    model.materials = vec![tev(TevMaterial {
        stages: vec![passing(4, 2)],
        registers: [[0; 4], [7, -5, 300, 1], [0; 4]],
        ..material
    })];
    assert_eq!(scene.middle(&model, &Frame::default()), [7, 0, 255, 255]);
}

#[test]
fn textures_are_read_by_coordinates_and_swapped_by_animation() {
    let Some(mut scene) = Scene::new() else { return };
    let quarters = image(2, 2, |x, y| [x as u8 * 200, y as u8 * 100, 50, 255]);
    let stage = TevStage { tex_coord: Some(0), texture: Some(3), ..passing(8, 4) };
    let mut material = TevMaterial { texgens: texture_0(), ..material(stage) };
    material.textures[3] = Some(0);
    let red = texture(image(1, 1, |_, _| [255, 0, 0, 255]));
    let model = model(vec![square(0.0, 0)], vec![material.clone()], vec![texture(quarters), red]);
    let picture = scene.picture(&model, &Frame::default(), |_| {});
    let corners = [(20, 20), (44, 20), (20, 44), (44, 44)].map(|(x, y)| pixel(&picture, x, y));
    assert_eq!(corners, [[0, 0, 50, 255], [200, 0, 50, 255], [0, 100, 50, 255], [200, 100, 50, 255]]);
    let mut state = MaterialState::of(&material);
    state.textures[3] = Some(1);
    let frame = animated(state.clone());
    assert_eq!(scene.middle(&model, &frame), [255, 0, 0, 255]);
    state.textures[3] = None;
    let frame = animated(state);
    assert_eq!(scene.middle(&model, &frame), [255; 4], "a texture that is not there reads white");
}

#[test]
fn vertex_colours_pass_the_channel() {
    let Some(mut scene) = Scene::new() else { return };
    let mut mesh = square(0.0, 0);
    mesh.colors = vec![[12, 34, 56, 255]; 4];
    let control = ChannelControl { material_from_vertex: true, ..ChannelControl::default() };
    let stage = TevStage { channel: 4, ..passing(10, 5) };
    let material = TevMaterial { channel_count: 1, channels: [control; 4], ..material(stage) };
    assert_eq!(scene.middle(&model(vec![mesh], vec![material], vec![]), &Frame::default()), [12, 34, 56, 255]);
}

#[test]
fn the_key_lamp_lights_and_can_be_put_out() {
    let Some(mut scene) = Scene::new() else { return };
    let control =
        ChannelControl { lit: true, light_mask: 1, attenuation: Attenuation::None, ..ChannelControl::default() };
    let stage = TevStage { channel: 4, ..passing(10, 5) };
    let material = TevMaterial {
        channel_count: 1,
        channels: [control, ChannelControl::default(), control, control],
        ambient_colors: [[50, 50, 50, 0]; 2],
        ..material(stage)
    };
    let model = model(vec![square(0.0, 0)], vec![material], vec![]);
    let mut at = |lights, key_yaw: f32, shading| {
        let view = |view: &mut ViewSettings| {
            view.gx = GxSettings { lights, key_yaw, key_pitch: 0.0, fog: false };
            view.shading = shading;
        };
        pixel(&scene.picture(&model, &Frame::default(), view), 32, 32)[0]
    };
    assert_eq!(at(GxLights::Key, 0.0, Shading::Lit), 255, "from before");
    // 50 + 255 · cos 60° = 178, times 255: 178 + 1 over 256.
    let slanted = at(GxLights::Key, std::f32::consts::FRAC_PI_3, Shading::Lit);
    assert!(slanted.abs_diff(178) <= 2, "{slanted}");
    assert_eq!(at(GxLights::Key, std::f32::consts::PI, Shading::Lit), 49, "from behind: the file's ambient light");
    assert_eq!(at(GxLights::Off, 0.0, Shading::Lit), 255);
    assert_eq!(at(GxLights::Key, std::f32::consts::PI, Shading::Unlit), 255);
}

#[test]
fn translucent_surfaces_come_last_and_the_last_of_them_first() {
    let Some(mut scene) = Scene::new() else { return };
    let flat = |color: [u8; 4], translucent| {
        let konst = [color, [255; 4], [255; 4], [255; 4]];
        let stage = TevStage { konst_color: 12, konst_alpha: 28, ..passing(14, 6) };
        let z_mode = ZMode { test: false, compare: Compare::Always, write: false };
        TevMaterial { konst, translucent, blend: BlendMode::default(), z_mode, ..material(stage) }
    };
    let materials = vec![flat([200, 0, 0, 255], true), flat([0, 200, 0, 255], true), flat([0, 0, 200, 255], false)];
    let meshes = (0..3).map(|index| square(0.0, index)).collect();
    let mut model = model(meshes, materials, vec![]);
    // Blue is opaque, so it is first; then green; red is the first of the translucent ones, so it covers all.
    assert_eq!(scene.middle(&model, &Frame::default()), [200, 0, 0, 255]);
    model.draw_order = vec![1, 0, 2];
    assert_eq!(scene.middle(&model, &Frame::default()), [0, 200, 0, 255]);
    let hidden = showing(vec![true, false, true]);
    assert_eq!(scene.middle(&model, &hidden), [200, 0, 0, 255]);
    model.draw_order = vec![2];
    assert_eq!(scene.middle(&model, &Frame::default()), [0, 0, 200, 255]);
}

#[test]
fn alpha_stays_in_the_target_for_later_surfaces() {
    let Some(mut scene) = Scene::new() else { return };
    let stage = TevStage { konst_color: 12, konst_alpha: 28, ..passing(14, 6) };
    let z_mode = ZMode { test: false, compare: Compare::Always, write: false };
    let mask = TevMaterial { konst: [[0, 0, 0, 64]; 4], z_mode, ..material(stage) };
    // Source times the alpha in the target, over what is there.
    let masked = TevMaterial {
        konst: [[200, 100, 40, 255]; 4],
        blend: BlendMode {
            kind: BlendKind::Blend,
            source: BlendFactor::DestinationAlpha,
            destination: BlendFactor::InverseDestinationAlpha,
            logic: LogicOp::Clear,
        },
        ..mask.clone()
    };
    let model = model(vec![square(0.0, 0), square(0.0, 1)], vec![mask, masked], vec![]);
    let seen = scene.middle(&model, &Frame::default());
    assert_eq!(seen[3], 255);
    // 200 · 64/255 = 50.2, 25.1, 10.0.
    assert!(near(seen, [50, 25, 10], 1), "{seen:?}");
}

#[test]
fn a_transparent_picture_is_opaque_where_something_stands() {
    let Some(mut scene) = Scene::new() else { return };
    let stage = TevStage { konst_color: 12, konst_alpha: 28, ..passing(14, 6) };
    let material = TevMaterial { konst: [[90, 80, 70, 3]; 4], ..material(stage) };
    let model = model(vec![square(0.0, 0)], vec![material], vec![]);
    let picture = scene.picture(&model, &Frame::default(), |view| view.background = Background::Transparent);
    assert_eq!(pixel(&picture, 32, 32), [90, 80, 70, 255]);
    assert_eq!(pixel(&picture, 0, 0)[3], 0);
}

#[test]
fn sides_are_culled_as_the_material_says() {
    let Some(mut scene) = Scene::new() else { return };
    let stage = TevStage { konst_color: 0, ..passing(14, 4) };
    let seen = |scene: &mut Scene, cull| {
        let model = model(vec![square(0.0, 0)], vec![TevMaterial { cull, ..material(stage) }], vec![]);
        scene.middle(&model, &Frame::default())[0] == 255
    };
    assert_eq!([0, 1, 2, 3].map(|cull: u8| seen(&mut scene, cull.into())), [true, false, true, false]);
}

#[test]
fn other_shadings_show_such_models_too() {
    let Some(mut scene) = Scene::new() else { return };
    let stage = TevStage { konst_color: 0, ..passing(14, 4) };
    let model = model(vec![square(0.0, 0)], vec![material(stage)], vec![]);
    for shading in [Shading::Normals, Shading::Uv, Shading::MaterialId, Shading::Weights] {
        let picture = scene.picture(&model, &Frame::default(), |view| {
            view.shading = shading;
            view.wireframe = true;
        });
        assert_ne!(pixel(&picture, 30, 36), [0, 0, 0, 255], "{shading:?}");
    }
}

#[test]
fn normals_of_environment_maps_are_turned_to_the_view() {
    let Some(mut scene) = Scene::new() else { return };
    let ramp = image(256, 1, |x, _| [x as u8, 0, 0, 255]);
    let stage = TevStage { tex_coord: Some(0), texture: Some(0), ..passing(8, 4) };
    let mut material = TevMaterial { texgens: vec![TexGen { kind: 1, source: 1, matrix: 30 }], ..material(stage) };
    material.textures[0] = Some(0);
    material.texture_matrices[0] =
        Some(TextureMatrix { map_mode: 6.into(), center: [0.5; 3], ..TextureMatrix::default() });
    let mut mesh = square(0.0, 0);
    mesh.normals = vec![Vec3::new(0.6, 0.0, 0.8); 4];
    let model = model(vec![mesh], vec![material], vec![texture(ramp)]);
    // s = 0.5 · 0.6 + 0.5 = 0.8: texel 204.
    let seen = scene.middle(&model, &Frame::default())[0];
    assert!(seen.abs_diff(204) <= 1, "{seen}");
}

/// Three joints in a row that are scaled and turned, and draw matrices of one, of two, and of one in its own space.
fn with_draw_matrices() -> (Model, Frame) {
    let mut skeleton = chain(3, 1.0);
    let back: Vec<Affine3A> = skeleton.joint_from_world_bind().to_vec();
    let term = |joint: u32, weight, joint_from_bind| DrawTerm { joint, weight, joint_from_bind };
    skeleton.draw_matrices = vec![
        DrawMatrix { terms: vec![term(1, 1.0, Affine3A::IDENTITY)] },
        DrawMatrix { terms: vec![term(1, 0.3, back[1]), term(2, 0.7, back[2])] },
        DrawMatrix { terms: vec![term(2, 1.0, Affine3A::IDENTITY)] },
    ];
    let mut mesh = square(0.0, 0);
    mesh.skin = Some(skin(&[vec![(0, 1.0)], vec![(1, 1.0)], vec![(2, 1.0)], vec![(0, 1.0)]]));
    let stage = TevStage { konst_color: 0, ..passing(14, 4) };
    let model = Model { skeleton: Some(skeleton), ..model(vec![mesh], vec![material(stage)], vec![]) };
    let mut frame = bent(&model, glam::Quat::from_euler(glam::EulerRot::XYZ, 0.4, -0.7, 0.2));
    let blended = model.skeleton.iter().flat_map(|s| &s.draw_matrices).map(|matrix| {
        let terms = matrix.terms.iter().map(|term| {
            let world = frame.world_from_joint[term.joint as usize] * term.joint_from_bind;
            glam::Mat4::from(world) * term.weight
        });
        Affine3A::from_mat4(terms.sum())
    });
    frame.world_from_bind = blended.collect();
    (model, frame)
}

#[test]
fn draw_matrices_move_vertices_as_on_the_cpu() {
    let Some(mut scene) = Scene::new() else { return };
    let (model, frame) = with_draw_matrices();
    assert_eq!(frame.world_from_bind.len(), 3);
    let uploaded = scene.renderer.upload(&Arc::new(model.clone())).unwrap();
    let moved = read_skinned(&scene.context, &mut scene.renderer, &uploaded, &frame).unwrap();
    let distance = distance_from_cpu(&model, &frame, &moved);
    assert!(distance < 1e-5, "{distance}");
    assert!(moved[0].distance(model.meshes[0].points[0]) > 0.1, "{}", moved[0]);
}

#[test]
fn the_picture_shows_the_pose() {
    let Some(mut scene) = Scene::new() else { return };
    let (model, _) = with_draw_matrices();
    // All of the square hangs on the third joint, which stands two above the origin.
    let mut model = model;
    model.meshes[0].skin = Some(skin(&vec![vec![(2, 1.0)]; 4]));
    let bounds = model.bounds();
    assert!((bounds.max.y - 3.0).abs() < 1e-5, "{bounds:?}");
    assert_eq!(scene.middle(&model, &Frame::bind(&model)), [255; 4], "framed where it stands");
}

#[test]
fn billboards_face_the_camera() {
    let Some(mut scene) = Scene::new() else { return };
    let (mut model, _) = with_draw_matrices();
    model.meshes[0].skin = Some(skin(&vec![vec![(0, 1.0)]; 4]));
    let mut from_the_side = |billboard, shading| {
        model.meshes[0].billboard = billboard;
        let picture = scene.picture(&model, &Frame::bind(&model), |view| {
            view.shading = shading;
            view.camera.look_from(ViewDirection::Right);
        });
        count(&picture, |p| p[0] > 20)
    };
    for shading in [Shading::Lit, Shading::MaterialId] {
        assert!(from_the_side(Billboard::None, shading) < 100, "seen edge on");
        assert!(from_the_side(Billboard::Full, shading) > 500, "{shading:?}");
        assert!(from_the_side(Billboard::UprightY, shading) > 500, "{shading:?}");
    }
}

#[test]
fn weights_of_a_joint_come_through_draw_matrices() {
    let Some(mut scene) = Scene::new() else { return };
    let (mut model, _) = with_draw_matrices();
    model.meshes[0].skin = Some(skin(&vec![vec![(1, 1.0)]; 4]));
    let mut brightness = |joint| {
        let picture = scene.picture(&model, &Frame::bind(&model), |view| {
            view.shading = Shading::Weights;
            view.selected_joint = Some(joint);
        });
        pixel(&picture, 32, 32)[1]
    };
    let [none, little, much] = [0, 1, 2].map(&mut brightness);
    assert!(none + 20 < little && little + 20 < much, "{none} {little} {much}");
}

#[test]
fn a_thousand_shapes_share_their_shaders() {
    let Some(mut scene) = Scene::new() else { return };
    let ramp = texture(image(8, 8, |x, y| [x as u8 * 36, y as u8 * 36, 90, 255]));
    let mut meshes = Vec::new();
    let mut materials = Vec::new();
    for index in 0..1000_u32 {
        let mut mesh = square(0.0, index);
        for point in &mut mesh.points {
            *point = *point * 0.45 + Vec3::new((index % 40) as f32, (index / 40) as f32, 0.0);
        }
        meshes.push(mesh);
        let stage = TevStage { tex_coord: Some(0), texture: Some(0), ..passing(8, 4) };
        // Ten different shaders.
        let mut stages = vec![stage; 1 + index as usize % 10];
        stages[0].konst_color = 12;
        let mut material = TevMaterial { texgens: texture_0(), ..material(stage) };
        material.stages = stages;
        material.konst[0] = [index as u8, 0, 0, 255];
        material.textures[0] = Some(0);
        materials.push(material);
    }
    let model = model(meshes, materials, vec![ramp]);
    let uploaded = scene.renderer.upload(&Arc::new(model.clone())).unwrap();
    let view = plain_view(&model);
    let mut target = RenderTarget::new(&scene.context, 320, 200, 1).unwrap();
    let frame = Frame::bind(&model);
    let mut times = Vec::new();
    for _ in 0..6 {
        let start = Instant::now();
        let item = Item { model: &uploaded, frame: &frame, world_from_model: Affine3A::IDENTITY };
        scene.renderer.render(&mut target, &view, &[item]).unwrap();
        let handed_over = start.elapsed().as_secs_f64() * 1e3;
        let shown = target.read().unwrap();
        times.push((handed_over, start.elapsed().as_secs_f64() * 1e3));
        assert!(count(&shown, |p| p[2] == 90) > 10_000);
    }
    println!("1,000 shapes: {times:.1?} ms to hand over, to see the picture");
    assert_eq!(scene.renderer.pipeline_count(), 12, "ten, the background and what makes the picture opaque");
    assert_eq!(scene.context.take_errors(), Vec::<String>::new());
}

#[test]
fn lines_are_drawn_in_their_material_and_move_with_their_joint() {
    let Some(mut scene) = Scene::new() else { return };
    // From the lower left corner of the square to the upper right one.
    let line = || {
        let mut mesh = Mesh { indices: Vec::new(), surfaces: Vec::new(), ..square(0.0, 0) };
        mesh.add_lines(&[[0, 2]], 0);
        mesh.skin = Some(skin(&vec![vec![(0, 1.0)]; 4]));
        mesh
    };
    let mut shown = material(TevStage { konst_color: 13, konst_alpha: 29, ..passing(14, 6) });
    shown.konst[1] = [10, 200, 30, 40];
    // Lines have no side that could be culled.
    shown.cull = CullMode::All;
    let made = Model { skeleton: Some(chain(1, 1.0)), ..model(vec![line()], vec![shown], vec![]) };
    let basic = Model {
        materials: vec![crate::kit::device::material(BasicMaterial { unlit: true, ..BasicMaterial::default() })],
        ..made.clone()
    };
    let frame = Frame::bind(&made);
    let mut turned = Frame::bind(&made);
    turned.world_from_bind[0] = Affine3A::from_rotation_z(std::f32::consts::FRAC_PI_2);
    for (model, name) in [(&made, "combined"), (&basic, "basic")] {
        for (frame, rises) in [(&frame, true), (&turned, false)] {
            let picture = scene.picture(model, frame, |view| view.shading = Shading::Unlit);
            let drawn: Vec<(u32, u32)> = (0..64 * 64)
                .map(|at| (at % 64, at / 64))
                .filter(|(x, y)| pixel(&picture, *x, *y)[..3] != [0, 0, 0])
                .collect();
            // A diagonal has a pixel in each row that it crosses.
            let rows: std::collections::BTreeSet<u32> = drawn.iter().map(|(_, y)| *y).collect();
            assert!(rows.len() > 20 && drawn.len() <= 2 * rows.len(), "{name}: {drawn:?}");
            let is_on = |(x, y): &(u32, u32)| x.abs_diff(if rises { 63 - y } else { *y }) <= 1;
            assert!(drawn.iter().all(is_on), "{name}, rising {rises}: {drawn:?}");
            if name == "combined" {
                assert!(drawn.iter().all(|(x, y)| pixel(&picture, *x, *y) == [10, 200, 30, 255]));
            }
        }
    }
}
