//! Low-detail models have no textures of their own: they read those of the model that they stand for, by index
//! (formats/charpipe.md §2.1). Its name is theirs without the mark.

use super::{
    act::Act,
    codes,
    container::{self, Layout, SectionKind, SectionSpan},
    gpl::Gpl,
    materials,
    section::{OpenSection, open_section},
    tex::Textures,
};
use crate::formats::{FileRequest, Resolver, file_name::stem, findings::Findings};

/// What a low-detail model's name begins with.
const MARKS: [&str; 2] = ["L_", "l_"];
/// Files that a model with textures may be in; the games' own have no extension.
const EXTENSIONS: [&str; 3] = ["model", "tpl", ""];

/// A model that reads textures and has none.
pub struct TextureFallback {
    /// Names of the model that it stands for; empty for one that stands for none.
    partners: Vec<String>,
    /// The file of the model; empty for a member of an archive.
    file: String,
    /// Each section has a file of its own.
    is_loose: bool,
}

impl TextureFallback {
    /// `None` for sections that have textures, or need none. `file`: the name of theirs, empty for a member of an archive;
    /// `is_loose`: each of them has a file of its own.
    pub fn of(sections: &[&OpenSection], file: &str, is_loose: bool) -> Option<Self> {
        let has_textures = sections.iter().any(|section| section.get::<Textures>().is_some());
        let gpl = sections.iter().find_map(|section| section.get::<Gpl>())?;
        if has_textures || !materials::read_textures(gpl.drawn_states().list()) {
            return None;
        }
        let own = [Some(stem(file)), geometry(sections)];
        let mut partners: Vec<String> = Vec::new();
        for partner in own.into_iter().flatten().filter_map(unmarked) {
            if !partners.contains(&partner) {
                partners.push(partner);
            }
        }
        Some(Self { partners, file: file.to_owned(), is_loose })
    }

    /// The textures of another model of the same archive, if it is the one.
    pub fn of_member<'a>(&self, sections: &'a [OpenSection], findings: &mut Findings) -> Option<&'a OpenSection> {
        let all: Vec<&OpenSection> = sections.iter().collect();
        let name = geometry(&all).filter(|name| self.partners.iter().any(|p| p.eq_ignore_ascii_case(name)))?;
        let lent = sections.iter().find(|section| section.get::<Textures>().is_some())?;
        tell(findings, name);
        Some(lent)
    }

    /// The textures of a file beside.
    pub fn beside(&self, resolver: &dyn Resolver, findings: &mut Findings) -> Option<OpenSection> {
        self.partners.iter().find_map(|partner| {
            let request = FileRequest { stem: partner, extensions: &EXTENSIONS, subfolders: false, siblings: &[] };
            let found = resolver.find(&request)?;
            let span = match container::layout_of(found.source.as_slice())?.0 {
                Layout::Section(kind @ SectionKind::Tpl) => SectionSpan { kind, range: 0..found.source.len() as u64 },
                Layout::Block => {
                    let mut r = container::reader(&found.source, 0..found.source.len() as u64);
                    let spans = container::read_block(&mut r, &mut Findings::default()).ok()?;
                    spans.into_iter().find(|span| span.kind == SectionKind::Tex)?
                }
                _ => return None,
            };
            // What is wrong with it is said where it is opened itself.
            let lent = open_section(&found.source, span, &mut Findings::default());
            lent.get::<Textures>()?;
            tell(findings, &found.name);
            Some(lent)
        })
    }

    /// That nobody lends any.
    pub fn missing(&self) -> String {
        let file = &self.file;
        match self.partners.first() {
            Some(partner) if file.is_empty() => {
                format!("the textures are missing: no model {partner} was found in the archive or next to it")
            }
            Some(partner) => {
                let own = if self.is_loose { format!("{}.tpl, ", stem(file)) } else { String::new() };
                format!("the textures are missing: no {own}{partner}.tpl or {partner}.model was found next to {file}")
            }
            None if self.is_loose => {
                format!("the textures are missing: no {}.tpl was found next to {file}", stem(file))
            }
            None => "the model has no textures and does not refer to another model for them".to_owned(),
        }
    }
}

fn tell(findings: &mut Findings, lender: &str) {
    findings.add(&codes::BORROWED_TEXTURES, None, format!("the textures of {lender} are used"));
}

/// The stem of the meshes that a model's actor was made for.
fn geometry<'a>(sections: &[&'a OpenSection]) -> Option<&'a str> {
    let act = sections.iter().find_map(|section| section.get::<Act>())?;
    Some(stem(&act.geometry_name)).filter(|stem| !stem.is_empty())
}

fn unmarked(name: &str) -> Option<String> {
    MARKS.iter().find_map(|mark| name.strip_prefix(mark)).filter(|rest| !rest.is_empty()).map(str::to_owned)
}
