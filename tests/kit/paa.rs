//! Textures of Bohemia's games, made in code.

/// A file that grows.
#[derive(Clone, Default)]
pub struct Paa(pub Vec<u8>);

impl Paa {
    /// With pixels of a kind: 0xFF05.
    pub fn of(kind: u16) -> Self {
        Self(kind.to_le_bytes().to_vec())
    }

    pub fn tag(mut self, name: &[u8; 4], data: &[u8]) -> Self {
        self.0.extend(b"GGAT");
        self.0.extend(name.iter().rev());
        self.0.extend((data.len() as u32).to_le_bytes());
        self.0.extend(data);
        self
    }

    /// Blue, green, red.
    pub fn palette(mut self, colors: &[[u8; 3]]) -> Self {
        self.0.extend((colors.len() as u16).to_le_bytes());
        self.0.extend(colors.as_flattened());
        self
    }

    /// The width may have bit 15 set, for LZO.
    pub fn mip(mut self, width: u16, height: u16, stored: &[u8]) -> Self {
        self.0.extend([width, height].map(u16::to_le_bytes).as_flattened());
        self.0.extend(&(stored.len() as u32).to_le_bytes()[..3]);
        self.0.extend(stored);
        self
    }

    pub fn end(mut self) -> Vec<u8> {
        self.0.extend([0; 6]);
        self.0
    }
}

/// A block of DXT1: red, the last row blue.
pub const RED_AND_BLUE: [u8; 8] = [0x00, 0xF8, 0x1F, 0x00, 0, 0, 0, 0b0101_0101];

/// The bytes as a stream of LZO: one run of literals, of 4 to 238 bytes.
pub fn lzo(bytes: &[u8]) -> Vec<u8> {
    [&[17 + bytes.len() as u8], bytes, &[0x11, 0, 0]].concat()
}

/// A stream of LZSS with its sum.
pub fn lzss(bytes: &[u8]) -> Vec<u8> {
    let (_, sum) = bonebox::formats::lzss::sums(bytes);
    [bonebox::formats::lzss::encode(bytes), sum.to_le_bytes().to_vec()].concat()
}

/// Two mips of DXT1, one of them packed, and every tag.
pub fn rich() -> Vec<u8> {
    Paa::of(0xFF01)
        .tag(b"AVGC", &[30, 20, 10, 255])
        .tag(b"MAXC", &[255; 4])
        .tag(b"FLAG", &2_u32.to_le_bytes())
        .tag(b"SWIZ", &[0, 1, 2, 3])
        .tag(b"PROC", b"#(argb,8,8,3)color(1,0,0,1)")
        .tag(b"WHAT", &[1, 2, 3])
        .tag(b"OFFS", &[0; 64])
        .palette(&[])
        .mip(0x8000 | 8, 8, &lzo(&RED_AND_BLUE.repeat(4)))
        .mip(4, 4, &RED_AND_BLUE)
        .end()
}
