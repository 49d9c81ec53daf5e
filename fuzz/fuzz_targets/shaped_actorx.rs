//! PSK and PSA files of valid shape, spoilt: bones that hang on each other, weights and faces that point anywhere, sequences that share keys.
#![no_main]

#[path = "../shape/mod.rs"]
mod shape;

use bonebox::formats::{
    Asset,
    actorx::{
        AnimInfo, AnimKey, Bone, Face, Matt, Psa, Psk, RawWeight, ScaleKey, SkelSock, Wedge, encode_psa, encode_psk,
    },
};
use libfuzzer_sys::arbitrary::{self, Arbitrary};

#[derive(Debug, Arbitrary)]
struct File {
    is_animation: bool,
    /// What each bone but the first hangs on, among those before it.
    parents: Vec<u8>,
    points: u8,
    materials: u8,
    uvs: u8,
    has_normals: bool,
    sockets: Vec<u8>,
    weights: Vec<(u8, u8)>,
    /// Frames of each sequence.
    sequences: Vec<u8>,
    has_scales: bool,
}

fn bones(file: &File) -> Vec<Bone> {
    let parents =
        file.parents.iter().take(30).enumerate().map(|(before, pick)| (usize::from(*pick) % (before + 1)) as i32);
    let bone = |(index, parent): (usize, i32)| Bone {
        name: format!("bone{index}"),
        parent,
        rotation: [0.0, 0.0, 0.0, 1.0],
        position: [1.0, 0.0, 0.5],
        ..Bone::default()
    };
    std::iter::once(-1).chain(parents).enumerate().map(bone).collect()
}

fn mesh(file: &File) -> Vec<u8> {
    let (bones, points) = (bones(file), usize::from(file.points).max(3));
    let materials = usize::from(file.materials % 8).max(1);
    let weights = file.weights.iter().take(200).map(|(point, bone)| RawWeight {
        weight: 0.5,
        point: (usize::from(*point) % points) as i32,
        bone: (usize::from(*bone) % bones.len()) as i32,
    });
    let socket = |bone: &u8| SkelSock {
        name: format!("socket{bone}"),
        bone: bones[usize::from(*bone) % bones.len()].name.clone(),
        ..SkelSock::default()
    };
    encode_psk(&Psk {
        type_flag: 1_999_801,
        points: (0..points).map(|i| [i as f32, (i % 7) as f32, (i % 3) as f32]).collect(),
        wedges: (0..points).map(|i| Wedge { point: i as u32, uv: [0.25, 0.5], material: 0 }).collect(),
        faces: (0..points - 2)
            .map(|i| Face {
                wedges: [i as u32, i as u32 + 1, i as u32 + 2],
                material: (i % materials) as u8,
                ..Face::default()
            })
            .collect(),
        materials: (0..materials).map(|i| Matt { name: format!("skin{i}"), ..Matt::default() }).collect(),
        weights: weights.collect(),
        extra_uvs: (0..file.uvs % 4).map(|_| vec![[0.5, 0.5]; points]).collect(),
        normals: if file.has_normals { vec![[0.0, 0.0, 1.0]; points] } else { Vec::new() },
        sockets: file.sockets.iter().take(8).map(socket).collect(),
        bones,
        ..Psk::default()
    })
}

fn animation(file: &File) -> Vec<u8> {
    let bones = bones(file);
    let frames: Vec<usize> = file.sequences.iter().take(8).map(|frames| usize::from(*frames % 16).max(1)).collect();
    let mut first = 0;
    let sequences = frames.iter().enumerate().map(|(index, frames)| {
        // Some have the keys of the first ones too.
        let begin = if file.sequences[index] >= 0xC0 { 0 } else { first };
        first += *frames as i32;
        AnimInfo {
            name: format!("sequence{index}"),
            group: "None".into(),
            total_bones: bones.len() as i32,
            scale_include: i32::from(file.has_scales),
            key_quotum: (frames * bones.len()) as i32,
            track_time: *frames as f32,
            rate_hz: 30.0,
            first_raw_frame: begin,
            raw_frames: *frames as i32,
            ..AnimInfo::default()
        }
    });
    let sequences: Vec<AnimInfo> = sequences.collect();
    let keys = frames.iter().sum::<usize>() * bones.len();
    let key = AnimKey { position: [0.0, 1.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0 };
    let scale = ScaleKey { scale: [1.0; 3], time: 1.0 };
    encode_psa(&Psa {
        type_flag: 1_999_801,
        bones,
        sequences,
        keys: vec![key; keys],
        scale_keys: if file.has_scales { vec![scale; keys] } else { Vec::new() },
        ..Psa::default()
    })
}

fn says(file: &File, read: &shape::Read) {
    if file.is_animation {
        let clips = read.assets.iter().filter(|asset| matches!(asset, Ok(Asset::Clip(_)))).count();
        assert_eq!(clips, file.sequences.len().min(8));
    } else {
        let Some(Ok(Asset::Model(model))) = read.assets.first() else { panic!("no model") };
        assert_eq!(model.skeleton.as_ref().map(|skeleton| skeleton.joints().len()), Some(bones(file).len()));
    }
}

libfuzzer_sys::fuzz_target!(|input: shape::Input<File>| {
    shape::run(
        input,
        |file| if file.is_animation { ("fuzz.psa", animation(file)) } else { ("fuzz.psk", mesh(file)) },
        says,
    );
});
