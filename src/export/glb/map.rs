//! Levels: one mesh for each model, one node for each place it stands in.

use super::{
    Glb, Room, buffers::Builder, container, frames::FrameTargets, map_actors::MapActors, material, mesh, nodes,
};
use crate::{
    export::ExportError,
    scene::{Image, Map, MapItem, MapItemKind, Material, MaterialKind, Mesh, Model, Transform},
};
use glam::Affine3A;
use gltf_json::{self as json, Index};
use std::{collections::HashMap, sync::Arc};

/// What of a place's length may be lost before it counts as skewed.
const SKEW: f32 = 1e-3;

/// Writes a level as GLB: its walls, movers and placed meshes, under their names. What is not to be seen in a level is left
/// out: hidden surfaces and brushes. Every actor is a node with its class and properties in `extras`; lights are those of
/// `KHR_lights_punctual`.
///
/// # Errors
/// As [`super::glb`] does.
pub fn map_glb(map: &Map, room: Room) -> Result<Glb, ExportError> {
    let mut builder = Builder::new(room);
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

fn is_written(item: &MapItem) -> bool {
    matches!(item.kind, MapItemKind::World | MapItemKind::Mover | MapItemKind::Mesh)
}

fn name_of<'a>(map: &'a Map, item: &MapItem) -> &'a str {
    let actor = item.actor.and_then(|actor| map.actors.get(actor as usize)).map(|actor| actor.name.as_str());
    let model = || map.models.get(item.model as usize).map(|model| model.name.as_str());
    actor.or_else(model).filter(|name| !name.is_empty()).unwrap_or("item")
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

/// A model of all materials and pictures that are used, and for each model of the level its meshes on those materials, without
/// their hidden surfaces.
fn gathered(map: &Map) -> (Model, Vec<Vec<Mesh>>) {
    let mut whole = Model::empty(&map.name);
    let mut images: HashMap<*const Image, u32> = HashMap::new();
    let mut meshes = Vec::with_capacity(map.models.len());
    for (index, model) in (0_u32..).zip(&map.models) {
        if !map.items.iter().any(|item| item.model == index && is_written(item)) {
            meshes.push(Vec::new());
            continue;
        }
        let mut slots: HashMap<u32, u32> = HashMap::new();
        let mut slot_of = |material: u32, whole: &mut Model| -> Option<u32> {
            let Some(source) = model.materials.get(material as usize) else { return Some(u32::MAX) };
            let basic = source.basic();
            if basic.hidden {
                return None;
            }
            Some(*slots.entry(material).or_insert_with(|| {
                let mut basic = basic;
                basic.image = basic.image.and_then(|image| model.images.get(image as usize)).map(|image| {
                    *images.entry(Arc::as_ptr(image)).or_insert_with(|| {
                        whole.images.push(image.clone());
                        whole.images.len() as u32 - 1
                    })
                });
                basic.lightmap = None;
                whole.materials.push(Material { name: source.name.clone(), kind: MaterialKind::Basic(basic) });
                whole.materials.len() as u32 - 1
            }))
        };
        let of_model = model.meshes.iter().map(|mesh| {
            let mut mesh = mesh.clone();
            if mesh.name.is_empty() {
                mesh.name.clone_from(&model.name);
            }
            mesh.surfaces.retain_mut(|surface| match slot_of(surface.material, &mut whole) {
                Some(slot) => {
                    surface.material = slot;
                    true
                }
                None => false,
            });
            // Without surfaces all of it counts as one: there is nothing to draw when they were all hidden.
            if mesh.surfaces.is_empty() && !model.materials.is_empty() {
                mesh.indices.clear();
            }
            mesh
        });
        let of_model = of_model.collect();
        meshes.push(of_model);
    }
    (whole, meshes)
}

fn note(builder: &mut Builder, map: &Map, skewed: usize) {
    let basics = map.models.iter().flat_map(|model| &model.materials).map(|material| material.basic());
    let (mut baked, mut hidden) = (false, false);
    for basic in basics {
        baked |= basic.lightmap.is_some();
        hidden |= basic.hidden;
    }
    if baked {
        builder
            .note("baked light is left out: glTF has no place for it; its coordinates are the second set".to_owned());
    }
    if hidden {
        builder.note("surfaces that are not to be seen (portals, sky, invisible walls) are left out".to_owned());
    }
    let count = |kind| map.items.iter().filter(|item| item.kind == kind).count();
    let (sprites, brushes) = (count(MapItemKind::Sprite), count(MapItemKind::Brush));
    if sprites + brushes > 0 {
        builder.note(format!(
            "{brushes} brushes are left out; {sprites} sprites are nodes without a picture, since nothing in glTF faces the camera"
        ));
    }
    if skewed > 0 {
        builder.note(format!("{skewed} skewed placements are written without their skew"));
    }
}
