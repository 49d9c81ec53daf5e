//! BTK and BTP: animations of texture matrices and of which texture a slot has (formats/j3d.md §4, §5.1).

use super::{
    file::{Chunk, Slot, Tool, count16, file, name_table},
    joint_clip::{AxisTracks, axis_table},
    tracks::{Bank, Number},
};

/// What a texture matrix of a material does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextureTracks {
    /// Name of the material.
    pub material: String,
    /// Texture matrix 0 to 7.
    pub slot: u8,
    /// Centre of the matrix: S, T, Q. The Maya form does not use it (formats/j3d.md §4).
    pub center: [f32; 3],
    /// S, T, Q: scales and translations of S and T count, and the rotation of Q.
    pub axes: [AxisTracks; 3],
}

/// An animation of texture matrices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextureClip {
    /// As [`super::JointClip::loop_mode`].
    pub loop_mode: u8,
    /// Left shift of rotation values when they are read (formats/j3d.md §2.2).
    pub rotation_shift: u8,
    /// Duration in frames.
    pub duration: u16,
    /// Animated texture matrices; several may belong to one material.
    pub tracks: Vec<TextureTracks>,
    /// The second set, which games store and leave alone.
    pub post_tracks: Vec<TextureTracks>,
    /// Matrices are put together as Maya does.
    pub maya: bool,
}

/// An animation of texture matrices as a file.
pub fn encode_btk(clip: &TextureClip) -> Vec<u8> {
    let mut out = Chunk::new(b"TTK1");
    out.u8(clip.loop_mode);
    out.u8(clip.rotation_shift);
    out.u16(clip.duration);
    let (main, post) = (Set::new(&clip.tracks), Set::new(&clip.post_tracks));
    main.counts(&mut out);
    let main_slots = main.offsets(&mut out);
    post.counts(&mut out);
    let post_slots = post.offsets(&mut out);
    out.u32(u32::from(clip.maya));
    main.tables(&mut out, main_slots);
    if !clip.post_tracks.is_empty() {
        post.tables(&mut out, post_slots);
    }
    file(b"J3D1btk1", Tool::Svr1, &[out.finish()])
}

/// The tracks of one of the two sets, pooled.
struct Set<'a> {
    tracks: &'a [TextureTracks],
    table: Vec<u16>,
    banks: [Bank; 3],
}

impl<'a> Set<'a> {
    fn new(tracks: &'a [TextureTracks]) -> Self {
        let mut banks = [Bank::new(Number::F32), Bank::new(Number::I16), Bank::new(Number::F32)];
        let table = axis_table(tracks.iter().flat_map(|t| &t.axes), &mut banks);
        Self { tracks, table, banks }
    }

    fn counts(&self, out: &mut Chunk) {
        out.u16(count16(self.tracks.len().saturating_mul(3)));
        self.banks.iter().for_each(|bank| out.u16(bank.len()));
    }

    fn offsets(&self, out: &mut Chunk) -> [Slot; 8] {
        out.slots()
    }

    fn tables(&self, out: &mut Chunk, slots: [Slot; 8]) {
        let [table, indices, names, matrices, centers, banks @ ..] = slots;
        out.align(32);
        out.fill(table);
        out.u16s(&self.table);
        out.align(4);
        out.fill(indices);
        (0..self.tracks.len()).for_each(|index| out.u16(count16(index)));
        out.align(4);
        out.fill(names);
        name_table(out, self.tracks.iter().map(|t| t.material.as_str()));
        out.align(4);
        out.fill(matrices);
        self.tracks.iter().for_each(|t| out.u8(t.slot));
        out.align(4);
        out.fill(centers);
        self.tracks.iter().for_each(|t| out.f32s(&t.center));
        for (bank, slot) in self.banks.iter().zip(banks) {
            out.align(4);
            out.fill(slot);
            bank.write(out);
        }
    }
}

/// Which texture a slot of a material has, frame by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatternTrack {
    /// Name of the material.
    pub material: String,
    /// Texture map 0 to 7.
    pub slot: u8,
    /// Numbers of textures of the model.
    pub textures: Vec<u16>,
}

/// An animation of textures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatternClip {
    /// Loop mode, as in [`super::JointClip::loop_mode`].
    pub loop_mode: u8,
    /// Duration in frames; may be 0.
    pub duration: u16,
    /// Animated texture slots; several may belong to one material.
    pub tracks: Vec<PatternTrack>,
}

/// An animation of textures as a file.
pub fn encode_btp(clip: &PatternClip) -> Vec<u8> {
    let mut bank = Bank::new(Number::U16);
    let runs = |track: &PatternTrack| {
        let textures: Vec<f32> = track.textures.iter().map(|t| f32::from(*t)).collect();
        bank.full(&textures)
    };
    let table: Vec<[u16; 2]> = clip.tracks.iter().map(runs).collect();
    let mut out = Chunk::new(b"TPT1");
    out.u8(clip.loop_mode);
    out.u8(0xFF);
    out.u16(clip.duration);
    out.u16(count16(clip.tracks.len()));
    out.u16(bank.len());
    let [table_at, bank_at, indices, names] = out.slots();
    out.fill(table_at);
    for (run, track) in table.iter().zip(&clip.tracks) {
        out.u16s(run);
        out.bytes(&[track.slot, 0xFF, 0xFF, 0xFF]);
    }
    out.fill(bank_at);
    bank.write(&mut out);
    out.align(4);
    out.fill(indices);
    (0..clip.tracks.len()).for_each(|index| out.u16(count16(index)));
    out.align(4);
    out.fill(names);
    name_table(&mut out, clip.tracks.iter().map(|t| t.material.as_str()));
    file(b"J3D1btp1", Tool::Unsaid, &[out.finish()])
}
