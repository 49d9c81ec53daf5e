//! What a level says of itself: LevelInfo and LevelSummary (formats/unreal.md §7.6).

use super::{actor::Actor, model::Model, textures::Textures};
use crate::{
    formats::{
        LoadContext,
        unreal::{
            header::read_header, object::ObjectReader, package::Package, properties::PropertyList, tables::ObjectRef,
        },
    },
    scene::MapCard,
};
use std::sync::Arc;

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
