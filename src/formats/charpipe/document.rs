//! Open files: an entry for each model, one for each of its sections, and one for each thing in a section that has a name.

use super::{
    act::Act,
    codes,
    container::{self, BLOCK_HEADER, Layout, SectionKind, SectionSpan},
    gpl::Gpl,
    info::{BLOCKS, PADDING, PAYLOAD, SECTION},
    model,
    partner::TextureFallback,
    section::{self, OpenSection, open_section, reader_of},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Base, Capabilities, Content, Document, EntryId, Facts, Field, FieldTree, FormatInfo, Hierarchy,
        LoadContext, NodeOutline, OpenContext, OpenError, Purpose, ReadError, Role, SurfaceInfo, TextureHeader, Value,
        coverage, findings::Findings,
    },
};
use std::{cell::OnceCell, ops::Range, sync::Arc};

/// An open file of the character pipeline.
pub struct CharpipeDocument {
    info: &'static FormatInfo,
    layout: Layout,
    source: Source,
    blocks: Vec<Block>,
    outline: NodeOutline<Node>,
    /// Parts that sections may still have.
    parts_left: usize,
}

/// Parts that the sections of a file may have besides one for every [`BYTES_OF_PART`]: their tables may share what they lead to.
const MAX_PARTS: usize = 1 << 16;
const BYTES_OF_PART: usize = 64;

/// Sections that make a model together, or a bank or unknown bytes in an archive.
struct Block {
    range: Range<u64>,
    /// It begins with the pointers of its sections.
    has_header: bool,
    sections: Vec<OpenSection>,
}

/// What an entry is: of which block, section, part.
#[derive(Clone, Copy, Debug)]
enum Node {
    File,
    Block(usize),
    Section(usize, usize),
    Part(usize, usize, usize),
}

impl CharpipeDocument {
    /// Opens a file of the given layout and lists its sections.
    ///
    /// # Errors
    /// Returns an error if the contents do not have this layout or a table cannot be read. Unusual skins are accepted.
    pub fn open(
        info: &'static FormatInfo,
        layout: Layout,
        source: Source,
        cx: &mut OpenContext<'_>,
    ) -> Result<Self, OpenError> {
        let found = container::layout_of(source.as_slice()).map(|(layout, _)| layout);
        // A skin that is laid out unusually is known by its name alone.
        if found != Some(layout) && layout != Layout::Section(SectionKind::Skn) {
            let what = match source.as_slice() {
                [] => "the file is empty".to_owned(),
                bytes => format!("the file begins with {}", hex(bytes.get(..4).unwrap_or(bytes))),
            };
            return Err(OpenError::new(cx.file, format!("not a valid {}: {what}", info.name)));
        }
        let class = match layout {
            Layout::Block => "Model",
            Layout::Blocks => "Archive",
            Layout::Section(kind) => kind.name(),
        };
        let shows = match layout {
            Layout::Block => true,
            Layout::Blocks => false,
            Layout::Section(kind) => shows(kind, cx),
        };
        let role = match layout {
            Layout::Blocks => Role::Archive,
            _ if shows => Role::Model,
            _ => Role::Group,
        };
        let outline = NodeOutline::new(Node::File, role, class, source.len() as u64);
        let parts_left = source.len().div_euclid(BYTES_OF_PART).saturating_add(MAX_PARTS);
        let mut document = Self { info, layout, source, blocks: Vec::new(), outline, parts_left };
        let whole = 0..document.source.len() as u64;
        match layout {
            Layout::Block => document.add_block(EntryId::FILE, "", whole, cx)?,
            Layout::Section(kind) => document.add_section_file(kind, shows, cx),
            Layout::Blocks => document.add_members(whole, cx)?,
        }
        Ok(document)
    }

    fn add_block(
        &mut self,
        entry: EntryId,
        path: &str,
        range: Range<u64>,
        cx: &mut OpenContext<'_>,
    ) -> Result<(), OpenError> {
        let mut findings = Findings::default();
        let spans = container::read_block(&mut container::reader(&self.source, range.clone()), &mut findings)
            .map_err(|fault| OpenError::new(cx.file, fault.to_string()))?;
        findings.report(Some(entry).filter(|e| *e != EntryId::FILE), cx.diagnostics);
        let block = self.blocks.len();
        self.blocks.push(Block { range, has_header: true, sections: Vec::new() });
        for span in spans {
            self.add_section(block, entry, path, span, cx);
        }
        if entry == EntryId::FILE {
            self.outline.set_file_content(Content::Model);
        }
        Ok(())
    }

    fn add_section(&mut self, block: usize, parent: EntryId, path: &str, span: SectionSpan, cx: &mut OpenContext<'_>) {
        let name = span.kind.name();
        let path = join(path, name);
        let size = span.range.end.saturating_sub(span.range.start);
        let start = span.range.start;
        let number = self.blocks.get(block).map_or(0, |block| block.sections.len());
        let node = Node::Section(block, number);
        let entry = self.outline.add(node, parent, name, path.clone(), Role::Group, name, start, size, Content::None);
        let mut findings = Findings::default();
        let section = self.open_parts(span, &mut findings);
        findings.report(Some(entry), cx.diagnostics);
        add_parts(&mut self.outline, entry, &path, block, number, &section);
        if let Some(target) = self.blocks.get_mut(block) {
            target.sections.push(section);
        }
    }

    /// A loose file: its section is the file itself.
    fn add_section_file(&mut self, kind: SectionKind, shows: bool, cx: &mut OpenContext<'_>) {
        let range = 0..self.source.len() as u64;
        let mut findings = Findings::default();
        let section = self.open_parts(SectionSpan { kind, range: range.clone() }, &mut findings);
        findings.report(None, cx.diagnostics);
        if shows {
            self.outline.set_file_content(Content::Model);
        } else if kind == SectionKind::Skn {
            let message = format!("no geometry palette (.gpl) with the same name was found next to {}", cx.file);
            cx.diagnostics.report(&codes::SKIN_ALONE, None, None, message);
        }
        add_parts(&mut self.outline, EntryId::FILE, "", 0, 0, &section);
        self.blocks.push(Block { range, has_header: false, sections: vec![section] });
    }

    /// Reads a section, as long as there are not too many parts in all.
    fn open_parts(&mut self, span: SectionSpan, findings: &mut Findings) -> OpenSection {
        let mut section = OpenSection { span, source: self.source.clone(), data: None };
        if self.parts_left > 0 {
            section = open_section(&self.source, section.span, findings);
        }
        let count = section.data.as_ref().map_or(0, |data| data.parts().len());
        let left = self.parts_left.checked_sub(count).filter(|_| self.parts_left > 0);
        self.parts_left = left.unwrap_or(0);
        if left.is_none() && reader_of(section.span.kind).is_some() {
            section.data = None;
            let message = format!(
                "{} skipped: too many parts for a file of {} bytes",
                section.span.kind.name(),
                self.source.len()
            );
            findings.add(&codes::TOO_MANY_PARTS, Some(section.span.range.start), message);
        }
        section
    }

    fn add_members(&mut self, range: Range<u64>, cx: &mut OpenContext<'_>) -> Result<(), OpenError> {
        let mut findings = Findings::default();
        let members = container::read_archive(&mut container::reader(&self.source, range), &mut findings)
            .map_err(|fault| OpenError::new(cx.file, fault.to_string()))?;
        findings.report(None, cx.diagnostics);
        for (index, range) in members.into_iter().enumerate() {
            let size = range.end.saturating_sub(range.start);
            let bytes = self.source.slice(range.start, size);
            let layout = bytes.as_ref().and_then(|b| container::member_layout(b.as_slice()));
            let (role, class, content) = match layout {
                Some(Layout::Block) => (Role::Model, "Model", Content::Model),
                Some(_) => (Role::Group, "ANM", Content::None),
                None => (Role::Member, "Member", Content::Bytes),
            };
            let name = format!("{} {index}", class.to_lowercase());
            let (above, start) = (EntryId::FILE, range.start);
            let node = Node::Block(self.blocks.len());
            let entry = self.outline.add(node, above, name.clone(), name.clone(), role, class, start, size, content);
            match layout {
                Some(Layout::Block) => self.add_block(entry, &name, range, cx)?,
                Some(_) => {
                    let block = self.blocks.len();
                    self.blocks.push(Block { range: range.clone(), has_header: false, sections: Vec::new() });
                    self.add_section(block, entry, &name, SectionSpan { kind: SectionKind::Anm, range }, cx);
                }
                None => {
                    let message = format!("member {index} ({size} bytes) has an unknown format");
                    cx.diagnostics.report(&codes::UNKNOWN_MEMBER, Some(entry), Some(range.start), message);
                    self.blocks.push(Block { range, has_header: false, sections: Vec::new() });
                }
            }
        }
        Ok(())
    }

    fn section(&self, block: usize, section: usize) -> Option<&OpenSection> {
        self.blocks.get(block)?.sections.get(section)
    }

    /// The entry of a block's first section of a kind.
    fn section_entry(&self, block: usize, kind: SectionKind) -> Option<EntryId> {
        let is_it = |node: &Node| match *node {
            Node::Section(of, section) => of == block && self.section(of, section).is_some_and(|s| s.span.kind == kind),
            _ => false,
        };
        self.outline.entry_of(is_it)
    }

    /// What stands below an entry and is of a role, in order.
    fn parts_of(&self, entry: EntryId, role: Role) -> Vec<EntryId> {
        let is = |id: &EntryId| self.outline.get(*id).is_some_and(|part| part.role == role);
        self.outline.children(entry).iter().copied().filter(is).collect()
    }

    fn file_fields(&self) -> Vec<Field> {
        let whole = 0..self.source.len() as u64;
        let mut fields = match self.layout {
            Layout::Block => self.block_fields(0),
            Layout::Section(_) => self.section_fields(0, 0),
            Layout::Blocks => {
                let mut r = container::reader(&self.source, whole.clone()).recording();
                // It was read once without a fault.
                let _ = container::read_archive(&mut r, &mut Findings::default());
                let mut fields = r.into_fields();
                let end = self.blocks.first().map_or(whole.end, |block| block.range.start);
                coverage::claim_gaps(&self.source, 0..end, &mut fields, PADDING, is_zero);
                fields
            }
        };
        fields.sort_by_key(|f| f.offset);
        fields
    }

    fn block_fields(&self, block: usize) -> Vec<Field> {
        let Some(block) = self.blocks.get(block) else { return Vec::new() };
        if !block.has_header {
            if !block.sections.is_empty() {
                return Vec::new();
            }
            let size = block.range.end.saturating_sub(block.range.start);
            let kind = format!("u8[{size}]");
            return vec![Field::new("Bytes", kind, Value::Opaque(PAYLOAD), block.range.start, size)];
        }
        let mut r = container::reader(&self.source, block.range.clone()).recording();
        let _ = container::read_block(&mut r, &mut Findings::default());
        let mut fields = r.into_fields();
        let first = block.sections.iter().map(|s| s.span.range.start).min().unwrap_or(block.range.end);
        let header_end = block.range.start.saturating_add(BLOCK_HEADER);
        coverage::claim_gaps(&self.source, header_end..first, &mut fields, PADDING, is_zero);
        fields
    }

    fn section_fields(&self, block: usize, section: usize) -> Vec<Field> {
        let Some(OpenSection { span, source, .. }) = self.section(block, section) else { return Vec::new() };
        let Some(read) = reader_of(span.kind) else {
            let size = span.range.end.saturating_sub(span.range.start);
            let kind = format!("u8[{size}]");
            return vec![Field::new("Bytes", kind, Value::Opaque(SECTION), span.range.start, size)];
        };
        let mut r = container::reader(source, span.range.clone()).recording();
        // What is wrong with it was reported when it was opened.
        let _ = read(&mut r, &mut Findings::default());
        let mut fields = r.into_fields();
        coverage::claim_gaps(source, span.range.clone(), &mut fields, PADDING, is_zero);
        fields
    }

    fn load_model(
        &self,
        block: usize,
        cx: &mut LoadContext<'_>,
        findings: &mut Findings,
        name: &str,
    ) -> Result<Asset, String> {
        let Some(block) = self.blocks.get(block) else {
            return Err("this entry cannot be shown".to_owned());
        };
        let beside = self.beside(block, cx);
        let mut sections: Vec<&OpenSection> = block.sections.iter().chain(&beside).collect();
        let lent = OnceCell::new();
        let missing = self.borrow_textures(&mut sections, &lent, cx, findings);
        let mut model = model::assemble(name, &sections, cx, findings)?;
        if matches!(self.layout, Layout::Section(_)) {
            model.missing.extend(section::missing(cx.file, &sections));
        }
        model.missing.extend(missing);
        Ok(Asset::Model(Arc::new(model)))
    }

    /// The sections of other files that a loose one takes.
    fn beside(&self, block: &Block, cx: &LoadContext<'_>) -> Vec<OpenSection> {
        match self.layout {
            Layout::Section(_) => section::gather(cx.file, &block.sections, cx.resolver),
            Layout::Block | Layout::Blocks => Vec::new(),
        }
    }

    /// Adds the textures of the model that a low-detail one stands for; a sentence where they are not found. `lent` keeps those
    /// of another file.
    fn borrow_textures<'a>(
        &'a self,
        sections: &mut Vec<&'a OpenSection>,
        lent: &'a OnceCell<Option<OpenSection>>,
        cx: &LoadContext<'_>,
        findings: &mut Findings,
    ) -> Option<String> {
        let (file, is_loose) = match self.layout {
            Layout::Blocks => ("", false),
            layout => (cx.file, layout != Layout::Block),
        };
        let borrower = TextureFallback::of(sections, file, is_loose)?;
        let member = self.blocks.iter().find_map(|other| borrower.of_member(&other.sections, findings));
        match member.or_else(|| lent.get_or_init(|| borrower.beside(cx.resolver, findings)).as_ref()) {
            Some(section) => {
                sections.push(section);
                None
            }
            None => Some(borrower.missing()),
        }
    }

    fn is_mesh(&self, block: usize, section: usize, part: usize) -> bool {
        let palette = self.section(block, section).and_then(OpenSection::get::<Gpl>);
        palette.is_some_and(|palette| part < palette.places.len())
    }

    /// One mesh of a palette, in the textures of its model.
    fn load_mesh(
        &self,
        block: usize,
        mesh: usize,
        cx: &mut LoadContext<'_>,
        findings: &mut Findings,
    ) -> Result<Asset, String> {
        let Some(block) = self.blocks.get(block) else {
            return Err("this entry cannot be shown".to_owned());
        };
        let beside = self.beside(block, cx);
        let mut sections: Vec<&OpenSection> = block.sections.iter().chain(&beside).collect();
        let lent = OnceCell::new();
        self.borrow_textures(&mut sections, &lent, cx, findings);
        Ok(Asset::Model(Arc::new(model::assemble_mesh(mesh, &sections, cx, findings)?)))
    }
}

/// Whether a loose section shows as a model.
fn shows(kind: SectionKind, cx: &OpenContext<'_>) -> bool {
    match kind {
        SectionKind::Gpl | SectionKind::Act => true,
        // Skins and textures alone have no shape.
        SectionKind::Skn | SectionKind::Tpl => section::is_beside(cx.file, SectionKind::Gpl, cx.resolver.as_ref()),
        _ => false,
    }
}

fn add_parts(
    outline: &mut NodeOutline<Node>,
    entry: EntryId,
    path: &str,
    block: usize,
    number: usize,
    section: &OpenSection,
) {
    for (index, part) in section.data.iter().flat_map(|d| d.parts()).enumerate() {
        let size = part.range.end.saturating_sub(part.range.start);
        let path = join(path, &part.name);
        let node = Node::Part(block, number, index);
        outline.add(node, entry, part.name, path, part.role, part.class, part.range.start, size, part.content);
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02X}")).collect::<Vec<_>>().join(" ")
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| *b == 0)
}

impl Document for CharpipeDocument {
    fn base(&self) -> Base<'_> {
        Base { format: self.info, source: &self.source, outline: &self.outline, endian: Endian::Big }
    }

    fn fields_for(&self, entry: EntryId, purpose: Purpose) -> Result<FieldTree, ReadError> {
        let fields = match *self.outline.require(entry)? {
            Node::File => self.file_fields(),
            Node::Block(block) => self.block_fields(block),
            Node::Section(block, section) => self.section_fields(block, section),
            // The bytes of a part belong to its section.
            Node::Part(..) if purpose != Purpose::Show => Vec::new(),
            Node::Part(block, section, part) => {
                let section = self.section(block, section);
                let data = section.and_then(|s| Some((s, s.data.as_ref()?)));
                data.map(|(s, d)| d.part_fields(&s.source, part)).unwrap_or_default()
            }
        };
        Ok(FieldTree { fields })
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { facts: Some(self), ..Capabilities::default() }
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.outline.entry(entry)?;
        let stem = cx.stem().to_owned();
        let mut findings = Findings::default();
        let loaded = match self.outline.node(entry) {
            Some(Node::File) => self.load_model(0, cx, &mut findings, &stem),
            Some(Node::Block(block)) => self.load_model(*block, cx, &mut findings, &format!("{stem} {}", found.name)),
            Some(Node::Part(block, section, part)) if self.is_mesh(*block, *section, *part) => {
                self.load_mesh(*block, *part, cx, &mut findings)
            }
            Some(Node::Part(block, section, part)) => match self.section(*block, *section) {
                Some(OpenSection { source, data: Some(data), .. }) => data.load_part(source, *part, cx, &mut findings),
                _ => Err("the section of this entry cannot be read".to_owned()),
            },
            _ => Err("this entry cannot be shown".to_owned()),
        };
        findings.report(Some(entry), cx.diagnostics);
        loaded.map_err(|message| ReadError::new(found, message))
    }
}

impl Facts for CharpipeDocument {
    fn surface(&self, entry: EntryId) -> Option<SurfaceInfo> {
        let Node::Part(block, section, part) = *self.outline.node(entry)? else { return None };
        let material = self.section(block, section)?.data.as_ref()?.surface(part)?;
        let palette = self.outline.get(entry)?.parent?;
        let materials = self.parts_of(palette, Role::Material);
        let textures = self.section_entry(block, SectionKind::Tex);
        Some(SurfaceInfo {
            material,
            index: materials.iter().position(|id| *id == entry)?,
            // The palette may be a file of its own.
            owner: self.outline.get(palette)?.parent.unwrap_or(palette),
            textures: textures.map(|section| self.parts_of(section, Role::Texture)).unwrap_or_default(),
            headers_sample: false,
        })
    }

    fn texture_header(&self, entry: EntryId) -> Option<TextureHeader> {
        let Node::Part(block, section, part) = *self.outline.node(entry)? else { return None };
        self.section(block, section)?.data.as_ref()?.texture_header(part)
    }

    fn hierarchy(&self, entry: EntryId) -> Option<Hierarchy> {
        let (block, section) = match *self.outline.node(entry)? {
            Node::Section(block, section) => (block, section),
            Node::File if matches!(self.layout, Layout::Section(_)) => (0, 0),
            _ => return None,
        };
        let act = self.section(block, section)?.get::<Act>()?;
        let palette = self.section_entry(block, SectionKind::Gpl);
        let meshes = palette.map(|palette| self.parts_of(palette, Role::Part)).unwrap_or_default();
        act.hierarchy(&self.outline, &self.parts_of(entry, Role::Bone), &meshes)
    }

    fn is_member(&self, entry: EntryId) -> bool {
        self.info.id == BLOCKS.info.id && matches!(self.outline.node(entry), Some(Node::Block(_)))
    }
}
