//! How a clip that carries the model away is framed.

use crate::kit::{self, app::*, open::load_of};
use bonebox::{
    formats::{
        Asset, Content,
        j3d::encode::{AxisTracks, JointClip, Track, encode_bck},
    },
    library::OpenOptions,
    scene::{Frame, Model},
    ui::{
        command::{CameraCommand, Command, LibraryCommand, TransportCommand},
        state::State,
    },
};
use glam::Vec3;
use std::{path::Path, sync::Arc};

const FRAMES: u16 = 60;

fn model(path: &Path) -> Arc<Model> {
    let file = OpenOptions::new().open(path).unwrap();
    let Asset::Model(model) = load_of(&file, file.entries_with(Content::Model)[0]) else { panic!("{}", file.name) };
    model
}

/// A clip that carries all joints, as they stand in bind pose, along x.
fn walk(model: &Model, distance: f32) -> JointClip {
    let bind = Frame::bind(model);
    let joint = |(at, local): (usize, Vec3)| {
        std::array::from_fn(|axis| {
            let translation = match (at, axis) {
                (0, 0) => Track::smooth(&[(0.0, local.x), (f32::from(FRAMES), local.x + distance)]),
                _ => Track::Constant(local[axis]),
            };
            AxisTracks { translation, ..AxisTracks::default() }
        })
    };
    let joints = bind.locals.iter().map(|local| local.translation).enumerate().map(joint).collect();
    JointClip { loop_mode: 2, duration: FRAMES, joints, ..JointClip::default() }
}

/// A model that plays a clip which carries it so many times its size away; and its size.
fn walking(times: f32) -> (tempfile::TempDir, State, f32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.bmd");
    std::fs::copy(kit::data().join("j3d/arm_basic.bmd"), &path).unwrap();
    let model = model(&path);
    let size = model.bounds().diagonal();
    std::fs::write(folder.path().join("arm_walk.bck"), encode_bck(&walk(&model, size * times))).unwrap();
    let mut state = state();
    state.apply(Command::Library(LibraryCommand::Open(vec![path])));
    settle_state(&mut state);
    assert!(
        state.stages.front.playback().unwrap().playing.is_some(),
        "{:?}",
        state.stages.front.playback().unwrap().clips
    );
    (folder, state, size)
}

/// Where the camera looks at, and where the root is, at a frame.
fn at(state: &mut State, frame: f32) -> (Vec3, Vec3) {
    state.apply(Command::Transport(TransportCommand::Seek(frame)));
    settle_state(state);
    state.tick();
    (
        state.stages.front.view.camera.focus,
        state.stages.front.playback().unwrap().frame.world_from_joint[0].translation.into(),
    )
}

#[test]
fn a_motion_out_of_the_picture_is_framed_whole() {
    let (_folder, mut state, size) = walking(3.0);
    let extent = state.stages.front.view.camera.extent;
    assert!(extent > size * 3.0 && extent < size * 5.0, "{extent} of {size}");
    let places = [0.0, 30.0, 54.0].map(|frame| at(&mut state, frame));
    for (focus, root) in places {
        assert_eq!(focus, places[0].0, "the camera stands");
        assert!(root.distance(focus) <= extent * 0.5, "{root} from {focus}");
    }
    assert!((places[2].1.x - places[0].1.x - size * 2.7).abs() < size * 0.01, "{places:?}");
    // F covers it too, from any moment.
    at(&mut state, 54.0);
    state.apply(Command::Camera(CameraCommand::Frame));
    assert!(state.stages.front.view.camera.extent > size * 3.0);
}

#[test]
fn a_long_way_is_followed_at_the_models_size() {
    let (_folder, mut state, size) = walking(200.0);
    let extent = state.stages.front.view.camera.extent;
    assert!(extent < size * 2.0, "{extent} of {size}: a speck otherwise");
    let places = [0.0, 30.0, 54.0].map(|frame| at(&mut state, frame));
    let apart = places.map(|(focus, root)| focus - root);
    assert!(places[2].1.x - places[0].1.x > size * 170.0, "{places:?}");
    for apart in apart {
        assert!(apart.distance(places[0].0 - places[0].1) < size * 0.01, "{apart} {places:?}");
        assert!(apart.length() < size, "{apart} of {size}");
    }
    // F at another moment: the model as it is there, and the camera goes on along with it.
    at(&mut state, 30.0);
    state.apply(Command::Camera(CameraCommand::Frame));
    let framed = at(&mut state, 30.0);
    assert!(state.stages.front.view.camera.extent < size * 2.0 && framed.0.distance(framed.1) < size);
    let later = at(&mut state, 45.0);
    assert!((later.0 - later.1).distance(framed.0 - framed.1) < size * 0.01, "{framed:?} {later:?}");
    // A still clip is no reason to go along.
    state.apply(Command::Camera(CameraCommand::Reset));
    assert!(state.stages.front.view.camera.extent < size * 2.0);
}

#[test]
fn a_clip_on_the_spot_keeps_the_framing_of_the_bind_pose() {
    let (_folder, mut state, size) = walking(0.0);
    let bounds = state.stages.front.world_bounds().unwrap();
    let camera = state.stages.front.view.camera;
    assert!(camera.focus.distance(bounds.center()) < size * 0.5, "{camera:?}");
    let focus = at(&mut state, 30.0).0;
    assert_eq!(focus, camera.focus);
}
