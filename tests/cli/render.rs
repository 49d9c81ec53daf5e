//! `render` through the program itself.

use crate::{
    args,
    kit::{
        self,
        program::{self, Made, bonebox, stderr, stdout},
    },
};
use image::RgbaImage;
use std::{ffi::OsString, fs, path::Path};

/// Whether pictures can be drawn here. `REQUIRE_GPU=1` makes a missing device a failure.
#[track_caller]
pub fn can_draw() -> bool {
    match bonebox::gpu::GpuContext::headless() {
        Ok(_) => true,
        Err(error) if kit::required("REQUIRE_GPU") => panic!("{error}"),
        Err(error) => {
            kit::skipped(&error.to_string());
            false
        }
    }
}

#[track_caller]
pub fn render(args: Vec<OsString>) {
    let output = bonebox(&args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
}

pub fn picture(path: &Path) -> RgbaImage {
    image::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).to_rgba8()
}

/// Pixels that differ from the top left one.
fn drawn(picture: &RgbaImage) -> usize {
    let corner = *picture.get_pixel(0, 0);
    picture.pixels().filter(|p| **p != corner).count()
}

#[test]
fn a_picture_has_the_asked_size_and_background_and_shows_the_model() {
    if !can_draw() {
        return;
    }
    let made = Made::new();
    let (psk, out) = (made.path("sheet.psk"), made.path("out.png"));
    let front = ["--view", "front", "--size", "64x48", "-o"];
    let draw = |background: &str| {
        let mut args = args!["render", psk, "--force", "--background", background];
        args.extend(front.iter().map(OsString::from));
        args.push(out.clone().into());
        render(args);
        picture(&out)
    };
    let clear = draw("transparent");
    assert_eq!(clear.dimensions(), (64, 48));
    assert_eq!(clear.get_pixel(0, 0).0[3], 0);
    assert_eq!(clear.get_pixel(32, 24).0[3], 255, "the sheet is in the middle");
    let colored = draw("204060");
    assert_eq!(colored.get_pixel(0, 0).0, [0x20, 0x40, 0x60, 255]);
    let share = drawn(&colored) as f32 / (64.0 * 48.0);
    assert!((0.1..0.9).contains(&share), "the sheet covers {share}");
    // The window's background, and the usual size.
    let quiet = bonebox(args!["render", psk, "-o", made.path("usual.png")]);
    assert_eq!((quiet.status.code(), stdout(&quiet), stderr(&quiet)), (Some(0), "", ""));
    let usual = picture(&made.path("usual.png"));
    assert_eq!(usual.dimensions(), (1024, 768));
    assert_eq!(usual.get_pixel(0, 0).0[3], 255);
}

#[test]
fn a_clip_becomes_numbered_pictures_under_one_camera() {
    if !can_draw() {
        return;
    }
    let made = Made::new();
    let (psk, psa) = (made.path("sheet.psk"), made.path("sheet.psa"));
    let common = args!["--size", "48x48", "--background", "transparent", "--view", "left"];
    let mut args = args!["render", psk, "--clip", psa, "--frames", "3", "-o", made.path("walk.png")];
    args.extend(common.clone());
    render(args);
    let pictures: Vec<RgbaImage> = (0..3).map(|i| picture(&made.path(&format!("walk{i:04}.png")))).collect();
    assert!(!made.path("walk.png").exists());
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2], "the sheet bends");
    // The camera sees all of every pose: nothing touches the border.
    for (number, picture) in pictures.iter().enumerate() {
        let border = picture.enumerate_pixels().filter(|(x, y, _)| [0, 47].contains(x) || [0, 47].contains(y));
        assert!(border.into_iter().all(|(_, _, p)| p.0[3] == 0), "picture {number}");
        assert!(picture.pixels().any(|p| p.0[3] == 255), "picture {number}");
    }
    // An animation file alone shows its skeleton.
    let mut args = args!["render", psa, "Bend", "--frame", "1", "-o", made.path("bones_{frame:02}.png")];
    args.extend(common);
    render(args);
    assert!(picture(&made.path("bones_{frame:02}.png")).pixels().any(|p| p.0[3] > 0));
}

#[test]
fn files_that_are_there_stay_without_force() {
    let made = Made::new();
    let out = made.path("out.png");
    fs::write(&out, "mine").unwrap();
    let output = bonebox(args!["render", made.path("sheet.psk"), "-o", out]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--force"), "{}", stderr(&output));
    assert_eq!(fs::read(&out).unwrap(), b"mine");
}

#[test]
fn a_clip_alone_cannot_be_drawn() {
    let made = Made::new();
    let mut psa = program::clips(&["Bend"], ["Root", "Middle", "Tip"]);
    // Parents that say nothing: there is no skeleton to show.
    psa.bones[2].parent = 0;
    fs::write(made.path("flat.psa"), bonebox::formats::actorx::encode_psa(&psa)).unwrap();
    for entry in [&["Bend"][..], &[]] {
        let flat = made.path("flat.psa");
        let mut args = args!["render", flat, "-o", made.path("out.png")];
        args.extend(entry.iter().map(OsString::from));
        let output = bonebox(&args);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("--clip"), "{}", stderr(&output));
    }
}

#[test]
fn a_level_is_drawn_from_outside_and_from_its_start() {
    // A model has no start.
    let made = Made::new();
    let refused = bonebox(args!["render", made.path("sheet.psk"), "--view", "start", "-o", made.path("x.png")]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(!made.path("x.png").exists());
    let Some(corpus) = kit::corpus_beside().filter(|_| can_draw()) else { return };
    let file = corpus.join("unreal/SCR-CityStreet.unr");
    let folder = tempfile::tempdir().unwrap();
    let draw = |view: &str| {
        let out = folder.path().join(format!("{view}.png"));
        render(args!["render", file, "--view", view, "--size", "96x64", "--background", "ff00ff", "-o", out]);
        picture(&out)
    };
    let empty =
        |picture: &RgbaImage| picture.pixels().filter(|p| p.0 == [255, 0, 255, 255]).count() as f32 / (96.0 * 64.0);
    let (outside, inside) = (empty(&draw("iso")), empty(&draw("start")));
    assert!((0.3..0.98).contains(&outside), "all of it with room around: {outside}");
    assert!(inside < 0.2, "walls around, a little sky: {inside}");
}

#[test]
fn a_level_has_a_time_and_no_frames() {
    let made = Made::new();
    let room = kit::samples().join("BoneRoom.unr");
    let out = made.path("room.png");
    let refused = bonebox(args!["render", room, "--frame", "1", "-o", out]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("clips do not play on a level"), "{}", stderr(&refused));
    assert!(!out.exists());
    if can_draw() {
        render(args!["render", room, "--time", "2.5", "--view", "start", "--size", "96x64", "-o", out]);
        assert_eq!(picture(&out).dimensions(), (96, 64));
    }
}

#[test]
fn a_clip_that_no_file_has_is_an_error_with_the_nearest_names() {
    let folder = tempfile::tempdir().unwrap();
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx");
    for name in ["syn_arm.psk", "syn_arm.psa"] {
        std::fs::copy(data.join(name), folder.path().join(name)).unwrap();
    }
    let (model, target) = (folder.path().join("syn_arm.psk"), folder.path().join("out.png"));
    let [model, picture] = [&model, &target].map(|path| program::text(path));
    let missed = bonebox(["render", model, "--clip", "Wvae", "-o", picture]);
    assert_eq!(program::status(&missed), 1, "{}", stderr(&missed));
    assert!(stderr(&missed).contains("no file “Wvae”"), "{}", stderr(&missed));
    assert!(stderr(&missed).contains("did you mean “Wave”?") && !target.exists(), "{}", stderr(&missed));
}
