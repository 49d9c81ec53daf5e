//! Sound and Music (formats/unreal.md §6).

use super::object::ObjectWriter;
use super::properties::{Properties, write_properties};

/// `file` is a whole sound file of the named format, usually `WAV`.
pub fn write_sound(out: &mut ObjectWriter<'_>, properties: &Properties, format: &str, file: &[u8]) {
    write_properties(out, properties);
    out.name(format);
    out.lazy_bytes(file);
}

/// `file` is a whole module of the named format.
pub fn write_music(out: &mut ObjectWriter<'_>, properties: &Properties, format: &str, file: &[u8]) {
    write_properties(out, properties);
    out.name(format);
    out.lazy_bytes(file);
}
