//! What can be done to a landscape on show.

use crate::scene::{PropColors, TerrainTint};
use glam::Vec2;

/// One thing to do to the landscape on show. Its wireframe and grid are the common ones.
#[derive(Clone, Debug, PartialEq)]
pub enum TerrainCommand {
    /// From above with north at the top, or back into the round.
    ToggleMap,
    SetTint(TerrainTint),
    ToggleContours,
    /// Metres between contour lines; 0 chooses by the heights.
    SetContourStep(f32),
    ToggleWater,
    SetExaggeration(f32),
    /// The next of those that the menu has.
    NextExaggeration,
    ToggleZones,
    TogglePictures,
    ToggleProps,
    /// Models in the place of boxes.
    ToggleBodies,
    SetColors(PropColors),
    /// Names of what is selected, in the picture.
    ToggleNames,
    ToggleLegend,
    /// Selects things on the ground, into [`crate::scene::Terrain::props`], in any order.
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
    /// Counts what the ground has, unless that was done.
    WantStatistics,
    /// Selects everything of the types of what is selected.
    SelectSameKinds,
    /// Points at a place of the picture, 0..1 from the top left: selects the object there, or adds it to what is selected
    /// or takes it out again.
    Pick {
        place: Vec2,
        add: bool,
    },
    /// Brings what lies at a place of the picture into view, and selects it.
    Focus(Vec2),
    /// Takes the tool that measures, or puts it away.
    ToggleMeasure,
    /// Adds the ground at a place of the picture to what is measured.
    Measure(Vec2),
    /// The measure is complete; the next point begins another.
    EndMeasure,
    /// Takes its points off; without any the tool is put away.
    ClearMeasure,
    /// Asks for coordinates to go to, or no longer.
    AskPlace(bool),
    /// Brings the ground at these metres east and north into the middle.
    GoTo(Vec2),
    /// Shows the ground as in a mirror: south where north is.
    ToggleFlip,
}

/// Exaggerations that are offered.
pub const EXAGGERATIONS: [f32; 5] = [1.0, 2.0, 3.0, 5.0, 10.0];
/// Metres between contour lines that are offered; 0 chooses by the heights.
pub const CONTOUR_STEPS: [f32; 8] = [0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
