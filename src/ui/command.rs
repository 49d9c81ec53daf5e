//! Everything the window can do. Menus, keys, the palette, drops and tests all push the same commands.

mod terrain;

pub use terrain::{CONTOUR_STEPS, EXAGGERATIONS, TerrainCommand};

use super::{
    dock::Tab,
    state::{DrawerPage, ExportDraft, FileId, Place, Shading, StageId, UpAxis},
};
use crate::{
    formats::{Reference, RootConjugate},
    gpu::GxSettings,
    scene::{
        LoopMode, PoseOptions, TargetKind, Translation,
        camera::{Steer, ViewDirection},
    },
};
use egui::{Key, KeyboardShortcut, Modifiers};
use glam::Vec2;
use std::{ops::Range, path::PathBuf};

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Opens files and folders; what is open stays.
    Open(Vec<PathBuf>),
    /// Opens what was dropped on the window; images that fit the model in front become its textures.
    Drop(Vec<PathBuf>),
    /// Asks for files.
    OpenFilesDialog,
    /// Asks for a folder.
    OpenFolderDialog,
    /// Asks for a folder that references are looked for in.
    SearchFolderDialog,
    AddSearchFolder(PathBuf),
    RemoveSearchFolder(PathBuf),
    /// Opens the paths in a text: one a line, quoted or as `file://` links.
    OpenPasted(String),
    /// Opens the samples that come with the program.
    OpenSamples,
    CloseFile(FileId),
    CloseAll,
    ClearRecents,
    Quit,

    /// Shows an entry's fields and bytes.
    Select(Place),
    /// Selects the row this many below the selected one.
    SelectNext(i32),
    /// Goes where a reference of a file leads, into another file too.
    Follow(FileId, Reference),
    /// Looks for what refers to an entry.
    FindUses(Place),
    FindUsesOfSelected,
    /// Marks bytes of the selected file; `None` marks nothing.
    SelectBytes(Option<Range<u64>>),
    /// Brings a panel to the front.
    ShowTab(Tab),
    /// Marks bytes of a file and brings the byte view up.
    ShowBytes(FileId, Range<u64>),
    /// Answers a question about a file's layout, or leaves it to the file's own bytes again; reads the file anew.
    SetReading {
        file: FileId,
        /// [`crate::formats::Choice::id`].
        id: String,
        value: Option<String>,
    },
    /// Leaves all of them to the file's own bytes again.
    ForgetReadings(FileId),
    /// Shows an entry as what it is: a model in the viewport, a clip on the model.
    Show(Place),
    ShowSelected,
    /// Shows an entry, or what is on the stage, on a second stage beside the first.
    OpenBeside(Option<Place>),
    /// Shows all pictures of a file side by side.
    ShowGallery(FileId),
    /// Shows all entries of a file as a table.
    ShowTable(FileId),
    /// The same of the selected file.
    ShowGalleryOfSelected,
    ShowTableOfSelected,
    CloseStage(StageId),
    /// Makes a stage the one that keys and the selection are for.
    FocusStage(StageId),
    /// Something done to another stage than the one in front.
    OnStage(StageId, Box<Command>),
    /// Moves the cameras and clocks of all stages together, or no longer.
    LinkStages(bool),
    ToggleLinkStages,
    /// Pulls a page of the drawer below a model out, or pushes it in.
    ToggleDrawer(DrawerPage),
    /// Puts an image on the shown model, in the place of a texture.
    UseAsTexture(Place),
    /// Takes all such images off again.
    OwnTextures,
    /// Plays a clip even though few of its bones fit.
    PlayAnyway(Place),
    HistoryBack,
    HistoryForward,
    Expand(Place, bool),
    SetFilter(String),
    FocusFilter,
    CopyText(String),
    Export(Place),
    ExportShown,
    /// Changes the export that is being prepared.
    EditExport(Box<ExportDraft>),
    SetExportPath(PathBuf),
    /// Asks where to write it.
    BrowseExport,
    RunExport,
    CancelExport,
    /// Asks for a folder and exports everything in an open file into it; in all open files without one.
    ExportAllDialog(Option<FileId>),
    ExportAll {
        file: Option<FileId>,
        folder: PathBuf,
        overwrite: bool,
    },
    /// Asks for a folder and writes the files of an archive below an entry into it, as they are.
    UnpackDialog(Place),
    Unpack {
        place: Place,
        folder: PathBuf,
        overwrite: bool,
    },

    /// Plays or holds whatever on the stage has a time.
    TogglePlay,
    /// To a frame, or to a second of a sound.
    Seek(f32),
    Step(i32),
    SeekStart,
    SeekEnd,
    /// Goes this many clips on.
    NextClip(i32),
    SetSpeed(f32),
    Faster,
    Slower,
    SetLoop(LoopMode),
    CycleLoop,
    /// Changes one of the clips that play together.
    Layer(TargetKind, LayerCommand),
    /// Frames a second of clips that do not say; `None`: what their format mostly has.
    SetAssumedRate(Option<f32>),
    SetPoseOptions(PoseOptions),
    /// Back to the bind pose.
    StopClip,
    SetMorph(usize, f32),
    /// Every morph's weight back to none.
    ResetMorphs,
    /// Shows a coarser level of detail; 0 is all of the model.
    SetLevel(u32),
    SetTranslation(Translation),
    CycleTranslation,
    SetAdditive(bool),
    SetRootConjugate(RootConjugate),
    SetSwapRedBlue(bool),

    /// Moves the playhead of the curves panel, in frames of its clip.
    SeekCurves(f32),
    /// Shows the curves of the clip that drives this on the model.
    ShowCurvesOf(TargetKind),

    /// Makes the thumbnails of these entries, which are in sight, next.
    WantThumbnails(Vec<Place>),

    /// Plays or pauses the sound on show.
    ToggleSound,
    /// Goes to a sample frame.
    SeekSound(usize),
    /// 0 … 1.
    SetVolume(f32),
    ChangeVolume(f32),
    ToggleSoundLoop,
    /// Renders the music on show, after that was cancelled.
    RenderMusic,

    Orbit(Vec2),
    Pan(Vec2),
    Zoom(f32),
    /// Brings the model as it stands into view.
    FrameModel,
    /// Brings a joint of the shown model and the joints next to it into view.
    FocusJoint(u32),
    ResetView,
    LookFrom(ViewDirection),
    ToggleOrtho,
    SetShading(Shading),
    /// Colours surfaces so, or no longer; texture coordinates set after set.
    ToggleShading(Shading),
    ToggleWireframe,
    ToggleSkeleton,
    ToggleBoneNames,
    ToggleVertexColors,
    ToggleTextures,
    ToggleGrid,
    ToggleCulling,
    ToggleNearest,
    ToggleHidden,
    /// Placed meshes, sprites and outlines of brushes in a level.
    ToggleMeshes,
    ToggleSprites,
    ToggleBrushes,
    /// Changes between flying and turning about a point.
    ToggleFly,
    /// Which way the fly camera goes from now on.
    Steer(Steer),
    /// Turns the fly camera by radians, to the right and upwards.
    Look(Vec2),
    ChangeFlySpeed(f32),
    /// To a start of the level.
    GoToStart(usize),
    /// Selects what of the level lies at a place of the picture, 0..1 from the top left.
    PickInMap(Vec2),
    /// Selects it and brings it into view.
    FocusInMap(Vec2),
    /// Selects an actor of the level and brings it into view.
    SelectActor(u32),
    /// Selects things on the shown ground, into [`crate::scene::Terrain::props`], in any order.
    SelectProps(Vec<u32>),
    /// Selects them and brings them into view.
    FocusProps(Vec<u32>),
    /// Selects all things of a type, into [`crate::scene::Terrain::kinds`], and the type's own entry.
    SelectKind(u32),
    /// Hides things of these types, or shows them again.
    HideKinds {
        kinds: Vec<u32>,
        hide: bool,
    },
    /// Hides all types but these; `None` shows all again.
    IsolateKinds(Option<Vec<u32>>),
    /// Counts what the shown ground has, unless that was done.
    WantStatistics,
    /// Changes how the shown ground is looked at, or points at something on it.
    Terrain(TerrainCommand),
    /// Lamps and fog of materials of the GameCube's chip.
    SetGx(GxSettings),
    /// Puts the key lamp on or out.
    ToggleGxLights,
    ToggleGxFog,
    /// A colour behind everything; `None` for the theme's.
    SetBackground(Option<[u8; 3]>),
    SetUpAxis(UpAxis),
    SetSamples(Option<u32>),
    /// Selects the entry of a joint of the shown model; `None` lets go of it.
    PickJoint(Option<u32>),
    /// Saves what the viewport shows as a PNG; without the background when `true`.
    Screenshot(bool),
    /// Gives the graphics device up, as a driver reset would: shows that the window recovers.
    LoseDevice,

    SetDark(bool),
    ToggleTheme,
    SetUiScale(f32),
    SetAutoplay(bool),
    /// Whether the last session comes back when the program starts without files.
    SetReopenSession(bool),
    ResetLayout,
    ToggleLog,
    TogglePalette,
    ToggleKeys,
    ToggleAbout,
    ClearLog,
    /// Stops a piece of background work.
    Cancel(u64),
}

/// What can be done to one of the clips that play together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LayerCommand {
    /// To a frame; everything on the common clock goes along.
    Seek(f32),
    SetLoop(LoopMode),
    /// Off the common clock, or back on it.
    SetDetached(bool),
    /// While it is off the clock.
    SetPlaying(bool),
    Remove,
}

/// A command with a name: what menus, the palette and the key sheet list.
#[derive(Clone, Debug)]
pub struct Action {
    pub group: &'static str,
    pub name: &'static str,
    pub icon: &'static str,
    pub command: Command,
    pub keys: &'static [KeyboardShortcut],
}

const fn key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}
const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}
const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}
const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}

/// Every named action, in the order that the palette shows them.
pub fn actions() -> Vec<Action> {
    use Command as C;
    use egui_phosphor::regular as icon;
    let a = |group, name, icon, command, keys| Action { group, name, icon, command, keys };
    let mut all = vec![
        a("File", "Open files…", icon::FOLDER_OPEN, C::OpenFilesDialog, const { &[ctrl(Key::O)] }),
        a("File", "Open folder…", icon::FOLDERS, C::OpenFolderDialog, &[]),
        a("File", "Add a folder to look in…", icon::FOLDER_PLUS, C::SearchFolderDialog, &[]),
        a("File", "Open the samples", icon::SPARKLE, C::OpenSamples, &[]),
        a("File", "Export model…", icon::EXPORT, C::ExportShown, const { &[ctrl(Key::E)] }),
        a("File", "Export all open files…", icon::EXPORT, C::ExportAllDialog(None), &[]),
        a("File", "Screenshot", icon::CAMERA, C::Screenshot(false), const { &[key(Key::F12)] }),
        a("File", "Screenshot without background", icon::CAMERA, C::Screenshot(true), const { &[ctrl(Key::F12)] }),
        a("File", "Close all files", icon::X, C::CloseAll, &[]),
        a("File", "Forget recent files", icon::ERASER, C::ClearRecents, &[]),
        a("File", "Quit", icon::SIGN_OUT, C::Quit, const { &[ctrl(Key::Q)] }),
        a("Edit", "Filter the library", icon::FUNNEL, C::FocusFilter, const { &[ctrl(Key::F)] }),
        a("Edit", "Search commands", icon::MAGNIFYING_GLASS, C::TogglePalette, const { &[ctrl(Key::P), ctrl(Key::K)] }),
        a("Playback", "Play or pause", icon::PLAY, C::TogglePlay, const { &[key(Key::Space)] }),
        a("Playback", "Next frame", icon::CARET_RIGHT, C::Step(1), const { &[key(Key::ArrowRight)] }),
        a("Playback", "Previous frame", icon::CARET_LEFT, C::Step(-1), const { &[key(Key::ArrowLeft)] }),
        a("Playback", "Ten frames on", icon::CARET_DOUBLE_RIGHT, C::Step(10), const { &[shift(Key::ArrowRight)] }),
        a("Playback", "Ten frames back", icon::CARET_DOUBLE_LEFT, C::Step(-10), const { &[shift(Key::ArrowLeft)] }),
        a("Playback", "First frame", icon::SKIP_BACK, C::SeekStart, const { &[key(Key::Home)] }),
        a("Playback", "Last frame", icon::SKIP_FORWARD, C::SeekEnd, const { &[key(Key::End)] }),
        a(
            "Playback",
            "Next clip",
            icon::ARROW_DOWN,
            C::NextClip(1),
            const { &[key(Key::CloseBracket), key(Key::PageDown)] },
        ),
        a(
            "Playback",
            "Previous clip",
            icon::ARROW_UP,
            C::NextClip(-1),
            const { &[key(Key::OpenBracket), key(Key::PageUp)] },
        ),
        a("Playback", "Next loop mode", icon::REPEAT, C::CycleLoop, const { &[key(Key::L)] }),
        a("Playback", "Faster", icon::FAST_FORWARD, C::Faster, const { &[key(Key::Plus), key(Key::Equals)] }),
        a("Playback", "Slower", icon::REWIND, C::Slower, const { &[key(Key::Minus)] }),
        a("Playback", "Bind pose (no clip)", icon::PERSON, C::StopClip, &[]),
        a("Playback", "Reset morphs", icon::ARROW_COUNTER_CLOCKWISE, C::ResetMorphs, &[]),
        a(
            "Playback",
            "Curves of the clip",
            icon::CHART_LINE,
            C::ToggleDrawer(DrawerPage::Curves),
            const { &[shift(Key::C)] },
        ),
        a("Playback", "Clips of the model", icon::LIST_BULLETS, C::ToggleDrawer(DrawerPage::Clips), &[]),
        a("Playback", "Keys of the clip", icon::DIAMONDS_FOUR, C::ToggleDrawer(DrawerPage::Tracks), &[]),
        a(
            "Playback",
            "Next translation mode",
            icon::ARROWS_OUT_CARDINAL,
            C::CycleTranslation,
            const { &[ctrl(Key::R)] },
        ),
        a("Sound", "Play or pause the sound", icon::SPEAKER_HIGH, C::ToggleSound, &[]),
        a("Sound", "Loop the sound", icon::REPEAT, C::ToggleSoundLoop, &[]),
        a("Sound", "Louder", icon::SPEAKER_HIGH, C::ChangeVolume(0.1), &[]),
        a("Sound", "Quieter", icon::SPEAKER_LOW, C::ChangeVolume(-0.1), &[]),
        a("View", "Focus the model", icon::FRAME_CORNERS, C::FrameModel, const { &[key(Key::F)] }),
        a("View", "Reset the view", icon::ARROW_COUNTER_CLOCKWISE, C::ResetView, const { &[key(Key::R)] }),
        a("View", "Front", icon::CUBE, C::LookFrom(ViewDirection::Front), const { &[key(Key::Num1)] }),
        a("View", "Back", icon::CUBE, C::LookFrom(ViewDirection::Back), const { &[ctrl(Key::Num1)] }),
        a("View", "Right", icon::CUBE, C::LookFrom(ViewDirection::Right), const { &[key(Key::Num3)] }),
        a("View", "Left", icon::CUBE, C::LookFrom(ViewDirection::Left), const { &[ctrl(Key::Num3)] }),
        a("View", "Top", icon::CUBE, C::LookFrom(ViewDirection::Top), const { &[key(Key::Num7)] }),
        a("View", "Bottom", icon::CUBE, C::LookFrom(ViewDirection::Bottom), const { &[ctrl(Key::Num7)] }),
        a("View", "Orthographic", icon::PERSPECTIVE, C::ToggleOrtho, const { &[key(Key::Num5)] }),
        a("View", "Textures", icon::IMAGE, C::ToggleTextures, const { &[key(Key::T)] }),
        a("View", "The model's own textures", icon::IMAGE_BROKEN, C::OwnTextures, const { &[ctrl(Key::Z)] }),
        a("View", "Wireframe", icon::POLYGON, C::ToggleWireframe, const { &[key(Key::W)] }),
        a("View", "Bones", icon::BONE, C::ToggleSkeleton, const { &[key(Key::B)] }),
        a("View", "Bone names", icon::TEXT_T, C::ToggleBoneNames, const { &[shift(Key::B)] }),
        a("View", "Normals", icon::ARROWS_OUT, C::ToggleShading(Shading::Normals), const { &[key(Key::N)] }),
        a("View", "Texture coordinates", icon::CHECKERBOARD, C::ToggleShading(Shading::Uv), const { &[key(Key::U)] }),
        a(
            "View",
            "Materials by colour",
            icon::PALETTE,
            C::ToggleShading(Shading::MaterialId),
            const { &[key(Key::M)] },
        ),
        a(
            "View",
            "Weights of the bone",
            icon::THERMOMETER,
            C::ToggleShading(Shading::Weights),
            const { &[key(Key::I)] },
        ),
        a("View", "Skin lists", icon::STACK, C::ToggleShading(Shading::ListKinds), const { &[key(Key::K)] }),
        a("View", "Zones of the level", icon::MAP_TRIFOLD, C::ToggleShading(Shading::Zones), const { &[key(Key::Z)] }),
        a("View", "Without light", icon::SUN, C::ToggleShading(Shading::Unlit), &[]),
        a("View", "Vertex colours", icon::DROP, C::ToggleVertexColors, const { &[key(Key::C)] }),
        a("View", "Grid", icon::GRID_FOUR, C::ToggleGrid, const { &[key(Key::G)] }),
        a("View", "Hide back faces", icon::SELECTION_BACKGROUND, C::ToggleCulling, &[]),
        a("View", "Unfiltered textures", icon::SQUARES_FOUR, C::ToggleNearest, &[]),
        a("View", "Hidden surfaces", icon::GHOST, C::ToggleHidden, &[]),
        a("View", "Meshes in the level", icon::ARMCHAIR, C::ToggleMeshes, &[]),
        a("View", "Sprites in the level", icon::MAP_PIN, C::ToggleSprites, &[]),
        a("View", "Outlines of brushes", icon::BOUNDING_BOX, C::ToggleBrushes, &[]),
        a("View", "Fly through", icon::AIRPLANE_TILT, C::ToggleFly, const { &[key(Key::V)] }),
        a("View", "Key lamp on or out", icon::LIGHTBULB, C::ToggleGxLights, &[]),
        a("View", "The file's fog", icon::CLOUD_FOG, C::ToggleGxFog, &[]),
        a("View", "The theme's background", icon::PAINT_BUCKET, C::SetBackground(None), &[]),
        a("View", "Z is up in the file", icon::ARROW_UP, C::SetUpAxis(UpAxis::Z), &[]),
        a("View", "Y is up in the file", icon::ARROW_UP, C::SetUpAxis(UpAxis::Y), &[]),
        a("View", "Dark or light", icon::MOON, C::ToggleTheme, &[]),
        a("View", "Interface at 100 %", icon::TEXT_AA, C::SetUiScale(1.0), &[]),
        a("View", "Interface at 125 %", icon::TEXT_AA, C::SetUiScale(1.25), &[]),
        a("View", "Interface at 150 %", icon::TEXT_AA, C::SetUiScale(1.5), &[]),
        a("View", "Interface at 200 %", icon::TEXT_AA, C::SetUiScale(2.0), &[]),
        a("View", "Reset the layout", icon::LAYOUT, C::ResetLayout, &[]),
        a("View", "Objects of the landscape", icon::TREE_EVERGREEN, C::ShowTab(Tab::Objects), &[]),
        a("View", "Statistics of the landscape", icon::CHART_BAR, C::ShowTab(Tab::Statistics), &[]),
        a("View", "How the file was read", icon::SCALES, C::ShowTab(Tab::Reading), &[]),
        a("View", "Log", icon::LIST_BULLETS, C::ToggleLog, const { &[ctrl(Key::L)] }),
        a("Go", "Next entry", icon::ARROW_DOWN, C::SelectNext(1), const { &[key(Key::ArrowDown)] }),
        a("Go", "Previous entry", icon::ARROW_UP, C::SelectNext(-1), const { &[key(Key::ArrowUp)] }),
        a("Go", "Show the entry", icon::EYE, C::ShowSelected, const { &[key(Key::Enter)] }),
        a(
            "Go",
            "Open the entry beside",
            icon::SQUARE_SPLIT_HORIZONTAL,
            C::OpenBeside(None),
            const { &[ctrl(Key::Enter)] },
        ),
        a("Go", "All pictures of the file", icon::GRID_FOUR, C::ShowGalleryOfSelected, &[]),
        a("Go", "All entries of the file", icon::TABLE, C::ShowTableOfSelected, &[]),
        a("View", "Move stages together", icon::LINK, C::ToggleLinkStages, &[]),
        a(
            "Go",
            "Find what uses the entry",
            icon::ARROW_BEND_DOWN_LEFT,
            C::FindUsesOfSelected,
            const { &[shift(Key::F12)] },
        ),
        a("Go", "Go back", icon::ARROW_LEFT, C::HistoryBack, const { &[alt(Key::ArrowLeft)] }),
        a("Go", "Go forward", icon::ARROW_RIGHT, C::HistoryForward, const { &[alt(Key::ArrowRight)] }),
        a(
            "Help",
            "Keys",
            icon::KEYBOARD,
            C::ToggleKeys,
            const { &[key(Key::H), key(Key::F1), shift(Key::Slash), key(Key::Questionmark)] },
        ),
        a("Help", "About Bonebox", icon::INFO, C::ToggleAbout, &[]),
        a("Help", "Restart the graphics device", icon::GRAPHICS_CARD, C::LoseDevice, &[]),
    ];
    all.extend(terrain::actions());
    all
}

/// The keys of a command as text: `Ctrl+O`.
pub fn keys_of(ctx: &egui::Context, command: &Command) -> Option<String> {
    let action = actions().into_iter().find(|a| a.command == *command)?;
    action.keys.first().map(|k| ctx.format_shortcut(k))
}

/// Commands whose keys were pressed. Nothing while a text field has the keyboard, except keys with a modifier.
/// While the camera flies (`flies`), its own keys steer it and mean nothing else; on the move (`moves`) not even with Ctrl,
/// which slows it down.
pub fn pressed(ctx: &egui::Context, flies: bool, moves: bool, commands: &mut Vec<Command>) {
    // A focused list or button takes keys such as Space only while a text field does not have them; menus take arrows.
    let typing = ctx.text_edit_focused() || egui::Popup::is_any_open(ctx);
    ctx.input_mut(|input| {
        for action in actions() {
            for keys in action.keys {
                let plain = !keys.modifiers.command && !keys.modifiers.alt && !is_function_key(keys.logical_key);
                let steers = STEERING.contains(&keys.logical_key) && !keys.modifiers.alt;
                // In a text field it takes back what was typed.
                let edits = keys.logical_key == Key::Z && keys.modifiers.command;
                if (typing && (plain || edits)) || (flies && steers && (plain || moves)) {
                    continue;
                }
                if consume(input, keys) {
                    commands.push(action.command.clone());
                    break;
                }
            }
        }
    });
}

/// Keys that steer the fly camera.
pub const STEERING: [Key; 7] = [Key::W, Key::A, Key::S, Key::D, Key::Q, Key::E, Key::Space];

fn is_function_key(key: Key) -> bool {
    matches!(key, Key::F1 | Key::F12)
}

/// Exact modifiers: `Shift+B` is not `B`, `Ctrl+1` is not `1`. Keys repeat while they are held only where that makes sense.
fn consume(input: &mut egui::InputState, keys: &KeyboardShortcut) -> bool {
    let mut found = false;
    input.events.retain(|event| {
        let egui::Event::Key { key, physical_key: _, pressed: true, repeat, modifiers } = event else { return true };
        let wanted = keys.modifiers;
        let same = modifiers.shift == wanted.shift
            && modifiers.alt == wanted.alt
            && modifiers.command == (wanted.command || wanted.ctrl);
        // A key that needs Shift on this keyboard (`?`, `+`) comes with Shift held.
        let symbol = matches!(key, Key::Questionmark | Key::Plus) && !modifiers.alt && !modifiers.command;
        if *key == keys.logical_key && (same || symbol) {
            let repeats = matches!(
                key,
                Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown | Key::Plus | Key::Minus | Key::Equals
            );
            found |= !repeat || repeats;
            return false;
        }
        true
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_actions_share_keys_or_a_name() {
        let mut keys = HashSet::new();
        let mut names = HashSet::new();
        for action in actions() {
            assert!(names.insert(action.name), "{}", action.name);
            for shortcut in action.keys {
                assert!(keys.insert(format!("{shortcut:?}")), "{}: {shortcut:?}", action.name);
            }
        }
    }
}
