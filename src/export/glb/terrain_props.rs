//! What stands on a landscape: a node for each object, or for those of a type, the mesh of a model or of a box once.

use super::{
    buffers::{Bounds, Builder, Place},
    frames::FrameTargets,
    material, mesh, nodes,
    places::{Places, fits, is_skewed, transform_of},
    terrain_ground::{self, linear},
    written_materials::WrittenMaterials,
};
use crate::bytes::numbers::counted;
use crate::{
    export::{
        ExportError, ExportJob,
        terrain::{Bodies, Body, StandIn, name_of, placing},
    },
    scene::{Prop, PropKind, Terrain, Transform},
};
use gltf_json::{
    self as json, Index,
    buffer::Target,
    material::PbrBaseColorFactor,
    mesh::{Primitive, Semantic},
    validation::Checked::Valid,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Objects between two looks at whether anybody still waits.
const BETWEEN_LOOKS: usize = 1024;

/// Writes a node for each prop: the model of its type, or the box, below it. With `instances` those that look the same are one
/// node. `None` where there are none.
pub fn write(
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
        let mut material = terrain_ground::material(&kind.name);
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
