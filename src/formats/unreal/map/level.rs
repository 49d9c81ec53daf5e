//! A level: its actors, its BSP model (formats/unreal.md §9.3), and the texts of LevelInfo and LevelSummary (§7.6).

use super::{actor::Actor, model::Model, textures::Textures};
use crate::{
    formats::{
        LoadContext,
        unreal::{
            header::read_header,
            object::{Fault, ObjectReader},
            package::Package,
            properties::PropertyList,
            tables::ObjectRef,
        },
    },
    scene::MapCard,
};
use std::sync::Arc;

/// Text blocks of a level.
const TEXT_BLOCKS: usize = 16;

/// What a level keeps besides the actors themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Null where an actor was deleted.
    pub actors: Vec<ObjectRef>,
    pub model: ObjectRef,
    pub reach_specs: Vec<ReachSpec>,
    pub text_blocks: Vec<ObjectRef>,
}

/// A way between two navigation points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReachSpec {
    pub distance: i32,
    pub start: ObjectRef,
    pub end: ObjectRef,
    pub radius: i32,
    pub height: i32,
    pub flags: i32,
    pub pruned: bool,
}

/// Reads a level.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_level(r: &mut ObjectReader<'_>, _properties: &PropertyList) -> Result<Level, Fault> {
    let count = super::model::counts(r)?;
    let actors = r.elements("Actors", "object", count, 1, |r| r.object("Actor"))?;
    r.group("URL", "FURL", |r| {
        for name in ["Protocol", "Host", "Map", "Portal"] {
            r.string(name)?;
        }
        r.array("Options", "string", 1, |r| r.string("Option"))?;
        r.i32("Port")?;
        r.u32("Valid")
    })?;
    let model = r.object("Model")?;
    let reach_specs = r.array("ReachSpecs", "FReachSpec", 19, reach_spec)?;
    r.f32("TimeSeconds")?;
    r.object("FirstDeleted")?;
    let mut text_blocks = Vec::with_capacity(TEXT_BLOCKS);
    for number in 0..TEXT_BLOCKS {
        text_blocks.push(r.object(format!("TextBlock{number}"))?);
    }
    if r.version() > 62 {
        r.array("TravelInfo", "key and value", 2, |r| {
            r.string("Key")?;
            r.string("Value")
        })?;
    }
    Ok(Level { actors, model, reach_specs, text_blocks })
}

fn reach_spec(r: &mut ObjectReader<'_>) -> Result<ReachSpec, Fault> {
    Ok(ReachSpec {
        distance: r.i32("Distance")?,
        start: r.object("Start")?,
        end: r.object("End")?,
        radius: r.i32("CollisionRadius")?,
        height: r.i32("CollisionHeight")?,
        flags: r.i32("ReachFlags")?,
        pruned: r.u8("bPruned")? != 0,
    })
}

/// Facts that are texts, and what they are called for people.
const TEXTS: &[(&str, &str)] =
    &[("IdealPlayerCount", "Players"), ("RecommendedEnemies", "Enemies"), ("LevelEnterText", "Welcome text")];

/// The card of a level.
pub fn card(
    package: &Arc<Package>,
    info: Option<&Actor>,
    model: &Model,
    textures: &mut Textures,
    cx: &mut LoadContext<'_>,
) -> MapCard {
    // The summary is what the game's menus read; the LevelInfo may say more.
    let summaries = package.exports_named("LevelSummary").map(|export| read(package, export));
    let lists: Vec<PropertyList> = info.map(|info| info.own.clone()).into_iter().chain(summaries.flatten()).collect();
    let text = |name: &str| lists.iter().find_map(|list| list.text(name)).filter(|t| !t.is_empty()).map(str::to_owned);
    let mut card = MapCard {
        title: text("Title").unwrap_or_default(),
        author: text("Author").unwrap_or_default(),
        ..MapCard::default()
    };
    let mut fact = |name: &str, value: String| card.facts.push((name.to_owned(), value));
    for (name, label) in TEXTS {
        if let Some(value) = text(name) {
            fact(label, value);
        }
    }
    let object = |name: &str| lists.iter().find_map(|list| list.object(name));
    for (name, label) in [("Song", "Music"), ("DefaultGameType", "Game")] {
        if let Some(object) = object(name) {
            fact(label, package.object_path(object));
        }
    }
    let zones = model.zones.iter().skip(1).filter(|zone| !zone.actor.is_none()).count();
    for (label, count) in [("Polygons", model.nodes.len()), ("Surfaces", model.surfs.len()), ("Named zones", zones)] {
        if count > 0 {
            fact(label, count.to_string());
        }
    }
    if let Some(screenshot) = object("Screenshot") {
        let texture = textures.find(package, screenshot, cx);
        card.screenshot = texture.image.clone().filter(|_| texture.found);
    }
    card
}

fn read(package: &Arc<Package>, export: usize) -> Option<PropertyList> {
    let is_summary = package.class_name(ObjectRef::export(export)).eq_ignore_ascii_case("LevelSummary");
    let mut reader = ObjectReader::of_export(package, export);
    read_header(&mut reader, export).ok().filter(|_| is_summary).map(|header| header.properties)
}
