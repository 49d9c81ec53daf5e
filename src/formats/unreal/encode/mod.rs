//! Writes packages: samples, tests, benches and exports write through this.
//!
//! Made from the specification alone and shares nothing with the reader, so that each holds the other to it. A
//! [`PackageWriter`] takes names and imports on demand; exports are declared first, so that objects can name each other,
//! and each is written by a closure that gets an [`ObjectWriter`]. The functions of the other files here write the data of
//! one class each, in the order of the specification's sections 5 to 11.

mod dxt1;
mod header;
mod object;
mod package;
mod properties;
mod sound;
mod state_frame;
mod text;
mod texture;

pub use dxt1::encode_dxt1;
pub use object::{ObjectWriter, Ref};
pub use package::{Export, PackageWriter, flags};
pub use properties::{Properties, Value, write_properties};
pub use sound::{write_music, write_sound};
pub use state_frame::{StateFrame, write_state_frame};
pub use text::write_text_buffer;
pub use texture::{CompressedMips, Mip, Spark, TextureData, mip_sizes, write_palette, write_sparks, write_texture};
