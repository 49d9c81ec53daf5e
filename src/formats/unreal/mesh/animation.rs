//! Animation: the keys of skeletal meshes (§8.6), and clips made of them, with the pace and the notifications of their
//! sequences.

use super::{
    super::object::{Fault, ObjectReader},
    layout::{AnimSeq, read_sequences},
    space,
};
use crate::scene::{
    Channel, Clip, ClipJoint, KeyRule, LoopMode, Marker, Target, Unit,
    sampler::{Interpolation, KeyTimes, Keys, Sampler},
};
use std::sync::Arc;

/// Frames a second; what plays at no speed or backwards is shown at a pace that can be seen.
pub fn rate_hz(sequence: &AnimSeq) -> f32 {
    let rate = sequence.rate.abs();
    let frames = sequence.frames.max(0) as f32;
    if Clip::is_rate(rate, frames) { rate.min(1000.0) } else { Clip::DEFAULT_RATE_HZ }
}

/// Notifications by frame.
pub fn markers(sequence: &AnimSeq) -> Vec<Marker> {
    let frames = sequence.frames.max(0) as f32;
    let marker =
        |n: &super::layout::Notify| Marker { frame: n.time.clamp(0.0, 1.0) * frames, name: n.function.to_string() };
    let timed = sequence.notifies.iter().filter(|n| n.time.is_finite());
    let mut markers: Vec<Marker> = timed.map(marker).collect();
    markers.sort_by(|a, b| a.frame.total_cmp(&b.frame));
    markers
}

/// The keys of one bone; a single one holds for all time.
#[derive(Clone, Debug, Default)]
pub struct Track {
    pub rotations: Vec<[f32; 4]>,
    pub positions: Vec<[f32; 3]>,
    pub times: Vec<f32>,
}

/// The tracks of one sequence.
#[derive(Clone, Debug, Default)]
pub struct Move {
    /// How long the tracks are, in the unit of their times.
    pub track_time: f32,
    /// For each bone its track, or −1; empty where they are in the bones' order.
    pub bone_indices: Vec<i32>,
    pub tracks: Vec<Track>,
}

#[derive(Clone, Debug, Default)]
pub struct Animation {
    /// Names of the bones.
    pub bones: Arc<[String]>,
    pub moves: Vec<Move>,
    /// One for each move.
    pub sequences: Vec<AnimSeq>,
}

fn read_track(r: &mut ObjectReader<'_>) -> Result<Track, Fault> {
    r.u32("Flags")?;
    let rotations = r.array("KeyQuat", "Quat", 16, |r| r.floats::<4>("Rotation", "Quat"))?;
    let positions = r.array("KeyPos", "Vector", 12, |r| r.vector("Position"))?;
    let times = r.array("KeyTime", "f32", 4, |r| r.f32("Time"))?;
    Ok(Track { rotations, positions, times })
}

/// Bytes of a track without keys.
const SMALLEST_TRACK: u64 = 7;

fn read_move(r: &mut ObjectReader<'_>) -> Result<Move, Fault> {
    r.vector("RootSpeed3D")?;
    let track_time = r.f32("TrackTime")?;
    r.i32("StartBone")?;
    r.u32("Flags")?;
    let bone_indices = r.array("BoneIndices", "i32", 4, |r| r.i32("Bone"))?;
    let tracks = r.array("AnimTracks", "AnalogTrack", SMALLEST_TRACK, read_track)?;
    r.group("RootTrack", "AnalogTrack", read_track)?;
    Ok(Move { track_time, bone_indices, tracks })
}

/// Bones and moves: what stands in front of the sequences.
fn read_bones_and_moves(r: &mut ObjectReader<'_>) -> Result<(Vec<String>, Vec<Move>), Fault> {
    let bones = r.array("RefBones", "NamedBone", 9, |r| {
        let name = r.name("Name")?.to_owned();
        r.u32("Flags")?;
        r.i32("ParentIndex")?;
        Ok(name)
    })?;
    let moves = r.array("Moves", "MotionChunk", 33, read_move)?;
    Ok((bones, moves))
}

/// Reads an Animation behind its properties.
pub fn read_animation(r: &mut ObjectReader<'_>) -> Result<Animation, Fault> {
    let (bones, moves) = read_bones_and_moves(r)?;
    Ok(Animation { bones: bones.into(), moves, sequences: read_sequences(r)? })
}

/// Moves the reader to the sequences, keeping nothing.
pub fn skip_to_sequences(r: &mut ObjectReader<'_>) -> Result<(), Fault> {
    let bones = r.count("")?;
    r.raw().check_count(bones, 9)?;
    for _ in 0..bones {
        r.index("")?;
        r.raw().skip(8)?;
    }
    let moves = r.count("")?;
    r.raw().check_count(moves, 33)?;
    for _ in 0..moves {
        r.raw().skip(24)?;
        skip_array(r, 4)?;
        let tracks = r.count("")?;
        r.raw().check_count(tracks, SMALLEST_TRACK)?;
        for _ in 0..tracks.saturating_add(1) {
            r.raw().skip(4)?;
            for size in [16, 12, 4] {
                skip_array(r, size)?;
            }
        }
    }
    Ok(())
}

/// Passes over an array of elements of one size.
pub fn skip_array(r: &mut ObjectReader<'_>, size: usize) -> Result<(), Fault> {
    let count = r.count("")?;
    let count = r.raw().check_count(count, size as u64)?;
    Ok(r.raw().skip(count.saturating_mul(size))?)
}

/// A sequence as a clip; `None` when there is none of this number.
pub fn clip(animation: &Animation, group: &str, number: usize) -> Option<Clip> {
    let sequence = animation.sequences.get(number)?;
    let frame_count = u32::try_from(sequence.frames).unwrap_or(0);
    let empty = Move::default();
    let motion = animation.moves.get(number).unwrap_or(&empty);
    let mut channels = Vec::new();
    // Not all bones of a damaged file: it may have many sequences without tracks.
    let is_mapped = motion.bone_indices.len() == animation.bones.len();
    let bones = if is_mapped { motion.bone_indices.len() } else { motion.tracks.len().min(animation.bones.len()) };
    for bone in 0..bones {
        let track = match motion.bone_indices.get(bone) {
            Some(index) if is_mapped => usize::try_from(*index).ok(),
            _ => Some(bone),
        };
        let Some(track) = track.and_then(|t| motion.tracks.get(t)) else { continue };
        let sampler = |keys: Keys| Sampler {
            times: times(track, keys.len(), motion.track_time, frame_count),
            keys,
            interpolation: Interpolation::Linear,
            cycle: None,
        };
        let bone = ClipJoint(bone as u32);
        if !track.positions.is_empty() {
            let keys = Keys::Vec3(track.positions.iter().map(|p| space::bone_point(*p)).collect());
            channels.push(Channel {
                target: Target::JointTranslation(bone),
                sampler: sampler(keys),
                unit: Unit::Plain,
                muted: false,
            });
        }
        if !track.rotations.is_empty() {
            let keys = Keys::Rotation(track.rotations.iter().map(|q| space::bone_rotation(*q).conjugate()).collect());
            channels.push(Channel {
                target: Target::JointRotation(bone),
                sampler: sampler(keys),
                unit: Unit::Plain,
                muted: false,
            });
        }
    }
    Some(Clip {
        name: sequence.name.to_string(),
        group: group.to_owned(),
        frame_count,
        rate_hz: rate_hz(sequence),
        default_loop: LoopMode::Loop,
        blends_across_seam: true,
        joints: animation.bones.clone(),
        key_rule: KeyRule::InverseOnFirstJoint,
        channels,
        markers: markers(sequence),
        file_from_scene: space::bones_from_scene(),
        ..Clip::default()
    })
}

/// When the keys of a track are, in frames: one a frame, at their own times, or, where those are no use, evenly.
fn times(track: &Track, count: usize, track_time: f32, frame_count: u32) -> KeyTimes {
    if count == frame_count as usize || count <= 1 {
        return KeyTimes::EveryFrame;
    }
    let own = track.times.get(..count).filter(|times| {
        let ascend = times.windows(2).all(|pair| matches!(pair, [a, b] if a < b));
        track_time.is_finite() && track_time > 0.0 && ascend && times.iter().all(|t| t.is_finite() && *t >= 0.0)
    });
    let frames = frame_count as f32;
    let times: Vec<f32> = match own {
        Some(times) => times.iter().map(|t| t / track_time * frames).collect(),
        None => (0..count).map(|k| k as f32 * frames / count as f32).collect(),
    };
    KeyTimes::At(Arc::from(times))
}
