//! SkeletalMesh, and its conversion to a model with a skeleton (§8.5).

use super::{
    super::{
        header::Object,
        object::{Fault, ObjectReader},
        tables::ObjectRef,
    },
    lod::{LodMesh, Wedge, read_lod_mesh},
    materials::{FindSkin, Materials},
    space::{self, smooth_normals},
    vertex_model::{Corner, Triangle, Winding, add_triangles, normals_of_vertices, point_triangles},
};
use crate::{
    formats::LoadContext,
    scene::{Influence, Joint, Mesh, Model, Run, Skeleton, Skin, Socket, Transform},
};
use glam::Vec3;

/// A bone at rest, relative to its parent; the first is its own parent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    pub name: String,
    /// x, y, z, w.
    pub orientation: [f32; 4],
    pub position: [f32; 3],
    pub parent: i32,
}

/// Which of the weights are a bone's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoneWeightIndex {
    pub first: u16,
    pub count: u16,
}

/// How much a bone moves a point, of 65535.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoneWeight {
    pub point: u16,
    pub weight: u16,
}

/// A mesh on a skeleton.
#[derive(Clone, Debug, Default)]
pub struct SkeletalMesh {
    pub lod: LodMesh,
    /// Empty where those of the LodMesh count.
    pub ext_wedges: Vec<Wedge>,
    /// At rest.
    pub points: Vec<[f32; 3]>,
    pub skeleton: Vec<Bone>,
    /// One for each bone.
    pub weight_indices: Vec<BoneWeightIndex>,
    pub weights: Vec<BoneWeight>,
    pub default_animation: ObjectRef,
    pub weapon_bone: i32,
    /// Where a weapon lies on that bone.
    pub weapon_origin: [f32; 3],
}

/// Reads a SkeletalMesh behind its properties.
pub fn read_skeletal_mesh(r: &mut ObjectReader<'_>) -> Result<SkeletalMesh, Fault> {
    let lod = read_lod_mesh(r)?;
    let ext_wedges = r.array("ExtWedges", "MeshExtWedge", 12, |r| {
        let vertex = r.u16("Vertex")?;
        r.u16("Flags")?;
        Ok(Wedge { vertex, uv: [r.f32("U")?, r.f32("V")?] })
    })?;
    let points = r.array("Points", "Vector", 12, |r| r.vector("Point"))?;
    let skeleton = r.array("RefSkeleton", "MeshBone", 57, |r| {
        let name = r.name("Name")?.to_owned();
        r.u32("Flags")?;
        let orientation = r.floats::<4>("Orientation", "Quat")?;
        let position = r.vector("Position")?;
        r.f32("Length")?;
        r.vector("Size")?;
        r.i32("NumChildren")?;
        Ok(Bone { name, orientation, position, parent: r.i32("ParentIndex")? })
    })?;
    let weight_indices = r.array("BoneWeightIdx", "BoneWeightIndex", 8, |r| {
        let (first, count) = (r.u16("WeightIndex")?, r.u16("Number")?);
        r.u16("DetailA")?;
        r.u16("DetailB")?;
        Ok(BoneWeightIndex { first, count })
    })?;
    let weights = r.array("BoneWeights", "BoneWeight", 4, |r| {
        Ok(BoneWeight { point: r.u16("PointIndex")?, weight: r.u16("Weight")? })
    })?;
    r.array("LocalPoints", "Vector", 12, |r| r.vector("Point"))?;
    r.i32("SkeletalDepth")?;
    let default_animation = r.object("DefaultAnimation")?;
    let weapon_bone = r.i32("WeaponBoneIndex")?;
    let weapon_origin = r.group("WeaponAdjust", "Coords", |r| {
        let origin = r.vector("Origin")?;
        for name in ["XAxis", "YAxis", "ZAxis"] {
            r.vector(name)?;
        }
        Ok(origin)
    })?;
    Ok(SkeletalMesh {
        lod,
        ext_wedges,
        points,
        skeleton,
        weight_indices,
        weights,
        default_animation,
        weapon_bone,
        weapon_origin,
    })
}

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
    let joint = |(index, bone): (usize, &Bone)| {
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
