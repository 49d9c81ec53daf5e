//! The files that lie beside a loose one and make a model together with it (formats/charpipe.md §2.2).

use super::{
    container::{self, Layout},
    gpl::Gpl,
    section::{OpenSection, open_section},
    section_kind::{SectionKind, SectionSpan},
};
use crate::formats::{FileRequest, Resolver, file_name::stem, findings::Findings};

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
