//! The command palette: every action, every open entry, by a few letters.

use crate::{
    formats::SharedText,
    ui::{
        command::{Command, WindowCommand},
        query::{MAX_CHARS, Query},
        theme,
        widgets::{
            menu_item,
            put::{put, put_text},
            rows::{Row, Rows, Step},
            search,
        },
    },
};
use egui::{
    Align, Align2, Id, Key, Label, Layout, Modal, Modifiers, Rect, RichText, TextEdit, Ui, WidgetInfo, WidgetType,
    pos2, vec2,
};
use egui_phosphor::regular as icon;

const ROW_HEIGHT: f32 = 28.0;

const WIDTH: f32 = 600.0;

const GROUP_WIDTH: f32 = 108.0;

const KEYS_WIDTH: f32 = 100.0;

/// Entries shown; a longer query finds the others.
const MAX_RESULTS: usize = 200;

/// Something that the palette can do.
#[derive(Clone, Debug)]
pub struct PaletteItem {
    pub icon: &'static str,
    /// Where it belongs: a menu, a file.
    pub group: String,
    /// What it is, and what its format calls it.
    pub types: (&'static str, SharedText),
    pub name: String,
    /// Other words for it.
    pub also: &'static str,
    /// True if the option of the command is on.
    pub on: bool,
    /// Caps of its keys; may be none.
    pub keys: Vec<&'static str>,
    pub command: Command,
    /// For who says so: “export head”.
    pub export: Option<Command>,
}

/// What answers to a query.
#[derive(Clone, Copy)]
struct Found {
    /// Into the items.
    item: usize,
    /// It is to be exported.
    exports: bool,
}

impl PaletteItem {
    /// How well it answers to a query; `None` when not at all.
    fn score(&self, query: &str) -> Option<u32> {
        let by_name = search::score(query, &self.name);
        // Other words and the group count too, but a hit in the name comes first.
        let by_all = || search::score(query, &format!("{} {} {}", self.name, self.also, self.group)).map(|s| s / 2);
        by_name.or_else(by_all)
    }

    /// As it is shown.
    fn title(&self, exports: bool) -> String {
        if exports { format!("Export {}", self.name) } else { self.name.clone() }
    }
}

/// What the palette remembers while it is open.
#[derive(Default)]
pub struct PaletteView {
    query: String,
    items: Vec<PaletteItem>,
    /// The best first.
    found: Vec<Found>,
    chosen: usize,
    is_open: bool,
}

impl PaletteView {
    /// Begins anew.
    fn open(&mut self, items: Vec<PaletteItem>) {
        *self = Self { items, is_open: true, ..Self::default() };
        self.find();
    }

    fn find(&mut self) {
        self.chosen = 0;
        let (words, rest) = Query::of(&self.query).split();
        // Without types, places and what is left out, the text is what was typed.
        let query = if rest.is_empty() { self.query.trim() } else { &words };
        let mut found: Vec<(u32, Found)> = Vec::new();
        // Who says what to do with it names a thing and no action.
        let exported =
            query.split_once(' ').filter(|(verb, _)| ["export", "save"].contains(&verb.to_lowercase().as_str()));
        for (index, item) in self.items.iter().enumerate() {
            if !rest.finds_in(&[&item.name, &item.group], &[item.types.0, &item.types.1], &[&item.group]) {
                continue;
            }
            found.extend(item.score(query).map(|score| (score, Found { item: index, exports: false })));
            if let (Some((_, name)), Some(_)) = (exported, &item.export) {
                let score = search::score(name, &item.name);
                found.extend(score.map(|score| (score.saturating_mul(2), Found { item: index, exports: true })));
            }
        }
        if !query.is_empty() {
            found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.item.cmp(&b.1.item)));
        }
        self.found = found.into_iter().take(MAX_RESULTS).map(|(_, found)| found).collect();
    }
}

/// Shows the palette over the window while `is_open`. `items` is asked once, when it opens.
pub fn show(
    ui: &mut Ui,
    is_open: bool,
    items: impl FnOnce() -> Vec<PaletteItem>,
    view: &mut PaletteView,
    commands: &mut Vec<Command>,
) {
    if !is_open {
        // There is an item for every entry of the open files.
        *view = PaletteView::default();
        return;
    }
    if !view.is_open {
        view.open(items());
    }
    let screen = ui.ctx().content_rect();
    let area = egui::Area::new(Id::new("palette"))
        .order(egui::Order::Foreground)
        .anchor(Align2::CENTER_TOP, vec2(0.0, (screen.height() * 0.12).round()))
        .interactable(true);
    let width = WIDTH.min(screen.width() - 32.0);
    let frame = egui::Frame::popup(ui.style()).inner_margin(8.0).corner_radius(8.0);
    let modal = Modal::new(Id::new("palette")).area(area).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(width);
        let tab = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab));
        let step = if tab { Some(Step::By(1)) } else { Step::pressed_in_field(ui) };
        let enter = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        query(ui, view);
        ui.add_space(4.0);
        let done = results(ui, step, enter, view, (screen.height() * 0.6).min(14.0 * ROW_HEIGHT));
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let weak = ui.visuals().weak_text_color();
            let help = format!("{}{}  select      Enter  run      Esc  close", icon::ARROW_UP, icon::ARROW_DOWN);
            ui.add(Label::new(RichText::new(help).small().color(weak)).selectable(false));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let more = if view.found.len() == MAX_RESULTS { "+" } else { "" };
                ui.label(RichText::new(format!("{}{more} found", view.found.len())).small().color(weak));
            });
        });
        done
    });
    let is_done = modal.inner.is_some() || modal.backdrop_response.clicked() || modal.should_close();
    if is_done {
        // Else the field that is gone would take the next frame's keys.
        ui.memory_mut(egui::Memory::stop_text_input);
        commands.push(Command::Window(WindowCommand::TogglePalette));
        commands.extend(modal.inner);
        view.is_open = false;
    }
}

fn query(ui: &mut Ui, view: &mut PaletteView) {
    let hint = format!("{} Search commands, entries and clips", icon::MAGNIFYING_GLASS);
    // The accent says where the keyboard is.
    let ring = ui.visuals().selection.stroke;
    ui.visuals_mut().selection.stroke = egui::Stroke::new(1.0, theme::palette(ui).accent);
    // It has the keyboard from its first frame on, also where frames are slow and letters come fast.
    let id = Id::new("palette query");
    ui.memory_mut(|memory| memory.request_focus(id));
    let edit = ui.add(
        TextEdit::singleline(&mut view.query)
            .id(id)
            .hint_text(hint)
            .char_limit(MAX_CHARS)
            .desired_width(f32::INFINITY)
            .margin(egui::Margin::symmetric(8, 6))
            .lock_focus(true),
    );
    ui.visuals_mut().selection.stroke = ring;
    edit.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search commands, entries and clips"));
    if edit.changed() {
        view.find();
    }
}

/// The list of what was found; gives the command that was chosen.
fn results(ui: &mut Ui, step: Option<Step>, enter: bool, view: &mut PaletteView, height: f32) -> Option<Command> {
    let last = view.found.len().saturating_sub(1);
    view.chosen = match step {
        // After the last one comes the first.
        Some(Step::By(1)) if view.chosen >= last => 0,
        Some(Step::By(-1)) if view.chosen == 0 => last,
        Some(step) => step.row_after(Some(view.chosen), view.found.len()).unwrap_or(0),
        None => view.chosen,
    };
    if view.found.is_empty() {
        ui.add_space(8.0);
        ui.vertical_centered(|ui| ui.label(RichText::new("No matching commands or entries.").weak()));
        ui.add_space(8.0);
        return None;
    }
    let mut done = enter.then_some(view.chosen);
    let rows = Rows::new("palette results", view.found.len()).height(ROW_HEIGHT).up_to(height);
    rows.follow(ui, view.chosen, || Some(view.chosen)).show(ui, |ui, row| {
        let found = view.found[row.index];
        let Some(item) = view.items.get(found.item) else { return };
        if show_row(ui, row, item, &item.title(found.exports), row.index == view.chosen) {
            done = Some(row.index);
        }
    });
    let found = *view.found.get(done?)?;
    let item = view.items.get(found.item)?;
    if found.exports { item.export.clone() } else { Some(item.command.clone()) }
}

fn show_row(ui: &mut Ui, row: &Row<'_>, item: &PaletteItem, title: &str, is_chosen: bool) -> bool {
    let response = row.selectable(ui, is_chosen, title);
    let p = theme::palette(ui);
    let (strong, weak) = if is_chosen { (p.strong, p.text) } else { (p.text, p.weak) };
    let inner = row.span(8.0, 8.0);
    // Columns: icon, name, group, keys.
    let keys_left = inner.right() - KEYS_WIDTH;
    let group_left = keys_left - GROUP_WIDTH;
    let column = |from: f32, to: f32| Rect::from_min_max(pos2(from, inner.top()), pos2(to, inner.bottom()));
    let name = column(inner.left() + 28.0, group_left - 8.0);
    let (sign, color) = if item.on { (icon::CHECK, p.accent) } else { (item.icon, weak) };
    put_text(ui, column(inner.left(), name.left()), Align::Min, color, RichText::new(sign).size(16.0));
    put_text(ui, name, Align::Min, strong, RichText::new(title));
    put_text(ui, column(group_left, keys_left - 8.0), Align::Min, weak, RichText::new(&item.group).small());
    put(ui, column(keys_left, inner.right()), Layout::right_to_left(Align::Center), |ui| {
        if !item.keys.is_empty() {
            menu_item::key_caps(ui, &item.keys);
        }
    });
    response.clicked()
}
