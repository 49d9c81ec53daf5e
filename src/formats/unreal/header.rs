//! What every object begins with: the state frame and the properties (formats/unreal.md §4.1).

use super::{
    definitions::Definitions,
    kind::Kind,
    object::{Fault, ObjectReader},
    package::Package,
    properties::PropertyList,
    state_frame::{StateFrame, read_state_frame, skip_lead},
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

/// Reads the start of export `index`, which the reader stands on.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_header(reader: &mut ObjectReader<'_>, index: usize) -> Result<ObjectHeader, Fault> {
    let package = reader.package();
    let mut header = ObjectHeader::default();
    let class = package.export(index).map_or(ObjectRef::NONE, |e| e.class);
    skip_lead(reader)?;
    if package.has_stack(index) {
        header.state_frame = Some(read_state_frame(reader)?);
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
