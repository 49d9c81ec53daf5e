//! Which panel is where. All use of egui_dock is here.

use crate::ui::{
    layout::{Area, FloatingWindow, Layout, Placement, Tab},
    place::StageId,
    state::State,
    theme,
};
use egui::{WidgetInfo, WidgetType};
use egui_dock::{
    DockArea, DockState, Node, NodeIndex, Split, Surface, SurfaceIndex, TabViewer, Tree, tab_viewer::OnCloseResponse,
};

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

/// Whether there is something to see there.
fn has_content(tab: Tab, state: &State) -> bool {
    match tab {
        Tab::Actors => state.stages.front.level().is_some(),
        Tab::Objects | Tab::Statistics => state.stages.front.landscape().is_some(),
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
    /// The kept layout, or the default one when it is none that can be shown.
    pub fn restore(kept: Option<&Layout>) -> Self {
        let Some(kept) = kept.filter(|layout| layout.is_valid()) else { return Self::default() };
        let mut tree = DockState::new(kept.main.first_tabs().to_vec());
        fill(tree.main_surface_mut(), NodeIndex::root(), &kept.main);
        for window in &kept.windows {
            let index = tree.add_window(window.area.first_tabs().to_vec());
            if let (Some(place), Some(state)) = (window.place, tree.get_window_state_mut(index)) {
                state.set_size(place.size.into());
                if let Some(position) = place.position {
                    state.set_position(position.into());
                }
            }
            if let Some(tree) = tree.get_surface_mut(index).and_then(Surface::node_tree_mut) {
                fill(tree, NodeIndex::root(), &window.area);
            }
        }
        Self { tree }
    }

    /// The layout as it can be kept; nothing while the window itself holds no panel.
    pub fn keep(&self) -> Option<Layout> {
        layout_of(&self.tree)
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
        let stages: Vec<StageId> = state.stages.iter().map(|stage| stage.id).collect();
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

/// What earlier versions kept: the tree as egui_dock writes it.
pub fn layout_of_tree(text: &str) -> Option<Layout> {
    #[derive(serde::Deserialize)]
    struct Kept {
        tree: DockState<Tab>,
    }
    layout_of(&serde_json::from_str::<Kept>(text).ok()?.tree)
}

fn layout_of(tree: &DockState<Tab>) -> Option<Layout> {
    let of_tree = |tree: &Tree<Tab>| area_of(&tree.iter().collect::<Vec<_>>(), 0);
    let main = tree.get_surface(SurfaceIndex::main()).and_then(Surface::node_tree).and_then(of_tree)?;
    let window = |surface: &Surface<Tab>| {
        let Surface::Window(tree, state) = surface else { return None };
        let rect = state.rect();
        let place =
            Placement { position: Some(rect.min.round().into()), size: rect.size().round().into(), maximized: false };
        Some(FloatingWindow { area: of_tree(tree)?, place: place.is_valid().then_some(place) })
    };
    Some(Layout { main, windows: tree.iter_surfaces().filter_map(window).collect() })
}

/// A node of a binary tree in a list: those below node n are 2n + 1 and 2n + 2.
fn area_of(nodes: &[&Node<Tab>], index: usize) -> Option<Area> {
    let below = || Some([area_of(nodes, 2 * index + 1)?, area_of(nodes, 2 * index + 2)?]);
    match nodes.get(index)? {
        Node::Empty => None,
        Node::Leaf(leaf) => {
            Some(Area::Tabs { tabs: leaf.tabs.clone(), front: leaf.active.0.min(leaf.tabs.len().checked_sub(1)?) })
        }
        Node::Horizontal(split) => Some(Area::split(false, split.fraction, below()?)),
        Node::Vertical(split) => Some(Area::split(true, split.fraction, below()?)),
    }
}

/// Splits a leaf that has the first tabs of an area, until it is that area.
fn fill(tree: &mut Tree<Tab>, leaf: NodeIndex, area: &Area) {
    let (split, share, areas) = match area {
        Area::Tabs { front, .. } => {
            let _ = tree.set_active_tab(leaf, *front);
            return;
        }
        Area::Columns { share, areas } => (Split::Right, *share, areas),
        Area::Rows { share, areas } => (Split::Below, *share, areas),
    };
    let leaves = tree.split(leaf, split, share, Node::leaf_with(areas[1].first_tabs().to_vec()));
    for (leaf, area) in leaves.into_iter().zip(areas.iter()) {
        fill(tree, leaf, area);
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
    fn a_layout_survives_being_kept_and_one_without_a_panel_does_not() {
        let mut dock = Dock::default();
        assert_eq!(Dock::restore(dock.keep().as_ref()).keep(), dock.keep());
        // Rows in columns, tabs in one place with the first in front, and a window of two parts.
        let inspector = dock.tree.find_tab(&Tab::Inspector).unwrap();
        dock.tree.split(inspector.node_path(), Split::Below, 0.25, Node::leaf_with(vec![Tab::Objects, Tab::Actors]));
        let window = dock.tree.add_window(vec![Tab::Statistics]);
        let stage = Node::leaf(Tab::Stage(StageId(3)));
        dock.tree[window].split(NodeIndex::root(), Split::Right, 0.75, stage);
        let kept = dock.keep().unwrap();
        assert_eq!(Dock::restore(Some(&kept)).keep(), Some(kept.clone()));
        let text = serde_json::to_string(&kept).unwrap();
        assert_eq!(serde_json::from_str::<Layout>(&text).unwrap(), kept);
        assert!(text.contains(r#""tabs":["Objects","Actors"],"front":0"#), "{text}");

        let doubtful: Layout = serde_json::from_str(&text.replace("\"Inspector\"", "\"Library\"")).unwrap();
        assert_eq!(Dock::restore(Some(&doubtful)).keep(), Dock::default().keep());
    }

    #[test]
    fn the_layouts_of_earlier_versions_are_read() {
        let mut dock = Dock::default();
        dock.tree.add_window(vec![Tab::Statistics]);
        // It was never drawn: its rectangles are infinite, which JSON cannot say.
        let tree = serde_json::to_string(&dock.tree)
            .unwrap()
            .replace("\"x\":null", "\"x\":0")
            .replace("\"y\":null", "\"y\":0");
        let text = format!(r#"{{"version":9,"tree":{tree}}}"#);
        assert_eq!(layout_of_tree(&text), dock.keep());
        // Trees that lead out of their list, or to nothing.
        for wrong in ["{", "{}", r#"{"tree":{"surfaces":[],"focused_surface":null}}"#, &text.replace("Horizontal", "x")]
        {
            assert_eq!(layout_of_tree(wrong), None, "{wrong}");
        }
        let nodes = r#"{"Horizontal":{"rect":{"min":{"x":0,"y":0},"max":{"x":0,"y":0}},"fraction":7.0}}"#;
        let open = format!(r#"{{"tree":{{"surfaces":[{{"Main":{{"nodes":[{nodes}]}}}}],"focused_surface":9}}}}"#);
        assert_eq!(layout_of_tree(&open), None);
    }
}
