//! Curves: everything that a clip drives over its frames, with keys and tangents.

mod axes;
mod colors;
pub(in crate::ui) mod lines;
mod plot;
mod tree;
pub mod view;
mod window;

use crate::{
    scene::{LayerIndex, TargetKind},
    ui::{
        command::{Command, ModelCommand},
        state::{ShownCurves, State},
        theme::{self, Palette},
        transport::curves::view::CurvesView,
        widgets::{empty, numbers::counted},
    },
};
use axes::Values;
use egui::{Align, Label, Layout, RichText, Ui, vec2};
use egui_phosphor::regular as icon;
use lines::{Line, Lines};
use plot::Plot;

/// Curves that are shown when a clip comes up, at most: a few are readable.
const FIRST_SHOWN: usize = 12;

/// Narrower than this, the panel leaves the list out until it is asked for, in points.
const NARROW: f32 = 460.0;

/// Narrower than this, there is no name: the bar below has it too.
const WITHOUT_NAME: f32 = 330.0;

pub fn show(ui: &mut Ui, state: &State, view: &mut CurvesView, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.curves().and_then(|curves| curves.shown.as_ref()) else {
        let sentence = "Play a clip, or select one in the library, to see its curves.";
        empty::show(ui, icon::CHART_LINE, "No curves", sentence);
        return;
    };
    view.follow(state, shown);
    view.follow_bone(state);
    let p = theme::palette(ui);
    let frame = state.stages.front.curves_frame();
    egui::Frame::new().inner_margin(egui::Margin { left: 10, right: 10, top: 6, bottom: 10 }).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        let with_list = view.list_asked.unwrap_or(ui.available_width() >= NARROW);
        header(ui, state, shown, with_list, view, &p, commands);
        if view.lines.list.is_empty() {
            let sentence = "The clip is empty or only switches materials or textures.";
            empty::show(ui, icon::CHART_LINE, "No curves", sentence);
            return;
        }
        let rect = ui.available_rect_before_wrap();
        let width = if with_list { (rect.width() * 0.32).clamp(150.0, 280.0) } else { 0.0 };
        if with_list {
            let list = rect.with_max_x(rect.left() + width);
            let mut left = ui.new_child(egui::UiBuilder::new().max_rect(list).layout(Layout::top_down(Align::Min)));
            left.set_clip_rect(list.intersect(ui.clip_rect()));
            view.pointed = tree::show(&mut left, &shown.clip, frame, view);
        } else {
            view.pointed = None;
        }
        let place = rect.with_min_x(rect.left() + if with_list { width + 8.0 } else { 0.0 });
        let plot = Plot { clip: &shown.clip, frame, shown: view.shown_lines(), values: view.values() };
        if plot.shown.is_empty() {
            let mut middle = ui.new_child(egui::UiBuilder::new().max_rect(place));
            empty::show(&mut middle, icon::EYE_SLASH, "All curves are hidden", "Select curves in the list.");
        } else if place.width() > 40.0 && place.height() > 60.0 {
            view.near = plot::show(ui, place, &plot, view, commands);
        }
        ui.advance_cursor_after_rect(rect);
    });
    if state.stages.front.curves_play() {
        ui.ctx().request_repaint();
    }
}

fn header(
    ui: &mut Ui,
    state: &State,
    shown: &ShownCurves,
    with_list: bool,
    view: &mut CurvesView,
    p: &Palette,
    commands: &mut Vec<Command>,
) {
    let width = ui.available_width();
    ui.allocate_ui_with_layout(vec2(width, 28.0), Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        if theme::icon_button(ui, icon::FRAME_CORNERS, "Fit to view (double-click)").clicked() {
            view.window.fits = true;
        }
        let sign = icon::ARROWS_OUT_LINE_VERTICAL;
        if theme::icon_toggle(ui, sign, "Scale each curve to the full height", view.level).clicked() {
            view.level = !view.level;
            view.window.fits = true;
        }
        if theme::icon_toggle(ui, icon::BEZIER_CURVE, "Tangents", !view.no_tangents).clicked() {
            view.no_tangents = !view.no_tangents;
        }
        ui.add_space(4.0);
        units(ui, view);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            if theme::icon_toggle(ui, icon::SIDEBAR_SIMPLE, "Curve list", with_list).clicked() {
                view.list_asked = Some(!with_list);
            }
            if width < WITHOUT_NAME {
                return;
            }
            ui.add_space(4.0);
            name(ui, state, shown, p, commands);
            if ui.available_width() > 120.0 {
                ui.add_space(6.0);
                let facts = facts(shown, state.stages.front.curves_are_live());
                ui.add(Label::new(RichText::new(facts).size(theme::SMALL).color(p.weak)).truncate());
            }
        });
    });
}

/// What the clip is called; with others beside it on the model, a list of them.
fn name(ui: &mut Ui, state: &State, shown: &ShownCurves, p: &Palette, commands: &mut Vec<Command>) {
    let name = RichText::new(&shown.clip.name).size(15.0).color(p.strong);
    let layers = state.stages.front.playback().map(|playback| playback.player.layers()).unwrap_or_default();
    if layers.len() < 2 {
        let facts = facts(shown, state.stages.front.curves_are_live());
        ui.add(Label::new(name).truncate()).on_hover_text(facts);
        return;
    }
    let caret = RichText::new(icon::CARET_DOWN).size(11.0);
    let button = ui.add(egui::Button::new(name).right_text(caret).fill(p.card).min_size(vec2(0.0, 26.0)));
    let label = format!("Curves of the clip {}", shown.clip.name);
    button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, label.as_str()));
    egui::Popup::menu(&button).show(|ui| {
        for (index, layer) in (0..).map(LayerIndex).zip(layers) {
            let on = std::sync::Arc::ptr_eq(&layer.clip, &shown.clip);
            let text = format!("{}  ·  {}", layer.clip.name, kind_name(layer.kind()));
            if ui.add(egui::Button::selectable(on, text)).clicked() {
                commands.push(Command::Model(ModelCommand::ShowCurvesOf(index)));
                ui.close();
            }
        }
    });
}

fn kind_name(kind: TargetKind) -> &'static str {
    match kind {
        TargetKind::Joints => "bones",
        TargetKind::Morphs => "morphs",
        TargetKind::Vertices => "vertices",
        TargetKind::TextureMatrices => "texture motion",
        TargetKind::TextureSlots => "texture swaps",
        TargetKind::Registers => "colour registers",
        TargetKind::MaterialColors => "material colours",
        TargetKind::Visibility => "visibility",
        TargetKind::Materials => "materials",
        TargetKind::Clusters => "clusters",
        TargetKind::VertexColors => "vertex colours",
    }
}

/// Real units or the file's own, one of the two.
fn units(ui: &mut Ui, view: &mut CurvesView) {
    let mut choice = |ui: &mut Ui, text: &str, label: &str, raw: bool| {
        let button = ui.add(egui::Button::selectable(view.raw == raw, text).min_size(vec2(0.0, 24.0)));
        button.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::RadioButton, true, view.raw == raw, label));
        if button.on_hover_text(label).clicked() && view.raw != raw {
            view.raw = raw;
            view.window.fits = true;
        }
    };
    // From the right.
    choice(ui, "File values", "Show the values stored in the file", true);
    choice(ui, "Degrees", "Show rotations in degrees", false);
}

/// `40 frames, repeats; 12 curves`.
fn facts(shown: &ShownCurves, live: bool) -> String {
    use crate::scene::LoopMode;
    let clip = &shown.clip;
    let ends = match clip.default_loop {
        LoopMode::Once => "plays once",
        LoopMode::Loop => "loops",
        LoopMode::PingPong => "plays back and forth",
        LoopMode::OnceReset => "plays once, then resets",
        LoopMode::OnceForthAndBack => "plays back and forth once",
    };
    let rate = if clip.rate_is_assumed { "fps (assumed)" } else { "fps" };
    let alone = if live { "" } else { "  ·  not playing" };
    format!("{}  ·  {} {rate}  ·  {ends}{alone}", counted(clip.frame_count as usize, "frame"), clip.rate_hz)
}

impl CurvesView {
    /// Makes the lines of a clip when it is another one, or its units are.
    fn follow(&mut self, state: &State, shown: &ShownCurves) {
        let wanted = Some((shown.generation, !self.raw, state.core.settings.scene_axes));
        let axes = state.core.number_axes(shown.clip.file_from_scene);
        let named_for = state.stages.front.curves_model();
        if self.made_for == wanted && self.named_for == named_for {
            return;
        }
        self.named_for = named_for;
        let names = state.stages.front.curves_joint_names();
        if self.made_for == wanted {
            // The same lines under other names.
            self.lines = Lines::new(&shown.clip, !self.raw, axes, &names);
            return;
        }
        let same_clip = self.made_for.is_some_and(|(generation, ..)| generation == shown.generation);
        // Other units have other lines in the same groups.
        let kept: Vec<bool> = self.lines.groups.iter().map(|g| g.lines.clone().any(|l| self.is_shown(l))).collect();
        self.lines = Lines::new(&shown.clip, !self.raw, axes, &names);
        self.shown = vec![false; self.lines.list.len()];
        if same_clip {
            for (group, on) in self.lines.groups.iter().zip(kept) {
                self.shown.iter_mut().take(group.lines.end).skip(group.lines.start).for_each(|s| *s = on);
            }
        } else {
            self.bone = None;
            self.open = vec![self.lines.list.len() <= 64; self.lines.groups.len()];
            self.filter.text.clear();
            self.show_first();
        }
        (self.made_for, self.near, self.pointed) = (wanted, None, None);
        self.window.fits = true;
    }

    /// Brings up the curves of the bone that is selected, wherever it was selected.
    fn follow_bone(&mut self, state: &State) {
        let skeleton = state.stages.front.model().and_then(|shown| shown.model.skeleton.as_ref());
        let joint = state.stages.front.selected().joint.and_then(|joint| skeleton?.joints().get(joint as usize));
        let bone = joint.map(|joint| joint.name.clone());
        if self.bone == bone {
            return;
        }
        self.bone = bone;
        // Several bones that move alike share a group.
        let is_its = |group: &lines::Group| group.name.split(", ").any(|name| Some(name) == self.bone.as_deref());
        let Some(at) = self.lines.groups.iter().position(is_its) else { return };
        let Some(lines) = self.lines.groups.get(at).map(|group| group.lines.clone()) else { return };
        self.shown.fill(false);
        lines.for_each(|line| self.set_shown(line, true));
        self.set_open(at, true);
        self.scroll_to = Some(at);
        self.window.fits = true;
    }

    /// Everything of a small clip, the first group that moves of a large one.
    fn show_first(&mut self) {
        let moves = |line: &Line| !line.is_still();
        if self.lines.list.len() <= FIRST_SHOWN {
            self.shown.fill(true);
            return;
        }
        let of_group =
            |group: &&lines::Group| self.lines.list.get(group.lines.clone()).is_some_and(|l| l.iter().any(moves));
        let first = self.lines.groups.iter().position(|g| of_group(&g)).unwrap_or(0);
        let Some(group) = self.lines.groups.get(first).cloned() else { return };
        for line in group.lines.take(FIRST_SHOWN) {
            self.set_shown(line, true);
        }
        self.set_open(first, true);
    }

    fn is_shown(&self, line: usize) -> bool {
        self.shown.get(line) == Some(&true)
    }

    fn set_shown(&mut self, line: usize, on: bool) {
        if let Some(shown) = self.shown.get_mut(line) {
            *shown = on;
        }
    }

    fn set_open(&mut self, group: usize, on: bool) {
        if let Some(open) = self.open.get_mut(group) {
            *open = on;
        }
    }

    /// Shows or hides what the filter leaves.
    fn show_found(&mut self, on: bool) {
        for (_, list) in tree::found(&self.lines, self.filter.query()) {
            list.into_iter().for_each(|line| self.set_shown(line, on));
        }
        self.window.fits = true;
    }

    fn shown_lines(&self) -> Vec<usize> {
        (0..self.shown.len()).filter(|l| self.is_shown(*l)).collect()
    }

    /// What all that is shown is in.
    fn values(&self) -> Values {
        let shown = || self.lines.list.iter().zip(&self.shown).filter(|(_, on)| **on).map(|(line, _)| line);
        match self.level {
            false if shown().all(|line| line.unit == "°") => Values::Degrees,
            false if shown().all(|line| line.whole) => Values::Whole,
            true => Values::Share,
            false => Values::Any,
        }
    }

    /// What a line's values are multiplied with and what is added, to be drawn.
    fn shaping(&self, line: &Line) -> (f32, f32) {
        let (low, high) = line.range;
        match self.level && !line.is_still() {
            true => (1.0 / (high - low), -low / (high - low)),
            false if self.level => (0.0, 0.5),
            false => (1.0, 0.0),
        }
    }

    fn shaped(&self, line: &Line, (a, b): (f32, f32)) -> (f32, f32) {
        let (factor, add) = self.shaping(line);
        (a * factor + add, b * factor + add)
    }
}
