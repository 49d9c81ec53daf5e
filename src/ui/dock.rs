//! Which panel is where. All use of egui_dock is here.

use super::{state::State, subject::StageId, tab::Tab, theme};
use egui::{WidgetInfo, WidgetType};
use egui_dock::{DockArea, DockState, Node, NodeIndex, Split, TabViewer, tab_viewer::OnCloseResponse};
use serde::{Deserialize, Serialize};

/// Raised when a kept layout would no longer hold.
const VERSION: u32 = 9;

/// What the panels show; the dock only says where.
pub trait Panels {
    /// What the tab of a stage says: the sign and the name of what is on it.
    fn stage_title(&self, id: StageId) -> String;
    fn show(&mut self, ui: &mut egui::Ui, tab: Tab);
    fn close_stage(&mut self, id: StageId);
}

/// Where the panels are.
pub struct Dock {
    tree: DockState<Tab>,
}

#[derive(Serialize, Deserialize)]
struct SavedLayout {
    version: u32,
    tree: DockState<Tab>,
}

/// Whether there is something to see there.
fn has_content(tab: Tab, state: &State) -> bool {
    match tab {
        Tab::Actors => state.stage.level().is_some(),
        Tab::Objects | Tab::Statistics => state.stage.landscape().is_some(),
        Tab::Library | Tab::Stage(_) | Tab::Inspector => true,
    }
}

impl Default for Dock {
    fn default() -> Self {
        let mut tree = DockState::new(vec![Tab::Stage(StageId::FIRST)]);
        let surface = tree.main_surface_mut();
        let [centre, _] = surface.split_left(NodeIndex::root(), 0.2, vec![Tab::Library]);
        surface.split_right(centre, 0.69, vec![Tab::Inspector]);
        Self { tree }
    }
}

impl Dock {
    /// The kept layout, or the default one when anything about it is in doubt.
    pub fn restore(kept: Option<&str>) -> Self {
        let whole = |kept: SavedLayout| {
            let count = |tab: &Tab| kept.tree.iter_all_tabs().filter(|(_, t)| *t == tab).count();
            let sane = kept.version == VERSION
                && Tab::FIXED.iter().all(|tab| count(tab) == 1)
                && count(&Tab::Stage(StageId::FIRST)) == 1
                && kept.tree.iter_all_tabs().all(|(_, tab)| count(tab) == 1);
            sane.then_some(Self { tree: kept.tree })
        };
        kept.and_then(|text| serde_json::from_str::<SavedLayout>(text).ok()).and_then(whole).unwrap_or_default()
    }

    /// The layout as text.
    pub fn keep(&self) -> Option<String> {
        serde_json::to_string(&SavedLayout { version: VERSION, tree: self.tree.clone() }).ok()
    }

    /// Brings a panel to the front of its neighbours.
    pub fn bring_up(&mut self, tab: Tab) {
        if let Some(path) = self.tree.find_tab(&tab) {
            let _ = self.tree.set_active_tab(path);
        }
    }

    /// Whether a panel is there.
    pub fn has(&self, tab: Tab) -> bool {
        self.tree.find_tab(&tab).is_some()
    }

    /// Takes panels away that have nothing to show, and adds those that have.
    pub fn follow(&mut self, state: &State) {
        let stages: Vec<StageId> = state.stages().map(|stage| stage.id).collect();
        let is_wanted = |tab: &Tab| match tab {
            Tab::Stage(id) => stages.contains(id),
            tab => has_content(*tab, state),
        };
        while let Some(path) = self.tree.find_tab_from(|tab| !is_wanted(tab)) {
            self.tree.remove_tab(path);
        }
        let stages = stages.iter().map(|id| Tab::Stage(*id));
        for tab in Tab::OPTIONAL.into_iter().filter(|tab| has_content(*tab, state)).chain(stages) {
            if !self.has(tab) {
                self.add(tab);
            }
        }
    }

    /// Adds a panel where it belongs; what is in front there stays in front.
    fn add(&mut self, tab: Tab) {
        let leaf_of = |tree: &DockState<Tab>, tab: Tab| tree.find_tab(&tab).map(|path| path.node_path());
        let with = match tab {
            Tab::Actors => leaf_of(&self.tree, Tab::Objects),
            Tab::Objects => leaf_of(&self.tree, Tab::Actors),
            Tab::Stage(_) => None,
            _ => leaf_of(&self.tree, Tab::Inspector),
        };
        if let Some(leaf) = with.and_then(|path| self.tree.leaf_mut(path).ok()) {
            let front = leaf.active;
            leaf.append_tab(tab);
            leaf.active = front;
            return;
        }
        let (at, split, share) = match tab {
            Tab::Stage(_) => {
                let stages = self.tree.iter_all_tabs().filter(|(_, t)| matches!(t, Tab::Stage(_)));
                (stages.map(|(path, _)| path.node_path()).last(), Split::Right, 0.5)
            }
            _ => (leaf_of(&self.tree, Tab::Library), Split::Below, 0.55),
        };
        match at {
            Some(at) => {
                self.tree.split(at, split, share, Node::leaf(tab));
            }
            None => self.tree.push_to_first_leaf(tab),
        }
    }

    pub fn show(&mut self, ui: &mut egui::Ui, panels: &mut impl Panels) {
        let leaves = self.tree.iter_all_nodes().filter_map(|(_, node)| node.get_leaf());
        let front: Vec<Tab> = leaves.filter_map(|leaf| leaf.tabs.get(leaf.active.0).copied()).collect();
        DockArea::new(&mut self.tree)
            .style(theme::dock_style(ui))
            .show_leaf_close_all_buttons(false)
            .show_leaf_collapse_buttons(false)
            .show_inside(ui, &mut Viewer { panels, front });
    }
}

struct Viewer<'a, P> {
    panels: &'a mut P,
    /// The tabs in front of their neighbours.
    front: Vec<Tab>,
}

impl<P: Panels> TabViewer for Viewer<'_, P> {
    type Tab = Tab;

    fn id(&mut self, tab: &mut Tab) -> egui::Id {
        egui::Id::new(*tab)
    }

    fn title(&mut self, tab: &mut Tab) -> egui::WidgetText {
        let (icon, name) = tab.sign();
        match tab {
            Tab::Stage(id) => self.panels.stage_title(*id).into(),
            _ => format!("{icon}  {name}").into(),
        }
    }

    fn on_tab_button(&mut self, tab: &mut Tab, response: &egui::Response) {
        let name = match tab {
            Tab::Stage(id) if *id != StageId::FIRST => format!("Stage {} tab", id.0 + 1),
            _ => format!("{} tab", tab.sign().1),
        };
        let front = self.front.contains(tab);
        response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, front, &name));
    }

    fn ui(&mut self, ui: &mut egui::Ui, tab: &mut Tab) {
        self.panels.show(ui, *tab);
    }

    fn is_closeable(&self, tab: &Tab) -> bool {
        matches!(tab, Tab::Stage(id) if *id != StageId::FIRST)
    }

    fn on_close(&mut self, tab: &mut Tab) -> OnCloseResponse {
        if let Tab::Stage(id) = tab {
            self.panels.close_stage(*id);
        }
        // The panel goes with its stage.
        OnCloseResponse::Ignore
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
            [kept.replace("\"Inspector\"", "\"Library\""), kept.replace("\"version\":9", "\"version\":0"), "{".into()]
        {
            assert_ne!(doubtful, kept);
            assert_eq!(Dock::restore(Some(&doubtful)).tree.iter_all_tabs().count(), Tab::FIXED.len() + 1);
        }
    }
}
