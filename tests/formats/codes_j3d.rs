//! R12: a file for each diagnostic code of J3D files.

use crate::{
    j3d_animations, j3d_made_models,
    kit::codes::{Trigger, assert_table, cut, file, put, with},
};

const MODEL: &str = "j3d/arm_basic.bmd";
/// Past the end of every file here.
const FAR: [u8; 4] = [0x00, 0x7F, 0xFF, 0xFF];

/// Where a chunk of the model begins.
fn chunk(tag: &[u8; 4]) -> usize {
    file(MODEL).windows(4).position(|four| four == tag).unwrap()
}

/// The number of 32 bits at a place of the model.
fn word(at: usize) -> usize {
    u32::from_be_bytes(file(MODEL)[at..at + 4].try_into().unwrap()) as usize
}

/// The model with other bytes at a place.
fn model(code: &'static str, at: usize, bytes: &[u8]) -> Trigger {
    put(code, MODEL, at, bytes)
}

/// Offsets that lead past the end of the file, each of which is said where it stands.
fn far_offsets() -> Vec<Trigger> {
    let [vertices, shapes, joints, textures] = [b"VTX1", b"SHP1", b"JNT1", b"TEX1"].map(chunk);
    vec![
        // Positions, which have a format, and the last texture coordinates, which have none.
        model("j3d.short-array", vertices + 12, &FAR),
        model("j3d.bad-value", vertices + 12 + 4 * 12, &FAR),
        // The entry of the first shape, and of the first joint.
        model("j3d.bad-shape", shapes + word(shapes + 16), &[0x7F, 0xFF]),
        model("j3d.short-array", joints + word(joints + 16), &[0x7F, 0xFF]),
        // The pixels of the first texture.
        model("j3d.bad-texture", textures + word(textures + 12) + 0x1C, &FAR),
        // The names of materials, and the sounds.
        put("j3d.name-count", "j3d/arm.bpk", 0x2C, &FAR),
        put("j3d.sounds", "j3d/arm_full.bca", 0x10, b"SVR1\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\x7F\xFF\xFF"),
    ]
}

/// The ambient colours begin where the TEV stages do.
fn stray_table() -> Trigger {
    let materials = chunk(b"MAT3");
    let mut bytes = file(MODEL);
    bytes.copy_within(materials + 0x5C..materials + 0x60, materials + 0x2C);
    let entry = materials + word(materials + 0x0C);
    Trigger::new("j3d.stray-table", "stray.bmd", with(bytes, entry + 0x14, &[0, 0]))
}

pub fn triggers() -> Vec<Trigger> {
    let mut triggers = far_offsets();
    triggers.extend([
        // The size of the file, the number and the size of chunks.
        put("j3d.file-size", "j3d/arm.bla", 8, &[0x7F]),
        put("j3d.chunk-count", "j3d/arm.bla", 15, &[2]),
        cut("j3d.chunk-size", "j3d/arm.bla", 42),
        put("j3d.bad-chunk", "j3d/arm.bla", 0x27, &[0]),
        put("j3d.unknown-chunk", "j3d/arm.bla", 0x20, b"XYZ9"),
        model("j3d.duplicate-chunk", chunk(b"DRW1"), b"EVP1"),
        cut("j3d.unreadable-chunk", "j3d/arm.bla", 42),
        // Within the materials.
        cut("j3d.bad-table", MODEL, 1989),
        cut("j3d.absent-record", MODEL, 2655),
        model("j3d.unknown-code", 0x74F, &[0xFF]),
        stray_table(),
        model("j3d.unused-table", chunk(b"MAT3") + 0x30, &FAR),
        // Within the hierarchy, and the scaling rule.
        cut("j3d.bad-hierarchy", MODEL, 57),
        model("j3d.bad-value", chunk(b"INF1") + 9, &[0xFF]),
        // Within the shapes.
        cut("j3d.bad-index", MODEL, 1824),
        cut("j3d.bad-shape", MODEL, 1824),
        Trigger::new("j3d.attribute-order", "made.bmd", j3d_made_models::out_of_order(true)),
        // Within the names, the tracks and the banks of animations.
        cut("j3d.bad-names", "j3d/arm.bpk", 117),
        cut("j3d.cut-table", "j3d/arm.bpk", 84),
        cut("j3d.track-bounds", "j3d/arm.bpk", 108),
        put("j3d.loop-mode", "j3d/arm.bpk", 0x28, &[0xFF]),
        put("j3d.animated-slot", "j3d/arm.brk", 0x2C, &[0xFF]),
        put("j3d.post-matrices", "j3d/arm_basic.btk", 0x54, &[0xFF]),
        Trigger::new("j3d.key-flood", "flood.bck", j3d_animations::flood()),
        put("j3d.not-finite", "j3d/arm.bla", 0x44, &[0xFF]),
    ]);
    triggers
}

#[test]
fn every_code_is_raised_by_a_file() {
    assert_table("j3d.", &triggers());
}

/// Entries of what is not there are where the file names it.
#[test]
fn a_joint_without_a_record_is_listed_where_its_number_is() {
    let joints = chunk(b"JNT1");
    let at = joints + word(joints + 16);
    let opened = crate::kit::open::open("arm.bmd", with(file(MODEL), at, &[0x7F, 0xFF]));
    let first = opened.document.outline().entries().iter().find(|entry| entry.class == "Joint").unwrap();
    assert_eq!((first.offset, first.size), (at as u64, 2));
    assert!(opened.document.fields(first.id).unwrap().fields.is_empty());
}
