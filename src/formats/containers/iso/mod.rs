//! CD images: ISO 9660 with Joliet and Rock Ridge names, and dumps of whole sectors of such a disc (formats/containers.md §9).
//!
//! A disc has up to three sets of names. Shown are those of Joliet where its root lists anything, else those of Rock Ridge, else the
//! plain ones, or those that a person wants; files lie at the same places by all of them.

mod descriptor;
mod fields;
mod raw;
mod record;
mod susp;
mod tree;

use self::{
    descriptor::{Descriptor, FIRST, MOST, SECTOR, Volume},
    raw::{Layout, RawSectors},
    record::Charset,
};
use crate::{
    bytes::{Endian, MemberLimits, Source},
    formats::{
        Choice, Field, Hint, Score, Value,
        containers::{
            codes,
            contents::{Container, Contents, Reading, Trouble},
            flat::{self, Flat},
            info::IMAGE,
            score::by_name,
            window::Window,
        },
    },
};
use std::{ops::Range, sync::Arc};
use tree::{Chosen, Tree};

pub const EXTENSIONS: &[&str] = &["iso", "mdf"];

/// Where the first descriptor of a disc is marked, and how discs are that have another file system.
const MARK: u64 = 0x8001;
const UDF: [&[u8]; 3] = [b"BEA01", b"NSR02", b"NSR03"];

/// Dumps of whole sectors are told by their start.
pub fn score_head(head: &[u8], hint: &Hint<'_>) -> Score {
    if head.starts_with(&raw::SYNC) { Score::Likely } else { by_name(hint, EXTENSIONS) }
}

pub fn score(source: &Source, _: &Hint<'_>, _: Score) -> Score {
    match Layout::of(source) {
        Some(_) => Score::Certain,
        None if is_udf(source) => Score::Likely,
        None => Score::No,
    }
}

fn is_udf(source: &Source) -> bool {
    UDF.iter().any(|mark| raw::has(source, MARK, mark))
}

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    read_image(source, true, cx)
}

/// As [`read`], of an image that is a part of what is open, or of another file.
///
/// # Errors
/// As [`read`].
pub fn read_part(image: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    read_image(image, false, cx)
}

fn read_image(source: &Source, is_whole: bool, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let Some(layout) = Layout::of(source) else {
        if is_udf(source) {
            let message = "discs that have only a UDF file system cannot be read";
            return Err(Trouble::new(&codes::UNSUPPORTED, MARK, message));
        }
        return Err(no_disc(source));
    };
    let disc: Arc<dyn Flat> = match layout {
        Layout::Data => Arc::new(source.clone()),
        Layout::Raw { size, skip } => Arc::new(RawSectors::new(source.clone(), size, skip)),
    };
    let is_file = is_whole && layout == Layout::Data;
    let descriptors = descriptors(&*disc, cx)?;
    let Chosen { tree, volume, found, choices } = tree::choose(&*disc, &descriptors, is_file, cx)?;
    for trouble in found.troubles {
        cx.report(trouble);
    }
    let records = found.items.iter().map(|item| item.record.clone()).collect();
    let (label, charset) = (volume.label.clone(), volume.charset);
    let tables = Tables { label, tree, charset, records, descriptors, choices, is_file, limits: *cx.limits };
    let space = (!is_file).then(|| flat::view(disc));
    Ok(Contents { items: found.items, space, may_share: true, container: Box::new(tables) })
}

/// What is said of a file that is called a disc and is none.
fn no_disc(source: &Source) -> Trouble {
    if (source.len() as u64) < MARK.saturating_add(5) {
        let message = format!(
            "the file has only {} bytes, but the first volume descriptor of a disc is at offset 32768",
            source.len()
        );
        return Trouble::new(&codes::TRUNCATED, source.len() as u64, message);
    }
    Trouble::new(&codes::TABLE, MARK, "the signature “CD001” is missing")
}

/// The descriptors, up to the last one or the first that cannot be read.
fn descriptors(disc: &dyn Flat, cx: &mut Reading<'_>) -> Result<Vec<Descriptor>, Trouble> {
    let mut descriptors = Vec::new();
    for sector in FIRST..FIRST.saturating_add(MOST) {
        let start = sector.saturating_mul(SECTOR);
        let range = start..start.saturating_add(SECTOR);
        let window = match Window::read(disc, range.clone()) {
            Ok(window) => window,
            Err(trouble) => {
                cx.report(trouble);
                break;
            }
        };
        match window.parse(range, Endian::Little, Descriptor::read) {
            Ok(mut descriptor) => {
                // What a window reads counts from its own start.
                descriptor.at = start;
                let is_last = descriptor.is_last();
                if let Some(odd) = descriptor.volume.as_ref().and_then(Volume::odd_block_size) {
                    let message = format!("unsupported block size {odd}. 2048 is used instead");
                    cx.report(Trouble::new(&codes::ODD, start.saturating_add(0x80), message));
                }
                descriptors.push(descriptor);
                if is_last {
                    return Ok(descriptors);
                }
            }
            Err(fault) => {
                cx.report(Trouble::new(&codes::TABLE, fault.offset, fault.message));
                break;
            }
        }
    }
    match descriptors.iter().any(|descriptor| descriptor.volume.is_some()) {
        true => Ok(descriptors),
        false => Err(Trouble::new(
            &codes::TABLE,
            FIRST.saturating_mul(SECTOR),
            "no volume descriptor with a root folder was found",
        )),
    }
}

struct Tables {
    label: String,
    /// The one that is shown.
    tree: Tree,
    charset: Charset,
    records: Vec<Range<u64>>,
    descriptors: Vec<Descriptor>,
    choices: Vec<Choice>,
    /// The disc is its own image.
    is_file: bool,
    limits: MemberLimits,
}

impl Container for Tables {
    fn fields(&self, file: &Source) -> Vec<Field> {
        let said = |name, text: &str| Field::new(name, "text", Value::Text(text.to_owned()), 0, 0).mirrored();
        let mut fields = vec![said("Disc", &self.label), said("Names", self.tree.name())];
        match self.is_file {
            true => fields.extend(fields::all(file, &self.descriptors, &self.limits)),
            false => {
                let size = file.len() as u64;
                fields.push(Field::new("Sectors", format!("u8[{size}]"), Value::Opaque(IMAGE), 0, size));
            }
        }
        fields
    }

    fn space_fields(&self, space: &Source) -> Vec<Field> {
        fields::all(space, &self.descriptors, &self.limits)
    }

    fn choices(&self) -> &[Choice] {
        &self.choices
    }

    fn record(&self, index: usize, file: &Source) -> Vec<Field> {
        let range = self.records.get(index).filter(|range| !range.is_empty());
        range.map(|range| fields::record(file, range.clone(), self.charset)).unwrap_or_default()
    }
}
