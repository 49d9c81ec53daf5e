//! Display states: what a display object switches on before it draws its lists (formats/charpipe.md §4.1).

use super::super::draw_state::{Layer, Shader};
use crate::{
    formats::{
        Field, Value,
        field_reader::{Fault, FieldReader, enumerated},
        gx::vertex::{Attribute, Held},
    },
    scene::gx::Filter,
};

/// Bytes of a display state.
pub const STATE_SIZE: u64 = 16;

/// Whose numbers display states go by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StateIds {
    /// The SDK's, with what Sluggers added.
    #[default]
    Sdk,
    /// Superstar Baseball's.
    Baseball,
}

/// What a display state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKind {
    Texture,
    VertexDescriptor,
    Tev,
    MatrixLoad,
    Pixel,
    Shader,
    Unknown,
}

impl StateIds {
    pub fn kind(self, id: u8) -> StateKind {
        match (self, id) {
            (_, 1) => StateKind::Texture,
            (Self::Sdk, 3) | (Self::Baseball, 2) => StateKind::VertexDescriptor,
            (Self::Sdk, 4) => StateKind::Tev,
            (Self::Sdk, 5) | (Self::Baseball, 3) => StateKind::MatrixLoad,
            (Self::Sdk, 6) => StateKind::Pixel,
            (Self::Sdk, 7) => StateKind::Shader,
            _ => StateKind::Unknown,
        }
    }

    /// Superstar Baseball has descriptors at 2 and matrix loads at 3; elsewhere every 3 is a descriptor.
    pub fn of<'a>(states: impl Iterator<Item = &'a StoredState>) -> Self {
        let (mut twos, mut threes, mut others) = (0_u32, 0_u32, 0_u32);
        for state in states {
            match (state.id, is_descriptor(state.setting)) {
                (2, true) => twos = twos.saturating_add(1),
                (3, true) => threes = threes.saturating_add(1),
                (3, false) => others = others.saturating_add(1),
                _ => {}
            }
        }
        if twos > 0 && (threes == 0 || others > 0) { Self::Baseball } else { Self::Sdk }
    }
}

impl StateKind {
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Texture => Some("texture"),
            Self::VertexDescriptor => Some("vertex descriptor"),
            Self::Tev => Some("TEV modes"),
            Self::MatrixLoad => Some("matrix load"),
            Self::Pixel => Some("pixel state"),
            Self::Shader => Some("shader"),
            Self::Unknown => None,
        }
    }
}

/// A display state as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredState {
    pub id: u8,
    pub params: [u8; 3],
    pub setting: u32,
    /// From the display object; 0 for none.
    pub list: u32,
    /// Bytes of the list.
    pub size: u32,
}

/// Attributes of a descriptor, which has two bits for each, from the lowest.
const DESCRIBED: [Attribute; 13] = [
    Attribute::POSITION_MATRIX,
    Attribute::POSITION,
    Attribute::NORMAL,
    Attribute::COLOR_0,
    Attribute::COLOR_1,
    Attribute::TEX_COORD_0,
    Attribute(14),
    Attribute(15),
    Attribute(16),
    Attribute(17),
    Attribute(18),
    Attribute(19),
    Attribute(20),
];

/// What a vertex descriptor says of each attribute it has.
pub fn described(descriptor: u32) -> impl Iterator<Item = (Attribute, Held)> {
    DESCRIBED.into_iter().zip((0_u32..).step_by(2)).filter_map(move |(attribute, shift)| {
        Held::of_code(descriptor.checked_shr(shift).unwrap_or(0) & 3).map(|held| (attribute, held))
    })
}

/// A descriptor names positions by an index, and has no attributes past the last.
fn is_descriptor(setting: u32) -> bool {
    setting >> 26 == 0 && matches!(setting >> 2 & 3, 2 | 3)
}

/// A state of kind [`StateKind::Texture`]: the layer it binds to, and what.
pub fn layer(setting: u32) -> (usize, Layer) {
    let nibble = |shift: u32| (setting.checked_shr(shift).unwrap_or(0) & 15) as u8;
    let layer = Layer {
        texture: (setting & 0x1FFF) as u16,
        wrap_s: nibble(16),
        wrap_t: nibble(20),
        min_filter: nibble(24),
        mag_filter: nibble(28),
    };
    ((setting >> 13 & 7) as usize, layer)
}

/// A state of kind [`StateKind::MatrixLoad`]: the slot, and the bone by its place in the bone array.
pub fn matrix_load(setting: u32) -> (u16, u16) {
    (setting as u16, (setting >> 16) as u16)
}

/// A state of kind [`StateKind::Shader`]; `None` where it switches shaders off.
pub fn shader(state: &StoredState) -> Option<Shader> {
    let [strength, ..] = state.params;
    (state.setting != 0).then_some(Shader { code: state.setting.to_be_bytes(), strength })
}

/// Reads a state at the cursor.
///
/// # Errors
/// When it does not fit.
pub fn read_state(r: &mut FieldReader<'_>, ids: StateIds) -> Result<StoredState, Fault> {
    r.valued_group("State", "DisplayState", |r| {
        let id = r.named_u8("Id", |id| ids.kind(id).name())?;
        let kind = ids.kind(id);
        let params = if kind == StateKind::Shader {
            let strength = r.u8("Strength")?;
            let [a, b] = r.u8s::<2>("Parameters")?;
            [strength, a, b]
        } else {
            r.u8s::<3>("Parameters")?
        };
        let setting = read_setting(r, kind)?;
        let list = r.named_u32("ListOffset", |list| (list == 0).then_some("none"))?;
        let size = r.u32("ListSize")?;
        let state = StoredState { id, params, setting, list, size };
        let value = if r.is_recording() { Value::Text(summary(&state, kind)) } else { Value::None };
        Ok((state, value))
    })
}

/// The number as it is, and what it is made of.
fn read_setting(r: &mut FieldReader<'_>, kind: StateKind) -> Result<u32, Fault> {
    if kind == StateKind::Unknown {
        return r.u32("Setting");
    }
    let at = r.offset();
    let setting = r.raw().u32()?;
    if r.is_recording() {
        let own = Field::new("Value", "u32", Value::UInt(u64::from(setting)), at, 4);
        let parts = parts(setting, kind).into_iter().map(|(name, bits, value)| {
            let size = 4;
            Field::new(name, bits, value, at, size).mirrored()
        });
        r.push(Field::group("Setting", "", at, 4, std::iter::once(own).chain(parts).collect()));
    }
    Ok(setting)
}

/// Name, bits and value of each part of a setting.
fn parts(setting: u32, kind: StateKind) -> Vec<(String, &'static str, Value)> {
    let part = |name: &str, bits, value| (name.to_owned(), bits, value);
    let flag = |bit: u32| Value::Bool(setting.checked_shr(bit).unwrap_or(0) & 1 == 1);
    match kind {
        StateKind::Texture => {
            let (number, layer) = layer(setting);
            let code = |code: u8, name| enumerated(i64::from(code), name);
            vec![
                part("Texture", "bits 0–12", Value::UInt(u64::from(layer.texture))),
                part("Layer", "bits 13–15", Value::UInt(number as u64)),
                part("WrapS", "bits 16–19", code(layer.wrap_s, wrap_name(layer.wrap_s))),
                part("WrapT", "bits 20–23", code(layer.wrap_t, wrap_name(layer.wrap_t))),
                part("MinFilter", "bits 24–27", code(layer.min_filter, filter_name(layer.min_filter))),
                part("MagFilter", "bits 28–31", code(layer.mag_filter, filter_name(layer.mag_filter))),
            ]
        }
        StateKind::VertexDescriptor => {
            let code = |held| match held {
                Held::Direct => 1,
                Held::Index8 => 2,
                Held::Index16 => 3,
            };
            let held = |(attribute, held): (Attribute, Held)| {
                let code = code(held);
                let name = attribute.name().unwrap_or("?").to_owned();
                (name, "2 bits", enumerated(i64::from(code), Held::name_of_code(code)))
            };
            described(setting).map(held).collect()
        }
        StateKind::Tev => {
            let mode = |layer: u32| {
                let code = setting.checked_shr(layer.saturating_mul(4)).unwrap_or(0) & 15;
                (format!("Layer{layer}"), "4 bits", enumerated(i64::from(code), tev_name(code)))
            };
            (0..8).map(mode).collect()
        }
        StateKind::MatrixLoad => {
            let (slot, bone) = matrix_load(setting);
            vec![
                part("Slot", "bits 0–15", Value::UInt(u64::from(slot))),
                part("Bone", "bits 16–31", Value::UInt(u64::from(bone))),
            ]
        }
        StateKind::Pixel => {
            let blend = setting >> 2 & 3;
            let bit = |bit: u32| i64::from(setting.checked_shr(bit).unwrap_or(0) & 1);
            let of = |bit_number: u32, names: [&'static str; 2]| {
                let code = bit(bit_number);
                enumerated(code, names.get(code as usize).copied())
            };
            vec![
                part("DoubleSided", "bit 0", flag(0)),
                part("Fog", "bit 1", flag(1)),
                part("Blend", "bits 2–3", enumerated(i64::from(blend), blend_name(blend))),
                part("Bit4", "bit 4", flag(4)),
                part("AlphaWrite", "bit 5", flag(5)),
                part("DepthTest", "bit 6", flag(6)),
                part("DepthCompare", "bit 7", of(7, ["less or equal", "always"])),
                part("DepthWrite", "bit 8", flag(8)),
                part("EarlyDepth", "bit 9", flag(9)),
                part("AlphaTest", "bit 10", of(10, ["greater than 0", "at least 0.5"])),
            ]
        }
        StateKind::Shader => {
            let name = if setting == 0 { "none".to_owned() } else { code_text(setting) };
            vec![part("Code", "char[4]", Value::Text(name))]
        }
        StateKind::Unknown => Vec::new(),
    }
}

/// One line of it, for people.
fn summary(state: &StoredState, kind: StateKind) -> String {
    let what = match kind {
        StateKind::Texture => {
            let (number, layer) = layer(state.setting);
            format!("texture {} in layer {number}", layer.texture)
        }
        StateKind::VertexDescriptor => {
            let names = described(state.setting).filter_map(|(attribute, _)| attribute.name());
            format!("vertices with {}", names.collect::<Vec<_>>().join(", "))
        }
        StateKind::Tev => {
            let modes =
                (0..8_u32).map_while(|layer| tev_name(state.setting.checked_shr(layer.saturating_mul(4))? & 15));
            let used: Vec<&str> = modes.take_while(|name| *name != "none").collect();
            format!("TEV {}", if used.is_empty() { "none".to_owned() } else { used.join(", ") })
        }
        StateKind::MatrixLoad => {
            let (slot, bone) = matrix_load(state.setting);
            format!("load bone {bone} into matrix slot {slot}")
        }
        StateKind::Pixel => format!("pixel state {:#X}", state.setting),
        StateKind::Shader if state.setting == 0 => "no shader".to_owned(),
        StateKind::Shader => format!("shader {}", code_text(state.setting)),
        StateKind::Unknown => format!("unknown state {}", state.id),
    };
    if state.list == 0 { what } else { format!("{what}; draws a list") }
}

fn code_text(code: u32) -> String {
    code.to_be_bytes().escape_ascii().to_string()
}

fn wrap_name(code: u8) -> Option<&'static str> {
    ["clamp", "repeat", "mirror"].get(usize::from(code)).copied()
}

fn filter_name(code: u8) -> Option<&'static str> {
    (code < 6).then(|| match Filter::of_code(code) {
        Filter::Near => "nearest",
        Filter::Linear => "linear",
        Filter::NearMipNear => "nearest, nearest mip",
        Filter::LinearMipNear => "linear, nearest mip",
        Filter::NearMipLinear => "nearest, linear mip",
        Filter::LinearMipLinear => "linear, linear mip",
    })
}

fn tev_name(code: u32) -> Option<&'static str> {
    match code {
        0 => Some("modulate"),
        1 => Some("decal"),
        2 => Some("blend"),
        3 => Some("replace"),
        4 => Some("vertex colour"),
        15 => Some("none"),
        _ => None,
    }
}

fn blend_name(code: u32) -> Option<&'static str> {
    ["none", "alpha", "additive", "subtract"].get(code as usize).copied()
}
