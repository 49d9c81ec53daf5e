//! Character-pipeline samples: Helix, a snail with a shiny shell, and its animations.

mod build;
mod moves;
mod pictures;
mod sheet;
mod shell;
mod snail;

use super::SampleFile;
use bonebox::formats::charpipe::encode::encode_anm;

pub fn files() -> Vec<SampleFile> {
    vec![
        SampleFile { name: "Helix.model", bytes: build::block() },
        SampleFile { name: "Helix.anm", bytes: encode_anm(&moves::bank()) },
    ]
}
