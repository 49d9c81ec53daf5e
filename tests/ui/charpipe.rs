//! Files of the character pipeline in the window: loose files find their brothers, archives and damaged files show what they can.

use crate::kit;
use bonebox::{
    formats::{
        Content, EntryId, Severity,
        charpipe::encode::{Face, FaceKind, FaceRecord, encode_archive, encode_faces},
    },
    ui::{
        app::{App, Kept},
        command::Command,
        settings::Settings,
        state::{Clock, Place, State},
    },
};
use egui_kittest::{Harness, kittest::Queryable as _};
use std::{
    cell::RefCell,
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

type Window = Harness<'static, App>;

fn window() -> Window {
    let kept = Rc::new(RefCell::new(Kept::new(State::new(Settings::default(), Clock::Set(0.0)))));
    let mut builder = Harness::builder().with_size([1280.0, 800.0]);
    if std::env::var_os("BONEBOX_SAVE_PICTURES").is_some() {
        builder = builder.wgpu();
    }
    builder.build_eframe(|cc| App::new(cc, kept))
}

/// Keeps a picture of the window where `BONEBOX_SAVE_PICTURES` names a folder.
fn keep(window: &mut Window, name: &str) {
    if let Some(folder) = std::env::var_os("BONEBOX_SAVE_PICTURES") {
        let picture = window.render().expect("a picture");
        picture.save(PathBuf::from(folder).join(name)).expect("a file");
    }
}

fn read<T>(window: &Window, what: impl FnOnce(&State) -> T) -> T {
    what(&window.state().kept().borrow().state)
}

fn apply(window: &mut Window, command: Command) {
    window.state().kept().borrow_mut().state.apply(command);
    settle(window);
}

fn settle(window: &mut Window) {
    for _ in 0..2_000 {
        window.step();
        if !read(window, State::is_busy) {
            window.run_steps(3);
            if !read(window, State::is_busy) {
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the background work does not end");
}

/// A folder of a test file's parts with these endings.
fn folder(data: &Path, stem: &str, endings: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for ending in endings {
        let name = format!("{stem}.{ending}");
        std::fs::copy(data.join("charpipe").join(&name), folder.path().join(name)).unwrap();
    }
    folder
}

fn log(window: &Window) -> Vec<String> {
    read(window, |s| s.log.entries().iter().map(|e| e.message.clone()).collect())
}

#[test]
fn any_loose_file_brings_the_model_of_all_that_lie_beside_it() {
    let data = kit::data();
    let all = ["gpl", "act", "skn", "tpl", "anm"];
    let folder = folder(&data, "arm_sdk", &all);
    for ending in all {
        let mut window = window();
        apply(&mut window, Command::Open(vec![folder.path().join(format!("arm_sdk.{ending}"))]));
        read(&window, |state| {
            let model = &state.shown.as_ref().unwrap_or_else(|| panic!("{ending}: nothing is shown")).model;
            assert_eq!((model.meshes.len(), model.joint_count(), model.images.len()), (1, 3, 2), "{ending}");
            assert_eq!(model.triangle_count(), 40, "{ending}");
            assert!(model.missing.is_empty(), "{ending}: {:?}", model.missing);
            // The bank is found and plays at once.
            assert!(state.playback.player.clip().is_some(), "{ending}");
        });
        keep(&mut window, &format!("charpipe_{ending}.png"));
    }
}

#[test]
fn what_was_looked_for_beside_a_file_and_not_found_is_said() {
    let data = kit::data();
    let said = |ending: &str| {
        let folder = folder(&data, "arm_sdk", &[ending]);
        let mut window = window();
        apply(&mut window, Command::Open(vec![folder.path().join(format!("arm_sdk.{ending}"))]));
        log(&window)
    };
    let has = |lines: &[String], start: &str| lines.iter().any(|line| line.starts_with(start));
    let palette = said("gpl");
    for start in ["No arm_sdk.act lies beside", "No arm_sdk.skn lies beside", "No arm_sdk.tpl lies beside"] {
        assert!(has(&palette, start), "{palette:?}");
    }
    let actor = said("act");
    assert!(has(&actor, "No arm_sdk.gpl lies beside"), "{actor:?}");
    assert!(!has(&actor, "No arm_sdk.skn") && !has(&actor, "No arm_sdk.tpl"), "{actor:?}");
    let skin = said("skn");
    assert!(has(&skin, "no geometry palette (.gpl)"), "{skin:?}");
}

#[test]
fn damaged_blocks_end_in_a_model_or_a_sentence() {
    let data = kit::data();
    for path in kit::files_below(&data.join("charpipe/bad")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut window = window();
        apply(&mut window, Command::Open(vec![path]));
        let shown = read(&window, |s| s.shown.as_ref().map(|s| (s.model.triangle_count(), s.model.joint_count())));
        let log = log(&window);
        if name == "empty.model" {
            assert!(shown.is_none() && log.iter().any(|line| line.contains("it is empty")), "{log:?}");
        } else {
            let (triangles, joints) = shown.unwrap_or_else(|| panic!("{name}: {log:?}"));
            assert!(triangles > 0 || joints > 0, "{name}");
        }
        let said = read(&window, |s| s.log.entries().iter().any(|e| e.severity > Severity::Info));
        assert!(said, "{name}: nothing is said of the damage: {log:?}");
        keep(&mut window, &format!("charpipe_bad_{name}.png"));
    }
}

#[test]
fn an_archive_offers_each_of_its_models() {
    let data = kit::data();
    let bytes = |name: &str| std::fs::read(data.join("charpipe").join(name)).unwrap();
    let archive = encode_archive(&[bytes("arm_min.model"), bytes("arm_full.anm"), bytes("arm_full.model")]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arms.models");
    std::fs::write(&path, archive).unwrap();
    let mut window = window();
    apply(&mut window, Command::Open(vec![path]));
    let models = read(&window, |state| {
        let file = &state.library.files[0];
        let models: Vec<EntryId> = file.file.document.outline().with_content(Content::Model).map(|e| e.id).collect();
        models.into_iter().map(|entry| Place { file: file.id, entry }).collect::<Vec<_>>()
    });
    let joints: Vec<usize> = models
        .iter()
        .map(|place| {
            apply(&mut window, Command::Show(*place));
            read(&window, |s| s.shown.as_ref().map_or(0, |s| s.model.joint_count()))
        })
        .filter(|joints| *joints > 0)
        .collect();
    assert_eq!(joints, [2, 4]);
    keep(&mut window, "charpipe_archive.png");
}

/// `arm_full` with facial poses for its rigid mesh.
fn with_faces(data: &Path, poses: usize) -> tempfile::TempDir {
    let mut block = std::fs::read(data.join("charpipe/arm_full.model")).unwrap();
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
    let data = kit::data();
    let folder = with_faces(&data, 40);
    let mut window = window();
    apply(&mut window, Command::Open(vec![folder.path().join("face.model")]));
    assert_eq!(read(&window, |s| s.playback.player.morph_weights.len()), 40);
    window.get_by_label("Morphs  40").click();
    window.run_steps(4);
    let rail = window.get_by_role_and_label(egui::accesskit::Role::Slider, "pose 2").rect();
    window.drag_at(rail.left_center() + egui::vec2(6.0, 0.0));
    window.run_steps(2);
    window.hover_at(rail.right_center());
    window.run_steps(2);
    window.drop_at(rail.right_center());
    window.run_steps(4);
    let weights = read(&window, |s| s.playback.player.morph_weights.clone());
    assert_eq!((weights[0], weights[1], weights[2]), (0.0, 1.0, 0.0));
    // Rows out of sight are not made, and there is a way to them.
    assert!(window.query_by_label("pose 40").is_none());
    keep(&mut window, "charpipe_faces.png");
}
