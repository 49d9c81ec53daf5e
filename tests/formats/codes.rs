//! R12: every diagnostic code of every format is raised by a file.

use crate::{
    actorx_files, codes_archive, codes_charpipe, codes_containers, codes_j3d, codes_paa, codes_unreal, codes_visitor,
    kit::{
        self,
        codes::{Trigger, assert_table},
        files::Files,
    },
    mesh3d, p3d, wrp,
};
use bonebox::{
    bytes::{Allowance, Limits},
    formats::FORMATS,
};
use std::collections::BTreeSet;

/// Codes that are no family's own.
fn triggers() -> Vec<Trigger> {
    let few = Limits { steps: Allowance { base: 1, per_byte: 0 }, ..Limits::default() };
    let none = Limits { diagnostics_per_code: 0, ..Limits::default() };
    let skin = || actorx_files::mesh(|mesh| mesh.materials[0].name = "Skin".into());
    let lost = Files(vec![("Skin.mat", b"Diffuse=Skin_D\n".to_vec())]);
    let broken = Files(vec![("Skin.png", b"\x89PNG\r\n\x1a\nno".to_vec())]);
    vec![
        Trigger::new("bonebox.too-much-work", "made.p3d", kit::p3d::rich_model()).within(few),
        Trigger::new("bonebox.more-of-these", "a.psk", actorx_files::mesh(|mesh| mesh.faces[0].material = 1))
            .within(none),
        Trigger::new("bonebox.missing-file", "a.psk", skin()).beside(lost),
        Trigger::new("bonebox.bad-picture", "a.psk", skin()).beside(broken),
    ]
}

#[test]
fn every_code_of_no_family_is_raised_by_a_file() {
    assert_table("bonebox.", &triggers());
}

#[test]
fn every_code_of_every_format_has_a_file() {
    let tables = [
        triggers(),
        actorx_files::triggers(),
        codes_archive::triggers(),
        codes_charpipe::triggers(),
        codes_containers::triggers(),
        codes_j3d::triggers(),
        codes_paa::triggers(),
        codes_unreal::triggers(),
        codes_visitor::triggers(),
        mesh3d::triggers(),
        p3d::triggers(),
        wrp::triggers(),
    ];
    let raised: BTreeSet<&str> = tables.iter().flatten().map(|trigger| trigger.code).collect();
    let listed: BTreeSet<&str> = FORMATS.iter().flat_map(|format| format.info().codes).map(|code| code.id).collect();
    assert_eq!(raised, listed);
}
