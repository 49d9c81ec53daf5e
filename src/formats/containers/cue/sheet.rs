//! The contents of a cue sheet: files and the tracks in them. Audio tracks are CD samples with the header of a WAV file
//! (formats/containers.md §9.6).

use crate::{
    bytes::text,
    formats::containers::{
        codes,
        contents::{Reading, Trouble},
    },
};
use std::ops::Range;

/// Frames of a second of audio; a sector of a CD is one.
const FRAMES: u64 = 75;
/// Bytes of a sector of audio.
const AUDIO: u64 = 2352;
/// The most tracks that a CD has.
const MAX_TRACKS: usize = 99;

/// The lines of a sheet, each with its bytes in it, up to where the next one begins.
pub fn lines(sheet: &[u8]) -> impl Iterator<Item = (&[u8], Range<u64>)> {
    let mut at = 0_u64;
    sheet.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let start = at;
        at = at.saturating_add(line.len() as u64);
        (line, start..at)
    })
}

/// The keyword of a line, and what follows it.
pub fn parts(line: &str) -> (&str, &str) {
    let line = line.trim_start_matches('\u{FEFF}').trim();
    let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (keyword, rest.trim())
}

/// What lies in a file of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Audio,
    /// Sectors of so many bytes that hold data.
    Data(u64),
}

impl Mode {
    /// `MODE1/2352`, `AUDIO`.
    fn of(text: &str) -> Option<Self> {
        let text = text.to_ascii_uppercase();
        if text == "AUDIO" {
            return Some(Self::Audio);
        }
        let (mode, size) = text.split_once('/')?;
        let size = size.parse().ok().filter(|size| [2048, 2324, 2336, 2352, 2448].contains(size))?;
        matches!(mode, "MODE1" | "MODE2" | "CDI").then_some(Self::Data(size))
    }

    pub fn sector(self) -> u64 {
        match self {
            Self::Audio => AUDIO,
            Self::Data(size) => size,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Track {
    pub number: u32,
    pub mode: Mode,
    /// Where the gap before it begins, in sectors from the start of its file.
    pub gap: Option<u64>,
    /// Where it begins itself.
    pub start: Option<u64>,
    /// Of its line in the sheet.
    pub line: Range<u64>,
}

impl Track {
    /// The first sector of its file that is its own.
    fn first(&self) -> Option<u64> {
        self.gap.or(self.start)
    }
}

/// A file that the sheet names, with its tracks in order.
#[derive(Clone, Debug)]
pub struct Named {
    /// Without folders: they are those of the machine where the sheet was made.
    pub name: String,
    /// `BINARY`
    pub kind: String,
    pub tracks: Vec<Track>,
    pub line: Range<u64>,
}

impl Named {
    /// Where the tracks lie, in bytes of the file, which has `size`. One whose place says nothing is reported and left out.
    pub fn places(&self, size: u64, cx: &mut Reading<'_>) -> Vec<(&Track, Range<u64>)> {
        let mut places: Vec<(&Track, Range<u64>)> = Vec::new();
        // Where the last known sector is, in bytes, and how large those from there on are.
        let (mut sector, mut at, mut width) = (0_u64, 0_u64, None);
        for track in &self.tracks {
            let (Some(first), Some(start)) = (track.first(), track.start) else {
                let message = format!("track {} has no INDEX 01, which marks its start", track.number);
                cx.report(Trouble::new(&codes::TABLE, track.line.start, message));
                continue;
            };
            let own = track.mode.sector();
            let (Some(before), Some(gap)) = (first.checked_sub(sector), start.checked_sub(first)) else {
                let message = format!("track {} begins before the previous track", track.number);
                cx.report(Trouble::new(&codes::TABLE, track.line.start, message));
                continue;
            };
            let edge = at.saturating_add(before.saturating_mul(width.unwrap_or(own)));
            if let Some((_, place)) = places.last_mut() {
                place.end = edge.min(size);
            }
            let begin = edge.saturating_add(gap.saturating_mul(own));
            (sector, at, width) = (start, begin, Some(own));
            if begin >= size {
                let message = format!(
                    "track {} begins at offset {begin}, but “{}” has {size} bytes",
                    track.number,
                    self.name.escape_debug()
                );
                cx.report(Trouble::new(&codes::TRUNCATED, track.line.start, message));
            }
            places.push((track, begin.min(size)..size));
        }
        places.retain(|(_, place)| place.start < place.end);
        places
    }
}

/// Reads a sheet; what cannot be followed is reported and left out.
pub fn read(sheet: &[u8], cx: &mut Reading<'_>) -> Vec<Named> {
    let mut files: Vec<Named> = Vec::new();
    let mut count = 0_usize;
    // The last FILE and the last TRACK are among them: what follows one that is not belongs to nothing else.
    let (mut has_file, mut has_track) = (true, true);
    for (line, range) in lines(sheet) {
        let line = text::decode(line);
        let (keyword, rest) = parts(&line);
        let odd = |message: String| Trouble::new(&codes::TABLE, range.start, message);
        match keyword.to_ascii_uppercase().as_str() {
            "FILE" => {
                (has_file, has_track) = (false, false);
                match file(rest) {
                    Some((name, kind)) if files.len() < MAX_TRACKS => {
                        let (name, kind) = (name.to_owned(), kind.to_ascii_uppercase());
                        files.push(Named { name, kind, tracks: Vec::new(), line: range });
                        (has_file, has_track) = (true, true);
                    }
                    Some(_) => cx.report(odd(format!("the cue sheet refers to more than {MAX_TRACKS} files"))),
                    None => cx.report(odd("a FILE line has no name or no type".to_owned())),
                }
            }
            "TRACK" if has_file => {
                count = count.saturating_add(1);
                has_track = false;
                match (track(rest, range.clone()), files.last_mut()) {
                    (Some(track), Some(file)) if count <= MAX_TRACKS => {
                        file.tracks.push(track);
                        has_track = true;
                    }
                    (Some(_), Some(_)) => cx.report(odd(format!("the cue sheet has more than {MAX_TRACKS} tracks"))),
                    (Some(_), None) => cx.report(odd("a TRACK line must follow a FILE line".to_owned())),
                    (None, _) => {
                        let rest = rest.chars().take(40).collect::<String>();
                        cx.report(odd(format!("invalid TRACK line: “{}”", rest.escape_debug())));
                    }
                }
            }
            "INDEX" if has_track => {
                let found = files.last_mut().and_then(|file| file.tracks.last_mut()).zip(index(rest));
                match found {
                    Some((track, (0, sector))) => track.gap = Some(sector),
                    Some((track, (1, sector))) => track.start = Some(sector),
                    // Further ones are marks within a track.
                    Some(_) => {}
                    None => cx.report(odd("an INDEX line has an invalid number or time".to_owned())),
                }
            }
            _ => {}
        }
    }
    files
}

/// `"My game.bin" BINARY`
fn file(text: &str) -> Option<(&str, &str)> {
    let (name, kind) = match text.strip_prefix('"') {
        Some(rest) => rest.rsplit_once('"')?,
        None => text.rsplit_once(char::is_whitespace)?,
    };
    let name = name.trim().rsplit(['/', '\\']).next().unwrap_or_default();
    let kind = kind.trim();
    (!name.is_empty() && !kind.is_empty()).then_some((name, kind))
}

/// `01 MODE1/2352`
fn track(text: &str, line: Range<u64>) -> Option<Track> {
    let (number, mode) = text.split_once(char::is_whitespace)?;
    let (number, mode) = (number.parse().ok()?, Mode::of(mode.trim())?);
    Some(Track { number, mode, gap: None, start: None, line })
}

/// `01 00:02:00`: its number, and the sector.
fn index(text: &str) -> Option<(u32, u64)> {
    let (number, time) = text.split_once(char::is_whitespace)?;
    let mut parts = time.trim().split(':').map(|part| part.parse::<u32>().ok().map(u64::from));
    let (minutes, seconds, frames) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() {
        return None;
    }
    let seconds = minutes.saturating_mul(60).saturating_add(seconds);
    Some((number.parse().ok()?, seconds.saturating_mul(FRAMES).saturating_add(frames)))
}

/// Samples of a second, in each of two channels of two bytes.
const RATE: u32 = 44_100;
const CHANNELS: u16 = 2;
const SAMPLE: u16 = 2;
/// Bytes of the header.
pub const HEADER: u64 = 44;

/// What stands before `size` bytes of samples.
pub fn header(size: u64) -> Vec<u8> {
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    let frame = CHANNELS.saturating_mul(SAMPLE);
    let mut bytes = b"RIFF".to_vec();
    bytes.extend(size.saturating_add(36).to_le_bytes());
    bytes.extend(b"WAVEfmt ");
    bytes.extend(16_u32.to_le_bytes());
    bytes.extend([1, CHANNELS].map(u16::to_le_bytes).as_flattened());
    bytes.extend([RATE, RATE.saturating_mul(u32::from(frame))].map(u32::to_le_bytes).as_flattened());
    bytes.extend([frame, SAMPLE.saturating_mul(8)].map(u16::to_le_bytes).as_flattened());
    bytes.extend(b"data");
    bytes.extend(size.to_le_bytes());
    bytes
}

/// `Track 02 (3m45s).wav`
pub fn name(number: u32, size: u64) -> String {
    let seconds = size / AUDIO / FRAMES;
    format!("Track {number:02} ({}m{:02}s).wav", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::MemberLimits;

    fn sheet(text: &str) -> (Vec<Named>, Vec<&'static str>) {
        let limits = MemberLimits::default();
        let mut cx = Reading::new("a.cue", &limits);
        let files = read(text.as_bytes(), &mut cx);
        (files, cx.into_troubles().iter().map(|trouble| trouble.code.id).collect())
    }

    fn places(file: &Named, size: u64) -> (Vec<(u32, Range<u64>)>, Vec<String>) {
        let limits = MemberLimits::default();
        let mut cx = Reading::new("a.cue", &limits);
        let places = file.places(size, &mut cx).into_iter().map(|(track, place)| (track.number, place)).collect();
        (places, cx.into_troubles().into_iter().map(|trouble| trouble.message).collect())
    }

    #[test]
    fn files_and_their_tracks_are_read_whatever_the_spaces_are() {
        let text = "REM made\r\nfile \"C:\\discs\\My \"best\" game.bin\" binary\r\n  TRACK 01 MODE1/2352\r\n    INDEX 01 00:00:00\r\n\
            \tTRACK 2 audio\r\n    PREGAP 00:02:00\r\n    INDEX 00 00:10:00\r\n    INDEX 01 00:12:05\r\n    INDEX 02 00:13:00\r\n\
            FILE last.bin MOTOROLA\n  TRACK 03 MODE2/2336\n    INDEX 01 01:00:74";
        let (files, troubles) = sheet(text);
        assert_eq!(troubles, Vec::<&str>::new());
        let named: Vec<(&str, &str)> = files.iter().map(|file| (file.name.as_str(), file.kind.as_str())).collect();
        assert_eq!(named, [("My \"best\" game.bin", "BINARY"), ("last.bin", "MOTOROLA")]);
        let tracks: Vec<_> =
            files.iter().flat_map(|file| &file.tracks).map(|t| (t.number, t.mode, t.gap, t.start)).collect();
        let expected = [
            (1, Mode::Data(2352), None, Some(0)),
            (2, Mode::Audio, Some(750), Some(905)),
            (3, Mode::Data(2336), None, Some(4574)),
        ];
        assert_eq!(tracks, expected);
    }

    #[test]
    fn tracks_lie_one_after_the_other_each_in_sectors_of_its_own_size() {
        let (files, _) = sheet(
            "FILE a.bin BINARY\nTRACK 1 MODE1/2048\nINDEX 1 0:0:0\nTRACK 2 AUDIO\nINDEX 0 0:0:10\nINDEX 1 0:0:12\n\
             TRACK 3 AUDIO\nINDEX 1 0:0:20",
        );
        let first_audio = 10 * 2048;
        let (second, third) = (first_audio + 2 * 2352, first_audio + 10 * 2352);
        let size = third + 5 * 2352;
        assert_eq!(places(&files[0], size).0, [(1, 0..first_audio), (2, second..third), (3, third..size)]);
        // The file ends within the second, and before the third.
        let (cut, troubles) = places(&files[0], second + 100);
        assert_eq!(cut, [(1, 0..first_audio), (2, second..second + 100)]);
        assert_eq!(troubles, [format!("track 3 begins at offset {third}, but “a.bin” has {} bytes", second + 100)]);
        assert!(places(&files[0], 0).0.is_empty());
    }

    #[test]
    fn what_cannot_be_followed_is_left_out_and_said() {
        let (files, troubles) = sheet(
            "TRACK 01 AUDIO\nFILE\nFILE a.bin BINARY\nINDEX 01 00:00:00\nTRACK 01 MODE9/1\nTRACK x AUDIO\n\
             TRACK 01 AUDIO\nINDEX 01 00:00\nINDEX 01 00:00:00:00\nINDEX 01 99999999999:0:0",
        );
        assert_eq!(troubles, ["container.table-invalid"; 8]);
        assert_eq!((files.len(), files[0].tracks.len()), (1, 1));
        let (found, said) = places(&files[0], 1 << 20);
        assert!(found.is_empty() && said == ["track 1 has no INDEX 01, which marks its start"], "{said:?}");
        // Times that run backwards, and the largest that can be written.
        let (files, troubles) = sheet(
            "FILE a.bin BINARY\nTRACK 1 AUDIO\nINDEX 1 0:0:9\nTRACK 2 AUDIO\nINDEX 1 0:0:8\nTRACK 3 AUDIO\nINDEX 0 0:0:10\n\
             INDEX 1 0:0:9\nTRACK 4 AUDIO\nINDEX 1 4294967295:4294967295:4294967295",
        );
        assert_eq!(troubles, Vec::<&str>::new());
        let (found, said) = places(&files[0], 20 * AUDIO);
        assert_eq!((found, said.len()), (vec![(1, 9 * AUDIO..20 * AUDIO)], 3));
        let many = format!("FILE a.bin BINARY\n{}", "TRACK 01 AUDIO\n".repeat(102));
        assert_eq!((sheet(&many).0[0].tracks.len(), sheet(&many).1.len()), (99, 3));
    }

    #[test]
    fn names_say_the_number_and_the_length() {
        assert_eq!(name(2, 225 * FRAMES * AUDIO), "Track 02 (3m45s).wav");
        assert_eq!(name(99, 100), "Track 99 (0m00s).wav");
    }

    #[test]
    fn a_header_says_how_the_samples_are() {
        let bytes = header(1000);
        assert_eq!(bytes.len() as u64, HEADER);
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((number(4), number(16), number(24), number(28), number(40)), (1036, 16, 44_100, 176_400, 1000));
        assert_eq!(&bytes[20..24], [1, 0, 2, 0]);
        assert_eq!(&bytes[32..40], b"\x04\0\x10\0data");
    }
}
