//! A display list as fields: a table of its commands, those that draw with a table of their vertices, read when looked at.

use super::display_list::{Column, Command, Commands, Primitive, Unit};
use crate::{
    bytes::{Endian, Source, numbers::counted},
    formats::{Field, Table, Value, field_reader::FieldReader},
};
use std::sync::{Arc, OnceLock};

/// Commands of a display list.
struct Rows {
    source: Source,
    /// The list: bytes from the start of the file.
    at: u64,
    size: u64,
    /// Where each begins and ends, once one of them was looked at.
    commands: OnceLock<Vec<Row>>,
    columns: Arc<[Column]>,
    vertex_size: usize,
    padding: &'static str,
}

struct Row {
    at: u64,
    size: u64,
    what: What,
}

enum What {
    Nothing,
    Registers(Unit),
    Primitive,
}

/// The `size` bytes at `at` as a table of commands; `padding` is the family's name for bytes that fill up.
pub fn table(
    source: &Source,
    at: u64,
    size: u64,
    columns: Arc<[Column]>,
    vertex_size: usize,
    padding: &'static str,
) -> Option<Arc<dyn Table>> {
    source.slice(at, size)?;
    let commands = OnceLock::new();
    Some(Arc::new(Rows { source: source.clone(), at, size, commands, columns, vertex_size, padding }))
}

/// Bytes of a display list up to the first command that cannot be read.
pub fn readable(list: &[u8], vertex_size: usize) -> u64 {
    let commands = Commands::new(list, vertex_size).map_while(Result::ok);
    commands.last().map_or(0, |command| {
        let (offset, size) = extent(&command);
        offset.saturating_add(size) as u64
    })
}

/// Where a command begins in its list, and its bytes.
fn extent(command: &Command<'_>) -> (usize, usize) {
    match command {
        Command::Nothing { offset, size } | Command::Load { offset, size, .. } => (*offset, *size),
        Command::Draw { offset, vertices, .. } => (*offset, vertices.len().saturating_add(3)),
    }
}

impl Rows {
    fn commands(&self) -> &[Row] {
        self.commands.get_or_init(|| {
            let Some(bytes) = self.source.slice(self.at, self.size) else { return Vec::new() };
            let commands = Commands::new(bytes.as_slice(), self.vertex_size).map_while(Result::ok);
            let row = |command: Command<'_>| {
                let (offset, size) = extent(&command);
                let what = match command {
                    Command::Nothing { .. } => What::Nothing,
                    Command::Load { unit, .. } => What::Registers(unit),
                    Command::Draw { .. } => What::Primitive,
                };
                Row { at: self.at.saturating_add(offset as u64), size: size as u64, what }
            };
            commands.map(row).collect()
        })
    }
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Commands({} bytes)", self.size)
    }
}

impl Table for Rows {
    fn len(&self) -> usize {
        self.commands().len()
    }

    fn row(&self, index: usize) -> Option<Field> {
        let Row { at, size, what } = self.commands().get(index)?;
        let (at, size, name) = (*at, *size, index.to_string());
        let mut r = FieldReader::new(&self.source, at..at.saturating_add(size), Endian::Big).recording();
        match what {
            What::Nothing => Some(Field::new(name, format!("u8[{size}]"), Value::Opaque(self.padding), at, size)),
            What::Registers(unit) => {
                // The walk over the list has seen that they fit.
                let _ = read_registers(&mut r, *unit);
                let mut field = Field::group(name, "Registers", at, size, r.into_fields());
                field.value = Value::Text(unit.name().to_owned());
                Some(field)
            }
            What::Primitive => {
                let name_of = |command| Primitive::of_command(command).map(Primitive::name);
                let command = r.named_u8("Command", name_of).ok()?;
                let count = r.u16("VertexCount").ok()?;
                let columns = self.columns.clone();
                // As above.
                let _ = r.records("Vertices", "Vertex[]", u64::from(count), self.vertex_size as u64, move |r, _| {
                    for column in columns.iter() {
                        let name = column.attribute.name().unwrap_or("?");
                        if column.wide {
                            r.u16(name)?;
                        } else {
                            r.u8(name)?;
                        }
                    }
                    Ok(())
                });
                let mut field = Field::group(name, "Primitive", at, size, r.into_fields());
                field.value = Value::Text(format!("{}, {}", name_of(command).unwrap_or("?"), counted(count, "vertex")));
                Some(field)
            }
        }
    }
}

fn read_registers(r: &mut FieldReader<'_>, unit: Unit) -> Result<(), crate::formats::field_reader::Fault> {
    r.named_u8("Command", |c| Unit::of_command(c).map(Unit::name))?;
    match unit {
        Unit::Bp => {
            r.u32("Value")?;
        }
        Unit::Cp => {
            r.u8("Register")?;
            r.u32("Value")?;
        }
        Unit::Xf => {
            let more = r.u16("MoreValues")?;
            r.u16("Address")?;
            r.records("Values", "u32", u64::from(more).saturating_add(1), 4, |r, _| r.u32("Value"))?;
        }
    }
    Ok(())
}
