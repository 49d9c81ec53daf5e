//! Sampled sounds for every family that holds them: RIFF/WAVE is decoded, compressed recordings are told apart by content.

mod chunks;

use crate::{
    bytes::{OutOfBytes, Reader, numbers::counted, text},
    scene::{Pcm, Sound},
};
use chunks::{Chunk, chunks};
use std::{ops::Range, sync::Arc};

const PCM: u16 = 1;
const FLOAT: u16 = 3;
const EXTENSIBLE: u16 = 0xFFFE;

/// The encoding of a recording by its content and the extension of its files.
pub fn sniff(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    match bytes {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => Some(("WAV", "wav")),
        [b'O', b'g', b'g', b'S', ..] => Some(("Ogg", "ogg")),
        [b'f', b'L', b'a', b'C', ..] => Some(("FLAC", "flac")),
        [b'I', b'D', b'3', ..] => Some(("MP3", "mp3")),
        [0xFF, second, third, ..] => mpeg(*second, *third),
        _ => None,
    }
}

/// A frame of MPEG audio by its second and third byte: eleven set bits were before; versions, layers and rates that do not
/// exist are none.
fn mpeg(second: u8, third: u8) -> Option<(&'static str, &'static str)> {
    let exists = second & 0xE0 == 0xE0 && second & 0x18 != 0x08 && third & 0xF0 != 0xF0 && third & 0x0C != 0x0C;
    match (second >> 1) & 3 {
        1 if exists => Some(("MP3", "mp3")),
        2 if exists => Some(("MP2", "mp2")),
        _ => None,
    }
}

/// A sound from its bytes, whatever they are: what cannot be decoded says so in [`Sound::problem`].
pub fn sound(name: &str, bytes: Arc<[u8]>) -> Sound {
    let (encoding, extension) = sniff(&bytes).unwrap_or(("", "bin"));
    let mut sound = Sound {
        name: name.to_owned(),
        encoding,
        extension,
        bytes: bytes.clone(),
        pcm: None,
        loops: Vec::new(),
        cues: Vec::new(),
        facts: Vec::new(),
        problem: None,
    };
    match encoding {
        "WAV" => wave(&bytes, &mut sound),
        "" if bytes.is_empty() => {
            sound.problem = Some("the sound is empty: dedicated-server packages contain no sounds".to_owned());
        }
        "" => sound.problem = Some(format!("unknown encoding: the data starts with {}", start_of(&bytes))),
        known => {
            sound.facts.push(("Encoding".to_owned(), known.to_owned()));
            sound.problem = Some(format!(
                "{known} cannot be played in Bonebox. Export the file as .{extension} to play it in another program"
            ));
        }
    }
    sound
}

/// The first bytes in hexadecimal.
fn start_of(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().take(8).map(|b| format!("{b:02X}")).collect();
    digits.join(" ")
}

/// What a `fmt ` chunk says.
#[derive(Clone, Copy, Debug)]
struct Layout {
    tag: u16,
    channels: u16,
    rate_hz: u32,
    bits: u16,
}

impl Layout {
    fn read(body: &[u8]) -> Result<Self, OutOfBytes> {
        let mut reader = Reader::little(body);
        let (mut tag, channels, rate_hz) = (reader.u16()?, reader.u16()?, reader.u32()?);
        reader.skip(6)?;
        let bits = reader.u16()?;
        if tag == EXTENSIBLE && reader.left() >= 10 {
            // Extra size, valid bits and speakers; then an identifier that starts with the plain tag.
            reader.skip(8)?;
            tag = reader.u16()?;
        }
        Ok(Self { tag, channels, rate_hz, bits })
    }

    fn name(self) -> &'static str {
        match self.tag {
            PCM => "PCM",
            FLOAT => "float",
            0x02 => "Microsoft ADPCM",
            0x06 => "A-law",
            0x07 => "µ-law",
            0x11 => "IMA ADPCM",
            0x50 => "MP2",
            0x55 => "MP3",
            _ => "unknown encoding",
        }
    }
}

fn wave(bytes: &[u8], sound: &mut Sound) {
    let (mut layout, mut data, mut names) = (None, None, Vec::new());
    let (mut loops, mut cues) = (Vec::new(), Vec::new());
    for chunk in chunks(bytes) {
        if names.len() < 16 {
            names.push(chunk.name());
        }
        match &chunk.id {
            b"fmt " if layout.is_none() => layout = Layout::read(chunk.body).ok(),
            b"data" if data.is_none() => data = Some(chunk),
            b"smpl" if loops.is_empty() => loops = sample_loops(chunk.body),
            b"cue " if cues.is_empty() => cues = cue_points(chunk.body),
            b"LIST" => sound.facts.extend(information(chunk.body)),
            _ => {}
        }
    }
    let (Some(layout), Some(data)) = (layout, data) else {
        let missing = if layout.is_none() { "fmt" } else { "data" };
        sound.problem = Some(format!("the WAV file has no complete “{missing}” chunk"));
        return;
    };
    let mut facts = vec![("Encoding".to_owned(), format!("{}, {}-bit", layout.name(), layout.bits))];
    facts.push(("Channels".to_owned(), channel_text(layout.channels)));
    facts.push(("Sample rate".to_owned(), format!("{} Hz", layout.rate_hz)));
    match decode(layout, data.body) {
        Ok(pcm) => {
            let frames = pcm.frames();
            facts.push((
                "Length".to_owned(),
                format!("{:.3} s, {}", pcm.duration_secs(), counted(frames, "sample frame")),
            ));
            sound.loops = loops.into_iter().filter_map(|l| inside(&l, frames)).collect();
            sound.cues = cues.into_iter().filter(|cue| *cue < frames).collect();
            sound.pcm = Some(Arc::new(pcm));
        }
        Err(problem) => sound.problem = Some(problem),
    }
    if let Some(missing) = data.missing() {
        sound.problem.get_or_insert(format!("the WAV file ends too early: {missing} bytes of sample data are missing"));
    }
    facts.append(&mut sound.facts);
    facts.push(("Chunks".to_owned(), names.join(", ")));
    sound.facts = facts;
}

fn channel_text(channels: u16) -> String {
    match channels {
        1 => "mono".to_owned(),
        2 => "stereo".to_owned(),
        n => n.to_string(),
    }
}

/// A loop with the part of it that lies in `frames`.
fn inside(range: &Range<usize>, frames: usize) -> Option<Range<usize>> {
    let cut = range.start..range.end.min(frames);
    (!cut.is_empty()).then_some(cut)
}

/// Samples to 16 bits. A sample frame that is cut off at the end is left out.
fn decode(layout: Layout, data: &[u8]) -> Result<Pcm, String> {
    let Layout { tag, channels, rate_hz, bits } = layout;
    if channels == 0 || channels > 64 || rate_hz == 0 || rate_hz > 1_000_000 {
        return Err(format!("sounds with {} at {rate_hz} Hz are not supported", counted(channels, "channel")));
    }
    // Twelve bits are stored in sixteen, twenty in twenty-four, the value in the upper ones.
    let samples: Vec<i16> = match (tag, bits) {
        (PCM, 1..=8) => data.iter().map(|byte| i16::from(byte ^ 0x80).wrapping_shl(8)).collect(),
        (PCM, 9..=16) => data.as_chunks::<2>().0.iter().map(|b| i16::from_le_bytes(*b)).collect(),
        (PCM, 17..=24) => {
            data.as_chunks::<3>().0.iter().map(|[_, low, high]| i16::from_le_bytes([*low, *high])).collect()
        }
        (PCM, 25..=32) => {
            data.as_chunks::<4>().0.iter().map(|[.., low, high]| i16::from_le_bytes([*low, *high])).collect()
        }
        (FLOAT, 32) => data.as_chunks::<4>().0.iter().map(|b| from_float(f32::from_le_bytes(*b))).collect(),
        (FLOAT, 64) => data.as_chunks::<8>().0.iter().map(|b| from_float(f64::from_le_bytes(*b) as f32)).collect(),
        _ => return Err(format!("{bits}-bit {} (format {tag}) is not supported", layout.name())),
    };
    let mut pcm = Pcm { channels, rate_hz, samples };
    let whole = pcm.frames().saturating_mul(usize::from(channels));
    pcm.samples.truncate(whole);
    Ok(pcm)
}

/// −1 … 1 to 16 bits; what is louder is cut off, what is no number is silent.
fn from_float(value: f32) -> i16 {
    (value * 32_768.0).round() as i16
}

/// The loops of a `smpl` chunk, ends not included.
fn sample_loops(body: &[u8]) -> Vec<Range<usize>> {
    let mut reader = Reader::little(body);
    if reader.skip(28).is_err() {
        return Vec::new();
    }
    let Ok(count) = reader.u32() else { return Vec::new() };
    let _ = reader.skip(4);
    let one = |reader: &mut Reader<'_>| -> Option<Range<usize>> {
        reader.skip(8).ok()?;
        let (first, last) = (reader.u32().ok()? as usize, reader.u32().ok()? as usize);
        reader.skip(8).ok()?;
        Some(first..last.saturating_add(1))
    };
    (0..reader.whole_records(u64::from(count), 24)).map_while(|_| one(&mut reader)).collect()
}

/// The sample frames that a `cue ` chunk marks.
fn cue_points(body: &[u8]) -> Vec<usize> {
    let mut reader = Reader::little(body);
    let Ok(count) = reader.u32() else { return Vec::new() };
    let one = |reader: &mut Reader<'_>| -> Option<usize> {
        reader.skip(20).ok()?;
        Some(reader.u32().ok()? as usize)
    };
    (0..reader.whole_records(u64::from(count), 24)).map_while(|_| one(&mut reader)).collect()
}

/// The texts of a `LIST` chunk of kind `INFO`.
fn information(body: &[u8]) -> Vec<(String, String)> {
    let Some(list) = body.strip_prefix(b"INFO") else { return Vec::new() };
    let named = |chunk: Chunk<'_>| {
        let name = match &chunk.id {
            b"INAM" => "Title",
            b"IART" => "Artist",
            b"ICMT" => "Comment",
            b"ICOP" => "Copyright",
            b"ICRD" => "Date",
            b"IENG" => "Engineer",
            b"ISFT" => "Software",
            _ => return None,
        };
        let value = text::decode_field(chunk.body);
        (!value.is_empty()).then(|| (name.to_owned(), value))
    };
    chunks::walk(list).filter_map(named).take(16).collect()
}

#[cfg(test)]
mod tests;
