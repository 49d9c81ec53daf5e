//! What stands in front of every object: the state frame and the properties (formats/unreal.md §4.1).

use super::{
    definitions::Definitions,
    kind::Kind,
    object::{Fault, ObjectReader},
    package::Package,
    properties::PropertyList,
    tables::ObjectRef,
};
use std::sync::Arc;

/// The start of an object.
#[derive(Clone, Debug, Default)]
pub struct ObjectHeader {
    pub state_frame: Option<StateFrame>,
    /// Empty for classes, whose properties are their last part.
    pub properties: PropertyList,
}

/// An export with the part of it that every object has.
pub struct Object<'a> {
    pub package: &'a Arc<Package>,
    pub export: usize,
    pub kind: Kind,
    pub header: ObjectHeader,
}

impl Object<'_> {
    /// The object's own name.
    pub fn name(&self) -> String {
        self.package.object_name(ObjectRef::export(self.export)).unwrap_or_default().to_owned()
    }

    pub fn properties(&self) -> &PropertyList {
        &self.header.properties
    }
}

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

/// Reads the start of export `index`, which the reader stands on.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_header(reader: &mut ObjectReader<'_>, index: usize) -> Result<ObjectHeader, Fault> {
    let package = reader.package();
    let mut header = ObjectHeader::default();
    let class = package.export(index).map_or(ObjectRef::NONE, |e| e.class);
    if package.has_stack(index) {
        header.state_frame = Some(reader.group("StateFrame", "state frame", |r| {
            let node = r.object("Node")?;
            let state_node = r.object("StateNode")?;
            let probe_mask = r.u64("ProbeMask")?;
            let latent_action = r.u32("LatentAction")?;
            let offset = if node.is_none() { None } else { Some(r.index("Offset")?) };
            Ok(StateFrame { node, state_node, probe_mask, latent_action, offset })
        })?);
    }
    if class.is_none() {
        return Ok(header);
    }
    header.properties = reader.properties(&Definitions::new(package, class))?;
    if reader.version() < 60 {
        reader.index("Unknown1")?;
        reader.index("Unknown2")?;
    }
    Ok(header)
}
