//! Where the parts of a world lie (formats/visitor.md §1.9).

use super::{
    info,
    models::Models,
    numbers::{NumberKind, Numbers},
};
use crate::{
    bytes::{Endian, Source, numbers::grouped, text},
    formats::{
        Field, Section,
        field_reader::{Fault, FieldReader},
        findings::Findings,
    },
};
use std::sync::Arc;

/// The two generations of worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldKind {
    /// 4WVR: one grid, heights in steps, textures.
    Four,
    /// 8WVR: grids of land and heights, materials.
    Eight,
}

/// Metres of a step of the older heights.
pub const STEP: f32 = 0.045;
/// Metres of a cell where the file says nothing of it.
pub const USUAL_CELL: f32 = 50.0;
/// Samples of a side.
const MAX_SIDE: u32 = 32_768;
/// Cells name their material in two bytes.
const MAX_MATERIALS: u32 = 65_536;
/// Textures that an older world has room for, and bytes of each name.
const TEXTURES: u32 = 512;
const TEXTURE_NAME: usize = 32;
/// Bytes of an older object's model.
const MODEL_NAME: usize = 76;
/// Bytes of a name.
const LONGEST_NAME: u32 = 1024;

/// A world.
#[derive(Clone, Debug)]
pub struct World {
    pub kind: WorldKind,
    /// Cells of land, from west to east and from south to north.
    pub land: [u32; 2],
    /// Metres of such a cell, as the file has it.
    pub land_cell: f32,
    pub heights: Numbers,
    /// What covers each cell of land: into the materials or textures.
    pub cells: Numbers,
    /// Start of each material or texture, and the end of the last.
    pub materials: Rows,
    pub objects: Rows,
    pub models: Models,
    /// Where the header ends.
    pub header_end: u64,
    /// What is read reaches to here.
    pub end: u64,
    pub fault: Option<Fault>,
}

/// Records of any length.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub starts: Arc<[u64]>,
    pub end: u64,
}

impl Rows {
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Where the first one is.
    pub fn start(&self) -> u64 {
        self.starts.first().copied().unwrap_or(self.end)
    }
}

/// One thing that stands on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Aside, up, dir, position.
    pub transform: [f32; 12],
    pub id: u32,
    /// Empty for the one that ends the list.
    pub model: String,
}

impl WorldKind {
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes.get(..4)? {
            b"4WVR" => Some(Self::Four),
            b"8WVR" => Some(Self::Eight),
            _ => None,
        }
    }
}

impl World {
    /// Finds the parts of a world.
    ///
    /// # Errors
    /// When not even its header is there.
    pub fn read(source: &Source, kind: WorldKind, findings: &mut Findings) -> Result<Self, Fault> {
        let mut r = reader(source, 0);
        let (land, terrain, land_cell) = read_header(&mut r, kind)?;
        let at = r.offset();
        let number = match kind {
            WorldKind::Four => NumberKind::I16,
            WorldKind::Eight => NumberKind::F32,
        };
        let mut world = Self {
            kind,
            land,
            land_cell,
            heights: Numbers::new(at, terrain, number, 0),
            cells: Numbers::new(at, land, NumberKind::U16, 0),
            materials: Rows { starts: Arc::default(), end: at },
            objects: Rows { starts: Arc::default(), end: at },
            models: Models::default(),
            header_end: at,
            end: at,
            fault: None,
        };
        if land.iter().chain(&terrain).any(|side| !(1..=MAX_SIDE).contains(side)) {
            let [x, z] = terrain;
            findings.add(&info::NO_GRID, Some(4), format!("invalid grid size of {x} × {z} heights"));
            return Ok(world);
        }
        if let Err(fault) = world.read_parts(&mut r, findings) {
            findings.add(&info::SHORT, Some(fault.offset), fault.message.clone());
            world.fault = Some(fault);
        }
        world.end = r.offset();
        Ok(world)
    }

    fn read_parts(&mut self, r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<(), Fault> {
        let terrain = [self.heights.columns, self.heights.rows];
        self.heights = Numbers::new(r.offset(), terrain, self.heights.kind, r.left() as u64);
        r.seek(self.heights.end())?;
        expect_whole(r, &self.heights, "heights")?;
        self.cells = Numbers::new(r.offset(), self.land, NumberKind::U16, r.left() as u64);
        r.seek(self.cells.end())?;
        expect_whole(r, &self.cells, "cells")?;
        let kind = self.kind;
        let count = match kind {
            WorldKind::Four => TEXTURES,
            WorldKind::Eight => r.u32("MaterialCount")?,
        };
        self.materials.end = r.offset();
        if count > MAX_MATERIALS {
            let (count, most) = (grouped(count), grouped(MAX_MATERIALS));
            return Err(r.fault(format!("the file specifies {count} materials, but cells can use at most {most}")));
        }
        let mut ahead = r.fork();
        let (materials, fault) = rows(&mut ahead, |r, index| {
            (index < count as usize).then(|| read_material(r, kind).map(|_| ())).transpose()
        });
        r.seek(materials.end)?;
        self.materials = materials;
        if let Some(fault) = fault {
            return Err(fault);
        }
        let models = &mut self.models;
        let (objects, fault) = rows(&mut ahead, |r, _| {
            if r.left() == 0 {
                return Ok(None);
            }
            models.count(&read_object(r, kind)?.model, findings);
            Ok(Some(()))
        });
        r.seek(objects.end)?;
        self.objects = objects;
        fault.map_or(Ok(()), Err)
    }

    /// Metres between heights: land and heights cover the same ground.
    pub fn cell(&self) -> f32 {
        let [x, _] = self.land;
        self.land_cell * x as f32 / self.heights.columns.max(1) as f32
    }

    pub fn header_fields(&self, source: &Source) -> Vec<Field> {
        let mut r = reader(source, 0).recording();
        // It was read when the file was opened.
        let _ = read_header(&mut r, self.kind);
        r.into_fields()
    }

    pub fn object(&self, source: &Source, index: usize) -> Option<Object> {
        let start = *self.objects.starts.get(index)?;
        read_object(&mut reader(source, start), self.kind).ok()
    }

    /// Paths of materials or textures, in the file's order; empty for one without.
    pub fn material_names(&self, source: &Source) -> Vec<String> {
        let read = |start: &u64| read_material(&mut reader(source, *start), self.kind).unwrap_or_default();
        self.materials.starts.iter().map(read).collect()
    }

    /// Parts with the places where they start.
    pub fn sections(&self) -> Vec<Section> {
        let section = |name, offset| Section { name, offset };
        vec![
            section("header", 0),
            section("heights", self.heights.at),
            section("cells", self.cells.at),
            section("materials", self.cells.end().max(self.header_end)),
            section("objects", self.objects.start()),
        ]
    }
}

/// Reads numbers low byte first, from `start` to the end of the file.
pub fn reader(source: &Source, start: u64) -> FieldReader<'_> {
    FieldReader::new(source, start..source.len() as u64, Endian::Little)
}

/// Sides of land and of the heights, and metres of a cell of land.
fn read_header(r: &mut FieldReader<'_>, kind: WorldKind) -> Result<([u32; 2], [u32; 2], f32), Fault> {
    r.tag::<4>("Signature")?;
    let land = [r.u32("LandX")?, r.u32("LandZ")?];
    if kind == WorldKind::Four {
        return Ok((land, land, USUAL_CELL));
    }
    let terrain = [r.u32("TerrainX")?, r.u32("TerrainZ")?];
    Ok((land, terrain, r.f32("CellSize")?))
}

fn expect_whole(r: &FieldReader<'_>, numbers: &Numbers, what: &str) -> Result<(), Fault> {
    let Numbers { columns, rows, present, .. } = numbers;
    match numbers.is_whole() {
        true => Ok(()),
        false => Err(r.fault(format!("expected {columns} × {rows} {what}, found {present}"))),
    }
}

/// Records from the cursor on, as long as `read` finds any; a fault leaves those before it.
fn rows(
    r: &mut FieldReader<'_>,
    mut read: impl FnMut(&mut FieldReader<'_>, usize) -> Result<Option<()>, Fault>,
) -> (Rows, Option<Fault>) {
    let mut starts = Vec::new();
    loop {
        let at = r.offset();
        match read(r, starts.len()) {
            Ok(Some(())) => starts.push(at),
            Ok(None) => return (Rows { starts: starts.into(), end: at }, None),
            Err(fault) => return (Rows { starts: starts.into(), end: at }, Some(fault)),
        }
    }
}

/// Reads a material or a texture: its path.
///
/// # Errors
/// When it does not fit.
pub fn read_material(r: &mut FieldReader<'_>, kind: WorldKind) -> Result<String, Fault> {
    if kind == WorldKind::Four {
        return r.text("Texture", TEXTURE_NAME, text::decode_field);
    }
    let mut first = String::new();
    loop {
        let name = read_name(r, "Path")?;
        if name.is_empty() {
            return Ok(first);
        }
        if first.is_empty() {
            first = name;
        }
    }
}

/// Text behind its length; an empty one ends a list.
fn read_name(r: &mut FieldReader<'_>, name: &'static str) -> Result<String, Fault> {
    let length = r.u32("Length")?;
    match length {
        0 => Ok(String::new()),
        1..=LONGEST_NAME => {
            let text = r.text(name, length as usize, text::decode_field)?;
            // A name of nothing but NULs is none that ends the list.
            Ok(if text.is_empty() { " ".to_owned() } else { text })
        }
        _ => Err(r.fault(format!("invalid name length of {length} bytes"))),
    }
}

/// Reads an object.
///
/// # Errors
/// When it does not fit.
pub fn read_object(r: &mut FieldReader<'_>, kind: WorldKind) -> Result<Object, Fault> {
    let transform = r.floats::<12>("Transform", "f32[12]")?;
    let id = r.u32("Id")?;
    let model = match kind {
        WorldKind::Four => r.text("Model", MODEL_NAME, text::decode_field)?,
        WorldKind::Eight => read_name(r, "Model")?,
    };
    Ok(Object { transform, id, model })
}
