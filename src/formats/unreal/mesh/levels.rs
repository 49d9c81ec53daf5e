//! Levels of detail of a LodMesh (§8.3): as vertices go, wedges collapse into others and faces vanish.

use super::lod::LodMesh;
use std::collections::HashMap;

/// Shares of the vertices that the levels keep.
const SHARES: [f32; 5] = [0.75, 0.5, 0.35, 0.2, 0.1];
/// Fewer vertices than this make no mesh.
const FEWEST: u16 = 4;

/// The faces that are left at a level: their number, and the wedges of their corners.
pub struct Level {
    pub vertex_count: u32,
    pub faces: Vec<(usize, [usize; 3])>,
}

/// Coarser and coarser levels, each with fewer triangles than the one before; none for a mesh that does not say how it
/// collapses.
pub fn levels(lod: &LodMesh, wedge_count: usize, vertex_of: impl Fn(usize) -> Option<usize>) -> Vec<Level> {
    if lod.collapse_wedges.len() < wedge_count || lod.face_levels.len() < lod.faces.len() {
        return Vec::new();
    }
    let all = u16::try_from(lod.model_verts).unwrap_or(0);
    let fewest = u16::try_from(lod.min_verts).unwrap_or(0).max(FEWEST);
    let mut out: Vec<Level> = Vec::new();
    let mut before = lod.faces.len();
    for share in SHARES {
        let keep = ((f32::from(all) * share) as u16).max(fewest);
        if keep >= all {
            continue;
        }
        let faces = faces_at(lod, keep, &vertex_of);
        if !faces.is_empty() && faces.len() < before {
            before = faces.len();
            out.push(Level { vertex_count: u32::from(keep), faces });
        }
    }
    out
}

fn faces_at(lod: &LodMesh, keep: u16, vertex_of: &impl Fn(usize) -> Option<usize>) -> Vec<(usize, [usize; 3])> {
    // What each wedge becomes; worked out once, whatever the chains look like.
    let mut becomes: HashMap<usize, Option<usize>> = HashMap::new();
    let mut collapsed = |wedge: u16| -> Option<usize> {
        let mut wedge = usize::from(wedge);
        let mut way = Vec::new();
        let end = loop {
            if let Some(known) = becomes.get(&wedge) {
                break *known;
            }
            // Until its end is known a wedge leads nowhere: so do circles.
            becomes.insert(wedge, None);
            way.push(wedge);
            match vertex_of(wedge) {
                None => break None,
                Some(vertex) if vertex < usize::from(keep) => break Some(wedge),
                Some(_) => match lod.collapse_wedges.get(wedge) {
                    Some(next) => wedge = usize::from(*next),
                    None => break None,
                },
            }
        };
        for passed in way {
            becomes.insert(passed, end);
        }
        end
    };
    let mut out = Vec::new();
    for (index, (face, level)) in lod.faces.iter().zip(&lod.face_levels).enumerate() {
        if *level > keep {
            continue;
        }
        let [Some(a), Some(b), Some(c)] = face.wedges.map(&mut collapsed) else { continue };
        let corners = [a, b, c].map(vertex_of);
        let [a_at, b_at, c_at] = corners;
        if a_at != b_at && b_at != c_at && a_at != c_at {
            out.push((index, [a, b, c]));
        }
    }
    out
}
