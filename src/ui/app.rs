//! The application: input becomes commands, commands change the state, panels show it.

#[cfg(target_arch = "wasm32")]
use crate::ui::browser::{self, ask};
#[cfg(not(target_arch = "wasm32"))]
use crate::ui::system_dialogs::{self, ask};
use crate::{
    formats::Severity,
    jobs::{FileWatch, RootWatch},
    scene::Image,
    ui::{
        collection_pictures::PictureMaker,
        command::{
            self, Ask, CollectionCommand, Command, Keyboard, LibraryCommand, Listening, SceneCommand, StageCommand,
        },
        dock::{Dock, Panels},
        layout::{self, Placement, Tab},
        screenshot,
        session_file::SessionWriter,
        stage_pictures,
        state::{Effect, FileId, GpuStatus, LogEntry, StageContent, StageId, State},
        status_file::{self, Startup, StatusFile},
        theme,
        viewport_gpu::ViewportGpu,
        views::Views,
    },
};
use std::{cell::RefCell, path::PathBuf, rc::Rc, time::Duration};

/// How long a frame may work on what has no thread of its own: about half of what a frame takes.
const SLICE: Duration = Duration::from_millis(8);

/// What outlives a window: the state and the layout.
pub struct Session {
    pub state: State,
    pub dock: Dock,
    /// The graphics device is gone: the window has to be opened again.
    pub device_lost: bool,
    /// What egui remembers (scroll positions, what is unfolded), carried over to the next window.
    memory: Option<egui::Memory>,
    pub views: Views,
    /// Writes the session to disk; nothing does in a window that is for a test.
    pub writer: Option<SessionWriter>,
    /// Tells when open files change on disk; nothing does in a window that is for a test.
    pub watch: Option<FileWatch>,
    /// The same of what lies in the collection.
    pub root_watch: Option<RootWatch>,
    pub(super) status: Option<StatusFile>,
    pub(super) startup: Option<Startup>,
}

impl Session {
    pub fn new(state: State) -> Self {
        let dock = Dock::restore(state.core.settings.layout.as_ref());
        Self {
            state,
            dock,
            device_lost: false,
            memory: None,
            views: Views::default(),
            writer: None,
            watch: None,
            root_watch: None,
            status: None,
            startup: None,
        }
    }
}

/// The device, or why there is none.
pub enum Gpu {
    Ready(Box<ViewportGpu>),
    Missing(String),
}

pub struct App {
    kept: Rc<RefCell<Session>>,
    gpu: Gpu,
    toasts: crate::ui::window::toasts::Toasts,
    /// The filter field wants the keyboard in the next frame.
    focus_filter: bool,
    title: String,
    /// What the session in the settings was made from.
    session: Option<(u64, Option<FileId>, bool)>,
    /// What the watched files were listed for.
    watched: Option<(u64, bool)>,
    /// The roots of the collection that are watched, where they are.
    watched_roots: Option<(Vec<PathBuf>, bool)>,
    pictures: PictureMaker,
}

impl App {
    /// Joins the state to a window.
    pub fn new(cc: &eframe::CreationContext<'_>, kept: Rc<RefCell<Session>>) -> Self {
        let gpu = match ViewportGpu::new(cc.wgpu_render_state.as_ref()) {
            Some(Ok(gpu)) => Gpu::Ready(Box::new(gpu)),
            Some(Err(error)) => Gpu::Missing(format!("Cannot draw models: {error}")),
            None => Gpu::Missing("Cannot draw models: no graphics device found".to_owned()),
        };
        {
            let mut kept = kept.borrow_mut();
            if let Some(memory) = kept.memory.take() {
                cc.egui_ctx.memory_mut(|m| *m = memory);
            }
            kept.device_lost = false;
            if let Some(status) = &mut kept.status {
                status.window_opened();
            }
            layout::set_panel_sizes(&cc.egui_ctx, &kept.state.core.settings.panels);
            // After the memory: that holds the fonts which are to be loaded.
            theme::install_fonts(&cc.egui_ctx);
            let state = &mut kept.state;
            state.gpu = gpu.status();
            theme::apply(&cc.egui_ctx, state.core.settings.dark, state.core.settings.ui_scale);
            let ctx = cc.egui_ctx.clone();
            state.core.works.set_wake(move || ctx.request_repaint());
        }
        Self {
            kept,
            gpu,
            toasts: crate::ui::window::toasts::Toasts::default(),
            focus_filter: false,
            title: String::new(),
            session: None,
            watched: None,
            watched_roots: None,
            pictures: PictureMaker::default(),
        }
    }

    /// The state, for tests.
    pub fn session(&self) -> &Rc<RefCell<Session>> {
        &self.kept
    }

    /// What came from outside since the last frame: drops, pasted paths, keys.
    fn input(&self, ctx: &egui::Context, state: &State, commands: &mut Vec<Command>) {
        let dropped: Vec<_> = ctx.input(|i| i.raw.dropped_files.iter().map(|f| f.path().to_owned()).collect());
        if !dropped.is_empty() && state.dialogs.file.is_none() {
            // With Alt held they stand beside the model that is there.
            let joins = ctx.input(|i| i.modifiers.alt) && state.stages.front.model().is_some();
            commands.push(if joins {
                Command::Scene(SceneCommand::Drop(dropped))
            } else if state.collection.takes_drops(&state.stages.front) {
                Command::Collection(CollectionCommand::Join(dropped))
            } else {
                Command::Library(LibraryCommand::Drop(dropped))
            });
        }
        // Not asked of egui: a dialog that closed in the last frame would still take this frame's keys.
        let listening = state.listening();
        if !ctx.text_edit_focused() && listening == Listening::ToAll {
            let pasted = ctx.input(|i| {
                i.events.iter().find_map(|e| match e {
                    egui::Event::Paste(text) => Some(text.clone()),
                    _ => None,
                })
            });
            commands.extend(pasted.map(|it| Command::Library(LibraryCommand::OpenPasted(it))));
        }
        let keyboard = Keyboard {
            typing: state.dialogs.palette || state.dialogs.jump.is_some(),
            flies: state.stages.front.flies(),
            moves: !state.stages.front.viewport.steer.is_still(),
        };
        command::pressed(ctx, &state.core.settings.keys, &listening, keyboard, commands);
    }

    /// Notices what is to come back at the next start, and has it written where it changed.
    fn note_changes(
        &mut self,
        ctx: &egui::Context,
        dock: &Dock,
        state: &mut State,
        writer: Option<&mut SessionWriter>,
    ) {
        let session = Some(state.stages.session_revision(&state.core));
        if self.session != session {
            self.session = session;
            state.stages.keep_session(&mut state.core);
        }
        let settings = &mut state.core.settings;
        // What is being dragged is noted where it is let go.
        if !ctx.input(|i| i.pointer.any_down()) {
            settings.layout = dock.keep().or(settings.layout.take());
            settings.window = Some(placement(ctx, settings.window));
            if let Some(panels) = layout::changed_panel_sizes(ctx, &settings.panels) {
                settings.panels = panels;
            }
            state.keep_view(false);
        }
        if let Some(writer) = writer {
            writer.keep(&state.core.settings);
        }
    }

    fn perform(&mut self, ctx: &egui::Context, dock: &mut Dock, views: &mut Views, state: &mut State) {
        for effect in std::mem::take(&mut state.core.effects) {
            match effect {
                Effect::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
                Effect::Copy(text) => ctx.copy_text(text),
                Effect::CopyValue => match views.marked_value(state) {
                    Some(text) => ctx.copy_text(text),
                    None => {
                        let text = "No field contains the selected bytes. Click a field first";
                        state.core.log.announce(LogEntry::new(Severity::Info, "", text));
                    }
                },
                Effect::AskForFiles => ask(state, Ask::Files, &views.program_log),
                Effect::AskForSearchFolder => ask(state, Ask::SearchFolder, &views.program_log),
                Effect::AskForCompared { folder } => {
                    let asked = if folder { Ask::ComparedFolder } else { Ask::ComparedFile };
                    ask(state, asked, &views.program_log);
                }
                Effect::AskForFolder => ask(state, Ask::Folder, &views.program_log),
                Effect::FocusFilter => {
                    dock.bring_up(Tab::Library);
                    self.focus_filter = true;
                }
                Effect::ShowTab(tab) => dock.bring_up(tab),
                Effect::ShowSection(section) => {
                    dock.bring_up(Tab::Inspector);
                    views.reveal(section);
                }
                Effect::BringUpStage(stage) => dock.bring_up(Tab::Stage(stage)),
                Effect::ResetLayout => *dock = Dock::default(),
                Effect::Restyle => theme::apply(ctx, state.core.settings.dark, state.core.settings.ui_scale),
                Effect::Screenshot { transparent } => match self.gpu.picture(state, transparent) {
                    Ok(image) => screenshot::save(state, image),
                    Err(error) => state.core.log.announce(LogEntry::new(Severity::Error, "", error)),
                },
                Effect::CopyPicture => match self.gpu.picture(state, false) {
                    Ok(image) => {
                        let size = [image.width as usize, image.height as usize];
                        ctx.copy_image(egui::ColorImage::from_rgba_unmultiplied(size, &image.rgba));
                        let text = format!("Image copied to the clipboard: {} × {} pixels", image.width, image.height);
                        state.core.log.announce(LogEntry::new(Severity::Info, "", text));
                    }
                    Err(error) => state.core.log.announce(LogEntry::new(Severity::Error, "", error)),
                },
                Effect::DrawPictures(draft) => stage_pictures::start(state, *draft),
                Effect::LoseDevice => {
                    if let Gpu::Ready(gpu) = &self.gpu {
                        gpu.context().destroy();
                    }
                }
                Effect::AskWhereView(path) => ask(state, Ask::View(path), &views.program_log),
                Effect::AskExportFolder(file) => ask(state, Ask::ExportFolder(file), &views.program_log),
                Effect::AskUnpackFolder(place) => ask(state, Ask::UnpackFolder(place), &views.program_log),
                Effect::AskSeveralFolder(places) => ask(state, Ask::SeveralFolder(places), &views.program_log),
                Effect::CopyImage(picture) => {
                    let image = &picture.0;
                    let size = [image.width as usize, image.height as usize];
                    ctx.copy_image(egui::ColorImage::from_rgba_unmultiplied(size, &image.rgba));
                    let text = format!("copied to the clipboard ({} × {} pixels)", image.width, image.height);
                    state.core.log.announce(LogEntry::new(Severity::Info, &image.name, text));
                }
                #[cfg(not(target_arch = "wasm32"))]
                Effect::ShowFolder(folder) => system_dialogs::show_folder(state, folder),
                // Exported files are downloads there, and their notices have no button.
                #[cfg(target_arch = "wasm32")]
                Effect::ShowFolder(_) => {}
                Effect::AskPictureFolder => ask(state, Ask::PictureFolder, &views.program_log),
                Effect::AskWhere(path) => ask(state, Ask::ExportFile(path), &views.program_log),
            }
        }
        for entry in state.core.log.take_toasts() {
            self.toasts.add(entry);
        }
        let title = state.stages.title(&state.core);
        if title != self.title {
            #[cfg(target_arch = "wasm32")]
            browser::set_title(&title);
            #[cfg(not(target_arch = "wasm32"))]
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
        if !self.gpu.is_alive() {
            #[cfg(target_arch = "wasm32")]
            browser::fail("The graphics device was lost. Reload the page and open the files again.");
            // Nothing may be painted on a device that is gone; `run` opens the window again.
            kept.device_lost = true;
            kept.memory = Some(ctx.memory(|m| m.clone()));
            #[cfg(not(target_arch = "wasm32"))]
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            return;
        }
        let Session { state, dock, views, status, startup, writer, watch, root_watch, .. } = &mut *kept;
        state.core.works.run_for(SLICE);
        state.tick();
        dock.follow(state);
        state.stages.forget_seen();
        command::show_keys(&ctx, &state.core.settings.keys);
        let mut commands = Vec::new();
        self.input(&ctx, state, &mut commands);
        views.take_find(&mut commands);

        let p = theme::palette(ui);
        let bar = egui::Frame::new().fill(p.base).inner_margin(egui::Margin::symmetric(12, 4));
        egui::Panel::top("menu").frame(bar).show_separator_line(false).show(ui, |ui| {
            crate::ui::window::menu::show(ui, state, &mut commands);
        });
        let status_bar = egui::Panel::bottom("status").frame(bar).show_separator_line(false).show(ui, |ui| {
            crate::ui::window::status::show(ui, state, &mut commands);
        });
        let mut notices_end = status_bar.response.rect.top();
        if state.core.settings.show_log {
            let frame = egui::Frame::new().fill(p.panel).inner_margin(8.0);
            let height = layout::panel_size(&ctx, "log").unwrap_or(180.0);
            let panel = egui::Panel::bottom("log").frame(frame).resizable(true).default_size(height).min_size(96.0);
            let log = panel.show(ui, |ui| views.log(ui, state, &mut commands));
            layout::note_panel_size(&ctx, "log", log.response.rect.height());
            // Notices stand over the log, not on it.
            notices_end = log.response.rect.top();
        }
        egui::CentralPanel::no_frame().frame(egui::Frame::new().fill(p.base)).show(ui, |ui| {
            let (gpu, focus_filter) = (&mut self.gpu, &mut self.focus_filter);
            let mut panels = Contents { state, gpu, views, commands: &mut commands, focus_filter };
            dock.show(ui, &mut panels);
        });
        views.overlays(ui, state, &mut commands);
        crate::ui::window::about::show(ui, state, &views.program_log, &mut commands);
        crate::ui::window::guide::show(ui, state, &mut commands);

        self.toasts.show(&ctx, notices_end, &mut commands);

        for command in commands {
            state.apply(command);
        }
        let stages: Vec<StageId> = state.stages.iter().map(|stage| stage.id).collect();
        views.keep_stages(&stages);
        views.follow_files(state);
        if let Gpu::Ready(gpu) = &mut self.gpu {
            gpu.keep_stages(&stages);
            if gpu.free_left(state) {
                ctx.request_repaint();
            }
        }
        dock.follow(state);
        self.perform(&ctx, dock, views, state);
        let folder = state.collection.pictures_folder();
        self.pictures.follow(state, folder);
        self.note_changes(&ctx, dock, state, writer.as_mut());
        let watched = Some((state.core.library.revision(), state.core.settings.watch_files));
        if let Some(watch) = watch
            && self.watched != watched
        {
            self.watched = watched;
            watch.follow(state.core.watched_files());
        }
        let (roots, watch_files) = (&state.core.settings.collection, state.core.settings.watch_files);
        if let Some(watch) = root_watch
            && self.watched_roots.as_ref().is_none_or(|known| known.0 != *roots || known.1 != watch_files)
        {
            self.watched_roots = Some((roots.clone(), watch_files));
            let (roots, besides) = state.collection.watched_roots(&state.core);
            watch.follow(roots, besides);
        }
        if state.stages.is_moving() {
            ctx.request_repaint();
        } else if state.core.works.is_busy() {
            ctx.request_repaint_after(Duration::from_millis(100));
        }
        if let Gpu::Ready(gpu) = &self.gpu {
            for error in gpu.context().take_errors() {
                state.core.log.announce(LogEntry::new(Severity::Error, "", format!("Graphics device: {error}")));
            }
            if !gpu.context().probe() {
                // What was laid out for a lost device is thrown away; the second pass draws nothing.
                ctx.request_discard("the graphics device was lost");
            }
        }
        #[cfg(target_arch = "wasm32")]
        browser::end_frame(state);
        if let Some(startup) = startup {
            startup.first_frame_done();
        }
        if let Some(status) = status {
            status.tell(&ctx, state, matches!(self.gpu, Gpu::Ready(_)), startup.as_ref());
        }
    }

    #[cfg(target_arch = "wasm32")]
    fn raw_input_hook(&mut self, _: &egui::Context, input: &mut egui::RawInput) {
        browser::take_drops(input);
    }

    /// What egui remembers is not checked when it is read: `Settings` have what is worth keeping.
    fn persist_egui_memory(&self) -> bool {
        false
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        theme::Palette::of(visuals.dark_mode).base.to_normalized_gamma_f32()
    }
}

/// Where the window is; one that fills the screen keeps where it was before.
fn placement(ctx: &egui::Context, before: Option<Placement>) -> Placement {
    // The window system's points are not scaled by the size of the interface.
    let scale = ctx.zoom_factor();
    let (outer, [maximized, fullscreen, minimized]) = ctx.input(|i| {
        let window = i.viewport();
        (window.outer_rect, [window.maximized, window.fullscreen, window.minimized].map(|is| is.unwrap_or(false)))
    });
    let now = Placement {
        position: outer.map(|rect| (rect.min * scale).round().into()),
        size: (ctx.viewport_rect().size() * scale).round().into(),
        maximized,
    };
    match before {
        Some(before) if maximized => Placement { maximized, ..before },
        Some(before) if fullscreen || minimized || !now.is_valid() => before,
        _ => now,
    }
}

/// What the dock's panels are drawn from.
struct Contents<'a> {
    state: &'a mut State,
    gpu: &'a mut Gpu,
    views: &'a mut Views,
    commands: &'a mut Vec<Command>,
    focus_filter: &'a mut bool,
}

impl Gpu {
    fn is_alive(&self) -> bool {
        match self {
            Self::Ready(gpu) => gpu.context().probe(),
            Self::Missing(_) => true,
        }
    }

    /// A picture of the stage, as large as the settings say.
    fn picture(&mut self, state: &mut State, transparent: bool) -> Result<Image, String> {
        let gpu = match self {
            Self::Ready(gpu) => gpu,
            Self::Missing(reason) => return Err(reason.clone()),
        };
        let (size, aspect) = (state.core.settings.picture_size, state.stages.front.viewport.aspect);
        if let Some([width, height]) = size {
            state.stages.front.viewport.aspect = width as f32 / height.max(1) as f32;
        }
        let picture = gpu.picture(state, transparent, size).map_err(|error| error.to_string());
        state.stages.front.viewport.aspect = aspect;
        picture
    }

    fn status(&self) -> GpuStatus {
        match self {
            Self::Ready(gpu) => {
                let context = gpu.context();
                GpuStatus {
                    adapter: context.adapter_name().to_owned(),
                    backend: context.backend_name().to_owned(),
                    driver: context.driver_text(),
                    software: context.is_software(),
                }
            }
            Self::Missing(_) => GpuStatus::default(),
        }
    }
}

impl Contents<'_> {
    /// A stage: the way to what is on it, what is on it, and below it the time, where it has one.
    fn stage(&mut self, ui: &mut egui::Ui, id: StageId) {
        let Self { state, gpu, views, commands, .. } = self;
        let (rect, front) = (ui.max_rect(), state.stages.front.id);
        // What was pressed may be meant for what is on the stage in front.
        let mut own = if id == front { std::mem::take(&mut **commands) } else { Vec::new() };
        state.on_stage(id, |state| {
            state.stages.front.viewport.is_seen = true;
            if state.core.library.files.is_empty() && matches!(state.stages.front.content, StageContent::Empty) {
                views.welcome(ui, state, &mut own);
                return;
            }
            crate::ui::stage::breadcrumb::breadcrumb(ui, state, id == front, &mut own);
            views.transport(ui, state, &mut own);
            match &state.stages.front.content {
                StageContent::Empty | StageContent::Failed(..) => crate::ui::stage::breadcrumb::empty(ui, state),
                StageContent::Model(_) | StageContent::Level(_) | StageContent::Landscape(_) => {
                    space(ui, state, gpu, &mut own);
                }
                StageContent::Image(_) => views.image(ui, state, &mut own),
                StageContent::Sound(_) => views.sound(ui, state, &mut own),
                StageContent::Text(_) => views.text(ui, state, &mut own),
                StageContent::Clip(_) => views.curves(ui, state, &mut own),
                StageContent::Gallery(_) => views.gallery(ui, state, &mut own),
                StageContent::Table(_) => views.entries(ui, state, &mut own),
                StageContent::Classes(_) => views.classes(ui, state, &mut own),
                StageContent::Scripts => views.scripts(ui, state, &mut own),
                StageContent::Collection => views.collection(ui, state, &mut own),
                StageContent::Compare => compare(ui, state, gpu, views, &mut own),
                StageContent::Pictures => views.pictures(ui, state, &mut own),
            }
        });
        if id == front {
            self.commands.extend(own);
        } else {
            let pressed =
                ui.input(|i| i.pointer.any_pressed() && i.pointer.interact_pos().is_some_and(|at| rect.contains(at)));
            if pressed {
                self.commands.push(Command::Stage(StageCommand::Focus(id)));
            }
            self.commands.extend(own.into_iter().map(|command| Command::OnStage(id, Box::new(command))));
        }
    }
}

impl Panels for Contents<'_> {
    fn stage_title(&self, id: StageId) -> String {
        let stage = self.state.stages.get(id);
        stage.map(|stage| crate::ui::stage::breadcrumb::title(self.state, stage)).unwrap_or_default()
    }

    fn show(&mut self, ui: &mut egui::Ui, tab: Tab) {
        match tab {
            Tab::Library => status_file::mark(ui.ctx(), "library", ui.max_rect()),
            Tab::Inspector => status_file::mark(ui.ctx(), "inspector", ui.max_rect()),
            Tab::Stage(_) | Tab::Actors | Tab::Objects | Tab::Statistics => {}
        }
        match tab {
            Tab::Library => crate::ui::library::show(ui, self.state, self.focus_filter, self.commands),
            Tab::Actors => self.views.actors(ui, self.state, self.commands),
            Tab::Objects => self.views.objects(ui, self.state, self.commands),
            Tab::Stage(id) => self.stage(ui, id),
            Tab::Statistics => self.views.statistics(ui, self.state, self.commands),
            Tab::Inspector => self.views.inspector(ui, self.state, self.commands),
        }
    }

    fn close_stage(&mut self, id: StageId) {
        self.commands.push(Command::Stage(StageCommand::Close(id)));
    }
}

/// Two files side by side, and where they are models, a picture of each.
fn compare(ui: &mut egui::Ui, state: &mut State, gpu: &mut Gpu, views: &mut Views, commands: &mut Vec<Command>) {
    let mut aspect = None;
    let mut draw = |wanted: &crate::ui::compared_gpu::ComparedModels<'_>| {
        aspect = Some(wanted.size.0 as f32 / wanted.size.1.max(1) as f32);
        match gpu {
            Gpu::Ready(gpu) => gpu.draw_compared(state, wanted).map_err(|error| error.to_string()),
            Gpu::Missing(reason) => Err(reason.clone()),
        }
    };
    views.compare(ui, state, &mut draw, commands);
    if let Some(aspect) = aspect {
        state.comparing.set_aspect(aspect);
    }
}

/// The picture of a model, a level or a landscape.
fn space(ui: &mut egui::Ui, state: &mut State, gpu: &mut Gpu, commands: &mut Vec<Command>) {
    let rect = ui.available_rect_before_wrap();
    let scale = ui.ctx().pixels_per_point();
    let size = (rect.size() * scale).round().max(egui::Vec2::splat(1.0));
    state.stages.front.set_aspect(size.x / size.y);
    let picture = match gpu {
        Gpu::Ready(gpu) => gpu.draw(state, (size.x as u32, size.y as u32)).map_err(|e| e.to_string()),
        Gpu::Missing(reason) => Err(reason.clone()),
    };
    if let Gpu::Ready(gpu) = gpu
        && gpu.is_behind(state.stages.front.id)
    {
        ui.ctx().request_repaint();
    }
    if let Err(error) = &picture
        && state.stages.front.viewport.failure.as_ref() != Some(error)
    {
        state.core.log.announce(LogEntry::new(Severity::Error, "", error.clone()));
    }
    state.stages.front.viewport.failure = picture.as_ref().err().cloned();
    if picture.as_ref().is_ok_and(|(_, drawn)| *drawn) {
        let dt = ui.input(|i| i.stable_dt).max(1e-4);
        let fps = &mut state.stages.front.viewport.fps;
        *fps += (1.0 / dt - *fps) * if *fps > 0.0 { 0.1 } else { 1.0 };
    }
    status_file::mark(ui.ctx(), "viewport", rect);
    crate::ui::stage::space::show(ui, rect, picture.map(|(texture, _)| texture), state, commands);
}
