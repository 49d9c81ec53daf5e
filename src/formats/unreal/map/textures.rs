//! The pictures of surfaces and sprites, each looked up once (formats/unreal.md §5).

use super::poly_flags::{MASKED, MODULATED, TRANSLUCENT, TWO_SIDED};
use crate::{
    formats::{
        LoadContext,
        unreal::{object::entry_of, package::Package, tables::ObjectRef, texture::surface_texture},
    },
    scene::Image,
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// Texels along a side of a picture that is not there.
const UNKNOWN_SIZE: f32 = 256.0;

/// A texture as a surface needs it.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Empty for none.
    pub name: String,
    pub image: Option<Arc<Image>>,
    /// Texels, as texture coordinates count them.
    pub size: [f32; 2],
    /// PolyFlags that the texture adds to those of every surface that it is on.
    pub flags: u32,
    /// Entry of the document, when it lies in the same file.
    pub entry: Option<u32>,
}

/// Looks textures up; each once.
#[derive(Default)]
pub struct Textures {
    known: HashMap<(String, i32), Arc<Texture>>,
    /// How many textures of each package were not found.
    missing: BTreeMap<String, usize>,
}

impl Textures {
    /// The texture that `package` refers to.
    pub fn find(
        &mut self,
        package: &Arc<Package>,
        object: ObjectRef,
        root: &Arc<Package>,
        cx: &mut LoadContext<'_>,
    ) -> Arc<Texture> {
        let key = (package.stem.to_ascii_lowercase(), object.0);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let texture = Arc::new(self.look_up(package, object, root, cx));
        self.known.insert(key, texture.clone());
        texture
    }

    fn look_up(
        &mut self,
        package: &Arc<Package>,
        object: ObjectRef,
        root: &Arc<Package>,
        cx: &mut LoadContext<'_>,
    ) -> Texture {
        let name = package.object_name(object).unwrap_or_default().to_owned();
        if object.is_none() {
            return Texture { name, image: None, size: [UNKNOWN_SIZE; 2], flags: 0, entry: None };
        }
        let Some(texture) = surface_texture(package, object, cx) else {
            let path = package.object_path(object);
            let stem = path.split('.').next().unwrap_or_default().to_owned();
            let count = self.missing.entry(stem).or_default();
            *count = count.saturating_add(1);
            return Texture { name, image: None, size: [UNKNOWN_SIZE; 2], flags: 0, entry: None };
        };
        let is_own = Arc::ptr_eq(&texture.found.package, root);
        let entry = is_own.then(|| entry_of(root, texture.found.export)).flatten();
        let (width, height) = texture.size;
        let flag = |set: bool, flag: u32| if set { flag } else { 0 };
        let flags = flag(texture.masked, MASKED)
            | flag(texture.transparent, TRANSLUCENT)
            | flag(texture.modulated, MODULATED)
            | flag(texture.two_sided, TWO_SIDED);
        Texture {
            name: texture.name,
            image: texture.image,
            size: [width as f32, height as f32],
            flags,
            entry: entry.map(|entry| entry.0),
        }
    }

    /// One sentence for each package whose textures were not found.
    pub fn missing(&self) -> Vec<String> {
        let sentence = |(package, count): (&String, &usize)| match count {
            1 => format!("1 texture of {package} was not found"),
            _ => format!("{count} textures of {package} were not found"),
        };
        self.missing.iter().map(sentence).collect()
    }
}

/// The images of one model, each once.
#[derive(Default)]
pub struct Images {
    pub list: Vec<Arc<Image>>,
}

impl Images {
    /// The place of an image in the list.
    pub fn index_of(&mut self, image: &Arc<Image>) -> u32 {
        let index = self.list.iter().position(|known| Arc::ptr_eq(known, image)).unwrap_or_else(|| {
            self.list.push(image.clone());
            self.list.len().saturating_sub(1)
        });
        u32::try_from(index).unwrap_or(u32::MAX)
    }
}
