//! A clip with scales: parents grow unevenly and children turn, with a different result for each scaling rule.

use super::rig::{Rig, angle16};
use bonebox::formats::j3d::encode::{AxisTracks, JointClip, Track};

const LENGTH: f32 = 90.0;

pub fn grow(rig: &Rig) -> JointClip {
    let cycle = |low: f32, high: f32, late: f32| {
        Track::cycle(&[(0.0, low), (20.0 + late, low), (45.0 + late, high), (65.0, high), (LENGTH, low)], LENGTH)
    };
    let joints = rig.bones.iter().enumerate().map(|(index, bone)| {
        let late = index as f32 * 2.0;
        std::array::from_fn(|axis| {
            let scale = match (index, axis) {
                (2, 1) => cycle(1.0, 1.7, late),
                (2, _) => cycle(1.0, 0.7, late),
                (4, 0) => cycle(1.0, 2.2, late),
                (4, 2) => cycle(1.0, 0.6, late),
                _ => Track::Constant(1.0),
            };
            // Bends to one side and, farther up, forwards.
            let rotation = match (index, axis) {
                (2..=4, 2) => cycle(0.0, angle16(-30.0), late),
                (5..=6, 2) => cycle(0.0, angle16(-42.0), late),
                (3, 0) => cycle(0.0, angle16(14.0), late),
                _ => Track::Constant(0.0),
            };
            AxisTracks { scale, rotation, translation: Track::Constant(bone.translation[axis]) }
        })
    });
    JointClip { loop_mode: 2, rotation_shift: 0, duration: LENGTH as u16, joints: joints.collect(), sounds: Vec::new() }
}
