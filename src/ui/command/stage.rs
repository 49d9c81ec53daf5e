//! Commands for what is on a stage: its view, its parts, its player.

use crate::{
    gpu::GxSettings,
    library::ScriptQuery,
    scene::{
        LoopMode,
        camera::{Steer, ViewDirection},
    },
    ui::{
        place::TextPlace,
        saved_view::ViewToggle,
        state::{ColorChannel, DrawerPage, FileId, LightPreset, Place, Shading, StageId, UpAxis},
    },
};
use glam::Vec2;
use std::sync::Arc;

/// One thing to do to the stage in front, or to all of them.
#[derive(Clone, Debug, PartialEq)]
pub enum StageCommand {
    /// Shows an entry as what it is: a model in the viewport, a clip on the model.
    Show(Place),
    ShowSelected,
    /// Shows an entry, or what is on the stage, on a second stage beside the first.
    OpenBeside(Option<Place>),
    /// Shows all pictures of a file side by side.
    ShowGallery(FileId),
    /// Shows all entries of a file as a table.
    ShowTable(FileId),
    /// Shows the classes of all open files by what they extend, those of a file in view.
    ShowClasses(FileId),
    /// Shows the pictures of all open files side by side.
    ShowPictures,
    /// Puts a picture on the clipboard; that on the stage without one.
    CopyPicture(Option<Place>),
    /// The same of the selected file.
    ShowGalleryOfSelected,
    ShowTableOfSelected,
    ShowClassesOfSelected,
    Close(StageId),
    /// Makes a stage the one that keys and the selection are for.
    Focus(StageId),
    /// Moves the cameras and clocks of all stages together, or no longer.
    Link(bool),
    ToggleLink,
    /// Pulls a page of the drawer below a model out, or pushes it in.
    ToggleDrawer(DrawerPage),
    /// One step back in the stage's history.
    Back,
    Forward,
}

/// One move of the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraCommand {
    Orbit(Vec2),
    Pan(Vec2),
    Zoom(f32),
    /// Brings what is shown or selected, as it stands, into view.
    Frame,
    /// Brings a joint of the shown model and the joints next to it into view.
    FocusJoint(u32),
    Reset,
    LookFrom(ViewDirection),
    ToggleOrtho,
    /// Changes between flying and turning about a point.
    ToggleFly,
    /// Which way the fly camera goes from now on.
    Steer(Steer),
    /// Turns the fly camera by radians, to the right and upwards.
    Look(Vec2),
    ChangeFlySpeed(f32),
}

/// One thing to do to parts of the model or to the types of objects of the landscape on show.
#[derive(Clone, Debug, PartialEq)]
pub enum PartsCommand {
    /// Hides what is selected: a mesh, a material, a bone with what hangs on it, types of objects.
    HideSelected,
    /// Shows nothing but what is selected; once more shows again what was seen before.
    IsolateSelected,
    ShowAll,
    /// Hides the part of the model that an entry is, or shows it again.
    Hide(Place, bool),
    /// Shows nothing but the part of the model that an entry is; once more shows again what was seen before.
    Isolate(Place),
    /// Hides actors of the level, or shows them again.
    HideActors(Arc<[u32]>, bool),
}

/// One thing to do with the search through all scripts.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptsCommand {
    /// Brings the search to the stage, and the keyboard into its field.
    Show,
    /// Looks for something else from now on.
    Search(ScriptQuery),
    Cancel,
    /// Goes to the line of a result, by its number.
    GoTo(usize),
}

/// One thing to do to a sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SoundCommand {
    /// Plays or pauses it.
    TogglePlay,
    /// Goes to a sample frame.
    Seek(usize),
    /// 0 … 1.
    SetVolume(f32),
    ChangeVolume(f32),
    ToggleLoop,
    /// Renders music after that was cancelled.
    RenderMusic,
}

/// One thing to do with the text on the stage in front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TextCommand {
    /// Puts the caret somewhere, and marks the bytes that the line was made from, or made into.
    SetCaret(TextPlace),
    /// Goes where the name at a place is defined.
    Define(TextPlace),
    /// The same for the name at the caret.
    DefineAtCaret,
    /// Finds out what the name at a place means, to say it there.
    Explain(TextPlace),
}

/// One thing to do to what plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TransportCommand {
    TogglePlay,
    /// To a frame of a clip or of a picture that moves; to a second of a sound.
    Seek(f32),
    /// Frames, or seconds of a sound.
    Step(i32),
    SeekStart,
    SeekEnd,
    SetSpeed(f32),
    Faster,
    Slower,
    SetLoop(LoopMode),
    CycleLoop,
    /// Backwards where it went forwards, at the same speed.
    Reverse,
    /// To a key after the playhead (1) or before it (−1): of the selected bone, else of anything.
    StepKey(i32),
    /// The stretch of a clip that plays in the place of all of it, from a frame to a frame.
    SetRange(f32, f32),
    /// The range begins at the playhead.
    RangeFromHere,
    /// It ends there.
    RangeToHere,
    /// All of the clip plays again.
    ClearRange,
}

/// One switch of the view.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewCommand {
    SetShading(Shading),
    /// Colours surfaces so, or no longer; texture coordinates set after set.
    ToggleShading(Shading),
    Toggle(ViewToggle),
    /// Shows vertex colours alone: all of them, or one channel.
    SetChannel(ColorChannel),
    SetLight(LightPreset),
    /// Lamps and fog of materials of the GameCube's chip.
    SetGx(GxSettings),
    /// Puts the key lamp on or out.
    ToggleGxLights,
    ToggleGxFog,
    /// A colour behind everything; `None` for the theme's.
    SetBackground(Option<[u8; 3]>),
    SetUpAxis(UpAxis),
    /// Shows numbers in the scene's axes, or in the file's.
    ToggleSceneAxes,
    SetSamples(Option<u32>),
    /// Whether there is a grid under models, now and in new stages.
    SetGrid(bool),
}
