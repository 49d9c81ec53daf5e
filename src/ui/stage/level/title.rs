//! What is shown of a level and from where, in small print at the top left.

use crate::ui::{
    stage::camera_mouse::speed,
    state::{LevelStage, State},
    theme::{self, Palette},
    widgets::numbers::{counted, decimal},
};
use egui::{FontId, Rect, Sense, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;
use glam::Vec3;

/// Draws it; says where it ends.
pub fn show(ui: &Ui, rect: Rect, shown: &LevelStage, state: &State, p: &Palette) -> f32 {
    let painter = ui.painter_at(rect);
    let name = state.core.file(shown.place.file).map_or(shown.map.name.as_str(), |f| f.name.as_str());
    let mut facts = [counted(shown.triangles, "triangle"), counted(shown.map.actors.len(), "actor")].join("  ·  ");
    match &state.stages.front.view.fly {
        Some(fly) => facts.push_str(&format!("\n{}  {} units/s", icon::AIRPLANE_TILT, speed(fly.speed))),
        None => facts.push_str(&format!("\n{}  Orbit", icon::ARROWS_CLOCKWISE)),
    }
    if let Some(here) = state.stages.front.place_in_level() {
        facts.push_str(&format!("\n{}  {}", icon::CROSSHAIR, axes(here.place)));
        if let Some([yaw, pitch]) = here.turn {
            let turn = format!("yaw {yaw:.0}°  pitch {pitch:.0}°").replace('-', "−").replace("−0°", "0°");
            facts.push_str(&format!("\n{}  {turn}", icon::COMPASS));
        }
    }
    let selected = state.stages.front.selected_actor(&state.core).and_then(|index| shown.map.actors.get(index));
    if let Some(actor) = selected.filter(|_| !shown.picks_wall()) {
        facts.push_str(&format!("\n{}  {}  ({})", icon::MAP_PIN, actor.name, actor.class));
    }
    let large = FontId::proportional(theme::BODY);
    let small = FontId::proportional(theme::SMALL);
    let name = painter.layout_no_wrap(name.to_owned(), large, p.strong);
    let facts = painter.layout_no_wrap(facts, small, p.text);
    let at = rect.min + vec2(12.0, 10.0);
    let size = vec2(name.size().x.max(facts.size().x), name.size().y + 2.0 + facts.size().y);
    let place = Rect::from_min_size(at, size).expand2(vec2(8.0, 5.0));
    // A level has no plain background that print could stand on.
    painter.rect_filled(place, 6.0, p.panel.gamma_multiply(0.8));
    painter.galley(at, name.clone(), p.strong);
    let spoken = facts.text().to_owned();
    painter.galley(at + vec2(0.0, name.size().y + 2.0), facts, p.text);
    let response = ui.interact(place, ui.id().with("level title"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, spoken.as_str()));
    place.bottom()
}

/// `x 512.0  y −64.0  z 0.0`.
pub fn axes(place: Vec3) -> String {
    format!("x {}  y {}  z {}", decimal(place.x), decimal(place.y), decimal(place.z))
}
