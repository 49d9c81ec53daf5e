//! The list of screenshots.

use crate::driver::*;
use bonebox::ui::{
    command::{
        CameraCommand, Command, LevelCommand, LibraryCommand, SelectionCommand, StageCommand, TerrainCommand,
        ViewCommand, WindowCommand,
    },
    layout::Tab,
    map_overlays::MapOverlay,
    saved_view::ViewToggle,
    section::Section,
    state::{DrawerPage, Shading},
};

/// A screenshot: its name and its window.
pub type Shot = (&'static str, fn() -> Window);

pub const SHOTS: &[Shot] = &[
    ("empty", window),
    ("sample", || ossie("Walk", 7.0)),
    ("skeleton", || {
        let mut window = ossie("Walk", 7.0);
        apply(&mut window, Command::View(ViewCommand::Toggle(ViewToggle::Skeleton)));
        window
    }),
    ("inspector", || {
        let mut window = ossie("Idle", 96.0);
        apply(&mut window, Command::View(ViewCommand::Toggle(ViewToggle::Skeleton)));
        let bone = {
            let kept = window.state().session().borrow();
            let shown = kept.state.stages.front.model().expect("a model is shown");
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
    ("yard", || {
        let mut window = showing("BoneYard.unr", "MyLevel");
        bring_up(&mut window, Tab::Actors);
        apply(&mut window, Command::Level(LevelCommand::ToggleSprites));
        apply(&mut window, Command::Level(LevelCommand::ToggleOverlay(MapOverlay::Paths)));
        pass(&mut window, 2.0);
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
            let files = &kept.state.core.library.files;
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
