//! Display objects: the arrays that a mesh's vertices index, and the states that its lists are drawn in
//! (formats/charpipe.md §4). Offsets in a display object count from its own start.

use super::{
    super::codes,
    arrays::{self, Array, ArrayKind, SKINNED},
    display_states::{STATE_SIZE, StateIds, StoredState, read_state},
};
use crate::{
    bytes::{
        numbers::{counted, grouped},
        text,
    },
    formats::{
        claims::Claims,
        field_reader::{Fault, FieldReader},
        findings::Findings,
        gx::vertex::{ArrayFormat, Number},
        read_budget::ReadBudget,
    },
};

/// Bytes that a name is read to.
const LONGEST_NAME: usize = 256;

/// Text up to its NUL, or as far as names go.
pub fn read_text(r: &mut FieldReader<'_>, name: &'static str, claims: &mut Claims) -> Result<String, Fault> {
    let mut ahead = r.fork();
    let bytes = ahead.raw().bytes(r.left().min(LONGEST_NAME))?;
    let length = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    let size = length.saturating_add(1).min(bytes.len());
    let decode = |bytes: &[u8]| {
        let bytes = bytes.get(..length).unwrap_or(bytes);
        text::decode(bytes)
    };
    let at = r.offset();
    claims.read(r, at..at.saturating_add(size as u64), |r| r.text(name, size, decode))
}

/// Bytes of a display object itself.
const OBJECT_SIZE: u64 = 0x18;
/// Sets of texture coordinates that the chip has.
const MAX_CHANNELS: u8 = 8;
/// Bytes of a header of texture coordinates.
const CHANNEL_SIZE: u32 = 0x10;
/// Bytes of a display header.
const DISPLAY_SIZE: u64 = 0xC;

/// A display object, its arrays undecoded.
#[derive(Clone, Debug, Default)]
pub struct DisplayObject {
    /// Bytes from the start of the file.
    pub at: u64,
    pub name: String,
    pub positions: Option<Array>,
    pub colors: Option<Array>,
    /// By channel; `None` for one that cannot be read.
    pub tex_coords: Vec<Option<Array>>,
    pub normals: Option<Array>,
    /// The bits of the ambient percentage, an f32; `None` for an object that is not lit.
    pub ambient_bits: Option<u32>,
    pub states: Vec<StoredState>,
    /// Of the first state: bytes from the start of the file.
    pub states_at: u64,
}

impl DisplayObject {
    /// Bytes of its arrays.
    pub fn arrays_size(&self) -> u64 {
        let arrays = [self.positions, self.colors, self.normals].into_iter().chain(self.tex_coords.iter().copied());
        let sizes = arrays.flatten().map(|a| a.range().end.saturating_sub(a.range().start));
        sizes.fold(0, u64::saturating_add)
    }

    /// Its positions have normals between them, and a skin writes both.
    pub fn is_skinned(&self) -> bool {
        self.positions.is_some_and(|array| {
            let is_words = matches!(array.format, ArrayFormat::Numbers { number: Number::S16, .. });
            array.components == SKINNED && is_words
        })
    }
}

/// Bytes that may be read besides the size of the section.
const SHARED: u64 = 1 << 20;

/// Bytes of display states and lists that may be read of a section of `size` bytes: display objects may share them.
pub fn read_budget(size: u64) -> ReadBudget {
    ReadBudget::new(size.saturating_add(SHARED))
}

/// The same for the states alone, which stay in memory: an archive has many sections.
pub fn states_budget(size: u64) -> ReadBudget {
    ReadBudget::new(size.saturating_add(size.saturating_mul(4).min(SHARED)))
}

/// For what was read of an object already.
pub fn again_budget(object: Option<&DisplayObject>) -> ReadBudget {
    let states = object.map_or(0, |object| object.states.len() as u64);
    ReadBudget::new(states.saturating_mul(STATE_SIZE))
}

/// Where a display object's headers are.
struct Header {
    positions: u32,
    colors: u32,
    tex_coords: u32,
    lighting: u32,
    display: u32,
    channels: u8,
}

fn read_header(r: &mut FieldReader<'_>) -> Result<Header, Fault> {
    let header = Header {
        positions: r.u32("PositionsOffset")?,
        colors: r.u32("ColorsOffset")?,
        tex_coords: r.u32("TexCoordsOffset")?,
        lighting: r.u32("LightingOffset")?,
        display: r.u32("DisplayOffset")?,
        channels: r.u8("TexCoordChannels")?,
    };
    r.pad(3)?;
    Ok(header)
}

/// Reads the display object at the cursor, without its name. An array that cannot be read is left out.
///
/// # Errors
/// When the object itself, its display header or its states cannot be read.
pub fn read(
    r: &mut FieldReader<'_>,
    ids: StateIds,
    claims: &mut Claims,
    budget: &mut ReadBudget,
    findings: &mut Findings,
) -> Result<DisplayObject, Fault> {
    let at = r.offset();
    let header = claims.read(r, at..at.saturating_add(OBJECT_SIZE), read_header)?;
    let mut object = DisplayObject { at, ..DisplayObject::default() };
    let go = |r: &mut FieldReader<'_>, offset: u32| r.seek(at.saturating_add(u64::from(offset)));
    if header.positions != 0 {
        let read = go(r, header.positions)
            .and_then(|()| arrays::read_array(r, at, ArrayKind::Positions, claims, |_, _| Ok(())));
        object.positions = kept(read, ArrayKind::Positions, findings).map(|(array, ())| array);
    }
    if header.colors != 0 {
        let read =
            go(r, header.colors).and_then(|()| arrays::read_array(r, at, ArrayKind::Colors, claims, |_, _| Ok(())));
        object.colors = kept(read, ArrayKind::Colors, findings).map(|(array, ())| array);
    }
    if header.channels > MAX_CHANNELS {
        let message = format!("the mesh has {} UV sets, but only {MAX_CHANNELS} can be drawn", header.channels);
        findings.add(&codes::TOO_MANY_UV_SETS, Some(at), message);
    }
    for channel in 0..header.channels.min(MAX_CHANNELS) {
        let kind = ArrayKind::TexCoords(channel);
        let offset = header.tex_coords.saturating_add(u32::from(channel).saturating_mul(CHANNEL_SIZE));
        let read = go(r, offset).and_then(|()| {
            arrays::read_array(r, at, kind, claims, |r, _| {
                let palette = r.u32("PaletteNameOffset")?;
                r.named_u32("Runtime", |_| None)?;
                Ok(palette)
            })
        });
        let read = kept(read, kind, findings);
        if let Some((_, palette)) = read.filter(|(_, palette)| *palette != 0 && r.is_recording()) {
            // A name that is not there is no loss.
            let _ = go(r, palette).and_then(|()| read_text(r, "PaletteName", claims));
        }
        object.tex_coords.push(read.map(|(array, _)| array));
    }
    if header.lighting != 0 {
        let read = go(r, header.lighting).and_then(|()| {
            arrays::read_array(r, at, ArrayKind::Normals, claims, |r, _| Ok(r.f32("AmbientPercent")?.to_bits()))
        });
        if let Some((array, ambient)) = kept(read, ArrayKind::Normals, findings) {
            (object.normals, object.ambient_bits) = (Some(array), Some(ambient));
        }
    }
    if header.display != 0 {
        let display = at.saturating_add(u64::from(header.display));
        let (states, count) = claims.read(r, display..display.saturating_add(DISPLAY_SIZE), |r| {
            r.group("Display", "DisplayHeader", |r| {
                r.u32("FirstListOffset")?;
                let states = r.u32("StatesOffset")?;
                let count = r.u16("StateCount")?;
                r.pad(2)?;
                Ok((states, count))
            })
        })?;
        go(r, states)?;
        object.states_at = r.offset();
        object.states = read_states(r, count, ids, claims, budget, findings)?;
    }
    Ok(object)
}

fn read_states(
    r: &mut FieldReader<'_>,
    wanted: u16,
    ids: StateIds,
    claims: &mut Claims,
    budget: &mut ReadBudget,
    findings: &mut Findings,
) -> Result<Vec<StoredState>, Fault> {
    let at = r.offset();
    let count = r.whole_records(u64::from(wanted), STATE_SIZE) as u64;
    if count < u64::from(wanted) {
        let message = format!("expected {}, found {}", counted(wanted, "display state"), grouped(count));
        findings.add(&codes::BAD_COUNT, Some(at), message);
    }
    let size = count.saturating_mul(STATE_SIZE);
    if !budget.take(size) {
        let message = "display states skipped: too many meshes share the same states";
        findings.add(&codes::TOO_MUCH, Some(at), message);
        return Ok(Vec::new());
    }
    claims.read(r, at..at.saturating_add(size), |r| {
        if r.is_recording() {
            // They were read before without a fault.
            let read = move |r: &mut FieldReader<'_>, _| read_state(r, ids).map(|_| ());
            r.table("DisplayStates", "DisplayState[]", count, STATE_SIZE, read)?;
            return Ok(Vec::new());
        }
        r.records("DisplayStates", "DisplayState[]", count, STATE_SIZE, move |r, _| read_state(r, ids))
    })
}

/// What was read, or a finding.
fn kept<T>(read: Result<(Array, T), Fault>, kind: ArrayKind, findings: &mut Findings) -> Option<(Array, T)> {
    match read {
        Ok((array, more)) => {
            if array.count < array.wanted && array.at != 0 {
                let (wanted, found) = (counted(array.wanted, "entry"), grouped(array.count));
                let message = format!("{}: expected {wanted}, found {found}", kind.words());
                findings.add(&codes::BAD_COUNT, Some(array.at), message);
            }
            Some((array, more))
        }
        Err(fault) => {
            let message = format!("{} skipped: {}", kind.words(), fault.message);
            findings.add(&codes::BAD_ARRAY, Some(fault.offset), message);
            None
        }
    }
}
