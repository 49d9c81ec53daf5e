//! The parts of a project, which tile the file (formats/visitor.md §1.1).

use crate::formats::Section;
use std::ops::Range;

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SpanKind {
    Header,
    OfpTextures,
    ObjectTypes,
    OfpTerrains,
    OfpForests,
    RoadNets,
    Crossroads,
    Grid,
    Heights,
    Blue,
    UnknownAfterBlue,
    Objects,
    Layers,
    AfterLayers,
    RoadBlocks,
    NamedZones,
    Backgrounds,
    EndBlocks,
    /// What could not be made sense of.
    Unknown,
}

/// A part and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub kind: SpanKind,
    pub range: Range<u64>,
}

impl SpanKind {
    /// What the part is called in lists of sections; `None` for what is none.
    pub fn section(self) -> Option<&'static str> {
        Some(match self {
            Self::Header => "header",
            Self::OfpTextures => "ofp_textures",
            Self::ObjectTypes => "object_types",
            Self::OfpTerrains => "ofp_terrains",
            Self::OfpForests => "ofp_forests",
            Self::RoadNets => "road_nets",
            Self::Grid => "grid",
            Self::Heights => "heights",
            Self::Blue => "blue",
            Self::UnknownAfterBlue => "unknown_after_blue",
            Self::Objects => "objects",
            Self::Layers => "layers",
            Self::AfterLayers => "after_layers",
            Self::RoadBlocks => "road_blocks",
            Self::NamedZones => "named_zones",
            Self::Backgrounds => "backgrounds",
            Self::EndBlocks => "end_blocks",
            Self::Crossroads | Self::Unknown => return None,
        })
    }
}

/// Parts as they are found, from the start of the file on.
#[derive(Debug, Default)]
pub struct Spans {
    list: Vec<Span>,
    end: u64,
}

impl Spans {
    /// Adds a part; what lies between it and the one before is unknown.
    pub fn add(&mut self, kind: SpanKind, range: Range<u64>) {
        if range.start > self.end {
            self.push(SpanKind::Unknown, self.end..range.start);
        }
        self.push(kind, range.start.max(self.end)..range.end);
    }

    fn push(&mut self, kind: SpanKind, range: Range<u64>) {
        if !range.is_empty() {
            self.end = range.end;
            self.list.push(Span { kind, range });
        }
    }

    /// Where the last part ends.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// All parts; what is left up to `end` is `rest`.
    pub fn finish(mut self, rest: SpanKind, end: u64) -> Vec<Span> {
        self.push(rest, self.end..end);
        self.list
    }
}

/// Where the parts start, by name; each name once.
pub fn sections(spans: &[Span]) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for span in spans {
        if let Some(name) = span.kind.section()
            && !sections.iter().any(|section| section.name == name)
        {
            sections.push(Section { name, offset: span.range.start });
        }
    }
    sections
}
