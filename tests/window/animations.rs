//! A model and its clip are dropped, played and scrubbed.

use crate::{
    kit,
    picture::{differing, rect},
    stage::{Change, Stage, can_run, sample},
};
use image::RgbaImage;
use serde_json::Value;
use std::fs;

#[test]
fn a_dropped_model_and_animation_play_and_are_scrubbed() {
    if !can_run() {
        return;
    }
    let mut stage = Stage::open(&[]);
    stage.wait("empty window", |s| s["painted"].as_u64().unwrap_or(0) > 2 && s["gpu"] == true);

    // The two files lie in different folders, so that nothing but the drop brings the animation.
    let (psk, psa) = sample();
    let folder = |name: &str| {
        let folder = stage.folder.path().join(name);
        fs::create_dir(&folder).unwrap();
        folder
    };
    let (mesh_folder, clip_folder) = (folder("a mesh"), folder("ein Clip ä"));
    for file in kit::files_below(psk.parent().unwrap()) {
        let is_clip = file.extension().is_some_and(|e| e == "psa");
        let to = if is_clip { &clip_folder } else { &mesh_folder };
        fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
    stage.drop_file(&mesh_folder.join(psk.file_name().unwrap()));
    let status = stage.wait("model", |s| s["model"].is_string());
    assert!(status["clip"].is_null(), "no animation was given yet: {status:#}");
    stage.drop_file(&clip_folder.join(psa.file_name().unwrap()));
    let status = stage.wait("playing clip", |s| s["clip"].is_string() && s["playing"] == true);
    assert!(status["matched"].as_u64().unwrap() >= 20, "{status:#}");

    // It plays: time passes and the picture changes.
    let first = status["frame"].as_f64().unwrap();
    stage.wait("moving frame", |s| (s["frame"].as_f64().unwrap() - first).abs() > 0.5);
    let status = stage.status();
    let (left, top) = stage.origin();
    let viewport = rect(&status, "viewport");
    let (place, size) = ((left + viewport.0, top + viewport.1), (viewport.2, viewport.3));
    let before = stage.picture("playing-1");
    let frame = stage.status()["frame"].as_f64().unwrap();
    stage.wait("later frame", |s| (s["frame"].as_f64().unwrap() - frame).abs() > 2.0);
    let what = "the playing model moves in the picture";
    stage.changed_picture("playing-2", &Change { before: &before, place, size, pixels: 200, what });

    // It stops, and the mouse scrubs it.
    stage.xdotool(&["key", "space"]);
    let status = stage.wait("pause", |s| s["playing"] == false);
    // The wheel moves away, so that there is room around the model and its shadow.
    stage.point_at(viewport.0 + viewport.2 / 2, viewport.1 + viewport.3 / 2);
    stage.xdotool(&["click", "--repeat", "4", "--delay", "60", "5"]);
    let bar = rect(&status, "scrub");
    let last = status["frames"].as_f64().unwrap() - 1.0;
    let mut pictures: Vec<RgbaImage> = Vec::new();
    for (name, share) in [("scrubbed-1", 0.1), ("scrubbed-2", 0.6)] {
        let y = bar.1 + bar.3 / 2;
        stage.point_at(bar.0 + bar.2 / 3, y);
        stage.xdotool(&["mousedown", "1"]);
        stage.point_at(bar.0 + (bar.2 as f64 * (share + 0.05)) as i64, y);
        stage.point_at(bar.0 + (bar.2 as f64 * share) as i64, y);
        stage.wait("scrubbed frame", |s| (s["frame"].as_f64().unwrap() / last - share).abs() < 0.06);
        stage.xdotool(&["mouseup", "1"]);
        // Away from everything that lights up under the pointer.
        stage.rest_at(viewport.0 + viewport.2 / 2, viewport.1 + 2);
        let what = "another frame is another picture";
        let picture = match pictures.last() {
            Some(before) => stage.changed_still_picture(name, &Change { before, place, size, pixels: 200, what }),
            None => stage.still_picture(name),
        };
        pictures.push(picture);
    }
    let moved = differing(&pictures[0], &pictures[1], place, size);
    // Nothing differs in a frame around the model: a sixteenth of the viewport on each side.
    let (margin_x, margin_y) = (viewport.2 / 16, viewport.3 / 16);
    let outside: Vec<_> = moved
        .iter()
        .filter(|(x, y)| *x < margin_x || *y < margin_y || *x >= viewport.2 - margin_x || *y >= viewport.3 - margin_y)
        .collect();
    assert!(
        outside.is_empty(),
        "{} pixels differ around the model: {:?}",
        outside.len(),
        &outside[..outside.len().min(5)]
    );
    // And nothing in the panels beside it.
    for panel in ["library", "inspector"] {
        let area = rect(&status, panel);
        let changed = differing(&pictures[0], &pictures[1], (left + area.0, top + area.1), (area.2, area.3));
        assert!(changed.is_empty(), "{} pixels differ in the {panel}", changed.len());
    }

    // It closes as windows do.
    stage.xdotool(&["key", "alt+F4"]);
    let code = stage.end();
    assert!(code.success(), "{code}");
}

#[test]
fn two_models_beside_each_other_are_scrubbed_with_one_clock() {
    if !can_run() {
        return;
    }
    let (psk, psa) = sample();
    let mut stage = Stage::open(&[psk.to_str().unwrap(), psa.to_str().unwrap()]);
    stage.wait("playing clip", |s| s["clip"].is_string() && s["playing"] == true && s["busy"] == false);
    stage.run("open beside");
    stage.wait("second stage", |s| s["stages"] == 2 && s["busy"] == false && s["clip"].is_string());
    stage.run("move stages together");
    stage.wait("linked stages", |s| s["linked"] == true);
    stage.xdotool(&["key", "space"]);
    stage.wait("pause", |s| s["playing"] == false);
    let first = stage.still_picture("beside-1");
    let status = stage.status();
    let (x, y, width, height) = rect(&status, "scrub");
    stage.point_at(x + width / 3, y + height / 2);
    stage.xdotool(&["mousedown", "1"]);
    stage.point_at(x + width * 3 / 4, y + height / 2);
    stage.xdotool(&["mouseup", "1"]);
    let moved = |s: &Value| {
        let frames: Vec<f64> = s["stage_frames"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        frames.len() == 2 && frames[0] == frames[1] && frames[0] != status["frame"].as_f64().unwrap()
    };
    stage.wait("both stages at one frame", moved);
    let (place, size, what) = (stage.origin(), (1200, 700), "both models are seen at another frame");
    stage.changed_still_picture("beside-2", &Change { before: &first, place, size, pixels: 400, what });
}
