//! Small modules written in each of the four formats, for samples and tests.

mod amiga;
mod it;
mod s3m;
mod tune;
mod xm;

pub use tune::{Tune, TuneEffect, TuneNote, Voice};

use super::Tracker;

/// A tune as a file of a tracker. Texts are cut to their fields; counts beyond what the format holds are left out.
pub fn encode(tune: &Tune, tracker: Tracker) -> Vec<u8> {
    match tracker {
        Tracker::It => it::encode(tune),
        Tracker::S3m => s3m::encode(tune),
        Tracker::Xm => xm::encode(tune),
        Tracker::Amiga => amiga::encode(tune),
    }
}
