//! FIGURES.md P17: a made collection of 1,000 packages (1 GB): the first index as a process, with the most memory that it held; opened
//! again with nothing changed; one file changed. `cargo bench --bench collection`; `PACKAGES=N` makes fewer; `KEEP=FOLDER` leaves them.

#[path = "made_game/mod.rs"]
mod made_game;

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
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
    let bytes = write(&packages, count);
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

/// Copies of a made game, each file with other bytes at its end, until there are enough of them.
fn write(folder: &Path, count: usize) -> u64 {
    let mut written = 0;
    let mut bytes = 0;
    let mut round = 0;
    while written < count {
        let below = folder.join(format!("game{round:02}"));
        std::fs::create_dir_all(&below).expect("the folder can be written");
        let mut paths = made_game::write(&below);
        paths.extend(made_game::write_sounds(&below));
        for path in paths {
            if written == count {
                std::fs::remove_file(&path).expect("it was just written");
                continue;
            }
            // No two files are equal: none is known by another one's bytes.
            let mut whole = std::fs::read(&path).expect("it was just written");
            whole.extend(format!("{round:08}").bytes());
            std::fs::write(&path, &whole).expect("the folder can be written");
            bytes += whole.len() as u64;
            written += 1;
        }
        round += 1;
    }
    bytes
}

/// Runs a verb over the packages: seconds, MiB at its highest, and what it said first.
fn run(what: &str, verb: &[&str], packages: &Path, index: &Path) {
    let begin = Instant::now();
    let mut program = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    program.args(verb).arg(packages).env("BONEBOX_COLLECTIONS", index);
    if verb.first() == Some(&"find") {
        program.arg("walls");
    }
    let mut running = program.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
    let status = PathBuf::from(format!("/proc/{}/status", running.id()));
    let mut peak = 0;
    while running.try_wait().expect("the program is ours").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0);
        peak = peak.max(kib / 1024);
        std::thread::sleep(Duration::from_millis(2));
    }
    let secs = begin.elapsed().as_secs_f64();
    let output = running.wait_with_output().expect("the program has ended");
    let said = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned();
    println!("{what}: {secs:.2} s, {peak} MiB: {said}");
}
