//! The chunks that say what a model's shapes are and what moves them: INF1, VTX1, EVP1, DRW1, JNT1, SHP1 (formats/j3d.md §6).

mod inf1;
mod layout;
mod shape_mesh;
mod shp1;
mod skeleton;
mod to_scene;
mod vtx1;

pub use inf1::{Inf1, NodeKind};
pub use shp1::Shp1;
pub use skeleton::Drw1;
pub use skeleton::Evp1;
pub use skeleton::Jnt1;
pub use to_scene::model;
pub use vtx1::Vtx1;

use super::file::{ChunkData, ChunkKind, Findings, Part};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Content, Field, Role,
        field_reader::{Fault, FieldReader},
    },
};
use shp1::RecordPlace;
use std::any::Any;

/// How these chunks are read.
pub static KINDS: &[ChunkKind] = &[
    ChunkKind { tag: b"INF1", read: |r, findings| Ok(Box::new(inf1::read(r, findings)?)) },
    ChunkKind { tag: b"VTX1", read: |r, findings| Ok(Box::new(vtx1::read(r, findings)?)) },
    ChunkKind { tag: b"EVP1", read: |r, findings| Ok(Box::new(skeleton::read_envelopes(r, findings)?)) },
    ChunkKind { tag: b"DRW1", read: |r, _| Ok(Box::new(skeleton::read_draw_matrices(r)?)) },
    ChunkKind { tag: b"JNT1", read: |r, findings| Ok(Box::new(skeleton::read_joints(r, findings)?)) },
    ChunkKind { tag: b"SHP1", read: |r, findings| Ok(Box::new(read_shapes(r, findings)?)) },
];

/// The shapes, with their display lists as fields.
fn read_shapes(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Shp1, Fault> {
    let shp1 = shp1::read(r, findings)?;
    if r.is_recording()
        && let Some(field) = layout::field(&shp1, r.source())
    {
        r.push(field);
    }
    Ok(shp1)
}

macro_rules! without_parts {
    ($($name:ident),*) => {
        $(impl ChunkData for $name {
            fn as_any(&self) -> &dyn Any {
                self
            }
        })*
    };
}

without_parts!(Inf1, Vtx1, Evp1, Drw1);

impl ChunkData for Jnt1 {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(index, place): (usize, &RecordPlace)| Part {
            name: self.name(index),
            role: Role::Bone,
            class: "Joint",
            range: place.range.clone(),
            content: Content::None,
        };
        self.places.iter().enumerate().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        record_fields(source, self.places.get(part), skeleton::read_joint)
    }
}

impl ChunkData for Shp1 {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(index, place): (usize, &RecordPlace)| Part {
            name: format!("Shape {index}"),
            role: Role::Part,
            class: "Shape",
            range: place.range.clone(),
            content: Content::None,
        };
        self.places.iter().enumerate().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        record_fields(source, self.places.get(part), shp1::read_shape)
    }
}

/// The fields of one entry of a table, shown again outside its chunk.
fn record_fields<T>(
    source: &Source,
    place: Option<&RecordPlace>,
    read: fn(&mut FieldReader<'_>) -> Result<T, Fault>,
) -> Vec<Field> {
    let Some(place) = place.filter(|place| place.is_there) else { return Vec::new() };
    let mut r = FieldReader::new(source, place.range.clone(), Endian::Big).recording();
    // Of one that is cut off there are the fields before the cut.
    let _ = read(&mut r);
    r.into_fields().into_iter().map(Field::mirrored).collect()
}
