//! Joins triangles to strips.

use std::collections::HashMap;

/// Most vertices of a strip: what its count has room for.
const LONGEST: usize = 0xFFFF;

/// Strips that hold each triangle once, with its winding: `(0, 1, 2), (1, 3, 2), (2, 3, 4) …`. From each triangle in order the
/// longest of the three ways on is taken.
pub(super) fn strips(triangles: &[[usize; 3]]) -> Vec<Vec<usize>> {
    let mut by_edge: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
    for (index, [a, b, c]) in triangles.iter().enumerate() {
        for edge in [(*a, *b), (*b, *c), (*c, *a)] {
            by_edge.entry(edge).or_default().push(index);
        }
    }
    let mut used = vec![false; triangles.len()];
    let mut out = Vec::new();
    for (index, [a, b, c]) in triangles.iter().enumerate() {
        if used.get(index).copied().unwrap_or(true) {
            continue;
        }
        let ways = [[*a, *b, *c], [*b, *c, *a], [*c, *a, *b]];
        let walks = ways.map(|start| walk(index, start, triangles, &by_edge, &used));
        let best = walks.into_iter().max_by_key(|(strip, _)| strip.len());
        let Some((strip, taken)) = best else { continue };
        for triangle in taken {
            if let Some(used) = used.get_mut(triangle) {
                *used = true;
            }
        }
        out.push(strip);
    }
    out
}

/// The strip from a triangle on, and the triangles that it takes.
fn walk(
    first: usize,
    start: [usize; 3],
    triangles: &[[usize; 3]],
    by_edge: &HashMap<(usize, usize), Vec<usize>>,
    used: &[bool],
) -> (Vec<usize>, Vec<usize>) {
    let [_, mut before, mut last] = start;
    let (mut strip, mut taken) = (start.to_vec(), vec![first]);
    let mut odd = true;
    while strip.len() < LONGEST {
        let edge = if odd { (last, before) } else { (before, last) };
        let free = |index: &&usize| !used.get(**index).copied().unwrap_or(true) && !taken.contains(index);
        let Some(next) = by_edge.get(&edge).and_then(|around| around.iter().find(free)).copied() else { break };
        let new = triangles.get(next).and_then(|t| t.iter().find(|v| **v != edge.0 && **v != edge.1));
        let Some(new) = new.copied() else { break };
        strip.push(new);
        taken.push(next);
        (before, last) = (last, new);
        odd = !odd;
    }
    (strip, taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The triangles of strips, each turned so that its least vertex is first.
    fn triangles_of(strips: &[Vec<usize>]) -> Vec<[usize; 3]> {
        let mut out = Vec::new();
        for strip in strips {
            for (index, corners) in strip.windows(3).enumerate() {
                let [a, b, c] = [corners[0], corners[1], corners[2]];
                out.push(least_first(if index % 2 == 0 { [a, b, c] } else { [a, c, b] }));
            }
        }
        out.sort_unstable();
        out
    }

    fn least_first([a, b, c]: [usize; 3]) -> [usize; 3] {
        if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        }
    }

    #[test]
    fn strips_hold_every_triangle_once_and_as_it_was() {
        // A sheet of 6 × 4 squares and a triangle by itself.
        let mut triangles = vec![[100, 102, 101]];
        for y in 0..4 {
            for x in 0..6 {
                let at = y * 7 + x;
                triangles.extend([[at, at + 1, at + 8], [at, at + 8, at + 7]]);
            }
        }
        let strips = strips(&triangles);
        let mut wanted: Vec<[usize; 3]> = triangles.into_iter().map(least_first).collect();
        wanted.sort_unstable();
        assert_eq!(triangles_of(&strips), wanted);
        assert!(strips.len() <= 12, "{strips:?}");
    }
}
