//! J3D models and animations of valid shape, alone and in archives, spoilt.
#![no_main]

#[path = "../../benches/made_j3d/mod.rs"]
mod made_j3d;
#[path = "../shape/mod.rs"]
mod shape;

use bonebox::formats::{
    Asset,
    archive::encode::{ArchiveFile, Folder, encode_rarc, encode_yaz0},
    j3d::encode::{
        AxisTracks, ClusterClip, ColorTracks, JointClip, Key, MaterialColorClip, Track, VertexColorClip,
        VertexColorTracks, VisibilityClip, encode_bca, encode_bck, encode_bla, encode_blk, encode_bpa, encode_bpk,
        encode_bva, encode_bxa, encode_bxk,
    },
};
use libfuzzer_sys::arbitrary::{self, Arbitrary};

#[derive(Debug, Arbitrary)]
struct File {
    kind: u8,
    /// In an archive, compressed.
    is_packed: bool,
    joints: u8,
    shapes: u8,
    materials: u8,
    texels: u8,
    /// Keys of each track.
    tracks: Vec<u8>,
}

fn keys(count: u8) -> Track {
    match count % 8 {
        0 => Track::Default,
        1 => Track::Constant(f32::from(count)),
        keys => {
            let key = |k: u8| Key {
                frame: f32::from(k) * 2.0,
                value: f32::from(k) * f32::from(count % 40),
                ..Key::default()
            };
            Track::Keys((0..keys).map(key).collect())
        }
    }
}

fn table(count: u8) -> Vec<f32> {
    (0..count % 16).map(f32::from).collect()
}

fn clip(file: &File) -> (&'static str, Vec<u8>) {
    let tracks: Vec<u8> = file.tracks.iter().copied().take(24).collect();
    let four = |part: &[u8]| -> [u8; 4] { std::array::from_fn(|i| part.get(i).copied().unwrap_or(0)) };
    let colors = tracks.chunks(4).map(four);
    let (loop_mode, duration) = (2, 16);
    match file.kind % 9 {
        0 => {
            let axes = |joint: u8| {
                std::array::from_fn(|_| AxisTracks {
                    scale: keys(joint),
                    rotation: keys(joint / 2),
                    translation: keys(joint / 3),
                })
            };
            (
                "fuzz.bck",
                encode_bck(&JointClip {
                    loop_mode,
                    duration,
                    joints: tracks.into_iter().map(axes).collect(),
                    ..JointClip::default()
                }),
            )
        }
        1 => {
            let axes = |joint: u8| {
                std::array::from_fn(|_| AxisTracks {
                    scale: table(joint),
                    rotation: table(joint / 2),
                    translation: table(joint / 3),
                })
            };
            (
                "fuzz.bca",
                encode_bca(&JointClip {
                    loop_mode,
                    duration,
                    joints: tracks.into_iter().map(axes).collect(),
                    ..JointClip::default()
                }),
            )
        }
        2 => {
            let of = |(id, part): (usize, [u8; 4])| ColorTracks {
                material: format!("skin{id}"),
                id: id as u8,
                parts: part.map(keys),
            };
            (
                "fuzz.bpk",
                encode_bpk(&MaterialColorClip { loop_mode, duration, colors: colors.enumerate().map(of).collect() }),
            )
        }
        3 => {
            let of = |(id, part): (usize, [u8; 4])| ColorTracks {
                material: format!("skin{id}"),
                id: id as u8,
                parts: part.map(table),
            };
            (
                "fuzz.bpa",
                encode_bpa(&MaterialColorClip { loop_mode, duration, colors: colors.enumerate().map(of).collect() }),
            )
        }
        4 => (
            "fuzz.blk",
            encode_blk(&ClusterClip { loop_mode, duration, weights: tracks.into_iter().map(keys).collect() }),
        ),
        5 => (
            "fuzz.bla",
            encode_bla(&ClusterClip { loop_mode, duration, weights: tracks.into_iter().map(table).collect() }),
        ),
        6 => {
            let of = |part: [u8; 4]| VertexColorTracks { vertices: vec![4, 7], parts: part.map(keys) };
            (
                "fuzz.bxk",
                encode_bxk(&VertexColorClip { loop_mode, duration, sets: [colors.map(of).collect(), Vec::new()] }),
            )
        }
        7 => {
            let of = |part: [u8; 4]| VertexColorTracks { vertices: vec![4, 7], parts: part.map(table) };
            (
                "fuzz.bxa",
                encode_bxa(&VertexColorClip { loop_mode, duration, sets: [colors.map(of).collect(), Vec::new()] }),
            )
        }
        _ => {
            let shapes = tracks.iter().map(|seed| (0..seed % 16).map(|frame| frame % 2 == 0).collect()).collect();
            ("fuzz.bva", encode_bva(&VisibilityClip { loop_mode, duration, shapes }))
        }
    }
}

fn joints(file: &File) -> usize {
    usize::from(file.joints % 12).max(1)
}

fn model(file: &File) -> (&'static str, Vec<u8>) {
    let size = made_j3d::Size {
        shapes: usize::from(file.shapes % 4),
        squares: 1,
        joints: joints(file),
        materials: usize::from(file.materials % 4).max(1),
        texels: 8 << (file.texels % 2),
    };
    ("fuzz.bmd", made_j3d::bmd(size))
}

fn is_clip(file: &File) -> bool {
    file.kind % 16 < 9
}

fn says(file: &File, read: &shape::Read) {
    let assets = || read.assets.iter().flatten();
    if file.is_packed || is_clip(file) {
        assert!(assets().any(|asset| matches!(asset, Asset::Clip(_))), "{:?}", read.assets);
    }
    if file.is_packed || !is_clip(file) {
        let joints_of = |asset: &Asset| {
            if let Asset::Model(model) = asset { Some(model.skeleton.as_ref()?.joints().len()) } else { None }
        };
        assert_eq!(assets().find_map(joints_of), Some(joints(file)), "{:?}", read.assets);
    }
}

libfuzzer_sys::fuzz_target!(|input: shape::Input<File>| {
    let write = |file: &File| {
        if !file.is_packed {
            return if is_clip(file) { clip(file) } else { model(file) };
        }
        let member = |(name, bytes): (&str, Vec<u8>)| ArchiveFile { name: name.to_owned(), bytes };
        let inner = Folder { name: "clips".to_owned(), files: vec![member(clip(file))], ..Folder::default() };
        let root = Folder { name: "root".to_owned(), files: vec![member(model(file))], folders: vec![inner] };
        let archive = encode_rarc(&root);
        if file.kind % 2 == 0 { ("fuzz.arc", archive) } else { ("fuzz.szs", encode_yaz0(&archive)) }
    };
    shape::run(input, write, says);
});
