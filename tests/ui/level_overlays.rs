//! What is drawn over a level: paths, links, radii, starts, the places of a texture; and its classes and movers.

use crate::kit::{self, app::*, level::*};
use bonebox::{
    formats::EntryId,
    gpu::Line,
    ui::{
        command::{Command, LevelCommand as L, PartsCommand, ViewCommand},
        layout::Tab,
        map_overlays::MapOverlay,
        saved_view::ViewToggle,
        state::Place,
    },
};
use egui_kittest::kittest::Queryable as _;
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// Entries of the open file that stand for the level's actors start here.
const FIRST_ACTOR: u32 = 3;

/// A window of a size with the made level whose actors are linked.
pub fn entered_at(size: [f32; 2]) -> Window {
    let mut window = window_of(kept(state()), size);
    open(&mut window, [kit::data().join("actorx/syn_arm.psk")]);
    enter(&mut window);
    window
}

pub fn entered() -> Window {
    entered_at(SIZE)
}

/// Puts the level on the stage.
pub fn enter(window: &mut Window) {
    change(window, |state| {
        let place = Place { file: state.core.library.files[0].id, entry: EntryId(1) };
        state.stages.front.show_map(&mut state.core, place, Arc::new(linked(FIRST_ACTOR)));
    });
    settle(window);
}

pub fn level(window: &mut Window, command: L) {
    apply(window, Command::Level(command));
}

/// Where a point of the level is in the picture.
pub fn seen_at(window: &Window, point: Vec3) -> Vec2 {
    read(window, |s| s.stages.front.view.camera.project(point, s.stages.front.viewport.aspect))
        .expect("it lies before the eye")
}

fn lines(window: &Window) -> Arc<[Line]> {
    read(window, |state| state.stages.front.overlay_lines(&state.core)).expect("a level is shown")
}

/// The lines of one overlay alone.
fn of(window: &mut Window, overlay: MapOverlay) -> Arc<[Line]> {
    level(window, L::ToggleOverlay(overlay));
    let found = lines(window);
    level(window, L::ToggleOverlay(overlay));
    found
}

fn near(a: Vec3, b: Vec3) -> bool {
    a.distance(b) < 1e-4
}

#[test]
fn each_overlay_draws_what_it_says() {
    let mut window = entered();
    assert!(lines(&window).is_empty(), "nothing is drawn that nobody asked for");
    let paths = of(&mut window, MapOverlay::Paths);
    assert_eq!(paths.len(), 6, "two arrows");
    assert_eq!((paths[0].ends, paths[3].ends), ([NODES_AT[0], NODES_AT[1]], [NODES_AT[1], NODES_AT[0]]));
    assert!(paths[0].color[3] > paths[3].color[3], "the pruned one is faint");
    assert_ne!(paths[0].color[..3], paths[3].color[..3], "one is walked, the other jumped");
    let events = of(&mut window, MapOverlay::Events);
    assert_eq!((events.len(), events[0].ends), (3, [TRIGGER_AT, LIFT_AT]));
    let ways = of(&mut window, MapOverlay::Ways);
    assert_eq!((ways.len(), ways[0].ends), (3, NODES_AT));
    let lights = of(&mut window, MapOverlay::Lights);
    // Three circles of 32 lines, and a cone of four lines with a rim.
    assert_eq!(lights.len(), 96 + 36);
    assert!(lights[..96].iter().all(|line| (line.ends[0].distance(LAMP_AT) - 5.0).abs() < 1e-3));
    assert_eq!(lights[0].color[..3], [255, 127, 0], "in its own colour");
    assert_eq!(of(&mut window, MapOverlay::Sounds).len(), 96);
    let bodies = of(&mut window, MapOverlay::Collisions);
    assert_eq!(bodies.len(), 4 + 2 * 32);
    assert!(bodies.iter().flat_map(|line| line.ends).all(|end| ((end - TRIGGER_AT).y.abs() - 0.75).abs() < 1e-4));
    let starts = of(&mut window, MapOverlay::Starts);
    let start = linked(0).starts[1];
    assert_eq!(starts.len(), 2 * (3 + 16));
    assert!(near(starts[19].ends[0], start.location) && starts[19].ends[1].z > start.location.z, "it looks along +Z");
}

#[test]
fn what_belongs_to_the_selected_actor_always_shows() {
    let mut window = entered();
    level(&mut window, L::SelectActor(1));
    assert_eq!(lines(&window).len(), 96, "the lamp's reach");
    assert!(lines(&window).iter().all(|line| line.over), "through walls");
    level(&mut window, L::SelectActor(TRIGGER));
    // The link to the lift, the body, and the lift's way.
    let found = lines(&window);
    assert_eq!(found.len(), 3 + 68 + 3);
    assert_eq!(found[0].ends, [TRIGGER_AT, LIFT_AT]);
    assert!(near(found[71].ends[0], LIFT_AT) && near(found[71].ends[1], LIFT_TO));
    level(&mut window, L::SelectActor(NODES[0]));
    assert_eq!(lines(&window).len(), 2 * (3 + 2) + 3, "both paths with who fits through, and the patrol");
    let made_once = Arc::ptr_eq(&lines(&window), &lines(&window));
    assert!(made_once, "they are not made anew each frame");
}

#[test]
fn overlays_are_switched_in_their_menu_and_leave_out_what_is_hidden() {
    let mut window = entered();
    click(&mut window, "Overlays");
    click(&mut window, "Light radii");
    click(&mut window, "Player starts");
    let shows = |window: &Window, overlay| read(window, |s| s.stages.front.view.options.overlays.shows(overlay));
    assert!(shows(&window, MapOverlay::Lights), "the menu stays open");
    look(&mut window, "level_overlays");
    let all = lines(&window).len();
    apply(&mut window, Command::Parts(PartsCommand::HideActors(Arc::new([TORCH]), true)));
    assert_eq!(lines(&window).len(), all - 36);
    level(&mut window, L::ClearOverlays);
    assert!(lines(&window).is_empty() && !read(&window, |s| s.is_possible(&Command::Level(L::ClearOverlays))));
}

#[test]
fn classes_are_a_tree_that_hides_and_lists() {
    let mut window = entered();
    bring_up(&mut window, Tab::Actors);
    click(&mut window, "List the classes");
    for label in ["Actor, 8 actors", "Light, 2 actors", "TorchLight, 1 actor", "Brush, 2 actors", "Mover, 1 actor"] {
        window.get_by_label(label);
    }
    look(&mut window, "level_classes");
    let hidden = |window: &Window| read(window, |s| s.stages.front.level().unwrap().actors.hidden().clone());
    click(&mut window, "Hide all Light actors");
    assert_eq!(hidden(&window), [Some(1), Some(TORCH)].into());
    click(&mut window, "Show all Light actors");
    assert!(hidden(&window).is_empty());
    click(&mut window, "Collapse Actor");
    assert!(!has(&window, "Light, 2 actors"));
    click(&mut window, "Expand Actor");
    click(&mut window, "Light, 2 actors");
    assert!(has(&window, "Light7, Light") && has(&window, "TorchLight9, TorchLight"));
    assert!(!has(&window, "Lift0, Mover"), "only those of the class");
    assert_eq!(read(&window, |s| s.stages.front.selected_actor(&s.core)), None, "nothing is selected by it");
    click(&mut window, "Only Light and its subclasses are listed. Click to list all actors");
    assert!(has(&window, "Lift0, Mover"));
}

#[test]
fn all_places_of_a_texture_are_outlined_until_it_is_ended() {
    let mut window = entered();
    let wall = seen_at(&window, Vec3::new(-8.0, 1.6, 2.0));
    level(&mut window, L::Pick(wall));
    window.get_by_label_contains("Outline all 11 surfaces").click();
    window.run_steps(4);
    let alike = read(&window, |s| s.stages.front.level().unwrap().tools.alike.clone()).expect("they are shown");
    // Eleven squares.
    assert_eq!((alike.outlines.surfaces, alike.outlines.edges.len(), alike.outlines.is_cut), (11, 44, false));
    let made = |window: &Window| read(window, |s| s.stages.front.alike_lines(&s.core)).expect("they are shown");
    let (outlines, others) = (made(&window), lines(&window));
    assert_eq!((outlines.len(), others.len()), (2 * 44, 0), "seen, and through walls");
    assert!(Arc::ptr_eq(&outlines, &made(&window)), "made once");
    look(&mut window, "level_alike");
    // Where a mover moves, these are made anew, and nothing else is.
    level(&mut window, L::SetMover { mover: 0, position: 0.5 });
    assert!(!Arc::ptr_eq(&outlines, &made(&window)) && Arc::ptr_eq(&others, &lines(&window)));
    window.get_by_label_contains("11 surfaces with Stone").click();
    window.run_steps(4);
    assert_eq!(
        read(&window, |s| (
            s.stages.front.level().unwrap().tools.alike.clone(),
            s.stages.front.alike_lines(&s.core).is_none()
        )),
        (None, true)
    );
}

#[test]
fn a_trigger_plays_the_movers_that_it_sets_off() {
    let mut window = entered();
    level(&mut window, L::SelectActor(TRIGGER));
    window.get_by_label_contains("Event “liftup” triggers 1 actor");
    let at = |window: &Window| {
        read(window, |s| s.stages.front.level().map(|shown| shown.moment.mover_position(&shown.map.movers, 0)))
    };
    assert_eq!(at(&window), Some(0.0));
    look(&mut window, "level_mover");
    click(&mut window, "Play Lift0");
    for _ in 0..12 {
        pass(&mut window, 0.5);
    }
    assert_eq!(at(&window), Some(1.0));
    level(&mut window, L::SetMover { mover: 0, position: 0.25 });
    assert_eq!(at(&window), Some(0.25));
    // It is met where it is now, and not where it was.
    let up = seen_at(&window, LIFT_AT.lerp(LIFT_TO, 0.25) + Vec3::Y * 0.25);
    level(&mut window, L::Pick(up));
    assert_eq!(read(&window, |s| s.stages.front.selected_actor(&s.core)), Some(0));
    drag_to_end(&mut window, "Key position of Lift0");
    assert_eq!(at(&window), Some(1.0));
}

#[test]
fn what_is_drawn_is_switched_in_one_menu() {
    let mut window = entered();
    // What was told when the file was opened lies over the button at first.
    window.run_steps(80);
    click(&mut window, "Show or hide level elements");
    for (name, on) in
        [("Sprites", true), ("Brush outlines", false), ("Sky and mirrors", true), ("Hidden surfaces", false)]
    {
        let now = |window: &Window| {
            read(window, |s| {
                let layers = s.stages.front.view.options.layers;
                match name {
                    "Sprites" => layers.sprites,
                    "Brush outlines" => layers.brushes,
                    "Sky and mirrors" => layers.windows,
                    _ => s.stages.front.view.options.show_hidden,
                }
            })
        };
        assert_eq!(now(&window), on, "{name}");
        click(&mut window, name);
        assert_eq!(now(&window), !on, "{name}");
    }
    drag_to_end(&mut window, "Brightness");
    assert!(read(&window, |s| s.stages.front.view.options.gamma) > 2.5);
    look(&mut window, "level_drawn");
    apply(&mut window, Command::View(ViewCommand::Toggle(ViewToggle::Hidden)));
}

#[test]
fn the_buttons_fit_a_narrow_window() {
    let mut window = entered_at([900.0, 640.0]);
    let view = window.get_by_label("Viewport").rect();
    let names = [
        "Shading: Lit",
        "Show or hide level elements",
        "Overlays",
        "Viewpoint",
        "Go to player start",
        "Bookmarks",
        "Camera position",
        "Fly (V)",
    ];
    let rects = names.map(|name| window.get_by_label(name).rect());
    assert!(rects.iter().all(|rect| view.contains_rect(*rect)), "{view:?} {rects:?}");
    for (index, a) in rects.iter().enumerate() {
        assert!(rects[..index].iter().all(|b| !a.shrink(1.0).intersects(*b)), "{rects:?}");
    }
    look(&mut window, "level_narrow");
}
