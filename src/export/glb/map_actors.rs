//! Actors of levels: a named node for each, with what the game says of it in `extras`, and lights (`KHR_lights_punctual`).

use super::{LevelLights, buffers::Builder, nodes, srgb};
use crate::scene::{Map, MapActor, MapItem, MapItemKind, MapLight, MapValue, Transform};
use glam::{Quat, Vec3};
use gltf_json::{
    self as json, Index,
    extensions::scene::khr_lights_punctual::{KhrLightsPunctual, Light, Spot, Type},
    validation::Checked::Valid,
};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

const LIGHTS: &str = "KHR_lights_punctual";

/// Lumens of a watt of green light, by which candelas and watts per steradian are converted.
const LUMENS_PER_WATT: f32 = 683.0;

/// Maximum half angle of a spot's cone in radians: the largest number below a right angle. The nearest one to it is above.
const MAX_CONE: f32 = std::f32::consts::FRAC_PI_2.next_down();

/// What the nodes of a level say of its actors.
pub struct MapActors<'a> {
    map: &'a Map,
    /// Whether an item has a mesh in the file.
    is_written: &'a dyn Fn(&MapItem) -> bool,
    lights: HashMap<u32, &'a MapLight>,
    sprites: HashMap<u32, &'a MapItem>,
    /// Those that have a node already.
    written: HashSet<u32>,
}

impl<'a> MapActors<'a> {
    pub fn new(map: &'a Map, is_written: &'a dyn Fn(&MapItem) -> bool, lights: LevelLights) -> Self {
        let lights = if lights == LevelLights::Punctual { map.lights.as_slice() } else { &[] };
        let of_actor = |item: &'a MapItem| (item.kind == MapItemKind::Sprite).then_some((item.actor?, item));
        Self {
            map,
            is_written,
            lights: lights.iter().map(|light| (light.actor, light)).collect(),
            sprites: map.items.iter().filter_map(of_actor).collect(),
            written: HashSet::new(),
        }
    }

    /// Whether the actor of an item gives light.
    pub fn is_light(&self, item: &MapItem) -> bool {
        item.actor.is_some_and(|actor| self.lights.contains_key(&actor))
    }

    /// What is known of the actor of an item that is one of many: its class and its properties. Nothing for one that has been
    /// spoken of.
    pub fn take(&mut self, item: &MapItem) -> (&'a str, Value) {
        let actor = item.actor.filter(|number| self.written.insert(*number));
        let actor = actor.and_then(|number| self.map.actors.get(number as usize));
        actor.map_or(("", json!({})), |actor| (actor.class.as_str(), properties(actor)))
    }

    /// Gives the node of an item what is known of its actor.
    pub fn describe(&mut self, builder: &mut Builder, item: &MapItem, node: &mut json::Node) {
        let Some((number, actor)) = item.actor.and_then(|n| Some((n, self.map.actors.get(n as usize)?))) else {
            return;
        };
        if !self.written.insert(number) {
            return;
        }
        node.extras = self.extras(number, actor);
        if let Some(light) = self.lights.get(&number) {
            // It shines where the game says, whichever way its mesh is turned.
            let turn = node.rotation.map_or(Quat::IDENTITY, |rotation| Quat::from_array(rotation.0));
            let rotation = light.spot.map_or(Quat::IDENTITY, |(direction, _)| turn.inverse() * towards(direction));
            let mut child = nodes::node(&actor.name, &Transform { rotation, ..Transform::IDENTITY });
            child.extensions = Some(extension(builder, &actor.name, light));
            node.children.get_or_insert_default().push(builder.push_node(child));
        }
    }

    /// Nodes of all actors that have none, below one node. `None` when there are none.
    pub fn rest(&mut self, builder: &mut Builder) -> Option<Index<json::Node>> {
        let mut children = Vec::new();
        for (number, actor) in (0_u32..).zip(&self.map.actors) {
            if self.written.contains(&number) {
                continue;
            }
            let light = self.lights.get(&number).copied();
            let rotation =
                light.and_then(|light| light.spot).map_or(actor.rotation, |(direction, _)| towards(direction));
            let transform = Transform { translation: actor.location, rotation, scale: Vec3::ONE };
            let mut node = nodes::node(&actor.name, &transform);
            node.extras = self.extras(number, actor);
            node.extensions = light.map(|light| extension(builder, &actor.name, light));
            children.push(builder.push_node(node));
        }
        (!children.is_empty()).then(|| nodes::group(builder, "Actors", children))
    }

    /// Class and properties; of a sprite its picture's name and its size in the level.
    fn extras(&self, place: u32, actor: &MapActor) -> json::Extras {
        let mut extras = json!({ "class": actor.class, "properties": properties(actor) });
        if let Some(sprite) = self.sprites.get(&place) {
            extras["sprite"] = self.sprite(sprite);
        }
        json::extras::RawValue::from_string(extras.to_string()).ok()
    }

    /// What nodes say of a sprite: its picture's name, its size in the level, and how it stands there where it is drawn.
    pub fn sprite(&self, item: &MapItem) -> Value {
        let model = self.map.models.get(item.model as usize);
        let image = model.and_then(|model| model.images.first()).map(|image| image.name.as_str());
        let points = model.and_then(|model| model.meshes.first()).into_iter().flat_map(|mesh| &mesh.points);
        let half = points.map(|point| point.abs()).fold(Vec3::ZERO, Vec3::max);
        let mut sprite = json!({ "picture": image, "size": [number(half.x * 2.0), number(half.y * 2.0)] });
        if item.hidden_in_game {
            sprite["hidden"] = json!(true);
        } else if (self.is_written)(item) {
            sprite["facesViewer"] = json!(true);
        }
        sprite
    }
}

fn properties(actor: &MapActor) -> Value {
    let named = actor.properties.iter().map(|(name, value)| (name.clone(), value_of(value)));
    Value::Object(named.collect())
}

fn value_of(value: &MapValue) -> Value {
    match value {
        MapValue::Bool(value) => json!(value),
        MapValue::Int(value) => json!(value),
        MapValue::Float(value) => number(*value),
        MapValue::Numbers(values) => values.iter().copied().map(number).collect(),
        MapValue::Text(text) => json!(text),
    }
}

/// glTF has no `null`: what is no number is text.
fn number(value: f32) -> Value {
    if value.is_finite() { json!(value) } else { json!(value.to_string()) }
}

/// glTF's lights shine along −Z.
fn towards(direction: Vec3) -> Quat {
    let direction = direction.normalize_or(Vec3::NEG_Z);
    Quat::from_rotation_arc(Vec3::NEG_Z, direction)
}

/// The light as glTF has it. The game's light ends at its radius and falls off in a curve of its own; glTF's falls with the square
/// of the distance. Both are as bright half way: the game shows a surface that faces the light its texture times the light's colour there.
/// The unit is the candela of glTF, of which a watt per steradian has 683, as Blender converts it unless told otherwise (CLIENTS.md).
fn extension(builder: &mut Builder, name: &str, light: &MapLight) -> json::extensions::scene::Node {
    builder.uses_extension(LIGHTS);
    let finite = |value: f32, otherwise: f32| if value.is_finite() { value } else { otherwise };
    let linear = light.color.to_array().map(|part| srgb::linear(finite(part, 0.0).clamp(0.0, 1.0)));
    let most = linear.into_iter().fold(0.0, f32::max).max(1e-6);
    let radius = finite(light.radius, 1.0).max(1e-3);
    // A white surface sends back 1 / π of what reaches it.
    let intensity = LUMENS_PER_WATT * std::f32::consts::PI * most * (radius / 2.0).powi(2);
    let extras = json!({ "radius": radius, "color": light.color.to_array().map(number) });
    let outer = |(_, angle): (Vec3, f32)| finite(angle, 1.0).clamp(1e-3, MAX_CONE);
    let light = Light {
        color: linear.map(|part| part / most),
        extensions: None,
        extras: json::extras::RawValue::from_string(extras.to_string()).ok(),
        intensity,
        name: Some(name.to_owned()),
        range: Some(radius),
        spot: light.spot.map(outer).map(|angle| Spot { inner_cone_angle: 0.0, outer_cone_angle: angle }),
        type_: Valid(if light.spot.is_some() { Type::Spot } else { Type::Point }),
    };
    let lights = builder.root.extensions.get_or_insert_default().khr_lights_punctual.get_or_insert_default();
    let index = Index::new(lights.lights.len() as u32);
    lights.lights.push(light);
    json::extensions::scene::Node { khr_lights_punctual: Some(KhrLightsPunctual { light: index }) }
}
