//! Sockets, the box around a model, and its counts.

use crate::kit::{self, app::*};
use bonebox::{
    formats::Role,
    scene::Aabb,
    ui::{
        command::{CameraCommand, Command, SelectionCommand, ViewCommand, WindowCommand},
        saved_view::ViewToggle,
        section::Section,
        state::{Place, State},
    },
};
use egui::{Event, Modifiers, PointerButton, Pos2, pos2};
use egui_kittest::kittest::Queryable as _;

fn with_model() -> Window {
    let window = window_with([kit::samples().join("Ossie.psk")]);
    change(&window, |s| {
        s.stages.front.view.options.skeleton = false;
        s.stages.front.view.skeleton_asked = false;
    });
    window
}

fn entries(window: &Window, role: Role) -> Vec<(Place, String)> {
    read(window, |s| {
        let file = &s.core.library.files[0];
        let own = file.file.document.outline().entries().iter().filter(|entry| entry.role == role);
        own.map(|entry| (Place { file: file.id, entry: entry.id }, entry.name.to_string())).collect()
    })
}

fn marks(window: &Window) -> usize {
    read(window, |s| s.stages.front.stage_marks(&s.core).len())
}

/// Where a socket is on the screen.
fn socket_at(window: &Window, index: usize) -> Pos2 {
    let rect = window.get_by_label("Viewport").rect();
    let at = read(window, |s| {
        let point = s.stages.front.sockets()[index].place;
        let world = s.stages.front.view.options.up_axis.world_from_model().transform_point3(point);
        s.stages.front.view.camera.project(world, rect.width() / rect.height()).unwrap()
    });
    pos2(rect.left() + at.x * rect.width(), rect.top() + at.y * rect.height())
}

#[test]
fn sockets_are_crosses_with_names_and_can_be_clicked() {
    let mut window = with_model();
    let rows = entries(&window, Role::Socket);
    let names = read(&window, |s| s.stages.front.sockets().iter().map(|it| it.name.to_owned()).collect::<Vec<_>>());
    assert!(names.len() > 1 && rows.len() == names.len(), "{names:?}");
    assert_eq!(marks(&window), 0);
    let pos = socket_at(&window, 1);
    click_at(&mut window, pos, Modifiers::NONE);
    assert_eq!(read(&window, |s| s.stages.front.selected().socket), None, "nothing is drawn, so nothing is met");

    apply(&mut window, Command::View(ViewCommand::Toggle(ViewToggle::Sockets)));
    assert_eq!(marks(&window), 3 * names.len());
    assert!(names.iter().any(|name| paints(&window, name)));
    let pos = socket_at(&window, 1);
    click_at(&mut window, pos, Modifiers::NONE);
    assert_eq!(read(&window, |s| (s.stages.front.selected().socket, s.core.selection)), (Some(1), Some(rows[1].0)));
    look(&mut window, "sockets");
    // F comes near, and a row of the tree selects likewise.
    let far = read(&window, |s| s.stages.front.view.camera.distance);
    apply(&mut window, Command::Camera(CameraCommand::Frame));
    assert!(read(&window, |s| s.stages.front.view.camera.distance) < far);
    apply(&mut window, Command::Selection(SelectionCommand::Select(rows[0].0)));
    assert_eq!(read(&window, |s| s.stages.front.selected().socket), Some(0));
    apply(&mut window, Command::Selection(SelectionCommand::Joint(Some(0))));
    assert_eq!(read(&window, |s| s.stages.front.selected().socket), None);
    // One that the model does not have.
    apply(&mut window, Command::Selection(SelectionCommand::Socket(99)));
    assert_eq!(read(&window, |s| s.stages.front.selected().socket), None);
}

#[test]
fn sockets_follow_their_bone() {
    let mut window = with_model();
    let places = |s: &State| s.stages.front.sockets().iter().map(|socket| socket.place).collect::<Vec<_>>();
    let before = read(&window, places);
    open(&mut window, [kit::samples().join("Ossie.psa")]);
    change(&window, |s| s.stages.front.content.model_mut().unwrap().playback.player.playing = true);
    pass(&mut window, 0.4);
    let after = read(&window, places);
    assert_eq!(before.len(), after.len());
    assert!(before.iter().zip(&after).any(|(a, b)| a.distance(*b) > 1e-3), "{before:?} {after:?}");
}

#[test]
fn a_box_lies_around_the_model_or_what_is_selected_of_it() {
    let mut window = with_model();
    apply(&mut window, Command::View(ViewCommand::Toggle(ViewToggle::Bounds)));
    assert_eq!(marks(&window), 12);
    let shown = |window: &Window| read(window, |s| s.stages.front.shown_bounds());
    let whole = shown(&window).unwrap();
    assert!(paints(&window, "wide  ·  "));
    let bones = entries(&window, Role::Bone);
    apply(&mut window, Command::Selection(SelectionCommand::Select(bones[bones.len() - 1].0)));
    look(&mut window, "bounds_of_bone");
    let holds =
        |outer: Aabb, inner: Aabb| outer.min.cmple(inner.min + 1e-3).all() && inner.max.cmple(outer.max + 1e-3).all();
    for (place, name) in entries(&window, Role::Material).iter().chain(&bones) {
        apply(&mut window, Command::Selection(SelectionCommand::Select(*place)));
        // A bone that moves nothing most has no box.
        if let Some(own) = shown(&window) {
            assert!(holds(whole, own), "{name}: {own:?} in {whole:?}");
            assert_eq!(marks(&window), 12);
        } else {
            assert_eq!(marks(&window), 0);
        }
    }
}

#[test]
fn the_inspector_counts_the_model_and_what_is_selected() {
    let mut window = with_model();
    let model = read(&window, |s| s.stages.front.content.place().unwrap());
    apply(&mut window, Command::Selection(SelectionCommand::Select(model)));
    apply(&mut window, Command::Window(WindowCommand::ShowSection(Section::Statistics)));
    let all = read(&window, |s| s.stages.front.model().unwrap().model.triangle_count());
    window.get_by_label_contains("Statistics");
    assert!(paints(&window, "Bones per point (maximum)") && !paints(&window, "Selected"));
    let grouped = |n: usize| if n < 1000 { n.to_string() } else { format!("{},{:03}", n / 1000, n % 1000) };
    assert!(paints(&window, &grouped(all)), "{all} triangles");
    let (material, _) = entries(&window, Role::Material)[0].clone();
    apply(&mut window, Command::Selection(SelectionCommand::Select(material)));
    assert!(paints(&window, "Selected"));
    look(&mut window, "statistics");
    // What is no part of the model has no counts.
    let (socket, _) = entries(&window, Role::Socket)[0].clone();
    apply(&mut window, Command::Selection(SelectionCommand::Select(socket)));
    assert!(!paints(&window, "Bones per point (maximum)"));
}

#[test]
fn a_right_click_on_a_socket_selects_it() {
    let mut window = with_model();
    apply(&mut window, Command::View(ViewCommand::Toggle(ViewToggle::Sockets)));
    let pos = socket_at(&window, 0);
    window.hover_at(pos);
    window.step();
    for pressed in [true, false] {
        let modifiers = Modifiers::NONE;
        window.event(Event::PointerButton { pos, button: PointerButton::Secondary, pressed, modifiers });
        window.step();
    }
    window.run_steps(4);
    assert_eq!(read(&window, |s| s.stages.front.selected().socket), Some(0));
    assert!(has(&window, "Focus") && has(&window, "Show fields") && !has(&window, "Hide"));
}

#[test]
fn the_pose_card_has_the_axes_of_the_file() {
    let mut window = with_model();
    change(&window, |s| s.stages.front.content.model_mut().unwrap().playback.player.playing = false);
    apply(&mut window, Command::Window(WindowCommand::SetSection(Section::Pose, true)));
    // Of the joints, the one that is farthest from the plane where both spaces have one number.
    let joint = read(&window, |s| {
        let depth = |matrix: &glam::Affine3A| matrix.translation.z.abs();
        let joints = &s.stages.front.playback().unwrap().frame.world_from_joint;
        (0..joints.len()).max_by(|a, b| depth(&joints[*a]).total_cmp(&depth(&joints[*b]))).unwrap()
    });
    apply(&mut window, Command::Selection(SelectionCommand::Joint(Some(joint as u32))));
    window.run_steps(4);
    let [x, y, z] =
        read(&window, |s| s.stages.front.playback().unwrap().frame.world_from_joint[joint].translation.to_array());
    assert!(z.abs() > 0.01, "{x} {y} {z}");
    let text = |number: f32| format!("{number:.3}").replace("-0.000", "0.000");
    // The scene's (x, z, −y) is (x, y, z) of the file.
    for number in [x, -z, y] {
        assert!(paints(&window, &text(number)), "{number} of the file");
    }
    click(&mut window, "Scene axes");
    assert!(read(&window, |s| s.core.settings.scene_axes));
    assert!(paints(&window, &text(z)), "{z} of the scene");
    click(&mut window, "Scene axes");
    assert!(paints(&window, &text(-z)) && !read(&window, |s| s.core.settings.scene_axes));
}
