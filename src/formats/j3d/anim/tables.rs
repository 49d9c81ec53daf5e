//! The header and the tables of an animation chunk: the start of each table, its maximum length, and the bytes that are
//! already assigned.

use super::track::{Bank, Element, Track, read_bank};
use crate::{
    bytes::numbers::counted,
    formats::{
        claims::Claims,
        field_reader::{Fault, FieldReader},
        j3d::{codes, file::Findings, names},
    },
    scene::{Clip, ClipEnd, JointAddressing, LoopMode},
};

/// How long an animation is, and what it does at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// 0 to 4 (formats/j3d.md §3.4).
    pub loop_mode: u8,
    /// Rotations are shifted left by it; 0 where the format has none.
    pub rotation_shift: u8,
    /// Frames; it rules, whatever keys there are.
    pub duration: u16,
}

/// Frames a second that such files are played at mostly; nothing in them says so.
const RATE_HZ: f32 = 30.0;

/// Returns the name of a loop mode (formats/j3d.md §3.4); `None` for an unknown mode.
pub fn loop_mode_name(mode: u8) -> Option<&'static str> {
    match mode {
        0 => Some("once"),
        1 => Some("once, then reset"),
        2 => Some("loop"),
        3 => Some("back and forth once"),
        4 => Some("back and forth"),
        _ => None,
    }
}

/// Loop mode, shift and duration. `shifts` says that the byte after the loop mode is a rotation shift, `padding` how many bytes of
/// nothing come before the duration otherwise.
pub fn read_header(
    r: &mut FieldReader<'_>,
    shifts: bool,
    padding: usize,
    findings: &mut Findings,
) -> Result<Header, Fault> {
    let at = r.offset();
    let loop_mode = r.named_u8("LoopMode", loop_mode_name)?;
    if loop_mode_name(loop_mode).is_none() {
        findings.add(&codes::LOOP_MODE, Some(at), format!("unknown loop mode {loop_mode}; the clip loops"));
    }
    let rotation_shift = if shifts {
        r.u8("RotationShift")?
    } else {
        r.pad(padding)?;
        0
    };
    Ok(Header { loop_mode, rotation_shift, duration: r.u16("Duration")? })
}

impl Header {
    /// A clip of this length without channels.
    pub fn clip(&self, name: &str) -> Clip {
        Clip {
            name: name.to_owned(),
            frame_count: u32::from(self.duration),
            rate_hz: RATE_HZ,
            rate_is_assumed: true,
            end: ClipEnd::Duration,
            default_loop: match self.loop_mode {
                0 => LoopMode::Once,
                1 => LoopMode::OnceReset,
                3 => LoopMode::OnceForthAndBack,
                4 => LoopMode::PingPong,
                _ => LoopMode::Loop,
            },
            addressing: JointAddressing::ByPlace { driven: 0 },
            ..Clip::default()
        }
    }
}

/// The tables of one chunk while they are read. Files share and overlap tables; each byte becomes one field of its own, what
/// shows it again is mirrored.
pub struct Tables<'f> {
    /// Chunk-relative, as the header gives them.
    starts: Vec<u32>,
    claims: Claims,
    pub findings: &'f mut Findings,
}

impl<'f> Tables<'f> {
    /// `starts` are the offsets of all tables of the chunk; the header was read up to the cursor.
    pub fn new(r: &FieldReader<'_>, starts: &[u32], findings: &'f mut Findings) -> Self {
        let mut claims = Claims::default();
        claims.cover(r.range().start..r.offset());
        Self { starts: starts.to_vec(), claims, findings }
    }

    /// Reads what lies at a chunk-relative offset; `None`, and a note, when it leads out of the chunk or cannot be read.
    fn read<T>(
        &mut self,
        r: &mut FieldReader<'_>,
        offset: u32,
        what: &str,
        read: impl FnOnce(&mut FieldReader<'_>, &mut Findings) -> Result<T, Fault>,
    ) -> Option<T> {
        let mut part = if r.is_recording() { r.fork().recording() } else { r.fork() };
        let result = part.seek_in_range(offset).and_then(|()| read(&mut part, self.findings));
        for field in part.into_fields() {
            let is_first = self.claims.cover(field.offset..field.offset.saturating_add(field.size));
            r.push(if is_first { field } else { field.mirrored() });
        }
        match result {
            Ok(value) => Some(value),
            Err(fault) => {
                self.findings.add(&codes::CUT_TABLE, Some(fault.offset), format!("{what}: {}", fault.message));
                None
            }
        }
    }

    /// Reads as many of `count` records of `stride` bytes as there are.
    #[expect(clippy::too_many_arguments, reason = "a table has a name, an offset, a size and a reader")]
    pub fn records<T>(
        &mut self,
        r: &mut FieldReader<'_>,
        offset: u32,
        name: &'static str,
        kind: &'static str,
        count: u64,
        stride: u64,
        read: impl Fn(&mut FieldReader<'_>, usize) -> Result<T, Fault> + Send + Sync + 'static,
    ) -> Vec<T> {
        if count == 0 {
            return Vec::new();
        }
        let list = self.read(r, offset, name, |r, findings| {
            let whole = r.whole_records(count, stride) as u64;
            if whole < count {
                let message = format!("{name}: {} specified, but only {whole} found", counted(count, "entry"));
                findings.add(&codes::CUT_TABLE, Some(r.offset()), message);
            }
            r.records(name, kind, whole, stride, read)
        });
        list.unwrap_or_default()
    }

    /// Reads a list of `count` numbers, or as many as there are.
    pub fn list<T: Element>(
        &mut self,
        r: &mut FieldReader<'_>,
        offset: u32,
        name: &'static str,
        kind: &'static str,
        count: usize,
    ) -> Vec<T> {
        if count == 0 {
            return Vec::new();
        }
        let starts = if r.is_recording() { self.starts.clone() } else { Vec::new() };
        let list = self.read(r, offset, name, |r, findings| {
            let whole = r.whole_records(count as u64, T::SIZE as u64);
            if whole < count {
                let message = format!("{name}: {} specified, but only {whole} found", counted(count, "number"));
                findings.add(&codes::CUT_TABLE, Some(r.offset()), message);
            }
            let numbers = read_bank(r, name, kind, whole)?;
            if r.is_recording() {
                pad_to_words(r, &starts)?;
            }
            Ok(numbers)
        });
        list.unwrap_or_default()
    }

    /// Reads a bank of `count` numbers that `tracks` (with the offset of each) point into. Where the header's count is too small,
    /// it reaches up to the next table or the end of the chunk (formats/j3d.md §2).
    pub fn bank<T: Element>(
        &mut self,
        r: &mut FieldReader<'_>,
        (offset, count): (u32, u16),
        name: &'static str,
        kind: &'static str,
        tracks: impl Iterator<Item = (u64, Track)> + Clone,
    ) -> Bank<T> {
        let declared = usize::from(count);
        let used = tracks.clone().map(|(_, t)| t.end()).max().unwrap_or(0);
        let count = if used > declared { declared.max(used.min(self.room(r, offset, T::SIZE))) } else { declared };
        let numbers: Vec<T> = self.list(r, offset, name, kind, count);
        let offset = r.range().start.saturating_add(u64::from(offset));
        let mut outside = tracks.filter(|(_, t)| t.whole_keys(numbers.len()) < usize::from(t.count));
        if let Some((at, track)) = outside.next() {
            let more = outside.count();
            let more =
                if more > 0 { format!(" (also affected: {})", counted(more, "other track")) } else { String::new() };
            let length = counted(numbers.len(), "number");
            let track = track.describe();
            let message = format!("a track ({track}) goes past the end of {name}, which has {length}{more}");
            self.findings.add(&codes::TRACK_BOUNDS, Some(at), message);
        }
        let bad = numbers.iter().filter(|n| !n.number().is_finite()).count();
        if bad > 0 {
            let message = format!("{name} contains {}; 0 is used instead", counted(bad, "non-finite number"));
            self.findings.add(&codes::NOT_FINITE, Some(offset), message);
        }
        Bank { offset, numbers }
    }

    /// Reads the name table of `count` names, or fewer.
    pub fn names(&mut self, r: &mut FieldReader<'_>, offset: u32, count: usize) -> Vec<String> {
        if count == 0 {
            // Writers leave an empty table, or anything.
            if r.is_recording() && is_empty_table(r, offset) {
                let _ = self.read(r, offset, "Names", |r, findings| names::read_names(r, offset, findings));
            }
            return Vec::new();
        }
        let names = self.read(r, offset, "Names", |r, findings| names::read_names(r, offset, findings));
        let found = names.as_ref().map_or(0, Vec::len);
        if found != count {
            let range = r.range();
            let at = range.start.saturating_add(u64::from(offset));
            // A table that is outside of the chunk is named by the chunk's header.
            let at = if at < range.end { at } else { range.start };
            let message = format!("{} found, but {}", counted(count, "animated material"), counted(found, "name"));
            self.findings.add(&codes::NAME_COUNT, Some(at), message);
        }
        names.unwrap_or_default()
    }

    /// How many numbers of `size` bytes there is room for from a table's start to the next table or the end of the chunk.
    fn room(&self, r: &FieldReader<'_>, offset: u32, size: usize) -> usize {
        let chunk = r.range().end.saturating_sub(r.range().start);
        let next = self.starts.iter().filter(|s| **s > offset).min().map_or(chunk, |s| u64::from(*s).min(chunk));
        let bytes = next.saturating_sub(u64::from(offset));
        usize::try_from(bytes).unwrap_or(0).checked_div(size).unwrap_or(0)
    }
}

/// Short lists are filled up to a multiple of four bytes, with whatever the writer had there.
fn pad_to_words(r: &mut FieldReader<'_>, starts: &[u32]) -> Result<(), Fault> {
    let at = r.offset().saturating_sub(r.range().start);
    let aligned = at.next_multiple_of(4);
    let size = usize::try_from(aligned.saturating_sub(at)).unwrap_or(0);
    let free = starts.iter().all(|s| u64::from(*s) >= aligned || u64::from(*s) < at);
    // The text that chunks are filled up with is known without this.
    let text = r.fork().raw().bytes(size).is_ok_and(|bytes| b"This".starts_with(bytes));
    if size > 0 && free && !text && r.left() >= size { r.pad(size) } else { Ok(()) }
}

/// Whether there is a name table without names.
fn is_empty_table(r: &FieldReader<'_>, offset: u32) -> bool {
    let mut ahead = r.fork();
    offset > 0 && ahead.seek_in_range(offset).is_ok() && ahead.u32("") == Ok(0xFFFF)
}
