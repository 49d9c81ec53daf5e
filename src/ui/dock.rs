//! Which panel is where. All use of egui_dock is here.

use super::{app::Panels, state::State, theme};
use crate::formats::Content;
use egui::{WidgetInfo, WidgetType};
use egui_dock::{DockArea, DockState, NodeIndex, TabViewer};
use egui_phosphor::regular as icon;
use serde::{Deserialize, Serialize};

/// Raised when a kept layout would no longer hold.
const VERSION: u32 = 7;

/// The panels of the dock. None can be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tab {
    Library,
    Actors,
    Objects,
    Viewport,
    Image,
    Sound,
    Text,
    Curves,
    Gallery,
    Entries,
    Statistics,
    Reading,
    Inspector,
    Bytes,
}

impl Tab {
    const ALL: [Self; 14] = [
        Self::Library,
        Self::Actors,
        Self::Objects,
        Self::Viewport,
        Self::Image,
        Self::Sound,
        Self::Text,
        Self::Curves,
        Self::Gallery,
        Self::Entries,
        Self::Statistics,
        Self::Reading,
        Self::Inspector,
        Self::Bytes,
    ];

    /// Icon and name.
    fn sign(self) -> (&'static str, &'static str) {
        match self {
            Self::Library => (icon::BOOKS, "Library"),
            Self::Actors => (icon::MAP_PIN, "Actors"),
            Self::Objects => (icon::TREE_EVERGREEN, "Objects"),
            Self::Viewport => (icon::CUBE, "Viewport"),
            Self::Image => (icon::IMAGE, "Image"),
            Self::Sound => (icon::MUSIC_NOTE, "Sound"),
            Self::Text => (icon::TEXT_ALIGN_LEFT, "Text"),
            Self::Curves => (icon::CHART_LINE, "Curves"),
            Self::Gallery => (icon::GRID_FOUR, "Gallery"),
            Self::Entries => (icon::LIST_BULLETS, "Entries"),
            Self::Statistics => (icon::CHART_BAR, "Statistics"),
            Self::Reading => (icon::SCALES, "Reading"),
            Self::Inspector => (icon::LIST_MAGNIFYING_GLASS, "Inspector"),
            Self::Bytes => (icon::BINARY, "Bytes"),
        }
    }

    /// Whether there is something to see there. The others give their room in the row of tabs to those that have.
    fn has_content(self, state: &State) -> bool {
        match self {
            Self::Actors => state.map.is_some(),
            Self::Objects | Self::Statistics => state.terrain.is_some(),
            Self::Image => state.picture.is_some(),
            Self::Sound => state.sound.is_some(),
            Self::Text => state.text.is_some(),
            Self::Curves => state.curves.shown.is_some(),
            Self::Gallery => state
                .selected_file()
                .is_some_and(|f| f.document.outline().with_content(Content::Image).next().is_some()),
            Self::Reading => state.disputed_file().is_some(),
            Self::Library | Self::Viewport | Self::Entries | Self::Inspector | Self::Bytes => true,
        }
    }
}

/// Where the panels are.
pub struct Dock {
    tree: DockState<Tab>,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    tree: DockState<Tab>,
}

impl Default for Dock {
    fn default() -> Self {
        let mut tree = DockState::new(vec![
            Tab::Viewport,
            Tab::Image,
            Tab::Sound,
            Tab::Text,
            Tab::Curves,
            Tab::Gallery,
            Tab::Entries,
            Tab::Statistics,
            Tab::Reading,
        ]);
        let surface = tree.main_surface_mut();
        let [centre, _] = surface.split_left(NodeIndex::root(), 0.2, vec![Tab::Library, Tab::Actors, Tab::Objects]);
        let [_, right] = surface.split_right(centre, 0.69, vec![Tab::Inspector]);
        surface.split_below(right, 0.55, vec![Tab::Bytes]);
        Self { tree }
    }
}

impl Dock {
    /// The kept layout, or the default one when anything about it is in doubt.
    pub fn restore(kept: Option<&str>) -> Self {
        let whole = |kept: Kept| {
            let sane = kept.version == VERSION
                && Tab::ALL.iter().all(|tab| kept.tree.iter_all_tabs().filter(|(_, t)| *t == tab).count() == 1)
                && kept.tree.iter_all_tabs().count() == Tab::ALL.len();
            sane.then_some(Self { tree: kept.tree })
        };
        kept.and_then(|text| serde_json::from_str::<Kept>(text).ok()).and_then(whole).unwrap_or_default()
    }

    /// The layout as text.
    pub fn keep(&self) -> Option<String> {
        serde_json::to_string(&Kept { version: VERSION, tree: self.tree.clone() }).ok()
    }

    /// Brings a panel to the front.
    pub fn bring_up(&mut self, tab: Tab) {
        if let Some(path) = self.tree.find_tab(&tab) {
            let _ = self.tree.set_active_tab(path);
        }
    }

    pub fn show(&mut self, ui: &mut egui::Ui, panels: &mut Panels<'_>) {
        let leaves = self.tree.iter_all_nodes().filter_map(|(_, node)| node.get_leaf());
        let front: Vec<Tab> = leaves.filter_map(|leaf| leaf.tabs.get(leaf.active.0).copied()).collect();
        DockArea::new(&mut self.tree)
            .style(theme::dock_style(ui))
            .show_leaf_close_all_buttons(false)
            .show_leaf_collapse_buttons(false)
            .show_close_buttons(false)
            .show_inside(ui, &mut Viewer { panels, front });
    }
}

struct Viewer<'a, 'b> {
    panels: &'a mut Panels<'b>,
    /// The tabs in front of their neighbours.
    front: Vec<Tab>,
}

impl Viewer<'_, '_> {
    /// Whether a tab is written out, not merely its icon.
    fn is_long(&self, tab: Tab) -> bool {
        self.front.contains(&tab) || tab.has_content(self.panels.state)
    }
}

impl TabViewer for Viewer<'_, '_> {
    type Tab = Tab;

    fn id(&mut self, tab: &mut Tab) -> egui::Id {
        egui::Id::new(*tab)
    }

    fn title(&mut self, tab: &mut Tab) -> egui::WidgetText {
        let (icon, name) = tab.sign();
        if self.is_long(*tab) { format!("{icon}  {name}").into() } else { icon.into() }
    }

    fn on_tab_button(&mut self, tab: &mut Tab, response: &egui::Response) {
        let (_, name) = tab.sign();
        let front = self.front.contains(tab);
        response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, front, format!("{name} tab")));
        if !self.is_long(*tab) {
            response.clone().on_hover_text(name);
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, tab: &mut Tab) {
        self.panels.show(ui, *tab);
    }

    fn is_closeable(&self, _: &Tab) -> bool {
        false
    }

    fn scroll_bars(&self, _: &Tab) -> [bool; 2] {
        [false, false]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_survives_being_kept_and_a_doubtful_one_does_not() {
        let kept = Dock::default().keep().unwrap();
        assert_eq!(Dock::restore(Some(&kept)).keep().unwrap(), kept);
        for doubtful in
            [kept.replace("\"Bytes\"", "\"Library\""), kept.replace("\"version\":7", "\"version\":0"), "{".into()]
        {
            assert_ne!(doubtful, kept);
            assert_eq!(Dock::restore(Some(&doubtful)).tree.iter_all_tabs().count(), Tab::ALL.len());
        }
    }
}
