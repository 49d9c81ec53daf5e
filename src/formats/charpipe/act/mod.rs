//! Actors: bones, where they stand in bind pose, and which meshes hang on them (formats/charpipe.md §5).

mod actor;
mod control;
mod hierarchy;
mod links;
mod parts;
mod read;
mod user_data;

pub use actor::{Act, Bone};
pub use control::Control;
pub use read::read;
pub use user_data::{Mirror, UserData};

#[cfg(test)]
mod tests;
