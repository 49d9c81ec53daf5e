//! The sliders of a model's morphs.

use crate::kit::{self, app::*};

fn weights(window: &Window) -> Vec<f32> {
    read(window, |s| s.stages.front.playback().unwrap().player.morph_weights.clone())
}

#[test]
fn morphs_are_set_with_sliders_and_reset() {
    let mut window = window_with([kit::data().join("actorx/syn_ext.psk")]);
    assert_eq!(weights(&window), [0.0; 2]);
    assert!(!has(&window, "Fat"), "the sliders come folded away");
    click(&mut window, "Morphs  2");
    // Nothing is set: there is nothing to reset.
    assert!(!has(&window, "Reset morphs"));
    drag_to_end(&mut window, "Tip");
    assert_eq!(weights(&window), [0.0, 1.0]);
    look(&mut window, "morphs");
    click(&mut window, "Reset morphs");
    assert_eq!(weights(&window), [0.0; 2]);
}
