//! FIGURES.md P15 and P16: a window with a device of its own opens 177 made packages (117 MB), looks at textures and maps, and closes them all.
//! Resident memory at the start, open, after looking, and closed. Then 300 small files are dropped at once. `ROUNDS=3 cargo bench --bench memory`

#[path = "../tests/kit/mod.rs"]
mod kit;
#[path = "made_game/mod.rs"]
mod made_game;

use bonebox::{
    formats::Content,
    gpu::GpuContext,
    ui::{
        command::{Command, LibraryCommand, StageCommand},
        state::Place,
    },
};
use eframe::egui_wgpu::{WgpuSetup, WgpuSetupCreateNew};
use kit::app::{self, Window};
use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

/// As in the program.
#[cfg(all(feature = "allocator", target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The allocator gives back what is free within this time.
const DECAY: Duration = Duration::from_secs(3);

/// The device that the program asks for.
fn device() -> WgpuSetup {
    let mut create = WgpuSetupCreateNew::without_display_handle();
    create.instance_descriptor.backends = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY);
    create.device_descriptor = Arc::new(GpuContext::device_descriptor);
    create.into()
}

/// Frames, until the allocator has given back what is free.
fn rest(window: &mut Window) {
    let end = Instant::now() + DECAY;
    while Instant::now() < end {
        std::thread::sleep(Duration::from_millis(100));
        window.step();
    }
}

/// Resident memory in MiB: all of it, what no file backs, what files back (the program, its libraries), what is shared with others.
fn resident() -> [u64; 4] {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = |line: &str| line.split_whitespace().next()?.parse::<u64>().ok();
    ["VmRSS:", "RssAnon:", "RssFile:", "RssShmem:"]
        .map(|name| text.lines().find_map(|line| kib(line.strip_prefix(name)?)).unwrap_or(0) / 1024)
}

/// Shows every so many of the entries with this content, each for some frames, drawn by the device.
fn look_at(window: &mut Window, content: Content, every: usize) -> usize {
    let places: Vec<Place> = app::read(window, |state| {
        let files = state.core.library.files.iter();
        files.flat_map(|f| f.file.entries_with(content).into_iter().map(|entry| Place { file: f.id, entry })).collect()
    });
    let mut count = 0;
    for place in places.into_iter().step_by(every) {
        app::apply(window, Command::Stage(StageCommand::Show(place)));
        window.render().expect("a device draws");
        count += 1;
    }
    count
}

fn main() {
    let rounds = std::env::var("ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let folder = tempfile::tempdir().expect("a folder for the packages");
    let paths = made_game::write(folder.path());
    let bytes: u64 = paths.iter().filter_map(|path| path.metadata().ok()).map(|m| m.len()).sum();
    println!("{} packages, {:.1} MB", paths.len(), bytes as f64 / 1e6);
    let mut window =
        app::window_built(egui_kittest::Harness::builder().wgpu_setup(device()), app::kept(app::state()), app::SIZE);
    app::settle(&mut window);
    window.render().expect("a device draws");
    rest(&mut window);
    let [start, ..] = resident();
    let report = |what: &str| {
        let [all, own, files, shared] = resident();
        let over = all as i64 - start as i64;
        println!(
            "{what:<28} {all:>5} MiB, {over:+} over the start: {own} of memory, {files} of files, {shared} shared"
        );
    };
    report("start");
    for round in 1..=rounds {
        println!("round {round}");
        let begin = Instant::now();
        app::open(&mut window, paths.clone());
        let took = begin.elapsed();
        rest(&mut window);
        report(&format!("opened in {:.2} s", took.as_secs_f64()));
        let textures = look_at(&mut window, Content::Image, 40);
        report(&format!("{textures} textures looked at"));
        let maps = look_at(&mut window, Content::Map, 6);
        report(&format!("{maps} maps looked at"));
        rest(&mut window);
        report("three seconds later");
        app::apply(&mut window, Command::Library(LibraryCommand::CloseAll));
        window.render().expect("a device draws");
        report("closed");
        rest(&mut window);
        report("three seconds later");
    }
    let small = folder.path().join("small");
    std::fs::create_dir(&small).expect("the folder can be written");
    let files: Vec<PathBuf> = (0..300).map(|n| small.join(format!("arm{n:03}.psk"))).collect();
    for file in &files {
        std::fs::copy(kit::files::data().join("actorx/syn_arm.psk"), file).expect("the folder can be written");
    }
    let begin = Instant::now();
    app::apply(&mut window, Command::Library(LibraryCommand::Drop(files)));
    let took = begin.elapsed();
    let (open, rows) = app::read(&window, |state| (state.core.library.files.len(), state.core.library.listed().len()));
    println!("{open} files of one folder dropped: {:.2} s, {rows} rows of the library", took.as_secs_f64());
}
