//! What can be done to the parts of what is on the stage.

use crate::ui::state::Place;
use std::sync::Arc;

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
