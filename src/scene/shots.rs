//! Which pictures a moving picture is made of: moments of a clip, turns of the camera, or both.

use super::{ClipEnd, LoopMode, Player};
use std::f64::consts::TAU;

/// Seconds of a turn where nothing says how long it takes.
const USUAL_TURN_SECS: f64 = 6.0;
/// A turn with a clip takes as many whole rounds of the clip as last this long, in seconds.
const SHORTEST_TURN_SECS: f64 = 4.0;
/// Pictures a second of a turn, where the clip has fewer.
const TURN_RATE_HZ: f32 = 25.0;
/// Pictures a second of a clip, where it has more frames.
const MAX_OWN_RATE_HZ: f32 = 50.0;

/// How many pictures are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ShotRate {
    /// As many a second as the clip has frames, up to 50; at least 25 where the camera turns.
    #[default]
    Own,
    /// This many pictures a second.
    PerSecond(f32),
    /// This many pictures in total; 0 counts as 1.
    Count(u32),
}

/// Whether the camera goes around what it looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Turntable {
    /// The camera does not turn.
    #[default]
    Off,
    /// Once, in whole rounds of the clip; in six seconds without one.
    Usual,
    /// Once, in so many seconds.
    Secs(f32),
}

/// One picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shot {
    /// Seconds of playing from the start of the clip or of its range.
    pub secs: f32,
    /// How far the camera has turned about the vertical, in radians.
    pub turn: f32,
}

/// The pictures of a moving picture. Each is shown for the same time; after the last one comes the first again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shots {
    count: u32,
    length_secs: f64,
    clip: Option<Round>,
    turns: bool,
}

/// One time through the main clip of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Round {
    rate_hz: f32,
    secs: f64,
    /// When the last frame is shown, where that is no frame of the next round.
    last_secs: Option<f64>,
}

impl Shots {
    /// The pictures of what a player plays. Without a clip and without a turn it is one picture, shown for a second.
    pub fn new(player: &Player, turntable: Turntable, rate: ShotRate) -> Self {
        let clip = Round::of(player);
        let turns = turntable != Turntable::Off;
        let length_secs = match (turntable, clip) {
            (Turntable::Secs(secs), _) => f64::from(secs),
            (Turntable::Off, Some(round)) => round.secs,
            (Turntable::Usual, Some(round)) => round.secs * (SHORTEST_TURN_SECS / round.secs).ceil().max(1.0),
            (Turntable::Off, None) => 1.0,
            (Turntable::Usual, None) => USUAL_TURN_SECS,
        };
        let least = if turns { TURN_RATE_HZ } else { 1.0 };
        let own = clip.map_or(TURN_RATE_HZ, |round| round.rate_hz.clamp(least, MAX_OWN_RATE_HZ));
        let count = match rate {
            _ if clip.is_none() && !turns => 1,
            ShotRate::Count(count) => count.max(1),
            ShotRate::PerSecond(rate) => counted(length_secs, rate),
            ShotRate::Own => counted(length_secs, own),
        };
        Self { count, length_secs, clip, turns }
    }

    /// At least 1.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Seconds that all pictures together are shown.
    pub fn length_secs(&self) -> f64 {
        self.length_secs
    }

    /// Whether there is more than one moment to show.
    pub fn moves(&self) -> bool {
        self.clip.is_some() || self.turns
    }

    /// A picture by its number, from 0.
    pub fn shot(&self, number: u32) -> Shot {
        let part = f64::from(number) / f64::from(self.count);
        let played = part * self.length_secs;
        let secs = match self.clip {
            None => 0.0,
            Some(Round { secs, last_secs, .. }) if self.turns => {
                let within = if secs > 0.0 { played.rem_euclid(secs) } else { 0.0 };
                last_secs.map_or(within, |last| within.min(last))
            }
            // From the first frame to the last, both of which are shown.
            Some(Round { last_secs: Some(last), .. }) => {
                last * f64::from(number) / f64::from(self.count.saturating_sub(1).max(1))
            }
            Some(_) => played,
        };
        Shot { secs: secs as f32, turn: if self.turns { (part * TAU) as f32 } else { 0.0 } }
    }

    /// Returns all pictures in the order in which they are shown.
    pub fn iter(&self) -> impl Iterator<Item = Shot> + '_ {
        (0..self.count).map(|number| self.shot(number))
    }
}

/// Pictures in so many seconds.
fn counted(secs: f64, rate_hz: f32) -> u32 {
    (secs * f64::from(rate_hz)).round().clamp(1.0, f64::from(u32::MAX)) as u32
}

impl Round {
    /// `None` without a clip, and for one that shows a single moment.
    fn of(player: &Player) -> Option<Self> {
        let main = player.main()?;
        let (clip, rate_hz) = (&main.clip, main.rate_hz());
        // Frames from one end to the other; of a loop; from the first frame until the last one was shown.
        let (way, looped, shown) = match main.range() {
            Some(range) => (range.way(), range.way(), range.way() + 1.0),
            None => {
                let whole = match clip.end {
                    ClipEnd::LastFrame | ClipEnd::Duration => clip.frame_count as f32,
                    ClipEnd::Length(frames) => frames,
                };
                (clip.last_frame(), clip.loop_frames(), whole)
            }
        };
        let (frames, last) = match main.loop_mode() {
            LoopMode::Loop => (looped, None),
            LoopMode::PingPong | LoopMode::OnceForthAndBack => (way * 2.0, None),
            LoopMode::Once => (shown, Some(way)),
            // At the end itself it is back at the start.
            LoopMode::OnceReset => (shown, Some(way.min(looped - 0.001))),
        };
        if !(rate_hz > 0.0 && way > 0.0 && frames > 0.0 && frames.is_finite()) {
            return None;
        }
        let secs = |frames: f32| f64::from(frames) / f64::from(rate_hz);
        Some(Self { rate_hz, secs: secs(frames), last_secs: last.map(secs) })
    }
}

impl Player {
    /// The same player at a moment of a shot: after so many seconds of playing forwards from the start of the clip or its range.
    pub fn at_shot(&self, shot: Shot) -> Self {
        let mut player = self.clone();
        player.speed = 1.0;
        player.seek(player.range().map_or(0.0, |range| range.first()));
        player.play();
        player.advance(shot.secs);
        player.playing = false;
        player
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Binding, Clip};
    use std::sync::Arc;

    fn player(frame_count: u32, end: ClipEnd, mode: LoopMode) -> Player {
        let clip = Clip { frame_count, rate_hz: 10.0, end, blends_across_seam: true, ..Clip::default() };
        let mut player = Player::default();
        player.set_loop_mode(mode);
        player.set_clip(Arc::new(clip), Arc::new(Binding::default()));
        player
    }

    /// The frames that are shown, in hundredths.
    fn frames(player: &Player, shots: &Shots) -> Vec<i32> {
        shots.iter().map(|shot| (player.at_shot(shot).frame() * 100.0).round() as i32).collect()
    }

    #[test]
    fn a_loop_has_each_of_its_frames_once() {
        let player = player(5, ClipEnd::LastFrame, LoopMode::Loop);
        let shots = Shots::new(&player, Turntable::Off, ShotRate::Own);
        assert_eq!((shots.count(), shots.length_secs()), (5, 0.5));
        assert_eq!(frames(&player, &shots), [0, 100, 200, 300, 400]);
        let half = Shots::new(&player, Turntable::Off, ShotRate::Count(10));
        assert_eq!((half.length_secs(), frames(&player, &half)[9]), (0.5, 450), "between the last frame and the first");
        let fast = Shots::new(&player, Turntable::Off, ShotRate::PerSecond(50.0));
        assert_eq!((fast.count(), fast.length_secs()), (25, 0.5));
    }

    #[test]
    fn what_plays_once_shows_its_first_and_its_last_frame() {
        for mode in [LoopMode::Once, LoopMode::OnceReset] {
            let player = player(5, ClipEnd::LastFrame, mode);
            let shots = Shots::new(&player, Turntable::Off, ShotRate::Count(3));
            assert_eq!((shots.length_secs(), frames(&player, &shots)), (0.5, vec![0, 200, 400]), "{mode:?}");
            let one = Shots::new(&player, Turntable::Off, ShotRate::Count(1));
            assert_eq!(frames(&player, &one), [0]);
        }
    }

    #[test]
    fn forth_and_back_shows_no_end_twice() {
        for mode in [LoopMode::PingPong, LoopMode::OnceForthAndBack] {
            let player = player(3, ClipEnd::LastFrame, mode);
            let shots = Shots::new(&player, Turntable::Off, ShotRate::Own);
            assert_eq!((shots.length_secs(), frames(&player, &shots)), (0.4, vec![0, 100, 200, 100]), "{mode:?}");
        }
    }

    #[test]
    fn what_starts_over_at_its_end_shows_its_end_first() {
        let mut player = player(41, ClipEnd::LastFrame, LoopMode::OnceReset);
        player.set_range(10.0, 14.0);
        let shots = Shots::new(&player, Turntable::Off, ShotRate::Count(3));
        assert_eq!(frames(&player, &shots), [1_000, 1_200, 1_400]);
    }

    #[test]
    fn a_range_is_the_clip() {
        let mut player = player(41, ClipEnd::LastFrame, LoopMode::Loop);
        player.set_range(10.0, 14.0);
        player.speed = -2.0;
        player.seek(30.0);
        let shots = Shots::new(&player, Turntable::Off, ShotRate::Own);
        assert_eq!((shots.length_secs(), frames(&player, &shots)), (0.4, vec![1_000, 1_100, 1_200, 1_300]));
    }

    #[test]
    fn the_camera_turns_once_and_the_clip_goes_on() {
        let none = Player::default();
        let turn = Shots::new(&none, Turntable::Usual, ShotRate::Own);
        assert_eq!((turn.count(), turn.length_secs(), turn.moves()), (150, 6.0, true));
        let quarter = Shots::new(&none, Turntable::Secs(2.0), ShotRate::Count(4));
        let turns: Vec<i32> = quarter.iter().map(|shot| shot.turn.to_degrees().round() as i32).collect();
        assert_eq!((quarter.length_secs(), turns), (2.0, vec![0, 90, 180, 270]), "the end is the start");
        // Whole rounds of half a second.
        let looped = player(5, ClipEnd::LastFrame, LoopMode::Loop);
        let shots = Shots::new(&looped, Turntable::Usual, ShotRate::Own);
        assert_eq!((shots.count(), shots.length_secs()), (100, 4.0));
        let frame = |number| (looped.at_shot(shots.shot(number)).frame() * 100.0).round();
        assert_eq!([frame(0), frame(1), frame(12), frame(13)], [0.0, 40.0, 480.0, 20.0]);
        let once = player(5, ClipEnd::LastFrame, LoopMode::Once);
        let shots = Shots::new(&once, Turntable::Secs(1.0), ShotRate::Count(20));
        assert_eq!(frames(&once, &shots)[8..11], [400, 400, 0], "it waits on its last frame, then starts over");
    }

    #[test]
    fn what_stands_still_is_one_picture() {
        let still = [Player::default(), player(1, ClipEnd::LastFrame, LoopMode::Loop), {
            let mut player = player(5, ClipEnd::LastFrame, LoopMode::Loop);
            player.clear();
            player
        }];
        for player in still {
            let shots = Shots::new(&player, Turntable::Off, ShotRate::PerSecond(30.0));
            assert_eq!((shots.count(), shots.moves(), shots.shot(0)), (1, false, Shot::default()));
        }
        let endless = player(5, ClipEnd::Length(f32::INFINITY), LoopMode::Loop);
        assert_eq!(Shots::new(&endless, Turntable::Off, ShotRate::Own).count(), 1);
        let long = player(u32::MAX, ClipEnd::Duration, LoopMode::Loop);
        assert_eq!(Shots::new(&long, Turntable::Off, ShotRate::PerSecond(240.0)).count(), u32::MAX);
    }
}
