use super::{
    buffers::Builder,
    written_materials::{
        BaseColor, DirectTexture, FactorSources, VertexColorSet, VertexColors, WrittenMaterial, WrittenMaterials,
    },
};
use crate::{
    export::{ExportError, png},
    scene::{BasicMaterial, Blend, Image, Model},
};
use gltf_json::{
    self as json, Index,
    material::{AlphaCutoff, AlphaMode, PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor},
    texture::{Info, MagFilter, MinFilter, WrappingMode},
    validation::Checked::Valid,
};
use rayon::prelude::*;
use std::{collections::BTreeMap, sync::Arc};

/// Writes pictures, textures and materials.
pub fn write(builder: &mut Builder, model: &Model) -> Result<WrittenMaterials, ExportError> {
    let images = write_images(builder, model)?;
    let mut textures = Textures::default();
    let mut written = WrittenMaterials::default();
    for material in &model.materials {
        let basic = material.basic();
        let image = basic.image.and_then(|i| images.get(i as usize)).copied().flatten();
        let texture = image.map(|image| textures.index(builder, image, basic.nearest));
        let json = basic_material(&material.name, &basic, texture);
        if json.extensions.is_some() && builder.root.extensions_used.is_empty() {
            builder.root.extensions_used.push("KHR_materials_unlit".to_owned());
        }
        let direct = DirectTexture { slot: 0, texgen: None, matrix_slot: None, uv_set: 0 };
        let uses_alpha = json.alpha_mode != Valid(AlphaMode::Opaque);
        let first = Some(VertexColorSet::First);
        written.materials.push(WrittenMaterial {
            index: Index::push(&mut builder.root.materials, json),
            base: if texture.is_some() { BaseColor::Direct(direct) } else { BaseColor::Factor },
            factor: FactorSources::default(),
            // Alpha of vertices is free data that glTF would blend with.
            vertex_colors: VertexColors { color: first, alpha: first.filter(|_| !uses_alpha), full: 255 },
            uses_alpha,
            inside_out: false,
        });
    }
    Ok(written)
}

/// Pictures that materials use, encoded on all cores, each once however many materials share it.
fn write_images(builder: &mut Builder, model: &Model) -> Result<Vec<Option<Index<json::Image>>>, ExportError> {
    let used = |index: usize| {
        model.materials.iter().any(|m| {
            let basic = m.basic();
            basic.image == Some(index as u32)
        })
    };
    let mut unique: Vec<&Arc<Image>> = Vec::new();
    let slots: Vec<Option<usize>> = model
        .images
        .iter()
        .enumerate()
        .map(|(index, image)| {
            used(index).then(|| {
                unique.iter().position(|known| Arc::ptr_eq(known, image)).unwrap_or_else(|| {
                    unique.push(image);
                    unique.len() - 1
                })
            })
        })
        .collect();
    let encoded: Vec<Result<Vec<u8>, ExportError>> = unique.par_iter().map(|image| png(image)).collect();
    let mut indices = Vec::with_capacity(unique.len());
    for (image, bytes) in unique.iter().zip(encoded) {
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => {
                builder.note(error.to_string());
                indices.push(None);
                continue;
            }
        };
        let view = builder.view(&bytes, None)?;
        let json = json::Image {
            buffer_view: Some(view),
            mime_type: Some(json::image::MimeType("image/png".to_owned())),
            name: Some(image.name.clone()),
            uri: None,
            extensions: None,
            extras: None,
        };
        indices.push(Some(Index::push(&mut builder.root.images, json)));
    }
    Ok(slots.into_iter().map(|slot| slot.and_then(|s| indices.get(s)).copied().flatten()).collect())
}

/// Textures by picture and filter, samplers by filter.
#[derive(Default)]
struct Textures {
    known: BTreeMap<(usize, bool), Index<json::Texture>>,
    samplers: BTreeMap<bool, Index<json::texture::Sampler>>,
}

impl Textures {
    fn index(&mut self, builder: &mut Builder, image: Index<json::Image>, nearest: bool) -> Index<json::Texture> {
        let sampler = *self.samplers.entry(nearest).or_insert_with(|| {
            let (mag, min) = if nearest {
                (MagFilter::Nearest, MinFilter::NearestMipmapNearest)
            } else {
                (MagFilter::Linear, MinFilter::LinearMipmapLinear)
            };
            let sampler = json::texture::Sampler {
                mag_filter: Some(Valid(mag)),
                min_filter: Some(Valid(min)),
                wrap_s: Valid(WrappingMode::Repeat),
                wrap_t: Valid(WrappingMode::Repeat),
                ..json::texture::Sampler::default()
            };
            Index::push(&mut builder.root.samplers, sampler)
        });
        *self.known.entry((image.value(), nearest)).or_insert_with(|| {
            let texture =
                json::Texture { name: None, sampler: Some(sampler), source: image, extensions: None, extras: None };
            Index::push(&mut builder.root.textures, texture)
        })
    }
}

/// A rough dielectric surface with the texture as its colour. glTF blends one way only: what adds to or multiplies with the
/// picture behind becomes `BLEND`, with the way it really blends in `extras.blend`. A surface that is never drawn stays in the
/// file, cut away by its alpha.
fn basic_material(name: &str, basic: &BasicMaterial, texture: Option<Index<json::Texture>>) -> json::Material {
    let alpha_mode = match basic.blend {
        _ if basic.hidden => AlphaMode::Mask,
        Blend::Opaque => AlphaMode::Opaque,
        Blend::Masked => AlphaMode::Mask,
        Blend::Alpha | Blend::Translucent | Blend::Modulated => AlphaMode::Blend,
    };
    let blend = match basic.blend {
        Blend::Translucent => Some("translucent"),
        Blend::Modulated => Some("modulated"),
        _ => None,
    };
    let info = |index| Info { index, tex_coord: 0, extensions: None, extras: None };
    json::Material {
        alpha_cutoff: (alpha_mode == AlphaMode::Mask).then_some(AlphaCutoff(0.5)),
        alpha_mode: Valid(alpha_mode),
        double_sided: basic.two_sided,
        name: Some(name.to_owned()),
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor([1.0, 1.0, 1.0, if basic.hidden { 0.0 } else { 1.0 }]),
            base_color_texture: texture.map(info),
            metallic_factor: StrengthFactor(0.0),
            roughness_factor: StrengthFactor(1.0),
            ..PbrMetallicRoughness::default()
        },
        extensions: basic
            .unlit
            .then_some(json::extensions::material::Material { unlit: Some(json::extensions::material::Unlit {}) }),
        extras: blend.and_then(|b| json::extras::RawValue::from_string(format!("{{\"blend\":\"{b}\"}}")).ok()),
        ..json::Material::default()
    }
}
