//! What formats of the GameCube and Wii share: the graphics chip's (GX) ways to store things.

pub mod bti;
pub mod bti_set;
pub mod dedup;
pub mod display_list;
pub mod encode;
pub mod list_fields;
pub mod texture;
pub mod vertex;
