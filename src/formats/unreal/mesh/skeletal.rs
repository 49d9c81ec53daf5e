//! SkeletalMesh (§8.5).

use super::{
    super::{
        object::{Fault, ObjectReader},
        tables::ObjectRef,
    },
    lod::{LodMesh, Wedge, read_lod_mesh},
};

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
