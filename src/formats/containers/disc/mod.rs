//! GameCube discs, as they are and in the forms that images of them have: CISO, GCZ, TGC, WBFS, WIA, RVZ (formats/containers.md §8).
//!
//! Discs of a Wii are known, and are not read.

mod ciso;
mod file_list;
mod gcz;
mod image;
#[cfg(feature = "containers")]
mod rvz;
mod system;
mod tgc;
mod wbfs;

#[cfg(feature = "containers")]
pub use rvz::{RVZ, WIA, read as read_rvz};

use self::image::{Flatly, plain};
use crate::{
    bytes::Source,
    formats::{
        Hint, Score,
        containers::{
            codes,
            contents::{Contents, Reading, Trouble},
        },
    },
};

pub use self::{
    ciso::{MAGIC as CISO, read as read_ciso},
    gcz::{MAGIC as GCZ, read as read_gcz},
    tgc::{MAGIC as TGC, read as read_tgc},
    wbfs::{MAGIC as WBFS, read as read_wbfs},
};

/// The form that discs of a Wii U have, which is known and not read.
const NFS: &[u8] = b"EGGS";

/// What a disc's header is called where it is a file of its own: it begins as the disc does, and holds nothing.
const HEADER: &str = "boot.bin";

pub fn score_gcm(head: &[u8], hint: &Hint<'_>) -> Score {
    let is_header = hint.file_name.eq_ignore_ascii_case(HEADER);
    if !is_header && (system::is_disc(head) || head.starts_with(NFS)) { Score::Certain } else { Score::No }
}

/// Whether a file begins with a mark.
pub fn score(head: &[u8], mark: &[u8]) -> Score {
    if head.starts_with(mark) { Score::Certain } else { Score::No }
}

pub fn read_gcm(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    if source.slice(0, NFS.len() as u64).is_some_and(|start| start.as_slice() == NFS) {
        let message = "Wii discs in NFS files cannot be read";
        return Err(Trouble::new(&codes::UNSUPPORTED, 0, message));
    }
    plain(source, None, Flatly, cx)
}
