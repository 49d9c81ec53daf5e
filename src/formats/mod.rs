//! File formats: bytes become [`Document`]s.
//!
//! A format family is one folder with `parse` (bytes → the format's own structures), `to_scene` (structures → scene) and a list of its
//! formats. [`FORMATS`] joins these lists. Everything else (drop, tree, inspector, byte view, verify, damage tests, fuzzing, command line)
//! works from it.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects
    )
)]

#[cfg(feature = "actorx")]
pub mod actorx;
pub mod archive;
mod bounded;
mod capabilities;
#[cfg(feature = "charpipe")]
pub mod charpipe;
#[cfg(any(feature = "charpipe", feature = "j3d"))]
mod claims;
mod code;
pub mod compact;
pub mod containers;
pub mod coverage;
mod diagnostics;
mod document;
mod entry_path;
mod error;
pub mod field_reader;
mod fields;
pub mod file_name;
pub mod findings;
mod foreign;
#[cfg(any(feature = "charpipe", feature = "j3d"))]
pub mod gx;
pub mod image_file;
#[cfg(feature = "j3d")]
pub mod j3d;
mod line_ends;
pub mod lzss;
mod member;
mod outline;
pub mod paa;
pub mod picture;
mod read_budget;
mod reading;
mod resolver;
#[cfg(test)]
mod role_tests;
mod shared_text;
pub mod structure;
pub mod tracker;
#[cfg(feature = "unreal")]
pub mod unreal;
#[cfg(feature = "visitor")]
pub mod visitor;
pub mod wave;

pub use bounded::caught;
pub use capabilities::{Capabilities, EditorForms, Facts, Ground, Links, ProgramCode, Wholes};
pub use capabilities::{Hierarchy, HierarchyNode, NodeKind};
pub use capabilities::{SurfaceInfo, TextureHeader, TextureSampling};
pub use code::{BuiltInClass, ClassEntry, ClassList, ClassParent, Definition, Dependency, Import, Meaning, NamePlace};
pub use containers::ContainerDocument;
pub use diagnostics::{Code, Diagnostic, Diagnostics, Severity, common_codes};
#[cfg(feature = "actorx")]
pub use document::Native;
pub use document::{Asset, Base, ClipSize, Document, Followed, LoadContext, OpenContext, Purpose};
pub use document::{LoadOptions, RootConjugate};
pub use entry_path::{EntryPath, PathPart};
pub use error::{OpenError, OpenErrorKind, ReadError, ReadErrorKind};
pub use fields::{Children, Field, FieldTree, Reference, Table, Value};
pub use member::{Answer, Member, Shift, format_of};
pub use outline::NodeOutline;
pub use outline::{Content, Entry, EntryId, Outline, Role};
pub use reading::{Choice, NO_OVERRIDES, Overrides, Rival, Section, TerrainCard};
pub use resolver::{ANY_SIBLING, FileRequest, FoundFile, NoFiles, Resolver, relative_parts};
pub use shared_text::{SharedText, TextList, TextListBuilder};

use crate::bytes::Source;
use std::sync::LazyLock;

/// What a format is: data, not code.
#[derive(Debug)]
pub struct FormatInfo {
    /// Stable id, used in JSON: `psk`.
    pub id: &'static str,
    /// For people: `ActorX mesh`.
    pub name: &'static str,
    /// The formats that it is one of, for people, in the plural: `ActorX meshes and animations`.
    pub family: &'static str,
    /// Lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Extensions of the files that belong to one of this format and are looked for beside it: a mesh's animations.
    pub companions: &'static [&'static str],
    /// What this family may leave opaque, with the reason (CLI.md, `verify`).
    pub opaque: &'static [(&'static str, &'static str)],
    /// Every diagnostic code that the format can report.
    pub codes: &'static [&'static Code],
    /// Metres in a unit of its models and levels; 1 if its unit is unknown.
    pub metres: f32,
}

/// Metres in a unit of Unreal Engine 1: 52.5 units are a metre.
pub const METRES_PER_UNREAL_UNIT: f32 = 1.0 / 52.5;

/// How sure a format is that a file is its own; the highest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Score {
    /// The file is not of this format.
    No,
    /// Nothing but the file's name says so.
    Name,
    /// The content looks like it.
    Likely,
    /// The content says so.
    Certain,
}

/// What is known of a file besides its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint<'a> {
    /// File name with its extension; may be empty.
    pub file_name: &'a str,
}

impl Hint<'_> {
    /// The lower-case extension, without the dot.
    pub fn extension(&self) -> String {
        self.file_name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase()).unwrap_or_default()
    }
}

/// One kind of file.
pub trait Format: Sync {
    /// Returns the description of the format.
    fn info(&self) -> &'static FormatInfo;

    /// By content first, extension last. `head` is the start of the file (at least 64 bytes where the file has them).
    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score;

    /// As [`Format::score`], by what lies anywhere in the file: for formats that their start does not tell. `sure` is what the start
    /// says of others.
    fn score_whole(&self, source: &Source, hint: &Hint<'_>, sure: Score) -> Score {
        let _ = (source, hint, sure);
        Score::No
    }

    /// Whether its files stand beside others that refer to them: a folder that holds others too is not searched for them.
    fn stands_beside_others(&self) -> bool {
        false
    }

    /// Whether it reads the parts of a file that it needs ([`Source::slice`], [`Source::part`]), so that large files stay on the disk;
    /// others get all bytes in memory.
    fn reads_parts(&self) -> bool {
        false
    }

    /// Whether its documents are containers, whose members are files of their own ([`Capabilities::container`]).
    fn holds_files(&self) -> bool {
        false
    }

    /// Whether its files state the sizes of all their parts, so that a byte too many or too few shows.
    fn states_sizes(&self) -> bool {
        false
    }

    /// Reads the tables of a file. A partly damaged file is a document with diagnostics, not an error.
    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError>;
}

/// Every format. If several are equally sure of a file, the first one reads it.
pub static FORMATS: LazyLock<Vec<&'static dyn Format>> = LazyLock::new(|| {
    let families: &[&[&dyn Format]] = &[
        #[cfg(feature = "actorx")]
        actorx::FORMATS,
        #[cfg(feature = "unreal")]
        unreal::FORMATS,
        #[cfg(feature = "j3d")]
        j3d::FORMATS,
        #[cfg(feature = "charpipe")]
        charpipe::FORMATS,
        #[cfg(feature = "visitor")]
        visitor::FORMATS,
        ARCHIVES_AND_IMAGES,
    ];
    families.concat()
});

/// Formats that every program with this library reads.
static ARCHIVES_AND_IMAGES: &[&dyn Format] = &[
    &archive::YAZ0,
    &archive::YAY0,
    &archive::RARC,
    &archive::U8,
    &containers::ContainerFormat(&containers::UMOD),
    &containers::ContainerFormat(&containers::UZ),
    &containers::ContainerFormat(&containers::UZ2),
    &containers::ContainerFormat(&containers::PBO),
    &containers::ContainerFormat(&containers::GCM),
    &containers::ContainerFormat(&containers::CISO),
    &containers::ContainerFormat(&containers::GCZ),
    &containers::ContainerFormat(&containers::TGC),
    &containers::ContainerFormat(&containers::WBFS),
    #[cfg(feature = "containers")]
    &containers::ContainerFormat(&containers::WIA),
    #[cfg(feature = "containers")]
    &containers::ContainerFormat(&containers::RVZ),
    &containers::ContainerFormat(&containers::ISO),
    &containers::ContainerFormat(&containers::CUE),
    #[cfg(feature = "containers")]
    &containers::ContainerFormat(&containers::SEVEN_ZIP),
    &containers::ContainerFormat(&containers::RAR),
    &containers::ContainerFormat(&containers::SPLIT),
    &image_file::ImageFileFormat(&image_file::PNG),
    &image_file::ImageFileFormat(&image_file::TGA),
    &image_file::ImageFileFormat(&image_file::BMP),
    &image_file::ImageFileFormat(&image_file::DDS),
    &paa::PaaFormat,
    // Last, because a Zip archive can follow any other file.
    #[cfg(feature = "containers")]
    &containers::ContainerFormat(&containers::ZIP),
];

/// The format that a file is in, by content first.
pub fn probe(head: &[u8], hint: &Hint<'_>) -> Option<&'static dyn Format> {
    let mut best: Option<(Score, &'static dyn Format)> = None;
    for format in FORMATS.iter() {
        let score = format.score(head, hint);
        if score > Score::No && best.is_none_or(|(b, _)| score > b) {
            best = Some((score, *format));
        }
    }
    best.map(|(_, format)| format)
}

/// As [`probe`], by what lies further on too: for files whose start says nothing certain.
pub fn probe_whole(source: &Source, hint: &Hint<'_>) -> Option<&'static dyn Format> {
    let head = source.slice(0, (HEAD as u64).min(source.len() as u64))?;
    let head = head.as_slice();
    let by_head = probe(head, hint);
    let sure = by_head.map_or(Score::No, |format| format.score(head, hint));
    let scores = FORMATS.iter().map(|format| (format.score_whole(source, hint, sure), *format));
    // What lies first in a container may be a file of any format: what is certain of the whole counts for more.
    let better = scores.filter(|(score, _)| *score > sure || *score == Score::Certain);
    let best = better.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, format)| format).or(by_head)
}

/// What a file is by its name alone: `ActorX mesh`. `File` where that says nothing.
pub fn class_by_name(name: &str) -> &'static str {
    let extension = Hint { file_name: name }.extension();
    let known = FORMATS.iter().find(|format| format.info().extensions.contains(&extension.as_str()));
    known.map_or("File", |format| format.info().name)
}

/// Bytes at the start of a file that tell its format, and what it is where no format takes it.
const HEAD: usize = 256;
const FOREIGN_HEAD: u64 = 8 << 10;

/// Opens bytes as whatever they are, within the budget that their number gives ([`Limits::budget`](crate::bytes::Limits::budget)). So
/// is what is asked of the document later.
///
/// # Errors
/// [`OpenError`] when no format takes them, or the one that does finds nothing to show.
pub fn open(source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
    let start = source.slice(0, FOREIGN_HEAD.min(source.len() as u64)).unwrap_or_else(|| source.clone());
    let start = start.as_slice();
    let head = start.get(..HEAD).unwrap_or(start);
    let hint = Hint { file_name: cx.file };
    match probe_whole(&source, &hint) {
        Some(format) => {
            // Known by its name alone, it may be something else altogether.
            let is_named = format.score(head, &hint).max(format.score_whole(&source, &hint, Score::No)) <= Score::Name;
            let kind = is_named.then(|| foreign::known_kind(start)).flatten();
            let empty = source.is_empty();
            let source = match format.reads_parts() {
                true => source,
                false => source.in_memory().map_err(|error| OpenError::new(cx.file, Source::read_failed(error)))?,
            };
            line_ends::open(format, source, cx).map_err(|error| match kind {
                Some(kind) if !empty => OpenError { message: format!("this is {kind}: {}", error.message), ..error },
                _ => error,
            })
        }
        None => Err(OpenError::unknown(cx.file, start)),
    }
}
