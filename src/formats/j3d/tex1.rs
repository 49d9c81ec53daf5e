//! TEX1: the textures of a model or a material set (formats/j3d.md §9). Several headers may share one block of pixels, and names
//! may repeat.

use super::{
    chunk::{ChunkData, ChunkKind, Findings, Part},
    codes,
    names::read_names,
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Content, Field, LoadContext, Value,
        field_reader::{Fault, FieldReader},
        gx::bti::{Bti, BtiHeader, Decoding, Pixels},
    },
    scene::{Image, gx::Texture},
};
use std::{any::Any, collections::HashMap, ops::Range, sync::Arc};

/// How this file's chunk is read.
pub static KINDS: &[ChunkKind] =
    &[ChunkKind { tag: b"TEX1", read: |r, findings| Ok(Box::new(Tex1::read(r, findings)?)) }];

/// The textures of a file.
#[derive(Clone, Debug)]
pub struct Tex1 {
    pub textures: Vec<Bti>,
    /// One for each texture; empty where the table has none for it.
    pub names: Vec<String>,
    /// The chunk, in bytes from the start of the file.
    range: Range<u64>,
}

impl Tex1 {
    /// Reads the chunk behind its tag and size.
    ///
    /// # Errors
    /// When the header does not fit.
    pub fn read(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Self, Fault> {
        let range = r.range();
        let count = r.u16("TextureCount")?;
        r.pad(2)?;
        let (headers, names) = (r.u32("HeadersOffset")?, r.u32("NamesOffset")?);
        let header_end = r.offset();
        let names = match names {
            0 => Vec::new(),
            offset if u64::from(offset) < header_end.saturating_sub(range.start) => {
                findings.add(&codes::BAD_NAMES, Some(range.start), format!("no names can be at {offset:#X}"));
                Vec::new()
            }
            offset => read_names(r, offset, findings).unwrap_or_else(|fault| {
                findings.add(&codes::BAD_NAMES, Some(fault.offset), fault.message);
                Vec::new()
            }),
        };
        let mut textures = Vec::new();
        let at = range.start.saturating_add(u64::from(headers));
        if count > 0 && (at < header_end || r.seek(at).is_err()) {
            findings.add(&codes::BAD_TABLE, Some(range.start), format!("no texture headers can be at {headers:#X}"));
        } else if count > 0 {
            let fit = r.whole_records(count.into(), BtiHeader::SIZE);
            if fit < usize::from(count) {
                let message = format!("{count} textures are counted, {fit} headers are there");
                findings.add(&codes::BAD_TABLE, Some(at), message);
            }
            let read = |r: &mut FieldReader<'_>, _| {
                let offset = r.offset();
                Ok(Bti { header: BtiHeader::read(r)?, offset })
            };
            textures = r.records("Headers", "ResTIMG", fit as u64, BtiHeader::SIZE, read)?;
        }
        let tex1 = Self { textures, names, range };
        if r.is_recording() {
            let free = header_end.max(at).saturating_add(BtiHeader::SIZE.saturating_mul(tex1.textures.len() as u64));
            tex1.record_blocks(r, free)?;
        } else {
            tex1.check(findings);
        }
        Ok(tex1)
    }

    /// Fields of palettes and pixels, each block once, from `free` on: where blocks overlap the later one has what is left.
    fn record_blocks(&self, r: &mut FieldReader<'_>, free: u64) -> Result<(), Fault> {
        let mut blocks: Vec<(Range<u64>, usize, bool)> = Vec::new();
        for (index, bti) in self.textures.iter().enumerate() {
            blocks.extend(bti.palette_range().map(|range| (range, index, true)));
            blocks.extend(bti.data_range().map(|range| (range, index, false)));
        }
        blocks.sort_by_key(|(range, _, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut free = free;
        for (range, index, is_palette) in blocks {
            let end = range.end.min(self.range.end);
            if end <= free || r.seek(range.start.max(free)).is_err() {
                continue;
            }
            let (name, Some(bti)) = (self.name(index), self.textures.get(index)) else { continue };
            if range.start < free {
                let size = usize::try_from(end.saturating_sub(free)).unwrap_or(0);
                let label = format!("More pixels of {name}");
                r.bytes(label, format!("u8[{size}]"), size, Value::Opaque(crate::formats::gx::bti::PIXELS))?;
            } else if is_palette {
                bti.record_palette(r, format!("Palette of {name}"))?;
            } else {
                bti.record_pixels(r, format!("Pixels of {name}"))?;
            }
            free = end;
        }
        Ok(())
    }

    /// What headers say that has no meaning.
    fn check(&self, findings: &mut Findings) {
        for (index, bti) in self.textures.iter().enumerate() {
            if let Some(message) = bti.unknown_codes() {
                findings.add(&codes::UNKNOWN_CODE, Some(bti.offset), format!("{}: {message}", self.name(index)));
            }
        }
    }

    /// The texture's name, or its place where it has none.
    pub fn name(&self, texture: usize) -> String {
        match self.names.get(texture) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("texture {texture}"),
        }
    }

    fn decoding<'a>(&self, source: &'a Source, cx: &LoadContext<'_>) -> Decoding<'a> {
        Decoding {
            source,
            end: self.range.end,
            limits: cx.limits,
            left: cx.limits.decoded_bytes,
            first_only: cx.options.first_image_only,
        }
    }

    /// Every texture, decoded, in the order of the file. One that cannot be has no images.
    pub fn textures(&self, source: &Source, cx: &LoadContext<'_>, findings: &mut Findings) -> Vec<Arc<Texture>> {
        let mut decoding = Decoding { first_only: false, ..self.decoding(source, cx) };
        let mut decoded: HashMap<Block, Vec<Arc<Image>>> = HashMap::new();
        let mut textures = Vec::with_capacity(self.textures.len());
        for (index, bti) in self.textures.iter().enumerate() {
            let name = self.name(index);
            if cx.cancelled() {
                break;
            }
            let block = Block::of(bti);
            let is_shared = decoded.contains_key(&block);
            let mips = decoded.entry(block).or_insert_with(|| {
                let pixels = bti.pixels(&name, &mut decoding);
                report(&pixels, &name, bti, findings);
                pixels.mips
            });
            // Whoever draws or exports the textures holds each for itself, shared pixels or not.
            let size = mips.iter().fold(0_u64, |sum, image| sum.saturating_add(image.rgba.len() as u64));
            let mips = match decoding.left.checked_sub(if is_shared { size } else { 0 }) {
                Some(left) => {
                    decoding.left = left;
                    mips.as_slice()
                }
                None => {
                    let message = format!("{name}: the decoded textures of the file are over the limit");
                    findings.add(&codes::BAD_TEXTURE, bti.data_start(), message);
                    &[]
                }
            };
            // Textures that share their pixels are told apart by their names.
            let renamed = mips.iter().map(|image| match &**image {
                image if image.name != name => Arc::new(Image { name: name.clone(), ..image.clone() }),
                _ => image.clone(),
            });
            textures.push(Arc::new(bti.texture(name.clone(), renamed.collect())));
        }
        textures
    }
}

/// What decides a texture's pixels.
#[derive(PartialEq, Eq, Hash)]
struct Block {
    data: Option<u64>,
    palette: Option<Range<u64>>,
    format: (u8, u8),
    size: (u16, u16),
    image_count: u8,
}

impl Block {
    fn of(bti: &Bti) -> Self {
        let header = &bti.header;
        Self {
            data: bti.data_start(),
            palette: bti.palette_range(),
            format: (header.format, header.palette_format),
            size: (header.width, header.height),
            image_count: header.image_count,
        }
    }
}

fn report(pixels: &Pixels, name: &str, bti: &Bti, findings: &mut Findings) {
    if let Some(problem) = &pixels.problem {
        findings.add(&codes::BAD_TEXTURE, bti.data_start(), format!("{name}: {problem}"));
    }
}

impl ChunkData for Tex1 {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(index, bti): (usize, &Bti)| Part {
            name: self.name(index),
            class: "Texture",
            range: bti.offset..bti.offset.saturating_add(BtiHeader::SIZE),
            content: Content::Image,
        };
        self.textures.iter().enumerate().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let Some(bti) = self.textures.get(part) else { return Vec::new() };
        let mut r = FieldReader::new(source, bti.offset..self.range.end, Endian::Big).recording();
        // The header was read once without a fault; of the rest whatever is there.
        let _ = BtiHeader::read(&mut r);
        if let Some(range) = bti.palette_range()
            && r.seek(range.start).is_ok()
        {
            let _ = bti.record_palette(&mut r, "Palette".to_owned());
        }
        if let Some(start) = bti.data_start()
            && r.seek(start).is_ok()
        {
            let _ = bti.record_pixels(&mut r, "Pixels".to_owned());
        }
        r.into_fields().into_iter().map(Field::mirrored).collect()
    }

    fn load_part(
        &self,
        source: &Source,
        part: usize,
        cx: &mut LoadContext<'_>,
        findings: &mut Findings,
    ) -> Result<Asset, String> {
        let bti = self.textures.get(part).ok_or("there is no such texture")?;
        let name = self.name(part);
        let pixels = bti.pixels(&name, &mut self.decoding(source, cx));
        if let Some(problem) = pixels.problem.as_ref().filter(|_| pixels.mips.is_empty()) {
            return Err(problem.clone());
        }
        report(&pixels, &name, bti, findings);
        Ok(Asset::Picture(Arc::new(bti.picture(name, pixels))))
    }
}
