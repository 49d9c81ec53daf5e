//! Where things of a level stand at a moment.

mod links;
mod live;
mod mover;
pub(super) mod outlines;
mod window;
mod zone;

pub use live::{LiveKind, LivePicture, MapMoment};
pub use mover::{MapMover, MoverKey};
pub use outlines::SurfaceOutlines;
pub use window::{MapSky, MapWindow, mirrored};
pub use zone::{MapNode, MapTree, MapZone};

use super::{Aabb, Image, MaterialKind, Model, SourceEntry, camera::OrbitCamera};
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use std::sync::Arc;

/// A level: geometry, things placed in it, and the actors that make it up.
///
/// Every model is an ordinary [`Model`] of unposed meshes:
/// - walls: baked light in [`super::BasicMaterial::lightmap`] with the second set of texture coordinates, what is not to be seen
///   as `hidden` with its `role`, [`super::Mesh::triangle_sources`] into [`Map::surfaces`], zones in [`super::Mesh::vertex_zones`];
/// - a sprite: a square in the plane of X and Y, facing +Z, with the origin in its middle, of the size it has in the world; its
///   item's matrix says where it stands, and its turn is the camera's;
/// - a brush: no surfaces, [`super::Mesh::lines`] in colours of their own.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// Name of the level.
    pub name: String,
    /// Geometry, each drawn once or more by [`Map::items`].
    pub models: Vec<Arc<Model>>,
    /// Placed models.
    pub items: Vec<MapItem>,
    /// What the models' triangles were made from.
    pub surfaces: Vec<MapSurface>,
    /// Actors in the order of the level's list.
    pub actors: Vec<MapActor>,
    /// Lights, each from one of the actors.
    pub lights: Vec<MapLight>,
    /// Pieces that move.
    pub movers: Vec<MapMover>,
    /// By the number of the zone; 0 is what no zone holds.
    pub zones: Vec<MapZone>,
    /// Planes that divide the level into zones.
    pub tree: MapTree,
    /// Rooms that are shown as skies.
    pub skies: Vec<MapSky>,
    /// What materials show in place of their surfaces: [`super::BasicMaterial::window`].
    pub windows: Vec<MapWindow>,
    /// Pictures that change with time.
    pub live: Vec<LivePicture>,
    /// Ways that players who are not people know.
    pub paths: Vec<MapPath>,
    /// Where a visitor starts.
    pub starts: Vec<MapStart>,
    /// Description of the level.
    pub card: MapCard,
    /// Turns scene space back into the file's own.
    pub file_from_scene: Affine3A,
    /// One plain sentence each, for what was looked for in other files and not found.
    pub missing: Vec<String>,
}

/// A surface as the file lists it: what a person is told who points at one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapSurface {
    /// Its number in the list of its model.
    pub number: u32,
    /// Name of its picture; empty without one.
    pub texture: String,
    /// Entry of the document that the picture is, when it lies in the same file.
    pub texture_source: Option<SourceEntry>,
    /// The picture's path with its package, `Package.Group.Name`; empty without one.
    pub texture_path: String,
    /// Into [`Map::actors`]: the brush that it was cut from.
    pub brush: Option<u32>,
    /// What is special about it, in words: `masked, two-sided`; empty when nothing is.
    pub traits: String,
    /// Index into [`Map::zones`]; 0 if no zone contains the surface.
    pub zone: u8,
}

/// A model, placed.
#[derive(Clone, Debug)]
pub struct MapItem {
    /// Into [`Map::models`].
    pub model: u32,
    /// Placement of the model; of a mover, at its start.
    pub world_from_model: Affine3A,
    /// Kind of the item.
    pub kind: MapItemKind,
    /// What it was made from.
    pub source: SourceEntry,
    /// Into [`Map::actors`], for what belongs to one.
    pub actor: Option<u32>,
    /// A sprite that the game does not show: the sign of an actor in the editor, or what stands for a picture that was not found.
    pub hidden_in_game: bool,
    /// Into [`Map::skies`], for what stands in the room that a sky is.
    pub sky: Option<u32>,
}

/// Kind of an item of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapItemKind {
    /// The walls of the level itself.
    World,
    /// A piece that moves.
    Mover,
    /// A mesh that an actor places.
    Mesh,
    /// A picture that always faces the camera; its model is a square around the origin.
    Sprite,
    /// The glow around a light: a sprite of one size wherever it is seen from, its square's being that a unit away.
    Corona,
    /// An editor's brush, as lines.
    Brush,
}

/// An actor of a level, with the properties of the file.
#[derive(Clone, Debug)]
pub struct MapActor {
    /// Name of the actor's object.
    pub name: String,
    /// Name of the actor's class.
    pub class: String,
    /// Scene space.
    pub location: Vec3,
    /// Scene space.
    pub rotation: Quat,
    /// What it states itself, by name: at most [`MapActor::MAX_PROPERTIES`], without what is too long to be read.
    pub properties: Vec<(String, MapValue)>,
    /// Entry of the actor in its file.
    pub source: SourceEntry,
    /// The classes that its own is made from, from `Actor` or `Object` down, without its own; as far as they can be followed.
    pub bases: Arc<[String]>,
    /// By which events find it; empty for none.
    pub tag: String,
    /// What it sets off in all actors of this tag; empty for none.
    pub event: String,
    /// Index into [`Map::zones`]; 0 if no zone contains the actor.
    pub zone: u8,
    /// Radius, and half the height, of the upright cylinder that stops others; `None` where it states none.
    pub collision: Option<[f32; 2]>,
    /// How far its sound is heard (formats/unreal.md §16.6).
    pub sound_radius: Option<f32>,
    /// Actors that it names as what comes next: a PatrolPoint's next, a teleporter's other end. With the property's name.
    pub next: Vec<(String, u32)>,
}

impl Default for MapActor {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: String::new(),
            location: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            properties: Vec::new(),
            source: SourceEntry::FILE,
            bases: Arc::new([]),
            tag: String::new(),
            event: String::new(),
            zone: 0,
            collision: None,
            sound_radius: None,
            next: Vec::new(),
        }
    }
}

/// A way from a navigation point to another (formats/unreal.md §9.3).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MapPath {
    /// Actor at the start of the path, as an index into [`Map::actors`].
    pub start: u32,
    /// Actor at the end of the path, as an index into [`Map::actors`].
    pub end: u32,
    /// Of who fits through, in the scene's units.
    pub radius: f32,
    /// Half of it, as a collision's.
    pub height: f32,
    /// What it takes to go it.
    pub flags: u32,
    /// Not used by the game: shorter ways lead there.
    pub pruned: bool,
}

impl MapActor {
    /// Maximum number of [`MapActor::properties`].
    pub const MAX_PROPERTIES: usize = 64;
}

/// The value of an actor's property.
#[derive(Clone, Debug, PartialEq)]
pub enum MapValue {
    /// A truth value.
    Bool(bool),
    /// A byte or a whole number.
    Int(i32),
    /// A number with a fraction.
    Float(f32),
    /// A vector, a rotator or a colour, as the file has it.
    Numbers(Vec<f32>),
    /// Text, a name, or the path of an object.
    Text(String),
}

/// A light that an actor gives.
#[derive(Clone, Debug, PartialEq)]
pub struct MapLight {
    /// Into [`Map::actors`].
    pub actor: u32,
    /// In gamma space, of one: twice this is what a texture right beside it is multiplied by.
    pub color: Vec3,
    /// Where its light ends, in the scene's units.
    pub radius: f32,
    /// Where it shines, and half the angle of its cone in radians; `None` for one that shines all around.
    pub spot: Option<(Vec3, f32)>,
}

/// A place where a visitor starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapStart {
    /// The visitor's eye, in scene space.
    pub location: Vec3,
    /// Radians about the scene's Y, from +Z towards +X.
    pub yaw: f32,
}

/// What a level says of itself.
#[derive(Clone, Debug, Default)]
pub struct MapCard {
    /// Title of the level; empty if the file has none.
    pub title: String,
    /// Author of the level; empty if the file has none.
    pub author: String,
    /// Name and value.
    pub facts: Vec<(String, String)>,
    /// Picture of the level; `None` if the level names none or it cannot be found.
    pub screenshot: Option<Arc<Image>>,
}

impl Map {
    /// How fast a player walks, in the scene's units a second.
    pub const WALK_SPEED: f32 = 400.0;

    /// Whether anything in it moves by itself.
    pub fn moves(&self) -> bool {
        let moving = |model: &Arc<Model>| {
            model.materials.iter().any(|material| match &material.kind {
                MaterialKind::Basic(basic) => basic.motion.is_some_and(|motion| !motion.is_still()),
                _ => false,
            })
        };
        !self.live.is_empty() || self.models.iter().any(moving)
    }

    /// Box of an item in the world; of a sprite, whichever way it is turned. `None` when it has nothing to draw.
    pub fn item_bounds(&self, item: &MapItem) -> Option<Aabb> {
        let model = self.models.get(item.model as usize)?;
        let points = model.meshes.iter().flat_map(|mesh| mesh.points.iter().copied());
        let bounds = Aabb::of(points)?;
        item.bounds_at(&item.world_from_model, &bounds)
    }

    /// Box of all that is drawn, but for sprites, brushes and the rooms of skies, which lie apart; a unit box when there is
    /// nothing.
    pub fn bounds(&self) -> Aabb {
        let solid =
            |item: &&MapItem| !matches!(item.kind, MapItemKind::Sprite | MapItemKind::Corona | MapItemKind::Brush);
        let boxes = |of_sky: bool| {
            let items = self.items.iter().filter(solid).filter(move |item| item.sky.is_some() == of_sky);
            items.filter_map(|item| self.item_bounds(item)).reduce(Aabb::union)
        };
        let actors = || Aabb::of(self.actors.iter().map(|a| a.location));
        let whole = boxes(false).or_else(|| boxes(true)).or_else(actors);
        whole.unwrap_or(Aabb { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) })
    }
}

impl MapItem {
    /// Its box in the world when it stands here, with a model whose own box is `local`; of a sprite, whichever way it is turned.
    pub fn bounds_at(&self, world_from_model: &Affine3A, local: &Aabb) -> Option<Aabb> {
        if matches!(self.kind, MapItemKind::Sprite | MapItemKind::Corona) {
            let center: Vec3 = world_from_model.translation.into();
            let reach = local.min.abs().max(local.max.abs()).length() * longest(world_from_model);
            return Aabb::of([center - reach, center + reach]);
        }
        Some(local.transformed(world_from_model))
    }

    /// Where it stands in a picture of this camera: sprites face it.
    pub fn world_seen_from(&self, camera: &OrbitCamera) -> Affine3A {
        self.world_facing(camera.eye(), Mat3A::from_quat(camera.rotation()))
    }

    /// Where it stands for an eye that is here, with these directions to its right, up and backwards: sprites face it.
    pub fn world_facing(&self, eye: Vec3, directions: Mat3A) -> Affine3A {
        match self.kind {
            MapItemKind::Sprite | MapItemKind::Corona => {
                let matrix = &self.world_from_model.matrix3;
                let mut size = Vec3A::new(matrix.x_axis.length(), matrix.y_axis.length(), matrix.z_axis.length());
                let translation = self.world_from_model.translation;
                if self.kind == MapItemKind::Corona {
                    size *= translation.distance(eye.into());
                }
                let matrix3 = Mat3A::from_cols(
                    directions.x_axis * size.x,
                    directions.y_axis * size.y,
                    directions.z_axis * size.z,
                );
                Affine3A { matrix3, translation }
            }
            _ => self.world_from_model,
        }
    }
}

/// The most that a transform makes a length longer, about.
fn longest(transform: &Affine3A) -> f32 {
    let matrix = &transform.matrix3;
    matrix.x_axis.length().max(matrix.y_axis.length()).max(matrix.z_axis.length())
}

impl Map {
    /// Where an item stands at a moment: a mover that was moved is where it was moved to.
    pub fn place_at(&self, item: u32, moment: &MapMoment) -> Option<Affine3A> {
        let found = self.items.get(item as usize)?;
        if found.kind != MapItemKind::Mover {
            return Some(found.world_from_model);
        }
        let moved = self.movers.iter().zip(&moment.movers).find(|(mover, _)| mover.item == item);
        Some(moved.map_or(found.world_from_model, |(mover, position)| mover.world_from_model(*position)))
    }

    /// An item as it stands at a moment.
    pub fn item_at(&self, item: u32, moment: &MapMoment) -> Option<MapItem> {
        let world_from_model = self.place_at(item, moment)?;
        self.items.get(item as usize).map(|found| MapItem { world_from_model, ..found.clone() })
    }
}

/// What of a picture decides whether windows show other places in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowView {
    /// They are switched on.
    pub wanted: bool,
    /// Surfaces have their own colours or light: colours that mean something else are those of the window itself.
    pub own_colors: bool,
    /// True for an orthographic camera, which shows no other places.
    pub orthographic: bool,
    /// Surfaces that are hidden are shown.
    pub show_hidden: bool,
}

/// Where the rooms that skies are, are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rooms {
    /// Where they stand.
    InPlace,
    /// Through windows, but for the one in which the eye is.
    Away {
        /// Index of the sky whose room the eye is in; `None` if it is in none.
        but: Option<u32>,
    },
    /// This one alone.
    Only(u32),
}

impl WindowView {
    /// Whether windows show other places.
    pub fn shows_places(&self) -> bool {
        self.wanted && self.own_colors && !self.orthographic
    }

    /// Where the rooms of skies are for an eye that is here.
    pub fn rooms(&self, map: &Map, eye: Vec3) -> Rooms {
        match self.shows_places() && !self.show_hidden {
            true => Rooms::Away { but: map.sky_at(eye) },
            false => Rooms::InPlace,
        }
    }
}

impl Rooms {
    /// Whether an item is seen. `skies_seen`: [`Map::skies_seen`].
    pub fn hold(&self, item: &MapItem, skies_seen: &[bool]) -> bool {
        let is_seen_away = |sky: u32| skies_seen.get(sky as usize) == Some(&true);
        match self {
            Self::InPlace => true,
            Self::Away { but } => item.sky.is_none_or(|sky| *but == Some(sky) || !is_seen_away(sky)),
            Self::Only(sky) => item.sky == Some(*sky),
        }
    }
}

impl Map {
    /// Of each sky, whether a window shows it.
    pub fn skies_seen(&self) -> Vec<bool> {
        (0..).zip(&self.skies).map(|(sky, _)| self.windows.contains(&MapWindow::Sky(sky))).collect()
    }

    /// The sky whose room a point lies in.
    pub fn sky_at(&self, point: Vec3) -> Option<u32> {
        let zone = Some(self.tree.zone_at(point)).filter(|zone| *zone != 0)?;
        (0_u32..).zip(&self.skies).find(|(_, sky)| sky.zone == zone).map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{MapMover, MapNode, MapSky, MapTree, Mesh, MoverKey, SourceEntry};
    use glam::{Affine3A, Quat, Vec3, Vec4};

    fn item(place: Vec3, sky: Option<u32>) -> MapItem {
        MapItem {
            model: 0,
            world_from_model: Affine3A::from_translation(place),
            kind: MapItemKind::World,
            source: SourceEntry::FILE,
            actor: None,
            hidden_in_game: false,
            sky,
        }
    }

    #[test]
    fn the_room_of_a_sky_is_no_part_of_the_box_unless_it_is_all() {
        let mesh = Mesh { points: vec![Vec3::ZERO, Vec3::ONE], ..Mesh::default() };
        let model = Arc::new(Model { meshes: vec![mesh], ..Model::empty("walls") });
        let far = item(Vec3::new(30_000.0, 0.0, 0.0), Some(0));
        let mut map = Map { models: vec![model], items: vec![item(Vec3::ZERO, None), far], ..Map::default() };
        assert_eq!(map.bounds(), Aabb { min: Vec3::ZERO, max: Vec3::ONE });
        map.items.remove(0);
        assert_eq!(map.bounds().min, Vec3::new(30_000.0, 0.0, 0.0));
    }

    #[test]
    fn a_mover_stands_where_it_was_moved_to_and_others_where_they_are() {
        let item = |kind| MapItem {
            model: 0,
            world_from_model: Affine3A::from_translation(Vec3::X),
            kind,
            source: SourceEntry::FILE,
            actor: None,
            hidden_in_game: false,
            sky: None,
        };
        let keys = [Vec3::X, Vec3::X * 3.0].map(|location| MoverKey { location, ..MoverKey::default() }).to_vec();
        let mover = MapMover { item: 1, keys, seconds: 1.0, ..MapMover::default() };
        let map = Map {
            items: vec![item(MapItemKind::World), item(MapItemKind::Mover)],
            movers: vec![mover],
            ..Map::default()
        };
        let at = |index, moment: &MapMoment| {
            map.item_at(index, moment).map(|item| Vec3::from(item.world_from_model.translation))
        };
        let moved = MapMoment { movers: vec![0.5], ..MapMoment::default() };
        assert_eq!((at(0, &moved), at(1, &moved)), (Some(Vec3::X), Some(Vec3::X * 2.0)));
        assert_eq!((at(1, &MapMoment::default()), at(2, &moved)), (Some(Vec3::X), None));
    }

    const SEEN: WindowView = WindowView { wanted: true, own_colors: true, orthographic: false, show_hidden: false };

    /// Two skies: the first beyond x = 4, the second in no zone; a window shows each that is named.
    fn map(windows: &[u32]) -> Map {
        let sky = |zone| MapSky { actor: 0, location: Vec3::ZERO, rotation: Quat::IDENTITY, zone };
        let node = MapNode { plane: Vec4::new(1.0, 0.0, 0.0, 4.0), children: [None; 2], zones: [0, 2] };
        Map {
            skies: vec![sky(2), sky(0)],
            windows: windows.iter().map(|sky| MapWindow::Sky(*sky)).collect(),
            tree: MapTree { nodes: vec![node] },
            ..Map::default()
        }
    }

    fn held(rooms: Rooms, map: &Map) -> [bool; 3] {
        [None, Some(0), Some(1)].map(|sky| {
            let item = MapItem {
                model: 0,
                world_from_model: Affine3A::IDENTITY,
                kind: MapItemKind::World,
                source: SourceEntry::FILE,
                actor: None,
                hidden_in_game: false,
                sky,
            };
            rooms.hold(&item, &map.skies_seen())
        })
    }

    #[test]
    fn rooms_are_away_only_where_windows_show_them() {
        let (map, eye) = (map(&[0]), Vec3::ZERO);
        assert_eq!(SEEN.rooms(&map, eye), Rooms::Away { but: None });
        let others = [
            WindowView { wanted: false, ..SEEN },
            WindowView { own_colors: false, ..SEEN },
            WindowView { orthographic: true, ..SEEN },
            WindowView { show_hidden: true, ..SEEN },
        ];
        assert_eq!(others.map(|view| view.rooms(&map, eye)), [Rooms::InPlace; 4]);
        // Beside hidden surfaces windows still show what is behind them.
        assert_eq!(others.map(|view| view.shows_places()), [false, false, false, true]);
    }

    #[test]
    fn a_room_is_seen_by_who_is_in_it_and_where_no_window_shows_it() {
        let map = map(&[0]);
        assert_eq!(map.skies_seen(), [true, false]);
        // Zone 0 is no zone, whatever a sky says.
        assert_eq!((map.sky_at(Vec3::X * 5.0), map.sky_at(Vec3::ZERO)), (Some(0), None));
        assert_eq!(held(SEEN.rooms(&map, Vec3::ZERO), &map), [true, false, true]);
        assert_eq!(held(SEEN.rooms(&map, Vec3::X * 5.0), &map), [true, true, true]);
        assert_eq!(held(Rooms::InPlace, &map), [true; 3]);
        assert_eq!(held(Rooms::Only(1), &map), [false, false, true]);
    }
}
