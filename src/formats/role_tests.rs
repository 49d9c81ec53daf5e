//! What the entries of each family's sample are.

use super::{Diagnostics, NO_OVERRIDES, NoFiles, OpenContext, Role, open};
use crate::bytes::{Limits, Source};
use std::{path::Path, sync::Arc};

/// The roles in a file, each with the classes that have it.
fn roles_of(path: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let mut diagnostics = Diagnostics::new(50);
    let mut cx = OpenContext {
        file: path.file_name().unwrap().to_str().unwrap(),
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits: Limits::default(),
        overrides: &NO_OVERRIDES,
    };
    let document = open(Source::from(std::fs::read(&path).unwrap()), &mut cx).unwrap();
    let mut found: Vec<(Role, &str)> =
        document.outline().entries().iter().map(|entry| (entry.role, &*entry.class)).collect();
    found.sort_by_key(|(role, class)| (format!("{role:?}"), *class));
    found.dedup();
    let mut lines: Vec<String> = Vec::new();
    let mut last = None;
    for (role, class) in found {
        match lines.last_mut().filter(|_| last == Some(role)) {
            Some(line) => line.push_str(&format!(" {class}")),
            None => lines.push(format!("{role:?}: {class}")),
        }
        last = Some(role);
    }
    lines
}

fn assert_roles(path: &str, expected: &[&str]) {
    let found = roles_of(path);
    assert_eq!(found, expected, "{path}: {found:#?}");
}

#[test]
fn of_actorx() {
    let mesh = ["Bone: Bone", "File: Psk", "Group: Chunk", "Material: Material", "Model: Mesh"];
    assert_roles("assets/samples/Ossie.psk", &mesh);
    assert_roles("tests/data/actorx/syn_ext.psk", &[&mesh[..], &["Morph: Morph", "Socket: Socket"]].concat());
    let clips = ["Bone: Bone", "Clip: AnimInfo", "File: Psa", "Group: Chunk", "Skeleton: Skeleton"];
    assert_roles("assets/samples/Ossie.psa", &clips);
}

#[test]
fn of_unreal() {
    assert_roles("assets/samples/BoneRoom.unr", &[]);
    assert_roles("assets/samples/Bonebox.u", &[]);
    assert_roles("assets/samples/BoneboxFX.utx", &[]);
    assert_roles("assets/samples/BoneTune.umx", &["File: Package", "Music: Music"]);
}

#[test]
fn of_j3d() {
    assert_roles(
        "tests/data/j3d/arm_maya.bmd",
        &[
            "Bone: Joint",
            "Group: DRW1 EVP1 INF1 JNT1 MAT3 SHP1 TEX1 VTX1",
            "Material: Material",
            "Model: Bmd",
            "Part: Shape",
            "Texture: Texture",
        ],
    );
    // What an animation drives is no joint and no material of its own.
    assert_roles("tests/data/j3d/arm_wave.bck", &["Clip: Bck", "Data: Joint", "Group: ANK1"]);
    assert_roles(
        "tests/data/j3d/arm.bmt",
        &["Clip: Bmt", "Group: MAT3 TEX1", "Material: Material", "Texture: Texture"],
    );
    assert_roles("tests/data/j3d/tex_cmpr.bti", &["Texture: Bti"]);
}

#[test]
fn of_archives() {
    assert_roles("assets/samples/ScalingRules.arc", &[]);
    assert_roles("assets/samples/Bonebox.szs", &[]);
    assert_roles("tests/data/archive/menu.u8", &[]);
}

#[test]
fn of_the_character_pipeline() {
    assert_roles("assets/samples/Helix.model", &[]);
    assert_roles("assets/samples/Helix.anm", &["Clip: Sequence", "Group: ANM"]);
    assert_roles("tests/data/charpipe/arm_full.model", &[]);
    assert_roles("tests/data/charpipe/arm_sdk.act", &["Bone: Bone", "Model: ACT"]);
    assert_roles("tests/data/charpipe/arm_sdk.tpl", &["Group: TPL", "Texture: Texture"]);
}

#[test]
fn of_visitor() {
    assert_roles("assets/samples/MarrowIsle.pew", &[]);
    assert_roles("assets/samples/marrow/oak.p3d", &[]);
}
