//! Sizes in actors, and the data that games keep with an actor: a chain of blocks of numbered kinds
//! (formats/charpipe.md §5).

use super::super::{codes, info::USER_DATA};
use crate::{
    bytes::numbers::{counted, grouped},
    formats::{
        Value,
        field_reader::{Fault, FieldReader},
        findings::Findings,
    },
};
use std::ops::Range;

/// Bytes before the table of bones.
pub const HEADER_SIZE: u64 = 0x20;
/// Bytes of a bone in the table.
pub const BONE_SIZE: u64 = 0x1C;

/// Bytes before a block's data.
const DESCRIPTOR: u64 = 0xC;
const MIRRORS: u16 = 2;
const TRACKS: u16 = 3;
/// Blocks of one actor; games have two or three.
const MAX_BLOCKS: usize = 64;

/// What is known of the chain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserData {
    /// By bone id, the number that animations call it by; 0xFFFF for none.
    pub tracks: Option<Vec<u16>>,
    /// By bone id, the bone on the other side.
    pub mirrors: Vec<Mirror>,
}

/// A bone's counterpart on the other side (user data of kind 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// Mirror bone, as stored.
    pub bone: u8,
    /// Role of the bone, as stored.
    pub role: u8,
}

/// Reads the chain that fills `range`, up to the first block that does not fit.
pub fn read_user_data(
    r: &mut FieldReader<'_>,
    range: Range<u64>,
    bone_count: usize,
    findings: &mut Findings,
) -> Result<UserData, Fault> {
    let mut data = UserData::default();
    let mut at = range.start;
    for index in 0..MAX_BLOCKS {
        if range.end.saturating_sub(at) < DESCRIPTOR {
            break;
        }
        r.seek(at)?;
        // A chain may end before its bytes do.
        if r.fork().raw().u32()? == 0 {
            break;
        }
        let block = at..range.end;
        if let Some(message) = misfit(&mut r.fork(), range.end.saturating_sub(at))? {
            findings.add(&codes::BAD_USER_DATA, Some(at), message);
            r.seek(at)?;
            opaque(r, range.end.saturating_sub(at))?;
            return Ok(data);
        }
        at = r.group(format!("UserData {index}"), "UserData", |r| {
            read_block(r, block, bone_count, &mut data, findings)
        })?;
    }
    let rest = range.end.saturating_sub(at);
    r.seek(at)?;
    if rest > 0 && r.fork().raw().bytes(rest as usize)?.iter().any(|b| *b != 0) {
        opaque(r, rest)?;
    }
    Ok(data)
}

/// Why the block at the cursor does not fit the bytes that are left of the chain.
fn misfit(r: &mut FieldReader<'_>, left: u64) -> Result<Option<String>, Fault> {
    let raw = r.raw();
    let size = u64::from(raw.u32()?);
    raw.skip(4)?;
    let offset = u64::from(raw.u32()?);
    let fits = (DESCRIPTOR..=left).contains(&size) && (DESCRIPTOR..=size).contains(&offset);
    let message = || {
        format!("user data of {size} bytes with values at offset {offset} does not fit in the remaining {left} bytes")
    };
    Ok((!fits).then(message))
}

fn opaque(r: &mut FieldReader<'_>, size: u64) -> Result<(), Fault> {
    r.bytes("Bytes", format!("u8[{size}]"), size as usize, Value::Opaque(USER_DATA)).map(|_| ())
}

/// Reads one block, which fits, and says where the next one begins.
fn read_block(
    r: &mut FieldReader<'_>,
    range: Range<u64>,
    bone_count: usize,
    data: &mut UserData,
    findings: &mut Findings,
) -> Result<u64, Fault> {
    let at = range.start;
    let size = u64::from(r.u32("Size")?);
    let kind = r.named_u16("Kind", |kind| match kind {
        MIRRORS => Some("mirror bones"),
        TRACKS => Some("track IDs"),
        _ => None,
    })?;
    let count = r.u16("Count")?;
    let offset = u64::from(r.u32("DataOffset")?);
    let end = at.saturating_add(size);
    r.seek(at.saturating_add(offset))?;
    let count = if count == 0 { bone_count as u64 } else { u64::from(count) };
    let stride = 2;
    let there = end.saturating_sub(r.offset()).checked_div(stride).unwrap_or(0).min(count);
    if there < count && matches!(kind, MIRRORS | TRACKS) {
        let message = format!("expected user data for {}, found values for {}", counted(count, "bone"), grouped(there));
        findings.add(&codes::BAD_USER_DATA, Some(at), message);
    }
    match kind {
        TRACKS => {
            let read = r.records("TrackIds", "u16", there, stride, |r, _| {
                r.named_u16("TrackId", |id| (id == u16::MAX).then_some("none"))
            })?;
            data.tracks.get_or_insert(read);
        }
        MIRRORS => {
            let read = r.records("MirrorBones", "MirrorBone", there, stride, |r, _| {
                Ok(Mirror { bone: r.u8("Bone")?, role: r.u8("Role")? })
            })?;
            if data.mirrors.is_empty() {
                data.mirrors = read;
            }
        }
        _ => {}
    }
    let rest = end.saturating_sub(r.offset());
    let is_known = matches!(kind, MIRRORS | TRACKS);
    if rest > 0 && (!is_known || r.fork().raw().bytes(rest as usize)?.iter().any(|b| *b != 0)) {
        opaque(r, rest)?;
    }
    Ok(end)
}

/// Where the chain lies in an actor that begins at `start` and ends at `end`; `None` where there is none.
pub fn range(offset: u32, size: u32, actor: &Range<u64>, field_at: u64, findings: &mut Findings) -> Option<Range<u64>> {
    if offset == 0 || size == 0 {
        return None;
    }
    let start = actor.start.saturating_add(u64::from(offset));
    let end = start.saturating_add(u64::from(size));
    if u64::from(offset) < HEADER_SIZE || start >= actor.end {
        findings.add(&codes::BAD_USER_DATA, Some(field_at), format!("user data at {offset:#x} is outside the actor"));
        return None;
    }
    if end > actor.end {
        let there = actor.end.saturating_sub(start);
        let message = format!("expected {size} bytes of user data at {offset:#x}, found {there}");
        findings.add(&codes::BAD_USER_DATA, Some(field_at), message);
    }
    Some(start..end.min(actor.end))
}
