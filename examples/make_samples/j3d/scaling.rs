//! One arm under the three scaling rules: the same joints, keys and surface, and three shapes of it.

use super::{
    archive_file,
    build::model,
    moves_of_scale::grow,
    rig::Rig,
    squid::Part,
    surface::{Corner, sheet, sphere},
};
use bonebox::formats::{
    archive::encode::{Folder, encode_rarc},
    containers::encode::gcm,
    j3d::encode::{encode_bck, encode_model},
};
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

const SEGMENTS: usize = 6;
const LENGTH: f32 = 24.0;

const DISC_README: &[u8] = b"A disc of the bone box: an arm, and how it grows.\n";

fn bmd(rule: u16) -> Vec<u8> {
    let (mut rig, bones) = skeleton();
    let parts = vec![Part { material: "Skin", triangles: arm(&mut rig, &bones), billboard: false }];
    encode_model(&model(&rig, parts, rule))
}

/// A disc with an arm and its clip as files of their own.
pub fn disc() -> Vec<u8> {
    let clip = encode_bck(&grow(&skeleton().0));
    gcm("Bone box", &[("arm/arm.bmd", &bmd(2)), ("arm/grow.bck", &clip), ("readme.txt", DISC_README)])
}

/// The archive with the three models and the clip for all of them.
pub fn archive() -> Vec<u8> {
    let models = [("basic", 0), ("softimage", 1), ("maya", 2)]
        .map(|(name, rule)| archive_file(&format!("{name}.bmd"), bmd(rule)));
    let folder = |name: &str, files| Folder { name: name.into(), files, folders: Vec::new() };
    let (rig, _) = skeleton();
    encode_rarc(&Folder {
        name: "scalingrules".into(),
        files: Vec::new(),
        folders: vec![
            folder("bmd", models.into()),
            folder("bck", vec![archive_file("grow.bck", encode_bck(&grow(&rig)))]),
        ],
    })
}

fn skeleton() -> (Rig, Vec<usize>) {
    let mut rig = Rig::default();
    let mut bones = vec![rig.bone("Root", None, Vec3::ZERO, [0.0; 3])];
    for index in 0..SEGMENTS {
        let parent = bones[index];
        let up = if index == 0 { 12.0 } else { LENGTH };
        bones.push(rig.bone(&format!("Arm{}", index + 1), Some(parent), Vec3::Y * up, [0.0; 3]));
    }
    (rig, bones)
}

/// An arm that stands on a knob, with suckers.
fn arm(rig: &mut Rig, bones: &[usize]) -> super::surface::Triangles {
    let top = LENGTH * SEGMENTS as f32;
    let mut out = sheet(rig, 20, 8, |u, v| {
        Corner::rigid(
            sphere(Vec3::Y * 6.0, Vec3::new(24.0, 12.0, 24.0), u, v),
            Vec2::new(u * 3.0, 0.1 + v * 0.3),
            bones[0],
        )
    });
    let bones = bones.to_vec();
    out.extend(sheet(rig, 16, 36, |u, v| {
        let height = v * top;
        let s = v * SEGMENTS as f32;
        let end = (1.0 - (1.0 - ((1.0 - v) / 0.06).min(1.0)).powi(2)).max(0.0).sqrt();
        let radius = (13.0 - 6.5 * v) * end;
        let (sin, cos) = (u * TAU).sin_cos();
        let position = Vec3::new(sin * radius, 12.0 + height, cos * radius);
        // Halves of a segment share two joints.
        let nearest = s.round().min(SEGMENTS as f32 - 1.0);
        let own = ((s - nearest + 0.45) / 0.9).clamp(0.0, 1.0);
        let index = nearest as usize;
        let weights = vec![(bones[index + 1], own), (bones[index], 1.0 - own)];
        Corner { position, uv: Vec2::new(u - 0.5, 2.0 + s * 0.5), color: None, weights }
    }));
    out
}
