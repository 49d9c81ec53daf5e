//! Faces of a level (formats/visitor.md §2.4).

use super::lod_kind::LodKind;
use crate::{
    bytes::text,
    formats::field_reader::{Fault, FieldReader},
};

/// Bytes of a name that ends with a NUL.
const LONGEST_NAME: usize = 4096;
/// Bytes of the name of a face's texture, where it has a field of its own.
const TEXTURE_FIELD: usize = 32;

/// A triangle or a quadrangle, counter-clockwise seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// How many of the four corners count.
    pub count: u32,
    pub corners: [Corner; 4],
    pub flags: u32,
    pub texture: String,
    /// Path of a material file; older levels have none.
    pub material: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    pub point: u32,
    pub normal: u32,
    /// V = 0 is the picture's top row.
    pub uv: [f32; 2],
}

/// Reads a face.
///
/// # Errors
/// When it does not fit, or a name has no end.
pub fn read(r: &mut FieldReader<'_>, kind: LodKind) -> Result<Face, Fault> {
    let mut texture = String::new();
    if kind == LodKind::Sp3x {
        texture = r.text("Texture", TEXTURE_FIELD, text::decode_field)?;
    }
    let count = r.u32("Corners")?;
    let mut corners = [Corner::default(); 4];
    for (index, corner) in corners.iter_mut().enumerate() {
        *corner = r.group(index.to_string(), "Corner", read_corner)?;
    }
    let flags = r.u32("Flags")?;
    let mut material = String::new();
    if kind == LodKind::P3dm {
        texture = name(r, "Texture")?;
        material = name(r, "Material")?;
    }
    Ok(Face { count, corners, flags, texture, material })
}

fn read_corner(r: &mut FieldReader<'_>) -> Result<Corner, Fault> {
    let point = r.u32("Point")?;
    let normal = r.u32("Normal")?;
    let uv = r.floats::<2>("TextureCoordinate", "f32[2]")?;
    Ok(Corner { point, normal, uv })
}

/// Text that ends with a NUL.
///
/// # Errors
/// When there is no NUL near enough.
pub fn name(r: &mut FieldReader<'_>, name: &'static str) -> Result<String, Fault> {
    let mut ahead = r.fork();
    let room = ahead.left().min(LONGEST_NAME);
    let bytes = ahead.raw().bytes(room)?;
    let length = bytes.iter().position(|b| *b == 0);
    let length = length.ok_or_else(|| r.fault("unterminated name"))?;
    r.text(name, length.saturating_add(1), text::decode_field)
}
