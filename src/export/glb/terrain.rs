//! Landscapes: the ground as one mesh, a box for each thing that stands on it.

use super::{Glb, Room, buffers::Builder, container, nodes, terrain_ground, terrain_props};
use crate::{
    export::{ExportError, ExportJob, terrain::Ground},
    scene::Terrain,
};
use gltf_json::{self as json, Index};

/// Triangles of the ground where nobody says how fine it should be.
pub const USUAL_TRIANGLES: u64 = 1_000_000;

/// Writes a landscape as GLB: its ground with a vertex every `step` samples, the edges kept, and its props as boxes. The sea is
/// no mesh: where it stands is in the ground's `extras`.
///
/// # Errors
/// When the file would be larger than `buffers::MAX_BYTES`, or the export is cancelled.
pub fn terrain_glb(terrain: &Terrain, step: Option<u32>, room: Room, job: &ExportJob<'_>) -> Result<Glb, ExportError> {
    let mut builder = Builder::new(room);
    let mut roots = Vec::new();
    match Ground::of(&terrain.grid) {
        Some(ground) => {
            ground.note(&mut builder.notes);
            let (columns, rows) = (ground.columns as u32, ground.rows as u32);
            let step = step.unwrap_or_else(|| usual_step(columns, rows)).max(1);
            roots.extend(terrain_ground::write(&mut builder, &ground, step as usize, job)?);
        }
        None => builder.note("there are no heights: the ground is left out".to_owned()),
    }
    if let Some(props) = terrain_props::write(&mut builder, terrain, job)? {
        roots.push(nodes::group(&mut builder, "Objects", props));
    }
    note(&mut builder, terrain);
    if !roots.is_empty() {
        let name = (!terrain.name.is_empty()).then(|| terrain.name.clone());
        builder.root.scenes.push(json::Scene { extensions: None, extras: None, name, nodes: roots });
        builder.root.scene = Some(Index::new(0));
    }
    container::finish(builder)
}

/// The finest step with at most [`USUAL_TRIANGLES`].
pub fn usual_step(columns: u32, rows: u32) -> u32 {
    let squares = |samples: u32, step: u32| u64::from(samples.saturating_sub(1).div_ceil(step));
    let fits = |step: &u32| squares(columns, *step).saturating_mul(squares(rows, *step)) * 2 <= USUAL_TRIANGLES;
    // Less than ten thousand steps even for what is as long as it can be.
    (1..=u32::MAX).find(fits).unwrap_or(u32::MAX)
}

fn note(builder: &mut Builder, terrain: &Terrain) {
    let left_out = [
        ("zones", terrain.zones.len()),
        ("pictures on the ground", terrain.pictures.len()),
        ("layers of materials", terrain.layers.len()),
    ];
    let named: Vec<&str> = left_out.iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name).collect();
    if !named.is_empty() {
        builder.note(format!("{} are left out", named.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_keep_a_mesh_under_a_million_triangles() {
        assert_eq!((usual_step(0, 0), usual_step(1, 1), usual_step(64, 64), usual_step(708, 708)), (1, 1, 1, 1));
        assert_eq!((usual_step(709, 709), usual_step(2048, 2048), usual_step(8192, 8192)), (2, 3, 12));
        assert_eq!(usual_step(u32::MAX, 2), 8_590);
    }
}
