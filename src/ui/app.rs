//! The application: input becomes commands, commands change the state, panels show it.

use super::{
    command::{self, Command},
    dialogs,
    dock::{Dock, Tab},
    panels,
    settings::Settings,
    state::{Effect, State},
    theme,
    views::Views,
};
use crate::formats::Severity;
use std::{cell::RefCell, rc::Rc};

/// What outlives a window: the state and the layout.
pub struct Kept {
    pub state: State,
    pub dock: Dock,
    pub views: Views,
}

impl Kept {
    pub fn new(state: State) -> Self {
        let dock = Dock::restore(state.settings.layout.as_deref());
        Self { state, dock, views: Views::default() }
    }
}

pub struct App {
    kept: Rc<RefCell<Kept>>,
    toasts: egui_notify::Toasts,
    /// The filter field wants the keyboard in the next frame.
    focus_filter: bool,
    title: String,
}

impl App {
    /// Joins the state to a window.
    pub fn new(cc: &eframe::CreationContext<'_>, kept: Rc<RefCell<Kept>>) -> Self {
        theme::install_fonts(&cc.egui_ctx);
        {
            let state = &mut kept.borrow_mut().state;
            theme::apply(&cc.egui_ctx, state.settings.dark, state.settings.ui_scale);
            let ctx = cc.egui_ctx.clone();
            state.set_wake(move || ctx.request_repaint());
        }
        let toasts = egui_notify::Toasts::default()
            .with_anchor(egui_notify::Anchor::BottomRight)
            .with_margin(egui::vec2(12.0, 40.0));
        Self { kept, toasts, focus_filter: false, title: String::new() }
    }

    /// The state, for tests.
    pub fn kept(&self) -> &Rc<RefCell<Kept>> {
        &self.kept
    }

    /// What came from outside since the last frame: drops, pasted paths, keys.
    fn input(&self, ctx: &egui::Context, commands: &mut Vec<Command>) {
        let dropped: Vec<_> = ctx.input(|i| i.raw.dropped_files.iter().map(|f| f.path().to_owned()).collect());
        if !dropped.is_empty() {
            commands.push(Command::Open(dropped));
        }
        if !ctx.text_edit_focused() {
            let pasted = ctx.input(|i| {
                i.events.iter().find_map(|e| match e {
                    egui::Event::Paste(text) => Some(text.clone()),
                    _ => None,
                })
            });
            commands.extend(pasted.map(Command::OpenPasted));
        }
        command::pressed(ctx, commands);
    }

    fn perform(&mut self, ctx: &egui::Context, dock: &mut Dock, state: &mut State) {
        for effect in std::mem::take(&mut state.effects) {
            match effect {
                Effect::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
                Effect::Copy(text) => ctx.copy_text(text),
                Effect::AskForFiles => dialogs::ask_to_open(state, false),
                Effect::AskForFolder => dialogs::ask_to_open(state, true),
                Effect::FocusFilter => {
                    dock.bring_up(Tab::Library);
                    self.focus_filter = true;
                }
                Effect::ResetLayout => *dock = Dock::default(),
                Effect::Restyle => theme::apply(ctx, state.settings.dark, state.settings.ui_scale),
                Effect::AskForExport(_) | Effect::Screenshot => {}
            }
        }
        for entry in state.log.take_toasts() {
            let text = entry.text();
            let toast = match entry.severity {
                Severity::Info => self.toasts.info(text),
                Severity::Warning => self.toasts.warning(text),
                Severity::Error => self.toasts.error(text),
            };
            toast.duration(std::time::Duration::from_secs(6)).show_progress_bar(false).width(380.0);
        }
        let title = state.title();
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        let kept = self.kept.clone();
        let mut kept = kept.borrow_mut();
        let Kept { state, dock, views } = &mut *kept;
        state.tick();
        let mut commands = Vec::new();
        self.input(&ctx, &mut commands);

        let p = theme::palette(ui);
        let bar = egui::Frame::new().fill(p.base).inner_margin(egui::Margin::symmetric(12, 4));
        egui::Panel::top("menu").frame(bar).show_separator_line(false).show(ui, |ui| {
            panels::menu::show(ui, state, &mut commands);
        });
        egui::Panel::bottom("status").frame(bar).show_separator_line(false).show(ui, |ui| {
            panels::status::show(ui, state, &mut commands);
        });
        if state.settings.show_log {
            let frame = egui::Frame::new().fill(p.panel).inner_margin(8.0);
            egui::Panel::bottom("log").frame(frame).resizable(true).default_size(180.0).min_size(96.0).show(ui, |ui| {
                views.log(ui, state, &mut commands);
            });
        }
        egui::CentralPanel::no_frame().frame(egui::Frame::new().fill(p.base)).show(ui, |ui| {
            let mut panels = Panels { state, views, commands: &mut commands, focus_filter: &mut self.focus_filter };
            dock.show(ui, &mut panels);
        });
        views.overlays(ui, state, &mut commands);

        for command in commands {
            state.apply(command);
        }
        self.perform(&ctx, dock, state);
        self.toasts.show(&ctx);
        if state.is_moving() {
            ctx.request_repaint();
        } else if state.is_busy() {
            ctx.request_repaint_after(std::time::Duration::from_millis(100));
        }
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        let mut kept = self.kept.borrow_mut();
        let Kept { state, dock, .. } = &mut *kept;
        let settings: &mut Settings = &mut state.settings;
        settings.layout = dock.keep();
        state.settings.session = state.session();
        state.settings.save(storage);
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        theme::Palette::of(visuals.dark_mode).base.to_normalized_gamma_f32()
    }
}

/// What the dock's panels are drawn from.
pub struct Panels<'a> {
    pub state: &'a mut State,
    pub views: &'a mut Views,
    pub commands: &'a mut Vec<Command>,
    pub focus_filter: &'a mut bool,
}

impl Panels<'_> {
    pub fn show(&mut self, ui: &mut egui::Ui, tab: Tab) {
        match tab {
            Tab::Library => panels::library::show(ui, self.state, self.focus_filter, self.commands),
            Tab::Viewport if self.state.library.files.is_empty() => {
                self.views.welcome(ui, self.state, self.commands);
            }
            Tab::Viewport => {
                ui.centered_and_justified(|ui| ui.weak("Drop files here"));
            }
            Tab::Inspector => self.views.inspector(ui, self.state, self.commands),
            Tab::Bytes => self.views.bytes(ui, self.state, self.commands),
        }
    }
}
