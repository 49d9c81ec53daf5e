//! The clip that plays: choosing it, moving through it, its speed and its keys.

use crate::{
    scene::{Frame, LoopMode, Marker},
    ui::{
        command::{Command, ModelCommand, StageCommand, TransportCommand, keys_of},
        state::{ClipItem, DrawerPage, State},
        status_file,
        theme::{self, Palette},
        transport::{loop_sign::loop_sign, timeline_rows},
        widgets::value_text::decimals,
    },
};
use egui::{Align2, FontId, Rect, RichText, Sense, Stroke, Ui, pos2, vec2};
use egui_phosphor::regular as icon;

/// Height of the whole, in points.
const HEIGHT: f32 = 80.0;

/// What clips stand under that fit the model by number, while nothing says that they belong to it.
const OTHERS: &str = "Others that could play";

/// How near the cursor must be to a marker for its name to show, in points.
const MARKER_REACH: f32 = 5.0;

/// Ticks nearer to each other than this are left out, in points.
const TICK_DISTANCE: f32 = 3.0;

pub fn height(state: &State) -> f32 {
    HEIGHT + timeline_rows::height(state)
}

pub fn show(ui: &mut Ui, state: &mut State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 12, top: 6, bottom: 8 }).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            // In a narrow panel the seconds go first, then the speed; both are one hover or key away.
            let (with_seconds, with_speed) = (ui.available_width() >= 600.0, ui.available_width() >= 540.0);
            // Beside another stage there is little room: what the keys and the bar below do as well goes.
            let (with_ends, with_frame) = (ui.available_width() >= 430.0, ui.available_width() >= 350.0);
            buttons(ui, state.stage.playback.player.playing, with_ends, &p, commands);
            ui.add_space(8.0);
            let after = if with_frame { 178.0 } else { 76.0 }
                + if with_speed { 64.0 } else { 0.0 }
                + if with_seconds { 120.0 } else { 0.0 };
            clip_list(ui, state, &p, after, commands);
            ui.add_space(8.0);
            loop_and_speed(ui, state, with_speed, commands);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let open = state.stage.drawer;
                let (sign, name) = match open {
                    Some(_) => (icon::CARET_DOWN, "Close clips, tracks and curves"),
                    None => (icon::CARET_UP, "Clips, tracks and curves"),
                };
                if theme::icon_toggle(ui, sign, name, open.is_some()).clicked() {
                    commands.push(Command::Stage(StageCommand::ToggleDrawer(open.unwrap_or(DrawerPage::Clips))));
                }
                ui.add_space(4.0);
                if with_frame {
                    numbers(ui, state, with_seconds, &p);
                }
            });
        });
        ui.add_space(4.0);
        scrub_bar(ui, state, &p, commands);
        timeline_rows::show(ui, state, commands);
    });
}

/// First, previous, play, next, last.
pub fn buttons(ui: &mut Ui, playing: bool, with_ends: bool, p: &Palette, commands: &mut Vec<Command>) {
    let mut button = |ui: &mut Ui, sign: &str, name: &str, command: Command| {
        let keys = keys_of(ui.ctx(), &command).map(|k| format!(" ({k})")).unwrap_or_default();
        if theme::icon_button(ui, sign, &format!("{name}{keys}")).clicked() {
            commands.push(command);
        }
    };
    if with_ends {
        button(ui, icon::SKIP_BACK, "First frame", Command::Transport(TransportCommand::SeekStart));
    }
    button(ui, icon::CARET_LEFT, "Previous frame", Command::Transport(TransportCommand::Step(-1)));
    let (sign, name) = if playing { (icon::PAUSE, "Pause") } else { (icon::PLAY, "Play") };
    let text = RichText::new(sign).size(18.0).color(p.on_accent);
    let play = ui.add(egui::Button::new(text).fill(p.accent).min_size(vec2(40.0, 28.0)));
    play.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
    if play.on_hover_text(format!("{name} (Space)")).clicked() {
        commands.push(Command::Transport(TransportCommand::TogglePlay));
    }
    let mut button = |ui: &mut Ui, sign: &str, name: &str, command: Command| {
        let keys = keys_of(ui.ctx(), &command).map(|k| format!(" ({k})")).unwrap_or_default();
        if theme::icon_button(ui, sign, &format!("{name}{keys}")).clicked() {
            commands.push(command);
        }
    };
    button(ui, icon::CARET_RIGHT, "Next frame", Command::Transport(TransportCommand::Step(1)));
    if with_ends {
        button(ui, icon::SKIP_FORWARD, "Last frame", Command::Transport(TransportCommand::SeekEnd));
    }
}

/// `after`: the room that what comes after it needs, in points.
fn clip_list(ui: &mut Ui, state: &mut State, p: &Palette, after: f32, commands: &mut Vec<Command>) {
    let chosen = state.stage.playback.current().map_or_else(|| "Choose a clip".to_owned(), |c| c.name.clone());
    let width = (ui.available_width() - after).clamp(56.0, 220.0);
    let text = egui::Button::new(chosen.as_str()).truncate().right_text(RichText::new(icon::CARET_DOWN).size(11.0));
    let button = ui.add_sized(vec2(width, 28.0), text.fill(p.card));
    button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, format!("Clip: {chosen}")));
    let close = egui::PopupCloseBehavior::CloseOnClickOutside;
    egui::Popup::menu(&button).close_behavior(close).show(|ui| {
        ui.set_width(280.0);
        let filter = &mut state.stage.playback.clip_filter;
        let many = state.stage.playback.clips.len() > 8;
        if many {
            let field =
                ui.add(egui::TextEdit::singleline(filter).hint_text("Filter clips").desired_width(f32::INFINITY));
            field.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Filter clips"));
            if !field.has_focus() && ui.memory(|m| m.focused().is_none()) {
                field.request_focus();
            }
        }
        let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
        let found: Vec<&ClipItem> = state
            .stage
            .playback
            .clips
            .iter()
            .filter(|c| !many || words.iter().all(|w| c.name.to_lowercase().contains(w.as_str())))
            .collect();
        // Group names are rows between the clips; those that fit by number alone stand under a name of their own.
        let mut rows: Vec<Result<&ClipItem, &str>> = Vec::with_capacity(found.len() + 8);
        for clip in found {
            let last = rows.iter().rev().find_map(|r| r.ok());
            let group = if clip.likely { clip.group.as_str() } else { OTHERS };
            if last.is_none_or(|l| l.likely != clip.likely || clip.likely && l.group != clip.group) {
                rows.push(Err(group));
            }
            rows.push(Ok(clip));
        }
        if rows.is_empty() {
            ui.weak("No clip has all of these words in its name");
        }
        let height = theme::ROW * 14.0;
        egui::ScrollArea::vertical().max_height(height).show_rows(ui, theme::ROW, rows.len(), |ui, range| {
            for row in &rows[range] {
                match row {
                    Err(group) => {
                        ui.add_sized(vec2(ui.available_width(), theme::ROW), |ui: &mut Ui| {
                            ui.with_layout(egui::Layout::left_to_right(egui::Align::Max), |ui| {
                                ui.label(RichText::new(*group).small().color(p.weak))
                            })
                            .inner
                        });
                    }
                    Ok(clip) => {
                        let on = state.stage.plays(clip.place);
                        let sign = if on { icon::PLAY_CIRCLE } else { icon::CIRCLE };
                        let text = format!("{sign}  {}", clip.name);
                        let row = egui::Button::selectable(on, text)
                            .truncate()
                            .min_size(vec2(ui.available_width(), theme::ROW));
                        let hover =
                            if clip.likely { clip.reason.clone() } else { format!("{}\n{}", clip.group, clip.reason) };
                        if ui.add(row).on_hover_text(hover).clicked() {
                            // Whatever stands in the list plays; what fits badly says so there.
                            let known = clip.fit.plays();
                            commands.push(if known {
                                Command::Stage(StageCommand::Show(clip.place))
                            } else {
                                Command::Model(ModelCommand::PlayAnyway(clip.place))
                            });
                            ui.close();
                        }
                    }
                }
            }
        });
    });
}

fn loop_and_speed(ui: &mut Ui, state: &State, with_speed: bool, commands: &mut Vec<Command>) {
    let player = &state.stage.playback.player;
    let (sign, name, on) = loop_sign(player.loop_mode());
    let keys = keys_of(ui.ctx(), &Command::Transport(TransportCommand::CycleLoop)).unwrap_or_default();
    if theme::icon_toggle(ui, sign, &format!("Loop mode: {name} ({keys})"), on).clicked() {
        commands.push(Command::Transport(TransportCommand::CycleLoop));
    }
    if !with_speed {
        return;
    }
    let mut speed = player.speed;
    let field = egui::DragValue::new(&mut speed).speed(0.01).range(-4.0..=4.0).fixed_decimals(2).suffix("×");
    let response =
        ui.add_sized(vec2(56.0, 24.0), field).on_hover_text("Speed; negative plays backwards. Double click for 1×");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::DragValue, true, "Speed"));
    if response.double_clicked() {
        commands.push(Command::Transport(TransportCommand::SetSpeed(1.0)));
    } else if response.changed() {
        commands.push(Command::Transport(TransportCommand::SetSpeed(speed)));
    }
}

/// `12.4 / 40` and the same in seconds.
pub fn frame_text(state: &State) -> (String, String) {
    let player = &state.stage.playback.player;
    let Some(clip) = player.clip() else { return (String::new(), String::new()) };
    let frames = format!("{:.1} / {}", player.frame(), clip.frame_count);
    let seconds = format!("{:.2} / {:.2} s", player.time_secs(), player.duration_secs());
    (frames, seconds)
}

fn numbers(ui: &mut Ui, state: &State, with_seconds: bool, p: &Palette) {
    let (frames, seconds) = frame_text(state);
    let rate = state.stage.playback.player.rate_hz();
    if with_seconds {
        ui.label(theme::figures(seconds.as_str()).color(p.weak)).on_hover_text(format!("{rate} frames a second"));
        ui.add_space(12.0);
    }
    // As wide as it gets, so that nothing moves while the numbers run.
    let most = frames.split(" / ").nth(1).map_or(0, |total| total.len() * 2 + 5);
    let label = ui.label(theme::figures(format!("{frames:>most$}")).size(13.0).color(p.strong));
    label.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, format!("Frame {frames}")));
    label.on_hover_text(format!("{seconds}, {rate} frames a second"));
}

fn scrub_bar(ui: &mut Ui, state: &State, p: &Palette, commands: &mut Vec<Command>) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::click_and_drag());
    let player = &state.stage.playback.player;
    let Some(clip) = player.clip() else { return };
    // While looping, the stretch from the last frame back to the first is part of the bar.
    let last = clip.last_frame();
    let length = if player.loop_mode() == LoopMode::Loop { clip.loop_frames().max(last) } else { last }.max(1e-3);
    let inner = rect.shrink2(vec2(8.0, 0.0));
    let x_of = |frame: f32| inner.left() + frame / length * inner.width();
    let frame_at = |x: f32| ((x - inner.left()) / inner.width().max(1.0)).clamp(0.0, 1.0) * length;
    response.widget_info(|| egui::WidgetInfo::slider(true, f64::from(player.frame()), "Timeline"));

    status_file::mark(ui.ctx(), "scrub", rect);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, p.field);
    let head = x_of(player.frame());
    let done = Rect::from_min_max(rect.min, pos2(head, rect.bottom()));
    painter.rect_filled(done, egui::CornerRadius { nw: 4, sw: 4, ne: 0, se: 0 }, p.card);
    ticks(&painter, rect, state, p, x_of, length);
    markers(&painter, rect, &clip.markers, p, x_of);
    if length > last {
        // The way back to the first frame.
        let seam = Rect::from_min_max(pos2(x_of(last), rect.top()), pos2(rect.right(), rect.bottom()));
        painter.rect_filled(seam, 4.0, p.line.gamma_multiply(0.4));
    }
    painter.line_segment([pos2(head, rect.top()), pos2(head, rect.bottom())], Stroke::new(2.0, p.accent));
    painter.circle_filled(pos2(head, rect.center().y), 6.0, p.accent);

    if let Some(at) =
        response.interact_pointer_pos().filter(|_| response.dragged() || response.is_pointer_button_down_on())
    {
        commands.push(Command::Transport(TransportCommand::Seek(frame_at(at.x).min(last))));
    } else if let Some(at) = response.hover_pos() {
        let near = clip.markers.iter().filter(|m| (x_of(m.frame) - at.x).abs() <= MARKER_REACH);
        let names: Vec<&str> = near.map(|m| m.name.as_str()).collect();
        hover(ui, rect, at.x, frame_at(at.x).min(last), &names, state, p);
    }
}

fn ticks(painter: &egui::Painter, rect: Rect, state: &State, p: &Palette, x_of: impl Fn(f32) -> f32, length: f32) {
    let ticks = &state.stage.playback.ticks;
    // Whole tens, fives and frames get longer marks the more room there is.
    let width = x_of(1.0) - x_of(0.0);
    let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000].into_iter().find(|s| *s as f32 * width >= 56.0);
    if let Some(step) = step {
        let font = FontId::monospace(9.0);
        for frame in (0..=length as usize).step_by(step) {
            let x = x_of(frame as f32);
            painter.line_segment(
                [pos2(x, rect.top()), pos2(x, rect.top() + 5.0)],
                Stroke::new(1.0, p.weak.gamma_multiply(0.5)),
            );
            let digits = frame.to_string().len() as f32 * 5.5;
            if x + 3.0 + digits > rect.right() {
                continue;
            }
            painter.text(
                pos2(x + 3.0, rect.top() + 1.0),
                Align2::LEFT_TOP,
                frame,
                font.clone(),
                p.weak.gamma_multiply(0.8),
            );
        }
    }
    let mut free_from = f32::NEG_INFINITY;
    for tick in ticks.iter() {
        let x = x_of(*tick);
        if x >= free_from && x <= rect.right() {
            painter
                .line_segment([pos2(x, rect.bottom() - 6.0), pos2(x, rect.bottom() - 2.0)], Stroke::new(1.0, p.weak));
            free_from = x + TICK_DISTANCE;
        }
    }
}

/// What the clip calls at its moments: a flag each.
fn markers(painter: &egui::Painter, rect: Rect, markers: &[Marker], p: &Palette, x_of: impl Fn(f32) -> f32) {
    for marker in markers {
        let x = x_of(marker.frame);
        let foot = rect.bottom() - 2.0;
        painter.line_segment([pos2(x, rect.top() + 11.0), pos2(x, foot)], Stroke::new(1.0, p.strong));
        let flag = vec![pos2(x, rect.top() + 11.0), pos2(x + 7.0, rect.top() + 14.5), pos2(x, rect.top() + 18.0)];
        painter.add(egui::Shape::convex_polygon(flag, p.strong, Stroke::NONE));
    }
}

/// The frame and time under the cursor, and the markers there.
fn hover(ui: &Ui, rect: Rect, x: f32, frame: f32, markers: &[&str], state: &State, p: &Palette) {
    let seconds = state.stage.playback.player.secs_of(frame);
    let mut text = format!("{frame:.1}   {seconds:.2} s");
    for name in markers {
        text.push_str(&format!("\n{}  {name}", icon::FLAG));
    }
    if let Some(joint) = joint_text(state, frame) {
        text.push_str(&joint);
    }
    let painter = ui.ctx().layer_painter(egui::LayerId::new(egui::Order::Tooltip, ui.id().with("scrub hint")));
    let galley = painter.layout_no_wrap(text, FontId::monospace(theme::SMALL), p.strong);
    let size = galley.size() + vec2(12.0, 6.0);
    let left = (x - size.x / 2.0).clamp(rect.left(), (rect.right() - size.x).max(rect.left()));
    let place = Rect::from_min_size(pos2(left, rect.top() - size.y - 4.0), size);
    painter.rect_filled(place, 4.0, p.card);
    painter.rect_stroke(place, 4.0, Stroke::new(1.0, p.line), egui::StrokeKind::Inside);
    painter.galley(place.min + vec2(6.0, 3.0), galley, p.strong);
    ui.painter_at(rect)
        .line_segment([pos2(x, rect.top()), pos2(x, rect.bottom())], Stroke::new(1.0, p.weak.gamma_multiply(0.6)));
}

/// What the selected joint is in its parent at a frame.
fn joint_text(state: &State, frame: f32) -> Option<String> {
    let shown = state.stage.model()?;
    let selected = state.stage.selected_joint?;
    let name = &shown.model.skeleton.as_ref()?.joints().get(selected as usize)?.name;
    let mut player = state.stage.playback.player.clone();
    player.seek(frame);
    let mut posed = Frame::default();
    player.evaluate(&shown.model, &mut posed);
    let local = posed.locals.get(selected as usize)?;
    let (rotation, translation) = match posed.matrices.get(selected as usize).copied().flatten() {
        Some(matrix) => (glam::Quat::from_mat3a(&matrix.matrix3), matrix.translation.into()),
        None => (local.rotation, local.translation),
    };
    let (x, y, z) = rotation.to_euler(glam::EulerRot::XYZ);
    let row = |name: &str, numbers: [f32; 3], unit: &str| {
        let [x, y, z] = numbers.map(|n| decimals(n, 2));
        format!("\n{name:<9}{x:>9}{unit}{y:>9}{unit}{z:>9}{unit}")
    };
    let place = row("Position", translation.to_array(), " ");
    Some(format!("\n{name}{place}{}", row("Rotation", [x, y, z].map(f32::to_degrees), "°")))
}
