//! The library with files in it.

use crate::{
    library::OpenOptions,
    ui::{library_row::Group, state::library::*},
};

fn open(path: &Path) -> Arc<OpenFile> {
    Arc::new(OpenOptions::new().open(path).unwrap())
}

fn library(names: &[&str]) -> (LibraryState, Vec<FileId>) {
    let mut library = LibraryState::default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = names.iter().map(|name| library.add(open(&root.join(name)))).collect();
    (library, files)
}

fn place(library: &LibraryState, file: FileId, path: &str) -> Place {
    let entry = library.file(file).unwrap().document.outline().find(path).unwrap_or_else(|| panic!("no {path}"));
    Place { file, entry: entry.id }
}

fn name(library: &LibraryState, row: &LibraryRow) -> String {
    match row.id {
        RowId::Folder(folder) => library.folder(folder).0,
        RowId::Group { group, .. } => group.name().to_owned(),
        id => {
            let place = id.place().unwrap();
            let file = library.file(place.file).unwrap();
            if place.entry == EntryId::FILE {
                file.name.clone()
            } else {
                file.entry(place.entry).unwrap().name.to_string()
            }
        }
    }
}

/// The rows as text: folded (`>`) or not (`v`), with their count.
fn listed(library: &mut LibraryState) -> Vec<String> {
    library.rows();
    let rows = library.listed().iter().map(|row| {
        let fold = if !row.has_children {
            ""
        } else if row.open {
            "v "
        } else {
            "> "
        };
        let count = row.count.map(|count| format!(" {count}")).unwrap_or_default();
        format!("{}{fold}{}{count}", "  ".repeat(usize::from(row.depth)), name(library, row))
    });
    rows.collect()
}

fn group(library: &LibraryState, group: Group) -> RowId {
    library
        .listed()
        .iter()
        .map(|row| row.id)
        .find(|id| matches!(id, RowId::Group { group: g, .. } if *g == group))
        .unwrap()
}

#[test]
fn a_small_file_alone_is_unfolded_and_what_comes_then_is_not() {
    let (mut library, files) = library(&["assets/samples/Ossie.psk"]);
    let own = ["  Mesh", "  > Bones 35", "  > Materials 3", "  > Sockets 3", "  > Morphs 2", "  > Other 10"];
    assert_eq!(listed(&mut library), [&["v Ossie.psk"], &own[..]].concat());
    library.add(open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx/syn_arm.psk")));
    assert_eq!(listed(&mut library)[7..], ["> syn_arm.psk"]);
    // Of several files from one folder, the folder is a row, which is unfolded when it comes.
    library.add(open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/Ossie.psa")));
    let rows = listed(&mut library);
    assert_eq!((rows[0].as_str(), rows[1].as_str()), ("v samples 2", "  v Ossie.psk"));
    assert_eq!(rows[8..], ["  > Ossie.psa", "> syn_arm.psk"]);
    library.expand(library.listed()[0].id, false);
    assert_eq!(listed(&mut library), ["> samples 2", "> syn_arm.psk"]);
    // What is selected in it is in sight again.
    library.reveal(place(&library, files[0], "MATT0000/Ossie_Eyes"));
    let rows = listed(&mut library);
    assert!(
        rows.contains(&"    v Materials 3".to_owned()) && rows.contains(&"      Ossie_Eyes".to_owned()),
        "{rows:?}"
    );
    // One file left of a folder stands for itself.
    library.remove(files[0]);
    assert_eq!(listed(&mut library), ["> syn_arm.psk", "> Ossie.psa"]);
}

#[test]
fn large_files_come_folded_and_everything_folds_at_once() {
    let (mut library, files) = library(&["assets/samples/Bonebox.szs"]);
    assert_eq!(listed(&mut library), ["> Bonebox.szs"]);
    let bone = place(&library, files[0], "Bonebox.arc/bmd/lumo.bmd/JNT1/Belly");
    library.reveal(bone);
    let rows = listed(&mut library);
    let way = ["v Bonebox.szs", "  v Bonebox.arc 8", "    v bmd 1", "      v lumo.bmd"];
    assert_eq!(rows[..4], way, "{rows:?}");
    assert!(rows.iter().any(|row| row.starts_with("        > Parts ")), "{rows:?}");
    // Nested as the file's hierarchy says, though the bones lie side by side in it.
    assert!(rows.contains(&"          v Root".to_owned()), "{rows:?}");
    let at = library.row_of(Some(bone)).unwrap();
    assert!(library.listed()[at].depth > 5, "{rows:?}");
    library.collapse_all();
    assert_eq!(listed(&mut library), ["> Bonebox.szs"]);
    assert_eq!(library.row_of(Some(bone)), Some(0), "keyboard navigation continues at the file of the bone");
}

#[test]
fn structure_is_the_order_of_the_file() {
    let (mut library, files) = library(&["tests/data/actorx/syn_arm.psk"]);
    library.set_order(LibraryOrder::Structure);
    library.expand(place(&library, files[0], "REFSKELT"), true);
    let wanted = [
        "v syn_arm.psk",
        "  Mesh",
        "  ACTRHEAD",
        "  PNTS0000",
        "  VTXW0000",
        "  FACE0000",
        "  > MATT0000 1",
        "  v REFSKELT 1",
        "    > Root 1",
        "  RAWWEIGHTS",
    ];
    assert_eq!(listed(&mut library), wanted);
    library.reveal(place(&library, files[0], "REFSKELT/Händ"));
    assert!(listed(&mut library).contains(&"        Händ".to_owned()));
}

#[test]
fn a_package_groups_what_is_in_it_with_its_own_folders_below() {
    let (mut library, files) = library(&["assets/samples/Bonebox.u"]);
    let wanted =
        ["v Bonebox.u", "  > Models 2", "  > Clips 2", "  > Sounds 3", "  > Texts 1", "  > Classes 3", "  > Other 1"];
    assert_eq!(listed(&mut library), wanted);
    library.expand(group(&library, Group::Sounds), true);
    assert_eq!(listed(&mut library)[3..5], ["  v Sounds 3", "    > Sounds 3"]);
    // The folder is found where it stands.
    let folder = place(&library, files[0], "Sounds");
    library.reveal(folder);
    assert_eq!(library.row_of(Some(folder)), Some(4));
    library.reveal(place(&library, files[0], "FlagMesh/Storm"));
    let rows = listed(&mut library);
    let mesh = rows.iter().position(|row| row == "    v FlagMesh").unwrap();
    assert_eq!(rows[mesh + 1..mesh + 3], ["      Breeze", "      Storm"]);
}

#[test]
fn every_entry_has_a_row_in_both_orders() {
    let names = [
        "assets/samples/Ossie.psk",
        "assets/samples/Bonebox.u",
        "assets/samples/BoneboxFX.utx",
        "assets/samples/BoneRoom.unr",
        "assets/samples/Bonebox.szs",
        "assets/samples/Helix.model",
        "assets/samples/MarrowIsle.pew",
        "tests/data/archive/arm_nested.arc",
    ];
    for order in [LibraryOrder::Meaning, LibraryOrder::Structure] {
        let (mut library, files) = library(&names);
        library.set_order(order);
        for file in files {
            let entries: Vec<EntryId> =
                library.file(file).unwrap().document.outline().entries().iter().map(|e| e.id).collect();
            for entry in entries {
                let place = Place { file, entry };
                library.collapse_all();
                library.reveal(place);
                let at = library.row_of(Some(place)).unwrap();
                assert_eq!(library.listed()[at].place(), Some(place), "{order:?}");
            }
        }
    }
}

#[test]
fn what_the_filter_finds_is_one_list() {
    let (mut library, files) = library(&["assets/samples/Ossie.psk", "assets/samples/Ossie.psa"]);
    library.set_filter("foot bone".to_owned());
    assert_eq!(library.rows().1, 8);
    let rows = library.listed().to_vec();
    assert!(rows.iter().all(|row| row.depth == 0 && !row.has_children));
    let files_of: Vec<FileId> = rows.iter().map(|row| row.id.file().unwrap()).collect();
    assert_eq!(files_of, [[files[0]; 4], [files[1]; 4]].concat());
    let entries: Vec<EntryId> = rows[..4].iter().map(|row| row.place().unwrap().entry).collect();
    assert!(entries.is_sorted(), "in the order of the file");
    library.set_filter("ossie.ps".to_owned());
    assert_eq!(listed(&mut library), ["Ossie.psk", "Ossie.psa"], "files are found by their name");
    library.set_filter(" ".to_owned());
    assert!(!library.is_filtered() && listed(&mut library)[0] == "v samples 2");
}

#[test]
fn warnings_are_told_where_they_are_and_on_what_is_folded_above() {
    let (mut library, files) = library(&["tests/data/actorx/bad_parent_range.psk"]);
    let told = |library: &mut LibraryState| -> Vec<(String, u16)> {
        library.rows();
        let rows = library.listed().iter().filter_map(|row| Some((name(library, row), row.trouble.worst()?.1)));
        rows.collect()
    };
    let owned = |told: &[(&str, u16)]| told.iter().map(|(n, c)| ((*n).to_owned(), *c)).collect::<Vec<_>>();
    assert_eq!(told(&mut library), owned(&[("bad_parent_range.psk", 2), ("Bones", 2)]));
    let row = library
        .listed()
        .iter()
        .find(|row| matches!(row.id, RowId::Group { .. }) && row.count == Some(3))
        .copied()
        .unwrap();
    let findings = library.findings(&row, 1);
    assert!(
        findings.len() == 1 && findings[0].0 == Severity::Error && findings[0].1.contains("parent"),
        "{findings:?}"
    );
    library.reveal(place(&library, files[0], "REFSKELT/C"));
    assert_eq!(told(&mut library), owned(&[("bad_parent_range.psk", 2), ("B", 1), ("C", 1)]));
    let bone = library.listed().iter().find(|row| row.trouble.errors == 1).copied().unwrap();
    assert!(library.findings(&bone, 9)[0].1.contains("77"));
    assert_eq!(library.findings(&library.listed()[0].clone(), 9).len(), 2);
    library.set_order(LibraryOrder::Structure);
    library.collapse_all();
    library.expand(library.listed()[0].id, true);
    assert_eq!(told(&mut library), owned(&[("bad_parent_range.psk", 2), ("REFSKELT", 2)]));
}

#[test]
fn a_folder_is_called_after_the_one_above_where_two_share_a_name() {
    let root = tempfile::tempdir().unwrap();
    let mut library = LibraryState::default();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx/syn_arm.psk");
    for folder in ["one/bmd", "two/bmd"] {
        let folder = root.path().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        for name in ["a.psk", "b.psk"] {
            std::fs::copy(&from, folder.join(name)).unwrap();
            library.add(open(&folder.join(name)));
        }
    }
    let rows = listed(&mut library);
    let folders: Vec<&String> = rows.iter().filter(|row| row.contains("bmd")).collect();
    assert_eq!(folders, ["v one/bmd 2", "v two/bmd 2"]);
    assert_eq!(library.files_in(FolderId(1)).count(), 2);
}

#[test]
fn files_are_known_by_their_path_however_it_is_written() {
    let (mut library, files) = library(&["tests/data/actorx/syn_arm.psk", "tests/data/actorx/syn_arm.psa"]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = |name: &str| root.join("tests/data/actorx").join(name);
    assert_eq!(library.at_path(&path("./syn_arm.psa")), Some(files[1]));
    // Tests run in the folder of the project.
    assert_eq!(library.at_path(Path::new("tests/data/actorx/syn_arm.psk")), Some(files[0]));
    library.remove(files[0]);
    assert_eq!(library.at_path(&path("syn_arm.psk")), None);
    assert_eq!(library.file(files[1]).map(|file| file.name.as_str()), Some("syn_arm.psa"));
    assert!(library.file(files[0]).is_none());
}
