//! A level as a scene map (formats/unreal.md §9).

use super::{
    actor::{Actor, Classes, DrawType},
    brush, bsp, card,
    faults::report_faults,
    level::Level,
    light::{self, Light},
    material,
    model::{Model, whole_model},
    placed::{self, Meshes},
    polygons, space, sprite,
    textures::Textures,
};
use crate::{
    formats::{
        LoadContext,
        file_name::stem,
        unreal::{
            codes,
            object::{Fault, entry_of},
            package::Package,
            poly_flags,
            tables::{ObjectRef, Pointee},
        },
    },
    scene::{Blend, Map, MapActor, MapItem, MapItemKind, MapStart, MapSurface, SourceEntry},
};
use glam::{Affine3A, Vec2, Vec3};
use std::{collections::HashMap, sync::Arc};

/// Height of a walker's eyes above the middle of a PlayerStart.
const EYE_HEIGHT: f32 = 39.0;

/// What a level is called: its file, since the object itself is “MyLevel” in all of them.
fn level_name(package: &Package, file: &str) -> String {
    let stem = stem(file);
    if stem.is_empty() { package.stem.clone() } else { stem.to_owned() }
}

/// What a level is built from.
struct Build<'a, 'b> {
    package: &'a Arc<Package>,
    cx: &'a mut LoadContext<'b>,
    map: Map,
    actors: Vec<Actor>,
    /// Place in [`Map::actors`] of an export.
    numbers: HashMap<usize, u32>,
    textures: Textures,
    meshes: Meshes,
    faults: Vec<Fault>,
    /// Of sprites: by picture and size.
    sprites: HashMap<(usize, [u32; 2], Blend), u32>,
    markers: HashMap<sprite::Marker, Arc<crate::scene::Image>>,
    brushes: brush::Allowance,
}

/// Builds the map of the level that is `export`.
pub fn map(package: &Arc<Package>, export: usize, level: &Level, cx: &mut LoadContext<'_>) -> Map {
    let name = level_name(package, cx.file);
    let mut build = Build {
        package,
        cx,
        map: Map { name, file_from_scene: space::file_from_scene(), ..Map::default() },
        actors: Vec::new(),
        numbers: HashMap::new(),
        textures: Textures::default(),
        meshes: Meshes::default(),
        faults: Vec::new(),
        sprites: HashMap::new(),
        markers: HashMap::new(),
        brushes: brush::Allowance::of(package),
    };
    build.read_actors(level);
    let model = build.read_model(level);
    build.world(level, &model);
    if !build.cx.cancelled() {
        build.place_actors();
    }
    let info = build.actors.iter().find(|actor| actor.is_a("LevelInfo"));
    build.map.card = card::card(package, info, &model, &mut build.textures, build.cx);
    build.map.missing = build.textures.missing();
    report_faults(package, export, build.faults, build.cx);
    build.map
}

impl Build<'_, '_> {
    /// The actors, each once, in the level's order. Empty places are where actors were deleted.
    fn read_actors(&mut self, level: &Level) {
        let mut classes = Classes::default();
        for object in &level.actors {
            let Pointee::Export(export) = object.pointee() else { continue };
            let Some(entry) = entry_of(self.package, export).filter(|_| !self.numbers.contains_key(&export)) else {
                continue;
            };
            match Actor::read(self.package, export, &mut classes) {
                Ok(actor) => {
                    self.numbers.insert(export, self.map.actors.len() as u32);
                    self.map.actors.push(MapActor {
                        name: actor.name().to_owned(),
                        class: actor.class_name().to_owned(),
                        location: space::point(actor.location().unwrap_or_default()),
                        rotation: space::scene_rotation(actor.rotation()),
                        properties: actor.stated(),
                        source: entry.into(),
                        ..MapActor::default()
                    });
                    self.map.lights.extend(light::of_actor(self.actors.len() as u32, &actor));
                    self.actors.push(actor);
                }
                Err(fault) => self.faults.push(fault),
            }
        }
    }

    fn read_model(&mut self, level: &Level) -> Model {
        let Some(found) = self.package.resolve(level.model) else {
            self.faults.push(Fault { offset: 0, message: "the level has no model: its walls are missing".to_owned() });
            return Model::default();
        };
        let result = whole_model(&found.package, found.export, &mut |fault| self.faults.push(fault));
        result.unwrap_or_else(|fault| {
            self.faults.push(fault);
            Model::default()
        })
    }

    /// The walls.
    fn world(&mut self, level: &Level, model: &Model) {
        let lighting = self.lighting(model);
        let mut skipped = bsp::Skipped::default();
        let (package, textures, cx) = (self.package, &mut self.textures, &mut *self.cx);
        let polygons =
            bsp::polygons(model, |object| textures.find(package, object, package, cx), &lighting, &mut skipped);
        self.report_skipped(level, skipped);
        self.map.surfaces = vec![MapSurface::default(); model.surfs.len()];
        let brush_of = |object: ObjectRef| match object.pointee() {
            Pointee::Export(export) => self.numbers.get(&export).copied(),
            _ => None,
        };
        for (number, (surface, surf)) in self.map.surfaces.iter_mut().zip(&model.surfs).enumerate() {
            let texture = self.textures.find(self.package, surf.texture, self.package, self.cx);
            *surface = MapSurface {
                number: number as u32,
                texture: texture.name.clone(),
                texture_source: texture.entry,
                texture_path: String::new(),
                brush: brush_of(surf.brush),
                traits: material::traits(surf.flags),
                zone: 0,
            };
        }
        for polygon in &polygons {
            if let Some(surface) = self.map.surfaces.get_mut(polygon.source as usize) {
                surface.zone = polygon.zone;
            }
        }
        let entry = match level.model.pointee() {
            Pointee::Export(export) => entry_of(self.package, export).map_or(SourceEntry::FILE, SourceEntry::from),
            _ => SourceEntry::FILE,
        };
        self.place(
            polygons::model(&self.map.name.clone(), &polygons),
            Affine3A::IDENTITY,
            MapItemKind::World,
            entry,
            None,
        );
    }

    /// The light on the walls.
    fn lighting(&self, model: &Model) -> bsp::Lighting {
        let actor = |object: ObjectRef| match object.pointee() {
            Pointee::Export(export) => self.numbers.get(&export).and_then(|n| self.actors.get(*n as usize)),
            _ => None,
        };
        let light = |object: ObjectRef| {
            let actor = actor(object)?;
            Light::of(&|name| actor.int(name), &actor.own)
        };
        let info = self.actors.iter().find(|actor| actor.is_a("LevelInfo"));
        let ambient = |zone: u8| {
            let own = model.zones.get(usize::from(zone)).and_then(|zone| actor(zone.actor));
            let Some(zone) = own.or(info) else { return Vec3::ZERO };
            let byte = |name: &str, otherwise: i32| zone.int(name).unwrap_or(otherwise).clamp(0, 255) as u8;
            light::color(byte("AmbientHue", 0), byte("AmbientSaturation", 255), byte("AmbientBrightness", 0))
        };
        bsp::Lighting::of(model, !self.cx.options.without_light, &light, &ambient)
    }

    fn report_skipped(&mut self, level: &Level, skipped: bsp::Skipped) {
        let entry = match level.model.pointee() {
            Pointee::Export(export) => entry_of(self.package, export),
            _ => None,
        };
        let first = skipped.first_node.unwrap_or(0);
        if skipped.nodes > 0 {
            let message = format!(
                "{} nodes refer to surfaces, vertices or points that do not exist and are left out; the first is node {first}",
                skipped.nodes
            );
            self.cx.diagnostics.report(&codes::BAD_MAP_INDEX, entry, None, message);
        }
        if skipped.not_finite > 0 {
            let message = format!(
                "{} nodes have points that are not finite and are left out; the first bad node is {first}",
                skipped.not_finite
            );
            self.cx.diagnostics.report(&codes::NOT_FINITE, entry, None, message);
        }
    }

    /// What actors look like: movers, sprites, outlines of brushes, starts.
    fn place_actors(&mut self) {
        let actors = std::mem::take(&mut self.actors);
        for (number, actor) in actors.iter().enumerate() {
            if self.cx.cancelled() {
                break;
            }
            let number = number as u32;
            if actor.is_brush() {
                self.place_brush(actor, number);
            } else if let Some(location) = actor.location() {
                let is_mesh = actor.draw_type() == DrawType::Mesh;
                if !is_mesh || !self.place_mesh(actor, number, location) {
                    self.place_sprite(actor, number, location);
                }
                if actor.is_a("PlayerStart") {
                    let [_, yaw, _] = actor.rotation();
                    let location = space::point(location) + Vec3::Y * EYE_HEIGHT;
                    self.map.starts.push(MapStart { location, yaw: space::scene_yaw(yaw) });
                }
            }
        }
        self.actors = actors;
    }

    fn place_brush(&mut self, actor: &Actor, number: u32) {
        let Some(world_from_brush) = actor.world_from_brush() else {
            self.faults.push(Fault { offset: 0, message: format!("{} has no finite place", actor.name()) });
            return;
        };
        let Some(found) = actor.found("Brush").filter(|_| !self.brushes.is_spent()) else { return };
        let source = self.map.actors.get(number as usize).map_or(SourceEntry::FILE, |a| a.source);
        let mut faults = Vec::new();
        let model = match whole_model(&found.package, found.export, &mut |fault| faults.push(fault)) {
            Ok(model) => model,
            Err(fault) => {
                self.faults.push(fault);
                return;
            }
        };
        if !self.brushes.take(&found.package, found.export, &model) {
            let message =
                format!("{} and actors after it share large brushes too often: they are left out", actor.name());
            self.faults.push(Fault { offset: 0, message });
            return;
        }
        if actor.is_mover() {
            let (textures, root, cx) = (&mut self.textures, self.package, &mut *self.cx);
            let texture = |object| textures.find(&found.package, object, root, cx);
            let mut polygons =
                brush::polygons_of_model(&found.package, &model, texture, &mut |fault| faults.push(fault));
            let first = self.map.surfaces.len() as u32;
            for (index, polygon) in polygons.iter_mut().enumerate() {
                self.map.surfaces.push(MapSurface {
                    number: polygon.source,
                    texture: polygon.texture.name.clone(),
                    texture_source: polygon.texture.entry,
                    texture_path: String::new(),
                    brush: Some(number),
                    traits: material::traits(polygon.flags),
                    zone: 0,
                });
                polygon.source = first.saturating_add(index as u32);
            }
            self.place(
                polygons::model(actor.name(), &polygons),
                world_from_brush,
                MapItemKind::Mover,
                source,
                Some(number),
            );
        }
        if let Some(polys) = brush::polys_of_model(&found.package, &model, &mut |fault| faults.push(fault)) {
            let outline = brush::outline(actor.name(), &polys, outline_color(actor));
            self.place(outline, world_from_brush, MapItemKind::Brush, source, Some(number));
        }
        self.faults.append(&mut faults);
    }

    /// Whether the actor's mesh was found.
    fn place_mesh(&mut self, actor: &Actor, number: u32, location: [f32; 3]) -> bool {
        let models = &mut self.map.models;
        let found = self.meshes.find(actor, models, &mut self.textures, self.package, self.cx);
        let (Some(model), Some(world_from_model)) = (found, placed::world_from_mesh(actor, location)) else {
            return false;
        };
        let source = self.map.actors.get(number as usize).map_or(SourceEntry::FILE, |a| a.source);
        let (kind, actor) = (MapItemKind::Mesh, Some(number));
        self.map.items.push(MapItem { model, world_from_model, kind, source, actor, hidden_in_game: false, sky: None });
        true
    }

    /// An actor's picture, or a marker in place of a picture or a mesh that is not there.
    fn place_sprite(&mut self, actor: &Actor, number: u32, location: [f32; 3]) {
        // Cameras are where the editor's own windows looked from.
        if actor.draw_type() != DrawType::Sprite || actor.is_a("Camera") {
            return;
        }
        let own = actor
            .object("Texture")
            .map(|(package, object)| self.textures.find(&package, object, self.package, self.cx));
        let own = own.filter(|texture| texture.found);
        let hidden_in_game = own.is_none() || actor.is_hidden();
        let (image, size) = match own.and_then(|texture| Some((texture.image.clone()?, Vec2::from(texture.size)))) {
            Some(own) => own,
            None => {
                let marker = sprite::marker(actor);
                let image = self.markers.entry(marker).or_insert_with(|| Arc::new(marker.image()));
                (image.clone(), sprite::marker_size())
            }
        };
        let blend = match actor.int("Style") {
            Some(3) => Blend::Translucent,
            Some(4) => Blend::Modulated,
            _ => Blend::Masked,
        };
        let size = size * actor.draw_scale();
        let key = (Arc::as_ptr(&image) as usize, size.to_array().map(f32::to_bits), blend);
        let models = &mut self.map.models;
        let model = *self.sprites.entry(key).or_insert_with(|| {
            models.push(Arc::new(sprite::square(image, size, blend)));
            models.len().saturating_sub(1) as u32
        });
        let source = self.map.actors.get(number as usize).map_or(SourceEntry::FILE, |a| a.source);
        self.map.items.push(MapItem {
            model,
            world_from_model: Affine3A::from_translation(space::point(location)),
            kind: MapItemKind::Sprite,
            source,
            actor: Some(number),
            hidden_in_game,
            sky: None,
        });
    }

    fn place(
        &mut self,
        model: crate::scene::Model,
        world_from_model: Affine3A,
        kind: MapItemKind,
        source: SourceEntry,
        actor: Option<u32>,
    ) {
        if model.meshes.is_empty() {
            return;
        }
        let index = self.map.models.len() as u32;
        self.map.models.push(Arc::new(model));
        self.map.items.push(MapItem {
            model: index,
            world_from_model,
            kind,
            source,
            actor,
            hidden_in_game: false,
            sky: None,
        });
    }
}

/// The colour that the editor draws a brush in, by what it does to the space around it.
fn outline_color(actor: &Actor) -> [u8; 4] {
    const SEMISOLID: i32 = 0x20;
    const NOT_SOLID: i32 = 0x8;
    let flags = actor.int("PolyFlags").unwrap_or(0);
    if actor.is_mover() {
        return [220, 90, 220, 255];
    }
    match actor.int("CsgOper").unwrap_or(0) {
        1 if flags & (poly_flags::PORTAL as i32) != 0 => [90, 200, 120, 255],
        1 if flags & NOT_SOLID != 0 => [110, 200, 70, 255],
        1 if flags & SEMISOLID != 0 => [235, 150, 170, 255],
        1 => [110, 130, 255, 255],
        2 => [245, 190, 80, 255],
        0 => [235, 70, 70, 255],
        _ => [170, 170, 170, 255],
    }
}
