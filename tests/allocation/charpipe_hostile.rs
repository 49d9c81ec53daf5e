//! R5, R7: files of the character pipeline made to cost far more than their size, and damage that must not be shown twice. Each
//! shares something among as many users as its counts allow.

use crate::{
    heap::{self, held_by},
    kit::{self, remains::Remains},
};
use bonebox::{formats::coverage::coverage, scene::ClipEnd};

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_be_bytes()).collect()
}

fn halves(halves: &[u16]) -> Vec<u8> {
    halves.iter().flat_map(|h| h.to_be_bytes()).collect()
}

/// A model block of sections by the places of their pointers (0 GPL, 1 ACT, 2 TEX, 3 SKN, 5 faces).
fn block(sections: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = vec![0; 0x20];
    for (place, section) in sections {
        let at = bytes.len().next_multiple_of(32);
        bytes[4 + place * 4..8 + place * 4].copy_from_slice(&(at as u32).to_be_bytes());
        bytes.resize(at, 0);
        bytes.extend(section);
    }
    bytes
}

fn archive(members: u32, member: &[u8]) -> Vec<u8> {
    let table = (4 + 4 * members).next_multiple_of(32);
    let stride = (member.len() as u32).next_multiple_of(32);
    let mut bytes = words(&[members]);
    bytes.extend((0..members).flat_map(|i| (table + i * stride).to_be_bytes()));
    for index in 0..members {
        bytes.resize((table + index * stride) as usize, 0);
        bytes.extend(member);
    }
    bytes
}

const GPL: u32 = 12_012_000;
const ACT: u32 = 8_092_000;
const ANM: u32 = 20_070_619;

/// A palette of `count` objects that are one: `positions` of `components` numbers of 16 bits, these display states (words), and a
/// list behind them, which states draw that have 1 for its offset. Names are at `name`, from the palette's start.
fn gpl(count: u32, positions: u16, components: u32, states: &[[u32; 3]], list: &[u8], name: u32) -> Vec<u8> {
    let object = (0x14 + 8 * count).next_multiple_of(32);
    let mut bytes = words(&[GPL, 0, 0, count, 0x14]);
    for _ in 0..count {
        bytes.extend(words(&[object, name]));
    }
    bytes.resize(object as usize, 0);
    let states_at = 0x40 + u32::from(positions) * components * 2;
    let list_at = states_at + 16 * states.len() as u32;
    bytes.extend(words(&[0x18, 0, 0, 0, 0x20, 0]));
    bytes.extend(words(&[0x40, u32::from(positions) << 16 | 0x3B00 | components]));
    bytes.extend(words(&[list_at, states_at, (states.len() as u32) << 16]));
    bytes.resize((object + states_at) as usize, 0);
    for [id, setting, draws] in states {
        let list = if *draws == 1 { [list_at, list.len() as u32] } else { [0, 0] };
        bytes.extend(words(&[id << 24, *setting, list[0], list[1]]));
    }
    bytes.extend(list);
    bytes
}

/// Triangles of the first points, by an index of one byte.
const TRIANGLE: [u8; 6] = [0x90, 0, 3, 0, 1, 2];
/// Positions by an index of one byte.
const BY_BYTE: [u32; 3] = [3, 0x8, 1];

/// Bones one after the other, each of which draws `mesh`.
fn act(bones: u16, mesh: u16) -> Vec<u8> {
    let place = |index: u16| if index < bones { 0x20 + u32::from(index) * 0x1C } else { 0 };
    let mut bytes = words(&[ACT, u32::from(bones), 0, place(0), 0, 0xFFFF_0000, 0, 0]);
    for index in 0..bones {
        bytes.extend(words(&[0, 0, place(index + 1), 0, 0]));
        bytes.extend(halves(&[mesh, index, 0x0100, 0]));
    }
    bytes
}

/// A skin of `count` lists of one bone that share `entries` sources.
fn skn(count: u16, entries: u16, dst: u32) -> Vec<u8> {
    let sources = 0x24 + 0x40 * u32::from(count);
    let mut bytes = halves(&[count, 0, 0]);
    bytes.extend([11, 0]);
    bytes.extend(words(&[0x24, 0, 0, 0, 0, 0, 0]));
    for _ in 0..count {
        bytes.extend([0; 48]);
        bytes.extend(words(&[sources, dst]));
        bytes.extend(halves(&[0, entries, 0, 0]));
    }
    bytes.resize(bytes.len() + 12 * usize::from(entries), 0);
    bytes
}

#[test]
fn lists_that_share_their_sources_do_not_fill_the_memory() {
    let _alone = heap::alone();
    let palette = gpl(1, 100, 6, &[BY_BYTE], &TRIANGLE, 0);
    let outcome = held_by("lists.model", block(&[(0, palette), (1, act(1, 0)), (3, skn(10_000, 30_000, 0))]));
    outcome.assert_said("charpipe.too-much");
    let model = outcome.model();
    let fixed = model.meshes[0].fixed_skin.as_ref().expect("a skin");
    // The first ones are whole.
    assert!(fixed.lists.len() > 1 && fixed.lists.iter().all(|list| list.entries.len() == 30_000));
    assert_eq!(model.meshes[0].points.len(), 30_000);
}

#[test]
fn lists_that_cannot_be_used_are_not_counted_again_and_again() {
    let _alone = heap::alone();
    let outcome = held_by("odd.skn", skn(0xFFFF, 3, 1));
    outcome.assert_said("charpipe.bad-list-slots");
}

#[test]
fn objects_of_an_archive_that_share_everything_do_not_fill_the_memory() {
    let _alone = heap::alone();
    for text in [0, b'A', 0xB1] {
        let mut palette = gpl(4096, 3, 3, &[BY_BYTE], &TRIANGLE, 0);
        let name = palette.len() as u32;
        palette.extend([text; 256]);
        for object in 0..4096 {
            let at = 0x14 + 8 * object + 4;
            palette[at..at + 4].copy_from_slice(&name.to_be_bytes());
        }
        let outcome = held_by("palettes.models", archive(100, &block(&[(0, palette)])));
        assert!(outcome.entries() > 4096);
        outcome.assert_said("charpipe.too-many-parts");
    }
}

#[test]
fn states_of_an_archive_that_are_shared_do_not_fill_the_memory() {
    let _alone = heap::alone();
    let states = vec![[1, 0, 0]; 640];
    let palette = gpl(100, 3, 3, &states, &TRIANGLE, 0);
    let outcome = held_by("states.models", archive(400, &block(&[(0, palette)])));
    outcome.assert_said("charpipe.too-much");
}

#[test]
fn strips_do_not_fill_the_memory() {
    let _alone = heap::alone();
    let mut list = Vec::new();
    while list.len() < 4 << 20 {
        list.extend([0x98, 0xFF, 0xFF]);
        list.extend((0..0xFFFF_u32).map(|i| (i % 200) as u8));
    }
    let outcome = held_by("strips.gpl", gpl(1, 200, 3, &[BY_BYTE], &list, 0));
    assert!(outcome.model().triangle_count() > 4_000_000);
}

/// Faces of `objects` objects that are one, of one record for mesh 0 with `poses` poses, which share `entries` values.
fn faces(objects: u16, poses: u16, entries: u16, kind: u8, components: u8) -> Vec<u8> {
    let record = 12 + 12 * u32::from(objects);
    let runs = record + 12 + 4 * u32::from(poses);
    let values = runs + 4;
    let mut bytes = halves(&[poses, objects, 1, 0]);
    bytes.extend(words(&[12]));
    for _ in 0..objects {
        bytes.extend(halves(&[poses, 1]));
        bytes.extend(words(&[12 + 4 * u32::from(poses), record]));
    }
    bytes.extend(words(&[u32::from(entries)]));
    bytes.extend([0, kind, components, 2]);
    bytes.extend(words(&[runs]));
    bytes.extend(words(&vec![values; usize::from(poses)]));
    bytes.extend(halves(&[0, entries]));
    bytes.extend(halves(&vec![0; usize::from(entries) * usize::from(components)]));
    bytes
}

#[test]
fn poses_that_share_a_record_do_not_fill_the_memory() {
    let _alone = heap::alone();
    let mut section = faces(200, 0xFFFF, 1, 1, 3);
    section.resize(1 << 20, 0);
    let palette = gpl(1, 3, 3, &[BY_BYTE], &TRIANGLE, 0);
    let outcome = held_by("poses.model", block(&[(0, palette), (5, section)]));
    outcome.assert_said("charpipe.bad-faces");
    assert!(outcome.entries() < 2000);
}

#[test]
fn poses_of_a_mesh_that_many_bones_draw_do_not_fill_the_memory() {
    let _alone = heap::alone();
    let palette = || gpl(1, 3, 3, &[BY_BYTE], &TRIANGLE, 0);
    let few = block(&[(0, palette()), (1, act(4096, 0)), (5, faces(1, 1000, 1, 1, 3))]);
    let outcome = held_by("many.model", few);
    outcome.assert_said("charpipe.bad-faces");
    assert_eq!(outcome.model().meshes[0].morphs.len(), 999);
    let long = block(&[(0, palette()), (1, act(4096, 0)), (5, faces(1, 3, 0xFFFF, 1, 3))]);
    let outcome = held_by("long.model", long);
    outcome.assert_said("charpipe.faces-misfit");
}

/// Positions of a stitched mesh are in several places, so poses by position would land anywhere.
#[test]
fn poses_of_a_stitched_mesh_are_left_out_and_said() {
    let _alone = heap::alone();
    let list = [0x90, 0, 3, 0, 0, 3, 1, 0, 2];
    let states = [[5, 0, 0], [5, 1 << 16 | 1, 0], [3, 0x9, 1]];
    let palette = gpl(1, 3, 3, &states, &list, 0);
    let bytes = block(&[(0, palette), (1, act(2, 0)), (5, faces(1, 3, 3, 1, 3))]);
    let outcome = held_by("stitched.model", bytes);
    outcome.assert_said("charpipe.faces-misfit");
    assert!(outcome.model().meshes.iter().all(|mesh| mesh.morphs.is_empty() && mesh.points.len() == 3));
}

/// A bank of sequences that have the same tracks, which have the same key: translation, scale and eased squad.
fn bank(sequences: u16, tracks: u16, length: f32) -> Vec<u8> {
    let tracks_at = 0x18 + 12 * u32::from(sequences);
    let key = tracks_at + 16 * u32::from(tracks);
    let mut bytes = words(&[ANM, 0x18]);
    bytes.extend(halves(&[0, sequences, tracks, 1]));
    bytes.extend(words(&[0, 0]));
    for _ in 0..sequences {
        bytes.extend(words(&[0, tracks_at]));
        bytes.extend(halves(&[tracks, 0]));
    }
    for track in 0..tracks {
        bytes.extend(words(&[length.to_bits(), key]));
        bytes.extend(halves(&[1, track]));
        bytes.extend([0x3B, 0x0B, 0x5F, 1]);
    }
    bytes.extend(words(&[0, key + 12, key + 12]));
    bytes.resize(bytes.len() + 128, 1);
    bytes
}

#[test]
fn tracks_that_share_a_key_do_not_fill_the_memory() {
    let _alone = heap::alone();
    let outcome = held_by("tracks.anm", bank(1, 0xFFFF, 10.0));
    assert_eq!(outcome.clip().channels.len(), 3 * 0xFFFF);
}

#[test]
fn sequences_that_share_all_tracks_are_listed_at_once() {
    let _alone = heap::alone();
    let outcome = held_by("sequences.anm", bank(0xFFFF, 0xFFFF, 10.0));
    assert!(outcome.entries() > 60_000);
}

#[test]
fn lengths_that_are_none_make_no_endless_clip() {
    let _alone = heap::alone();
    for length in [f32::MAX, 1e30, f32::INFINITY, f32::NAN, -1.0, 0.0] {
        let outcome = held_by("length.anm", bank(1, 2, length));
        let clip = outcome.clip();
        assert!(clip.frame_count <= 1 << 24, "{length}: {} frames", clip.frame_count);
        assert!(matches!(clip.end, ClipEnd::Length(frames) if frames <= 16_777_216.0), "{length}: {:?}", clip.end);
        outcome.assert_said("charpipe.odd-keys");
    }
}

#[test]
fn bytes_of_sections_that_begin_at_one_place_are_claimed_once() {
    let _alone = heap::alone();
    let mut bytes = block(&[(0, gpl(1, 3, 3, &[BY_BYTE], &TRIANGLE, 0)), (5, faces(1, 3, 3, 1, 3))]);
    let faces = bytes[24..28].to_vec();
    for place in [1, 2, 3, 4, 6] {
        bytes[4 + place * 4..8 + place * 4].copy_from_slice(&faces);
    }
    let outcome = held_by("same.model", bytes);
    assert_eq!(outcome.file.codes().iter().filter(|code| **code == "charpipe.bad-pointer").count(), 5);
    assert_eq!(coverage(outcome.file.document.as_ref()).doubled, []);
}

/// Every number of a whole model at its ends: nothing panics, and no byte is claimed twice.
#[test]
fn bytes_of_damaged_models_are_claimed_once() {
    let _alone = heap::alone();
    for name in ["arm_full.model", "arm_full.anm", "arm_sdk.tpl"] {
        let whole = std::fs::read(kit::data().join("charpipe").join(name)).expect("the file is there");
        for at in (0..whole.len() - 3).step_by(2) {
            for value in [[0xFF, 0xFF], [0, 0], [0, 0x21]] {
                let mut damaged = whole.clone();
                damaged[at..at + 2].copy_from_slice(&value);
                if let Some(left) = Remains::of(name, &damaged) {
                    left.assert_read_once();
                }
            }
        }
    }
}
