//! `pose` of J3D files against values that an independent program worked out: every file that has some.

use crate::kit::{
    self,
    j3d::own,
    near::{array, assert_near_by_size, numbers, reference},
    program::json,
};
use serde_json::Value;
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

#[track_caller]
fn assert_near(found: &Value, expected: &Value, what: &str) {
    assert_near_by_size(found, expected, 1e-4, what);
}

fn pose(arguments: &[OsString], frame: &Value, game_exact: bool) -> Value {
    let mut all: Vec<OsString> = vec!["pose".into()];
    all.extend_from_slice(arguments);
    all.extend(["--json".into(), "--frame".into(), frame.to_string().into()]);
    if game_exact {
        all.push("--game-exact".into());
    }
    json(all)
}

/// The references of a folder whose names end so.
fn references(folder: &Path, end: &str) -> Vec<(PathBuf, Value)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(end));
    paths.sort();
    assert!(!paths.is_empty(), "no {end} in {}", folder.display());
    paths.into_iter().map(|path| (path.clone(), reference(&path))).collect()
}

/// Compares an entry of a reference with what `pose` says of a material; both ways of computing.
fn check_material(entry: &Value, frame: &Value, smooth: &Value, exact: &Value, what: &str) {
    let name = entry["material"].as_str().unwrap();
    let of = |pose: &'_ Value| -> Value {
        array(&pose["materials"]).iter().find(|m| m["name"] == name).unwrap_or_else(|| panic!("{what}: {name}")).clone()
    };
    let (smooth, exact) = (of(smooth), of(exact));
    if let Some(kind) = entry["kind"].as_str() {
        let at = |material: &Value| match kind {
            "C" => material["registers"][format!("C{}", entry["reg"])].clone(),
            "K" => material["konst"][format!("K{}", entry["reg"])].clone(),
            _ => material["color"].clone(),
        };
        assert_near(&at(&smooth), &frame["rgba_float"], what);
        assert_eq!(numbers(&at(&exact)), numbers(&frame["rgba"]), "{what}, as the game");
    } else if let Some(slot) = entry["texmap"].as_u64() {
        for material in [smooth, exact] {
            assert_eq!(material["textures"][slot.to_string()], frame["value"], "{what}");
        }
    } else {
        let slot = entry["texgen"].to_string();
        assert_near(&smooth["texture_matrices"][slot], &frame["mtx"], what);
    }
}

/// Clips alone: every value of every entry at every frame.
fn check_clips(folder: &Path, files: &Path) {
    for end in ["bpk.json", "brk.json", "btp.json", "btk.json"] {
        for (path, reference) in references(folder, end) {
            let file = files.join(reference["file"].as_str().unwrap()).into_os_string();
            let entries = array(&reference["entries"]);
            assert!(!entries.is_empty(), "{}", path.display());
            let frames = array(&entries[0]["frames"]).len();
            for index in 0..frames {
                let frame = &entries[0]["frames"][index]["frame"];
                let poses = [false, true].map(|exact| pose(std::slice::from_ref(&file), frame, exact));
                for entry in entries {
                    let what = format!("{} at {frame}", path.display());
                    check_material(entry, &entry["frames"][index], &poses[0], &poses[1], &what);
                }
            }
        }
    }
}

#[test]
fn material_clips_say_what_the_references_say() {
    check_clips(&own().join("expected"), &own());
}

#[test]
fn material_clips_of_a_game_mod_say_what_the_references_say() {
    let Some(corpus) = kit::corpus() else { return };
    check_clips(&corpus.join("j3d/expected"), &corpus.join("j3d/ddd"));
}

#[test]
fn visibility_goes_by_shape() {
    for (path, reference) in references(&own().join("expected"), "bva.json") {
        let file = own().join(reference["file"].as_str().unwrap()).into_os_string();
        for entry in array(&reference["entries"]) {
            for frame in array(&entry["frames"]) {
                let shapes = pose(std::slice::from_ref(&file), &frame["frame"], false)["shapes"].clone();
                let shape = array(&shapes).iter().find(|s| s["index"] == entry["shape"]).unwrap();
                assert_eq!(shape["visible"], frame["value"] == 1, "{} {frame}", path.display());
            }
        }
    }
}

#[test]
fn joints_of_a_clip_alone_are_the_files_own_numbers() {
    for (path, reference) in references(&own().join("expected"), ".basic.float.json") {
        let clip = own().join(reference["anim"].as_str().unwrap()).into_os_string();
        for frame in array(&reference["frames"]) {
            let what = format!("{} at {}", path.display(), frame["frame"]);
            let found = pose(std::slice::from_ref(&clip), &frame["frame"], false);
            for (index, joint) in array(&found["joints"]).iter().enumerate() {
                assert_eq!(joint["index"], index);
                assert_near(&joint["scale"], &frame["scale"][index], &what);
                assert_near(&joint["euler_radians"], &frame["rot"][index], &what);
                assert_near(&joint["translation"], &frame["trans"][index], &what);
            }
            assert_eq!(array(&found["joints"]).len(), array(&frame["scale"]).len(), "{what}");
        }
    }
}

/// Every reference of a model with a clip of joints: worlds of the joints and what its vertices are drawn with.
fn check_models(end: &str, game_exact: bool) {
    for (path, reference) in references(&own().join("expected"), end) {
        let file = |key: &str| own().join(reference[key].as_str().unwrap()).into_os_string();
        for frame in array(&reference["frames"]) {
            let what = format!("{} at {}", path.display(), frame["frame"]);
            let found = pose(&[file("model"), "--clip".into(), file("anim")], &frame["frame"], game_exact);
            let worlds: Value = array(&found["bones"]).iter().map(|b| b["world"].clone()).collect();
            assert_near(&worlds, &frame["joint_world"], &what);
            assert_near(&found["draw_matrices"], &frame["draw"], &what);
        }
    }
}

#[test]
fn models_stand_where_the_references_say() {
    check_models(".float.json", false);
}

#[test]
fn models_stand_where_the_game_put_them() {
    check_models(".game.json", true);
}
