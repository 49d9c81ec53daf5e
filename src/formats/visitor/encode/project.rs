//! What a project holds, in plain words (formats/visitor.md §1.1).

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
    pub terrains: Opaque,
    pub forests: Opaque,
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
    pub layers: Vec<Layer>,
    /// After the layers, from version 60 on; nobody knows what it says.
    pub after_layers: u32,
    /// Blocks of roads, whose layout nobody knows.
    pub road_blocks: Opaque,
    /// Places for zones, empty ones too.
    pub zones: Vec<Option<Zone>>,
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
    pub count: usize,
    pub bytes: Vec<u8>,
}

/// What a type is of (§1.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ObjectClass {
    #[default]
    Natural,
    Artificial,
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
    pub name: String,
    pub class: ObjectClass,
    /// RGBA; `None` for the default of its class.
    pub outline: Option<[u8; 4]>,
    pub fill: Option<[u8; 4]>,
    /// The two doubles before its id: likely the width and depth of its footprint, in metres.
    pub footprint: [f64; 2],
    /// What objects and road pieces refer to.
    pub id: u32,
    /// After the id, as much as there is room for; zeros follow.
    pub rest: Vec<u8>,
    pub subs: Vec<SubObject>,
    /// 0 a rectangle, 1 an ellipse.
    pub marker: u32,
}

/// Part of a type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubObject {
    pub name: String,
    pub numbers: [u32; 2],
    pub start: [f32; 3],
    pub end: [f32; 3],
}

/// All roads (§1.3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoadNets {
    pub roads: Vec<Road>,
    pub crossroads: Opaque,
}

/// Road pieces that fit together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Road {
    pub name: String,
    /// RGBA.
    pub key_color: [u8; 4],
    pub color: [u8; 4],
    pub filled: bool,
    pub max_angle_degrees: f64,
    pub max_bank_degrees: f64,
    pub parts: RoadParts,
}

/// The pieces of a road by their kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoadParts {
    pub straights: Vec<RoadPiece>,
    pub curves: Vec<RoadPiece>,
    pub specials: Vec<RoadPiece>,
    pub terminators: Vec<RoadPiece>,
}

/// A piece of a road.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoadPiece {
    pub name: String,
    /// [`ObjectType::id`].
    pub type_id: u32,
    pub kind: u16,
    /// Not written for curves.
    pub changes_bank: bool,
}

/// A thing that stands on the ground (§1.5).
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Likely whether it can be moved.
    pub flag: u16,
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
    pub name: String,
    /// Likely log2 of how many heights a texture's cell has on a side.
    pub size_type: u32,
    pub second_name: String,
    pub is_default: bool,
    pub materials: Vec<Material>,
}

/// A material of the ground.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    pub number: u32,
    pub path: String,
    pub last: u32,
}

/// A named part of the ground (§1.6).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Zone {
    pub movable: u16,
    pub name: String,
    /// RGBA.
    pub area: [u8; 4],
    pub outline: [u8; 4],
    pub style: u32,
    /// Likely pairs of east and north, in metres.
    pub floats: Vec<f32>,
    pub id: u32,
    pub second_name: String,
}

/// A picture laid over the ground (§1.6).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Background {
    /// Path.
    pub file: String,
    pub name: String,
    /// Likely metres.
    pub offset: [f32; 2],
    pub size: [f32; 2],
    /// Likely per cent.
    pub transparency: u32,
    pub visible: bool,
}
