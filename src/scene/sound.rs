use std::{ops::Range, sync::Arc};

/// A sound as a file keeps it, decoded where its encoding is known.
#[derive(Clone, Debug)]
pub struct Sound {
    /// Name of the sound, from the file or its object.
    pub name: String,
    /// The encoding by content: `WAV`, `Ogg`, `MP3`, `FLAC`; empty when nothing is known of it.
    pub encoding: &'static str,
    /// Extension of a file that holds [`Sound::bytes`], without the dot.
    pub extension: &'static str,
    /// As it lies in the file.
    pub bytes: Arc<[u8]>,
    /// `None` when it is not decoded; [`Sound::problem`] says why.
    pub pcm: Option<Arc<Pcm>>,
    /// Sample frames that repeat, in the file's order; each is non-empty and inside the sound.
    pub loops: Vec<Range<usize>>,
    /// Sample frames with a mark.
    pub cues: Vec<usize>,
    /// What else is to be said of it, as name and value, for people.
    pub facts: Vec<(String, String)>,
    /// One sentence: why it is not decoded, or what of it is missing.
    pub problem: Option<String>,
}

/// Decoded samples of 16 bits, channels interleaved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pcm {
    /// At least 1.
    pub channels: u16,
    /// Sample frames a second; at least 1.
    pub rate_hz: u32,
    /// Interleaved samples: `channels` of them for each sample frame.
    pub samples: Vec<i16>,
}

/// A piece of tracker music.
#[derive(Clone, Debug)]
pub struct Music {
    /// Name of the piece, from the file or its object.
    pub name: String,
    /// The format by content: `IT`, `S3M`, `XM`, `MOD`, or of a recording `Ogg`, `MP3`; empty when it is none of them.
    pub encoding: &'static str,
    /// Extension of a file that holds [`Music::bytes`], without the dot.
    pub extension: &'static str,
    /// The stored bytes, unchanged.
    pub bytes: Arc<[u8]>,
    /// Whether a player turns it into samples: [`Rendering`].
    pub plays: bool,
    /// Title, channels, patterns, samples … as name and value, for people.
    pub facts: Vec<(String, String)>,
    /// Names of its instruments and samples that are not empty; composers leave messages there.
    pub names: Vec<String>,
    /// One sentence: why it does not play.
    pub problem: Option<String>,
}

/// Music as it sounds.
#[derive(Clone, Debug)]
pub struct Rendering {
    /// The rendered samples.
    pub pcm: Arc<Pcm>,
    /// Where the player was, at each row that it played; ordered by frame.
    pub positions: Vec<MusicPosition>,
    /// Where it goes on from when it has come to its end, in sample frames; 0 when several songs follow each other.
    pub loop_start: usize,
    /// It was cut off at the longest time that is rendered.
    pub cut: bool,
}

/// A row of a pattern that starts to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MusicPosition {
    /// Sample frame at which it starts.
    pub frame: usize,
    /// Songs of one file follow each other; 0 is the first.
    pub song: u16,
    /// Place in the order list of the song.
    pub order: u16,
    /// Number of the pattern.
    pub pattern: u16,
    /// Row of the pattern.
    pub row: u16,
}

impl Pcm {
    /// Sample frames: samples of one channel.
    pub fn frames(&self) -> usize {
        self.samples.len().checked_div(usize::from(self.channels)).unwrap_or(0)
    }

    /// Length in seconds; 0 if the sample rate is 0.
    pub fn duration_secs(&self) -> f32 {
        if self.rate_hz > 0 { self.frames() as f32 / self.rate_hz as f32 } else { 0.0 }
    }

    /// Bytes that the samples take.
    pub fn weight(&self) -> u64 {
        (self.samples.len() as u64).saturating_mul(2)
    }
}

impl Rendering {
    /// The row that plays at a sample frame.
    pub fn position_at(&self, frame: usize) -> Option<&MusicPosition> {
        let after = self.positions.partition_point(|p| p.frame <= frame);
        self.positions.get(after.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_belongs_to_the_last_row_that_started() {
        let position = |frame, row| MusicPosition { frame, song: 0, order: 0, pattern: 0, row };
        let pcm = Arc::new(Pcm { channels: 2, rate_hz: 100, samples: vec![0; 60] });
        let rendering = Rendering { pcm, positions: vec![position(2, 0), position(10, 1)], loop_start: 0, cut: false };
        assert_eq!(rendering.pcm.frames(), 30);
        assert_eq!(rendering.position_at(1), None);
        assert_eq!(rendering.position_at(9).unwrap().row, 0);
        assert_eq!(rendering.position_at(10).unwrap().row, 1);
        assert_eq!(rendering.position_at(99).unwrap().row, 1);
    }
}
