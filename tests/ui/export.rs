//! The export dialog and what it starts, without a GPU.

use crate::kit::{self, app::*};
use bonebox::{
    export::{ExportFormat, ExportSpace, ExportUp},
    formats::{
        Content, Severity,
        charpipe::encode::{Bank, Sequence, Track, VectorCurve, encode_anm},
    },
    ui::{
        command::{Command, ExportCommand, LibraryCommand, WindowCommand},
        export,
        state::{Effect, Place, State},
    },
};
use egui_kittest::{Harness, kittest::Queryable as _};

/// A state that shows a model with its clips, and the model's place.
fn with_model() -> (State, Place) {
    let mut state = state();
    let files = ["syn_arm.psk", "syn_arm.psa"].map(|name| kit::data().join("actorx").join(name));
    state.apply(Command::Library(LibraryCommand::Open(files.to_vec())));
    settle_state(&mut state);
    let place = state.stages.front.model().expect("a model shows").place;
    (state, place)
}

/// Scrolls to a choice of the dialog, and clicks it.
fn choose(dialog: &mut Harness<'_, State>, label: &str) {
    dialog.get_by_label(label).scroll_to_me();
    dialog.run_steps(8);
    click(dialog, label);
}

/// The dialog in a low window.
fn dialog(state: State) -> Harness<'static, State> {
    let mut harness = Harness::builder().with_size([700.0, 600.0]).build_ui_state(
        |ui, state: &mut State| {
            let mut commands = Vec::new();
            export::show(ui, state.exports.draft.as_ref(), &mut commands);
            for command in commands {
                state.apply(command);
            }
        },
        state,
    );
    harness.run_steps(3);
    harness
}

#[test]
fn the_dialog_writes_the_model_with_its_clips() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut state, place) = with_model();
    state.apply(Command::Export(ExportCommand::PrepareShown));
    let draft = state.exports.draft.as_ref().expect("the dialog is open");
    assert_eq!((draft.place, draft.format), (place, ExportFormat::Glb));
    let clips = draft.clips.clone().expect("the model is on the stage");
    assert!(clips.len() > 1 && clips.iter().all(|clip| clip.belongs && clip.taken), "{clips:?}");
    assert!(draft.path.ends_with(".glb"), "{draft:?}");
    let target = folder.path().join("arm.glb");
    state.apply(Command::Export(ExportCommand::SetPath(target.clone())));

    let mut harness = dialog(state);
    harness.get_by_label(&format!("Clips: {0} of {0}", clips.len()));
    choose(&mut harness, "None");
    let chosen = clips[0].name.clone();
    harness.get_all_by_label(&chosen).next().expect("a row of the list").click();
    harness.run_steps(3);
    harness.get_by_label(&format!("Clips: 1 of {}", clips.len()));
    click(&mut harness, "Export");
    let state = harness.state_mut();
    assert!(state.exports.draft.is_none(), "the dialog closes");
    settle_state(state);
    let said = lines(state);
    assert!(said.iter().any(|text| text.contains("exported to") && text.contains("arm.glb")), "{said:?}");
    // The notice has a button that shows the folder.
    let show = Command::Window(WindowCommand::ShowFolder(folder.path().to_owned()));
    let notice =
        state.core.log.entries().iter().find(|entry| entry.message.starts_with("exported to ")).expect("a notice");
    assert_eq!(notice.action, Some(("Show folder".into(), show.clone())));
    state.apply(show);
    assert_eq!(state.core.effects.last(), Some(&Effect::ShowFolder(folder.path().to_owned())));
    let document = gltf::Gltf::open(&target).expect("a GLB").document;
    let names: Vec<_> =
        document.animations().map(|animation| animation.name().unwrap_or_default().to_owned()).collect();
    assert_eq!((names, document.skins().count()), (vec![chosen], 1));
}

/// The dialog starts from the rate that the window plays at, and what is chosen there is written.
#[test]
fn a_clip_that_does_not_say_its_rate_is_written_at_the_chosen_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut state = state();
    let files = ["Helix.model", "Helix.anm"].map(|name| kit::samples().join(name));
    state.apply(Command::Library(LibraryCommand::Open(files.to_vec())));
    settle_state(&mut state);
    state.apply(Command::Export(ExportCommand::PrepareShown));
    let mut draft = state.exports.draft.clone().expect("the dialog is open");
    assert_eq!((draft.format, draft.rate_hz), (ExportFormat::Glb, Some(60.0)));
    let target = folder.path().join("helix.glb");
    draft.path = target.display().to_string();
    state.apply(Command::Export(ExportCommand::Edit(Box::new(draft))));
    let mut harness = dialog(state);
    choose(&mut harness, "30 fps");
    click(&mut harness, "Export");
    settle_state(harness.state_mut());
    let document = gltf::Gltf::open(&target).expect("a GLB").document;
    let extras = document.animations().next().and_then(|animation| animation.extras().clone()).expect("extras");
    let extras: serde_json::Value = serde_json::from_str(extras.get()).expect("JSON");
    assert_eq!((&extras["file"], &extras["rate_hz"]), (&"Helix.anm".into(), &30.0.into()));
}

#[test]
fn another_format_changes_the_ending_and_nothing_is_overwritten_unasked() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = folder.path().join("arm.psk");
    std::fs::write(&taken, b"mine").expect("written");
    let (mut state, _) = with_model();
    state.apply(Command::Export(ExportCommand::PrepareShown));
    let mut draft = state.exports.draft.clone().expect("the dialog is open");
    draft.path = folder.path().join("arm.glb").display().to_string();
    state.apply(Command::Export(ExportCommand::Edit(Box::new(draft))));

    let mut harness = dialog(state);
    choose(&mut harness, "ActorX mesh (.psk)");
    let draft = harness.state().exports.draft.clone().expect("still open");
    assert_eq!((draft.format, draft.path), (ExportFormat::Psk, taken.display().to_string()));
    // The button is off; the command alone does not overwrite either.
    click(&mut harness, "Export");
    assert!(harness.state().exports.draft.is_some());
    let state = harness.state_mut();
    state.apply(Command::Export(ExportCommand::Run));
    settle_state(state);
    assert_eq!(std::fs::read(&taken).expect("still there"), b"mine");
    assert_eq!(state.core.log.entries().back().map(|e| e.severity), Some(Severity::Error));

    state.apply(Command::Export(ExportCommand::PrepareShown));
    let mut draft = state.exports.draft.clone().expect("the dialog is open");
    draft.set_format(ExportFormat::Psk);
    draft.path = taken.display().to_string();
    state.apply(Command::Export(ExportCommand::Edit(Box::new(draft))));
    harness.run_steps(3);
    click(&mut harness, "Overwrite existing file");
    click(&mut harness, "Export");
    settle_state(harness.state_mut());
    assert!(std::fs::read(&taken).expect("written").starts_with(b"ACTRHEAD"));
}

#[test]
fn everything_goes_into_a_folder_and_what_is_there_stays_until_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("out");
    let (mut state, place) = with_model();
    let all = |overwrite| {
        Command::Export(ExportCommand::All { file: None, folder: target.clone(), overwrite, any_size: false })
    };
    state.apply(all(false));
    settle_state(&mut state);
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(target.join("manifest.json")).expect("written")).expect("JSON");
    let written = manifest["exported"].as_array().expect("a list").len();
    assert!(written >= 2, "{manifest:#}");
    let last = state.core.log.entries().back().expect("a line").clone();
    assert!(last.message.starts_with(&format!("{written} files exported to ")), "{}", last.text());
    let show = Command::Window(WindowCommand::ShowFolder(target.clone()));
    assert_eq!(last.action, Some(("Show folder".into(), show)));
    let document = gltf::Gltf::open(target.join("syn_arm.glb")).expect("a GLB").document;
    assert!(document.animations().count() > 0, "the clips that fit go with the model");

    // Again: nothing is overwritten, and the notice offers it.
    state.apply(all(false));
    settle_state(&mut state);
    let refused = state.core.log.entries().back().expect("a line").clone();
    assert_eq!(refused.severity, Severity::Error);
    assert_eq!(refused.action.as_ref().map(|(_, command)| command.clone()), Some(all(true)));
    state.apply(all(true));
    settle_state(&mut state);
    let last = state.core.log.entries().back().expect("a line");
    assert!(last.message.starts_with(&format!("{written} files exported to ")), "{}", last.text());

    // One file alone.
    let alone = folder.path().join("alone");
    state.apply(Command::Export(ExportCommand::All {
        file: Some(place.file),
        folder: alone.clone(),
        overwrite: false,
        any_size: false,
    }));
    settle_state(&mut state);
    assert!(alone.join("syn_arm.glb").is_file());
    assert_eq!(std::fs::read_dir(&alone).expect("a folder").count(), 2, "the model and the manifest");
}

#[test]
fn the_ground_of_a_landscape_takes_a_step_and_what_is_east_a_start() {
    let (mut state, _) = with_model();
    state.apply(Command::Export(ExportCommand::PrepareShown));
    let mut draft = state.exports.draft.clone().expect("the dialog is open");
    assert!(!draft.of_terrain && !draft.takes_step() && !draft.takes_easting());
    draft.of_terrain = true;
    draft.formats = vec![ExportFormat::Glb, ExportFormat::Asc, ExportFormat::Csv, ExportFormat::TerrainBuilderList];
    draft.step = 3;
    state.apply(Command::Export(ExportCommand::Edit(Box::new(draft))));
    let mut harness = dialog(state);
    harness.get_by_label("samples");
    assert!(!has(&harness, "Terrain Builder"));

    click(&mut harness, "Heights as an ESRI grid (.asc)");
    assert!(!has(&harness, "samples"));
    harness.get_by_label("Easting offset in metres");
    click(&mut harness, "Terrain Builder");
    let draft = harness.state().exports.draft.clone().expect("still open");
    assert_eq!((draft.format, draft.easting, draft.step), (ExportFormat::Asc, 200_000.0, 3));
    assert!(draft.path.ends_with(".asc"), "{}", draft.path);

    click(&mut harness, "Objects as a table (.csv)");
    assert!(!has(&harness, "Terrain Builder"), "a table has the file's own positions");
    click(&mut harness, "Objects as a Terrain Builder list (.txt)");
    let draft = harness.state().exports.draft.clone().expect("still open");
    assert!(draft.takes_easting() && draft.path.ends_with(".txt"), "{}", draft.path);
}

/// A file of a few hundred bytes whose clip takes 67 MiB on the two bones of the model beside it, its place prepared for an export
/// to `target`.
fn with_long_clip(folder: &std::path::Path, target: &std::path::Path) -> State {
    let mut track = Track::new(1, 1_100_000.0, vec![0.0]);
    track.translation = Some((VectorCurve::Linear, vec![[1.0, 2.0, 3.0].into()]));
    let sequences = vec![Sequence { name: "long".into(), tracks: vec![track] }];
    let model = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/charpipe/arm_min.model");
    std::fs::copy(model, folder.join("arm.model")).expect("copied");
    let source = folder.join("long.anm");
    std::fs::write(&source, encode_anm(&Bank { sequences, ..Bank::default() })).expect("written");
    let mut state = state();
    state.apply(Command::Library(LibraryCommand::Open(vec![source])));
    settle_state(&mut state);
    let file = &state.core.library.files[0];
    let clip = file.file.entries_with(Content::Clip)[0];
    let place = Place { file: file.id, entry: clip };
    state.apply(Command::Export(ExportCommand::Prepare(place)));
    state.apply(Command::Export(ExportCommand::SetPath(target.to_owned())));
    state
}

fn question(state: State) -> Harness<'static, State> {
    let mut harness = Harness::builder().with_size([700.0, 600.0]).build_ui_state(
        |ui, state: &mut State| {
            let mut commands = Vec::new();
            export::show_large(ui, state.exports.large.as_ref(), &mut commands);
            for command in commands {
                state.apply(command);
            }
        },
        state,
    );
    harness.run_steps(3);
    harness
}

#[test]
fn a_very_large_export_is_asked_about_before_it_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("long.psa");
    let mut state = with_long_clip(folder.path(), &target);
    state.apply(Command::Export(ExportCommand::Run));
    settle_state(&mut state);
    let asked = state.exports.large.clone().expect("a question");
    assert_eq!((asked.name.as_str(), asked.size >> 20), ("long", 67));
    assert!(!target.exists(), "nothing is written before the answer");
    let mut harness = question(state);
    assert!(harness.query_all_by_label_contains("will be 67").next().is_some());
    click(&mut harness, "Cancel");
    assert!(harness.state().exports.large.is_none() && !target.exists());

    let mut state = with_long_clip(folder.path(), &target);
    state.apply(Command::Export(ExportCommand::Run));
    settle_state(&mut state);
    let mut harness = question(state);
    click(&mut harness, "Export anyway");
    settle_state(harness.state_mut());
    assert!(harness.state().exports.large.is_none());
    assert_eq!(std::fs::metadata(&target).expect("written").len() >> 20, 67);
}

#[test]
fn what_is_too_large_of_a_whole_file_is_asked_about_afterwards() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut state = with_long_clip(folder.path(), &folder.path().join("unused.psa"));
    state.apply(Command::Export(ExportCommand::Cancel));
    let out = folder.path().join("out");
    state.apply(Command::Export(ExportCommand::All {
        file: None,
        folder: out.clone(),
        overwrite: false,
        any_size: false,
    }));
    settle_state(&mut state);
    let asked = state.exports.large.clone().expect("a question");
    assert_eq!(asked.size >> 20, 67);
    let is_clip = |path: &std::path::PathBuf| path.extension().is_some_and(|extension| extension == "psa");
    assert!(!kit::files_below(&out).iter().any(is_clip), "the model is written, its clip is not");
    state.apply(Command::Export(ExportCommand::WriteLarge));
    settle_state(&mut state);
    assert!(state.exports.large.is_none());
    let written = sizes_below(&out);
    assert!(written.iter().any(|size| size >> 20 == 67), "{written:?}");
}

/// The sizes of the files below a folder.
fn sizes_below(folder: &std::path::Path) -> Vec<u64> {
    kit::files_below(folder).iter().map(|path| path.metadata().expect("a file").len()).collect()
}

/// Where a GLB lies along its axes: the least and the greatest of its positions.
fn extent(path: &std::path::Path) -> (glam::Vec3, glam::Vec3) {
    let read = kit::read_back::ReadBack::new(&std::fs::read(path).expect("written"));
    let points: Vec<glam::Vec3> = read.pose(None).into_iter().flat_map(|mesh| mesh.positions).collect();
    let all = |pick: fn(glam::Vec3, glam::Vec3) -> glam::Vec3| points.iter().copied().reduce(pick).expect("points");
    (all(glam::Vec3::min), all(glam::Vec3::max))
}

/// A window with the dialog for Ossie, which writes to `target`.
fn with_ossie(target: &std::path::Path) -> Window {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    prepare(&mut window, target);
    window
}

fn prepare(window: &mut Window, target: &std::path::Path) {
    apply(window, Command::Export(ExportCommand::PrepareShown));
    apply(window, Command::Export(ExportCommand::SetPath(target.to_owned())));
    window.run_steps(3);
}

#[test]
fn size_and_axes_are_chosen_and_kept_for_each_family() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let mut window = with_ossie(&at("plain.glb"));
    assert!(paints(&window, "Size and axes"));
    let space = read(&window, |s| s.exports.draft.as_ref().map(|draft| draft.space));
    assert_eq!(space, Some(ExportSpace { scale: 1.0 / 52.5, up: ExportUp::Y }));
    assert!(paints(&window, "a person is about 1.8 m"));
    look(&mut window, "export_space");
    click(&mut window, "Export");
    settle(&mut window);
    let (low, high) = extent(&at("plain.glb"));

    prepare(&mut window, &at("small.glb"));
    click(&mut window, "cm to m");
    click(&mut window, "Z up");
    // The size that the dialog says is that of the file.
    let draft = read(&window, |s| s.exports.draft.clone()).expect("the dialog is open");
    let said = draft.written_extent().expect("it is on the stage");
    click(&mut window, "Export");
    settle(&mut window);
    let (small_low, small_high) = extent(&at("small.glb"));
    // The first file has metres: 52.5 units each.
    let turned = |v: glam::Vec3| glam::Vec3::new(v.x, -v.z, v.y) * 0.525;
    let (a, b) = (turned(low), turned(high));
    assert!(
        small_low.abs_diff_eq(a.min(b), 1e-4) && small_high.abs_diff_eq(a.max(b), 1e-4),
        "{small_low} {small_high}"
    );
    assert!(said.abs_diff_eq(small_high - small_low, 1e-3), "{said} {}", small_high - small_low);

    // After a restart they are there again, for this family alone.
    let disk = saved(&mut window);
    let mut window = started(&disk);
    settle(&mut window);
    prepare(&mut window, &at("again.glb"));
    let space = read(&window, |s| s.exports.draft.as_ref().map(|draft| draft.space));
    assert_eq!(space, Some(ExportSpace { scale: 0.01, up: ExportUp::Z }));
    click(&mut window, "Cancel");
    open(&mut window, [kit::samples().join("Helix.model")]);
    prepare(&mut window, &at("helix.glb"));
    let space = read(&window, |s| s.exports.draft.as_ref().map(|draft| draft.space));
    assert_eq!(space, Some(ExportSpace::default()), "Helix is of another family");
    click(&mut window, "Cancel");

    // An export of everything takes them too, of each file its family's, and says so.
    let out = at("all");
    let all = ExportCommand::All { file: None, folder: out.clone(), overwrite: false, any_size: false };
    apply(&mut window, Command::Export(all));
    let find = |name: &str| kit::files_below(&out).into_iter().find(|path| path.ends_with(name)).expect(name);
    assert_eq!(extent(&find("Ossie.glb")), (small_low, small_high));
    let scale = |name: &str| gltf::Gltf::open(find(name)).expect("a GLB").document.as_json().asset.extras.is_some();
    assert!(scale("Ossie.glb") && !scale("Helix.glb"));
    assert!(log(&window).iter().any(|line| line.contains("last used scale")), "{:?}", log(&window));
}

#[test]
fn only_formats_of_models_have_a_size_and_an_axis() {
    let (mut state, _) = with_model();
    state.apply(Command::Export(ExportCommand::PrepareShown));
    let mut harness = dialog(state);
    // The choices scroll. The buttons are always there.
    let file = harness.get_by_label("Output file").rect();
    let bottom = harness.get_by_label("Export").rect().bottom();
    assert!(bottom < 600.0 && harness.get_by_label("Z up").rect().bottom() > file.top(), "{bottom}, {file}");
    for (format, has_space) in [("ActorX mesh (.psk)", false), ("Wavefront OBJ (.obj)", true)] {
        choose(&mut harness, format);
        assert_eq!((has(&harness, "Z up"), has(&harness, "cm to m")), (has_space, has_space), "{format}");
    }
    // The axes of the file are a third choice of OBJ, in the place of the others.
    let chosen = |harness: &Harness<'_, State>| {
        harness
            .state()
            .exports
            .draft
            .as_ref()
            .map(|draft| (draft.is_in_file_space(), draft.space.up))
            .expect("still open")
    };
    choose(&mut harness, "Same as file");
    assert_eq!(chosen(&harness), (true, ExportUp::Y));
    choose(&mut harness, "Z up");
    assert_eq!(chosen(&harness), (false, ExportUp::Z));
    choose(&mut harness, "glTF binary (.glb)");
    assert_eq!(chosen(&harness), (false, ExportUp::Z));
    choose(&mut harness, "Unreal to m");
    let draft = harness.state().exports.draft.clone().expect("still open");
    assert_eq!(draft.space.scale, 1.0 / 52.5);
    // What is not done is not kept.
    click(&mut harness, "Cancel");
    assert!(harness.state().core.settings.export_spaces.is_empty());
}
