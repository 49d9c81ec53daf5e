//! Every file in a container, and in containers in it.

use super::{ContainerDocument, Trouble, Unpacked, codes};
use crate::{
    bytes::{Allowance, Cancel, Limits, MemberLimits, Source, budget, numbers::counted},
    formats::{self, Diagnostics, Document, Hint, NO_OVERRIDES, NoFiles, OpenContext, read_budget::ReadBudget},
};
use std::sync::Arc;

/// A file in a container.
pub struct Walked<'a> {
    /// From the outermost container, with `/`.
    pub path: &'a str,
    /// Its bytes, or why there are none.
    pub unpacked: Result<Unpacked, Trouble>,
    /// True if it is a container, whose files come next.
    pub is_container: bool,
    /// Limits for opening it: its members may take what the walk has left.
    pub limits: Limits,
}

/// Work of a file that is visited, and of a container that is opened, in addition to that of reading its bytes.
const WORK_OF_FILE: u64 = 15_000;
const WORK_OF_CONTAINER: u64 = 100_000;
/// Work of a byte of an unpacked file: each visitor reads it.
const WORK_OF_BYTE: u64 = 2;

/// Unpacks every file in a container, in its order, and then the files in those that are containers themselves, as far as the limits
/// of the outermost container allow: its size bounds the work ([`budget`]), the bytes that are held, the entries and the bytes of paths
/// of the whole walk. `visit` returns whether to go on. What is left out for a limit is visited with the reason.
pub fn walk(
    container: &ContainerDocument,
    limits: &Limits,
    cancel: &Cancel,
    visit: &mut dyn FnMut(Walked<'_>) -> bool,
) {
    let size = container.size();
    let members = &limits.members;
    let mut walk = Walk {
        limits,
        cancel,
        visit,
        paths: ReadBudget::new(members.paths.of(size)),
        held: members.held.of(size),
        entries: members.entries_of(size),
        goes_on: true,
    };
    budget::within(members.budget(size), || walk.container(container, members, "", 1));
}

struct Walk<'a, 'b> {
    limits: &'a Limits,
    cancel: &'a Cancel,
    visit: &'b mut dyn FnMut(Walked<'_>) -> bool,
    /// Bytes of paths that may still be given.
    paths: ReadBudget,
    /// Bytes that may be held of what is unpacked.
    held: u64,
    /// Number of members and folders that containers may still have.
    entries: u64,
    goes_on: bool,
}

impl Walk<'_, '_> {
    fn container(&mut self, container: &ContainerDocument, limits: &MemberLimits, above: &str, depth: u32) {
        let mut path = String::new();
        let entries = container.base().outline.entries();
        self.entries = self.entries.saturating_sub(entries.len() as u64);
        for entry in entries {
            if !self.goes_on {
                return;
            }
            if !container.is_file(entry.id) {
                continue;
            }
            path.clear();
            path.push_str(above);
            entry.place.write(&entry.name, &mut path);
            if !self.paths.take(path.len() as u64) {
                let message =
                    "the paths take too much memory for a file of this size. The remaining files are not listed";
                return self.stop(above.trim_end_matches('/'), Trouble::new(&codes::TOO_MANY, 0, message));
            }
            if !budget::charge_work(WORK_OF_FILE) {
                return self.stop(&path, Trouble::too_much_work());
            }
            let limits = MemberLimits { bytes: limits.bytes.min(self.held), ..*limits };
            let unpacked = match container.unpack(entry.id, &limits, self.cancel) {
                Ok(unpacked) => unpacked,
                Err(trouble) => {
                    self.visit(&path, Err(trouble), false);
                    self.goes_on &= budget::work_left() > 0;
                    continue;
                }
            };
            let source = unpacked.source.clone();
            let size = source.len() as u64;
            if !budget::charge_work(size.saturating_mul(WORK_OF_BYTE)) {
                return self.stop(&path, Trouble::too_much_work());
            }
            let packed = if container.is_packed(entry.id) { size } else { 0 };
            let held = self.held;
            self.held = held.saturating_sub(packed).saturating_sub(container.held());
            let holds_files = holds_files(&source, &entry.name);
            self.visit(&path, Ok(unpacked), holds_files);
            if holds_files && self.goes_on {
                if !budget::charge_work(WORK_OF_CONTAINER) {
                    return self.stop(&path, Trouble::too_much_work());
                }
                self.inner(source, &entry.name, &path, depth.saturating_add(1));
            }
            self.held = held;
        }
    }

    /// Returns the limits for opening a file of the walk.
    fn left(&self) -> Limits {
        let left = |base: u64| Allowance { base, per_byte: 0 };
        let members = MemberLimits {
            held: left(self.held),
            paths: left(self.paths.left()),
            count: self.entries,
            few: self.entries,
            ..self.limits.members
        };
        Limits { members, ..*self.limits }
    }

    /// Visits the files of a container that is in `depth` others.
    fn inner(&mut self, source: Source, name: &str, path: &str, depth: u32) {
        if depth > self.limits.members.depth {
            let others = counted(self.limits.members.depth, "other container");
            let message = format!("the container is nested in {others} and was not opened");
            return self.visit(path, Err(Trouble::new(&codes::TOO_DEEP, 0, message)), false);
        }
        let limits = self.left();
        let mut diagnostics = Diagnostics::new(1);
        let mut cx = OpenContext {
            file: name,
            resolver: Arc::new(NoFiles),
            diagnostics: &mut diagnostics,
            limits,
            overrides: &NO_OVERRIDES,
        };
        let opened = formats::open(source, &mut cx);
        if budget::is_spent() {
            return self.stop(path, Trouble::too_much_work());
        }
        let limit = match &opened {
            Ok(_) => {
                diagnostics.as_slice().iter().find_map(|found| Some((codes::limit_code(found.code)?, &found.message)))
            }
            Err(error) => error.code.and_then(codes::limit_code).map(|code| (code, &error.message)),
        };
        if let Some((code, message)) = limit {
            self.visit(path, Err(Trouble::new(code, 0, message.clone())), false);
        }
        // A file that does not open was visited as the file that it is.
        if let Ok(document) = opened
            && let Some(container) = document.container()
        {
            self.container(container, &limits.members, &format!("{path}/"), depth);
        }
    }

    /// Ends the walk for a reason that holds for all further files: it is given once.
    fn stop(&mut self, path: &str, why: Trouble) {
        self.visit(path, Err(why), false);
        self.goes_on = false;
    }

    fn visit(&mut self, path: &str, unpacked: Result<Unpacked, Trouble>, is_container: bool) {
        let limits = self.left();
        self.goes_on &= (self.visit)(Walked { path, unpacked, is_container, limits });
    }
}

/// Whether a file is a container, by its bytes.
pub fn holds_files(source: &Source, name: &str) -> bool {
    formats::probe_whole(source, &Hint { file_name: name }).is_some_and(|format| format.holds_files())
}
