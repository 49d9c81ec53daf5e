//! Materials: what PolyFlags say, and the textures beside the file (formats/actorx.md §2, §3).

use super::{
    Matt,
    sidecar::{self, MaterialProps},
};
use crate::{
    formats::{ANY_SIBLING, FileRequest, LoadContext, common_codes, picture},
    scene::{BasicMaterial, Blend, Image, Material, MaterialKind},
};
use std::{collections::HashMap, sync::Arc};

/// Extensions of pictures, the best first.
const PICTURES: &[&str] = &["png", "tga", "bmp", "dds"];
/// Exporters write a folder for meshes, another one for textures and another one for materials, beside each other.
const SIBLINGS: &[&str] = &[ANY_SIBLING];

/// The surface that PolyFlags describe.
pub fn basic(poly_flags: u32) -> BasicMaterial {
    let kind = poly_flags & 0xF;
    BasicMaterial {
        image: None,
        blend: match kind {
            2 => Blend::Translucent,
            3 => Blend::Masked,
            4 => Blend::Modulated,
            _ => Blend::Opaque,
        },
        two_sided: matches!(kind, 1..=4),
        unlit: poly_flags & 0x10 != 0,
        environment: poly_flags & 0x40 != 0,
        nearest: poly_flags & 0x80 != 0,
        hidden: kind == 8,
        ..BasicMaterial::default()
    }
}

fn pictures(stem: &str) -> FileRequest<'_> {
    FileRequest { stem, extensions: PICTURES, subfolders: true, siblings: SIBLINGS }
}

/// Whether it names anything.
pub fn is_named(material: &Matt) -> bool {
    !material.name.is_empty() && !material.name.eq_ignore_ascii_case("none")
}

/// What stands in for a material that does not exist.
pub fn placeholder(name: String) -> Material {
    Material { name, kind: MaterialKind::Basic(BasicMaterial { two_sided: true, ..BasicMaterial::default() }) }
}

/// Finds and decodes textures; each picture once.
pub struct Textures<'a, 'b> {
    cx: &'a mut LoadContext<'b>,
    /// Materials that the mesh's `.props.txt` names, slot by slot.
    props: Vec<String>,
    /// Which image a texture's name (lower case) led to.
    known: HashMap<String, Option<u32>>,
    /// Which image a material's name (lower case) led to: a file may name one thousands of times.
    materials: HashMap<String, Option<u32>>,
    /// What is said of a material (lower case) beside it.
    described: HashMap<String, MaterialProps>,
    decoded_bytes: u64,
    pub images: Vec<Arc<Image>>,
    pub missing: Vec<String>,
    /// Names (lower case) of materials without a texture, with suggestions of nearly equal names.
    near: HashMap<String, String>,
}

impl<'a, 'b> Textures<'a, 'b> {
    pub fn new(cx: &'a mut LoadContext<'b>) -> Self {
        let stem = format!("{}.props", cx.stem());
        let request = FileRequest { stem: &stem, extensions: &["txt"], subfolders: false, siblings: &[] };
        let props = cx.resolver.find(&request).map(|found| sidecar::materials_of_props(found.source.as_slice()));
        Self {
            cx,
            props: props.unwrap_or_default(),
            known: HashMap::new(),
            materials: HashMap::new(),
            described: HashMap::new(),
            near: HashMap::new(),
            decoded_bytes: 0,
            images: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// The image of the material in slot `index`: by its own name, or by the name that `.props.txt` gives the slot.
    pub fn find(&mut self, index: usize, material: &Matt) -> Option<u32> {
        let props = self.props.get(index).cloned().unwrap_or_default();
        for name in [&material.name, &props].into_iter().filter(|name| !name.is_empty()) {
            let key = name.to_lowercase();
            let image = match self.materials.get(&key) {
                Some(known) => *known,
                None => self.of_material(name),
            };
            self.materials.insert(key, image);
            if image.is_some() {
                return image;
            }
        }
        let key = material.name.to_lowercase();
        if is_named(material) && !self.near.contains_key(&key) {
            let near = self.cx.resolver.suggestion(&pictures(&material.name));
            self.missing.push(format!("no texture found for the material “{}”{near}", material.name));
            self.near.insert(key, near);
        }
        None
    }

    /// Returns the nearest names of pictures for a material whose texture was not found.
    pub fn near(&self, name: &str) -> String {
        self.near.get(&name.to_lowercase()).cloned().unwrap_or_default()
    }

    /// What the file beside a material says of it changes what PolyFlags say.
    pub fn describe(&mut self, material: &Matt, basic: &mut BasicMaterial) {
        if material.name.is_empty() {
            return;
        }
        let key = material.name.to_lowercase();
        let known = self.described.get(&key).copied();
        let props = known.unwrap_or_else(|| {
            let stem = format!("{}.props", material.name);
            let request = FileRequest { stem: &stem, extensions: &["txt"], subfolders: true, siblings: SIBLINGS };
            let found = self.cx.resolver.find(&request);
            found.map(|found| sidecar::props_of_material(found.source.as_slice())).unwrap_or_default()
        });
        self.described.insert(key, props);
        basic.blend = props.blend.unwrap_or(basic.blend);
        basic.two_sided = props.two_sided.unwrap_or(basic.two_sided);
    }

    /// Through `<name>.mat`, else a picture of that name.
    fn of_material(&mut self, name: &str) -> Option<u32> {
        let request = FileRequest { stem: name, extensions: &["mat"], subfolders: true, siblings: SIBLINGS };
        let found = self.cx.resolver.find(&request);
        if let Some(texture) = found.as_ref().and_then(|f| sidecar::diffuse_of_mat(f.source.as_slice())) {
            let image = self.of_texture(&texture);
            if image.is_some() {
                return image;
            }
            let by = found.map(|f| f.name).unwrap_or_default();
            let message = format!("the texture “{texture}” of {by} was not found");
            self.cx.diagnostics.report(&common_codes::MISSING_FILE, None, None, message);
        }
        self.of_texture(name)
    }

    fn of_texture(&mut self, name: &str) -> Option<u32> {
        let key = name.to_lowercase();
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let image = self.decode(name);
        self.known.insert(key, image);
        image
    }

    fn decode(&mut self, name: &str) -> Option<u32> {
        let found = self.cx.resolver.find(&pictures(name))?;
        let mut limits = self.cx.limits;
        limits.decoded_bytes = limits.decoded_bytes.saturating_sub(self.decoded_bytes);
        match picture::decode(name, found.source.as_slice(), &limits) {
            Ok(image) => {
                self.decoded_bytes = self.decoded_bytes.saturating_add(image.weight());
                let index = u32::try_from(self.images.len()).ok()?;
                self.images.push(Arc::new(image));
                Some(index)
            }
            Err(error) => {
                let message = format!("{}: {error}", found.name);
                self.cx.diagnostics.report(&common_codes::BAD_PICTURE, None, None, message);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poly_flags_describe_surfaces() {
        assert_eq!(basic(0), BasicMaterial::default());
        assert!(basic(1).two_sided);
        assert_eq!(basic(2).blend, Blend::Translucent);
        assert_eq!(basic(3).blend, Blend::Masked);
        assert_eq!(basic(0x14).blend, Blend::Modulated);
        assert!(basic(0x14).unlit && basic(0x14).two_sided);
        assert!(basic(8).hidden && !basic(8).two_sided);
        assert!(basic(0x40).environment && basic(0x80).nearest);
    }
}
