//! Open files: an entry for the file, one for each chunk, and one for each thing in a chunk that has a name; the asset
//! of the whole file; the hierarchy of a model; the appearance of its surfaces (formats/j3d.md §5.7).

use super::{
    anim::{self, Animation},
    chunk_file::{ChunkFile, Node, OpenChunk},
    codes,
    file::{self, ChunkData, ChunkKind, ChunkSpan, FileHeader, FileKind, Findings, HEADER_SIZE, Shows},
    geometry::{self, Inf1, Jnt1, NodeKind as Stored},
    mat3::{self, Mat3},
    mdl3,
    padding::claim_padding,
    tex1::{self, Tex1},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Base, Capabilities, Content, Document, EntryId, Facts, Field, FieldTree, Hierarchy, HierarchyNode,
        LoadContext, NodeKind, NodeOutline, OpenContext, OpenError, Purpose, ReadError, Role, SurfaceInfo,
        TextureHeader, field_reader::FieldReader,
    },
    scene::{
        Clip, Image, Material,
        gx::{MaterialSet, Texture},
    },
};
use std::{ops::Range, sync::Arc};

/// An open J3D file.
pub struct J3dDocument {
    file: ChunkFile,
}

impl J3dDocument {
    /// Opens a file of this kind and reads its chunks; a chunk that cannot be read is reported in `cx`.
    ///
    /// # Errors
    /// Returns an error if the file header is incomplete or its magic is not one of `kind`.
    pub fn open(kind: &'static FileKind, source: Source, cx: &mut OpenContext<'_>) -> Result<Self, OpenError> {
        let mut findings = Findings::default();
        let header = file::read_header(&mut file::reader(&source))
            .map_err(|fault| OpenError::new(cx.file, fault.to_string()))?;
        if !kind.magics.iter().any(|magic| header.magic == **magic) {
            let what = file::refusal(&header.magic)
                .unwrap_or_else(|| format!("the file starts with “{}”", header.magic.escape_ascii()));
            return Err(OpenError::new(cx.file, format!("cannot be read as a {}: {what}", kind.info.name)));
        }
        let spans = file::chunks(&source, &header, &mut findings);
        findings.report(None, cx.diagnostics);
        let (role, content) = match kind.shows {
            Shows::Model => (Role::Model, Content::Model),
            Shows::Clip => (Role::Clip, Content::Clip),
            Shows::SurfaceClip => (Role::SurfaceClip, Content::Clip),
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
                let message = format!("“{name}” occurs more than once; the first one is used");
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
        Ok(Self { file: ChunkFile { kind, source, header, chunks, outline } })
    }

    /// Returns the kind of file that this document was opened as.
    pub fn kind(&self) -> &'static FileKind {
        self.file.kind
    }

    /// Returns the file header as stored.
    pub fn header(&self) -> &FileHeader {
        &self.file.header
    }

    /// The first chunk that was read into a `T`.
    pub fn chunk<T: ChunkData>(&self) -> Option<&T> {
        self.file.chunk()
    }

    /// Where the first chunk of a kind lies.
    pub fn chunk_range(&self, tag: &[u8; 4]) -> Option<Range<u64>> {
        self.file.chunk_range(tag)
    }

    /// The entry of the first chunk of a kind.
    pub fn chunk_entry(&self, tag: &[u8; 4]) -> Option<EntryId> {
        self.file.chunk_entry(tag)
    }

    fn file_fields(&self) -> Vec<Field> {
        let mut r = file::reader(&self.file.source).recording();
        // It was read once without a fault.
        let _ = file::read_header(&mut r);
        let mut fields = r.into_fields();
        fields.extend(anim::sound_fields(&self.file));
        let end = self.file.chunks.iter().map(|c| c.span.range.end).max().unwrap_or(HEADER_SIZE);
        claim_padding(&self.file.source, end..self.file.source.len() as u64, &mut fields);
        fields
    }

    fn chunk_fields(&self, chunk: &OpenChunk) -> Vec<Field> {
        let range = chunk.span.range.clone();
        let mut r = FieldReader::new(&self.file.source, range.clone(), Endian::Big).recording();
        if read_chunk_header(&mut r).is_ok()
            && let Some(kind) = kind_of(&chunk.span.tag)
        {
            // What is wrong with it was reported when it was opened.
            let _ = (kind.read)(&mut r, &mut Findings::default());
        }
        let mut fields = r.into_fields();
        claim_padding(&self.file.source, range, &mut fields);
        fields
    }
}

/// Chunk kinds by their owners; a kind that is in none of them is kept as it is.
static TABLES: &[&[ChunkKind]] = &[anim::KINDS, geometry::KINDS, mat3::KINDS, mdl3::KINDS, tex1::KINDS];

fn kind_of(tag: &[u8; 4]) -> Option<&'static ChunkKind> {
    TABLES.iter().copied().flatten().find(|kind| kind.tag == tag)
}

fn read_chunk_header(r: &mut FieldReader<'_>) -> Result<(), crate::formats::field_reader::Fault> {
    r.tag::<4>("Tag")?;
    r.u32("Size")?;
    Ok(())
}

fn read_chunk(source: &Source, span: &ChunkSpan, findings: &mut Findings) -> Option<Box<dyn ChunkData>> {
    let Some(kind) = kind_of(&span.tag) else {
        let message = format!("unknown chunk “{}”", span.name());
        findings.add(&codes::UNKNOWN_CHUNK, Some(span.range.start), message);
        return None;
    };
    let mut r = FieldReader::new(source, span.range.clone(), Endian::Big);
    let read = read_chunk_header(&mut r).and_then(|()| (kind.read)(&mut r, findings));
    match read {
        Ok(data) => Some(data),
        Err(fault) => {
            let message = format!("“{}” cannot be read completely: {}", span.name(), fault.message);
            findings.add(&codes::UNREADABLE_CHUNK, Some(fault.offset), message);
            None
        }
    }
}

impl Document for J3dDocument {
    fn base(&self) -> Base<'_> {
        Base {
            format: &self.file.kind.info,
            source: &self.file.source,
            outline: &self.file.outline,
            endian: Endian::Big,
        }
    }

    fn fields_for(&self, entry: EntryId, purpose: Purpose) -> Result<FieldTree, ReadError> {
        let fields = match *self.file.outline.require(entry)? {
            Node::File => self.file_fields(),
            Node::Chunk(index) => self.file.chunks.get(index).map(|c| self.chunk_fields(c)).unwrap_or_default(),
            // The bytes of a part belong to its chunk.
            Node::Part(..) if purpose != Purpose::Show => Vec::new(),
            Node::Part(index, part) => {
                let data = self.file.chunks.get(index).and_then(|c| c.data.as_ref());
                data.map(|d| d.part_fields(&self.file.source, part)).unwrap_or_default()
            }
        };
        Ok(FieldTree { fields })
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { facts: Some(self), ..Capabilities::default() }
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.file.outline.entry(entry)?;
        let mut findings = Findings::default();
        let loaded = match self.file.outline.node(entry) {
            Some(Node::File) => load(&self.file, cx, &mut findings),
            Some(Node::Part(index, part)) => match self.file.chunks.get(*index).and_then(|c| c.data.as_ref()) {
                Some(data) => data.load_part(&self.file.source, *part, cx, &mut findings),
                None => Err("the chunk of this entry cannot be read".to_owned()),
            },
            _ => Err("this entry cannot be shown".to_owned()),
        };
        findings.report(Some(entry), cx.diagnostics);
        loaded.map_err(|message| ReadError::new(found, message))
    }
}

impl Facts for J3dDocument {
    fn surface(&self, entry: EntryId) -> Option<SurfaceInfo> {
        let Node::Part(chunk, part) = *self.file.outline.node(entry)? else { return None };
        let material = self.file.chunks.get(chunk)?.data.as_ref()?.surface(part)?;
        let textures = self.chunk_entry(b"TEX1");
        Some(SurfaceInfo {
            material,
            index: part,
            owner: EntryId::FILE,
            textures: textures.map(|chunk| self.file.outline.children(chunk).to_vec()).unwrap_or_default(),
            headers_sample: textures.is_some(),
        })
    }

    fn texture_header(&self, entry: EntryId) -> Option<TextureHeader> {
        let Node::Part(chunk, part) = *self.file.outline.node(entry)? else { return None };
        self.file.chunks.get(chunk)?.data.as_ref()?.texture_header(part)
    }

    fn hierarchy(&self, entry: EntryId) -> Option<Hierarchy> {
        let Node::Chunk(chunk) = *self.file.outline.node(entry)? else { return None };
        let inf1 = self.file.chunks.get(chunk)?.data.as_deref()?.as_any().downcast_ref::<Inf1>()?;
        Some(of(&self.file, inf1))
    }
}

/// The file's model or clip; an error in words where there is none.
fn load(document: &ChunkFile, cx: &mut LoadContext<'_>, findings: &mut Findings) -> Result<Asset, String> {
    match document.kind.shows {
        Shows::SurfaceClip if document.kind.info.id == "bmt" => material_set(document, cx, findings),
        Shows::Model => {
            let (materials, textures) = materials(document, cx, findings);
            let stem = cx.stem();
            let mut model = geometry::model(document, stem, materials, findings)?;
            model.images = images(&textures);
            model.textures = textures;
            Ok(Asset::Model(Arc::new(model)))
        }
        Shows::Clip | Shows::SurfaceClip => match document.chunk::<Animation>() {
            Some(animation) => Ok(Asset::Clip(Arc::new(anim::load(document, animation, cx, findings)))),
            None => Err("the file has no readable animation".to_owned()),
        },
    }
}

/// Materials in the order of the file, and textures in that of TEX1. Either is empty where its chunk is missing.
fn materials(
    document: &ChunkFile,
    cx: &LoadContext<'_>,
    findings: &mut Findings,
) -> (Vec<Material>, Vec<Arc<Texture>>) {
    let tex1 = document.chunk::<Tex1>();
    let textures = tex1.map(|tex1| tex1.textures(&document.source, cx, findings)).unwrap_or_default();
    // A material set without textures speaks of the model's.
    let none = (document.kind.shows == Shows::Model).then_some(0);
    let count = tex1.map(|tex1| tex1.textures.len()).or(none);
    let materials = document.chunk::<Mat3>().map(|mat3| mat3.materials(count)).unwrap_or_default();
    (materials, textures)
}

/// The largest image of each texture; a white pixel for one without any.
fn images(textures: &[Arc<Texture>]) -> Vec<Arc<Image>> {
    let white = |name: &str| Image {
        name: name.to_owned(),
        width: 1,
        height: 1,
        rgba: [0xFF; 4].as_slice().into(),
        stored_as: "none".to_owned(),
    };
    textures.iter().map(|t| t.mips.first().cloned().unwrap_or_else(|| Arc::new(white(&t.name)))).collect()
}

/// A BMT as a clip of one frame that puts its materials and textures in the places of a model's.
fn material_set(document: &ChunkFile, cx: &LoadContext<'_>, findings: &mut Findings) -> Result<Asset, String> {
    let (materials, textures) = materials(document, cx, findings);
    let has_textures = document.chunk::<Tex1>().is_some();
    if materials.is_empty() && !has_textures {
        return Err("the file has no materials or textures".to_owned());
    }
    let stem = cx.stem();
    Ok(Asset::Clip(Arc::new(Clip {
        name: stem.to_owned(),
        frame_count: 1,
        rate_hz: 30.0,
        rate_is_assumed: true,
        material_set: Some(Arc::new(MaterialSet { materials, textures: has_textures.then_some(textures) })),
        ..Clip::default()
    })))
}

const COMPENSATES: [&str; 2] =
    ["scale compensation", "The joint does not inherit its parent's scale (segment scale compensation in Maya)"];

/// The hierarchy that a model's INF1 has.
fn of(document: &ChunkFile, inf1: &Inf1) -> Hierarchy {
    let parts = |tag: &[u8; 4]| -> &[EntryId] {
        let chunk = document.chunk_entry(tag);
        chunk.map(|chunk| document.outline.children(chunk)).unwrap_or_default()
    };
    let (joints, materials, shapes) = (parts(b"JNT1"), parts(b"MAT3"), parts(b"SHP1"));
    let materials = if materials.is_empty() { parts(b"MAT2") } else { materials };
    let stored = document.chunk::<Jnt1>();
    let compensates = |joint: usize| {
        stored.and_then(|stored| stored.joints.get(joint)).is_some_and(|joint| joint.scale_compensate == 1)
    };
    let node = |(depth, kind, number): (usize, Stored, u16)| {
        let number = usize::from(number);
        let (kind, what, entries) = match kind {
            Stored::Joint => (NodeKind::Joint, "joint", joints),
            Stored::Material => (NodeKind::Material, "material", materials),
            Stored::Shape => (NodeKind::Shape, "shape", shapes),
        };
        let entry = entries.get(number).and_then(|id| document.outline.get(*id));
        HierarchyNode {
            depth,
            kind,
            name: entry.map_or_else(|| format!("{what} {number}").into(), |entry| entry.name.clone()),
            entry: entry.map(|entry| entry.id),
            note: (kind == NodeKind::Joint && compensates(number)).then_some(COMPENSATES),
        }
    };
    let nodes = inf1.nodes_by_depth().take(Hierarchy::MAX_NODES).map(node).collect();
    Hierarchy { scaling: Some(inf1.scaling_text()), nodes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Limits, Source},
        formats::{Diagnostics, Document, NoFiles, OpenContext, open},
    };
    use std::sync::Arc;

    #[test]
    fn joints_are_named_in_their_order_and_say_whether_they_compensate() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/ScalingRules.arc");
        let mut diagnostics = Diagnostics::new(50);
        let mut cx = OpenContext {
            file: "ScalingRules.arc",
            resolver: Arc::new(NoFiles),
            diagnostics: &mut diagnostics,
            limits: Limits::default(),
            overrides: &crate::formats::NO_OVERRIDES,
        };
        // The archive hands on what its members say, in its own entries.
        let document: Box<dyn Document> = open(Source::from(std::fs::read(path).unwrap()), &mut cx).unwrap();
        let tree = |path: &str| {
            let entry = document.outline().find(path).unwrap().id;
            document.ask(entry, |can, entry| can.facts?.hierarchy(entry))
        };
        let maya = tree("bmd/maya.bmd/INF1").unwrap();
        assert_eq!(
            (maya.scaling.as_deref(), tree("bmd/softimage.bmd/INF1").unwrap().scaling.as_deref()),
            (Some("Maya"), Some("SoftImage"))
        );
        let nodes: Vec<_> = maya.nodes.iter().map(|n| (n.depth, n.kind, &*n.name, n.note.is_some())).collect();
        let start = [
            (0, NodeKind::Joint, "Root", false),
            (1, NodeKind::Material, "Skin", false),
            (2, NodeKind::Shape, "Shape 0", false),
            (1, NodeKind::Joint, "Arm1", true),
            (2, NodeKind::Joint, "Arm2", true),
        ];
        assert_eq!(nodes[..5], start);
        for node in &maya.nodes {
            let entry = document.outline().get(node.entry.unwrap()).unwrap();
            assert!(entry.name == node.name && entry.path().starts_with("bmd/maya.bmd/"), "{}", entry.path());
        }
        assert!(tree("bmd/maya.bmd/JNT1").is_none());
    }
}
