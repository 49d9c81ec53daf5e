//! Short notices at the bottom right, over the panels and never over the picture. What they say is in the log too.

use crate::{
    formats::Severity,
    ui::{command::Command, state::LogEntry, theme},
};
use egui::{Align2, Area, Id, Order, RichText, Stroke, text::LayoutJob, vec2};
use egui_phosphor::regular as icon;

/// How long a notice stays, in seconds; longer when there is something to decide.
const STAYS_SECS: f64 = 6.0;

const STAYS_WITH_ACTION_SECS: f64 = 15.0;

const MOST: usize = 4;

const WIDTH: f32 = 380.0;

/// Lines of a message.
const MAX_LINES: usize = 2;

/// The notices that are seen, oldest first.
#[derive(Default)]
pub struct Toasts {
    shown: Vec<Toast>,
    count: u64,
}

struct Toast {
    /// egui remembers how large each is.
    number: u64,
    entry: LogEntry,
    /// Of egui's clock; set when it is first seen.
    until_secs: Option<f64>,
}

impl Toasts {
    pub fn add(&mut self, entry: LogEntry) {
        self.shown.retain(|t| t.entry.text() != entry.text());
        self.count += 1;
        self.shown.push(Toast { number: self.count, entry, until_secs: None });
        let surplus = self.shown.len().saturating_sub(MOST);
        self.shown.drain(..surplus);
    }

    /// Draws them above `bottom`.
    pub fn show(&mut self, ctx: &egui::Context, bottom: f32, commands: &mut Vec<Command>) {
        let now = ctx.input(|i| i.time);
        self.shown.retain(|t| t.until_secs.is_none_or(|until| now < until));
        let mut y = bottom - 8.0;
        let mut closed = None;
        for (index, toast) in self.shown.iter_mut().enumerate().rev() {
            let stays = if toast.entry.action.is_some() { STAYS_WITH_ACTION_SECS } else { STAYS_SECS };
            let until = *toast.until_secs.get_or_insert(now + stays);
            let corner = egui::pos2(ctx.content_rect().right() - 8.0, y);
            let area = Area::new(Id::new(("toast", toast.number))).order(Order::Foreground).pivot(Align2::RIGHT_BOTTOM);
            let shown = area.fixed_pos(corner).constrain(false).show(ctx, |ui| card(ui, &toast.entry, commands));
            if shown.response.contains_pointer() {
                // Being read: it stays.
                toast.until_secs = Some(until.max(now + 2.0));
            }
            if shown.inner {
                closed = Some(index);
            }
            y -= shown.response.rect.height() + 8.0;
            ctx.request_repaint_after_secs((until - now).max(0.0) as f32 + 0.05);
        }
        if let Some(index) = closed {
            self.shown.remove(index);
        }
    }
}

/// Whether it was closed.
fn card(ui: &mut egui::Ui, entry: &LogEntry, commands: &mut Vec<Command>) -> bool {
    let p = theme::palette(ui);
    let (sign, color) = match entry.severity {
        Severity::Info => (icon::INFO, p.good),
        Severity::Warning => (icon::WARNING, p.warning),
        Severity::Error => (icon::X_CIRCLE, p.error),
    };
    let frame = egui::Frame::popup(ui.style()).fill(p.card).stroke(Stroke::new(1.0, p.line)).inner_margin(10.0);
    let shown = frame.show(ui, |ui| {
        ui.set_width(WIDTH - 20.0);
        ui.horizontal_top(|ui| {
            ui.label(RichText::new(sign).size(16.0).color(color));
            ui.vertical(|ui| {
                ui.set_width(WIDTH - 84.0);
                if !entry.file.is_empty() {
                    ui.label(RichText::new(&entry.file).color(p.strong));
                }
                let message = sentence(&entry.message);
                ui.add(egui::Label::new(shortened(ui, &message)).wrap()).on_hover_text(message);
                entry.action.as_ref().is_some_and(|(name, command)| {
                    ui.add_space(4.0);
                    let button = egui::Button::new(RichText::new(&**name).color(p.on_accent)).fill(p.accent);
                    let clicked = ui.add(button.min_size(vec2(72.0, 24.0))).clicked();
                    if clicked {
                        commands.push(command.clone());
                    }
                    clicked
                })
            })
            .inner
                | theme::icon_button(ui, icon::X, "Close notification").clicked()
        })
        .inner
    });
    shown.inner
}

/// Of a long message the first lines; the rest is in the log, and in the hover.
fn shortened(ui: &egui::Ui, message: &str) -> LayoutJob {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let mut job = LayoutJob::simple(message.to_owned(), font, ui.visuals().text_color(), f32::INFINITY);
    job.wrap.max_rows = MAX_LINES;
    job
}

/// With a capital letter and a full stop, as short notices are read.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    let stop = if text.ends_with(['.', '!', '?', ')']) { "" } else { "." };
    format!("{first}{}{stop}", chars.as_str())
}
