//! A world as a landscape.

use super::{
    info,
    models::{self, ModelUse},
    numbers::NumberKind,
    reading::Reading,
    world::{Object, STEP, World, WorldKind},
};
use crate::{
    bytes::{Source, numbers::grouped},
    formats::{
        LoadContext,
        findings::Findings,
        visitor::{
            bodies,
            layout::Placing,
            placing::{Placement, TransformOrder},
            types::usual_size,
        },
    },
    scene::{HeightGrid, Prop, PropClass, PropKind, PropMarker, SizeSource, SourceEntry, Terrain, TerrainLayer},
};
use glam::Vec3;

/// Objects that are read between two looks at whether anybody still waits.
const OBJECTS_AT_ONCE: usize = 4096;

/// The heights that there are, in metres; NaN for those that are none.
pub fn heights(world: &World, source: &Source) -> Vec<f32> {
    let bytes = world.heights.bytes(source);
    let finite = |h: f32| if h.is_finite() { h } else { f32::NAN };
    match world.heights.kind {
        NumberKind::F32 => bytes.as_chunks::<4>().0.iter().map(|b| finite(f32::from_le_bytes(*b))).collect(),
        _ => bytes.as_chunks::<2>().0.iter().map(|b| f32::from(i16::from_le_bytes(*b)) * STEP).collect(),
    }
}

/// Makes the landscape; `None` when nobody waits for it any more. `types`: the entry that lists the models.
pub fn terrain(
    world: &World,
    reading: &Reading,
    types: Option<SourceEntry>,
    source: &Source,
    cx: &LoadContext<'_>,
    findings: &mut Findings,
) -> Option<Terrain> {
    let stem = cx.stem();
    let (columns, rows) = (world.heights.columns, world.heights.present_rows());
    let mut heights = heights(world, source);
    heights.resize((columns as usize).saturating_mul(rows as usize), f32::NAN);
    let mut terrain = Terrain {
        name: stem.to_owned(),
        grid: HeightGrid { columns, rows, cell: reading.cell, heights: heights.into() },
        slots: u32::try_from(world.objects.starts.len()).unwrap_or(u32::MAX),
        ..Terrain::default()
    };
    terrain.kinds = world.models.list.iter().zip(0..).map(|(model, id)| kind(model, id, types)).collect();
    let guessed = terrain.kinds.iter().filter(|kind| !matches!(kind.class, PropClass::Other(_))).count();
    if guessed > 0 {
        let message = format!(
            "world files do not store object classes. {} of {} object types have a class that is guessed from the \
             model's folder",
            grouped(guessed),
            grouped(terrain.kinds.len())
        );
        findings.add(&info::GUESSED_CLASSES, None, message);
    }
    for slot in 0..world.objects.starts.len() {
        if slot.is_multiple_of(OBJECTS_AT_ONCE) && cx.cancelled() {
            return None;
        }
        let Some(object) = world.object(source, slot) else { continue };
        // One without a model ends the list.
        let Some(kind) = world.models.type_of(&object.model) else { continue };
        match prop(&object, slot, kind, reading, &terrain.grid) {
            Some(prop) => terrain.props.push(prop),
            None => {
                let message = format!("object {} in slot {slot} has no valid position", object.id);
                findings.add(&info::BAD_OBJECT, world.objects.starts.get(slot).copied(), message);
            }
        }
    }
    let materials: Vec<String> = world.material_names(source).into_iter().filter(|name| !name.is_empty()).collect();
    if !materials.is_empty() {
        let name = if world.kind == WorldKind::Four { "Textures" } else { "Materials" };
        terrain.layers.push(TerrainLayer { name: name.to_owned(), materials });
    }
    bodies::find(&mut terrain, cx, findings);
    (!cx.cancelled()).then_some(terrain)
}

fn kind(model: &ModelUse, id: u32, types: Option<SourceEntry>) -> PropKind {
    let class = models::guessed_class(&model.path).unwrap_or(PropClass::Other(0));
    let name = match models::stem(&model.path) {
        "" => "other models".to_owned(),
        stem => stem.to_owned(),
    };
    PropKind {
        id,
        name,
        model: model.path.clone(),
        class,
        marker: PropMarker::Rectangle,
        outline: None,
        fill: None,
        size: usual_size(class),
        size_source: SizeSource::Class,
        source: types,
        body: None,
    }
}

fn prop(object: &Object, slot: usize, kind: u32, reading: &Reading, grid: &HeightGrid) -> Option<Prop> {
    let placement = Placement::of(object.transform, TransformOrder::Cols4x3);
    let Vec3 { x: east, y: up, z: north } = placement.position;
    let ground = grid.ground_at(east, north);
    let floor = match reading.placing {
        Placing::Ground => ground.unwrap_or(up),
        Placing::File => up,
    };
    let scale = placement.scale();
    Some(Prop {
        kind,
        slot: u32::try_from(slot).unwrap_or(u32::MAX),
        id: object.id,
        type_id: kind,
        name: String::new(),
        world_from_prop: placement.world_from_prop(scale, floor)?,
        file_position: placement.position,
        heading: placement.heading(),
        scale,
        above_ground: ground.map_or(0.0, |ground| up - ground),
        outline: None,
        fill: None,
    })
}
