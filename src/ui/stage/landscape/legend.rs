//! What the colours of a landscape mean, at the top right of the viewport.

use crate::{
    scene::{HEIGHT_RAMP, HeightRange, PropClass, PropColors, SLOPE_RAMP, STEEPEST_DEGREES, Terrain, TerrainTint},
    ui::{
        command::{Command, TerrainCommand, with_keys},
        state::{LandscapeStage, State},
        theme::{self, Palette},
        widgets::{
            numbers::{decimal, grouped},
            swatch::ramp,
        },
    },
};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;
use std::sync::Arc;

const WIDTH: f32 = 196.0;

const BAR: f32 = 8.0;

/// Height of a line.
const ROW: f32 = 17.0;

/// Draws the legend with its right edge at `right_top`; the place that it takes.
pub fn show(
    ui: &Ui,
    rect: Rect,
    right_top: Pos2,
    shown: &LandscapeStage,
    state: &State,
    commands: &mut Vec<Command>,
) -> Option<Rect> {
    let view = &state.stages.front.view.terrain;
    let lines = lines(ui, shown, state);
    let has_ramp = view.tint != TerrainTint::Plain && shown.range.is_some();
    if (!has_ramp && lines.is_empty()) || rect.width() < WIDTH * 2.0 {
        return None;
    }
    let p = theme::palette(ui);
    let ramp_height = if has_ramp { 18.0 + BAR + 16.0 } else { 0.0 };
    let between = if has_ramp && !lines.is_empty() { 6.0 } else { 0.0 };
    let height = 12.0 + ramp_height + between + lines.len() as f32 * ROW;
    let place = Rect::from_min_size(right_top - vec2(WIDTH, 0.0), vec2(WIDTH, height));
    let painter = ui.painter_at(rect);
    painter.rect_filled(place, 6.0, p.panel.gamma_multiply(0.88));
    let inner = place.shrink2(vec2(8.0, 6.0));
    let mut y = inner.top();
    if has_ramp && let Some(range) = &shown.range {
        let name = if view.tint == TerrainTint::Slope { "Slope" } else { "Height above sea level" };
        let font = FontId::proportional(theme::SMALL);
        painter.text(pos2(inner.left(), y), Align2::LEFT_TOP, name, font, p.strong);
        let bar = Rect::from_min_size(pos2(inner.left(), y + 18.0), vec2(inner.width(), BAR));
        match view.tint {
            TerrainTint::Slope => slopes(&painter, bar, &p),
            _ => heights(&painter, bar, range, &p),
        }
        y += ramp_height + between;
    }
    for line in &lines {
        line.draw(&painter, Rect::from_min_size(pos2(inner.left(), y), vec2(inner.width(), ROW)), &p);
        y += ROW;
    }
    let told = told(shown, state, &lines);
    let response = ui.interact(place, ui.id().with("terrain legend"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, told.as_str()));
    close(ui, pos2(place.right() - 12.0, place.top() + 13.0), &p, commands);
    Some(place)
}

fn close(ui: &Ui, at: Pos2, p: &Palette, commands: &mut Vec<Command>) {
    let hit = Rect::from_center_size(at, vec2(18.0, 18.0));
    let response = ui.interact(hit, ui.id().with("hide the legend"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Hide the legend"));
    let color = if response.hovered() { p.strong } else { p.weak };
    ui.painter().text(hit.center(), Align2::CENTER_CENTER, icon::X, FontId::proportional(11.0), color);
    let toggle = Command::Terrain(TerrainCommand::ToggleLegend);
    if response.on_hover_text(with_keys(ui.ctx(), "Hide the legend", &toggle)).clicked() {
        commands.push(toggle);
    }
}

/// A swatch with what it means.
struct LegendLine {
    swatch: Swatch,
    text: String,
    value: String,
}

enum Swatch {
    /// Fill, and letters on it: a colour is never the only sign.
    Box([u8; 3], &'static str),
    Line([u8; 3]),
    Water,
}

impl LegendLine {
    fn draw(&self, painter: &Painter, row: Rect, p: &Palette) {
        let font = FontId::proportional(theme::SMALL);
        let middle = row.center().y;
        let swatch = Rect::from_min_size(pos2(row.left(), middle - 6.5), vec2(22.0, 13.0));
        match self.swatch {
            Swatch::Box([r, g, b], letters) => {
                painter.rect_filled(swatch, 2.0, Color32::from_rgb(r, g, b));
                let dark = u32::from(r) * 3 + u32::from(g) * 6 + u32::from(b) > 1280;
                let ink = if dark { Color32::from_gray(20) } else { Color32::from_gray(250) };
                painter.text(swatch.center(), Align2::CENTER_CENTER, letters, FontId::proportional(10.0), ink);
            }
            Swatch::Line([r, g, b]) => {
                for (offset, width) in [(-3.5, 1.0), (0.0, 1.0), (3.5, 2.0)] {
                    let stroke = egui::Stroke::new(width, Color32::from_rgb(r, g, b));
                    painter.hline(swatch.x_range(), middle + offset, stroke);
                }
            }
            Swatch::Water => {
                painter.rect_filled(swatch, 2.0, Color32::from_rgba_unmultiplied(64, 124, 170, 170));
            }
        }
        painter.text(pos2(row.left() + 29.0, middle), Align2::LEFT_CENTER, &self.text, font.clone(), p.text);
        painter.text(pos2(row.right(), middle), Align2::RIGHT_CENTER, &self.value, font, p.text);
    }
}

fn lines(ui: &Ui, shown: &LandscapeStage, state: &State) -> Vec<LegendLine> {
    let view = &state.stages.front.view.terrain;
    let line = |swatch, text: &str, value: String| LegendLine { swatch, text: text.to_owned(), value };
    let mut lines = Vec::new();
    if view.contours
        && let Some(range) = &shown.range
    {
        let step = view.contour_step(range);
        lines.push(line(Swatch::Line([104, 78, 52]), "Contour interval", format!("{} m", plain(step))));
    }
    if view.water && shown.range.is_some_and(|range| range.min < 0.0) {
        lines.push(line(Swatch::Water, "Sea", "0 m".to_owned()));
    }
    if view.props && view.prop_colors == PropColors::Class {
        for (class, count) in classes(ui, shown).iter() {
            lines.push(line(Swatch::Box(class.color(), class.letters()), sentence(class.name()), grouped(*count)));
        }
    }
    lines
}

/// The classes there are, with how many props each has; counted once a landscape.
fn classes(ui: &Ui, shown: &LandscapeStage) -> Arc<Vec<(PropClass, usize)>> {
    type Cached = (u64, Arc<Vec<(PropClass, usize)>>);
    let id = egui::Id::new("classes of the landscape");
    if let Some((generation, classes)) = ui.data(|d| d.get_temp::<Cached>(id))
        && generation == shown.generation
    {
        return classes;
    }
    let counted = Arc::new(count(&shown.terrain));
    ui.data_mut(|d| d.insert_temp(id, (shown.generation, counted.clone())));
    counted
}

fn count(terrain: &Terrain) -> Vec<(PropClass, usize)> {
    let mut classes = std::collections::BTreeMap::new();
    for prop in &terrain.props {
        let class = terrain.kind_of(prop).map_or(PropClass::Unresolved, |kind| kind.class);
        // Numbers of unknown classes look alike.
        let class = if let PropClass::Other(_) = class { PropClass::Other(0) } else { class };
        *classes.entry(class).or_default() += 1;
    }
    classes.into_iter().collect()
}

fn sentence(name: &str) -> &str {
    match name {
        "natural" => "Natural",
        "artificial" => "Artificial",
        "road" => "Road",
        "artificial (part of a road)" => "Artificial (part of a road)",
        "unknown class" => "Unknown class",
        other => other,
    }
}

fn plain(number: f32) -> String {
    if number.fract() == 0.0 { grouped(number as usize) } else { number.to_string() }
}

/// From the deepest to the highest ground; the sea's level stands where it lies.
fn heights(painter: &Painter, bar: Rect, range: &HeightRange, p: &Palette) {
    let (low, high) = (range.min, range.max);
    let span = (high - low).max(1e-6);
    let sea = ((0.0 - low) / span).clamp(0.0, 1.0);
    if sea > 0.0 {
        let part = bar.with_max_x(egui::lerp(bar.x_range(), sea));
        ramp(painter, part, HEIGHT_RAMP.below);
    }
    if sea < 1.0 {
        let part = bar.with_min_x(egui::lerp(bar.x_range(), sea));
        ramp(painter, part, HEIGHT_RAMP.above);
    }
    let font = FontId::proportional(theme::SMALL);
    let y = bar.bottom() + 3.0;
    let lowest =
        painter.text(pos2(bar.left(), y), Align2::LEFT_TOP, format!("{} m", decimal(low)), font.clone(), p.text);
    let highest =
        painter.text(pos2(bar.right(), y), Align2::RIGHT_TOP, format!("{} m", decimal(high)), font.clone(), p.text);
    let at = egui::lerp(bar.x_range(), sea);
    if sea > 0.0 && sea < 1.0 {
        painter.vline(at, (bar.top() - 2.0)..=(bar.bottom() + 2.0), egui::Stroke::new(1.0, p.strong));
        if at - 6.0 > lowest.right() && at + 6.0 < highest.left() {
            painter.text(pos2(at, y), Align2::CENTER_TOP, "0", font, p.text);
        }
    }
}

fn slopes(painter: &Painter, bar: Rect, p: &Palette) {
    ramp(painter, bar, SLOPE_RAMP);
    let font = FontId::proportional(theme::SMALL);
    for (share, align) in [(0.0, Align2::LEFT_TOP), (0.5, Align2::CENTER_TOP), (1.0, Align2::RIGHT_TOP)] {
        let text = format!("{}°", STEEPEST_DEGREES * share);
        painter.text(pos2(egui::lerp(bar.x_range(), share), bar.bottom() + 3.0), align, text, font.clone(), p.text);
    }
}

/// The legend for those who do not see it.
fn told(shown: &LandscapeStage, state: &State, lines: &[LegendLine]) -> String {
    let mut told = match (state.stages.front.view.terrain.tint, &shown.range) {
        (TerrainTint::Height, Some(range)) => {
            format!("Legend: heights from {} m to {} m", decimal(range.min), decimal(range.max))
        }
        (TerrainTint::Slope, _) => format!("Legend: slopes from 0° to {STEEPEST_DEGREES}°"),
        _ => "Legend".to_owned(),
    };
    for line in lines {
        told.push_str(&format!("; {} {}", line.text, line.value));
    }
    told
}
