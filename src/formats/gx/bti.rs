//! Texture headers: a BTI file's own, and those of TEX1 (formats/j3d.md §9).

use super::texture::{self, Format, Mip, Palette, PaletteFormat};
use crate::{
    bytes::{Limits, Source, numbers::counted},
    formats::{
        TextureHeader, TextureSampling, Value,
        field_reader::{Fault, FieldReader},
    },
    scene::{
        self, Image, Picture, PictureForm, StoredPixels,
        gx::{Filter, Texture, Wrap, names},
    },
};
use std::{borrow::Cow, ops::Range, sync::Arc};

/// Name of the opaque range of pixels, which go to their decoder whole.
pub const PIXELS: &str = "texture pixels";

/// A texture's header. Offsets count from the header itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BtiHeader {
    /// As the chip numbers them ([`Format::of_code`]).
    pub format: u8,
    /// Alpha setting as stored; decoding does not use it.
    pub alpha: u8,
    /// Pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// Wrap mode along S: 0 clamp, 1 repeat, 2 mirror.
    pub wrap_s: u8,
    /// Wrap mode along T, with the codes of `wrap_s`.
    pub wrap_t: u8,
    /// Nonzero if the texture has a palette.
    pub has_palette: u8,
    /// Palette format: 0 IA8, 1 RGB565, 2 RGB5A3 ([`PaletteFormat::of_code`]).
    pub palette_format: u8,
    /// Colours.
    pub palette_count: u16,
    /// Offset of the palette in bytes; 0 if the palette is missing.
    pub palette_offset: u32,
    /// Nonzero if mipmaps are on.
    pub mipmap: u8,
    /// Nonzero if edge LOD is on.
    pub edge_lod: u8,
    /// Nonzero if bias clamp is on.
    pub bias_clamp: u8,
    /// 0, 1, 2 stand for 1, 2, 4.
    pub max_anisotropy: u8,
    /// Minification filter: 0 near, 1 linear, 2 near mip near, 3 linear mip near, 4 near mip linear, 5 linear mip linear.
    pub min_filter: u8,
    /// Magnification filter, with the codes of `min_filter`.
    pub mag_filter: u8,
    /// Eighths.
    pub min_lod: i8,
    /// Maximum LOD, in eighths.
    pub max_lod: i8,
    /// 0 stands for 1.
    pub image_count: u8,
    /// Hundredths.
    pub lod_bias: i16,
    /// 0 for a texture without pixels, which a game fills itself.
    pub data_offset: u32,
}

fn yes_no(code: u8) -> Option<&'static str> {
    ["no", "yes"].get(usize::from(code)).copied()
}

impl BtiHeader {
    /// Bytes.
    pub const SIZE: u64 = 0x20;

    /// Reads a header of [`BtiHeader::SIZE`] bytes from the cursor on.
    ///
    /// # Errors
    /// Returns an error if the data ends before the header does.
    pub fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        let format = r.named_u8("Format", names::texture_format)?;
        let alpha = r.u8("AlphaSetting")?;
        let (width, height) = (r.u16("Width")?, r.u16("Height")?);
        let (wrap_s, wrap_t) = (r.named_u8("WrapS", names::wrap)?, r.named_u8("WrapT", names::wrap)?);
        let has_palette = r.named_u8("HasPalette", yes_no)?;
        let palette_format = r.named_u8("PaletteFormat", names::palette_format)?;
        let (palette_count, palette_offset) = (r.u16("PaletteCount")?, r.u32("PaletteOffset")?);
        let mipmap = r.named_u8("Mipmap", yes_no)?;
        let edge_lod = r.named_u8("EdgeLod", yes_no)?;
        let bias_clamp = r.named_u8("BiasClamp", yes_no)?;
        let max_anisotropy = r.named_u8("MaxAnisotropy", |code| ["1", "2", "4"].get(usize::from(code)).copied())?;
        let min_filter = r.named_u8("MinFilter", names::filter)?;
        let mag_filter = r.named_u8("MagFilter", names::filter)?;
        let (min_lod, max_lod) = (r.i8("MinLod")?, r.i8("MaxLod")?);
        let image_count = r.u8("ImageCount")?;
        r.pad(1)?;
        let (lod_bias, data_offset) = (r.i16("LodBias")?, r.u32("DataOffset")?);
        Ok(Self {
            format,
            alpha,
            width,
            height,
            wrap_s,
            wrap_t,
            has_palette,
            palette_format,
            palette_count,
            palette_offset,
            mipmap,
            edge_lod,
            bias_clamp,
            max_anisotropy,
            min_filter,
            mag_filter,
            min_lod,
            max_lod,
            image_count,
            lod_bias,
            data_offset,
        })
    }

    /// The header in words.
    pub fn described(&self) -> TextureHeader {
        let named = |name: Option<&'static str>, code: u8| name.map_or_else(|| code.to_string().into(), Cow::Borrowed);
        let wrap = |code| named(names::wrap(code), code);
        let filter = |code| named(names::filter(code), code);
        TextureHeader {
            width: self.width.into(),
            height: self.height.into(),
            pixel_format: named(names::texture_format(self.format), self.format),
            image_count: self.image_count,
            sampling: Some(TextureSampling {
                wrap: [wrap(self.wrap_s), wrap(self.wrap_t)],
                filter: [filter(self.min_filter), filter(self.mag_filter)],
            }),
        }
    }

    /// `None` for a code that stands for no format.
    pub fn format(&self) -> Option<Format> {
        Format::of_code(self.format)
    }

    /// The images that the data holds, the largest first; no more than halving leads to.
    pub fn mips(&self) -> impl Iterator<Item = Mip> {
        let side = u32::from(self.width.max(self.height).max(1));
        let most = side.checked_ilog2().unwrap_or(0).saturating_add(1) as u8;
        let (width, height) = (u32::from(self.width), u32::from(self.height));
        let count = self.image_count.clamp(1, most);
        self.format().into_iter().flat_map(move |format| texture::mips(format, width, height, count))
    }
}

/// A texture in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bti {
    /// Header as stored in the file.
    pub header: BtiHeader,
    /// Of the header, in bytes from the start of the file.
    pub offset: u64,
}

/// What decoding may use, shared by the textures of a file.
pub struct Decoding<'a> {
    /// Source that contains the headers, palettes and pixels.
    pub source: &'a Source,
    /// Where the bytes end that may be pixels.
    pub end: u64,
    /// Limits of decoding; only the maximum side of an image is used.
    pub limits: Limits,
    /// Decoded bytes that are still allowed.
    pub left: u64,
    /// Only the largest image of each texture is wanted.
    pub first_only: bool,
}

/// Decoded images of a texture, and one sentence on what is wrong with them.
#[derive(Clone, Debug, Default)]
pub struct Pixels {
    /// Decoded images, the largest first; empty if nothing is stored or nothing can be decoded.
    pub mips: Vec<Arc<Image>>,
    /// Decoded palette; `None` if the format has no palette or the palette cannot be read.
    pub palette: Option<Palette>,
    /// One sentence on the problem; `None` if there is no problem.
    pub problem: Option<String>,
}

impl Bti {
    /// Bytes of the palette, whether they are there or not.
    pub fn palette_range(&self) -> Option<Range<u64>> {
        let header = &self.header;
        let is_used = header.format().is_some_and(Format::has_palette) || header.has_palette != 0;
        let size = u64::from(header.palette_count).saturating_mul(2);
        if !is_used || size == 0 || header.palette_offset == 0 {
            return None;
        }
        let start = self.offset.saturating_add(u64::from(header.palette_offset));
        Some(start..start.saturating_add(size))
    }

    /// Where the pixels begin; `None` for a texture without any.
    pub fn data_start(&self) -> Option<u64> {
        let offset = self.header.data_offset;
        (offset != 0).then(|| self.offset.saturating_add(u64::from(offset)))
    }

    /// Bytes of all images, whether they are there or not.
    pub fn data_range(&self) -> Option<Range<u64>> {
        let start = self.data_start()?;
        let last = self.header.mips().last()?;
        Some(start..start.saturating_add(last.offset.saturating_add(last.size) as u64))
    }

    /// One sentence on codes of the header that have no meaning.
    pub fn unknown_codes(&self) -> Option<String> {
        let header = &self.header;
        let has_pixels = header.data_offset != 0;
        let codes = [
            (
                "format",
                header.format,
                names::texture_format(header.format).filter(|n| !n.is_empty()).is_some() || !has_pixels,
            ),
            ("wrap mode", header.wrap_s, names::wrap(header.wrap_s).is_some()),
            ("wrap mode", header.wrap_t, names::wrap(header.wrap_t).is_some()),
            ("filter", header.min_filter, names::filter(header.min_filter).is_some()),
            ("filter", header.mag_filter, names::filter(header.mag_filter).is_some()),
            ("anisotropy", header.max_anisotropy, header.max_anisotropy < 3),
        ];
        let unknown: Vec<String> =
            codes.iter().filter(|(_, _, known)| !known).map(|(what, code, _)| format!("{what} {code}")).collect();
        (!unknown.is_empty()).then(|| format!("unknown values: {}", unknown.join(", ")))
    }

    /// Decodes the images. A texture without data has none, and nothing is wrong with that.
    pub fn pixels(&self, name: &str, cx: &mut Decoding<'_>) -> Pixels {
        let mut pixels = Pixels::default();
        let Some(start) = self.data_start() else { return pixels };
        if let Err(problem) = self.decode(name, start, cx, &mut pixels) {
            pixels.problem = Some(problem);
        }
        pixels
    }

    fn decode(&self, name: &str, start: u64, cx: &mut Decoding<'_>, pixels: &mut Pixels) -> Result<(), String> {
        let header = &self.header;
        let format = header.format().ok_or_else(|| format!("unknown texture format {}", header.format))?;
        let (width, height) = (u32::from(header.width), u32::from(header.height));
        if width.max(height) > cx.limits.image_side {
            return Err(format!("the image size of {width} × {height} pixels is over the limit"));
        }
        if format.has_palette() {
            // Many headers may name one palette.
            let size = u64::from(header.palette_count).saturating_mul(4);
            cx.left = cx.left.checked_sub(size).ok_or("the decoded textures of the file exceed the memory limit")?;
            pixels.palette = Some(self.palette(cx)?);
        }
        let data = bytes(cx.source, start..cx.end.max(start));
        let whole = texture::size_of(format, width, height).unwrap_or(usize::MAX);
        // A few bytes must not make a huge picture of nothing.
        if data.len() < whole / 8 {
            return Err(format!(
                "{width} × {height} pixels in {} need {whole} bytes, but only {} bytes were found",
                format.name(),
                data.len()
            ));
        }
        let mut buffer = Vec::new();
        for (level, mip) in header.mips().enumerate() {
            let present = data.get(mip.offset..).unwrap_or_default();
            if present.is_empty() {
                return Err(format!("image {level} of {} is outside the file", header.image_count.max(1)));
            }
            let size = u64::from(mip.width).saturating_mul(u64::from(mip.height)).saturating_mul(4);
            cx.left = cx.left.checked_sub(size).ok_or("the decoded textures of the file exceed the memory limit")?;
            let decoded =
                texture::decode_into(format, mip.width, mip.height, present, pixels.palette.as_ref(), &mut buffer)
                    .map_err(|error| error.to_string())?;
            if pixels.problem.is_none() && decoded.missing_bytes > 0 {
                pixels.problem = Some(format!("the last {} bytes of image {level} are missing", decoded.missing_bytes));
            }
            if pixels.problem.is_none() && decoded.beyond_palette > 0 {
                let count = counted(decoded.beyond_palette, "pixel");
                pixels.problem = Some(format!("the palette has no colour for {count} of image {level}"));
            }
            pixels.mips.push(Arc::new(Image {
                name: name.to_owned(),
                width: mip.width,
                height: mip.height,
                rgba: buffer.as_slice().into(),
                stored_as: format.name().to_owned(),
            }));
            if cx.first_only {
                break;
            }
        }
        Ok(())
    }

    fn palette(&self, cx: &Decoding<'_>) -> Result<Palette, String> {
        let code = self.header.palette_format;
        let format = PaletteFormat::of_code(code).ok_or_else(|| format!("unknown palette format {code}"))?;
        let range = self.palette_range().ok_or("the palette is missing")?;
        let range = range.start..range.end.min(cx.end.max(range.start));
        let palette = Palette::decode(format, bytes(cx.source, range));
        if palette.is_empty() { Err("the palette is outside the file".to_owned()) } else { Ok(palette) }
    }

    /// The texture as materials read it.
    pub fn texture(&self, name: String, mips: Vec<Arc<Image>>) -> Texture {
        let header = &self.header;
        Texture {
            name,
            mips,
            wrap_s: Wrap::of_code(header.wrap_s),
            wrap_t: Wrap::of_code(header.wrap_t),
            min_filter: Filter::of_code(header.min_filter),
            mag_filter: Filter::of_code(header.mag_filter),
            min_lod: f32::from(header.min_lod) / 8.0,
            max_lod: f32::from(header.max_lod) / 8.0,
            lod_bias: f32::from(header.lod_bias) / 100.0,
            max_anisotropy: 1_u8.checked_shl(header.max_anisotropy.min(2).into()).unwrap_or(1),
        }
    }

    /// The texture as a picture, with what its header says of it.
    pub fn picture(&self, name: String, pixels: Pixels) -> Picture {
        let has_alpha = pixels.mips.first().is_some_and(|image| image.has_alpha());
        let form = PictureForm {
            name: self
                .header
                .format()
                .map_or_else(|| format!("format {}", self.header.format), |f| f.name().to_owned()),
            mips: pixels.mips,
            stored: StoredPixels::Decoded,
            has_alpha,
        };
        let palette = pixels.palette.map(|palette| {
            let format = PaletteFormat::of_code(self.header.palette_format).map_or("", PaletteFormat::name);
            Arc::new(scene::Palette { name: format!("{name} ({format})"), colors: palette.rgba().collect() })
        });
        Picture { name, forms: vec![form], palette, facts: self.facts(), ..Picture::default() }
    }

    fn facts(&self) -> Vec<(String, String)> {
        let header = &self.header;
        let named = |name: Option<&str>, code: u8| name.map_or_else(|| code.to_string(), str::to_owned);
        let wrap = |code| named(names::wrap(code), code);
        let filter = |code| named(names::filter(code), code);
        let lod = |eighths: i8| f32::from(eighths) / 8.0;
        let on = |code: u8| if code != 0 { "on" } else { "off" }.to_owned();
        let anisotropy = 1_u32.checked_shl(header.max_anisotropy.min(2).into()).unwrap_or(1);
        let mut facts = vec![
            ("Wrap S, T".to_owned(), format!("{}, {}", wrap(header.wrap_s), wrap(header.wrap_t))),
            ("Min and mag filter".to_owned(), format!("{}, {}", filter(header.min_filter), filter(header.mag_filter))),
            ("Mip levels".to_owned(), header.image_count.max(1).to_string()),
            ("LOD".to_owned(), format!("{} to {}", lod(header.min_lod), lod(header.max_lod))),
            ("LOD bias".to_owned(), (f32::from(header.lod_bias) / 100.0).to_string()),
            ("Anisotropy".to_owned(), format!("{anisotropy}×")),
            ("Mipmaps".to_owned(), on(header.mipmap)),
            ("Edge LOD".to_owned(), on(header.edge_lod)),
            ("Bias clamp".to_owned(), on(header.bias_clamp)),
            ("Alpha setting".to_owned(), header.alpha.to_string()),
        ];
        if self.data_start().is_none() {
            facts.insert(0, ("Pixels".to_owned(), "not stored (the game provides the pixels)".to_owned()));
        }
        facts
    }

    /// Records the palette and the pixels, as far as they lie in the reader's range.
    pub fn record_data(&self, r: &mut FieldReader<'_>) {
        if let Some(range) = self.palette_range()
            && r.seek(range.start).is_ok()
        {
            // What is cut short was reported where the texture was opened.
            let _ = self.record_palette(r, "Palette".to_owned());
        }
        if let Some(start) = self.data_start()
            && r.seek(start).is_ok()
        {
            let _ = self.record_pixels(r, "Pixels".to_owned());
        }
    }

    /// Records the palette's colours from the cursor on, as many as are whole.
    pub fn record_palette(&self, r: &mut FieldReader<'_>, label: String) -> Result<(), Fault> {
        let count = r.whole_records(self.header.palette_count.into(), 2) as u64;
        let Some(format) = PaletteFormat::of_code(self.header.palette_format) else {
            return r.records(label, "u16", count, 2, |r, _| r.u16("Color")).map(|_| ());
        };
        let read = move |r: &mut FieldReader<'_>, _| {
            let at = r.offset();
            let word = r.raw().array::<2>()?;
            let color = Palette::decode(format, &word).rgba().next().unwrap_or_default();
            r.record("Color", format.name(), at, || Value::Color(color));
            Ok(())
        };
        r.records(label, format.name(), count, 2, read).map(|_| ())
    }

    /// Records the images from the cursor on, as far as they are there.
    pub fn record_pixels(&self, r: &mut FieldReader<'_>, label: String) -> Result<(), Fault> {
        let name = self.header.format().map_or("", Format::name);
        r.group(label, name, |r| {
            for (level, mip) in self.header.mips().enumerate() {
                let size = mip.size.min(r.left());
                if size > 0 {
                    let kind = format!("{name} {}×{}", mip.width, mip.height);
                    r.bytes(format!("Image {level}"), kind, size, Value::Opaque(PIXELS))?;
                }
            }
            Ok(())
        })
    }
}

fn bytes(source: &Source, range: Range<u64>) -> &[u8] {
    let end = range.end.min(source.len() as u64);
    let range = usize::try_from(range.start).ok().zip(usize::try_from(end).ok());
    range.and_then(|(start, end)| source.as_slice().get(start..end)).unwrap_or_default()
}
