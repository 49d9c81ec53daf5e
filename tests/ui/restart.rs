//! What is looked at comes back as it was looked at when the program starts again.

use crate::kit::{self, app::*};
use bonebox::{
    scene::LoopMode,
    ui::{
        command::{
            CameraCommand, Command, LibraryCommand, ModelCommand, SelectionCommand, StageCommand, TerrainCommand,
            TransportCommand, ViewCommand,
        },
        saved_view::ViewToggle,
        session_file,
        settings::Settings,
        state::{Place, RowId, Shading, StageContent, State},
    },
};
use std::{fs, path::PathBuf};

fn ossie() -> [PathBuf; 2] {
    ["Ossie.psk", "Ossie.psa"].map(|name| kit::samples().join(name))
}

fn again(window: &mut Window) -> Window {
    let disk = saved(window);
    let mut window = started(&disk);
    settle(&mut window);
    window
}

/// The name of an entry with that of its file: numbers of files are of one run of the program.
fn name(state: &State, place: Place) -> String {
    let file = state.core.file(place.file).expect("its file is open");
    format!("{}: {}", file.name, file.entry(place.entry).expect("it is there").path())
}

fn rows(window: &Window) -> Vec<String> {
    change(window, |s| {
        let rows = s.core.library.rows().0.to_vec();
        rows.iter().map(|row| format!("{} {} {:?}", row.depth, row.open, row.place().map(|p| name(s, p)))).collect()
    })
}

/// All that is to come back.
pub fn looked_at(window: &Window) -> Vec<String> {
    let stages = read(window, |s| {
        let stage = |stage: &bonebox::ui::state::Stage| {
            let (view, playback, settings) = (&stage.view, stage.playback(), stage.play_settings());
            format!(
                "{:?} on {:?}\n{:?} {:?}\n{:?} {:?} {:?} {} {}\n{:?} {:?} {:?}",
                stage.content.place().map(|place| name(s, place)),
                stage.id,
                view.camera,
                view.fly,
                playback.and_then(|playback| playback.playing).map(|place| name(s, place)),
                playback.map_or(0.0, |playback| playback.player.frame()),
                settings.loop_mode,
                settings.speed,
                playback.is_some_and(|playback| playback.player.playing),
                (
                    view.options.shading,
                    view.options.wireframe,
                    view.options.skeleton,
                    view.options.bone_names,
                    view.options.grid,
                    view.options.textures
                ),
                (
                    view.options.backface_culling,
                    view.options.nearest_filter,
                    view.options.show_hidden,
                    view.options.background,
                    view.options.up_axis,
                    view.options.layers
                ),
                (stage.selected().joint, stage.viewport.drawer),
            )
        };
        s.stages.iter().map(stage).collect::<Vec<_>>()
    });
    let selection = read(window, |s| s.core.selection.map(|place| name(s, place)));
    stages.into_iter().chain(selection).chain(rows(window)).collect()
}

#[test]
fn a_model_comes_back_as_it_was_looked_at() {
    let mut first = window_with(ossie());
    let bone = read(&first, |s| {
        let file = &s.core.library.files[0];
        let bone = file.file.document.outline().entries().iter().rfind(|e| e.class == "Bone").expect("a bone").id;
        Place { file: file.id, entry: bone }
    });
    let last =
        read(&first, |s| s.stages.front.playback().unwrap().clips.iter().rfind(|clip| clip.belongs).unwrap().place);
    for command in [
        Command::Stage(StageCommand::Show(last)),
        Command::Selection(SelectionCommand::Select(bone)),
        Command::Camera(CameraCommand::Orbit(glam::vec2(0.4, 0.2))),
        Command::Camera(CameraCommand::Zoom(0.7)),
        Command::View(ViewCommand::SetShading(Shading::Weights)),
        Command::View(ViewCommand::Toggle(ViewToggle::Wireframe)),
        Command::View(ViewCommand::Toggle(ViewToggle::BoneNames)),
        Command::View(ViewCommand::Toggle(ViewToggle::Textures)),
        Command::View(ViewCommand::SetBackground(Some([1, 2, 3]))),
        Command::Transport(TransportCommand::SetLoop(LoopMode::PingPong)),
        Command::Transport(TransportCommand::TogglePlay),
        Command::Transport(TransportCommand::Seek(6.5)),
        Command::Transport(TransportCommand::Slower),
        Command::Library(LibraryCommand::Expand(RowId::File(last.file), true)),
    ] {
        apply(&mut first, command);
    }
    let wanted = looked_at(&first);
    assert!(wanted[0].contains("6.5 PingPong 0.75 false"), "{}", wanted[0]);
    let mut second = again(&mut first);
    assert_eq!(looked_at(&second), wanted);
    // And once more: what came back is what is kept.
    let third = again(&mut second);
    assert_eq!(looked_at(&third), wanted);
}

#[test]
fn the_bind_pose_stays_the_bind_pose() {
    let mut first = window_with(ossie());
    assert!(read(&first, |s| s.stages.front.playback().unwrap().playing.is_some()), "it plays by itself");
    apply(&mut first, Command::Model(ModelCommand::StopClip));
    let second = again(&mut first);
    assert!(read(&second, |s| s.stages.front.model().is_some() && s.stages.front.playback().unwrap().playing.is_none()));
}

#[test]
fn a_clip_that_is_gone_leaves_its_place_to_one_that_fits() {
    let folder = tempfile::tempdir().unwrap();
    let copies = ["Ossie.psk", "Ossie.psa"].map(|name| {
        let path = folder.path().join(name);
        fs::copy(kit::samples().join(name), &path).unwrap();
        path
    });
    let mut first = window_with(&copies);
    let disk = saved(&mut first);
    fs::remove_file(&copies[1]).unwrap();
    let mut second = started(&disk);
    settle(&mut second);
    assert!(read(&second, |s| s.stages.front.model().is_some() && s.stages.front.playback().unwrap().playing.is_none()));
    // The model is gone, too: there is nothing, and nothing waits for it.
    let disk = saved(&mut second);
    fs::remove_file(&copies[0]).unwrap();
    let mut third = started(&disk);
    settle(&mut third);
    assert!(read(&third, |s| matches!(s.stages.front.content, StageContent::Empty) && s.core.library.files.is_empty()));
    assert!(read(&third, |s| !s.core.works.is_busy()));
}

#[test]
fn stages_beside_come_back_each_with_its_own() {
    let mut first = window_with(ossie());
    let model = read(&first, |s| s.stages.front.model().unwrap().place);
    apply(&mut first, Command::Stage(StageCommand::OpenBeside(Some(model))));
    apply(&mut first, Command::Camera(CameraCommand::Orbit(glam::vec2(1.0, 0.0))));
    apply(&mut first, Command::View(ViewCommand::Toggle(ViewToggle::Wireframe)));
    apply(&mut first, Command::Transport(TransportCommand::TogglePlay));
    apply(&mut first, Command::Transport(TransportCommand::Seek(3.0)));
    let wanted = looked_at(&first);
    assert_eq!(read(&first, |s| s.stages.iter().count()), 2);
    let second = again(&mut first);
    assert_eq!(looked_at(&second)[..2], wanted[..2]);
    assert_ne!(wanted[0], wanted[1]);
}

#[test]
fn a_level_is_flown_through_from_where_one_was() {
    let mut first = window_with([kit::samples().join("BoneRoom.unr")]);
    assert!(read(&first, |s| s.stages.front.level().is_some()));
    apply(&mut first, Command::Camera(CameraCommand::Orbit(glam::vec2(0.3, 0.1))));
    let wanted = looked_at(&first);
    let second = again(&mut first);
    assert_eq!(looked_at(&second)[0], wanted[0]);
}

#[test]
fn a_landscape_comes_back_with_its_switches_and_what_is_selected() {
    let mut first = window_with([kit::samples().join("MarrowIsle.pew")]);
    for command in [
        TerrainCommand::SetExaggeration(3.0),
        TerrainCommand::ToggleContours,
        TerrainCommand::HideKinds { kinds: vec![1], hide: true },
        TerrainCommand::SelectProps(vec![0, 2]),
    ] {
        apply(&mut first, Command::Terrain(command));
    }
    apply(&mut first, Command::Camera(CameraCommand::Zoom(0.5)));
    let looks = |window: &Window| read(window, |s| (s.stages.front.view.terrain.clone(), s.stages.front.view.camera));
    let wanted = looks(&first);
    assert_eq!(wanted.0.selected.len(), 2);
    let second = again(&mut first);
    assert_eq!(looks(&second), wanted);
}

#[test]
fn a_flip_book_a_text_and_a_gallery_come_back() {
    let mut first = window_with([kit::samples().join("Bonebox.u")]);
    let text = read(&first, |s| {
        let file = &s.core.library.files[0];
        let mut texts = file.file.document.outline().with_content(bonebox::formats::Content::Text);
        Place { file: file.id, entry: texts.next().expect("a text").id }
    });
    apply(&mut first, Command::Stage(StageCommand::Show(text)));
    let second = again(&mut first);
    assert!(read(&second, |s| s.stages.front.text().is_some_and(|shown| shown.place.entry == text.entry)));
    let mut first = window_with([kit::samples().join("BoneboxFX.utx")]);
    assert!(read(&first, |s| matches!(s.stages.front.content, StageContent::Gallery(_))));
    let second = again(&mut first);
    assert!(read(&second, |s| matches!(s.stages.front.content, StageContent::Gallery(_))));
}

#[test]
fn values_that_cannot_be_are_as_by_default() {
    let mut first = window_with(ossie());
    apply(&mut first, Command::View(ViewCommand::Toggle(ViewToggle::Wireframe)));
    let disk = saved(&mut first);
    let text = fs::read_to_string(disk.path()).unwrap();
    let changes = [
        (r#""distance":"#, r#""distance":-"#),
        (r#""shading":"Lit""#, r#""shading":"Unheard of""#),
        (r#""entry":""#, r#""entry":"no such "#),
        (r#""file":"#, r#""file":9"#),
    ];
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        fs::write(disk.path(), text.replace(from, to)).unwrap();
        let mut window = started(&disk);
        settle(&mut window);
        assert_eq!(read(&window, |s| s.core.library.files.len()), 2, "{to}");
        let camera = read(&window, |s| s.stages.front.view.camera);
        assert!(camera.distance > 0.0 && camera.focus.is_finite(), "{to}");
    }
    // A view of tomorrow's version is left alone, and the settings beside it stay.
    let line = |line: &str| match line.starts_with("session_view =") {
        true => line.replacen(r#""version":1"#, r#""version":2"#, 1),
        false => line.to_owned(),
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    assert_ne!(lines.join("\n"), text.trim_end());
    let read = session_file::decode(&lines.join("\n"));
    assert_eq!(read.settings.session_view, None);
    assert_eq!(read.findings.len(), 1, "{:?}", read.findings);
    assert_eq!(read.settings.session.len(), 2);
    assert_ne!(read.settings, Settings::default());
}
