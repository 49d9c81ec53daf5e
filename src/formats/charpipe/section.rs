//! The sections of a model, the readers of each kind, and the files beside a loose section that make a model together
//! with it (formats/charpipe.md §2).

use super::{
    codes,
    container::{self, Layout, SectionKind, SectionSpan},
    faces,
    gpl::Gpl,
    tex,
};
use crate::{
    bytes::Source,
    formats::{
        FileRequest, Resolver,
        field_reader::{Fault, FieldReader},
        file_name::stem,
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

/// What a loose file of a model looks for.
const WANTED: [(SectionKind, &str); 4] =
    [(SectionKind::Gpl, "gpl"), (SectionKind::Act, "act"), (SectionKind::Skn, "skn"), (SectionKind::Tpl, "tpl")];

/// Sections of other files of the same stem, of the kinds that are not there yet.
pub fn gather(file: &str, own: &[OpenSection], resolver: &dyn Resolver) -> Vec<OpenSection> {
    let wanted = WANTED.iter().filter(|(kind, _)| own.iter().all(|section| section.span.kind != *kind));
    wanted.filter_map(|(kind, extension)| sibling(file, *kind, extension, resolver)).collect()
}

/// One sentence each for what was looked for beside a file and not found, and what that means for its model.
pub fn missing(file: &str, sections: &[&OpenSection]) -> Vec<String> {
    let stem = stem(file);
    let gpl = sections.iter().find_map(|section| section.get::<Gpl>());
    let says = |(kind, extension): &(SectionKind, &str)| {
        if sections.iter().any(|section| section.span.kind == *kind) {
            return None;
        }
        let means = match kind {
            SectionKind::Gpl => "there are no meshes to show",
            SectionKind::Act => "the meshes have no bones",
            SectionKind::Skn if gpl.is_some_and(|gpl| gpl.skinned().is_some()) => "the skinned mesh does not move",
            // Textures may be lent by another model, which knows better.
            _ => return None,
        };
        Some(format!("no {stem}.{extension} was found next to {file}: {means}"))
    };
    WANTED.iter().filter_map(says).collect()
}

/// Whether there is a file of the same stem with this section.
pub fn is_beside(file: &str, kind: SectionKind, resolver: &dyn Resolver) -> bool {
    let extension = WANTED.iter().find(|(k, _)| *k == kind).map(|(_, extension)| *extension);
    extension.is_some_and(|extension| sibling(file, kind, extension, resolver).is_some())
}

fn sibling(file: &str, kind: SectionKind, extension: &'static str, resolver: &dyn Resolver) -> Option<OpenSection> {
    let stem = stem(file);
    let found = resolver.find(&FileRequest { stem, extensions: &[extension], subfolders: false, siblings: &[] })?;
    // A skin has nothing to be known by but its tables; its name says enough.
    let layout = container::layout_of(found.source.as_slice()).map(|(layout, _)| layout);
    if kind != SectionKind::Skn && layout != Some(Layout::Section(kind)) {
        return None;
    }
    let range = 0..found.source.len() as u64;
    // What is wrong with it is said where it is opened itself.
    Some(open_section(&found.source, SectionSpan { kind, range }, &mut Findings::default()))
}
