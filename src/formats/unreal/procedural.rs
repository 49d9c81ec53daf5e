//! Textures that the game computes (formats/unreal.md §5.5): fire, water, wet and ice as programs that run, the others as what
//! they are made of.
//!
//! What a texture does not state is as its class has it: every file seen states what its editor sets in a new texture, so the
//! classes have zeros there. For water without light or waves nothing would be seen; it gets what the editor sets.

use super::{
    codes,
    header::{Object, read_header},
    kind::Kind,
    object::{Fault, ObjectReader},
    package::Package,
    properties::{PropertyList, PropertyValue},
    tables::ObjectRef,
    texture::{Room, palette_of, read_texture, surface_texture},
};
use crate::{
    formats::{LoadContext, Value},
    scene::{
        Image, Palette, Picture, PictureForm, StoredPixels,
        procedural::{
            DropKind, Fire, Glass, MAX_DROPS, Panning, Plane, Procedural, Program, Spark, SparkKind, USUAL_RATE_HZ,
            Water, WaterDrop, WaterLight,
        },
    },
};
use std::sync::Arc;

/// Frames that run before the first one is seen, at most: PrimeCount is a byte.
const MAX_PRIME: i32 = 255;
/// Frames a second that MaxFrameRate can ask for.
const RATES_HZ: std::ops::RangeInclusive<f32> = 1.0..=120.0;

const PANNING_STYLES: &[&str] = &["SLIDE_Linear", "SLIDE_Circular", "SLIDE_Gestation", "SLIDE_WavyX", "SLIDE_WavyY"];
const TIME_METHODS: &[&str] = &["TIME_FrameRateSync", "TIME_RealTimeScroll"];
const DRAW_MODES: &[&str] = &["DRAW_Normal", "DRAW_Lathe", "DRAW_Lathe_2", "DRAW_Lathe_3", "DRAW_Lathe_4"];

/// What a computed texture holds besides its properties.
#[derive(Clone, Debug, Default)]
pub struct StoredProcedural {
    /// Pixels each way, as its one mip says, which has no pixels.
    pub mip_size: (u32, u32),
    /// Of a FireTexture: type, heat, x, y, a, b, c, d.
    pub sparks: Vec<[u8; 8]>,
}

/// Reads what a computed texture holds besides its properties.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_procedural(
    kind: Kind,
    reader: &mut ObjectReader<'_>,
    properties: &PropertyList,
) -> Result<StoredProcedural, Fault> {
    let texture = read_texture(reader, properties);
    if let Some(fault) = texture.fault {
        return Err(fault);
    }
    let sparks = match kind {
        Kind::FireTexture => reader.array("Sparks", "Spark", 8, read_spark)?,
        _ => Vec::new(),
    };
    Ok(StoredProcedural { mip_size: texture.mips.first().map_or((0, 0), |mip| (mip.width, mip.height)), sparks })
}

fn read_spark(reader: &mut ObjectReader<'_>) -> Result<[u8; 8], Fault> {
    let at = reader.offset();
    let kind = reader.raw().u8()?;
    if reader.is_recording() {
        let name = spark_name(kind).into();
        reader.record("Type", "ESpark", at, || Value::Enum { value: i64::from(kind), name });
    }
    Ok([
        kind,
        reader.u8("Heat")?,
        reader.u8("X")?,
        reader.u8("Y")?,
        reader.u8("ByteA")?,
        reader.u8("ByteB")?,
        reader.u8("ByteC")?,
        reader.u8("ByteD")?,
    ])
}

fn spark_name(number: u8) -> String {
    SparkKind::from_number(number).map_or_else(|| "unknown".to_owned(), |kind| format!("SPARK_{}", kind.name()))
}

/// A fire, water, a wet picture or ice as a program that runs. The reader stands behind the object's properties.
///
/// # Errors
/// Where it cannot be read on.
pub fn load_procedural(
    object: &Object<'_>,
    reader: &mut ObjectReader<'_>,
    cx: &mut LoadContext<'_>,
) -> Result<Procedural, Fault> {
    let properties = object.properties();
    let stored = read_procedural(object.kind, reader, properties)?;
    let mut texture = Loading { object, properties, cx, facts: facts(object.package, properties) };
    let program = match object.kind {
        Kind::FireTexture => texture.fire(&stored.sparks),
        Kind::Wet => texture.wet(),
        Kind::Ice => texture.ice(),
        _ => texture.waves(),
    };
    let palette = match &program {
        Program::Fire(_) | Program::Waves { .. } => texture.palette(),
        Program::Wet { .. } | Program::Glass(_) => Arc::default(),
    };
    let side = |name: &str| properties.int(name).and_then(|side| u32::try_from(side).ok()).filter(|side| *side > 0);
    let rate = properties.float("MaxFrameRate").filter(|rate| rate.is_finite() && *rate > 0.0);
    Ok(Procedural {
        name: object.name(),
        width: side("USize").unwrap_or(stored.mip_size.0),
        height: side("VSize").unwrap_or(stored.mip_size.1),
        palette,
        masked: properties.bool("bMasked").unwrap_or(false),
        program,
        prime_frames: properties.int("PrimeCount").unwrap_or(0).clamp(0, MAX_PRIME) as u16,
        rate_hz: rate.map_or(USUAL_RATE_HZ, |rate| rate.clamp(*RATES_HZ.start(), *RATES_HZ.end())),
        facts: texture.facts,
    })
}

/// ScriptedTexture, FractalTexture and other children of Texture that only the game can draw: the texture that it starts from,
/// with its parameters. The reader stands behind the object's properties.
///
/// # Errors
/// Where it cannot be read on.
pub fn load_other(
    object: &Object<'_>,
    reader: &mut ObjectReader<'_>,
    cx: &mut LoadContext<'_>,
) -> Result<Picture, Fault> {
    let properties = object.properties();
    read_procedural(object.kind, reader, properties)?;
    let mut texture = Loading { object, properties, cx, facts: facts(object.package, properties) };
    let image = texture.picture("SourceTexture");
    let forms = image.map(|image| PictureForm {
        name: format!("source {}", image.name),
        has_alpha: image.has_alpha(),
        mips: vec![image],
        stored: StoredPixels::Decoded,
    });
    Ok(Picture {
        name: object.name(),
        forms: forms.into_iter().collect(),
        palette: properties.object("Palette").and_then(|palette| palette_of(object.package, palette)),
        masked: properties.bool("bMasked").unwrap_or(false),
        facts: texture.facts,
        ..Picture::default()
    })
}

/// A texture on its way to a program.
struct Loading<'a, 'b> {
    object: &'a Object<'a>,
    properties: &'a PropertyList,
    cx: &'a mut LoadContext<'b>,
    facts: Vec<(String, String)>,
}

impl Loading<'_, '_> {
    fn byte(&self, name: &str, unstated: u8) -> u8 {
        self.properties.int(name).map_or(unstated, |value| value.clamp(0, 255) as u8)
    }

    fn palette(&mut self) -> Arc<Palette> {
        let object = self.properties.object("Palette").unwrap_or(ObjectRef::NONE);
        palette_of(self.object.package, object).unwrap_or_else(|| {
            let message = format!(
                "{}: the palette is missing{}; the image is shown in grey",
                self.object.name(),
                self.path(object)
            );
            self.cx.diagnostics.report(&codes::MISSING_PALETTE, None, None, message);
            Arc::new(Palette { name: "grey".to_owned(), colors: (0..=u8::MAX).map(|v| [v, v, v, 255]).collect() })
        })
    }

    /// Where a missing object should be, for a sentence.
    fn path(&self, object: ObjectRef) -> String {
        match self.object.package.object_path(object) {
            path if path.is_empty() => String::new(),
            path => format!(" ({path} was not found)"),
        }
    }

    fn fire(&self, sparks: &[[u8; 8]]) -> Program {
        let limit = self.properties.int("SparksLimit").unwrap_or(0);
        Program::Fire(Fire {
            sparks: sparks.iter().filter_map(|spark| Spark::from_bytes(*spark)).collect(),
            render_heat: self.byte("RenderHeat", 0),
            rising: self.properties.bool("bRising").unwrap_or(false),
            most_sparks: limit.clamp(0, i32::from(u16::MAX)) as u16,
        })
    }

    fn water(&self) -> Water {
        let stated = self.properties.int("NumDrops").and_then(|count| u32::try_from(count).ok());
        let count = stated.unwrap_or(MAX_DROPS as u32).min(MAX_DROPS as u32);
        let drop = |index: u32| {
            let mut bytes = [0; 8];
            let members = self.properties.members_at("Drops", index)?;
            for (byte, (_, member)) in bytes.iter_mut().zip(members) {
                *byte = match member {
                    PropertyValue::Byte(value) => *value,
                    _ => return None,
                };
            }
            WaterDrop::from_bytes(bytes)
        };
        Water { drops: (0..count).filter_map(drop).collect(), wave_amplitude: self.byte("WaveAmp", 128) }
    }

    fn waves(&self) -> Program {
        let light = WaterLight {
            light: self.byte("BumpMapLight", 50),
            view: self.byte("BumpMapAngle", 170),
            range: self.byte("PhongRange", 180),
            size: self.byte("PhongSize", 32),
        };
        Program::Waves { water: self.water(), light }
    }

    fn wet(&mut self) -> Program {
        Program::Wet { water: self.water(), source: self.picture("SourceTexture") }
    }

    fn ice(&mut self) -> Program {
        let panning = match self.byte("PanningStyle", 0) {
            1 => Panning::Circular,
            2 => Panning::Gestation,
            3 => Panning::WavyX,
            4 => Panning::WavyY,
            _ => Panning::Linear,
        };
        Program::Glass(Glass {
            source: self.picture("SourceTexture"),
            glass: self.glass(),
            speed: [self.byte("HorizPanSpeed", 128), self.byte("VertPanSpeed", 128)],
            frequency: self.byte("Frequency", 0),
            amplitude: self.byte("Amplitude", 0),
            panning,
            timed_hz: (self.byte("TimeMethod", 0) == 1).then_some(USUAL_RATE_HZ),
            glass_moves: self.properties.bool("MoveIce").unwrap_or(false),
        })
    }

    /// The picture of the texture that a property leads to.
    fn picture(&mut self, property: &str) -> Option<Arc<Image>> {
        let object = self.properties.object(property)?;
        let room = &mut Room::of(self.cx.limits.decoded_bytes);
        let image = surface_texture(self.object.package, object, self.cx, room).and_then(|texture| texture.image);
        if image.is_none() {
            self.missing(property, object);
        }
        image
    }

    /// The palette indices of the GlassTexture's first mip.
    fn glass(&mut self) -> Option<Arc<Plane>> {
        let object = self.properties.object("GlassTexture")?;
        let plane = indices(self.object.package, object);
        if plane.is_none() {
            self.missing("GlassTexture", object);
        }
        plane.map(Arc::new)
    }

    fn missing(&mut self, property: &str, object: ObjectRef) {
        let path = self.object.package.object_path(object);
        let name = self.object.name();
        let message = format!("{name}: {property} ({path}) was not found; a placeholder pattern is used");
        self.cx.diagnostics.report(&codes::UNRESOLVED, None, None, message);
        self.facts.insert(0, (format!("{property} is missing"), "a placeholder pattern is used".to_owned()));
    }
}

/// The first mip of a texture of palette indices, as it is stored.
fn indices(package: &Arc<Package>, object: ObjectRef) -> Option<Plane> {
    let found = package.resolve(object)?;
    let mut reader = ObjectReader::of_export(&found.package, found.export);
    let header = read_header(&mut reader, found.export).ok()?;
    let texture = read_texture(&mut reader, &header.properties);
    let mip = texture.mips.first()?;
    let plane = Plane { width: mip.width, height: mip.height, bytes: mip.data.into() };
    plane.is_whole().then_some(plane)
}

/// Every parameter that the texture states, for people.
fn facts(package: &Package, properties: &PropertyList) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    for property in &properties.properties {
        let name = property.name.as_str();
        let numbered = |names: &[&str], value: u8| {
            names.get(usize::from(value)).map_or_else(|| value.to_string(), |name| (*name).to_owned())
        };
        let value = match &property.value {
            PropertyValue::Byte(value) => match name.to_ascii_lowercase().as_str() {
                "sparktype" => spark_name(*value),
                "droptype" => match DropKind::from_number(*value) {
                    Some(kind) => format!("DROP_{}", kind.name()),
                    None => value.to_string(),
                },
                "panningstyle" => numbered(PANNING_STYLES, *value),
                "timemethod" => numbered(TIME_METHODS, *value),
                "drawmode" => numbered(DRAW_MODES, *value),
                _ => value.to_string(),
            },
            PropertyValue::Int(value) if !name.eq_ignore_ascii_case("InternalTime") => value.to_string(),
            PropertyValue::Bool(value) => if *value { "yes" } else { "no" }.to_owned(),
            PropertyValue::Float(value) => value.to_string(),
            PropertyValue::Object(object) => package.object_path(*object),
            PropertyValue::Name(text) | PropertyValue::Text(text) => text.clone(),
            PropertyValue::Color([r, g, b, _]) => format!("#{r:02X}{g:02X}{b:02X}"),
            _ => continue,
        };
        let name = if property.index > 0 { format!("{name}[{}]", property.index) } else { name.to_owned() };
        facts.push((name, value));
    }
    facts
}
