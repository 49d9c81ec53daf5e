//! A texture in a file of its own: TEX1's header with the pixels behind it (formats/j3d.md §9). Nothing at its start says what
//! it is, so the file's name must.

use super::{
    codes,
    file::FAMILY,
    padding::{OPAQUE, claim_padding},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Base, Capabilities, Content, Document, EntryId, Facts, Field, FieldTree, Format, FormatInfo, Hint,
        LoadContext, OpenContext, OpenError, Outline, Purpose, ReadError, Role, Score, TextureHeader,
        field_reader::{Fault, FieldReader},
        gx::bti::{Bti, BtiHeader, Decoding},
    },
};
use std::sync::Arc;

static INFO: FormatInfo = FormatInfo {
    id: "bti",
    name: "J3D texture",
    family: FAMILY,
    extensions: &["bti"],
    companions: &[],
    opaque: OPAQUE,
    codes: codes::CODES,
    metres: 1.0,
};

/// A texture in a file of its own.
pub struct BtiFormat;

impl Format for BtiFormat {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        if hint.extension() != "bti" {
            return Score::No;
        }
        let source = Source::from(head.to_vec());
        match BtiHeader::read(&mut FieldReader::new(&source, 0..BtiHeader::SIZE, Endian::Big)) {
            Ok(header) if header.format().is_some() && header.wrap_s < 3 && header.wrap_t < 3 => Score::Likely,
            _ => Score::Name,
        }
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        let header = BtiHeader::read(&mut FieldReader::new(&source, 0..source.len() as u64, Endian::Big))
            .map_err(|fault| OpenError::new(cx.file, format!("cannot read the texture header: {fault}")))?;
        let bti = Bti { header, offset: 0 };
        if let Some(message) = bti.unknown_codes() {
            cx.diagnostics.report(&codes::UNKNOWN_CODE, Some(EntryId::FILE), Some(0), message);
        }
        let mut outline = Outline::new(Role::Texture, "Bti", source.len() as u64);
        outline.set_file_content(Content::Image);
        Ok(Box::new(BtiDocument { bti, source, outline }))
    }
}

struct BtiDocument {
    bti: Bti,
    source: Source,
    outline: Outline,
}

impl BtiDocument {
    fn record(&self, r: &mut FieldReader<'_>) -> Result<(), Fault> {
        BtiHeader::read(r)?;
        let palette = self.bti.palette_range();
        let data = self.bti.data_range();
        // The palette comes before the pixels or behind them; one that overlaps them is read with them.
        let mut free = r.offset();
        let mut blocks = [(palette, true), (data, false)];
        blocks.sort_by_key(|(range, _)| range.as_ref().map_or(u64::MAX, |r| r.start));
        for (range, is_palette) in blocks {
            let Some(range) = range.filter(|range| range.start >= free) else { continue };
            if r.seek(range.start).is_err() {
                continue;
            }
            if is_palette {
                self.bti.record_palette(r, "Palette".to_owned())?;
            } else {
                self.bti.record_pixels(r, "Pixels".to_owned())?;
            }
            free = range.end;
        }
        Ok(())
    }
}

impl Document for BtiDocument {
    fn base(&self) -> Base<'_> {
        Base { format: &INFO, source: &self.source, outline: &self.outline, endian: Endian::Big }
    }

    fn fields_for(&self, entry: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        self.outline.entry(entry)?;
        let whole = 0..self.source.len() as u64;
        let mut r = FieldReader::new(&self.source, whole.clone(), Endian::Big).recording();
        // What cannot be read is left unread.
        let _ = self.record(&mut r);
        let mut fields: Vec<Field> = r.into_fields();
        claim_padding(&self.source, whole, &mut fields);
        Ok(FieldTree { fields })
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.outline.entry(entry)?;
        let name = cx.stem().to_owned();
        let mut decoding = Decoding {
            source: &self.source,
            end: self.source.len() as u64,
            limits: cx.limits,
            left: cx.limits.decoded_bytes,
            first_only: cx.options.first_image_only,
        };
        let pixels = self.bti.pixels(&name, &mut decoding);
        if let Some(problem) = &pixels.problem {
            if pixels.mips.is_empty() {
                return Err(ReadError::new(found, problem.clone()));
            }
            cx.diagnostics.report(&codes::BAD_TEXTURE, Some(entry), Some(self.bti.offset), problem.clone());
        }
        Ok(Asset::Picture(Arc::new(self.bti.picture(name, pixels))))
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { facts: Some(self), ..Capabilities::default() }
    }
}

impl Facts for BtiDocument {
    fn texture_header(&self, entry: EntryId) -> Option<TextureHeader> {
        (entry == EntryId::FILE).then(|| self.bti.header.described())
    }
}
