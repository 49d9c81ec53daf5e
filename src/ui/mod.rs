//! The window.

pub mod app;
pub mod command;
mod dialogs;
pub mod dock;
mod export_draft;
mod hierarchy;
pub mod log_buffer;
pub mod panels;
pub mod place;
mod run;
mod samples;
mod screenshot;
pub mod settings;
pub mod state;
mod status_file;
mod subject;
mod surfaces;
pub mod tab;
pub mod theme;
mod up_axis;
mod viewport_gpu;
mod views;
pub mod widgets;

pub use run::{Options, run};
