//! Exit statuses as CLI.md has them: scripts rely on them.

use crate::{
    args,
    kit::{
        self,
        program::{bonebox, command, stderr},
    },
};
use std::{ffi::OsString, fs, process::Stdio};

#[test]
fn exit_statuses_are_those_of_the_documentation() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let sample = |name: &str| kit::samples().join(name);
    let (psk, psa, room) = (sample("Ossie.psk"), sample("Ossie.psa"), sample("BoneRoom.unr"));
    let whole = fs::read(&psk).unwrap();
    fs::write(at("cut.psk"), &whole[..whole.len() / 3]).unwrap();
    fs::write(at("empty.psk"), "").unwrap();
    fs::write(at("there.glb"), "something").unwrap();
    let [walk, idle] = ["Walk", "Idle"].map(|clip| format!("{}::{clip}", psa.display()));
    let expected: Vec<(i32, Vec<OsString>)> = vec![
        // Done; damage is told of.
        (0, args!["list", at("cut.psk")]),
        (0, args!["inspect", at("cut.psk")]),
        (0, args!["verify", psk]),
        (0, args!["export", psk, "-o", at("new.glb")]),
        (0, args!["diff", psk, psk]),
        (0, args!["find", kit::samples(), "ossie"]),
        // It cannot be opened, is not in it, cannot be written, is not found.
        (1, args!["list", at("missing.psk")]),
        (1, args!["inspect", psk, "#9999"]),
        (1, args!["export", psk, "-o", at("there.glb")]),
        (1, args!["export", psk, "-o", at("picture.png")]),
        (1, args!["find", kit::samples(), "zzqqx"]),
        // An error in it, an entry that failed.
        (1, args!["verify", at("cut.psk")]),
        (1, args!["list", folder.path()]),
        (0, args!["index", at("empty.psk"), "--format", "jsonl"]),
        (1, args!["index", at("missing.psk"), "--format", "jsonl"]),
        (1, args!["export", room, "--all", "--max-output", "1K", "-o", at("all")]),
        // As diff(1).
        (1, args!["diff", psk, at("cut.psk")]),
        (2, args!["diff", psk, at("missing.psk")]),
        // Wrong usage.
        (2, args!["list"]),
        (2, args!["no-such-verb", psk, "--json"]),
        (2, args!["list", psk, "--reading", "strings=inclusive"]),
        (2, args!["pose", psk, "--clip", walk, "--clip", idle]),
        (2, args!["export", psk, "-o", at("what.zzz")]),
    ];
    for (status, arguments) in expected {
        let output = command(&arguments).env("BONEBOX_COLLECTIONS", at("index")).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", stderr(&output));
    }
    assert_eq!(fs::read(at("there.glb")).unwrap(), b"something");
    assert!(stderr(&bonebox(args!["list", at("cut.psk")])).contains("[actorx."));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let arguments = args!["inspect", kit::samples().join("Ossie.psk"), "PNTS0000", "--json", "--full"];
    let mut child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
}
