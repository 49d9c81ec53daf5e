//! Files of the character pipeline in the window: loose files find their siblings, archives and damaged files show what they can.

use crate::kit::{
    self,
    app::{self, *},
};
use bonebox::{
    formats::{
        Content, EntryId, Severity,
        charpipe::encode::{Face, FaceKind, FaceRecord, encode_archive, encode_faces},
    },
    ui::{
        command::{Command, StageCommand},
        state::Place,
    },
};
use std::path::PathBuf;

/// Parts of a model in a folder of their own.
fn alone(stem: &str, endings: &[&str]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let names: Vec<String> = endings.iter().map(|ending| format!("{stem}.{ending}")).collect();
    app::alone("charpipe", &names.iter().map(String::as_str).collect::<Vec<_>>())
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(kit::data().join("charpipe").join(name)).unwrap()
}

#[test]
fn any_loose_file_brings_the_model_of_all_that_lie_beside_it() {
    let (_folder, files) = alone("arm_sdk", &["gpl", "act", "skn", "tpl", "anm"]);
    for file in files {
        let name = file.file_name().unwrap().display().to_string();
        let mut window = window_with([file]);
        read(&window, |state| {
            let model = &state.stages.front.model().unwrap_or_else(|| panic!("{name}: nothing is shown")).model;
            assert_eq!((model.meshes.len(), model.joint_count(), model.images.len()), (1, 3, 2), "{name}");
            assert_eq!(model.triangle_count(), 40, "{name}");
            assert!(model.missing.is_empty(), "{name}: {:?}", model.missing);
            // The bank is found and plays at once.
            assert!(state.stages.front.playback().unwrap().player.clip().is_some(), "{name}");
        });
        look(&mut window, &format!("charpipe_{name}"));
    }
}

#[test]
fn what_was_looked_for_beside_a_file_and_not_found_is_said() {
    let said = |ending: &str| {
        let (_folder, files) = alone("arm_sdk", &[ending]);
        log(&window_with(files))
    };
    let of = |lines: Vec<String>| lines.into_iter().filter(|l| l.contains(" next to ")).collect::<Vec<_>>();
    assert_eq!(
        of(said("gpl")),
        [
            "arm_sdk.gpl: no arm_sdk.act was found next to arm_sdk.gpl: the meshes have no bones",
            "arm_sdk.gpl: no arm_sdk.skn was found next to arm_sdk.gpl: the skinned mesh does not move",
            "arm_sdk.gpl: the textures are missing: no arm_sdk.tpl was found next to arm_sdk.gpl",
        ]
    );
    assert_eq!(
        of(said("act")),
        ["arm_sdk.act: no arm_sdk.gpl was found next to arm_sdk.act: there are no meshes to show"]
    );
    assert_eq!(
        of(said("skn")),
        ["arm_sdk.skn: no geometry palette (.gpl) with the same name was found next to arm_sdk.skn"]
    );
}

/// What is left of each damaged block: triangles and joints; and what is said: the code, the first offset, how often.
type Damaged = (&'static str, (usize, usize), &'static [(&'static str, u64, usize)]);

const DAMAGED: [Damaged; 12] = [
    ("act_parent_self", (96, 4), &[("charpipe.link-cycle", 2776, 1)]),
    ("act_sibling_cycle", (96, 4), &[("charpipe.link-cycle", 2700, 1)]),
    ("gpl_mesh_count_huge", (96, 4), &[("charpipe.bad-count", 52, 1)]),
    ("primlist_len_huge", (96, 4), &[("charpipe.list-size", 1280, 1)]),
    ("shift_63", (96, 4), &[("charpipe.unreadable-section", 3334, 1)]),
    ("sk1_bone_out_of_range", (96, 4), &[("charpipe.bad-list-bone", 3364, 1)]),
    ("sk1_count_65535", (96, 4), &[("charpipe.short-table", 3336, 1), ("charpipe.bad-list-slots", 4004, 18)]),
    ("sk1_dst_past_end", (96, 4), &[("charpipe.bad-list-slots", 3364, 1)]),
    ("sk1_src_wrap", (96, 4), &[("charpipe.short-list", 3364, 1)]),
    (
        "truncated_half",
        (96, 0),
        &[
            ("charpipe.bad-pointer", 12, 2),
            ("charpipe.short-table", 2694, 1),
            ("charpipe.bad-link", 2700, 1),
            ("charpipe.bad-name", 2704, 1),
            ("charpipe.bad-user-data", 2716, 1),
        ],
    ),
    ("truncated_in_skn", (96, 4), &[("charpipe.short-table", 3336, 3), ("charpipe.short-flush", 3356, 1)]),
    // The skinned mesh is gone: its vertices contain values instead of indices.
    ("vcd_direct", (12, 4), &[("charpipe.bad-list", 1280, 2)]),
];

#[test]
fn damaged_blocks_end_in_a_model_or_a_sentence() {
    let files = kit::files_below(&kit::data().join("charpipe/bad"));
    assert_eq!(files.len(), DAMAGED.len() + 1);
    for file in files {
        let name = file.file_name().unwrap().display().to_string();
        let mut window = window_with([file]);
        let shown =
            read(&window, |s| s.stages.front.model().map(|s| (s.model.triangle_count(), s.model.joint_count())));
        let mut said: Vec<(&str, u64, usize)> = Vec::new();
        read(&window, |s| {
            for entry in s.core.log.entries().iter().filter(|e| e.severity > Severity::Info && !e.code.is_empty()) {
                assert_eq!(entry.file, name, "{}", entry.text());
                match said.last_mut().filter(|(code, ..)| *code == entry.code) {
                    Some((.., count)) => *count += 1,
                    None => said.push((entry.code, entry.offset.unwrap(), 1)),
                }
            }
        });
        match DAMAGED.iter().find(|(stem, ..)| name == format!("{stem}.model")) {
            Some((_, left, wanted)) => assert_eq!((shown, &*said), (Some(*left), *wanted), "{name}"),
            None => {
                assert_eq!((&*name, shown), ("empty.model", None));
                assert_eq!(
                    log(&window),
                    ["empty.model: not a valid character-pipeline model block: the file is empty"]
                );
            }
        }
        look(&mut window, &format!("charpipe_bad_{name}"));
    }
}

#[test]
fn an_archive_offers_each_of_its_models() {
    let archive = encode_archive(&[bytes("arm_min.model"), bytes("arm_full.anm"), bytes("arm_full.model")]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arms.models");
    std::fs::write(&path, archive).unwrap();
    let mut window = window_with([path]);
    let models = read(&window, |state| {
        let file = &state.core.library.files[0];
        let models: Vec<EntryId> = file.file.document.outline().with_content(Content::Model).map(|e| e.id).collect();
        models.into_iter().map(|entry| Place { file: file.id, entry }).collect::<Vec<_>>()
    });
    let joints: Vec<usize> = models
        .iter()
        .map(|place| {
            apply(&mut window, Command::Stage(StageCommand::Show(*place)));
            read(&window, |s| s.stages.front.model().map_or(0, |s| s.model.joint_count()))
        })
        .filter(|joints| *joints > 0)
        .collect();
    assert_eq!(joints, [2, 4]);
    look(&mut window, "charpipe_archive");
}

/// `arm_full` with facial poses for its rigid mesh.
fn with_faces(poses: usize) -> tempfile::TempDir {
    let mut block = bytes("arm_full.model");
    let record = FaceRecord {
        mesh: 1,
        kind: FaceKind::Position,
        components: 3,
        runs: vec![[0, 2]],
        poses: (0..=poses).map(|pose| if pose == 0 { vec![0; 6] } else { vec![0, 512, 0, 0, 512, 0] }).collect(),
    };
    block.resize(block.len().next_multiple_of(32), 0);
    let start = block.len() as u32;
    block[0x18..0x1C].copy_from_slice(&start.to_be_bytes());
    block.extend(encode_faces(&[Face { records: vec![record] }]));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("face.model"), block).unwrap();
    folder
}

#[test]
fn facial_poses_have_a_slider_each() {
    let folder = with_faces(40);
    let mut window = window_with([folder.path().join("face.model")]);
    assert_eq!(read(&window, |s| s.stages.front.playback().unwrap().player.morph_weights.len()), 40);
    click(&mut window, "Morphs  40");
    drag_to_end(&mut window, "pose 2");
    let weights = read(&window, |s| s.stages.front.playback().unwrap().player.morph_weights.clone());
    assert_eq!((weights[0], weights[1], weights[2]), (0.0, 1.0, 0.0));
    // Rows out of sight are not made, and there is a way to them.
    assert!(!has(&window, "pose 40"));
    look(&mut window, "charpipe_faces");
}
