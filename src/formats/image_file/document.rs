//! A picture file: one entry, the file itself.

use super::kind::Kind;
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Base, Content, Document, EntryId, FieldTree, LoadContext, Outline, Purpose, ReadError, Role,
        common_codes::BAD_PICTURE, field_reader::FieldReader, picture,
    },
};
use std::sync::Arc;

pub struct ImageDocument {
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
        self.outline.get(entry).ok_or_else(|| ReadError::no_entry(entry))?;
        let whole = 0..self.source.len() as u64;
        let mut reader = FieldReader::new(&self.source, whole, self.base().endian).recording();
        // What cannot be read is left unread.
        let _ = (self.kind.layout)(&mut reader);
        Ok(FieldTree { fields: reader.into_fields() })
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.outline.get(entry).ok_or_else(|| ReadError::no_entry(entry))?;
        let bytes = self.source.as_slice();
        let decoded = picture::decode_all(cx.stem(), bytes, &cx.limits, cx.options.first_image_only)
            .map_err(|error| ReadError::new(found, error.to_string()))?;
        if let Some(problem) = decoded.problem {
            cx.diagnostics.report(&BAD_PICTURE, Some(entry), None, problem);
        }
        Ok(Asset::Picture(Arc::new(decoded.picture)))
    }
}
