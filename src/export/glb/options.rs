/// How a GLB of a model is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GlbOptions {
    /// Keys a second of animations that are sampled; the clip's own frames a second without one.
    pub rate_hz: Option<f32>,
    /// Frames a second of clips that do not say ([`crate::scene::Clip::rate_is_assumed`]); what their format mostly has without
    /// one.
    pub assumed_rate_hz: Option<f32>,
}
