use super::*;
use crate::{
    formats::{Content, Role},
    library::collection::made::{Made, catalog, file},
};

fn package(path: &str, textures: &[&str]) -> Made {
    textures.iter().fold(file(path, "unreal"), |made, texture| made.texture(texture, 8, 8))
}

fn index(catalog: &Catalog, path: &str) -> FileIndex {
    catalog.file_at(std::path::Path::new(path)).unwrap_or_else(|| panic!("no {path}"))
}

fn path(catalog: &Catalog, file: FileIndex) -> String {
    catalog.file(file).unwrap().path.display().to_string()
}

/// What a file needs, as text.
fn needs(catalog: &Catalog, links: &Links, of: &str) -> Vec<String> {
    let shown = |row: &RowIndex| {
        let row = catalog.row(*row).unwrap();
        format!("{}::{}", path(catalog, row.file), row.path)
    };
    let mut lines = Vec::new();
    for need in links.needs(catalog, index(catalog, of)) {
        let target = match need.target {
            Target::File(file) => path(catalog, file),
            Target::BuiltIn => "built in".to_owned(),
            Target::Missing => "missing".to_owned(),
        };
        for entry in &need.entries {
            let row = entry.row.as_ref().map(shown).unwrap_or_else(|| "-".to_owned());
            let elsewhere: Vec<String> = entry.elsewhere.iter().map(shown).collect();
            lines.push(format!("{} {target} {} {row} [{}]", need.name, entry.import.path, elsewhere.join(" ")));
        }
    }
    lines
}

#[test]
fn the_nearest_package_of_a_name_is_meant() {
    let map = |at: &str| file(at, "unreal").import("Walls", "Stone.Brick", "Texture");
    let walls = |at: &str| package(at, &["Stone.Brick"]);
    let found = catalog([
        map("/g/Maps/A.unr"),
        map("/g/Pack.umod/Maps/B.unr"),
        map("/other/C.unr"),
        map("/far/Maps/D.unr"),
        file("/g/Pack.umod", "umod"),
        walls("/g/Pack.umod/Textures/WALLS.utx"),
        walls("/g/Textures/walls.UTX"),
        walls("/other/Walls.utx"),
        file("/other/Walls.psk", "psk"),
        file("/g/Maps/Walls.txt", ""),
    ]);
    let links = Links::of(&found);
    let target = |of: &str| links.targets(index(&found, of)).to_vec();
    let at = |path: &str| vec![Target::File(index(&found, path))];
    assert_eq!(target("/g/Maps/A.unr"), at("/g/Textures/walls.UTX"), "of a folder beside its own");
    assert_eq!(target("/g/Pack.umod/Maps/B.unr"), at("/g/Pack.umod/Textures/WALLS.utx"), "of its own container");
    assert_eq!(target("/other/C.unr"), at("/other/Walls.utx"), "of its own folder; no file of another kind");
    assert!(matches!(target("/far/Maps/D.unr")[..], [Target::File(_)]), "of anywhere");
    let texture = found.row_of(index(&found, "/g/Textures/walls.UTX"), EntryId(1)).unwrap();
    let users = links.users_of_row(&found, texture);
    assert!(users.contains(&User { file: index(&found, "/g/Maps/A.unr"), import: 0 }));
    assert!(!users.iter().any(|user| user.file == index(&found, "/other/C.unr")));
    assert_eq!(links.find(&found, index(&found, "/other/C.unr"), "walls"), Some(index(&found, "/other/Walls.utx")));
}

#[test]
fn containers_find_what_lies_beside_them() {
    let found = catalog([
        file("/g/Mods/Pack.zip", "zip"),
        file("/g/Mods/Pack.zip/Maps/B.unr", "unreal").import("Walls", "", "").import("Rocks", "", ""),
        file("/g/Mods/Walls.utx", "unreal"),
        file("/a/Walls.utx", "unreal"),
        file("/g/Textures/Rocks.utx.uz", "uz"),
        file("/g/Textures/Rocks.utx.uz/Rocks.utx", "unreal"),
    ]);
    let links = Links::of(&found);
    let near = [index(&found, "/g/Mods/Walls.utx"), index(&found, "/g/Textures/Rocks.utx.uz/Rocks.utx")];
    assert_eq!(links.targets(index(&found, "/g/Mods/Pack.zip/Maps/B.unr")), near.map(Target::File));
}

#[test]
fn paths_are_found_by_their_ends() {
    let land = |at: &str| file(at, "wrp").import("data\\Rock.PAA", "", "").import("ca\\gone.paa", "", "");
    let found = catalog([
        land("/p/isle.wrp"),
        file("/p/rock.paa", "paa"),
        file("/p/addons/x.pbo", "pbo"),
        file("/p/addons/x.pbo/data/rock.paa", "paa"),
        file("/p/data/rock.png", "png"),
        land("/p/addons/x.pbo/y.wrp"),
        file("/q/other/rock.paa", "paa"),
    ]);
    let links = Links::of(&found);
    let expected = [Target::File(index(&found, "/p/addons/x.pbo/data/rock.paa")), Target::Missing];
    assert_eq!(links.targets(index(&found, "/p/isle.wrp")), expected);
    assert_eq!(links.targets(index(&found, "/p/addons/x.pbo/y.wrp")), expected);
}

#[test]
fn what_is_needed_is_found_missing_built_in_or_elsewhere() {
    let found = catalog([
        file("/g/A.unr", "unreal")
            .import("Walls", "stone.BRICK", "Texture")
            .import("Walls", "Stone.Gone", "Texture")
            .import("Engine", "Core.Object", "Class")
            .built_in()
            .import("NoSuch", "Group.Door", "Sound")
            .import("Walls", "", ""),
        package("/g/Walls.utx", &["Stone.Brick"]).entry("Stone.Brick", "Palette", Role::Palette, Content::Palette),
        package("/x/Else.utx", &["Old.Gone", "Door"]).entry("Steps.Door", "Sound", Role::Sound, Content::Sound),
    ]);
    let links = Links::of(&found);
    assert_eq!(
        needs(&found, &links, "/g/A.unr"),
        [
            "Walls /g/Walls.utx stone.BRICK /g/Walls.utx::Stone.Brick []",
            "Walls /g/Walls.utx Stone.Gone - [/x/Else.utx::Old.Gone]",
            "Walls /g/Walls.utx  - []",
            "Engine built in Core.Object - []",
            // Of its class first.
            "NoSuch missing Group.Door - [/x/Else.utx::Steps.Door /x/Else.utx::Door]",
        ]
    );
    let names = |name: &str, at_most| -> Vec<String> {
        let rows = who_has(&found, name, at_most).into_iter().filter_map(|row| found.row(row));
        rows.map(|row| format!("{} {}", path(&found, row.file), row.class)).collect()
    };
    assert_eq!(names("brick", 9), ["/g/Walls.utx Texture", "/g/Walls.utx Palette"]);
    assert_eq!(names("DOOR", 1), ["/x/Else.utx Texture"]);
    assert_eq!(names("walls", 9), ["/g/Walls.utx File"]);
    assert_eq!(names("none", 9), [""; 0]);
}

#[test]
fn the_graph_is_followed_both_ways_within_bounds() {
    let uses = |name: &str, others: &[&str]| {
        others.iter().fold(file(&format!("/g/{name}.u"), "unreal"), |made, other| made.import(other, "x", ""))
    };
    // In a circle, with a part that is reached twice.
    let found = catalog([
        uses("a", &["b", "c", "b"]),
        uses("b", &["d"]),
        uses("c", &["d", "c"]),
        uses("d", &["a", "e"]),
        uses("e", &[]),
        uses("alone", &["gone"]),
    ]);
    let links = Links::of(&found);
    let [a, b, c, d, e, alone] = [0, 1, 2, 3, 4, 5].map(FileIndex);
    let edges: Vec<_> = links.edges().iter().map(|edge| (edge.from, edge.to, edge.count)).collect();
    assert_eq!(edges, [(a, b, 2), (a, c, 1), (b, d, 1), (c, c, 1), (c, d, 1), (d, a, 1), (d, e, 1)]);
    assert_eq!(links.using_files(d).map(|edge| edge.from).collect::<Vec<_>>(), [b, c]);
    let down = links.reach(a, Way::Needs, 9, 9);
    assert_eq!((down.files, down.is_cut), (vec![(a, 0), (b, 1), (c, 1), (d, 2), (e, 3)], false));
    let up = links.reach(e, Way::Users, 9, 9);
    assert_eq!((up.files, up.is_cut), (vec![(e, 0), (d, 1), (b, 2), (c, 2), (a, 3)], false));
    assert_eq!(links.reach(a, Way::Needs, 1, 9), Reached { files: vec![(a, 0), (b, 1), (c, 1)], is_cut: true });
    assert_eq!(links.reach(a, Way::Needs, 9, 2), Reached { files: vec![(a, 0), (b, 1)], is_cut: true });
    assert_eq!(links.reach(alone, Way::Needs, 9, 9).files, [(alone, 0)]);
    let nowhere = FileIndex(99);
    assert!(links.users(&found, nowhere).is_empty() && links.needs(&found, nowhere).is_empty());
    assert!(links.targets(nowhere).is_empty() && links.users_of_row(&found, RowIndex(999)).is_empty());
    assert_eq!(links.users(&found, b), [User { file: a, import: 0 }, User { file: a, import: 2 }]);
}

#[test]
fn names_of_any_kind_are_looked_for() {
    let strange = ["", "\\", "//", "..", "a\\", "\u{0}", ".x", "ÄÖ", &"long".repeat(50_000)];
    let made = strange.iter().fold(file("", "unreal"), |made, name| made.import(name, name, name));
    let found = catalog([made, file("/", ""), file("/x/äö.u", "unreal"), package("..", &["", "."])]);
    let links = Links::of(&found);
    assert_eq!(links.targets(FileIndex(0)).len(), strange.len());
    assert_eq!(links.targets(FileIndex(0))[7], Target::File(FileIndex(2)));
    let count: usize = links.needs(&found, FileIndex(0)).iter().map(|need| need.entries.len()).sum();
    assert_eq!(count, strange.len());
}
