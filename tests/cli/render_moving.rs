//! Moving pictures and contact sheets of `render`, through the program itself.

use crate::{
    args,
    kit::{
        self,
        program::{self, FRAMES, Made, RATE_HZ, bonebox, stderr},
    },
    render::{can_draw, picture, render},
};
use image::RgbaImage;
use std::{
    ffi::OsString,
    fs::{self, File},
    io::BufReader,
    path::Path,
};

/// Seconds of the made clip's loop.
const LENGTH: f64 = FRAMES as f64 / RATE_HZ as f64;

/// Draws the sheet with its clip, 40 × 30 from the left, with other arguments.
#[track_caller]
fn render_clip(made: &Made, out: &str, more: &[&str]) {
    let (psk, psa) = (made.path("sheet.psk"), made.path("sheet.psa"));
    let mut args = args!["render", psk, "--clip", psa, "--size", "40x30", "--view", "left", "-o", made.path(out)];
    args.extend(more.iter().map(OsString::from));
    render(args);
}

fn gif_pictures(path: &Path) -> (Vec<Vec<u8>>, Vec<u16>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(BufReader::new(File::open(path).unwrap())).unwrap();
    let mut found = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        found.0.push(frame.buffer.to_vec());
        found.1.push(frame.delay);
    }
    found
}

fn apng_pictures(path: &Path) -> Vec<Vec<u8>> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let count = reader.info().animation_control.map_or(0, |control| control.num_frames);
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    (0..count).map(|_| reader.next_frame(&mut buffer).map(|_| buffer.clone()).unwrap()).collect()
}

#[test]
fn a_clip_becomes_one_file_with_the_pictures_of_the_sequence() {
    if !can_draw() {
        return;
    }
    let made = Made::new();
    let clear = ["--background", "transparent"];
    render_clip(&made, "one.png", &["--frames", "3", clear[0], clear[1]]);
    let wanted: Vec<RgbaImage> = (0..3).map(|i| picture(&made.path(&format!("one{i:04}.png")))).collect();
    assert!(wanted[0] != wanted[1] && wanted[1] != wanted[2], "the sheet bends");
    // The clip's own rate: each of its frames once.
    for (out, more) in [("walk.apng", &clear[..]), ("walk.png", &["--animated", clear[0], clear[1]])] {
        render_clip(&made, out, more);
        let found = apng_pictures(&made.path(out));
        assert_eq!(found.len(), 3, "{out}");
        assert!(found.iter().zip(&wanted).all(|(found, wanted)| *found == **wanted), "{out}");
    }
    render_clip(&made, "walk.webp", &clear);
    let mut webp = image_webp::WebPDecoder::new(BufReader::new(File::open(made.path("walk.webp")).unwrap())).unwrap();
    assert_eq!((webp.dimensions(), webp.num_frames()), ((40, 30), 3));
    let mut buffer = vec![0; webp.output_buffer_size().unwrap()];
    for wanted in &wanted {
        assert_eq!(webp.read_frame(&mut buffer).unwrap(), (LENGTH * 1_000.0 / 3.0) as u32);
        assert!(buffer == **wanted);
    }
    render_clip(&made, "walk.gif", &clear);
    let (found, delays) = gif_pictures(&made.path("walk.gif"));
    assert_eq!(delays, [(LENGTH * 100.0 / 3.0) as u16; 3]);
    for (found, wanted) in found.iter().zip(&wanted) {
        for (found, wanted) in found.chunks_exact(4).zip(wanted.pixels()) {
            assert_eq!(found[3], if wanted.0[3] >= 128 { 255 } else { 0 });
            let near = found.iter().zip(wanted.0).take(3).all(|(a, b)| a.abs_diff(b) <= 24);
            assert!(near || found[3] == 0, "{found:?} {wanted:?}");
        }
    }
}

#[test]
fn rates_and_numbers_of_pictures_keep_the_length_of_the_loop() {
    if !can_draw() {
        return;
    }
    let made = Made::new();
    for (out, more, count) in [
        ("rate.gif", ["--rate", "7"], (LENGTH * 7.0).round() as usize),
        ("fast.gif", ["--rate", "50"], (LENGTH * 50.0).round() as usize),
        ("many.gif", ["--frames", "8"], 8),
        ("one.gif", ["--frames", "1"], 1),
    ] {
        render_clip(&made, out, &more);
        let (pictures, delays) = gif_pictures(&made.path(out));
        assert_eq!(pictures.len(), count, "{out}");
        let hundredths: u32 = delays.iter().map(|delay| u32::from(*delay)).sum();
        assert_eq!(f64::from(hundredths), LENGTH * 100.0, "{out}");
        assert!(pictures.len() == 1 || pictures.first() != pictures.last(), "the end is not the start again");
    }
    // As many pictures with numbers.
    render_clip(&made, "n{frame:02}.png", &["--rate", "4"]);
    assert!(made.path("n05.png").exists() && !made.path("n06.png").exists());
}

#[test]
fn a_turntable_goes_around_once() {
    if !can_draw() {
        return;
    }
    let made = Made::new();
    let psk = made.path("sheet.psk");
    let common = ["--size", "40x30", "--background", "000000"];
    let with = |more: Vec<OsString>| {
        let mut args = args!["render", psk];
        args.extend(common.iter().map(OsString::from).chain(more));
        render(args);
    };
    with(args!["--view", "front", "--frames", "4", "-o", made.path("turn.png"), "--turntable", "2"]);
    let side = |view: &str| {
        let out = made.path(&format!("{view}.png"));
        with(args!["--view", view, "-o", out]);
        picture(&out)
    };
    for (number, view) in ["front", "right", "back", "left"].into_iter().enumerate() {
        let (turned, wanted) = (picture(&made.path(&format!("turn{number:04}.png"))), side(view));
        let differing =
            turned.pixels().zip(wanted.pixels()).filter(|(a, b)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 8));
        assert!(differing.count() <= 6, "{view}: edges may fall otherwise by a rounding");
    }
    // Without a number of pictures: six seconds, 25 a second.
    with(args!["--turntable", "-o", made.path("turn.gif")]);
    let (pictures, delays) = gif_pictures(&made.path("turn.gif"));
    assert_eq!((pictures.len(), delays.iter().map(|d| u32::from(*d)).sum::<u32>()), (150, 600));
    // With a clip, whole rounds of it.
    render_clip(&made, "both.gif", &["--frames", "12", "--turntable"]);
    let (pictures, delays) = gif_pictures(&made.path("both.gif"));
    assert_eq!((pictures.len(), delays.iter().map(|d| u32::from(*d)).sum::<u32>()), (12, 450));
}

#[test]
fn what_cannot_be_is_said_before_anything_is_drawn() {
    let made = Made::new();
    let (psk, psa) = (made.path("sheet.psk"), made.path("sheet.psa"));
    let before = fs::read_dir(made.folder()).unwrap().count();
    for (more, said) in [
        (&["-o", "a.jpg"][..], ".webm"),
        (&["-o", "a.gif", "--frame", "1"], "--frame"),
        (&["-o", "a.gif", "--animated"], "--animated"),
        (&["-o", "a.png", "--rate", "0"], "0.1 to 240"),
        (&["-o", "a.png", "--rate", "5", "--frames", "5"], "cannot be used with"),
        (&["-o", "a.png", "--turntable", "never"], "0.1 to 600"),
        (&["-o", "a.png", "--cell", "9x9"], "--contact-sheet"),
        (&["-o", "a.gif", "--contact-sheet"], ".png"),
        (&["-o", "a.png", "--contact-sheet", "--size", "9x9"], "cannot be used with"),
        (&["-o", "a.mp4", "--background", "transparent"], "transparency"),
        (&["-o", "a.gif", "--rate", "60", "--size", "8x8"], "50 images per second"),
        (&["-o", "a.apng", "--frames", "100000", "--size", "4096x4096"], "pixels in total"),
        (&["-o", "a.webp", "--frames", "2", "--size", "20000x10"], "16384"),
    ] {
        let mut args = args!["render", psk, "--clip", psa];
        args.extend(more.iter().map(OsString::from));
        let output = program::command(&args).current_dir(made.folder()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{more:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(said), "{more:?}: {}", stderr(&output));
    }
    // Nothing that moves is named.
    let output = bonebox(args!["render", psk, "-o", made.path("a.gif")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--turntable"), "{}", stderr(&output));
    // Nothing is written over.
    fs::write(made.path("b.webp"), "mine").unwrap();
    let output = bonebox(args!["render", psk, "--clip", psa, "-o", made.path("b.webp")]);
    assert_eq!((output.status.code(), fs::read(made.path("b.webp")).unwrap()), (Some(1), b"mine".to_vec()));
    assert_eq!(fs::read_dir(made.folder()).unwrap().count(), before + 1);
}

#[test]
fn without_ffmpeg_a_video_says_what_is_missing() {
    let made = Made::new();
    let (psk, psa) = (made.path("sheet.psk"), made.path("sheet.psa"));
    for out in ["a.mp4", "a.webm"] {
        let mut command = program::command(args!["render", psk, "--clip", psa, "-o", made.path(out)]);
        let output = command.env("PATH", made.folder()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).contains("ffmpeg") && stderr(&output).contains("install"), "{}", stderr(&output));
        assert!(!made.path(out).exists());
    }
}

#[cfg(unix)]
mod with_ffmpeg {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    /// Puts a program called ffmpeg into a folder of its own.
    fn fake(made: &Made, script: &str) -> std::path::PathBuf {
        let folder = made.path("bin");
        fs::create_dir_all(&folder).unwrap();
        let program = folder.join("ffmpeg");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    fn run(made: &Made, path: &Path, more: &[&str]) -> std::process::Output {
        let (psk, psa) = (made.path("sheet.psk"), made.path("sheet.psa"));
        let mut args = args!["render", psk, "--clip", psa, "--size", "40x30", "-o", made.path("walk.mp4")];
        args.extend(more.iter().map(OsString::from));
        // Tools of the script are found by the path too.
        let path = format!("{}:/usr/bin:/bin", path.display());
        program::command(&args).env("PATH", path).output().unwrap()
    }

    /// Files that are no arguments and were not there before.
    fn parts(made: &Made) -> usize {
        let names = fs::read_dir(made.folder()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".part")).count()
    }

    #[test]
    fn ffmpeg_gets_every_pixel_and_the_file_its_name_at_the_end() {
        if !can_draw() {
            return;
        }
        let made = Made::new();
        let said = made.path("said");
        let script = format!(
            "for last in \"$@\"; do :; done\nprintf '%s\\n' \"$@\" > '{0}.args'\nwc -c > '{0}.count'\necho video > \"${{last#file:}}\"",
            said.display()
        );
        let bin = fake(&made, &script);
        let output = run(&made, &bin, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(fs::read(made.path("walk.mp4")).unwrap(), b"video\n");
        let count = fs::read_to_string(made.path("said.count")).unwrap();
        assert_eq!(count.trim(), (40 * 30 * 4 * FRAMES).to_string());
        let arguments = fs::read_to_string(made.path("said.args")).unwrap();
        let arguments: Vec<&str> = arguments.lines().collect();
        let after = |name: &str| arguments[arguments.iter().position(|a| *a == name).unwrap() + 1];
        assert_eq!((after("-video_size"), after("-framerate"), after("-f")), ("40x30", "2/1", "rawvideo"));
        assert!(arguments.contains(&"-n") && !arguments.contains(&"-y"));
        // Only with --force is anything written over.
        assert_eq!(run(&made, &bin, &[]).status.code(), Some(1));
        let output = run(&made, &bin, &["--force"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(fs::read_to_string(made.path("said.args")).unwrap().lines().any(|a| a == "-y"));
        assert_eq!(parts(&made), 0);
    }

    #[test]
    fn what_ffmpeg_says_is_said_and_nothing_is_left() {
        if !can_draw() {
            return;
        }
        let made = Made::new();
        for script in [
            // At once, with the pixels unread; or after all of them, with half a file.
            "echo 'Unknown encoder' >&2; exit 3",
            "cat > /dev/null; for last in \"$@\"; do :; done; echo half > \"${last#file:}\"; echo 'Unknown encoder' >&2; exit 3",
        ] {
            let bin = fake(&made, script);
            let output = run(&made, &bin, &["--rate", "50", "--size", "400x300"][..2]);
            assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
            assert!(stderr(&output).contains("Unknown encoder"), "{}", stderr(&output));
            assert!(!made.path("walk.mp4").exists() && parts(&made) == 0);
        }
    }
}

/// Whether the part of a picture has more than one colour.
fn is_drawn(picture: &RgbaImage, (left, top): (u32, u32), (width, height): (u32, u32)) -> bool {
    let first = *picture.get_pixel(left, top);
    (top..top + height).any(|y| (left..left + width).any(|x| *picture.get_pixel(x, y) != first))
}

#[test]
fn a_contact_sheet_has_every_clip_with_its_name() {
    if !can_draw() {
        return;
    }
    let made = Made::new();
    let (psk, psa) = (made.path("sheet.psk"), made.path("two.psa"));
    let out = made.path("sheet.png");
    render(args!["render", psk, "--clip", psa, "--contact-sheet", "--cell", "100x80", "-o", out]);
    // Two cells of 100 × (80 + 11) with 8 between and around: side by side is nearest to 4 : 3.
    let sheet = picture(&out);
    assert_eq!(sheet.dimensions(), (224, 107));
    for left in [8, 116] {
        assert!(is_drawn(&sheet, (left, 8), (100, 80)), "the sheet in its middle");
        assert!(is_drawn(&sheet, (left, 88), (100, 11)), "its name");
    }
    let cell = |left: u32| sheet.view_of(left, 8, 100, 80);
    assert_eq!(cell(8), cell(116), "both clips move alike");
    // Strips of moments, on nothing.
    let strip = made.path("strip.png");
    let common = ["--frames", "3", "--cell", "50x40", "--background", "transparent"];
    let mut args = args!["render", psk, "--clip", psa, "--contact-sheet", "clips", "-o", strip];
    args.extend(common.iter().map(OsString::from));
    render(args);
    let strip = picture(&strip);
    assert_eq!(strip.dimensions(), (166, 8 + 2 * (40 + 11 + 8)));
    assert_eq!(strip.get_pixel(0, 0).0[3], 0);
    let moments = [0, 1, 2].map(|part| strip.view_of(8 + part * 50, 8, 50, 40));
    assert!(moments[0] != moments[1] && moments[1] != moments[2], "the sheet bends");
    // Clips that move nothing are no reason for a sheet.
    let stranger = made.path("stranger.psa");
    let output = bonebox(args!["render", psk, "--clip", stranger, "--contact-sheet", "-o", made.path("no.png")]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(!made.path("no.png").exists());
}

trait ViewOf {
    fn view_of(&self, left: u32, top: u32, width: u32, height: u32) -> Vec<u8>;
}

impl ViewOf for RgbaImage {
    fn view_of(&self, left: u32, top: u32, width: u32, height: u32) -> Vec<u8> {
        image::imageops::crop_imm(self, left, top, width, height).to_image().into_raw()
    }
}

#[test]
fn a_contact_sheet_of_textures_needs_no_device() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("fx.png");
    let file = kit::samples().join("BoneboxFX.utx");
    let output = bonebox(args!["render", file, "--contact-sheet", "--cell", "64x64", "-o", out]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let count = {
        let open = bonebox::library::OpenOptions::new().open(&file).unwrap();
        open.entries_with(bonebox::formats::Content::Image).len()
    };
    let sheet = picture(&out);
    let columns = (sheet.width() - 8) / 72;
    let rows = (sheet.height() - 8) / (64 + 22 + 8);
    assert_eq!(sheet.dimensions(), (columns * 72 + 8, rows * 94 + 8));
    assert!(columns * rows >= count as u32 && columns * (rows - 1) < count as u32, "{columns} × {rows} for {count}");
    for index in 0..count as u32 {
        let at = (8 + index % columns * 72, 8 + index / columns * 94);
        assert!(is_drawn(&sheet, at, (64, 64)), "texture {index}");
        assert!(is_drawn(&sheet, (at.0, at.1 + 64), (64, 22)), "its name, {index}");
    }
    // Too many pixels are refused.
    let output = bonebox(args!["render", file, "--contact-sheet", "--cell", "9999x9999", "--force", "-o", out]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("--cell"), "{}", stderr(&output));
    // A model's sheet is not of textures, and a file without any says so.
    let nothing = kit::samples().join("BoneTune.umx");
    let output = bonebox(args!["render", nothing, "--contact-sheet", "textures", "-o", folder.path().join("no.png")]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}
