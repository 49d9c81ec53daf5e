//! What stands around the stages and over them: menus, status, palette, notices.

pub mod about;
pub mod guide;
pub mod jump;
pub mod keys;
pub mod menu;
pub mod palette;
pub mod settings;
pub mod status;
pub mod texture_chooser;
pub mod toasts;
pub mod welcome;
