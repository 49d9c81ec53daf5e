//! Which clip fits which model, and why.

use super::OpenFile;
use crate::{
    formats::{Asset, Content, EntryId, LoadOptions},
    scene::{Binding, BindingOptions, Fit, Model},
};
use std::sync::{Arc, atomic::AtomicBool};

/// A file's clips held against a model.
#[derive(Clone)]
pub struct ClipFit {
    pub file: Arc<OpenFile>,
    pub entries: Vec<EntryId>,
    /// Of the file's first readable clip: the clips of one file drive the same joints.
    pub fit: Fit,
}

/// The clips of a file, in file order.
pub fn clip_entries(file: &OpenFile) -> Vec<EntryId> {
    file.entries_with(Content::Clip)
}

/// Holds files of clips against a model: the best first. Files without a readable clip are left out. Blocks: call it on a
/// worker.
pub fn fits_of(files: &[Arc<OpenFile>], model: &Model, cancel: &AtomicBool) -> Vec<ClipFit> {
    let mut fits: Vec<ClipFit> = files
        .iter()
        .filter_map(|file| {
            let entries = clip_entries(file);
            let clip = entries.iter().find_map(|entry| match file.load(*entry, LoadOptions::default(), cancel) {
                Ok(loaded) => match loaded.asset {
                    Asset::Clip(clip) => Some(clip),
                    _ => None,
                },
                Err(_) => None,
            })?;
            let fit = Binding::new(&clip, model, BindingOptions::default()).fit;
            Some(ClipFit { file: file.clone(), entries, fit })
        })
        .collect();
    fits.sort_by(|a, b| {
        let rank = |f: &Fit| (f.matched, f.matched_morphs);
        b.fit.share().total_cmp(&a.fit.share()).then_with(|| rank(&b.fit).cmp(&rank(&a.fit)))
    });
    fits
}
