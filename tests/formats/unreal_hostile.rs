//! Packages made to make a reader run in circles, do the same work over and over or fill the memory (formats/unreal.md §15).
//! Every file here is well under 2 MiB and takes moments; done naively each would take minutes, or all of the memory.

use crate::kit::{open::Opened, unreal::open_file};
use bonebox::formats::{
    Asset, Children, EntryId, Field, Value,
    unreal::encode::{
        BspSurface, ClassData, Export, LevelData, LightMap, Mip, ModelData, PackageWriter, Poly, Properties, Ref,
        Sequence, StateData, StateFrame, StructData, TextureData, assemble, flags, write_animation, write_class,
        write_level, write_model, write_palette, write_polys, write_properties, write_state_frame, write_texture,
    },
};
use std::{
    sync::mpsc,
    time::{Duration, Instant},
};

/// Far above what any of these takes in a build for tests, on a busy machine; far below what the naive way takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// A field of this name, however deep.
fn field(fields: &[Field], name: &str) -> Field {
    let mut left: Vec<&Field> = fields.iter().collect();
    while let Some(field) = left.pop() {
        if field.name == name {
            return field.clone();
        }
        if let Children::Fields(inside) = &field.children {
            left.extend(inside);
        }
    }
    panic!("no field {name}");
}

/// Opens a package called `Own.u`, which thus can import from itself, and has `look` at it on a small stack.
fn within_patience(bytes: Vec<u8>, look: impl FnOnce(&Opened) + Send + 'static) {
    let (done, wait) = mpsc::channel();
    let started = Instant::now();
    let worker = std::thread::Builder::new().stack_size(512 << 10).spawn(move || {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Own.u");
        std::fs::write(&path, bytes).unwrap();
        look(&open_file(&path));
        let _ = done.send(());
    });
    let worker = worker.unwrap();
    let timed_out = matches!(wait.recv_timeout(PATIENCE), Err(mpsc::RecvTimeoutError::Timeout));
    assert!(!timed_out, "not done after {PATIENCE:?}");
    worker.join().unwrap();
    eprintln!("{:?}", started.elapsed());
}

fn plain(package: &mut PackageWriter, class: Ref, name: &str) -> Ref {
    package.add(&Export::new(class, name), |out| write_properties(out, &Properties::new()))
}

#[test]
fn imports_of_the_package_itself_do_not_lead_in_a_circle() {
    // The class of A is the import Own.A, said to be of class X: whether A will do depends on what its class is, and that is A.
    let mut package = PackageWriter::new(69, 0);
    let outer = package.package("Own");
    let class = package.import("Own", "X", outer, "A");
    plain(&mut package, class, "A");
    within_patience(package.finish(), |file| {
        assert_eq!(file.diagnostics, []);
        let class = field(&file.document.fields(file.entry("A")).unwrap().fields, "Class");
        let Value::Reference(class) = class.value else { panic!("{class:?}") };
        assert_eq!((class.path.as_str(), class.resolved, class.entry), ("Own.A", false, None));
        // The package is found, and not in it what is said to be an X.
        let own = field(&file.document.fields(EntryId::FILE).unwrap().fields, "Own");
        let Children::Fields(parts) = &own.children else { panic!("{own:?}") };
        assert_eq!((&*own.kind, &*parts[0].name, &*parts[0].kind), ("Package, found", "A", "X, missing"));
    });
}

#[test]
fn many_imports_of_a_name_that_many_exports_have_are_looked_up_in_time() {
    let mut package = PackageWriter::new(69, 0);
    let outer = package.package("Own");
    let class = package.import("Core", "Class", outer, "A");
    for _ in 0..20_000 {
        package.export(&Export::new(class, "A"));
    }
    for number in 0..20_000 {
        package.import("Core", &format!("C{number}"), outer, "A");
    }
    within_patience(package.finish(), |file| {
        assert_eq!(file.diagnostics, []);
        assert_eq!(file.document.outline().entries().len(), 20_001);
        let all = field(&file.document.fields(EntryId::FILE).unwrap().fields, "Dependencies");
        let Children::Table(packages) = &all.children else { panic!("{all:?}") };
        let own = packages.row(0).unwrap();
        let Children::Fields(parts) = &own.children else { panic!("{own:?}") };
        assert_eq!((packages.len(), &*own.name, &*parts[0].name), (1, "Own", "A"));
        // Not all of them, and that is said.
        assert!(parts.len() < 5_000 && parts.last().unwrap().name == "…", "{}", parts.len());
    });
}

/// Writes the last entry of the export table `times` times.
fn repeat_last_export(mut file: Vec<u8>, entry_size: usize, times: u32) -> Vec<u8> {
    let entry = file[file.len() - entry_size..].to_vec();
    let count = u32::from_le_bytes(file[20..24].try_into().unwrap());
    file[20..24].copy_from_slice(&(count - 1 + times).to_le_bytes());
    (1..times).for_each(|_| file.extend_from_slice(&entry));
    file
}

/// A package of 20,000 exports that lie in the same bytes.
pub fn repeated() -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", "Animation");
    let names = Sequence { name: "Walk".into(), group: "None".into(), rate_hz: 15.0, ..Sequence::default() };
    package.add(&Export::new(class, "Anim"), |out| write_animation(out, &[], &[], &vec![names; 10_000]));
    // Class and super of one byte each, outer and flags of four, name and size and offset of 1, 3 and 2.
    repeat_last_export(package.finish(), 16, 20_000)
}

#[test]
fn exports_that_all_lie_in_the_same_bytes_are_not_all_read() {
    within_patience(repeated(), |file| {
        assert_eq!(file.document.outline().entries().iter().filter(|e| e.name == "Anim").count(), 20_000);
        assert!(file.document.outline().entries().len() < 200_000, "{}", file.document.outline().entries().len());
        assert!(file.diagnostics.iter().any(|d| d.code == "unreal.shared-bytes"), "{:?}", file.diagnostics);
    });
}

fn load(file: &Opened, name: &str) -> Asset {
    file.load(file.entry(name)).0.unwrap()
}

#[test]
fn light_maps_of_any_size_do_not_fill_the_memory() {
    let mut package = PackageWriter::new(69, 0);
    let (level_class, model_class) = (package.class("Engine", "Level"), package.class("Engine", "Model"));
    let map = LightMap { data_offset: 0, pan: [0.0; 3], clamp: [1024; 2], scale: [1.0; 2], light_actors: 0 };
    let surface = |light_map| BspSurface {
        texture: Ref::NULL,
        flags: 0,
        base: 0,
        normal: 0,
        texture_u: 1,
        texture_v: 2,
        light_map,
        brush_poly: -1,
        pan: [0; 2],
        actor: Ref::NULL,
    };
    let data = ModelData {
        vectors: vec![[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        points: vec![[0.0; 3]],
        surfaces: (0..15_000).map(surface).collect(),
        light_maps: vec![map; 15_000],
        ..ModelData::default()
    };
    let model = package.add(&Export::new(model_class, "Model1"), |out| write_model(out, &data));
    let level = LevelData { model, ..LevelData::default() };
    package.add(&Export::new(level_class, "MyLevel"), |out| write_level(out, &level));
    within_patience(package.finish(), |file| {
        let Asset::Map(map) = load(file, "MyLevel") else { panic!("no map") };
        assert_eq!(map.surfaces.len(), 15_000);
    });
}

/// Writes an actor with these properties.
fn actor(package: &mut PackageWriter, class: Ref, name: &str, properties: &Properties) -> Ref {
    package.add(&Export::new(class, name).flagged(flags::ACTOR), |out| {
        write_state_frame(out, &StateFrame::idle(class));
        write_properties(out, properties);
    })
}

#[test]
fn brushes_that_share_one_large_shape_do_not_fill_the_memory() {
    let mut package = PackageWriter::new(69, 0);
    let (level_class, model_class) = (package.class("Engine", "Level"), package.class("Engine", "Model"));
    let (polys_class, brush_class) = (package.class("Engine", "Polys"), package.class("Engine", "Brush"));
    let poly = |n: u16| Poly {
        vertices: (0..12_u8).map(|v| [f32::from(n), f32::from(v), 1.0]).collect(),
        item: "None".into(),
        ..Poly::default()
    };
    let polys: Vec<Poly> = (0..2_000).map(poly).collect();
    let polys = package.add(&Export::new(polys_class, "Polys1"), |out| write_polys(out, &polys));
    let data = ModelData { polys, ..ModelData::default() };
    let model = package.add(&Export::new(model_class, "Model1"), |out| write_model(out, &data));
    let properties = Properties::new().object("Brush", model);
    let actors = (0..5_000).map(|_| actor(&mut package, brush_class, "Brush1", &properties)).collect();
    let level = LevelData { actors, ..LevelData::default() };
    package.add(&Export::new(level_class, "MyLevel"), |out| write_level(out, &level));
    within_patience(package.finish(), |file| {
        let Asset::Map(map) = load(file, "MyLevel") else { panic!("no map") };
        assert_eq!(map.actors.len(), 5_000);
        let points: usize = map.models.iter().flat_map(|m| &m.meshes).map(|m| m.points.len()).sum();
        assert!((24_000..200_000).contains(&points), "{points}");
        let text = file.document.ask(file.entry("MyLevel"), |can, entry| can.editor?.t3d(entry)).unwrap().unwrap();
        assert_eq!(text.matches("Begin Actor").count(), 5_000);
        assert!((1..10).contains(&text.matches("Begin Brush").count()));
    });
}

/// Classes that extend one another, the last one returned.
fn class_chain(package: &mut PackageWriter, length: usize, code_size: usize) -> Ref {
    let mut parent = Ref::NULL;
    for number in 0..length {
        let class = package.export(&Export::new(Ref::NULL, &format!("Class{number}")).extends(parent));
        package.write(class, |out| {
            let code = assemble(out, |code| {
                for _ in 0..code_size {
                    code.int(7);
                }
            });
            let data = StructData { friendly_name: format!("Class{number}"), code, ..StructData::default() };
            let defaults = Properties::new().float("DrawScale", 2.0);
            let facts = ClassData { config_name: "System".into(), defaults, ..ClassData::default() };
            write_class(out, &data, &StateData::default(), &facts);
        });
        parent = class;
    }
    parent
}

#[test]
fn twenty_thousand_actors_of_a_deep_class_are_read_in_time() {
    let mut package = PackageWriter::new(69, 0);
    let level_class = package.class("Engine", "Level");
    let class = class_chain(&mut package, 60, 1_000);
    let properties = Properties::new().float("Mass", 3.0);
    let actors = (0..20_000).map(|_| actor(&mut package, class, "Thing", &properties)).collect();
    let level = LevelData { actors, ..LevelData::default() };
    package.add(&Export::new(level_class, "MyLevel"), |out| write_level(out, &level));
    within_patience(package.finish(), |file| {
        let Asset::Map(map) = load(file, "MyLevel") else { panic!("no map") };
        assert_eq!(map.actors.len(), 20_000);
        for entry in file.document.outline().entries().iter().skip(1) {
            assert!(!file.document.fields(entry.id).unwrap().fields.is_empty());
        }
    });
}

#[test]
fn a_flip_book_of_twenty_thousand_pictures_is_cut() {
    let mut package = PackageWriter::new(69, 0);
    let (class, palette_class) = (package.class("Engine", "Texture"), package.class("Engine", "Palette"));
    let palette = package.add(&Export::new(palette_class, "Palette1"), |out| write_palette(out, &[[9; 3]; 256]));
    let pictures: Vec<Ref> = (0..20_000).map(|_| package.export(&Export::new(class, "Frame"))).collect();
    for (index, picture) in pictures.iter().enumerate() {
        let next = pictures.get(index + 1).or(pictures.first()).copied().unwrap();
        let mips = vec![Mip { width: 1, height: 1, bytes: vec![7] }];
        let properties = Properties::new().object("AnimNext", next);
        let data = TextureData { palette, mips, properties, ..TextureData::default() };
        package.write(*picture, |out| write_texture(out, &data));
    }
    within_patience(package.finish(), |file| {
        let Asset::Picture(picture) = load(file, "Frame") else { panic!("no picture") };
        assert_eq!(picture.flip_book.as_ref().unwrap().frames.len(), 1_024);
        for entry in file.document.outline().entries().iter().skip(1) {
            assert!(!file.document.fields(entry.id).unwrap().fields.is_empty());
        }
    });
}
