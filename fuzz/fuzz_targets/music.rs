//! Sounds and tracker music: described, and rendered at a low rate.
#![no_main]

use bonebox::bytes::Cancel;
use bonebox::formats::{
    tracker::{RenderOptions, music, render},
    wave,
};
use std::sync::Once;

static QUIET: Once = Once::new();

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // A panic in the playing library is caught where it is called and is no finding; one that gets through still is.
    QUIET.call_once(|| std::panic::set_hook(Box::new(|_| {})));
    let _ = wave::sound("fuzz", bytes.into());
    let _ = music("fuzz", bytes.into());
    let options = RenderOptions { rate_hz: 100, most_minutes: 1 };
    let _ = render(bytes, options, Cancel::never(), &mut |_, _| {});
});
