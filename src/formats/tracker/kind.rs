//! The trackers' file formats, and the music that they contain, before it is rendered.

use super::{
    amiga, it,
    layout::{self, Layout, TrackerError},
    s3m, xm,
};
use crate::{bytes::numbers::counted, formats::wave, scene::Music};
use std::sync::Arc;

/// A tracker's file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracker {
    /// Impulse Tracker, `.it`.
    It,
    /// Scream Tracker 3, `.s3m`.
    S3m,
    /// FastTracker 2, `.xm`.
    Xm,
    /// Amiga module, `.mod`.
    Amiga,
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

    /// Returns the name of the program that the format comes from; `Amiga module` for MOD, which has many.
    pub fn program(self) -> &'static str {
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

    /// What a module holds.
    pub(super) fn layout(self, bytes: &[u8]) -> Result<Layout, TrackerError> {
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
                music.problem = Some(format!(
                    "{encoding} cannot be played in Bonebox. Export the file as .{extension} to play it in another program"
                ));
            }
            None if bytes.is_empty() => {
                music.problem = Some("the music is empty: dedicated-server packages contain no music".to_owned());
            }
            None => music.problem = Some("unknown music format: not IT, S3M, XM or MOD".to_owned()),
        }
        return music;
    };
    (music.encoding, music.extension) = (tracker.name(), tracker.extension());
    match tracker.layout(&bytes) {
        Ok(layout) => {
            music.facts = facts(tracker, &layout);
            music.problem = layout::check(&layout, bytes.len()).err().map(|e| e.to_string());
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
    fact("Created with", layout.made_with.clone());
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
    fact("Speed", format!("{} per row, {} BPM", counted(layout.speed, "tick"), layout.tempo));
    fact("Message", layout.message.clone());
    facts
}
