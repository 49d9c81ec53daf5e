//! A sequence as a clip (formats/charpipe.md §8).

use super::{
    track::{Curve, KEY, Key, Layout, Rotation, Sequence, TRACK, Track, read_key, read_track},
    values::{Setting, VectorWay, Ways, read_setting, read_ways},
};
use crate::{
    bytes::numbers::{counted, grouped},
    formats::{charpipe::codes, field_reader::FieldReader, findings::Findings},
    scene::{
        BezierKey, Channel, Clip, ClipEnd, ClipJoint, EasedKey, Interpolation, JointAddressing, JointTrack, KeyTimes,
        Keys, LoopMode, Sampler, SquadKey, Target, Unit,
    },
};
use glam::{Affine3A, Quat, Vec3};
use std::{collections::HashSet, ops::Range, sync::Arc};

/// Frames a second. No file says it; the games' own is assumed.
const RATE_HZ: f32 = 60.0;
/// Keys that a sequence may have beyond those that its bank has room for: tracks may share some.
const SHARED_KEYS: u64 = 1 << 14;

/// Frames of a sequence at most: beyond them not every one has a number.
const MAX_FRAMES: f32 = 16_777_216.0;

fn is_length(frames: &f32) -> bool {
    *frames > 0.0 && *frames <= MAX_FRAMES
}

/// The keys of a track, ready to be sampled.
struct TrackKeys {
    times: Arc<[f32]>,
    settings: Vec<Setting>,
    /// One for each setting where there are any.
    ways: Vec<Ways>,
}

/// Keys that a sequence of a bank may have.
pub fn max_keys(bank: &Range<u64>) -> u64 {
    let size = bank.end.saturating_sub(bank.start);
    size.div_euclid(u64::from(KEY)).saturating_add(SHARED_KEYS)
}

/// `r` reads the bank.
pub fn clip_of(r: &mut FieldReader<'_>, sequence: &Sequence, name: &str, findings: &mut Findings) -> Clip {
    let mut keys_left = max_keys(&r.range());
    let (mut names, mut numbers) = (Vec::new(), Vec::new());
    let mut clip = Clip {
        name: name.to_owned(),
        rate_hz: RATE_HZ,
        rate_is_assumed: true,
        default_loop: LoopMode::Loop,
        file_from_scene: Affine3A::IDENTITY,
        ..Clip::default()
    };
    let (mut longest, mut last_key) = (0.0_f32, 0.0_f32);
    let mut met = HashSet::new();
    for (offset, track) in tracks_of(r, sequence, findings) {
        let mut leave_out = |why: String| {
            let message = format!("track {} of “{name}” skipped: {why}", track.id);
            findings.add(&codes::TRACK_LEFT_OUT, Some(offset), message);
        };
        let layout = match Layout::of(&track) {
            Ok(_) if track.key_count == 0 => {
                leave_out("no keys".to_owned());
                continue;
            }
            Ok(_) if met.contains(&track.id) => {
                leave_out("an earlier track has the same ID".to_owned());
                continue;
            }
            Ok(layout) => layout,
            Err(why) => {
                leave_out(why);
                continue;
            }
        };
        let Some(left) = keys_left.checked_sub(u64::from(track.key_count)) else {
            let message =
                format!("“{name}” has too many keys for the size of its bank: too many tracks share the same keys");
            findings.add(&codes::SHARED_KEYS, Some(offset), message);
            break;
        };
        keys_left = left;
        let keys = read_keys(r, &track, &layout, offset, findings);
        if keys.times.is_empty() {
            continue;
        }
        met.insert(track.id);
        last_key = keys.times.iter().copied().fold(last_key, f32::max);
        let cycle = Some(track.length).filter(is_length);
        longest = longest.max(cycle.unwrap_or(0.0));
        push_channels(&mut clip.channels, ClipJoint(names.len() as u32), &layout, keys, cycle);
        names.push(format!("track {}", track.id));
        numbers.push(JointTrack { number: u32::from(track.id), relative: !track.replaces });
    }
    let length = if longest > 0.0 { longest } else { last_key.min(MAX_FRAMES) };
    clip.frame_count = length.ceil() as u32;
    clip.end = ClipEnd::Length(length);
    clip.joints = names.into();
    // A sequence whose tracks are all left out speaks of no joint, by number or otherwise.
    if !numbers.is_empty() {
        clip.addressing = JointAddressing::ByTrack(numbers.into());
    }
    clip
}

/// The tracks of a sequence that are whole, each with where it is in the file.
pub fn tracks_of(r: &mut FieldReader<'_>, sequence: &Sequence, findings: &mut Findings) -> Vec<(u64, Track)> {
    let count = sequence.track_count;
    if let Err(fault) = r.seek_in_range(sequence.tracks) {
        if count > 0 {
            findings.add(
                &codes::CUT_BANK,
                Some(fault.offset),
                format!("cannot read the tracks of a sequence: {}", fault.message),
            );
        }
        return Vec::new();
    }
    let whole = r.whole_records(u64::from(count), u64::from(TRACK));
    if whole < usize::from(count) {
        let message = format!("expected {}, found {}", counted(count, "track"), grouped(whole));
        findings.add(&codes::CUT_BANK, Some(r.offset()), message);
    }
    (0..whole).map_while(|_| Some((r.offset(), read_track(r).ok()?))).collect()
}

/// A key whose values lie outside the bank, or whose time is none, is left out.
fn read_keys(
    r: &mut FieldReader<'_>,
    track: &Track,
    layout: &Layout,
    offset: u64,
    findings: &mut Findings,
) -> TrackKeys {
    let count = usize::from(track.key_count);
    let whole = match r.seek_in_range(track.keys) {
        Ok(()) => r.whole_records(u64::from(track.key_count), u64::from(KEY)),
        Err(_) => 0,
    };
    let keys: Vec<Key> = (0..whole).map_while(|_| read_key(r).ok()).collect();
    let has_ways = layout.curve_size() > 0;
    let (mut times, mut settings, mut ways) = (Vec::with_capacity(whole), Vec::with_capacity(whole), Vec::new());
    let mut odd = !is_length(&track.length);
    let mut cut = count.saturating_sub(whole);
    for key in keys {
        if !key.time.is_finite() {
            odd = true;
            continue;
        }
        let setting = r.seek_in_range(key.setting).and_then(|()| read_setting(r, layout)).ok();
        let way = match has_ways {
            true => r.seek_in_range(key.curve).and_then(|()| read_ways(r, layout)).ok(),
            false => Some(Ways::default()),
        };
        let (Some(mut setting), Some(mut way)) = (setting, way) else {
            cut = cut.saturating_add(1);
            continue;
        };
        odd |= setting.repair() | way.repair();
        odd |= times.last().is_some_and(|before| *before > key.time);
        times.push(key.time);
        settings.push(setting);
        if has_ways {
            ways.push(way);
        }
    }
    if cut > 0 {
        let message =
            format!("keys of track {} are outside the bank: {} of {}", track.id, grouped(cut), grouped(count));
        findings.add(&codes::CUT_BANK, Some(offset), message);
    }
    if odd {
        let message =
            format!("track {} has an invalid length, key time or value, or its keys are not sorted by time", track.id);
        findings.add(&codes::ODD_KEYS, Some(offset), message);
    }
    TrackKeys { times: times.into(), settings, ways }
}

fn push_channels(channels: &mut Vec<Channel>, joint: ClipJoint, layout: &Layout, keys: TrackKeys, cycle: Option<f32>) {
    let TrackKeys { times, settings, ways } = keys;
    let mut push = |target: Target, (keys, interpolation): (Keys, Interpolation)| {
        let sampler = Sampler { times: KeyTimes::At(times.clone()), keys, interpolation, cycle };
        channels.push(Channel { target, sampler, unit: Unit::Plain, muted: false });
    };
    let vectors = |curve: Curve, value: fn(&Setting) -> Vec3, way: fn(&Ways) -> VectorWay| {
        let values = settings.iter().map(value);
        let ways = ways.iter().map(way);
        match curve {
            Curve::Step => (Keys::Vec3(values.collect()), Interpolation::Step),
            Curve::Linear => (Keys::Vec3(values.collect()), Interpolation::Linear),
            Curve::Bezier => {
                let key =
                    |(value, way): (Vec3, VectorWay)| BezierKey { value, control_in: way.come, control_out: way.go };
                (Keys::Bezier(values.zip(ways).map(key).collect()), Interpolation::Bezier)
            }
            Curve::Hermite => {
                let key = |(value, VectorWay { come, go, ease_in, ease_out }): (Vec3, VectorWay)| EasedKey {
                    value,
                    tangent_in: come,
                    tangent_out: go,
                    ease_in,
                    ease_out,
                };
                (Keys::Eased(values.zip(ways).map(key).collect()), Interpolation::Hermite)
            }
        }
    };
    let quaternions = || Keys::Rotation(settings.iter().map(|s| s.quaternion).collect());
    if layout.matrix {
        let matrices = settings.iter().map(|s| s.matrix).collect();
        return push(Target::JointMatrix(joint), (Keys::Matrix(matrices), Interpolation::Step));
    }
    if let Some(curve) = layout.translation {
        push(Target::JointTranslation(joint), vectors(curve, |s| s.translation, |w| w.translation));
    }
    match layout.rotation {
        Some(Rotation::Euler(curve)) => {
            let (keys, interpolation) = vectors(curve, |s| s.euler, |w| w.euler);
            let keys = match keys {
                Keys::Vec3(angles) => Keys::Euler(angles),
                Keys::Bezier(angles) => Keys::EulerBezier(angles),
                other => other,
            };
            push(Target::JointRotation(joint), (keys, interpolation));
        }
        Some(Rotation::Step) => push(Target::JointRotation(joint), (quaternions(), Interpolation::Step)),
        Some(Rotation::Slerp) => push(Target::JointRotation(joint), (quaternions(), Interpolation::Slerp)),
        Some(Rotation::Squad { .. }) => {
            let key = |(setting, ways): (&Setting, &Ways)| SquadKey {
                value: setting.quaternion,
                control_in: ways.quaternion.come,
                control_out: ways.quaternion.go,
                ease_in: ways.quaternion.ease_in,
                ease_out: ways.quaternion.ease_out,
            };
            let keys = Keys::Squad(settings.iter().zip(&ways).map(key).collect());
            push(Target::JointRotation(joint), (keys, Interpolation::Squad));
        }
        None => {}
    }
    if let Some(curve) = layout.scale {
        push(Target::JointScale(joint), vectors(curve, |s| s.scale, |w| w.scale));
    }
}

/// Puts `instead` in the place of what is no number; whether that was needed.
fn repair(vector: &mut Vec3, instead: Vec3) -> bool {
    let is_odd = !vector.is_finite();
    if is_odd {
        *vector = instead;
    }
    is_odd
}

impl Setting {
    fn repair(&mut self) -> bool {
        let matrix = !self.matrix.is_finite();
        if matrix {
            self.matrix = Affine3A::IDENTITY;
        }
        matrix
            | repair(&mut self.scale, Vec3::ONE)
            | repair(&mut self.euler, Vec3::ZERO)
            | repair(&mut self.translation, Vec3::ZERO)
            | (!self.quaternion.is_finite() && std::mem::replace(&mut self.quaternion, Quat::IDENTITY).is_nan())
    }
}

impl Ways {
    fn repair(&mut self) -> bool {
        let mut odd = false;
        for way in [&mut self.scale, &mut self.euler, &mut self.translation] {
            odd |= repair(&mut way.come, Vec3::ZERO) | repair(&mut way.go, Vec3::ZERO);
        }
        odd
    }
}
