//! FIGURES.md P17: a made collection of 1,000 packages (1 GB): the first index as a process, with the most memory that it held; opened
//! again with nothing changed; one file changed. `cargo bench --bench collection`; `PACKAGES=N` makes fewer; `KEEP=FOLDER` leaves them.

#[path = "made_game/mod.rs"]
mod made_game;
#[path = "process/mod.rs"]
mod process;

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Packages, when nobody says how many.
const PACKAGES: usize = 1000;
/// Times that an index with nothing to do is renewed.
const ROUNDS: usize = 5;

fn main() {
    let temporary = tempfile::tempdir().expect("a folder for the packages");
    let kept = std::env::var_os("KEEP").map(PathBuf::from);
    let folder = kept.as_deref().unwrap_or(temporary.path());
    let packages = folder.join("packages");
    let count = std::env::var("PACKAGES").ok().and_then(|count| count.parse().ok()).unwrap_or(PACKAGES);
    let bytes = made_game::write_copies(&packages, count);
    println!("{count} packages, {:.1} MB", bytes as f64 / 1e6);
    let index = folder.join("collections.redb");
    let _ = std::fs::remove_file(&index);
    run("first index", &["index"], &packages, &index);
    println!("the index: {:.1} MB", index.metadata().map_or(0.0, |found| found.len() as f64 / 1e6));
    for _ in 0..ROUNDS {
        run("renewed, nothing changed", &["index"], &packages, &index);
    }
    for _ in 0..ROUNDS {
        run("opened and searched", &["find", "--limit", "1"], &packages, &index);
    }
}

/// Runs a verb over the packages, and prints seconds, MiB at its highest, and what it said first.
fn run(what: &str, verb: &[&str], packages: &Path, index: &Path) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    program.args(verb).arg(packages).env("BONEBOX_COLLECTIONS", index);
    if verb.first() == Some(&"find") {
        program.arg("walls");
    }
    let ran = process::run(program);
    let said = ran.stdout.lines().next().unwrap_or_default();
    println!("{what}: {:.2} s, {} MiB: {said}", ran.secs, ran.peak);
}
