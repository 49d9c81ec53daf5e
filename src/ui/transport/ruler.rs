//! The ruler of the bar: marks, keys, flags and the playhead, which a drag moves.

use crate::{
    scene::Marker,
    ui::{
        command::{Command, TransportCommand},
        status_file,
        theme::{self, Palette},
        transport::time_bar::{PlayRange, TransportBar, Unit},
        widgets::value_text::{SECONDS_BETWEEN_MARKS, clock},
    },
};
use egui::{
    Align2, CornerRadius, CursorIcon, Event, FontId, LayerId, Order, Painter, PointerButton, Rect, Sense, Stroke,
    StrokeKind, Ui, WidgetInfo, pos2, vec2,
};
use egui_phosphor::regular as icon;

/// Height of the ruler, in points.
const HEIGHT: f32 = 26.0;
/// From the ends of the field to the first and the last position, in points.
const MARGIN: f32 = 8.0;
/// Marks with a number stand no nearer to each other, in points.
const MARK_DISTANCE: f32 = 56.0;
const CLOCK_DISTANCE: f64 = 72.0;
/// How near the pointer must be to a flag for its name to show, in points.
const FLAG_REACH: f32 = 5.0;
/// Ticks nearer to each other than this are left out, in points.
const TICK_DISTANCE: f32 = 3.0;

pub fn show(ui: &mut Ui, bar: &TransportBar<'_>, hint: Option<&dyn Fn(f64) -> String>, commands: &mut Vec<Command>) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    let p = theme::palette(ui);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, p.field);
    let Some(ruler) = &bar.ruler else { return };
    response.widget_info(|| WidgetInfo::slider(true, bar.position, "Timeline"));
    status_file::mark(ui.ctx(), "scrub", rect);
    let is_whole = matches!(bar.unit, Unit::Pictures { .. });
    let scale = Scale { inner: rect.shrink2(vec2(MARGIN, 0.0)), end: ruler.end.max(1e-3), is_whole };

    let at = scale.x(bar.position.clamp(0.0, scale.end));
    let done = Rect::from_min_max(rect.min, pos2(at, rect.bottom()));
    painter.rect_filled(done, CornerRadius { nw: 4, sw: 4, ne: 0, se: 0 }, p.card);
    for span in &ruler.spans {
        let span = Rect::from_x_y_ranges(scale.x(span.start)..=scale.x(span.end), rect.y_range());
        painter.rect_filled(span, 0.0, p.good.gamma_multiply(0.12));
        painter.vline(span.left(), rect.y_range(), Stroke::new(1.0, p.good));
        painter.vline(span.right(), rect.y_range(), Stroke::new(1.0, p.good));
    }
    let next = scale.x((bar.position + 1.0).min(scale.end)).max(at);
    if is_whole {
        painter.rect_filled(Rect::from_x_y_ranges(at..=next, rect.y_range()), 0.0, p.accent_soft);
    }
    marks(&painter, rect, scale, bar.unit, &p);
    ticks(&painter, rect, scale, &ruler.ticks, &p);
    bone_keys(&painter, rect, scale, &ruler.bone_keys, &p);
    flags(&painter, rect, scale, ruler.flags, &p);
    if ruler.end > ruler.last && !is_whole {
        // The way back to the first frame.
        let seam = Rect::from_min_max(pos2(scale.x(ruler.last), rect.top()), pos2(rect.right(), rect.bottom()));
        painter.rect_filled(seam, 4.0, p.line.gamma_multiply(0.4));
    }
    if let Some(range) = ruler.range {
        shade(&painter, rect, scale, range, &p);
    }
    let head = if is_whole { (at + next) * 0.5 } else { at };
    painter.vline(head, rect.y_range(), Stroke::new(2.0, p.accent));
    painter.circle_filled(pos2(head, rect.center().y), 6.0, p.accent);

    if let Some(range) = ruler.range
        && let Some((x, text)) = range_handles(ui, rect, scale, ruler.last, range, bar.unit, commands)
    {
        return tell(ui, rect, x, text, &p);
    }
    let is_held = response.dragged() || response.is_pointer_button_down_on();
    // Where frames are slow, a press, its release and what the pointer does afterwards come in one of them: only the place of the release
    // counts then.
    let is_press = |event: &Event| matches!(event, Event::PointerButton { pos, button: PointerButton::Primary, pressed: true, .. } if rect.contains(*pos));
    let was_pressed = || ui.input(|input| input.events.iter().any(is_press));
    let release = |event: &Event| match event {
        Event::PointerButton { pos, button: PointerButton::Primary, pressed: false, .. } => Some(*pos),
        _ => None,
    };
    let released_at = ui.input(|input| input.events.iter().rev().find_map(release));
    let id = response.id.with("held");
    let was_held = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<bool>(id), is_held));
    let held_at = response.interact_pointer_pos().filter(|_| is_held);
    if let Some(pointer) = held_at.or_else(|| released_at.filter(|_| was_held || was_pressed())) {
        // A press on a flag means its frame.
        let flag = near_flags(ruler.flags, scale, pointer.x).next().filter(|_| !response.dragged());
        let wanted = match flag {
            Some(flag) => f64::from(flag.frame).clamp(0.0, ruler.last),
            None => scale.position(pointer.x, ruler.last),
        };
        if !is_whole || wanted != bar.position {
            commands.push(Command::Transport(TransportCommand::Seek(wanted as f32)));
        }
    } else if let Some(pointer) = response.hover_pos() {
        let position = scale.position(pointer.x, ruler.last);
        let mut text = bar.unit.hint(position);
        for flag in near_flags(ruler.flags, scale, pointer.x) {
            text.push_str(&format!("\n{}  {}", icon::FLAG, flag.name));
        }
        if let Some(hint) = hint {
            text.push_str(&hint(position));
        }
        tell(ui, rect, pointer.x, text, &p);
    }
}

/// Positions with their numbers, as many as there is room for.
fn marks(painter: &Painter, rect: Rect, scale: Scale, unit: Unit, p: &Palette) {
    let width = f64::from(scale.inner.width()) / scale.end;
    let step = match unit {
        Unit::Frames { .. } | Unit::Pictures { .. } => {
            let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000, 50_000];
            let wide = |step: &i32| f64::from(*step) * width >= f64::from(MARK_DISTANCE);
            steps.into_iter().find(wide).map(f64::from)
        }
        Unit::Seconds => SECONDS_BETWEEN_MARKS.into_iter().find(|step| step * width >= CLOCK_DISTANCE),
    };
    let Some(step) = step else { return };
    let first = if let Unit::Pictures { first, .. } = unit { u64::from(first) } else { 0 };
    let font = FontId::monospace(9.0);
    for mark in 0..=(scale.end / step) as u64 {
        let position = mark as f64 * step;
        let x = scale.x(position);
        painter.vline(x, rect.top()..=rect.top() + 5.0, Stroke::new(1.0, p.weak.gamma_multiply(0.5)));
        let text = match unit {
            Unit::Seconds => clock(position, step < 1.0),
            Unit::Frames { .. } | Unit::Pictures { .. } => (position as u64 + first).to_string(),
        };
        let is_past = matches!(unit, Unit::Pictures { .. }) && position >= scale.end;
        if is_past || x + 3.0 + text.len() as f32 * 5.5 > rect.right() {
            continue;
        }
        let color = p.weak.gamma_multiply(0.8);
        painter.text(pos2(x + 4.0, rect.top() + 1.0), Align2::LEFT_TOP, text, font.clone(), color);
    }
}

fn ticks(painter: &Painter, rect: Rect, scale: Scale, ticks: &[f32], p: &Palette) {
    let mut free_from = f32::NEG_INFINITY;
    for tick in ticks {
        let x = scale.x(f64::from(*tick));
        if x >= free_from && x <= rect.right() {
            painter.vline(x, rect.bottom() - 6.0..=rect.bottom() - 2.0, Stroke::new(1.0, p.weak));
            free_from = x + TICK_DISTANCE;
        }
    }
}

/// Keys of the selected bone: a diamond each.
fn bone_keys(painter: &Painter, rect: Rect, scale: Scale, keys: &[f32], p: &Palette) {
    let mut free_from = f32::NEG_INFINITY;
    for key in keys {
        let x = scale.x(f64::from(*key));
        if x >= free_from && x <= rect.right() {
            let at = pos2(x, rect.bottom() - 5.0);
            let corners = [vec2(0.0, -3.5), vec2(3.5, 0.0), vec2(0.0, 3.5), vec2(-3.5, 0.0)].map(|corner| at + corner);
            painter.add(egui::Shape::convex_polygon(corners.to_vec(), p.accent, Stroke::NONE));
            free_from = x + TICK_DISTANCE;
        }
    }
}

/// The flags at a place, the nearest first.
fn near_flags(flags: &[Marker], scale: Scale, x: f32) -> impl Iterator<Item = &Marker> {
    let distance = move |flag: &Marker| (scale.x(f64::from(flag.frame)) - x).abs();
    let mut near: Vec<&Marker> = flags.iter().filter(|flag| distance(flag) <= FLAG_REACH).collect();
    near.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    near.into_iter()
}

/// What the clip calls at its moments: a flag each.
fn flags(painter: &Painter, rect: Rect, scale: Scale, flags: &[Marker], p: &Palette) {
    for flag in flags {
        let x = scale.x(f64::from(flag.frame));
        let top = rect.top() + 11.0;
        painter.vline(x, top..=rect.bottom() - 2.0, Stroke::new(1.0, p.strong));
        let shape = vec![pos2(x, top), pos2(x + 7.0, top + 3.5), pos2(x, top + 7.0)];
        painter.add(egui::Shape::convex_polygon(shape, p.strong, Stroke::NONE));
    }
}

/// What is under the pointer, above the ruler.
fn tell(ui: &Ui, rect: Rect, x: f32, text: String, p: &Palette) {
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, ui.id().with("scrub hint")));
    let galley = painter.layout_no_wrap(text, FontId::monospace(theme::SMALL), p.strong);
    let size = galley.size() + vec2(12.0, 6.0);
    let left = (x - size.x / 2.0).clamp(rect.left(), (rect.right() - size.x).max(rect.left()));
    let place = Rect::from_min_size(pos2(left, rect.top() - size.y - 4.0), size);
    painter.rect_filled(place, 4.0, p.card);
    painter.rect_stroke(place, 4.0, Stroke::new(1.0, p.line), StrokeKind::Inside);
    painter.galley(place.min + vec2(6.0, 3.0), galley, p.strong);
    ui.painter_at(rect).vline(x, rect.y_range(), Stroke::new(1.0, p.weak.gamma_multiply(0.6)));
}

/// Positions to points and back.
#[derive(Clone, Copy)]
pub struct Scale {
    pub inner: Rect,
    pub end: f64,
    /// Each position is a picture, as wide as one step.
    pub is_whole: bool,
}

impl Scale {
    pub fn x(&self, position: f64) -> f32 {
        self.inner.left() + (position / self.end) as f32 * self.inner.width()
    }

    pub fn position(&self, x: f32, last: f64) -> f64 {
        let share = ((x - self.inner.left()) / self.inner.width().max(1.0)).clamp(0.0, 1.0);
        let position = (f64::from(share) * self.end).min(last);
        if self.is_whole { position.floor() } else { position }
    }
}

/// Width of a handle, in points: as much as the ruler leaves free at its ends, so that frames can be pressed up to there.
const WIDTH: f32 = 7.0;
const NAMES: [&str; 2] = ["Start of the range", "End of the range"];

/// Takes the light off what does not play.
pub fn shade(painter: &Painter, rect: Rect, scale: Scale, range: PlayRange, p: &Palette) {
    if range.is_part {
        let (first, last) = (scale.x(range.first), scale.x(range.last));
        let dim = p.panel.gamma_multiply(0.65);
        painter.rect_filled(rect.with_max_x(first), 4.0, dim);
        painter.rect_filled(rect.with_min_x(last), 4.0, dim);
        let band = Rect::from_x_y_ranges(first..=last, rect.top()..=rect.top() + 2.0);
        painter.rect_filled(band, 0.0, p.accent);
    }
}

/// The handles outside of the range, which drags move by whole frames. Gives the place and the words for the one that the
/// pointer is on.
pub fn range_handles(
    ui: &mut Ui,
    rect: Rect,
    scale: Scale,
    end: f64,
    range: PlayRange,
    unit: Unit,
    commands: &mut Vec<Command>,
) -> Option<(f32, String)> {
    let p = crate::ui::theme::palette(ui);
    let mut told = None;
    for (name, at, side) in [(NAMES[0], range.first, -1.0), (NAMES[1], range.last, 1.0)] {
        let x = scale.x(at);
        let inner = x + side * (8.0 - WIDTH);
        let handle =
            Rect::from_x_y_ranges(inner.min(inner + side * WIDTH)..=inner.max(inner + side * WIDTH), rect.y_range());
        let response = ui.interact(handle, ui.id().with(name), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::slider(true, at, name));
        let is_held = response.dragged() || response.is_pointer_button_down_on();
        let color = match (is_held || response.hovered(), range.is_part) {
            (true, _) => p.accent,
            (false, true) => p.accent.gamma_multiply(0.8),
            (false, false) => p.weak.gamma_multiply(0.5),
        };
        let painter = ui.painter_at(rect);
        painter.vline(x, rect.y_range(), Stroke::new(if range.is_part { 2.0 } else { 1.0 }, color));
        let grip = Rect::from_center_size(pos2(x + side * 3.0, rect.center().y), vec2(4.0, 12.0));
        painter.rect_filled(grip, 1.5, color);
        if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            // It is held by its middle.
            let wanted = scale.position(pointer.x - side * 4.5, end).round();
            let (first, last) = if side < 0.0 {
                (wanted.min(range.last), range.last)
            } else {
                (range.first, wanted.clamp(range.first, end))
            };
            if (first, last) != (range.first, range.last) {
                commands.push(Command::Transport(TransportCommand::SetRange(first as f32, last as f32)));
            }
        }
        if is_held || response.hovered() {
            told = Some((x, format!("{name}: {}", unit.hint(at))));
        }
        response.on_hover_cursor(CursorIcon::ResizeHorizontal);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    #[test]
    fn flags_are_near_by_what_is_drawn() {
        let inner = Rect::from_min_size(pos2(100.0, 0.0), vec2(400.0, HEIGHT));
        let frames = Scale { inner, end: 40.0, is_whole: false };
        let flag = |frame, name: &str| Marker { frame, name: name.to_owned() };
        let flags = [flag(9.7, "step"), flag(10.1, "shout"), flag(20.0, "fall")];
        let names = |x| near_flags(&flags, frames, x).map(|flag| flag.name.as_str()).collect::<Vec<_>>();
        assert_eq!((names(200.0), names(295.5), names(250.0)), (vec!["shout", "step"], vec!["fall"], vec![]));
    }

    #[test]
    fn a_press_goes_to_what_is_drawn_there() {
        let inner = Rect::from_min_size(pos2(100.0, 0.0), vec2(400.0, 26.0));
        let frames = Scale { inner, end: 40.0, is_whole: false };
        assert_eq!((frames.x(10.0), frames.position(200.0, 39.0)), (200.0, 10.0));
        assert_eq!((frames.position(0.0, 39.0), frames.position(900.0, 39.0)), (0.0, 39.0));
        let pictures = Scale { inner, end: 8.0, is_whole: true };
        assert_eq!((pictures.position(124.0, 7.0), pictures.position(151.0, 7.0)), (0.0, 1.0));
        assert_eq!(pictures.position(500.0, 7.0), 7.0);
    }
}
