//! The header of a disc, `boot.bin` (formats/containers.md §8.1).

use crate::{
    bytes::text,
    formats::{
        Field, Value,
        containers::{codes, contents::Trouble},
        field_reader::{Fault, FieldReader, enumerated},
    },
};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Endian, Source},
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
}
