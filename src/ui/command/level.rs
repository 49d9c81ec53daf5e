//! What can be done to the level on show.

use crate::ui::map_overlays::MapOverlay;
use glam::{Vec2, Vec3};

/// One thing to do to a level.
#[derive(Clone, Debug, PartialEq)]
pub enum LevelCommand {
    /// Placed meshes.
    ToggleMeshes,
    ToggleSprites,
    /// Outlines of brushes.
    ToggleBrushes,
    /// Draws something over the level for all actors, or no longer.
    ToggleOverlay(MapOverlay),
    ClearOverlays,
    /// Glows around lights.
    ToggleCoronas,
    /// Sky, mirrors and warp zones in the place of their surfaces.
    ToggleWindows,
    /// Lets its time go on, or holds it; nothing where nothing moves by itself.
    TogglePlay,
    /// Puts a mover at a place on its way, a whole number being a key; it stays there.
    SetMover {
        /// Into [`crate::scene::Map::movers`].
        mover: u32,
        position: f32,
    },
    /// Sets a mover off: to its last key, or back to its first when it is there or under way to it.
    RunMover(u32),
    /// Sets the brightness of the surfaces: [`crate::ui::saved_view::ViewOptions::gamma`].
    SetGamma(f32),
    /// To a start of the level.
    GoToStart(usize),
    /// To the start this many after the one that was gone to last.
    StepStart(i32),
    /// Sets how fast one flies, in the level's units a second.
    SetFlySpeed(f32),
    /// Asks for coordinates, or gives the question up.
    AskPlace(bool),
    /// To a place in the file's units; yaw and pitch in degrees where they are told.
    GoTo(Vec3, Option<[f32; 2]>),
    /// Copies where the camera is, as it can be typed in.
    CopyPlace,
    ToggleMeasure,
    /// Measures from or to what lies at a place of the picture, 0..1 from the top left; `snap` is how near a corner has to be to
    /// count instead, in heights of the picture.
    Measure {
        place: Vec2,
        snap: f32,
    },
    /// Takes the measure off; without one the tool is put away.
    ClearMeasure,
    /// Outlines all surfaces that show what the picked one does, or none any more.
    ToggleAlike,
    /// Keeps the view under a name; one is made up where it is empty.
    AddBookmark(String),
    /// To a bookmark, by its place among those that are kept.
    GoToBookmark(usize),
    /// To the bookmark of this level this many on.
    StepBookmark(i32),
    RemoveBookmark(usize),
    /// Selects what lies at a place of the picture, 0..1 from the top left.
    Pick(Vec2),
    /// Selects it and brings it into view.
    Focus(Vec2),
    /// Selects an actor and brings it into view.
    SelectActor(u32),
}
