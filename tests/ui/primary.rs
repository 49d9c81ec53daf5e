//! What a file is about: the window, `render` and `export` pick the same.

use crate::kit::{
    app::*,
    program::{bonebox, stderr},
};
use bonebox::formats::{Content, EntryId};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
    let mut files: Vec<PathBuf> = [folder.clone(), folder.join("marrow")]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

/// What the window shows of a file that was opened: the entry, where it is something that is drawn in space.
fn shown(path: &Path) -> Option<EntryId> {
    let window = window_with([path]);
    read(&window, |state| {
        let place = state.stages.front.content.place()?;
        let file = state.core.file(place.file)?;
        let entry = file.entry(place.entry)?;
        let drawn = matches!(entry.content, Content::Model | Content::Map | Content::Terrain);
        (drawn && file.path == path).then_some(place.entry)
    })
}

/// Runs a verb on a file, or on an entry of it; what it wrote.
fn run(verb: &str, file: &Path, entry: Option<EntryId>, ending: &str) -> (Output, Option<Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join(format!("out.{ending}"));
    let mut args = vec![verb.into(), file.as_os_str().to_owned()];
    args.extend(entry.map(|id| format!("#{}", id.0).into()));
    if verb == "render" {
        args.extend(["--size".into(), "64x64".into()]);
    }
    args.extend(["-o".into(), out.clone().into()]);
    let output = bonebox(args);
    (output, fs::read(out).ok())
}

#[test]
fn the_window_render_and_export_pick_the_same_of_every_sample() {
    let mut picked = 0;
    for file in samples() {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let shown = shown(&file);
        for (verb, ending) in [("export", "glb"), ("render", "png")] {
            let (output, unasked) = run(verb, &file, None, ending);
            match shown {
                Some(entry) if output.status.success() => {
                    picked += 1;
                    let (_, asked) = run(verb, &file, Some(entry), ending);
                    assert!(unasked.is_some() && unasked == asked, "{verb} {name}");
                }
                // Of several that are equal the window shows the first, and the command line asks which.
                Some(entry) => {
                    let listed = format!("specify one; candidates:\n  #{:<4}", entry.0);
                    assert!(stderr(&output).contains(&listed), "{verb} {name}: {}", stderr(&output));
                }
                None => {}
            }
        }
    }
    assert!(picked > 20, "{picked}");
}
