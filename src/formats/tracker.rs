//! Tracker music (Impulse Tracker, Scream Tracker 3, FastTracker 2, Amiga modules) for every family that holds it: told apart
//! by content, described, and rendered to samples.
//!
//! The library that plays it allocates by the counts it reads, so a module is laid out here first (`layout`) and weighed
//! (`weight`) before the library sees it.

mod amiga;
pub mod encode;
mod it;
mod layout;
mod render;
mod s3m;
mod weight;
mod xm;

pub use render::{RenderOptions, render};

use crate::{formats::wave, scene::Music};
use layout::Layout;
use std::sync::Arc;

/// A tracker's file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracker {
    It,
    S3m,
    Xm,
    Amiga,
}

/// Why music does not play: one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrackerError {
    #[error("cancelled")]
    Cancelled,
    #[error("{0}")]
    Unplayable(String),
}

impl From<crate::bytes::OutOfBytes> for TrackerError {
    fn from(error: crate::bytes::OutOfBytes) -> Self {
        Self::Unplayable(format!("the module is cut short {error}"))
    }
}

impl Tracker {
    /// The format that bytes are in, by content.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"IMPM") {
            Some(Self::It)
        } else if bytes.starts_with(b"Extended Module: ") {
            Some(Self::Xm)
        } else if bytes.get(44..48) == Some(b"SCRM") {
            Some(Self::S3m)
        } else {
            amiga::channels_of(bytes).map(|_| Self::Amiga)
        }
    }

    /// As people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::It => "IT",
            Self::S3m => "S3M",
            Self::Xm => "XM",
            Self::Amiga => "MOD",
        }
    }

    fn program(self) -> &'static str {
        match self {
            Self::It => "Impulse Tracker",
            Self::S3m => "Scream Tracker 3",
            Self::Xm => "FastTracker 2",
            Self::Amiga => "Amiga module",
        }
    }

    /// Of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::It => "it",
            Self::S3m => "s3m",
            Self::Xm => "xm",
            Self::Amiga => "mod",
        }
    }

    fn layout(self, bytes: &[u8]) -> Result<Layout, TrackerError> {
        match self {
            Self::It => it::layout(bytes),
            Self::S3m => s3m::layout(bytes),
            Self::Xm => xm::layout(bytes),
            Self::Amiga => amiga::layout(bytes),
        }
    }
}

/// Music from its bytes, whatever they are; nothing is rendered yet.
pub fn music(name: &str, bytes: Arc<[u8]>) -> Music {
    let mut music = Music {
        name: name.to_owned(),
        encoding: "",
        extension: "bin",
        bytes: bytes.clone(),
        plays: false,
        facts: Vec::new(),
        names: Vec::new(),
        problem: None,
    };
    let Some(tracker) = Tracker::sniff(&bytes) else {
        match wave::sniff(&bytes) {
            Some((encoding, extension)) => {
                (music.encoding, music.extension) = (encoding, extension);
                music.problem = Some(format!("{encoding} is not played here: export it as .{extension} to hear it"));
            }
            None if bytes.is_empty() => {
                music.problem = Some("It holds no music: packages of dedicated servers have it taken out".to_owned());
            }
            None => music.problem = Some("It is no music that is known: neither IT, S3M, XM nor MOD".to_owned()),
        }
        return music;
    };
    (music.encoding, music.extension) = (tracker.name(), tracker.extension());
    match tracker.layout(&bytes) {
        Ok(layout) => {
            music.facts = facts(tracker, &layout);
            music.problem = weight::check(&layout, bytes.len()).err().map(|e| e.to_string());
            music.names = layout.names;
        }
        Err(error) => music.problem = Some(error.to_string()),
    }
    music.plays = music.problem.is_none();
    music
}

fn facts(tracker: Tracker, layout: &Layout) -> Vec<(String, String)> {
    let mut facts = vec![("Format".to_owned(), format!("{} ({})", tracker.name(), tracker.program()))];
    let mut fact = |name: &str, value: String| {
        if !value.is_empty() {
            facts.push((name.to_owned(), value));
        }
    };
    fact("Title", layout.title.clone());
    fact("Made with", layout.made_with.clone());
    fact("Channels", layout.channels_used.to_string());
    let songs = layout.orders.split(|o| *o == 255).filter(|song| song.iter().any(|o| *o < 254)).count();
    if songs > 1 {
        fact("Songs", songs.to_string());
    }
    fact("Orders", layout.orders.iter().filter(|o| **o < 254).count().to_string());
    fact("Patterns", layout.patterns.len().to_string());
    if let Some(instruments) = layout.instruments {
        fact("Instruments", instruments.to_string());
    }
    fact("Samples", layout.samples.to_string());
    fact("Speed", format!("{} ticks a row, {} beats a minute", layout.speed, layout.tempo));
    fact("Message", layout.message.clone());
    facts
}

#[cfg(test)]
mod tests;
