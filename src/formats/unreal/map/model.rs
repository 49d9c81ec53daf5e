//! A brush's shape, or the BSP tree of a whole level, and the parts of a Model (formats/unreal.md §2.6, §9.2). Up to
//! version 61, these parts were objects of their own.

use crate::formats::{
    Value,
    unreal::{
        header::read_header,
        info::PAYLOAD,
        object::{Fault, ObjectReader},
        package::Package,
        poly_flags,
        properties::PropertyList,
        tables::ObjectRef,
    },
};
use std::sync::Arc;

/// Indices are the file's own: −1 for none, and not checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    pub vectors: Vec<[f32; 3]>,
    pub points: Vec<[f32; 3]>,
    pub nodes: Vec<Node>,
    pub surfs: Vec<Surf>,
    pub verts: Vec<Vert>,
    pub shared_sides: i32,
    pub zones: Vec<Zone>,
    pub polys: ObjectRef,
    pub light_maps: Vec<LightMap>,
    pub light_bits: Vec<u8>,
    pub bounds: Vec<Bounds>,
    pub leaf_hulls: Vec<i32>,
    pub leaves: Vec<Leaf>,
    /// Lists of lights, each ended by null.
    pub lights: Vec<ObjectRef>,
    pub root_outside: u32,
    pub linked: u32,
    /// Up to version 61: the objects that hold vectors, points, nodes, surfaces and vertices.
    pub parts: Option<[ObjectRef; 5]>,
}

/// A surface's shadows: one bitmap for each light that reaches it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LightMap {
    /// Bytes from the start of [`Model::light_bits`].
    pub data_offset: i32,
    /// Texels of the surface.
    pub pan: [f32; 3],
    /// Texels of the light map.
    pub size: [i32; 2],
    /// Texels of the surface in one of the light map.
    pub scale: [f32; 2],
    /// First of its list in [`Model::lights`].
    pub first_light: i32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    pub min: [f32; 3],
    pub max: [f32; 3],
    pub valid: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaf {
    pub zone: i32,
    pub permeating: i32,
    pub volumetric: i32,
    pub visible_zones: u64,
}

/// Reads a Model. Of version 61 and before its parts are objects of their own ([`whole_model`] brings them in).
///
/// # Errors
/// Where it cannot be read on.
pub fn read_model(r: &mut ObjectReader<'_>, _properties: &PropertyList) -> Result<Model, Fault> {
    let mut model = Model::default();
    let old = r.version() <= 61;
    bounds(r)?;
    if old {
        r.floats::<3>("BoundingSphere", "Sphere").map(|_| ())?
    } else {
        r.floats::<4>("BoundingSphere", "Sphere").map(|_| ())?
    }
    if old {
        let [a, b, c, d, e] = ["Vectors", "Points", "Nodes", "Surfs", "Verts"];
        model.parts = Some([r.object(a)?, r.object(b)?, r.object(c)?, r.object(d)?, r.object(e)?]);
    } else {
        model.vectors = r.array("Vectors", "Vector", 12, vector)?;
        model.points = r.array("Points", "Vector", 12, vector)?;
        model.nodes = r.array("Nodes", "FBspNode", SMALLEST_NODE, node)?;
        model.surfs = r.array("Surfs", "FBspSurf", SMALLEST_SURF, surf)?;
        model.verts = r.array("Verts", "FVert", SMALLEST_VERT, vert)?;
        model.shared_sides = r.i32("NumSharedSides")?;
        let at = r.offset();
        let zones = r.i32("NumZones")?;
        let zones = u64::try_from(zones).map_err(|_| Fault::new(at, format!("invalid zone count {zones}")))?;
        model.zones = r.elements("Zones", "FZoneProperties", zones, SMALLEST_ZONE, zone)?;
    }
    model.polys = r.object("Polys")?;
    model.light_maps = r.array("LightMaps", "FLightMapIndex", 4 + 12 + 2 + 8 + 4, light_map)?;
    let count = r.count("LightBits size")?;
    let count = r.raw().check_count(count, 1)?;
    model.light_bits = r.bytes("LightBits", "bitmaps", count, Value::Opaque(PAYLOAD))?.to_vec();
    model.bounds = r.array("Bounds", "Box", 25, bounds)?;
    model.leaf_hulls = r.array("LeafHulls", "i32", 4, |r| r.i32("LeafHull"))?;
    model.leaves = r.array("Leaves", "FLeaf", 11, leaf)?;
    model.lights = r.array("Lights", "object", 1, |r| r.object("Light"))?;
    if old {
        r.object("Unknown1")?;
        r.object("Unknown2")?;
    }
    model.root_outside = r.u32("RootOutside")?;
    model.linked = r.u32("Linked")?;
    Ok(model)
}

fn bounds(r: &mut ObjectReader<'_>) -> Result<Bounds, Fault> {
    r.group("Bounds", "Box", |r| {
        Ok(Bounds { min: r.vector("Min")?, max: r.vector("Max")?, valid: r.u8("IsValid")? != 0 })
    })
}

fn light_map(r: &mut ObjectReader<'_>) -> Result<LightMap, Fault> {
    Ok(LightMap {
        data_offset: r.i32("DataOffset")?,
        pan: r.vector("Pan")?,
        size: [r.index("UClamp")?, r.index("VClamp")?],
        scale: [r.f32("UScale")?, r.f32("VScale")?],
        first_light: r.i32("iLightActors")?,
    })
}

fn leaf(r: &mut ObjectReader<'_>) -> Result<Leaf, Fault> {
    Ok(Leaf {
        zone: r.index("iZone")?,
        permeating: r.index("iPermeating")?,
        volumetric: r.index("iVolumetric")?,
        visible_zones: r.u64("VisibleZones")?,
    })
}

/// Reads the Model that is an export, with its parts from objects of their own where it has such. A part that cannot be read
/// stays empty; `damage` is told.
///
/// # Errors
/// When the Model itself cannot be read.
pub fn whole_model(package: &Arc<Package>, export: usize, damage: &mut dyn FnMut(Fault)) -> Result<Model, Fault> {
    let mut reader = ObjectReader::of_export(package, export);
    let header = read_header(&mut reader, export)?;
    let mut model = read_model(&mut reader, &header.properties)?;
    bring_in_parts(package, &mut model, damage);
    Ok(model)
}

/// Reads what a Model of version 61 or before keeps in other objects.
fn bring_in_parts(package: &Arc<Package>, model: &mut Model, damage: &mut dyn FnMut(Fault)) {
    let Some([vectors, points, nodes, surfs, verts]) = model.parts else { return };
    fn part<T: Default>(
        package: &Arc<Package>,
        object: ObjectRef,
        read: impl Fn(&mut ObjectReader<'_>) -> Result<T, Fault>,
        damage: &mut dyn FnMut(Fault),
    ) -> T {
        let Some(found) = package.resolve(object) else { return T::default() };
        let mut reader = ObjectReader::of_export(&found.package, found.export);
        let result = read_header(&mut reader, found.export).and_then(|_| read(&mut reader));
        result.unwrap_or_else(|fault| {
            damage(fault);
            T::default()
        })
    }
    model.vectors = part(package, vectors, read_vectors, damage);
    model.points = part(package, points, read_vectors, damage);
    (model.nodes, model.zones) = part(package, nodes, read_nodes, damage);
    model.surfs = part(package, surfs, read_surfs, damage);
    (model.verts, model.shared_sides) = part(package, verts, read_verts, damage);
}

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
    u64::try_from(count).map_err(|_| Fault::new(at, format!("invalid count {count}")))
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

const SMALLEST_NODE: u64 = 16 + 8 + 1 + 9 + 1 + 8;
const SMALLEST_SURF: u64 = 1 + 4 + 6 + 4 + 1;
const SMALLEST_VERT: u64 = 2;
const SMALLEST_ZONE: u64 = 17;

fn vector(r: &mut ObjectReader<'_>) -> Result<[f32; 3], Fault> {
    r.vector("Vector")
}

fn node(r: &mut ObjectReader<'_>) -> Result<Node, Fault> {
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

fn surf(r: &mut ObjectReader<'_>) -> Result<Surf, Fault> {
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

fn vert(r: &mut ObjectReader<'_>) -> Result<Vert, Fault> {
    Ok(Vert { point: r.index("pVertex")?, side: r.index("iSide")? })
}

fn zone(r: &mut ObjectReader<'_>) -> Result<Zone, Fault> {
    Ok(Zone { actor: r.object("ZoneActor")?, connectivity: r.u64("Connectivity")?, visibility: r.u64("Visibility")? })
}
