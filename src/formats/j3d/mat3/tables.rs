//! The tables that materials' entries point into: where each lies, how many records it holds, and the records.

use super::records::{self, NbtScale, StageRecord, SwapMode, TevOrder, stride};
use crate::{
    formats::field_reader::{Fault, FieldReader},
    scene::gx::{AlphaCompare, BlendMode, ChannelControl, Fog, Light, TexGen, TextureMatrix, ZMode},
};

/// Which of the two kinds of chunk it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// `MAT2`: no indirect blocks, no ambient colours and no lights (formats/j3d-materials.md §7.0b).
    Mat2,
    /// `MAT3` (formats/j3d-materials.md §7.0a).
    Mat3,
}

impl Version {
    /// Bytes of a material's entry.
    pub fn entry_size(self) -> u64 {
        match self {
            Self::Mat2 => 0x138,
            Self::Mat3 => 0x14C,
        }
    }

    /// Bytes of the chunk's header.
    pub fn header_size(self) -> u32 {
        match self {
            Self::Mat2 => 0x78,
            Self::Mat3 => 0x84,
        }
    }
}

/// Where a table lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Records; 0 for a table that is not there.
    pub count: usize,
    /// Its bytes are its own: an empty table of some writers begins where the next one does.
    pub owned: bool,
}

macro_rules! tables {
    ($($field:ident: $kind:ident, $type:ty, $stride:expr, $label:literal, $record:literal, $read:path;)*) => {
        /// Kinds of tables, in the order of MAT3's header behind the indirect block.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind {
            $(
                #[doc = concat!("Table `", $label, "` of records `", $record, "`.")]
                $kind,
            )*
        }

        impl Kind {
            /// Every kind, in the order of the header.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Bytes of a record.
            pub fn stride(self) -> u64 {
                match self {
                    $(Self::$kind => $stride,)*
                }
            }

            /// What the table is called.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$kind => $label,)*
                }
            }

            /// What one of its records is called.
            pub fn record(self) -> &'static str {
                match self {
                    $(Self::$kind => $record,)*
                }
            }

            /// Reads one record for its fields.
            pub fn read_record(self, r: &mut FieldReader<'_>) -> Result<(), Fault> {
                match self {
                    $(Self::$kind => $read(r).map(|_| ()),)*
                }
            }
        }

        /// The records of all tables.
        #[derive(Clone, Debug, Default)]
        pub struct Records {
            $(
                #[doc = concat!("Records of the table `", $label, "`.")]
                pub $field: Vec<$type>,
            )*
        }

        impl Records {
            /// Reads every table that has records.
            pub fn read(r: &mut FieldReader<'_>, places: &Places) -> Result<Self, Fault> {
                Ok(Self {
                    $($field: read_table(r, Kind::$kind, places.get(Kind::$kind), $read)?,)*
                })
            }
        }
    };
}

tables! {
    cull: Cull, u32, 4, "CullModes", "u32", records::cull;
    material_colors: MaterialColor, [u8; 4], stride::COLOR, "MaterialColors", "RGBA8", records::color;
    channel_counts: ChannelCount, u8, 1, "ChannelCounts", "u8", records::byte;
    channels: Channel, ChannelControl, stride::CHANNEL, "Channels", "ChannelControl", records::channel;
    ambient_colors: AmbientColor, [u8; 4], stride::COLOR, "AmbientColors", "RGBA8", records::color;
    lights: Light, Light, stride::LIGHT, "Lights", "Light", records::light;
    texgen_counts: TexGenCount, u8, 1, "TexgenCounts", "u8", records::byte;
    texgens: TexGen, TexGen, stride::TEXGEN, "Texgens", "TexGen", records::texgen;
    post_texgens: PostTexGen, TexGen, stride::TEXGEN, "PostTexgens", "TexGen", records::texgen;
    texture_matrices: TextureMatrix, TextureMatrix, stride::TEXTURE_MATRIX, "TextureMatrices", "TexMtx", records::texture_matrix;
    post_matrices: PostMatrix, TextureMatrix, stride::TEXTURE_MATRIX, "PostMatrices", "TexMtx", records::texture_matrix;
    texture_numbers: TextureNumber, u16, 2, "TextureNumbers", "u16", records::number;
    tev_orders: TevOrder, TevOrder, stride::TEV_ORDER, "TevOrders", "TevOrder", records::tev_order;
    tev_colors: TevColor, [i16; 4], stride::TEV_COLOR, "TevColors", "s16[4]", records::tev_color;
    konst: Konst, [u8; 4], stride::COLOR, "KonstColors", "RGBA8", records::color;
    stage_counts: StageCount, u8, 1, "TevStageCounts", "u8", records::byte;
    tev_stages: TevStage, StageRecord, stride::TEV_STAGE, "TevStages", "TevStage", records::tev_stage;
    swap_modes: SwapMode, SwapMode, stride::SWAP, "SwapModes", "TevSwapMode", records::swap_mode;
    swap_tables: SwapTable, [u8; 4], stride::SWAP, "SwapTables", "TevSwapTable", records::swap_table;
    fogs: Fog, Fog, stride::FOG, "Fog", "Fog", records::fog;
    alpha_compares: AlphaCompare, AlphaCompare, stride::ALPHA_COMPARE, "AlphaCompares", "AlphaCompare", records::alpha_compare;
    blends: Blend, BlendMode, stride::BLEND, "BlendModes", "Blend", records::blend;
    z_modes: ZMode, ZMode, stride::Z_MODE, "ZModes", "ZMode", records::z_mode;
    z_before_texture: ZBeforeTexture, u8, 1, "ZCompareLocations", "u8", records::flag;
    dither: Dither, u8, 1, "Dither", "u8", records::flag;
    nbt_scales: NbtScale, NbtScale, stride::NBT_SCALE, "NbtScales", "NbtScale", records::nbt_scale;
}

impl Kind {
    /// MAT2 has no ambient colours and no lights.
    pub fn is_in(self, version: Version) -> bool {
        version == Version::Mat3 || !matches!(self, Self::AmbientColor | Self::Light)
    }
}

fn read_table<T>(
    r: &mut FieldReader<'_>,
    kind: Kind,
    place: Place,
    read: impl Fn(&mut FieldReader<'_>) -> Result<T, Fault> + Send + Sync + 'static,
) -> Result<Vec<T>, Fault> {
    if place.count == 0 {
        return Ok(Vec::new());
    }
    let mut silent = r.fork();
    let r = if place.owned { r } else { &mut silent };
    r.seek(place.offset)?;
    r.records(kind.label(), kind.record(), place.count as u64, kind.stride(), move |r, _| read(r))
}

/// Tables whose offsets real files leave leading into other tables.
const STRAY: [Kind; 2] = [Kind::AmbientColor, Kind::Light];

/// A table that would begin among the records of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The table whose offset is inside another table.
    pub kind: Kind,
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Whose records lie there.
    pub among: Kind,
}

/// Where every table lies.
#[derive(Clone, Debug, Default)]
pub struct Places {
    list: Vec<Place>,
    /// Tables that lie among the records of others: they limit no other table.
    pub strays: Vec<Stray>,
}

impl Places {
    /// Returns the place of a table; the default place with 0 records if the table is missing.
    pub fn get(&self, kind: Kind) -> Place {
        self.list.get(kind as usize).copied().unwrap_or_default()
    }

    /// `offsets`: of each kind of table from the chunk's start, 0 for none. `others`: where other parts of the chunk begin.
    /// `used`: how many records of each kind materials count on. `chunk`: the chunk's bytes, which begin at `base` of the file.
    pub fn of(chunk: &[u8], base: u64, offsets: &[u32], others: &[u32], used: &[usize]) -> Self {
        let mut places = vec![Place::default(); Kind::ALL.len()];
        let strays = strays(base, offsets, used);
        let mut offsets = offsets.to_vec();
        for stray in &strays {
            // The game takes bytes for colours wherever they are, and no light from here at all.
            let offset = std::mem::take(offsets.get_mut(stray.kind as usize).unwrap_or(&mut 0));
            let used = used.get(stray.kind as usize).copied().unwrap_or(0);
            let left = (chunk.len() as u64).saturating_sub(u64::from(offset));
            let fit = left.checked_div(stray.kind.stride()).unwrap_or(0);
            if let Some(place) = places.get_mut(stray.kind as usize).filter(|_| stray.kind == Kind::AmbientColor) {
                let count = used.min(usize::try_from(fit).unwrap_or(usize::MAX));
                *place = Place { offset: stray.offset, count, owned: false };
            }
        }
        let offsets = &offsets[..];
        for (index, (kind, place)) in Kind::ALL.iter().zip(&mut places).enumerate() {
            let (offset, used) = (offset_of(offsets, index), used.get(index).copied().unwrap_or(0));
            let end = end_of(offset, offsets, others, chunk.len());
            let bytes = chunk.get(offset as usize..end).unwrap_or_default();
            let later = offsets.get(index.saturating_add(1)..).unwrap_or_default();
            let owned = offset != 0 && !later.contains(&offset) && !others.contains(&offset);
            if offset == 0 || !owned && used == 0 {
                continue;
            }
            *place = Place {
                offset: base.saturating_add(u64::from(offset)),
                count: record_count(bytes, kind.stride(), used, end == chunk.len()),
                owned,
            };
        }
        Self { list: places, strays }
    }
}

/// Those of [`STRAY`] that begin where records of another table are: of one that begins at the same place, or, where the tables do not
/// lie in the order of the header as all writers have them, among those of any. Tables that nothing refers to count too: they would end
/// the one that they lie in.
fn strays(base: u64, offsets: &[u32], used: &[usize]) -> Vec<Stray> {
    let used = |kind: Kind| used.get(kind as usize).copied().unwrap_or(0);
    let offset = |kind: Kind| offset_of(offsets, kind as usize);
    let stray = |kind: Kind| {
        let at = offset(kind);
        let others = || Kind::ALL.iter().copied().filter(|other| *other != kind && offset(*other) != 0);
        let is_in_order = others().all(|other| match (other as usize) < kind as usize {
            true => offset(other) <= at,
            false => offset(other) >= at,
        });
        let holds = |other: &Kind| {
            let start = offset(*other);
            let size = (used(*other) as u64).saturating_mul(other.stride());
            match start == at {
                true => used(kind) > 0 && size > 0,
                false => !is_in_order && start < at && u64::from(at) < u64::from(start).saturating_add(size),
            }
        };
        let among = others().filter(|_| at != 0).find(holds)?;
        Some(Stray { kind, offset: base.saturating_add(u64::from(at)), among })
    };
    STRAY.into_iter().filter_map(stray).collect()
}

fn offset_of(offsets: &[u32], index: usize) -> u32 {
    offsets.get(index).copied().unwrap_or(0)
}

/// The next larger offset, or the chunk's end.
pub fn end_of(offset: u32, offsets: &[u32], others: &[u32], chunk_len: usize) -> usize {
    let next = offsets.iter().chain(others).filter(|o| **o > offset).min();
    next.map_or(chunk_len, |o| (*o as usize).min(chunk_len))
}

/// What tools fill tables up with to a multiple of 4 or 32 bytes.
const FILLERS: [&[u8]; 2] = [b"This is padding data to alignment.....", b"Model made with SuperBMD by Gamma."];

/// Records in the bytes of a table: those that are used and fit, then more as long as they are no filler. Tables do not say
/// how long they are.
fn record_count(bytes: &[u8], stride: u64, used: usize, at_end: bool) -> usize {
    /// Indices have 16 bits.
    const MOST: usize = 0xFFFF;
    let stride = usize::try_from(stride).unwrap_or(1).max(1);
    let whole = bytes.len().checked_div(stride).unwrap_or(0).min(MOST);
    let used = used.min(whole);
    let rest = bytes.get(used.saturating_mul(stride)..).unwrap_or_default();
    let same = |value: u8| rest.iter().all(|b| *b == value);
    let filler = (1..=rest.len().min(31)).rev().find(|n| {
        let tail = rest.len().checked_sub(*n).and_then(|start| rest.get(start..)).unwrap_or_default();
        FILLERS.iter().any(|text| text.starts_with(tail))
    });
    let rest = match filler {
        Some(n) => rest.len().saturating_sub(n),
        None if (at_end || rest.len() < 4) && (same(0) || same(0xFF)) => 0,
        None => rest.len(),
    };
    used.saturating_add(rest.checked_div(stride).unwrap_or(0)).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_ends_where_it_is_filled_up() {
        assert_eq!(record_count(b"\x01Thi", 1, 1, false), 1);
        assert_eq!(record_count(b"\x00\x01Th", 1, 1, false), 2);
        assert_eq!(record_count(b"\x01\xFF\xFF\xFF", 1, 1, false), 1);
        assert_eq!(record_count(&[0, 0, 0, 1, 0, 2, 0, 3], 2, 4, false), 4);
        assert_eq!(record_count(b"\x00\x00This i", 2, 1, false), 1);
        assert_eq!(record_count(&[0; 32], 16, 1, true), 1);
        assert_eq!(record_count(&[0; 32], 16, 1, false), 2);
        assert_eq!(record_count(b"\x02Mod", 0x34, 1, false), 0, "a record that does not fit");
    }

    #[test]
    fn tables_out_of_order_among_the_records_of_others_end_none_of_them() {
        let chunk = [0; 128];
        let (mut offsets, mut used) = ([0_u32; 26], [0_usize; 26]);
        for (kind, offset, count) in [
            (Kind::AmbientColor, 60, 1),
            (Kind::Light, 72, 0),
            (Kind::TexGen, 20, 2),
            (Kind::TevStage, 40, 3),
            (Kind::Fog, 100, 0),
        ] {
            (offsets[kind as usize], used[kind as usize]) = (offset, count);
        }
        let places = Places::of(&chunk, 1000, &offsets, &[], &used);
        let stray = |kind, offset| Stray { kind, offset, among: Kind::TevStage };
        assert_eq!(places.strays, [stray(Kind::AmbientColor, 1060), stray(Kind::Light, 1072)]);
        assert_eq!(places.get(Kind::TevStage), Place { offset: 1040, count: 3, owned: true });
        assert_eq!(places.get(Kind::AmbientColor), Place { offset: 1060, count: 1, owned: false });
        assert_eq!(places.get(Kind::Light), Place::default());
        // In their order, a record that is named and cannot be there says nothing.
        (offsets[Kind::AmbientColor as usize], offsets[Kind::Light as usize]) = (8, 12);
        used[Kind::ChannelCount as usize] = 9;
        offsets[Kind::ChannelCount as usize] = 4;
        assert_eq!(Places::of(&chunk, 0, &offsets, &[], &used).strays, []);
    }

    #[test]
    fn empty_tables_begin_where_the_next_one_does_and_own_nothing() {
        let chunk = [0; 64];
        let mut offsets = [0_u32; 26];
        offsets[Kind::Light as usize] = 8;
        offsets[Kind::TexGenCount as usize] = 8;
        offsets[Kind::TexGen as usize] = 12;
        let mut used = [0_usize; 26];
        used[Kind::Light as usize] = 1;
        used[Kind::TexGenCount as usize] = 1;
        used[Kind::TexGen as usize] = 2;
        let places = Places::of(&chunk, 100, &offsets, &[], &used);
        assert_eq!(places.get(Kind::Light), Place::default());
        let stray = Stray { kind: Kind::Light, offset: 108, among: Kind::TexGenCount };
        assert_eq!(places.strays, [stray]);
        assert_eq!(places.get(Kind::TexGenCount), Place { offset: 108, count: 1, owned: true });
        assert_eq!(places.get(Kind::TexGen), Place { offset: 112, count: 2, owned: true });
        assert_eq!(places.get(Kind::Fog), Place::default());
    }
}
