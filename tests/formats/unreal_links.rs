//! References between packages, both ways: from a texture to its palette in another package, and from the palette back to all
//! that uses it; and where the other package is missing.

use crate::kit::open::codes;
use bonebox::{
    bytes::Cancel,
    formats::{
        Asset, Children, EntryId, LoadOptions, Reference, Value,
        unreal::encode::{
            Export, Mip, PackageWriter, Properties, TextureData, mip_sizes, write_palette, write_properties,
            write_texture,
        },
    },
    library::{OpenFile, OpenOptions, uses_of},
};
use std::{path::Path, sync::Arc};

/// `Colors.utx` with a palette in a group.
fn colors() -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", "Palette");
    let group = package.group("Warm");
    let ramp: Vec<[u8; 3]> = (0..=255_u8).map(|i| [i, 10, 255 - i]).collect();
    package.add(&Export::new(class, "Ramp").inside(group), |out| write_palette(out, &ramp));
    package.add(&Export::new(class, "Other"), |out| write_palette(out, &ramp));
    package.finish()
}

/// `Walls.utx` with a texture whose palette is the other package's.
fn walls() -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", "Texture");
    let palette = package.external(("Engine", "Palette"), "Colors", &["Warm", "Ramp"]);
    let mips = mip_sizes(4, 4)
        .into_iter()
        .map(|(width, height)| Mip { width, height, bytes: vec![200; (width * height) as usize] })
        .collect();
    let data = TextureData { palette, mips, ..TextureData::default() };
    package.add(&Export::new(class, "Wall"), |out| write_texture(out, &data));
    package.finish()
}

fn open(path: &Path) -> Arc<OpenFile> {
    Arc::new(OpenOptions::new().open(path).unwrap())
}

fn entry(file: &OpenFile, path: &str) -> EntryId {
    file.document.outline().find(path).unwrap_or_else(|| panic!("{path}")).id
}

/// The reference of a property of an entry.
fn reference_of(file: &OpenFile, path: &str, property: &str) -> Reference {
    let tree = file.document.fields(entry(file, path)).unwrap();
    let list = tree.fields.iter().find(|f| f.name == "Properties").unwrap();
    let Children::Fields(properties) = &list.children else { panic!("{list:?}") };
    match &properties.iter().find(|f| f.name == property).unwrap().value {
        Value::Reference(reference) => reference.clone(),
        other => panic!("{other:?}"),
    }
}

fn palette_of(file: &OpenFile) -> Reference {
    reference_of(file, "Wall", "Palette")
}

/// And the codes of what was found on the way.
fn first_pixel(file: &OpenFile) -> ([u8; 4], Vec<&'static str>) {
    let loaded = file.load(entry(file, "Wall"), LoadOptions::default(), Cancel::never()).unwrap();
    let Asset::Picture(picture) = &loaded.asset else { panic!("{:?}", loaded.asset) };
    (picture.image().unwrap().rgba[..4].try_into().unwrap(), codes(&loaded.diagnostics))
}

#[test]
fn a_palette_in_another_package_is_found_and_knows_who_uses_it() {
    let game = tempfile::tempdir().unwrap();
    for (folder, name, bytes) in [("Maps", "Walls.utx", walls()), ("Textures", "COLORS.utx", colors())] {
        std::fs::create_dir_all(game.path().join(folder)).unwrap();
        std::fs::write(game.path().join(folder).join(name), bytes).unwrap();
    }
    let walls = open(&game.path().join("Maps/Walls.utx"));
    let colors = open(&game.path().join("Textures/COLORS.utx"));

    let reference = palette_of(&walls);
    assert_eq!(reference.path, "Colors.Warm.Ramp");
    assert!(reference.resolved && reference.entry.is_none());
    let followed =
        walls.document.ask(EntryId::FILE, |can, _| can.links?.follow(&reference)).expect("it leads somewhere");
    assert_eq!(followed.entry, entry(&colors, "Warm.Ramp"));
    assert_eq!(followed.file.canonicalize().unwrap(), colors.path.canonicalize().unwrap());
    assert_eq!(first_pixel(&walls), ([200, 10, 55, 255], vec![]));

    let files = [colors.clone(), walls.clone()];
    let uses = uses_of(&files, 0, entry(&colors, "Warm.Ramp"), Cancel::never());
    assert_eq!(uses.len(), 1, "{uses:?}");
    assert_eq!((uses[0].file, uses[0].entry), (1, entry(&walls, "Wall")));
    assert!(uses[0].field.starts_with("Properties.Palette"), "{}", uses[0].field);
    assert!(uses_of(&files, 0, entry(&colors, "Other"), Cancel::never()).is_empty());
    // Inside one file too: the group is what its palette lies in.
    let inside = uses_of(&files, 0, entry(&colors, "Warm"), Cancel::never());
    assert_eq!(inside.len(), 1, "{inside:?}");
    assert_eq!(inside[0].entry, entry(&colors, "Warm.Ramp"));
}

#[test]
fn a_folder_that_the_user_names_is_looked_in() {
    let here = tempfile::tempdir().unwrap();
    let there = tempfile::tempdir().unwrap();
    std::fs::write(here.path().join("Walls.utx"), walls()).unwrap();
    std::fs::write(there.path().join("colors.utx"), colors()).unwrap();
    let file = OpenOptions::new().folders(&[there.path().to_owned()]).open(here.path().join("Walls.utx")).unwrap();
    assert!(palette_of(&file).resolved);
    assert_eq!(first_pixel(&file), ([200, 10, 55, 255], vec![]));
}

#[test]
fn a_missing_package_leaves_the_path_and_a_notice() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Walls.utx"), walls()).unwrap();
    let file = open(&folder.path().join("Walls.utx"));
    let reference = palette_of(&file);
    assert_eq!(reference.path, "Colors.Warm.Ramp");
    assert!(!reference.resolved);
    assert!(file.document.ask(EntryId::FILE, |can, _| can.links?.follow(&reference)).is_none());
    // A ramp of greys stands in, and that is said.
    assert_eq!(first_pixel(&file), ([200, 200, 200, 255], vec!["unreal.missing-palette"]));
}

/// An object whose class is itself, by way of the imports of a package that names itself: looking for one that is “derived” from
/// another class must end.
#[test]
fn a_class_that_leads_back_to_its_own_object_is_followed_once() {
    let mut package = PackageWriter::new(69, 0);
    let own = package.package("Loop");
    let class = package.import("Core", "Class", own, "Thing");
    let wanted = package.external(("Core", "Kind"), "Loop", &["Thing"]);
    package.add(&Export::new(class, "Thing"), |out| {
        write_properties(out, &Properties::new().object("Next", wanted));
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Loop.u"), package.finish()).unwrap();
    let small = std::thread::Builder::new().stack_size(512 << 10);
    let run = small.spawn(move || {
        let file = open(&folder.path().join("Loop.u"));
        let next = reference_of(&file, "Thing", "Next");
        assert_eq!((next.path.as_str(), next.resolved, next.entry), ("Loop.Thing", false, None));
        assert!(file.document.ask(EntryId::FILE, |can, _| can.links?.follow(&next)).is_none());
        assert_eq!(file.diagnostics, []);
        assert_eq!(file.entry(entry(&file, "Thing")).unwrap().class, "Thing");
    });
    run.unwrap().join().unwrap();
}
