//! R12: a file for each diagnostic code of the character pipeline.

use crate::{
    charpipe_borrowed, charpipe_models,
    kit::{
        charpipe::files::files,
        codes::{Trigger, assert_table, cut, put, whole, with},
    },
};
use bonebox::formats::charpipe::encode::{Block, encode_archive, encode_block};

const MODEL: &str = "charpipe/arm_min.model";

/// One of the files that are made in code.
fn made(name: &str) -> Vec<u8> {
    files().into_iter().find(|(made, _)| made == name).unwrap().1
}

fn bad(code: &'static str, name: &str) -> Trigger {
    whole(code, &format!("charpipe/bad/{name}.model"))
}

/// An archive of palettes whose meshes are all one.
fn many_parts() -> Vec<u8> {
    let gpl = charpipe_models::shared(4096, 1, &charpipe_models::strip(3));
    encode_archive(&vec![encode_block(&Block { gpl, ..Block::default() }); 100])
}

fn sections() -> Vec<Trigger> {
    let (lone, lender) = charpipe_borrowed::without_textures();
    vec![
        bad("charpipe.bad-pointer", "truncated_half"),
        bad("charpipe.unreadable-section", "shift_63"),
        Trigger::new("charpipe.unknown-member", "made.models", made("made.models")),
        Trigger::new("charpipe.bad-member", "made.models", &made("made.models")[..18]),
        Trigger::new("charpipe.too-many-parts", "many.models", many_parts()),
        // The pointer of the actor.
        put("charpipe.other-version", MODEL, 0xB, &[0xFF]),
        cut("charpipe.bad-texture-table", MODEL, 1188),
        cut("charpipe.bad-texture", MODEL, 1221),
        cut("charpipe.no-such-texture", MODEL, 1188),
        put("charpipe.unknown-texture-code", MODEL, 0xF, &[0xFF]),
        Trigger::new("charpipe.borrowed-textures", "L_Mario.model", lone).beside(lender),
        // The pointer of the faces.
        put("charpipe.bad-faces", MODEL, 0x18, &[0, 0, 0, 0x40]),
        put("charpipe.unknown-faces", MODEL, 0x18, &[0, 0, 0, 0x40]),
        Trigger::new("charpipe.faces-misfit", "made.model", made("made.model")),
        whole("charpipe.skin-alone", "charpipe/arm_sdk.skn"),
    ]
}

fn bones_and_skins() -> Vec<Trigger> {
    vec![
        bad("charpipe.short-table", "truncated_half"),
        bad("charpipe.bad-link", "truncated_half"),
        bad("charpipe.link-cycle", "act_parent_self"),
        put("charpipe.unlinked-bones", MODEL, 0xB, &[0xFF]),
        cut("charpipe.bad-control", MODEL, 990),
        put("charpipe.flat-bone", MODEL, 0x3F8, &[0xFF]),
        bad("charpipe.bad-name", "truncated_half"),
        bad("charpipe.bad-user-data", "truncated_half"),
        bad("charpipe.short-list", "sk1_src_wrap"),
        bad("charpipe.short-flush", "truncated_in_skn"),
        bad("charpipe.bad-list-bone", "sk1_bone_out_of_range"),
        bad("charpipe.bad-list-slots", "sk1_count_65535"),
        // The pointer of the skin.
        put("charpipe.shift-mismatch", MODEL, 0x13, &[0xFF]),
        put("charpipe.odd-clear", MODEL, 0x13, &[0x80]),
        put("charpipe.nothing-skinned", MODEL, 0x17, &[0xFF]),
        put("charpipe.weight-sum", "charpipe/arm_sdk.model", 0xA60, &[0xFF]),
        put("charpipe.overwritten-slot", MODEL, 0x5FE, &[0xFF]),
        Trigger::new("charpipe.uncleared-slot", "made.model", with(made("made.model"), 0x6AC, &[0xFF])),
    ]
}

fn meshes() -> Vec<Trigger> {
    vec![
        cut("charpipe.bad-object", MODEL, 60),
        // The place of the first mesh.
        put("charpipe.bad-object", "charpipe/arm_sdk.gpl", 0x14, &[0x7F]),
        cut("charpipe.bad-array", MODEL, 84),
        bad("charpipe.bad-count", "gpl_mesh_count_huge"),
        put("charpipe.too-many-uv-sets", "charpipe/arm_sdk.gpl", 0x30, &[9]),
        bad("charpipe.bad-list", "vcd_direct"),
        bad("charpipe.list-size", "primlist_len_huge"),
        put("charpipe.bad-index", MODEL, 0xB, &[0xFF]),
        Trigger::new(
            "charpipe.too-much",
            "shared.gpl",
            charpipe_models::shared(4096, 4, &charpipe_models::strip(60_000)),
        ),
        Trigger::new("charpipe.unknown-state", "made.model", made("made.model")),
        bad("charpipe.undrawn-mesh", "truncated_half"),
    ]
}

fn animations() -> Vec<Trigger> {
    vec![
        cut("charpipe.cut-bank", "charpipe/arm_sdk.anm", 100),
        put("charpipe.track-left-out", "charpipe/arm_sdk.anm", 0xA, &[0xFF]),
        put("charpipe.odd-keys", "charpipe/arm_sdk.anm", 0x24, &[0xFF]),
        put("charpipe.shared-keys", "charpipe/arm_sdk.anm", 0x2C, &[0xFF]),
    ]
}

pub fn triggers() -> Vec<Trigger> {
    [sections(), bones_and_skins(), meshes(), animations()].into_iter().flatten().collect()
}

#[test]
fn every_code_is_raised_by_a_file() {
    assert_table("charpipe.", &triggers());
}
