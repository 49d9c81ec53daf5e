//! Character-pipeline models, skins and animations: sections, the fields of every list, what each shows as, and models posed.
#![no_main]

use bonebox::{
    bytes::{Limits, Source},
    formats::{self, Asset, Content, Diagnostics, LoadContext, LoadOptions, NoFiles, OpenContext},
    scene::{Binding, BindingOptions, Clip, Frame, Layer, Model, evaluate, skinning},
};
use std::sync::{Arc, atomic::AtomicBool};

/// What a file starts with; the first byte of an input picks one, unless the input starts like this itself.
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
    let limits = Limits { decoded_bytes: 16 << 20, ..Limits::default() };
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut file = bytes.to_vec();
    let known = STARTS.iter().any(|start| file.starts_with(start)) || file.first().is_some_and(|byte| *byte == 0);
    if let (false, Some(pick)) = (known, file.first().copied()) {
        let start = STARTS[usize::from(pick) % STARTS.len()];
        file.iter_mut().zip(start).for_each(|(place, byte)| *place = *byte);
        if let (0, Some(version)) = (usize::from(pick) % STARTS.len(), file.get_mut(0x20..0x24)) {
            version.copy_from_slice(STARTS[1]);
        }
    }
    let name = "fuzz.model";
    let mut cx = OpenContext { file: name, resolver: Arc::new(NoFiles), diagnostics: &mut diagnostics, limits, overrides: &bonebox::formats::NO_OVERRIDES };
    let Ok(document) = formats::open(Source::new(file), &mut cx) else { return };
    let cancel = AtomicBool::new(false);
    let (mut models, mut clips): (Vec<Arc<Model>>, Vec<Arc<Clip>>) = (Vec::new(), Vec::new());
    for entry in document.outline().entries() {
        document.check(entry.id, &mut diagnostics);
        let _ = document.fields(entry.id);
        if entry.content == Content::None {
            continue;
        }
        let mut cx = LoadContext {
            file: name,
            resolver: &NoFiles,
            diagnostics: &mut diagnostics,
            limits,
            options: LoadOptions::default(),
            cancel: &cancel,
        };
        match document.load(entry.id, &mut cx) {
            Ok(Asset::Model(model)) => models.push(model),
            Ok(Asset::Clip(clip)) => clips.push(clip),
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
