//! The pictures of surfaces and sprites, each looked up once (formats/unreal.md §5).

use crate::formats::unreal::poly_flags::{MASKED, MODULATED, TRANSLUCENT, TWO_SIDED};
use crate::{
    formats::{
        Diagnostics, LoadContext,
        unreal::{
            header::{Object, read_header},
            kind::{Kind, kind_of},
            object::{ObjectReader, entry_of},
            package::{Found, Package},
            procedural,
            tables::ObjectRef,
            texture::{self, surface_texture},
        },
    },
    scene::{Image, Picture, SourceEntry, procedural::Simulation},
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// Texels along a side of a picture that is not there.
const UNKNOWN_SIZE: f32 = 256.0;
/// Frames that a fire or water has run for when a still is taken of it.
const STILL_FRAME: u64 = 48;

/// A texture as a surface needs it.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Empty for none.
    pub name: String,
    /// A stand-in where the texture was not found.
    pub image: Option<Arc<Image>>,
    pub found: bool,
    /// Texels, as texture coordinates count them.
    pub size: [f32; 2],
    /// PolyFlags that the texture adds to those of every surface that it is on.
    pub flags: u32,
    /// Entry of the document, when it lies in the same file.
    pub entry: Option<SourceEntry>,
}

/// Looks textures up; each once.
#[derive(Default)]
pub struct Textures {
    known: HashMap<(String, i32), Arc<Texture>>,
    /// How many textures of each package were not found.
    missing: BTreeMap<String, usize>,
    stand_in: Option<Arc<Image>>,
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
            return Texture { name, image: None, found: false, size: [UNKNOWN_SIZE; 2], flags: 0, entry: None };
        }
        let Some(texture) = surface_texture(package, object, cx) else {
            let path = package.object_path(object);
            let stem = path.split('.').next().unwrap_or_default().to_owned();
            let count = self.missing.entry(stem).or_default();
            *count = count.saturating_add(1);
            let image = Some(self.stand_in.get_or_insert_with(|| Arc::new(stand_in())).clone());
            return Texture { name, image, found: false, size: [UNKNOWN_SIZE; 2], flags: 0, entry: None };
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
            image: texture.image.or_else(|| computed(&texture.found, cx)),
            found: true,
            size: [width as f32, height as f32],
            flags,
            entry: entry.map(SourceEntry::from),
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

/// A still of a texture that is computed: fire and water as they are once they run, others as what they start from.
fn computed(found: &Found, cx: &LoadContext<'_>) -> Option<Arc<Image>> {
    let (package, export) = (&found.package, found.export);
    let kind = kind_of(package, export);
    let mut reader = ObjectReader::of_export(package, export);
    let header = read_header(&mut reader, export).ok()?;
    let object = Object { package, export, kind, header };
    // What is wrong with it is told where it is shown itself.
    let mut diagnostics = Diagnostics::new(0);
    let mut cx = LoadContext {
        file: cx.file,
        resolver: cx.resolver,
        diagnostics: &mut diagnostics,
        limits: cx.limits,
        options: cx.options,
        cancel: cx.cancel,
    };
    let (object, reader) = (&object, &mut reader);
    let still = |picture: &Picture| picture.forms.first().and_then(|form| form.mips.first()).cloned();
    match object.kind {
        Kind::FireTexture | Kind::Wave | Kind::Wet | Kind::Ice => {
            let program = procedural::load_procedural(object, reader, &mut cx).ok()?;
            let frames = u64::from(program.prime_frames).max(STILL_FRAME);
            let mut simulation = Simulation::new(Arc::new(program), 0).ok()?;
            simulation.seek(frames);
            Some(Arc::new(simulation.seen_image()))
        }
        Kind::Texture => still(&texture::load_picture(object, reader, &mut cx).ok()?),
        Kind::OtherProcedural => still(&procedural::load_other(object, reader, &mut cx).ok()?),
        _ => None,
    }
}

/// What is seen in place of a texture that was not found: squares of two greys, about as bright as textures are, so that baked
/// light shows on them as it does on those.
fn stand_in() -> Image {
    const SIDE: u32 = 32;
    let grey = |pixel: u32| {
        let (x, y) = (pixel % SIDE, pixel / SIDE);
        if (x < SIDE / 2) == (y < SIDE / 2) { 136 } else { 124 }
    };
    let pixels = (0..SIDE.saturating_mul(SIDE)).map(grey).flat_map(|grey| [grey, grey, grey, 255]);
    Image {
        name: "texture not found".to_owned(),
        width: SIDE,
        height: SIDE,
        rgba: pixels.collect(),
        stored_as: "drawn in place of a picture".to_owned(),
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
