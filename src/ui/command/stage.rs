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

/// A command for the active stage or for all stages.
#[derive(Clone, Debug, PartialEq)]
pub enum StageCommand {
    /// Shows an entry in the way that suits its content: a model in the viewport, a clip on the model.
    Show(Place),
    ShowSelected,
    /// Shows an entry, or the content of the active stage, on a second stage.
    OpenBeside(Option<Place>),
    /// Shows all images of a file.
    ShowGallery(FileId),
    /// Shows all entries of a file as a table.
    ShowTable(FileId),
    /// Shows the class hierarchy of all open files, scrolled to the classes of a file.
    ShowClasses(FileId),
    /// Shows the images of all open files.
    ShowPictures,
    /// Copies an image to the clipboard; `None` for the shown one.
    CopyPicture(Option<Place>),
    /// Shows all images of the selected file.
    ShowGalleryOfSelected,
    ShowTableOfSelected,
    ShowClassesOfSelected,
    Close(StageId),
    /// Makes a stage the active one.
    Focus(StageId),
    /// Links or unlinks the cameras and clocks of all stages.
    Link(bool),
    ToggleLink,
    /// Opens or closes a page of the drawer below a model.
    ToggleDrawer(DrawerPage),
    /// Goes back in the history of the stage.
    Back,
    Forward,
}

/// A command for the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraCommand {
    Orbit(Vec2),
    Pan(Vec2),
    Zoom(f32),
    /// Frames the selection, or the shown content, in its current pose.
    Frame,
    /// Frames a joint of the shown model and its neighbours.
    FocusJoint(u32),
    Reset,
    LookFrom(ViewDirection),
    ToggleOrtho,
    /// Switches between flying and orbiting.
    ToggleFly,
    /// Sets the direction in which the fly camera moves.
    Steer(Steer),
    /// Turns the fly camera, in radians to the right and upwards.
    Look(Vec2),
    ChangeFlySpeed(f32),
}

/// A command for parts of the shown model or for object types of the shown landscape.
#[derive(Clone, Debug, PartialEq)]
pub enum PartsCommand {
    /// Hides the selection: a mesh, a material, a bone with its children, object types.
    HideSelected,
    /// Shows only the selection. If it is isolated already, restores the previous visibility.
    IsolateSelected,
    ShowAll,
    /// Hides or shows the part of the model that an entry represents.
    Hide(Place, bool),
    /// Shows only the part of the model that an entry represents. If it is isolated already, restores the previous visibility.
    Isolate(Place),
    /// Hides or shows actors of the level.
    HideActors(Arc<[u32]>, bool),
}

/// A command for the search through all scripts.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptsCommand {
    /// Shows the search and focuses its field.
    Show,
    /// Starts another search.
    Search(ScriptQuery),
    Cancel,
    /// Shows the line of a result, by its index.
    GoTo(usize),
}

/// A command for a sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SoundCommand {
    /// Plays or pauses the sound.
    TogglePlay,
    /// Seeks to a sample frame.
    Seek(usize),
    /// Sets the volume, 0 to 1.
    SetVolume(f32),
    ChangeVolume(f32),
    ToggleLoop,
    /// Renders music again after rendering was cancelled.
    RenderMusic,
}

/// A command for the text on the active stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TextCommand {
    /// Sets the caret and selects the bytes that belong to its line.
    SetCaret(TextPlace),
    /// Goes to the definition of the name at a position.
    Define(TextPlace),
    /// Goes to the definition of the name at the caret.
    DefineAtCaret,
    /// Finds the meaning of the name at a position, for the tooltip.
    Explain(TextPlace),
}

/// A command for the player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TransportCommand {
    TogglePlay,
    /// Seeks to a frame of a clip or moving image, or to a second of a sound.
    Seek(f32),
    /// Moves by a number of frames, or of seconds of a sound.
    Step(i32),
    SeekStart,
    SeekEnd,
    SetSpeed(f32),
    Faster,
    Slower,
    SetLoop(LoopMode),
    CycleLoop,
    /// Reverses the direction of playback.
    Reverse,
    /// Seeks to the next key (1) or the previous one (−1): of the selected bone if there is one, else of any channel.
    StepKey(i32),
    /// Limits playback to a range of frames.
    SetRange(f32, f32),
    /// Starts the range at the playhead.
    RangeFromHere,
    /// Ends the range at the playhead.
    RangeToHere,
    /// Removes the range.
    ClearRange,
}

/// A command for how the stage is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewCommand {
    SetShading(Shading),
    /// Turns a shading mode on or off. Texture coordinates go to the next set.
    ToggleShading(Shading),
    Toggle(ViewToggle),
    /// Shows only vertex colours: all channels or one.
    SetChannel(ColorChannel),
    SetLight(LightPreset),
    /// Sets lamps and fog of GX materials.
    SetGx(GxSettings),
    /// Turns the key lamp on or off.
    ToggleGxLights,
    ToggleGxFog,
    /// Sets the colour of the background; `None` for the theme's colour.
    SetBackground(Option<[u8; 3]>),
    SetUpAxis(UpAxis),
    /// Switches between the axes of the scene and those of the file for displayed numbers.
    ToggleSceneAxes,
    SetSamples(Option<u32>),
    /// Turns the grid under models on or off, also for new stages.
    SetGrid(bool),
}
