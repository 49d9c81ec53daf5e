//! One file a panel. A panel reads what it is given and pushes commands.

pub mod library;
pub mod menu;
pub mod status;
