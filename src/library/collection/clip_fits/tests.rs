use super::*;
use crate::{
    bytes::Cancel,
    formats::{Asset, EntryId, LoadOptions},
    library::{
        OpenFile, OpenOptions, clip_entries,
        collection::made::{Made, catalog, file},
        fits_for,
    },
    scene::{Binding, BindingOptions},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

const ARM: [&str; 4] = ["Root", "Upper", "Lower", "Hand"];

fn row(catalog: &Catalog, path: &str, entry: &str) -> RowIndex {
    let file = catalog.file_at(Path::new(path)).unwrap();
    let is_it = |(_, row): &(RowIndex, Row<'_>)| row.file == file && row.path == entry;
    catalog.rows().find(is_it).unwrap_or_else(|| panic!("no {path}::{entry}")).0
}

fn lines(catalog: &Catalog, fits: Vec<CatalogFit>) -> Vec<String> {
    let line = |fit: &CatalogFit| {
        let row = catalog.row(fit.row).unwrap();
        let file = catalog.file(row.file).unwrap().path.display();
        format!("{file}::{} {:?} {}", row.name, fit.evidence, fit.reason)
    };
    fits.iter().map(line).collect()
}

fn clips_for(catalog: &Catalog, path: &str, entry: &str) -> Vec<String> {
    let fits = ClipFits::of(catalog);
    lines(catalog, fits.clips_for(catalog, row(catalog, path, entry), 99, Cancel::never()))
}

fn models_for(catalog: &Catalog, path: &str, entry: &str) -> Vec<String> {
    let fits = ClipFits::of(catalog);
    lines(catalog, fits.models_for(catalog, row(catalog, path, entry), 99, Cancel::never()))
}

#[test]
fn names_come_before_counts_and_near_before_far() {
    let found = catalog([
        file("/g/arm.psk", "psk").model("Arm", &ARM),
        file("/g/arm.psa", "psa").clip("ANIMINFO/Wave", &["ROOT", "Upper ", "lower", "hand"], 9),
        file("/far/other.psa", "psa")
            .clip("ANIMINFO/Whole", &ARM, 9)
            .clip("ANIMINFO/Some", &["Root", "Upper", "Tail", "Tip"], 9)
            .clip("ANIMINFO/Few", &["Root", "Wing", "Tail", "Tip"], 9)
            .clip("ANIMINFO/None", &["Wheel", "Axle"], 9),
        file("/far/four.bck", "bck").counted_clip("four", 4),
        file("/far/five.bck", "bck").counted_clip("five", 5),
        file("/far/none.btk", "btk").counted_clip("none", 0),
    ]);
    assert_eq!(
        clips_for(&found, "/g/arm.psk", "Arm"),
        [
            "/g/arm.psa::Wave Own same folder, 4 of 4 bones match, same name as the model",
            "/far/other.psa::Whole Names 4 of 4 bones match",
            "/far/other.psa::Some Names 2 of 4 bones match",
            "/far/other.psa::Few FewNames 1 of 4 bones match",
            "/far/four.bck::four Count only the number of joints matches",
        ]
    );
}

#[test]
fn clips_that_go_by_place_need_a_name_or_a_place() {
    let found = catalog([
        file("/a/Link.arc", "rarc")
            .model("bdl/link.bdl", &ARM)
            .counted_clip("bck/link_walk.bck", 4)
            .counted_clip("bck/enemy_walk.bck", 4)
            .counted_clip("bck/link_short.bck", 3)
            .counted_clip("bck/enemy_short.bck", 3)
            .counted_clip("btk/link_eyes.btk", 0)
            .model("bdl/enemy.bdl", &ARM),
        file("/b/zora.bck", "bck").counted_clip("zora", 4),
    ]);
    let clips = clips_for(&found, "/a/Link.arc", "bdl/link.bdl");
    assert_eq!(
        clips,
        [
            "/a/Link.arc::link_walk.bck Own same archive, 4 of 4 joints match, name begins with “link”",
            "/a/Link.arc::link_eyes.btk Own same archive, no joint animation, name begins with “link”",
            "/a/Link.arc::enemy_walk.bck CountAndPlace same archive, 4 of 4 joints match, named after the model \
             “enemy”",
            "/a/Link.arc::link_short.bck CountAndPlace same archive, 3 of 4 joints match, name begins with “link”; the \
             others keep their bind pose",
            "/b/zora.bck::zora Count only the number of joints matches",
        ]
        .map(str::to_owned)
    );
    let models = models_for(&found, "/a/Link.arc", "bck/enemy_walk.bck");
    assert_eq!(
        models,
        [
            "/a/Link.arc::enemy.bdl Own same archive, 4 of 4 joints match, name begins with “enemy”",
            "/a/Link.arc::link.bdl CountAndPlace same archive, 4 of 4 joints match, named after the model “enemy”",
        ]
    );
}

#[test]
fn a_number_of_joints_brings_no_clip_of_another_folder() {
    let found = catalog([
        file("/g/beast/beast.bmd", "bmd").model("beast", &ARM),
        file("/g/beast/bck/walk.bck", "bck").counted_clip("walk", 4),
        file("/g/beast/beast_run.bck", "bck").counted_clip("beast_run", 4),
        file("/g/saucer/saucer.bmd", "bmd").model("saucer", &ARM),
        file("/g/saucer/fly.bck", "bck").counted_clip("fly", 4),
    ]);
    assert_eq!(
        clips_for(&found, "/g/beast/beast.bmd", "beast"),
        [
            "/g/beast/beast_run.bck::beast_run Own same folder, 4 of 4 joints match, name begins with “beast”",
            "/g/beast/bck/walk.bck::walk Own animation folder “bck”, 4 of 4 joints match, only model at this location",
            "/g/saucer/fly.bck::fly Count only the number of joints matches",
        ]
    );
    assert_eq!(
        models_for(&found, "/g/saucer/fly.bck", "fly"),
        [
            "/g/saucer/saucer.bmd::saucer Own same folder, 4 of 4 joints match, only model at this location",
            "/g/beast/beast.bmd::beast Count only the number of joints matches",
        ]
    );
}

#[test]
fn models_of_a_clip_are_those_that_have_its_joints() {
    let found = catalog([
        file("/g/big.psk", "psk").model("Big", &["Root", "Upper", "Lower", "Hand", "Finger"]),
        file("/h/arm.psk", "psk").model("Arm", &ARM),
        file("/h/wheel.psk", "psk").model("Wheel", &["Wheel"]).model("Bare", &[]),
        file("/g/clips.psa", "psa").clip("ANIMINFO/Wave", &ARM, 9),
    ]);
    assert_eq!(
        models_for(&found, "/g/clips.psa", "ANIMINFO/Wave"),
        [
            "/g/big.psk::Big Own same folder, 4 of 4 bones match (the model has 5), only model at this location",
            "/h/arm.psk::Arm Names 4 of 4 bones match",
        ]
    );
    let none = ClipFits::of(&found);
    let cancel = Cancel::new();
    assert!(none.models_for(&found, row(&found, "/h/arm.psk", "Arm"), 9, &cancel).is_empty(), "it is no clip");
    assert!(none.clips_for(&found, row(&found, "/g/clips.psa", "ANIMINFO/Wave"), 9, &cancel).is_empty());
    assert!(none.clips_for(&found, RowIndex(u32::MAX), 9, &cancel).is_empty());
    let arm = row(&found, "/h/arm.psk", "Arm");
    assert!(none.clips_for(&found, arm, 9, &Cancel::cancelled()).is_empty(), "cancelled");
    assert!(none.clips_for(&found, arm, 0, &cancel).is_empty());
}

#[test]
fn repeated_names_and_other_roots_count_as_when_they_are_played() {
    let found = catalog([
        file("/g/twins.psk", "psk").model("Twins", &["Root", "Finger", "Finger"]),
        file("/x/a.psa", "psa")
            .clip("Three", &["Finger", "finger", "Finger"], 9)
            .clip("Renamed", &["Bip01", "Finger", "Finger"], 9)
            .clip("Lone", &["Bip01"], 9),
    ]);
    let clips = clips_for(&found, "/g/twins.psk", "Twins");
    assert_eq!(clips.len(), 2, "{clips:?}");
    assert!(clips[0].contains("Renamed Names 3 of 3 bones match; the clip's root “Bip01” moves “Root”"));
    assert!(clips[1].contains("Three Names 2 of 3 bones match"), "{clips:?}");
}

#[test]
fn sequences_of_vertices_are_of_their_own_mesh() {
    let made = file("/g/Flag.u", "unreal")
        .model("Flag", &[])
        .entry("Flag/Wave", "MeshAnimSeq", Role::VertexSequence, Content::Clip)
        .about(About::Clip { joints: None, joint_count: 0, frames: 9, rate_hz: 15.0 })
        .model("FlagPole", &[]);
    let found = catalog([made]);
    assert_eq!(clips_for(&found, "/g/Flag.u", "Flag"), ["/g/Flag.u::Wave Own vertex animation of this mesh"]);
    assert_eq!(clips_for(&found, "/g/Flag.u", "FlagPole"), [""; 0]);
    assert_eq!(models_for(&found, "/g/Flag.u", "Flag/Wave").len(), 1);
}

/// What the index says of an open file, as far as clips and models go.
fn made_of(open: &OpenFile, model: &crate::scene::Model) -> Made {
    let cancel = Cancel::new();
    let info = open.document.format();
    let mut made = file(&open.path.to_string_lossy(), info.id);
    for entry in open.document.outline().entries() {
        let loaded = matches!(entry.content, Content::Model | Content::Clip)
            .then(|| open.load(entry.id, LoadOptions::default(), &cancel).ok())
            .flatten();
        made = match entry.id {
            EntryId::FILE => made.file_is(entry.role, entry.content),
            _ => made.entry(&entry.path(), &entry.class, entry.role, entry.content),
        };
        let about = match loaded.map(|loaded| loaded.asset) {
            Some(Asset::Model(model)) => {
                let joints: Vec<&str> =
                    model.skeleton.iter().flat_map(|s| s.joints()).map(|joint| joint.name.as_str()).collect();
                let joint_count = joints.len() as u32;
                About::Model { joints: Some(made.joints(&joints)), joint_count, vertices: 0, triangles: 0 }
            }
            Some(Asset::Clip(clip)) if !clip.joints.is_empty() && clip.tracks().is_empty() && !clip.joins_parts() => {
                let joints: Vec<&str> = clip.joints.iter().map(String::as_str).collect();
                let joint_count = joints.len() as u32;
                About::Clip { joints: Some(made.joints(&joints)), joint_count, frames: 9, rate_hz: 30.0 }
            }
            Some(Asset::Clip(clip)) => {
                let fit = Binding::new(&clip, model, BindingOptions::default()).fit;
                let of_joints = |p: &PartsFit| matches!(p.what, Parts::Joints | Parts::Tracks { .. });
                let joint_count = fit.parts.filter(of_joints).map_or(0, |p| p.clip) as u32;
                About::Clip { joints: None, joint_count, frames: 9, rate_hz: 30.0 }
            }
            _ => About::Nothing,
        };
        made = made.about(about);
    }
    made
}

/// The best clip of a folder by the index, and what open files say of it.
fn assert_same_best(folder: &Path, model_name: &str) {
    let cancel = Cancel::new();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let opened: Vec<Arc<OpenFile>> =
        paths.iter().filter_map(|path| OpenOptions::new().open(path).ok()).map(Arc::new).collect();
    let of_model = opened.iter().find(|file| file.name == model_name).unwrap();
    let entry = of_model.models().next().unwrap().id;
    let model = of_model.load_model(entry).unwrap();
    let home = Home::of_model(of_model, entry);
    let with_clips: Vec<Arc<OpenFile>> = opened.iter().filter(|file| !clip_entries(file).is_empty()).cloned().collect();
    let expected = fits_for(&with_clips, &model, &home, &cancel);
    let first = expected.first().unwrap_or_else(|| panic!("no clip for {model_name}"));
    let catalog = catalog(opened.iter().map(|file| made_of(file, &model)));
    let fits = ClipFits::of(&catalog);
    let at = catalog.row_of(catalog.file_at(&of_model.path).unwrap(), entry).unwrap();
    let found = fits.clips_for(&catalog, at, 10, &cancel);
    let best = catalog.row(found.first().unwrap_or_else(|| panic!("no clip for {model_name}")).row).unwrap();
    let place = (&*catalog.file(best.file).unwrap().path, best.entry);
    let is_expected = first.file.path == place.0 && first.entries.contains(&place.1);
    assert!(
        is_expected,
        "{model_name}: {place:?} instead of {} {:?}\n{:#?}",
        first.file.path.display(),
        first.entries,
        lines(&catalog, found)
    );
}

#[test]
fn the_best_clip_is_that_of_the_open_files() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    assert_same_best(&data.join("actorx"), "syn_arm.psk");
    assert_same_best(&data.join("j3d"), "arm_maya.bmd");
    assert_same_best(&data.join("charpipe"), "arm_full.model");
}
