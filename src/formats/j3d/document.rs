//! Open files: an entry for the file, one for each chunk, and one for each thing in a chunk that has a name.

use super::{
    PADDING, anim,
    chunk::{ChunkData, Findings, kind_of},
    codes,
    file::{self, ChunkSpan, FileHeader, FileKind, HEADER_SIZE, Shows},
    geometry::Inf1,
    hierarchy, whole,
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Content, Document, EntryId, Field, FieldTree, FormatInfo, Hierarchy, LoadContext, NodeOutline,
        OpenContext, OpenError, Outline, ReadError, Role, SurfaceInfo, TextureHeader, coverage,
        field_reader::FieldReader,
    },
};
use std::ops::Range;

/// An open J3D file.
pub struct J3dDocument {
    kind: &'static FileKind,
    source: Source,
    header: FileHeader,
    chunks: Vec<OpenChunk>,
    outline: NodeOutline<Node>,
}

struct OpenChunk {
    span: ChunkSpan,
    /// `None` for a kind that is not known, or one that cannot be read.
    data: Option<Box<dyn ChunkData>>,
}

/// What an entry is.
#[derive(Clone, Copy, Debug)]
enum Node {
    File,
    Chunk(usize),
    Part(usize, usize),
}

impl J3dDocument {
    pub fn open(kind: &'static FileKind, source: Source, cx: &mut OpenContext<'_>) -> Result<Self, OpenError> {
        let mut findings = Findings::default();
        let header = file::read_header(&mut file::reader(&source))
            .map_err(|fault| OpenError::new(cx.file, fault.to_string()))?;
        if !kind.magics.iter().any(|magic| header.magic == **magic) {
            let what = file::refusal(&header.magic)
                .unwrap_or_else(|| format!("it starts with “{}” at offset 0", header.magic.escape_ascii()));
            return Err(OpenError::new(cx.file, format!("no {}: {what}", kind.info.name)));
        }
        let spans = file::chunks(&source, &header, &mut findings);
        findings.report(None, cx.diagnostics);
        let (role, content) = match kind.shows {
            Shows::Model => (Role::Model, Content::Model),
            Shows::Clip => (Role::Clip, Content::Clip),
        };
        let mut outline = NodeOutline::new(Node::File, role, kind.class, source.len() as u64);
        outline.set_file_content(content);
        let mut chunks: Vec<OpenChunk> = Vec::with_capacity(spans.len());
        for span in spans {
            let mut findings = Findings::default();
            let repeated = chunks.iter().filter(|c| c.span.tag == span.tag).count();
            let data = read_chunk(&source, &span, &mut findings);
            let name = span.name();
            let path = if repeated > 0 { format!("{name}#{}", repeated.saturating_add(1)) } else { name.clone() };
            if repeated > 0 {
                let message = format!("“{name}” occurs again: the first one counts");
                findings.add(&codes::DUPLICATE_CHUNK, Some(span.range.start), message);
            }
            let size = span.range.end.saturating_sub(span.range.start);
            let start = span.range.start;
            let (node, above, role) = (Node::Chunk(chunks.len()), EntryId::FILE, Role::Group);
            let entry = outline.add(node, above, name.clone(), path.clone(), role, name, start, size, Content::None);
            findings.report(Some(entry), cx.diagnostics);
            for (index, part) in data.iter().flat_map(|d| d.parts()).enumerate() {
                let size = part.range.end.saturating_sub(part.range.start);
                let path = format!("{path}/{}", part.name);
                let (node, start) = (Node::Part(chunks.len(), index), part.range.start);
                outline.add(node, entry, part.name, path, part.role, part.class, start, size, part.content);
            }
            chunks.push(OpenChunk { span, data });
        }
        Ok(Self { kind, source, header, chunks, outline })
    }

    pub fn kind(&self) -> &'static FileKind {
        self.kind
    }

    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    /// The first chunk that was read into a `T`.
    pub fn chunk<T: ChunkData>(&self) -> Option<&T> {
        self.chunks.iter().filter_map(|c| c.data.as_deref()).find_map(|data| data.as_any().downcast_ref::<T>())
    }

    /// Where the first chunk of a kind lies.
    pub fn chunk_range(&self, tag: &[u8; 4]) -> Option<Range<u64>> {
        self.chunks.iter().find(|c| c.span.tag == *tag).map(|c| c.span.range.clone())
    }

    /// The entry of the first chunk of a kind.
    pub fn chunk_entry(&self, tag: &[u8; 4]) -> Option<EntryId> {
        let chunk = self.chunks.iter().position(|c| c.span.tag == *tag)?;
        self.outline.entry_of(|node| matches!(node, Node::Chunk(index) if *index == chunk))
    }

    fn file_fields(&self) -> Vec<Field> {
        let mut r = file::reader(&self.source).recording();
        // It was read once without a fault.
        let _ = file::read_header(&mut r);
        let mut fields = r.into_fields();
        fields.extend(anim::sound_fields(&self.source, self.header.sound_offset));
        let end = self.chunks.iter().map(|c| c.span.range.end).max().unwrap_or(HEADER_SIZE);
        claim_padding(&self.source, end..self.source.len() as u64, &mut fields);
        fields
    }

    fn chunk_fields(&self, chunk: &OpenChunk) -> Vec<Field> {
        let range = chunk.span.range.clone();
        let mut r = FieldReader::new(&self.source, range.clone(), Endian::Big).recording();
        if read_chunk_header(&mut r).is_ok()
            && let Some(kind) = kind_of(&chunk.span.tag)
        {
            // What is wrong with it was reported when it was opened.
            let _ = (kind.read)(&mut r, &mut Findings::default());
        }
        let mut fields = r.into_fields();
        claim_padding(&self.source, range, &mut fields);
        fields
    }
}

fn read_chunk_header(r: &mut FieldReader<'_>) -> Result<(), crate::formats::field_reader::Fault> {
    r.tag::<4>("Tag")?;
    r.u32("Size")?;
    Ok(())
}

fn read_chunk(source: &Source, span: &ChunkSpan, findings: &mut Findings) -> Option<Box<dyn ChunkData>> {
    let Some(kind) = kind_of(&span.tag) else {
        let message = format!("“{}” is no known kind of chunk", span.name());
        findings.add(&codes::UNKNOWN_CHUNK, Some(span.range.start), message);
        return None;
    };
    let mut r = FieldReader::new(source, span.range.clone(), Endian::Big);
    let read = read_chunk_header(&mut r).and_then(|()| (kind.read)(&mut r, findings));
    match read {
        Ok(data) => Some(data),
        Err(fault) => {
            let message = format!("“{}” cannot be read to its end: {}", span.name(), fault.message);
            findings.add(&codes::UNREADABLE_CHUNK, Some(fault.offset), message);
            None
        }
    }
}

/// Makes fields of the parts of `range` that no field claims and that hold nothing but what writers fill up with.
pub(super) fn claim_padding(source: &Source, range: Range<u64>, fields: &mut Vec<Field>) {
    coverage::claim_gaps(source, range, fields, PADDING, is_padding);
}

/// Zeros, 0xFF, or the text that the official tools fill up with.
pub(super) fn is_padding(bytes: &[u8]) -> bool {
    /// Nintendo's tools (some repeat the shorter one where more is needed), and SuperBMD.
    const TEXTS: [&[u8]; 4] = [
        b"This is padding data to alignment.....",
        b"This is padding data to align ",
        b"This is padding data to align",
        b"Model made with SuperBMD by Gamma.",
    ];
    let same = |value: u8| bytes.iter().all(|b| *b == value);
    // Runs of zeros may come before the text: names end with one.
    let text = bytes.iter().position(|b| *b != 0).and_then(|start| bytes.get(start..)).unwrap_or_default();
    let filled = |filler: &[u8]| text.iter().zip(filler.iter().cycle()).all(|(a, b)| a == b);
    same(0) || same(0xFF) || TEXTS.into_iter().any(filled)
}

impl Document for J3dDocument {
    fn endian(&self) -> Endian {
        Endian::Big
    }

    fn format(&self) -> &'static FormatInfo {
        &self.kind.info
    }

    fn source(&self) -> &Source {
        &self.source
    }

    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn fields(&self, entry: EntryId) -> Result<FieldTree, ReadError> {
        let fields = match *self.outline.require(entry)? {
            Node::File => self.file_fields(),
            Node::Chunk(index) => self.chunks.get(index).map(|c| self.chunk_fields(c)).unwrap_or_default(),
            Node::Part(index, part) => {
                let data = self.chunks.get(index).and_then(|c| c.data.as_ref());
                data.map(|d| d.part_fields(&self.source, part)).unwrap_or_default()
            }
        };
        Ok(FieldTree { fields })
    }

    fn surface(&self, entry: EntryId) -> Option<SurfaceInfo> {
        let Node::Part(chunk, part) = *self.outline.node(entry)? else { return None };
        let material = self.chunks.get(chunk)?.data.as_ref()?.surface(part)?;
        let textures = self.chunk_entry(b"TEX1");
        Some(SurfaceInfo {
            material,
            index: part,
            owner: EntryId::FILE,
            textures: textures.map(|chunk| self.outline.children(chunk).to_vec()).unwrap_or_default(),
            headers_sample: textures.is_some(),
        })
    }

    fn texture_header(&self, entry: EntryId) -> Option<TextureHeader> {
        let Node::Part(chunk, part) = *self.outline.node(entry)? else { return None };
        self.chunks.get(chunk)?.data.as_ref()?.texture_header(part)
    }

    fn hierarchy(&self, entry: EntryId) -> Option<Hierarchy> {
        let Node::Chunk(chunk) = *self.outline.node(entry)? else { return None };
        let inf1 = self.chunks.get(chunk)?.data.as_deref()?.as_any().downcast_ref::<Inf1>()?;
        Some(hierarchy::of(self, inf1))
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.outline.get(entry).ok_or_else(|| ReadError::no_entry(entry))?;
        let mut findings = Findings::default();
        let loaded = match self.outline.node(entry) {
            Some(Node::File) => whole::load(self, cx, &mut findings),
            Some(Node::Part(index, part)) => match self.chunks.get(*index).and_then(|c| c.data.as_ref()) {
                Some(data) => data.load_part(&self.source, *part, cx, &mut findings),
                None => Err("its chunk cannot be read".to_owned()),
            },
            _ => Err("this entry shows as nothing".to_owned()),
        };
        findings.report(Some(entry), cx.diagnostics);
        loaded.map_err(|message| ReadError::new(found, message))
    }
}
