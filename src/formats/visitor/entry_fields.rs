//! The fields of each entry, with all bytes that it owns.

use super::{
    info::{BLUE_REST, CROSSROADS, END_BLOCKS, HEADER, OFP_TEXTURES, ROAD_BLOCKS, UNKNOWN},
    layers::{read_background, read_backgrounds, read_layer, read_layers, read_zone, read_zones},
    objects::SlotTable,
    project::Project,
    roads::{read_net, read_nets, read_part},
    spans::{Span, SpanKind},
    strings,
    survey::read_flags,
    tree::{Node, Tree},
    types::read_type,
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        EntryId, Field, Reference, Value,
        field_reader::{Fault, FieldReader},
    },
};
use std::{ops::Range, sync::Arc};

/// Strings that are shown of one range.
const MAX_STRINGS: usize = 1000;

/// The fields of an entry.
pub fn fields(project: &Project, source: &Source, tree: &Tree, node: Node) -> Vec<Field> {
    let maker = Maker { project, source, tree };
    match node {
        Node::File => maker.file(),
        Node::Class | Node::Folder => Vec::new(),
        Node::Header => maker.header(),
        Node::Terrain => maker.terrain(),
        Node::Objects => maker.objects(),
        Node::Opaque(span) => project.spans.get(span).map(|span| maker.opaque(span)).unwrap_or_default(),
        Node::Types => {
            maker.read(project.types.at..project.types.at.saturating_add(4), |r| r.u32("TypeCount").map(drop))
        }
        Node::Type(index) => {
            let Some(one) = project.types.list.get(index) else { return Vec::new() };
            maker.read(one.range.clone(), |r| read_type(r, &project.layout, Some(one.info_size)).map(drop))
        }
        _ => maker.listed(node),
    }
}

/// Reads again what was read once without a fault.
struct Maker<'a> {
    project: &'a Project,
    source: &'a Source,
    tree: &'a Tree,
}

impl Maker<'_> {
    fn read(&self, range: Range<u64>, read: impl FnOnce(&mut FieldReader<'_>) -> Result<(), Fault>) -> Vec<Field> {
        let mut r = FieldReader::new(self.source, range, Endian::Little).recording();
        let _ = read(&mut r);
        r.into_fields()
    }

    /// Entries whose bytes are one record, or the number of some.
    fn listed(&self, node: Node) -> Vec<Field> {
        let project = self.project;
        let layout = &project.layout;
        let net = |index: usize| project.roads.as_ref().and_then(|roads| roads.nets.get(index));
        match node {
            Node::Roads => {
                let range = project.roads.as_ref().map(|roads| roads.range.clone());
                self.read(range.unwrap_or_default(), |r| read_nets(r, layout).map(drop))
            }
            Node::Net(index) => {
                let range = net(index).map(|net| net.range.clone());
                self.read(range.unwrap_or_default(), |r| read_net(r, layout, usize::MAX).map(drop))
            }
            Node::Part(index, part) => {
                let Some(part) = net(index).and_then(|net| net.parts.get(part)) else { return Vec::new() };
                self.read(part.range.clone(), |r| read_part(r, layout, part.kind).map(drop))
            }
            Node::Layers => {
                let range = project.layers.as_ref().map(|layers| layers.range.clone());
                let names = layout.layer_names;
                self.read(range.unwrap_or_default(), |r| read_layers(r, layout.strings, names).map(drop))
            }
            Node::Layer(index) => {
                let layer = project.layers.as_ref().and_then(|layers| layers.list.get(index));
                let range = layer.map(|layer| layer.range.clone()).unwrap_or_default();
                self.read(range, |r| read_layer(r, layout.strings, layout.layer_names).map(drop))
            }
            Node::Zones => {
                let range = project.zones.as_ref().map(|zones| zones.range.clone());
                self.read(range.unwrap_or_default(), |r| read_zones(r, layout).map(drop))
            }
            Node::Zone(index) => {
                let zone = project.zones.as_ref().and_then(|zones| zones.list.get(index));
                let range = zone.map(|zone| zone.range.clone()).unwrap_or_default();
                self.read(range, |r| read_zone(r, layout).map(drop))
            }
            Node::Backgrounds => {
                let range = project.backgrounds.as_ref().map(|backgrounds| backgrounds.range.clone());
                self.read(range.unwrap_or_default(), |r| read_backgrounds(r, layout).map(drop))
            }
            Node::Background(index) => {
                let found = project.backgrounds.as_ref().and_then(|backgrounds| backgrounds.list.get(index));
                let range = found.map(|background| background.range.clone()).unwrap_or_default();
                self.read(range, |r| read_background(r, layout).map(drop))
            }
            _ => Vec::new(),
        }
    }

    /// What no other entry has, and where the parts are.
    fn file(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        for span in &self.project.spans {
            let start = span.range.start;
            match span.kind {
                SpanKind::OfpTextures if span.range.end <= start.saturating_add(4) => {
                    fields.extend(self.read(span.range.clone(), |r| r.u32("OfpTextureCount").map(drop)));
                }
                SpanKind::RoadBlocks if span.range.end <= start.saturating_add(4) => {
                    fields.extend(self.read(span.range.clone(), |r| r.u32("RoadBlockCount").map(drop)));
                }
                // Both flags are read at once, from the first one on.
                SpanKind::OfpTerrains => {
                    let end =
                        self.project.flags.as_ref().map_or(start, |flags| flags.at.into_iter().max().unwrap_or(0));
                    fields.extend(self.read(start..end, |r| read_flags(r).map(drop)));
                }
                SpanKind::OfpForests => {}
                SpanKind::UnknownAfterBlue => {
                    fields.extend(self.read(span.range.clone(), |r| r.u32("UnknownAfterBlue").map(drop)));
                }
                SpanKind::AfterLayers if !self.project.is_older_order() => {
                    fields.extend(self.read(span.range.clone(), |r| r.u32("UnknownAfterLayers").map(drop)));
                }
                _ => fields.extend(self.link(span)),
            }
        }
        fields
    }

    /// A part that is an entry of its own.
    fn link(&self, span: &Span) -> Option<Field> {
        let (name, entry) = match span.kind {
            SpanKind::Header => ("Header", "Header"),
            SpanKind::ObjectTypes => ("Object types", "Types"),
            SpanKind::RoadNets => ("Road nets", "Roads"),
            SpanKind::Grid => ("Grid", "Terrain"),
            SpanKind::Heights => ("Heights", "Terrain"),
            SpanKind::Blue => ("Floats after the heights", "Terrain"),
            SpanKind::Objects => ("Objects", "Objects"),
            SpanKind::Layers => ("Layers", "Layers"),
            SpanKind::AfterLayers | SpanKind::NamedZones => ("Named zones", "Zones"),
            SpanKind::Backgrounds => ("Backgrounds", "Backgrounds"),
            _ => return self.link_opaque(span),
        };
        let found = self.tree.outline.find(entry).map(|found| found.id);
        Some(mirrored_link(name, entry, found, &span.range))
    }

    fn link_opaque(&self, span: &Span) -> Option<Field> {
        let is_it = |node: &Node| matches!(node, Node::Opaque(index) if self.project.spans.get(*index) == Some(span));
        let id = self.tree.outline.entry_of(is_it)?;
        let path = self.tree.outline.get(id)?.path().into_owned();
        Some(mirrored_link("Unknown", &path, Some(id), &span.range))
    }

    fn header(&self) -> Vec<Field> {
        let Some(header) = self.project.span(SpanKind::Header) else { return Vec::new() };
        self.read(header.range.clone(), |r| {
            r.tag::<5>("Magic")?;
            r.tag::<2>("Version")?;
            let rest = r.left();
            r.bytes("Unknown", format!("u8[{rest}]"), rest, Value::Opaque(HEADER)).map(drop)
        })
    }

    fn terrain(&self) -> Vec<Field> {
        let Some(grid) = &self.project.grid else { return Vec::new() };
        let mut fields = self.read(grid.at..grid.heights_at(), |r| {
            r.u32("GridX")?;
            r.u32("GridZ").map(drop)
        });
        if grid.present > 0 {
            fields.push(grid.field(self.source));
        }
        if let Some(blue) = self.project.span(SpanKind::Blue) {
            fields.extend(self.read(blue.range.clone(), |r| {
                let count = (r.left() as u64).div_euclid(4);
                r.table("Floats after the heights", "f32", count, 4, |r, _| r.f32("Float").map(drop))?;
                let rest = r.left();
                if rest > 0 {
                    r.bytes("Rest", format!("u8[{rest}]"), rest, Value::Opaque(BLUE_REST))?;
                }
                Ok(())
            }));
        }
        fields
    }

    fn objects(&self) -> Vec<Field> {
        let Some(objects) = &self.project.objects else { return Vec::new() };
        let first = objects.at.saturating_add(4);
        let mut fields = self.read(objects.at..first, |r| r.u32("SlotCount").map(drop));
        if !objects.is_empty() {
            let table = SlotTable {
                source: self.source.clone(),
                objects: objects.clone(),
                layout: self.project.layout,
                types: self.tree.types.clone(),
            };
            let size = objects.end.saturating_sub(first);
            fields.push(Field::table("Slots", "Object", first, size, Arc::new(table)));
        }
        fields
    }

    /// Bytes that nobody has described, with the text in them.
    fn opaque(&self, span: &Span) -> Vec<Field> {
        let Range { start, end } = span.range;
        let mut fields = match span.kind {
            SpanKind::OfpTextures => self.read(span.range.clone(), |r| {
                r.u32("OfpTextureCount")?;
                let rest = r.left();
                r.bytes("Textures", format!("u8[{rest}]"), rest, Value::Opaque(OFP_TEXTURES)).map(drop)
            }),
            SpanKind::RoadBlocks => self.read(span.range.clone(), |r| {
                r.u32("RoadBlockCount")?;
                let rest = r.left();
                r.bytes("RoadBlocks", format!("u8[{rest}]"), rest, Value::Opaque(ROAD_BLOCKS)).map(drop)
            }),
            kind => {
                let name = match kind {
                    SpanKind::Crossroads => CROSSROADS,
                    SpanKind::EndBlocks => END_BLOCKS,
                    _ => UNKNOWN,
                };
                let size = end.saturating_sub(start);
                vec![Field::new("Bytes", format!("u8[{size}]"), Value::Opaque(name), start, size)]
            }
        };
        let bytes = self.source.as_slice().get(start as usize..end as usize).unwrap_or_default();
        let found = strings::found_in(bytes, MAX_STRINGS);
        if !found.is_empty() {
            let texts = found.into_iter().map(|(at, length, text)| {
                let at = start.saturating_add(at as u64);
                Field::new("Text", "char[]", Value::Text(text), at, length as u64).mirrored()
            });
            let size = end.saturating_sub(start);
            fields.push(Field::group("Strings found", "", start, size, texts.collect()).mirrored());
        }
        fields
    }
}

fn mirrored_link(name: &'static str, path: &str, entry: Option<EntryId>, range: &Range<u64>) -> Field {
    let value = Value::Reference(Reference::inside(path, entry));
    Field::new(name, "part", value, range.start, range.end.saturating_sub(range.start)).mirrored()
}
