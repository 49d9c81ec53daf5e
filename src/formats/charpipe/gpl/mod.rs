//! Geometry palettes: meshes and how they are drawn (formats/charpipe.md §4).

mod arrays;
mod display_states;
mod drawn_states;
mod draws;
mod object;
mod read;
pub mod shape;

pub use draws::Gpl;
pub use object::read_budget;

use crate::formats::{
    field_reader::{Fault, FieldReader},
    findings::Findings,
    structure::Structure,
};

/// Reads the section.
///
/// # Errors
/// When its header or its table cannot be read.
pub fn read_section(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Box<dyn Structure>, Fault> {
    Ok(Box::new(read::read(r, findings)?))
}
