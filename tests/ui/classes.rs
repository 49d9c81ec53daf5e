//! The classes of all open files as a tree, made of packages of our own and driven through labels.

use crate::kit::{app::*, samples, unreal::code_package};
use bonebox::{
    bytes::Cancel,
    library::{ClassHome, ClassTree, ClassTrouble, OpenFile, OpenOptions},
    ui::{
        command::{Command, LibraryCommand, StageCommand},
        state::StageContent,
    },
};
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

const CORE: &[Class<'_>] = &[("Object", "", "class Object;\n"), ("Locale", "Object", "class Locale;\n")];
const ENGINE: &[Class<'_>] =
    &[("Actor", "Core.Object", "class Actor extends Object;\n"), ("Pawn", "Actor", "class Pawn extends Actor;\n")];
const GAME: &[Class<'_>] = &[
    ("Hero", "Engine.Pawn", "class Hero extends Pawn;\n"),
    ("Sword", "Tools.Weapon", "class Sword extends Weapon;\n"),
    ("Note", "Core.TextBuffer", "class Note extends TextBuffer;\n"),
];

/// A class, what it extends, and its source.
type Class<'a> = (&'a str, &'a str, &'a str);

/// A package by its file's name.
type Package<'a> = (&'a str, &'a [Class<'a>]);

/// Writes packages into a folder.
fn packages(folder: &Path, list: &[Package<'_>]) -> Vec<PathBuf> {
    let write = |(name, classes): &Package<'_>| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, code_package(classes)).unwrap();
        path
    };
    list.iter().map(write).collect()
}

fn opened(paths: &[PathBuf]) -> Vec<Arc<OpenFile>> {
    paths.iter().map(|path| Arc::new(OpenOptions::new().open(path).unwrap())).collect()
}

fn tree(list: &[Package<'_>]) -> ClassTree {
    let folder = tempfile::tempdir().unwrap();
    let files = opened(&packages(folder.path(), list));
    ClassTree::of(&files, Cancel::never()).unwrap()
}

/// A class and what it extends, as `Package.Name`, joined by arrows.
fn way(tree: &ClassTree, package: &str, name: &str) -> String {
    let node = tree.find(package, name).unwrap_or_else(|| panic!("no {package}.{name}"));
    let names = tree.way_up(node).map(|at| format!("{}.{}", tree.nodes[at].package, tree.nodes[at].name));
    names.collect::<Vec<_>>().join(" < ")
}

#[test]
fn classes_stand_below_what_they_extend_in_other_packages_too() {
    let tree = tree(&[("Game.u", GAME), ("Core.u", CORE), ("Engine.u", ENGINE)]);
    for (package, name, wanted) in [
        ("Game", "Hero", "Game.Hero < Engine.Pawn < Engine.Actor < Core.Object"),
        // A parent whose package is not open is known by its name.
        ("Game", "Sword", "Game.Sword < Tools.Weapon < Core.Object"),
        // What the executable has is known, as is what it extends.
        ("Game", "Note", "Game.Note < Core.TextBuffer < Core.Object"),
        ("core", "CLASS", "Core.Class < Core.State < Core.Struct < Core.Field < Core.Object"),
        (
            "Engine",
            "SkeletalMesh",
            "Engine.SkeletalMesh < Engine.LodMesh < Engine.Mesh < Engine.Primitive < Core.Object",
        ),
    ] {
        assert_eq!(way(&tree, package, name), wanted);
    }
    assert_eq!(tree.roots.len(), 1, "all stand below Object");
    let home = |package: &str, name: &str| tree.nodes[tree.find(package, name).unwrap()].home.clone();
    assert!(matches!(home("Core", "Object"), ClassHome::Open { file: 1, .. }));
    assert!(matches!(home("Tools", "Weapon"), ClassHome::NotOpen { from: 0, .. }));
    assert_eq!((home("Core", "Function"), home("Engine", "Sound")), (ClassHome::BuiltIn, ClassHome::BuiltIn));
    assert!(tree.nodes.iter().all(|node| node.trouble.is_none()));
}

#[test]
fn circles_and_parents_that_are_none_are_said_and_lose_no_class() {
    let list: &[Class<'_>] = &[
        ("A", "B", ""),
        ("B", "C", ""),
        ("C", "A", ""),
        ("Own", "Own", ""),
        ("Below", "A", ""),
        ("Far", "#999", ""),
        ("Lost", "#-77", ""),
    ];
    let tree = tree(&[("Bad.u", list)]);
    let node = |name: &str| &tree.nodes[tree.find("Bad", name).unwrap()];
    let troubles: Vec<_> = list.iter().map(|class| node(class.0).trouble).collect();
    assert_eq!(troubles.iter().filter(|trouble| **trouble == Some(ClassTrouble::Circle)).count(), 2, "{troubles:?}");
    assert_eq!(troubles[5..], [Some(ClassTrouble::BadParent), Some(ClassTrouble::BadParent)]);
    assert_eq!(node("Own").trouble, Some(ClassTrouble::Circle));
    // Every class is below a root, once.
    let mut reached = vec![0; tree.nodes.len()];
    let mut stack = tree.roots.clone();
    while let Some(at) = stack.pop() {
        reached[at] += 1;
        stack.extend(&tree.nodes[at].children);
    }
    assert!(reached.iter().all(|times| *times == 1), "{reached:?}");
    assert!(way(&tree, "Bad", "Below").starts_with("Bad.Below < Bad.A"));
}

#[test]
fn of_packages_with_one_name_the_one_beside_is_meant() {
    let actor: &[Class<'_>] = &[("Actor", "Core.Object", "")];
    let hero: &[Class<'_>] = &[("Hero", "Engine.Actor", "")];
    let mine: &[Class<'_>] = &[("Actor", "Core.Object", ""), ("Mine", "Actor", "")];
    let tree = tree(&[("one/Engine.u", actor), ("two/Engine.u", actor), ("two/Game.u", hero), ("Mod.u", mine)]);
    let parent = |package: &str, name: &str| {
        let node = &tree.nodes[tree.find(package, name).unwrap()];
        tree.nodes[node.parent.unwrap()].home.clone()
    };
    assert!(matches!(parent("Game", "Hero"), ClassHome::Open { file: 1, .. }));
    // A class of the same spelling in another package changes nothing.
    assert!(matches!(parent("Mod", "Mine"), ClassHome::Open { file: 3, .. }));
}

#[test]
fn a_hundred_thousand_classes_are_one_tree() {
    let names: Vec<(String, String)> = (0..100_000)
        .map(|n| (format!("C{n}"), if n == 0 { String::new() } else { format!("#{}", n / 10 + 1) }))
        .collect();
    let list: Vec<(&str, &str, &str)> = names.iter().map(|(name, parent)| (&**name, &**parent, "")).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Many.u");
    std::fs::write(&path, code_package(&list)).unwrap();
    let mut window = window_with([&path]);
    settle(&mut window);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Classes(_))));
    let count = read(&window, |s| s.lookups.classes.as_ref().unwrap().tree.nodes.len());
    assert!(count >= 100_000, "{count}");
    let listed = window.query_all_by_label_contains("Class ").count();
    assert!(listed < 100, "only rows in sight are drawn: {listed}");
    type_into(&mut window, "Filter the classes", "c99999");
    assert!(has(&window, "Class C99999: Many"));
}

#[test]
fn what_opens_a_package_of_code_is_its_classes() {
    let mut window = window_with([samples().join("Bonebox.u")]);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Classes(_))));
    for label in [
        "Class Object: Core, built into the game",
        "Class Decoration: Engine is not open",
        "Class BoneCreature: Bonebox",
        "Class OssieBox: Bonebox",
    ] {
        assert!(has(&window, label), "{label}");
    }
    look(&mut window, "classes");
    // A click selects, and Enter shows the class.
    click(&mut window, "Class OssieBox: Bonebox");
    assert_eq!(read(&window, |s| s.core.selection), Some(place(&window, "OssieBox")));
    click(&mut window, "Class BoneCreature: Bonebox");
    window.key_press(Key::Enter);
    window.step();
    settle(&mut window);
    assert_eq!(read(&window, |s| s.stages.front.content.place()), Some(place(&window, "BoneCreature")));
    assert!(has(&window, "class BoneCreature expands Decoration;") || has(&window, "Go to BoneCreature"));
    // The way back leads to the classes.
    apply(&mut window, Command::Stage(StageCommand::Back));
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Classes(_))));
}

#[test]
fn a_filter_shows_what_it_finds_with_all_that_it_extends() {
    let folder = tempfile::tempdir().unwrap();
    let paths = packages(folder.path(), &[("Core.u", CORE), ("Engine.u", ENGINE), ("Game.u", GAME)]);
    let mut window = window_with(&paths);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Classes(_))));
    type_into(&mut window, "Filter the classes", "hero");
    for (label, shows) in [
        ("Class Hero: Game", true),
        ("Class Pawn: Engine", true),
        ("Class Object: Core", true),
        ("Class Sword: Game", false),
        ("Class Locale: Core", false),
    ] {
        assert_eq!(has(&window, label), shows, "{label}");
    }
    type_into(&mut window, "Filter the classes", " zzz");
    assert!(has(&window, "No class or package matches the filter."));
    // Files that are closed take their classes along.
    let game = read(&window, |s| s.core.library.files[2].id);
    apply(&mut window, Command::Library(LibraryCommand::CloseFile(game)));
    let core = read(&window, |s| s.core.library.files[0].id);
    apply(&mut window, Command::Stage(StageCommand::ShowClasses(core)));
    assert!(read(&window, |s| s.lookups.classes.as_ref().unwrap().tree.find("Game", "Hero").is_none()));
    assert!(read(&window, |s| s.lookups.classes.as_ref().unwrap().tree.find("Engine", "Pawn").is_some()));
}
