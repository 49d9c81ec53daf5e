//! A level on the stage and its actors.

pub mod actors;
pub mod panel;
