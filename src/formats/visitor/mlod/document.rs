//! An open model: its levels with their tags.

use super::super::textures;
use super::{
    info::{self, BINARISED_MAGIC, BINARISED_MODEL, MAGIC, P3D, TRAILING_BYTES, UNREAD},
    level::Level,
    resolution, to_scene,
};
use crate::{
    bytes::{
        Endian, Source,
        numbers::{counted, grouped},
    },
    formats::{
        Asset, Base, Capabilities, Content, Diagnostics, Document, EntryId, FieldTree, Import, Links, LoadContext,
        NodeOutline, OpenContext, OpenError, Purpose, ReadError, Role, Value, Wholes,
        field_reader::{Fault, FieldReader},
        findings::Findings,
    },
};
use std::{collections::BTreeSet, sync::Arc};

/// Levels that a model may have.
const MAX_LEVELS: usize = 1000;
/// The version that is known.
const VERSION: u32 = 0x101;

/// What an entry is.
#[derive(Clone, Copy, Debug)]
enum Node {
    File,
    Level(usize),
    Tags(usize),
}

/// An open model.
pub struct MlodDocument {
    source: Source,
    outline: NodeOutline<Node>,
    levels: Levels,
}

/// The levels of a model.
#[derive(Default)]
pub struct Levels {
    pub list: Vec<Level>,
    /// As the file says.
    pub promised: u32,
    pub version: u32,
    /// The version of a binarised model, which has no levels that could be read.
    pub binarised: Option<u32>,
    /// Where the last of them ends.
    pub end: u64,
}

impl Levels {
    /// Finds the levels of a model.
    ///
    /// # Errors
    /// One sentence, when the bytes are none.
    pub fn read(source: &Source) -> Result<Self, String> {
        let mut r = FieldReader::new(source, 0..source.len() as u64, Endian::Little);
        let mut levels = Self::default();
        let header = levels.read_header(&mut r).map_err(|fault| format!("the file ends inside its header: {fault}"))?;
        if !header {
            return Err("the file does not begin with MLOD or ODOL".to_owned());
        }
        while levels.binarised.is_none() && levels.list.len() < MAX_LEVELS.min(levels.promised as usize) {
            let level = Level::read(&mut r);
            let is_cut = level.fault.is_some();
            // One that begins where the file ends is no level at all.
            if level.range.is_empty() {
                break;
            }
            levels.list.push(level);
            if is_cut {
                break;
            }
        }
        levels.end = r.offset();
        Ok(levels)
    }

    /// Whether it is a model at all.
    fn read_header(&mut self, r: &mut FieldReader<'_>) -> Result<bool, Fault> {
        let magic = r.tag::<4>("Signature")?;
        match &magic {
            BINARISED_MAGIC => self.binarised = Some(r.u32("Version")?),
            MAGIC => {
                self.version = r.u32("Version")?;
                self.promised = r.u32("LevelCount")?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The finest visual level that has faces; without one the collision model, then whichever comes first.
    pub fn finest(&self) -> Option<usize> {
        let with_faces = || self.list.iter().enumerate().filter(|(_, level)| !level.faces.is_empty());
        let visual = with_faces().filter(|(_, level)| resolution::is_visual(level.resolution));
        let finest = visual.min_by(|(_, a), (_, b)| a.resolution.total_cmp(&b.resolution));
        let found = finest.or_else(|| with_faces().find(|(_, level)| resolution::is_geometry(level.resolution)));
        found.or_else(|| with_faces().next()).map(|(index, _)| index)
    }

    fn report(&self, source: &Source, outline: &NodeOutline<Node>, diagnostics: &mut Diagnostics) {
        if let Some(version) = self.binarised {
            let message =
                format!("binarised models (ODOL version {version}) cannot be read. On a map, a box is shown instead");
            diagnostics.report(&info::BINARISED, None, Some(0), message);
            return;
        }
        let mut findings = Findings::default();
        if self.version != VERSION {
            let message = format!("unknown version {:#x}. The file is read as version {VERSION:#x}", self.version);
            findings.add(&info::UNKNOWN_VERSION, Some(4), message);
        }
        let (count, promised) = (self.list.len(), self.promised);
        let is_cut = self.list.iter().any(|level| level.fault.is_some());
        if count >= MAX_LEVELS && promised as usize > MAX_LEVELS {
            let message = format!("only the first {count} of {} levels are read", grouped(promised));
            findings.add(&info::TOO_MANY_LEVELS, Some(8), message);
        } else if !is_cut && count < promised as usize {
            let message = format!("expected {}, found {count}", counted(promised, "level"));
            findings.add(&info::CUT_LEVEL, Some(self.end), message);
        } else if !is_cut && self.end < source.len() as u64 {
            let extra = (source.len() as u64).saturating_sub(self.end);
            let message = format!("unexpected data after the last level: {}", counted(extra, "byte"));
            findings.add(&info::TRAILING, Some(self.end), message);
        }
        findings.report(None, diagnostics);
        for (entry, node) in outline.with_nodes() {
            let Node::Level(index) = node else { continue };
            let Some(level) = self.list.get(*index) else { continue };
            if !level.is_known {
                let message = "the version of the level is unknown. The level is read as the known version".to_owned();
                diagnostics.report(&info::UNKNOWN_VERSION, Some(entry.id), Some(level.range.start), message);
            }
            if let Some(fault) = &level.fault {
                let message = format!("the level ends too early: {}", fault.message);
                diagnostics.report(&info::CUT_LEVEL, Some(entry.id), Some(fault.offset), message);
            }
        }
    }
}

impl MlodDocument {
    pub(super) fn open(source: Source, cx: &mut OpenContext<'_>) -> Result<Self, OpenError> {
        let levels = Levels::read(&source).map_err(|message| OpenError::new(cx.file, message))?;
        let class = if levels.binarised.is_some() { "ODOL" } else { "MLOD" };
        let mut outline = NodeOutline::new(Node::File, Role::Model, class, source.len() as u64);
        if levels.finest().is_some() {
            outline.set_file_content(Content::Model);
        }
        for (index, level) in levels.list.iter().enumerate() {
            let name = match level.fault {
                Some(_) if level.resolution.is_nan() => format!("Incomplete level {index}"),
                _ => resolution::name(level.resolution),
            };
            let content = if level.faces.is_empty() { Content::None } else { Content::Model };
            let (start, size) = (level.range.start, level.range.end.saturating_sub(level.range.start));
            let (above, path) = (EntryId::FILE, name.clone());
            let node = Node::Level(index);
            let entry = outline.add(node, above, name.clone(), path, Role::Part, "Level", start, size, content);
            if let Some(start) = level.tags.first() {
                let size = level.tags_end.saturating_sub(*start);
                let path = format!("{name}/Tags");
                let node = Node::Tags(index);
                outline.add(node, entry, "Tags", path, Role::Data, "Tags", *start, size, Content::None);
            }
        }
        levels.report(&source, &outline, cx.diagnostics);
        Ok(Self { source, outline, levels })
    }

    fn file_fields(&self) -> FieldTree {
        let mut r = FieldReader::new(&self.source, 0..self.source.len() as u64, Endian::Little).recording();
        // It was read when the file was opened.
        let _ = Levels::default().read_header(&mut r);
        let name = match self.levels.binarised {
            Some(_) => BINARISED_MODEL,
            None if self.levels.list.len() >= MAX_LEVELS => UNREAD,
            None => TRAILING_BYTES,
        };
        let _ = r.seek(self.levels.end);
        let left = r.left();
        if left > 0 {
            let _ = r.bytes("Rest", format!("u8[{left}]"), left, Value::Opaque(name));
        }
        FieldTree { fields: r.into_fields() }
    }
}

impl Document for MlodDocument {
    fn base(&self) -> Base<'_> {
        Base { format: &P3D, source: &self.source, outline: &self.outline, endian: Endian::Little }
    }

    fn fields_for(&self, entry: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        let node = self.outline.require(entry)?;
        let level = |index: usize| self.levels.list.get(index).ok_or_else(|| ReadError::no_entry(entry));
        match *node {
            Node::File => Ok(self.file_fields()),
            Node::Level(index) => {
                let mut r = Level::reader(&self.source, level(index)?.range.clone()).recording();
                let _ = Level::read(&mut r);
                Ok(FieldTree { fields: r.into_fields() })
            }
            Node::Tags(index) => Ok(FieldTree { fields: level(index)?.tags_field(&self.source).into_iter().collect() }),
        }
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.outline.entry(entry)?;
        let level = match self.outline.node(entry) {
            Some(Node::File) => self.levels.finest(),
            Some(Node::Level(index)) => Some(*index),
            _ => None,
        };
        let level = level.and_then(|index| self.levels.list.get(index)).filter(|level| !level.faces.is_empty());
        let Some(level) = level else {
            let message = match self.levels.binarised {
                Some(version) => format!("binarised models (ODOL version {version}) cannot be shown"),
                None => "this entry cannot be shown. Show a level with faces instead".to_owned(),
            };
            return Err(ReadError::new(found, message));
        };
        let stem = cx.stem();
        let mut findings = Findings::default();
        let to_scene::Built { mut model, textures } = to_scene::model(stem, &self.source, level, &mut findings);
        textures::give(&mut model, &textures, cx, &mut findings);
        findings.report(Some(entry), cx.diagnostics);
        Ok(Asset::Model(Arc::new(model)))
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { links: Some(self), wholes: Some(self), ..Capabilities::default() }
    }
}

impl Links for MlodDocument {
    /// The textures and materials of its faces, each once.
    fn imports(&self) -> Vec<Import> {
        let mut named = BTreeSet::new();
        for level in &self.levels.list {
            to_scene::named_files(&self.source, level, &mut named);
        }
        named.iter().map(|path| Import::of_file(path)).collect()
    }
}

impl Wholes for MlodDocument {
    /// The file shows as its finest level; the others are shown by themselves.
    fn part_of(&self, entry: EntryId) -> Option<EntryId> {
        match self.outline.node(entry)? {
            Node::Level(index) if self.levels.finest() == Some(*index) => Some(EntryId::FILE),
            _ => None,
        }
    }

    /// Visual levels behind the finest.
    fn coarser_levels(&self, entry: EntryId) -> Vec<EntryId> {
        let is_finest = |index: usize| self.levels.finest() == Some(index);
        let is_asked_for = match self.outline.node(entry) {
            Some(Node::File) => true,
            Some(Node::Level(index)) => is_finest(*index),
            _ => false,
        };
        let mut coarser: Vec<(f32, EntryId)> = Vec::new();
        for (found, node) in self.outline.with_nodes().filter(|_| is_asked_for) {
            let Node::Level(index) = node else { continue };
            let Some(level) = self.levels.list.get(*index) else { continue };
            if resolution::is_visual(level.resolution) && !level.faces.is_empty() && !is_finest(*index) {
                coarser.push((level.resolution, found.id));
            }
        }
        coarser.sort_by(|a, b| a.0.total_cmp(&b.0));
        coarser.into_iter().map(|(_, entry)| entry).collect()
    }
}
