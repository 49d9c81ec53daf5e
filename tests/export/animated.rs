//! Moving pictures, read back by the decoders of other crates.

use bonebox::{
    bytes::Cancel,
    export::{
        ExportError, ExportJob,
        animated::{AnimatedFormat, Timing, write_animated},
    },
    scene::Image,
};
use image_webp::{LoopCount, WebPDecoder};
use std::{
    fs::{self, File},
    io::BufReader,
    path::Path,
};

/// Pictures of 24 × 15 in many colours, different from each other, the left third not or half there where asked.
fn picture(number: u32, cut_out: bool) -> Image {
    let (width, height) = (24_u32, 15_u32);
    let pixel = |x: u32, y: u32| {
        let alpha = match x {
            _ if !cut_out => 255,
            0..4 => 0,
            4..8 => 20 * x as u8,
            _ => 255,
        };
        [(x * 10 + number * 7) as u8, (y * 17) as u8, ((x + y + number) * 5) as u8, alpha]
    };
    let rgba: Vec<u8> = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y))).collect();
    Image { name: String::new(), width, height, rgba: rgba.into(), stored_as: String::new() }
}

fn timing(count: u32, length_secs: f64) -> Timing {
    Timing { width: 24, height: 15, count, length_secs }
}

fn job(force: bool, cancel: &Cancel) -> ExportJob<'_> {
    ExportJob { cancel, progress: &|_, _, _| {}, force, max_output: None, resume: false }
}

#[track_caller]
fn write(path: &Path, format: AnimatedFormat, timing: &Timing, cut_out: bool) {
    let mut asked = 0;
    let mut next = |number| {
        assert_eq!(number, asked, "each once, in order");
        asked += 1;
        Ok(picture(number, cut_out))
    };
    write_animated(path, format, timing, &job(false, Cancel::never()), &mut next).unwrap();
    assert_eq!(asked, timing.count);
}

/// Pixels of each picture and how long it is shown, in seconds.
type Played = Vec<(Vec<u8>, f64)>;

fn read_apng(path: &Path) -> Played {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    assert_eq!((reader.info().width, reader.info().height), (24, 15));
    let control = reader.info().animation_control.expect("an animation");
    assert_eq!(control.num_plays, 0, "for ever");
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let pictures = (0..control.num_frames).map(|_| {
        reader.next_frame(&mut buffer).unwrap();
        let frame = reader.info().frame_control.unwrap();
        assert_eq!((frame.blend_op, frame.width, frame.height), (png::BlendOp::Source, 24, 15));
        (buffer.clone(), f64::from(frame.delay_num) / f64::from(frame.delay_den))
    });
    pictures.collect()
}

fn read_webp(path: &Path) -> Played {
    let mut decoder = WebPDecoder::new(BufReader::new(File::open(path).unwrap())).unwrap();
    assert_eq!((decoder.dimensions(), decoder.is_animated(), decoder.is_lossy()), ((24, 15), true, false));
    assert!(matches!(decoder.loop_count(), LoopCount::Forever));
    let (count, has_alpha) = (decoder.num_frames(), decoder.has_alpha());
    let mut buffer = vec![0; decoder.output_buffer_size().unwrap()];
    let pictures = (0..count).map(|_| {
        let millis = decoder.read_frame(&mut buffer).unwrap();
        let rgba = match has_alpha {
            true => buffer.clone(),
            false => buffer.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect(),
        };
        (rgba, f64::from(millis) / 1_000.0)
    });
    pictures.collect()
}

#[test]
fn apng_and_webp_hold_every_pixel() {
    let folder = tempfile::tempdir().unwrap();
    for (format, read) in [(AnimatedFormat::Apng, read_apng as fn(&Path) -> Played), (AnimatedFormat::WebP, read_webp)]
    {
        for (name, cut_out, count, length) in [("solid", false, 7, 0.45), ("cut", true, 3, 1.0), ("one", true, 1, 2.5)]
        {
            let path = folder.path().join(format!("{name}.{}", format.extension()));
            write(&path, format, &timing(count, length), cut_out);
            let played = read(&path);
            assert_eq!(played.len() as u32, count);
            for (number, (rgba, _)) in (0..).zip(&played) {
                assert!(*rgba == *picture(number, cut_out).rgba, "{name} {number} of {format:?}");
            }
            let sum: f64 = played.iter().map(|(_, secs)| secs).sum();
            assert!((sum - length).abs() < 1e-9, "{name} of {format:?} takes {sum}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6, "nothing else is left");
}

#[test]
fn webp_files_are_as_long_as_they_say() {
    let folder = tempfile::tempdir().unwrap();
    for count in 1..4 {
        let path = folder.path().join(format!("{count}.webp"));
        write(&path, AnimatedFormat::WebP, &timing(count, 1.0), count == 2);
        let bytes = fs::read(&path).unwrap();
        let size = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
        assert_eq!((size as usize + 8, bytes.len() % 2), (bytes.len(), 0));
    }
}

#[test]
fn a_gif_shows_the_nearest_of_its_colours() {
    let folder = tempfile::tempdir().unwrap();
    for (name, cut_out, count, length) in [("solid", false, 7, 0.45), ("cut", true, 3, 1.0)] {
        let path = folder.path().join(format!("{name}.gif"));
        write(&path, AnimatedFormat::Gif, &timing(count, length), cut_out);
        let mut decoder = gif::Decoder::new(BufReader::new(File::open(&path).unwrap())).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (24, 15));
        let (mut number, mut hundredths) = (0, 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let palette: Vec<&[u8]> = frame.palette.as_ref().unwrap().chunks_exact(3).collect();
            assert!(palette.len() <= 256);
            let distance =
                |a: &[u8], b: &[u8]| a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum::<u32>();
            let wanted = picture(number, cut_out);
            for (index, pixel) in frame.buffer.iter().zip(wanted.rgba.chunks_exact(4)) {
                let is_there = frame.transparent != Some(*index);
                assert_eq!(is_there, pixel[3] >= 128, "{name} {number}: {pixel:?}");
                if is_there {
                    let known = (0_u8..=255).zip(&palette).filter(|(index, _)| frame.transparent != Some(*index));
                    let least = known.map(|(_, color)| distance(color, &pixel[..3])).min().unwrap();
                    let found = distance(palette[usize::from(*index)], &pixel[..3]);
                    assert_eq!(found, least, "{name} {number}: {pixel:?}");
                    // 360 pixels at most share 255 colours.
                    assert!(found <= 3 * 12_u32.pow(2), "{name} {number}: {pixel:?} {found}");
                }
            }
            let replaces = frame.dispose == gif::DisposalMethod::Background;
            assert_eq!(replaces, cut_out, "nothing of the picture before shows through");
            hundredths += u32::from(frame.delay);
            number += 1;
        }
        assert_eq!((number, f64::from(hundredths) / 100.0), (count, length), "{name}");
        assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    }
}

#[test]
fn what_fails_or_is_stopped_leaves_nothing_and_what_is_there_stays() {
    let folder = tempfile::tempdir().unwrap();
    let three = timing(3, 1.0);
    for format in [AnimatedFormat::Gif, AnimatedFormat::Apng, AnimatedFormat::WebP] {
        let path = folder.path().join(format!("a.{}", format.extension()));
        fs::write(&path, "mine").unwrap();
        let refused =
            write_animated(&path, format, &three, &job(false, Cancel::never()), &mut |_| panic!("nothing is drawn"));
        assert!(matches!(refused, Err(ExportError::Exists(_))), "{format:?}: {refused:?}");
        let mut fails =
            |number| if number < 2 { Ok(picture(number, false)) } else { Err("the device is gone".to_owned()) };
        let failed = write_animated(&path, format, &three, &job(true, Cancel::never()), &mut fails);
        assert_eq!(failed.unwrap_err().to_string(), "the device is gone", "{format:?}");
        let stop = Cancel::new();
        let mut stops = |number| {
            if number == 1 {
                stop.cancel();
            }
            Ok(picture(number, false))
        };
        let stopped = write_animated(&path, format, &three, &job(true, &stop), &mut stops);
        assert!(matches!(stopped, Err(ExportError::Cancelled)), "{format:?}: {stopped:?}");
        let mut other_size = |_| Ok(Image { width: 15, height: 24, ..picture(0, false) });
        assert!(write_animated(&path, format, &three, &job(true, Cancel::never()), &mut other_size).is_err());
        let too_many = timing(200_000, 9_000.0);
        let refused =
            write_animated(&path, format, &too_many, &job(true, Cancel::never()), &mut |_| panic!("nothing is drawn"));
        assert!(matches!(refused, Err(ExportError::TooLarge(_))), "{format:?}: {refused:?}");
        assert_eq!(fs::read(&path).unwrap(), b"mine", "{format:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no half files");
}
