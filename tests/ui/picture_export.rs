//! File › Export image or video…: the dialog, and what it draws in the background.

use crate::kit::{self, app::*, device};
use bonebox::{
    export::animated::AnimatedFormat,
    ui::{
        command::{Command, ExportCommand, Listening, WindowCommand},
        state::{Effect, PictureDraft, PictureFormat, PictureMotion, State},
    },
};
use std::{fs, fs::File, io::BufReader, path::Path};

const PREPARE: Command = Command::Export(ExportCommand::PreparePicture);

fn ossie() -> Window {
    window_with(["Ossie.psk", "Ossie.psa"].map(|name| kit::samples().join(name)))
}

fn draft(window: &Window) -> PictureDraft {
    read(window, |state| state.exports.picture.clone()).expect("the dialog is open")
}

/// The dialog for a small picture in a folder.
fn prepared(window: &mut Window, path: &Path, change: impl FnOnce(&mut PictureDraft)) {
    apply(window, PREPARE);
    let mut draft = draft(window);
    change(&mut draft);
    draft.size = [48, 32];
    draft.path = path.display().to_string();
    apply(window, Command::Export(ExportCommand::EditPicture(Box::new(draft))));
}

#[test]
fn the_dialog_offers_what_can_be_and_says_what_comes_of_it() {
    let mut window = ossie();
    apply(&mut window, PREPARE);
    let first = draft(&window);
    assert_eq!((first.format, first.motion), (PictureFormat::Animated(AnimatedFormat::Gif), PictureMotion::Clip));
    assert!(first.has_clip && first.path.ends_with("Ossie.gif") && first.count() > 1, "{first:?}");
    look(&mut window, "picture_export");
    let summary = |window: &Window| {
        let draft = draft(window);
        format!("{} frames, {:.2} seconds", draft.count(), draft.shots.length_secs())
    };
    assert!(paints(&window, &summary(&window)));
    click(&mut window, "Turntable");
    click(&mut window, "Duration of a turn");
    let turned = draft(&window);
    assert_eq!(
        (turned.motion, turned.turn_secs, turned.shots.length_secs()),
        (PictureMotion::Turntable, Some(6.0), 6.0)
    );
    assert!(paints(&window, &summary(&window)));
    // The ending follows the format, and what the format cannot do is off.
    click(&mut window, "Animated WebP, lossless (.webp)");
    click(&mut window, "Transparent background");
    assert!(draft(&window).transparent && draft(&window).path.ends_with("Ossie.webp"));
    click(&mut window, "PNG image (.png)");
    assert!(draft(&window).path.ends_with("Ossie.png"));
    assert!(!has(&window, "Clip, played once") && draft(&window).count() == 1);
    // Nothing behind it listens; Cancel closes it.
    assert_eq!(read(&window, State::listening), Listening::ToNone);
    click(&mut window, "Cancel");
    assert!(read(&window, |state| state.exports.picture.is_none()));
    // Without a model there is nothing to draw.
    let mut empty = window_with([kit::samples().join("BoneTune.umx")]);
    apply(&mut empty, PREPARE);
    assert!(read(&empty, |state| state.exports.picture.is_none()));
    assert!(log(&empty).last().unwrap().contains("nothing to export as an image"), "{:?}", log(&empty));
}

#[test]
fn what_cannot_be_made_is_refused_and_nothing_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("a.gif");
    fs::write(&taken, "mine").unwrap();
    let mut window = ossie();
    prepared(&mut window, &taken, |_| {});
    click(&mut window, "Export");
    assert!(read(&window, |state| state.exports.picture.is_some()), "the button is off");
    let too_fast =
        PictureDraft { fps: 60.0, path: folder.path().join("b.gif").display().to_string(), ..draft(&window) };
    apply(&mut window, Command::Export(ExportCommand::EditPicture(Box::new(too_fast))));
    assert!(paints(&window, "50 images per second"));
    apply(&mut window, Command::Export(ExportCommand::DrawPicture));
    assert!(log(&window).last().unwrap().contains("50 images per second"), "{:?}", log(&window));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(fs::read(&taken).unwrap(), b"mine");
}

#[test]
fn a_clip_is_drawn_in_the_background_while_the_window_goes_on() {
    let Some(_) = device::context() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut window = ossie();
    let (before, camera) =
        read(&window, |s| (s.stages.front.playback().unwrap().player.frame(), s.stages.front.view.camera));
    let path = folder.path().join("walk.apng");
    prepared(&mut window, &path, |draft| {
        draft.set_format(PictureFormat::Animated(AnimatedFormat::Apng));
        draft.transparent = true;
        draft.fps = 8.0;
    });
    let wanted = draft(&window).shots;
    click(&mut window, "Export");
    assert!(read(&window, |state| state.exports.picture.is_none()), "the dialog closes");
    settle(&mut window);
    let said = log(&window).join("\n");
    assert!(said.contains(&format!("{} frames of 48 × 32", wanted.count())), "{said}");
    let mut reader = png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
    let count = reader.info().animation_control.unwrap().num_frames;
    assert_eq!((reader.info().width, reader.info().height, count), (48, 32, wanted.count()));
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let (mut pictures, mut length) = (Vec::new(), 0.0);
    for _ in 0..count {
        reader.next_frame(&mut buffer).unwrap();
        let frame = reader.info().frame_control.unwrap();
        length += f64::from(frame.delay_num) / f64::from(frame.delay_den);
        pictures.push(buffer.clone());
    }
    assert!((length - wanted.length_secs()).abs() < 1e-3, "{length}");
    assert!(pictures.iter().all(|p| p[3] == 0 && p.chunks_exact(4).any(|pixel| pixel[3] == 255)), "Ossie on nothing");
    assert!(pictures[0] != pictures[count as usize / 2], "he walks");
    let after = read(&window, |s| (s.stages.front.playback().unwrap().player.frame(), s.stages.front.view.camera));
    assert_eq!(after, (before, camera), "the stage is as it was");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_picture_and_pictures_with_numbers_are_drawn_too() {
    let Some(_) = device::context() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut window = ossie();
    prepared(&mut window, &folder.path().join("one.png"), |draft| draft.set_format(PictureFormat::Png));
    apply(&mut window, Command::Export(ExportCommand::DrawPicture));
    let one = image::open(folder.path().join("one.png")).unwrap();
    assert_eq!((one.width(), one.height()), (48, 32));
    prepared(&mut window, &folder.path().join("turn.png"), |draft| {
        draft.set_format(PictureFormat::PngSequence);
        draft.motion = PictureMotion::Turntable;
        (draft.turn_secs, draft.fps) = (Some(1.0), 4.0);
    });
    apply(&mut window, Command::Export(ExportCommand::DrawPicture));
    let said = log(&window).join("\n");
    assert!(said.contains("4 images of 48 × 32"), "{said}");
    let turn: Vec<_> = (0..4).map(|i| image::open(folder.path().join(format!("turn{i:04}.png"))).unwrap()).collect();
    assert!(turn[0] != turn[1] && turn[1] != turn[2], "the camera turns");
}

#[test]
fn drawing_can_be_cancelled_and_leaves_nothing() {
    let Some(_) = device::context() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut window = ossie();
    prepared(&mut window, &folder.path().join("long.gif"), |draft| {
        draft.motion = PictureMotion::Turntable;
        (draft.turn_secs, draft.fps) = (Some(60.0), 50.0);
    });
    change(&window, |state| state.apply(Command::Export(ExportCommand::DrawPicture)));
    assert!(read(&window, |state| matches!(state.core.effects.last(), Some(Effect::DrawPictures(_)))));
    window.step();
    let work =
        read(&window, |state| state.core.works.iter().find(|work| work.title().starts_with("Drawing")).map(|w| w.id));
    apply(&mut window, Command::Window(WindowCommand::CancelWork(work.expect("it runs in the background"))));
    // The worker ends by itself: its part of a file goes with it.
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while fs::read_dir(folder.path()).unwrap().count() > 0 {
        assert!(std::time::Instant::now() < end, "half a file stays");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(log(&window).iter().any(|line| line.contains("cancelled")), "{:?}", log(&window));
}

#[test]
fn levels_and_landscapes_are_turned_around() {
    let Some(_) = device::context() else { return };
    let folder = tempfile::tempdir().unwrap();
    for file in ["BoneRoom.unr", "MarrowIsle.pew"] {
        let mut window = window_with([kit::samples().join(file)]);
        let path = folder.path().join(format!("{file}.webp"));
        apply(&mut window, PREPARE);
        assert!(!draft(&window).has_clip, "{file}");
        prepared(&mut window, &path, |draft| {
            draft.set_format(PictureFormat::Animated(AnimatedFormat::WebP));
            (draft.turn_secs, draft.fps) = (Some(1.0), 3.0);
        });
        apply(&mut window, Command::Export(ExportCommand::DrawPicture));
        let said = log(&window).join("\n");
        let path = path.with_file_name(format!("{file}.webp"));
        assert!(path.exists(), "{said}");
        let decoder = image_webp::WebPDecoder::new(BufReader::new(File::open(path).unwrap())).unwrap();
        assert_eq!((decoder.dimensions(), decoder.num_frames()), ((48, 32), 3), "{file}");
    }
}
