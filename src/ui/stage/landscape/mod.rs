//! A landscape on the stage, its objects and its numbers.

pub mod legend;
pub mod lengths;
pub mod menus;
pub mod objects;
pub mod panel;
pub mod projection;
pub mod rulers;
pub mod statistics;
mod survey;
