//! The waveform: one lane a channel, loops, marks and the playhead; dragging seeks, the wheel zooms.

use crate::{
    audio::Peaks,
    ui::{
        command::{Command, SoundCommand},
        state::SoundStage,
        theme::{self, Palette},
        widgets::value_text::{SECONDS_BETWEEN_MARKS, clock, place_text},
    },
};
use egui::{Align2, Color32, FontId, Painter, Rect, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2};
use egui_phosphor::regular as icon;

/// Fewer frames than this are not zoomed into.
const FEWEST: f64 = 32.0;

/// The part of a sound that is seen, in sample frames.
#[derive(Clone, Copy, Debug, Default)]
pub struct Window {
    start: f64,
    /// 0: the whole sound.
    frames: f64,
}

impl Window {
    fn of(self, total: f64) -> (f64, f64) {
        if self.frames > 0.0 { (self.start, self.frames) } else { (0.0, total.max(1.0)) }
    }

    fn set(&mut self, start: f64, frames: f64, total: f64) {
        if frames >= total {
            *self = Self::default();
        } else {
            self.frames = frames.max(FEWEST.min(total));
            self.start = start.clamp(0.0, (total - self.frames).max(0.0));
        }
    }

    /// Closer by `factor`, with the frame `at` staying where it is.
    fn zoom(&mut self, factor: f64, at: f64, total: f64) {
        let (start, frames) = self.of(total);
        let wanted = (frames / factor).clamp(FEWEST.min(total), total.max(1.0));
        self.set(at - (at - start) * wanted / frames, wanted, total);
    }

    /// Turns the page when the playhead has left it.
    fn follow(&mut self, at: f64, total: f64) {
        let (start, frames) = self.of(total);
        if self.frames > 0.0 && !(start..=start + frames).contains(&at) {
            self.set(at - frames * 0.05, frames, total);
        }
    }
}

/// Frames to points and back.
#[derive(Clone, Copy)]
struct Scale {
    rect: Rect,
    start: f64,
    frames: f64,
}

impl Scale {
    fn x(&self, frame: f64) -> f32 {
        self.rect.left() + ((frame - self.start) / self.frames * f64::from(self.rect.width())) as f32
    }

    fn frame(&self, x: f32) -> f64 {
        self.start + f64::from((x - self.rect.left()) / self.rect.width().max(1.0)) * self.frames
    }
}

pub fn show(
    ui: &mut Ui,
    size: Vec2,
    shown: &SoundStage,
    peaks: &Peaks,
    window: &mut Window,
    commands: &mut Vec<Command>,
) {
    let p = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let pcm = peaks.pcm();
    let (total, rate_hz) = (pcm.frames() as f64, f64::from(pcm.rate_hz.max(1)));
    let player = &shown.player;
    let head = player.position() as f64;
    let seconds = head / rate_hz;
    response.widget_info(|| WidgetInfo::slider(true, seconds, "Position in the sound"));
    if player.is_playing() && !response.is_pointer_button_down_on() {
        window.follow(head, total);
    }
    zoom_and_pan(ui, &response, rect, total, window);

    let (start, frames) = window.of(total);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 6.0, p.field);
    let lanes = rect.with_min_y(rect.top() + HEIGHT);
    let scale = Scale { rect: lanes, start, frames };
    let last = (start + frames) / rate_hz;
    paint(&painter, rect.with_max_y(lanes.top()), start / rate_hz, last, &p);
    loops(&painter, scale, shown, player.is_looping(), &p);
    let channels = usize::from(pcm.channels.min(8));
    for channel in 0..channels {
        lane(&painter, scale, lane_rect(lanes, channel, channels), channel, peaks, head, &p);
    }
    cues(&painter, scale, shown, &p);
    let x = scale.x(head);
    painter.vline(x, rect.y_range(), Stroke::new(1.5, p.accent));
    painter.circle_filled(pos2(x, rect.top() + HEIGHT * 0.5), 4.0, p.accent);
    overview(&painter, rect, start, frames, total, &p);

    // The second of two clicks has shown the whole sound; the first was enough of a jump.
    let pointer = response.interact_pointer_pos().filter(|_| response.is_pointer_button_down_on());
    if let Some(pointer) = pointer.filter(|_| !ui.input(|i| i.pointer.secondary_down())) {
        let frame = scale.frame(pointer.x).clamp(0.0, total) as usize;
        if frame != player.position() {
            commands.push(Command::Sound(SoundCommand::Seek(frame)));
        }
    } else if let Some(pointer) = response.hover_pos() {
        let frame = scale.frame(pointer.x).clamp(0.0, total);
        hint(ui, rect, pointer.x, frame, rate_hz, shown, &p);
    }
}

fn lane_rect(rect: Rect, channel: usize, channels: usize) -> Rect {
    let height = rect.height() / channels as f32;
    Rect::from_min_size(rect.min + vec2(0.0, channel as f32 * height), vec2(rect.width(), height))
        .shrink2(vec2(0.0, 4.0))
}

/// The wheel zooms around the pointer, sideways or with Shift it pans; a double click shows everything.
fn zoom_and_pan(ui: &Ui, response: &egui::Response, rect: Rect, total: f64, window: &mut Window) {
    if response.double_clicked() {
        *window = Window::default();
    }
    let Some(pointer) = response.hover_pos() else { return };
    let (scroll, zoom) = ui.input(|i| (i.smooth_scroll_delta(), i.zoom_delta()));
    let (start, frames) = window.of(total);
    let scale = Scale { rect, start, frames };
    let factor = f64::from(zoom) * (f64::from(scroll.y) * 0.004).exp();
    if (factor - 1.0).abs() > 1e-4 {
        window.zoom(factor, scale.frame(pointer.x), total);
    }
    if scroll.x != 0.0 {
        let (start, frames) = window.of(total);
        if window.frames > 0.0 {
            window.set(start - f64::from(scroll.x / rect.width()) * frames, frames, total);
        }
    }
}

/// One channel, a line a point of width: what was played stands out.
fn lane(painter: &Painter, scale: Scale, rect: Rect, channel: usize, peaks: &Peaks, head: f64, p: &Palette) {
    let middle = rect.center().y;
    let half = rect.height() * 0.5 - 2.0;
    painter.hline(rect.x_range(), middle, Stroke::new(1.0, p.line));
    let y = |sample: i16| middle - f32::from(sample) / 32_768.0 * half;
    let step = 1.0 / painter.pixels_per_point().max(0.5);
    let (played, ahead) = (p.text, p.weak.gamma_multiply(0.7));
    if scale.frames < f64::from(rect.width()) * 0.75 {
        curve(painter, scale, rect, channel, peaks, y, p);
        return;
    }
    let columns = (rect.width() / step) as usize;
    for column in 0..columns {
        let x = rect.left() + column as f32 * step;
        let (first, last) = (scale.frame(x), scale.frame(x + step));
        let frames = first.max(0.0) as usize..(last.max(0.0) as usize).max(first.max(0.0) as usize + 1);
        if let Some((low, high)) = peaks.range(channel, frames) {
            let color = if first < head { played } else { ahead };
            let (top, bottom) = (y(high), y(low));
            painter.vline(x + step * 0.5, top - step * 0.5..=bottom + step * 0.5, Stroke::new(step, color));
        }
    }
}

/// Sample by sample, when they lie apart.
fn curve(
    painter: &Painter,
    scale: Scale,
    rect: Rect,
    channel: usize,
    peaks: &Peaks,
    y: impl Fn(i16) -> f32,
    p: &Palette,
) {
    let first = scale.start.max(0.0) as usize;
    let count = scale.frames as usize + 2;
    let points: Vec<_> = (first..first + count)
        .filter_map(|frame| Some(pos2(scale.x(frame as f64), y(peaks.range(channel, frame..frame + 1)?.0))))
        .collect();
    if rect.width() / scale.frames as f32 >= 6.0 {
        for point in &points {
            painter.circle_filled(*point, 2.0, p.strong);
        }
    }
    painter.add(egui::Shape::line(points, Stroke::new(1.2, p.text)));
}

fn loops(painter: &Painter, scale: Scale, shown: &SoundStage, looping: bool, p: &Palette) {
    for range in shown.loops() {
        let (from, to) = (scale.x(range.start as f64), scale.x(range.end as f64));
        let area = Rect::from_x_y_ranges(from..=to, scale.rect.y_range());
        let strength = if looping { 0.9 } else { 0.45 };
        painter.rect_filled(area, 0.0, p.card.gamma_multiply(strength));
        for (x, align) in [(from, Align2::LEFT_BOTTOM), (to, Align2::RIGHT_BOTTOM)] {
            painter.vline(x, scale.rect.y_range(), Stroke::new(1.0, p.good));
            let away = if align == Align2::LEFT_BOTTOM { 4.0 } else { -4.0 };
            let at = pos2(x + away, scale.rect.bottom() - 4.0);
            painter.text(at, align, icon::REPEAT, FontId::proportional(12.0), p.good);
        }
    }
}

fn cues(painter: &Painter, scale: Scale, shown: &SoundStage, p: &Palette) {
    for (number, cue) in shown.cues().iter().enumerate() {
        let x = scale.x(*cue as f64);
        painter.vline(x, scale.rect.y_range(), Stroke::new(1.0, p.weak.gamma_multiply(0.7)));
        let at = pos2(x + 3.0, scale.rect.top() + 2.0);
        painter.text(at, Align2::LEFT_TOP, format!("{}", number + 1), FontId::monospace(9.5), p.weak);
    }
}

/// Where the seen part lies in the whole, once it is less.
fn overview(painter: &Painter, rect: Rect, start: f64, frames: f64, total: f64, p: &Palette) {
    if frames >= total {
        return;
    }
    let bar = rect.with_min_y(rect.bottom() - 3.0);
    let x = |frame: f64| rect.left() + (frame / total) as f32 * rect.width();
    let thumb = Rect::from_x_y_ranges(x(start)..=x(start + frames).max(x(start) + 8.0), bar.y_range());
    painter.rect_filled(bar, 1.5, p.line);
    painter.rect_filled(thumb, 1.5, p.weak);
}

/// Time, and the place in the music, under the pointer.
fn hint(ui: &Ui, rect: Rect, x: f32, frame: f64, rate_hz: f64, shown: &SoundStage, p: &Palette) {
    let mut text = clock(frame / rate_hz, true);
    if let Some(at) = shown.rendering.as_ref().and_then(|r| r.position_at(frame as usize)) {
        text.push_str(&format!("   {}", place_text(at)));
    }
    let painter = ui.painter_at(rect);
    painter.vline(x, rect.y_range(), Stroke::new(1.0, p.weak.gamma_multiply(0.6)));
    let galley = painter.layout_no_wrap(text, FontId::monospace(theme::SMALL), p.strong);
    let size = galley.size() + vec2(12.0, 6.0);
    let left = (x + 8.0).min(rect.right() - size.x - 4.0).max(rect.left());
    let place = Rect::from_min_size(pos2(left, rect.top() + HEIGHT + 4.0), size);
    painter.rect(place, 4.0, p.card, Stroke::new(1.0, p.line), egui::StrokeKind::Inside);
    painter.galley(place.min + vec2(6.0, 3.0), galley, Color32::PLACEHOLDER);
}

/// Height of the ruler, in points.
pub const HEIGHT: f32 = 18.0;

/// Marks from `first` to `last` seconds.
pub fn paint(painter: &Painter, rect: Rect, first: f64, last: f64, p: &Palette) {
    let width = f64::from(rect.width());
    let span = (last - first).max(1e-9);
    let Some(step) = SECONDS_BETWEEN_MARKS.into_iter().find(|step| step / span * width >= 72.0) else { return };
    let mut mark = (first / step).ceil();
    while mark * step <= last {
        let seconds = mark * step;
        let x = rect.left() + ((seconds - first) / span * width) as f32;
        painter.vline(x, rect.bottom() - 5.0..=rect.bottom(), Stroke::new(1.0, p.weak.gamma_multiply(0.6)));
        let text = clock(seconds, step < 1.0);
        if x + text.len() as f32 * 6.0 < rect.right() {
            let at = pos2(x + 7.0, rect.top() + 2.0);
            painter.text(at, Align2::LEFT_TOP, text, FontId::monospace(9.5), p.weak);
        }
        mark += 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_the_pointer_on_its_frame_and_stays_inside() {
        let mut window = Window::default();
        window.zoom(4.0, 1_000.0, 10_000.0);
        assert_eq!(window.of(10_000.0), (750.0, 2_500.0));
        window.zoom(1e9, 1_000.0, 10_000.0);
        assert_eq!(window.of(10_000.0).1, FEWEST);
        window.zoom(1e-9, 1_000.0, 10_000.0);
        assert_eq!(window.of(10_000.0), (0.0, 10_000.0));
        window.zoom(2.0, 10_000.0, 10_000.0);
        assert_eq!(window.of(10_000.0), (5_000.0, 5_000.0));
        window.follow(100.0, 10_000.0);
        assert_eq!(window.of(10_000.0), (0.0, 5_000.0));
        let mut short = Window::default();
        short.zoom(2.0, 1.0, 3.0);
        assert_eq!(short.of(3.0), (0.0, 3.0));
    }
}
