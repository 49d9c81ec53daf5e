//! WIA and RVZ: the chunks of a disc, each compressed by itself (formats/containers.md §8.4).

mod groups;
mod header;
mod method;
mod packed;

pub use self::header::{RVZ, WIA};

use self::{
    groups::Groups,
    header::{DiscHeader, Header},
};
use super::image::{Wrapper, held};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Field, Value,
        containers::{
            blocks::Cached,
            contents::{Contents, Reading, Trouble},
            info::{IMAGE, PACKED},
            window::Window,
        },
        coverage,
        field_reader::FieldReader,
    },
};
use std::sync::Arc;

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let (header, disc) = header::read(source, cx)?;
    cx.check_block(u64::from(disc.chunk), 0)?;
    let groups = Groups::read(source, &header, &disc, cx.limits)?;
    let groups = Arc::new(Cached::new(groups));
    held(groups.clone(), Form { header, disc, groups }, cx)
}

struct Form {
    header: Header,
    disc: DiscHeader,
    groups: Arc<Cached<Groups>>,
}

impl Wrapper for Form {
    fn fields(&self, file: &Source) -> Vec<Field> {
        let Ok(window) = Window::read(file, 0..self.header.end()) else { return Vec::new() };
        let mut fields = window.fields(Endian::Big, |r: &mut FieldReader<'_>| {
            r.group("Header", "File header", Header::read)?;
            r.group("Disc", "Disc header", DiscHeader::read)
        });
        for (name, range) in [("Raw areas", &self.disc.area_table), ("Groups", &self.disc.group_table)] {
            // Hostile headers have tables that share bytes.
            for gap in coverage::gaps(&fields, range.clone()) {
                fields.push(opaque(name, gap, PACKED));
            }
        }
        let rest = coverage::gaps(&fields, 0..file.len() as u64);
        fields.extend(rest.into_iter().map(|range| opaque("Group data", range, IMAGE)));
        fields
    }

    fn check(&self, _: &Source) -> Vec<Trouble> {
        self.groups.blocks().check()
    }
}

fn opaque(name: &'static str, range: std::ops::Range<u64>, what: &'static str) -> Field {
    let size = range.end.saturating_sub(range.start);
    Field::new(name, format!("u8[{size}]"), Value::Opaque(what), range.start, size)
}
