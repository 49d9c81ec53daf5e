//! The command palette: every action, every open entry, by a few letters.

use crate::ui::{command::Command, theme, widgets::search};
use egui::{
    Align, Align2, FontId, Id, Key, Label, Layout, Modal, Modifiers, RichText, ScrollArea, Sense, TextEdit, TextStyle,
    Ui, UiBuilder, WidgetInfo, WidgetType, vec2,
};
use egui_phosphor::regular as icon;

const ROW_HEIGHT: f32 = 28.0;
const WIDTH: f32 = 560.0;
/// Entries shown; a longer query finds the others.
const MOST_RESULTS: usize = 200;

/// Something that the palette can do.
#[derive(Clone, Debug)]
pub struct PaletteItem {
    pub icon: &'static str,
    /// Where it belongs: a menu, a file.
    pub group: String,
    pub name: String,
    /// Keys as text; may be empty.
    pub keys: String,
    pub command: Command,
}

/// What the palette remembers while it is open.
#[derive(Default)]
pub struct PaletteView {
    query: String,
    items: Vec<PaletteItem>,
    /// Indices into `items`, the best first.
    found: Vec<usize>,
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
        let mut found: Vec<(u32, usize)> = self
            .items
            .iter()
            .enumerate()
            .filter_map(|(index, item)| {
                let by_name = search::score(&self.query, &item.name);
                // The group counts too, but a hit in the name comes first.
                let by_both = || search::score(&self.query, &format!("{} {}", item.group, item.name)).map(|s| s / 2);
                Some((by_name.or_else(by_both)?, index))
            })
            .collect();
        if !self.query.trim().is_empty() {
            found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        }
        self.found = found.into_iter().take(MOST_RESULTS).map(|(_, index)| index).collect();
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
        view.is_open = false;
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
        let keys = ui.input_mut(|input| Keys {
            down: input.consume_key(Modifiers::NONE, Key::ArrowDown) || input.consume_key(Modifiers::NONE, Key::Tab),
            up: input.consume_key(Modifiers::NONE, Key::ArrowUp),
            enter: input.consume_key(Modifiers::NONE, Key::Enter),
            page_down: input.consume_key(Modifiers::NONE, Key::PageDown),
            page_up: input.consume_key(Modifiers::NONE, Key::PageUp),
        });
        query(ui, view);
        ui.add_space(4.0);
        let done = results(ui, &keys, view, (screen.height() * 0.6).min(14.0 * ROW_HEIGHT));
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let weak = ui.visuals().weak_text_color();
            ui.label(RichText::new("↑↓ choose    Enter do it    Esc close").small().color(weak));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let more = if view.found.len() == MOST_RESULTS { "+" } else { "" };
                ui.label(RichText::new(format!("{}{more} found", view.found.len())).small().color(weak));
            });
        });
        done
    });
    if let Some(command) = modal.inner {
        commands.push(Command::TogglePalette);
        commands.push(command);
        view.is_open = false;
    } else if modal.backdrop_response.clicked() || modal.should_close() {
        commands.push(Command::TogglePalette);
        view.is_open = false;
    }
}

struct Keys {
    down: bool,
    up: bool,
    enter: bool,
    page_down: bool,
    page_up: bool,
}

fn query(ui: &mut Ui, view: &mut PaletteView) {
    let hint = format!("{} Search commands, entries and clips", icon::MAGNIFYING_GLASS);
    let edit = ui.add(
        TextEdit::singleline(&mut view.query)
            .hint_text(hint)
            .desired_width(f32::INFINITY)
            .margin(egui::Margin::symmetric(8, 6))
            .lock_focus(true),
    );
    edit.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search commands, entries and clips"));
    if !edit.has_focus() {
        edit.request_focus();
    }
    if edit.changed() {
        view.find();
    }
}

/// The list of what was found; gives the command that was chosen.
fn results(ui: &mut Ui, keys: &Keys, view: &mut PaletteView, height: f32) -> Option<Command> {
    let last = view.found.len().saturating_sub(1);
    let before = view.chosen;
    if keys.down {
        view.chosen = if view.chosen >= last { 0 } else { view.chosen + 1 };
    }
    if keys.up {
        view.chosen = view.chosen.checked_sub(1).unwrap_or(last);
    }
    if keys.page_down {
        view.chosen = (view.chosen + 10).min(last);
    }
    if keys.page_up {
        view.chosen = view.chosen.saturating_sub(10);
    }
    if view.found.is_empty() {
        ui.add_space(8.0);
        ui.vertical_centered(|ui| ui.label(RichText::new("Nothing is called that.").weak()));
        ui.add_space(8.0);
        return None;
    }
    let mut done = keys.enter.then_some(view.chosen);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().max_height(height).auto_shrink([false, true]).id_salt("palette results");
    if view.chosen != before {
        let middle = view.chosen as f32 * ROW_HEIGHT - height / 2.0;
        area = area.vertical_scroll_offset(middle.max(0.0));
    }
    area.show_rows(ui, ROW_HEIGHT, view.found.len(), |ui, range| {
        for place in range {
            let Some(item) = view.found.get(place).and_then(|i| view.items.get(*i)) else { continue };
            if row(ui, item, place == view.chosen) {
                done = Some(place);
            }
        }
    });
    done.and_then(|place| view.items.get(*view.found.get(place)?)).map(|item| item.command.clone())
}

fn row(ui: &mut Ui, item: &PaletteItem, is_chosen: bool) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_chosen, item.name.as_str()));
    if is_chosen {
        ui.painter().rect_filled(rect, 4.0, ui.visuals().selection.bg_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    let strong = if is_chosen { ui.visuals().strong_text_color() } else { ui.visuals().text_color() };
    let weak = if is_chosen { ui.visuals().text_color() } else { ui.visuals().weak_text_color() };
    let builder = UiBuilder::new().max_rect(rect.shrink2(vec2(8.0, 0.0))).layout(Layout::left_to_right(Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.add_sized([18.0, ROW_HEIGHT], Label::new(RichText::new(item.icon).size(16.0).color(weak)).selectable(false));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if !item.keys.is_empty() {
                key_caps(ui, &item.keys);
            }
            ui.add(Label::new(RichText::new(&item.group).small().color(weak)).selectable(false));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(RichText::new(&item.name).color(strong)).truncate().selectable(false));
            });
        });
    });
    response.clicked()
}

/// Keys as caps: `Ctrl+P` as one cap a key.
pub(super) fn key_caps(ui: &mut Ui, keys: &str) {
    let font = FontId::proportional(TextStyle::Small.resolve(ui.style()).size);
    let color = ui.visuals().text_color();
    // A plus sign may itself be the key.
    let parts: Vec<&str> = match keys.strip_suffix('+') {
        Some("") => vec!["+"],
        Some(rest) => rest.trim_end_matches('+').split('+').chain(["+"]).collect(),
        None => keys.split('+').collect(),
    };
    let caps: Vec<_> =
        parts.iter().map(|p| ui.painter().layout_no_wrap((*p).to_owned(), font.clone(), color)).collect();
    let widths: Vec<f32> = caps.iter().map(|c| (c.size().x + 10.0).max(20.0)).collect();
    let total = widths.iter().sum::<f32>() + 3.0 * (caps.len().saturating_sub(1)) as f32;
    let (rect, _) = ui.allocate_exact_size(vec2(total, 18.0), Sense::hover());
    let mut x = rect.left();
    for (cap, width) in caps.into_iter().zip(widths) {
        let cap_rect = egui::Rect::from_min_size(egui::pos2(x, rect.top()), vec2(width, 18.0));
        let stroke = ui.visuals().widgets.noninteractive.bg_stroke;
        ui.painter().rect(cap_rect, 4.0, theme::palette(ui).card, stroke, egui::StrokeKind::Inside);
        let place = cap_rect.center() - cap.size() / 2.0;
        ui.painter().galley(place, cap, color);
        x += width + 3.0;
    }
}
