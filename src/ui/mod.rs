//! The window.

pub mod app;
pub mod command;
mod dialogs;
pub mod dock;
mod entry_group;
pub mod export;
mod export_draft;
pub mod inspector;
pub mod layout;
pub mod library;
mod library_row;
pub mod log;
pub mod log_buffer;
mod panel_sizes;
pub mod place;
mod run;
mod samples;
mod screenshot;
pub mod section;
pub mod session_file;
pub mod session_writer;
pub mod settings;
pub mod stage;
pub mod state;
mod status_file;
mod subject;
pub mod tab;
pub mod theme;
pub mod transport;
mod up_axis;
mod viewport_gpu;
mod views;
pub mod widgets;
pub mod window;
mod written_path;

pub use run::{Options, run};
