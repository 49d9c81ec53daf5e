//! What can be done to a landscape on show.

use super::{Action, Command, alt, key, shift};
use crate::scene::{PropColors, TerrainTint};
use egui::Key;
use egui_phosphor::regular as icon;
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
    /// Hides the types of what is selected.
    HideSelectedKinds,
    /// Hides all other types.
    IsolateSelectedKinds,
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
}

/// Exaggerations that are offered.
pub const EXAGGERATIONS: [f32; 5] = [1.0, 2.0, 3.0, 5.0, 10.0];
/// Metres between contour lines that are offered; 0 chooses by the heights.
pub const CONTOUR_STEPS: [f32; 8] = [0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];

pub(super) fn actions() -> Vec<Action> {
    use TerrainCommand as T;
    let a =
        |name, icon, command, keys| Action { group: "Terrain", name, icon, command: Command::Terrain(command), keys };
    vec![
        a("Map from above", icon::MAP_TRIFOLD, T::ToggleMap, const { &[key(Key::P)] }),
        a("Next exaggeration", icon::MOUNTAINS, T::NextExaggeration, const { &[key(Key::X)] }),
        a("Exaggerate 1 ×", icon::MOUNTAINS, T::SetExaggeration(1.0), &[]),
        a("Exaggerate 2 ×", icon::MOUNTAINS, T::SetExaggeration(2.0), &[]),
        a("Exaggerate 3 ×", icon::MOUNTAINS, T::SetExaggeration(3.0), &[]),
        a("Exaggerate 5 ×", icon::MOUNTAINS, T::SetExaggeration(5.0), &[]),
        a("Exaggerate 10 ×", icon::MOUNTAINS, T::SetExaggeration(10.0), &[]),
        a("Ground by height", icon::PALETTE, T::SetTint(TerrainTint::Height), &[]),
        a("Ground by slope", icon::PALETTE, T::SetTint(TerrainTint::Slope), &[]),
        a("Plain ground", icon::PALETTE, T::SetTint(TerrainTint::Plain), &[]),
        a("Contour lines", icon::WAVES, T::ToggleContours, const { &[shift(Key::K)] }),
        a("Contour lines by the heights", icon::WAVES, T::SetContourStep(0.0), &[]),
        a("Water", icon::DROP_HALF, T::ToggleWater, &[]),
        a("Named zones", icon::POLYGON, T::ToggleZones, &[]),
        a("Background pictures", icon::IMAGE, T::TogglePictures, &[]),
        a("Objects", icon::TREE, T::ToggleProps, const { &[key(Key::O)] }),
        a("Models instead of boxes", icon::CUBE, T::ToggleBodies, &[]),
        a("Objects in the file's colours", icon::PALETTE, T::SetColors(PropColors::File), &[]),
        a("Objects by class", icon::PALETTE, T::SetColors(PropColors::Class), &[]),
        a("Objects by type", icon::PALETTE, T::SetColors(PropColors::Kind), &[]),
        a("Names of selected objects", icon::TEXT_T, T::ToggleNames, const { &[shift(Key::N)] }),
        a("Select all of this type", icon::SELECTION_ALL, T::SelectSameKinds, const { &[shift(Key::T)] }),
        a("Hide this type", icon::EYE_SLASH, T::HideSelectedKinds, const { &[shift(Key::H)] }),
        a("Show this type alone", icon::EYE, T::IsolateSelectedKinds, const { &[shift(Key::I)] }),
        Action {
            group: "Terrain",
            name: "Show all types",
            icon: icon::EYE,
            command: Command::IsolateKinds(None),
            keys: const { &[alt(Key::H)] },
        },
        a("Legend", icon::LIST_DASHES, T::ToggleLegend, const { &[shift(Key::L)] }),
    ]
}
