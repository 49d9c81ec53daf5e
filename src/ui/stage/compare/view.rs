use crate::ui::stage::compare::{models::ModelsView, pictures::PicturesView};

/// What the panel remembers between frames.
#[derive(Default)]
pub struct CompareView {
    pub pictures: PicturesView,
    pub models: ModelsView,
}
