//! Classes of scripts and what they are made of (formats/unreal.md §7.1, §10, §11).

mod bytecode;
mod declaration;
mod declared;
mod defaults;
mod definition;
mod disassembly;
mod expression;
mod identifier;
mod natives;
mod opcode;
mod remembered;
mod show;
mod source;
mod structure;
mod text_buffer;
mod value_text;

pub use defaults::{inherited_fields, stated_defaults};
pub use definition::meaning;
pub use show::{has_source, load};
pub use structure::{read_class, read_function, read_state, read_struct};
use text_buffer::read_ext_string;
pub use text_buffer::read_text_buffer;

use super::{
    class_fields::{read_const, read_enum, read_property},
    kind::Kind,
    object::{Fault, ObjectReader},
    tables::ObjectRef,
};

/// Reads what follows the header of an object of one of the script classes.
///
/// # Errors
/// Where it cannot be read on.
pub fn read(kind: Kind, reader: &mut ObjectReader<'_>) -> Result<(), Fault> {
    let export = reader.export();
    let fault = match kind {
        Kind::TextBuffer => return read_text_buffer(reader).map(drop),
        Kind::ExtString => return read_ext_string(reader).map(drop),
        Kind::Const => return read_const(reader).map(drop),
        Kind::Enum => return read_enum(reader).map(drop),
        Kind::Property => {
            let class = reader.package().class_name(ObjectRef::export(export));
            return read_property(reader, class).map(drop);
        }
        Kind::Struct => read_struct(reader)?.fault,
        Kind::Function => read_function(reader)?.0.fault,
        Kind::State => read_state(reader)?.0.fault,
        Kind::Class => read_class(reader, export)?.0.fault,
        _ => None,
    };
    fault.map_or(Ok(()), Err)
}
