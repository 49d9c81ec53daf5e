//! End to end: the real window under a virtual X server, files dropped on it by a real X11 drag, scrubbed with the mouse, and
//! judged by its pictures. Needs Xvfb, openbox, xdotool, xwininfo, import (ImageMagick) and python3 with Xlib
//! (`scripts/setup test`), and a Vulkan adapter.

#[path = "../kit/mod.rs"]
mod kit;
#[allow(dead_code, reason = "each test executable uses its part")]
#[path = "../kit/schemas.rs"]
mod schemas;

mod animations;
mod bones;
mod collection;
mod keyboard;
mod newcomer;
mod packages;
mod picture;
mod sessions;
mod stage;
