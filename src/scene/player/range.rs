//! The stretch of the main clip that plays in the place of all of it.

use super::Player;
use crate::scene::{FrameRange, PlayerLayer};

impl Player {
    /// The stretch of the main layer that plays in the place of all of it; the others on the clock go along.
    pub fn range(&self) -> Option<FrameRange> {
        self.main().and_then(PlayerLayer::range)
    }

    /// Plays the stretch between two frames of the main layer alone; all of it where the stretch is all of its clip. A stretch
    /// that has no frame of the clip changes nothing.
    pub fn set_range(&mut self, from: f32, to: f32) {
        let Some(clip) = self.clip() else { return };
        let range = FrameRange::within(clip, from, to);
        let is_all = from.min(to) <= 0.0 && from.max(to) >= clip.last_frame();
        if range.is_some() || is_all && !from.is_nan() && !to.is_nan() {
            self.change_range(range);
        }
    }

    /// Begins the range at a frame; where that is past its end, the end is the clip's.
    pub fn set_range_first(&mut self, frame: f32) {
        let Some(main) = self.main() else { return };
        let last = main.last_frame();
        self.set_range(frame, if frame < last { last } else { main.clip.last_frame() });
    }

    /// Ends the range at a frame; where that is before its start, the start is the clip's.
    pub fn set_range_last(&mut self, frame: f32) {
        let Some(main) = self.main() else { return };
        let first = main.first_frame();
        self.set_range(if frame > first { first } else { 0.0 }, frame);
    }

    /// All of the clip plays again.
    pub fn clear_range(&mut self) {
        self.change_range(None);
    }

    fn change_range(&mut self, range: Option<FrameRange>) {
        let (playing, forwards) = (self.playing, self.speed >= 0.0);
        let Some(layer) = self.main_index().and_then(|main| self.layers.get_mut(main.as_usize())) else { return };
        layer.set_range(range);
        if playing && layer.is_outside() {
            layer.seek(if forwards { layer.first_frame() } else { layer.last_frame() });
        }
        self.follow_range();
    }

    /// The layer on the clock whose range the clock goes through.
    pub(super) fn ranged(&self) -> Option<&PlayerLayer> {
        self.main().filter(|main| !main.detached && main.range.is_some())
    }

    /// What goes along with a range shows what it shows at the same frame without one.
    pub(super) fn follow_range(&mut self) {
        let Some(secs) = self.ranged().map(|main| main.secs_at(main.frame().into())) else { return };
        if let Some(main) = self.main_index() {
            self.others_on_clock(main).for_each(|l| l.seek_secs(secs));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{frames, of_kind, player},
        *,
    };
    use crate::scene::{Clip, LayerIndex, LoopMode, TargetKind};
    use std::sync::Arc;

    /// A clip of 41 frames, 10 a second, with a range from 10 to 20, played from `start`.
    fn ranged(mode: LoopMode, speed: f32, start: f32) -> Player {
        let mut player = player(41, mode);
        player.speed = speed;
        player.set_range(10.0, 20.0);
        player.seek(start);
        player
    }

    #[test]
    fn a_range_is_played_in_every_mode_both_ways() {
        const ALL: [LoopMode; 5] =
            [LoopMode::Loop, LoopMode::PingPong, LoopMode::Once, LoopMode::OnceReset, LoopMode::OnceForthAndBack];
        // From frame 15, after 0.3, 0.8 and 1.8 seconds; and whether it still plays then.
        let forth =
            [[18.0, 13.0, 13.0], [18.0, 17.0, 13.0], [18.0, 20.0, 20.0], [18.0, 10.0, 10.0], [18.0, 17.0, 10.0]];
        let back = [[12.0, 17.0, 17.0], [12.0, 13.0, 17.0], [12.0, 10.0, 10.0], [12.0, 10.0, 10.0], [12.0, 10.0, 10.0]];
        for (speed, wanted) in [(1.0, forth), (-1.0, back)] {
            for (mode, wanted) in ALL.into_iter().zip(wanted) {
                let mut player = ranged(mode, speed, 15.0);
                let mut found = Vec::new();
                for secs in [0.3, 0.5, 1.0] {
                    player.advance(secs);
                    found.push((player.frame() * 100.0).round() / 100.0);
                }
                assert_eq!(found, wanted, "{mode:?} at {speed}");
                let goes_on = matches!(mode, LoopMode::Loop | LoopMode::PingPong);
                assert_eq!((player.playing, player.is_moving()), (goes_on, goes_on), "{mode:?} at {speed}");
                if !goes_on {
                    player.play();
                    let start = if speed > 0.0 { 10.0 } else { 20.0 };
                    assert_eq!((player.frame(), player.playing), (start, true), "{mode:?} at {speed} starts over");
                }
            }
        }
    }

    #[test]
    fn what_is_outside_of_the_range_can_be_looked_at_and_does_not_play() {
        for (speed, comes_in) in [(1.0, 11.0), (-1.0, 19.0)] {
            let mut player = ranged(LoopMode::Loop, speed, 30.0);
            assert_eq!(player.frame(), 30.0);
            player.advance(0.1);
            assert!((player.frame() - comes_in).abs() < 1e-4, "{}", player.frame());
            player.playing = false;
            player.seek(4.0);
            player.step(1);
            assert_eq!(player.frame(), 5.0);
            player.play();
            assert_eq!(player.frame(), if speed > 0.0 { 10.0 } else { 20.0 });
        }
        let mut player = ranged(LoopMode::Loop, 1.0, 20.0);
        assert_eq!(player.frame(), 20.0, "the end can be seen");
        player.step(1);
        assert_eq!(player.frame(), 10.0);
        player.step(-1);
        assert_eq!(player.frame(), 20.0);
    }

    #[test]
    fn ends_of_a_range_are_set_one_by_one() {
        let mut player = player(41, LoopMode::Loop);
        let ends = |player: &Player| player.range().map(|range| (range.first(), range.last()));
        player.set_range_first(12.0);
        assert_eq!(ends(&player), Some((12.0, 40.0)));
        assert_eq!(player.frame(), 12.0, "the current frame moves into the range");
        player.set_range_last(16.0);
        assert_eq!(ends(&player), Some((12.0, 16.0)));
        player.set_range_first(30.0);
        assert_eq!(ends(&player), Some((30.0, 40.0)), "a start after the end moves the end to the end of the clip");
        player.set_range_last(8.0);
        assert_eq!(ends(&player), Some((0.0, 8.0)));
        for (from, to) in [(f32::NAN, 4.0), (4.0, f32::NAN), (99.0, 120.0), (-9.0, -1.0)] {
            player.set_range(from, to);
            assert_eq!(ends(&player), Some((0.0, 8.0)), "{from} to {to} changes nothing");
        }
        player.set_range(-5.0, f32::INFINITY);
        assert_eq!(ends(&player), None, "all of it");
        player.set_range(3.0, 5.0);
        player.clear_range();
        assert_eq!(ends(&player), None);
    }

    #[test]
    fn a_range_without_room_stands_still() {
        let mut point = player(41, LoopMode::Loop);
        point.set_range(7.0, 7.0);
        point.advance(3.3);
        assert_eq!((point.frame(), point.is_moving()), (7.0, false));
        for frames in [0, 1] {
            for mode in [LoopMode::Loop, LoopMode::PingPong, LoopMode::Once, LoopMode::OnceReset] {
                let mut short = player(frames, mode);
                short.set_range(0.0, 9.0);
                short.set_range_first(0.0);
                short.set_range_last(5.0);
                short.play();
                short.advance(0.4);
                assert_eq!(
                    (short.range(), short.frame() < 1.0, short.is_moving()),
                    (None, true, false),
                    "{frames} {mode:?}"
                );
            }
        }
        Player::default().set_range(1.0, 2.0);
    }

    #[test]
    fn a_range_belongs_to_its_clip_and_others_go_along() {
        let mut player = Player::default();
        let walk = of_kind(TargetKind::Joints, 40);
        player.set_clip(walk.clone(), Arc::default());
        player.set_clip(of_kind(TargetKind::TextureSlots, 25), Arc::default());
        player.set_range(30.0, 36.0);
        player.play();
        assert_eq!(frames(&player), [30.0, 5.0]);
        player.advance(0.1);
        assert_eq!(frames(&player), [33.0, 8.0]);
        player.advance(0.2);
        assert_eq!(frames(&player), [33.0, 8.0], "as at frame 33 without a range");
        player.set_clip(walk, Arc::default());
        assert_eq!((frames(&player), player.range().is_some()), (vec![30.0, 5.0], true), "the same clip again");
        let shorter = Clip { frame_count: 34, ..(*of_kind(TargetKind::Joints, 34)).clone() };
        player.replace_clip(Arc::new(shorter), Arc::default());
        let range = player.range().unwrap();
        assert!(range.first() == 30.0 && range.last() < 34.0, "read anew, it is held inside: {range:?}");
        player.set_clip(of_kind(TargetKind::Joints, 20), Arc::default());
        assert_eq!((frames(&player), player.range()), (vec![0.0, 0.0], None), "another clip");
        player.set_range(2.0, 4.0);
        player.set_detached(LayerIndex(0), true);
        assert_eq!(player.range(), None);
    }
}
