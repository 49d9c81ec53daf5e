//! Ossie as package objects: a SkeletalMesh, and an Animation with two of its clips.

use bonebox::formats::{
    actorx::{Psa, Psk},
    unreal::encode::{
        AnimationBone, BoneWeight, BoneWeightIndex, Bounds, ExtWedge, LodData, LodFace, LodMaterial, LodWedge,
        MeshData, Move, Ref, Sequence, SkeletalData, SkeletonBone, Track,
    },
};

/// Of the clips' frames, every so many is kept.
const EVERY: usize = 2;

/// Names in packages have no dots.
fn name(name: &str) -> String {
    name.replace('.', "_")
}

/// The mesh with textures of its coat and its eyes.
pub fn mesh(psk: &Psk, coat: Ref, eyes: Ref, animation: Ref) -> (MeshData, LodData, SkeletalData) {
    let bounds = Bounds::of(psk.points.iter().copied());
    let points = psk.points.len() as i32;
    let mesh = MeshData {
        bounds,
        // The bone lies on the coat's texture.
        textures: vec![coat, eyes, coat],
        frame_vertices: points,
        frames: 1,
        scale: [1.0; 3],
        rotation_origin: [0, 16_384, 0],
        ..MeshData::default()
    };
    let lod = LodData {
        faces: psk
            .faces
            .iter()
            .map(|face| LodFace { wedges: face.wedges.map(|w| w as u16), material: u16::from(face.material) })
            .collect(),
        wedges: psk
            .wedges
            .iter()
            .map(|w| LodWedge { vertex: w.point as u16, uv: w.uv.map(|v| (v.clamp(0.0, 1.0) * 255.0).round() as u8) })
            .collect(),
        materials: (0..3).map(|texture| LodMaterial { poly_flags: 0, texture }).collect(),
        model_vertices: points,
        mesh_scale_max: 1.0,
        strength: 1.0,
        min_vertices: points,
        old_frame_vertices: points,
        ..LodData::default()
    };
    let mut weight_indices = Vec::new();
    let mut weights = Vec::new();
    for bone in 0..psk.bones.len() {
        let first = weights.len();
        let own = psk.weights.iter().filter(|w| w.bone == bone as i32);
        weights.extend(own.map(|w| BoneWeight { point: w.point as u16, weight: (w.weight * 65_535.0).round() as u16 }));
        let count = (weights.len() - first) as u16;
        weight_indices.push(BoneWeightIndex { first: first as u16, count, detail_a: count, detail_b: 0 });
    }
    let skeletal = SkeletalData {
        wedges: psk.wedges.iter().map(|w| ExtWedge { vertex: w.point as u16, uv: w.uv }).collect(),
        points: psk.points.clone(),
        skeleton: psk
            .bones
            .iter()
            .map(|bone| SkeletonBone {
                name: name(&bone.name),
                orientation: bone.rotation,
                position: bone.position,
                length: bone.length,
                size: bone.size,
                child_count: bone.child_count,
                parent: bone.parent,
            })
            .collect(),
        weight_indices,
        weights,
        local_points: Vec::new(),
        skeletal_depth: depth(psk),
        default_animation: animation,
        weapon_bone: psk.bones.iter().position(|bone| bone.name == "Treasure").map_or(-1, |bone| bone as i32),
        weapon_adjust: [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    };
    (mesh, lod, skeletal)
}

/// Bones from the root to the farthest tip.
fn depth(psk: &Psk) -> i32 {
    let mut depths = vec![1; psk.bones.len()];
    for bone in 1..psk.bones.len() {
        depths[bone] = depths[psk.bones[bone].parent as usize] + 1;
    }
    depths.into_iter().max().unwrap_or(0)
}

/// Keys that are all alike are one key.
fn constant<T: PartialEq + Clone>(keys: Vec<T>) -> Vec<T> {
    if keys.iter().all(|key| *key == keys[0]) { keys[..1].to_vec() } else { keys }
}

pub fn animation(psa: &Psa) -> (Vec<AnimationBone>, Vec<Move>, Vec<Sequence>) {
    let bones: Vec<AnimationBone> =
        psa.bones.iter().map(|bone| AnimationBone { name: name(&bone.name), parent: bone.parent }).collect();
    let mut moves = Vec::new();
    let mut sequences = Vec::new();
    for info in psa.sequences.iter().filter(|info| matches!(info.name.as_str(), "Walk" | "Cheer")) {
        let frames: Vec<usize> = (0..info.raw_frames as usize).step_by(EVERY).collect();
        let key = |frame: usize, bone: usize| &psa.keys[(info.first_raw_frame as usize + frame) * bones.len() + bone];
        let tracks = (0..bones.len())
            .map(|bone| {
                let rotations = constant(frames.iter().map(|frame| key(*frame, bone).rotation).collect());
                // A hundredth of a unit is nothing to see.
                let round = |p: [f32; 3]| p.map(|v| (v * 256.0).round() / 256.0);
                let positions = constant(frames.iter().map(|frame| round(key(*frame, bone).position)).collect());
                let count = rotations.len().max(positions.len());
                Track { rotations, positions, times: (0..count).map(|time| time as f32).collect() }
            })
            .collect();
        moves.push(Move {
            root_speed: [0.0; 3],
            track_time: frames.len() as f32,
            start_bone: 0,
            bone_indices: (0..bones.len() as i32).collect(),
            tracks,
            root_track: Track::default(),
        });
        let notifications = match info.name.as_str() {
            "Walk" => vec![(0.0, "FootStep".to_owned()), (0.5, "FootStep".to_owned())],
            _ => vec![(0.2, "TossBone".to_owned()), (0.53, "CatchBone".to_owned())],
        };
        sequences.push(Sequence {
            name: info.name.clone(),
            group: "None".to_owned(),
            start_frame: 0,
            frame_count: frames.len() as i32,
            notifications,
            rate_hz: info.rate_hz / EVERY as f32,
        });
    }
    (bones, moves, sequences)
}
