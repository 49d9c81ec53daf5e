//! Material chunks: MAT3 and the older MAT2, which has no indirect block, no ambient colours and no lights
//! (formats/j3d.md §7, formats/j3d-materials.md §7.0a, §7.0b).

mod check;
mod entry;
mod material_fields;
mod records;
mod tables;
#[cfg(test)]
mod tests;
mod to_scene;

pub use entry::{ABSENT, MaterialEntry};
pub use records::{IndirectBlock, NbtScale, StageRecord, SwapMode, TevOrder};
pub use tables::Version;
pub use tables::{Kind, Place, Places, Records, Stray};

use super::{
    codes,
    file::{ChunkData, ChunkKind, Findings, Part},
    names::read_names,
};
use crate::{
    bytes::Source,
    formats::{
        Content, Field, Role,
        field_reader::{Fault, FieldReader},
    },
    scene::Material,
};
use std::{any::Any, ops::Range};

/// How this file's chunks are read.
pub static KINDS: &[ChunkKind] = &[
    ChunkKind { tag: b"MAT3", read: |r, findings| Ok(Box::new(Mat3::read(r, Version::Mat3, findings)?)) },
    ChunkKind { tag: b"MAT2", read: |r, findings| Ok(Box::new(Mat3::read(r, Version::Mat2, findings)?)) },
];

/// Materials that may share entries; real files have a few dozen.
const MAX_SHARING: usize = 4096;

/// A material chunk.
#[derive(Clone, Debug)]
pub struct Mat3 {
    /// Kind of the chunk: MAT3 or MAT2.
    pub version: Version,
    /// One for each material; empty where the table has none for it.
    pub names: Vec<String>,
    /// Material → entry.
    pub remap: Vec<u16>,
    /// Entries, by the numbers in [`Mat3::remap`].
    pub entries: Vec<MaterialEntry>,
    /// Records of all tables that entries refer to.
    pub records: Records,
    /// By material, not by entry; empty without indirect textures.
    pub indirect: Vec<IndirectBlock>,
    /// Where the entries begin, in bytes from the start of the file.
    pub entries_offset: u64,
    /// Offset of the indirect blocks, in bytes from the start of the file. Without meaning if `indirect` is empty.
    pub indirect_offset: u64,
    /// Position and size of every table.
    pub places: Places,
}

/// What the header says, in bytes from the chunk's start.
struct Header {
    count: u16,
    entries: u32,
    remap: u32,
    names: u32,
    indirect: u32,
    /// By [`Kind`].
    tables: Vec<u32>,
}

impl Header {
    fn read(r: &mut FieldReader<'_>, version: Version) -> Result<Self, Fault> {
        let count = r.u16("MaterialCount")?;
        r.pad(2)?;
        let (entries, remap, names) = (r.u32("EntriesOffset")?, r.u32("RemapOffset")?, r.u32("NamesOffset")?);
        let indirect = if version == Version::Mat3 { r.u32("IndirectOffset")? } else { 0 };
        let mut tables = Vec::with_capacity(Kind::ALL.len());
        for kind in Kind::ALL {
            let offset = if kind.is_in(version) { r.u32(format!("{}Offset", kind.label()))? } else { 0 };
            tables.push(offset);
        }
        Ok(Self { count, entries, remap, names, indirect, tables })
    }

    /// Offsets that lead into the header or out of the chunk count as 0. Those of tables of records come back: what they cost depends
    /// on what refers to them.
    fn check(&mut self, version: Version, r: &FieldReader<'_>, findings: &mut Findings) -> Vec<(Kind, u32)> {
        let size = r.range().end.saturating_sub(r.range().start);
        let base = r.range().start;
        let bad = |offset: &mut u32| {
            let is_bad = *offset != 0 && (*offset < version.header_size() || u64::from(*offset) > size);
            is_bad.then(|| std::mem::take(offset))
        };
        for (offset, name) in [
            (&mut self.entries, "Entries"),
            (&mut self.remap, "Remap"),
            (&mut self.names, "Names"),
            (&mut self.indirect, "Indirect"),
        ] {
            if let Some(offset) = bad(offset) {
                findings.add(&codes::BAD_TABLE, Some(base), leads_out(offset, name));
            }
        }
        let tables = Kind::ALL.iter().zip(&mut self.tables);
        tables.filter_map(|(kind, offset)| Some((*kind, bad(offset)?))).collect()
    }

    /// Bytes from `offset` to what follows it.
    fn room(&self, offset: u32, chunk_len: usize) -> usize {
        let others = [self.entries, self.remap, self.names, self.indirect];
        tables::end_of(offset, &self.tables, &others, chunk_len).saturating_sub(offset as usize)
    }
}

impl Mat3 {
    /// Reads the chunk behind its tag and size.
    ///
    /// # Errors
    /// When the header does not fit; what else is damaged is left out and found.
    pub fn read(r: &mut FieldReader<'_>, version: Version, findings: &mut Findings) -> Result<Self, Fault> {
        let base = r.range().start;
        let mut header = r.group("Header", "", |r| Header::read(r, version))?;
        let bad = header.check(version, r, findings);
        let chunk = bytes_of(r.source(), r.range());

        let mut remap = match header.remap {
            0 => Vec::new(),
            offset => {
                r.seek_in_range(offset)?;
                let fit = header.room(offset, chunk.len()) / 2;
                r.records("Remap", "u16", usize::from(header.count).min(fit) as u64, 2, |r, _| r.u16("Entry"))?
            }
        };
        if remap.len() < usize::from(header.count) {
            let message = format!("{} materials specified, but only {} have an entry", header.count, remap.len());
            findings.add(&codes::BAD_TABLE, Some(base), message);
        }
        let names = match header.names {
            0 => Vec::new(),
            offset => read_names(r, offset, findings)?,
        };
        let entries = match header.entries {
            0 => Vec::new(),
            offset => {
                r.seek_in_range(offset)?;
                let fit = (header.room(offset, chunk.len()) as u64).checked_div(version.entry_size()).unwrap_or(0);
                let read = move |r: &mut FieldReader<'_>, _| MaterialEntry::read(r, version);
                r.records("Entries", "MaterialInitData", fit.min(0xFFFF), version.entry_size(), read)?
            }
        };
        let most = entries.len().max(MAX_SHARING);
        if remap.len() > most {
            let message = format!(
                "{} materials share {} entries: only the first {most} materials are kept",
                remap.len(),
                entries.len()
            );
            findings.add(&codes::BAD_TABLE, Some(base), message);
            remap.truncate(most);
        }
        let used = used_records(&entries);
        for (kind, offset) in bad {
            let is_used = used.get(kind as usize).is_some_and(|used| *used > 0);
            let code = if is_used { &codes::BAD_TABLE } else { &codes::UNUSED_TABLE };
            findings.add(code, Some(base), leads_out(offset, kind.label()));
        }
        let others = [header.entries, header.remap, header.names, header.indirect];
        let places = Places::of(chunk, base, &header.tables, &others, &used);
        let records = Records::read(r, &places)?;
        let indirect = header.read_indirect(r, chunk.len(), remap.len())?;
        let mat3 = Self {
            version,
            names,
            remap,
            entries,
            records,
            indirect,
            entries_offset: base.saturating_add(u64::from(header.entries)),
            indirect_offset: base.saturating_add(u64::from(header.indirect)),
            places,
        };
        if !r.is_recording() {
            mat3.check(findings);
        }
        Ok(mat3)
    }

    /// Returns the number of materials.
    pub fn material_count(&self) -> usize {
        self.remap.len()
    }

    /// The material's name, or its place where it has none.
    pub fn name(&self, material: usize) -> String {
        match self.names.get(material) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("material {material}"),
        }
    }

    /// Returns the material's entry; `None` if the material or its entry does not exist.
    pub fn entry(&self, material: usize) -> Option<&MaterialEntry> {
        self.entries.get(usize::from(*self.remap.get(material)?))
    }

    /// The material's indirect lookups, where it has any.
    pub fn indirect(&self, material: usize) -> Option<&IndirectBlock> {
        self.indirect.get(material)
    }

    /// Where a material's entry lies.
    fn entry_range(&self, material: usize) -> Range<u64> {
        let size = self.version.entry_size();
        match self.remap.get(material) {
            Some(entry) if self.entry(material).is_some() => {
                let start = self.entries_offset.saturating_add(size.saturating_mul(u64::from(*entry)));
                start..start.saturating_add(size)
            }
            _ => self.entries_offset..self.entries_offset,
        }
    }
}

fn leads_out(offset: u32, name: &str) -> String {
    format!("the offset {offset:#X} of “{name}” is outside the chunk's tables")
}

/// Of each kind of table, how many records entries count on.
fn used_records(entries: &[MaterialEntry]) -> Vec<usize> {
    let mut used = vec![0_usize; Kind::ALL.len()];
    for entry in entries {
        entry.references(|kind, index| {
            if let Some(used) = used.get_mut(kind as usize) {
                *used = (*used).max(usize::from(index).saturating_add(1));
            }
        });
    }
    used
}

impl Header {
    /// The indirect block of each material: there is none where the game finds none (formats/j3d-materials.md §7.0a).
    fn read_indirect(
        &self,
        r: &mut FieldReader<'_>,
        chunk_len: usize,
        count: usize,
    ) -> Result<Vec<IndirectBlock>, Fault> {
        let near_names = self.indirect >= self.names && self.indirect.saturating_sub(self.names) <= 4;
        if self.indirect == 0 || near_names {
            return Ok(Vec::new());
        }
        r.seek_in_range(self.indirect)?;
        let room = self.room(self.indirect, chunk_len) as u64;
        let fit = room.checked_div(records::stride::INDIRECT).unwrap_or(0).min(count as u64);
        r.records("Indirect", "IndirectInitData", fit, records::stride::INDIRECT, |r, _| records::indirect(r))
    }
}

/// The bytes of a chunk.
fn bytes_of(source: &Source, range: Range<u64>) -> &[u8] {
    let range = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    range.and_then(|(start, end)| source.as_slice().get(start..end)).unwrap_or_default()
}

impl ChunkData for Mat3 {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let part = |material| Part {
            name: self.name(material),
            role: Role::Material,
            class: "Material",
            range: self.entry_range(material),
            content: Content::None,
        };
        (0..self.material_count()).map(part).collect()
    }

    fn surface(&self, part: usize) -> Option<Material> {
        self.entry(part).map(|_| self.material(part, None))
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        self.material_fields(source, part)
    }
}
