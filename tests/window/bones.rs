//! A bone is found by its name, with its curve and weights.

use crate::{
    kit,
    picture::{rect, share_of_color},
    stage::{Change, PATIENCE, Stage, can_run, sample},
};
use image::RgbaImage;
use std::{
    fs,
    time::{Duration, Instant},
};

#[test]
fn after_a_quit_with_a_sound_in_front_a_bone_is_found_in_five_actions() {
    if !can_run() {
        return;
    }
    // A sound is in front when the program is quit, and again when it starts.
    let tune = kit::samples().join("BoneTune.umx");
    let mut stage = Stage::open(&[tune.to_str().unwrap()]);
    stage.wait("sound", |s| s["stage"] == "sound" && s["busy"] == false);
    stage.xdotool(&["key", "ctrl+q"]);
    stage.end();
    stage.start_again(&[]);
    stage.wait("the sound again", |s| s["stage"] == "sound" && s["busy"] == false && s["gpu"] == true);

    // A model that is dropped is seen; an animation that is dropped plays.
    let (psk, psa) = sample();
    let folder = |name: &str| {
        let folder = stage.folder.path().join(name);
        fs::create_dir(&folder).unwrap();
        folder
    };
    // A folder called after clips would be looked into when the model is dropped.
    let (mesh_folder, clip_folder) = (folder("mesh"), folder("moves"));
    for (file, folder) in [(&psk, &mesh_folder), (&psa, &clip_folder)] {
        fs::copy(file, folder.join(file.file_name().unwrap())).unwrap();
    }
    let (left, top) = stage.origin();
    let empty = stage.picture("user-0-sound");
    stage.drop_file(&mesh_folder.join(psk.file_name().unwrap()));
    let status = stage.wait("model", |s| s["stage"] == "model" && s["model"].is_string() && s["busy"] == false);
    let (x, y, width, height) = rect(&status, "viewport");
    let (place, size, what) = ((left + x, top + y), (width, height), "the model is seen");
    let pixels = (width * height / 4) as usize;
    let model = stage.changed_still_picture("user-1-model", &Change { before: &empty, place, size, pixels, what });
    stage.drop_file(&clip_folder.join(psa.file_name().unwrap()));
    stage.wait("playing clip", |s| s["clip"].is_string() && s["playing"] == true);

    // A bone by its name, its curve, its weights, while the model moves.
    stage.xdotool(&["key", "ctrl+f"]);
    std::thread::sleep(Duration::from_millis(300));
    stage.xdotool(&["type", "--delay", "30", "tail.3"]);
    std::thread::sleep(Duration::from_millis(300));
    stage.xdotool(&["key", "Return"]);
    let status = stage.wait("bone", |s| s["bone"].as_str().is_some_and(|bone| bone.eq_ignore_ascii_case("tail.3")));
    assert!(status["selected"].as_str().unwrap().to_lowercase().ends_with("tail.3"), "{status:#}");
    stage.xdotool(&["key", "shift+c"]);
    stage.wait("curves", |s| s["drawer"] == "curves");
    stage.xdotool(&["key", "i"]);
    let status = stage.wait("weights", |s| s["shading"] == "Weights");
    assert_eq!(status["playing"], true);
    let frame = status["frame"].as_f64().unwrap();
    stage.wait("moving frame", |s| (s["frame"].as_f64().unwrap() - frame).abs() > 1.0);
    // The grey model is coloured all over.
    let (x, y, width, height) = rect(&stage.status(), "viewport");
    let share = |picture: &RgbaImage| share_of_color(picture, (left + x, top + y), (width, height));
    assert!(share(&model) < 0.04, "{}", share(&model));
    let end = Instant::now() + PATIENCE;
    while share(&stage.picture("user-2-bone")) < 0.05 {
        assert!(Instant::now() < end, "no weights are seen");
        std::thread::sleep(Duration::from_millis(200));
    }
}
