//! What is switched on when a primitive list is drawn: display states add up from list to list (formats/charpipe.md §4.1).

/// A texture layer, as display state 1 sets it. Codes are the chip's ([`crate::scene::gx::Wrap`], [`crate::scene::gx::Filter`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layer {
    /// Into the model's textures.
    pub texture: u16,
    pub wrap_s: u8,
    pub wrap_t: u8,
    pub min_filter: u8,
    pub mag_filter: u8,
}

/// Sluggers' shader, as display state 7 names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shader {
    /// `Spec`, `Shdw` …; zeros for none.
    pub code: [u8; 4],
    /// 255ths.
    pub strength: u8,
}

/// Everything that decides what a primitive list looks like; lists with the same make one surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DrawState {
    pub layers: [Option<Layer>; 8],
    /// Display state 4: a nibble for each layer; `None` where the file never sets it.
    pub tev: Option<u32>,
    /// Display state 6 (Sluggers): bits of the pixel state.
    pub pixel: Option<u32>,
    pub shader: Option<Shader>,
    /// Vertices have colours of their own.
    pub vertex_colors: bool,
    /// The only entry of the colour array.
    pub constant_color: Option<[u8; 4]>,
    /// The object has normals to be lit by: its ambient percentage, as the bits of an f32.
    pub ambient_bits: Option<u32>,
    /// Sets of texture coordinates that the vertices have.
    pub uv_sets: u8,
}
