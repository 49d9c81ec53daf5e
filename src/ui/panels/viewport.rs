//! The picture of the model, the mouse on it, and what is drawn over it.

use super::{library::counted, menu, viewport_legend, viewport_map, viewport_morphs, viewport_scene, viewport_terrain};
use crate::{
    formats::{Content, EntryId},
    scene::camera::ViewDirection,
    ui::{
        command::{Command, keys_of},
        state::State,
        theme::{self, Palette},
    },
};
use egui::{Align2, Color32, FontId, PointerButton, Pos2, Rect, Response, Sense, Stroke, Ui, Vec2, pos2, vec2};
use egui_phosphor::regular as icon;
use glam::{Affine3A, Vec3};

/// How near a click must be to a joint, in points.
const PICK_DISTANCE: f32 = 12.0;
/// Most bone names drawn at once; further ones would cover each other.
const MAX_NAMES: usize = 400;

/// Draws the viewport's contents: `picture` is what the renderer made of the scene for `rect`.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    picture: Result<egui::TextureId, String>,
    state: &State,
    commands: &mut Vec<Command>,
) {
    let p = theme::palette(ui);
    let response = ui.interact(rect, ui.id().with("viewport"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Image, true, "Viewport"));
    let painter = ui.painter_at(rect);
    match &picture {
        Ok(texture) => {
            let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(*texture, rect, uv, Color32::WHITE);
        }
        Err(reason) => {
            painter.rect_filled(rect, 0.0, p.field);
            painter.text(rect.center(), Align2::CENTER_CENTER, reason, FontId::proportional(theme::BODY), p.weak);
        }
    }
    if state.stage.level().is_some() {
        viewport_map::show(ui, rect, &response, state, commands);
        return;
    }
    if state.stage.landscape().is_some() {
        viewport_terrain::show(ui, rect, &response, state, commands);
        return;
    }
    if state.stage.model().is_none() {
        return;
    }
    viewport_map::steer(ui, state, commands);
    mouse(ui, rect, &response, state, commands);
    if state.stage.view.bone_names {
        bone_names(&painter, rect, state, &p);
    }
    title(ui, rect, state, &viewport_scene::palette_over(state, ui));
    if let Some(shown) = state.stage.model() {
        gizmo(ui, rect, state, shown.model.file_from_scene, ["x", "y", "z"], commands);
    }
    viewport_legend::show(ui, rect, state);
    buttons(ui, rect, state, commands);
    viewport_morphs::show(ui, rect, state, &p, commands);
}

/// Turning, moving and nearing with the mouse.
pub fn orbit_mouse(ui: &Ui, rect: Rect, response: &Response, commands: &mut Vec<Command>) {
    let height = rect.height().max(1.0);
    let (shift, delta) = ui.input(|i| (i.modifiers.shift, i.pointer.delta()));
    let delta = glam::vec2(delta.x, delta.y) / height;
    if delta != glam::Vec2::ZERO {
        let pans = response.dragged_by(PointerButton::Middle)
            || response.dragged_by(PointerButton::Secondary)
            || (response.dragged_by(PointerButton::Primary) && shift);
        if pans {
            commands.push(Command::Pan(delta));
        } else if response.dragged_by(PointerButton::Primary) {
            // Half a turn over the height of the picture, and the model follows the hand.
            let turn = std::f32::consts::PI;
            commands.push(Command::Orbit(glam::vec2(-delta.x * turn, delta.y * turn)));
        }
    }
    wheel(ui, rect, response, commands);
}

/// Nearing with the wheel: what is under the cursor stays under it.
pub fn wheel(ui: &Ui, rect: Rect, response: &Response, commands: &mut Vec<Command>) {
    let height = rect.height().max(1.0);
    if let Some(at) = response.hover_pos().filter(|_| response.contains_pointer()) {
        let (scroll, pinch) = ui.input(|i| (i.smooth_scroll_delta().y, i.zoom_delta()));
        let factor = (-scroll * 0.004).exp() / pinch.max(0.01);
        if (factor - 1.0).abs() > 1e-4 {
            let from_center = (at - rect.center()) / height;
            let shift = 1.0 - factor.clamp(0.2, 5.0);
            commands.push(Command::Pan(glam::vec2(-from_center.x * shift, -from_center.y * shift)));
            commands.push(Command::Zoom(factor));
        }
    }
}

fn mouse(ui: &Ui, rect: Rect, response: &Response, state: &State, commands: &mut Vec<Command>) {
    orbit_mouse(ui, rect, response, commands);
    if response.double_clicked() {
        let on_bone = response.interact_pointer_pos().filter(|_| state.stage.view.skeleton);
        let joint = on_bone.and_then(|at| joint_near(rect, at, state));
        commands.push(joint.map_or(Command::FrameModel, Command::FocusJoint));
    } else if response.clicked()
        && let Some(at) = response.interact_pointer_pos()
    {
        let joint = Some(at).filter(|_| state.stage.view.skeleton).and_then(|at| joint_near(rect, at, state));
        let share = (at - rect.min) / rect.size().max(vec2(1.0, 1.0));
        commands.push(match joint {
            Some(joint) => Command::PickJoint(Some(joint)),
            None => Command::PickInModel(glam::vec2(share.x, share.y)),
        });
    }
}

/// Where a point of the model is on the screen.
fn place(rect: Rect, state: &State, point: Vec3) -> Option<Pos2> {
    let world = state.stage.view.up_axis.world_from_model().transform_point3(point);
    let at = state.stage.view.camera.project(world, rect.width() / rect.height().max(1.0))?;
    Some(pos2(rect.left() + at.x * rect.width(), rect.top() + at.y * rect.height()))
}

fn joint_near(rect: Rect, at: Pos2, state: &State) -> Option<u32> {
    let joints = state.stage.frame.world_from_joint.iter().enumerate();
    joints
        .filter_map(|(index, m)| Some((index as u32, place(rect, state, m.translation.into())?.distance(at))))
        .filter(|(_, distance)| *distance <= PICK_DISTANCE)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(index, _)| index)
}

fn bone_names(painter: &egui::Painter, rect: Rect, state: &State, p: &Palette) {
    let Some(skeleton) = state.stage.model().and_then(|s| s.model.skeleton.as_ref()) else { return };
    let font = FontId::proportional(theme::SMALL);
    let mut taken: Vec<Rect> = Vec::new();
    let named = skeleton.joints().iter().zip(&state.stage.frame.world_from_joint).enumerate();
    for (index, (joint, matrix)) in named {
        let Some(at) = place(rect, state, matrix.translation.into()).filter(|at| rect.contains(*at)) else { continue };
        let selected = state.stage.selected_joint == Some(index as u32);
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
    let Some(shown) = state.stage.model() else { return };
    let painter = ui.painter_at(rect);
    let file = state.file(shown.place.file);
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
    let at = rect.min + vec2(12.0, 10.0);
    let drawn = painter.text(at, Align2::LEFT_TOP, name, FontId::proportional(theme::BODY), p.strong);
    let mut facts = [
        counted(state.shown_triangles(), "triangle"),
        match shown.model.vertex_frame_count() {
            0 => counted(shown.model.joint_count(), "bone"),
            frames => counted(frames as usize, "frame"),
        },
        counted(shown.model.materials.len(), "material"),
    ]
    .join("  ·  ");
    if let Some(joint) = state.stage.selected_joint
        && let Some(joint) = shown.model.skeleton.as_ref().and_then(|s| s.joints().get(joint as usize))
    {
        facts.push_str(&format!("\n{}  {}", icon::BONE, joint.name));
    }
    painter.text(
        drawn.left_bottom() + vec2(0.0, 2.0),
        Align2::LEFT_TOP,
        facts,
        FontId::proportional(theme::SMALL),
        p.text.gamma_multiply(0.75),
    );
}

/// The file's axes, as they lie in the picture; a click on an end looks from there.
pub fn gizmo(
    ui: &mut Ui,
    rect: Rect,
    state: &State,
    file_from_scene: Affine3A,
    names: [&'static str; 3],
    commands: &mut Vec<Command>,
) {
    let p = theme::palette(ui);
    let center = rect.left_bottom() + vec2(44.0, -44.0);
    let (right, up) = state.stage.view.camera.right_up();
    let toward = right.cross(up);
    let turn = state.stage.view.up_axis.world_from_model().matrix3 * file_from_scene.inverse().matrix3;
    let colors =
        [Color32::from_rgb(0xe0, 0x6c, 0x75), Color32::from_rgb(0x86, 0xc0, 0x76), Color32::from_rgb(0x6a, 0xa2, 0xe6)];
    let mut ends: Vec<(f32, Pos2, Vec3, &str, Color32)> = [Vec3::X, Vec3::Y, Vec3::Z]
        .into_iter()
        .zip(names)
        .zip(colors)
        .map(|((axis, name), color)| {
            let world = Vec3::from(turn * glam::Vec3A::from(axis)).normalize_or_zero();
            let at = center + vec2(world.dot(right), -world.dot(up)) * 26.0;
            (world.dot(toward), at, world, name, color)
        })
        .collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (depth, at, world, name, color) in ends {
        let color = if depth < -0.2 { color.gamma_multiply(0.55) } else { color };
        let hit = Rect::from_center_size(at, Vec2::splat(16.0));
        let response = ui.interact(hit, ui.id().with(("axis", name)), Sense::click());
        response
            .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, format!("Look along {name}")));
        let painter = ui.painter_at(rect);
        painter.line_segment([center, at], Stroke::new(2.0, color));
        painter.circle_filled(at, if response.hovered() { 8.5 } else { 7.0 }, color);
        painter.text(at, Align2::CENTER_CENTER, name, FontId::proportional(theme::SMALL), p.base);
        if response.clicked() {
            commands.push(Command::LookFrom(direction_of(world)));
        }
    }
}

fn direction_of(world: Vec3) -> ViewDirection {
    [
        (Vec3::X, ViewDirection::Right),
        (Vec3::NEG_X, ViewDirection::Left),
        (Vec3::Y, ViewDirection::Top),
        (Vec3::NEG_Y, ViewDirection::Bottom),
        (Vec3::Z, ViewDirection::Front),
        (Vec3::NEG_Z, ViewDirection::Back),
    ]
    .into_iter()
    .max_by(|a, b| a.0.dot(world).total_cmp(&b.0.dot(world)))
    .map_or(ViewDirection::Front, |(_, direction)| direction)
}

/// Switches at the bottom right.
fn buttons(ui: &mut Ui, rect: Rect, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let levels = state.stage.model().filter(|_| state.stage.level().is_none()).map_or(0, |s| s.model.level_count());
    let size = vec2(if levels > 0 { 450.0 } else { 290.0 }, 36.0);
    let area = Rect::from_min_size(rect.right_bottom() - size - vec2(8.0, 8.0), size);
    let mut child =
        ui.new_child(egui::UiBuilder::new().max_rect(area).layout(egui::Layout::right_to_left(egui::Align::Center)));
    egui::Frame::new().fill(p.panel.gamma_multiply(0.85)).corner_radius(6).inner_margin(3).show(&mut child, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let directions = theme::icon_button(ui, icon::CUBE, "Look from");
        egui::Popup::menu(&directions).show(|ui| menu::direction_items(ui, state, commands));
        let (name, sign) = menu::shading_name(state.stage.view.shading);
        let shaded = state.stage.view.shading != crate::ui::state::Shading::Lit;
        let shading = theme::icon_toggle(ui, sign, &format!("Shading: {name}"), shaded);
        egui::Popup::menu(&shading).show(|ui| menu::shading_items(ui, state, commands));
        let changed = viewport_scene::is_changed(state);
        let scene = theme::icon_toggle(ui, viewport_scene::SIGN, viewport_scene::NAME, changed);
        egui::Popup::menu(&scene)
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .show(|ui| viewport_scene::menu(ui, state, commands));
        ui.add(egui::Separator::default().spacing(6.0));
        for (sign, name, on, command) in [
            (icon::GRID_FOUR, "Grid", state.stage.view.grid, Command::ToggleGrid),
            (icon::BONE, "Bones", state.stage.view.skeleton, Command::ToggleSkeleton),
            (icon::POLYGON, "Wireframe", state.stage.view.wireframe, Command::ToggleWireframe),
            (icon::IMAGE, "Textures", state.stage.view.textures, Command::ToggleTextures),
        ] {
            let keys = keys_of(ui.ctx(), &command).map(|k| format!(" ({k})")).unwrap_or_default();
            if theme::icon_toggle(ui, sign, &format!("{name}{keys}"), on).clicked() {
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
    let mut shown = levels.saturating_sub(state.stage.view.level);
    ui.spacing_mut().slider_width = 64.0;
    ui.visuals_mut().widgets.inactive.bg_fill = p.line;
    let slider = egui::Slider::new(&mut shown, 0..=levels).show_value(false).trailing_fill(true);
    let response = ui.add(slider);
    let name = "Detail";
    response
        .widget_info(|| egui::WidgetInfo::slider(true, f64::from(levels - state.stage.view.level.min(levels)), name));
    let triangles = counted(state.shown_triangles(), "triangle");
    let response = response.on_hover_text(match state.stage.view.level {
        0 => format!("Level of detail: all {triangles}"),
        level => format!("Level of detail: step {level} of {levels}, {triangles}"),
    });
    if response.changed() {
        commands.push(Command::SetLevel(levels.saturating_sub(shown)));
    }
    ui.add_space(2.0);
    ui.label(egui::RichText::new(name).small().color(p.weak));
    ui.add_space(4.0);
}
