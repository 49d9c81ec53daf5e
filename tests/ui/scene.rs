//! Lamps, fog and background of the viewport, through their menu.

use crate::kit::{self, app::*};
use bonebox::gpu::{GxLights, GxSettings};

#[test]
fn a_model_of_the_gamecube_offers_its_lamps() {
    let mut window = window_with([kit::data().join("j3d/arm_basic.bmd")]);
    assert!(read(&window, |s| s.stages.front.model().is_some()));
    assert_eq!(read(&window, |s| s.stages.front.view.options.gx), GxSettings::default());
    click(&mut window, "Light and background");
    click(&mut window, "None");
    assert_eq!(read(&window, |s| s.stages.front.view.options.gx.lights), GxLights::Off);
    click(&mut window, "Key light");
    assert_eq!(read(&window, |s| s.stages.front.view.options.gx.lights), GxLights::Key);
    click(&mut window, "Colour");
    assert!(read(&window, |s| s.stages.front.view.options.background.is_some()));
    click(&mut window, "From the theme");
    assert_eq!(read(&window, |s| s.stages.front.view.options.background), None);
}

#[test]
fn other_models_have_the_background_alone() {
    let mut window = window_with([kit::data().join("actorx/syn_arm.psk")]);
    assert!(read(&window, |s| s.stages.front.model().is_some()));
    click(&mut window, "Light and background");
    assert!(!has(&window, "Key light"));
    assert!(has(&window, "Colour"));
}
