//! Commands for a landscape.

use crate::scene::{PropColors, TerrainTint};
use glam::Vec2;

/// A command for the shown landscape. Wireframe and grid are options of the view.
#[derive(Clone, Debug, PartialEq)]
pub enum TerrainCommand {
    /// Switches between the top-down map with north at the top and the 3D view.
    ToggleMap,
    SetTint(TerrainTint),
    ToggleContours,
    /// Sets the contour interval, in metres; 0 for an automatic interval.
    SetContourStep(f32),
    ToggleWater,
    SetExaggeration(f32),
    /// Sets the next vertical exaggeration of the menu.
    NextExaggeration,
    ToggleZones,
    TogglePictures,
    ToggleProps,
    /// Draws objects as models or as boxes.
    ToggleBodies,
    SetColors(PropColors),
    /// Shows or hides the names of selected objects in the viewport.
    ToggleNames,
    ToggleLegend,
    /// Selects objects: indices into [`crate::scene::Terrain::props`], in any order.
    SelectProps(Vec<u32>),
    /// Selects objects and frames them.
    FocusProps(Vec<u32>),
    /// Selects all objects of a type, an index into [`crate::scene::Terrain::kinds`], and the entry of the type.
    SelectKind(u32),
    /// Hides or shows objects of these types.
    HideKinds {
        kinds: Vec<u32>,
        hide: bool,
    },
    /// Shows only these types; `None` for all.
    IsolateKinds(Option<Vec<u32>>),
    /// Computes the statistics of the landscape if necessary.
    WantStatistics,
    /// Selects all objects of the selected objects' types.
    SelectSameKinds,
    /// Selects the object at a point of the viewport, 0..1 from the top left, or adds it to the selection or removes it
    /// from the selection.
    Pick {
        place: Vec2,
        add: bool,
    },
    /// Selects the object at a point of the viewport and frames it.
    Focus(Vec2),
    /// Turns the measuring tool on or off.
    ToggleMeasure,
    /// Adds the ground at a point of the viewport to the measurement.
    Measure(Vec2),
    /// Completes the measurement; the next point starts another one.
    EndMeasure,
    /// Clears the measurement. Without points, turns the tool off.
    ClearMeasure,
    /// Opens or closes the dialog for coordinates.
    AskPlace(bool),
    /// Centres the view on a position, in metres east and north.
    GoTo(Vec2),
    /// Mirrors the view, so that south is at the top.
    ToggleFlip,
}

/// Vertical exaggerations in the menu.
pub const EXAGGERATIONS: [f32; 5] = [1.0, 2.0, 3.0, 5.0, 10.0];
/// Contour intervals in the menu, in metres; 0 is automatic.
pub const CONTOUR_STEPS: [f32; 8] = [0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
