//! BRK, BPK and BPA: animations of colours (formats/j3d.md §5.2, §5.3).

use super::{
    file::{Chunk, Slot, Tool, count16, file, name_table},
    tracks::{Bank, Number, Track},
};

/// What a colour of a material does: red, green, blue, alpha.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColorTracks<T = Track> {
    /// Name of the material.
    pub material: String,
    /// Of a register clip: which register (0 to 2) or constant (0 to 3).
    pub id: u8,
    /// Tracks of red, green, blue and alpha.
    pub parts: [T; 4],
}

/// An animation of the combiner's colour registers and constants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegisterClip {
    /// As [`super::JointClip::loop_mode`].
    pub loop_mode: u8,
    /// Duration in frames.
    pub duration: u16,
    /// Colour registers C0 to C2; values range from -1024 to 1023.
    pub registers: Vec<ColorTracks>,
    /// Constants K0 to K3; values range from 0 to 255.
    pub konsts: Vec<ColorTracks>,
}

/// An animation of materials' colours: keyed as a BPK, or with a value for every frame as a BPA.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialColorClip<T = Track> {
    /// Loop mode, as [`super::JointClip::loop_mode`].
    pub loop_mode: u8,
    /// Duration in frames.
    pub duration: u16,
    /// Material colour 0 of each material; values range from 0 to 255.
    pub colors: Vec<ColorTracks<T>>,
}

/// Tracks of colours with a pool for each part.
struct Set {
    table: Vec<u16>,
    banks: [Bank; 4],
}

impl Set {
    fn keyed(tracks: &[ColorTracks]) -> Self {
        Self::new(Number::I16, tracks, |bank, track| bank.keyed(track).to_vec())
    }

    fn full(tracks: &[ColorTracks<Vec<f32>>]) -> Self {
        Self::new(Number::U8, tracks, |bank, track| bank.full(track).to_vec())
    }

    fn new<T>(number: Number, tracks: &[ColorTracks<T>], pool: impl Fn(&mut Bank, &T) -> Vec<u16>) -> Self {
        let mut banks = [number; 4].map(Bank::new);
        let table = tracks
            .iter()
            .flat_map(|color| {
                banks.iter_mut().zip(&color.parts).flat_map(|(bank, part)| pool(bank, part)).collect::<Vec<_>>()
            })
            .collect();
        Self { table, banks }
    }

    fn write_banks(&self, out: &mut Chunk, slots: [Slot; 4]) {
        for (bank, slot) in self.banks.iter().zip(slots) {
            out.align(4);
            out.fill(slot);
            bank.write(out);
        }
    }
}

/// Material numbers as they come, then names.
fn materials<T>(out: &mut Chunk, colors: &[ColorTracks<T>], [indices, names]: [Slot; 2]) {
    out.align(4);
    out.fill(indices);
    (0..colors.len()).for_each(|index| out.u16(count16(index)));
    out.align(4);
    out.fill(names);
    name_table(out, colors.iter().map(|c| c.material.as_str()));
}

/// An animation of registers and constants as a file.
pub fn encode_brk(clip: &RegisterClip) -> Vec<u8> {
    let (registers, konsts) = (Set::keyed(&clip.registers), Set::keyed(&clip.konsts));
    let mut out = Chunk::new(b"TRK1");
    out.u8(clip.loop_mode);
    out.u8(0xFF);
    out.u16(clip.duration);
    out.u16(count16(clip.registers.len()));
    out.u16(count16(clip.konsts.len()));
    for bank in registers.banks.iter().chain(&konsts.banks) {
        out.u16(bank.len());
    }
    let [register_table, konst_table, register_indices, konst_indices, register_names, konst_names] = out.slots();
    let (register_banks, konst_banks) = (out.slots(), out.slots());
    out.align(32);
    for (set, tracks, slot) in [(&registers, &clip.registers, register_table), (&konsts, &clip.konsts, konst_table)] {
        out.fill(slot);
        for (row, color) in set.table.chunks(12).zip(tracks) {
            out.u16s(row);
            out.bytes(&[color.id, 0xFF, 0xFF, 0xFF]);
        }
    }
    materials(&mut out, &clip.registers, [register_indices, register_names]);
    materials(&mut out, &clip.konsts, [konst_indices, konst_names]);
    registers.write_banks(&mut out, register_banks);
    konsts.write_banks(&mut out, konst_banks);
    file(b"J3D1brk1", Tool::Svr1, &[out.finish()])
}

/// A keyed animation of materials' colours as a file.
pub fn encode_bpk(clip: &MaterialColorClip) -> Vec<u8> {
    let chunk = material_colors(b"PAK1", clip, &Set::keyed(&clip.colors));
    file(b"J3D1bpk1", Tool::Svr1, &[chunk])
}

/// An animation of materials' colours with a value for each frame as a file.
pub fn encode_bpa(clip: &MaterialColorClip<Vec<f32>>) -> Vec<u8> {
    let chunk = material_colors(b"PAF1", clip, &Set::full(&clip.colors));
    file(b"J3D1bpa1", Tool::Unsaid, &[chunk])
}

fn material_colors<T>(tag: &[u8; 4], clip: &MaterialColorClip<T>, set: &Set) -> Vec<u8> {
    let mut out = Chunk::new(tag);
    out.u8(clip.loop_mode);
    out.bytes(&[0xFF; 3]);
    out.u16(clip.duration);
    out.u16(count16(clip.colors.len()));
    set.banks.iter().for_each(|bank| out.u16(bank.len()));
    let [table, indices, names] = out.slots();
    let banks = out.slots();
    out.align(32);
    out.fill(table);
    out.u16s(&set.table);
    materials(&mut out, &clip.colors, [indices, names]);
    set.write_banks(&mut out, banks);
    out.finish()
}
