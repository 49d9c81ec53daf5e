//! FIGURES.md P3: what `list` costs on a made package of 700 KiB and 350 exports.

#[path = "made/mod.rs"]
mod made;
#[path = "made_packages/mod.rs"]
mod made_packages;

use bonebox::bytes::Source;
use divan::{Bencher, counter::BytesCount};

fn main() {
    divan::main();
}

/// P3: open and build the whole outline, which is what `list` prints.
#[divan::bench]
fn list_350_exports_of_700_kib(bencher: Bencher) {
    let source = Source::from(made_packages::package_of_700_kib());
    let document = made::open("made.u", &source);
    assert_eq!(document.outline().entries().len(), 351);
    bencher.counter(BytesCount::new(source.len())).bench(|| made::open("made.u", &source));
}

/// Not in P3: a package of 100,000 exports.
#[divan::bench(sample_count = 20)]
fn open_100000_exports(bencher: Bencher) {
    let source = Source::from(made_packages::package_of(100_000));
    bencher.counter(BytesCount::new(source.len())).bench(|| made::open("made.u", &source));
}

/// Not in P3: every field of every export of the first package.
#[divan::bench(sample_count = 20)]
fn read_every_field_of_350_exports(bencher: Bencher) {
    let document = made::open("made.u", &Source::from(made_packages::package_of_700_kib()));
    bencher.bench(|| {
        let entries = document.outline().entries();
        entries.iter().map(|e| document.fields(e.id).map_or(0, |tree| tree.fields.len())).sum::<usize>()
    });
}
