//! The ground of a landscape as a mesh.

use super::buffers::{Bounds, Builder, MAX_BYTES, Place};
use crate::{
    export::{ExportError, ExportJob, terrain::Ground},
    scene::{HEIGHT_RAMP, HeightRange, scene_from_ground},
};
use glam::Vec3;
use gltf_json::{
    self as json, Index,
    buffer::Target,
    material::{PbrMetallicRoughness, StrengthFactor},
    mesh::{Primitive, Semantic},
    validation::Checked::Valid,
};
use std::collections::BTreeMap;

/// A place without a vertex.
const HOLE: u32 = u32::MAX;
/// Bytes of a vertex: position, normal, colour.
const VERTEX_BYTES: usize = 28;
/// Bytes of the two triangles of a square.
const SQUARE_BYTES: usize = 24;

/// Writes the ground with a vertex every `step` samples and at the edges, split as the game splits it. `None`, with a note, where
/// there is no triangle.
pub fn write(
    builder: &mut Builder,
    ground: &Ground<'_>,
    step: usize,
    job: &ExportJob<'_>,
) -> Result<Option<Index<json::Node>>, ExportError> {
    let mesh = Lattice::of(ground, step)?.mesh(ground, job)?;
    if mesh.indices.is_empty() {
        builder.note("there is not one whole square of ground: it is left out".to_owned());
        return Ok(None);
    }
    let holes = ground.holes();
    if holes > 0 {
        builder.note(format!("{holes} samples are no ground: vertices that would stand there are left out"));
    }
    if step > 1 {
        builder.note(format!("the ground has a vertex every {step} samples"));
    }
    let place = Place::Own(Some(Target::ArrayBuffer));
    let mut attributes = BTreeMap::new();
    attributes.insert(Valid(Semantic::Positions), builder.floats(&mesh.positions, place, Bounds::Yes)?);
    attributes.insert(Valid(Semantic::Normals), builder.floats(&mesh.normals, place, Bounds::No)?);
    attributes.insert(Valid(Semantic::Colors(0)), builder.bytes4(&mesh.colors, true)?);
    let material = Index::push(&mut builder.root.materials, material("Ground"));
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
        "columns": ground.columns, "rows": ground.rows, "cell": ground.cell, "step": step, "seaLevel": 0,
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

/// A gamma-space colour of 8 bits as the linear factor that glTF wants.
pub fn linear(color: f32) -> f32 {
    (color / 255.0).clamp(0.0, 1.0).powf(2.2)
}

/// Which samples become vertices.
struct Lattice {
    columns: Vec<usize>,
    rows: Vec<usize>,
}

struct GroundMesh {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    colors: Vec<[u8; 4]>,
    indices: Vec<u32>,
}

impl Lattice {
    /// # Errors
    /// When the mesh would not fit into a file.
    fn of(ground: &Ground<'_>, step: usize) -> Result<Self, ExportError> {
        let of = |samples: usize| (samples - 1).div_ceil(step) + 1;
        let vertices = of(ground.columns).saturating_mul(of(ground.rows));
        if vertices.saturating_mul(VERTEX_BYTES + SQUARE_BYTES) > MAX_BYTES {
            return Err(ExportError::TooLarge(format!(
                "{vertices} vertices of ground are more than the {} MiB of a GLB file hold: use a greater step",
                MAX_BYTES >> 20
            )));
        }
        let kept = |samples: usize| {
            let mut kept: Vec<usize> = (0..samples).step_by(step).collect();
            if kept.last() != Some(&(samples - 1)) {
                kept.push(samples - 1);
            }
            kept
        };
        Ok(Self { columns: kept(ground.columns), rows: kept(ground.rows) })
    }

    fn mesh(&self, ground: &Ground<'_>, job: &ExportJob<'_>) -> Result<GroundMesh, ExportError> {
        let cell = ground.cell as f32;
        let point = |i: usize, j: usize| -> Option<Vec3> {
            let (column, row) = (*self.columns.get(i)?, *self.rows.get(j)?);
            let height = ground.row(row).get(column)?;
            let point = scene_from_ground(column as f32 * cell, *height, row as f32 * cell);
            point.is_finite().then_some(point)
        };
        let [min, max] = ground.range().unwrap_or_default();
        let range = HeightRange { min, max, mean: 0.0, holes: 0 };
        let width = self.columns.len();
        let mut vertices = vec![HOLE; width * self.rows.len()];
        let mut mesh =
            GroundMesh { positions: Vec::new(), normals: Vec::new(), colors: Vec::new(), indices: Vec::new() };
        for j in 0..self.rows.len() {
            job.check()?;
            (job.progress)(j as u64, self.rows.len() as u64, "rows of the ground");
            for i in 0..width {
                let Some(here) = point(i, j) else { continue };
                // The slope between the neighbours; at an edge it is that of one side.
                let side = |i: Option<usize>, j: Option<usize>| i.zip(j).and_then(|(i, j)| point(i, j)).unwrap_or(here);
                let east = side(Some(i + 1), Some(j)) - side(i.checked_sub(1), Some(j));
                let north = side(Some(i), Some(j + 1)) - side(Some(i), j.checked_sub(1));
                let east = if east.x > 0.0 { east } else { Vec3::X };
                let north = if north.z < 0.0 { north } else { Vec3::NEG_Z };
                vertices[j * width + i] = mesh.positions.len() as u32;
                mesh.positions.push(here.to_array());
                // Lengths first: the product of great slopes is no number.
                let normal = east.normalize_or(Vec3::X).cross(north.normalize_or(Vec3::NEG_Z));
                mesh.normals.push(normal.normalize_or(Vec3::Y).to_array());
                mesh.colors.push(tint(here.y, &range));
            }
        }
        for j in 1..self.rows.len() {
            for i in 1..width {
                let at = |i: usize, j: usize| vertices[j * width + i];
                let (south_west, south_east) = (at(i - 1, j - 1), at(i, j - 1));
                let (north_west, north_east) = (at(i - 1, j), at(i, j));
                for triangle in [[south_west, south_east, north_west], [north_east, north_west, south_east]] {
                    if !triangle.contains(&HOLE) {
                        mesh.indices.extend(triangle);
                    }
                }
            }
        }
        Ok(mesh)
    }
}

/// The colour of a height, as linear bytes.
fn tint(height: f32, range: &HeightRange) -> [u8; 4] {
    let [r, g, b] = HEIGHT_RAMP.color(height, range).map(|c| (linear(f32::from(c)) * 255.0).round() as u8);
    [r, g, b, 255]
}
