//! Open projects.

use super::{
    entry_fields,
    info::PEW,
    project::{Project, read_version},
    spans, to_scene,
    tree::{Node, Tree},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Base, Capabilities, Choice, Document, EntryId, FieldTree, Ground, Import, Links, LoadContext,
        OpenContext, OpenError, Purpose, ReadError, ReadErrorKind, Section, TerrainCard, findings::Findings,
    },
};
use std::sync::{Arc, OnceLock};

/// Bytes of the smallest project: a header and the number of object types.
const SMALLEST: usize = 48;

/// An open project.
pub struct PewDocument {
    source: Source,
    project: Project,
    tree: Tree,
    sections: Vec<Section>,
    card: OnceLock<Option<TerrainCard>>,
}

impl PewDocument {
    /// Reads all of a project but its heights.
    ///
    /// # Errors
    /// When it has not even a header.
    pub fn open(source: Source, cx: &mut OpenContext<'_>) -> Result<Self, OpenError> {
        let bytes = source.as_slice();
        let Some(version) = read_version(bytes) else {
            let start = bytes.get(..8).unwrap_or(bytes).escape_ascii();
            let message =
                format!("not a valid Visitor project: the file begins with “{start}” instead of POSEW and two digits");
            return Err(OpenError::new(cx.file, message));
        };
        if bytes.len() < SMALLEST {
            let message = format!("the header ends too early: expected {SMALLEST} bytes, found {}", bytes.len());
            return Err(OpenError::new(cx.file, message));
        }
        let mut findings = Findings::default();
        let project = Project::read(&source, version, cx.overrides, &mut findings);
        findings.report(None, cx.diagnostics);
        let tree = Tree::of(&project, source.len() as u64);
        let sections = spans::sections(&project.spans);
        Ok(Self { source, project, tree, sections, card: OnceLock::new() })
    }
}

impl Document for PewDocument {
    fn base(&self) -> Base<'_> {
        Base { format: &PEW, source: &self.source, outline: &self.tree.outline, endian: Endian::Little }
    }

    fn fields_for(&self, entry: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        let node = self.tree.outline.require(entry)?;
        Ok(FieldTree { fields: entry_fields::fields(&self.project, &self.source, &self.tree, *node) })
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.base().outline.entry(entry)?;
        if self.tree.outline.node(entry) != Some(&Node::Terrain) {
            return Err(ReadError::new(found, "this entry cannot be shown. Show “Terrain” instead"));
        }
        let mut findings = Findings::default();
        let terrain = to_scene::terrain(&self.project, &self.source, &self.tree, cx, &mut findings);
        findings.report(Some(entry), cx.diagnostics);
        let cancelled = || ReadError::new(found, "cancelled").with_kind(ReadErrorKind::Cancelled);
        let terrain = terrain.ok_or_else(cancelled)?;
        Ok(Asset::Terrain(Arc::new(terrain)))
    }

    fn reading(&self) -> &[Choice] {
        &self.project.choices
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { ground: Some(self), links: Some(self), ..Capabilities::default() }
    }
}

impl Ground for PewDocument {
    fn sections(&self) -> &[Section] {
        &self.sections
    }

    fn terrain_card(&self) -> Option<TerrainCard> {
        let card = || self.project.grid.map(|grid| grid.card(&self.source, self.project.cell));
        self.card.get_or_init(card).clone()
    }
}

impl Links for PewDocument {
    /// The models of object types, and the pictures behind the landscape.
    fn imports(&self) -> Vec<Import> {
        let models = self.project.types.list.iter().map(|kind| &kind.model);
        let pictures = self.project.backgrounds.iter().flat_map(|all| &all.list).map(|background| &background.file);
        let named = models.chain(pictures).filter(|path| !path.is_empty());
        named.map(|path| Import::of_file(path)).collect()
    }
}
