//! Visitor projects: FIGURES.md P11, a project of 2048 × 2048 heights and 100,000 places for objects.

#[path = "made/mod.rs"]
mod made;
#[path = "made_visitor/mod.rs"]
mod made_visitor;

use bonebox::{
    bytes::{Cancel, Limits, Source},
    formats::{Asset, Content, Diagnostics, Document, LoadContext, LoadOptions, NoFiles, coverage::coverage},
    scene::Terrain,
};
use divan::{
    Bencher,
    counter::{BytesCount, ItemsCount},
};
use std::sync::Arc;

fn main() {
    divan::main();
}

fn source() -> Source {
    Source::from(made_visitor::large())
}

fn terrain(document: &dyn Document) -> Arc<Terrain> {
    let entries = document.outline().entries();
    let entry = entries.iter().find(|entry| entry.content == Content::Terrain).expect("a landscape");
    let limits = Limits::default();
    let mut cx = LoadContext {
        file: "made.pew",
        resolver: &NoFiles,
        diagnostics: &mut Diagnostics::new(limits.diagnostics_per_code),
        limits,
        options: LoadOptions::default(),
        cancel: Cancel::never(),
    };
    match document.load(entry.id, &mut cx) {
        Ok(Asset::Terrain(terrain)) => terrain,
        other => panic!("no landscape: {other:?}"),
    }
}

/// P11: all disputed readings tried, every object looked at.
#[divan::bench]
fn open(bencher: Bencher) {
    let source = source();
    bencher.counter(BytesCount::new(source.len())).bench(|| made::open("made.pew", &source));
}

/// The project turned into a landscape; items are places for objects.
#[divan::bench]
fn load(bencher: Bencher) {
    let document = made::open("made.pew", &source());
    bencher.counter(ItemsCount::new(made_visitor::SLOTS)).bench(|| terrain(document.as_ref()));
}

/// What the landscape comes to in numbers.
#[divan::bench]
fn height_range(bencher: Bencher) {
    let terrain = terrain(made::open("made.pew", &source()).as_ref());
    bencher.counter(ItemsCount::new(terrain.grid.len())).bench(|| terrain.grid.range());
}

/// Every byte's field, as `verify` looks for.
#[divan::bench]
fn cover(bencher: Bencher) {
    let document = made::open("made.pew", &source());
    bencher.bench(|| coverage(document.as_ref()).unread.len());
}
