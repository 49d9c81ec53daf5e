use super::{Beside, Room};
use crate::export::ExportSpace;

/// What a file may be like, whatever is in it.
#[derive(Clone, Debug)]
pub struct Output {
    pub room: Room,
    pub space: ExportSpace,
    /// As JSON, with its numbers and its pictures in files beside; all in one file without.
    pub beside: Option<Beside>,
}

/// Sizes as they are, Y up.
impl From<Room> for Output {
    fn from(room: Room) -> Self {
        Self { room, space: ExportSpace::default(), beside: None }
    }
}
