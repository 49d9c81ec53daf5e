//! FIGURES.md R5 and R7: many damaged files, all the way to exports: the slowest one, and the most memory that one took.
//! `FILES=100000 cargo bench --bench damage`; `ONLY=unreal` takes one format's files alone, `SEED=2` other damage. The corpus is
//! damaged too where it is.

use bonebox::formats::FORMATS;

#[path = "../tests/kit/exercise.rs"]
mod exercise;
#[allow(dead_code)]
#[path = "../tests/kit/files.rs"]
mod files;
#[allow(dead_code)]
#[path = "../tests/kit/noise.rs"]
mod noise;

use peak_alloc::PeakAlloc;
use std::{fs, path::Path, time::Instant};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

fn main() {
    let count: usize = std::env::var("FILES").ok().and_then(|f| f.parse().ok()).unwrap_or(10_000);
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
    let only = std::env::var("ONLY").ok();
    let seed: u64 = std::env::var("SEED").ok().and_then(|f| f.parse().ok()).unwrap_or(2026);
    let wanted: Vec<&str> = FORMATS
        .iter()
        .map(|f| f.info())
        .filter(|info| only.as_ref().is_none_or(|only| info.id == only))
        .flat_map(|info| info.extensions)
        .copied()
        .collect();
    let mut folders = vec![files::data(), samples];
    folders.extend(files::corpus_beside());
    let files: Vec<(String, Vec<u8>)> = folders
        .iter()
        .flat_map(|folder| files::files_below(folder))
        .filter(|p| p.extension().is_some_and(|e| wanted.contains(&e.to_string_lossy().to_lowercase().as_str())))
        .map(|p| (p.file_name().unwrap_or_default().to_string_lossy().into_owned(), fs::read(&p).unwrap_or_default()))
        .filter(|(_, bytes)| !bytes.is_empty())
        .collect();
    let mut noise = noise::Noise::new(seed);
    let (mut slowest, mut hungriest) = ((0.0_f64, String::new()), (0.0_f64, String::new()));
    let mut opened = 0;
    for round in 0..count {
        let (name, bytes) = &files[round % files.len()];
        let mut damaged = bytes.clone();
        for _ in 0..=noise.below(8) {
            let at = noise.below(damaged.len());
            damaged[at] = noise.next() as u8;
        }
        if noise.below(4) == 0 {
            damaged.truncate(noise.below(damaged.len()));
        }
        let label = format!("round {round}, {name}, {} bytes", damaged.len());
        let before = HEAP.current_usage();
        HEAP.reset_peak_usage();
        let start = Instant::now();
        opened += usize::from(exercise::exercise(name, &damaged, true).opened);
        let seconds = start.elapsed().as_secs_f64();
        let allowed = (64 << 20) + 16 * damaged.len();
        let share = HEAP.peak_usage().saturating_sub(before) as f64 / allowed as f64;
        if seconds > slowest.0 {
            slowest = (seconds, label.clone());
        }
        if share > hungriest.0 {
            hungriest = (share, label);
        }
    }
    println!("{count} files made from {} by damage, {opened} of them still open", files.len());
    println!("slowest: {:.1} ms ({})", slowest.0 * 1e3, slowest.1);
    println!("most memory: {:.1} % of what is allowed ({})", hungriest.0 * 100.0, hungriest.1);
}
