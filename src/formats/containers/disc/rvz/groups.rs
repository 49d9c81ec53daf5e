//! The groups of a WIA or RVZ file: the chunks of a disc, one by one (formats/containers.md §8.4).

use super::{
    header::{AREA, DiscHeader, Header, START},
    method::Method,
    packed,
};
use crate::{
    bytes::{Endian, MemberLimits, Source, budget, numbers::counted},
    formats::{
        containers::{
            blocks::{Blocks, Span},
            codes,
            contents::{MAX_PROBLEMS, Trouble},
            flat::{self, WORK_OF_SPAN},
            output::Cost,
        },
        field_reader::{Fault, FieldReader},
    },
};
use std::ops::Range;

/// What areas begin at a multiple of.
const SECTOR: u64 = 0x8000;
/// In the size of a group: it is compressed.
const IS_COMPRESSED: u32 = 1 << 31;
/// What a group may have more than twice its chunk, in bytes.
const SLACK: u64 = 64 << 10;

/// The groups of a disc.
pub struct Groups {
    file: Source,
    size: u64,
    chunk: u64,
    /// The first bytes of the disc, which no group has.
    start: Vec<u8>,
    method: Method,
    is_rvz: bool,
    limits: MemberLimits,
    /// In the order of the disc.
    areas: Vec<Area>,
    groups: Vec<Group>,
}

/// A range of the disc whose chunks are groups that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Area {
    range: Range<u64>,
    first: u64,
}

/// Where a chunk is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group {
    at: u64,
    size: u64,
    is_compressed: bool,
    /// Bytes before they are unpacked; 0 where they are not packed.
    packed: u32,
}

impl Groups {
    /// Reads the tables.
    ///
    /// # Errors
    /// When they cannot be read, or lead out of each other.
    pub fn read(file: &Source, header: &Header, disc: &DiscHeader, limits: &MemberLimits) -> Result<Self, Trouble> {
        let method = disc.method(header.is_rvz)?;
        let table = |range: &Range<u64>, count: u32, size: u64| {
            let stored = flat::bytes(file, range.clone())?;
            let decoded = method.decode(stored, u64::from(count).saturating_mul(size), limits);
            decoded.map(Source::new).map_err(|trouble| in_file(trouble, range.start, "table"))
        };
        let areas = table(&disc.area_table, disc.areas, AREA)?;
        let groups = table(&disc.group_table, disc.groups, header.group_size())?;
        let read =
            |source: &Source, of: &Range<u64>, read: &mut dyn FnMut(&mut FieldReader<'_>) -> Result<(), Fault>| {
                let mut r = FieldReader::new(source, 0..source.len() as u64, Endian::Big);
                while r.left() > 0 {
                    read(&mut r).map_err(|fault| Trouble::new(&codes::TABLE, of.start, fault.message))?;
                }
                Ok::<(), Trouble>(())
            };
        let (mut all_areas, mut all_groups) = (Vec::new(), Vec::new());
        let chunk = u64::from(disc.chunk);
        read(&areas, &disc.area_table, &mut |r| {
            all_areas.push(Area::read(r, chunk, u64::from(disc.groups))?);
            Ok(())
        })?;
        let compresses = !method.is_stored();
        read(&groups, &disc.group_table, &mut |r| {
            all_groups.push(Group::read(r, header.is_rvz, compresses)?);
            Ok(())
        })?;
        all_areas.sort_by_key(|area| area.range.start);
        let overlap = all_areas.array_windows().find(|[area, next]| next.range.start < area.range.end);
        if let Some([_, next]) = overlap {
            let message = format!("two raw areas overlap at offset {}", next.range.start);
            return Err(Trouble::new(&codes::TABLE, disc.area_table.start, message));
        }
        Ok(Self {
            file: file.clone(),
            size: header.flat_size,
            chunk,
            start: disc.start.clone(),
            method,
            is_rvz: header.is_rvz,
            limits: *limits,
            areas: all_areas,
            groups: all_groups,
        })
    }

    /// Decodes everything once, as far as the limits let it; what is wrong.
    pub fn check(&self) -> Vec<Trouble> {
        let mut troubles = Vec::new();
        let mut at = 0;
        while at < self.size && troubles.len() < MAX_PROBLEMS {
            let span = self.span(at);
            let size = span.end.saturating_sub(span.start);
            let work = if span.number.is_some() { self.cost().of(self.stored(span), size) } else { 0 };
            if !budget::charge_work(work.saturating_add(WORK_OF_SPAN)) {
                troubles.push(Trouble::too_much_work());
                break;
            }
            if span.number.is_some() {
                troubles.extend(self.decode(span).err());
            }
            if span.end <= at {
                break;
            }
            at = span.end;
        }
        troubles
    }

    /// The part of a group's chunk that the start of the disc has.
    fn put_start(&self, bytes: &mut [u8], start: u64) {
        let Some(skipped) = usize::try_from(start).ok().filter(|start| *start < START) else { return };
        let rest = self.start.get(skipped..).unwrap_or_default();
        for (byte, with) in bytes.iter_mut().zip(rest) {
            *byte = *with;
        }
    }
}

/// A trouble of what lies at a place of the file.
fn in_file(trouble: Trouble, at: u64, what: &str) -> Trouble {
    Trouble { offset: at, message: format!("{what} at offset {at}: {}", trouble.message), ..trouble }
}

impl Area {
    fn read(r: &mut FieldReader<'_>, chunk: u64, groups: u64) -> Result<Self, Fault> {
        let offset = r.u64("Offset")?;
        let size = r.u64("Size")?;
        let first = u64::from(r.u32("First group")?);
        let count = u64::from(r.u32("Groups")?);
        let less = offset % SECTOR;
        let start = offset.saturating_sub(less);
        let size = size.saturating_add(less);
        if first.saturating_add(count) > groups || size.div_ceil(chunk.max(1)) > count {
            let (used, there) = (counted(count, "group"), counted(groups, "group"));
            let message = format!(
                "invalid raw area of {size} bytes: it specifies {used} from index {first}, but the disc has {there}"
            );
            return Err(r.fault(message));
        }
        Ok(Self { range: start..start.saturating_add(size), first })
    }
}

impl Group {
    fn read(r: &mut FieldReader<'_>, is_rvz: bool, compresses: bool) -> Result<Self, Fault> {
        let at = u64::from(r.u32("Offset / 4")?).saturating_mul(4);
        let size = r.u32("Size")?;
        let packed = if is_rvz { r.u32("Packed size")? } else { 0 };
        let is_compressed = compresses && (!is_rvz || size & IS_COMPRESSED != 0);
        let size = if is_rvz { size & !IS_COMPRESSED } else { size };
        Ok(Self { at, size: u64::from(size), is_compressed, packed })
    }
}

impl Blocks for Groups {
    fn disc_size(&self) -> u64 {
        self.size
    }

    fn span(&self, offset: u64) -> Span {
        let after = self.areas.partition_point(|area| area.range.start <= offset);
        let area = after.checked_sub(1).and_then(|last| self.areas.get(last)).filter(|area| offset < area.range.end);
        let Some(area) = area else {
            // The start of the disc is no zeros, also where no area has it.
            let before = after.checked_sub(1).and_then(|last| self.areas.get(last)).map_or(0, |area| area.range.end);
            let end = self.areas.get(after).map_or(self.size, |next| next.range.start);
            let start = START as u64;
            return match offset < start {
                true => Span { number: Some(u64::MAX), start: before, end: end.min(start.max(offset)) },
                false => Span { number: None, start: before, end },
            };
        };
        let chunk = offset.saturating_sub(area.range.start).checked_div(self.chunk).unwrap_or(0);
        let start = area.range.start.saturating_add(chunk.saturating_mul(self.chunk));
        let end = start.saturating_add(self.chunk).min(area.range.end);
        Span { number: Some(area.first.saturating_add(chunk)), start, end }
    }

    fn stored(&self, span: Span) -> u64 {
        let group = span.number.and_then(|number| self.groups.get(usize::try_from(number).ok()?));
        group.map_or(0, |group| group.size)
    }

    fn cost(&self) -> Cost {
        self.method.cost()
    }

    fn decode(&self, span: Span) -> Result<Vec<u8>, Trouble> {
        let size = span.end.saturating_sub(span.start);
        let zeros = || vec![0; usize::try_from(size).unwrap_or(0)];
        let group = match span.number {
            None | Some(u64::MAX) => None,
            Some(number) => {
                let group = usize::try_from(number).ok().and_then(|number| self.groups.get(number));
                Some(group.ok_or_else(|| Trouble::new(&codes::TABLE, 0, format!("group {number} is missing")))?)
            }
        };
        let mut bytes = match group {
            None => zeros(),
            Some(group) if group.size == 0 => zeros(),
            Some(group) => {
                let group_bytes = self.group(group, size, span.start);
                group_bytes.map_err(|trouble| in_file(trouble, group.at, "group"))?
            }
        };
        self.put_start(&mut bytes, span.start);
        Ok(bytes)
    }
}

impl Groups {
    /// The `size` bytes of a group that lies at `position` on the disc.
    fn group(&self, group: &Group, size: u64, position: u64) -> Result<Vec<u8>, Trouble> {
        let most = self.chunk.saturating_mul(2).saturating_add(SLACK);
        let packed = u64::from(group.packed);
        if group.size > most || packed > most {
            let message = format!(
                "the stored size ({} bytes) or the packed size ({packed} bytes) is too large for a chunk of {} bytes",
                group.size, self.chunk
            );
            return Err(Trouble::new(&codes::TOO_LARGE, group.at, message));
        }
        let stored = flat::bytes(&self.file, group.at..group.at.saturating_add(group.size))?;
        let wanted = if packed == 0 { size } else { packed };
        let decoded = match group.is_compressed {
            true => self.method.decode(stored, wanted, &self.limits)?,
            false => Method::Stored.decode(stored, wanted, &self.limits)?,
        };
        match packed != 0 && self.is_rvz {
            true => packed::unpack(&decoded, size, position),
            false => Ok(decoded),
        }
    }
}
