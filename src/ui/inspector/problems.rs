//! What is wrong with the selected entry, and with what lies in it.

use crate::{
    formats::{Diagnostic, EntryId, Outline},
    ui::{
        command::{Command, SelectionCommand},
        state::Place,
        widgets::{
            diagnostic_card::{card, sign},
            numbers::{counted, grouped},
            subject::Subject,
        },
    },
};
use egui::{Align, Label, Layout, RichText, Ui};
use std::cmp::Reverse;

/// Cards shown at once; the log has everything.
const MAX_CARDS: usize = 8;

/// Places that a card names.
const MAX_PLACES: usize = 3;

/// The problems of the entry that was selected last, grouped once.
#[derive(Default)]
pub struct ProblemsView {
    made_for: Option<(Place, u64, usize)>,
    groups: Vec<Group>,
    count: usize,
}

/// Problems that say the same.
struct Group {
    /// The first of them, among those of the file.
    first: usize,
    count: usize,
    /// Where they are, the first few.
    at: Vec<(EntryId, Option<u64>)>,
}

impl ProblemsView {
    /// How many problems there are.
    pub fn count(&mut self, subject: &Subject<'_>) -> usize {
        let wanted = Some((subject.place, subject.revision, subject.diagnostics.len()));
        if self.made_for != wanted {
            self.made_for = wanted;
            let found = within(subject.document.outline(), subject.diagnostics, subject.place.entry);
            self.count = found.len();
            self.groups = groups(subject.diagnostics, &found);
        }
        self.count
    }
}

/// The diagnostics of an entry, and after them those of what lies in it, the worst first.
fn within(outline: &Outline, diagnostics: &[Diagnostic], entry: EntryId) -> Vec<usize> {
    let is_below = |id: EntryId| {
        let above = std::iter::successors(Some(id), |id| outline.get(*id)?.parent);
        // Parents that lead in a circle end here.
        above.take(outline.entries().len()).any(|id| id == entry)
    };
    let of = |d: &Diagnostic| d.entry.unwrap_or(EntryId::FILE);
    let rank = |index: &usize| diagnostics.get(*index).map(|d| (of(d) != entry, Reverse(d.severity)));
    let mut found: Vec<usize> =
        diagnostics.iter().enumerate().filter(|(_, d)| is_below(of(d))).map(|(index, _)| index).collect();
    found.sort_by_key(rank);
    found
}

fn groups(diagnostics: &[Diagnostic], found: &[usize]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for index in found {
        let Some(diagnostic) = diagnostics.get(*index) else { continue };
        let at = (diagnostic.entry.unwrap_or(EntryId::FILE), diagnostic.offset);
        let is_same = |group: &&mut Group| {
            diagnostics.get(group.first).is_some_and(|d| {
                (d.code, d.severity, &d.message) == (diagnostic.code, diagnostic.severity, &diagnostic.message)
            })
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => {
                group.count += 1;
                if group.at.len() < MAX_PLACES {
                    group.at.push(at);
                }
            }
            None => groups.push(Group { first: *index, count: 1, at: vec![at] }),
        }
    }
    groups
}

/// Shows the problems as cards; equal ones are one card.
pub fn show(ui: &mut Ui, subject: &Subject<'_>, view: &ProblemsView, commands: &mut Vec<Command>) {
    for group in view.groups.iter().take(MAX_CARDS) {
        if let Some(diagnostic) = subject.diagnostics.get(group.first) {
            problem(ui, subject, diagnostic, group, commands);
        }
    }
    let more: usize = view.groups.iter().skip(MAX_CARDS).map(|group| group.count).sum();
    if more > 0 {
        ui.label(RichText::new(format!("{} in the log", counted(more, "more message"))).weak());
    }
}

fn problem(ui: &mut Ui, subject: &Subject<'_>, diagnostic: &Diagnostic, group: &Group, commands: &mut Vec<Command>) {
    let (glyph, word, color) = sign(ui, diagnostic.severity);
    let times = if group.count > 1 { format!("{} × ", grouped(group.count)) } else { String::new() };
    card(ui, |ui| {
        ui.horizontal_top(|ui| {
            ui.add(Label::new(RichText::new(glyph).size(16.0).color(color)).selectable(false));
            ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                ui.add(Label::new(format!("{times}{word}: {}", diagnostic.message)).wrap().selectable(true));
                ui.horizontal_wrapped(|ui| {
                    ui.label(RichText::new(diagnostic.code).small().weak());
                    for (entry, offset) in &group.at {
                        place(ui, subject, *entry, *offset, commands);
                    }
                    if group.count > group.at.len() {
                        ui.label(RichText::new("…").small().weak()).on_hover_text("The log lists all occurrences");
                    }
                });
            });
        });
    });
}

/// Where a problem is: a link to the entry, where that is another one, and one to the byte.
fn place(ui: &mut Ui, subject: &Subject<'_>, entry: EntryId, offset: Option<u64>, commands: &mut Vec<Command>) {
    let bytes = |offset: u64| Command::Selection(SelectionCommand::Bytes(Some(offset..offset.saturating_add(1))));
    let other = subject.document.outline().get(entry).filter(|found| found.id != subject.place.entry);
    let select = Command::Selection(SelectionCommand::Select(Place { file: subject.place.file, entry }));
    if let Some(found) = other {
        let link = ui.link(RichText::new(found.path()).small());
        if link.on_hover_text("Select this entry").clicked() {
            commands.push(select);
            commands.extend(offset.map(bytes));
        }
    } else if let Some(offset) = offset {
        let link = ui.link(RichText::new(format!("0x{offset:X}")).small());
        if link.on_hover_text("Select this byte").clicked() {
            commands.push(bytes(offset));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Content, Role, Severity};

    fn problem(entry: Option<EntryId>, severity: Severity, message: &str, offset: u64) -> Diagnostic {
        Diagnostic { code: "test.odd", severity, entry, offset: Some(offset), message: message.into() }
    }

    #[test]
    fn an_entry_has_its_own_problems_first_and_equal_ones_are_counted() {
        let mut outline = Outline::new(Role::File, "Psk", 100);
        let chunk = outline.add(EntryId::FILE, "A", "A", Role::Group, "Chunk", 10, 50, Content::None);
        let bone = outline.add(chunk, "B", "A/B", Role::Bone, "Bone", 20, 8, Content::None);
        let other = outline.add(EntryId::FILE, "C", "C", Role::Group, "Chunk", 60, 8, Content::None);
        let mut all = vec![problem(Some(other), Severity::Error, "torn", 60)];
        all.extend((0..12).map(|index| problem(Some(bone), Severity::Info, "odd", 20 + index)));
        all.push(problem(Some(chunk), Severity::Warning, "short", 10));
        all.push(problem(None, Severity::Info, "long", 0));
        let said = |entry| {
            let groups = groups(&all, &within(&outline, &all, entry));
            groups.iter().map(|g| (all[g.first].message.clone(), g.count, g.at.len())).collect::<Vec<_>>()
        };
        let of = |message: &str, count, at| (message.to_owned(), count, at);
        assert_eq!(said(chunk), [of("short", 1, 1), of("odd", 12, MAX_PLACES)]);
        assert_eq!(said(bone), [of("odd", 12, MAX_PLACES)]);
        let whole = [of("long", 1, 1), of("torn", 1, 1), of("short", 1, 1), of("odd", 12, MAX_PLACES)];
        assert_eq!(said(EntryId::FILE), whole);
    }
}
