//! The sections of a model, and where the readers of each kind join.

use super::{
    codes, container, faces,
    section_kind::{SectionKind, SectionSpan},
    tex,
};
use crate::{
    bytes::Source,
    formats::{
        field_reader::{Fault, FieldReader},
        findings::Findings,
        structure::Structure,
    },
};

/// Reads a section, from its start, into its structure. Offsets in it count from the reader's range.
pub type ReadSection = fn(&mut FieldReader<'_>, &mut Findings) -> Result<Box<dyn Structure>, Fault>;

/// Readers by kind; a section of a kind without one is kept as it is.
static READERS: &[(SectionKind, ReadSection)] = &[
    (SectionKind::Gpl, super::gpl::read_section),
    (SectionKind::Act, super::act::read),
    (SectionKind::Skn, super::skn::read),
    (SectionKind::Tex, tex::read_tex),
    (SectionKind::Tpl, tex::read_tpl),
    (SectionKind::Faces, faces::read_faces),
    (SectionKind::Anm, super::anm::read),
];

pub fn reader_of(kind: SectionKind) -> Option<ReadSection> {
    READERS.iter().find(|(k, _)| *k == kind).map(|(_, read)| *read)
}

/// A section and what it was read into.
pub struct OpenSection {
    pub span: SectionSpan,
    /// The file that it lies in.
    pub source: Source,
    /// `None` for a kind that has no reader, or one that cannot be read.
    pub data: Option<Box<dyn Structure>>,
}

impl OpenSection {
    /// The structure, where it is of the kind asked for.
    pub fn get<T: Structure>(&self) -> Option<&T> {
        self.data.as_deref().and_then(|data| data.as_any().downcast_ref::<T>())
    }
}

/// Reads a section. What is wrong with it goes into `findings`.
pub fn open_section(source: &Source, span: SectionSpan, findings: &mut Findings) -> OpenSection {
    let read = reader_of(span.kind).map(|read| read(&mut container::reader(source, span.range.clone()), findings));
    let data = match read {
        Some(Ok(data)) => Some(data),
        Some(Err(fault)) => {
            let message = format!("{} cannot be read completely: {}", span.kind.name(), fault.message);
            findings.add(&codes::UNREADABLE_SECTION, Some(fault.offset), message);
            None
        }
        None => None,
    };
    OpenSection { span, source: source.clone(), data }
}
