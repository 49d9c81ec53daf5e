//! Ways to look at a model by key: six sides, orthographic, focus, reset.

use crate::kit::{self, app::*};
use bonebox::scene::camera::{OrbitCamera, ViewDirection};
use egui::{Key, Modifiers};

#[test]
fn six_sides_orthographic_focus_and_reset_have_keys() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let camera = |window: &Window| read(window, |s| s.stages.front.view.camera);
    let press = |window: &mut Window, modifiers: Modifiers, key: Key| {
        window.key_press_modifiers(modifiers, key);
        window.run_steps(4);
    };
    let first = camera(&window);
    for (modifiers, key, direction) in [
        (Modifiers::NONE, Key::Num1, ViewDirection::Front),
        (Modifiers::COMMAND, Key::Num1, ViewDirection::Back),
        (Modifiers::NONE, Key::Num3, ViewDirection::Right),
        (Modifiers::COMMAND, Key::Num3, ViewDirection::Left),
        (Modifiers::NONE, Key::Num7, ViewDirection::Top),
        (Modifiers::COMMAND, Key::Num7, ViewDirection::Bottom),
    ] {
        press(&mut window, modifiers, key);
        let mut wanted = OrbitCamera::default();
        wanted.look_from(direction);
        let found = camera(&window);
        assert_eq!((found.yaw, found.pitch), (wanted.yaw, wanted.pitch), "{direction:?}");
        assert_eq!(found.focus, first.focus, "it looks at the same point from the {direction:?}");
    }
    press(&mut window, Modifiers::NONE, Key::Num5);
    assert!(camera(&window).orthographic);
    press(&mut window, Modifiers::NONE, Key::Num5);
    assert!(!camera(&window).orthographic);
    // The model is brought back into view from the same side, and then from the first.
    change(&window, |s| s.stages.front.view.camera.zoom(20.0));
    let far = camera(&window).distance;
    press(&mut window, Modifiers::NONE, Key::F);
    pass(&mut window, 2.0);
    let found = camera(&window);
    assert!(found.distance < far / 2.0, "{} of {far}", found.distance);
    assert_eq!(found.pitch, -std::f32::consts::FRAC_PI_2);
    press(&mut window, Modifiers::NONE, Key::R);
    pass(&mut window, 2.0);
    assert_eq!((camera(&window).yaw, camera(&window).pitch), (first.yaw, first.pitch));
}
