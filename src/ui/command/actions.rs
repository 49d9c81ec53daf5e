//! Every action that has a name: menus, keys, the palette and the key sheet are made from this one table.

use super::{
    CameraCommand, Command, ExportCommand, LevelCommand, LibraryCommand, ModelCommand, PartsCommand, SceneCommand,
    SelectionCommand, SoundCommand, StageCommand, TerrainCommand, TransportCommand, ViewCommand, WindowCommand,
};
use crate::{
    scene::{PropColors, TerrainTint, camera::ViewDirection},
    ui::{
        section::Section,
        state::{ColorChannel, DrawerPage, LightPreset, Shading, UpAxis},
        tab::Tab,
    },
};
use egui::{Key, KeyboardShortcut, Modifiers};
use egui_phosphor::regular as icon;

/// A command with a name.
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

const fn a(
    group: &'static str,
    name: &'static str,
    icon: &'static str,
    command: Command,
    keys: &'static [KeyboardShortcut],
) -> Action {
    Action { group, name, icon, command, keys }
}

/// Every named action, in the order that the palette shows them.
pub static ACTIONS: &[Action] = &[
    a("File", "Open files…", icon::FOLDER_OPEN, Command::Library(LibraryCommand::OpenFilesDialog), &[ctrl(Key::O)]),
    a("File", "Open folder…", icon::FOLDERS, Command::Library(LibraryCommand::OpenFolderDialog), &[]),
    a("File", "Add a folder to look in…", icon::FOLDER_PLUS, Command::Library(LibraryCommand::SearchFolderDialog), &[]),
    a("File", "Open the samples", icon::SPARKLE, Command::Library(LibraryCommand::OpenSamples), &[]),
    a(
        "File",
        "Read again",
        icon::ARROWS_CLOCKWISE,
        Command::Library(LibraryCommand::ReadAgain(None)),
        &[KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::R)],
    ),
    a("File", "Save the view…", icon::BOOKMARK_SIMPLE, Command::Library(LibraryCommand::SaveViewDialog), &[]),
    a("File", "Watch open files", icon::BINOCULARS, Command::Window(WindowCommand::ToggleWatchFiles), &[]),
    a("File", "Export model…", icon::EXPORT, Command::Export(ExportCommand::PrepareShown), &[ctrl(Key::E)]),
    a("File", "Export all open files…", icon::EXPORT, Command::Export(ExportCommand::AllDialog(None)), &[]),
    a("File", "Screenshot", icon::CAMERA, Command::Window(WindowCommand::Screenshot(false)), &[key(Key::F12)]),
    a(
        "File",
        "Screenshot without background",
        icon::CAMERA,
        Command::Window(WindowCommand::Screenshot(true)),
        &[ctrl(Key::F12)],
    ),
    a("File", "Close all files", icon::X, Command::Library(LibraryCommand::CloseAll), &[]),
    a("File", "Forget recent files", icon::ERASER, Command::Library(LibraryCommand::ClearRecents), &[]),
    a("File", "Quit", icon::SIGN_OUT, Command::Window(WindowCommand::Quit), &[ctrl(Key::Q)]),
    a("Edit", "Filter the library", icon::FUNNEL, Command::Library(LibraryCommand::FocusFilter), &[ctrl(Key::F)]),
    a(
        "Edit",
        "Search commands",
        icon::MAGNIFYING_GLASS,
        Command::Window(WindowCommand::TogglePalette),
        &[ctrl(Key::P), ctrl(Key::K)],
    ),
    a("Playback", "Play or pause", icon::PLAY, Command::Transport(TransportCommand::TogglePlay), &[key(Key::Space)]),
    a(
        "Playback",
        "Next frame",
        icon::CARET_RIGHT,
        Command::Transport(TransportCommand::Step(1)),
        &[key(Key::ArrowRight)],
    ),
    a(
        "Playback",
        "Previous frame",
        icon::CARET_LEFT,
        Command::Transport(TransportCommand::Step(-1)),
        &[key(Key::ArrowLeft)],
    ),
    a(
        "Playback",
        "Ten frames on",
        icon::CARET_DOUBLE_RIGHT,
        Command::Transport(TransportCommand::Step(10)),
        &[shift(Key::ArrowRight)],
    ),
    a(
        "Playback",
        "Ten frames back",
        icon::CARET_DOUBLE_LEFT,
        Command::Transport(TransportCommand::Step(-10)),
        &[shift(Key::ArrowLeft)],
    ),
    a("Playback", "First frame", icon::SKIP_BACK, Command::Transport(TransportCommand::SeekStart), &[key(Key::Home)]),
    a("Playback", "Last frame", icon::SKIP_FORWARD, Command::Transport(TransportCommand::SeekEnd), &[key(Key::End)]),
    a(
        "Playback",
        "Next clip",
        icon::ARROW_DOWN,
        Command::Model(ModelCommand::NextClip(1)),
        &[key(Key::CloseBracket), key(Key::PageDown)],
    ),
    a(
        "Playback",
        "Previous clip",
        icon::ARROW_UP,
        Command::Model(ModelCommand::NextClip(-1)),
        &[key(Key::OpenBracket), key(Key::PageUp)],
    ),
    a("Playback", "Next loop mode", icon::REPEAT, Command::Transport(TransportCommand::CycleLoop), &[key(Key::L)]),
    a(
        "Playback",
        "Faster",
        icon::FAST_FORWARD,
        Command::Transport(TransportCommand::Faster),
        &[key(Key::Plus), key(Key::Equals)],
    ),
    a("Playback", "Slower", icon::REWIND, Command::Transport(TransportCommand::Slower), &[key(Key::Minus)]),
    a(
        "Playback",
        "Play backwards or forwards",
        icon::ARROW_U_DOWN_LEFT,
        Command::Transport(TransportCommand::Reverse),
        &[key(Key::J)],
    ),
    a(
        "Playback",
        "Next key",
        icon::CARET_LINE_RIGHT,
        Command::Transport(TransportCommand::StepKey(1)),
        &[key(Key::Period)],
    ),
    a(
        "Playback",
        "Previous key",
        icon::CARET_LINE_LEFT,
        Command::Transport(TransportCommand::StepKey(-1)),
        &[key(Key::Comma)],
    ),
    a(
        "Playback",
        "Range starts here",
        icon::BRACKETS_SQUARE,
        Command::Transport(TransportCommand::RangeFromHere),
        &[ctrl(Key::OpenBracket)],
    ),
    a(
        "Playback",
        "Range ends here",
        icon::BRACKETS_SQUARE,
        Command::Transport(TransportCommand::RangeToHere),
        &[ctrl(Key::CloseBracket)],
    ),
    a(
        "Playback",
        "Clear the range",
        icon::ARROWS_OUT_LINE_HORIZONTAL,
        Command::Transport(TransportCommand::ClearRange),
        &[ctrl(Key::Backslash)],
    ),
    a("Playback", "Bind pose (no clip)", icon::PERSON, Command::Model(ModelCommand::StopClip), &[]),
    a("Playback", "Blend between clips: off", icon::INTERSECT, Command::Model(ModelCommand::SetBlend(0.0)), &[]),
    a("Playback", "Blend between clips: 0.1 s", icon::INTERSECT, Command::Model(ModelCommand::SetBlend(0.1)), &[]),
    a("Playback", "Blend between clips: 0.25 s", icon::INTERSECT, Command::Model(ModelCommand::SetBlend(0.25)), &[]),
    a("Playback", "Blend between clips: 0.5 s", icon::INTERSECT, Command::Model(ModelCommand::SetBlend(0.5)), &[]),
    a("Playback", "Reset morphs", icon::ARROW_COUNTER_CLOCKWISE, Command::Model(ModelCommand::ResetMorphs), &[]),
    a(
        "Playback",
        "Curves of the clip",
        icon::CHART_LINE,
        Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Curves)),
        &[shift(Key::C)],
    ),
    a(
        "Playback",
        "Clips of the model",
        icon::LIST_BULLETS,
        Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Clips)),
        &[],
    ),
    a(
        "Playback",
        "Keys of the clip",
        icon::DIAMONDS_FOUR,
        Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Tracks)),
        &[],
    ),
    a(
        "Playback",
        "Notifications of the clip",
        icon::FLAG,
        Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Notifications)),
        &[],
    ),
    a(
        "Playback",
        "Next translation mode",
        icon::ARROWS_OUT_CARDINAL,
        Command::Model(ModelCommand::CycleTranslation),
        &[ctrl(Key::R)],
    ),
    a("Sound", "Play or pause the sound", icon::SPEAKER_HIGH, Command::Sound(SoundCommand::TogglePlay), &[]),
    a("Sound", "Loop the sound", icon::REPEAT, Command::Sound(SoundCommand::ToggleLoop), &[]),
    a("Sound", "Louder", icon::SPEAKER_HIGH, Command::Sound(SoundCommand::ChangeVolume(0.1)), &[]),
    a("Sound", "Quieter", icon::SPEAKER_LOW, Command::Sound(SoundCommand::ChangeVolume(-0.1)), &[]),
    a("View", "Focus the model", icon::FRAME_CORNERS, Command::Camera(CameraCommand::Frame), &[key(Key::F)]),
    a("View", "Reset the view", icon::ARROW_COUNTER_CLOCKWISE, Command::Camera(CameraCommand::Reset), &[key(Key::R)]),
    a("View", "Front", icon::CUBE, Command::Camera(CameraCommand::LookFrom(ViewDirection::Front)), &[key(Key::Num1)]),
    a("View", "Back", icon::CUBE, Command::Camera(CameraCommand::LookFrom(ViewDirection::Back)), &[ctrl(Key::Num1)]),
    a("View", "Right", icon::CUBE, Command::Camera(CameraCommand::LookFrom(ViewDirection::Right)), &[key(Key::Num3)]),
    a("View", "Left", icon::CUBE, Command::Camera(CameraCommand::LookFrom(ViewDirection::Left)), &[ctrl(Key::Num3)]),
    a("View", "Top", icon::CUBE, Command::Camera(CameraCommand::LookFrom(ViewDirection::Top)), &[key(Key::Num7)]),
    a(
        "View",
        "Bottom",
        icon::CUBE,
        Command::Camera(CameraCommand::LookFrom(ViewDirection::Bottom)),
        &[ctrl(Key::Num7)],
    ),
    a("View", "Orthographic", icon::PERSPECTIVE, Command::Camera(CameraCommand::ToggleOrtho), &[key(Key::Num5)]),
    a("View", "Textures", icon::IMAGE, Command::View(ViewCommand::ToggleTextures), &[key(Key::T)]),
    a(
        "View",
        "The model's own textures",
        icon::IMAGE_BROKEN,
        Command::Model(ModelCommand::OwnTextures),
        &[ctrl(Key::Z)],
    ),
    a("View", "Wireframe", icon::POLYGON, Command::View(ViewCommand::ToggleWireframe), &[key(Key::W)]),
    a("View", "Bones", icon::BONE, Command::View(ViewCommand::ToggleSkeleton), &[key(Key::B)]),
    a("View", "Bone names", icon::TEXT_T, Command::View(ViewCommand::ToggleBoneNames), &[shift(Key::B)]),
    a("View", "Sockets", icon::PLUG, Command::View(ViewCommand::ToggleSockets), &[shift(Key::S)]),
    a("View", "Bounds", icon::BOUNDING_BOX, Command::View(ViewCommand::ToggleBounds), &[shift(Key::X)]),
    a("View", "Normals", icon::ARROWS_OUT, Command::View(ViewCommand::ToggleShading(Shading::Normals)), &[key(Key::N)]),
    a(
        "View",
        "Texture coordinates",
        icon::CHECKERBOARD,
        Command::View(ViewCommand::ToggleShading(Shading::Uv)),
        &[key(Key::U)],
    ),
    a(
        "View",
        "Materials by colour",
        icon::PALETTE,
        Command::View(ViewCommand::ToggleShading(Shading::MaterialId)),
        &[key(Key::M)],
    ),
    a(
        "View",
        "Weights of the bone",
        icon::THERMOMETER,
        Command::View(ViewCommand::ToggleShading(Shading::Weights)),
        &[key(Key::I)],
    ),
    a("View", "Skin lists", icon::STACK, Command::View(ViewCommand::ToggleShading(Shading::ListKinds)), &[key(Key::K)]),
    a(
        "View",
        "Zones of the level",
        icon::MAP_TRIFOLD,
        Command::View(ViewCommand::ToggleShading(Shading::Zones)),
        &[key(Key::Z)],
    ),
    a("View", "Without light", icon::SUN, Command::View(ViewCommand::ToggleShading(Shading::Unlit)), &[]),
    a("View", "Flat faces", icon::POLYGON, Command::View(ViewCommand::ToggleShading(Shading::Flat)), &[]),
    a(
        "View",
        "Vertex colours alone",
        icon::DROP_HALF,
        Command::View(ViewCommand::ToggleShading(Shading::VertexColors)),
        &[],
    ),
    a(
        "View",
        "Red of the vertex colours",
        icon::DROP_HALF,
        Command::View(ViewCommand::SetChannel(ColorChannel::Red)),
        &[],
    ),
    a(
        "View",
        "Green of the vertex colours",
        icon::DROP_HALF,
        Command::View(ViewCommand::SetChannel(ColorChannel::Green)),
        &[],
    ),
    a(
        "View",
        "Blue of the vertex colours",
        icon::DROP_HALF,
        Command::View(ViewCommand::SetChannel(ColorChannel::Blue)),
        &[],
    ),
    a(
        "View",
        "Alpha of the vertex colours",
        icon::DROP_HALF,
        Command::View(ViewCommand::SetChannel(ColorChannel::Alpha)),
        &[],
    ),
    a("View", "Parts by colour", icon::SHAPES, Command::View(ViewCommand::ToggleShading(Shading::PartId)), &[]),
    a("View", "Overdraw", icon::STACK_SIMPLE, Command::View(ViewCommand::ToggleShading(Shading::Overdraw)), &[]),
    a("View", "Normals as lines", icon::ARROWS_OUT, Command::View(ViewCommand::ToggleNormalLines), &[shift(Key::V)]),
    a("View", "UV layout", icon::BOUNDING_BOX, Command::View(ViewCommand::ToggleUvLayout), &[shift(Key::U)]),
    a("View", "Shadow", icon::CIRCLE_HALF, Command::View(ViewCommand::ToggleShadow), &[]),
    a("View", "Studio light", icon::LAMP, Command::View(ViewCommand::SetLight(LightPreset::Studio)), &[]),
    a("View", "Headlight", icon::LAMP, Command::View(ViewCommand::SetLight(LightPreset::Camera)), &[]),
    a("View", "Light from the left", icon::LAMP, Command::View(ViewCommand::SetLight(LightPreset::Left)), &[]),
    a("View", "Light from the right", icon::LAMP, Command::View(ViewCommand::SetLight(LightPreset::Right)), &[]),
    a("View", "Light from above", icon::LAMP, Command::View(ViewCommand::SetLight(LightPreset::Above)), &[]),
    a("View", "Three-quarter light", icon::LAMP, Command::View(ViewCommand::SetLight(LightPreset::ThreeQuarter)), &[]),
    a("View", "Light from behind", icon::LAMP, Command::View(ViewCommand::SetLight(LightPreset::Behind)), &[]),
    a("View", "Ring light", icon::LAMP, Command::View(ViewCommand::SetLight(LightPreset::Ring)), &[]),
    a("View", "Vertex colours", icon::DROP, Command::View(ViewCommand::ToggleVertexColors), &[key(Key::C)]),
    a("View", "Grid", icon::GRID_FOUR, Command::View(ViewCommand::ToggleGrid), &[key(Key::G)]),
    a("View", "Hide back faces", icon::SELECTION_BACKGROUND, Command::View(ViewCommand::ToggleCulling), &[]),
    a("View", "Unfiltered textures", icon::SQUARES_FOUR, Command::View(ViewCommand::ToggleNearest), &[]),
    a("View", "Hidden surfaces", icon::GHOST, Command::View(ViewCommand::ToggleHidden), &[]),
    a("View", "Meshes in the level", icon::ARMCHAIR, Command::Level(LevelCommand::ToggleMeshes), &[]),
    a("View", "Sprites in the level", icon::MAP_PIN, Command::Level(LevelCommand::ToggleSprites), &[]),
    a("View", "Outlines of brushes", icon::BOUNDING_BOX, Command::Level(LevelCommand::ToggleBrushes), &[]),
    a("View", "Fly through", icon::AIRPLANE_TILT, Command::Camera(CameraCommand::ToggleFly), &[key(Key::V)]),
    a("View", "Key lamp on or out", icon::LIGHTBULB, Command::View(ViewCommand::ToggleGxLights), &[]),
    a("View", "The file's fog", icon::CLOUD_FOG, Command::View(ViewCommand::ToggleGxFog), &[]),
    a("View", "The theme's background", icon::PAINT_BUCKET, Command::View(ViewCommand::SetBackground(None)), &[]),
    a("View", "Z is up in the file", icon::ARROW_UP, Command::View(ViewCommand::SetUpAxis(UpAxis::Z)), &[]),
    a("View", "Y is up in the file", icon::ARROW_UP, Command::View(ViewCommand::SetUpAxis(UpAxis::Y)), &[]),
    a("View", "Dark or light", icon::MOON, Command::Window(WindowCommand::ToggleTheme), &[]),
    a("View", "Interface at 100 %", icon::TEXT_AA, Command::Window(WindowCommand::SetUiScale(1.0)), &[]),
    a("View", "Interface at 125 %", icon::TEXT_AA, Command::Window(WindowCommand::SetUiScale(1.25)), &[]),
    a("View", "Interface at 150 %", icon::TEXT_AA, Command::Window(WindowCommand::SetUiScale(1.5)), &[]),
    a("View", "Interface at 200 %", icon::TEXT_AA, Command::Window(WindowCommand::SetUiScale(2.0)), &[]),
    a("View", "Reset the layout", icon::LAYOUT, Command::Window(WindowCommand::ResetLayout), &[]),
    a(
        "View",
        "Objects of the landscape",
        icon::TREE_EVERGREEN,
        Command::Window(WindowCommand::ShowTab(Tab::Objects)),
        &[],
    ),
    a(
        "View",
        "Statistics of the landscape",
        icon::CHART_BAR,
        Command::Window(WindowCommand::ShowTab(Tab::Statistics)),
        &[],
    ),
    a(
        "View",
        "How the file was read",
        icon::SCALES,
        Command::Window(WindowCommand::ShowSection(Section::Reading)),
        &[],
    ),
    a("View", "Log", icon::LIST_BULLETS, Command::Window(WindowCommand::ToggleLog), &[ctrl(Key::L)]),
    a("View", "Library by meaning or structure", icon::TREE_VIEW, Command::Library(LibraryCommand::ToggleOrder), &[]),
    a("Go", "Next entry", icon::ARROW_DOWN, Command::Selection(SelectionCommand::Next(1)), &[key(Key::ArrowDown)]),
    a("Go", "Previous entry", icon::ARROW_UP, Command::Selection(SelectionCommand::Next(-1)), &[key(Key::ArrowUp)]),
    a(
        "Go",
        "Unfold the row",
        icon::CARET_DOWN,
        Command::Library(LibraryCommand::FoldRow(true)),
        &[ctrl(Key::ArrowRight)],
    ),
    a("Go", "Fold the row", icon::CARET_UP, Command::Library(LibraryCommand::FoldRow(false)), &[ctrl(Key::ArrowLeft)]),
    a("Go", "Collapse the library", icon::ARROWS_IN_LINE_VERTICAL, Command::Library(LibraryCommand::CollapseAll), &[]),
    a("Go", "Show the entry", icon::EYE, Command::Stage(StageCommand::ShowSelected), &[key(Key::Enter)]),
    a(
        "Go",
        "Open the entry beside",
        icon::SQUARE_SPLIT_HORIZONTAL,
        Command::Stage(StageCommand::OpenBeside(None)),
        &[ctrl(Key::Enter)],
    ),
    a("Go", "All pictures of the file", icon::GRID_FOUR, Command::Stage(StageCommand::ShowGalleryOfSelected), &[]),
    a("Go", "All entries of the file", icon::TABLE, Command::Stage(StageCommand::ShowTableOfSelected), &[]),
    a("Scene", "Add to the scene", icon::PLUS_CIRCLE, Command::Scene(SceneCommand::AddSelected), &[]),
    a(
        "Scene",
        "Attach to the selected bone",
        icon::LINK_SIMPLE,
        Command::Scene(SceneCommand::AttachToSelectedBone(None)),
        &[],
    ),
    a("Scene", "Make it the main model", icon::STAR, Command::Scene(SceneCommand::MakeMain(None)), &[]),
    a("Scene", "Models side by side", icon::COLUMNS, Command::Scene(SceneCommand::ToggleSideBySide), &[]),
    a("Scene", "Ghost of the model", icon::GHOST, Command::Scene(SceneCommand::ToggleGhost), &[]),
    a("Scene", "Models of the scene", icon::LIST_DASHES, Command::Scene(SceneCommand::ToggleList), &[]),
    a("Scene", "Only the main model", icon::MINUS_CIRCLE, Command::Scene(SceneCommand::RemoveAll), &[]),
    a("View", "Move stages together", icon::LINK, Command::Stage(StageCommand::ToggleLink), &[]),
    a(
        "Go",
        "Find what uses the entry",
        icon::ARROW_BEND_DOWN_LEFT,
        Command::Selection(SelectionCommand::FindUsesOfSelected),
        &[shift(Key::F12)],
    ),
    a(
        "Go",
        "Jump to an offset or entry…",
        icon::ARROW_BEND_UP_RIGHT,
        Command::Window(WindowCommand::ToggleJump),
        &[ctrl(Key::G)],
    ),
    a("Go", "Go back", icon::ARROW_LEFT, Command::Stage(StageCommand::Back), &[alt(Key::ArrowLeft)]),
    a("Go", "Go forward", icon::ARROW_RIGHT, Command::Stage(StageCommand::Forward), &[alt(Key::ArrowRight)]),
    a(
        "Help",
        "Keys",
        icon::KEYBOARD,
        Command::Window(WindowCommand::ToggleKeys),
        &[key(Key::H), key(Key::F1), shift(Key::Slash), key(Key::Questionmark)],
    ),
    a("Help", "About Bonebox", icon::INFO, Command::Window(WindowCommand::ToggleAbout), &[]),
    a("Help", "Restart the graphics device", icon::GRAPHICS_CARD, Command::Window(WindowCommand::LoseDevice), &[]),
    a("Terrain", "Map from above", icon::MAP_TRIFOLD, Command::Terrain(TerrainCommand::ToggleMap), &[key(Key::P)]),
    a(
        "Terrain",
        "Next exaggeration",
        icon::MOUNTAINS,
        Command::Terrain(TerrainCommand::NextExaggeration),
        &[key(Key::X)],
    ),
    a("Terrain", "Exaggerate 1 ×", icon::MOUNTAINS, Command::Terrain(TerrainCommand::SetExaggeration(1.0)), &[]),
    a("Terrain", "Exaggerate 2 ×", icon::MOUNTAINS, Command::Terrain(TerrainCommand::SetExaggeration(2.0)), &[]),
    a("Terrain", "Exaggerate 3 ×", icon::MOUNTAINS, Command::Terrain(TerrainCommand::SetExaggeration(3.0)), &[]),
    a("Terrain", "Exaggerate 5 ×", icon::MOUNTAINS, Command::Terrain(TerrainCommand::SetExaggeration(5.0)), &[]),
    a("Terrain", "Exaggerate 10 ×", icon::MOUNTAINS, Command::Terrain(TerrainCommand::SetExaggeration(10.0)), &[]),
    a(
        "Terrain",
        "Ground by height",
        icon::PALETTE,
        Command::Terrain(TerrainCommand::SetTint(TerrainTint::Height)),
        &[],
    ),
    a("Terrain", "Ground by slope", icon::PALETTE, Command::Terrain(TerrainCommand::SetTint(TerrainTint::Slope)), &[]),
    a("Terrain", "Plain ground", icon::PALETTE, Command::Terrain(TerrainCommand::SetTint(TerrainTint::Plain)), &[]),
    a("Terrain", "Contour lines", icon::WAVES, Command::Terrain(TerrainCommand::ToggleContours), &[shift(Key::K)]),
    a(
        "Terrain",
        "Contour lines by the heights",
        icon::WAVES,
        Command::Terrain(TerrainCommand::SetContourStep(0.0)),
        &[],
    ),
    a("Terrain", "Water", icon::DROP_HALF, Command::Terrain(TerrainCommand::ToggleWater), &[]),
    a("Terrain", "Named zones", icon::POLYGON, Command::Terrain(TerrainCommand::ToggleZones), &[]),
    a("Terrain", "Background pictures", icon::IMAGE, Command::Terrain(TerrainCommand::TogglePictures), &[]),
    a("Terrain", "Objects", icon::TREE, Command::Terrain(TerrainCommand::ToggleProps), &[key(Key::O)]),
    a("Terrain", "Models instead of boxes", icon::CUBE, Command::Terrain(TerrainCommand::ToggleBodies), &[]),
    a(
        "Terrain",
        "Objects in the file's colours",
        icon::PALETTE,
        Command::Terrain(TerrainCommand::SetColors(PropColors::File)),
        &[],
    ),
    a(
        "Terrain",
        "Objects by class",
        icon::PALETTE,
        Command::Terrain(TerrainCommand::SetColors(PropColors::Class)),
        &[],
    ),
    a("Terrain", "Objects by type", icon::PALETTE, Command::Terrain(TerrainCommand::SetColors(PropColors::Kind)), &[]),
    a(
        "Terrain",
        "Names of selected objects",
        icon::TEXT_T,
        Command::Terrain(TerrainCommand::ToggleNames),
        &[shift(Key::N)],
    ),
    a(
        "Terrain",
        "Select all of this type",
        icon::SELECTION_ALL,
        Command::Terrain(TerrainCommand::SelectSameKinds),
        &[shift(Key::T)],
    ),
    a(
        "Parts",
        "Hide what is selected",
        icon::EYE_SLASH,
        Command::Parts(PartsCommand::HideSelected),
        &[shift(Key::H), key(Key::Delete)],
    ),
    a(
        "Parts",
        "Show what is selected alone",
        icon::SELECTION_INVERSE,
        Command::Parts(PartsCommand::IsolateSelected),
        &[key(Key::Slash), shift(Key::I)],
    ),
    a("Parts", "Show everything again", icon::EYE, Command::Parts(PartsCommand::ShowAll), &[alt(Key::H)]),
    a("Terrain", "Measure", icon::RULER, Command::Terrain(TerrainCommand::ToggleMeasure), &[key(Key::D)]),
    a("Terrain", "End the measure", icon::CHECK, Command::Terrain(TerrainCommand::EndMeasure), &[]),
    a("Terrain", "Clear the measure", icon::ERASER, Command::Terrain(TerrainCommand::ClearMeasure), &[]),
    a(
        "Terrain",
        "Go to coordinates…",
        icon::CROSSHAIR,
        Command::Terrain(TerrainCommand::AskPlace(true)),
        &[shift(Key::G)],
    ),
    a("Terrain", "Flip north and south", icon::FLIP_VERTICAL, Command::Terrain(TerrainCommand::ToggleFlip), &[]),
    a("Terrain", "Legend", icon::LIST_DASHES, Command::Terrain(TerrainCommand::ToggleLegend), &[shift(Key::L)]),
];

impl Action {
    /// The action that does this.
    pub fn of(command: &Command) -> Option<&'static Self> {
        ACTIONS.iter().find(|action| action.command == *command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_actions_share_keys_or_a_name() {
        let mut keys = HashSet::new();
        let mut names = HashSet::new();
        for action in ACTIONS {
            assert!(names.insert(action.name), "{}", action.name);
            for shortcut in action.keys {
                assert!(keys.insert(format!("{shortcut:?}")), "{}: {shortcut:?}", action.name);
            }
        }
    }
}
