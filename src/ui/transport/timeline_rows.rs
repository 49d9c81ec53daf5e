//! A row for each clip that plays, where several do: one for each kind of thing that clips drive.

use crate::{
    scene::{LayerIndex, LoopMode, PlayerLayer, TargetKind},
    ui::{
        command::{Command, LayerCommand, ModelCommand},
        state::{State, next_mode},
        theme::{self, Palette},
    },
};
use egui::{
    Align2, FontId, Rect, Sense, Stroke, Ui, pos2,
    text::{LayoutJob, TextFormat, TextWrapping},
    vec2,
};
use egui_phosphor::regular as icon;

/// Height of a row, in points.
const ROW: f32 = 26.0;

/// Rows that are in sight at once; more are scrolled to.
const MAX_IN_SIGHT: usize = 5;

const NAME: f32 = 190.0;

const FIGURES: f32 = 96.0;

const BUTTON: f32 = 28.0;

/// Points that the rows take; none for a clip alone, which the bar below shows whole.
pub fn height(state: &State) -> f32 {
    let Some(playback) = state.stages.front.playback() else { return 0.0 };
    let layers = playback.player.layers();
    let alone = layers.len() < 2 && !layers.iter().any(PlayerLayer::is_detached);
    if alone { 0.0 } else { layers.len().min(MAX_IN_SIGHT) as f32 * ROW + 6.0 }
}

/// What a kind of clip drives: sign and name.
pub fn kind_name(kind: TargetKind) -> (&'static str, &'static str) {
    match kind {
        TargetKind::Joints => (icon::PERSON_SIMPLE_RUN, "Bones"),
        TargetKind::Morphs => (icon::SMILEY, "Morphs"),
        TargetKind::Vertices => (icon::POLYGON, "Vertices"),
        TargetKind::TextureMatrices => (icon::ARROWS_OUT_CARDINAL, "Texture motion"),
        TargetKind::TextureSlots => (icon::IMAGES, "Texture swaps"),
        TargetKind::Registers => (icon::PALETTE, "Colour registers"),
        TargetKind::MaterialColors => (icon::PAINT_BUCKET, "Material colours"),
        TargetKind::Visibility => (icon::EYE, "Visibility"),
        TargetKind::Materials => (icon::SWATCHES, "Materials"),
        TargetKind::Clusters => (icon::CIRCLES_THREE, "Clusters"),
        TargetKind::VertexColors => (icon::PAINT_BRUSH, "Vertex colours"),
    }
}

pub fn show(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let height = height(state);
    let Some(playback) = state.stages.front.playback().filter(|_| height > 0.0) else { return };
    egui::ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(2.0, 0.0);
        for (index, layer) in (0..).map(LayerIndex).zip(playback.player.layers()) {
            ui.push_id(index, |ui| row(ui, state, (index, layer), &p, commands));
        }
    });
    ui.add_space(2.0);
}

fn row(
    ui: &mut Ui,
    state: &State,
    (index, layer): (LayerIndex, &PlayerLayer),
    p: &Palette,
    commands: &mut Vec<Command>,
) {
    let (sign, what) = kind_name(layer.kind());
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    // A narrow panel shows less of the name and no bar.
    let buttons = BUTTON * 4.0;
    let name_width = NAME.min((rect.width() - buttons - FIGURES).max(40.0));
    let name = Rect::from_min_size(rect.min, vec2(name_width, ROW));
    let right = Rect::from_min_max(pos2(rect.right() - buttons, rect.top()), rect.max);
    let figures = Rect::from_min_max(pos2(right.left() - FIGURES, rect.top()), pos2(right.left() - 6.0, rect.bottom()));
    let bar = Rect::from_min_max(pos2(name.right() + 6.0, rect.top()), pos2(figures.left() - 6.0, rect.bottom()));

    name_cell(ui, state, layer, name, (sign, what), p);
    if bar.width() > 40.0 {
        bar_cell(ui, (index, layer), bar, what, p, commands);
    }
    let text = format!("{:.1} / {}", layer.frame(), layer.clip.frame_count);
    let font = FontId::monospace(12.0);
    ui.painter().text(figures.right_center(), Align2::RIGHT_CENTER, text, font, p.text);

    let mut cells = ui.new_child(egui::UiBuilder::new().max_rect(right));
    cells.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let mut button = |ui: &mut Ui, sign: &str, label: String, on: bool, change: LayerCommand| {
            let text = egui::RichText::new(sign).size(14.0).color(if on { p.accent } else { p.text });
            let button = egui::Button::new(text).frame(false).min_size(vec2(BUTTON, ROW));
            let response = ui.add(button);
            response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::Button, true, on, &label));
            if response.on_hover_text(label).clicked() {
                commands.push(Command::Model(ModelCommand::Layer(index, change)));
            }
        };
        let mode = layer.loop_mode();
        let (sign, name, on) = loop_sign(mode);
        button(ui, sign, format!("{what}: {name}"), on, LayerCommand::SetLoop(next_mode(mode)));
        if layer.is_detached() {
            let plays = layer.plays_alone();
            let (sign, verb) = if plays { (icon::PAUSE, "pause") } else { (icon::PLAY, "play") };
            button(ui, sign, format!("{what}: {verb} separately"), false, LayerCommand::SetPlaying(!plays));
            let label = format!("{what}: sync with the main clip");
            button(ui, icon::LINK_BREAK, label, true, LayerCommand::SetDetached(false));
        } else {
            ui.add_space(BUTTON);
            let label = format!("{what}: in sync. Click to play separately");
            button(ui, icon::LINK, label, false, LayerCommand::SetDetached(true));
        }
        button(ui, icon::X, format!("{what}: remove"), false, LayerCommand::Remove);
    });
}

fn name_cell(ui: &mut Ui, state: &State, layer: &PlayerLayer, rect: Rect, kind: (&str, &str), p: &Palette) {
    let playback = state.stages.front.playback();
    let place = playback.and_then(|playback| playback.places.of(layer));
    let file = place.and_then(|place| state.core.file(place.file)).map(|f| f.name.clone());
    let name = if layer.clip.name.is_empty() { file.clone().unwrap_or_default() } else { layer.clip.name.clone() };
    let main = playback.and_then(|playback| playback.player.main());
    let is_main = main.is_some_and(|main| std::ptr::eq(main, layer));
    let response = ui.interact(rect, ui.id().with(("layer", kind.1)), Sense::hover());
    let label = format!("{}: {name}", kind.1);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &label));
    let painter = ui.painter_at(rect);
    let color = if is_main { p.accent } else { p.weak };
    painter.text(
        pos2(rect.left() + 12.0, rect.center().y),
        Align2::CENTER_CENTER,
        kind.0,
        FontId::proportional(15.0),
        color,
    );
    // Clips of one file often have the same name.
    let mut text = LayoutJob::default();
    let format = |size: f32, color| TextFormat::simple(FontId::proportional(size), color);
    text.append(&name, 0.0, format(theme::BODY, p.strong));
    text.append(kind.1, 8.0, format(theme::SMALL, p.weak));
    text.wrap = TextWrapping::truncate_at_width(rect.width() - 28.0);
    let galley = painter.layout_job(text);
    painter.galley(pos2(rect.left() + 28.0, rect.center().y - galley.size().y / 2.0), galley, p.strong);
    let fit = &layer.binding.fit;
    let of = file.filter(|file| *file != name).map(|file| format!("\n{file}")).unwrap_or_default();
    response.on_hover_text(format!("{label}{of}\n{fit}\n{} fps", layer.rate_hz()));
}

fn bar_cell(
    ui: &mut Ui,
    (index, layer): (LayerIndex, &PlayerLayer),
    rect: Rect,
    what: &str,
    p: &Palette,
    commands: &mut Vec<Command>,
) {
    let response = ui.interact(rect, ui.id().with(("layer bar", what)), Sense::click_and_drag());
    let label = format!("Timeline of {what}");
    response.widget_info(|| egui::WidgetInfo::slider(true, f64::from(layer.frame()), &label));
    let track = Rect::from_center_size(rect.center(), vec2(rect.width(), 6.0));
    let length = layer.clip.loop_frames().max(layer.clip.last_frame()).max(1e-3);
    let head = track.left() + (layer.frame() / length).clamp(0.0, 1.0) * track.width();
    let painter = ui.painter();
    painter.rect_filled(track, 3.0, p.field);
    let color = if layer.is_detached() { p.weak } else { p.accent };
    painter.rect_filled(Rect::from_min_max(track.min, pos2(head, track.bottom())), 3.0, color.gamma_multiply(0.45));
    let top = pos2(head, rect.center().y - 7.0);
    painter.line_segment([top, pos2(head, rect.center().y + 7.0)], Stroke::new(2.0, color));
    if let Some(at) =
        response.interact_pointer_pos().filter(|_| response.dragged() || response.is_pointer_button_down_on())
    {
        let share = ((at.x - track.left()) / track.width().max(1.0)).clamp(0.0, 1.0);
        let frame = (share * length).min(layer.clip.last_frame());
        commands.push(Command::Model(ModelCommand::Layer(index, LayerCommand::Seek(frame))));
    }
}

/// Sign and name of a loop mode, and whether it goes on for ever.
pub fn loop_sign(mode: LoopMode) -> (&'static str, &'static str, bool) {
    match mode {
        LoopMode::Loop => (icon::REPEAT, "Loop", true),
        LoopMode::PingPong => (icon::ARROWS_LEFT_RIGHT, "Back and forth", true),
        LoopMode::Once => (icon::ARROW_LINE_RIGHT, "Once", false),
        LoopMode::OnceReset => (icon::ARROW_U_UP_LEFT, "Once, then reset", false),
        LoopMode::OnceForthAndBack => (icon::ARROWS_LEFT_RIGHT, "Back and forth once", false),
    }
}
