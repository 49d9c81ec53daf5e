use super::{
    base_color::{BaseColor, DirectTexture, FactorSources, VertexColorSet, VertexColors},
    buffers::Builder,
    sampler::SamplerKey,
    srgb,
    tev::{self, Loss, Mode, Picture, Plan, UvTransform},
    textures::{Source, Textures, info, write_images},
    variant_mappings::{WrittenMaterial, WrittenMaterials},
};
use crate::{
    export::{ExportError, Note, NoteSubject},
    scene::{BasicMaterial, Blend, Image, Material, MaterialKind, Model, gx::Wrap},
};
use gltf_json::{
    self as json, Index,
    material::{AlphaCutoff, AlphaMode, OcclusionTexture, PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor},
    texture::Info,
    validation::Checked::Valid,
};
use serde_json::json;
use std::sync::Arc;

/// Writes pictures, textures and materials.
pub fn write(builder: &mut Builder, model: &Model) -> Result<WrittenMaterials, ExportError> {
    let plans = tev::plans(model);
    let materials: Vec<(&Material, Option<&Plan>)> =
        model.materials.iter().zip(plans.iter().map(Option::as_ref)).collect();
    let colors = materials.iter().map(|(material, plan)| source(model, material, *plan));
    let lights = model.materials.iter().map(|material| light_source(model, material));
    let sources: Vec<Option<Source<'_>>> = colors.chain(lights).collect();
    let present: Vec<usize> = (0..sources.len()).filter(|index| sources[*index].is_some()).collect();
    let images = write_images(builder, &sources.into_iter().flatten().collect::<Vec<_>>())?;
    let mut image_of = vec![None; materials.len() * 2];
    for (index, image) in present.into_iter().zip(images) {
        image_of[index] = image;
    }
    let mut textures = Textures::default();
    let mut written = WrittenMaterials::default();
    let light_of = image_of.split_off(materials.len());
    for (((material, plan), image), light) in materials.into_iter().zip(image_of).zip(light_of) {
        let of_material = match (&material.kind, plan) {
            (MaterialKind::Basic(basic), _) => write_basic(builder, &mut textures, &material.name, basic, image),
            (MaterialKind::Tev(tev), Some(plan)) => {
                write_combined(builder, &mut textures, &material.name, plan, image, tev::j3d(model, tev, plan))
            }
            (MaterialKind::Tev(_), None) => {
                write_basic(builder, &mut textures, &material.name, &material.basic(), None)
            }
        };
        if let Some(image) = light {
            let sampler = SamplerKey::new([Wrap::Clamp; 2], false);
            let texture = textures.index(builder, image, sampler);
            put_light(builder, texture, of_material.index);
        }
        written.materials.push(of_material);
    }
    Ok(written)
}

/// The picture of a material's base colour.
fn source<'a>(model: &'a Model, material: &'a Material, plan: Option<&'a Plan>) -> Option<Source<'a>> {
    let image = |index: u32| -> Option<&'a Arc<Image>> { model.images.get(index as usize) };
    match (&material.kind, plan) {
        (MaterialKind::Basic(basic), _) => {
            let image = basic.image.and_then(image)?;
            Some(Source::Image(image, SamplerKey::repeating(basic.nearest)))
        }
        (MaterialKind::Tev(_), plan) => match &plan?.picture {
            Picture::None => None,
            Picture::Texture { texture, .. } => Some(Source::Image(texture.mips.first()?, SamplerKey::of(texture))),
            Picture::Bake(bake) => Some(Source::Bake(bake, &material.name)),
        },
    }
}

/// The light map of a level's wall.
fn light_source<'a>(model: &'a Model, material: &Material) -> Option<Source<'a>> {
    match &material.kind {
        MaterialKind::Basic(basic) => model.images.get(basic.lightmap? as usize).map(Source::Numbers),
        MaterialKind::Tev(_) => None,
    }
}

/// Puts a light map where clients find it with its coordinates: as occlusion, the nearest that glTF has. Unlit materials ignore it.
fn put_light(builder: &mut Builder, texture: Index<json::Texture>, material: Index<json::Material>) {
    let Some(material) = builder.root.materials.get_mut(material.value()) else { return };
    material.occlusion_texture = Some(OcclusionTexture {
        index: texture,
        strength: StrengthFactor(1.0),
        tex_coord: 1,
        extensions: None,
        extras: None,
    });
}

/// A rough dielectric surface with the texture as its colour. glTF blends one way only: what adds to or multiplies with the
/// picture behind becomes `BLEND`, with the way it really blends in `extras.blend`. A surface that is never drawn stays in the
/// file, cut away by its alpha.
fn write_basic(
    builder: &mut Builder,
    textures: &mut Textures,
    name: &str,
    basic: &BasicMaterial,
    image: Option<Index<json::Image>>,
) -> WrittenMaterial {
    let mode = match basic.blend {
        _ if basic.hidden => Mode::Mask(0.5),
        Blend::Opaque => Mode::Opaque,
        Blend::Masked => Mode::Mask(0.5),
        Blend::Alpha | Blend::Translucent | Blend::Modulated => Mode::Blend,
    };
    let blend = match basic.blend {
        Blend::Translucent => Some("translucent"),
        Blend::Modulated => Some("modulated"),
        _ => None,
    };
    let texture = image.map(|image| {
        let index = textures.index(builder, image, SamplerKey::repeating(basic.nearest));
        info(builder, index, 0, UvTransform::IDENTITY)
    });
    let has_texture = texture.is_some();
    let json = Surface {
        name,
        mode,
        two_sided: basic.two_sided,
        unlit: basic.unlit,
        factor: [1.0, 1.0, 1.0, if basic.hidden { 0.0 } else { 1.0 }],
        texture,
        extras: blend.map(|blend| json!({ "blend": blend })),
    };
    let uses_alpha = mode != Mode::Opaque;
    let direct = DirectTexture { slot: 0, texgen: None, matrix_slot: None, uv_set: 0 };
    let first = Some(VertexColorSet::First);
    WrittenMaterial {
        index: json.push(builder),
        base: if has_texture { BaseColor::Direct(direct) } else { BaseColor::Factor },
        factor: FactorSources::default(),
        // Alpha of vertices is free data that glTF would blend with.
        vertex_colors: VertexColors { color: first, alpha: first.filter(|_| !uses_alpha), full: 255 },
        front: None,
        inside_out: false,
    }
}

/// What a combined material looks like without lamps as base colour: rough and dielectric where lamps shine on it.
fn write_combined(
    builder: &mut Builder,
    textures: &mut Textures,
    name: &str,
    plan: &Plan,
    image: Option<Index<json::Image>>,
    j3d: serde_json::Value,
) -> WrittenMaterial {
    let placed = match (&plan.picture, plan.base) {
        (Picture::Texture { texture, transform }, BaseColor::Direct(DirectTexture { uv_set, .. })) => {
            Some((SamplerKey::of(texture), uv_set, *transform))
        }
        (Picture::Bake(bake), BaseColor::Baked { uv_set, .. }) => Some((bake.sampler(), uv_set, bake.transform)),
        _ => None,
    };
    let texture = image.zip(placed).map(|(image, (key, uv_set, transform))| {
        let index = textures.index(builder, image, key);
        info(builder, index, uv_set, transform)
    });
    for Loss { one, several } in &plan.lost {
        let text = format!("the material “{name}” is approximated: {one}");
        builder.note(Note::on(NoteSubject::Material, name, text, several));
    }
    let base = if texture.is_some() { plan.base } else { BaseColor::Factor };
    let mode = if plan.alpha.hidden { Mode::Mask(0.5) } else { plan.alpha.mode };
    let [r, g, b, a] = plan.factor;
    let mut extras = json!({ "j3d": j3d });
    if let Some(blend) = plan.alpha.blend {
        extras["blend"] = json!(blend);
    }
    let json = Surface {
        name,
        mode,
        two_sided: plan.two_sided,
        unlit: !plan.lit,
        factor: [srgb::linear(r), srgb::linear(g), srgb::linear(b), if plan.alpha.hidden { 0.0 } else { a }],
        texture,
        extras: Some(extras),
    };
    WrittenMaterial {
        index: json.push(builder),
        base,
        factor: plan.sources.clone(),
        vertex_colors: plan.vertex_colors,
        front: plan.front.clone(),
        inside_out: plan.inside_out,
    }
}

/// What a glTF material is made of here.
struct Surface<'a> {
    name: &'a str,
    mode: Mode,
    two_sided: bool,
    unlit: bool,
    /// Linear.
    factor: [f32; 4],
    texture: Option<Info>,
    extras: Option<serde_json::Value>,
}

impl Surface<'_> {
    fn push(self, builder: &mut Builder) -> Index<json::Material> {
        if self.unlit {
            builder.uses_extension("KHR_materials_unlit");
        }
        let (alpha_mode, cutoff) = match self.mode {
            Mode::Opaque => (AlphaMode::Opaque, None),
            Mode::Mask(cutoff) => (AlphaMode::Mask, Some(AlphaCutoff(cutoff))),
            Mode::Blend => (AlphaMode::Blend, None),
        };
        let material = json::Material {
            alpha_cutoff: cutoff,
            alpha_mode: Valid(alpha_mode),
            double_sided: self.two_sided,
            name: Some(self.name.to_owned()),
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: PbrBaseColorFactor(self.factor),
                base_color_texture: self.texture,
                metallic_factor: StrengthFactor(0.0),
                roughness_factor: StrengthFactor(1.0),
                ..PbrMetallicRoughness::default()
            },
            extensions: self
                .unlit
                .then_some(json::extensions::material::Material { unlit: Some(json::extensions::material::Unlit {}) }),
            extras: self.extras.and_then(|extras| json::extras::RawValue::from_string(extras.to_string()).ok()),
            ..json::Material::default()
        };
        Index::push(&mut builder.root.materials, material)
    }
}
