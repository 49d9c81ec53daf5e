//! What a package needs of others, and what is looked for anew in a folder that is pointed at.

use crate::kit::{app::*, samples, unreal::code_package};
use bonebox::{
    formats::EntryId,
    ui::{
        command::{Command, LibraryCommand, SelectionCommand, StageCommand},
        state::{FileId, Place},
    },
};
use std::path::{Path, PathBuf};

/// Copies samples into a folder.
fn copied(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    std::fs::create_dir_all(folder).unwrap();
    let copy = |name: &&str| {
        std::fs::copy(samples().join(name), folder.join(name)).unwrap();
        folder.join(name)
    };
    names.iter().map(copy).collect()
}

fn select_file(window: &mut Window, file: FileId) {
    apply(window, Command::Selection(SelectionCommand::Select(Place { file, entry: EntryId::FILE })));
    settle(window);
}

fn first(window: &Window) -> FileId {
    read(window, |s| s.core.library.files[0].id)
}

/// Names of what the selected file needs, and whether each was found.
fn needed(window: &Window) -> Vec<(String, bool)> {
    read(window, |s| {
        let list = s.lookups.dependencies.as_ref().and_then(|known| known.list.clone()).unwrap_or_default();
        list.iter().map(|needed| (needed.name.clone(), needed.found.is_some())).collect()
    })
}

#[test]
fn every_imported_package_is_listed_with_where_it_was_looked_for() {
    let folder = tempfile::tempdir().unwrap();
    let files = copied(folder.path(), &["Bonebox.u"]);
    let mut window = window_with(&files);
    let file = first(&window);
    select_file(&mut window, file);
    let listed = needed(&window);
    assert_eq!(
        listed,
        [("BoneboxFX".to_owned(), false), ("Core".to_owned(), false), ("Engine".to_owned(), false)],
        "{listed:?}"
    );
    for label in
        ["Dependencies section", "BoneboxFX is missing", "Engine is missing", "Add search folder for BoneboxFX"]
    {
        assert!(has(&window, label), "{label}");
    }
    // The heading says how many; the folder is named.
    assert!(paints(&window, "of 3 missing"));
    assert!(paints(&window, &folder.path().display().to_string()));
    look(&mut window, "dependencies");
    // Entries in it have no such section.
    let class = place(&window, "OssieBox");
    apply(&mut window, Command::Selection(SelectionCommand::Select(class)));
    assert!(!has(&window, "Dependencies section"));
}

#[test]
fn a_folder_that_is_pointed_at_gives_a_shown_model_its_textures() {
    let folder = tempfile::tempdir().unwrap();
    let files = copied(&folder.path().join("a"), &["Bonebox.u"]);
    let other = folder.path().join("elsewhere");
    copied(&other, &["BoneboxFX.utx"]);
    let mut window = window_with(&files);
    let mesh = place(&window, "OssieMesh");
    apply(&mut window, Command::Stage(StageCommand::Show(mesh)));
    let images = |window: &Window| read(window, |s| s.stages.front.model().map(|shown| shown.model.images.len()));
    let missing = |window: &Window| read(window, |s| s.stages.front.model().map(|shown| shown.model.missing.len()));
    assert_eq!((images(&window), missing(&window)), (Some(0), Some(2)));
    let camera = read(&window, |s| s.stages.front.view.camera);
    select_file(&mut window, mesh.file);
    apply(&mut window, Command::Library(LibraryCommand::AddSearchFolder(other)));
    assert_eq!((images(&window), missing(&window)), (Some(2), Some(0)));
    assert_eq!(read(&window, |s| s.stages.front.view.camera), camera);
    assert!(log(&window).contains(&"Bonebox.u: found missing files: BoneboxFX".to_owned()), "{:?}", log(&window));
    assert!(needed(&window).contains(&("BoneboxFX".to_owned(), true)));
    assert!(has(&window, "BoneboxFX") && !has(&window, "BoneboxFX is missing"));
    // A click on one that was found opens it.
    click(&mut window, "BoneboxFX");
    settle(&mut window);
    let names: Vec<String> = read(&window, |s| s.core.library.files.iter().map(|f| f.file.name.clone()).collect());
    assert_eq!(names, ["Bonebox.u", "BoneboxFX.utx"]);
}

#[test]
fn a_shown_level_and_the_classes_look_in_the_folder_too() {
    let folder = tempfile::tempdir().unwrap();
    let files = copied(&folder.path().join("a"), &["BoneRoom.unr"]);
    let other = folder.path().join("elsewhere");
    copied(&other, &["BoneboxFX.utx", "Bonebox.u"]);
    let mut window = window_with(&files);
    let missing = |window: &Window| read(window, |s| s.stages.front.level().map(|shown| shown.map.missing.len()));
    assert!(missing(&window).is_some_and(|count| count > 0), "{:?}", missing(&window));
    apply(&mut window, Command::Library(LibraryCommand::AddSearchFolder(other)));
    assert_eq!(missing(&window), Some(0));
}

#[test]
fn what_is_built_in_is_not_missing_and_a_folder_without_it_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Note.u");
    std::fs::write(&path, code_package(&[("Note", "Core.TextBuffer", "class Note;\n")])).unwrap();
    let mut window = window_with([path]);
    let file = first(&window);
    select_file(&mut window, file);
    assert_eq!(needed(&window), [("Core".to_owned(), false)]);
    assert!(!has(&window, "Core is missing"));
    let before = read(&window, |s| s.core.file(file).cloned().unwrap());
    let empty = folder.path().join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    apply(&mut window, Command::Library(LibraryCommand::AddSearchFolder(empty)));
    assert!(read(&window, |s| std::sync::Arc::ptr_eq(s.core.file(file).unwrap(), &before)));
}
