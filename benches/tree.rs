//! FIGURES.md P12 and the part of P13 that a program can measure of itself: a package of 100,000 exports in the library: a frame of
//! the tree with everything unfolded, a keystroke in the filter, and what closing the file gives back. Prints medians.

#[path = "made_packages/mod.rs"]
mod made_packages;

use bonebox::ui::{
    command::{Command, LibraryCommand},
    library,
    settings::Settings,
    state::{Clock, LibraryRow, RowId, State},
};
use peak_alloc::PeakAlloc;
use std::time::{Duration, Instant};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the made package");
    let path = folder.path().join("made.u");
    std::fs::write(&path, made_packages::package_of(100_000)).expect("it can be written");
    let mut state = State::new(Settings::default(), Clock::Real(Instant::now()));
    let before = HEAP.current_usage();
    let start = Instant::now();
    state.apply(Command::Library(LibraryCommand::Open(vec![path])));
    while state.core.works.is_busy() || state.core.library.files.is_empty() {
        state.tick();
        std::thread::sleep(Duration::from_millis(1));
    }
    println!("opened in the library: {:.1} ms", ms(start));
    let opened = HEAP.current_usage();
    let file = state.core.library.files[0].id;
    let entries = state.core.file(file).map_or(0, |f| f.document.outline().entries().len());
    let start = Instant::now();
    state.apply(Command::Library(LibraryCommand::Expand(RowId::File(file), true)));
    state.core.library.rows();
    println!("arranged by meaning: {:.1} ms", ms(start));
    // Everything is unfolded, level after level.
    loop {
        let is_folded = |row: &&LibraryRow| row.has_children && !row.open;
        let folded: Vec<RowId> = state.core.library.rows().0.iter().filter(is_folded).map(|row| row.id).collect();
        if folded.is_empty() {
            break;
        }
        for row in folded {
            state.apply(Command::Library(LibraryCommand::Expand(row, true)));
        }
    }
    println!("{} rows of {entries} entries", state.core.library.rows().0.len());

    let ctx = egui::Context::default();
    let frame = |state: &mut State| {
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(300.0, 800.0))),
            ..Default::default()
        };
        let start = Instant::now();
        let output = ctx.run_ui(input, |ui| library::show(ui, state, &mut false, &mut Vec::new()));
        std::hint::black_box(ctx.tessellate(output.shapes, 1.0));
        ms(start)
    };
    for _ in 0..5 {
        frame(&mut state);
    }
    let frames: Vec<f64> = (0..101).map(|_| frame(&mut state)).collect();
    println!("P12: a frame of the tree: {:.2} ms (2)", median(frames));

    let words = ["l", "li", "lig", "light", "light9", "light99", "light 12", ""];
    let mut keystrokes = Vec::new();
    for _ in 0..5 {
        for word in words {
            let start = Instant::now();
            state.apply(Command::Library(LibraryCommand::SetFilter(word.to_owned())));
            std::hint::black_box(state.core.library.rows().1);
            keystrokes.push(ms(start));
        }
    }
    let slowest = keystrokes.iter().copied().fold(0.0, f64::max);
    println!("P12: a keystroke in the filter: {:.1} ms, slowest {slowest:.1} ms (16)", median(keystrokes));

    state.apply(Command::Library(LibraryCommand::SetFilter(String::new())));
    state.core.library.rows();
    state.apply(Command::Library(LibraryCommand::CloseAll));
    state.core.library.rows();
    let closed = HEAP.current_usage();
    let (took, left) = (opened.saturating_sub(before), closed.saturating_sub(before));
    let share = 100.0 - left as f64 / took.max(1) as f64 * 100.0;
    println!("P13: opening took {took} bytes, closing gave back {share:.1} % (95)");
}
