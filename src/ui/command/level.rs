//! What can be done to the level on show.

use glam::Vec2;

/// One thing to do to a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LevelCommand {
    /// Placed meshes.
    ToggleMeshes,
    ToggleSprites,
    /// Outlines of brushes.
    ToggleBrushes,
    /// To a start of the level.
    GoToStart(usize),
    /// Selects what lies at a place of the picture, 0..1 from the top left.
    Pick(Vec2),
    /// Selects it and brings it into view.
    Focus(Vec2),
    /// Selects an actor and brings it into view.
    SelectActor(u32),
}
