//! Levels: one mesh for each model, one node for each place it stands in, or for all of them together.

use super::{
    Glb, GlbOptions, LevelLights, OptionNames, Output,
    buffers::Builder,
    container,
    frames::FrameTargets,
    map_actors::MapActors,
    map_instances::Groups,
    map_light, material, mesh, nodes,
    places::{is_skewed, transform_of},
    see_through,
};
use crate::bytes::numbers::counted;
use crate::{
    export::{
        ExportError,
        gathering::light_of,
        map_model::{gathered, is_written, name_of},
    },
    scene::{Map, MapItem, MapItemKind},
};
use gltf_json::{self as json, Index};

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
        map_light::bake(&mut whole, &mut meshes);
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
