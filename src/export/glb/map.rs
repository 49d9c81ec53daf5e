//! Levels: one mesh for each model, one node for each place it stands in.

use super::{
    Glb, Output, buffers::Builder, container, frames::FrameTargets, map_actors::MapActors, material, mesh, nodes,
};
use crate::{
    export::{
        ExportError,
        gathering::light_of,
        map_model::{gathered, is_written, name_of},
    },
    scene::{Map, MapItemKind, Transform},
};
use glam::Affine3A;
use gltf_json::{self as json, Index};

/// What of a place's length may be lost before it counts as skewed.
const SKEW: f32 = 1e-3;

/// Writes a level as GLB: its walls, movers and placed meshes, under their names. What is not to be seen in a level is left
/// out: hidden surfaces and brushes. Every actor is a node with its class and properties in `extras`; lights are those of
/// `KHR_lights_punctual`.
///
/// # Errors
/// As [`super::glb`] does.
pub fn map_glb(map: &Map, output: impl Into<Output>) -> Result<Glb, ExportError> {
    let mut builder = Builder::new(output);
    let (whole, meshes) = gathered(map);
    let materials = material::write(&mut builder, &whole)?;
    let mut written: Vec<Vec<Index<json::Mesh>>> = Vec::with_capacity(meshes.len());
    for meshes in &meshes {
        let of_model =
            meshes.iter().map(|source| mesh::write(&mut builder, source, &materials, None, &FrameTargets::default()));
        written.push(of_model.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect());
    }
    let mut actors = MapActors::new(map);
    let mut roots = Vec::new();
    let mut skewed = 0_usize;
    for item in map.items.iter().filter(|item| is_written(item)) {
        let Some(meshes) = written.get(item.model as usize).filter(|meshes| !meshes.is_empty()) else { continue };
        let transform = transform_of(&item.world_from_model);
        skewed += usize::from(is_skewed(&item.world_from_model, &transform));
        let name = name_of(map, item);
        let mut node = nodes::node(name, &transform);
        if let [only] = meshes.as_slice() {
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
    roots.extend(actors.rest(&mut builder));
    note(&mut builder, map, skewed);
    if !roots.is_empty() {
        let name = (!map.name.is_empty()).then(|| map.name.clone());
        builder.root.scenes.push(json::Scene { extensions: None, extras: None, name, nodes: roots });
        builder.root.scene = Some(Index::new(0));
    }
    container::finish(builder)
}

pub fn transform_of(place: &Affine3A) -> Transform {
    let (scale, rotation, translation) = place.to_scale_rotation_translation();
    nodes::usable(&Transform { translation, rotation, scale })
}

pub fn is_skewed(place: &Affine3A, transform: &Transform) -> bool {
    let again = transform.to_affine();
    let columns = |m: &Affine3A| [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis];
    let size = columns(place).map(|c| c.length()).into_iter().fold(0.0, f32::max).max(1e-9);
    let away = columns(place).into_iter().zip(columns(&again)).map(|(a, b)| (a - b).length()).fold(0.0, f32::max);
    // What is not a number is not skewed.
    away > size * SKEW
}

fn note(builder: &mut Builder, map: &Map, skewed: usize) {
    let (mut with_light, mut without_light, mut hidden) = (false, false, false);
    for model in &map.models {
        for basic in model.materials.iter().map(|material| material.basic()) {
            let has_light = light_of(&basic, model).is_some();
            with_light |= has_light;
            without_light |= basic.lightmap.is_some() && !has_light;
            hidden |= basic.hidden;
        }
    }
    if with_light {
        builder.note(
            "glTF has no light maps: they are the occlusion textures, on the second set of coordinates; in the game they are multiplied by 2 and \
             with the texture".to_owned(),
        );
    }
    if without_light {
        builder.note("baked light is left out; its coordinates are the second set".to_owned());
    }
    if hidden {
        builder.note("surfaces that are not to be seen (portals, sky, invisible walls) are left out".to_owned());
    }
    let count = |kind| map.items.iter().filter(|item| item.kind == kind).count();
    let (sprites, brushes) = (count(MapItemKind::Sprite), count(MapItemKind::Brush));
    if sprites + brushes > 0 {
        builder.note(format!(
            "{brushes} brushes and {sprites} sprites are nodes without a mesh: nothing in glTF faces the camera"
        ));
    }
    if skewed > 0 {
        builder.note(format!("{skewed} skewed placements are written without their skew"));
    }
}
