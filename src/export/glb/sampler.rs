//! How textures are read.

use crate::scene::gx::{Filter, Texture, Wrap};
use gltf_json::{
    self as json,
    texture::{MagFilter, MinFilter, WrappingMode},
    validation::Checked::Valid,
};

/// How a texture is read, in the terms of glTF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SamplerKey {
    /// Texels are mixed: of one mip from near, of one mip from afar, of two mips.
    mag_linear: bool,
    min: u8,
    wrap: [u8; 2],
}

impl SamplerKey {
    /// That of a texture that repeats.
    pub fn repeating(nearest: bool) -> Self {
        Self::new([Wrap::Repeat; 2], nearest)
    }

    pub fn new(wrap: [Wrap; 2], nearest: bool) -> Self {
        let filter = if nearest { Filter::NearMipNear } else { Filter::LinearMipLinear };
        Self::with_filters(wrap, !nearest, filter)
    }

    /// As the file says.
    pub fn of(texture: &Texture) -> Self {
        Self::with_filters([texture.wrap_s, texture.wrap_t], texture.mag_filter.is_linear(), texture.min_filter)
    }

    /// Texels are mixed where they are larger than pixels.
    pub fn is_linear(self) -> bool {
        self.mag_linear
    }

    /// Which of the two coordinates go round.
    pub fn repeats(self) -> [bool; 2] {
        self.wrap.map(|wrap| Wrap::of_code(wrap) == Wrap::Repeat)
    }

    fn with_filters(wrap: [Wrap; 2], mag_linear: bool, min: Filter) -> Self {
        let wrap = wrap.map(|wrap| match wrap {
            Wrap::Clamp => 0,
            Wrap::Repeat => 1,
            Wrap::Mirror => 2,
        });
        Self { mag_linear, min: min as u8, wrap }
    }

    pub fn sampler(self) -> json::texture::Sampler {
        let [wrap_s, wrap_t] = self.wrap.map(|wrap| match Wrap::of_code(wrap) {
            Wrap::Clamp => WrappingMode::ClampToEdge,
            Wrap::Repeat => WrappingMode::Repeat,
            Wrap::Mirror => WrappingMode::MirroredRepeat,
        });
        let min = match Filter::of_code(self.min) {
            Filter::Near => MinFilter::Nearest,
            Filter::Linear => MinFilter::Linear,
            Filter::NearMipNear => MinFilter::NearestMipmapNearest,
            Filter::LinearMipNear => MinFilter::LinearMipmapNearest,
            Filter::NearMipLinear => MinFilter::NearestMipmapLinear,
            Filter::LinearMipLinear => MinFilter::LinearMipmapLinear,
        };
        json::texture::Sampler {
            mag_filter: Some(Valid(if self.mag_linear { MagFilter::Linear } else { MagFilter::Nearest })),
            min_filter: Some(Valid(min)),
            wrap_s: Valid(wrap_s),
            wrap_t: Valid(wrap_t),
            ..json::texture::Sampler::default()
        }
    }
}
