//! Types of objects on the island.

use bonebox::formats::visitor::encode::{ObjectClass, ObjectType};

/// A type of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Spruce,
    Pine,
    Oak,
    Birch,
    Bush,
    Boulder,
    Crag,
    Cottage,
    House,
    Longhouse,
    Church,
    Barn,
    Silo,
    Shed,
    Warehouse,
    Crane,
    Pier,
    Boat,
    Lighthouse,
    Mast,
    Haystack,
    Wall,
    Fence,
    Lamp,
    Sign,
    Road25,
    Road12,
    Road6,
    Bend,
    Crossing,
    RoadEnd,
    Track12,
    Track6,
}

use Kind::*;

impl Kind {
    pub const ALL: [Self; 33] = [
        Spruce, Pine, Oak, Birch, Bush, Boulder, Crag, Cottage, House, Longhouse, Church, Barn, Silo, Shed, Warehouse,
        Crane, Pier, Boat, Lighthouse, Mast, Haystack, Wall, Fence, Lamp, Sign, Road25, Road12, Road6, Bend, Crossing,
        RoadEnd, Track12, Track6,
    ];

    /// What objects refer to.
    pub fn id(self) -> u32 {
        100 + self as u32
    }

    /// Name of its model, and width and depth in metres.
    pub fn model(self) -> (&'static str, [f64; 2]) {
        match self {
            Spruce => ("spruce", [5.0, 5.0]),
            Pine => ("pine", [5.5, 5.5]),
            Oak => ("oak", [8.0, 8.0]),
            Birch => ("birch", [5.0, 5.0]),
            Bush => ("bush", [2.5, 2.5]),
            Boulder => ("boulder", [3.0, 2.5]),
            Crag => ("crag", [8.0, 6.0]),
            Cottage => ("cottage", [8.0, 7.0]),
            House => ("house", [10.0, 8.0]),
            Longhouse => ("longhouse", [16.0, 7.5]),
            Church => ("church", [10.0, 24.0]),
            Barn => ("barn", [12.0, 20.0]),
            Silo => ("silo", [5.0, 5.0]),
            Shed => ("shed", [4.0, 3.0]),
            Warehouse => ("warehouse", [14.0, 26.0]),
            Crane => ("crane", [5.0, 12.0]),
            Pier => ("pier", [5.0, 10.0]),
            Boat => ("boat", [3.0, 9.0]),
            Lighthouse => ("lighthouse", [6.0, 6.0]),
            Mast => ("mast", [3.0, 3.0]),
            Haystack => ("haystack", [3.0, 3.0]),
            Wall => ("wall", [0.6, 6.0]),
            Fence => ("fence", [0.5, 8.0]),
            Lamp => ("lamp", [0.5, 1.0]),
            Sign => ("sign", [0.5, 1.2]),
            Road25 => ("road25", [7.0, 25.0]),
            Road12 => ("road12", [7.0, 12.5]),
            Road6 => ("road6", [7.0, 6.25]),
            Bend => ("road10_50", [7.0, 8.7]),
            Crossing => ("road_crossing", [12.0, 12.0]),
            RoadEnd => ("road_end", [7.0, 6.25]),
            Track12 => ("track12", [4.0, 12.5]),
            Track6 => ("track6", [4.0, 6.25]),
        }
    }

    fn class(self) -> ObjectClass {
        match self {
            Spruce | Pine | Oak | Birch | Bush | Boulder | Crag => ObjectClass::Natural,
            Road25 | Road12 | Road6 | Bend | Crossing | RoadEnd | Track12 | Track6 => ObjectClass::Road,
            Lamp | Sign => ObjectClass::ArtificialInRoad,
            _ => ObjectClass::Artificial,
        }
    }

    /// `#rrggbb`; `None` for what is usual for its class.
    fn color(self) -> Option<u32> {
        Some(match self {
            Spruce => 0x24_5a3c,
            Pine => 0x3d_7048,
            Oak => 0x5c_8a32,
            Birch => 0x8f_ae4e,
            Bush => 0x7a_8f3f,
            Boulder => 0x8d_8a84,
            Crag => 0x75_726d,
            Church => 0xe6_dfc8,
            Barn => 0x8c_3b2c,
            Silo => 0xb9_c0c4,
            Warehouse => 0x6d_7f92,
            Crane => 0xe0_b02e,
            Pier => 0x8a_6e4b,
            Boat => 0x2f_5f9e,
            Lighthouse => 0xf2_f2f2,
            Mast => 0xc9_4141,
            Haystack => 0xd8_be5e,
            Wall => 0x9c_958a,
            Fence => 0x7d_6548,
            Track12 | Track6 => 0xa5_8c64,
            _ => return None,
        })
    }

    pub fn object_type(self) -> ObjectType {
        let (name, footprint) = self.model();
        let color = self.color().map(|rgb| {
            let [_, r, g, b] = rgb.to_be_bytes();
            [r, g, b, 255]
        });
        // Trees and towers are round.
        let is_round =
            matches!(self, Spruce | Pine | Oak | Birch | Bush | Boulder | Silo | Lighthouse | Mast | Haystack | Lamp);
        ObjectType {
            model: format!("marrow\\{name}.p3d"),
            name: format!("marrow\\{name}"),
            class: self.class(),
            outline: color.map(|[r, g, b, a]| [r / 2, g / 2, b / 2, a]),
            fill: color,
            footprint,
            id: self.id(),
            marker: u32::from(is_round),
            ..ObjectType::default()
        }
    }
}
