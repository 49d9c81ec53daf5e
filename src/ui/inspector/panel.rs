//! The inspector: what the selected entry is, and below it the sections that fit it.

use crate::{
    export::json::{Inspection, Show},
    formats::{Document, Entry, FieldTree, Hierarchy},
    scene::{ModelPiece, ModelStatistics},
    ui::{
        command::{Command, SelectionCommand, WindowCommand},
        inspector::{
            bytes::{self, BytesView},
            problems::{self, ProblemsView},
            properties::{self, PropertiesView},
            reading::{self, ReadingView},
        },
        layout,
        section::{OpenSections, Section},
        state::{Place, State},
        theme,
        widgets::{
            dependencies_card, diagnostic_card, empty, entry_icon, hierarchy_card,
            numbers::{self, grouped},
            pose_card,
            put::put,
            skin_card, slot_card,
            statistics_card::{self, StatisticsCard},
            subject::{EntryFields, Subject},
            surface, uses_card,
        },
    },
};
use egui::{
    Align, Button, Frame, Label, Layout, Margin, Panel, RichText, ScrollArea, Ui, WidgetInfo, WidgetType, vec2,
};
use egui_phosphor::regular as icon;

/// Space below an open section, in points.
const BELOW: f32 = 6.0;

/// Height of the bytes, in points: at first as a share of the inspector, at least, and what they leave to what lies above.
const BYTES_SHARE: f32 = 0.34;
const MIN_BYTES: f32 = 128.0;
const ABOVE_BYTES: f32 = 200.0;

/// What the inspector remembers between frames.
#[derive(Default)]
pub struct InspectorView {
    pub bytes: BytesView,
    problems: ProblemsView,
    properties: PropertiesView,
    reading: ReadingView,
    /// A section that is to come into view.
    wanted: Option<Section>,
}

impl InspectorView {
    /// Brings a section into view when it is drawn next.
    pub fn reveal(&mut self, section: Section) {
        self.wanted = Some(section);
    }
}

/// Shows what is known of an entry.
pub fn show(
    ui: &mut Ui,
    subject: Option<&Subject<'_>>,
    open: &OpenSections,
    fields: &mut EntryFields,
    view: &mut InspectorView,
    commands: &mut Vec<Command>,
) {
    let Some((subject, entry)) = subject.and_then(|s| Some((s, s.entry()?))) else {
        empty::show(
            ui,
            icon::SLIDERS_HORIZONTAL,
            "Nothing selected",
            "Select a file or an entry in the library to see its fields and bytes.",
        );
        return;
    };
    // What is marked or clicked in the bytes is known to the fields above in the same frame.
    bytes_below(ui, subject, open, fields, view, commands);
    let tree = fields.of(subject);
    properties::follow(&mut view.properties, subject, entry, tree.ok());
    head(ui, subject, entry, tree.ok(), commands);
    ui.add_space(4.0);
    let height = ui.available_height();
    ScrollArea::vertical().auto_shrink(false).id_salt(("inspector", subject.place)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        let mut sections = Sections { open, wanted: view.wanted.take(), commands };
        let problem_count = view.problems.count(subject);
        if problem_count > 0 {
            sections.show(ui, Section::Problems, &grouped(problem_count as u64), |ui, commands| {
                problems::show(ui, subject, &view.problems, commands);
            });
        }
        if let Some(needed) = &subject.dependencies {
            sections.show(ui, Section::Dependencies, &needed.count_text(), |ui, commands| {
                dependencies_card::show(ui, needed, commands);
            });
        }
        what_fits(ui, subject, &mut sections);
        let field_count = tree.as_ref().map_or(String::new(), |tree| grouped(tree.fields.len() as u64));
        sections.show(ui, Section::Properties, &field_count, |ui, commands| match tree {
            Ok(tree) => properties::show(ui, subject, entry, tree, height, &mut view.properties, commands),
            Err(error) => diagnostic_card::failure(ui, &error.to_string(), commands),
        });
        if let Some(uses) = &subject.uses {
            let count = uses.list.as_ref().map_or(String::new(), |_| grouped(uses.count as u64));
            sections.show(ui, Section::UsedBy, &count, |ui, commands| uses_card::show(ui, uses, commands));
        }
        let questions = subject.document.reading().len();
        if questions > 0 {
            sections.show(ui, Section::Reading, &grouped(questions as u64), |ui, commands| {
                reading::show(ui, subject, &mut view.reading, commands);
            });
        }
    });
}

/// The sections that only some entries have.
fn what_fits(ui: &mut Ui, subject: &Subject<'_>, sections: &mut Sections<'_>) {
    if let Some(material) = &subject.surface {
        sections.show(ui, Section::Material, "", |ui, commands| surface::show(ui, material, commands));
    }
    if let Some(skin) = subject.skin.as_ref().filter(|_| subject.surface.is_none()) {
        sections.show(ui, Section::Material, "", |ui, commands| skin_card::show(ui, skin, commands));
    }
    if let Some(slot) = subject.slot {
        sections.show(ui, Section::Object, "", |ui, commands| slot_card::show(ui, slot, commands));
    }
    if let Some(pose) = &subject.pose {
        sections.show(ui, Section::Pose, "", |ui, commands| pose_card::show(ui, pose, commands));
    }
    if let Some(counts) = subject.statistics {
        sections.show(ui, Section::Statistics, "", |ui, _| statistics_card::show(ui, counts));
    }
    if let Some(hierarchy) = subject.hierarchy {
        let count = grouped(hierarchy.nodes.len() as u64);
        sections.show(ui, Section::Hierarchy, &count, |ui, commands| {
            hierarchy_card::show(ui, hierarchy, subject.place.file, commands);
        });
    }
}

/// The bytes, at the bottom; folded, only their heading is there.
fn bytes_below(
    ui: &mut Ui,
    subject: &Subject<'_>,
    open: &OpenSections,
    fields: &mut EntryFields,
    view: &mut InspectorView,
    commands: &mut Vec<Command>,
) {
    // They are always in view.
    view.wanted.take_if(|wanted| *wanted == Section::Bytes);
    let is_open = open.is_open(Section::Bytes);
    let height = ui.available_height();
    let panel = if is_open {
        let most = (height - ABOVE_BYTES).max(MIN_BYTES);
        Panel::bottom("inspector bytes")
            .resizable(true)
            .default_size(layout::panel_size(ui.ctx(), "bytes").unwrap_or(height * BYTES_SHARE).clamp(MIN_BYTES, most))
            .size_range(MIN_BYTES..=most)
    } else {
        Panel::bottom("inspector bytes, folded").resizable(false).exact_size(empty::HEADING + 4.0)
    };
    // The sections above end a little before it.
    let frame = Frame::NONE.fill(theme::palette(ui).panel).inner_margin(Margin { top: 4, ..Margin::ZERO });
    let shown = panel.frame(frame).show_separator_line(false).show(ui, |ui| {
        let size = subject.entry().map_or(String::new(), |entry: &Entry| grouped(entry.size));
        // As wide as the headings above, which leave room for a scroll bar.
        let width = ui.available_width() - ui.spacing().scroll.allocated_width();
        let heading =
            ui.allocate_ui(vec2(width, empty::HEADING), |ui| empty::heading(ui, Section::Bytes.name(), &size, is_open));
        if heading.inner.clicked() {
            commands.push(Command::Window(WindowCommand::SetSection(Section::Bytes, !is_open)));
        }
        if is_open {
            // The panel is as high as it was made, whatever stands in it.
            let rect = ui.available_rect_before_wrap();
            put(ui, rect, Layout::top_down(Align::Min), |ui| {
                bytes::show(ui, Some(subject), fields, &mut view.bytes, commands);
            });
            ui.advance_cursor_after_rect(rect);
        }
    });
    view.bytes.has_keyboard &= is_open;
    if is_open {
        layout::note_panel_size(ui.ctx(), "bytes", shown.response.rect.height());
    }
    ui.add_space(4.0);
}

/// Draws sections one below the other.
struct Sections<'a> {
    open: &'a OpenSections,
    wanted: Option<Section>,
    commands: &'a mut Vec<Command>,
}

impl Sections<'_> {
    fn show(&mut self, ui: &mut Ui, part: Section, count: &str, add: impl FnOnce(&mut Ui, &mut Vec<Command>)) {
        let is_open = self.open.is_open(part);
        let heading = empty::heading(ui, part.name(), count, is_open);
        if heading.clicked() {
            self.commands.push(Command::Window(WindowCommand::SetSection(part, !is_open)));
        }
        if self.wanted == Some(part) {
            heading.scroll_to_me(Some(Align::TOP));
        }
        if is_open {
            ui.push_id(part.name(), |ui| add(ui, self.commands));
            ui.add_space(BELOW);
        }
    }
}

/// The hierarchy that was selected last, read once.
#[derive(Default)]
pub struct SelectedHierarchy {
    made_for: Option<(Place, u64)>,
    found: Option<Hierarchy>,
}

impl SelectedHierarchy {
    /// The hierarchy in the entry that `place` is; `revision` changes with the open files.
    pub fn card(&mut self, document: &dyn Document, place: Place, revision: u64) -> Option<&Hierarchy> {
        let wanted = Some((place, revision));
        if self.made_for != wanted {
            self.made_for = wanted;
            self.found = document.ask(place.entry, |can, entry| can.facts?.hierarchy(entry));
        }
        self.found.as_ref()
    }
}

/// The counts that were asked for last, counted once.
#[derive(Default)]
pub struct CountedModel {
    /// The model, its level of detail, and what is selected.
    made_for: Option<(u64, u32, Option<ModelPiece>)>,
    card: Option<StatisticsCard>,
}

impl CountedModel {
    /// The counts, where the selected entry is the shown model or a piece of it.
    pub fn card(&mut self, state: &State, place: Place) -> Option<&StatisticsCard> {
        let shown = state.stages.front.model()?;
        if place != shown.place && state.stages.front.piece_at(place).is_none() {
            return None;
        }
        let (level, piece) = (state.stages.front.view.options.level, state.stages.front.selected_piece());
        let wanted = Some((shown.generation, level, piece));
        if self.made_for != wanted {
            self.made_for = wanted;
            let of = |piece| ModelStatistics::of(&shown.model, piece, level);
            self.card = Some(StatisticsCard { whole: of(None), selected: piece.map(|piece| of(Some(piece))) });
        }
        self.card.as_ref()
    }
}

pub fn head(ui: &mut Ui, subject: &Subject<'_>, entry: &Entry, tree: Option<&FieldTree>, commands: &mut Vec<Command>) {
    let path = if entry.path().is_empty() { subject.file_name } else { &entry.path() };
    ui.horizontal(|ui| {
        let (glyph, color) = entry_icon::of(entry, &theme::palette(ui));
        ui.add(Label::new(RichText::new(glyph).size(18.0).color(color)).selectable(false));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if button(ui, icon::COPY, "Copy the path", true) {
                commands.push(Command::Window(WindowCommand::Copy(path.to_owned())));
            }
            if button(ui, icon::BRACKETS_CURLY, "Copy the fields as JSON", tree.is_some())
                && let Some(text) = tree.and_then(|tree| json(subject, entry, tree))
            {
                commands.push(Command::Window(WindowCommand::Copy(text)));
            }
            if button(ui, icon::ARROW_BEND_DOWN_LEFT, "Find references", true) {
                commands.push(Command::Selection(SelectionCommand::FindUses(subject.place)));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let name = RichText::new(subject.name()).heading();
                ui.add(Label::new(name).truncate().selectable(true));
            });
        });
    });
    let facts = format!(
        "{}  ·  {}  ·  at 0x{:X}",
        entry.class,
        numbers::counted(usize::try_from(entry.size).unwrap_or(usize::MAX), "byte"),
        entry.offset
    );
    ui.add(Label::new(RichText::new(facts).weak()).truncate().selectable(true));
    if path != subject.name() {
        ui.add(Label::new(RichText::new(path).weak()).truncate().selectable(true));
    }
}

fn button(ui: &mut Ui, glyph: &str, name: &str, enabled: bool) -> bool {
    let button = ui.add_enabled(enabled, Button::new(glyph).frame(false)).on_hover_text(name);
    button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, enabled, name));
    button.clicked()
}

/// Returns the output of `inspect --json` for the entry, with only the first rows of its tables.
fn json(subject: &Subject<'_>, entry: &Entry, tree: &FieldTree) -> Option<String> {
    let show = Show { document: subject.document, entry: entry.id, full: false };
    serde_json::to_string_pretty(&Inspection::new(subject.file_name, entry, tree, show)).ok()
}
