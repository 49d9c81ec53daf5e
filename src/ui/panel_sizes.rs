//! The sizes of panels whose edges can be dragged, kept by name for the next start. egui itself forgets them with the window.

use egui::{Context, Id};
use std::collections::BTreeMap;

/// Widths of panels at a side, heights of those at the bottom, in points.
pub type PanelSizes = BTreeMap<String, f32>;

/// Sizes that a panel can have.
pub const SIZES: std::ops::RangeInclusive<f32> = 16.0..=8192.0;
pub const MAX_PANELS: usize = 64;

fn place() -> Id {
    Id::new("sizes of panels")
}

/// Remembers the sizes that were kept.
pub fn set(ctx: &Context, sizes: &PanelSizes) {
    ctx.data_mut(|data| data.insert_temp(place(), sizes.clone()));
}

/// All sizes, where they are others than these.
pub fn changed(ctx: &Context, known: &PanelSizes) -> Option<PanelSizes> {
    ctx.data(|data| data.get_temp::<PanelSizes>(place())).filter(|sizes| sizes != known)
}

/// How large a panel was when it was last shown.
pub fn of(ctx: &Context, name: &str) -> Option<f32> {
    ctx.data_mut(|data| data.get_temp_mut_or_default::<PanelSizes>(place()).get(name).copied())
}

/// A panel is so large.
pub fn note(ctx: &Context, name: &str, size: f32) {
    let size = size.round();
    if SIZES.contains(&size) && of(ctx, name) != Some(size) {
        ctx.data_mut(|data| data.get_temp_mut_or_default::<PanelSizes>(place()).insert(name.to_owned(), size));
    }
}
