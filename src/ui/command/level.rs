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
    /// How bright its surfaces are: [`crate::ui::state::View::gamma`].
    SetGamma(f32),
    /// To a start of the level.
    GoToStart(usize),
    /// Selects what lies at a place of the picture, 0..1 from the top left.
    Pick(Vec2),
    /// Selects it and brings it into view.
    Focus(Vec2),
    /// Selects an actor and brings it into view.
    SelectActor(u32),
}
