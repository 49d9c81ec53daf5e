//! A damaged PSK or PSA as a file that other programs open.

use crate::bytes::numbers::counted;
use crate::{
    export::Notes,
    formats::actorx::{Bone, Findings, Psa, Psk, RawWeight, affordable, parents, sequences},
    scene::Clip,
};
use std::borrow::Cow;

/// The mesh without what names wedges, points or bones that do not exist; notes say what is left out.
pub fn mended_psk<'a>(psk: &'a Psk, notes: &mut Notes) -> Cow<'a, Psk> {
    let mut psk = Cow::Borrowed(psk);
    let (points, bones) = (psk.points.len(), psk.bones.len());
    let has_point = |point: u32| (point as usize) < points;
    let shows = |wedge: &u32| psk.wedges.get(*wedge as usize).is_some_and(|wedge| has_point(wedge.point));
    let faces: Vec<bool> = psk.faces.iter().map(|face| face.wedges.iter().all(shows)).collect();
    let left_out = faces.iter().filter(|is_whole| !**is_whole).count();
    if left_out > 0 {
        let mut faces = faces.iter();
        psk.to_mut().faces.retain(|_| faces.next().copied().unwrap_or(true));
        notes.push(format!("{} omitted: missing wedges or points", counted(left_out, "triangle")));
    }
    let astray = psk.wedges.iter().filter(|wedge| !has_point(wedge.point)).count();
    if astray > 0 {
        let psk = psk.to_mut();
        match points {
            0 => {
                psk.wedges.clear();
                psk.colors.clear();
                psk.extra_uvs.clear();
            }
            _ => psk.wedges.iter_mut().filter(|wedge| !has_point(wedge.point)).for_each(|wedge| wedge.point = 0),
        }
        notes.push(format!("unused wedges without a valid point were removed or changed: {astray}"));
    }
    let is_of = |number: i32, count: usize| usize::try_from(number).is_ok_and(|number| number < count);
    let before = psk.weights.len();
    let is_whole = |weight: &RawWeight| {
        is_of(weight.point, points) && is_of(weight.bone, bones) && weight.weight.is_finite() && weight.weight >= 0.0
    };
    if !psk.weights.iter().all(is_whole) {
        psk.to_mut().weights.retain(is_whole);
        let left_out = before - psk.weights.len();
        notes.push(format!("{} omitted: invalid values, or missing points or bones", counted(left_out, "weight")));
    }
    if let Some(bones) = mended_bones(&psk.bones, notes) {
        psk.to_mut().bones = bones;
    }
    if !psk_is_finite(&psk) {
        let psk = psk.to_mut();
        let mut count = 0;
        let mut zero = |numbers: &mut [f32]| count += replace(numbers, 0.0);
        psk.points.iter_mut().for_each(|point| zero(point));
        psk.wedges.iter_mut().for_each(|wedge| zero(&mut wedge.uv));
        psk.extra_uvs.iter_mut().flatten().for_each(|uv| zero(uv));
        psk.normals.iter_mut().for_each(|normal| zero(normal));
        for socket in &mut psk.sockets {
            zero(&mut socket.location);
            zero(&mut socket.rotation_degrees);
        }
        count += psk.sockets.iter_mut().map(|socket| replace(&mut socket.scale, 1.0)).sum::<usize>();
        count += psk.bones.iter_mut().map(mend_bone).sum::<usize>();
        for morph in &mut psk.morphs {
            let before = morph.data.len();
            morph.data.retain(|data| data.position.iter().chain(&data.normal).all(|n| n.is_finite()));
            count += before - morph.data.len();
            morph.count = i32::try_from(morph.data.len()).unwrap_or(i32::MAX);
        }
        note_numbers(count, notes);
    }
    psk
}

fn psk_is_finite(psk: &Psk) -> bool {
    let finite = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite());
    let mut data = psk.morphs.iter().flat_map(|morph| &morph.data);
    finite(psk.points.as_flattened())
        && finite(psk.normals.as_flattened())
        && psk.wedges.iter().all(|wedge| finite(&wedge.uv))
        && psk.extra_uvs.iter().all(|set| finite(set.as_flattened()))
        && psk.sockets.iter().all(|s| finite(&s.location) && finite(&s.rotation_degrees) && finite(&s.scale))
        && psk.bones.iter().all(bone_is_finite)
        && data.all(|data| finite(&data.position) && finite(&data.normal))
}

fn bone_is_finite(bone: &Bone) -> bool {
    let numbers = bone.rotation.iter().chain(&bone.position).chain(&bone.size).chain([&bone.length]);
    numbers.into_iter().all(|number| number.is_finite())
}

/// Replaces numbers that are not finite as readers do: the bone is at its parent, without a rotation.
fn mend_bone(bone: &mut Bone) -> usize {
    let length = replace(std::slice::from_mut(&mut bone.length), 0.0);
    replace(&mut bone.position, 0.0) + replace(&mut bone.size, 0.0) + length + mend_rotation(&mut bone.rotation)
}

fn mend_rotation(rotation: &mut [f32; 4]) -> usize {
    let is_bad = !rotation.iter().all(|number| number.is_finite());
    if is_bad {
        *rotation = [0.0, 0.0, 0.0, 1.0];
    }
    usize::from(is_bad)
}

/// Fills a record with `instead` if one of its numbers is not finite. Returns the number of replaced records.
fn replace(record: &mut [f32], instead: f32) -> usize {
    let is_bad = !record.iter().all(|number| number.is_finite());
    if is_bad {
        record.fill(instead);
    }
    usize::from(is_bad)
}

fn note_numbers(count: usize, notes: &mut Notes) {
    if count > 0 {
        notes.push(format!("infinite or NaN values were replaced in {}", counted(count, "record")));
    }
}

fn psa_is_finite(psa: &Psa) -> bool {
    let finite = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite());
    psa.keys.iter().all(|key| finite(&key.position) && finite(&key.rotation) && key.time.is_finite())
        && psa.scale_keys.iter().all(|key| finite(&key.scale) && key.time.is_finite())
        && psa.sequences.iter().all(|s| finite(&[s.key_reduction, s.track_time, s.rate_hz]))
        && psa.curves.iter().flat_map(|chunk| &chunk.curves).all(|curve| finite(&curve.values))
        && psa.bones.iter().all(bone_is_finite)
}

/// Gives vectors that are not finite the value before them in their track, at the start the first finite one, else `otherwise`.
/// Returns the number of replaced vectors.
fn hold<'a>(track: impl Iterator<Item = &'a mut [f32; 3]>, otherwise: [f32; 3]) -> usize {
    let is_finite = |vector: &[f32; 3]| vector.iter().all(|number| number.is_finite());
    let track: Vec<&mut [f32; 3]> = track.collect();
    let mut last = track.iter().find(|vector| is_finite(vector)).map_or(otherwise, |vector| **vector);
    let mut count = 0;
    for vector in track {
        if is_finite(vector) {
            last = *vector;
        } else {
            *vector = last;
            count += 1;
        }
    }
    count
}

/// The animations on bones whose parents exist, with as many frames as there are keys.
pub fn mended_psa<'a>(psa: &'a Psa, notes: &mut Notes) -> Cow<'a, Psa> {
    let mut psa = Cow::Borrowed(psa);
    let read = sequences(&psa, &mut Findings::default());
    let mut shortened = 0_usize;
    for (index, sequence) in read.list.iter().enumerate() {
        let frames = i32::try_from(sequence.frames).unwrap_or(i32::MAX);
        if psa.sequences.get(index).is_none_or(|info| info.raw_frames == frames) {
            continue;
        }
        if let Some(info) = psa.to_mut().sequences.get_mut(index) {
            info.raw_frames = frames;
            let first = sequence.first_key.checked_div(read.stride).unwrap_or(0);
            info.first_raw_frame = i32::try_from(first).unwrap_or(0);
            shortened += 1;
        }
    }
    if shortened > 0 {
        notes.push(format!("{} shortened to the frames that have keys", counted(shortened, "sequence")));
    }
    if let Some(bones) = mended_bones(&psa.bones, notes) {
        psa.to_mut().bones = bones;
    }
    if !psa_is_finite(&psa) {
        let psa = psa.to_mut();
        let stride = read.stride.max(1);
        let mut count = psa.bones.iter_mut().map(mend_bone).sum::<usize>();
        // As reading does, which leaves out what shares its keys with too many others.
        let affordable = affordable(psa, &read, &mut Findings::default());
        for (sequence, _) in read.list.iter().zip(&affordable).filter(|(_, fits)| **fits) {
            for (index, bone) in psa.bones.iter().enumerate().take(stride) {
                let keys = psa.keys.iter_mut().skip(sequence.first_key + index).step_by(stride).take(sequence.frames);
                count += hold(keys.map(|key| &mut key.position), bone.position);
                let first = sequence.first_scale_key.unwrap_or(usize::MAX);
                let keys = psa.scale_keys.iter_mut().skip(first.saturating_add(index)).step_by(stride);
                count += hold(keys.take(sequence.frames).map(|key| &mut key.scale), [1.0; 3]);
            }
        }
        for key in &mut psa.keys {
            // Keys of no sequence.
            count += replace(&mut key.position, 0.0) + mend_rotation(&mut key.rotation);
            count += replace(std::slice::from_mut(&mut key.time), 0.0);
        }
        for key in &mut psa.scale_keys {
            count += replace(&mut key.scale, 1.0) + replace(std::slice::from_mut(&mut key.time), 0.0);
        }
        for info in &mut psa.sequences {
            for number in [&mut info.key_reduction, &mut info.track_time] {
                count += replace(std::slice::from_mut(number), 0.0);
            }
            count += replace(std::slice::from_mut(&mut info.rate_hz), Clip::DEFAULT_RATE_HZ);
        }
        for value in psa.curves.iter_mut().flat_map(|chunk| &mut chunk.curves).flat_map(|curve| &mut curve.values) {
            count += replace(std::slice::from_mut(value), 0.0);
        }
        note_numbers(count, notes);
    }
    psa
}

/// The bones with parents that exist, in no circle; `None` if all of them are such.
fn mended_bones(bones: &[Bone], notes: &mut Notes) -> Option<Vec<Bone>> {
    let is_as_written = |(bone, parent): (&Bone, &Option<u32>)| match parent {
        None => matches!(bone.parent, 0 | -1),
        Some(parent) => u32::try_from(bone.parent) == Ok(*parent),
    };
    let parents = parents(bones, &mut Findings::default());
    let bad: Vec<bool> = bones.iter().zip(&parents).map(|pair| !is_as_written(pair)).collect();
    let count = bad.iter().filter(|is_bad| **is_bad).count();
    if count == 0 {
        return None;
    }
    notes.push(format!("{} had an invalid parent, which was replaced by the first bone", counted(count, "bone")));
    let mended =
        |(bone, is_bad): (&Bone, &bool)| Bone { parent: if *is_bad { 0 } else { bone.parent }, ..bone.clone() };
    Some(bones.iter().zip(&bad).map(mended).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::actorx::{AnimInfo, AnimKey, Face, MorphData, MorphInfo, Wedge};

    fn wedge(point: u32) -> Wedge {
        Wedge { point, uv: [0.0; 2], material: 0 }
    }

    fn face(wedges: [u32; 3]) -> Face {
        Face { wedges, material: 0, aux_material: 0, smoothing_groups: 1 }
    }

    fn bone(parent: i32) -> Bone {
        Bone { name: "b".to_owned(), parent, ..Bone::default() }
    }

    #[test]
    fn what_names_nothing_is_left_out_and_said() {
        let weight = |point, bone| RawWeight { weight: 1.0, point, bone };
        let whole = Psk {
            points: vec![[0.0; 3]; 3],
            wedges: vec![wedge(0), wedge(1), wedge(2)],
            faces: vec![face([0, 1, 2])],
            bones: vec![bone(0), bone(0)],
            weights: vec![weight(0, 0), weight(2, 1)],
            ..Psk::default()
        };
        let mut notes = Notes::default();
        assert!(matches!(mended_psk(&whole, &mut notes), Cow::Borrowed(_)) && notes.is_empty());
        let mut damaged = whole.clone();
        damaged.wedges.push(wedge(3));
        damaged.faces.extend([face([0, 1, 3]), face([0, 1, 4])]);
        damaged.weights.extend([weight(3, 0), weight(-1, 0), weight(0, 6)]);
        // Bone 2 names a parent that does not exist, bone 3 none; bones 4 and 5 name each other, and bone 4 is cut off.
        damaged.bones.extend([bone(9), bone(-1), bone(5), bone(4)]);
        let mended = mended_psk(&damaged, &mut notes).into_owned();
        assert_eq!((mended.faces, mended.weights), (whole.faces, whole.weights));
        assert_eq!(mended.wedges.iter().map(|wedge| wedge.point).collect::<Vec<_>>(), [0, 1, 2, 0]);
        assert_eq!(mended.bones.iter().map(|bone| bone.parent).collect::<Vec<_>>(), [0, 0, 0, 0, 0, 4]);
        let said = [
            "2 triangles omitted",
            "unused wedges without a valid point were removed or changed: 1",
            "3 weights omitted",
            "3 bones had an invalid parent",
        ];
        assert!(
            notes.len() == 4 && said.iter().zip(notes.iter()).all(|(said, note)| note.starts_with(*said)),
            "{notes:?}"
        );
    }

    #[test]
    fn numbers_that_are_not_finite_are_replaced() {
        let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        for bad in bad {
            let morph = |x| MorphData { position: [x, 1.0, 2.0], normal: [0.0; 3], point: 0 };
            let psk = |x: f32, count| Psk {
                points: vec![[1.0; 3], [0.0; 3], [2.0; 3]],
                wedges: vec![wedge(0), wedge(1), wedge(2)],
                faces: vec![face([0, 1, 2])],
                extra_uvs: vec![vec![[0.0; 2], [0.5; 2], [1.0; 2]]],
                normals: vec![[x, 0.0, 0.0]; 3],
                bones: vec![Bone { rotation: [0.0, 0.0, 0.0, 1.0], ..bone(0) }, bone(0)],
                weights: vec![RawWeight { weight: 1.0, point: 0, bone: 0 }],
                morphs: vec![MorphInfo { name: "m".into(), count, data: vec![morph(1.0); count as usize] }],
                ..Psk::default()
            };
            let whole = psk(0.0, 1);
            let mut damaged = psk(bad, 1);
            damaged.points[1][2] = bad;
            damaged.wedges[0].uv[1] = bad;
            damaged.extra_uvs[0][0][0] = bad;
            damaged.bones[0].rotation[1] = bad;
            damaged.bones[1].position[0] = bad;
            damaged.morphs[0].data.insert(0, morph(bad));
            // A count that claims more than there is makes no more records.
            damaged.morphs[0].count = i32::MAX;
            damaged.weights.push(RawWeight { weight: bad, point: 1, bone: 0 });
            let mut notes = Notes::default();
            assert_eq!(*mended_psk(&damaged, &mut notes), whole);
            // Three normals, a point, two texture coordinates, two bones and a morph record.
            assert!(notes.iter().any(|note| note.ends_with("in 9 records")) && notes.len() == 2, "{notes:?}");

            let info = AnimInfo { total_bones: 2, raw_frames: 3, rate_hz: 30.0, ..AnimInfo::default() };
            let key = |x| AnimKey { position: [x; 3], rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0 };
            let psa = |keys: [f32; 6]| Psa {
                bones: vec![bone(0), Bone { position: [7.0; 3], ..bone(0) }],
                sequences: vec![info.clone()],
                keys: keys.map(key).to_vec(),
                ..Psa::default()
            };
            // Frames of two bones: a track without a finite key has the bone's place, others hold the key before.
            let mut notes = Notes::default();
            let damaged = psa([bad, bad, 2.0, bad, bad, bad]);
            assert_eq!(*mended_psa(&damaged, &mut notes), psa([2.0, 7.0, 2.0, 7.0, 2.0, 7.0]));
            assert!(notes.len() == 1 && notes.iter().all(|note| note.ends_with("in 5 records")), "{notes:?}");
            // A rate that is no number becomes the one that readers take.
            let mut damaged = psa([1.0; 6]);
            damaged.sequences[0].rate_hz = bad;
            assert_eq!(*mended_psa(&damaged, &mut Notes::default()), psa([1.0; 6]));
        }
    }

    #[test]
    fn one_bad_number_among_shared_keys_costs_no_more_than_reading() {
        const SHARED: i32 = 4096;
        let info = |name: String, raw_frames, first_raw_frame| AnimInfo {
            name,
            total_bones: 1,
            raw_frames,
            first_raw_frame,
            rate_hz: 30.0,
            ..AnimInfo::default()
        };
        let key = AnimKey { position: [5.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0 };
        let last = SHARED - 1;
        let mut psa = Psa {
            bones: vec![bone(0)],
            keys: vec![key; (SHARED + last) as usize],
            sequences: (0..10_000).map(|n| info(format!("s{n}"), SHARED, 0)).collect(),
            ..Psa::default()
        };
        psa.sequences.push(info("last".to_owned(), last, SHARED));
        (psa.keys[7].position, psa.keys[SHARED as usize + 7].position) = ([f32::NAN; 3], [f32::NAN; 3]);
        // Keys that are visited: four times those of the file and 65,536, where all sequences would visit 41 million.
        let read = sequences(&psa, &mut Findings::default());
        let fits = affordable(&psa, &read, &mut Findings::default());
        let visited: usize = read.list.iter().zip(&fits).filter(|pair| *pair.1).map(|pair| pair.0.frames).sum();
        assert_eq!((read.list.len(), fits.iter().filter(|fits| **fits).count()), (10_001, 23));
        assert!(visited <= 4 * psa.keys.len() + 65_536, "{visited}");
        let mut notes = Notes::default();
        let mended = mended_psa(&psa, &mut notes);
        // The track is held in a sequence that is visited. The last sequence is not: its key has no value before it.
        assert_eq!([7, SHARED as usize + 7].map(|key| mended.keys[key].position), [[5.0; 3], [0.0; 3]]);
        assert!(notes.len() == 1 && notes.iter().all(|note| note.ends_with("in 2 records")), "{notes:?}");
    }

    #[test]
    fn sequences_have_the_frames_that_have_keys() {
        let info = |frames, first| AnimInfo {
            name: format!("from {first}"),
            total_bones: 2,
            raw_frames: frames,
            first_raw_frame: first,
            rate_hz: 30.0,
            ..AnimInfo::default()
        };
        // Two bones and six keys: three frames.
        let keys = vec![AnimKey { rotation: [0.0, 0.0, 0.0, 1.0], ..AnimKey::default() }; 6];
        let whole =
            Psa { bones: vec![bone(0), bone(0)], sequences: vec![info(2, 0), info(1, 2)], keys, ..Psa::default() };
        let mut notes = Notes::default();
        assert!(matches!(mended_psa(&whole, &mut notes), Cow::Borrowed(_)) && notes.is_empty());
        let damaged = Psa { sequences: vec![info(2, 0), info(100, 2)], ..whole.clone() };
        assert_eq!(*mended_psa(&damaged, &mut notes), whole);
        assert_eq!(notes.len(), 1);
    }
}
