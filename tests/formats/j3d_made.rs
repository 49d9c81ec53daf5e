//! J3D animations and materials, written from plain descriptions and read back: what comes out is what went in.

use crate::kit::{
    Noise,
    j3d::{any_material, clip},
    near::assert_near,
    open::{codes, open},
};
use bonebox::{
    formats::{
        Asset, Content,
        gx::encode::TextureFormat,
        j3d::encode::{
            AxisTracks, ClusterClip, ColorTracks, JointClip, Key, Material, MaterialColorClip, PatternClip,
            PatternTrack, RegisterClip, SoundEvent, Texture, TextureClip, TextureTracks, Track, VertexColorClip,
            VertexColorTracks, VisibilityClip, encode_bca, encode_bck, encode_bla, encode_blk, encode_bmt, encode_bpa,
            encode_bpk, encode_brk, encode_btk, encode_btp, encode_bva, encode_bxa, encode_bxk,
        },
    },
    scene::{
        Clip, ClipJoint, ClipMaterial, HermiteKey, Interpolation, KeyTimes, Keys, LoopMode, MeshIndex, SrtPart, Target,
        TargetKind, TextureGroup, Unit, gx::TevMaterial,
    },
};

const LOOPS: [LoopMode; 5] =
    [LoopMode::Once, LoopMode::OnceReset, LoopMode::Loop, LoopMode::OnceForthAndBack, LoopMode::PingPong];

/// A track of each kind in turn; whole numbers, so that every pool has them as they are.
fn track(noise: &mut Noise) -> Track {
    let mut number = || noise.below(2_000) as f32 - 1_000.0;
    let mut keys = |count: u16, split: bool| {
        let key = |k: u16| {
            let (value, tangent_in, tangent_out) = (number(), number(), number());
            // Every third key has the time of the one before: an instant step.
            let frame = f32::from(k - u16::from(k % 3 == 2)) * 7.0 - 3.0;
            Key { frame, value, tangent_in: if split { tangent_in } else { tangent_out }, tangent_out }
        };
        (0..count).map(key).collect::<Vec<Key>>()
    };
    let (two, five) = (keys(2, false), keys(5, true));
    match noise.below(5) {
        0 => Track::Default,
        1 => Track::Constant(noise.below(2_000) as f32 - 1_000.0),
        2 => Track::Keys(two),
        3 => Track::Split(five),
        // Stored as a constant whatever its kind.
        _ => Track::Split(vec![Key { value: 12.0, ..Key::default() }]),
    }
}

fn axes(noise: &mut Noise) -> [AxisTracks; 3] {
    std::array::from_fn(|_| AxisTracks { scale: track(noise), rotation: track(noise), translation: track(noise) })
}

/// Holds what a clip has for a target to the track that was written.
fn same(clip: &Clip, target: &Target, track: &Track, unit: Unit) {
    let channel = clip.channels.iter().find(|channel| channel.target == *target);
    let constant = match track {
        // A colour that a file drives with nothing is black, not what the material has.
        Track::Default if matches!(unit, Unit::Color8 | Unit::Color11) => Some(0.0),
        Track::Default if matches!(target, Target::ClusterWeight { .. }) => Some(1.0),
        Track::Default => {
            assert!(channel.is_none(), "{target:?}");
            return;
        }
        Track::Constant(value) => Some(*value),
        Track::Keys(keys) | Track::Split(keys) if keys.len() == 1 => Some(keys[0].value),
        _ => None,
    };
    let channel = channel.unwrap_or_else(|| panic!("nothing drives {target:?}"));
    assert_eq!(channel.unit, unit, "{target:?}");
    match (&channel.sampler.keys, track, constant) {
        (Keys::Scalar(values), _, Some(constant)) => assert_eq!(*values, [constant], "{target:?}"),
        (Keys::Hermite(read), Track::Keys(keys) | Track::Split(keys), None) => {
            let wanted: Vec<HermiteKey> = (keys.iter())
                .map(|k| HermiteKey { value: k.value, tangent_in: k.tangent_in, tangent_out: k.tangent_out })
                .collect();
            assert_eq!(*read, wanted, "{target:?}");
            let times: Vec<f32> = keys.iter().map(|key| key.frame).collect();
            assert_eq!(channel.sampler.times, KeyTimes::At(times.into()), "{target:?}");
            assert_eq!(channel.sampler.interpolation, Interpolation::Hermite);
        }
        (keys, ..) => panic!("{target:?}: {keys:?} for {track:?}"),
    }
}

/// As [`same`], of tables with a value for each frame.
fn same_table(clip: &Clip, target: &Target, values: &[f32], unit: Unit) {
    let channel = clip.channels.iter().find(|channel| channel.target == *target);
    let is_color = matches!(unit, Unit::Color8 | Unit::Color11);
    if values.is_empty() && !is_color {
        assert!(channel.is_none(), "{target:?}");
        return;
    }
    let values = if values.is_empty() { &[0.0] } else { values };
    let channel = channel.unwrap_or_else(|| panic!("nothing drives {target:?}"));
    let Keys::Scalar(read) = &channel.sampler.keys else { panic!("{target:?}: {:?}", channel.sampler.keys) };
    assert_eq!(read, values, "{target:?}");
    assert_eq!((channel.sampler.interpolation, channel.unit), (Interpolation::Step, unit), "{target:?}");
}

fn head(clip: &Clip, loop_mode: u8, duration: u16, kind: TargetKind) {
    assert_eq!(clip.default_loop, LOOPS[usize::from(loop_mode)]);
    assert_eq!((clip.frame_count, clip.kind()), (u32::from(duration), kind));
}

#[test]
fn joints_by_keys() {
    let mut noise = Noise::new(1);
    for round in 0..12_u8 {
        let written = JointClip {
            loop_mode: round % 5,
            rotation_shift: round % 10,
            duration: u16::from(round) * 11,
            joints: (0..=round * 3).map(|_| axes(&mut noise)).collect(),
            sounds: Vec::new(),
        };
        let read = clip("made.bck", &encode_bck(&written));
        let shift = written.rotation_shift;
        for (joint, axes) in written.joints.iter().enumerate() {
            for (axis, tracks) in axes.iter().enumerate() {
                let (joint, axis) = (ClipJoint(joint as u32), axis as u8);
                same(&read, &Target::JointScaleAxis { joint, axis }, &tracks.scale, Unit::Plain);
                same(&read, &Target::JointEulerAxis { joint, axis }, &tracks.rotation, Unit::Angle16 { shift });
                same(&read, &Target::JointTranslationAxis { joint, axis }, &tracks.translation, Unit::Plain);
            }
        }
        assert_eq!(read.joints.len(), written.joints.len());
        assert!(read.is_by_place() && read.rate_is_assumed);
        if !read.channels.is_empty() {
            head(&read, written.loop_mode, written.duration, TargetKind::Joints);
        }
    }
}

#[test]
fn sounds_become_markers() {
    let sound = |id, start_frame| SoundEvent { id, start_frame, end_frame: 20.0, pitch: 1.0, ..SoundEvent::default() };
    let joints = vec![axes(&mut Noise::new(2))];
    let written =
        JointClip { duration: 30, joints, sounds: vec![sound(7, 4.0), sound(9, 12.5)], ..JointClip::default() };
    let read = clip("made.bck", &encode_bck(&written));
    assert_eq!(read.markers.iter().map(|marker| marker.frame).collect::<Vec<_>>(), [4.0, 12.5]);
    // Other tools leave anything where the sounds' place stands: it counts behind the tag of the games' own alone.
    let mut other = encode_bck(&JointClip { sounds: Vec::new(), ..written });
    other[0x1C..0x20].copy_from_slice(&[0, 0, 0, 0x40]);
    let file = open("made.bck", other);
    let (loaded, found) = file.load(file.first(Content::Clip));
    assert!(matches!(loaded, Ok(Asset::Clip(clip)) if clip.markers.is_empty()));
    assert_eq!(codes(&found), [] as [&str; 0]);
    file.assert_read();
}

#[test]
fn joints_by_frames() {
    let table = |seed: usize, count: usize| (0..count).map(|k| ((seed * 31 + k * 7) % 400) as f32 - 200.0).collect();
    let joint = |joint: usize| {
        std::array::from_fn(|axis| AxisTracks {
            scale: table(joint + axis, 1),
            rotation: table(joint * 3 + axis, 41),
            translation: table(joint * 5 + axis, axis * 20),
        })
    };
    let written: JointClip<Vec<f32>> =
        JointClip { loop_mode: 2, duration: 40, joints: (0..4).map(joint).collect(), ..JointClip::default() };
    let read = clip("made.bca", &encode_bca(&written));
    head(&read, 2, 40, TargetKind::Joints);
    for (joint, axes) in written.joints.iter().enumerate() {
        for (axis, tables) in axes.iter().enumerate() {
            let (joint, axis) = (ClipJoint(joint as u32), axis as u8);
            same_table(&read, &Target::JointScaleAxis { joint, axis }, &tables.scale, Unit::Plain);
            let unit = Unit::Angle16 { shift: 0 };
            same_table(&read, &Target::JointEulerAxis { joint, axis }, &tables.rotation, unit);
            same_table(&read, &Target::JointTranslationAxis { joint, axis }, &tables.translation, Unit::Plain);
        }
    }
}

#[test]
fn texture_matrices() {
    let mut noise = Noise::new(3);
    for maya in [false, true] {
        let tracks = |noise: &mut Noise, material: &str, slot| TextureTracks {
            material: material.into(),
            slot,
            center: [0.5, 0.25, 0.125],
            axes: axes(noise),
        };
        let written = TextureClip {
            loop_mode: 4,
            rotation_shift: 3,
            duration: 77,
            // One material twice, and a name beyond ASCII.
            tracks: vec![tracks(&mut noise, "水面", 0), tracks(&mut noise, "wood", 7), tracks(&mut noise, "wood", 1)],
            post_tracks: Vec::new(),
            maya,
        };
        let read = clip("made.btk", &encode_btk(&written));
        head(&read, 4, 77, TargetKind::TextureMatrices);
        let group = |(index, tracks): (usize, &TextureTracks)| {
            assert_eq!(read.materials[index], tracks.material);
            TextureGroup { material: ClipMaterial(index as u32), slot: tracks.slot, center: [0.5, 0.25], maya }
        };
        let groups: Vec<TextureGroup> = written.tracks.iter().enumerate().map(group).collect();
        assert_eq!(read.texture_groups, groups);
        for (group, tracks) in written.tracks.iter().enumerate() {
            let [s, t, q] = &tracks.axes;
            let parts = [
                (SrtPart::ScaleS, &s.scale, Unit::Plain),
                (SrtPart::ScaleT, &t.scale, Unit::Plain),
                (SrtPart::Rotation, &q.rotation, Unit::Angle16 { shift: 3 }),
                (SrtPart::TranslationS, &s.translation, Unit::Plain),
                (SrtPart::TranslationT, &t.translation, Unit::Plain),
            ];
            for (part, track, unit) in parts {
                same(&read, &Target::TextureSrt { group: group as u32, part }, track, unit);
            }
        }
    }
}

#[test]
fn texture_numbers() {
    let track = |material: &str, slot, textures| PatternTrack { material: material.into(), slot, textures };
    let written = PatternClip {
        loop_mode: 0,
        duration: 5,
        tracks: vec![
            track("eye", 0, vec![1, 1, 2, 3, 1, 1]),
            track("mouth", 3, vec![9]),
            track("eye", 1, vec![65_535; 5]),
        ],
    };
    let read = clip("made.btp", &encode_btp(&written));
    head(&read, 0, 5, TargetKind::TextureSlots);
    for (index, track) in written.tracks.iter().enumerate() {
        let values: Vec<f32> = track.textures.iter().map(|t| f32::from(*t)).collect();
        let target = Target::TextureSlot { material: ClipMaterial(index as u32), slot: track.slot };
        same_table(&read, &target, &values, Unit::Plain);
        assert_eq!(read.materials[index], track.material);
    }
}

fn color(noise: &mut Noise, material: &str, id: u8) -> ColorTracks {
    ColorTracks { material: material.into(), id, parts: std::array::from_fn(|_| track(noise)) }
}

#[test]
fn registers_and_constants() {
    let mut noise = Noise::new(4);
    let written = RegisterClip {
        loop_mode: 1,
        duration: 300,
        registers: vec![color(&mut noise, "glow", 0), color(&mut noise, "glow", 2), color(&mut noise, "fire", 1)],
        konsts: (0..4).map(|id| color(&mut noise, "rainbow", id)).collect(),
    };
    let read = clip("made.brk", &encode_brk(&written));
    head(&read, 1, 300, TargetKind::Registers);
    let material = |name: &str, has: &dyn Fn(ClipMaterial) -> Target| {
        let named =
            (0..).map(ClipMaterial).zip(read.materials.iter()).filter(|(_, n)| *n == name).map(|(index, _)| index);
        let driven = |index: &ClipMaterial| read.channels.iter().any(|channel| channel.target == has(*index));
        named.into_iter().find(driven).unwrap_or_else(|| panic!("{name} is not driven"))
    };
    for color in &written.registers {
        for (part, track) in (0_u8..).zip(&color.parts) {
            let target = |material| Target::Register { material, register: color.id, part };
            same(&read, &target(material(&color.material, &target)), track, Unit::Color11);
        }
    }
    for color in &written.konsts {
        for (part, track) in (0_u8..).zip(&color.parts) {
            let target = |material| Target::Konst { material, konst: color.id, part };
            same(&read, &target(material(&color.material, &target)), track, Unit::Color8);
        }
    }
}

#[test]
fn colours_of_materials() {
    let mut noise = Noise::new(5);
    let colors = vec![color(&mut noise, "a", 0), color(&mut noise, "b", 0), color(&mut noise, "c", 0)];
    let written = MaterialColorClip { loop_mode: 3, duration: 12, colors };
    let read = clip("made.bpk", &encode_bpk(&written));
    head(&read, 3, 12, TargetKind::MaterialColors);
    for (material, color) in (0..).map(ClipMaterial).zip(&written.colors) {
        for (part, track) in (0_u8..).zip(&color.parts) {
            same(&read, &Target::MaterialColor { material, part }, track, Unit::Color8);
        }
    }
    let table = |seed: u32, count| (0..count).map(|k| ((seed * 40 + k * 9) % 256) as f32).collect::<Vec<f32>>();
    let colors = (0..3).map(|m| ColorTracks {
        material: format!("m{m}"),
        id: 0,
        parts: [table(m, 9), table(m, 1), Vec::new(), table(m + 1, 12)],
    });
    let written = MaterialColorClip { loop_mode: 2, duration: 12, colors: colors.collect() };
    let read = clip("made.bpa", &encode_bpa(&written));
    for (material, color) in (0..).map(ClipMaterial).zip(&written.colors) {
        for (part, table) in (0_u8..).zip(&color.parts) {
            same_table(&read, &Target::MaterialColor { material, part }, table, Unit::Color8);
        }
    }
}

#[test]
fn visibility() {
    let written = VisibilityClip {
        loop_mode: 2,
        duration: 4,
        shapes: vec![vec![true], vec![true, false, true, false], vec![false; 5]],
    };
    let read = clip("made.bva", &encode_bva(&written));
    head(&read, 2, 4, TargetKind::Visibility);
    for (mesh, shown) in (0..).map(MeshIndex).zip(&written.shapes) {
        let values: Vec<f32> = shown.iter().map(|shown| f32::from(u8::from(*shown))).collect();
        same_table(&read, &Target::Visibility { mesh }, &values, Unit::Plain);
    }
}

#[test]
fn clusters_and_vertex_colours() {
    let mut noise = Noise::new(6);
    let weights = vec![Track::Constant(1.0), track(&mut noise), track(&mut noise), track(&mut noise)];
    let written = ClusterClip { loop_mode: 2, duration: 9, weights };
    let read = clip("made.blk", &encode_blk(&written));
    for (cluster, track) in (0_u32..).zip(&written.weights) {
        same(&read, &Target::ClusterWeight { cluster }, track, Unit::Plain);
    }
    let written = ClusterClip { loop_mode: 2, duration: 9, weights: vec![vec![0.5, 0.25], vec![1.0; 9]] };
    let read = clip("made.bla", &encode_bla(&written));
    for (cluster, table) in (0_u32..).zip(&written.weights) {
        same_table(&read, &Target::ClusterWeight { cluster }, table, Unit::Plain);
    }

    let mut group =
        |vertices: Vec<u16>| VertexColorTracks { vertices, parts: std::array::from_fn(|_| track(&mut noise)) };
    let sets = [vec![group(vec![0, 3, 5]), group(vec![9])], vec![group(vec![1, 2])]];
    let written = VertexColorClip { loop_mode: 2, duration: 9, sets };
    let read = clip("made.bxk", &encode_bxk(&written));
    for (set, groups) in (0_u8..).zip(&written.sets) {
        for (group, colors) in (0_u32..).zip(groups) {
            for (part, track) in (0_u8..).zip(&colors.parts) {
                same(&read, &Target::VertexColor { group, set, part }, track, Unit::Color8);
            }
        }
    }
    let table = VertexColorTracks { vertices: vec![4], parts: [vec![1.0, 2.0], vec![255.0], Vec::new(), vec![7.0; 3]] };
    let written =
        VertexColorClip { loop_mode: 2, duration: 9, sets: [vec![table.clone()], vec![table.clone(), table]] };
    let read = clip("made.bxa", &encode_bxa(&written));
    for (set, groups) in (0_u8..).zip(&written.sets) {
        for (group, colors) in (0_u32..).zip(groups) {
            for (part, table) in (0_u8..).zip(&colors.parts) {
                same_table(&read, &Target::VertexColor { group, set, part }, table, Unit::Color8);
            }
        }
    }
}

/// Angles come back from 16 bits; everything else to the bit.
fn same_material(name: &str, written: &TevMaterial, read: &TevMaterial) {
    let mut read = read.clone();
    for (slot, (was, is)) in written.texture_matrices.iter().zip(&mut read.texture_matrices).enumerate() {
        if let (Some(was), Some(is)) = (was, is) {
            assert_near(&is.rotation, &was.rotation, 1e-5, format_args!("{name}, matrix {slot}"));
            is.rotation = was.rotation;
        }
    }
    assert_eq!(read, *written, "{name}");
}

#[test]
fn materials_of_every_kind() {
    let mut noise = Noise::new(7);
    let mut materials: Vec<Material> =
        (0..200).map(|i| Material::new(&format!("m{i}"), any_material(&mut noise))).collect();
    // Two materials may share an entry.
    materials.push(Material { name: "again".into(), ..materials[3].clone() });
    let clip = clip("made.bmt", &encode_bmt(Some(&materials), None));
    let set = clip.material_set.as_ref().expect("a set");
    assert!(set.textures.is_none());
    assert_eq!(set.materials.len(), materials.len());
    for (written, read) in materials.iter().zip(&set.materials) {
        assert_eq!(read.name, written.name);
        same_material(&written.name, &written.state, read.tev().expect("a material in full"));
    }
}

#[test]
fn textures_of_every_format() {
    let side = 24_u16;
    let rgba: Vec<u8> = (0..side * side)
        .flat_map(|i| {
            let (x, y) = ((i % side * 10) as u8, (i / side * 10) as u8);
            // Smooth, so that what is compressed can follow; the same in all parts, so that intensities can.
            [x / 2 + y / 2, x / 2 + y / 2, x / 2 + y / 2, 255]
        })
        .collect();
    let textures: Vec<Texture> = (TextureFormat::ALL.iter())
        .map(|format| Texture {
            lod_bias: -0.5,
            ..Texture::of_rgba(&format!("{format:?}"), *format, [side; 2], 3, &rgba)
        })
        .collect();
    let clip = clip("made.bmt", &encode_bmt(None, Some(&textures)));
    let set = clip.material_set.as_ref().expect("a set");
    let read = set.textures.as_ref().expect("textures");
    assert_eq!(read.len(), textures.len());
    for (format, texture) in TextureFormat::ALL.iter().zip(read) {
        assert_eq!(texture.name, format!("{format:?}"));
        let sizes: Vec<(u32, u32)> = texture.mips.iter().map(|mip| (mip.width, mip.height)).collect();
        assert_eq!(sizes, [(24, 24), (12, 12), (6, 6)], "{format:?}");
        assert_eq!((texture.lod_bias, texture.max_lod), (-0.5, 2.0));
        // Steps of four bits are 17 apart, and sixteen colours of a smooth picture 16.
        let allowed = match format {
            TextureFormat::I4 | TextureFormat::Ia4 => 9,
            TextureFormat::C4 => 14,
            TextureFormat::C8 | TextureFormat::C14x2 | TextureFormat::Rgb565 | TextureFormat::Rgb5a3 => 5,
            TextureFormat::Cmpr => 12,
            _ => 0,
        };
        let worst = (texture.mips[0].rgba.iter().zip(&rgba).enumerate())
            // Intensities without alpha have their own as alpha.
            .filter(|(i, _)| i % 4 != 3 || !matches!(format, TextureFormat::I4 | TextureFormat::I8))
            .map(|(_, (a, b))| a.abs_diff(*b))
            .max();
        assert!(worst <= Some(allowed), "{format:?}: {worst:?}");
    }
}
