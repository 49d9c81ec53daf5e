//! Pointing at what a level shows: the readout, the sky, movers, links of surfaces; and who has the keys.

use crate::{
    kit::{self, app::*, level::*},
    level_overlays::{entered, level, seen_at},
};
use bonebox::{
    formats::EntryId,
    gpu::Shading,
    scene::{Map, MapActor, MapItem, MapItemKind, MapSky, MapWindow, MaterialKind, SourceEntry},
    ui::{
        command::{Command, LevelCommand as L, Listening, ViewCommand},
        map_overlays::MapOverlay,
        saved_view::ViewToggle,
        state::{Place, State},
    },
};
use egui_kittest::kittest::Queryable as _;
use glam::{Affine3A, Quat, Vec3};
use std::sync::Arc;

/// A window over a file with a level.
fn shown(mut window: Window, map: Map) -> Window {
    change(&window, |state| {
        let place = Place { file: state.core.library.files[0].id, entry: EntryId(1) };
        state.stages.front.show_map(&mut state.core, place, Arc::new(map));
    });
    settle(&mut window);
    window
}

fn shown_alone(map: Map) -> Window {
    shown(window_with([kit::data().join("actorx/syn_arm.psk")]), map)
}

fn surface(window: &Window) -> Option<u32> {
    read(window, |s| s.stages.front.level().and_then(|shown| shown.picked.as_ref()?.surface))
}

#[test]
fn what_lies_under_the_pointer_is_searched_for_when_something_changes() {
    let mut window = entered();
    let rect = window.get_by_label("Viewport").rect();
    let grown = |window: &mut Window| {
        let before = read(window, |s| s.stages.front.level().unwrap().tools.searches());
        window.run_steps(6);
        read(window, |s| s.stages.front.level().unwrap().tools.searches()) - before
    };
    window.hover_at(rect.center());
    assert_eq!(grown(&mut window), 1);
    window.get_by_label_contains("Under the pointer: x");
    assert_eq!(grown(&mut window), 0, "nothing has changed");
    window.hover_at(rect.center() + egui::vec2(20.0, 8.0));
    assert_eq!(grown(&mut window), 1);
    for command in [L::SetMover { mover: 0, position: 0.5 }, L::ToggleSprites, L::GoTo(Vec3::new(-4.0, 1.0, 2.0), None)]
    {
        change(&window, |s| s.apply(Command::Level(command)));
        assert_eq!(grown(&mut window), 1);
    }
    for command in [ViewCommand::Toggle(ViewToggle::Hidden), ViewCommand::SetShading(Shading::Zones)] {
        change(&window, |s| s.apply(Command::View(command)));
        assert_eq!(grown(&mut window), 1);
    }
}

/// The rooms with a sky over the second one, whose room is a block that stands beyond it.
fn with_sky() -> Map {
    let mut map = linked(3);
    let MaterialKind::Basic(sky) = &mut Arc::make_mut(&mut map.models[0]).materials[SKY as usize].kind else {
        unreachable!("walls are of basic materials")
    };
    sky.window = Some(0);
    map.windows = vec![MapWindow::Sky(0)];
    map.skies = vec![MapSky { actor: TORCH, location: Vec3::new(-4.0, 6.4, 1.5), rotation: Quat::IDENTITY, zone: 3 }];
    map.items.push(MapItem {
        model: 1,
        world_from_model: Affine3A::from_translation(Vec3::new(-4.0, 6.4, 1.5)),
        kind: MapItemKind::Mesh,
        source: SourceEntry(3 + 2),
        actor: Some(2),
        hidden_in_game: false,
        sky: Some(0),
    });
    map
}

#[test]
fn a_click_on_the_sky_goes_no_further_while_the_sky_is_drawn() {
    let mut window = shown_alone(with_sky());
    let sky = seen_at(&window, Vec3::new(1.0, 4.0, 2.0));
    level(&mut window, L::Pick(sky));
    assert_eq!(surface(&window), Some(7), "the ceiling of the second room");
    let under = |window: &Window| read(window, |s| s.stages.front.point_at(sky, 0.0));
    assert!(under(&window).is_some_and(|point| point.distance(Vec3::new(1.0, 4.0, 2.0)) < 1e-2));
    // Without it there is a hole, and the sky's room stands where it stands.
    level(&mut window, L::ToggleWindows);
    level(&mut window, L::Pick(sky));
    assert_eq!(
        (surface(&window), read(&window, |state| state.stages.front.selected_actor(&state.core))),
        (None, Some(2))
    );
    assert!(under(&window).is_some_and(|point| point.y > 5.0));
    // From outside the block is passed through while it is seen through the window alone.
    for (windows, actor) in [(false, Some(2)), (true, None)] {
        if windows {
            level(&mut window, L::ToggleWindows);
        }
        level(&mut window, L::GoTo(Vec3::new(-4.0, 1.5, 12.0), Some([0.0, -89.0])));
        level(&mut window, L::Pick(glam::Vec2::splat(0.5)));
        let picked = read(&window, |s| {
            s.stages.front.selected_actor(&s.core).filter(|_| s.stages.front.level().unwrap().picked.is_none())
        });
        assert_eq!(picked, actor, "{windows}");
    }
    // In colours of zones it is drawn where it stands, and the window is none.
    change(&window, |s| s.apply(Command::View(ViewCommand::SetShading(Shading::Zones))));
    level(&mut window, L::Pick(glam::Vec2::splat(0.5)));
    let picked = read(&window, |s| {
        s.stages.front.selected_actor(&s.core).filter(|_| s.stages.front.level().unwrap().picked.is_none())
    });
    assert_eq!(picked, Some(2));
}

#[test]
fn keys_do_nothing_behind_the_question_where_to_go() {
    let mut window = entered();
    assert_eq!(read(&window, State::listening), Listening::ToAll);
    level(&mut window, L::AskPlace(true));
    assert_eq!(read(&window, State::listening), Listening::ToNone);
    level(&mut window, L::AskPlace(false));
    assert_eq!(read(&window, State::listening), Listening::ToAll);
}

#[test]
fn lines_that_are_cut_off_are_told() {
    let note = "Too many lines: only some are drawn";
    let mut map = linked(3);
    let actor = MapActor {
        tag: "all".into(),
        event: "all".into(),
        location: NODES_AT[0],
        source: SourceEntry(40_000),
        ..MapActor::default()
    };
    map.actors.extend(vec![actor; 300]);
    let mut window = shown_alone(map);
    click(&mut window, "Overlays");
    assert!(!has(&window, note));
    click(&mut window, "Events and tags");
    assert!(has(&window, note));
    look(&mut window, "level_overlays_cut");
    level(&mut window, L::ToggleOverlay(MapOverlay::Events));
    window.run_steps(4);
    assert!(!has(&window, note));
}

#[test]
fn a_movers_surface_has_a_card_and_its_edges_go_with_it() {
    let mut map = linked(3);
    let lift = Arc::make_mut(&mut map.models[1]);
    lift.meshes[0].triangle_sources = (0..12).map(|triangle| triangle / 2).collect();
    let mut window = shown_alone(map);
    let at = seen_at(&window, LIFT_AT);
    level(&mut window, L::Pick(at));
    let picked = surface(&window).expect("a surface");
    assert!(picked < 6 && read(&window, |state| state.stages.front.selected_actor(&state.core)) == Some(0));
    window.get_by_label_contains(&format!("Surface {picked}"));
    let card = window.get_by_label_contains(&format!("Surface {picked}")).rect();
    let play = window.get_by_label("Play Lift0").rect();
    assert!(play.top() > card.bottom(), "it can be played below");
    look(&mut window, "level_mover_surface");
    let heights = |window: &Window| {
        read(window, |s| s.stages.front.map_marks(&s.core).iter().map(|line| line.ends[0].y).collect::<Vec<_>>())
    };
    let before = heights(&window);
    level(&mut window, L::ToggleAlike);
    let alike = |window: &Window| {
        read(window, |s| {
            let (shown, alike) =
                (s.stages.front.level().unwrap(), s.stages.front.level().unwrap().tools.alike.as_ref().unwrap());
            alike.outlines.in_world(&shown.map, &shown.moment).iter().flatten().map(|end| end.y).fold(0.0, f32::max)
        })
    };
    assert_eq!(alike(&window), 4.0, "the ceiling");
    level(&mut window, L::SetMover { mover: 0, position: 1.0 });
    let after = heights(&window);
    let up = LIFT_TO.y - LIFT_AT.y;
    assert!(!before.is_empty() && before.iter().zip(&after).all(|(a, b)| (b - a - up).abs() < 1e-4));
    let moved = read(&window, |s| {
        let (shown, alike) =
            (s.stages.front.level().unwrap(), s.stages.front.level().unwrap().tools.alike.as_ref().unwrap());
        alike.outlines.in_world(&shown.map, &shown.moment).iter().flatten().any(|end| (end.y - LIFT_TO.y).abs() == 0.5)
    });
    assert!(moved, "its outlines are where it is");
}

#[test]
fn an_event_plays_all_movers_that_it_sets_off() {
    let mut map = linked(3);
    let mut second = map.items[1].clone();
    (second.actor, second.world_from_model) = (Some(2), Affine3A::from_translation(BRUSH_AT));
    map.items.push(second);
    map.actors[2].tag = "LIFTUP".into();
    let mut mover = map.movers[0].clone();
    (mover.item, mover.actor) = (map.items.len() as u32 - 1, 2);
    mover.keys.iter_mut().for_each(|key| key.location += BRUSH_AT - LIFT_AT);
    map.movers.push(mover);
    let mut window = shown_alone(map);
    level(&mut window, L::SelectActor(TRIGGER));
    window.get_by_label_contains("Event “liftup” triggers 2 actors");
    for name in ["Play Lift0", "Play Brush3"] {
        window.get_by_label(name);
    }
    look(&mut window, "level_movers");
    window.get_by_label_contains("Play all movers").click();
    window.run_steps(4);
    assert_eq!(read(&window, |s| s.stages.front.level().unwrap().runs.len()), 2);
    for _ in 0..12 {
        pass(&mut window, 0.5);
    }
    assert_eq!(read(&window, |s| s.stages.front.level().unwrap().moment.movers.clone()), [1.0, 1.0]);
    // What the card lists is of what is selected now.
    level(&mut window, L::SelectActor(2));
    assert!(has(&window, "Play Brush3 in reverse") && !has(&window, "Play Lift0 in reverse"));
}

#[test]
fn the_texture_on_a_surfaces_card_opens() {
    let mut map = linked(3);
    for surface in &mut map.surfaces {
        (surface.texture, surface.texture_path) = ("Red Bricks".into(), "BoneboxFX.Rooms.Bricks".into());
    }
    let mut window = shown(window_with([kit::samples().join("BoneRoom.unr")]), map);
    let wall = seen_at(&window, Vec3::new(-8.0, 1.6, 2.0));
    level(&mut window, L::Pick(wall));
    click(&mut window, "Red Bricks");
    settle(&mut window);
    let found = read(&window, |s| {
        let place = s.core.selection.expect("it is selected");
        let open = s.core.file(place.file).expect("it is open");
        (open.name.clone(), open.entry(place.entry).map(|entry| entry.name.to_lowercase()))
    });
    assert_eq!(found, ("BoneboxFX.utx".to_owned(), Some("bricks".to_owned())));
}
