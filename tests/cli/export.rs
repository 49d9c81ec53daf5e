//! `bonebox export` as a program: what it writes, where, and what it refuses.

use crate::{
    args,
    kit::{
        self,
        program::{bonebox, command, export, sheet, status, stderr, stdout, text},
        read_back::ReadBack,
    },
};
use bonebox::formats::{
    actorx::{AnimInfo, AnimKey, Bone, Psa, encode_psa, encode_psk, parse_psk},
    archive::encode::{ArchiveFile, Folder, encode_rarc, encode_yaz0},
};
use std::path::{Path, PathBuf};

/// Names that try to leave the folder, to be devices, to clash.
const NAMES: &[&str] =
    &["../../evil", "/etc/evil", "C:\\evil", "..", "CON", "nul.txt", "Walk", "WALK", "walk.", "a\u{1}b", "", "Walk"];

/// An animation file whose sequences have `names`.
fn animation(names: &[&str]) -> Vec<u8> {
    let rotation = [0.0, 0.0, 0.0, 1.0];
    let bone = |name: &str| Bone { name: name.into(), rotation, ..Bone::default() };
    let sequence = |(index, name): (usize, &&str)| AnimInfo {
        name: (*name).into(),
        group: "None".into(),
        total_bones: 2,
        key_quotum: 4,
        rate_hz: 30.0,
        first_raw_frame: index as i32 * 2,
        raw_frames: 2,
        ..AnimInfo::default()
    };
    encode_psa(&Psa {
        bones: vec![bone("alien root"), bone("alien arm")],
        sequences: names.iter().enumerate().map(sequence).collect(),
        keys: vec![AnimKey { rotation, ..AnimKey::default() }; names.len() * 4],
        ..Psa::default()
    })
}

#[test]
fn names_in_a_file_never_lead_out_of_the_folder() {
    let outer = tempfile::tempdir().unwrap();
    let source = outer.path().join("clips.psa");
    std::fs::write(&source, animation(NAMES)).unwrap();
    let target = outer.path().join("a/b/out");
    let done = export(&[text(&source), "--all", "-o", text(&target)]);
    assert_eq!(status(&done), 0, "{}", stderr(&done));
    let outside: Vec<PathBuf> =
        kit::files_below(outer.path()).into_iter().filter(|p| !p.starts_with(&target) && *p != source).collect();
    assert_eq!(outside, Vec::<PathBuf>::new());
    let written = kit::files_below(&target);
    let clips: Vec<String> = written
        .iter()
        .filter(|p| p.extension().is_some_and(|e| e == "psa"))
        .map(|p| p.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(clips.len(), NAMES.len());
    let mut folded: Vec<String> = clips.iter().map(|c| c.to_lowercase()).collect();
    folded.sort();
    folded.dedup();
    assert_eq!(folded.len(), NAMES.len(), "no two differ by case alone: {clips:?}");
    assert!(clips.iter().any(|c| c == "_CON.psa") && clips.iter().any(|c| c == "WALK (2).psa"), "{clips:?}");
    assert!(!written.iter().any(|p| p.extension().is_some_and(|e| e == "part")));

    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(target.join("manifest.json")).unwrap()).unwrap();
    let items = manifest["exported"].as_array().unwrap();
    assert_eq!(items.len(), NAMES.len());
    for item in items {
        assert!(target.join(item["path"].as_str().unwrap()).is_file(), "{item}");
        assert_eq!((item["file"].as_str(), item["format"].as_str()), (Some("clips.psa"), Some("psa")));
    }
    assert_eq!(manifest["failed"], serde_json::json!([]));
    assert_eq!(manifest["cancelled"], serde_json::json!(false));
}

#[test]
fn a_second_run_overwrites_nothing_unless_told() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("clips.psa");
    std::fs::write(&source, animation(&["Walk"])).unwrap();
    let target = folder.path().join("out");
    assert_eq!(status(&export(&[text(&source), "--all", "-o", text(&target)])), 0);
    let clip = target.join("ANIMINFO/Walk.psa");
    std::fs::write(&clip, "mine").unwrap();
    let refused = export(&[text(&source), "--all", "-o", text(&target)]);
    assert_eq!(status(&refused), 1);
    assert!(stderr(&refused).contains("already exists"), "{}", stderr(&refused));
    // Without the manifest the other files are still not touched: the clip is reported as failed.
    std::fs::remove_file(target.join("manifest.json")).unwrap();
    assert_eq!(status(&export(&[text(&source), "--all", "-o", text(&target)])), 1);
    let manifest = std::fs::read_to_string(target.join("manifest.json")).unwrap();
    assert!(manifest.contains("already exists"), "{manifest}");
    assert_eq!(std::fs::read(&clip).unwrap(), b"mine");
    assert_eq!(status(&export(&[text(&source), "--all", "--force", "-o", text(&target)])), 0);
    assert_ne!(std::fs::read(&clip).unwrap(), b"mine");
}

#[test]
fn a_damaged_file_in_a_folder_stops_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("in");
    std::fs::create_dir_all(source.join("deep")).unwrap();
    std::fs::write(source.join("deep/good.psa"), animation(&["Walk"])).unwrap();
    std::fs::write(source.join("notes.txt"), "nothing to open").unwrap();
    std::fs::write(source.join("cut.psa"), &animation(&["Walk"])[..40]).unwrap();
    let target = folder.path().join("out");
    let done = export(&[text(&source), "--all", "-o", text(&target)]);
    assert_eq!(status(&done), 0, "{}", stderr(&done));
    assert!(stderr(&done).contains("cut.psa: at offset 32: ") && stderr(&done).contains("[actorx.truncated-header]"));
    // All that is left of it is no clip.
    assert!(kit::files_below(&target).iter().all(|file| !file.starts_with(target.join("cut.psa"))));
    assert!(target.join("deep/good.psa/ANIMINFO/Walk.psa").is_file(), "{}", stderr(&done));
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(target.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["unopened"], serde_json::json!([]));

    std::fs::write(source.join("deep/empty.psa"), "").unwrap();
    let again = export(&[text(&source), "--all", "--force", "-o", text(&target)]);
    assert_eq!(status(&again), 1);
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(target.join("manifest.json")).unwrap()).unwrap();
    let unopened = manifest["unopened"].as_array().unwrap();
    assert_eq!(unopened.len(), 1);
    assert_eq!(unopened[0]["file"], "deep/empty.psa");
    assert!(unopened[0]["error"].as_str().unwrap().contains("empty"), "{unopened:?}");
}

#[test]
fn flags_of_tracks_that_do_not_count_go_with_one_sequence() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("clips.psax");
    let mut psa = bonebox::formats::actorx::parse_psa(&animation(&["Walk", "Run"])).unwrap().value;
    psa.flags = vec![0, 0, 2, 1];
    std::fs::write(&source, encode_psa(&psa)).unwrap();
    let target = folder.path().join("run.psa");
    let done = export(&[text(&source), "Run", "-o", text(&target)]);
    assert_eq!(status(&done), 0, "{}", stderr(&done));
    let again = bonebox::formats::actorx::parse_psa(&std::fs::read(&target).unwrap()).unwrap().value;
    assert_eq!(again.flags, [2, 1]);
}

#[test]
fn format_and_entry_follow_from_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("clips.psa");
    std::fs::write(&source, animation(&["Walk", "Run"])).unwrap();
    let out = |name: &str| folder.path().join(name);
    // The whole file, rewritten: the same bytes, since it was written by the same writer.
    let whole = export(&[text(&source), "-o", text(&out("again.psa"))]);
    assert_eq!(status(&whole), 0, "{}", stderr(&whole));
    assert_eq!(std::fs::read(out("again.psa")).unwrap(), std::fs::read(&source).unwrap());
    assert_eq!(stdout(&whole).trim(), text(&out("again.psa")));
    // One entry.
    assert_eq!(status(&export(&[text(&source), "ANIMINFO/Run", "-o", text(&out("run.psa"))])), 0);
    assert!(std::fs::metadata(out("run.psa")).unwrap().len() < std::fs::metadata(&source).unwrap().len());
    // A folder takes the natural name and format.
    assert_eq!(status(&export(&[text(&source), "walk", "-o", text(folder.path())])), 0);
    assert!(out("Walk.psa").is_file());
    // The fields, as `inspect` prints them.
    assert_eq!(status(&export(&[text(&source), "walk", "-o", text(&out("walk.json"))])), 0);
    let fields: serde_json::Value = serde_json::from_slice(&std::fs::read(out("walk.json")).unwrap()).unwrap();
    assert_eq!(fields["class"], "AnimInfo");
    let raw = export(&[text(&source), "ANIMINFO/Walk", "--format", "raw", "-o", text(&out("x"))]);
    assert_eq!(status(&raw), 0, "{}", stderr(&raw));
    assert_eq!(std::fs::read(out("x")).unwrap().len(), 168);
}

#[test]
fn without_an_entry_a_file_gives_what_it_is_about() {
    let folder = tempfile::tempdir().unwrap();
    let sample = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples").join(name);
    let (unasked, asked) = (folder.path().join("unasked.glb"), folder.path().join("asked.glb"));
    // A map has its brushes as models too: the level comes first.
    let room = sample("BoneRoom.unr");
    for arguments in [&[text(&room), "-o", text(&unasked)][..], &[text(&room), "MyLevel", "-o", text(&asked)]] {
        let done = export(arguments);
        assert_eq!(status(&done), 0, "{}", stderr(&done));
    }
    assert_eq!(std::fs::read(unasked).unwrap(), std::fs::read(asked).unwrap());
    // Of several models of an archive none comes first.
    let refused = export(&[text(&sample("ScalingRules.arc")), "-o", text(&folder.path().join("x.glb"))]);
    assert_eq!(status(&refused), 1);
    for name in ["bmd/basic.bmd", "bmd/maya.bmd", "bmd/softimage.bmd"] {
        assert!(stderr(&refused).contains(name), "{}", stderr(&refused));
    }
}

#[test]
fn what_cannot_be_is_refused_with_the_right_status() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("clips.psa");
    std::fs::write(&source, animation(&["Walk", "Run"])).unwrap();
    let out = folder.path().join("x");
    let refuse = |arguments: &[&str], code: i32, words: &str| {
        let output = export(&[&[text(&source)], arguments, &["-o", text(&out)]].concat());
        assert!(status(&output) == code && stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
        assert!(!out.exists());
    };
    refuse(&[], 1, "candidates");
    refuse(&["ANIMINFO/Walk"], 2, "--format");
    refuse(&["--format", "exe"], 2, "glb, gltf, obj");
    refuse(&["Jump", "--format", "psa"], 1, "“Jump”");
    refuse(&["ANIMINFO/Walk", "--format", "png"], 1, "use psa");
    refuse(&["--all", "--format", "psa"], 2, "glb or gltf");
    refuse(&["--all", "--format", "psa", "--pose", "bind"], 2, "glb or gltf");
    refuse(
        &["ANIMINFO/Walk", "--format", "psa", "--pose", "bind"],
        2,
        "--pose applies only to models exported as glb, gltf or obj",
    );
    refuse(&["--unpack", "--pose", "bind"], 2, "with --unpack");
    refuse(&["--unpack", "--register", "C0=000000"], 2, "with --unpack");
    let mesh = folder.path().join("sheet.psk");
    std::fs::write(&mesh, encode_psk(&sheet("Skin"))).unwrap();
    for (format, words) in [("psk", "--register works only with glb and gltf, not with psk"), ("raw", "not with raw")] {
        let output = export(&[text(&mesh), "Mesh", "--format", format, "--register", "C0=000000", "-o", text(&out)]);
        assert!(status(&output) == 2 && stderr(&output).contains(words), "{}", stderr(&output));
        assert!(!out.exists());
    }
    let folder_whole = export(&[text(folder.path()), "-o", text(&out)]);
    assert_eq!(status(&folder_whole), 2);
    assert_eq!(status(&export(&["/nowhere.psk", "-o", text(&out)])), 1);
}

#[test]
fn a_mesh_takes_the_clips_beside_it_or_those_that_are_named() {
    let mesh = kit::data().join("actorx/syn_arm.psk");
    let clips = mesh.with_extension("psa");
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own.psk");
    std::fs::copy(&mesh, &own).unwrap();
    let animations = |path: &Path| -> Vec<String> {
        let file = gltf::Gltf::open(path).unwrap();
        file.animations().filter_map(|a| a.name().map(str::to_owned)).collect()
    };
    let glb = |name: &str, more: &[&str]| -> PathBuf {
        let path = folder.path().join(name);
        let output = export(&[&[text(&own)], more, &["-o", text(&path)]].concat());
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        path
    };
    assert_eq!(animations(&glb("alone.glb", &[])), [""; 0]);
    std::fs::copy(&clips, folder.path().join("moves.psa")).unwrap();
    // A stranger's clips lie beside as well.
    std::fs::write(folder.path().join("other.psa"), animation(&["Stranger"])).unwrap();
    assert_eq!(animations(&glb("beside.glb", &[])), ["Bend", "Wave"]);
    let named = format!("{}::Wave", clips.display());
    assert_eq!(animations(&glb("named.glb", &["--clip", &named])), ["Wave"]);
    assert_eq!(animations(&glb("file.glb", &["--clip", text(&clips)])), ["Bend", "Wave"]);
    // Reference: formats/actorx.md §5, the worked example: point 0 at frame 2.5, with Y up.
    let bend = format!("{}::Bend", clips.display());
    let obj = std::fs::read_to_string(glb("posed.obj", &["--clip", &bend, "--frame", "2.5", "--scale", "1"])).unwrap();
    let first: Vec<f32> =
        obj.lines().find_map(|l| l.strip_prefix("v ")).unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
    let distance = glam::Vec3::from_slice(&first).distance(glam::Vec3::new(1.532_089, 4.25, -8.714_425));
    assert!(distance < 1e-4, "{first:?}");
    let stranger = folder.path().join("other.psa");
    let refused = export(&[text(&own), "--clip", text(&stranger), "-o", text(&folder.path().join("no.glb"))]);
    assert_eq!(status(&refused), 1, "{}", stderr(&refused));
}

#[test]
fn a_level_is_an_obj_with_everything_in_its_place() {
    let level = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/BoneRoom.unr");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("room.obj");
    let output = export(&[text(&level), "-o", text(&path)]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let obj = std::fs::read_to_string(&path).unwrap();
    let glb = folder.path().join("room.glb");
    assert_eq!(status(&export(&[text(&level), "--no-sprites", "-o", text(&glb)])), 0);
    let glb = gltf::Gltf::open(&glb).unwrap();
    // As many triangles as the placed meshes of the GLB have.
    let triangles: usize = glb
        .nodes()
        .filter_map(|node| node.mesh())
        .flat_map(|mesh| mesh.primitives().map(|part| part.indices().unwrap().count() / 3).collect::<Vec<_>>())
        .sum();
    assert_eq!(obj.lines().filter(|line| line.starts_with("f ")).count(), triangles);
    let objects: Vec<&str> = obj.lines().filter_map(|line| line.strip_prefix("o ")).collect();
    assert!(objects.len() >= 2 && objects.iter().any(|name| name.starts_with("Mover")), "{objects:?}");
    let names = std::fs::read_to_string(folder.path().join("room.mtl")).unwrap();
    let picture = names.lines().find_map(|line| line.strip_prefix("map_Kd ")).unwrap();
    assert!(folder.path().join(picture).is_file(), "{picture}");
}

/// The JSON of a GLB file.
fn glb_json(path: &Path) -> serde_json::Value {
    let bytes = std::fs::read(path).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

fn names<'a>(json: &'a serde_json::Value, what: &str) -> Vec<&'a str> {
    json[what].as_array().into_iter().flatten().filter_map(|found| found["name"].as_str()).collect()
}

/// A folder with an arm and a clip called after it, and a clip for as many bones that is called otherwise.
fn arm_and_clips() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let data = kit::data().join("j3d");
    for (from, to) in
        [("arm_basic.bmd", "arm.bmd"), ("arm_wave.bck", "arm_wave.bck"), ("arm_wave_shift4.bck", "tentacle.bck")]
    {
        std::fs::copy(data.join(from), folder.path().join(to)).unwrap();
    }
    folder
}

#[test]
fn only_clips_that_belong_to_a_model_go_along_and_any_can_be_named() {
    let folder = arm_and_clips();
    let model = folder.path().join("arm.bmd");
    let clips = |more: &[&str]| -> Vec<String> {
        let target = folder.path().join("out.glb");
        let output = export(&[&[text(&model)], more, &["--force", "-o", text(&target)]].concat());
        assert_eq!(status(&output), 0, "{more:?}: {}", stderr(&output));
        let json = glb_json(&target);
        let animations = json["animations"].as_array().cloned().unwrap_or_default();
        animations.iter().map(|found| found["extras"]["file"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(clips(&[]), ["arm_wave.bck"]);
    assert_eq!(clips(&["--no-clips"]), [""; 0]);
    assert_eq!(clips(&["--clip", "tentacle"]), ["tentacle.bck"]);
    assert_eq!(clips(&["--clip", "Tentacle.bck"]), ["tentacle.bck"]);
    let file = folder.path().join("tentacle.bck");
    assert_eq!(clips(&["--clip", text(&file)]), ["tentacle.bck"]);
    let target = folder.path().join("no.glb");
    let refused = export(&[text(&model), "--clip", "walk", "-o", text(&target)]);
    assert!(
        status(&refused) == 1 && stderr(&refused).contains("no fitting clip with this name"),
        "{}",
        stderr(&refused)
    );
    assert_eq!(status(&export(&[text(&model), "--clip", "walk", "--no-clips", "-o", text(&target)])), 2);
}

#[test]
fn a_clip_alone_is_written_on_the_bones_of_the_model_beside_it_or_on_its_own() {
    let folder = arm_and_clips();
    let (clip, target) = (folder.path().join("arm_wave.bck"), folder.path().join("out.glb"));
    let done = export(&[text(&clip), "-o", text(&target)]);
    assert_eq!(status(&done), 0, "{}", stderr(&done));
    let beside = glb_json(&target);
    assert!(beside.get("meshes").is_none() && beside.get("images").is_none(), "{beside}");
    assert_eq!(beside["animations"].as_array().unwrap().len(), 1);
    let says = &beside["animations"][0]["extras"];
    assert_eq!((&says["file"], &says["entry"]), (&"arm_wave.bck".into(), &"#0".into()));
    std::fs::remove_file(folder.path().join("arm.bmd")).unwrap();
    let alone = export(&[text(&clip), "--force", "-o", text(&target)]);
    assert_eq!(status(&alone), 0, "{}", stderr(&alone));
    assert!(stderr(&alone).contains("was not found"), "{}", stderr(&alone));
    let alone = glb_json(&target);
    let bones = names(&alone, "nodes");
    assert!(bones.starts_with(&["joint 0", "joint 1"]) && names(&beside, "nodes") != bones, "{bones:?}");
    // Into a folder by its natural format.
    let into = folder.path().join("into");
    std::fs::create_dir(&into).unwrap();
    let natural = export(&[text(&clip), "-o", text(&into)]);
    assert!(status(&natural) == 0 && folder.path().join("into/arm_wave.glb").is_file(), "{}", stderr(&natural));
    // Sequences by name, without any bones in their file.
    let psa = folder.path().join("clips.psa");
    std::fs::write(&psa, animation(&["Walk", "Run"])).unwrap();
    let whole = export(&[text(&psa), "--force", "-o", text(&target)]);
    assert_eq!(status(&whole), 0, "{}", stderr(&whole));
    let whole = glb_json(&target);
    assert_eq!(names(&whole, "animations"), ["Walk", "Run"]);
    assert_eq!(names(&whole, "nodes")[..2], ["alien root", "alien arm"]);
}

#[test]
fn clips_that_do_not_say_how_fast_they_play_can_be_told() {
    let folder = arm_and_clips();
    let (model, target) = (folder.path().join("arm.bmd"), folder.path().join("out.glb"));
    let plays = |more: &[&str]| {
        let done = export(&[&[text(&model)], more, &["--force", "-o", text(&target)]].concat());
        assert_eq!(status(&done), 0, "{}", stderr(&done));
        let json = glb_json(&target);
        let animation = &json["animations"][0];
        let ends = animation["samplers"].as_array().unwrap().iter().map(|sampler| {
            let input = sampler["input"].as_u64().unwrap() as usize;
            json["accessors"][input]["max"][0].as_f64().unwrap()
        });
        let end = ends.fold(0.0, f64::max);
        (animation["extras"]["rate_hz"].as_f64().unwrap(), animation["extras"]["frames"].as_f64().unwrap(), end)
    };
    let (own, fast) = (plays(&[]), plays(&["--fps", "60"]));
    assert_eq!((own.0, fast.0, own.1), (30.0, 60.0, fast.1));
    assert!((own.2 - own.1 / 30.0).abs() < 1e-5 && (fast.2 - own.1 / 60.0).abs() < 1e-5, "{own:?} {fast:?}");
    assert_eq!(status(&export(&[text(&model), "--fps", "0", "--force", "-o", text(&target)])), 2);
}

#[test]
fn the_config_of_an_animation_goes_with_its_keys() {
    const CONFIG: &str = "[AnimSet]\nbAnimRotationOnly=1\n";
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("clips.psa");
    std::fs::write(&source, animation(&["Walk", "Run"])).unwrap();
    std::fs::write(folder.path().join("Clips.config"), CONFIG).unwrap();
    let out = folder.path().join("out");
    for (entry, name) in [(None, "whole"), (Some("Run"), "one")] {
        std::fs::create_dir_all(&out).unwrap();
        let target = out.join(format!("{name}.psa"));
        let mut arguments = vec![text(&source)];
        arguments.extend(entry);
        let done = export(&[&arguments[..], &["-o", text(&target)]].concat());
        assert_eq!(status(&done), 0, "{}", stderr(&done));
        let config = out.join(format!("{name}.config"));
        assert_eq!(std::fs::read_to_string(&config).unwrap(), CONFIG);
        assert!(stdout(&done).contains(text(&config)), "it is named");
        // Somebody else's stays.
        std::fs::remove_file(&target).unwrap();
        std::fs::write(&config, "mine").unwrap();
        assert_eq!(status(&export(&[&arguments[..], &["-o", text(&target)]].concat())), 1);
        assert!(!target.exists() && std::fs::read(&config).unwrap() == b"mine");
    }
    assert_eq!(status(&export(&[text(&source), "--all", "-o", text(&folder.path().join("all"))])), 0);
    assert!(folder.path().join("all/ANIMINFO/Walk.config").is_file());
}

#[cfg(unix)]
#[test]
fn a_reader_of_the_messages_that_goes_away_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("clips.psa");
    // No hierarchy and no sequence is worth a warning.
    std::fs::write(&source, animation(&[])).unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let run = command(args!["list", source]).stderr(writer).output().unwrap();
    assert_eq!(run.status.code(), Some(0));
    assert!(stdout(&run).contains("BONENAMES"));
}

#[test]
fn control_characters_of_names_are_shown_in_errors() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("clips.psa");
    std::fs::write(&source, animation(&["a\u{1b}[31m"])).unwrap();
    let refused = export(&[text(&source), "ANIMINFO/a\u{1b}[31m", "--format", "png", "-o", "x.png"]);
    assert_eq!(status(&refused), 1);
    assert!(!stderr(&refused).contains('\u{1b}') && stderr(&refused).contains("\\u{1b}"), "{}", stderr(&refused));
}

/// The files of the sample archive of J3D files, side by side in one folder.
fn unpacked(folder: &Path) {
    let sample = kit::samples().join("Bonebox.szs");
    let out = folder.join("unpacked");
    assert_eq!(status(&export(&[text(&sample), "--unpack", "-o", text(&out)])), 0);
    for path in kit::files_below(&out) {
        std::fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    std::fs::remove_dir_all(out).unwrap();
}

#[test]
fn clips_that_go_by_number_take_the_bones_of_the_model_beside() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(folder.path());
    let is_bck = |path: &PathBuf| path.extension().is_some_and(|e| e == "bck");
    let clip = kit::files_below(folder.path()).into_iter().find(is_bck).unwrap();
    let model = folder.path().join("lumo.bmd");
    let parsed = |path: &Path| bonebox::formats::actorx::parse_psa(&std::fs::read(path).unwrap()).unwrap().value;
    let beside = folder.path().join("beside.psa");
    let done = export(&[text(&clip), "-o", text(&beside)]);
    assert_eq!(status(&done), 0, "{}", stderr(&done));
    let names: Vec<String> = parsed(&beside).bones.into_iter().map(|b| b.name).collect();
    assert!(names.iter().any(|n| n == "Hover") && names.iter().any(|n| n == "ArmL5"), "{names:?}");
    let named = folder.path().join("named.psa");
    let done = export(&[text(&model), "--clip", text(&clip), "-o", text(&named)]);
    assert_eq!(status(&done), 0, "{}", stderr(&done));
    assert_eq!(std::fs::read(&named).unwrap(), std::fs::read(&beside).unwrap());
    // Alone it says of no bones what they are called.
    let alone = folder.path().join("alone");
    std::fs::create_dir(&alone).unwrap();
    std::fs::rename(&clip, alone.join("x.bck")).unwrap();
    let target = alone.join("x.psa");
    let refused = export(&[text(&alone.join("x.bck")), "-o", text(&target)]);
    assert_eq!(status(&refused), 1);
    assert!(stderr(&refused).contains("refers to bones by index"), "{}", stderr(&refused));
    assert!(!target.exists());
}

#[test]
fn no_animation_file_of_a_whole_export_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    for (sample, has_psa, surfaces) in [("Bonebox.szs", false, true), ("Bonebox.u", true, false)] {
        let target = folder.path().join(sample);
        let done = export(&[text(&kit::samples().join(sample)), "--all", "-o", text(&target)]);
        assert_eq!(status(&done), 0, "{}", stderr(&done));
        let files = kit::files_below(&target);
        let with =
            |ending: &str| files.iter().filter(|p| p.extension().is_some_and(|e| e == ending)).collect::<Vec<_>>();
        assert_eq!(with("psa").is_empty(), !has_psa, "{files:?}");
        for path in with("psa") {
            let psa = bonebox::formats::actorx::parse_psa(&std::fs::read(path).unwrap()).unwrap().value;
            assert!(!psa.bones.is_empty() && !psa.keys.is_empty(), "{}", path.display());
            assert!(psa.bones.iter().skip(1).any(|b| b.parent > 0), "{}: it has the model's hierarchy", path.display());
        }
        assert!(!surfaces || with("json").len() > 1, "clips of materials are written with their fields: {files:?}");
    }
}

/// What is no size or no axis, and formats that have neither.
#[test]
fn sizes_and_axes_that_cannot_be_are_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = kit::data().join("actorx/syn_arm.psk");
    let target = folder.path().join("arm.glb");
    let with = |target: &Path, more: &[&str]| export(&[&[text(&mesh), "-o", text(target)], more].concat());
    for scale in ["0", "-1", "nan", "inf", "1e9", "1e-9", "half", ""] {
        let run = with(&target, &["--scale", scale]);
        assert_eq!(status(&run), 2, "{scale}: {}", stderr(&run));
        assert!(stderr(&run).contains("expected a number from 0.000001 to 1000000"), "{}", stderr(&run));
    }
    for up in ["x", "Y up", ""] {
        assert_eq!(status(&with(&target, &["--up", up])), 2, "{up}");
    }
    for (name, more) in
        [("arm.psk", &["--scale", "2"][..]), ("arm.json", &["--up", "z"]), ("arm.obj", &["--up", "z", "--file-space"])]
    {
        assert_eq!(status(&with(&folder.path().join(name), more)), 2, "{name}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

    // Metres of centimetres, and the number as it was typed.
    let run = with(&target, &["--scale", "0.01", "--up", "z"]);
    assert_eq!(status(&run), 0, "{}", stderr(&run));
    assert!(stderr(&run).contains("note: Z is up"), "{}", stderr(&run));
    let bytes = std::fs::read(&target).unwrap();
    let json = String::from_utf8_lossy(&bytes);
    assert!(json.contains(r#""extras":{"scale":0.01,"up":"z"}"#), "{json}");
}

/// A small texture beside a mesh.
#[test]
fn small_textures_are_enlarged_or_keep_their_size() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = folder.path().join("syn_arm.psk");
    std::fs::copy(kit::data().join("actorx/syn_arm.psk"), &mesh).unwrap();
    let texel =
        |x: u32, y: u32| if (x + y).is_multiple_of(2) { image::Rgba([255; 4]) } else { image::Rgba([0, 0, 0, 255]) };
    image::RgbaImage::from_fn(8, 4, texel).save(folder.path().join("ArmSkin.png")).unwrap();
    let target = folder.path().join("arm.glb");
    let with = |target: &Path, more: &[&str]| {
        export(&[&[text(&mesh), "--no-clips", "--force", "-o", text(target)], more].concat())
    };
    for more in [&[][..], &["--texture-size", "enlarged"], &["--texture-size", "Original"]] {
        let run = with(&target, more);
        assert_eq!(status(&run), 0, "{}", stderr(&run));
        let is_enlarged = more.last() != Some(&"Original");
        assert_eq!(stderr(&run).contains("note: a small texture is enlarged"), is_enlarged, "{}", stderr(&run));
        let hint = "(--texture-size original keeps the size)";
        assert_eq!(stderr(&run).contains(hint), is_enlarged, "{}", stderr(&run));
        let size = glb_json(&target)["images"][0]["extras"]["original_size"].clone();
        assert_eq!(size, if is_enlarged { serde_json::json!([8, 4]) } else { serde_json::Value::Null });
    }
    assert_eq!(status(&with(&target, &["--texture-size", "8"])), 2);
    let run = with(&folder.path().join("other.psk"), &["--texture-size", "original"]);
    assert_eq!(status(&run), 2);
    assert!(stderr(&run).contains("--texture-size works with glb and gltf"), "{}", stderr(&run));
}

/// Everything of a file in another size.
#[test]
fn a_scale_counts_for_all_models_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        export(&[text(&kit::samples().join("ScalingRules.arc")), "--all", "--scale", "0.5", "-o", text(folder.path())]);
    assert_eq!(status(&run), 0, "{}", stderr(&run));
    let models: Vec<PathBuf> = kit::files_below(folder.path())
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "glb"))
        .collect();
    assert!(models.len() >= 3);
    for path in models {
        let bytes = std::fs::read(&path).unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains(r#""extras":{"scale":0.5,"up":"y"}"#), "{}", path.display());
    }
}

/// A file of `tests/data/actorx`.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx").join(name)
}

#[test]
fn formats_that_blender_writes_are_refused_with_the_way_over_it() {
    let folder = tempfile::tempdir().unwrap();
    let model = data("syn_arm.psk");
    for ending in ["fbx", "usd", "dae", "blend", "3ds", "stl", "ply"] {
        let target = folder.path().join(format!("arm.{ending}"));
        let refused = export(&[text(&model), "-o", text(&target)]);
        assert_eq!(status(&refused), 2, "{ending}");
        let said = stderr(&refused);
        assert!(said.contains("Blender") && said.contains("docs/CLIENTS.md#fbx") && said.contains(".glb"), "{said}");
        assert!(!target.exists());
        let by_format = export(&[text(&model), "--format", ending, "-o", text(folder.path())]);
        assert!(
            status(&by_format) == 2 && stderr(&by_format).contains("docs/CLIENTS.md#fbx"),
            "{}",
            stderr(&by_format)
        );
    }
}

#[test]
fn names_that_nearly_match_are_suggested() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("clips.psa");
    std::fs::write(&source, animation(&["Walk", "Swim", "Jump"])).unwrap();
    let target = folder.path().join("out.psa");
    let mesh = folder.path().join("sheet.psk");
    std::fs::write(&mesh, encode_psk(&sheet("Skin"))).unwrap();
    std::fs::write(folder.path().join("Skim.png"), "never decoded").unwrap();
    let without = export(&[text(&mesh), "--no-clips", "-o", text(&folder.path().join("sheet.glb"))]);
    assert!(stderr(&without).contains("“Skin” is missing"), "{}", stderr(&without));
    assert!(stderr(&without).contains("; did you mean “Skim”?"), "{}", stderr(&without));
    let missed = export(&[text(&source), "Wlak", "-o", text(&target)]);
    assert!(status(&missed) == 1 && stderr(&missed).contains("did you mean “Walk”?"), "{}", stderr(&missed));
    let missed = export(&[text(&source), "Nothing like it", "-o", text(&target)]);
    assert!(!stderr(&missed).contains("did you mean") && stderr(&missed).contains("candidates"), "{}", stderr(&missed));
    let missed = export(&[text(&source), "--format", "glbb", "-o", text(&target)]);
    assert!(stderr(&missed).contains("did you mean “glb”"), "{}", stderr(&missed));
}

#[test]
fn damaged_actorx_files_are_written_without_their_damage() {
    let folder = tempfile::tempdir().unwrap();
    for (name, codes) in [
        ("bad_indices.psk", ["actorx.bad-face", "actorx.bad-weight"]),
        ("bad_parent_range.psk", ["actorx.bad-parent", "actorx.bad-parent"]),
        ("bad_parent_cycle.psk", ["actorx.parent-cycle", "actorx.parent-cycle"]),
        ("bad_frames_huge.psa", ["actorx.frames-cut", "actorx.frames-cut"]),
        ("bad_frames_negative.psa", ["actorx.frames-cut", "actorx.frames-cut"]),
    ] {
        let source = data(name);
        let findings = |path: &Path| {
            let read = bonebox(["verify", text(path)]);
            format!("{}{}", stdout(&read), stderr(&read))
        };
        let before = findings(&source);
        let target = folder.path().join(name);
        let done = export(&[text(&source), "-o", text(&target)]);
        assert_eq!(status(&done), 0, "{name}: {}", stderr(&done));
        assert!(stderr(&done).contains("note: "), "{name}: {}", stderr(&done));
        let after = findings(&target);
        for code in codes {
            assert!(before.contains(code) && !after.contains(code), "{name}: {before}\n{after}");
        }
    }
}

/// Writes a sheet that is as high as its middle bone: 52.5 units.
fn write_tall(folder: &Path) -> PathBuf {
    let mut psk = sheet("Cloth");
    psk.points.iter_mut().filter(|point| point[2] == 9.0).for_each(|point| point[2] = 52.5);
    (psk.bones[1].position, psk.bones[2].position) = ([0.0, 0.0, 52.5], [0.0; 3]);
    let path = folder.join("tall.psk");
    std::fs::write(&path, encode_psk(&psk)).unwrap();
    path
}

/// Height of the first mesh, and the largest translation of an inverse bind matrix.
fn height_and_bind(path: &Path) -> (f64, f32) {
    let read = ReadBack::new(&std::fs::read(path).unwrap());
    let position = read.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap() as usize;
    let matrices = read.floats(read.json["skins"][0]["inverseBindMatrices"].as_u64().unwrap() as usize);
    let translation = |matrix: &Vec<f32>| glam::Vec3::from_slice(&matrix[12..15]).length();
    let high = read.json["accessors"][position]["max"][1].as_f64().unwrap();
    (high, matrices.iter().map(translation).fold(0.0, f32::max))
}

#[track_caller]
fn assert_close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() <= wanted.abs() * 1e-5, "{found} is not {wanted}");
}

/// 52.5 units of the Unreal Engine are a metre.
#[test]
fn actorx_is_written_in_metres_unless_a_scale_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = write_tall(folder.path());
    let with = |name: &str, more: &[&str]| {
        let target = folder.path().join(name);
        let run = export(&[&[text(&mesh), "--no-clips", "-o", text(&target)], more].concat());
        assert_eq!(status(&run), 0, "{}", stderr(&run));
        target
    };
    for (name, more, wanted) in
        [("metres.glb", &[][..], 1.0), ("raw.glb", &["--scale", "1"], 52.5), ("twice.glb", &["--scale", "2"], 105.0)]
    {
        let (high, bind) = height_and_bind(&with(name, more));
        assert_close(high, wanted);
        assert_close(bind.into(), wanted);
    }
    // A member's format decides, not its archive's.
    let file = ArchiveFile { name: "tall.psk".to_owned(), bytes: std::fs::read(&mesh).unwrap() };
    let root = Folder { name: "root".to_owned(), files: vec![file], folders: Vec::new() };
    let archive = folder.path().join("tall.szs");
    std::fs::write(&archive, encode_yaz0(&encode_rarc(&root))).unwrap();
    for (name, more, wanted) in [("packed.glb", &[][..], 1.0), ("packed_raw.glb", &["--scale", "1"], 52.5)] {
        let target = folder.path().join(name);
        let run = export(&[&[text(&archive), "--no-clips", "-o", text(&target)], more].concat());
        assert_eq!(status(&run), 0, "{}", stderr(&run));
        assert_close(height_and_bind(&target).0, wanted);
    }
    let extras = glb_json(&folder.path().join("metres.glb"))["asset"]["extras"].clone();
    assert_eq!(extras["up"], "y");
    assert_close(extras["scale"].as_f64().unwrap(), 1.0 / 52.5);
    assert!(glb_json(&folder.path().join("raw.glb"))["asset"]["extras"].is_null());
    let obj = std::fs::read_to_string(with("metres.obj", &[])).unwrap();
    let heights = obj.lines().filter_map(|line| line.strip_prefix("v ")?.split(' ').nth(1)?.parse::<f64>().ok());
    assert_close(heights.fold(0.0, f64::max), 1.0);
    // The game's own formats keep its numbers.
    let psk = parse_psk(&std::fs::read(with("again.psk", &[])).unwrap()).unwrap().value;
    assert_close(psk.points.iter().map(|point| f64::from(point[2])).fold(0.0, f64::max), 52.5);
}

/// A brush of 704 × 288 × 640 units, and a light whose radius of 28 is 25 × (28 + 1) units.
#[test]
fn brushes_and_lights_of_levels_are_written_in_metres() {
    let folder = tempfile::tempdir().unwrap();
    let level = kit::samples().join("BoneRoom.unr");
    let with = |entry: &str, name: &str, more: &[&str]| {
        let target = folder.path().join(name);
        let run = export(&[&[text(&level), entry, "-o", text(&target)], more].concat());
        assert_eq!(status(&run), 0, "{}", stderr(&run));
        glb_json(&target)
    };
    let brush = with("Model1", "brush.glb", &[]);
    let position = brush["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap() as usize;
    for (axis, half) in [352.0, 144.0, 320.0].into_iter().enumerate() {
        assert_close(brush["accessors"][position]["max"][axis].as_f64().unwrap(), half / 52.5);
    }
    let lit = with("MyLevel", "level.glb", &["--lights", "punctual"]);
    let lights = lit["extensions"]["KHR_lights_punctual"]["lights"].as_array().unwrap();
    let light = lights.iter().find(|light| light["name"] == "Light0").unwrap();
    assert_close(light["range"].as_f64().unwrap(), 13.809_524);
    // A white surface half way, at 6.904762 m, reflects the strongest part of the light's colour (0.6436805, linear 0.371931):
    // 683 × π × 0.371931 × 6.904762².
    assert_close(light["intensity"].as_f64().unwrap(), 38_047.9);
    let raw = with("MyLevel", "raw.glb", &["--lights", "punctual", "--scale", "1"]);
    assert_close(raw["extensions"]["KHR_lights_punctual"]["lights"][0]["range"].as_f64().unwrap(), 725.0);
}

/// A folder of several formats: each in its own unit.
#[test]
fn an_export_of_everything_takes_the_unit_of_each_format() {
    let folder = tempfile::tempdir().unwrap();
    write_tall(folder.path());
    for sample in ["Helix.model", "Pennant_a.3d", "Pennant_d.3d"] {
        std::fs::copy(kit::samples().join(sample), folder.path().join(sample)).unwrap();
    }
    std::fs::copy(kit::data().join("j3d/arm.bdl"), folder.path().join("arm.bdl")).unwrap();
    let out = tempfile::tempdir().unwrap();
    let run = export(&[text(folder.path()), "--all", "--only", "model", "-o", text(out.path())]);
    assert_eq!(status(&run), 0, "{}", stderr(&run));
    let mut seen = std::collections::BTreeSet::new();
    for path in kit::files_below(out.path()).into_iter().filter(|path| path.extension().is_some_and(|e| e == "glb")) {
        let scale = glb_json(&path)["asset"]["extras"]["scale"].as_f64();
        let of = ["tall", "Pennant", "Helix", "arm"].into_iter().position(|name| text(&path).contains(name)).unwrap();
        assert_eq!(scale.is_some(), of < 2, "{}", path.display());
        scale.into_iter().for_each(|scale| assert_close(scale, 1.0 / 52.5));
        seen.insert(of);
    }
    assert_eq!(seen.len(), 4);
    let tall = kit::files_below(out.path()).into_iter().find(|p| text(p).contains("tall") && text(p).ends_with("glb"));
    assert_close(height_and_bind(&tall.unwrap()).0, 1.0);
}
