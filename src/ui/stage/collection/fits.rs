//! Which clips of the collection fit a model, and which models a clip: the best first, each with the reason why it is offered.

use crate::ui::stage::collection::{
    menu::menu,
    row::{self, ROW, ResultRow},
    sections::{self, HEADER, Section},
};
use crate::{
    library::collection::Evidence,
    ui::{
        command::{CollectionCommand, Command},
        state::{FitsOf, ShownFits, State},
        theme,
        widgets::{
            empty,
            numbers::counted,
            rows::{Rows, Tops},
        },
    },
};
use egui::{Align, Key, Layout, RichText, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;
use std::sync::Arc;

/// What the page remembers between frames.
#[derive(Default)]
pub struct FitsView {
    made_for: Option<Arc<ShownFits>>,
    sections: Vec<Section>,
    /// A section's name, or what fits, by its rank.
    shown: Vec<Result<usize, usize>>,
    tops: Tops,
}

pub fn show(ui: &mut Ui, state: &State, view: &mut FitsView, cursor: &mut Option<usize>, commands: &mut Vec<Command>) {
    let fits = &state.collection.fits;
    ui.horizontal(|ui| {
        let (back, label) = match state.collection.fits_come_from(&state.core) {
            Some(name) => (name.to_owned(), "Back to the model"),
            None => ("Results".to_owned(), "Back to the results"),
        };
        let back = ui.button(format!("{}  {back}", icon::ARROW_LEFT));
        back.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label));
        if back.clicked() || ui.input(|i| i.key_pressed(Key::Escape)) {
            commands.push(Command::Collection(CollectionCommand::CloseFits));
        }
        if let Some(shown) = &fits.shown {
            title(ui, shown);
        }
        if fits.work.is_some() {
            ui.spinner();
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.weak(format!("{} {} to select · Enter or click to play", icon::ARROW_DOWN, icon::ARROW_UP));
        });
    });
    ui.add_space(4.0);
    let Some(shown) = &fits.shown else {
        if fits.work.is_none() && state.collection.catalog.is_some() {
            let sentence = "To add this file, open or drop its folder or container.";
            empty::show(ui, icon::STACK, "This file is not in the collection", sentence);
        }
        return;
    };
    if shown.fits.is_empty() {
        let (title, sentence) = match shown.of {
            FitsOf::Model(_) => ("No matching clips", "No clip in the collection has bones that match this model."),
            FitsOf::Clip(_) => ("No matching models", "No model in the collection has bones that match this clip."),
        };
        return empty::show(ui, icon::PERSON_SIMPLE_RUN, title, sentence);
    }
    view.follow(shown);
    rows(ui, state, shown, view, cursor, commands);
}

/// What it is about, and how many fit.
fn title(ui: &mut Ui, shown: &ShownFits) {
    let name = shown.catalog.row(shown.of.row()).map_or("", |row| row.name);
    let (text, one) = match shown.of {
        FitsOf::Model(_) => (format!("Clips matching {name}"), "clip"),
        FitsOf::Clip(_) => (format!("Models matching {name}"), "model"),
    };
    let label = ui.scope(|ui| {
        ui.set_max_width((ui.available_width() - 320.0).max(120.0));
        ui.add(egui::Label::new(RichText::new(&text).strong()).truncate())
    });
    let label = label.inner;
    label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text.as_str()));
    let count = match shown.is_cut {
        true => format!("best {}", counted(shown.fits.len(), "match")),
        false => counted(shown.fits.len(), one),
    };
    ui.label(theme::figures(count).weak());
}

impl FitsView {
    /// Puts what fits in sections, each for what speaks for it.
    fn follow(&mut self, shown: &Arc<ShownFits>) {
        if self.made_for.as_ref().is_some_and(|made_for| Arc::ptr_eq(made_for, shown)) {
            return;
        }
        *self = Self { made_for: Some(shown.clone()), ..Self::default() };
        for (rank, fit) in shown.fits.iter().enumerate() {
            let title = words(fit.evidence);
            match self.sections.last_mut().filter(|last| last.title == title) {
                Some(last) => last.count += 1,
                None => {
                    self.shown.push(Err(self.sections.len()));
                    self.sections.push(Section { title: title.to_owned(), place: String::new(), count: 1 });
                }
            }
            self.shown.push(Ok(rank));
        }
        self.tops = Tops::of(self.shown.iter().map(|line| if line.is_ok() { ROW } else { HEADER }));
    }
}

/// What speaks for a clip and a model, as the name of a section.
fn words(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Own => "Best matches",
        Evidence::Names => "Matching bones, different folder",
        Evidence::SomeNames => "Some matching bones, same folder",
        Evidence::CountAndPlace => "Same number of bones, same folder",
        Evidence::FewNames => "Few matching bones, different folder",
        Evidence::Count => "Same number of bones, different folder",
    }
}

fn rows(
    ui: &mut Ui,
    state: &State,
    shown: &ShownFits,
    view: &FitsView,
    cursor: &mut Option<usize>,
    commands: &mut Vec<Command>,
) {
    let place_of = |at: usize| view.shown.iter().position(|line| *line == Ok(at));
    let list = Rows::new("fits", view.shown.len()).tops(&view.tops).striped();
    list.follow(ui, *cursor, || cursor.and_then(place_of)).show(ui, |ui, at| {
        let rank = match view.shown[at.index] {
            Ok(rank) => rank,
            Err(section) => return sections::header(ui, at, &view.sections[section]),
        };
        let Some(fit) = shown.fits.get(rank) else { return };
        let Some(of) = shown.catalog.row(fit.row) else { return };
        let row = ResultRow {
            of: &of,
            known: &row::known(&of),
            reason: &fit.reason,
            way: &row::way(&shown.catalog, &of),
            marks: Vec::new(),
            is_current: *cursor == Some(rank),
            is_gone: shown.catalog.file(of.file).is_some_and(|file| state.collection.is_gone(&file.path)),
        };
        let response = row::show(ui, at, &row);
        let play = Command::Collection(CollectionCommand::PlayFit(rank));
        if response.clicked() {
            *cursor = Some(rank);
            commands.push(play.clone());
        }
        let name = match shown.of {
            FitsOf::Model(_) => "Play on this model",
            FitsOf::Clip(_) => "Play the clip on this model",
        };
        response.context_menu(|ui| menu(ui, state, (&shown.catalog, fit.row), (name, play), commands));
    });
}
