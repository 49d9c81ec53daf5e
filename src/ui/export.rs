//! The export dialog: what an entry is written as, with what, and where.

pub mod picture;
mod space;

use crate::{
    bytes::numbers::grouped,
    export::size_text,
    ui::{
        command::{Command, ExportCommand, LargeExport},
        state::{DraftClip, ExportDraft},
        theme,
        widgets::{
            dialog,
            put::{put, put_text},
            rows::Rows,
        },
    },
};
use egui::{
    Align, Button, DragValue, Id, Label, Layout, Modal, Rect, RichText, ScrollArea, Sense, TextEdit, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};
use egui_phosphor::regular as icon;

const WIDTH: f32 = 460.0;

const ROW_HEIGHT: f32 = 28.0;

/// Height of the list of animations, at most.
const LIST_HEIGHT: f32 = 140.0;

/// Height of what does not scroll: the heading, the file, the buttons and the edges.
const FIXED_HEIGHT: f32 = 260.0;

/// Samples between vertices of a ground.
const MAX_STEP: u32 = 1_024;

/// Metres that can be added to what is east.
const FARTHEST: f64 = 10_000_000.0;

/// Where the maps of Terrain Builder start, in metres.
const TERRAIN_BUILDER: f64 = 200_000.0;

/// Shows the dialog while an export is being prepared.
pub fn show(ui: &mut Ui, draft: Option<&ExportDraft>, commands: &mut Vec<Command>) {
    let Some(draft) = draft else { return };
    let mut edited = draft.clone();
    let width = WIDTH.min(ui.ctx().content_rect().width() - 48.0);
    let frame = dialog::frame(ui);
    let modal = Modal::new(Id::new("export")).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(width);
        dialog::style(ui);
        ui.add(Label::new(RichText::new(format!("Export {}", draft.name)).heading()).truncate().selectable(false));
        ui.add_space(8.0);
        scrolling(ui, &draft.name, |ui| {
            formats(ui, &mut edited);
            options(ui, &mut edited);
            picture_options(ui, &mut edited);
            terrain_options(ui, &mut edited);
        });
        let is_in_the_way = edited.is_in_the_way();
        path_row(ui, &mut edited.path, &mut edited.overwrite, is_in_the_way, commands);
        ui.add_space(12.0);
        let can_run = !edited.path.trim().is_empty() && !edited.is_in_the_way();
        confirm(ui, can_run, ExportCommand::Run, commands)
    });
    let closes = modal.should_close();
    if closes || modal.inner {
        // Else the field that is gone would take the next frame's keys.
        ui.memory_mut(egui::Memory::stop_text_input);
    }
    if closes {
        commands.push(Command::Export(ExportCommand::Cancel));
    } else if edited != *draft {
        // Before the command that acts on it.
        commands.insert(0, Command::Export(ExportCommand::Edit(Box::new(edited))));
    }
}

/// Asks whether an export is to be written that would be very large.
pub fn show_large(ui: &Ui, large: Option<&LargeExport>, commands: &mut Vec<Command>) {
    let Some(large) = large else { return };
    let size = size_text(large.size);
    let text = format!("{} will be {size}. This is much larger than expected for its source file.", large.name);
    let body = |ui: &mut Ui| drop(ui.add(Label::new(text).wrap()));
    let answer = dialog::question(ui, "Very large export", ["Export anyway", "Cancel"], dialog::Enter::First, body);
    commands.extend(
        answer.map(|write| Command::Export(if write { ExportCommand::WriteLarge } else { ExportCommand::Cancel })),
    );
}

/// Shows choices that scroll where the window is too low for all of them.
fn scrolling(ui: &mut Ui, name: &str, choices: impl FnOnce(&mut Ui)) {
    let height = (ui.ctx().content_rect().height() - FIXED_HEIGHT).max(3.0 * ROW_HEIGHT);
    ScrollArea::vertical().id_salt(("choices", name)).max_height(height).auto_shrink([false, true]).show(ui, choices);
}

fn title(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).weak()).selectable(false));
}

fn formats(ui: &mut Ui, draft: &mut ExportDraft) {
    ui.spacing_mut().item_spacing.y = 2.0;
    title(ui, "Format");
    for format in draft.formats.clone() {
        if choice(ui, draft.format == format, format.label()) {
            draft.set_format(format);
        }
    }
    ui.add_space(8.0);
}

/// A row of several of which one is chosen; whether it was clicked.
fn choice(ui: &mut Ui, is_chosen: bool, label: &str) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::selected(WidgetType::RadioButton, true, is_chosen, label));
    let p = theme::palette(ui);
    let fill = match (is_chosen, response.hovered()) {
        (true, _) => p.accent_soft,
        (false, true) => p.hover,
        _ => egui::Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, 4.0, fill);
    let mark = if is_chosen { icon::RADIO_BUTTON } else { icon::CIRCLE };
    let inner = rect.shrink2(vec2(8.0, 0.0));
    let color = if is_chosen { p.accent } else { p.weak };
    put_text(ui, inner, Align::Min, color, RichText::new(mark).size(16.0));
    let text = Rect::from_min_max(inner.min + vec2(26.0, 0.0), inner.max);
    put_text(ui, text, Align::Min, if is_chosen { p.strong } else { p.text }, RichText::new(label));
    response.clicked()
}

fn options(ui: &mut Ui, draft: &mut ExportDraft) {
    if draft.takes_clips() {
        clips(ui, draft);
        if let Some(rate_hz) = draft.rate_hz.as_mut() {
            ui.horizontal(|ui| {
                for rate in [30.0, 60.0] {
                    ui.selectable_value(rate_hz, rate, format!("{rate} fps"));
                }
            });
        }
        ui.add_space(8.0);
    }
    if draft.takes_bones() {
        title(ui, "Skeleton");
        ui.checkbox(&mut draft.plain_skeleton, "Plain skeleton, without helper nodes");
        ui.add_space(8.0);
    }
    if let (true, Some(frame)) = (draft.takes_pose(), draft.frame) {
        title(ui, "Pose");
        ui.horizontal(|ui| {
            ui.selectable_value(&mut draft.posed, true, format!("Frame {frame:.1}"));
            let still = if draft.bind_pose { "Bind pose" } else { "Rest pose" };
            ui.selectable_value(&mut draft.posed, false, still);
        });
        ui.add_space(8.0);
    }
    if draft.format.has_space() {
        title(ui, "Size and axes");
        space::show(ui, draft);
        ui.add_space(8.0);
    }
}

/// The clips that can go into the file, each with a check mark: the model's own first.
fn clips(ui: &mut Ui, draft: &mut ExportDraft) {
    let playing = draft.playing;
    let clips = draft.clips.get_or_insert_default();
    let taken = clips.iter().filter(|clip| clip.taken).count();
    title(ui, &format!("Clips: {} of {}", grouped(taken), grouped(clips.len())));
    let clips_differ = clips.iter().any(|clip| !clip.belongs);
    ui.horizontal(|ui| {
        let mut take = |ui: &mut Ui, name: &str, hint: &str, takes: &dyn Fn(&DraftClip) -> bool| {
            let is_chosen = clips.iter().all(|clip| clip.taken == takes(clip));
            if ui.selectable_label(is_chosen, name).on_hover_text(hint).clicked() {
                clips.iter_mut().for_each(|clip| clip.taken = takes(clip));
            }
        };
        if clips_differ {
            take(ui, "Own clips", "Clips that match this model by name, folder or skeleton", &|clip| clip.belongs);
        }
        take(ui, "All matching", "All matching clips, including clips that may belong to other models", &|_| true);
        if playing.is_some() {
            take(ui, "Current clip", "", &|clip| Some(clip.place) == playing);
        }
        take(ui, "None", "", &|_| false);
    });
    let height = ROW_HEIGHT - 6.0 + ui.spacing().item_spacing.y;
    Rows::new("animations", clips.len()).height(height).up_to(LIST_HEIGHT).show(ui, |ui, row| {
        let clip = &mut clips[row.index];
        ui.checkbox(&mut clip.taken, &clip.name);
        let reason = RichText::new(&clip.reason).small().weak();
        ui.add(Label::new(reason).truncate()).on_hover_text(&clip.reason);
    });
}

/// What pictures can be written with.
fn picture_options(ui: &mut Ui, draft: &mut ExportDraft) {
    use crate::export::ExportFormat;
    if matches!(draft.format, ExportFormat::Png | ExportFormat::Tga) {
        ui.checkbox(&mut draft.mips, "Export each mip level to its own file");
        ui.add_space(8.0);
    }
}

/// What landscapes can be written with.
fn terrain_options(ui: &mut Ui, draft: &mut ExportDraft) {
    if draft.takes_step() {
        title(ui, "Ground");
        ui.horizontal(|ui| {
            ui.label("One vertex per");
            let step = ui.add(DragValue::new(&mut draft.step).range(1..=MAX_STEP));
            step.labelled_by(ui.label(if draft.step == 1 { "sample" } else { "samples" }).id);
        });
        ui.add_space(8.0);
    }
    if draft.takes_easting() {
        title(ui, "Easting offset");
        ui.horizontal(|ui| {
            let easting =
                ui.add(DragValue::new(&mut draft.easting).range(-FARTHEST..=FARTHEST).suffix(" m").speed(100.0));
            easting.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Easting offset in metres"));
            ui.selectable_value(&mut draft.easting, 0.0, "None");
            ui.selectable_value(&mut draft.easting, TERRAIN_BUILDER, "Terrain Builder");
        });
        ui.add_space(8.0);
    }
}

/// The file to write; and where one is there, whether it is written over.
fn path_row(ui: &mut Ui, path: &mut String, overwrite: &mut bool, is_in_the_way: bool, commands: &mut Vec<Command>) {
    title(ui, "File");
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    let button = Rect::from_min_max(pos2(rect.right() - 96.0, rect.top()), rect.max);
    let field = Rect::from_min_max(rect.min, pos2(button.left() - 8.0, rect.bottom()));
    put(ui, field, Layout::left_to_right(Align::Center), |ui| {
        let edit = TextEdit::singleline(path).desired_width(f32::INFINITY);
        let edit = ui.add(edit.margin(egui::Margin::symmetric(8, 5)));
        edit.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Output file"));
        // What is typed goes into it, unless something else of the dialog has the keyboard.
        if !edit.has_focus() && ui.memory(|memory| memory.focused().is_none()) {
            edit.request_focus();
        }
        if edit.changed() {
            *overwrite = false;
        }
    });
    put(ui, button, Layout::left_to_right(Align::Center), |ui| {
        if ui.add(Button::new("Browse…").min_size(button.size())).clicked() {
            commands.push(Command::Export(ExportCommand::Browse));
        }
    });
    if *overwrite || is_in_the_way {
        ui.add_space(4.0);
        ui.checkbox(overwrite, "Overwrite existing file");
    }
}

/// The buttons of a dialog: what it does, and nothing. Whether one of them was pressed.
fn confirm(ui: &mut Ui, can_run: bool, run: ExportCommand, commands: &mut Vec<Command>) -> bool {
    let p = theme::palette(ui);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), 32.0), Layout::right_to_left(Align::Center), |ui| {
        let size = vec2(104.0, 32.0);
        let text = RichText::new(format!("{}  Export", icon::EXPORT)).color(p.on_accent).strong();
        let button = ui.add_enabled(can_run, Button::new(text).fill(p.accent).min_size(size));
        button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, can_run, "Export"));
        let runs = button.clicked() || (can_run && dialog::is_confirmed(ui));
        if runs {
            commands.push(Command::Export(run));
        }
        let cancels = ui.add(Button::new("Cancel").min_size(size)).clicked();
        if cancels {
            commands.push(Command::Export(ExportCommand::Cancel));
        }
        runs || cancels
    })
    .inner
}
