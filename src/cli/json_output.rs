//! One JSON document on standard output.

use super::{failure::Failure, output::stdout};
use serde::Serialize;
use std::io::Write as _;

/// Prints one JSON document and a line end.
pub fn print_json(document: &impl Serialize) -> Result<(), Failure> {
    let mut out = stdout();
    serde_json::to_writer(&mut out, document)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}
