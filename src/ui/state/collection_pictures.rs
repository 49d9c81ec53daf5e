//! Small pictures of entries of the collection: which are wanted, and those that were made.

use crate::{
    formats::{Content, EntryId},
    library::collection::{Catalog, RowIndex},
    ui::state::thumbnails::{MadeThumbnails, ThumbnailState, Thumbnails},
};
use std::{collections::HashMap, path::PathBuf, sync::Arc};

/// Pictures that one piece of work makes.
const A_WORK: usize = 8;

/// Moments of a clip in its strip.
pub const STRIP_MOMENTS: u32 = 8;

/// What a picture is of: an entry of a file, by the file's content, so that a moved or copied file has its pictures already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PictureKey {
    /// The start of the SHA-1 of the file's bytes.
    pub digest: u64,
    /// Into its outline.
    pub entry: EntryId,
}

/// A picture to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct WantedPicture {
    pub key: PictureKey,
    pub path: PathBuf,
    pub content: Content,
    /// In the catalog that it was wanted in.
    pub row: RowIndex,
}

/// Some pictures to be made, and the catalog that their rows are in.
pub struct PictureWork {
    pub wanted: Vec<WantedPicture>,
    pub catalog: Arc<Catalog>,
    /// They are moments of clips side by side, and not single pictures.
    pub are_strips: bool,
}

/// Pictures that were made, or strips.
pub struct MadePictures {
    pub made: MadeThumbnails<PictureKey>,
    pub are_strips: bool,
}

/// The pictures of the collection.
#[derive(Default)]
pub struct CollectionPictures {
    made: Thumbnails<PictureKey>,
    wanted: HashMap<PictureKey, WantedPicture>,
    /// Moments of clips side by side in one picture: of those that the pointer was on.
    strips: Thumbnails<PictureKey>,
    /// The clip that the pointer is on, while its strip is not begun.
    wanted_strip: Option<WantedPicture>,
    /// They are shown in the place of rows.
    pub are_shown: bool,
}

/// The picture that an entry would have; `None` for what has none.
pub fn picture_of(catalog: &Catalog, row: RowIndex) -> Option<WantedPicture> {
    let of = catalog.row(row)?;
    let has_picture = matches!(
        of.content,
        Content::Model
            | Content::Clip
            | Content::Image
            | Content::Palette
            | Content::Sound
            | Content::Map
            | Content::Terrain
    );
    let file = catalog.file(of.file).filter(|_| has_picture)?;
    let key = PictureKey { digest: file.digest, entry: of.entry };
    Some(WantedPicture { key, path: file.path.clone(), content: of.content, row })
}

impl CollectionPictures {
    pub fn get(&self, key: PictureKey) -> Option<&ThumbnailState> {
        self.made.get(key)
    }

    /// The moments of a clip, [`STRIP_MOMENTS`] of equal width side by side.
    pub fn strip(&self, key: PictureKey) -> Option<&ThumbnailState> {
        self.strips.get(key)
    }

    /// Returns true if thumbnails are requested or being created.
    pub fn is_busy(&self) -> bool {
        self.made.is_busy() || self.wanted_strip.is_some() || self.strips.is_busy()
    }

    /// The pointer is on this clip: its moments are made next, and those of one that it left before are not.
    pub(crate) fn want_strip(&mut self, wanted: WantedPicture) {
        self.wanted_strip = Some(wanted).filter(|wanted| self.strips.get(wanted.key).is_none());
    }

    /// These are in sight: what of them is missing is made next, and nothing else.
    pub(crate) fn want(&mut self, wanted: Vec<WantedPicture>) {
        self.made.clock += 1;
        let now = self.made.clock;
        for picture in &wanted {
            if let Some((_, seen)) = self.made.known.get_mut(&picture.key) {
                *seen = now;
            }
        }
        self.wanted =
            wanted.into_iter().filter(|w| !self.made.known.contains_key(&w.key)).map(|w| (w.key, w)).collect();
        let mut queue: Vec<&WantedPicture> = self.wanted.values().collect();
        // Those of one file together: it is opened once.
        queue.sort_by_key(|wanted| wanted.row);
        self.made.queue = queue.into_iter().map(|wanted| wanted.key).collect();
    }

    /// Drops requests that were not started, because the rows of another index are different.
    pub(crate) fn forget_wanted(&mut self) {
        self.wanted.clear();
        self.made.queue.clear();
        self.wanted_strip = None;
    }

    /// The next pictures to be made, if none are being made.
    pub(in crate::ui) fn take_work(&mut self, catalog: &Arc<Catalog>) -> Option<PictureWork> {
        if self.made.running > 0 || self.strips.running > 0 {
            return None;
        }
        if let Some(wanted) = self.wanted_strip.take() {
            self.strips.put(wanted.key, ThumbnailState::Waiting);
            self.strips.running = 1;
            return Some(PictureWork { wanted: vec![wanted], catalog: catalog.clone(), are_strips: true });
        }
        if self.made.queue.is_empty() {
            return None;
        }
        let later = self.made.queue.split_off(self.made.queue.len().min(A_WORK));
        let now = std::mem::replace(&mut self.made.queue, later);
        let wanted: Vec<WantedPicture> = now.iter().filter_map(|key| self.wanted.remove(key)).collect();
        for picture in &wanted {
            self.made.put(picture.key, ThumbnailState::Waiting);
        }
        self.made.running = 1;
        Some(PictureWork { wanted, catalog: catalog.clone(), are_strips: false })
    }

    pub(crate) fn received(&mut self, pictures: MadePictures) {
        let kept = if pictures.are_strips { &mut self.strips } else { &mut self.made };
        kept.running = 0;
        for (key, result) in pictures.made {
            match result {
                Ok(thumbnail) => kept.put(key, ThumbnailState::Ready(thumbnail)),
                Err(Some(why)) => kept.put(key, ThumbnailState::None(why)),
                // Stopped: made when it is wanted again.
                Err(None) => kept.remove(key),
            }
        }
        kept.shrink();
    }
}
