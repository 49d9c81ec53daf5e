//! Lights and colour channels: the colours that the rasteriser passes to the combiners, at each vertex
//! (formats/j3d-materials.md §8.1a).

use super::{Attenuation, ChannelControl, Diffuse, Light, TevMaterial};
use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use std::num::Wrapping;

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

/// What a vertex brings to its colour channels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LitVertex {
    /// In view space.
    pub position: Vec3,
    /// In view space, of unit length; zero for none.
    pub normal: Vec3,
    /// Its own colours, as far as it has them.
    pub colors: [Option<[u8; 4]>; 2],
}

/// The normal that lamps shine on, in view space: of unit length, zero for none. `has_tangents`: the shape has binormals and
/// tangents, so that the material's scale counts (formats/j3d-materials.md §7.1b).
pub fn lit_normal(
    material: &TevMaterial,
    normal: Option<Vec3>,
    has_tangents: bool,
    view_from_point: &Affine3A,
) -> Vec3 {
    let scale = material.nbt_scale.filter(|_| has_tangents).map_or(Vec3::ONE, Vec3::from);
    let Some(normal) = normal else { return Vec3::ZERO };
    let Mat3A { x_axis: x, y_axis: y, z_axis: z } = view_from_point.matrix3;
    // The inverse transpose up to its size, which is lost anyway; a mirror keeps the side.
    let side = if x.dot(y.cross(z)) < 0.0 { -1.0 } else { 1.0 };
    let turned = Mat3A::from_cols(y.cross(z), z.cross(x), x.cross(y)) * Vec3A::from(normal * scale) * side;
    Vec3::from(turned).normalize_or_zero()
}

/// The outputs of both channels, 0..255. `material_colors` are [`super::Constants::material_colors`]; with `lighting` off controls
/// are [`ChannelControl::without_lamps`].
pub fn channel_colors(
    material: &TevMaterial,
    material_colors: &[[i32; 4]; 2],
    lights: &[Light; 8],
    lighting: bool,
    vertex: &LitVertex,
) -> [[u8; 4]; 2] {
    let [own0, own1] = vertex.colors;
    let [control0, alpha0, control1, alpha1] =
        material.channels.map(|control| if lighting { control } else { control.without_lamps() });
    let [material0, material1] = *material_colors;
    let [ambient0, ambient1] = material.ambient_colors.map(|color| color.map(i32::from));
    let of_vertex = |color: Option<[u8; 4]>| color.unwrap_or([255; 4]).map(i32::from);
    let first = match material.channel_count {
        0 => own0.unwrap_or([255; 4]),
        _ => channel([&control0, &alpha0], material0, ambient0, of_vertex(own0), lights, vertex),
    };
    let second = match material.channel_count {
        0 | 1 => own1.unwrap_or(first),
        _ => channel([&control1, &alpha1], material1, ambient1, of_vertex(own1.or(own0)), lights, vertex),
    };
    [first, second]
}

fn channel(
    [color, alpha]: [&ChannelControl; 2],
    material: [i32; 4],
    ambient: [i32; 4],
    own: [i32; 4],
    lights: &[Light; 8],
    vertex: &LitVertex,
) -> [u8; 4] {
    let [r, g, b, _] = lit(color, material, ambient, own, lights, vertex);
    let [_, _, _, a] = lit(alpha, material, ambient, own, lights, vertex);
    [r, g, b, a]
}

/// What one control makes of all four components.
fn lit(
    control: &ChannelControl,
    material: [i32; 4],
    ambient: [i32; 4],
    own: [i32; 4],
    lights: &[Light; 8],
    vertex: &LitVertex,
) -> [u8; 4] {
    let material = if control.material_from_vertex { own } else { material };
    let mut sum = if control.ambient_from_vertex { own } else { ambient }.map(Wrapping);
    if control.lit {
        for (bit, light) in lights.iter().enumerate() {
            if control.light_mask.checked_shr(bit as u32).is_some_and(|rest| rest & 1 != 0) {
                let strength = strength(control, light, vertex);
                for (sum, color) in sum.iter_mut().zip(light.color) {
                    *sum += Wrapping((strength * f32::from(color) + 0.5).floor() as i32);
                }
            }
        }
    } else {
        sum = [Wrapping(255); 4];
    }
    let mut out = [0; 4];
    for ((out, material), sum) in out.iter_mut().zip(material).zip(sum) {
        let light = Wrapping(sum.0.clamp(0, 255));
        *out = ((Wrapping(material) * (light + (light >> 7))) >> 8).0.clamp(0, 255) as u8;
    }
    out
}

/// Diffuse times attenuation of one lamp.
fn strength(control: &ChannelControl, light: &Light, vertex: &LitVertex) -> f32 {
    let (normal, direction) = (vertex.normal, Vec3::from(light.direction));
    let to_light = Vec3::from(light.position) - vertex.position;
    let distance = to_light.length();
    let unlit = if control.attenuation == Attenuation::None { normal } else { Vec3::ZERO };
    let to_light = if distance > 0.0 { to_light / distance } else { unlit };
    let facing = normal.dot(to_light);
    let attenuated = |angle: f32, along: f32| {
        let below = polynomial(light.distance_attenuation, along);
        if below == 0.0 { 0.0 } else { polynomial(light.angle_attenuation, angle).max(0.0) / below }
    };
    let attenuation = match control.attenuation {
        Attenuation::None => 1.0,
        Attenuation::Specular => {
            let angle = if facing >= 0.0 { normal.dot(direction).max(0.0) } else { 0.0 };
            attenuated(angle, angle)
        }
        Attenuation::Spot | Attenuation::SpotAgain | Attenuation::Unknown(_) => {
            attenuated(to_light.dot(direction).max(0.0), distance)
        }
    };
    let diffuse = match control.diffuse {
        _ if control.attenuation == Attenuation::Specular => 1.0,
        Diffuse::Signed => facing,
        Diffuse::Clamped => facing.max(0.0),
        Diffuse::None | Diffuse::Unknown(_) => 1.0,
    };
    attenuation * diffuse
}

fn polynomial([a0, a1, a2]: [f32; 3], x: f32) -> f32 {
    a0 + a1 * x + a2 * x * x
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

    const MATERIAL: [[i32; 4]; 2] = [[200, 100, 50, 128], [10, 20, 30, 40]];

    fn lamp() -> Light {
        // Four units before the origin, which is what is lit.
        Light {
            position: [0.0, 0.0, 4.0],
            direction: [0.0, 0.0, 1.0],
            color: [255, 128, 0, 64],
            angle_attenuation: [1.0, 0.0, 0.0],
            distance_attenuation: [1.0, 0.0, 0.0],
        }
    }

    fn vertex() -> LitVertex {
        LitVertex { position: Vec3::ZERO, normal: Vec3::new(0.0, 0.8, 0.6), colors: [None; 2] }
    }

    fn first(control: ChannelControl, light: Light, vertex: LitVertex) -> [u8; 4] {
        let material = TevMaterial { channel_count: 1, channels: [control; 4], ..TevMaterial::default() };
        let mut lights = [lamp(); 8];
        lights[2] = light;
        channel_colors(&material, &MATERIAL, &lights, true, &vertex)[0]
    }

    fn control() -> ChannelControl {
        ChannelControl {
            lit: true,
            light_mask: 4,
            diffuse: Diffuse::Clamped,
            attenuation: Attenuation::None,
            ..ChannelControl::default()
        }
    }

    #[test]
    fn normals_are_scaled_beside_binormals_alone() {
        let material = TevMaterial { nbt_scale: Some([3.0, 1.0, 4.0]), ..TevMaterial::default() };
        let of = |normal, tangents, matrix: &Affine3A| {
            let Vec3 { x, y, z } = lit_normal(&material, normal, tangents, matrix);
            [x, y, z].map(|v| (v * 1e4).round() / 1e4)
        };
        let still = Affine3A::IDENTITY;
        assert_eq!(of(Some(Vec3::new(2.0, 0.0, 0.0)), false, &still), [1.0, 0.0, 0.0]);
        assert_eq!(of(Some(Vec3::new(1.0, 0.0, 1.0)), true, &still), [0.6, 0.0, 0.8]);
        assert_eq!(of(None, true, &still), [0.0; 3]);
        // What is stretched along X faces X less: (1/4, 0, 1/3).
        let stretched = Affine3A::from_scale(Vec3::new(4.0, 1.0, 3.0));
        assert_eq!(of(Some(Vec3::new(1.0, 0.0, 1.0)), false, &stretched), [0.6, 0.0, 0.8]);
        let mirrored = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        assert_eq!(of(Some(Vec3::Z), false, &mirrored), [0.0, 0.0, 1.0]);
        assert_eq!(of(Some(Vec3::X), false, &mirrored), [-1.0, 0.0, 0.0]);
    }

    #[test]
    fn unlit_is_the_material() {
        assert_eq!(first(ChannelControl::default(), lamp(), vertex()), [200, 100, 50, 128]);
        let own = ChannelControl { material_from_vertex: true, ..ChannelControl::default() };
        assert_eq!(first(own, lamp(), vertex()), [255; 4]);
        let colored = LitVertex { colors: [Some([1, 2, 3, 4]), None], ..vertex() };
        assert_eq!(first(own, lamp(), colored), [1, 2, 3, 4]);
    }

    #[test]
    fn diffuse_forms() {
        // 50 ambient + round(0.6 · 255 = 153), round(76.8) = 77, 0, round(38.4) = 38: 203, 127, 50, 88.
        // (200·(203+1))>>8 = 159, (100·127)>>8 = 49, (50·50)>>8 = 9, (128·88)>>8 = 44.
        assert_eq!(first(control(), lamp(), vertex()), [159, 49, 9, 44]);
        let away = LitVertex { normal: Vec3::new(0.0, 0.8, -0.6), ..vertex() };
        // Clamped: the ambient alone. (200·50)>>8 = 39, 19, 9, 25.
        assert_eq!(first(control(), lamp(), away), [39, 19, 9, 25]);
        // Signed: 50 − 153 < 0, 50 − 77 < 0, 50, 50 − 38 = 12: (128·12)>>8 = 6.
        assert_eq!(first(ChannelControl { diffuse: Diffuse::Signed, ..control() }, lamp(), away), [0, 0, 9, 6]);
        // None: 50 + 255, 50 + 128 = 178, 50, 114: 200, (100·179)>>8 = 69, 9, (128·114)>>8 = 57.
        assert_eq!(first(ChannelControl { diffuse: Diffuse::None, ..control() }, lamp(), away), [200, 69, 9, 57]);
        assert_eq!(first(ChannelControl { light_mask: 0, ..control() }, lamp(), vertex()), [39, 19, 9, 25]);
    }

    #[test]
    fn spot_and_distance() {
        // The lamp looks along (0, 0.6, 0.8): c = 0.8; angle −1 + 2·0.8 = 0.6, distance 1 + 0.25·4 + 0.0625·16 = 3: 0.2.
        let light = Light {
            direction: [0.0, 0.6, 0.8],
            angle_attenuation: [-1.0, 2.0, 0.0],
            distance_attenuation: [1.0, 0.25, 0.0625],
            ..lamp()
        };
        // 0.2 · 0.6 = 0.12: 31, 15, 0, 8 over 50: 81, 65, 50, 58.
        for attenuation in [Attenuation::Spot, Attenuation::SpotAgain] {
            assert_eq!(first(ChannelControl { attenuation, ..control() }, light, vertex()), [63, 25, 9, 29]);
        }
        // Beyond the cone: the polynomial is negative.
        let beyond = Light { angle_attenuation: [-1.0, 0.5, 0.0], ..light };
        assert_eq!(
            first(ChannelControl { attenuation: Attenuation::Spot, ..control() }, beyond, vertex()),
            [39, 19, 9, 25]
        );
        let nothing_below = Light { distance_attenuation: [0.0; 3], ..light };
        assert_eq!(
            first(ChannelControl { attenuation: Attenuation::Spot, ..control() }, nothing_below, vertex()),
            [39, 19, 9, 25]
        );
    }

    #[test]
    fn specular_ignores_diffuse() {
        // N·half = 0.8·0.6 + 0.6·0.8 = 0.96: 0.9216 / (4 − 3·0.9216 = 1.2352) = 0.74611.
        let light = Light {
            direction: [0.0, 0.6, 0.8],
            angle_attenuation: [0.0, 0.0, 1.0],
            distance_attenuation: [4.0, 0.0, -3.0],
            ..lamp()
        };
        // 190.26, 95.50, 0, 47.75 over 50: 240, 146 (95.502 rounds up), 50, 98.
        for diffuse in [Diffuse::None, Diffuse::Signed, Diffuse::Clamped] {
            let specular = ChannelControl { attenuation: Attenuation::Specular, diffuse, ..control() };
            assert_eq!(first(specular, light, vertex()), [188, 57, 9, 49]);
        }
        let away = LitVertex { normal: Vec3::new(0.0, 0.8, -0.6), ..vertex() };
        assert_eq!(
            first(ChannelControl { attenuation: Attenuation::Specular, ..control() }, light, away),
            [39, 19, 9, 25]
        );
    }

    #[test]
    fn without_lamps_specular_controls_have_their_ambient_light() {
        let of = |control: ChannelControl, own| {
            let material = TevMaterial { channel_count: 1, channels: [control; 4], ..TevMaterial::default() };
            let vertex = LitVertex { colors: [own, None], ..vertex() };
            channel_colors(&material, &MATERIAL, &[lamp(); 8], false, &vertex)[0]
        };
        for attenuation in [Attenuation::None, Attenuation::Spot, Attenuation::SpotAgain] {
            assert_eq!(of(ChannelControl { attenuation, ..control() }, None), [200, 100, 50, 128]);
        }
        // Ambient light of 50: (200·50)>>8 = 39, (100·50)>>8 = 19, (50·50)>>8 = 9, (128·50)>>8 = 25.
        let specular = ChannelControl { attenuation: Attenuation::Specular, ..control() };
        assert_eq!(of(specular, None), [39, 19, 9, 25]);
        assert_eq!(of(ChannelControl { lit: false, ..specular }, None), [200, 100, 50, 128]);
        // The vertex's: (200·(128 + 1))>>8 = 100, (100·64)>>8 = 25, 0, (128·(255 + 1))>>8 = 128.
        let own = ChannelControl { ambient_from_vertex: true, ..specular };
        assert_eq!(of(own, Some([128, 64, 0, 255])), [100, 25, 0, 128]);
    }

    #[test]
    fn a_lamp_at_the_vertex() {
        let at = Light { position: [0.0; 3], ..lamp() };
        // Without attenuation it lies along the normal: 255 in full.
        assert_eq!(first(control(), at, vertex())[0], 200);
        assert_eq!(first(ChannelControl { attenuation: Attenuation::Spot, ..control() }, at, vertex())[0], 39);
    }

    #[test]
    fn three_lamps_add_up() {
        // Signed: 50 + 153 + 77 (twice the second component), clamped once at the end.
        let all = ChannelControl { light_mask: 7, diffuse: Diffuse::Signed, ..control() };
        let material = TevMaterial { channel_count: 1, channels: [all; 4], ..TevMaterial::default() };
        let mut lights = [lamp(); 8];
        lights[0].position = [0.0, 0.0, -4.0];
        // −153 + 2·153, −77 + 154, 0, −38 + 76 over 50: 203, 127, 50, 88.
        assert_eq!(channel_colors(&material, &MATERIAL, &lights, true, &vertex())[0], [159, 49, 9, 44]);
    }

    #[test]
    fn colour_and_alpha_have_their_own_control() {
        let mut material = TevMaterial { channel_count: 2, channels: [control(); 4], ..TevMaterial::default() };
        material.channels[1] = ChannelControl { material_from_vertex: true, ..ChannelControl::default() };
        material.channels[2] = ChannelControl { material_from_vertex: true, ..ChannelControl::default() };
        material.channels[3] = ChannelControl::default();
        let colored = LitVertex { colors: [Some([1, 2, 3, 4]), None], ..vertex() };
        let of = |vertex: &LitVertex, material: &TevMaterial, lighting| {
            channel_colors(material, &MATERIAL, &[lamp(); 8], lighting, vertex)
        };
        assert_eq!(of(&colored, &material, true), [[159, 49, 9, 4], [1, 2, 3, 40]]);
        assert_eq!(of(&colored, &material, false), [[200, 100, 50, 4], [1, 2, 3, 40]]);
        // Ambient light of the vertex: (200·(1 + 153 = 154 + 1))>>8 …
        material.channels[0].ambient_from_vertex = true;
        assert_eq!(of(&colored, &material, true)[0], [121, 30, 0, 4]);
    }

    #[test]
    fn channels_that_are_not_active() {
        let mut material = TevMaterial { channel_count: 1, ..TevMaterial::default() };
        let both = LitVertex { colors: [Some([1, 2, 3, 4]), Some([5, 6, 7, 8])], ..vertex() };
        let of = |material: &TevMaterial, vertex: &LitVertex| {
            channel_colors(material, &MATERIAL, &[lamp(); 8], true, vertex)
        };
        assert_eq!(of(&material, &both), [[200, 100, 50, 128], [5, 6, 7, 8]]);
        assert_eq!(of(&material, &vertex()), [[200, 100, 50, 128]; 2]);
        material.channel_count = 0;
        assert_eq!(of(&material, &both), [[1, 2, 3, 4], [5, 6, 7, 8]]);
        assert_eq!(of(&material, &vertex()), [[255; 4]; 2]);
    }
}
