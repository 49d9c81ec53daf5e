//! A landscape in the real application: what lies under the pointer, picking, the map from above, menus.

use crate::kit::{self, app::*, island};
use bonebox::{
    formats::EntryId,
    scene::{
        Aabb, HeightGrid, Prop, PropClass, PropColors, PropKind, PropMarker, Terrain, TerrainTint, TerrainZone,
        camera::ViewDirection, scene_from_ground,
    },
    ui::{
        command::{
            CameraCommand, Command, ExportCommand, PartsCommand, SelectionCommand, StageCommand, TerrainCommand as T,
        },
        state::Place,
    },
};
use egui::{Key, Modifiers, Pos2};
use egui_kittest::kittest::Queryable as _;
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// Samples along a side, and metres between them.
const SIDE: u32 = 65;
const CELL: f32 = 40.0;
/// East and north of the three objects: two huts and an oak.
const PLACES: [(u32, f32, f32); 3] = [(0, 600.0, 700.0), (0, 1800.0, 1500.0), (1, 1000.0, 1900.0)];

fn kind(id: u32, name: &str, class: PropClass, size: Vec3) -> PropKind {
    let model = format!("data\\{name}.p3d");
    PropKind { id, name: name.into(), model, ..island::kind(class, PropMarker::Rectangle, size) }
}

/// A slope that rises from −20 m in the west to 300 m in the east.
fn land() -> Terrain {
    let heights: Vec<f32> = (0..SIDE * SIDE).map(|i| (i % SIDE) as f32 * 5.0 - 20.0).collect();
    let grid = HeightGrid { columns: SIDE, rows: SIDE, cell: CELL, heights: heights.into() };
    let props = (0_u32..).zip(PLACES).map(|(slot, (kind, east, north))| Prop {
        slot,
        id: slot + 100,
        type_id: kind + 7,
        name: if kind == 1 { "Old oak".into() } else { String::new() },
        ..island::prop(&grid, kind, east, north, 0.0)
    });
    let corner = |east: f32, north: f32| Vec2::new(east, north);
    let zone = TerrainZone {
        name: "Harbour".into(),
        visible: true,
        polygon: vec![corner(200.0, 200.0), corner(500.0, 200.0), corner(500.0, 500.0)],
        source: None,
        ..TerrainZone::default()
    };
    Terrain {
        name: "land".into(),
        kinds: vec![
            kind(7, "hut", PropClass::Artificial, Vec3::new(40.0, 30.0, 40.0)),
            kind(8, "oak", PropClass::Natural, Vec3::new(30.0, 40.0, 30.0)),
        ],
        props: props.collect(),
        slots: 3,
        zones: vec![zone],
        grid,
        ..Terrain::default()
    }
}

fn terrain(window: &mut Window, command: T) {
    apply(window, Command::Terrain(command));
}

/// A window with the made land; its entries are those of some file that is open.
pub fn with_land() -> Window {
    let mut window = window_with([kit::data().join("actorx/syn_arm.psk")]);
    change(&window, |state| {
        let place = Place { file: state.core.library.files[0].id, entry: EntryId(1) };
        state.stages.front.show_terrain(&mut state.core, place, Arc::new(land()));
    });
    settle(&mut window);
    window
}

fn selected(window: &Window) -> Vec<u32> {
    read(window, |s| s.stages.front.view.terrain.selected.to_vec())
}

/// Where an object's middle is on the screen.
fn on_screen(window: &Window, prop: usize) -> Pos2 {
    let rect = window.get_by_label("Viewport").rect();
    let at = read(window, |s| {
        let shown = s.stages.front.landscape().unwrap();
        let bounds = s.stages.front.view.terrain.bounds_of(&shown.terrain, &shown.terrain.props[prop]);
        s.stages
            .front
            .view
            .camera
            .project(bounds.center(), s.stages.front.viewport.aspect)
            .expect("it lies before the eye")
    });
    rect.min + egui::vec2(at.x * rect.width(), at.y * rect.height())
}

fn seen(window: &Window, bounds: &Aabb) -> (Vec2, Vec2) {
    read(window, |s| {
        let places = bounds
            .corners()
            .map(|c| s.stages.front.view.camera.project(c, s.stages.front.viewport.aspect).expect("before the eye"));
        places.iter().fold((places[0], places[0]), |(low, high), p| (low.min(*p), high.max(*p)))
    })
}

#[test]
fn a_landscape_is_seen_whole_and_says_what_it_is() {
    let window = with_land();
    let bounds = read(&window, |s| s.stages.front.world_bounds().unwrap());
    let (low, high) = seen(&window, &bounds);
    assert!(low.min_element() > 0.0 && high.max_element() < 1.0, "{low} {high}");
    assert!((high - low).max_element() > 0.7, "{low} {high}");
    window.get_by_label_contains("65 × 65 cells  ·  2.6 × 2.6 km\n3 objects  ·  2 types");
    window.get_by_label_contains("Legend: heights from −20.0 m to 300.0 m");
    for label in ["Viewpoint", "Ground", "Landscape objects", "Fly (V)", "Top-down map (P)", "Look along N"] {
        window.get_by_label(label);
    }
    assert!(read(&window, |s| s.stages.title(&s.core)).starts_with("syn_arm.psk"));
}

#[test]
fn what_lies_under_the_pointer_is_read_out() {
    let mut window = with_land();
    terrain(&mut window, T::ToggleMap);
    pass(&mut window, 1.0);
    let rect = window.get_by_label("Viewport").rect();
    let ground = read(&window, |s| {
        s.stages.front.view.camera.project(scene_from_ground(1000.0, 0.0, 1000.0), s.stages.front.viewport.aspect)
    })
    .unwrap();
    window.hover_at(rect.min + egui::vec2(ground.x * rect.width(), ground.y * rect.height()));
    window.run_steps(2);
    // 25 cells of 40 m east, each 5 m higher; rounding may fall to either side of a whole metre.
    window.get_by_label_contains("Ground 105.0 m, Slope 7°, Cell ");
    let hut = on_screen(&window, 1);
    window.hover_at(hut);
    window.run_steps(2);
    window.get_by_label_contains("hut  ·  artificial (A)  ·  object 1");
    window.hover_at(on_screen(&window, 2));
    window.run_steps(2);
    window.get_by_label_contains("Old oak  oak  ·  natural (N)  ·  object 2");
    // Beside the map there is nothing.
    window.hover_at(rect.center_bottom() - egui::vec2(0.0, 3.0));
    window.run_steps(2);
    assert!(window.query_by_label_contains("Under the pointer").is_none());
}

#[test]
fn clicks_select_add_and_let_go() {
    for map in [false, true] {
        let mut window = with_land();
        if map {
            terrain(&mut window, T::ToggleMap);
            pass(&mut window, 1.0);
        }
        let places = [0, 1, 2].map(|prop| on_screen(&window, prop));
        click_at(&mut window, places[1], Modifiers::NONE);
        assert_eq!(selected(&window), [1]);
        window.get_by_label_contains("hut  ·  object 1");
        click_at(&mut window, places[2], Modifiers::SHIFT);
        click_at(&mut window, places[0], Modifiers::COMMAND);
        assert_eq!(selected(&window), [0, 1, 2]);
        window.get_by_label_contains("3 objects  ·  1,240 × 1,235 m");
        click_at(&mut window, places[1], Modifiers::SHIFT);
        assert_eq!(selected(&window), [0, 2]);
        let beside = places[1] + egui::vec2(0.0, 60.0);
        click_at(&mut window, beside, Modifiers::SHIFT);
        assert_eq!(selected(&window), [0, 2], "adding nothing");
        click_at(&mut window, beside, Modifiers::NONE);
        assert!(selected(&window).is_empty());
    }
}

#[test]
fn exaggerated_heights_are_pointed_at_as_they_are_drawn() {
    let mut window = with_land();
    let before = read(&window, |s| s.stages.front.world_bounds().unwrap());
    for times in [2.0, 3.0, 5.0, 10.0] {
        window.key_press(Key::X);
        window.run_steps(2);
        assert_eq!(read(&window, |s| s.stages.front.view.terrain.exaggeration), times);
    }
    let after = read(&window, |s| s.stages.front.world_bounds().unwrap());
    assert_eq!((after.max.y, after.min.y), (before.max.y * 10.0, before.min.y * 10.0));
    apply(&mut window, Command::Camera(CameraCommand::Reset));
    // From the west: from the east the steep ground hides it.
    apply(&mut window, Command::Camera(CameraCommand::Orbit(Vec2::new(std::f32::consts::PI, 0.0))));
    let oak = on_screen(&window, 2);
    click_at(&mut window, oak, Modifiers::NONE);
    assert_eq!(selected(&window), [2]);
    window.key_press(Key::X);
    window.run_steps(2);
    assert_eq!(read(&window, |s| s.stages.front.view.terrain.exaggeration), 1.0);
}

#[test]
fn the_map_is_seen_from_above_with_north_at_the_top_and_tilts_back() {
    let mut window = with_land();
    let before = read(&window, |s| s.stages.front.view.camera);
    window.key_press(Key::P);
    window.run_steps(2);
    assert!(
        read(&window, |s| s.stages.front.is_map() && s.stages.is_moving() && !s.stages.front.view.camera.orthographic),
        "on its way"
    );
    pass(&mut window, 0.12);
    let between = read(&window, |s| s.stages.front.view.camera.pitch);
    assert!(between > before.pitch && between < std::f32::consts::FRAC_PI_2, "{between}");
    pass(&mut window, 0.2);
    let camera = read(&window, |s| s.stages.front.view.camera);
    assert!(camera.orthographic && !read(&window, |state| state.stages.is_moving()));
    let at = |east: f32, north: f32| {
        read(&window, |s| {
            s.stages
                .front
                .view
                .camera
                .project(scene_from_ground(east, 0.0, north), s.stages.front.viewport.aspect)
                .unwrap()
        })
    };
    let (south_west, north_east) = (at(0.0, 0.0), at(2600.0, 2600.0));
    assert!(south_west.x < north_east.x && south_west.y > north_east.y, "{south_west} {north_east}");
    assert!(south_west.y < 1.0 && north_east.y > 0.0, "all of it is seen");
    window.get_by_label_contains("Scale: ");
    // Dragging moves what is under the pointer along.
    let rect = window.get_by_label("Viewport").rect();
    let from = rect.center();
    let under = |window: &Window, at: Pos2| {
        let place = (at - rect.min) / rect.size();
        read(window, |s| s.stages.front.hit_in_terrain(Vec2::new(place.x, place.y))).expect("ground").position
    };
    let held = under(&window, from);
    window.drag_at(from);
    window.step();
    let to = from + egui::vec2(40.0, 30.0);
    window.hover_at(to);
    window.step();
    window.drop_at(to);
    window.run_steps(2);
    let now = under(&window, to);
    assert!((now.x - held.x).abs() < 2.0 && (now.z - held.z).abs() < 2.0, "{held} {now}");
    // And back: as it was tilted before, about the middle of the map.
    window.key_press(Key::P);
    window.run_steps(2);
    pass(&mut window, 0.3);
    let back = read(&window, |s| s.stages.front.view.camera);
    assert!(!back.orthographic && !read(&window, |s| s.stages.front.is_map()));
    assert_eq!((back.yaw, back.pitch, back.fov_y), (before.yaw, before.pitch, before.fov_y));
    // Looking from elsewhere leaves the map at once.
    terrain(&mut window, T::ToggleMap);
    pass(&mut window, 0.3);
    apply(&mut window, Command::Camera(CameraCommand::LookFrom(ViewDirection::Front)));
    assert!(read(&window, |s| !s.stages.front.is_map()
        && !s.stages.front.view.camera.orthographic
        && s.stages.front.view.camera.pitch == 0.0));
}

#[test]
fn selected_things_come_into_view_and_all_of_it_comes_back() {
    let mut window = with_land();
    for map in [false, true] {
        if map {
            terrain(&mut window, T::ToggleMap);
            pass(&mut window, 0.3);
        }
        apply(&mut window, Command::Terrain(T::SelectProps(vec![2])));
        window.key_press(Key::F);
        window.run_steps(2);
        let hut = on_screen(&window, 2);
        let rect = window.get_by_label("Viewport").rect();
        assert!(hut.distance(rect.center()) < 30.0, "{hut} {rect}");
        let bounds = read(&window, |s| s.stages.front.world_bounds().unwrap());
        window.key_press(Key::R);
        window.run_steps(2);
        let (low, high) = seen(&window, &bounds);
        assert!(low.min_element() > 0.0 && high.max_element() < 1.0, "{map} {low} {high}");
        assert_eq!(read(&window, |s| s.stages.front.is_map()), map, "the map stays one");
    }
}

#[test]
fn flying_stays_over_the_ground_and_in_sight() {
    let mut window = with_land();
    window.key_press(Key::V);
    window.run_steps(2);
    assert!(read(&window, |s| s.stages.front.flies()));
    let eye = |window: &Window| read(window, |s| s.stages.front.view.camera.eye());
    // Down for a minute.
    window.key_down(Key::Q);
    window.step();
    window.step();
    for _ in 0..60 {
        pass(&mut window, 1.0);
    }
    window.key_up(Key::Q);
    window.run_steps(2);
    let at = eye(&window);
    let ground = read(&window, |s| s.stages.front.landscape().unwrap().terrain.grid.ground_at(at.x, -at.z));
    assert!(ground.is_none_or(|ground| at.y > ground + 1.0), "{at} {ground:?}");
    // Away for ten minutes.
    window.key_down(Key::S);
    window.step();
    window.step();
    for _ in 0..600 {
        pass(&mut window, 1.0);
    }
    window.key_up(Key::S);
    window.run_steps(2);
    let bounds = read(&window, |s| s.stages.front.world_bounds().unwrap());
    assert!(eye(&window).distance(bounds.center()) < bounds.diagonal() * 3.0);
    window.key_press(Key::R);
    window.run_steps(2);
    assert!(read(&window, |s| !s.stages.front.flies()));
    let (low, high) = seen(&window, &bounds);
    assert!(low.min_element() > 0.0 && high.max_element() < 1.0, "{low} {high}");
}

#[test]
fn types_are_selected_hidden_and_shown_alone() {
    let mut window = with_land();
    apply(&mut window, Command::Terrain(T::SelectProps(vec![1])));
    window.key_press_modifiers(Modifiers::SHIFT, Key::T);
    window.run_steps(2);
    assert_eq!(selected(&window), [0, 1]);
    apply(&mut window, Command::Parts(PartsCommand::IsolateSelected));
    let shows = |window: &Window| read(window, |s| [0, 1].map(|kind| s.stages.front.view.terrain.shows_kind(kind)));
    assert_eq!(shows(&window), [true, false]);
    // What is hidden is not pointed at.
    let oak = on_screen(&window, 2);
    click_at(&mut window, oak, Modifiers::NONE);
    assert!(selected(&window).is_empty());
    window.key_press_modifiers(Modifiers::ALT, Key::H);
    window.run_steps(2);
    assert_eq!(shows(&window), [true, true]);
    apply(&mut window, Command::Terrain(T::SelectProps(vec![2])));
    apply(&mut window, Command::Parts(PartsCommand::HideSelected));
    assert_eq!(shows(&window), [true, false]);
}

#[test]
fn the_menus_switch_what_is_drawn() {
    let mut window = with_land();
    let view = |window: &Window| read(window, |s| s.stages.front.view.terrain.clone());
    click(&mut window, "Ground");
    for label in
        ["By slope", "Contour interval 20 m", "Water", "Grid", "Wireframe", "Named zones", "Vertical exaggeration 3 ×"]
    {
        click(&mut window, label);
    }
    let now = view(&window);
    assert_eq!((now.tint, now.contour_step, now.exaggeration), (TerrainTint::Slope, 20.0, 3.0));
    assert_eq!((now.water, now.grid, now.wireframe, now.zones), (false, true, true, false));
    window.get_by_label_contains("Legend: slopes");
    window.key_press(Key::Escape);
    window.run_steps(3);
    click(&mut window, "Landscape objects");
    for label in ["By class", "Names of selected objects"] {
        click(&mut window, label);
    }
    assert_eq!(view(&window).prop_colors, PropColors::Class);
    assert!(!read(&window, |s| s.stages.front.view.prop_names));
    window.get_by_label_contains("Natural 1; Artificial 2");
    click(&mut window, "Show objects");
    assert!(!view(&window).props);
    window.key_press(Key::Escape);
    window.run_steps(3);
    click(&mut window, "Hide the legend");
    assert!(window.query_by_label_contains("Legend: ").is_none());
    // The keys are the common ones.
    window.key_press(Key::W);
    window.key_press(Key::G);
    window.run_steps(3);
    assert_eq!((view(&window).grid, view(&window).wireframe), (false, false));
}

#[test]
fn a_model_takes_the_landscapes_place_again() {
    let mut window = with_land();
    terrain(&mut window, T::ToggleMap);
    pass(&mut window, 0.1);
    let place = read(&window, |s| Place { file: s.core.library.files[0].id, entry: EntryId::FILE });
    apply(&mut window, Command::Stage(StageCommand::Show(place)));
    assert!(read(&window, |s| s.stages.front.landscape().is_none()
        && s.stages.front.model().is_some()
        && !s.stages.front.is_map()));
    assert!(read(&window, |s| !s.stages.front.view.camera.orthographic
        && s.stages.front.view.tween.is_none()
        && s.stages.front.view.top_down.is_none()));
}

#[test]
fn the_camera_turns_about_the_ground_ahead_and_comes_close_to_it() {
    let mut window = with_land();
    let ahead =
        |window: &Window| read(window, |s| s.stages.front.hit_in_terrain(Vec2::splat(0.5))).expect("ground").position;
    let before = ahead(&window);
    apply(&mut window, Command::Camera(CameraCommand::Orbit(Vec2::new(0.3, 0.1))));
    assert!(ahead(&window).distance(before) < 1.0, "it stays in the middle");
    for _ in 0..100 {
        apply(&mut window, Command::Camera(CameraCommand::Zoom(0.8)));
    }
    assert!(ahead(&window).distance(before) < 1.0);
    let eye = read(&window, |s| s.stages.front.view.camera.eye());
    assert!(eye.distance(before) < 5.0, "{}", eye.distance(before));
}

/// A window with a project that lies in a file.
fn project() -> Window {
    let window = window_with([kit::samples().join("MarrowIsle.pew")]);
    assert!(read(&window, |s| s.stages.front.landscape().is_some()), "its landscape is shown at once");
    window
}

#[test]
fn an_object_is_found_in_its_file_and_from_there_again() {
    let mut window = project();
    let (prop, slot) = read(&window, |s| {
        let props = &s.stages.front.landscape().unwrap().terrain.props;
        // Slots and objects need not count alike.
        let prop = props.iter().position(|p| p.slot > 3).unwrap();
        (prop as u32, props[prop].slot)
    });
    apply(&mut window, Command::Terrain(T::SelectProps(vec![prop])));
    let path = |window: &Window| -> String {
        read(window, |s| {
            let place = s.core.selection.unwrap();
            s.core.file(place.file).unwrap().entry(place.entry).unwrap().path().into_owned()
        })
    };
    assert_eq!(path(&window), "Objects");
    let bytes = read(&window, |s| s.core.selected_bytes.clone()).expect("those of its slot");
    let row = read(&window, |s| s.stages.front.slot_of(&s.core, prop)).unwrap();
    assert_eq!((bytes.start, bytes.end), (row.offset, row.offset + row.size));
    assert!(row.size >= 80, "an object has so many bytes at least");
    window.get_by_label_contains(&format!("Object {slot}"));
    window.get_by_label("Focus object");
    // Bytes of the next object's slot select that one.
    let next = read(&window, |s| s.stages.front.slot_of(&s.core, prop + 1)).unwrap();
    apply(&mut window, Command::Selection(SelectionCommand::Bytes(Some(next.offset..next.offset + 4))));
    assert_eq!(selected(&window), [prop + 1]);
    // The type's entry, opened, is all of its objects.
    let (place, kind) = read(&window, |s| {
        let shown = s.stages.front.landscape().unwrap();
        let kind = shown.terrain.props[prop as usize].kind;
        let entry = shown.terrain.kinds[kind as usize].source.unwrap();
        (Place { file: shown.place.file, entry: entry.into() }, kind)
    });
    apply(&mut window, Command::Stage(StageCommand::Show(place)));
    let of_kind = read(&window, |s| {
        let props = (0_u32..).zip(&s.stages.front.landscape().unwrap().terrain.props);
        props.filter(|(_, p)| p.kind == kind).map(|(i, _)| i).collect::<Vec<_>>()
    });
    assert_eq!(selected(&window), of_kind);
    assert_eq!(read(&window, |s| s.core.selection), Some(place));
    // Nothing on show is exported in the place of the landscape.
    apply(&mut window, Command::Export(ExportCommand::PrepareShown));
    assert!(read(&window, |s| s.exports.draft.is_some()));
}
