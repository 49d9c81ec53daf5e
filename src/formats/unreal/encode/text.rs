//! TextBuffer (formats/unreal.md §7.1).

use super::object::ObjectWriter;
use super::properties::{Properties, write_properties};

/// `text` as it is, by custom with CRLF at the ends of lines.
pub fn write_text_buffer(out: &mut ObjectWriter<'_>, text: &str) {
    write_properties(out, &Properties::new());
    out.u32(0);
    out.u32(0);
    out.string(text);
}
