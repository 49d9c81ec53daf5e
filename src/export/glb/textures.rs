//! Pictures, samplers and textures of a file, each once.

use super::{
    buffers::Builder,
    tev::{Bake, UvTransform},
};
use crate::{
    export::{ExportError, png},
    scene::{
        Image,
        gx::{Filter, Texture, Wrap},
    },
};
use gltf_json::{
    self as json, Index,
    extensions::texture::{TextureTransform, TextureTransformOffset, TextureTransformRotation, TextureTransformScale},
    texture::{Info, MagFilter, MinFilter, WrappingMode},
    validation::Checked::Valid,
};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// Pictures that are made and encoded at a time: so many are held as pixels at most.
const BATCH: usize = 8;

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

    fn with_filters(wrap: [Wrap; 2], mag_linear: bool, min: Filter) -> Self {
        let wrap = wrap.map(|wrap| match wrap {
            Wrap::Clamp => 0,
            Wrap::Repeat => 1,
            Wrap::Mirror => 2,
        });
        Self { mag_linear, min: min as u8, wrap }
    }

    fn sampler(self) -> json::texture::Sampler {
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

/// A picture that comes into the file.
pub enum Source<'a> {
    Image(&'a Arc<Image>),
    /// With its name.
    Bake(&'a Bake, &'a str),
}

impl Source<'_> {
    fn png(&self) -> Result<Vec<u8>, ExportError> {
        match self {
            Self::Image(image) => png(image),
            Self::Bake(bake, name) => png(&bake.image(name)),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Image(image) => &image.name,
            Self::Bake(_, name) => name,
        }
    }
}

/// Writes pictures, made and encoded on all cores, and says where each is: the same one for the same picture. `None`, with a
/// note, for one that cannot be encoded.
pub fn write_images(
    builder: &mut Builder,
    sources: &[Source<'_>],
) -> Result<Vec<Option<Index<json::Image>>>, ExportError> {
    let mut unique: Vec<&Source<'_>> = Vec::new();
    let mut places: HashMap<*const Image, usize> = HashMap::new();
    let mut place_of = |source| {
        unique.push(source);
        unique.len() - 1
    };
    let slots: Vec<usize> = sources
        .iter()
        .map(|source| match source {
            Source::Image(image) => *places.entry(Arc::as_ptr(image)).or_insert_with(|| place_of(source)),
            Source::Bake(..) => place_of(source),
        })
        .collect();
    let mut indices: Vec<Option<Index<json::Image>>> = Vec::with_capacity(unique.len());
    let mut baked: HashMap<Vec<u8>, Index<json::Image>> = HashMap::new();
    for batch in unique.chunks(BATCH) {
        builder.check(0)?;
        let encoded: Vec<Result<Vec<u8>, ExportError>> = batch.par_iter().map(|source| source.png()).collect();
        for (source, bytes) in batch.iter().zip(encoded) {
            let index = match bytes {
                Ok(bytes) if matches!(source, Source::Bake(..)) => Some(match baked.get(&bytes) {
                    Some(known) => *known,
                    None => {
                        let index = builder.image(source.name(), bytes.clone())?;
                        baked.insert(bytes, index);
                        index
                    }
                }),
                Ok(bytes) => Some(builder.image(source.name(), bytes)?),
                Err(error) => {
                    builder.note(error.to_string());
                    None
                }
            };
            indices.push(index);
        }
    }
    Ok(slots.into_iter().map(|slot| indices.get(slot).copied().flatten()).collect())
}

/// Textures by picture and sampler, samplers by what they do.
#[derive(Default)]
pub struct Textures {
    known: BTreeMap<(usize, SamplerKey), Index<json::Texture>>,
    samplers: BTreeMap<SamplerKey, Index<json::texture::Sampler>>,
}

impl Textures {
    pub fn index(&mut self, builder: &mut Builder, image: Index<json::Image>, key: SamplerKey) -> Index<json::Texture> {
        let samplers = &mut builder.root.samplers;
        let sampler = *self.samplers.entry(key).or_insert_with(|| Index::push(samplers, key.sampler()));
        *self.known.entry((image.value(), key)).or_insert_with(|| {
            let texture =
                json::Texture { name: None, sampler: Some(sampler), source: image, extensions: None, extras: None };
            Index::push(&mut builder.root.textures, texture)
        })
    }
}

/// A texture that is read with a set of coordinates, through a transform.
pub fn info(builder: &mut Builder, index: Index<json::Texture>, uv_set: u32, transform: UvTransform) -> Info {
    let extensions = (transform != UvTransform::IDENTITY).then(|| {
        builder.uses_extension("KHR_texture_transform");
        json::extensions::texture::Info {
            texture_transform: Some(TextureTransform {
                offset: TextureTransformOffset(transform.offset.to_array()),
                rotation: TextureTransformRotation(0.0),
                scale: TextureTransformScale(transform.scale.to_array()),
                tex_coord: Some(uv_set),
                extras: None,
            }),
        }
    });
    Info { index, tex_coord: uv_set, extensions, extras: None }
}
