//! `render --thumbnail` through the program itself.

use crate::{
    args,
    kit::{
        self,
        program::{bonebox, json, status, stderr},
    },
    render::can_draw,
};
use rayon::prelude::*;
use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Output,
};

const SIDE: u32 = 128;
/// Samples in which there is nothing to draw: containers, whose members are files of their own, and texts.
const WITHOUT_PICTURE: [&str; 4] = ["BoneDisc.gcm", "BonePack.umod", "Ossie_Bone.mat", "Pennant.uc"];

fn thumbnail(file: &Path, out: &Path) -> Output {
    bonebox(args!["render", "--thumbnail", SIDE.to_string(), file, "-o", out])
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

/// The size of the picture that is the only thing in its folder; `None` where the program ended with status 1 and the folder is empty.
#[track_caller]
fn size_of(file: &Path) -> Option<(u32, u32)> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png");
    let output = thumbnail(file, &out);
    let said = stderr(&output);
    match status(&output) {
        0 => {
            assert_eq!((names(folder.path()), said), (vec!["out.png".to_owned()], ""), "{}", file.display());
            let picture = image::open(&out).unwrap_or_else(|error| panic!("{}: {error}", file.display())).to_rgba8();
            assert!(picture.pixels().any(|pixel| pixel.0[3] > 0), "{}: nothing can be seen", file.display());
            Some(picture.dimensions())
        }
        1 => {
            assert_eq!(names(folder.path()), [""; 0], "{}", file.display());
            assert!(said.starts_with("error: "), "{}: {said}", file.display());
            None
        }
        other => panic!("{}: status {other}: {said}", file.display()),
    }
}

/// What a picture's size becomes.
fn fitted((width, height): (u32, u32)) -> (u32, u32) {
    let longer = width.max(height).max(SIDE);
    (width * SIDE / longer, height * SIDE / longer)
}

#[test]
fn every_sample_but_containers_and_texts_has_a_picture_of_the_asked_size() {
    if !can_draw() {
        return;
    }
    let files = kit::files_below(&kit::samples());
    assert!(files.len() > 25);
    files.par_iter().for_each(|file| {
        let name = file.file_name().and_then(OsStr::to_str).unwrap();
        let expected = match image::image_dimensions(file) {
            _ if WITHOUT_PICTURE.contains(&name) => None,
            Ok(size) => Some(fitted(size)),
            Err(_) => Some((SIDE, SIDE)),
        };
        assert_eq!(size_of(file), expected, "{name}");
    });
}

#[test]
fn textures_and_sounds_need_no_graphics_driver() {
    let draw = |package: &str, content: &str| {
        let package = kit::samples().join(package);
        let listed = json(args!["list", "--json", package]);
        let found = listed["entries"].as_array().unwrap().iter().find(|entry| entry["content"] == content);
        let entry = format!("#{}", found.unwrap_or_else(|| panic!("no {content} in {listed}"))["id"]);
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let mut command = kit::program::command(args!["render", "--thumbnail", "64", package, entry, "-o", out]);
        // Nothing draws as this says.
        let output = command.env("WGPU_BACKEND", "noop").output().unwrap();
        (status(&output), fs::read(&out).ok().map(|bytes| image::load_from_memory(&bytes).unwrap().to_rgba8()))
    };
    let (drawn, texture) = draw("BoneboxFX.utx", "image");
    assert_eq!((drawn, texture.map(|picture| picture.dimensions())), (0, Some((64, 64))));
    assert_eq!(draw("Bonebox.u", "model"), (1, None));
    let (drawn, wave) = draw("Bonebox.u", "sound");
    let wave = wave.unwrap();
    assert_eq!((drawn, wave.dimensions()), (0, (64, 64)));
    // The middle line is everywhere, and it is loud somewhere.
    assert!((0..64).all(|x| (28..36).any(|y| wave.get_pixel(x, y).0 == [94, 196, 182, 255])));
    assert!((0..64).any(|x| (0..64).filter(|y| wave.get_pixel(x, *y).0[3] == 255).count() > 16));
}

#[test]
fn an_empty_file_that_took_the_name_is_written_over_whatever_its_ending() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join(".thumbnail.X3fQ9a");
    fs::write(&out, "").unwrap();
    let output = thumbnail(&kit::samples().join("Pennant_Cloth.bmp"), &out);
    assert_eq!((status(&output), stderr(&output), names(folder.path())), (0, "", vec![".thumbnail.X3fQ9a".to_owned()]));
    let picture = image::load_from_memory(&fs::read(&out).unwrap()).unwrap();
    assert_eq!((picture.width(), picture.height()), (64, 32), "a smaller picture stays as it is");
}

#[test]
fn what_a_thumbnail_decides_by_itself_cannot_be_asked_for() {
    let psk = kit::samples().join("Ossie.psk");
    for wrong in
        [&["--size", "64x64"][..], &["--frames", "2"], &["--view", "top"], &["--past-limits"], &["--contact-sheet"]]
    {
        let mut all = args!["render", psk, "--thumbnail", "64", "-o", "never.png"];
        all.extend(wrong.iter().map(Into::into));
        assert_eq!(status(&bonebox(all)), 2, "{wrong:?}");
    }
    for side in ["0", "1025", "x"] {
        assert_eq!(status(&bonebox(args!["render", psk, "--thumbnail", side, "-o", "never.png"])), 2, "{side}");
    }
    // Of all others the ending says what is written.
    assert_eq!(status(&bonebox(args!["render", psk, "-o", "never.jpg"])), 2);
}

/// Broken files of which enough is left for a picture, and what is wrong with them.
const STILL_DRAWN: [&str; 19] = [
    // Their keys are cut, or their numbers are none: the bones stand as they are.
    "bad_frames_huge.psa",
    "bad_frames_negative.psa",
    "bad_keys_short.psa",
    "bad_rate_zero_nan.psa",
    // A chunk is larger than the file, or cut: what comes before it is drawn.
    "bad_huge_count.psk",
    "bad_negative_count.psk",
    "bad_overflow_size.psk",
    "bad_truncated_header.psk",
    "bad_truncated_mid_chunk.psk",
    // Bones are wrong, and points are where they are.
    "bad_parent_cycle.psk",
    "bad_parent_range.psk",
    "bad_zero_and_nan_quat.psk",
    // A wrong sum says nothing of the pixels; only the first mip is shown.
    "bad_lzss_sum.paa",
    "bad_second_mip.paa",
    // A table says more than there is: the ground is drawn as far as it goes.
    "bad_hugegrid.pew",
    "bad_hugeobjects.pew",
    "bad_hugetypes.pew",
    "bad_truncated_heights.pew",
    "bad_truncated_objects.pew",
];

#[test]
fn broken_files_have_a_picture_or_leave_nothing_behind() {
    let Some(corpus) = kit::corpus() else { return };
    let is_bad = |path: &PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        name.starts_with("bad_") && !name.ends_with(".json")
    };
    let files: Vec<PathBuf> = kit::files_below(&corpus).into_iter().filter(is_bad).collect();
    assert!(files.len() > 70, "{}", files.len());
    let sizes: Vec<Option<(u32, u32)>> = files.par_iter().map(|file| size_of(file)).collect();
    let fits = |size: &(u32, u32)| (1..=SIDE).contains(&size.0) && (1..=SIDE).contains(&size.1);
    assert!(sizes.iter().flatten().all(fits), "{sizes:?}");
    let drawn = files.iter().zip(&sizes).filter(|(_, size)| size.is_some());
    let drawn: BTreeSet<&str> = drawn.filter_map(|(file, _)| file.file_name()?.to_str()).collect();
    let expected = STILL_DRAWN.iter().copied().filter(|name| can_draw() || name.ends_with(".paa"));
    assert_eq!(drawn, expected.collect());
}

/// A pipe that nobody writes to: it would be waited for until the end of days.
#[cfg(unix)]
#[test]
fn after_ten_seconds_it_ends_by_itself() {
    use std::{process::Command, time::Instant};
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("slow.psk");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let begun = Instant::now();
    let output = thumbnail(&pipe, &folder.path().join("out.png"));
    let secs = begun.elapsed().as_secs_f32();
    assert_eq!((status(&output), stderr(&output)), (1, "error: rendering timed out after 10 seconds\n"));
    assert!((9.5..14.0).contains(&secs), "{secs}");
    assert_eq!(names(folder.path()), ["slow.psk"]);
}
