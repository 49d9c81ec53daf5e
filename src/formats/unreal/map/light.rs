//! Lights: their colours and how far they reach (formats/unreal.md §9.2).

use super::{actor::Actor, space};
use crate::{
    formats::unreal::properties::PropertyList,
    scene::{MapLight, exact},
};
use glam::{Vec3, Vec3A};

/// How a light spreads, as far as it matters for a still picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Spread {
    #[default]
    All,
    /// As bright on surfaces that turn away.
    NonIncidence,
    /// Upright, without end.
    Cylinder,
    /// Along a direction; the cosine of its half angle.
    Spot { direction: Vec3, cos_outer: f32 },
}

/// A light, in Unreal's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    pub location: Vec3,
    /// Of one; 2 × this is what a texture right beside it is multiplied by.
    pub color: Vec3,
    /// In the file's units.
    pub radius: f32,
    pub spread: Spread,
}

/// Class defaults of Light, for levels that lie without Engine.u.
const BRIGHTNESS: i32 = 64;
const SATURATION: i32 = 255;
const RADIUS: i32 = 64;

impl Light {
    /// The light that an actor gives, by `get` for its own properties and its class's defaults. `None` for one that is out.
    pub fn of(get: &dyn Fn(&str) -> Option<i32>, own: &PropertyList) -> Option<Self> {
        const NO_LIGHT: i32 = 0;
        if get("LightType") == Some(NO_LIGHT) {
            return None;
        }
        let byte = |name: &str, otherwise: i32| get(name).unwrap_or(otherwise).clamp(0, 255) as u8;
        let color =
            color(byte("LightHue", 0), byte("LightSaturation", SATURATION), byte("LightBrightness", BRIGHTNESS));
        if color == Vec3::ZERO {
            return None;
        }
        let location = Vec3::from(own.vector("Location").unwrap_or_default());
        let radius = world_radius(byte("LightRadius", RADIUS));
        let spread = match get("LightEffect").unwrap_or(0) {
            13 => Spread::NonIncidence,
            17 => Spread::Cylinder,
            8 | 12 => Spread::Spot {
                direction: (space::rotation(own.rotator("Rotation").unwrap_or_default()) * Vec3A::X).into(),
                cos_outer: 1.0 - f32::from(byte("LightCone", 128)) / 255.0,
            },
            _ => Spread::All,
        };
        location.is_finite().then_some(Self { location, color, radius, spread })
    }

    /// How much of the light a point of a surface gets that nothing shades: of one.
    pub fn reaching(&self, point: Vec3, normal: Vec3) -> f32 {
        let to_light = self.location - point;
        let distance = match self.spread {
            Spread::Cylinder => to_light.truncate().length(),
            _ => to_light.length(),
        };
        let nearness = 1.0 - distance / self.radius;
        if nearness <= 0.0 {
            return 0.0;
        }
        let falloff = nearness * nearness * (3.0 - 2.0 * nearness);
        let towards = to_light.normalize_or_zero();
        let incidence = towards.dot(normal).max(0.0);
        match self.spread {
            Spread::All => falloff * incidence,
            Spread::NonIncidence => nearness,
            Spread::Cylinder => 1.0 - (distance / self.radius).powi(2),
            Spread::Spot { direction, cos_outer } => {
                let off_axis = (1.0 + direction.dot(towards)) / (1.0 - cos_outer).max(1e-3);
                falloff * incidence * (1.0 - off_axis.min(1.0)).powi(2)
            }
        }
    }
}

/// The light that an actor of the level gives; `actor` is its place among the map's. What is neither a Light nor says what kind of
/// light it gives, gives none: Actor's own default.
pub fn of_actor(number: u32, actor: &Actor) -> Option<MapLight> {
    let is_light = actor.is_a("Light") || actor.class_name().to_ascii_lowercase().ends_with("light");
    if !is_light && actor.int("LightType").is_none() {
        return None;
    }
    actor.location()?;
    let light = Light::of(&|name| actor.int(name), &actor.own)?;
    let spot = match light.spread {
        Spread::Spot { direction, cos_outer } => {
            Some((space::point(direction.to_array()), exact::acos(cos_outer.clamp(-1.0, 1.0))))
        }
        Spread::All | Spread::NonIncidence | Spread::Cylinder => None,
    };
    Some(MapLight { actor: number, color: light.color, radius: light.radius, spot })
}

/// A LightRadius byte in the file's units.
fn world_radius(radius: u8) -> f32 {
    25.0 * (f32::from(radius) + 1.0)
}

/// The engine's hue, saturation and brightness as red, green, blue of one each: the hue runs in three straight ramps from red
/// (0) over green (85) and blue (170) back to red, a saturation of 255 is white, and brightness grows like its square root, up
/// to 0.82.
pub fn color(hue: u8, saturation: u8, brightness: u8) -> Vec3 {
    let ramp = |from: u8, length: f32| (f32::from(hue) - f32::from(from)) / length;
    let pure = match hue {
        0..=85 => Vec3::new(1.0 - ramp(0, 85.0), ramp(0, 85.0), 0.0),
        86..=170 => Vec3::new(0.0, 1.0 - ramp(85, 85.0), ramp(85, 85.0)),
        171.. => Vec3::new(ramp(170, 85.0), 0.0, 1.0 - ramp(170, 85.0)),
    };
    let linear = 1.4 * f32::from(brightness) / 255.0;
    let value = (linear * 0.7 / (0.01 + linear.sqrt())).clamp(0.0, 1.0);
    pure.lerp(Vec3::ONE, f32::from(saturation) / 255.0) * value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Vec3, b: [f32; 3]) -> bool {
        a.distance(Vec3::from(b)) < 2e-3
    }

    #[test]
    fn colours_are_those_worked_out_by_hand() {
        // 1.4 × 0.7 / (0.01 + √1.4) = 0.98 / 1.19322 = 0.8213.
        assert!(close(color(0, 255, 255), [0.8213; 3]));
        // 64: 0.35137 × 0.7 / (0.01 + 0.59277) = 0.40805.
        assert!(close(color(200, 255, 64), [0.408; 3]));
        assert!(close(color(0, 0, 255), [0.8213, 0.0, 0.0]));
        assert!(close(color(85, 0, 255), [0.0, 0.8213, 0.0]));
        assert!(close(color(170, 0, 255), [0.0, 0.0, 0.8213]));
        // Half saturated red, 128 / 255 of the way to white.
        assert!(close(color(0, 128, 255), [0.8213, 0.4123, 0.4123]));
        assert_eq!(color(10, 20, 0), Vec3::ZERO);
    }

    #[test]
    fn light_falls_off_with_distance_and_angle() {
        let light = Light { location: Vec3::new(0.0, 0.0, 50.0), color: Vec3::ONE, radius: 100.0, spread: Spread::All };
        // Half way: 0.5² × (3 − 1) = 0.5, straight from above.
        assert!((light.reaching(Vec3::ZERO, Vec3::Z) - 0.5).abs() < 1e-6);
        // Tilted by 60°: half of it; turned away: none; out of reach: none.
        let tilted = Vec3::new(0.75_f32.sqrt(), 0.0, 0.5);
        assert!((light.reaching(Vec3::ZERO, tilted) - 0.25).abs() < 1e-6);
        assert_eq!(light.reaching(Vec3::ZERO, -Vec3::Z), 0.0);
        assert_eq!(light.reaching(Vec3::new(0.0, 0.0, -60.0), Vec3::Z), 0.0);
        // A spot is full on its axis and dark outside its cone.
        let down = Spread::Spot { direction: -Vec3::Z, cos_outer: 0.9 };
        let spot = Light { spread: down, ..light };
        assert!((spot.reaching(Vec3::ZERO, Vec3::Z) - 0.5).abs() < 1e-6);
        assert_eq!(spot.reaching(Vec3::new(40.0, 0.0, 0.0), Vec3::Z), 0.0);
    }
}
