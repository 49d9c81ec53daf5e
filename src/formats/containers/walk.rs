//! Every file in a container, and in containers in it.

use super::{ContainerDocument, Trouble, Unpacked, codes};
use crate::{
    bytes::{Limits, MemberLimits, Source},
    formats::{self, Diagnostics, Document, Hint, NO_OVERRIDES, NoFiles, OpenContext},
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

/// Unpacks every file in a container, in its order, and then what lies in those that are containers themselves, as far as the limits
/// allow. `visit` says whether to go on.
pub fn walk(
    container: &ContainerDocument,
    limits: &Limits,
    cancel: &AtomicBool,
    visit: &mut dyn FnMut(Walked<'_>) -> bool,
) {
    let total = limits.members.total_of(container.source().len() as u64);
    let mut walk = Walk { limits, cancel, visit, left: total, total, goes_on: true };
    walk.container(container, "", 1);
}

struct Walk<'a, 'b> {
    limits: &'a Limits,
    cancel: &'a AtomicBool,
    visit: &'b mut dyn FnMut(Walked<'_>) -> bool,
    /// Bytes that may still be unpacked.
    left: u64,
    total: u64,
    goes_on: bool,
}

impl Walk<'_, '_> {
    fn container(&mut self, container: &ContainerDocument, above: &str, depth: u32) {
        for entry in container.outline().entries() {
            if !self.goes_on {
                return;
            }
            if !container.is_file(entry.id) {
                continue;
            }
            let path = format!("{above}{}", entry.path());
            let limits = MemberLimits { bytes: self.limits.members.bytes.min(self.left), ..self.limits.members };
            let unpacked = match self.left {
                0 => {
                    let message = format!("{} bytes were unpacked: what follows is not", self.total);
                    Err(Trouble::new(&codes::TOTAL, 0, message))
                }
                _ => container.unpack(entry.id, &limits, self.cancel),
            };
            let unpacked = match unpacked {
                Ok(unpacked) => unpacked,
                Err(trouble) => {
                    let trouble = trouble.within(&self.limits.members, &mut self.left, self.total);
                    self.visit(&path, Err(trouble), false);
                    continue;
                }
            };
            if container.is_packed(entry.id) {
                self.left = self.left.saturating_sub(unpacked.source.len() as u64);
            }
            let source = unpacked.source.clone();
            let holds_files = holds_files(&source, &entry.name);
            self.visit(&path, Ok(unpacked), holds_files);
            if holds_files && self.goes_on {
                self.inside(source, &entry.name, &path, depth);
            }
        }
    }

    fn inside(&mut self, source: Source, name: &str, path: &str, depth: u32) {
        let depth = depth.saturating_add(1);
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
