//! The pair of files that a mesh of moving vertices is imported from (formats/unreal.md §8.8).

use super::mesh::Vertices;

/// A triangle of `_d.3d`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilePolygon {
    /// Vertex indices of the corners within a frame.
    pub vertices: [u16; 3],
    /// What it is in the low four bits, effects above.
    pub surface: u8,
    /// `Color`, a byte without a known meaning.
    pub color: u8,
    /// Texture coordinates u, v of each corner, in 1/255.
    pub uvs: [[u8; 2]; 3],
    /// `TextureNum`: index of the texture slot.
    pub texture: u8,
    /// `Flags`, a byte without a known meaning.
    pub flags: u8,
}

/// Polygons and vertices that a file can count, and bytes of a frame.
pub const MAX_COUNT: usize = u16::MAX as usize;

/// `_d.3d`: the polygons of a mesh of `vertex_count` vertices. Polygons past the first 65,535 are left out.
pub fn encode_mesh_data(polygons: &[FilePolygon], vertex_count: u16) -> Vec<u8> {
    let polygons = polygons.get(..MAX_COUNT).unwrap_or(polygons);
    let mut out = Vec::with_capacity(polygons.len().saturating_mul(16).saturating_add(48));
    out.extend((polygons.len() as u16).to_le_bytes());
    out.extend(vertex_count.to_le_bytes());
    // The rest of the header tells nothing.
    out.resize(48, 0);
    for polygon in polygons {
        polygon.vertices.iter().for_each(|vertex| out.extend(vertex.to_le_bytes()));
        out.extend([polygon.surface, polygon.color]);
        out.extend(polygon.uvs.as_flattened());
        out.extend([polygon.texture, polygon.flags]);
    }
    out
}

/// `_a.3d`: the frames of a mesh of `vertex_count` vertices, as many as are whole, at most 65,535. A frame has at most 65,535 bytes
/// ([`frame_bytes`]).
pub fn encode_mesh_frames(vertices: &Vertices, vertex_count: u16) -> Vec<u8> {
    let stored = match vertices {
        Vertices::Packed(words) => words.len(),
        Vertices::Wide(places) => places.len(),
    };
    let stride = usize::from(vertex_count);
    let frames = stored.checked_div(stride).unwrap_or(0).min(MAX_COUNT);
    let written = frames.saturating_mul(stride);
    let size = frame_bytes(vertices, stride);
    let mut out = Vec::with_capacity(frames.saturating_mul(size).saturating_add(4));
    out.extend((frames as u16).to_le_bytes());
    out.extend(u16::try_from(size).unwrap_or(u16::MAX).to_le_bytes());
    match vertices {
        Vertices::Packed(words) => words.iter().take(written).for_each(|word| out.extend(word.to_le_bytes())),
        Vertices::Wide(places) => {
            for place in places.iter().take(written) {
                place.iter().for_each(|value| out.extend(value.to_le_bytes()));
                out.extend([0, 0]);
            }
        }
    }
    out
}

/// Bytes of a frame of so many vertices.
pub fn frame_bytes(vertices: &Vertices, vertex_count: usize) -> usize {
    let each: usize = match vertices {
        Vertices::Packed(_) => 4,
        Vertices::Wide(_) => 8,
    };
    vertex_count.saturating_mul(each)
}

#[cfg(test)]
mod tests {
    use super::super::mesh::pack_vertex;
    use super::*;

    #[test]
    fn a_polygon_takes_sixteen_bytes_behind_a_header_of_forty_eight() {
        let polygon = FilePolygon {
            vertices: [1, 2, 0x304],
            surface: 0x13,
            color: 5,
            uvs: [[6, 7], [8, 9], [10, 11]],
            texture: 12,
            flags: 13,
        };
        let bytes = encode_mesh_data(&[polygon], 0x305);
        assert_eq!(bytes.len(), 48 + 16);
        assert_eq!(bytes[..6], [1, 0, 5, 3, 0, 0]);
        assert!(bytes[6..48].iter().all(|byte| *byte == 0));
        assert_eq!(bytes[48..], [1, 0, 2, 0, 4, 3, 0x13, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    }

    #[test]
    fn frames_follow_their_number_and_their_size() {
        let packed = Vertices::Packed([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, -1, -1]].map(pack_vertex).to_vec());
        let words = [1_u32, 1 << 11, 1 << 22, u32::MAX].map(u32::to_le_bytes).concat();
        assert_eq!(encode_mesh_frames(&packed, 2), [vec![2, 0, 8, 0], words].concat());
        let wide = Vertices::Wide(vec![[1, -2, 300]; 3]);
        // A frame that is not whole is none.
        let one = [1, 0, 16, 0, 1, 0, 254, 255, 44, 1, 0, 0, 1, 0, 254, 255, 44, 1, 0, 0];
        assert_eq!(encode_mesh_frames(&wide, 2), one);
        assert_eq!(encode_mesh_frames(&packed, 0), [0, 0, 0, 0]);
    }
}
