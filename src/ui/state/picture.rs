//! The picture on show.

use super::{Place, State};
use crate::formats::Asset;

/// What the image panel shows.
#[derive(Clone, Debug)]
pub struct ShownPicture {
    pub place: Place,
    /// A picture, an image, a computed texture, a palette or a font.
    pub asset: Asset,
    /// Changes whenever another one is shown.
    pub generation: u64,
}

impl State {
    pub(super) fn show_picture(&mut self, place: Place, asset: Asset) {
        let generation = self.fresh_id();
        self.picture = Some(ShownPicture { place, asset, generation });
    }
}
