//! Records of a bank: its header, sequences, tracks and keys, and what a track's keys hold (formats/charpipe.md §8).

use crate::formats::{
    Value,
    field_reader::{Fault, FieldReader},
    gx::vertex::Number,
};

/// Bytes of a record.
pub const HEADER: u32 = 0x18;
pub const SEQUENCE: u32 = 0xC;
pub const TRACK: u32 = 0x10;
pub const KEY: u32 = 0xC;

/// The start of a bank. Offsets count from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub sequences: u32,
    pub sequence_count: u16,
    pub track_count: u16,
    pub key_count: u16,
    pub user_data_size: u32,
    pub user_data: u32,
}

/// A named run of tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    pub name: u32,
    pub tracks: u32,
    pub track_count: u16,
}

/// What drives one bone, or several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Track {
    /// In frames.
    pub length: f32,
    pub keys: u32,
    pub key_count: u16,
    pub id: u16,
    pub quantization: u8,
    pub kind: u8,
    pub interpolation: u8,
    /// What it gives takes the place of the bone's own transform, instead of being multiplied to it.
    pub replaces: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// In frames.
    pub time: f32,
    pub setting: u32,
    pub curve: u32,
}

/// How vectors come about between keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    Step,
    Linear,
    Bezier,
    Hermite,
}

/// What a track's keys hold, and how it comes about between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub scale: Option<Curve>,
    pub rotation: Option<Rotation>,
    pub translation: Option<Curve>,
    /// A whole matrix, and nothing besides.
    pub matrix: bool,
    /// Of all numbers but those of quaternions.
    pub number: Number,
    /// Fixed-point numbers are divided by two to the power of this.
    pub shift: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// Degrees; never a Hermite curve.
    Euler(Curve),
    Step,
    Slerp,
    Squad {
        /// With eases.
        eased: bool,
    },
}

const TRANSLATION: u8 = 1;
const SCALE: u8 = 2;
const EULER: u8 = 4;
const QUATERNION: u8 = 8;
const MATRIX: u8 = 0x10;
const KINDS: [(u8, &str); 5] = [
    (TRANSLATION, "translation"),
    (SCALE, "scale"),
    (EULER, "Euler angles"),
    (QUATERNION, "quaternion"),
    (MATRIX, "matrix"),
];

/// # Errors
/// When the bank is shorter.
pub fn read_header(r: &mut FieldReader<'_>) -> Result<Header, Fault> {
    r.u32("Version")?;
    let sequences = r.u32("SequenceOffset")?;
    r.u16("BankId")?;
    Ok(Header {
        sequences,
        sequence_count: r.u16("SequenceCount")?,
        track_count: r.u16("TrackCount")?,
        key_count: r.u16("KeyCount")?,
        user_data_size: r.u32("UserDataSize")?,
        user_data: r.u32("UserDataOffset")?,
    })
}

/// # Errors
/// When it is not whole.
pub fn read_sequence(r: &mut FieldReader<'_>) -> Result<Sequence, Fault> {
    let (name, tracks) = (r.u32("NameOffset")?, r.u32("TrackOffset")?);
    let track_count = r.u16("TrackCount")?;
    r.pad(2)?;
    Ok(Sequence { name, tracks, track_count })
}

/// # Errors
/// When it is not whole.
pub fn read_track(r: &mut FieldReader<'_>) -> Result<Track, Fault> {
    let (length, keys) = (r.f32("Length")?, r.u32("KeyOffset")?);
    let (key_count, id) = (r.u16("KeyCount")?, r.u16("TrackId")?);
    let at = r.offset();
    let quantization = r.raw().u8()?;
    r.record("Quantization", "u8", at, || named(quantization, quantization_name(quantization)));
    let at = r.offset();
    let kind = r.raw().u8()?;
    let names = || KINDS.iter().filter(|(bit, _)| kind & bit != 0).map(|(_, name)| *name).collect();
    r.record("Type", "u8", at, || Value::Flags { value: kind.into(), names: names() });
    let at = r.offset();
    let interpolation = r.raw().u8()?;
    r.record("Interpolation", "u8", at, || named(interpolation, interpolation_name(kind, interpolation)));
    let replaces =
        r.named_u8("Replace", |v| Some(if v == 0 { "relative to the bind pose" } else { "replaces the bind pose" }))?;
    let replaces = replaces != 0;
    Ok(Track { length, keys, key_count, id, quantization, kind, interpolation, replaces })
}

/// # Errors
/// When it is not whole.
pub fn read_key(r: &mut FieldReader<'_>) -> Result<Key, Fault> {
    Ok(Key { time: r.f32("Time")?, setting: r.u32("SettingOffset")?, curve: r.u32("CurveOffset")? })
}

fn named(value: u8, name: String) -> Value {
    Value::Enum { value: value.into(), name: name.into() }
}

fn quantization_name(quantization: u8) -> String {
    match Number::of_code(u32::from(quantization >> 4)) {
        Some(Number::F32) => "f32".to_owned(),
        Some(number) => format!("{} / 2^{}", number.name(), quantization & 0xF),
        None => "unknown".to_owned(),
    }
}

/// What the bits say of what there is.
fn interpolation_name(kind: u8, interpolation: u8) -> String {
    const VECTORS: [&str; 4] = ["step", "linear", "Bézier", "Hermite"];
    const QUATERNIONS: [&str; 8] = ["step", "?", "?", "?", "squad", "eased squad", "slerp", "?"];
    let of = |names: &[&'static str], bits: u8| names.get(usize::from(bits)).copied().unwrap_or("?");
    let mut parts = Vec::new();
    if kind & TRANSLATION != 0 {
        parts.push(format!("translation {}", of(&VECTORS, interpolation & 3)));
    }
    if kind & SCALE != 0 {
        parts.push(format!("scale {}", of(&VECTORS, interpolation >> 2 & 3)));
    }
    if kind & QUATERNION != 0 {
        parts.push(format!("rotation {}", of(&QUATERNIONS, interpolation >> 4 & 7)));
    } else if kind & EULER != 0 {
        parts.push(format!("rotation {}", of(&VECTORS[..3], interpolation >> 4 & 7)));
    }
    parts.join(", ")
}

impl Layout {
    /// # Errors
    /// In words, when it is not known how such keys are laid out.
    pub fn of(track: &Track) -> Result<Self, String> {
        let Track { kind, interpolation, quantization, .. } = *track;
        let is = |bit: u8| kind & bit != 0;
        if kind & !(TRANSLATION | SCALE | EULER | QUATERNION | MATRIX) != 0 {
            return Err(format!("type 0x{kind:02X} has unknown flags"));
        }
        if is(EULER) && is(QUATERNION) || is(MATRIX) && kind != MATRIX {
            return Err(format!("type 0x{kind:02X} has conflicting flags"));
        }
        if kind == 0 {
            return Err("no channels".to_owned());
        }
        let Some(number) = Number::of_code(u32::from(quantization >> 4)) else {
            return Err(format!("unknown number format 0x{quantization:02X}"));
        };
        let curve = |bits: u8| match bits & 3 {
            0 => Curve::Step,
            1 => Curve::Linear,
            2 => Curve::Bezier,
            _ => Curve::Hermite,
        };
        let turns = interpolation >> 4 & 7;
        let unknown = || format!("unknown rotation interpolation ({turns})");
        let rotation = match turns {
            0..=2 if is(EULER) => Some(Rotation::Euler(curve(turns))),
            0 if is(QUATERNION) => Some(Rotation::Step),
            4 | 5 if is(QUATERNION) => Some(Rotation::Squad { eased: turns == 5 }),
            6 if is(QUATERNION) => Some(Rotation::Slerp),
            _ if is(EULER) || is(QUATERNION) => return Err(unknown()),
            _ => None,
        };
        Ok(Self {
            scale: is(SCALE).then(|| curve(interpolation >> 2)),
            rotation,
            translation: is(TRANSLATION).then(|| curve(interpolation)),
            matrix: is(MATRIX),
            number,
            shift: quantization & 0xF,
        })
    }

    /// Bytes of three numbers.
    fn vector_size(&self) -> u32 {
        (self.number.size() as u32).saturating_mul(3)
    }

    /// Bytes of a key's setting.
    pub fn setting_size(&self) -> u32 {
        if self.matrix {
            return 48;
        }
        let vectors =
            [self.scale.is_some(), self.translation.is_some(), matches!(self.rotation, Some(Rotation::Euler(_)))];
        let count = vectors.into_iter().filter(|there| *there).count() as u32;
        let quaternion = if matches!(self.rotation, None | Some(Rotation::Euler(_))) { 0 } else { 8 };
        count.saturating_mul(self.vector_size()).saturating_add(quaternion)
    }

    /// Bytes of what a key says about the way to and from it; 0 where nothing is said.
    pub fn curve_size(&self) -> u32 {
        let of_vector = |curve: Option<Curve>| match curve {
            Some(Curve::Bezier) => self.vector_size().saturating_mul(2),
            Some(Curve::Hermite) => self.vector_size().saturating_mul(2).saturating_add(4),
            _ => 0,
        };
        let rotation = match self.rotation {
            Some(Rotation::Euler(curve)) => of_vector(Some(curve)),
            Some(Rotation::Squad { eased: false }) => 16,
            Some(Rotation::Squad { eased: true }) => 20,
            _ => 0,
        };
        of_vector(self.scale).saturating_add(rotation).saturating_add(of_vector(self.translation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(quantization: u8, kind: u8, interpolation: u8) -> Track {
        Track { length: 1.0, keys: 0, key_count: 1, id: 0, quantization, kind, interpolation, replaces: true }
    }

    #[test]
    fn bits_say_what_keys_hold_and_how_long_they_are() {
        let layout = |q, k, i| Layout::of(&track(q, k, i)).unwrap();
        // Translation linear, quaternion slerp.
        let found = layout(0x3B, 0x09, 0x61);
        assert_eq!(
            (found.translation, found.rotation, found.scale),
            (Some(Curve::Linear), Some(Rotation::Slerp), None)
        );
        assert_eq!((found.setting_size(), found.curve_size(), found.shift), (14, 0, 11));
        // Translation Bézier, scale Hermite: 12 + 16 bytes.
        let found = layout(0x3A, 0x03, 0x0E);
        assert_eq!((found.translation, found.scale), (Some(Curve::Bezier), Some(Curve::Hermite)));
        assert_eq!((found.setting_size(), found.curve_size()), (12, 28));
        assert_eq!(layout(0x40, 0x04, 0x20).curve_size(), 24);
        assert_eq!((layout(0x00, 0x0F & 0x0B, 0x50).setting_size(), layout(0x00, 0x08, 0x50).curve_size()), (14, 20));
        assert_eq!(layout(0x30, 0x10, 0x00).setting_size(), 48);
        // Bit 7 means nothing.
        assert_eq!(layout(0x3B, 0x09, 0xE1), layout(0x3B, 0x09, 0x61));
    }

    #[test]
    fn what_is_not_known_is_said_in_words() {
        for (q, k, i, says) in [
            (0x3B, 0x2A, 0x60, "unknown flags"),
            (0x3B, 0x0C, 0x60, "conflicting flags"),
            (0x3B, 0x11, 0x00, "conflicting flags"),
            (0x3B, 0x00, 0x00, "no channels"),
            (0x5B, 0x01, 0x01, "unknown number format"),
            (0x3B, 0x08, 0x10, "unknown rotation interpolation"),
            (0x3B, 0x04, 0x30, "unknown rotation interpolation"),
        ] {
            let message = Layout::of(&track(q, k, i)).unwrap_err();
            assert!(message.contains(says), "{message}");
        }
    }
}
