//! What exports are held to: their size, the names in their folder, what they go on from.

use crate::kit::{
    self,
    program::{Made, command, export, status, stderr, text},
};
use bonebox::{
    export::FREE_BYTES,
    formats::{
        actorx::{AnimInfo, AnimKey, Bone, Psa, encode_psa},
        archive::encode::{ArchiveFile, Folder, encode_rarc},
        charpipe::encode::{Bank, Sequence, Track, VectorCurve, encode_anm},
    },
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Stdio,
};

fn manifest(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap()
}

/// Sequences of `frames` frames for these bones, all over the same keys.
fn overlapping(names: &[String], bones: &[&str], frames: usize, rate_hz: f32) -> Vec<u8> {
    let rotation = [0.0, 0.0, 0.0, 1.0];
    let sequence = |name: &String| AnimInfo {
        name: name.clone(),
        group: "None".into(),
        total_bones: bones.len() as i32,
        key_quotum: (frames * bones.len()) as i32,
        rate_hz,
        raw_frames: frames as i32,
        ..AnimInfo::default()
    };
    encode_psa(&Psa {
        bones: bones.iter().map(|name| Bone { name: (*name).into(), rotation, ..Bone::default() }).collect(),
        sequences: names.iter().map(sequence).collect(),
        keys: vec![AnimKey { rotation, ..AnimKey::default() }; frames * bones.len()],
        ..Psa::default()
    })
}

fn numbered(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("S{number}")).collect()
}

/// A bank of a few hundred bytes with one clip that lasts so many frames.
fn long_bank(frames: f32) -> Vec<u8> {
    let mut track = Track::new(1, frames, vec![0.0]);
    track.translation = Some((VectorCurve::Linear, vec![[1.0, 2.0, 3.0].into()]));
    let sequences = vec![Sequence { name: "long".into(), tracks: vec![track] }];
    encode_anm(&Bank { sequences, ..Bank::default() })
}

fn bytes_below(folder: &Path) -> u64 {
    kit::files_below(folder).iter().map(|path| path.metadata().unwrap().len()).sum()
}

#[test]
fn a_few_bytes_do_not_become_hundreds_of_megabytes() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("long.anm"), folder.path().join("out"));
    std::fs::write(&source, long_bank(5.0e6)).unwrap();
    let refused = export(&[text(&source), "--all", "-o", text(&target)]);
    let said = stderr(&refused);
    assert_eq!(status(&refused), 1, "{said}");
    // 5,000,000 keys of 32 bytes.
    assert!(said.contains("152.6 MiB") && said.contains("64.0 MiB") && said.contains("--max-output 153M"), "{said}");
    assert!(bytes_below(&target) < 10_000, "nothing but the manifest");
    assert_eq!(manifest(&target)["failed"].as_array().unwrap().len(), 1);
    assert!(manifest(&target)["failed"][0]["over_budget"].as_u64().unwrap() > FREE_BYTES);

    let alone = folder.path().join("long.psa");
    let refused = export(&[text(&source), "-o", text(&alone)]);
    assert_eq!(status(&refused), 1);
    assert!(stderr(&refused).contains("--max-output 153M") && !alone.exists(), "{}", stderr(&refused));
}

#[test]
fn the_entries_of_a_file_share_its_bound_and_what_fits_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("many.psa");
    std::fs::write(&source, overlapping(&numbered(40), &["a", "b"], 10, 30.0)).unwrap();
    let target = folder.path().join("out");
    let cut = export(&[text(&source), "--all", "--max-output", "40K", "-o", text(&target)]);
    assert_eq!(status(&cut), 1);
    let list = manifest(&target);
    let (written, failed) = (list["exported"].as_array().unwrap().len(), list["failed"].as_array().unwrap());
    let refused = failed.iter().filter(|failed| failed["over_budget"].is_u64()).count();
    assert!(
        stderr(&cut).contains(&format!("{refused} entries failed with ")) && stderr(&cut).contains("--max-output"),
        "{}",
        stderr(&cut)
    );
    assert!(written > 5 && refused > 5 && written + refused == 40, "{written} and {refused}");
    assert!(bytes_below(&target) < 60 << 10, "{}", bytes_below(&target));
    // With more the others follow.
    let rest = export(&[text(&source), "--all", "--max-output", "1M", "--resume", "-o", text(&target)]);
    assert_eq!(status(&rest), 0, "{}", stderr(&rest));
    assert_eq!(manifest(&target)["exported"].as_array().unwrap().len(), 40);
    for wrong in ["-5", "lots", "5X", "99999999999999G", ""] {
        let option = format!("--max-output={wrong}");
        let refused = export(&[text(&source), "--all", &option, "-o", text(&folder.path().join("no"))]);
        assert_eq!(status(&refused), 2, "{wrong}");
    }
}

#[test]
fn overlapping_clips_are_refused_before_any_is_loaded() {
    let made = Made::new();
    for name in ["sheet.psa", "two.psa", "stranger.psa"] {
        std::fs::remove_file(made.path(name)).unwrap();
    }
    // 3,000 sequences over the same 8,000 frames: 2 GB of keys out of 1.3 MB.
    let clips = overlapping(&numbered(3_000), &["Root", "Middle", "Tip"], 8_000, 30.0);
    std::fs::write(made.path("sheet.psa"), clips).unwrap();
    let target = made.path("sheet.glb");
    let refused = export(&[text(&made.path("sheet.psk")), "-o", text(&target)]);
    assert_eq!(status(&refused), 1);
    assert!(stderr(&refused).contains("1.9 GiB") && stderr(&refused).contains("--max-output"), "{}", stderr(&refused));
    assert!(!target.exists());
}

#[test]
fn no_number_in_a_glb_is_none() {
    let made = Made::new();
    for (number, rate_hz) in [1e-40_f32, 1e-39, 0.0, f32::NAN, f32::INFINITY, -1.0].into_iter().enumerate() {
        let clips = made.path("odd.psa");
        std::fs::write(&clips, overlapping(&numbered(1), &["Root", "Middle", "Tip"], 3, rate_hz)).unwrap();
        let target = made.path(&format!("odd{number}.glb"));
        let done = export(&[text(&made.path("sheet.psk")), "--clip", text(&clips), "-o", text(&target)]);
        assert_eq!(status(&done), 0, "{rate_hz}: {}", stderr(&done));
        assert!(stderr(&done).contains("actorx.bad-rate"), "{rate_hz}: {}", stderr(&done));
        let glb = std::fs::read(&target).unwrap();
        let json = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
        let json = std::str::from_utf8(&glb[20..20 + json]).unwrap();
        assert!(!json.contains("null"), "{rate_hz}: {json}");
        assert_eq!(gltf::Gltf::open(&target).unwrap().animations().count(), 1);
    }
}

#[test]
fn files_and_folders_of_one_name_all_arrive() {
    let outer = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| ArchiveFile { name: name.into(), bytes: bytes.to_vec() };
    let folder = |name: &str, files| Folder { name: name.into(), files, folders: Vec::new() };
    let root = Folder {
        name: "root".into(),
        files: vec![file("data", b"1"), file("x.bin", b"2")],
        folders: vec![
            folder("DATA", vec![file("inner", b"3")]),
            folder("manifest.json", vec![file("inner", b"4")]),
            folder("Data", vec![file("inner", b"5")]),
        ],
    };
    let source = outer.path().join("clash.arc");
    std::fs::write(&source, encode_rarc(&root)).unwrap();
    let target = outer.path().join("out");
    let done = export(&[text(&source), "--unpack", "-o", text(&target)]);
    assert_eq!(status(&done), 0, "{}", stderr(&done));
    let list = "manifest (2).json";
    assert!(String::from_utf8_lossy(&done.stdout).contains(list), "the list is named");
    let mut found: Vec<Vec<u8>> = kit::files_below(&target)
        .into_iter()
        .filter(|path| !path.ends_with(list))
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    found.sort();
    assert_eq!(found, [b"1", b"2", b"3", b"4", b"5"].map(|bytes| bytes.to_vec()));
    assert!(target.join("manifest.json").is_dir());
    // No two names differ by case alone.
    let lower = |path: &PathBuf| path.to_string_lossy().to_lowercase();
    let names: std::collections::HashSet<String> = kit::files_below(&target).iter().map(lower).collect();
    assert_eq!(names.len(), 6);
}

#[test]
fn an_export_that_ended_early_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("clips.psa"), folder.path().join("out"));
    std::fs::write(&source, overlapping(&numbered(4), &["a", "b"], 2, 30.0)).unwrap();
    let run = |more: &[&str]| export(&[&[text(&source), "--all", "-o", text(&target)], more].concat());
    let at = |name: &str| target.join("ANIMINFO").join(name);
    // Nothing to go on from is no mistake.
    assert_eq!(status(&run(&["--resume"])), 0);
    assert_eq!(manifest(&target)["exported"].as_array().unwrap().len(), 4);
    assert_eq!(status(&run(&[])), 1, "without it nothing is touched");

    let same_size = vec![b'x'; at("S0.psa").metadata().unwrap().len() as usize];
    std::fs::write(at("S0.psa"), &same_size).unwrap();
    std::fs::remove_file(at("S1.psa")).unwrap();
    std::fs::write(at("S2.psa"), b"another size").unwrap();
    let again = run(&["--resume"]);
    assert_eq!(status(&again), 1, "what somebody changed stays: {}", stderr(&again));
    assert_eq!(std::fs::read(at("S0.psa")).unwrap(), same_size, "what is listed and there is left alone");
    assert!(at("S1.psa").is_file());
    assert_eq!(std::fs::read(at("S2.psa")).unwrap(), b"another size");
    let list = manifest(&target);
    assert_eq!((list["exported"].as_array().unwrap().len(), list["failed"].as_array().unwrap().len()), (3, 1));
    assert_eq!(status(&run(&["--resume", "--force"])), 0);
    assert!(std::fs::read(at("S2.psa")).unwrap().starts_with(b"ANIMHEAD"));
    assert_eq!(std::fs::read(at("S0.psa")).unwrap(), same_size);

    std::fs::write(target.join("manifest.json"), "no list").unwrap();
    let refused = run(&["--resume"]);
    assert!(status(&refused) == 1 && stderr(&refused).contains("cannot resume from"), "{}", stderr(&refused));
    let one = export(&[text(&source), "--resume", "-o", text(&folder.path().join("one.psa"))]);
    assert_eq!(status(&one), 2);
}

#[test]
fn a_program_that_is_killed_leaves_a_list_of_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("clips.psa"), folder.path().join("out"));
    std::fs::write(&source, overlapping(&numbered(3_000), &["a", "b"], 2, 30.0)).unwrap();
    let arguments = ["export", text(&source), "--all", "-o", text(&target)];
    let mut running = command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // Whenever it ends, the list is whole: most often that is after a few entries.
    let list = target.join("manifest.json");
    while !std::fs::read_to_string(&list).is_ok_and(|text| text.contains("ANIMINFO")) {
        assert!(running.try_wait().unwrap().is_none_or(|status| status.success()));
        std::thread::yield_now();
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let listed = manifest(&target);
    let items = listed["exported"].as_array().unwrap();
    assert!(!items.is_empty());
    for item in items {
        let path = target.join(item["path"].as_str().unwrap());
        assert_eq!(path.metadata().unwrap().len(), item["size"].as_u64().unwrap(), "{path:?}");
    }
    assert_eq!(listed["cancelled"], items.len() < 3_000);
}

/// The files below a folder, with their bytes.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let read = |path: PathBuf| (path.strip_prefix(folder).unwrap().to_owned(), std::fs::read(path).unwrap());
    kit::files_below(folder).into_iter().map(read).collect()
}

#[test]
fn what_a_killed_export_left_is_cleared_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let (source, whole, target) =
        (folder.path().join("clips.psa"), folder.path().join("whole"), folder.path().join("out"));
    std::fs::write(&source, overlapping(&numbered(6), &["a", "b"], 2, 30.0)).unwrap();
    let run = |to: &Path, more: &[&str]| export(&[&[text(&source), "--all", "-o", text(to)], more].concat());
    for to in [&whole, &target] {
        assert_eq!(status(&run(to, &[])), 0);
    }
    let wanted = contents(&whole);
    assert_eq!(contents(&target), wanted);

    // Killed when two files were listed, a third one had its name already, and two were being written.
    let mut list = manifest(&target);
    list["exported"].as_array_mut().unwrap().truncate(2);
    list["cancelled"] = true.into();
    let half = "half of it";
    let at = |name: &str| target.join("ANIMINFO").join(name);
    let parts = [at(".S3.psa.4294967295-7.part"), at(".S4.psa.4294967295-8.part"), target.join(".a.4294967295-9.part")];
    ["S3.psa", "S4.psa", "S5.psa"].iter().for_each(|name| std::fs::remove_file(at(name)).unwrap());
    parts.iter().for_each(|part| std::fs::write(part, half).unwrap());
    let text_of_list = serde_json::to_string(&list).unwrap();
    std::fs::write(target.join("manifest.json"), &text_of_list).unwrap();
    // Another program is at work.
    let running = at(".S5.psa.4294967294-0.part");
    let lock = std::fs::File::create(&running).unwrap();
    lock.lock().unwrap();

    let refused = run(&target, &[]);
    assert!(status(&refused) == 1 && stderr(&refused).contains("--resume"), "{}", stderr(&refused));
    assert_eq!(std::fs::read_to_string(target.join("manifest.json")).unwrap(), text_of_list);
    let resumed = run(&target, &["--resume"]);
    assert_eq!(status(&resumed), 0, "{}", stderr(&resumed));
    assert!(running.exists());
    std::fs::remove_file(&running).unwrap();
    assert_eq!(contents(&target), wanted);

    // One entry alone clears its folder, too.
    drop(lock);
    std::fs::write(&running, half).unwrap();
    assert_eq!(status(&export(&[text(&source), "S0", "--force", "-o", text(&at("S0.psa"))])), 0);
    assert!(!running.exists());
}

#[cfg(unix)]
#[test]
fn devices_and_folders_are_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("clips.psa");
    std::fs::write(&source, overlapping(&numbered(1), &["a"], 2, 30.0)).unwrap();
    let device = folder.path().join("device.psa");
    std::os::unix::fs::symlink("/dev/null", &device).unwrap();
    let refused = export(&[text(&source), "S0", "--force", "-o", text(&device)]);
    assert_eq!(status(&refused), 1, "{}", stderr(&refused));
    assert!(stderr(&refused).contains("not overwritten"), "{}", stderr(&refused));
    assert_eq!(std::fs::read_link(&device).unwrap(), Path::new("/dev/null"));
}
