//! Tables of diagnostic codes: for each code of a family a file that raises it.

use super::{
    exercise::promises::{check_entry, check_findings},
    open::{Loading, Opened, Opening},
};
use bonebox::{
    bytes::Limits,
    formats::{Code, Content, FORMATS, NoFiles, Overrides, Resolver},
};
use std::{collections::BTreeSet, path::Path, sync::Arc};

/// A code, and a file that raises it when all of it is opened, checked and decoded.
pub struct Trigger {
    pub code: &'static str,
    name: String,
    bytes: Vec<u8>,
    limits: Limits,
    beside: Arc<dyn Resolver>,
    overrides: Overrides,
}

impl Trigger {
    pub fn new(code: &'static str, name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            code,
            name: name.to_owned(),
            bytes: bytes.into(),
            limits: Limits::default(),
            beside: Arc::new(NoFiles),
            overrides: Overrides::new(),
        }
    }

    /// It is raised with these limits.
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// It is raised with these files beside it.
    pub fn beside(self, beside: impl Resolver + 'static) -> Self {
        Self { beside: Arc::new(beside), ..self }
    }

    /// It is raised when this choice is made.
    pub fn reading(mut self, id: &str, value: &str) -> Self {
        self.overrides.insert(id.to_owned(), value.to_owned());
        self
    }

    /// The file with all that was found in it.
    #[track_caller]
    fn opened(&self) -> Opened {
        let Self { name, limits, beside, overrides, .. } = self;
        let opening = Opening { name, limits: *limits, resolver: beside.clone(), overrides };
        let mut opened = opening.open(self.bytes.clone()).unwrap_or_else(|e| panic!("{}: {e}", self.code)).checked();
        let entries = opened.document.outline().entries().to_vec();
        for entry in entries.iter().filter(|entry| entry.content != Content::None) {
            let loading = Loading { name, limits: *limits, resolver: &**beside, ..Loading::default() };
            opened.diagnostics.extend(loading.load(opened.document.as_ref(), entry.id).1);
        }
        opened
    }

    /// The code is found, and all that is found is as promised: listed by the format, of the severity of its code, about an entry
    /// that is there and a place in its bytes, in one line.
    #[track_caller]
    fn assert_raised(&self) {
        let opened = self.opened();
        let document = opened.document.as_ref();
        assert!(opened.codes().contains(&self.code), "{} is not among {:?}", self.code, opened.diagnostics);
        check_findings(document, &opened.diagnostics);
        for (index, entry) in document.outline().entries().iter().enumerate() {
            check_entry(document, index, entry);
        }
        let codes = all_codes();
        for found in &opened.diagnostics {
            let code = codes.iter().find(|code| code.id == found.code).unwrap();
            assert_eq!(found.severity, code.severity, "{found:?}");
            assert!(!found.message.contains(char::is_control), "{found:?}");
        }
    }
}

/// The codes of all formats.
fn all_codes() -> Vec<&'static Code> {
    FORMATS.iter().flat_map(|format| format.info().codes).copied().collect()
}

/// Every row raises its code, and the rows' codes are those of all formats that begin so.
#[track_caller]
pub fn assert_table(prefix: &str, triggers: &[Trigger]) {
    let listed: BTreeSet<&str> = all_codes().iter().map(|code| code.id).filter(|id| id.starts_with(prefix)).collect();
    assert_eq!(listed, triggers.iter().map(|trigger| trigger.code).collect());
    triggers.iter().for_each(Trigger::assert_raised);
}

/// The bytes of one of the project's files: `j3d/arm.bpk`.
#[track_caller]
pub fn file(path: &str) -> Vec<u8> {
    std::fs::read(super::data().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The name of a file.
pub fn name_of(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap()
}

/// One of the project's files as it is.
#[track_caller]
pub fn whole(code: &'static str, path: &str) -> Trigger {
    Trigger::new(code, name_of(path), file(path))
}

/// The first `length` bytes of one of the project's files.
#[track_caller]
pub fn cut(code: &'static str, path: &str, length: usize) -> Trigger {
    Trigger::new(code, name_of(path), &file(path)[..length])
}

/// One of the project's files with other bytes at a place.
#[track_caller]
pub fn put(code: &'static str, path: &str, at: usize, bytes: &[u8]) -> Trigger {
    Trigger::new(code, name_of(path), with(file(path), at, bytes))
}

/// Bytes with others at a place.
#[track_caller]
pub fn with(mut bytes: Vec<u8>, at: usize, put: &[u8]) -> Vec<u8> {
    bytes[at..at + put.len()].copy_from_slice(put);
    bytes
}
