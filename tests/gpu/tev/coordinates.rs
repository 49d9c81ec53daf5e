use super::{
    chance::Chance as _,
    sheet::{Layer, Sheet, material, passing, texture},
};
use crate::kit::Noise;
use bonebox::{
    gpu::GxLights,
    scene::gx::{ChannelControl, Filter, Light, Pixel, TevMaterial, TevStage, TexGen, Texture, TextureMatrix, Wrap},
};
use glam::{Affine3A, Quat, Vec2, Vec3};
use std::sync::Arc;

/// Red rises with s, green with t, there and back again.
fn ramp() -> Arc<Texture> {
    texture(64, 64, Filter::Linear, Wrap::Mirror, |x, y| [(x * 4) as u8, (y * 4) as u8, 77, 255])
}

/// A turned camera, a turned item, and matrices of which one scales unevenly.
fn sheet(room: usize) -> Sheet {
    let turned = |x: f32, y: f32, scale: Vec3| {
        let rotation = Quat::from_rotation_x(x) * Quat::from_rotation_y(y);
        Affine3A::from_scale_rotation_translation(scale, rotation, Vec3::new(4.0, 20.0 * y, -5.0))
    };
    Sheet {
        matrices: vec![turned(0.4, 1.0, Vec3::ONE), turned(-0.6, 0.3, Vec3::new(0.5, 0.8, 0.6)), Affine3A::IDENTITY],
        world_from_model: turned(0.2, -0.7, Vec3::splat(0.7)),
        yaw: 0.8,
        pitch: -0.3,
        ..Sheet::empty(room)
    }
}

/// Coordinates that a picture can tell apart: no division by what is nearly nothing, no more than two ramps over a square.
fn is_readable(corners: &[Pixel; 4], coord: usize) -> bool {
    let [first, ..] = corners.map(|corner| corner.coords[coord][2]);
    let whole = corners.iter().all(|corner| corner.coords[coord][2] * first.signum() > 0.2);
    let divided = corners.map(|corner| {
        let [s, t, q] = corner.coords[coord];
        Vec2::new(s, t) / q
    });
    let [origin, ..] = divided;
    whole && divided.iter().all(|at| at.length() < 40.0 && (*at - origin).abs().max_element() < 2.0)
}

/// A layer that shows a coordinate: the first readable one of many that chance makes.
fn readable(random: &mut Noise, sheet: &Sheet, coord: usize, mut make: impl FnMut(&mut Noise) -> Layer) -> Layer {
    for _ in 0..4000 {
        let mut layer = make(random);
        for stage in &mut layer.material.stages {
            stage.tex_coord = Some(coord as u8);
        }
        let lights = [Light {
            position: [0.0; 3],
            direction: [0.0, 0.0, 1.0],
            color: [255; 4],
            angle_attenuation: [1.0, 0.0, 0.0],
            distance_attenuation: [1.0, 0.0, 0.0],
        }; 8];
        let lights = std::array::from_fn(|bit| layer.material.lights[bit].unwrap_or(lights[bit]));
        let corners = sheet.shaded_corners(&layer, sheet.points(sheet.cases.len(), &layer), &lights);
        if is_readable(&corners, coord) {
            return layer;
        }
    }
    panic!("case {} cannot be read", sheet.cases.len());
}

/// A square whose corners have every attribute, each its own.
fn square(random: &mut Noise, ramp: &Arc<Texture>, texgens: Vec<TexGen>) -> Layer {
    let stage = TevStage { ..passing(8, 4) };
    let mut layer = Layer::new(TevMaterial { texgens, ..material(vec![stage]) }).texture(0, ramp);
    layer.matrix = random.below(3);
    let normal = random.vec3().normalize_or(Vec3::Z);
    for corner in &mut layer.corners {
        corner.height = random.between(-4.0, 4.0);
        corner.normal = Some((normal + random.vec3() * 0.3).normalize_or(Vec3::Z));
        corner.tangents = Some([random.vec3(), random.vec3()]);
        let over = corner.uvs[0].unwrap_or_default();
        for (set, uv) in corner.uvs.iter_mut().enumerate() {
            *uv = Some(over * random.between(0.5, 1.5) + Vec2::splat(set as f32 * 0.13 + 0.2));
        }
    }
    layer
}

/// A matrix of a mode with everything in it.
fn texture_matrix(random: &mut Noise, map_mode: u8) -> TextureMatrix {
    // What stands before positions is small: they are hundreds of units away.
    let small = if matches!(map_mode, 2 | 3 | 8 | 9) { 0.01 } else { 1.0 };
    let mut effect: [[f32; 4]; 4] = std::array::from_fn(|_| std::array::from_fn(|_| random.between(-1.0, 1.0) * small));
    for row in &mut effect {
        row[3] = random.between(-1.0, 1.0);
    }
    TextureMatrix {
        projects: false,
        map_mode: map_mode.into(),
        maya: random.coin(),
        center: [random.between(0.0, 1.0), random.between(0.0, 1.0), 0.5],
        scale: [random.between(0.5, 1.5), random.between(0.5, 1.5)],
        rotation: random.between(-3.0, 3.0),
        translation: [random.between(-1.0, 1.0), random.between(-1.0, 1.0)],
        effect,
    }
}

fn with_matrix(random: &mut Noise, ramp: &Arc<Texture>, map_mode: u8, kind: u8, source: u8) -> Layer {
    let slot = random.byte(10);
    let mut layer = square(random, ramp, vec![TexGen { kind, source, matrix: 30 + 3 * slot }]);
    let mut matrix = texture_matrix(random, map_mode);
    if source == 0 && !matches!(map_mode, 2 | 3 | 8 | 9) {
        // Positions that nothing shrinks before.
        matrix.scale = matrix.scale.map(|scale| scale * 0.02);
        for row in &mut matrix.effect {
            row.iter_mut().take(3).for_each(|v| *v *= 0.02);
        }
    }
    layer.material.texture_matrices[usize::from(slot)] = Some(matrix);
    layer
}

#[test]
fn every_source_with_both_kinds() {
    let (mut random, ramp) = (Noise::new(15), ramp());
    let mut sheet = sheet(2 * 12);
    // Raw positions are the coordinates: near the origin, and small.
    sheet.matrices = vec![];
    sheet.world_from_model = Affine3A::from_scale(Vec3::splat(30.0));
    for kind in 0..2 {
        for source in 0..12 {
            let layer = readable(&mut random, &sheet, 0, |random| {
                square(random, &ramp, vec![TexGen { kind, source, matrix: 60 }])
            });
            sheet.cases.push(layer.case(format!("kind {kind} source {source}")));
        }
    }
    sheet.compare(2);
}

#[test]
fn sources_that_are_not_there() {
    let (mut random, ramp) = (Noise::new(16), ramp());
    let mut sheet = sheet(20);
    for kind in 0..2 {
        for source in [1, 2, 3, 4, 5, 11, 12, 18, 19, 20] {
            let mut layer = with_matrix(&mut random, &ramp, 0, kind, source);
            for corner in &mut layer.corners {
                (corner.normal, corner.tangents, corner.uvs) = (None, None, [None; 8]);
            }
            sheet.cases.push(layer.case(format!("kind {kind} source {source}")));
        }
    }
    sheet.compare(2);
}

#[test]
fn every_map_mode() {
    let (mut random, ramp) = (Noise::new(17), ramp());
    let mut sheet = sheet(13 * 2 * 3 * 2);
    for map_mode in 0..13 {
        for kind in 0..2 {
            for source in [0, 1, 4] {
                for _ in 0..2 {
                    let make = |random: &mut Noise| with_matrix(random, &ramp, map_mode, kind, source);
                    let layer = readable(&mut random, &sheet, 0, make);
                    sheet.cases.push(layer.case(format!("mode {map_mode} kind {kind} source {source}")));
                }
            }
        }
    }
    if let Some(outcome) = sheet.compare(2) {
        assert_eq!(outcome.cases, 156);
    }
}

/// The same where the device leaves skinning to the CPU, which hands over unit normals: matrices that scale are another matter.
#[test]
fn map_modes_skinned_on_the_cpu() {
    let (mut random, ramp) = (Noise::new(23), ramp());
    let mut sheet = Sheet { skin_on_cpu: true, ..sheet(12 * 2) };
    for matrix in sheet.matrices.iter_mut().chain([&mut sheet.world_from_model]) {
        let (_, rotation, translation) = matrix.to_scale_rotation_translation();
        *matrix = Affine3A::from_rotation_translation(rotation, translation);
    }
    for map_mode in 0..12 {
        for kind in 0..2 {
            let source = if matches!(map_mode, 0 | 2 | 3 | 8 | 9) { 0 } else { 1 };
            let make = |random: &mut Noise| with_matrix(random, &ramp, map_mode, kind, source);
            let layer = readable(&mut random, &sheet, 0, make);
            sheet.cases.push(layer.case(format!("mode {map_mode} kind {kind}")));
        }
    }
    sheet.compare(2);
}

#[test]
fn map_modes_in_perspective() {
    let (mut random, ramp) = (Noise::new(18), ramp());
    let mut sheet = Sheet { perspective: true, ..sheet(12 * 2) };
    for map_mode in 0..12 {
        for kind in 0..2 {
            let source = if matches!(map_mode, 8 | 9) { 0 } else { 1 };
            let make = |random: &mut Noise| with_matrix(random, &ramp, map_mode, kind, source);
            let layer = readable(&mut random, &sheet, 0, make);
            sheet.cases.push(layer.case(format!("mode {map_mode} kind {kind}")));
        }
    }
    sheet.compare(2);
}

/// Vertices that name texture matrices of their own, and generators that name position matrices.
#[test]
fn matrices_of_the_vertices() {
    let (mut random, ramp) = (Noise::new(19), ramp());
    let mut sheet = sheet(24);
    for index in 0..24 {
        let layer = readable(&mut random, &sheet, 0, |random| {
            let source = random.pick(&[1, 4]);
            let mut layer = with_matrix(random, &ramp, 0, 1, source);
            layer.material.texture_matrices =
                std::array::from_fn(|slot| (slot != 5).then(|| texture_matrix(random, [0, 1, 4, 6, 7, 10][slot % 6])));
            let slot = random.byte(10);
            let mut slots = [0xFF; 8];
            slots[0] = slot;
            let other = random.coin();
            for (corner, turn) in layer.corners.iter_mut().zip(0..) {
                // A square may hang on two of them.
                slots[0] = if other && turn > 1 { 0xFF } else { slot };
                corner.slots = Some(slots);
            }
            if index >= 20 {
                layer.material.texgens[0] = TexGen { kind: 1, source: 1, matrix: 3 * index };
                layer.corners.iter_mut().for_each(|corner| corner.slots = None);
            }
            layer
        });
        sheet.cases.push(layer.case(format!("slots {index}")));
    }
    sheet.compare(2);
}

#[test]
fn colours_as_coordinates() {
    let (mut random, ramp) = (Noise::new(20), ramp());
    let mut sheet = sheet(12);
    for index in 0..12 {
        let source = [19, 20, 4, 0][index % 4];
        let mut layer = square(&mut random, &ramp, vec![TexGen { kind: 10, source, matrix: 60 }]);
        let own = ChannelControl { material_from_vertex: true, ..ChannelControl::default() };
        layer.material.channels = [own; 4];
        layer.material.channel_count = (index / 4) as u8;
        for corner in &mut layer.corners {
            corner.colors = std::array::from_fn(|_| Some(random.color()));
        }
        sheet.cases.push(layer.case(format!("colour of {source}, {} channels", index / 4)));
    }
    sheet.compare(2);
}

/// Lamps that push a coordinate along binormal and tangent.
#[test]
fn every_bump() {
    let (mut random, ramp) = (Noise::new(21), ramp());
    let mut sheet = Sheet { lights: GxLights::File, ..sheet(8 * 3) };
    for kind in 2..10 {
        for variant in 0..3 {
            let layer = readable(&mut random, &sheet, 2, |random| {
                let first = TexGen { kind: 0, source: 4, matrix: 30 };
                let second = TexGen { kind: 1, source: 5, matrix: 60 };
                let bump = TexGen { kind, source: 12 + variant % 2, matrix: 60 };
                let mut layer = square(random, &ramp, vec![first, second, bump]);
                let matrix = texture_matrix(random, 4);
                layer.material.texture_matrices[0] = Some(matrix);
                layer.material.nbt_scale =
                    random.coin().then(|| [random.between(0.5, 2.0), 0.7, random.between(0.5, 2.0)]);
                layer.material.lights = std::array::from_fn(|_| {
                    let away = Vec3::Z * -sheet.eye_distance();
                    Some(Light {
                        position: (random.vec3() * 100.0 + away).into(),
                        direction: [0.0, 0.0, 1.0],
                        color: [255; 4],
                        angle_attenuation: [1.0, 0.0, 0.0],
                        distance_attenuation: [1.0, 0.0, 0.0],
                    })
                });
                for corner in &mut layer.corners {
                    corner.tangents = corner.tangents.filter(|_| variant != 2);
                }
                layer
            });
            sheet.cases.push(layer.case(format!("kind {kind} variant {variant}")));
        }
    }
    sheet.compare(2);
}

/// All eight at once, each shown by a square.
#[test]
fn eight_coordinates() {
    let (mut random, ramp) = (Noise::new(22), ramp());
    let mut sheet = sheet(8);
    for coord in 0..8 {
        let layer = readable(&mut random, &sheet, coord, |random| {
            let kinds = [(1, 4), (1, 5), (0, 1), (1, 1), (1, 7), (10, 19), (1, 9), (0, 11)];
            let texgens =
                kinds.iter().zip(0..).map(|(&(kind, source), own)| TexGen { kind, source, matrix: 30 + 3 * own });
            let texgens = texgens.collect();
            let mut layer = square(random, &ramp, texgens);
            let modes = [0, 4, 7, 6, 0, 0, 4, 0];
            layer.material.texture_matrices =
                std::array::from_fn(|slot| modes.get(slot).map(|mode| texture_matrix(random, *mode)));
            layer.corners.iter_mut().for_each(|corner| {
                corner.colors[0] = Some(random.color());
            });
            layer
        });
        sheet.cases.push(layer.case(format!("coordinate {coord}")));
    }
    sheet.compare(2);
}
