//! The actors of the level on show: a filter with its count, and rows to find them by; or their classes.

use crate::{
    scene::MapActor,
    ui::{
        command::{Command, LevelCommand},
        query::Query,
        stage::level::class_rows::{self, ChosenClass, ClassesView},
        state::{LevelStage, State},
        theme::{self, Palette},
        widgets::numbers::grouped,
        widgets::{empty, entry_icon, filter_field, marked},
    },
};
use egui::{Align2, FontId, Margin, Rect, RichText, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;

/// Share of the width that names have; classes have the rest.
const NAMES: f32 = 0.56;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Order {
    #[default]
    Class,
    Name,
}

/// What the panel remembers between frames.
#[derive(Default)]
pub struct ActorsView {
    filter: String,
    /// What the filter asks for.
    query: Query,
    order: Order,
    /// Into the level's actors, in the order shown.
    rows: Vec<u32>,
    made_for: Option<MadeFor>,
    selected: Option<usize>,
    /// Classes are listed in the place of actors.
    by_class: bool,
    classes: ClassesView,
    /// The class whose actors are listed, with those of what derives from it.
    class: Option<ChosenClass>,
}

/// What the rows were made for.
#[derive(Clone, Debug, PartialEq)]
struct MadeFor {
    generation: u64,
    filter: String,
    order: Order,
    class: Option<ChosenClass>,
}

pub fn show(ui: &mut Ui, state: &State, view: &mut ActorsView, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.level() else {
        empty::show(ui, icon::MAP_PIN, "No level", "Open a level to list its actors.");
        return;
    };
    let p = theme::palette(ui);
    egui::Frame::new().inner_margin(Margin { left: 8, right: 8, top: 8, bottom: 4 }).show(ui, |ui| {
        filter_bar(ui, &p, view);
        ui.add_space(4.0);
        kinds(ui, &p, view);
    });
    make_rows(state, shown, view);
    if view.by_class {
        let chosen = class_rows::show(ui, state, shown, &mut view.classes, &view.query, commands);
        if chosen.is_some() {
            (view.class, view.by_class) = (chosen, false);
            view.filter.clear();
        }
        return;
    }
    heads(ui, &p, view);
    if view.rows.is_empty() {
        let why = match shown.map.actors.is_empty() {
            true => "This level has no actors.",
            false => "No actor matches the filter.",
        };
        ui.add_space(24.0);
        ui.vertical_centered(|ui| ui.label(RichText::new(why).color(p.weak)));
        return;
    }
    let selected = state.stages.front.selected_actor(&state.core);
    let moved = view.selected != selected;
    view.selected = selected;
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical().auto_shrink(false).show_rows(ui, theme::ROW, view.rows.len(), |ui, range| {
        // A selection made elsewhere is brought into sight.
        if moved && let Some(index) = view.rows.iter().position(|row| Some(*row as usize) == selected) {
            let y = ui.min_rect().top() + (index as f32 - range.start as f32) * theme::ROW;
            let rect = Rect::from_min_size(pos2(ui.min_rect().left(), y), vec2(1.0, theme::ROW));
            if !ui.clip_rect().y_range().contains(rect.center().y) {
                ui.scroll_to_rect(rect, Some(egui::Align::Center));
            }
        }
        for row in range {
            let Some(index) = view.rows.get(row).copied() else { continue };
            let Some(actor) = shown.map.actors.get(index as usize) else { continue };
            let is_selected = selected == Some(index as usize);
            if actor_row(ui, &p, state, shown, actor, &view.query, is_selected, row % 2 == 1) {
                commands.push(Command::Level(LevelCommand::SelectActor(index)));
            }
        }
    });
}

/// Makes the rows anew where they were made for something else.
fn make_rows(state: &State, shown: &LevelStage, view: &mut ActorsView) {
    // A class is one of a level.
    let is_other_level = view.made_for.as_ref().is_some_and(|made| made.generation != shown.generation);
    view.class.take_if(|_| is_other_level);
    let wanted = MadeFor {
        generation: shown.generation,
        filter: view.filter.clone(),
        order: view.order,
        class: view.class.clone(),
    };
    if view.made_for.as_ref() == Some(&wanted) {
        return;
    }
    view.query = Query::of(&view.filter);
    let level = state.core.file(shown.place.file).map_or("", |file| file.name.as_str());
    view.rows = rows(&shown.map.actors, &view.query, level, view.order);
    if let Some(class) = &view.class {
        view.rows.retain(|row| class.actors.binary_search(row).is_ok());
    }
    view.made_for = Some(wanted);
}

/// Actors or classes; and the class whose actors are listed.
fn kinds(ui: &mut Ui, p: &Palette, view: &mut ActorsView) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (by_class, name) in [(false, "Actors"), (true, "Classes")] {
            let on = view.by_class == by_class;
            let text = RichText::new(name).size(theme::SMALL).color(if on { p.strong } else { p.weak });
            let button = egui::Button::new(text).fill(if on { p.accent_soft } else { egui::Color32::TRANSPARENT });
            let response = ui.add(button);
            let label = if by_class { "List the classes" } else { "List the actors" };
            response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, on, label));
            if response.clicked() {
                view.by_class = by_class;
            }
        }
        let Some(class) = view.class.as_ref().filter(|_| !view.by_class) else { return };
        let text = RichText::new(format!("{}  {}", class.name, icon::X)).size(theme::SMALL).color(p.accent);
        let response = ui.add(egui::Button::new(text).fill(p.card).truncate());
        let label = format!("Only {} and its subclasses are listed. Click to list all actors", class.name);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
        if response.on_hover_text(label).clicked() {
            view.class = None;
        }
    });
}

/// The actors of a level that a query finds by name and class, in order.
fn rows(actors: &[MapActor], query: &Query, level: &str, order: Order) -> Vec<u32> {
    let fits = |actor: &MapActor| query.finds_in(&[&actor.name, &actor.class], &["actor", &actor.class], &[level]);
    let mut rows: Vec<(u32, &MapActor)> = (0_u32..).zip(actors).filter(|(_, actor)| fits(actor)).collect();
    rows.sort_by_cached_key(|(_, actor)| {
        let name = numbered(&actor.name);
        let class = if order == Order::Class { actor.class.to_lowercase() } else { String::new() };
        (class, name)
    });
    rows.into_iter().map(|(index, _)| index).collect()
}

/// `Light12` sorts after `Light2`.
fn numbered(name: &str) -> (String, u64) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.to_lowercase(), name[stem.len()..].parse().unwrap_or(0))
}

fn filter_bar(ui: &mut Ui, p: &Palette, view: &mut ActorsView) {
    egui::Frame::new().fill(p.field).corner_radius(4).inner_margin(Margin::symmetric(8, 3)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new(icon::FUNNEL).color(p.weak));
            let width = (ui.available_width() - 64.0).max(40.0);
            let edit = filter_field::edit(&mut view.filter)
                .hint_text("Name or class")
                .frame(egui::Frame::NONE)
                .desired_width(width);
            let field = filter_field::with_hint(ui.add(edit));
            field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Filter the actors"));
            if filter_field::is_given_up(ui, &field) {
                view.filter.clear();
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let count = RichText::new(grouped(view.rows.len())).size(theme::SMALL).color(p.weak);
                let tip = if view.filter.is_empty() { "Actors in the level" } else { "Matching actors" };
                ui.label(count).on_hover_text(tip);
                if !view.filter.is_empty() {
                    let clear = ui.add(egui::Button::new(icon::X).frame(false).small());
                    clear.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Clear the actor filter"));
                    if clear.clicked() {
                        view.filter.clear();
                    }
                }
            });
        });
    });
}

/// The columns' heads; a click sorts by one.
fn heads(ui: &mut Ui, p: &Palette, view: &mut ActorsView) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    let split = rect.left() + rect.width() * NAMES;
    for (name, order, left, right) in
        [("Name", Order::Name, rect.left() + 32.0, split), ("Class", Order::Class, split, rect.right() - 8.0)]
    {
        let area = Rect::from_min_max(pos2(left, rect.top()), pos2(right, rect.bottom()));
        let response = ui.interact(area, ui.id().with(("actors by", name)), Sense::click());
        let on = view.order == order;
        response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, on, format!("Sort by {name}")));
        let sign = if on { icon::CARET_DOWN } else { "" };
        let color = if response.hovered() || on { p.text } else { p.weak };
        let font = FontId::proportional(theme::SMALL);
        ui.painter_at(area).text(area.left_center(), Align2::LEFT_CENTER, format!("{name} {sign}"), font, color);
        if response.clicked() {
            view.order = order;
        }
    }
}

/// Draws a row; says whether it was clicked.
#[expect(clippy::too_many_arguments, reason = "a row needs the state of the list")]
fn actor_row(
    ui: &mut Ui,
    p: &Palette,
    state: &State,
    shown: &LevelStage,
    actor: &MapActor,
    query: &Query,
    selected: bool,
    odd: bool,
) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    let label = format!("{}, {}", actor.name, actor.class);
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, selected, label.as_str()));
    if !ui.is_rect_visible(rect) {
        return response.clicked();
    }
    let painter = ui.painter_at(rect);
    let fill = match (selected, response.hovered(), odd) {
        (true, ..) => p.accent_soft,
        (_, true, _) => p.hover,
        (_, _, true) => p.zebra,
        _ => egui::Color32::TRANSPARENT,
    };
    painter.rect_filled(rect.shrink2(vec2(4.0, 0.0)), 4.0, fill);
    let entry = state.core.file(shown.place.file).and_then(|file| file.entry(actor.source.into()));
    let (sign, color) = entry.map_or((icon::MAP_PIN, p.weak), |entry| entry_icon::of(entry, p));
    let middle = rect.center().y;
    let font = FontId::proportional(15.0);
    painter.text(pos2(rect.left() + 12.0, middle), Align2::LEFT_CENTER, sign, font, color);
    let split = rect.left() + rect.width() * NAMES;
    let text = if selected { p.strong } else { p.text };
    let column = |name: &str, left: f32, right: f32, color| {
        let font = FontId::proportional(theme::BODY);
        let job = marked::line(name, query, font, color, p, (right - left).max(8.0));
        let galley = ui.fonts_mut(|f| f.layout_job(job));
        painter.galley(pos2(left, middle - galley.size().y / 2.0), galley, color);
    };
    column(&actor.name, rect.left() + 32.0, split - 6.0, text);
    column(&actor.class, split, rect.right() - 10.0, p.weak);
    let at = shown.map.file_from_scene.transform_point3(actor.location);
    let response = response.on_hover_ui(|ui| {
        ui.label(&actor.name);
        ui.label(RichText::new(&actor.class).color(p.weak));
        ui.label(theme::figures(format!("{:.0}  {:.0}  {:.0}", at.x, at.y, at.z)).color(p.weak));
    });
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actors_are_found_by_words_and_sorted_by_class_and_number() {
        let actor =
            |name: &str, class: &str| MapActor { name: name.into(), class: class.into(), ..MapActor::default() };
        let actors = [
            actor("Light12", "Light"),
            actor("Brush1", "Brush"),
            actor("Light2", "Light"),
            actor("Torch0", "TorchLight"),
        ];
        let rows = |actors: &[MapActor], filter: &str, order| rows(actors, &Query::of(filter), "room.unr", order);
        assert_eq!(rows(&actors, "", Order::Class), [1, 2, 0, 3]);
        assert_eq!(rows(&actors, "", Order::Name), [1, 2, 0, 3]);
        assert_eq!(rows(&actors, "light 1", Order::Name), [0]);
        assert_eq!(rows(&actors, "LIGHT", Order::Class), [2, 0, 3]);
        assert!(rows(&actors, "door", Order::Class).is_empty());
        assert_eq!(rows(&actors, "type:torch", Order::Name), [3]);
        assert_eq!(rows(&actors, "light -torch -\"light2\" in:room", Order::Name), [0]);
        assert!(numbered("Light99999999999999999999").1 == 0 && numbered("7").0.is_empty());
    }
}
