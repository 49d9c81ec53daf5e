//! Layers: the materials of the ground (formats/visitor.md §1.6).

use super::{
    layout::{LayerNames, read_bool16},
    rows::VariableRows,
    strings::{self, Strings},
};
use crate::{
    bytes::{Endian, Source},
    formats::field_reader::{Fault, FieldReader},
};
use std::{ops::Range, sync::Arc};

/// All layers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layers {
    /// Their bytes.
    pub range: Range<u64>,
    pub names: LayerNames,
    /// The name that stands before the first one, where that is how they are read.
    pub leading: Option<String>,
    pub list: Vec<Layer>,
}

/// One layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub range: Range<u64>,
    pub name: String,
    pub size_type: u32,
    pub is_default: bool,
    pub materials: u32,
    /// Where the first material is, in bytes.
    materials_at: u64,
}

/// Layers that a project may have: each is an entry.
const MAX_LAYERS: u32 = 4096;

/// Bytes of the smallest material.
const SMALLEST_MATERIAL: u64 = strings::SHORTEST + 8;

/// Reads all layers. They are entries of their own, so nothing of them is recorded here.
///
/// # Errors
/// When they cannot be read to their end.
pub fn read_layers(r: &mut FieldReader<'_>, strings: Strings, names: LayerNames) -> Result<Layers, Fault> {
    let start = r.offset();
    let count = r.u32("LayerCount")?;
    if count > MAX_LAYERS {
        return Err(Fault { offset: start, message: format!("invalid layer count {count}") });
    }
    let mut layers = Layers { names, ..Layers::default() };
    if names == LayerNames::Leading && count > 0 {
        layers.leading = Some(strings::read(r, "Name", strings)?);
    }
    let recorded = r.take_fields();
    for _ in 0..count {
        match read_layer(r, strings, names) {
            Ok(layer) => layers.list.push(layer),
            Err(fault) => {
                r.put_fields(recorded);
                return Err(fault);
            }
        }
    }
    r.put_fields(recorded);
    layers.range = start..r.offset();
    Ok(layers)
}

/// Reads a layer with its materials.
///
/// # Errors
/// When it cannot be read to its end.
pub fn read_layer(r: &mut FieldReader<'_>, strings: Strings, names: LayerNames) -> Result<Layer, Fault> {
    let start = r.offset();
    let own = match names {
        LayerNames::Each => Some(strings::read(r, "Name", strings)?),
        LayerNames::Leading => None,
    };
    let size_type = r.u32("SizeType")?;
    let second = strings::read(r, "SecondName", strings)?;
    let is_default = read_bool16(r, "Default")?;
    let count_at = r.offset();
    let materials = r.u32("MaterialCount")?;
    if u64::from(materials).saturating_mul(SMALLEST_MATERIAL) > r.left() as u64 {
        return Err(Fault { offset: count_at, message: format!("invalid material count {materials} in a layer") });
    }
    let materials_at = r.offset();
    let recorded = r.take_fields();
    let mut starts = Vec::new();
    let wants_starts = recorded.is_some();
    for _ in 0..materials {
        if wants_starts {
            starts.push(r.offset());
        }
        if let Err(fault) = read_material(r, strings) {
            r.put_fields(recorded);
            return Err(fault);
        }
    }
    let end = r.offset();
    r.put_fields(recorded);
    if wants_starts {
        let starts: Arc<[u64]> = starts.into();
        let read = move |r: &mut FieldReader<'_>, _| read_material(r, strings).map(drop);
        if let Some(field) = VariableRows::field("Materials", "TerrainMaterial", (r.source(), &starts, end), read) {
            r.push(field);
        }
    }
    let name = own.filter(|name| !name.is_empty()).unwrap_or(second);
    Ok(Layer { range: start..end, name, size_type, is_default, materials, materials_at })
}

/// Reads a material: its path.
fn read_material(r: &mut FieldReader<'_>, strings: Strings) -> Result<String, Fault> {
    r.u32("Unknown0")?;
    let path = strings::read(r, "Path", strings)?;
    r.u32("Unknown1")?;
    Ok(path)
}

impl Layer {
    /// Paths of its materials.
    pub fn paths(&self, source: &Source, strings: Strings) -> Vec<String> {
        let mut r = FieldReader::new(source, self.materials_at..self.range.end, Endian::Little);
        // They were read once without a fault.
        (0..self.materials).map_while(|_| read_material(&mut r, strings).ok()).collect()
    }
}
