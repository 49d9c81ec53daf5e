//! The data before an object's properties: its state frame (formats/unreal.md §4.1) and the numbers of a licensee
//! (§12).
//!
//! What games of one licensee write in front of every object (formats/unreal.md §12): numbers that say nothing of what
//! follows. How many bytes they are, the property list behind them tells.

use super::{
    info::{LEAD, is_newer},
    object::{Fault, ObjectReader},
    property_tag::{PropertyType, Tag},
    tables::ObjectRef,
};
use crate::formats::Value;

/// Where an object's script is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateFrame {
    pub node: ObjectRef,
    pub state_node: ObjectRef,
    pub probe_mask: u64,
    pub latent_action: u32,
    /// Into the node's bytecode; −1 for none.
    pub offset: Option<i32>,
}

/// Reads a state frame.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_state_frame(reader: &mut ObjectReader<'_>) -> Result<StateFrame, Fault> {
    reader.group("StateFrame", "state frame", |r| {
        let node = r.object("Node")?;
        let state_node = r.object("StateNode")?;
        let probe_mask = r.u64("ProbeMask")?;
        let latent_action = r.u32("LatentAction")?;
        let offset = if node.is_none() { None } else { Some(r.index("Offset")?) };
        Ok(StateFrame { node, state_node, probe_mask, latent_action, offset })
    })
}

/// Licensees from this number on have it, in packages of the second engine; others with such numbers do not.
const FIRST_LICENSEE: u16 = 25;
/// Bytes in front of a property list that are looked over, where the numbers do not say how many they are.
const MOST: usize = 32;
/// The second and the third number are versions of what follows.
const MAX_VERSION: u32 = 64;

/// Passes over what stands in front of an export's state frame and properties; nothing, in most packages. The reader stands at
/// the start of the export.
///
/// # Errors
/// None but those of the reader.
pub fn skip_lead(reader: &mut ObjectReader<'_>) -> Result<(), Fault> {
    let size = lead_size(reader);
    if size > 0 {
        reader.bytes("Header", format!("u8[{size}]"), size, Value::Opaque(LEAD))?;
    }
    Ok(())
}

fn lead_size(reader: &ObjectReader<'_>) -> usize {
    let package = reader.package();
    let Some(export) = package.export(reader.export()) else { return 0 };
    if !is_newer(package.version()) || package.licensee() < FIRST_LICENSEE {
        return 0;
    }
    let stated = stated_size(reader);
    if export.class.is_none() {
        // A class has no list in front that could tell.
        return stated.unwrap_or(0);
    }
    let at_once = properties_behind(reader, 0);
    if at_once.is_some_and(|count| count > 0) {
        return 0;
    }
    if let Some(size) = stated.filter(|size| properties_behind(reader, *size).is_some()) {
        return size;
    }
    if at_once.is_some() {
        return 0;
    }
    // An empty list is a single name, which other bytes may look like.
    let fits = |size: &usize| properties_behind(reader, *size).is_some_and(|count| count > 0);
    (1..=MOST).find(fits).unwrap_or(0)
}

/// The size of a lead by its own numbers: 3 and two more, or 4 and one more; a second number of 2 adds one.
fn stated_size(reader: &ObjectReader<'_>) -> Option<usize> {
    let mut bytes = reader.fork();
    let (kind, version) = (bytes.u32("").ok()?, bytes.u32("").ok()?);
    let numbers: usize = match kind {
        2 | 3 if bytes.u32("").ok()? < MAX_VERSION => 3,
        4 => 2,
        _ => return None,
    };
    let further = usize::from(version == 2);
    (version < MAX_VERSION).then(|| numbers.saturating_add(further).saturating_mul(4))
}

/// How many properties the list has that begins `size` bytes on, behind a state frame where there is one. `None` where there is
/// no list: its end is not found, or a value has another size than its type.
fn properties_behind(reader: &ObjectReader<'_>, size: usize) -> Option<usize> {
    let mut list = reader.fork();
    list.raw().bytes(size).ok()?;
    if list.package().has_stack(list.export()) {
        read_state_frame(&mut list).ok()?;
    }
    let mut count = 0_usize;
    loop {
        let name = list.name("").ok()?;
        if name.eq_ignore_ascii_case("None") {
            return Some(count);
        }
        let tag = list.tag().ok()?;
        if name.is_empty() || !has_its_size(&tag) {
            return None;
        }
        list.raw().bytes(tag.size as usize).ok()?;
        count = count.saturating_add(1);
    }
}

fn has_its_size(tag: &Tag) -> bool {
    match tag.kind {
        PropertyType::Byte => tag.size == 1,
        PropertyType::Int | PropertyType::Float => tag.size == 4,
        PropertyType::Object | PropertyType::Class | PropertyType::Name => (1..=5).contains(&tag.size),
        PropertyType::Vector | PropertyType::Rotator => tag.size == 12,
        PropertyType::Struct => !tag.struct_name.is_empty() && tag.size > 0,
        PropertyType::Str | PropertyType::Array => tag.size > 0,
        PropertyType::Bool | PropertyType::String | PropertyType::Map | PropertyType::FixedArray => true,
    }
}
