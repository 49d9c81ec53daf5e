//! Models of the character pipeline: reading, posing (FIGURES.md P7) and skinning of a made one with 120 bones and 5,000 slots.

#[path = "made/mod.rs"]
mod made;
#[path = "made_charpipe/mod.rs"]
mod made_charpipe;

use bonebox::{
    bytes::Source,
    scene::{Binding, BindingOptions, Clip, Frame, Layer, Model, evaluate, skinning},
};
use divan::{
    Bencher,
    counter::{BytesCount, ItemsCount},
};
use made_charpipe::{BONES, FRAMES, SLOTS};
use std::sync::Arc;

fn main() {
    divan::main();
}

fn model() -> Arc<Model> {
    made::model(made::open("made.dat", &Source::from(made_charpipe::block(BONES, SLOTS))).as_ref())
}

fn clip(curved: bool) -> Arc<Clip> {
    made::clip(made::open("made.anm", &Source::from(made_charpipe::bank(BONES, 12, curved))).as_ref())
}

fn open(bencher: Bencher, name: &str, bytes: Vec<u8>) {
    let source = Source::from(bytes);
    bencher.counter(BytesCount::new(source.len())).bench(|| made::open(name, &source));
}

/// The block, every section read and checked.
#[divan::bench]
fn parse_block(bencher: Bencher) {
    open(bencher, "made.dat", made_charpipe::block(BONES, SLOTS));
}

/// A bank of one sequence with a track of twelve keys for each bone.
#[divan::bench]
fn parse_bank(bencher: Bencher) {
    open(bencher, "made.anm", made_charpipe::bank(BONES, 12, true));
}

/// The block turned into a model that can be drawn; items are slots.
#[divan::bench]
fn assemble(bencher: Bencher) {
    let document = made::open("made.dat", &Source::from(made_charpipe::block(BONES, SLOTS)));
    bencher.counter(ItemsCount::new(SLOTS)).bench(|| made::model(document.as_ref()));
}

/// P7: slerps and lines, played forwards; items are joints.
#[divan::bench]
fn pose_forwards(bencher: Bencher) {
    pose(bencher, false, |step| step as f32 * 0.37 % FRAMES);
}

/// P7: the same with random seeks.
#[divan::bench]
fn pose_random(bencher: Bencher) {
    pose(bencher, false, random);
}

/// P7: squads and Hermite curves, played forwards.
#[divan::bench]
fn pose_curved_forwards(bencher: Bencher) {
    pose(bencher, true, |step| step as f32 * 0.37 % FRAMES);
}

/// P7: the same with random seeks.
#[divan::bench]
fn pose_curved_random(bencher: Bencher) {
    pose(bencher, true, random);
}

fn random(step: u32) -> f32 {
    (step.wrapping_mul(2_654_435_761) >> 7) as f32 % (FRAMES * 100.0) * 0.01
}

fn pose(bencher: Bencher, curved: bool, frame_of: impl Fn(u32) -> f32 + Sync) {
    let (model, clip) = (model(), clip(curved));
    let binding = Binding::new(&clip, &model, BindingOptions::default());
    assert_eq!(binding.fit.matched, BONES);
    let mut frame = Frame::bind(&model);
    let mut step = 0_u32;
    bencher.counter(ItemsCount::new(BONES)).bench_local(|| {
        step = step.wrapping_add(1);
        let layer = Layer { clip: &clip, binding: &binding, frame: frame_of(step), looping: true };
        evaluate(&model, &[layer], &[], &mut frame);
        frame.world_from_bind.last().copied()
    });
}

/// A model and a pose of it in the middle of the clip.
fn posed() -> (Arc<Model>, Frame) {
    let (model, clip) = (model(), clip(true));
    let binding = Binding::new(&clip, &model, BindingOptions::default());
    let mut frame = Frame::bind(&model);
    let layer = Layer { clip: &clip, binding: &binding, frame: 77.7, looping: true };
    evaluate(&model, &[layer], &[], &mut frame);
    (model, frame)
}

/// Points in floating point, as the window's fallback does; items are slots.
#[divan::bench]
fn skin_points(bencher: Bencher) {
    let (model, frame) = posed();
    let mesh = &model.meshes[0];
    bencher.counter(ItemsCount::new(mesh.points.len())).bench(|| skinning::skinned_points(&model, mesh, &frame));
}

/// Points and normals in the game's whole numbers; items are slots.
#[divan::bench]
fn skin_exact(bencher: Bencher) {
    let (model, frame) = posed();
    let skin = model.meshes[0].fixed_skin.as_ref().expect("the mesh has lists");
    bencher.counter(ItemsCount::new(skin.stored.len())).bench(|| skin.evaluate(&frame.world_from_bind));
}

/// Normals of the vertices; items are vertices.
#[divan::bench]
fn skin_normals(bencher: Bencher) {
    let (model, frame) = posed();
    let mesh = &model.meshes[0];
    bencher.counter(ItemsCount::new(mesh.vertex_count())).bench(|| skinning::skinned_normals(&model, mesh, &frame));
}
