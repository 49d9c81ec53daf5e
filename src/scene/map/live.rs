//! What of a level changes with time.

use crate::scene::{FlipBook, Image, procedural::Procedural};
use std::sync::Arc;

/// A picture of a level that changes with time: the same for all surfaces that show it.
#[derive(Clone, Debug)]
pub struct LivePicture {
    /// The still that the models hold, known by its address: what the moment's picture is shown in place of.
    pub still: Arc<Image>,
    pub kind: LiveKind,
}

#[derive(Clone, Debug)]
pub enum LiveKind {
    /// Its first frame is the still.
    FlipBook(FlipBook),
    /// Fire, water, ice, wet pictures: of the size of the still.
    Computed(Arc<Procedural>),
}

/// A moment of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapMoment {
    /// Time of the level.
    pub seconds: f64,
    /// Where each of [`super::Map::movers`] is on its way; those past the end are where they start.
    pub movers: Vec<f32>,
}
