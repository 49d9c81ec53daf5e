//! Banks played on models, against values that another evaluator worked out, and by hand.

use crate::kit::{
    self,
    near::{assert_near, numbers, reference},
    open::{clip_in, load_of, model_in},
    program::json,
};
use bonebox::{
    bytes::Cancel,
    formats::Content,
    library::{Home, OpenFile, OpenOptions, fits_for},
    scene::{
        Binding, BindingOptions, Clip, Frame, JointIndex, Layer, Model, evaluate,
        skinning::{rows, skinned_points},
    },
};
use serde_json::Value;
use std::{ffi::OsString, path::PathBuf, sync::Arc};

fn file(name: &str) -> PathBuf {
    kit::data().join("charpipe").join(name)
}

fn open(name: &str) -> Arc<OpenFile> {
    Arc::new(OpenOptions::new().open(file(name)).unwrap())
}

fn model_of(file: &OpenFile) -> Arc<Model> {
    model_in(load_of(file, file.entries_with(Content::Model)[0]))
}

fn clips_of(file: &OpenFile) -> Vec<Arc<Clip>> {
    file.entries_with(Content::Clip).into_iter().map(|entry| clip_in(load_of(file, entry))).collect()
}

fn posed(model: &Model, clip: &Clip, frame: f32) -> Frame {
    let binding = Binding::new(clip, model, BindingOptions::default());
    let mut out = Frame::default();
    evaluate(model, &[Layer { clip, binding: &binding, frame, looping: true }], &[], &mut out);
    out
}

/// How far a number may be from what is expected.
const NEAR: f64 = 1e-4;

/// Each sequence and time with what is expected there.
fn expected(name: &str) -> Vec<Value> {
    reference(&file("expected.json"))[name]["anim"].as_array().unwrap().clone()
}

#[test]
fn bones_stand_where_they_should_at_every_listed_time() {
    let mut compared = 0;
    for name in ["arm_full", "arm_sdk"] {
        let model = model_of(&open(&format!("{name}.model")));
        let clips = clips_of(&open(&format!("{name}.anm")));
        for moment in expected(name) {
            let clip = &clips[moment["seq"].as_u64().unwrap() as usize];
            assert_eq!(clip.name, moment["name"].as_str().unwrap());
            let time = moment["time"].as_f64().unwrap() as f32;
            let frame = posed(&model, clip, time);
            for (joint, wanted) in (0_u32..).zip(moment["local"].as_array().unwrap()) {
                let local = frame.local(JointIndex(joint)).unwrap();
                let what = format!("{name} {} at {time}, bone {joint}", clip.name);
                assert_near(&rows(&local), wanted, NEAR, what);
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn what_was_worked_out_by_hand_for_the_relative_tracks() {
    let model = model_of(&open("arm_sdk.model"));
    let clip = &clips_of(&open("arm_sdk.anm"))[0];
    let bone = |time, joint| posed(&model, clip, time).local(JointIndex(joint)).unwrap();
    let found = bone(3.0, 1).translation;
    assert_eq!((found.x, found.y), (1.375, 0.1875));
    // 350° to 30° the short way, three quarters on.
    let (sine, cosine) = 20.0_f32.to_radians().sin_cos();
    let found = bone(3.0, 2).matrix3;
    assert_near(&[found.x_axis.x, found.x_axis.y], &[cosine, sine], NEAR, "20 degrees");
    assert_eq!(bone(7.5, 1).translation.x, 1.0625);
    // A round of 8 frames later everything is where it was.
    for (time, joint) in [(3.0, 1), (7.5, 1), (3.0, 2), (5.25, 2)] {
        assert_near(&rows(&bone(time + 8.0, joint)), &rows(&bone(time, joint)), NEAR, "a round later");
    }
}

#[test]
fn loose_files_are_the_same_model_under_the_same_clip() {
    let clip = &clips_of(&open("arm_sdk.anm"))[0];
    let [block, loose] = ["arm_sdk.model", "arm_sdk.act"].map(|name| model_of(&open(name)));
    let [a, b] = [&block, &loose].map(|model| posed(model, clip, 3.0));
    assert_eq!(a.world_from_joint, b.world_from_joint);
    assert!(!a.world_from_joint.is_empty());
}

#[test]
fn a_bank_is_offered_as_a_whole_and_that_of_the_models_name_first() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: &str, to: &str| {
        let path = folder.path().join(to);
        std::fs::copy(file(from), &path).unwrap();
        Arc::new(OpenOptions::new().open(&path).unwrap())
    };
    let model_file = copy("arm_sdk.model", "hero.model");
    // The other bank moves a bone more.
    let banks = [copy("arm_full.anm", "wolf.anm"), copy("arm_sdk.anm", "hero.anm")];
    let model = model_of(&model_file);
    let home = Home::of_model(&model_file, model_file.entries_with(Content::Model)[0]);
    let fits = fits_for(&banks, &model, &home, Cancel::never());
    let names: Vec<(&str, usize, bool)> =
        fits.iter().map(|f| (f.file.name.as_str(), f.entries.len(), f.belongs())).collect();
    assert_eq!(names, [("hero.anm", 1, true), ("wolf.anm", 2, false)]);
    assert_eq!(fits[0].reason(), "same folder, 2 of 2 tracks move 2 of 3 bones, same name as the model");
}

fn pose(arguments: &[&str]) -> Value {
    json([&["pose"], arguments, &["--json"]].concat().into_iter().map(OsString::from).collect())
}

#[test]
fn a_clip_alone_prints_what_it_drives_and_nothing_else() {
    let path = file("arm_full.anm").display().to_string();
    let wave = pose(&[&path, "wave", "--frame", "20"]);
    let joints = wave["joints"].as_array().unwrap();
    assert_eq!(joints.len(), 3);
    assert_eq!((joints[0]["name"].as_str(), &joints[0]["scale"]), (Some("track 1"), &Value::Null));
    assert_near(&joints[0]["translation"], &[0.25, 0.5, 0.0], NEAR, "track 1");
    assert!(joints[0]["rotation"].is_array() && joints[1]["translation"].is_null() && joints[2]["rotation"].is_null());
    assert_near(&joints[2]["scale"], &[1.5, 0.75, 1.0], NEAR, "track 3");
    assert_near(&joints[2]["translation"], &[1.25, 0.25, 0.0], NEAR, "track 3");
    // 60 frames a second, and frames past the end go round.
    let at = |arguments: &[&str]| pose(&[&[path.as_str(), "wave"], arguments].concat())["joints"].clone();
    assert_eq!(at(&["--time", "0.25"]), at(&["--frame", "15"]));
    assert_eq!(at(&["--frame", "50"]), wave["joints"]);

    let path = file("arm_sdk.anm").display().to_string();
    let rel = pose(&[&path, "--frame", "3"]);
    assert_eq!(rel["joints"][0]["relative"], true);
    let degrees = numbers(&rel["joints"][1]["euler_radians"])[2].to_degrees();
    assert_near(&degrees, &20.0, NEAR, "degrees");
}

#[test]
fn a_model_under_a_clip_is_printed_at_the_banks_own_time() {
    let [model, clip] = ["arm_sdk.model", "arm_sdk.anm"].map(|name| file(name).display().to_string());
    for (time, x) in [("3", 1.375), ("7.5", 1.0625), ("15.5", 1.0625)] {
        let pose = pose(&[&model, "--clip", &clip, "--frame", time]);
        assert_eq!(pose["bones"][1]["local"][3], x, "frame {time}");
    }
}

#[test]
fn points_stand_where_they_should_at_every_listed_time() {
    for name in ["arm_full", "arm_sdk"] {
        let model = model_of(&open(&format!("{name}.model")));
        let clips = clips_of(&open(&format!("{name}.anm")));
        let mesh = model.meshes.iter().find(|m| m.fixed_skin.is_some()).unwrap();
        for moment in expected(name) {
            let clip = &clips[moment["seq"].as_u64().unwrap() as usize];
            let time = moment["time"].as_f64().unwrap() as f32;
            let points = skinned_points(&model, mesh, &posed(&model, clip, time));
            for (slot, wanted) in moment["positions"].as_object().unwrap() {
                let found = points[slot.parse::<usize>().unwrap()];
                let what = format!("{name} {} at {time}, slot {slot}", clip.name);
                assert_near(&found, &numbers(wanted)[..3], NEAR, what);
            }
        }
    }
}
