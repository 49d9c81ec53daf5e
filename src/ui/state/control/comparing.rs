//! Comparing files, folders and entries in the background.

use crate::{
    bytes::Cancel,
    files::path_of,
    formats::EntryId,
    library::compare::{Comparison, Rows, Side, State as Differs, compare_assets, compare_fields},
    ui::{
        command::{CameraCommand, CompareCommand, ComparedThing},
        place::FileId,
        state::{
            ComparedFolders, Comparing, State, Target,
            comparing::Detail,
            control::comparing_files::find,
            core::Core,
            effect::Effect,
            message::{Compared, Found, Message},
            stage::{Stage, StageContent},
        },
    },
};
use std::sync::Arc;

/// Fields of an entry that are shown.
const MOST_FIELDS: usize = 20_000;

impl State {
    pub(crate) fn apply_compare(&mut self, command: CompareCommand) {
        use CompareCommand as C;
        match command {
            C::Selected => {
                let first = || self.core.library.files.first().map(|opened| opened.id);
                match self.core.selection.map(|place| place.file).or_else(first) {
                    Some(file) => self.compare_file(file),
                    None => self.forget_compared(),
                }
            }
            C::File(file) => self.compare_file(file),
            C::First(thing) => {
                let target = self.core.target(thing);
                self.compare_first(target);
            }
            C::With(file) => self.compare_with(self.core.open_target(file)),
            C::WithThing(thing) => self.compare_with(Some(self.core.target(thing))),
            C::AskFile => self.core.effects.push(Effect::AskForCompared { folder: false }),
            C::AskFolder => self.core.effects.push(Effect::AskForCompared { folder: true }),
            C::Forget => self.forget_compared(),
            C::Swap => self.swap_compared(),
            C::Again => {
                if let Some(targets) = self.comparing.targets.clone() {
                    // As they are now.
                    let targets = targets.map(|target| self.core.target(target.thing));
                    self.compare(targets, self.comparing.folders.clone().filter(|folders| folders.is_inside));
                }
            }
            C::Choose(at) => self.choose_compared(at),
            C::Back => self.back_to_folders(),
            C::ChangedOnly(only) => {
                self.comparing.with_same = !only;
                self.comparing.list();
            }
        }
    }

    /// Whether two files or folders stand side by side in front.
    pub(crate) fn compares(&self) -> bool {
        let comparing = &self.comparing;
        let has_list = comparing.found.is_some() || comparing.folders_in_front().is_some();
        matches!(self.stages.front.content, StageContent::Compare) && has_list
    }

    /// Whether two models stand side by side in front.
    pub(crate) fn compares_models(&self) -> bool {
        matches!(self.stages.front.content, StageContent::Compare) && self.comparing.shows_models()
    }

    /// Moves the camera of two models.
    pub(crate) fn turn_compared(&mut self, command: CameraCommand) {
        use CameraCommand as C;
        let comparing = &mut self.comparing;
        match command {
            C::Orbit(delta) => comparing.camera.orbit(delta),
            C::Pan(delta) => comparing.camera.pan(delta),
            C::Zoom(factor) => comparing.camera.zoom(factor),
            C::Frame | C::FocusJoint(_) => return comparing.frame_models(false),
            C::Reset => return comparing.frame_models(true),
            C::LookFrom(direction) => comparing.camera.look_from(direction),
            C::ToggleOrtho => comparing.camera.orthographic = !comparing.camera.orthographic,
            C::ToggleFly | C::Steer(_) | C::Look(_) | C::ChangeFlySpeed(_) => return,
        }
        comparing.is_camera_touched = true;
    }

    /// Shows an entry further down or up the list.
    pub(crate) fn step_comparison(&mut self, by: i32) {
        let (listed, chosen) = match self.comparing.folders_in_front() {
            Some(folders) => (&folders.listed, folders.chosen),
            None => (&self.comparing.listed, self.comparing.chosen),
        };
        let at = chosen.and_then(|chosen| listed.iter().position(|at| *at == chosen));
        let last = listed.len().saturating_sub(1);
        let next = at.map_or(0, |at| at.saturating_add_signed(by as isize).min(last));
        let Some(next) = listed.get(next).copied() else { return };
        match self.comparing.folders.as_mut().filter(|folders| !folders.is_inside) {
            Some(folders) => folders.chosen = Some(next),
            None => self.choose_compared(next),
        }
    }

    fn compare_file(&mut self, file: FileId) {
        let Some(left) = self.core.open_target(file) else { return };
        let others: Vec<FileId> =
            self.core.library.files.iter().map(|opened| opened.id).filter(|id| *id != file).collect();
        let right = if let [only] = others.as_slice() { self.core.open_target(*only) } else { None };
        self.compare_first(left);
        if right.is_some() {
            self.compare_with(right);
        }
    }

    fn compare_first(&mut self, first: Target) {
        self.stages.front.show_comparison(&mut self.core);
        let turn = self.begin_comparison();
        self.comparing = Comparing { first: Some(first), ..self.comparing.next(turn) };
    }

    fn compare_with(&mut self, second: Option<Target>) {
        let Some(second) = second else { return };
        match self.comparing.first.take() {
            Some(first) => {
                self.stages.front.show_comparison(&mut self.core);
                self.compare([first, second], None);
            }
            None => self.compare_first(second),
        }
    }

    fn forget_compared(&mut self) {
        self.stages.front.show_comparison(&mut self.core);
        let turn = self.begin_comparison();
        self.comparing = self.comparing.next(turn);
    }

    fn swap_compared(&mut self) {
        let Some([left, right]) = self.comparing.targets.clone() else { return };
        // The way back from a pair would lead to folders of which the other one is on the left.
        match self.comparing.folders.clone().filter(|folders| folders.is_inside) {
            Some(folders) => {
                let [a, b] = folders.targets;
                self.compare([b, a], None);
            }
            None => self.compare([right, left], None),
        }
    }

    /// Ends the comparison that is being made; the number of the next one.
    fn begin_comparison(&mut self) -> u64 {
        if let Some(work) = self.comparing.work.take() {
            // Dropping it cancels it.
            self.core.works.forget(work);
        }
        self.core.works.fresh_id()
    }

    /// Compares in the background; `folders` are those that both lie in.
    fn compare(&mut self, targets: [Target; 2], folders: Option<ComparedFolders>) {
        let turn = self.begin_comparison();
        let [left, right] = [&targets[0], &targets[1]].map(|target| target.thing.name());
        let (sender, of, wanted) = (self.core.works.sender(), self.core.settings.folders.clone(), targets.clone());
        let readings = self.core.settings.readings.clone();
        let work = self.core.works.run_apart(format!("Comparing {left} and {right}"), move |cx| {
            let found = find(&wanted, &of, &readings, cx);
            if !cx.cancelled() {
                let _ = sender.send(Message::Compared(Compared::Found { turn, found }));
            }
        });
        let next = self.comparing.next(turn);
        self.comparing = Comparing { targets: Some(targets), folders, work: Some(work), ..next };
    }

    fn choose_compared(&mut self, at: usize) {
        if self.comparing.folders_in_front().is_some() {
            return self.enter_pair(at);
        }
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
        if let Some(work) = self.comparing.detail_work.take() {
            // Dropping it cancels it.
            self.core.works.forget(work);
        }
        let (turn, sender) = (self.comparing.turn, self.core.works.sender());
        let work = self.core.works.run("Comparing an entry", move |cx| {
            let _reading = [&left, &right].map(|file| file.note());
            let detail = detail((&left, &right), &found, at, cx.cancel());
            if !cx.cancelled() {
                let _ = sender.send(Message::Compared(Compared::Entry { turn, at, detail: Arc::new(detail) }));
            }
        });
        self.comparing.detail_work = Some(work);
    }

    /// Goes on from two folders to a pair of their files.
    fn enter_pair(&mut self, at: usize) {
        let Some(mut folders) = self.comparing.folders.clone() else { return };
        let Some(pair) = folders.found.files.get(at) else { return };
        let paths = [pair.left.clone(), pair.right.clone()];
        folders.chosen = Some(at);
        let whole = |side: usize| -> Option<ComparedThing> {
            let root = &folders.targets.get(side)?.thing.path;
            Some(ComparedThing::whole(root.join(path_of(paths.get(side)?.as_ref()?))))
        };
        match whole(0).zip(whole(1)) {
            Some((left, right)) => {
                folders.is_inside = true;
                let targets = [self.core.target(left), self.core.target(right)];
                self.compare(targets, Some(folders));
            }
            None => self.comparing.folders = Some(folders),
        }
    }

    fn back_to_folders(&mut self) {
        let Some(mut folders) = self.comparing.folders.take() else { return };
        folders.is_inside = false;
        let turn = self.begin_comparison();
        let targets = Some(folders.targets.clone());
        self.comparing = Comparing { targets, folders: Some(folders), ..self.comparing.next(turn) };
        self.comparing.list();
    }

    pub(crate) fn compared(&mut self, compared: Compared) {
        match compared {
            Compared::Found { turn, found } if turn == self.comparing.turn => {
                self.comparing.work = None;
                self.take_found(found);
            }
            Compared::Entry { turn, at, detail }
                if turn == self.comparing.turn && self.comparing.chosen == Some(at) =>
            {
                self.comparing.detail = Some((at, detail));
                self.comparing.frame_models(true);
            }
            Compared::Found { .. } | Compared::Entry { .. } => {}
        }
    }

    fn take_found(&mut self, found: Result<Found, String>) {
        let comparing = &mut self.comparing;
        match found {
            Err(why) => comparing.failure = Some(why),
            Ok(Found::Folders(found)) => {
                let Some(targets) = comparing.targets.clone() else { return };
                let (listed, counts) = Default::default();
                let folders = ComparedFolders { targets, found, listed, counts, chosen: None, is_inside: false };
                comparing.folders = Some(folders);
                comparing.list();
            }
            Ok(Found::Files { left, right, found }) => {
                (comparing.left, comparing.right, comparing.found) = (Some(left), Some(right), Some(found));
                comparing.list();
                // The file itself comes first, and says least.
                let first = comparing.listed.iter().find(|at| !is_file(comparing, **at)).or(comparing.listed.first());
                if let Some(first) = first.copied() {
                    self.choose_compared(first);
                }
            }
        }
    }
}

impl Stage {
    pub(crate) fn show_comparison(&mut self, core: &mut Core) {
        self.stop_loading();
        if !matches!(self.content, StageContent::Compare) {
            self.take_stage(core, StageContent::Compare);
        }
        self.bring_up_stage(core);
    }
}

impl Core {
    fn target(&self, thing: ComparedThing) -> Target {
        let id = self.library.at_path(&thing.path);
        let file = id.and_then(|id| self.file(id)).cloned();
        Target { thing, file }
    }

    fn open_target(&self, id: FileId) -> Option<Target> {
        let file = self.file(id)?.clone();
        Some(Target { thing: ComparedThing::whole(file.path.clone()), file: Some(file) })
    }
}

fn is_file(comparing: &Comparing, at: usize) -> bool {
    let pair = comparing.found.as_ref().and_then(|found| found.entries.get(at));
    pair.is_some_and(|pair| pair.left == Some(EntryId::FILE))
}

/// One entry on both sides.
fn detail(
    (left, right): (&crate::library::OpenFile, &crate::library::OpenFile),
    found: &Comparison,
    at: usize,
    cancel: &Cancel,
) -> Detail {
    let Some(pair) = found.entries.get(at) else { return Detail::default() };
    let sides = pair.left.and_then(|id| Side::of(left, id)).zip(pair.right.and_then(|id| Side::of(right, id)));
    let Some((left, right)) = sides.filter(|_| !matches!(pair.state, Differs::Added | Differs::Gone)) else {
        return Detail::default();
    };
    let fields = compare_fields(left, right, Rows::All, MOST_FIELDS, None, cancel);
    Detail::of(fields, compare_assets(left, right, None, cancel))
}
