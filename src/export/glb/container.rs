use super::{
    Beside,
    buffers::{Builder, not_finite},
    node_extension::{self, InstancedNode, LodNode},
    options::OptionNames,
    pointers,
    readable::{Compact, Readable},
    space, srgb,
    variant_mappings::Variants,
};
use crate::export::ExportError;
use crate::export::Notes;
use gltf_json as json;
use serde::Serialize as _;
use serde_json::ser::{Formatter, Serializer};
use std::path::PathBuf;

const MAGIC: u32 = 0x4654_6C67;
const VERSION: u32 = 2;
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BIN_CHUNK: u32 = 0x004E_4942;

/// What went into a file and what had to stay out.
#[derive(Clone, Debug, Default)]
pub struct Glb {
    /// Of the file itself.
    pub bytes: Vec<u8>,
    /// The files beside it, where they were asked for: numbers, then pictures.
    pub beside: Vec<(PathBuf, Vec<u8>)>,
    /// Pictures that it refers to and that were written before.
    pub there: Vec<PathBuf>,
    /// One plain sentence for each thing that glTF cannot hold.
    pub notes: Notes,
    /// Nothing stands in its scene.
    pub is_empty: bool,
}

/// Says that pictures are larger than in their files.
fn note_of_enlarged(count: usize, names: OptionNames) -> Option<String> {
    let textures = match count {
        0 => return None,
        1 => "a small texture is".to_owned(),
        _ => format!("{count} small textures are"),
    };
    let hint = OptionNames::hint(names.original_size, "keeps the size");
    Some(format!(
        "{textures} enlarged, because other programs would show lighter colours than the game at the original size{hint}"
    ))
}

/// States how much lighter other programs show colours between vertices.
fn note_of_lightening(most: f32) -> Option<String> {
    (most > srgb::MAX_LIGHTENING).then(|| {
        format!(
            "colours between vertices are up to {most:.0}/255 lighter in other programs, which blend them in linear space"
        )
    })
}

/// Makes the file: the JSON and the binary chunk in one (glTF 2.0, “GLB File Format”), or the JSON with files beside.
pub fn finish(mut builder: Builder, names: OptionNames) -> Result<Glb, ExportError> {
    space::apply(&mut builder)?;
    builder.notes.extend(note_of_enlarged(builder.enlarged, names));
    builder.notes.extend(note_of_lightening(builder.lightening));
    let Builder {
        mut root,
        bin,
        notes,
        room,
        pointers: channels,
        instances: instanced,
        lods: levels,
        variants,
        beside,
        ..
    } = builder;
    let is_empty = root.scenes.is_empty();
    root.asset.generator = Some(format!("Bonebox {}", env!("CARGO_PKG_VERSION")));
    let numbers = beside.as_ref().and_then(Beside::numbers);
    if !bin.is_empty() {
        root.buffers.push(json::Buffer {
            byte_length: bin.len().into(),
            name: None,
            uri: numbers.as_ref().map(|(_, uri)| uri.clone()),
            extensions: None,
            extras: None,
        });
    }
    let (bytes, mut files) = if let Some((path, _)) = numbers {
        let mut bytes = text(&root, &channels, &instanced, &levels, &variants, Readable::default())?;
        bytes.push(b'\n');
        let files = if bin.is_empty() { Vec::new() } else { vec![(path, bin)] };
        (bytes, files)
    } else {
        (in_one_file(&text(&root, &channels, &instanced, &levels, &variants, Compact)?, &bin)?, Vec::new())
    };
    let numbers = files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    room.check((bytes.len() + numbers + beside.as_ref().map_or(0, Beside::bytes)) as u64)?;
    let (pictures, there) = beside.map(Beside::into_pictures).unwrap_or_default();
    files.extend(pictures);
    Ok(Glb { bytes, beside: files, there, notes, is_empty })
}

fn text(
    root: &json::Root,
    channels: &[pointers::PointerChannel],
    instanced: &[InstancedNode],
    levels: &[LodNode],
    variants: &Variants,
    formatter: impl Formatter,
) -> Result<Vec<u8>, ExportError> {
    let mut text = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut text, formatter);
    if channels.is_empty() && instanced.is_empty() && levels.is_empty() && variants.is_empty() {
        root.serialize(&mut serializer).map_err(|_| not_finite())?;
    } else {
        let mut value = serde_json::to_value(root).map_err(|_| not_finite())?;
        pointers::put(channels, &mut value);
        node_extension::put_instances(instanced, &mut value);
        node_extension::put_levels(levels, &mut value);
        variants.put(&mut value);
        value.serialize(&mut serializer).map_err(|_| not_finite())?;
    }
    Ok(text)
}

fn in_one_file(text: &[u8], bin: &[u8]) -> Result<Vec<u8>, ExportError> {
    let (json_len, bin_len) = (text.len().next_multiple_of(4), bin.len().next_multiple_of(4));
    let total = 12 + 8 + json_len + if bin.is_empty() { 0 } else { 8 + bin_len };
    let too_large = || ExportError::TooLarge(format!("the GLB file would have {total} bytes: the limit is 4 GiB"));
    let length = u32::try_from(total).map_err(|_| too_large())?;

    let mut bytes = Vec::with_capacity(total);
    for word in [MAGIC, VERSION, length, json_len as u32, JSON_CHUNK] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(text);
    bytes.resize(20 + json_len, b' ');
    if !bin.is_empty() {
        for word in [bin_len as u32, BIN_CHUNK] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(bin);
        bytes.resize(total, 0);
    }
    Ok(bytes)
}
