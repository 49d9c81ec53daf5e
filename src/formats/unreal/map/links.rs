//! What of a level leads to what: actors that name others, and the ways of players who are not people (formats/unreal.md §9.3,
//! §9.4).

use super::{actor::Actor, level::Level, zones::number_of};
use crate::{
    formats::unreal::properties::PropertyValue,
    scene::{MapActor, MapPath},
};
use std::collections::HashMap;

/// Actors that one names, at most.
const MAX_LINKS: usize = 16;

/// What the engine keeps for itself, by name: whom an actor stands on or belongs to, lists of all navigation points, the last
/// actor that was met.
const BOOKKEEPING: &[&str] = &[
    "level",
    "owner",
    "base",
    "instigator",
    "brush",
    "attachedbrush",
    "nextnavigationpoint",
    "navigationpointlist",
    "nextordered",
    "prevordered",
    "startpath",
    "previouspath",
    "routecache",
    "visnoreachpaths",
    "pathsoncourse",
    "hitactor",
    "touching",
    "deleted",
    "nextpawn",
    "pawnlist",
    "skyzone",
    "follower",
    "leader",
    "myteleporter",
];

/// The first actor of each tag, of those that are of a class.
fn by_tag(class: &str, actors: &[Actor], placed: &[MapActor]) -> HashMap<String, u32> {
    let mut tags = HashMap::new();
    for (number, (actor, placed)) in (0_u32..).zip(actors.iter().zip(placed)) {
        if actor.is_a(class) && !placed.tag.is_empty() {
            tags.entry(placed.tag.to_ascii_lowercase()).or_insert(number);
        }
    }
    tags
}

/// Fills in what each actor names as what comes next.
pub fn link(actors: &[Actor], placed: &mut [MapActor], numbers: &HashMap<usize, u32>) {
    let patrol = by_tag("PatrolPoint", actors, placed);
    let teleporters = by_tag("Teleporter", actors, placed);
    let mut links = Vec::with_capacity(actors.len());
    for (number, actor) in (0_u32..).zip(actors) {
        let mut next: Vec<(String, u32)> = Vec::new();
        let mut named = |property: &str, tags: &HashMap<String, u32>| {
            let text = actor.text(property).unwrap_or_default().to_ascii_lowercase();
            next.extend(tags.get(&text).map(|other| (property.to_owned(), *other)));
        };
        if actor.is_a("PatrolPoint") {
            named("Nextpatrol", &patrol);
        }
        if actor.is_a("Teleporter") {
            named("URL", &teleporters);
        }
        for property in &actor.own.properties {
            let PropertyValue::Object(object) = &property.value else { continue };
            let is_kept = BOOKKEEPING.iter().any(|name| property.name.eq_ignore_ascii_case(name));
            let other = number_of(numbers, *object).filter(|other| !is_kept && *other != number);
            next.extend(other.map(|other| (property.name.clone(), other)));
            if next.len() >= MAX_LINKS {
                break;
            }
        }
        links.push(next);
    }
    for (placed, next) in placed.iter_mut().zip(links) {
        placed.next = next;
    }
}

/// The ways between navigation points; those from or to what is no actor of the level are left out.
pub fn paths(level: &Level, numbers: &HashMap<usize, u32>) -> Vec<MapPath> {
    let path = |spec: &super::level::ReachSpec| {
        Some(MapPath {
            start: number_of(numbers, spec.start)?,
            end: number_of(numbers, spec.end)?,
            radius: spec.radius as f32,
            height: spec.height as f32,
            flags: spec.flags.cast_unsigned(),
            pruned: spec.pruned,
        })
    };
    level.reach_specs.iter().filter_map(path).collect()
}
