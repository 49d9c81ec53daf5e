//! Sounds and music as files: as they are, or as a WAV.

use super::{ExportError, ExportJob, Share, wav::wav};
use crate::export::Notes;
use crate::{
    bytes::Cancel,
    formats::{
        Asset,
        tracker::{RenderOptions, TrackerError, render},
    },
    scene::{Music, Sound},
};

/// What is said of a sound or a piece of music whose bytes were taken out of the file.
pub const NO_SOUND: &str = "the file contains no sound data; packages for dedicated servers ship without sounds";
/// Message about a piece of music whose bytes were removed from the file.
pub const NO_MUSIC: &str = "the file contains no music data; packages for dedicated servers ship without music";

/// Bytes of one moment of rendered music: two channels of 16 bits.
const SAMPLE_FRAME: u64 = 4;

/// A file of its own, and the extension it should have.
pub struct OwnFile {
    /// Bytes of the file.
    pub bytes: Vec<u8>,
    /// The file's extension, without a dot.
    pub extension: &'static str,
}

/// A sound or a piece of music in its own encoding; `None` for everything else.
pub fn own_file(asset: &Asset) -> Option<OwnFile> {
    let (bytes, extension) = match asset {
        Asset::Sound(sound) => (&sound.bytes, sound.extension),
        Asset::Music(music) => (&music.bytes, music.extension),
        _ => return None,
    };
    Some(OwnFile { bytes: bytes.to_vec(), extension })
}

/// A sound as a WAV: one that is a WAV stays as it is.
pub fn wav_of_sound(sound: &Sound) -> Result<Vec<u8>, ExportError> {
    match &sound.pcm {
        _ if sound.encoding == "WAV" => Ok(sound.bytes.to_vec()),
        Some(pcm) => wav(pcm, &sound.loops),
        None => {
            let problem = sound.problem.as_deref().unwrap_or("it cannot be decoded");
            Err(ExportError::Unsupported(format!("“{}” cannot be exported as WAV: {problem}", sound.name)))
        }
    }
}

/// Music rendered from its start to its end, with the part that repeats.
///
/// # Errors
/// When it cannot be rendered, would be too long, or is cancelled.
pub fn wav_of_music(
    music: &Music,
    job: &ExportJob<'_>,
    share: &mut Share<'_>,
    notes: &mut Notes,
) -> Result<Vec<u8>, ExportError> {
    let options = RenderOptions::default();
    // How long it becomes is known when rendering starts, and again when it turns out to be longer.
    let (stop, mut too_long) = (Cancel::new(), None);
    let mut progress = |done: u64, total: u64| {
        let bytes = total.saturating_mul(u64::from(options.rate_hz)).saturating_mul(SAMPLE_FRAME);
        too_long = share.need(bytes).err();
        if too_long.is_some() || job.check().is_err() {
            stop.cancel();
        }
        (job.progress)(done, total.max(1), "seconds of music");
    };
    let rendered = render(&music.bytes, options, &stop, &mut progress);
    if let Some(error) = too_long {
        return Err(error);
    }
    let rendering = rendered.map_err(|error| match error {
        TrackerError::Cancelled => ExportError::Cancelled,
        error => ExportError::Unsupported(format!("“{}” cannot be rendered: {error}", music.name)),
    })?;
    if rendering.cut {
        notes.push(format!("the music was cut off after {} minutes", options.most_minutes));
    }
    let frames = rendering.pcm.frames();
    let repeats = (rendering.loop_start > 0 && rendering.loop_start < frames).then_some(rendering.loop_start..frames);
    wav(&rendering.pcm, repeats.as_slice())
}
