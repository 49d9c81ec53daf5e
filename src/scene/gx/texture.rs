use crate::scene::Image;
use std::sync::Arc;

/// What a texture coordinate outside 0..1 reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The texel at the nearest edge.
    #[default]
    Clamp,
    /// The texture, repeated.
    Repeat,
    /// The texture, repeated; every second repetition is mirrored.
    Mirror,
}

/// How texels are mixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// Nearest texel of the largest mip.
    Near,
    /// Blend of four neighbouring texels of the largest mip.
    #[default]
    Linear,
    /// Nearest texel of the nearest mip.
    NearMipNear,
    /// Blend of four neighbouring texels of the nearest mip.
    LinearMipNear,
    /// Nearest texels of the two nearest mips, blended.
    NearMipLinear,
    /// Blends of four neighbouring texels of the two nearest mips, blended.
    LinearMipLinear,
}

impl Filter {
    /// From the chip's code; codes that do not exist count as linear.
    pub fn of_code(code: u8) -> Self {
        match code {
            0 => Self::Near,
            2 => Self::NearMipNear,
            3 => Self::LinearMipNear,
            4 => Self::NearMipLinear,
            5 => Self::LinearMipLinear,
            _ => Self::Linear,
        }
    }

    /// Texels of one mip are mixed.
    pub fn is_linear(self) -> bool {
        matches!(self, Self::Linear | Self::LinearMipNear | Self::LinearMipLinear)
    }

    /// Mips are used at all.
    pub fn uses_mips(self) -> bool {
        !matches!(self, Self::Near | Self::Linear)
    }

    /// Two mips are mixed.
    pub fn mixes_mips(self) -> bool {
        matches!(self, Self::NearMipLinear | Self::LinearMipLinear)
    }
}

impl Wrap {
    /// From the chip's code; codes that do not exist count as clamp.
    pub fn of_code(code: u8) -> Self {
        match code {
            1 => Self::Repeat,
            2 => Self::Mirror,
            _ => Self::Clamp,
        }
    }
}

/// A picture with the sampler that reads it (formats/j3d.md §9).
#[derive(Clone, Debug, Default)]
pub struct Texture {
    /// Name as stored in the file.
    pub name: String,
    /// The largest first, each half as large as the one before; empty for a texture without data, which reads white.
    pub mips: Vec<Arc<Image>>,
    /// Wrap mode along S.
    pub wrap_s: Wrap,
    /// Wrap mode along T.
    pub wrap_t: Wrap,
    /// Filter for a texture that is shown smaller.
    pub min_filter: Filter,
    /// Filter for a texture that is shown larger.
    pub mag_filter: Filter,
    /// Minimum level of detail; 0 is the largest mip.
    pub min_lod: f32,
    /// Maximum level of detail.
    pub max_lod: f32,
    /// Number of levels that is added to the level of detail.
    pub lod_bias: f32,
    /// 1, 2 or 4.
    pub max_anisotropy: u8,
}

impl Texture {
    /// Pixels of the largest mip; 1 × 1 without data.
    pub fn size(&self) -> (u32, u32) {
        self.mips.first().map_or((1, 1), |image| (image.width.max(1), image.height.max(1)))
    }
}

/// The largest mip; a white pixel for a texture without data.
pub fn first_image(texture: &Texture) -> Arc<Image> {
    texture.mips.first().cloned().unwrap_or_else(|| {
        Arc::new(Image {
            name: texture.name.clone(),
            width: 1,
            height: 1,
            rgba: [255; 4].into(),
            stored_as: "no data".to_owned(),
        })
    })
}
