use super::*;
use crate::{
    bytes::{Endian, Source},
    formats::{Children, Value, coverage, field_reader::FieldReader, findings::Findings, structure::Structure},
    scene::Transform,
};
use glam::{Affine3A, Quat, Vec3};

/// An actor of bones (parent, first child, next sibling, control flags, id, inherits), with tracks in its user data.
fn actor(tracks: &[u16]) -> Vec<u8> {
    let at = |index: Option<u32>| index.map_or(0, |i| 0x20 + i * 0x1C);
    // The table's order is not the walk's: 1 is the root, 0 its second child, 2 its first, which does not inherit.
    let bones = [
        (Some(1), None, None, 8_u8, 7_u16, 1_u8),
        (None, Some(2), None, 0x20 | 1, 3, 1),
        (Some(1), None, Some(0), 0x10, 5, 0),
    ];
    let controls = [0x74_u32, 0xA8, 0xE4];
    let mut out = Vec::new();
    let word = |out: &mut Vec<u8>, v: u32| out.extend(v.to_be_bytes());
    let half = |out: &mut Vec<u8>, v: u16| out.extend(v.to_be_bytes());
    word(&mut out, 8_092_000);
    half(&mut out, 9);
    half(&mut out, 3);
    word(&mut out, 0xC);
    word(&mut out, at(Some(1)));
    word(&mut out, 0x118);
    half(&mut out, 2);
    half(&mut out, 0);
    word(&mut out, if tracks.is_empty() { 0xF } else { 0xC + 2 * tracks.len() as u32 + 0xF });
    word(&mut out, 0x120);
    for ((parent, child, sibling, _, id, inherits), control) in bones.iter().zip(controls) {
        word(&mut out, control);
        for link in [None, *sibling, *parent, *child] {
            word(&mut out, at(link));
        }
        half(&mut out, if *id == 5 { 1 } else { 0xFFFF });
        half(&mut out, *id);
        out.extend([*inherits, 4, 0, 0]);
    }
    let numbers = |out: &mut Vec<u8>, flags: u8, numbers: &[f32]| {
        out.extend([flags, 0, 0, 0]);
        out.extend(numbers.iter().flat_map(|n| n.to_be_bytes()));
    };
    numbers(&mut out, 8, &[9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 1.0, 2.0, 3.0, 0.0, 0.0]);
    numbers(&mut out, 0x21, &[2.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 9.0, 0.0, 0.0, 0.70710677, 0.70710677]);
    numbers(&mut out, 0x10, &[1.0, 0.5, 0.0, 4.0, 0.0, 1.0, 0.0, 5.0, 0.0, 0.0, 1.0, 6.0]);
    assert_eq!(out.len(), 0x118);
    out.extend(b"arm.gpl\0");
    // Track ids, and a block of a kind that nobody knows, three bytes long.
    if !tracks.is_empty() {
        word(&mut out, 0xC + 2 * tracks.len() as u32);
        half(&mut out, 3);
        half(&mut out, tracks.len() as u16);
        word(&mut out, 0xC);
        tracks.iter().for_each(|t| half(&mut out, *t));
    }
    word(&mut out, 0xF);
    half(&mut out, 9);
    half(&mut out, 0);
    word(&mut out, 0xC);
    out.extend([1, 2, 3]);
    out
}

fn read_bytes(bytes: Vec<u8>) -> (Act, Findings, Source) {
    let source = Source::from(bytes);
    let mut findings = Findings::default();
    let mut r = FieldReader::new(&source, 0..source.len() as u64, Endian::Big);
    let act = read::read_act(&mut r, &mut findings).unwrap();
    drop(r);
    (act, findings, source)
}

#[test]
fn bones_become_joints_in_the_tables_order() {
    let (act, mut findings, _) = read_bytes(actor(&[0, 0, 0, 40, 0, 0xFFFF, 0, 60]));
    assert_eq!((act.actor_id, act.geometry_name.as_str(), act.skin_mesh), (9, "arm.gpl", Some(2)));
    assert_eq!(act.order, [1, 2, 0]);
    assert_eq!((act.joint_of_order(1), act.joint_of_order(3)), (Some(2), None));
    let skeleton = act.skeleton(&mut findings);
    let tracks: Vec<_> = skeleton.joints().iter().map(|j| j.track).collect();
    assert_eq!(tracks, [Some(60), Some(40), None]);
    let names: Vec<_> = skeleton.joints().iter().map(|j| (j.name.as_str(), j.parent, j.detached)).collect();
    assert_eq!(names, [("bone 7", Some(1), false), ("bone 3", None, false), ("bone 5", Some(1), true)]);
    assert_eq!((act.bones[2].mesh, act.bones[0].mesh, act.bones[0].draw_priority), (Some(1), None, 4));
    // The root doubles along its own Y axis; the bone that is detached keeps its matrix as it is.
    let world = skeleton.world_from_joint_bind();
    assert!(world[1].abs_diff_eq(Affine3A::from_scale(Vec3::new(1.0, 2.0, 1.0)), 1e-6), "{:?}", world[1]);
    let moved =
        Affine3A::from_scale_rotation_translation(Vec3::new(1.0, 2.0, 1.0), Quat::IDENTITY, Vec3::new(1.0, 4.0, 3.0));
    assert!(world[0].abs_diff_eq(moved, 1e-6), "{:?}", world[0]);
    assert_eq!(world[2].transform_point3(Vec3::Y), Vec3::new(4.5, 6.0, 6.0));
    assert!(findings.is_empty(), "{:?}", findings.codes());
}

#[test]
fn without_a_table_tracks_are_bone_ids() {
    let mut bytes = actor(&[]);
    bytes[0x18..0x20].fill(0);
    let (act, mut findings, _) = read_bytes(bytes);
    let tracks: Vec<_> = act.skeleton(&mut findings).joints().iter().map(|j| j.track).collect();
    assert_eq!(tracks, [Some(7), Some(3), Some(5)]);
}

#[test]
fn a_table_of_no_count_has_one_for_each_bone() {
    let mut bytes = actor(&[5, 6, 8]);
    bytes[0x126..0x128].fill(0);
    let (act, findings, _) = read_bytes(bytes);
    assert_eq!((act.user_data.tracks, findings.is_empty()), (Some(vec![5, 6, 8]), true));
}

#[test]
fn every_byte_is_a_field() {
    let source = Source::from(actor(&[1, 2]));
    let mut r = FieldReader::new(&source, 0..source.len() as u64, Endian::Big).recording();
    read::read_act(&mut r, &mut Findings::default()).unwrap();
    let fields = r.into_fields();
    assert_eq!(coverage::gaps(&fields, 0..source.len() as u64), []);
    let opaque = fields.iter().find(|f| f.name == "UserData 1").unwrap();
    let Children::Fields(inside) = &opaque.children else { panic!() };
    assert_eq!(inside.last().unwrap().value, Value::Opaque(super::super::USER_DATA));
}

/// The block before it stays; of what follows nothing can be known.
#[test]
fn user_data_is_read_up_to_the_first_block_that_does_not_fit() {
    // Where the damage is, the tracks that stay, and where the opaque rest begins.
    for (at, tracks, rest) in [(0x130, Some(vec![1, 2]), 0x130), (0x120, None, 0x120), (0x138, Some(vec![1, 2]), 0x130)]
    {
        let mut bytes = actor(&[1, 2]);
        bytes[at..at + 4].copy_from_slice(&0xFFFF_u32.to_be_bytes());
        let (act, findings, source) = read_bytes(bytes);
        assert_eq!((act.user_data.tracks, findings.codes()), (tracks, vec!["charpipe.bad-user-data"]), "{at:#x}");
        let mut r = FieldReader::new(&source, 0..source.len() as u64, Endian::Big).recording();
        read::read_act(&mut r, &mut Findings::default()).unwrap();
        let fields = r.into_fields();
        assert_eq!(coverage::gaps(&fields, 0..source.len() as u64), []);
        let opaque = fields.iter().find(|f| f.value == Value::Opaque(super::super::USER_DATA)).unwrap();
        assert_eq!((opaque.offset, opaque.offset + opaque.size), (rest, source.len() as u64), "{at:#x}");
    }
}

#[test]
fn a_bone_shows_its_links_by_name_and_its_control() {
    let (act, _, source) = read_bytes(actor(&[]));
    let parts = act.parts();
    assert_eq!((parts[2].name.as_str(), parts[2].class, parts[2].range.clone()), ("bone 5", "Bone", 0x58..0x74));
    let fields = act.part_fields(&source, 2);
    assert!(fields.iter().all(|f| f.mirror));
    let parent = fields.iter().find(|f| f.name == "Parent").unwrap();
    assert_eq!(parent.value, Value::Enum { value: 0x3C, name: "bone 3".into() });
    let Children::Fields(control) = &fields.last().unwrap().children else { panic!() };
    assert_eq!(control[0].value, Value::Flags { value: 0x10, names: vec!["matrix"] });
}

#[test]
fn bones_may_share_a_control() {
    let mut bytes = actor(&[]);
    bytes[0x20..0x24].copy_from_slice(&0xE4_u32.to_be_bytes());
    let (act, findings, source) = read_bytes(bytes);
    assert_eq!(act.bones[0].control, act.bones[2].control);
    assert!(findings.is_empty());
    let mut r = FieldReader::new(&source, 0..source.len() as u64, Endian::Big).recording();
    read::read_act(&mut r, &mut Findings::default()).unwrap();
    let controls: Vec<bool> = r.fields().iter().filter(|f| f.kind == "Control").map(|f| f.mirror).collect();
    assert_eq!(controls, [false, false, true]);
}

#[test]
fn damage_is_said_and_leaves_the_rest() {
    let damaged = |at: usize, word: u32| {
        let mut bytes = actor(&[1, 2]);
        bytes[at..at + 4].copy_from_slice(&word.to_be_bytes());
        let (act, mut findings, _) = read_bytes(bytes);
        let skeleton = act.skeleton(&mut findings);
        assert!(skeleton.world_from_joint_bind().iter().all(|m| m.is_finite()), "{at:#x}");
        assert!(skeleton.joint_from_world_bind().iter().all(|m| m.is_finite()), "{at:#x}");
        (findings.codes(), act)
    };
    assert_eq!(damaged(0, 5).0, ["charpipe.other-version"]);
    assert_eq!(damaged(0x10, 0x9999).0, ["charpipe.bad-name"]);
    assert_eq!(damaged(0x1C, 0x9999).0, ["charpipe.bad-user-data"]);
    assert_eq!(
        damaged(0x18, 0x9999).0.last(),
        Some(&"charpipe.bad-user-data"),
        "user data that is longer than its section"
    );
    let (codes, act) = damaged(0x20, 0x110);
    assert_eq!(codes, ["charpipe.bad-control"]);
    assert_eq!(act.bones[0].control.transform(), Transform::IDENTITY);
    assert_eq!(damaged(0xB0, 0).0, ["charpipe.flat-bone"], "a scale of zero");
    assert_eq!(damaged(0x94, f32::NAN.to_bits()).0, ["charpipe.bad-control"]);
    let (codes, act) = damaged(4, 0x0009_FFFF);
    assert_eq!((codes[0], act.bones.len()), ("charpipe.short-table", 10));
    let mut short = actor(&[]);
    short.truncate(0x1F);
    let source = Source::from(short);
    assert!(read::read_act(&mut FieldReader::new(&source, 0..0x1F, Endian::Big), &mut Findings::default()).is_err());
}
