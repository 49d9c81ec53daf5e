//! Where the time comes from.

use web_time::Instant;

/// Where the time comes from.
#[derive(Clone, Debug)]
pub enum Clock {
    Real(Instant),
    /// Seconds, set by a test.
    Set(f64),
}

impl Clock {
    /// Seconds since some moment.
    pub fn now_secs(&self) -> f64 {
        match self {
            Self::Real(start) => start.elapsed().as_secs_f64(),
            Self::Set(seconds) => *seconds,
        }
    }
}
