//! The chunks together as a model.

use super::{
    Drw1, Evp1, Inf1, Jnt1, Shp1, Vtx1,
    inf1::Hierarchy,
    layout::ArrayLengths,
    shape_mesh::{self, Faults, Parts},
    skeleton,
};
use crate::{
    bytes::numbers::counted,
    formats::j3d::{chunk_file::ChunkFile, codes, file::Findings},
    scene::{BasicMaterial, Material, MaterialKind, Mesh, Model, Surface},
};

/// Bytes of a material's name that stand in those of its shapes too.
const LONGEST_NAME: usize = 256;

/// The model of a file, with these materials and no textures. A chunk that is missing leaves out what it has; a shape that cannot
/// be read leaves an empty mesh in its place.
///
/// # Errors
/// In words, when the file has neither shapes nor joints.
pub fn model(
    document: &ChunkFile,
    name: &str,
    materials: Vec<Material>,
    findings: &mut Findings,
) -> Result<Model, String> {
    let (vtx1, evp1, drw1, jnt1) = (Vtx1::default(), Evp1::default(), Drw1::default(), Jnt1::default());
    let inf1 = document.chunk::<Inf1>();
    let vtx1 = document.chunk().unwrap_or(&vtx1);
    let evp1 = document.chunk().unwrap_or(&evp1);
    let drw1 = document.chunk().unwrap_or(&drw1);
    let jnt1 = document.chunk().unwrap_or(&jnt1);
    let shp1 = document.chunk::<Shp1>();
    if shp1.is_none() && jnt1.joints.is_empty() {
        return Err("the file has no readable shapes or joints".to_owned());
    }
    let hierarchy = inf1.map(Inf1::hierarchy).unwrap_or_default();
    let mut model = Model::empty(name);
    model.skeleton = skeleton::skeleton(jnt1, inf1, &hierarchy, drw1, evp1, findings);
    model.materials = materials;
    if model.materials.is_empty() {
        model.materials.push(Material { name: String::new(), kind: MaterialKind::Basic(BasicMaterial::default()) });
    }
    let Some(shp1) = shp1 else { return Ok(model) };
    let parts = Parts {
        source: &document.source,
        shp1,
        vtx1,
        arrays: ArrayLengths::of(vtx1),
        matrix_count: model.skeleton.as_ref().map_or(0, |s| s.draw_matrices.len()),
    };
    let material_of = materials_of_shapes(&hierarchy, shp1.shapes.len(), model.materials.len(), findings);
    let mut budget = shp1.read_budget();
    for (index, shape) in shp1.shapes.iter().enumerate() {
        let read = shape.as_ref().map(|shape| {
            if shp1.may_read(shape, &mut budget) {
                shape_mesh::mesh(&parts, shape)
            } else {
                Err((shp1.range.start, "too many shapes use the same display lists".to_owned()))
            }
        });
        let mut mesh = match read {
            Some(Ok((mesh, faults))) => {
                report(index, faults, shp1, findings);
                mesh
            }
            Some(Err((offset, why))) => {
                findings.add(&codes::BAD_SHAPE, Some(offset), format!("shape {index} skipped: {why}"));
                Mesh::default()
            }
            None => {
                let offset = shp1.places.get(index).map(|place| place.range.start);
                findings.add(&codes::BAD_SHAPE, offset, format!("shape {index} skipped: its entry is missing"));
                Mesh::default()
            }
        };
        let material = material_of.get(index).copied().unwrap_or(0);
        mesh.name = match model.materials.get(material as usize).filter(|m| (1..=LONGEST_NAME).contains(&m.name.len()))
        {
            Some(material) => format!("Shape {index} · {}", material.name),
            None => format!("Shape {index}"),
        };
        if !mesh.indices.is_empty() {
            let index_count = u32::try_from(mesh.indices.len()).unwrap_or(u32::MAX);
            mesh.surfaces.push(Surface { first_index: 0, index_count, material });
        }
        let lines = std::mem::take(&mut mesh.lines);
        mesh.add_lines(&lines, material);
        model.meshes.push(mesh);
    }
    model.draw_order = draw_order(&hierarchy, model.meshes.len());
    Ok(model)
}

/// Each shape once, in the order of the hierarchy; empty where nothing says one.
fn draw_order(hierarchy: &Hierarchy, shape_count: usize) -> Vec<u32> {
    let mut met = vec![false; shape_count];
    let mut order = Vec::with_capacity(shape_count);
    for placed in &hierarchy.shapes {
        match met.get_mut(usize::from(placed.shape)) {
            Some(met) if !*met => *met = true,
            _ => continue,
        }
        order.push(u32::from(placed.shape));
    }
    order
}

/// The material of each shape.
fn materials_of_shapes(
    hierarchy: &Hierarchy,
    shape_count: usize,
    material_count: usize,
    findings: &mut Findings,
) -> Vec<u32> {
    let mut materials = vec![0; shape_count];
    let mut bad = (0_usize, 0_usize);
    for placed in hierarchy.shapes.iter().rev() {
        let Some(slot) = materials.get_mut(usize::from(placed.shape)) else {
            bad.0 = bad.0.saturating_add(1);
            continue;
        };
        match placed.material.filter(|material| usize::from(*material) < material_count) {
            Some(material) => *slot = u32::from(material),
            None => bad.1 = bad.1.saturating_add(1),
        }
    }
    if bad.0 > 0 {
        let references = counted(bad.0, "reference");
        let message = format!("the hierarchy has {references} to missing shapes, which are not drawn");
        findings.add(&codes::BAD_INDEX, None, message);
    }
    if bad.1 > 0 {
        let shapes = counted(bad.1, "shape");
        let message = format!("the hierarchy assigns a missing material to {shapes}; the first material is used");
        findings.add(&codes::BAD_INDEX, None, message);
    }
    materials
}

fn report(index: usize, faults: Faults, shp1: &Shp1, findings: &mut Findings) {
    let at = shp1.places.get(index).map(|place| place.range.start);
    if faults.bad_indices > 0 {
        let message = format!(
            "shape {index} has {} with an index past the end of an array",
            counted(faults.bad_indices, "vertex")
        );
        findings.add(&codes::BAD_INDEX, at, message);
    }
    if faults.bad_matrices > 0 {
        let message = format!("shape {index} uses missing matrices; the first matrix is used");
        findings.add(&codes::BAD_INDEX, at, message);
    }
    if faults.is_declared_order {
        let message = format!(
            "the vertex attributes of shape {index} are in the order of its attribute list, not in hardware order"
        );
        findings.add(&codes::ATTRIBUTE_ORDER, at, message);
    }
}
