//! The polygons of a Model's nodes, with the light baked on their surfaces (formats/unreal.md §9.2).

use super::{
    light::Light,
    lightmap::{self, Atlas, Baked, Patch, TexturePlane},
    model::{Model, Node, Surf},
    polygons::{Corner, Polygon},
    space,
    textures::Texture,
};
use crate::formats::unreal::tables::ObjectRef;
use glam::{Vec2, Vec3};
use std::{collections::HashMap, sync::Arc};

/// Texels of all light maps of a model beyond those that its bits are for, one a texel and light: enough for those that no
/// light reaches. What goes beyond is left out, for a light map of any size takes 30 bytes of a file.
const UNLIT_TEXELS: u64 = 8 << 20;

/// The light maps of a model.
#[derive(Default)]
pub struct Lighting {
    pub atlas: Atlas,
}

/// What was left out because it refers to nothing or is not finite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Nodes with missing surfaces, vertices or points.
    pub incomplete: SkippedNodes,
    /// Nodes with points that are not finite.
    pub not_finite: SkippedNodes,
}

/// Nodes that were skipped for one reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SkippedNodes {
    pub count: usize,
    pub first: usize,
}

impl SkippedNodes {
    fn add(&mut self, node: usize) {
        if self.count == 0 {
            self.first = node;
        }
        self.count = self.count.saturating_add(1);
    }
}

impl Lighting {
    /// Works out the light on every surface that has a light map. `light` gives the light that an actor is, `ambient` that of a
    /// zone. Where it is not `wanted` its places are laid out alone.
    pub fn of(
        model: &Model,
        wanted: bool,
        light: &dyn Fn(ObjectRef) -> Option<Light>,
        ambient: &dyn Fn(u8) -> Vec3,
    ) -> Self {
        let mut zones: HashMap<i32, u8> = HashMap::new();
        for node in &model.nodes {
            zones.entry(node.surf).or_insert_with(|| zone(node));
        }
        let mut maps: Vec<Option<Baked>> = vec![None; model.light_maps.len()];
        let mut left = (model.light_bits.len() as u64).saturating_mul(8).saturating_add(UNLIT_TEXELS);
        for (number, surf) in model.surfs.iter().enumerate() {
            let Some(index) = usize::try_from(surf.light_map).ok() else { continue };
            let (Some(map), Some(slot)) = (model.light_maps.get(index), maps.get_mut(index)) else { continue };
            let Some(plane) = plane_of(model, surf).filter(|_| slot.is_none()) else { continue };
            let zone = i32::try_from(number).ok().and_then(|n| zones.get(&n)).copied().unwrap_or(0);
            // What it takes: its own texels, and as many bits as they are for each light.
            let Some([width, height]) = lightmap::size(map) else { continue };
            let texels = u64::from(width).saturating_mul(u64::from(height));
            let Some(left_for_lights) = left.checked_sub(texels) else { continue };
            let affordable = usize::try_from(left_for_lights.checked_div(texels).unwrap_or(0)).unwrap_or(usize::MAX);
            let list = usize::try_from(map.first_light).ok().and_then(|first| model.lights.get(first..));
            let listed = list.unwrap_or_default().iter().take(affordable).take_while(|l| !l.is_none());
            left = left_for_lights.saturating_sub(texels.saturating_mul(listed.clone().count() as u64));
            *slot = if wanted {
                let lights: Vec<Option<Light>> = listed.map(|l| light(*l)).collect();
                lightmap::bake(map, &plane, &lights, &model.light_bits, ambient(zone))
            } else {
                lightmap::unlit(map, &plane)
            };
        }
        Self { atlas: Atlas::of(&maps) }
    }
}

/// Corners that the polygons of any level may have, besides four for each that the file holds.
const SPARE_CORNERS: usize = 4_096;

/// The zone in front of a node, or behind it where in front is none.
fn zone(node: &Node) -> u8 {
    let [behind, front] = node.zones;
    u8::try_from(if front != 0 { front } else { behind }).unwrap_or(0)
}

fn at<T: Copy>(list: &[T], index: i32) -> Option<T> {
    list.get(usize::try_from(index).ok()?).copied()
}

/// Where a surface's texture lies; `None` when it refers to nothing.
fn plane_of(model: &Model, surf: &Surf) -> Option<TexturePlane> {
    Some(TexturePlane {
        base: Vec3::from(at(&model.points, surf.base)?),
        normal: Vec3::from(at(&model.vectors, surf.normal)?),
        texture_u: Vec3::from(at(&model.vectors, surf.texture_u)?),
        texture_v: Vec3::from(at(&model.vectors, surf.texture_v)?),
    })
}

/// The polygon of every node, each from its surface ([`Polygon::source`] is the surface's number). Nodes without a polygon give
/// none, and those that refer to nothing are counted in `skipped`.
pub fn polygons(
    model: &Model,
    mut texture: impl FnMut(ObjectRef) -> Arc<Texture>,
    lighting: &Lighting,
    skipped: &mut Skipped,
) -> Vec<Polygon> {
    let lit = !lighting.atlas.pages.is_empty();
    let mut polygons = Vec::with_capacity(model.nodes.len());
    // Nodes have corners of their own; a file whose nodes share them could ask for very many.
    let mut left = model.verts.len().saturating_mul(4).saturating_add(SPARE_CORNERS);
    for (number, node) in model.nodes.iter().enumerate() {
        if node.vertex_count == 0 {
            continue;
        }
        let affordable = left.checked_sub(usize::from(node.vertex_count));
        left = affordable.unwrap_or(left);
        let polygon = affordable.and_then(|_| polygon(model, node, &mut texture, lighting, lit));
        let Some(polygon) = polygon else {
            skipped.incomplete.add(number);
            continue;
        };
        if polygon.corners.iter().all(|c| c.point.is_finite()) {
            polygons.push(polygon);
        } else {
            skipped.not_finite.add(number);
        }
    }
    polygons
}

fn polygon(
    model: &Model,
    node: &Node,
    texture: &mut impl FnMut(ObjectRef) -> Arc<Texture>,
    lighting: &Lighting,
    lit: bool,
) -> Option<Polygon> {
    let surf = at(&model.surfs, node.surf)?;
    let plane = plane_of(model, &surf)?;
    let first = usize::try_from(node.vert_pool).ok()?;
    let verts = model.verts.get(first..first.checked_add(usize::from(node.vertex_count))?)?;
    let texture = texture(surf.texture);
    let light_index = usize::try_from(surf.light_map).ok();
    let map = light_index.and_then(|index| model.light_maps.get(index));
    let patch: Option<Patch> = light_index.and_then(|index| lighting.atlas.patches.get(index).copied().flatten());
    let baked = map.zip(patch);
    let mut corners = Vec::with_capacity(verts.len());
    for vert in verts {
        let point = at(&model.points, vert.point)?;
        let place = Vec3::from(point);
        let light_uv = baked.map_or(Vec2::ZERO, |(map, patch)| {
            Vec2::from(lighting.atlas.uv(&patch, lightmap::texel(map, plane.texels(place))))
        });
        let uv = plane.uv(place, surf.pan, texture.size);
        corners.push(Corner { point: space::point(point), uv, light_uv });
    }
    Some(Polygon {
        flags: surf.flags | texture.flags,
        texture,
        unlit: lit && baked.is_none(),
        page: baked.and_then(|(_, patch)| lighting.atlas.pages.get(patch.page as usize).cloned()),
        normal: space::point(plane.normal.to_array()).normalize_or(Vec3::Y),
        corners,
        source: u32::try_from(node.surf).unwrap_or(0),
        zone: zone(node),
        zones: node.zones.map(|zone| u8::try_from(zone).unwrap_or(0)),
        motion: None,
        window: None,
    })
}
