//! What is on its way to a stage.

use crate::ui::{
    place::Place,
    state::stage::{
        coming::{Coming, ComingClip, ComingScene},
        text::WantedLine,
    },
};

/// What a stage waits for, and how it is shown when it arrives.
#[derive(Default)]
pub(crate) struct Pending {
    /// The entry that is being decoded to be shown.
    pub asset: Option<Place>,
    /// The view of the entry that is being restored.
    pub look: Option<Box<Coming>>,
    /// The clip that played on the model that is being restored.
    pub clip: Option<ComingClip>,
    /// The other models and textures of the scene that is being restored.
    pub scene: Option<Box<ComingScene>>,
    /// The restored model had no clip: nothing starts to play.
    pub without_clip: bool,
    /// The text that is shown for one of its lines, the line, and the selection afterwards.
    pub line: Option<(Place, Option<WantedLine>, Option<Place>)>,
    /// Models that are added to the scene once its main model is there.
    pub joins: Vec<Place>,
}
