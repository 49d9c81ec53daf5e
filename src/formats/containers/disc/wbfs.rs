//! WBFS: a table of where each block of a disc is stored (formats/containers.md §8.3).

use super::image::{DISC, Wrapper, held};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Field, Value,
        containers::{
            codes,
            contents::{Contents, Reading, Trouble},
            flat::{Run, Runs},
            info::IMAGE,
            window::Window,
        },
        field_reader::{Fault, FieldReader},
    },
};
use std::sync::Arc;

pub const MAGIC: &[u8] = b"WBFS";

const HEADER: u64 = 12;
/// What the header of the disc has before the table.
const DISC_HEADER: usize = 0x100;
/// The bytes of a disc of two layers, which tables have room for.
const LARGEST: u64 = 143_432 * 2 * 0x8000;

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    // The first disc of the table follows the header.
    let window = Window::read(source, 0..HEADER.saturating_add(1))?;
    let header = window.parse(0..HEADER, Endian::Big, Header::read)?;
    let Header { sector, block } = header;
    if !(9..=15).contains(&sector) || !(15..=30).contains(&block) {
        let message = format!(
            "invalid sector size 2^{sector} or block size 2^{block}. Sectors have 2^9 to 2^15 bytes, blocks 2^15 to 2^30"
        );
        return Err(Trouble::new(&codes::TABLE, 8, message));
    }
    if window.bytes().last() != Some(&1) {
        return Err(Trouble::new(&codes::TABLE, HEADER, "the first slot of the disc table is empty"));
    }
    let table = header.table();
    if table.end > source.len() as u64 {
        let message = format!("the block table ends at offset {}, but the file ends at {}", table.end, source.len());
        return Err(Trouble::new(&codes::TABLE, table.start, message));
    }
    let window = Window::read(source, table.clone())?;
    let places = window.parse(table.clone(), Endian::Big, |r| places(r, header.count()))?;
    let disc = Wbfs::new(source.clone(), header.block_size(), places);
    held(Arc::new(disc), Form(header), cx)
}

#[derive(Clone, Copy)]
struct Header {
    /// Bits of the sizes.
    sector: u8,
    block: u8,
}

impl Header {
    fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        r.tag::<4>("Magic")?;
        r.u32("Sectors")?;
        let sector = r.u8("Sector size (log2)")?;
        let block = r.u8("Block size (log2)")?;
        r.u8("Version")?;
        r.pad(1)?;
        Ok(Self { sector, block })
    }

    fn block_size(self) -> u64 {
        1_u64.checked_shl(u32::from(self.block)).unwrap_or(0)
    }

    fn sector_size(self) -> u64 {
        1_u64.checked_shl(u32::from(self.sector)).unwrap_or(0)
    }

    /// Blocks of the table.
    fn count(self) -> u64 {
        LARGEST.checked_div(self.block_size()).unwrap_or(0).max(1)
    }

    /// Where the header of the disc and its table are.
    fn table(self) -> std::ops::Range<u64> {
        let start = self.sector_size();
        let size = (DISC_HEADER as u64).saturating_add(self.count().saturating_mul(2));
        start..start.saturating_add(size)
    }
}

/// Of each block, in which block of the image it is stored; 0 for zeros.
fn places(r: &mut FieldReader<'_>, count: u64) -> Result<Vec<u16>, Fault> {
    r.bytes("Disc header copy", "u8[256]", DISC_HEADER, Value::Raw)?;
    r.records("Blocks", "u16", count, 2, |r, _| r.u16("Block"))
}

struct Wbfs {
    image: Source,
    block: u64,
    places: Vec<u16>,
    size: u64,
}

impl Wbfs {
    fn new(image: Source, block: u64, places: Vec<u16>) -> Self {
        let last = places.iter().rposition(|place| *place != 0).map_or(0, |last| (last as u64).saturating_add(1));
        // A disc may end in zeros.
        let size = DISC.max(last.saturating_mul(block)).min((places.len() as u64).saturating_mul(block));
        Self { image, block, places, size }
    }
}

impl Runs for Wbfs {
    fn disc_size(&self) -> u64 {
        self.size
    }

    fn image(&self) -> &Source {
        &self.image
    }

    fn run(&self, offset: u64) -> Run {
        let (number, inside) =
            (offset.checked_div(self.block).unwrap_or(0), offset.checked_rem(self.block).unwrap_or(0));
        let size = self.block.saturating_sub(inside).min(self.size.saturating_sub(offset));
        let place = usize::try_from(number).ok().and_then(|number| self.places.get(number)).copied().unwrap_or(0);
        let at = (place != 0).then(|| u64::from(place).saturating_mul(self.block).saturating_add(inside));
        Run { at, size }
    }
}

struct Form(Header);

impl Wrapper for Form {
    fn fields(&self, file: &Source) -> Vec<Field> {
        let mut fields = Vec::new();
        if let Ok(window) = Window::read(file, 0..HEADER) {
            fields.extend(window.fields(Endian::Big, Header::read));
        }
        // One byte for each disc that there is room for.
        let size = self.0.sector_size().saturating_sub(HEADER);
        fields.push(Field::new("Discs", format!("u8[{size}]"), Value::Raw, HEADER, size));
        let table = self.0.table();
        if let Ok(window) = Window::read(file, table.clone()) {
            fields.extend(window.fields(Endian::Big, |r| places(r, self.0.count())));
        }
        let size = (file.len() as u64).saturating_sub(table.end);
        fields.push(Field::new("Stored blocks", format!("u8[{size}]"), Value::Opaque(IMAGE), table.end, size));
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::containers::flat::{Flat, bytes};

    #[test]
    fn blocks_lie_where_the_table_says() {
        let mut image = vec![0; 0x8000];
        image.extend([1; 0x8000]);
        image.extend([2; 0x8000]);
        let disc = Wbfs::new(Source::new(image), 0x8000, vec![2, 0, 1, 0]);
        assert_eq!(disc.size(), 4 * 0x8000);
        assert_eq!(bytes(&disc, 0x7FFF..0x8001).unwrap(), [2, 0]);
        assert_eq!(bytes(&disc, 0xFFFF..0x1_0001).unwrap(), [0, 1]);
        assert_eq!(bytes(&disc, 0x1_7FFF..0x2_0000).unwrap()[..2], [1, 0]);
        assert!(bytes(&disc, 0x1_FFFF..0x2_0001).is_err());
    }

    #[test]
    fn the_table_has_room_for_two_layers() {
        let header = Header { sector: 9, block: 21 };
        assert_eq!((header.count(), header.table()), (4482, 512..512 + 0x100 + 2 * 4482));
        assert_eq!(Header { sector: 15, block: 30 }.count(), 8);
    }
}
