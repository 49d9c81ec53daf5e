//! The types of things, by class: which there are, how many of each, and which are seen.

use crate::{
    scene::{PropClass, Terrain},
    ui::{
        command::{CameraCommand, Command, TerrainCommand},
        stage::landscape::objects::{KindRow, ObjectsView},
        state::State,
        theme::{self, Palette},
        widgets::{
            empty,
            numbers::{counted, grouped},
            prop_sign,
            put::put_text,
            rows::{Row, Rows},
        },
    },
};
use egui::{Align, Align2, FontId, Rect, RichText, Sense, Ui, Vec2, WidgetInfo, WidgetType, pos2};
use egui_phosphor::regular as icon;

/// Side of an icon that can be pressed, in points.
const BUTTON: f32 = 20.0;

/// Room for a figure, in points.
const FIGURE: f32 = 7.5;

pub fn show(
    ui: &mut Ui,
    p: &Palette,
    state: &State,
    terrain: &Terrain,
    view: &mut ObjectsView,
    commands: &mut Vec<Command>,
) {
    if view.kinds.is_empty() {
        return empty::note(ui, "No type matches the filter.");
    }
    let most = view.kinds.iter().map(|row| match row {
        KindRow::Class { props, .. } => *props,
        KindRow::Kind(_) => 0,
    });
    let count_width = grouped(most.max().unwrap_or(0) as usize).len() as f32 * FIGURE + 8.0;
    let shows = |kind: u32| state.stages.front.view.terrain.shows_kind(kind);
    Rows::new("types", view.kinds.len()).striped().margin(4.0).show(ui, |ui, row| match &view.kinds[row.index] {
        KindRow::Class { class, kinds, props } => {
            let members = members(terrain, *class);
            let all_hidden = !members.iter().any(|kind| shows(*kind));
            let line = Line {
                count_width,
                name: class_name(*class),
                tip: counted(*kinds as usize, "type"),
                count: *props,
                hidden: all_hidden,
                is_head: true,
                selected: false,
            };
            let done = line_of(ui, row, &line, |painter, at| prop_sign::badge(painter, at, *class, p));
            push(done, &members, all_hidden, None, commands);
        }
        KindRow::Kind(index) => {
            let Some(kind) = terrain.kinds.get(*index as usize) else { return };
            let line = Line {
                count_width,
                name: prop_sign::name(kind),
                tip: format!("{}\nType {}", kind.model, kind.id).trim().to_owned(),
                count: view.index.counts.get(*index as usize).copied().unwrap_or(0),
                hidden: !shows(*index),
                is_head: false,
                selected: is_selected(state, terrain, *index, view),
            };
            let color = prop_sign::color(kind);
            let done = line_of(ui, row, &line, |painter, at| prop_sign::swatch(painter, at, color, p));
            push(done, &[*index], line.hidden, Some(*index), commands);
        }
    });
}

/// Whether what is selected is this type: all of it and nothing else.
fn is_selected(state: &State, terrain: &Terrain, kind: u32, view: &ObjectsView) -> bool {
    let selected = &state.stages.front.view.terrain.selected;
    let of = |prop: Option<&u32>| prop.and_then(|p| terrain.props.get(*p as usize)).map(|p| p.kind);
    // The ends tell almost always, without a look at all of them.
    view.index.counts.get(kind as usize).copied() == Some(selected.len() as u32)
        && of(selected.first()) == Some(kind)
        && of(selected.last()) == Some(kind)
}

fn members(terrain: &Terrain, class: PropClass) -> Vec<u32> {
    (0_u32..).zip(&terrain.kinds).filter(|(_, kind)| kind.class == class).map(|(index, _)| index).collect()
}

/// As a heading.
pub(in crate::ui) fn class_name(class: PropClass) -> String {
    if let PropClass::Other(number) = class {
        return format!("Unknown class {number}");
    }
    let mut letters = class.name().chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What a row says.
struct Line {
    /// Room for the count, in points: the same in all rows.
    count_width: f32,
    name: String,
    tip: String,
    count: u32,
    hidden: bool,
    is_head: bool,
    selected: bool,
}

/// What was done to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Toggled,
    Isolated,
    Clicked,
    Focused,
}

fn push(done: Option<Done>, kinds: &[u32], hidden: bool, kind: Option<u32>, commands: &mut Vec<Command>) {
    match (done, kind) {
        (Some(Done::Toggled), _) => {
            commands.push(Command::Terrain(TerrainCommand::HideKinds { kinds: kinds.to_vec(), hide: !hidden }))
        }
        (Some(Done::Isolated), _) => {
            commands.push(Command::Terrain(TerrainCommand::IsolateKinds(Some(kinds.to_vec()))))
        }
        (Some(Done::Clicked), Some(kind)) => commands.push(Command::Terrain(TerrainCommand::SelectKind(kind))),
        (Some(Done::Focused), Some(kind)) => {
            commands.push(Command::Terrain(TerrainCommand::SelectKind(kind)));
            commands.push(Command::Camera(CameraCommand::Frame));
        }
        _ => {}
    }
}

fn line_of(ui: &Ui, row: &Row<'_>, line: &Line, sign: impl FnOnce(&egui::Painter, egui::Pos2)) -> Option<Done> {
    let (p, rect) = (&theme::palette(ui), row.rect);
    let label = format!("{}, {}", line.name, counted(line.count as usize, "object"));
    let response = match line.is_head {
        true => {
            row.paint(ui, p.card);
            row.interact(ui, Sense::hover(), || WidgetInfo::labeled(WidgetType::Label, true, label.as_str()))
        }
        false => row.selectable(ui, line.selected, &label),
    };
    let mut done = match (response.double_clicked(), response.clicked()) {
        (true, _) => Some(Done::Focused),
        (_, true) => Some(Done::Clicked),
        _ => None,
    };
    let middle = rect.center().y;
    let inner = row.span(8.0, 8.0);
    let button = |x: f32| Rect::from_center_size(pos2(x, middle), Vec2::splat(BUTTON));

    let verb = if line.hidden { "Show" } else { "Hide" };
    let eye = if line.hidden { icon::EYE_SLASH } else { icon::EYE };
    let area = button(inner.left() + BUTTON / 2.0);
    if press(ui, p, area, "eye", eye, &format!("{verb} {}", line.name), line.hidden) {
        done = Some(Done::Toggled);
    }
    let sign_at = pos2(inner.left() + BUTTON + 4.0 + prop_sign::BADGE / 2.0, middle);
    sign(ui.painter(), sign_at);
    let alone = button(inner.right() - BUTTON / 2.0);
    if press(ui, p, alone, "alone", icon::TARGET, &format!("Isolate {}", line.name), false) {
        done = Some(Done::Isolated);
    }
    let name = Rect::from_min_max(
        pos2(sign_at.x + prop_sign::BADGE / 2.0 + 6.0, rect.top()),
        pos2(alone.left() - line.count_width - 4.0, rect.bottom()),
    );
    let count = Rect::from_min_max(pos2(name.right(), rect.top()), pos2(alone.left() - 4.0, rect.bottom()));
    let color = match (line.hidden, line.selected || line.is_head) {
        (true, _) => p.weak,
        (_, true) => p.strong,
        _ => p.text,
    };
    let mut text = RichText::new(&line.name);
    if line.is_head {
        text = text.strong();
    }
    put_text(ui, name, Align::Min, color, text);
    put_text(ui, count, Align::Max, p.weak, theme::figures(grouped(line.count as usize)));
    let tip = match line.is_head {
        true => line.tip.clone(),
        false => format!("{}\nClick to select all objects of this type, double-click to also focus them", line.tip),
    };
    response.on_hover_text(tip);
    done
}

/// An icon in a row; says whether it was pressed.
fn press(ui: &Ui, p: &Palette, rect: Rect, id: &str, sign: &str, label: &str, faint: bool) -> bool {
    let response = ui.interact(rect, ui.id().with(id), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label));
    if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, p.hover);
    }
    let color = match (response.hovered(), faint) {
        (true, _) => p.strong,
        (_, true) => p.weak.gamma_multiply(0.6),
        _ => p.weak,
    };
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, sign, FontId::proportional(14.0), color);
    response.on_hover_text(label).clicked()
}
