//! The pictures of surfaces and sprites, each looked up once (formats/unreal.md §5).

use super::{
    faults::quietly,
    live::{Computing, Live},
};
use crate::{
    bytes::Limits,
    formats::{
        LoadContext,
        unreal::{
            codes,
            object::entry_of,
            package::{Found, Package},
            tables::ObjectRef,
            texture::{Room, flip_book_of, surface_texture},
        },
    },
    scene::{Image, LiveKind, LivePicture, SourceEntry},
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
    /// With its package; empty for none.
    pub path: String,
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
pub struct Textures {
    /// The package that is shown: its textures are entries of the document.
    root: Arc<Package>,
    known: HashMap<(String, i32), Arc<Texture>>,
    /// Those that were found, by where they are: the address of the package, which is held, and the export.
    read: HashMap<(usize, usize), (Arc<Package>, Arc<Texture>)>,
    /// How many textures of each package were not found.
    missing: BTreeMap<String, usize>,
    stand_in: Option<Arc<Image>>,
    live: Live,
    computing: Computing,
    /// What the stills may still take.
    room: Room,
    /// How many textures have no picture for want of room, or a smaller one.
    reduced: usize,
}

impl Textures {
    /// Textures whose stills are all that is wanted.
    pub fn new(root: &Arc<Package>, limits: &Limits) -> Self {
        Self {
            root: root.clone(),
            known: HashMap::new(),
            read: HashMap::new(),
            missing: BTreeMap::new(),
            stand_in: None,
            live: Live::default(),
            computing: Computing::default(),
            room: Room::of(limits.decoded_bytes),
            reduced: 0,
        }
    }

    /// Textures of a level, whose pictures change with time, unless stills are all that is asked for.
    pub fn of_level(root: &Arc<Package>, cx: &LoadContext<'_>) -> Self {
        let live = if cx.options.first_image_only { Live::default() } else { Live::of(cx.limits.decoded_bytes) };
        Self { live, ..Self::new(root, &cx.limits) }
    }

    /// Says of an object that is shown what of its pictures is not, or not as large as it is, for want of room.
    pub fn report(&self, package: &Package, export: usize, cx: &mut LoadContext<'_>) {
        for message in self.no_room() {
            cx.diagnostics.report(&codes::TOO_LARGE, entry_of(package, export), None, message);
        }
    }

    /// A sentence for each kind of picture that has no room.
    fn no_room(&self) -> Vec<String> {
        let why = "the memory limit for images is reached";
        let sentence = |count: usize, one: &str, what: &str, how: &str| match count {
            0 => None,
            1 => Some(format!("1 {one} is {how}: {why}")),
            _ => Some(format!("{count} {what} are {how}: {why}")),
        };
        let computed = sentence(self.computing.left_out, "procedural texture", "procedural textures", "not shown");
        let stored = sentence(self.reduced, "texture", "textures", "not shown, or not at full size");
        computed.into_iter().chain(stored).collect()
    }

    /// The pictures that change with time, of all textures that were looked up.
    pub fn take_live(&mut self) -> Vec<LivePicture> {
        std::mem::take(&mut self.live).pictures
    }

    /// The texture that `package` refers to.
    pub fn find(&mut self, package: &Arc<Package>, object: ObjectRef, cx: &mut LoadContext<'_>) -> Arc<Texture> {
        let key = (package.stem.to_ascii_lowercase(), object.0);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let texture = self.once(package, object, cx);
        if !texture.found && !texture.path.is_empty() {
            let stem = texture.path.split('.').next().unwrap_or_default().to_owned();
            let count = self.missing.entry(stem).or_default();
            *count = count.saturating_add(1);
        }
        self.known.insert(key, texture.clone());
        texture
    }

    /// The same for a mesh: `None`, and not counted as missing, where it is not found.
    pub fn skin(
        &mut self,
        package: &Arc<Package>,
        object: ObjectRef,
        cx: &mut LoadContext<'_>,
    ) -> Option<Arc<Texture>> {
        Some(self.once(package, object, cx)).filter(|texture| texture.found)
    }

    /// Reads a texture that was not found before from any package.
    fn once(&mut self, package: &Arc<Package>, object: ObjectRef, cx: &mut LoadContext<'_>) -> Arc<Texture> {
        let place = package.resolve(object);
        let key = |found: &Found| (Arc::as_ptr(&found.package) as usize, found.export);
        if let Some((_, known)) = place.as_ref().and_then(|place| self.read.get(&key(place))) {
            return known.clone();
        }
        let texture = Arc::new(self.look_up(package, object, cx));
        if let Some(place) = place.filter(|_| texture.found) {
            self.read.insert(key(&place), (place.package, texture.clone()));
        }
        texture
    }

    fn look_up(&mut self, package: &Arc<Package>, object: ObjectRef, cx: &mut LoadContext<'_>) -> Texture {
        let name = package.object_name(object).unwrap_or_default().to_owned();
        let unknown = |path: String, image| {
            let name = name.clone();
            Texture { name, path, image, found: false, size: [UNKNOWN_SIZE; 2], flags: 0, entry: None }
        };
        if object.is_none() {
            return unknown(String::new(), None);
        }
        let refused = self.room.refused;
        let Some(texture) = surface_texture(package, object, cx, &mut self.room) else {
            let path = package.object_path(object);
            return unknown(path, Some(self.stand_in.get_or_insert_with(|| Arc::new(stand_in())).clone()));
        };
        let has_no_room = self.room.refused > refused;
        self.reduced = self.reduced.saturating_add(usize::from(has_no_room));
        let found = &texture.found;
        let is_own = Arc::ptr_eq(&found.package, &self.root);
        let entry = is_own.then(|| entry_of(&self.root, found.export)).flatten();
        let image = match texture.image {
            Some(still) => {
                if texture.has_next {
                    self.live.flip_book(&still, |left| quietly(cx, |cx| flip_book_of(found, &still, cx, left)));
                }
                Some(still)
            }
            None if has_no_room => None,
            None => self.computing.still(found, cx, &mut self.room.left).map(|(still, program)| {
                if let Some(program) = program {
                    self.live.take(&still, LiveKind::Computed(program));
                }
                still
            }),
        };
        let (width, height) = texture.size;
        Texture {
            path: format!("{}.{}", found.package.stem, found.package.object_path(ObjectRef::export(found.export))),
            name: texture.name,
            image,
            found: true,
            size: [width as f32, height as f32],
            flags: texture.flags,
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

/// A question mark, eight pixels wide.
const QUESTION: [u8; 12] = [0x3C, 0x7E, 0x66, 0x66, 0x06, 0x0E, 0x1C, 0x18, 0x18, 0x00, 0x18, 0x18];

/// What is seen in place of a texture that was not found, and cannot be taken for a wall: chequers of magenta and dark grey with
/// a question mark on every other one.
fn stand_in() -> Image {
    const SIDE: usize = 64;
    const HALF: usize = SIDE / 2;
    const DARK: [u8; 4] = [48, 48, 52, 255];
    const BRIGHT: [u8; 4] = [214, 36, 190, 255];
    const GLYPH: [u8; 4] = [255, 255, 255, 255];
    // Each pixel of the glyph is two of the picture; it stands in the middle of its square.
    let is_glyph = |x: usize, y: usize| {
        let (column, row) = ((x % HALF).checked_sub(8), (y % HALF).checked_sub(4));
        let bits = row.and_then(|row| QUESTION.get(row / 2)).copied().unwrap_or(0);
        column.is_some_and(|column| column < 16 && bits & (0x80 >> (column / 2)) != 0)
    };
    let pixel = |place: usize| {
        let (x, y) = (place % SIDE, place / SIDE);
        match ((x < HALF) == (y < HALF), is_glyph(x, y)) {
            (true, true) => GLYPH,
            (true, false) => DARK,
            (false, _) => BRIGHT,
        }
    };
    Image {
        name: "texture not found".to_owned(),
        width: SIDE as u32,
        height: SIDE as u32,
        rgba: (0..SIDE * SIDE).flat_map(pixel).collect(),
        stored_as: "placeholder image".to_owned(),
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
