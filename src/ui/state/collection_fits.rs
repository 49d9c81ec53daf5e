//! Which clips of the collection fit a model, and which models a clip.

use crate::{
    bytes::Cancel,
    formats::{Content, EntryId, Role},
    library::collection::{Catalog, CatalogFit, ClipFits, FileIndex, RowIndex},
    ui::{command::InCollection, place::Place, state::collection_links::row_at},
};
use std::sync::Arc;

/// Clips, or models, that are listed.
const MAX_FITS: usize = 1_000;

/// A search for matches, and its results.
#[derive(Default)]
pub struct CollectionFits {
    /// The model or clip to match; `None` while search results are listed.
    pub of: Option<InCollection>,
    /// The work that looks for them.
    pub work: Option<u64>,
    /// Number of the search. Results of earlier ones are dropped.
    pub(crate) turn: u64,
    pub shown: Option<Arc<ShownFits>>,
    /// The model that was on the stage when it was asked for: the way back leads there.
    pub(crate) from: Option<Place>,
    /// The work that opens what is missing for it.
    pub(crate) opening: Option<u64>,
    /// A clip that is to play on a model once both are open.
    pub(crate) wanted: Option<WantedFit>,
}

/// The model or clip to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitsOf {
    Model(RowIndex),
    Clip(RowIndex),
}

/// The matches.
pub struct ShownFits {
    pub catalog: Arc<Catalog>,
    pub of: FitsOf,
    /// The best first.
    pub fits: Vec<CatalogFit>,
    /// There are more.
    pub is_cut: bool,
}

/// A clip and the model that it is to play on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WantedFit {
    pub model: InCollection,
    pub clip: InCollection,
}

impl CollectionFits {
    /// Changes whenever something else is asked.
    pub fn turn(&self) -> u64 {
        if self.of.is_some() { self.turn } else { 0 }
    }

    pub(crate) fn forget_wanted(&mut self) {
        self.wanted = None;
    }
}

impl FitsOf {
    /// The model or the clip.
    pub fn row(self) -> RowIndex {
        match self {
            Self::Model(row) | Self::Clip(row) => row,
        }
    }
}

/// Returns the model or clip to match for an entry. For a file, the first model in it, else the first clip.
pub fn fits_of(catalog: &Catalog, row: RowIndex) -> Option<FitsOf> {
    let of = catalog.row(row)?;
    match of.content {
        Content::Model => return Some(FitsOf::Model(row)),
        Content::Clip => return Some(FitsOf::Clip(row)),
        _ if of.entry != EntryId::FILE => return None,
        _ => {}
    }
    let rows = catalog.file(of.file)?.rows.clone().map(RowIndex);
    let mut clip = None;
    for row in rows {
        let Some(of) = catalog.row(row) else { continue };
        if of.role == Role::Model && of.content == Content::Model {
            return Some(FitsOf::Model(row));
        }
        if of.content == Content::Clip && clip.is_none() {
            clip = Some(FitsOf::Clip(row));
        }
    }
    clip
}

/// An entry as the window calls it.
pub(crate) fn named(catalog: &Catalog, row: RowIndex) -> Option<InCollection> {
    let of = catalog.row(row)?;
    let entry = (of.entry != EntryId::FILE).then(|| of.path.to_owned());
    Some(InCollection { path: catalog.file(of.file)?.path.clone(), entry })
}

impl ShownFits {
    /// Looks for what fits. Blocks: call it on a worker. `None` for what is not in the catalog.
    pub(crate) fn of(catalog: Arc<Catalog>, of: &InCollection, cancel: &Cancel) -> Option<Self> {
        let file = catalog.file_at(&of.path)?;
        let row = match &of.entry {
            Some(entry) => row_at(&catalog, file, entry)?,
            None => file_row(&catalog, file)?,
        };
        let of = fits_of(&catalog, row)?;
        let all = ClipFits::of(&catalog);
        let most = MAX_FITS.saturating_add(1);
        let mut fits = match of {
            FitsOf::Model(model) => all.clips_for(&catalog, model, most, cancel),
            FitsOf::Clip(clip) => all.models_for(&catalog, clip, most, cancel),
        };
        let is_cut = fits.len() > MAX_FITS;
        fits.truncate(MAX_FITS);
        Some(Self { catalog, of, fits, is_cut })
    }

    /// The clip of a rank and its model.
    pub(crate) fn wanted(&self, rank: usize) -> Option<WantedFit> {
        let found = self.fits.get(rank)?.row;
        let (model, clip) = match self.of {
            FitsOf::Model(model) => (model, found),
            FitsOf::Clip(clip) => (found, clip),
        };
        Some(WantedFit { model: named(&self.catalog, model)?, clip: named(&self.catalog, clip)? })
    }
}

fn file_row(catalog: &Catalog, file: FileIndex) -> Option<RowIndex> {
    catalog.row_of(file, EntryId::FILE)
}
