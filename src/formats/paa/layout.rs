//! The parts of a file (formats/containers.md §7.1): a kind of pixels, tags, a palette, mips.

use super::{
    info::{self, FURTHER, PIXELS, TAG},
    swizzle::Swizzle,
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Code, Field, Value,
        field_reader::{Fault, FieldReader},
    },
    scene::BlockKind,
};
use std::ops::Range;

/// How pixels are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelKind {
    /// BC1 blocks.
    Dxt1,
    /// BC2 blocks; colours are multiplied with their alpha.
    Dxt2,
    /// BC2 blocks.
    Dxt3,
    /// BC3 blocks; colours are multiplied with their alpha.
    Dxt4,
    /// BC3 blocks.
    Dxt5,
    /// 16 bits a pixel: 4 bits each of alpha, red, green, blue.
    Argb4444,
    /// 16 bits a pixel: 1 bit of alpha, 5 bits each of red, green, blue.
    Argb1555,
    /// 32 bits a pixel: bytes of blue, green, red, alpha.
    Argb8888,
    /// Intensity and alpha.
    Ai88,
    /// Numbers into the palette.
    Palette,
}

impl PixelKind {
    /// By the word that a file begins with.
    pub fn of_word(word: u16) -> Option<Self> {
        Some(match word {
            0xFF01 => Self::Dxt1,
            0xFF02 => Self::Dxt2,
            0xFF03 => Self::Dxt3,
            0xFF04 => Self::Dxt4,
            0xFF05 => Self::Dxt5,
            0x4444 => Self::Argb4444,
            0x1555 => Self::Argb1555,
            0x8888 => Self::Argb8888,
            0x8080 => Self::Ai88,
            _ => return None,
        })
    }

    /// Returns the name of the kind: `DXT1`, `P8`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dxt1 => "DXT1",
            Self::Dxt2 => "DXT2",
            Self::Dxt3 => "DXT3",
            Self::Dxt4 => "DXT4",
            Self::Dxt5 => "DXT5",
            Self::Argb4444 => "ARGB4444",
            Self::Argb1555 => "ARGB1555",
            Self::Argb8888 => "ARGB8888",
            Self::Ai88 => "AI88",
            Self::Palette => "P8",
        }
    }

    /// The kind of blocks that it is stored in.
    pub fn blocks(self) -> Option<BlockKind> {
        match self {
            Self::Dxt1 => Some(BlockKind::Bc1),
            Self::Dxt2 | Self::Dxt3 => Some(BlockKind::Bc2),
            Self::Dxt4 | Self::Dxt5 => Some(BlockKind::Bc3),
            _ => None,
        }
    }

    /// Colours are multiplied with their alpha.
    pub fn is_premultiplied(self) -> bool {
        matches!(self, Self::Dxt2 | Self::Dxt4)
    }

    /// Bytes of a mip, unpacked. `None` when the number overflows.
    pub fn size_of(self, width: u32, height: u32) -> Option<usize> {
        let bytes = match self {
            Self::Argb8888 => 4,
            Self::Argb4444 | Self::Argb1555 | Self::Ai88 => 2,
            Self::Palette => 1,
            _ => return self.blocks()?.size_of(width, height),
        };
        (width as usize).checked_mul(height as usize)?.checked_mul(bytes)
    }
}

/// What a tag begins with.
pub const TAG_START: [u8; 4] = *b"GGAT";
/// Colours of a palette.
pub const MAX_COLORS: u16 = 256;
/// A picture of 16384 pixels has 15.
const MAX_MIPS: usize = 64;
/// The largest side, in pixels.
const LARGEST_SIDE: u32 = 16_384;
/// The largest mip, in bytes when it is shown.
const LARGEST: u64 = 256 << 20;
/// In a width: the mip is packed by LZO.
pub const LZO: u16 = 0x8000;
/// In the place of width and height: these follow, and the mip is packed by LZSS.
const LZSS_MARK: (u16, u16) = (1234, 8765);

/// What a file says of its alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alpha {
    /// Nothing: it is opaque.
    #[default]
    None,
    /// Alpha is blended (`FLAG` 1).
    Smooth,
    /// Pixels are opaque or cut out by their alpha (`FLAG` 2).
    CutOut,
}

/// How the pixels of a mip are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// As they are.
    Raw,
    /// LZO1X (formats/containers.md §7.2), for blocks only.
    Lzo,
    /// With a sum. Some writers leave them as they are, which their size tells.
    Lzss,
    /// Run lengths of palette indices (formats/containers.md §7.1).
    Runs,
}

/// One image, as it is stored.
#[derive(Clone, Debug)]
pub struct Mip {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Packing of the stored bytes.
    pub packing: Packing,
    /// The bytes that it is stored in, as far as the file has them.
    pub stored: Range<u64>,
    /// Bytes that the file does not have.
    pub missing: u64,
}

/// Something that is wrong.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// Code of the diagnostic.
    pub code: &'static Code,
    /// Bytes from the start of the file.
    pub offset: u64,
    /// One sentence without a period.
    pub message: String,
}

impl Mip {
    /// No picture is so large.
    pub fn is_absurd(&self) -> bool {
        let shown = u64::from(self.width).saturating_mul(u64::from(self.height)).saturating_mul(4);
        self.width > LARGEST_SIDE || self.height > LARGEST_SIDE || shown > LARGEST
    }
}

impl Trouble {
    /// Creates a trouble from its code, its offset in the file and its message.
    pub fn new(code: &'static Code, offset: u64, message: impl Into<String>) -> Self {
        Self { code, offset, message: message.into() }
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::new(&info::TRUNCATED, fault.offset, fault.message)
    }
}

/// What a file says, without its pixels.
#[derive(Clone, Debug)]
pub struct Paa {
    /// Storage of the pixels.
    pub kind: PixelKind,
    /// Red, green, blue, alpha.
    pub average: Option<[u8; 4]>,
    /// Use of the alpha channel; `Alpha::None` if the file does not state it.
    pub alpha: Alpha,
    /// Mapping of stored channels to picture channels (formats/containers.md §7.5); `None` without the tag `SWIZ`.
    pub swizzle: Option<Swizzle>,
    /// Red, green, blue.
    pub palette: Vec<[u8; 3]>,
    /// The largest first.
    pub mips: Vec<Mip>,
    /// What is wrong with it, though it can be used.
    pub troubles: Vec<Trouble>,
}

impl Paa {
    /// Reads a whole file; `is_pac` says what the pixels of one are that does not say it.
    ///
    /// # Errors
    /// When nothing of it can be used.
    pub fn read(source: &Source, is_pac: bool) -> Result<Self, Trouble> {
        Self::read_with(&mut FieldReader::new(source, 0..source.len() as u64, Endian::Little), is_pac)
    }

    /// The fields of a whole file.
    pub fn fields(source: &Source, is_pac: bool) -> Vec<Field> {
        let mut r = FieldReader::new(source, 0..source.len() as u64, Endian::Little).recording();
        // What could be read when it was opened can be read again.
        let _ = Self::read_with(&mut r, is_pac);
        r.into_fields()
    }

    fn read_with(r: &mut FieldReader<'_>, is_pac: bool) -> Result<Self, Trouble> {
        let word = r.fork().u16("").unwrap_or_default();
        let known = PixelKind::of_word(word);
        if known.is_some() {
            r.named_u16("Type", |word| PixelKind::of_word(word).map(PixelKind::name))?;
        }
        let unnamed = if is_pac { PixelKind::Palette } else { PixelKind::Argb4444 };
        let mut paa = Self {
            kind: known.unwrap_or(unnamed),
            average: None,
            alpha: Alpha::None,
            swizzle: None,
            palette: Vec::new(),
            mips: Vec::new(),
            troubles: Vec::new(),
        };
        while r.fork().tag::<4>("").is_ok_and(|tag| tag == TAG_START) {
            paa.read_tag(r)?;
        }
        paa.read_palette(r)?;
        if let Err(trouble) = paa.read_mips(r) {
            paa.troubles.push(trouble);
        }
        let left = r.left();
        if left > 0 {
            let message = format!("extra bytes after the image: {left}");
            paa.troubles.push(Trouble::new(&info::TRAILING, r.offset(), message));
            r.bytes("Extra data", format!("u8[{left}]"), left, Value::Opaque(FURTHER))?;
        }
        Ok(paa)
    }

    fn read_tag(&mut self, r: &mut FieldReader<'_>) -> Result<(), Trouble> {
        let mut ahead = r.fork();
        ahead.tag::<4>("")?;
        let mut name = ahead.tag::<4>("")?;
        name.reverse();
        let size = ahead.u32("")?;
        if size as usize > ahead.left() {
            let message = format!("a tag specifies {size} bytes, but only {} bytes are left", ahead.left());
            return Err(Trouble::new(&info::TABLE, r.offset(), message));
        }
        let called = name.escape_ascii().to_string();
        r.group(called, "tag", |r| {
            r.tag::<4>("Signature")?;
            r.tag::<4>("Name (reversed)")?;
            r.u32("Size")?;
            self.read_tag_data(r, &name, size as usize)
        })?;
        Ok(())
    }

    fn read_tag_data(&mut self, r: &mut FieldReader<'_>, name: &[u8; 4], size: usize) -> Result<(), Fault> {
        match (name, size) {
            (b"AVGC", 4) => self.average = Some(color(r, "Average colour")?),
            (b"MAXC", 4) => {
                color(r, "Maximum colour")?;
            }
            (b"FLAG", 4) => {
                let flag = r.named_u32("Alpha", |flag| match flag {
                    1 => Some("blended"),
                    2 => Some("cutout"),
                    _ => None,
                })?;
                self.alpha = match flag {
                    1 => Alpha::Smooth,
                    2 => Alpha::CutOut,
                    _ => Alpha::None,
                };
            }
            (b"SWIZ", 4) => self.swizzle = Some(Swizzle(r.u8s::<4>("Swizzle (alpha, red, green, blue)")?)),
            (b"OFFS", _) if size.is_multiple_of(4) => {
                r.records("Mip offsets", "u32", (size / 4) as u64, 4, |r, _| r.u32("Offset"))?;
            }
            (b"PROC", _) => {
                r.text("Procedure", size, crate::bytes::text::decode)?;
            }
            _ if size > 0 => {
                r.bytes("Data", format!("u8[{size}]"), size, Value::Opaque(TAG))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn read_palette(&mut self, r: &mut FieldReader<'_>) -> Result<(), Trouble> {
        let at = r.offset();
        let count = r.u16("Palette size")?;
        if count > MAX_COLORS {
            let message = format!("the palette has {count} colours. The maximum is {MAX_COLORS}");
            return Err(Trouble::new(&info::TABLE, at, message));
        }
        self.palette = r.records("Palette", "blue, green, red", u64::from(count), 3, |r, _| {
            let at = r.offset();
            let [b, g, r_] = r.raw().array::<3>()?;
            r.record("Colour", "BGR8", at, || Value::Color([r_, g, b, 255]));
            Ok([r_, g, b])
        })?;
        Ok(())
    }

    fn read_mips(&mut self, r: &mut FieldReader<'_>) -> Result<(), Trouble> {
        loop {
            let start = r.offset();
            let mut ahead = r.fork();
            let (width, height) = (ahead.u16("")?, ahead.u16("")?);
            if (width, height) == (0, 0) {
                r.u16("End marker (width)")?;
                r.u16("End marker (height)")?;
                // Most files have another zero, and nothing after it.
                if r.left() >= 2 && r.fork().u16("").is_ok_and(|word| word == 0) {
                    r.u16("End")?;
                }
                return Ok(());
            }
            if self.mips.len() >= MAX_MIPS {
                let message = format!("the image has more than {MAX_MIPS} mips");
                return Err(Trouble::new(&info::TABLE, start, message));
            }
            let number = self.mips.len();
            let kind = self.kind;
            let mip = r.group(format!("Mip {number}"), "mip", |r| read_mip(r, kind))?;
            // Of what is too large to be shown it does not matter.
            if mip.missing > 0 && !mip.is_absurd() {
                let (there, missing) = (mip.stored.end.saturating_sub(mip.stored.start), mip.missing);
                let message = format!("mip {number} ends after {there} bytes. {missing} bytes are missing");
                self.troubles.push(Trouble::new(&info::TRUNCATED, mip.stored.start, message));
            } else if mip.width == 0 || mip.height == 0 {
                let message = format!("mip {number} is empty ({} × {} pixels)", mip.width, mip.height);
                self.troubles.push(Trouble::new(&info::TABLE, start, message));
            }
            let is_cut = mip.missing > 0;
            self.mips.push(mip);
            if is_cut {
                return Ok(());
            }
        }
    }
}

/// Blue, green, red, alpha as red, green, blue, alpha.
fn color(r: &mut FieldReader<'_>, name: &'static str) -> Result<[u8; 4], Fault> {
    let at = r.offset();
    let [b, g, red, a] = r.raw().array::<4>()?;
    r.record(name, "BGRA8", at, || Value::Color([red, g, b, a]));
    Ok([red, g, b, a])
}

fn read_mip(r: &mut FieldReader<'_>, kind: PixelKind) -> Result<Mip, Fault> {
    let (width, height) = (r.u16("Width")?, r.u16("Height")?);
    let is_palette = kind == PixelKind::Palette;
    let (width, height, packing) = if kind.blocks().is_some() {
        let packing = if width & LZO != 0 { Packing::Lzo } else { Packing::Raw };
        (width & !LZO, height, packing)
    } else if is_palette && (width, height) == LZSS_MARK {
        (r.u16("Width")?, r.u16("Height")?, Packing::Lzss)
    } else {
        (width, height, if is_palette { Packing::Runs } else { Packing::Lzss })
    };
    let at = r.offset();
    let [low, middle, high] = r.raw().array::<3>()?;
    let size = u32::from_le_bytes([low, middle, high, 0]);
    r.record("Stored size", "u24", at, || Value::UInt(u64::from(size)));
    let there = (size as usize).min(r.left());
    let start = r.offset();
    if there > 0 {
        r.bytes("Pixels", format!("u8[{there}]"), there, Value::Opaque(PIXELS))?;
    }
    let missing = u64::from(size).saturating_sub(there as u64);
    Ok(Mip { width: width.into(), height: height.into(), packing, stored: start..r.offset(), missing })
}
