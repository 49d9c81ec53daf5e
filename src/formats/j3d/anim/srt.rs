//! The nine tracks of a joint or a texture matrix: scale, rotation and translation of three axes.

use super::{
    part,
    tables::Tables,
    track::{Bank, Track, read_track, track_size},
};
use crate::{
    bytes::Source,
    formats::{
        Field,
        field_reader::{Fault, FieldReader},
    },
};
use std::ops::Range;

/// Tracks of one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AxisTracks {
    /// Scale; 1 if the track has no keys.
    pub scale: Track,
    /// Rotation; 0 if the track has no keys.
    pub rotation: Track,
    /// Translation; 0 if the track has no keys.
    pub translation: Track,
}

/// Tracks of one joint or texture matrix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SrtTracks {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// X, Y, Z of joints; S, T, Q of texture matrices.
    pub axes: [AxisTracks; 3],
}

/// Field names of scale, rotation and translation of each axis.
pub type TrackNames = [[&'static str; 3]; 3];

pub const JOINT_NAMES: TrackNames = [
    ["ScaleX", "RotationX", "TranslationX"],
    ["ScaleY", "RotationY", "TranslationY"],
    ["ScaleZ", "RotationZ", "TranslationZ"],
];

pub const TEXTURE_NAMES: TrackNames = [
    ["ScaleS", "RotationS", "TranslationS"],
    ["ScaleT", "RotationT", "TranslationT"],
    ["ScaleQ", "RotationQ", "TranslationQ"],
];

/// Bytes of nine tracks.
pub const fn srt_size(keyed: bool) -> u64 {
    track_size(keyed).saturating_mul(9)
}

pub fn read_srt(r: &mut FieldReader<'_>, names: &'static TrackNames, keyed: bool) -> Result<SrtTracks, Fault> {
    let offset = r.offset();
    let mut axes = [AxisTracks::default(); 3];
    for (axis, [scale, rotation, translation]) in axes.iter_mut().zip(names) {
        axis.scale = read_track(r, scale, keyed)?;
        axis.rotation = read_track(r, rotation, keyed)?;
        axis.translation = read_track(r, translation, keyed)?;
    }
    Ok(SrtTracks { offset, axes })
}

/// The banks of such tracks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SrtBanks {
    /// Keys or values of scales.
    pub scales: Bank<f32>,
    /// 65536 a turn, after the header's shift.
    pub rotations: Bank<i16>,
    /// Keys or values of translations.
    pub translations: Bank<f32>,
}

/// Offset (chunk-relative) and count of the three banks, as the header gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BankPlaces {
    pub scales: (u32, u16),
    pub rotations: (u32, u16),
    pub translations: (u32, u16),
}

impl SrtTracks {
    fn range(&self, keyed: bool) -> Range<u64> {
        self.offset..self.offset.saturating_add(srt_size(keyed))
    }

    /// Its entry in the outline.
    pub fn part(&self, name: String, class: &'static str, keyed: bool) -> crate::formats::j3d::file::Part {
        part::part(name, class, self.range(keyed))
    }

    /// Its tracks, and the keys of each.
    pub fn fields(&self, source: &Source, names: &'static TrackNames, keyed: bool, banks: &SrtBanks) -> Vec<Field> {
        let mut fields = part::record(source, self.range(keyed), |r| read_srt(r, names, keyed));
        for (axis, [scale, rotation, translation]) in self.axes.iter().zip(names) {
            fields.extend(part::keys(source, format!("{scale}Keys"), axis.scale, &banks.scales));
            fields.extend(part::keys(source, format!("{rotation}Keys"), axis.rotation, &banks.rotations));
            fields.extend(part::keys(source, format!("{translation}Keys"), axis.translation, &banks.translations));
        }
        fields
    }
}

/// Reads the banks that `tracks` point into.
pub fn read_banks(
    tables: &mut Tables<'_>,
    r: &mut FieldReader<'_>,
    places: BankPlaces,
    tracks: &[SrtTracks],
) -> SrtBanks {
    let of = |pick: fn(&AxisTracks) -> Track| {
        tracks.iter().flat_map(move |t| t.axes.iter().map(move |axis| (t.offset, pick(axis))))
    };
    SrtBanks {
        scales: tables.bank(r, places.scales, "Scales", "f32", of(|a| a.scale)),
        rotations: tables.bank(r, places.rotations, "Rotations", "s16", of(|a| a.rotation)),
        translations: tables.bank(r, places.translations, "Translations", "f32", of(|a| a.translation)),
    }
}
