//! J3D samples: Lumo the squid in a packed archive, and an arm under the three scaling rules.

mod build;
mod glow;
mod moves;
mod moves_of_scale;
mod pictures;
mod rig;
mod scaling;
mod squid;
mod surface;
mod surfaces;

use super::SampleFile;
use bonebox::formats::{
    archive::encode::{ArchiveFile, Folder, encode_rarc, encode_yaz0},
    j3d::encode::{encode_bck, encode_bmt, encode_bpk, encode_brk, encode_btk, encode_btp, encode_bva, encode_model},
};

pub fn files() -> Vec<SampleFile> {
    vec![
        SampleFile { name: "Bonebox.szs", bytes: encode_yaz0(&encode_rarc(&lumo())) },
        SampleFile { name: "ScalingRules.arc", bytes: scaling::archive() },
        SampleFile { name: "BoneDisc.gcm", bytes: scaling::disc() },
    ]
}

fn archive_file(name: &str, bytes: Vec<u8>) -> ArchiveFile {
    ArchiveFile { name: name.into(), bytes }
}

/// The model and all that it does, a folder for each kind.
fn lumo() -> Folder {
    let (mut rig, joints) = squid::skeleton();
    let parts = squid::parts(&mut rig, &joints);
    let materials: Vec<&str> = parts.iter().map(|part| part.material).collect();
    let shown = glow::shown(&materials);
    let clips = moves::clips(&rig, &joints);
    let model = build::model(&rig, parts, 0);
    let folder = |name: &str, files: Vec<(&str, Vec<u8>)>| Folder {
        name: name.into(),
        files: files.into_iter().map(|(name, bytes)| archive_file(name, bytes)).collect(),
        folders: Vec::new(),
    };
    let bcks = clips.iter().map(|(name, clip)| (*name, encode_bck(clip))).collect();
    Folder {
        name: "bonebox".into(),
        files: Vec::new(),
        folders: vec![
            folder("bmd", vec![("lumo.bmd", encode_model(&model))]),
            folder("bck", bcks),
            folder("btk", vec![("lumo.btk", encode_btk(&glow::matrices()))]),
            folder("btp", vec![("lumo.btp", encode_btp(&glow::faces()))]),
            folder("brk", vec![("lumo.brk", encode_brk(&glow::registers()))]),
            folder("bpk", vec![("lumo_dark.bpk", encode_bpk(&glow::colors()))]),
            folder("bva", vec![("lumo_helmet.bva", encode_bva(&shown))]),
            folder("bmt", vec![("lumo_gold.bmt", encode_bmt(Some(&surfaces::other_materials()), None))]),
        ],
    }
}
