//! How long it takes until a file that another program wrote anew is on the stage again: told by the system, left alone for a tenth
//! of a second, read, decoded. Prints the median and the slowest of `ROUNDS` (20) for a small model, one of 4.4 MB, and a map.

#[path = "made/mod.rs"]
mod made;

use bonebox::ui::{
    command::{Command, LibraryCommand},
    file_watch,
    settings::Settings,
    state::{Clock, StageContent, State},
};
use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

/// Runs frames until this is so.
fn wait(state: &mut State, what: &str, is_so: impl Fn(&State) -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        state.tick();
        if is_so(state) {
            return;
        }
        assert!(Instant::now() < end, "it does not happen: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn generation(state: &State) -> u64 {
    match &state.stages.front.content {
        StageContent::Model(shown) => shown.generation,
        StageContent::Level(shown) => shown.generation,
        _ => 0,
    }
}

/// Writes the file over and over, with the byte at `free` changed, which means nothing, and measures until it is shown.
fn measure(name: &str, path: &Path, free: usize, rounds: usize) {
    let mut state = State::new(Settings::default(), Clock::Set(0.0));
    let watch = file_watch::start(&mut state).expect("files can be watched");
    state.apply(Command::Library(LibraryCommand::Open(vec![path.to_owned()])));
    wait(&mut state, "it is shown", |state| generation(state) > 0 && !state.core.works.is_busy());
    watch.follow(state.core.watched_files());
    std::thread::sleep(Duration::from_millis(300));
    let mut bytes = fs::read(path).expect("a file");
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let before = generation(&state);
            bytes[free] = bytes[free].wrapping_add(1);
            fs::write(path, &bytes).expect("the file can be written");
            let start = Instant::now();
            wait(&mut state, "it is shown anew", |state| generation(state) != before);
            let took = start.elapsed().as_secs_f64() * 1e3;
            wait(&mut state, "it is done", |state| !state.core.works.is_busy());
            watch.follow(state.core.watched_files());
            std::thread::sleep(Duration::from_millis(200));
            took
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let slowest = times.last().copied().unwrap_or_default();
    println!("{name}: {:.0} ms in the middle, {slowest:.0} at most", times[times.len() / 2]);
}

fn main() {
    let rounds = std::env::var("ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(20).max(1);
    let folder = tempfile::tempdir().expect("a folder");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
    let at = |name: &str| folder.path().join(name);
    fs::copy(samples.join("Ossie.psk"), at("Ossie.psk")).expect("a sample");
    fs::copy(samples.join("BoneRoom.unr"), at("BoneRoom.unr")).expect("a sample");
    fs::write(at("made.psk"), made::psk(74_280, 64)).expect("a file");
    // In the head's version, and in the package's own number.
    measure("a small model", &at("Ossie.psk"), 20, rounds);
    measure("a model of 4.4 MB", &at("made.psk"), 20, rounds);
    measure("a map", &at("BoneRoom.unr"), 40, rounds);
}
