//! A level as a scene map (formats/unreal.md §9).

use super::{
    actor::{Actor, Classes},
    brush,
    faults::report_faults,
    level::{self, Level},
    light, links,
    model::{Model, whole_model},
    placed::Meshes,
    space, sprite,
    textures::Textures,
    zones::{self, Parted},
};
use crate::{
    formats::{
        LoadContext,
        file_name::stem,
        unreal::{
            object::{Fault, entry_of},
            package::Package,
            tables::Pointee,
        },
    },
    scene::{Blend, Image, Map, MapActor},
};
use std::{collections::HashMap, sync::Arc};

/// What a level is called: its file, since the object itself is “MyLevel” in all of them.
fn level_name(package: &Package, file: &str) -> String {
    let stem = stem(file);
    if stem.is_empty() { package.stem.clone() } else { stem.to_owned() }
}

/// What a level is built from.
pub struct Build<'a, 'b> {
    pub package: &'a Arc<Package>,
    pub cx: &'a mut LoadContext<'b>,
    pub map: Map,
    pub actors: Vec<Actor>,
    /// Place in [`Map::actors`] of an export.
    pub numbers: HashMap<usize, u32>,
    pub textures: Textures,
    pub meshes: Meshes,
    pub faults: Vec<Fault>,
    /// Of sprites: by picture and size.
    pub sprites: HashMap<(usize, [u32; 2], Blend), u32>,
    pub markers: HashMap<sprite::Marker, Arc<Image>>,
    pub brushes: brush::Allowance,
}

/// Builds the map of the level that is `export`.
pub fn map(package: &Arc<Package>, export: usize, level: &Level, cx: &mut LoadContext<'_>) -> Map {
    let name = level_name(package, cx.file);
    let textures = Textures::of_level(package, cx);
    let mut build = Build {
        package,
        cx,
        map: Map { name, file_from_scene: space::file_from_scene(), ..Map::default() },
        actors: Vec::new(),
        numbers: HashMap::new(),
        textures,
        meshes: Meshes::default(),
        faults: Vec::new(),
        sprites: HashMap::new(),
        markers: HashMap::new(),
        brushes: brush::Allowance::of(package),
    };
    let model = build.read_model(level);
    let mut parted = Parted::of(&model);
    build.read_actors(level, &mut parted);
    build.divide(&model, parted);
    links::link(&build.actors, &mut build.map.actors, &build.numbers);
    build.map.paths = links::paths(level, &build.numbers);
    build.world(level, &model);
    if !build.cx.cancelled() {
        build.place_actors();
    }
    let info = build.actors.iter().find(|actor| actor.is_a("LevelInfo"));
    build.map.card = level::card(package, info, &model, &mut build.textures, build.cx);
    build.map.live = build.textures.take_live();
    build.map.missing = build.textures.missing();
    build.textures.report(package, export, build.cx);
    report_faults(package, export, build.faults, build.cx);
    build.map
}

impl Build<'_, '_> {
    /// The actors, each once, in the level's order. Empty places are where actors were deleted.
    fn read_actors(&mut self, level: &Level, parted: &mut Parted) {
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
                        bases: actor.bases(),
                        tag: actor.text("Tag").unwrap_or_else(|| actor.class_name().to_owned()),
                        event: actor.text("Event").unwrap_or_default(),
                        zone: parted.zone_of(&actor),
                        collision: actor.collision(),
                        sound_radius: actor.sound_radius(),
                        next: Vec::new(),
                    });
                    self.map.lights.extend(light::of_actor(self.actors.len() as u32, &actor));
                    self.actors.push(actor);
                }
                Err(fault) => self.faults.push(fault),
            }
        }
    }

    /// Zones and skies.
    fn divide(&mut self, model: &Model, parted: Parted) {
        self.map.skies = zones::skies(&self.actors, &self.map.actors);
        self.map.zones = zones::zones(model, &self.map.skies, &self.actors, &self.numbers);
        self.map.tree = parted.tree;
    }

    fn read_model(&mut self, level: &Level) -> Model {
        let Some(found) = self.package.resolve(level.model) else {
            let message = "the model of the level was not found: the walls are missing".to_owned();
            self.faults.push(Fault::new(0, message));
            return Model::default();
        };
        let result = whole_model(&found.package, found.export, &mut |fault| self.faults.push(fault));
        result.unwrap_or_else(|fault| {
            self.faults.push(fault);
            Model::default()
        })
    }

    /// The sky whose room a zone is.
    pub fn sky_of_zone(&self, zone: u8) -> Option<u32> {
        let sky = self.map.skies.iter().position(|sky| sky.zone == zone)?;
        u32::try_from(sky).ok()
    }
}
