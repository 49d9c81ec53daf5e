//! Files that hold other files: installers, archives, discs (formats/containers.md).
//!
//! A container is opened from its tables alone. Its members are files of their own: [`ContainerDocument::unpack`] gives the bytes
//! of one, and the library opens them at the container's path with the member's behind it. Archives of games whose members are
//! shown in the same tree are [`super::archive`].

mod blocks;
mod codes;
mod contents;
mod cue;
mod disc;
mod document;
pub mod encode;
mod flat;
mod gaps;
mod info;
mod iso;
mod joined;
#[cfg(feature = "containers")]
mod meter;
mod output;
mod paths;
mod pbo;
mod rows;
mod score;
#[cfg(feature = "containers")]
mod seven_zip;
#[cfg(feature = "containers")]
mod source_reader;
mod umod;
mod uz;
mod uz2;
mod walk;
mod window;
#[cfg(feature = "containers")]
mod zip;
mod zlib;

pub use codes::limit_code;
pub use contents::{Trouble, Unpacked};
pub use document::ContainerDocument;
pub use walk::{Walked, holds_files, walk};

use self::{
    contents::{Contents, Reading},
    score::{by_name, nothing_more},
};
use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score};
use crate::bytes::Source;

/// A format of files that hold others.
pub struct ContainerFormat(pub &'static Kind);

/// One kind of container.
pub struct Kind {
    info: FormatInfo,
    /// How sure it is by the start of a file and its name.
    head: fn(&[u8], &Hint<'_>) -> Score,
    /// How sure it is by what lies further on, and what the start says of others.
    whole: fn(&Source, &Hint<'_>, Score) -> Score,
    read: fn(&Source, &mut Reading<'_>) -> Result<Contents, Trouble>,
}

impl Format for ContainerFormat {
    fn info(&self) -> &'static FormatInfo {
        &self.0.info
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        (self.0.head)(head, hint)
    }

    fn score_whole(&self, source: &Source, hint: &Hint<'_>, sure: Score) -> Score {
        (self.0.whole)(source, hint, sure)
    }

    fn reads_parts(&self) -> bool {
        true
    }

    fn holds_files(&self) -> bool {
        true
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        let limits = cx.limits.members;
        let resolver = cx.resolver.clone();
        let mut reading = Reading::among((cx.file, source.len() as u64), &limits, &*resolver, cx.overrides);
        let contents = (self.0.read)(&source, &mut reading).map_err(|trouble| {
            // The message of a known format without a reader is whole.
            let message = if trouble.code.id == codes::UNSUPPORTED.id {
                trouble.message
            } else {
                format!("not a valid {} (error at offset {}): {}", self.0.info.name, trouble.offset, trouble.message)
            };
            OpenError::new(cx.file, message).with_code(trouble.code)
        })?;
        let troubles = reading.into_troubles();
        Ok(Box::new(ContainerDocument::new(&self.0.info, source, contents, troubles, cx)))
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $id:literal, $text:literal, $extensions:expr, $head:expr, $whole:expr, $read:expr;)*) => {
        $($(#[$doc])*
        pub static $name: Kind = Kind {
            info: FormatInfo {
                id: $id,
                name: $text,
                family: "containers",
                extensions: $extensions,
                companions: &[],
                opaque: info::OPAQUE,
                codes: codes::CODES,
                metres: 1.0,
            },
            head: $head,
            whole: $whole,
            read: $read,
        };)*
    };
}

kinds! {
    /// Installers of Unreal Engine games.
    UMOD: "umod", "Unreal installer", umod::EXTENSIONS, |_, hint| by_name(hint, umod::EXTENSIONS), umod::score, umod::read;
    /// Packages of Unreal Engine games, compressed for servers.
    UZ: "uz", "Compressed Unreal package", uz::EXTENSIONS, uz::score, uz::score_whole, uz::read;
    /// The same of later games.
    UZ2: "uz2", "Compressed Unreal Engine 2 package", uz2::EXTENSIONS, uz2::score, uz2::score_whole, uz2::read;
    /// Archives of Bohemia's games.
    PBO: "pbo", "Bohemia archive", pbo::EXTENSIONS, pbo::score, pbo::score_whole, pbo::read;
    /// GameCube discs as they are.
    GCM: "gcm", "GameCube disc", &["gcm"], disc::score_gcm, nothing_more, disc::read_gcm;
    /// GameCube discs without the blocks that are zeros.
    CISO: "ciso", "CISO disc image", &["ciso"], |head, _| disc::score(head, disc::CISO), nothing_more, disc::read_ciso;
    /// GameCube discs in compressed blocks.
    GCZ: "gcz", "GCZ disc image", &["gcz"], |head, _| disc::score(head, disc::GCZ), nothing_more, disc::read_gcz;
    /// GameCube discs that lie in others.
    TGC: "tgc", "TGC disc image", &["tgc"], |head, _| disc::score(head, disc::TGC), nothing_more, disc::read_tgc;
    /// GameCube discs in a table of blocks.
    WBFS: "wbfs", "WBFS disc image", &["wbfs"], |head, _| disc::score(head, disc::WBFS), nothing_more, disc::read_wbfs;
    /// GameCube discs in compressed groups.
    #[cfg(feature = "containers")]
    WIA: "wia", "WIA disc image", &["wia"], |head, _| disc::score(head, disc::WIA), nothing_more, disc::read_rvz;
    /// GameCube discs in compressed groups, without the noise that they are filled up with.
    #[cfg(feature = "containers")]
    RVZ: "rvz", "RVZ disc image", &["rvz"], |head, _| disc::score(head, disc::RVZ), nothing_more, disc::read_rvz;
    /// CD images.
    ISO: "iso", "CD image", iso::EXTENSIONS, iso::score_head, iso::score, iso::read;
    /// Texts that say which tracks of a CD lie where in which files.
    CUE: "cue", "Cue sheet", cue::EXTENSIONS, cue::score, nothing_more, cue::read;
    /// Zip archives.
    #[cfg(feature = "containers")]
    ZIP: "zip", "Zip archive", zip::EXTENSIONS, zip::by_head, zip::by_whole, zip::read;
    /// 7z archives.
    #[cfg(feature = "containers")]
    SEVEN_ZIP: "7z", "7z archive", seven_zip::EXTENSIONS, seven_zip::by_head, nothing_more, seven_zip::read;
    /// RAR archives are named, not read.
    RAR: "rar", "RAR archive", score::RAR, score::is_rar, nothing_more, score::rar;
    /// Archives in several files.
    SPLIT: "split", "Split archive part", score::PARTS, |_, hint| by_name(hint, score::PARTS), nothing_more, score::part;
}
