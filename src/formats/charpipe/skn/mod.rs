//! Skins: lists of slots, each with the bones that move it (formats/charpipe.md §6).

mod bind;
mod list;
mod read;

pub use bind::{Bound, bind};
pub use list::List;
pub use read::Skn;
pub use read::read;

#[cfg(test)]
mod tests;
