//! The polygons that a brush is made of (formats/unreal.md §9.1).

use crate::formats::unreal::poly_flags;
use crate::formats::unreal::{
    object::{Fault, ObjectReader},
    properties::PropertyList,
    tables::ObjectRef,
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
    let count = super::database::counts(r)?;
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
