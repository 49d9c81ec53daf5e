//! Meshes of a level that stand in several places, as one node each.

use super::{
    buffers::Builder,
    map_actors::MapActors,
    places::{Places, fits, transform_of},
};
use crate::bytes::numbers::counted;
use crate::{
    export::{ExportError, map_model::name_of},
    scene::{Map, MapItem, MapItemKind, Transform},
};
use gltf_json::{self as json, Index};
use serde_json::{Value, json};
use std::collections::BTreeMap;

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
