//! R1, R5, R7: damaged P3D models, and models of very many small parts.

use crate::heap::{self, Heap};
use crate::kit::damages;
use crate::kit::exercise;
use crate::kit::p3d;
use crate::kit::p3d::{every_tag, floats, made_box, made_memory, model_bytes, words};
use bonebox::{bytes::Source, formats::visitor::mlod::prop_body};
use std::time::Instant;
fn survive(bytes: &[u8]) -> usize {
    let heap = Heap::watch();
    let start = Instant::now();
    exercise::exercise("damaged.p3d", bytes, true);
    let _ = prop_body("damaged", &Source::from(bytes.to_vec()));
    assert!(start.elapsed().as_secs_f64() < 10.0, "{:?}", start.elapsed());
    let used = heap.peak();
    assert!(used <= (64 << 20) + 16 * bytes.len(), "{used} bytes for {}", bytes.len());
    used
}

#[test]
fn damaged_files_open_or_say_why() {
    let _alone = heap::alone();
    let whole = model_bytes(&[made_box(2.5, true), {
        let mut l = made_box(1.0, false);
        l.tags = every_tag(&l);
        l
    }]);
    damages::each_damage(&whole, 6, &[u32::MAX, i32::MAX as u32, 0x0100_0000], |damaged| {
        survive(damaged);
    });
}

#[test]
fn files_of_the_smallest_parts_stay_in_bounds() {
    let _alone = heap::alone();
    const MIB: usize = 1 << 20;
    // Tags without names and data.
    let mut tags = made_memory();
    tags.tags = vec![(String::new(), Vec::new()); MIB / 6];
    survive(&model_bytes(&[tags]));
    // Faces with names of their own.
    let mut faces = made_box(1.0, false);
    let face = faces.faces[0].clone();
    faces.faces = (0..MIB / 80).map(|i| p3d::MadeFace { material: format!("{i}"), ..face.clone() }).collect();
    survive(&model_bytes(&[faces]));
    // Points, and a tag of floats.
    let mut points = made_box(1.0, true);
    points.points = vec![[1.0; 3]; MIB / 32];
    points.tags = vec![("#Mass#".to_owned(), floats(&vec![1.0; MIB / 8]))];
    // Many selections that all count.
    let used = survive(&model_bytes(&[points]));
    assert!(used > MIB, "the counter counts: {used}");
    let mut proxies = made_memory();
    proxies.tags = vec![("proxy:a".to_owned(), vec![1; 3]); MIB / 16];
    survive(&model_bytes(&[proxies]));
    survive(&[b"MLOD".to_vec(), words(&[0x101, u32::MAX]), vec![0; MIB]].concat());
    let empty = p3d::MadeLevel { points: Vec::new(), ..made_memory() };
    survive(&model_bytes(&vec![empty; MIB / 60]));
}
