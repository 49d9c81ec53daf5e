//! The text on a stage.

use crate::{scene::Text, ui::place::Place};
use std::sync::Arc;

/// What the text panel shows.
#[derive(Clone, Debug)]
pub struct ShownText {
    pub place: Place,
    pub text: Arc<Text>,
    /// Changes whenever another one is shown.
    pub generation: u64,
}
