//! A level in the viewport: flying through it, pointing at things, and what is drawn over the picture.

use crate::{
    scene::{MapCard, SourceEntry},
    ui::{
        command::{CameraCommand, Command, LevelCommand, SelectionCommand, ViewCommand},
        stage::{
            camera_mouse::{fly_mouse, orbit_mouse, speed, steer},
            gizmo::gizmo,
            hidden_line,
            model::legend as viewport_legend,
            view_menus::{direction_items, shading_items, shading_name},
        },
        state::{Place, Shading, ShownMap, State},
        theme::{self, Palette},
        widgets::command_toggle::toggle,
        widgets::{numbers::counted, part_menu},
    },
};
use egui::{
    Align, Align2, CollapsingHeader, FontId, Layout, Rect, Response, RichText, Ui, UiBuilder, WidgetInfo, WidgetType,
    pos2, vec2,
};
use egui_phosphor::regular as icon;

/// Width of the level's card, in points.
const CARD: f32 = 208.0;

pub fn show(ui: &mut Ui, rect: Rect, response: &Response, state: &State, commands: &mut Vec<Command>) {
    let Some(shown) = state.stage.level() else { return };
    let p = theme::palette(ui);
    mouse(ui, rect, response, state, commands);
    steer(ui, state, commands);
    let below = title(ui, rect, shown, state, &p);
    surface_card(ui, rect, below, shown, commands);
    gizmo(ui, rect, state, shown.map.file_from_scene, ["x", "y", "z"], commands);
    viewport_legend::show(ui, rect, state, commands);
    buttons(ui, rect, shown, state, commands);
    level_card(ui, rect, shown, &p);
    hidden_line::show(ui, rect, state, &p, commands);
    egui::Popup::context_menu(response).show(|ui| part_menu::of_actor(ui, state, commands));
}

fn mouse(ui: &Ui, rect: Rect, response: &Response, state: &State, commands: &mut Vec<Command>) {
    let place = |at: egui::Pos2| {
        let at = (at - rect.min) / rect.size().max(vec2(1.0, 1.0));
        glam::vec2(at.x, at.y)
    };
    if state.stage.view.fly.is_some() {
        fly_mouse(ui, rect, response, commands);
    } else {
        orbit_mouse(ui, rect, response, commands);
    }
    if let Some(at) = response.interact_pointer_pos() {
        if response.double_clicked() {
            commands.push(Command::Level(LevelCommand::Focus(place(at))));
        } else if response.clicked() || response.secondary_clicked() {
            commands.push(Command::Level(LevelCommand::Pick(place(at))));
        }
    }
}

/// What is shown, in small print at the top left; says where that ends.
fn title(ui: &Ui, rect: Rect, shown: &ShownMap, state: &State, p: &Palette) -> f32 {
    let painter = ui.painter_at(rect);
    let name = state.file(shown.place.file).map_or(shown.map.name.as_str(), |f| f.name.as_str());
    let mut facts = [counted(shown.triangles, "triangle"), counted(shown.map.actors.len(), "actor")].join("  ·  ");
    match &state.stage.view.fly {
        Some(fly) => facts.push_str(&format!("\n{}  {} units a second", icon::AIRPLANE_TILT, speed(fly.speed))),
        None => facts.push_str(&format!("\n{}  Turning about a point", icon::ARROWS_CLOCKWISE)),
    }
    let selected = state.selected_actor().and_then(|index| shown.map.actors.get(index));
    if let Some(actor) = selected.filter(|_| shown.picked.is_none()) {
        facts.push_str(&format!("\n{}  {}  ({})", icon::MAP_PIN, actor.name, actor.class));
    }
    let large = FontId::proportional(theme::BODY);
    let small = FontId::proportional(theme::SMALL);
    let name = painter.layout_no_wrap(name.to_owned(), large, p.strong);
    let facts = painter.layout_no_wrap(facts, small, p.text);
    let at = rect.min + vec2(12.0, 10.0);
    let size = vec2(name.size().x.max(facts.size().x), name.size().y + 2.0 + facts.size().y);
    // A level has no plain background that print could stand on.
    painter.rect_filled(Rect::from_min_size(at, size).expand2(vec2(8.0, 5.0)), 6.0, p.panel.gamma_multiply(0.8));
    painter.galley(at, name.clone(), p.strong);
    painter.galley(at + vec2(0.0, name.size().y + 2.0), facts, p.text);
    at.y + size.y + 5.0
}

/// The surface that was clicked on.
fn surface_card(ui: &mut Ui, rect: Rect, top: f32, shown: &ShownMap, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let Some(picked) = &shown.picked else { return };
    let Some(surface) = picked.surface.and_then(|index| shown.map.surfaces.get(index as usize)) else { return };
    let area = Rect::from_min_size(pos2(rect.left() + 4.0, top + 8.0), vec2(CARD, 120.0)).intersect(rect);
    let mut child = ui.new_child(UiBuilder::new().max_rect(area));
    egui::Frame::new().fill(p.panel.gamma_multiply(0.9)).corner_radius(6).inner_margin(8).show(&mut child, |ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
        ui.spacing_mut().interact_size.y = 16.0;
        ui.label(RichText::new(format!("{}  Surface {}", icon::POLYGON, surface.number)).color(p.strong));
        let mut line = |ui: &mut Ui, name: &str, value: &str, source: Option<SourceEntry>| {
            ui.horizontal(|ui| {
                ui.label(RichText::new(name).small().color(p.weak));
                let text = RichText::new(value).small();
                match source {
                    Some(entry) => {
                        if ui.link(text.color(p.accent)).clicked() {
                            commands.push(Command::Selection(SelectionCommand::Select(Place {
                                file: shown.place.file,
                                entry: entry.into(),
                            })));
                        }
                    }
                    None => {
                        ui.label(text);
                    }
                }
            });
        };
        let texture = if surface.texture.is_empty() { "none" } else { &surface.texture };
        line(ui, "Texture", texture, surface.texture_source);
        let mut about = format!("{}", surface.zone);
        if !surface.traits.is_empty() {
            about.push_str(&format!("  ·  {}", surface.traits));
        }
        line(ui, "Zone", &about, None);
        if let Some(brush) = surface.brush.and_then(|brush| shown.map.actors.get(brush as usize)) {
            line(ui, "Brush", &brush.name, Some(brush.source));
        }
    });
}

/// Switches at the bottom right.
fn buttons(ui: &mut Ui, rect: Rect, shown: &ShownMap, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let size = vec2(380.0, 36.0);
    let area = Rect::from_min_size(rect.right_bottom() - size - vec2(8.0, 8.0), size);
    let mut child = ui.new_child(UiBuilder::new().max_rect(area).layout(Layout::right_to_left(Align::Center)));
    egui::Frame::new().fill(p.panel.gamma_multiply(0.85)).corner_radius(6).inner_margin(3).show(&mut child, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let directions = theme::icon_button(ui, icon::CUBE, "Look from");
        egui::Popup::menu(&directions).show(|ui| {
            for index in 0..shown.map.starts.len().min(16) {
                let name = format!("{}  Start {}", icon::PERSON, index + 1);
                if ui.button(name).clicked() {
                    commands.push(Command::Level(LevelCommand::GoToStart(index)));
                    ui.close();
                }
            }
            if !shown.map.starts.is_empty() {
                ui.separator();
            }
            direction_items(ui, state, commands);
        });
        let (name, sign) = shading_name(state.stage.view.shading);
        let shaded = state.stage.view.shading != Shading::Lit;
        let shading = theme::icon_toggle(ui, sign, &format!("Shading: {name}"), shaded);
        egui::Popup::menu(&shading).show(|ui| shading_items(ui, state, commands));
        let view = &state.stage.view;
        let line = |ui: &mut Ui| {
            ui.add(egui::Separator::default().spacing(6.0));
        };
        line(ui);
        for (sign, name, on, command) in [
            (icon::POLYGON, "Wireframe", view.wireframe, Command::View(ViewCommand::ToggleWireframe)),
            (icon::IMAGE, "Textures", view.textures, Command::View(ViewCommand::ToggleTextures)),
            (icon::GHOST, "Hidden surfaces", view.show_hidden, Command::View(ViewCommand::ToggleHidden)),
            (icon::BOUNDING_BOX, "Brushes", view.layers.brushes, Command::Level(LevelCommand::ToggleBrushes)),
            (icon::MAP_PIN, "Sprites", view.layers.sprites, Command::Level(LevelCommand::ToggleSprites)),
            (icon::ARMCHAIR, "Meshes", view.layers.meshes, Command::Level(LevelCommand::ToggleMeshes)),
        ] {
            toggle(ui, sign, name, on, command, commands);
        }
        line(ui);
        toggle(ui, icon::AIRPLANE_TILT, "Fly", view.fly.is_some(), Command::Camera(CameraCommand::ToggleFly), commands);
    });
}

/// What the level says of itself, at the top right; folds away.
fn level_card(ui: &mut Ui, rect: Rect, shown: &ShownMap, p: &Palette) {
    let MapCard { title, author, facts, screenshot } = &shown.map.card;
    if title.is_empty() && author.is_empty() && facts.is_empty() && screenshot.is_none() {
        return;
    }
    if rect.width() < CARD * 2.0 + 40.0 {
        return;
    }
    let area =
        Rect::from_min_max(rect.right_top() + vec2(-CARD - 8.0, 8.0), pos2(rect.right() - 8.0, rect.bottom() - 60.0));
    let mut child = ui.new_child(UiBuilder::new().max_rect(area));
    egui::Frame::new().fill(p.panel.gamma_multiply(0.92)).corner_radius(6).inner_margin(8).show(&mut child, |ui| {
        ui.set_width(area.width() - 16.0);
        let name = if title.is_empty() { &shown.map.name } else { title };
        let header =
            CollapsingHeader::new(RichText::new(name).color(p.strong)).id_salt("level card").default_open(true);
        header.show_unindented(ui, |ui| {
            ui.add_space(4.0);
            egui::ScrollArea::vertical().max_height(area.height() - 48.0).show(ui, |ui| {
                if let Some(texture) = screenshot_of(ui, shown) {
                    let width = ui.available_width();
                    let size = texture.size_vec2();
                    let size = size * (width / size.x.max(1.0)).min(128.0 / size.y.max(1.0));
                    let picture = egui::Image::new((texture.id(), size)).corner_radius(4);
                    ui.vertical_centered(|ui| {
                        let response = ui.add(picture);
                        response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, "Picture of the level"));
                    });
                    ui.add_space(4.0);
                }
                let by = (!author.is_empty()).then(|| ("Author".to_owned(), author.clone()));
                for (name, value) in by.iter().chain(facts) {
                    fact(ui, p, name, value);
                }
            });
        });
    });
}

/// A name over or beside its value.
fn fact(ui: &mut Ui, p: &Palette, name: &str, value: &str) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let (rect, _) = ui.allocate_exact_size(vec2(72.0, 14.0), egui::Sense::hover());
        let small = FontId::proportional(theme::SMALL);
        ui.painter_at(rect).text(rect.left_top(), Align2::LEFT_TOP, name, small, p.weak);
        ui.add(egui::Label::new(RichText::new(value).small()).wrap());
    });
}

/// The screenshot on the window's device; kept for as long as its level is shown.
fn screenshot_of(ui: &Ui, shown: &ShownMap) -> Option<egui::TextureHandle> {
    let image = shown.map.card.screenshot.as_ref()?;
    let id = egui::Id::new("level screenshot");
    let kept: Option<(u64, egui::TextureHandle)> = ui.data(|d| d.get_temp(id));
    if let Some((generation, texture)) = kept
        && generation == shown.generation
    {
        return Some(texture);
    }
    let size = [image.width as usize, image.height as usize];
    if image.width == 0 || image.height == 0 || image.rgba.len() != size[0] * size[1] * 4 {
        return None;
    }
    // The first colour of a palette is stored without cover; a picture of a level has no holes.
    let opaque: Vec<u8> = image.rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2], 255]).collect();
    let pixels = egui::ColorImage::from_rgba_unmultiplied(size, &opaque);
    let texture = ui.ctx().load_texture("level screenshot", pixels, egui::TextureOptions::LINEAR);
    ui.data_mut(|d| d.insert_temp(id, (shown.generation, texture.clone())));
    Some(texture)
}
