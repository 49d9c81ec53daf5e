//! A model's joints, materials and shapes as the tree that its file makes of them.

use crate::ui::widgets::{
    diagnostic_card::card,
    numbers::{counted, grouped},
    rows::Rows,
};
use crate::{
    formats::{Hierarchy, HierarchyNode, NodeKind},
    ui::{
        command::{Command, SelectionCommand},
        state::{FileId, Place},
        theme,
    },
};
use egui::{Label, RichText, Sense, Ui};
use egui_phosphor::regular as icon;

/// Height of a row, in points.
const ROW: f32 = 20.0;
/// Height that the tree takes at most.
const MAX_HEIGHT: f32 = 420.0;
/// Deeper rows are not moved further to the right: chains of materials may be long.
const DEEPEST: usize = 14;

/// What nodes of a kind are called: a format with one rule for scales calls its joints bones.
fn name_of(hierarchy: &Hierarchy, kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Joint if hierarchy.scaling.is_none() => "bone",
        NodeKind::Joint => "joint",
        NodeKind::Material => "material",
        NodeKind::Shape => "shape",
        NodeKind::Mesh => "mesh",
    }
}

/// Shows the tree; a click goes to the entry, of the same file.
pub fn show(ui: &mut Ui, hierarchy: &Hierarchy, file: FileId, commands: &mut Vec<Command>) {
    let count = |kind| hierarchy.nodes.iter().filter(|node| node.kind == kind).count();
    let plural = |count: usize, one: &str| match (count, one) {
        (1, one) => format!("1 {one}"),
        (count, "mesh") => format!("{} meshes", grouped(count)),
        (count, one) => counted(count, one),
    };
    let counts: Vec<String> = [NodeKind::Joint, NodeKind::Material, NodeKind::Shape, NodeKind::Mesh]
        .into_iter()
        .map(|kind| (count(kind), kind))
        // A count of nothing says something where the format has such nodes at all.
        .filter(|(count, kind)| *count > 0 || (hierarchy.scaling.is_some() && *kind != NodeKind::Mesh))
        .map(|(count, kind)| plural(count, name_of(hierarchy, kind)))
        .collect();
    let counts = counts.join("  ·  ");
    card(ui, |ui| {
        ui.add(Label::new(RichText::new(counts).weak()).truncate());
        if let Some(scaling) = &hierarchy.scaling {
            ui.add(Label::new(format!("Scaling rule: {scaling}")).truncate());
        }
        ui.add_space(2.0);
        let rows = Rows::new("hierarchy rows", hierarchy.nodes.len()).height(ROW).up_to(MAX_HEIGHT);
        rows.show(ui, |ui, row| show_row(ui, &hierarchy.nodes[row.index], file, commands));
    });
}

fn show_row(ui: &mut Ui, node: &HierarchyNode, file: FileId, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let glyph = match node.kind {
        NodeKind::Joint => icon::BONE,
        NodeKind::Material => icon::PAINT_BRUSH,
        NodeKind::Shape => icon::TRIANGLE,
        NodeKind::Mesh => icon::CUBE,
    };
    ui.spacing_mut().item_spacing.x = 6.0;
    ui.add_space(node.depth.min(DEEPEST) as f32 * 10.0);
    ui.add(Label::new(RichText::new(glyph).color(p.weak)).selectable(false));
    let name = RichText::new(&*node.name).color(if node.kind == NodeKind::Joint { p.text } else { p.weak });
    let label = ui.add(Label::new(name).truncate().selectable(false).sense(Sense::click()));
    if let Some(entry) = node.entry {
        let label = label.on_hover_cursor(egui::CursorIcon::PointingHand);
        if label.on_hover_text("Go to entry").clicked() {
            commands.push(Command::Selection(SelectionCommand::Select(Place { file, entry })));
        }
    }
    if let Some([note, meaning]) = node.note {
        ui.add(Label::new(RichText::new(note).small().weak()).selectable(false)).on_hover_text(meaning);
    }
}
