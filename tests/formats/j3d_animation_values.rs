//! What clips of J3D animations say at frames, against values that other readers worked out.

use crate::kit::{
    self, j3d,
    near::{assert_near, assert_near_by_size, reference},
    open::{clip_in, open},
};
use bonebox::{
    formats::EntryId,
    scene::{Channel, Clip, ClipJoint, ClipMaterial, JointAddressing, MeshIndex, SrtPart, Target, gx::srt},
};
use serde_json::Value;
use std::{path::Path, sync::Arc};

fn clip_of(path: &Path) -> Arc<Clip> {
    let name = path.file_name().unwrap().to_str().unwrap();
    clip_in(open(name, std::fs::read(path).unwrap()).asset(EntryId::FILE))
}

/// Expected values of files of these kinds, with the file's clip: `own` of the project's, and `others` of the corpus.
fn expected(extensions: &[&str], own: usize, others: usize) -> Vec<(String, Value, Arc<Clip>)> {
    let corpus = kit::corpus_beside();
    let mut folders = vec![(j3d::own().join("expected"), j3d::own())];
    folders.extend(corpus.as_ref().map(|corpus| (corpus.join("j3d/expected"), corpus.join("j3d/ddd"))));
    let mut found = Vec::new();
    for (values, files) in folders {
        for path in kit::files_below(&values) {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if extensions.iter().any(|extension| name.ends_with(extension)) {
                found.push((name.clone(), reference(&path), clip_of(&files.join(&name))));
            }
        }
    }
    assert_eq!(found.len(), own + if corpus.is_some() { others } else { 0 });
    found
}

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

fn value_at(channel: Option<&Channel>, frame: f32, exact: bool) -> Option<f32> {
    let channel = channel?;
    Some(channel.unit.real(channel.sampler.scalar(frame, None)?, exact))
}

fn at(clip: &Clip, target: &Target, frame: f32, exact: bool) -> Option<f32> {
    value_at(clip.channels.iter().find(|c| c.target == *target), frame, exact)
}

#[test]
fn colours_are_the_expected_ones_smooth_and_exact() {
    let mut compared = 0;
    for (name, json, clip) in expected(&[".brk", ".bpk"], 2, 5) {
        assert_eq!(clip.frame_count, json["duration"].as_u64().unwrap_or(u64::from(clip.frame_count)) as u32);
        for (index, entry) in json["entries"].as_array().unwrap().iter().enumerate() {
            let material = ClipMaterial(index as u32);
            let id = entry["reg"].as_u64().unwrap() as u8;
            assert_eq!(clip.materials[index], entry["material"].as_str().unwrap(), "{name} {index}");
            for frame in entry["frames"].as_array().unwrap() {
                for part in 0..4_u8 {
                    let target = match entry["kind"].as_str().unwrap() {
                        "C" => Target::Register { material, register: id, part },
                        "K" => Target::Konst { material, konst: id, part },
                        _ => Target::MaterialColor { material, part },
                    };
                    let time = number(&frame["frame"]);
                    let smooth = at(&clip, &target, time, false).unwrap();
                    let wanted = &frame["rgba_float"][usize::from(part)];
                    // The references have seven digits.
                    assert_near(&smooth, wanted, 2e-3, format_args!("{name} {target:?} {time}"));
                    let exact = at(&clip, &target, time, true).unwrap();
                    assert_eq!(exact, number(&frame["rgba"][usize::from(part)]), "{name} {target:?} {time}");
                    compared += 1;
                }
            }
        }
    }
    let least = if kit::corpus_beside().is_some() { 1000 } else { 100 };
    assert!(compared > least, "{compared}");
}

#[test]
fn texture_matrices_are_the_expected_ones() {
    for (name, json, clip) in expected(&[".btk"], 2, 2) {
        for (index, entry) in json["entries"].as_array().unwrap().iter().enumerate() {
            let group = clip.texture_groups[index];
            assert_eq!(
                clip.materials[group.material.as_usize()],
                entry["material"].as_str().unwrap(),
                "{name} {index}"
            );
            assert_eq!(u64::from(group.slot), entry["texgen"].as_u64().unwrap());
            assert_eq!(group.center[0], number(&entry["center"][0]));
            for frame in entry["frames"].as_array().unwrap() {
                let time = number(&frame["frame"]);
                let part = |part, default| {
                    let target = Target::TextureSrt { group: index as u32, part };
                    at(&clip, &target, time, false).unwrap_or(default)
                };
                let scale = [part(SrtPart::ScaleS, 1.0), part(SrtPart::ScaleT, 1.0)];
                let translation = [part(SrtPart::TranslationS, 0.0), part(SrtPart::TranslationT, 0.0)];
                let rotation = part(SrtPart::Rotation, 0.0);
                let matrix = srt(group.maya, group.center, scale, rotation, translation);
                assert_near_by_size(&matrix, &frame["mtx"], 1e-4, format_args!("{name} {index} frame {time}"));
            }
        }
    }
}

#[test]
fn textures_and_visibility_are_the_expected_ones() {
    for (name, json, clip) in expected(&[".btp", ".bva"], 2, 2) {
        for (index, entry) in json["entries"].as_array().unwrap().iter().enumerate() {
            let target = match entry["texmap"].as_u64() {
                Some(slot) => Target::TextureSlot { material: ClipMaterial(index as u32), slot: slot as u8 },
                None => Target::Visibility { mesh: MeshIndex(entry["shape"].as_u64().unwrap() as u32) },
            };
            if let Some(material) = entry["material"].as_str() {
                assert_eq!(clip.materials[index], material);
            }
            for frame in entry["frames"].as_array().unwrap() {
                let time = number(&frame["frame"]);
                assert_eq!(at(&clip, &target, time, false), Some(number(&frame["value"])), "{name} {target:?} {time}");
            }
        }
    }
}

/// Joints before the hierarchy: the tracks themselves, smooth and as the game rounds them.
#[test]
fn joints_are_the_expected_ones() {
    let mut compared = 0;
    for path in kit::files_below(&j3d::own().join("expected")) {
        let json = reference(&path);
        let Some(anim) = json["anim"].as_str() else { continue };
        let clip = clip_of(&j3d::own().join(anim));
        let exact = json["mode"] == "game";
        let JointAddressing::ByPlace { driven } = clip.addressing else { panic!("{:?}", clip.addressing) };
        assert_eq!(u64::from(driven), json["joint_count_anim"].as_u64().unwrap());
        for frame in json["frames"].as_array().unwrap() {
            let time = number(&frame["frame"]);
            for joint in (0..driven).map(ClipJoint) {
                for axis in 0..3_u8 {
                    for (name, target, default) in [
                        ("scale", Target::JointScaleAxis { joint, axis }, 1.0),
                        ("rot", Target::JointEulerAxis { joint, axis }, 0.0),
                        ("trans", Target::JointTranslationAxis { joint, axis }, 0.0),
                    ] {
                        let found = at(&clip, &target, time, exact).unwrap_or(default);
                        let wanted = &frame[name][joint.as_usize()][usize::from(axis)];
                        assert_near(&found, wanted, 1e-5, format_args!("{anim} {time} {target:?}"));
                        compared += 1;
                    }
                }
            }
        }
    }
    let least = if kit::corpus_beside().is_some() { 1000 } else { 100 };
    assert!(compared > least, "{compared}");
}
