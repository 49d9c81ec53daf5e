//! Bytes and how they are read: a shared [`Source`], a bounds-checked [`Reader`] over it, text decoding and [`Limits`].
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects
    )
)]

pub mod budget;
mod cancel;
mod limits;
pub mod numbers;
mod reader;
pub mod search;
mod source;
pub mod text;

pub use budget::Budget;
pub use cancel::Cancel;
pub use limits::{Allowance, Limits, MemberLimits};
pub use reader::{Endian, OutOfBytes, Reader};
pub use source::{ReadAt, Source, WeakSource};
