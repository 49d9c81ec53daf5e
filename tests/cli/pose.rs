//! `pose` through the program itself: by hand on a small made file, and against the reference poses.

use crate::{
    args,
    kit::{
        self,
        near::{self, numbers},
        program::{Made, SIDE, bonebox, json, sheet, stderr, stdout},
    },
};
use bonebox::formats::actorx::encode_psk;
use serde_json::Value;
use std::{ffi::OsString, fs, path::Path};

#[track_caller]
fn assert_near(found: &Value, expected: &[f64]) {
    near::assert_near(found, expected, 1e-5, "");
}

#[test]
fn a_bent_sheet_stands_where_the_hand_puts_it() {
    let made = Made::new();
    let (psk, psa) = (made.path("sheet.psk"), made.path("sheet.psa"));
    let output = bonebox(args!["pose", psk, "--clip", psa, "--frame", "2", "--json"]);
    let text = stdout(&output);
    let keys: Vec<usize> = ["model", "clips", "frame", "bones", "points", "normals", "morphs"]
        .iter()
        .map(|key| text.find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("{key}")))
        .collect();
    assert!(keys.is_sorted(), "keys in the documented order");
    let pose: Value = serde_json::from_str(text).unwrap();
    assert_eq!(pose["frame"], 2.0);
    let bones = pose["bones"].as_array().unwrap();
    let names: Vec<&str> = bones.iter().map(|b| b["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Root", "Middle", "Tip"]);
    let parents: Vec<i64> = bones.iter().map(|b| b["parent"].as_i64().unwrap()).collect();
    assert_eq!(parents, [-1, 0, 1]);
    // 90° about X, 5 up.
    let turned = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 5.0];
    assert_near(&bones[1]["local"], &turned);
    assert_near(&bones[1]["world"], &turned);
    assert_near(&bones[2]["local"], &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 4.0]);
    assert_near(&bones[2]["world"], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, -4.0, 0.0, 1.0, 0.0, 5.0]);
    let points = pose["points"].as_array().unwrap();
    assert_eq!(points.len(), SIDE * SIDE);
    assert_near(&points[3], &[3.0, 0.0, 0.0]);
    assert_near(&points[9 * SIDE + 3], &[3.0, -4.0, 5.0]);
    assert_eq!(pose["normals"].as_array().unwrap().len(), points.len());
    assert!(!text.contains("-0.0"), "no negative zeros");
}

#[test]
fn frames_are_held_and_seconds_loop() {
    let made = Made::new();
    let clip = format!("{}::bend", made.path("sheet.psa").display());
    let frame = |switch: &str, value: &str| {
        json(args!["pose", made.path("sheet.psk"), "--clip", clip, switch, value, "--json"])["frame"].as_f64().unwrap()
    };
    assert_eq!(frame("--frame", "0.5"), 0.5);
    assert_eq!(frame("--frame", "99"), 2.0);
    assert_eq!(frame("--frame", "-1"), 0.0);
    // Three frames at 2 Hz: a run takes 1.5 s.
    assert_eq!(frame("--time", "0.5"), 1.0);
    assert_eq!(frame("--time", "1.25"), 2.5);
    assert_eq!(frame("--time", "1.75"), 0.5);
}

#[test]
fn a_clip_alone_prints_its_keys_as_stored() {
    let made = Made::new();
    let pose = json(args!["pose", made.path("sheet.psa"), "--frame", "2", "--json"]);
    assert_eq!(pose["model"], Value::Null);
    assert_eq!(pose["frame"], 2.0);
    let joints = pose["joints"].as_array().unwrap();
    assert_eq!(joints.len(), 3);
    assert_eq!((&joints[1]["index"], &joints[1]["name"]), (&Value::from(1), &Value::from("Middle")));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert_near(&joints[1]["rotation"], &[-half, 0.0, 0.0, half]);
    assert_near(&joints[1]["translation"], &[0.0, 0.0, 5.0]);
    assert_near(&joints[1]["scale"], &[1.0, 1.0, 1.0]);
    // The switch is about the mesh's root: without a mesh it changes nothing.
    let switched = json(args!["pose", made.path("sheet.psa"), "--frame", "2", "--root-conjugate", "on", "--json"]);
    assert_eq!(switched["joints"], pose["joints"]);
    // Its own skeleton is a model like any other.
    let skeleton = json(args!["pose", made.path("sheet.psa"), "Skeleton", "--json"]);
    assert_eq!(skeleton["bones"].as_array().unwrap().len(), 3);
}

#[test]
fn without_an_entry_there_must_be_one_that_fits() {
    let made = Made::new();
    let several = bonebox(args!["pose", made.path("two.psa"), "--json"]);
    assert_eq!(several.status.code(), Some(1));
    assert!(several.stdout.is_empty());
    for name in ["ANIMINFO/Bend", "ANIMINFO/Bow"] {
        assert!(stderr(&several).contains(name), "{}", stderr(&several));
    }
    let clip = bonebox(args!["pose", made.path("sheet.psk"), "--clip", made.path("two.psa")]);
    assert_eq!(clip.status.code(), Some(1));
    assert!(stderr(&clip).contains("ANIMINFO/Bow"));
    let wrong = bonebox(args!["pose", made.path("sheet.psk"), "MATT0000/Skin"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stderr(&wrong).contains("Mesh"), "{}", stderr(&wrong));
}

#[test]
fn clips_that_cannot_play_are_refused() {
    let made = Made::new();
    let psk = made.path("sheet.psk");
    let stranger = bonebox(args!["pose", psk, "--clip", made.path("stranger.psa")]);
    assert_eq!(stranger.status.code(), Some(1));
    assert!(stderr(&stranger).contains("different skeletons"), "{}", stderr(&stranger));
    let both = bonebox(args!["pose", psk, "--clip", made.path("sheet.psa"), "--clip", made.path("sheet.psa")]);
    assert_eq!(both.status.code(), Some(2));
    assert!(stderr(&both).contains("only one"), "{}", stderr(&both));
}

#[test]
fn the_switches_reach_the_pose() {
    let made = Made::new();
    let mut psk = sheet("Skin");
    // Shorter than the clip's keys say.
    psk.bones[1].position = [0.0, 0.0, 3.0];
    fs::write(made.path("short.psk"), encode_psk(&psk)).unwrap();
    let height = |switches: Vec<OsString>| {
        let psk = made.path("short.psk");
        let psa = made.path("sheet.psa");
        let mut args = args!["pose", psk, "--clip", psa, "--json"];
        args.extend(switches);
        numbers(&json(args)["bones"][1]["local"])[11]
    };
    assert_eq!(height(vec![]), 5.0);
    assert_eq!(height(args!["--translation", "clip"]), 5.0);
    assert_eq!(height(args!["--translation", "mesh"]), 3.0);
    assert_eq!(height(args!["--additive"]), 8.0);
    psk.bones[0].rotation = [0.6, 0.0, 0.0, 0.8];
    fs::write(made.path("turned.psk"), encode_psk(&psk)).unwrap();
    let sine = |root: &str| {
        let pose = json(args!["pose", made.path("turned.psk"), "--root-conjugate", root, "--json"]);
        numbers(&pose["bones"][0]["local"])[9]
    };
    for (root, expected) in [("auto", 0.96), ("off", 0.96), ("on", -0.96)] {
        assert!((sine(root) - expected).abs() < 1e-6, "{root}: {}", sine(root));
    }
}

#[test]
fn damaged_numbers_still_make_a_json_document() {
    let made = Made::new();
    let mut psk = sheet("Skin");
    psk.points[7] = [f32::NAN, f32::INFINITY, 1.0];
    psk.bones[1].rotation = [f32::NAN; 4];
    fs::write(made.path("nan.psk"), encode_psk(&psk)).unwrap();
    let pose = json(args!["pose", made.path("nan.psk"), "--json"]);
    assert_eq!(pose["points"].as_array().unwrap().len(), SIDE * SIDE);
    let fields = json(args!["inspect", made.path("nan.psk"), "PNTS0000", "--json"]);
    // The fields show what is stored, as well as JSON can; a point that is nowhere is drawn at the origin, an unknown turn is
    // none.
    let rows = fields["fields"].as_array().unwrap().iter().find(|field| field["rows"] == 100).unwrap();
    assert_eq!(rows["fields"][7]["value"], serde_json::json!([null, null, 1.0]));
    assert_near(&pose["points"][7], &[0.0; 3]);
    assert_near(&pose["points"][8], &[8.0, 0.0, 0.0]);
    assert_near(&pose["bones"][1]["world"], &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 5.0]);
}

/// Worst distance between what the program prints and a file of reference poses, as a share of the posed diagonal.
fn worst(folder: &Path, expected: &Value) -> f64 {
    let name = |key: &str| folder.join(expected[key].as_str().unwrap());
    let clip = format!("{}::{}", name("psa").display(), expected["sequence"].as_str().unwrap());
    let samples: Vec<usize> =
        expected["sample_point_indices"].as_array().unwrap().iter().map(|i| i.as_u64().unwrap() as usize).collect();
    let mut worst = 0.0_f64;
    for reference in expected["poses"].as_array().unwrap() {
        let frame = reference["frame"].to_string();
        let pose = json(args!["pose", name("psk"), "--clip", clip, "--frame", frame, "--json"]);
        let (low, high) = (numbers(&reference["bbox"][0]), numbers(&reference["bbox"][1]));
        let diagonal = low.iter().zip(&high).map(|(a, b)| (b - a).powi(2)).sum::<f64>().sqrt();
        let mut compare = |found: &[f64], expected: &Value| {
            let distance = found.iter().zip(numbers(expected)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            worst = worst.max(distance / diagonal);
        };
        assert_eq!(samples.len(), reference["points"].as_array().unwrap().len());
        for (index, point) in samples.iter().zip(reference["points"].as_array().unwrap()) {
            compare(&numbers(&pose["points"][*index]), point);
        }
        let bones = pose["bones"].as_array().unwrap();
        assert_eq!(bones.len(), reference["bone_world_pos"].as_array().unwrap().len());
        for (bone, position) in bones.iter().zip(reference["bone_world_pos"].as_array().unwrap()) {
            let world = numbers(&bone["world"]);
            compare(&[world[3], world[7], world[11]], position);
        }
    }
    worst
}

#[test]
fn every_reference_pose_is_met() {
    let Some(corpus) = kit::corpus() else { return };
    let folder = corpus.join("actorx");
    let files = kit::files_below(&folder.join("expected"));
    assert!(files.len() >= 13, "{} files", files.len());
    for file in files {
        let expected: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let worst = worst(&folder, &expected);
        assert!(worst <= 1e-4, "{}: {worst} of the diagonal", file.display());
    }
}
