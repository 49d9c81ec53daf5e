use super::Room;
use crate::export::ExportSpace;

/// What a file may be like, whatever is in it.
#[derive(Clone, Debug)]
pub struct Output {
    pub room: Room,
    pub space: ExportSpace,
}

/// Sizes as they are, Y up.
impl From<Room> for Output {
    fn from(room: Room) -> Self {
        Self { room, space: ExportSpace::default() }
    }
}
