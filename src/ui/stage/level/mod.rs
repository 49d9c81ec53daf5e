//! A level on the stage and its actors.

pub mod actors;
mod card;
mod cards;
mod class_rows;
mod class_tree;
mod measure;
mod menus;
mod mover_card;
pub mod panel;
mod surface_card;
mod title;
mod toolbar;
