//! The classes of all open files as a tree: each below the one that it extends. Only the rows in sight are built.

use crate::{
    library::{ClassHome, ClassNode, ClassTree, ClassTrouble},
    ui::{
        command::{Command, LibraryCommand, SelectionCommand, StageCommand},
        state::{Classes, Place, State, Subject},
        theme,
        widgets::{
            empty, filter_field,
            numbers::{counted, grouped},
            put::put_text,
            rows::{Row, Rows},
        },
    },
};
use egui::{Align, Layout, Rect, RichText, Stroke, Ui};
use egui_phosphor::regular as icon;
use std::collections::HashSet;

/// How far a class stands to the right of the one that it extends; far down, where names would have no room, not at all.
const STEP: f32 = 16.0;
const MAX_STEPS: usize = 24;
/// Trees of at most so many classes are unfolded when they are shown first.
const MAX_UNFOLDED: usize = 400;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct ClassesView {
    filter: String,
    /// Classes that were folded or unfolded by hand, by package and name: they outlive the tree.
    folded: HashSet<String>,
    unfolded: HashSet<String>,
    /// Changes with what is unfolded.
    turn: u64,
    rows: Vec<ClassRow>,
    matches: usize,
    /// The first row that is found, to be brought into sight.
    first_found: Option<usize>,
    made_for: Option<(u64, String, u64, Subject)>,
    /// The selection that was last brought into sight.
    followed: Option<Place>,
}

#[derive(Clone, Copy)]
struct ClassRow {
    node: usize,
    depth: usize,
    open: bool,
}

pub fn show(ui: &mut Ui, state: &State, view: &mut ClassesView, commands: &mut Vec<Command>) {
    let Some(classes) = &state.lookups.classes else {
        let sentence = "The classes of the open files will appear here.";
        empty::show(ui, icon::TREE_STRUCTURE, "Reading classes…", sentence);
        return;
    };
    view.make_rows(classes, state.stages.front.content.subject());
    egui::Frame::new().inner_margin(8.0).show(ui, |ui| {
        bar(ui, classes, view);
        ui.add_space(4.0);
        if view.rows.is_empty() {
            let sentence = "No class or package matches the filter.";
            empty::show(ui, icon::TREE_STRUCTURE, "Nothing found", sentence);
        } else {
            rows(ui, state, classes, view, commands);
        }
    });
}

fn bar(ui: &mut Ui, classes: &Classes, view: &mut ClassesView) {
    ui.horizontal(|ui| {
        ui.add(egui::Label::new(RichText::new("Class hierarchy").strong()).selectable(false));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let all = counted(classes.tree.nodes.len(), "class");
            let text = if view.filter.trim().is_empty() { all } else { format!("{} of {all}", grouped(view.matches)) };
            ui.label(theme::figures(text).weak());
            let edit = filter_field::show(ui, &mut view.filter, "Name or package", 180.0, "Filter the classes");
            if filter_field::is_given_up(ui, &edit) {
                view.filter.clear();
            }
        });
    });
}

/// What a class is known by while files come and go.
fn key(node: &ClassNode) -> String {
    format!("{}.{}", node.package, node.name).to_ascii_lowercase()
}

impl ClassesView {
    fn make_rows(&mut self, classes: &Classes, subject: Subject) {
        let wanted = (classes.revision, self.filter.to_lowercase(), self.turn, subject);
        if self.made_for.as_ref() == Some(&wanted) {
            return;
        }
        let tree = &*classes.tree;
        let words: Vec<&str> = wanted.1.split_whitespace().collect();
        self.matches = 0;
        let is_found = |node: &ClassNode| {
            let (name, package) = (node.name.to_lowercase(), node.package.to_lowercase());
            words.iter().all(|word| name.contains(word) || package.contains(word))
        };
        // While something is looked for, what is found shows with all that it extends; else what is unfolded does.
        let mut shows: Vec<bool> = Vec::new();
        if words.is_empty() {
            self.unfold_at_first(classes, subject);
        } else {
            shows = vec![false; tree.nodes.len()];
            for (index, node) in tree.nodes.iter().enumerate() {
                if is_found(node) {
                    self.matches += 1;
                    for above in tree.way_up(index) {
                        if std::mem::replace(&mut shows[above], true) {
                            break;
                        }
                    }
                }
            }
        }
        let mut first_found = None;
        self.rows.clear();
        let mut stack: Vec<(usize, usize)> = tree.roots.iter().rev().map(|root| (*root, 0)).collect();
        while let Some((index, depth)) = stack.pop() {
            if !words.is_empty() && !shows[index] {
                continue;
            }
            let Some(node) = tree.nodes.get(index) else { continue };
            let open = !node.children.is_empty() && (!words.is_empty() || self.is_unfolded(tree, node));
            if first_found.is_none() && !words.is_empty() && is_found(node) {
                first_found = Some(self.rows.len());
            }
            self.rows.push(ClassRow { node: index, depth, open });
            if open {
                stack.extend(node.children.iter().rev().map(|child| (*child, depth + 1)));
            }
        }
        self.first_found = first_found;
        self.made_for = Some((wanted.0, wanted.1, self.turn, subject));
    }

    fn is_unfolded(&self, tree: &ClassTree, node: &ClassNode) -> bool {
        let key = key(node);
        self.unfolded.contains(&key) || tree.nodes.len() <= MAX_UNFOLDED && !self.folded.contains(&key)
    }

    /// The classes of the file that they are shown for are brought into view, where there are not too many.
    fn unfold_at_first(&mut self, classes: &Classes, subject: Subject) {
        let is_new = self.made_for.as_ref().is_none_or(|(_, _, _, before)| *before != subject);
        let Subject::Classes(file) = subject else { return };
        if !is_new {
            return;
        }
        let of_file = (0..classes.tree.nodes.len()).filter(|node| classes.place(*node).is_some_and(|p| p.file == file));
        for node in of_file.take(MAX_UNFOLDED) {
            self.unfold_way(&classes.tree, node);
        }
        for root in &classes.tree.roots {
            self.unfolded.extend(classes.tree.nodes.get(*root).map(key).filter(|key| !self.folded.contains(key)));
        }
    }

    /// Unfolds all that a class extends.
    fn unfold_way(&mut self, tree: &ClassTree, node: usize) {
        for above in tree.way_up(node).skip(1) {
            let Some(node) = tree.nodes.get(above) else { break };
            self.folded.remove(&key(node));
            if !self.unfolded.insert(key(node)) {
                break;
            }
        }
    }

    fn fold(&mut self, node: &ClassNode, open: bool) {
        let key = key(node);
        if open {
            self.folded.remove(&key);
            self.unfolded.insert(key);
        } else {
            self.unfolded.remove(&key);
            self.folded.insert(key);
        }
        self.turn += 1;
    }
}

fn rows(ui: &mut Ui, state: &State, classes: &Classes, view: &mut ClassesView, commands: &mut Vec<Command>) {
    let selected = state.core.selection.and_then(|place| classes.node_of(place));
    let moved = view.followed != state.core.selection;
    view.followed = state.core.selection;
    let is_listed = |view: &ClassesView, node: usize| view.rows.iter().position(|row| row.node == node);
    if let (true, Some(node)) = (moved && view.filter.trim().is_empty(), selected)
        && is_listed(view, node).is_none()
    {
        view.unfold_way(&classes.tree, node);
        view.turn += 1;
        view.make_rows(classes, state.stages.front.content.subject());
    }
    let target = selected.filter(|_| moved).and_then(|node| is_listed(view, node)).or(view.first_found.take());
    let mut folded = None;
    Rows::new("classes", view.rows.len()).scroll_to(target).show(ui, |ui, row| {
        let class = view.rows[row.index];
        if class_row(ui, row, state, classes, class, selected == Some(class.node), commands) {
            folded = Some(class);
        }
    });
    if let Some(row) = folded
        && let Some(node) = classes.tree.nodes.get(row.node)
    {
        view.fold(node, !row.open);
    }
}

/// What stands behind a class's name, and what a screen reader says of it.
fn note(node: &ClassNode) -> String {
    let home = match &node.home {
        ClassHome::Open { .. } => node.package.clone(),
        ClassHome::BuiltIn => format!("{}, built into the game", node.package),
        ClassHome::NotOpen { .. } => format!("{} is not open", node.package),
    };
    match node.trouble {
        None => home,
        Some(ClassTrouble::Circle) => format!("{home}, inherits from itself"),
        Some(ClassTrouble::BadParent) => format!("{home}, its parent is not a class"),
    }
}

/// Draws a class. Returns true if it is to be expanded or collapsed.
fn class_row(
    ui: &Ui,
    row: &Row<'_>,
    state: &State,
    classes: &Classes,
    class: ClassRow,
    selected: bool,
    commands: &mut Vec<Command>,
) -> bool {
    let (p, rect) = (theme::palette(ui), row.rect);
    let Some(node) = classes.tree.nodes.get(class.node) else { return false };
    let note = note(node);
    let response = row.selectable(ui, selected, &format!("Class {}: {note}", node.name));
    let steps = class.depth.min(MAX_STEPS);
    let left = 6.0 + steps as f32 * STEP;
    for step in 0..steps {
        let x = rect.left() + 13.0 + step as f32 * STEP;
        ui.painter().vline(x, rect.y_range(), Stroke::new(1.0, p.line));
    }
    let is_parent = !node.children.is_empty();
    let caret = if is_parent { row.triangle(ui, left + 7.0, class.open, &p) } else { Rect::NOTHING };
    let place = classes.place(class.node);
    let is_own = place.map(|place| place.file) == state.stages.front.content.subject().file();
    let (sign, color) = match (&node.home, node.trouble) {
        (_, Some(_)) => (icon::WARNING, p.warning),
        (ClassHome::Open { .. }, _) => (icon::BRACKETS_CURLY, p.accent),
        (ClassHome::BuiltIn, _) => (icon::CPU, p.weak),
        (ClassHome::NotOpen { .. }, _) => (icon::LINK_BREAK, p.weak),
    };
    put_text(ui, row.span(left + 18.0, 0.0), Align::Min, color, RichText::new(sign).size(14.0));
    let color = match (place.is_some(), is_own) {
        (true, true) => p.strong,
        (true, false) => p.text,
        (false, _) => p.weak,
    };
    let name = put_text(ui, row.span(left + 38.0, 0.0), Align::Min, color, &node.name);
    let text = RichText::new(&note).size(theme::SMALL);
    put_text(ui, row.span(left + 48.0 + name, 0.0), Align::Min, p.weak, text);
    let on_caret = response.interact_pointer_pos().is_some_and(|at| at.x < caret.right());
    let folds = is_parent && on_caret && response.clicked();
    if !folds {
        react(&response, classes, node, place, commands);
    }
    response.on_hover_ui(|ui| {
        ui.label(RichText::new(&node.name).strong());
        ui.label(RichText::new(&note).color(p.weak));
        ui.label(RichText::new(what_a_double_click_does(node)).color(p.weak));
    });
    folds
}

fn what_a_double_click_does(node: &ClassNode) -> &'static str {
    match node.home {
        ClassHome::Open { .. } => "Double-click to open",
        ClassHome::BuiltIn => "Built into the game's executable: there is no file to open",
        ClassHome::NotOpen { .. } => "Double-click to find and open the file of this class",
    }
}

fn react(
    response: &egui::Response,
    classes: &Classes,
    node: &ClassNode,
    place: Option<Place>,
    commands: &mut Vec<Command>,
) {
    let follow = || match &node.home {
        ClassHome::NotOpen { from, reference } => {
            let from = classes.files.get(*from)?;
            Some(Command::Selection(SelectionCommand::Follow(*from, reference.clone())))
        }
        _ => None,
    };
    if response.double_clicked() {
        commands.extend(place.map(|place| Command::Stage(StageCommand::Show(place))).or_else(follow));
    } else if response.clicked() {
        commands.extend(place.map(|place| Command::Selection(SelectionCommand::Select(place))));
    }
    response.context_menu(|ui| {
        let mut item = |ui: &mut Ui, name: &str, command: Option<Command>| {
            if command.is_some() && ui.button(name).clicked() {
                commands.extend(command);
                ui.close();
            }
        };
        item(ui, "Show class", place.map(|place| Command::Stage(StageCommand::Show(place))));
        item(ui, "Open to the side", place.map(|place| Command::Stage(StageCommand::OpenBeside(Some(place)))));
        item(ui, "Find references", place.map(|place| Command::Selection(SelectionCommand::FindUses(place))));
        item(ui, "Find package", follow());
        let folder = follow().map(|_| Command::Library(LibraryCommand::SearchFolderDialog));
        item(ui, "Add search folder…", folder);
    });
}
