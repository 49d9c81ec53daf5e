//! TEX1: the textures of a model or a material set (formats/j3d.md §9). Several headers may share one block of pixels, and names
//! may repeat.

use super::{
    codes,
    file::{ChunkData, ChunkKind, Findings, Part},
    names::read_names,
};
use crate::{
    bytes::{Endian, Source, numbers::counted},
    formats::{
        Asset, Content, Field, LoadContext, Role, TextureHeader,
        field_reader::{Fault, FieldReader},
        gx::{
            bti::{Bti, BtiHeader, Decoding, Pixels},
            bti_set::{self, Block},
        },
    },
    scene::gx::Texture,
};
use std::{any::Any, ops::Range, sync::Arc};

/// How this file's chunk is read.
pub static KINDS: &[ChunkKind] =
    &[ChunkKind { tag: b"TEX1", read: |r, findings| Ok(Box::new(Tex1::read(r, findings)?)) }];

/// The textures of a file.
#[derive(Clone, Debug)]
pub struct Tex1 {
    /// Headers of the textures, in the order of the chunk.
    pub textures: Vec<Bti>,
    /// One for each texture; empty where the table has none for it.
    pub names: Vec<String>,
    /// The chunk, in bytes from the start of the file.
    range: Range<u64>,
    /// For each texture, whether it may be decoded.
    affordable: Vec<bool>,
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
                findings.add(
                    &codes::BAD_NAMES,
                    Some(range.start),
                    format!("the name table has the invalid offset {offset:#X}"),
                );
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
            findings.add(
                &codes::BAD_TABLE,
                Some(range.start),
                format!("the table of texture headers has the invalid offset {headers:#X}"),
            );
        } else if count > 0 {
            let fit = r.whole_records(count.into(), BtiHeader::SIZE);
            if fit < usize::from(count) {
                let message = format!("{} specified, but {} found", counted(count, "texture"), counted(fit, "header"));
                findings.add(&codes::BAD_TABLE, Some(at), message);
            }
            let read = |r: &mut FieldReader<'_>, _| {
                let offset = r.offset();
                Ok(Bti { header: BtiHeader::read(r)?, offset })
            };
            textures = r.records("Headers", "ResTIMG", fit as u64, BtiHeader::SIZE, read)?;
        }
        let affordable = bti_set::affordable(textures.iter().map(Some), &range);
        let tex1 = Self { textures, names, range, affordable };
        if r.is_recording() {
            let free = header_end.max(at).saturating_add(BtiHeader::SIZE.saturating_mul(tex1.textures.len() as u64));
            tex1.record_blocks(r, free)?;
        } else {
            tex1.check(findings);
        }
        Ok(tex1)
    }

    /// Fields of palettes and pixels, from `free` on.
    fn record_blocks(&self, r: &mut FieldReader<'_>, free: u64) -> Result<(), Fault> {
        let of = |(index, bti)| Block::of(bti, self.name(index));
        bti_set::record_blocks(r, self.textures.iter().enumerate().flat_map(of).collect(), free, self.range.end)
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
        let named = self.textures.iter().enumerate().map(|(index, bti)| (bti, self.name(index)));
        let mut report = |index: usize, message: String| {
            let at = self.textures.get(index).map(|bti| bti.offset);
            findings.add(&codes::BAD_TEXTURE, at, message);
        };
        let decoded = bti_set::decode_all(named, &mut decoding, || cx.cancelled(), &mut report);
        let textures = self.textures.iter().enumerate().zip(decoded);
        textures.map(|((index, bti), mips)| Arc::new(bti.texture(self.name(index), mips))).collect()
    }
}

fn report(pixels: &Pixels, name: &str, bti: &Bti, findings: &mut Findings) {
    if let Some(problem) = &pixels.problem {
        findings.add(&codes::BAD_TEXTURE, Some(bti.offset), format!("{name}: {problem}"));
    }
}

impl ChunkData for Tex1 {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(index, bti): (usize, &Bti)| Part {
            name: self.name(index),
            role: Role::Texture,
            class: "Texture",
            range: bti.offset..bti.offset.saturating_add(BtiHeader::SIZE),
            content: Content::Image,
        };
        self.textures.iter().enumerate().map(part).collect()
    }

    fn texture_header(&self, part: usize) -> Option<TextureHeader> {
        self.textures.get(part).map(|bti| bti.header.described())
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let Some(bti) = self.textures.get(part) else { return Vec::new() };
        let mut r = FieldReader::new(source, bti.offset..self.range.end, Endian::Big).recording();
        // The header was read once without a fault; of the rest whatever is there.
        let _ = BtiHeader::read(&mut r);
        bti.record_data(&mut r);
        r.into_fields().into_iter().map(Field::mirrored).collect()
    }

    fn load_part(
        &self,
        source: &Source,
        part: usize,
        cx: &mut LoadContext<'_>,
        findings: &mut Findings,
    ) -> Result<Asset, String> {
        let bti = self.textures.get(part).ok_or("the texture does not exist")?;
        if self.affordable.get(part) == Some(&false) {
            return Err(bti_set::SHARED.to_owned());
        }
        let name = self.name(part);
        let pixels = bti.pixels(&name, &mut self.decoding(source, cx));
        if let Some(problem) = pixels.problem.as_ref().filter(|_| pixels.mips.is_empty()) {
            return Err(problem.clone());
        }
        report(&pixels, &name, bti, findings);
        Ok(Asset::Picture(Arc::new(bti.picture(name, pixels))))
    }
}
