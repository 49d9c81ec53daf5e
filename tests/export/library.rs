//! The examples for those who use the library, run over the samples.

use crate::kit;
use bonebox::library::OpenOptions;
use glam::Vec3;
use std::sync::Arc;

#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/entries.rs"]
mod entries;
#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/own_archive.rs"]
mod own_archive;
#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/pose.rs"]
mod pose;
#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/to_gltf.rs"]
mod to_gltf;

#[test]
fn entries_and_fields_are_told() {
    let file = OpenOptions::new().open(&kit::samples().join("Ossie.psk")).unwrap();
    let entries = entries::entries(&file);
    assert_eq!(entries.len(), file.document.outline().entries().len());
    assert!(entries.contains(&"#1 Model Mesh Mesh".to_owned()), "{entries:#?}");
    let fields = entries::fields(&file, "ACTRHEAD").unwrap();
    assert_eq!(fields[2], "      20        4 TypeFlag: i32 = Int(20100422)");
    let points = entries::fields(&file, "PNTS0000").unwrap();
    assert!(points.len() > 7 && points.len() < 40, "three rows of a table: {points:#?}");
    assert!(entries::fields(&file, "no such entry").is_err());
}

#[test]
fn a_clip_moves_the_points_of_a_model() {
    let [model, bank] = ["Ossie.psk", "Ossie.psa"].map(|name| kit::samples().join(name));
    let at = |secs| pose::pose(&model, &bank, "Walk", secs).unwrap();
    let (start, later) = (at(0.0), at(0.5));
    assert_eq!((start.len(), later.len()), (3371, 3371));
    let furthest = start.iter().zip(&later).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(furthest > 5.0, "{furthest}");
    // What `bonebox pose --time 0.5` says, in the scene's axes.
    let high = later.iter().fold(Vec3::MIN, |high, point| high.max(*point));
    assert!((high.y - 99.416_664).abs() < 1e-3, "{high}");
    assert!(pose::pose(&model, &bank, "No such clip", 0.0).is_err());
}

#[test]
fn a_model_becomes_gltf_with_all_clips() {
    let [model, bank] = ["Ossie.psk", "Ossie.psa"].map(|name| kit::samples().join(name));
    let written = to_gltf::to_gltf(&model, &bank).unwrap();
    let back = gltf::Gltf::from_slice(&written.bytes).unwrap();
    let names: Vec<&str> = back.animations().filter_map(|animation| animation.name()).collect();
    assert_eq!(names, ["Idle", "Walk", "Cheer"]);
    assert_eq!((back.skins().count(), back.images().count()), (1, 2));
}

#[test]
fn files_in_memory_find_each_other() {
    let archive = |names: &[&str]| {
        let mut archive = own_archive::Archive::default();
        for name in names {
            archive.add(&name.to_uppercase(), std::fs::read(kit::samples().join(name)).unwrap());
        }
        Arc::new(archive)
    };
    let whole = archive(&["Ossie.psk", "Ossie_Body.png", "Ossie_Bone.mat", "Ossie_Eyes.png"]);
    let dressed = own_archive::model(whole.clone(), "Ossie.psk").unwrap();
    assert!(dressed.missing.is_empty() && !dressed.images.is_empty(), "{:?}", dressed.missing);
    let bare = own_archive::model(archive(&["Ossie.psk"]), "Ossie.psk").unwrap();
    assert!(!bare.missing.is_empty() && bare.images.is_empty(), "{:?}", bare.missing);
    assert_eq!(bare.meshes.len(), dressed.meshes.len());
    assert!(own_archive::model(whole, "Other.psk").is_err());
}
