//! A picture file: one entry, the file itself.

use super::{
    decode::Decoding,
    info::{self, INFO},
    layout::{Paa, Trouble},
};
use crate::{
    bytes::{Endian, Limits, Source},
    formats::{
        Asset, Base, Capabilities, Content, Diagnostics, Document, EntryId, Facts, FieldTree, LoadContext, OpenContext,
        Outline, Purpose, ReadError, Role, TextureHeader,
    },
};
use std::sync::Arc;

pub struct PaaDocument {
    source: Source,
    outline: Outline,
    paa: Paa,
    is_pac: bool,
    limits: Limits,
}

impl PaaDocument {
    pub fn new(source: Source, paa: Paa, is_pac: bool, cx: &mut OpenContext<'_>) -> Self {
        let mut outline = Outline::new(Role::Texture, INFO.name, source.len() as u64);
        outline.set_file_content(Content::Image);
        let document = Self { source, outline, paa, is_pac, limits: cx.limits };
        document.report(document.paa.troubles.clone(), cx.diagnostics);
        document
    }

    fn report(&self, troubles: Vec<Trouble>, diagnostics: &mut Diagnostics) {
        for trouble in troubles {
            let offset = trouble.offset.min(self.source.len() as u64);
            diagnostics.report(trouble.code, Some(EntryId::FILE), Some(offset), trouble.message);
        }
    }
}

impl Document for PaaDocument {
    fn base(&self) -> Base<'_> {
        Base { format: &INFO, source: &self.source, outline: &self.outline, endian: Endian::Little }
    }

    fn fields_for(&self, entry: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        self.outline.entry(entry)?;
        Ok(FieldTree { fields: Paa::fields(&self.source, self.is_pac) })
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.outline.entry(entry)?;
        let how = Decoding {
            name: cx.stem(),
            limits: &cx.limits,
            first_only: cx.options.first_image_only,
            largest: u32::MAX,
            is_cancelled: &|| cx.cancelled(),
        };
        let decoded = self.paa.decode(&self.source, &how);
        let why = decoded.troubles.first().or(self.paa.troubles.first()).cloned();
        self.report(decoded.troubles, cx.diagnostics);
        if decoded.picture.image().is_some() {
            return Ok(Asset::Picture(Arc::new(decoded.picture)));
        }
        let (offset, message) =
            why.map_or((0, "the image has no mips".to_owned()), |trouble| (trouble.offset, trouble.message));
        Err(ReadError { offset, ..ReadError::new(found, message) })
    }

    /// Unpacks every mip; what is cut was said when the file was opened.
    fn check(&self, entry: EntryId, diagnostics: &mut Diagnostics) {
        if entry != EntryId::FILE {
            return;
        }
        for (number, mip) in self.paa.mips.iter().enumerate() {
            let trouble = match self.paa.unpack(mip, &self.source, &self.limits) {
                Ok((_, trouble)) => trouble,
                Err(trouble) => Some(trouble),
            };
            let is_new = |trouble: &Trouble| {
                let is_said = [info::TRUNCATED.id, info::TABLE.id].contains(&trouble.code.id);
                !(is_said
                    && self
                        .paa
                        .troubles
                        .iter()
                        .any(|said| said.code.id == trouble.code.id && said.offset == trouble.offset))
            };
            let trouble = trouble.filter(is_new);
            let trouble =
                trouble.map(|trouble| Trouble { message: format!("mip {number}: {}", trouble.message), ..trouble });
            self.report(trouble.into_iter().collect(), diagnostics);
        }
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { facts: Some(self), ..Capabilities::default() }
    }
}

impl Facts for PaaDocument {
    fn texture_header(&self, entry: EntryId) -> Option<TextureHeader> {
        let mip = self.paa.mips.first().filter(|_| entry == EntryId::FILE)?;
        Some(TextureHeader {
            width: mip.width,
            height: mip.height,
            pixel_format: self.paa.kind.name().into(),
            image_count: u8::try_from(self.paa.mips.len()).unwrap_or(u8::MAX),
            sampling: None,
        })
    }
}
