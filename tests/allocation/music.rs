//! R5 for tracker music: whatever a module says, rendering it takes no more than 64 MiB + 16 × its size, samples that come
//! out aside.

use crate::{
    heap::{self, Heap},
    kit::{Noise, sounds},
};
use bonebox::{
    bytes::Cancel,
    formats::tracker::{RenderOptions, Tracker, encode::Tune, music, render},
};

/// As short as it can be: what is measured is what loading takes.
const OPTIONS: RenderOptions = RenderOptions { rate_hz: 1_000, most_minutes: 1 };
/// The samples of a minute, grown in doubles, and the rows.
const RENDERED: usize = 8 << 20;

/// The highest use of heap above what was there, and whether it played.
fn used(bytes: &[u8]) -> (usize, bool) {
    let heap = Heap::watch();
    let found = music("x", bytes.into());
    let played = render(bytes, OPTIONS, Cancel::never(), &mut |_, _| {});
    let used = heap.peak();
    // Its bytes are kept whatever they are, and what does not play says why.
    assert_eq!(*found.bytes, *bytes);
    assert_eq!(found.plays, found.problem.is_none(), "{:?}", found.problem);
    assert!(found.plays || played.is_err());
    (used, played.is_ok())
}

fn check(bytes: &[u8], what: &str, highest: &mut usize) -> bool {
    let (used, played) = used(bytes);
    let cap = (64 << 20) + 16 * bytes.len() + if played { RENDERED } else { 0 };
    assert!(used <= cap, "{what}: {used} bytes for a file of {}", bytes.len());
    *highest = (*highest).max(used);
    played
}

#[test]
fn no_module_takes_more_than_it_justifies() {
    let _alone = heap::alone();
    std::panic::set_hook(Box::new(|_| {}));
    let mut highest = 0;
    for tracker in [Tracker::It, Tracker::S3m, Tracker::Xm, Tracker::Amiga] {
        let whole = sounds::module(tracker);
        assert!(check(&whole, &format!("{tracker:?}"), &mut highest), "{tracker:?} plays");
        let headers = whole.len().min(1_200);
        for at in 0..headers {
            let mut bytes = whole.clone();
            bytes[at] = 0xFF;
            check(&bytes, &format!("{tracker:?} with FF at {at}"), &mut highest);
        }
        let mut noise = Noise::new(tracker as u64);
        for round in 0..100 {
            let mut bytes = whole.clone();
            for _ in 0..20 {
                let at = noise.below(bytes.len());
                bytes[at] = noise.below(256) as u8;
            }
            check(&bytes, &format!("{tracker:?}, round {round}"), &mut highest);
        }
        for cut in (0..whole.len()).step_by(397) {
            check(&whole[..cut], &format!("{tracker:?} cut at {cut}"), &mut highest);
        }
    }
    // As much as the counts allow, in small files: patterns that nothing is in, in every order.
    for tracker in [Tracker::It, Tracker::S3m, Tracker::Xm] {
        for patterns in [60, 90, 120, 200, 250] {
            let orders = (0..patterns).map(|p| p as u8).collect();
            let bytes = bonebox::formats::tracker::encode::encode(
                &Tune { orders, patterns: vec![Vec::new(); patterns], channels: 32, ..sounds::tune() },
                tracker,
            );
            let played = check(&bytes, &format!("{tracker:?} of {patterns} patterns"), &mut highest);
            println!("{tracker:?} of {patterns} patterns: {} bytes, played: {played}", used(&bytes).0);
            assert!(played || patterns > 60, "{tracker:?} of {patterns} patterns is ordinary music");
        }
    }
    // Samples that state to be compressed, and say of themselves how long they become.
    let mut bytes = sounds::module(Tracker::It);
    let sample = bytes.windows(4).position(|four| four == b"IMPS").unwrap();
    bytes[sample + 18] |= 8;
    for length in [1_u32 << 20, 1 << 26, 1 << 30, u32::MAX] {
        bytes[sample + 48..sample + 52].copy_from_slice(&length.to_le_bytes());
        let played = check(&bytes, &format!("a compressed sample of {length}"), &mut highest);
        assert_eq!(played, length < 1 << 26, "a compressed sample of {length}");
    }
    assert!(highest > 100_000, "the counter counts");
    println!("highest: {highest} bytes");
}
