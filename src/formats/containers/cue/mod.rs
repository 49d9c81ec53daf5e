//! Cue sheets: texts that say which tracks of a CD lie where in which files beside them (formats/containers.md §9.6). Shown are the
//! files of the first track of data, and the tracks of audio.

mod sheet;

use self::sheet::{Mode, Named};
use super::{
    codes,
    contents::{Container, Contents, Item, Reading, Trouble, Unpacked, Unpacking},
    iso, joined,
    score::by_name,
};
use crate::{
    bytes::{Source, text},
    formats::{Choice, Field, FoundFile, Hint, Score, Value},
};
use std::{collections::HashMap, ops::Range};

pub const EXTENSIONS: &[&str] = &["cue"];

/// The largest sheet that is read, in bytes.
const LARGEST: u64 = 128 << 10;
/// What a sheet may begin with.
const KEYWORDS: [&str; 8] = ["FILE", "REM", "CATALOG", "CDTEXTFILE", "PERFORMER", "SONGWRITER", "TITLE", "TRACK"];
/// The folder of the tracks of audio.
const AUDIO: &str = "Audio tracks";

pub fn score(head: &[u8], hint: &Hint<'_>) -> Score {
    let start = text::decode(head);
    let keyword = sheet::parts(start.lines().next().unwrap_or_default()).0.to_ascii_uppercase();
    match by_name(hint, EXTENSIONS) {
        Score::Name if KEYWORDS.contains(&keyword.as_str()) => Score::Certain,
        score => score,
    }
}

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let size = source.len() as u64;
    if size > LARGEST {
        let message = format!("the file has {size} bytes. The limit for cue sheets is {LARGEST} bytes");
        return Err(Trouble::new(&codes::TABLE, 0, message));
    }
    let failed = |error| Trouble::new(&codes::TRUNCATED, 0, Source::read_failed(error));
    let files = sheet::read(source.in_memory().map_err(failed)?.as_slice(), cx);
    if files.iter().all(|file| file.tracks.is_empty()) {
        return Err(Trouble::new(&codes::TABLE, 0, "the cue sheet has no valid TRACK line after a FILE line"));
    }
    let mut disc = Disc::default();
    for file in &files {
        disc.add(file, cx);
    }
    Ok(disc.into_contents())
}

/// What was found of a disc.
#[derive(Default)]
struct Disc {
    data: Option<Contents>,
    /// Images of the first track of data, and of what else is listed, one after the other.
    parts: Vec<Source>,
    /// Each lies in a part; their order is the same.
    audio: Vec<Item>,
    /// A track of data was met, whether it could be read or not.
    has_data: bool,
    /// Files that were looked for, by their names in lower case.
    known: HashMap<String, Option<FoundFile>>,
    /// Bytes of them that are in memory: a packed member of a container is unpacked whole.
    in_memory: u64,
}

impl Disc {
    /// Adds the tracks of a file, where it is there.
    fn add(&mut self, file: &Named, cx: &mut Reading<'_>) {
        let name = file.name.escape_debug();
        let found = match self.known.get(&file.name.to_lowercase()) {
            Some(known) => known.clone(),
            None if self.in_memory > cx.limits.bytes => {
                let message = format!(
                    "“{name}” was not read because the previous files already use {} bytes of memory",
                    self.in_memory
                );
                return cx.report(Trouble::new(&codes::TOTAL, file.line.start, message));
            }
            None => self.find(&file.name, cx),
        };
        let Some(found) = found else {
            let message = format!("“{name}” was not found next to the cue sheet, or cannot be read");
            return cx.report(Trouble::new(&codes::MISSING, file.line.start, message));
        };
        match file.kind.as_str() {
            "BINARY" => {}
            "WAVE" | "MP3" | "AIFF" => {
                let size = found.source.len() as u64;
                return self.push(Item::plain(file.name.clone(), 0..0, 0..0), found.source, 0..size);
            }
            kind => {
                let message = format!("“{name}” has the unsupported type {}", kind.escape_debug());
                return cx.report(Trouble::new(&codes::METHOD, file.line.start, message));
            }
        }
        for (track, place) in file.places(found.source.len() as u64, cx) {
            let size = place.end.saturating_sub(place.start);
            match track.mode {
                Mode::Data(_) if !self.has_data => {
                    let Some(image) = found.source.slice(place.start, size) else { continue };
                    self.read_data(track.number, image, track.line.start, cx);
                }
                Mode::Data(_) => {}
                Mode::Audio => {
                    let item = Item {
                        name: sheet::name(track.number, size),
                        size: Some(size.saturating_add(sheet::HEADER)),
                        method: "CD audio",
                        ..Item::default()
                    };
                    self.push(item, found.source.clone(), place);
                }
            }
        }
    }

    fn find(&mut self, name: &str, cx: &Reading<'_>) -> Option<FoundFile> {
        let found = cx.resolver.find_beside(name);
        let in_memory = found.as_ref().filter(|found| !found.source.is_stored());
        self.in_memory = self.in_memory.saturating_add(in_memory.map_or(0, |found| found.source.len() as u64));
        self.known.insert(name.to_lowercase(), found.clone());
        found
    }

    fn read_data(&mut self, number: u32, image: Source, line: u64, cx: &mut Reading<'_>) {
        self.has_data = true;
        // What it says is of the disc: here stands where the sheet names it.
        let mut inner = Reading::among((cx.file, image.len() as u64), cx.limits, cx.resolver, cx.overrides);
        let read = iso::read_part(&image, &mut inner);
        for trouble in inner.into_troubles() {
            let message = format!("track {number}, at offset {} of the disc: {}", trouble.offset, trouble.message);
            cx.report(Trouble { offset: line, message, ..trouble });
        }
        match read {
            Ok(mut contents) => {
                self.parts.insert(0, contents.space.take().unwrap_or(image));
                self.data = Some(contents);
            }
            Err(trouble) => {
                let message = format!("data track {number} cannot be read: {}", trouble.message);
                cx.report(Trouble { offset: line, message, ..trouble });
            }
        }
    }

    fn push(&mut self, item: Item, file: Source, place: Range<u64>) {
        if let Some(part) = file.slice(place.start, place.end.saturating_sub(place.start)) {
            self.audio.push(item);
            self.parts.push(part);
        }
    }

    fn into_contents(self) -> Contents {
        let (mut items, container) = match self.data {
            Some(contents) => (contents.items, Some(contents.container)),
            None => (Vec::new(), None),
        };
        let first_audio = items.len();
        let skipped = usize::from(container.is_some());
        let mut at = self.parts.iter().take(skipped).map(|part| part.len() as u64).sum::<u64>();
        if !self.audio.is_empty() {
            items.push(Item::folder(AUDIO, 0..0));
        }
        for (item, part) in self.audio.into_iter().zip(self.parts.iter().skip(skipped)) {
            let place = at..at.saturating_add(part.len() as u64);
            at = place.end;
            let size = item.size.filter(|_| !item.is_plain).or(Some(part.len() as u64));
            items.push(Item { parent: Some(first_audio), stored: vec![place], size, ..item });
        }
        let space = joined::joined(self.parts);
        let container = Box::new(Sheet { disc: container, others: space.len() as u64 });
        Contents { items, space: Some(space), may_share: true, container }
    }
}

struct Sheet {
    /// The first track of data, which lies before the others.
    disc: Option<Box<dyn Container>>,
    /// Bytes of all tracks.
    others: u64,
}

impl Container for Sheet {
    fn others(&self) -> u64 {
        self.others
    }

    /// Of a track of audio: all others are stored as they are.
    fn unpack(&self, _: usize, stored: &Source, _: &Unpacking<'_>) -> Result<Unpacked, Trouble> {
        let header = Source::new(sheet::header(stored.len() as u64));
        Ok(Unpacked { source: joined::joined(vec![header, stored.clone()]), troubles: Vec::new() })
    }

    fn choices(&self) -> &[Choice] {
        self.disc.as_ref().map(|disc| disc.choices()).unwrap_or_default()
    }

    fn space_fields(&self, space: &Source) -> Vec<Field> {
        self.disc.as_ref().map(|disc| disc.space_fields(space)).unwrap_or_default()
    }

    fn fields(&self, file: &Source) -> Vec<Field> {
        let line = |(line, range): (&[u8], Range<u64>)| {
            let line = text::decode(line);
            let (keyword, rest) = sheet::parts(&line);
            let name = if keyword.is_empty() { "Empty line" } else { keyword };
            let size = range.end.saturating_sub(range.start);
            Field::new(name.to_owned(), "text", Value::Text(rest.to_owned()), range.start, size)
        };
        sheet::lines(file.as_slice()).map(line).collect()
    }

    fn record(&self, _: usize, _: &Source) -> Vec<Field> {
        Vec::new()
    }
}
