//! The models of a scene, over the picture: which are there, which are seen, on what each hangs and what it plays.

use crate::ui::{
    command::{Command, SceneCommand},
    scene_member::SceneMember,
    stage::model::scene_row,
    state::{StageScene, State},
    theme,
    widgets::dialog,
};
use egui::{Id, Rect, RichText, ScrollArea, Ui, UiBuilder, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;

const WIDTH: f32 = 288.0;

/// Room that the gizmo at the bottom left takes, in points.
const GIZMO: f32 = 100.0;

/// Room that the title and a legend at the top left take.
const TITLE: f32 = 72.0;

const MARGIN: f32 = 6.0;

/// The list at the left, over the gizmo: folded it is a line.
pub fn show(ui: &mut Ui, rect: Rect, state: &State, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.model() else { return };
    let p = theme::palette(ui);
    let scene = &shown.scene;
    // It grows upwards: as high as it was in the last frame.
    let id = Id::new(("scene list", state.stages.front.id));
    let height: f32 = ui.data(|data| data.get_temp(id)).unwrap_or(28.0);
    let bottom = rect.bottom() - GIZMO;
    let top = (bottom - height).max(rect.top() + TITLE);
    let most = (bottom - rect.top() - TITLE - 60.0).max(48.0);
    let width = WIDTH.min(rect.width() - 24.0);
    if width < 160.0 || bottom < rect.top() + TITLE {
        return;
    }
    // With room for all of it: in the room that it had, it would grow little by little.
    let area = Rect::from_min_size(pos2(rect.left() + 8.0, top), vec2(width, bottom - rect.top() - TITLE));
    let mut child = ui.new_child(UiBuilder::new().id_salt(id).max_rect(area));
    let frame = egui::Frame::new().fill(p.panel.gamma_multiply(0.92)).corner_radius(6).inner_margin(MARGIN);
    let card = frame.show(&mut child, |ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
        let open = scene.list_is_open;
        let sign = if open { icon::CARET_DOWN } else { icon::CARET_RIGHT };
        let count = scene.models.len() + 1;
        let title = if count > 1 { format!("{sign}  Scene  {count}") } else { format!("{sign}  Scene") };
        let fold = ui.add(egui::Button::new(RichText::new(title).small().color(p.text)).frame(false));
        fold.widget_info(|| WidgetInfo::selected(WidgetType::CollapsingHeader, true, open, "Models in the scene"));
        if fold.on_hover_text("Models shown together").clicked() {
            commands.push(Command::Scene(SceneCommand::ToggleList));
        }
        if !open {
            return;
        }
        ui.set_width(width - 2.0 * MARGIN);
        let names = state.stages.front.scene_names(&state.core);
        ScrollArea::vertical().max_height(most).auto_shrink([false, true]).show(ui, |ui| {
            for (member, name) in &names {
                match member {
                    SceneMember::Main => scene_row::main(ui, shown, name, commands),
                    SceneMember::Other(id) => {
                        if let Some(model) = scene.model(*id) {
                            scene_row::other(ui, state, (shown, model), name, &names, commands);
                        }
                    }
                }
            }
        });
        foot(ui, scene, commands);
    });
    let needed = card.response.rect.height();
    if (needed - height).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(id, needed));
        ui.ctx().request_discard("the height of the list of models changed");
    }
}

/// What is done to all of them, or how to get a second one.
fn foot(ui: &mut Ui, scene: &StageScene, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    if scene.models.is_empty() {
        let text = "To add a model, right-click it in the library and click “Add to the scene”, or hold Alt while \
                    dropping a file.";
        ui.add(egui::Label::new(RichText::new(text).small().color(p.weak)).wrap());
        return;
    }
    ui.horizontal(|ui| {
        // The box has to be seen on the card.
        dialog::style(ui);
        let mut beside = scene.side_by_side;
        if ui
            .checkbox(&mut beside, "Side by side")
            .on_hover_text("Place unattached models next to each other")
            .changed()
        {
            commands.push(Command::Scene(SceneCommand::ToggleSideBySide));
        }
        if theme::icon_button(ui, icon::MINUS_CIRCLE, "Remove other models").clicked() {
            commands.push(Command::Scene(SceneCommand::RemoveAll));
        }
    });
}
