//! Commands for a level.

use crate::ui::map_overlays::MapOverlay;
use glam::{Vec2, Vec3};

/// A command for a level.
#[derive(Clone, Debug, PartialEq)]
pub enum LevelCommand {
    /// Shows or hides placed meshes.
    ToggleMeshes,
    ToggleSprites,
    /// Shows or hides the outlines of brushes.
    ToggleBrushes,
    /// Shows or hides an overlay for all actors.
    ToggleOverlay(MapOverlay),
    ClearOverlays,
    /// Shows or hides glows around lights.
    ToggleCoronas,
    /// Shows or hides sky, mirrors and warp zones.
    ToggleWindows,
    /// Plays or pauses the level, if anything in it moves by itself.
    TogglePlay,
    /// Moves a mover to a position on its path and stops it there. Whole numbers are keys.
    SetMover {
        /// Index into [`crate::scene::Map::movers`].
        mover: u32,
        position: f32,
    },
    /// Starts a mover: to its last key, or back to its first one if it is at the last key or on the way to it.
    RunMover(u32),
    /// Sets the brightness of surfaces: [`crate::ui::saved_view::ViewOptions::gamma`].
    SetGamma(f32),
    /// Moves the camera to a player start.
    GoToStart(usize),
    /// Moves the camera to another player start, by its distance from the last one.
    StepStart(i32),
    /// Sets the speed of flying, in units of the level per second.
    SetFlySpeed(f32),
    /// Opens or closes the dialog for coordinates.
    AskPlace(bool),
    /// Moves the camera to a position in the file's units, optionally with yaw and pitch in degrees.
    GoTo(Vec3, Option<[f32; 2]>),
    /// Copies the position of the camera in the form that the dialog accepts.
    CopyPlace,
    ToggleMeasure,
    /// Measures from or to a point of the viewport, 0..1 from the top left. `snap` is the distance within which a corner is used
    /// instead, as a share of the viewport's height.
    Measure {
        place: Vec2,
        snap: f32,
    },
    /// Clears the measurement. Without a measurement, turns the tool off.
    ClearMeasure,
    /// Outlines all surfaces with the texture of the selected surface, or removes the outlines.
    ToggleAlike,
    /// Adds a bookmark of the current view. An empty name is replaced by a default.
    AddBookmark(String),
    /// Moves the camera to a bookmark, by its index in the list.
    GoToBookmark(usize),
    /// Moves the camera to another bookmark of this level, by its distance from the last one.
    StepBookmark(i32),
    RemoveBookmark(usize),
    /// Selects the object at a point of the viewport, 0..1 from the top left.
    Pick(Vec2),
    /// Selects the object at a point of the viewport and frames it.
    Focus(Vec2),
    /// Selects an actor and frames it.
    SelectActor(u32),
}
