//! What stood beside a model, what was put on it and what of it was hidden comes back: at the next start and by views.

use crate::{
    kit::{self, app::*},
    restart::looked_at,
};
use bonebox::{
    formats::{Content, Role, Severity},
    gpu::Tint,
    scene::{LayerIndex, LoopMode, PoseOptions, TargetKind, Translation},
    ui::{
        command::{
            Command, LayerCommand, LibraryCommand, ModelCommand, PartsCommand, SceneCommand, SelectionCommand,
            StageCommand, TerrainCommand, TransportCommand,
        },
        saved_view::{SavedAttachment, SavedImage, SavedView},
        scene_member::{Anchor, Attachment, SceneMember, SceneModelId},
        state::{Place, Stage, State, TextureSource},
        view_file,
    },
};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn scene(command: SceneCommand) -> Command {
    Command::Scene(command)
}

fn file_place(window: &Window, name: &str) -> Place {
    read(window, |s| {
        let opened = s.core.library.files.iter().find(|opened| opened.file.name == name).unwrap();
        Place { file: opened.id, entry: bonebox::formats::EntryId::FILE }
    })
}

#[track_caller]
fn add(window: &mut Window, name: &str) -> SceneModelId {
    let place = file_place(window, name);
    apply(window, scene(SceneCommand::Add(place)));
    read(window, |s| s.stages.front.scene().unwrap().models.last().expect("it was added").id)
}

fn joint(window: &Window, name: &str) -> u32 {
    read(window, |s| {
        let skeleton = s.stages.front.model().unwrap().model.skeleton.as_ref().unwrap();
        skeleton.joints().iter().position(|joint| joint.name == name).unwrap() as u32
    })
}

fn name(state: &State, place: Place) -> String {
    let file = state.core.file(place.file).expect("its file is open");
    format!("{}: {}", file.name, file.entry(place.entry).expect("it is there").path())
}

/// What stands on a stage beside its model and on it, and what of that is hidden, a line for each.
fn stood_on(state: &State, stage: &Stage) -> Vec<String> {
    let settings = stage.play_settings();
    let settings = format!("{:?} {:?} {:?}", settings.assumed_rate_hz, settings.binding, settings.pose);
    if let Some(shown) = stage.level() {
        return vec![settings, format!("{:?} {:?}", shown.actors.hidden(), shown.actors.alone())];
    }
    let Some(shown) = stage.model() else { return vec![settings] };
    let scene = &shown.scene;
    let member = |member: SceneMember| match member {
        SceneMember::Main => "main".to_owned(),
        SceneMember::Other(id) => format!("{:?}", scene.models.iter().position(|model| model.id == id)),
    };
    let (list, side_by_side) = (scene.list_is_open, scene.side_by_side);
    let mut lines = vec![format!("{:?}, {}, {list} {side_by_side}", scene.main, member(scene.selected_member()))];
    for model in &scene.models {
        let player = &model.player;
        lines.push(format!(
            "{}: {:?}, plays {:?} at {} {} {:?}, own clock {}, follows {}, on {:?}, at {}",
            name(state, model.place),
            model.look,
            model.playing.map(|place| name(state, place)),
            player.frame(),
            player.playing,
            player.loop_mode(),
            model.own_clock,
            model.follows,
            model.attached.as_ref().map(|on| (member(on.to), on.anchor, on.name.clone())),
            model.scene_from_model,
        ));
    }
    let mut textures: Vec<String> = Vec::new();
    for (source, places) in shown.textures.by_image() {
        let source = match source {
            TextureSource::Entry(place) => name(state, *place),
            TextureSource::Picture(path) => path.file_name().unwrap().to_string_lossy().into_owned(),
        };
        textures.push(format!("{source} in {places:?}"));
    }
    textures.sort();
    lines.extend(textures);
    let parts = &shown.parts;
    lines.push(format!("{:?} {:?}", parts.hidden(), parts.alone()));
    let playback = &shown.playback;
    for layer in playback.player.layers() {
        lines.push(format!(
            "{:?} at {} {:?}, detached {} {}",
            playback.places.of(layer).map(|place| name(state, place)),
            layer.frame(),
            layer.loop_mode(),
            layer.is_detached(),
            layer.plays_alone(),
        ));
    }
    let player = &playback.player;
    lines.push(format!("{:?} {}", player.range(), player.frame()));
    lines.push(settings);
    lines
}

fn stood(window: &Window) -> Vec<String> {
    read(window, |s| s.stages.iter().flat_map(|stage| stood_on(s, stage)).collect())
}

fn again(window: &mut Window) -> Window {
    let disk = saved(window);
    let mut window = started(&disk);
    settle(&mut window);
    window
}

/// The samples, copied into a folder, opened in this order.
fn copied(folder: &Path, names: &[&str]) -> Window {
    let paths: Vec<PathBuf> = names
        .iter()
        .map(|name| {
            let path = folder.join(name);
            let from = [kit::samples(), kit::data().join("actorx"), kit::data().join("j3d")];
            fs::copy(from.iter().map(|from| from.join(name)).find(|path| path.exists()).unwrap(), &path).unwrap();
            path
        })
        .collect();
    let mut window = window();
    for path in paths {
        open(&mut window, [path]);
    }
    let main = file_place(&window, "Ossie.psk");
    apply(&mut window, Command::Stage(StageCommand::Show(main)));
    window
}

fn picture(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    image::RgbImage::from_pixel(4, 4, image::Rgb([255, 0, 255])).save(&path).unwrap();
    path
}

fn entries(window: &Window, file: &str, role: Role) -> Vec<Place> {
    read(window, |s| {
        let opened = s.core.library.files.iter().find(|opened| opened.file.name == file).unwrap();
        let all = opened.file.document.outline().entries().iter();
        all.filter(|entry| entry.role == role).map(|entry| Place { file: opened.id, entry: entry.id }).collect()
    })
}

/// A stage with everything: other models that hang on each other, play and follow, pictures on the model, a part alone.
fn furnished(folder: &Path, names: &[&str]) -> Window {
    let mut window = copied(folder, names);
    let clips: Vec<Place> =
        read(&window, |s| s.stages.front.playback().unwrap().clips.iter().map(|clip| clip.place).collect());
    let play = |clip| Command::Stage(StageCommand::Show(clip));
    apply(&mut window, play(clips[1]));
    // Hangs on one that comes after it.
    let hanging = add(&mut window, "Ossie.psk");
    let arm = add(&mut window, "syn_arm.psk");
    let follower = add(&mut window, "Ossie.psk");
    let by_the_clock = add(&mut window, "Ossie.psk");
    let tail = joint(&window, "Tail.3");
    let on = |to, anchor, name: &str| Some(Attachment { to, anchor, name: name.to_owned() });
    let other = SceneMember::Other;
    for command in [
        SceneCommand::Attach(arm, on(SceneMember::Main, Anchor::Joint(tail), "Tail.3")),
        SceneCommand::Attach(hanging, on(other(arm), Anchor::Joint(2), "Händ")),
        SceneCommand::SetTint(other(hanging), Some(Tint::Red)),
        SceneCommand::SetGhost(other(hanging), true),
        SceneCommand::Play(hanging, Some(clips[0])),
        SceneCommand::SetOwnClock(hanging, true),
        SceneCommand::SetLoop(hanging, LoopMode::PingPong),
        SceneCommand::SetFollows(follower, true),
        SceneCommand::SetVisible(other(arm), false),
        SceneCommand::SetTint(SceneMember::Main, Some(Tint::Green)),
        SceneCommand::Play(by_the_clock, Some(clips[2])),
        SceneCommand::ToggleSideBySide,
        SceneCommand::Select(other(follower)),
        SceneCommand::ToggleList,
    ] {
        apply(&mut window, scene(command));
    }
    // The clock goes round: what goes by it is elsewhere in its own clip.
    pass(&mut window, 0.37);
    for _ in 0..9 {
        pass(&mut window, 0.9);
    }
    apply(&mut window, scene(SceneCommand::SetPlaying(hanging, false)));
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));

    let materials = entries(&window, "Ossie.psk", Role::Material);
    apply(&mut window, Command::Selection(SelectionCommand::Select(materials[0])));
    drop_on(&mut window, &[picture(folder, "pink.png")]);
    let image = read(&window, |s| {
        let opened = s.core.library.files.iter().find(|opened| opened.file.name == "BoneboxFX.utx").unwrap();
        let mut images = opened.file.document.outline().with_content(Content::Image);
        let still = |entry: &&bonebox::formats::Entry| {
            let loaded = opened.file.load(entry.id, s.core.load_options(), &Default::default());
            loaded.is_ok_and(|l| {
                matches!(l.asset, bonebox::formats::Asset::Image(_) | bonebox::formats::Asset::Picture(_))
            })
        };
        Place { file: opened.id, entry: images.find(still).expect("an image").id }
    });
    apply(&mut window, Command::Selection(SelectionCommand::Select(materials[1])));
    apply(&mut window, Command::Model(ModelCommand::UseAsTexture(image)));
    let bones = entries(&window, "Ossie.psk", Role::Bone);
    apply(&mut window, Command::Parts(PartsCommand::Hide(bones[bones.len() - 1], true)));
    apply(&mut window, Command::Parts(PartsCommand::Isolate(materials[1])));
    window
}

const NAMES: [&str; 4] = ["Ossie.psk", "Ossie.psa", "syn_arm.psk", "BoneboxFX.utx"];

#[test]
fn a_scene_comes_back_with_all_that_was_in_it_whatever_was_opened_first() {
    for names in [NAMES, ["BoneboxFX.utx", "syn_arm.psk", "Ossie.psk", "Ossie.psa"]] {
        let folder = tempfile::tempdir().unwrap();
        let mut first = furnished(folder.path(), &names);
        let wanted = stood(&first);
        assert_eq!(read(&first, |s| s.stages.front.scene().unwrap().models.len()), 4);
        assert_eq!(read(&first, |s| s.stages.front.model().unwrap().textures.by_image().len()), 2, "{:?}", log(&first));
        assert!(read(&first, |s| s.stages.front.alone_piece().is_some()));
        let clock = read(&first, |s| s.stages.front.playback().unwrap().player.clock_secs().unwrap());
        assert!(
            clock > read(&first, |s| f64::from(s.stages.front.playback().unwrap().player.duration_secs())),
            "it went round"
        );
        let mut second = again(&mut first);
        assert_eq!(stood(&second), wanted, "{:?}", log(&second));
        assert_eq!(looked_at(&second)[0], looked_at(&first)[0]);
        // And once more: what came back is what is kept.
        let third = again(&mut second);
        assert_eq!(stood(&third), wanted);
        // What was isolated shows the others again, but for what was hidden before.
        for window in [&mut first, &mut second] {
            apply(window, Command::Parts(PartsCommand::IsolateSelected));
        }
        assert_eq!(stood(&second), stood(&first));
        assert!(read(&second, |s| !s.stages.front.model().unwrap().parts.hidden().is_empty()));
    }
}

#[test]
fn a_view_brings_a_scene_back_beside_its_files_and_over_another_one() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut first = furnished(old.path(), &NAMES);
    let wanted = stood(&first);
    let view = old.path().join("scene.bonebox-view");
    apply(&mut first, Command::Library(LibraryCommand::SaveView(view.clone())));
    let mut second = window_with([&view]);
    assert_eq!(stood(&second), wanted, "{:?}", log(&second));
    assert_eq!(looked_at(&second)[0], looked_at(&first)[0]);

    // Over the same model in other company.
    apply(&mut second, scene(SceneCommand::RemoveAll));
    add(&mut second, "syn_arm.psk");
    apply(&mut second, Command::Model(ModelCommand::OwnTextures));
    apply(&mut second, Command::Parts(PartsCommand::ShowAll));
    apply(&mut second, Command::Model(ModelCommand::StopClip));
    let disturbed = stood(&second);
    assert_ne!(disturbed, wanted);
    // A view of tomorrow's version changes nothing.
    let text = fs::read_to_string(&view).unwrap();
    let tomorrow = old.path().join("tomorrow.bonebox-view");
    fs::write(&tomorrow, text.replacen("\"version\": 1", "\"version\": 2", 1)).unwrap();
    open(&mut second, [tomorrow]);
    assert_eq!(stood(&second), disturbed);
    open(&mut second, [&view]);
    assert_eq!(stood(&second), wanted);

    // Everything was copied elsewhere, the picture too: that one is meant.
    for name in NAMES.iter().chain(&["pink.png", "scene.bonebox-view"]) {
        fs::copy(old.path().join(name), new.path().join(name)).unwrap();
    }
    drop(old);
    let third = window_with([new.path().join("scene.bonebox-view")]);
    assert_eq!(stood(&third), wanted, "{:?}", log(&third));
    let is_new = |source: &TextureSource| match source {
        TextureSource::Picture(path) => path.starts_with(new.path()),
        TextureSource::Entry(_) => true,
    };
    assert!(read(&third, |s| s
        .stages
        .front
        .model()
        .unwrap()
        .textures
        .by_image()
        .iter()
        .all(|(source, _)| is_new(source))));

    // A picture of the stage leads there, too.
    let path = new.path().join("stage.png");
    let mut encoder = png::Encoder::new(fs::File::create(&path).unwrap(), 1, 1);
    encoder.set_color(png::ColorType::Rgba);
    let text = view_file::encode(&read(&third, |s| s.stages.view_now(&s.core)), new.path()).unwrap();
    view_file::put_in_picture(&mut encoder, &text).unwrap();
    encoder.write_header().unwrap().write_image_data(&[0; 4]).unwrap();
    let mut fourth = window();
    change(&fourth, |s| s.core.open_view(path));
    settle(&mut fourth);
    assert_eq!(stood(&fourth), wanted);
}

fn severe(window: &Window) -> Vec<String> {
    let is_severe = |entry: &&bonebox::ui::state::LogEntry| {
        // That there is no graphics device is an error of its own.
        entry.severity >= Severity::Warning && !entry.file.is_empty()
    };
    read(window, |s| s.core.log.entries().iter().filter(is_severe).map(|entry| entry.text()).collect())
}

#[test]
fn what_is_gone_is_left_out_and_told_and_the_rest_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = furnished(folder.path(), &NAMES);
    let wanted = stood(&first);
    let disk = saved(&mut first);
    for name in ["syn_arm.psk", "pink.png", "BoneboxFX.utx"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    let mut second = started(&disk);
    settle(&mut second);
    let names: Vec<String> =
        read(&second, |s| s.stages.front.scene_names(&s.core).into_iter().map(|(_, name)| name).collect());
    assert_eq!(names, ["Ossie.psk", "Ossie.psk (2)", "Ossie.psk (3)", "Ossie.psk (4)"]);
    read(&second, |s| {
        let models = &s.stages.front.scene().unwrap().models;
        assert_eq!((models[0].attached.as_ref(), models[0].look.tint), (None, Some(Tint::Red)));
        assert!(models[0].playing.is_some() && models[1].follows && models[2].playing.is_some());
        assert_eq!(s.stages.front.scene().unwrap().selected, Some(models[1].id));
        assert!(s.stages.front.model().unwrap().textures.is_empty() && s.stages.front.alone_piece().is_some());
        assert!(s.stages.front.playback().unwrap().playing.is_some());
    });
    let found = stood(&second);
    // They stand side by side without it.
    let but_where = |line: &String| line.split(", at [[").next().unwrap().to_owned();
    let were: Vec<String> = wanted.iter().map(but_where).collect();
    assert!(found[2..4].iter().all(|line| were.contains(&but_where(line))), "{found:?} {wanted:?}");
    let severe = severe(&second);
    for name in [
        "syn_arm.psk: cannot restore a model in the scene: Mesh",
        "pink.png: cannot restore this texture",
        "BoneboxFX.utx: ",
    ] {
        assert!(severe.iter().filter(|line| line.contains(name)).count() >= 1, "{name}: {severe:?}");
    }
    // Nothing waits for what is gone: the view is kept again.
    let third = again(&mut second);
    assert_eq!(stood(&third), found);
}

/// A window with a changed view of another one.
fn with_view(window: &mut Window, folder: &Path, change: impl FnOnce(&mut SavedView)) -> Window {
    let mut view = read(window, |s| s.stages.view_now(&s.core));
    change(&mut view);
    let path = folder.join("changed.bonebox-view");
    view_file::write(&path, &view).unwrap();
    window_with([path])
}

#[test]
fn numbers_that_have_moved_are_found_by_name_and_those_that_cannot_be_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = furnished(folder.path(), &NAMES);
    let wanted = stood(&first);
    let moved = with_view(&mut first, folder.path(), |view| {
        let stage = &mut view.stages[0];
        for attached in stage.scene.models.iter_mut().filter_map(|model| model.attached.as_mut()) {
            attached.anchor = Anchor::Joint(999);
        }
        stage.textures.iter_mut().flat_map(|texture| &mut texture.places).for_each(|place| place.material += 900);
    });
    assert_eq!(stood(&moved), wanted);

    let wrong = with_view(&mut first, folder.path(), |view| {
        let stage = &mut view.stages[0];
        let models = &mut stage.scene.models;
        models[0].attached.as_mut().unwrap().name = "Fin".to_owned();
        models[1].attached.as_mut().unwrap().to = Some(77);
        models[3].clip.as_mut().unwrap().entry = "no such".to_owned();
        stage.scene.selected = Some(99);
        stage.textures[0].places[0].name = "Velvet".to_owned();
        stage.textures[1].image = Some(SavedImage::Picture(44));
        stage.parts.alone = Some(bonebox::scene::ModelPiece::Joint(bonebox::scene::JointIndex(4_000)));
        stage.frame = 3.0;
    });
    read(&wrong, |s| {
        let models = &s.stages.front.scene().unwrap().models;
        assert_eq!(models.len(), 4);
        assert!(models.iter().all(|model| model.attached.is_none()));
        assert_eq!((models[3].playing, s.stages.front.scene().unwrap().selected), (None, None));
        assert!(models[0].playing.is_some() && models[2].follows);
        assert!(s.stages.front.model().unwrap().textures.is_empty());
        // What was hidden before is hidden.
        assert!(s.stages.front.alone_piece().is_none() && !s.stages.front.model().unwrap().parts.hidden().is_empty());
        // The frame holds where the clock says another one.
        assert_eq!(s.stages.front.playback().unwrap().player.frame(), 3.0);
    });
    let severe = severe(&wrong);
    for text in [
        "no longer attached: syn_arm.psk has no bone or socket Fin",
        "Velvet",
        "cannot restore a clip in the scene: no such",
    ] {
        assert!(severe.iter().any(|line| line.contains(text)), "{text}: {severe:?}");
    }

    // Models that hang on each other in a circle: one of them is free.
    let circle = with_view(&mut first, folder.path(), |view| {
        let models = &mut view.stages[0].scene.models;
        let attachment = SavedAttachment { to: Some(0), anchor: Anchor::Joint(0), name: "Tail.3".to_owned() };
        models[1].attached = Some(attachment);
    });
    read(&circle, |s| {
        let models = &s.stages.front.scene().unwrap().models;
        assert_eq!(models[0].attached, None);
        let on = models[1].attached.as_ref().unwrap();
        assert_eq!((on.to, on.name.as_str()), (SceneMember::Other(models[0].id), "Tail.3"));
        assert!(models.iter().all(|model| model.scene_from_model.is_finite()));
    });
}

#[test]
fn ranges_rates_and_ways_of_posing_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = copied(folder.path(), &["Ossie.psk", "Ossie.psa"]);
    for command in [
        Command::Transport(TransportCommand::SetRange(3.0, 8.5)),
        Command::Transport(TransportCommand::SetLoop(LoopMode::PingPong)),
        Command::Model(ModelCommand::SetAssumedRate(Some(24.0))),
        Command::Model(ModelCommand::SetPoseOptions(PoseOptions { smooth_rotation: true, ..PoseOptions::default() })),
        Command::Model(ModelCommand::SetTranslation(Translation::Mesh)),
        Command::Transport(TransportCommand::TogglePlay),
        Command::Transport(TransportCommand::Seek(5.25)),
    ] {
        apply(&mut first, command);
    }
    let wanted = stood(&first);
    let mut second = again(&mut first);
    assert_eq!(stood(&second), wanted);
    // A clip on its own has a range, too.
    apply(&mut second, Command::Transport(TransportCommand::ClearRange));
    assert_ne!(stood(&second), wanted);
    // Without a range, frames beyond a range of before are of the clip again.
    let third = again(&mut second);
    assert_eq!(stood(&third), stood(&second));
    assert_eq!(read(&third, |s| s.stages.front.playback().unwrap().player.range()), None);
}

#[test]
fn a_clip_that_goes_back_and_forth_goes_on_the_way_it_went() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = copied(folder.path(), &["Ossie.psk", "Ossie.psa"]);
    apply(&mut first, Command::Transport(TransportCommand::SetLoop(LoopMode::PingPong)));
    apply(&mut first, Command::Transport(TransportCommand::SeekEnd));
    if !read(&first, |s| s.stages.front.playback().unwrap().player.playing) {
        apply(&mut first, Command::Transport(TransportCommand::TogglePlay));
    }
    pass(&mut first, 0.1);
    let mut second = again(&mut first);
    let frame = |window: &Window| read(window, |s| s.stages.front.playback().unwrap().player.frame());
    let before = frame(&second);
    assert_eq!(before, frame(&first));
    pass(&mut first, 0.1);
    pass(&mut second, 0.1);
    assert!(frame(&first) < before, "it goes back");
    assert!((frame(&second) - frame(&first)).abs() < 1e-3);
}

#[test]
fn clips_that_play_together_come_back_each_with_its_own_loop_and_clock() {
    let (_folder, files) = alone("j3d", &["arm_basic.bmd", "arm_wave.bck", "arm.btp", "arm.brk"]);
    let mut first = window_with(files);
    for name in ["arm_wave.bck", "arm.brk", "arm.btp"] {
        let clip = file_place(&first, name);
        apply(&mut first, Command::Stage(StageCommand::Show(clip)));
    }
    let kinds: Vec<TargetKind> =
        read(&first, |s| s.stages.front.playback().unwrap().player.layers().iter().map(|layer| layer.kind()).collect());
    assert_eq!(kinds, [TargetKind::Joints, TargetKind::TextureSlots, TargetKind::Registers]);
    let layer = |kind, command| {
        let at = kinds.iter().position(|known| *known == kind).unwrap();
        Command::Model(ModelCommand::Layer(LayerIndex(at as u32), command))
    };
    for command in [
        Command::Transport(TransportCommand::TogglePlay),
        layer(TargetKind::Registers, LayerCommand::SetLoop(LoopMode::PingPong)),
        layer(TargetKind::TextureSlots, LayerCommand::SetLoop(LoopMode::Once)),
        layer(TargetKind::TextureSlots, LayerCommand::SetDetached(true)),
        layer(TargetKind::TextureSlots, LayerCommand::SetPlaying(false)),
        layer(TargetKind::TextureSlots, LayerCommand::Seek(1.0)),
        Command::Transport(TransportCommand::Seek(4.0)),
    ] {
        apply(&mut first, command);
    }
    let wanted = stood(&first);
    let mut second = again(&mut first);
    assert_eq!(stood(&second), wanted);
    assert_eq!(looked_at(&second)[0], looked_at(&first)[0]);
    let third = again(&mut second);
    assert_eq!(stood(&third), wanted);
}

#[test]
fn a_clip_that_fits_no_longer_says_so_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = copied(folder.path(), &["Ossie.psk", "Ossie.psa", "Helix.anm"]);
    let helix = entries(&first, "Helix.anm", Role::Clip)[0];
    let (number, entry) = read(&first, |s| {
        let entry = s.core.file(helix.file).unwrap().entry(helix.entry).unwrap();
        (helix.entry.0, entry.path().into_owned())
    });
    let path = folder.path().join("Helix.anm");
    let second = with_view(&mut first, folder.path(), |view| {
        view.files.push(bonebox::ui::saved_view::SavedFile { path, relative: None });
        let file = view.files.len() - 1;
        view.stages[0].clip = Some(bonebox::ui::saved_view::SavedPlace { file, entry, number });
    });
    assert!(read(&second, |s| s.stages.front.model().is_some()));
    let said = severe(&second).iter().filter(|line| line.starts_with("Helix.anm: ")).count();
    assert_eq!(said, 1, "{:?}", log(&second));
}

#[test]
fn each_stage_has_its_own_scene() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = copied(folder.path(), &["syn_arm.psk", "Ossie.psk", "Ossie.psa"]);
    let id = add(&mut first, "syn_arm.psk");
    apply(&mut first, scene(SceneCommand::SetTint(SceneMember::Other(id), Some(Tint::Blue))));
    let arm = file_place(&first, "syn_arm.psk");
    apply(&mut first, Command::Stage(StageCommand::OpenBeside(Some(arm))));
    add(&mut first, "syn_arm.psk");
    add(&mut first, "Ossie.psk");
    let scenes = |window: &Window| -> Vec<usize> {
        read(window, |s| s.stages.iter().map(|stage| stage.scene().unwrap().models.len()).collect())
    };
    assert_eq!(scenes(&first), [2, 1]);
    let wanted = stood(&first);
    let second = again(&mut first);
    assert_eq!(stood(&second), wanted);
}

#[test]
fn hidden_actors_of_a_level_and_a_flipped_landscape_come_back() {
    let mut first = window_with([kit::samples().join("BoneRoom.unr")]);
    let actors: Vec<Place> = read(&first, |s| {
        let shown = s.stages.front.level().expect("a level is on the stage");
        let own = shown.map.actors.iter().take(2);
        own.map(|actor| Place { file: shown.place.file, entry: actor.source.into() }).collect()
    });
    apply(&mut first, Command::Parts(PartsCommand::Hide(actors[0], true)));
    apply(&mut first, Command::Parts(PartsCommand::Isolate(actors[1])));
    let wanted = stood(&first);
    let second = again(&mut first);
    assert_eq!(stood(&second), wanted);
    assert!(read(&second, |s| s.stages.front.alone_actor().is_some()));

    let mut first = window_with([kit::samples().join("MarrowIsle.pew")]);
    apply(&mut first, Command::Terrain(TerrainCommand::ToggleFlip));
    let second = again(&mut first);
    assert!(read(&first, |s| s.stages.front.view.flipped) && read(&second, |s| s.stages.front.view.flipped));
}
