//! A project as a landscape.

use super::{
    bodies, codes,
    ground::floor_height,
    layout::own_color,
    objects::Object,
    placing::{Placement, whole_scale},
    project::Project,
    textures,
    tree::Tree,
    types::{Kinds, ObjectType, class_of, usual_size},
};
use crate::{
    bytes::Source,
    formats::{EntryId, LoadContext, findings::Findings},
    scene::{
        HeightGrid, Prop, PropKind, PropMarker, RoadNet, RoadPart, SizeSource, SourceEntry, Terrain, TerrainLayer,
        TerrainPicture, TerrainZone,
    },
};
use glam::Vec3;

/// Slots that are read between two looks at whether anybody still waits.
const SLOTS_AT_ONCE: usize = 4096;

/// Makes the landscape; `None` when nobody waits for it any more.
pub fn terrain(
    project: &Project,
    source: &Source,
    tree: &Tree,
    cx: &LoadContext<'_>,
    findings: &mut Findings,
) -> Option<Terrain> {
    let layout = &project.layout;
    let stem = cx.stem();
    let grid = project.grid.map(|grid| grid.height_grid(source, project.cell, layout.north_first));
    let mut terrain = Terrain {
        name: stem.to_owned(),
        grid: grid.unwrap_or(HeightGrid { cell: project.cell, ..HeightGrid::default() }),
        ..Terrain::default()
    };
    let mut kinds = Kinds::default();
    for (one, entry) in project.types.list.iter().zip(&tree.type_entries) {
        kinds.add(kind(one, *entry));
    }
    if let Some(objects) = &project.objects {
        terrain.slots = u32::try_from(objects.len()).unwrap_or(u32::MAX);
        terrain.props.reserve(objects.present as usize);
        for slot in 0..objects.len() {
            if slot.is_multiple_of(SLOTS_AT_ONCE) && cx.cancelled() {
                return None;
            }
            let Some(object) = objects.get(source, slot, layout) else { continue };
            match prop(&object, slot, project, &terrain.grid, &mut kinds) {
                Some(prop) => terrain.props.push(prop),
                None => {
                    let at = objects.range(slot).map(|range| range.start);
                    let message = format!("object {} in slot {slot} has no valid position", object.id);
                    findings.add(&codes::BAD_OBJECT, at, message);
                }
            }
        }
    }
    terrain.kinds = kinds.list;
    add_rest(project, source, tree, &mut terrain);
    bodies::find(&mut terrain, cx, findings);
    textures::find_pictures(&mut terrain, cx, findings);
    (!cx.cancelled()).then_some(terrain)
}

fn kind(one: &ObjectType, entry: Option<EntryId>) -> PropKind {
    let class = class_of(one.class);
    let usual = usual_size(class);
    let (size, size_source) = match one.footprint {
        Some([width, depth]) => (Vec3::new(width, usual.y, depth), SizeSource::Guessed),
        None => (usual, SizeSource::Class),
    };
    PropKind {
        id: one.id,
        name: if one.name.is_empty() { one.model.clone() } else { one.name.clone() },
        model: one.model.clone(),
        class,
        marker: if one.marker == 1 { PropMarker::Ellipse } else { PropMarker::Rectangle },
        outline: own_color(one.outline),
        fill: own_color(one.fill),
        size,
        size_source,
        source: entry.map(SourceEntry::from),
        body: None,
    }
}

fn prop(object: &Object, slot: usize, project: &Project, grid: &HeightGrid, kinds: &mut Kinds) -> Option<Prop> {
    let layout = &project.layout;
    let placement = Placement::of(object.transform, layout.transform);
    let relative = if layout.percent { object.size / 100.0 } else { object.size } as f32;
    // A size of nothing says nothing.
    let relative = if relative.is_finite() && relative != 0.0 { relative } else { 1.0 };
    let scale = whole_scale(placement.scale(), relative);
    let Vec3 { x: east, y: up, z: north } = placement.position;
    let above_ground = if object.above_ground.is_finite() { object.above_ground } else { 0.0 };
    let floor = floor_height(up, above_ground, grid.ground_at(east, north), layout.placing);
    let world_from_prop = placement.world_from_prop(scale, floor)?;
    Some(Prop {
        kind: kinds.index(object.type_id),
        slot: u32::try_from(slot).unwrap_or(u32::MAX),
        id: object.id,
        type_id: object.type_id,
        name: object.name.clone(),
        world_from_prop,
        file_position: placement.position,
        heading: placement.heading(),
        scale,
        above_ground,
        outline: own_color(object.outline),
        fill: own_color(object.fill),
    })
}

fn add_rest(project: &Project, source: &Source, tree: &Tree, terrain: &mut Terrain) {
    for net in project.roads.iter().flat_map(|roads| &roads.nets) {
        let part =
            |part: &super::roads::Part| RoadPart { name: part.name.clone(), kind: part.kind, type_id: part.type_id };
        terrain.roads.push(RoadNet {
            name: net.name.clone(),
            key_color: net.key_color,
            color: net.color,
            max_angle_degrees: net.max_angle,
            max_bank_degrees: net.max_bank,
            parts: net.parts.iter().map(part).collect(),
        });
    }
    for layer in project.layers.iter().flat_map(|layers| &layers.list) {
        let materials = layer.paths(source, project.layout.strings);
        terrain.layers.push(TerrainLayer { name: layer.name.clone(), materials });
    }
    for (zone, entry) in project.zones.iter().flat_map(|zones| &zones.list).zip(&tree.zones) {
        terrain.zones.push(TerrainZone {
            name: zone.name.clone(),
            id: zone.id,
            fill: zone.fill,
            outline: zone.outline,
            visible: true,
            polygon: zone.polygon(),
            source: Some((*entry).into()),
        });
    }
    let backgrounds = project.backgrounds.iter().flat_map(|backgrounds| &backgrounds.list);
    for (background, entry) in backgrounds.zip(&tree.backgrounds) {
        terrain.pictures.push(TerrainPicture {
            name: background.name.clone(),
            file: background.file.clone(),
            offset: background.offset,
            size: background.size,
            transparency: background.transparency,
            visible: background.visible,
            image: None,
            source: Some((*entry).into()),
        });
    }
}
