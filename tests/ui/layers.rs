//! Several clips at once in the window: a row each, on one clock.

use crate::kit::{self, app::*};
use bonebox::{
    scene::{
        Binding, BindingOptions, Channel, Clip, ClipEnd, ClipMaterial, Keys, LayerIndex, LoopMode, Sampler, Target,
        TargetKind, Unit,
    },
    ui::command::{Command, LayerCommand, ModelCommand, TransportCommand},
};
use egui_kittest::kittest::Queryable as _;
use std::sync::Arc;

/// Adds a clip of 50 frames at a rate that is not known.
fn add(window: &mut Window, name: &str, target: Target) {
    change(window, |state| {
        let sampler = Sampler::every_frame(Keys::Scalar(vec![0.0; 50]));
        let clip = Arc::new(Clip {
            name: name.into(),
            frame_count: 50,
            rate_hz: 30.0,
            rate_is_assumed: true,
            end: ClipEnd::Duration,
            materials: ["skin".to_owned()].into(),
            channels: vec![Channel { target, sampler, unit: Unit::Plain, muted: false }],
            ..Clip::default()
        });
        let model = state.stages.front.model().unwrap().model.clone();
        let binding = Binding::new(&clip, &model, BindingOptions::default());
        state.stages.front.content.model_mut().unwrap().playback.player.set_clip(clip, Arc::new(binding));
    });
    window.run_steps(3);
}

fn with_three() -> Window {
    let data = kit::data().join("actorx");
    let mut window = window_with([data.join("syn_arm.psk"), data.join("syn_arm.psa")]);
    add(&mut window, "eyes_blink.btp", Target::TextureSlot { material: ClipMaterial(0), slot: 0 });
    add(&mut window, "glow.brk", Target::Register { material: ClipMaterial(0), register: 0, part: 0 });
    window
}

fn kinds(window: &Window) -> Vec<TargetKind> {
    read(window, |s| s.stages.front.playback().unwrap().player.layers().iter().map(|l| l.kind()).collect())
}

/// The layer of a kind.
fn layer(window: &Window, kind: TargetKind) -> LayerIndex {
    LayerIndex(kinds(window).iter().position(|known| *known == kind).unwrap() as u32)
}

#[test]
fn each_kind_has_a_row_with_its_own_buttons() {
    let mut window = with_three();
    assert_eq!(kinds(&window), [TargetKind::Joints, TargetKind::TextureSlots, TargetKind::Registers]);
    for row in ["Texture swaps: eyes_blink.btp", "Colour registers: glow.brk"] {
        window.get_by_label(row);
    }
    click(&mut window, "Colour registers: Loop");
    let modes = |window: &Window| -> Vec<LoopMode> {
        read(window, |s| s.stages.front.playback().unwrap().player.layers().iter().map(|l| l.loop_mode()).collect())
    };
    assert_eq!(modes(&window), [LoopMode::Loop, LoopMode::Loop, LoopMode::PingPong]);
    click(&mut window, "Texture swaps: in sync. Click to play separately");
    click(&mut window, "Texture swaps: pause separately");
    let layer_of_kind = layer(&window, TargetKind::TextureSlots);
    apply(&mut window, Command::Model(ModelCommand::Layer(layer_of_kind, LayerCommand::Seek(20.0))));
    apply(&mut window, Command::Transport(TransportCommand::Seek(1.0)));
    let frames: Vec<f32> =
        read(&window, |s| s.stages.front.playback().unwrap().player.layers().iter().map(|l| l.frame()).collect());
    assert_eq!((frames[0], frames[1]), (1.0, 20.0));
    click(&mut window, "Colour registers: remove");
    assert_eq!(kinds(&window), [TargetKind::Joints, TargetKind::TextureSlots]);
    click(&mut window, "Texture swaps: remove");
    assert!(!has(&window, "Bones: remove"), "one clip needs no row");
}

#[test]
fn what_plays_on_when_the_main_clip_is_taken_away() {
    let mut window = with_three();
    let layer_of_kind = layer(&window, TargetKind::Joints);
    apply(&mut window, Command::Model(ModelCommand::Layer(layer_of_kind, LayerCommand::Remove)));
    assert_eq!(
        read(&window, |s| s.stages.front.playback().unwrap().player.clip().map(|c| c.name.clone())).as_deref(),
        Some("eyes_blink.btp")
    );
    let layer_of_kind = layer(&window, TargetKind::TextureSlots);
    apply(&mut window, Command::Model(ModelCommand::Layer(layer_of_kind, LayerCommand::Remove)));
    let layer_of_kind = layer(&window, TargetKind::Registers);
    apply(&mut window, Command::Model(ModelCommand::Layer(layer_of_kind, LayerCommand::Remove)));
    assert!(read(&window, |s| s.stages.front.playback().unwrap().player.layers().is_empty()
        && s.stages.front.playback().unwrap().playing.is_none()));
}

#[test]
fn the_rate_of_clips_that_do_not_say_is_the_users() {
    let mut window = with_three();
    let rates = |window: &Window| -> Vec<f32> {
        read(window, |s| s.stages.front.playback().unwrap().player.layers().iter().map(|l| l.rate_hz()).collect())
    };
    let own = rates(&window)[0];
    apply(&mut window, Command::Model(ModelCommand::SetAssumedRate(Some(60.0))));
    assert_eq!(rates(&window), [own, 60.0, 60.0]);
}
