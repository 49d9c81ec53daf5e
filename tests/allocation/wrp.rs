//! R1, R5, R7: damaged worlds, and worlds of very many small parts.

use crate::heap::{self, Heap};
use crate::kit::damages;
use crate::kit::exercise;
use crate::kit::wrp::{eight, four, objects, words};
use std::time::Instant;
fn survive(bytes: &[u8]) -> usize {
    let heap = Heap::watch();
    let start = Instant::now();
    exercise::exercise("damaged.wrp", bytes, true);
    assert!(start.elapsed().as_secs_f64() < 10.0, "{:?}", start.elapsed());
    let used = heap.peak();
    assert!(used <= (64 << 20) + 16 * bytes.len(), "{used} bytes for {}", bytes.len());
    used
}

#[test]
fn damaged_files_open_or_say_why() {
    let _alone = heap::alone();
    damages::each_damage(&eight(&objects()), 8, &[u32::MAX, i32::MAX as u32, 32_768], |damaged| {
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
    survive(&[head([1, 1, 32_768, 32_768]), vec![0; MIB]].concat());
    survive(&[head([1, 1, 1, 32_768]), vec![0; MIB]].concat());
    survive(&[head([32_768, 32_768, 1, 1]), vec![0; MIB]].concat());
    // Materials without names.
    survive(&[head([1, 1, 1, 1]), vec![0; 6], words(&[65_536]), vec![0; MIB]].concat());
    // Objects of no model, and each of its own.
    let used = survive(&[head([1, 1, 1, 1]), vec![0; 6], words(&[0]), vec![0; MIB]].concat());
    assert!(used > MIB, "the counter counts: {used}");
    let each = |index: u32| {
        let one = 1_f32.to_le_bytes();
        let zero = [0; 4];
        let axes = [one, zero, zero, zero, one, zero, zero, zero, one, zero, zero, zero].concat();
        [axes, words(&[index, 5]), format!("{index:05}").into_bytes()].concat()
    };
    let many: Vec<u8> = (0..MIB as u32 / 61).flat_map(each).collect();
    survive(&[head([1, 1, 1, 1]), vec![0; 6], words(&[0]), many].concat());
}
