//! The open files and what is in them.

mod badge;
mod look;
mod menus;
mod panel;
mod row;
mod row_text;

pub use panel::show;
