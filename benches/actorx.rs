//! FIGURES.md P5 (parsing), P7 (sampling and posing) and P14 (GLB) on made files of the stated sizes.

#[path = "made/mod.rs"]
mod made;

use bonebox::{
    bytes::Source,
    export::glb::{BoundClip, glb},
    formats::actorx::{parse_psa, parse_psk},
    scene::{Binding, BindingOptions, Frame, Layer, evaluate},
};
use divan::{Bencher, counter::BytesCount, counter::ItemsCount};

fn main() {
    divan::main();
}

/// P5: a mesh of 74,280 wedges, every chunk decoded.
#[divan::bench]
fn parse_psk_74280_wedges(bencher: Bencher) {
    let source = Source::from(made::psk(74_280, 64));
    bencher.counter(BytesCount::new(source.len())).bench(|| parse_psk(source.as_slice()));
}

/// P5: an animation of 33,000 keys, every chunk decoded.
#[divan::bench]
fn parse_psa_33000_keys(bencher: Bencher) {
    let source = Source::from(made::psa(60, &[250, 300]));
    bencher.counter(BytesCount::new(source.len())).bench(|| parse_psa(source.as_slice()));
}

/// The same mesh, opened: its outline, with decoding left to those who ask.
#[divan::bench]
fn open_psk_74280_wedges(bencher: Bencher) {
    let source = Source::from(made::psk(74_280, 64));
    bencher.counter(BytesCount::new(source.len())).bench(|| made::open("made.psk", &source));
}

/// Not in P5: the same mesh turned into a model that can be drawn.
#[divan::bench]
fn load_psk_74280_wedges(bencher: Bencher) {
    let document = made::open("made.psk", &Source::from(made::psk(74_280, 64)));
    bencher.bench(|| made::model(document.as_ref()));
}

/// The same animation, opened.
#[divan::bench]
fn open_psa_33000_keys(bencher: Bencher) {
    let source = Source::from(made::psa(60, &[250, 300]));
    bencher.counter(ItemsCount::new(33_000_usize)).bench(|| made::open("made.psa", &source));
}

/// P7: sample a clip and pose a skeleton, played forwards; items are joints.
#[divan::bench]
fn pose_forwards(bencher: Bencher) {
    pose(bencher, |step| step as f32 * 0.37 % 299.0);
}

/// P7: the same with random seeks.
#[divan::bench]
fn pose_random(bencher: Bencher) {
    pose(bencher, |step| ((step.wrapping_mul(2_654_435_761) >> 7) % 29_900) as f32 * 0.01);
}

fn pose(bencher: Bencher, frame_of: impl Fn(u32) -> f32 + Sync) {
    const JOINTS: usize = 64;
    let model = made::model(made::open("made.psk", &Source::from(made::psk(300, JOINTS))).as_ref());
    let clip = made::clip(made::open("made.psa", &Source::from(made::psa(JOINTS, &[300]))).as_ref());
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

/// P14: a GLB with a skin and a clip; bytes are those written.
#[divan::bench]
fn glb_74280_wedges(bencher: Bencher) {
    let model = made::model(made::open("made.psk", &Source::from(made::psk(74_280, 64))).as_ref());
    let clip = made::clip(made::open("made.psa", &Source::from(made::psa(64, &[300]))).as_ref());
    let binding = Binding::new(&clip, &model, BindingOptions::default());
    let clips = [BoundClip { clip: &clip, binding: &binding }];
    let size = glb(&model, &clips).expect("a made model is sound").bytes.len();
    bencher.counter(BytesCount::new(size)).bench(|| glb(&model, &clips));
}
