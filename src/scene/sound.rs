use std::sync::Arc;

/// A sound as a file keeps it, decoded where its encoding is known.
#[derive(Clone, Debug)]
pub struct Sound {
    pub name: String,
    /// The encoding by content: `WAV`, `Ogg`, `MP3`, `FLAC`; empty when nothing is known of it.
    pub encoding: &'static str,
    /// Extension of a file that holds [`Sound::bytes`], without the dot.
    pub extension: &'static str,
    /// As it lies in the file.
    pub bytes: Arc<[u8]>,
    /// `None` for an encoding that is named but not decoded.
    pub pcm: Option<Arc<Pcm>>,
    /// First and last sample frame of each loop.
    pub loops: Vec<(u32, u32)>,
    /// What else is to be said of it, as name and value, for people.
    pub facts: Vec<(String, String)>,
}

/// Samples, channels interleaved, in −1 … 1.
#[derive(Clone, Debug)]
pub struct Pcm {
    pub channels: u16,
    /// Sample frames a second.
    pub rate_hz: u32,
    pub samples: Vec<f32>,
}

/// A piece of tracker music.
#[derive(Clone, Debug)]
pub struct Music {
    pub name: String,
    /// The format by content: `IT`, `S3M`, `XM`, `MOD`; empty when it is none of them.
    pub encoding: &'static str,
    pub extension: &'static str,
    pub bytes: Arc<[u8]>,
    /// Title, channels, patterns, samples … as name and value, for people.
    pub facts: Vec<(String, String)>,
}

impl Pcm {
    /// Sample frames: samples of one channel.
    pub fn frames(&self) -> usize {
        self.samples.len().checked_div(usize::from(self.channels)).unwrap_or(0)
    }

    pub fn duration_secs(&self) -> f32 {
        if self.rate_hz > 0 { self.frames() as f32 / self.rate_hz as f32 } else { 0.0 }
    }
}
