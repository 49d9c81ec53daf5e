//! The four tracks of a colour: red, green, blue, alpha.

use super::{
    part,
    tables::Tables,
    track::{Bank, ClipMaker, Track, read_track, track_size},
};
use crate::{
    bytes::Source,
    formats::{
        Field,
        field_reader::{Fault, FieldReader},
    },
    scene::{Target, Unit},
};

/// Field names of the tracks.
pub const TRACK_NAMES: [&str; 4] = ["Red", "Green", "Blue", "Alpha"];
const KEY_NAMES: [&str; 4] = ["RedKeys", "GreenKeys", "BlueKeys", "AlphaKeys"];

/// Red, green, blue, alpha.
pub type ColorTracks = [Track; 4];

/// Bytes of four tracks.
pub const fn color_size(keyed: bool) -> u64 {
    track_size(keyed).saturating_mul(4)
}

pub fn read_color_tracks(r: &mut FieldReader<'_>, keyed: bool) -> Result<ColorTracks, Fault> {
    let mut tracks = ColorTracks::default();
    for (track, name) in tracks.iter_mut().zip(TRACK_NAMES) {
        *track = read_track(r, name, keyed)?;
    }
    Ok(tracks)
}

/// A bank for each part of a colour.
#[derive(Clone, Debug, PartialEq)]
pub enum ColorBanks {
    /// Keys: times, values and tangents.
    Keyed([Bank<i16>; 4]),
    /// A value a frame.
    Full([Bank<u8>; 4]),
}

impl Default for ColorBanks {
    fn default() -> Self {
        Self::Keyed(Default::default())
    }
}

/// Chunk-relative offset and count of the bank of each part.
pub type ColorPlaces = [(u32, u16); 4];

/// Reads the banks that `tracks` (with the offset of each) point into.
pub fn read_color_banks(
    tables: &mut Tables<'_>,
    r: &mut FieldReader<'_>,
    names: [&'static str; 4],
    places: ColorPlaces,
    keyed: bool,
    tracks: &[(u64, ColorTracks)],
) -> ColorBanks {
    let mut keyed_banks: [Bank<i16>; 4] = Default::default();
    let mut full_banks: [Bank<u8>; 4] = Default::default();
    for (part, (name, place)) in names.into_iter().zip(places).enumerate() {
        let of_part = tracks.iter().filter_map(move |(at, t)| t.get(part).map(|t| (*at, *t)));
        if keyed {
            if let Some(bank) = keyed_banks.get_mut(part) {
                *bank = tables.bank(r, place, name, "s16", of_part);
            }
        } else if let Some(bank) = full_banks.get_mut(part) {
            *bank = tables.bank(r, place, name, "u8", of_part);
        }
    }
    if keyed { ColorBanks::Keyed(keyed_banks) } else { ColorBanks::Full(full_banks) }
}

impl ColorBanks {
    /// A channel for each part; parts without keys are 0.
    pub fn channels(&self, maker: &mut ClipMaker<'_>, tracks: &ColorTracks, unit: Unit, target: impl Fn(u8) -> Target) {
        match self {
            Self::Keyed(banks) => {
                for ((part, track), bank) in (0_u8..).zip(tracks).zip(banks) {
                    maker.track_or(target(part), unit, *track, &bank.numbers, 0.0);
                }
            }
            Self::Full(banks) => {
                for ((part, track), bank) in (0_u8..).zip(tracks).zip(banks) {
                    maker.track_or(target(part), unit, *track, &bank.numbers, 0.0);
                }
            }
        }
    }

    /// The keys of each part.
    pub fn keys(&self, source: &Source, tracks: &ColorTracks) -> Vec<Field> {
        let named = tracks.iter().zip(KEY_NAMES);
        match self {
            Self::Keyed(banks) => named.zip(banks).filter_map(|((t, n), b)| part::keys(source, n, *t, b)).collect(),
            Self::Full(banks) => named.zip(banks).filter_map(|((t, n), b)| part::keys(source, n, *t, b)).collect(),
        }
    }
}
