//! Meshes of several models as parts of one: on one list of materials, and where they stand.

use crate::scene::{BasicMaterial, Image, Material, MaterialKind, Mesh, Model, skinning::cofactor};
use glam::{Affine3A, Vec3, Vec3A};
use std::{collections::HashMap, sync::Arc};

/// Where materials and pictures of models went.
#[derive(Default)]
pub struct SharedMaterials {
    images: HashMap<*const Image, u32>,
    /// By name.
    slots: HashMap<String, Vec<u32>>,
}

impl SharedMaterials {
    /// A mesh on the materials of `whole`, without its hidden surfaces.
    pub fn mesh(&mut self, whole: &mut Model, model: &Model, mesh: &Mesh) -> Mesh {
        let mut mesh = mesh.clone();
        mesh.surfaces.retain_mut(|surface| match model.materials.get(surface.material as usize) {
            Some(material) if material.basic().hidden => false,
            Some(material) => {
                surface.material = self.slot(whole, model, material);
                true
            }
            None => {
                surface.material = u32::MAX;
                true
            }
        });
        // Without surfaces all of it counts as one: there is nothing to draw when they were all hidden.
        if mesh.surfaces.is_empty() && !model.materials.is_empty() {
            mesh.indices.clear();
        }
        mesh
    }

    /// Equal materials of one name are one.
    fn slot(&mut self, whole: &mut Model, model: &Model, material: &Material) -> u32 {
        let mut basic = material.basic();
        basic.lightmap = light_of(&basic, model).map(|image| self.image(whole, image));
        let image = basic.image.and_then(|image| model.images.get(image as usize));
        basic.image = image.map(|image| self.image(whole, image));
        let material = Material { name: material.name.clone(), kind: MaterialKind::Basic(basic) };
        let slots = self.slots.entry(material.name.clone()).or_default();
        let same = |slot: &&u32| whole.materials.get(**slot as usize) == Some(&material);
        if let Some(known) = slots.iter().find(same) {
            return *known;
        }
        whole.materials.push(material);
        let slot = whole.materials.len() as u32 - 1;
        slots.push(slot);
        slot
    }

    fn image(&mut self, whole: &mut Model, image: &Arc<Image>) -> u32 {
        *self.images.entry(Arc::as_ptr(image)).or_insert_with(|| {
            whole.images.push(image.clone());
            whole.images.len() as u32 - 1
        })
    }
}

/// The light map of a material; `None` for one that was not worked out.
pub fn light_of<'a>(basic: &BasicMaterial, model: &'a Model) -> Option<&'a Arc<Image>> {
    model.images.get(basic.lightmap? as usize).filter(|image| !image.rgba.is_empty())
}

/// What is drawn of a mesh where it stands; triangles of a mirrored one keep facing outward.
pub fn placed(mesh: &Mesh, place: &Affine3A, name: &str) -> Mesh {
    let turn = cofactor(&place.matrix3);
    let mut indices = mesh.indices.clone();
    if place.matrix3.determinant() < 0.0 {
        indices.as_chunks_mut::<3>().0.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    Mesh {
        name: name.to_owned(),
        points: mesh.points.iter().map(|point| place.transform_point3(*point)).collect(),
        normals: mesh.normals.iter().map(|n| Vec3::from(turn * Vec3A::from(*n)).normalize_or(Vec3::Y)).collect(),
        vertex_points: mesh.vertex_points.clone(),
        uv_sets: mesh.uv_sets.clone(),
        colors: mesh.colors.clone(),
        indices,
        surfaces: mesh.surfaces.clone(),
        ..Mesh::default()
    }
}
