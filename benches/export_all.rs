//! FIGURES.md P23: `export --all` of a made game of 190 packages (126 MB) as a process: seconds, and the most memory that it held.
//! `cargo bench --bench export_all`; `KEEP=FOLDER` leaves packages and exports there.

#[path = "made_game/mod.rs"]
mod made_game;
#[path = "process/mod.rs"]
mod process;

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Times that it is run. What a round wrote stays to the end: for some seconds file systems are slow where files were removed.
const ROUNDS: usize = 3;

fn main() {
    let temporary = tempfile::tempdir().expect("a folder for the packages");
    let kept = std::env::var_os("KEEP").map(PathBuf::from);
    let folder = kept.as_deref().unwrap_or(temporary.path());
    let packages = folder.join("packages");
    std::fs::create_dir_all(&packages).expect("the folder can be written");
    let mut paths = made_game::write(&packages);
    paths.extend(made_game::write_sounds(&packages));
    let bytes: u64 = paths.iter().filter_map(|path| path.metadata().ok()).map(|m| m.len()).sum();
    println!("{} packages, {:.1} MB", paths.len(), bytes as f64 / 1e6);
    for round in 1..=ROUNDS {
        let out = folder.join(format!("out{round}"));
        let (secs, peak, said) = export(&packages, &out);
        let (files, written) = below(&out);
        println!("round {round}: {secs:.2} s, {peak} MiB, {files} files, {:.1} MB: {said}", written as f64 / 1e6);
    }
}

/// Runs the program: seconds, MiB at its highest, and what it said first.
fn export(packages: &Path, out: &Path) -> (f64, u64, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    program.arg("export").arg(packages).args(["--all", "--force", "-o"]).arg(out);
    let ran = process::run(program);
    (ran.secs, ran.peak, ran.stdout.lines().nth(1).unwrap_or_default().to_owned())
}

/// How many files lie below a folder, and their bytes.
fn below(folder: &Path) -> (usize, u64) {
    let entries = std::fs::read_dir(folder).expect("the folder can be read").filter_map(Result::ok);
    entries.fold((0, 0), |(files, bytes), entry| match entry.metadata() {
        Ok(found) if found.is_dir() => {
            let (more, larger) = below(&entry.path());
            (files + more, bytes + larger)
        }
        Ok(found) => (files + 1, bytes + found.len()),
        Err(_) => (files, bytes),
    })
}
