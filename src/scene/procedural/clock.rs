//! Time in whole steps.

/// Steps that one call of [`StepClock::advance`] asks for at most: after a long pause a simulation goes on, it does not catch up.
const MOST_STEPS: u32 = 8;

/// Turns passing seconds into whole steps at a fixed rate.
#[derive(Clone, Debug)]
pub struct StepClock {
    /// Steps a second.
    pub rate_hz: f32,
    /// A part of a step that has passed already.
    carry: f32,
}

impl StepClock {
    pub fn new(rate_hz: f32) -> Self {
        Self { rate_hz, carry: 0.0 }
    }

    /// The number of steps that are due after so many seconds at so many times the speed.
    pub fn advance(&mut self, seconds: f32, speed: f32) -> u32 {
        let due = self.carry + seconds * speed * self.rate_hz;
        if !due.is_finite() || due < 0.0 {
            return 0;
        }
        let whole = due.floor();
        self.carry = due - whole;
        (whole as u32).min(MOST_STEPS)
    }

    /// Seconds until the next step at so many times the speed.
    pub fn wait_secs(&self, speed: f32) -> f32 {
        let rate = self.rate_hz * speed;
        if rate > 0.0 { ((1.0 - self.carry) / rate).clamp(0.0, 1.0) } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_at_the_rate_whatever_the_frame_rate() {
        for frames in [7, 30, 144] {
            let mut clock = StepClock::new(30.0);
            let steps: u32 = (0..frames * 10).map(|_| clock.advance(1.0 / frames as f32, 1.0)).sum();
            assert!((299..=300).contains(&steps), "{frames} frames a second gave {steps} steps in ten seconds");
        }
    }

    #[test]
    fn a_pause_is_not_caught_up_and_bad_times_are_nothing() {
        let mut clock = StepClock::new(30.0);
        assert_eq!(clock.advance(60.0, 1.0), MOST_STEPS);
        assert_eq!(clock.advance(f32::NAN, 1.0), 0);
        assert_eq!(clock.advance(-1.0, 1.0), 0);
        assert_eq!(clock.advance(1.0 / 30.0 + 1e-5, 1.0), 1);
    }
}
