//! A texture as a picture: both forms, all mips, the palette, and the frames of a flip-book, which is a chain of
//! textures (§5.1, AnimNext).

use super::{
    super::{
        codes,
        header::Object,
        object::{Fault, ObjectReader},
        package::{Found, Package},
        properties::{PropertyList, PropertyValue},
        tables::ObjectRef,
    },
    decode::{Decoder, Room},
    is_texture,
    mips::{StoredMip, TextureMips, palette_of, read_texture},
    pixels::format_name,
    surface::{Formats, first_image, palette},
    with_object,
};
use crate::{
    formats::LoadContext,
    scene::{FlipBook, Image, Palette, Picture, PictureForm, StoredPixels},
};
use std::{collections::HashSet, sync::Arc};

/// Decodes a texture with the reader behind its properties.
///
/// # Errors
/// When nothing of it can be read.
pub fn load_picture(
    object: &Object<'_>,
    reader: &mut ObjectReader<'_>,
    cx: &mut LoadContext<'_>,
) -> Result<Picture, Fault> {
    let (properties, name) = (object.properties(), object.name());
    let texture = read_texture(reader, properties);
    let first_only = cx.options.first_image_only;
    let mut room = Room::of(cx.limits.decoded_bytes);
    let version = object.package.version();
    let formats = Formats::of(version, properties);
    let mut decoder = Decoder::new(object.package, object.export, &name, cx, &mut room);
    if let Some(fault) = &texture.fault {
        if texture.mips.is_empty() && texture.compressed.is_empty() {
            return Err(fault.clone());
        }
        decoder.report(&codes::BAD_OBJECT, Some(fault.offset), format!("{name}: {}", fault.message));
    }
    let palette = if formats.need_palette(&texture) {
        Some(palette(&mut decoder, properties))
    } else {
        // Shown where there is one, and not missed.
        properties.object("Palette").and_then(|palette| palette_of(object.package, palette))
    };
    let none = Palette::default();
    let colors = palette.as_deref().unwrap_or(&none);
    let mut forms = Vec::new();
    for (mips, format, number) in
        [(&texture.compressed, formats.compressed, "CompFormat"), (&texture.mips, formats.normal, "Format")]
    {
        let Some(format) = format else {
            let name_of = format_name(version, properties.int(number).unwrap_or(0));
            if mips.iter().any(|mip| !mip.data.is_empty()) {
                let message = format!("{name}: the pixel format {name_of} is not supported");
                decoder.report(&codes::UNKNOWN_PIXELS, mips.first().map(|m| m.offset), message);
                forms.push(PictureForm {
                    name: name_of,
                    mips: Vec::new(),
                    stored: StoredPixels::Decoded,
                    has_alpha: false,
                });
            }
            continue;
        };
        if mips.is_empty() || first_only && forms.iter().any(|form: &PictureForm| !form.mips.is_empty()) {
            continue;
        }
        forms.push(decoder.form(format, mips, colors, first_only));
    }
    // The file's own order, with the compressed form shown first where it has pixels.
    forms.reverse();
    let preferred = forms.iter().rposition(|form| !form.mips.is_empty()).unwrap_or(0);
    let mut picture = Picture {
        name,
        forms,
        preferred,
        palette,
        masked: properties.bool("bMasked").unwrap_or(false),
        used: None,
        flip_book: None,
        facts: facts(object.package, properties, &texture),
    };
    if let Some(first) = picture.image().cloned() {
        picture.used = used(properties, &first);
        if !first_only {
            let start = Found { package: object.package.clone(), export: object.export };
            picture.flip_book = flip_book(&start, properties, &first, cx, &mut room);
        }
    }
    room.report(object.package, object.export, cx);
    Ok(picture)
}

/// UClamp and VClamp where they leave a part out.
fn used(properties: &PropertyList, image: &Image) -> Option<(u32, u32)> {
    let side = |name: &str, whole: u32| {
        let clamp = properties.int(name).and_then(|side| u32::try_from(side).ok());
        clamp.filter(|side| *side > 0 && *side <= whole).unwrap_or(whole)
    };
    let used = (side("UClamp", image.width), side("VClamp", image.height));
    (used != (image.width, image.height)).then_some(used)
}

/// What else a person may want to know of a texture.
fn facts(package: &Arc<Package>, properties: &PropertyList, texture: &TextureMips<'_>) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let size = |mips: &[StoredMip<'_>]| mips.first().map(|mip| format!("{} × {}", mip.width, mip.height));
    let bytes: usize = texture.mips.iter().chain(&texture.compressed).map(|mip| mip.data.len()).sum();
    facts.extend(size(&texture.mips).or_else(|| size(&texture.compressed)).map(|s| ("Size".to_owned(), s)));
    facts.push(("Pixel data (bytes)".to_owned(), bytes.to_string()));
    const SHOWN: &[&str] = &[
        "UClamp",
        "VClamp",
        "Format",
        "CompFormat",
        "MipZero",
        "MaxColor",
        "DrawScale",
        "bMasked",
        "bTransparent",
        "bModulate",
        "bTwoSided",
        "bRealtime",
        "bParametric",
        "bNoSmooth",
        "LODSet",
        "AnimNext",
        "MinFrameRate",
        "MaxFrameRate",
        "PrimeCount",
        "DetailTexture",
        "MacroTexture",
        "BumpMap",
        "FootstepSound",
        "HitSound",
    ];
    for name in SHOWN {
        let value = match properties.get(name, 0) {
            Some(PropertyValue::Object(object)) if !object.is_none() => package.object_path(*object),
            Some(PropertyValue::Color([r, g, b, _])) => format!("#{r:02X}{g:02X}{b:02X}"),
            Some(PropertyValue::Bool(value)) => if *value { "yes" } else { "no" }.to_owned(),
            Some(PropertyValue::Float(value)) => value.to_string(),
            Some(PropertyValue::Int(value)) => value.to_string(),
            Some(PropertyValue::Byte(value)) if name.ends_with("Format") => {
                format_name(package.version(), i32::from(*value))
            }
            Some(PropertyValue::Byte(value)) => value.to_string(),
            _ => continue,
        };
        facts.push(((*name).to_owned(), value));
    }
    facts
}

/// Frames that are followed at most.
const MAX_FRAMES: usize = 1_024;
/// Where a texture says nothing of its rate.
const USUAL_RATE_HZ: f32 = 15.0;

/// The pictures that follow one another from `first` on, until there is no next or one comes again. `None` for a picture that is
/// alone.
fn flip_book(
    start: &Found,
    properties: &PropertyList,
    first: &Arc<Image>,
    cx: &mut LoadContext<'_>,
    room: &mut Room,
) -> Option<FlipBook> {
    let key = |found: &Found| (Arc::as_ptr(&found.package), found.export);
    let mut seen: HashSet<(*const Package, usize)> = HashSet::from([key(start)]);
    let mut frames = vec![first.clone()];
    let mut package = start.package.clone();
    let mut next = properties.object("AnimNext").unwrap_or(ObjectRef::NONE);
    while !next.is_none() && frames.len() < MAX_FRAMES && !cx.cancelled() {
        let Some(found) = package.resolve(next).filter(is_texture) else {
            let path = package.object_path(next);
            let mut decoder = Decoder::new(&start.package, start.export, &first.name, cx, room);
            let message = format!("{}: the next image of the animation ({path}) was not found", first.name);
            decoder.report(&codes::UNRESOLVED, None, message);
            break;
        };
        if !seen.insert(key(&found)) {
            break;
        }
        let read = with_object(&found, |properties, reader| {
            let image = first_image(&found, properties, reader, cx, room);
            Some((image, properties.object("AnimNext").unwrap_or(ObjectRef::NONE)))
        });
        let Some((image, after)) = read else { break };
        frames.extend(image);
        (package, next) = (found.package, after);
    }
    (frames.len() > 1).then(|| FlipBook { frames, rate_hz: rate_hz(properties) })
}

/// The flip-book that a texture is the first picture of: [`flip_book`]. `left`: bytes that may still be decoded.
pub fn flip_book_of(start: &Found, first: &Arc<Image>, cx: &mut LoadContext<'_>, left: &mut u64) -> Option<FlipBook> {
    let mut room = Room::of(*left);
    let book = with_object(start, |properties, _| flip_book(start, properties, first, cx, &mut room));
    *left = room.left;
    book
}

/// As fast as the texture allows: the engine held the pictures back to MaxFrameRate and no further than to MinFrameRate.
fn rate_hz(properties: &PropertyList) -> f32 {
    let rate = |name: &str| properties.float(name).filter(|rate| rate.is_finite() && *rate > 0.0);
    rate("MaxFrameRate").or_else(|| rate("MinFrameRate")).unwrap_or(USUAL_RATE_HZ).clamp(0.1, 120.0)
}
