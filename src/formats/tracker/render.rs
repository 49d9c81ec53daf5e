//! Music to samples.

use super::{
    kind::Tracker,
    layout::{self, TrackerError},
};
use crate::{
    bytes::Cancel,
    formats::caught,
    scene::{MusicPosition, Pcm, Rendering},
};
use std::sync::Arc;
use xmrs::{core::daw::timeline::TimelineEntry, prelude::Module};
use xmrsplayer::prelude::XmrsPlayer;

/// Frames between two looks at the cancel flag: far less than 100 ms of work.
const LOOK_EVERY: usize = 4096;

/// How music is rendered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderOptions {
    /// Sample frames a second.
    pub rate_hz: u32,
    /// Longer music is cut off.
    pub most_minutes: u32,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self { rate_hz: 48_000, most_minutes: 15 }
    }
}

/// Plays a module once from its start to its end, in stereo; further songs of the same file follow the first. `progress` is told the seconds that are done and how many there are.
///
/// # Errors
/// When the bytes are no module, it is damaged, or it would take more memory than its size justifies; when it was cancelled.
pub fn render(
    bytes: &[u8],
    options: RenderOptions,
    cancel: &Cancel,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Rendering, TrackerError> {
    let tracker = Tracker::sniff(bytes)
        .ok_or_else(|| TrackerError::Unplayable("the format is not IT, S3M, XM or MOD".to_owned()))?;
    layout::check(&tracker.layout(bytes)?, bytes.len())?;
    // The library reads what strangers wrote; a panic in it is no reason for one here.
    caught(|| play(tracker, bytes, options, cancel, progress))
        .unwrap_or_else(|reason| Err(TrackerError::Unplayable(format!("playback failed: {reason}"))))
}

fn play(
    tracker: Tracker,
    bytes: &[u8],
    options: RenderOptions,
    cancel: &Cancel,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Rendering, TrackerError> {
    let module = match tracker {
        Tracker::It => Module::load_it(bytes),
        Tracker::S3m => Module::load_s3m(bytes),
        Tracker::Xm => Module::load_xm(bytes),
        Tracker::Amiga => Module::load_mod(bytes),
    };
    let module =
        module.map_err(|e| TrackerError::Unplayable(format!("the {} file is damaged: {e}", tracker.name())))?;
    let rate_hz = options.rate_hz.max(1);
    let songs = module.timeline_map.entries.iter().map(|e| e.song).max().unwrap_or(0);
    let most = u64::from(rate_hz).saturating_mul(60).saturating_mul(u64::from(options.most_minutes));
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    // What the rows say; tempo that slides is not in it.
    let secs: f64 = module.timeline_map.entries.iter().map(row_secs).sum();
    let expected = ((secs.clamp(0.0, 86_400.0) * f64::from(rate_hz)) as usize).min(most);
    let mut samples: Vec<i16> = Vec::with_capacity(expected.saturating_mul(2));
    let mut positions: Vec<MusicPosition> = Vec::new();
    let mut frame = 0_usize;
    let seconds = |frames: usize| (frames as u64).checked_div(u64::from(rate_hz)).unwrap_or(0);
    'songs: for song in 0..=songs {
        let mut player = XmrsPlayer::new(&module, rate_hz, usize::from(song));
        player.set_max_loop_count(1);
        loop {
            if frame.is_multiple_of(LOOK_EVERY) {
                if cancel.is_cancelled() {
                    return Err(TrackerError::Cancelled);
                }
                progress(seconds(frame), seconds(expected.max(frame)));
            }
            if frame >= most {
                break 'songs;
            }
            let Some((left, right)) = player.sample(true) else { break };
            let at = MusicPosition {
                frame,
                song,
                order: number(player.get_current_table_index()),
                pattern: number(player.playing_pattern()),
                row: number(player.playing_row()),
            };
            let place = |p: &MusicPosition| (p.song, p.order, p.pattern, p.row);
            if positions.last().is_none_or(|last| place(last) != place(&at)) {
                positions.push(at);
            }
            samples.extend([left, right]);
            frame = frame.saturating_add(1);
        }
    }
    let loop_start = if songs == 0 { loop_start(&module, &positions) } else { 0 };
    let pcm = Arc::new(Pcm { channels: 2, rate_hz, samples });
    Ok(Rendering { pcm, positions, loop_start, cut: frame >= most })
}

/// How long a row lasts: two and a half seconds hold as many ticks as there are beats a minute.
fn row_secs(row: &TimelineEntry) -> f64 {
    f64::from(row.speed_at_row) * 2.5 / f64::from(row.bpm_at_row.max(1))
}

fn number(value: usize) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

/// Where the music goes on from after its end: the first time that the row played which it comes back to.
fn loop_start(module: &Module, positions: &[MusicPosition]) -> usize {
    let Some(tick) = module.song_loop_to else { return 0 };
    let Some(entry) = module.timeline_map.entries.iter().find(|e| e.song == 0 && e.tick == tick) else { return 0 };
    let same = |p: &&MusicPosition| u32::from(p.order) == entry.order_idx && u32::from(p.row) == entry.row_idx;
    positions.iter().find(same).map_or(0, |p| p.frame)
}
