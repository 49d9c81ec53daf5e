//! Below a stage: the time of what is on it, and a drawer with the clips, their keys and their curves.

mod clips;
pub mod curves;
pub mod loop_sign;
pub mod timeline;
mod timeline_rows;
mod tracks;

pub use clips::ClipsView;
pub use tracks::TracksView;

use crate::ui::{
    command::{Command, StageCommand},
    state::{DrawerPage, State, TimeOf},
    theme::{self, Palette},
};
use curves::view::CurvesView;
use egui::{Align, Button, Layout, RichText, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;

/// Height of the drawer at first, as a share of the stage.
const DRAWER: f32 = 0.42;

/// The pages of the drawer.
const PAGES: [(DrawerPage, &str, &str); 3] = [
    (DrawerPage::Clips, icon::LIST_BULLETS, "Clips"),
    (DrawerPage::Tracks, icon::DIAMONDS_FOUR, "Tracks"),
    (DrawerPage::Curves, icon::CHART_LINE, "Curves"),
];

/// Takes its room from the bottom of the stage; nothing where nothing has a time.
pub fn show(
    ui: &mut Ui,
    state: &mut State,
    clips: &mut ClipsView,
    tracks: &mut TracksView,
    curves: &mut CurvesView,
    commands: &mut Vec<Command>,
) {
    let p = theme::palette(ui);
    if state.stage.time_of() == Some(TimeOf::Clip) {
        clip_alone(ui, state, &p, commands);
        return;
    }
    let has_clips = state.stage.playback.playing.is_some() || !state.stage.playback.clips.is_empty();
    if state.stage.time_of() != Some(TimeOf::Model) || !has_clips {
        return;
    }
    if let Some(page) = state.stage.drawer {
        let frame = egui::Frame::new().fill(p.panel).inner_margin(0.0);
        let most = (ui.available_height() * 0.7).max(120.0);
        let drawer = egui::Panel::bottom(ui.id().with("drawer")).frame(frame).resizable(true);
        drawer.default_size((ui.available_height() * DRAWER).clamp(96.0, most)).min_size(96.0).max_size(most).show(
            ui,
            |ui| {
                pages(ui, page, &p, commands);
                match page {
                    DrawerPage::Clips => clips::show(ui, state, clips, commands),
                    DrawerPage::Tracks => tracks::show(ui, state, tracks, commands),
                    DrawerPage::Curves => curves::show(ui, state, curves, commands),
                }
                ui.take_available_space();
            },
        );
    }
    let frame = egui::Frame::new().fill(p.panel);
    let bar = egui::Panel::bottom(ui.id().with("transport")).frame(frame).resizable(false).show_separator_line(false);
    bar.exact_size(timeline::height(state)).show(ui, |ui| timeline::show(ui, state, commands));
}

/// The bar of a clip that plays on no model: its curves above have the playhead.
fn clip_alone(ui: &mut Ui, state: &State, p: &Palette, commands: &mut Vec<Command>) {
    let frame = egui::Frame::new().fill(p.panel).inner_margin(egui::Margin::symmetric(8, 6));
    let bar = egui::Panel::bottom(ui.id().with("transport")).frame(frame).resizable(false).show_separator_line(false);
    bar.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            timeline::buttons(ui, state.stage.curves_play(), true, p, commands);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let Some(shown) = &state.stage.curves.shown else { return };
                let text = format!("{:.1} / {}", state.stage.curves_frame(), shown.clip.frame_count);
                let label = ui.label(theme::figures(text.as_str()).size(13.0).color(p.strong));
                label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("Frame {text}")));
            });
        });
    });
}

/// The names of the pages, and the way to push the drawer in.
fn pages(ui: &mut Ui, open: DrawerPage, p: &Palette, commands: &mut Vec<Command>) {
    egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 8, top: 4, bottom: 2 }).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for (page, sign, name) in PAGES {
                let on = page == open;
                let color = if on { p.strong } else { p.weak };
                let button = ui.add(Button::new(RichText::new(format!("{sign}  {name}")).color(color)).selected(on));
                button.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, on, format!("{name} page")));
                if button.clicked() && !on {
                    commands.push(Command::Stage(StageCommand::ToggleDrawer(page)));
                }
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if theme::icon_button(ui, icon::CARET_DOWN, "Close the drawer").clicked() {
                    commands.push(Command::Stage(StageCommand::ToggleDrawer(open)));
                }
            });
        });
    });
}
