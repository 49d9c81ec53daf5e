//! The models that stand beside the one that a stage is about.

use crate::ui::saved_view::{
    place::SavedPlace,
    value::{MAX_NAME, each_or_default, is_near, or_default},
};
use crate::{
    scene::LoopMode,
    ui::scene_member::{Anchor, MAX_MODELS, SceneLook},
};
use serde::{Deserialize, Serialize};

/// The models of a scene, and how they are seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedScene {
    /// How the main model is seen.
    #[serde(deserialize_with = "or_default")]
    pub main: SceneLook,
    /// In the order of the list.
    #[serde(deserialize_with = "each_or_default")]
    pub models: Vec<SavedModel>,
    /// Into `models`; `None`: the main one.
    #[serde(deserialize_with = "or_default")]
    pub selected: Option<usize>,
    #[serde(deserialize_with = "or_default")]
    pub side_by_side: bool,
    #[serde(deserialize_with = "or_default")]
    pub list_is_open: bool,
}

/// A model beside the main one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedModel {
    /// Always there after `SavedScene::check`.
    #[serde(deserialize_with = "or_default")]
    pub place: Option<SavedPlace>,
    #[serde(deserialize_with = "or_default")]
    pub look: SceneLook,
    /// The clip that plays or is held; `None` for the bind pose.
    #[serde(deserialize_with = "or_default")]
    pub clip: Option<SavedPlace>,
    #[serde(deserialize_with = "or_default")]
    pub frame: f32,
    #[serde(deserialize_with = "or_default")]
    pub playing: bool,
    #[serde(deserialize_with = "or_default")]
    pub loop_mode: LoopMode,
    #[serde(deserialize_with = "or_default")]
    pub own_clock: bool,
    /// It follows the pose of the main model.
    #[serde(deserialize_with = "or_default")]
    pub follows: bool,
    #[serde(deserialize_with = "or_default")]
    pub attached: Option<SavedAttachment>,
}

/// What a model is attached to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedAttachment {
    /// Into [`SavedScene::models`]; `None`: the main one.
    pub to: Option<usize>,
    pub anchor: Anchor,
    /// What the bone or the socket is called.
    pub name: String,
}

impl SavedScene {
    /// Leaves out what cannot be: models of no file, attachments to such or in a circle.
    pub(super) fn check(&mut self, is_known: impl Fn(&SavedPlace) -> bool) {
        let mut count = 0;
        let number = |model: &SavedModel| {
            let is_kept = count < MAX_MODELS && model.place.as_ref().is_some_and(&is_known);
            count += usize::from(is_kept);
            is_kept.then(|| count - 1)
        };
        let numbers: Vec<Option<usize>> = self.models.iter().map(number).collect();
        let renumbered = |index: usize| numbers.get(index).copied().flatten();
        let mut is_kept = numbers.iter().map(Option::is_some);
        self.models.retain(|_| is_kept.next().unwrap_or_default());
        self.selected = self.selected.and_then(renumbered);
        for model in &mut self.models {
            model.clip.take_if(|place| !is_known(place));
            if !is_near(model.frame) {
                model.frame = 0.0;
            }
            model.attached.take_if(|attached| attached.name.len() > MAX_NAME);
            model.attached = model.attached.take().and_then(|attached| {
                let to = match attached.to {
                    Some(to) => Some(renumbered(to)?),
                    None => None,
                };
                Some(SavedAttachment { to, ..attached })
            });
            // What follows a pose stands where that is.
            model.follows &= model.attached.is_none();
        }
        self.cut_circles();
    }

    fn cut_circles(&mut self) {
        for at in 0..self.models.len() {
            let above = |at: &usize| self.models.get(*at)?.attached.as_ref()?.to;
            let mut way = std::iter::successors(above(&at), above).take(self.models.len());
            if way.any(|on| on == at) {
                self.models[at].attached = None;
            }
        }
    }
}
