//! Every file in a container, and in containers in it.

use super::{ContainerDocument, Trouble, Unpacked, codes};
use crate::{
    bytes::{Limits, MemberLimits, Source, budget},
    formats::{self, Diagnostics, Document, Hint, NO_OVERRIDES, NoFiles, OpenContext, read_budget::ReadBudget},
};
use std::sync::{Arc, atomic::AtomicBool};

/// A file that a walk came to.
pub struct Walked<'a> {
    /// From the outermost container, with `/`.
    pub path: &'a str,
    /// Its bytes, or why there are none.
    pub unpacked: Result<Unpacked, Trouble>,
    /// It is a container, whose files come next.
    pub is_container: bool,
}

/// Work of a file that is come to, and of a container that is opened, besides that of reading its bytes.
const WORK_OF_FILE: u64 = 15_000;
const WORK_OF_CONTAINER: u64 = 100_000;
/// Work of a byte of a file: who visits it reads it.
const WORK_OF_BYTE: u64 = 2;

/// Unpacks every file in a container, in its order, and then what lies in those that are containers themselves, as far as the limits
/// allow. What all of it may cost is bounded by the outermost container's size: the work ([`budget`]), the bytes that are held, the bytes
/// of paths. `visit` says whether to go on.
pub fn walk(
    container: &ContainerDocument,
    limits: &Limits,
    cancel: &AtomicBool,
    visit: &mut dyn FnMut(Walked<'_>) -> bool,
) {
    let size = container.source().len() as u64;
    let paths = ReadBudget::new(limits.members.paths.of(size));
    let mut walk = Walk { limits, cancel, visit, paths, held: limits.members.held.of(size), goes_on: true };
    budget::within(limits.members.budget(size), || walk.container(container, "", 1));
}

struct Walk<'a, 'b> {
    limits: &'a Limits,
    cancel: &'a AtomicBool,
    visit: &'b mut dyn FnMut(Walked<'_>) -> bool,
    /// Bytes of paths that may still be given.
    paths: ReadBudget,
    /// Bytes that may be held of what is unpacked.
    held: u64,
    goes_on: bool,
}

impl Walk<'_, '_> {
    fn container(&mut self, container: &ContainerDocument, above: &str, depth: u32) {
        let mut path = String::new();
        for entry in container.outline().entries() {
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
                    "the paths of its files have more bytes together than those of a file of this size may have";
                let trouble = Trouble::new(&codes::TOO_MANY, 0, format!("{message}: what follows is not listed"));
                self.visit(above.trim_end_matches('/'), Err(trouble), false);
                self.goes_on = false;
                return;
            }
            let work = WORK_OF_FILE.saturating_add(entry.size.saturating_mul(WORK_OF_BYTE));
            if !budget::charge_work(work) {
                // What follows takes as much: it is named once.
                let trouble = Trouble::too_much_work();
                self.visit(&path, Err(trouble), false);
                self.goes_on = false;
                return;
            }
            let limits = MemberLimits { bytes: self.limits.members.bytes.min(self.held), ..self.limits.members };
            let unpacked = match container.unpack(entry.id, &limits, self.cancel) {
                Ok(unpacked) => unpacked,
                Err(trouble) => {
                    self.visit(&path, Err(trouble), false);
                    self.goes_on &= budget::work_left() > 0;
                    continue;
                }
            };
            let held = if container.is_packed(entry.id) { unpacked.source.len() as u64 } else { 0 };
            let source = unpacked.source.clone();
            let holds_files = holds_files(&source, &entry.name);
            self.visit(&path, Ok(unpacked), holds_files);
            if holds_files && self.goes_on && budget::charge_work(WORK_OF_CONTAINER) {
                self.held = self.held.saturating_sub(held);
                self.inner(source, &entry.name, &path, depth.saturating_add(1));
                self.held = self.held.saturating_add(held);
            }
        }
    }

    /// What lies in a container that lies in `depth` others.
    fn inner(&mut self, source: Source, name: &str, path: &str, depth: u32) {
        if depth > self.limits.members.depth {
            let most = self.limits.members.depth;
            let message = format!("it lies in {most} containers, and is not opened");
            return self.visit(path, Err(Trouble::new(&codes::TOO_DEEP, 0, message)), false);
        }
        let mut diagnostics = Diagnostics::new(0);
        let mut cx = OpenContext {
            file: name,
            resolver: Arc::new(NoFiles),
            diagnostics: &mut diagnostics,
            limits: *self.limits,
            overrides: &NO_OVERRIDES,
        };
        // What does not open was told of as the file that it is.
        if let Ok(document) = formats::open(source, &mut cx)
            && let Some(container) = document.container()
        {
            self.container(container, &format!("{path}/"), depth);
        }
    }

    fn visit(&mut self, path: &str, unpacked: Result<Unpacked, Trouble>, is_container: bool) {
        self.goes_on &= (self.visit)(Walked { path, unpacked, is_container });
    }
}

/// Whether a file is a container, by its bytes.
pub fn holds_files(source: &Source, name: &str) -> bool {
    formats::probe_whole(source, &Hint { file_name: name }).is_some_and(|format| format.holds_files())
}
