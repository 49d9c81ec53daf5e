//! What tests of made character-pipeline files share: files of every kind, models of any shape, and their poses in double
//! precision.

pub mod described;
pub mod files;

use super::open::{clip_in, model_in, open_whole};
use bonebox::{
    formats::{Content, EntryId},
    scene::{Clip, Model},
};
use std::sync::Arc;

/// The model of a whole file.
#[track_caller]
pub fn model(name: &str, bytes: &[u8]) -> Arc<Model> {
    model_in(open_whole(name, bytes).asset(EntryId::FILE))
}

/// The clips of a whole file.
#[track_caller]
pub fn clips(name: &str, bytes: &[u8]) -> Vec<Arc<Clip>> {
    let opened = open_whole(name, bytes);
    let clips = opened.document.outline().with_content(Content::Clip);
    clips.map(|entry| clip_in(opened.asset(entry.id))).collect()
}
