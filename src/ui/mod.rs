//! The window.

pub mod app;
pub mod bookmark;
#[cfg(target_arch = "wasm32")]
mod browser;
pub mod byte_search;
pub mod collection_pictures;
pub mod command;
mod compared_gpu;
mod dialogs;
pub mod dock;
pub mod export;
mod export_draft;
pub mod favourite;
mod file_dialog;
pub mod file_watch;
pub mod inspector;
pub mod jump;
pub mod kept_reading;
pub mod layout;
pub mod library;
mod library_row;
pub mod log;
pub mod log_buffer;
pub mod map_overlays;
pub mod named_file;
#[cfg(not(target_arch = "wasm32"))]
pub mod own_session;
#[cfg(target_arch = "wasm32")]
mod page;
mod picture_draft;
pub mod place;
pub mod query;
#[cfg(not(target_arch = "wasm32"))]
mod run;
mod samples;
pub mod saved_view;
pub mod scene_member;
mod screen;
mod screenshot;
pub mod section;
pub mod session_file;
pub mod settings;
mod short_text;
pub mod stage;
mod stage_look;
mod stage_pictures;
pub mod state;
mod status_file;
#[cfg(not(target_arch = "wasm32"))]
mod system_dialogs;
pub mod theme;
pub mod transport;
pub mod view_file;
mod viewport_gpu;
mod views;
pub mod widgets;
pub mod window;
pub mod window_system;

#[cfg(target_arch = "wasm32")]
pub use page::start as start_page;
#[cfg(not(target_arch = "wasm32"))]
pub use run::{Options, run};
pub use window_system::WindowSystem;
