//! Several models on one stage: added, attached, on clocks of their own, following a pose, closed.

use crate::kit::{self, app::*, device};
use bonebox::{
    formats::actorx::{Bone, Face, Matt, Psk, RawWeight, Wedge, encode_psk},
    gpu::Tint,
    scene::Frame,
    ui::{
        command::{
            CameraCommand, Command, LibraryCommand, ModelCommand, SceneCommand, SelectionCommand, StageCommand,
            TransportCommand,
        },
        scene_member::{Anchor, Attachment, SceneMember, SceneModelId},
        state::{Clock, Place, SceneModel, State},
    },
};
use egui::{Event, Modifiers};
use egui_kittest::{Harness, kittest::Queryable as _};
use glam::{Affine3A, Vec3};
use std::path::PathBuf;

fn ossie() -> [PathBuf; 2] {
    ["Ossie.psk", "Ossie.psa"].map(|name| kit::samples().join(name))
}

fn scene(command: SceneCommand) -> Command {
    Command::Scene(command)
}

/// A state with the sample standing still and another file open, which is not shown.
fn stage_with(other: &str) -> (tempfile::TempDir, State, Place) {
    let (folder, paths) = alone("actorx", &[other]);
    let mut state = state();
    state.apply(Command::Library(LibraryCommand::Open(paths)));
    settle_state(&mut state);
    let added = file_place(&state, other);
    state.apply(Command::Library(LibraryCommand::Open(ossie().into())));
    settle_state(&mut state);
    assert_eq!(state.stages.front.model().unwrap().place.file, file_place(&state, "Ossie.psk").file);
    (folder, state, added)
}

fn file_place(state: &State, name: &str) -> Place {
    let opened = state.core.library.files.iter().find(|opened| opened.file.name == name).unwrap();
    Place { file: opened.id, entry: bonebox::formats::EntryId::FILE }
}

#[track_caller]
fn add(state: &mut State, place: Place) -> SceneModelId {
    state.apply(scene(SceneCommand::Add(place)));
    settle_state(state);
    state.stages.front.scene().unwrap().models.last().expect("it was added").id
}

fn model(state: &State, id: SceneModelId) -> &SceneModel {
    state.stages.front.scene().unwrap().model(id).unwrap()
}

fn on(to: SceneMember, anchor: Anchor, name: &str) -> Attachment {
    Attachment { to, anchor, name: name.to_owned() }
}

/// The joint of the main model with this name.
fn joint(state: &State, name: &str) -> u32 {
    let skeleton = state.stages.front.model().unwrap().model.skeleton.as_ref().unwrap();
    skeleton.joints().iter().position(|joint| joint.name == name).unwrap() as u32
}

fn wait(state: &mut State, secs: f64) {
    state.core.clock = Clock::Set(state.core.clock.now_secs() + secs);
    state.tick();
}

/// Where the evaluator has a joint of the main model at the player's time.
fn evaluated(state: &State, joint: u32) -> Affine3A {
    let mut frame = Frame::default();
    state.stages.front.playback().unwrap().player.evaluate(&state.stages.front.model().unwrap().model, &mut frame);
    frame.world_from_joint[joint as usize]
}

#[test]
fn an_attached_model_goes_where_the_joint_goes() {
    let (_folder, mut state, arm) = stage_with("syn_arm.psk");
    let id = add(&mut state, arm);
    assert_eq!(model(&state, id).scene_from_model, Affine3A::IDENTITY, "it stands where the main one does");
    let tail = joint(&state, "Tail.3");
    state.apply(scene(SceneCommand::Attach(id, Some(on(SceneMember::Main, Anchor::Joint(tail), "Tail.3")))));
    state.apply(Command::Transport(TransportCommand::SeekStart));
    let mut places = Vec::new();
    for _ in 0..5 {
        wait(&mut state, 0.13);
        let found = model(&state, id).scene_from_model;
        assert!(found.abs_diff_eq(evaluated(&state, tail), 1e-5), "{found} for {}", evaluated(&state, tail));
        places.push(found);
    }
    assert!(places.windows(2).any(|pair| pair[0] != pair[1]), "the tail wags");

    // On a socket: its own transform behind that of its joint.
    let shown = state.stages.front.model().unwrap().model.clone();
    let sockets = &shown.skeleton.as_ref().unwrap().sockets;
    let hat = sockets.iter().position(|socket| socket.name == "Hat").unwrap();
    let socket = &sockets[hat];
    state.apply(scene(SceneCommand::Attach(id, Some(on(SceneMember::Main, Anchor::Socket(hat as u32), "Hat")))));
    let wanted = evaluated(&state, socket.joint.unwrap()) * socket.transform.to_affine();
    assert!(model(&state, id).scene_from_model.abs_diff_eq(wanted, 1e-5));

    // And set free again.
    state.apply(scene(SceneCommand::Attach(id, None)));
    assert_eq!(model(&state, id).scene_from_model, Affine3A::IDENTITY);
}

#[test]
fn a_chain_of_models_multiplies_and_a_circle_is_refused() {
    let (_folder, mut state, arm) = stage_with("syn_arm.psk");
    let (first, second) = (add(&mut state, arm), add(&mut state, arm));
    let tail = joint(&state, "Tail.1");
    state.apply(scene(SceneCommand::Attach(first, Some(on(SceneMember::Main, Anchor::Joint(tail), "Tail.1")))));
    let to_first = on(SceneMember::Other(first), Anchor::Joint(2), "Händ");
    state.apply(scene(SceneCommand::Attach(second, Some(to_first.clone()))));
    wait(&mut state, 0.2);
    let hand = model(&state, first).frame.world_from_joint[2];
    let wanted = model(&state, first).scene_from_model * hand;
    assert!(model(&state, second).scene_from_model.abs_diff_eq(wanted, 1e-5));

    let to_second = on(SceneMember::Other(second), Anchor::Joint(0), "Root");
    state.apply(scene(SceneCommand::Attach(first, Some(to_second))));
    assert_eq!(model(&state, first).attached.as_ref().unwrap().to, SceneMember::Main, "it stays where it was");
    let said = lines(&state).pop().unwrap();
    assert!(said.contains("cannot be attached to syn_arm.psk (2): syn_arm.psk (2) is attached"), "{said}");
    state.apply(scene(SceneCommand::Attach(first, Some(to_first))));
    let said = lines(&state).pop().unwrap();
    assert!(said.ends_with("cannot be attached to itself"), "{said}");
}

#[test]
fn closing_a_file_takes_its_models_and_frees_what_hung_on_them() {
    let (_folder, mut state, arm) = stage_with("syn_arm.psk");
    let carrier = add(&mut state, arm);
    let own = file_place(&state, "Ossie.psk");
    let hanging = add(&mut state, own);
    state.apply(scene(SceneCommand::Attach(hanging, Some(on(SceneMember::Other(carrier), Anchor::Joint(2), "Händ")))));
    state.apply(scene(SceneCommand::Select(SceneMember::Other(carrier))));
    assert_ne!(model(&state, hanging).scene_from_model, Affine3A::IDENTITY);
    state.apply(Command::Library(LibraryCommand::CloseFile(arm.file)));
    state.tick();
    assert_eq!(state.stages.front.scene().unwrap().models.len(), 1);
    let free = model(&state, hanging);
    assert_eq!((free.attached.as_ref(), free.scene_from_model), (None, Affine3A::IDENTITY));
    assert_eq!(state.stages.front.scene().unwrap().selected, None);
    // The file of the main model takes the whole scene along.
    state.apply(Command::Library(LibraryCommand::CloseFile(own.file)));
    assert!(state.stages.front.scene().is_none());
    assert!(!state.stages.is_moving());
}

#[test]
fn a_model_goes_by_the_main_clock_or_by_its_own() {
    let (_folder, mut state, _) = stage_with("syn_arm.psk");
    let own = file_place(&state, "Ossie.psk");
    let id = add(&mut state, own);
    let clip = state.stages.front.playback().unwrap().playing.expect("it plays by itself");
    assert!(model(&state, id).clips.iter().any(|item| item.place == clip), "the clip fits the copy too");
    state.apply(scene(SceneCommand::Play(id, Some(clip))));
    settle_state(&mut state);
    assert!(!model(&state, id).own_clock, "there is a clock to go by");
    for _ in 0..3 {
        wait(&mut state, 0.31);
        let (main, other) = (state.stages.front.playback().unwrap().player.frame(), model(&state, id).player.frame());
        assert!((main - other).abs() < 1e-3, "{main} and {other}");
    }
    state.apply(Command::Transport(TransportCommand::Seek(3.0)));
    state.tick();
    assert!((model(&state, id).player.frame() - 3.0).abs() < 1e-3, "it is there where the main one is put");

    // In a range of the main one's clip both start over together.
    state.apply(Command::Transport(TransportCommand::SetRange(10.0, 20.0)));
    for _ in 0..4 {
        wait(&mut state, 0.21);
        let (main, other) = (state.stages.front.playback().unwrap().player.frame(), model(&state, id).player.frame());
        assert!((main - other).abs() < 1e-3 && (10.0..=20.0).contains(&other), "{main} and {other}");
    }
    state.apply(Command::Transport(TransportCommand::ClearRange));

    // Its own clock goes on while the main one stands.
    state.apply(scene(SceneCommand::SetOwnClock(id, true)));
    state.apply(Command::Transport(TransportCommand::TogglePlay));
    assert!(!state.stages.front.playback().unwrap().player.playing);
    assert!(state.stages.is_moving());
    let (main, other) = (state.stages.front.playback().unwrap().player.frame(), model(&state, id).player.frame());
    let before = model(&state, id).frame.world_from_joint.clone();
    wait(&mut state, 0.25);
    assert_eq!(state.stages.front.playback().unwrap().player.frame(), main);
    assert_ne!(model(&state, id).player.frame(), other);
    assert_ne!(model(&state, id).frame.world_from_joint, before);
    state.apply(scene(SceneCommand::SetPlaying(id, false)));
    assert!(!state.stages.is_moving(), "nothing moves any more");
    // What is hidden moves nothing either.
    state.apply(scene(SceneCommand::SetPlaying(id, true)));
    assert!(state.stages.is_moving());
    state.apply(scene(SceneCommand::SetVisible(SceneMember::Other(id), false)));
    assert!(!state.stages.is_moving());
}

#[test]
fn an_unseen_stage_moves_no_model_of_its_scene() {
    let (_folder, mut state, _) = stage_with("syn_arm.psk");
    let own = file_place(&state, "Ossie.psk");
    let id = add(&mut state, own);
    let clip = state.stages.front.playback().unwrap().playing.unwrap();
    state.apply(scene(SceneCommand::Play(id, Some(clip))));
    settle_state(&mut state);
    state.apply(scene(SceneCommand::SetOwnClock(id, true)));
    let at = model(&state, id).player.frame();
    state.stages.forget_seen();
    assert!(!state.stages.is_moving());
    wait(&mut state, 0.4);
    assert_eq!(model(&state, id).player.frame(), at);
}

#[test]
fn a_model_follows_the_pose_by_the_names_of_bones() {
    let (_folder, mut state, arm) = stage_with("syn_arm.psk");
    let own = file_place(&state, "Ossie.psk");
    let copy = add(&mut state, own);
    let bones = state.stages.front.model().unwrap().model.joint_count();
    assert_eq!(state.stages.front.model().unwrap().shared_bones(model(&state, copy)), (bones, true));
    let offer = state.core.log.take_toasts().pop().unwrap();
    assert_eq!(offer.action.as_ref().unwrap().0, "Follow pose");
    state.apply(offer.action.unwrap().1);
    wait(&mut state, 0.4);
    let main = &state.stages.front.playback().unwrap().frame.world_from_joint;
    assert!(model(&state, copy).frame.world_from_joint.iter().zip(main).all(|(a, b)| a.abs_diff_eq(*b, 1e-6)));
    assert_ne!(
        main[1],
        Frame::bind(&state.stages.front.model().unwrap().model).world_from_joint[1],
        "it is no bind pose"
    );
    // Of the arm only the root has its name there.
    let other = add(&mut state, arm);
    assert_eq!(state.stages.front.model().unwrap().shared_bones(model(&state, other)), (1, false));
}

#[test]
fn models_side_by_side_do_not_cover_each_other() {
    let (_folder, mut state, arm) = stage_with("syn_arm.psk");
    let (first, second) = (add(&mut state, arm), add(&mut state, arm));
    state.apply(scene(SceneCommand::ToggleSideBySide));
    let main = state.stages.front.model().unwrap().bounds;
    let place = |id| {
        let model = model(&state, id);
        model.bounds.transformed(&model.scene_from_model)
    };
    let (a, b) = (place(first), place(second));
    assert!(main.max.x < a.min.x && a.max.x < b.min.x, "{main:?} {a:?} {b:?}");
    assert_eq!((a.min.y, a.min.z), (b.min.y, b.min.z), "along X alone");
    state.apply(scene(SceneCommand::ToggleSideBySide));
    assert_eq!(model(&state, second).scene_from_model, Affine3A::IDENTITY);
}

#[test]
fn a_joint_that_is_not_there_leaves_the_model_free_and_says_so() {
    let (_folder, mut state, arm) = stage_with("syn_arm.psk");
    let id = add(&mut state, arm);
    for anchor in [Anchor::Joint(9_999), Anchor::Socket(u32::MAX)] {
        state.apply(scene(SceneCommand::Attach(id, Some(on(SceneMember::Main, anchor, "Gone")))));
        state.tick();
        assert_eq!(model(&state, id).scene_from_model, Affine3A::IDENTITY);
        assert!(state.stages.front.model().unwrap().hangs_on_nothing(model(&state, id)));
    }
}

#[test]
fn a_file_that_is_read_anew_keeps_its_models_in_the_scene() {
    let (folder, mut state, arm) = stage_with("syn_arm.psk");
    let (id, hanging) = (add(&mut state, arm), add(&mut state, arm));
    let to = on(SceneMember::Other(id), Anchor::Joint(2), "Händ");
    state.apply(scene(SceneCommand::Attach(hanging, Some(to))));
    state.apply(scene(SceneCommand::SetTint(SceneMember::Other(id), Some(Tint::Red))));
    // The same model with another bone before the hand.
    let path = folder.path().join("syn_arm.psk");
    let bone = |name: &str, parent| Bone {
        name: name.into(),
        parent,
        rotation: [0.0, 0.0, 0.0, 1.0],
        position: [0.0, 3.0, 0.0],
        ..Bone::default()
    };
    let bones = [("Root", -1), ("New", 0), ("Upper Arm", 0), ("Händ", 2)];
    let psk = small_psk(bones.iter().map(|(name, parent)| bone(name, *parent)).collect(), [0.0, 1.0, 0.0]);
    std::fs::write(&path, encode_psk(&psk)).unwrap();
    state.apply(Command::Library(LibraryCommand::Open(vec![path])));
    settle_state(&mut state);
    // It was opened, so it is shown; on the way back the scene is as it was.
    state.apply(Command::Stage(StageCommand::Back));
    settle_state(&mut state);
    let read_anew = model(&state, id);
    assert_eq!(read_anew.look.tint, Some(Tint::Red));
    assert_eq!(state.stages.front.scene().unwrap().models.len(), 2);
    assert_eq!(model(&state, hanging).attached.as_ref().unwrap().name, "Händ");
}

#[test]
fn what_hangs_on_a_model_that_is_read_again_finds_its_bone_by_name() {
    let (folder, mut state, arm) = stage_with("syn_arm.psk");
    let id = add(&mut state, arm);
    let own = file_place(&state, "Ossie.psk");
    let hanging = add(&mut state, own);
    let hand = on(SceneMember::Other(id), Anchor::Joint(2), "Händ");
    state.apply(scene(SceneCommand::Attach(hanging, Some(hand))));
    let path = folder.path().join("syn_arm.psk");
    let bone = |(name, parent): (&str, i32)| Bone {
        name: name.into(),
        parent,
        rotation: [0.0, 0.0, 0.0, 1.0],
        position: [0.0, 3.0, 0.0],
        ..Bone::default()
    };
    let again = |state: &mut State, names: &[(&str, i32)]| {
        let psk = small_psk(names.iter().copied().map(bone).collect(), [0.0, 1.0, 0.0]);
        std::fs::write(&path, encode_psk(&psk)).unwrap();
        state.apply(Command::Library(LibraryCommand::ReadAgain(Some(arm.file))));
        settle_state(state);
    };
    // Another bone stands before the hand now.
    again(&mut state, &[("Root", -1), ("New", 0), ("Upper Arm", 0), ("Händ", 2)]);
    assert_eq!(model(&state, id).model.joint_count(), 4);
    assert_eq!(model(&state, hanging).attached.as_ref().unwrap().anchor, Anchor::Joint(3));
    let wanted = model(&state, id).frame.world_from_joint[3];
    assert!(model(&state, hanging).scene_from_model.abs_diff_eq(wanted, 1e-5));
    // And now there is no hand: what hung on it stands free, and its line says so.
    again(&mut state, &[("Root", -1)]);
    assert!(state.stages.front.model().unwrap().hangs_on_nothing(model(&state, hanging)));
    assert_eq!(model(&state, hanging).scene_from_model, Affine3A::IDENTITY);
    // It hangs there again when the bone is back.
    again(&mut state, &[("Root", -1), ("Händ", 0)]);
    assert_eq!(model(&state, hanging).attached.as_ref().unwrap().anchor, Anchor::Joint(1));
}

/// One triangle with these bones.
fn small_psk(bones: Vec<Bone>, last: [f32; 3]) -> Psk {
    let points = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], last];
    Psk {
        type_flag: 1_999_801,
        wedges: (0..3).map(|point| Wedge { point, uv: [0.0, 0.0], material: 0 }).collect(),
        faces: vec![Face { wedges: [0, 1, 2], smoothing_groups: 1, ..Face::default() }],
        materials: vec![Matt { name: "Skin".into(), ..Matt::default() }],
        weights: (0..3).map(|point| RawWeight { weight: 1.0, point, bone: 0 }).collect(),
        points,
        bones,
        ..Psk::default()
    }
}

#[test]
fn boxes_that_are_no_numbers_and_a_hundred_models_do_no_harm() {
    let (_folder, mut state, _) = stage_with("syn_arm.psk");
    let folder = tempfile::tempdir().unwrap();
    let mut ids = Vec::new();
    for (index, corner) in [[f32::NAN; 3], [f32::INFINITY, 0.0, 0.0], [3e38, 3e38, -3e38]].into_iter().enumerate() {
        let path = folder.path().join(format!("bad{index}.psk"));
        let root = Bone { name: "Root".into(), parent: -1, rotation: [f32::NAN; 4], ..Bone::default() };
        std::fs::write(&path, encode_psk(&small_psk(vec![root], corner))).unwrap();
        state.apply(scene(SceneCommand::Drop(vec![path])));
        settle_state(&mut state);
        ids.push(state.stages.front.scene().unwrap().models.last().expect("it opens").id);
    }
    assert_eq!(state.stages.front.scene().unwrap().models.len(), 3, "{:?}", lines(&state));
    // A model that hangs on one of them, at a bone that is nowhere.
    let own = file_place(&state, "Ossie.psk");
    let hanging = add(&mut state, own);
    state.apply(scene(SceneCommand::Attach(hanging, Some(on(SceneMember::Other(ids[0]), Anchor::Joint(0), "Root")))));
    state.apply(scene(SceneCommand::ToggleSideBySide));
    state.apply(Command::Camera(CameraCommand::Frame));
    state.tick();
    let is_sound = |state: &State| {
        state.stages.front.scene().unwrap().models.iter().all(|model| model.scene_from_model.is_finite())
    };
    assert!(is_sound(&state));
    assert!(state.stages.front.view.camera.distance.is_finite());
    state.apply(Command::Model(ModelCommand::Pick(glam::Vec2::splat(0.5))));

    for _ in state.stages.front.scene().unwrap().models.len()..100 {
        state.apply(scene(SceneCommand::Add(ids_place(&state, ids[2]))));
    }
    settle_state(&mut state);
    assert_eq!(state.stages.front.scene().unwrap().models.len(), 100);
    assert!(is_sound(&state));
    for _ in 0..40 {
        state.apply(scene(SceneCommand::Add(ids_place(&state, ids[2]))));
    }
    settle_state(&mut state);
    assert_eq!(state.stages.front.scene().unwrap().models.len(), 128, "then there are enough");
    assert!(lines(&state).iter().any(|line| line.contains("a scene can have at most 128 added models")));
    state.apply(scene(SceneCommand::RemoveAll));
    assert!(state.stages.front.scene().unwrap().models.is_empty());
}

fn ids_place(state: &State, id: SceneModelId) -> Place {
    model(state, id).place
}

#[test]
fn a_dropped_model_joins_with_alt_held_or_by_the_button_of_its_notice() {
    let (_folder, arm) = alone("actorx", &["syn_arm.psk"]);
    let mut window = window_with(ossie());
    let main = read(&window, |s| s.stages.front.model().unwrap().place);
    window.event(Event::ModifiersChanged(Modifiers::ALT));
    drop_on(&mut window, &arm);
    window.event(Event::ModifiersChanged(Modifiers::NONE));
    window.run_steps(2);
    assert_eq!(read(&window, |s| s.stages.front.model().unwrap().place), main);
    assert_eq!(read(&window, |s| s.stages.front.scene().unwrap().models.len()), 1);
    assert!(has(&window, "syn_arm.psk in the scene"));
    look(&mut window, "scene_list");

    // Without it the file is opened as ever, and the notice has the other way.
    let mut window = window_with(ossie());
    let main = read(&window, |s| s.stages.front.model().unwrap().place);
    drop_on(&mut window, &arm);
    assert_ne!(read(&window, |s| s.stages.front.model().unwrap().place), main);
    click(&mut window, "Add to the scene");
    settle(&mut window);
    assert_eq!(read(&window, |s| s.stages.front.model().unwrap().place), main);
    let names: Vec<String> =
        read(&window, |s| s.stages.front.scene_names(&s.core).into_iter().map(|(_, name)| name).collect());
    assert_eq!(names, ["Ossie.psk", "syn_arm.psk"]);
}

#[test]
fn a_weapon_dropped_while_a_bone_is_selected_is_offered_to_it() {
    let (_folder, mut state, _) = stage_with("syn_arm.psk");
    let foot = joint(&state, "Foot.FL");
    state.apply(Command::Selection(SelectionCommand::Joint(Some(foot))));
    assert!(!state.is_possible(&scene(SceneCommand::AttachToSelectedBone(None))), "there is nothing to attach");
    let (_other, weapon) = alone("actorx", &["syn_ext.psk"]);
    state.apply(scene(SceneCommand::Drop(weapon)));
    settle_state(&mut state);
    let notice = state.core.log.take_toasts().into_iter().rev().find(|entry| entry.file == "syn_ext.psk").unwrap();
    assert_eq!(notice.message, "added to the scene. Bone Foot.FL is selected");
    let (words, attach) = notice.action.unwrap();
    assert_eq!(words, "Attach to the selected bone");
    state.apply(attach);
    wait(&mut state, 0.3);
    let weapon = &state.stages.front.scene().unwrap().models[0];
    assert_eq!(weapon.attached.as_ref().unwrap().name, "Foot.FL");
    assert!(weapon.scene_from_model.abs_diff_eq(evaluated(&state, foot), 1e-5));
    // The command of the palette does the same with the selected model, and says what is missing.
    let id = weapon.id;
    state.apply(scene(SceneCommand::Attach(id, None)));
    assert!(state.is_possible(&scene(SceneCommand::AttachToSelectedBone(None))));
    state.apply(scene(SceneCommand::AttachToSelectedBone(None)));
    assert_eq!(model(&state, id).attached.as_ref().unwrap().name, "Foot.FL");
    state.stages.front.content.model_mut().unwrap().selected.joint = None;
    state.apply(scene(SceneCommand::AttachToSelectedBone(None)));
    assert!(lines(&state).pop().unwrap().starts_with("Select a bone of the main model first"));
}

#[test]
fn a_row_of_the_library_adds_its_model() {
    let (_folder, arm) = alone("actorx", &["syn_arm.psk"]);
    let mut window = window();
    open(&mut window, arm);
    open(&mut window, ossie());
    window.get_by_label("syn_arm.psk").click_secondary();
    window.run_steps(4);
    window.get_by_label_contains("Add to the scene").click();
    window.run_steps(4);
    settle(&mut window);
    assert_eq!(read(&window, |s| s.stages.front.scene().unwrap().models.len()), 1);
    assert!(has(&window, "syn_arm.psk in the scene"));
    // What has no model in it is not added, and says so.
    let clips = read(&window, |s| file_place(s, "Ossie.psa"));
    apply(&mut window, scene(SceneCommand::Add(clips)));
    assert_eq!(read(&window, |s| s.stages.front.scene().unwrap().models.len()), 1);
}

#[test]
fn another_model_of_the_scene_becomes_the_main_one() {
    let (_folder, mut state, arm) = stage_with("syn_arm.psk");
    let (chosen, hanging) = (add(&mut state, arm), add(&mut state, arm));
    let tail = joint(&state, "Tail.1");
    state.apply(scene(SceneCommand::Attach(hanging, Some(on(SceneMember::Main, Anchor::Joint(tail), "Tail.1")))));
    state.apply(scene(SceneCommand::SetTint(SceneMember::Other(chosen), Some(Tint::Green))));
    let (clip, camera) = (state.stages.front.playback().unwrap().playing, state.stages.front.view.camera);
    state.apply(scene(SceneCommand::MakeMain(Some(chosen))));
    settle_state(&mut state);
    assert_eq!(state.stages.front.model().unwrap().place.file, arm.file);
    assert_eq!(
        (state.stages.front.scene().unwrap().main.tint, state.stages.front.view.camera),
        (Some(Tint::Green), camera)
    );
    let before = &state.stages.front.scene().unwrap().models[0];
    assert_eq!((before.place.file, before.playing), (file_place(&state, "Ossie.psk").file, clip));
    // What hung on the one before still does.
    let attached = model(&state, hanging).attached.clone().unwrap();
    assert_eq!((attached.to, attached.name.as_str()), (SceneMember::Other(before.id), "Tail.1"));
    wait(&mut state, 0.2);
    let tail = state.stages.front.scene().unwrap().models[0].frame.world_from_joint[tail as usize];
    assert!(model(&state, hanging).scene_from_model.abs_diff_eq(tail, 1e-5));
    assert_eq!(state.stages.front.scene().unwrap().models.len(), 2);
}

#[test]
fn the_way_back_brings_the_scene_back() {
    let (_folder, mut state, arm) = stage_with("syn_arm.psk");
    let id = add(&mut state, arm);
    let tail = joint(&state, "Tail.1");
    state.apply(scene(SceneCommand::Attach(id, Some(on(SceneMember::Main, Anchor::Joint(tail), "Tail.1")))));
    state.apply(Command::Stage(StageCommand::Show(arm)));
    settle_state(&mut state);
    assert!(state.stages.front.scene().unwrap().models.is_empty(), "the arm stands alone");
    let own = file_place(&state, "Ossie.psk").file;
    while state.stages.front.model().unwrap().place.file != own {
        assert!(state.stages.front.history.can_go_back());
        state.apply(Command::Stage(StageCommand::Back));
        settle_state(&mut state);
    }
    let back = model(&state, id);
    assert_eq!(back.attached.as_ref().unwrap().name, "Tail.1");
    assert!(back.scene_from_model.abs_diff_eq(evaluated(&state, tail), 1e-5));
}

#[test]
fn the_list_shows_hides_tints_attaches_and_removes() {
    let (_folder, arm) = alone("actorx", &["syn_arm.psk"]);
    let mut window = window();
    open(&mut window, arm);
    open(&mut window, ossie());
    let place = read(&window, |s| file_place(s, "syn_arm.psk"));
    assert!(!has(&window, "Ossie.psk in the scene"), "with one model it is folded");
    apply(&mut window, scene(SceneCommand::Add(place)));
    let look_of = |window: &Window| read(window, |s| s.stages.front.scene().unwrap().models[0].look);

    click(&mut window, "syn_arm.psk is visible");
    assert!(!look_of(&window).visible);
    click(&mut window, "syn_arm.psk is visible");
    assert!(look_of(&window).visible);

    click(&mut window, "Tint of syn_arm.psk");
    click(&mut window, "Orange");
    click(&mut window, "Ghost");
    assert_eq!((look_of(&window).tint, look_of(&window).ghost), (Some(Tint::Orange), true));
    window.key_press(egui::Key::Escape);
    window.run_steps(3);

    click(&mut window, "Attachment of syn_arm.psk: Not attached");
    type_into(&mut window, "Filter the list", "ear.r.3");
    click(&mut window, "Ossie.psk › Ear.R.3");
    let attached = read(&window, |s| s.stages.front.scene().unwrap().models[0].attached.clone().unwrap());
    assert_eq!((attached.to, attached.name.as_str()), (SceneMember::Main, "Ear.R.3"));
    assert!(has(&window, "Attachment of syn_arm.psk: Ossie.psk › Ear.R.3"));

    // A selected bone has a button of its own.
    let tail = read(&window, |s| joint(s, "Tail.5"));
    change(&window, |s| s.stages.front.content.model_mut().unwrap().selected.joint = Some(tail));
    window.run_steps(2);
    click(&mut window, "Attach syn_arm.psk to the selected bone");
    assert_eq!(read(&window, |s| s.stages.front.scene().unwrap().models[0].attached.clone().unwrap().name), "Tail.5");
    look(&mut window, "scene_attached");

    click(&mut window, "Ossie.psk in the scene");
    assert_eq!(read(&window, |s| s.stages.front.scene().unwrap().selected), None);
    click(&mut window, "Remove syn_arm.psk from the scene");
    assert!(read(&window, |s| s.stages.front.scene().unwrap().models.is_empty()));
    click(&mut window, "Models in the scene");
    assert!(!has(&window, "Ossie.psk in the scene"));
}

#[test]
fn the_list_chooses_clips_clocks_and_who_follows() {
    let mut window = window_with(ossie());
    let place = read(&window, |s| file_place(s, "Ossie.psk"));
    apply(&mut window, scene(SceneCommand::Add(place)));
    let copy = |window: &Window, what: fn(&SceneModel) -> bool| {
        read(window, |s| what(&s.stages.front.scene().unwrap().models[0]))
    };
    let name = "Ossie.psk (2)";
    click(&mut window, &format!("Clip of {name}: Bind pose"));
    click(&mut window, "Walk");
    settle(&mut window);
    assert!(has(&window, &format!("Clip of {name}: Walk")));
    assert!(copy(&window, |model| model.playing.is_some() && !model.own_clock));
    click(&mut window, &format!("Play {name} separately"));
    assert!(copy(&window, |model| model.own_clock && model.player.playing));
    click(&mut window, &format!("Pause {name}"));
    assert!(copy(&window, |model| !model.player.playing));
    click(&mut window, &format!("{name} loops. Click for the next loop mode"));
    assert!(has(&window, &format!("{name} plays back and forth. Click for the next loop mode")));
    look(&mut window, "scene_clips");
    click(&mut window, &format!("{name} follows the pose of the main model"));
    assert!(copy(&window, |model| model.follows));
    click(&mut window, &format!("{name} follows the pose of the main model"));
    assert!(copy(&window, |model| !model.follows));
    click(&mut window, &format!("Clip of {name}: Walk"));
    click(&mut window, "Bind pose");
    assert!(copy(&window, |model| model.playing.is_none()));
    // The same model twice cannot change places with itself: it is selected.
    click(&mut window, &format!("Set {name} as main model"));
    assert_eq!(read(&window, |s| s.stages.front.scene().unwrap().models.len()), 1);
}

#[test]
fn a_click_in_the_picture_says_which_model_it_was() {
    let (_folder, mut state, arm) = stage_with("syn_arm.psk");
    let id = add(&mut state, arm);
    state.apply(scene(SceneCommand::ToggleSideBySide));
    state.apply(Command::Camera(CameraCommand::Reset));
    state.stages.front.view.options.skeleton = false;
    state.apply(scene(SceneCommand::Select(SceneMember::Main)));
    let pick = |state: &mut State, place: Vec3| {
        let world = state.stages.front.view.options.up_axis.world_from_model().transform_point3(place);
        let at = state.stages.front.view.camera.project(world, state.stages.front.viewport.aspect).unwrap();
        state.apply(Command::Model(ModelCommand::Pick(at)));
    };
    // The middle of a triangle that faces the camera, of all those of the arm.
    let other = model(&state, id);
    let mesh = &other.model.meshes[0];
    let points = bonebox::scene::skinning::skinned_points(&other.model, mesh, &other.frame);
    let corner = |index: u32| points[mesh.vertex_points[index as usize] as usize];
    let middles: Vec<Vec3> = mesh
        .indices
        .chunks_exact(3)
        .map(|t| (corner(t[0]) + corner(t[1]) + corner(t[2])) / 3.0)
        .map(|middle| other.scene_from_model.transform_point3(middle))
        .collect();
    for middle in middles {
        pick(&mut state, middle);
        assert_eq!(state.stages.front.scene().unwrap().selected, Some(id));
    }
    assert_eq!(state.core.selection.unwrap().file, arm.file, "its entry is selected");
    let main = state.stages.front.model().unwrap().bounds.center();
    pick(&mut state, main);
    assert_eq!(state.stages.front.scene().unwrap().selected, None);
    // F brings the selected one into view.
    state.apply(scene(SceneCommand::Select(SceneMember::Other(id))));
    state.apply(Command::Camera(CameraCommand::Frame));
    let focus = state.stages.front.view.camera.focus;
    let arm = model(&state, id).bounds.transformed(&model(&state, id).scene_from_model);
    let arm = arm.transformed(&state.stages.front.view.options.up_axis.world_from_model());
    assert!(focus.distance(arm.center()) < arm.diagonal() * 0.2, "{focus} is not in {arm:?}");
}

#[test]
fn two_models_are_drawn_and_the_eye_hides_one() {
    let Some(_) = device::context() else { return };
    let (_folder, arm) = alone("actorx", &["syn_arm.psk"]);
    let mut window = window_built(Harness::builder().wgpu(), kept(state()), SIZE);
    open(&mut window, arm);
    open(&mut window, ossie());
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    apply(&mut window, Command::Transport(TransportCommand::SeekStart));
    let place = read(&window, |s| file_place(s, "syn_arm.psk"));
    apply(&mut window, scene(SceneCommand::Add(place)));
    apply(&mut window, scene(SceneCommand::ToggleSideBySide));
    apply(&mut window, scene(SceneCommand::Select(SceneMember::Main)));
    apply(&mut window, scene(SceneCommand::ToggleList));
    apply(&mut window, Command::Camera(CameraCommand::Reset));
    let id = read(&window, |s| s.stages.front.scene().unwrap().models[0].id);
    let area = window.get_by_label("Viewport").rect().shrink(60.0);
    let shot = |window: &mut Window, look: Option<SceneCommand>| {
        look.into_iter().for_each(|command| apply(window, scene(command)));
        window.run_steps(4);
        window.render().unwrap()
    };
    let differing = |a: &image::RgbaImage, b: &image::RgbaImage| {
        let inside = |x: u32, y: u32| area.contains(egui::pos2(x as f32, y as f32));
        a.enumerate_pixels().filter(|(x, y, p)| inside(*x, *y) && b.get_pixel(*x, *y) != *p).count()
    };
    let member = SceneMember::Other(id);
    let both = shot(&mut window, None);
    let one = shot(&mut window, Some(SceneCommand::SetVisible(member, false)));
    assert!(differing(&both, &one) > 200, "{} pixels differ", differing(&both, &one));
    let again = shot(&mut window, Some(SceneCommand::SetVisible(member, true)));
    assert_eq!(differing(&both, &again), 0);
    let tinted = shot(&mut window, Some(SceneCommand::SetTint(member, Some(Tint::Blue))));
    assert!(differing(&both, &tinted) > 200);
    let ghost = shot(&mut window, Some(SceneCommand::SetGhost(member, true)));
    assert!(differing(&tinted, &ghost) > 200);
    // The main one can be hidden too.
    let other_alone = shot(&mut window, Some(SceneCommand::SetVisible(SceneMember::Main, false)));
    assert!(differing(&ghost, &other_alone) > 2_000);
    look(&mut window, "scene_ghost");
}
