//! CISO: a map of the blocks that are stored, and those blocks (formats/containers.md §8.3).

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

pub const MAGIC: &[u8] = b"CISO";

/// Bytes of the header, and how many blocks its map has.
const HEADER: u64 = 0x8000;
const BLOCKS: usize = 0x7FF8;
const LARGEST_BLOCK: u32 = 16 << 20;
/// What the size of a block is a multiple of.
const UNIT: u32 = 0x8000;

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let window = Window::read(source, 0..HEADER)?;
    let (block, map) = window.parse(0..HEADER, Endian::Little, header)?;
    if block == 0 || block > LARGEST_BLOCK || block % UNIT != 0 {
        let message = format!("invalid block size {block}. It must be a multiple of {UNIT} up to {LARGEST_BLOCK}");
        return Err(Trouble::new(&codes::TABLE, 4, message));
    }
    let disc = Ciso::new(source.clone(), u64::from(block), map);
    held(Arc::new(disc), Form, cx)
}

/// The size of a block, and of each whether it is stored.
fn header(r: &mut FieldReader<'_>) -> Result<(u32, Vec<bool>), Fault> {
    r.tag::<4>("Magic")?;
    let block = r.u32("Block size")?;
    let map = r.bytes("Block map", "u8[32760]", BLOCKS, Value::Raw)?;
    Ok((block, map.iter().map(|byte| *byte == 1).collect()))
}

struct Ciso {
    image: Source,
    block: u64,
    /// Where each block begins in the image; `None` for zeros.
    places: Vec<Option<u64>>,
    size: u64,
}

impl Ciso {
    fn new(image: Source, block: u64, map: Vec<bool>) -> Self {
        let mut at = HEADER;
        let place = |is_stored: bool| {
            let place = at;
            at = at.saturating_add(if is_stored { block } else { 0 });
            is_stored.then_some(place)
        };
        let places: Vec<Option<u64>> = map.into_iter().map(place).collect();
        let last = places.iter().rposition(Option::is_some).map_or(0, |last| (last as u64).saturating_add(1));
        // A disc may end in zeros.
        let size = DISC.max(last.saturating_mul(block)).min((places.len() as u64).saturating_mul(block));
        Self { image, block, places, size }
    }
}

impl Runs for Ciso {
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
        let place = usize::try_from(number).ok().and_then(|number| *self.places.get(number)?);
        Run { at: place.map(|place| place.saturating_add(inside)), size }
    }
}

struct Form;

impl Wrapper for Form {
    fn fields(&self, file: &Source) -> Vec<Field> {
        let Ok(window) = Window::read(file, 0..HEADER) else { return Vec::new() };
        let mut fields = window.fields(Endian::Little, header);
        let size = (file.len() as u64).saturating_sub(HEADER);
        fields.push(Field::new("Blocks", format!("u8[{size}]"), Value::Opaque(IMAGE), HEADER, size));
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::containers::flat::{Flat, bytes};

    #[test]
    fn stored_blocks_follow_each_other_and_others_are_zeros() {
        let mut image = vec![0; HEADER as usize];
        image.extend([1; 0x8000]);
        image.extend([2; 0x8000]);
        let mut map = vec![false; BLOCKS];
        (map[1], map[3]) = (true, true);
        let disc = Ciso::new(Source::new(image), 0x8000, map);
        assert_eq!(bytes(&disc, 0x7FFF..0x8001).unwrap(), [0, 1]);
        assert_eq!(bytes(&disc, 0xFFFF..0x1_0001).unwrap(), [1, 0]);
        assert_eq!(bytes(&disc, 0x1_7FFF..0x1_8001).unwrap(), [0, 2]);
        assert_eq!(bytes(&disc, 0x1_FFFF..0x2_0001).unwrap(), [2, 0]);
        assert_eq!(disc.size(), 0x7FF8 * 0x8000);
        assert!(bytes(&disc, disc.size() - 1..disc.size() + 1).is_err());
        // Blocks so large that the map has room for more than a disc.
        assert_eq!(Ciso::new(Source::new(Vec::new()), 2 << 20, vec![true; BLOCKS]).size(), BLOCKS as u64 * (2 << 20));
        assert_eq!(Ciso::new(Source::new(Vec::new()), 2 << 20, vec![false; BLOCKS]).size(), DISC);
    }
}
