//! A landscape as one model, for formats that have no instances.

use super::{Bodies, Ground, GroundPicture, Lattice, StandIn, name_of, note_left_out};
use crate::bytes::numbers::counted;
use crate::export::Notes;
use crate::{
    export::{ExportError, ExportJob, map_model::placed},
    scene::{BasicMaterial, Material, MaterialKind, Mesh, Model, Prop, Surface, Terrain},
};
use glam::{Affine3A, Vec3};
use std::collections::HashMap;

/// Objects between two looks at whether anybody still waits.
const BETWEEN_LOOKS: usize = 1024;

/// About as many vertices and triangles as [`whole_model`] has: the ground's with the objects'.
pub fn whole_size(terrain: &Terrain, step: Option<u32>) -> [u64; 2] {
    let bodies = Bodies::of(terrain);
    let ground = Ground::of(&terrain.grid).map_or(0, |ground| Lattice::of(&ground, step).vertices() as u64);
    let mut size = [ground, ground.saturating_mul(2)];
    for prop in &terrain.props {
        let of_mesh = |mesh: &Mesh| [mesh.points.len().max(mesh.vertex_points.len()), mesh.indices.len() / 3];
        let of_prop = match bodies.get(prop.kind) {
            Some(body) => body.meshes.iter().map(of_mesh).fold([0, 0], |[v, t], [more, faces]| [v + more, t + faces]),
            None => [24, 12],
        };
        size = [0, 1].map(|i| size[i].saturating_add(of_prop[i] as u64));
    }
    size
}

/// The ground under its picture and a mesh for each object, in its place.
///
/// # Errors
/// When the export is cancelled.
pub fn whole_model(
    terrain: &Terrain,
    step: Option<u32>,
    job: &ExportJob<'_>,
    notes: &mut Notes,
) -> Result<Model, ExportError> {
    let bodies = Bodies::of(terrain);
    bodies.note(notes);
    let mut model = bodies.materials.clone();
    // East, up and north, as the files have them.
    model.file_from_scene = Affine3A::from_scale(Vec3::new(1.0, 1.0, -1.0));
    match Ground::of(&terrain.grid) {
        Some(ground) => {
            ground.note(notes);
            let mesh = ground_mesh(&mut model, terrain, &ground, step, job, notes)?;
            model.meshes.extend(mesh);
        }
        None => notes.push("the heights are missing: the ground is omitted".to_owned()),
    }
    let mut boxes = Boxes::default();
    let mut astray = 0;
    for (done, prop) in terrain.props.iter().enumerate() {
        if done.is_multiple_of(BETWEEN_LOOKS) {
            job.check()?;
            (job.progress)(done as u64, terrain.props.len() as u64, "objects");
        }
        let Some(kind) = terrain.kind_of(prop) else { continue };
        if !prop.world_from_prop.is_finite() {
            astray += 1;
            continue;
        }
        // Programs join objects of one name.
        let name = match name_of(prop, kind) {
            own if !prop.name.is_empty() => own.to_owned(),
            of_kind => format!("{of_kind}_{}", prop.slot),
        };
        match bodies.get(prop.kind) {
            Some(body) => {
                let placed = body.meshes.iter().map(|mesh| placed(mesh, &prop.world_from_prop, &name));
                model.meshes.extend(placed);
            }
            None => {
                let mesh = boxes.mesh(&mut model, terrain, prop);
                model.meshes.push(placed(&mesh, &prop.world_from_prop, &name));
            }
        }
    }
    if astray > 0 {
        notes.push(format!("{} with an invalid position omitted", counted(astray, "object")));
    }
    note_left_out(terrain, notes);
    Ok(model)
}

fn ground_mesh(
    model: &mut Model,
    terrain: &Terrain,
    ground: &Ground<'_>,
    step: Option<u32>,
    job: &ExportJob<'_>,
    notes: &mut Notes,
) -> Result<Option<Mesh>, ExportError> {
    let lattice = Lattice::of(ground, step);
    let mesh = lattice.mesh(ground, job)?;
    if mesh.indices.is_empty() {
        notes.push("the ground has no complete square and is omitted".to_owned());
        return Ok(None);
    }
    lattice.note(ground, notes);
    let picture =
        GroundPicture::laid(terrain, ground, notes).unwrap_or_else(|| GroundPicture::of_heights(terrain, ground));
    model.images.push(picture.image.clone());
    let image = Some(model.images.len() as u32 - 1);
    let material = push_material(model, "Ground", BasicMaterial { image, ..BasicMaterial::default() });
    let index_count = mesh.indices.len() as u32;
    Ok(Some(Mesh {
        name: "Ground".to_owned(),
        uv_sets: vec![mesh.positions.iter().map(|place| picture.uv(*place)).collect()],
        vertex_points: (0..mesh.positions.len() as u32).collect(),
        points: mesh.positions.into_iter().map(Vec3::from).collect(),
        normals: mesh.normals.into_iter().map(Vec3::from).collect(),
        indices: mesh.indices,
        surfaces: vec![Surface { first_index: 0, index_count, material }],
        ..Mesh::default()
    }))
}

fn push_material(model: &mut Model, name: &str, basic: BasicMaterial) -> u32 {
    model.materials.push(Material { name: name.to_owned(), kind: MaterialKind::Basic(basic) });
    model.materials.len() as u32 - 1
}

/// Materials of boxes, by type and colour.
#[derive(Default)]
struct Boxes {
    materials: HashMap<(u32, [u8; 3]), u32>,
}

impl Boxes {
    fn mesh(&mut self, model: &mut Model, terrain: &Terrain, prop: &Prop) -> Mesh {
        let Some(kind) = terrain.kind_of(prop) else { return Mesh::default() };
        // Opacity is never what the file means by the fourth number.
        let [r, g, b, _] = terrain.fill_of(prop);
        let material = *self
            .materials
            .entry((prop.kind, [r, g, b]))
            .or_insert_with(|| push_material(model, &kind.name, BasicMaterial::default()));
        let shape = StandIn::of(kind);
        Mesh {
            vertex_points: (0..shape.positions.len() as u32).collect(),
            colors: vec![[r, g, b, 255]; shape.positions.len()],
            surfaces: vec![Surface { first_index: 0, index_count: shape.indices.len() as u32, material }],
            points: shape.positions,
            normals: shape.normals,
            indices: shape.indices,
            ..Mesh::default()
        }
    }
}
