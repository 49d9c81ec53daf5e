//! FIGURES.md P9: ten animated models of 20,000 triangles in one scene, driven as the window drives them: what a frame costs the
//! CPU, in the state (time, poses, places) and in handing the picture to the device. Prints medians and the slowest frame.

#[path = "made/mod.rs"]
mod made;

use bonebox::{
    formats::EntryId,
    gpu::{GpuContext, Item, ItemLook, RenderTarget, SceneRenderer, ViewSettings},
    ui::{
        command::{Command, LibraryCommand, SceneCommand},
        scene_member::{Anchor, Attachment, SceneMember},
        settings::Settings,
        state::{Clock, Place, State},
    },
};
use glam::Affine3A;
use std::time::{Duration, Instant};

const MODELS: usize = 10;
const JOINTS: usize = 64;
/// Three triangles for five of them.
const WEDGES: usize = 33_335;
const FRAMES: usize = 120;

fn settle(state: &mut State) {
    let end = Instant::now() + Duration::from_secs(120);
    let mut idle = 0;
    while idle < 2 {
        state.tick();
        idle = if state.core.works.is_busy() { 0 } else { idle + 1 };
        assert!(Instant::now() < end, "background work does not end");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn told(what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let slowest = times.last().copied().unwrap_or_default();
    println!("{what}: {:.3} ms a frame in the middle, {slowest:.3} at most", times[times.len() / 2]);
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = [folder.path().join("made.psk"), folder.path().join("made.psa")];
    std::fs::write(&paths[0], made::psk(WEDGES, JOINTS)).expect("a file");
    std::fs::write(&paths[1], made::psa(JOINTS, &[60])).expect("a file");
    let mut state = State::new(Settings::default(), Clock::Set(0.0));
    state.apply(Command::Library(LibraryCommand::Open(paths.into())));
    settle(&mut state);
    let shown = state.stages.front.model().expect("it is shown");
    println!("{MODELS} models of {} triangles and {JOINTS} bones", shown.model.triangle_count());
    let place = Place { entry: EntryId::FILE, ..shown.place };
    for _ in 1..MODELS {
        state.apply(Command::Scene(SceneCommand::Add(place)));
        settle(&mut state);
    }
    let clip = state.stages.front.playback().unwrap().playing.expect("it plays");
    let ids: Vec<_> = state.stages.front.scene().unwrap().models.iter().map(|model| model.id).collect();
    assert_eq!(ids.len(), MODELS - 1);
    for (index, id) in ids.iter().enumerate() {
        let attached = Attachment { to: SceneMember::Main, anchor: Anchor::Joint(5), name: "Bone005".into() };
        match index % 3 {
            0 => state.apply(Command::Scene(SceneCommand::SetFollows(*id, true))),
            1 => state.apply(Command::Scene(SceneCommand::Attach(*id, Some(attached)))),
            _ => {}
        }
        state.apply(Command::Scene(SceneCommand::Play(*id, Some(clip))));
        settle(&mut state);
        state.apply(Command::Scene(SceneCommand::SetOwnClock(*id, index % 2 == 0)));
    }
    assert!(state.stages.is_moving());

    let mut now = state.core.clock.now_secs();
    let mut frame = |state: &mut State| {
        now += 1.0 / 60.0;
        state.core.clock = Clock::Set(now);
        let start = Instant::now();
        state.tick();
        start.elapsed().as_secs_f64() * 1e3
    };
    told("state", (0..FRAMES).map(|_| frame(&mut state)).collect());

    let context = match GpuContext::headless() {
        Ok(context) => context,
        Err(error) => return println!("no picture: {error}"),
    };
    println!("adapter: {} ({})", context.adapter_name(), context.backend_name());
    let mut renderer = SceneRenderer::new(context.clone()).expect("a renderer");
    let model = renderer.upload(&state.stages.front.model().expect("it is shown").model).expect("a made model fits");
    let mut target = RenderTarget::new(&context, 640, 360, context.default_samples()).expect("a target");
    let (mut handed, mut whole) = (Vec::new(), Vec::new());
    for _ in 0..FRAMES / 4 {
        let posing = frame(&mut state);
        let view = ViewSettings { camera: state.stages.front.view.camera, ..ViewSettings::default() };
        let main = Item {
            model: &model,
            frame: &state.stages.front.playback().unwrap().frame,
            world_from_model: Affine3A::IDENTITY,
        };
        let others = state.stages.front.scene().unwrap().models.iter();
        let others =
            others.map(|other| Item { model: &model, frame: &other.frame, world_from_model: other.scene_from_model });
        let items: Vec<Item<'_>> = std::iter::once(main).chain(others).collect();
        let start = Instant::now();
        renderer.render_looks(&mut target, &view, &items, &[ItemLook::default(); MODELS], &[]).expect("a frame");
        let drawing = start.elapsed().as_secs_f64() * 1e3;
        handed.push(drawing);
        whole.push(posing + drawing);
        target.read().expect("a picture");
    }
    told("encoding and submission", handed);
    told("both", whole);
}
