//! The real application, driven through its labels, keys, drops and commands; time is set by the test.

use crate::kit::{
    self,
    app::{self, *},
    device,
};
use bonebox::{
    formats::{Content, EntryId, Outline, Role, Severity},
    gpu::Shading,
    library::OpenOptions,
    scene::LoopMode,
    ui::{
        app::Session,
        command::{
            ACTIONS, CameraCommand, Command, LibraryCommand, SelectionCommand, StageCommand, TransportCommand,
            WindowCommand,
        },
        state::{LogEntry, Place, count_found},
    },
};
use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::{Harness, kittest::Queryable as _};
use std::{cell::RefCell, collections::BTreeSet, path::PathBuf, rc::Rc};

/// Files of ActorX with nothing else beside them.
fn alone(names: &[&str]) -> (tempfile::TempDir, Vec<PathBuf>) {
    app::alone("actorx", names)
}

fn frame(window: &Window) -> f32 {
    read(window, |s| s.stages.front.playback().unwrap().player.frame())
}

#[test]
fn a_model_finds_its_animation_and_something_moves_at_once() {
    let (_folder, paths) = alone(&["syn_arm.psk", "syn_arm.psa"]);
    let mut window = window();
    open(&mut window, &paths[..1]);
    assert_eq!(read(&window, |s| s.core.library.files.len()), 2, "the animation beside it is open too");
    assert!(read(&window, |s| s.stages.front.model().is_some() && s.stages.front.playback().unwrap().player.playing));
    let clip = read(&window, |s| s.stages.front.playback().unwrap().player.clip().cloned()).unwrap();
    assert_eq!(frame(&window), 0.0);
    let seconds = 0.5 / clip.rate_hz;
    pass(&mut window, f64::from(seconds));
    assert!((frame(&window) - 0.5).abs() < 1e-3);
    window.get_by_label(&format!("Frame 0.5 / {}", clip.frame_count));
    assert!(log(&window).iter().any(|l| l.contains("bones match")), "{:?}", log(&window));
}

#[test]
fn a_dropped_animation_plays_on_the_model_that_is_shown() {
    let (_a, mesh) = alone(&["syn_arm.psk"]);
    let (_b, clip) = alone(&["syn_arm.psa"]);
    let mut window = window();
    drop_on(&mut window, &mesh);
    assert!(read(&window, |s| s.stages.front.model().is_some() && s.stages.front.playback().unwrap().playing.is_none()));
    drop_on(&mut window, &clip);
    assert!(read(&window, |s| s.stages.front.playback().unwrap().player.playing && s.core.library.files.len() == 2));
    assert_eq!(read(&window, |s| s.stages.front.playback().unwrap().fit.as_ref().map(|f| f.matched)), Some(3));
}

#[test]
fn both_in_one_drop_play_whatever_their_order() {
    for names in [["syn_arm.psk", "syn_arm.psa"], ["syn_arm.psa", "syn_arm.psk"]] {
        let (_folder, paths) = alone(&names);
        let mut window = window();
        drop_on(&mut window, &paths);
        assert!(
            read(&window, |s| s.stages.front.playback().unwrap().player.playing && s.core.library.files.len() == 2),
            "{names:?}"
        );
    }
}

#[test]
fn an_animation_that_does_not_fit_says_why_and_the_model_stays() {
    let (_a, mesh) = alone(&["ok_duplicate_bone_names.psk"]);
    let (_b, clip) = alone(&["syn_arm.psa"]);
    let model = OpenOptions::new().open(&mesh[0]).unwrap();
    assert!(!model.document.outline().entries().is_empty());
    let mut window = window();
    drop_on(&mut window, &mesh);
    let shown = read(&window, |s| s.stages.front.model().map(|s| s.place));
    drop_on(&mut window, &clip);
    assert_eq!(read(&window, |s| s.stages.front.model().map(|s| s.place)), shown);
    let said = read(&window, |s| {
        s.core.log.entries().iter().any(|e| e.severity == Severity::Warning && e.message.contains("bones"))
    });
    assert!(read(&window, |s| !s.stages.front.playback().unwrap().player.playing) && said, "{:?}", log(&window));
}

#[test]
fn a_model_and_an_animation_that_does_not_fit_it_in_one_drop_say_so() {
    let (_folder, paths) = alone(&["ok_forward_parent.psk", "syn_arm.psa"]);
    let window = window_with(paths);
    assert!(
        read(&window, |s| s.stages.front.model().is_some() && s.stages.front.playback().unwrap().playing.is_none()),
        "{:?}",
        log(&window)
    );
    assert!(log(&window).iter().any(|l| l.starts_with("syn_arm.psa: ") && l.contains("bones")), "{:?}", log(&window));
}

#[test]
fn an_animation_alone_is_shown_as_its_bones() {
    let (_folder, paths) = alone(&["syn_arm.psa"]);
    // Its four bones all hang on the first; with a parent of its own for the third there is a hierarchy.
    let mut bytes = std::fs::read(&paths[0]).unwrap();
    assert_eq!(&bytes[32..41], b"BONENAMES");
    for (bone, parent) in [(1_usize, 0_u32), (2, 3), (3, 0)] {
        let at = 64 + 120 * bone + 72;
        bytes[at..at + 4].copy_from_slice(&parent.to_le_bytes());
    }
    std::fs::write(&paths[0], bytes).unwrap();
    let window = window_with(paths);
    let shown = read(&window, |s| s.stages.front.model().map(|s| (s.model.triangle_count(), s.model.joint_count())));
    assert_eq!(shown, Some((0, 4)), "{:?}", log(&window));
    assert!(
        read(&window, |s| s.stages.front.playback().unwrap().player.playing && s.stages.front.view.options.skeleton)
    );
}

/// Errors of the log: the file with a code and an offset, or with what is said.
fn errors(window: &Window) -> BTreeSet<String> {
    let of = |e: &LogEntry| match (e.code, e.offset) {
        ("", None) => format!("{}: {}", e.file, e.message.split(" (").next().unwrap_or_default()),
        (code, offset) => format!("{} {code} {}", e.file, offset.unwrap()),
    };
    let is_error = |e: &&LogEntry| e.severity == Severity::Error && !e.file.is_empty();
    read(window, |s| s.core.log.entries().iter().filter(is_error).map(of).collect())
}

#[test]
fn damaged_and_foreign_files_end_in_the_log() {
    let folder = kit::data().join("actorx");
    let mut paths = kit::files_below(&folder);
    paths.retain(|p| p.parent() == Some(&folder));
    paths.push(folder.join("does not exist.psk"));
    let mut window = window_with(&paths);
    assert!(log(&window).contains(&"3 of 29 files could not be opened".to_owned()));
    click(&mut window, "Show log");
    assert!(read(&window, |s| s.core.settings.show_log));
    let missing = std::io::Error::from_raw_os_error(2).to_string();
    let opened = [
        "bad_frames_huge.psa actorx.frames-cut 576",
        "bad_frames_negative.psa actorx.frames-cut 576",
        "bad_keys_short.psa actorx.frames-cut 744",
        "bad_keys_short.psa actorx.truncated-chunk 912",
        "bad_negative_count.psk actorx.bad-chunk-header 32",
        "bad_overflow_size.psk actorx.truncated-chunk 32",
        "bad_parent_cycle.psk actorx.parent-cycle 1392",
        "bad_parent_range.psk actorx.bad-parent 1392",
        "bad_parent_range.psk actorx.bad-parent 1512",
        "bad_truncated_header.psk actorx.truncated-header 1632",
        "bad_truncated_mid_chunk.psk actorx.truncated-chunk 1632",
        &format!("does not exist.psk: {}", missing.split(" (").next().unwrap()),
        "syn_arm_cfg.config: this is a text file: Bonebox does not support .config files",
        "zero_bytes.psk: the file is empty",
    ]
    .map(str::to_owned);
    assert_eq!(errors(&window), BTreeSet::from(opened.clone()));

    // Every entry of every file can be selected and shown, one upon the other.
    let places: Vec<Place> = read(&window, |s| {
        let places = s.core.library.files.iter().map(|f| (f.id, f.file.document.outline().entries()));
        places.flat_map(|(file, entries)| entries.iter().map(move |e| Place { file, entry: e.id })).collect()
    });
    assert!(places.len() > 100);
    for place in &places {
        change(&window, |s| s.apply(Command::Stage(StageCommand::Show(*place))));
        window.step();
    }
    settle(&mut window);
    assert!(
        !log(&window).iter().any(|line| line.contains("Bonebox continues")),
        "no worker was lost: {:?}",
        log(&window)
    );
    // And what is left of each model when it is waited for: triangles and joints.
    let mut left = Vec::new();
    for place in places.into_iter().filter(|p| p.entry == EntryId::FILE) {
        apply(&mut window, Command::Stage(StageCommand::Show(place)));
        read(&window, |s| {
            let name = s.core.file(place.file).unwrap().name.clone();
            let shown = s.stages.front.model().filter(|shown| shown.place.file == place.file);
            left.extend(shown.map(|shown| (name, shown.model.triangle_count(), shown.model.joint_count())));
        });
    }
    left.sort();
    let wanted = [
        ("bad_huge_count.psk", 36, 3),
        ("bad_indices.psk", 0, 1),
        ("bad_negative_count.psk", 36, 3),
        ("bad_overflow_size.psk", 0, 3),
        ("bad_parent_cycle.psk", 36, 3),
        ("bad_parent_range.psk", 36, 3),
        ("bad_truncated_header.psk", 36, 3),
        ("bad_truncated_mid_chunk.psk", 36, 3),
        ("bad_zero_and_nan_quat.psk", 36, 3),
        ("ok_duplicate_bone_names.psk", 36, 3),
        ("ok_forward_parent.psk", 36, 3),
        ("syn_arm.psk", 36, 3),
        ("syn_ext.psk", 36, 3),
        ("syn_morph_count_bug.psk", 36, 3),
    ];
    assert_eq!(left, wanted.map(|(name, triangles, joints)| (name.to_owned(), triangles, joints)));
    let shown = [
        "bad_indices.psk actorx.bad-face 180",
        "bad_indices.psk actorx.bad-weight 508",
        "bad_indices.psk: 2 errors in this file. The rest of the file is shown",
        "bad_overflow_size.psk actorx.bad-face 656",
        "bad_zero_and_nan_quat.psk actorx.not-finite 1512",
    ]
    .map(str::to_owned);
    assert_eq!(errors(&window), opened.into_iter().chain(shown).collect());
}

#[test]
fn a_panic_in_a_worker_is_a_line_in_the_log() {
    let mut window = window();
    change(&window, |s| s.core.works.run("Reading nothing", |_| panic!("injected")));
    settle(&mut window);
    let line = log(&window).into_iter().find(|l| l.contains("injected")).expect("the panic is told");
    assert!(line.contains("Reading nothing") && line.contains("Bonebox continues"), "{line}");
    let (_folder, paths) = alone(&["syn_arm.psk"]);
    apply(&mut window, Command::Library(LibraryCommand::Open(paths)));
    assert!(read(&window, |s| s.stages.front.model().is_some()));
}

#[test]
fn keys_work_without_focus_and_not_while_typing() {
    let (_folder, paths) = alone(&["syn_arm.psk", "syn_arm.psa"]);
    let mut window = window_with(paths);
    window.key_press(Key::Space);
    window.step();
    assert!(read(&window, |s| !s.stages.front.playback().unwrap().player.playing));
    window.key_press(Key::ArrowRight);
    window.step();
    assert_eq!(frame(&window), 1.0);
    window.key_press(Key::Home);
    window.step();
    assert_eq!(frame(&window), 0.0);
    window.key_press(Key::L);
    window.step();
    assert_eq!(read(&window, |s| s.stages.front.playback().unwrap().player.loop_mode()), LoopMode::PingPong);
    window.key_press_modifiers(Modifiers::SHIFT, Key::B);
    window.step();
    assert!(read(&window, |s| s.stages.front.view.options.bone_names && s.stages.front.view.options.skeleton));
    // In the filter field the same keys are letters.
    window.key_press_modifiers(Modifiers::COMMAND, Key::F);
    window.run_steps(3);
    window.get_by_label("Filter the library").type_text("w g");
    window.key_press(Key::W);
    window.key_press(Key::Space);
    window.run_steps(2);
    assert!(
        read(&window, |s| !s.stages.front.view.options.wireframe && !s.stages.front.playback().unwrap().player.playing)
    );
    assert_eq!(read(&window, |s| s.core.library.filter.clone()), "w g");
}

#[test]
fn the_filter_counts_and_lists_what_it_finds() {
    let (_folder, paths) = alone(&["syn_arm.psk"]);
    let mut window = window_with(paths);
    apply(&mut window, Command::Library(LibraryCommand::SetFilter("REFSKELT".into())));
    let counts = |window: &Window| {
        change(window, |s| {
            let (rows, matches) = s.core.library.rows();
            (rows.len(), matches)
        })
    };
    assert_eq!(counts(&window), (1, 1), "the chunk alone");
    assert!(has(&window, "REFSKELT") && !has(&window, "Root"));
    assert!(paints(&window, "syn_arm.psk"), "with the file that it lies in");
    apply(&mut window, Command::Library(LibraryCommand::SetFilter("no such thing".into())));
    assert_eq!(counts(&window), (0, 0));
}

#[test]
fn dragging_the_timeline_scrubs_also_while_it_plays() {
    let (_folder, paths) = alone(&["syn_arm.psk", "syn_arm.psa"]);
    let mut window = window_with(paths);
    let bar = window.get_by_label("Timeline").rect();
    let at = |share: f32| Pos2::new(bar.left() + share * bar.width(), bar.center().y);
    window.drag_at(at(0.2));
    window.step();
    window.hover_at(at(0.5));
    window.run_steps(2);
    let last = read(&window, |s| s.stages.front.playback().unwrap().player.clip().map(|c| c.loop_frames())).unwrap();
    let share = frame(&window) / last;
    assert!((share - 0.5).abs() < 0.05, "{share}");
    window.drop_at(at(0.5));
    window.step();
    assert!(read(&window, |s| s.stages.front.playback().unwrap().player.playing));
}

/// On a slow driver the release and what the pointer does afterwards come in one frame.
#[test]
fn a_scrub_ends_where_the_button_was_released() {
    let (_folder, paths) = alone(&["syn_arm.psk", "syn_arm.psa"]);
    let mut window = window_with(paths);
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    let bar = window.get_by_label("Timeline").rect();
    let at = |share: f32| Pos2::new(bar.left() + share * bar.width(), bar.center().y);
    let last = read(&window, |s| s.stages.front.playback().unwrap().player.clip().map(|c| c.loop_frames())).unwrap();
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    let pressed = |pos, pressed| Event::PointerButton { pos, button, pressed, modifiers };
    window.drag_at(at(0.2));
    window.run_steps(2);
    let away = at(0.9) - egui::vec2(0.0, 200.0);
    window.input_mut().events.extend([
        Event::PointerMoved(at(0.6)),
        pressed(at(0.6), false),
        Event::PointerMoved(away),
    ]);
    window.run_steps(2);
    let share = frame(&window) / last;
    assert!((share - 0.6).abs() < 0.03, "dragged: {share}");
    // The press too.
    let events = [pressed(at(0.3), true), pressed(at(0.3), false), Event::PointerMoved(away)];
    window.hover_at(at(0.3));
    window.step();
    window.input_mut().events.extend(events);
    window.run_steps(2);
    let share = frame(&window) / last;
    assert!((share - 0.3).abs() < 0.03, "pressed: {share}");
}

#[test]
fn what_is_open_survives_its_window() {
    let (_folder, paths) = alone(&["syn_arm.psk", "syn_arm.psa"]);
    let kept = kept(state());
    let mut first = window_of(kept.clone(), SIZE);
    open(&mut first, paths);
    apply(&mut first, Command::Transport(TransportCommand::Seek(1.0)));
    apply(&mut first, Command::Transport(TransportCommand::TogglePlay));
    drop(first);
    let mut second = window_of(kept, SIZE);
    second.run_steps(2);
    assert_eq!(frame(&second), 1.0);
    second.get_by_label("Timeline");
    apply(&mut second, Command::Library(LibraryCommand::CloseAll));
    assert!(read(&second, |s| s.stages.front.model().is_none() && s.core.library.files.is_empty()));
    second.run_steps(2);
}

#[test]
fn selecting_a_bone_and_picking_it_are_one() {
    let (_folder, paths) = alone(&["syn_arm.psk"]);
    let mut window = window_with(paths);
    apply(&mut window, Command::Selection(SelectionCommand::Joint(Some(1))));
    let (selection, joint) = read(&window, |s| (s.core.selection.unwrap(), s.stages.front.selected().joint));
    assert_eq!(joint, Some(1));
    let name = read(&window, |s| s.core.file(selection.file).unwrap().entry(selection.entry).unwrap().name.clone());
    let expected =
        read(&window, |s| s.stages.front.model().unwrap().model.skeleton.as_ref().unwrap().joints()[1].name.clone());
    assert_eq!(name, expected);
    apply(&mut window, Command::Stage(StageCommand::Back));
    assert_ne!(read(&window, |s| s.core.selection), Some(selection));
    apply(&mut window, Command::Stage(StageCommand::Forward));
    assert_eq!(read(&window, |s| (s.core.selection, s.stages.front.selected().joint)), (Some(selection), Some(1)));
}

#[test]
fn the_camera_follows_the_pose_and_the_motion_until_the_user_takes_it() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let height = |window: &Window| {
        // Of the highest joint in the picture: 0 at its top, 1 at its bottom.
        read(window, |s| {
            let places = s.stages.front.playback().unwrap().frame.world_from_joint.iter().map(|m| m.translation.into());
            places
                .filter_map(|p| s.stages.front.view.camera.project(p, s.stages.front.viewport.aspect))
                .fold(1.0_f32, |top, at| top.min(at.y))
        })
    };
    let clip = |window: &Window, name: &str| {
        read(window, |s| s.stages.front.playback().unwrap().clips.iter().find(|c| c.name == name).map(|c| c.place))
            .unwrap()
    };
    let highest = |window: &mut Window| {
        let frames = read(window, |s| s.stages.front.playback().unwrap().player.clip().unwrap().frame_count);
        let heights = (0..frames).map(|frame| {
            apply(window, Command::Transport(TransportCommand::Seek(frame as f32)));
            height(window)
        });
        heights.fold(1.0, f32::min)
    };
    // Cheer jumps out of the picture of the bind pose.
    let idle = read(&window, |s| s.stages.front.view.camera);
    let cheer = clip(&window, "Cheer");
    apply(&mut window, Command::Stage(StageCommand::Show(cheer)));
    assert!(read(&window, |s| s.stages.front.view.camera.distance) > idle.distance * 1.1);
    assert!(highest(&mut window) > 0.0);
    let idle_clip = clip(&window, "Idle");
    apply(&mut window, Command::Stage(StageCommand::Show(idle_clip)));
    apply(&mut window, Command::Camera(CameraCommand::Orbit(glam::vec2(0.2, 0.0))));
    let turned = read(&window, |s| s.stages.front.view.camera);
    apply(&mut window, Command::Stage(StageCommand::Show(cheer)));
    assert_eq!(read(&window, |s| s.stages.front.view.camera), turned);

    // Focus frames the pose of the moment, a joint only its neighbourhood.
    let frames = read(&window, |s| s.stages.front.playback().unwrap().player.clip().unwrap().frame_count);
    apply(&mut window, Command::Transport(TransportCommand::Seek(frames as f32 / 2.0)));
    apply(&mut window, Command::Camera(CameraCommand::Frame));
    let whole = read(&window, |s| s.stages.front.view.camera);
    assert!((0.0..1.0).contains(&height(&window)));
    assert_ne!(whole.focus, turned.focus);
    apply(&mut window, Command::Camera(CameraCommand::FocusJoint(3)));
    let near = read(&window, |s| {
        (s.stages.front.view.camera, s.stages.front.playback().unwrap().frame.world_from_joint[3].translation)
    });
    assert!(near.0.distance < whole.distance * 0.6);
    assert!(near.0.focus.distance(near.1.into()) < 1e-3);
}

#[test]
fn one_key_goes_through_the_sets_of_texture_coordinates() {
    let (_folder, paths) = alone(&["syn_ext.psk"]);
    let mut window = window_with(paths);
    let sets = read(&window, |s| s.stages.front.model().unwrap().uv_set_count());
    assert!(sets > 1, "{sets}");
    for set in 0..sets {
        window.key_press(Key::U);
        settle(&mut window);
        assert_eq!(
            read(&window, |s| (s.stages.front.view.options.shading, s.stages.front.shown_uv_set())),
            (Shading::Uv, set)
        );
    }
    // The legend has the shortcut that is set.
    let legend = format!("Texture coordinates, set {sets} of {sets}");
    assert!(paints(&window, &format!("{legend} (U: next set)")));
    let action = ACTIONS.iter().find(|action| action.name == "Texture coordinates").unwrap();
    change(&window, |s| s.core.settings.keys.set(action, Vec::new()));
    window.run_steps(3);
    assert!(paints(&window, &legend) && !paints(&window, "next set"));
    change(&window, |s| s.core.settings.keys.reset(action));
    window.run_steps(3);
    window.key_press(Key::U);
    settle(&mut window);
    assert_eq!(
        read(&window, |s| (s.stages.front.view.options.shading, s.stages.front.shown_uv_set())),
        (Shading::Lit, 0)
    );
}

#[test]
fn a_hundred_thousand_rows_are_filtered() {
    // The rows come from the outline alone, so a made one is as good as a file's.
    let mut outline = Outline::new(Role::File, "Made", 0);
    for index in 0..100_000 {
        let name = format!("Entry{index}");
        outline.add(EntryId::FILE, name.clone(), name, Role::Bone, "Bone", 0, 0, Content::None);
    }
    assert_eq!(count_found(&outline, "made.bin", "entry99 bone"), 1_111);
    assert_eq!(count_found(&outline, "made.bin", ""), 100_001);
}

fn window_with_gpu(kept: Rc<RefCell<Session>>) -> Window {
    window_built(Harness::builder().wgpu(), kept, SIZE)
}

/// Pixels within a part of two pictures that are not the same.
fn changed(area: egui::Rect, a: &image::RgbaImage, b: &image::RgbaImage) -> usize {
    let inside = |x: u32, y: u32| area.contains(Pos2::new(x as f32, y as f32));
    a.enumerate_pixels().filter(|(x, y, p)| inside(*x, *y) && b.get_pixel(*x, *y) != *p).count()
}

#[test]
fn a_lost_device_takes_nothing_with_it() {
    let Some(_) = device::context() else { return };
    let (_folder, paths) = alone(&["syn_arm.psk", "syn_arm.psa"]);
    let kept = kept(state());
    let mut first = window_with_gpu(kept.clone());
    open(&mut first, paths);
    apply(&mut first, Command::Transport(TransportCommand::TogglePlay));
    apply(&mut first, Command::Transport(TransportCommand::Seek(1.0)));
    apply(&mut first, Command::Camera(CameraCommand::Orbit(glam::Vec2::new(0.4, 0.2))));
    let seen = |window: &Window| {
        read(window, |s| {
            let files: Vec<PathBuf> = s.core.library.files.iter().map(|f| f.file.path.clone()).collect();
            (
                files,
                s.stages.front.view.camera,
                s.stages.front.playback().unwrap().playing,
                s.stages.front.playback().unwrap().player.frame(),
                s.core.selection,
            )
        })
    };
    first.run_steps(3);
    let before = seen(&first);
    let area = first.get_by_label("Viewport").rect();
    let picture = first.render().unwrap();
    assert!(!kept.borrow().device_lost);
    change(&first, |s| s.apply(Command::Window(WindowCommand::LoseDevice)));
    first.run_steps(2);
    assert!(kept.borrow().device_lost, "the window notices");
    drop(first);

    let mut second = window_with_gpu(kept.clone());
    second.run_steps(3);
    assert!(!kept.borrow().device_lost);
    assert_eq!(seen(&second), before);
    assert_eq!(read(&second, |s| s.stages.front.viewport.failure.clone()), None);
    assert_eq!(second.get_by_label("Viewport").rect(), area);
    assert_eq!(changed(area, &picture, &second.render().unwrap()), 0, "the same picture of the model");
}

#[test]
fn the_picture_of_the_model_moves() {
    let Some(_) = device::context() else { return };
    let (_folder, paths) = alone(&["syn_arm.psk", "syn_arm.psa"]);
    let mut window = window_with_gpu(kept(state()));
    open(&mut window, paths);
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    let area = window.get_by_label("Viewport").rect();
    let mut picture = |frame: f32| {
        apply(&mut window, Command::Transport(TransportCommand::Seek(frame)));
        assert_eq!(read(&window, |s| s.stages.front.viewport.failure.clone()), None);
        window.render().unwrap()
    };
    let (first, again, other) = (picture(0.0), picture(0.0), picture(1.0));
    assert_eq!(changed(area, &first, &again), 0, "the same frame is the same picture");
    assert!(changed(area, &first, &other) > 50, "another frame is another picture");
}
