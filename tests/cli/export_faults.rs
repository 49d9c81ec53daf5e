//! Exports into folders that cannot be written, onto disks that fill, and of a program that is killed: no half file has its name,
//! and what is there is known.

use crate::kit::{
    self,
    program::{bonebox, command, stderr, stdout, text},
};
use bonebox::formats::actorx::{AnimInfo, AnimKey, Bone, Psa, encode_psa};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// Clips of two bones: their names and numbers of frames.
fn clips(of: &[(String, usize)]) -> Vec<u8> {
    let rotation = [0.0, 0.0, 0.0, 1.0];
    let mut psa = Psa {
        bones: ["a", "b"].map(|name| Bone { name: name.into(), rotation, ..Bone::default() }).into(),
        ..Psa::default()
    };
    let mut first = 0;
    for (name, frames) in of {
        psa.sequences.push(AnimInfo {
            name: name.clone(),
            group: "None".into(),
            total_bones: 2,
            key_quotum: (frames * 2) as i32,
            rate_hz: 30.0,
            first_raw_frame: first,
            raw_frames: *frames as i32,
            ..AnimInfo::default()
        });
        first += *frames as i32;
    }
    psa.keys = vec![AnimKey { rotation, ..AnimKey::default() }; first as usize * 2];
    encode_psa(&psa)
}

fn short_clips(count: usize) -> Vec<(String, usize)> {
    (0..count).map(|number| (format!("S{number}"), 2)).collect()
}

/// The program where no file may become larger than this, in a shell that keeps the signal away: writing fails as on a full disk.
fn limited(kib: usize, arguments: &[&str]) -> Output {
    // The shell's blocks are of 512 bytes.
    let script = format!("trap '' XFSZ; ulimit -f {} || exit 99; exec \"$0\" \"$@\"", kib * 2);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_bonebox")]).args(arguments);
    let output = shell.output().unwrap();
    assert_ne!(output.status.code(), Some(99), "the shell sets no limit");
    output
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap()
}

/// Every file below but the manifest, by its path with `/`.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
        (name, std::fs::read(path).unwrap())
    };
    kit::files_below(folder).into_iter().map(read).filter(|(name, _)| name != "manifest.json").collect()
}

fn listed(manifest: &Value) -> BTreeSet<String> {
    let items = manifest["exported"].as_array().unwrap();
    items.iter().map(|item| item["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_file_for_which_there_is_no_room_is_not_there_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("clips.psa"), folder.path().join("out"));
    let mut of = short_clips(5);
    // 128 KiB of keys.
    of.push(("Long".to_owned(), 2_048));
    std::fs::write(&source, clips(&of)).unwrap();
    let full = limited(64, &["export", text(&source), "--all", "-o", text(&target)]);
    assert_eq!(full.status.code(), Some(1), "{}", stderr(&full));
    assert!(stderr(&full).contains("Long.psa: "), "it is named: {}", stderr(&full));
    let there = files(&target);
    assert_eq!(there.len(), 5, "{:?}", there.keys());
    assert!(there.values().all(|bytes| bytes.starts_with(b"ANIMHEAD")));
    let list = manifest(&target);
    assert_eq!(listed(&list), there.keys().cloned().collect());
    assert_eq!((&list["cancelled"], &list["failed"][0]["entry"]), (&false.into(), &"ANIMINFO/Long".into()));
    // One entry alone.
    let one = folder.path().join("one.psa");
    let full = limited(64, &["export", text(&source), "Long", "-o", text(&one)]);
    assert_eq!((full.status.code(), stdout(&full)), (Some(1), ""), "{}", stderr(&full));
    assert!(!one.exists() && kit::files_below(folder.path()).len() == 7, "the source, five clips and their list");
    // What is streamed as well: a table of fields.
    let fields = folder.path().join("keys.json");
    let full = limited(64, &["export", text(&source), "ANIMKEYS", "-o", text(&fields)]);
    assert!(full.status.code() == Some(1) && !fields.exists(), "{}", stderr(&full));
    assert_eq!(kit::files_below(folder.path()).len(), 7);
}

#[test]
fn a_list_for_which_there_is_no_room_stays_whole_and_the_rest_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("clips.psa"), folder.path().join("out"));
    std::fs::write(&source, clips(&short_clips(1_000))).unwrap();
    // A clip takes less than a KiB, and the list of all of them much more than this.
    let full = limited(16, &["export", text(&source), "--all", "-o", text(&target)]);
    let said = stderr(&full);
    assert_eq!(full.status.code(), Some(1), "{said}");
    assert!(said.contains("the manifest is incomplete: "), "{said}");
    let (list, there) = (manifest(&target), files(&target));
    assert_eq!(list["cancelled"], true);
    let told = said
        .lines()
        .filter_map(|line| line.trim().strip_prefix("exported, but missing from the manifest: "))
        .map(str::to_owned);
    let known: BTreeSet<String> = listed(&list).into_iter().chain(told).collect();
    assert_eq!(known, there.keys().cloned().collect(), "{said}");
    assert!(there.len() > 10 && there.len() < 1_000, "{}", there.len());
    assert!(
        there.values().all(|bytes| bytes.starts_with(b"ANIMHEAD") && bytes.len() == there["ANIMINFO/S0.psa"].len())
    );
    assert!(stdout(&full).contains("does not list all of them"), "{}", stdout(&full));
}

#[test]
fn folders_that_cannot_be_written_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("clips.psa");
    std::fs::write(&source, clips(&short_clips(1))).unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    let below = file.join("out");
    for arguments in [&["--all"][..], &["S0", "--format", "psa"], &["--format", "json"]] {
        let refused = bonebox([&["export", text(&source)], arguments, &["-o", text(&below)]].concat());
        let said = stderr(&refused);
        assert!(refused.status.code() == Some(1) && said.contains(text(&below)), "{arguments:?}: {said}");
        assert_eq!(stdout(&refused), "");
    }
    assert_eq!(std::fs::read(&file).unwrap(), b"mine");
    assert_eq!(kit::files_below(folder.path()).len(), 2);
}

#[test]
fn a_kill_leaves_whole_files_and_temporary_ones_by_their_name() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("clips.psa");
    // Long enough to be in the midst of one.
    let of: Vec<(String, usize)> = (0..400).map(|number| (format!("S{number}"), 400)).collect();
    std::fs::write(&source, clips(&of)).unwrap();
    let whole = folder.path().join("whole");
    let done = bonebox(["export", text(&source), "--all", "-o", text(&whole)]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let wanted = files(&whole);
    assert_eq!(wanted.len(), 400);
    for (round, after) in [1, 20, 150].into_iter().enumerate() {
        let target = folder.path().join(format!("out{round}"));
        let arguments = ["export", text(&source), "--all", "-o", text(&target)];
        let mut running = command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let clips = target.join("ANIMINFO");
        let count = || std::fs::read_dir(&clips).map_or(0, Iterator::count);
        while count() < after && running.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        // SIGKILL.
        running.kill().unwrap();
        running.wait().unwrap();
        for (name, bytes) in files(&target) {
            let file = name.rsplit('/').next().unwrap();
            if let Some(of) = file.strip_prefix('.').and_then(|name| name.strip_suffix(".part")) {
                assert!(of.starts_with('S') && of.contains(".psa."), "a temporary file of a clip: {name}");
            } else {
                assert!(wanted[&name] == bytes, "{name} is not whole");
            }
        }
        for path in listed(&manifest(&target)) {
            assert!(target.join(&path).is_file(), "{path}");
        }
    }
}
