//! How much work one act of reading may cost: to open a file, to read the fields of an entry, to decode it.
//!
//! Whoever begins an act enters a [`Budget`] with [`within`]. Every [`Reader`](super::Reader) of its thread charges it from then on, so
//! that a format is bounded without doing anything for it: once the budget is spent, all reads fail, and the act ends as it would at the
//! end of the file. The limits of single structures, which know more and say more, come before that.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering},
};

/// What an act may still use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Sixteen bytes that are read, whether for the first time or again, places that are sought, and what else takes as long.
    pub steps: u64,
    /// Bytes of what is built from the file.
    pub bytes: u64,
    /// How deep structures, and acts that begin others, may nest.
    pub depth: u32,
    /// Time, in units of about a nanosecond: steps of decoders, bytes that are hashed, files that are opened. Acts in an act share it.
    pub work: u64,
}

/// Which part of a budget did not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exceeded {
    /// Steps: [`Budget::steps`].
    Steps,
    /// Memory: [`Budget::bytes`].
    Bytes,
    /// Nesting: [`Budget::depth`].
    Depth,
    /// Time: [`Budget::work`].
    Work,
}

impl Exceeded {
    /// One sentence, which ends without a period.
    pub fn message(self) -> &'static str {
        match self {
            Self::Steps => "reading was stopped: it takes too many steps for a file of this size",
            Self::Bytes => "reading was stopped: it takes too much memory for a file of this size",
            Self::Depth => "reading was stopped: the data is nested too deeply",
            Self::Work => "reading was stopped: it takes too much time for a file of this size",
        }
    }
}

/// What holds while no act has begun: only the depth is bounded, at one more than an act has.
const OUTSIDE: Budget = Budget { steps: u64::MAX, bytes: u64::MAX, depth: 65, work: u64::MAX };
/// The work of one step.
const WORK_OF_STEP: u64 = 5;

struct Act {
    steps: Cell<u64>,
    bytes: Cell<u64>,
    depth: Cell<u32>,
    work: Cell<u64>,
    /// Work that was added since the act began.
    grown: Cell<u64>,
    exceeded: Cell<Option<Exceeded>>,
}

thread_local! {
    static ACT: Act = const {
        Act {
            steps: Cell::new(OUTSIDE.steps),
            bytes: Cell::new(OUTSIDE.bytes),
            depth: Cell::new(OUTSIDE.depth),
            work: Cell::new(OUTSIDE.work),
            grown: Cell::new(0),
            exceeded: Cell::new(None),
        }
    };
}

impl Act {
    fn left(&self) -> Budget {
        Budget { steps: self.steps.get(), bytes: self.bytes.get(), depth: self.depth.get(), work: self.work.get() }
    }

    fn set(&self, left: Budget, grown: u64, exceeded: Option<Exceeded>) {
        self.steps.set(left.steps);
        self.bytes.set(left.bytes);
        self.depth.set(left.depth);
        self.work.set(left.work);
        self.grown.set(grown);
        self.exceeded.set(exceeded);
    }

    /// The work that was used by an act that was given so much.
    fn used(&self, given: u64) -> u64 {
        given.saturating_add(self.grown.get()).saturating_sub(self.work.get())
    }
}

/// Puts back what held before, less the work that was used, also when the act panics.
struct Outer {
    left: Budget,
    grown: u64,
    exceeded: Option<Exceeded>,
    /// The work that the act was given.
    given: u64,
}

impl Drop for Outer {
    fn drop(&mut self) {
        ACT.with(|now| {
            let work = self.left.work.saturating_sub(now.used(self.given));
            now.set(Budget { work, ..self.left }, self.grown, self.exceeded);
        });
    }
}

/// Runs an act on this thread with a budget of its own. An act in an act has a level less to nest in; its steps and bytes are its own,
/// since it reads another file. It has no more work than the outer one has left.
///
/// Returns what the act returned, and what of the budget did not suffice.
pub fn within<T>(budget: Budget, act: impl FnOnce() -> T) -> (T, Option<Exceeded>) {
    let outer = ACT.with(|now| {
        let left = now.left();
        let work = budget.work.min(left.work);
        let outer = Outer { left, grown: now.grown.get(), exceeded: now.exceeded.get(), given: work };
        let depth = left.depth.checked_sub(1);
        let left = Budget { depth: budget.depth.min(depth.unwrap_or(0)), work, ..budget };
        now.set(left, 0, depth.is_none().then_some(Exceeded::Depth));
        outer
    });
    let result = act();
    let exceeded = ACT.with(|now| now.exceeded.get());
    drop(outer);
    (result, exceeded)
}

/// Runs an act with what is left of work that several acts share, on any threads.
pub fn sharing<T>(left: &AtomicU64, act: impl FnOnce() -> T) -> T {
    let work = left.load(Ordering::Relaxed);
    let shared = Budget { steps: u64::MAX, bytes: u64::MAX, depth: u32::MAX, work };
    let ((result, used), _) = within(shared, || {
        let given = ACT.with(|now| now.work.get());
        let result = act();
        (result, ACT.with(|now| now.used(given)))
    });
    let _ = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(used)));
    result
}

/// Whether the budget of the act is spent.
pub fn is_spent() -> bool {
    ACT.with(|now| now.exceeded.get().is_some())
}

/// Charges the act that this thread is in with steps; `false` once its budget is spent.
pub fn charge_steps(steps: u64) -> bool {
    ACT.with(|now| {
        charge(now, &now.steps, steps, Exceeded::Steps);
        charge(now, &now.work, steps.saturating_mul(WORK_OF_STEP), Exceeded::Work)
    })
}

/// Charges the act that this thread is in, and all that it is in, with work; `false` once the budget is spent.
pub fn charge_work(work: u64) -> bool {
    ACT.with(|now| charge(now, &now.work, work, Exceeded::Work))
}

/// The work that may still be done; 0 once the budget is spent.
pub fn work_left() -> u64 {
    ACT.with(|now| if now.exceeded.get().is_some() { 0 } else { now.work.get() })
}

/// Charges the act that this thread is in with bytes that are built; `false` once its budget is spent.
pub fn charge_bytes(bytes: u64) -> bool {
    ACT.with(|now| charge(now, &now.bytes, bytes, Exceeded::Bytes))
}

fn charge(now: &Act, left: &Cell<u64>, amount: u64, what: Exceeded) -> bool {
    match left.get().checked_sub(amount) {
        Some(less) => left.set(less),
        None => {
            left.set(0);
            now.exceeded.set(now.exceeded.get().or(Some(what)));
        }
    }
    now.exceeded.get().is_none()
}

/// Adds to the budget of the act: what a container decompresses to is read as a file of that size is.
pub fn grow(by: Budget) {
    ACT.with(|now| {
        now.steps.set(now.steps.get().saturating_add(by.steps));
        now.bytes.set(now.bytes.get().saturating_add(by.bytes));
        now.work.set(now.work.get().saturating_add(by.work));
        now.grown.set(now.grown.get().saturating_add(by.work));
    });
}

/// One level of structures in structures, until it is dropped.
#[derive(Debug)]
pub struct Nested(());

impl Nested {
    /// `None` where structures nest too deeply already. A level that is left out spoils nothing else.
    pub fn enter() -> Option<Self> {
        ACT.with(|now| now.depth.get().checked_sub(1).map(|depth| now.depth.set(depth)))?;
        Some(Self(()))
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        ACT.with(|now| now.depth.set(now.depth.get().saturating_add(1)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Reader;

    const FEW: Budget = Budget { steps: 20_000, bytes: 1_000, depth: 3, work: 1_000_000 };

    #[test]
    fn a_reader_stops_when_the_steps_are_spent() {
        let bytes = [0; 64];
        let mut reads = 0;
        let ((), exceeded) = within(FEW, || {
            // As a loop would whose count no one checked.
            let mut reader = Reader::little(&bytes);
            while reader.seek(0).is_ok() && reader.u32().is_ok() {
                reads += 1;
            }
        });
        assert_eq!(exceeded, Some(Exceeded::Steps));
        assert!((15_000..=25_000).contains(&reads), "{reads}");
        assert!(!is_spent() && Reader::little(&bytes).u32().is_ok(), "it holds for the act alone");
    }

    #[test]
    fn many_short_readers_and_large_pieces_are_charged_too() {
        let bytes = [0; 6_400];
        let count = |read: &dyn Fn() -> bool| {
            let mut times = 0;
            let ((), exceeded) = within(FEW, || {
                while read() {
                    times += 1;
                }
            });
            assert_eq!(exceeded, Some(Exceeded::Steps));
            times
        };
        let short = count(&|| Reader::little(&bytes).u8().is_ok());
        assert_eq!(short, 20_001, "a step for each reader");
        let large = count(&|| Reader::little(&bytes).bytes(6_400).is_ok());
        assert_eq!(large, 50);
    }

    #[test]
    fn counts_are_charged_as_bytes() {
        let bytes = [0; 400];
        let (counts, exceeded) =
            within(FEW, || [100, 100, 100].map(|n| Reader::little(&bytes).check_count(n, 4).is_ok()));
        assert_eq!((counts, exceeded), ([true, true, false], Some(Exceeded::Bytes)));
        let (counts, exceeded) = within(FEW, || [100, 100, 100].map(|n| Reader::little(&bytes).whole_records(n, 4)));
        assert_eq!((counts, exceeded), ([100, 100, 0], Some(Exceeded::Bytes)));
        let (fits, exceeded) = within(FEW, || {
            grow(Budget { bytes: 200, ..FEW });
            [100, 100, 100].map(|n| Reader::little(&bytes).check_count(n, 4).is_ok())
        });
        assert_eq!((fits, exceeded), ([true; 3], None));
    }

    #[test]
    fn acts_in_acts_have_their_own_steps_and_share_the_depth() {
        let ((inner, after), outer) = within(FEW, || {
            let inner = within(FEW, || charge_steps(30_000));
            (inner, charge_steps(19_000))
        });
        assert_eq!((inner, after, outer), ((false, Some(Exceeded::Steps)), true, None));
        fn nest(levels: &mut u32) -> bool {
            *levels += 1;
            *levels < 100 && within(FEW, || is_spent() || nest(levels)).0
        }
        let mut levels = 0;
        assert!(nest(&mut levels));
        assert_eq!(levels, FEW.depth + 2, "outside, and once for each level and none");
    }

    #[test]
    fn acts_in_acts_share_their_work() {
        let works = |work| Budget { work, ..FEW };
        let ((inner, left, after), outer) = within(works(1_000), || {
            let inner = within(works(300), || charge_work(200));
            let spent = within(works(300), || (charge_work(301), charge_work(1), work_left()));
            assert_eq!(spent, ((false, false, 0), Some(Exceeded::Work)));
            (inner, work_left(), (charge_work(500), charge_work(1)))
        });
        assert_eq!((inner, left, after, outer), ((true, None), 500, (true, false), Some(Exceeded::Work)));
        // An inner act that is given more has no more than the outer one.
        let ((), exceeded) = within(works(100), || assert!(!within(works(10_000), || charge_work(101)).0));
        assert_eq!(exceeded, None);
        let panicked = std::panic::catch_unwind(|| within(works(100), || assert!(charge_work(200), "spent")));
        assert!(panicked.is_err() && charge_work(1 << 40));
        // What is added to an inner act is its own: the outer one pays for what is used.
        let (left, _) = within(works(1_000), || {
            within(works(300), || {
                grow(Budget { steps: 0, bytes: 0, depth: 0, work: 500 });
                assert!(charge_work(600));
            });
            work_left()
        });
        assert_eq!(left, 400);
        let pool = AtomicU64::new(1_000);
        let both = [sharing(&pool, || charge_work(600)), sharing(&pool, || charge_work(600))];
        assert_eq!((both, pool.into_inner()), ([true, false], 0));
        // Steps are work too.
        assert_eq!(within(works(100), || charge_steps(21)).1, Some(Exceeded::Work));
    }

    #[test]
    fn levels_are_given_back() {
        let ((), exceeded) = within(FEW, || {
            for _ in 0..10 {
                let levels: Vec<_> = std::iter::from_fn(Nested::enter).collect();
                assert_eq!(levels.len(), FEW.depth as usize);
            }
        });
        assert_eq!(exceeded, None);
        assert!((0..65).map(|_| Nested::enter()).collect::<Vec<_>>().iter().all(Option::is_some));
    }

    #[test]
    fn an_act_that_panics_leaves_no_budget_behind() {
        let panicked = std::panic::catch_unwind(|| within(FEW, || assert!(charge_steps(30_000), "spent")));
        assert!(panicked.is_err() && !is_spent() && charge_steps(1 << 40));
    }
}
