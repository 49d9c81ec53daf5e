//! SkeletalMesh as a model with a skeleton (§8.5), in the space of its bones: Scale, Origin and RotOrigin, which place it in
//! the world, are left to whoever does that.

use super::{
    super::header::Object,
    frames::smooth_normals,
    materials::{FindSkin, Materials},
    skeletal::SkeletalMesh,
    space,
    vertex_model::{Corner, Triangle, Winding, add_triangles, normals_of_vertices, point_triangles},
};
use crate::{
    formats::LoadContext,
    scene::{Influence, Joint, Mesh, Model, Run, Skeleton, Skin, Socket, Transform},
};
use glam::Vec3;

pub fn model(object: &Object<'_>, skeletal: &SkeletalMesh, find: &mut FindSkin<'_>, cx: &mut LoadContext<'_>) -> Model {
    let lod = &skeletal.lod;
    let mut model = Model::empty(object.name());
    let mut materials = Materials::new(object.package, &lod.mesh.textures, &mut model, find, cx);
    let wedges = if skeletal.ext_wedges.is_empty() { &lod.wedges } else { &skeletal.ext_wedges };
    let corners: Vec<Corner> = wedges
        .iter()
        .enumerate()
        .map(|(index, wedge)| {
            let uv = wedge.uv.map(|c| if c.is_finite() { c } else { 0.0 });
            Corner { point: u32::from(wedge.vertex), uv, source: index as u32 }
        })
        .collect();
    let good = |wedge: &u16| {
        corners.get(usize::from(*wedge)).is_some_and(|corner| (corner.point as usize) < skeletal.points.len())
    };
    let mut triangles = Vec::new();
    for (source, face) in lod.faces.iter().enumerate().filter(|(_, face)| face.wedges.iter().all(good)) {
        let found = lod.materials.get(usize::from(face.material)).copied().unwrap_or_default();
        let material = materials.index(found.poly_flags, found.texture);
        triangles.push(Triangle { vertices: face.wedges.map(u32::from), material, source: source as u32 });
    }
    materials.note_empty_slots();
    if !skeletal.default_animation.is_none() && object.package.resolve(skeletal.default_animation).is_none() {
        let path = object.package.object_path(skeletal.default_animation);
        model.missing.push(format!("the animation {path} was not found"));
    }
    model.file_from_scene = space::bones_from_scene();
    let points: Vec<Vec3> = skeletal.points.iter().map(|p| space::bone_point(*p)).collect();
    let mut mesh = Mesh { name: model.name.clone(), points, ..Mesh::default() };
    add_triangles(&mut mesh, &corners, &triangles, Winding::Clockwise);
    mesh.point_normals = smooth_normals(&mesh.points, &point_triangles(&mesh));
    mesh.normals = normals_of_vertices(&mesh);
    if !skeletal.skeleton.is_empty() {
        model.skeleton = Some(skeleton(skeletal));
        mesh.skin = Some(skin(skeletal));
    }
    if !mesh.points.is_empty() {
        model.meshes.push(mesh);
    }
    model
}

fn skeleton(skeletal: &SkeletalMesh) -> Skeleton {
    let joint = |(index, bone): (usize, &super::skeletal::Bone)| {
        let stored = space::bone_rotation(bone.orientation);
        let parent = u32::try_from(bone.parent).ok().filter(|p| *p as usize != index && index > 0);
        let bind = Transform {
            translation: space::bone_point(bone.position),
            rotation: crate::scene::rotation_or_identity(if index == 0 { stored } else { stored.conjugate() }),
            scale: Vec3::ONE,
        };
        Joint { name: bone.name.clone(), parent, bind, ..Joint::default() }
    };
    // Where weapons go; an index past the bones means nowhere.
    let joint_count = skeletal.skeleton.len();
    let weapon = u32::try_from(skeletal.weapon_bone).ok().filter(|bone| (*bone as usize) < joint_count);
    let socket = |bone| {
        let transform = Transform { translation: space::bone_point(skeletal.weapon_origin), ..Transform::IDENTITY };
        Socket { name: "Weapon".to_owned(), joint: Some(bone), transform }
    };
    Skeleton::new(skeletal.skeleton.iter().enumerate().map(joint).collect(), weapon.map(socket).into_iter().collect())
}

/// Influences by point; a point's weights are made to sum to one, and one that no bone claims follows the first.
fn skin(skeletal: &SkeletalMesh) -> Skin {
    let mut lists: Vec<Vec<Influence>> = vec![Vec::new(); skeletal.points.len()];
    for (joint, index) in skeletal.weight_indices.iter().enumerate().take(skeletal.skeleton.len()) {
        let first = usize::from(index.first);
        let range = first..first.saturating_add(usize::from(index.count));
        for weight in skeletal.weights.get(range).unwrap_or_default() {
            if let Some(list) = lists.get_mut(usize::from(weight.point)).filter(|_| weight.weight > 0) {
                list.push(Influence { joint: joint as u32, weight: f32::from(weight.weight) / 65535.0 });
            }
        }
    }
    let mut skin = Skin::default();
    for mut list in lists {
        let sum: f32 = list.iter().map(|i| i.weight).sum();
        if list.is_empty() {
            list.push(Influence { joint: 0, weight: 1.0 });
        } else {
            list.iter_mut().for_each(|i| i.weight /= sum);
        }
        skin.runs.push(Run { first: skin.influences.len() as u32, count: list.len() as u32 });
        skin.influences.append(&mut list);
    }
    skin
}
