/// How a GLB is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GlbOptions {
    /// Keys a second of animations that are sampled; the clip's own frames a second without one.
    pub rate_hz: Option<f32>,
    /// Frames a second of clips that do not say ([`crate::scene::Clip::rate_is_assumed`]); what their format mostly has without
    /// one.
    pub assumed_rate_hz: Option<f32>,
    /// Equal things that are placed in a level or stand on a landscape are one node (`EXT_mesh_gpu_instancing`).
    pub instances: bool,
    /// Sprites of levels are nodes without a mesh.
    pub without_sprites: bool,
}
