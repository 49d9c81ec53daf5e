//! What clips take from sequences: their pace and their notifications.

use super::layout::AnimSeq;
use crate::scene::{Clip, Marker};

/// Frames a second; what plays at no speed or backwards is shown at a pace that can be seen.
pub fn rate_hz(sequence: &AnimSeq) -> f32 {
    let rate = sequence.rate.abs();
    let frames = sequence.frames.max(0) as f32;
    if Clip::is_rate(rate, frames) { rate.min(1000.0) } else { Clip::DEFAULT_RATE_HZ }
}

/// Notifications by frame.
pub fn markers(sequence: &AnimSeq) -> Vec<Marker> {
    let frames = sequence.frames.max(0) as f32;
    let marker =
        |n: &super::layout::Notify| Marker { frame: n.time.clamp(0.0, 1.0) * frames, name: n.function.to_string() };
    let timed = sequence.notifies.iter().filter(|n| n.time.is_finite());
    let mut markers: Vec<Marker> = timed.map(marker).collect();
    markers.sort_by(|a, b| a.frame.total_cmp(&b.frame));
    markers
}
