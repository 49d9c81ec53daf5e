//! The walls of a level (formats/unreal.md §9.2, §16.3, §16.4).

use super::{
    bsp,
    level::Level,
    light::{self, Light},
    material,
    model::Model,
    polygons::{self, Polygon},
    to_scene::Build,
    windows::Windows,
    zones::{Speeds, number_of},
};
use crate::{
    bytes::numbers::counted,
    formats::unreal::{
        codes,
        object::entry_of,
        tables::{ObjectRef, Pointee},
    },
    scene::{MapItemKind, MapSurface, SourceEntry},
};
use glam::{Affine3A, Vec2, Vec3};
use std::collections::HashMap;

impl Build<'_, '_> {
    /// The walls.
    pub fn world(&mut self, level: &Level, model: &Model) {
        let lighting = self.lighting(model);
        let mut skipped = bsp::Skipped::default();
        let (package, textures, cx) = (self.package, &mut self.textures, &mut *self.cx);
        let mut polygons = bsp::polygons(model, |object| textures.find(package, object, cx), &lighting, &mut skipped);
        self.report_skipped(level, skipped);
        self.surfaces(model, &polygons);
        self.set_in_motion(&mut polygons);
        let mut windows = Windows::of(&self.actors, &self.map.actors, &polygons);
        for polygon in &mut polygons {
            windows.apply(polygon, &self.map.zones);
        }
        self.map.windows = windows.list;
        let source = match level.model.pointee() {
            Pointee::Export(export) => entry_of(self.package, export).map_or(SourceEntry::FILE, SourceEntry::from),
            _ => SourceEntry::FILE,
        };
        let name = self.map.name.clone();
        // Each sky is an item of its own.
        let mut rooms: Vec<Vec<Polygon>> = vec![Vec::new(); self.map.skies.len()];
        let mut level = Vec::with_capacity(polygons.len());
        for polygon in polygons {
            let room = self.sky_of_zone(polygon.zone).and_then(|sky| rooms.get_mut(sky as usize));
            room.unwrap_or(&mut level).push(polygon);
        }
        self.place(polygons::model(&name, &level), Affine3A::IDENTITY, MapItemKind::World, source, None);
        for (sky, room) in (0_u32..).zip(&rooms) {
            let room = polygons::model(&format!("{name} sky"), room);
            if self.place(room, Affine3A::IDENTITY, MapItemKind::World, source, None)
                && let Some(item) = self.map.items.last_mut()
            {
                item.sky = Some(sky);
            }
        }
    }

    /// What the model lists as surfaces.
    fn surfaces(&mut self, model: &Model, polygons: &[Polygon]) {
        self.map.surfaces = Vec::with_capacity(model.surfs.len());
        for (number, surf) in (0_u32..).zip(&model.surfs) {
            let texture = self.textures.find(self.package, surf.texture, self.cx);
            self.map.surfaces.push(MapSurface {
                number,
                texture: texture.name.clone(),
                texture_source: texture.entry,
                texture_path: texture.path.clone(),
                brush: number_of(&self.numbers, surf.brush),
                traits: material::traits(surf.flags | texture.flags),
                zone: 0,
            });
        }
        for polygon in polygons {
            if let Some(surface) = self.map.surfaces.get_mut(polygon.source as usize) {
                surface.zone = polygon.zone;
            }
        }
    }

    /// A surface pans at the speed of the first zone that one of its polygons lies in and that states one.
    fn set_in_motion(&self, polygons: &mut [Polygon]) {
        let speeds = Speeds::of(&self.map.zones, &self.actors);
        let mut stated: HashMap<u32, Vec2> = HashMap::new();
        for polygon in polygons.iter() {
            if let Some(speed) = speeds.stated(polygon.zones) {
                stated.entry(polygon.source).or_insert(speed);
            }
        }
        for polygon in polygons {
            let speed = stated.get(&polygon.source).copied().unwrap_or(speeds.of_level());
            polygon.motion = material::motion(polygon.flags, speed, polygon.texture.size);
        }
    }

    /// The light on the walls.
    fn lighting(&self, model: &Model) -> bsp::Lighting {
        let actor = |object: ObjectRef| self.actors.get(number_of(&self.numbers, object)? as usize);
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
        for (code, nodes, reason) in [
            (&codes::BAD_MAP_INDEX, skipped.incomplete, "missing surfaces, vertices or points"),
            (&codes::NOT_FINITE, skipped.not_finite, "points that are not finite"),
        ] {
            let bsp::SkippedNodes { count, first } = nodes;
            if count > 0 {
                let nodes = counted(count, "BSP node");
                let message = format!("{nodes} skipped because of {reason} (first skipped node: {first})");
                self.cx.diagnostics.report(code, entry, None, message);
            }
        }
    }
}
