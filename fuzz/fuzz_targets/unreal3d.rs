//! Vertex mesh files: polygons, frames or the script that imports them are the input, the other two are whole. Its
//! last byte says which.
#![no_main]

#[path = "../read/mod.rs"]
mod read;

use bonebox::{
    bytes::Source,
    formats::{
        FileRequest, FoundFile, Resolver,
        unreal::encode::{FilePolygon, Vertices, encode_mesh_data, encode_mesh_frames},
    },
};
use std::{path::PathBuf, sync::Arc};

/// Files by their names.
struct Files([(&'static str, Vec<u8>); 3]);

impl Resolver for Files {
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile> {
        let is_wanted = |name: &str| {
            let own = name.split_once('.');
            own.is_some_and(|(stem, extension)| stem == request.stem && request.extensions.contains(&extension))
        };
        let (name, bytes) = self.0.iter().find(|(name, _)| is_wanted(name))?;
        Some(FoundFile { name: (*name).to_owned(), path: PathBuf::from(name), source: Source::from(bytes.clone()) })
    }
}

const SCRIPT: &[u8] =
    b"#exec MESH IMPORT MESH=m ANIVFILE=m_a.3d DATAFILE=m_d.3d\n#exec MESH SEQUENCE MESH=m SEQ=All NUMFRAMES=2\n\
    #exec MESHMAP SETTEXTURE MESHMAP=m NUM=0 TEXTURE=t\n";

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((pick, input)) = bytes.split_last() else { return };
    let polygon = FilePolygon { vertices: [0, 1, 2], surface: 3, ..FilePolygon::default() };
    let mut files = Files([
        ("m_d.3d", encode_mesh_data(&[polygon; 2], 3)),
        ("m_a.3d", encode_mesh_frames(&Vertices::Packed(vec![0x0123_4567; 6]), 3)),
        ("m.uc", SCRIPT.to_vec()),
    ]);
    files.0[usize::from(pick % 3)].1 = input.to_vec();
    // Either of the pair finds the other two.
    let (name, file) = files.0[usize::from(pick / 3 % 2)].clone();
    let parts = read::Parts::of(pick / 6);
    let _ = read::read_beside(name, file, Arc::new(files), parts);
});
