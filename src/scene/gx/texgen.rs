//! Texture coordinates at each vertex (formats/j3d-materials.md §8.2a).

use super::{CoordTransform, FirstMatrix, Light, SelectedMatrix, TevMaterial};
use glam::{Affine3A, Vec2, Vec3, Vec4};

/// What a vertex brings to its texture coordinates: attributes as the file has them.
#[derive(Clone, Copy, Debug)]
pub struct TexturedVertex {
    /// In the space that its matrix starts from.
    pub position: Vec3,
    /// Normal, in the space of `position`; `None` if the vertex has none.
    pub normal: Option<Vec3>,
    /// Binormal and tangent.
    pub tangents: Option<[Vec3; 2]>,
    /// Texture coordinates by set; `None` for a missing set.
    pub uvs: [Option<Vec2>; 8],
    /// Texture-matrix slots of its own; 0xFF for the generator's.
    pub slots: [u8; 8],
    /// Its skinned matrix.
    pub view_from_point: Affine3A,
    /// The lit colours of both channels, 0..255.
    pub colors: [[u8; 4]; 2],
}

/// `s`, `t` and `q` of every texture coordinate; what no generator makes is (0, 0, 1). A pixel divides by `q` unless it is 0.
/// `slots` are those of [`CoordTransform::of_slot`].
pub fn texture_coords(
    material: &TevMaterial,
    slots: &[CoordTransform; 10],
    lights: &[Light; 8],
    vertex: &TexturedVertex,
) -> [[f32; 3]; 8] {
    let mut coords = [MISSING; 8];
    for (index, texgen) in material.texgens.iter().take(8).enumerate() {
        let coord = match texgen.kind {
            0 | 1 => {
                let slot = vertex.slots.get(index).copied().unwrap_or(0xFF);
                let source = source(texgen.source, vertex);
                let transform = match SelectedMatrix::of(texgen.matrix, slot) {
                    SelectedMatrix::Identity => CoordTransform::IDENTITY,
                    SelectedMatrix::Position => {
                        CoordTransform { first: FirstMatrix::ModelView, ..CoordTransform::IDENTITY }
                    }
                    SelectedMatrix::Slot(slot) => {
                        slots.get(usize::from(slot)).copied().unwrap_or(CoordTransform::IDENTITY)
                    }
                };
                let [s, t, q] = transformed(&transform, source, &vertex.view_from_point);
                [s, t, if texgen.kind == 1 { 1.0 } else { q }]
            }
            2..=9 => {
                let earlier = usize::from(texgen.source).checked_sub(12).filter(|earlier| *earlier < index);
                let [s, t, q] = earlier.and_then(|i| coords.get(i)).copied().unwrap_or(MISSING);
                let light = lights.get(usize::from(texgen.kind).saturating_sub(2));
                let [along_s, along_t] = light.map_or([0.0; 2], |light| emboss(material, light, vertex));
                [s + along_s, t + along_t, q]
            }
            _ => {
                let [first, second] = vertex.colors;
                let [r, g, _, _] = if texgen.source == 19 { first } else { second };
                [f32::from(r) / 255.0, f32::from(g) / 255.0, 1.0]
            }
        };
        if let Some(out) = coords.get_mut(index) {
            *out = coord;
        }
    }
    coords
}

const MISSING: [f32; 3] = [0.0, 0.0, 1.0];

/// The source of a generator with a matrix.
fn source(code: u8, vertex: &TexturedVertex) -> Vec4 {
    let missing = Vec4::new(0.0, 0.0, 1.0, 1.0);
    match code {
        0 => vertex.position.extend(1.0),
        1 => vertex.normal.unwrap_or(Vec3::ZERO).extend(1.0),
        2 => vertex.tangents.map_or(missing, |[binormal, _]| binormal.extend(1.0)),
        3 => vertex.tangents.map_or(missing, |[_, tangent]| tangent.extend(1.0)),
        4..=11 => {
            let uv = vertex.uvs.get(usize::from(code).saturating_sub(4)).copied().flatten();
            uv.map_or(missing, |uv| Vec4::new(uv.x, uv.y, 1.0, 1.0))
        }
        _ => missing,
    }
}

fn transformed(transform: &CoordTransform, source: Vec4, view_from_point: &Affine3A) -> [f32; 3] {
    let vector = source.truncate();
    let first = match transform.first {
        FirstMatrix::Identity => vector,
        FirstMatrix::Normal => view_from_point.transform_vector3(vector),
        FirstMatrix::ModelView => view_from_point.transform_point3(vector),
    };
    transform.rows.map(|row| Vec4::from(row).dot(first.extend(1.0)))
}

/// How far a lamp moves a bump coordinate.
fn emboss(material: &TevMaterial, light: &Light, vertex: &TexturedVertex) -> [f32; 2] {
    let Some(tangents) = vertex.tangents else { return [0.0; 2] };
    let at = vertex.view_from_point.transform_point3(vertex.position);
    let to_light = (Vec3::from(light.position) - at).normalize_or_zero();
    let scale = material.nbt_scale.map_or(Vec3::ONE, Vec3::from);
    tangents.map(|tangent| to_light.dot(vertex.view_from_point.transform_vector3(scale * tangent)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::gx::TexGen;

    fn vertex() -> TexturedVertex {
        let mut uvs = [None; 8];
        uvs[0] = Some(Vec2::new(0.25, 0.5));
        TexturedVertex {
            position: Vec3::new(1.0, 2.0, 3.0),
            normal: Some(Vec3::X),
            tangents: Some([Vec3::Y, Vec3::Z]),
            uvs,
            slots: [0xFF; 8],
            // (x, y, z) becomes (−y, x, z) and moves by 10, 20, 30.
            view_from_point: Affine3A::from_rotation_translation(
                glam::Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
                Vec3::new(10.0, 20.0, 30.0),
            ),
            colors: [[51, 102, 0, 0], [255, 0, 0, 0]],
        }
    }

    fn lights() -> [Light; 8] {
        let dark = Light {
            position: [0.0; 3],
            direction: [0.0, 0.0, 1.0],
            color: [0; 4],
            angle_attenuation: [1.0, 0.0, 0.0],
            distance_attenuation: [1.0, 0.0, 0.0],
        };
        let mut lights = [dark; 8];
        // From the vertex at (8, 21, 33) in view space: (0, 3, 4), of length 5.
        lights[7].position = [8.0, 24.0, 37.0];
        lights
    }

    fn coords(texgens: &[(u8, u8, u8)], slots: &[CoordTransform; 10], vertex: &TexturedVertex) -> [[f32; 3]; 8] {
        let texgens = texgens.iter().map(|&(kind, source, matrix)| TexGen { kind, source, matrix }).collect();
        let material = TevMaterial { texgens, nbt_scale: Some([1.0, 2.0, 1.0]), ..TevMaterial::default() };
        let coords = texture_coords(&material, slots, &lights(), vertex);
        coords.map(|coord| coord.map(|v| (v * 1e4).round() / 1e4 + 0.0))
    }

    #[test]
    fn sources_as_they_are() {
        let plain = [CoordTransform::IDENTITY; 10];
        let of = |source| coords(&[(0, source, 60)], &plain, &vertex())[0];
        assert_eq!(of(0), [1.0, 2.0, 3.0]);
        assert_eq!(of(1), [1.0, 0.0, 0.0]);
        assert_eq!(of(2), [0.0, 1.0, 0.0]);
        assert_eq!(of(3), [0.0, 0.0, 1.0]);
        assert_eq!(of(4), [0.25, 0.5, 1.0]);
        for missing in [5, 11, 12, 20, 255] {
            assert_eq!(of(missing), [0.0, 0.0, 1.0]);
        }
        let bare = TexturedVertex { normal: None, tangents: None, uvs: [None; 8], ..vertex() };
        assert_eq!(coords(&[(0, 1, 60), (0, 2, 60), (1, 4, 60)], &plain, &bare)[..3], [[0.0; 3], MISSING, MISSING]);
        // Two rows: q is 1.
        assert_eq!(coords(&[(1, 0, 60)], &plain, &vertex())[0], [1.0, 2.0, 1.0]);
        assert_eq!(coords(&[(0, 0, 3)], &plain, &vertex())[0], [8.0, 21.0, 33.0]);
    }

    #[test]
    fn matrices_in_two_steps() {
        let rows = [[1.0, 0.0, 0.0, 0.5], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]];
        let mut slots = [CoordTransform::IDENTITY; 10];
        slots[1] = CoordTransform { first: FirstMatrix::Normal, rows };
        slots[2] = CoordTransform { first: FirstMatrix::ModelView, rows };
        slots[3] = CoordTransform { first: FirstMatrix::Identity, rows };
        let mut vertex = vertex();
        vertex.slots[3] = 2;
        let coords = coords(&[(0, 1, 33), (0, 0, 36), (1, 4, 39), (0, 0, 39)], &slots, &vertex);
        assert_eq!(coords[0], [0.5, 2.0, 1.0]);
        assert_eq!(coords[1], [8.5, 42.0, 34.0]);
        assert_eq!(coords[2], [0.75, 1.0, 1.0]);
        // The vertex's own slot.
        assert_eq!(coords[3], coords[1]);
        assert_eq!(coords[4..], [MISSING; 4]);
    }

    #[test]
    fn colours_and_bumps() {
        let plain = [CoordTransform::IDENTITY; 10];
        let texgens = [(1, 4, 60), (10, 19, 60), (10, 20, 60), (9, 12, 60), (9, 16, 60)];
        let of = coords(&texgens, &plain, &vertex());
        assert_eq!(of[1], [0.2, 0.4, 1.0]);
        assert_eq!(of[2], [1.0, 0.0, 1.0]);
        // L = (0, 0.6, 0.8); the binormal 2·Y turns to (−2, 0, 0), the tangent stays Z.
        assert_eq!(of[3], [0.25, 1.3, 1.0]);
        // A coordinate that is not there yet.
        assert_eq!(of[4], [0.0, 0.8, 1.0]);
        let bare = TexturedVertex { tangents: None, ..vertex() };
        assert_eq!(coords(&texgens, &plain, &bare)[3], [0.25, 0.5, 1.0]);
    }
}
