//! The links of a file of the collection: a graph of what it takes from others and of what uses it, and lists of both.

use crate::{
    library::collection::{Graph, GraphFile, GraphNode},
    ui::{
        command::{CollectionCommand, Command, InCollection},
        state::{LinkLine, NeedLine, ShownLinks, State},
        theme::{self, Palette},
        widgets::{
            empty,
            numbers::{counted, grouped},
        },
    },
};
use egui::{
    Align, Align2, Color32, FontId, Layout, Rect, RichText, ScrollArea, Sense, Shape, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, WidgetType,
    epaint::CubicBezierShape,
    pos2,
    text::{LayoutJob, TextFormat, TextWrapping},
    vec2,
};
use egui_phosphor::regular as icon;
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// Size of a node, and the room between nodes, in points.
const NODE: Vec2 = vec2(172.0, 40.0);
const GAP: Vec2 = vec2(64.0, 14.0);
/// A page that is narrower has the lists below the graph.
const NARROW: f32 = 900.0;
/// Width of the lists beside the graph.
const LISTS: f32 = 300.0;
/// How far it can be zoomed in and out.
const ZOOM: std::ops::RangeInclusive<f32> = 0.2..=1.5;

/// What the page remembers between frames.
pub struct LinksView {
    /// The part of the graph in sight; nothing for all of it.
    sight: Rect,
    made_for: Option<Arc<ShownLinks>>,
    /// The node under the pointer, or that the keyboard is on.
    over: Option<usize>,
}

impl Default for LinksView {
    fn default() -> Self {
        Self { sight: Rect::ZERO, made_for: None, over: None }
    }
}

pub fn show(ui: &mut Ui, state: &State, of: &InCollection, view: &mut LinksView, commands: &mut Vec<Command>) {
    let links = &state.collection.links;
    ui.horizontal(|ui| {
        let back = ui.button(format!("{}  Results", icon::ARROW_LEFT));
        back.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Back to the results"));
        if back.clicked() || ui.input(|i| i.key_pressed(egui::Key::Escape)) {
            commands.push(Command::Collection(CollectionCommand::CloseLinks));
        }
        let name = name_of(&of.path);
        let name = of.entry.as_ref().map_or_else(|| name.clone(), |entry| format!("{name} › {entry}"));
        ui.label(RichText::new(name).strong());
        if links.work.is_some() {
            ui.spinner();
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.weak("Drag to pan, Ctrl+scroll to zoom, click to open");
        });
    });
    ui.add_space(4.0);
    let Some(shown) = &links.shown else {
        if links.work.is_none() {
            let sentence = "To add this file, open or drop its folder or container.";
            empty::show(ui, icon::GRAPH, "This file is not in the collection", sentence);
        }
        return;
    };
    if view.made_for.as_ref().is_none_or(|made_for| !Arc::ptr_eq(made_for, shown)) {
        *view = LinksView { made_for: Some(shown.clone()), ..LinksView::default() };
    }
    let whole = ui.available_rect_before_wrap();
    let (graph, beside) = if whole.width() < NARROW {
        whole.split_top_bottom_at_fraction(0.55)
    } else {
        whole.split_left_right_at_x(whole.right() - LISTS)
    };
    ui.scope_builder(egui::UiBuilder::new().max_rect(graph.shrink2(vec2(4.0, 0.0))), |ui| {
        draw(ui, shown, view, commands);
    });
    ui.scope_builder(egui::UiBuilder::new().max_rect(beside.shrink2(vec2(4.0, 0.0))), |ui| {
        ScrollArea::vertical().id_salt("links").auto_shrink(false).show(ui, |ui| texts(ui, shown, commands));
    });
}

fn draw(ui: &mut Ui, shown: &ShownLinks, view: &mut LinksView, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let graph = &shown.graph;
    let over = view.over.take();
    let mut now = None;
    let places = places(graph);
    let whole = places.iter().copied().reduce(Rect::union).unwrap_or(Rect::ZERO).expand(24.0);
    let area = ui.available_rect_before_wrap();
    // A graph that fits is drawn in its own size.
    let all = Rect::from_center_size(whole.center(), whole.size().max(area.size()));
    let mut sight = if view.sight.is_positive() { view.sight } else { all };
    egui::Scene::new().zoom_range(ZOOM).max_inner_size(Vec2::splat(20_000.0)).show(ui, &mut sight, |ui| {
        ui.expand_to_include_rect(all);
        let painter = ui.painter().clone();
        for edge in &graph.edges {
            let (Some(from), Some(to)) = (places.get(edge.from), places.get(edge.to)) else { continue };
            let is_lit = over.is_some_and(|over| over == edge.from || over == edge.to);
            let color = match (is_lit, over.is_some()) {
                (true, _) => p.accent,
                (false, true) => p.line.gamma_multiply(0.5),
                (false, false) => p.weak.gamma_multiply(0.6),
            };
            line(&painter, *from, *to, Stroke::new(if is_lit { 2.0 } else { 1.2 }, color));
        }
        for (number, (node, rect)) in graph.nodes.iter().zip(&places).enumerate() {
            if self::node(ui, shown, number, node, *rect, &p, commands) {
                now = Some(number);
            }
        }
    });
    view.sight = sight;
    view.over = now;
    if now != over {
        ui.ctx().request_repaint();
    }
    if graph.is_cut {
        let area = ui.min_rect();
        let text = "Not all files are shown. Click a file to see its links.";
        ui.painter().text(
            area.left_bottom() + vec2(8.0, -8.0),
            Align2::LEFT_BOTTOM,
            text,
            FontId::proportional(theme::SMALL),
            p.weak,
        );
    }
}

/// Where the nodes are: columns beside each other, each centred.
fn places(graph: &Graph) -> Vec<Rect> {
    let first = graph.nodes.iter().map(|node| node.column).min().unwrap_or(0);
    let mut heights: BTreeMap<i32, usize> = BTreeMap::new();
    for node in &graph.nodes {
        *heights.entry(node.column).or_default() += 1;
    }
    let tallest = heights.values().copied().max().unwrap_or(1);
    let place = |node: &GraphNode| {
        let empty = tallest.saturating_sub(heights.get(&node.column).copied().unwrap_or(1)) as f32 / 2.0;
        let x = node.column.saturating_sub(first) as f32 * (NODE.x + GAP.x);
        let y = (node.row as f32 + empty) * (NODE.y + GAP.y);
        Rect::from_min_size(pos2(x, y), NODE)
    };
    graph.nodes.iter().map(place).collect()
}

/// A line from what takes to what it takes from, with a point at that end.
fn line(painter: &egui::Painter, from: Rect, to: Rect, stroke: Stroke) {
    let away = to.center().x - from.center().x;
    // Beside each other, or in one column: then around its right side.
    let (start, end, out, into) = if away.abs() < 1.0 {
        (from.right_center(), to.right_center(), 1.0, -1.0)
    } else if away > 0.0 {
        (from.right_center(), to.left_center(), 1.0, 1.0)
    } else {
        (from.left_center(), to.right_center(), -1.0, -1.0)
    };
    let bend = ((end.x - start.x).abs() * 0.5).max(28.0);
    let points = [start, start + vec2(bend * out, 0.0), end - vec2(bend * into, 0.0), end];
    painter.add(CubicBezierShape::from_points_stroke(points, false, Color32::TRANSPARENT, stroke));
    let tip = [end, end + vec2(-7.0 * into, -4.0), end + vec2(-7.0 * into, 4.0)];
    painter.add(Shape::convex_polygon(tip.to_vec(), stroke.color, Stroke::NONE));
}

/// Draws a file; says whether the pointer or the keyboard is on it.
fn node(
    ui: &mut Ui,
    shown: &ShownLinks,
    number: usize,
    node: &GraphNode,
    rect: Rect,
    p: &Palette,
    commands: &mut Vec<Command>,
) -> bool {
    let file = match &node.what {
        GraphFile::File(file) => shown.catalog.file(*file),
        GraphFile::Missing(_) => None,
    };
    let (name, below) = match (&node.what, file) {
        (GraphFile::Missing(name), _) => (name.clone(), "missing".to_owned()),
        (_, Some(file)) => (name_of(&file.path), folder_of(&file.path)),
        _ => return false,
    };
    let response = ui.interact(rect, ui.id().with(("node", number)), Sense::click());
    let label = match node.column {
        0 => format!("{name}, selected"),
        1.. if file.is_none() => format!("{name}, missing"),
        1.. => format!("{name}, needed by the selected file"),
        _ => format!("{name}, uses the selected file"),
    };
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
    let is_on = response.hovered() || response.has_focus();
    let (fill, edge) = match (number == 0, file.is_none(), is_on) {
        (_, true, _) => (p.panel, Stroke::new(1.5, p.warning)),
        (true, ..) => (p.accent_soft, Stroke::new(1.5, p.accent)),
        (_, _, true) => (p.hover, Stroke::new(1.5, p.accent)),
        _ => (p.card, Stroke::new(1.0, p.line)),
    };
    let painter = ui.painter();
    painter.rect(rect, 6.0, fill, edge, StrokeKind::Inside);
    let text = |text: &str, size: f32, color: Color32, middle: f32| {
        let mut job = LayoutJob::default();
        job.append(text, 0.0, TextFormat::simple(FontId::proportional(size), color));
        job.break_on_newline = false;
        job.wrap = TextWrapping::truncate_at_width(rect.width() - 20.0);
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        painter.galley(pos2(rect.left() + 10.0, middle - galley.size().y / 2.0), galley, color);
    };
    text(&name, theme::BODY, p.strong, rect.top() + 13.0);
    let color = if file.is_none() { p.warning } else { p.weak };
    text(&below, theme::SMALL, color, rect.top() + 29.0);
    if let Some(file) = file {
        let response = response.on_hover_text(file.path.display().to_string());
        if response.clicked() {
            let of = InCollection { path: file.path.clone(), entry: None };
            commands.push(match number {
                0 => Command::Collection(CollectionCommand::OpenFile(file.path.clone(), None)),
                _ => Command::Collection(CollectionCommand::ShowLinks(Some(of))),
            });
        }
    }
    is_on
}

/// The lists: what is needed, what uses it, what is the same.
fn texts(ui: &mut Ui, shown: &ShownLinks, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let needed: Vec<&NeedLine> = shown.needs.iter().filter(|need| !need.is_built_in).collect();
    heading(ui, &format!("Needs {}", counted(needed.len(), "file")));
    for need in needed {
        let sign = if need.found.is_some() { icon::FILE } else { icon::WARNING };
        let color = if need.found.is_some() { p.text } else { p.warning };
        let title = RichText::new(format!("{sign}  {} · {}", need.name, grouped(need.entries.len()))).color(color);
        egui::CollapsingHeader::new(title)
            .id_salt(&need.name)
            .default_open(need.entries.iter().any(|entry| entry.is_missing && entry.goes.is_some()))
            .show(ui, |ui| {
                if let Some(path) = &need.found {
                    link(
                        ui,
                        &p,
                        &LinkLine {
                            text: path.display().to_string(),
                            goes: Some((path.clone(), None)),
                            is_missing: false,
                        },
                        commands,
                    );
                }
                for entry in &need.entries {
                    link(ui, &p, entry, commands);
                }
            });
    }
    ui.add_space(8.0);
    for (title, lines) in [
        (counted(shown.users.len(), "reference"), &shown.users),
        (format!("Identical copies: {}", grouped(shown.copies.len())), &shown.copies),
    ] {
        if lines.is_empty() {
            continue;
        }
        heading(ui, &title);
        for each in lines {
            link(ui, &p, each, commands);
        }
        ui.add_space(8.0);
    }
    if shown.users.is_empty() {
        ui.weak("No references in the collection.");
    }
    if shown.is_cut {
        ui.weak("Too many links: only some are listed.");
    }
}

fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).strong());
    ui.add_space(2.0);
}

fn link(ui: &mut Ui, p: &Palette, link: &LinkLine, commands: &mut Vec<Command>) {
    let color = if link.is_missing { p.warning } else { p.text };
    let text = RichText::new(&link.text).size(theme::SMALL).color(color);
    let Some((path, entry)) = &link.goes else {
        ui.add(egui::Label::new(text).truncate()).on_hover_text(&link.text);
        return;
    };
    let response = ui.add(egui::Link::new(text)).on_hover_text(path.display().to_string());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Link, true, format!("Open {}", link.text)));
    if response.clicked() {
        commands.push(Command::Collection(CollectionCommand::OpenFile(path.clone(), entry.clone())));
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The folder or container that a file lies in, by its name.
fn folder_of(path: &Path) -> String {
    path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
