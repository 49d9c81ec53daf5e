//! Textures of models and pictures of the ground, by the paths that the editors write (formats/visitor.md §1.10).

use crate::{
    bytes::{Limits, Source},
    formats::{
        FileRequest, FoundFile, LoadContext, common_codes, file_name,
        findings::Findings,
        paa::{Alpha, Decoding, Paa},
        picture,
    },
    scene::{BasicMaterial, Blend, Image, MaterialIndex, MaterialKind, MissingTexture, Model},
};
use std::{collections::HashMap, sync::Arc};

/// Bytes of a picture's file.
const LARGEST: u64 = 256 << 20;
/// Extensions of pictures that can be read, the games' own first.
const PICTURES: &[&str] = &["paa", "pac", "png", "tga", "bmp", "dds"];
/// Textures of one model that are looked for.
const MAX_TEXTURES: usize = 500;

/// A picture's file: by its path, or else by its name with any extension of a picture, beside the file that asks and below it.
pub fn find(file: &str, cx: &LoadContext<'_>) -> Option<FoundFile> {
    let by_name = || {
        let stem = file_name::stem(name_of(file));
        cx.resolver.find(&FileRequest { stem, extensions: PICTURES, subfolders: true, siblings: &[] })
    };
    cx.resolver.find_path(drive_path(file), LARGEST).or_else(by_name)
}

/// Without its folders.
pub fn name_of(file: &str) -> &str {
    file_name::last_part(file.trim())
}

/// Decodes the largest image of a picture called `file`, and says how what it is on is drawn.
///
/// # Errors
/// One sentence, when nothing of it can be shown.
pub fn decode(file: &str, source: &Source, limits: &Limits) -> Result<(Image, Blend), String> {
    let extension = name_of(file).rsplit_once('.').map_or("", |(_, extension)| extension).to_lowercase();
    let source = source.in_memory().map_err(|error| format!("the file cannot be read: {error}"))?;
    if !matches!(extension.as_str(), "paa" | "pac") {
        let image = picture::decode(name_of(file), source.as_slice(), limits).map_err(|error| error.to_string())?;
        return Ok((image, Blend::Opaque));
    }
    let paa = Paa::read(&source, extension == "pac").map_err(|trouble| trouble.message)?;
    let how = Decoding { name: name_of(file), limits, first_only: true, is_cancelled: &|| false };
    let decoded = paa.decode(&source, &how);
    let Some(image) = decoded.picture.image() else {
        let why = decoded.troubles.into_iter().chain(paa.troubles).next();
        return Err(why.map_or_else(|| "it has no mips".to_owned(), |trouble| trouble.message));
    };
    let blend = match paa.alpha {
        _ if decoded.picture.masked => Blend::Masked,
        Alpha::Smooth => Blend::Alpha,
        _ => Blend::Opaque,
    };
    Ok(((**image).clone(), blend))
}

/// Gives a model's materials the textures that they name; `names` has a path for each material, or nothing. What is not found is
/// named in the model, what cannot be decoded in `findings`.
pub fn give(model: &mut Model, names: &[String], cx: &LoadContext<'_>, findings: &mut Findings) {
    let mut known: HashMap<String, Option<(u32, Blend)>> = HashMap::new();
    let mut limits = cx.limits;
    let mut left_out = 0_usize;
    for (index, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let key = name.to_lowercase();
        if !known.contains_key(&key) {
            if cx.cancelled() {
                return;
            }
            if known.len() >= MAX_TEXTURES {
                left_out = left_out.saturating_add(1);
                continue;
            }
            let found = find(name, cx);
            if found.is_none() {
                model.missing.push(format!("the texture “{name}” was not found below the folder of the file"));
            }
            let decoded = found.and_then(|found| match decode(&found.name, &found.source, &limits) {
                Ok(decoded) => Some(decoded),
                Err(error) => {
                    findings.add(&common_codes::BAD_PICTURE, None, format!("{}: {error}", found.name));
                    None
                }
            });
            let image = decoded.and_then(|(image, blend)| {
                limits.decoded_bytes = limits.decoded_bytes.saturating_sub(image.weight());
                let at = u32::try_from(model.images.len()).ok()?;
                model.images.push(Arc::new(image));
                Some((at, blend))
            });
            known.insert(key.clone(), image);
        }
        let Some(material) = model.materials.get_mut(index) else { continue };
        match known.get(&key).copied().flatten() {
            Some((image, blend)) => {
                let basic = BasicMaterial { image: Some(image), blend, ..material.basic() };
                material.kind = MaterialKind::Basic(basic);
                whiten(model, index);
            }
            None => model.missing_textures.push(MissingTexture {
                material: MaterialIndex(u32::try_from(index).unwrap_or(u32::MAX)),
                object: name.clone(),
                package: None,
            }),
        }
    }
    if left_out > 0 {
        model.missing.push(format!(
            "{left_out} materials have textures beyond the first {MAX_TEXTURES}, which were not looked for"
        ));
    }
}

/// The colour that stood for a texture is no tint of it.
fn whiten(model: &mut Model, material: usize) {
    for mesh in &mut model.meshes {
        for surface in mesh.surfaces.iter().filter(|surface| surface.material as usize == material) {
            let first = surface.first_index as usize;
            let indices = mesh.indices.get(first..first.saturating_add(surface.index_count as usize));
            for vertex in indices.unwrap_or_default() {
                if let Some(color) = mesh.colors.get_mut(*vertex as usize) {
                    *color = [255; 4];
                }
            }
        }
    }
}

/// A path as the editors write it, without the drive that they root it in.
pub fn drive_path(path: &str) -> &str {
    let path = path.trim();
    let rooted = match path.as_bytes() {
        [b'p' | b'P', b':', b'\\' | b'/', ..] => path.get(3..).unwrap_or_default(),
        _ => path,
    };
    rooted.strip_prefix(['\\', '/']).unwrap_or(rooted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drive_of_the_editors_is_left_out() {
        for path in ["ca\\a.p3d", "P:\\ca\\a.p3d", "p:/ca\\a.p3d", "\\ca\\a.p3d", " ca\\a.p3d "] {
            assert_eq!(drive_path(path).replace('/', "\\"), "ca\\a.p3d");
        }
        assert_eq!(drive_path("c:\\a.p3d"), "c:\\a.p3d");
    }
}
