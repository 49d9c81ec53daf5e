//! Display states and what they draw (formats/charpipe.md §4.1, §4.2).

use super::bytes::count16;

/// The chip's opcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrimitiveKind {
    /// Quads, opcode 0x80.
    Quads,
    /// Triangles, opcode 0x90.
    Triangles,
    /// A triangle strip, opcode 0x98.
    Strip,
    /// A triangle fan, opcode 0xA0.
    Fan,
    /// Lines, opcode 0xA8.
    Lines,
    /// A line strip, opcode 0xB0.
    LineStrip,
    /// Points, opcode 0xB8.
    Points,
}

impl PrimitiveKind {
    fn opcode(self) -> u8 {
        match self {
            Self::Quads => 0x80,
            Self::Triangles => 0x90,
            Self::Strip => 0x98,
            Self::Fan => 0xA0,
            Self::Lines => 0xA8,
            Self::LineStrip => 0xB0,
            Self::Points => 0xB8,
        }
    }
}

/// The numbers of a vertex; the layout says which of them a list has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vertex {
    /// A slot of [`Setting::Matrix`].
    pub matrix: u8,
    /// Index into the position array.
    pub position: u16,
    /// Index into the normal array.
    pub normal: u16,
    /// Indices into the colour array, one per colour channel.
    pub colors: [u16; 2],
    /// Indices of texture coordinates, one per channel.
    pub uvs: [u16; 8],
}

/// How wide a number of a vertex is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// The vertex does not have the attribute.
    #[default]
    None,
    /// The value itself: nothing that games do.
    Direct,
    /// An 8-bit index.
    Index8,
    /// A 16-bit index.
    Index16,
}

impl Width {
    fn code(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Direct => 1,
            Self::Index8 => 2,
            Self::Index16 => 3,
        }
    }

    fn push(self, number: u16, out: &mut Vec<u8>) {
        let [_, low] = number.to_be_bytes();
        match self {
            Self::None => {}
            Self::Direct | Self::Index8 => out.push(low),
            Self::Index16 => out.extend(number.to_be_bytes()),
        }
    }
}

/// Which numbers vertices have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// A byte: three times the slot.
    pub matrix: bool,
    /// Width of the position's index.
    pub position: Width,
    /// Width of the normal's index.
    pub normal: Width,
    /// Width of the index of each colour channel.
    pub colors: [Width; 2],
    /// Width of the index of each texture coordinate channel.
    pub uvs: [Width; 8],
}

impl Layout {
    fn code(&self) -> u32 {
        let matrix = if self.matrix { Width::Direct } else { Width::None };
        let all = [matrix, self.position, self.normal].into_iter().chain(self.colors).chain(self.uvs);
        all.enumerate().fold(0, |code, (place, width)| code | width.code() << place.saturating_mul(2).min(30))
    }

    fn push(&self, vertex: &Vertex, out: &mut Vec<u8>) {
        if self.matrix {
            out.push(vertex.matrix.saturating_mul(3));
        }
        self.position.push(vertex.position, out);
        self.normal.push(vertex.normal, out);
        let rest = self.colors.into_iter().zip(vertex.colors).chain(self.uvs.into_iter().zip(vertex.uvs));
        rest.for_each(|(width, number)| width.push(number, out));
    }
}

/// What a state sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// State 1: the texture of a layer.
    Texture {
        /// Index of the texture, 13 bits.
        index: u16,
        /// Layer, 0 to 7.
        layer: u8,
        /// 0 clamp, 1 repeat, 2 mirror.
        wrap: [u8; 2],
        /// 0 near, 1 linear, 2 to 5 with mips.
        min_filter: u8,
        /// Magnification, with the codes of `min_filter`.
        mag_filter: u8,
    },
    /// The vertex descriptor: state 3, or 2 in Superstar Baseball.
    Layout(Layout),
    /// One nibble a layer: 0 modulate, 1 decal, 2 blend, 3 replace, 4 the vertex colour alone, 15 none.
    Tev(u32),
    /// A bone by its number in depth-first order.
    Matrix {
        /// Matrix slot, 0 to 9.
        slot: u16,
        /// Number of the bone.
        bone: u16,
    },
    /// Sluggers.
    Pixel(u32),
    /// Sluggers.
    Shader {
        /// FourCC of the shader, such as `Spec`; zeros for none.
        name: [u8; 4],
        /// Specular strength, in 255ths.
        strength: u8,
    },
    /// Anything.
    Other {
        /// Number of the state.
        id: u8,
        /// The three parameter bytes.
        params: [u8; 3],
        /// The setting word.
        setting: u32,
    },
}

/// Whose numbers states have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Build {
    /// The SDK and Sluggers.
    #[default]
    Common,
    /// Superstar Baseball.
    Baseball,
}

/// A command of a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Draw {
    /// A primitive and its vertices.
    Primitive(PrimitiveKind, Vec<Vertex>),
    /// Bytes as they are: other commands of the chip.
    Bytes(Vec<u8>),
}

/// A state, and what is drawn once it is set.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Setting that is applied before drawing.
    pub setting: Setting,
    /// Commands of the primitive list; empty for no list.
    pub draws: Vec<Draw>,
}

impl State {
    /// Draws nothing.
    pub fn set(setting: Setting) -> Self {
        Self { setting, draws: Vec::new() }
    }

    /// Applies a setting, then draws a list.
    pub fn drawing(setting: Setting, draws: Vec<Draw>) -> Self {
        Self { setting, draws }
    }

    /// Number, parameters and setting as the file has them.
    pub(super) fn words(&self, build: Build) -> ([u8; 4], u32) {
        let of = |common, baseball| if build == Build::Common { common } else { baseball };
        match self.setting {
            Setting::Texture { index, layer, wrap: [s, t], min_filter, mag_filter } => {
                let nibble = |value: u8, place: u32| (u32::from(value) & 15) << place;
                let low = u32::from(index) & 0x1FFF | (u32::from(layer) & 7) << 13;
                ([1, 0, 0, 0], low | nibble(s, 16) | nibble(t, 20) | nibble(min_filter, 24) | nibble(mag_filter, 28))
            }
            Setting::Layout(layout) => ([of(3, 2), 0, 0, 0], layout.code()),
            Setting::Tev(modes) => ([4, 0, 0, 0], modes),
            Setting::Matrix { slot, bone } => ([of(5, 3), 0, 0, 0], u32::from(bone) << 16 | u32::from(slot)),
            Setting::Pixel(bits) => ([6, 0, 0, 0], bits),
            Setting::Shader { name, strength } => ([7, strength, 0, 0], u32::from_be_bytes(name)),
            Setting::Other { id, params: [a, b, c], setting } => ([id, a, b, c], setting),
        }
    }

    /// The list, a multiple of 32 bytes; nothing when nothing is drawn.
    pub(super) fn list(&self, layout: Layout) -> Vec<u8> {
        let mut out = Vec::new();
        for draw in &self.draws {
            match draw {
                Draw::Bytes(bytes) => out.extend_from_slice(bytes),
                Draw::Primitive(kind, vertices) => {
                    out.push(kind.opcode());
                    out.extend_from_slice(&count16(vertices.len()).to_be_bytes());
                    vertices.iter().for_each(|vertex| layout.push(vertex, &mut out));
                }
            }
        }
        out.resize(super::bytes::align32(out.len()), 0);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_the_words_of_the_games() {
        let texture = Setting::Texture { index: 0, layer: 0, wrap: [1, 1], min_filter: 5, mag_filter: 1 };
        assert_eq!(State::set(texture).words(Build::Common), ([1, 0, 0, 0], 0x1511_0000));
        let layout = Layout {
            position: Width::Index8,
            normal: Width::Index16,
            colors: [Width::None; 2],
            uvs: [Width::Index8; 8],
            matrix: true,
        };
        assert_eq!(layout.code(), 0b10_1010_1010_1010_1000_0011_1001);
        assert_eq!(State::set(Setting::Layout(layout)).words(Build::Baseball).0, [2, 0, 0, 0]);
        assert_eq!(State::set(Setting::Matrix { slot: 3, bone: 7 }).words(Build::Common), ([5, 0, 0, 0], 0x0007_0003));
        let spec = Setting::Shader { name: *b"Spec", strength: 100 };
        assert_eq!(State::set(spec).words(Build::Common), ([7, 100, 0, 0], 0x5370_6563));
    }
}
