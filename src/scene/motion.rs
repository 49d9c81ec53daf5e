//! Where a clip takes a model, and what a camera has to see of it.

use super::{Aabb, Frame};
use glam::Vec3;

/// A way within so many times the model's size is seen whole; on a longer one the model would be a speck.
const COVERED: f32 = 6.0;

/// Of what the farthest joint moves, the joint that a camera follows moves at least this share.
const CARRIES: f32 = 0.5;

/// What a camera has to see of a model that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// The model at all moments, where its way is at most six times as long as it is large. Else a box that it fits into, where it
    /// is at the first moment.
    pub bounds: Aabb,
    /// The joint that the camera goes along with, where the way is longer: the one nearest to the root that carries the model.
    pub follows: Option<u32>,
}

/// Gathers the moments of a model that moves.
#[derive(Clone, Debug, Default)]
pub struct Moments {
    all: Option<Aabb>,
    first: Option<Aabb>,
    /// Diagonal of the largest box of a moment.
    largest: f32,
    /// Where each joint was.
    ways: Vec<Option<Aabb>>,
}

impl Moments {
    /// Adds a moment: the box of the model as it stands then, and its pose.
    pub fn add(&mut self, bounds: Aabb, frame: &Frame) {
        self.first.get_or_insert(bounds);
        self.all = Some(self.all.map_or(bounds, |all| all.union(bounds)));
        self.largest = self.largest.max(bounds.diagonal());
        self.ways.resize(frame.world_from_joint.len().max(self.ways.len()), None);
        for (way, joint) in self.ways.iter_mut().zip(&frame.world_from_joint) {
            let here = Aabb::of([Vec3::from(joint.translation)]);
            *way = match (*way, here) {
                (Some(way), Some(here)) => Some(way.union(here)),
                (way, here) => way.or(here),
            };
        }
    }

    /// `None` when there was no moment.
    pub fn motion(&self) -> Option<Motion> {
        let (all, first) = (self.all?, self.first?);
        let carrying = || {
            let lengths: Vec<f32> = self.ways.iter().map(|way| way.map_or(0.0, |way| way.diagonal())).collect();
            let farthest = lengths.iter().copied().fold(0.0, f32::max);
            lengths.iter().position(|length| *length >= farthest * CARRIES && farthest > 0.0)
        };
        let travels = all.diagonal() > self.largest * COVERED;
        let follows = carrying().filter(|_| travels).and_then(|joint| u32::try_from(joint).ok());
        Some(Motion { bounds: follows.map_or(all, |_| grown(first, self.largest)), follows })
    }
}

impl Frame {
    /// Where a joint is, in the model; `None` for one that is not there or nowhere.
    pub fn place_of(&self, joint: u32) -> Option<Vec3> {
        let place: Vec3 = self.world_from_joint.get(usize::try_from(joint).ok()?)?.translation.into();
        place.is_finite().then_some(place)
    }
}

/// A box with the same middle and at least this diagonal.
fn grown(bounds: Aabb, diagonal: f32) -> Aabb {
    let more = (diagonal - bounds.diagonal()).max(0.0) * 0.5 / 3.0_f32.sqrt();
    Aabb { min: bounds.min - more, max: bounds.max + more }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Affine3A;

    fn frame<const N: usize>(joints: [Affine3A; N]) -> Frame {
        let mut frame = Frame::default();
        frame.world_from_joint.extend(joints);
        frame
    }

    /// A model of half size 1 with a still root, a joint that carries it along x, and a hand that swings.
    fn moments(places: &[f32]) -> Moments {
        let mut moments = Moments::default();
        for (at, x) in places.iter().enumerate() {
            let carried = Vec3::new(*x, 0.0, 0.0);
            let hand = carried + Vec3::Y * if at % 2 == 0 { 1.0 } else { -1.0 };
            let joints = [Vec3::ZERO, carried, hand].map(Affine3A::from_translation);
            moments.add(Aabb { min: carried - 1.0, max: carried + 1.0 }, &frame(joints));
        }
        moments
    }

    #[test]
    fn a_short_way_is_covered_and_on_a_long_one_the_camera_goes_along() {
        let short = moments(&[0.0, 4.0, 8.0]).motion().unwrap();
        assert_eq!(short.follows, None);
        assert_eq!(short.bounds, Aabb { min: Vec3::splat(-1.0), max: Vec3::new(9.0, 1.0, 1.0) });
        // The box of a moment has a diagonal of 3.46: six of them are 20.8.
        let long = moments(&[5.0, 500.0, 1000.0]).motion().unwrap();
        assert_eq!(long.follows, Some(1), "neither the root, which stands, nor the hand");
        assert_eq!(long.bounds, Aabb { min: Vec3::new(4.0, -1.0, -1.0), max: Vec3::new(6.0, 1.0, 1.0) });
        assert_eq!(moments(&[]).motion(), None);
        assert_eq!(moments(&[3.0]).motion().unwrap().follows, None);
    }

    #[test]
    fn a_model_that_grows_on_its_way_fits_into_the_box() {
        let mut moments = moments(&[0.0, 100.0]);
        moments.add(Aabb { min: Vec3::splat(-2.0), max: Vec3::splat(2.0) }, &frame([Affine3A::IDENTITY; 3]));
        let motion = moments.motion().unwrap();
        assert_eq!((motion.follows, motion.bounds.center()), (Some(1), Vec3::ZERO));
        assert!((motion.bounds.diagonal() - 48.0_f32.sqrt()).abs() < 1e-4, "{motion:?}");
    }

    #[test]
    fn a_model_without_joints_is_covered_on_any_way() {
        let mut moments = Moments::default();
        for x in [0.0, 1000.0] {
            let place = Vec3::new(x, 0.0, 0.0);
            moments.add(Aabb { min: place, max: place + 1.0 }, &Frame::default());
        }
        let motion = moments.motion().unwrap();
        assert_eq!((motion.follows, motion.bounds.max.x), (None, 1001.0));
    }

    #[test]
    fn a_joint_that_is_not_there_has_no_place() {
        let frame = frame([Affine3A::from_translation(Vec3::NAN)]);
        assert_eq!((frame.place_of(0), frame.place_of(1)), (None, None));
    }
}
