//! An actor's properties, with its class's defaults where the class can be found (formats/unreal.md §9.4, §10.5).

use super::space;
use crate::{
    formats::unreal::{
        class_fields::behind_header,
        header::read_header,
        object::{Fault, ObjectReader},
        package::{ClassLink, Found, Package},
        properties::{Property, PropertyList, PropertyValue},
        script,
        tables::ObjectRef,
    },
    scene::{MapActor, MapValue},
};
use glam::{Affine3A, Mat3A};
use std::{collections::HashMap, sync::Arc};

/// How an actor is drawn (its DrawType).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawType {
    None,
    Sprite,
    Mesh,
    Brush,
}

/// What is known of a class.
#[derive(Debug, Default)]
pub struct Class {
    /// Its own name and those of its super classes, as far as they can be followed.
    names: Vec<String>,
    /// Its own defaults and those of its super classes, each with the package that their references are of.
    defaults: Vec<(Arc<Package>, PropertyList)>,
    /// The defaults of all actors are among them: what none of them states is as the engine has it.
    reaches_actor: bool,
    /// The names of its super classes, the last one first.
    bases: Arc<[String]>,
}

impl Class {
    fn of(chain: Vec<ClassLink>) -> Self {
        let mut class = Self::default();
        for link in chain {
            let is_actor = link.name.eq_ignore_ascii_case("Actor");
            class.names.push(link.name);
            let Some(found) = link.found else { continue };
            let read = behind_header(&found.package, found.export)
                .and_then(|mut reader| script::read_class(&mut reader, found.export));
            // A class without defaults that can be read leaves those of its super classes.
            if let Ok((_, Some(facts))) = read {
                class.defaults.push((found.package.clone(), facts.defaults));
                class.reaches_actor |= is_actor;
            }
        }
        class.bases = class.names.iter().skip(1).rev().cloned().collect();
        class
    }
}

/// Classes of actors, each looked up once.
#[derive(Default)]
pub struct Classes {
    known: HashMap<ObjectRef, Arc<Class>>,
}

impl Classes {
    fn of(&mut self, package: &Arc<Package>, class: ObjectRef) -> Arc<Class> {
        self.known.entry(class).or_insert_with(|| Arc::new(Class::of(package.super_chain(class)))).clone()
    }
}

/// An actor of a level.
pub struct Actor {
    pub package: Arc<Package>,
    pub export: usize,
    pub own: PropertyList,
    class: Arc<Class>,
}

impl Actor {
    /// Reads an actor.
    ///
    /// # Errors
    /// When its properties cannot be read.
    pub fn read(package: &Arc<Package>, export: usize, classes: &mut Classes) -> Result<Self, Fault> {
        let mut reader = ObjectReader::of_export(package, export);
        let own = read_header(&mut reader, export)?.properties;
        let class = package.export(export).map_or(ObjectRef::NONE, |e| e.class);
        Ok(Self { package: package.clone(), export, own, class: classes.of(package, class) })
    }

    pub fn name(&self) -> &str {
        self.package.object_name(ObjectRef::export(self.export)).unwrap_or("?")
    }

    pub fn class_name(&self) -> &str {
        self.class.names.first().map_or("?", String::as_str)
    }

    /// The classes that its own is made from, from the first one down.
    pub fn bases(&self) -> Arc<[String]> {
        self.class.bases.clone()
    }

    /// Whether its class is this one or derived from it, as far as the chain can be followed.
    pub fn is_a(&self, class: &str) -> bool {
        self.class.names.iter().any(|name| name.eq_ignore_ascii_case(class))
    }

    /// A class whose chain is missing is known by its name: they are built from their parent's.
    pub fn is_mover(&self) -> bool {
        self.is_a("Mover") || self.class_name().to_ascii_lowercase().ends_with("mover")
    }

    pub fn is_brush(&self) -> bool {
        self.is_a("Brush") || self.is_mover()
    }

    /// Its own value of a property, or that of the nearest class that states one, with the package that references are of.
    fn property(&self, name: &str, index: u32) -> Option<(&Arc<Package>, &PropertyValue)> {
        let own = self.own.get(name, index).map(|value| (&self.package, value));
        own.or_else(|| {
            self.class.defaults.iter().find_map(|(package, list)| list.get(name, index).map(|value| (package, value)))
        })
    }

    pub fn bool(&self, name: &str) -> Option<bool> {
        match self.property(name, 0)?.1 {
            PropertyValue::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether the game does not show it (§9.4). Where its classes cannot be followed, the picture that it states itself is meant to
    /// be seen, and one of its class, which may be the editor's sign for it, is not.
    pub fn is_hidden(&self) -> bool {
        let unknown = || !self.class.reaches_actor && self.own.get("Texture", 0).is_none();
        self.bool("bHidden").unwrap_or_else(unknown)
    }

    /// A Byte or an Int.
    pub fn int(&self, name: &str) -> Option<i32> {
        match self.property(name, 0)?.1 {
            PropertyValue::Byte(value) => Some(i32::from(*value)),
            PropertyValue::Int(value) => Some(*value),
            _ => None,
        }
    }

    pub fn float(&self, name: &str) -> Option<f32> {
        match self.property(name, 0)?.1 {
            PropertyValue::Float(value) => Some(*value).filter(|value| value.is_finite()),
            _ => None,
        }
    }

    /// A text or a name; `None` for none and for an empty one.
    pub fn text(&self, name: &str) -> Option<String> {
        match self.property(name, 0)?.1 {
            PropertyValue::Name(text) | PropertyValue::Text(text) => Some(text.clone()),
            _ => None,
        }
        .filter(|text| !text.is_empty() && !text.eq_ignore_ascii_case("None"))
    }

    pub fn vector(&self, name: &str) -> Option<[f32; 3]> {
        self.vector_at(name, 0)
    }

    /// An element of a list of vectors.
    pub fn vector_at(&self, name: &str, index: u32) -> Option<[f32; 3]> {
        match self.property(name, index)?.1 {
            PropertyValue::Vector(parts) => Some(*parts),
            _ => None,
        }
    }

    /// An element of a list of rotators.
    pub fn rotator_at(&self, name: &str, index: u32) -> Option<[i32; 3]> {
        match self.property(name, index)?.1 {
            PropertyValue::Rotator(parts) => Some(*parts),
            _ => None,
        }
    }

    /// The zone that it says it stands in.
    pub fn region_zone(&self) -> Option<u8> {
        self.own.members("Region")?.iter().find_map(|(name, value)| match value {
            PropertyValue::Byte(zone) if name.eq_ignore_ascii_case("ZoneNumber") => Some(*zone),
            _ => None,
        })
    }

    /// The cylinder that stops others, of those that do: radius and half the height.
    pub fn collision(&self) -> Option<[f32; 2]> {
        // As the class Actor has it.
        const USUAL: f32 = 22.0;
        let size = |name: &str| self.float(name).filter(|size| *size >= 0.0);
        let (radius, height) = (size("CollisionRadius"), size("CollisionHeight"));
        // What no class states is off.
        let collides = self.bool("bCollideActors").unwrap_or(!self.class.reaches_actor);
        if !collides || self.is_brush() || radius.or(height).is_none() {
            return None;
        }
        Some([radius.unwrap_or(USUAL), height.unwrap_or(USUAL)])
    }

    /// How far its sound is heard (§16.6), of one that has a sound.
    pub fn sound_radius(&self) -> Option<f32> {
        // As the class Actor has it.
        const USUAL: i32 = 32;
        self.object("AmbientSound")?;
        Some(25.0 * (self.int("SoundRadius").unwrap_or(USUAL).clamp(0, 255) as f32 + 1.0))
    }

    /// The object that a property names.
    pub fn object(&self, name: &str) -> Option<(Arc<Package>, ObjectRef)> {
        self.object_at(name, 0)
    }

    /// The object that an element of a property names.
    pub fn object_at(&self, name: &str, index: u32) -> Option<(Arc<Package>, ObjectRef)> {
        match self.property(name, index)? {
            (package, PropertyValue::Object(object)) if !object.is_none() => Some((package.clone(), *object)),
            _ => None,
        }
    }

    /// As [`Actor::object`], followed to the object itself.
    pub fn found(&self, name: &str) -> Option<Found> {
        let (package, object) = self.object(name)?;
        package.resolve(object)
    }

    /// Unreal's space; `None` for an actor that has no place.
    pub fn location(&self) -> Option<[f32; 3]> {
        self.own.vector("Location").filter(|location| location.iter().all(|x| x.is_finite()))
    }

    pub fn rotation(&self) -> [i32; 3] {
        self.own.rotator("Rotation").unwrap_or_default()
    }

    /// What it states itself, as far as people can read it.
    pub fn stated(&self) -> Vec<(String, MapValue)> {
        /// Characters of a text.
        const MOST: usize = 1024;
        let value = |value: &PropertyValue| {
            Some(match value {
                PropertyValue::Byte(value) => MapValue::Int(i32::from(*value)),
                PropertyValue::Int(value) => MapValue::Int(*value),
                PropertyValue::Bool(value) => MapValue::Bool(*value),
                PropertyValue::Float(value) => MapValue::Float(*value),
                PropertyValue::Object(object) => MapValue::Text(self.package.object_path(*object)),
                PropertyValue::Name(text) | PropertyValue::Text(text) => MapValue::Text(text.clone()),
                PropertyValue::Color(parts) => MapValue::Numbers(parts.map(f32::from).to_vec()),
                PropertyValue::Vector(parts) => MapValue::Numbers(parts.to_vec()),
                PropertyValue::Rotator(parts) => MapValue::Numbers(parts.map(|part| part as f32).to_vec()),
                PropertyValue::Struct(_) | PropertyValue::Array(_) | PropertyValue::Raw(_) => return None,
            })
        };
        let named = |property: &Property| {
            let name = if property.index == 0 {
                property.name.clone()
            } else {
                format!("{}({})", property.name, property.index)
            };
            value(&property.value).map(|value| (name, value))
        };
        let short = |(_, value): &(String, MapValue)| !matches!(value, MapValue::Text(text) if text.len() > MOST);
        self.own.properties.iter().filter_map(named).filter(short).take(MapActor::MAX_PROPERTIES).collect()
    }

    /// The size of its picture or mesh.
    pub fn draw_scale(&self) -> f32 {
        self.float("DrawScale").filter(|scale| *scale > 0.0).unwrap_or(1.0)
    }

    pub fn draw_type(&self) -> DrawType {
        match self.int("DrawType") {
            Some(0) => DrawType::None,
            Some(2) => DrawType::Mesh,
            Some(3) => DrawType::Brush,
            Some(_) => DrawType::Sprite,
            None if self.is_brush() => DrawType::Brush,
            None if self.object("Mesh").is_some() => DrawType::Mesh,
            // As Actor's own default has it.
            None => DrawType::Sprite,
        }
    }

    /// Where its brush stands (§9.4); `None` when a number in it is not finite.
    pub fn world_from_brush(&self) -> Option<Affine3A> {
        let scale = |name: &str| self.own.members(name).map_or(Mat3A::IDENTITY, space::scale);
        space::world_from_brush(
            self.own.vector("Location").unwrap_or_default(),
            scale("PostScale"),
            self.rotation(),
            scale("MainScale"),
            self.own.vector("PrePivot").unwrap_or_default(),
        )
    }
}
