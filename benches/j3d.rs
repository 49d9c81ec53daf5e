//! FIGURES.md P6 (parsing) and P7 (sampling and posing) for J3D, on made files of the stated sizes.

#[path = "made/mod.rs"]
mod made;
#[path = "made_j3d/mod.rs"]
mod made_j3d;

use bonebox::{
    bytes::Source,
    scene::{Binding, BindingOptions, Frame, Layer, evaluate},
};
use divan::{Bencher, counter::BytesCount, counter::ItemsCount};

fn main() {
    divan::main();
}

/// P6: a model of about 80 KB, every chunk read and checked.
#[divan::bench]
fn parse_bmd_80_kb(bencher: Bencher) {
    open(bencher, "made.bmd", made_j3d::bmd(made_j3d::USUAL));
}

/// P6, in bulk: a model of several megabytes.
#[divan::bench]
fn parse_bmd_in_bulk(bencher: Bencher) {
    let size = made_j3d::Size { shapes: 400, squares: 24, joints: 100, materials: 40, texels: 256 };
    open(bencher, "made.bmd", made_j3d::bmd(size));
}

/// A model of 1,000 shapes, every chunk read and checked.
#[divan::bench]
fn parse_bmd_1000_shapes(bencher: Bencher) {
    open(bencher, "made.bmd", made_j3d::bmd(made_j3d::THOUSAND_SHAPES));
}

/// P6: an animation of about 6 KB.
#[divan::bench]
fn parse_bck_6_kb(bencher: Bencher) {
    open(bencher, "made.bck", made_j3d::bck(30, 8));
}

fn open(bencher: Bencher, name: &str, bytes: Vec<u8>) {
    let source = Source::from(bytes);
    bencher.counter(BytesCount::new(source.len())).bench(|| made::open(name, &source));
}

/// Not in P6: the model of 80 KB turned into one that can be drawn, textures decoded.
#[divan::bench]
fn load_bmd_80_kb(bencher: Bencher) {
    let document = made::open("made.bmd", &Source::from(made_j3d::bmd(made_j3d::USUAL)));
    bencher.bench(|| made::model(document.as_ref()));
}

/// Not in P6: the animation of 6 KB turned into one that can be played.
#[divan::bench]
fn load_bck_6_kb(bencher: Bencher) {
    let document = made::open("made.bck", &Source::from(made_j3d::bck(30, 8)));
    bencher.bench(|| made::clip(document.as_ref()));
}

/// P7: sample a clip and pose a skeleton, played forwards; items are joints.
#[divan::bench]
fn pose_forwards(bencher: Bencher) {
    pose(bencher, |step| step as f32 * 0.37 % 195.0);
}

/// P7: the same with random seeks.
#[divan::bench]
fn pose_random(bencher: Bencher) {
    pose(bencher, |step| ((step.wrapping_mul(2_654_435_761) >> 7) % 19_500) as f32 * 0.01);
}

fn pose(bencher: Bencher, frame_of: impl Fn(u32) -> f32 + Sync) {
    const JOINTS: usize = 64;
    let size = made_j3d::Size { shapes: 1, squares: 1, joints: JOINTS, materials: 1, texels: 8 };
    let model = made::model(made::open("made.bmd", &Source::from(made_j3d::bmd(size))).as_ref());
    let clip = made::clip(made::open("made.bck", &Source::from(made_j3d::bck(JOINTS, 40))).as_ref());
    let binding = Binding::new(&clip, &model, BindingOptions::default());
    assert_eq!(binding.fit.matched, JOINTS);
    let mut frame = Frame::bind(&model);
    let mut step = 0_u32;
    bencher.counter(ItemsCount::new(JOINTS)).bench_local(|| {
        step = step.wrapping_add(1);
        let layer = Layer { clip: &clip, binding: &binding, frame: frame_of(step), looping: true };
        evaluate(&model, &[layer], &[], &mut frame);
        frame.world_from_bind.last().copied()
    });
}
