//! What stands on a landscape, as boxes.

use super::{
    buffers::{Bounds, Builder, Place},
    map::{is_skewed, transform_of},
    nodes,
    terrain_ground::{linear, material},
};
use crate::{
    export::{ExportError, ExportJob},
    scene::{Prop, PropKind, Terrain},
};
use glam::Vec3;
use gltf_json::{
    self as json, Index,
    buffer::Target,
    material::PbrBaseColorFactor,
    mesh::{Primitive, Semantic},
    validation::Checked::Valid,
};
use std::collections::BTreeMap;

/// Things on the ground that a file holds, each as a node of its own: programs that read more take minutes.
pub const MAX_PROPS: usize = 20_000;

/// Outward directions of a box's sides.
const SIDES: [Vec3; 6] = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];

/// Writes a node for each prop, the box of its type below it. `None` where there are none, or too many, which a note says.
pub fn write(
    builder: &mut Builder,
    terrain: &Terrain,
    job: &ExportJob<'_>,
) -> Result<Option<Vec<Index<json::Node>>>, ExportError> {
    let count = terrain.props.len();
    if count > MAX_PROPS {
        builder.note(format!("{count} objects are left out: a GLB holds at most {MAX_PROPS}; csv holds all"));
        return Ok(None);
    }
    let mut boxes = Boxes { shared: None, of_kind: BTreeMap::new() };
    let mut nodes = Vec::with_capacity(count);
    let (mut skewed, mut astray) = (0_usize, 0_usize);
    for prop in &terrain.props {
        job.check()?;
        let Some(kind) = terrain.kind_of(prop) else { continue };
        let place = &prop.world_from_prop;
        if !place.is_finite() {
            astray += 1;
            continue;
        }
        let transform = transform_of(place);
        skewed += usize::from(is_skewed(place, &transform));
        let mut node = nodes::node(name_of(prop, kind), &transform);
        node.mesh = Some(boxes.mesh(builder, terrain, prop, kind)?);
        let extras = serde_json::json!({ "slot": prop.slot, "id": prop.id, "typeId": prop.type_id });
        node.extras = json::extras::RawValue::from_string(extras.to_string()).ok();
        nodes.push(builder.push_node(node));
    }
    let mut note = |count: usize, what: &str| {
        if count > 0 {
            builder.note(format!("{count} objects {what}"));
        }
    };
    note(astray, "stand nowhere (their place is not finite) and are left out");
    note(skewed, "are skewed and are written without their skew");
    note(
        terrain.props.iter().filter(|p| p.fill.is_some()).count(),
        "have a colour of their own and are written in their type's",
    );
    note(terrain.props.iter().filter(|p| has_body(terrain, p)).count(), "have a model and are written as its box");
    Ok((!nodes.is_empty()).then_some(nodes))
}

fn has_body(terrain: &Terrain, prop: &Prop) -> bool {
    terrain.kind_of(prop).is_some_and(|kind| kind.body.is_some())
}

fn name_of<'a>(prop: &'a Prop, kind: &'a PropKind) -> &'a str {
    [prop.name.as_str(), kind.name.as_str()].into_iter().find(|name| !name.is_empty()).unwrap_or("object")
}

/// The boxes that were written: what all have in common once, the rest once a type.
struct Boxes {
    /// Normals and indices.
    shared: Option<[Index<json::Accessor>; 2]>,
    of_kind: BTreeMap<u32, Index<json::Mesh>>,
}

impl Boxes {
    fn mesh(
        &mut self,
        builder: &mut Builder,
        terrain: &Terrain,
        prop: &Prop,
        kind: &PropKind,
    ) -> Result<Index<json::Mesh>, ExportError> {
        if let Some(known) = self.of_kind.get(&prop.kind) {
            return Ok(*known);
        }
        let [normals, indices] = match self.shared {
            Some(shared) => shared,
            None => *self.shared.insert(shared(builder)?),
        };
        let place = Place::Own(Some(Target::ArrayBuffer));
        let positions = builder.floats(&corners(size_of(kind)), place, Bounds::Yes)?;
        let attributes = BTreeMap::from([(Valid(Semantic::Positions), positions), (Valid(Semantic::Normals), normals)]);
        let [r, g, b, _] = terrain.fill_of(&Prop { fill: None, ..prop.clone() }).map(|c| linear(f32::from(c)));
        let mut material = material(&kind.name);
        // Opacity is never what the file means by the fourth number.
        material.pbr_metallic_roughness.base_color_factor = PbrBaseColorFactor([r, g, b, 1.0]);
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
        self.of_kind.insert(prop.kind, mesh);
        Ok(mesh)
    }
}

/// Normals and indices of every box.
fn shared(builder: &mut Builder) -> Result<[Index<json::Accessor>; 2], ExportError> {
    let normals: Vec<[f32; 3]> = SIDES.iter().flat_map(|side| [side.to_array(); 4]).collect();
    let indices: Vec<u32> = (0..6).flat_map(|side| [0, 1, 2, 0, 2, 3].map(|corner| side * 4 + corner)).collect();
    let place = Place::Own(Some(Target::ArrayBuffer));
    Ok([builder.floats(&normals, place, Bounds::No)?, builder.indices(&indices, normals.len())?])
}

/// Corners of each side, counter-clockwise from outside; the middle of the floor is the origin.
fn corners(size: Vec3) -> Vec<[f32; 3]> {
    let corner = |side: Vec3, u: f32, v: f32| {
        let along = Vec3::new(side.y, side.z, side.x);
        let unit = (side + along * u + side.cross(along) * v) * 0.5;
        ((unit + Vec3::Y * 0.5) * size).to_array()
    };
    let around = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    SIDES.iter().flat_map(|side| around.map(|(u, v)| corner(*side, u, v))).collect()
}

/// What cannot be a size counts as a metre.
fn size_of(kind: &PropKind) -> Vec3 {
    Vec3::from_array(kind.size.to_array().map(|side| if side.is_finite() && side > 0.0 { side } else { 1.0 }))
}
