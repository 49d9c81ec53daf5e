//! Character-pipeline models, skins and animations: sections, the fields of lists, what they show as, and models posed.
#![no_main]

#[path = "../read/mod.rs"]
mod read;

use bonebox::{
    formats::Asset,
    scene::{Binding, BindingOptions, Clip, Frame, Layer, Model, evaluate, skinning},
};
use std::sync::Arc;

/// What a file starts with: the first byte of an input picks one, unless the input starts like one itself, or with a zero as any block
/// may.
const STARTS: [&[u8]; 6] = [
    // A block: its first section is a palette of meshes.
    &[0, 0, 0, 0, 0, 0, 0, 0x20],
    &[0x00, 0xB7, 0x49, 0xE0],
    &[0x00, 0x7B, 0x79, 0x60],
    &[0x00, 0x20, 0xAF, 0x30],
    &[0x01, 0x32, 0x1A, 0xFD],
    &[0x00, 0x01, 0x00, 0x01, 0x00, 0x01, 0x0B, 0x00],
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let is_block = bytes.first() == Some(&0);
    let mut file = if is_block { bytes.to_vec() } else { read::started(bytes, &STARTS) };
    if let (true, Some(version)) = (!is_block && file.starts_with(STARTS[0]), file.get_mut(0x20..0x24)) {
        version.copy_from_slice(STARTS[1]);
    }
    let parts = read::Parts::by_last(&file);
    let Ok(read) = read::read("fuzz.model", file, parts) else { return };
    let (mut models, mut clips): (Vec<Arc<Model>>, Vec<Arc<Clip>>) = (Vec::new(), Vec::new());
    for asset in read.assets.into_iter().flatten() {
        match asset {
            Asset::Model(model) => models.push(model),
            Asset::Clip(clip) => clips.push(clip),
            _ => {}
        }
    }
    let mut frame = Frame::default();
    for model in models.iter().take(4) {
        evaluate(model, &[], &[1.0, 0.5], &mut frame);
        for clip in clips.iter().take(4) {
            let binding = Binding::new(clip, model, BindingOptions::default());
            let at = clip.last_frame() * 0.4;
            evaluate(model, &[Layer { clip, binding: &binding, frame: at, looping: true }], &[], &mut frame);
        }
        for mesh in &model.meshes {
            std::hint::black_box(skinning::skinned_points(model, mesh, &frame).len());
        }
    }
});
