use super::{Beside, Room};
use crate::export::ExportSpace;

/// What a file may be like, whatever is in it.
#[derive(Clone, Debug)]
pub struct Output {
    /// Maximum size of the file.
    pub room: Room,
    /// Scale and up axis of the file.
    pub space: ExportSpace,
    /// The files for pictures, and for the numbers of a `.gltf`. Without it everything is in one file.
    pub beside: Option<Beside>,
}

/// Sizes as they are, Y up.
impl From<Room> for Output {
    fn from(room: Room) -> Self {
        Self { room, space: ExportSpace::default(), beside: None }
    }
}
