//! Ossie's clips: Idle, Walk and Cheer, 30 frames per second. Each loops from its last frame to its first.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};

use super::actorx::Clip;
use super::creature::{Skeleton, knee_direction, leg_path};
use super::mesh::smoothstep;
use super::rig::Pose;

const RATE_HZ: f32 = 30.0;

/// Where a foot is: its joint, and how the foot is turned from rest.
#[derive(Clone, Copy)]
struct Foot {
    ankle: Vec3,
    turn: Quat,
}

/// One frame before what follows by itself (ears, tail, tongue, belly) and before the legs are bent.
struct Frame {
    pose: Pose,
    feet: [Foot; 4],
    /// How far the lid is held open, in degrees.
    lid_open: f32,
    blink: f32,
    smile: f32,
}

impl Frame {
    fn rest(skeleton: &Skeleton) -> Self {
        let feet = [0, 1, 2, 3].map(|leg| Foot { ankle: leg_path(leg)[2], turn: Quat::IDENTITY });
        Self { pose: Pose::rest(&skeleton.rig), feet, lid_open: 0.0, blink: 0.0, smile: 0.0 }
    }
}

/// The value at `frame` of keys (frame, value), eased in and out of each.
fn keyed(keys: &[(f32, f32)], frame: f32) -> f32 {
    for pair in keys.windows(2) {
        let [(from, a), (to, b)] = [pair[0], pair[1]];
        if frame <= to {
            return a + (b - a) * smoothstep(from, to, frame);
        }
    }
    keys.last().map_or(0.0, |key| key.1)
}

/// A short pulse, 1 at `at`, 0 beyond `width` of it.
fn pulse(at: f32, width: f32, frame: f32) -> f32 {
    smoothstep(width, 0.0, (frame - at).abs())
}

/// What a weight on a spring does under a force per frame, looped until the loop closes. Frequency of the spring in Hz,
/// damping as a share of the critical one.
fn follow(force: &[f32], frequency_hz: f32, damping: f32) -> Vec<f32> {
    const STEPS: usize = 8;
    let omega = frequency_hz * TAU;
    let step = 1.0 / RATE_HZ / STEPS as f32;
    let (mut place, mut speed) = (0.0f32, 0.0f32);
    let mut places = vec![0.0; force.len()];
    for _ in 0..4 {
        for frame in 0..force.len() {
            places[frame] = place;
            let next = force[(frame + 1) % force.len()];
            for sub in 0..STEPS {
                let force = force[frame] + (next - force[frame]) * sub as f32 / STEPS as f32;
                speed += (force - omega * omega * place - 2.0 * damping * omega * speed) * step;
                place += speed * step;
            }
        }
    }
    places
}

/// Accelerations of a bone's point over a looping clip, in units per second squared.
fn accelerations(skeleton: &Skeleton, frames: &[Frame], bone: usize, at: Vec3) -> Vec<Vec3> {
    let local = at - skeleton.rig.bones[bone].position;
    let places: Vec<Vec3> =
        frames.iter().map(|frame| frame.pose.world_from_bone(&skeleton.rig, bone).transform_point3(local)).collect();
    let count = places.len();
    (0..count)
        .map(|f| (places[(f + 1) % count] - 2.0 * places[f] + places[(f + count - 1) % count]) * RATE_HZ * RATE_HZ)
        .collect()
}

/// Lets loose parts follow, opens the lid, bends the legs.
fn finish(skeleton: &Skeleton, name: &'static str, group: &'static str, mut frames: Vec<Frame>) -> Clip {
    let rig = &skeleton.rig;
    let force =
        |accelerations: &[Vec3], along: Vec3| -> Vec<f32> { accelerations.iter().map(|a| a.dot(along)).collect() };

    // The lid's inertia: it stays behind when the body drops, and cannot close further than closed.
    let at_front = accelerations(skeleton, &frames, skeleton.body, Vec3::new(0.0, -20.0, 50.0));
    let clatter = follow(&force(&at_front, Vec3::NEG_Z * 0.9), 3.4, 0.35);
    for (frame, clatter) in frames.iter_mut().zip(clatter) {
        let open = (frame.lid_open + clatter.clamp(-20.0, 9.0)).max(0.0);
        frame.pose.turn(skeleton.lid, Vec3::X * -open);
    }

    for (side, ear) in skeleton.ears.iter().enumerate() {
        let outward = if side == 0 { 1.0 } else { -1.0 };
        let moved = accelerations(skeleton, &frames, skeleton.lid, rig.bones[ear[0]].position);
        for (segment, bone) in ear.iter().enumerate() {
            let looser = segment as f32;
            let (hz, gain) = (2.6 - 0.35 * looser, 1.0 + 0.45 * looser);
            let pitch = follow(&force(&moved, Vec3::new(0.0, 1.1, -0.45) * gain), hz, 0.22);
            let roll = follow(&force(&moved, Vec3::new(-1.1, 0.0, 0.9 * outward) * gain), hz, 0.22);
            for (frame, (pitch, roll)) in frames.iter_mut().zip(pitch.into_iter().zip(roll)) {
                frame.pose.turn(*bone, Vec3::new(pitch.clamp(-38.0, 38.0), roll.clamp(-38.0, 38.0), 0.0));
            }
        }
    }

    let moved = accelerations(skeleton, &frames, skeleton.rump, rig.bones[skeleton.tail[0]].position);
    for (segment, bone) in skeleton.tail.iter().enumerate() {
        let hz = 2.4 - 0.2 * segment as f32;
        let pitch = follow(&force(&moved, Vec3::NEG_Z * 0.6), hz, 0.25);
        let yaw = follow(&force(&moved, Vec3::X * 0.9), hz, 0.25);
        for (frame, (pitch, yaw)) in frames.iter_mut().zip(pitch.into_iter().zip(yaw)) {
            frame.pose.turn(*bone, Vec3::new(pitch.clamp(-26.0, 26.0), 0.0, yaw.clamp(-26.0, 26.0)));
        }
    }

    let moved = accelerations(skeleton, &frames, skeleton.body, Vec3::new(0.0, 0.0, 22.0));
    let jiggle = follow(&force(&moved, Vec3::NEG_Z), 4.0, 0.3);
    let flap = follow(&force(&moved, Vec3::NEG_Z * 1.4), 3.0, 0.25);
    for (frame, (jiggle, flap)) in frames.iter_mut().zip(jiggle.into_iter().zip(flap)) {
        frame.pose.shift(skeleton.belly, Vec3::Z * jiggle.clamp(-3.0, 3.0));
        // The tongue has the lid above it: it lifts only as far as that is open.
        let room = frame.lid_open.clamp(0.0, 14.0);
        for bone in &skeleton.tongue {
            frame.pose.turn(*bone, Vec3::X * -flap.clamp(-3.0, room));
        }
        for (leg, bones) in skeleton.legs.iter().enumerate() {
            let foot = frame.feet[leg];
            frame.pose.plant(rig, *bones, foot.ankle, foot.turn, knee_direction(leg));
        }
    }

    let curve = |value: fn(&Frame) -> f32| frames.iter().map(|frame| value(frame).clamp(0.0, 1.0)).collect();
    let curves = vec![("Blink", curve(|frame| frame.blink)), ("Smile", curve(|frame| frame.smile))];
    Clip { name, group, rate_hz: RATE_HZ, frames: frames.into_iter().map(|frame| frame.pose).collect(), curves }
}

fn frames(count: usize, skeleton: &Skeleton, pose: impl Fn(f32, &mut Frame)) -> Vec<Frame> {
    (0..count)
        .map(|index| {
            let mut frame = Frame::rest(skeleton);
            pose(index as f32, &mut frame);
            frame
        })
        .collect()
}

/// Wags the tail: a wave that runs along it.
fn wag(skeleton: &Skeleton, frame: &mut Frame, degrees: f32, turns: f32) {
    for (segment, bone) in skeleton.tail.iter().enumerate() {
        let wave = (TAU * turns - 0.55 * segment as f32).sin();
        frame.pose.turn(*bone, Vec3::new(0.0, 0.0, degrees * wave * (0.6 + 0.15 * segment as f32)));
    }
}

fn idle(skeleton: &Skeleton) -> Clip {
    const FRAMES: usize = 120;
    let frames = frames(FRAMES, skeleton, |f, frame| {
        let t = f / FRAMES as f32;
        let breath = (TAU * 2.0 * t).sin();
        let deep = (TAU * 2.0 * t - 0.6).sin();
        let sway = (TAU * t).sin();
        // Looks to its left, then up to its right, then at us.
        let yaw =
            keyed(&[(0.0, 0.0), (14.0, 0.0), (22.0, 24.0), (44.0, 24.0), (54.0, -20.0), (80.0, -20.0), (92.0, 0.0)], f);
        let up = keyed(&[(0.0, 0.0), (48.0, 0.0), (58.0, 14.0), (78.0, 14.0), (90.0, 0.0)], f);
        let late_yaw =
            keyed(&[(0.0, 0.0), (17.0, 0.0), (30.0, 1.0), (46.0, 1.0), (62.0, -1.0), (82.0, -1.0), (100.0, 0.0)], f);
        let tilt = keyed(&[(0.0, 0.0), (56.0, 0.0), (66.0, 1.0), (80.0, 1.0), (94.0, 0.0)], f);
        let pose = &mut frame.pose;
        pose.shift(skeleton.pelvis, Vec3::new(0.9 * sway - 1.2 * late_yaw, 0.0, -0.5 + 0.7 * breath));
        pose.turn(skeleton.pelvis, Vec3::new(-1.5 * tilt, 1.2 * sway + 4.0 * tilt, 9.0 * late_yaw));
        pose.turn(skeleton.body, Vec3::new(0.7 * deep, 0.0, 0.0));
        pose.shift(skeleton.chest, Vec3::new(0.0, -0.5, 0.2) * deep);
        pose.shift(skeleton.belly, Vec3::new(0.0, -0.3, -0.5) * deep);
        for eye in skeleton.eyes {
            pose.turn(eye, Vec3::new(-up, 0.0, yaw));
        }
        // One ear flicks, then the other.
        let flick = |at: f32| {
            let since = (f - at).max(0.0) / RATE_HZ;
            smoothstep(0.0, 0.05, since) * (-since * 6.0).exp() * (since * TAU * 4.5).cos()
        };
        for (segment, bone) in skeleton.ears[0].iter().enumerate() {
            pose.turn(*bone, Vec3::new(-4.0 * deep, 20.0 * flick(34.0 + segment as f32), 0.0));
        }
        for (segment, bone) in skeleton.ears[1].iter().enumerate() {
            pose.turn(*bone, Vec3::new(-4.0 * deep, -22.0 * flick(66.0 + segment as f32), 0.0));
        }
        frame.lid_open = 1.2 + 1.6 * deep + 3.0 * tilt;
        let shut = |at: f32| smoothstep(at - 2.5, at, f) * smoothstep(at + 4.5, at + 1.0, f);
        frame.blink = shut(16.0) + shut(52.0) + shut(98.0) + shut(106.0);
        frame.smile = 0.15 + 0.5 * tilt;
        wag(skeleton, frame, 9.0 + 7.0 * tilt, t * 4.0);
    });
    finish(skeleton, "Idle", "Base", frames)
}

/// Frames of one walk cycle: two steps of each pair of legs.
const WALK: usize = 24;
/// The share of the cycle that a foot stands.
const STANCE: f32 = 0.58;
/// How far the ground goes by while a foot stands.
const STRIDE: f32 = 16.0;

/// When in the cycle each leg touches down.
const TOUCHDOWN: [f32; 4] = [0.0, 0.5, 0.54, 0.04];

fn walk(skeleton: &Skeleton) -> Clip {
    let frames = frames(WALK, skeleton, |f, frame| {
        let t = f / WALK as f32;
        let twice = |lag: f32| (TAU * 2.0 * (t - lag)).cos();
        let once = |lag: f32| (TAU * (t - lag)).cos();
        let pose = &mut frame.pose;
        // Down just after touchdown, up when legs pass.
        pose.shift(skeleton.pelvis, Vec3::new(1.3 * once(0.27), 0.0, -1.6 - 2.2 * twice(0.10)));
        pose.turn(skeleton.pelvis, Vec3::new(1.6 + 1.8 * twice(0.20), -3.4 * once(0.27), 4.5 * once(0.02)));
        pose.turn(skeleton.body, Vec3::new(1.3 * twice(0.32), 1.6 * once(0.36), -2.0 * once(0.06)));
        pose.turn(skeleton.chest, Vec3::Z * 5.0 * once(0.02));
        pose.turn(skeleton.rump, Vec3::Z * -6.0 * once(0.06));
        for eye in skeleton.eyes {
            pose.turn(eye, Vec3::new(-1.5 - 2.0 * twice(0.20), 0.0, -3.5 * once(0.02)));
        }
        for (leg, touchdown) in TOUCHDOWN.into_iter().enumerate() {
            let rest = leg_path(leg)[2];
            let phase = (t - touchdown).rem_euclid(1.0);
            let (along, lift, pitch) = if phase < STANCE {
                (phase / STANCE - 0.5, 0.0, 0.0)
            } else {
                let s = (phase - STANCE) / (1.0 - STANCE);
                // Leaves with the speed of the ground and comes back to it: a cubic with those slopes at its ends.
                let slope = (1.0 - STANCE) / STANCE;
                let (s2, s3) = (s * s, s * s * s);
                let along = 0.5 * (2.0 * s3 - 3.0 * s2 + 1.0) + slope * (s3 - 2.0 * s2 + s)
                    - 0.5 * (3.0 * s2 - 2.0 * s3)
                    + slope * (s3 - s2);
                let pitch = 34.0 * smoothstep(0.0, 0.22, s) * smoothstep(0.62, 0.22, s)
                    - 16.0 * smoothstep(0.5, 0.8, s) * smoothstep(1.0, 0.84, s);
                (along, 8.0 * (s * std::f32::consts::PI).sin().powf(1.2), pitch)
            };
            let turn = Quat::from_rotation_x(pitch.to_radians());
            // Neither toe nor heel may go through the floor.
            let deepest = [Vec3::new(0.0, -12.0, -6.5), Vec3::new(0.0, 7.4, -6.5)].map(|at| (turn * at).z);
            let clear = -deepest[0].min(deepest[1]) - 6.5;
            let ankle = rest + Vec3::new(0.0, along * STRIDE, lift.max(clear.max(0.0)));
            frame.feet[leg] = Foot { ankle, turn };
        }
        frame.lid_open = 2.0;
        frame.blink = 0.0;
        frame.smile = 0.55;
        wag(skeleton, frame, 11.0, t * 2.0);
        for bone in skeleton.ears.iter().flatten() {
            frame.pose.turn(*bone, Vec3::X * -3.0);
        }
    });
    finish(skeleton, "Walk", "Base", frames)
}

fn cheer(skeleton: &Skeleton) -> Clip {
    const FRAMES: usize = 66;
    /// Frames of take-off and landing.
    const OFF: f32 = 12.0;
    const DOWN: f32 = 30.0;
    let jump = |f: f32| {
        let s = (f - OFF) / (DOWN - OFF);
        if (0.0..1.0).contains(&s) { 4.0 * 34.0 * s * (1.0 - s) } else { 0.0 }
    };
    let frames = frames(FRAMES, skeleton, |f, frame| {
        let high = jump(f);
        let air = smoothstep(OFF, OFF + 4.0, f) * smoothstep(DOWN, DOWN - 4.0, f);
        let crouch = keyed(
            &[
                (0.0, 0.0),
                (7.0, -6.5),
                (8.0, -6.5),
                (12.5, 1.0),
                (16.0, 1.0),
                (28.0, 0.0),
                (30.0, -1.0),
                (33.0, -8.0),
                (38.0, 1.0),
                (43.0, -1.6),
                (48.0, 0.0),
            ],
            f,
        );
        let tall = keyed(
            &[
                (0.0, 1.0),
                (7.0, 0.80),
                (9.0, 0.78),
                (12.5, 1.22),
                (20.0, 0.98),
                (28.0, 1.12),
                (30.0, 1.06),
                (33.0, 0.70),
                (37.0, 1.12),
                (41.0, 0.94),
                (45.0, 1.03),
                (49.0, 1.0),
            ],
            f,
        );
        let pitch = keyed(
            &[(0.0, 0.0), (8.0, 7.0), (13.0, -13.0), (21.0, -3.0), (28.0, 7.0), (33.0, 4.0), (40.0, -2.0), (47.0, 0.0)],
            f,
        );
        let open = keyed(
            &[
                (0.0, 0.0),
                (10.0, 0.0),
                (14.0, 56.0),
                (19.0, 48.0),
                (31.0, 46.0),
                (34.0, 30.0),
                (36.0, 0.0),
                (38.0, 9.0),
                (40.0, 0.0),
            ],
            f,
        );
        // Then it shakes with joy.
        let joy = smoothstep(38.0, 43.0, f) * smoothstep(64.0, 54.0, f);
        let shake = joy * ((f - 38.0) / RATE_HZ * TAU * 3.2).sin();
        let wide = 1.0 / tall.sqrt();
        let pose = &mut frame.pose;
        pose.shift(skeleton.pelvis, Vec3::new(1.2 * shake, 0.0, crouch + high));
        pose.turn(skeleton.pelvis, Vec3::new(pitch, 6.5 * shake, 3.0 * shake));
        pose.scale(skeleton.body, Vec3::new(wide, wide, tall));
        pose.turn(skeleton.body, Vec3::new(0.0, 2.5 * shake, 0.0));
        for leg in 0..4 {
            let rest = leg_path(leg)[2];
            let (side, front) = (if leg % 2 == 0 { 1.0 } else { -1.0 }, leg < 2);
            // On tiptoe just before it leaves the ground.
            let tiptoe =
                Quat::from_rotation_x((9.0 * smoothstep(8.5, 11.0, f) * smoothstep(15.0, OFF, f)).to_radians());
            let heel = Vec3::NEG_Z * ((tiptoe * Vec3::new(0.0, -12.0, -6.5)).z + 6.5);
            let reach = if front { -1.0 } else { 1.0 };
            let turn = tiptoe
                * Quat::from_rotation_x((30.0 * air * keyed(&[(OFF, 1.0), (20.0, 0.4), (DOWN, -0.6)], f)).to_radians())
                * Quat::from_rotation_y((10.0 * side * air).to_radians());
            let splay =
                Vec3::new(3.0 * side, 5.0 * reach, -1.0 + 3.0 * keyed(&[(OFF, 0.0), (20.0, 1.0), (DOWN, 0.0)], f))
                    * air;
            frame.feet[leg] = Foot { ankle: rest + heel + splay + Vec3::Z * high, turn };
            // Boots give way under the landing.
            let flat = 1.0 - 0.22 * pulse(32.0, 4.0, f);
            frame.pose.scale(skeleton.legs[leg][2], Vec3::new(1.0 / flat.sqrt(), 1.0 / flat.sqrt(), flat));
        }
        // The bone: tossed out over the face, spun, caught.
        let pose = &mut frame.pose;
        let s = ((f - 13.0) / (35.0 - 13.0)).clamp(0.0, 1.0);
        let out = smoothstep(0.0, 0.22, s) * smoothstep(1.0, 0.80, s);
        pose.shift(skeleton.treasure, Vec3::new(0.0, -27.0 * out, 4.0 * 70.0 * s * (1.0 - s)));
        pose.turn(skeleton.treasure, Vec3::new(-25.0 * out, 720.0 * smoothstep(0.0, 1.0, s), 0.0));
        pose.scale(skeleton.treasure, Vec3::splat(1.0 + 0.15 * out));
        // Eyes follow it.
        let look =
            keyed(&[(0.0, 0.0), (6.0, 12.0), (11.0, 0.0), (16.0, -2.0), (22.0, 8.0), (32.0, -18.0), (38.0, 0.0)], f);
        for eye in skeleton.eyes {
            pose.turn(eye, Vec3::X * (-look + 0.55 * open));
            pose.scale(eye, Vec3::splat(1.0 + 0.06 * air));
        }
        frame.lid_open = open;
        frame.blink = 0.55
            * keyed(&[(0.0, 0.0), (6.0, 1.0), (10.0, 1.0), (12.0, 0.0), (31.0, 0.0), (33.0, 1.0), (37.0, 0.0)], f)
            + smoothstep(40.0, 43.0, f) * smoothstep(60.0, 56.0, f);
        frame.smile = 0.15 + 0.85 * keyed(&[(0.0, 0.0), (10.0, 0.0), (14.0, 1.0), (56.0, 1.0), (65.0, 0.0)], f);
        // The open lid needs the tail's room.
        for bone in &skeleton.tail[..3] {
            frame.pose.turn(*bone, Vec3::X * -0.42 * open);
        }
        wag(skeleton, frame, 6.0 + 20.0 * joy, f / FRAMES as f32 * 5.0);
    });
    finish(skeleton, "Cheer", "Moods", frames)
}

pub fn clips(skeleton: &Skeleton) -> Vec<Clip> {
    vec![idle(skeleton), walk(skeleton), cheer(skeleton)]
}
