//! What the colours of a shading mean, in small print under the model's name.

use crate::{
    gpu::LIST_COLORS,
    scene::ListUse,
    ui::{
        command::{Command, SelectionCommand, ViewCommand, keys_of},
        state::{ColorChannel, ModelStage, Shading, State},
        theme::{self, Palette},
        widgets::{numbers::grouped, swatch::ramp},
    },
};
use egui::{Align2, Color32, FontId, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

const WIDTH: f32 = 180.0;

/// Shows the next set of texture coordinates while they are shown.
const NEXT_UV_SET: Command = Command::View(ViewCommand::ToggleShading(Shading::Uv));

const BAR: f32 = 8.0;

/// Most joints of a vertex that are listed.
const MAX_JOINTS: usize = 12;

/// Height of a line of a list.
const ROW: f32 = 17.0;

/// The colours of weights from 0 to 1, evenly spaced: `ramp` of `shaders/color.wgsl` at nine places.
const RAMP: [[u8; 3]; 9] = [
    [49, 18, 82],
    [44, 44, 127],
    [0, 78, 163],
    [0, 116, 179],
    [0, 152, 173],
    [0, 182, 152],
    [66, 203, 128],
    [168, 217, 120],
    [234, 231, 142],
];

pub fn show(ui: &Ui, rect: Rect, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    match state.stages.front.view.options.shading {
        Shading::Weights => weights(ui, rect, state, &p, commands),
        Shading::ListKinds => lists(ui, rect, state, &p),
        Shading::Uv => {
            let count = state.stages.front.model().map_or(0, ModelStage::uv_set_count);
            let text = match count {
                0 => "This model has no texture coordinates".to_owned(),
                1 => "Texture coordinates as an 8 × 8 checkerboard".to_owned(),
                n => {
                    let keys = keys_of(ui.ctx(), &NEXT_UV_SET);
                    let keys = keys.map_or(String::new(), |keys| format!(" ({keys}: next set)"));
                    format!("Texture coordinates, set {} of {n}{keys}", state.stages.front.shown_uv_set() + 1)
                }
            };
            card(ui, rect, &text, &p, 0.0);
        }
        Shading::VertexColors => {
            let has_colors = |shown: &ModelStage| shown.model.meshes.iter().any(|mesh| !mesh.colors.is_empty());
            let is_without = state.stages.front.model().is_some_and(|shown| !has_colors(shown));
            let text = if is_without {
                "This model has no vertex colours"
            } else {
                channel(state.stages.front.view.options.channel)
            };
            card(ui, rect, text, &p, 0.0);
        }
        Shading::Overdraw => {
            card(ui, rect, "Brighter where more surfaces overlap", &p, 0.0);
        }
        Shading::Lit
        | Shading::Unlit
        | Shading::Flat
        | Shading::Normals
        | Shading::MaterialId
        | Shading::PartId
        | Shading::Light
        | Shading::Zones => {}
    }
}

/// What is shown of vertex colours.
fn channel(channel: ColorChannel) -> &'static str {
    match channel {
        ColorChannel::All => "Vertex colours",
        ColorChannel::Red => "Vertex colours: red",
        ColorChannel::Green => "Vertex colours: green",
        ColorChannel::Blue => "Vertex colours: blue",
        ColorChannel::Alpha => "Vertex colours: alpha",
    }
}

fn weights(ui: &Ui, rect: Rect, state: &State, p: &Palette, commands: &mut Vec<Command>) {
    let skeleton = state.stages.front.model().and_then(|s| s.model.skeleton.as_ref());
    let joint = state.stages.front.selected().joint.and_then(|j| skeleton?.joints().get(j as usize));
    let Some(joint) = joint else {
        let text = if skeleton.is_some() {
            "Select a bone to see its weights as colours. Click on the model to list the weights of a vertex"
        } else {
            "This model has no bones"
        };
        card(ui, rect, text, p, 0.0);
        return;
    };
    let joints = state.stages.front.model().zip(state.stages.front.selected().vertex);
    let joints = joints.map(|(shown, (mesh, vertex))| shown.vertex_joints(mesh, vertex)).unwrap_or_default();
    let listed = joints.len().min(MAX_JOINTS);
    let more = if listed > 0 { (listed + 1) as f32 * ROW + 6.0 } else { 0.0 };
    let inner = card(ui, rect, &format!("Weights of {}", joint.name), p, BAR + 18.0 + more);
    let painter = ui.painter_at(rect);
    let bar = Rect::from_min_size(inner.min, vec2(inner.width(), BAR));
    let stops = RAMP.into_iter().enumerate().map(|(index, color)| (index as f32 / (RAMP.len() - 1) as f32, color));
    ramp(&painter, bar, stops);
    let font = FontId::proportional(theme::SMALL);
    for (share, align, text) in
        [(0.0, Align2::LEFT_TOP, "0 %"), (0.5, Align2::CENTER_TOP, "50 %"), (1.0, Align2::RIGHT_TOP, "100 %")]
    {
        let at = pos2(egui::lerp(bar.x_range(), share), bar.bottom() + 3.0);
        painter.text(at, align, text, font.clone(), p.text);
    }
    let Some((_, vertex)) = state.stages.front.selected().vertex.filter(|_| listed > 0) else { return };
    let top = inner.top() + BAR + 24.0;
    let head = format!("Weights of vertex {}", grouped(vertex));
    painter.text(pos2(inner.left(), top + ROW / 2.0), Align2::LEFT_CENTER, head, font.clone(), p.weak);
    for (row, (index, share)) in joints.into_iter().take(listed).enumerate() {
        let Some(joint) = skeleton.and_then(|skeleton| skeleton.joints().get(index.as_usize())) else { continue };
        let line = pos2(inner.left(), top + (row + 1) as f32 * ROW);
        let line = Rect::from_min_size(line, vec2(inner.width(), ROW));
        let response = ui.interact(line, ui.id().with(("moves the vertex", row)), Sense::click());
        let percent = format!("{:.1} %", share * 100.0);
        let spoken = format!("{}, weight {percent}", joint.name);
        let is_shown = state.stages.front.selected().joint == Some(index.0);
        response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_shown, spoken.as_str()));
        let color = if is_shown { p.accent } else { p.text };
        if response.hovered() {
            painter.rect_filled(line.expand2(vec2(4.0, 0.0)), 3.0, p.hover);
        }
        painter.text(line.left_center(), Align2::LEFT_CENTER, &joint.name, font.clone(), color);
        painter.text(line.right_center(), Align2::RIGHT_CENTER, percent, font.clone(), color);
        if response.clicked() {
            commands.push(Command::Selection(SelectionCommand::Joint(Some(index.0))));
        }
    }
}

/// Which colour says which kinds of lists, and how many points they write.
fn lists(ui: &Ui, rect: Rect, state: &State, p: &Palette) {
    let Some(counts) = state.stages.front.model().and_then(|shown| shown.list_counts) else {
        card(ui, rect, "This model has no skin lists. Only SKN files contain skin lists", p, 0.0);
        return;
    };
    // What no list writes comes last.
    let rows: Vec<(ListUse, usize)> = ListUse::ALL.into_iter().zip(counts).cycle().skip(1).take(counts.len()).collect();
    let inner = card(ui, rect, "Points by skin list", p, rows.len() as f32 * ROW);
    let painter = ui.painter_at(rect);
    let font = FontId::proportional(theme::SMALL);
    for (row, (used, count)) in rows.into_iter().enumerate() {
        let middle = inner.top() + (row as f32 + 0.5) * ROW;
        let [r, g, b] = LIST_COLORS[used as usize];
        let strength = if count > 0 { 1.0 } else { 0.45 };
        let swatch = Rect::from_center_size(pos2(inner.left() + 5.0, middle), vec2(10.0, 10.0));
        painter.rect_filled(swatch, 2.0, Color32::from_rgb(r, g, b).gamma_multiply(strength));
        let text = p.text.gamma_multiply(strength);
        painter.text(pos2(inner.left() + 18.0, middle), Align2::LEFT_CENTER, used.name(), font.clone(), text);
        painter.text(pos2(inner.right(), middle), Align2::RIGHT_CENTER, grouped(count), font.clone(), text);
    }
}

/// A card with a line of text; returns the room under it, `below` points high.
fn card(ui: &Ui, rect: Rect, text: &str, p: &Palette, below: f32) -> Rect {
    let painter = ui.painter_at(rect);
    let wrap = (rect.width() - 40.0).clamp(60.0, 320.0);
    let galley = painter.layout(text.to_owned(), FontId::proportional(theme::SMALL), p.strong, wrap);
    let width = if below > 0.0 { galley.size().x.max(WIDTH) } else { galley.size().x };
    let gap = if below > 0.0 { 4.0 } else { 0.0 };
    let size = vec2(width + 16.0, galley.size().y + below + gap + 12.0);
    let place = Rect::from_min_size(rect.min + vec2(12.0, 64.0), size);
    painter.rect_filled(place, 6.0, p.panel.gamma_multiply(0.85));
    let bottom = place.top() + 6.0 + galley.size().y + gap;
    painter.galley(place.min + vec2(8.0, 6.0), galley, p.strong);
    Rect::from_min_size(pos2(place.left() + 8.0, bottom), vec2(width, below))
}
