//! The ground of a landscape as a mesh.

use super::{
    buffers::{Bounds, Builder, MAX_BYTES, Place},
    sampler::SamplerKey,
    srgb,
    tev::UvTransform,
    textures::{Source, Textures, info, write_images},
};
use crate::{
    export::{
        ExportError, ExportJob,
        terrain::{Ground, GroundPicture, Lattice},
    },
    scene::{HEIGHT_RAMP, HeightRange, Terrain, gx::Wrap},
};
use gltf_json::{
    self as json, Index,
    buffer::Target,
    material::{PbrMetallicRoughness, StrengthFactor},
    mesh::{Primitive, Semantic},
    validation::Checked::Valid,
};
use std::collections::BTreeMap;

/// Bytes of a vertex: position, normal, colour or texture coordinate.
const VERTEX_BYTES: usize = 32;
/// Bytes of the two triangles of a square.
const SQUARE_BYTES: usize = 24;

/// Writes the ground with a vertex every `step` samples and at the edges: under the pictures that are laid over it, or in the colours
/// of its heights. `None`, with a note, where there is no triangle.
pub fn write(
    builder: &mut Builder,
    terrain: &Terrain,
    ground: &Ground<'_>,
    step: Option<u32>,
    job: &ExportJob<'_>,
) -> Result<Option<Index<json::Node>>, ExportError> {
    let lattice = Lattice::of(ground, step);
    let vertices = lattice.vertices();
    if vertices.saturating_mul(VERTEX_BYTES + SQUARE_BYTES) > MAX_BYTES {
        return Err(ExportError::TooLarge(format!(
            "the ground has {vertices} vertices, too many for a GLB file of at most {} MiB: use a larger step",
            MAX_BYTES >> 20
        )));
    }
    let mesh = lattice.mesh(ground, job)?;
    if mesh.indices.is_empty() {
        builder.note("the ground has no complete square and is omitted".to_owned());
        return Ok(None);
    }
    lattice.note(ground, &mut builder.notes);
    let place = Place::Own(Some(Target::ArrayBuffer));
    let mut attributes = BTreeMap::new();
    attributes.insert(Valid(Semantic::Positions), builder.floats(&mesh.positions, place, Bounds::Yes)?);
    attributes.insert(Valid(Semantic::Normals), builder.floats(&mesh.normals, place, Bounds::No)?);
    let mut surface = material("Ground");
    match GroundPicture::laid(terrain, ground, &mut builder.notes) {
        Some(picture) => {
            let uvs: Vec<[f32; 2]> = mesh.positions.iter().map(|place| picture.uv(*place).to_array()).collect();
            attributes.insert(Valid(Semantic::TexCoords(0)), builder.floats(&uvs, place, Bounds::No)?);
            let sampler = SamplerKey::new([Wrap::Clamp; 2], false);
            if let [Some(image)] = write_images(builder, &[Source::Image(&picture.image, sampler)])?[..] {
                let texture = Textures::default().index(builder, image, sampler);
                let texture = info(builder, texture, 0, UvTransform::IDENTITY);
                surface.pbr_metallic_roughness.base_color_texture = Some(texture);
            }
        }
        None => {
            let [min, max] = ground.range().unwrap_or_default();
            let range = HeightRange { min, max, mean: 0.0, holes: 0 };
            let colors: Vec<[u8; 4]> = mesh.positions.iter().map(|[_, height, _]| tint(*height, &range)).collect();
            attributes.insert(Valid(Semantic::Colors(0)), builder.bytes4(&colors, true)?);
        }
    }
    let material = Index::push(&mut builder.root.materials, surface);
    let primitive = Primitive {
        attributes,
        extensions: None,
        extras: None,
        indices: Some(builder.indices(&mesh.indices, mesh.positions.len())?),
        material: Some(material),
        mode: Valid(json::mesh::Mode::Triangles),
        targets: None,
    };
    let name = Some("Ground".to_owned());
    let written =
        json::Mesh { extensions: None, extras: None, name: name.clone(), primitives: vec![primitive], weights: None };
    let written = Index::push(&mut builder.root.meshes, written);
    let extras = serde_json::json!({
        "columns": ground.columns, "rows": ground.rows, "cell": ground.cell, "step": lattice.step(), "seaLevel": 0,
    });
    let extras = json::extras::RawValue::from_string(extras.to_string()).ok();
    Ok(Some(builder.push_node(json::Node { mesh: Some(written), name, extras, ..json::Node::default() })))
}

/// A rough surface; what it shows comes from its vertices.
pub fn material(name: &str) -> json::Material {
    json::Material {
        name: Some(name.to_owned()),
        pbr_metallic_roughness: PbrMetallicRoughness {
            metallic_factor: StrengthFactor(0.0),
            roughness_factor: StrengthFactor(1.0),
            ..PbrMetallicRoughness::default()
        },
        ..json::Material::default()
    }
}

/// A gamma-space byte as a linear number.
pub fn linear(color: u8) -> f32 {
    srgb::linear(f32::from(color) / 255.0)
}

/// The colour of a height, as linear bytes.
fn tint(height: f32, range: &HeightRange) -> [u8; 4] {
    let [r, g, b] = HEIGHT_RAMP.color(height, range).map(|c| (linear(c) * 255.0).round() as u8);
    [r, g, b, 255]
}
