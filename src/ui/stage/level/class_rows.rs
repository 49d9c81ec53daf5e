//! The classes of a level's actors: how many there are of each, and which are seen.

use crate::{
    scene::MapActor,
    ui::{
        command::{Command, PartsCommand},
        query::Query,
        stage::level::class_tree::{ClassRow, rows},
        state::{LevelStage, State},
        theme,
        widgets::{
            empty,
            numbers::{counted, grouped},
            put::{self, put_text},
            rows::{Row, Rows},
        },
    },
};
use egui::{Align, FontId, Rect, RichText, Sense, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;
use std::{collections::HashSet, sync::Arc};

/// Side of what can be pressed, in points.
const BUTTON: f32 = 20.0;

/// What the tree remembers between frames.
#[derive(Default)]
pub struct ClassesView {
    rows: Vec<ClassRow>,
    /// Folded ones, into the rows.
    folded: HashSet<usize>,
    made_for: Option<u64>,
    /// What is listed, and for which query.
    listed: Option<(Query, Vec<usize>)>,
    /// How many actors of each row are hidden, and for which revision of that.
    hidden: Option<(u64, Vec<usize>)>,
}

/// A class whose actors are listed.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenClass {
    pub name: String,
    pub actors: Arc<[u32]>,
}

impl ClassesView {
    /// The classes that are listed, into the rows: those that a query finds with those above them, or all that no folded one hides.
    fn listed(&self, query: &Query, level: &str) -> Vec<usize> {
        if query.is_empty() {
            let mut listed = Vec::new();
            let mut next = 0;
            while let Some(row) = self.rows.get(next) {
                listed.push(next);
                next = if self.folded.contains(&next) { row.end } else { next + 1 };
            }
            return listed;
        }
        let finds = |row: &ClassRow| query.finds_in(&[&row.name], &["actor", &row.name], &[level]);
        let found: Vec<usize> = self.rows.iter().enumerate().filter(|(_, row)| finds(row)).map(|(at, _)| at).collect();
        let is_above = |at: usize, row: &ClassRow| found.iter().any(|found| (at..row.end).contains(found));
        self.rows.iter().enumerate().filter(|(at, row)| is_above(*at, row)).map(|(at, _)| at).collect()
    }

    /// Brings up to date what is listed and how much of it is hidden.
    fn follow(&mut self, state: &State, shown: &LevelStage, query: &Query) {
        if self.made_for != Some(shown.generation) {
            let actors: &[MapActor] = &shown.map.actors;
            *self = Self { rows: rows(actors), made_for: Some(shown.generation), ..Self::default() };
        }
        if self.listed.as_ref().is_none_or(|(of, _)| of != query) {
            let level = state.core.file(shown.place.file).map_or("", |file| file.name.as_str());
            self.listed = Some((query.clone(), self.listed(query, level)));
        }
        let revision = shown.actors.revision();
        if self.hidden.as_ref().is_none_or(|(of, _)| *of != revision) {
            let hidden = shown.actors.hidden();
            let count = |row: &ClassRow| match hidden.is_empty() {
                true => 0,
                false => row.actors.iter().filter(|actor| hidden.contains(&Some(**actor))).count(),
            };
            self.hidden = Some((revision, self.rows.iter().map(count).collect()));
        }
    }
}

/// Draws the tree; gives the class that was chosen.
pub fn show(
    ui: &mut Ui,
    state: &State,
    shown: &LevelStage,
    view: &mut ClassesView,
    (query, goes_down): (&Query, bool),
    commands: &mut Vec<Command>,
) -> Option<ChosenClass> {
    view.follow(state, shown, query);
    let ClassesView { rows, folded, listed, hidden, .. } = view;
    let listed = listed.as_ref().map_or(&[] as &[usize], |(_, listed)| listed);
    let mut turned = None;
    if listed.is_empty() {
        empty::note(ui, "No class matches the filter.");
        return None;
    }
    let mut chosen = None;
    let list = Rows::new("classes of actors", listed.len()).striped().margin(4.0).enter(goes_down);
    list.show(ui, |ui, line| {
        let Some((at, row)) = listed.get(line.index).and_then(|at| Some((*at, rows.get(*at)?))) else { return };
        let hidden = hidden.as_ref().and_then(|(_, hidden)| hidden.get(at)).copied().unwrap_or(0);
        let is_folded = folded.contains(&at);
        let look = Look { hidden, is_folded, can_fold: query.is_empty() && row.end > at + 1 };
        match class_row(ui, line, row, &look, query) {
            Some(Done::Fold) => turned = Some(at),
            Some(Done::Hide) => {
                let hide = hidden < row.actors.len();
                commands.push(Command::Parts(PartsCommand::HideActors(row.actors.clone(), hide)));
            }
            Some(Done::Choose) => {
                chosen = Some(ChosenClass { name: row.name.clone(), actors: row.actors.clone() });
            }
            None => {}
        }
    });
    if let Some(at) = turned {
        if !folded.remove(&at) {
            folded.insert(at);
        }
        view.listed = None;
    }
    chosen
}

struct Look {
    hidden: usize,
    is_folded: bool,
    can_fold: bool,
}

enum Done {
    Fold,
    Hide,
    Choose,
}

/// Draws a row. Returns the click on it.
fn class_row(ui: &Ui, line: &Row<'_>, row: &ClassRow, look: &Look, query: &Query) -> Option<Done> {
    let (p, rect) = (theme::palette(ui), line.rect);
    let count = row.actors.len();
    let spoken = format!("{}, {}", row.name, counted(count, "actor"));
    let info = || WidgetInfo::labeled(WidgetType::Button, true, spoken.as_str());
    let response = line.interact(ui, Sense::click(), info);
    line.fill(ui, &response, false);
    let left = 8.0 + row.depth as f32 * 14.0;
    let button = |ui: &Ui, x: f32, name: &str, label: String| {
        let area = Rect::from_center_size(line.at(x), vec2(BUTTON, BUTTON));
        let pressed = ui.interact(area, response.id.with(name), Sense::click());
        pressed.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
        pressed.on_hover_text(label)
    };
    let all_hidden = look.hidden == count;
    let what = if all_hidden { "Show" } else { "Hide" };
    let eye = button(ui, rect.width() - 18.0, "eye", format!("{what} all {} actors", row.name));
    let verb = if look.is_folded { "Expand" } else { "Collapse" };
    let caret = look.can_fold.then(|| button(ui, left + 6.0, "fold", format!("{verb} {}", row.name)));
    if look.can_fold {
        line.triangle(ui, left + 6.0, !look.is_folded, &p);
    }
    let color = if all_hidden { p.weak } else { p.text };
    let name = put::marked_line(&row.name, query, FontId::proportional(theme::BODY), color, &p);
    put_text(ui, line.span(left + 18.0, 84.0), Align::Min, color, name);
    put_text(ui, line.span(0.0, 36.0), Align::Max, p.weak, RichText::new(grouped(count)).size(theme::SMALL));
    let sign = match look.hidden {
        0 => icon::EYE,
        _ if all_hidden => icon::EYE_SLASH,
        _ => icon::EYE_CLOSED,
    };
    let color = if eye.hovered() { p.strong } else { p.weak };
    put_text(ui, line.span(rect.width() - 36.0, 0.0), Align::Center, color, RichText::new(sign).size(15.0));
    let tip = match row.own {
        own if own == count => format!("{spoken}. Click to list the actors"),
        own => format!("{spoken} ({} excluding subclasses). Click to list the actors", grouped(own)),
    };
    let is_chosen = response.on_hover_text(tip).clicked();
    if caret.is_some_and(|caret| caret.clicked()) {
        return Some(Done::Fold);
    }
    if eye.clicked() {
        return Some(Done::Hide);
    }
    is_chosen.then_some(Done::Choose)
}
