//! Where an object's script is: what stands in front of the properties of every actor (formats/unreal.md §4.1).

use super::{
    object::{Fault, ObjectReader},
    tables::ObjectRef,
};

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
