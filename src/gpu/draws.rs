//! Which surfaces are drawn, with which state, in which order.

use super::pipelines::{SurfaceKey, Variant};
use super::renderer::Item;
use super::stage::Group;
use super::{GpuModel, Shading, ViewSettings};
use crate::scene::{Blend, SurfaceRole};
use std::ops::Range;

/// More copies of a surface than this are blended in the order they come in, not from far to near.
const MOST_SORTED: usize = 256;

/// One surface of one or more copies of a model.
pub(super) struct Draw<'a> {
    pub key: SurfaceKey,
    pub model: &'a GpuModel,
    /// Into the model's surfaces.
    pub surface: usize,
    pub instances: Range<u32>,
    /// Into the items: whose vertices, where the CPU skins.
    pub item: usize,
    distance: f32,
}

/// What hides what is behind it, and what does not.
#[derive(Default)]
pub(super) struct Draws<'a> {
    pub solid: Vec<Draw<'a>>,
    pub blended: Vec<Draw<'a>>,
}

/// The pipeline state of a material in this view; `None` when it is not drawn.
fn key_of(view: &ViewSettings, model: &GpuModel, surface: usize, samples: u32) -> Option<SurfaceKey> {
    let material = model.material(model.surfaces.get(surface)?)?;
    let basic = &material.basic;
    if basic.hidden && !view.show_hidden {
        return None;
    }
    if basic.hidden && basic.role != SurfaceRole::Ordinary {
        return Some(SurfaceKey { variant: Variant::Tint, blend: Blend::Alpha, cull: false, samples });
    }
    let textured = material.textured && view.textures;
    let colored = matches!(view.shading, Shading::Lit | Shading::Unlit);
    let blend = match basic.blend {
        Blend::Masked if textured => Blend::Masked,
        // Vertex colours alone can be transparent.
        Blend::Alpha if colored && (textured || basic.image.is_none()) => Blend::Alpha,
        blend @ (Blend::Translucent | Blend::Modulated) if colored && textured => blend,
        _ => Blend::Opaque,
    };
    let variant = match view.shading {
        // What multiplies or adds to the picture behind it brings its own light.
        Shading::Lit if basic.unlit || blend == Blend::Modulated => Variant::Unlit,
        Shading::Lit if material.has_light => Variant::Baked,
        Shading::Zones if model.zones.is_some() => Variant::Zones,
        Shading::Lit | Shading::Zones => Variant::Lit,
        Shading::Unlit => Variant::Unlit,
        Shading::Normals => Variant::Normals,
        Shading::Uv => Variant::Uv,
        Shading::MaterialId => Variant::MaterialId,
        Shading::Weights => Variant::Weights,
    };
    Some(SurfaceKey { variant, blend, cull: view.backface_culling && !basic.two_sided, samples })
}

/// Draws for the groups of items. `instanced`: one draw serves all copies in a group; otherwise each item has its own.
pub(super) fn gather<'a>(
    view: &ViewSettings,
    samples: u32,
    items: &[Item<'a>],
    groups: &[Group],
    instanced: bool,
) -> Draws<'a> {
    let mut out = Draws::default();
    let forward = {
        let (right, up) = view.camera.right_up();
        up.cross(right)
    };
    for group in groups {
        let of_group = || group.items.iter().filter_map(|i| items.get(*i as usize));
        let Some(model) = of_group().next().map(|i| i.model) else { continue };
        // A mirrored copy turns its triangles around.
        let mirrored = of_group().any(|item| item.world_from_model.matrix3.determinant() < 0.0);
        for (surface, range) in model.surfaces.iter().enumerate() {
            let Some(mut key) = key_of(view, model, surface, samples) else { continue };
            key.cull &= !mirrored;
            let solid = matches!(key.blend, Blend::Opaque | Blend::Masked);
            let list = if solid { &mut out.solid } else { &mut out.blended };
            if instanced && (solid || group.items.len() > MOST_SORTED) {
                let instances = group.instances.clone();
                list.push(Draw { key, model, surface, instances, item: 0, distance: 0.0 });
                continue;
            }
            for (copy, item) in (group.instances.start..).zip(&group.items) {
                let item = *item as usize;
                let Some(place) = items.get(item).map(|i| i.world_from_model.transform_point3(range.center)) else {
                    continue;
                };
                let distance = (place - view.camera.eye()).dot(forward);
                let first = if instanced { copy } else { 0 };
                list.push(Draw { key, model, surface, instances: first..first + 1, item, distance });
            }
        }
    }
    // Few changes of pipeline; the sort is stable, so that a model's own order stays.
    out.solid.sort_by_key(|draw| (draw.key.blend == Blend::Masked, draw.key.cull, draw.key.variant as u8));
    out.blended.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    out
}
