//! What an animation file says of a clip besides its keys.

use crate::{
    formats::actorx::{AnimInfo, Psa},
    scene::{Clip, ClipEnd, LoopMode},
};

/// Frames that a clip has in the file: its own, and where it does not loop the one that it ends on.
pub fn frames_of(clip: &Clip) -> u32 {
    let stops = !matches!(clip.default_loop, LoopMode::Loop);
    let ends_on_one_more = stops && !matches!(clip.end, ClipEnd::LastFrame);
    clip.frame_count.saturating_add(u32::from(ends_on_one_more)).max(1)
}

/// The sequence of a clip whose keys come next.
pub fn info(clip: &Clip, name: String, frames: u32, psa: &Psa) -> AnimInfo {
    let bones = psa.bones.len() as i32;
    let first_frame = psa.sequences.last().map_or(0, |s| s.first_raw_frame.saturating_add(s.raw_frames));
    AnimInfo {
        name,
        group: if clip.group.is_empty() { "None".to_owned() } else { clip.group.clone() },
        total_bones: bones,
        key_quotum: (frames as i32).saturating_mul(bones),
        track_time: frames as f32,
        rate_hz: clip.rate_hz,
        first_raw_frame: first_frame,
        raw_frames: frames as i32,
        ..AnimInfo::default()
    }
}
