//! How something was looked at when another thing took its place on a stage.

use crate::{
    scene::camera::{FlyCamera, OrbitCamera},
    ui::{place::Place, state::stage::top_down::Tilt},
};
use std::sync::Arc;

/// How something was looked at.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    pub(super) camera: OrbitCamera,
    pub(super) fly: Option<FlyCamera>,
    pub(super) top_down: Option<Tilt>,
    /// Hidden types and selected objects of a landscape.
    pub(super) hidden_kinds: Arc<[bool]>,
    pub(super) selected: Arc<[u32]>,
    /// The clip that played or was held; `None` for the bind pose.
    pub(crate) clip: Option<Place>,
    pub(crate) frame: f32,
    pub(crate) playing: bool,
    /// Clips that fit were known.
    pub(crate) has_clips: bool,
}
