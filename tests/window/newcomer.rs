//! What a new user does first: a scene is built from dropped files, pictured, and found again at the next start.

use crate::{
    kit,
    picture::{rect, share_of_dropped_color, unlike},
    stage::{Stage, can_run, sample},
};
use image::RgbaImage;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// What the dropped picture is full of: the samples have nothing of it.
const DROPPED: [u8; 3] = [255, 0, 255];

/// The pictures before the program ends and after it started again differ in no more than this share of the viewport. The
/// device draws the same frame from the same numbers alike, but numbers of the camera go through the session's text, and an edge
/// may fall on the next pixel. A part that is missing, another frame or another colour is more than ten times as much.
const MAX_UNLIKE: f64 = 0.002;

/// How long a notice with a button stays, and a little longer.
const NOTICES: Duration = Duration::from_secs(17);

/// Copies files into a folder of the test, and gives where they are.
fn copied(stage: &Stage, folder: &str, files: &[PathBuf]) -> Vec<PathBuf> {
    let folder = stage.folder.path().join(folder);
    fs::create_dir(&folder).unwrap();
    let copy = |file: &PathBuf| {
        let to = folder.join(file.file_name().unwrap());
        fs::copy(file, &to).unwrap();
        to
    };
    files.iter().map(copy).collect()
}

/// The viewport of a picture.
fn viewport(stage: &Stage, picture: &RgbaImage) -> RgbaImage {
    let (left, top) = stage.origin();
    let (x, y, width, height) = rect(&stage.status(), "viewport");
    let [x, y, width, height] = [left + x, top + y, width, height].map(|v| u32::try_from(v).unwrap());
    image::imageops::crop_imm(picture, x, y, width, height).to_image()
}

/// How many of something the status file tells.
fn count(status: &Value, what: &str) -> u64 {
    status[what].as_u64().unwrap_or_else(|| panic!("no number of {what}: {status:#}"))
}

fn is_png_with_the_dropped_color(path: &Path) -> bool {
    image::open(path).is_ok_and(|picture| share_of_dropped_color(&picture.to_rgba8()) > 0.005)
}

#[test]
fn a_newcomer_builds_a_scene_and_finds_it_again() {
    if !can_run() {
        return;
    }
    let mut stage = Stage::open(&[]);
    stage.wait("empty window", |s| s["painted"].as_u64().unwrap_or(0) > 2 && s["gpu"] == true);
    let (psk, psa) = sample();
    let beside: Vec<PathBuf> = kit::files_below(&kit::samples())
        .into_iter()
        .filter(|file| file.file_name().unwrap().to_string_lossy().starts_with("Ossie_"))
        .chain([psk, psa])
        .collect();
    let model = copied(&stage, "model", &beside);
    let arm = copied(&stage, "arm", &[kit::data().join("actorx/syn_arm.psk")]);

    // A model and its clips: it moves.
    let is = |file: &&PathBuf, extension| file.extension().is_some_and(|e| e == extension);
    let psk = model.iter().find(|file| is(file, "psk")).unwrap();
    let psa = model.iter().find(|file| is(file, "psa")).unwrap();
    stage.drop_files(&[psk, psa]);
    stage.wait("playing clip", |s| s["clip"].is_string() && s["playing"] == true && s["busy"] == false);

    // A bone by its name, its curve, its weights: five actions.
    stage.press(&["ctrl+f"]);
    stage.type_text("tail.3");
    stage.press(&["Return", "shift+c", "i"]);
    stage.wait("bone with curve and weights", |s| {
        let is_bone = s["bone"].as_str().is_some_and(|bone| bone.eq_ignore_ascii_case("tail.3"));
        is_bone && s["drawer"] == "curves" && s["shading"] == "Weights"
    });
    stage.press(&["shift+c", "i"]);
    stage.wait("the model as it is lit", |s| s["drawer"].is_null() && s["shading"] == "Lit");

    // A second model on that bone.
    stage.xdotool(&["keydown", "alt"]);
    stage.drop_file(&arm[0]);
    stage.xdotool(&["keyup", "alt"]);
    stage.wait("two models", |s| s["busy"] == false && s["scene"][0]["name"] == "syn_arm.psk");
    stage.run("attach to the selected bone");
    let status = stage.wait("the second model on the bone", |s| s["scene"][0]["at"] == "Tail.3");
    assert!(status["model"].as_str().is_some_and(|model| model.contains("Ossie")), "{status:#}");

    // A frame and a side to look from.
    stage.press(&["space"]);
    stage.wait("pause", |s| s["playing"] == false);
    stage.press(&["Home", "shift+Right"]);
    stage.wait("the tenth frame", |s| s["frame"] == 10.0);
    let (x, y, width, height) = rect(&stage.status(), "viewport");
    let camera = stage.status()["camera"].clone();
    stage.drag((x + width / 2, y + height / 2), (x + width / 3, y + height / 2 - 20));
    stage.wait("another side", |s| s["camera"] != camera);

    // A picture for the selected material, which then is shown alone.
    stage.press(&["ctrl+f", "ctrl+a"]);
    stage.type_text("ossie_bone type:material");
    stage.press(&["Return"]);
    stage.wait("material", |s| s["selected"].as_str().is_some_and(|path| path.ends_with("Ossie_Bone")));
    let own = viewport(&stage, &stage.still_picture("newcomer-1-own"));
    assert_eq!(share_of_dropped_color(&own), 0.0, "nothing has the colour before");
    let bright = stage.folder.path().join("bright.png");
    image::RgbImage::from_pixel(16, 16, image::Rgb(DROPPED)).save(&bright).unwrap();
    stage.drop_file(&bright);
    stage.wait("texture", |s| s["busy"] == false && s["textures"] == 1);
    stage.press(&["slash"]);
    stage.wait("part alone", |s| count(s, "hidden") > 0);
    // Notices lie over the corner of the viewport for a while.
    std::thread::sleep(NOTICES);
    let before = viewport(&stage, &stage.still_picture("newcomer-2-alone"));
    let colored = share_of_dropped_color(&before);
    assert!(colored > 0.01, "{colored} of the viewport has the colour of the dropped picture");

    // A picture for others. The folder is asked for, and is that of the files.
    stage.press(&["F12"]);
    stage.still_picture("newcomer-3-folder");
    stage.press(&["Return"]);
    stage.wait("saved picture", |s| s["last_log"].as_str().is_some_and(|line| line.contains("Saved ")));
    let saved = kit::files_below(stage.folder.path()).into_iter().find(|file| file.ends_with("Ossie-1.png"));
    assert!(saved.is_some_and(|file| is_png_with_the_dropped_color(&file)), "{:#}", stage.status());

    // The program ends, and starts without files.
    let told = stage.status();
    stage.press(&["ctrl+q"]);
    assert!(stage.end().success());
    stage.start_again(&[]);
    let again = stage.wait("the model again", |s| {
        s["busy"] == false && s["gpu"] == true && s["clip"].is_string() && s["painted"].as_u64().unwrap_or(0) > 2
    });
    for what in ["files", "model", "clip", "frame", "playing", "camera", "shading", "selected", "rects"] {
        assert_eq!(again[what], told[what], "{what}");
    }
    for what in ["scene", "textures", "hidden"] {
        stage.wait(what, |s| s[what] == told[what]);
    }
    let after = viewport(&stage, &stage.still_picture("newcomer-4-again"));
    let colored_again = share_of_dropped_color(&after);
    assert!((colored_again - colored).abs() < MAX_UNLIKE, "{colored_again} of the viewport, where it was {colored}");
    let unlike = unlike(&before, &after);
    assert!(unlike < MAX_UNLIKE, "{unlike} of the viewport is not as it was");
}
