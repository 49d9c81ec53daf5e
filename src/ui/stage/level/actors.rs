//! The actors of the level on show: a filter with its count, and rows to find them by; or their classes.

use crate::{
    scene::MapActor,
    ui::{
        command::{Command, LevelCommand},
        query::Query,
        stage::level::class_rows::{self, ChosenClass, ClassesView},
        state::{LevelStage, State},
        theme::{self, Palette},
        widgets::{
            columns::{self, Column, Sort},
            empty, entry_icon, filter_field,
            numbers::grouped,
            put::{self, put_text},
            rows::{Row, Rows},
        },
    },
};
use egui::{Align, FontId, Margin, Rect, RichText, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;

/// What the actors are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Order {
    #[default]
    Class,
    Name,
}

const COLUMNS: [Column<Order>; 2] = [(Order::Name, "Name", -0.56, false), (Order::Class, "Class", -0.44, false)];

/// What the panel remembers between frames.
#[derive(Default)]
pub struct ActorsView {
    filter: String,
    /// What the filter asks for.
    query: Query,
    sort: Sort<Order>,
    /// Into the level's actors, in the order shown.
    rows: Vec<u32>,
    made_for: Option<MadeFor>,
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
    sort: Sort<Order>,
    class: Option<ChosenClass>,
}

pub fn show(ui: &mut Ui, state: &State, view: &mut ActorsView, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.level() else {
        empty::show(ui, icon::MAP_PIN, "No level", "Open a level to list its actors.");
        return;
    };
    let p = theme::palette(ui);
    let mut goes_down = false;
    egui::Frame::new().inner_margin(Margin { left: 8, right: 8, top: 8, bottom: 4 }).show(ui, |ui| {
        let bar = filter_field::Bar {
            label: "Filter the actors",
            hint: "Name or class",
            count: Some((
                grouped(view.rows.len()),
                if view.filter.is_empty() { "Actors in the level" } else { "Matching actors" },
            )),
            clear: "Clear the actor filter",
            room: 0.0,
        };
        let field = filter_field::with_hint(bar.show(ui, &mut view.filter));
        goes_down = filter_field::leaves_for_list(ui, &field);
        ui.add_space(4.0);
        kinds(ui, &p, view);
    });
    make_rows(state, shown, view);
    if view.by_class {
        let query = (&view.query, goes_down);
        let chosen = class_rows::show(ui, state, shown, &mut view.classes, query, commands);
        if chosen.is_some() {
            (view.class, view.by_class) = (chosen, false);
            view.filter.clear();
        }
        return;
    }
    let heads = columns::heads(ui);
    for (column, area) in COLUMNS.iter().zip(cells(heads)) {
        columns::head(ui, area, column, &mut view.sort);
    }
    if view.rows.is_empty() {
        let why = match shown.map.actors.is_empty() {
            true => "This level has no actors.",
            false => "No actor matches the filter.",
        };
        return empty::note(ui, why);
    }
    let selected = state.stages.front.selected_actor(&state.core);
    let at = || view.rows.iter().position(|row| Some(*row as usize) == selected);
    let rows = Rows::new("actors", view.rows.len()).striped().margin(4.0).enter(goes_down);
    rows.follow(ui, selected, at).show(ui, |ui, row| {
        let index = view.rows[row.index];
        let Some(actor) = shown.map.actors.get(index as usize) else { return };
        if actor_row(ui, row, (state, shown), actor, &view.query, selected == Some(index as usize)) {
            commands.push(Command::Level(LevelCommand::SelectActor(index)));
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
        sort: view.sort,
        class: view.class.clone(),
    };
    if view.made_for.as_ref() == Some(&wanted) {
        return;
    }
    view.query = Query::of(&view.filter);
    let level = state.core.file(shown.place.file).map_or("", |file| file.name.as_str());
    view.rows = rows(&shown.map.actors, &view.query, level, view.sort.by);
    if view.sort.descending {
        view.rows.reverse();
    }
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

/// Returns the area of each column: the name is next to the icon.
fn cells(row: Rect) -> impl Iterator<Item = Rect> {
    let name = |(index, cell): (usize, Rect)| if index == 0 { cell.with_min_x(cell.left() + 28.0) } else { cell };
    columns::cells(&COLUMNS, row).enumerate().map(name)
}

/// Draws a row. Returns true if it was clicked.
fn actor_row(
    ui: &Ui,
    row: &Row<'_>,
    (state, shown): (&State, &LevelStage),
    actor: &MapActor,
    query: &Query,
    selected: bool,
) -> bool {
    let p = theme::palette(ui);
    let response = row.selectable(ui, selected, &format!("{}, {}", actor.name, actor.class));
    let entry = state.core.file(shown.place.file).and_then(|file| file.entry(actor.source.into()));
    let (sign, color) = entry.map_or((icon::MAP_PIN, p.weak), |entry| entry_icon::of(entry, &p));
    put_text(ui, row.span(12.0, 0.0), Align::Min, color, RichText::new(sign).size(15.0));
    let texts = [(&actor.name, if selected { p.strong } else { p.text }), (&actor.class, p.weak)];
    for ((text, color), cell) in texts.into_iter().zip(cells(row.rect)) {
        let font = FontId::proportional(theme::BODY);
        put_text(ui, cell, Align::Min, color, put::marked_line(text, query, font, color, &p));
    }
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
