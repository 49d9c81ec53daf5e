//! A model in the list of a scene: a line for each, and what can be set below the selected one.

use crate::{
    gpu::Tint,
    scene::LoopMode,
    ui::{
        command::{Command, ModelCommand, SceneCommand, StageCommand},
        query::Query,
        scene_member::{Anchor, Attachment, SceneMember},
        state::{ClipItem, ModelStage, Place, SceneLook, SceneModel, State, anchors, next_mode},
        theme::{self, Palette},
        widgets::{filter_field, put::put_text, rows::Rows},
    },
};
use egui::{Align, Button, Color32, Id, Popup, PopupCloseBehavior, RichText, Sense, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

/// Rows of a list that are seen at once.
const ROWS: f32 = 12.0;

/// The model that the stage is about.
pub fn main(ui: &mut Ui, shown: &ModelStage, name: &str, commands: &mut Vec<Command>) {
    let scene = &shown.scene;
    let selected = scene.selected.is_none();
    line(ui, SceneMember::Main, scene.main, name, selected && !scene.models.is_empty(), commands);
    if !selected || scene.models.is_empty() {
        return;
    }
    below(ui, |ui| {
        let playback = &shown.playback;
        let clips = Clips { of: name, list: &playback.clips, playing: playback.playing };
        if let Some(chosen) = clips.choose(ui) {
            commands.push(match chosen {
                None => Command::Model(ModelCommand::StopClip),
                Some(clip) if clip.fit.plays() => Command::Stage(StageCommand::Show(clip.place)),
                Some(clip) => Command::Model(ModelCommand::PlayAnyway(clip.place)),
            });
        }
        let text = format!("The inspector, curves and timeline show {}", shown.model.name);
        ui.add(egui::Label::new(RichText::new(text).small().color(theme::palette(ui).weak)).wrap());
    });
}

/// A model beside it.
pub fn other(
    ui: &mut Ui,
    state: &State,
    (shown, model): (&ModelStage, &SceneModel),
    name: &str,
    names: &[(SceneMember, String)],
    commands: &mut Vec<Command>,
) {
    let selected = shown.scene.selected == Some(model.id);
    line(ui, SceneMember::Other(model.id), model.look, name, selected, commands);
    if !selected {
        return;
    }
    below(ui, |ui| {
        clip_line(ui, state, model, name, commands);
        attach_line(ui, state, (shown, model), name, names, commands);
        follow_line(ui, shown, model, name, commands);
        let main = ui.add(Button::new(RichText::new(format!("{}  Set as main model", icon::STAR)).small()));
        let label = format!("Set {name} as main model");
        main.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
        if main.on_hover_text("The inspector, curves and timeline show the main model").clicked() {
            commands.push(Command::Scene(SceneCommand::MakeMain(Some(model.id))));
        }
    });
}

fn below(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        ui.add_space(30.0);
        ui.vertical(content);
    });
}

/// Eye, colour and name of a model, and its way out of the scene.
fn line(ui: &mut Ui, member: SceneMember, look: SceneLook, name: &str, selected: bool, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    ui.horizontal(|ui| {
        let sign = if look.visible { icon::EYE } else { icon::EYE_SLASH };
        let eye = ui.add(Button::new(RichText::new(sign).size(15.0)).frame(false).min_size(vec2(24.0, 22.0)));
        let label = format!("{name} is visible");
        eye.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, look.visible, label.as_str()));
        if eye.on_hover_text(if look.visible { "Hide" } else { "Show" }).clicked() {
            commands.push(Command::Scene(SceneCommand::SetVisible(member, !look.visible)));
        }
        tint(ui, member, look, name, &p, commands);
        let room = ui.available_width() - if member == SceneMember::Main { 0.0 } else { 28.0 };
        let color = if look.visible { p.text } else { p.weak };
        let text = RichText::new(name).color(color);
        let row =
            ui.add_sized(vec2(room.max(40.0), 22.0), Button::selectable(selected, text).truncate().right_text(""));
        let label = format!("{name} in the scene");
        row.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, selected, label.as_str()));
        if row.clicked() {
            commands.push(Command::Scene(SceneCommand::Select(member)));
        }
        if let SceneMember::Other(id) = member {
            let remove = ui.add(Button::new(RichText::new(icon::X).size(13.0).color(p.weak)).frame(false));
            let label = format!("Remove {name} from the scene");
            remove.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
            if remove.on_hover_text("Remove from the scene").clicked() {
                commands.push(Command::Scene(SceneCommand::Remove(id)));
            }
        }
    });
}

/// The colour that a model has over its own, and whether it is a ghost.
fn tint(ui: &mut Ui, member: SceneMember, look: SceneLook, name: &str, p: &Palette, commands: &mut Vec<Command>) {
    let (rect, button) = ui.allocate_exact_size(vec2(18.0, 22.0), Sense::click());
    let label = format!("Tint of {name}");
    button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
    let dot = rect.center();
    match look.tint.map(color_of) {
        Some(color) => {
            _ = ui.painter().circle_filled(dot, 6.0, color.gamma_multiply(if look.ghost { 0.5 } else { 1.0 }))
        }
        None => {
            _ = ui.painter().circle_stroke(dot, 5.5, egui::Stroke::new(1.0, if look.ghost { p.accent } else { p.weak }))
        }
    }
    let button = button.on_hover_text("Tint and ghost");
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_min_width(150.0);
        let mut ghost = look.ghost;
        if ui.checkbox(&mut ghost, "Ghost").on_hover_text("Draw the model semi-transparent").changed() {
            commands.push(Command::Scene(SceneCommand::SetGhost(member, ghost)));
        }
        ui.separator();
        let choices = std::iter::once(None).chain(Tint::ALL.map(Some));
        for choice in choices {
            let text = choice.map_or("No tint", Tint::name);
            let on = look.tint == choice;
            let row = ui.add(Button::selectable(on, format!("      {text}")).min_size(vec2(140.0, theme::ROW)));
            if let Some(color) = choice.map(color_of) {
                ui.painter().circle_filled(row.rect.left_center() + vec2(12.0, 0.0), 6.0, color);
            }
            row.widget_info(|| WidgetInfo::selected(WidgetType::RadioButton, true, on, text));
            if row.clicked() {
                commands.push(Command::Scene(SceneCommand::SetTint(member, choice)));
            }
        }
    });
}

fn color_of(tint: Tint) -> Color32 {
    let [red, green, blue] = tint.color();
    Color32::from_rgb(red, green, blue)
}

/// The clips that a model can play.
struct Clips<'a> {
    of: &'a str,
    list: &'a [ClipItem],
    playing: Option<Place>,
}

impl Clips<'_> {
    /// A button with the clip that plays; what is chosen below it, `None` for the bind pose.
    fn choose(&self, ui: &mut Ui) -> Option<Option<&ClipItem>> {
        let current = self.playing.and_then(|place| self.list.iter().find(|clip| clip.place == place));
        let text = match (current, self.playing, self.list) {
            (Some(clip), ..) => clip.name.as_str(),
            (None, Some(_), _) => "Another clip",
            (None, None, []) => "No matching clips",
            (None, None, _) => "Bind pose",
        };
        let button = combo(ui, text, &format!("Clip of {}: {text}", self.of));
        let names: Vec<&str> = self.list.iter().map(|clip| clip.name.as_str()).collect();
        choose(&button, "Bind pose", self.playing.is_none(), &names)
            .map(|chosen| chosen.and_then(|index| self.list.get(index)))
    }
}

/// What it plays, and by which clock.
fn clip_line(ui: &mut Ui, state: &State, model: &SceneModel, name: &str, commands: &mut Vec<Command>) {
    let id = model.id;
    let mut push = |command| commands.push(Command::Scene(command));
    if model.clips_revision != state.core.library.revision() {
        push(SceneCommand::FindClips(id));
    }
    let clips = Clips { of: name, list: &model.clips, playing: model.playing };
    if let Some(chosen) = clips.choose(ui) {
        push(SceneCommand::Play(id, chosen.map(|clip| clip.place)));
    }
    if model.playing.is_none() {
        return;
    }
    ui.horizontal(|ui| {
        let mut own = model.own_clock;
        let clock = ui.checkbox(&mut own, "Play separately");
        let label = format!("Play {name} separately");
        clock.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, model.own_clock, label.as_str()));
        if clock.on_hover_text("Play independently of the main model").changed() {
            push(SceneCommand::SetOwnClock(id, own));
        }
        if model.own_clock {
            let playing = model.player.playing;
            let (sign, word) = if playing { (icon::PAUSE, "Pause") } else { (icon::PLAY, "Play") };
            if theme::icon_button(ui, sign, &format!("{word} {name}")).clicked() {
                push(SceneCommand::SetPlaying(id, !playing));
            }
        }
        let mode = model.player.loop_mode();
        let (sign, word) = match mode {
            LoopMode::Loop => (icon::REPEAT, "loops"),
            LoopMode::PingPong => (icon::ARROWS_LEFT_RIGHT, "plays back and forth"),
            LoopMode::Once => (icon::ARROW_LINE_RIGHT, "plays once"),
            LoopMode::OnceReset => (icon::ARROW_U_UP_LEFT, "plays once, then resets"),
            LoopMode::OnceForthAndBack => (icon::ARROWS_LEFT_RIGHT, "plays back and forth once"),
        };
        if theme::icon_button(ui, sign, &format!("{name} {word}. Click for the next loop mode")).clicked() {
            push(SceneCommand::SetLoop(id, next_mode(mode)));
        }
    });
}

/// On what it hangs.
fn attach_line(
    ui: &mut Ui,
    state: &State,
    (shown, model): (&ModelStage, &SceneModel),
    name: &str,
    names: &[(SceneMember, String)],
    commands: &mut Vec<Command>,
) {
    let p = theme::palette(ui);
    let name_of = |member: SceneMember| {
        let found = names.iter().find(|(known, _)| *known == member);
        found.map_or("", |(_, name)| name.as_str())
    };
    let text = match &model.attached {
        Some(attached) => format!("{} › {}", name_of(attached.to), attached.name),
        None => "Not attached".to_owned(),
    };
    let button = combo(ui, &text, &format!("Attachment of {name}: {text}"));
    if shown.hangs_on_nothing(model) {
        let text = "The bone or socket is missing, so the model is not attached";
        ui.add(egui::Label::new(RichText::new(text).small().color(p.warning)).wrap());
    }
    if Popup::is_id_open(ui.ctx(), Popup::default_response_id(&button)) || button.clicked() {
        let places = places_of(shown, model);
        let rows: Vec<String> =
            places.iter().map(|place| format!("{} › {}", name_of(place.to), shown_name(place))).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        if let Some(chosen) = choose(&button, "Not attached", model.attached.is_none(), &rows) {
            let to = chosen.and_then(|index| places.get(index).cloned());
            commands.push(Command::Scene(SceneCommand::Attach(model.id, to)));
        }
    }
    if let Some(bone) = state.stages.front.selected_bone().filter(|bone| model.attached.as_ref() != Some(bone)) {
        let text = format!("{}  Attach to {}", icon::LINK_SIMPLE, bone.name);
        let attach = ui.add(Button::new(RichText::new(text).small()).truncate());
        let label = format!("Attach {name} to the selected bone");
        attach.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
        if attach.clicked() {
            commands.push(Command::Scene(SceneCommand::AttachToSelectedBone(Some(model.id))));
        }
    }
}

/// A socket is told from a bone of the same name.
fn shown_name(place: &Attachment) -> String {
    match place.anchor {
        Anchor::Socket(_) => format!("{}  {}", icon::PLUGS, place.name),
        Anchor::Joint(_) => place.name.clone(),
    }
}

/// Sockets and bones of all other models.
fn places_of(shown: &ModelStage, model: &SceneModel) -> Vec<Attachment> {
    let main = std::iter::once((SceneMember::Main, &shown.model));
    let others = shown.scene.models.iter().filter(|other| other.id != model.id);
    let others = others.map(|other| (SceneMember::Other(other.id), &other.model));
    let mut places = Vec::new();
    for (to, model) in main.chain(others) {
        places.extend(anchors(model).map(|(anchor, name)| Attachment { to, anchor, name: name.to_owned() }));
    }
    places
}

/// Whether its bones go with those of the main model.
fn follow_line(ui: &mut Ui, shown: &ModelStage, model: &SceneModel, name: &str, commands: &mut Vec<Command>) {
    let (shared, fits) = shown.shared_bones(model);
    if !fits && !model.follows {
        return;
    }
    let mut follows = model.follows;
    let check = ui.checkbox(&mut follows, "Follow the pose of the main model");
    let label = format!("{name} follows the pose of the main model");
    check.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, model.follows, label.as_str()));
    let hint = format!("Bones with the same name as in the main model: {shared} of {}", model.model.joint_count());
    if check.on_hover_text(hint).changed() {
        commands.push(Command::Scene(SceneCommand::SetFollows(model.id, follows)));
    }
}

/// A button that looks like what is chosen.
fn combo(ui: &mut Ui, text: &str, label: &str) -> egui::Response {
    let button = Button::new(RichText::new(text).small()).truncate();
    let button = button.right_text(RichText::new(icon::CARET_DOWN).size(10.0));
    let response = ui.add_sized(vec2(ui.available_width(), 22.0), button);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, label));
    response
}

/// A list under a button, with a filter where it is long: the index of what was clicked on, `None` inside for `none`.
fn choose(button: &egui::Response, none: &str, is_none: bool, rows: &[&str]) -> Option<Option<usize>> {
    let mut chosen = None;
    let id: Id = button.id.with("filter");
    Popup::menu(button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_width(280.0);
        let mut filter: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let (many, mut goes_down) = (rows.len() > 8, false);
        if many {
            let field = filter_field::show(ui, &mut filter, "Filter", f32::INFINITY, "Filter the list");
            goes_down = filter_field::leaves_for_list(ui, &field);
            if !field.has_focus() && ui.memory(|memory| memory.focused().is_none()) {
                field.request_focus();
            }
        }
        let query = Query::of(&filter);
        let is_found = |row: &str| !many || query.finds_in(&[row], &[], &[]);
        let found: Vec<(usize, &str)> = rows.iter().copied().enumerate().filter(|(_, row)| is_found(row)).collect();
        if ui.add(Button::selectable(is_none, none).min_size(vec2(ui.available_width(), theme::ROW))).clicked() {
            chosen = Some(None);
        }
        let list = Rows::new("choices", found.len()).up_to(theme::ROW * ROWS).enter(goes_down);
        list.show(ui, |ui, row| {
            let (index, text) = found[row.index];
            let response = row.item(ui, WidgetType::Button, false, text);
            put_text(ui, row.span(8.0, 8.0), Align::Min, theme::palette(ui).text, text);
            if response.clicked() {
                chosen = Some(Some(index));
            }
        });
        if chosen.is_some() {
            filter.clear();
            ui.close();
        }
        ui.data_mut(|data| data.insert_temp(id, filter));
    });
    chosen
}
