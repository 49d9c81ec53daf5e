//! Files of the character pipeline of a given size, written by the project's own encoder.

use bonebox::formats::charpipe::encode::{
    Actor, Arrangement, Bank, BankVersion, Block, Bone, Control, Draw, Geometry, Layout, Lighting, Mesh, Positions,
    PrimitiveKind, Quantization, QuaternionCurve, QuaternionKey, RotationKeys, Sequence, Setting, SkinVertex, State,
    Track, UvSet, VectorCurve, VectorKey, Vertex, Width, arrange, encode_act, encode_anm, encode_block, encode_gpl,
    encode_skn, whole_weights,
};
use glam::{Quat, Vec3};

/// The model of issue 5's figures.
pub const BONES: usize = 120;
pub const SLOTS: usize = 5_000;
/// Bones in a row, each the parent of the next.
const CHAIN: usize = 17;
/// Vertices of a ring.
const SIDES: usize = 20;
const SHIFT: u8 = 11;
/// Frames of a clip.
pub const FRAMES: f32 = 240.0;

fn parent_of(bone: usize) -> Option<usize> {
    match bone.checked_sub(1) {
        None => None,
        // Chains start at the root.
        Some(before) if before % CHAIN == 0 => Some(0),
        Some(before) => Some(before),
    }
}

fn turn_of(bone: usize) -> Quat {
    Quat::from_rotation_z((bone % 5) as f32 * 0.02 - 0.04)
}

/// Bones in chains off a root, and a tube of rings around them, in which 60 of 100 vertices hang on one bone, 25 on two, 10 on
/// three and 5 on four.
pub fn block(bones: usize, slots: usize) -> Vec<u8> {
    let bone = |index: usize| {
        let along = if parent_of(index) == Some(0) { index as f32 * 0.01 } else { 0.3 };
        let control = Control::placed(turn_of(index).to_array(), [0.02, along, 0.0]);
        Bone::new(index as u16, parent_of(index), Some(control))
    };
    let actor = Actor {
        id: 1,
        bones: (0..bones).map(bone).collect(),
        geometry: "made.gpl".to_owned(),
        skin_mesh: Some(0),
        ..Actor::default()
    };
    let numbers = actor.numbers();
    let vertex = |index: usize| {
        let turn = (index % SIDES) as f32 / SIDES as f32 * std::f32::consts::TAU;
        let out = Vec3::new(turn.cos(), 0.0, turn.sin());
        let count = match index % 20 {
            0..12 => 1,
            12..17 => 2,
            17..19 => 3,
            _ => 4,
        };
        // Neighbours in the array hang on the same bones.
        let first = index * bones / slots;
        let shares: Vec<(u16, f32)> =
            (0..count).map(|i| (numbers[(first + i * 3) % bones], 1.0 / (i + 1) as f32)).collect();
        SkinVertex {
            position: (out + Vec3::Y * (index / SIDES) as f32 * 0.02).to_array(),
            normal: out.to_array(),
            weights: whole_weights(&shares),
            accumulated: false,
        }
    };
    let vertices: Vec<SkinVertex> = (0..slots).map(vertex).collect();
    let arranged = arrange(&vertices, Arrangement { shift: SHIFT, ..Arrangement::default() });
    let corner = |index: usize| Vertex {
        position: arranged.slots[index],
        normal: arranged.slots[index],
        uvs: [(index % SIDES) as u16, 0, 0, 0, 0, 0, 0, 0],
        ..Vertex::default()
    };
    let strips = (0..slots / SIDES - 1).map(|row| {
        let pairs = (0..=SIDES).flat_map(|side| [row * SIDES + side % SIDES, (row + 1) * SIDES + side % SIDES]);
        Draw::Primitive(PrimitiveKind::Strip, pairs.map(corner).collect())
    });
    let mut uvs = [Width::None; 8];
    uvs[0] = Width::Index8;
    let layout = Layout { position: Width::Index16, normal: Width::Index16, uvs, ..Layout::default() };
    let mesh = Mesh {
        name: "skin".to_owned(),
        positions: Positions::Skinned {
            shift: SHIFT,
            count: arranged.stored.len() as u16,
            slots: arranged.stored.clone(),
        },
        uv_sets: vec![UvSet {
            quantization: Quantization::s16(8),
            components: 2,
            values: (0..SIDES).map(|side| [side as f32 / SIDES as f32, 0.5]).collect(),
            palette: String::new(),
        }],
        lighting: Some(Lighting { normals: None, ambient_percent: 0.5 }),
        states: vec![State { draws: strips.collect(), ..State::set(Setting::Layout(layout)) }],
        ..Mesh::default()
    };
    encode_block(&Block {
        gpl: encode_gpl(&Geometry { meshes: vec![mesh], ..Geometry::default() }),
        act: encode_act(&actor),
        skn: encode_skn(&arranged.skin),
        ..Block::default()
    })
}

/// One sequence that moves every bone with so many keys a track. `curved`: squads and Hermite curves; otherwise slerps and lines.
pub fn bank(bones: usize, keys: usize, curved: bool) -> Vec<u8> {
    let times: Vec<f32> = (0..keys).map(|key| key as f32 * FRAMES / keys as f32).collect();
    let track = |bone: usize| {
        let turn = |key: usize| {
            let swing = (key as f32 * 0.9 + bone as f32).sin() * 0.4;
            (turn_of(bone) * Quat::from_rotation_x(swing)).to_array()
        };
        let place = |key: usize| [0.02, 0.3 + (key as f32 + bone as f32).cos() * 0.02, 0.0];
        let rotation = if curved { QuaternionCurve::Squad } else { QuaternionCurve::Slerp };
        let translation = if curved { VectorCurve::Hermite } else { VectorCurve::Linear };
        Track {
            rotation: Some(RotationKeys::Quaternion(
                rotation,
                (0..keys).map(|k| QuaternionKey::from(turn(k))).collect(),
            )),
            translation: Some((translation, (0..keys).map(|k| VectorKey::from(place(k))).collect())),
            ..Track::new(bone as u16, FRAMES, times.clone())
        }
    };
    let sequence = Sequence { name: "sway".to_owned(), tracks: (0..bones).map(track).collect() };
    encode_anm(&Bank { version: BankVersion::Sdk, id: 1, sequences: vec![sequence], user_data: Vec::new() })
}
