//! What is selected: its fields, and what goes with them.

pub mod hierarchy;
pub mod panel;
pub mod surfaces;
