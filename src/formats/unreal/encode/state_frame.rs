//! What an actor was doing (formats/unreal.md §4.1).

use super::object::ObjectWriter;
use super::primitives::Ref;

/// Where the script of an object stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateFrame {
    /// The class, state or function whose bytecode runs.
    pub node: Ref,
    /// The state that the object is in; its class if it is in no state.
    pub state_node: Ref,
    /// `ProbeMask`; all bits are set for an object that has not begun.
    pub probe_mask: u64,
    /// `LatentAction`; often arbitrary in files.
    pub latent_action: u32,
    /// Offset into the node's bytecode, −1 for none; written where there is a node.
    pub offset: i32,
}

impl StateFrame {
    /// An actor that has not begun: its class is the node.
    pub fn idle(class: Ref) -> Self {
        Self { node: class, state_node: class, probe_mask: u64::MAX, latent_action: 0, offset: -1 }
    }
}

/// For exports with flag [`HAS_STACK`](super::flags::HAS_STACK), before their properties.
pub fn write_state_frame(out: &mut ObjectWriter<'_>, frame: &StateFrame) {
    out.object(frame.node);
    out.object(frame.state_node);
    out.u64(frame.probe_mask);
    out.u32(frame.latent_action);
    if frame.node != Ref::NULL {
        out.index(frame.offset);
    }
}
