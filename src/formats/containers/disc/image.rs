//! What every form of a disc image comes to: the disc that it holds, with its files (formats/containers.md §8).

use super::{
    file_list::{self, ENTRY, Entry, Place},
    system::{self, BOOT, Boot, Parts},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Field,
        containers::{
            contents::{Container, Contents, Reading, Trouble},
            flat::{self, Flat},
            window::Window,
        },
    },
};
use std::{ops::Range, sync::Arc};

/// Bytes of the discs that a GameCube takes.
pub const DISC: u64 = 0x5705_8000;

/// What an image has besides the disc.
pub trait Wrapper: Send + Sync {
    /// The fields of everything that is not the disc's own.
    fn fields(&self, file: &Source) -> Vec<Field>;

    /// Checks what is not looked at when it is opened.
    fn check(&self, file: &Source) -> Vec<Trouble> {
        let _ = file;
        Vec::new()
    }
}

/// A disc that is its own image.
pub struct Flatly;

impl Wrapper for Flatly {
    fn fields(&self, _: &Source) -> Vec<Field> {
        Vec::new()
    }
}

/// Where the parts of a disc are that its header leads to, where something else says so.
#[derive(Clone, Debug, Default)]
pub struct Moved {
    /// Where the header begins.
    pub header: u64,
    pub list: Range<u64>,
    pub program: Range<u64>,
    /// What is taken off the offset of a file, and what is added.
    pub less: u64,
    pub more: u64,
}

/// The files of a disc in an image that has it in another form.
pub fn held(disc: Arc<dyn Flat>, wrapper: impl Wrapper + 'static, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let space = flat::view(disc.clone());
    contents(&*disc, None, Some((space, disc.clone())), Box::new(wrapper), cx)
}

/// The files of a disc that lies in the file as it is, or moved.
pub fn plain(
    file: &Source,
    moved: Option<Moved>,
    wrapper: impl Wrapper + 'static,
    cx: &mut Reading<'_>,
) -> Result<Contents, Trouble> {
    contents(file, moved, None, Box::new(wrapper), cx)
}

fn contents(
    disc: &dyn Flat,
    moved: Option<Moved>,
    space: Option<(Source, Arc<dyn Flat>)>,
    wrapper: Box<dyn Wrapper>,
    cx: &mut Reading<'_>,
) -> Result<Contents, Trouble> {
    let start = moved.as_ref().map_or(0, |moved| moved.header);
    let range = start..start.saturating_add(BOOT);
    let window = Window::read(disc, range.clone())?;
    system::check(window.bytes())?;
    let boot = window.parse(range.clone(), Endian::Big, Boot::read)?;
    let (list, program, program_size, less, more) = match moved {
        Some(moved) => {
            let size = moved.program.end.saturating_sub(moved.program.start);
            (moved.list, moved.program.start, Some(size), moved.less, moved.more)
        }
        None => {
            let start = u64::from(boot.files);
            (start..start.saturating_add(u64::from(boot.files_size)), u64::from(boot.program), None, 0, 0)
        }
    };
    let is_file = space.is_none();
    let (space, image) = space.unzip();
    let place = Place { list: list.clone(), less, more, is_file };
    let found = file_list::read(disc, &place, cx)?;
    let mut items = found.items;
    let records = items.iter().map(|item| item.record.clone()).collect();
    // What is missing of the list was said.
    let list = list.start.min(disc.size())..list.end.min(disc.size());
    system::add(disc, &Parts { header: start, list, program, program_size }, &mut items, cx);
    let tables = Tables { boot, header: range, entries: found.entries, records, is_file, image, wrapper };
    Ok(Contents { items, space, may_share: true, container: Box::new(tables) })
}

struct Tables {
    boot: Boot,
    /// Where the header and the entries of the list of files are, in bytes of the disc.
    header: Range<u64>,
    entries: Range<u64>,
    records: Vec<Range<u64>>,
    /// The disc is in the file as it is.
    is_file: bool,
    /// The disc, where the image has it in another form.
    image: Option<Arc<dyn Flat>>,
    wrapper: Box<dyn Wrapper>,
}

impl Container for Tables {
    fn is_backed(&self, range: &Range<u64>, least: u64) -> bool {
        self.image.as_ref().is_none_or(|image| image.is_backed(range, least))
    }

    fn fields(&self, file: &Source) -> Vec<Field> {
        let mut fields = self.boot.said();
        fields.extend(self.wrapper.fields(file));
        if self.is_file {
            // Members have these bytes, those of the folder `sys`.
            fields.extend(tables(file, &self.header, &self.entries).into_iter().map(Field::mirrored));
        }
        fields
    }

    fn record(&self, index: usize, file: &Source) -> Vec<Field> {
        let range = self.records.get(index).filter(|range| !range.is_empty());
        let window = range.and_then(|range| Window::read(file, range.clone()).ok());
        window.map(|window| window.fields(Endian::Big, Entry::read)).unwrap_or_default()
    }

    fn check(&self, file: &Source) -> Vec<Trouble> {
        self.wrapper.check(file)
    }
}

fn tables(file: &Source, header: &Range<u64>, entries: &Range<u64>) -> Vec<Field> {
    let mut fields = Vec::new();
    if let Ok(window) = Window::read(file, header.clone()) {
        fields.extend(window.fields(Endian::Big, |r| r.group("Header", "Disc header", Boot::read)));
    }
    if let Ok(window) = Window::read(file, entries.clone()) {
        let count = entries.end.saturating_sub(entries.start) / ENTRY;
        fields.extend(
            window.fields(Endian::Big, |r| {
                r.table("Files", "File list", count, ENTRY, |r, _| Entry::read(r).map(|_| ()))
            }),
        );
    }
    fields
}
