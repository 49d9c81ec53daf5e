//! The window by keys alone: nothing here touches the mouse.

use crate::stage::{Stage, can_run};
use std::fs;

#[test]
fn everything_by_the_keyboard_alone() {
    if !can_run() {
        return;
    }
    let mut stage = Stage::open(&[]);
    stage.wait("empty window", |s| s["painted"].as_u64().unwrap_or(0) > 2 && s["gpu"] == true);
    // Its first frames take longer than the others, and the window manager gives it the keyboard meanwhile.
    stage.still_picture("keyboard-0-empty");

    // The menu by its letter; another letter goes to the next item that begins with it.
    stage.press(&["alt+f", "o", "o", "o", "Return"]);
    stage.wait("samples", |s| s["files"].as_array().is_some_and(|files| files.len() > 5) && s["busy"] == false);

    // The model is found by the filter, chosen by an arrow, shown by Enter.
    stage.press(&["ctrl+f"]);
    stage.type_text("ossie.psk");
    stage.press(&["Down", "Return"]);
    let is_there = |s: &serde_json::Value| {
        let is_shown = s["model"].as_str().is_some_and(|model| model.contains("Ossie"));
        is_shown && s["clip"].is_string() && s["playing"] == true && s["busy"] == false
    };
    stage.wait("playing model", is_there);

    // It stops, goes on by a frame and back, and plays again.
    stage.press(&["space"]);
    stage.wait("pause", |s| s["playing"] == false);
    stage.press(&["Home"]);
    stage.wait("first frame", |s| s["frame"] == 0.0);
    stage.press(&["Right", "Right", "Left"]);
    stage.wait("second frame", |s| s["frame"] == 1.0);
    stage.press(&["space"]);
    stage.wait("moving frame", |s| s["playing"] == true && s["frame"].as_f64().is_some_and(|now| now > 1.5));

    // A file is written: the field of the dialog has the keyboard.
    let target = stage.folder.path().join("by keys.glb");
    stage.press(&["ctrl+e", "ctrl+a"]);
    stage.type_text(target.to_str().unwrap());
    stage.picture("keyboard-1-export");
    stage.press(&["Return"]);
    stage.wait("export", |s| {
        s["busy"] == false && s["last_log"].as_str().is_some_and(|line| line.contains("by keys.glb"))
    });
    assert!(fs::read(&target).unwrap().starts_with(b"glTF"));

    // Everything is closed, and so is the program.
    stage.press(&["alt+f", "c", "Return"]);
    stage.wait("empty window", |s| s["files"].as_array().is_some_and(Vec::is_empty) && s["stage"] == "empty");
    stage.press(&["ctrl+q"]);
    let status = stage.end();
    assert_eq!(status.code(), Some(0), "{status}");
}
