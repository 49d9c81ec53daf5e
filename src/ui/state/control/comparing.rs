//! Comparing files, folders and entries in the background.

use crate::{
    bytes::Cancel,
    files::path_of,
    formats::EntryId,
    jobs::JobContext,
    library::{
        OpenFile, OpenOptions,
        compare::{
            Comparison, Rows, Side, State as Differs, compare, compare_assets, compare_fields, compare_files,
            compare_pair, holds_files,
        },
    },
    ui::{
        command::{CameraCommand, CompareCommand, ComparedThing},
        kept_reading::{KeptReading, overrides_of},
        place::FileId,
        state::{
            ComparedFolders, Target,
            comparing::{Comparing, Detail},
            core::Core,
            effect::Effect,
            message::{Compared, Found, Message},
            stage::{Stage, StageContent},
        },
    },
};
use std::{path::PathBuf, sync::Arc};

/// Fields of an entry that are shown.
const MAX_FIELDS: usize = 20_000;

/// Number of files or entries after which progress is reported.
const STEP: usize = 32;

impl Comparing {
    pub(crate) fn apply_compare(&mut self, core: &mut Core, stage: &mut Stage, command: CompareCommand) {
        use CompareCommand as C;
        match command {
            C::Selected => {
                let first = || core.library.files.first().map(|opened| opened.id);
                match core.selection.map(|place| place.file).or_else(first) {
                    Some(file) => self.compare_file(core, stage, file),
                    None => self.forget_compared(core, stage),
                }
            }
            C::File(file) => self.compare_file(core, stage, file),
            C::First(thing) => {
                let target = core.target(thing);
                self.compare_first(core, stage, target);
            }
            C::With(file) => self.compare_with(core, stage, core.open_target(file)),
            C::WithThing(thing) => self.compare_with(core, stage, Some(core.target(thing))),
            C::AskFile => core.effects.push(Effect::AskForCompared { folder: false }),
            C::AskFolder => core.effects.push(Effect::AskForCompared { folder: true }),
            C::Forget => self.forget_compared(core, stage),
            C::Swap => self.swap_compared(core),
            C::Again => {
                if let Some(targets) = self.targets.clone() {
                    // As they are now.
                    let targets = targets.map(|target| core.target(target.thing));
                    self.compare(core, targets, self.folders.clone().filter(|folders| folders.is_inside));
                }
            }
            C::Choose(at) => self.choose_compared(core, at),
            C::Back => self.back_to_folders(core),
            C::ChangedOnly(only) => {
                self.with_same = !only;
                self.list();
            }
        }
    }

    /// Returns true if the active stage shows the comparison.
    pub(crate) fn compares(&self, stage: &Stage) -> bool {
        let has_list = self.found.is_some() || self.folders_in_front().is_some();
        matches!(stage.content, StageContent::Compare) && has_list
    }

    /// Returns true if the active stage compares two models.
    pub(crate) fn compares_models(&self, stage: &Stage) -> bool {
        matches!(stage.content, StageContent::Compare) && self.shows_models()
    }

    /// Moves the camera of two models.
    pub(crate) fn turn_compared(&mut self, command: CameraCommand) {
        use CameraCommand as C;
        match command {
            C::Orbit(delta) => self.camera.orbit(delta),
            C::Pan(delta) => self.camera.pan(delta),
            C::Zoom(factor) => self.camera.zoom(factor),
            C::Frame | C::FocusJoint(_) => return self.frame_models(false),
            C::Reset => return self.frame_models(true),
            C::LookFrom(direction) => self.camera.look_from(direction),
            C::ToggleOrtho => self.camera.orthographic = !self.camera.orthographic,
            C::ToggleFly | C::Steer(_) | C::Look(_) | C::ChangeFlySpeed(_) => return,
        }
        self.is_camera_touched = true;
    }

    /// Shows an entry further down or up the list.
    pub(crate) fn step_comparison(&mut self, core: &mut Core, by: i32) {
        let (listed, chosen) = match self.folders_in_front() {
            Some(folders) => (&folders.listed, folders.chosen),
            None => (&self.listed, self.chosen),
        };
        let at = chosen.and_then(|chosen| listed.iter().position(|at| *at == chosen));
        let last = listed.len().saturating_sub(1);
        let next = at.map_or(0, |at| at.saturating_add_signed(by as isize).min(last));
        let Some(next) = listed.get(next).copied() else { return };
        match self.folders.as_mut().filter(|folders| !folders.is_inside) {
            Some(folders) => folders.chosen = Some(next),
            None => self.choose_compared(core, next),
        }
    }

    fn compare_file(&mut self, core: &mut Core, stage: &mut Stage, file: FileId) {
        let Some(left) = core.open_target(file) else { return };
        let others: Vec<FileId> = core.library.files.iter().map(|opened| opened.id).filter(|id| *id != file).collect();
        let right = if let [only] = others.as_slice() { core.open_target(*only) } else { None };
        self.compare_first(core, stage, left);
        if right.is_some() {
            self.compare_with(core, stage, right);
        }
    }

    fn compare_first(&mut self, core: &mut Core, stage: &mut Stage, first: Target) {
        stage.show_comparison(core);
        let turn = self.begin_comparison(core);
        *self = Comparing { first: Some(first), ..self.next(turn) };
    }

    fn compare_with(&mut self, core: &mut Core, stage: &mut Stage, second: Option<Target>) {
        let Some(second) = second else { return };
        match self.first.take() {
            Some(first) => {
                stage.show_comparison(core);
                self.compare(core, [first, second], None);
            }
            None => self.compare_first(core, stage, second),
        }
    }

    fn forget_compared(&mut self, core: &mut Core, stage: &mut Stage) {
        stage.show_comparison(core);
        let turn = self.begin_comparison(core);
        *self = self.next(turn);
    }

    fn swap_compared(&mut self, core: &mut Core) {
        let Some([left, right]) = self.targets.clone() else { return };
        // The way back from a pair would lead to folders of which the other one is on the left.
        match self.folders.clone().filter(|folders| folders.is_inside) {
            Some(folders) => {
                let [a, b] = folders.targets;
                self.compare(core, [b, a], None);
            }
            None => self.compare(core, [right, left], None),
        }
    }

    /// Ends the comparison that is being made; the number of the next one.
    fn begin_comparison(&mut self, core: &mut Core) -> u64 {
        if let Some(work) = self.work.take() {
            // Dropping it cancels it.
            core.works.forget(work);
        }
        core.works.fresh_id()
    }

    /// Compares in the background; `folders` are those that both lie in.
    fn compare(&mut self, core: &mut Core, targets: [Target; 2], folders: Option<ComparedFolders>) {
        let turn = self.begin_comparison(core);
        let [left, right] = [&targets[0], &targets[1]].map(|target| target.thing.name());
        let (sender, of, wanted) = (core.works.sender(), core.settings.folders.clone(), targets.clone());
        let readings = core.settings.readings.clone();
        let work = core.works.run_apart(format!("Comparing {left} and {right}"), move |cx| {
            let found = find(&wanted, &of, &readings, cx);
            if !cx.cancelled() {
                let _ = sender.send(Message::Compared(Compared::Found { turn, found }));
            }
        });
        let next = self.next(turn);
        *self = Comparing { targets: Some(targets), folders, work: Some(work), ..next };
    }

    fn choose_compared(&mut self, core: &mut Core, at: usize) {
        if self.folders_in_front().is_some() {
            return self.enter_pair(core, at);
        }
        let (Some(left), Some(right), Some(found)) = (&self.left, &self.right, &self.found) else {
            return;
        };
        let (left, right, found) = (left.clone(), right.clone(), found.clone());
        if at >= found.entries.len() {
            return;
        }
        self.chosen = Some(at);
        if self.detail.as_ref().is_some_and(|(known, _)| *known == at) {
            return;
        }
        self.detail = None;
        if let Some(work) = self.detail_work.take() {
            // Dropping it cancels it.
            core.works.forget(work);
        }
        let (turn, sender) = (self.turn, core.works.sender());
        let work = core.works.run("Comparing an entry", move |cx| {
            let _reading = [&left, &right].map(|file| file.note());
            let detail = detail((&left, &right), &found, at, cx.cancel());
            if !cx.cancelled() {
                let _ = sender.send(Message::Compared(Compared::Entry { turn, at, detail: Arc::new(detail) }));
            }
        });
        self.detail_work = Some(work);
    }

    /// Goes on from two folders to a pair of their files.
    fn enter_pair(&mut self, core: &mut Core, at: usize) {
        let Some(mut folders) = self.folders.clone() else { return };
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
                let targets = [core.target(left), core.target(right)];
                self.compare(core, targets, Some(folders));
            }
            None => self.folders = Some(folders),
        }
    }

    fn back_to_folders(&mut self, core: &mut Core) {
        let Some(mut folders) = self.folders.take() else { return };
        folders.is_inside = false;
        let turn = self.begin_comparison(core);
        let targets = Some(folders.targets.clone());
        *self = Comparing { targets, folders: Some(folders), ..self.next(turn) };
        self.list();
    }

    pub(crate) fn compared(&mut self, core: &mut Core, compared: Compared) {
        match compared {
            Compared::Found { turn, found } if turn == self.turn => {
                self.work = None;
                self.take_found(core, found);
            }
            Compared::Entry { turn, at, detail } if turn == self.turn && self.chosen == Some(at) => {
                self.detail = Some((at, detail));
                self.frame_models(true);
            }
            Compared::Found { .. } | Compared::Entry { .. } => {}
        }
    }

    fn take_found(&mut self, core: &mut Core, found: Result<Found, String>) {
        match found {
            Err(why) => self.failure = Some(why),
            Ok(Found::Folders(found)) => {
                let Some(targets) = self.targets.clone() else { return };
                let (listed, counts) = Default::default();
                let folders = ComparedFolders { targets, found, listed, counts, chosen: None, is_inside: false };
                self.folders = Some(folders);
                self.list();
            }
            Ok(Found::Files { left, right, found }) => {
                (self.left, self.right, self.found) = (Some(left), Some(right), Some(found));
                self.list();
                // The file itself comes first, and says least.
                let first = self.listed.iter().find(|at| !is_file(self, **at)).or(self.listed.first());
                if let Some(first) = first.copied() {
                    self.choose_compared(core, first);
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
    let fields = compare_fields(left, right, Rows::All, MAX_FIELDS, None, cancel);
    Detail::of(fields, compare_assets(left, right, None, cancel))
}

/// Compares two folders or containers file by file, two files entry by entry, or two entries.
///
/// # Errors
/// In a sentence, when one of them cannot be read, or they cannot be compared.
pub fn find(
    targets: &[Target; 2],
    folders: &[PathBuf],
    readings: &[KeptReading],
    cx: &JobContext,
) -> Result<Found, String> {
    let [left, right] = targets;
    let tell = |what: &'static str| {
        move |done: usize, all: usize| {
            if done.is_multiple_of(STEP) {
                cx.progress(done as u64, all as u64, what);
            }
        }
    };
    if is_folder(left) && is_folder(right) {
        let found = compare_files(&left.thing.path, &right.thing.path, &tell("files"), cx.cancel())?;
        return Ok(Found::Folders(Arc::new(found)));
    }
    if [left, right].iter().any(|target| crate::files::is_dir(&target.thing.path)) {
        return Err("Select two files, or two folders or containers.".to_owned());
    }
    let (of_left, of_right) = (opened(left, folders, readings)?, opened(right, folders, readings)?);
    let found = match (&left.thing.entry, &right.thing.entry) {
        (Some(a), Some(b)) => {
            let pair = (entry(&of_left, a)?, entry(&of_right, b)?);
            compare_pair((&of_left, pair.0), (&of_right, pair.1), cx.cancel())
        }
        _ => compare(&of_left, &of_right, None, &tell("entries"), cx.cancel()),
    };
    Ok(Found::Files { left: of_left, right: of_right, found: Arc::new(found) })
}

/// Returns true if the target is a folder, which is compared file by file.
fn is_folder(target: &Target) -> bool {
    let several = |file: &OpenFile| file.document.container().is_some_and(|container| container.wrapped().is_none());
    target.thing.entry.is_none()
        && target.file.as_ref().map_or_else(|| holds_files(&target.thing.path), |file| several(file))
}

fn opened(target: &Target, folders: &[PathBuf], readings: &[KeptReading]) -> Result<Arc<OpenFile>, String> {
    if let Some(file) = &target.file {
        return Ok(file.clone());
    }
    let path = &target.thing.path;
    let overrides = overrides_of(readings, path);
    let options = OpenOptions::new().folders(folders).reading(overrides);
    let file = options.open(path).map_err(|error| error.to_string())?;
    Ok(Arc::new(file.without_packing(&options)))
}

fn entry(file: &OpenFile, path: &str) -> Result<EntryId, String> {
    let found = file.document.outline().find_path(path);
    found.map(|entry| entry.id).ok_or_else(|| format!("{} has no entry “{path}”", file.name))
}
