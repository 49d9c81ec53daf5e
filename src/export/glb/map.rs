//! Levels: one mesh for each model, one node for each place or for all of them together, named nodes for actors with
//! `extras` and lights (`KHR_lights_punctual`), and baked light as colours of vertices.

use super::{
    Glb, GlbOptions, LevelLights, OptionNames, Output,
    buffers::Builder,
    container, material,
    mesh::{self, FrameTargets},
    nodes::{self, Places, fits, is_skewed, transform_of},
    see_through, srgb,
};
use crate::{
    bytes::numbers::counted,
    export::{
        ExportError,
        map_model::{gathered, is_written, light_of, name_of},
    },
    scene::{Image, Map, MapActor, MapItem, MapItemKind, MapLight, MapValue, MaterialKind, Mesh, Model, Transform},
};
use glam::{Quat, Vec2, Vec3};
use gltf_json::{
    self as json, Index,
    extensions::scene::khr_lights_punctual::{KhrLightsPunctual, Light, Spot, Type},
    validation::Checked::Valid,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};

/// [`map_glb_with`] as most want it: a node for each thing, and sprites.
///
/// # Errors
/// As [`super::glb`] does.
pub fn map_glb(map: &Map, output: impl Into<Output>) -> Result<Glb, ExportError> {
    map_glb_with(map, &GlbOptions::default(), output)
}

/// Writes a level as GLB: its walls, movers, placed meshes and sprites, under their names. What is not to be seen in a level is left
/// out: hidden surfaces, brushes, signs of the editor's. Every actor is a node with its class and properties in `extras`, or one of
/// the instances of such a node; light is written as [`LevelLights`] states. Sprites, which face the viewer in the game, face +Z.
///
/// # Errors
/// As [`super::glb`] does.
pub fn map_glb_with(map: &Map, options: &GlbOptions, output: impl Into<Output>) -> Result<Glb, ExportError> {
    let mut builder = Builder::new(output);
    builder.texture_size = options.texture_size;
    let is_written = |item: &MapItem| is_written(item) || !options.without_sprites && is_seen_sprite(item);
    let (mut whole, mut meshes) = gathered(map, is_written);
    if options.lights == LevelLights::Baked {
        bake(&mut whole, &mut meshes);
    }
    see_through::give_alpha(&mut whole);
    let materials = material::write(&mut builder, &whole)?;
    let mut written: Vec<Vec<Index<json::Mesh>>> = Vec::with_capacity(meshes.len());
    for meshes in &meshes {
        let of_model =
            meshes.iter().map(|source| mesh::write(&mut builder, source, &materials, None, &FrameTargets::default()));
        written.push(of_model.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect());
    }
    let mut actors = MapActors::new(map, &is_written, options.lights);
    let mut roots = Vec::new();
    let mut skewed = 0_usize;
    let drawn = |item: &&MapItem| is_written(item) && written.get(item.model as usize).is_some_and(|m| !m.is_empty());
    let mut groups =
        if options.instances { Groups::of(map, &actors, map.items.iter().filter(drawn)) } else { Groups::default() };
    for item in map.items.iter().filter(drawn) {
        let transform = transform_of(&item.world_from_model);
        if groups.take(map, &mut actors, item, &transform) {
            continue;
        }
        let meshes = written.get(item.model as usize).map(Vec::as_slice).unwrap_or_default();
        skewed += usize::from(is_skewed(&item.world_from_model, &transform));
        let name = name_of(map, item);
        let mut node = nodes::node(name, &transform);
        if let [only] = meshes {
            node.mesh = Some(*only);
        } else {
            let parts = meshes.iter().map(|mesh| {
                builder.push_node(json::Node {
                    mesh: Some(*mesh),
                    name: Some(name.to_owned()),
                    ..json::Node::default()
                })
            });
            node.children = Some(parts.collect());
        }
        actors.describe(&mut builder, item, &mut node);
        roots.push(builder.push_node(node));
    }
    roots.extend(groups.write(&mut builder, map, &written)?);
    roots.extend(actors.rest(&mut builder));
    note(&mut builder, map, options, skewed, &is_written);
    if !roots.is_empty() {
        let name = (!map.name.is_empty()).then(|| map.name.clone());
        builder.root.scenes.push(json::Scene { extensions: None, extras: None, name, nodes: roots });
        builder.root.scene = Some(Index::new(0));
    }
    container::finish(builder, options.names)
}

/// A sprite that the game shows.
fn is_seen_sprite(item: &MapItem) -> bool {
    item.kind == MapItemKind::Sprite && !item.hidden_in_game
}

fn note(builder: &mut Builder, map: &Map, options: &GlbOptions, skewed: usize, is_written: &dyn Fn(&MapItem) -> bool) {
    let (mut with_light, mut without_light, mut hidden) = (false, false, false);
    for model in &map.models {
        for basic in model.materials.iter().map(|material| material.basic()) {
            let has_light = light_of(&basic, model).is_some();
            with_light |= has_light;
            without_light |= basic.lightmap.is_some() && !has_light;
            hidden |= basic.hidden;
        }
    }
    if with_light && options.lights == LevelLights::Baked {
        builder.note("baked light is exported as vertex colours on unlit materials; the lights are omitted".to_owned());
    } else if with_light {
        builder.note(
            "light maps are exported as occlusion textures on the second UV set, because glTF has no light maps; the game \
             multiplies the texture by twice their value".to_owned(),
        );
    }
    if without_light {
        let hint = OptionNames::hint(options.names.baked_light, "exports the light");
        builder.note(format!("baked light is omitted; its texture coordinates are the second UV set{hint}"));
    }
    if hidden {
        builder.note("invisible surfaces (portals, sky, invisible walls) are omitted".to_owned());
    }
    let count = |is: &dyn Fn(&MapItem) -> bool| map.items.iter().filter(|item| is(item)).count();
    let brushes = count(&|item| item.kind == MapItemKind::Brush);
    let bare = count(&|item| item.kind == MapItemKind::Sprite && !is_written(item));
    let sprites = count(&|item| item.kind == MapItemKind::Sprite && is_written(item));
    if sprites > 0 {
        builder.note(format!(
            "{} exported facing +Z: glTF does not support sprites that always face the viewer",
            counted(sprites, "sprite")
        ));
    }
    if brushes + bare > 0 {
        builder.note(format!(
            "{} and {} exported as nodes without a mesh",
            counted(brushes, "brush"),
            counted(bare, "sprite")
        ));
    }
    if skewed > 0 {
        builder.note(format!("{} exported without the skew", counted(skewed, "skewed placement")));
    }
}

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

/// The models of which there are several, and where they stand.
#[derive(Default)]
pub struct Groups {
    by_model: BTreeMap<u32, Group>,
    /// Items whose place no instance can have.
    apart: usize,
}

/// What of a model's items is one node.
#[derive(Default)]
struct Group {
    count: usize,
    places: Places,
    names: Vec<String>,
    classes: Vec<String>,
    properties: Vec<Value>,
    sprite: Option<Value>,
}

impl Groups {
    /// Finds the models that several of the items show. What gives light, moves or is the walls stays a node of its own.
    pub fn of<'a>(map: &Map, actors: &MapActors<'_>, items: impl Iterator<Item = &'a MapItem>) -> Self {
        let mut groups = Self::default();
        for item in items.filter(|item| is_placed(item, actors)) {
            if fits(&item.world_from_model, &transform_of(&item.world_from_model)) {
                groups.by_model.entry(item.model).or_default().count += 1;
            } else {
                groups.apart += 1;
            }
        }
        groups.by_model.retain(|model, group| group.count > 1 && (*model as usize) < map.models.len());
        groups
    }

    /// Takes an item into its group; whether it has one.
    pub fn take(&mut self, map: &Map, actors: &mut MapActors<'_>, item: &MapItem, transform: &Transform) -> bool {
        if !is_placed(item, actors) || !fits(&item.world_from_model, transform) {
            return false;
        }
        let Some(group) = self.by_model.get_mut(&item.model) else { return false };
        group.places.push(transform);
        if item.kind == MapItemKind::Sprite {
            group.sprite.get_or_insert_with(|| actors.sprite(item));
        }
        let (class, properties) = actors.take(item);
        group.names.push(name_of(map, item).to_owned());
        group.classes.push(class.to_owned());
        group.properties.push(properties);
        true
    }

    /// Writes a node for each group, called as its model.
    ///
    /// # Errors
    /// When there is no room for them.
    pub fn write(
        self,
        builder: &mut Builder,
        map: &Map,
        written: &[Vec<Index<json::Mesh>>],
    ) -> Result<Vec<Index<json::Node>>, ExportError> {
        let mut nodes = Vec::with_capacity(self.by_model.len());
        for (model, group) in self.by_model {
            let Some(meshes) = written.get(model as usize) else { continue };
            let name = map.models.get(model as usize).map_or("", |model| model.name.as_str());
            let Group { places, names, classes, properties, sprite, .. } = group;
            let mut extras = json!({ "names": names, "classes": classes, "properties": properties });
            if let Some(sprite) = sprite {
                extras["sprite"] = sprite;
            }
            nodes.push(places.write(builder, if name.is_empty() { "instances" } else { name }, meshes, &extras)?);
        }
        if self.apart > 0 {
            builder.note(format!(
                "{} exported as nodes, not instances",
                counted(self.apart, "mirrored or skewed placement")
            ));
        }
        Ok(nodes)
    }
}

fn is_placed(item: &MapItem, actors: &MapActors<'_>) -> bool {
    matches!(item.kind, MapItemKind::Mesh | MapItemKind::Sprite) && !actors.is_light(item)
}

/// Sample points along each side of a triangle.
const SAMPLES: u8 = 4;

/// Puts the light maps of `whole` into the vertex colours of `meshes`, and makes all materials unlit. Each vertex gets the light of the
/// triangles around it, weighted by its share of each point, so that the mean over a surface stays the light map's.
fn bake(whole: &mut Model, meshes: &mut [Vec<Mesh>]) {
    for mesh in meshes.iter_mut().flatten() {
        if let Some(colors) = colors(whole, mesh) {
            mesh.colors = colors;
        }
    }
    for material in &mut whole.materials {
        if let MaterialKind::Basic(basic) = &mut material.kind {
            (basic.lightmap, basic.unlit) = (None, true);
        }
    }
}

/// The vertex colours of a mesh with its light. `None` if none of its surfaces has a light map.
fn colors(whole: &Model, mesh: &Mesh) -> Option<Vec<[u8; 4]>> {
    let count = mesh.vertex_points.len();
    let mut light = vec![(Vec3::ZERO, 0.0_f32); count];
    for surface in &mesh.surfaces {
        let material = whole.materials.get(surface.material as usize).map(|material| &material.kind);
        let Some(MaterialKind::Basic(basic)) = material else { continue };
        let Some(image) = basic.lightmap.and_then(|image| whole.images.get(image as usize)) else { continue };
        let range =
            surface.first_index as usize..(surface.first_index as usize).saturating_add(surface.index_count as usize);
        let Some(indices) = mesh.indices.get(range) else { continue };
        for triangle in indices.as_chunks::<3>().0 {
            gather(mesh, image, triangle.map(|index| index as usize), &mut light);
        }
    }
    if light.iter().all(|(_, weight)| *weight == 0.0) {
        return None;
    }
    let own = |vertex: usize| mesh.colors.get(vertex).copied().unwrap_or([255; 4]);
    let color = |(vertex, (sum, weight)): (usize, &(Vec3, f32))| match *weight > 0.0 {
        // A surface's colour is its texture times twice the light, held below one.
        true => {
            let [r, g, b] = (*sum / *weight * 2.0).to_array().map(|part| part.clamp(0.0, 255.0).round() as u8);
            [r, g, b, own(vertex)[3]]
        }
        false => own(vertex),
    };
    Some(light.iter().enumerate().map(color).collect())
}

/// Adds the light of a triangle to its vertices, each with its weight.
fn gather(mesh: &Mesh, image: &Image, triangle: [usize; 3], light: &mut [(Vec3, f32)]) {
    let point = |vertex: usize| mesh.points.get(*mesh.vertex_points.get(vertex)? as usize).copied();
    let place = |vertex: usize| mesh.uv_sets.get(1)?.get(vertex).copied();
    let [Some(a), Some(b), Some(c)] = triangle.map(point) else { return };
    let [Some(at_a), Some(at_b), Some(at_c)] = triangle.map(place) else { return };
    let area = (b - a).cross(c - a).length();
    if !area.is_finite() || area == 0.0 {
        return;
    }
    for row in 0..SAMPLES {
        for column in 0..SAMPLES - row {
            let share = |number: u8| (f32::from(number) + 1.0 / 3.0) / f32::from(SAMPLES);
            let shares = [row, column, SAMPLES - 1 - row - column].map(share);
            let texel = texel(image, at_a * shares[0] + at_b * shares[1] + at_c * shares[2]);
            for (vertex, share) in triangle.into_iter().zip(shares) {
                if let Some((sum, weight)) = light.get_mut(vertex) {
                    *sum += texel * share * area;
                    *weight += share * area;
                }
            }
        }
    }
}

/// The texel at a place of the picture, of 255.
fn texel(image: &Image, at: Vec2) -> Vec3 {
    let along = |at: f32, size: u32| ((at * size as f32).max(0.0) as u32).min(size.saturating_sub(1)) as usize;
    let index = along(at.y, image.height) * image.width as usize + along(at.x, image.width);
    let texel = image.rgba.as_chunks::<4>().0.get(index).copied().unwrap_or([128; 4]);
    Vec3::new(f32::from(texel[0]), f32::from(texel[1]), f32::from(texel[2]))
}
