//! FIGURES.md P13, over a long time: the window's state is driven through 2,000 random opens, shows and closes of the samples, the
//! project's test files and the corpus. After each hundred everything is closed: how much memory is in use then, how many file handles,
//! how many threads. Ends with status 1 where memory is more than 10 % above the first hundred's, a handle is lost, or the program is
//! not idle afterwards. `ROUNDS=10000 SEED=2 cargo bench --bench soak`

#[allow(dead_code)]
#[path = "../tests/kit/files.rs"]
mod files;
#[allow(dead_code)]
#[path = "../tests/kit/noise.rs"]
mod noise;

use bonebox::{
    formats::{Content, FORMATS},
    ui::{
        command::{Command, LibraryCommand, StageCommand, TransportCommand, WindowCommand},
        settings::Settings,
        state::{Clock, Place, State},
    },
};
use noise::Noise;
use peak_alloc::PeakAlloc;
use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

const PATIENCE: Duration = Duration::from_secs(120);

/// Files that some format takes; those of damaged ones too, which are refused.
fn all_files() -> Vec<PathBuf> {
    let known: Vec<&str> = FORMATS.iter().flat_map(|f| f.info().extensions).copied().collect();
    let mut folders = vec![files::data(), Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples")];
    folders.extend(files::corpus_beside());
    let mut paths: Vec<PathBuf> = folders.iter().flat_map(|folder| files::files_below(folder)).collect();
    paths.retain(|p| p.extension().is_some_and(|e| known.contains(&e.to_string_lossy().to_lowercase().as_str())));
    paths
}

/// Waits until no work is left.
fn settle(state: &mut State) {
    let end = Instant::now() + PATIENCE;
    let mut idle = 0;
    while idle < 2 {
        state.tick();
        idle = if state.core.works.is_busy() { 0 } else { idle + 1 };
        if idle == 0 {
            assert!(Instant::now() < end, "background work does not end");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A number of `/proc/self/status`: KiB, or a count.
fn status(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn handles() -> usize {
    fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

/// Clock ticks of processor time that the program has had.
fn ticks() -> u64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    behind_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}

/// Shows something that is open.
fn look(state: &mut State, noise: &mut Noise) {
    let Some(file) = state.core.library.files.get(noise.below(state.core.library.files.len())) else { return };
    let entries = file.file.document.outline().entries();
    let shown: Vec<_> = entries.iter().filter(|e| e.content != Content::None).map(|e| e.id).collect();
    if !shown.is_empty() {
        let place = Place { file: file.id, entry: shown[noise.below(shown.len())] };
        state.apply(Command::Stage(StageCommand::Show(place)));
    }
}

/// One thing that a person may do, now.
fn act(state: &mut State, noise: &mut Noise, paths: &[PathBuf]) {
    let open: Vec<_> = state.core.library.files.iter().map(|file| file.id).collect();
    match noise.below(8) {
        0..3 => {
            let some = (0..=noise.below(3)).map(|_| paths[noise.below(paths.len())].clone()).collect();
            state.apply(Command::Library(LibraryCommand::Open(some)));
        }
        3..6 => look(state, noise),
        6 if !open.is_empty() => {
            let file = open[noise.below(open.len())];
            state.apply(Command::Library(LibraryCommand::CloseFile(file)));
        }
        _ => {
            state.apply(Command::Transport(TransportCommand::TogglePlay));
            state.core.clock = Clock::Set(state.core.clock.now_secs() + 0.5);
        }
    }
}

fn main() -> ExitCode {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (rounds, seed) = (number("ROUNDS").unwrap_or(2_000), number("SEED").unwrap_or(2026));
    let paths = all_files();
    let mut noise = Noise::new(seed);
    let mut state = State::new(Settings::default(), Clock::Set(0.0));
    // All at once to begin with, and much of it looked at: tables then have the room that they need.
    state.apply(Command::Library(LibraryCommand::Open(paths.clone())));
    settle(&mut state);
    for _ in 0..500 {
        look(&mut state, &mut noise);
        settle(&mut state);
    }
    let mut first = None;
    let mut faults = Vec::new();
    println!("{} files; after each hundred rounds, with everything closed:", paths.len());
    println!("{:>6} {:>12} {:>10} {:>8} {:>8}", "round", "heap KiB", "RSS KiB", "handles", "threads");
    for round in 1..=rounds {
        act(&mut state, &mut noise, &paths);
        // Now and then the next thing is done before the last one is ready.
        if noise.below(3) > 0 {
            settle(&mut state);
        }
        state.tick();
        // The window takes these in each frame.
        state.core.log.take_toasts();
        state.core.effects.clear();
        if round % 100 == 0 {
            settle(&mut state);
            state.apply(Command::Library(LibraryCommand::CloseAll));
            // It holds up to 5,000 lines.
            state.apply(Command::Window(WindowCommand::ClearLog));
            settle(&mut state);
            let now = (HEAP.current_usage(), handles());
            println!("{round:>6} {:>12} {:>10} {:>8} {:>8}", now.0 / 1024, status("VmRSS"), now.1, status("Threads"));
            let (heap, fds) = *first.get_or_insert(now);
            if now.0 > heap + heap / 10 {
                faults.push(format!(
                    "round {round}: {} KiB in use, {} after the first hundred",
                    now.0 / 1024,
                    heap / 1024
                ));
            }
            if now.1 > fds {
                faults.push(format!("round {round}: {} handles are open, {fds} after the first hundred", now.1));
            }
        }
    }
    let before = ticks();
    std::thread::sleep(Duration::from_secs(2));
    let idle = ticks() - before;
    println!(
        "idle for 2 s: {idle} ticks of processor time; busy: {}, moving: {}",
        state.core.works.is_busy(),
        state.stages.is_moving()
    );
    if idle > 1 || state.core.works.is_busy() || state.stages.is_moving() {
        faults.push("it is not idle when everything is closed".to_owned());
    }
    let held = HEAP.current_usage();
    drop(state);
    println!("the state itself held {} of {} KiB", held.saturating_sub(HEAP.current_usage()) / 1024, held / 1024);
    for fault in &faults {
        println!("FAULT: {fault}");
    }
    ExitCode::from(u8::from(!faults.is_empty()))
}
