//! The examples for those who use the library, run over the samples.

use crate::kit::{
    self,
    containers::{ZipMember, zip},
};
use bonebox::{
    bytes::{Cancel, Limits, MemberLimits, Source},
    formats::{
        Asset, Base, Content, Document, EntryId, FieldTree, LoadContext, LoadOptions, OpenErrorKind, Purpose,
        ReadError, ReadErrorKind,
    },
    library::{OpenFile, OpenOptions},
};
use glam::Vec3;
use std::path::Path;

#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/curves_to_csv.rs"]
mod curves_to_csv;
#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/entries.rs"]
mod entries;
#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/joint_counts.rs"]
mod joint_counts;
#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/own_archive.rs"]
mod own_archive;
#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/pose.rs"]
mod pose;
#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/textures_to_png.rs"]
mod textures_to_png;
#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/to_gltf.rs"]
mod to_gltf;
#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/turntable.rs"]
mod turntable;

#[test]
fn entries_and_fields_are_told() {
    let file = OpenOptions::new().open(kit::samples().join("Ossie.psk")).unwrap();
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
        let file = |name: &&str| (name.to_lowercase(), Source::from(std::fs::read(kit::samples().join(name)).unwrap()));
        own_archive::Archive(names.iter().map(file).collect())
    };
    let whole = || archive(&["Ossie.psk", "Ossie_Body.png", "Ossie_Bone.mat", "Ossie_Eyes.png"]);
    let dressed = own_archive::model(whole(), "ossie.psk").unwrap();
    assert!(dressed.missing.is_empty() && !dressed.images.is_empty(), "{:?}", dressed.missing);
    let bare = own_archive::model(archive(&["Ossie.psk"]), "ossie.psk").unwrap();
    assert!(!bare.missing.is_empty() && bare.images.is_empty(), "{:?}", bare.missing);
    assert_eq!(bare.meshes.len(), dressed.meshes.len());
    assert!(own_archive::model(whole(), "other.psk").is_err());
}

#[test]
fn a_reader_opens_as_a_file_on_the_disk_does() {
    let bytes = std::fs::read(kit::samples().join("Ossie.psk")).unwrap();
    let file = OpenOptions::new().open_source("Ossie.psk", bytes).unwrap();
    assert!(file.piped && file.models().count() == 1);
    let model = file.models().next().unwrap().id;
    assert_eq!(file.load_clip(model).unwrap_err().message, "not a clip");
    // Without a resolver, no texture is found, not even in the working folder.
    assert!(file.load_model(model).unwrap().images.is_empty());
    assert!(OpenOptions::new().open_source("nothing", b"nothing".to_vec()).is_err());
}

#[test]
fn the_kind_of_an_error_is_known() {
    use std::{error::Error as _, io::ErrorKind};
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let (unknown, empty) = (write("notes.xyz", b"no format begins like this"), write("empty.xyz", b""));
    let damaged = write("damaged.psk", &std::fs::read(kit::samples().join("Ossie.psk")).unwrap()[..20]);
    let archive = kit::samples().join("BonePack.umod");
    let small = Limits { file_bytes: 10, ..Limits::default() };
    let cases = [
        (folder.path().join("missing.psk"), Limits::default(), OpenErrorKind::Io(ErrorKind::NotFound), true),
        (archive.join("missing.psk"), Limits::default(), OpenErrorKind::Io(ErrorKind::NotFound), false),
        (folder.path().to_owned(), Limits::default(), OpenErrorKind::NotAFile, false),
        (damaged.clone(), small, OpenErrorKind::TooLarge, false),
        (unknown, Limits::default(), OpenErrorKind::UnknownFormat, false),
        (empty, Limits::default(), OpenErrorKind::UnknownFormat, false),
        (write("empty.psk", b""), Limits::default(), OpenErrorKind::Invalid, false),
        (damaged, Limits::default(), OpenErrorKind::Invalid, false),
    ];
    for (path, limits, kind, has_source) in cases {
        let Err(error) = OpenOptions::new().limits(limits).open(&path) else { panic!("{}", path.display()) };
        assert_eq!(error.kind, kind, "{error}");
        let source = error.source().and_then(|source| source.downcast_ref::<std::sync::Arc<std::io::Error>>());
        assert_eq!(source.map(|source| source.kind()), has_source.then_some(ErrorKind::NotFound), "{error}");
    }
}

/// A document with readers that panic.
struct Faulty(Box<dyn Document>);

impl Document for Faulty {
    fn base(&self) -> Base<'_> {
        self.0.base()
    }
    fn fields_for(&self, _: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        panic!("injected")
    }
    fn load(&self, _: EntryId, _: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        panic!("injected")
    }
}

#[test]
fn the_kind_of_a_failed_read_is_known() {
    let open = |name: &str| OpenOptions::new().open(kit::samples().join(name)).unwrap();
    let load =
        |file: &OpenFile, entry, cancel: &Cancel| file.load(entry, LoadOptions::default(), cancel).err().unwrap();
    let never = Cancel::never();

    let mut ossie = open("Ossie.psk");
    let model = ossie.models().next().unwrap().id;
    let points = ossie.document.outline().find("PNTS0000").unwrap().id;
    assert_eq!(load(&ossie, EntryId(999), never).kind, ReadErrorKind::NoEntry);
    assert_eq!(ossie.document.bytes(EntryId(999)).unwrap_err().kind, ReadErrorKind::NoEntry);
    assert_eq!(load(&ossie, points, never).kind, ReadErrorKind::NotAnAsset);
    assert_eq!(ossie.load_clip(model).unwrap_err().kind, ReadErrorKind::NotAnAsset);
    let pack = open("BonePack.umod");
    let member = pack.document.outline().entries().iter().find(|entry| entry.content == Content::Bytes).unwrap().id;
    assert_eq!(load(&pack, member, never).kind, ReadErrorKind::NotAnAsset);
    let small = Limits { decoded_bytes: 1000, ..Limits::default() };
    let body = OpenOptions::new().limits(small).open(kit::samples().join("Ossie_Body.png")).unwrap();
    assert_eq!(load(&body, EntryId::FILE, never).kind, ReadErrorKind::TooLarge);
    ossie.document = Box::new(Faulty(ossie.document));
    assert_eq!(load(&ossie, model, never).kind, ReadErrorKind::Internal);

    let isle = open("MarrowIsle.pew");
    let terrain = isle.document.outline().entries().iter().find(|entry| entry.content == Content::Terrain).unwrap().id;
    assert_eq!(load(&isle, terrain, &Cancel::cancelled()).kind, ReadErrorKind::Cancelled);
    assert!(isle.load_asset(terrain).is_ok());

    // The same archive whole, cut and damaged, and under a limit that is too low for its member.
    let archive = zip(&[ZipMember::deflated("notes.txt", &[7; 5000])]);
    let member = |bytes: &[u8], limits| {
        let file = OpenOptions::new().limits(limits).open_source("notes.zip", bytes.to_vec()).unwrap();
        let entry = file.document.outline().find("notes.txt").unwrap().id;
        file.document.read_bytes(entry).map(|source| source.len()).map_err(|error| error.kind)
    };
    assert_eq!(member(&archive, Limits::default()), Ok(5000));
    let low = Limits { members: MemberLimits { bytes: 100, ..MemberLimits::default() }, ..Limits::default() };
    assert_eq!(member(&archive, low), Err(ReadErrorKind::TooLarge));
    let mut damaged = archive;
    damaged[30 + "notes.txt".len()] = 0xFF;
    assert_eq!(member(&damaged, Limits::default()), Err(ReadErrorKind::Invalid));
}

#[test]
fn the_joints_of_a_folder_of_models_are_counted() {
    let counts = joint_counts::joint_counts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/j3d")).unwrap();
    // The counts in the sections JNT1.
    let expected = ["arm_basic.bmd", "arm_maya.bmd", "arm_softimage.bmd"].map(|name| (name.to_owned(), 3));
    assert_eq!(counts, expected);
}

#[test]
fn the_curves_of_clips_are_written_frame_by_frame() {
    let csv = curves_to_csv::curves_to_csv(&kit::samples().join("Ossie.psa")).unwrap();
    // 35 bones with two curves each, over the lengths that ANIMINFO states.
    assert_eq!(csv.lines().count(), 1 + 35 * 2 * (120 + 24 + 66));
    let row = |start: &str| -> Vec<f32> {
        let line = csv.lines().find(|line| line.starts_with(start)).unwrap();
        line.split(',').skip(4).filter(|it| !it.is_empty()).map(|it| it.parse().unwrap()).collect()
    };
    // ANIMKEYS, key 120 × 35 + 5 × 35 + 1: the axes differ in the scene, lengths do not.
    let length = |row: Vec<f32>| row.iter().map(|it| it * it).sum::<f32>().sqrt();
    assert!((length(row("Walk,Pelvis,translation,5,")) - 23.97283).abs() < 1e-3);
    assert!((length(row("Walk,Pelvis,rotation,5,")) - 1.0).abs() < 1e-3);
}

#[test]
fn textures_are_exported_in_parallel() {
    let folder = tempfile::tempdir().unwrap();
    let file = kit::samples().join("BoneboxFX.utx");
    let count = textures_to_png::textures_to_png(&file, folder.path()).unwrap();
    assert_eq!(count, std::fs::read_dir(folder.path()).unwrap().count());
    let bricks = image::open(folder.path().join("Rooms.Bricks.png")).unwrap();
    assert_eq!((bricks.width(), bricks.height()), (128, 128));
}

#[test]
fn a_model_turns_without_a_window() {
    if kit::device::context().is_none() {
        return;
    }
    let images = turntable::turntable(&kit::samples().join("Ossie.psk"), 4, 64).unwrap();
    assert_eq!(images.len(), 4);
    for (image, next) in images.iter().zip(images.iter().cycle().skip(1)) {
        let drawn = image.rgba.chunks_exact(4).filter(|pixel| pixel[3] == 255).count();
        assert!((100..3000).contains(&drawn), "{drawn} of 4096 pixels");
        assert_ne!(image.rgba, next.rgba);
    }
}
