//! An open world.

use super::{
    info::{self, BINARISED_MAGIC, OLDER_MAGICS, UNREAD, WRP},
    reading::Reading,
    to_scene,
    world::{self, World, WorldKind},
};
use crate::{
    bytes::{Endian, Source, numbers::grouped},
    formats::{
        Asset, Base, Capabilities, Choice, Content, Document, EntryId, Field, FieldTree, Ground, Import, Links,
        LoadContext, NodeOutline, OpenContext, OpenError, Purpose, ReadError, ReadErrorKind, Role, Section,
        TerrainCard, Value, findings::Findings, visitor::strings::VariableRows,
    },
    scene::SourceEntry,
};
use sha2::{Digest as _, Sha256};
use std::{
    fmt::Write as _,
    sync::{Arc, OnceLock},
};

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    File,
    /// It has the heights.
    Terrain,
    Cells,
    Materials,
    Objects,
    Types,
}

/// An open world.
pub struct WrpDocument {
    source: Source,
    world: World,
    reading: Reading,
    outline: NodeOutline<Node>,
    sections: Vec<Section>,
    card: OnceLock<TerrainCard>,
}

impl WrpDocument {
    pub(super) fn open(source: Source, cx: &mut OpenContext<'_>) -> Result<Self, OpenError> {
        let bytes = source.as_slice();
        if bytes.starts_with(BINARISED_MAGIC) {
            let message = "binarised worlds (OPRW) cannot be read. Open the editor's 8WVR or 4WVR file instead";
            return Err(OpenError::new(cx.file, message));
        }
        if let Some(magic) = OLDER_MAGICS.into_iter().find(|magic| bytes.starts_with(*magic)) {
            let magic = magic.escape_ascii();
            let message =
                format!("the older world format {magic} is not supported. Only 8WVR and 4WVR worlds can be read");
            return Err(OpenError::new(cx.file, message));
        }
        let Some(kind) = WorldKind::of(bytes) else {
            return Err(OpenError::new(cx.file, "not a valid world: the file does not begin with 8WVR or 4WVR"));
        };
        let mut findings = Findings::default();
        let world = World::read(&source, kind, &mut findings)
            .map_err(|fault| OpenError::new(cx.file, format!("the file ends inside its header: {fault}")))?;
        let holes = to_scene::heights(&world, &source).iter().filter(|h| h.is_nan()).count();
        if holes > 0 {
            let (holes, all) = (grouped(holes), grouped(world.heights.present));
            let message = format!("heights that are not finite: {holes} of {all}");
            findings.add(&info::HEIGHT_HOLES, Some(world.heights.at), message);
        }
        let reading = Reading::of(&world, cx.overrides, &mut findings);
        findings.report(None, cx.diagnostics);
        let outline = outline(&world, source.len() as u64);
        let sections = world.sections();
        Ok(Self { source, world, reading, outline, sections, card: OnceLock::new() })
    }

    fn file_fields(&self) -> Vec<Field> {
        let mut fields = self.world.header_fields(&self.source);
        let left = (self.source.len() as u64).saturating_sub(self.world.end);
        if left > 0 {
            fields.push(Field::new("Unread", format!("u8[{left}]"), Value::Opaque(UNREAD), self.world.end, left));
        }
        fields
    }

    fn material_fields(&self) -> Vec<Field> {
        let (world, kind) = (&self.world, self.world.kind);
        let mut r = world::reader(&self.source, world.cells.end()).recording();
        if kind == WorldKind::Eight {
            // It was read when the file was opened.
            let _ = r.u32("MaterialCount");
        }
        let mut fields = r.into_fields();
        let rows = (&self.source, &world.materials.starts, world.materials.end);
        fields.extend(VariableRows::field("Materials", "Material", rows, move |r, _| {
            world::read_material(r, kind).map(|_| ())
        }));
        fields
    }

    fn object_fields(&self) -> Vec<Field> {
        let kind = self.world.kind;
        let rows = (&self.source, &self.world.objects.starts, self.world.objects.end);
        let read =
            move |r: &mut crate::formats::field_reader::FieldReader<'_>, _| world::read_object(r, kind).map(|_| ());
        VariableRows::field("Objects", "Object", rows, read).into_iter().collect()
    }

    /// The file has no types: what its objects say.
    fn type_fields(&self) -> Vec<Field> {
        let at = self.world.objects.start();
        let field = |model: &super::models::ModelUse| {
            Field::new(model.path.clone(), "objects", Value::UInt(u64::from(model.objects)), at, 0).mirrored()
        };
        self.world.models.list.iter().map(field).collect()
    }

    fn make_card(&self) -> TerrainCard {
        let heights = to_scene::heights(&self.world, &self.source);
        let grid = crate::scene::HeightGrid { heights: heights.into(), ..Default::default() };
        let range = grid.range();
        let mut sha256 = String::with_capacity(64);
        for byte in Sha256::digest(self.world.heights.bytes(&self.source)) {
            // Writing to text does not fail.
            let _ = write!(sha256, "{byte:02x}");
        }
        TerrainCard {
            x: self.world.heights.columns,
            z: self.world.heights.rows,
            cell: self.reading.cell,
            range: range.map(|r| [r.min, r.max]),
            mean: range.map(|r| r.mean),
            sha256,
        }
    }
}

fn outline(world: &World, size: u64) -> NodeOutline<Node> {
    let class = match world.kind {
        WorldKind::Four => "4WVR",
        WorldKind::Eight => "8WVR",
    };
    let mut outline = NodeOutline::new(Node::File, Role::File, class, size);
    let mut add = |name: &'static str, class: &'static str, node, start: u64, end: u64| {
        let (role, content) = match node {
            Node::File => (Role::File, Content::None),
            Node::Terrain => (Role::Landscape, Content::Terrain),
            Node::Objects => (Role::ObjectList, Content::None),
            Node::Cells | Node::Materials | Node::Types => (Role::Data, Content::None),
        };
        outline.add(node, EntryId::FILE, name, name, role, class, start, end.saturating_sub(start), content);
    };
    if world.heights.present > 0 {
        let heights = world.heights;
        add("Terrain", "Terrain", Node::Terrain, heights.at, heights.end());
    }
    if world.cells.present > 0 {
        add("Cells", "Cells", Node::Cells, world.cells.at, world.cells.end());
        let name = if world.kind == WorldKind::Four { "Textures" } else { "Materials" };
        let end = world.materials.end;
        if end > world.cells.end() {
            add(name, name, Node::Materials, world.cells.end(), end);
        }
    }
    if !world.objects.is_empty() {
        let objects = &world.objects;
        add("Objects", "Objects", Node::Objects, objects.start(), objects.end);
        add("Types", "Types", Node::Types, objects.start(), objects.start());
    }
    outline
}

impl Document for WrpDocument {
    fn base(&self) -> Base<'_> {
        Base { format: &WRP, source: &self.source, outline: &self.outline, endian: Endian::Little }
    }

    fn fields_for(&self, entry: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        let node = self.outline.require(entry)?;
        let world = &self.world;
        let fields = match node {
            Node::File => self.file_fields(),
            Node::Terrain => world.heights.field("Heights", &self.source).into_iter().collect(),
            Node::Cells => world.cells.field("Cells", &self.source).into_iter().collect(),
            Node::Materials => self.material_fields(),
            Node::Objects => self.object_fields(),
            Node::Types => self.type_fields(),
        };
        Ok(FieldTree { fields })
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.outline.entry(entry)?;
        if self.outline.node(entry) != Some(&Node::Terrain) {
            return Err(ReadError::new(found, "this entry cannot be shown. Show “Terrain” instead"));
        }
        let types = self.outline.entry_of(|node| *node == Node::Types).map(SourceEntry::from);
        let mut findings = Findings::default();
        let terrain = to_scene::terrain(&self.world, &self.reading, types, &self.source, cx, &mut findings);
        findings.report(Some(entry), cx.diagnostics);
        let cancelled = || ReadError::new(found, "cancelled").with_kind(ReadErrorKind::Cancelled);
        let terrain = terrain.ok_or_else(cancelled)?;
        Ok(Asset::Terrain(Arc::new(terrain)))
    }

    fn reading(&self) -> &[Choice] {
        &self.reading.choices
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { ground: Some(self), links: Some(self), ..Capabilities::default() }
    }
}

impl Ground for WrpDocument {
    fn sections(&self) -> &[Section] {
        &self.sections
    }

    fn terrain_card(&self) -> Option<TerrainCard> {
        (self.world.heights.present > 0).then(|| self.card.get_or_init(|| self.make_card()).clone())
    }
}

impl Links for WrpDocument {
    /// The models of its objects.
    fn imports(&self) -> Vec<Import> {
        let models = self.world.models.list.iter().filter(|model| !model.path.is_empty());
        models.map(|model| Import::of_file(&model.path)).collect()
    }
}
