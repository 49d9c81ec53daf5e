//! Move to front (formats/containers.md §2.2): each byte is the place of another one in a list, which then moves to its start.

use super::stage::Stage;
use crate::formats::containers::contents::Trouble;

/// The bytes that a stage gives as places.
pub struct MoveToFront<S> {
    stage: S,
    list: [u8; 256],
}

impl<S: Stage> MoveToFront<S> {
    pub fn new(stage: S) -> Self {
        Self { stage, list: std::array::from_fn(|place| place as u8) }
    }
}

impl<S: Stage> Stage for MoveToFront<S> {
    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool, Trouble> {
        let start = into.len();
        let more = self.stage.more(into)?;
        decode(&mut self.list, into.get_mut(start..).unwrap_or_default());
        Ok(more)
    }

    fn used(&self) -> u64 {
        self.stage.used()
    }
}

fn decode(list: &mut [u8; 256], bytes: &mut [u8]) {
    for byte in bytes {
        let place = usize::from(*byte);
        // The last of the first `place + 1` becomes the first of them.
        if let Some(front) = list.get_mut(..=place) {
            front.rotate_right(1);
        }
        let [first, ..] = *list;
        *byte = first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::containers::uz::encode::move_to_front;

    fn decoded(places: &[u8]) -> Vec<u8> {
        let mut list = std::array::from_fn(|place| place as u8);
        let mut bytes = places.to_vec();
        decode(&mut list, &mut bytes);
        bytes
    }

    #[test]
    fn places_become_bytes() {
        assert_eq!(decoded(&[0, 1, 0, 1, 255, 255, 2]), [0, 1, 1, 0, 255, 254, 0]);
        let text = b"bananas and bananas\0\xFF\xFF";
        assert_eq!(decoded(&move_to_front(text)), text);
    }
}
