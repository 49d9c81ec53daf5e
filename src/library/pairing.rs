//! Which clip fits which model, and why.

use super::OpenFile;
use crate::{
    formats::{Asset, Content, EntryId, LoadOptions},
    scene::{Binding, BindingOptions, Fit, Model},
};
use std::{
    collections::HashMap,
    sync::{Arc, atomic::AtomicBool},
};

/// Clips of a file held against a model.
#[derive(Clone)]
pub struct ClipFit {
    pub file: Arc<OpenFile>,
    /// All those that drive the same things, in file order.
    pub entries: Vec<EntryId>,
    /// Of the first of them that can be read.
    pub fit: Fit,
}

/// The clips of a file, in file order.
pub fn clip_entries(file: &OpenFile) -> Vec<EntryId> {
    file.entries_with(Content::Clip)
}

/// Holds files of clips against a model: the best first. Clips that lie in different entries (two animations of one package)
/// are held against it each for themselves, and those that fit alike are put together. Clips that cannot be read are left
/// out. Blocks: call it on a worker.
pub fn fits_of(files: &[Arc<OpenFile>], model: &Model, cancel: &AtomicBool) -> Vec<ClipFit> {
    let mut fits: Vec<ClipFit> = Vec::new();
    for file in files {
        let first = fits.len();
        for entries in groups_of(file) {
            let Some(fit) = fit_of(file, &entries, model, cancel) else { continue };
            match fits.iter_mut().skip(first).find(|known| known.fit == fit) {
                Some(known) => known.entries.extend(entries),
                None => fits.push(ClipFit { file: file.clone(), entries, fit }),
            }
        }
        fits.iter_mut().skip(first).for_each(|fit| fit.entries.sort_unstable());
    }
    fits.sort_by(|a, b| {
        let rank = |f: &Fit| (f.matched, f.matched_morphs);
        b.fit.share().total_cmp(&a.fit.share()).then_with(|| rank(&b.fit).cmp(&rank(&a.fit)))
    });
    fits
}

/// A file's clips by the entry that they lie in.
fn groups_of(file: &OpenFile) -> Vec<Vec<EntryId>> {
    let mut groups: Vec<Vec<EntryId>> = Vec::new();
    let mut group_of: HashMap<Option<EntryId>, usize> = HashMap::new();
    for entry in clip_entries(file) {
        let parent = file.entry(entry).and_then(|e| e.parent);
        let group = *group_of.entry(parent).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(entry);
    }
    groups
}

fn fit_of(file: &OpenFile, entries: &[EntryId], model: &Model, cancel: &AtomicBool) -> Option<Fit> {
    let clip = entries.iter().find_map(|entry| match file.load(*entry, LoadOptions::default(), cancel) {
        Ok(loaded) => match loaded.asset {
            Asset::Clip(clip) => Some(clip),
            _ => None,
        },
        Err(_) => None,
    })?;
    Some(Binding::new(&clip, model, BindingOptions::default()).fit)
}
