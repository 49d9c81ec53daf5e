//! Cue sheets (formats/containers.md §9.6), all made.

use crate::kit::{
    containers::{ZipMember, unpacked, zip},
    exercise::promises::check_findings,
    files::Files,
    isos::{iso, raw},
    open::{Opened, Opening},
};
use bonebox::{
    formats::{EntryId, Role},
    library::OpenOptions,
};
use std::{collections::BTreeMap, fs, sync::Arc};

const FILES: &[(&str, &[u8])] = &[("Music/tune.umx", &[7; 5000]), ("Read me.txt", b"bones")];
/// Bytes of a sector of audio.
const AUDIO: usize = 2352;

fn disc() -> Vec<u8> {
    raw(&iso("BONES", FILES, true), AUDIO, 1)
}

fn audio(sectors: usize, value: u8) -> Vec<u8> {
    vec![value; sectors * AUDIO]
}

/// Minutes, seconds and frames of a sector.
fn time(sector: usize) -> String {
    format!("{:02}:{:02}:{:02}", sector / 75 / 60, sector / 75 % 60, sector % 75)
}

/// A disc of data with two tracks of audio behind it in one file, and its sheet.
fn mixed() -> (String, Vec<u8>) {
    let data = disc();
    let sectors = data.len() / AUDIO;
    let sheet = format!(
        "CATALOG 0000000000000\r\nFILE \"C:\\Discs\\Bone Game.BIN\" BINARY\r\n  TRACK 01 MODE1/2352\r\n    INDEX 01 00:00:00\r\n\
         \x20 TRACK 02 AUDIO\r\n    INDEX 00 {}\r\n    INDEX 01 {}\r\n  TRACK 03 AUDIO\r\n    INDEX 01 {}\r\n",
        time(sectors),
        time(sectors + 2),
        time(sectors + 2 + 150)
    );
    (sheet, [data, audio(2, 0), audio(150, 2), audio(75 * 61, 3)].concat())
}

fn open(sheet: &str, beside: Vec<(&'static str, Vec<u8>)>) -> Opened {
    let opened = Opening { resolver: Arc::new(Files(beside)), ..Opening::of("game.cue") }.open(sheet).unwrap();
    check_findings(opened.document.as_ref(), &opened.diagnostics);
    opened
}

/// The files by their paths.
fn members(opened: &Opened) -> BTreeMap<String, Vec<u8>> {
    let files = opened.document.outline().entries().iter().filter(|entry| entry.role == Role::Member);
    files.map(|entry| (entry.path().into_owned(), unpacked(opened, entry.id).unwrap())).collect()
}

fn paths(opened: &Opened) -> Vec<String> {
    members(opened).into_keys().collect()
}

#[test]
fn the_files_of_the_first_track_and_the_tracks_of_audio_are_listed() {
    let (sheet, image) = mixed();
    let opened = open(&sheet, vec![("bone game.bin", image)]).checked();
    assert_eq!(opened.codes(), Vec::<&str>::new());
    let mut members = members(&opened);
    for (track, sectors) in [(2, 150), (3, 75 * 61)] {
        let name = if track == 2 { "Track 02 (0m02s).wav" } else { "Track 03 (1m01s).wav" };
        let wave = members.remove(&format!("Audio tracks/{name}")).unwrap();
        let (header, samples) = wave.split_at(44);
        assert!(samples == audio(sectors, track), "{name}");
        assert_eq!((&header[..4], &header[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
        let size = u32::from_le_bytes(header[40..].try_into().unwrap());
        assert_eq!(size as usize, samples.len());
    }
    let expected: BTreeMap<String, Vec<u8>> =
        FILES.iter().map(|(path, bytes)| ((*path).into(), bytes.to_vec())).collect();
    assert_eq!(members, expected);
    assert_eq!(opened.document.reading().first().map(|choice| choice.value.as_str()), Some("joliet"));
    // Each line is a field.
    let fields = opened.document.fields(EntryId::FILE).unwrap().fields;
    assert_eq!(fields.iter().filter(|field| field.name == "TRACK").count(), 3);
    assert_eq!(fields.iter().map(|field| field.size).sum::<u64>(), sheet.len() as u64);
}

/// A sheet is small: what its discs' files may cost is bounded by the files that it names.
#[test]
fn a_large_file_of_a_disc_is_within_the_limits() {
    let large = vec![7; 50 << 20];
    let image = iso("BONES", &[("large.umx", &large)], false);
    let sheet = "FILE \"a.iso\" BINARY\n  TRACK 01 MODE1/2048\n    INDEX 01 00:00:00\n";
    let opened = open(sheet, vec![("a.iso", image)]);
    assert!(unpacked(&opened, opened.entry("large.umx")).unwrap() == large);
}

#[test]
fn a_file_for_each_track_is_found_and_one_that_is_missing_is_named() {
    let sheet = "FILE \"Game (Track 1).bin\" BINARY\n  TRACK 01 MODE1/2352\n    INDEX 01 00:00:00\n\
                 FILE \"Game (Track 2).bin\" BINARY\n  TRACK 02 AUDIO\n    INDEX 00 00:00:00\n    INDEX 01 00:00:03\n\
                 FILE \"Song.mp3\" MP3\n  TRACK 03 AUDIO\n    INDEX 01 00:00:00\n";
    let all = vec![("Game (Track 1).bin", disc()), ("game (track 2).BIN", audio(10, 5)), ("Song.mp3", b"ID3".to_vec())];
    let opened = open(sheet, all.clone());
    assert_eq!(opened.codes(), Vec::<&str>::new());
    let found = members(&opened);
    let (track, song) = ("Audio tracks/Track 02 (0m00s).wav", "Audio tracks/Song.mp3");
    assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), [song, track, "Music/tune.umx", "Read me.txt"]);
    assert!(found[track][44..] == audio(7, 5) && found[song] == b"ID3");
    // Each of them may be missing, with what it has.
    for (index, gone) in all.iter().map(|(name, _)| *name).enumerate() {
        let mut there = all.clone();
        there.remove(index);
        let opened = open(sheet, there);
        assert_eq!(opened.codes(), ["container.file-missing"]);
        let said = &opened.diagnostics[0];
        let wanted = if index == 1 { "Game (Track 2).bin" } else { gone };
        assert!(said.message.contains(wanted) && said.message.contains("next to the cue sheet"), "{}", said.message);
        let line = sheet[said.offset.unwrap() as usize..].lines().next().unwrap();
        assert!(line.contains(wanted), "{line}");
        let lost = vec![vec!["Music/tune.umx", "Read me.txt"], vec![track], vec![song]].swap_remove(index);
        assert!(found.keys().filter(|path| !lost.contains(&path.as_str())).eq(members(&opened).keys()), "{gone}");
    }
}

#[test]
fn on_the_disk_a_sheet_finds_its_file_whatever_the_case_and_both_open() {
    let folder = tempfile::tempdir().unwrap();
    let (sheet, image) = mixed();
    let (cue, bin) = (folder.path().join("Game.CUE"), folder.path().join("BONE GAME.bin"));
    fs::write(&cue, &sheet).unwrap();
    fs::write(&bin, &image).unwrap();
    for (path, format) in [(&cue, "cue"), (&bin, "iso")] {
        let opened = OpenOptions::new().open(path).unwrap();
        assert_eq!((opened.document.format().id, opened.diagnostics.len()), (format, 0));
        // A path leads into both.
        let inside = OpenOptions::new().open(path.join("Read me.txt")).err().unwrap();
        assert!(inside.message.contains("text file"), "{}", inside.message);
        let lost = OpenOptions::new().open(path.join("Nothing.txt")).err().unwrap();
        assert!(lost.message.contains("cannot find “Nothing.txt”"), "{}", lost.message);
    }
    // The same in an archive.
    let archive = folder.path().join("game.zip");
    let stored =
        [ZipMember::deflated("CD/game.cue", sheet.as_bytes()), ZipMember::deflated("CD/bone game.bin", &image)];
    fs::write(&archive, zip(&stored)).unwrap();
    let opened = OpenOptions::new().open(archive.join("CD/game.cue")).unwrap();
    assert!(opened.diagnostics.is_empty() && opened.document.outline().find_path("Music/tune.umx").is_some());
    let lost = OpenOptions::new().open(archive.join("CD/game.cue/Music/none")).err().unwrap();
    assert!(lost.message.contains("cannot find “Music/none” in game.cue"), "{}", lost.message);
    fs::remove_file(&bin).unwrap();
    let opened = OpenOptions::new().open(&cue).unwrap();
    let said: Vec<&str> = opened.diagnostics.iter().map(|found| found.code).collect();
    assert_eq!((said, opened.document.outline().entries().len()), (vec!["container.file-missing"], 1));
}

#[test]
fn what_is_no_sheet_says_so() {
    let refused = |bytes: &[u8]| Opening::of("a.cue").open(bytes).err().unwrap();
    for text in ["REM nothing", "FILE a.bin BINARY", "TRACK 01 AUDIO\nINDEX 01 00:00:00"] {
        let error = refused(text.as_bytes());
        assert_eq!(
            (error.code, error.message.contains("the cue sheet has no valid TRACK line after a FILE line")),
            (Some("container.table-invalid"), true)
        );
    }
    // Not among the limits that a person lifts: no sheet has as much.
    assert_eq!(refused(&[b'\n'; 200_000]).code, Some("container.table-invalid"));
    // What holds no disc leaves the audio.
    let sheet = "FILE a.bin BINARY\nTRACK 01 MODE1/2048\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:00:01";
    let opened = open(sheet, vec![("a.bin", vec![0; 2048 + AUDIO])]);
    assert_eq!(
        (paths(&opened), opened.codes()),
        (vec!["Audio tracks/Track 02 (0m00s).wav".to_owned()], vec!["container.data-truncated"])
    );
    let opened = open(&sheet.replace("BINARY", "MOTOROLA"), vec![("a.bin", vec![0; 9000])]);
    assert_eq!((paths(&opened), opened.codes()), (vec![], vec!["container.method-unsupported"]));
}

#[test]
fn sheets_and_images_that_are_cut_or_spoilt_list_no_more_than_they_have() {
    let (sheet, image) = mixed();
    let whole = members(&open(&sheet, vec![("bone game.bin", image.clone())]));
    let last = image.len() - 75 * 61 * AUDIO;
    for length in (0..image.len()).step_by(AUDIO * 7 + 5) {
        let opened = open(&sheet, vec![("bone game.bin", image[..length].to_vec())]);
        // Where the last track ends, the file alone says.
        assert_eq!(opened.codes().is_empty(), length > last, "{length}");
        let total: usize = members(&opened).values().map(Vec::len).sum();
        assert!(total <= length + 2 * 44, "{total} bytes of {length}");
    }
    // How words and lines are written changes nothing.
    for other in [sheet.to_lowercase(), sheet.replace("\r\n", "\n"), sheet.replace("  ", "\t")] {
        assert_eq!(members(&open(&other, vec![("bone game.bin", image.clone())])), whole, "{other}");
    }
    let mut random = fastrand::Rng::with_seed(5);
    let mut same = 0;
    for _ in 0..300 {
        let mut bytes = sheet.clone().into_bytes();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..bytes.len());
            bytes[at] = random.u8(..);
        }
        let beside = Arc::new(Files(vec![("bone game.bin", image.clone())]));
        match (Opening { resolver: beside, ..Opening::of("game.cue") }.open(bytes)) {
            Ok(opened) => {
                check_findings(opened.document.as_ref(), &opened.diagnostics);
                let found = members(&opened);
                same += usize::from(found == whole);
                assert!(found == whole || !found.contains_key("Read me.txt") || found["Read me.txt"] == b"bones");
            }
            Err(error) => assert!(error.code.is_some_and(|code| code.starts_with("container.")), "{error}"),
        }
    }
    assert!(same > 0, "a changed letter of the catalogue's number changes nothing");
}
