//! The textures of a model: Sluggers' TEX sections and the SDK's texture palettes (formats/charpipe.md §9). The chip's own formats;
//! how a texture wraps and is filtered is said by the display states that bind it.

mod layouts;
mod textures;

pub use textures::{Levels, Textures, read_tex, read_tpl};
