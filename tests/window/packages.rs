//! A level and a package of pictures are dropped and looked through.

use crate::{
    kit,
    picture::{rect, share_of_color},
    stage::{Change, PATIENCE, Stage, can_run},
};
use std::time::{Duration, Instant};

#[test]
fn a_dropped_level_shows_and_then_the_pictures_of_a_dropped_package() {
    if !can_run() {
        return;
    }
    let mut stage = Stage::open(&[]);
    stage.wait("empty window", |s| s["painted"].as_u64().unwrap_or(0) > 2 && s["gpu"] == true);
    let (left, top) = stage.origin();

    // The level is a room of bricks and planks: the viewport is full of colour, which the empty one is not.
    stage.drop_file(&kit::samples().join("BoneRoom.unr"));
    let status = stage.wait("level", |s| s["map"] == "MyLevel" && s["busy"] == false);
    let viewport = rect(&status, "viewport");
    let end = Instant::now() + PATIENCE;
    let level = loop {
        let picture = stage.picture("level");
        if share_of_color(&picture, (left + viewport.0, top + viewport.1), (viewport.2, viewport.3)) > 0.5 {
            break picture;
        }
        assert!(Instant::now() < end, "the level does not fill the viewport");
        std::thread::sleep(Duration::from_millis(250));
    };

    // All pictures of a package come up by themselves; one that is shown is followed by those that are selected.
    stage.drop_file(&kit::samples().join("BoneboxFX.utx"));
    stage.wait("pictures of the package", |s| s["stage"] == "gallery" && s["busy"] == false);
    // The first of them stands at the top left, below the bar.
    let at = [left + viewport.0 + 60, top + viewport.1 + 90].map(|at| at.to_string());
    stage.xdotool(&["mousemove", &at[0], &at[1]]);
    std::thread::sleep(Duration::from_millis(300));
    stage.xdotool(&["click", "1"]);
    stage.wait("first picture", |s| s["picture"] == "Rooms.Bricks" && s["selected"] == "Rooms.Bricks");
    let (place, size) = ((left + viewport.0, top + viewport.1), (viewport.2, viewport.3));
    let change = |before, tenths: i64, what| {
        let pixels = (size.0 * size.1 * tenths / 10) as usize;
        Change { before, place, size, pixels, what }
    };
    let first = stage.changed_still_picture("first-picture", &change(&level, 5, "a picture is no level"));
    for (key, path) in [("Down", "Rooms.Planks"), ("Down", "Rooms.Ceiling"), ("Up", "Rooms.Planks")] {
        stage.xdotool(&["key", key]);
        stage.wait(path, |s| s["picture"] == path && s["selected"] == path);
    }
    stage.changed_still_picture("second-picture", &change(&first, 3, "planks are no bricks"));
    // The way back leads to the level.
    for _ in 0..20 {
        if stage.status()["map"] == "MyLevel" {
            break;
        }
        let before = stage.status();
        stage.xdotool(&["key", "alt+Left"]);
        stage.wait("step back", |s| {
            s["busy"] == false && (&s["selected"], &s["stage"]) != (&before["selected"], &before["stage"])
        });
    }
    assert_eq!(stage.status()["map"], "MyLevel");
}
