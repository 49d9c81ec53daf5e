//! The curves themselves: lines, keys, tangents, the playhead, and what the pointer does with them.

use crate::{
    scene::Clip,
    ui::{
        command::{Command, ModelCommand},
        theme::{self, Palette},
        transport::curves::{
            axes, colors,
            lines::{KeyPoint, Line},
            view::{CurvesView, Drag, Drawn},
            window::Scale,
        },
        widgets::value_text::decimals,
    },
};
use egui::{Color32, FontId, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use std::collections::HashMap;

/// Points that all curves together are drawn with, about.
const POINTS: usize = 40_000;

/// Keys are dots while there are no more of them in sight.
const MAX_KEYS: usize = 3_000;

/// Tangents are drawn while there are no more keys in sight.
const MAX_TANGENTS: usize = 160;

/// Length of a tangent's handle, in points.
const HANDLE: f32 = 30.0;

/// How near the pointer must be to a curve or the playhead, in points.
const REACH: f32 = 8.0;

/// What the plot is about.
pub struct Plot<'a> {
    pub clip: &'a Clip,
    /// Where the playhead is.
    pub frame: f32,
    /// Lines that are shown, into the view's lines.
    pub shown: Vec<usize>,
    pub values: axes::Values,
}

/// Draws the plot; returns the line under the pointer.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    plot: &Plot<'_>,
    view: &mut CurvesView,
    commands: &mut Vec<Command>,
) -> Option<usize> {
    let p = theme::palette(ui);
    let response = ui.interact(rect, ui.id().with("curves"), Sense::click_and_drag());
    let frame = f64::from(plot.frame);
    response.widget_info(|| WidgetInfo::slider(true, frame, "Position in the curves"));
    let body = Rect::from_min_max(rect.min + vec2(axes::GUTTER, axes::RULER), rect.max);
    if view.window.fits {
        view.window.fit(f64::from(plot.clip.frame_count), extent(plot, view));
    }
    let scale = Scale { rect: body, window: view.window };
    point(ui, &response, scale, plot, view, commands);
    let scale = Scale { rect: body, window: view.window };

    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 6.0, p.field);
    let inside = ui.painter_at(body);
    axes::grid(&inside, &painter, scale, plot.clip, plot.values, &p);
    let pointer = response.hover_pos().filter(|at| body.contains(*at) && view.drag == Drag::Nothing);
    let near = pointer.and_then(|at| nearest(at, scale, plot, view));
    let mut drawn = std::mem::take(&mut view.drawn);
    let of = Some((scale, view.level, view.made_for, plot.shown.len()));
    if drawn.of != of {
        drawn = Drawn { of, runs: HashMap::new() };
    }
    curves(&inside, scale, plot, view, near.or(view.pointed), ui.visuals().dark_mode, &mut drawn);
    view.drawn = drawn;
    let ruler = Rect::from_min_max(pos2(body.left(), rect.top()), pos2(rect.right(), body.top()));
    axes::ruler(&ui.painter_at(ruler), ruler, scale, &plot.clip.markers, &p);
    playhead(&painter, rect.with_min_x(body.left()), scale, plot.frame, &p);
    if let Some(at) = pointer {
        hint(ui, rect, at, scale, plot, view, near, &p);
    }
    near
}

/// Least and greatest value of the lines that are shown.
fn extent(plot: &Plot<'_>, view: &CurvesView) -> (f64, f64) {
    let ranges = plot.shown.iter().filter_map(|l| view.lines.list.get(*l)).map(|l| view.shaped(l, l.range));
    ranges.fold((f64::MAX, f64::MIN), |(low, high), (a, b)| (low.min(a.into()), high.max(b.into())))
}

/// The wheel zooms, dragging moves the plane, or the playhead when it began on that or on the ruler.
fn point(
    ui: &Ui,
    response: &Response,
    scale: Scale,
    plot: &Plot<'_>,
    view: &mut CurvesView,
    commands: &mut Vec<Command>,
) {
    let head = scale.x(f64::from(plot.frame));
    let on_head = |at: Pos2| (at.y < scale.rect.top() && at.x >= scale.rect.left()) || (at.x - head).abs() <= REACH;
    let pressed = response.is_pointer_button_down_on();
    if pressed && view.drag == Drag::Nothing {
        let origin = ui.input(|i| i.pointer.press_origin());
        let primary = ui.input(|i| i.pointer.primary_down());
        view.drag = match origin {
            Some(at) if primary && on_head(at) => Drag::Seek,
            Some(_) => Drag::Pan,
            None => Drag::Nothing,
        };
    } else if !pressed {
        view.drag = Drag::Nothing;
    }
    if response.double_clicked() && response.interact_pointer_pos().is_none_or(|at| at.y >= scale.rect.top()) {
        view.window.fits = true;
    }
    let density = scale.density();
    match view.drag {
        Drag::Seek => {
            if let Some(at) = response.interact_pointer_pos() {
                let last = f64::from(plot.clip.last_frame());
                let frame = scale.frame(at.x).clamp(0.0, last) as f32;
                if (frame - plot.frame).abs() > 1e-4 {
                    commands.push(Command::Model(ModelCommand::SeekCurves(frame)));
                }
            }
        }
        Drag::Pan if response.dragged() => {
            let delta = response.drag_delta();
            view.window.pan(f64::from(-delta.x / density.0), f64::from(delta.y / density.1));
        }
        _ => {}
    }
    let Some(at) = response.hover_pos() else { return };
    let over_head = view.drag == Drag::Seek || on_head(at);
    ui.ctx().set_cursor_icon(match view.drag {
        Drag::Pan => egui::CursorIcon::Grabbing,
        _ if over_head => egui::CursorIcon::ResizeHorizontal,
        _ => egui::CursorIcon::Crosshair,
    });
    let (scroll, zoom, alt) = ui.input(|i| (i.smooth_scroll_delta(), f64::from(i.zoom_delta()), i.modifiers.alt));
    let place = (scale.frame(at.x), scale.value(at.y));
    let wheel = (f64::from(scroll.y) * 0.004).exp();
    let on_values = at.x < scale.rect.left() && at.y > scale.rect.top();
    if (zoom - 1.0).abs() > 1e-4 {
        view.window.zoom(zoom, zoom, place);
    } else if scroll.y != 0.0 && (alt || on_values) {
        view.window.zoom(1.0, wheel, place);
    } else if scroll.y != 0.0 {
        view.window.zoom(wheel, 1.0, place);
    }
    if scroll.x != 0.0 {
        view.window.pan(f64::from(-scroll.x / density.0), 0.0);
    }
}

/// All lines that are shown; the one that is pointed at over the others.
fn curves(
    painter: &Painter,
    scale: Scale,
    plot: &Plot<'_>,
    view: &CurvesView,
    pointed: Option<usize>,
    dark: bool,
    drawn: &mut Drawn,
) {
    let clip = plot.clip;
    let (from, to) = (scale.window.frames.0.max(-1.0) as f32, scale.window.frames.1 as f32);
    let step = (plot.shown.len() as f32 * scale.rect.width() / POINTS as f32).max(1.5);
    let order = plot.shown.iter().copied().filter(|l| Some(*l) != pointed).chain(pointed);
    let mut keys_left = MAX_KEYS;
    let tangents = !view.no_tangents && {
        let in_sight =
            |l: &usize| view.lines.list.get(*l).map_or(0, |l| l.keys(clip, from, to).take(MAX_TANGENTS).count());
        plot.shown.iter().map(in_sight).sum::<usize>() < MAX_TANGENTS
    };
    for index in order {
        let Some(line) = view.lines.list.get(index) else { continue };
        let strong = Some(index) == pointed;
        let full = colors::of(line.hue, dark);
        let color = if pointed.is_some() && !strong { full.gamma_multiply(0.45) } else { full };
        let stroke = Stroke::new(if strong { 2.5 } else { 1.5 }, color);
        for run in drawn.runs.entry(index).or_insert_with(|| runs(line, clip, scale, view, step)) {
            painter.add(Shape::line(run.clone(), stroke));
        }
        // Dots need room between them.
        let dense = line.key_count as f32 / clip.frame_count.max(1) as f32 / scale.density().0 > 1.0 / 5.0;
        if dense && !strong || keys_left == 0 {
            continue;
        }
        for key in line.keys(clip, from, to).take(keys_left) {
            keys_left -= 1;
            let at = scale.pos(key.frame, view.shaped(line, (key.value, 0.0)).0);
            if tangents || strong {
                handles(painter, scale, view, line, key, at, color);
            }
            dot(painter, at, color, strong);
        }
    }
}

/// A line as runs of points: every step of pixels, or from key to key where values hold.
fn runs(line: &Line, clip: &Clip, scale: Scale, view: &CurvesView, step: f32) -> Vec<Vec<Pos2>> {
    let rect = scale.rect;
    let mut runs = Vec::new();
    let mut run: Vec<Pos2> = Vec::new();
    let at = |frame: f32, value: f32| scale.pos(frame, view.shaped(line, (value, 0.0)).0);
    let (start, end) = (scale.x(0.0).max(rect.left()), rect.right());
    if line.steps(clip) {
        let (from, to) = (scale.frame(start) as f32, scale.frame(end) as f32);
        let mut level = line.value(clip, from);
        run.extend(level.map(|v| at(from, v)));
        // Between two pixels there is at most one step to be seen.
        let mut last = f32::NEG_INFINITY;
        for key in line.keys(clip, from, to) {
            let Some(before) = level.replace(key.value) else { continue };
            if (before - key.value).abs() > 0.0 && scale.x(f64::from(key.frame)) - last > 0.5 {
                last = scale.x(f64::from(key.frame));
                run.push(at(key.frame, before));
                run.push(at(key.frame, key.value));
            }
        }
        run.extend(level.map(|v| at(to, v)));
        return vec![run];
    }
    if line.is_still() {
        let level = line.value(clip, 0.0).map(|v| [at(scale.frame(start) as f32, v), at(scale.frame(end) as f32, v)]);
        return level.map(|ends| ends.to_vec()).into_iter().collect();
    }
    let mut before: Option<f32> = None;
    // Keys are points of the line wherever the pixels fall: peaks keep their height.
    let mut keys = line.keys(clip, scale.frame(start) as f32, scale.frame(end) as f32).peekable();
    let mut x = start;
    while x <= end {
        let frame = scale.frame(x) as f32;
        let mut points = 0;
        while let Some(key) = keys.next_if(|k| k.frame <= frame) {
            points += 1;
            // Two keys of one frame are a jump.
            if points <= 8 && !line.turns() {
                run.push(at(key.frame, line.value(clip, key.frame - 1e-3).unwrap_or(key.value)));
                run.push(at(key.frame, key.value));
            }
        }
        let value = line.value(clip, frame);
        let breaks = line.turns() && before.zip(value).is_some_and(|(a, b)| (a - b).abs() > 180.0);
        if value.is_none() || breaks {
            runs.push(std::mem::take(&mut run));
        }
        run.extend(value.map(|v| at(frame, v)));
        before = value;
        x += step;
    }
    runs.push(run);
    runs.retain(|r| r.len() > 1);
    runs
}

fn dot(painter: &Painter, at: Pos2, color: Color32, strong: bool) {
    let size = if strong { 4.0 } else { 3.0 };
    let diamond = [vec2(0.0, -size), vec2(size, 0.0), vec2(0.0, size), vec2(-size, 0.0)].map(|d| at + d).to_vec();
    painter.add(Shape::convex_polygon(diamond, color, Stroke::NONE));
}

/// The slopes at a key, on both sides.
fn handles(painter: &Painter, scale: Scale, view: &CurvesView, line: &Line, key: KeyPoint, at: Pos2, color: Color32) {
    let Some((before, after)) = key.tangents else { return };
    let (across, up) = scale.density();
    let faint = color.gamma_multiply(0.7);
    for (slope, side) in [(before, -1.0), (after, 1.0)] {
        let slope = slope * view.shaping(line).0;
        let way = vec2(across, -slope * up).normalized() * HANDLE * side;
        if way.is_finite() {
            painter.line_segment([at, at + way], Stroke::new(1.0, faint));
            painter.circle(at + way, 2.5, Color32::TRANSPARENT, Stroke::new(1.0, faint));
        }
    }
}

fn playhead(painter: &Painter, rect: Rect, scale: Scale, frame: f32, p: &Palette) {
    let x = scale.x(f64::from(frame));
    if !rect.expand(2.0).x_range().contains(x) {
        return;
    }
    painter.vline(x, rect.y_range(), Stroke::new(1.5, p.accent));
    let text = decimals(frame, 1);
    let galley = painter.layout_no_wrap(text, FontId::monospace(10.0), p.on_accent);
    let size = galley.size() + vec2(10.0, 4.0);
    let left = (x - size.x / 2.0).clamp(rect.left(), (rect.right() - size.x).max(rect.left()));
    let flag = Rect::from_min_size(pos2(left, rect.top() + 2.0), size);
    painter.rect_filled(flag, 4.0, p.accent);
    painter.galley(flag.min + vec2(5.0, 2.0), galley, p.on_accent);
}

/// The line nearest to the pointer, when it is near enough.
fn nearest(at: Pos2, scale: Scale, plot: &Plot<'_>, view: &CurvesView) -> Option<usize> {
    let mut best: Option<(f32, usize)> = None;
    for index in &plot.shown {
        let Some(line) = view.lines.list.get(*index) else { continue };
        // Steep lines are near though they are not at this very frame.
        for offset in [-3.0, 0.0, 3.0] {
            let frame = scale.frame(at.x + offset) as f32;
            let Some(value) = line.value(plot.clip, frame) else { continue };
            let distance = (scale.pos(frame, view.shaped(line, (value, 0.0)).0) - at).length();
            if distance <= REACH && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, *index));
            }
        }
    }
    best.map(|(_, index)| index)
}

/// The frame under the pointer, and the line there with its value, or its key.
#[expect(clippy::too_many_arguments, reason = "needs the pointer position, the curves and their scale")]
fn hint(
    ui: &Ui,
    rect: Rect,
    at: Pos2,
    scale: Scale,
    plot: &Plot<'_>,
    view: &CurvesView,
    near: Option<usize>,
    p: &Palette,
) {
    let frame = scale.frame(at.x) as f32;
    let seconds = if plot.clip.rate_hz > 0.0 { frame / plot.clip.rate_hz } else { 0.0 };
    let mut text = format!("frame {}   {} s", decimals(frame, 1), decimals(seconds, 2));
    let line = near.and_then(|index| view.lines.list.get(index).map(|line| (index, line)));
    if let Some((index, line)) = line {
        let group = view.lines.group_of(index).map_or("", |g| g.name.as_str());
        let key = line.keys(plot.clip, scale.frame(at.x - 6.0) as f32, scale.frame(at.x + 6.0) as f32);
        let distance = |k: &KeyPoint| (scale.pos(k.frame, view.shaped(line, (k.value, 0.0)).0) - at).length();
        let key = key.min_by(|a, b| distance(a).total_cmp(&distance(b))).filter(|k| distance(k) <= REACH);
        let places = if line.whole { 0 } else { 3 };
        let number = |value: f32| format!("{}{}", decimals(value, places), line.unit);
        match key {
            Some(key) => {
                text = format!("{group}  {}\nkey at {}: {}", line.name, decimals(key.frame, 2), number(key.value));
                if let Some((before, after)) = key.tangents {
                    let slope = |v: f32| format!("{}{} per frame", decimals(v, 3), line.unit);
                    text.push_str(&match before == after {
                        true => format!("\ntangent {}", slope(before)),
                        false => format!("\ntangents {} in, {} out", slope(before), slope(after)),
                    });
                }
            }
            None => {
                let value = line.value(plot.clip, frame).map(number).unwrap_or_default();
                text = format!("{group}  {}\n{value}\n{text}", line.name);
            }
        }
    }
    let painter = ui.ctx().layer_painter(egui::LayerId::new(egui::Order::Tooltip, ui.id().with("curve hint")));
    let galley = painter.layout_no_wrap(text, FontId::monospace(theme::SMALL), p.strong);
    let size = galley.size() + vec2(14.0, 8.0);
    let right = at.x + 14.0 + size.x <= rect.right();
    let left = if right { at.x + 14.0 } else { (at.x - 14.0 - size.x).max(rect.left()) };
    let top = (at.y + 14.0).min(rect.bottom() - size.y);
    let place = Rect::from_min_size(pos2(left, top), size);
    painter.rect_filled(place, 4.0, p.card);
    painter.rect_stroke(place, 4.0, Stroke::new(1.0, p.line), egui::StrokeKind::Inside);
    painter.galley(place.min + vec2(7.0, 4.0), galley, p.strong);
}
