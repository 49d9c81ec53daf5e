//! Reads a palette: its header, the table of display objects, their names; shows display objects as entries
//! (formats/charpipe.md §4).

use super::{
    super::{codes, info::USER_DATA, materials},
    display_states::StateIds,
    drawn_states,
    draws::{self, Descriptor, Gpl},
    object::{self, DisplayObject, read_text},
    shape::MAX_STATES,
};
use crate::{
    bytes::{
        Endian, Source,
        numbers::{counted, grouped},
    },
    formats::{
        Content, Field, Role, Value,
        claims::Claims,
        field_reader::{Fault, FieldReader},
        findings::Findings,
        read_budget::ReadBudget,
        structure::{Part, Structure},
    },
    scene::Material,
};
use std::any::Any;

/// Display objects that a palette may have (§10).
const MAX_OBJECTS: u64 = 4096;
/// Bytes of an entry of the table of display objects.
const DESCRIPTOR_SIZE: u64 = 8;
/// Reads a palette.
///
/// # Errors
/// When its header or its table cannot be read.
pub fn read(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Gpl, Fault> {
    let start = r.offset();
    let mut claims = Claims::default();
    let (count, table) = read_header(r, &mut claims)?;
    r.seek_in_range(table)?;
    let table_at = r.offset();
    let places = read_table(r, count, &mut claims, findings)?;
    let size = r.range().end.saturating_sub(start);
    let mut budget = object::states_budget(size);
    // Names may share bytes: all of them together are no longer than the section.
    let mut names_budget = ReadBudget::new(size);
    let mut objects = Vec::with_capacity(places.len());
    for (index, place) in places.iter().enumerate() {
        let place_at = table_at.saturating_add((index as u64).saturating_mul(DESCRIPTOR_SIZE));
        let mut plain = r.fork();
        let name = read_name(&mut plain, *place, &mut Claims::default()).unwrap_or_default();
        let name = if names_budget.take(name.len() as u64) { name } else { String::new() };
        let read = plain
            .seek_in_range(place.object)
            .map_err(|fault| Fault { offset: place_at, ..fault })
            .and_then(|()| object::read(&mut plain, StateIds::Sdk, &mut Claims::default(), &mut budget, findings));
        objects.push(match read {
            Ok(object) => Some(DisplayObject { name, ..object }),
            Err(fault) => {
                let message = format!("mesh {index} skipped: {}", fault.message);
                findings.add(&codes::BAD_OBJECT, Some(fault.offset), message);
                None
            }
        });
    }
    let states = objects.iter().flatten().flat_map(|object| &object.states);
    let ids = StateIds::of(states);
    let mut gpl = Gpl {
        source: r.source().clone(),
        range: r.range(),
        objects,
        places,
        ids,
        drawn: Vec::new(),
        shows: Vec::new(),
        starts: Vec::new(),
    };
    draws::check(&mut gpl, findings);
    gpl.drawn = drawn_states::drawn(&gpl);
    if gpl.drawn.len() >= MAX_STATES {
        let message = format!("too many combinations of display states. Only the first {MAX_STATES} are distinguished");
        findings.add(&codes::TOO_MUCH, Some(start), message);
    }
    gpl.shows = draws::shows(&gpl);
    if r.is_recording() {
        record(r, &gpl, &mut claims);
    }
    Ok(gpl)
}

/// The count of display objects, and where their table is.
fn read_header(r: &mut FieldReader<'_>, claims: &mut Claims) -> Result<(u32, u32), Fault> {
    let start = r.offset();
    claims.take(start..start.saturating_add(0x14));
    r.u32("Version")?;
    let user_size = r.u32("UserDataSize")?;
    let user_data = r.u32("UserDataOffset")?;
    let count = r.u32("Count")?;
    let table = r.u32("TableOffset")?;
    let at = start.saturating_add(u64::from(user_data));
    if user_size > 0 && r.is_recording() && r.seek(at).is_ok() && claims.take(at..at.saturating_add(user_size.into())) {
        let size = r.left().min(user_size as usize);
        r.bytes("UserData", format!("u8[{size}]"), size, Value::Opaque(USER_DATA))?;
    }
    Ok((count, table))
}

/// The table, at the cursor. One whose count cannot be right ends where the first thing that it names begins.
fn read_table(
    r: &mut FieldReader<'_>,
    count: u32,
    claims: &mut Claims,
    findings: &mut Findings,
) -> Result<Vec<Descriptor>, Fault> {
    let (at, start) = (r.offset(), r.range().start);
    let mut whole = r.whole_records(u64::from(count).min(MAX_OBJECTS), DESCRIPTOR_SIZE) as u64;
    if whole < u64::from(count) {
        let mut plain = r.fork();
        let mut end = r.range().end;
        let mut fit = 0_u64;
        while fit < whole && plain.offset().saturating_add(DESCRIPTOR_SIZE) <= end {
            let place = read_descriptor(&mut plain)?;
            for offset in [place.object, place.name] {
                let to = start.saturating_add(u64::from(offset));
                if to > at {
                    end = end.min(to);
                }
            }
            fit = fit.saturating_add(1);
        }
        whole = fit;
        let message = format!("expected {}, found {}", counted(count, "mesh"), grouped(whole));
        findings.add(&codes::BAD_COUNT, Some(at), message);
    }
    claims.read(r, at..at.saturating_add(whole.saturating_mul(DESCRIPTOR_SIZE)), |r| {
        r.records("Objects", "Descriptor[]", whole, DESCRIPTOR_SIZE, |r, _| read_descriptor(r))
    })
}

fn read_descriptor(r: &mut FieldReader<'_>) -> Result<Descriptor, Fault> {
    Ok(Descriptor { object: r.u32("ObjectOffset")?, name: r.u32("NameOffset")? })
}

/// The name of a display object; empty without one.
fn read_name(r: &mut FieldReader<'_>, place: Descriptor, claims: &mut Claims) -> Result<String, Fault> {
    if place.name == 0 {
        return Ok(String::new());
    }
    r.seek_in_range(place.name)?;
    read_text(r, "Name", claims)
}

/// The display objects as fields, in their own order.
fn record(r: &mut FieldReader<'_>, gpl: &Gpl, claims: &mut Claims) {
    for index in 0..gpl.places.len() {
        for field in object_fields(r, gpl, index, claims) {
            r.push(field);
        }
    }
    past_positions(r, gpl, claims);
}

/// The fields of a display object and of its name.
fn object_fields(r: &FieldReader<'_>, gpl: &Gpl, index: usize, claims: &mut Claims) -> Vec<Field> {
    let Some(place) = gpl.places.get(index) else { return Vec::new() };
    let mut r = r.fork().recording();
    // What cannot be read was reported; the fields before it are shown.
    let _ = read_name(&mut r, *place, claims);
    let _ = r.seek_in_range(place.object);
    let _ = r.group(gpl.name(index), "DisplayObject", |r| {
        let object = gpl.objects.get(index).and_then(Option::as_ref);
        let read = object::read(r, gpl.ids, claims, &mut object::again_budget(object), &mut Findings::default())?;
        draws::record_lists(r, gpl, index, claims);
        Ok(read)
    });
    r.into_fields()
}

/// Skins write past the positions that are counted; what stands there is shown as further slots.
fn past_positions(r: &mut FieldReader<'_>, gpl: &Gpl, claims: &mut Claims) {
    const SLOT: u64 = 12;
    for object in gpl.objects.iter().flatten().filter(|object| object.is_skinned()) {
        let Some(positions) = object.positions else { continue };
        let at =
            positions.range().end.max(positions.at.saturating_add(u64::from(positions.count).saturating_mul(SLOT)));
        let gap = claims.gaps(at..gpl.range.end).into_iter().next().filter(|gap| gap.start == at);
        let end = gap.map_or(at, |gap| gap.end);
        let count = end.saturating_sub(at) / SLOT;
        let bytes = gpl.source.slice(at, count.saturating_mul(SLOT));
        if bytes.is_none_or(|bytes| bytes.as_slice().iter().all(|b| *b == 0))
            || r.seek(at).is_err()
            || !claims.take(at..at.saturating_add(count.saturating_mul(SLOT)))
        {
            continue;
        }
        // The bytes are there.
        let _ = r.records("SlotsPastCount", "s16[6][]", count, SLOT, |r, _| r.i16s::<6>("Slot"));
    }
}

/// Bytes of a display object.
const OBJECT_SIZE: u64 = 0x18;

impl Structure for Gpl {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(index, place): (usize, &Descriptor)| {
            let at = self.range.start.saturating_add(u64::from(place.object)).min(self.range.end);
            let can_show = self.shows.get(index) == Some(&true);
            Part {
                name: self.name(index),
                role: Role::Part,
                class: "Mesh",
                range: at..at.saturating_add(OBJECT_SIZE).min(self.range.end),
                content: if can_show { Content::Model } else { Content::None },
            }
        };
        self.places.iter().enumerate().map(part).chain(self.material_parts()).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        if let Some(material) = part.checked_sub(self.places.len()) {
            return self.material_fields(source, material);
        }
        let r = FieldReader::new(source, self.range.clone(), Endian::Big);
        object_fields(&r, self, part, &mut Claims::default()).into_iter().map(Field::mirrored).collect()
    }

    fn surface(&self, part: usize) -> Option<Material> {
        let material = part.checked_sub(self.places.len())?;
        self.drawn.get(material).map(|drawn| materials::surface(material, &drawn.state))
    }
}
