//! The window.

pub mod app;
pub mod command;
mod dialogs;
pub mod dock;
mod panels;
mod run;
pub mod settings;
pub mod state;
pub mod theme;

pub use run::{Options, run};
