//! A model on the stage.

pub mod legend;
pub mod marks;
mod missing;
pub mod morphs;
pub mod scene;
pub mod scene_list;
mod scene_row;
pub mod uv_layout;

use crate::{
    formats::{Content, EntryId},
    ui::{
        command::{Action, CameraCommand, Command, ModelCommand, SelectionCommand, ViewCommand, with_keys},
        saved_view::ViewToggle,
        stage::{
            camera_mouse::{orbit_mouse, steer},
            gizmo::gizmo,
            hidden_line,
            model::marks::{place_of, socket_near},
            view_menus::{direction_items, shading_items, shading_name},
        },
        state::{Shading, State},
        theme::{self, Palette},
        widgets::{numbers::counted, part_menu},
    },
};
use egui::{FontId, Pos2, Rect, Response, Ui, vec2};
use egui_phosphor::regular as icon;

/// How near a click must be to a joint, in points.
const PICK_DISTANCE: f32 = 12.0;

/// Most bone names drawn at once; further ones would cover each other.
const MAX_NAMES: usize = 400;

/// What is drawn over the picture of a model, and the mouse on it.
pub fn show(ui: &mut Ui, rect: Rect, response: &Response, state: &State, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.model() else { return };
    let p = theme::palette(ui);
    steer(ui, state, commands);
    mouse(ui, rect, response, state, commands);
    if state.stages.front.view.options.bone_names {
        bone_names(&ui.painter_at(rect), rect, state, &p);
    }
    marks::show(&ui.painter_at(rect), rect, state, &p);
    title(ui, rect, state, &scene::palette_over(state, ui));
    gizmo(ui, rect, state, shown.model.file_from_scene, ["x", "y", "z"], commands);
    legend::show(ui, rect, state, commands);
    uv_layout::show(ui, rect, state, &p, commands);
    buttons(ui, rect, state, commands);
    morphs::show(ui, rect, state, &p, commands);
    scene_list::show(ui, rect, state, commands);
    missing::show(ui, rect, state, commands);
    hidden_line::show(ui, rect, state, &p, commands);
    egui::Popup::context_menu(response).show(|ui| part_menu::of_selected(ui, state, commands));
}

fn mouse(ui: &Ui, rect: Rect, response: &Response, state: &State, commands: &mut Vec<Command>) {
    orbit_mouse(ui, rect, response, commands);
    if response.double_clicked() {
        let on_bone = response.interact_pointer_pos().filter(|_| state.stages.front.view.options.skeleton);
        let joint = on_bone.and_then(|at| joint_near(rect, at, state));
        commands.push(
            joint.map_or(Command::Camera(CameraCommand::Frame), |it| Command::Camera(CameraCommand::FocusJoint(it))),
        );
    } else if (response.clicked() || response.secondary_clicked())
        && let Some(at) = response.interact_pointer_pos()
    {
        let joint =
            Some(at).filter(|_| state.stages.front.view.options.skeleton).and_then(|at| joint_near(rect, at, state));
        let share = (at - rect.min) / rect.size().max(vec2(1.0, 1.0));
        commands.push(match (socket_near(rect, at, state, PICK_DISTANCE), joint) {
            (Some(socket), _) => Command::Selection(SelectionCommand::Socket(socket)),
            (None, Some(joint)) => Command::Selection(SelectionCommand::Joint(Some(joint))),
            (None, None) => Command::Model(ModelCommand::Pick(glam::vec2(share.x, share.y))),
        });
    }
}

fn joint_near(rect: Rect, at: Pos2, state: &State) -> Option<u32> {
    let joints = state.stages.front.playback()?.frame.world_from_joint.iter().enumerate();
    joints
        .filter_map(|(index, m)| Some((index as u32, place_of(rect, state, m.translation.into())?.distance(at))))
        .filter(|(_, distance)| *distance <= PICK_DISTANCE)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(index, _)| index)
}

fn bone_names(painter: &egui::Painter, rect: Rect, state: &State, p: &Palette) {
    let Some(shown) = state.stages.front.model() else { return };
    let Some(skeleton) = &shown.model.skeleton else { return };
    let font = FontId::proportional(theme::SMALL);
    let mut taken: Vec<Rect> = Vec::new();
    let named = skeleton.joints().iter().zip(&shown.playback.frame.world_from_joint).enumerate();
    for (index, (joint, matrix)) in named {
        let Some(at) = place_of(rect, state, matrix.translation.into()).filter(|at| rect.contains(*at)) else {
            continue;
        };
        let selected = shown.selected.joint == Some(index as u32);
        let color = if selected { p.accent } else { p.strong };
        let galley = painter.layout_no_wrap(joint.name.clone(), font.clone(), color);
        let label = Rect::from_min_size(at + vec2(6.0, -galley.size().y / 2.0), galley.size());
        if taken.len() >= MAX_NAMES || (!selected && taken.iter().any(|r| r.intersects(label))) {
            continue;
        }
        taken.push(label);
        painter.rect_filled(label.expand2(vec2(3.0, 1.0)), 3.0, p.base.gamma_multiply(0.7));
        painter.galley(label.min, galley, color);
    }
}

/// What is shown, in small print at the top left.
fn title(ui: &Ui, rect: Rect, state: &State, p: &Palette) {
    let Some(shown) = state.stages.front.model() else { return };
    let painter = ui.painter_at(rect);
    let file = state.core.file(shown.place.file);
    // A model inside something has a name of its own.
    let several = file.is_some_and(|f| {
        let inside = f.document.format().companions.is_empty() && shown.place.entry != EntryId::FILE;
        inside || f.document.outline().with_content(Content::Model).nth(1).is_some()
    });
    let name = match file {
        Some(file) if several => format!("{}  ·  {}", shown.model.name, file.name),
        Some(file) => file.name.clone(),
        None => shown.model.name.clone(),
    };
    let mut facts = [
        counted(state.stages.front.shown_triangles(), "triangle"),
        match shown.model.vertex_frame_count() {
            0 => counted(shown.model.joint_count(), "bone"),
            frames => counted(frames as usize, "frame"),
        },
        counted(shown.model.materials.len(), "material"),
    ]
    .join("  ·  ");
    if let Some(joint) = state.stages.front.selected().joint
        && let Some(joint) = shown.model.skeleton.as_ref().and_then(|s| s.joints().get(joint as usize))
    {
        facts.push_str(&format!("\n{}  {}", icon::BONE, joint.name));
    }
    if let Some(socket) = state.stages.front.selected().socket
        && let Some(socket) = shown.model.skeleton.as_ref().and_then(|s| s.sockets.get(socket as usize))
    {
        facts.push_str(&format!("\n{}  {}", icon::PLUG, socket.name));
    }
    let name = painter.layout_no_wrap(name, FontId::proportional(theme::BODY), p.strong);
    let facts = painter.layout_no_wrap(facts, FontId::proportional(theme::SMALL), p.text.gamma_multiply(0.75));
    let at = rect.min + vec2(12.0, 10.0);
    let below = at + vec2(0.0, name.size().y + 2.0);
    // The theme's own background is plain and fits the print; no other does for certain.
    let view = &state.stages.front.view;
    if view.options.background.is_some() || view.options.shading == Shading::Overdraw {
        let all = Rect::from_min_size(at, name.size()).union(Rect::from_min_size(below, facts.size()));
        painter.rect_filled(all.expand2(vec2(8.0, 5.0)), 6.0, p.panel.gamma_multiply(0.8));
    }
    painter.galley(at, name, p.strong);
    painter.galley(below, facts, p.text);
}

/// Switches at the bottom right.
fn buttons(ui: &mut Ui, rect: Rect, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let levels = state
        .stages
        .front
        .model()
        .filter(|_| state.stages.front.level().is_none())
        .map_or(0, |s| s.model.level_count());
    let size = vec2(if levels > 0 { 450.0 } else { 290.0 }, 36.0);
    let area = Rect::from_min_size(rect.right_bottom() - size - vec2(8.0, 8.0), size);
    let mut child =
        ui.new_child(egui::UiBuilder::new().max_rect(area).layout(egui::Layout::right_to_left(egui::Align::Center)));
    egui::Frame::new().fill(p.panel.gamma_multiply(0.85)).corner_radius(6).inner_margin(3).show(&mut child, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let directions = theme::icon_button(ui, icon::CUBE, "Viewpoint");
        egui::Popup::menu(&directions).show(|ui| direction_items(ui, state, commands));
        let drawn = state.stages.front.drawn_shading();
        let (name, sign) = shading_name(drawn);
        let shaded = drawn != Shading::Lit;
        let shading = theme::icon_toggle(ui, sign, &format!("Shading: {name}"), shaded);
        egui::Popup::menu(&shading).show(|ui| shading_items(ui, state, commands));
        let changed = scene::is_changed(state);
        let scene = theme::icon_toggle(ui, scene::SIGN, scene::NAME, changed);
        egui::Popup::menu(&scene)
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .show(|ui| scene::menu(ui, state, commands));
        ui.add(egui::Separator::default().spacing(6.0));
        for option in [ViewToggle::Grid, ViewToggle::Skeleton, ViewToggle::Wireframe, ViewToggle::Textures] {
            let command = Command::View(ViewCommand::Toggle(option));
            let Some(action) = Action::of(&command) else { continue };
            let name = with_keys(ui.ctx(), action.name, &command);
            if theme::icon_toggle(ui, action.icon, &name, state.stages.front.is_view_on(option)).clicked() {
                commands.push(command);
            }
        }
        if levels > 0 {
            ui.add(egui::Separator::default().spacing(6.0));
            detail(ui, state, levels, &p, commands);
        }
    });
}

/// How much of the model's detail is drawn; all of it at the right end.
fn detail(ui: &mut Ui, state: &State, levels: u32, p: &Palette, commands: &mut Vec<Command>) {
    let mut shown = levels.saturating_sub(state.stages.front.view.options.level);
    ui.spacing_mut().slider_width = 64.0;
    ui.visuals_mut().widgets.inactive.bg_fill = p.line;
    let slider = egui::Slider::new(&mut shown, 0..=levels).show_value(false).trailing_fill(true);
    let response = ui.add(slider);
    let name = "Detail";
    response.widget_info(|| {
        egui::WidgetInfo::slider(true, f64::from(levels - state.stages.front.view.options.level.min(levels)), name)
    });
    let triangles = counted(state.stages.front.shown_triangles(), "triangle");
    let response = response.on_hover_text(match state.stages.front.view.options.level {
        0 => format!("Full detail: {triangles}"),
        level => format!("Level of detail {level} of {levels}: {triangles}"),
    });
    if response.changed() {
        commands.push(Command::Model(ModelCommand::SetLevel(levels.saturating_sub(shown))));
    }
    ui.add_space(2.0);
    ui.label(egui::RichText::new(name).small().color(p.weak));
    ui.add_space(4.0);
}
