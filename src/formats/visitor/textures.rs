//! Textures of models, and pictures of the ground, by the paths that the editors write (formats/visitor.md §1.10).

use crate::{
    bytes::{
        Limits, Source,
        numbers::{counted, grouped},
    },
    formats::{
        FileRequest, FoundFile, LoadContext, common_codes, file_name,
        findings::Findings,
        paa::{Alpha, Decoding, Paa},
        picture,
    },
    scene::{BasicMaterial, Blend, Image, MaterialIndex, MaterialKind, MissingTexture, Model, Terrain},
};
use std::{collections::HashMap, sync::Arc};

/// Bytes of a picture's file.
const LARGEST: u64 = 256 << 20;
/// Extensions of pictures that can be read, the games' own first.
const PICTURES: &[&str] = &["paa", "pac", "png", "tga", "bmp", "dds"];
/// Textures of one model that are looked for.
const MAX_TEXTURES: usize = 500;
/// The same of all models on a landscape, with pixels of a texture's longer side, and decoded bytes of all of them.
const LANDSCAPE_TEXTURES: usize = 2_000;
const LANDSCAPE_SIDE: u32 = 512;
const LANDSCAPE_BYTES: u64 = 256 << 20;
/// Decoded bytes that a further one may take.
const LEAST_BYTES: u64 = 4 << 20;

/// A picture's file: by its path, or else by its name with any extension of a picture, beside the file that asks and below it.
fn find(file: &str, cx: &LoadContext<'_>) -> Option<FoundFile> {
    let by_name = || cx.resolver.find(&by_name(file));
    cx.resolver.find_path(drive_path(file), LARGEST).or_else(by_name)
}

fn by_name(file: &str) -> FileRequest<'_> {
    FileRequest { stem: file_name::stem(name_of(file)), extensions: PICTURES, subfolders: true, siblings: &[] }
}

/// Without its folders.
fn name_of(file: &str) -> &str {
    file_name::last_part(file.trim())
}

/// Decodes the largest image of a picture called `file`, and says how what it is on is drawn. Of one that is stored in several sizes,
/// those with a side of more than `largest` pixels are passed over.
///
/// # Errors
/// One sentence, when nothing of it can be shown.
fn decode(file: &str, source: &Source, limits: &Limits, largest: u32) -> Result<(Image, Blend), String> {
    let extension = name_of(file).rsplit_once('.').map_or("", |(_, extension)| extension).to_lowercase();
    let source = source.in_memory().map_err(|error| format!("the file cannot be read: {error}"))?;
    if !matches!(extension.as_str(), "paa" | "pac") {
        let image = picture::decode(name_of(file), source.as_slice(), limits).map_err(|error| error.to_string())?;
        return Ok((image, Blend::Opaque));
    }
    let paa = Paa::read(&source, extension == "pac").map_err(|trouble| trouble.message)?;
    let how = Decoding { name: name_of(file), limits, first_only: true, largest, is_cancelled: &|| false };
    let decoded = paa.decode(&source, &how);
    let Some(image) = decoded.picture.image() else {
        let why = decoded.troubles.into_iter().chain(paa.troubles).next();
        return Err(why.map_or_else(|| "the image has no mip levels".to_owned(), |trouble| trouble.message));
    };
    let blend = match paa.alpha {
        _ if decoded.picture.masked => Blend::Masked,
        Alpha::Smooth => Blend::Alpha,
        _ => Blend::Opaque,
    };
    Ok(((**image).clone(), blend))
}

/// Textures that models share: each is looked for and decoded once.
pub struct Textures {
    /// By name in lower case; `None` for what cannot be shown.
    known: HashMap<String, Option<(Arc<Image>, Blend)>>,
    /// What further ones may take.
    limits: Limits,
    /// How many are looked for, and pixels of their longer side.
    most: usize,
    largest: u32,
    /// None is looked for where fewer decoded bytes are left.
    least: u64,
    /// Names of what was not found.
    pub missing: Vec<String>,
    /// Materials whose textures were not looked for.
    pub left_out: usize,
}

impl Textures {
    /// Those of one model.
    pub fn of_a_model(limits: Limits) -> Self {
        let (known, missing) = Default::default();
        Self { known, limits, most: MAX_TEXTURES, largest: u32::MAX, least: 0, missing, left_out: 0 }
    }

    /// Those of what stands on a landscape, mostly far away.
    pub fn of_a_landscape(limits: Limits) -> Self {
        // Half at most: the pictures of the ground have the rest.
        let decoded_bytes = limits.decoded_bytes.div_euclid(2).min(LANDSCAPE_BYTES);
        let limits = Limits { decoded_bytes, ..limits };
        Self { most: LANDSCAPE_TEXTURES, largest: LANDSCAPE_SIDE, least: LEAST_BYTES, ..Self::of_a_model(limits) }
    }

    /// Textures that were looked for.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// Gives a model's materials the textures that they name; `names` has a path for each material, or nothing. What cannot be decoded
    /// is said in `findings`.
    pub fn give(&mut self, model: &mut Model, names: &[String], cx: &LoadContext<'_>, findings: &mut Findings) {
        let mut images: HashMap<*const Image, u32> = HashMap::new();
        for (index, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            let key = name.to_lowercase();
            if !self.known.contains_key(&key) {
                if cx.cancelled() {
                    return;
                }
                if self.known.len() >= self.most || self.limits.decoded_bytes < self.least {
                    self.left_out = self.left_out.saturating_add(1);
                    continue;
                }
                let found = self.find(name, cx, findings);
                self.known.insert(key.clone(), found);
            }
            let Some(material) = model.materials.get_mut(index) else { continue };
            match self.known.get(&key).and_then(Option::as_ref) {
                Some((image, blend)) => {
                    let at = *images.entry(Arc::as_ptr(image)).or_insert_with(|| {
                        model.images.push(image.clone());
                        (model.images.len() as u32).saturating_sub(1)
                    });
                    let basic = BasicMaterial { image: Some(at), blend: *blend, ..material.basic() };
                    material.kind = MaterialKind::Basic(basic);
                    whiten(model, index);
                }
                None => model.missing_textures.push(MissingTexture {
                    material: MaterialIndex(u32::try_from(index).unwrap_or(u32::MAX)),
                    object: name.clone(),
                    package: None,
                    near: String::new(),
                }),
            }
        }
    }

    fn find(&mut self, name: &str, cx: &LoadContext<'_>, findings: &mut Findings) -> Option<(Arc<Image>, Blend)> {
        let Some(found) = find(name, cx) else {
            self.missing.push(name.to_owned());
            return None;
        };
        match decode(&found.name, &found.source, &self.limits, self.largest) {
            Ok((image, blend)) => {
                self.limits.decoded_bytes = self.limits.decoded_bytes.saturating_sub(image.weight());
                Some((Arc::new(image), blend))
            }
            Err(error) => {
                findings.add(&common_codes::BAD_PICTURE, None, format!("{}: {error}", found.name));
                None
            }
        }
    }
}

/// Gives a model that is shown alone its textures; what is not found is named in it.
pub fn give(model: &mut Model, names: &[String], cx: &LoadContext<'_>, findings: &mut Findings) {
    let mut textures = Textures::of_a_model(cx.limits);
    textures.give(model, names, cx, findings);
    let near = |name: &str| cx.resolver.suggestion(&by_name(name));
    let sentence = |name: &String| {
        format!("the texture “{name}” was not found in the file's folder or its subfolders{}", near(name))
    };
    model.missing.extend(textures.missing.iter().map(sentence));
    model.missing_textures.iter_mut().for_each(|texture| texture.near = near(&texture.object));
    if textures.left_out > 0 {
        model.missing.push(format!(
            "{} without textures: only the first {} textures are loaded",
            counted(textures.left_out, "material"),
            grouped(textures.count())
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

/// Pictures that are looked for.
const MAX_PICTURES: usize = 64;

/// Gives backgrounds the pictures that are found, and says which were not. Stops when nobody waits any more.
pub fn find_pictures(terrain: &mut Terrain, cx: &LoadContext<'_>, findings: &mut Findings) {
    let mut known: HashMap<String, Option<Arc<Image>>> = HashMap::new();
    // The bodies' textures have the other half.
    let mut limits = Limits { decoded_bytes: cx.limits.decoded_bytes.div_euclid(2), ..cx.limits };
    for index in 0..terrain.pictures.len() {
        if cx.cancelled() {
            return;
        }
        let Some(background) = terrain.pictures.get_mut(index).filter(|p| !p.file.trim().is_empty()) else { continue };
        let key = background.file.to_lowercase();
        if let Some(image) = known.get(&key) {
            background.image = image.clone();
            continue;
        }
        if known.len() >= MAX_PICTURES {
            let left = counted(terrain.pictures.len().saturating_sub(index), "ground image");
            terrain.missing.push(format!("{left} not loaded: only {MAX_PICTURES} ground images are loaded"));
            return;
        }
        let file = background.file.clone();
        let found = find(&file, cx);
        let image = match found.map(|found| decode(&found.name, &found.source, &limits, u32::MAX)) {
            Some(Ok((image, _))) => {
                limits.decoded_bytes = limits.decoded_bytes.saturating_sub(image.weight());
                Some(Arc::new(image))
            }
            Some(Err(error)) => {
                findings.add(&common_codes::BAD_PICTURE, None, format!("{file}: {error}"));
                terrain.missing.push(format!("the ground image “{file}” cannot be shown: {error}"));
                None
            }
            None => {
                terrain.missing.push(format!("the ground image “{file}” was not found next to the project"));
                None
            }
        };
        if let Some(background) = terrain.pictures.get_mut(index) {
            background.image = image.clone();
        }
        known.insert(key, image);
    }
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
