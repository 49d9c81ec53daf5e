//! Pictures in files of their own: PNG, TGA, BMP, DDS.

use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Base, Content, EntryId, FieldTree, LoadContext, Outline, Purpose, ReadError, Role, Value,
        common_codes::BAD_PICTURE,
        field_reader::{Fault, FieldReader},
        picture,
    },
};
use std::sync::Arc;

/// One kind of picture file.
pub struct ImageFileFormat(pub &'static Kind);

impl Format for ImageFileFormat {
    fn info(&self) -> &'static FormatInfo {
        &self.0.info
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        (self.0.is)(head, hint)
    }

    fn stands_beside_others(&self) -> bool {
        true
    }

    fn open(&self, source: Source, _: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(ImageDocument::new(self.0, source)))
    }
}

/// What tells one kind of picture file from the others.
pub struct Kind {
    /// Id, name and extensions of the format.
    pub info: FormatInfo,
    /// Scores the first bytes of a file and its name.
    pub is: fn(head: &[u8], hint: &Hint<'_>) -> Score,
    /// Reads a whole file into fields.
    pub layout: Layout,
}

const fn info(id: &'static str, name: &'static str, extensions: &'static [&'static str]) -> FormatInfo {
    FormatInfo { id, name, family: "pictures", extensions, companions: &[], opaque: OPAQUE, codes: &[], metres: 1.0 }
}

fn certain(is: bool) -> Score {
    if is { Score::Certain } else { Score::No }
}

/// PNG, recognised by its signature.
pub static PNG: Kind = Kind {
    info: info("png", "PNG image", &["png"]),
    is: |head, _| certain(head.starts_with(b"\x89PNG\r\n\x1A\n")),
    layout: png,
};
/// DDS, recognised by its magic and the size of its header.
pub static DDS: Kind = Kind {
    info: info("dds", "DirectDraw surface", &["dds"]),
    is: |head, _| certain(head.starts_with(b"DDS \x7C\0\0\0")),
    layout: dds,
};
/// BMP, recognised by its magic, unused bytes and the size of its second header.
pub static BMP: Kind =
    Kind { info: info("bmp", "BMP image", &["bmp"]), is: |head, _| certain(is_bmp(head)), layout: bmp };
/// Nothing at its start says what it is, so the file's name must.
pub static TGA: Kind = Kind {
    info: info("tga", "TGA image", &["tga"]),
    is: |head, hint| if hint.extension() == "tga" && is_tga(head) { Score::Likely } else { Score::No },
    layout: tga,
};

/// Two letters alone would take any text that starts with them: the unused bytes and the size of the second header as well.
fn is_bmp(head: &[u8]) -> bool {
    let [b'B', b'M', _, _, _, _, 0, 0, 0, 0, _, _, _, _, size, 0, 0, 0, ..] = head else { return false };
    matches!(size, 12 | 40 | 52 | 56 | 64 | 108 | 124)
}

fn is_tga(head: &[u8]) -> bool {
    let [_, map, kind, _, _, _, _, map_bits, _, _, _, _, _, _, _, _, bits, _, ..] = head else { return false };
    let has_map = *map == 1 && matches!(map_bits, 15 | 16 | 24 | 32);
    (*map == 0 || has_map) && matches!(kind, 1 | 2 | 3 | 9 | 10 | 11) && matches!(bits, 8 | 15 | 16 | 24 | 32)
}

/// Reads a whole file into fields.
type Layout = fn(&mut FieldReader<'_>) -> Result<(), Fault>;

fn rest(r: &mut FieldReader<'_>, name: &'static str, of: &'static str) -> Result<(), Fault> {
    data(r, name, r.left(), of)
}

fn data(r: &mut FieldReader<'_>, name: &'static str, count: usize, of: &'static str) -> Result<(), Fault> {
    if count > 0 {
        r.bytes(name, format!("u8[{count}]"), count, Value::Opaque(of))?;
    }
    Ok(())
}

/// A signature, then chunks, each with its size, its name and a check sum.
fn png(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.tag::<8>("Signature")?;
    let mut is_over = false;
    while !is_over && r.left() >= 12 {
        let mut ahead = r.fork();
        ahead.u32("Size")?;
        let name = ahead.tag::<4>("Type")?.escape_ascii().to_string();
        r.group(name, "Chunk", |r| {
            let size = r.u32("Size")?;
            let tag = r.tag::<4>("Type")?;
            is_over = tag == *b"IEND";
            let size = (size as usize).min(r.left().saturating_sub(4));
            if tag == *b"IHDR" && size == 13 {
                r.u32("Width")?;
                r.u32("Height")?;
                r.u8("Bits per channel")?;
                r.named_u8("Colour type", |kind| match kind {
                    0 => Some("grey"),
                    2 => Some("RGB"),
                    3 => Some("palette"),
                    4 => Some("grey + alpha"),
                    6 => Some("RGBA"),
                    _ => None,
                })?;
                r.u8("Compression")?;
                r.u8("Filter")?;
                r.u8("Interlaced")?;
            } else if tag.first().is_some_and(u8::is_ascii_uppercase) {
                data(r, "Data", size, PIXELS)?;
            } else {
                data(r, "Data", size, EXTRA)?;
            }
            r.u32("Checksum").map(|_| ())
        })?;
    }
    rest(r, "Extra data", EXTRA)
}

/// A header of the file, one of the picture, a palette, the pixels.
fn bmp(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.group("File header", "BITMAPFILEHEADER", |r| {
        r.tag::<2>("Type")?;
        r.u32("Size")?;
        r.u16("Reserved 1")?;
        r.u16("Reserved 2")?;
        r.u32("Pixel offset")
    })?;
    r.group("Image header", "BITMAPINFOHEADER", |r| {
        let end = r.offset();
        let size = r.u32("Size")?;
        let end = end.saturating_add(u64::from(size));
        if size == 12 {
            r.u16("Width")?;
            r.u16("Height")?;
            r.u16("Planes")?;
            r.u16("Bits per pixel")?;
            return Ok(());
        }
        r.i32("Width")?;
        r.i32("Height")?;
        r.u16("Planes")?;
        r.u16("Bits per pixel")?;
        r.named_u32("Compression", |kind| match kind {
            0 => Some("none"),
            1 => Some("8-bit RLE"),
            2 => Some("4-bit RLE"),
            3 | 6 => Some("bit masks"),
            _ => None,
        })?;
        r.u32("Pixel data size")?;
        r.i32("Pixels per metre (X)")?;
        r.i32("Pixels per metre (Y)")?;
        r.u32("Colours")?;
        r.u32("Important colours")?;
        let left = usize::try_from(end.saturating_sub(r.offset())).unwrap_or(usize::MAX);
        data(r, "Masks and colour space", left.min(r.left()), PIXELS)
    })?;
    rest(r, "Palette and pixels", PIXELS)
}

/// A header of 18 bytes, a name, a palette, the pixels.
fn tga(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    let name = r.group("Header", "TGA header", |r| {
        let name = r.u8("Name length")?;
        r.u8("Palette")?;
        r.named_u8("Image type", |kind| match kind {
            1 => Some("palette"),
            2 => Some("true colour"),
            3 => Some("grey"),
            9 => Some("palette, RLE"),
            10 => Some("true colour, RLE"),
            11 => Some("grey, RLE"),
            _ => None,
        })?;
        r.u16("First colour index")?;
        r.u16("Colours")?;
        r.u8("Bits per colour")?;
        r.u16("X")?;
        r.u16("Y")?;
        r.u16("Width")?;
        r.u16("Height")?;
        r.u8("Bits per pixel")?;
        r.u8("Alpha bits and orientation")?;
        Ok(name)
    })?;
    let name = usize::from(name).min(r.left());
    if name > 0 {
        r.text("Name", name, |bytes| bytes.escape_ascii().to_string())?;
    }
    rest(r, "Palette and pixels", PIXELS)
}

/// A header, for newer kinds of pixels a second one, then the mips of each surface.
fn dds(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.tag::<4>("Magic")?;
    let four_cc = r.group("Header", "DDS_HEADER", |r| {
        r.u32("Size")?;
        r.u32("Flags")?;
        r.u32("Height")?;
        r.u32("Width")?;
        r.u32("Pitch or size")?;
        r.u32("Depth")?;
        r.u32("Mips")?;
        r.bytes("Reserved", "u32[11]", 44, Value::Raw)?;
        let four_cc = r.group("Pixel format", "DDS_PIXELFORMAT", |r| {
            r.u32("Size")?;
            r.u32("Flags")?;
            let four_cc = r.tag::<4>("FourCC")?;
            r.u32("Bits per pixel")?;
            for name in ["Red", "Green", "Blue", "Alpha"] {
                r.u32(name)?;
            }
            Ok(four_cc)
        })?;
        for name in ["Capabilities 1", "Capabilities 2", "Capabilities 3", "Capabilities 4"] {
            r.u32(name)?;
        }
        r.u32("Reserved 2")?;
        Ok(four_cc)
    })?;
    if &four_cc == b"DX10" {
        r.group("DX10 header", "DDS_HEADER_DXT10", |r| {
            for name in ["DXGI format", "Dimension", "Flags", "Array size", "Alpha mode"] {
                r.u32(name)?;
            }
            Ok(())
        })?;
    }
    rest(r, "Mips", PIXELS)
}

/// The name of what another decoder takes whole.
const PIXELS: &str = "image data";
/// The name of what no description of the format speaks of.
const EXTRA: &str = "extra data";

const OPAQUE: &[(&str, &str)] = &[
    (PIXELS, "pixels, read by the image decoder and shown as an image"),
    (EXTRA, "data that is not part of the image, such as metadata"),
];

struct ImageDocument {
    kind: &'static Kind,
    source: Source,
    outline: Outline,
}

impl ImageDocument {
    pub fn new(kind: &'static Kind, source: Source) -> Self {
        let mut outline = Outline::new(Role::Texture, kind.info.name, source.len() as u64);
        outline.set_file_content(Content::Image);
        Self { kind, source, outline }
    }
}

impl Document for ImageDocument {
    fn base(&self) -> Base<'_> {
        Base {
            format: &self.kind.info,
            source: &self.source,
            outline: &self.outline,
            endian: if self.kind.info.id == "png" { Endian::Big } else { Endian::Little },
        }
    }

    fn fields_for(&self, entry: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        self.outline.entry(entry)?;
        let whole = 0..self.source.len() as u64;
        let mut reader = FieldReader::new(&self.source, whole, self.base().endian).recording();
        // What cannot be read is left unread.
        let _ = (self.kind.layout)(&mut reader);
        Ok(FieldTree { fields: reader.into_fields() })
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.outline.entry(entry)?;
        let bytes = self.source.as_slice();
        let decoded = picture::decode_all(cx.stem(), bytes, &cx.limits, cx.options.first_image_only)
            .map_err(|error| ReadError::new(found, error.message).with_kind(error.kind))?;
        if let Some(problem) = decoded.problem {
            cx.diagnostics.report(&BAD_PICTURE, Some(entry), None, problem);
        }
        Ok(Asset::Picture(Arc::new(decoded.picture)))
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        bytes::{Cancel, Limits, Source},
        formats::{
            Asset, Content, Diagnostics, Document, EntryId, LoadContext, LoadOptions, NO_OVERRIDES, NoFiles,
            OpenContext, OpenError, ReadError, Role, coverage::coverage, open,
        },
        scene::Picture,
    };
    use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
    use std::sync::Arc;

    fn opened(name: &str, bytes: Vec<u8>) -> Result<Box<dyn Document>, OpenError> {
        let mut diagnostics = Diagnostics::new(50);
        let mut cx = OpenContext {
            file: name,
            resolver: Arc::new(NoFiles),
            diagnostics: &mut diagnostics,
            limits: Limits::default(),
            overrides: &NO_OVERRIDES,
        };
        open(Source::from(bytes), &mut cx)
    }

    fn shown(document: &dyn Document) -> Result<Arc<Picture>, ReadError> {
        let cancel = Cancel::new();
        let mut diagnostics = Diagnostics::new(50);
        let mut cx = LoadContext {
            file: "wall.png",
            resolver: &NoFiles,
            diagnostics: &mut diagnostics,
            limits: Limits::default(),
            options: LoadOptions::default(),
            cancel: &cancel,
        };
        match document.load(EntryId::FILE, &mut cx)? {
            Asset::Picture(picture) => Ok(picture),
            other => panic!("{other:?}"),
        }
    }

    /// 2 × 1: red, half-transparent blue.
    fn a_png() -> Vec<u8> {
        let mut bytes = Vec::new();
        let rgba = [255, 0, 0, 255, 0, 0, 255, 128];
        PngEncoder::new(&mut bytes).write_image(&rgba, 2, 1, ExtendedColorType::Rgba8).unwrap();
        bytes
    }

    fn a_tga(width: u16, height: u16) -> Vec<u8> {
        let [w, h] = [width.to_le_bytes(), height.to_le_bytes()];
        let mut bytes = vec![2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, w[0], w[1], h[0], h[1], 24, 0x20];
        bytes.extend(b"id\x01\x02\x03\x04\x05\x06");
        bytes
    }

    #[test]
    fn a_picture_file_is_one_image_and_every_byte_of_it_has_a_name() {
        let document = opened("wall.dat", a_png()).unwrap();
        let file = document.outline().get(EntryId::FILE).unwrap();
        assert_eq!((file.content, file.role, document.format().id), (Content::Image, Role::Texture, "png"));
        let picture = shown(&*document).unwrap();
        assert_eq!(
            (picture.name.as_str(), &*picture.image().unwrap().rgba),
            ("wall", [255, 0, 0, 255, 0, 0, 255, 128].as_slice())
        );
        assert!(picture.forms[0].has_alpha && picture.forms[0].name == "PNG RGBA 8");
        let read = coverage(&*document);
        assert_eq!((read.unread, read.doubled.len()), (Vec::new(), 0));
        let fields = document.fields(EntryId::FILE).unwrap().fields;
        let names: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
        assert_eq!(names.first().zip(names.last()), Some((&"Signature", &"IEND")));
        let tga = opened("wall.TGA", a_tga(2, 1)).unwrap();
        assert_eq!(&*shown(&*tga).unwrap().image().unwrap().rgba, [3, 2, 1, 255, 6, 5, 4, 255]);
        assert_eq!((coverage(&*tga).unread, coverage(&*tga).doubled.len()), (Vec::new(), 0));
    }

    #[test]
    fn what_only_looks_like_a_picture_is_none() {
        assert!(opened("a.png", b"PK\x03\x04 a ZIP by another name".to_vec()).is_err());
        assert!(opened("a.txt", b"BMW is no bitmap, and neither is this".to_vec()).is_err());
        assert!(opened("a.dat", a_tga(2, 1)).is_err(), "its name must say it");
        assert!(opened("a.tga", b"#!/bin/sh and so on, no picture".to_vec()).is_err());
    }

    #[test]
    fn sizes_of_nothing_and_of_too_much_open_and_say_why_nothing_is_shown() {
        for (width, height, why) in [(0, 0, "TGA"), (0, 7, "TGA"), (65_535, 65_535, "TGA")] {
            let document = opened("a.tga", a_tga(width, height)).unwrap();
            let error = shown(&*document).unwrap_err();
            assert!(error.message.contains(why) || error.message.contains("pixels"), "{error}");
            assert!(document.fields(EntryId::FILE).is_ok());
        }
        let mut header = a_png();
        header.splice(16..24, [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF]);
        assert!(shown(&*opened("a.png", header).unwrap()).is_err());
        let mut dds = b"DDS \x7C\0\0\0".to_vec();
        dds.resize(128, 0);
        assert!(shown(&*opened("a.dds", dds.clone()).unwrap()).unwrap_err().message.contains("empty image"));
        dds[12..20].copy_from_slice(&[0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0]);
        assert!(shown(&*opened("a.dds", dds).unwrap()).unwrap_err().message.contains("over the limit"));
    }

    #[test]
    fn cut_files_give_a_picture_or_an_error() {
        for (name, bytes) in [("a.png", a_png()), ("a.tga", a_tga(2, 1))] {
            for length in 0..bytes.len() {
                if let Ok(document) = opened(name, bytes[..length].to_vec()) {
                    let _ = shown(&*document);
                    assert!(document.fields(EntryId::FILE).is_ok());
                }
            }
        }
    }
}
