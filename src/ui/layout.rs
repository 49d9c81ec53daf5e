//! The panels, and where they are, as it is kept on disk.

use crate::ui::place::StageId;
use egui::{Context, Id};
use egui_phosphor::regular as icon;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Splits within each other.
const MAX_DEPTH: usize = 10;
/// The share of the first of two areas.
const SHARES: std::ops::RangeInclusive<f32> = 0.01..=0.99;
/// Coordinates on a screen, in points: X11 has no larger ones.
const MAX_COORDINATE: f32 = 32_767.0;

/// Where all panels are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    pub main: Area,
    /// Those that were dragged out.
    #[serde(default)]
    pub windows: Vec<FloatingWindow>,
}

/// A part of the window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Area {
    Tabs {
        tabs: Vec<Tab>,
        /// The index of the one in front.
        front: usize,
    },
    /// One beside the other, the left one first.
    Columns { share: f32, areas: Box<[Area; 2]> },
    /// One below the other, the upper one first.
    Rows { share: f32, areas: Box<[Area; 2]> },
}

/// Panels that float over the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FloatingWindow {
    pub area: Area,
    pub place: Option<Placement>,
}

/// A place and a size, in points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    pub position: Option<[f32; 2]>,
    pub size: [f32; 2],
    #[serde(default)]
    pub maximized: bool,
}

impl Placement {
    /// Whether a window can be there.
    pub fn is_valid(&self) -> bool {
        let on_a_screen = |at: &f32| (-MAX_COORDINATE..=MAX_COORDINATE).contains(at);
        let is_a_side = |side: &f32| (32.0..=MAX_COORDINATE).contains(side);
        self.position.iter().flatten().all(on_a_screen) && self.size.iter().all(is_a_side)
    }
}

impl Layout {
    /// Whether it can be shown, and has each panel once.
    pub fn is_valid(&self) -> bool {
        let mut tabs = Vec::new();
        let windows = self.windows.iter();
        let mut areas = windows.clone().map(|window| &window.area).chain([&self.main]);
        let is_shown_once = |tab: &Tab, tabs: &[Tab]| tabs.iter().filter(|other| *other == tab).count() == 1;
        areas.all(|area| area.is_valid(MAX_DEPTH, &mut tabs))
            && windows.filter_map(|window| window.place).all(|place| place.is_valid())
            && Tab::FIXED.iter().chain([&Tab::Stage(StageId::FIRST)]).all(|tab| tabs.contains(tab))
            && tabs.iter().all(|tab| is_shown_once(tab, &tabs))
    }
}

impl Area {
    /// Two areas; their shares are such as can be read back.
    pub fn split(is_below: bool, share: f32, areas: [Self; 2]) -> Self {
        let share = if share.is_finite() { share.clamp(*SHARES.start(), *SHARES.end()) } else { 0.5 };
        let areas = Box::new(areas);
        if is_below { Self::Rows { share, areas } } else { Self::Columns { share, areas } }
    }

    /// The tabs at its upper left corner.
    pub fn first_tabs(&self) -> &[Tab] {
        match self {
            Self::Tabs { tabs, .. } => tabs,
            Self::Columns { areas, .. } | Self::Rows { areas, .. } => areas[0].first_tabs(),
        }
    }

    fn is_valid(&self, depth: usize, found: &mut Vec<Tab>) -> bool {
        match self {
            Self::Tabs { tabs, front } => {
                found.extend(tabs.iter().take(MAX_TABS));
                *front < tabs.len() && tabs.len() <= MAX_TABS
            }
            Self::Columns { share, areas } | Self::Rows { share, areas } => {
                depth > 0 && SHARES.contains(share) && areas.iter().all(|area| area.is_valid(depth - 1, found))
            }
        }
    }
}

/// Tabs beside each other.
const MAX_TABS: usize = 64;

/// A panel of the dock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tab {
    Library,
    /// Of a level.
    Actors,
    /// Of a landscape.
    Objects,
    Stage(StageId),
    Inspector,
    /// Of a landscape.
    Statistics,
}

impl Tab {
    /// Those that are always there, with the first stage.
    pub const FIXED: [Self; 2] = [Self::Library, Self::Inspector];
    /// Those that are there where they have something to show.
    pub const OPTIONAL: [Self; 3] = [Self::Actors, Self::Objects, Self::Statistics];

    /// Icon and name; a stage is called after what is on it.
    pub fn sign(self) -> (&'static str, &'static str) {
        match self {
            Self::Library => (icon::BOOKS, "Library"),
            Self::Actors => (icon::MAP_PIN, "Actors"),
            Self::Objects => (icon::TREE_EVERGREEN, "Objects"),
            Self::Stage(_) => (icon::CUBE, "Stage"),
            Self::Statistics => (icon::CHART_BAR, "Statistics"),
            Self::Inspector => (icon::LIST_MAGNIFYING_GLASS, "Inspector"),
        }
    }
}

/// Widths of panels at a side, heights of those at the bottom, in points.
pub type PanelSizes = BTreeMap<String, f32>;

/// Sizes that a panel can have.
pub const SIZES: std::ops::RangeInclusive<f32> = 16.0..=8192.0;
pub const MAX_PANELS: usize = 64;

fn kept_panel_sizes() -> Id {
    Id::new("sizes of panels")
}

/// Remembers the sizes that were kept.
pub fn set_panel_sizes(ctx: &Context, sizes: &PanelSizes) {
    ctx.data_mut(|data| data.insert_temp(kept_panel_sizes(), sizes.clone()));
}

/// All sizes, where they are others than these.
pub fn changed_panel_sizes(ctx: &Context, known: &PanelSizes) -> Option<PanelSizes> {
    ctx.data(|data| data.get_temp::<PanelSizes>(kept_panel_sizes())).filter(|sizes| sizes != known)
}

/// How large a panel was when it was last shown.
pub fn panel_size(ctx: &Context, name: &str) -> Option<f32> {
    ctx.data_mut(|data| data.get_temp_mut_or_default::<PanelSizes>(kept_panel_sizes()).get(name).copied())
}

/// A panel is so large.
pub fn note_panel_size(ctx: &Context, name: &str, size: f32) {
    let size = size.round();
    if SIZES.contains(&size) && panel_size(ctx, name) != Some(size) {
        ctx.data_mut(|data| {
            data.get_temp_mut_or_default::<PanelSizes>(kept_panel_sizes()).insert(name.to_owned(), size)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tabs(tabs: &[Tab]) -> Area {
        Area::Tabs { tabs: tabs.to_vec(), front: 0 }
    }

    fn layout(main: Area) -> Layout {
        Layout { main, windows: Vec::new() }
    }

    const ALL: [Tab; 3] = [Tab::Library, Tab::Stage(StageId::FIRST), Tab::Inspector];

    #[test]
    fn a_layout_has_each_panel_once_and_splits_that_can_be_drawn() {
        let halves = |share| Area::Columns { share, areas: Box::new([tabs(&ALL[..1]), tabs(&ALL[1..])]) };
        assert!(layout(tabs(&ALL)).is_valid());
        assert!(layout(halves(0.2)).is_valid());
        for share in [f32::NAN, f32::INFINITY, 0.0, 1.0, -0.5, 1e9] {
            assert!(!layout(halves(share)).is_valid(), "{share}");
        }
        assert!(layout(Area::split(true, f32::NAN, [tabs(&ALL[..1]), tabs(&ALL[1..])])).is_valid());
        assert!(!layout(tabs(&ALL[..2])).is_valid(), "the inspector is missing");
        assert!(!layout(tabs(&[ALL[0], ALL[1], ALL[2], ALL[0]])).is_valid(), "the library twice");
        assert!(!layout(Area::Tabs { tabs: ALL.to_vec(), front: 3 }).is_valid());
        assert!(!layout(Area::split(false, 0.5, [tabs(&ALL), tabs(&[])])).is_valid(), "an area of nothing");
    }

    #[test]
    fn a_layout_is_no_deeper_than_a_person_makes_it() {
        let nested = |depth: usize| {
            let stages = (1..=depth).map(|id| tabs(&[Tab::Stage(StageId(id as u32))]));
            layout(stages.fold(tabs(&ALL), |inner, stage| Area::split(false, 0.5, [inner, stage])))
        };
        assert!(nested(MAX_DEPTH).is_valid());
        assert!(!nested(MAX_DEPTH + 1).is_valid());
    }

    #[test]
    fn windows_stand_where_a_screen_can_be() {
        let place = |position, size| Placement { position, size, maximized: false }.is_valid();
        assert!(place(None, [1280.0, 800.0]) && place(Some([-1920.0, 20.0]), [640.0, 480.0]));
        for wrong in [f32::NAN, 0.0, 1e9, -100.0, f32::INFINITY] {
            assert!(!place(None, [wrong, 800.0]) && !place(None, [800.0, wrong]), "{wrong}");
        }
        for wrong in [f32::NAN, 1e9, f32::NEG_INFINITY] {
            assert!(!place(Some([wrong, 0.0]), [800.0, 600.0]), "{wrong}");
        }
    }
}
