/// How a GLB of a model is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GlbOptions {
    /// Keys a second of animations that are sampled; the clip's own frames a second without one.
    pub rate_hz: Option<f32>,
}
