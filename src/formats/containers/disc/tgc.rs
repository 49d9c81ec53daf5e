//! TGC: a disc whose parts were moved, as it lies inside other discs (formats/containers.md §8.3).

use super::image::{Moved, Wrapper, plain};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Field,
        containers::{
            contents::{Contents, Reading, Trouble},
            window::Window,
        },
        field_reader::{Fault, FieldReader},
    },
};

pub const MAGIC: &[u8] = &[0xAE, 0x0F, 0x38, 0xA2];

const HEADER: u64 = 0x38;

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let window = Window::read(source, 0..HEADER)?;
    let moved = window.parse(0..HEADER, Endian::Big, header)?;
    plain(source, Some(moved), Form, cx)
}

/// Where everything is.
fn header(r: &mut FieldReader<'_>) -> Result<Moved, Fault> {
    let part = |r: &mut FieldReader<'_>, at: &'static str, size: &'static str| {
        let start = u64::from(r.u32(at)?);
        let size = u64::from(r.u32(size)?);
        Ok::<_, Fault>(start..start.saturating_add(size))
    };
    r.u32("Magic")?;
    r.u32("Unknown")?;
    let header = u64::from(r.u32("Header offset")?);
    r.u32("Header size")?;
    let list = part(r, "File list offset", "File list size")?;
    r.u32("Maximum file list size")?;
    let program = part(r, "Program offset", "Program size")?;
    let more = u64::from(r.u32("File data offset")?);
    r.u32("File data size")?;
    r.u32("Banner offset")?;
    r.u32("Banner size")?;
    let less = u64::from(r.u32("File data offset on the disc")?);
    Ok(Moved { header, list, program, less, more })
}

struct Form;

impl Wrapper for Form {
    fn fields(&self, file: &Source) -> Vec<Field> {
        let Ok(window) = Window::read(file, 0..HEADER) else { return Vec::new() };
        window.fields(Endian::Big, |r| r.group("Embedded disc", "TGC header", header))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_says_where_everything_is() {
        let mut bytes = MAGIC.to_vec();
        for number in 1..14_u32 {
            bytes.extend((number * 16).to_be_bytes());
        }
        let window = Window::read(&Source::new(bytes.clone()), 0..HEADER).unwrap();
        let moved = window.parse(0..HEADER, Endian::Big, header).unwrap();
        assert_eq!((moved.header, moved.list, moved.program), (0x20, 0x40..0x90, 0x70..0xF0));
        assert_eq!((moved.more, moved.less), (0x90, 0xD0));
        assert_eq!(window.fields(Endian::Big, header).iter().map(|field| field.size).sum::<u64>(), HEADER);
    }
}
