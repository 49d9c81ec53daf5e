//! What of a level changes with time.

use super::MapMover;
use crate::scene::{FlipBook, Image, procedural::Procedural};
use std::sync::Arc;

/// A picture of a level that changes with time: the same for all surfaces that show it.
#[derive(Clone, Debug)]
pub struct LivePicture {
    /// The still that the models hold, known by its address: what the moment's picture is shown in place of.
    pub still: Arc<Image>,
    /// How the picture changes.
    pub kind: LiveKind,
}

/// How a picture of a level changes with time.
#[derive(Clone, Debug)]
pub enum LiveKind {
    /// Its first frame is the still.
    FlipBook(FlipBook),
    /// Fire, water, ice, wet pictures: of the size of the still.
    Computed(Arc<Procedural>),
}

impl LiveKind {
    /// Frames that are over before the level is first seen: the still is the one after them, and time goes on from it, see
    /// [`Simulation::in_level`](crate::scene::procedural::Simulation::in_level).
    pub fn first_frame(&self) -> u64 {
        match self {
            Self::FlipBook(_) => 0,
            Self::Computed(what) => what.first_frame(),
        }
    }
}

/// A moment of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapMoment {
    /// Time of the level.
    pub seconds: f64,
    /// Where each of [`super::Map::movers`] is on its way; those past the end are where they start.
    pub movers: Vec<f32>,
}

impl MapMoment {
    /// Where a mover is on its way.
    pub fn mover_position(&self, movers: &[MapMover], mover: u32) -> f32 {
        let start = || movers.get(mover as usize).map_or(0.0, |mover| mover.start as f32);
        self.movers.get(mover as usize).copied().unwrap_or_else(start)
    }

    /// Puts a mover at a place on its way; nothing where there is no such mover.
    pub fn set_mover(&mut self, movers: &[MapMover], mover: u32, position: f32) {
        let Some(index) = usize::try_from(mover).ok().filter(|index| *index < movers.len()) else { return };
        if self.movers.len() <= index {
            let starts = movers.iter().take(index.saturating_add(1)).map(|mover| mover.start as f32);
            let missing: Vec<f32> = starts.skip(self.movers.len()).collect();
            self.movers.extend(missing);
        }
        if let Some(slot) = self.movers.get_mut(index) {
            *slot = position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::MoverKey;

    #[test]
    fn movers_are_at_their_starts_until_they_are_moved() {
        let mover = |start| MapMover { keys: vec![MoverKey::default(); 3], start, seconds: 1.0, ..MapMover::default() };
        let movers = [mover(0), mover(2), mover(1)];
        let mut moment = MapMoment::default();
        assert_eq!([0, 1, 2, 3].map(|m| moment.mover_position(&movers, m)), [0.0, 2.0, 1.0, 0.0]);
        moment.set_mover(&movers, 1, 0.5);
        moment.set_mover(&movers, 9, 0.5);
        assert_eq!(moment.movers, [0.0, 0.5]);
        assert_eq!(moment.mover_position(&movers, 2), 1.0);
    }
}
