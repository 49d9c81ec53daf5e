//! Archives and the packings that they come in: RARC, U8, Yaz0, Yay0, in each other and with files of every other format in
//! them, shown as one tree (formats/j3d.md §10, §11).
//!
//! Bytes are counted within the nearest *space*: the file itself, or what a stream decompressed to
//! ([`Document::source_of`]).

mod build;
mod directory;
mod document;
pub mod encode;
mod info;
mod rarc;
mod stream;
mod u8_archive;
mod yaz0;

pub use document::ArchiveDocument;
pub use document::Kind;
pub use info::{COMPRESSED, PADDING, PAYLOAD};
pub use stream::{Method, StreamHeader};
pub use yaz0::{Decompressed, Stopped};

use info::OPAQUE;

use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score};
use crate::bytes::Source;

/// One kind of file that holds others.
pub struct ArchiveFormat {
    info: FormatInfo,
    kind: Kind,
}

macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident: $kind:expr, $id:literal, $text:literal, $extensions:expr;)*) => {
        $($(#[$doc])*
        pub static $name: ArchiveFormat = ArchiveFormat {
            info: FormatInfo {
                id: $id,
                name: $text,
                family: "archives",
                extensions: $extensions,
                companions: &[],
                opaque: OPAQUE,
                codes: info::CODES,
                metres: 1.0,
            },
            kind: $kind,
        };)*
    };
}

formats! {
    /// Files compressed with Yaz0.
    YAZ0: Kind::Stream(Method::Yaz0), "yaz0", "Yaz0 compressed file", &["szs", "yaz0"];
    /// Files compressed with Yay0.
    YAY0: Kind::Stream(Method::Yay0), "yay0", "Yay0 compressed file", &["szp", "yay0"];
    /// RARC archives.
    RARC: Kind::Rarc, "rarc", "RARC archive", &["arc", "rarc"];
    /// U8 archives.
    U8: Kind::U8, "u8", "U8 archive", &["u8"];
}

impl Format for ArchiveFormat {
    fn info(&self) -> &'static FormatInfo {
        match self.kind {
            Kind::Stream(Method::Yaz0) => &YAZ0.info,
            Kind::Stream(Method::Yay0) => &YAY0.info,
            Kind::Rarc => &RARC.info,
            Kind::U8 => &U8.info,
        }
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        match Kind::of(head) {
            Some(kind) if kind == self.kind => Score::Certain,
            // To say what it is.
            None if self.kind == Kind::Rarc && head.starts_with(b"CRAR") => Score::Likely,
            None if self.info.extensions.contains(&hint.extension().as_str()) => Score::Name,
            _ => Score::No,
        }
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        if Kind::of(source.as_slice()) != Some(self.kind) {
            let start = source.as_slice().get(..4).unwrap_or(source.as_slice());
            let what = match start {
                b"CRAR" => "“CRAR” archives of Nintendo 3DS games cannot be read".to_owned(),
                _ => format!("the file begins with “{}”", start.escape_ascii()),
            };
            return Err(OpenError::new(cx.file, format!("not a valid {}: {what}", self.info.name)));
        }
        Ok(Box::new(build::build(self.info(), source, cx)))
    }
}
