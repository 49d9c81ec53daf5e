//! The ruler of clips: what of a clip plays, which way, and its keys and notifications.

use crate::kit::{self, app::*};
use bonebox::{
    scene::{Clip, Frame, LoopMode, Marker},
    ui::{
        command::{Command, ModelCommand, SelectionCommand, StageCommand, TransportCommand},
        session_file,
        state::{Clock, DrawerPage, State},
    },
};
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use std::sync::Arc;

const MODES: [LoopMode; 5] =
    [LoopMode::Loop, LoopMode::PingPong, LoopMode::Once, LoopMode::OnceReset, LoopMode::OnceForthAndBack];

/// The sample model with the first clip that fits, held at its first frame.
fn held() -> Window {
    let mut window = window_with([kit::samples().join("Ossie.psk"), kit::samples().join("Ossie.psa")]);
    transport(&mut window, TransportCommand::TogglePlay);
    transport(&mut window, TransportCommand::SeekStart);
    assert!(!read(&window, |s| s.stages.front.playback().unwrap().player.playing));
    window
}

fn transport(window: &mut Window, command: TransportCommand) {
    apply(window, Command::Transport(command));
}

fn frame(window: &Window) -> f32 {
    read(window, |s| s.stages.front.playback().unwrap().player.frame())
}

fn range(window: &Window) -> Option<(f32, f32)> {
    read(window, range_of)
}

fn range_of(state: &State) -> Option<(f32, f32)> {
    state.stages.front.playback().unwrap().player.range().map(|range| (range.first(), range.last()))
}

fn last(window: &Window) -> f32 {
    read(window, |s| s.stages.front.playback().unwrap().player.clip().unwrap().last_frame())
}

/// A state with the sample model, whose clip is held at its first frame.
fn held_state() -> State {
    let mut state = state();
    let files = ["Ossie.psk", "Ossie.psa"].map(|name| kit::samples().join(name));
    state.apply(Command::Library(bonebox::ui::command::LibraryCommand::Open(files.to_vec())));
    settle_state(&mut state);
    state.apply(Command::Transport(TransportCommand::TogglePlay));
    state.apply(Command::Transport(TransportCommand::SeekStart));
    state
}

/// Lets so many frames of the clip go by.
fn pass_frames(state: &mut State, frames: f32) {
    let rate_hz = state.stages.front.playback().unwrap().player.rate_hz();
    state.core.clock = Clock::Set(state.core.clock.now_secs() + f64::from(frames / rate_hz));
    state.tick();
}

#[test]
fn a_range_is_kept_to_in_every_loop_mode_both_ways() {
    let mut state = held_state();
    let last = state.stages.front.playback().unwrap().player.clip().unwrap().last_frame();
    assert!(last > 12.0, "{last}");
    for mode in MODES {
        for speed in [1.0, -1.0] {
            for command in [
                TransportCommand::SetSpeed(speed),
                TransportCommand::SetLoop(mode),
                TransportCommand::SetRange(4.0, 10.0),
                TransportCommand::Seek(7.0),
                TransportCommand::TogglePlay,
            ] {
                state.apply(Command::Transport(command));
            }
            // Two frames on, then past the end that comes first.
            pass_frames(&mut state, 2.0);
            let frame = state.stages.front.playback().unwrap().player.frame();
            assert!((frame - (7.0 + 2.0 * speed)).abs() < 1e-2, "{mode:?} at {speed}: {frame}");
            let mut seen = (frame, frame);
            for _ in 0..40 {
                pass_frames(&mut state, 0.7);
                let frame = state.stages.front.playback().unwrap().player.frame();
                seen = (seen.0.min(frame), seen.1.max(frame));
                assert!((3.99..=10.01).contains(&frame), "{mode:?} at {speed}: {frame}");
            }
            let goes_on = matches!(mode, LoopMode::Loop | LoopMode::PingPong);
            assert!(!goes_on || seen.0 < 4.8 && seen.1 > 9.2, "{mode:?} at {speed} goes through all of it: {seen:?}");
            assert_eq!(state.stages.is_moving(), goes_on, "{mode:?} at {speed}");
            if goes_on {
                state.apply(Command::Transport(TransportCommand::TogglePlay));
            }
        }
    }
}

#[test]
fn ranges_that_cannot_be_change_nothing() {
    let mut state = held_state();
    let last = state.stages.front.playback().unwrap().player.clip().unwrap().last_frame();
    for (from, to) in [(f32::NAN, 5.0), (2.0, f32::NAN), (last + 1.0, last + 9.0), (-9.0, -2.0), (0.0, last)] {
        state.apply(Command::Transport(TransportCommand::SetRange(from, to)));
        assert_eq!(range_of(&state), None, "{from} to {to}");
    }
    state.apply(Command::Transport(TransportCommand::SetRange(6.0, last + 50.0)));
    assert_eq!(range_of(&state), Some((6.0, last)), "held inside of the clip");
    state.apply(Command::Transport(TransportCommand::SetRange(f32::NAN, f32::INFINITY)));
    assert_eq!(range_of(&state), Some((6.0, last)));
    for seek in [f32::NAN, f32::INFINITY, -5.0, last + 9.0] {
        state.apply(Command::Transport(TransportCommand::Seek(seek)));
        let frame = state.stages.front.playback().unwrap().player.frame();
        assert!((0.0..=last).contains(&frame), "{seek}: {frame}");
    }
    // It belongs to the clip: another one plays whole.
    state.apply(Command::Model(ModelCommand::NextClip(1)));
    settle_state(&mut state);
    assert_eq!(range_of(&state), None);
    state.apply(Command::Model(ModelCommand::StopClip));
    state.apply(Command::Transport(TransportCommand::SetRange(1.0, 2.0)));
    state.apply(Command::Transport(TransportCommand::RangeFromHere));
    assert_eq!(range_of(&state), None, "no clip, no range");
}

#[test]
fn handles_on_the_ruler_are_dragged() {
    let mut window = held();
    // Notices lie over the end of the ruler as long as they stay: six seconds, of which a step is a quarter.
    window.run_steps(30);
    let last = last(&window);
    let ruler = window.get_by_label("Timeline").rect().shrink2(vec2(8.0, 0.0));
    let end = read(&window, |s| {
        let clip = s.stages.front.playback().unwrap().player.clip().unwrap().clone();
        clip.loop_frames().max(clip.last_frame())
    });
    let at = |frame: f32| Pos2::new(ruler.left() + frame / end * ruler.width(), ruler.center().y);
    let drag = |window: &mut Window, label: &str, to: Pos2| {
        let from = window.get_by_label(label).rect().center();
        window.drag_at(from);
        window.run_steps(2);
        window.hover_at(to);
        window.run_steps(2);
        window.drop_at(to);
        window.run_steps(2);
        window.remove_cursor();
        window.run_steps(2);
    };
    drag(&mut window, "Start of the range", at(5.0) - vec2(4.5, 0.0));
    assert_eq!(range(&window), Some((5.0, last)));
    drag(&mut window, "End of the range", at(11.0) + vec2(4.5, 0.0));
    assert_eq!(range(&window), Some((5.0, 11.0)));
    assert_eq!(frame(&window), 0.0, "the playhead stays where it is");
    look(&mut window, "timeline_range");
    // Past each other they stop.
    drag(&mut window, "Start of the range", at(30.0));
    assert_eq!(range(&window), Some((11.0, 11.0)));
    drag(&mut window, "Start of the range", at(-9.0));
    assert_eq!(range(&window), Some((0.0, 11.0)));
    drag(&mut window, "End of the range", at(end + 9.0));
    assert_eq!(range(&window), None, "all of it is no range");
    // A press beside a handle still goes to the frame there.
    press_at(&mut window, at(0.0));
    assert_eq!(frame(&window), 0.0);
    assert_eq!(range(&window), None);
}

#[test]
fn a_range_is_set_by_keys_and_typed() {
    let mut window = held();
    let last = last(&window);
    transport(&mut window, TransportCommand::Seek(3.0));
    window.key_press_modifiers(Modifiers::COMMAND, Key::OpenBracket);
    window.run_steps(2);
    assert_eq!(range(&window), Some((3.0, last)));
    transport(&mut window, TransportCommand::Seek(9.0));
    window.key_press_modifiers(Modifiers::COMMAND, Key::CloseBracket);
    window.run_steps(2);
    assert_eq!(range(&window), Some((3.0, 9.0)));
    let typed = |window: &mut Window, label: &str, text: &str| {
        type_into(window, label, text);
        window.key_press(Key::Enter);
        window.run_steps(4);
    };
    typed(&mut window, "Range start 3.0", "4.5");
    assert_eq!(range(&window), Some((4.5, 9.0)));
    typed(&mut window, "Range end 9.0", "0.4s");
    let seconds = 0.4 * read(&window, |s| s.stages.front.playback().unwrap().player.rate_hz());
    assert!((range(&window).unwrap().1 - seconds).abs() < 1e-3, "{:?}", range(&window));
    let before = range(&window);
    for rubbish in ["NaN", "inf", "walk", ""] {
        typed(&mut window, "Range start 4.5", rubbish);
        assert_eq!(range(&window), before, "{rubbish}");
    }
    click(&mut window, "Clear the range");
    assert_eq!(range(&window), None);
    transport(&mut window, TransportCommand::SetRange(2.0, 3.0));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Backslash);
    window.run_steps(2);
    assert_eq!(range(&window), None);
}

#[test]
fn the_frame_is_typed_where_it_stands() {
    let mut window = held();
    let (last, count) = read(&window, |s| {
        let clip = s.stages.front.playback().unwrap().player.clip().unwrap();
        (clip.last_frame(), clip.frame_count)
    });
    let rate_hz = read(&window, |s| s.stages.front.playback().unwrap().player.rate_hz());
    let typed = |window: &mut Window, text: &str, leave: Key| {
        let label = format!("Frame {:.1} / {count}", frame(window));
        type_into(window, &label, text);
        window.key_press(leave);
        window.run_steps(4);
    };
    typed(&mut window, "12.5", Key::Enter);
    assert_eq!(frame(&window), 12.5);
    typed(&mut window, "0.1s", Key::Enter);
    assert!((frame(&window) - 0.1 * rate_hz).abs() < 1e-4);
    typed(&mut window, "4", Key::Escape);
    assert!((frame(&window) - 0.1 * rate_hz).abs() < 1e-4, "Esc leaves it");
    for rubbish in ["NaN", "-inf", "1e999", "walk"] {
        typed(&mut window, rubbish, Key::Enter);
        assert!((frame(&window) - 0.1 * rate_hz).abs() < 1e-4, "{rubbish}");
    }
    typed(&mut window, "9999", Key::Enter);
    assert_eq!(frame(&window), last);
    typed(&mut window, "-3", Key::Enter);
    assert_eq!(frame(&window), 0.0);
    // While it plays, what is typed stays.
    transport(&mut window, TransportCommand::TogglePlay);
    let label = format!("Frame 0.0 / {count}");
    window.get_by_label(&label).focus();
    window.run_steps(2);
    window.get_by_label(&label).type_text("7");
    pass(&mut window, 0.05);
    transport(&mut window, TransportCommand::TogglePlay);
    window.key_press(Key::Enter);
    window.run_steps(4);
    assert_eq!(frame(&window), 7.0);
}

#[test]
fn reverse_is_one_key_and_the_speed_is_dragged() {
    let mut window = held();
    let speed = |window: &Window| read(window, |s| s.stages.front.playback().unwrap().player.speed);
    window.key_press(Key::J);
    window.run_steps(2);
    assert_eq!(speed(&window), -1.0);
    transport(&mut window, TransportCommand::Faster);
    assert_eq!(speed(&window), -1.5, "faster is farther from standing still");
    transport(&mut window, TransportCommand::Slower);
    window.key_press(Key::J);
    window.run_steps(2);
    assert_eq!(speed(&window), 1.0);
    let field = window.get_by_label("Speed").rect().center();
    window.drag_at(field);
    window.run_steps(2);
    window.hover_at(field + vec2(60.0, 0.0));
    window.run_steps(2);
    window.drop_at(field + vec2(60.0, 0.0));
    window.run_steps(2);
    assert!((speed(&window) - 1.6).abs() < 0.06, "a hundredth a point: {}", speed(&window));
    let faster = speed(&window);
    window.hover_at(field);
    window.run_steps(2);
    window.drag_at(field);
    window.run_steps(2);
    window.hover_at(field - vec2(900.0, 0.0));
    window.run_steps(2);
    window.drop_at(field - vec2(900.0, 0.0));
    window.run_steps(2);
    assert!(speed(&window) < 0.0 && speed(&window) >= -4.0, "{} from {faster}", speed(&window));
}

#[test]
fn keys_step_to_the_next_key_of_the_selected_bone() {
    let mut window = held();
    // Of any track: the clip has keys at every frame.
    window.key_press(Key::Period);
    window.run_steps(2);
    assert_eq!(frame(&window), 1.0);
    window.key_press(Key::Comma);
    window.run_steps(2);
    assert_eq!(frame(&window), 0.0);
    window.key_press(Key::Comma);
    window.run_steps(2);
    let end = read(&window, |s| *s.stages.front.playback().unwrap().ticks.last().unwrap());
    assert_eq!(frame(&window), end.min(last(&window)), "round to the last");
    apply(&mut window, Command::Selection(SelectionCommand::Joint(Some(1))));
    let keys = read(&window, |s| s.stages.front.playback().unwrap().bone_keys.frames().clone());
    assert!(keys.len() > 1, "{keys:?}");
    transport(&mut window, TransportCommand::SeekStart);
    transport(&mut window, TransportCommand::StepKey(1));
    assert_eq!(frame(&window), keys[1]);
    apply(&mut window, Command::Selection(SelectionCommand::Joint(None)));
    assert!(read(&window, |s| s.stages.front.playback().unwrap().bone_keys.frames().is_empty()));
}

#[test]
fn a_clip_of_one_frame_stands_still_and_asks_for_no_pictures() {
    for frames in [0, 1] {
        let mut state = held_state();
        let still = Clip { frame_count: frames, rate_hz: 30.0, ..Clip::default() };
        state.stages.front.content.model_mut().unwrap().playback.player.set_clip(Arc::new(still), Arc::default());
        for command in [
            TransportCommand::SetLoop(LoopMode::Loop),
            TransportCommand::SetRange(0.0, 4.0),
            TransportCommand::RangeToHere,
            TransportCommand::StepKey(1),
            TransportCommand::TogglePlay,
        ] {
            state.apply(Command::Transport(command));
        }
        state.apply(Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Tracks)));
        let revision = state.stages.front.playback().unwrap().revision;
        pass_frames(&mut state, 3.0);
        assert!(!state.stages.is_moving() && !state.stages.front.curves_play(), "{frames}");
        assert_eq!(
            (state.stages.front.playback().unwrap().revision, state.stages.front.playback().unwrap().player.frame()),
            (revision, 0.0)
        );
        assert_eq!(range_of(&state), None);
    }
}

/// Gives the clip that plays notifications.
fn mark(window: &mut Window, markers: &[(f32, &str)]) {
    let markers = markers.iter().map(|(frame, name)| Marker { frame: *frame, name: (*name).to_owned() }).collect();
    change(window, |s| {
        let shown = s.stages.front.content.model_mut().unwrap();
        let main = shown.playback.player.main().unwrap();
        let clip = Arc::new(Clip { markers, ..(*main.clip).clone() });
        let binding = main.binding.clone();
        shown.playback.player.replace_clip(clip.clone(), binding);
        shown.curves.shown.as_mut().unwrap().clip = clip;
    });
    window.run_steps(2);
}

#[test]
fn notifications_are_flags_that_a_press_goes_to_and_rows_of_the_drawer() {
    let mut window = held();
    apply(&mut window, Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Notifications)));
    assert!(has(&window, "This clip has no notifications") || paints(&window, "This clip has no notifications"));
    mark(&mut window, &[(3.25, "PlayFootStep"), (8.5, "PlayFootStep"), (9.0, "sound 0000002A")]);
    look(&mut window, "timeline_notifications");
    window.get_by_label("PlayFootStep at frame 3.2");
    click(&mut window, "sound 0000002A at frame 9.0");
    assert_eq!(frame(&window), 9.0);
    click(&mut window, "PlayFootStep at frame 8.5");
    assert_eq!(frame(&window), 8.5);
    // On the ruler a press near a flag goes to its frame, and the pointer is told its name.
    let ruler = window.get_by_label("Timeline").rect().shrink2(vec2(8.0, 0.0));
    let end = read(&window, |s| {
        let clip = s.stages.front.playback().unwrap().player.clip().unwrap().clone();
        clip.loop_frames().max(clip.last_frame())
    });
    let flag = Pos2::new(ruler.left() + 3.25 / end * ruler.width(), ruler.center().y);
    window.hover_at(flag + vec2(2.0, 0.0));
    window.run_steps(2);
    assert!(paints(&window, "PlayFootStep"));
    press_at(&mut window, flag + vec2(3.0, 0.0));
    assert_eq!(frame(&window), 3.25);
    press_at(&mut window, flag + vec2(30.0, 0.0));
    assert!(frame(&window) > 3.3, "{}", frame(&window));
}

#[test]
fn rows_of_keys_are_filtered_by_name_and_have_their_buttons() {
    let mut window = held();
    apply(&mut window, Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Tracks)));
    let names = read(&window, |s| {
        let joints = s.stages.front.model().unwrap().model.skeleton.as_ref().unwrap().joints().to_vec();
        joints.into_iter().map(|joint| joint.name).collect::<Vec<_>>()
    });
    let (first, second) = (format!("Keys of {}", names[0]), format!("Keys of {}", names[1]));
    assert!(has(&window, &first) && has(&window, &second), "{names:?}");
    type_into(&mut window, "Filter the tracks", &names[1]);
    assert!(has(&window, &second) && !has(&window, &first), "{names:?}");
    type_into(&mut window, "Filter the tracks", " nowhere");
    assert!(!has(&window, &second));
    click(&mut window, "Next key");
    assert_eq!(frame(&window), 1.0);
    click(&mut window, "Previous key");
    assert_eq!(frame(&window), 0.0);
}

/// Diamonds on the ruler: keys of the selected bone.
fn diamonds(window: &Window) -> usize {
    let ruler = window.get_by_label("Timeline").rect();
    let shapes = window.output().shapes.iter();
    let is_diamond =
        |shape: &&egui::Shape| matches!(shape, egui::Shape::Path(path) if path.closed && path.points.len() == 4);
    shapes
        .map(|clipped| &clipped.shape)
        .filter(is_diamond)
        .filter(|shape| ruler.contains(shape.visual_bounding_rect().center()))
        .count()
}

#[test]
fn keys_of_the_selected_bone_are_marked_on_the_ruler() {
    let mut window = held();
    assert_eq!(diamonds(&window), 0);
    apply(&mut window, Command::Selection(SelectionCommand::Joint(Some(3))));
    window.run_steps(2);
    let keys = read(&window, |s| s.stages.front.playback().unwrap().bone_keys.frames().len());
    let marked = diamonds(&window);
    assert!(marked > 10 && marked <= keys, "{marked} of {keys}");
    apply(&mut window, Command::Model(ModelCommand::StopClip));
    assert!(read(&window, |s| s.stages.front.playback().unwrap().bone_keys.frames().is_empty()), "no clip, no keys");
}

#[test]
fn blending_is_a_setting_that_is_kept_and_checked() {
    let mut state = held_state();
    for secs in [0.5, 0.25, 0.1, 0.0] {
        state.apply(Command::Model(ModelCommand::SetBlend(secs)));
        let written = session_file::encode(&state.core.settings).unwrap();
        assert_eq!(session_file::decode(&written).settings.blend_secs, secs);
    }
    for value in ["7", "-0.1", "\"long\"", "1e99"] {
        let loaded = session_file::decode(&format!("blend_secs = {value}\n"));
        assert_eq!((loaded.settings.blend_secs, loaded.findings.len()), (0.0, 1), "{value}: {:?}", loaded.findings);
    }
}

#[test]
fn a_clip_on_its_own_has_a_range_and_keys_and_what_is_no_clip_has_none() {
    let (_folder, files) = alone("j3d", &["arm_wave.bck"]);
    let mut window = window_with(files);
    let alone = |window: &Window| {
        read(window, |s| {
            let player = s.stages.front.curves().unwrap().alone();
            (player.frame(), player.range().map(|range| (range.first(), range.last())))
        })
    };
    let (last, ticks) = read(&window, |s| {
        (
            s.stages.front.curves().unwrap().alone().clip().unwrap().last_frame(),
            s.stages.front.curves().unwrap().ticks().clone(),
        )
    });
    assert!(ticks.len() > 1, "{ticks:?}");
    transport(&mut window, TransportCommand::SeekStart);
    transport(&mut window, TransportCommand::StepKey(1));
    assert_eq!(alone(&window).0, *ticks.iter().find(|tick| **tick > 0.0).unwrap());
    transport(&mut window, TransportCommand::SetRange(2.0, 6.0));
    assert_eq!(alone(&window).1, Some((2.0, 6.0)));
    transport(&mut window, TransportCommand::SetLoop(LoopMode::Loop));
    transport(&mut window, TransportCommand::TogglePlay);
    for _ in 0..20 {
        pass(&mut window, 0.11);
        let frame = alone(&window).0;
        assert!((2.0..=6.0).contains(&frame), "{frame} of {last}");
    }
    let possible = |window: &Window, command| read(window, |s| s.is_possible(&Command::Transport(command)));
    assert!(possible(&window, TransportCommand::ClearRange) && possible(&window, TransportCommand::Reverse));
    transport(&mut window, TransportCommand::ClearRange);
    assert!(!possible(&window, TransportCommand::ClearRange), "there is none");

    let mut window = crate::image::showing(bonebox::formats::Asset::Picture(crate::image::flip_book()));
    for command in [
        TransportCommand::Reverse,
        TransportCommand::StepKey(1),
        TransportCommand::RangeFromHere,
        TransportCommand::SetRange(1.0, 2.0),
        TransportCommand::ClearRange,
    ] {
        assert!(!possible(&window, command), "{command:?}");
        transport(&mut window, command);
    }
    assert_eq!(read(&window, |s| s.stages.front.image().unwrap().speed()), 1.0);
    assert!(!has(&window, "Start of the range"));
}

/// Where the bones of the shown pose are.
fn pose(state: &State) -> Vec<glam::Affine3A> {
    state.stages.front.playback().unwrap().frame.world_from_joint.clone()
}

/// The pose of the clips at their time, without anything else.
fn exact(state: &State) -> Vec<glam::Affine3A> {
    let mut frame = Frame::default();
    state.stages.front.playback().unwrap().player.evaluate(&state.stages.front.model().unwrap().model, &mut frame);
    frame.world_from_joint
}

/// How far the poses are from each other.
fn distance(a: &[glam::Affine3A], b: &[glam::Affine3A]) -> f32 {
    let far = |(a, b): (&glam::Affine3A, &glam::Affine3A)| (a.translation - b.translation).length();
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(far).fold(0.0, f32::max)
}

#[test]
fn one_clip_becomes_the_next_over_the_time_that_was_chosen() {
    let mut state = held_state();
    state.apply(Command::Transport(TransportCommand::Seek(9.0)));
    state.tick();
    let left = pose(&state);
    let next = |state: &mut State| {
        state.apply(Command::Model(ModelCommand::NextClip(1)));
        settle_state(state);
    };
    // Off: the new clip's own pose at once.
    next(&mut state);
    assert_eq!(state.core.settings.blend_secs, 0.0, "off by default");
    assert_eq!(pose(&state), exact(&state));
    assert!(distance(&pose(&state), &left) > 1e-3, "the clips differ");
    state.apply(Command::Model(ModelCommand::NextClip(-1)));
    settle_state(&mut state);
    state.apply(Command::Transport(TransportCommand::Seek(9.0)));
    state.tick();

    state.apply(Command::Model(ModelCommand::SetBlend(0.25)));
    next(&mut state);
    assert!(distance(&pose(&state), &left) < 1e-4, "it begins at the pose that was left");
    let pass = |state: &mut State, secs: f64| {
        state.core.clock = Clock::Set(state.core.clock.now_secs() + secs);
        state.tick();
    };
    pass(&mut state, 0.125);
    let (to_left, to_new) = (distance(&pose(&state), &left), distance(&pose(&state), &exact(&state)));
    assert!(to_left > 1e-4 && to_new > 1e-4, "half way it is neither: {to_left}, {to_new}");
    assert!(state.stages.is_moving());
    pass(&mut state, 0.2);
    assert_eq!(pose(&state), exact(&state), "then it is the new clip's to the bit");

    // A frame that is gone to is exact at once.
    state.apply(Command::Model(ModelCommand::NextClip(-1)));
    settle_state(&mut state);
    pass(&mut state, 0.05);
    assert!(distance(&pose(&state), &exact(&state)) > 1e-4);
    state.apply(Command::Transport(TransportCommand::Seek(4.0)));
    state.tick();
    assert_eq!(pose(&state), exact(&state));
    // What is no choice is off.
    for secs in [f32::NAN, -1.0, 7.0] {
        state.apply(Command::Model(ModelCommand::SetBlend(secs)));
        assert_eq!(state.core.settings.blend_secs, 0.0, "{secs}");
    }
}
