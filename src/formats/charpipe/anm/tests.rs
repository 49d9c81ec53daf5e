//! Banks built by hand.

use super::*;
use crate::{
    formats::{Children, coverage, field_reader::FieldReader},
    scene::{Clip, ClipEnd, ClipJoint, JointTrack, Target},
};
use glam::{Quat, Vec3};

/// A track for [`bank`]: length, id, quantisation, type, interpolation, replace; keys with time, setting and curve.
struct Made {
    length: f32,
    id: u16,
    codes: [u8; 4],
    keys: Vec<(f32, Vec<u8>, Vec<u8>)>,
}

fn made(id: u16, codes: [u8; 4], keys: &[(f32, &[u8])]) -> Made {
    let keys = keys.iter().map(|(time, setting)| (*time, setting.to_vec(), Vec::new())).collect();
    Made { length: 8.0, id, codes, keys }
}

/// One sequence “go” with these tracks, laid out as files are.
fn bank(tracks: &[Made]) -> Vec<u8> {
    let key_count: usize = tracks.iter().map(|t| t.keys.len()).sum();
    let keys_at = 0x18 + 12 + 16 * tracks.len();
    let values_at = keys_at + 12 * key_count;
    let (mut track_bytes, mut key_bytes, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for track in tracks {
        track_bytes.extend(track.length.to_be_bytes());
        track_bytes.extend(((keys_at + key_bytes.len()) as u32).to_be_bytes());
        track_bytes.extend((track.keys.len() as u16).to_be_bytes());
        track_bytes.extend(track.id.to_be_bytes());
        track_bytes.extend(track.codes);
        for (time, setting, curve) in &track.keys {
            key_bytes.extend(time.to_be_bytes());
            for part in [setting, curve] {
                key_bytes.extend(((values_at + values.len()) as u32).to_be_bytes());
                values.extend(part);
                values.resize(values.len().next_multiple_of(4), 0);
            }
        }
    }
    let name_at = (values_at + values.len()) as u32;
    let mut bytes = Vec::new();
    bytes.extend(20_060_925_u32.to_be_bytes());
    bytes.extend(0x18_u32.to_be_bytes());
    for count in [7, 1, tracks.len() as u16, key_count as u16] {
        bytes.extend(u16::to_be_bytes(count));
    }
    bytes.extend([0; 8]);
    bytes.extend(name_at.to_be_bytes());
    bytes.extend(0x24_u32.to_be_bytes());
    bytes.extend((tracks.len() as u16).to_be_bytes());
    bytes.extend([0, 0]);
    bytes.extend(track_bytes);
    bytes.extend(key_bytes);
    bytes.extend(values);
    bytes.extend(b"go\0");
    bytes
}

fn read_bank(bytes: Vec<u8>) -> (Source, Box<dyn Structure>, Findings) {
    let source = Source::from(bytes);
    let mut findings = Findings::default();
    let range = 0..source.len() as u64;
    let bank = read(&mut container::reader(&source, range), &mut findings).unwrap();
    (source, bank, findings)
}

/// The only sequence's clip, and what was found on the way.
fn clip(bytes: Vec<u8>) -> (Clip, Vec<&'static str>) {
    let (source, bank, mut findings) = read_bank(bytes);
    let bank = bank.as_any().downcast_ref::<AnimationBank>().unwrap();
    let mut r = container::reader(&source, bank.range.clone());
    let sequence = &bank.sequences[0];
    let clip = clip::clip_of(&mut r, &sequence.sequence, &sequence.name, &mut findings);
    (clip, findings.codes())
}

/// The fields of a bank, with the gaps that zeros fill.
fn fields(bytes: &[u8]) -> Vec<Field> {
    let source = Source::from(bytes.to_vec());
    let range = 0..source.len() as u64;
    let mut r: FieldReader<'_> = container::reader(&source, range).recording();
    let _ = read(&mut r, &mut Findings::default());
    r.into_fields()
}

fn be(values: &[i16]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_be_bytes()).collect()
}

#[test]
fn a_sequence_is_a_clip_of_tracks_by_number() {
    let moved = be(&[0, 256, 0]);
    let bytes = bank(&[
        made(3, [0x39, 1, 1, 1], &[(0.0, &[0; 6]), (4.0, &moved)]),
        Made {
            length: 10.5,
            ..made(9, [0x34, 4, 0x10, 0], &[(0.0, &be(&[350 * 16, 0, 0])), (4.0, &be(&[480, 0, 0]))])
        },
    ]);
    let (clip, found) = clip(bytes.clone());
    assert!(found.is_empty(), "{found:?}");
    assert_eq!((clip.name.as_str(), clip.rate_hz, clip.rate_is_assumed), ("go", 60.0, true));
    assert_eq!((clip.end, clip.frame_count), (ClipEnd::Length(10.5), 11));
    assert_eq!(*clip.joints, ["track 3".to_owned(), "track 9".to_owned()]);
    assert_eq!(clip.tracks(), [JointTrack { number: 3, relative: false }, JointTrack { number: 9, relative: true }]);
    assert_eq!(clip.channels[0].target, Target::JointTranslation(ClipJoint(0)));
    assert_eq!(clip.channels[0].sampler.vec3(1.0, None), Some(Vec3::Y * 0.125));
    assert_eq!(clip.channels[0].sampler.vec3(6.0, None), Some(Vec3::Y * 0.25), "the first track is 8 frames long");
    assert_eq!(clip.channels[1].target, Target::JointRotation(ClipJoint(1)));
    assert_eq!(clip.channels[1].sampler.degrees(3.0, None), Some(Vec3::X * 20.0));
    let gaps = coverage::gaps(&fields(&bytes), 0..bytes.len() as u64);
    assert!(gaps.is_empty(), "{gaps:?}");
}

#[test]
fn every_kind_of_key_is_read() {
    let squad = |value: i16, way: i16| {
        let curve = be(&[0, 0, way, 0, 0, 0, -way, 0, 0x2000, 0x1000]);
        (be(&[0, 0, value, 0x4000]), curve)
    };
    let ((a, a_way), (b, b_way)) = (squad(0, 1), squad(0x4000, 2));
    let rows: Vec<u8> =
        [1.0_f32, 0.0, 0.0, 5.0, 0.0, 1.0, 0.0, 6.0, 0.0, 0.0, 1.0, 7.0].iter().flat_map(|v| v.to_be_bytes()).collect();
    let bytes = bank(&[
        Made { keys: vec![(0.0, a, a_way), (2.0, b, b_way)], ..made(0, [0x30, 8, 0x50, 1], &[]) },
        // Scale Hermite in signed bytes, Euler Bézier, translation step.
        Made {
            keys: vec![(0.0, vec![4, 4, 4, 90, 0, 0, 1, 2, 3], vec![1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 3, 0, 0, 5, 0, 0])],
            ..made(1, [0x12, 7, 0x2C, 1], &[])
        },
        made(2, [0x40, 0x10, 0, 1], &[(0.0, &rows)]),
        made(3, [0x30, 8, 0x00, 1], &[(0.0, &be(&[0, 0, 0, 0x4000]))]),
    ]);
    let (clip, found) = clip(bytes.clone());
    assert!(found.is_empty(), "{found:?}");
    let targets: Vec<&Target> = clip.channels.iter().map(|c| &c.target).collect();
    assert_eq!(
        targets,
        [
            &Target::JointRotation(ClipJoint(0)),
            &Target::JointTranslation(ClipJoint(1)),
            &Target::JointRotation(ClipJoint(1)),
            &Target::JointScale(ClipJoint(1)),
            &Target::JointMatrix(ClipJoint(2)),
            &Target::JointRotation(ClipJoint(3))
        ]
    );
    use crate::scene::{BezierKey, EasedKey, Keys, SquadKey};
    let keys = |index: usize| &clip.channels[index].sampler.keys;
    let Keys::Squad(list) = keys(0) else { panic!() };
    let [first, _] = list.as_slice() else { panic!() };
    let unit = 1.0 / 16384.0;
    let [control_in, control_out] = [1.0, -1.0].map(|s| Quat::from_xyzw(0.0, 0.0, s * unit, 0.0));
    assert_eq!(*first, SquadKey { value: Quat::IDENTITY, control_in, control_out, ease_in: 0.5, ease_out: 0.25 });
    let Keys::Vec3(list) = keys(1) else { panic!() };
    assert_eq!(list[0], Vec3::new(0.25, 0.5, 0.75));
    let Keys::EulerBezier(list) = keys(2) else { panic!() };
    let [control_in, control_out] = [0.75, 1.25].map(|x| Vec3::X * x);
    assert_eq!(list[0], BezierKey { value: Vec3::X * 22.5, control_in, control_out });
    let Keys::Eased(list) = keys(3) else { panic!() };
    let [value, tangent_in, tangent_out] = [1.0, 0.25, 0.5].map(Vec3::splat);
    assert_eq!(list[0], EasedKey { value, tangent_in, tangent_out, ease_in: 0.0, ease_out: 0.0 });
    assert_eq!(clip.channels[4].sampler.matrix(9.0, None).unwrap().translation, Vec3::new(5.0, 6.0, 7.0).into());
    let gaps = coverage::gaps(&fields(&bytes), 0..bytes.len() as u64);
    assert!(gaps.is_empty(), "{gaps:?}");
}

#[test]
fn the_fields_of_a_sequence_lead_down_to_the_numbers_of_its_keys() {
    let (source, bank, _) = read_bank(bank(&[made(5, [0x39, 1, 1, 1], &[(3.0, &be(&[0, 256, 0]))])]));
    let fields = bank.part_fields(&source, 0);
    assert!(fields.iter().all(|f| f.mirror));
    let table = |field: &Field| match &field.children {
        Children::Table(table) => table.clone(),
        _ => panic!("{field:?}"),
    };
    let inside = |field: &Field| match &field.children {
        Children::Fields(fields) => fields.clone(),
        _ => panic!("{field:?}"),
    };
    let track = table(fields.last().unwrap()).row(0).unwrap();
    let key = table(inside(&track).last().unwrap()).row(0).unwrap();
    let setting = inside(inside(&key).last().unwrap());
    assert_eq!(setting[0].value, crate::formats::Value::Floats(vec![0.0, 0.5, 0.0]));
}

fn numbers(clip: &Clip) -> Vec<u32> {
    clip.tracks().iter().map(|track| track.number).collect()
}

#[test]
fn tracks_of_unknown_kinds_are_left_out_and_the_others_play() {
    let good = || made(1, [0x39, 1, 1, 1], &[(0.0, &[0; 6])]);
    for codes in [[0x39, 0x2A, 1, 1], [0x39, 0x20, 0, 1], [0x59, 1, 1, 1], [0x39, 8, 0x30, 1], [0x39, 0, 0, 1]] {
        let (clip, found) = clip(bank(&[made(0, codes, &[(0.0, &[0; 12])]), good()]));
        assert_eq!((numbers(&clip), found), (vec![1], vec!["charpipe.track-left-out"]), "{codes:?}");
    }
    let (clip, found) = clip(bank(&[good(), good(), made(2, [0x39, 1, 1, 1], &[])]));
    assert_eq!((numbers(&clip), found.len()), (vec![1], 2), "a repeated number, and a track without keys");
}

#[test]
fn what_lies_outside_is_left_out_and_said() {
    let keys: [(f32, &[u8]); 2] = [(0.0, &[0; 6]), (4.0, &[1; 6])];
    let whole = bank(&[made(1, [0x39, 1, 1, 1], &keys)]);
    let put = |at: usize, value: u32| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_be_bytes());
        bytes
    };
    let (track, key) = (0x24, 0x34);
    for (bytes, joints, keys) in [
        (put(0x04, 0xFFFF_FFF0), 0, 0),
        (put(0x1C, 0xFFFF_FFF0), 0, 0),
        (put(track + 4, u32::MAX), 0, 0),
        (put(key + 4, u32::MAX), 1, 1),
        (put(key + 16, whole.len() as u32 - 3), 1, 1),
        (put(key, f32::NAN.to_bits()), 1, 1),
        (put(key, 9.0_f32.to_bits()), 1, 2),
        (put(track, f32::INFINITY.to_bits()), 1, 2),
        (put(track, 0), 1, 2),
    ] {
        let (_, bank, findings) = read_bank(bytes.clone());
        if bank.parts().is_empty() {
            assert_eq!((findings.codes(), joints), (vec!["charpipe.cut-bank"], 0));
            continue;
        }
        let (clip, found) = clip(bytes);
        assert!(!found.is_empty());
        assert_eq!(clip.joints.len(), joints, "{found:?}");
        assert_eq!(clip.channels.first().map_or(0, |c| c.sampler.keys.len()), keys, "{found:?}");
        assert!(clip.duration_secs().is_finite());
        for frame in [-1.0, 0.0, 3.0, 1e9] {
            assert!(clip.channels.iter().all(|c| c.sampler.vec3(frame, None).unwrap().is_finite()));
        }
    }
}

#[test]
fn a_bank_cut_anywhere_is_read_as_far_as_it_goes() {
    let whole = bank(&[
        made(1, [0x39, 1, 1, 1], &[(0.0, &[0; 6]), (4.0, &[1; 6])]),
        made(2, [0x40, 0x10, 0, 1], &[(0.0, &[0; 48])]),
    ]);
    for length in 0..whole.len() {
        let source = Source::from(whole[..length].to_vec());
        let mut findings = Findings::default();
        let result = read(&mut container::reader(&source, 0..length as u64), &mut findings);
        assert_eq!(result.is_ok(), length >= 0x18);
        if result.is_ok_and(|bank| !bank.parts().is_empty()) {
            clip(whole[..length].to_vec());
        }
        fields(&whole[..length]);
    }
}

#[test]
fn tracks_that_all_share_the_same_keys_cost_no_more_than_their_bank() {
    // 2,000 tracks that each have the same 2,000 keys, which all have the same setting.
    const COUNT: usize = 2000;
    let keys: Vec<(f32, &[u8])> = (0..COUNT).map(|k| (k as f32, &[0_u8; 6][..])).collect();
    let mut tracks = vec![made(0, [0x39, 1, 1, 1], &keys)];
    tracks.extend((1..COUNT as u16).map(|id| made(id, [0x39, 1, 1, 1], &[])));
    let mut bytes = bank(&tracks);
    let first = bytes[0x24..0x34].to_vec();
    for track in 1..COUNT {
        let at = 0x24 + 16 * track;
        bytes[at + 4..at + 10].copy_from_slice(&first[4..10]);
    }
    let size = bytes.len();
    let (clip, found) = clip(bytes.clone());
    assert_eq!(found, ["charpipe.shared-keys"]);
    let decoded: usize = clip.channels.iter().map(|c| c.sampler.keys.len()).sum();
    assert!(decoded <= size / 12 + (1 << 14), "{decoded} keys of {size} bytes");
    let gaps = coverage::gaps(&fields(&bytes), 0..size as u64);
    assert!(gaps.is_empty(), "{gaps:?}");
}

#[test]
fn names_may_be_shared_and_missing() {
    let mut bytes = bank(&[]);
    let (_, bank, findings) = read_bank(bytes.clone());
    assert_eq!((bank.parts()[0].name.as_str(), findings.is_empty()), ("go", true));
    bytes[0x18..0x1C].fill(0);
    assert_eq!(read_bank(bytes.clone()).1.parts()[0].name, "sequence 0");
    bytes[0x18..0x1C].fill(0x7F);
    let (_, bank, findings) = read_bank(bytes);
    assert_eq!((bank.parts()[0].name.as_str(), findings.codes()), ("sequence 0", vec!["charpipe.cut-bank"]));
    // A long name that many sequences share is given to as many as the bank has room for.
    const COUNT: u16 = 300;
    let mut bytes = 20_060_925_u32.to_be_bytes().to_vec();
    bytes.extend(0x18_u32.to_be_bytes());
    bytes.extend([0, 0]);
    bytes.extend(COUNT.to_be_bytes());
    bytes.extend([0; 12]);
    let name_at = 0x18 + 12 * u32::from(COUNT);
    for _ in 0..COUNT {
        bytes.extend(name_at.to_be_bytes());
        bytes.extend([0; 8]);
    }
    bytes.extend([b'n'; 200]);
    let size = bytes.len();
    let names: usize = read_bank(bytes).1.parts().iter().filter(|p| p.name.len() == 200).map(|p| p.name.len()).sum();
    assert!(names > 0 && names <= size, "{names} of {size}");
}

#[test]
fn sequences_that_all_share_the_same_tracks_are_read_as_often_as_their_bank_justifies() {
    // 6,000 sequences of the same 100 tracks, of which each has the same key.
    const COUNT: u16 = 6000;
    const TRACKS: u16 = 100;
    let mut bytes = 20_060_925_u32.to_be_bytes().to_vec();
    bytes.extend(0x18_u32.to_be_bytes());
    bytes.extend([0, 0]);
    bytes.extend(COUNT.to_be_bytes());
    bytes.extend([0; 12]);
    let tracks_at = 0x18 + 12 * u32::from(COUNT);
    for _ in 0..COUNT {
        bytes.extend([0; 4]);
        bytes.extend(tracks_at.to_be_bytes());
        bytes.extend(TRACKS.to_be_bytes());
        bytes.extend([0; 2]);
    }
    let keys_at = tracks_at + 16 * u32::from(TRACKS);
    for id in 0..TRACKS {
        bytes.extend(8.0_f32.to_be_bytes());
        bytes.extend(keys_at.to_be_bytes());
        bytes.extend(1_u16.to_be_bytes());
        bytes.extend(id.to_be_bytes());
        bytes.extend([0x39, 1, 1, 1]);
    }
    bytes.extend([0; 24]);
    let size = bytes.len();
    let (_, bank, findings) = read_bank(bytes);
    let bank = bank.as_any().downcast_ref::<AnimationBank>().unwrap();
    let kept = bank.sequences.iter().filter(|s| !s.left_out).count();
    assert!(!bank.sequences[0].left_out && kept * 100 <= size / 16 * 4 + (1 << 16) && kept > 500, "{kept}");
    assert_eq!(findings.codes(), ["charpipe.shared-keys"]);
}
