//! Textures that change: BTP (TPT1), formats/j3d.md §5.1.

use super::{
    animated::Animated,
    bank::Bank,
    channels::ClipMaker,
    header::{Header, read_header},
    part,
    tables::Tables,
    track::{Layout, Track},
};
use crate::{
    bytes::Source,
    formats::{
        Field,
        field_reader::{Fault, FieldReader},
        j3d::{
            chunk::{Findings, Part},
            codes,
        },
    },
    scene::{Clip, ClipMaterial, Target, Unit},
};

/// Which texture is in a texture-map slot at each frame.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureAnimation {
    /// Loop mode (formats/j3d.md §3.4) and duration in frames.
    pub header: Header,
    /// Animated slots, in file order.
    pub entries: Vec<TextureEntry>,
    /// Numbers of textures of TEX1.
    pub textures: Bank<u16>,
    /// Material indices as stored; games use the table as working memory, and materials are found by name.
    pub material_indices: Vec<u16>,
    /// Material names by entry; fewer in damaged files.
    pub names: Vec<String>,
}

/// A texture-map slot of a material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextureEntry {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Track of texture numbers, one a frame.
    pub track: Track,
    /// Texture-map slot; 0 to 7 are valid.
    pub slot: u8,
}

const ENTRY_SIZE: u64 = 8;
/// Slots that a material has.
const SLOTS: u8 = 8;

fn read_entry(r: &mut FieldReader<'_>) -> Result<TextureEntry, Fault> {
    let offset = r.offset();
    let track = Track { count: r.u16("Count")?, index: r.u16("Index")?, layout: Layout::EveryFrame };
    let slot = r.u8("Slot")?;
    r.pad(3)?;
    Ok(TextureEntry { offset, track, slot })
}

/// Reads TPT1 from behind its tag and size on.
pub fn read_textures(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<TextureAnimation, Fault> {
    let header = read_header(r, false, 1, findings)?;
    let count = r.u16("EntryCount")?;
    let bank_count = r.u16("TextureIndexCount")?;
    let table = r.u32("EntryTableOffset")?;
    let bank = r.u32("TextureIndexOffset")?;
    let indices = r.u32("MaterialIndexOffset")?;
    let names = r.u32("NameOffset")?;
    let mut tables = Tables::new(r, &[table, bank, indices, names], findings);
    let entries =
        tables.records(r, table, "Entries", "TextureTrack", u64::from(count), ENTRY_SIZE, |r, _| read_entry(r));
    let tracks = entries.iter().map(|e| (e.offset, e.track));
    let textures = tables.bank(r, (bank, bank_count), "TextureIndices", "u16", tracks);
    let material_indices = tables.list(r, indices, "MaterialIndices", "u16", usize::from(count));
    let names = tables.names(r, names, usize::from(count));
    if let Some(entry) = entries.iter().find(|e| e.slot >= SLOTS) {
        let message = format!("texture map {} does not exist", entry.slot);
        tables.findings.add(&codes::ANIMATED_SLOT, Some(entry.offset.saturating_add(4)), message);
    }
    Ok(TextureAnimation { header, entries, textures, material_indices, names })
}

impl Animated for TextureAnimation {
    fn clip(&self, name: &str, findings: &mut Findings) -> Clip {
        let mut maker = ClipMaker::new(self.header.clip(name), findings);
        maker.clip.materials = (0..self.entries.len()).map(|i| part::material_name(&self.names, i)).collect();
        for (material, entry) in (0..).map(ClipMaterial).zip(&self.entries) {
            let target = Target::TextureSlot { material, slot: entry.slot };
            maker.track(target, Unit::Plain, entry.track, &self.textures.numbers);
        }
        maker.finish()
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(index, entry): (usize, &TextureEntry)| {
            let name = format!("{} texture {}", part::material_name(&self.names, index), entry.slot);
            part::part(name, "TextureTrack", entry.offset..entry.offset.saturating_add(ENTRY_SIZE))
        };
        self.entries.iter().enumerate().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let Some(entry) = self.entries.get(part) else { return Vec::new() };
        let range = entry.offset..entry.offset.saturating_add(ENTRY_SIZE);
        let mut fields = part::record(source, range, read_entry);
        fields.extend(part::keys(source, "Textures", entry.track, &self.textures));
        fields
    }
}
