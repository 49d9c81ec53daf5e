//! A brush by itself: its polygons in 3D, or their outlines (formats/unreal.md §9.1).

use super::{
    bsp,
    faults::report_faults,
    lightmap::TexturePlane,
    model::{Model, whole_model},
    polygons::{self, Corner, Polygon},
    space,
    textures::{Texture, Textures},
};
use crate::{
    formats::{
        LoadContext,
        unreal::{
            header::read_header,
            object::{Fault, ObjectReader},
            package::{Found, Package},
            poly_flags,
            properties::PropertyList,
            tables::ObjectRef,
        },
    },
    scene::{self, Mesh},
};
use glam::{Vec2, Vec3};
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

/// A polygon of a brush, in the brush's own space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Poly {
    /// Where the texture has its origin.
    pub base: [f32; 3],
    pub normal: [f32; 3],
    /// Texels along the surface.
    pub texture_u: [f32; 3],
    pub texture_v: [f32; 3],
    pub vertices: Vec<[f32; 3]>,
    pub flags: u32,
    /// The actor of the brush.
    pub brush: ObjectRef,
    pub texture: ObjectRef,
    /// What the brush builder called it.
    pub item: String,
    pub link: i32,
    pub brush_poly: i32,
    /// Texels.
    pub pan: [i16; 2],
}

/// Bytes of a polygon without vertices: a count, four vectors, the flags and six indices or more.
const SMALLEST: u64 = 1 + 48 + 4 + 5;

/// Reads the polygons.
///
/// # Errors
/// Where they cannot be read on.
pub fn read_polys(r: &mut ObjectReader<'_>, _properties: &PropertyList) -> Result<Vec<Poly>, Fault> {
    let count = super::model::counts(r)?;
    r.elements("Polys", "FPoly", count, SMALLEST, read_poly)
}

fn read_poly(r: &mut ObjectReader<'_>) -> Result<Poly, Fault> {
    let count = r.count("NumVertices")?;
    let base = r.vector("Base")?;
    let normal = r.vector("Normal")?;
    let texture_u = r.vector("TextureU")?;
    let texture_v = r.vector("TextureV")?;
    let vertices = r.elements("Vertices", "Vector", count, 12, |r| r.vector("Vertex"))?;
    let flags = r.flags("PolyFlags", poly_flags::NAMES)?;
    let brush = r.object("Brush")?;
    let texture = r.object("Texture")?;
    let item = r.name("Item")?.to_owned();
    let link = r.index("Link")?;
    let brush_poly = r.index("BrushPoly")?;
    let pan = if r.version() < 78 { [r.i16("PanU")?, r.i16("PanV")?] } else { [0, 0] };
    Ok(Poly { base, normal, texture_u, texture_v, vertices, flags, brush, texture, item, link, brush_poly, pan })
}

/// How much may be read of the brushes of a level. Each actor has a brush of its own or shares one with a few; a file made so
/// that thousands share a large one would take minutes and gigabytes.
pub struct Allowance {
    bytes_left: u64,
}

impl Allowance {
    /// Twice the file.
    pub fn of(package: &Package) -> Self {
        Self { bytes_left: (package.source.len() as u64).saturating_mul(2).max(1 << 20) }
    }

    /// Takes a brush off; false when nothing is left for it.
    pub fn take(&mut self, package: &Arc<Package>, export: usize, model: &Model) -> bool {
        let size = |package: &Package, export: usize| package.export(export).map_or(0, |e| u64::from(e.size));
        let polys = package.resolve(model.polys).map_or(0, |found| size(&found.package, found.export));
        let parts = [model.nodes.len(), model.surfs.len(), model.verts.len(), model.points.len(), model.vectors.len()];
        let parts = parts.into_iter().fold(0_usize, usize::saturating_add) as u64;
        let taken = size(package, export).max(parts.saturating_mul(2)).saturating_add(polys);
        let left = self.bytes_left.checked_sub(taken);
        self.bytes_left = left.unwrap_or(0);
        left.is_some()
    }

    pub fn is_spent(&self) -> bool {
        self.bytes_left == 0
    }
}

/// Reads the polygons that an export is.
///
/// # Errors
/// When they cannot be read.
pub fn whole_polys(found: &Found) -> Result<Vec<Poly>, Fault> {
    let mut reader = ObjectReader::of_export(&found.package, found.export);
    let header = read_header(&mut reader, found.export)?;
    read_polys(&mut reader, &header.properties)
}

/// A brush's polygons for the scene, in the brush's own space turned to the scene's axes.
fn polygons(polys: &[Poly], mut texture: impl FnMut(ObjectRef) -> Arc<Texture>, first_source: u32) -> Vec<Polygon> {
    let polygon = |(number, poly): (usize, &Poly)| {
        let plane = TexturePlane {
            base: Vec3::from(poly.base),
            normal: Vec3::from(poly.normal),
            texture_u: Vec3::from(poly.texture_u),
            texture_v: Vec3::from(poly.texture_v),
        };
        let texture = texture(poly.texture);
        let corner = |vertex: &[f32; 3]| Corner {
            point: space::point(*vertex),
            uv: plane.uv(Vec3::from(*vertex), poly.pan, texture.size),
            light_uv: Vec2::ZERO,
        };
        Polygon {
            flags: poly.flags | texture.flags,
            unlit: false,
            page: None,
            normal: space::point(poly.normal).normalize_or(Vec3::Y),
            corners: poly.vertices.iter().map(corner).collect(),
            source: first_source.saturating_add(number as u32),
            zone: 0,
            zones: [0; 2],
            motion: None,
            window: None,
            texture,
        }
    };
    polys.iter().enumerate().map(polygon).collect()
}

/// The polygons of a brush's Model: those of its Polys, or of its nodes where it has no Polys.
pub fn polygons_of_model(
    package: &Arc<Package>,
    model: &Model,
    mut texture: impl FnMut(ObjectRef) -> Arc<Texture>,
    damage: &mut dyn FnMut(Fault),
) -> Vec<Polygon> {
    match polys_of_model(package, model, damage) {
        Some(polys) => polygons(&polys, texture, 0),
        None => bsp::polygons(model, &mut texture, &bsp::Lighting::default(), &mut bsp::Skipped::default()),
    }
}

/// A Model's Polys, where it has such that can be read and are not empty.
pub fn polys_of_model(package: &Arc<Package>, model: &Model, damage: &mut dyn FnMut(Fault)) -> Option<Vec<Poly>> {
    let found = package.resolve(model.polys)?;
    let polys = whole_polys(&found).map_err(damage).ok()?;
    (!polys.is_empty()).then_some(polys)
}

/// A Polys object alone as a model.
pub fn model_of_polys(
    package: &Arc<Package>,
    export: usize,
    name: &str,
    polys: &[Poly],
    cx: &mut LoadContext<'_>,
) -> scene::Model {
    let mut textures = Textures::new(package, &cx.limits);
    let polygons = polygons(polys, |object| textures.find(package, object, cx), 0);
    textures.report(package, export, cx);
    let mut model = polygons::model(name, &polygons);
    model.missing = textures.missing();
    model
}

/// A Model object alone as a model.
///
/// # Errors
/// When it cannot be read.
pub fn model_of_brush(
    package: &Arc<Package>,
    export: usize,
    name: &str,
    cx: &mut LoadContext<'_>,
) -> Result<scene::Model, Fault> {
    let mut faults = Vec::new();
    let brush = whole_model(package, export, &mut |fault| faults.push(fault))?;
    let mut textures = Textures::new(package, &cx.limits);
    // The tree of a whole level holds more than the polygons that the editor left in its Polys.
    let polygons = if brush.nodes.is_empty() {
        let texture = |object| textures.find(package, object, cx);
        polygons_of_model(package, &brush, texture, &mut |fault| faults.push(fault))
    } else {
        let texture = |object| textures.find(package, object, cx);
        bsp::polygons(&brush, texture, &bsp::Lighting::default(), &mut bsp::Skipped::default())
    };
    report_faults(package, export, faults, cx);
    textures.report(package, export, cx);
    let mut model = polygons::model(name, &polygons);
    model.missing = textures.missing();
    Ok(model)
}

/// The edges of polygons as lines in one colour, each once.
pub fn outline(name: &str, polys: &[Poly], color: [u8; 4]) -> scene::Model {
    let mut model = scene::Model::empty(name);
    model.file_from_scene = space::file_from_scene();
    let mut mesh = Mesh { name: name.to_owned(), ..Mesh::default() };
    let mut points: HashMap<[u32; 3], u32> = HashMap::new();
    let mut edges: BTreeSet<[u32; 2]> = BTreeSet::new();
    for poly in polys {
        let corners: Vec<u32> = poly
            .vertices
            .iter()
            .map(|vertex| space::point(*vertex))
            .filter(|point| point.is_finite())
            .map(|point| {
                let next = mesh.points.len() as u32;
                let index = *points.entry(point.to_array().map(f32::to_bits)).or_insert(next);
                if index == next {
                    mesh.points.push(point);
                }
                index
            })
            .collect();
        for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            if a != b {
                edges.insert([*a.min(b), *a.max(b)]);
            }
        }
    }
    let count = mesh.points.len();
    mesh.vertex_points = (0..count as u32).collect();
    mesh.normals = vec![Vec3::Y; count];
    mesh.uv_sets = vec![vec![Vec2::ZERO; count]];
    mesh.colors = vec![color; count];
    mesh.lines = edges.into_iter().collect();
    model.meshes.push(mesh);
    model
}
