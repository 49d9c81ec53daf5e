//! Brushes and levels: Polys, Model and Level (formats/unreal.md §9), read to the byte, and what they look like.

mod actor;
mod brush;
mod bsp;
mod faults;
mod level;
mod light;
mod lightmap;
mod links;
mod live;
mod material;
mod model;
mod placed;
mod placing;
mod polygons;
mod space;
mod sprite;
mod t3d;
mod textures;
mod to_scene;
mod walls;
mod windows;
mod zones;

pub use brush::read_polys;
pub use level::read_level;
pub use model::read_model;
pub use model::{read_nodes, read_surfs, read_vectors, read_verts};
pub use t3d::{is_t3d, text as t3d_text};

use crate::formats::{
    Asset, LoadContext,
    unreal::{
        header::Object,
        kind::Kind,
        object::{Fault, ObjectReader},
    },
};
use std::sync::Arc;

/// Decodes a Polys, Model or Level object; the reader stands behind its properties.
///
/// # Errors
/// When nothing of it can be read.
pub fn load(object: &Object<'_>, r: &mut ObjectReader<'_>, cx: &mut LoadContext<'_>) -> Result<Asset, Fault> {
    let (package, export) = (object.package, object.export);
    Ok(match object.kind {
        Kind::Level => Asset::Map(Arc::new(to_scene::map(package, export, &read_level(r, object.properties())?, cx))),
        Kind::Model => Asset::Model(Arc::new(brush::model_of_brush(package, export, &object.name(), cx)?)),
        _ => {
            let polys = read_polys(r, object.properties())?;
            Asset::Model(Arc::new(brush::model_of_polys(package, export, &object.name(), &polys, cx)))
        }
    })
}
