//! Animations of textures: the texture of a slot (BTP, formats/j3d.md §5.1), and texture matrices (BTK, §4).

use super::{
    part::{self, Animated},
    srt::{self, BankPlaces, SrtBanks, SrtTracks, TEXTURE_NAMES, read_srt, srt_size},
    tables::{Header, Tables, read_header},
    track::{Bank, ClipMaker, Layout, Track},
};
use crate::{
    bytes::Source,
    formats::{
        Field,
        field_reader::{Fault, FieldReader},
        j3d::{
            codes,
            file::{Findings, Part},
        },
    },
    scene::{Clip, ClipMaterial, SrtPart, Target, TextureGroup, Unit},
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

/// Texture matrices that move.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureMatrixAnimation {
    /// Loop mode (formats/j3d.md §3.4), rotation shift and duration in frames.
    pub header: Header,
    /// Matrices of texture generators.
    pub matrices: MatrixSet,
    /// Matrices after texture generation; no known file has any.
    pub post_matrices: MatrixSet,
    /// 1: put together as Maya does; anything else: basic.
    pub matrix_mode: u32,
}

/// Tracks of texture matrices, with what each drives. The lists are as long as `tracks`, or shorter in damaged files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatrixSet {
    /// Tracks of each matrix; the axes are S, T, Q.
    pub tracks: Vec<SrtTracks>,
    /// Material indices as stored; games use the table as working memory, and materials are found by name.
    pub material_indices: Vec<u16>,
    /// Material names by matrix; fewer in damaged files.
    pub names: Vec<String>,
    /// Texture-matrix slots.
    pub slots: Vec<u8>,
    /// Centre of each matrix: S, T, Q.
    pub centers: Vec<[f32; 3]>,
    /// Keys that the tracks point into.
    pub banks: SrtBanks,
}

/// Slots that a material has.
const MATRIX_SLOTS: u8 = 8;
/// Offset of the second set, and where the header ends.
const HEADER_SIZE: u64 = 0x60;

/// What the header says of a set.
struct Places {
    count: u16,
    tracks: u32,
    material_indices: u32,
    names: u32,
    slots: u32,
    centers: u32,
    banks: BankPlaces,
}

impl Places {
    fn starts(&self) -> [u32; 8] {
        let BankPlaces { scales, rotations, translations } = self.banks;
        [
            self.tracks,
            self.material_indices,
            self.names,
            self.slots,
            self.centers,
            scales.0,
            rotations.0,
            translations.0,
        ]
    }
}

fn read_places(r: &mut FieldReader<'_>) -> Result<Places, Fault> {
    // Three for each matrix: one for each axis.
    let count = r.u16("TrackGroupCount")? / 3;
    let [scales, rotations, translations] = [r.u16("ScaleCount")?, r.u16("RotationCount")?, r.u16("TranslationCount")?];
    Ok(Places {
        count,
        tracks: r.u32("TrackTableOffset")?,
        material_indices: r.u32("MaterialIndexOffset")?,
        names: r.u32("NameOffset")?,
        slots: r.u32("SlotOffset")?,
        centers: r.u32("CenterOffset")?,
        banks: BankPlaces {
            scales: (r.u32("ScaleOffset")?, scales),
            rotations: (r.u32("RotationOffset")?, rotations),
            translations: (r.u32("TranslationOffset")?, translations),
        },
    })
}

fn read_set(tables: &mut Tables<'_>, r: &mut FieldReader<'_>, places: &Places) -> MatrixSet {
    let count = usize::from(places.count);
    let tracks =
        tables.records(r, places.tracks, "Tracks", "MatrixTracks", u64::from(places.count), srt_size(true), |r, _| {
            read_srt(r, &TEXTURE_NAMES, true)
        });
    MatrixSet {
        material_indices: tables.list(r, places.material_indices, "MaterialIndices", "u16", count),
        names: tables.names(r, places.names, count),
        slots: tables.list(r, places.slots, "Slots", "u8", count),
        centers: tables.records(r, places.centers, "Centers", "Vector", u64::from(places.count), 12, |r, _| {
            r.floats::<3>("Center", "Vector")
        }),
        banks: srt::read_banks(tables, r, places.banks, &tracks),
        tracks,
    }
}

fn matrix_mode_name(mode: u32) -> Option<&'static str> {
    Some(if mode == 1 { "Maya" } else { "basic" })
}

/// Reads TTK1 from behind its tag and size on.
pub fn read_texture_matrices(
    r: &mut FieldReader<'_>,
    findings: &mut Findings,
) -> Result<TextureMatrixAnimation, Fault> {
    let start = r.range().start;
    let header = read_header(r, true, 0, findings)?;
    let places = read_places(r)?;
    let first = places.starts().into_iter().filter(|s| *s > 0).min().map_or(u64::MAX, u64::from);
    let long = first >= HEADER_SIZE && r.range().end.saturating_sub(start) >= HEADER_SIZE;
    let (post, matrix_mode) = if long {
        let post = r.group("PostMatrices", "", read_places)?;
        (Some(post), r.named_u32("MatrixMode", matrix_mode_name)?)
    } else {
        (None, 0)
    };
    let mut starts = places.starts().to_vec();
    starts.extend(post.iter().filter(|p| p.count > 0).flat_map(Places::starts));
    let mut tables = Tables::new(r, &starts, findings);
    let matrices = read_set(&mut tables, r, &places);
    let post_matrices = match post.filter(|p| p.count > 0) {
        Some(post) => {
            let message = format!("tracks of post-transform matrices ({}) are listed but not played", post.count);
            tables.findings.add(&codes::POST_MATRICES, Some(start), message);
            read_set(&mut tables, r, &post)
        }
        None => MatrixSet::default(),
    };
    if let Some(slot) = matrices.slots.iter().find(|s| **s >= MATRIX_SLOTS) {
        let at = start.saturating_add(u64::from(places.slots));
        tables.findings.add(&codes::ANIMATED_SLOT, Some(at), format!("texture matrix {slot} does not exist"));
    }
    Ok(TextureMatrixAnimation { header, matrices, post_matrices, matrix_mode })
}

impl MatrixSet {
    fn part(&self, index: usize, tracks: &SrtTracks, what: &str) -> Part {
        let slot = self.slots.get(index).map_or_else(|| "?".to_owned(), u8::to_string);
        let name = format!("{} {what} {slot}", part::material_name(&self.names, index));
        tracks.part(name, "MatrixTracks", true)
    }
}

impl Animated for TextureMatrixAnimation {
    fn clip(&self, name: &str, findings: &mut Findings) -> Clip {
        let mut maker = ClipMaker::new(self.header.clip(name), findings);
        let set = &self.matrices;
        maker.clip.materials = (0..set.tracks.len()).map(|i| part::material_name(&set.names, i)).collect();
        let SrtBanks { scales, rotations, translations } = &set.banks;
        let angle = Unit::Angle16 { shift: self.header.rotation_shift };
        for (index, tracks) in set.tracks.iter().enumerate() {
            let group = index as u32;
            let [s, t, _] = set.centers.get(index).copied().unwrap_or([0.5; 3]);
            let finite = |v: f32| if v.is_finite() { v } else { 0.5 };
            maker.clip.texture_groups.push(TextureGroup {
                material: ClipMaterial(group),
                slot: set.slots.get(index).copied().unwrap_or(u8::MAX),
                center: [finite(s), finite(t)],
                maya: self.matrix_mode == 1,
            });
            // Scale and translation in the plane and the turn about its normal; the other tracks do nothing.
            let [s, t, q] = &tracks.axes;
            let target = |part| Target::TextureSrt { group, part };
            maker.track(target(SrtPart::ScaleS), Unit::Plain, s.scale, &scales.numbers);
            maker.track(target(SrtPart::ScaleT), Unit::Plain, t.scale, &scales.numbers);
            maker.track(target(SrtPart::Rotation), angle, q.rotation, &rotations.numbers);
            maker.track(target(SrtPart::TranslationS), Unit::Plain, s.translation, &translations.numbers);
            maker.track(target(SrtPart::TranslationT), Unit::Plain, t.translation, &translations.numbers);
        }
        maker.finish()
    }

    fn parts(&self) -> Vec<Part> {
        let (set, post) = (&self.matrices, &self.post_matrices);
        let of_set = set.tracks.iter().enumerate().map(|(i, t)| set.part(i, t, "matrix"));
        let of_post = post.tracks.iter().enumerate().map(|(i, t)| post.part(i, t, "post-transform matrix"));
        of_set.chain(of_post).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let sets = [&self.matrices, &self.post_matrices];
        let tracks = sets.iter().flat_map(|set| set.tracks.iter().map(move |t| (set, t))).nth(part);
        tracks.map(|(set, t)| t.fields(source, &TEXTURE_NAMES, true, &set.banks)).unwrap_or_default()
    }
}
