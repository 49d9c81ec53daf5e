//! Pictures and textures of a file, each once.

use super::{
    Beside, TextureSize,
    beside::{PictureFile, PixelHash, pixel_hash},
    buffers::Builder,
    enlarged::Enlargement,
    sampler::SamplerKey,
    tev::{Bake, UvTransform},
};
use crate::{
    export::{ExportError, png},
    scene::Image,
};
use gltf_json::{
    self as json, Index,
    extensions::texture::{TextureTransform, TextureTransformOffset, TextureTransformRotation, TextureTransformScale},
    texture::Info,
};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// Pictures that are made and encoded at a time: so many are held as pixels at most.
const BATCH: usize = 8;

/// A picture that comes into the file.
pub enum Source<'a> {
    /// With the way it is read.
    Image(&'a Arc<Image>, SamplerKey),
    /// Numbers, which nobody takes for colours of sRGB.
    Numbers(&'a Arc<Image>),
    /// With its name.
    Bake(&'a Arc<Bake>, &'a str),
}

/// A picture as it comes into the file.
struct Encoded {
    pixels: PixelHash,
    file: PictureFile,
    /// The size that it had before it was enlarged.
    original: Option<[u32; 2]>,
}

impl Source<'_> {
    /// Encodes the picture, if it is not in a file yet.
    fn encode(&self, size: TextureSize, beside: Option<&Beside>) -> Result<Encoded, ExportError> {
        let encode = |image: &Image, original| -> Result<Encoded, ExportError> {
            let pixels = pixel_hash(image, true);
            let written = beside.and_then(|beside| beside.written(self.name(), &pixels));
            let file =
                written.map_or_else(|| png(image).map(PictureFile::Png), |path| Ok(PictureFile::Written(path)))?;
            Ok(Encoded { pixels, file, original })
        };
        let of_size = |image: &Image, sampler, enlarged: &dyn Fn(Enlargement) -> Image| match Enlargement::of(
            image, sampler, size,
        ) {
            Some(enlargement) => encode(&enlarged(enlargement), Some([image.width, image.height])),
            None => encode(image, None),
        };
        match self {
            Self::Image(image, sampler) => of_size(image, *sampler, &|enlargement| enlargement.image(image)),
            Self::Numbers(image) => encode(image, None),
            Self::Bake(bake, name) => {
                let image = bake.image(name, bake.tile.texels);
                of_size(&image, bake.sampler(), &|enlargement| bake.image(name, enlargement.size(&image)))
            }
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Image(image, _) | Self::Numbers(image) => &image.name,
            Self::Bake(_, name) => name,
        }
    }

    /// The address of the picture, with all that decides about its pixels in the file.
    fn key(&self) -> (*const (), Option<WayRead>) {
        match self {
            Self::Image(image, sampler) => {
                let way = Enlargement::is_small(image).then(|| (sampler.is_linear(), sampler.repeats()));
                (Arc::as_ptr(image).cast(), way)
            }
            Self::Numbers(image) => (Arc::as_ptr(image).cast(), None),
            Self::Bake(bake, _) => (Arc::as_ptr(bake).cast(), None),
        }
    }
}

/// How small pictures are read, which decides what they are enlarged to: whether texels are mixed, and whether it repeats along
/// each side.
type WayRead = (bool, [bool; 2]);

/// Writes pictures, made and encoded on all cores, and returns where each is. `None`, with a note, for one that cannot be encoded.
pub fn write_images(
    builder: &mut Builder,
    sources: &[Source<'_>],
) -> Result<Vec<Option<Index<json::Image>>>, ExportError> {
    let mut unique: Vec<&Source<'_>> = Vec::new();
    let mut places = HashMap::new();
    let mut place_of = |source| {
        unique.push(source);
        unique.len() - 1
    };
    let slots: Vec<usize> =
        sources.iter().map(|source| *places.entry(source.key()).or_insert_with(|| place_of(source))).collect();
    let mut indices: Vec<Option<Index<json::Image>>> = Vec::with_capacity(unique.len());
    for batch in unique.chunks(BATCH) {
        builder.check(0)?;
        let (size, beside) = (builder.texture_size, builder.beside.as_ref());
        let encoded: Vec<Result<Encoded, ExportError>> =
            batch.par_iter().map(|source| source.encode(size, beside)).collect();
        for (source, encoded) in batch.iter().zip(encoded) {
            indices.push(match encoded {
                Ok(Encoded { pixels, file, original }) => Some(builder.image(source.name(), pixels, file, original)?),
                Err(error) => {
                    builder.note(error.to_string());
                    None
                }
            });
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
