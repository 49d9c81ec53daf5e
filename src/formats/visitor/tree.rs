//! The tree of a project: what is an entry, and where it stands.

use super::{
    objects::TypePaths,
    project::Project,
    spans::{Span, SpanKind},
    types::{ObjectType, class_name},
};
use crate::{
    formats::{Content, EntryId, NodeOutline, Role},
    scene::RoadPartKind,
};
use std::{collections::BTreeMap, ops::Range, sync::Arc};

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    File,
    Header,
    Types,
    /// A class of types.
    Class,
    /// A folder of types.
    Folder,
    /// Into [`super::survey::Types::list`].
    Type(usize),
    Roads,
    Net(usize),
    Part(usize, usize),
    Terrain,
    Objects,
    Layers,
    Layer(usize),
    Zones,
    Zone(usize),
    Backgrounds,
    Background(usize),
    /// Into [`Project::spans`]: bytes that nobody has described.
    Opaque(usize),
}

impl Node {
    /// What it is, and what it shows as.
    fn role(self) -> (Role, Content) {
        match self {
            Self::File => (Role::File, Content::None),
            Self::Folder => (Role::Folder, Content::None),
            Self::Terrain => (Role::Landscape, Content::Terrain),
            Self::Objects => (Role::ObjectList, Content::None),
            Self::Opaque(_) => (Role::Data, Content::Bytes),
            Self::Header
            | Self::Types
            | Self::Class
            | Self::Roads
            | Self::Net(_)
            | Self::Layers
            | Self::Zones
            | Self::Backgrounds => (Role::Group, Content::None),
            Self::Type(_) | Self::Part(..) | Self::Layer(_) | Self::Zone(_) | Self::Background(_) => {
                (Role::Data, Content::None)
            }
        }
    }
}

/// The tree and what its entries are.
#[derive(Debug)]
pub struct Tree {
    pub outline: NodeOutline<Node>,
    /// Entries of the types.
    pub types: Arc<TypePaths>,
    /// The entry of each type, in the file's order.
    pub type_entries: Vec<Option<EntryId>>,
    pub zones: Vec<EntryId>,
    pub backgrounds: Vec<EntryId>,
}

/// Folders that a type may lie in; the rest of its path is its name.
const DEEPEST: usize = 8;

/// Classes in the order they are shown in; all others follow together.
const CLASSES: [Option<u32>; 5] = [Some(1), Some(2), Some(3), Some(5), None];

impl Tree {
    pub fn of(project: &Project, size: u64) -> Self {
        let class = format!("POSEW{:02}", project.version);
        let mut tree = Self {
            outline: NodeOutline::new(Node::File, Role::File, class, size),
            types: Arc::default(),
            type_entries: vec![None; project.types.list.len()],
            zones: Vec::new(),
            backgrounds: Vec::new(),
        };
        if let Some(header) = project.span(SpanKind::Header) {
            tree.add(EntryId::FILE, ["Header", "Header", "Header"], &header.range, Node::Header);
        }
        tree.add_types(project);
        tree.add_roads(project);
        tree.add_ground(project);
        tree.add_tail(project);
        for (index, span) in project.spans.iter().enumerate() {
            tree.add_opaque(index, span);
        }
        tree
    }

    fn add(&mut self, parent: EntryId, [name, path, class]: [&str; 3], range: &Range<u64>, node: Node) -> EntryId {
        let size = range.end.saturating_sub(range.start);
        let (role, content) = node.role();
        self.outline.add(
            node,
            parent,
            name.to_owned(),
            path.to_owned(),
            role,
            class.to_owned(),
            range.start,
            size,
            content,
        )
    }

    fn add_types(&mut self, project: &Project) {
        let Some(span) = project.span(SpanKind::ObjectTypes) else { return };
        let root = self.add(EntryId::FILE, ["Types", "Types", "Types"], &span.range, Node::Types);
        let list = &project.types.list;
        let mut paths = TypePaths::new();
        for class in CLASSES {
            let is_of = |one: &ObjectType| match class {
                Some(class) => one.class == class,
                None => !CLASSES.contains(&Some(one.class)),
            };
            let of_class = list.iter().enumerate().filter(|(_, one)| is_of(one));
            let count = of_class.clone().count();
            if count == 0 {
                continue;
            }
            let class_name = class.and_then(class_name).unwrap_or("unknown class");
            let path = format!("Types/{class_name}");
            let start = of_class.clone().map(|(_, one)| one.range.start).min().unwrap_or(span.range.start);
            let name = format!("{class_name} ({count})");
            let group = self.add(root, [&name, &path, "Class"], &(start..start), Node::Class);
            let mut folders = BTreeMap::new();
            for (index, one) in of_class {
                let shown = if one.name.is_empty() { &one.model } else { &one.name };
                let parts: Vec<&str> = shown.split(['\\', '/']).filter(|part| !part.is_empty()).collect();
                let (folder, name) = parts.split_at(parts.len().saturating_sub(1).min(DEEPEST));
                let (parent, path) = self.folder(group, &path, folder, &one.range, &mut folders);
                let name = if name.is_empty() { one.id.to_string() } else { name.join("/") };
                let path = format!("{path}/{name}");
                let strings = [name.as_str(), &path, "ObjectType"];
                let entry = self.add(parent, strings, &one.range, Node::Type(index));
                if let Some(slot) = self.type_entries.get_mut(index) {
                    *slot = Some(entry);
                }
                paths.entry(one.id).or_insert((entry, path));
            }
        }
        self.types = Arc::new(paths);
    }

    /// The entry and the path of a folder below a class, made where there is none yet.
    fn folder(
        &mut self,
        group: EntryId,
        group_path: &str,
        parts: &[&str],
        first: &Range<u64>,
        folders: &mut BTreeMap<String, EntryId>,
    ) -> (EntryId, String) {
        let (mut parent, mut path) = (group, group_path.to_owned());
        for part in parts {
            path = format!("{path}/{part}");
            let key = path.to_lowercase();
            parent = match folders.get(&key) {
                Some(known) => *known,
                None => {
                    let range = first.start..first.start;
                    let entry = self.add(parent, [part, &path, "Folder"], &range, Node::Folder);
                    folders.insert(key, entry);
                    entry
                }
            };
        }
        (parent, path)
    }

    fn add_roads(&mut self, project: &Project) {
        let Some(roads) = &project.roads else { return };
        let root = self.add(EntryId::FILE, ["Roads", "Roads", "Roads"], &roads.range, Node::Roads);
        for (index, net) in roads.nets.iter().enumerate() {
            let path = format!("Roads/{}", net.name);
            let net_entry = self.add(root, [&net.name, &path, "RoadNet"], &net.range, Node::Net(index));
            for (number, part) in net.parts.iter().enumerate() {
                let path = format!("{path}/{}", part.name);
                let strings = [part.name.as_str(), &path, part_class(part.kind)];
                self.add(net_entry, strings, &part.range, Node::Part(index, number));
            }
        }
    }

    fn add_ground(&mut self, project: &Project) {
        let grid = project.span(SpanKind::Grid).map(|span| span.range.start);
        let end = [SpanKind::Heights, SpanKind::Blue].into_iter().filter_map(|kind| project.span(kind)).next_back();
        if grid.is_some() || project.objects.is_some() {
            let start = grid.unwrap_or(0);
            let range = start..end.map_or(start, |span| span.range.end);
            self.add(EntryId::FILE, ["Terrain", "Terrain", "Terrain"], &range, Node::Terrain);
        }
        if let Some(objects) = &project.objects {
            let range = objects.at..objects.end;
            self.add(EntryId::FILE, ["Objects", "Objects", "Objects"], &range, Node::Objects);
        }
    }

    fn add_tail(&mut self, project: &Project) {
        if let Some(layers) = &project.layers {
            let strings = ["Layers", "Layers", "Layers"];
            let root = self.add(EntryId::FILE, strings, &layers.range, Node::Layers);
            for (index, layer) in layers.list.iter().enumerate() {
                let path = format!("Layers/{}", layer.name);
                self.add(root, [&layer.name, &path, "Layer"], &layer.range, Node::Layer(index));
            }
        }
        if let Some(zones) = &project.zones {
            let root = self.add(EntryId::FILE, ["Zones", "Zones", "Zones"], &zones.range, Node::Zones);
            for (index, zone) in zones.list.iter().enumerate() {
                let path = format!("Zones/{}", zone.name);
                let strings = [zone.name.as_str(), &path, "NamedZone"];
                let entry = self.add(root, strings, &zone.range, Node::Zone(index));
                self.zones.push(entry);
            }
        }
        if let Some(backgrounds) = &project.backgrounds {
            let strings = ["Backgrounds", "Backgrounds", "Backgrounds"];
            let root = self.add(EntryId::FILE, strings, &backgrounds.range, Node::Backgrounds);
            for (index, background) in backgrounds.list.iter().enumerate() {
                let path = format!("Backgrounds/{}", background.name);
                let strings = [background.name.as_str(), &path, "Background"];
                let entry = self.add(root, strings, &background.range, Node::Background(index));
                self.backgrounds.push(entry);
            }
        }
    }

    fn add_opaque(&mut self, index: usize, span: &Span) {
        let size = span.range.end.saturating_sub(span.range.start);
        let name = match span.kind {
            // Nothing but a number.
            SpanKind::OfpTextures | SpanKind::RoadBlocks if size <= 4 => return,
            SpanKind::OfpTextures => "OFP textures".to_owned(),
            SpanKind::Crossroads => "Crossroads".to_owned(),
            SpanKind::RoadBlocks => "Road blocks".to_owned(),
            SpanKind::EndBlocks => "End blocks".to_owned(),
            SpanKind::Unknown => format!("Unknown bytes at {}", span.range.start),
            _ => return,
        };
        self.add(EntryId::FILE, [&name, &name, "Bytes"], &span.range, Node::Opaque(index));
    }
}

fn part_class(kind: RoadPartKind) -> &'static str {
    match kind {
        RoadPartKind::Straight => "RoadStraight",
        RoadPartKind::Curve => "RoadCurve",
        RoadPartKind::Special => "RoadSpecial",
        RoadPartKind::Terminator => "RoadTerminator",
    }
}
