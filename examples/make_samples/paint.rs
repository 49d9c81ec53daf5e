//! Painting textures: a canvas, noise, and the walk over a mesh's texture space.

use std::io::Cursor;

use glam::{Vec2, Vec3};
use image::ImageEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use super::mesh::{Mesh, smoothstep};

/// A colour, each channel 0 to 1, in the space in which it is stored.
pub type Color = Vec3;

/// The colour that is written `#rrggbb`.
pub fn hex(rgb: u32) -> Color {
    let channel = |shift: u32| ((rgb >> shift) & 255) as f32 / 255.0;
    Vec3::new(channel(16), channel(8), channel(0))
}

pub fn mix(a: Color, b: Color, t: f32) -> Color {
    a.lerp(b, t.clamp(0.0, 1.0))
}

/// An opaque picture.
pub struct Canvas {
    pub width: usize,
    pub height: usize,
    pixels: Vec<Option<Color>>,
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![None; width * height] }
    }

    pub fn fill(&mut self, mut color: impl FnMut(Vec2) -> Color) {
        for y in 0..self.height {
            for x in 0..self.width {
                let at = Vec2::new((x as f32 + 0.5) / self.width as f32, (y as f32 + 0.5) / self.height as f32);
                self.pixels[y * self.width + x] = Some(color(at));
            }
        }
    }

    /// Grows the painted parts by one pixel, so that filtering at their borders finds paint.
    pub fn bleed(&mut self) {
        let before = self.pixels.clone();
        for y in 0..self.height {
            for x in 0..self.width {
                if before[y * self.width + x].is_some() {
                    continue;
                }
                let (mut sum, mut count) = (Vec3::ZERO, 0.0);
                for ny in y.saturating_sub(1)..(y + 2).min(self.height) {
                    for nx in x.saturating_sub(1)..(x + 2).min(self.width) {
                        if let Some(color) = before[ny * self.width + nx] {
                            sum += color;
                            count += 1.0;
                        }
                    }
                }
                if count > 0.0 {
                    self.pixels[y * self.width + x] = Some(sum / count);
                }
            }
        }
    }

    /// The colour at `uv`, blended between pixels; unpainted ones do not count.
    pub fn sample(&self, uv: Vec2) -> Color {
        let at = uv * Vec2::new(self.width as f32, self.height as f32) - 0.5;
        let cell = at.floor();
        let (mut sum, mut total) = (Vec3::ZERO, 0.0);
        for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let pixel = cell + Vec2::new(dx, dy);
            let weight = (1.0 - (at.x - pixel.x).abs()) * (1.0 - (at.y - pixel.y).abs());
            let inside = pixel.clamp(Vec2::ZERO, Vec2::new(self.width as f32 - 1.0, self.height as f32 - 1.0));
            if let Some(color) = self.pixels[inside.y as usize * self.width + inside.x as usize] {
                sum += color * weight;
                total += weight;
            }
        }
        if total > 0.0 { sum / total } else { Vec3::ONE }
    }

    /// The picture as a PNG file; what is unpainted becomes `ground`.
    pub fn png(&self, ground: Color) -> Vec<u8> {
        let bytes: Vec<u8> = self
            .pixels
            .iter()
            .flat_map(|pixel| pixel.unwrap_or(ground).to_array())
            .map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8)
            .collect();
        let mut file = Cursor::new(Vec::new());
        PngEncoder::new_with_quality(&mut file, CompressionType::Best, FilterType::Adaptive)
            .write_image(&bytes, self.width as u32, self.height as u32, image::ExtendedColorType::Rgb8)
            .expect("the picture has as many bytes as its size says");
        file.into_inner()
    }
}

/// What lies under the brush.
pub struct Spot<P> {
    pub part: P,
    /// In the model's space, at rest.
    pub position: Vec3,
    pub normal: Vec3,
    /// In the texture, 0 to 1.
    pub uv: Vec2,
    /// Within the sheet: u to the right, v up, 0 to 1.
    pub local: Vec2,
}

/// Paints the sheets of `materials` that are to be painted: `brush` says the colour of each pixel, if it has one.
pub fn paint<P: Copy>(
    canvas: &mut Canvas,
    mesh: &Mesh<P>,
    materials: &[u8],
    mut brush: impl FnMut(&Spot<P>) -> Option<Color>,
) {
    let size = Vec2::new(canvas.width as f32, canvas.height as f32);
    let normals = mesh.corner_normals();
    for (triangle, normals) in mesh.triangles.iter().zip(&normals) {
        if !triangle.painted || !materials.contains(&triangle.material) {
            continue;
        }
        let corners = triangle.corners.map(|corner| mesh.corners[corner]);
        let [a, b, c] = corners.map(|corner| corner.uv * size);
        let area = (b - a).perp_dot(c - a);
        if area.abs() < 1e-6 {
            continue;
        }
        let (low, high) = (a.min(b).min(c).floor().max(Vec2::ZERO), a.max(b).max(c).ceil().min(size));
        for y in low.y as usize..high.y as usize {
            for x in low.x as usize..high.x as usize {
                let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let share = Vec3::new(
                    (b - at).perp_dot(c - at) / area,
                    (c - at).perp_dot(a - at) / area,
                    (a - at).perp_dot(b - at) / area,
                );
                if share.min_element() < -1e-4 {
                    continue;
                }
                let points = corners.map(|corner| corner.point);
                let blend = |values: [Vec3; 3]| values[0] * share.x + values[1] * share.y + values[2] * share.z;
                let local = corners[0].local * share.x + corners[1].local * share.y + corners[2].local * share.z;
                let spot = Spot {
                    part: triangle.part,
                    position: blend(points.map(|point| mesh.points[point].vertex.position)),
                    normal: blend(*normals).normalize_or(Vec3::Z),
                    uv: at / size,
                    local,
                };
                canvas.pixels[y * canvas.width + x] = brush(&spot);
            }
        }
    }
}

fn hash(x: i32, y: i32, z: i32) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x8da6_b343)
        ^ (y as u32).wrapping_mul(0xd816_3841)
        ^ (z as u32).wrapping_mul(0xcb1a_b31f);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    (h ^ (h >> 15)) as f32 / u32::MAX as f32
}

/// Smooth noise in space, 0 to 1, about one feature a unit.
pub fn noise(at: Vec3) -> f32 {
    let cell = at.floor();
    let t = at - cell;
    let t = t * t * (Vec3::splat(3.0) - 2.0 * t);
    let [x, y, z] = cell.to_array().map(|axis| axis as i32);
    let lerp = |a: f32, b: f32, t: f32| a + (b - a) * t;
    let edge = |y: i32, z: i32| lerp(hash(x, y, z), hash(x + 1, y, z), t.x);
    let face = |z: i32| lerp(edge(y, z), edge(y + 1, z), t.y);
    lerp(face(z), face(z + 1), t.z)
}

/// 1 inside a disc, 0 outside, with an edge of `soft`.
pub fn disc(at: Vec2, center: Vec2, radius: f32, soft: f32) -> f32 {
    smoothstep(radius + soft * 0.5, radius - soft * 0.5, at.distance(center))
}

/// 1 near the segment from `a` to `b`, 0 away from it.
pub fn stroke(at: Vec2, a: Vec2, b: Vec2, width: f32, soft: f32) -> f32 {
    let t = ((at - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    disc(at, a.lerp(b, t), width * 0.5, soft)
}
