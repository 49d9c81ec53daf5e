//! Models as their editor stores them (formats/visitor.md §2.4).

use super::{bytes::Bytes, project::Dialect};
use std::collections::BTreeMap;

/// A level of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelLevel {
    /// Faces; corners with equal coordinates become one point.
    pub faces: Vec<ModelFace>,
    /// Below 1,000 for what is looked at, the finest the least; 1e13 for what is run into.
    pub resolution: f32,
}

/// A flat face.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelFace {
    /// East, up and north in metres, three or four, counter-clockwise seen from outside.
    pub corners: Vec<[f32; 3]>,
    /// Path of a picture, or a colour in words.
    pub texture: String,
}

/// The file.
pub fn encode_p3d(levels: &[ModelLevel]) -> Vec<u8> {
    let dialect = Dialect::default();
    let mut out = Bytes::new(&dialect, 4096);
    out.bytes(b"MLOD");
    out.u32(0x101);
    out.count(levels.len());
    levels.iter().for_each(|level| write_level(&mut out, level));
    out.bytes
}

fn write_level(out: &mut Bytes<'_>, level: &ModelLevel) {
    // Corners at one place are one point.
    let mut numbers: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let mut points = Vec::new();
    for corner in level.faces.iter().flat_map(|face| &face.corners) {
        numbers.entry(corner.map(f32::to_bits)).or_insert_with(|| {
            points.push(*corner);
            u32::try_from(points.len()).unwrap_or(u32::MAX).saturating_sub(1)
        });
    }
    out.bytes(b"P3DM");
    out.u32(28);
    out.u32(0x100);
    out.count(points.len());
    out.count(level.faces.len());
    out.count(level.faces.len());
    out.u32(0);
    for point in &points {
        out.f32s(point);
        out.u32(0);
    }
    // Stored ones point inwards.
    level.faces.iter().for_each(|face| out.f32s(&facing(&face.corners).map(|v| -v)));
    for (normal, face) in (0_u32..).zip(&level.faces) {
        out.u32(if face.corners.len() > 3 { 4 } else { 3 });
        for corner in 0..4 {
            let place = face.corners.get(corner).and_then(|corner| numbers.get(&corner.map(f32::to_bits)));
            out.u32(place.copied().unwrap_or(0));
            out.u32(normal);
            out.f32s(&[0.0, 0.0]);
        }
        out.u32(0);
        out.bytes(face.texture.as_bytes());
        out.bytes(&[0, 0]);
    }
    out.bytes(b"TAGG\x01#EndOfFile#\0");
    out.u32(0);
    out.f32(level.resolution);
}

/// The way out of a face: east, up and north are left-handed.
fn facing(corners: &[[f32; 3]]) -> [f32; 3] {
    let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|i| corners.get(i).copied().map(glam::Vec3::from)) else {
        return [0.0, 1.0, 0.0];
    };
    (c - a).cross(b - a).normalize_or(glam::Vec3::Y).to_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_is_written_with_its_points_and_the_way_in() {
        // On the ground, counter-clockwise from above.
        let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]];
        let face = ModelFace { corners, texture: "a".to_owned() };
        let level = ModelLevel { faces: vec![face.clone(), face], resolution: 2.0 };
        let bytes = encode_p3d(&[level]);
        let number = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
        assert_eq!(
            (&bytes[..4], number(4), number(8), &bytes[12..16]),
            (b"MLOD".as_slice(), 0x101, 1, b"P3DM".as_slice())
        );
        assert_eq!((number(16), number(20), number(24), number(28), number(32)), (28, 0x100, 4, 2, 2));
        let normal = |at: usize| f32::from_bits(number(at));
        assert_eq!([104, 108, 112].map(normal), [-0.0, -1.0, 0.0]);
        // Two faces of 4 + 4 × 16 + 4 + 3 bytes, the tag that ends the list, and the resolution.
        assert_eq!(bytes.len(), 104 + 24 + 2 * 75 + 4 + 1 + 12 + 4 + 4);
        assert_eq!(normal(bytes.len() - 4), 2.0);
    }
}
