//! Lumo, a squid in a space suit: joints and surfaces.

use super::{
    rig::Rig,
    surface::{Corner, Triangles, sheet, sphere, torus, turned},
};
use glam::{Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, TAU};

/// Centre of the head, the helmet and the ring.
const HEAD: Vec3 = Vec3::new(0.0, 160.0, 0.0);
const HEAD_RADII: Vec3 = Vec3::new(43.0, 44.0, 41.0);
const HELMET: f32 = 64.0;
const COLLAR_HEIGHT: f32 = 112.0;
const BELLY: Vec3 = Vec3::new(0.0, 88.0, 0.0);
/// Joints of an arm or a leg.
pub const SEGMENTS: usize = 5;
/// Where legs and arms leave the body: degrees from the front to its left.
pub const LIMBS: [(&str, f32); 8] = [
    ("ArmL", 90.0),
    ("ArmR", -90.0),
    ("LegFL", 30.0),
    ("LegFR", -30.0),
    ("LegL", 90.0),
    ("LegR", -90.0),
    ("LegBL", 150.0),
    ("LegBR", -150.0),
];

/// Joints by what they are.
pub struct Joints {
    pub root: usize,
    pub hover: usize,
    pub belly: usize,
    pub head: usize,
    pub antenna: [usize; 2],
    pub lamp: usize,
    pub ring: usize,
    pub limbs: Vec<[usize; SEGMENTS]>,
}

/// Lengths of the segments of a limb.
fn segment(limb: usize) -> f32 {
    if limb < 2 { 13.0 } else { 12.0 }
}

pub fn skeleton() -> (Rig, Joints) {
    let mut rig = Rig::default();
    let none = [0.0; 3];
    let root = rig.bone("Root", None, Vec3::ZERO, none);
    let hover = rig.bone("Hover", Some(root), BELLY, none);
    let belly = rig.bone("Belly", Some(hover), Vec3::ZERO, none);
    let head = rig.bone("Head", Some(belly), Vec3::new(0.0, COLLAR_HEIGHT, 0.0) - BELLY, none);
    let top = HEAD + Vec3::Y * (HELMET + 2.0) - Vec3::Y * COLLAR_HEIGHT;
    let first = rig.bone("Antenna1", Some(head), top, none);
    let second = rig.bone("Antenna2", Some(first), Vec3::Y * 15.0, none);
    let lamp = rig.bone("Lamp", Some(second), Vec3::Y * 20.0, none);
    // Tilted by a joint of its own, so that the ring turns within its plane; low enough to leave the face free.
    let tilt = rig.bone("RingTilt", Some(head), HEAD - Vec3::Y * (COLLAR_HEIGHT + 12.0), [15.0, 0.0, -11.0]);
    let ring = rig.bone("Ring", Some(tilt), Vec3::ZERO, [0.0; 3]);
    let limbs = (LIMBS.iter().enumerate())
        .map(|(limb, (name, degrees))| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let (radius, height) = if limb < 2 { (30.0, 8.0) } else { (17.0, -24.0) };
            let at = Vec3::new(sin * radius, height, cos * radius);
            // Z of each joint leads outwards, −Y along a leg and Z along an arm.
            let mut parent = rig.bone(&format!("{name}1"), Some(belly), at, [limb_tilt(limb, 0), *degrees, 0.0]);
            let mut joints = [parent; SEGMENTS];
            for (index, joint) in joints.iter_mut().enumerate().skip(1) {
                let along = Vec3::NEG_Y * segment(limb);
                parent =
                    rig.bone(&format!("{name}{}", index + 1), Some(parent), along, [limb_tilt(limb, index), 0.0, 0.0]);
                *joint = parent;
            }
            joints
        })
        .collect();
    (rig, Joints { root, hover, belly, head, antenna: [first, second], lamp, ring, limbs })
}

/// How far a limb's joint turns up from the one before, at rest.
fn limb_tilt(limb: usize, joint: usize) -> f32 {
    let arm = [-62.0, 8.0, -6.0, -22.0, -30.0];
    let leg = [-30.0, 4.0, -8.0, -24.0, -34.0];
    if limb < 2 { arm[joint] } else { leg[joint] }
}

/// A surface by its material.
pub struct Part {
    pub material: &'static str,
    pub triangles: Triangles,
    /// Turns towards the camera.
    pub billboard: bool,
}

pub fn parts(rig: &mut Rig, joints: &Joints) -> Vec<Part> {
    let part = |material, triangles| Part { material, triangles, billboard: false };
    vec![
        part("Skin", [head(rig, joints), fins(rig, joints), limbs(rig, joints)].concat()),
        part("Suit", suit(rig, joints)),
        part("Chrome", chrome(rig, joints)),
        part("Eyes", [face_patch(rig, joints, 21.0), face_patch(rig, joints, -21.0)].concat()),
        part("Mouth", mouth(rig, joints)),
        part("Lamp", sheet(rig, 16, 10, |u, v| lamp_corner(rig_place(joints), u, v, joints.lamp))),
        Part { material: "Glint", triangles: glint(rig, joints), billboard: true },
        part("Ring", ring(rig, joints)),
        part("Glass", glass(rig, joints)),
        part("Shadow", shadow(rig, joints)),
    ]
}

/// Where the lamp rests.
fn rig_place(_: &Joints) -> Vec3 {
    HEAD + Vec3::Y * (HELMET + 2.0 + 35.0)
}

fn lamp_corner(center: Vec3, u: f32, v: f32, joint: usize) -> Corner {
    Corner::rigid(sphere(center, Vec3::splat(8.5), u, v), Vec2::new(u, v), joint)
}

/// An egg, its narrow end down in the collar.
fn head_point(u: f32, v: f32) -> Vec3 {
    let narrow = 1.0 - 0.16 * (1.0 - v).powi(2);
    sphere(HEAD, HEAD_RADII * Vec3::new(narrow, 1.0, narrow), u, v)
}

fn head(rig: &mut Rig, joints: &Joints) -> Triangles {
    sheet(rig, 32, 20, |u, v| Corner::rigid(head_point(u, v), Vec2::new(u * 2.0 + 0.5, (1.0 - v) * 0.5), joints.head))
}

/// Two fins on the head, as squids have them.
fn fins(rig: &mut Rig, joints: &Joints) -> Triangles {
    let mut out = Vec::new();
    for side in [1.0_f32, -1.0] {
        out.extend(sheet(rig, 12, 8, |u, v| {
            // A flat cone that leans out of the side of the head.
            let angle = u * TAU;
            let width = (1.0 - v).powf(0.7);
            let around = Vec3::new(angle.sin() * 12.0, 0.0, angle.cos() * 6.0) * width;
            let out_and_up = Vec3::new(0.62 * side, 0.78, -0.05);
            let base = HEAD + Vec3::new(29.0 * side, 27.0, -2.0);
            let along = out_and_up * (v * 27.0 - 5.0);
            let position = base + along + around - Vec3::X * (side * v * v * -3.0);
            Corner::rigid(position, Vec2::new(u, 0.2 + 0.2 * v), joints.head)
        }));
    }
    out
}

/// Weights along a limb at `s` segments from its start: two joints share a quarter of a segment on each side of where they meet.
fn limb_weights(joints: &[usize; SEGMENTS], belly: usize, s: f32) -> Vec<(usize, f32)> {
    const REACH: f32 = 0.45;
    let nearest = s.round();
    let off = s - nearest;
    let joint = |index: f32| {
        if index < 0.0 { belly } else { joints[(index as usize).min(SEGMENTS - 1)] }
    };
    let own = (off + REACH) / (2.0 * REACH);
    if off.abs() >= REACH || nearest >= SEGMENTS as f32 {
        vec![(joint((s).floor()), 1.0)]
    } else {
        vec![(joint(nearest - 1.0), 1.0 - own), (joint(nearest), own)]
    }
}

fn limbs(rig: &mut Rig, joints: &Joints) -> Triangles {
    let mut out = Vec::new();
    for (limb, bones) in joints.limbs.iter().enumerate() {
        // The path at rest, in the model: through the joints and one segment beyond.
        let mut path: Vec<Vec3> = bones.iter().map(|bone| rig.place(*bone)).collect();
        let last = rig.bones[bones[SEGMENTS - 1]].world_from_joint;
        path.push(last.transform_point3(Vec3::NEG_Y * segment(limb)));
        let inside = path[0] * 2.0 - path[1];
        let side: Vec3 = rig.bones[bones[0]].world_from_joint.transform_vector3(Vec3::X);
        let (belly, bones) = (joints.belly, *bones);
        let thick = if limb < 2 { 8.5 } else { 9.5 };
        out.extend(sheet(rig, 12, 18, |u, v| {
            // From half a segment inside the body to the rounded tip; v runs from the tip up.
            let s = -0.5 + (1.0 - v) * (SEGMENTS as f32 + 0.5);
            let point = |s: f32| {
                let index = s.floor().clamp(-1.0, SEGMENTS as f32 - 1.0);
                let at = |k: f32| if k < 0.0 { inside } else { path[(k as usize).min(SEGMENTS)] };
                let t = s - index;
                let [p0, p1, p2, p3] = [at(index - 1.0), at(index), at(index + 1.0), at(index + 2.0)];
                0.5 * (2.0 * p1
                    + (p2 - p0) * t
                    + (2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3) * t * t
                    + (3.0 * p1 - p0 - 3.0 * p2 + p3) * t * t * t)
            };
            let back = (point(s - 0.05) - point(s + 0.05)).normalize_or(Vec3::Y);
            let other = side.cross(back).normalize_or(Vec3::Z);
            let end = (SEGMENTS as f32 - s).max(0.0);
            let taper = thick * (1.0 - 0.11 * s.max(0.0));
            let radius = taper * (1.0 - (1.0 - (end / 0.55).min(1.0)).powi(2)).max(0.0).sqrt();
            let (sin, cos) = (u * TAU).sin_cos();
            let position = point(s) + (side * sin - other * cos) * radius;
            let weights = limb_weights(&bones, belly, s.clamp(-0.44, SEGMENTS as f32 - 0.01));
            // The second half of the skin's picture has suckers on one side.
            Corner { position, uv: Vec2::new(u, 2.0 + s * 0.5), color: None, weights }
        }));
    }
    out
}

/// The suit: from the collar down over the belly.
fn suit(rig: &mut Rig, joints: &Joints) -> Triangles {
    let profile = |v: f32| {
        let angle = (v - 0.5) * std::f32::consts::PI;
        let radius = 33.0 * angle.cos().max(0.0).powf(0.75) + 9.0 * (v - 0.2).max(0.0);
        (radius, 28.0 * angle.sin() - 3.0)
    };
    sheet(rig, 28, 16, |u, v| {
        let position = turned(BELLY, u, profile(v));
        let head = ((v - 0.72) / 0.28).clamp(0.0, 1.0) * 0.75;
        let weights = vec![(joints.belly, 1.0 - head), (joints.head, head)];
        Corner { position, uv: Vec2::new(u * 2.0, 1.0 - v), color: None, weights }
    })
}

/// Collar, belt buckle, the cuffs of the arms and the antenna.
fn chrome(rig: &mut Rig, joints: &Joints) -> Triangles {
    let collar = Vec3::Y * COLLAR_HEIGHT;
    let mut out =
        sheet(rig, 40, 14, |u, v| Corner::rigid(torus(collar, 42.0, 7.5, u, v), Vec2::new(u, v), joints.head));
    let buckle = BELLY + Vec3::new(0.0, -2.0, 31.0);
    out.extend(sheet(rig, 16, 10, |u, v| {
        Corner::rigid(sphere(buckle, Vec3::new(8.0, 8.0, 4.0), u, v), Vec2::new(u, v), joints.belly)
    }));
    for limb in 0..2 {
        let bone = joints.limbs[limb][1];
        let model_from_joint = rig.bones[bone].world_from_joint;
        out.extend(sheet(rig, 20, 8, |u, v| {
            let position = model_from_joint.transform_point3(torus(Vec3::NEG_Y * 4.0, 8.2, 3.0, u, v));
            Corner::rigid(position, Vec2::new(u, v), bone)
        }));
    }
    let foot = HEAD + Vec3::Y * (HELMET - 2.0);
    out.extend(sheet(rig, 16, 4, |u, v| {
        let profile = (9.0 * (v * FRAC_PI_2).cos(), 6.0 * (v * FRAC_PI_2).sin());
        Corner::rigid(turned(foot, u, profile), Vec2::new(u, v), joints.head)
    }));
    out.extend(sheet(rig, 10, 14, |u, v| {
        // A coil: the radius swells along the way.
        let radius = 2.2 + 0.9 * (v * TAU * 5.0).cos();
        let position = turned(foot + Vec3::Y * 4.0, u, (radius, v * 34.0));
        let (low, high) = ((1.0 - v * 2.4).max(0.0), (v * 2.0 - 1.0).max(0.0));
        let weights = vec![(joints.antenna[0], 1.0 - low - high), (joints.antenna[1], high), (joints.head, low)];
        Corner { position, uv: Vec2::new(u, v), color: None, weights }
    }));
    out
}

/// A round patch that lies on the face, a little above it.
fn on_face(yaw: f32, pitch: f32, lift: f32) -> Vec3 {
    let v = pitch / 180.0 + 0.5;
    let point = head_point(yaw / 360.0, v);
    point + (point - HEAD).normalize_or(Vec3::Z) * lift
}

fn face_patch(rig: &mut Rig, joints: &Joints, yaw: f32) -> Triangles {
    sheet(rig, 24, 5, |u, v| {
        // v goes from the rim to the middle.
        let (sin, cos) = (u * TAU).sin_cos();
        let (x, y) = (sin * (1.0 - v), cos * (1.0 - v));
        let bulge = 1.2 + 3.4 * (1.0 - (x * x + y * y)).max(0.0).sqrt();
        let position = on_face(yaw + x * 16.5, 3.0 + y * 21.0, bulge);
        Corner::rigid(position, Vec2::new(0.5 + 0.5 * x, 0.5 - 0.5 * y), joints.head)
    })
    .into_iter()
    // Around the rim clockwise seen from outside: turned over.
    .map(|[a, b, c]| {
        [a, c, b].map(|mut corner| {
            corner.normal = corner.normal.map(|n| n.map(|part| -part));
            corner
        })
    })
    .collect()
}

fn mouth(rig: &mut Rig, joints: &Joints) -> Triangles {
    sheet(rig, 8, 4, |u, v| {
        let position = on_face((u - 0.5) * 34.0, -21.0 + (v - 0.5) * 22.0, 0.9);
        Corner::rigid(position, Vec2::new(u, 1.0 - v), joints.head)
    })
}

fn glint(rig: &mut Rig, joints: &Joints) -> Triangles {
    let center = rig_place(joints);
    sheet(rig, 1, 1, |u, v| {
        let position = center + Vec3::new(u - 0.5, v - 0.5, 0.0) * 62.0;
        Corner::rigid(position, Vec2::new(u, 1.0 - v), joints.lamp)
    })
}

/// The ring: a band with a colour of its own at each place.
fn ring(rig: &mut Rig, joints: &Joints) -> Triangles {
    let model_from_joint = rig.bones[joints.ring].world_from_joint;
    sheet(rig, 64, 2, |u, v| {
        let local = turned(Vec3::ZERO, u, (90.0 + (v - 0.5) * 7.0, (v - 0.5) * 21.0));
        let hue = |shift: f32| (((u + shift) * TAU).cos() * 0.5 + 0.5) * 175.0 + 80.0;
        let fade = if v == 0.5 { 255.0 } else { 150.0 };
        Corner {
            position: model_from_joint.transform_point3(local),
            uv: Vec2::new(u * 4.0, 1.0 - v),
            color: Some([hue(0.5), hue(0.85), hue(0.15), fade].map(|part| part as u8)),
            weights: vec![(joints.ring, 1.0)],
        }
    })
}

fn glass(rig: &mut Rig, joints: &Joints) -> Triangles {
    sheet(rig, 36, 24, |u, v| {
        Corner::rigid(sphere(HEAD, Vec3::splat(HELMET), u, 0.22 + 0.78 * v), Vec2::new(u, 1.0 - v), joints.head)
    })
}

fn shadow(rig: &mut Rig, joints: &Joints) -> Triangles {
    sheet(rig, 1, 1, |u, v| {
        let position = Vec3::new(u - 0.5, 0.0, 0.5 - v) * 150.0;
        Corner::rigid(position, Vec2::new(u, 1.0 - v), joints.root)
    })
}
