//! A document whose reading is bounded: each act is given a [`Budget`](crate::bytes::Budget) by the file's size.

use super::{
    Base, Capabilities, Choice, Diagnostics, Document, EntryId, Field, FieldTree, Format, LoadContext, Member,
    OpenContext, OpenError, Purpose, ReadError, Value, common_codes::TOO_MUCH_WORK, document::Asset,
};
use crate::bytes::{
    Limits, Source,
    budget::{Exceeded, within},
};

/// Opens a file by its format, within a budget.
pub fn open(format: &'static dyn Format, source: Source, cx: &mut OpenContext<'_>) -> Result<Bounded, OpenError> {
    let limits = cx.limits;
    let whole = source.clone();
    let (opened, exceeded) = within(limits.budget(source.len() as u64), || format.open(source, cx));
    if let Some(why) = whole.failure() {
        return Err(OpenError::new(cx.file, Source::read_failed(why)));
    }
    match (opened, exceeded) {
        (Err(_), Some(exceeded)) => Err(OpenError::new(cx.file, exceeded.message())),
        (Err(error), None) => Err(error),
        (Ok(inner), exceeded) => {
            report(cx.diagnostics, None, exceeded);
            Ok(Bounded { inner, limits, choices: Vec::new() })
        }
    }
}

fn report(diagnostics: &mut Diagnostics, entry: Option<EntryId>, exceeded: Option<Exceeded>) {
    if let Some(exceeded) = exceeded {
        diagnostics.report(&TOO_MUCH_WORK, entry, None, exceeded.message().to_owned());
    }
}

/// A document that is read within a budget.
pub struct Bounded {
    inner: Box<dyn Document>,
    limits: Limits,
    /// Those of the document with one that is not its own; empty where there is none such.
    choices: Vec<Choice>,
}

impl Bounded {
    /// The same with a choice that is about the file as a whole.
    pub fn with_choice(mut self, choice: Choice) -> Self {
        self.choices = self.inner.reading().iter().cloned().chain([choice]).collect();
        self
    }

    /// Runs an act on an entry.
    fn act<T>(&self, entry: EntryId, act: impl FnOnce() -> T) -> (T, Option<Exceeded>) {
        // A disc that a container holds may have any size: what is stored of it counts.
        let size = match self.inner.container() {
            Some(container) => container.size(),
            None => self.inner.source_of(entry).len().max(self.inner.source().len()) as u64,
        };
        within(self.limits.budget(size), act)
    }

    /// The error that says why an act failed.
    fn error(&self, entry: EntryId, exceeded: Option<Exceeded>, error: ReadError) -> ReadError {
        match (exceeded, self.inner.outline().get(entry)) {
            (Some(exceeded), Some(entry)) => ReadError::new(entry, exceeded.message()),
            _ => error,
        }
    }

    /// Why nothing that an act returns is to be trusted: bytes of the file could not be read.
    fn read_failure(&self, entry: EntryId) -> Option<ReadError> {
        let why = self.inner.source_of(entry).failure()?;
        let entry = self.inner.outline().get(entry)?;
        Some(ReadError::new(entry, Source::read_failed(why)))
    }
}

impl Document for Bounded {
    fn base(&self) -> Base<'_> {
        self.inner.base()
    }

    fn source_of(&self, entry: EntryId) -> &Source {
        self.inner.source_of(entry)
    }

    fn fields_for(&self, entry: EntryId, purpose: Purpose) -> Result<FieldTree, ReadError> {
        let (fields, exceeded) = self.act(entry, || self.inner.fields_for(entry, purpose));
        if let Some(error) = self.read_failure(entry) {
            return Err(error);
        }
        let mut tree = fields.map_err(|error| self.error(entry, exceeded, error))?;
        if let Some(exceeded) = exceeded {
            let text = Value::Text(exceeded.message().to_owned());
            tree.fields.push(Field::new("…", "reading stopped", text, 0, 0).mirrored());
        }
        Ok(tree)
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let (loaded, exceeded) = self.act(entry, || self.inner.load(entry, cx));
        if let Some(error) = self.read_failure(entry) {
            return Err(error);
        }
        report(cx.diagnostics, Some(entry), exceeded);
        loaded.map_err(|error| self.error(entry, exceeded, error))
    }

    fn check(&self, entry: EntryId, diagnostics: &mut Diagnostics) {
        let ((), exceeded) = self.act(entry, || self.inner.check(entry, diagnostics));
        report(diagnostics, Some(entry), exceeded);
    }

    fn member(&self, entry: EntryId) -> Option<Member<'_>> {
        self.inner.member(entry)
    }

    fn reading(&self) -> &[Choice] {
        if self.choices.is_empty() { self.inner.reading() } else { &self.choices }
    }

    fn capabilities(&self) -> Capabilities<'_> {
        self.inner.capabilities()
    }

    fn within_budget(&self, entry: EntryId, act: &mut dyn FnMut()) -> Option<ReadError> {
        let ((), exceeded) = self.act(entry, act);
        let too_much = || Some(ReadError::new(self.inner.outline().get(entry)?, exceeded?.message()));
        self.read_failure(entry).or_else(too_much)
    }
}

#[cfg(test)]
#[path = "bounded_tests.rs"]
mod tests;
