//! The open files and what is in them.

mod badge;
mod look;
mod menus;
mod numbers;
mod panel;
mod row;
mod row_text;

pub use numbers::{counted, grouped};
pub use panel::show;
