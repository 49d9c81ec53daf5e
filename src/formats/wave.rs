//! Sampled sounds for every family that holds them: RIFF/WAVE is decoded, compressed recordings are told apart by
//! content.

use crate::{
    bytes::{OutOfBytes, Reader, numbers::counted, text},
    scene::{Pcm, Sound},
};
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
    walk(list).filter_map(named).take(16).collect()
}

/// A chunk as far as it is there.
#[derive(Clone, Copy, Debug)]
struct Chunk<'a> {
    pub id: [u8; 4],
    /// Bytes that its header claims.
    pub size: u32,
    pub body: &'a [u8],
}

impl Chunk<'_> {
    pub fn name(&self) -> String {
        let letter = |b: &u8| if b.is_ascii_graphic() { char::from(*b) } else { ' ' };
        self.id.iter().map(letter).collect::<String>().trim().to_owned()
    }

    /// Bytes that are claimed and not there.
    pub fn missing(&self) -> Option<usize> {
        (self.size as usize).checked_sub(self.body.len()).filter(|missing| *missing > 0)
    }
}

/// The chunks of a whole RIFF/WAVE file. The size in its header is not trusted: the file's own end counts.
fn chunks(file: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    walk(file.get(12..).unwrap_or_default())
}

/// Chunks one after the other; the last may claim more than there is.
fn walk(bytes: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    let mut reader = Reader::little(bytes);
    std::iter::from_fn(move || {
        let (id, size) = (reader.array::<4>().ok()?, reader.u32().ok()?);
        let there = reader.left().min(size as usize);
        let body = reader.bytes(there).ok()?;
        // Chunks start at even offsets.
        let _ = reader.skip(there & 1);
        Some(Chunk { id, size, body })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(id: &[u8; 4], body: &[u8]) -> Vec<u8> {
        let mut bytes = id.to_vec();
        bytes.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
        bytes.extend(body);
        bytes.resize(bytes.len() + (body.len() & 1), 0);
        bytes
    }

    fn format(tag: u16, channels: u16, rate_hz: u32, bits: u16) -> Vec<u8> {
        let frame = channels * bits.div_ceil(8);
        let mut body = Vec::new();
        body.extend(tag.to_le_bytes());
        body.extend(channels.to_le_bytes());
        body.extend(rate_hz.to_le_bytes());
        body.extend((rate_hz * u32::from(frame)).to_le_bytes());
        body.extend(frame.to_le_bytes());
        body.extend(bits.to_le_bytes());
        chunk(b"fmt ", &body)
    }

    fn riff(parts: &[Vec<u8>]) -> Arc<[u8]> {
        let mut bytes = b"RIFF\0\0\0\0WAVE".to_vec();
        bytes.extend(parts.concat());
        let size = u32::try_from(bytes.len() - 8).unwrap();
        bytes[4..8].copy_from_slice(&size.to_le_bytes());
        bytes.into()
    }

    fn sampler(loops: &[(u32, u32)]) -> Vec<u8> {
        let mut body = vec![0; 28];
        body.extend(u32::try_from(loops.len()).unwrap().to_le_bytes());
        body.extend([0; 4]);
        for (first, last) in loops {
            body.extend([0; 8]);
            body.extend(first.to_le_bytes());
            body.extend(last.to_le_bytes());
            body.extend([0; 8]);
        }
        chunk(b"smpl", &body)
    }

    fn samples(sound: &Sound) -> Vec<i16> {
        sound.pcm.as_ref().unwrap().samples.clone()
    }

    #[test]
    fn every_depth_gives_the_same_levels() {
        let half = 0.5_f32;
        let cases: [(u16, u16, Vec<u8>); 6] = [
            (PCM, 8, vec![0x80, 0xC0, 0x00]),
            (PCM, 16, [0_i16, 0x4000, -0x8000].iter().flat_map(|v| v.to_le_bytes()).collect()),
            (PCM, 24, vec![0, 0, 0, 0, 0, 0x40, 0, 0, 0x80]),
            (PCM, 32, [0_i32, 0x4000_0000, i32::MIN].iter().flat_map(|v| v.to_le_bytes()).collect()),
            (FLOAT, 32, [0.0, half, -1.0].iter().flat_map(|v| v.to_le_bytes()).collect()),
            (FLOAT, 64, [0.0, 0.5, -1.0_f64].iter().flat_map(|v| v.to_le_bytes()).collect()),
        ];
        for (tag, bits, data) in cases {
            let sound = sound("x", riff(&[format(tag, 1, 22_050, bits), chunk(b"data", &data)]));
            assert_eq!(samples(&sound), [0, 0x4000, -0x8000], "{tag} {bits}");
            assert_eq!((sound.encoding, sound.extension), ("WAV", "wav"));
            assert_eq!(sound.problem, None);
        }
    }

    #[test]
    fn loud_and_broken_floats_stay_in_range() {
        assert_eq!([1.5, -3.0, f32::NAN, f32::INFINITY].map(from_float), [i16::MAX, i16::MIN, 0, i16::MAX]);
    }

    #[test]
    fn an_extensible_header_says_what_it_holds() {
        let mut body = format(EXTENSIBLE, 2, 44_100, 16)[8..].to_vec();
        body.extend([22, 0, 16, 0, 3, 0, 0, 0, 1, 0]);
        body.extend([0; 14]);
        let sound = sound("x", riff(&[chunk(b"fmt ", &body), chunk(b"data", &[1, 0, 2, 0, 3, 0])]));
        let pcm = sound.pcm.unwrap();
        // The third sample has no partner.
        assert_eq!((pcm.channels, pcm.rate_hz, &*pcm.samples), (2, 44_100, &[1, 2][..]));
    }

    #[test]
    fn loops_cues_and_texts_are_found_in_any_order_and_kept_inside() {
        let mut cue = 1_u32.to_le_bytes().to_vec();
        cue.extend([0; 20]);
        cue.extend(2_u32.to_le_bytes());
        let list = [b"INFO".to_vec(), chunk(b"INAM", b"Door\0"), chunk(b"IZZZ", b"?")].concat();
        let sound = sound(
            "x",
            riff(&[
                chunk(b"PAD ", &[0; 3]),
                sampler(&[(1, 2), (3, 900), (7, 9), (3, 2)]),
                format(PCM, 1, 11_025, 8),
                chunk(b"data", &[0x80; 5]),
                chunk(b"LIST", &list),
                chunk(b"cue ", &cue),
            ]),
        );
        assert_eq!(sound.loops, [1..3, 3..5]);
        assert_eq!(sound.cues, [2]);
        let fact = |name: &str| sound.facts.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        assert_eq!(fact("Title"), Some("Door"));
        assert_eq!(fact("Encoding"), Some("PCM, 8-bit"));
        assert_eq!(fact("Chunks"), Some("PAD, smpl, fmt, data, LIST, cue"));
        assert_eq!(fact("Length"), Some("0.000 s, 5 sample frames"));
    }

    #[test]
    fn a_chunk_past_the_end_is_clamped_and_said() {
        let mut bytes = riff(&[format(PCM, 1, 8_000, 8), chunk(b"data", &[0x80; 4])]).to_vec();
        let at = bytes.len() - 8;
        bytes[at..at + 4].copy_from_slice(&1000_u32.to_le_bytes());
        let sound = sound("x", bytes.into());
        assert_eq!(sound.pcm.unwrap().frames(), 4);
        assert!(sound.problem.unwrap().contains("996 bytes"));
    }

    #[test]
    fn recordings_are_told_apart_by_content() {
        assert_eq!(sniff(b"OggS\0\x02"), Some(("Ogg", "ogg")));
        assert_eq!(sniff(b"fLaC\0\0"), Some(("FLAC", "flac")));
        assert_eq!(sniff(b"ID3\x03"), Some(("MP3", "mp3")));
        assert_eq!(sniff(&[0xFF, 0xFB, 0x90, 0]), Some(("MP3", "mp3")));
        assert_eq!(sniff(&[0xFF, 0xFD, 0x90, 0]), Some(("MP2", "mp2")));
        // No such version, layer, bit rate, sample rate.
        for bytes in
            [[0xFF, 0xEB, 0x90], [0xFF, 0xF9, 0x90], [0xFF, 0xFB, 0xF0], [0xFF, 0xFB, 0x9C], [0xFF, 0xFF, 0xFF]]
        {
            assert_eq!(sniff(&bytes), None, "{bytes:02X?}");
        }
        assert_eq!(sniff(b"RIFF"), None);
        let ogg = sound("x", b"OggS etc".to_vec().into());
        assert!(ogg.pcm.is_none() && ogg.problem.unwrap().contains(".ogg"));
        assert!(sound("x", Vec::new().into()).problem.unwrap().contains("no sounds"));
        assert!(sound("x", b"\x01\x02".to_vec().into()).problem.unwrap().contains("01 02"));
    }

    #[test]
    fn codings_that_are_not_decoded_are_named() {
        let adpcm = sound("x", riff(&[format(0x11, 1, 22_050, 4), chunk(b"data", &[0; 8])]));
        assert_eq!(adpcm.problem.unwrap(), "4-bit IMA ADPCM (format 17) is not supported");
        for (channels, rate_hz) in [(0, 8_000), (65, 8_000), (1, 0)] {
            let silent = sound("x", riff(&[format(PCM, channels, rate_hz, 8), chunk(b"data", &[0; 8])]));
            assert!(silent.pcm.is_none() && silent.problem.is_some());
        }
    }

    /// Cut at every length and with every byte set to its extremes: a sound or a sentence, never more samples than bytes.
    #[test]
    fn damage_is_survived() {
        let whole = riff(&[
            format(PCM, 2, 22_050, 16),
            sampler(&[(0, 3)]),
            chunk(b"data", &[1; 16]),
            chunk(b"LIST", &[b"INFO".to_vec(), chunk(b"ISFT", b"x")].concat()),
        ]);
        let check = |bytes: Vec<u8>| {
            let size = bytes.len();
            let sound = sound("x", bytes.into());
            assert!(sound.pcm.is_some() || sound.problem.is_some());
            assert!(sound.pcm.is_none_or(|pcm| pcm.samples.len() <= size));
        };
        for cut in 0..whole.len() {
            check(whole[..cut].to_vec());
        }
        for at in 0..whole.len() {
            for value in [0, 0x7F, 0x80, 0xFF] {
                let mut bytes = whole.to_vec();
                bytes[at] = value;
                check(bytes);
            }
        }
    }
}
