//! Ways of looking at a model: shadings and channels, lights, the UV layout, and what moves a vertex.

use crate::kit::{self, app::*, device};
use bonebox::{
    formats::Role,
    gpu::GxLights,
    scene::{ModelPart, UvLayout},
    ui::{
        command::{ACTIONS, Command, ModelCommand, SelectionCommand, ViewCommand},
        saved_view::ViewToggle,
        state::{ColorChannel, LightPreset, Place, Shading, View},
    },
};
use egui::Modifiers;
use egui_kittest::{Harness, kittest::Queryable as _};
use glam::Vec2;
use std::collections::HashSet;

fn with_model() -> Window {
    let window = window_with([kit::samples().join("Ossie.psk")]);
    change(&window, |s| {
        s.stages.front.view.options.skeleton = false;
        s.stages.front.view.skeleton_asked = false;
    });
    window
}

fn view(window: &Window) -> View {
    read(window, |s| s.stages.front.view.clone())
}

#[test]
fn the_menu_of_shadings_has_every_way() {
    let mut window = with_model();
    let button = |window: &Window| {
        let names = ["Lit", "Flat shading", "Vertex colours only", "Overdraw", "Colour by part"];
        let named = names.map(|name| format!("Shading: {name}"));
        named.into_iter().find(|name| has(window, name)).unwrap()
    };
    for (name, shading) in [
        ("Flat shading", Shading::Flat),
        ("Colour by part", Shading::PartId),
        ("Overdraw", Shading::Overdraw),
        ("Vertex colours only", Shading::VertexColors),
    ] {
        let label = button(&window);
        click(&mut window, &label);
        click(&mut window, name);
        assert_eq!(view(&window).options.shading, shading);
        look(&mut window, &format!("shading_{shading:?}"));
    }
    let has_colors =
        read(&window, |s| s.stages.front.model().unwrap().model.meshes.iter().any(|mesh| !mesh.colors.is_empty()));
    assert_eq!(paints(&window, "This model has no vertex colours"), !has_colors);
    let label = button(&window);
    click(&mut window, &label);
    click(&mut window, "Green channel");
    assert_eq!(view(&window).options.channel, ColorChannel::Green);
    let label = button(&window);
    click(&mut window, &label);
    click(&mut window, "Normals as lines");
    assert!(view(&window).options.normal_lines);
    // A channel by the palette shows colours alone.
    apply(&mut window, Command::View(ViewCommand::SetShading(Shading::Lit)));
    apply(&mut window, Command::View(ViewCommand::SetChannel(ColorChannel::Alpha)));
    assert_eq!(
        (view(&window).options.shading, view(&window).options.channel),
        (Shading::VertexColors, ColorChannel::Alpha)
    );
}

#[test]
fn lights_and_the_shadow_are_chosen_for_every_family() {
    for file in [kit::samples().join("Ossie.psk"), kit::data().join("j3d/arm_maya.bmd")] {
        let mut window = window_with([file]);
        change(&window, |s| s.stages.front.view.options.gx.lights = GxLights::Off);
        // The menu stays open.
        click(&mut window, "Light and background");
        for preset in LightPreset::ALL {
            click(&mut window, preset.name());
            assert_eq!(view(&window).options.light, preset);
            assert_eq!(view(&window).options.gx.lights, GxLights::Key, "materials of the chip have the same lamp");
            look(&mut window, &format!("light_{preset:?}"));
        }
        click(&mut window, "Shadow");
        assert!(!view(&window).options.shadow);
    }
    let is_named = |preset: LightPreset| {
        let command = Command::View(ViewCommand::SetLight(preset));
        ACTIONS.iter().any(|action| action.command == command && action.name == preset.name())
    };
    assert!(LightPreset::ALL.into_iter().all(is_named));
    let lamp = |preset: LightPreset| (preset.settings(), preset.lamp(Default::default()).key_yaw);
    for (index, preset) in LightPreset::ALL.into_iter().enumerate() {
        assert!(LightPreset::ALL[..index].iter().all(|other| lamp(*other).0 != lamp(preset).0), "{preset:?}");
    }
}

#[test]
fn the_uv_layout_is_that_of_what_is_selected() {
    let mut window = with_model();
    apply(&mut window, Command::View(ViewCommand::Toggle(ViewToggle::UvLayout)));
    let sets = read(&window, |s| s.stages.front.model().unwrap().uv_set_count());
    assert!(has(&window, "Close the UV layout") && paints(&window, &format!("set 1 of {sets}")));
    let materials: Vec<(Place, String)> = read(&window, |s| {
        let file = &s.core.library.files[0];
        let own = file.file.document.outline().entries().iter().filter(|entry| entry.role == Role::Material);
        own.map(|entry| (Place { file: file.id, entry: entry.id }, entry.name.to_string())).collect()
    });
    for (index, (place, name)) in materials.iter().enumerate() {
        apply(&mut window, Command::Selection(SelectionCommand::Select(*place)));
        let triangles = read(&window, |s| {
            let part = ModelPart { material: Some(bonebox::scene::MaterialIndex(index as u32)), mesh: None };
            UvLayout::of(&s.stages.front.model().unwrap().model, part, 0, 0).triangles
        });
        assert!(triangles > 0);
        let head = format!("{name}  ·  set 1 of {sets}");
        assert!(paints(&window, &head), "{head}");
        look(&mut window, &format!("uv_layout_{index}"));
    }
    click(&mut window, "Close the UV layout");
    assert!(!view(&window).options.uv_layout && !has(&window, "Close the UV layout"));
}

#[test]
fn a_click_in_weights_lists_all_that_move_the_vertex() {
    let mut window = with_model();
    apply(&mut window, Command::View(ViewCommand::SetShading(Shading::Weights)));
    // A vertex that several bones move.
    let places = (6..34).flat_map(|y| (6..34).map(move |x| Vec2::new(x as f32, y as f32) / 40.0));
    let joints = |window: &Window| {
        read(window, |s| {
            let (mesh, vertex) = s.stages.front.selected().vertex?;
            Some(s.stages.front.model().unwrap().vertex_joints(mesh, vertex))
        })
    };
    let several = places
        .filter(|place| {
            change(&window, |s| s.apply(Command::Model(ModelCommand::Pick(*place))));
            joints(&window).is_some_and(|joints| joints.len() > 1)
        })
        .max_by_key(|place| (place.distance(Vec2::splat(0.5)) * -1000.0) as i32);
    let place = several.expect("some vertex has two bones");
    let rect = window.get_by_label("Viewport").rect();
    let pos = rect.min + egui::vec2(place.x * rect.width(), place.y * rect.height());
    click_at(&mut window, pos, Modifiers::NONE);
    let found = joints(&window).unwrap();
    let sum: f32 = found.iter().map(|(_, share)| share).sum();
    assert!((sum - 1.0).abs() < 0.01 && found.is_sorted_by(|a, b| a.1 >= b.1), "{found:?}");
    assert_eq!(read(&window, |s| s.stages.front.selected().joint), Some(found[0].0.0), "the one that moves it most");
    look(&mut window, "weights_of_vertex");
    let second = read(&window, |s| {
        let skeleton = s.stages.front.model().unwrap().model.skeleton.clone().unwrap();
        skeleton.joints()[found[1].0.as_usize()].name.clone()
    });
    click(&mut window, &format!("{second}, weight {:.1} %", found[1].1 * 100.0));
    assert_eq!(read(&window, |s| s.stages.front.selected().joint), Some(found[1].0.0));
    assert_eq!(joints(&window).unwrap(), found, "the vertex stays");
    // Beside the model nothing is listed.
    apply(&mut window, Command::Model(ModelCommand::Pick(Vec2::ZERO)));
    assert_eq!(joints(&window), None);
}

#[test]
fn samples_a_pixel_are_chosen_kept_and_seen_at_the_edges() {
    let Some(_) = device::context() else { return };
    let mut window = window_built(Harness::builder().wgpu(), kept(state()), SIZE);
    open(&mut window, [kit::samples().join("Ossie.psk")]);
    // One colour a material on one colour: all others are mixed at edges.
    for command in [
        ViewCommand::SetShading(Shading::MaterialId),
        ViewCommand::SetBackground(Some([10, 20, 30])),
        ViewCommand::Toggle(ViewToggle::Grid),
    ] {
        apply(&mut window, Command::View(command));
    }
    let area = window.get_by_label("Viewport").rect().shrink(60.0);
    let mut choose = |item: &str| {
        click(&mut window, "View");
        window.get_by_label_contains("Anti-aliasing").click();
        window.run_steps(4);
        click(&mut window, item);
        // The pointer is drawn too: away from the picture.
        window.hover_at(egui::pos2(4.0, 4.0));
        settle(&mut window);
        let picture = window.render().unwrap();
        let inside = |x: u32, y: u32| area.contains(egui::pos2(x as f32, y as f32));
        let colors: HashSet<[u8; 4]> =
            picture.enumerate_pixels().filter(|(x, y, _)| inside(*x, *y)).map(|(_, _, pixel)| pixel.0).collect();
        (read(&window, |s| s.core.settings.samples), colors.len())
    };
    let (one, hard) = choose("Off");
    let (four, mixed) = choose("4 ×");
    assert_eq!((one, four), (Some(1), Some(4)));
    assert!(mixed > hard, "{mixed} colours with four samples, {hard} with one");
    assert_eq!(choose("Off"), (Some(1), hard));
    assert_eq!(saved(&mut window).settings().samples, Some(1));
}
