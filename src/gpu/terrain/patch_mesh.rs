//! The one mesh that all of the ground is drawn with.

/// Squares of a patch in one direction.
pub(super) const SIDE: u32 = 64;

/// Which part of a patch a vertex belongs to; mirrored in `shaders/terrain.wgsl`.
#[derive(Clone, Copy)]
enum Part {
    Ground = 0,
    /// The first of four walls (west, east, south, north) at the edge of the map: their tops, then their feet.
    Top = 1,
    Foot = 5,
}

/// Column, row, part.
pub(super) type PatchVertex = [u8; 4];

/// Vertices of a patch and the triangles between them, anticlockwise seen from above and from outside.
pub(super) fn mesh() -> (Vec<PatchVertex>, Vec<u16>) {
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    let line = SIDE as u16 + 1;
    for z in 0..line {
        vertices.extend((0..line).map(|x| [x as u8, z as u8, Part::Ground as u8, 0]));
    }
    for z in 0..line - 1 {
        for x in 0..line - 1 {
            let south_west = z * line + x;
            let (south_east, north_west, north_east) = (south_west + 1, south_west + line, south_west + line + 1);
            // The game's own diagonal: from the south-east to the north-west.
            indices.extend([south_west, south_east, north_west, south_east, north_east, north_west]);
        }
    }
    for wall in 0..4_u8 {
        let first = vertices.len() as u16;
        for step in 0..line {
            let (step, end) = (step as u8, SIDE as u8);
            let [x, z] = [[0, step], [end, step], [step, 0], [step, end]][usize::from(wall)];
            vertices.push([x, z, Part::Top as u8 + wall, 0]);
            vertices.push([x, z, Part::Foot as u8 + wall, 0]);
        }
        for step in 0..line - 1 {
            let top = first + step * 2;
            let (foot, next_top, next_foot) = (top + 1, top + 2, top + 3);
            // From outside the western and the northern wall run from left to right as they are numbered from right to left.
            let outward = [true, false, false, true][usize::from(wall)];
            let triangles = [top, foot, next_top, next_top, foot, next_foot];
            let turned = [top, next_top, foot, next_top, next_foot, foot];
            indices.extend(if outward { turned } else { triangles });
        }
    }
    (vertices, indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_is_small_and_whole() {
        let (vertices, indices) = mesh();
        assert_eq!(vertices.len(), 65 * 65 + 4 * 65 * 2);
        assert_eq!(indices.len(), (64 * 64 + 4 * 64) * 6);
        assert!(indices.iter().all(|i| usize::from(*i) < vertices.len()));
    }

    #[test]
    fn squares_are_split_from_south_east_to_north_west() {
        let (vertices, indices) = mesh();
        let corners: Vec<[u8; 2]> =
            indices[..6].iter().map(|i| [vertices[usize::from(*i)][0], vertices[usize::from(*i)][1]]).collect();
        assert_eq!(corners, [[0, 0], [1, 0], [0, 1], [1, 0], [1, 1], [0, 1]]);
    }

    #[test]
    fn walls_face_outward() {
        let (vertices, indices) = mesh();
        for triangle in indices[64 * 64 * 6..].chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| {
                let [x, z, part, _] = vertices[usize::from(triangle[i])];
                let height = if part >= 5 { 0.0 } else { 1.0 };
                (glam::Vec3::new(f32::from(x), height, -f32::from(z)), part)
            });
            let out = [glam::Vec3::NEG_X, glam::Vec3::X, glam::Vec3::Z, glam::Vec3::NEG_Z];
            let facing = (b.0 - a.0).cross(c.0 - a.0);
            assert!(facing.dot(out[usize::from((a.1 - 1) % 4)]) > 0.0, "{triangle:?}");
        }
    }
}
