//! Parts of a model and actors of a level that are hidden.

use crate::scene::{HiddenParts, ModelPiece};
use crate::ui::saved_view::value::or_default;
use serde::{Deserialize, Serialize};

/// Surfaces, bones or actors that are hidden one by one.
pub const MAX_PARTS: usize = 4_000;

/// What is hidden. What an isolated part leaves out is not listed: it is everything else.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedParts {
    /// What is hidden; while a part is shown alone, what was hidden before.
    #[serde(deserialize_with = "or_default")]
    pub hidden: HiddenParts,
    /// The part that is shown alone.
    #[serde(deserialize_with = "or_default")]
    pub alone: Option<ModelPiece>,
    /// What is hidden while a part is shown alone, where it is not everything else.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub hidden_now: Option<HiddenParts>,
    #[serde(deserialize_with = "or_default")]
    pub actors: SavedActors,
}

/// The same of a level: into its list of actors; `None` is the level itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedActors {
    pub hidden: Vec<Option<u32>>,
    pub alone: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden_now: Option<Vec<Option<u32>>>,
}

impl SavedParts {
    /// Lists that are too long are left out.
    pub(super) fn check(&mut self) {
        if self.hidden.len() > MAX_PARTS {
            self.hidden = HiddenParts::default();
        }
        self.hidden_now.take_if(|hidden| hidden.len() > MAX_PARTS);
        self.actors.hidden.truncate(MAX_PARTS);
        self.actors.hidden_now.take_if(|hidden| hidden.len() > MAX_PARTS);
    }
}
