//! What a disc holds besides its files: the header, the loader, the program and the list of files, shown in a folder
//! `sys` (formats/containers.md §8.1).

use crate::{
    bytes::{Endian, text},
    formats::{
        Field, Value,
        containers::{
            codes,
            contents::{Item, Reading, Trouble},
            flat::Flat,
            window::Window,
        },
        field_reader::{Fault, FieldReader, enumerated},
    },
};
use std::ops::Range;

/// Bytes of it.
pub const BOOT: u64 = 0x440;

const GAME_CUBE: u32 = 0xC233_9F3D;
const WII: u32 = 0x5D1C_9EA3;
/// Where both are.
const WII_AT: usize = 0x18;
const GAME_CUBE_AT: usize = 0x1C;
/// Bytes of the title, zeros after it included.
const TITLE: usize = 0x3E0;

/// What the header says.
#[derive(Clone, Debug)]
pub struct Boot {
    /// Of the game, four letters, and of who made it, two.
    id: String,
    disc: u8,
    version: u8,
    title: String,
    /// Where the program and the list of files are, in bytes of the disc.
    pub program: u32,
    pub files: u32,
    pub files_size: u32,
}

/// Whether a disc begins with these bytes.
pub fn is_disc(head: &[u8]) -> bool {
    is_at(head, GAME_CUBE_AT, GAME_CUBE) || is_at(head, WII_AT, WII)
}

fn is_at(head: &[u8], at: usize, magic: u32) -> bool {
    head.get(at..).is_some_and(|rest| rest.starts_with(&magic.to_be_bytes()))
}

/// # Errors
/// When a disc that begins so is none of a GameCube.
pub fn check(head: &[u8]) -> Result<(), Trouble> {
    if is_at(head, WII_AT, WII) {
        let message = "Wii discs cannot be read because their partitions are encrypted";
        return Err(Trouble::new(&codes::UNSUPPORTED, WII_AT as u64, message));
    }
    if !is_at(head, GAME_CUBE_AT, GAME_CUBE) {
        let message = format!("not a GameCube disc: the signature {GAME_CUBE:08X} is missing");
        return Err(Trouble::new(&codes::TABLE, GAME_CUBE_AT as u64, message));
    }
    Ok(())
}

impl Boot {
    /// # Errors
    /// When it ends too early.
    pub fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        let game = r.text("Game", 4, text::shift_jis)?;
        let maker = r.text("Maker", 2, text::shift_jis)?;
        let disc = r.u8("Disc number")?;
        let version = r.u8("Version")?;
        r.u8("Audio streaming")?;
        r.u8("Audio buffer size")?;
        r.pad(14)?;
        let magic = |r: &mut FieldReader<'_>, name: &'static str, expected: u32| {
            let at = r.offset();
            let value = r.raw().u32()?;
            r.record(name, "u32", at, || enumerated(i64::from(value), (value == expected).then_some("yes")));
            Ok::<(), Fault>(())
        };
        magic(r, "Wii signature", WII)?;
        magic(r, "GameCube signature", GAME_CUBE)?;
        let title = |bytes: &[u8]| text::shift_jis(bytes.split(|byte| *byte == 0).next().unwrap_or_default());
        let title = r.text("Title", TITLE, title)?;
        r.u32("Debug monitor offset")?;
        r.u32("Debug monitor address")?;
        r.pad(24)?;
        let program = r.u32("Program offset")?;
        let files = r.u32("File list offset")?;
        let files_size = r.u32("File list size")?;
        r.u32("Maximum file list size")?;
        r.u32("User area offset")?;
        r.u32("User area size")?;
        r.pad(8)?;
        let id = format!("{game}{maker}");
        Ok(Self { id, disc, version, title, program, files, files_size })
    }

    /// What is said of the disc, as fields that have no bytes of their own.
    pub fn said(&self) -> Vec<Field> {
        let number = |number: u8| Value::UInt(u64::from(number));
        let said = [
            ("Title", Value::Text(self.title.trim_end().to_owned())),
            ("Game", Value::Text(self.id.clone())),
            ("Disc number", number(self.disc)),
            ("Version", number(self.version)),
        ];
        said.map(|(name, value)| Field::new(name, "disc header", value, 0, 0).mirrored()).to_vec()
    }
}

const FOLDER: &str = "sys";
/// Bytes of `bi2.bin`, which follows the header.
const SETTINGS: u64 = 0x2000;
/// Where the loader follows them, its header, and where its two sizes are in that.
const LOADER: u64 = BOOT + SETTINGS;
const LOADER_HEADER: u64 = 0x20;
const LOADER_SIZES: u64 = 0x14;
/// The header of a program: where its seven and eleven sections are, and the sizes of them.
const PROGRAM_HEADER: u64 = 0x100;
const SECTIONS: usize = 18;
const SECTION_SIZES: u64 = 0x90;
/// The memory of the machine, in bytes: no program is larger.
const MEMORY: u64 = 24 << 20;

/// Where those parts of a disc are that its header does not say the size of.
pub struct Parts {
    /// Where the header begins.
    pub header: u64,
    pub list: Range<u64>,
    pub program: u64,
    /// Where something else says so.
    pub program_size: Option<u64>,
}

/// Adds the folder and what is in it behind the files, whose names come first.
pub fn add(disc: &dyn Flat, parts: &Parts, items: &mut Vec<Item>, cx: &mut Reading<'_>) {
    let Parts { header, ref list, program, program_size } = *parts;
    let loader = header.saturating_add(LOADER);
    let settings = header.saturating_add(BOOT);
    let ranged = |start: u64, size: u64| start..start.saturating_add(size);
    let mut all = vec![
        ("boot.bin", ranged(header, BOOT)),
        ("bi2.bin", ranged(settings, SETTINGS)),
        ("apploader.img", ranged(loader, loader_size(disc, loader, cx))),
    ];
    if program != 0 {
        let size = program_size.unwrap_or_else(|| size_of_program(disc, program, cx));
        all.push(("main.dol", ranged(program, size)));
    }
    if !list.is_empty() {
        all.push(("fst.bin", list.clone()));
    }
    let folder = items.len();
    items.push(Item::folder(FOLDER, 0..0));
    items
        .extend(all.into_iter().map(|(name, stored)| Item { parent: Some(folder), ..Item::plain(name, 0..0, stored) }));
}

/// Numbers that lie one after the other; `None` where they are not there.
fn numbers<const N: usize>(disc: &dyn Flat, at: u64) -> Option<[u64; N]> {
    let range = at..at.saturating_add(4_u64.saturating_mul(N as u64));
    let window = Window::read(disc, range.clone()).ok()?;
    let read = window.parse(range, Endian::Big, |r| {
        let mut all = [0; N];
        for number in &mut all {
            *number = u64::from(r.raw().u32()?);
        }
        Ok(all)
    });
    read.ok()
}

fn loader_size(disc: &dyn Flat, at: u64, cx: &mut Reading<'_>) -> u64 {
    let [size, trailer] = numbers(disc, at.saturating_add(LOADER_SIZES)).unwrap_or_default();
    let size = size.saturating_add(trailer);
    bounded(LOADER_HEADER, LOADER_HEADER.saturating_add(size), "loader", at, cx)
}

/// Up to the end of the last section.
fn size_of_program(disc: &dyn Flat, at: u64, cx: &mut Reading<'_>) -> u64 {
    let starts = numbers::<SECTIONS>(disc, at).unwrap_or([0; SECTIONS]);
    let sizes = numbers::<SECTIONS>(disc, at.saturating_add(SECTION_SIZES)).unwrap_or([0; SECTIONS]);
    let sections = starts.into_iter().zip(sizes).filter(|(_, size)| *size > 0);
    let end = sections.map(|(start, size)| start.saturating_add(size)).fold(PROGRAM_HEADER, u64::max);
    bounded(PROGRAM_HEADER, end, "program", at, cx)
}

/// A size, or the least where it is larger than the machine's memory.
fn bounded(least: u64, size: u64, what: &str, at: u64, cx: &mut Reading<'_>) -> u64 {
    if size <= MEMORY {
        return size;
    }
    let message =
        format!("the {what} ({size} bytes) exceeds the memory of the console. Only the header of the {what} is listed");
    cx.report(Trouble::new(&codes::TABLE, at, message));
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Endian, MemberLimits, Source},
        formats::containers::window::Window,
    };

    #[test]
    fn the_header_says_what_its_bytes_do() {
        let mut bytes = vec![0; BOOT as usize];
        bytes[..8].copy_from_slice(b"GBBE01\x01\x02");
        bytes[0x1C..0x20].copy_from_slice(&[0xC2, 0x33, 0x9F, 0x3D]);
        bytes[0x20..0x26].copy_from_slice(&[0x83, 0x7B, 0x81, 0x5B, 0x83, 0x93]);
        for (at, value) in [(0x420, 1_u32), (0x424, 2), (0x428, 3)] {
            bytes[at..at + 4].copy_from_slice(&value.to_be_bytes());
        }
        assert!(is_disc(&bytes) && check(&bytes).is_ok());
        let window = Window::read(&Source::new(bytes.clone()), 0..BOOT).unwrap();
        let boot = window.parse(0..BOOT, Endian::Big, Boot::read).unwrap();
        assert_eq!((boot.program, boot.files, boot.files_size), (1, 2, 3));
        assert_eq!((boot.id.as_str(), boot.disc, boot.version, boot.title.as_str()), ("GBBE01", 1, 2, "ボーン"));
        let covered: u64 = window.fields(Endian::Big, Boot::read).iter().map(|field| field.size).sum();
        assert_eq!(covered, BOOT);
        bytes[0x18..0x1C].copy_from_slice(&[0x5D, 0x1C, 0x9E, 0xA3]);
        let refused = check(&bytes).unwrap_err();
        assert!(refused.code.id == "container.format-unsupported" && refused.message.starts_with("Wii discs"));
        assert!(check(&[]).is_err() && !is_disc(&bytes[..0x18]) && is_disc(&bytes[..0x1C]));
    }

    fn put(disc: &mut [u8], at: usize, value: u32) {
        disc[at..at + 4].copy_from_slice(&value.to_be_bytes());
    }

    fn sizes(disc: &[u8]) -> (Vec<(String, u64, u64)>, usize) {
        let limits = MemberLimits::default();
        let mut cx = Reading::new("a.gcm", &limits);
        let mut items = Vec::new();
        let parts = Parts { header: 0, list: 0x5000..0x5010, program: 0x4000, program_size: None };
        add(&Source::new(disc), &parts, &mut items, &mut cx);
        let said = |item: &Item| (item.name.clone(), item.stored[0].start, item.stored[0].end);
        (items[1..].iter().map(said).collect(), cx.into_troubles().len())
    }

    #[test]
    fn sizes_are_those_of_the_headers() {
        let mut disc = vec![0; 0x6000];
        put(&mut disc, 0x2440 + 0x14, 0x300);
        put(&mut disc, 0x2440 + 0x18, 0x40);
        // The second section of text ends last; one of no bytes does not count.
        for (section, start, size) in [(0, 0x100, 0x20), (1, 0x200, 0x80), (9, 0x120, 0x20), (17, 0xFFFF_FFFF, 0)] {
            put(&mut disc, 0x4000 + 4 * section, start);
            put(&mut disc, 0x4000 + 0x90 + 4 * section, size);
        }
        let expected = [
            ("boot.bin", 0, 0x440),
            ("bi2.bin", 0x440, 0x2440),
            ("apploader.img", 0x2440, 0x2440 + 0x360),
            ("main.dol", 0x4000, 0x4280),
            ("fst.bin", 0x5000, 0x5010),
        ];
        assert_eq!(sizes(&disc), (expected.map(|(name, start, end)| (name.to_owned(), start, end)).to_vec(), 0));
        put(&mut disc, 0x4090, 0xFFFF_FFFF);
        put(&mut disc, 0x2440 + 0x14, 0xFFFF_FFFF);
        let (found, troubles) = sizes(&disc);
        assert_eq!((found[2].2, found[3].2, troubles), (0x2460, 0x4100, 2));
        // Headers that are not there.
        assert_eq!(sizes(&disc[..0x2000]).0[3].2, 0x4100);
    }
}
