//! Moving pictures as animated WebP without loss: every pixel as it was drawn.
//!
//! The file is a RIFF file (<https://developers.google.com/speed/webp/docs/riff_container>): `VP8X` says the size, `ANIM` how often
//! it plays, and each `ANMF` has a picture with its time.

use super::Timing;
use crate::scene::Image;
use image_webp::{ColorType, WebPEncoder};
use std::io::{self, Seek, SeekFrom, Write};

/// Bytes of a RIFF file before its first chunk: `RIFF`, its size, `WEBP`.
const FILE_HEAD: usize = 12;
/// Where the size of the file stands: it counts what follows it.
const SIZE_AT: u64 = 4;
/// Where the flags of `VP8X` stand.
const FLAGS_AT: u64 = 20;

/// Flags of `VP8X`.
const ANIMATION: u8 = 0x02;
const ALPHA: u8 = 0x10;
/// Flag of `ANMF`: the picture takes the place of the one before, transparent pixels too.
const REPLACES: u8 = 0x02;

/// Encodes pictures as they come, to be shown over and over.
pub fn encode(
    out: &mut (impl Write + Seek),
    timing: &Timing,
    next: &mut dyn FnMut() -> io::Result<Image>,
) -> io::Result<()> {
    let Timing { width, height, .. } = *timing;
    let start = out.stream_position()?;
    // The size follows at the end.
    out.write_all(b"RIFF\0\0\0\0WEBP")?;
    let mut size = SIZE_AT;
    let mut canvas = vec![ANIMATION, 0, 0, 0];
    canvas.extend(three_bytes(width - 1));
    canvas.extend(three_bytes(height - 1));
    size += write_chunk(out, b"VP8X", &canvas)?;
    // The colour behind it, which nobody asks for, and how often it plays: 0 is for ever.
    size += write_chunk(out, b"ANIM", &[0; 6])?;
    let mut has_alpha = false;
    for delay in timing.delays(1_000) {
        let picture = next()?;
        has_alpha |= picture.has_alpha();
        let mut frame = vec![0; 6];
        for number in [width - 1, height - 1, delay] {
            frame.extend(three_bytes(number));
        }
        frame.push(REPLACES);
        let head = frame.len();
        WebPEncoder::new(&mut frame)
            .encode(&picture.rgba, width, height, ColorType::Rgba8)
            .map_err(io::Error::other)?;
        // The picture came as a file of its own; what is wanted is its chunk.
        frame.drain(head..head + FILE_HEAD);
        size += write_chunk(out, b"ANMF", &frame)?;
        if size > u64::from(u32::MAX) {
            return Err(io::Error::other("a WebP file is limited to 4 GiB: use fewer or smaller images"));
        }
    }
    let end = out.stream_position()?;
    out.seek(SeekFrom::Start(start + SIZE_AT))?;
    out.write_all(&(size as u32).to_le_bytes())?;
    if has_alpha {
        out.seek(SeekFrom::Start(start + FLAGS_AT))?;
        out.write_all(&[ANIMATION | ALPHA])?;
    }
    out.seek(SeekFrom::Start(end))?;
    Ok(())
}

/// The lowest three bytes, the lowest first.
fn three_bytes(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
}

/// Writes a chunk; how many bytes it took. Chunks begin at even offsets.
fn write_chunk(out: &mut impl Write, name: &[u8; 4], data: &[u8]) -> io::Result<u64> {
    let len = u32::try_from(data.len()).map_err(io::Error::other)?;
    out.write_all(name)?;
    out.write_all(&len.to_le_bytes())?;
    out.write_all(data)?;
    if len % 2 == 1 {
        out.write_all(&[0])?;
    }
    Ok(8 + u64::from(len) + u64::from(len % 2))
}
