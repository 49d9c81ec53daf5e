//! Flat polygons become a scene model, grouped by what they look like.

use super::{
    material,
    textures::{Images, Texture},
};
use crate::scene::{Image, Material, MaterialKind, Mesh, Model, Surface, TextureMotion};
use glam::{Vec2, Vec3};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// A convex polygon, in scene space; its corners go round it clockwise as one looks at its face.
#[derive(Clone, Debug)]
pub struct Polygon {
    pub texture: Arc<Texture>,
    /// PolyFlags, with those that the texture adds.
    pub flags: u32,
    /// Shown in full brightness although its flags do not say so: a level was lit, and this was left out.
    pub unlit: bool,
    /// Of its baked light.
    pub page: Option<Arc<Image>>,
    pub normal: Vec3,
    pub corners: Vec<Corner>,
    /// What [`Mesh::triangle_sources`] says of it.
    pub source: u32,
    pub zone: u8,
    /// Behind it and in front of it.
    pub zones: [u8; 2],
    pub motion: Option<TextureMotion>,
    /// Into [`crate::scene::Map::windows`].
    pub window: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    pub point: Vec3,
    pub uv: Vec2,
    /// On its page of baked light.
    pub light_uv: Vec2,
}

impl Polygon {
    /// Whether it can be drawn: three corners or more, all of them finite.
    pub fn is_sound(&self) -> bool {
        self.corners.len() >= 3 && self.normal.is_finite() && self.corners.iter().all(|c| c.point.is_finite())
    }
}

/// What polygons that are drawn as one have in common, in the order in which they are drawn.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Look {
    texture: String,
    flags: u32,
    unlit: bool,
    image: usize,
    page: usize,
    /// Texels a second, and whether it swings.
    motion: Option<([u32; 2], bool)>,
    window: Option<u32>,
}

impl Look {
    fn of(polygon: &Polygon) -> Self {
        let address = |image: &Arc<Image>| Arc::as_ptr(image) as usize;
        Self {
            texture: polygon.texture.name.to_ascii_lowercase(),
            flags: polygon.flags & material::LOOK,
            unlit: polygon.unlit,
            image: polygon.texture.image.as_ref().map_or(0, address),
            page: polygon.page.as_ref().map_or(0, address),
            motion: polygon.motion.map(|motion| (motion.pan.to_array().map(f32::to_bits), motion.wavy)),
            window: polygon.window,
        }
    }
}

/// Builds a model of one mesh; polygons that are not sound are left out.
pub fn model(name: &str, polygons: &[Polygon]) -> Model {
    let mut groups: BTreeMap<Look, Vec<&Polygon>> = BTreeMap::new();
    for polygon in polygons.iter().filter(|p| p.is_sound()) {
        groups.entry(Look::of(polygon)).or_default().push(polygon);
    }
    let mut model = Model::empty(name);
    model.file_from_scene = super::space::file_from_scene();
    let mut images = Images::default();
    let mut mesh = Mesh { name: name.to_owned(), ..Mesh::default() };
    let has_light = polygons.iter().any(|p| p.page.is_some());
    let has_zones = polygons.iter().any(|p| p.zone != 0);
    let (mut uvs, mut light_uvs) = (Vec::new(), Vec::new());
    let mut points: HashMap<[u32; 3], u32> = HashMap::new();
    for group in groups.values() {
        let Some(first) = group.first() else { continue };
        let mut basic = material::basic(first.flags);
        basic.unlit |= first.unlit;
        (basic.motion, basic.window) = (first.motion, first.window);
        basic.image = first.texture.image.as_ref().map(|image| images.index_of(image));
        basic.lightmap = first.page.as_ref().map(|page| images.index_of(page));
        let name = if first.texture.name.is_empty() { "no texture" } else { &first.texture.name };
        let material = model.materials.len() as u32;
        model.materials.push(Material { name: name.to_owned(), kind: MaterialKind::Basic(basic) });
        let first_index = mesh.indices.len() as u32;
        for polygon in group {
            let base = mesh.vertex_points.len() as u32;
            for corner in &polygon.corners {
                let next = mesh.points.len() as u32;
                let point = *points.entry(corner.point.to_array().map(f32::to_bits)).or_insert(next);
                if point == next {
                    mesh.points.push(corner.point);
                }
                mesh.vertex_points.push(point);
                mesh.vertex_sources.push(polygon.source);
                mesh.normals.push(polygon.normal);
                uvs.push(if corner.uv.is_finite() { corner.uv } else { Vec2::ZERO });
                light_uvs.push(if corner.light_uv.is_finite() { corner.light_uv } else { Vec2::ZERO });
                if has_zones {
                    mesh.vertex_zones.push(polygon.zone);
                }
            }
            for second in 1..(polygon.corners.len() as u32).saturating_sub(1) {
                let [b, c] = [second, second.saturating_add(1)].map(|corner| base.saturating_add(corner));
                mesh.indices.extend([base, c, b]);
                mesh.triangle_sources.push(polygon.source);
            }
        }
        let index_count = (mesh.indices.len() as u32).saturating_sub(first_index);
        mesh.surfaces.push(Surface { first_index, index_count, material });
    }
    mesh.uv_sets = if has_light { vec![uvs, light_uvs] } else { vec![uvs] };
    model.images = images.list;
    if !mesh.points.is_empty() {
        model.meshes.push(mesh);
    }
    model
}
