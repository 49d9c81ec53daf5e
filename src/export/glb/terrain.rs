//! Landscapes: the ground as one mesh, and a node for each object, or for all objects of a type. Each object has the
//! mesh of a model or of a box, written once.

use super::{
    Glb, GlbOptions, Output,
    buffers::{Bounds, Builder, MAX_BYTES, Place},
    container, material,
    mesh::{self, FrameTargets},
    nodes::{self, Places, fits, is_skewed, transform_of},
    sampler::SamplerKey,
    srgb,
    tev::UvTransform,
    textures::{Source, Textures, info, write_images},
    variant_mappings::WrittenMaterials,
};
use crate::{
    bytes::numbers::counted,
    export::{
        ExportError, ExportJob,
        terrain::{Bodies, Body, Ground, GroundPicture, Lattice, StandIn, name_of, note_left_out, placing},
    },
    scene::{HEIGHT_RAMP, HeightRange, Prop, PropKind, Terrain, Transform, gx::Wrap},
};
use gltf_json::{
    self as json, Index,
    buffer::Target,
    material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor},
    mesh::{Primitive, Semantic},
    validation::Checked::Valid,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// [`terrain_glb_with`] as most want it: a node for each object.
///
/// # Errors
/// As [`terrain_glb_with`].
pub fn terrain_glb(
    terrain: &Terrain,
    step: Option<u32>,
    output: impl Into<Output>,
    job: &ExportJob<'_>,
) -> Result<Glb, ExportError> {
    terrain_glb_with(terrain, step, &GlbOptions::default(), output, job)
}

/// Writes a landscape as GLB: its ground with a vertex every `step` samples, the edges kept, and its props, each as a node with the
/// model of its type, or a box where none was found; or those of a type as one node. The sea is no mesh: where it stands is in the ground's `extras`.
///
/// # Errors
/// When the file would be larger than `buffers::MAX_BYTES`, a picture cannot be encoded, or the export is cancelled.
pub fn terrain_glb_with(
    terrain: &Terrain,
    step: Option<u32>,
    options: &GlbOptions,
    output: impl Into<Output>,
    job: &ExportJob<'_>,
) -> Result<Glb, ExportError> {
    let mut builder = Builder::new(output);
    builder.texture_size = options.texture_size;
    let mut roots = Vec::new();
    match Ground::of(&terrain.grid) {
        Some(ground) => {
            ground.note(&mut builder.notes);
            roots.extend(write_ground(&mut builder, terrain, &ground, step, job)?);
        }
        None => builder.note("the heights are missing: the ground is omitted".to_owned()),
    }
    if let Some(props) = write_props(&mut builder, terrain, options.instances, job)? {
        roots.push(nodes::group(&mut builder, "Objects", props));
    }
    note_left_out(terrain, &mut builder.notes);
    if !roots.is_empty() {
        let name = (!terrain.name.is_empty()).then(|| terrain.name.clone());
        builder.root.scenes.push(json::Scene { extensions: None, extras: None, name, nodes: roots });
        builder.root.scene = Some(Index::new(0));
    }
    container::finish(builder, options.names)
}

/// Bytes of a vertex: position, normal, colour or texture coordinate.
const VERTEX_BYTES: usize = 32;
/// Bytes of the two triangles of a square.
const SQUARE_BYTES: usize = 24;

/// Writes the ground with a vertex every `step` samples and at the edges: under the pictures that are laid over it, or in the colours
/// of its heights. `None`, with a note, where there is no triangle.
fn write_ground(
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
fn material(name: &str) -> json::Material {
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
fn linear(color: u8) -> f32 {
    srgb::linear(f32::from(color) / 255.0)
}

/// The colour of a height, as linear bytes.
fn tint(height: f32, range: &HeightRange) -> [u8; 4] {
    let [r, g, b] = HEIGHT_RAMP.color(height, range).map(|c| (linear(c) * 255.0).round() as u8);
    [r, g, b, 255]
}

/// Objects between two looks at whether anybody still waits.
const BETWEEN_LOOKS: usize = 1024;

/// Writes a node for each prop: the model of its type, or the box, below it. With `instances` those that look the same are one
/// node. `None` where there are none.
fn write_props(
    builder: &mut Builder,
    terrain: &Terrain,
    instances: bool,
    job: &ExportJob<'_>,
) -> Result<Option<Vec<Index<json::Node>>>, ExportError> {
    let count = terrain.props.len();
    let bodies = Bodies::of(terrain);
    bodies.note(&mut builder.notes);
    let materials = material::write(builder, &bodies.materials)?;
    let of_bodies: Vec<Option<Index<json::Mesh>>> =
        bodies.list.iter().map(|body| write_body(builder, body, &materials)).collect::<Result<_, _>>()?;
    let mut boxes = Boxes::default();
    let mut nodes = Vec::new();
    let mut groups: BTreeMap<(u32, u32), Vec<(&Prop, Transform)>> = BTreeMap::new();
    let (mut skewed, mut astray, mut apart) = (0_usize, 0_usize, 0_usize);
    for (done, prop) in terrain.props.iter().enumerate() {
        if done.is_multiple_of(BETWEEN_LOOKS) {
            job.check()?;
            (job.progress)(done as u64, count as u64, "objects");
        }
        let Some(kind) = terrain.kind_of(prop) else { continue };
        let place = &prop.world_from_prop;
        if !place.is_finite() {
            astray += 1;
            continue;
        }
        let transform = transform_of(place);
        skewed += usize::from(is_skewed(place, &transform));
        let mesh = match bodies.index(prop.kind).and_then(|body| of_bodies.get(body).copied().flatten()) {
            Some(body) => body,
            None => boxes.mesh(builder, terrain, prop, kind)?,
        };
        if instances && fits(place, &transform) {
            groups.entry((prop.kind, mesh.value() as u32)).or_default().push((prop, transform));
            continue;
        }
        apart += usize::from(instances);
        nodes.push(write_one(builder, prop, kind, &transform, mesh));
    }
    for ((_, mesh), props) in &groups {
        job.check()?;
        let mesh = Index::new(*mesh);
        match props.as_slice() {
            [] => {}
            [(prop, transform)] => {
                let Some(kind) = terrain.kind_of(prop) else { continue };
                nodes.push(write_one(builder, prop, kind, transform, mesh));
            }
            [(first, _), ..] => {
                let Some(kind) = terrain.kind_of(first) else { continue };
                nodes.push(write_many(builder, (first, props), kind, mesh)?);
            }
        }
    }
    let mut note = |count: usize, what: &str| {
        if count > 0 {
            builder.note(format!("{} {what}", counted(count, "object")));
        }
    };
    note(astray, "with an invalid position omitted");
    note(skewed, "exported without skew");
    note(apart, "with mirrored or skewed placement exported as nodes, not instances");
    Ok((!nodes.is_empty()).then_some(nodes))
}

fn write_one(
    builder: &mut Builder,
    prop: &Prop,
    kind: &PropKind,
    transform: &Transform,
    mesh: Index<json::Mesh>,
) -> Index<json::Node> {
    let mut node = nodes::node(name_of(prop, kind), transform);
    node.mesh = Some(mesh);
    let extras = json!({ "slot": prop.slot, "id": prop.id, "typeId": prop.type_id, "placing": placing_json(prop) });
    node.extras = json::extras::RawValue::from_string(extras.to_string()).ok();
    builder.push_node(node)
}

/// The numbers of [`placing`]; those that are not finite are `null`.
fn placing_json(prop: &Prop) -> Value {
    placing(prop).into_iter().map(|(name, number)| (name, json!(number))).collect()
}

/// Writes props that look the same as one node. What nodes of their own would say is in lists, and names only where they have some.
fn write_many(
    builder: &mut Builder,
    (first, props): (&Prop, &[(&Prop, Transform)]),
    kind: &PropKind,
    mesh: Index<json::Mesh>,
) -> Result<Index<json::Node>, ExportError> {
    let mut places = Places::default();
    props.iter().for_each(|(_, transform)| places.push(transform));
    let list = |of: &dyn Fn(&Prop) -> Value| props.iter().map(|(prop, _)| of(prop)).collect::<Value>();
    let number = |at: usize| list(&|prop| json!(placing(prop)[at].1));
    let mut extras = json!({
        "slots": list(&|prop| json!(prop.slot)),
        "ids": list(&|prop| json!(prop.id)),
        "typeIds": list(&|prop| json!(prop.type_id)),
        "placing": (0..).zip(placing(first)).map(|(at, (name, _))| (name, number(at))).collect::<Value>(),
    });
    if props.iter().any(|(prop, _)| !prop.name.is_empty()) {
        extras["names"] = list(&|prop| json!(name_of(prop, kind)));
    }
    let name = if kind.name.is_empty() { "objects" } else { kind.name.as_str() };
    places.write(builder, name, &[mesh], &extras)
}

/// A model as one mesh; `None` when there is nothing to draw.
fn write_body(
    builder: &mut Builder,
    body: &Body,
    materials: &WrittenMaterials,
) -> Result<Option<Index<json::Mesh>>, ExportError> {
    let mut primitives = Vec::new();
    for source in &body.meshes {
        if mesh::write(builder, source, materials, None, &FrameTargets::default())?.is_some() {
            primitives.extend(builder.root.meshes.pop().map(|written| written.primitives).unwrap_or_default());
        }
    }
    if primitives.is_empty() {
        return Ok(None);
    }
    let name = Some(body.name.clone());
    let written = json::Mesh { extensions: None, extras: None, name, primitives, weights: None };
    Ok(Some(Index::push(&mut builder.root.meshes, written)))
}

/// The boxes and posts that were written: the shape once a type, a mesh for each of its colours.
#[derive(Default)]
struct Boxes {
    /// Positions, normals and indices.
    shapes: BTreeMap<u32, [Index<json::Accessor>; 3]>,
    meshes: BTreeMap<(u32, [u8; 3]), Index<json::Mesh>>,
}

impl Boxes {
    fn mesh(
        &mut self,
        builder: &mut Builder,
        terrain: &Terrain,
        prop: &Prop,
        kind: &PropKind,
    ) -> Result<Index<json::Mesh>, ExportError> {
        // Opacity is never what the file means by the fourth number.
        let [r, g, b, _] = terrain.fill_of(prop);
        if let Some(known) = self.meshes.get(&(prop.kind, [r, g, b])) {
            return Ok(*known);
        }
        let [positions, normals, indices] = match self.shapes.get(&prop.kind) {
            Some(known) => *known,
            None => {
                let shape = write_shape(builder, &StandIn::of(kind))?;
                self.shapes.insert(prop.kind, shape);
                shape
            }
        };
        let attributes = BTreeMap::from([(Valid(Semantic::Positions), positions), (Valid(Semantic::Normals), normals)]);
        let mut material = material(&kind.name);
        let [red, green, blue] = [r, g, b].map(linear);
        material.pbr_metallic_roughness.base_color_factor = PbrBaseColorFactor([red, green, blue, 1.0]);
        let material = Index::push(&mut builder.root.materials, material);
        let primitive = Primitive {
            attributes,
            extensions: None,
            extras: None,
            indices: Some(indices),
            material: Some(material),
            mode: Valid(json::mesh::Mode::Triangles),
            targets: None,
        };
        let name = Some(kind.name.clone());
        let mesh = json::Mesh { extensions: None, extras: None, name, primitives: vec![primitive], weights: None };
        let mesh = Index::push(&mut builder.root.meshes, mesh);
        self.meshes.insert((prop.kind, [r, g, b]), mesh);
        Ok(mesh)
    }
}

fn write_shape(builder: &mut Builder, shape: &StandIn) -> Result<[Index<json::Accessor>; 3], ExportError> {
    let arrays = |vectors: &[glam::Vec3]| vectors.iter().map(|v| v.to_array()).collect::<Vec<_>>();
    let place = Place::Own(Some(Target::ArrayBuffer));
    Ok([
        builder.floats(&arrays(&shape.positions), place, Bounds::Yes)?,
        builder.floats(&arrays(&shape.normals), place, Bounds::No)?,
        builder.indices(&shape.indices, shape.positions.len())?,
    ])
}
