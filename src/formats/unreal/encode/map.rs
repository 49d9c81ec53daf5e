//! Polys, Model and Level (formats/unreal.md §9), from version 62 on.

use super::mesh::Bounds;
use super::object::ObjectWriter;
use super::package::Ref;
use super::properties::{Properties, write_properties};

/// A polygon of a brush.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Poly {
    /// Origin of the texture, in the space of the brush.
    pub base: [f32; 3],
    /// Normal, in the space of the brush.
    pub normal: [f32; 3],
    /// Direction in which U increases, in texels per unit.
    pub texture_u: [f32; 3],
    /// Direction in which V increases, in texels per unit.
    pub texture_v: [f32; 3],
    /// Corners, in the space of the brush.
    pub vertices: Vec<[f32; 3]>,
    /// PolyFlags (formats/unreal.md §9.2).
    pub flags: u32,
    /// The brush's actor, or null.
    pub brush: Ref,
    /// The texture, or null.
    pub texture: Ref,
    /// By custom what made it: `Sheet`, `Outside`, or `None`.
    pub item: String,
    /// `Link` as stored; negative if there is none.
    pub link: i32,
    /// `BrushPoly` as stored.
    pub brush_poly: i32,
    /// Offset of the texture in texels, U and V; not written from version 78 on.
    pub pan: [i16; 2],
}

/// Writes the data of a `Polys` object (formats/unreal.md §9.1).
pub fn write_polys(out: &mut ObjectWriter<'_>, polys: &[Poly]) {
    write_properties(out, &Properties::new());
    let count = i32::try_from(polys.len()).unwrap_or(i32::MAX);
    out.i32s(&[count, count]);
    for poly in polys {
        out.count(poly.vertices.len());
        [poly.base, poly.normal, poly.texture_u, poly.texture_v].iter().for_each(|vector| out.f32s(vector));
        poly.vertices.iter().for_each(|vertex| out.f32s(vertex));
        out.u32(poly.flags);
        out.object(poly.brush);
        out.object(poly.texture);
        out.name(&poly.item);
        out.index(poly.link);
        out.index(poly.brush_poly);
        if out.version() < 78 {
            poly.pan.iter().for_each(|pan| out.i16(*pan));
        }
    }
}

/// A node of a BSP; −1 stands for none.
#[derive(Clone, Debug, PartialEq)]
pub struct BspNode {
    /// Normal and distance from the origin.
    pub plane: [f32; 4],
    /// `ZoneMask`: one bit for each zone.
    pub zone_mask: u64,
    /// `NodeFlags` as stored.
    pub flags: u8,
    /// Index of the polygon's first vertex in [`ModelData::vertices`].
    pub vertex_pool: i32,
    /// Index of the polygon's surface in [`ModelData::surfaces`].
    pub surface: i32,
    /// Index of the child behind the plane; −1 if there is none.
    pub back: i32,
    /// Index of the child in front of the plane; −1 if there is none.
    pub front: i32,
    /// Index of the next node in the same plane; −1 if there is none.
    pub coplanar: i32,
    /// `iCollisionBound` as stored; −1 if there is none.
    pub collision_bound: i32,
    /// `iRenderBound` as stored; −1 if there is none.
    pub render_bound: i32,
    /// Behind and before it.
    pub zones: [i32; 2],
    /// Number of the polygon's vertices, from `vertex_pool` on.
    pub vertex_count: u8,
    /// Behind and before it.
    pub leaves: [i32; 2],
}

impl Default for BspNode {
    /// A node by itself: nothing behind it, before it or in its plane, in no zone and no leaf.
    fn default() -> Self {
        Self {
            plane: [0.0; 4],
            zone_mask: 0,
            flags: 0,
            vertex_pool: 0,
            surface: 0,
            back: -1,
            front: -1,
            coplanar: -1,
            collision_bound: -1,
            render_bound: -1,
            zones: [0; 2],
            vertex_count: 0,
            leaves: [-1; 2],
        }
    }
}

/// What the nodes of one polygon share.
#[derive(Clone, Debug, PartialEq)]
pub struct BspSurface {
    /// The texture, or null.
    pub texture: Ref,
    /// PolyFlags (formats/unreal.md §9.2).
    pub flags: u32,
    /// A point of the model.
    pub base: i32,
    /// Vectors of the model.
    pub normal: i32,
    /// Index of the vector along which U increases, in texels per unit.
    pub texture_u: i32,
    /// Index of the vector along which V increases, in texels per unit.
    pub texture_v: i32,
    /// Index in [`ModelData::light_maps`]; −1 if the surface has no light map.
    pub light_map: i32,
    /// `iBrushPoly` as stored.
    pub brush_poly: i32,
    /// Offset of the texture in texels, U and V.
    pub pan: [i16; 2],
    /// The brush's actor.
    pub actor: Ref,
}

/// Where the light of a surface is: a grid of `clamp` places, `scale` apart in texture space from `pan` on.
#[derive(Clone, Debug, PartialEq)]
pub struct LightMap {
    /// Into the light bits.
    pub data_offset: i32,
    /// Position of the first texel in texels of the surface, without the surface's own `pan`.
    pub pan: [f32; 3],
    /// Size in texels, U and V.
    pub clamp: [i32; 2],
    /// Texels of the surface in one of the light map, U and V.
    pub scale: [f32; 2],
    /// Into the lights: where the null-terminated list of this surface begins.
    pub light_actors: i32,
}

/// A convex part of empty space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Index of the zone that contains the leaf.
    pub zone: i32,
    /// `iPermeating` as stored.
    pub permeating: i32,
    /// `iVolumetric` as stored.
    pub volumetric: i32,
    /// `visibleZones`: one bit for each zone.
    pub visible_zones: u64,
}

/// A zone of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    /// The zone's actor (`ZoneInfo`), or null.
    pub actor: Ref,
    /// `Connectivity`: one bit for each zone.
    pub connectivity: u64,
    /// `Visibility`: one bit for each zone.
    pub visibility: u64,
}

/// A brush's model, or a level's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelData {
    /// Bounding box of the model; its sphere is computed from the box.
    pub bounds: Bounds,
    /// Normals and texture directions that surfaces refer to.
    pub vectors: Vec<[f32; 3]>,
    /// Points that vertices and surfaces refer to.
    pub points: Vec<[f32; 3]>,
    /// Nodes of the BSP; node 0 is the root.
    pub nodes: Vec<BspNode>,
    /// Surfaces that nodes refer to.
    pub surfaces: Vec<BspSurface>,
    /// Point and side.
    pub vertices: Vec<[i32; 2]>,
    /// `NumSharedSides` as stored.
    pub shared_sides: i32,
    /// Zones; zone 0 is rock or outside the level.
    pub zones: Vec<Zone>,
    /// The `Polys` object, or null.
    pub polys: Ref,
    /// Light maps that surfaces refer to.
    pub light_maps: Vec<LightMap>,
    /// Bitmaps of all light maps: one bit for each texel, the lowest bit first; 1 means lit.
    pub light_bits: Vec<u8>,
    /// Boxes of the array `Bounds`.
    pub boxes: Vec<Bounds>,
    /// Numbers of the array `LeafHulls`.
    pub leaf_hulls: Vec<i32>,
    /// Leaves that nodes refer to.
    pub leaves: Vec<Leaf>,
    /// Lists of light actors, each ended by null.
    pub lights: Vec<Ref>,
    /// Whether space is empty where no brush is: so for all brushes, not for a level.
    pub root_outside: bool,
}

/// Writes the data of a `Model` object (formats/unreal.md §9.2).
pub fn write_model(out: &mut ObjectWriter<'_>, model: &ModelData) {
    write_properties(out, &Properties::new());
    model.bounds.write(out);
    out.array(&model.vectors, |out, vector| out.f32s(vector));
    out.array(&model.points, |out, point| out.f32s(point));
    out.array(&model.nodes, write_node);
    out.array(&model.surfaces, write_surface);
    out.array(&model.vertices, |out, [point, side]| {
        out.index(*point);
        out.index(*side);
    });
    out.i32(model.shared_sides);
    out.i32(i32::try_from(model.zones.len()).unwrap_or(i32::MAX));
    for zone in &model.zones {
        out.object(zone.actor);
        out.u64(zone.connectivity);
        out.u64(zone.visibility);
    }
    out.object(model.polys);
    out.array(&model.light_maps, |out, map| {
        out.i32(map.data_offset);
        out.f32s(&map.pan);
        map.clamp.iter().for_each(|clamp| out.index(*clamp));
        out.f32s(&map.scale);
        out.i32(map.light_actors);
    });
    out.count(model.light_bits.len());
    out.bytes(&model.light_bits);
    out.array(&model.boxes, |out, bounds| bounds.write_box(out));
    out.array(&model.leaf_hulls, |out, hull| out.i32(*hull));
    out.array(&model.leaves, |out, leaf| {
        [leaf.zone, leaf.permeating, leaf.volumetric].iter().for_each(|value| out.index(*value));
        out.u64(leaf.visible_zones);
    });
    out.array(&model.lights, |out, light| out.object(*light));
    out.u32(u32::from(model.root_outside));
    out.u32(0);
}

fn write_node(out: &mut ObjectWriter<'_>, node: &BspNode) {
    out.f32s(&node.plane);
    out.u64(node.zone_mask);
    out.u8(node.flags);
    let [zone_behind, zone_before] = node.zones;
    for index in [
        node.vertex_pool,
        node.surface,
        node.back,
        node.front,
        node.coplanar,
        node.collision_bound,
        node.render_bound,
        zone_behind,
        zone_before,
    ] {
        out.index(index);
    }
    out.u8(node.vertex_count);
    out.i32s(&node.leaves);
}

fn write_surface(out: &mut ObjectWriter<'_>, surface: &BspSurface) {
    out.object(surface.texture);
    out.u32(surface.flags);
    for index in
        [surface.base, surface.normal, surface.texture_u, surface.texture_v, surface.light_map, surface.brush_poly]
    {
        out.index(index);
    }
    surface.pan.iter().for_each(|pan| out.i16(*pan));
    out.object(surface.actor);
}

/// One way between two places that a walker can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachSpec {
    /// Length in units.
    pub distance: i32,
    /// Actor at the start.
    pub start: Ref,
    /// Actor at the end.
    pub end: Ref,
    /// Radius of the largest actor that fits through, in units.
    pub radius: i32,
    /// Half the height of the largest actor that fits through, in units.
    pub height: i32,
    /// Abilities that the path requires, as a bit mask.
    pub flags: i32,
    /// True if the game ignores the path because shorter ones lead to the same actor.
    pub pruned: bool,
}

/// A level: its actors and its model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelData {
    /// Actors of the level; may contain null.
    pub actors: Vec<Ref>,
    /// Protocol of the level's URL.
    pub protocol: String,
    /// Map of the level's URL.
    pub map: String,
    /// Port of the level's URL.
    pub port: i32,
    /// The level's `Model`.
    pub model: Ref,
    /// Paths that computer players know.
    pub reach_specs: Vec<ReachSpec>,
    /// `TimeSeconds`: time of the level, in seconds.
    pub time_secs: f32,
    /// Up to sixteen texts.
    pub text_blocks: Vec<Ref>,
    /// Keys and values of the travel information; not written before version 63.
    pub travel_info: Vec<(String, String)>,
}

/// Writes the data of a `Level` object (formats/unreal.md §9.3).
pub fn write_level(out: &mut ObjectWriter<'_>, level: &LevelData) {
    write_properties(out, &Properties::new());
    let count = i32::try_from(level.actors.len()).unwrap_or(i32::MAX);
    out.i32s(&[count, count]);
    level.actors.iter().for_each(|actor| out.object(*actor));
    // Protocol, host, map, portal, and no options.
    for part in [level.protocol.as_str(), "", level.map.as_str(), ""] {
        out.string(part);
    }
    out.count(0);
    out.i32(level.port);
    out.u32(1);
    out.object(level.model);
    out.array(&level.reach_specs, |out, spec| {
        out.i32(spec.distance);
        out.object(spec.start);
        out.object(spec.end);
        out.i32s(&[spec.radius, spec.height, spec.flags]);
        out.u8(u8::from(spec.pruned));
    });
    out.f32(level.time_secs);
    out.object(Ref::NULL);
    (0..16).for_each(|block| out.object(level.text_blocks.get(block).copied().unwrap_or_default()));
    if out.version() > 62 {
        out.array(&level.travel_info, |out, (key, value)| {
            out.string(key);
            out.string(value);
        });
    }
}
