//! The contents of a project (formats/visitor.md §1.1), and the choices that the specification leaves open (§1.8).

/// What a string's length counts (§1.0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StringLength {
    /// The NUL too.
    #[default]
    Inclusive,
    /// The NUL too; an empty string is a length of 0 with no byte.
    InclusiveBare,
    /// The characters alone; a NUL follows.
    Exclusive,
}

/// How a transform's twelve numbers lie (§1.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TransformOrder {
    /// Three rows: a coordinate of each axis, then of the place.
    #[default]
    Row3x4,
    /// The axes one after another, then the place.
    Cols4x3,
}

/// Where layers have their first name (§1.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LayerNames {
    /// Every layer begins with one.
    #[default]
    Each,
    /// One stands before the first layer, and none where there is no layer.
    Leading,
}

/// One way to write a project. The default is the reading that the specification thinks best.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialect {
    /// Two digits, as after `POSEW`; 60 and above are written as 60, others as 59.
    pub version: u8,
    /// Rule for the length of a string (§1.0).
    pub strings: StringLength,
    /// Types end with their id once more.
    pub trailing_ids: bool,
    /// What says that there are no terrains and no forests of old is there at all.
    pub flags: bool,
    /// Zeros after the heights; by default a sixteenth of the columns times the columns (§1.4).
    pub blue: Option<usize>,
    /// Order of the numbers of a transform (§1.5).
    pub transform: TransformOrder,
    /// Position of the first name of layers (§1.6).
    pub layers: LayerNames,
    /// A relative size of 1 is written as 100.
    pub percent: bool,
    /// Colours have blue first.
    pub bgra: bool,
    /// The first row of heights is the northern edge.
    pub north_first: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            version: 60,
            strings: StringLength::Inclusive,
            trailing_ids: false,
            flags: true,
            blue: None,
            transform: TransformOrder::Row3x4,
            layers: LayerNames::Each,
            percent: false,
            bgra: false,
            north_first: false,
        }
    }
}

impl Dialect {
    /// The published document to the letter (§1.8): no flags, exclusive strings, trailing ids.
    pub fn published() -> Self {
        Self { strings: StringLength::Exclusive, trailing_ids: true, flags: false, ..Self::default() }
    }
}

/// A project. Lengths are metres, east is the first axis, up the second and north the third.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Project {
    /// After `POSEW60`, before the number of old textures: 33 bytes, zeros where there are fewer here. Nobody knows what they
    /// say (§1.1).
    pub header: Vec<u8>,
    /// Metres between heights, somewhere in the header; `None` leaves that as it is.
    pub cell: Option<CellPlace>,
    /// Old textures, terrains and forests, whose layouts nobody knows; mostly none.
    pub textures: Opaque,
    /// Terrains of Operation Flashpoint; not written if [`Dialect::flags`](super::Dialect::flags) is `false`.
    pub terrains: Opaque,
    /// Forests of Operation Flashpoint; not written if [`Dialect::flags`](super::Dialect::flags) is `false`.
    pub forests: Opaque,
    /// Object types, which objects and road pieces refer to by id.
    pub types: Vec<ObjectType>,
    /// `None`: the file says that it has none, in one word.
    pub roads: Option<RoadNets>,
    /// Samples from west to east.
    pub columns: u32,
    /// Samples from south to north.
    pub rows: u32,
    /// In metres: `columns × rows`, west to east and then south to north.
    pub heights: Vec<f32>,
    /// Between the zeros after the heights and the objects; nobody knows what it says.
    pub after_blue: u32,
    /// Places for objects, empty ones too.
    pub objects: Vec<Option<Object>>,
    /// Materials of the ground, as layers.
    pub layers: Vec<Layer>,
    /// After the layers, from version 60 on; nobody knows what it says.
    pub after_layers: u32,
    /// Blocks of roads, whose layout nobody knows.
    pub road_blocks: Opaque,
    /// Places for zones, empty ones too.
    pub zones: Vec<Option<Zone>>,
    /// Pictures laid over the ground.
    pub backgrounds: Vec<Background>,
    /// To the end of the file; nobody knows what it says.
    pub end: Vec<u8>,
}

/// A size of cells as a 32-bit float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellPlace {
    /// From the start of the file, 7 to 36; elsewhere it is not written.
    pub offset: usize,
    /// In metres.
    pub metres: f32,
}

impl CellPlace {
    /// Where the corpus has it.
    pub fn of(metres: f32) -> Self {
        Self { offset: 20, metres }
    }
}

/// A number of records of a layout that nobody knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opaque {
    /// Number of records.
    pub count: usize,
    /// Contents of all records.
    pub bytes: Vec<u8>,
}

/// What a type is of (§1.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ObjectClass {
    /// Class 1: natural.
    #[default]
    Natural,
    /// Class 2: artificial.
    Artificial,
    /// Class 3: a road. Its types have a larger block of undecoded bytes.
    Road,
    /// Artificial, and part of a road.
    ArtificialInRoad,
    /// No description says how many bytes follow; 118 do.
    Other(u32),
}

impl ObjectClass {
    pub(super) fn number(self) -> u32 {
        match self {
            Self::Natural => 1,
            Self::Artificial => 2,
            Self::Road => 3,
            Self::ArtificialInRoad => 5,
            Self::Other(number) => number,
        }
    }

    /// Bytes of a type's undecoded block.
    pub(super) fn block(self) -> usize {
        if self == Self::Road { 214 } else { 118 }
    }
}

/// A type of objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectType {
    /// Path of the model.
    pub model: String,
    /// Name, usually the model's path without extension.
    pub name: String,
    /// Class, which gives the size of the undecoded block.
    pub class: ObjectClass,
    /// RGBA; `None` for the default of its class.
    pub outline: Option<[u8; 4]>,
    /// RGBA fill colour; `None` for the default of its class.
    pub fill: Option<[u8; 4]>,
    /// The two doubles before its id: likely the width and depth of its footprint, in metres.
    pub footprint: [f64; 2],
    /// What objects and road pieces refer to.
    pub id: u32,
    /// After the id, as much as there is room for; zeros follow.
    pub rest: Vec<u8>,
    /// Parts of the type.
    pub subs: Vec<SubObject>,
    /// 0 a rectangle, 1 an ellipse.
    pub marker: u32,
}

/// Part of a type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubObject {
    /// Name as stored in the file.
    pub name: String,
    /// Two numbers of unknown meaning.
    pub numbers: [u32; 2],
    /// Start point: x, y, z.
    pub start: [f32; 3],
    /// End point: x, y, z.
    pub end: [f32; 3],
}

/// All roads (§1.3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoadNets {
    /// Roads with their pieces.
    pub roads: Vec<Road>,
    /// Crossroads, whose layout is unknown.
    pub crossroads: Opaque,
}

/// Road pieces that fit together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Road {
    /// Name as stored in the file.
    pub name: String,
    /// RGBA.
    pub key_color: [u8; 4],
    /// RGBA colour of its normal pieces.
    pub color: [u8; 4],
    /// True if the line of the road is filled.
    pub filled: bool,
    /// Maximum angle in degrees.
    pub max_angle_degrees: f64,
    /// Maximum bank in degrees.
    pub max_bank_degrees: f64,
    /// Pieces, by kind.
    pub parts: RoadParts,
}

/// The pieces of a road by their kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoadParts {
    /// Straight pieces.
    pub straights: Vec<RoadPiece>,
    /// Curved pieces, which have no `changes_bank` in the file.
    pub curves: Vec<RoadPiece>,
    /// Special pieces.
    pub specials: Vec<RoadPiece>,
    /// Pieces that end a road.
    pub terminators: Vec<RoadPiece>,
}

/// A piece of a road.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoadPiece {
    /// Name as stored in the file.
    pub name: String,
    /// [`ObjectType::id`].
    pub type_id: u32,
    /// Type of the piece, a number of unknown meaning.
    pub kind: u16,
    /// Not written for curves.
    pub changes_bank: bool,
}

/// A thing that stands on the ground (§1.5).
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Likely whether it can be moved.
    pub flag: u16,
    /// Instance id.
    pub id: u32,
    /// Aside, up and ahead, times its size.
    pub axes: [[f32; 3]; 3],
    /// East, up and north.
    pub position: [f32; 3],
    /// 1 is the model's own.
    pub size: f64,
    /// Mostly empty.
    pub name: String,
    /// Over the ground.
    pub above_ground: f32,
    /// RGBA; `None` for its type's.
    pub outline: Option<[u8; 4]>,
    /// RGBA fill colour; `None` for that of its type.
    pub fill: Option<[u8; 4]>,
    /// [`ObjectType::id`].
    pub type_id: u32,
}

impl Object {
    /// Upright, turned clockwise from north by radians.
    pub fn new(id: u32, type_id: u32, position: [f32; 3], heading: f32, size: f32) -> Self {
        let (sin, cos) = heading.sin_cos();
        let axes = [[cos, 0.0, -sin], [0.0, 1.0, 0.0], [sin, 0.0, cos]];
        Self {
            flag: 1,
            id,
            axes: axes.map(|axis| axis.map(|v| v * size)),
            position,
            size: f64::from(size),
            name: String::new(),
            above_ground: 0.0,
            outline: None,
            fill: None,
            type_id,
        }
    }
}

/// Materials of the ground (§1.6).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    /// First name; for layers after the first, not written with [`LayerNames::Leading`](super::LayerNames::Leading).
    pub name: String,
    /// Likely log2 of how many heights a texture's cell has on a side.
    pub size_type: u32,
    /// Second name, always written.
    pub second_name: String,
    /// True for the default layer.
    pub is_default: bool,
    /// Materials of the layer.
    pub materials: Vec<Material>,
}

/// A material of the ground.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Number before the path; its meaning is unknown.
    pub number: u32,
    /// Path of the material (rvmat).
    pub path: String,
    /// Number after the path; its meaning is unknown.
    pub last: u32,
}

/// A named part of the ground (§1.6).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Zone {
    /// Nonzero if the zone can be moved.
    pub movable: u16,
    /// First name.
    pub name: String,
    /// RGBA.
    pub area: [u8; 4],
    /// RGBA colour of the outline.
    pub outline: [u8; 4],
    /// Display style, a number of unknown meaning.
    pub style: u32,
    /// Likely pairs of east and north, in metres.
    pub floats: Vec<f32>,
    /// Zone id.
    pub id: u32,
    /// Second name.
    pub second_name: String,
}

/// A picture laid over the ground (§1.6).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Background {
    /// Path.
    pub file: String,
    /// Name as stored in the file.
    pub name: String,
    /// Likely metres.
    pub offset: [f32; 2],
    /// Width and height, likely in metres.
    pub size: [f32; 2],
    /// Likely per cent.
    pub transparency: u32,
    /// True if the picture is shown.
    pub visible: bool,
}
