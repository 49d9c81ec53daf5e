//! R5, R7: packages made to cost far more than their size: names, paths, properties and tables that are copied, work that is done
//! again for every entry.

use crate::{
    heap::{self, Heap, MAX_SECS},
    kit::open::{Opened, open},
};
use bonebox::formats::{
    Asset, Content,
    coverage::coverage,
    unreal::encode::{
        Export, LevelData, MeshData, Mip, PackageWriter, Properties, Ref, Sequence, TextureData, Tri, Value, Vertices,
        pack_vertex, write_level, write_mesh, write_palette, write_properties, write_sparks, write_texture,
    },
};
use std::{sync::Arc, time::Instant};

/// Opens a package and reads everything as `verify` does, within the memory and time that its size allows.
#[track_caller]
fn read_all(what: &str, bytes: Vec<u8>) -> Opened {
    let size = bytes.len();
    let heap = Heap::watch();
    let start = Instant::now();
    let mut file = open("Made.u", bytes);
    let entries: Vec<_> = file.document.outline().entries().iter().map(|e| (e.id, e.content)).collect();
    for (entry, content) in entries {
        if !matches!(content, Content::None | Content::Bytes | Content::Actor) {
            std::hint::black_box(file.load_adding(entry).is_ok());
        }
    }
    std::hint::black_box(coverage(file.document.as_ref()).unread.len());
    let used = heap.assert_justified_by(size, what);
    let secs = start.elapsed().as_secs_f64();
    println!("{what}: {size} bytes, {used} held, {secs:.2} s");
    assert!(secs < MAX_SECS, "{what} takes {secs:.1} s");
    file
}

#[test]
fn a_name_is_stored_once_however_long_and_often_it_is_used() {
    let _alone = heap::alone();
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Core", &"C".repeat(60_000));
    let name = "N".repeat(60_000);
    for _ in 0..3_000 {
        package.export(&Export::new(class, &name));
    }
    let file = read_all("long names", package.finish());
    let entry = &file.document.outline().entries()[1];
    assert_eq!((entry.name.chars().count(), entry.name.chars().last()), (64, Some('…')));
    assert_eq!(file.diagnostics.iter().filter(|d| d.code == "unreal.long-name").count(), 1);
}

#[test]
fn paths_are_made_when_they_are_asked_for() {
    let _alone = heap::alone();
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Core", "Package");
    let mut outer = package.export(&Export::new(class, &"G".repeat(63)));
    for level in 1..60 {
        outer = package.export(&Export::new(class, &format!("{}{level:03}", "G".repeat(60))).inside(outer));
    }
    for _ in 0..20_000 {
        package.export(&Export::new(class, &"N".repeat(63)).inside(outer));
    }
    let file = read_all("deep paths", package.finish());
    let last = file.document.outline().entries().last().unwrap().path().into_owned();
    assert_eq!((last.len(), last.matches('.').count()), (61 * 64 - 1, 60));
}

#[test]
fn properties_beyond_the_first_are_rows_and_too_many_are_not_read() {
    let _alone = heap::alone();
    for (count, complete) in [(30_000, true), (300_000, false)] {
        let mut package = PackageWriter::new(69, 0);
        let class = package.class("Core", "Thing");
        let list = (0..count).fold(Properties::new(), |list, _| list.bool("B", true));
        package.add(&Export::new(class, "Many"), |out| write_properties(out, &list));
        let file = read_all("properties", package.finish());
        let unread: u64 = coverage(file.document.as_ref()).unread.iter().map(|span| span.size).sum();
        assert_eq!(unread == 0, complete, "{count}: {unread} bytes");
    }
}

#[test]
fn tables_of_many_rows_take_little_more_than_their_bytes() {
    let _alone = heap::alone();
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Core", "Thing");
    for _ in 0..400_000 {
        package.export(&Export::new(class, "N"));
    }
    let file = read_all("exports", package.finish());
    assert_eq!(file.document.outline().entries().len(), 400_001);
    // The writer joins equal imports: the table is made by hand, of as many that lie in the first.
    let mut package = PackageWriter::new(69, 0);
    package.package("Core");
    let mut bytes = package.finish();
    let count = 400_000_u32;
    let start = u32::try_from(bytes.len()).unwrap();
    for _ in 0..count {
        bytes.extend([0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0]);
    }
    bytes[28..32].copy_from_slice(&count.to_le_bytes());
    bytes[32..36].copy_from_slice(&start.to_le_bytes());
    let file = read_all("imports", bytes);
    assert_eq!(
        file.document.fields(bonebox::formats::EntryId::FILE).unwrap().fields.last().unwrap().name,
        "Dependencies"
    );
}

#[test]
fn a_mesh_is_read_once_for_all_of_its_sequences() {
    let _alone = heap::alone();
    let notifications: Vec<(f32, String)> = (0..50_000).map(|_| (0.5, "Step".to_owned())).collect();
    let first = Sequence { name: "Walk".to_owned(), notifications, ..Sequence::default() };
    let other = Sequence { name: "Run".to_owned(), ..Sequence::default() };
    let mut sequences = vec![first];
    sequences.resize(5_000, other);
    let mesh = MeshData { sequences, vertices: Vertices::Packed(vec![0; 20_000]), ..MeshData::default() };
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", "Mesh");
    package.add(&Export::new(class, "Walker"), |out| write_mesh(out, &mesh));
    let file = read_all("sequences", package.finish());
    assert_eq!(file.document.outline().with_content(Content::Clip).count(), 5_000);
}

/// A level of many actors, each with a mesh of its own, and all meshes with one skin.
fn shared_skins(count: usize, side: u32) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let [level, palette, texture, mesh, actor] =
        ["Level", "Palette", "Texture", "Mesh", "Decoration"].map(|class| package.class("Engine", class));
    let level = package.export(&Export::new(level, "MyLevel"));
    let palette = package.add(&Export::new(palette, "SkinPal"), |out| write_palette(out, &[[9; 3]; 256]));
    let mips = vec![Mip { width: side, height: side, bytes: vec![1; (side * side) as usize] }];
    let data = TextureData { palette, mips, ..TextureData::default() };
    let skin = package.add(&Export::new(texture, "Skin"), |out| write_texture(out, &data));
    let data = MeshData {
        vertices: Vertices::Packed([[8, 0, 0], [0, 8, 0], [0, 0, 8]].map(pack_vertex).to_vec()),
        triangles: vec![Tri { vertices: [0, 1, 2], ..Tri::default() }],
        textures: vec![skin],
        frame_vertices: 3,
        frames: 1,
        scale: [1.0; 3],
        ..MeshData::default()
    };
    let actors: Vec<Ref> = (0..count)
        .map(|number| {
            let mesh = package.add(&Export::new(mesh, &format!("Mesh{number}")), |out| write_mesh(out, &data));
            let own = Properties::new().byte("DrawType", 2).object("Mesh", mesh);
            let own = own.with("Location", Value::vector(1.0, 2.0, 3.0));
            package.add(&Export::new(actor, &format!("Decoration{number}")), |out| write_properties(out, &own))
        })
        .collect();
    package.write(level, |out| write_level(out, &LevelData { actors, ..LevelData::default() }));
    package.finish()
}

#[test]
fn a_skin_of_many_meshes_is_decoded_once_for_the_level() {
    let _alone = heap::alone();
    let (count, bytes) = (500, shared_skins(500, 1024));
    let size = bytes.len();
    let heap = Heap::watch();
    let file = open("Made.unr", bytes);
    let (Ok(Asset::Map(map)), _) = file.load(file.entry("MyLevel")) else { panic!("no map") };
    heap.assert_justified_by(size, "shared skins");
    let skins: Vec<_> =
        map.models.iter().flat_map(|model| &model.images).filter(|image| image.name == "Skin").collect();
    assert_eq!(skins.len(), count);
    assert!(skins.iter().all(|skin| Arc::ptr_eq(skin, skins[0])));
}

/// A level of many actors, each a picture of a fire of its own.
fn fires(count: usize, side: u32) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let [level, fire, actor] = [("Engine", "Level"), ("Fire", "FireTexture"), ("Engine", "Decoration")]
        .map(|(package_name, class)| package.class(package_name, class));
    let level = package.export(&Export::new(level, "MyLevel"));
    let mips = vec![Mip { width: side, height: side, bytes: Vec::new() }];
    let data = TextureData { mips, properties: Properties::new().byte("PrimeCount", 255), ..TextureData::default() };
    let actors: Vec<Ref> = (0..count)
        .map(|number| {
            let fire = package.add(&Export::new(fire, &format!("Fire{number}")), |out| {
                write_texture(out, &data);
                write_sparks(out, &[]);
            });
            let own = Properties::new().with("Location", Value::vector(1.0, 2.0, 3.0)).object("Texture", fire);
            package.add(&Export::new(actor, &format!("Decoration{number}")), |out| write_properties(out, &own))
        })
        .collect();
    package.write(level, |out| write_level(out, &LevelData { actors, ..LevelData::default() }));
    package.finish()
}

#[test]
fn the_fires_of_a_level_are_computed_as_far_as_one_may_take() {
    let _alone = heap::alone();
    for (count, side) in [(2_000, 1024), (5_000, 1)] {
        let file = read_all("fires", fires(count, side));
        let said: Vec<_> = file.diagnostics.iter().filter(|d| d.code == "unreal.picture-too-large").collect();
        assert_eq!(!said.is_empty(), side > 1, "{said:?}");
    }
}

#[test]
fn an_export_costs_little() {
    let _alone = heap::alone();
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Core", "Thing");
    let count = 100_000;
    for _ in 0..count {
        package.export(&Export::new(class, "t"));
    }
    let bytes = package.finish();
    let heap = Heap::watch();
    let file = open("Made.u", bytes);
    let used = heap.peak();
    assert_eq!(file.document.outline().entries().len(), count + 1);
    assert!(used < 130 * count, "{used} bytes for {count} exports");
}
