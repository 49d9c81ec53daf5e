use super::{Attenuation, Light, TevMaterial};
use glam::{Affine3A, Vec3};

/// The lamps that a viewer supplies (formats/j3d-materials.md §8.1b), for one view of one model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightRig {
    /// Centre of what is lit, in view space.
    pub center: Vec3,
    /// Its radius, in the same units; lamps stand 1,000 times as far away.
    pub radius: f32,
    /// From the model to the key lamp, in view space; need not be a unit vector.
    pub to_key: Vec3,
    /// The key lamp burns; off: every supplied lamp is black.
    pub key: bool,
    /// The lamps of the file take their bits' places.
    pub file_lights: bool,
}

impl LightRig {
    /// From the upper left and before the model, as seen.
    pub const TO_KEY: Vec3 = Vec3::new(-0.3, 0.7, 0.65);

    /// The default rig for a model whose bounding sphere is known in scene space.
    pub fn new(view_from_world: &Affine3A, world_center: Vec3, radius: f32) -> Self {
        let center = view_from_world.transform_point3(world_center);
        Self { center, radius, to_key: Self::TO_KEY, key: true, file_lights: false }
    }

    /// The lamps by bit of the light mask, in view space. A lamp that a lit control uses with specular attenuation has the
    /// specular form for every control of the material.
    pub fn lights(&self, material: &TevMaterial) -> [Light; 8] {
        let specular = specular_mask(material);
        let mut lights = [self.lamp([0; 4]); 8];
        for (bit, light) in lights.iter_mut().enumerate() {
            let own = material.lights.get(bit).copied().flatten().filter(|_| self.file_lights);
            let shines = specular.checked_shr(bit as u32).is_some_and(|rest| rest & 1 != 0);
            *light = match own {
                Some(own) => own,
                None if shines => self.highlight(if self.key { [128, 128, 128, 255] } else { [0; 4] }),
                None if bit == 1 || !self.key => self.lamp([0; 4]),
                None => self.lamp([255; 4]),
            };
        }
        lights
    }

    /// Without attenuation.
    fn lamp(&self, color: [u8; 4]) -> Light {
        Light {
            position: (self.center + self.towards() * (1e3 * self.radius)).into(),
            direction: [0.0, 0.0, 1.0],
            color,
            angle_attenuation: [1.0, 0.0, 0.0],
            distance_attenuation: [1.0, 0.0, 0.0],
        }
    }

    /// A highlight of shininess 32 (formats/j3d-materials.md §7.1a).
    fn highlight(&self, color: [u8; 4]) -> Light {
        const SHININESS: f32 = 32.0;
        let towards = self.towards();
        Light {
            position: (towards * (1e6 * self.radius)).into(),
            direction: (Vec3::Z + towards).normalize_or(Vec3::Z).into(),
            color,
            angle_attenuation: [0.0, 0.0, 1.0],
            distance_attenuation: [SHININESS * 0.5, 0.0, 1.0 - SHININESS * 0.5],
        }
    }

    fn towards(&self) -> Vec3 {
        self.to_key.normalize_or(Vec3::Z)
    }
}

/// The lights of lit controls with specular attenuation.
fn specular_mask(material: &TevMaterial) -> u8 {
    let controls = material.channels.iter().take(usize::from(material.channel_count).saturating_mul(2));
    controls
        .filter(|c| c.lit && c.attenuation == Attenuation::Specular)
        .fold(0, |mask, control| mask | control.light_mask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::gx::{ChannelControl, Diffuse};

    fn rig() -> LightRig {
        LightRig {
            center: Vec3::new(1.0, 2.0, -3.0),
            radius: 2.0,
            to_key: Vec3::new(0.0, 3.0, 4.0),
            key: true,
            file_lights: false,
        }
    }

    #[test]
    fn lamps_far_away() {
        let lights = rig().lights(&TevMaterial::default());
        assert_eq!(lights[0].position, [1.0, 1202.0, 1597.0]);
        assert_eq!(lights[0].color, [255; 4]);
        assert_eq!(lights[1].color, [0; 4]);
        assert!(lights[2..].iter().all(|light| *light == lights[0]));
    }

    #[test]
    fn a_highlight_where_a_control_asks() {
        let mut material = TevMaterial { channel_count: 1, ..TevMaterial::default() };
        material.channels[1] = ChannelControl {
            lit: true,
            light_mask: 4,
            attenuation: Attenuation::Specular,
            diffuse: Diffuse::Signed,
            ..ChannelControl::default()
        };
        let lights = rig().lights(&material);
        assert_eq!(lights[0].color, [255; 4]);
        assert_eq!(lights[2].color, [128, 128, 128, 255]);
        assert_eq!(lights[2].distance_attenuation, [16.0, 0.0, -15.0]);
        // (0, 0.6, 0.8) + (0, 0, 1) = (0, 0.6, 1.8), of length 1.897.
        assert!((Vec3::from(lights[2].direction) - Vec3::new(0.0, 0.316_228, 0.948_683)).length() < 1e-5);
        material.channel_count = 0;
        assert_eq!(rig().lights(&material)[2], lights[0]);
    }

    #[test]
    fn the_file_s_own() {
        let own = Light { color: [1, 2, 3, 4], ..rig().lamp([0; 4]) };
        let mut material = TevMaterial::default();
        material.lights[3] = Some(own);
        assert_eq!(rig().lights(&material)[3].color, [255; 4]);
        let lights = LightRig { key: false, file_lights: true, ..rig() }.lights(&material);
        assert_eq!(lights[3], own);
        assert_eq!(lights[0].color, [0; 4]);
    }
}
