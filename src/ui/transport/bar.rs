//! The bar below a stage whose subject has a time: the same widget for clips, moving pictures, sounds and music.

use crate::ui::{
    command::{Command, SoundCommand, TransportCommand, with_keys},
    theme::{self, Palette},
    transport::{
        ruler,
        time_bar::{Hint, PlayRange, Speed, TransportBar, Unit},
        timeline_rows::loop_sign,
    },
    widgets::{
        put::{put, put_text},
        typed_value,
    },
};
use egui::{
    Align, Button, Color32, DragValue, Label, Layout, Rect, RichText, Sense, Slider, Ui, WidgetInfo, WidgetType, vec2,
};
use egui_phosphor::regular as icon;

/// Height of the bar, whatever it is for, in points.
pub const HEIGHT: f32 = 80.0;

/// Height of the row of buttons, in points.
const ROW: f32 = 28.0;
/// Widths of what stands in the row, in points. Every bar leaves the same room for each, so that the same thing is always in the
/// same place.
const BUTTON: f32 = 32.0;
const NUMBER: f32 = 58.0;
const PLAY: f32 = 40.0;
const FRAMES: f32 = 122.0;
const CLOCK: f32 = 170.0;
const ASIDE: f32 = 116.0;
const SPEED: f32 = 62.0;
const END: f32 = 32.0;
const GAP: f32 = 8.0;
const SMALL_GAP: f32 = 2.0;
/// Narrower than this there is no name.
const MIN_NAME: f32 = 40.0;
const MAX_NAME: f32 = 220.0;

/// Adds to a part of the bar.
type Add<'a> = Box<dyn FnOnce(&mut Ui, &mut Vec<Command>) + 'a>;
/// What only some bars have.
#[derive(Default)]
pub struct Parts<'a> {
    /// In the place of the name, over its whole width.
    pub name: Option<Add<'a>>,
    /// At the right end.
    pub end: Option<Add<'a>>,
    /// Further lines of what is told at the pointer.
    pub hint: Option<Hint<'a>>,
}

/// The places in a row of this width, from both ends; what there is no room for is left out.
struct Places {
    with_ends: bool,
    name: Option<Rect>,
    places: Option<Rect>,
    aside: Option<Rect>,
    position: Option<Rect>,
    looping: Rect,
    speed: Option<Rect>,
    end: Rect,
}

impl Places {
    fn of(row: Rect, bar: &TransportBar<'_>) -> Self {
        // The volume is nowhere else in the stage; speeds have keys.
        let (ends_from, speed_from) = if bar.volume.is_some() { (520.0, 400.0) } else { (450.0, 520.0) };
        let width = row.width();
        let with_ends = width >= ends_from;
        let buttons = PLAY + (BUTTON + SMALL_GAP) * if with_ends { 4.0 } else { 2.0 };
        let left = row.left() + buttons + GAP;
        // What is still free.
        let mut free = row.with_min_x(left.min(row.right()));
        let mut take = |width: f32, gap: f32| taken(&mut free, width, gap);
        let mut end = take(END, SMALL_GAP);
        let mut speed = (width >= speed_from).then(|| take(SPEED, GAP));
        if bar.volume.is_some() {
            // Nothing that is heard has a drawer or a speed.
            end.min.x = speed.map_or(end.min.x, |speed| speed.min.x);
            speed = None;
        }
        let looping = take(BUTTON, GAP);
        let (wanted, from) = if bar.unit == Unit::Seconds { (CLOCK, 450.0) } else { (FRAMES, 390.0) };
        let position = (width >= from).then(|| take(wanted, GAP));
        let aside = (width >= 660.0 && bar.places.is_empty()).then(|| take(ASIDE, GAP));
        // What is heard has its name above the waveform too.
        let wanted = bar.places.len() as f32 * NUMBER;
        let has_room = wanted > 0.0 && free.width() >= wanted;
        let places = has_room.then(|| taken(&mut free, wanted, GAP));
        let name = free.with_max_x(free.right().min(free.left() + MAX_NAME));
        let name = (free.width() >= MIN_NAME).then_some(name);
        Self { with_ends, name, places, aside, position, looping, speed, end }
    }
}

/// Takes a piece from the right end.
fn taken(free: &mut Rect, width: f32, gap: f32) -> Rect {
    let piece = free.with_min_x(free.right() - width);
    free.max.x -= width + gap;
    piece
}

/// Draws the bar over the whole width that there is.
pub fn show(ui: &mut Ui, bar: &TransportBar<'_>, parts: Parts<'_>, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let places = Places::of(row, bar);
    put(ui, row, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = SMALL_GAP;
        ui.add_enabled_ui(bar.is_ready, |ui| buttons(ui, bar, places.with_ends, &p, commands));
    });
    if let Some(place) = places.name {
        match parts.name {
            Some(name) => put(ui, place, Layout::left_to_right(Align::Center), |ui| name(ui, commands)),
            None => put(ui, place, Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(bar.name).color(p.strong);
                ui.add(Label::new(text).truncate().selectable(false));
            }),
        }
    }
    if let Some(place) = places.places {
        numbers(ui, place, bar, &p);
    }
    if let Some(place) = places.aside {
        match bar.ruler.as_ref().and_then(|ruler| ruler.range).filter(|range| range.is_part) {
            Some(range) => range_fields(ui, place, bar.unit, range, commands),
            None => _ = put_text(ui, place, Align::Max, p.weak, theme::figures(bar.aside.as_str())),
        }
    }
    if let Some(place) = places.position.filter(|_| bar.ruler.is_some()) {
        let (text, name) = bar.position_text();
        let hint = format!("{}{}", bar.aside, bar.unit.typing_hint(!bar.aside.is_empty()));
        let typed = typed_value::show(ui, place, ui.id().with("position"), &text, &name, &hint);
        if let Some(position) = typed.and_then(|text| bar.unit.parse(&text)) {
            commands.push(Command::Transport(TransportCommand::Seek(position as f32)));
        }
    }
    if let Some(mode) = bar.looping {
        let (sign, name, on) = loop_sign(mode);
        put(ui, places.looping, Layout::left_to_right(Align::Center), |ui| {
            let label = format!("Loop mode: {name}");
            if button(
                ui,
                sign,
                &label,
                &with_keys(ui.ctx(), &label, &Command::Transport(TransportCommand::CycleLoop)),
                on,
            ) {
                commands.push(Command::Transport(TransportCommand::CycleLoop));
            }
        });
    }
    if let (Some(place), Some(speed)) = (places.speed, &bar.speed) {
        put(ui, place, Layout::left_to_right(Align::Center), |ui| speed_field(ui, speed, commands));
    }
    if let Some(volume) = bar.volume {
        put(ui, places.end, Layout::right_to_left(Align::Center), |ui| volume_field(ui, volume, &p, commands));
    } else if let Some(end) = parts.end {
        put(ui, places.end, Layout::right_to_left(Align::Center), |ui| end(ui, commands));
    }
    ui.add_space(4.0);
    ruler::show(ui, bar, parts.hint.as_deref(), commands);
}

/// To the start, back, play, on, to the end.
fn buttons(ui: &mut Ui, bar: &TransportBar<'_>, with_ends: bool, p: &Palette, commands: &mut Vec<Command>) {
    let [first, back, on, last] = bar.unit.steps();
    let mut step = |ui: &mut Ui, sign: &str, name: &str, command: Command| {
        if button(ui, sign, name, &with_keys(ui.ctx(), name, &command), false) {
            commands.push(command);
        }
    };
    if with_ends {
        step(ui, icon::SKIP_BACK, first, Command::Transport(TransportCommand::SeekStart));
    }
    step(ui, icon::CARET_LEFT, back, Command::Transport(TransportCommand::Step(-1)));
    let (sign, name) = if bar.playing { (icon::PAUSE, "Pause") } else { (icon::PLAY, "Play") };
    let text = RichText::new(sign).size(18.0).color(p.on_accent);
    let play = ui.add(Button::new(text).fill(p.accent).min_size(vec2(PLAY, ROW)));
    play.widget_info(|| WidgetInfo::labeled(WidgetType::Button, bar.is_ready, name));
    if play.on_hover_text(with_keys(ui.ctx(), name, &Command::Transport(TransportCommand::TogglePlay))).clicked() {
        commands.push(Command::Transport(TransportCommand::TogglePlay));
    }
    let mut step = |ui: &mut Ui, sign: &str, name: &str, command: Command| {
        if button(ui, sign, name, &with_keys(ui.ctx(), name, &command), false) {
            commands.push(command);
        }
    };
    step(ui, icon::CARET_RIGHT, on, Command::Transport(TransportCommand::Step(1)));
    if with_ends {
        // What never ends has no last frame.
        let ends = bar.length.is_some() || bar.ruler.is_none();
        ui.add_enabled_ui(ends, |ui| step(ui, icon::SKIP_FORWARD, last, Command::Transport(TransportCommand::SeekEnd)));
    }
}

/// A square button with a sign; its name stays the same where its keys change.
fn button(ui: &mut Ui, sign: &str, name: &str, hint: &str, on: bool) -> bool {
    let p = theme::palette(ui);
    let text = RichText::new(sign).size(16.0).color(if on { p.accent } else { p.text });
    let fill = if on { p.accent_soft } else { Color32::TRANSPARENT };
    let response = ui.add(Button::new(text).fill(fill).min_size(vec2(BUTTON, ROW)));
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, enabled, on, name));
    response.on_hover_text(hint).clicked()
}

fn speed_field(ui: &mut Ui, speed: &Speed, commands: &mut Vec<Command>) {
    let mut now = speed.now;
    let field = DragValue::new(&mut now).speed(0.01).range(speed.range.clone()).fixed_decimals(2).suffix("×");
    let hint = speed_hint(ui.ctx(), *speed.range.start() < 0.0);
    let response = ui.add_sized(vec2(SPEED, 24.0), field).on_hover_text(hint);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Speed"));
    if response.double_clicked() {
        commands.push(Command::Transport(TransportCommand::SetSpeed(1.0)));
    } else if response.changed() {
        commands.push(Command::Transport(TransportCommand::SetSpeed(now)));
    }
}

fn speed_hint(ctx: &egui::Context, is_reversible: bool) -> String {
    if !is_reversible {
        return "Drag to change the speed, or type a value. Double-click for 1×".to_owned();
    }
    let reverse = Command::Transport(TransportCommand::Reverse);
    let backwards = with_keys(ctx, "Negative values play backwards", &reverse);
    format!("Drag to change the speed, or type a value. {backwards}. Double-click for 1×")
}

/// The frames that a range goes from and to, and the way back to all of the clip.
fn range_fields(ui: &mut Ui, place: Rect, unit: Unit, range: PlayRange, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let clear = place.with_min_x(place.right() - 20.0);
    let fields = place.with_max_x(clear.left() - SMALL_GAP);
    let (left, right) = fields.split_left_right_at_fraction(0.5);
    put_text(ui, fields.shrink2(vec2(fields.width() * 0.5 - 4.0, 0.0)), Align::Center, p.weak, RichText::new("–"));
    let (left, right) = (left.with_max_x(left.right() - SMALL_GAP), right.with_min_x(right.left() + SMALL_GAP * 2.0));
    let change = |ui: &mut Ui, place: Rect, name: &str, at: f64| {
        let text = unit.text(at);
        let label = format!("{name} {text}");
        let typed =
            typed_value::show(ui, place, ui.id().with(name), &text, &label, "Type a frame, or seconds such as 1.2s");
        typed.and_then(|text| unit.parse(&text))
    };
    if let Some(first) = change(ui, left, "Range start", range.first) {
        commands.push(Command::Transport(TransportCommand::SetRange(first as f32, range.last as f32)));
    }
    if let Some(last) = change(ui, right, "Range end", range.last) {
        commands.push(Command::Transport(TransportCommand::SetRange(range.first as f32, last as f32)));
    }
    put(ui, clear, Layout::right_to_left(Align::Center), |ui| {
        let command = Command::Transport(TransportCommand::ClearRange);
        let hint = with_keys(ui, "Clear the range", &command);
        let button = ui.add(Button::new(RichText::new(icon::X).size(12.0)).frame(false));
        button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Clear the range"));
        if button.on_hover_text(hint).clicked() {
            commands.push(command);
        }
    });
}

fn volume_field(ui: &mut Ui, volume: f32, p: &Palette, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.spacing_mut().slider_width = (ui.available_width() - 22.0).max(20.0);
    let mut now = volume;
    let slider = ui.add(Slider::new(&mut now, 0.0..=1.0).show_value(false));
    slider.widget_info(|| WidgetInfo::slider(true, f64::from(now), "Volume"));
    if slider.on_hover_text(format!("Volume {:.0} %", volume * 100.0)).changed() {
        commands.push(Command::Sound(SoundCommand::SetVolume(now)));
    }
    let sign = match volume {
        v if v <= 0.0 => icon::SPEAKER_NONE,
        v if v < 0.5 => icon::SPEAKER_LOW,
        _ => icon::SPEAKER_HIGH,
    };
    ui.add(Label::new(RichText::new(sign).size(16.0).color(p.weak)).selectable(false));
}

/// Numbers that go along, each with its name before it.
fn numbers(ui: &mut Ui, place: Rect, bar: &TransportBar<'_>, p: &Palette) {
    put(ui, place, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        // From the right: the layout runs that way.
        for (name, value) in bar.places.iter().rev() {
            let figures = ui.label(theme::figures(format!("{value:>3}")).color(p.strong));
            figures.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("{name} {value}")));
            ui.add(Label::new(RichText::new(*name).size(theme::SMALL).color(p.weak)).selectable(false));
            ui.add_space(2.0);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::command::{Action, ChosenKeys, keys_text, show_keys};
    use egui::pos2;

    #[test]
    fn the_hint_of_the_speed_has_the_keys_of_reverse_if_there_are_any() {
        let ctx = egui::Context::default();
        let reverse = Action::of(&Command::Transport(TransportCommand::Reverse)).unwrap();
        let keys = keys_text(&reverse.keys[0]);
        assert!(speed_hint(&ctx, true).contains(&format!("Negative values play backwards ({keys}). Double-click")));
        let mut chosen = ChosenKeys::default();
        chosen.set(reverse, Vec::new());
        show_keys(&ctx, &chosen);
        let without = "Drag to change the speed, or type a value. Negative values play backwards. Double-click for 1×";
        assert_eq!(speed_hint(&ctx, true), without);
        assert_eq!(speed_hint(&ctx, false), "Drag to change the speed, or type a value. Double-click for 1×");
    }

    fn bar(unit: Unit, position: f64, length: Option<f64>) -> TransportBar<'static> {
        TransportBar {
            name: "walk",
            playing: false,
            is_ready: true,
            unit,
            position,
            length,
            aside: String::new(),
            places: Vec::new(),
            looping: None,
            speed: None,
            volume: None,
            ruler: None,
        }
    }

    #[test]
    fn positions_are_written_by_what_they_count() {
        let clip = bar(Unit::Frames { rate_hz: 30.0 }, 12.43, Some(40.0));
        assert_eq!(clip.position_text(), ("12.4 / 40".into(), "Frame 12.4 / 40".into()));
        assert_eq!(clip.unit.hint(15.0), "15.0   0.50 s");
        let flip_book = bar(Unit::Pictures { rate_hz: 8.0, first: 1 }, 2.0, Some(8.0));
        assert_eq!(flip_book.position_text().1, "Frame 3 / 8");
        let computed = bar(Unit::Pictures { rate_hz: 0.0, first: 0 }, 6.0, None);
        assert_eq!((computed.position_text().1.as_str(), computed.unit.hint(6.9).as_str()), ("Frame 6", "6"));
        let sound = bar(Unit::Seconds, 0.8, Some(1.6));
        assert_eq!(sound.position_text(), ("0:00.800 / 0:01.600".into(), "Position 0:00.800 of 0:01.600".into()));
    }

    #[test]
    fn the_same_thing_is_in_the_same_place_on_every_bar() {
        for width in [360.0, 420.0, 480.0, 530.0, 700.0, 1200.0] {
            let row = Rect::from_min_size(pos2(10.0, 0.0), vec2(width, ROW));
            let clip = Places::of(row, &bar(Unit::Frames { rate_hz: 30.0 }, 0.0, Some(4.0)));
            let sound = Places::of(row, &TransportBar { volume: Some(1.0), ..bar(Unit::Seconds, 0.0, Some(4.0)) });
            if width >= 520.0 {
                let right = |places: &Places| places.position.map(|position| position.right());
                assert_eq!((clip.looping, right(&clip)), (sound.looping, right(&sound)), "{width}");
                assert!(clip.with_ends && sound.with_ends && clip.name.is_some(), "{width}");
                // Above its waveform a sound has its name as well.
                assert!(width < 700.0 || sound.name.is_some(), "{width}");
            }
            for places in [clip, sound] {
                let first = places.position.unwrap_or(places.looping);
                let buttons = if places.with_ends { 176.0 } else { 108.0 };
                assert!(first.left() >= row.left() + buttons, "{width}: nothing lies over the buttons");
                assert!(places.name.is_none_or(|name| name.right() <= first.left()), "{width}");
                assert!(places.end.right() <= row.right());
            }
        }
    }
}
