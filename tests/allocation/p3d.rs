//! R1, R5, R7: damaged P3D models, and models of very many small parts.

use crate::{
    heap::{self, Heap},
    kit::{
        damages::each_damage,
        exercise::{Outcome, exercise},
        p3d::{MadeFace, MadeLevel, every_tag, floats, made_box, made_memory, model_bytes, words},
    },
};
use bonebox::{
    bytes::Source,
    formats::visitor::mlod::{BodyError, prop_body},
};
use std::time::Instant;

/// Reads and exports a file in every way, within the memory and time that its size allows. No byte is left unread.
fn survive(bytes: &[u8]) -> (usize, Outcome) {
    let heap = Heap::watch();
    let start = Instant::now();
    let outcome = exercise("damaged.p3d", bytes, true);
    let body = prop_body("damaged", &Source::from(bytes.to_vec()), |_, _| ());
    assert!(start.elapsed().as_secs_f64() < 10.0, "{:?}", start.elapsed());
    let used = heap.assert_justified_by(bytes.len(), "a model");
    match (outcome.opened, body) {
        (true, Ok(body)) => assert!(!body.levels.is_empty() && outcome.assets > 0, "{outcome:?}"),
        (true, Err(error)) => assert_eq!(error, BodyError::Empty, "{outcome:?}"),
        // In both ways it says the same.
        (false, body) => {
            let Err(BodyError::Unreadable(why)) = body else { panic!("{outcome:?}: {body:?}") };
            assert_eq!(outcome.refusal, format!("damaged.p3d: {why}"));
        }
    }
    assert_eq!((outcome.unread, outcome.doubled), (0, 0), "{outcome:?}");
    (used, outcome)
}

/// Entries, those that show as something, and findings.
fn counts(bytes: &[u8]) -> [usize; 3] {
    let (_, outcome) = survive(bytes);
    [outcome.entries, outcome.assets, outcome.diagnostics]
}

#[test]
fn damaged_files_open_or_say_why() {
    let _alone = heap::alone();
    let whole = model_bytes(&[made_box(2.5, true), {
        let mut l = made_box(1.0, false);
        l.tags = every_tag(&l);
        l
    }]);
    assert_eq!(counts(&whole), [5, 3, 0]);
    each_damage(&whole, 6, &[u32::MAX, i32::MAX as u32, 0x0100_0000], |damaged| {
        let (_, outcome) = survive(damaged);
        if outcome.opened {
            // Whatever is lost, it is said that something is.
            let is_whole = (outcome.entries, outcome.assets) == (5, 3);
            assert!(outcome.entries > 0 && (is_whole || outcome.diagnostics > 0), "{outcome:?}");
        } else {
            let cut = damaged.len() < 12 && outcome.refusal.contains("the file ends inside its header");
            let other = !damaged.starts_with(b"MLOD") && outcome.refusal.contains("not begin with MLOD or ODOL");
            assert!(cut || other, "{outcome:?}");
        }
    });
}

#[test]
fn files_of_the_smallest_parts_stay_in_bounds() {
    let _alone = heap::alone();
    const MIB: usize = 1 << 20;
    // Tags without names and data.
    let mut tags = made_memory();
    tags.tags = vec![(String::new(), Vec::new()); MIB / 6];
    assert_eq!(counts(&model_bytes(&[tags])), [3, 0, 1]);
    // Faces with names of their own.
    let mut faces = made_box(1.0, false);
    let face = faces.faces[0].clone();
    faces.faces = (0..MIB / 80).map(|i| MadeFace { material: format!("{i}"), ..face.clone() }).collect();
    assert_eq!(counts(&model_bytes(&[faces])), [3, 2, 2]);
    // Points, and a tag of floats.
    let mut points = made_box(1.0, true);
    points.points = vec![[1.0; 3]; MIB / 32];
    points.tags = vec![("#Mass#".to_owned(), floats(&vec![1.0; MIB / 8]))];
    let (used, outcome) = survive(&model_bytes(&[points]));
    assert!(used > MIB, "the counter counts: {used}");
    assert_eq!([outcome.entries, outcome.assets, outcome.diagnostics], [3, 2, 0]);
    // Many selections that all count.
    let mut proxies = made_memory();
    proxies.tags = vec![("proxy:a".to_owned(), vec![1; 3]); MIB / 16];
    assert_eq!(counts(&model_bytes(&[proxies])), [3, 0, 1]);
    // As many levels as there can be, of which none begins, and very many that are empty.
    assert_eq!(counts(&[b"MLOD".to_vec(), words(&[0x101, u32::MAX]), vec![0; MIB]].concat()), [2, 0, 1]);
    let empty = MadeLevel { points: Vec::new(), ..made_memory() };
    assert_eq!(counts(&model_bytes(&vec![empty; MIB / 60])), [2_001, 0, 1]);
}
