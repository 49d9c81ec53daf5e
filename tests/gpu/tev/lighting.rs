use super::{
    chance::Chance as _,
    sheet::{Layer, Sheet, material, passing},
};
use crate::kit::{Noise, device::near};
use bonebox::{
    gpu::GxLights,
    scene::gx::{Attenuation, ChannelControl, Light, TevMaterial, TevStage},
};
use glam::{Affine3A, Quat, Vec3};

/// Turned, moved and scaled alike in all directions.
fn sheet(room: usize, lights: GxLights) -> Sheet {
    let turned = |x: f32, y: f32, scale: f32| {
        Affine3A::from_scale_rotation_translation(
            Vec3::splat(scale),
            Quat::from_rotation_x(x) * Quat::from_rotation_y(y),
            Vec3::new(10.0, 20.0 * y, -5.0),
        )
    };
    Sheet {
        matrices: vec![turned(0.4, 1.0, 1.0), turned(-1.2, 0.3, 2.0), Affine3A::IDENTITY],
        world_from_model: turned(0.2, -0.7, 1.5),
        yaw: 0.8,
        pitch: -0.3,
        lights,
        ..Sheet::empty(room)
    }
}

fn direction(random: &mut Noise, spread: f32) -> Vec3 {
    Vec3::new(random.between(-spread, spread), random.between(-spread, spread), 1.0).normalize_or(Vec3::Z)
}

/// A lamp before the picture with one of the forms of spots and distances of formats/j3d-materials.md §7.1a.
fn lamp(random: &mut Noise, sheet: &Sheet, specular: bool) -> Light {
    let color = random.color();
    if specular {
        // Behind the picture too: highlights end where a surface turns its back to the lamp.
        let aside = [random.between(-0.8, 0.8), random.between(-0.8, 0.8), random.between(-0.3, 1.0)];
        let towards = Vec3::from(aside).normalize_or(Vec3::Z);
        let shininess = random.between(2.0, 40.0);
        return Light {
            position: (towards * 1e9).into(),
            direction: (Vec3::Z + towards).normalize_or(Vec3::Z).into(),
            color,
            angle_attenuation: [0.0, 0.0, 1.0],
            distance_attenuation: [shininess / 2.0, 0.0, 1.0 - shininess / 2.0],
        };
    }
    let c = random.between(0.2, 0.6);
    let rest = 1.0 - c;
    let spots = [
        [1.0, 0.0, 0.0],
        [-c / rest, 1.0 / rest, 0.0],
        [0.0, -c / rest, 1.0 / rest],
        [c * (c - 2.0) / (rest * rest), 2.0 / (rest * rest), -1.0 / (rest * rest)],
        [-4.0 * c / (rest * rest), 4.0 * (1.0 + c) / (rest * rest), -4.0 / (rest * rest)],
        [1.0 - 2.0 * c * c / (rest * rest), 4.0 * c / (rest * rest), -2.0 / (rest * rest)],
    ];
    let (b, r) = (0.4, 120.0);
    let share = (1.0 - b) / b;
    let distances = [
        [1.0, 0.0, 0.0],
        [1.0, share / r, 0.0],
        [1.0, 0.5 * share / r, 0.5 * share / (r * r)],
        [1.0, 0.0, share / (r * r)],
    ];
    let away = sheet.eye_distance();
    Light {
        position: [random.between(-100.0, 100.0), random.between(-60.0, 60.0), random.between(30.0, 150.0) - away],
        direction: direction(random, 0.4).into(),
        color,
        angle_attenuation: random.pick(&spots),
        distance_attenuation: random.pick(&distances),
    }
}

struct Asked {
    diffuse: u8,
    attenuation: u8,
    masks: [u8; 2],
    channel: u8,
    vertex_colors: usize,
}

fn layer(random: &mut Noise, sheet: &Sheet, asked: &Asked) -> Layer {
    let mut control = |mask| ChannelControl {
        lit: true,
        material_from_vertex: random.coin(),
        ambient_from_vertex: random.coin(),
        light_mask: mask,
        diffuse: asked.diffuse.into(),
        attenuation: asked.attenuation.into(),
    };
    let channels = std::array::from_fn(|side| control(asked.masks[side % 2]));
    let lights = std::array::from_fn(|_| Some(lamp(random, sheet, asked.attenuation == 0)));
    let mut color = || random.color().map(|c| c / 2 + 128);
    let (material_colors, ambient_colors) = ([color(), color()], [color().map(|c| c - 100), color().map(|c| c - 100)]);
    let mut layer = Layer::new(TevMaterial {
        channel_count: 2,
        channels,
        material_colors,
        ambient_colors,
        lights,
        // The alpha goes where it can be seen.
        swap_tables: [[0, 1, 2, 3], [0, 1, 3, 3], [0, 1, 2, 3], [0, 1, 2, 3]],
        ..material(vec![TevStage { channel: 4 + asked.channel, raster_swap: 1, ..passing(10, 5) }])
    });
    layer.matrix = random.below(3);
    let point_from_view = sheet.view_from_point(&layer).inverse();
    for corner in &mut layer.corners {
        let seen = direction(random, 0.9);
        corner.normal = Some(point_from_view.transform_vector3(seen).normalize_or(Vec3::Z));
        corner.height = random.between(-10.0, 10.0);
        for own in corner.colors.iter_mut().take(asked.vertex_colors) {
            *own = Some(random.color());
        }
    }
    layer
}

/// Every attenuation and diffuse function with none, one and three lamps, on both channels, with and without colours of the
/// vertices.
fn all(lights: GxLights) -> Sheet {
    let mut random = Noise::new(6);
    let mut sheet = sheet(4 * 3 * 3 * 2 * 3, lights);
    for attenuation in 0..4 {
        for diffuse in 0..3 {
            for masks in [[0x01, 0x80], [0x15, 0x0E], [0x10, 0]] {
                for channel in 0..2 {
                    for vertex_colors in 0..3 {
                        let asked = Asked { diffuse, attenuation, masks, channel, vertex_colors };
                        let layer = layer(&mut random, &sheet, &asked);
                        let name =
                            format!("attenuation {attenuation} diffuse {diffuse} lamps {masks:?} channel {channel}");
                        sheet.cases.push(layer.case(format!("{name} vertex colours {vertex_colors}")));
                    }
                }
            }
        }
    }
    sheet
}

#[test]
fn the_file_s_lamps() {
    let sheet = all(GxLights::File);
    // Lamps that reach nothing would prove nothing.
    let shines = |index: usize| {
        let layer = &sheet.cases[index].layers[0];
        let points = sheet.points(index, layer);
        let lights = layer.material.lights.map(|light| light.unwrap());
        let colors = |lights| sheet.shaded_corners(layer, points, lights).map(|corner| corner.colors);
        colors(&lights) != colors(&lights.map(|light| Light { color: [0; 4], ..light }))
    };
    let shining = (0..sheet.cases.len()).filter(|index| shines(*index)).count();
    assert!(shining * 4 > sheet.cases.len() * 3, "{shining}");
    if let Some(outcome) = sheet.compare(2) {
        assert_eq!(outcome.cases, 216);
    }
}

/// Turns normals at which next to no change makes more than a step: the viewer's lamps are all alike and all rounded at once,
/// and the device has normals in fewer bits.
fn off_the_edges(sheet: &mut Sheet) {
    let rig = sheet.rig(&sheet.model());
    for index in 0..sheet.cases.len() {
        let mut layer = sheet.cases[index].layers[0].clone();
        let lights = rig.lights(&layer.material);
        let colors = |layer: &Layer| {
            sheet.shaded_corners(layer, sheet.points(index, layer), &lights).map(|corner| corner.colors)
        };
        loop {
            let own = colors(&layer);
            let mut on_edge = [false; 4];
            for by in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
                let mut turned = layer.clone();
                for corner in &mut turned.corners {
                    corner.normal = corner.normal.map(|normal| (normal + by * 1e-4).normalize_or(Vec3::Z));
                }
                for ((on_edge, a), b) in on_edge.iter_mut().zip(own).zip(colors(&turned)) {
                    *on_edge |= !near(a.as_flattened(), b.as_flattened(), 1);
                }
            }
            if on_edge == [false; 4] {
                break;
            }
            for (corner, _) in layer.corners.iter_mut().zip(on_edge).filter(|(_, on_edge)| *on_edge) {
                let turn = Vec3::new(0.01, 0.007, 0.0);
                corner.normal = corner.normal.map(|normal| (normal + turn).normalize_or(Vec3::Z));
            }
        }
        sheet.cases[index].layers[0] = layer;
    }
}

#[test]
fn the_viewer_s_lamps() {
    let mut sheet = all(GxLights::Key);
    off_the_edges(&mut sheet);
    sheet.compare(2);
}

#[test]
fn the_file_s_lamps_skinned_on_the_cpu() {
    Sheet { skin_on_cpu: true, ..all(GxLights::File) }.compare(2);
}

#[test]
fn no_lamps() {
    all(GxLights::Off).compare(2);
}

/// Without lamps a diffuse control is at full light and a specular one has its ambient light alone, on the device as on the CPU:
/// (200·16)>>8 = 12, (100·32)>>8 = 12 and (50·48)>>8 = 9.
#[test]
fn specular_channels_without_lamps() {
    let mut sheet = Sheet { lights: GxLights::Off, ..Sheet::empty(4) };
    let expected = [[200, 100, 50], [12, 12, 9]];
    for (attenuation, wanted) in [2, 0].into_iter().zip(expected) {
        let control = ChannelControl {
            lit: true,
            light_mask: 5,
            attenuation: Attenuation::from(attenuation),
            ..ChannelControl::default()
        };
        let layer = Layer::new(TevMaterial {
            channel_count: 1,
            channels: [control; 4],
            material_colors: [[200, 100, 50, 255]; 2],
            ambient_colors: [[16, 32, 48, 255]; 2],
            ..material(vec![TevStage { channel: 4, ..passing(10, 5) }])
        });
        let lights = sheet.rig(&sheet.model()).lights(&layer.material);
        let corners = sheet.shaded_corners(&layer, sheet.points(sheet.cases.len(), &layer), &lights);
        assert!(corners.iter().all(|corner| corner.colors[0][..3] == wanted), "{:?}", corners[0].colors);
        sheet.cases.push(layer.case(format!("attenuation {attenuation}")));
    }
    if let Some(outcome) = sheet.compare(0) {
        assert_eq!(outcome.cases, 2);
    }
}

/// Matrices that stretch, and a scale of normals, which counts beside binormals alone.
#[test]
fn stretched_and_scaled_normals() {
    let mut random = Noise::new(24);
    let mut sheet = sheet(24, GxLights::File);
    for (matrix, stretch) in sheet.matrices.iter_mut().zip([Vec3::new(1.0, 0.4, 2.0), Vec3::new(-1.0, 1.0, 0.7)]) {
        *matrix *= Affine3A::from_scale(stretch);
    }
    for index in 0..24 {
        let asked = Asked { diffuse: 1 + index % 2, attenuation: 2, masks: [3, 3], channel: 0, vertex_colors: 0 };
        let mut layer = layer(&mut random, &sheet, &asked);
        layer.material.nbt_scale = (index % 4 > 1).then_some([0.5, 2.0, 1.3]);
        for corner in &mut layer.corners {
            corner.tangents = (index % 8 > 3).then_some([Vec3::X, Vec3::Y]);
        }
        sheet.cases.push(layer.case(format!("stretched {index}")));
    }
    sheet.compare(2);
}

#[test]
fn without_normals_and_without_channels() {
    let mut random = Noise::new(7);
    let mut sheet = sheet(24, GxLights::File);
    for index in 0..24 {
        let asked = Asked {
            diffuse: index % 3,
            attenuation: 2,
            masks: [3, 3],
            channel: index % 2,
            vertex_colors: usize::from(index / 2 % 3),
        };
        let mut layer = layer(&mut random, &sheet, &asked);
        layer.material.channel_count = index / 6 % 3;
        for corner in &mut layer.corners {
            corner.normal = corner.normal.filter(|_| index >= 18);
        }
        let count = layer.material.channel_count;
        sheet.cases.push(layer.case(format!("{index}: {count} channels")));
    }
    sheet.compare(2);
}
