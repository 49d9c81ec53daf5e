//! The appearance of a level's actors: movers with their keys, meshes, sprites, coronas, outlines of brushes, starts
//! (formats/unreal.md §9.4).

use super::{
    actor::{Actor, DrawType},
    brush, material,
    model::whole_model,
    placed, polygons, space, sprite,
    to_scene::Build,
    zones::Speeds,
};
use crate::{
    formats::unreal::{object::Fault, package::Found, poly_flags},
    scene::{self, Blend, Image, MapItem, MapItemKind, MapMover, MapStart, MapSurface, MoverKey, SourceEntry},
};
use glam::{Affine3A, Mat3A, Vec2, Vec3, Vec3A};
use std::sync::Arc;

/// Height of a walker's eyes above the middle of a PlayerStart.
const EYE_HEIGHT: f32 = 39.0;

/// Side of a corona's square, a unit away from who sees it: what looks right, since its size in the game is not known.
const CORONA_SIZE: f32 = 0.1;

impl Build<'_, '_> {
    pub fn place_actors(&mut self) {
        let actors = std::mem::take(&mut self.actors);
        let speeds = Speeds::of(&self.map.zones, &actors);
        for (number, actor) in actors.iter().enumerate() {
            if self.cx.cancelled() {
                break;
            }
            let number = number as u32;
            if actor.is_brush() {
                self.place_brush(actor, number, &speeds);
            } else if let Some(location) = actor.location() {
                let is_mesh = actor.draw_type() == DrawType::Mesh;
                if !is_mesh || !self.place_mesh(actor, number, location) {
                    self.place_sprite(actor, number, location);
                }
                self.place_corona(actor, number, location);
                if actor.is_a("PlayerStart") {
                    let [_, yaw, _] = actor.rotation();
                    let location = space::point(location) + Vec3::Y * EYE_HEIGHT;
                    self.map.starts.push(MapStart { location, yaw: space::scene_yaw(yaw) });
                }
            }
        }
        self.actors = actors;
    }

    fn place_brush(&mut self, actor: &Actor, number: u32, speeds: &Speeds) {
        let mover = if actor.is_mover() { mover(actor, number) } else { None };
        let world_from_brush = match &mover {
            Some(mover) => Some(mover.world_from_model(mover.start as f32)),
            None if actor.is_mover() => None,
            None => actor.world_from_brush(),
        };
        let Some(world_from_brush) = world_from_brush else {
            self.faults.push(Fault::new(0, format!("the position of {} is not finite", actor.name())));
            return;
        };
        let Some(found) = actor.found("Brush").filter(|_| !self.brushes.is_spent()) else { return };
        let source = self.source_of(number);
        let mut faults = Vec::new();
        let model = match whole_model(&found.package, found.export, &mut |fault| faults.push(fault)) {
            Ok(model) => model,
            Err(fault) => {
                self.faults.push(fault);
                return;
            }
        };
        if !self.brushes.take(&found.package, found.export, &model) {
            let message = format!(
                "the brushes of {} and of all later actors are skipped: too many actors share large brushes",
                actor.name()
            );
            self.faults.push(Fault::new(0, message));
            return;
        }
        if let Some(mover) = mover {
            let pieces = self.polygons_of_mover(&found, &model, number, speeds, &mut faults);
            self.place_mover(polygons::model(actor.name(), &pieces), mover, source);
        }
        if let Some(polys) = brush::polys_of_model(&found.package, &model, &mut |fault| faults.push(fault)) {
            let outline = brush::outline(actor.name(), &polys, outline_color(actor));
            self.place(outline, world_from_brush, MapItemKind::Brush, source, Some(number));
        }
        self.faults.append(&mut faults);
    }

    /// The polygons of a mover's brush, each a surface of its own.
    fn polygons_of_mover(
        &mut self,
        found: &Found,
        model: &super::model::Model,
        number: u32,
        speeds: &Speeds,
        faults: &mut Vec<Fault>,
    ) -> Vec<polygons::Polygon> {
        let (textures, cx) = (&mut self.textures, &mut *self.cx);
        let texture = |object| textures.find(&found.package, object, cx);
        let mut polygons = brush::polygons_of_model(&found.package, model, texture, &mut |fault| faults.push(fault));
        let zone = self.map.actors.get(number as usize).map_or(0, |actor| actor.zone);
        let first = self.map.surfaces.len() as u32;
        for (index, polygon) in polygons.iter_mut().enumerate() {
            self.map.surfaces.push(MapSurface {
                number: polygon.source,
                texture: polygon.texture.name.clone(),
                texture_source: polygon.texture.entry,
                texture_path: polygon.texture.path.clone(),
                brush: Some(number),
                traits: material::traits(polygon.flags),
                zone,
            });
            polygon.source = first.saturating_add(index as u32);
            // A mover shows its own picture, not the sky: only walls of the level are windows.
            polygon.flags &= !poly_flags::FAKE_BACKDROP;
            polygon.motion = material::motion(polygon.flags, speeds.of_zone(zone), polygon.texture.size);
        }
        polygons
    }

    fn place_mover(&mut self, model: scene::Model, mover: MapMover, source: SourceEntry) {
        let (item, world) = (self.map.items.len() as u32, mover.world_from_model(mover.start as f32));
        if self.place(model, world, MapItemKind::Mover, source, Some(mover.actor)) {
            self.map.movers.push(MapMover { item, ..mover });
        }
    }

    /// Whether the actor's mesh was found.
    fn place_mesh(&mut self, actor: &Actor, number: u32, location: [f32; 3]) -> bool {
        let models = &mut self.map.models;
        let found = self.meshes.find(actor, models, &mut self.textures, self.cx);
        let (Some(model), Some(world_from_model)) = (found, placed::world_from_mesh(actor, location)) else {
            return false;
        };
        let (source, sky) = (self.source_of(number), self.sky_of_actor(number));
        let (kind, actor) = (MapItemKind::Mesh, Some(number));
        self.map.items.push(MapItem { model, world_from_model, kind, source, actor, hidden_in_game: false, sky });
        true
    }

    /// An actor's picture, or a marker in place of a picture or a mesh that is not there.
    fn place_sprite(&mut self, actor: &Actor, number: u32, location: [f32; 3]) {
        // Cameras are where the editor's own windows looked from.
        if actor.draw_type() != DrawType::Sprite || actor.is_a("Camera") {
            return;
        }
        let own = actor.object("Texture").map(|(package, object)| self.textures.find(&package, object, self.cx));
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
        let model = self.square(image, size * actor.draw_scale(), blend);
        self.map.items.push(MapItem {
            model,
            world_from_model: Affine3A::from_translation(space::point(location)),
            kind: MapItemKind::Sprite,
            source: self.source_of(number),
            actor: Some(number),
            hidden_in_game,
            sky: self.sky_of_actor(number),
        });
    }

    /// The glow around a light that has one and a picture for it.
    fn place_corona(&mut self, actor: &Actor, number: u32, location: [f32; 3]) {
        if actor.bool("bCorona") != Some(true) {
            return;
        }
        let Some((package, skin)) = actor.object("Skin") else { return };
        let texture = self.textures.find(&package, skin, self.cx);
        let Some(image) = texture.image.clone().filter(|_| texture.found) else { return };
        let model = self.square(image, Vec2::splat(CORONA_SIZE * actor.draw_scale()), Blend::Translucent);
        self.map.items.push(MapItem {
            model,
            world_from_model: Affine3A::from_translation(space::point(location)),
            kind: MapItemKind::Corona,
            source: self.source_of(number),
            actor: Some(number),
            hidden_in_game: false,
            sky: self.sky_of_actor(number),
        });
    }

    /// The place in the models of a square with a picture, each of which is made once.
    fn square(&mut self, image: Arc<Image>, size: Vec2, blend: Blend) -> u32 {
        let key = (Arc::as_ptr(&image) as usize, size.to_array().map(f32::to_bits), blend);
        let models = &mut self.map.models;
        *self.sprites.entry(key).or_insert_with(|| {
            models.push(Arc::new(sprite::square(image, size, blend)));
            models.len().saturating_sub(1) as u32
        })
    }

    /// What an actor is read from.
    fn source_of(&self, number: u32) -> SourceEntry {
        self.map.actors.get(number as usize).map_or(SourceEntry::FILE, |a| a.source)
    }

    /// The sky in whose room an actor stands.
    fn sky_of_actor(&self, number: u32) -> Option<u32> {
        self.sky_of_zone(self.map.actors.get(number as usize)?.zone)
    }

    /// Whether there was anything to place.
    pub fn place(
        &mut self,
        model: scene::Model,
        world_from_model: Affine3A,
        kind: MapItemKind,
        source: SourceEntry,
        actor: Option<u32>,
    ) -> bool {
        if model.meshes.is_empty() {
            return false;
        }
        let index = self.map.models.len() as u32;
        self.map.models.push(Arc::new(model));
        let (model, hidden_in_game, sky) = (index, false, actor.and_then(|actor| self.sky_of_actor(actor)));
        self.map.items.push(MapItem { model, world_from_model, kind, source, actor, hidden_in_game, sky });
        true
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

/// What the class Mover has, for movers that lie without it.
const NUM_KEYS: i32 = 2;
const MOVE_TIME: f32 = 1.0;
const GLIDE_BY_TIME: i32 = 1;
/// Keys of a mover: 8 in the games seen, 24 in patched ones.
const MAX_KEYS: i32 = 24;

/// The way of a mover, whose item is still to be set; `None` when it has no finite place.
fn mover(actor: &Actor, number: u32) -> Option<MapMover> {
    let start = actor.int("KeyNum").unwrap_or(0).clamp(0, MAX_KEYS.saturating_sub(1));
    let count = actor.int("NumKeys").unwrap_or(NUM_KEYS).clamp(start.saturating_add(1), MAX_KEYS);
    let place = |index: i32| Vec3::from(actor.vector_at("KeyPos", index as u32).unwrap_or_default());
    let turn = |index: i32| actor.rotator_at("KeyRot", index as u32).unwrap_or_default();
    // What it says of its base; else it stands at its start now.
    let base = actor.vector("BasePos").map(Vec3::from).filter(|base| base.is_finite());
    let base = base.unwrap_or_else(|| Vec3::from(actor.own.vector("Location").unwrap_or_default()) - place(start));
    let base_turn = actor.rotator_at("BaseRot", 0).unwrap_or_else(|| {
        let [now, key] = [actor.rotation(), turn(start)];
        [0, 1, 2].map(|axis| part(now, axis).wrapping_sub(part(key, axis)))
    });
    let key = |index: i32| {
        let offset = place(index);
        let location = base + if offset.is_finite() { offset } else { Vec3::ZERO };
        let turn = turn(index);
        MoverKey {
            location: space::point(location.to_array()),
            // Whole turns of the base say nothing, those between keys do.
            turn: [0, 1, 2].map(|axis| space::turns(part(base_turn, axis) & 0xFFFF) + space::turns(part(turn, axis))),
        }
    };
    let scale = |name: &str| actor.own.members(name).map_or(Mat3A::IDENTITY, space::scale);
    let swap = space::scene_from_unreal();
    let main = swap * scale("MainScale") * swap;
    let pivot = actor.own.vector("PrePivot").unwrap_or_default();
    let mover = MapMover {
        item: 0,
        actor: number,
        keys: (0..count).map(key).collect(),
        start: start.unsigned_abs(),
        seconds: actor.float("MoveTime").unwrap_or(MOVE_TIME).max(0.0),
        glides: actor.int("MoverGlideType").unwrap_or(GLIDE_BY_TIME) == GLIDE_BY_TIME,
        after_turn: swap * scale("PostScale") * swap,
        before_turn: Affine3A { matrix3: main, translation: -(main * Vec3A::from(space::point(pivot))) },
    };
    let is_sound = (0..mover.keys.len()).all(|key| mover.world_from_model(key as f32).is_finite());
    is_sound.then_some(mover)
}

fn part(rotator: [i32; 3], axis: usize) -> i32 {
    rotator.get(axis).copied().unwrap_or(0)
}
