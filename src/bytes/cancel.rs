use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels long work from another thread. The work asks [`Cancel::is_cancelled`] once in a while and ends early.
#[derive(Debug)]
pub struct Cancel(Option<AtomicBool>);

impl Cancel {
    /// Creates a value that is not cancelled yet.
    pub fn new() -> Self {
        Self(Some(AtomicBool::new(false)))
    }

    /// A value for work that is never cancelled.
    pub fn never() -> &'static Self {
        static NEVER: Cancel = Cancel(None);
        &NEVER
    }

    /// A value that is cancelled from the beginning.
    pub fn cancelled() -> Self {
        Self(Some(AtomicBool::new(true)))
    }

    /// Asks the work to end. Has no effect on [`Cancel::never`].
    pub fn cancel(&self) {
        if let Some(flag) = &self.0 {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Returns `true` if the work has to end. [`Cancel::never`] always returns `false`.
    pub fn is_cancelled(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

impl Default for Cancel {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::Cancel;

    #[test]
    fn work_is_cancelled_unless_it_never_is() {
        let cancel = Cancel::new();
        assert!(!cancel.is_cancelled());
        cancel.cancel();
        assert!(cancel.is_cancelled() && Cancel::cancelled().is_cancelled());
        Cancel::never().cancel();
        assert!(!Cancel::never().is_cancelled());
    }
}
