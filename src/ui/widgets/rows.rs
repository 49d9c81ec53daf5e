//! Lists and tables: rows of one height below each other. Only the rows in view are drawn.

use crate::ui::{
    command::leave_list_keys,
    theme::{self, Palette},
    widgets::put::put_text,
};
use egui::{
    Align, Color32, EventFilter, Id, Key, Layout, Modifiers, Pos2, Rect, Response, RichText, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, WidgetInfo, WidgetType, pos2, style::ScrollAnimation, vec2,
};
use egui_phosphor::regular as icon;
use std::{cell::Cell, hash::Hash};

/// Number of rows that Page Up and Page Down move by in a list below a text field.
const PAGE: isize = 10;

/// A list of rows. It fills the panel and scrolls vertically.
pub struct Rows<'a> {
    id: Id,
    count: usize,
    height: f32,
    tops: Option<&'a Tops>,
    max_height: Option<f32>,
    scrolls_sideways: bool,
    sticks_to_end: bool,
    has_keys: bool,
    is_entered: bool,
    look: Look,
    target: Option<(usize, Option<Align>)>,
}

/// The background of rows.
#[derive(Clone, Copy)]
struct Look {
    is_striped: bool,
    margin: f32,
    is_quiet: bool,
}

impl<'a> Rows<'a> {
    /// Creates a list of `count` rows. `salt` distinguishes it from other lists in the same panel.
    pub fn new(salt: impl Hash + std::fmt::Debug, count: usize) -> Self {
        Self {
            id: Id::new(salt),
            count,
            height: theme::ROW,
            tops: None,
            max_height: None,
            scrolls_sideways: false,
            sticks_to_end: false,
            has_keys: true,
            is_entered: false,
            look: Look { is_striped: false, margin: 0.0, is_quiet: false },
            target: None,
        }
    }

    /// Sets the height of a row.
    pub fn height(self, height: f32) -> Self {
        Self { height, ..self }
    }

    /// Gives each row its own height.
    pub fn tops(self, tops: &'a Tops) -> Self {
        Self { tops: Some(tops), ..self }
    }

    /// Shrinks the list to its rows, up to this height.
    pub fn up_to(self, height: f32) -> Self {
        Self { max_height: Some(height), ..self }
    }

    /// Also scrolls horizontally, for rows that are wider than the panel.
    pub fn sideways(self) -> Self {
        Self { scrolls_sideways: true, ..self }
    }

    /// Keeps the last row in view when rows are added.
    pub fn stick_to_end(self) -> Self {
        Self { sticks_to_end: true, ..self }
    }

    /// Fills every second row.
    pub fn striped(mut self) -> Self {
        self.look.is_striped = true;
        self
    }

    /// Sets the margin at the left and right of a row's background.
    pub fn margin(mut self, margin: f32) -> Self {
        self.look.margin = margin;
        self
    }

    /// Uses paler backgrounds, for lists where a click plays a row and selects nothing.
    pub fn quiet(mut self) -> Self {
        self.look.is_quiet = true;
        self
    }

    /// Leaves the keyboard to the window, for lists whose selection the window's shortcuts move.
    pub fn without_keys(self) -> Self {
        Self { has_keys: false, ..self }
    }

    /// Moves the keyboard to the first row, if `is_entered`.
    pub fn enter(self, is_entered: bool) -> Self {
        Self { is_entered, ..self }
    }

    /// Scrolls to the row that `row` returns, but only in frames in which `selection` differs from the frame before.
    pub fn follow(mut self, ui: &Ui, selection: impl Hash, row: impl FnOnce() -> Option<usize>) -> Self {
        let id = ui.id().with((self.id, "followed"));
        let now = egui::util::hash(selection);
        if ui.data(|data| data.get_temp(id)) != Some(now) {
            ui.data_mut(|data| data.insert_temp(id, now));
            self.target = row().map(|row| (row, None));
        }
        self
    }

    /// Scrolls to a row that is out of view.
    pub fn scroll_to(mut self, row: Option<usize>) -> Self {
        self.target = row.map(|row| (row, None)).or(self.target);
        self
    }

    /// Scrolls until the row is the first one in view.
    pub fn scroll_to_top(mut self, row: Option<usize>) -> Self {
        self.target = row.map(|row| (row, Some(Align::Min))).or(self.target);
        self
    }

    /// Returns the top and the height of a row.
    fn place(&self, index: usize) -> (f32, f32) {
        let Some(Tops(tops)) = self.tops else { return (index as f32 * self.height, self.height) };
        let end = tops.last().copied().unwrap_or(0.0);
        let top = |index: usize| tops.get(index).copied().unwrap_or(end);
        (top(index), top(index.saturating_add(1)) - top(index))
    }

    /// Returns the row at this distance from the first row's top.
    fn row_at(&self, y: f32) -> usize {
        match self.tops {
            Some(Tops(tops)) => tops.partition_point(|top| *top <= y).saturating_sub(1),
            None => (y / self.height).max(0.0) as usize,
        }
    }

    /// Draws the rows in view with `draw`, which gets a `Ui` with a horizontal layout.
    pub fn show(self, ui: &mut Ui, mut draw: impl FnMut(&mut Ui, &Row<'_>)) {
        let id = ui.id().with(self.id);
        let enters = self.is_entered.then_some(Wanted::default());
        let before: Option<Wanted> = ui.data_mut(|data| data.remove_temp(id));
        let before = before.map(|wanted| Wanted { frames: wanted.frames.saturating_add(1), ..wanted });
        let keys =
            Keys { wanted: Cell::new(enters.or(before)), focused: Cell::new(None), is_answered: Cell::new(false) };
        let area = ScrollArea::new([self.scrolls_sideways, true])
            .id_salt(self.id)
            .auto_shrink([false, self.max_height.is_some()])
            .max_height(self.max_height.unwrap_or(f32::INFINITY))
            .stick_to_bottom(self.sticks_to_end);
        let spacing = std::mem::take(&mut ui.spacing_mut().item_spacing.y);
        area.show_viewport(ui, |ui, view| {
            ui.set_height(self.place(self.count).0);
            let (corner, width) = (ui.max_rect().min, ui.available_width());
            let rect = |index: usize| {
                let (top, height) = self.place(index);
                Rect::from_min_size(pos2(corner.x, corner.y + top), vec2(width, height))
            };
            if let Some((target, align)) = self.target {
                scroll(ui, rect(target), align);
            }
            ui.spacing_mut().item_spacing.y = spacing;
            let end = self.row_at(view.max.y).saturating_add(1).min(self.count);
            for index in self.row_at(view.min.y)..end {
                let row = Row { index, rect: rect(index), id: id.with(index), look: self.look, keys: &keys };
                let layout = Layout::left_to_right(Align::Center);
                let place = UiBuilder::new().id_salt(index).max_rect(row.rect).layout(layout);
                let mut inner = ui.new_child(place);
                keys.is_answered.set(false);
                draw(&mut inner, &row);
                keys.pass_by(index);
                ui.expand_to_include_rect(row.rect.union(inner.min_rect()));
            }
            if self.has_keys {
                let page = (view.height() / self.height).max(1.0) as isize;
                keys.listen(ui, id, page, self.count);
            }
            let wanted = keys.wanted.get().filter(|wanted| wanted.row < self.count && wanted.frames < MAX_FRAMES);
            if let Some(wanted) = wanted {
                ui.scroll_to_rect_animation(rect(wanted.row), None, ScrollAnimation::none());
                ui.data_mut(|data| data.insert_temp(id, wanted));
                ui.ctx().request_repaint();
            }
        });
        ui.spacing_mut().item_spacing.y = spacing;
    }
}

/// The tops of rows with different heights, and the end of the last row, in points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tops(Vec<f32>);

impl Tops {
    /// Places rows with these heights below each other.
    pub fn of(heights: impl IntoIterator<Item = f32>) -> Self {
        let mut tops = vec![0.0];
        let mut end = 0.0;
        tops.extend(heights.into_iter().map(|height| {
            end += height;
            end
        }));
        Self(tops)
    }
}

/// Scrolls to a row whose middle is out of view: by one row if it is the next one, so that arrow keys scroll smoothly.
fn scroll(ui: &Ui, row: Rect, align: Option<Align>) {
    let view = ui.clip_rect();
    if align.is_none() && view.y_range().contains(row.center().y) {
        return;
    }
    let is_next = row.top() < view.bottom() + row.height() && row.bottom() > view.top() - row.height();
    let align = align.or(if is_next { None } else { Some(Align::Center) });
    ui.scroll_to_rect(row, align);
}

/// The row that gets the keyboard as soon as it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Wanted {
    row: usize,
    /// Goes on upwards if the row cannot be pressed.
    goes_up: bool,
    /// Number of frames since the key was pressed.
    frames: u8,
}

/// Frames that scrolling to a row may take.
const MAX_FRAMES: u8 = 6;

/// The keyboard in a list.
struct Keys {
    wanted: Cell<Option<Wanted>>,
    focused: Cell<Option<usize>>,
    /// The row that is being drawn can be pressed.
    is_answered: Cell<bool>,
}

impl Keys {
    /// Goes on to the next row if the wanted one is a heading.
    fn pass_by(&self, index: usize) {
        if let Some(wanted) = self.wanted.get().filter(|wanted| wanted.row == index) {
            let next = if wanted.goes_up { index.checked_sub(1) } else { Some(index.saturating_add(1)) };
            let next = next.filter(|_| !self.is_answered.get()).map(|row| Wanted { row, ..wanted });
            self.wanted.set(next);
        }
    }

    /// Moves the keyboard from row to row.
    fn listen(&self, ui: &Ui, id: Id, page: isize, count: usize) {
        let Some(at) = self.focused.get() else { return };
        let row = id.with(at);
        let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(row, filter));
        leave_list_keys(ui.ctx(), row);
        if let Some(step) = Step::pressed(ui, page) {
            let to = step.row_after(Some(at), count).filter(|to| *to != at);
            self.wanted.set(to.map(|row| Wanted { row, goes_up: row < at, frames: 0 }));
        }
    }
}

/// A movement through rows by keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    By(isize),
    First,
    Last,
}

impl Step {
    /// Takes the keys that move through a list in which a row has the keyboard.
    fn pressed(ui: &Ui, page: isize) -> Option<Self> {
        let keys = [
            (Key::ArrowDown, Self::By(1)),
            (Key::ArrowUp, Self::By(-1)),
            (Key::PageDown, Self::By(page)),
            (Key::PageUp, Self::By(page.saturating_neg())),
            (Key::Home, Self::First),
            (Key::End, Self::Last),
        ];
        ui.input_mut(|input| keys.into_iter().find(|(key, _)| input.consume_key(Modifiers::NONE, *key)))
            .map(|(_, step)| step)
    }

    /// Takes the keys that move through the list below a text field: Home and End stay with the field.
    pub fn pressed_in_field(ui: &Ui) -> Option<Self> {
        let keys = [(Key::ArrowDown, 1), (Key::ArrowUp, -1), (Key::PageDown, PAGE), (Key::PageUp, -PAGE)];
        ui.input_mut(|input| keys.into_iter().find(|(key, _)| input.consume_key(Modifiers::NONE, *key)))
            .map(|(_, by)| Self::By(by))
    }

    /// Returns the row that the step leads to. Without a current row, it leads to the first or last one.
    pub fn row_after(self, at: Option<usize>, count: usize) -> Option<usize> {
        let last = count.checked_sub(1)?;
        Some(match (self, at) {
            (Self::By(by), Some(at)) => at.saturating_add_signed(by).min(last),
            (Self::By(by), None) if by < 0 => last,
            (Self::Last, _) => last,
            (Self::First | Self::By(_), _) => 0,
        })
    }
}

/// One row of a list while it is drawn.
pub struct Row<'a> {
    /// Index of the row in the list.
    pub index: usize,
    /// The row's area.
    pub rect: Rect,
    id: Id,
    look: Look,
    keys: &'a Keys,
}

impl Row<'_> {
    /// Returns the part of the row between these distances from its left and right edge.
    pub fn span(&self, left: f32, right: f32) -> Rect {
        self.rect.with_min_x(self.rect.left() + left).with_max_x(self.rect.right() - right)
    }

    /// Returns the point at this distance from the left edge, in the middle of the row's height.
    pub fn at(&self, x: f32) -> Pos2 {
        pos2(self.rect.left() + x, self.rect.center().y)
    }

    /// Makes the row respond to the pointer and to the keyboard. `info` describes it for screen readers.
    pub fn interact(&self, ui: &Ui, sense: Sense, info: impl Fn() -> WidgetInfo) -> Response {
        let response = ui.interact(self.rect, self.id, sense);
        response.widget_info(info);
        if sense.senses_click() {
            self.keys.is_answered.set(true);
            if self.keys.wanted.get().is_some_and(|wanted| wanted.row == self.index) {
                response.request_focus();
            }
            if response.has_focus() {
                self.keys.focused.set(Some(self.index));
            }
        }
        response
    }

    /// Makes the whole row one item that can be pressed, and draws its background.
    pub fn item(&self, ui: &Ui, kind: WidgetType, is_selected: bool, label: &str) -> Response {
        let response = self.interact(ui, Sense::click(), || WidgetInfo::selected(kind, true, is_selected, label));
        self.fill(ui, &response, is_selected);
        response
    }

    /// Makes the whole row an item that can be selected, and draws its background.
    pub fn selectable(&self, ui: &Ui, is_selected: bool, label: &str) -> Response {
        self.item(ui, WidgetType::SelectableLabel, is_selected, label)
    }

    /// Makes the row a text for screen readers, and draws its background.
    pub fn label(&self, ui: &Ui, label: &str) -> Response {
        let response = self.interact(ui, Sense::hover(), || WidgetInfo::labeled(WidgetType::Label, true, label));
        self.stripe(ui);
        response
    }

    /// Draws the background of a row: selected, under the pointer, or one of the striped rows.
    pub fn fill(&self, ui: &Ui, response: &Response, is_selected: bool) {
        let p = theme::palette(ui);
        match (is_selected, response.hovered() || response.has_focus()) {
            (true, _) => self.paint(ui, if self.look.is_quiet { p.card } else { p.accent_soft }),
            (_, true) => self.paint(ui, if self.look.is_quiet { p.hover.gamma_multiply(0.5) } else { p.hover }),
            _ => self.stripe(ui),
        }
        if response.has_focus() {
            let area = self.rect.shrink2(vec2(self.look.margin, 0.0));
            ui.painter().rect_stroke(area, 4.0, Stroke::new(1.0, p.accent), StrokeKind::Inside);
        }
    }

    /// Fills the row if it is one of the striped rows.
    pub fn stripe(&self, ui: &Ui) {
        if self.look.is_striped && self.index % 2 == 1 {
            self.paint(ui, theme::palette(ui).zebra);
        }
    }

    /// Fills the row's background.
    pub fn paint(&self, ui: &Ui, color: Color32) {
        ui.painter().rect_filled(self.rect.shrink2(vec2(self.look.margin, 0.0)), 4.0, color);
    }

    /// Draws the triangle of a row of a tree. Returns its area.
    pub fn triangle(&self, ui: &Ui, middle: f32, is_open: bool, p: &Palette) -> Rect {
        let area = Rect::from_center_size(self.at(middle), vec2(16.0, 16.0));
        let sign = if is_open { icon::CARET_DOWN } else { icon::CARET_RIGHT };
        put_text(ui, area, Align::Center, p.weak, RichText::new(sign).size(11.0));
        area
    }
}

/// Returns the selection after a click on a row: the row alone, a range with Shift, the row added or removed with Ctrl.
pub fn select<T: Copy + PartialEq>(
    rows: &[T],
    selected: impl Iterator<Item = T>,
    anchor: &mut Option<T>,
    row: T,
    modifiers: Modifiers,
) -> Vec<T> {
    let at = |wanted: T| rows.iter().position(|row| *row == wanted);
    let mut all: Vec<T> = if modifiers.command { selected.collect() } else { Vec::new() };
    if modifiers.shift
        && let Some((from, to)) = anchor.and_then(at).zip(at(row))
    {
        all.extend(rows.get(from.min(to)..=from.max(to)).unwrap_or_default());
        return all;
    }
    *anchor = Some(row);
    let count = all.len();
    all.retain(|other| *other != row);
    if all.len() == count {
        all.push(row);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::{
        Harness,
        kittest::{NodeT as _, Queryable as _},
    };

    /// A list with a heading at its third row.
    #[derive(Default)]
    struct List {
        count: usize,
        selected: Option<usize>,
        drawn: Vec<usize>,
    }

    fn window(count: usize) -> Harness<'static, List> {
        let draw = |ui: &mut Ui, list: &mut List| {
            let List { count, selected, drawn } = list;
            drawn.clear();
            let rows = Rows::new("list", *count).follow(ui, *selected, || *selected);
            rows.show(ui, |ui, row| {
                drawn.push(row.index);
                let name = format!("row {}", row.index);
                if row.index == 2 {
                    row.label(ui, &name);
                } else if row.selectable(ui, *selected == Some(row.index), &name).clicked() {
                    *selected = Some(row.index);
                }
            });
        };
        Harness::builder().with_size(vec2(200.0, 220.0)).build_ui_state(draw, List { count, ..List::default() })
    }

    #[track_caller]
    fn assert_focused(window: &Harness<'_, List>, row: usize) {
        assert!(window.get_by_label(&format!("row {row}")).is_focused(), "row {row}: {:?}", window.state().drawn);
    }

    #[test]
    fn keys_move_from_row_to_row_and_press_one() {
        let mut window = window(1_000);
        window.get_by_label("row 0").focus();
        window.run_steps(3);
        // The heading is passed by in both directions.
        for (key, row) in [
            (Key::ArrowDown, 1),
            (Key::ArrowDown, 3),
            (Key::ArrowUp, 1),
            (Key::End, 999),
            (Key::ArrowDown, 999),
            (Key::ArrowUp, 998),
            (Key::Home, 0),
            (Key::PageUp, 0),
        ] {
            window.key_press(key);
            window.run_steps(4);
            assert_focused(&window, row);
        }
        window.key_press(Key::PageDown);
        window.run_steps(4);
        let focused = window.query_all_by(|node| node.is_focused()).next();
        let label = focused.and_then(|node| node.accesskit_node().label()).unwrap_or_default();
        let row: usize = label.trim_start_matches("row ").parse().unwrap();
        assert!((8..12).contains(&row), "a page is as high as the list: {row}");
        window.key_press(Key::End);
        window.run_steps(4);
        window.key_press(Key::Enter);
        window.run_steps(2);
        assert_eq!(window.state().selected, Some(999));
    }

    #[test]
    fn the_list_follows_the_selection_when_it_changes() {
        let mut window = window(1_000);
        window.run_steps(2);
        let is_drawn = |window: &Harness<'_, List>, row: usize| window.state().drawn.contains(&row);
        window.state_mut().selected = Some(500);
        window.run_steps(30);
        assert!(is_drawn(&window, 500) && !is_drawn(&window, 0));
        window.hover_at(pos2(100.0, 100.0));
        window.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, 20_000.0),
            phase: egui::TouchPhase::Move,
            modifiers: Modifiers::NONE,
        });
        window.run_steps(60);
        assert!(is_drawn(&window, 0) && !is_drawn(&window, 500), "{:?}", window.state().drawn);
        window.state_mut().selected = Some(501);
        window.run_steps(30);
        assert!(is_drawn(&window, 501));
    }

    #[test]
    fn only_rows_in_view_are_drawn() {
        let mut window = window(100_000);
        window.run_steps(3);
        assert!((5..20).contains(&window.state().drawn.len()), "{:?}", window.state().drawn);
        window.state_mut().selected = Some(99_999);
        window.run_steps(30);
        assert!((5..20).contains(&window.state().drawn.len()) && window.state().drawn.contains(&99_999));
        window.state_mut().count = 0;
        window.run_steps(3);
        assert!(window.state().drawn.is_empty());
    }

    #[test]
    fn clicks_select_one_row_a_range_or_several() {
        let rows = [10, 11, 12, 13, 14];
        let mut anchor = None;
        let none = Modifiers::NONE;
        assert_eq!(select(&rows, [14].into_iter(), &mut anchor, 11, none), [11]);
        assert_eq!(select(&rows, [11].into_iter(), &mut anchor, 13, Modifiers::SHIFT), [11, 12, 13]);
        assert_eq!(select(&rows, [11].into_iter(), &mut anchor, 10, Modifiers::SHIFT), [10, 11]);
        assert_eq!(select(&rows, [11].into_iter(), &mut anchor, 14, Modifiers::COMMAND), [11, 14]);
        assert_eq!(select(&rows, [11, 14].into_iter(), &mut anchor, 11, Modifiers::COMMAND), [14]);
        let both = Modifiers::COMMAND | Modifiers::SHIFT;
        assert_eq!(select(&rows, [14].into_iter(), &mut anchor, 12, both), [14, 11, 12]);
    }

    #[test]
    fn rows_of_different_heights_are_below_each_other() {
        let tops = Tops::of([30.0, 40.0, 40.0]);
        let rows = Rows::new("rows", 3).tops(&tops);
        assert_eq!([0, 1, 2, 3].map(|at| rows.place(at)), [(0.0, 30.0), (30.0, 40.0), (70.0, 40.0), (110.0, 0.0)]);
        assert_eq!([0.0, 29.0, 30.0, 69.0, 80.0].map(|y| rows.row_at(y)), [0, 0, 1, 1, 2]);
        assert_eq!(Rows::new("rows", 0).tops(&Tops::of([])).place(0), (0.0, 0.0));
    }

    #[test]
    fn steps_stay_in_the_list() {
        for (step, at, to) in [
            (Step::By(1), None, 0),
            (Step::By(-1), None, 4),
            (Step::By(1), Some(4), 4),
            (Step::By(-10), Some(3), 0),
            (Step::First, Some(3), 0),
            (Step::Last, Some(3), 4),
        ] {
            assert_eq!(step.row_after(at, 5), Some(to));
            assert_eq!(step.row_after(at, 0), None);
        }
    }
}
