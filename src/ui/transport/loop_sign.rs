//! Icon and name of a loop mode.

use crate::scene::LoopMode;
use egui_phosphor::regular as icon;

/// Sign and name of a loop mode, and whether it goes on for ever.
pub fn loop_sign(mode: LoopMode) -> (&'static str, &'static str, bool) {
    match mode {
        LoopMode::Loop => (icon::REPEAT, "Loop", true),
        LoopMode::PingPong => (icon::ARROWS_LEFT_RIGHT, "Back and forth", true),
        LoopMode::Once => (icon::ARROW_LINE_RIGHT, "Once", false),
        LoopMode::OnceReset => (icon::ARROW_U_UP_LEFT, "Once, then reset", false),
        LoopMode::OnceForthAndBack => (icon::ARROWS_LEFT_RIGHT, "Back and forth once", false),
    }
}
