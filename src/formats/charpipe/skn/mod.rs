//! Skins: lists of slots, each with the bones that move it (formats/charpipe.md §6).

mod bind;
mod layout;
mod list;
mod parts;
mod read;
mod skin;

pub use bind::{Bound, bind};
pub use list::List;
pub use read::read;
pub use skin::Skn;

#[cfg(test)]
mod tests;
