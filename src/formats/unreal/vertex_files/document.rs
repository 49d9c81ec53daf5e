//! An open file of a pair: its records as fields, and the mesh that both make together.

use super::{
    half::Half,
    info::{self, MESH_3D, TRAILING_BYTES},
    layout::{self, FrameFile, HEADER, POLYGON, PolygonFile},
    pair::{self, Pair},
};
use crate::{
    bytes::{
        Endian, Source,
        numbers::{counted, grouped},
    },
    formats::{
        Asset, Base, Capabilities, Content, Document, EditorForms, EntryId, Field, FieldTree, LoadContext, NodeOutline,
        OpenContext, OpenError, Purpose, ReadError, Role, Value,
        field_reader::{Fault, FieldReader},
        file_name,
        findings::Findings,
        unreal::{
            VertexMesh,
            mesh::{AnimSeq, Notify, is_known_type},
        },
    },
};
use std::{ops::Range, sync::Arc};

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    File,
    /// The polygons or the frames.
    Records,
    /// Into the sequences.
    Sequence(usize),
}

/// An open file of a pair.
pub struct Mesh3dDocument {
    source: Source,
    half: Half,
    pair: Pair,
    outline: NodeOutline<Node>,
    /// Bytes of the polygons or the frames that are whole.
    records: Range<u64>,
}

impl Mesh3dDocument {
    pub fn open(source: Source, cx: &mut OpenContext<'_>) -> Result<Self, OpenError> {
        let half = Half::of(source.as_slice(), cx.stem()).map_err(|message| OpenError::new(cx.file, message))?;
        let common = file_name::stem_of_pair(cx.stem()).unwrap_or(cx.stem());
        let cut = |fault: Fault| OpenError::new(cx.file, format!("the file ends inside its header: {fault}"));
        let mut findings = Findings::default();
        let (polygons, frames, records) = match half {
            Half::Polygons => {
                let own = PolygonFile::read(&source).map_err(cut)?;
                let range = own.range();
                let other = pair::find(half.other(), common, cx, &mut findings, FrameFile::read);
                (Some(own), other, range)
            }
            Half::Frames => {
                let own = FrameFile::read(&source).map_err(cut)?;
                let range = own.range();
                let other = pair::find(half.other(), common, cx, &mut findings, PolygonFile::read);
                (other, Some(own), range)
            }
        };
        // Without the other file there is nothing that the script could place or move.
        let is_pair = polygons.is_some() && frames.is_some();
        let lines = if is_pair { pair::import_lines(common, cx, &mut findings) } else { None };
        let pair = Pair::new(polygons, frames, lines, common, &mut findings);
        findings.report(None, cx.diagnostics);
        let outline = outline(half, &pair, source.len() as u64, &records);
        let document = Self { source, half, pair, outline, records };
        document.report(cx);
        Ok(document)
    }

    /// Reports what is wrong with the records of the file itself.
    fn report(&self, cx: &mut OpenContext<'_>) {
        let mut findings = Findings::default();
        let (promised, whole) = match (self.half, &self.pair.polygons, &self.pair.frames) {
            (Half::Polygons, Some(file), _) => (usize::from(file.promised), file.polygons.len()),
            // Frames without bytes are neither there nor missing.
            (Half::Frames, _, Some(file)) if file.frame_size > 0 => (file.promised.into(), file.whole.into()),
            _ => (0, 0),
        };
        let end = self.records.end;
        let left = (self.source.len() as u64).saturating_sub(end);
        let holds = self.half.holds();
        if whole < promised {
            let message = format!("complete {holds}: {} of {}", grouped(whole), grouped(promised));
            findings.add(&info::TRUNCATED, Some(end), message);
        } else if left > 0 {
            let message = format!("{} found after the {holds}", counted(left, "extra byte"));
            findings.add(&info::TRAILING, Some(end), message);
        }
        if self.half == Half::Polygons {
            self.report_polygons(&mut findings);
        }
        findings.report(self.outline.entry_of(|node| *node == Node::Records), cx.diagnostics);
    }

    fn report_polygons(&self, findings: &mut Findings) {
        let offset = |number: usize| (number as u64).saturating_mul(POLYGON).saturating_add(HEADER);
        for (number, polygon) in self.pair.bad_polygons() {
            let ([a, b, c], count) = (polygon.vertices, self.pair.vertex_count());
            let message = format!(
                "polygon {number} uses vertices {a}, {b} and {c}, but the file has only {}",
                counted(count, "vertex")
            );
            findings.add(&info::BAD_VERTEX, Some(offset(number)), message);
        }
        let polygons = self.pair.polygons.iter().flat_map(|file| file.polygons.iter().enumerate());
        for (number, polygon) in polygons.filter(|(_, polygon)| !is_known_type(polygon.surface)) {
            let message = format!("polygon {number} has the unknown type {}", polygon.surface & 0xF);
            findings.add(&info::UNKNOWN_TYPE, Some(offset(number).saturating_add(6)), message);
        }
    }

    /// The header, and what follows the records.
    fn file_fields(&self) -> Vec<Field> {
        let mut r = layout::reader(&self.source).recording();
        // All of it was read when the file was opened.
        let _ = match self.half {
            Half::Polygons => layout::read_polygon_header(&mut r).map(drop),
            Half::Frames => layout::read_frame_header(&mut r).map(drop),
        };
        let _ = r.seek(self.records.end);
        let left = r.left();
        if left > 0 {
            let _ = r.bytes("Rest", format!("u8[{left}]"), left, Value::Opaque(TRAILING_BYTES));
        }
        r.into_fields()
    }

    fn record_fields(&self) -> Vec<Field> {
        let mut r = FieldReader::new(&self.source, self.records.clone(), Endian::Little).recording();
        let _ = match (self.half, &self.pair.polygons, &self.pair.frames) {
            (Half::Polygons, Some(file), _) => layout::read_polygons(&mut r, file.polygons.len()).map(drop),
            (Half::Frames, _, Some(file)) => layout::frame_fields(&mut r, file, self.pair.size),
            _ => Ok(()),
        };
        r.into_fields()
    }

    fn sequence_fields(&self, number: usize) -> Vec<Field> {
        self.pair.sequences.get(number).map(sequence_fields).unwrap_or_default()
    }
}

/// What the script says of a sequence; it has no bytes in this file.
fn sequence_fields(sequence: &AnimSeq) -> Vec<Field> {
    let field = |name: &'static str, kind: &'static str, value| Field::new(name, kind, value, 0, 0).mirrored();
    let notify = |notify: &Notify| {
        let fields = vec![
            field("Time", "f32", Value::Float(notify.time)),
            field("Function", "name", Value::Text(notify.function.to_string())),
        ];
        Field::group("Notify", "MESH NOTIFY", 0, 0, fields).mirrored()
    };
    let mut fields = vec![
        field("StartFrame", "i32", Value::Int(sequence.start_frame.into())),
        field("NumFrames", "i32", Value::Int(sequence.frames.into())),
        field("Rate", "f32", Value::Float(sequence.rate)),
        field("Group", "name", Value::Text(sequence.group.to_string())),
    ];
    fields.extend(sequence.notifies.iter().map(notify));
    fields
}

fn outline(half: Half, pair: &Pair, size: u64, records: &Range<u64>) -> NodeOutline<Node> {
    let (class, name) = match half {
        Half::Polygons => ("PolygonFile", "Polygons"),
        Half::Frames => ("FrameFile", "Frames"),
    };
    let mut outline = NodeOutline::new(Node::File, Role::Model, class, size);
    let length = records.end.saturating_sub(records.start);
    let (file, start) = (EntryId::FILE, records.start);
    outline.add(Node::Records, file, name, name, Role::Data, name, start, length, Content::None);
    if pair.is_shown() {
        outline.set_file_content(Content::Model);
        for (number, sequence) in pair.sequences.iter().enumerate() {
            let name =
                if sequence.name.is_empty() { format!("unnamed {number}").into() } else { sequence.name.clone() };
            let (node, role) = (Node::Sequence(number), Role::VertexSequence);
            outline.add(node, file, name.clone(), name, role, "Sequence", 0, 0, Content::Clip);
        }
    }
    outline
}

impl Document for Mesh3dDocument {
    fn base(&self) -> Base<'_> {
        Base { format: &MESH_3D, source: &self.source, outline: &self.outline, endian: Endian::Little }
    }

    fn fields_for(&self, entry: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        let fields = match *self.outline.require(entry)? {
            Node::File => self.file_fields(),
            Node::Records => self.record_fields(),
            Node::Sequence(number) => self.sequence_fields(number),
        };
        Ok(FieldTree { fields })
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.outline.entry(entry)?;
        let asset = match self.outline.node(entry) {
            Some(Node::File) => self.pair.model(cx).map(|model| Asset::Model(Arc::new(model))),
            Some(Node::Sequence(number)) => self.pair.clip(*number).map(|clip| Asset::Clip(Arc::new(clip))),
            _ => None,
        };
        asset.ok_or_else(|| {
            let other = self.half.other().holds();
            let message = match self.outline.node(entry) {
                Some(Node::File) => format!("the model cannot be shown without the file that contains its {other}"),
                _ => "this entry cannot be shown. Show the file itself instead".to_owned(),
            };
            ReadError::new(found, message)
        })
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { editor: Some(self), ..Capabilities::default() }
    }
}

impl EditorForms for Mesh3dDocument {
    fn has_vertex_mesh(&self, entry: EntryId) -> bool {
        self.outline.node(entry) == Some(&Node::File) && self.pair.is_shown()
    }

    fn vertex_mesh(&self, entry: EntryId) -> Option<Result<VertexMesh, ReadError>> {
        self.has_vertex_mesh(entry).then(|| self.pair.vertex_mesh()).flatten().map(Ok)
    }
}
