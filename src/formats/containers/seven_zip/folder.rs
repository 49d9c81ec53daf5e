//! The coders of a block, and how they are connected (formats/containers.md §10).

use super::{
    super::contents::Trouble,
    table::{Table, invalid},
};
use crate::bytes::numbers::counted;

/// Maximum number of coders, and of their inputs, in a block that is read at all; 7-Zip has the same.
const MAX_CODERS: u64 = 64;

/// The coders of a block. Each has one output.
pub struct Folder<'a> {
    pub coders: Vec<Coder<'a>>,
    /// Pairs of an input, counted over all coders, and the coder that it reads from.
    pub binds: Vec<(usize, usize)>,
    /// The inputs that read the block's packed streams, in the streams' order.
    pub packed: Vec<usize>,
    /// The coder whose output is the block's.
    pub main: usize,
}

pub struct Coder<'a> {
    pub id: &'a [u8],
    pub inputs: usize,
    pub properties: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Copy,
    Lzma,
    Lzma2,
    Ppmd,
    Bzip2,
    Deflate,
    Delta,
    X86,
    PowerPc,
    Ia64,
    Arm,
    ArmThumb,
    Arm64,
    Sparc,
    RiscV,
    Bcj2,
    Aes,
    Unknown,
}

impl Coder<'_> {
    pub fn method(&self) -> Method {
        match self.id {
            [0] => Method::Copy,
            [3] => Method::Delta,
            [4] | [3, 3, 1, 3] => Method::X86,
            [5] | [3, 3, 2, 5] => Method::PowerPc,
            [6] | [3, 3, 4, 1] => Method::Ia64,
            [7] | [3, 3, 5, 1] => Method::Arm,
            [8] | [3, 3, 7, 1] => Method::ArmThumb,
            [9] | [3, 3, 8, 5] => Method::Sparc,
            [0x0A] => Method::Arm64,
            [0x0B] => Method::RiscV,
            [0x21] => Method::Lzma2,
            [3, 1, 1] => Method::Lzma,
            [3, 3, 1, 0x1B] => Method::Bcj2,
            [3, 4, 1] => Method::Ppmd,
            [4, 1, 8] => Method::Deflate,
            [4, 2, 2] => Method::Bzip2,
            [6, 0xF1, 7, 1] => Method::Aes,
            _ => Method::Unknown,
        }
    }
}

impl Folder<'_> {
    /// Name of the block's method, by its first coder.
    pub fn method_name(&self) -> &'static str {
        let mut methods = self.coders.iter().map(Coder::method);
        if methods.clone().any(|method| method == Method::Aes) {
            return "encrypted";
        }
        match methods.next() {
            Some(Method::Copy) if self.coders.len() == 1 => "stored",
            Some(Method::Lzma) => "LZMA",
            Some(Method::Lzma2) => "LZMA2",
            Some(Method::Ppmd) => "PPMd",
            Some(Method::Bzip2) => "bzip2",
            Some(Method::Deflate) => "Deflate",
            Some(Method::Unknown) | None => "unknown method",
            Some(_) => "filtered",
        }
    }
}

/// Reads one block's coders.
pub fn folder<'a>(table: &mut Table<'a>) -> Result<Folder<'a>, Trouble> {
    let start = table.offset();
    let count = table.number()?;
    if count == 0 || count > MAX_CODERS {
        return Err(invalid(
            start,
            format!("invalid number of coders in a block: {count}. It must be from 1 to {MAX_CODERS}"),
        ));
    }
    let mut coders = Vec::new();
    let mut inputs = 0_u64;
    for _ in 0..count {
        let flags = table.u8()?;
        let id = table.bytes(u64::from(flags & 0x0F))?;
        let (ins, outs) = if flags & 0x10 == 0 { (1, 1) } else { (table.number()?, table.number()?) };
        inputs = inputs.saturating_add(ins);
        if outs != 1 || flags & 0x80 != 0 || inputs > MAX_CODERS {
            return Err(invalid(
                start,
                format!("invalid coder with {} and {}", counted(ins, "input"), counted(outs, "output")),
            ));
        }
        let properties = if flags & 0x20 == 0 { &[] } else { property_bytes(table)? };
        coders.push(Coder { id, inputs: usize::try_from(ins).unwrap_or(usize::MAX), properties });
    }
    let count = coders.len();
    let inputs = usize::try_from(inputs).unwrap_or(usize::MAX);
    let connected = count.saturating_sub(1);
    let (mut free_inputs, mut free_coders) = (vec![true; inputs], vec![true; count]);
    let mut binds = Vec::new();
    for _ in 0..connected {
        binds.push((take(table, &mut free_inputs)?, take(table, &mut free_coders)?));
    }
    let open = inputs.saturating_sub(connected);
    let packed = match free_inputs.iter().position(|is_free| *is_free) {
        Some(only) if open == 1 => vec![only],
        Some(_) => (0..open).map(|_| take(table, &mut free_inputs)).collect::<Result<_, _>>()?,
        None => return Err(invalid(start, "a block has no packed stream")),
    };
    // One fewer than there are was taken.
    let main = free_coders.iter().position(|is_free| *is_free).unwrap_or(0);
    Ok(Folder { coders, binds, packed, main })
}

/// Reads the index of a stream, which is free, and takes it.
fn take(table: &mut Table<'_>, free: &mut [bool]) -> Result<usize, Trouble> {
    let offset = table.offset();
    let index = table.number()?;
    let is_free = usize::try_from(index).ok().and_then(|index| Some((index, free.get_mut(index)?)));
    match is_free {
        Some((index, is_free)) if *is_free => {
            *is_free = false;
            Ok(index)
        }
        _ => Err(invalid(offset, format!("a block connects stream {index}, which is missing or already connected"))),
    }
}

fn property_bytes<'a>(table: &mut Table<'a>) -> Result<&'a [u8], Trouble> {
    let size = table.number()?;
    table.bytes(size)
}
