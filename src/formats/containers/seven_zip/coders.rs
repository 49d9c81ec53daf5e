//! The coders of a block, stacked upon its packed streams (formats/containers.md §10).

use super::{
    super::{
        codes,
        contents::Trouble,
        meter::{AHEAD, Meter, Metered},
        output::Cost,
        source_reader::buffered,
    },
    folder::{Coder, Folder, Method},
    streams::{Coders, Streams},
    table::invalid,
};
use crate::bytes::{MemberLimits, Source, budget};
use bzip2::read::BzDecoder;
use flate2::bufread::DeflateDecoder;
use lzma_rust2::{
    Lzma2Reader, LzmaReader,
    filter::{bcj::BcjReader, bcj2::Bcj2Reader, delta::DeltaReader},
};
use ppmd_rust::{PPMD7_MAX_MEM_SIZE, PPMD7_MAX_ORDER, PPMD7_MIN_MEM_SIZE, PPMD7_MIN_ORDER, Ppmd7Decoder};
use std::{
    io::{self, BufReader, Read},
    sync::Arc,
};

/// Maximum number of coders of a block that is unpacked.
const MAX_CODERS: usize = 4;
/// Bytes that coders read ahead which would read them one by one.
const READ_AHEAD: usize = 16 << 10;
/// Bytes for each nanosecond in which memory is made ready.
const MADE_READY: u64 = 4;
/// Memory of what coders have in addition to dictionaries and models.
const BUFFERS: u64 = 128 << 10;
/// Memory of a bzip2 decoder, most of which small blocks leave alone.
const BZIP2: u64 = 4 << 20;
/// Memory of the buffers of BCJ2.
const BCJ2: u64 = 1 << 20;
/// The smallest dictionary.
const MIN_DICTIONARY: u64 = 4 << 10;
/// The largest property of LZMA: literal context and position bits, position bits.
const MAX_LZMA_PROPERTY: u8 = 9 * 5 * 5 - 1;

type Stage = Box<dyn Read + Send>;

/// The bytes that a block unpacks to, as they are requested.
pub struct Stack {
    output: Metered<Stage>,
    /// True if the last coder knows by itself where its bytes end.
    knows_end: bool,
    /// Number of bytes that the coders hold.
    pub memory: u64,
    meter: Arc<Meter>,
}

impl Stack {
    /// Prepares to unpack a block of the archive.
    ///
    /// # Errors
    /// Returns an error if its coders are unknown or not connected, or take more memory or work than is left.
    pub fn open(source: &Source, streams: &Streams, block: usize, limits: &MemberLimits) -> Result<Self, Trouble> {
        let coders = streams.coders(block)?;
        let folder = &coders.folder;
        check(folder)?;
        let most = limits.dictionary.min(limits.held.of(source.len() as u64));
        let (mut memory, mut work, mut ahead) = (0_u64, 0_u64, 0_u64);
        for (coder, size) in folder.coders.iter().zip(coders.sizes) {
            let need = Need::of(coder, *size)?;
            memory = memory.saturating_add(need.memory);
            // A dictionary that is larger than the limit is refused even where little of it would be used.
            let stated = if need.stated > limits.dictionary { need.stated } else { memory };
            if stated > most {
                let (stated, most) = (stated.div_ceil(1024), most / 1024);
                let message = format!("unpacking needs {stated} KiB of memory. The limit is {most} KiB");
                return Err(Trouble::new(&codes::TOO_LARGE, 0, message));
            }
            work = work.saturating_add(need.work);
            ahead = ahead.saturating_add(if coder.method() == Method::Bzip2 { AHEAD } else { 0 });
        }
        if !budget::charge_work(work) {
            return Err(Trouble::too_much_work());
        }
        let inputs = folder.coders.iter().map(|coder| coder.inputs).sum();
        let meter = Arc::new(Meter::new(inputs, ahead));
        let mut builder = Builder { source, block: &coders, meter: &meter, built: 0 };
        let inner = builder.coder(folder.main).map_err(|error| meter.trouble().unwrap_or(error))?;
        if builder.built != folder.coders.len() {
            return Err(invalid(0, "the coders form a cycle"));
        }
        let (left, work) = (streams.size(block), builder.work_out(folder.main));
        let knows_end = folder.coders.get(folder.main).is_some_and(|coder| coder.method() != Method::Ppmd);
        let output = Metered { inner, left, work, passes: false, meter: meter.clone() };
        Ok(Self { knows_end, memory, output, meter })
    }

    /// Fills a piece as far as the block has bytes; fewer only at its end.
    ///
    /// # Errors
    /// Returns an error if the packed bytes are damaged or yield nothing, or if the work of the act is spent.
    pub fn fill(&mut self, piece: &mut [u8]) -> Result<usize, Trouble> {
        self.meter.allow(piece.len());
        let mut filled = 0_usize;
        while let Some(rest) = piece.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.output.read(rest) {
                Ok(0) => break,
                Ok(count) => filled = filled.saturating_add(count),
                Err(error) => return Err(self.meter.trouble().unwrap_or_else(|| damaged(&error))),
            }
        }
        // Some coders take an error for the end.
        self.meter.trouble().map_or(Ok(filled), Err)
    }

    /// Returns what is wrong if the packed bytes do not end with the block's last byte.
    pub fn end(&mut self) -> Option<Trouble> {
        if !self.knows_end {
            return None;
        }
        self.meter.allow(1);
        match self.output.inner.read(&mut [0]) {
            Ok(0) => self.meter.trouble(),
            Ok(_) => Some(damaged(&"data continues after the end of the block")),
            Err(error) => self.meter.trouble().or_else(|| Some(damaged(&error))),
        }
    }
}

/// Makes the trouble of packed bytes that a coder does not accept.
fn damaged(error: &impl std::fmt::Display) -> Trouble {
    Trouble::new(&codes::DECODE, 0, format!("the compressed data is damaged: {error}"))
}

/// Refuses coders that are not known, and chains that no writer makes.
fn check(folder: &Folder<'_>) -> Result<(), Trouble> {
    let methods = || folder.coders.iter().map(|coder| (coder, coder.method()));
    if methods().any(|(_, method)| method == Method::Aes) {
        return Err(Trouble::new(&codes::ENCRYPTED, 0, "the entry is encrypted. Passwords are not supported"));
    }
    if let Some((coder, _)) = methods().find(|(_, method)| *method == Method::Unknown) {
        let id: String = coder.id.iter().map(|byte| format!("{byte:02X}")).collect();
        return Err(Trouble::new(&codes::METHOD, 0, format!("unknown compression method {id}")));
    }
    if folder.coders.len() > MAX_CODERS {
        let message = format!("chains of {} coders are not supported", folder.coders.len());
        return Err(Trouble::new(&codes::METHOD, 0, message));
    }
    match methods().find(|(coder, method)| coder.inputs != if *method == Method::Bcj2 { 4 } else { 1 }) {
        Some((coder, _)) => Err(invalid(0, format!("a coder has an invalid number of inputs ({})", coder.inputs))),
        None => Ok(()),
    }
}

/// Resources that a coder takes when it is prepared.
struct Need {
    /// The dictionary that its properties state.
    stated: u64,
    memory: u64,
    work: u64,
}

impl Need {
    /// Computes the resources of a coder that gives `size` bytes.
    fn of(coder: &Coder<'_>, size: u64) -> Result<Self, Trouble> {
        let (stated, own) = match coder.method() {
            Method::Lzma => {
                let (property, dictionary) = lzma(coder)?;
                let bits = property.checked_rem(9 * 5).unwrap_or(0);
                let literals = (bits % 9).saturating_add(bits / 9);
                let model = 1536_u64.checked_shl(u32::from(literals)).unwrap_or(u64::MAX);
                (dictionary, model.saturating_add(used(dictionary, size)))
            }
            Method::Lzma2 => {
                let dictionary = lzma2(coder)?;
                (dictionary, used(dictionary, size))
            }
            Method::Ppmd => {
                let (_, memory) = ppmd(coder)?;
                (u64::from(memory), u64::from(memory))
            }
            Method::Bzip2 => {
                return Ok(Self { stated: 0, memory: BZIP2, work: BUFFERS / MADE_READY });
            }
            Method::Bcj2 => (0, BCJ2),
            _ => (0, 0),
        };
        let memory = own.saturating_add(BUFFERS);
        Ok(Self { stated, memory, work: memory / MADE_READY })
    }
}

/// The part of a dictionary that is used for `size` bytes.
fn used(dictionary: u64, size: u64) -> u64 {
    dictionary.min(size.max(MIN_DICTIONARY))
}

/// The property and the dictionary of LZMA.
fn lzma(coder: &Coder<'_>) -> Result<(u8, u64), Trouble> {
    match *coder.properties {
        [property, a, b, c, d, ..] if property <= MAX_LZMA_PROPERTY => {
            Ok((property, u64::from(u32::from_le_bytes([a, b, c, d]))))
        }
        _ => Err(damaged(&"invalid LZMA properties")),
    }
}

/// The dictionary of LZMA2.
fn lzma2(coder: &Coder<'_>) -> Result<u64, Trouble> {
    match *coder.properties {
        [40, ..] => Ok(u64::from(u32::MAX)),
        [bits @ 0..40, ..] => {
            let mantissa = 2 | u64::from(bits & 1);
            Ok(mantissa.checked_shl(u32::from(bits / 2).saturating_add(11)).unwrap_or(u64::MAX))
        }
        _ => Err(damaged(&"invalid LZMA2 properties")),
    }
}

/// The order and the memory of PPMd.
fn ppmd(coder: &Coder<'_>) -> Result<(u32, u32), Trouble> {
    let found = match *coder.properties {
        [order, a, b, c, d, ..] => Some((u32::from(order), u32::from_le_bytes([a, b, c, d]))),
        _ => None,
    };
    found
        .filter(|(order, memory)| {
            (PPMD7_MIN_ORDER..=PPMD7_MAX_ORDER).contains(order)
                && (PPMD7_MIN_MEM_SIZE..=PPMD7_MAX_MEM_SIZE).contains(memory)
        })
        .ok_or_else(|| damaged(&"invalid PPMd properties"))
}

/// The work of a coder.
fn cost(coder: &Coder<'_>) -> Cost {
    match coder.method() {
        Method::Lzma | Method::Lzma2 => Cost::LZMA,
        Method::Bzip2 => Cost::BZIP2,
        Method::Deflate => Cost::DEFLATE,
        Method::Ppmd => Cost::PPMD,
        Method::Copy => Cost::STORED,
        _ => Cost::FILTER,
    }
}

/// Builds the coders from the block's output to its packed streams.
struct Builder<'a> {
    source: &'a Source,
    block: &'a Coders<'a>,
    meter: &'a Arc<Meter>,
    built: usize,
}

impl Builder<'_> {
    fn work_out(&self, coder: usize) -> u64 {
        self.block.folder.coders.get(coder).map_or(0, |coder| cost(coder).output)
    }

    /// Builds one coder and all that it reads from. Calls itself at most `MAX_CODERS` times: an output is connected once.
    fn coder(&mut self, index: usize) -> Result<Stage, Trouble> {
        let coder = self.block.folder.coders.get(index).ok_or_else(|| invalid(0, "a coder is missing"))?;
        self.built = self.built.saturating_add(1);
        if self.built > self.block.folder.coders.len() {
            return Err(invalid(0, "the coders form a cycle"));
        }
        let before = self.block.folder.coders.iter().take(index).map(|coder| coder.inputs);
        let first = before.fold(0, usize::saturating_add);
        let work_in = cost(coder).input;
        let mut inputs = Vec::new();
        for input in first..first.saturating_add(coder.inputs) {
            inputs.push(self.input(input, work_in)?);
        }
        let size = self.block.sizes.get(index).copied().unwrap_or(0);
        stage(coder, inputs, size).map_err(|error| damaged(&error))
    }

    /// Builds what an input reads: a packed stream, or the output of another coder.
    fn input(&mut self, input: usize, work_in: u64) -> Result<Metered<Stage>, Trouble> {
        let meter = self.meter.clone();
        if let Some(stream) = self.block.folder.packed.iter().position(|packed| *packed == input) {
            let end = self.source.len() as u64;
            let range = self.block.packed.get(stream).cloned().unwrap_or(0..0);
            let start = range.start.min(end);
            let left = range.end.min(end).saturating_sub(start);
            let part = self.source.slice(start, left).unwrap_or_else(|| Source::new(Vec::new()));
            return Ok(Metered { inner: Box::new(buffered(&part)), left, work: work_in, passes: true, meter });
        }
        let bound = self.block.folder.binds.iter().find(|(bound, _)| *bound == input);
        let (_, from) = bound.ok_or_else(|| invalid(0, "a coder has no input"))?;
        let (inner, left) = (self.coder(*from)?, self.block.sizes.get(*from).copied().unwrap_or(0));
        let work = work_in.saturating_add(self.work_out(*from));
        Ok(Metered { inner, left, work, passes: true, meter })
    }
}

/// Builds one coder that gives `size` bytes.
fn stage(coder: &Coder<'_>, mut inputs: Vec<Metered<Stage>>, size: u64) -> io::Result<Stage> {
    let other = |trouble: Trouble| io::Error::other(trouble.message);
    if coder.method() == Method::Bcj2 {
        return Bcj2Reader::try_new(inputs, size).map(|reader| Box::new(reader) as Stage);
    }
    let input = inputs.pop().ok_or(io::ErrorKind::InvalidInput)?;
    // Filters of branches may have the address of the first byte.
    let start = coder.properties.first_chunk().map_or(0, |start| u32::from_le_bytes(*start) as usize);
    Ok(match coder.method() {
        Method::Copy => Box::new(input),
        Method::Lzma => {
            let (property, dictionary) = lzma(coder).map_err(other)?;
            let dictionary = u32::try_from(used(dictionary, size)).unwrap_or(u32::MAX);
            let mut reader = LzmaReader::new_with_props(input, size, property, dictionary, None)?;
            reader.set_relaxed_end_condition(false);
            // Bytes before an error are of use.
            reader.set_defer_errors(true);
            Box::new(reader)
        }
        Method::Lzma2 => {
            let dictionary = used(lzma2(coder).map_err(other)?, size);
            Box::new(Lzma2Reader::new(input, u32::try_from(dictionary).unwrap_or(u32::MAX), None))
        }
        Method::Ppmd => {
            let (order, memory) = ppmd(coder).map_err(other)?;
            let input = BufReader::with_capacity(READ_AHEAD, input);
            Box::new(Ppmd7Decoder::new(input, order, memory).map_err(io::Error::other)?)
        }
        Method::Bzip2 => Box::new(BzDecoder::new(input)),
        Method::Deflate => Box::new(DeflateDecoder::new(BufReader::with_capacity(READ_AHEAD, input))),
        Method::Delta => {
            let distance = coder.properties.first().map_or(0, |byte| usize::from(*byte)).saturating_add(1);
            Box::new(DeltaReader::new(input, distance))
        }
        Method::X86 => Box::new(BcjReader::new_x86(input, start)),
        Method::PowerPc => Box::new(BcjReader::new_ppc(input, start)),
        Method::Ia64 => Box::new(BcjReader::new_ia64(input, start)),
        Method::Arm => Box::new(BcjReader::new_arm(input, start)),
        Method::ArmThumb => Box::new(BcjReader::new_arm_thumb(input, start)),
        Method::Arm64 => Box::new(BcjReader::new_arm64(input, start)),
        Method::Sparc => Box::new(BcjReader::new_sparc(input, start)),
        Method::RiscV => Box::new(BcjReader::new_riscv(input, start)),
        // Refused before.
        Method::Bcj2 | Method::Aes | Method::Unknown => return Err(io::ErrorKind::Unsupported.into()),
    })
}
