//! The dialog for pictures of the stage: as what, how large, what moves, and where.

use crate::ui::{
    command::{Command, ExportCommand},
    export::{WIDTH, choice, confirm, path_row, scrolling, title},
    picture_draft::{PictureDraft, PictureMotion, SIDES},
    theme,
    widgets::{dialog, numbers::counted},
};
use egui::{DragValue, Id, Label, Modal, RichText, Ui, WidgetInfo, WidgetType};

/// Pictures a second.
const RATES: std::ops::RangeInclusive<f32> = 1.0..=60.0;
/// Seconds of a turn.
const TURNS: std::ops::RangeInclusive<f32> = 0.5..=60.0;
/// What a turn begins with when somebody wants to say how long it takes.
const USUAL_TURN_SECS: f32 = 6.0;

/// Shows the dialog while a picture is being prepared.
pub fn show(ui: &mut Ui, draft: Option<&PictureDraft>, commands: &mut Vec<Command>) {
    let Some(draft) = draft else { return };
    let mut edited = draft.clone();
    let width = WIDTH.min(ui.ctx().content_rect().width() - 48.0);
    let frame = dialog::frame(ui);
    let modal = Modal::new(Id::new("picture export")).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(width);
        dialog::style(ui);
        let heading = RichText::new(format!("Export image or video of {}", draft.name)).heading();
        ui.add(Label::new(heading).truncate().selectable(false));
        ui.add_space(8.0);
        scrolling(ui, &draft.name, |ui| {
            formats(ui, &mut edited);
            size(ui, &mut edited);
            if edited.moves() {
                motion(ui, &mut edited);
            }
        });
        summary(ui, draft);
        let is_in_the_way = edited.is_in_the_way();
        path_row(ui, &mut edited.path, &mut edited.overwrite, is_in_the_way, commands);
        ui.add_space(12.0);
        let can_run = !edited.path.trim().is_empty() && !edited.is_in_the_way() && draft.refusal().is_none();
        confirm(ui, can_run, ExportCommand::DrawPicture, commands)
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
        commands.insert(0, Command::Export(ExportCommand::EditPicture(Box::new(edited))));
    }
}

fn formats(ui: &mut Ui, draft: &mut PictureDraft) {
    ui.spacing_mut().item_spacing.y = 2.0;
    title(ui, "Format");
    for format in draft.formats.clone() {
        if choice(ui, draft.format == format, format.label()) {
            draft.set_format(format);
        }
    }
    ui.add_space(8.0);
}

fn size(ui: &mut Ui, draft: &mut PictureDraft) {
    title(ui, "Size and background");
    ui.horizontal(|ui| {
        let [width, height] = &mut draft.size;
        number(ui, width, "Width in pixels");
        ui.label("×");
        number(ui, height, "Height in pixels");
        ui.separator();
        let can = draft.can_be_transparent();
        ui.add_enabled(can, egui::Checkbox::new(&mut draft.transparent, "Transparent background"));
    });
    ui.add_space(8.0);
}

fn number(ui: &mut Ui, side: &mut u32, name: &str) {
    let response = ui.add(DragValue::new(side).range(SIDES).speed(4.0));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, name));
}

fn motion(ui: &mut Ui, draft: &mut PictureDraft) {
    title(ui, "Motion");
    ui.horizontal(|ui| {
        for (motion, name) in [
            (PictureMotion::Clip, "Clip, played once"),
            (PictureMotion::Turntable, "Turntable"),
            (PictureMotion::Both, "Both"),
        ] {
            let can = draft.has_clip || motion == PictureMotion::Turntable;
            ui.add_enabled_ui(can, |ui| ui.selectable_value(&mut draft.motion, motion, name));
        }
    });
    ui.horizontal(|ui| {
        let fps = ui.add(DragValue::new(&mut draft.fps).range(RATES).speed(0.2).max_decimals(2));
        fps.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Frames per second"));
        ui.label("fps");
        if draft.turns() {
            ui.separator();
            let mut is_timed = draft.turn_secs.is_some();
            ui.checkbox(&mut is_timed, "Duration of a turn");
            let mut secs = draft.turn_secs.unwrap_or(USUAL_TURN_SECS);
            let drag = DragValue::new(&mut secs).range(TURNS).speed(0.05).suffix(" s");
            let drag = ui.add_enabled(is_timed, drag);
            drag.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, is_timed, "Seconds per turn"));
            draft.turn_secs = is_timed.then_some(secs);
        }
    });
    ui.add_space(8.0);
}

/// What comes of it, or why nothing can.
fn summary(ui: &mut Ui, draft: &PictureDraft) {
    let p = theme::palette(ui);
    let (text, color) = match draft.refusal() {
        Some(why) => (why, p.warning),
        None if !draft.moves() => return,
        None => {
            let frames = counted(draft.count(), "frame");
            (format!("{frames}, {:.2} seconds", draft.shots.length_secs()), p.weak)
        }
    };
    ui.add(Label::new(RichText::new(text).color(color)).wrap().selectable(false));
    ui.add_space(8.0);
}
