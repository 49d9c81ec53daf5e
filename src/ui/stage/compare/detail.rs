//! What differs in the chosen entry.

use crate::{
    library::compare::{AssetDifference, Line, State as Differs},
    ui::{
        command::Command,
        stage::compare::{
            facts, fields,
            models::{self, DrawModels, ModelsView},
            pictures::{self, PicturesView},
            signs,
        },
        state::{Comparing, names_apart},
        theme,
        widgets::{empty, rows::Rows},
    },
};
use egui::{Label, RichText, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;

/// Height that lines of text, pictures and models take at most, as a share of the page, where fields stand below them.
const UPPER: f32 = 0.55;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct CompareView {
    pub pictures: PicturesView,
    pub models: ModelsView,
}

pub fn show(
    ui: &mut Ui,
    comparing: &Comparing,
    view: &mut CompareView,
    draw: &mut DrawModels<'_>,
    commands: &mut Vec<Command>,
) {
    let pair = comparing.chosen.and_then(|at| comparing.found.as_ref()?.entries.get(at));
    let Some(pair) = pair else { return };
    if pair.left.is_none() || pair.right.is_none() {
        let sentence = if pair.left.is_none() { "Only in the right file." } else { "Only in the left file." };
        return empty::show(ui, icon::GIT_DIFF, pair.state.word(), sentence);
    }
    let Some((at, detail)) = &comparing.detail else {
        match comparing.detail_work {
            Some(_) => _ = ui.spinner(),
            None => _ = ui.weak("Stopped. Select the entry again to compare it."),
        }
        return;
    };
    let height = (ui.available_height() * UPPER).max(48.0);
    let Some(targets) = &comparing.targets else { return };
    let names = names_apart(targets);
    let names = [names[0].as_str(), names[1].as_str()];
    match &detail.shown {
        Some(AssetDifference::Text(text)) if !text.parts.is_empty() => {
            let lines: Vec<&Line> = text.parts.iter().flat_map(|part| &part.lines).collect();
            text_lines(ui, &lines, height);
        }
        Some(AssetDifference::Picture(difference)) => {
            pictures::show(ui, difference, (comparing.turn, *at), names, &mut view.pictures, height);
            ui.separator();
        }
        Some(AssetDifference::Model { difference, left, right }) => {
            models::show(ui, [left, right], names, &mut view.models, height, draw, commands);
            facts::show(ui, &facts::of_model(difference));
            ui.separator();
        }
        Some(AssetDifference::Clip(clip)) => {
            facts::show(ui, &facts::of_clip(clip));
            ui.separator();
        }
        _ => {}
    }
    fields::show(ui, detail, comparing.with_same);
}

fn text_lines(ui: &mut Ui, lines: &[&Line], height: f32) {
    let p = theme::palette(ui);
    let rows = Rows::new("compared lines", lines.len()).height(theme::ROW - 4.0).up_to(height).sideways();
    rows.show(ui, |ui, row| {
        let line = lines[row.index];
        let (sign, color) = signs::of(line.state, &p);
        let number = |number: Option<usize>| number.map(|number| number.to_string()).unwrap_or_default();
        let text = format!("{:>5} {:>5} {sign} {}", number(line.left), number(line.right), line.text);
        let color = if line.state == Differs::Same { p.text } else { color };
        let label = Label::new(RichText::new(text).monospace().size(12.0).color(color)).extend();
        let said = format!("{}: {}", line.state.word(), line.text);
        ui.add(label).widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, said.as_str()));
    });
    ui.separator();
}
