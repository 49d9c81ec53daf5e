//! Sprites of actors: their own pictures, or a small marker where the picture is not there (formats/unreal.md §9.4).

use super::{actor::Actor, light, space};
use crate::scene::{BasicMaterial, Blend, Image, Material, MaterialKind, Mesh, Model, Surface, exact};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// Pixels of a marker along a side, which is also its size in the level.
const MARKER: u32 = 32;

/// What a marker stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Marker {
    /// In the light's own colour.
    Light([u8; 3]),
    Start,
    Sound,
    Other,
}

/// Which marker an actor gets.
pub fn marker(actor: &Actor) -> Marker {
    let class = actor.class_name().to_ascii_lowercase();
    if actor.is_a("Light") || class.ends_with("light") {
        let byte = |name: &str, otherwise: i32| actor.int(name).unwrap_or(otherwise).clamp(0, 255) as u8;
        // Bright, whatever the light's own brightness: the marker must be seen.
        let color = light::color(byte("LightHue", 0), byte("LightSaturation", 255), 255);
        let color = color / color.max_element().max(1e-3);
        return Marker::Light(color.to_array().map(|c| (c * 255.0).round() as u8));
    }
    if actor.is_a("PlayerStart") || class.ends_with("start") {
        return Marker::Start;
    }
    if class.ends_with("sound") || actor.object("AmbientSound").is_some() {
        return Marker::Sound;
    }
    Marker::Other
}

impl Marker {
    /// Draws it: a sun for a light, an arrowhead upwards for a start, rings for a sound, a diamond for anything else.
    pub fn image(self) -> Image {
        let (name, color) = match self {
            Self::Light(color) => ("light", color),
            Self::Start => ("start", [120, 220, 120]),
            Self::Sound => ("sound", [110, 170, 255]),
            Self::Other => ("actor", [200, 200, 205]),
        };
        let half = MARKER as f32 / 2.0;
        let mut rgba = Vec::with_capacity((MARKER as usize).saturating_mul(MARKER as usize).saturating_mul(4));
        for y in 0..MARKER {
            for x in 0..MARKER {
                // From −1 to 1, upwards.
                let place = Vec2::new((x as f32 + 0.5) / half - 1.0, 1.0 - (y as f32 + 0.5) / half);
                let (inside, rim) = self.covers(place);
                let shade = if rim { 0.35 } else { 1.0 };
                let [r, g, b] = color.map(|c| (f32::from(c) * shade) as u8);
                rgba.extend([r, g, b, if inside { 255 } else { 0 }]);
            }
        }
        Image {
            name: format!("marker: {name}"),
            width: MARKER,
            height: MARKER,
            rgba: rgba.into(),
            stored_as: "placeholder image".to_owned(),
        }
    }

    /// Whether a place belongs to the shape, and to its dark rim.
    fn covers(self, place: Vec2) -> (bool, bool) {
        let distance = place.length();
        match self {
            Self::Light(_) => {
                let ray = exact::cos(exact::atan2(place.y, place.x) * 4.0);
                let edge = 0.62 + 0.28 * ray.max(0.0);
                (distance < edge, distance > edge - 0.13)
            }
            Self::Start => {
                let edge = (0.85 - place.y) * 0.5;
                let inside = place.y > -0.8 && place.x.abs() < edge;
                (inside, place.x.abs() > edge - 0.14 || place.y < -0.66)
            }
            Self::Sound => {
                let ring = (distance * 3.2).fract();
                (distance < 0.92 && (ring < 0.62 || distance < 0.25), ring > 0.5 && distance >= 0.25)
            }
            Self::Other => {
                let edge = place.x.abs() + place.y.abs();
                (edge < 0.8, edge > 0.62)
            }
        }
    }
}

/// A square around the origin, facing +Z, that shows a picture.
pub fn square(image: Arc<Image>, size: Vec2, blend: Blend) -> Model {
    let name = image.name.clone();
    let mut model = Model::empty(name.clone());
    model.file_from_scene = space::file_from_scene();
    let half = size * 0.5;
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let mesh = Mesh {
        name: name.clone(),
        points: corners.iter().map(|(x, y)| Vec3::new(x * half.x, y * half.y, 0.0)).collect(),
        vertex_points: vec![0, 1, 2, 3],
        normals: vec![Vec3::Z; 4],
        uv_sets: vec![corners.iter().map(|(x, y)| Vec2::new((x + 1.0) * 0.5, (1.0 - y) * 0.5)).collect()],
        indices: vec![0, 1, 2, 0, 2, 3],
        surfaces: vec![Surface { first_index: 0, index_count: 6, material: 0 }],
        ..Mesh::default()
    };
    let basic = BasicMaterial { image: Some(0), blend, unlit: true, two_sided: true, ..BasicMaterial::default() };
    model.materials.push(Material { name, kind: MaterialKind::Basic(basic) });
    model.images.push(image);
    model.meshes.push(mesh);
    model
}

/// Pixels of a marker, which are the file's units too.
pub fn marker_size() -> Vec2 {
    Vec2::splat(MARKER as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marker_is_seen_and_leaves_room_around_it() {
        for marker in [Marker::Light([255, 200, 0]), Marker::Start, Marker::Sound, Marker::Other] {
            let image = marker.image();
            let opaque = image.rgba.chunks_exact(4).filter(|p| p[3] == 255).count();
            assert!((200..800).contains(&opaque), "{marker:?}: {opaque}");
            assert_eq!(image.rgba[3], 0, "{marker:?}");
        }
    }

    #[test]
    fn a_sprite_faces_z_with_its_top_up() {
        let model = square(Arc::new(Marker::Other.image()), Vec2::new(4.0, 2.0), Blend::Masked);
        let mesh = &model.meshes[0];
        let [a, b, c] = [0, 1, 2].map(|i| mesh.position(mesh.indices[i] as usize));
        assert!((b - a).cross(c - a).z > 0.0);
        let top = mesh.points.iter().position(|p| *p == Vec3::new(-2.0, 1.0, 0.0)).unwrap();
        assert_eq!(mesh.uv_sets[0][top], Vec2::new(0.0, 0.0));
    }
}
