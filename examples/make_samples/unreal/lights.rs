//! The lamps of the room map, and the bitmaps of their lit areas.

use bonebox::formats::unreal::encode::{LightMap, Properties};
use glam::Vec3;

use super::blocks::{Face, Surface, UNLIT, across, sees};

/// Units between two places where light is looked for.
const GRAIN: f32 = 16.0;

/// A lamp as its actor says it.
pub struct Lamp {
    pub at: Vec3,
    pub hue: u8,
    /// 255 is white.
    pub saturation: u8,
    pub brightness: u8,
    pub radius: u8,
    /// How it changes with time: 1 steady, 4 flickers.
    pub kind: u8,
}

pub const LAMPS: [Lamp; 6] = [
    Lamp { at: Vec3::new(-64.0, 0.0, 232.0), hue: 28, saturation: 150, brightness: 210, radius: 28, kind: 1 },
    Lamp { at: Vec3::new(-380.0, -230.0, 180.0), hue: 20, saturation: 120, brightness: 150, radius: 20, kind: 1 },
    Lamp { at: Vec3::new(180.0, 230.0, 200.0), hue: 150, saturation: 160, brightness: 120, radius: 18, kind: 1 },
    Lamp { at: Vec3::new(-64.0, 240.0, 24.0), hue: 120, saturation: 110, brightness: 140, radius: 7, kind: 1 },
    Lamp { at: Vec3::new(736.0, 0.0, 56.0), hue: 14, saturation: 70, brightness: 255, radius: 21, kind: 4 },
    Lamp { at: Vec3::new(440.0, 0.0, 190.0), hue: 22, saturation: 130, brightness: 120, radius: 14, kind: 1 },
];

impl Lamp {
    pub fn properties(&self) -> Properties {
        Properties::new()
            .byte("LightType", self.kind)
            .byte("LightBrightness", self.brightness)
            .byte("LightHue", self.hue)
            .byte("LightSaturation", self.saturation)
            .byte("LightRadius", self.radius)
    }

    fn reach(&self) -> f32 {
        25.0 * (f32::from(self.radius) + 1.0)
    }
}

/// The light of a level: a map for each surface that is lit, their bits, and lists of lamps (by number; `None` ends a list).
#[derive(Default)]
pub struct Light {
    pub maps: Vec<LightMap>,
    pub bits: Vec<u8>,
    pub lists: Vec<Option<usize>>,
    /// The map of each surface.
    pub of_surface: Vec<Option<usize>>,
}

/// Where a surface's texture begins: the corner of all its faces that lies farthest left and up, and its size.
pub fn extent(surface: usize, surfaces: &[Surface], faces: &[Face]) -> (Vec3, f32, f32) {
    let [right, down] = across(surfaces[surface].axis, surfaces[surface].positive);
    let own = || faces.iter().filter(|face| face.surface == surface).flat_map(|face| [face.low, face.high]);
    let least = |along: Vec3| own().map(|at| at.dot(along)).fold(f32::MAX, f32::min);
    let most = |along: Vec3| own().map(|at| at.dot(along)).fold(f32::MIN, f32::max);
    let (axis, first) = (surfaces[surface].axis, own().next().unwrap_or_default());
    let mut corner = right * least(right) + down * least(down);
    corner[axis] = first[axis];
    // Adding zero turns −0 into 0.
    (corner + Vec3::ZERO, most(right) - least(right), most(down) - least(down))
}

pub fn light(surfaces: &[Surface], faces: &[Face], lamps: &[Lamp]) -> Light {
    let mut light = Light::default();
    for (index, surface) in surfaces.iter().enumerate() {
        if surface.block.is_none() || surface.skin.flags & UNLIT != 0 {
            light.of_surface.push(None);
            continue;
        }
        let (corner, width, height) = extent(index, surfaces, faces);
        let [right, down] = across(surface.axis, surface.positive);
        let normal = right.cross(down);
        let counts = [width, height].map(|size| (size / GRAIN).ceil() as usize + 1);
        let pitch = counts[0].div_ceil(8);
        let first_list = light.lists.len();
        let data_offset = light.bits.len();
        for (number, lamp) in lamps.iter().enumerate() {
            let mut bits = vec![0u8; pitch * counts[1]];
            let mut any = false;
            for row in 0..counts[1] {
                for column in 0..counts[0] {
                    // Just off the wall, and off its neighbours.
                    let inside = |step: usize, size: f32| (step as f32 * GRAIN).clamp(0.5, size - 0.5);
                    let at = corner + right * inside(column, width) + down * inside(row, height) + normal * 0.5;
                    let near = at.distance(lamp.at) < lamp.reach() && (lamp.at - at).dot(normal) > 0.0;
                    if near && sees(faces, surfaces, at, lamp.at) {
                        bits[row * pitch + column / 8] |= 1 << (column % 8);
                        any = true;
                    }
                }
            }
            if any {
                light.bits.extend(bits);
                light.lists.push(Some(number));
            }
        }
        light.lists.push(None);
        light.of_surface.push(Some(light.maps.len()));
        light.maps.push(LightMap {
            data_offset: data_offset as i32,
            pan: [0.0; 3],
            clamp: counts.map(|count| count as i32),
            scale: surface.skin.scale.map(|scale| scale * GRAIN),
            light_actors: first_list as i32,
        });
    }
    light
}
