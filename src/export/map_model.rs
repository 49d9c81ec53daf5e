//! Levels as models: the parts that exports draw, one model with everything in its place, and meshes of several models
//! on one list of materials.

use crate::scene::{
    BasicMaterial, Image, Map, MapItem, MapItemKind, Material, MaterialKind, Mesh, Model, skinning::cofactor,
};
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

/// A model of a level's walls, movers and placed meshes where they stand: a mesh for each, under its actor's name. Hidden surfaces,
/// sprites and brushes are left out.
pub fn placed_model(map: &Map) -> Model {
    let (mut whole, meshes) = gathered(map, is_written);
    whole.file_from_scene = map.file_from_scene;
    for item in map.items.iter().filter(|item| is_written(item)) {
        for mesh in meshes.get(item.model as usize).into_iter().flatten() {
            if !mesh.indices.is_empty() {
                whole.meshes.push(placed(mesh, &item.world_from_model, name_of(map, item)));
            }
        }
    }
    whole
}

/// Whether it is drawn where it stands, whoever looks.
pub fn is_written(item: &MapItem) -> bool {
    matches!(item.kind, MapItemKind::World | MapItemKind::Mover | MapItemKind::Mesh)
}

/// What it is called: as its actor, or as its model.
pub fn name_of<'a>(map: &'a Map, item: &MapItem) -> &'a str {
    let actor = item.actor.and_then(|actor| map.actors.get(actor as usize)).map(|actor| actor.name.as_str());
    let model = || map.models.get(item.model as usize).map(|model| model.name.as_str());
    actor.or_else(model).filter(|name| !name.is_empty()).unwrap_or("item")
}

/// A model of all materials and pictures that are used, and for each model of the level its meshes on those materials, without
/// their hidden surfaces; of models that no item shows which `is_written`, none.
pub fn gathered(map: &Map, is_written: impl Fn(&MapItem) -> bool) -> (Model, Vec<Vec<Mesh>>) {
    let mut whole = Model::empty(&map.name);
    let mut materials = SharedMaterials::default();
    let mut meshes = Vec::with_capacity(map.models.len());
    for (index, model) in (0_u32..).zip(&map.models) {
        if !map.items.iter().any(|item| item.model == index && is_written(item)) {
            meshes.push(Vec::new());
            continue;
        }
        let of_model = model.meshes.iter().map(|mesh| {
            let mut mesh = materials.mesh(&mut whole, model, mesh);
            if mesh.name.is_empty() {
                mesh.name.clone_from(&model.name);
            }
            mesh
        });
        let of_model = of_model.collect();
        meshes.push(of_model);
    }
    (whole, meshes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{BasicMaterial, MapActor, Material, MaterialKind, SourceEntry, Surface};
    use glam::{Affine3A, Quat, Vec2, Vec3};
    use std::sync::Arc;

    /// A triangle that faces +Z, of a material that is seen and of one that is not.
    fn triangle() -> Model {
        let basic = |hidden| MaterialKind::Basic(BasicMaterial { hidden, ..BasicMaterial::default() });
        let surface = |material| Surface { first_index: 3 * material, index_count: 3, material };
        let mesh = Mesh {
            points: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            vertex_points: vec![0, 1, 2],
            normals: vec![Vec3::Z; 3],
            uv_sets: vec![vec![Vec2::ZERO; 3], vec![Vec2::ONE; 3]],
            indices: vec![0, 1, 2, 0, 2, 1],
            surfaces: vec![surface(0), surface(1)],
            ..Mesh::default()
        };
        let material = |name: &str, hidden| Material { name: name.into(), kind: basic(hidden) };
        Model {
            meshes: vec![mesh],
            materials: vec![material("stone", false), material("portal", true)],
            ..Model::empty("lift")
        }
    }

    #[test]
    fn everything_is_in_its_place_and_faces_where_it_did() {
        let item = |world_from_model, actor, kind| MapItem {
            model: 0,
            world_from_model,
            kind,
            source: SourceEntry::FILE,
            actor,
            hidden_in_game: false,
            sky: None,
        };
        let turned = Affine3A::from_scale_rotation_translation(
            Vec3::splat(2.0),
            Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
            Vec3::new(5.0, 0.0, 0.0),
        );
        let mirrored = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        let actor = MapActor {
            name: "Lift0".into(),
            class: "Mover".into(),
            location: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            properties: Vec::new(),
            source: SourceEntry::FILE,
            ..MapActor::default()
        };
        let map = Map {
            models: vec![Arc::new(triangle())],
            items: vec![
                item(turned, Some(0), MapItemKind::Mover),
                item(mirrored, None, MapItemKind::Mesh),
                item(mirrored, None, MapItemKind::Sprite),
            ],
            actors: vec![actor],
            ..Map::default()
        };
        let whole = placed_model(&map);
        assert_eq!(whole.meshes.iter().map(|mesh| mesh.name.as_str()).collect::<Vec<_>>(), ["Lift0", "lift"]);
        assert_eq!(whole.materials.iter().map(|material| material.name.as_str()).collect::<Vec<_>>(), ["stone"]);
        // X turns to −Z, and Z to X.
        let [first, second] = whole.meshes.as_slice() else { panic!("{} meshes", whole.meshes.len()) };
        let wanted = [Vec3::new(5.0, 0.0, 0.0), Vec3::new(5.0, 0.0, -2.0), Vec3::new(5.0, 2.0, 0.0)];
        assert!(first.points.iter().zip(wanted).all(|(a, b)| a.abs_diff_eq(b, 1e-5)), "{:?}", first.points);
        assert!(first.normals[0].abs_diff_eq(Vec3::X, 1e-5), "{}", first.normals[0]);
        for mesh in [first, second] {
            let corner = |n: usize| mesh.points[mesh.vertex_points[mesh.indices[n] as usize] as usize];
            let facing = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalize_or_zero();
            assert!(facing.abs_diff_eq(mesh.normals[0], 1e-5), "{facing} {}", mesh.normals[0]);
            assert_eq!(mesh.surfaces.len(), 1);
        }
    }
}
