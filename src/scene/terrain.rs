//! Landscapes: a grid of heights and what stands on it.

use super::{Aabb, Image, Model, SourceEntry};
use glam::{Affine3A, Vec2, Vec3};
use std::sync::Arc;

/// A landscape, in metres. East is +X, up is +Y, north is −Z; the south-west corner of the grid is the origin.
#[derive(Clone, Debug, Default)]
pub struct Terrain {
    /// Name of the landscape: the file's name without its extension.
    pub name: String,
    /// Heights of the ground.
    pub grid: HeightGrid,
    /// What its props are made from. Every prop has one: types that the file lacks are made up, as [`PropClass::Unresolved`].
    pub kinds: Vec<PropKind>,
    /// Objects that stand on the ground (formats/visitor.md §1.5).
    pub props: Vec<Prop>,
    /// Places for props in the file, empty ones too.
    pub slots: u32,
    /// Sets of road pieces (formats/visitor.md §1.3).
    pub roads: Vec<RoadNet>,
    /// Layers of ground materials (formats/visitor.md §1.6).
    pub layers: Vec<TerrainLayer>,
    /// Named parts of the ground (formats/visitor.md §1.6).
    pub zones: Vec<TerrainZone>,
    /// Background pictures over the ground (formats/visitor.md §1.6).
    pub pictures: Vec<TerrainPicture>,
    /// One plain sentence each, for what was looked for in other files and not found.
    pub missing: Vec<String>,
}

/// Heights over a rectangle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeightGrid {
    /// Samples from west to east.
    pub columns: u32,
    /// Samples from south to north.
    pub rows: u32,
    /// Metres between neighbours.
    pub cell: f32,
    /// In metres: `columns × rows`, west to east and then south to north. NaN where there is no ground: the file is cut short, or
    /// its number is not finite.
    pub heights: Arc<[f32]>,
}

/// What the finite heights come to, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightRange {
    /// Lowest height.
    pub min: f32,
    /// Highest height.
    pub max: f32,
    /// Mean of the finite heights.
    pub mean: f64,
    /// Samples without ground.
    pub holes: usize,
}

/// What a prop is, roughly (formats/visitor.md §1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PropClass {
    /// Natural: class 1 of PEW projects.
    Natural,
    /// Artificial: class 2 of PEW projects.
    Artificial,
    /// Part of a road: class 3 of PEW projects.
    Road,
    /// Artificial, and part of a road: class 5 of PEW projects.
    ArtificialInRoad,
    /// By the file's own number.
    Other(u32),
    /// The file has no such type.
    Unresolved,
}

/// The shape of a prop on a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PropMarker {
    /// A rectangle.
    #[default]
    Rectangle,
    /// An ellipse.
    Ellipse,
}

/// Where a box's size comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeSource {
    /// Numbers of the file that look like one.
    Guessed,
    /// What is usual for the class.
    Class,
    /// The model.
    Model,
}

/// A type of props.
#[derive(Clone, Debug)]
pub struct PropKind {
    /// The file's own number, which props refer to.
    pub id: u32,
    /// Name of the type. Without one in the file: the path or file name of the model, or `type` and the type's number.
    pub name: String,
    /// Path of its model, as the file has it; empty without one.
    pub model: String,
    /// Class of the type.
    pub class: PropClass,
    /// Shape of the type's props on a map.
    pub marker: PropMarker,
    /// RGBA; `None` for what is usual for the class.
    pub outline: Option<[u8; 4]>,
    /// RGBA; `None` for the default of the class.
    pub fill: Option<[u8; 4]>,
    /// Width, height and depth of its box, in metres, before a prop's own scale.
    pub size: Vec3,
    /// Origin of `size`.
    pub size_source: SizeSource,
    /// `None` for one that the file lacks.
    pub source: Option<SourceEntry>,
    /// Its model, where that was found.
    pub body: Option<Arc<PropBody>>,
}

/// The model of a type of props, in the space of [`Prop::world_from_prop`] with the origin where the model has it.
#[derive(Clone, Debug)]
pub struct PropBody {
    /// The finest first.
    pub levels: Vec<PropLevel>,
    /// Of the finest level.
    pub bounds: Aabb,
}

/// A model for a range of distances.
#[derive(Clone, Debug)]
pub struct PropLevel {
    /// The file's own number: the coarser, the greater.
    pub resolution: f32,
    /// Model of this level.
    pub model: Arc<Model>,
}

/// One thing that stands on the ground.
#[derive(Clone, Debug)]
pub struct Prop {
    /// Into [`Terrain::kinds`].
    pub kind: u32,
    /// Its place in the file's list.
    pub slot: u32,
    /// The file's own number.
    pub id: u32,
    /// The type's number, as the prop has it.
    pub type_id: u32,
    /// Mostly empty.
    pub name: String,
    /// Turn, scale and place, in scene space; the origin is the middle of the box's floor.
    pub world_from_prop: Affine3A,
    /// East, up and north as the file has them, in metres.
    pub file_position: Vec3,
    /// Radians clockwise from north, in −π..=π.
    pub heading: f32,
    /// In all directions; 1 is the model's own size.
    pub scale: f32,
    /// Over the ground, as the file has it, in metres.
    pub above_ground: f32,
    /// RGBA; `None` for its type's.
    pub outline: Option<[u8; 4]>,
    /// RGBA; `None` for its type's.
    pub fill: Option<[u8; 4]>,
}

/// A set of road pieces that fit together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoadNet {
    /// Name of the net as stored in the file.
    pub name: String,
    /// RGBA of key parts.
    pub key_color: [u8; 4],
    /// RGBA of normal parts.
    pub color: [u8; 4],
    /// Largest angle, in degrees.
    pub max_angle_degrees: f64,
    /// Largest bank, in degrees.
    pub max_bank_degrees: f64,
    /// Road pieces of the net.
    pub parts: Vec<RoadPart>,
}

/// A road piece.
#[derive(Clone, Debug, PartialEq)]
pub struct RoadPart {
    /// Name of the piece as stored in the file.
    pub name: String,
    /// List of the net that contains the piece.
    pub kind: RoadPartKind,
    /// [`PropKind::id`].
    pub type_id: u32,
}

/// Kinds of road pieces, one for each list of a road net (formats/visitor.md §1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoadPartKind {
    /// A piece from the list of straights.
    Straight,
    /// A piece from the list of curves.
    Curve,
    /// A piece from the list of specials.
    Special,
    /// A piece from the list of terminators.
    Terminator,
}

/// Materials of the ground. Which cell has which is in no file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainLayer {
    /// Name of the layer as stored in the file.
    pub name: String,
    /// Paths.
    pub materials: Vec<String>,
}

/// A named part of the ground.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainZone {
    /// Name of the zone as stored in the file.
    pub name: String,
    /// The file's own number.
    pub id: u32,
    /// RGBA of the area.
    pub fill: [u8; 4],
    /// RGBA of the outline.
    pub outline: [u8; 4],
    /// True if the zone is drawn.
    pub visible: bool,
    /// East and north, in metres; the last is joined to the first. Empty for one whose numbers say no outline.
    pub polygon: Vec<Vec2>,
    /// Entry that the zone was made from.
    pub source: Option<SourceEntry>,
}

/// A picture laid over the ground.
#[derive(Clone, Debug, Default)]
pub struct TerrainPicture {
    /// Name of the picture as stored in the file.
    pub name: String,
    /// Path as the file has it.
    pub file: String,
    /// South-west corner, east and north, in metres.
    pub offset: Vec2,
    /// East and north, in metres.
    pub size: Vec2,
    /// Per cent: 0 hides the ground.
    pub transparency: u32,
    /// True if the file shows the picture.
    pub visible: bool,
    /// Where it was found.
    pub image: Option<Arc<Image>>,
    /// Entry that the picture was made from.
    pub source: Option<SourceEntry>,
}

/// Where a point of the ground is in the scene.
pub fn scene_from_ground(east: f32, up: f32, north: f32) -> Vec3 {
    Vec3::new(east, up, -north)
}

impl PropClass {
    /// For the colour-blind, and where there is no room.
    pub fn letters(self) -> &'static str {
        match self {
            Self::Natural => "N",
            Self::Artificial => "A",
            Self::Road => "R",
            Self::ArtificialInRoad => "AR",
            Self::Other(_) | Self::Unresolved => "?",
        }
    }

    /// Name of the class, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Artificial => "artificial",
            Self::Road => "road",
            Self::ArtificialInRoad => "artificial (part of a road)",
            Self::Other(_) => "unknown class",
            Self::Unresolved => "unresolved type",
        }
    }

    /// RGB of what has no colour of its own (formats/visitor.md §2.1).
    pub fn color(self) -> [u8; 3] {
        match self {
            Self::Natural => [86, 158, 84],
            Self::Artificial => [182, 92, 66],
            Self::Road => [138, 141, 146],
            Self::ArtificialInRoad => [222, 165, 54],
            Self::Other(_) => [146, 120, 190],
            Self::Unresolved => [230, 0, 230],
        }
    }
}

impl HeightGrid {
    /// Samples there are.
    pub fn len(&self) -> usize {
        self.heights.len()
    }

    /// True if there are no samples.
    pub fn is_empty(&self) -> bool {
        self.heights.is_empty()
    }

    /// Metres from west to east: every sample has a cell (formats/visitor.md §1.4).
    pub fn width(&self) -> f32 {
        self.columns as f32 * self.cell
    }

    /// Metres from south to north.
    pub fn depth(&self) -> f32 {
        self.rows as f32 * self.cell
    }

    /// A sample, `column` from the west and `row` from the south; `None` outside and where there is no ground.
    pub fn get(&self, column: u32, row: u32) -> Option<f32> {
        if column >= self.columns || row >= self.rows {
            return None;
        }
        let index = (row as usize).checked_mul(self.columns as usize)?.checked_add(column as usize)?;
        self.heights.get(index).copied().filter(|h| h.is_finite())
    }

    /// The ground under a point, in metres, on the triangles that the game stands things on: each square is split from its
    /// south-east to its north-west corner (formats/visitor.md §1.4). `None` outside and over holes.
    pub fn ground_at(&self, east: f32, north: f32) -> Option<f32> {
        let (x, z) = (east / self.cell, north / self.cell);
        let last = |n: u32| n.saturating_sub(1) as f32;
        // NaN is in no range.
        if !(0.0..=last(self.columns)).contains(&x) || !(0.0..=last(self.rows)).contains(&z) {
            return None;
        }
        let start = |value: f32, n: u32| (value.floor() as u32).min(n.saturating_sub(2));
        let (column, row) = (start(x, self.columns), start(z, self.rows));
        let (fx, fz) = (x - column as f32, z - row as f32);
        let at = |dx: u32, dz: u32| self.get(column.saturating_add(dx), row.saturating_add(dz));
        if fx + fz <= 1.0 {
            let corner = at(0, 0)?;
            // An edge of the map has no square beyond it.
            let along_x = if fx > 0.0 { (at(1, 0)? - corner) * fx } else { 0.0 };
            let along_z = if fz > 0.0 { (at(0, 1)? - corner) * fz } else { 0.0 };
            Some(corner + along_x + along_z)
        } else {
            let corner = at(1, 1)?;
            Some(corner + (at(0, 1)? - corner) * (1.0 - fx) + (at(1, 0)? - corner) * (1.0 - fz))
        }
    }

    /// `None` without a single finite height.
    pub fn range(&self) -> Option<HeightRange> {
        let (mut min, mut max, mut sum, mut count) = (f32::INFINITY, f32::NEG_INFINITY, 0.0_f64, 0_usize);
        for height in self.heights.iter().copied().filter(|h| h.is_finite()) {
            min = min.min(height);
            max = max.max(height);
            sum += f64::from(height);
            count = count.saturating_add(1);
        }
        let holes = self.heights.len().saturating_sub(count);
        (count > 0).then(|| HeightRange { min, max, mean: sum / count as f64, holes })
    }
}

impl Terrain {
    /// Returns the type of a prop; `None` if the prop's index is invalid.
    pub fn kind_of(&self, prop: &Prop) -> Option<&PropKind> {
        self.kinds.get(prop.kind as usize)
    }

    /// RGBA of a prop: its own, its type's, its class's.
    pub fn fill_of(&self, prop: &Prop) -> [u8; 4] {
        let kind = self.kind_of(prop);
        let [r, g, b] = kind.map_or(PropClass::Unresolved, |k| k.class).color();
        prop.fill.or_else(|| kind.and_then(|k| k.fill)).unwrap_or([r, g, b, 255])
    }

    /// Box of the ground with all that stands on it, in scene space; a unit box when there is nothing.
    pub fn bounds(&self) -> Aabb {
        let ground = self.grid.range().map(|range| Aabb {
            min: scene_from_ground(0.0, range.min, self.grid.depth()),
            max: scene_from_ground(self.grid.width(), range.max, 0.0),
        });
        let places = || Aabb::of(self.props.iter().map(|p| Vec3::from(p.world_from_prop.translation)));
        ground.or_else(places).unwrap_or(Aabb { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_lies_on_the_games_triangles() {
        // Two by two squares of 10 m; the middle is a peak of 4 m.
        let heights = [0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 8.0];
        let grid = HeightGrid { columns: 3, rows: 3, cell: 10.0, heights: heights.into() };
        assert_eq!(grid.ground_at(10.0, 10.0), Some(4.0));
        // The south-west square falls from its north-east corner; its other half is flat.
        assert_eq!(grid.ground_at(2.0, 3.0), Some(0.0));
        assert_eq!(grid.ground_at(5.0, 5.0), Some(0.0));
        assert_eq!(grid.ground_at(7.5, 7.5), Some(2.0));
        // The north-east square: both corners are on the other diagonal.
        assert_eq!(grid.ground_at(15.0, 15.0), Some(0.0));
        assert_eq!(grid.ground_at(20.0, 20.0), Some(8.0));
        assert_eq!(grid.ground_at(20.1, 5.0), None);
        assert_eq!(grid.ground_at(f32::NAN, 5.0), None);
    }

    #[test]
    fn holes_are_no_ground_and_do_not_count() {
        let heights = [1.0, f32::NAN, 3.0, f32::INFINITY];
        let grid = HeightGrid { columns: 2, rows: 2, cell: 1.0, heights: heights.into() };
        let range = grid.range().unwrap();
        assert_eq!((range.min, range.max, range.mean, range.holes), (1.0, 3.0, 2.0, 2));
        assert_eq!(grid.ground_at(0.5, 0.0), None);
        assert_eq!(grid.ground_at(0.0, 0.5), Some(2.0));
        assert_eq!(HeightGrid::default().range(), None);
        assert_eq!(HeightGrid::default().ground_at(0.0, 0.0), None);
    }
}
