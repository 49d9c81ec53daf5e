//! Comparing two open files in the background.

use crate::{
    library::{
        OpenFile,
        compare::{Comparison, Rows, Side, compare, compare_assets, compare_fields},
    },
    ui::{
        command::CompareCommand,
        place::FileId,
        state::{
            Comparing, State,
            comparing::Detail,
            message::{Compared, Message},
            stage::StageContent,
        },
    },
};
use std::sync::Arc;

/// Fields of an entry that are shown.
const MOST_FIELDS: usize = 20_000;

impl State {
    pub(in crate::ui::state) fn apply_compare(&mut self, command: CompareCommand) {
        use CompareCommand as C;
        match command {
            C::Selected => {
                let first = || self.library.files.first().map(|opened| opened.id);
                if let Some(file) = self.selection.map(|place| place.file).or_else(first) {
                    self.compare_file(file);
                }
            }
            C::File(file) => self.compare_file(file),
            C::With(file) => self.compare(self.comparing.left.clone(), self.open_file(file)),
            C::Swap => self.compare(self.comparing.right.clone(), self.comparing.left.clone()),
            C::Choose(at) => self.choose_compared(at),
            C::ChangedOnly(only) => self.comparing.with_same = !only,
        }
    }

    /// Whether two files stand side by side in front.
    pub(in crate::ui::state) fn compares(&self) -> bool {
        matches!(self.stage.content, StageContent::Compare) && self.comparing.found.is_some()
    }

    /// Shows an entry further down or up the list.
    pub(in crate::ui::state) fn step_comparison(&mut self, by: i32) {
        let listed = self.comparing.listed();
        let at = self.comparing.chosen.and_then(|chosen| listed.iter().position(|at| *at == chosen));
        let last = listed.len().saturating_sub(1);
        let next = at.map_or(0, |at| at.saturating_add_signed(by as isize).min(last));
        if let Some(next) = listed.get(next) {
            self.choose_compared(*next);
        }
    }

    fn open_file(&self, id: FileId) -> Option<Arc<OpenFile>> {
        self.library.files.iter().find(|opened| opened.id == id).map(|opened| opened.file.clone())
    }

    fn compare_file(&mut self, file: FileId) {
        let Some(left) = self.open_file(file) else { return };
        let others: Vec<FileId> = self.library.files.iter().map(|opened| opened.id).filter(|id| *id != file).collect();
        let right = if let [only] = others.as_slice() { self.open_file(*only) } else { None };
        self.show_comparison();
        self.compare(Some(left), right);
    }

    pub(in crate::ui::state) fn show_comparison(&mut self) {
        self.stage.stop_loading();
        if !matches!(self.stage.content, StageContent::Compare) {
            self.take_stage(StageContent::Compare);
        }
        self.bring_up_stage();
    }

    fn compare(&mut self, left: Option<Arc<OpenFile>>, right: Option<Arc<OpenFile>>) {
        if let Some(work) = self.comparing.work.take() {
            // Dropping it cancels it.
            self.works.retain(|other| other.id != work);
        }
        let turn = self.fresh_id();
        let with_same = self.comparing.with_same;
        self.comparing =
            Comparing { left: left.clone(), right: right.clone(), turn, with_same, ..Comparing::default() };
        let Some((left, right)) = left.zip(right) else { return };
        let sender = self.outbox.clone();
        let work = self.run_in_background(format!("Comparing {} and {}", left.name, right.name), move |cx| {
            let found = compare(&left, &right, cx.cancel_flag());
            if !cx.cancelled() {
                let _ = sender.send(Message::Compared(Compared::Files { turn, found: Arc::new(found) }));
            }
        });
        self.comparing.work = Some(work);
    }

    fn choose_compared(&mut self, at: usize) {
        let comparing = &self.comparing;
        let (Some(left), Some(right), Some(found)) = (&comparing.left, &comparing.right, &comparing.found) else {
            return;
        };
        let (left, right, found) = (left.clone(), right.clone(), found.clone());
        if at >= found.entries.len() {
            return;
        }
        self.comparing.chosen = Some(at);
        if self.comparing.detail.as_ref().is_some_and(|(known, _)| *known == at) {
            return;
        }
        self.comparing.detail = None;
        let (turn, sender) = (self.comparing.turn, self.outbox.clone());
        self.run_in_background("Comparing an entry", move |cx| {
            let detail = detail(&left, &right, &found, at, cx.cancel_flag());
            let _ = sender.send(Message::Compared(Compared::Entry { turn, at, detail: Arc::new(detail) }));
        });
    }

    pub(in crate::ui::state) fn compared(&mut self, compared: Compared) {
        match compared {
            Compared::Files { turn, found } if turn == self.comparing.turn => {
                self.comparing.found = Some(found);
                self.comparing.work = None;
                if let Some(first) = self.comparing.listed().first() {
                    self.choose_compared(*first);
                }
            }
            Compared::Entry { turn, at, detail }
                if turn == self.comparing.turn && self.comparing.chosen == Some(at) =>
            {
                self.comparing.detail = Some((at, detail));
            }
            Compared::Files { .. } | Compared::Entry { .. } => {}
        }
    }
}

/// One entry on both sides; of one that is on one side alone, its fields against nothing.
fn detail(
    left: &OpenFile,
    right: &OpenFile,
    found: &Comparison,
    at: usize,
    cancel: &std::sync::atomic::AtomicBool,
) -> Detail {
    let Some(pair) = found.entries.get(at) else { return Detail::default() };
    let sides = pair.left.and_then(|id| Side::of(left, id)).zip(pair.right.and_then(|id| Side::of(right, id)));
    let Some((left, right)) = sides else { return Detail::default() };
    Detail {
        fields: compare_fields(left, right, Rows::All, MOST_FIELDS, cancel),
        shown: compare_assets(left, right, cancel),
    }
}
