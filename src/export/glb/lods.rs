//! Levels of detail: coarser meshes for what is seen from farther away.

use super::{
    buffers::Builder,
    mesh::{self, FrameTargets},
    node_extension::{LEVELS_OF_DETAIL, LodNode, name_of},
    options::Lods,
    variant_mappings::WrittenMaterials,
};
use crate::{
    export::{ExportError, map_model::SharedMaterials},
    scene::{Mesh, Model},
};
use gltf_json::{self as json, Index};
use serde_json::json;
use std::sync::Arc;

/// The share of the screen from which on the finest level may be shown alone.
const FULL_COVERAGE: f64 = 0.5;

/// A coarser level that is a model of its own.
#[derive(Clone, Debug)]
pub struct CoarserModel {
    /// What the file calls it.
    pub name: String,
    /// The model of the level.
    pub model: Arc<Model>,
}

/// The node of a mesh with those of its coarser levels.
pub struct MeshNodes {
    pub finest: Index<json::Node>,
    pub coarser: Vec<Index<json::Node>>,
    /// Triangles of the finest level and of each of the others.
    pub triangles: Vec<usize>,
}

impl MeshNodes {
    /// Of all levels.
    pub fn all(&self) -> impl Iterator<Item = Index<json::Node>> {
        std::iter::once(self.finest).chain(self.coarser.iter().copied())
    }
}

/// Says what is a level of what, and gives the nodes that stand in the scene.
pub fn write(builder: &mut Builder, lods: Lods, nodes: &MeshNodes) -> Vec<Index<json::Node>> {
    if nodes.coarser.is_empty() {
        return vec![nodes.finest];
    }
    match lods {
        Lods::None => vec![nodes.finest],
        Lods::Msft => {
            builder.uses_extension(LEVELS_OF_DETAIL);
            let extras = json!({ "MSFT_screencoverage": coverage(&nodes.triangles) });
            if let Some(node) = builder.root.nodes.get_mut(nodes.finest.value()) {
                node.extras = json::extras::RawValue::from_string(extras.to_string()).ok();
            }
            builder.lods.push(LodNode { node: nodes.finest, coarser: nodes.coarser.clone() });
            vec![nodes.finest]
        }
        Lods::Nodes => {
            let name = builder.root.nodes.get_mut(nodes.finest.value()).and_then(|node| node.name.as_mut());
            if let Some(name) = name {
                *name = name_of(name, 0);
            }
            std::iter::once(nodes.finest).chain(nodes.coarser.iter().copied()).collect()
        }
    }
}

/// The share of the screen down to which each level is shown: all have as many triangles for an area of the screen as the first
/// has at [`FULL_COVERAGE`], at least. The last is shown however small it becomes.
fn coverage(triangles: &[usize]) -> Vec<f64> {
    let full = triangles.first().copied().unwrap_or_default().max(1) as f64;
    let mut least = FULL_COVERAGE;
    let next = triangles.iter().skip(1).map(|count| {
        least = least.min((FULL_COVERAGE * *count as f64 / full * 1e4).round() / 1e4);
        least
    });
    next.chain([0.0]).collect()
}

/// A level of a model.
pub struct GatheredLevel {
    /// What the file calls it.
    name: String,
    /// With the materials of the gathered model.
    meshes: Vec<Mesh>,
}

/// A model on one list of materials with its coarser levels, and what these are; `None` for one without, which stays as it is.
pub fn gathered(model: &Model, coarser: &[CoarserModel]) -> (Option<Model>, Vec<GatheredLevel>) {
    if coarser.is_empty() {
        return (None, Vec::new());
    }
    let (materials, images, meshes) = Default::default();
    let mut whole = Model { materials, images, meshes, ..model.clone() };
    let mut shared = SharedMaterials::default();
    let mut gather =
        |model: &Model| -> Vec<Mesh> { model.meshes.iter().map(|mesh| shared.mesh(&mut whole, model, mesh)).collect() };
    let meshes = gather(model);
    let level = |level: &CoarserModel| GatheredLevel { name: level.name.clone(), meshes: gather(&level.model) };
    let levels = coarser.iter().map(level).collect();
    whole.meshes = meshes;
    (Some(whole), levels)
}

/// The nodes of a mesh and of its levels over the same vertices; `None` where the finest has nothing to draw.
pub fn nodes(
    builder: &mut Builder,
    mesh: &Mesh,
    written: &[Option<Index<json::Mesh>>],
    skin: Option<Index<json::Skin>>,
) -> Option<MeshNodes> {
    let mut node = |mesh: Index<json::Mesh>, name: String| {
        builder.push_node(json::Node { mesh: Some(mesh), skin, name: Some(name), ..json::Node::default() })
    };
    let (finest, coarser) = written.split_first()?;
    let finest = node((*finest)?, mesh.name.clone());
    let mut nodes = MeshNodes { finest, coarser: Vec::new(), triangles: vec![mesh.triangle_count()] };
    for (level, written) in mesh.levels.iter().zip(coarser) {
        let Some(written) = written else { continue };
        let name = name_of(&mesh.name, nodes.triangles.len());
        nodes.coarser.push(node(*written, name));
        nodes.triangles.push(level.indices.len() / 3);
    }
    Some(nodes)
}

/// Writes a level that is a model of its own: its meshes are levels of those at the same place.
pub fn write_model(
    builder: &mut Builder,
    level: &GatheredLevel,
    materials: &WrittenMaterials,
    nodes: &mut [Option<MeshNodes>],
) -> Result<(), ExportError> {
    for (mesh, nodes) in level.meshes.iter().zip(nodes.iter_mut()) {
        let written = mesh::write(builder, mesh, materials, None, &FrameTargets::default())?;
        let (Some(written), Some(nodes)) = (written, nodes) else { continue };
        let finest = builder.root.nodes.get(nodes.finest.value()).and_then(|node| node.name.clone());
        let name = name_of(&finest.unwrap_or_default(), nodes.triangles.len());
        if let Some(mesh) = builder.root.meshes.get_mut(written.value()) {
            mesh.name = Some(name.clone());
        }
        let extras = json!({ "level": level.name }).to_string();
        nodes.coarser.push(builder.push_node(json::Node {
            mesh: Some(written),
            name: Some(name),
            extras: json::extras::RawValue::from_string(extras).ok(),
            ..json::Node::default()
        }));
        nodes.triangles.push(mesh.triangle_count());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_falls_with_the_triangles() {
        assert_eq!(coverage(&[100, 40, 10]), [0.2, 0.05, 0.0]);
        assert_eq!(coverage(&[3, 1]), [0.1667, 0.0]);
        // A level with more triangles than the one before is not shown sooner.
        assert_eq!(coverage(&[100, 20, 300, 10]), [0.1, 0.1, 0.05, 0.0]);
        assert_eq!(coverage(&[0, 0]), [0.0, 0.0]);
    }
}
