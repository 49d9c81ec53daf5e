//! The textures of a section, their entries, and their pixels (formats/charpipe.md §9).

use super::{
    super::codes,
    layouts::{self, Texture},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Content, Field, LoadContext, Role, TextureHeader,
        field_reader::{Fault, FieldReader},
        findings::Findings,
        gx::{
            bti::{Bti, Decoding},
            bti_set,
        },
        structure::{Part, Structure},
    },
    scene::{Image, gx::names},
};
use std::{any::Any, ops::Range, sync::Arc};

/// How the headers of textures are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    Tex,
    Tpl,
}

/// Textures that a section holds, by their index.
#[derive(Clone, Debug)]
pub struct Textures {
    list: Vec<Texture>,
    layout: Layout,
    /// The section, in bytes from the start of its file.
    range: Range<u64>,
    source: Source,
    /// For each texture, whether it may be decoded.
    affordable: Vec<bool>,
}

/// How a texture is decoded for drawing: levels of detail and their bias.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Levels {
    /// Minimum level of detail; 0 is the largest image.
    pub min_lod: f32,
    /// Maximum level of detail.
    pub max_lod: f32,
    /// Level-of-detail bias, as stored.
    pub lod_bias: f32,
}

/// Reads Sluggers' section from its start.
///
/// # Errors
/// When the counts do not fit.
pub fn read_tex(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Box<dyn Structure>, Fault> {
    let (list, free) = layouts::read_headers(r, findings)?;
    Ok(Box::new(Textures::new(r, list, Layout::Tex, free, findings)?))
}

/// Reads the SDK's section, or file, from its start.
///
/// # Errors
/// When the header does not fit.
pub fn read_tpl(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Box<dyn Structure>, Fault> {
    let (list, free) = layouts::read_palette(r, findings)?;
    Ok(Box::new(Textures::new(r, list, Layout::Tpl, free, findings)?))
}

impl Textures {
    /// The textures of the section that `r` has read as far as `free`.
    fn new(
        r: &mut FieldReader<'_>,
        list: Vec<Texture>,
        layout: Layout,
        free: u64,
        findings: &mut Findings,
    ) -> Result<Self, Fault> {
        let affordable = bti_set::affordable(list.iter().map(|texture| texture.bti.as_ref()), &r.range());
        let textures = Self { list, layout, range: r.range(), source: r.source().clone(), affordable };
        if r.is_recording() {
            textures.record_blocks(r, free)?;
        } else {
            textures.check(findings);
        }
        Ok(textures)
    }

    /// Returns the number of textures.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns true if there are no textures.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Name of a texture: files have none.
    pub fn name(index: usize) -> String {
        layouts::name(index)
    }

    fn bti(&self, index: usize) -> Option<&Bti> {
        self.list.get(index)?.bti.as_ref()
    }

    /// Levels of detail of a texture, as its header says.
    pub fn levels(&self, index: usize) -> Levels {
        let Some(Texture { bti: Some(bti), lod_bias, .. }) = self.list.get(index) else { return Levels::default() };
        let lod = |eighths: i8| f32::from(eighths) / 8.0;
        Levels { min_lod: lod(bti.header.min_lod), max_lod: lod(bti.header.max_lod), lod_bias: *lod_bias }
    }

    fn decoding<'a>(&'a self, cx: &LoadContext<'_>) -> Decoding<'a> {
        Decoding {
            source: &self.source,
            end: self.range.end,
            limits: cx.limits,
            left: cx.limits.decoded_bytes,
            first_only: cx.options.first_image_only,
        }
    }

    /// The images of some textures, each with its mips, in the order asked for; none for one that cannot be decoded.
    pub fn images(&self, indices: &[usize], cx: &LoadContext<'_>, findings: &mut Findings) -> Vec<Vec<Arc<Image>>> {
        let known: Vec<(usize, &Bti)> = indices.iter().filter_map(|index| Some((*index, self.bti(*index)?))).collect();
        let mut report = |place: usize, message: String| {
            let at = known.get(place).and_then(|(index, _)| self.list.get(*index)).map(|t| t.header.start);
            findings.add(&codes::BAD_TEXTURE, at, message);
        };
        let mut decoding = Decoding { first_only: false, ..self.decoding(cx) };
        let named = known.iter().map(|(index, bti)| (*bti, Self::name(*index)));
        let decoded = bti_set::decode_all(named, &mut decoding, || cx.cancelled(), &mut report);
        let mut by_index = known.iter().map(|(index, _)| *index).zip(decoded).peekable();
        indices.iter().map(|index| by_index.next_if(|(i, _)| i == index).map_or(Vec::new(), |(_, mips)| mips)).collect()
    }

    /// What headers say that cannot be.
    fn check(&self, findings: &mut Findings) {
        for (index, texture) in self.list.iter().enumerate() {
            let (name, at) = (Self::name(index), Some(texture.header.start));
            let Some(bti) = &texture.bti else { continue };
            if let Some(message) = bti.unknown_codes() {
                findings.add(&codes::UNKNOWN_TEXTURE_CODE, at, format!("{name}: {message}"));
            }
            let (width, height) = (bti.header.width, bti.header.height);
            if width == 0 || height == 0 {
                findings.add(&codes::BAD_TEXTURE, at, format!("{name}: empty image ({width} × {height} pixels)"));
            }
            if let Some(start) = bti.data_start().filter(|start| *start >= self.range.end) {
                let message =
                    format!("{name}: the pixels start at {start}, after the end of the section ({})", self.range.end);
                findings.add(&codes::BAD_TEXTURE, at, message);
            }
        }
    }

    /// Everything behind the tables: headers that lie on their own, palettes, pixels.
    fn record_blocks(&self, r: &mut FieldReader<'_>, free: u64) -> Result<(), Fault> {
        let mut blocks = Vec::new();
        for (index, texture) in self.list.iter().enumerate() {
            let name = Self::name(index);
            if self.layout == Layout::Tpl {
                blocks.extend(layouts::header_blocks(texture, &name));
            }
            blocks.extend(texture.bti.iter().flat_map(|bti| bti_set::Block::of(bti, name.clone())));
        }
        bti_set::record_blocks(r, blocks, free, self.range.end)
    }

    fn facts(&self, texture: &Texture, bti: &Bti) -> Vec<(String, String)> {
        let header = &bti.header;
        let named = |name: Option<&str>, code: u8| name.map_or_else(|| code.to_string(), str::to_owned);
        let wrap = |code| named(names::wrap(code), code);
        let filter = |code| named(names::filter(code), code);
        let lod = |eighths: i8| f32::from(eighths) / 8.0;
        let mut facts = Vec::new();
        match self.layout {
            Layout::Tpl => {
                let filters = format!("{}, {}", filter(header.min_filter), filter(header.mag_filter));
                facts.push(("Wrap S, T".to_owned(), format!("{}, {}", wrap(header.wrap_s), wrap(header.wrap_t))));
                facts.push(("Min and mag filter".to_owned(), filters));
                facts.push(("LOD".to_owned(), format!("{} to {}", lod(header.min_lod), lod(header.max_lod))));
            }
            Layout::Tex => facts.push(("Min filter".to_owned(), filter(header.min_filter))),
        }
        facts.push(("Mip levels".to_owned(), header.image_count.max(1).to_string()));
        facts.push(("LOD bias".to_owned(), texture.lod_bias.to_string()));
        facts.push(("Edge LOD".to_owned(), if header.edge_lod != 0 { "on" } else { "off" }.to_owned()));
        facts
    }
}

impl Structure for Textures {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(index, texture): (usize, &Texture)| Part {
            name: Self::name(index),
            role: Role::Texture,
            class: "Texture",
            range: texture.header.clone(),
            content: Content::Image,
        };
        self.list.iter().enumerate().map(part).collect()
    }

    fn texture_header(&self, part: usize) -> Option<TextureHeader> {
        let header = self.bti(part)?.header.described();
        // Sluggers' headers say no wrap modes: what draws a texture does.
        Some(match self.layout {
            Layout::Tex => TextureHeader { sampling: None, ..header },
            Layout::Tpl => header,
        })
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let Some(texture) = self.list.get(part) else { return Vec::new() };
        let mut r = FieldReader::new(source, self.range.clone(), Endian::Big).recording();
        // It was read once without a fault; of what is missing there are no fields.
        let _ = match self.layout {
            Layout::Tex => layouts::record_header(&mut r, texture),
            Layout::Tpl => layouts::record_headers(&mut r, texture),
        };
        if let Some(bti) = &texture.bti {
            bti.record_data(&mut r);
        }
        r.into_fields().into_iter().map(Field::mirrored).collect()
    }

    fn load_part(
        &self,
        _: &Source,
        part: usize,
        cx: &mut LoadContext<'_>,
        findings: &mut Findings,
    ) -> Result<Asset, String> {
        let texture = self.list.get(part).ok_or("the texture does not exist")?;
        let bti = texture.bti.as_ref().ok_or("the texture header is outside the section")?;
        if self.affordable.get(part) == Some(&false) {
            return Err(bti_set::SHARED.to_owned());
        }
        let name = Self::name(part);
        let pixels = bti.pixels(&name, &mut self.decoding(cx));
        if let Some(problem) = &pixels.problem {
            if pixels.mips.is_empty() {
                return Err(problem.clone());
            }
            findings.add(&codes::BAD_TEXTURE, Some(texture.header.start), format!("{name}: {problem}"));
        }
        let mut picture = bti.picture(name, pixels);
        picture.facts = self.facts(texture, bti);
        Ok(Asset::Picture(Arc::new(picture)))
    }
}
