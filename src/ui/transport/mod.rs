//! Below a stage: the time of what is on it, and a drawer with the clips, their keys and their curves.

mod bar;
mod clip_list;
mod clips;
pub mod curves;
mod notifications;
mod ruler;
mod subjects;
mod time_bar;
pub mod timeline_rows;
mod tracks;

pub use clips::ClipsView;
pub use tracks::TracksView;

use crate::ui::{
    command::{Command, StageCommand},
    layout,
    state::{DrawerPage, State, TimeOf},
    theme::{self, Palette},
};
use bar::Parts;
use curves::view::CurvesView;
use egui::{Align, Button, Layout, RichText, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;
use time_bar::TransportBar;

/// Height of the drawer at first, as a share of the stage.
const DRAWER: f32 = 0.42;

/// The pages of the drawer.
const PAGES: [(DrawerPage, &str, &str); 4] = [
    (DrawerPage::Clips, icon::LIST_BULLETS, "Clips"),
    (DrawerPage::Tracks, icon::DIAMONDS_FOUR, "Tracks"),
    (DrawerPage::Curves, icon::CHART_LINE, "Curves"),
    (DrawerPage::Notifications, icon::FLAG, "Notifications"),
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
    let mut filter = std::mem::take(&mut state.stages.front.viewport.clip_filter);
    let is_model = state.stages.front.time_of() == Some(TimeOf::Model);
    if let Some(bar) = TransportBar::of(state) {
        if let Some(page) = state.stages.front.viewport.drawer.filter(|_| is_model) {
            drawer(ui, state, page, (clips, tracks, curves), &p, commands);
        }
        let rows = if is_model { timeline_rows::height(state) } else { 0.0 };
        let frame = egui::Frame::new().fill(p.panel);
        let panel = egui::Panel::bottom(ui.id().with("transport")).frame(frame).resizable(false);
        panel.show_separator_line(false).exact_size(bar::HEIGHT + rows).show(ui, |ui| {
            let margin = egui::Margin { left: 8, right: 12, top: 6, bottom: 8 };
            egui::Frame::new().inner_margin(margin).show(ui, |ui| {
                if is_model {
                    timeline_rows::show(ui, state, commands);
                }
                let mut parts = Parts { hint: subjects::hint(state), ..Parts::default() };
                if is_model {
                    parts.name = Some(Box::new(|ui, commands| clip_list::show(ui, state, &mut filter, commands)));
                    parts.end = Some(Box::new(|ui, commands| caret(ui, state.stages.front.viewport.drawer, commands)));
                }
                bar::show(ui, &bar, parts, commands);
            });
        });
        repaint_for_picture(ui, state);
    }
    state.stages.front.viewport.clip_filter = filter;
}

fn drawer(
    ui: &mut Ui,
    state: &State,
    page: DrawerPage,
    (clips, tracks, curves): (&mut ClipsView, &mut TracksView, &mut CurvesView),
    p: &Palette,
    commands: &mut Vec<Command>,
) {
    let frame = egui::Frame::new().fill(p.panel).inner_margin(0.0);
    let most = (ui.available_height() * 0.7).max(120.0);
    let drawer = egui::Panel::bottom(ui.id().with("drawer")).frame(frame).resizable(true);
    let height = layout::panel_size(ui.ctx(), "drawer").unwrap_or(ui.available_height() * DRAWER).clamp(96.0, most);
    let shown = drawer.default_size(height).min_size(96.0).max_size(most).show(ui, |ui| {
        pages(ui, page, p, commands);
        match page {
            DrawerPage::Clips => clips::show(ui, state, clips, commands),
            DrawerPage::Tracks => tracks::show(ui, state, tracks, commands),
            DrawerPage::Curves => curves::show(ui, state, curves, commands),
            DrawerPage::Notifications => notifications::show(ui, state, commands),
        }
        ui.take_available_space();
    });
    layout::note_panel_size(ui.ctx(), "drawer", shown.response.rect.height());
}

/// Pulls the drawer out, or pushes it in.
fn caret(ui: &mut Ui, open: Option<DrawerPage>, commands: &mut Vec<Command>) {
    let (sign, name) = match open {
        Some(_) => (icon::CARET_DOWN, "Close clips, tracks and curves"),
        None => (icon::CARET_UP, "Open clips, tracks and curves"),
    };
    if theme::icon_toggle(ui, sign, name, open.is_some()).clicked() {
        commands.push(Command::Stage(StageCommand::ToggleDrawer(open.unwrap_or(DrawerPage::Clips))));
    }
}

/// The window is drawn again when the next picture is due, and not before.
fn repaint_for_picture(ui: &Ui, state: &State) {
    let Some(shown) = state.stages.front.image().filter(|shown| shown.player.playing) else { return };
    if let Some(rate_hz) = shown.rate_hz() {
        let wait = shown.player.until_next_secs(rate_hz);
        ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(wait.clamp(0.0, 1.0)));
    }
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
