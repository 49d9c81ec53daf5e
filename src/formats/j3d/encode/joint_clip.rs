//! BCK and BCA: animations of joints (formats/j3d.md §3).

use super::{
    file::{Chunk, Tool, count16, file},
    tracks::{Bank, Number, Track},
};

/// What an axis of something does: of a joint, or of a texture matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AxisTracks<T = Track> {
    /// Scale factor.
    pub scale: T,
    /// Units of `65536 / 2ˢʰⁱᶠᵗ` a turn.
    pub rotation: T,
    /// Translation along the axis.
    pub translation: T,
}

/// A sound that a clip plays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoundEvent {
    /// Number of the sound.
    pub id: u32,
    /// First frame.
    pub start_frame: f32,
    /// Last frame.
    pub end_frame: f32,
    /// Coarse pitch as stored.
    pub pitch: f32,
    /// Flags as stored.
    pub flags: u32,
    /// Volume as stored.
    pub volume: u8,
    /// Fine pitch as stored.
    pub fine_pitch: u8,
    /// Loop count as stored.
    pub loop_count: u8,
    /// Pan as stored.
    pub pan: u8,
}

/// An animation of joints: keyed as a BCK, or with a value for every frame as a BCA.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointClip<T = Track> {
    /// 0 once, 1 once and back to the start, 2 again and again, 3 forth and back, 4 forth and back again and again.
    pub loop_mode: u8,
    /// Rotations are shifted to the left by this; 0 in a BCA.
    pub rotation_shift: u8,
    /// In frames.
    pub duration: u16,
    /// X, Y, Z of each joint, by the model's order.
    pub joints: Vec<[AxisTracks<T>; 3]>,
    /// Sounds, written behind the chunk (formats/j3d.md §3.3); if empty, no sound data is written.
    pub sounds: Vec<SoundEvent>,
}

/// A keyed animation.
pub fn encode_bck(clip: &JointClip) -> Vec<u8> {
    let mut banks = [Bank::new(Number::F32), Bank::new(Number::I16), Bank::new(Number::F32)];
    let table = axis_table(clip.joints.iter().flatten(), &mut banks);
    let chunk = joints(b"ANK1", clip.loop_mode, clip.rotation_shift, clip, &table, &banks);
    with_sounds(file(b"J3D1bck1", tool(clip), &[chunk]), &clip.sounds)
}

/// An animation with a value for each frame: rotations in units of 65536 a turn.
pub fn encode_bca(clip: &JointClip<Vec<f32>>) -> Vec<u8> {
    let mut banks = [Bank::new(Number::F32), Bank::new(Number::I16), Bank::new(Number::F32)];
    let [scales, rotations, translations] = &mut banks;
    let table: Vec<u16> = (clip.joints.iter().flatten())
        .flat_map(|axis| {
            [scales.full(&axis.scale), rotations.full(&axis.rotation), translations.full(&axis.translation)]
        })
        .flatten()
        .collect();
    let chunk = joints(b"ANF1", clip.loop_mode, 0xFF, clip, &table, &banks);
    with_sounds(file(b"J3D1bca1", tool(clip), &[chunk]), &clip.sounds)
}

/// Nine tracks for each three axes, their numbers pooled as scales, rotations, translations.
pub(super) fn axis_table<'a>(axes: impl Iterator<Item = &'a AxisTracks>, banks: &mut [Bank; 3]) -> Vec<u16> {
    let [scales, rotations, translations] = banks;
    axes.flat_map(|axis| {
        [scales.keyed(&axis.scale), rotations.keyed(&axis.rotation), translations.keyed(&axis.translation)]
    })
    .flatten()
    .collect()
}

fn joints<T>(
    tag: &[u8; 4],
    loop_mode: u8,
    shift: u8,
    clip: &JointClip<T>,
    table: &[u16],
    banks: &[Bank; 3],
) -> Vec<u8> {
    let mut out = Chunk::new(tag);
    out.u8(loop_mode);
    out.u8(shift);
    out.u16(clip.duration);
    out.u16(count16(clip.joints.len()));
    banks.iter().for_each(|bank| out.u16(bank.len()));
    let [table_at, bank_slots @ ..] = out.slots::<4>();
    out.align(32);
    out.fill(table_at);
    out.u16s(table);
    for (bank, slot) in banks.iter().zip(bank_slots) {
        out.align(32);
        out.fill(slot);
        bank.write(&mut out);
    }
    out.finish()
}

/// Sounds count where the tool that wrote them is named.
fn tool<T>(clip: &JointClip<T>) -> Tool {
    if clip.sounds.is_empty() { Tool::Unsaid } else { Tool::Svr1 }
}

/// Puts sounds behind the chunks and their place into the header's last word.
fn with_sounds(mut file: Vec<u8>, sounds: &[SoundEvent]) -> Vec<u8> {
    if sounds.is_empty() {
        return file;
    }
    let at = super::file::count32(file.len());
    file.extend_from_slice(&count16(sounds.len()).to_be_bytes());
    file.extend_from_slice(&[0x0C, 0, 0, 0, 0, 0]);
    for sound in sounds {
        file.extend_from_slice(&sound.id.to_be_bytes());
        for value in [sound.start_frame, sound.end_frame, sound.pitch] {
            file.extend_from_slice(&value.to_be_bytes());
        }
        file.extend_from_slice(&sound.flags.to_be_bytes());
        file.extend_from_slice(&[sound.volume, sound.fine_pitch, sound.loop_count, sound.pan, 0]);
        file.extend_from_slice(&[0; 7]);
    }
    let size = super::file::count32(file.len());
    let words = [(0x08_usize, size), (0x1C, at)];
    for (word, value) in words {
        for (place, byte) in file.iter_mut().skip(word).zip(value.to_be_bytes()) {
            *place = byte;
        }
    }
    file
}
