use super::EntryId;
use crate::scene::Material;
use std::borrow::Cow;

/// What a material looks like, and what it is to the model that it is of.
#[derive(Clone, Debug)]
pub struct SurfaceInfo {
    /// The material.
    pub material: Material,
    /// Its place among the materials of its model, or of its material set.
    pub index: usize,
    /// The model, or the material set.
    pub owner: EntryId,
    /// The textures that the material's slots count.
    pub textures: Vec<EntryId>,
    /// How textures are sampled is said by their headers, not by what binds them.
    pub headers_sample: bool,
}

/// What the header of a texture says, without its pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureHeader {
    /// Width of the largest image, in pixels.
    pub width: u32,
    /// Height of the largest image, in pixels.
    pub height: u32,
    /// As people call it; a number for one that is not known.
    pub pixel_format: Cow<'static, str>,
    /// The largest and its mips; 0 counts as one.
    pub image_count: u8,
    /// `None` where something else says it.
    pub sampling: Option<TextureSampling>,
}

/// How a texture is sampled, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureSampling {
    /// Along S and T.
    pub wrap: [Cow<'static, str>; 2],
    /// Seen smaller, and seen larger.
    pub filter: [Cow<'static, str>; 2],
}
