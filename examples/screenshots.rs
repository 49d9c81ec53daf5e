//! Makes the pictures of the README with the program itself: `cargo run --example screenshots` (or `scripts/screenshots`).
//! Names after it make only those: `cargo run --example screenshots map music`.

use bonebox::{
    cli::{self, Invocation},
    formats::{Content, EntryId},
    scene::Prop,
    ui::{
        app::{App, Session},
        command::{
            CameraCommand, Command, LibraryCommand, SelectionCommand, SoundCommand, StageCommand, TerrainCommand,
            TransportCommand, ViewCommand, WindowCommand,
        },
        section::Section,
        settings::Settings,
        state::{Clock, DrawerPage, Place, Shading, State},
        tab::Tab,
    },
};
use eframe::egui_wgpu::RendererOptions;
use egui_kittest::Harness;
use std::{cell::RefCell, path::PathBuf, rc::Rc, time::Duration};

type Window = Harness<'static, App>;

fn window() -> Window {
    window_of([1280.0, 800.0], 1.0)
}

/// A window of this size in points, at a scale.
fn window_of(size: [f32; 2], scale: f32) -> Window {
    let kept = Rc::new(RefCell::new(Session::new(State::new(Settings::default(), Clock::Set(0.0)))));
    // Unfiltered, as in the window.
    let options = RendererOptions { predictable_texture_filtering: false, ..RendererOptions::PREDICTABLE };
    let builder = Harness::builder().with_size(size).with_pixels_per_point(scale).with_render_options(options);
    builder.wgpu().build_eframe(|cc| App::new(cc, kept))
}

/// Runs frames until no background work is left.
fn settle(window: &mut Window) {
    for _ in 0..4_000 {
        window.step();
        if !window.state().session().borrow().state.is_busy() {
            window.run_steps(3);
            if !window.state().session().borrow().state.is_busy() {
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the background work does not end");
}

fn apply(window: &mut Window, command: Command) {
    window.state().session().borrow_mut().state.apply(command);
    settle(window);
}

fn bring_up(window: &mut Window, tab: Tab) {
    window.state().session().borrow_mut().dock.bring_up(tab);
    settle(window);
}

/// Lets time pass for what plays, a quarter of a second at once.
fn pass(window: &mut Window, seconds: f64) {
    for _ in 0..(seconds * 4.0).ceil() as u32 {
        {
            let mut kept = window.state().session().borrow_mut();
            let now = kept.state.clock.now_secs();
            kept.state.clock = Clock::Set(now + 0.25);
        }
        window.run_steps(2);
    }
}

/// The entry of a sample with this path; without a path, the file.
fn place(window: &Window, file: &str, path: &str) -> Place {
    let kept = window.state().session().borrow();
    let file = kept.state.library.files.iter().find(|f| f.file.name == file).expect("the sample is open");
    let entry = match path {
        "" => EntryId::FILE,
        path => file.file.document.outline().find(path).unwrap_or_else(|| panic!("no {path} in the sample")).id,
    };
    Place { file: file.id, entry }
}

fn select(window: &mut Window, file: &str, path: &str) {
    let place = place(window, file, path);
    apply(window, Command::Selection(SelectionCommand::Select(place)));
}

/// A window with the samples open and one of their entries on show.
fn showing(file: &str, path: &str) -> Window {
    showing_in(window(), file, path)
}

fn showing_in(mut window: Window, file: &str, path: &str) -> Window {
    apply(&mut window, Command::Library(LibraryCommand::OpenSamples));
    show(&mut window, file, path);
    window
}

fn show(window: &mut Window, file: &str, path: &str) {
    let place = place(window, file, path);
    apply(window, Command::Stage(StageCommand::Show(place)));
}

/// Puts the clip of a model at a frame, paused.
fn pose(window: &mut Window, file: &str, clip: &str, frame: f32) {
    let wanted = {
        let kept = window.state().session().borrow();
        let file = kept.state.library.files.iter().find(|f| f.file.name == file).expect("the sample is open");
        let mut clips = file.file.entries_with(Content::Clip).into_iter();
        let entry = clips.find(|e| file.file.entry(*e).is_some_and(|e| e.name == clip));
        Place { file: file.id, entry: entry.expect("the sample has the clip") }
    };
    apply(window, Command::Stage(StageCommand::Show(wanted)));
    if window.state().session().borrow().state.stage.playback.player.playing {
        apply(window, Command::Transport(TransportCommand::TogglePlay));
    }
    apply(window, Command::Transport(TransportCommand::Seek(frame)));
}

/// The ActorX samples with a clip at a frame, paused.
fn ossie(clip: &str, frame: f32) -> Window {
    let mut window = showing("Ossie.psk", "");
    pose(&mut window, "Ossie.psa", clip, frame);
    window
}

/// Goes to this part of the sound on show.
fn seek_sound(window: &mut Window, part: f32) {
    let at = {
        let kept = window.state().session().borrow();
        let sound = kept.state.stage.sound().expect("a sound is shown");
        (sound.pcm().expect("its samples are there").frames() as f32 * part) as usize
    };
    apply(window, Command::Sound(SoundCommand::Seek(at)));
}

/// The entry of a sample with this path, shown as its files are: models, and clips on them.
fn show_all(window: &mut Window, file: &str, paths: &[&str]) {
    for path in paths {
        show(window, file, path);
    }
}

/// The squid with several of its animations at once, paused at a frame.
fn squid(clips: &[&str], frame: f32) -> Window {
    let mut window = showing("Bonebox.szs", "Bonebox.arc/bmd/lumo.bmd");
    let paths: Vec<String> = clips.iter().map(|clip| format!("Bonebox.arc/{clip}")).collect();
    show_all(&mut window, "Bonebox.szs", &paths.iter().map(String::as_str).collect::<Vec<_>>());
    if window.state().session().borrow().state.stage.playback.player.playing {
        apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    }
    apply(&mut window, Command::Transport(TransportCommand::Seek(frame)));
    apply(&mut window, Command::Camera(CameraCommand::Frame));
    window
}

/// The snail with a clip at a frame, paused.
fn snail(clip: &str, frame: f32) -> Window {
    let mut window = showing("Helix.model", "");
    pose(&mut window, "Helix.anm", clip, frame);
    apply(&mut window, Command::Camera(CameraCommand::Frame));
    window
}

/// The island, seen from the south-west.
fn island() -> Window {
    showing("MarrowIsle.pew", "Terrain")
}

/// Things on the island whose type has this name.
fn props_of(window: &Window, kind: &str) -> Vec<u32> {
    let kept = window.state().session().borrow();
    let terrain = &kept.state.stage.landscape().expect("the island is shown").terrain;
    let of_kind = |prop: &Prop| terrain.kind_of(prop).is_some_and(|k| k.name.ends_with(kind));
    (0..).zip(&terrain.props).filter(|(_, prop)| of_kind(prop)).map(|(index, _)| index).collect()
}

/// A picture: its name and the window that it is of.
type Shot = (&'static str, fn() -> Window);

const SHOTS: &[Shot] = &[
    ("empty", window),
    ("sample", || ossie("Walk", 7.0)),
    ("skeleton", || {
        let mut window = ossie("Walk", 7.0);
        apply(&mut window, Command::View(ViewCommand::ToggleSkeleton));
        window
    }),
    ("inspector", || {
        let mut window = ossie("Idle", 96.0);
        apply(&mut window, Command::View(ViewCommand::ToggleSkeleton));
        let bone = {
            let kept = window.state().session().borrow();
            let shown = kept.state.stage.model().expect("a model is shown");
            let joints = shown.model.skeleton.as_ref().expect("it has bones").joints();
            format!("REFSKELT/{}", joints[joints.len() / 3].name)
        };
        select(&mut window, "Ossie.psk", &bone);
        apply(&mut window, Command::Selection(SelectionCommand::Bytes(None)));
        window
    }),
    ("light", || {
        let mut window = ossie("Idle", 70.0);
        apply(&mut window, Command::Window(WindowCommand::ToggleTheme));
        window
    }),
    ("map", || {
        let mut window = showing("BoneRoom.unr", "MyLevel");
        bring_up(&mut window, Tab::Actors);
        window
    }),
    ("mesh", || {
        let mut window = showing("Bonebox.u", "OssieMesh");
        pose(&mut window, "Bonebox.u", "Cheer", 20.0);
        apply(&mut window, Command::Camera(CameraCommand::Frame));
        window
    }),
    ("texture", || showing("BoneboxFX.utx", "Rooms.Sign")),
    ("fire", || {
        let mut window = showing("BoneboxFX.utx", "Effects.Campfire");
        pass(&mut window, 4.0);
        window
    }),
    ("sound", || {
        let mut window = showing("Bonebox.u", "Sounds.Bell");
        seek_sound(&mut window, 0.3);
        window
    }),
    ("music", || {
        let mut window = showing("BoneTune.umx", "BoneTune");
        seek_sound(&mut window, 0.52);
        window
    }),
    ("script", || showing("Bonebox.u", "BoneCreature")),
    ("gallery", || {
        let mut window = showing("BoneboxFX.utx", "Skins.OssieBody");
        apply(&mut window, Command::Stage(StageCommand::ShowGalleryOfSelected));
        window
    }),
    ("j3d", || {
        squid(&["bck/lumo_hello.bck", "btk/lumo.btk", "btp/lumo.btp", "brk/lumo.brk", "bva/lumo_helmet.bva"], 41.0)
    }),
    ("curves", || {
        let mut window = squid(&["bck/lumo_hello.bck"], 41.0);
        apply(&mut window, Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Curves)));
        window
    }),
    ("library", || {
        let mut window = ossie("Idle", 30.0);
        apply(&mut window, Command::Library(LibraryCommand::SetFilter("tail".to_owned())));
        settle(&mut window);
        window
    }),
    ("outline", || {
        let mut window = ossie("Walk", 7.0);
        select(&mut window, "Ossie.psk", "MATT0000/Ossie_Bone");
        window
    }),
    ("stages", || {
        let mut window = ossie("Walk", 7.0);
        let mesh = place(&window, "Ossie.psk", "Mesh");
        apply(&mut window, Command::Stage(StageCommand::OpenBeside(Some(mesh))));
        pose(&mut window, "Ossie.psa", "Cheer", 30.0);
        window
    }),
    ("drawer", || {
        let mut window = ossie("Walk", 7.0);
        apply(&mut window, Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Clips)));
        window
    }),
    ("tracks", || {
        let mut window = ossie("Walk", 7.0);
        apply(&mut window, Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Tracks)));
        window
    }),
    ("small", || {
        let mut window = showing_in(window_of([900.0, 600.0], 1.0), "Ossie.psk", "");
        pose(&mut window, "Ossie.psa", "Walk", 7.0);
        window
    }),
    ("large", || showing_in(window_of([2560.0 / 1.5, 1440.0 / 1.5], 1.5), "BoneRoom.unr", "MyLevel")),
    ("archive", || {
        let mut window = squid(&["bck/lumo_swim.bck"], 18.0);
        select(&mut window, "Bonebox.szs", "Bonebox.arc/bck/lumo_swim.bck");
        apply(&mut window, Command::Stage(StageCommand::ShowTableOfSelected));
        window
    }),
    ("tev", || {
        let mut window = squid(&["bck/lumo_idle.bck", "btk/lumo.btk", "brk/lumo.brk"], 12.0);
        select(&mut window, "Bonebox.szs", "Bonebox.arc/bmd/lumo.bmd/MAT3/Ring");
        window
    }),
    ("charpipe", || {
        let mut window = snail("Hello", 62.0);
        apply(&mut window, Command::View(ViewCommand::SetShading(Shading::ListKinds)));
        select(&mut window, "Helix.anm", "Hello");
        window
    }),
    ("skn", || {
        let mut window = snail("Idle", 84.0);
        let list = {
            let kept = window.state().session().borrow();
            let files = &kept.state.library.files;
            let file = files.iter().find(|f| f.file.name == "Helix.model").expect("the sample is open");
            let lists = file.file.document.outline().entries().iter().filter(|e| e.path().starts_with("SKN/SK2"));
            lists.map(|entry| entry.path().into_owned()).next().expect("the sample has lists of two bones")
        };
        select(&mut window, "Helix.model", &list);
        apply(&mut window, Command::Selection(SelectionCommand::Bytes(None)));
        window
    }),
    ("terrain", island),
    ("terrain_map", || {
        let mut window = island();
        apply(&mut window, Command::Terrain(TerrainCommand::ToggleMap));
        pass(&mut window, 1.0);
        bring_up(&mut window, Tab::Objects);
        window
    }),
    ("terrain_selection", || {
        let mut window = island();
        let church = props_of(&window, "church").into_iter().take(1).collect();
        apply(&mut window, Command::Terrain(TerrainCommand::FocusProps(church)));
        pass(&mut window, 1.0);
        window
    }),
    ("reading", || {
        let mut window = island();
        apply(&mut window, Command::Window(WindowCommand::ShowSection(Section::Reading)));
        settle(&mut window);
        window
    }),
    ("statistics", || {
        let mut window = island();
        bring_up(&mut window, Tab::Statistics);
        settle(&mut window);
        window
    }),
    ("entries", || {
        let mut window = showing("Bonebox.u", "BoneCreature");
        apply(&mut window, Command::Stage(StageCommand::ShowTableOfSelected));
        window
    }),
];

/// One clip on the same arm under the three scaling rules, side by side, each as `bonebox render` draws it.
fn scaling_rules() -> image::RgbaImage {
    const SIZE: (u32, u32) = (430, 560);
    let sample = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/samples/ScalingRules.arc");
    let clip = format!("{}::bck/grow.bck", sample.display());
    let folder = tempfile::tempdir().expect("a folder for pictures");
    let mut all = image::RgbaImage::new(SIZE.0 * 3, SIZE.1);
    for (x, rule) in (0..).step_by(SIZE.0 as usize).zip(["basic", "softimage", "maya"]) {
        let out = folder.path().join(rule).with_extension("png");
        let (sample, out_path) = (sample.to_string_lossy(), out.to_string_lossy());
        let (model, size) = (format!("bmd/{rule}.bmd"), format!("{}x{}", SIZE.0, SIZE.1));
        let words =
            ["bonebox", "render", &sample, &model, "--clip", &clip, "--frame", "60", "--view", "front", "--size"];
        let words = words.into_iter().chain([size.as_str(), "-o", &out_path]);
        let Ok(Invocation::Verb(verb)) = cli::parse(words) else { panic!("no verb") };
        cli::run(*verb);
        let picture = image::open(&out).expect("it was drawn").to_rgba8();
        image::imageops::replace(&mut all, &picture, x, 0);
    }
    all
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("screenshots");
    std::fs::create_dir_all(&folder).expect("the folder is there");
    if wanted.is_empty() || wanted.iter().any(|w| w == "scaling") {
        let path = folder.join("scaling.png");
        scaling_rules().save(&path).expect("the picture is written");
        println!("{}", path.display());
    }
    for (name, make) in SHOTS {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let mut window = make();
        // Toasts go away before the picture is taken.
        for _ in 0..8 {
            let now = window.input_mut().time.unwrap_or_default();
            window.input_mut().time = Some(now + 2.0);
            window.step();
        }
        let picture = window.render().expect("the window is drawn");
        let path = folder.join(name).with_extension("png");
        picture.save(&path).expect("the picture is written");
        println!("{}", path.display());
    }
}
