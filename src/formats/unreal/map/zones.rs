//! Zones of a level, the planes that part them, and its skies (formats/unreal.md §9.2, §16.3, §16.4).

use super::{actor::Actor, model::Model, space};
use crate::{
    formats::unreal::tables::{ObjectRef, Pointee},
    scene::{MapActor, MapNode, MapSky, MapTree, MapZone},
};
use glam::{Vec2, Vec3, Vec4};
use std::collections::HashMap;

/// Zones that a number of one byte can tell apart.
const MAX_ZONES: usize = 256;
/// Skies of a level.
const MAX_SKIES: usize = 64;
/// Nodes that are gone through in all to find zones of actors that do not say theirs.
const MAX_STEPS: usize = 50_000_000;

/// Which of a level's actors an object is.
pub fn number_of(numbers: &HashMap<usize, u32>, object: ObjectRef) -> Option<u32> {
    match object.pointee() {
        Pointee::Export(export) => numbers.get(&export).copied(),
        _ => None,
    }
}

/// The tree that parts the level, and what finds zones in it.
pub struct Parted {
    pub tree: MapTree,
    /// Points that may still be looked for: a tree that is a chain takes as many steps for each as it has nodes.
    lookups_left: usize,
}

impl Parted {
    /// Every node is reached once: what leads back or to nothing is cut off.
    pub fn of(model: &Model) -> Self {
        let nodes = model.nodes.iter().map(|node| {
            let [x, y, z, distance] = node.plane;
            let plane = space::point([x, y, z]).extend(distance);
            MapNode {
                plane: if plane.is_finite() { plane } else { Vec4::ZERO },
                children: [None; 2],
                zones: node.zones.map(|zone| u8::try_from(zone).unwrap_or(0)),
            }
        });
        let mut nodes: Vec<MapNode> = nodes.collect();
        let mut seen = vec![false; nodes.len()];
        if let Some(root) = seen.first_mut() {
            *root = true;
        }
        let (mut open, mut deepest) = (vec![(0_usize, 1_usize)], 1_usize);
        while let Some((number, depth)) = open.pop() {
            deepest = deepest.max(depth);
            let Some(stored) = model.nodes.get(number) else { continue };
            let children = [stored.back, stored.front].map(|child| {
                let child = usize::try_from(child).ok()?;
                let seen = seen.get_mut(child)?;
                if std::mem::replace(seen, true) {
                    return None;
                }
                open.push((child, depth.saturating_add(1)));
                u32::try_from(child).ok()
            });
            if let Some(node) = nodes.get_mut(number) {
                node.children = children;
            }
        }
        Self { tree: MapTree { nodes }, lookups_left: MAX_STEPS.checked_div(deepest).unwrap_or(0) }
    }

    /// The zone of an actor: what it says, else where it stands. Zone 0 says nothing: it is there from before the level was built.
    pub fn zone_of(&mut self, actor: &Actor) -> u8 {
        let stated = actor.region_zone().filter(|zone| *zone != 0);
        stated.or_else(|| self.zone_at(actor)).unwrap_or(0)
    }

    fn zone_at(&mut self, actor: &Actor) -> Option<u8> {
        let location = actor.location()?;
        self.lookups_left = self.lookups_left.checked_sub(1)?;
        Some(self.tree.zone_at(space::point(location)))
    }
}

/// The skies of a level: the rooms of its SkyZoneInfos. A zone in which players start is none.
pub fn skies(actors: &[Actor], placed: &[MapActor]) -> Vec<MapSky> {
    let zone = |number: usize| placed.get(number).map_or(0, |actor| actor.zone);
    let starts: Vec<u8> = (0..).zip(actors).filter(|(_, a)| a.is_a("PlayerStart")).map(|(n, _)| zone(n)).collect();
    let sky = |(number, actor): (usize, &Actor)| {
        let placed = placed.get(number)?;
        let is_room = actor.is_a("SkyZoneInfo") && placed.zone != 0 && !starts.contains(&placed.zone);
        actor.location().filter(|_| is_room)?;
        Some(MapSky {
            actor: u32::try_from(number).ok()?,
            location: placed.location,
            rotation: placed.rotation,
            zone: placed.zone,
        })
    };
    actors.iter().enumerate().filter_map(sky).take(MAX_SKIES).collect()
}

/// The sky that zones see which do not name one: the last of the level that is for high detail, else the last.
fn usual_sky(skies: &[MapSky], actors: &[Actor]) -> Option<u32> {
    let is_fine = |sky: &MapSky| actors.get(sky.actor as usize).is_some_and(|a| a.bool("bHighDetail") == Some(true));
    let fine = skies.iter().rposition(is_fine);
    fine.or(skies.len().checked_sub(1)).and_then(|sky| u32::try_from(sky).ok())
}

/// The zones of a level's model, by number.
pub fn zones(model: &Model, skies: &[MapSky], actors: &[Actor], numbers: &HashMap<usize, u32>) -> Vec<MapZone> {
    let usual = usual_sky(skies, actors);
    let zone = |(number, zone): (usize, &super::model::Zone)| {
        let info = number_of(numbers, zone.actor);
        let actor = info.and_then(|info| actors.get(info as usize));
        let own_sky = actor.and_then(|actor| actor.object("SkyZone")).and_then(|(_, sky)| {
            let sky = number_of(numbers, sky)?;
            skies.iter().position(|known| known.actor == sky)
        });
        let sky = own_sky.and_then(|sky| u32::try_from(sky).ok()).or(usual);
        // The room of a sky does not see itself.
        let is_own = |sky: &u32| skies.get(*sky as usize).is_some_and(|sky| usize::from(sky.zone) == number);
        let of_view = |name: &str| {
            let parts = actor.and_then(|actor| actor.vector(name)).map(Vec3::from);
            parts.filter(|parts| parts.is_finite()).unwrap_or(Vec3::ZERO)
        };
        MapZone {
            name: actor
                .map(|actor| actor.text("ZoneName").unwrap_or_else(|| actor.name().to_owned()))
                .unwrap_or_default(),
            actor: info,
            sky: sky.filter(|sky| !is_own(sky)),
            is_water: actor.is_some_and(|a| a.bool("bWaterZone").unwrap_or_else(|| a.is_a("WaterZone"))),
            view_flash: (Vec3::ONE + of_view("ViewFlash")).max(Vec3::ZERO),
            view_fog: of_view("ViewFog"),
        }
    };
    model.zones.iter().take(MAX_ZONES).enumerate().map(zone).collect()
}

/// How fast pictures pan in the zones of a level.
pub struct Speeds {
    /// By number; `None` for a zone without a ZoneInfo.
    zones: Vec<Option<Vec2>>,
    level: Vec2,
}

impl Speeds {
    pub fn of(zones: &[MapZone], actors: &[Actor]) -> Self {
        let speed = |actor: &Actor| {
            let along = |name: &str| actor.float(name).unwrap_or(1.0);
            Vec2::new(along("TexUPanSpeed"), along("TexVPanSpeed"))
        };
        let of_zone = |zone: &MapZone| Some(speed(actors.get(zone.actor? as usize)?));
        let level = actors.iter().find(|actor| actor.is_a("LevelInfo")).map_or(Vec2::ONE, speed);
        Self { zones: zones.iter().map(of_zone).collect(), level }
    }

    /// Of what lies between two zones, behind and in front: what one of them says.
    pub fn stated(&self, [behind, front]: [u8; 2]) -> Option<Vec2> {
        [front, behind].into_iter().find_map(|zone| self.zones.get(usize::from(zone)).copied().flatten())
    }

    /// Of a zone; the level's where it says nothing.
    pub fn of_zone(&self, zone: u8) -> Vec2 {
        self.stated([zone; 2]).unwrap_or(self.level)
    }

    /// The level's, where no zone says anything.
    pub fn of_level(&self) -> Vec2 {
        self.level
    }
}
