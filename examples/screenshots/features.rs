//! Screenshots of single features.

use crate::{driver::*, shots::Shot};
use bonebox::library::collection::Store;
use bonebox::ui::{
    command::{
        CameraCommand, CollectionCommand, Command, CompareCommand, ExportCommand, InCollection, LibraryCommand,
        PartsCommand, SceneCommand, StageCommand, TerrainCommand, TransportCommand, ViewCommand, WindowCommand,
    },
    saved_view::ViewToggle,
    scene_member::{Anchor, Attachment, SceneMember},
    section::Section,
    state::Shading,
};
use egui_kittest::kittest::Queryable as _;
use glam::Vec2;
use std::{fs::File, io::Write as _, path::Path};
use zip::{CompressionMethod::Deflated, ZipWriter, write::SimpleFileOptions};

/// The sample with a second model attached to one of its sockets.
fn scene() -> Window {
    let mut window = showing_in(window_of([1240.0, 770.0], 1.0), "Ossie.psk", "");
    pose(&mut window, "Ossie.psa", "Walk", 7.0);
    let added = place(&window, "Bonebox.szs", "Bonebox.arc/bmd/lumo.bmd");
    apply(&mut window, Command::Scene(SceneCommand::Add(added)));
    let (id, socket) = read(&window, |s| {
        let sockets =
            &s.stages.front.model().expect("a model is shown").model.skeleton.as_ref().expect("it has bones").sockets;
        let socket = sockets.iter().position(|socket| socket.name == "Hat").expect("it has a place for a hat");
        (s.stages.front.scene().unwrap().models.last().expect("it was added").id, socket as u32)
    });
    let to = Attachment { to: SceneMember::Main, anchor: Anchor::Socket(socket), name: "Hat".to_owned() };
    apply(&mut window, Command::Scene(SceneCommand::Attach(id, Some(to))));
    apply(&mut window, Command::Camera(CameraCommand::Reset));
    window
}

/// The samples as a collection.
fn collected() -> Window {
    let folder = tempfile::tempdir().expect("there is room for an index").keep();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
    let mut window = window();
    let store = Store::at(folder.join("collections.redb"));
    {
        let state = &mut window.state().session().borrow_mut().state;
        state.collection.start_collection(&mut state.core, store);
    }
    apply(&mut window, Command::Library(LibraryCommand::OpenSamples));
    apply(&mut window, Command::Collection(CollectionCommand::Add(samples)));
    apply(&mut window, Command::Collection(CollectionCommand::Show));
    window
}

/// Two versions of a package, of which one has a patch on its flag.
fn compared() -> Window {
    let folder = tempfile::tempdir().expect("there is room for packages").keep().join("packages");
    std::fs::create_dir(&folder).expect("it is new");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/BoneboxFX.utx");
    let mut bytes = std::fs::read(sample).expect("the sample is there");
    let [old, new] = ["Flags.utx", "FlagsPatched.utx"].map(|name| folder.join(name));
    std::fs::write(&old, &bytes).expect("the package can be written");
    let mut window = window();
    apply(&mut window, Command::Library(LibraryCommand::Open(vec![old])));
    let flag = place(&window, "Flags.utx", "Skins.Flag");
    let range = read(&window, |s| {
        let entry = s.core.file(flag.file).and_then(|file| file.entry(flag.entry)).expect("it has a flag");
        entry.offset as usize..(entry.offset + entry.size) as usize
    });
    // Some lines of the largest mip, 128 pixels each.
    for line in 30..60 {
        bytes[range.start + 128 * line..][50..90].fill(3);
    }
    std::fs::write(&new, &bytes).expect("the package can be written");
    apply(&mut window, Command::Library(LibraryCommand::Open(vec![new])));
    apply(&mut window, Command::Compare(CompareCommand::File(flag.file)));
    select(&mut window, "FlagsPatched.utx", "Skins.Flag");
    window
}

/// The sample in a shading mode, with a bone selected.
fn shaded(shading: Shading) -> Window {
    let mut window = ossie("Walk", 7.0);
    select(&mut window, "Ossie.psk", "REFSKELT/Ear.R.1");
    apply(&mut window, Command::View(ViewCommand::SetShading(shading)));
    window
}

/// A level in an archive with its dependencies, all from the samples.
fn in_a_container() -> Window {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
    let folder = tempfile::tempdir().expect("there is room for an archive").keep();
    let path = folder.join("BonePack.zip");
    let mut archive = ZipWriter::new(File::create(&path).expect("the archive can be made"));
    for (inside, name) in [
        ("System", "Bonebox.u"),
        ("Maps", "BoneRoom.unr"),
        ("Textures", "BoneboxFX.utx"),
        ("Music", "BoneTune.umx"),
        ("Models", "Ossie.psk"),
        ("Models", "Ossie.psa"),
    ] {
        let bytes = std::fs::read(samples.join(name)).expect("the sample is there");
        let written = archive
            .start_file(format!("{inside}/{name}"), SimpleFileOptions::default().compression_method(Deflated))
            .map_err(std::io::Error::from)
            .and_then(|()| archive.write_all(&bytes));
        written.expect("the archive can be written");
    }
    archive.finish().expect("the archive can be written");
    let mut window = window();
    apply(&mut window, Command::Library(LibraryCommand::Open(vec![path])));
    for folder in ["Maps", "Models"] {
        let place = place(&window, "BonePack.zip", folder);
        apply(&mut window, Command::Library(LibraryCommand::Expand(place.into(), true)));
    }
    show(&mut window, "BonePack.zip", "Maps/BoneRoom.unr");
    select(&mut window, "BonePack.zip", "Maps/BoneRoom.unr");
    let _ = std::fs::remove_dir_all(folder);
    window
}

fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(4);
}

/// Screenshots of the documents.
pub const SHOTS: &[Shot] = &[
    ("isolated", || {
        let mut window = ossie("Walk", 7.0);
        select(&mut window, "Ossie.psk", "REFSKELT/Tail.1");
        apply(&mut window, Command::Parts(PartsCommand::IsolateSelected));
        window
    }),
    ("scene", scene),
    ("containers", in_a_container),
    ("compare", compared),
    ("collection", || {
        let mut window = collected();
        apply(&mut window, Command::Collection(CollectionCommand::Search("b -type:palette".to_owned())));
        apply(&mut window, Command::Collection(CollectionCommand::ShowPictures(true)));
        settle(&mut window);
        window
    }),
    ("links", || {
        let mut window = collected();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/BoneRoom.unr");
        let of = InCollection { path, entry: None };
        apply(&mut window, Command::Collection(CollectionCommand::ShowLinks(Some(of))));
        window.run_steps(4);
        window
    }),
    ("export", || {
        let mut window = ossie("Walk", 7.0);
        apply(&mut window, Command::Export(ExportCommand::PrepareShown));
        let mut draft = read(&window, |s| s.exports.draft.clone().expect("it is prepared"));
        // Hide properties of this machine.
        draft.path = "exports/Ossie.glb".to_owned();
        apply(&mut window, Command::Export(ExportCommand::Edit(Box::new(draft))));
        window
    }),
    ("settings_keys", || {
        let mut window = ossie("Walk", 7.0);
        apply(&mut window, Command::Window(WindowCommand::ToggleSettings));
        click(&mut window, "Shortcuts settings");
        window
    }),
    ("palette", || {
        let mut window = ossie("Walk", 7.0);
        apply(&mut window, Command::Window(WindowCommand::TogglePalette));
        window.get_by_label("Search commands, entries and clips").type_text("tail");
        window.run_steps(4);
        window
    }),
    ("classes", || {
        let mut window = showing("Bonebox.u", "BoneCreature");
        apply(&mut window, Command::Stage(StageCommand::ShowClassesOfSelected));
        window
    }),
    ("all_pictures", || {
        let mut window = showing("BoneboxFX.utx", "Skins.OssieBody");
        apply(&mut window, Command::Stage(StageCommand::ShowPictures));
        window.run_steps(8);
        settle(&mut window);
        window
    }),
    ("measure", || {
        let mut window = showing_in(window_of([1000.0, 640.0], 1.0), "MarrowIsle.pew", "Terrain");
        apply(&mut window, Command::Terrain(TerrainCommand::ToggleMap));
        pass(&mut window, 1.0);
        apply(&mut window, Command::Terrain(TerrainCommand::ToggleMeasure));
        for place in [[0.35, 0.6], [0.45, 0.4], [0.6, 0.45], [0.62, 0.62]] {
            apply(&mut window, Command::Terrain(TerrainCommand::Measure(Vec2::from(place))));
        }
        apply(&mut window, Command::Terrain(TerrainCommand::EndMeasure));
        window
    }),
];

/// Screenshots for review only.
pub const LOOKS: &[Shot] = &[
    ("weights", || shaded(Shading::Weights)),
    ("flat", || shaded(Shading::Flat)),
    ("parts", || shaded(Shading::PartId)),
    ("overdraw", || shaded(Shading::Overdraw)),
    ("normals", || shaded(Shading::Normals)),
    ("shading_menu", || {
        let mut window = shaded(Shading::MaterialId);
        click(&mut window, "Shading: Colour by material");
        window
    }),
    ("uv_layout", || {
        let mut window = ossie("Walk", 7.0);
        select(&mut window, "Ossie.psk", "MATT0000/Ossie_Bone");
        apply(&mut window, Command::View(ViewCommand::Toggle(ViewToggle::UvLayout)));
        window
    }),
    ("settings", || {
        let mut window = ossie("Walk", 7.0);
        apply(&mut window, Command::Window(WindowCommand::ToggleSettings));
        click(&mut window, "View settings");
        window
    }),
    ("dependencies", || {
        let mut window = showing("Bonebox.u", "BoneCreature");
        apply(&mut window, Command::Stage(StageCommand::ShowClassesOfSelected));
        select(&mut window, "Bonebox.u", "");
        apply(&mut window, Command::Window(WindowCommand::ShowSection(Section::Dependencies)));
        window
    }),
    ("first_steps", || {
        let mut window = window();
        apply(&mut window, Command::Window(WindowCommand::ToggleGuide));
        apply(&mut window, Command::Library(LibraryCommand::OpenSamples));
        apply(&mut window, Command::Transport(TransportCommand::SeekStart));
        window
    }),
];
