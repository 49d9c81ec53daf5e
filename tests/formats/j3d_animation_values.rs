//! What clips of J3D animations say at frames, against values that other readers worked out.

use crate::kit;
use bonebox::{
    bytes::{Limits, Source},
    formats::{self, Asset, Diagnostics, EntryId, LoadContext, LoadOptions, NoFiles, OpenContext},
    scene::{Channel, Clip, SrtPart, Target, gx::srt},
};
use serde_json::Value;
use std::{
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

fn clip_of(path: &Path) -> Arc<Clip> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let source = Source::new(std::fs::read(path).unwrap());
    let mut cx = OpenContext {
        file: name,
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &bonebox::formats::NO_OVERRIDES,
    };
    let document = formats::open(source, &mut cx).unwrap();
    let cancel = AtomicBool::new(false);
    let mut cx = LoadContext {
        file: name,
        resolver: &NoFiles,
        diagnostics: &mut diagnostics,
        limits,
        options: LoadOptions::default(),
        cancel: &cancel,
    };
    match document.load(EntryId::FILE, &mut cx).unwrap() {
        Asset::Clip(clip) => clip,
        other => panic!("{name}: {other:?}"),
    }
}

/// Expected values of files of these kinds, with the file's clip.
fn expected(corpus: &Path, extension: &str) -> Vec<(String, Value, Arc<Clip>)> {
    let mut found = Vec::new();
    for (values, files) in [("j3d/expected", "j3d/ddd"), ("j3d/synth/expected", "j3d/synth")] {
        for path in kit::files_below(&corpus.join(values)) {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if name.ends_with(extension) {
                let json = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
                found.push((name.clone(), json, clip_of(&corpus.join(files).join(&name))));
            }
        }
    }
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
    let Some(corpus) = kit::corpus() else { return };
    let mut compared = 0;
    let files: Vec<_> = [".brk", ".bpk"].iter().flat_map(|e| expected(&corpus, e)).collect();
    assert_eq!(files.len(), 7);
    for (name, json, clip) in files {
        assert_eq!(clip.frame_count, json["duration"].as_u64().unwrap_or(u64::from(clip.frame_count)) as u32);
        for (index, entry) in json["entries"].as_array().unwrap().iter().enumerate() {
            let material = index as u32;
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
                    let wanted = number(&frame["rgba_float"][usize::from(part)]);
                    // The references have seven digits.
                    assert!((smooth - wanted).abs() <= 2e-3, "{name} {target:?} {time}: {smooth} for {wanted}");
                    let exact = at(&clip, &target, time, true).unwrap();
                    assert_eq!(exact, number(&frame["rgba"][usize::from(part)]), "{name} {target:?} {time}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn texture_matrices_are_the_expected_ones() {
    let Some(corpus) = kit::corpus() else { return };
    let files = expected(&corpus, ".btk");
    assert_eq!(files.len(), 4);
    for (name, json, clip) in files {
        for (index, entry) in json["entries"].as_array().unwrap().iter().enumerate() {
            let group = clip.texture_groups[index];
            assert_eq!(clip.materials[group.material as usize], entry["material"].as_str().unwrap(), "{name} {index}");
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
                for (place, number_here) in matrix.iter().enumerate() {
                    let wanted = number(&frame["mtx"][place / 3][place % 3]);
                    let difference = (number_here - wanted).abs() / wanted.abs().max(1.0);
                    assert!(difference < 1e-4, "{name} {index} frame {time} [{place}]: {number_here} for {wanted}");
                }
            }
        }
    }
}

#[test]
fn textures_and_visibility_are_the_expected_ones() {
    let Some(corpus) = kit::corpus() else { return };
    let files: Vec<_> = [".btp", ".bva"].iter().flat_map(|e| expected(&corpus, e)).collect();
    assert_eq!(files.len(), 4);
    for (name, json, clip) in files {
        for (index, entry) in json["entries"].as_array().unwrap().iter().enumerate() {
            let target = match entry["texmap"].as_u64() {
                Some(slot) => Target::TextureSlot { material: index as u32, slot: slot as u8 },
                None => Target::Visibility { mesh: entry["shape"].as_u64().unwrap() as u32 },
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
    let Some(corpus) = kit::corpus() else { return };
    let synth = corpus.join("j3d/synth");
    let mut compared = 0;
    for path in kit::files_below(&synth.join("expected")) {
        let json: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let Some(anim) = json["anim"].as_str() else { continue };
        let clip = clip_of(&synth.join(anim));
        let exact = json["mode"] == "game";
        assert_eq!(u64::from(clip.driven_joints), json["joint_count_anim"].as_u64().unwrap());
        for frame in json["frames"].as_array().unwrap() {
            let time = number(&frame["frame"]);
            for joint in 0..clip.driven_joints {
                for axis in 0..3_u8 {
                    let wanted = |name: &str| number(&frame[name][joint as usize][usize::from(axis)]);
                    for (name, target, default) in [
                        ("scale", Target::JointScaleAxis { joint, axis }, 1.0),
                        ("rot", Target::JointEulerAxis { joint, axis }, 0.0),
                        ("trans", Target::JointTranslationAxis { joint, axis }, 0.0),
                    ] {
                        let found = at(&clip, &target, time, exact).unwrap_or(default);
                        let message = format!("{anim} {time} {target:?}: {found} for {}", wanted(name));
                        assert!((found - wanted(name)).abs() < 1e-5, "{message}");
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}
