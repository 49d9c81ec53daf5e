//! A damaged PSK or PSA as a file that other programs open.

use crate::{
    export::Notes,
    formats::actorx::{Bone, Findings, Psa, Psk, RawWeight, parents, sequences},
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
        notes.push(format!("{left_out} triangles are left out: they name wedges or points that do not exist"));
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
        notes.push(format!("{astray} wedges name points that do not exist: no triangle uses them"));
    }
    let is_of = |number: i32, count: usize| usize::try_from(number).is_ok_and(|number| number < count);
    let before = psk.weights.len();
    let is_whole = |weight: &RawWeight| {
        is_of(weight.point, points) && is_of(weight.bone, bones) && weight.weight.is_finite() && weight.weight >= 0.0
    };
    if !psk.weights.iter().all(is_whole) {
        psk.to_mut().weights.retain(is_whole);
        let left_out = before - psk.weights.len();
        notes.push(format!(
            "{left_out} weights are left out: they are no weights, or their points or bones do not exist"
        ));
    }
    if let Some(bones) = mended_bones(&psk.bones, notes) {
        psk.to_mut().bones = bones;
    }
    psk
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
        notes.push(format!("{shortened} sequences have only the frames that the file has keys for"));
    }
    if let Some(bones) = mended_bones(&psa.bones, notes) {
        psa.to_mut().bones = bones;
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
    notes.push(format!(
        "{count} bones have parents that do not exist or are below them: the first bone is written in their place"
    ));
    let mended =
        |(bone, is_bad): (&Bone, &bool)| Bone { parent: if *is_bad { 0 } else { bone.parent }, ..bone.clone() };
    Some(bones.iter().zip(&bad).map(mended).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::actorx::{AnimInfo, AnimKey, Face, Wedge};

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
        let said =
            ["2 triangles are left out", "1 wedges name points", "3 weights are left out", "3 bones have parents"];
        assert!(
            notes.len() == 4 && said.iter().zip(notes.iter()).all(|(said, note)| note.starts_with(*said)),
            "{notes:?}"
        );
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
