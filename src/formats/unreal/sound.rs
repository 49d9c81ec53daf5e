//! Sounds and music (formats/unreal.md §6): a name and a whole file of another format, which goes to its own decoder.

use super::{
    codes,
    header::Object,
    info::PAYLOAD,
    object::{Fault, ObjectReader, entry_of},
};
use crate::formats::{Asset, LoadContext, Value, tracker, wave};
use std::sync::Arc;

/// What a sound or a piece of music holds.
#[derive(Clone, Copy, Debug)]
pub struct Payload<'a> {
    /// What the package says it is; the content decides.
    pub format: &'a str,
    pub bytes: &'a [u8],
    /// Of the first byte, from the start of the file.
    pub offset: u64,
}

/// Fields that a licensee put between the format and the samples (§12).
#[derive(Clone, Copy, Debug)]
enum Inserted {
    None,
    /// Clive Barker's Undying.
    Undying,
    /// Harry Potter 1 and 2.
    HarryPotter,
    /// A number alone: games of the second engine.
    Number,
}

/// Reads a sound, from behind its properties.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_sound<'a>(reader: &mut ObjectReader<'a>) -> Result<Payload<'a>, Fault> {
    let format = reader.name("Format")?;
    let inserted = inserted(reader);
    read_inserted(reader, inserted)?;
    let payload = read_payload(reader, format)?;
    if matches!(inserted, Inserted::Undying) && reader.version() >= 76 && reader.left() > 0 {
        reader.u32("Unknown")?;
        let count = reader.count("Size of unknown bytes")?;
        let count = reader.raw().check_count(count, 1)?;
        reader.bytes("Unknown bytes", "u8[]", count, Value::Raw)?;
        if reader.version() >= 85 {
            reader.u32("Unknown")?;
        }
    }
    Ok(payload)
}

/// Reads a piece of music, from behind its properties.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_music<'a>(reader: &mut ObjectReader<'a>) -> Result<Payload<'a>, Fault> {
    let format = reader.name("Format")?;
    read_payload(reader, format)
}

fn read_payload<'a>(reader: &mut ObjectReader<'a>, format: &'a str) -> Result<Payload<'a>, Fault> {
    let bytes = reader.lazy_bytes("Data", "u8[]", Value::Opaque(PAYLOAD))?;
    let offset = reader.offset().saturating_sub(bytes.len() as u64);
    Ok(Payload { format, bytes, offset })
}

/// Which licensee's fields follow: the first way of reading after which the offset behind the samples is the true one.
fn inserted(reader: &ObjectReader<'_>) -> Inserted {
    let candidates: &[Inserted] = match reader.version() {
        ..72 => &[],
        72..100 => &[Inserted::None, Inserted::Undying, Inserted::HarryPotter],
        _ => &[Inserted::None, Inserted::Number],
    };
    let fits = |inserted: &&Inserted| {
        let mut trial = reader.fork();
        read_inserted(&mut trial, **inserted).is_ok()
            && trial.skip_offset().is_ok_and(|skip| {
                let end = trial.count("").map(|count| trial.offset().saturating_add(count));
                skip.is_some_and(|skip| end == Ok(u64::from(skip)))
            })
    };
    candidates.iter().find(fits).copied().unwrap_or(Inserted::None)
}

fn read_inserted(reader: &mut ObjectReader<'_>, inserted: Inserted) -> Result<(), Fault> {
    let version = reader.version();
    match inserted {
        Inserted::None => {}
        Inserted::Number => {
            reader.f32("Likelihood")?;
        }
        Inserted::Undying => {
            if version >= 77 {
                reader.i32("Unknown")?;
                reader.i32("Unknown")?;
                reader.f32("Unknown")?;
            }
            if version >= 79 {
                reader.u32("Unknown")?;
                reader.f32("Unknown")?;
            }
            if version >= 80 {
                reader.f32("Unknown")?;
            }
            if version >= 82 {
                reader.i32("Unknown")?;
            }
        }
        Inserted::HarryPotter => {
            reader.u32("Flags")?;
            reader.f32("Duration")?;
            for from in [77, 78, 78, 79] {
                if version >= from {
                    reader.i32("Unknown")?;
                }
            }
        }
    }
    Ok(())
}

/// What a payload shows as: modules are music and everything else is a sound, whatever the class; recordings in place of
/// music stay music.
pub fn load(
    object: &Object<'_>,
    payload: Payload<'_>,
    is_music: bool,
    cx: &mut LoadContext<'_>,
) -> Result<Asset, Fault> {
    let bytes: Arc<[u8]> = payload.bytes.into();
    let is_module = tracker::Tracker::sniff(&bytes).is_some();
    let is_wave = wave::sniff(&bytes).is_some_and(|(encoding, _)| encoding == "WAV");
    let declared = ("Declared format".to_owned(), payload.format.to_owned());
    let (asset, problem) = if is_module || is_music && !is_wave {
        let mut music = tracker::music(&object.name(), bytes);
        music.facts.push(declared);
        let problem = music.problem.clone().filter(|_| is_module);
        (Asset::Music(Arc::new(music)), problem)
    } else {
        let mut sound = wave::sound(&object.name(), bytes);
        sound.facts.push(declared);
        let problem = sound.problem.clone().filter(|_| is_wave);
        (Asset::Sound(Arc::new(sound)), problem)
    };
    if let Some(problem) = problem {
        let entry = entry_of(object.package, object.export);
        cx.diagnostics.report(&codes::BAD_SOUND, entry, Some(payload.offset), problem);
    }
    Ok(asset)
}
