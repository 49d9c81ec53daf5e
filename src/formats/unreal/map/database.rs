//! The parts of a Model, and the objects of their own that held them up to version 61 (formats/unreal.md §2.6, §9.2).

use crate::formats::unreal::{
    object::{Fault, ObjectReader},
    poly_flags,
    tables::ObjectRef,
};

/// A node of the tree with its polygon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Node {
    /// Normal and distance.
    pub plane: [f32; 4],
    pub zone_mask: u64,
    pub flags: u8,
    /// The first of its vertices, into the Model's.
    pub vert_pool: i32,
    pub surf: i32,
    pub back: i32,
    pub front: i32,
    /// The next node in the same plane.
    pub plane_next: i32,
    pub collision_bound: i32,
    pub render_bound: i32,
    /// Behind and in front.
    pub zones: [i32; 2],
    pub vertex_count: u8,
    pub leaves: [i32; 2],
}

/// What the polygons of several nodes have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surf {
    pub texture: ObjectRef,
    pub flags: u32,
    /// Into the Model's points.
    pub base: i32,
    /// Into the Model's vectors.
    pub normal: i32,
    pub texture_u: i32,
    pub texture_v: i32,
    pub light_map: i32,
    pub brush_poly: i32,
    /// Texels.
    pub pan: [i16; 2],
    /// The actor of the brush that it was cut from.
    pub brush: ObjectRef,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vert {
    pub point: i32,
    pub side: i32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    pub actor: ObjectRef,
    pub connectivity: u64,
    pub visibility: u64,
}

/// The two counts in front of a “database” array: how many there are, and how many there is room for, which says nothing.
pub fn counts(r: &mut ObjectReader<'_>) -> Result<u64, Fault> {
    let at = r.offset();
    let count = r.i32("Count")?;
    r.i32("Capacity")?;
    u64::try_from(count).map_err(|_| Fault { offset: at, message: format!("invalid count {count}") })
}

/// The whole of a Vectors or Points object.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_vectors(r: &mut ObjectReader<'_>) -> Result<Vec<[f32; 3]>, Fault> {
    let count = counts(r)?;
    r.elements("Vectors", "Vector", count, 12, vector)
}

/// The whole of a BspNodes object.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_nodes(r: &mut ObjectReader<'_>) -> Result<(Vec<Node>, Vec<Zone>), Fault> {
    let count = counts(r)?;
    let nodes = r.elements("Nodes", "FBspNode", count, SMALLEST_NODE, node)?;
    let zones = r.array("Zones", "FZoneProperties", SMALLEST_ZONE, zone)?;
    Ok((nodes, zones))
}

/// The whole of a BspSurfs object.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_surfs(r: &mut ObjectReader<'_>) -> Result<Vec<Surf>, Fault> {
    let count = counts(r)?;
    r.elements("Surfs", "FBspSurf", count, SMALLEST_SURF, surf)
}

/// The whole of a Verts object: the vertices and NumSharedSides.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_verts(r: &mut ObjectReader<'_>) -> Result<(Vec<Vert>, i32), Fault> {
    let count = counts(r)?;
    let verts = r.elements("Verts", "FVert", count, SMALLEST_VERT, vert)?;
    Ok((verts, r.index("NumSharedSides")?))
}

pub const SMALLEST_NODE: u64 = 16 + 8 + 1 + 9 + 1 + 8;
pub const SMALLEST_SURF: u64 = 1 + 4 + 6 + 4 + 1;
pub const SMALLEST_VERT: u64 = 2;
pub const SMALLEST_ZONE: u64 = 17;

pub fn vector(r: &mut ObjectReader<'_>) -> Result<[f32; 3], Fault> {
    r.vector("Vector")
}

pub fn node(r: &mut ObjectReader<'_>) -> Result<Node, Fault> {
    Ok(Node {
        plane: r.floats::<4>("Plane", "Plane")?,
        zone_mask: r.u64("ZoneMask")?,
        flags: r.u8("NodeFlags")?,
        vert_pool: r.index("iVertPool")?,
        surf: r.index("iSurf")?,
        back: r.index("iBack")?,
        front: r.index("iFront")?,
        plane_next: r.index("iPlane")?,
        collision_bound: r.index("iCollisionBound")?,
        render_bound: r.index("iRenderBound")?,
        zones: [r.index("iZone0")?, r.index("iZone1")?],
        vertex_count: r.u8("NumVertices")?,
        leaves: [r.i32("iLeaf0")?, r.i32("iLeaf1")?],
    })
}

pub fn surf(r: &mut ObjectReader<'_>) -> Result<Surf, Fault> {
    Ok(Surf {
        texture: r.object("Texture")?,
        flags: r.flags("PolyFlags", poly_flags::NAMES)?,
        base: r.index("pBase")?,
        normal: r.index("vNormal")?,
        texture_u: r.index("vTextureU")?,
        texture_v: r.index("vTextureV")?,
        light_map: r.index("iLightMap")?,
        brush_poly: r.index("iBrushPoly")?,
        pan: [r.i16("PanU")?, r.i16("PanV")?],
        brush: r.object("Actor")?,
    })
}

pub fn vert(r: &mut ObjectReader<'_>) -> Result<Vert, Fault> {
    Ok(Vert { point: r.index("pVertex")?, side: r.index("iSide")? })
}

pub fn zone(r: &mut ObjectReader<'_>) -> Result<Zone, Fault> {
    Ok(Zone { actor: r.object("ZoneActor")?, connectivity: r.u64("Connectivity")?, visibility: r.u64("Visibility")? })
}
