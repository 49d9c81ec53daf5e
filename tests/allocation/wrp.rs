//! R1, R5, R7: damaged worlds, and worlds of very many small parts.

use crate::{
    heap::{self, Heap},
    kit::{
        damages::each_damage,
        exercise::{Outcome, exercise},
        wrp::{eight, four, objects, words},
    },
};
use std::time::Instant;

/// Reads and exports a file in every way, within the memory and time that its size allows. No byte is left unread.
fn survive(bytes: &[u8]) -> (usize, Outcome) {
    let heap = Heap::watch();
    let start = Instant::now();
    let outcome = exercise("damaged.wrp", bytes, true);
    assert!(start.elapsed().as_secs_f64() < 10.0, "{:?}", start.elapsed());
    let used = heap.assert_justified_by(bytes.len(), "a world");
    assert_eq!((outcome.unread, outcome.doubled), (0, 0), "{outcome:?}");
    if outcome.opened {
        // Without a ground nothing else can be found: that is said.
        assert!(outcome.entries > 0 && (outcome.assets == 1 || outcome.diagnostics > 0), "{outcome:?}");
    } else {
        let cut = bytes.len() < 24 && outcome.refusal.contains("the file ends inside its header");
        let other = ![b"8WVR", b"4WVR"].iter().any(|tag| bytes.starts_with(*tag))
            && outcome.refusal.contains("the file does not begin with 8WVR or 4WVR");
        assert!(cut || other, "{outcome:?}");
    }
    (used, outcome)
}

/// Entries, landscapes, and findings.
fn counts(bytes: &[u8]) -> [usize; 3] {
    let (_, outcome) = survive(bytes);
    [outcome.entries, outcome.assets, outcome.diagnostics]
}

#[test]
fn damaged_files_open_or_say_why() {
    let _alone = heap::alone();
    each_damage(&eight(&objects()), 8, &[u32::MAX, i32::MAX as u32, 32_768], |damaged| {
        survive(damaged);
    });
    let mut older = four(&objects());
    let end = older.len();
    // Textures are long and all alike.
    for cut in (0..end).filter(|cut| *cut < 200 || *cut > end - 200) {
        survive(&older[..cut]);
    }
    for at in 4..12 {
        older[at] ^= 0x81;
        survive(&older);
    }
}

#[test]
fn files_of_the_smallest_parts_stay_in_bounds() {
    let _alone = heap::alone();
    const MIB: usize = 1 << 20;
    let head = |sides: [u32; 4]| [b"8WVR".to_vec(), words(&sides), 10_f32.to_le_bytes().to_vec()].concat();
    // Sides that the file has nothing for, of one column and of one row.
    assert_eq!(counts(&[head([1, 1, 32_768, 32_768]), vec![0; MIB]].concat()), [2, 1, 2]);
    assert_eq!(counts(&[head([1, 1, 1, 32_768]), vec![0; MIB]].concat()), [6, 1, 1]);
    assert_eq!(counts(&[head([32_768, 32_768, 1, 1]), vec![0; MIB]].concat()), [3, 1, 1]);
    // Materials without names.
    assert_eq!(counts(&[head([1, 1, 1, 1]), vec![0; 6], words(&[65_536]), vec![0; MIB]].concat()), [6, 1, 1]);
    // Objects of no model, and each of its own.
    let (used, outcome) = survive(&[head([1, 1, 1, 1]), vec![0; 6], words(&[0]), vec![0; MIB]].concat());
    assert!(used > MIB, "the counter counts: {used}");
    assert_eq!([outcome.entries, outcome.assets, outcome.diagnostics], [6, 1, 1]);
    let each = |index: u32| {
        let one = 1_f32.to_le_bytes();
        let zero = [0; 4];
        let axes = [one, zero, zero, zero, one, zero, zero, zero, one, zero, zero, zero].concat();
        [axes, words(&[index, 5]), format!("{index:05}").into_bytes()].concat()
    };
    let many: Vec<u8> = (0..MIB as u32 / 61).flat_map(each).collect();
    assert_eq!(counts(&[head([1, 1, 1, 1]), vec![0; 6], words(&[0]), many].concat()), [6, 1, 1]);
}
